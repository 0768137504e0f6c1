"""A listing as a file: CSV that spreadsheet programs open, with nothing in it that they take for a formula."""

from __future__ import annotations

from valet_xl.documents.csv_columns import csv_lines
from valet_xl.rankings.listing import Listing, printable
from valet_xl.reading.csv_file import harmless, write_csv


def listing_csv(listing: Listing) -> bytes:
    """The bytes of a listing as CSV.

    >>> from valet_xl.rankings.listing import Heading
    >>> listing_csv(Listing((Heading("Pair", "who", "@"),), (["=Ann"],))).decode("utf-8-sig").split()
    ['Pair', "'=Ann"]
    """
    columns = [
        [harmless(printable(cell)) if isinstance(cell, str) else cell for cell in column]
        if str in set(map(type, column))
        else column
        for column in listing.columns
    ]
    return write_csv([listing.names]) + (csv_lines(columns) if columns else b"")
