"""The hosts that the commands are tried in, each asked in the same way.

They are Excel in memory, a real Calc, the add-in for Excel by Office.js in a real browser, and plain lists.

Areas are named as in sheets, such as A1:B2. Cells are numbers as floats, texts, and None for a blank.
"""

from __future__ import annotations

import json
from abc import ABC, abstractmethod
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import chain
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Any

import pytest
from browser import chromium, needs_chromium
from list_sheet import ListPage, ListSheet
from office import Calc, calc, needs_calc
from office_js import addin, workbook
from vba_host import Chart, Host
from win32_standins import windows

from valet_xl.documents.cell_names import Area, cell_name
from valet_xl.documents.page import Page
from valet_xl.engine.options import OPTIONS, Options
from valet_xl.hosts import commands
from valet_xl.hosts.settings import REMEMBERED

if TYPE_CHECKING:
    from playwright.sync_api import Page

SEEN = "A1:Z20"
"""What is compared of a sheet."""

Cells = list[list[Any]]


class Tried(ABC):
    """A host with one workbook open, whose first sheet is called Results."""

    @abstractmethod
    def open(self, path: Path) -> None:
        """Open a workbook; one that was open is closed without saving."""

    def close(self) -> None:  # noqa: B027 - only a program that locks files has to
        """Close the workbook without saving, before something else uses its file."""

    @abstractmethod
    def do(self, address: str) -> str:
        """Do a command, or choose an option; gives the message."""

    @abstractmethod
    def cells(self, area: str = SEEN, sheet: str | None = None) -> Cells:
        """The cells of an area of the sheet that is shown, or of another one."""

    @abstractmethod
    def put(self, area: str, rows: Cells) -> None:
        """Fill an area."""

    @abstractmethod
    def formula(self, cell: str) -> None:
        """Put a formula into a cell."""

    @abstractmethod
    def clear(self, area: str) -> None:
        """Empty an area."""

    @abstractmethod
    def merge(self, area: str) -> None:
        """Make one cell of an area."""

    @abstractmethod
    def protect(self) -> None:
        """Protect the sheet."""

    @abstractmethod
    def hide(self, column: int) -> None:
        """Hide a column, which counts from 0."""

    @abstractmethod
    def hidden(self) -> list[int]:
        """Which of the first 26 columns are hidden."""

    def hide_rows(self) -> None:  # noqa: B027 - the program reads it from the file
        """Let the filter that the file has hide rows."""

    def read_only(self) -> None:  # noqa: B027 - Calc alone knows it
        """Let nobody change the document."""

    @abstractmethod
    def select(self, area: str) -> None:
        """Select an area."""

    @abstractmethod
    def selected(self) -> str:
        """The area that is selected."""

    @abstractmethod
    def sheets(self) -> list[str]:
        """The names of the sheets."""

    @abstractmethod
    def shown(self) -> str:
        """The name of the sheet that is shown."""

    @abstractmethod
    def show(self, name: str) -> None:
        """Show a sheet."""

    @abstractmethod
    def tables(self) -> list[tuple[str, str]]:
        """The names of the tables, and where they are."""

    @abstractmethod
    def looks(self) -> object:
        """What the cells are, and how they look."""

    @abstractmethod
    def widths(self) -> object:
        """The widths of the columns."""

    @abstractmethod
    def rest(self) -> object:
        """What a command must leave as it was where it fails: such as the status bar, or the steps to undo."""

    @abstractmethod
    def chosen(self, address: str) -> bool | None:
        """Whether an option is what the document remembers."""

    @abstractmethod
    def keep(self, name: str, text: str) -> None:
        """Let the document have a name of ours with any text."""

    def choose(self, options: Options) -> None:
        """Choose every option that a document remembers, as a user does."""
        for name in REMEMBERED:
            value = getattr(options, name)
            if not OPTIONS[name].is_switch:
                assert self.do(f"{name}.{value}") == ""
            elif self.chosen(name) != value:
                assert self.do(name) == ""

    def choices(self) -> Options:
        """What the document remembers, as the menu shows it."""
        found: dict[str, Any] = {}
        for name in REMEMBERED:
            option = OPTIONS[name]
            if option.is_switch:
                found[name] = self.chosen(name)
            else:
                (found[name],) = [word for word in option.words if self.chosen(f"{name}.{word}")]
        return Options(**found)

    def state(self) -> tuple[object, ...]:
        """All that is compared of a sheet."""
        return self.looks(), self.widths(), self.tables()


