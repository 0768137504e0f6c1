"""A worksheet that is open in Excel: read in one call, and what can be done to it (`valet_xl.hosts.surface`)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from functools import cached_property
from typing import Any

import xlwings as xw

from valet_xl.documents.cell_names import MAX_COLUMNS, MAX_ROWS, Area
from valet_xl.documents.page import Page, Table, Value, refuse_too_many
from valet_xl.errors import SheetError
from valet_xl.hosts.refusals import FILTERED, NO_SHEET_ADDED, PROTECTED
from valet_xl_excel.cells import Read, read_cells

# Values of Excel's constants: xlFillFormats, xlSrcRange, xlGeneral, xlRight, xlBottom, xlTop, xlColorIndexNone.
_FILL_FORMATS, _OWN_DATA, _GENERAL, _RIGHT, _BOTTOM, _TOP, _NO_FILL = 3, 1, 1, -4152, -4107, -4160, -4142


class ExcelSurface:
    """The worksheet that a workbook shows.

    Parameters
    ----------
    book : the workbook; without one, that from which Python was called
    """

    def __init__(self, book: xw.Book | None = None) -> None:
        self._given = book
        self._claimed: list[tuple[xw.Range, Any]] = []
        self._added: xw.Sheet | None = None

    @cached_property
    def book(self) -> xw.Book:
        """The workbook."""
        return self._given or xw.Book.caller()

    @cached_property
    def sheet(self) -> xw.Sheet:
        """The worksheet that is shown.

        Raises
        ------
        SheetError : for a sheet of another kind, such as a chart
        """
        shown = self.book.api.ActiveSheet.Name
        for sheet in self.book.sheets:
            if sheet.name == shown:
                return sheet
        raise SheetError("the sheet that is shown has no cells (show a worksheet, then try again)")

    def _range(self, area: Area) -> xw.Range:
        return (self._added or self.sheet).range(str(area))

    def read(self) -> Page:
        """Read the worksheet, all cells in one call."""
        used = self.sheet.used_range
        top, left = used.row - 1, used.column - 1
        height, width = used.shape
        refuse_too_many(top + height - 1, left + width - 1)
        rows = read_cells(used.options(ndim=2, err_to_str=True).value)
        blank: list[Read] = [None] * (left + width)
        before: list[Read] = [None] * left
        cells = [*(list(blank) for _ in range(top)), *([*before, *row] for row in rows)]
        return Page(cells, tuple(_table(table) for table in self.sheet.api.ListObjects))

    # -- what may be in the way

    def refuse(self, *, adding: bool = False) -> None:
        """Refuse what is protected, or filtered: Excel would write the first value to every visible row."""
        if adding:
            if self.book.api.ProtectStructure:
                raise SheetError(NO_SHEET_ADDED)
            return
        if self.sheet.api.ProtectContents:
            raise SheetError(PROTECTED)
        tables = [table for table in self.sheet.api.ListObjects if table.ShowAutoFilter]
        if self.sheet.api.FilterMode or any(table.AutoFilter.FilterMode for table in tables):
            raise SheetError(FILTERED)

    def size(self) -> tuple[int, int]:
        """Excel's own."""
        return MAX_ROWS, MAX_COLUMNS

    def filtered(self) -> Area | None:
        """The cells of the sheet's filter."""
        return _area(self.sheet.api.AutoFilter.Range) if self.sheet.api.AutoFilterMode else None

    def has_formula(self, area: Area) -> bool:
        """Whether there is a formula. Of an area with some Excel says None."""
        return self._range(area).api.HasFormula is not False

    def has_merged(self, area: Area) -> bool:
        """Whether there are merged cells. Of some of those that are merged Excel says None."""
        return self._range(area).api.MergeCells is not False

    # -- what is done

    @contextmanager
    def changing(self, title: str) -> Iterator[None]:
        """Excel has no step to undo for what comes over COM. If something fails, contents are put back."""
        with self.book.app.properties(screen_updating=False):
            try:
                yield
            except BaseException:
                self._put_back()
                raise
            finally:
                self._claimed, self._added = [], None

    def _put_back(self) -> None:
        """Give cells the contents that they had; a sheet that was added goes.

        Where Excel refuses one of these, the others are done all the same, and what stopped the work is what is said.
        """
        for cells, contents in self._claimed:
            with suppress(Exception):
                cells.clear_contents()
                if contents is not None:
                    cells.value = contents
        if self._added is not None:
            with suppress(Exception), self.book.app.properties(display_alerts=False):
                self._added.delete()

    def claim(self, area: Area, former: Area | None) -> None:
        """Keep what the area contains."""
        self._claimed.append((self._range(area), None))
        if former is not None:
            cells = self._range(former)
            shown = cells.options(ndim=2, err_to_str=True).value
            contents = [
                [f"'{cell}" if isinstance(cell, str) and cell[:1] != "#" else cell for cell in row] for row in shown
            ]
            self._claimed.append((cells, contents))

    def make_room(self, area: Area) -> None:
        """Excel needs nothing for it."""

    def values(self, area: Area, rows: Sequence[Sequence[Value]]) -> None:
        """Put values into cells, in one call."""
        self._range(area).value = rows

    def clear_contents(self, area: Area) -> None:
        """Take the values away."""
        self._range(area).clear_contents()

    def clear(self, area: Area) -> None:
        """Take values and looks away."""
        self._range(area).clear()

    def end_table(self, area: Area, name: str, totals: bool) -> None:
        """Let a table end with a column. One with totals is not resized, but gets columns or loses them."""
        changed = self.sheet.api.ListObjects(name)
        if not totals:
            changed.Resize(self._range(area).api)
            return
        columns, wanted = changed.ListColumns, area.right - area.left + 1
        for at in range(columns.Count, wanted, -1):
            columns(at).Delete()
        for _ in range(columns.Count, wanted):
            columns.Add()

    def delete_columns(self, area: Area, name: str) -> None:
        """Delete columns of a table."""
        table = self.sheet.api.ListObjects(name)
        columns, first = table.ListColumns, table.Range.Column - 1
        for at in range(area.right, area.left - 1, -1):
            columns(at - first + 1).Delete()

    def filter(self, area: Area) -> None:
        """Filter another area, all rows shown."""
        self.sheet.api.AutoFilterMode = False
        self._range(area).api.AutoFilter()

    def unhide(self, area: Area) -> None:
        """Show columns."""
        self._range(area).api.EntireColumn.Hidden = False

    def looks(self, area: Area) -> None:
        """Fill with the looks of the column left of the area: the clipboard is the user's.

        Filling selects cells, and Excel raises events for it, though no value changes.
        """
        model = self._range(Area(area.top, area.left - 1, area.bottom, area.left - 1)).api
        app = self.book.app.api
        window, selection = app.ActiveWindow, app.Selection
        row, column = window.ScrollRow, window.ScrollColumn
        try:
            with self.book.app.properties(enable_events=False):
                filled = self._range(Area(area.top, area.left - 1, area.bottom, area.right))
                model.AutoFill(filled.api, _FILL_FORMATS)
        finally:
            selection.Select()
            window.ScrollRow, window.ScrollColumn = row, column
        self._range(area).api.FormatConditions.Delete()

    def plain(self, area: Area) -> None:
        """Align cells as numbers and texts are."""
        cells = self._range(area).api
        cells.HorizontalAlignment, cells.VerticalAlignment = _GENERAL, _BOTTOM
        cells.WrapText = False

    def heading(self, area: Area, like: Area) -> None:
        """Make texts bold, unless the cell that they look like has a fill."""
        if self._range(like).api.Interior.ColorIndex == _NO_FILL:
            self._range(area).api.Font.Bold = True

    def right(self, area: Area) -> None:
        """Put texts to the right."""
        self._range(area).api.HorizontalAlignment = _RIGHT

    def bold(self, area: Area) -> None:
        """Make texts bold."""
        self._range(area).api.Font.Bold = True

    def wrapped(self, area: Area) -> None:
        """Break texts into lines."""
        cells = self._range(area).api
        cells.WrapText = True
        cells.VerticalAlignment = _TOP

    def format(self, area: Area, code: str) -> None:
        """Set the number format."""
        self._range(area).number_format = code

    def widths(self, area: Area, widths: Sequence[float]) -> None:
        """Set widths of columns that have that of every column."""
        standard = (self._added or self.sheet).api.StandardWidth
        for at, width in enumerate(widths, area.left):
            entire = self._range(Area(area.top, at, area.top, at)).api.EntireColumn
            if entire.ColumnWidth == standard:
                entire.ColumnWidth = width

    def usual_width(self, area: Area) -> None:
        """Give columns the width of every column."""
        self._range(area).api.EntireColumn.UseStandardWidth = True

    def add(self, name: str) -> None:
        """Add a worksheet; it is shown, as Excel does."""
        self._added = self.book.sheets.add(name, after=self.book.sheets[-1])

    def show(self, name: str) -> None:
        """Show another worksheet."""
        self.book.sheets[name].api.Activate()

    def freeze(self, rows: int) -> None:
        """Keep the first rows in view."""
        window = self.book.app.api.ActiveWindow
        window.SplitColumn, window.SplitRow = 0, rows
        window.FreezePanes = True

    def select(self, area: Area) -> None:
        """Select cells."""
        self._range(area).select()


def _area(cells: Any) -> Area:
    top, left = cells.Row - 1, cells.Column - 1
    return Area(top, left, top + cells.Rows.Count - 1, left + cells.Columns.Count - 1)


def _table(table: Any) -> Table:
    area = _area(table.Range)
    return Table(
        top=area.top,
        left=area.left,
        bottom=area.bottom,
        right=area.right,
        name=table.Name,
        totals=int(table.ShowTotals),
        grows=bool(table.ShowHeaders) and table.SourceType == _OWN_DATA,
    )
