"""What the commands say: the progress of long work, what went wrong, and how they end."""

from __future__ import annotations

import os
import sys
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn

import click

from valet_xl.cli.help import Grouped
from valet_xl.errors import ArgumentError, OptionError, RowError, ValetError
from valet_xl.faults import log_fault
from valet_xl.messages import counted, one_line

if TYPE_CHECKING:  # with numpy, which the list of commands does without
    from valet_xl.engine.score_results import Summary
    from valet_xl.reading.source import Source

ALL_SCORED, SOME_NOT_SCORED, UNUSABLE = 0, 1, 2
FAULT = 70  # EX_SOFTWARE of sysexits.h
INTERRUPTED = 130  # as shells count Ctrl-C
BAR_AFTER = 1.0  # seconds that the work may take without a progress bar
SHOWN = 20  # problems that a summary lists


class Command(Grouped):
    """A command of `valet-xl`, which ends with one line on stderr if it cannot do what was asked."""

    def invoke(self, ctx: click.Context) -> Any:
        """Run the command, and exit with 2 after a ValetError and with 70 after a fault of ours, which is logged.

        An output that cannot be written is neither (`main`).
        """
        try:
            return super().invoke(ctx)
        except ValetError as error:
            fail(error)
        except KeyboardInterrupt:
            click.echo("valet-xl: interrupted", err=True)
            end(INTERRUPTED)
        except (click.exceptions.Exit, click.Abort, click.ClickException, OSError):
            raise
        except Exception as error:
            click.echo(f"valet-xl: {log_fault(error, ctx.command_path)}", err=True)
            end(FAULT)


def command(name: str) -> Callable[[Callable[..., Any]], Command]:
    """Make a command of a function: its docstring is the help, and the first paragraph says what the list says."""
    return click.command(name, cls=Command)


def end(status: int) -> NoReturn:
    """End the command with an exit status."""
    raise click.exceptions.Exit(status) from None


def fail(error: ValetError, file: Path | None = None, output: Path | None = None) -> NoReturn:
    """One line on stderr, and the exit status for what could not be used.

    file : the file that is named where the error does not name it; an error about options has nothing to do with it
    output : the file to be written, which an error about it begins with
    """
    text = one_line(error)
    named = (file is not None and file.name in text) or (output is not None and text.startswith(f"{output}: "))
    of_file = file is not None and not isinstance(error, OptionError | ArgumentError) and not named
    click.echo(f"valet-xl: {file}: {text}" if of_file else f"valet-xl: {text}", err=True)
    end(UNUSABLE)


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
    click.echo(f"valet-xl: standard output: not written, {(error.strerror or 'it fails').lower()}", err=True)


@contextmanager
def progress(steps: Sequence[str]) -> Iterator[Callable[[str], None]]:
    """A function that shows each step; on a terminal a bar appears after a second, and goes when all is done."""
    if not sys.stderr.isatty():
        yield lambda name: None
        return
    bar = _Bar(steps)
    timer = threading.Timer(BAR_AFTER, bar.start)
    timer.daemon = True
    timer.start()
    try:
        yield bar.step
    finally:
        timer.cancel()
        timer.join()
        bar.stop()


class _Bar:
    """A bar for work of several steps; its library is loaded when it is to be shown.

    steps : their names
    """

    def __init__(self, steps: Sequence[str]) -> None:
        self._steps = list(steps)
        self._now = self._steps[0]
        self._shown: Any = None
        self._changing = threading.Lock()

    def start(self) -> None:
        """Show it."""
        from rich.console import Console  # noqa: PLC0415
        from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn  # noqa: PLC0415

        columns = TextColumn("{task.description}"), BarColumn(), TimeElapsedColumn()
        with self._changing:
            self._shown = Progress(*columns, console=Console(stderr=True), transient=True)
            self._task = self._shown.add_task("", total=len(self._steps))
            self._update()
            self._shown.start()

    def step(self, name: str) -> None:
        """Say which step begins."""
        with self._changing:
            self._now = name
            self._update()

    def stop(self) -> None:
        """Take it away."""
        if self._shown is not None:
            self._shown.stop()

    def _update(self) -> None:
        if self._shown is not None:
            self._shown.update(self._task, description=self._now, completed=self._steps.index(self._now))


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
