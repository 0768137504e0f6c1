"""Names of cells, columns and areas as sheets have them. Rows and columns count from 0."""

from __future__ import annotations

import re
import string
from dataclasses import dataclass
from functools import cache

from valet_xl.errors import FileError

MAX_ROWS = 1_048_576
MAX_COLUMNS = 16_384

_COLUMNS, _ROWS = re.compile(r"\$?[A-Za-z]{1,3}:\$?[A-Za-z]{1,3}"), re.compile(r"\$?[0-9]{1,7}:\$?[0-9]{1,7}")
_NAME = re.compile(r"\$?([A-Za-z]{1,3})\$?([1-9][0-9]{0,6})")


@cache
def column_name(column: int) -> str:
    """A column's letters.

    >>> column_name(0), column_name(27)
    ('A', 'AB')
    """
    before, letter = divmod(column, 26)
    return (column_name(before - 1) if before else "") + string.ascii_uppercase[letter]


def cell_name(row: int, column: int) -> str:
    """A cell's name.

    >>> cell_name(6, 10)
    'K7'
    """
    return f"{column_name(column)}{row + 1}"


def sheet_title(name: str) -> str:
    """A sheet's name in a sentence: in quotation marks, unless it is one word.

    >>> sheet_title("Results"), sheet_title("My sheet")
    ('Results', "'My sheet'")
    """
    return name if re.fullmatch(r"\w+", name) else repr(name)


@cache
def column_of(letters: str) -> int:
    """The column of its letters.

    Raises
    ------
    FileError : for anything but A to XFD

    >>> column_of("AB")
    27
    """
    column = 0
    for letter in letters.upper():
        column = column * 26 + string.ascii_uppercase.find(letter) + 1
    if not re.fullmatch("[A-Za-z]{1,3}", letters) or column > MAX_COLUMNS:
        raise FileError(f"invalid column: {letters!r} (A to XFD expected)")
    return column - 1


def place_of(name: str) -> tuple[int, int]:
    """The row and column of a cell's name.

    Raises
    ------
    FileError : for anything but A1 to XFD1048576

    >>> place_of("K7")
    (6, 10)
    """
    match = _NAME.fullmatch(name)
    if not match or int(match[2]) > MAX_ROWS:
        raise FileError(f"invalid cell name: {name!r} (A1 to XFD1048576 expected)")
    return int(match[2]) - 1, column_of(match[1])


@dataclass(frozen=True, slots=True)
class Area:
    """A rectangle of cells; the last row and the last column belong to it."""

    top: int
    left: int
    bottom: int
    right: int

    @classmethod
    def parse(cls, text: str) -> Area:
        """Read 'B2:K30' or 'B2', or whole columns or rows as 'B:K' or '2:30'.

        Raises
        ------
        FileError : for a text that is neither

        >>> Area.parse("B2:K30")
        Area(top=1, left=1, bottom=29, right=10)
        >>> str(Area.parse("B:B"))
        'B1:B1048576'
        """
        first, _, last = text.partition(":")
        if last and _COLUMNS.fullmatch(text):
            first, last = f"{first}1", f"{last}{MAX_ROWS}"
        elif last and _ROWS.fullmatch(text):
            first, last = f"A{first.strip('$')}", f"XFD{last.strip('$')}"
        (top, left), (bottom, right) = place_of(first), place_of(last or first)
        return cls(top, left, bottom, right)

    def __str__(self) -> str:
        first, last = cell_name(self.top, self.left), cell_name(self.bottom, self.right)
        return first if first == last else f"{first}:{last}"

    @property
    def absolute(self) -> str:
        """Its name as in formulas that are not moved.

        >>> Area(0, 0, 12, 5).absolute
        '$A$1:$F$13'
        """
        return ":".join(
            f"${column_name(column)}${row + 1}" for row, column in ((self.top, self.left), (self.bottom, self.right))
        )

    def meets(self, other: Area) -> bool:
        """Whether two areas have a cell in common."""
        rows = self.top <= other.bottom and other.top <= self.bottom
        return rows and self.left <= other.right and other.left <= self.right

    def union(self, other: Area) -> Area:
        """The smallest area that contains both."""
        top, left = min(self.top, other.top), min(self.left, other.left)
        return Area(top, left, max(self.bottom, other.bottom), max(self.right, other.right))
