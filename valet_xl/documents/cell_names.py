"""Names of cells and columns as sheets have them, for messages."""

from __future__ import annotations

import string
from functools import cache


@cache
def column_name(column: int) -> str:
    """A column's letters, from its place counted from 0.

    >>> column_name(0), column_name(27)
    ('A', 'AB')
    """
    before, letter = divmod(column, 26)
    return (column_name(before - 1) if before else "") + string.ascii_uppercase[letter]


def cell_name(row: int, column: int) -> str:
    """A cell's name, from its row and column counted from 0.

    >>> cell_name(6, 10)
    'K7'
    """
    return f"{column_name(column)}{row + 1}"
