"""New cells of an OpenDocument sheet as XML: the text of a block's cells in each line."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import cast

from valet_xl.documents.markup import escaped
from valet_xl.documents.new_columns import with_looks
from valet_xl.documents.odf.styles import IN_QUOTES, Styles, decimals
from valet_xl.documents.page import TEXT, Block, Column, Value
from valet_xl.documents.text import in_xml

_TAB = "\t"
_CONTROL = re.compile("[\x00-\x08\x0b-\x1f]")


class NewCells:
    """Writes the cells of a block.

    Parameters
    ----------
    block : the columns
    styles : gives the cells' styles
    """

    def __init__(self, block: Block, styles: Styles) -> None:
        self._block, self._styles, self._prefixes = block, styles, styles.prefixes
        self._beyond = max(0, block.replaces - len(block.columns))  # cells of an earlier scoring that had more columns

    def lines(self, bases: Sequence[str]) -> list[bytes]:
        """The text of each line: of the heading row, and of the rows under it.

        bases : (lines,) the style of the cell left of the block
        """
        block, under = self._block, bases[1:]
        headings = [self._look(bases[0], None, column) for column in block.columns]
        looks = {
            base: [self._look(base, column.format, column) for column in block.columns] for base in dict.fromkeys(under)
        }
        texts: list[Iterable[bytes]] = []
        for index, column in enumerate(block.columns):
            heading = headings[index] + self._content(column.name, None)
            cells = [*column.cells, *[None] * (len(under) - len(column.cells))]
            mine = {base: each[index] for base, each in looks.items()}
            texts.append([heading, *(with_looks(cells, self._contents(column, cells), under, mine) if under else ())])
        beyond = self._blank * self._beyond
        return [b"".join(line) + beyond for line in zip(*texts, strict=True)] or [beyond] * len(bases)

    def line(self, under: int, base: str, kept: Mapping[int, bytes]) -> bytes:
        """The text of a line whose cells keep something, such as a comment.

        Parameters
        ----------
        under : how many lines it is under the headings
        base : the style of the cell left of the block
        kept : what is in the cells besides their text, by their places in the block
        """
        cells = []
        for index, column in enumerate(self._block.columns):
            code = column.format if under else None
            value = column.name if not under else column.cells[under - 1] if under <= len(column.cells) else None
            cells.append(self._look(base, code, column) + self._content(value, code, kept.get(index, b"")))
        for index in range(len(self._block.columns), len(self._block.columns) + self._beyond):
            cells.append(self._start + self._content(None, TEXT, kept.get(index, b"")))
        return b"".join(cells)

    @property
    def _start(self) -> bytes:
        return f"<{self._prefixes['table']}table-cell".encode()

    @property
    def _blank(self) -> bytes:
        return self._start + b"/>"

    def _look(self, base: str, code: str | None, column: Column) -> bytes:
        """What a cell begins with; `code` is its number format, None for a heading."""
        look = self._styles.look(base, code, code is None and column.format != TEXT)
        return self._start + f' {self._prefixes["table"]}style-name="{look.translate(IN_QUOTES)}"'.encode()

    def _contents(self, column: Column, cells: Iterable[Value]) -> dict[Value, bytes]:
        """The different cells of a column, without what they begin with."""
        different = dict.fromkeys(cells)
        if set(map(type, different)) == {float} and all(map(math.isfinite, cast("Iterable[float]", different))):
            texts = self._numbers(cast("Iterable[float]", different), column.format)
        else:
            texts = (self._content(value, column.format) for value in different)
        return dict(zip(different, texts, strict=True))

    def _content(self, value: Value, code: str | None, kept: bytes = b"") -> bytes:
        """A cell without what it begins with: its value and text, and what it keeps."""
        end = f"</{self._prefixes['table']}table-cell>".encode()
        if value is None or value == "" or (isinstance(value, float) and math.isnan(value)):
            return b">" + kept + end if kept else b"/>"
        if isinstance(value, str):
            return f"{self._kind('string')}>".encode() + kept + self._paragraphs(value).encode() + end
        (text,) = self._numbers([value], code or "")
        at = text.index(b">") + 1
        return text[:at] + kept + text[at:]

    def _kind(self, kind: str, more: str = "") -> str:
        calc = f' {self._prefixes["calcext"]}value-type="{kind}"' if "calcext" in self._prefixes else ""
        return f' {self._prefixes["office"]}value-type="{kind}"{more}{calc}'

    def _numbers(self, values: Iterable[float], code: str) -> Iterator[bytes]:
        """Numbers as `_content` gives them; quickly, for they are many."""
        start, middle = self._kind("float", f' {self._prefixes["office"]}value="\0"').split("\0")
        middle += f"><{self._prefixes['text']}p>"
        end = f"</{self._prefixes['text']}p></{self._prefixes['table']}table-cell>"
        places = decimals(code)
        for value in values:
            number = value + 0  # turns -0.0 into 0.0
            yield f"{start}{number!r}{middle}{shown(number, places)}{end}".encode()

    def _paragraphs(self, text: str) -> str:
        """A text as paragraphs, with elements for spaces and tabs that XML would not keep."""
        prefix = self._prefixes["text"]
        lines = []
        for line in _CONTROL.sub("\ufffd", in_xml(text).replace("\r\n", "\n")).split("\n"):
            plain = escaped(line)
            plain = re.sub("^ +| +$|(?<= ) +", lambda found: f'<{prefix}s {prefix}c="{len(found[0])}"/>', plain)
            lines.append(f"<{prefix}p>{plain.replace(_TAB, f'<{prefix}tab/>')}</{prefix}p>")
        return "".join(lines)


def shown(value: float, places: int) -> str:
    """A number as its cell shows it.

    >>> shown(-0.001, 2), shown(12.5, 0)
    ('0.00', '13')
    """
    text = f"{value + math.copysign(1e-9, value):.{places}f}"
    return text.lstrip("-") if not text.strip("-0.") else text
