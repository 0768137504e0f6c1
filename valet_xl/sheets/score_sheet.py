"""A grid of cells in, named columns of cells out: the whole of "score this sheet"."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np

from valet_xl.engine.laws import Floats
from valet_xl.engine.results import Results
from valet_xl.engine.scoring import LAYOUTS, Options, Summary, score_columns, summarise
from valet_xl.errors import SheetError
from valet_xl.reading.headings import Grid, Headings, find_headings, one_line, read_table


@dataclass(frozen=True, slots=True)
class Column:
    """A column to be written: its heading, how it looks, and a cell for each row under the heading row."""

    name: str
    format: str  # a spreadsheet number format: "0", "0.00" ..., or "@" for text
    width: float  # in characters
    cells: list[float | int | str | None]


@dataclass(frozen=True, slots=True)
class Block:
    """Columns side by side at one place of a sheet. Rows and columns count from 0."""

    top: int  # the heading row
    left: int  # the first column
    columns: tuple[Column, ...]
    replaces: int  # how many columns, from `left`, an earlier scoring wrote there


class Area(Protocol):
    """A table that the host knows of, such as an Excel table: rows and columns from 0, inclusive.

    totals : how many rows at the bottom are totals
    """

    @property
    def top(self) -> int: ...  # noqa: D102 - the class tells
    @property
    def left(self) -> int: ...  # noqa: D102
    @property
    def bottom(self) -> int: ...  # noqa: D102
    @property
    def right(self) -> int: ...  # noqa: D102
    @property
    def totals(self) -> int: ...  # noqa: D102


@dataclass(frozen=True, slots=True)
class Reading:
    """A sheet's results, and its table: the headings, the last row, and where scores go (columns from 0).

    area : the table that the host knows of, if this is one
    left : the first column for scores
    replaces : how many columns an earlier scoring wrote there
    """

    results: Results
    headings: Headings
    last: int
    area: Area | None
    left: int
    replaces: int


@dataclass(frozen=True, slots=True)
class Scored:
    """A sheet scored: what to write where, what was scored, and the headings of the columns read and not read."""

    block: Block
    summary: Summary
    read: tuple[str, ...]
    unread: tuple[str, ...]


_FORMATS = {"Score": "0", "Datum": "0.0", "Butler": "0", "MP": "0.0", "Note": "@"}
_WIDTH, _WIDEST = 9.0, 60.0  # in characters


def read_grid(grid: Grid, options: Options, areas: Iterable[Area] = ()) -> Reading:
    """Read the results of a sheet.

    Parameters
    ----------
    grid : the sheet's cells from its first row and column on, None for blank
    options : of which `result_is` and `rounds` are used
    areas : tables that the host knows of; one whose top row is the heading row bounds what is read

    Raises
    ------
    SheetError : where the sheet holds no results
    ValueError : for an unknown option
    """
    headings = find_headings(grid)
    first = min(headings.columns.values())
    area = next((area for area in areas if area.top == headings.row and area.left <= first <= area.right), None)
    former = former_block(grid[headings.row])
    ends = ([former[0]] if former else []) + ([area.right + 1] if area else [])
    if ends:
        headings = find_headings(grid[: headings.row + 1], min(ends))
    last = min(area.bottom - area.totals, len(grid) - 1) if area else _last_row(grid, headings)
    results = read_table(grid, headings, last, options.result_is, options.rounds)
    if not len(results):
        raise SheetError(f"no results under the headings of row {headings.row + 1} (expected a row for each)")
    left, replaces = former or (_free_column(grid, headings.row, last, area), 0)
    return Reading(results, headings, last, area, left, replaces)


def score_grid(grid: Grid, options: Options, areas: Iterable[Area] = ()) -> Scored:
    """Score a sheet: `read_grid`, and the columns with a cell for each row under the heading row to the last row of
    results.

    They go where an earlier scoring wrote them, else right of all that stands beside those rows.
    """
    reading = read_grid(grid, options, areas)
    columns = score_columns(reading.results, options)
    top = reading.headings.row
    under = [row - top - 2 for row in reading.results.row.tolist()]
    in_table = reading.area is not None and reading.left <= reading.area.right + 1
    taken = grid[top][: reading.left] if in_table else ()
    block = block_of(columns, options, under, _bottom(grid, reading) - top, top, reading.left, reading.replaces, taken)
    used = set(reading.headings.columns.values())
    heading_row = [cell if isinstance(cell, str) else "" for cell in grid[top]]
    unread = (cell for at, cell in enumerate(heading_row[: reading.left]) if cell.strip() and at not in used)
    return Scored(
        block, summarise(reading.results, columns), tuple(reading.headings.names.values()), tuple(map(one_line, unread))
    )


def _bottom(grid: Grid, reading: Reading) -> int:
    """The last row of the block: the table's, or the last result's, or what an earlier scoring left under it.

    Rows under the last result that have anything beside the block, such as a total, are not touched.
    """
    if reading.area is not None:
        return reading.area.bottom - reading.area.totals
    bottom = max(reading.results.row.tolist(), default=reading.headings.row + 1) - 1
    block = slice(reading.left, reading.left + reading.replaces)
    while bottom + 1 < len(grid):
        row = grid[bottom + 1]
        ours, others = row[block], [*row[: block.start], *row[block.stop :]]
        if not any(map(_holds, ours)) or any(map(_holds, others)):
            break
        bottom += 1
    return bottom


def _holds(cell: object) -> bool:
    return cell not in (None, "")


def block_of(
    columns: Mapping[str, Floats | list[str]],
    options: Options,
    under: Sequence[int],
    size: int,
    top: int = 0,
    left: int = 0,
    replaces: int = 0,
    taken: Iterable[object] = (),
) -> Block:
    """The columns of `score_columns` as a block of cells.

    Parameters
    ----------
    columns, options : what was scored, and how
    under : for each result its row, 0 being the first under the heading row
    size : how many rows there are under the heading row
    top, left, replaces : as in `Block`
    taken : headings from which the columns' must differ
    """
    names = {_key(cell) for cell in taken}
    return Block(
        top,
        left,
        tuple(
            Column(
                name=_unused(name, names),
                format=_number_format(name, options),
                width=_width(name, values),
                cells=_spread(values, under, size, whole=name == "Score"),
            )
            for name, values in columns.items()
        ),
        replaces,
    )


def former_block(heading_row: Sequence[object]) -> tuple[int, int] | None:
    """The first column, and the number of columns, that an earlier scoring wrote; None where there are none.

    >>> former_block(["Board", "Contract", *LAYOUTS[0]])
    (2, 9)
    """
    names = [re.sub(r" \d+$", "", cell) if isinstance(cell, str) else "" for cell in heading_row]
    for left in range(len(names) - 1, -1, -1):
        for headings in LAYOUTS:
            if tuple(names[left : left + len(headings)]) == headings:
                return left, len(headings)
    return None


def _last_row(grid: Grid, headings: Headings) -> int:
    """The last row that holds anything in the table's own columns."""
    columns = list(headings.columns.values())
    for at in range(len(grid) - 1, headings.row, -1):
        if any(column < len(grid[at]) and _holds(grid[at][column]) for column in columns):
            return at
    return headings.row


