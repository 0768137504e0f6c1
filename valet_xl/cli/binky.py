"""The commands `valet-xl binky generate` and `valet-xl binky fit`."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import date
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.progress import BarColumn, Progress, TextColumn

from valet_xl.binky.deals import CHUNK, Done, Job, generate, read_deals
from valet_xl.binky.points import coefficients_text
from valet_xl.binky.quality import report
from valet_xl.cli.terminal import Command, after_writing, fail, progress
from valet_xl.documents.disk import need_places, replace_file
from valet_xl.errors import ValetError
from valet_xl.messages import counted

app = typer.Typer(no_args_is_help=True, help="Binky points: deal and solve hands, and fit the coefficients to them.")

DEFAULT = Job()
SAID_EVERY = 60.0  # seconds between the lines that show the progress if there is no terminal


@app.command("generate", cls=Command)
def binky_generate(
    folder: Annotated[Path, typer.Argument(help="Where the solved deals are kept.")],
    deals: Annotated[int, typer.Option(min=0, help=f"Random deals, rounded up to {CHUNK}s.")] = DEFAULT.deals,
    rare: Annotated[int, typer.Option(min=0, help="Deals for each of the rare patterns.")] = DEFAULT.rare,
    seed: Annotated[int, typer.Option(min=0, help="What the deals are dealt from.")] = DEFAULT.seed,
    processes: Annotated[int, typer.Option(min=0, help="Solvers at the same time; 0: one a core.")] = 0,
) -> None:
    """Deal and solve hands, double dummy; it may be ended at any moment and started again.

    Exits with 0 when all deals are solved, 1 when it was interrupted, 2 if the folder or the solver cannot be used.
    """
    try:
        with _progress_shown() as show:
            generate(folder, Job(seed, deals, rare), processes or os.cpu_count() or 1, show)
    except KeyboardInterrupt:
        typer.echo("valet-xl: interrupted; what is solved is kept, the same command goes on with it", err=True)
        raise typer.Exit(1) from None
    except ValetError as error:
        fail(error, folder)
    with after_writing():
        typer.echo(f"all deals are in {folder}")


@app.command("fit", cls=Command)
def binky_fit(
    data: Annotated[
        Path, typer.Argument(help="The folder of the solved deals; or an .npz file of deals solved elsewhere.")
    ],
    output: Annotated[Path, typer.Option("--output", "-o", help="The file of coefficients to write.")] = Path(
        "binky.json"
    ),
    says: Annotated[Path, typer.Option("--report", help="The report to write.")] = Path("binky-fit.md"),
    others: Annotated[
        Path | None, typer.Option("--check", help="Solved deals that the fit does not use, for the report.")
    ] = None,
    day: Annotated[str, typer.Option("--date", help="The date that the file bears; else today's.")] = "",
) -> None:
    """Fit the coefficients to solved deals; the same deals and date give the same file.

    Exits with 0 when both files are written, 2 if the deals cannot be used or a file cannot be written.
    """
    from valet_xl.binky.fit import FIT_STEPS, fit  # noqa: PLC0415 - scipy is an extra, and slow to load

    need_places(output, says)
    with progress(FIT_STEPS) as step:
        deals = read_deals(data)
        unseen = read_deals(others) if others else None
        fitted = fit(deals, {"date": _date(day)}, step)
        text = report(deals, fitted, unseen)
        replace_file(output, coefficients_text(fitted.coefficients).encode())
        replace_file(says, text.encode())
    with after_writing():
        typer.echo(f"{counted(len(deals), 'deal')}; coefficients written to {output}, report to {says}")


def _date(text: str) -> str:
    """The date as 2026-01-31."""
    try:
        return (date.fromisoformat(text) if text else date.today()).isoformat()
    except ValueError as error:
        raise ValetError(f"date: {text!r} (expected such as 2026-01-31)") from error


@contextmanager
def _progress_shown() -> Iterator[Callable[[Done], None]]:
    """A function that shows how far the solving is: a bar on a terminal, elsewhere a line a minute."""
    if not sys.stderr.isatty():
        said = -SAID_EVERY

        def say(done: Done) -> None:
            nonlocal said
            now = time.monotonic()
            if now - said >= SAID_EVERY or done.deals == done.of:
                typer.echo(_line(done), err=True)
                said = now

        yield say
        return
    with Progress(BarColumn(), TextColumn("{task.description}"), console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task("", total=None)
        yield lambda done: bar.update(task, description=_line(done), completed=done.deals, total=done.of)


def _line(done: Done) -> str:
    """Such as: 1,200 of 118,000 deals, 2.4 a second, 13 h 31 min left.

    >>> _line(Done(1_200, 118_000, 2.4))
    '1,200 of 118,000 deals, 2.4 a second, 13 h 31 min left'
    """
    said = f"{done.deals:,} of {counted(done.of, 'deal')}"
    if done.seconds_left is None:
        return f"{said}, time left not known before the first {CHUNK} are solved" if done.deals < done.of else said
    hours, minutes = divmod(round(done.seconds_left / 60), 60)
    return f"{said}, {done.rate:.1f} a second, {f'{hours} h ' if hours else ''}{minutes} min left"
