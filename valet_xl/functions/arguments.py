"""What a worksheet function takes: an argument's name and sentence, its range and shape, and how its cells are read."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from functools import partial
from itertools import chain
from typing import Any

import numpy as np

from valet_xl.engine.arrays import Floats
from valet_xl.engine.options import OPTIONS, Option
from valet_xl.functions.registry import (
    MOST,
    Argument,
    Cell,
    CellError,
    ErrorCell,
    Kind,
    Missing,
    Range,
    Shape,
    as_block,
    as_cells,
)

_NUMERIC = {float, int, type(None)}
_FLOATS = {float}
_ROWS = {list, tuple}
_SCALARS = {float, str}
_ANY = Range()


def _numbers(value: Any, allowed: Range) -> Floats:
    """A block of numbers, NaN for blank."""
    rows = value
    if type(rows) in _ROWS and _ROWS.issuperset(map(type, rows)) and len(set(map(len, rows))) == 1:
        flat = list(chain.from_iterable(rows))
        if set(map(type, flat)) == _FLOATS and allowed.has(flat):
            return np.array(flat).reshape(len(rows), -1)
    if not (isinstance(rows, (list, tuple)) and rows and isinstance(rows[0], (list, tuple)) and _numeric(rows)):
        rows = as_cells(value)
        if not _numeric(rows):
            cell = next(cell for row in rows for cell in row if type(cell) not in _NUMERIC)
            raise CellError(f"{_shown(cell)} (expected {allowed})")
    if len(set(map(len, rows))) != 1 or not rows[0]:
        raise CellError("rows of unequal lengths (expected a block)" if any(rows) else "no cells (expected a block)")
    try:
        numbers = np.array(list(chain.from_iterable(rows)), dtype=np.float64).reshape(len(rows), len(rows[0]))
    except OverflowError:  # an int, which no sheet has
        raise CellError(f"a number above {MOST:g} (expected {allowed})") from None
    allowed.refuse(numbers, str(allowed))
    return numbers


def _numeric(rows: Sequence[Sequence[object]]) -> bool:
    return _NUMERIC.issuperset(map(type, chain.from_iterable(rows)))


def _single(value: object) -> Cell:
    if type(value) in _SCALARS and value != "":
        return value  # type: ignore[return-value]
    cells = as_cells(value)
    if len(cells) != 1 or len(cells[0]) != 1:
        raise CellError("a range (expected one cell)")
    return cells[0][0]


def _number(value: object, allowed: Range) -> float:
    cell = _single(value)
    if isinstance(cell, bool) or not isinstance(cell, (int, float)) or cell != cell:  # noqa: PLR0124 - NaN is not itself
        raise CellError(f"{_shown(cell)} (expected {allowed.one})")
    if abs(cell) > MOST:
        raise CellError(f"a number above {MOST:g} (expected {allowed.one})")
    if not allowed.has([cell]):
        allowed.refuse(np.array([cell], dtype=np.float64), allowed.one)
    return float(cell)


def _switch(value: object) -> bool:
    cell = _single(value)
    if cell not in (0, 1, True, False):
        raise CellError(f"{_shown(cell)} (expected TRUE or FALSE)")
    return bool(cell)


def _text(value: object) -> str:
    """A cell as text, a whole number without a point."""
    cell = _single(value)
    if isinstance(cell, bool) or not isinstance(cell, (str, float, int)):
        raise CellError(f"{_shown(cell)} (expected a text or a number)")
    return str(int(cell)) if isinstance(cell, float) and cell.is_integer() else str(cell)


def _shown(cell: object) -> str:
    return cell.value if isinstance(cell, ErrorCell) else repr(cell)


def block(
    name: str,
    sentence: str,
    allowed: Range = _ANY,
    *,
    shape: Shape = Shape.BLOCK,
    default: Any = Missing.ARGUMENT,
) -> Argument:
    """An argument that takes a block of numbers, with blanks."""
    read = partial(_numbers, allowed=allowed)
    return Argument(name, _hinted(sentence, allowed), read, default, Kind.NUMBER, shape, allowed)


def cells(name: str, sentence: str, default: Any = Missing.ARGUMENT, *, shape: Shape = Shape.BLOCK) -> Argument:
    """An argument that takes a block of any cells."""
    return Argument(name, sentence, as_block, default, shape=shape)


def results_table(sentence: str) -> Argument:
    """The argument that takes results with their heading row: a table of a sheet."""
    return Argument("results", f"results with their heading row: {sentence}", as_block, kind=Kind.TABLE)


def number(name: str, sentence: str, default: Any = Missing.ARGUMENT, allowed: Range = _ANY) -> Argument:
    """An argument that takes one number."""
    read = partial(_number, allowed=allowed)
    return Argument(name, _hinted(sentence, allowed), read, default, Kind.NUMBER, Shape.CELL, allowed)


def switch(name: str, sentence: str) -> Argument:
    """An argument that takes TRUE or FALSE, FALSE if left out."""
    return Argument(name, f"{sentence} (FALSE)", _switch, False, Kind.SWITCH, Shape.CELL)


def text(name: str, sentence: str, default: Any = Missing.ARGUMENT) -> Argument:
    """An argument that takes one text, or a number that is meant as one."""
    return Argument(name, sentence, _text, default, Kind.TEXT, Shape.CELL)


def word(name: str, sentence: str, words: Collection[str], default: str | Missing = Missing.ARGUMENT) -> Argument:
    """An argument that takes one of some words, in any case; the sentence lists them, the default first."""

    def read(given: object) -> str:
        cell = _single(given)
        text = str(cell).strip().lower() if isinstance(cell, str) else ""
        if text not in words:
            raise CellError(f"{_shown(cell)} (expected one of {', '.join(words)})")
        return text

    ordered = sorted(words, key=lambda each: each != default)
    return Argument(name, f"{sentence}: {', '.join(ordered)}", read, default, Kind.WORD, Shape.CELL, words=tuple(words))


def option_argument(name: str, called: str = "", of: Mapping[str, Option] = OPTIONS) -> Argument:
    """An argument that is an option, made from its record.

    Parameters
    ----------
    name : the option's
    called : the argument's name, if it is another
    of : the records
    """
    option = of[name]
    called = called or name
    if option.words:
        return word(called, option.sentence, option.words, str(option.default))
    if option.is_switch:
        return switch(called, option.sentence)
    if option.text:
        return text(called, option.sentence, option.default)
    least = -MOST if option.least is None else option.least
    return number(called, option.sentence, option.default, Range(least, whole=option.whole))


def _hinted(sentence: str, allowed: Range) -> str:
    """The sentence of an argument with the numbers that it takes."""
    return sentence if allowed == _ANY else f"{sentence} ({allowed})"