class TriedCalc(Tried):
    """Calc, through the addresses of its menu."""

    def __init__(self, calc: Calc) -> None:
        self.calc = calc

    def open(self, path: Path) -> None:
        self.path = str(path)
        self.calc.open(self.path)

    def close(self) -> None:
        self.calc.close()

    def do(self, address: str) -> str:
        return str(self.calc.dispatch(f"valetxl:{address}"))

    def cells(self, area: str = SEEN, sheet: str | None = None) -> Cells:
        return [[None if cell == "" else cell for cell in row] for row in self.calc.cells(area, sheet)]

    def put(self, area: str, rows: Cells) -> None:
        self.calc.put(area, [["" if cell is None else cell for cell in row] for row in rows])

    def formula(self, cell: str) -> None:
        self.calc.plain_formula(cell, "=1+1")

    def clear(self, area: str) -> None:
        self.calc.clear(area)

    def merge(self, area: str) -> None:
        self.calc.merge(area)

    def protect(self) -> None:
        self.calc.protect()

    def hide(self, column: int) -> None:
        name = cell_name(0, column)
        self.calc.hide(f"{name}:{name}")

    def hidden(self) -> list[int]:
        return [at for at, shown in enumerate(self.calc.shown_columns()) if not shown]

    def read_only(self) -> None:
        self.calc.open(self.path, read_only=True)

    def select(self, area: str) -> None:
        self.calc.select(area)

    def selected(self) -> str:
        return str(self.calc.selected())

    def sheets(self) -> list[str]:
        return list(self.calc.sheets())

    def shown(self) -> str:
        return str(self.calc.shown_sheet())

    def show(self, name: str) -> None:
        self.calc.show(name)

    def tables(self) -> list[tuple[str, str]]:
        return [(name, str(Area(*corners))) for name, corners in self.calc.tables()]

    def looks(self) -> object:
        return self.calc.looks(SEEN)

    def widths(self) -> object:
        return self.calc.widths()

    def rest(self) -> object:
        return self.calc.steps()

    def chosen(self, address: str) -> bool | None:
        ticked: bool | None = self.calc.ticked(f"valetxl:{address}")
        return ticked

    def keep(self, name: str, text: str) -> None:
        self.calc.add_name(name, text)


