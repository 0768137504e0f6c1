"""CSV files: rows of texts in, and the same rows with columns put in out."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from valet_xl.documents.disk import replace_file
from valet_xl.documents.page import Block, Cell, Page
from valet_xl.errors import FileError, SheetError
from valet_xl.reading.formats import Asked, File, Format, SheetFile
from valet_xl.reading.headings import Grid, columns_of
from valet_xl.reading.shapes import take_shape

DELIMITERS = (",", ";", "\t", "|")
_WHOLE_CELLS = "quotation marks in pairs, and cells of at most 131,072 characters expected"


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

    @property
    def read(self) -> list[list[str | None]]:
        """The cells as they are read: whole numbers without the decimals that a program gave them, `9.0` as `9`."""
        whole = re.compile(rf"([+-]?\d+)\{self.decimal}(?:0{{1,2}}|0{{4,}})")  # with three zeros it may be a thousand
        texts = {cell for row in self.grid for cell in row if cell and cell.endswith("0")}
        plain: dict[str | None, str] = {text: found[1] for text in texts if (found := whole.fullmatch(text))}
        return [[plain.get(cell, cell) for cell in row] for row in self.grid]

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
            except csv.Error:
                damage = FileError(f"not a CSV file: line {reader.line_num} ({_WHOLE_CELLS})")
            try:
                table = take_shape(rows).table
            except SheetError as error:
                refusals.append(error)
            else:
                damages += [damage] if damage else []
                columns = len(columns_of(table.cells[table.top]))
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


def with_block(rows: Sequence[Sequence[object]], block: Block) -> list[list[object]]:
    """Rows of cells with a block's cells in their place, and what was right of an earlier block behind them."""
    new_rows: list[list[object]] = []
    for at, row in enumerate(rows):
        under = at - block.top - 1
        if under < -1 or under >= len(block.columns[0].cells):
            new_rows.append(list(row))
            continue
        cells = (column.name if under == -1 else column.cells[under] for column in block.columns)
        before = [*row[: block.left], *[None] * (block.left - len(row))]
        new = [harmless(cell) if isinstance(cell, str) else cell for cell in cells]
        new_rows.append([*before, *new, *row[block.left + block.replaces :]])
    return new_rows


def with_numbers(rows: Sequence[Sequence[object]]) -> list[list[object]]:
    """The cells of a CSV file with numbers for texts that are written as such.

    >>> with_numbers([["1", "007", "52,5", "-2", "+1", "3NT"]])
    [[1, '007', 52.5, -2, '+1', '3NT']]
    """
    mark = CsvFile([[cell if isinstance(cell, str) else None for cell in row] for row in rows], ";").decimal
    whole, broken = re.compile(r"-?(0|[1-9]\d{0,14})"), re.compile(rf"-?(0|[1-9]\d{{0,14}})\{mark}\d{{1,9}}")

    def number(cell: object) -> object:
        if isinstance(cell, str) and whole.fullmatch(cell):
            return int(cell)
        return float(cell.replace(",", ".")) if isinstance(cell, str) and broken.fullmatch(cell) else cell

    return [[number(cell) for cell in row] for row in rows]


def harmless(text: str) -> str:
    """A text that a spreadsheet opening the CSV file would take for a formula, with an apostrophe before it.

    >>> harmless("=1+1")
    "'=1+1"
    """
    formula = text[:1] in ("=", "+", "-", "@", "\t", "\r") and text != "=" and not _NUMBER.fullmatch(text)
    return f"'{text}" if formula else text


_NUMBER = re.compile(r"[+-]?\d+([.,]\d+)?")


def _csv_text(cell: object, decimal: str) -> str:
    if cell is None:
        return ""
    if isinstance(cell, float):
        return f"{round(cell, 6) + 0.0:.6f}".replace(".", decimal)
    return str(cell)


def _is_text(file: File) -> bool:
    return file.is_text


def _read(file: File, _: Asked) -> SheetFile:
    table = CsvFile.parse(file.text)
    return SheetFile(Page(table.read), partial(_write, table.grid, table.delimiter, table.decimal), "", file.encoding)


def csv_table(rows: Sequence[Sequence[Cell]]) -> SheetFile:
    """Rows of cells that become a CSV file, with no text in them that a spreadsheet would take for a formula."""
    grid = [[harmless(cell) if isinstance(cell, str) else cell for cell in row] for row in rows]
    return SheetFile(Page(grid), partial(_write, grid, ",", "."))


def _write(grid: Grid, delimiter: str, decimal: str, block: Block, target: Path) -> None:
    replace_file(target, write_csv(with_block(grid, block), delimiter, decimal))


FORMAT = Format("CSV", "a CSV file", (".csv",), _is_text, _read)
