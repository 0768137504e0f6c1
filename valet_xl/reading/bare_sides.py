"""Columns NS and EW right of the contract: the pairs, the points of the contracts, or other scores, by their cells."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from valet_xl.engine.arrays import Floats, Index
from valet_xl.reading.cells import number_cell
from valet_xl.reading.columns import CodedColumn, Columns
from valet_xl.reading.given_scores import are_points
from valet_xl.reading.written_once import board_codes, fill_down

PAIRS, POINTS, OTHER = "pairs", "points", "other scores"
_MOST = 0.9


def judge(sides: Mapping[str, Sequence[object]], places: Mapping[str, Sequence[object]], rows: Sequence[int]) -> str:
    """What one or two columns hold.

    Parameters
    ----------
    sides : the cells of n rows in the columns "ns" and "ew", or in one of them
    places : those in the columns that say which board they are of, and in "contract"
    rows : (n,) where they are

    Returns
    -------
    PAIRS, POINTS or OTHER; "" where there is nothing in them
    """
    cells = Columns({**sides, **places}, rows, {})
    with_result = cells["contract"].each(bool) > 0
    numbers = np.stack([np.where(with_result, _numbers(cells[field]), np.nan) for field in ("ns", "ew")])
    filled = np.stack([(cells[field].each(bool) > 0) & with_result for field in ("ns", "ew")])
    there = ~np.isnan(numbers)
    if not filled.any():
        return ""
    if 2 * np.count_nonzero(there) <= np.count_nonzero(filled):
        return PAIRS
    some = np.where(there, numbers, 0)
    either = there.any(axis=0)
    own = (some == 0).any(axis=0) | (some[0] == -some[1])
    if np.mean(own[either]) >= _MOST and are_points(numbers[there]):
        return POINTS
    whole = numbers[there] == np.floor(numbers[there])
    one_sided = len(sides) == 2 and 2 * np.count_nonzero(filled[0] != filled[1]) > np.count_nonzero(with_result)
    percent = any(_in_percent(cells[field]) for field in sides)
    if not whole.all() or (numbers[there] < 0).any() or one_sided or percent:
        return OTHER
    fill_down(cells, once=True)
    board = board_codes(cells)
    return OTHER if _shared(board, numbers) or _repeated(board, numbers) else PAIRS


def _shared(board: Index, numbers: Floats) -> bool:
    """Whether the two numbers share what is to be had on a board: its matchpoints, single or double, or 100 %."""
    rows = np.flatnonzero(~np.isnan(numbers).any(axis=0))
    _, index, results = np.unique(board[rows], return_inverse=True, return_counts=True)
    sums = numbers[:, rows].sum(axis=0)
    others = results[index] - 1
    compared = others > 0
    return bool(compared.any()) and any(
        np.mean((sums == top)[compared]) >= _MOST for top in (others, 2 * others, np.full(len(rows), 100))
    )


def _repeated(board: Index, numbers: Floats) -> bool:
    """Whether more than a tenth of the numbers are there again on the same board in the same column."""
    again = total = 0
    for column in numbers:
        rows = np.flatnonzero(~np.isnan(column))
        different = np.unique(np.stack([board[rows].astype(np.float64), column[rows]]), axis=1).shape[1]
        again, total = again + len(rows) - different, total + len(rows)
    return again > (1 - _MOST) * total


def _numbers(column: CodedColumn) -> Floats:
    """(n,) the cells that are numbers, per cent or not; NaN for all others."""
    return np.array([number_cell(text) for text in column.texts])[column.index]


def _in_percent(column: CodedColumn) -> bool:
    return any(text.endswith("%") for text in column.texts)
