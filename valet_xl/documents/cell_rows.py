"""The rows of a sheet that is used in a rectangle: a cell becomes an object only when somebody asks for it."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Sequence
from typing import Any, overload

import numpy as np
import numpy.typing as npt

from valet_xl.documents.page import Cell

Whole = npt.NDArray[np.int64]
Small = npt.NDArray[np.signedinteger]

_AT_ONCE = 256  # rows that become objects together


class CellRows(Sequence[list[Cell]]):
    """Rows of cells of one length, which nobody changes.

    Parameters
    ----------
    line, column : (cells,) where the cells are in which there is something, from 0; of two in one place the last counts
    cells : makes objects of some of them, given as indices
    coded : makes objects of the different ones among some of them, and says which each is; None where it cannot

    Attributes
    ----------
    kept : what readers have found out about the rows and need again

    >>> names = np.array(["Board", 1, "Pair"], dtype=object)
    >>> rows = CellRows(np.array([0, 0, 1]), np.array([0, 1, 0]), lambda some: names[some])
    >>> rows.column(1, range(2)), rows[1], len(rows)
    ([1, None], ['Pair', None], 2)
    """

    def __init__(
        self,
        line: Small,
        column: Small,
        cells: Callable[[Whole], npt.NDArray[np.object_]],
        coded: Callable[[Whole], tuple[list[Cell], Whole] | None] = lambda _: None,
    ) -> None:
        self._line, self._column, self._cells, self._coded = line, column, cells, coded
        self._size = (int(line.max()) + 1, int(column.max()) + 1) if len(line) else (0, 0)
        self._rows: dict[int, list[list[Cell]]] = {}
        self.kept: dict[Hashable, Any] = {}

    def __len__(self) -> int:
        return self._size[0]

    @overload
    def __getitem__(self, at: int) -> list[Cell]: ...
    @overload
    def __getitem__(self, at: slice) -> list[list[Cell]]: ...
    def __getitem__(self, at: int | slice) -> list[Cell] | list[list[Cell]]:
        """A row, or a list of rows."""
        if isinstance(at, slice):
            return [self[each] for each in range(len(self))[at]]
        group, row = divmod(range(len(self))[at], _AT_ONCE)
        return self._group(group)[row]

    def __iter__(self) -> Iterator[list[Cell]]:
        for group in range(-(-len(self) // _AT_ONCE)):
            yield from self._group(group)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Sequence) and list(self) == list(other)

    __hash__ = None  # type: ignore[assignment]  # as a list has none

    def column(self, number: int, rows: range) -> list[Cell]:
        """The cells of a column, from 0, in rows that follow each other; blank ones right of what is used."""
        found = self.coded(number, rows)
        if found is not None:
            different = np.empty(len(found[0]), dtype=object)
            different[:] = found[0]
            coded: list[Cell] = different[found[1]].tolist()
            return coded
        some = self._in_column(number, rows)
        made = np.full(len(rows), None, dtype=object)
        made[self._line[some] - rows.start] = self._cells(some)
        cells: list[Cell] = made.tolist()
        return cells

    def coded(self, number: int, rows: range) -> tuple[list[Cell], Whole] | None:
        """The different cells of a column in rows that follow each other, as they come, and which each row has.

        None where the column has more than texts, or more than numbers.
        """
        some = self._in_column(number, rows)
        found = self._coded(some)
        if found is None:
            return None
        cells, codes = found
        index = np.full(len(rows), len(cells))  # those without a cell are blank
        index[self._line[some] - rows.start] = codes
        place = {cell: at for at, cell in reversed(list(enumerate([*cells, None])))}
        index = np.array([place[cell] for cell in (*cells, None)])[index]
        first = np.full(len(cells) + 1, len(index))
        first[index[::-1]] = np.arange(len(index))[::-1]
        order = np.argsort(first, kind="stable")[: np.count_nonzero(first < len(index))]
        new = np.zeros(len(first), dtype=np.intp)
        new[order] = np.arange(len(order))
        return [(*cells, None)[at] for at in order.tolist()], new[index]

    def starting_with(self, letter: str) -> Whole:
        """The rows whose first cell is a text that starts with a letter."""
        rows = range(len(self))
        cells, index = self.coded(0, rows) or (self.column(0, rows), np.arange(len(self)))
        marked = [at for at, cell in enumerate(cells) if isinstance(cell, str) and cell.startswith(letter)]
        return np.flatnonzero(np.isin(index, marked))

    def first_in(self, rows: range, columns: range) -> tuple[int, int] | None:
        """The row and column of the first cell among some in which there is something; None where there is none."""
        some = np.flatnonzero(
            (self._line >= rows.start)
            & (self._line < rows.stop)
            & (self._column >= columns.start)
            & (self._column < columns.stop)
        )
        filled = some[np.array([cell is not None for cell in self._cells(some)], dtype=np.bool_)]
        if not len(filled):
            return None
        first = filled[np.lexsort((self._column[filled], self._line[filled]))[0]]
        return int(self._line[first]), int(self._column[first])

    def width(self, rows: range) -> int:
        """How many columns some rows have up to the last cell in which there is something."""
        there = (self._line >= rows.start) & (self._line < rows.stop)
        for number in np.flatnonzero(np.bincount(self._column[there].astype(np.intp, copy=False)))[::-1].tolist():
            if any(cell is not None and cell != "" for cell in self.column(number, rows)):
                return int(number) + 1
        return 0

    def _in_column(self, number: int, rows: range) -> Whole:
        found: Whole = np.flatnonzero((self._column == number) & (self._line >= rows.start) & (self._line < rows.stop))
        return found

    def _group(self, group: int) -> list[list[Cell]]:
        """Some rows that follow each other."""
        if group not in self._rows:
            start = group * _AT_ONCE
            stop = min(start + _AT_ONCE, len(self))
            some = np.flatnonzero((self._line >= start) & (self._line < stop))
            table = np.full((stop - start, self._size[1]), None, dtype=object)
            table[self._line[some] - start, self._column[some]] = self._cells(some)
            self._rows[group] = table.tolist()
        return self._rows[group]
