"""CSV files: rows of texts in, and the same rows with columns put in out."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Sequence
from dataclasses import dataclass

from valet_xl.errors import FileError, SheetError
from valet_xl.formats.table import find_headings

DELIMITERS = (",", ";", "\t", "|")


@dataclass(frozen=True, slots=True)
class CsvFile:
    """The cells of a CSV file, None for an empty one, and how it is written."""

    grid: list[list[str | None]]
    delimiter: str

    @classmethod
    def parse(cls, text: str) -> CsvFile:
        """Read the text of a CSV file, with commas, semicolons, tabs or bars, whichever gives the most columns known.

        Raises
        ------
        FileError : where a quote is left open, or a cell is longer than 131,072 characters
        SheetError : where no delimiter gives a heading row
        """
        found: list[tuple[int, CsvFile]] = []
        refusals: list[SheetError] = []
        for delimiter in DELIMITERS:
            try:
                reader = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter, strict=True)
                file = cls([[cell or None for cell in row] for row in reader], delimiter)
            except csv.Error as error:
                raise FileError(f"not a CSV file: {error}") from error
            try:
                found.append((len(find_headings(file.grid).columns), file))
            except SheetError as error:
                refusals.append(error)
        if not found:
            raise max(refusals, key=lambda error: len(str(error)))
        return max(found, key=lambda candidate: candidate[0])[1]


def write_csv(rows: Sequence[Sequence[object]], delimiter: str = ",") -> bytes:
    """The bytes of a CSV file, UTF-8 with a mark so that spreadsheets know it; numbers with six decimals.

    Whole numbers stay whole, None is empty, texts are written as they are.
    """
    out = io.StringIO(newline="")
    writer = csv.writer(out, delimiter=delimiter, lineterminator="\r\n")
    writer.writerows([_csv_text(cell) for cell in row] for row in rows)
    return out.getvalue().encode("utf-8-sig")


def harmless(text: str) -> str:
    """A text that a spreadsheet opening the CSV file would take for a formula, with an apostrophe before it.

    >>> harmless("=1+1")
    "'=1+1"
    """
    return f"'{text}" if text[:1] in ("=", "+", "-", "@", "\t", "\r") and not _NUMBER.fullmatch(text) else text


_NUMBER = re.compile(r"[+-]?\d+([.,]\d+)?")


def _csv_text(cell: object) -> str:
    if cell is None:
        return ""
    if isinstance(cell, float):
        return f"{round(cell, 6) + 0.0:.6f}"
    return str(cell)
