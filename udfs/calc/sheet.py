"""A sheet that is open in Calc: read in one call, and what can be done to it (`valet_xl.hosts.surface`)."""

from __future__ import annotations

import datetime
from collections.abc import Iterator, Sequence
from typing import Any

import uno
from com.sun.star.lang import Locale
from com.sun.star.table import CellRangeAddress

from valet_xl.documents.cell_names import Area
from valet_xl.documents.page import Cell, Page, Table, Value, refuse_too_many
from valet_xl.documents.text import in_xml
from valet_xl.errors import SheetError
from valet_xl.hosts.refusals import NO_SHEET_ADDED_IN_CALC, PROTECTED_IN_CALC, READ_ONLY_IN_CALC

# Kinds of cells' contents: com.sun.star.sheet.CellFlags and FormulaResult.
_DATES, _FORMULAS, _CONTENTS, _EVERYTHING = 2, 16, 1 | 2 | 4 | 16, 1023
_ERRORS = 4

# How cells are filled with the value of the first: downwards and along a row, all alike.
_DOWN, _ALONG = (uno.Enum("com.sun.star.sheet.FillDirection", name) for name in ("TO_BOTTOM", "TO_RIGHT"))
_SIMPLE = uno.Enum("com.sun.star.sheet.FillMode", "SIMPLE")
_DAY = uno.Enum("com.sun.star.sheet.FillDateMode", "FILL_DATE_DAY")

# What makes new cells look like the column left of them; their number format and alignment are their own.
_STYLE = "CellStyle"
_LOOKS = (
    "CellBackColor",
    "CellProtection",
    "CharColor",
    "CharFontName",
    "CharHeight",
    "CharPosture",
    "CharStrikeout",
    "CharUnderline",
    "CharWeight",
)
_BORDERS = ("TopBorder2", "BottomBorder2", "LeftBorder2", "RightBorder2")
_ALIGNED = ("HoriJustify", "VertJustify", "IsTextWrapped")
_BOLD, _TOP = 150.0, 1
_STANDARD, _RIGHT = (uno.Enum("com.sun.star.table.CellHoriJustify", name) for name in ("STANDARD", "RIGHT"))
_ENGLISH, _SYSTEM = Locale("en", "US", ""), Locale()


def read_page(document: Any, sheet: Any) -> Page:
    """Read a sheet, all values in one call.

    Raises
    ------
    SheetError : where it is so large that reading would not end
    """
    cursor = sheet.createCursor()
    cursor.gotoEndOfUsedArea(False)
    end = cursor.getRangeAddress()
    refuse_too_many(end.EndRow, end.EndColumn)
    used = _area(sheet, 0, 0, end.EndRow, end.EndColumn)
    cells: list[list[Cell]] = [[None if cell == "" else cell for cell in row] for row in used.getDataArray()]
    for row, column in _places(used.queryFormulaCells(_ERRORS)):
        cells[row][column] = sheet.getCellByPosition(column, row).getString()  # such as #N/A
    start = document.getPropertyValue("NullDate")
    first = datetime.datetime(start.Year, start.Month, start.Day)
    for row, column in _places(used.queryContentCells(_DATES)):
        cells[row][column] = _date(first, cells[row][column])
    return Page(cells, tuple(_tables(document, sheet)))


def _places(ranges: Any) -> Iterator[tuple[int, int]]:
    """The rows and columns of cells that were looked for."""
    for found in ranges.getRangeAddresses():
        for row in range(found.StartRow, found.EndRow + 1):
            for column in range(found.StartColumn, found.EndColumn + 1):
                yield row, column


def _date(first: datetime.datetime, days: Cell) -> Cell:
    """A date, time, or both, from the days since a document's first; what lies beyond all dates stays a number."""
    if not isinstance(days, float):
        return days
    try:
        moment = first + datetime.timedelta(days=days)
    except OverflowError:
        return days
    if 0 <= days < 1:
        return moment.time()
    return moment.date() if days == int(days) else moment


def _tables(document: Any, sheet: Any) -> Iterator[Table]:
    ranges = document.getPropertyValue("DatabaseRanges")
    own = sheet.getRangeAddress().Sheet
    for name in ranges.getElementNames():
        found = ranges.getByName(name)
        area = found.getDataArea()
        if area.Sheet == own and found.getPropertyValue("ContainsHeader"):
            totals = int(found.getPropertyValue("TotalsRow"))
            yield Table(area.StartRow, area.StartColumn, area.EndRow, area.EndColumn, name, totals)


