"""Par: the score and contract of an auction in which both sides see all cards."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from valet_xl.deals.cards import SEATS, Bytes
from valet_xl.engine.arrays import Floats, Index, Ints, Mask
from valet_xl.engine.laws import contract_score
from valet_xl.engine.notation import Contract, Double, Strain

LEVELS, STRAINS = 7, 5
SIDES = ("NS", "EW")
_BOOK = 6


@dataclass(frozen=True, slots=True)
class Par:
    """Par of n deals.

    score : (n,) points to North-South
    contracts : what such an auction ends in, such as "NS 4S=" or "W 5CX-2, EW 5DX-2"; "Pass" where nobody can make
        anything
    """

    score: Floats
    contracts: tuple[str, ...]


def par_of(tables: Bytes, vulnerability: Index, first: Index) -> Par:
    """Par of deals.

    Parameters
    ----------
    tables : (n, 5, 4) declarer's tricks by strain, clubs to notrump, and declarer, N E S W
    vulnerability : (n,) bit 0 North-South's, bit 1 East-West's
    first : (n,) the side that may bid first, 0 North-South, 1 East-West; it matters only where both sides can make the
        highest contract that either can

    Notes
    -----
    The auction is a game of two sides, who bid in turn any higher contract or let the last one stand. A contract that
    goes down is doubled, one that makes is not; of two partners the better declares. Par is the value of that game, by
    backward induction over the 35 contracts. The contracts listed have that score, and no further bid gains the
    opponents anything; of each strain and declarer the lowest is listed.
    """
    size = len(tables)
    # (n, strain, side)
    best = np.stack([tables[:, :, side::2].max(axis=2) for side in (0, 1)], axis=2).astype(np.int64)
    worth = np.empty((LEVELS * STRAINS, 2, size))
    for contract in range(LEVELS * STRAINS):
        level, strain = contract // STRAINS + 1, contract % STRAINS
        for side in (0, 1):
            tricks = best[:, strain, side]
            points = contract_score(
                level, strain, tricks < level + _BOOK, tricks, np.asarray(vulnerability) >> side & 1
            )
            worth[contract, side] = points if side == 0 else -points
    value = np.empty_like(worth)
    bidding = np.array([np.full(size, -np.inf), np.full(size, np.inf)])  # the best that a higher bid gets each side
    for contract in range(LEVELS * STRAINS - 1, -1, -1):
        value[contract, 0] = np.minimum(worth[contract, 0], bidding[1])
        value[contract, 1] = np.maximum(worth[contract, 1], bidding[0])
        bidding = np.array([np.maximum(bidding[0], value[contract, 0]), np.minimum(bidding[1], value[contract, 1])])
    north_south = np.maximum(bidding[0], np.minimum(0, bidding[1]))  # bid at once, or leave the first bid to the others
    east_west = np.minimum(bidding[1], np.maximum(0, bidding[0]))
    score = np.where(np.asarray(first) == 0, north_south, east_west)
    ends = (worth == score) & (value == score) & ~_saves_nothing(worth, best, score)
    return Par(score, tuple(_contracts(ends[:, :, at], tables[at], best[at]) for at in range(size)))


def _saves_nothing(worth: Floats, best: Ints, score: Floats) -> Mask:
    """(35, 2, n) whether a contract goes down without being above all that the opponents make for more."""
    levels, strains = np.divmod(np.arange(len(worth)), STRAINS)
    down = best[:, strains].transpose(1, 2, 0) - _BOOK <= levels[:, None, None]
    more = np.stack([worth[:, 1] < score, worth[:, 0] > score], axis=1)  # what the opponents of each side make for more
    below: Ints = np.cumsum(more, axis=0) - more
    return np.asarray(down & ((below == 0) | (below + more < more.sum(axis=0))))


def _contracts(ends: np.ndarray, table: Bytes, best: Ints) -> str:
    """The lowest contract of each strain and side that an auction may end in, as text; (35, 2) whether each may."""
    texts = []
    for side, name in enumerate(SIDES):
        for strain in range(STRAINS):
            levels = np.flatnonzero(ends[strain::STRAINS, side])
            if not len(levels):
                continue
            level, tricks = int(levels[0]) + 1, int(best[strain, side])
            over = tricks - level - _BOOK
            seats = [SEATS[seat] for seat in (side, side + 2) if table[strain, seat] == tricks]
            contract = Contract(level, Strain(strain), Double.DOUBLED if over < 0 else Double.UNDOUBLED)
            texts.append(f"{name if len(seats) == 2 else seats[0]} {contract}{f'{over:+}' if over else '='}")
    return ", ".join(texts) or "Pass"
