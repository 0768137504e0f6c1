"""Files of 400,000 results against the Valet program: python -m tests.bench.bench_bulk [PROGRAM [FOLDER]]

PROGRAM is the Valet program, if there is one, and FOLDER has a scores.txt and its names.txt; without it a simulated
event is used. Whole processes run in turns, and the medians of their processor time count. Each of ours ranks all
pairs, with standard errors, into a CSV file. Without the program its recorded time is used, in multiples of a fixed
piece of work.
"""

from __future__ import annotations

import os
import statistics
import sys
import tempfile
from collections.abc import Callable, Iterable
from pathlib import Path

import numpy as np

from tests.bench.timing import process, processor_time, show
from tests.simulate import tournament
from valet_xl import cross_imps, valet
from valet_xl.documents.text import decode
from valet_xl.rankings.simulate import simulate
from valet_xl.rankings.totals import totals
from valet_xl.reading.valet_text import read_names, read_scores

TURNS = 5
PROGRAM = {"Valet program, plain": ["-l", "-x"], "Valet program, cloud": ["-l"]}
TEXT, CSV = "Valet text", "CSV"
HEADING = "Round,Board,N,E,S,W,Contract,Declarer,Tricks,Lead"
SORTED = 4_000_000  # numbers, the fixed piece of work
# The program's processor time over that work's, for the 408,639 results of its own distribution (g++ 12 -O3, 2026).
RECORDED = {"Valet program, plain": 2.4, "Valet program, cloud": 5.9}


def sorted_numbers() -> tuple[float, float]:
    """The fixed piece of work: random numbers put in order by numpy, without its vector instructions."""
    numbers = np.random.default_rng(1).permutation(SORTED)
    start = processor_time()
    numbers.argsort(kind="stable")
    return processor_time() - start, 0.0


def table_of_pairs(folder: Path) -> tuple[float, float]:
    """From text to the table of pairs, plain, without starting Python and writing a ranking."""
    start = processor_time()
    names = read_names(decode((folder / "names.txt").read_bytes()))
    totals(read_scores(decode((folder / "scores.txt").read_bytes()), names)).pairs.sorted()
    return processor_time() - start, 0.0


def as_csv(folder: Path) -> Path:
    """The results of a folder as a CSV file with the players' names."""
    names = read_names(decode((folder / "names.txt").read_bytes()))
    path = folder / "scores.csv"
    with path.open("w", encoding="utf-8") as out:
        print(HEADING, file=out)
        for line in decode((folder / "scores.txt").read_bytes()).splitlines():
            cells = line.split("|")
            print(",".join([*cells[:2], *(names.get(tag, tag) for tag in cells[2:6]), *cells[6:]]), file=out)
    return path


def in_turns(works: dict[str, Callable[[], tuple[float, float]]]) -> dict[str, tuple[float, float]]:
    """The median time and the most memory of each."""
    found: dict[str, list[tuple[float, float]]] = {name: [] for name in works}
    for turn in range(TURNS + 1):
        for name, work in works.items():
            measured = work()
            found[name] += [measured] if turn else []  # the first compiles the modules
    return {
        name: (statistics.median(took for took, _ in of), max(memory for _, memory in of)) for name, of in found.items()
    }


def files(folder: Path, program: str | None) -> None:
    """Files of results, ours and the program's."""
    ours = [sys.executable, "-m", "valet_xl", "rank", "--output", str(folder / "ranking.csv")]
    csv = as_csv(folder)
    commands = {
        f"{kind} ranked, {mode}": [*ours, *more, str(path)]
        for kind, path in ((TEXT, folder / "scores.txt"), (CSV, csv))
        for mode, more in (("plain", []), ("cloud", ["--cloud"]))
    }
    environment = {**os.environ, "PYTHONPYCACHEPREFIX": str(folder / "compiled")}  # where Python finds its modules
    environment.pop("PYTHONDONTWRITEBYTECODE", None)
    works = {name: lambda command=command: process(command, environment) for name, command in commands.items()}
    if program is not None:
        for name, more in PROGRAM.items():
            command = [program, *more, "-f", "csv", "-d", str(folder)]
            works[name] = lambda command=command: process(command, good=(0, 1))  # 1: some boards were not scored
    works["from text to the table of pairs, in this process"] = lambda: table_of_pairs(folder)
    works["fixed work"] = sorted_numbers
    took = in_turns(works)
    fixed = took["fixed work"][0]
    for name, (seconds, memory) in took.items():
        show(name, f"{seconds:.2f} s", f"{seconds / fixed:.1f} x the fixed work; {memory:.0f} MB")
    programs = {name: took[name][0] if program else RECORDED[name] * fixed for name in PROGRAM}
    for mode, target in (("plain", 1.0), ("cloud", 0.4)):
        ratio = took[f"{TEXT} ranked, {mode}"][0] / programs[f"Valet program, {mode}"]
        show(f"{TEXT} ranked over the program, {mode}", f"{ratio:.2f} x", f"at most {target} x")
        ratio = took[f"{CSV} ranked, {mode}"][0] / took[f"{TEXT} ranked, {mode}"][0]
        show(f"{CSV} over {TEXT}, {mode}", f"{ratio:.2f} x", "at most 1.3 x")


def engine(tables: Iterable[int] = (50, 500, 5_000, 50_000)) -> None:
    """The engine against `np.unique` of board and score with its inverse, and what a result costs."""
    for size in tables:
        boards = 24 if size < 50_000 else 4
        results = tournament(boards, size)
        keys = results.board * 20_000 + (results.score.astype(np.int64) + 8_000)
        works: dict[str, Callable[[], object]] = {"unique": lambda keys=keys: np.unique(keys, return_inverse=True)}
        for mode, cloud in (("plain", False), ("cloud", True)):
            works[mode] = lambda results=results, cloud=cloud: (
                cross_imps(results.score, boards=results.board),
                valet(results, cloud=cloud),
            )
        took = dict.fromkeys(works, float("inf"))
        for _ in range(9):
            for name, work in works.items():
                start = processor_time()
                work()
                took[name] = min(took[name], processor_time() - start)
        for mode in ("plain", "cloud"):
            name = f"IAF and components, {size:,} tables on {boards} boards, {mode}"
            ratio = f"{took[mode] / took['unique']:.1f} x np.unique"
            show(name, f"{1e6 * took[mode] / len(results):.2f} us a result", f"{ratio}; at most 8 x from 5,000 tables")


def main(arguments: list[str]) -> None:
    """Print times and ratios."""
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary)
        if len(arguments) > 1:
            for name in ("scores.txt", "names.txt"):
                (folder / name).write_bytes(Path(arguments[1], name).read_bytes())
        else:
            event = simulate(pairs=400, rounds=500, boards=4, movement="round-robin")
            (folder / "scores.txt").write_text(event.valet_text(), encoding="utf-8")
            (folder / "names.txt").write_text(event.names_text(), encoding="utf-8")
        files(folder, arguments[0] if arguments else None)
    engine()


if __name__ == "__main__":
    main(sys.argv[1:])
