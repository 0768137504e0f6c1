"""What the commands say: the progress of long work, what went wrong, and how they end."""

from __future__ import annotations

import sys
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import NoReturn

import typer
from rich.console import Console
from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn

from valet_xl.engine.scoring import Summary
from valet_xl.errors import RowError, ValetError
from valet_xl.messages import counted
from valet_xl.reading.source import Source

ALL_SCORED, SOME_NOT_SCORED, UNUSABLE = 0, 1, 2
BAR_AFTER = 1.0  # seconds that the work may take without a progress bar
SHOWN = 20  # problems that a summary lists


def fail(error: ValueError, file: Path | None = None) -> NoReturn:
    """One line on stderr, and the exit status for a file that could not be used."""
    text = " ".join(str(error).split())
    where = f"{file}: " if file is not None and isinstance(error, ValetError) and file.name not in text else ""
    typer.echo(f"valet-xl: {where}{text}", err=True)
    raise typer.Exit(UNUSABLE)


@contextmanager
def progress(steps: Sequence[str]) -> Iterator[Callable[[str], None]]:
    """A function to be told each step; on a terminal a bar appears after a second, and goes when all is done."""
    bar = Progress(
        TextColumn("{task.description}"),
        BarColumn(),
        TimeElapsedColumn(),
        console=Console(stderr=True),
        transient=True,
        disable=not sys.stderr.isatty(),
    )
    task = bar.add_task("", total=len(steps))
    timer = threading.Timer(BAR_AFTER, bar.start)
    timer.daemon = True
    timer.start()
    try:
        yield lambda name: bar.update(task, description=name, completed=steps.index(name))
    finally:
        timer.cancel()
        timer.join()
        bar.stop()


def summary_lines(summary: Summary, where: str = "") -> Iterator[str]:
    """Say what was scored, what was not and why.

    where : what is said behind the number of problems that are not listed
    """
    scored = f"scored {summary.scored:,} of {counted(summary.results, 'result')}"
    yield f"{scored} on {counted(summary.boards, 'board')}"
    if summary.rounds:
        other = "same" if summary.rounds == "new" else "new"
        what = "new deals" if summary.rounds == "new" else "the same deals"
        yield f"board numbers that come again in other rounds are {what} (if not: --rounds {other})"
    if summary.unplayed:
        yield f"not played: {counted(summary.unplayed, 'row')}"
    yield from _some("not scored", summary.unscored, where)
    yield from problem_lines(summary.errors, summary.skipped, where)


def problem_lines(errors: Sequence[RowError], skipped: Sequence[int], where: str = "") -> Iterator[str]:
    """Say what was wrong in rows, and which held no result."""
    yield from _some("not understood", [str(error) for error in errors], where)
    if skipped:
        numbers = ", ".join(map(str, skipped[:SHOWN]))
        more = ", ..." if len(skipped) > SHOWN else ""
        yield f"passed over, no result in them: rows {numbers}{more}"


def read_as(source: Source) -> str:
    """What a file was taken for.

    >>> read_as(Source("CSV", {}, [], "row", "Windows-1252"))
    'as CSV in Windows-1252'
    """
    return f"as {source.kind} in {source.encoding}" if source.encoding else f"as {source.kind}"


def _some(title: str, lines: Sequence[str], where: str) -> Iterator[str]:
    for line in lines[:SHOWN]:
        yield f"{title}: {line}"
    if len(lines) > SHOWN:
        yield f"{title}: {len(lines) - SHOWN:,} more{where}"