class TriedExcel(Tried):
    """Excel in memory, through what the ribbon's VBA calls.

    Attributes
    ----------
    host, book : the stand-in, and the workbook as xlwings gives it
    """

    def __init__(self, xw: ModuleType) -> None:
        self._xw = xw

    def open(self, path: Path) -> None:
        self.host = Host(self._xw)
        self.host.book = self.host.app.open_workbook(path)
        self.book = self.host.xlwings_book(self.host.book)

    @property
    def sheet(self) -> Any:
        """The sheet that is shown, as xlwings gives it."""
        return self.book.sheets[self.shown()]

    def do(self, address: str) -> str:
        from valet_xl_excel import ribbon

        return ribbon.run(address, book=self.book)

    def cells(self, area: str = SEEN, sheet: str | None = None) -> Cells:
        value = self.book.sheets[sheet or self.shown()].range(area).options(ndim=2, err_to_str=True).value
        return [[None if cell == "" else cell for cell in row] for row in value]

    def put(self, area: str, rows: Cells) -> None:
        self.sheet.range(area).value = rows

    def formula(self, cell: str) -> None:
        self.sheet.range(cell).formula = "=1+1"

    def clear(self, area: str) -> None:
        self.sheet.range(area).clear()

    def merge(self, area: str) -> None:
        self.sheet.range(area).merge()

    def protect(self) -> None:
        self.sheet.api.Protect()

    def hide(self, column: int) -> None:
        self.sheet.api.Columns(column + 1).Hidden = True

    def hidden(self) -> list[int]:
        return [at for at in range(26) if self.sheet.api.Columns(at + 1).Hidden]

    def hide_rows(self) -> None:
        self.sheet.used_range.api.AutoFilter(1, "1")

    def select(self, area: str) -> None:
        self.sheet.range(area).select()

    def selected(self) -> str:
        return str(self.host.selected)

    def sheets(self) -> list[str]:
        return [sheet.name for sheet in self.book.sheets]

    def shown(self) -> str:
        return str(self.host.book.active_sheet.name)

    def show(self, name: str) -> None:
        self.book.sheets[name].api.Activate()

    def show_chart(self) -> None:
        """Show a sheet that is a chart."""
        self.host.book.__dict__["chart"] = Chart()

    def tables(self) -> list[tuple[str, str]]:
        return [(each.Name, each.Range.GetAddress().replace("$", "")) for each in self.sheet.api.ListObjects]

    def columns_of_tables(self) -> list[list[str]]:
        """The headings of each table."""
        return [[column.Name for column in each.ListColumns] for each in self.sheet.api.ListObjects]

    def looks(self) -> object:
        cells = self.sheet.api
        found = []
        for row in range(1, 19):
            for column in range(1, 21):
                cell = cells.Cells(row, column)
                font = cell.Font.Bold, cell.Font.Italic, cell.Font.Color
                how = None if cell.Value is None else (cell.NumberFormat, cell.HorizontalAlignment, *font)
                found.append((row, column, cell.Value, cell.Interior.Color, how))
        return found, self.columns_of_tables()

    def widths(self) -> object:
        return [self.sheet.api.Columns(column).ColumnWidth for column in range(1, 27)]

    def rest(self) -> object:
        application = self.host.app.application
        return application.screen_updating, application.status_bar

    def chosen(self, address: str) -> bool | None:
        from valet_xl_excel.ribbon import ExcelSheet

        return commands.chosen(address, ExcelSheet(self.book))

    def keep(self, name: str, text: str) -> None:
        self.book.names.add(name, f"={text}")


class TriedOffice(Tried):
    """Excel by Office.js: the add-in's JavaScript in Chromium, on a stand-in for Excel's API."""

    def __init__(self, page: Page) -> None:
        self.page = page

    def ask(self, name: str, *given: object) -> Any:
        """Call a function of the stand-in."""
        # As text: what Playwright carries takes seconds for a large sheet.
        code = "async ([name, given]) => JSON.stringify((await window.standin[name](...JSON.parse(given))) ?? null)"
        return json.loads(self.page.evaluate(code, [name, json.dumps(given)]), parse_int=float)

    def open(self, path: Path) -> None:
        self.ask("open", workbook(path))
        self.page.evaluate("() => document.getElementById('status').replaceChildren()")  # each document has its pane

    def do(self, address: str) -> str:
        return str(self.page.evaluate("async (address) => (await import('./pane.js')).run(address)", address))

    def cells(self, area: str = SEEN, sheet: str | None = None) -> Cells:
        return [[None if cell == "" else cell for cell in row] for row in self.ask("cells", area, sheet)]

    def put(self, area: str, rows: Cells) -> None:
        self.ask("put", area, rows)

    def formula(self, cell: str) -> None:
        self.formula_in(cell, "=1+1")

    def formula_in(self, cell: str, text: str) -> None:
        """Type a formula."""
        self.ask("formula", cell, text)

    def settled(self, area: str) -> Cells:
        """The cells of an area after all formulas were computed."""
        self.page.evaluate("() => window.standin.settled()")
        return self.cells(area)

    def clear(self, area: str) -> None:
        self.ask("clear", area)

    def merge(self, area: str) -> None:
        self.ask("merge", area)

    def protect(self) -> None:
        self.ask("protect")

    def hide(self, column: int) -> None:
        self.ask("hideColumn", column)

    def hidden(self) -> list[int]:
        return [int(column) for column in self.ask("hiddenColumns") if column < 26]

    def select(self, area: str) -> None:
        self.ask("select", area)

    def selected(self) -> str:
        return str(self.ask("selected"))

    def sheets(self) -> list[str]:
        return list(self.ask("sheets"))

    def shown(self) -> str:
        return str(self.ask("shown"))

    def show(self, name: str) -> None:
        self.ask("show", name)

    def tables(self) -> list[tuple[str, str]]:
        return [(name, area) for name, area in self.ask("tables")]

    def looks(self) -> object:
        return self.ask("looks", SEEN)

    def widths(self) -> object:
        return self.ask("widths")

    def rest(self) -> object:
        return self.page.text_content("#status")

    def chosen(self, address: str) -> bool | None:
        name, _, word = address.partition(".")
        value = self.page.evaluate("async () => (await import('./pane.js')).choices()").get(name)
        return value == word if word else value

    def keep(self, name: str, text: str) -> None:
        self.ask("keep", name, f"={text}")


