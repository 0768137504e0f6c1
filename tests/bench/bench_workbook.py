"""What scoring a workbook costs. By hand, from the project's directory: python -m tests.bench.bench_workbook"""

from __future__ import annotations

import tempfile
import time
from pathlib import Path

import xlsxwriter

from tests.bench.bench_engine import seconds
from tests.simulate import tournament, valet_text
from valet_xl.engine.options import Options
from valet_xl.functions.catalogue import REGISTRY
from valet_xl.sheets.score_file import score_file

ROWS, BOARDS = 30_000, 300
HEADINGS = ("Round", "Board", "N", "E", "S", "W", "Contract", "By", "Tricks", "Lead")


def workbook(path: Path) -> None:
    """A sheet of results with ten columns, and no other."""
    text = valet_text(tournament(BOARDS, ROWS // BOARDS, seed=1))
    with xlsxwriter.Workbook(path) as book:
        sheet = book.add_worksheet("Results")
        sheet.write_row(0, 0, HEADINGS)
        for at, line in enumerate(text.splitlines(), start=1):
            cells = line.split("|")
            sheet.write_row(at, 0, [int(cell) if cell.isdigit() else cell for cell in cells])


def main() -> None:
    """Print a line for each figure."""
    with tempfile.TemporaryDirectory() as folder:
        path, scored = Path(folder) / "results.xlsx", Path(folder) / "scored.xlsx"
        workbook(path)
        for options in (Options(), Options(cloud=True)):
            name = "cloud" if options.cloud else "plain"
            started = time.process_time()
            best = seconds(lambda options=options: score_file(path, scored, options=options), runs=5)
            of_processor = (time.process_time() - started) / 5
            print(
                f"workbook of {ROWS:,} rows read, scored and written, {name}: {best:.2f} s ({of_processor:.2f} s CPU)"
            )
        best = seconds(lambda: score_file(scored, scored, options=Options(cloud=True)), runs=5)
        print(f"the same workbook scored again in place: {best:.2f} s")
    column = [[score] for score in (1460.0, *[1430.0] * 8, 690.0, *[680.0] * 11, 660.0)]
    iaf = REGISTRY["VALET_IAF"]
    print(f"VALET_IAF of a column of 22 cells: {seconds(lambda: [iaf(column) for _ in range(1000)]) * 1e3:.0f} us")


if __name__ == "__main__":
    main()
