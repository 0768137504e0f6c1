"""What careers and forecasts cost. By hand, from the project's directory: python -m tests.bench.bench_career

Averages as the model has them: a circuit, of whose 3,000 pairs few play in more than 2 of 50 events, and a club, where
most of 200 pairs play in each of 100. Forecasts solve a part of the game once for each event.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

import numpy as np

from tests.bench.timing import Task, report
from valet_xl.rankings.components import Entries, solve

FIELDS = {"3,000 pairs, 50 events of 70": (3000, 50, 70), "200 pairs, 100 events of 120": (200, 100, 120)}


def entries(owners: int, events: int, size: int) -> Entries:
    """Averages of some owners in each event; those with a low number play often."""
    rng = np.random.default_rng(1)
    true = rng.normal(0, 0.35, owners)
    often = 1 / np.arange(10, owners + 10)
    rows = []
    for event in range(events):
        who = rng.choice(owners, size, replace=False, p=often / often.sum())
        chance = 20.0 / rng.integers(50, 300)
        average = true[who] + rng.normal(0, 0.06, size) + rng.normal(0, np.sqrt(chance), size)
        rows.append((who, np.full(size, event), average - average.mean(), np.full(size, chance)))
    return Entries(*(np.concatenate(column) for column in zip(*rows, strict=True)))


def tasks() -> Iterator[Task]:
    """Solving one part of the game, of each field."""
    for name, (owners, events, size) in FIELDS.items():
        made = entries(owners, events, size)
        yield Task(f"{name}: solving", partial(solve, made, owners), runs=3)


if __name__ == "__main__":
    report(tasks())
