"""Columns of cells as texts, each distinct text read once, and the errors found in them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from valet_xl.engine.arrays import Index, Mask, Whole
from valet_xl.errors import NotationError, RowError

_SMALL = 1 << 14  # two numbers below it can be added in 16 bits


@dataclass(frozen=True, slots=True)
class CodedColumn:
    """A column's distinct texts, in order of first appearance, and for each of its (n,) cells the place of its text."""

    texts: list[str]
    index: Index

    @classmethod
    def of(cls, cells: Sequence[object]) -> CodedColumn:
        """Cells as texts: whole numbers without a point, nothing for None, no blanks around."""
        if bool in set(map(type, cells)):  # True would pass for the number 1
            cells = [str(cell).upper() if isinstance(cell, bool) else cell for cell in cells]
        place: dict[object, int] = dict.fromkeys(cells, 0)
        place.update(zip(place, range(len(place)), strict=True))
        index = np.fromiter(map(place.__getitem__, cells), dtype=np.intp, count=len(cells))
        return cls(list(map(_text, place)), index)

    @classmethod
    def of_different(cls, cells: Sequence[object], index: Index) -> CodedColumn:
        """A column of which the different cells are known, numbers and texts, and which of them is where."""
        return cls(list(map(_text, cells)), index)

    def each(self, read: Callable[[str], int]) -> Index:
        """(n,) what a function makes of the cells' texts."""
        return np.array([read(text) for text in self.texts], dtype=np.intp)[self.index]

    def where(self, holds: Callable[[str], bool]) -> Mask:
        """(n,) whether something is so of the cells' texts."""
        of_texts = np.array([holds(text) for text in self.texts], dtype=bool)
        if not of_texts.any() or of_texts.all():
            return np.full(len(self.index), of_texts.any())
        return np.asarray(of_texts[self.index])

    def codes(self) -> Index:
        """(n,) numbers from 0, the same for cells of the same text."""
        return np.unique(self.texts, return_inverse=True)[1].astype(np.intp)[self.index]


class Columns:
    """The columns of a table and the errors in its (n,) rows.

    Parameters
    ----------
    fields : the cells of each column, by field, or the column itself
    rows : the rows they came from, for messages
    headings : the columns' own headings, for messages

    Attributes
    ----------
    wrong : (n,) whether a row has an error, so that it cannot be read
    """

    def __init__(
        self,
        fields: Mapping[str, Sequence[object] | CodedColumn],
        rows: Sequence[int] | Index,
        headings: Mapping[str, str],
    ) -> None:
        self.columns = {
            field: cells if isinstance(cells, CodedColumn) else CodedColumn.of(cells) for field, cells in fields.items()
        }
        self.headings = headings
        self.size = len(rows)
        if isinstance(rows, range):  # which numpy would read number by number
            rows = np.arange(rows.start, rows.stop, rows.step, dtype=np.intp)
        self.rows: Index = np.asarray(rows, dtype=np.intp)
        self.wrong: Mask = np.zeros(self.size, dtype=bool)
        self._blank = CodedColumn([""], np.zeros(self.size, dtype=np.intp))
        self._errors: list[tuple[int, RowError]] = []

    def __getitem__(self, field: str) -> CodedColumn:
        """The column of a field; a blank one where there is none."""
        return self.columns.get(field, self._blank)

    def read(
        self, field: str, parse: Callable[[str], tuple[int, ...]], blank: tuple[int, ...], spoils: bool = True
    ) -> Whole:
        """(n, k) what the cells of a field parse to; `blank` for blank ones and for those that are refused."""
        if field not in self.columns:
            return np.broadcast_to(np.array(blank, dtype=np.int16), (self.size, len(blank)))
        table, refused = [], {}
        column = self.columns[field]
        for at, text in enumerate(column.texts):
            try:
                table.append(parse(text) if text else blank)
            except NotationError as error:
                table.append(blank)
                refused[at] = error.expected
        if refused:
            for at in np.flatnonzero(np.isin(column.index, list(refused))).tolist():
                self.refuse_row(at, field, refused[int(column.index[at])], spoils)
        said: Whole = np.array(table, dtype=np.int64).reshape(-1, len(blank)).T
        if np.abs(said).max(initial=0) < _SMALL:
            said = said.astype(np.int16)
        read = np.empty((len(blank), self.size), dtype=said.dtype)
        for values, of_cells in zip(said, read, strict=True):
            if (values == values[:1]).all():
                of_cells[:] = values[:1]
            else:
                values.take(column.index, out=of_cells, mode="clip")
        return read.T  # each of the k columns in one piece

    def refuse_row(self, at: int, field: str, expected: str, spoils: bool = True, other: int | None = None) -> None:
        """An error for a row; unless it spoils, the rest of the row is still read.

        other : the index of the row whose number is put in the place of `{row}`
        """
        text = self[field].texts[self[field].index[at]]
        heading, named = self.headings.get(field, field), None if other is None else int(self.rows[other])
        self.add(at, RowError(int(self.rows[at]), heading, text, expected, named), spoils)

    def add(self, at: int, error: RowError, spoils: bool = True) -> None:
        """An error that was found elsewhere."""
        self._errors.append((at, error))
        self.wrong[at] |= spoils

    def refuse(self, where: Mask, field: str, expected: str) -> None:
        """An error for each row of these in which nothing else is wrong."""
        for at in np.flatnonzero(where & ~self.wrong).tolist():
            self.refuse_row(at, field, expected)

    def first(self, *fields: str) -> str:
        """The first of these fields that has a column."""
        return next((field for field in fields if field in self.columns), fields[0])

    def at(self, places: Sequence[int] | Index) -> Columns:
        """The columns of some rows, without their errors."""
        if len(places) == self.size and np.array_equal(places, np.arange(self.size)):
            return Columns(self.columns, self.rows, self.headings)
        chosen = {field: CodedColumn(column.texts, column.index[places]) for field, column in self.columns.items()}
        return Columns(chosen, self.rows[places].tolist(), self.headings)

    def filled(self) -> Mask:
        """(n,) whether a row has anything in it."""
        filled = np.zeros(self.size, dtype=bool)
        for column in self.columns.values():
            filled |= column.where(bool)
        return filled

    def errors(self) -> tuple[RowError, ...]:
        """All errors in the order of their rows."""
        return tuple(error for _, error in sorted(self._errors, key=lambda found: found[0]))


def _text(cell: object) -> str:
    if cell is None:
        return ""
    if isinstance(cell, float) and cell.is_integer():
        return str(int(cell))
    return str(cell).strip()
