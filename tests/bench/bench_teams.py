"""What barking and matches cost. By hand, from the project's directory: python -m tests.bench.bench_teams"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from tests.bench.bench_engine import seconds, show
from valet_xl.engine.teams import barking, team_imps


def barking_of(tables: int, boards: int, distinct: int) -> Callable[[], object]:
    """A task: a field whose boards have so many distinct scores, some 10 points apart."""
    scores = np.random.default_rng(1).integers(-distinct // 2, distinct // 2, (boards, tables)) * 10.0
    numbers = np.indices(scores.shape)[0]
    return lambda: barking(scores, boards=numbers)


def main() -> None:
    for tables, distinct, target in ((40, 30, ""), (40, 600, "at most 5 s"), (200, 600, ""), (2000, 30, "")):
        took = seconds(barking_of(tables, 32, distinct), runs=3)
        comparisons = 32 * tables * (tables - 1) * (tables - 2) * (tables - 3) / 2
        name = f"barking, {tables:,} tables x 32 boards, some {distinct} distinct scores, {comparisons:.1e} comparisons"
        show(name, f"{took:.3f} s", target)
    home, away = np.random.default_rng(2).integers(-80, 80, (2, 10_000, 4)) * 10.0
    show(
        "a match of 10,000 boards, four tables each way, all across", f"{seconds(lambda: team_imps(home, away)):.3f} s"
    )


if __name__ == "__main__":
    main()
