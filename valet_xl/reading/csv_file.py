"""CSV files: rows of texts in, and the same rows with columns put in out."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Sequence
from dataclasses import dataclass

from valet_xl.errors import FileError, SheetError
from valet_xl.reading.headings import find_headings

DELIMITERS = (",", ";", "\t", "|")


@dataclass(frozen=True, slots=True)
class CsvFile:
    """The cells of a CSV file, None for an empty one, and how it is written."""

    grid: list[list[str | None]]
    delimiter: str

    @property
    def decimal(self) -> str:
        """The decimal mark of its numbers: a comma where it has decimal commas and no points, else a point."""
        cells = {cell for row in self.grid for cell in row if cell}
        with_mark = {mark for mark in ",." if any(re.fullmatch(rf"[+-]?\d+\{mark}\d+", cell) for cell in cells)}
        return "," if with_mark == {","} and self.delimiter != "," else "."

    @classmethod
    def parse(cls, text: str) -> CsvFile:
        """Read the text of a CSV file, with commas, semicolons, tabs or bars, whichever gives the most columns known.

        Raises
        ------
        FileError : where with every delimiter a quote is out of place, or a cell longer than 131,072 characters
        SheetError : where no delimiter gives a heading row
        """
        found: list[tuple[int, CsvFile]] = []
        refusals: list[SheetError] = []
        damages: list[FileError] = []
        for delimiter in DELIMITERS:
            reader = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter, strict=True)
            rows: list[list[str | None]] = []
            damage = None
            try:
                rows.extend([cell or None for cell in row] for row in reader)
            except csv.Error as error:
                damage = FileError(f"not a CSV file: line {reader.line_num}, {error}")
            try:
                columns = len(find_headings(rows).columns)
            except SheetError as error:
                refusals.append(error)
            else:
                damages += [damage] if damage else []
                found += [] if damage else [(columns, cls(rows, delimiter))]
        if found:
            return max(found, key=lambda candidate: candidate[0])[1]
        raise damages[0] if damages else max(refusals, key=lambda error: len(str(error)))


def write_csv(rows: Sequence[Sequence[object]], delimiter: str = ",", decimal: str = ".") -> bytes:
    """The bytes of a CSV file, UTF-8 with a mark so that spreadsheets know it; numbers with six decimals.

    Whole numbers stay whole, None is empty, texts are written as they are.
    """
    out = io.StringIO(newline="")
    writer = csv.writer(out, delimiter=delimiter, lineterminator="\r\n")
    writer.writerows([_csv_text(cell, decimal) for cell in row] for row in rows)
    return out.getvalue().encode("utf-8-sig")


def harmless(text: str) -> str:
    """A text that a spreadsheet opening the CSV file would take for a formula, with an apostrophe before it.

    >>> harmless("=1+1")
    "'=1+1"
    """
    return f"'{text}" if text[:1] in ("=", "+", "-", "@", "\t", "\r") and not _NUMBER.fullmatch(text) else text


_NUMBER = re.compile(r"[+-]?\d+([.,]\d+)?")


def _csv_text(cell: object, decimal: str) -> str:
    if cell is None:
        return ""
    if isinstance(cell, float):
        return f"{round(cell, 6) + 0.0:.6f}".replace(".", decimal)
    return str(cell)
