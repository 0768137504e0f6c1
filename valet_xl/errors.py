"""The errors that valet_xl raises: one small family under ValueError."""

from __future__ import annotations

from collections.abc import Collection, Mapping


class ValetError(ValueError):
    """Base of every error that valet_xl raises on purpose; its text is one line for a person to read."""


class NotationError(ValetError):
    """A text that is no contract, seat, result, lead ...

    Parameters
    ----------
    what : what it should have been, such as "contract"
    text : the offending text
    expected : what would have been right, or the limit that it breaks
    """

    def __init__(self, what: str, text: str, expected: str) -> None:
        self.expected = expected
        super().__init__(f"invalid {what}: {shortened(text)!r} ({expected})")


class SheetError(ValetError):
    """A sheet or file as a whole without results that can be read, such as one without a contract column."""


class FileError(ValetError):
    """A file that cannot be read or written: not a workbook, damaged, protected, open elsewhere, no space."""


class RowError(ValetError):
    """One row that cannot be understood: where, what, and what was expected.

    Parameters
    ----------
    row : the row as its owner counts it: 1 is the first row of the sheet or line of the file
    column : the column's heading, or the field's name where there is no heading
    value : the offending cell as text
    expected : what would have been right; `{row}` in it is the number of the other row
    other : another row that has to do with it
    place : the cell, where a row of the sheet has several results; "" else
    """

    def __init__(
        self, row: int, column: str, value: str, expected: str, other: int | None = None, place: str = ""
    ) -> None:
        self.row = row
        self.column = column
        self.value = value
        self.expected = expected if other is None else expected.replace("{row}", str(other))
        self._expected, self._other, self._place = expected, other, place
        where = f"row {row} (cell {place})" if place else f"row {row}"
        super().__init__(f"{where}, {self.note}")

    def at(self, place: str) -> RowError:
        """The same error with the name of its cell."""
        return RowError(self.row, self.column, self.value, self._expected, self._other, place)

    def renumbered(self, rows: Mapping[int, int]) -> RowError:
        """The same error where rows have other numbers.

        rows : the new number of each old one
        """
        other = None if self._other is None else rows[self._other]
        return RowError(rows[self.row], self.column, self.value, self._expected, other, self._place)

    @property
    def note(self) -> str:
        """The error without its row, for a note in the same row."""
        return f"{self.column}: {shortened(self.value)!r} ({self.expected})"


class ArgumentError(ValetError):
    """A value that a function cannot use: it is out of range, or its size does not match that of another."""


class OptionError(ValetError):
    """An option that is none of its words, or options that do not go together."""


def one_of(name: str, given: str, words: Collection[str]) -> None:
    """Refuse an option that is none of its words.

    Raises
    ------
    OptionError : which names the option, the words and what was given

    >>> one_of("lead", "ace", ("suit", "card"))
    Traceback (most recent call last):
    valet_xl.errors.OptionError: lead must be one of suit, card, got 'ace'
    """
    if given not in words:
        raise OptionError(f"{name} must be one of {', '.join(words)}, got {given!r}")


def shortened(text: str) -> str:
    """A text for a message: the first 60 characters, where there are more.

    >>> shortened("4" * 100)
    '444444444444444444444444444444444444444444444444444444444...'
    """
    return text if len(text) <= _LONGEST else f"{text[: _LONGEST - 3]}..."


_LONGEST = 60
