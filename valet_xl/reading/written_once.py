"""What is written once for several rows, as in merged cells: it is filled down where that is certain."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

import numpy as np

from valet_xl.engine.arrays import Index, distinct_keys
from valet_xl.reading.boards import OCCASIONS
from valet_xl.reading.columns import CodedColumn, Columns

PLACES = (*OCCASIONS, "section", "round", "table", "board")
_OF_SIDE = (("ns", "north", "south"), ("ew", "east", "west"))
_BOARD = (*OCCASIONS, "section", "round", "board")
_LEAST = 4  # rows with a result; a blank among fewer is a gap


def fill_down(cells: Columns, *, once: bool) -> tuple[str, ...]:
    """Copy what is written once for several rows into the rows under it.

    That is so of a column where at least half of the rows that have something in the contract's are blank, and of a
    sheet with four such rows. Pairs and players are filled down only where it is certain whose the rows are.

    Parameters
    ----------
    cells : the columns, which are changed
    once : whether that is done with pairs, players, tables and sections too

    Returns
    -------
    a sentence for the columns of pairs and players that were filled down, and for those that were not
    """
    for field in PLACES if once else (*OCCASIONS, "round", "board"):
        filled = _filled(cells, field)
        if filled is not None:
            cells.columns[field] = filled
    done: list[str] = []
    left: list[str] = []
    for fields in _OF_SIDE if once else ():
        found = {field: filled for field in fields if (filled := _filled(cells, field)) is not None}
        certain = _nested([set(np.flatnonzero(cells[field].each(bool)).tolist()) for field in found])
        for field, filled in found.items():
            fits = certain and not _twice(cells, filled) and not _across(cells, field)
            (done if fits else left).append(cells.headings.get(field, field))
            if fits:
                cells.columns[field] = filled
    said = [f"{' and '.join(done)}: written once for several rows, and filled down"] if done else []
    unknown = "mostly blank, and not filled down, as it is not certain whose the rows are"
    return (*said, *([f"{' and '.join(left)}: {unknown}"] if left else []))


def _nested(rows: Sequence[set[int]]) -> bool:
    """Whether of each two sets of rows one contains the other."""
    ordered = sorted(rows, key=len)
    return all(fewer <= more for fewer, more in pairwise(ordered))


def _filled(cells: Columns, field: str) -> CodedColumn | None:
    """A column filled down; None where it is not written once for several rows."""
    column = cells[field]
    if all(column.texts):
        return None
    blank, rows = column.each(bool) == 0, cells["contract"].each(bool) > 0
    size = np.count_nonzero(rows)
    if blank.all() or size < _LEAST or 2 * np.count_nonzero(blank & rows) < size:
        return None
    return CodedColumn(column.texts, column.index[_sources(cells, field)])


def _sources(cells: Columns, field: str) -> Index:
    """(n,) the row whose cell each row has after filling down: the nearest above it that is not blank, or itself."""
    blank, rows = cells[field].each(bool) == 0, cells["contract"].each(bool) > 0
    own = np.arange(cells.size)
    above = np.maximum.accumulate(np.where(blank, -1, own))
    return np.where(blank & rows & (above >= 0), above, own)


def _across(cells: Columns, field: str) -> bool:
    """Whether filling down would carry something into another event, date, session or section."""
    places = np.stack([cells[place].codes() for place in (*OCCASIONS, "section")])
    return bool((places != places[:, _sources(cells, field)]).any())


def _twice(cells: Columns, who: CodedColumn) -> bool:
    """Whether one text is in two rows with a result of one board, section and round."""
    at = np.flatnonzero((who.each(bool) > 0) & (cells["contract"].each(bool) > 0))
    codes = who.codes()
    return len(
        distinct_keys((board_codes(cells).astype(np.int64) * (int(codes.max(initial=0)) + 1) + codes)[at])
    ) < len(at)


def board_codes(cells: Columns) -> Index:
    """(n,) numbers from 0, the same for rows of the same board, section and round."""
    codes = np.stack([cells[field].codes() for field in _BOARD])
    return np.unique(codes, axis=1, return_inverse=True)[1].reshape(-1)
