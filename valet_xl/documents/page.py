"""A sheet as a host has read it: its cells and tables, where a block of columns may go, and what a person is told."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar

from valet_xl.documents.cell_names import cell_name
from valet_xl.errors import SheetError

Cell = TypeVar("Cell")


@dataclass(frozen=True, slots=True)
class Column:
    """A column to be written: its heading, how it looks, and a cell for each row under the heading row."""

    name: str
    format: str  # a spreadsheet number format: "0", "0.00" ..., or "@" for text
    width: float  # in characters
    cells: list[float | int | str | None]


@dataclass(frozen=True, slots=True)
class Block:
    """Columns side by side at one place of a sheet. Rows and columns count from 0."""

    top: int  # the heading row
    left: int  # the first column
    columns: tuple[Column, ...]
    replaces: int  # how many columns, from `left`, an earlier scoring wrote there


@dataclass(frozen=True, slots=True)
class Table:
    """A table that the program keeps, such as an Excel table. Rows and columns count from 0, the last belong to it.

    totals : how many rows at its bottom are totals
    grows : whether it may get more columns: it has headings, and is fed by no query
    """

    name: str
    top: int
    left: int
    bottom: int
    right: int
    totals: int
    grows: bool = True


@dataclass(frozen=True, slots=True)
class Page(Generic[Cell]):
    """What a sheet holds: rows of cells from the first on, blanks as None, and its tables."""

    cells: list[list[Cell | None]]
    tables: tuple[Table, ...]

    def cell(self, row: int, column: int) -> Cell | None:
        """A cell; blank outside of what is used."""
        return self.cells[row][column] if row < len(self.cells) and column < len(self.cells[row]) else None

    def joined(self, block: Block, bottom: int, names: Sequence[str]) -> Table | None:
        """The table that columns become part of: it ends beside them, or with those that they replace.

        bottom : the block's last row
        names : the columns' headings, none of which may be another column's of the table
        """
        for table in self.tables:
            kept = {str(self.cell(table.top, at)).casefold() for at in range(table.left, block.left)}
            if (
                table.grows
                and kept
                and table.top == block.top
                and table.right in (block.left - 1, block.left + block.replaces - 1)
                and bottom <= table.bottom - table.totals
                and not kept & {name.casefold() for name in names}
            ):
                return table
        return None

    def free_place(self, block: Block, bottom: int, table: Table | None, size: tuple[int, int]) -> str:
        """Make sure that a block's place holds nothing else, and give its name.

        table : the one that it becomes part of
        size : the rows and columns that a sheet has

        Raises
        ------
        SheetError : where there is no room, another table, or a value
        """
        top, left, width = block.top, block.left, max(len(block.columns), block.replaces)
        right = left + width - 1
        if bottom >= size[0] or right >= size[1]:
            raise SheetError(f"no room for {width} columns from {cell_name(top, left)} on")
        reach = bottom if table is None else table.bottom
        place = f"{cell_name(top, left)}:{cell_name(reach, right)}"
        for other in self.tables:
            apart = other.right < left or right < other.left or other.bottom < top or reach < other.top
            if other is not table and not apart:
                raise SheetError(f"{place} meets the table {other.name} (a free place expected)")
        for row in range(top, reach + 1):
            for column in range(left + block.replaces, right + 1):
                if self.cell(row, column) is not None:
                    raise SheetError(f"{cell_name(row, column)} holds a value; {place} must be free (clear or move it)")
        return place
