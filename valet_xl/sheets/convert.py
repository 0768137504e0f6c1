"""A file of results in any format that is read, written as a results sheet ready to be scored."""

from __future__ import annotations

import io
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from valet_xl.documents.disk import replace_file
from valet_xl.documents.page import Value
from valet_xl.engine.options import Options
from valet_xl.engine.results import Results
from valet_xl.errors import FileError
from valet_xl.reading.csv_file import csv_table, write_csv
from valet_xl.reading.files import read_content
from valet_xl.reading.source import Source
from valet_xl.sheets.list_results import as_grid

SUFFIXES = (".xlsx", ".csv")
_MOST_ROWS = 1 << 20  # of a sheet
_WIDEST = 30  # characters


@dataclass(frozen=True, slots=True)
class Converted:
    """What was read, and the file that was written."""

    source: Source
    results: Results
    written: Path


def convert_file(
    path: Path,
    output: Path | None = None,
    *,
    sheet: str | None = None,
    names: Path | None = None,
    options: Options | None = None,
) -> Converted:
    """Write a file's results as a sheet with one heading row, which reads back to the same results.

    Parameters
    ----------
    path : a file of any format that `read_results` reads
    output : the file to write, .xlsx or .csv; without it `-results.xlsx` is put behind the name
    sheet, names : as in `read_results`
    options : of which `result_is` and `rounds` are used

    Raises
    ------
    FileError, SheetError : as `read_results`, and where the output cannot be written; nothing is then changed
    OptionError : for an unknown option
    """
    target = output or path.with_name(f"{path.stem}-results.xlsx")
    if target.suffix.lower() not in SUFFIXES:
        raise FileError(f"{target}: results are written as {' or '.join(SUFFIXES)}")
    if target.exists() and path.exists() and target.samefile(path):
        raise FileError(f"{target}: is the file that is read (another name expected)")
    content = read_content(path, sheet, names, options or Options())
    grid = as_grid(content.source, content.results)
    replace_file(target, _workbook(grid) if target.suffix.lower() == ".xlsx" else _text(grid))
    return Converted(content.source, content.results, target)


def _text(grid: Sequence[Sequence[Value]]) -> bytes:
    return write_csv(csv_table(grid).page.cells)


def _workbook(grid: Sequence[Sequence[Value]]) -> bytes:
    """A workbook of one sheet: the headings stay in sight, and have filters."""
    import xlsxwriter  # noqa: PLC0415 - loaded where a workbook is written

    if len(grid) > _MOST_ROWS:
        raise FileError(f"{len(grid) - 1:,} results are more than a sheet has rows (write them as .csv)")
    data = io.BytesIO()
    with xlsxwriter.Workbook(data, {"in_memory": True}) as book:
        page = book.add_worksheet("Results")
        heading = book.add_format({"bold": True, "bottom": 1})
        for column, cells in enumerate(zip(*grid, strict=True)):
            width = max(len(str(cell)) for cell in cells if cell is not None)
            page.set_column(column, column, min(width, _WIDEST) + 3)
        for at, row in enumerate(grid):
            for column, cell in enumerate(row):
                if isinstance(cell, str):
                    page.write_string(at, column, cell, heading if at == 0 else None)
                elif cell is not None:
                    page.write_number(at, column, cell)
        page.freeze_panes(1, 0)
        page.autofilter(0, 0, len(grid) - 1, len(grid[0]) - 1)
    return data.getvalue()
