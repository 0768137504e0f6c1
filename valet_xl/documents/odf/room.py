"""The rows of a sheet that an area meets, and where in their bytes new cells come."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from valet_xl.documents.cell_names import Area
from valet_xl.documents.odf.sheet import Forms, Rows, Whole


class Room(NamedTuple):
    """The rows of a sheet that an area meets. Cells are given by their indices, -1 for none.

    rows : the indices of the rows
    cells : those of the area
    beside : (rows,) the form of the cell left of the area, -1 for none
    starts, ends : (rows,) from where to where in the bytes new cells come in place of others
    before : (rows,) the cell that is repeated into the area, and how many columns of it are left of it; without a cell,
        how many columns the row lacks there
    after : (rows,) the cell that is repeated out of the area, and how many columns of it are right of it
    """

    rows: range
    cells: Whole
    beside: Whole
    starts: Whole
    ends: Whole
    before: tuple[list[int], list[int]]
    after: tuple[list[int], list[int]]


def room_for(area: Area, rows: Rows, forms: Forms) -> Room:
    """Find the rows that an area meets."""
    first = int(np.searchsorted(rows.line + rows.count, area.top, side="right"))
    some = range(first, max(first, int(np.searchsorted(rows.line, area.bottom, side="right"))))
    cells = np.arange(*np.searchsorted(rows.of_row, [some.start, some.stop]))
    # The last of each stands for no cell.
    left = np.append(rows.column, 0)
    right = np.append(rows.column + forms.repeats[rows.form], 0)  # the column behind the cell
    start = np.append(rows.cell_start, 0)
    end = np.append(rows.cell_start + forms.size[rows.form], 0)

    def last_of(mine: Whole) -> Whole:
        """(rows,) the last of some cells in each row."""
        found = np.full(len(some), -1)
        found[rows.of_row[mine] - first] = mine
        return found

    inside = cells[(left[cells] <= area.right) & (right[cells] > area.left)]
    beside = last_of(cells[(left[cells] < area.left) & (right[cells] >= area.left)])
    begin, last = last_of(inside[::-1]), last_of(inside)
    free = rows.inside_end[some.start : some.stop]
    lacks = area.left - right[last_of(cells)]
    before = np.where(lacks > 0, -1, begin)
    into = np.where(lacks > 0, lacks, np.where(begin < 0, 0, area.left - left[begin]))
    beyond = np.where(last < 0, 0, right[last] - area.right - 1)
    return Room(
        rows=some,
        cells=inside,
        beside=np.where(beside < 0, -1, np.append(rows.form, 0)[beside]),
        starts=np.where(begin < 0, free, start[begin]),
        ends=np.where(last < 0, free, end[last]),
        before=(before.tolist(), into.tolist()),
        after=(last.tolist(), beyond.tolist()),
    )
