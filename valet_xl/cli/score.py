"""The command `valet-xl score`: a sheet or file, scored from start to end."""

from __future__ import annotations

from contextlib import nullcontext
from pathlib import Path
from typing import NoReturn

import click

from valet_xl.cli.help import FILE, argument, option
from valet_xl.cli.options import (
    FILES,
    names_option,
    output_option,
    refuse_beside,
    refuse_workers,
    sheet_option,
    takes_options,
    takes_workers,
)
from valet_xl.cli.terminal import (
    ALL_SCORED,
    SOME_NOT_SCORED,
    after_writing,
    command,
    end,
    fail,
    progress,
)
from valet_xl.documents.parquet import are_parquet
from valet_xl.documents.workers import workers
from valet_xl.engine.options import Options
from valet_xl.errors import ValetError
from valet_xl.messages import counted
from valet_xl.sheets.new_file import SUFFIXES
from valet_xl.sheets.said import columns_line, summary_lines
from valet_xl.sheets.score_file import SCORE_STEPS, Outcome, score_file

PARQUET_STEPS = ("scoring",)


@command("score")
@argument(
    "file",
    "A workbook (.xlsx, .xlsm, .ods), .csv, or another file of results. Of Parquet also a folder, a pattern, or an "
    "address such as s3://bucket/*.parquet.",
    type=click.Path(),
)
@output_option(
    "The scored file to write: a copy of the workbook, or any file's scores as .csv or .xlsx; of several Parquet files "
    "a new folder. Without it a workbook is changed in place, and the scores of another file go to NAME-scored.csv, "
    "those of Parquet to NAME-scored.parquet."
)
@sheet_option
@names_option
@option(
    "--deals",
    type=FILE,
    heading=FILES,
    says="A file with the deals, or the file itself: adds double-dummy tricks, par and what leads cost.",
)
@option(
    "--virtual-table",
    is_flag=True,
    heading=FILES,
    says="With --deals: the double-dummy result counts as half a table in the clouds, for small fields.",
)
@takes_workers("Of several Parquet files: who scores them; with --deals: who solves.")
@takes_options()
def score(
    file: str,
    output: Path | None,
    sheet: str | None,
    names: Path | None,
    deals: Path | None,
    virtual_table: bool,
    engine: str,
    scheduler: str | None,
    processes: int,
    options: Options,
    asked: frozenset[str],
) -> None:
    """Score every result of a sheet or file.

    Parquet files are scored piece by piece into new Parquet files, in memory that does not grow with them.

    Exits with 0 if all was read and scored, 1 if some boards were not scored or some cells could not be read, 2 if
    the file could not be used and nothing was written.
    """
    path = Path(file)
    try:
        if are_parquet([file]) and not (path.is_file() and output and output.suffix.lower() in SUFFIXES):
            refuse_beside(
                {"--deals": deals, "--virtual-table": virtual_table, "--sheet": sheet, "--names": names},
            )
            _score_parquet(file, output, options, engine, scheduler, processes)
        if deals is None:
            refuse_workers(engine, scheduler, processes)
        solvers = nullcontext() if deals is None else workers(engine, scheduler=scheduler, processes=processes)
        with solvers as on, progress(SCORE_STEPS) as step:
            outcome = score_file(
                path,
                output,
                sheet=sheet,
                names=names,
                options=options,
                asked=asked,
                deals=deals,
                virtual_table=virtual_table,
                on=on,
                step=step,
            )
    except ValetError as error:
        fail(error, path, output)
    _print(outcome)
    end(ALL_SCORED if outcome.summary.complete else SOME_NOT_SCORED)


def _score_parquet(
    file: str, output: Path | None, options: Options, engine: str, scheduler: str | None, processes: int
) -> NoReturn:
    """Score Parquet files piece by piece, say what was scored, and end."""
    from valet_xl.sheets.score_parquet import score_parquet  # noqa: PLC0415 - with what only Parquet needs

    with workers(engine, scheduler=scheduler, processes=processes) as on, progress(PARQUET_STEPS) as step:
        done = score_parquet(file, output, options, on=on, step=step)
    with after_writing():
        for line in done.tally.said():
            click.echo(line)
        click.echo(f"written to {done.written}" + (f", {counted(done.files, 'file')}" if done.is_folder else ""))
    end(ALL_SCORED if done.tally.complete else SOME_NOT_SCORED)


def _print(outcome: Outcome) -> None:
    """Say what was scored, what was not and why, and where to look."""
    columns = columns_line(outcome.shape, outcome.read, outcome.unread)
    lines = summary_lines(outcome.summary, " (each has its reason in the column Note)")
    with after_writing():
        for line in (*outcome.taken, *lines, columns, f"written to {outcome.written}, {outcome.place}"):
            click.echo(line)
