"""What a commit made slower: python -m tests.bench.history [SECONDS]

The last commit and its parent run the quick benchmarks in turns (`tests.bench.compare` says how), for at most so many
seconds, 120 without a number; fewer where nothing is slower. What took a fifth more of the processor's time is printed.
It never fails: times on a machine that others use too are no reason to refuse a commit.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
import time
from pathlib import Path

from tests.bench.compare import ROOT, Times, checked_out, install, line, measure

BENCHMARK = "bench_quick"
SLOWER, TURNS = 1.2, 3
LIMIT = 120.0


def main(arguments: list[str]) -> int:
    """Print all times and ratios, and then what became slower."""
    limit = float(arguments[0]) if arguments else LIMIT
    if not _is_there("HEAD^"):
        print("benchmarks: this commit has no parent here to be compared with")
        return 0
    try:
        both = side_by_side("HEAD^", "HEAD", time.monotonic() + limit)
    except (OSError, subprocess.SubprocessError) as error:
        print(f"benchmarks: they could not be run ({error})")
        return 0
    print(f"{'benchmarks, processor time':<72}{'parent':>12}{'commit':>12}{'ratio':>8}")
    for name in dict.fromkeys([*both[0], *both[1]]):
        print(line(name, both[0].get(name), both[1].get(name)))
    slower = slower_ones(*both)
    print(f"slower by a fifth or more: {', '.join(slower) or 'nothing'}", flush=True)
    return 0


def slower_ones(before: Times, after: Times) -> list[str]:
    """The tasks that take a fifth more time, with their ratios.

    >>> slower_ones({"reading": 1.0, "writing": 1.0}, {"reading": 1.5, "writing": 1.1, "ranking": 9.0})
    ['reading (1.50)']
    """
    both = {name: after[name] / before[name] for name in before if name in after and before[name] > 0}
    return [f"{name} ({ratio:.2f})" for name, ratio in both.items() if ratio >= SLOWER]


def side_by_side(before: str, after: str, end: float) -> tuple[Times, Times]:
    """The best times of both commits, in turns, each at least once; more turns, to be sure, where one is slower."""
    best: tuple[Times, Times] = ({}, {})
    with tempfile.TemporaryDirectory() as temporary:
        folders = [Path(temporary, name) for name in ("before", "after")]
        with checked_out(before, folders[0]), checked_out(after, folders[1]):
            pythons = [install(folder) for folder in folders]
            turn, longest = 0, 0.0
            while turn < 1 or (time.monotonic() + longest < end and (turn < TURNS or slower_ones(*best))):
                start = time.monotonic()
                measure(BENCHMARK, pythons, folders, best, turn)
                turn, longest = turn + 1, max(longest, time.monotonic() - start)
    return best


def _is_there(revision: str) -> bool:
    git = ["git", "-C", str(ROOT), "rev-parse", "--quiet", "--verify", f"{revision}^{{commit}}"]
    return subprocess.run(git, capture_output=True, check=False).returncode == 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
