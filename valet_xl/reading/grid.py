"""A grid of cells, read: its results, where its table ends, and where scores go or were put before."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

from valet_xl.documents.cell_rows import CellRows
from valet_xl.documents.page import Table
from valet_xl.engine.options import Options
from valet_xl.engine.results import Results
from valet_xl.errors import SheetError
from valet_xl.messages import one_line
from valet_xl.reading.conventions import Conventions
from valet_xl.reading.headings import Grid, Headings, decide_table, find_headings, read_table, with_sides
from valet_xl.reading.shape import Table as ShapedTable
from valet_xl.reading.shape import former_block, is_blank
from valet_xl.reading.shapes import USUAL, take_shape
from valet_xl.reading.text_grid import TextGrid


@dataclass(frozen=True, slots=True)
class Reading:
    """A sheet's results, and its table: the headings, the last row, and where scores go (columns from 0).

    shape : the name of the sheet's shape
    shaped : the sheet as a table of one row a result; the headings' columns are this table's
    conventions : how its cells were read
    table : the spreadsheet program's own table, if this is one
    left : the first column for scores
    replaces : how many columns an earlier scoring wrote there
    """

    shape: str
    shaped: ShapedTable
    results: Results
    headings: Headings
    conventions: Conventions
    last: int
    table: Table | None
    left: int
    replaces: int

    @property
    def is_usual(self) -> bool:
        """Whether the sheet has the shape that needs no mention: a row a result under a heading row."""
        return self.shape == USUAL.name


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

    Notes
    -----
    The sheet may have any of the shapes in `SHAPES`. Rows are its own where a row is a result, else those of its table.
    """
    shape = take_shape(grid)
    shaped = shape.table
    own = tables if shaped.in_place and not shaped.added else ()
    reading = _read_table(shaped, grid, options, own)
    if shaped.places:
        errors = tuple(error.at(shaped.places[error.row - 2]) for error in reading.results.errors)
        reading = replace(reading, results=replace(reading.results, errors=errors))
    return replace(reading, shape=shape.shape.name)


def _read_table(shaped: ShapedTable, sheet: Grid, options: Options, tables: Iterable[Table]) -> Reading:
    """Read the table of a sheet; the headings' columns are the table's, the place for scores is the sheet's."""
    grid = shaped.cells
    headings = find_headings(grid, start=shaped.top)
    first = min(headings.columns.values())
    table = next((table for table in tables if table.top == headings.row and table.left <= first <= table.right), None)
    former = former_block(grid[headings.row])
    ends = ([former[0]] if former else []) + ([table.right + 1] if table else [])
    if ends:
        headings = find_headings(grid[: headings.row + 1], min(ends), headings.row)
    headings = replace(headings, names=_own_names(shaped, sheet, headings))
    last = min(table.bottom - table.totals, len(grid) - 1) if table else _last_row(grid, headings)
    headings, said = with_sides(grid, headings, last)
    conventions, decided = decide_table(grid, headings, last, language=options.language, result_is=options.result_is)
    results = read_table(
        grid,
        headings,
        last,
        rounds=options.rounds,
        conventions=conventions,
        wrong=shaped.wrong,
    )
    results = replace(results, remarks=(*said, *decided, *results.remarks))
    if not len(results):
        raise SheetError(f"no results under the headings of row {headings.row + 1} (expected a row for each)")
    left, replaces = (former[0] - shaped.added, former[1]) if former else (_free_column(sheet, shaped, last, table), 0)
    return Reading("", shaped, results, headings, conventions, last, table, left, replaces)


def _own_names(shaped: ShapedTable, sheet: Grid, headings: Headings) -> dict[str, str]:
    """The headings as the sheet itself has them."""
    names = dict(headings.names)
    for field, column in headings.columns.items() if shaped.in_place else ():
        own = sheet[headings.row][column - shaped.added] if column >= shaped.added else None
        names[field] = names[field] if is_blank(own) else one_line(own)
    return names


def need_rows(reading: Reading) -> None:
    """Refuse a sheet in which a row has several results, where scores are to go next to each.

    Raises
    ------
    SheetError : which says what can be done
    """
    if not reading.shaped.in_place:
        raise SheetError(
            f"a row of this sheet has several results ({reading.shape}), so scores have no place next to them "
            "(valet-xl score FILE writes a new file with a row for each result)"
        )


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


def _free_column(sheet: Grid, shaped: ShapedTable, last: int, table: Table | None) -> int:
    """The first column right of all that is in the rows from the heading to the last."""
    used = 0 if table is None else table.right + 1
    if isinstance(sheet, TextGrid | CellRows):
        return max(used, sheet.width(range(shaped.top, last + 1)))
    for row in sheet[shaped.top : last + 1]:
        end = len(row)
        while end > used and not holds(row[end - 1]):
            end -= 1
        used = max(used, end)
    return used
