"""What scoring a workbook costs. By hand, from the project's directory: python -m tests.bench.bench_workbook"""

from __future__ import annotations

import tempfile
import zipfile
from collections.abc import Iterator
from itertools import groupby
from pathlib import Path

import xlsxwriter

from tests.bench.timing import Task, report
from tests.simulate import tournament, valet_text
from valet_xl.documents.page import Block, Page
from valet_xl.documents.xlsx import Workbook
from valet_xl.engine.options import Options
from valet_xl.functions.catalogue import REGISTRY
from valet_xl.reading.grid import read_grid
from valet_xl.sheets.score_file import score_file
from valet_xl.sheets.score_sheet import score_reading

ROWS, BOARDS = 30_000, 300
HEADINGS = ("Round", "Board", "N", "E", "S", "W", "Contract", "By", "Tricks", "Lead")


def results(rows: int, boards: int) -> list[list[int | str]]:
    """The cells of a sheet of results, headings first."""
    text = valet_text(tournament(boards, rows // boards, seed=1))
    lines = (line.split("|") for line in text.splitlines())
    return [[*HEADINGS], *([int(cell) if cell.isdigit() else cell for cell in line] for line in lines)]


def workbook(path: Path, rows: int = ROWS, boards: int = BOARDS) -> None:
    """A sheet of results with ten columns, and no other."""
    with xlsxwriter.Workbook(path) as book:
        sheet = book.add_worksheet("Results")
        for at, cells in enumerate(results(rows, boards)):
            sheet.write_row(at, 0, cells)


def spreadsheet(path: Path, rows: int = ROWS, boards: int = BOARDS) -> None:
    """The same sheet as LibreOffice saves it: cells that are alike are written once, and each row to column XFD."""
    from valet_xl.documents.odf.names import NAMES  # earlier commits lack it, and have workbooks all the same

    table = "".join(map(_row, results(rows, boards)))
    content = (
        '<?xml version="1.0" encoding="UTF-8"?>\n<office:document-content '
        + " ".join(f'xmlns:{name}="{uri}"' for name, uri in NAMES.items())
        + ' office:version="1.3"><office:automatic-styles/><office:body><office:spreadsheet><table:table '
        'table:name="Results"><table:table-column table:number-columns-repeated="16384" '
        f'table:default-cell-style-name="Default"/>{table}</table:table></office:spreadsheet></office:body>'
        "</office:document-content>"
    )
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("mimetype", "application/vnd.oasis.opendocument.spreadsheet", zipfile.ZIP_STORED)
        archive.writestr("content.xml", content)


def _row(cells: list[int | str]) -> str:
    written = []
    for cell, alike in groupby(cells):
        count = len([*alike])
        kind = "string" if isinstance(cell, str) else "float"
        repeated = f' table:number-columns-repeated="{count}"' if count > 1 else ""
        value = f' office:value="{cell}"' if isinstance(cell, int) else ""
        attributes = f'{repeated} office:value-type="{kind}"{value} calcext:value-type="{kind}"'
        written.append(f"<table:table-cell{attributes}><text:p>{cell}</text:p></table:table-cell>")
    beyond = f'<table:table-cell table:number-columns-repeated="{16_384 - len(cells)}"/>'
    return f'<table:table-row table:style-name="ro1">{"".join(written)}{beyond}</table:table-row>'


def scores(page: Page, options: Options) -> Block:
    """The columns that scoring writes on a sheet."""
    return score_reading(page.cells, read_grid(page.cells, options, page.tables), options).block


def tasks() -> Iterator[Task]:
    """A workbook scored, scored again, and a board in a worksheet function."""
    with tempfile.TemporaryDirectory() as folder:
        path, scored = Path(folder) / "results.xlsx", Path(folder) / "scored.xlsx"
        workbook(path)
        for mode, options in (("plain", Options()), ("cloud", Options(cloud=True))):
            name = f"workbook of {ROWS:,} rows read, scored and written, {mode}"
            yield Task(name, lambda options=options: score_file(path, scored, options=options), runs=3)
        again = Options(cloud=True)
        yield Task("the same workbook scored again in place", lambda: score_file(scored, scored, options=again), runs=3)
        sheet, sheet_scored = Path(folder) / "results.ods", Path(folder) / "scored.ods"
        spreadsheet(sheet)
        name = f"the same rows in an .ods file read, scored and written, {mode}"
        yield Task(name, lambda: score_file(sheet, sheet_scored, options=again), runs=3)
        yield Task(
            "the same .ods file scored again in place",
            lambda: score_file(sheet_scored, sheet_scored, options=again),
            runs=3,
        )
        # A book that has been read before: what is timed is cutting out and putting in alone.
        books = [Workbook.open(scored) for _ in range(3)]
        block = scores(books[0].read("Results"), again)
        for book in books:
            book.read("Results")
        name = "ten columns of a sheet of 21 MB cut out and put in, in memory"
        yield Task(name, lambda: books.pop().put("Results", block), runs=3)
        yield Task(f"a sheet of {ROWS:,} rows and 10 columns read", lambda: Workbook.open(path).read("Results"), runs=3)
    column = [[score] for score in (1460.0, *[1430.0] * 8, 690.0, *[680.0] * 11, 660.0)]
    iaf, calls = REGISTRY["VALET_IAF"], 1_000
    yield Task("VALET_IAF of a column of 22 cells", lambda: [iaf(column) for _ in range(calls)], calls)


if __name__ == "__main__":
    report(tasks())
