"""Victory points: what a match is worth by its margin in IMPs, and the margin that a number of victory points needs."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from valet_xl.engine.arrays import Floats, Ints
from valet_xl.errors import ArgumentError, one_of

MOST_BOARDS = 1000  # of a match: far above any

# WBF scoring panel, 2013. The value of an IMP falls by the golden ratio with each third of the way to 15 sqrt(boards)
# IMPs, where a match is won by the most.
_RATIO = ((5**0.5 - 1) / 2) ** 3
_BLITZ = 15


class _Table(NamedTuple):
    """The winners' victory points at margins of 0, 1, 2 ... IMPs, up to the most; and what both sides have together."""

    won: Floats
    total: int


class _Steps(NamedTuple):
    """A published table for matches of `fewest` to `most` boards: the least margin that is worth each of the points."""

    fewest: int
    most: int
    first: tuple[int, ...]


# ACBL: the points of the winners, and the least margins for them. Sources: bridgehands.com, Victory Points (2005-2011),
# has all four; the score sheets of S. Sun (1994, after C&T Bridge Supplies) and I. Sherman (2026) agree where they have
# them: 6-8 boards, both and 20 points.
_ACBL = {
    "acbl20": (
        tuple(range(10, 21)),
        (
            _Steps(6, 8, (0, 1, 3, 5, 8, 11, 14, 17, 20, 24, 28)),
            _Steps(9, 11, (0, 1, 3, 6, 10, 14, 18, 22, 26, 31, 36)),
        ),
    ),
    "acbl30": (
        (15, *range(18, 31)),
        (
            _Steps(6, 8, (0, 1, 2, 3, 4, 5, 7, 9, 11, 14, 17, 20, 24, 28)),
            _Steps(9, 11, (0, 1, 2, 3, 5, 7, 9, 12, 15, 18, 22, 26, 31, 36)),
        ),
    ),
}
SCALES = ("wbf", "discrete", *_ACBL)


def victory_points(margin: ArrayLike, boards: ArrayLike, *, scale: str = "wbf") -> Floats:
    """Victory points of a match by its margin in IMPs.

    Parameters
    ----------
    margin : any shape, IMPs by which the match was won, negative where it was lost, NaN = not played
    boards : the boards of the match, one number or the shape of margin
    scale : "wbf": the WBF's continuous scale of 2013, 20 to 0 with two decimals; "discrete": the WBF's in whole points;
        "acbl20", "acbl30": the ACBL's tables of 20 and 30 points, for 6-11 boards

    Returns
    -------
    victory points, same shape; the other side has the rest of 20 (or 30)

    Raises
    ------
    ValetError : for another scale, and boards that are no whole number of 1 to 1000 or that the scale has no table for

    Notes
    -----
    WBF: V = 10 + 10 (1 - R^(I / X)) / (1 - R) with R = ((sqrt 5 - 1) / 2)^3 and X = 15 sqrt(boards), at most 20, to
    two decimals; then, as long as some IMP is worth more than the one before it, the value between them rises by 0.01.
    Discrete: a point more from the first whole IMP on that is worth its half; then, as long as some number of points
    has fewer IMPs than the one before it, the margin between them falls by 1.
    A margin between two whole IMPs, which the tables do not know, is worth what lies between their values, and in
    whole points no more than the smaller one.

    >>> victory_points([0, 8, -8, 60], 16).tolist()
    [10.0, 12.29, 7.71, 20.0]
    """

    def points(margins: Floats, table: _Table) -> Floats:
        won = np.interp(np.abs(margins) if scale == "wbf" else np.floor(np.abs(margins)), *_by_margin(table))
        return np.asarray(np.round(np.where(margins < 0, table.total - won, won), 2), dtype=np.float64)

    return _of_matches(margin, boards, scale, points)


