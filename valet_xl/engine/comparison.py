"""The primitive behind every score: each score of a board compared with the board's field, for all boards at once.

A board has a few dozen distinct scores however many tables played it, so scores are first reduced to the distinct ones
and their weights, and every distinct score meets every other once.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from valet_xl.engine.arrays import (
    Floats,
    Index,
    Ints,
    Mask,
    count_by,
    keys_of,
    number_keys,
    order_of,
    split_keys,
    sum_by,
)
from valet_xl.engine.laws import IMPS_OF_SIGNED_TENS, MOST_TENS, imps_of
from valet_xl.errors import ArgumentError, one_of

Kernel = Callable[[Floats], Floats]

PAIRS_AT_ONCE = 1 << 16  # what keeps the arrays of one step inside the processor's cache
_LARGEST = 1 << 30  # of scores that are taken for points
_INDEXED = 1e6  # points: differences of scores below that fit into any index
_WIDEST = 1600  # tens of points; from one score of a contract to another there are no more than 1520
_IMPS_OF_DIFFERENCES = IMPS_OF_SIGNED_TENS.take(np.arange(-_WIDEST, _WIDEST + 1) + MOST_TENS, mode="clip")
FEW = 40  # up to so many scores of one board, comparing all is quicker than finding the distinct ones


@dataclass(frozen=True, slots=True)
class Distinct:
    """The distinct scores of each board, in order of board and score, and the place of each given score among them.

    board : (m,) the board of each distinct score, rising
    score : (m,) the score, rising within a board
    index : (n,) for each given score its place among the m
    """

    board: Index
    score: Floats
    index: Index

    def weights(self, weight: ArrayLike | None = None) -> Floats:
        """(m,) how often each distinct score was given, or the sum of the (n,) weights given with it."""
        size = len(self.score)
        return count_by(self.index, size).astype(np.float64) if weight is None else sum_by(self.index, weight, size)


def spans(first: Index, size: Index) -> tuple[Index, Index]:
    """Runs of places laid end to end: for each place the run it is of, and the place; run i is first[i], first[i] + 1
    ...

    >>> [array.tolist() for array in spans(np.array([5, 0]), np.array([2, 3]))]
    [[0, 0, 1, 1, 1], [5, 6, 0, 1, 2]]
    """
    run = np.arange(len(size)).repeat(size)
    return run, np.arange(len(run)) + (first - size.cumsum() + size)[run]


def distinct(boards: Index, scores: ArrayLike) -> Distinct:
    """Reduce (n,) scores, with no NaN among them, to the distinct ones of each board (boards: (n,) from 0)."""
    values = np.asarray(scores, dtype=np.float64)
    whole = whole_scores(boards, values)
    if whole is not None:
        keys, index = number_keys(whole.keys)
        board, above = split_keys(keys, whole.shape)
        return Distinct(board, (above + whole.lowest).astype(np.float64), index)
    order = np.lexsort((values, boards))
    board, score = boards[order], values[order]
    new = np.ones(len(order), dtype=bool)
    new[1:] = (score[1:] != score[:-1]) | (board[1:] != board[:-1])
    index = np.empty(len(order), dtype=np.intp)
    index[order] = new.cumsum() - 1
    return Distinct(board[new], score[new], index)


def compare(
    boards: Index, scores: Floats, field_boards: Index, field_scores: Floats, weights: Floats, kernel: Kernel
) -> Floats:
    """The sum, over the field of a score's board, of weight x kernel(score - field score).

    Parameters
    ----------
    boards, scores : (n,) what is compared, in any order
    field_boards, field_scores, weights : (m,) the fields, boards rising; weight 1 is one table
    kernel : what a difference is worth, such as `imps` or `numpy.sign`; it takes and gives arrays

    Returns
    -------
    (n,) sums, 0 where a board has no field
    """
    few = 0 < len(boards) * len(field_boards) <= PAIRS_AT_ONCE
    if few and field_boards[0] == field_boards[-1] and (boards == field_boards[0]).all():
        return np.asarray(kernel(scores[:, None] - field_scores) @ weights)  # a single board: all meet the same field
    of_board = count_by(field_boards, int(boards.max(initial=-1)) + 1)
    size = of_board[boards]
    first = (of_board.cumsum() - of_board)[boards]
    last = size.cumsum()
    sums = np.empty(len(scores))
    start, done = 0, 0
    while start < len(scores):
        stop = max(start + 1, int(last.searchsorted(done + PAIRS_AT_ONCE, side="right")))
        owner, opponent = spans(first[start:stop], size[start:stop])
        worth = kernel(scores[start:stop][owner] - field_scores[opponent]) * weights[opponent]
        sums[start:stop] = sum_by(owner, worth, stop - start)
        start, done = stop, int(last[stop - 1])
    return sums


def compare_field(field: Distinct, weights: Floats, kernel: Kernel) -> Floats:
    """The distinct scores of boards, each compared with all of its board: sums of weight x kernel, as `compare`.

    weights : (m,), or (k, m) for k sums of each; the sums have that shape

    Notes
    -----
    The scores of a board are a row of a table, and all rows are as long as the longest; so are those of its scores that
    weigh something, with which all are compared. What is behind the scores of a board weighs nothing. Boards with as
    many scores come together, so that this is little. The terms of a sum are added one after the other, in the order of
    the scores, unless all are whole numbers, which any order adds up to the same sum.
    """
    sums = np.empty(weights.shape)
    rows = list(zip(np.atleast_2d(sums), np.atleast_2d(weights), strict=True))
    scale = kernel.func if isinstance(kernel, partial) else kernel
    whole = [scale in (imps_of, np.sign) and bool((weight == np.rint(weight)).all()) for _, weight in rows]
    met = np.flatnonzero(np.atleast_2d(weights).any(axis=0))
    size = count_by(field.board)
    size_met = count_by(field.board[met], len(size))
    by_size = size.argsort(kind="stable")
    starts, starts_met = ((each.cumsum() - each)[by_size] for each in (size, size_met))
    size, size_met = size[by_size], size_met[by_size]
    tens = _whole_tens(field.score) if scale is imps_of else None
    first = int(size.searchsorted(1))  # after boards without a score
    while first < len(size):
        boards = slice(first, first + _boards_at_once(size[first:], size_met[first:]))
        of_scores = _Rows.of(starts[boards], size[boards])
        of_met = _Rows.of(starts_met[boards], size_met[boards], met)
        if tens is None:
            worth = kernel(of_scores.laid(field.score)[:, None, :] - of_met.laid(field.score)[:, :, None])
        else:
            apart = of_scores.laid(tens + _WIDEST)[:, None, :] - of_met.laid(tens)[:, :, None]
            worth = _IMPS_OF_DIFFERENCES.take(apart, mode="clip")  # none needs it; without it numpy takes twice as long
        for (of_weights, weight), any_order in zip(rows, whole, strict=True):
            weighs = of_met.laid(weight)
            added = np.einsum("bms,bm->bs", worth, weighs) if any_order else (worth * weighs[:, :, None]).sum(axis=1)
            of_weights[of_scores.places] = added[of_scores.there]
        first = boards.stop
    return sums


@dataclass(frozen=True, slots=True)
class _Rows:
    """A table with a row for each of some boards.

    there : (boards, longest) where a row has something
    places : the place of what is there, row by row
    """

    there: Mask
    places: Index

    @classmethod
    def of(cls, first: Index, size: Index, places: Index | None = None) -> _Rows:
        """Rows of so many places from the first on; or of those that are there in `places`."""
        column = np.arange(size.max())
        there = column < size[:, None]
        at = (first[:, None] + column)[there]
        return cls(there, at if places is None else places[at])

    def laid(self, values: NDArray[Any]) -> NDArray[Any]:
        """Values in the table, 0 where nothing is."""
        table = np.zeros(self.there.shape, dtype=values.dtype)
        table[self.there] = values[self.places]
        return table


def _whole_tens(scores: Floats) -> Index | None:
    """Scores in tens above the lowest, whose IMPs no rounding changes; None where some are not whole."""
    if not len(scores):
        return None
    least = scores.min()
    if not scores.max() - least <= 10 * _WIDEST:
        return None
    tens = (scores / 10).astype(np.intp)
    if not (tens * 10 == scores).all():
        return None
    tens -= int(least / 10)
    return tens


def _boards_at_once(size: Index, met: Index) -> int:
    """How many boards of rising size are compared together: one at least, and no more than `PAIRS_AT_ONCE` pairs."""
    size, met = size[:PAIRS_AT_ONCE], met[:PAIRS_AT_ONCE]
    pairs = size * np.maximum.accumulate(met) * np.arange(1, len(size) + 1)
    return max(1, int(pairs.searchsorted(PAIRS_AT_ONCE, side="right")))


def against_field(boards: Index, scores: ArrayLike, kernel: Kernel) -> tuple[Floats, Floats]:
    """Every score compared with all the others of its board: (n,) sums of the kernel, and (n,) scores on its board.

    A kernel is 0 for a difference of 0, so a score may be compared with itself.
    """
    tables = count_by(boards)
    if len(tables) == 1 and len(boards) <= FEW:
        values = np.asarray(scores, dtype=np.float64)
        return kernel(values[:, None] - values).sum(axis=1), np.full(len(values), float(len(values)))
    field = distinct(boards, scores)
    weights = field.weights()
    sums = compare_field(field, weights, kernel)
    return sums[field.index], tables[boards].astype(np.float64)


@dataclass(frozen=True, slots=True)
class WholeScores:
    """Scores that are whole numbers, each in one number with its board, so that both are sorted at once.

    keys : (n,) from 0, in the order of board and score
    shape : of the keys: how many boards, and how many scores from the lowest on
    lowest : the lowest score
    """

    keys: Ints
    shape: tuple[int, int]
    lowest: int


def whole_scores(boards: Index, scores: Floats) -> WholeScores | None:
    """Scores of boards from 0 in one number each; None where some are not whole, or there are none."""
    if not len(scores):
        return None
    least, most = scores.min(), scores.max()
    if not (least > -_LARGEST and most < _LARGEST):  # NaN is not
        return None
    points = scores.astype(np.int64)
    if not (points == scores).all():
        return None
    lowest = int(least)
    shape = int(boards.max()) + 1, int(most) - lowest + 1
    points -= lowest
    return WholeScores(keys_of((boards, points), shape), shape, lowest)


def order_of_scores(boards: Index, scores: Floats) -> Index:
    """The places of (n,) scores in the order of board and score, equal ones as they come."""
    whole = whole_scores(boards, scores)
    return np.lexsort((scores, boards)) if whole is None else order_of(whole.keys)


@dataclass(frozen=True, slots=True)
class Played:
    """The played scores out of an array of any shape in which NaN is a board not played."""

    where: NDArray[np.bool_]
    scores: Floats
    boards: Index

    @classmethod
    def of(cls, scores: ArrayLike, boards: ArrayLike | None = None) -> Played:
        """Pick the scores that are not NaN; without boards, all are of one board.

        Raises
        ------
        ArgumentError : where boards are not of the shape of the scores
        """
        array = np.asarray(scores, dtype=np.float64)
        where = ~np.isnan(array)
        if boards is None:
            return cls(where, array[where], np.zeros(int(np.count_nonzero(where)), dtype=np.intp))
        groups = np.asarray(boards)
        if groups.shape != array.shape:
            raise ArgumentError(f"boards must have the shape of scores, {array.shape}, got {groups.shape}")
        played = groups[where]
        whole = played.dtype.kind == "i" and (not played.size or int(played.min()) >= 0)
        return cls(where, array[where], number_keys(played)[1] if whole else np.unique(played, return_inverse=True)[1])

    def spread(self, values: ArrayLike) -> Floats:
        """Put a value for each played score back in its place, NaN elsewhere."""
        out = np.full(self.where.shape, np.nan)
        out[self.where] = values
        return out


DIVISORS: dict[str, Callable[[Floats], Floats]] = {
    "n-1": lambda n: n - 1,
    "n": lambda n: n,
    "total": np.ones_like,
    "sqrt": lambda n: np.sqrt(n * (n - 1) / 2),
}


def _few_imps(scores: Floats) -> Floats | None:
    """The sums of `cross_imps` for 2 to `FEW` scores of one board that are all played and multiples of 10, else None.

    What a spreadsheet asks for most: a look into a table of IMPs by signed tens, in a sixth of the steps.
    """
    flat = scores.ravel()
    if not (2 <= flat.size <= FEW and np.abs(flat).max() < _INDEXED):  # NaN is not
        return None
    tens = (flat / 10).astype(np.intp)
    if not (tens * 10 == flat).all():
        return None
    places = (tens + MOST_TENS)[:, None] - tens
    return np.asarray(np.add.reduce(IMPS_OF_SIGNED_TENS.take(places, mode="clip"), axis=1)).reshape(scores.shape)


def cross_imps(scores: ArrayLike, *, divisor: str = "n-1", boards: ArrayLike | None = None) -> Floats:
    """Cross-IMPs (IMPs across the field): each score against all others of its board.

    Parameters
    ----------
    scores : any shape, N-S points, NaN = not played
    divisor : what the sum of IMPs is divided by, n being the scores of the board: "n-1" (an average per comparison),
        "n", "total" (the sum itself), "sqrt" (the root of n (n - 1) / 2)
    boards : the board of each score, same shape; without it all scores are of one board

    Returns
    -------
    IMPs to N-S, same shape, NaN where not played or with nothing to compare with; they sum to 0 over a board

    Raises
    ------
    OptionError : for another divisor

    Notes
    -----
    IAF_i = sum over j != i of IMP(x_i - x_j) / (n - 1).

    >>> cross_imps([430, 430, -50]).tolist()
    [5.0, 5.0, -10.0]
    """
    one_of("divisor", divisor, DIVISORS)
    if boards is None and (few := _few_imps(np.asarray(scores, dtype=np.float64))) is not None:
        return np.asarray(few / DIVISORS[divisor](np.array(float(few.size))))
    played = Played.of(scores, boards)
    sums, tables = against_field(played.boards, played.scores, imps_of)
    nothing = np.full(sums.shape, np.nan)  # to compare with
    return played.spread(np.divide(sums, DIVISORS[divisor](tables), out=nothing, where=tables > 1))


def matchpoints(scores: ArrayLike, *, expected: ArrayLike | None = None, boards: ArrayLike | None = None) -> Floats:
    """Matchpoints: 2 for each score beaten, 1 for each equalled (Law 78A).

    Parameters
    ----------
    scores : any shape, N-S points, NaN = not played
    expected : the number of scores the board should have, one for all or one for each score; a board with fewer is
        factored up by Neuberg's formula
    boards : the board of each score, same shape; without it all scores are of one board

    Returns
    -------
    matchpoints to N-S, same shape, NaN where not played or with nothing to compare with

    Raises
    ------
    ArgumentError : where more scores are there than expected

    Notes
    -----
    Neuberg: M' = M E / A + (E - A) / A, with A scores where E are expected, on this scale with 2 for a win.

    >>> matchpoints([430, 430, -50]).tolist()
    [3.0, 3.0, 0.0]
    """
    played = Played.of(scores, boards)
    sums, tables = against_field(played.boards, played.scores, np.sign)
    points = sums + tables - 1
    if expected is not None:
        full = np.broadcast_to(np.asarray(expected, dtype=np.float64), played.where.shape)[played.where]
        if np.any(full < tables):
            raise ArgumentError(f"expected must be at least the number of scores, got {full.min():g}")
        points = (points * full + full - tables) / tables
    return played.spread(np.where(tables > 1, points, np.nan))


def matchpoint_percent(
    scores: ArrayLike, *, expected: ArrayLike | None = None, boards: ArrayLike | None = None
) -> Floats:
    """Matchpoints as a percentage of the most there are on the board: 2 (n - 1), n being the expected number of scores.

    Parameters, errors and NaN are those of `matchpoints`.

    >>> matchpoint_percent([430, 430, -50]).tolist()
    [75.0, 75.0, 0.0]
    """
    points = matchpoints(scores, expected=expected, boards=boards)
    if expected is None:
        played = Played.of(scores, boards)
        expected = played.spread(count_by(played.boards)[played.boards])
    return 50 * points / (np.asarray(expected, dtype=np.float64) - 1)
