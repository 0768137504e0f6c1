"""New files of results: a workbook of one sheet, or CSV."""

from __future__ import annotations

import io
from collections.abc import Sequence
from pathlib import Path

from valet_xl.documents.disk import replace_file
from valet_xl.documents.page import Block, Value
from valet_xl.documents.text import in_xml
from valet_xl.errors import FileError
from valet_xl.reading.csv_file import csv_table, write_csv

SUFFIXES = (".xlsx", ".csv")
SHEET = "Results"
_MOST_ROWS = 1 << 20  # of a sheet
_WIDEST = 30  # characters


def need_new(target: Path, source: Path) -> None:
    """Make sure that a file is one that can be written, and not the one that is read.

    Raises
    ------
    FileError : where that is not so
    """
    if target.suffix.lower() not in SUFFIXES:
        raise FileError(f"{target}: results are written as {' or '.join(SUFFIXES)}")
    if target.exists() and source.exists() and target.samefile(source):
        raise FileError(f"{target}: is the file that is read (another name expected)")


def write_new(target: Path, grid: Sequence[Sequence[Value]], block: Block | None = None) -> None:
    """Write rows under one heading row to a new file, .xlsx or .csv.

    Parameters
    ----------
    target : the file
    grid : the heading row, and the rows
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

        book = Workbook.of(target, _workbook(grid))
        book.put(SHEET, block)
        book.save(target)


def _workbook(grid: Sequence[Sequence[Value]]) -> bytes:
    """A workbook of one sheet: the headings stay in sight, and have filters."""
    import xlsxwriter  # noqa: PLC0415 - loaded where a workbook is written

    if len(grid) > _MOST_ROWS:
        raise FileError(f"{len(grid) - 1:,} results are more than a sheet has rows (write them as .csv)")
    data = io.BytesIO()
    with xlsxwriter.Workbook(data, {"in_memory": True}) as book:
        page = book.add_worksheet(SHEET)
        heading = book.add_format({"bold": True, "bottom": 1})
        for column, cells in enumerate(zip(*grid, strict=True)):
            width = max(len(str(cell)) for cell in cells if cell is not None)
            page.set_column(column, column, min(width, _WIDEST) + 3)
        for at, row in enumerate(grid):
            for column, cell in enumerate(row):
                if isinstance(cell, str):
                    page.write_string(at, column, in_xml(cell), heading if at == 0 else None)
                elif cell is not None:
                    page.write_number(at, column, cell)
        page.freeze_panes(1, 0)
        page.autofilter(0, 0, len(grid) - 1, len(grid[0]) - 1)
    return data.getvalue()
