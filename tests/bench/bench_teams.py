"""What barking and matches cost. By hand, from the project's directory: python -m tests.bench.bench_teams"""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np

from tests.bench.timing import Task, report
from valet_xl.engine.teams import barking, team_imps


def barking_of(tables: int, boards: int, distinct: int) -> Callable[[], object]:
    """The work: a field whose boards have so many distinct scores, some 10 points apart."""
    scores = np.random.default_rng(1).integers(-distinct // 2, distinct // 2, (boards, tables)) * 10.0
    numbers = np.indices(scores.shape)[0]
    return lambda: barking(scores, boards=numbers)


def tasks() -> Iterator[Task]:
    """Fields of different sizes, and a match."""
    for tables, distinct, target in ((40, 30, ""), (40, 600, "at most 5 s"), (200, 600, ""), (2000, 30, "")):
        comparisons = 32 * tables * (tables - 1) * (tables - 2) * (tables - 3) / 2
        name = f"barking, {tables:,} tables x 32 boards, some {distinct} distinct scores, {comparisons:.1e} comparisons"
        yield Task(name, barking_of(tables, 32, distinct), runs=3, target=target)
    home, away = np.random.default_rng(2).integers(-80, 80, (2, 10_000, 4)) * 10.0
    yield Task("a match of 10,000 boards, four tables each way, all across", lambda: team_imps(home, away))


if __name__ == "__main__":
    report(tasks())
