"""New files of results: a workbook of one sheet, or CSV."""

from __future__ import annotations

import datetime
import io
from collections.abc import Sequence
from pathlib import Path

from valet_xl.documents.disk import replace_file
from valet_xl.documents.page import MADE, Block, Value
from valet_xl.documents.text import in_xml
from valet_xl.errors import FileError
from valet_xl.reading.csv_file import csv_table, write_csv

SUFFIXES = (".xlsx", ".csv")
RESULTS = (*SUFFIXES, ".parquet")  # what results are written as where they have no scores
SHEET = "Results"
_MOST_ROWS = 1 << 20  # of a sheet
_WIDEST = 30  # characters


def need_new(target: Path, source: Path, suffixes: Sequence[str] = SUFFIXES) -> None:
    """Make sure that a file is one that can be written, and not the one that is read.

    suffixes : of what can be written

    Raises
    ------
    FileError : where that is not so
    """
    if target.suffix.lower() not in suffixes:
        *most, last = suffixes
        raise FileError(f"{target}: results are written as {', '.join(most)} or {last}")
    if target.exists() and source.exists() and target.samefile(source):
        raise FileError(f"{target}: is the file that is read (another name expected)")


def as_values(cells: Sequence[Sequence[object]]) -> list[list[Value]]:
    """Cells as they are written to a new file, all rows of one length: numbers and texts, dates as 2026-01-31.

    >>> as_values([[2.0, datetime.date(2026, 1, 31)], ["3NT"]])
    [[2, '2026-01-31'], ['3NT', None]]
    """
    width = max(map(len, cells), default=0)
    return [[*map(_value, row), *[None] * (width - len(row))] for row in cells]


def _value(cell: object) -> Value:
    if isinstance(cell, float) and cell.is_integer():
        return int(cell)
    if isinstance(cell, datetime.datetime) and cell.time() == datetime.time():
        return cell.date().isoformat()
    if cell is None or (isinstance(cell, int | float | str) and not isinstance(cell, bool)):
        return cell
    return str(cell)


def write_new(target: Path, grid: Sequence[Sequence[Value]], block: Block | None = None) -> None:
    """Write rows under a heading row to a new file, .xlsx or .csv.

    Parameters
    ----------
    target : the file
    grid : the heading row, and the rows; where there is a block, there may be rows above the heading row
    block : the columns of scores that go right of them

    Raises
    ------
    FileError : where the file cannot be written; nothing is then changed
    """
    if target.suffix.lower() == ".csv":
        table = csv_table(grid)
        if block is not None:
            table.write(block, target)
        else:
            replace_file(target, write_csv(table.page.cells))
    elif block is None:
        replace_file(target, _workbook(grid))
    else:
        from valet_xl.documents.xlsx import Workbook  # noqa: PLC0415 - loaded where a workbook is written

        book = Workbook.of(target, _workbook(grid, block.top))
        book.put(SHEET, block)
        book.save(target)


def _workbook(grid: Sequence[Sequence[Value]], top: int = 0) -> bytes:
    """A workbook of one sheet: the headings, in the row `top`, stay in sight and have filters."""
    import xlsxwriter  # noqa: PLC0415 - loaded where a workbook is written

    if len(grid) > _MOST_ROWS:
        raise FileError(f"{len(grid) - 1 - top:,} results are more than a sheet has rows (write them as .csv)")
    data = io.BytesIO()
    with xlsxwriter.Workbook(data, {"in_memory": True}) as book:
        book.set_properties({"created": MADE})
        page = book.add_worksheet(SHEET)
        heading = book.add_format({"bold": True, "bottom": 1})
        for column, cells in enumerate(zip(*grid[top:], strict=True)):
            width = max((len(str(cell)) for cell in cells if cell is not None), default=0)
            page.set_column(column, column, min(width, _WIDEST) + 3)
        for at, row in enumerate(grid):
            for column, cell in enumerate(row):
                if isinstance(cell, str):
                    page.write_string(at, column, in_xml(cell), heading if at == top else None)
                elif cell is not None:
                    page.write_number(at, column, cell)
        page.freeze_panes(top + 1, 0)
        page.autofilter(top, 0, len(grid) - 1, len(grid[0]) - 1)
    return data.getvalue()
