"""The commands `valet-xl binky generate` and `valet-xl binky fit`."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import date
from pathlib import Path

import click

from valet_xl.binky.deals import CHUNK, Done, Job, generate, join_deals, read_deals
from valet_xl.binky.points import KINDS, coefficients_text, read_coefficients
from valet_xl.binky.quality import report
from valet_xl.cli.help import FILE, Group, argument, option
from valet_xl.cli.options import FILES, output_option, words
from valet_xl.cli.terminal import after_writing, command, end, fail, progress
from valet_xl.documents.disk import need_places, replace_file
from valet_xl.documents.workers import ENGINES, refuse_scheduler, workers
from valet_xl.errors import ValetError
from valet_xl.messages import counted

DEFAULT = Job()
SOME_LEFT = 1  # the exit status when it was interrupted
SAID_EVERY = 60.0  # seconds between the lines that show the progress if there is no terminal


@click.group("binky", cls=Group)
def binky() -> None:
    """Solve deals, and fit the coefficients of Binky points to them."""


@command("generate")
@argument("folder", "Where the solved deals are kept.", type=FILE)
@option("--deals", type=click.IntRange(0), default=DEFAULT.deals, says=f"Random deals, rounded up to {CHUNK}s.")
@option("--rare", type=click.IntRange(0), default=DEFAULT.rare, says="Deals for each of the rare patterns.")
@option("--seed", type=click.IntRange(0), default=DEFAULT.seed, says="What the deals are dealt from.")
@option("--processes", type=click.IntRange(0), default=0, says="Solvers at the same time; 0: one per core.")
@words("--engine", of=ENGINES, default="processes", heading="", says="Who deals and solves.")
@option("--scheduler", metavar="ADDRESS", says="Of Dask, such as tcp://10.0.0.1:8786; else workers here.")
def binky_generate(
    folder: Path, deals: int, rare: int, seed: int, processes: int, engine: str, scheduler: str | None
) -> None:
    """Deal and solve hands, double dummy; it may be ended at any moment and started again.

    Exits with 0 when all deals are solved, 1 when it was interrupted, 2 if the folder or the solver cannot be used.
    """
    try:
        with _progress_shown() as show:
            job = Job(seed, deals, rare)
            if engine == "processes":
                refuse_scheduler(scheduler)
                generate(folder, job, processes or os.cpu_count() or 1, show)
            else:
                with workers(engine, scheduler=scheduler, processes=processes) as on:
                    generate(folder, job, on.count, show, on=on)
    except KeyboardInterrupt:
        click.echo("valet-xl: interrupted; what is solved is kept, the same command goes on with it", err=True)
        end(SOME_LEFT)
    except ValetError as error:
        fail(error, folder)
    with after_writing():
        click.echo(f"all deals are in {folder}")


@command("fit")
@argument(
    "data",
    "The folders of the solved deals; or .npz files of deals solved elsewhere.",
    type=FILE,
    nargs=-1,
    required=True,
)
@output_option("The file of coefficients to write.", default=Path("binky.json"))
@option("--report", "says", type=FILE, heading=FILES, default=Path("binky-fit.md"), says="The report to write.")
@option("--check", "others", type=FILE, heading=FILES, says="Solved deals that the fit does not use, for the report.")
@option("--date", "day", heading=FILES, says="The date that the file bears; else today's.")
@option("--keep", type=FILE, heading=FILES, says="Coefficients that are kept: only chances are fitted again.")
@option(
    "--chances", "kinds", type=click.Choice(KINDS), multiple=True, says="With --keep: the kind whose chances these are."
)
def binky_fit(
    data: tuple[Path, ...],
    output: Path,
    says: Path,
    others: Path | None,
    day: str | None,
    keep: Path | None,
    kinds: tuple[str, ...],
) -> None:
    """Fit the coefficients to solved deals; the same deals and date give the same file.

    With --keep, only the chances of the kinds that --chances names are fitted again, and no report is written.

    Exits with 0 when the files are written, 2 if the deals cannot be used or a file cannot be written.
    """
    from valet_xl.binky.fit import FIT_STEPS, fit, fit_chances_again  # noqa: PLC0415 - scipy is slow to load

    if keep:
        need_places(output)
        deals = join_deals([read_deals(path) for path in data])
        places = [KINDS.index(kind) for kind in kinds or KINDS]
        found = fit_chances_again(deals, read_coefficients(keep), places, {"date": _date(day)})
        replace_file(output, coefficients_text(found).encode())
        with after_writing():
            click.echo(f"{counted(len(deals), 'deal')}; coefficients with new chances written to {output}")
        return
    need_places(output, says)
    with progress(FIT_STEPS) as step:
        deals = join_deals([read_deals(path) for path in data])
        unseen = read_deals(others) if others else None
        fitted = fit(deals, {"date": _date(day)}, step)
        text = report(deals, fitted, unseen)
        replace_file(output, coefficients_text(fitted.coefficients).encode())
        replace_file(says, text.encode())
    with after_writing():
        click.echo(f"{counted(len(deals), 'deal')}; coefficients written to {output}, report to {says}")


binky.add_command(binky_generate)
binky.add_command(binky_fit)


def _date(text: str | None) -> str:
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
                click.echo(_line(done), err=True)
                said = now

        yield say
        return
    from rich.console import Console  # noqa: PLC0415 - loaded where there is a terminal
    from rich.progress import BarColumn, Progress, TextColumn  # noqa: PLC0415

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
