"""Where the rows and cells of a worksheet are in its bytes, and what the cells contain.

There are two ways to find that out, which give the same: `usual_rows` with arrays, and `streamed_rows` with expat.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import IntEnum
from typing import Any

import numpy as np
import numpy.typing as npt

NOT_COMPUTED = " (a formula without a value)"  # follows a formula that is read in place of its value
MAX_CELLS = 20_000_000  # of a sheet that is read
MAX_TEXTS = 1 << 30  # that cells share, more than a part has bytes for
SPREADING = ("array", "dataTable")  # formulas that are those of several cells
INDEX = re.compile(rb"[0-9]{1,9}")

Whole = npt.NDArray[np.int64]

_ESCAPE = re.compile("_x00([0-9A-Fa-f]{2})_")


class Kind(IntEnum):
    """What a cell contains."""

    BLANK = 0
    NUMBER = 1
    SHARED = 2  # a text that is in the part for all texts; the number is its place
    FLAG = 3
    TEXT = 4
    DATE = 5  # an ISO 8601 text


@dataclass(frozen=True, slots=True)
class SheetData:
    """Rows and cells in the order of the bytes. Rows and columns count from 0.

    inside, inside_end : the place of what is in the element `sheetData`
    closed : whether its start tag is all of it; then both are the tag's end
    row_number : (rows,) its number
    row_start, row_inside, row_inside_end, row_end : (rows,) places of its start tag, of what is in it, and of its end
    row_style : (rows,) the style of its empty cells, -1 where it has none of its own
    of_row : (cells,) the row that a cell is in, as an index
    line, column : (cells,) where the cell is. What is in a row and no cell has the column `MAX_COLUMNS`.
    start, end : (cells,) places of its start tag and of its end
    style : (cells,) its style, -1 where it says none
    filled : (cells,) whether there is an element in it
    valued : (cells,) whether it shows anything
    formula : (cells,) whether it has a formula
    unnamed : (cells,) whether it does not say where it is
    kind : (cells,) a `Kind`
    number : (cells,) its number, the place of its text, or 1 for TRUE
    texts : its text, by the cell's index
    spread : areas that have one formula
    """

    inside: int
    inside_end: int
    closed: bool
    row_number: Whole
    row_start: Whole
    row_inside: Whole
    row_inside_end: Whole
    row_end: Whole
    row_style: Whole
    of_row: Whole
    line: Whole
    column: Whole
    start: Whole
    end: Whole
    style: Whole
    filled: npt.NDArray[np.bool_]
    valued: npt.NDArray[np.bool_]
    formula: npt.NDArray[np.bool_]
    unnamed: npt.NDArray[np.bool_]
    kind: npt.NDArray[np.uint8]
    number: npt.NDArray[np.float64]
    texts: dict[int, str]
    spread: list[str]


def say_formula(cell: int, text: str, kind: Any, texts: dict[int, str]) -> None:
    """Give a formula without a value as a text; one that shows nothing stays so."""
    if kind[cell] == Kind.BLANK and text != '""':
        kind[cell], texts[cell] = Kind.TEXT, f"={text}{NOT_COMPUTED}"


def unescaped(text: str) -> str:
    r"""A text with what spreadsheets write for characters that XML cannot contain.

    >>> unescaped("a_x0001_b _x005F_x0041_")
    'a\x01b _x0041_'
    """
    return _ESCAPE.sub(lambda found: chr(int(found[1], 16)), text) if "_x00" in text else text
