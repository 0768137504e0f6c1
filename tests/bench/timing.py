"""What every benchmark is made of: tasks that are timed, and how their times are shown."""

from __future__ import annotations

import subprocess
import sys
import time
from collections.abc import Callable, Iterable, Mapping
from typing import NamedTuple

try:
    import resource
except ImportError:  # on Windows, where the processes that are started do not count
    resource = None  # type: ignore[assignment]


class Task(NamedTuple):
    """Something to time.

    Attributes
    ----------
    name : what it is, the same in every version of the program
    run : the work, without what prepares it
    per : how many of the things that the name is about one run does
    runs : how often it is run; the best time counts; 0 where it cannot be run
    target : what the time should be, in words
    """

    name: str
    run: Callable[[], object]
    per: int = 1
    runs: int = 7
    target: str = ""


def seconds(run: Callable[[], object], runs: int = 7) -> float:
    """The least processor time that one of several runs takes."""
    times = []
    for _ in range(runs):
        start = processor_time()
        run()
        times.append(processor_time() - start)
    return min(times)


def processor_time() -> float:
    """The seconds of processor time, user and system, of this process and of those that it started and that ended."""
    if resource is None:
        return time.process_time()
    both = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(each.ru_utime + each.ru_stime for each in both)


def measured(task: Task) -> float:
    """The seconds that a task takes, per thing."""
    return seconds(task.run, task.runs) / task.per


_MEASURED = """
import resource, subprocess, sys
done = subprocess.run(sys.argv[1:], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
used = resource.getrusage(resource.RUSAGE_CHILDREN)
sys.stderr.write(done.stderr)
print(done.returncode, used.ru_utime + used.ru_stime, used.ru_maxrss / 1024)
"""


def process(
    command: list[str], environment: Mapping[str, str] | None = None, good: tuple[int, ...] = (0,)
) -> tuple[float, float]:
    """Seconds of processor time of a process and all that it started, and the memory of the largest of them in MB.

    A small process starts it: Linux counts what the starting one has as memory of the started one.
    """
    start = [sys.executable, "-c", _MEASURED, *command]
    done = subprocess.run(start, capture_output=True, text=True, check=True, env=environment)
    status, took, memory = done.stdout.split()
    if int(status) not in good:
        raise SystemExit(f"{' '.join(command)}: ended with {status}\n{done.stderr}")
    return float(took), float(memory)


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
        show(task.name, time_text(measured(task)) if task.runs else "-", task.target)
