"""Cells as JavaScript has them: what JSON can carry, with a blank as an empty text and an error as an object."""

from __future__ import annotations

import datetime
import re

from valet_xl.hosts.binding import Carrier

ERROR = "error"
"""The name under which an object has the text of an error, such as #N/A."""
_FIRST_DAY = datetime.datetime(1899, 12, 30)  # day 0 of a workbook that counts from 1900
_NO_CODE = re.compile(r'"[^"]*"|\\.|_.|\*.|\[[^\]]*\]')
_OF_A_DATE = re.compile(r"[ydhsm]", re.IGNORECASE)

Read = float | str | bool | datetime.date | datetime.time | None


def read_cell(value: object) -> Read:
    """A cell as the engine takes it; an error is its text.

    >>> read_cell(420), read_cell(""), read_cell({"error": "#N/A"}), read_cell(True)
    (420.0, None, '#N/A', True)
    """
    if value is None or value == "":
        return None
    if isinstance(value, (bool, str)):
        return value
    if isinstance(value, (int, float)):
        return float(value)
    if isinstance(value, dict):
        return str(value.get(ERROR, "#UNKNOWN!"))
    raise TypeError(f"{value!r} in a cell (expected a number, text, true, false or an error)")


def read_formatted(value: object, number_format: str) -> Read:
    """A cell as the engine takes it, a number with the format of a date as a date, time, or both.

    >>> str(read_formatted(46115, "yyyy-mm-dd")), read_formatted(0.5, "hh:mm"), read_formatted(3, "0.00")
    ('2026-04-03', datetime.time(12, 0), 3.0)
    """
    cell = read_cell(value)
    if not isinstance(cell, float) or not is_date(number_format):
        return cell
    try:
        moment = _FIRST_DAY + datetime.timedelta(days=cell)
    except OverflowError:
        return cell
    if 0 <= cell < 1:
        return moment.time()
    return moment.date() if cell == int(cell) else moment


def is_date(number_format: str) -> bool:
    """Whether a number format, as in English, shows a number as a date or time.

    >>> [is_date(code) for code in ("General", "0.00", "dd/mm/yyyy", '0 "days"', "[h]:mm", "[Red]0")]
    [False, False, True, False, True, False]
    """
    code = _NO_CODE.sub("", number_format.replace("[h", "h").replace("[m", "m").replace("[s", "s"))
    return code != "General" and bool(_OF_A_DATE.search(code))


JSON = Carrier(lambda error: {ERROR: error.value}, "", frozenset({float, str, bool}), read=read_cell)
"""How cells go to JavaScript and come back."""
