"""What a worksheet function takes: an argument's name and sentence, and how its cells are read."""

from __future__ import annotations

import math
from collections.abc import Collection, Sequence
from itertools import chain
from typing import Any

import numpy as np

from valet_xl.engine.arrays import Floats
from valet_xl.functions.registry import Argument, Cell, CellError, ErrorCell, Missing, as_cells

_NUMERIC = {float, int, type(None)}


def _numbers(value: Any) -> Floats:
    """A block of numbers, NaN for blank."""
    rows = value
    if not (isinstance(rows, (list, tuple)) and rows and isinstance(rows[0], (list, tuple)) and _numeric(rows)):
        rows = as_cells(value)
        if not _numeric(rows):
            cell = next(cell for row in rows for cell in row if type(cell) not in _NUMERIC)
            raise CellError(f"{_shown(cell)} (expected numbers)")
    if len(set(map(len, rows))) > 1:
        raise CellError("rows of unequal lengths (expected a block)")
    return np.array(list(chain.from_iterable(rows)), dtype=np.float64).reshape(len(rows), len(rows[0]))


def _numeric(rows: Sequence[Sequence[object]]) -> bool:
    return _NUMERIC.issuperset(map(type, chain.from_iterable(rows)))


def _single(value: object) -> Cell:
    cells = as_cells(value)
    if len(cells) != 1 or len(cells[0]) != 1:
        raise CellError("a range (expected one cell)")
    return cells[0][0]


def _number(value: object) -> float:
    cell = _single(value)
    if isinstance(cell, bool) or not isinstance(cell, (int, float)) or not math.isfinite(cell):
        raise CellError(f"{_shown(cell)} (expected a number)")
    return float(cell)


def _switch(value: object) -> bool:
    cell = _single(value)
    if cell not in (0, 1, True, False):
        raise CellError(f"{_shown(cell)} (expected TRUE or FALSE)")
    return bool(cell)


def _shown(cell: object) -> str:
    return cell.value if isinstance(cell, ErrorCell) else repr(cell)


def beside(first: Floats, *others: Floats) -> None:
    """Make sure that each of the others has one cell, which must not be blank, or as many as the first.

    Raises
    ------
    CellError : where one has not
    """
    for other in others:
        if other.size == 1:
            if np.isnan(other).any() and not np.isnan(first).all():
                raise CellError("a blank cell (expected a number)")
        elif other.shape != first.shape:
            raise CellError(f"{other.shape} cells beside {first.shape} (expected as many, or one)")


def block(name: str, sentence: str) -> Argument:
    """An argument that takes a block of numbers, with blanks."""
    return Argument(name, sentence, _numbers)


def cells(name: str, sentence: str, default: Any = Missing.ARGUMENT) -> Argument:
    """An argument that takes a block of any cells."""
    return Argument(name, sentence, as_cells, default)


def number(name: str, sentence: str, default: Any = Missing.ARGUMENT) -> Argument:
    """An argument that takes one number."""
    return Argument(name, sentence, _number, default)


def switch(name: str, sentence: str) -> Argument:
    """An argument that takes TRUE or FALSE, FALSE if left out."""
    return Argument(name, f"{sentence} (FALSE)", _switch, False)


def word(name: str, sentence: str, words: Collection[str], default: str) -> Argument:
    """An argument that takes one of some words, in any case; the sentence lists them, the default first."""

    def read(given: object) -> str:
        cell = _single(given)
        text = str(cell).strip().lower() if isinstance(cell, str) else ""
        if text not in words:
            raise CellError(f"{_shown(cell)} (expected one of {', '.join(words)})")
        return text

    others = ", ".join(other for other in words if other != default)
    return Argument(name, f"{sentence}: {default}, {others}", read, default)
