"""The command `valet-xl convert`: a file of results as a results sheet."""

from __future__ import annotations

from pathlib import Path

import click

from valet_xl.cli.help import FILE, argument
from valet_xl.cli.options import names_option, output_option, sheet_option, takes_options
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
from valet_xl.messages import counted
from valet_xl.sheets.convert import convert_file
from valet_xl.sheets.said import problem_lines, read_as

CONVERT_STEPS = ("converting",)


@command("convert")
@argument("file", "A file of results, of any kind that is read.", type=FILE)
@output_option("The file to write, .xlsx, .csv or .parquet; else NAME-results.xlsx.")
@sheet_option
@names_option
@takes_options("result_is", "rounds", "language")
def convert(file: Path, output: Path | None, sheet: str | None, names: Path | None, options: Options) -> None:
    """Write the results of a file as a sheet ready to be scored.

    Exits with 0 if all was read, 1 if some cells could not be, 2 if the file could not be used and nothing was
    written.
    """
    try:
        with progress(CONVERT_STEPS) as step:
            step("converting")
            done = convert_file(file, output, sheet=sheet, names=names, options=options)
    except ValetError as error:
        fail(error, file, output)
    results = done.results
    rows, boards = counted(len(results), "row"), counted(len(results.boards), "board")
    with after_writing():
        click.echo(f"read {rows} on {boards}, {read_as(done.source)}")
        for line in (*results.remarks, *problem_lines(results.errors, results.skipped)):
            click.echo(line)
        click.echo(f"written to {done.written}")
    end(SOME_NOT_SCORED if results.errors else ALL_SCORED)
