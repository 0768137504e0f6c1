"""What a command writes a listing as: a table on the terminal, CSV, or a report."""

from __future__ import annotations

from pathlib import Path

import click

from valet_xl.cli.options import FILES, words
from valet_xl.documents.disk import replace_file
from valet_xl.errors import FileError, one_of
from valet_xl.rankings.listing import Listing
from valet_xl.sheets.listing_file import listing_csv

FORMS = ("table", "csv")
REPORT = "report"

form_option = words(
    "--format", "form", of=FORMS, heading=FILES, says="A table on the terminal, or CSV; else as --output ends."
)


def write_listing(listing: Listing, output: Path | None) -> None:
    """Write a listing as CSV to a file, whole or not at all, or to standard output.

    Raises
    ------
    FileError : where the file cannot be written
    """
    data = listing_csv(listing)
    if output is not None:
        replace_file(output, data)
        return
    click.echo(data.decode("utf-8-sig").replace("\r\n", "\n"), nl=False)


def form_of(form: str | None, output: Path | None, reports: bool = False) -> str:
    """What is to be written: "table", "csv" or "report", as the option says or the output's name ends.

    Raises
    ------
    ValetError : where these do not go together
    """
    if form is not None:
        one_of("format", form, FORMS)
    if output is None:
        return form or "table"
    ending = output.suffix.lower()
    if ending == ".csv" and form in (None, "csv"):
        return "csv"
    if ending == ".xlsx" and form is None and reports:
        return REPORT
    kinds = ".csv or .xlsx" if reports and form is None else "a .csv name and --format csv"
    raise FileError(f"{output}: is not written (expected {kinds})")
