"""What the commands say: the progress of long work, what went wrong, and how they end."""

from __future__ import annotations

import os
import sys
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NoReturn

import typer
from rich.console import Console
from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn

from valet_xl.engine.score_results import Summary
from valet_xl.errors import ArgumentError, OptionError, RowError, ValetError
from valet_xl.faults import log_fault
from valet_xl.messages import counted, one_line
from valet_xl.reading.source import Source

ALL_SCORED, SOME_NOT_SCORED, UNUSABLE = 0, 1, 2
FAULT = 70  # EX_SOFTWARE of sysexits.h
BAR_AFTER = 1.0  # seconds that the work may take without a progress bar
SHOWN = 20  # problems that a summary lists


class Command(typer.core.TyperCommand):
    """A command of `valet-xl`, which ends with one line on stderr if it cannot do what was asked."""

    def invoke(self, ctx: Any) -> Any:
        """Run the command, and exit with 2 after a ValetError and with 70 after a fault of ours, which is logged.

        An output that cannot be written is neither (`main`).
        """
        try:
            return super().invoke(ctx)
        except ValetError as error:
            fail(error)
        except (typer.Exit, typer.Abort, OSError):
            raise
        except Exception as error:
            typer.echo(f"valet-xl: {log_fault(error, ctx.command_path)}", err=True)
            raise typer.Exit(FAULT) from None


def fail(error: ValetError, file: Path | None = None, output: Path | None = None) -> NoReturn:
    """One line on stderr, and the exit status for what could not be used.

    file : the file that is named where the error does not name it; an error about options has nothing to do with it
    output : the file to be written, which an error about it begins with
    """
    text = one_line(error)
    named = (file is not None and file.name in text) or (output is not None and text.startswith(f"{output}: "))
    of_file = file is not None and not isinstance(error, OptionError | ArgumentError) and not named
    typer.echo(f"valet-xl: {file}: {text}" if of_file else f"valet-xl: {text}", err=True)
    raise typer.Exit(UNUSABLE)


@contextmanager
def after_writing() -> Iterator[None]:
    """Say what was written: a standard output that takes nothing does not change that, nor the exit status."""
    try:
        yield
        sys.stdout.flush()
    except OSError as error:
        give_up_output(error)


def give_up_output(error: OSError) -> None:
    """Say why nothing can be written to standard output, and let nothing more fail there."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())  # what is left must not fail again at the end
    typer.echo(f"valet-xl: standard output: not written, {(error.strerror or 'it fails').lower()}", err=True)


@contextmanager
def progress(steps: Sequence[str]) -> Iterator[Callable[[str], None]]:
    """A function that shows each step; on a terminal a bar appears after a second, and goes when all is done."""
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
    yield from map(one_line, summary.remarks)
    if summary.unplayed:
        yield f"not played: {counted(summary.unplayed, 'row')}"
    yield from summary.doubts
    yield from _some("not scored", summary.unscored, where)
    yield from problem_lines(summary.errors, summary.skipped, where)


def problem_lines(errors: Sequence[RowError], skipped: Sequence[int], where: str = "") -> Iterator[str]:
    """Say what was wrong in rows, and which had no result."""
    yield from _some("cannot be read", [str(error) for error in errors], where)
    if skipped:
        numbers = ", ".join(map(str, skipped[:SHOWN]))
        more = ", ..." if len(skipped) > SHOWN else ""
        where = "it: row" if len(skipped) == 1 else "them: rows"
        yield f"passed over, no result in {where} {numbers}{more}"


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
