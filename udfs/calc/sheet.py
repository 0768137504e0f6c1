"""A sheet that is open in Calc: read in one call, and columns of cells put in or taken out, as one step to undo."""

from __future__ import annotations

import datetime
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

import uno
from com.sun.star.lang import Locale
from com.sun.star.table import CellRangeAddress

from valet_xl.documents.cell_names import Area
from valet_xl.documents.page import Cell, Page, Table, Value, refuse_too_many
from valet_xl.documents.text import in_xml
from valet_xl.errors import SheetError

if TYPE_CHECKING:  # they need numpy, which this Python may lack
    from valet_xl.documents.page import Block, Column
    from valet_xl.hosts.new_sheets import NewSheet
    from valet_xl.rankings.listing import Heading

TEXT = "@"  # the number format of texts

Values = tuple[tuple[Any, ...], ...]

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


# Classes, as an exception of UNO's cannot cross a generator: `contextlib` sets its traceback, which UNO refuses.


class Step:
    """Make all that is done inside one step for the user to undo; where it fails, it is undone.

    Parameters
    ----------
    document : the document
    title : what the step is called
    """

    def __init__(self, document: Any, title: str) -> None:
        self._document, self._title = document, title
        self._undo = document.getUndoManager()
        self._steps = 0

    def __enter__(self) -> None:
        self._steps = len(self._undo.getAllUndoActionTitles())
        self._document.lockControllers()
        self._undo.enterUndoContext(self._title)

    def __exit__(self, raised: object, *_of_it: object) -> None:
        try:
            self._undo.leaveUndoContext()
            if raised is not None and len(self._undo.getAllUndoActionTitles()) > self._steps:
                self._undo.undo()
                self._undo.clearRedo()
        finally:
            self._document.unlockControllers()


class Unrecorded:
    """Do what is no step to undo."""

    def __init__(self, document: Any) -> None:
        self._undo = document.getUndoManager()

    def __enter__(self) -> None:
        self._undo.lock()

    def __exit__(self, *_raised: object) -> None:
        self._undo.unlock()


def refuse_read_only(document: Any) -> None:
    """Refuse to change a document that is open to be read alone.

    Raises
    ------
    SheetError : where it is
    """
    if document.isReadonly():
        raise SheetError("the document is read-only (choose Edit, Edit Mode, or save it under another name)")


def _put(document: Any, sheet: Any, top: int, left: int, rows: Values) -> None:
    """Put values into cells, in one call, so that this can be undone.

    Calc undoes values that took the place of others, but leaves those that it put into blank cells. So the cells
    are filled first, which it undoes well, and those to be blank are cleared, since it would leave them when redoing.
    All of them then look like the first.
    """
    bottom, right = top + len(rows) - 1, left + len(rows[0]) - 1
    area = _area(sheet, top, left, bottom, right)
    area.getCellByPosition(0, 0).setValue(0.0)
    _area(sheet, top, left, bottom, left).fillSeries(_DOWN, _SIMPLE, _DAY, 0.0, 0.0)
    area.fillSeries(_ALONG, _SIMPLE, _DAY, 0.0, 0.0)
    blank = document.createInstance("com.sun.star.sheet.SheetCellRanges")
    own = sheet.getRangeAddress().Sheet
    blank.addRangeAddresses(
        tuple(
            CellRangeAddress(own, left + at, top + first, left + at, top + last)
            for at, column in enumerate(zip(*rows, strict=True))
            for first, last in _runs([cell == "" for cell in column])
        ),
        False,
    )
    blank.clearContents(_CONTENTS)
    area.setDataArray(rows)


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


def write_block(document: Any, sheet: Any, page: Page, block: Block, title: str) -> None:
    """Put columns into a sheet, all values in one call; a table that ends left of them, or with them, grows.

    Raises
    ------
    SheetError : where the columns have no free place; nothing is changed then
    """
    names, area = block.names, block.area
    top, left, bottom, right = area.top, area.left, area.bottom, area.left + len(names) - 1
    width = area.right - area.left + 1
    table = page.table_of(block)
    _refuse_taken(document, sheet, page, block, table)
    former = [page.cell(top, left + at) for at in range(block.replaces)]
    rows = [names, *zip(*(column.cells for column in block.columns), strict=True)]
    with Step(document, title):
        if table is not None:
            _end_table(document, table, right)
        _put(document, sheet, top, left, tuple(_written(row, width) for row in rows))
        _style(document, sheet, block, bottom)
        for at in range(left + block.replaces, right + 1):
            sheet.getColumns().getByIndex(at).setPropertyValue("IsVisible", True)
        _grow_filter(document, sheet, page, block)
        for at, column in enumerate(block.columns, left):
            if column.cells:
                _area(sheet, top + 1, at, bottom, at).setPropertyValue("NumberFormat", _format(document, column.format))
        if former != names:
            usual = _usual_width(sheet)
            for at, column in enumerate(block.columns, left):
                if _width(sheet, at) == usual:
                    _widen(sheet, at, _needed(sheet, top, at, column))


