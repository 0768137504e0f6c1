"""Formulas of worksheet functions put into a sheet with their values, for those who have no add-in yet."""

from __future__ import annotations

from typing import Any, Protocol

from valet_xl.functions.catalogue import REGISTRY
from valet_xl.functions.registry import Cell, Cells

HEADINGS = 3  # the heading row, from 0
FIRST = HEADINGS + 1


class Writer(Protocol):
    """A workbook under way, as build_examples has it."""

    heading: Any
    paper: Any
    true: Any
    points: Any
    right: Any
    title_of_row: Any
    wrapped: Any

    def sheet(self, name: str, title: str, remark: str) -> Any:
        """Add a sheet."""


def value_of(name: str, *arguments: object) -> Cell:
    """What a function gives in one cell."""
    return REGISTRY[name](*arguments)[0][0]


def one(sheet: Any, row: int, column: int, formula: str, value: Cell, look: Any = None) -> None:
    """A formula with its value."""
    sheet.write_formula(row, column, f"={formula}", look, shown(value))


def many(sheet: Any, row: int, column: int, formula: str, values: Cells, look: Any = None) -> None:
    """An array formula with its values."""
    bottom, right = row + len(values) - 1, column + len(values[0]) - 1
    sheet.write_array_formula(row, column, bottom, right, f"{{={formula}}}", look, shown(values[0][0]))
    for down, cells in enumerate(values):
        for along, cell in enumerate(cells):
            if down or along:
                sheet.write(row + down, column + along, shown(cell), look)


def check(writer: Writer, sheet: Any, row: int, column: int, formula: str) -> None:
    """A cell that is TRUE if a value agrees; the tests make sure that it does."""
    sheet.write_formula(row, column, f"={formula}", writer.true, True)


def shown(cell: Cell) -> float | str:
    """A cell as it is written."""
    assert isinstance(cell, (float, int, str)), cell  # no sheet shows a blank or an error
    return cell
