"""What the commands say: the progress of long work, what went wrong, and how they end."""

from __future__ import annotations

import os
import sys
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NoReturn

import click

from valet_xl.cli.help import Grouped
from valet_xl.errors import ValetError
from valet_xl.faults import log_fault
from valet_xl.messages import Progress, error_line, unsaid

ALL_SCORED, SOME_NOT_SCORED, UNUSABLE = 0, 1, 2
FAULT = 70  # EX_SOFTWARE of sysexits.h
INTERRUPTED = 130  # as shells count Ctrl-C
BAR_AFTER = 1.0  # seconds that the work may take without a progress bar


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
    click.echo(f"valet-xl: {error_line(error, file, output)}", err=True)
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
def progress(steps: Sequence[str]) -> Iterator[Progress]:
    """What shows each step and how much of it is done: on a terminal a bar that appears after a second, and goes."""
    if not sys.stderr.isatty():
        yield unsaid
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
        self._now, self._done = self._steps[0], 0.0
        self._shown: Any = None
        self._changing = threading.Lock()

    def start(self) -> None:
        """Show it."""
        from rich.console import Console  # noqa: PLC0415
        from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn  # noqa: PLC0415

        columns = TextColumn("{task.description}", markup=False), BarColumn(), TimeElapsedColumn()
        with self._changing:
            self._shown = Progress(*columns, console=Console(stderr=True), transient=True)
            self._task = self._shown.add_task("", total=len(self._steps))
            self._update()
            self._shown.start()

    def step(self, text: str, done: float = 0.0, /) -> None:
        """Say what is done now, and how much of the step that the text begins with is done."""
        with self._changing:
            self._now, self._done = text, done
            self._update()

    def stop(self) -> None:
        """Take it away."""
        if self._shown is not None:
            self._shown.stop()

    def _update(self) -> None:
        if self._shown is not None:
            name = max(filter(self._now.startswith, self._steps), key=len)
            self._shown.update(self._task, description=self._now, completed=self._steps.index(name) + self._done)
