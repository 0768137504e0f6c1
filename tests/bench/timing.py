"""What every benchmark is made of: tasks that are timed, and how their times are shown."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable
from typing import NamedTuple


class Task(NamedTuple):
    """Something to time.

    Attributes
    ----------
    name : what it is, the same in every version of the program
    run : the work, without what prepares it
    per : how many of the things that the name is about one run does
    runs : how often it is run; the best time counts
    target : what the time should be, in words
    """

    name: str
    run: Callable[[], object]
    per: int = 1
    runs: int = 7
    target: str = ""


def seconds(run: Callable[[], object], runs: int = 7) -> float:
    """The best of several runs."""
    times = []
    for _ in range(runs):
        start = time.perf_counter()
        run()
        times.append(time.perf_counter() - start)
    return min(times)


def measured(task: Task) -> float:
    """The seconds that a task takes, per thing."""
    return seconds(task.run, task.runs) / task.per


def time_text(took: float) -> str:
    """A time with a unit that suits it.

    >>> [time_text(took) for took in (1.5, 0.0123, 4.567e-5)]
    ['1.5 s', '12.3 ms', '45.7 us']
    """
    for unit, name in ((1.0, "s"), (1e-3, "ms")):
        if took >= unit:
            return f"{took / unit:.3g} {name}"
    return f"{took * 1e6:.3g} us"


def show(what: str, figure: str, target: str = "") -> None:
    """Print a line."""
    print(f"{what:<72}{figure:>16}  {target}", flush=True)


def report(tasks: Iterable[Task]) -> None:
    """Print a line for each task."""
    for task in tasks:
        show(task.name, time_text(measured(task)), task.target)