def imps_needed(points: ArrayLike, boards: ArrayLike, *, scale: str = "wbf") -> Floats:
    """The least margin in IMPs that is worth at least so many victory points: `victory_points` the other way round.

    Parameters
    ----------
    points : any shape, victory points, NaN = none
    boards, scale : as for `victory_points`

    Returns
    -------
    whole IMPs, same shape, negative where a match may be lost by so many; NaN for NaN, and where no margin is worth so
    many; for no points at all the smallest loss that is worth nothing

    Raises
    ------
    ValetError : as `victory_points`

    >>> imps_needed([15, 20], 16, scale="discrete").tolist()
    [18.0, 54.0]
    """

    def needed(wanted: Floats, table: _Table) -> Floats:
        lost = table.total - table.won[:0:-1]
        by_margin = np.round(np.concatenate((lost, table.won)), 2)
        margins = by_margin.searchsorted(np.round(wanted, 2)) - len(lost)
        return np.where((wanted >= 0) & (wanted <= table.total), margins, np.nan)

    return _of_matches(points, boards, scale, needed)


def _of_matches(
    values: ArrayLike, boards: ArrayLike, scale: str, compute: Callable[[Floats, _Table], Floats]
) -> Floats:
    """What is computed from values with the tables of their matches' boards; NaN where a value or its boards are."""
    one_of("scale", scale, SCALES)
    given = np.asarray(values, dtype=np.float64)
    lengths = np.broadcast_to(np.asarray(boards, dtype=np.float64), given.shape)
    known = ~np.isnan(given) & ~np.isnan(lengths)
    out = np.full(given.shape, np.nan)
    for length in np.unique(lengths[known]).tolist():
        if not (1 <= length <= MOST_BOARDS and length == int(length)):
            raise ArgumentError(f"boards must be a whole number of 1 to {MOST_BOARDS}, got {length:g}")
        here = known & (lengths == length)
        out[here] = compute(given[here], _table(int(length), scale))
    return out


def _by_margin(table: _Table) -> tuple[Ints, Floats]:
    return np.arange(len(table.won)), table.won


@lru_cache(maxsize=256)
def _table(boards: int, scale: str) -> _Table:
    """The table of a scale for a number of boards.

    Raises
    ------
    ArgumentError : where it has none
    """
    if scale == "wbf":
        return _Table(_continuous(boards), 20)
    if scale == "discrete":
        return _Table(_by_steps(_first_margins(boards), np.arange(10, 21)), 20)
    points, tables = _ACBL[scale]
    for table in tables:
        if table.fewest <= boards <= table.most:
            return _Table(_by_steps(table.first, points), points[-1])
    raise ArgumentError(f"boards must be {tables[0].fewest} to {tables[-1].most} for the scale {scale}, got {boards}")


def _continuous(boards: int) -> Floats:
    """The WBF's continuous scale, at whole margins up to the first that is worth the most."""
    most = _BLITZ * np.sqrt(boards)
    margins = np.arange(int(np.ceil(most)) + 1)
    value = 1000 + 1000 * (1 - _RATIO ** (margins / most)) / (1 - _RATIO)
    return _concave(np.minimum(np.floor(value + 0.5), 2000).astype(np.int64)) / 100


def _first_margins(boards: int) -> Ints:
    """The least margin that the WBF's discrete scale asks for 10, 11 ... 20 points."""
    most = _BLITZ * np.sqrt(boards)
    halves = most * np.log(1 - (np.arange(10) + 0.5) * (1 - _RATIO) / 10) / np.log(_RATIO)
    return -_concave(-np.concatenate(([0], np.ceil(halves).astype(np.int64))))


def _concave(values: Ints) -> Ints:
    """The lowest whole numbers, none below those given, with the same ends and no rise greater than the one before."""
    raised = values
    while (too_low := np.diff(raised, 2) > 0).any():
        raised = raised + np.concatenate(([0], too_low, [0]))
    return raised


def _by_steps(first: ArrayLike, points: ArrayLike) -> Floats:
    """The points at every whole margin, from the least margin for each of them."""
    margins = np.asarray(first)
    steps = margins.searchsorted(np.arange(margins[-1] + 1), side="right") - 1
    return np.asarray(points, dtype=np.float64)[steps]
