"""Tables for people: headings declared once, with how each column looks, for terminal, CSV, report and worksheet."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from valet_xl.engine.arrays import Floats, settled

Value = float | int | str | None

_TURNING = ("LRE", "RLE", "LRO", "RLO", "LRI", "RLI", "FSI")  # marks that reorder the text after them too
NEEDED_ALWAYS = 2  # columns of a greater `need` are details, which not every view has


@dataclass(frozen=True, slots=True)
class Heading:
    """A column's heading and looks.

    name : the text over the column
    says : what is in it, one sentence
    format : a spreadsheet number format: "0", "0.00", "+0.00" ..., or "@" for text
    width : in characters
    need : where there is no room for all columns, those that are needed least go first; 0 stays
    of : of a standard error or a limit, the column that it is of, whose name its own begins with
    """

    name: str
    says: str
    format: str = "0.00"
    width: float = 9.0
    need: int = 0
    of: str = ""


@dataclass(frozen=True, slots=True)
class Listing:
    """A table: columns of cells under headings, None for a blank; all columns are of one length."""

    headings: tuple[Heading, ...]
    columns: tuple[list[Value], ...]

    def __len__(self) -> int:
        return len(self.columns[0]) if self.columns else 0

    @property
    def names(self) -> list[str]:
        """The headings' names."""
        return [heading.name for heading in self.headings]

    @property
    def rows(self) -> list[list[Value]]:
        """The cells row by row."""
        return [list(row) for row in zip(*self.columns, strict=True)]

    def with_heading(self) -> list[list[Value]]:
        """The heading row and the rows under it, as a worksheet function or a CSV file has them."""
        return [list[Value](self.names), *self.rows]

    def only(self, names: Iterable[str]) -> Listing:
        """The columns of these names, in the listing's order."""
        kept = set(names)
        chosen = [at for at, heading in enumerate(self.headings) if heading.name in kept]
        return Listing(tuple(self.headings[at] for at in chosen), tuple(self.columns[at] for at in chosen))

    def take(self, rows: Sequence[int]) -> Listing:
        """These rows, in this order."""
        return Listing(self.headings, tuple([column[row] for row in rows] for column in self.columns))

    def slice(self, start: int, stop: int) -> Listing:
        """The rows from `start` to before `stop`."""
        return Listing(self.headings, tuple(column[start:stop] for column in self.columns))


def joined(listings: Sequence[Listing]) -> Listing:
    """The rows of listings with the same headings, one after the other."""
    columns = zip(*(listing.columns for listing in listings), strict=True)
    return Listing(listings[0].headings, tuple([cell for part in parts for cell in part] for parts in columns))


def numbers(values: Floats | Sequence[float], *, whole: bool = False) -> list[Value]:
    """Numbers as cells, blank where there is none; whole ones as such.

    >>> numbers([1.5, float("nan")]), numbers([9.0], whole=True)
    ([1.5, None], [9])
    """
    array = np.asarray(values, dtype=np.float64)
    blank = ~np.isfinite(array)
    cells = (np.where(blank, 0, array).astype(np.int64) if whole else settled(array)).astype(object)
    cells[blank] = None
    return cells.tolist()


def shown(cell: Value, form: str) -> str:
    """A cell as text, a number with the decimals and the sign that its format asks for.

    >>> shown(1.005, "+0.0"), shown(-0.04, "0.0"), shown(1234, "0"), shown(None, "0")
    ('+1.0', '0.0', '1234', '')
    """
    if cell is None:
        return ""
    if isinstance(cell, str):
        return printable(cell)
    decimals = len(form.partition(".")[2])
    text = f"{round(cell, decimals) + 0.0:.{decimals}f}"  # no negative zero
    return f"+{text}" if form.startswith("+") and float(text) > 0 else text


def printable(text: str) -> str:
    """A text without what would move a cursor, turn a line round or spoil a file.

    That is control characters, halves of characters, U+FFFE and U+FFFF, and marks that reorder all that follows;
    letters that are written from right to left need none.

    >>> printable("A" + chr(27) + "[2J" + chr(10) + "B" + chr(0x202E))
    'A [2J B '
    """
    if text.isprintable():
        return text
    return "".join(" " if _spoils(char) else char for char in text)


def _spoils(char: str) -> bool:
    return (
        char in "\ufffe\uffff"
        or unicodedata.category(char) in ("Cc", "Cs", "Zl", "Zp")
        or unicodedata.bidirectional(char) in _TURNING
    )