def _free_column(grid: Grid, top: int, last: int, area: Area | None) -> int:
    """The first column right of all that stands in the rows from the heading to the last."""
    used = 0 if area is None else area.right + 1
    for row in grid[top : last + 1]:
        used = max(used, 1 + max((at for at, cell in enumerate(row) if _holds(cell)), default=-1))
    return used


def _width(name: str, values: Floats | list[str]) -> float:
    """Wide enough for the longest note, within limits; numbers are short."""
    return min(max(_WIDTH, *map(len, values)) + 1, _WIDEST) if name == "Note" and len(values) else _WIDTH


def _unused(name: str, taken: set[str]) -> str:
    """The name, with a number behind it where an Excel table, whose headings must differ, has it already."""
    free = next(
        text for text in (name, *(f"{name} {number}" for number in range(2, 10_000))) if _key(text) not in taken
    )
    taken.add(_key(free))
    return free


def _key(cell: object) -> str:
    return str(cell).casefold() if cell is not None else ""


def _number_format(name: str, options: Options) -> str:
    if name == "Butler" and options.double:
        return "0.0"
    if name == "Datum" and options.rounding != "none":
        return "0"
    return _FORMATS.get(name, "0.00")


def _spread(values: Floats | list[str], under: Sequence[int], size: int, whole: bool) -> list[float | int | str | None]:
    """Cells for every row under the headings, blank where there is no result or nothing to say."""
    cells = np.full(size, None, dtype=object)
    if isinstance(values, list):
        said = [at for at, text in enumerate(values) if text]
        cells[np.asarray(under, dtype=np.intp)[said]] = [values[at] for at in said]
    else:
        there = ~np.isnan(values)
        shown = values[there]
        cells[np.asarray(under, dtype=np.intp)[there]] = (shown.astype(np.int64) if whole else shown).tolist()
    return cells.tolist()
