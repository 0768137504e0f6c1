"""What the last commits made slower: python -m tests.bench.history [SECONDS]

The last commit, and the one before the last pause of an hour in the work, run the quick benchmarks in turns
(`tests.bench.compare` says how), for at most so many seconds, 120 without a number; fewer where nothing is slower. So
commits that come together are judged together: the last of them often changes no more than a sentence. What took a
fifth more of the processor's time is printed. It never fails: times on a machine that others use too are no reason to
refuse a commit.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from itertools import pairwise
from pathlib import Path

from tests.bench.compare import ROOT, Times, checked_out, install, line, measure

BENCHMARK = "bench_quick"
SLOWER, TURNS = 1.2, 3
LIMIT = 120.0
PAUSE = 3600  # seconds


def main(arguments: list[str]) -> int:
    """Print all times and ratios, and then what became slower."""
    limit = float(arguments[0]) if arguments else LIMIT
    try:
        before = before_pause(_log())
        if before is None:
            print("benchmarks: this commit has no parent here to be compared with")
            return 0
        both = side_by_side(before, "HEAD", time.monotonic() + limit)
    except (OSError, subprocess.SubprocessError) as error:
        print(f"benchmarks: they could not be run ({error})")
        return 0
    print(f"{'benchmarks, processor time':<72}{before[:10]:>12}{'now':>12}{'ratio':>8}")
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


def before_pause(commits: Sequence[tuple[str, int]]) -> str | None:
    """The last commit before a pause of an hour; the parent if there was no pause, and None if there is no parent.

    commits : hashes and times in seconds, the last commit first

    >>> before_pause([("d", 7400), ("c", 7300), ("b", 100), ("a", 50)])
    'b'
    >>> before_pause([("b", 100), ("a", 50)]), before_pause([("a", 50)])
    ('a', None)
    """
    pairs = list(pairwise(commits))
    paused = (older for (_, later), (older, earlier) in pairs if later - earlier >= PAUSE)
    return next(paused, pairs[0][1][0] if pairs else None)


def _log() -> list[tuple[str, int]]:
    git = ["git", "-C", str(ROOT), "log", "--first-parent", "-500", "--format=%H %ct"]
    lines = subprocess.run(git, capture_output=True, text=True, check=True).stdout.splitlines()
    return [(name, int(time)) for name, time in map(str.split, lines)]


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
