"""What a formula costs in Calc. By hand, from the project's directory: python -m tests.bench.bench_calc"""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path

import xlsxwriter

sys.path.insert(0, str(Path(__file__).parents[1] / "hosts"))
from office import Calc, calc

FORMULAS, CELLS = 10_000, 22
SCORES = [1460, *[1430] * 8, 690, *[680] * 11, 660]
TARGET = "at most 1 s"


def workbook(path: Path, formula: str, columns: int = 100) -> None:
    """Columns of scores, and under each of them formulas over it."""
    rows = FORMULAS // columns
    with xlsxwriter.Workbook(path) as book:
        sheet = book.add_worksheet("Boards")
        for column in range(columns):
            sheet.write_column(0, column, [score + 10 * column for score in SCORES])
            for row in range(rows):
                cells = xlsxwriter.utility.xl_range(0, column, CELLS - 1, column)
                sheet.write_formula(CELLS + row, column, formula.format(cells))


def recalculated(host: Calc, path: Path, formula: str, columns: int = 100) -> float:
    """The best of several runs, in seconds."""
    workbook(path, formula, columns)
    host.open(str(path))
    return min(host.recalculate() for _ in range(5))


def main() -> None:
    """Print a line for each figure."""
    with tempfile.TemporaryDirectory() as folder, calc(Path(folder) / "profile") as host:
        path = Path(folder) / "formulas.xlsx"
        took = {
            name: recalculated(host, path, formula, *columns)
            for name, formula, *columns in (
                ("a built-in function, =MEDIAN(A1:A22)", "=MEDIAN({})"),
                ("a built-in array, =SUM(RANK(A1:A22,A1:A22))", "=SUM(RANK({0},{0}))"),
                ("=VALET_IAF(A1:A22), each of another range", "=VALET_IAF({})", 10_000),
                ("=VALET_IAF(A1:A22), 100 formulas a range", "=VALET_IAF({})"),
            )
        }
    for name, seconds in took.items():
        print(f"{FORMULAS:,} formulas recalculated, {name:<48}{seconds:8.2f} s")
    built_in, _, *ours = took.values()
    for about, seconds in zip(("each of another range", "100 formulas a range"), ours, strict=True):
        print(f"{f'more than the built-in function, {about}':<72}{seconds - built_in:8.2f} s  {TARGET}")


if __name__ == "__main__":
    main()
