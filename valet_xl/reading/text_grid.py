"""A delimited text as a grid of cells, of which a row becomes objects only when somebody asks for it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import overload

import numpy as np

from valet_xl.engine.arrays import Index, number_as_they_come
from valet_xl.reading.columns import CodedColumn
from valet_xl.reading.delimited import DelimitedText, merged

Row = list[str | None]


_FEW = 16  # cells outside some rows, such as a heading's


class TextGrid(Sequence[Row]):
    """Rows of cells, None for an empty one; an empty line is a row without cells.

    Parameters
    ----------
    text : the lines, and where their cells are
    delimiter : what is between them
    instead : what some cells are read as
    """

    def __init__(self, text: DelimitedText, delimiter: str, instead: Mapping[str, str] | None = None) -> None:
        self._text = text
        self._delimiter = delimiter
        self._instead = instead or {}
        self._all: dict[int, CodedColumn] = {}  # the columns of all rows, as they are written
        self._read: dict[tuple[int, int, int], CodedColumn] = {}

    def __len__(self) -> int:
        return len(self._text)

    @overload
    def __getitem__(self, at: int) -> Row: ...
    @overload
    def __getitem__(self, at: slice) -> list[Row]: ...
    def __getitem__(self, at: int | slice) -> Row | list[Row]:
        """A row, or a list of rows."""
        if isinstance(at, slice):
            return [self._row(each) for each in range(len(self))[at]]
        return self._row(range(len(self))[at])

    def _row(self, at: int) -> Row:
        line = self._text.line(at)
        cells = line.split(self._delimiter) if line else []
        return [self._instead.get(cell, cell) or None for cell in cells]

    def reading(self, instead: Mapping[str, str]) -> TextGrid:
        """The same grid in which some cells are read as something else."""
        other = TextGrid(self._text, self._delimiter, instead)
        other._all = self._all
        return other

    def texts(self) -> set[str]:
        """The different cells as they are written, without the empty one."""
        width = int(self._text.delimiters.max(initial=0)) + 1 if len(self) else 0
        return {text for number in range(width) for text in self._column(number).texts} - {""}

    def column(self, number: int, rows: range) -> CodedColumn:
        """The cells of a column in some rows."""
        key = (number, rows.start, rows.stop)
        if key not in self._read:
            texts, index = _of_rows(self._column(number), rows)
            clean = [self._instead.get(text, text).strip() for text in texts]
            self._read[key] = merged(clean, index)
        return self._read[key]

    def starting_with(self, letter: str) -> Index:
        """The rows whose first cell starts with a letter of ASCII."""
        return np.flatnonzero(self._text.starts_with(letter))

    def width(self, rows: range) -> int:
        """How many columns some rows have up to the last cell in which there is something."""
        lines = slice(rows.start, rows.stop)
        for number in range(int(self._text.delimiters[lines].max(initial=-1)), -1, -1):
            column = self._column(number)
            empty = column.texts.index("") if "" in column.texts else -1
            if (column.index[lines] != empty).any():
                return number + 1
        return 0

    def _column(self, number: int) -> CodedColumn:
        """A column of all rows, as it is written."""
        if not self._all:
            width = int(self._text.delimiters.max(initial=0)) + 1
            columns = self._text.columns(np.arange(len(self)), width)
            self._all = dict(enumerate(columns))
        return self._all.get(number) or CodedColumn([""], np.zeros(len(self), dtype=np.intp))


def _of_rows(column: CodedColumn, rows: range) -> tuple[list[str], Index]:
    """The different texts in some rows of a column, as they come, and the place of each row's among them."""
    index = column.index[rows.start : rows.stop]
    if len(index) and len(column.index) - len(index) <= _FEW:
        outside = {*column.index[: rows.start].tolist(), *column.index[rows.stop :].tolist()}
        if not any((index == at).any() for at in outside):  # then the others keep their order
            inside = np.array([at not in outside for at in range(len(column.texts))], dtype=bool)
            number = np.cumsum(inside, dtype=np.intp) - 1
            return [column.texts[at] for at in np.flatnonzero(inside).tolist()], number[index]
    index, first = number_as_they_come(index)
    return [column.texts[at] for at in column.index[rows.start : rows.stop][first].tolist()], index