class TriedLists(Tried):
    """Plain lists, in place of a browser."""

    def open(self, path: Path) -> None:
        self.sheet = ListSheet(path)

    def do(self, address: str) -> str:
        return commands.run(address, self.sheet)

    def _page(self, sheet: str | None = None) -> ListPage:
        return self.sheet.sheets[sheet or self.sheet.shown]

    def cells(self, area: str = SEEN, sheet: str | None = None) -> Cells:
        page = Page(self._page(sheet).cells)
        found = Area.parse(area)
        columns = range(found.left, found.right + 1)
        return [[page.cell(row, column) for column in columns] for row in range(found.top, found.bottom + 1)]

    def put(self, area: str, rows: Cells) -> None:
        for (row, column), value in zip(_places(area), chain.from_iterable(rows), strict=True):
            self._page().put(row, column, value)

    def formula(self, cell: str) -> None:
        self._page().formulas |= set(_places(cell))
        self.put(cell, [[2.0]])

    def clear(self, area: str) -> None:
        for row, column in _places(area):
            self._page().put(row, column, None)

    def merge(self, area: str) -> None:
        self._page().merged |= set(_places(area))

    def protect(self) -> None:
        self._page().protected = True

    def hide(self, column: int) -> None:
        self._page().hidden.add(column)

    def hidden(self) -> list[int]:
        return sorted(self._page().hidden)

    def select(self, area: str) -> None:
        self.sheet.selected = Area.parse(area)

    def selected(self) -> str:
        return str(self.sheet.selected)

    def sheets(self) -> list[str]:
        return self.sheet.sheet_names()

    def shown(self) -> str:
        return self.sheet.shown

    def show(self, name: str) -> None:
        self.sheet.show(name)

    def tables(self) -> list[tuple[str, str]]:
        return [(each.name, str(each)) for each in self._page().tables]

    def looks(self) -> object:
        return self.cells()

    def widths(self) -> object:
        return None

    def rest(self) -> object:
        return self.sheet.status

    def chosen(self, address: str) -> bool | None:
        return commands.chosen(address, self.sheet)

    def keep(self, name: str, text: str) -> None:
        self.sheet.kept[name] = text


def _places(area: str) -> Iterator[tuple[int, int]]:
    found = Area.parse(area)
    rows, columns = range(found.top, found.bottom + 1), range(found.left, found.right + 1)
    return ((row, column) for row in rows for column in columns)


# -- each host for as long as tests use it


@contextmanager
def _excel(_profile: Path) -> Iterator[Tried]:
    with windows() as xw:
        yield TriedExcel(xw)


@contextmanager
def _calc(profile: Path) -> Iterator[Tried]:
    with calc(profile) as running:
        yield TriedCalc(running)


@contextmanager
def _office(_profile: Path) -> Iterator[Tried]:
    with chromium() as browser, addin(browser) as page:
        yield TriedOffice(page)


@contextmanager
def _lists(_profile: Path) -> Iterator[Tried]:
    yield TriedLists()


HOSTS = [
    pytest.param(_excel, id="excel"),
    pytest.param(_calc, id="calc", marks=needs_calc),
    pytest.param(_office, id="office.js", marks=needs_chromium),
    pytest.param(_lists, id="lists"),
]
"""Every host: what opens it, given a folder for its profile."""
