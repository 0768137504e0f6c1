"""Cells to try the functions' examples on: made-up results and scores in the areas that the formulas name."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from valet_xl.functions.registry import REGISTRY, Argument, CellError, Cells, Function, Kind

_ON_A_BOARD: tuple[float | None, ...] = (420.0, 450.0, -50.0, 430.0, None, 400.0, 170.0, -100.0, 620.0, 620.0, -100.0)
SCORES: Cells = [[score] for score in _ON_A_BOARD * 2]
"""Scores of a board, a row each; blank where a table did not play it."""
_HEADINGS: list[Any] = ["Round", "Board", "Contract", "By", "Tricks", "Lead", "Remark", "NS pair", "EW pair"]
_CONTRACTS = ("4S", "3NT", "4SX", "2H", "Pass", "1NT", "5C", "3DXX", "6NT")
_LEADS = ("HK", "D4", "C10", "S2", "SA")
_TABLES = 8  # that play each of 13 boards
_WRONG_ROW, _BLANK_ROW = 6, 8
WRONG = "8H"
"""The contract of the row that cannot be read."""
# What arguments take that take neither results nor scores, row by row and from the first one again.
_OWN: dict[str, tuple[Any, ...]] = {
    "weights": (60.0, 40.0),
    "hand": ("AKx.KQxx.x.Axxxx", "KJT.Axx.KQx.AJTx", "AKQ.AKQ.AKQ.AKQ", None),
    "deal": ("N:AKQJT98765432... .AKQJT98765432.. ..AKQJT98765432. ...AKQJT98765432", "N:AKQ.AKQ.AKQ.AKQ", None),
}
_ARGUMENT = re.compile(r'"(?P<text>[^"]*)"|(?P<area>[A-Z]+\d+:[A-Z]+\d+)|(?P<number>[-.\d]+)|(?P<switch>TRUE|FALSE)')


def example(function: Function) -> tuple[dict[str, Cells], list[Any]]:
    """The areas that a function's example names, with their cells, and the arguments of the function then.

    >>> example(REGISTRY["VALET_SCORE"])
    ({}, ['4S', 'E', '+1', 'EW'])
    """
    arguments = arguments_of(function.example, cells_of)
    return {text: value for text, value in arguments if isinstance(value, list)}, [value for _, value in arguments]


def arguments_of(formula: str, cells: Callable[[str], Cells]) -> list[tuple[str, Any]]:
    """The arguments of a formula, each as it is written and as the function takes it.

    Parameters
    ----------
    formula : one of the examples: its arguments are texts, numbers, TRUE, FALSE and areas
    cells : what an area such as `B2:B23` contains. Hands and weights are always the same, and an argument that takes no
        such numbers gets 1 in its first row, 2 in its second and so on
    """
    name, _, given = formula.removeprefix("=").partition("(")
    found: list[tuple[str, Any]] = []
    for argument, match in zip(REGISTRY[name].arguments, _ARGUMENT.finditer(given), strict=False):
        text = match.group()
        value: Any = match["text"]
        if match["area"]:
            value = _fitting(argument, cells(text))
        elif match["number"]:
            value = float(text)
        elif match["switch"]:
            value = text == "TRUE"
        found.append((text, value))
    return found


def cells_of(area: str) -> Cells:
    """Results for an area that begins at A1, else scores."""
    first, last = area.split(":")
    columns, rows = ord(last[0]) - ord(first[0]) + 1, int(last[1:]) - int(first[1:]) + 1
    if first == "A1":
        return [row[:columns] for row in _results(rows)]
    return [[SCORES[(row * columns + column) % len(SCORES)][0] for column in range(columns)] for row in range(rows)]


def _results(rows: int) -> Cells:
    """A heading row and rows of results, one of them wrong and one blank."""
    cells: Cells = [list(_HEADINGS)]
    for at in range(rows - 1):
        board, table = divmod(at, _TABLES)
        contract = _CONTRACTS[(3 * at + board) % len(_CONTRACTS)]
        played = contract != "Pass"
        by, lead = ("NESW"[at % 4], _LEADS[at % len(_LEADS)]) if played else (None, None)
        tricks = float(min(13, int(contract[0]) + 6 + 5 * at % 4 - 2)) if played else None
        pairs = float(table + 1), float((table + board) % _TABLES + 11)
        cells.append([1.0, board + 1.0, contract, by, tricks, lead, None, *pairs])
    cells[_WRONG_ROW][2] = WRONG
    cells[_BLANK_ROW] = [None] * len(_HEADINGS)
    return cells


def _fitting(argument: Argument, cells: Cells) -> Cells:
    if own := _OWN.get(argument.name):
        return [[own[row % len(own)]] for row in range(len(cells))]
    if argument.kind is not Kind.NUMBER:
        return cells
    try:
        argument.read(cells)
    except CellError:
        return [[float(row) for _ in each] for row, each in enumerate(cells, start=1)]
    return cells
