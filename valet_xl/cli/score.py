"""The command `valet-xl score`: a sheet or file, scored from start to end."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from valet_xl.cli.help import FILE, argument, option
from valet_xl.cli.options import FILES, names_option, output_option, sheet_option, takes_options
from valet_xl.cli.terminal import (
    ALL_SCORED,
    SOME_NOT_SCORED,
    after_writing,
    command,
    end,
    fail,
    progress,
)
from valet_xl.engine.options import Options
from valet_xl.errors import ValetError
from valet_xl.sheets.said import columns_line, summary_lines
from valet_xl.sheets.score_file import SCORE_STEPS, Outcome, score_file

if TYPE_CHECKING:  # with libraries that are loaded for workbooks alone
    pass


@command("score")
@argument("file", "A workbook (.xlsx, .xlsm, .ods), .csv, or another file of results.", type=FILE)
@output_option(
    "The scored file to write: a copy of the workbook, or any file's scores as .csv or .xlsx. Without it a workbook "
    "is changed in place, and the scores of another file go to NAME-scored.csv."
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
@takes_options()
def score(
    file: Path,
    output: Path | None,
    sheet: str | None,
    names: Path | None,
    deals: Path | None,
    virtual_table: bool,
    options: Options,
    asked: frozenset[str],
) -> None:
    """Score every result of a sheet or file.

    Exits with 0 if all was read and scored, 1 if some boards were not scored or some cells could not be read, 2 if
    the file could not be used and nothing was written.
    """
    try:
        with progress(SCORE_STEPS) as step:
            outcome = score_file(
                file,
                output,
                sheet=sheet,
                names=names,
                options=options,
                asked=asked,
                deals=deals,
                virtual_table=virtual_table,
                step=step,
            )
    except ValetError as error:
        fail(error, file, output)
    _print(outcome)
    end(ALL_SCORED if outcome.summary.complete else SOME_NOT_SCORED)


def _print(outcome: Outcome) -> None:
    """Say what was scored, what was not and why, and where to look."""
    columns = columns_line(outcome.shape, outcome.read, outcome.unread)
    lines = summary_lines(outcome.summary, " (each has its reason in the column Note)")
    with after_writing():
        for line in (*outcome.taken, *lines, columns, f"written to {outcome.written}, {outcome.place}"):
            click.echo(line)