def _grow_filter(document: Any, sheet: Any, page: Page, block: Block) -> None:
    """Let the sheet's filter take a block's columns (see `Page.filter_with`); it is a range without a name."""
    own = sheet.getRangeAddress().Sheet
    ranges = document.getPropertyValue("UnnamedDatabaseRanges")
    if not ranges.hasByTable(own):
        return
    filtered = ranges.getByTable(own)
    area = filtered.getDataArea()
    grown = page.filter_with(Area(area.StartRow, area.StartColumn, area.EndRow, area.EndColumn), block)
    if grown is not None and filtered.getPropertyValue("AutoFilter"):
        area.EndColumn = grown.right
        filtered.setDataArea(area)


def remove_columns(
    document: Any, sheet: Any, page: Page, top: int, left: int, bottom: int, width: int, title: str
) -> None:
    """Take columns out: their cells are emptied, and a table that ends with them ends left of them.

    Parameters
    ----------
    top, bottom : the heading row, and the last row
    left, width : the first column, and how many there are

    Raises
    ------
    SheetError : where the sheet is protected or cells are merged; nothing is changed then
    """
    _refuse_protected(document, sheet)
    right = left + width - 1
    _refuse_merged(sheet, Area(top, left, bottom, right))
    table = next((table for table in page.tables if table.top == top and table.left < left <= table.right), None)
    if table is not None:
        bottom = table.bottom
    usual = _usual_width(sheet)
    with Step(document, title):
        if table is not None and table.right <= right:
            _end_table(document, table, left - 1)
        _area(sheet, top, left, bottom, right).clearContents(_EVERYTHING)
        for at in range(left, right + 1):
            if all(page.cell(row, at) is None for row in range(len(page.cells)) if not top <= row <= bottom):
                _widen(sheet, at, usual)


def add_sheet(document: Any, controller: Any, new: NewSheet) -> None:
    """Add a sheet behind all others, its headings bold and kept in view, and show it; that is one step to undo.

    Raises
    ------
    SheetError : where no sheet can be added
    """
    refuse_read_only(document)
    if document.isProtected():
        raise SheetError("no sheet can be added (Tools, Protect Spreadsheet Structure; then try again)")
    sheets = document.getSheets()
    sheets.insertNewByName(new.name, sheets.getCount())
    sheet, width, top = sheets.getByName(new.name), len(new.table.headings), new.top
    try:
        with Unrecorded(document):
            rows = [_written(row, width) for row in new.cells]
            area = _area(sheet, 0, 0, len(rows) - 1, width - 1)
            area.setDataArray(tuple(rows))
            for at, column in enumerate(new.table.headings):
                cells = _area(sheet, top, at, top + len(new.table), at)
                cells.setPropertyValue("NumberFormat", _format(document, column.format))
                if column.format != TEXT:
                    _area(sheet, top, at, top, at).setPropertyValue("HoriJustify", _RIGHT)
            if new.wrapped:
                area.setPropertyValue("IsTextWrapped", True)
                area.setPropertyValue("VertJustify", _TOP)
            for row in {0, top}:
                _area(sheet, row, 0, row, width - 1).setPropertyValue("CharWeight", _BOLD)
            for at, column in enumerate(new.table.headings):
                _widen(sheet, at, _needed(sheet, top, at, column))
            if new.wrapped:  # rows are as high as they had to be in narrower columns
                area.getRows().setPropertyValue("OptimalHeight", True)
    except Exception:
        sheets.removeByName(new.name)
        raise
    controller.setActiveSheet(sheet)
    controller.freezeAtPosition(0, top + 1)


def _refuse_taken(document: Any, sheet: Any, page: Page, block: Block, table: Table | None) -> None:
    """Make sure that the columns can be written where they belong."""
    _refuse_protected(document, sheet)
    place = page.free_place(block, table, (sheet.getRows().getCount(), sheet.getColumns().getCount()))
    written = block.area
    area = _area(sheet, written.top, written.left, written.bottom, written.right)
    if area.queryContentCells(_FORMULAS).getCount():
        raise SheetError(f"{place} contains a formula (clear or move it)")
    _refuse_merged(sheet, written)


def _refuse_merged(sheet: Any, place: Area) -> None:
    """Refuse an area that has merged cells, or cells that others cover: these Calc does not call merged."""
    area = _area(sheet, place.top, place.left, place.bottom, place.right)
    whole = sheet.createCursorByRange(area)
    whole.collapseToMergedArea()  # it grows to all cells that are merged with some of the area
    grown = whole.getRangeAddress()
    edges = grown.StartRow, grown.StartColumn, grown.EndRow, grown.EndColumn
    if area.getIsMerged() or edges != (place.top, place.left, place.bottom, place.right):
        raise SheetError(f"{place} contains merged cells (split them)")


