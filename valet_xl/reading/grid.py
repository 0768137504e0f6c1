"""A grid of cells, read: its results, where its table ends, and where scores go or were put before."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from valet_xl.documents.page import Table
from valet_xl.engine.options import Options
from valet_xl.engine.results import Results
from valet_xl.engine.score_results import LAYOUTS
from valet_xl.errors import SheetError
from valet_xl.reading.headings import Grid, Headings, find_headings, read_table


@dataclass(frozen=True, slots=True)
class Reading:
    """A sheet's results, and its table: the headings, the last row, and where scores go (columns from 0).

    table : the spreadsheet program's own table, if this is one
    left : the first column for scores
    replaces : how many columns an earlier scoring wrote there
    """

    results: Results
    headings: Headings
    last: int
    table: Table | None
    left: int
    replaces: int


def read_grid(grid: Grid, options: Options, tables: Iterable[Table] = ()) -> Reading:
    """Read the results of a sheet.

    Parameters
    ----------
    grid : the sheet's cells from its first row and column on, None for blank
    options : of which `result_is` and `rounds` are used
    tables : the spreadsheet program's own; one whose top row is the heading row bounds what is read

    Raises
    ------
    SheetError : where the sheet has no results
    OptionError : for an unknown option
    """
    headings = find_headings(grid)
    first = min(headings.columns.values())
    table = next((table for table in tables if table.top == headings.row and table.left <= first <= table.right), None)
    former = former_block(grid[headings.row])
    ends = ([former[0]] if former else []) + ([table.right + 1] if table else [])
    if ends:
        headings = find_headings(grid[: headings.row + 1], min(ends))
    last = min(table.bottom - table.totals, len(grid) - 1) if table else _last_row(grid, headings)
    results = read_table(grid, headings, last, result_is=options.result_is, rounds=options.rounds)
    if not len(results):
        raise SheetError(f"no results under the headings of row {headings.row + 1} (expected a row for each)")
    left, replaces = former or (_free_column(grid, headings.row, last, table), 0)
    return Reading(results, headings, last, table, left, replaces)


def former_block(heading_row: Sequence[object]) -> tuple[int, int] | None:
    """The first column, and the number of columns, that an earlier scoring wrote; None where there are none.

    >>> former_block(["Board", "Contract", *LAYOUTS[0]])
    (2, 9)
    """
    names = [plain_heading(cell) for cell in heading_row]
    for left in range(len(names) - 1, -1, -1):
        for headings in LAYOUTS:
            if tuple(names[left : left + len(headings)]) == headings:
                return left, len(headings)
    return None


def plain_heading(cell: object) -> str:
    """A heading of ours without the number that it gets where a table has it already.

    >>> plain_heading("Score 2")
    'Score'
    """
    return re.sub(r" \d+$", "", cell) if isinstance(cell, str) else ""


def holds(cell: object) -> bool:
    """Whether a cell is not blank."""
    return cell not in (None, "")


def _last_row(grid: Grid, headings: Headings) -> int:
    """The last row that has anything in the table's own columns."""
    columns = list(headings.columns.values())
    for at in range(len(grid) - 1, headings.row, -1):
        if any(column < len(grid[at]) and holds(grid[at][column]) for column in columns):
            return at
    return headings.row


def _free_column(grid: Grid, top: int, last: int, table: Table | None) -> int:
    """The first column right of all that is in the rows from the heading to the last."""
    used = 0 if table is None else table.right + 1
    for row in grid[top : last + 1]:
        used = max(used, 1 + max((at for at, cell in enumerate(row) if holds(cell)), default=-1))
    return used