class Unrecorded:
    """Do what is no step to undo."""

    def __init__(self, document: Any) -> None:
        self._undo = document.getUndoManager()

    def __enter__(self) -> None:
        self._undo.lock()

    def __exit__(self, *_raised: object) -> None:
        self._undo.unlock()


class CalcSurface:
    """A sheet of a document.

    Parameters
    ----------
    document : the document
    controller : that of a window that shows it; None for none
    sheet : the sheet; without one, that which is shown
    """

    def __init__(self, document: Any, controller: Any, sheet: Any = None) -> None:
        self.document, self.controller = document, controller
        self._sheet: Any = sheet
        self._added = ""

    @property
    def sheet(self) -> Any:
        """The sheet that is shown, or was added and is not shown yet."""
        return self._sheet or self.controller.getActiveSheet()

    def read(self) -> Page:
        """Read the sheet."""
        return read_page(self.document, self.sheet)

    def _range(self, area: Area) -> Any:
        return _area(self.sheet, area.top, area.left, area.bottom, area.right)

    # -- what may be in the way

    def refuse(self, *, adding: bool = False) -> None:
        """Refuse what is read-only or protected."""
        self.refuse_read_only()
        if adding:
            if self.document.isProtected():
                raise SheetError(NO_SHEET_ADDED_IN_CALC)
        elif self.sheet.isProtected():
            raise SheetError(PROTECTED_IN_CALC)

    def refuse_read_only(self) -> None:
        """Refuse a document that is open to be read alone."""
        if self.document.isReadonly():
            raise SheetError(READ_ONLY_IN_CALC)

    def size(self) -> tuple[int, int]:
        """The sheet's own: documents differ."""
        return self.sheet.getRows().getCount(), self.sheet.getColumns().getCount()

    def filtered(self) -> Area | None:
        """The cells of the sheet's filter."""
        filtered = self._filter()
        if filtered is None or not filtered.getPropertyValue("AutoFilter"):
            return None
        area = filtered.getDataArea()
        return Area(area.StartRow, area.StartColumn, area.EndRow, area.EndColumn)

    def _filter(self) -> Any:
        """The sheet's filter, a range without a name, or None."""
        own = self.sheet.getRangeAddress().Sheet
        ranges = self.document.getPropertyValue("UnnamedDatabaseRanges")
        return ranges.getByTable(own) if ranges.hasByTable(own) else None

    def has_formula(self, area: Area) -> bool:
        """Whether there is a formula."""
        return bool(self._range(area).queryContentCells(_FORMULAS).getCount())

    def has_merged(self, area: Area) -> bool:
        """Whether there are merged cells, or cells that others cover: these Calc does not call merged."""
        cells = self._range(area)
        whole = self.sheet.createCursorByRange(cells)
        whole.collapseToMergedArea()  # it grows to all cells that are merged with some of the area
        grown = whole.getRangeAddress()
        edges = grown.StartRow, grown.StartColumn, grown.EndRow, grown.EndColumn
        return bool(cells.getIsMerged()) or edges != (area.top, area.left, area.bottom, area.right)

    # -- what is done

    def changing(self, title: str) -> Step:
        """One step to undo, which is undone if something fails."""
        return Step(self, title)

    def claim(self, area: Area, former: Area | None) -> None:
        """Calc keeps what it can undo."""

    def make_room(self, area: Area) -> None:
        """Fill blank cells, which Calc undoes well: it would leave values that it put into them.

        All of them then look like the first.
        """
        cells = self._range(area)
        cells.getCellByPosition(0, 0).setValue(0.0)
        self._range(Area(area.top, area.left, area.bottom, area.left)).fillSeries(_DOWN, _SIMPLE, _DAY, 0.0, 0.0)
        cells.fillSeries(_ALONG, _SIMPLE, _DAY, 0.0, 0.0)

    def values(self, area: Area, rows: Sequence[Sequence[Value]]) -> None:
        """Put values into cells, in one call, so that this can be undone.

        Cells to be blank are cleared first, since Calc would leave them when redoing, and others filled (`make_room`).
        """
        written = tuple(map(_written, rows))
        cells, own = self._range(area), self.sheet.getRangeAddress().Sheet
        blank = self.document.createInstance("com.sun.star.sheet.SheetCellRanges")
        blank.addRangeAddresses(
            tuple(
                CellRangeAddress(own, area.left + at, area.top + first, area.left + at, area.top + last)
                for at, column in enumerate(zip(*written, strict=True))
                for first, last in _runs([cell == "" for cell in column])
            ),
            False,
        )
        if not self._added:
            blank.clearContents(_CONTENTS)
            for row, column in _places(cells.queryEmptyCells()):
                if written[row - area.top][column - area.left] != "":
                    self.sheet.getCellByPosition(column, row).setValue(0.0)
        cells.setDataArray(written)

    def clear_contents(self, area: Area) -> None:
        """Take the values away."""
        self._range(area).clearContents(_CONTENTS)

    def clear(self, area: Area) -> None:
        """Take values and looks away."""
        self._range(area).clearContents(_EVERYTHING)

    def end_table(self, area: Area, name: str, totals: bool) -> None:
        """Let a table end with a column. With totals, columns that it loses are emptied, as Excel deletes them."""
        changed = self.document.getPropertyValue("DatabaseRanges").getByName(name)
        found = changed.getDataArea()
        if totals and found.EndColumn > area.right:
            self.clear_contents(Area(area.top, area.right + 1, area.bottom, found.EndColumn))
        found.EndColumn = area.right
        changed.setDataArea(found)

    def delete_columns(self, area: Area, name: str) -> None:
        """Empty columns of a table, which ends left of them if they were its last ones."""
        found = self.document.getPropertyValue("DatabaseRanges").getByName(name).getDataArea()
        if found.EndColumn <= area.right:
            self.end_table(Area(area.top, found.StartColumn, found.EndRow, area.left - 1), name, False)
        self.clear(Area(area.top, area.left, found.EndRow, area.right))

    def filter(self, area: Area) -> None:
        """Let the filter end with a column."""
        filtered = self._filter()
        found = filtered.getDataArea()
        found.EndColumn = area.right
        filtered.setDataArea(found)

    def unhide(self, area: Area) -> None:
        """Show columns."""
        self._range(area).getColumns().setPropertyValue("IsVisible", True)

    def looks(self, area: Area) -> None:
        """Give cells the looks of the column left of them, all rows alike at once."""
        model = self._range(Area(area.top, area.left - 1, area.bottom, area.left - 1))
        for alike in model.getUniqueCellFormatRanges():
            rows = alike.getRangeAddresses()
            ranges = self.document.createInstance("com.sun.star.sheet.SheetCellRanges")
            ranges.addRangeAddresses(
                tuple(CellRangeAddress(each.Sheet, area.left, each.StartRow, area.right, each.EndRow) for each in rows),
                False,
            )
            like = self.sheet.getCellByPosition(area.left - 1, rows[0].StartRow)
            ranges.setPropertyValue(_STYLE, like.getPropertyValue(_STYLE))
            names = tuple(sorted((*_LOOKS, *_BORDERS, *_ALIGNED)))
            ranges.setPropertyValues(names, like.getPropertyValues(names))

    def plain(self, area: Area) -> None:
        """Align cells as numbers and texts are."""
        cells = self._range(area)
        cells.setPropertyValue("HoriJustify", _STANDARD)
        cells.setPropertyValue("VertJustify", 0)
        cells.setPropertyValue("IsTextWrapped", False)

    def heading(self, area: Area, like: Area) -> None:
        """Make texts bold, unless the cell that they look like looks other than all cells do."""
        usual = self.document.getStyleFamilies().getByName("CellStyles").getByName("Default")
        cell = self._range(like)
        if all(cell.getPropertyValue(name) == usual.getPropertyValue(name) for name in _LOOKS):
            self.bold(area)

    def right(self, area: Area) -> None:
        """Put texts to the right."""
        self._range(area).setPropertyValue("HoriJustify", _RIGHT)

    def bold(self, area: Area) -> None:
        """Make texts bold."""
        self._range(area).setPropertyValue("CharWeight", _BOLD)

    def wrapped(self, area: Area) -> None:
        """Break texts into lines; rows are as high as they need be in columns as wide as these are now."""
        cells = self._range(area)
        cells.setPropertyValue("IsTextWrapped", True)
        cells.setPropertyValue("VertJustify", _TOP)
        cells.getRows().setPropertyValue("OptimalHeight", True)

    def format(self, area: Area, code: str) -> None:
        """Set the number format."""
        key = self.document.getNumberFormats().addNewConverted(code, _ENGLISH, _SYSTEM)
        self._range(area).setPropertyValue("NumberFormat", int(key))

    def widths(self, area: Area, widths: Sequence[float]) -> None:
        """Set widths that nobody set: as meant, but so that the headings of the row, in their font, can be read."""
        usual = self._usual_width()
        for at, width in enumerate(widths, area.left):
            column = self.sheet.getColumns().getByIndex(at)
            if column.getPropertyValue("Width") == usual:
                heading = self.sheet.getCellByPosition(at, area.top)
                size = max(1.0, heading.getPropertyValue("CharHeight") / 11)
                most = _hundredths(1.5 * len(heading.getString()) + 3) * size
                column.setPropertyValue("OptimalWidth", True)
                needed = min(int(column.getPropertyValue("Width")), round(most))
                column.setPropertyValue("Width", max(_hundredths(width), needed))

    def usual_width(self, area: Area) -> None:
        """Give columns the width of one that nobody set."""
        self._range(area).getColumns().setPropertyValue("Width", self._usual_width())

    def _usual_width(self) -> int:
        """How wide a column is that nobody set, in hundredths of a millimetre: the last one's."""
        columns = self.sheet.getColumns()
        return int(columns.getByIndex(columns.getCount() - 1).getPropertyValue("Width"))

    def add(self, name: str) -> None:
        """Add a sheet. Undoing takes it away, so that nothing else that is done to it is recorded."""
        sheets = self.document.getSheets()
        sheets.insertNewByName(name, sheets.getCount())
        self._sheet, self._added = sheets.getByName(name), name
        self.document.getUndoManager().lock()

    def end_added(self, failed: bool) -> None:
        """What comes next is done to the sheet that is shown; one that was added goes if that failed."""
        if self._added:
            self.document.getUndoManager().unlock()
            if failed:
                self.document.getSheets().removeByName(self._added)
            self._sheet, self._added = None, ""

    def show(self, name: str) -> None:
        """Show another sheet."""
        self.controller.setActiveSheet(self.document.getSheets().getByName(name))

    def freeze(self, rows: int) -> None:
        """Keep the first rows in view."""
        self.controller.freezeAtPosition(0, rows)

    def select(self, area: Area) -> None:
        """Select cells."""
        self.controller.select(self._range(area))


