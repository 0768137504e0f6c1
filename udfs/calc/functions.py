"""The worksheet functions as Calc calls them: what UNO carries in, and what it takes back."""

from __future__ import annotations

import struct
from collections.abc import Callable, Sequence
from functools import lru_cache, partial
from types import NoneType
from typing import Any

from valet_xl.documents.page import refuse_too_many
from valet_xl.errors import SheetError
from valet_xl.functions.catalogue import REGISTRY
from valet_xl.functions.registry import Cells, ErrorCell, Function, Missing
from valet_xl.hosts.binding import Carrier, Rows
from valet_xl_calc import method_name

# Calc takes a NaN for an error value, whose number is in its low bits: 519 is #VALUE!.
ERRORS = {ErrorCell.VALUE: struct.unpack("<d", struct.pack("<Q", 0x7FF8 << 48 | 519))[0]}

ERROR_TEXTS = {
    503: "#NUM!",
    519: "#VALUE!",
    524: "#REF!",
    525: "#NAME?",
    532: "#DIV/0!",
    32767: "#N/A",
}
"""What Calc shows for the errors that have names."""

UNO = Carrier(ERRORS.__getitem__, "", frozenset({float, str}), rows=tuple)
"""How UNO carries cells: it knows no blank, which is an empty text, and no TRUE, which is 1."""

KEPT, MOST_KEPT = 128, 200  # answers of a function that are kept, and the cells of a question whose answer is
KEPT_SINGLE, SINGLE = 4096, 8  # the same for questions of few cells: columns of contracts have many alike
LONG = 100_000  # rows: a range that has so many is a whole column, of which only the used part counts

_KNOWN = {float, str, tuple, NoneType, Missing}  # what UNO hands over, but for a range of cells


def bind(function: Function) -> Callable[..., Rows]:
    """A function that takes and gives what UNO carries.

    Small answers are kept for a while, since each formula of a column may ask for the same range.
    """
    small = UNO.bind(function, partial(_computed, function))
    any_size = UNO.bind(function, partial(_read_and_computed, function))
    kept, kept_single = lru_cache(maxsize=KEPT)(small), lru_cache(maxsize=KEPT_SINGLE)(small)

    def bound(*values: object) -> Rows:
        count = 0
        for value in values:
            if type(value) is tuple:
                count += len(value) * len(value[0])
            elif type(value) in _KNOWN:
                count += 1
            else:
                return any_size(*values)
        if count <= SINGLE:
            return kept_single(*values)
        return kept(*values) if count <= MOST_KEPT else any_size(*values)

    return bound


def _read_and_computed(function: Function, *given: object) -> Cells:
    """Compute from ranges too, of which whole columns end with what is used."""
    try:
        arguments = _without_end([value if type(value) in _KNOWN else cells_of(value) for value in given])
    except SheetError:
        return [[ErrorCell.VALUE]]
    return _computed(function, *arguments)


def _computed(function: Function, *arguments: object) -> Cells:
    """Compute; where a 0 cannot be used it is taken for a blank cell, as Calc hands over a single one as 0."""
    cells = function(*arguments)
    if cells == [[ErrorCell.VALUE]] and any(map(_is_zero, arguments)):
        cells = function(*[None if _is_zero(argument) else argument for argument in arguments])
    return cells


def _is_zero(value: object) -> bool:
    return value in (0.0, ((0.0,),))


def cells_of(area: Any) -> Rows:
    """The cells of a range that UNO hands over as such: those of it that are used, an error as its text.

    Raises
    ------
    SheetError : where there are so many that reading would not end
    """
    place, cursor = area.getRangeAddress(), area.getSpreadsheet().createCursor()
    cursor.gotoEndOfUsedArea(False)
    end = cursor.getRangeAddress()
    right = max(0, min(place.EndColumn, end.EndColumn) - place.StartColumn)
    bottom = place.EndRow - place.StartRow
    is_long = bottom + 1 >= LONG
    if is_long:
        bottom = max(0, min(place.EndRow, end.EndRow) - place.StartRow)
        refuse_too_many(bottom, right)
    used = area.getCellRangeByPosition(0, 0, right, bottom)
    rows: Rows = used.getDataArray()
    if any(None in row for row in rows):
        rows = tuple(
            tuple(
                _error(used.getCellByPosition(column, row).getError()) if cell is None else cell
                for column, cell in enumerate(cells)
            )
            for row, cells in enumerate(rows)
        )
    return rows[: len(rows) - _blank_rows(rows)] if is_long else rows


def _error(code: int) -> str:
    """What Calc shows for an error; it does not give that text while it computes.

    >>> _error(32767), _error(504)
    ('#N/A', 'Err:504')
    """
    return ERROR_TEXTS.get(code, f"Err:{code}")


def _without_end(values: Sequence[object]) -> Sequence[object]:
    """Whole columns without the rows at their end that are blank in all of them."""
    long = [value for value in values if isinstance(value, tuple) and len(value) >= LONG]
    if not long:
        return values
    end = min(map(_blank_rows, long))
    return [value[: len(value) - end] if isinstance(value, tuple) and len(value) >= LONG else value for value in values]


def _blank_rows(rows: Rows) -> int:
    """How many rows at the end of a range are blank, but for the first row."""
    blank = ("",) * len(rows[0])
    last = next((at for at in range(len(rows) - 1, 0, -1) if rows[at] != blank), 0)
    return len(rows) - 1 - last


METHODS = {method_name(name): bind(function) for name, function in REGISTRY.items()}
"""The methods of the add-in's interface."""
