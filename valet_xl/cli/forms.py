"""What a command writes a listing as: a table on the terminal, CSV, or a report as a workbook or a page."""

from __future__ import annotations

from pathlib import Path

import click

from valet_xl.cli.options import FILES, words
from valet_xl.documents.disk import replace_file
from valet_xl.errors import FileError, one_of
from valet_xl.rankings.listing import Listing
from valet_xl.sheets.listing_file import listing_csv

FORMS = ("table", "csv")
REPORT, PAGE = "report", "page"

_ENDINGS = {".csv": "csv", ".xlsx": REPORT, ".html": PAGE}

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


def form_of(form: str | None, output: Path | None, *reports: str) -> str:
    """What is to be written: "table", "csv", REPORT or PAGE, as the option says or the output's name ends.

    reports : of REPORT and PAGE those that the command writes

    Raises
    ------
    ValetError : where these do not go together
    """
    if form is not None:
        one_of("format", form, FORMS)
    if output is None:
        return form or "table"
    endings = {ending: kind for ending, kind in _ENDINGS.items() if kind in ("csv", *reports)}
    kind = endings.get(output.suffix.lower())
    if kind is not None and form in (None, kind):
        return kind
    *most, last = endings
    listed = f"{', '.join(most)} or {last}" if most else last
    kinds = listed if form is None and reports else "a .csv name and --format csv"
    raise FileError(f"{output}: is not written (expected {kinds})")
