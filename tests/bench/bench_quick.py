"""A look at what people wait for, in seconds: python -m tests.bench.bench_quick, and tests.bench.history in CI.

What a commit lacks is left out, so that it can be compared with its parent.
"""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

from tests.bench.timing import Task, report
from tests.simulate import tournament, valet_text

BOARDS, TABLES = 170, 36


def ranking(lines: str, cloud: bool) -> Callable[[], object]:
    """From Valet text to the table of pairs."""
    from valet_xl.engine.options import Options
    from valet_xl.rankings.totals import totals
    from valet_xl.reading.valet_text import read_scores

    def run() -> object:
        return totals(read_scores(lines), Options(cloud=cloud)).pairs.sorted()

    return run


def reading(lines: str, folder: Path, delimiter: str) -> Callable[[], object]:
    """A file of delimited text, read."""
    from valet_xl.reading.files import read_results

    heading = "Round|Board|N|E|S|W|Contract|Declarer|Tricks|Lead\n" if delimiter != "|" else ""
    path = folder / ("results.csv" if heading else "scores.txt")
    path.write_text((heading + lines).replace("|", delimiter), encoding="utf-8")
    return lambda: read_results(path)


def parts(cloud: bool) -> Callable[[], object]:
    """The parts of results, from arrays."""
    from valet_xl import cross_imps, valet

    results = tournament(24, 1_000)
    return lambda: (cross_imps(results.score, boards=results.board), valet(results, cloud=cloud))


def workbook(folder: Path) -> Callable[[], object]:
    """A workbook read, scored and written."""
    from tests.bench import bench_workbook
    from valet_xl.sheets.score_file import score_file

    path = folder / "results.xlsx"
    bench_workbook.workbook(path, 2_000, 100)
    return lambda: score_file(path, folder / "scored.xlsx")


def solved() -> Callable[[], object]:
    """The strengths of all pairs."""
    from valet_xl.rankings.simulate import simulate
    from valet_xl.rankings.strength import strengths

    results = simulate(pairs=40, rounds=13, boards=4, movement="mitchell").results
    return lambda: strengths(results)


def formulas() -> Callable[[], object]:
    """A worksheet function, call after call."""
    from valet_xl.functions.catalogue import REGISTRY

    column = [[score] for score in (1460.0, *[1430.0] * 8, 690.0, *[680.0] * 11, 660.0)]
    return lambda: [REGISTRY["VALET_IAF"](column) for _ in range(300)]


def tasks() -> Iterator[Task]:
    """Those that can be prepared."""
    lines = valet_text(tournament(BOARDS, TABLES, seed=1))
    size = f"{BOARDS * TABLES:,} results"
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for what, prepare in {
            f"Valet text of {size} to the table of pairs, plain": lambda: ranking(lines, False),
            f"Valet text of {size} to the table of pairs, cloud": lambda: ranking(lines, True),
            f"Valet text of {size} read": lambda: reading(lines, folder, "|"),
            f"CSV of {size} read": lambda: reading(lines, folder, ","),
            "IAF and components of 24,000 results, plain": lambda: parts(False),
            "IAF and components of 24,000 results, cloud": lambda: parts(True),
            "a workbook of 2,000 rows read, scored and written": lambda: workbook(folder),
            "strengths of 40 pairs": solved,
            "300 times VALET_IAF of 22 cells": formulas,
        }.items():
            try:
                run = prepare()
                run()
            except (ImportError, AttributeError, TypeError, KeyError) as error:
                yield Task(what, run=lambda error=error: error, runs=0)
                continue
            yield Task(what, run, runs=9)


if __name__ == "__main__":
    report(tasks())
