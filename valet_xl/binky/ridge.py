"""Least squares with a ridge towards holdings that are alike.

Two partners' values add up to tricks, so that the values are the least-squares solution of one equation for each pair
of hands. Most of the 512 holdings are rare. What is known before any deal, that holdings of about the same length and
honours are worth about the same, is put as a covariance of the values; how strong it is, the deals say themselves.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from valet_xl.binky.hands import HONOURS, PATTERNS
from valet_xl.binky.pairs import SIZE, Pairs
from valet_xl.binky.points import HOLDINGS, KINDS
from valet_xl.engine.arrays import Floats

_AT_ONCE = 4_096  # pairs of hands in one step


@dataclass(frozen=True, slots=True, eq=False)
class Sums:
    """The normal equations of pairs of hands.

    products : (551, 551) how often two coefficients are in the same pair
    sides : (551, 4) the tricks of the pairs that each coefficient is in
    squares : (4,) squares of tricks, added up
    size : pairs
    """

    products: Floats
    sides: Floats
    squares: Floats
    size: int

    @classmethod
    def of(cls, pairs: Pairs, chosen: NDArray[np.bool_]) -> Sums:
        """Count the chosen pairs."""
        columns, tricks = pairs.columns[chosen], pairs.tricks[chosen]
        products, sides = np.zeros((SIZE, SIZE)), np.zeros((SIZE, len(KINDS)))
        for at in range(0, len(columns), _AT_ONCE):
            part = columns[at : at + _AT_ONCE]
            flat = (np.arange(len(part))[:, None] * SIZE + part).ravel()
            design = np.bincount(flat, minlength=len(part) * SIZE).reshape(len(part), SIZE).astype(np.float32)
            products += design.T @ design
            sides += design.T.astype(np.float64) @ tricks[at : at + _AT_ONCE]
        return cls(products, sides, (tricks**2).sum(axis=0), len(columns))

    def __add__(self, other: Sums) -> Sums:
        return Sums(
            self.products + other.products,
            self.sides + other.sides,
            self.squares + other.squares,
            self.size + other.size,
        )

    def __sub__(self, other: Sums) -> Sums:
        return Sums(
            self.products - other.products,
            self.sides - other.sides,
            self.squares - other.squares,
            self.size - other.size,
        )

    def variances(self) -> Floats:
        """(4,) what least squares without a ridge leaves of a pair's tricks."""
        solution = np.linalg.lstsq(self.products, self.sides, rcond=1e-10)[0]
        left = self.squares - (self.sides * solution).sum(axis=0)
        return np.asarray(np.maximum(left / max(1, self.size - SIZE), 0.1))


STRENGTHS = ("honours", "twos", "threes", "more", "reach", "patterns", "pattern reach", "own")
"""What the covariance of the values is made of, in tricks but for the two reaches, which are in cards: what single
honours vary, what two, three and more of them together do, over how many lengths they do so alike; what patterns vary,
and how far alike ones go; and what each pattern and holding varies on its own."""

_START = (0.8, 0.05, 0.02, 0.02, 3.5, 0.5, 6.0, 0.03)
_WEIGHTS = (1.4, 1.1, 0.9, 0.7, 0.5, 0.3)  # of A K Q J T 9: what low honours are worth varies less; so do sets of them
_LEVEL = 10.0  # what half the mean tricks may be, in tricks: anything
_SWEEPS = 2  # over all strengths, when they are sought


def covariance(strengths: Floats) -> Floats:
    """(551, 551) how values are thought to vary together before any deal is seen."""
    honours, twos, threes, more, reach, patterns, pattern_reach, own = strengths
    common, near, apart = _likeness()
    alike = honours**2 * common[0] + twos**2 * common[1] + threes**2 * common[2] + more**2 * common[3]
    out = np.eye(SIZE) * own**2
    first = len(PATTERNS)
    out[:first, :first] += _LEVEL**2 + patterns**2 * np.exp(-apart / (2 * pattern_reach**2))
    out[first:, first:] += alike * np.exp(-near / (2 * reach**2))
    return out


@cache
def _likeness() -> tuple[Floats, Floats, Floats]:
    """(4, 512, 512) the honours, twos, threes and larger sets that two holdings have in common, by the squares of their
    weights; the squares of the differences of their lengths; and those of patterns' lengths, added up.
    """
    length, held = np.array(HOLDINGS).T
    same = (len(HOLDINGS),) * 2
    sets = [np.ones(same), *(np.zeros(same) for _ in range(HONOURS))]
    for place, weight in enumerate(_WEIGHTS):
        has = held >> (HONOURS - 1 - place) & 1
        both = np.outer(has, has) * weight**2
        for size in range(HONOURS, 0, -1):
            sets[size] = sets[size] + sets[size - 1] * both
    common = np.stack([*sets[1:4], np.sum(sets[4:], axis=0)])
    shapes = np.array(PATTERNS)
    apart = ((shapes[:, None] - shapes) ** 2).sum(axis=2)
    return common, np.square(length[:, None] - length, dtype=np.float64), apart.astype(np.float64)


def solve(sums: Sums, strengths: Floats, kind: int, variance: float) -> tuple[Floats, Floats]:
    """Least squares with a ridge.

    Returns
    -------
    (551,) values, and (551, 551) the root R of their covariance R R' when the deals have been seen
    """
    root, lower, side = _reduced(sums, strengths, kind, variance)
    spread: Any = np.linalg.solve(lower, root.T).T
    return spread @ side, spread


def evidence(sums: Sums, strengths: Floats, kind: int, variance: float) -> float:
    """The logarithm of the chance of the tricks, given the strengths, but for a constant."""
    _, lower, side = _reduced(sums, strengths, kind, variance)
    return float(side @ side / 2 - np.log(np.diag(lower)).sum())


def _reduced(sums: Sums, strengths: Floats, kind: int, variance: float) -> tuple[Floats, Floats, Floats]:
    """Root L of the covariance before; root C of 1 + L' X'X L / variance; and C^-1 L' X'y / variance."""
    root = _root(covariance(strengths) + 1e-10 * np.eye(SIZE))
    lower = _root(np.eye(SIZE) + root.T @ sums.products @ root / variance)
    side: Any = np.linalg.solve(lower, root.T @ sums.sides[:, kind] / variance)
    return root, lower, side


def _root(matrix: Floats) -> Floats:
    """The lower triangle L of a covariance L L'."""
    return np.asarray(np.linalg.cholesky(matrix), dtype=np.float64)


def find_strengths(sums: Sums, kind: int, variance: float) -> Floats:
    """(8,) the strengths under which the tricks are most likely, each sought in turn with shrinking steps."""
    best = np.log(_START)
    most = evidence(sums, np.exp(best), kind, variance)
    steps = np.full(len(best), 0.5)
    for _ in range(_SWEEPS):
        for place in range(len(best)):
            for sign in (1, -1):
                trial = best.copy()
                trial[place] = np.clip(trial[place] + sign * steps[place], *_LIMITS)
                found = evidence(sums, np.exp(trial), kind, variance)
                if found > most:
                    best, most = trial, found
                    break
            else:
                steps[place] /= 2
    return np.exp(best)


_LIMITS = (np.log(0.002), np.log(20))