class Step:
    """Make all that is done inside one step for the user to undo; where it fails, it is undone.

    This is no generator: an exception of UNO's cannot cross one, as `contextlib` sets its traceback, which UNO refuses.

    Parameters
    ----------
    surface : the sheet
    title : what the step is called
    """

    def __init__(self, surface: CalcSurface, title: str) -> None:
        self._surface, self._title = surface, title
        self._undo = surface.document.getUndoManager()
        self._steps = 0

    def __enter__(self) -> None:
        self._steps = len(self._undo.getAllUndoActionTitles())
        self._surface.document.lockControllers()
        self._undo.enterUndoContext(self._title)

    def __exit__(self, raised: object, *_of_it: object) -> None:
        try:
            self._surface.end_added(raised is not None)
            self._undo.leaveUndoContext()
            if raised is not None and len(self._undo.getAllUndoActionTitles()) > self._steps:
                self._undo.undo()
                self._undo.clearRedo()
        finally:
            self._surface.document.unlockControllers()


def _runs(marks: Sequence[bool]) -> Iterator[tuple[int, int]]:
    """The first and last places of what is marked without a gap.

    >>> list(_runs([True, True, False, True]))
    [(0, 1), (3, 3)]
    """
    first = None
    for at, mark in enumerate([*marks, False]):
        if mark and first is None:
            first = at
        elif not mark and first is not None:
            yield first, at - 1
            first = None


def _written(row: Sequence[Value]) -> tuple[float | str, ...]:
    """A row of cells as Calc takes them."""
    return tuple("" if cell is None else in_xml(cell) if isinstance(cell, str) else float(cell) for cell in row)


def _hundredths(characters: float) -> int:
    """A width in hundredths of a millimetre: 7 pixels a character and 5 more, as Excel counts, 96 an inch."""
    return round((characters * 7 + 5) * 2540 / 96)


def _area(sheet: Any, top: int, left: int, bottom: int, right: int) -> Any:
    """Cells by rows and columns from 0, the last ones included."""
    return sheet.getCellRangeByPosition(left, top, right, bottom)
