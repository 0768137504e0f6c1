"""New cells of a worksheet as XML: the text of a block's cells in each of its rows."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterable
from typing import cast

from valet_xl.documents.cell_names import column_name
from valet_xl.documents.markup import escaped
from valet_xl.documents.new_columns import with_looks
from valet_xl.documents.ooxml.sheet_data import Whole
from valet_xl.documents.page import TEXT, Block, Column, Value
from valet_xl.errors import FileError

MAX_TEXT = 32_767

# What XML 1.0 cannot contain, a carriage return that it would change, and an underscore that reads as such an escape.
_ESCAPED = re.compile("[\x00-\x08\x0b-\x1f\ud800-\udfff\ufffe\uffff]|_(?=x[0-9A-Fa-f]{4}_)")
_KEEP_SPACE = re.compile(r"\A\s|\s\Z|[\t\n]|  ")

Style = Callable[[int, str | None, bool], int]
"""Gives a cell's style from that of the cell left of the block, a number format (None: a heading), and whether it is a
heading over numbers."""


def plain_text(text: str) -> str:
    r"""Escape what XML cannot contain, as spreadsheets do.

    >>> plain_text("a\x01b _x0041_")
    'a_x0001_b _x005F_x0041_'
    """
    return _ESCAPED.sub(lambda match: f"_x{ord(match[0]):04X}_", text)


class NewCells:
    """Writes the cells of a block.

    Parameters
    ----------
    block : the columns
    prefix : of the names of the part's elements, with the colon
    where : the file and sheet, as messages name them
    """

    def __init__(self, block: Block, prefix: str, where: str) -> None:
        self._block, self._prefix, self._where = block, prefix, where

    def lines(self, bases: list[int], former: Whole, style: Style) -> list[bytes]:
        """The text of each line: of the heading row, and of the rows under it.

        Parameters
        ----------
        bases : (lines,) the style of the cell left of the block
        former : (lines, columns) the style of the cell that was there, -1 where there was none
        style : gives the cells' styles
        """
        block, count = self._block, len(bases)
        under = bases[1:]
        headings = [_look(style(bases[0], None, column.format != TEXT)) for column in block.columns]
        looks = {
            base: [_look(style(base, column.format, False)) for column in block.columns]
            for base in dict.fromkeys(under)
        }
        numbers = [b"%d" % number for number in range(block.top + 1, block.top + count + 1)]
        # What a line is made of, piece by piece: of a column without blanks three, of others whole cells.
        pieces: list[list[bytes]] = []
        for index, column in enumerate(block.columns):
            start = f'<{self._prefix}c r="{column_name(block.left + index)}'.encode()
            look = {base: each[index] for base, each in looks.items()}
            heading = headings[index] + (self._content(column.name, column, index) or b"/>")
            content = self._contents(column, index)
            if len(column.cells) == count - 1 and b"" not in content.values():
                pieces += [[start] * count, numbers, [heading, *with_looks(column.cells, content, under, look)]]
                continue
            cells = [*map(content.__getitem__, column.cells), *[b""] * (count - 1 - len(column.cells))]
            texts = [b""] * count
            texts[0] = start + numbers[0] + heading
            for line, (cell, base, old) in enumerate(zip(cells, under, former[1:, index].tolist(), strict=True), 1):
                # Blank cells too go on with the look of the table, or keep their own.
                if cell or base or old > 0:
                    texts[line] = start + numbers[line] + (look[base] if cell or base else _look(old)) + (cell or b"/>")
            pieces.append(texts)
        return list(map(b"".join, zip(*pieces, strict=True))) or [b""] * count

    def _contents(self, column: Column, index: int) -> dict[Value, bytes]:
        """The different cells of a column without name and look; b"" for no value (None, "" and NaN)."""
        # Boards repeat their values: each is written once.
        different = dict.fromkeys(column.cells)
        kinds = set(map(type, different))
        if kinds == {float} and all(map(math.isfinite, cast("Iterable[float]", different))):
            texts = self._numbers(map(repr, different))
        elif kinds == {int}:
            texts = self._numbers(map(str, different))
        else:
            texts = [self._content(value, column, index) for value in different]
        return dict(zip(different, texts, strict=True))

    def _numbers(self, texts: Iterable[str]) -> list[bytes]:
        """The contents of cells with numbers; all at once, for they are many."""
        start, end = f"><{self._prefix}v>", f"</{self._prefix}v></{self._prefix}c>"
        every = f"{start}{f'{end} {start}'.join(texts)}{end}"
        return every.replace(">-0.0<", ">0.0<").encode().split(b" ")

    def _content(self, value: Value, column: Column, index: int) -> bytes:
        """A cell's value as XML."""
        p = self._prefix
        if value is None or value == "" or (isinstance(value, float) and math.isnan(value)):
            return b""
        if isinstance(value, str):
            if len(value) > MAX_TEXT:
                raise self._refusal(value, column, index, f"{len(value):,} letters (at most {MAX_TEXT:,})")
            space = ' xml:space="preserve"' if _KEEP_SPACE.search(value) else ""
            text = f' t="inlineStr"><{p}is><{p}t{space}>{escaped(plain_text(value))}</{p}t></{p}is></{p}c>'
            return text.encode()
        if math.isinf(value):
            raise self._refusal(value, column, index, f"{value} (a finite number expected)")
        return self._numbers([str(int(value)) if isinstance(value, int) else repr(float(value))])[0]

    def _refusal(self, value: float | str, column: Column, index: int, what: str) -> FileError:
        """The error that names the first cell with a value."""
        line = [column.name, *column.cells].index(value)
        name = f"{column_name(self._block.left + index)}{self._block.top + line + 1}"
        return FileError(f"{self._where}: cell {name} would contain {what}")


def _look(style: int) -> bytes:
    """A cell's style as XML, after the quotation mark that ends its name; 0 is what a cell without it has."""
    return b'" s="%d"' % style if style > 0 else _PLAIN


_PLAIN = b'"'
