"""A document of plain lists that implements `OpenSheet`: it shows that the commands need no spreadsheet program."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from valet_xl.documents.cell_names import Area
from valet_xl.documents.page import Block, Page, Table
from valet_xl.documents.xlsx import Workbook
from valet_xl.errors import SheetError
from valet_xl.hosts.new_sheets import NewSheet

ROWS, COLUMNS = 10_000, 1_000


@dataclass
class ListPage:
    """One sheet: cells from A1 on, its tables, and what may be in the way of scores, by row and column."""

    cells: list[list[Any]] = field(default_factory=list)
    tables: list[Table] = field(default_factory=list)
    formulas: set[tuple[int, int]] = field(default_factory=set)
    merged: set[tuple[int, int]] = field(default_factory=set)
    protected: bool = False

    def put(self, row: int, column: int, value: object) -> None:
        """Set a cell."""
        self.cells += [[] for _ in range(row + 1 - len(self.cells))]
        cells = self.cells[row]
        cells += [None] * (column + 1 - len(cells))
        cells[column] = float(value) if isinstance(value, int) and not isinstance(value, bool) else value

    def end_table(self, table: Table, right: int) -> None:
        """Let a table end with a column."""
        self.tables = [replace(each, right=right) if each.name == table.name else each for each in self.tables]


class ListSheet:
    """The document, and the sheet of it that is shown.

    Parameters
    ----------
    path : an .xlsx file, of which the cells and tables are read
    """

    host, version = "The list", "0"

    def __init__(self, path: Path) -> None:
        book = Workbook.open(path)
        self.sheets: dict[str, ListPage] = {}
        for name in book.sheet_names:
            read = book.read(name)
            self.sheets[name] = ListPage([list(row) for row in read.cells], list(read.tables))
        self.shown = book.active
        self.kept: dict[str, str] = {}
        self.selected = (0, 0, 0)
        self.status = ""
        self.failing: Exception | None = None

    @property
    def page(self) -> ListPage:
        """The sheet that is shown."""
        return self.sheets[self.shown]

    def read(self) -> Page:
        """Copy the cells."""
        return Page([list(row) for row in self.page.cells], tuple(self.page.tables))

    def write(self, page: Page, block: Block) -> None:
        """Put columns into the sheet."""
        if self.failing is not None:
            raise self.failing
        area, table = block.area, page.table_of(block)
        self._refuse_protected()
        place = page.free_place(block, table, (ROWS, COLUMNS))
        cells = {(row, at) for row in range(area.top, area.bottom + 1) for at in range(area.left, area.right + 1)}
        if cells & self.page.formulas:
            raise SheetError(f"{place} contains a formula (clear or move it)")
        self._refuse_merged(area)
        if table is not None:
            self.page.end_table(table, block.left + len(block.columns) - 1)
        for row, at in cells:
            self.page.put(row, at, None)
        for at, column in enumerate(block.columns, block.left):
            for row, value in enumerate([column.name, *column.cells], block.top):
                self.page.put(row, at, value)

    def remove(self, page: Page, top: int, left: int, bottom: int, width: int) -> None:
        """Empty columns; a table that ends with them ends left of them."""
        self._refuse_protected()
        self._refuse_merged(Area(top, left, bottom, left + width - 1))
        table = next((each for each in page.tables if each.top == top and each.left < left <= each.right), None)
        if table is not None:
            bottom = table.bottom
            if table.right < left + width:
                self.page.end_table(table, left - 1)
        for row in range(top, bottom + 1):
            for at in range(left, left + width):
                self.page.put(row, at, None)

    def _refuse_merged(self, place: Area) -> None:
        rows, columns = range(place.top, place.bottom + 1), range(place.left, place.right + 1)
        if any(row in rows and at in columns for row, at in self.page.merged):
            raise SheetError(f"{place} contains merged cells (split them)")

    def _refuse_protected(self) -> None:
        if self.page.protected:
            raise SheetError("the sheet is protected")

    def sheet_names(self) -> list[str]:
        """The names of the sheets."""
        return list(self.sheets)

    def add(self, new: NewSheet) -> None:
        """Add a sheet, and show it."""
        self.sheets[new.name] = ListPage()
        self.shown = new.name
        for row, cells in enumerate(new.cells):
            for at, value in enumerate(cells):
                self.page.put(row, at, value)

    def show(self, name: str) -> None:
        """Show another sheet."""
        self.shown = name

    def select(self, row: int, left: int, right: int) -> None:
        """Select cells of a row."""
        self.selected = (row, left, right)

    def recall(self, name: str) -> str:
        """The text under a name."""
        return self.kept.get(name, "")

    def remember(self, name: str, text: str) -> None:
        """Keep a text under a name."""
        self.kept[name] = text

    def progress(self, text: str) -> None:
        """Show what is being done."""
        self.status = text

    def end_progress(self, failed: bool) -> None:
        """Show nothing of what failed."""
        if failed:
            self.status = ""

    def about(self) -> list[str]:
        """One line."""
        return ["Lists 1"]

    def reason(self, error: Exception) -> str:
        """What the list says about an error of its own, which is any `OSError`."""
        return str(error) if isinstance(error, OSError) else ""
