"""Deals as pairs of partners: their patterns and holdings, and the tricks that they took."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from valet_xl.binky.deals import CHUNK, Deals
from valet_xl.binky.hands import CARDS, PATTERNS, Hands
from valet_xl.binky.points import HOLDINGS, KINDS, Coefficients, holding_index
from valet_xl.engine.arrays import Floats, Index

FOLDS = 5  # parts of the deals; each is predicted from the others
SIZE = len(PATTERNS) + len(HOLDINGS)  # coefficients


@dataclass(frozen=True, slots=True, eq=False)
class Pairs:
    """Pairs of partners and what they took: North-South and East-West of each deal in turn.

    patterns : (m, 2) places in PATTERNS
    holdings : (m, 2, 4) places in HOLDINGS
    tricks : (m, 4) for each kind of KINDS
    random : (m,) whether the deal is random
    planted : (m,) whether the first of the pair was given its pattern on purpose
    fold : (m,) which of the FOLDS
    """

    patterns: Index
    holdings: Index
    tricks: Floats
    random: NDArray[np.bool_]
    planted: NDArray[np.bool_]
    fold: Index

    def __len__(self) -> int:
        return len(self.tricks)

    def chosen(self, which: NDArray[np.bool_]) -> Pairs:
        """Some of the pairs."""
        return Pairs(*(getattr(self, field)[which] for field in self.__slots__))

    @property
    def columns(self) -> Index:
        """(m, 10) the coefficients that make up each pair's expected tricks."""
        return np.concatenate([self.patterns, len(PATTERNS) + self.holdings.reshape(-1, 8)], axis=1)

    @property
    def shape(self) -> Index:
        """(m,) the squares of both hands' suit lengths, added up."""
        return (np.array(PATTERNS) ** 2).sum(axis=1)[self.patterns].sum(axis=1)


def pairs_of(deals: Deals) -> Pairs:
    """The pairs of hands of deals, and their tricks.

    Notes
    -----
    A partnership takes what the better of its two declarers takes; in a suit, in the best of the four. Defending it
    takes what its opponents do not.
    """
    hands = [hands_of(deals, seat) for seat in range(4)]
    patterns = np.stack([hand.patterns for hand in hands], axis=1)
    holdings = np.stack([holding_index(hand) for hand in hands], axis=1)
    offence = deals.tricks.transpose(0, 2, 1).astype(np.float64)
    tricks = np.concatenate([offence, CARDS - offence[:, ::-1]], axis=2)
    seats = np.array([[0, 2], [1, 3]])
    first = np.tile([True, False], len(deals))
    return Pairs(
        patterns[:, seats].reshape(-1, 2),
        holdings[:, seats].reshape(-1, 2, 4),
        tricks.reshape(-1, len(KINDS)),
        np.repeat(deals.planted < 0, 2),
        np.repeat(deals.planted >= 0, 2) & first,
        np.repeat(np.arange(len(deals)) // CHUNK % FOLDS, 2),
    )


def expected_tricks(coefficients: Coefficients, pairs: Pairs) -> Floats:
    """(m, 4) the sums of both hands' values."""
    return np.asarray(np.concatenate([coefficients.pattern, coefficients.holding])[pairs.columns].sum(axis=1))


def hands_of(deals: Deals, seat: int) -> Hands:
    """One seat's hands of deals, every card by its name."""
    bits = 1 << np.arange(CARDS - 1, -1, -1)
    named = (deals.owner.reshape(-1, 4, CARDS) == seat) @ bits
    return Hands(named.astype(np.int16), np.zeros_like(named, dtype=np.int16))
