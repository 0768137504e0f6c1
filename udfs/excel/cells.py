"""Cells as they come over COM, and as they go back."""

from __future__ import annotations

import datetime
from decimal import Decimal
from typing import TypeAlias

from valet_xl.functions.registry import ErrorCell

# An error in a cell comes and goes as an HRESULT: this, and its number in Excel's list XlCVError and in later Excels.
_FIRST_ERROR = -2146828288
ERRORS = {
    2000: "#NULL!",
    2007: "#DIV/0!",
    2015: "#VALUE!",
    2023: "#REF!",
    2029: "#NAME?",
    2036: "#NUM!",
    2042: "#N/A",
    2043: "#GETTING_DATA",
    2045: "#SPILL!",
    2046: "#CONNECT!",
    2047: "#BLOCKED!",
    2048: "#UNKNOWN!",
    2049: "#FIELD!",
    2050: "#CALC!",
}

_FIRST_DAY = datetime.date(1899, 12, 30)  # of a time alone

Read: TypeAlias = float | str | bool | datetime.date | datetime.time | None


def read_cell(value: object) -> Read:
    """A cell's value as the engine takes it; an error is its text, such as '#N/A'; a day or a time alone is only that.

    >>> read_cell(Decimal("420")), read_cell(-2146826246), read_cell("")
    (420.0, '#N/A', None)
    >>> str(read_cell(datetime.datetime(2026, 4, 3)))
    '2026-04-03'
    """
    if value is None or value == "":
        return None
    if isinstance(value, (bool, float, str)):
        return value
    if isinstance(value, datetime.datetime):
        if value.date() == _FIRST_DAY:
            return value.time()
        return value.date() if value.time() == datetime.time() else value
    if isinstance(value, int) and _FIRST_ERROR <= value < _FIRST_ERROR + 4096:
        return ERRORS.get(value - _FIRST_ERROR, "#UNKNOWN!")
    if isinstance(value, (int, Decimal)):  # a cell with a currency format comes as a Decimal
        return float(value)
    raise TypeError(f"{value!r} in a cell (expected a number, text, TRUE, FALSE, a date or an error)")


def read_cells(rows: list[list[object]]) -> list[list[Read]]:
    """`read_cell` of a block."""
    return [[read_cell(cell) for cell in row] for row in rows]


def error_value(cell: ErrorCell) -> object:
    """An error as Excel's own; its text without COM."""
    try:
        import pythoncom  # noqa: PLC0415 - Windows alone has it
        from win32com.client import VARIANT  # noqa: PLC0415
    except ImportError:
        return cell.value
    code = next(code for code, text in ERRORS.items() if text == cell.value)
    return VARIANT(pythoncom.VT_ERROR, _FIRST_ERROR + code)
