"""What the engine costs. By hand, from the project's directory: python -m tests.bench.bench_engine

Each figure is the best of several runs; memory is the peak of a process of its own, with what Python and numpy need.
"""

from __future__ import annotations

import resource
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

from tests.simulate import tournament, valet_text
from valet_xl.documents.text import decode
from valet_xl.engine.comparison import cross_imps
from valet_xl.engine.results import Results
from valet_xl.engine.valet import valet
from valet_xl.reading.valet_text import read_names, read_scores

ISTANBUL = Path(__file__).parents[2].parent / "shared" / "data" / "valet" / "2004-Istanbul"
BOARDS, TABLES = 24, 5_000


def seconds(task: Callable[[], object], runs: int = 7) -> float:
    """The best of several runs."""
    times = []
    for _ in range(runs):
        start = time.perf_counter()
        task()
        times.append(time.perf_counter() - start)
    return min(times)


def show(what: str, figure: str, target: str = "") -> None:
    print(f"{what:<72}{figure:>16}  {target}")


def score_all(results: Results, cloud: bool) -> None:
    """Cross-IMPs and all components."""
    cross_imps(results.score, boards=results.board)
    valet(results, cloud=cloud)


def large_fields() -> None:
    results = tournament(BOARDS, TABLES)
    for cloud, target in ((False, "0.3 s"), (True, "0.6 s")):
        took = seconds(lambda cloud=cloud: score_all(results, cloud))
        peak = peak_memory("cloud" if cloud else "plain")
        name = f"IAF and components of {len(results):,} results on {BOARDS} boards, {'cloud' if cloud else 'plain'}"
        show(name, f"{took:.3f} s", f"at most {target}")
        show("    peak memory of a process that does no more", peak, "under 500 MB")


def peak_memory(mode: str) -> str:
    """The peak of a process that simulates and scores the large fields."""
    run = subprocess.run([sys.executable, "-m", __spec__.name, mode], capture_output=True, text=True, check=True)
    return f"{int(run.stdout) / 1024:.0f} MB"


def print_peak(mode: str) -> None:
    """What `peak_memory` runs: the peak in kilobytes."""
    score_all(tournament(BOARDS, TABLES), mode == "cloud")
    print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss)


def cost_of_a_result() -> None:
    for cloud in (False, True):
        for tables in (50, 500, 5_000):
            results = tournament(BOARDS, tables)
            took = seconds(lambda results=results, cloud=cloud: score_all(results, cloud))
            name = f"cost of a result, {tables:,} tables on {BOARDS} boards, {'cloud' if cloud else 'plain'}"
            show(name, f"{1e6 * took / len(results):.2f} us", "falling")


def one_board() -> None:
    scores = [1460] + [1430] * 8 + [690] + [680] * 11 + [660]
    cells = [[score] for score in scores]
    calls = 2_000

    def from_list_to_list() -> None:
        for _ in range(calls):
            cross_imps(cells).tolist()

    took = seconds(from_list_to_list) / calls
    show("cross-IMPs of 22 scores, from a list to a list", f"{1e6 * took:.0f} us", "at most 100 us")


def a_tournament() -> None:
    text = valet_text(tournament(340, [72] * 332 + [71] * 8, seed=1))
    for cloud in (False, True):
        mode = "cloud" if cloud else "plain"
        took = seconds(lambda cloud=cloud: valet(read_scores(text), cloud=cloud))
        show(f"Valet text of 24,472 simulated results to components, {mode}", f"{took:.3f} s", "at most 0.25 s")
        if ISTANBUL.is_dir():
            took = seconds(lambda cloud=cloud: from_files(cloud))
            show(f"files of Istanbul 2004, 24,472 results, to components, {mode}", f"{took:.3f} s", "at most 0.25 s")


def from_files(cloud: bool) -> None:
    names = read_names(decode((ISTANBUL / "names.txt").read_bytes()))
    valet(read_scores(decode((ISTANBUL / "scores.txt").read_bytes()), names), cloud=cloud)


def main() -> None:
    if len(sys.argv) > 1:
        print_peak(sys.argv[1])
        return
    for benchmark in (large_fields, cost_of_a_result, one_board, a_tournament):
        benchmark()


if __name__ == "__main__":
    main()
