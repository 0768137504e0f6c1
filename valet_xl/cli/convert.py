"""The command `valet-xl convert`: a file of results as a results sheet."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from valet_xl.cli.options import Names, Sheet, takes_options
from valet_xl.cli.terminal import ALL_SCORED, SOME_NOT_SCORED, after_writing, fail, problem_lines, progress, read_as
from valet_xl.engine.options import Options
from valet_xl.errors import ValetError
from valet_xl.messages import counted
from valet_xl.sheets.convert import convert_file

CONVERT_STEPS = ("converting",)


@takes_options("result_is", "rounds", "language")
def convert(
    file: Annotated[Path, typer.Argument(help="A file of results, of any kind that is read.")],
    output: Annotated[
        Path | None, typer.Option("--output", "-o", help="The file to write, .xlsx or .csv; else NAME-results.xlsx.")
    ] = None,
    sheet: Sheet = None,
    *,
    options: Options,
    names: Names = None,
) -> None:
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
        typer.echo(f"read {rows} on {boards}, {read_as(done.source)}")
        for line in (*results.remarks, *problem_lines(results.errors, results.skipped)):
            typer.echo(line)
        typer.echo(f"written to {done.written}")
    raise typer.Exit(SOME_NOT_SCORED if results.errors else ALL_SCORED)
