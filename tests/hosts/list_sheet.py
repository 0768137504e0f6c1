"""A document of plain lists that implements `OpenSheet`: it shows that the commands need no spreadsheet program."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from copy import deepcopy
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from valet_xl.documents.cell_names import Area
from valet_xl.documents.page import Page, Table
from valet_xl.documents.xlsx import Workbook
from valet_xl.errors import SheetError
from valet_xl.hosts.refusals import PROTECTED

ROWS, COLUMNS = 10_000, 1_000


@dataclass
class ListPage:
    """One sheet: cells from A1 on, its tables, and what may be in the way of scores, by row and column."""

    cells: list[list[Any]] = field(default_factory=list)
    tables: list[Table] = field(default_factory=list)
    formulas: set[tuple[int, int]] = field(default_factory=set)
    merged: set[tuple[int, int]] = field(default_factory=set)
    hidden: set[int] = field(default_factory=set)
    protected: bool = False

    def put(self, row: int, column: int, value: object) -> None:
        """Set a cell."""
        self.cells += [[] for _ in range(row + 1 - len(self.cells))]
        cells = self.cells[row]
        cells += [None] * (column + 1 - len(cells))
        cells[column] = float(value) if isinstance(value, int) and not isinstance(value, bool) else value


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
        self.selected = Area(0, 0, 0, 0)
        self.status = ""
        self.failing: Exception | None = None

    @property
    def page(self) -> ListPage:
        """The sheet that is shown."""
        return self.sheets[self.shown]

    def read(self) -> Page:
        """Copy the cells."""
        return Page([list(row) for row in self.page.cells], tuple(self.page.tables))

    def _cells(self, area: Area) -> list[tuple[int, int]]:
        return [(row, at) for row in range(area.top, area.bottom + 1) for at in range(area.left, area.right + 1)]

    # -- what may be in the way

    def refuse(self, *, adding: bool = False) -> None:
        """Refuse a protected sheet."""
        if self.page.protected and not adding:
            raise SheetError(PROTECTED)

    def size(self) -> tuple[int, int]:
        """A list has an end too."""
        return ROWS, COLUMNS

    def filtered(self) -> Area | None:
        """Lists have no filter."""
        return None

    def has_formula(self, area: Area) -> bool:
        """Whether there is a formula."""
        return not self.page.formulas.isdisjoint(self._cells(area))

    def has_merged(self, area: Area) -> bool:
        """Whether there are merged cells."""
        return not self.page.merged.isdisjoint(self._cells(area))

    # -- what is done

    @contextmanager
    def changing(self, title: str) -> Iterator[None]:
        """Put all sheets back if something fails."""
        before, shown = deepcopy(self.sheets), self.shown
        try:
            yield
        except BaseException:
            self.sheets, self.shown = before, shown
            raise

    def values(self, area: Area, rows: Sequence[Sequence[object]]) -> None:
        """Set cells."""
        if self.failing is not None:
            raise self.failing
        for row, cells in enumerate(rows, area.top):
            for at, value in enumerate(cells, area.left):
                self.page.put(row, at, value)

    def clear_contents(self, area: Area) -> None:
        """Empty cells."""
        for row, at in self._cells(area):
            self.page.put(row, at, None)

    clear = clear_contents

    def end_table(self, area: Area, name: str, totals: bool) -> None:
        """Let a table end with a column. With totals, columns that it loses are emptied."""
        (table,) = (each for each in self.page.tables if each.name == name)
        if totals and table.right > area.right:
            self.clear_contents(replace(area, left=area.right + 1, right=table.right))
        self.page.tables = [replace(each, right=area.right) if each.name == name else each for each in self.page.tables]

    def delete_columns(self, area: Area, name: str) -> None:
        """Empty columns; a table that ends with them ends left of them."""
        (table,) = (each for each in self.page.tables if each.name == name)
        self.clear_contents(replace(area, bottom=table.bottom))
        if table.right <= area.right:
            self.end_table(replace(area, right=area.left - 1), name, False)

    def add(self, name: str) -> None:
        """Add a sheet, and show it."""
        self.sheets[name] = ListPage()
        self.shown = name

    def show(self, name: str) -> None:
        """Show another sheet."""
        self.shown = name

    def select(self, area: Area) -> None:
        """Select cells."""
        self.selected = area

    def claim(self, area: Area, former: Area | None) -> None:
        """Everything is kept."""

    def unhide(self, area: Area) -> None:
        """Show columns."""
        self.page.hidden -= set(range(area.left, area.right + 1))

    def nothing(self, *_given: object) -> None:
        """Lists have no looks."""

    make_room = filter = looks = plain = heading = right = bold = wrapped = nothing
    format = widths = usual_width = freeze = nothing

    def sheet_names(self) -> list[str]:
        """The names of the sheets."""
        return list(self.sheets)

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
