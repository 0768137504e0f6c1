"""The command `valet-xl convert`: a file of results as a results sheet."""

from __future__ import annotations

from pathlib import Path
from typing import NoReturn

import click

from valet_xl.cli.help import argument
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
from valet_xl.documents.parquet import is_place
from valet_xl.engine.options import Options
from valet_xl.errors import FileError, OptionError, ValetError
from valet_xl.messages import counted
from valet_xl.sheets.convert import convert_file
from valet_xl.sheets.new_file import RESULTS
from valet_xl.sheets.said import problem_lines, read_as, some

CONVERT_STEPS = ("converting",)


@command("convert")
@argument(
    "files",
    "A file of results, of any kind that is read. Several, a folder or a pattern are written as Parquet.",
    type=click.Path(),
    nargs=-1,
    required=True,
    metavar="FILE...",
)
@output_option(
    "The file to write, .xlsx, .csv or .parquet; else NAME-results.xlsx. Or a new folder, for a Parquet file of each "
    "event."
)
@sheet_option
@names_option
@takes_options("result_is", "rounds", "language")
def convert(
    files: tuple[str, ...], output: Path | None, sheet: str | None, names: Path | None, options: Options
) -> None:
    """Write the results of a file as a sheet ready to be scored.

    With a folder as the output, each of many files becomes a Parquet file; one of more than a million results becomes
    several. In folders and patterns, what is no file of results is passed over.

    Exits with 0 if all was read, 1 if some cells could not be, 2 if the file could not be used and nothing was
    written.
    """
    if len(files) > 1 or is_place(files[0]) or (output is not None and (output.is_dir() or not output.suffix)):
        _convert_many(files, output, sheet, names, options)
    file = Path(files[0])
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


def _convert_many(
    files: tuple[str, ...], output: Path | None, sheet: str | None, names: Path | None, options: Options
) -> NoReturn:
    """Write files as Parquet files of a folder, say what was read, and end."""
    from valet_xl.sheets.convert_many import convert_many  # noqa: PLC0415 - with what only Parquet needs

    if sheet is not None:
        raise OptionError("--sheet goes with one file alone")
    if output is None or (output.suffix.lower() in RESULTS and not output.is_dir()):
        given = "none was given" if output is None else f"got {output}"
        raise FileError(f"--output: expected the name of a new folder, for a Parquet file of each event ({given})")
    with progress(CONVERT_STEPS) as step:
        done = convert_many(files, output, options, names=names, step=step)
    with after_writing():
        click.echo(f"read {counted(done.results, 'row')} on {counted(done.boards, 'board')}")
        for line in (*some("passed over", done.passed_over), *some("cannot be read", done.error_lines, of=done.errors)):
            click.echo(line)
        click.echo(f"written to {done.written}, {counted(done.files, 'file')}")
    end(SOME_NOT_SCORED if done.errors or done.passed_over else ALL_SCORED)
