"""What scoring a workbook costs. By hand, from the project's directory: python -m tests.bench.bench_workbook"""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from pathlib import Path

import xlsxwriter

from tests.bench.timing import Task, report
from tests.simulate import tournament, valet_text
from valet_xl.engine.options import Options
from valet_xl.functions.catalogue import REGISTRY
from valet_xl.sheets.score_file import score_file

ROWS, BOARDS = 30_000, 300
HEADINGS = ("Round", "Board", "N", "E", "S", "W", "Contract", "By", "Tricks", "Lead")


def workbook(path: Path, rows: int = ROWS, boards: int = BOARDS) -> None:
    """A sheet of results with ten columns, and no other."""
    text = valet_text(tournament(boards, rows // boards, seed=1))
    with xlsxwriter.Workbook(path) as book:
        sheet = book.add_worksheet("Results")
        sheet.write_row(0, 0, HEADINGS)
        for at, line in enumerate(text.splitlines(), start=1):
            cells = line.split("|")
            sheet.write_row(at, 0, [int(cell) if cell.isdigit() else cell for cell in cells])


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
    column = [[score] for score in (1460.0, *[1430.0] * 8, 690.0, *[680.0] * 11, 660.0)]
    iaf, calls = REGISTRY["VALET_IAF"], 1_000
    yield Task("VALET_IAF of a column of 22 cells", lambda: [iaf(column) for _ in range(calls)], calls)


if __name__ == "__main__":
    report(tasks())
