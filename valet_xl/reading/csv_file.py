"""CSV files: rows of texts in, and the same rows with columns put in out."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from pathlib import Path

from valet_xl.documents.csv_columns import csv_text
from valet_xl.documents.disk import replace_file
from valet_xl.documents.page import Block, Cell, Page
from valet_xl.errors import FileError, SheetError, ValetError
from valet_xl.reading.delimited import DelimitedText
from valet_xl.reading.formats import Asked, File, Format, SheetFile
from valet_xl.reading.headings import Grid, columns_of
from valet_xl.reading.text_grid import TextGrid

DELIMITERS = (",", ";", "\t", "|")
_BROKEN = re.compile(r"[+-]?\d+([.,])\d+")
_WHOLE_CELLS = "quotation marks in pairs, and cells of at most 131,072 characters expected"


@dataclass(frozen=True)
class CsvFile:
    """The cells of a CSV file, None for an empty one, and how it is written."""

    grid: Sequence[Sequence[str | None]]
    delimiter: str

    @cached_property
    def decimal(self) -> str:
        """The decimal mark of its numbers: a comma where it has decimal commas and no points, else a point."""
        marks = {found[1] for found in map(_BROKEN.fullmatch, self._texts) if found}
        return "," if marks == {","} and self.delimiter != "," else "."

    @property
    def read(self) -> Sequence[Sequence[str | None]]:
        """The cells as they are read: whole numbers without the decimals that a program gave them, `9.0` as `9`."""
        whole = re.compile(rf"([+-]?\d+)\{self.decimal}(?:0{{1,2}}|0{{4,}})")  # with three zeros it may be a thousand
        texts = (text for text in self._texts if text.endswith("0"))
        plain = {text: found[1] for text in texts if (found := whole.fullmatch(text))}
        if isinstance(self.grid, TextGrid):
            return self.grid.reading(plain)
        return [[plain.get(cell, cell) if cell else cell for cell in row] for row in self.grid]

    @cached_property
    def _texts(self) -> set[str]:
        """The different cells, without the empty one."""
        if isinstance(self.grid, TextGrid):
            return self.grid.texts()
        return {cell for row in self.grid for cell in row if cell}

    @classmethod
    def parse(cls, data: bytes) -> CsvFile:
        """Read a CSV file in UTF-8, with commas, semicolons, tabs or bars, whichever gives the most columns known.

        Raises
        ------
        FileError : where with every delimiter a quote is out of place, or a cell longer than 131,072 characters
        SheetError : where no delimiter gives a heading row
        """
        from valet_xl.reading.shapes import take_shape  # noqa: PLC0415 - all shapes of sheets, which writing needs not

        found: list[tuple[int, CsvFile]] = []
        refusals: dict[str, SheetError] = {}
        damages: dict[str, FileError] = {}
        there = [delimiter for delimiter in DELIMITERS if delimiter.encode() in data]
        for delimiter in (*there, *(each for each in DELIMITERS if each not in there)):
            if found and delimiter not in there:  # a table has two columns or more
                break
            rows, damage = _rows(data, delimiter)
            try:
                table = take_shape(rows).table
            except SheetError as error:
                refusals[delimiter] = error
                continue
            if damage:
                damages[delimiter] = damage
            else:
                found.append((len(columns_of(table.cells[table.top])), cls(rows, delimiter)))
        if found:
            return max(found, key=lambda candidate: candidate[0])[1]
        wrong: Mapping[str, ValetError] = damages or refusals
        in_order = [wrong[delimiter] for delimiter in DELIMITERS if delimiter in wrong]
        raise in_order[0] if damages else max(in_order, key=lambda error: len(str(error)))


def _rows(data: bytes, delimiter: str) -> tuple[Sequence[Sequence[str | None]], FileError | None]:
    """The rows of cells, and what is damaged. Without quotes they are objects only when somebody asks for them."""
    if b'"' not in data:
        plain = DelimitedText.of(data.replace(b"\r\n", b"\n").replace(b"\r", b"\n"), delimiter)
        if not plain.has_cell_above(csv.field_size_limit()):
            return TextGrid(plain, delimiter), None
    text = data.decode("utf-8", "surrogatepass")
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter, strict=True)
    rows: list[list[str | None]] = []
    try:
        rows.extend([cell or None for cell in row] for row in reader)
    except csv.Error:
        return rows, FileError(f"not a CSV file: line {reader.line_num} ({_WHOLE_CELLS})")
    return rows, None


def write_csv(rows: Iterable[Sequence[object]], delimiter: str = ",", decimal: str = ".") -> bytes:
    """The bytes of a CSV file, UTF-8 with a mark so that spreadsheets know it; numbers with six decimals.

    Whole numbers stay whole, None is empty, texts are written as they are.
    """
    out = io.BytesIO()
    text = io.TextIOWrapper(out, "utf-8-sig", newline="")
    writer = csv.writer(text, delimiter=delimiter, lineterminator="\r\n")
    writer.writerows([csv_text(cell, decimal) for cell in row] for row in rows)
    text.flush()
    return out.getvalue()


def with_block(rows: Sequence[Sequence[object]], block: Block) -> Iterator[list[object]]:
    """Rows of cells with a block's cells in their place, and what was right of an earlier block behind them."""
    for at, row in enumerate(rows):
        under = at - block.top - 1
        if under < -1 or under >= len(block.columns[0].cells):
            yield list(row)
            continue
        cells = (column.name if under == -1 else column.cells[under] for column in block.columns)
        before = [*row[: block.left], *[None] * (block.left - len(row))]
        new = [harmless(cell) if isinstance(cell, str) else cell for cell in cells]
        yield [*before, *new, *row[block.left + block.replaces :]]


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


def _is_text(file: File) -> bool:
    return file.is_text


def _read(file: File, _: Asked) -> SheetFile:
    table = CsvFile.parse(file.decoded.utf_8)
    return SheetFile(Page(table.read), partial(_write, table.grid, table.delimiter, table.decimal), "", file.encoding)


def csv_table(rows: Sequence[Sequence[Cell]]) -> SheetFile:
    """Rows of cells that become a CSV file, with no text in them that a spreadsheet would take for a formula."""
    grid = [[harmless(cell) if isinstance(cell, str) else cell for cell in row] for row in rows]
    return SheetFile(Page(grid), partial(_write, grid, ",", "."))


def _write(grid: Grid, delimiter: str, decimal: str, block: Block, target: Path) -> None:
    replace_file(target, write_csv(with_block(grid, block), delimiter, decimal))


FORMAT = Format("CSV", "a CSV file", (".csv",), _is_text, _read)
