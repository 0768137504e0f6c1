"""What the engine costs. By hand, from the project's directory: python -m tests.bench.bench_engine

Each figure is the best of several runs; memory is the peak of a process of its own, with what Python and numpy need.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

from tests.bench.timing import Task, process, report, show
from tests.simulate import tournament, valet_text
from valet_xl import cross_imps, valet
from valet_xl.documents.text import decode
from valet_xl.engine.results import Results
from valet_xl.reading.valet_text import read_names, read_scores

ISTANBUL = Path(__file__).parents[2].parent / "shared" / "data" / "valet" / "2004-Istanbul"
BOARDS, TABLES = 24, 5_000
MODES = {"plain": False, "cloud": True}


def tasks() -> Iterator[Task]:
    """All that is timed."""
    yield from large_fields()
    yield from one_result()
    yield one_board()
    yield from a_tournament()


def score_all(results: Results, cloud: bool) -> None:
    """Cross-IMPs and all components."""
    cross_imps(results.score, boards=results.board)
    valet(results, cloud=cloud)


def large_fields() -> Iterator[Task]:
    """Boards that thousands of tables play."""
    results = tournament(BOARDS, TABLES)
    for (mode, cloud), target in zip(MODES.items(), ("0.3 s", "0.6 s"), strict=True):
        name = f"IAF and components of {len(results):,} results on {BOARDS} boards, {mode}"
        yield Task(name, lambda cloud=cloud: score_all(results, cloud), target=f"at most {target}")


def one_result() -> Iterator[Task]:
    """A result costs less the more tables play its board."""
    for mode, cloud in MODES.items():
        for tables in (50, 500, 5_000):
            results = tournament(BOARDS, tables)
            name = f"cost of a result, {tables:,} tables on {BOARDS} boards, {mode}"
            yield Task(name, lambda results=results, cloud=cloud: score_all(results, cloud), len(results))


def one_board() -> Task:
    """A board as a worksheet function gets it."""
    cells = [[score] for score in [1460] + [1430] * 8 + [690] + [680] * 11 + [660]]
    calls = 2_000

    def from_list_to_list() -> None:
        for _ in range(calls):
            cross_imps(cells).tolist()

    return Task("cross-IMPs of 22 scores, from a list to a list", from_list_to_list, calls, target="at most 100 us")


def a_tournament() -> Iterator[Task]:
    """The files of a large tournament."""
    text = valet_text(tournament(340, [72] * 332 + [71] * 8, seed=1))
    for mode, cloud in MODES.items():
        name = f"Valet text of 24,472 simulated results to components, {mode}"
        yield Task(name, lambda cloud=cloud: valet(read_scores(text), cloud=cloud), target="at most 0.25 s")
        if ISTANBUL.is_dir():
            name = f"files of Istanbul 2004, 24,472 results, to components, {mode}"
            yield Task(name, lambda cloud=cloud: from_files(cloud), target="at most 0.25 s")


def from_files(cloud: bool) -> None:
    """Read and score a tournament."""
    names = read_names(decode((ISTANBUL / "names.txt").read_bytes()))
    valet(read_scores(decode((ISTANBUL / "scores.txt").read_bytes()), names), cloud=cloud)


def peak_memory(mode: str) -> str:
    """The peak of a process that simulates and scores the large fields."""
    return f"{process([sys.executable, '-m', __spec__.name, mode])[1]:.0f} MB"


def main() -> None:
    """Print a line for each figure; or, with plain or cloud, do what `peak_memory` measures."""
    if len(sys.argv) > 1:
        score_all(tournament(BOARDS, TABLES), MODES[sys.argv[1]])
        return
    report(tasks())
    for mode in MODES:
        show(
            f"peak memory of a process that scores those {BOARDS * TABLES:,} results, {mode}",
            peak_memory(mode),
            "under 500 MB",
        )


if __name__ == "__main__":
    main()
