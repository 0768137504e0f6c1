"""What a formula costs in Calc. By hand, from the project's directory: python -m tests.bench.bench_calc

The processor time of LibreOffice is counted, on Linux: 10,000 formulas are computed again, each of a range or cells of
its own, and the formulas take turns. A function of Python that does nothing is what each is compared with.
"""

from __future__ import annotations

import os
import random
import sys
import tempfile
from pathlib import Path

import xlsxwriter

from tests.bench.nothing_in_calc import BACK, NOTHING, build
from valet_xl_calc import install

sys.path.insert(0, str(Path(__file__).parents[1] / "hosts"))
from office import Calc, calc

FORMULAS, CELLS, ROUNDS = 10_000, 22, 4
TARGET = "at most 2 x a function that does nothing"
OF_SCORES = {
    f"{NOTHING}(22 cells): Python does nothing": f"={NOTHING}({{0}})",
    f"{BACK}(22 cells): the cells come back": f"={BACK}({{0}})",
    "SUM and STDEV of 22 cells": "=SUM({0})+STDEV({0})",
    "VALET_IAF": "=VALET_IAF({0})",
    "VALET_BUTLER": "=VALET_BUTLER({0})",
    "VALET_BUTLER, trimmed, to the nearest 10": '=VALET_BUTLER({0},"trimmed",1,"nearest")',
    "VALET_DATUM": "=VALET_DATUM({0})",
    "VALET_MP": "=VALET_MP({0})",
    "VALET_PAR": "=VALET_PAR({0})",
}
OF_CELLS = {
    "VALET_IMP of a cell": "=VALET_IMP(A{0})",
    "VALET_VP of a cell and 16 boards": "=VALET_VP(B{0},16)",
    "VALET_SCORE of four cells": "=VALET_SCORE(C{0},D{0},E{0},F{0})",
}


def workbook(path: Path, formula: str, *, of_cells: bool) -> None:
    """A row for each formula: 22 scores, or the cells of a result."""
    draw = random.Random(1)
    with xlsxwriter.Workbook(path) as book:
        sheet = book.add_worksheet("Boards")
        for row in range(FORMULAS):
            if of_cells:
                contract = f"{draw.randint(1, 7)}{draw.choice(['C', 'D', 'H', 'S', 'NT'])}{draw.choice(['', '', 'X'])}"
                made, side = draw.choice(["=", "+1", "-1", "-2"]), draw.choice(["None", "NS", "EW", "Both"])
                cells = [10 * draw.randint(-400, 400), draw.randint(-99, 99), contract, draw.choice("NESW"), made, side]
                sheet.write_row(row, 0, cells[:4])
                sheet.write_string(row, 4, made)
                sheet.write_string(row, 5, side)
                sheet.write_formula(row, 6, formula.format(row + 1))
            else:
                sheet.write_row(row, 0, [float(10 * draw.randint(-140, 140)) for _ in range(CELLS)])
                sheet.write_formula(row, CELLS, formula.format(xlsxwriter.utility.xl_range(row, 0, row, CELLS - 1)))


def processor_time(profile: Path) -> float:
    """What the office with this profile has used, in seconds."""
    for place in Path("/proc").glob("[0-9]*"):
        try:
            command = (place / "cmdline").read_text()
            if "soffice.bin" in command.split("\0")[0] and str(profile) in command:
                fields = (place / "stat").read_text().rsplit(")", 1)[1].split()
                return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
        except OSError:  # it has ended
            continue
    raise SystemExit("no office is running")


def recalculated(host: Calc, profile: Path, path: Path) -> float:
    """The least processor time of some runs, in seconds."""
    host.open(str(path))
    host.recalculate()
    found = []
    for _ in range(3):
        before = processor_time(profile)
        host.recalculate()
        found.append(processor_time(profile) - before)
    return min(found)


def main() -> None:
    """Print a line for each formula."""
    with tempfile.TemporaryDirectory() as folder:
        profile = Path(folder) / "profile"
        extension = Path(folder) / "nothing.oxt"
        extension.write_bytes(build())
        install._asked(install.Office.here(profile), "add", str(extension))
        paths = {}
        for at, (name, formula) in enumerate((OF_SCORES | OF_CELLS).items()):
            paths[name] = Path(folder) / f"{at}.xlsx"
            workbook(paths[name], formula, of_cells=name in OF_CELLS)
        took: dict[str, float] = {}
        with calc(profile) as host:
            for _ in range(ROUNDS):
                for name, path in paths.items():
                    took[name] = min(took.get(name, 1e9), recalculated(host, profile, path))
    nothing = next(iter(took.values()))
    print(f"{FORMULAS:,} formulas, processor time a formula; {TARGET}")
    for name, seconds in took.items():
        print(f"{name:<48}{seconds / FORMULAS * 1e6:8.1f} µs {seconds / nothing:8.2f}")


if __name__ == "__main__":
    main()
