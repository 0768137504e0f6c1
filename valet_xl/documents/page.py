"""A sheet as it was read: its cells and tables, and where a block of columns may be written."""

from __future__ import annotations

import datetime
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from valet_xl.documents.cell_names import Area, cell_name
from valet_xl.errors import SheetError

Value = float | int | str | None
"""What is written into a cell; None is blank."""
Cell = float | int | str | datetime.date | datetime.time | datetime.timedelta | None
"""What a cell contains; None is blank, and an error is its text, such as '#VALUE!'."""

MADE = datetime.datetime(2000, 1, 1)
"""When every new workbook says that it was made, so that the same results give the same bytes on any day."""

TEXT = "@"
"""The number format of texts."""
MOST_CELLS = 5_000_000
"""How many cells are read from a sheet that is open: Python alone takes up to about one second per million."""


def refuse_too_many(bottom: int, right: int) -> None:
    """Refuse a sheet that is used to this row and column, from 0, before its cells are read.

    Raises
    ------
    SheetError : where reading it would take the host a long time
    """
    count = (bottom + 1) * (right + 1)
    if count > MOST_CELLS:
        raise SheetError(
            f"the sheet is used to {cell_name(bottom, right)}, which makes {count:,} cells (at most {MOST_CELLS:,}: "
            "delete the empty rows and columns after the results, save, and try again)"
        )


@dataclass(frozen=True, slots=True)
class Column:
    """A column to be written: its heading, how it looks, and a cell for each row under the heading row."""

    name: str
    format: str  # a spreadsheet number format: "0", "0.00" ..., or "@" for text
    width: float  # in characters
    cells: list[Value]


@dataclass(frozen=True, slots=True)
class Block:
    """Columns next to each other at one place of a sheet. Rows and columns count from 0.

    top : the heading row
    left : the first column
    replaces : how many columns, from `left`, an earlier scoring wrote there
    """

    top: int
    left: int
    columns: tuple[Column, ...]
    replaces: int

    @property
    def names(self) -> list[str]:
        """The columns' headings."""
        return [column.name for column in self.columns]

    @property
    def area(self) -> Area:
        """The cells that are written, headings included, and those of an earlier scoring right of them."""
        height = max((len(column.cells) for column in self.columns), default=0)
        width = max(len(self.columns), self.replaces)
        return Area(self.top, self.left, self.top + height, self.left + width - 1)


@dataclass(frozen=True, slots=True)
class Table(Area):
    """A table that the spreadsheet program keeps, such as an Excel table.

    totals : how many rows at its bottom are totals
    grows : whether it may get more columns: it has headings, and no query fills it
    """

    name: str
    totals: int = 0
    grows: bool = True

    def takes(self, block: Block, names: Iterable[str], headings: Iterable[str]) -> bool:
        """Whether a block's columns become part of the table.

        Parameters
        ----------
        block : the columns
        names : their headings
        headings : those of the table's columns left of the block, written in the same way

        Notes
        -----
        They do if the headings are in one row, the table ends left of the block or with the columns that it replaces,
        at or below its last row, and no heading is another column's.
        """
        kept = {heading.casefold() for heading in headings}
        return (
            self.grows
            and bool(kept)
            and self.top == block.top
            and self.right in (block.left - 1, block.left + block.replaces - 1)
            and block.area.bottom <= self.bottom - self.totals
            and not kept & {name.casefold() for name in names}
        )


@dataclass(frozen=True, slots=True)
class Page:
    """A sheet: rows of cells from the first row and column on, and its tables."""

    cells: Sequence[Sequence[Cell]]
    tables: tuple[Table, ...] = ()

    def cell(self, row: int, column: int) -> Cell:
        """A cell; blank outside of what is used."""
        return self.cells[row][column] if row < len(self.cells) and column < len(self.cells[row]) else None

    def table_of(self, block: Block) -> Table | None:
        """The table that a block's columns become part of (see `Table.takes`)."""
        for table in self.tables:
            headings = [str(self.cell(table.top, at)) for at in range(table.left, block.left)]
            if table.takes(block, block.names, headings):
                return table
        return None

    def filter_with(self, filtered: Area, block: Block) -> Area | None:
        """The area that a sheet's filter needs for a block: it sorts its own columns alone, and scores must go along.

        Parameters
        ----------
        filtered : the cells that it filters, the heading row included
        block : the columns

        Returns
        -------
        the area with the block's columns; None where the filter has them already, is that of other rows, or there is a
        column without a heading between
        """
        between = range(filtered.right + 1, block.left)
        if (
            filtered.top != block.top
            or filtered.left >= block.left
            or filtered.right >= block.left + block.replaces
            or any(self.cell(block.top, column) is None for column in between)
        ):
            return None
        grown = replace(filtered, right=block.left + len(block.columns) - 1)
        return None if grown == filtered else grown

    def free_place(self, block: Block, table: Table | None, size: tuple[int, int]) -> Area:
        """Make sure that a block's place is free, and give it, down to the end of the table that it becomes part of.

        Parameters
        ----------
        block : the columns
        table : the table that they become part of
        size : the rows and columns that a sheet has

        Raises
        ------
        SheetError : where there is no room, another table, or a value
        """
        area = block.area
        if area.bottom >= size[0] or area.right >= size[1]:
            width = area.right - area.left + 1
            raise SheetError(f"no room for {width} columns from {cell_name(block.top, block.left)} on")
        place = area if table is None else replace(area, bottom=table.bottom)
        for other in self.tables:
            if other is not table and other.meets(place):
                raise SheetError(f"{place} meets the table {other.name} (a free place expected)")
        taken = self._first_in(replace(place, left=place.left + block.replaces))
        if taken is not None:
            raise SheetError(f"{cell_name(*taken)} contains a value; {place} must be free (clear or move it)")
        return place

    def _first_in(self, area: Area) -> tuple[int, int] | None:
        """The row and column of the first cell of an area in which there is something; None where there is none."""
        from valet_xl.documents.cell_rows import CellRows  # noqa: PLC0415 - it needs numpy, which a host may lack

        rows, columns = range(area.top, area.bottom + 1), range(area.left, area.right + 1)
        if isinstance(self.cells, CellRows):
            return self.cells.first_in(rows, columns)
        return next(((row, at) for row in rows for at in columns if self.cell(row, at) is not None), None)