def _refuse_protected(document: Any, sheet: Any) -> None:
    """Make sure that the sheet, and so its document, can be changed."""
    refuse_read_only(document)
    if sheet.isProtected():
        raise SheetError("the sheet is protected (Tools, Protect Sheet; then try again)")


def _style(document: Any, sheet: Any, block: Block, bottom: int) -> None:
    """Make new columns look as the column left of them, headings bold where that is plain, numbers at the right."""
    top, left, right = block.top, block.left, block.left + len(block.columns) - 1
    heading = sheet.getCellByPosition(left - 1, top)
    new = _area(sheet, top, left, top, right)
    _dress(new, heading)
    if _plain(document, heading):
        new.setPropertyValue("CharWeight", _BOLD)
    aligned = heading.getPropertyValue("HoriJustify")
    for at, column in enumerate(block.columns, left):
        cell = sheet.getCellByPosition(at, top)
        cell.setPropertyValue("HoriJustify", aligned if column.format == TEXT else _RIGHT)
    if bottom == top:
        return
    for alike in _area(sheet, top + 1, left - 1, bottom, left - 1).getUniqueCellFormatRanges():
        rows = alike.getRangeAddresses()
        ranges = document.createInstance("com.sun.star.sheet.SheetCellRanges")
        ranges.addRangeAddresses(
            tuple(CellRangeAddress(each.Sheet, left, each.StartRow, right, each.EndRow) for each in rows), False
        )
        _dress(ranges, sheet.getCellByPosition(left - 1, rows[0].StartRow))
        ranges.setPropertyValue("HoriJustify", _STANDARD)
        ranges.setPropertyValue("VertJustify", 0)
        ranges.setPropertyValue("IsTextWrapped", False)


def _dress(cells: Any, like: Any) -> None:
    """Give cells the font, fill, border and protection of another one."""
    cells.setPropertyValue(_STYLE, like.getPropertyValue(_STYLE))
    names = (*_LOOKS, *_BORDERS)
    cells.setPropertyValues(tuple(sorted(names)), like.getPropertyValues(tuple(sorted(names))))


def _plain(document: Any, cell: Any) -> bool:
    """Whether a cell looks as all cells do."""
    usual = document.getStyleFamilies().getByName("CellStyles").getByName("Default")
    return all(cell.getPropertyValue(name) == usual.getPropertyValue(name) for name in _LOOKS)


def _format(document: Any, code: str) -> int:
    """The key of a number format, written as in English."""
    formats = document.getNumberFormats()
    return int(formats.addNewConverted(code, _ENGLISH, _SYSTEM))


def _end_table(document: Any, table: Table, right: int) -> None:
    """Let a table end with a column."""
    changed = document.getPropertyValue("DatabaseRanges").getByName(table.name)
    area = changed.getDataArea()
    area.EndColumn = right
    changed.setDataArea(area)


def _written(row: Sequence[Value], width: int) -> tuple[float | str, ...]:
    """A row of cells as Calc takes them, blank to the width."""
    cells = ["" if cell is None else in_xml(cell) if isinstance(cell, str) else float(cell) for cell in row]
    return (*cells, *[""] * (width - len(cells)))


def _usual_width(sheet: Any) -> int:
    """How wide a column is that nobody set, in hundredths of a millimetre: the last one's."""
    return _width(sheet, sheet.getColumns().getCount() - 1)


def _width(sheet: Any, column: int) -> int:
    return int(sheet.getColumns().getByIndex(column).getPropertyValue("Width"))


def _widen(sheet: Any, column: int, width: int) -> None:
    sheet.getColumns().getByIndex(column).setPropertyValue("Width", width)


def _needed(sheet: Any, row: int, at: int, column: Column | Heading) -> int:
    """How wide a column should be: as it is meant, but so wide that its heading in a row, in its font, can be read."""
    heading = sheet.getCellByPosition(at, row)
    most = _hundredths(1.5 * len(column.name) + 3) * max(1.0, heading.getPropertyValue("CharHeight") / 11)
    columns = sheet.getColumns().getByIndex(at)
    columns.setPropertyValue("OptimalWidth", True)
    return max(_hundredths(column.width), min(int(columns.getPropertyValue("Width")), round(most)))


def _hundredths(characters: float) -> int:
    """A width in hundredths of a millimetre: 7 pixels a character and 5 more, as Excel counts, 96 an inch."""
    return round((characters * 7 + 5) * 2540 / 96)


def _area(sheet: Any, top: int, left: int, bottom: int, right: int) -> Any:
    """Cells by rows and columns from 0, the last ones included."""
    return sheet.getCellRangeByPosition(left, top, right, bottom)


def select(controller: Any, sheet: Any, row: int, left: int, right: int) -> None:
    """Select cells of a row, and so show them."""
    controller.select(_area(sheet, row, left, row, right))
