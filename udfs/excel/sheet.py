"""A worksheet that is open in Excel: read in one call, and columns of cells put in or taken out."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import xlwings as xw

from valet_xl.documents.cell_names import MAX_COLUMNS, MAX_ROWS, Area, cell_name
from valet_xl.documents.page import Block, Page, Table, refuse_too_many
from valet_xl.errors import SheetError
from valet_xl.hosts.new_sheets import TEXT, NewSheet
from valet_xl.hosts.refusals import FILTERED, PROTECTED, formula_in, merged_in
from valet_xl_excel.cells import Read, read_cells

# Values of Excel's constants: xlFillFormats, xlSrcRange, xlGeneral, xlRight, xlBottom, xlTop, xlColorIndexNone.
_FILL_FORMATS, _OWN_DATA, _GENERAL, _RIGHT, _BOTTOM, _TOP, _NO_FILL = 3, 1, 1, -4152, -4107, -4160, -4142


def read_page(sheet: xw.Sheet) -> Page:
    """Read a worksheet, all cells in one call.

    Raises
    ------
    SheetError : where it is so large that reading would not end
    """
    used = sheet.used_range
    top, left = used.row - 1, used.column - 1
    height, width = used.shape
    refuse_too_many(top + height - 1, left + width - 1)
    rows = read_cells(used.options(ndim=2, err_to_str=True).value)
    blank: list[Read] = [None] * (left + width)
    before: list[Read] = [None] * left
    cells = [*(list(blank) for _ in range(top)), *([*before, *row] for row in rows)]
    return Page(cells, tuple(_table(table) for table in sheet.api.ListObjects))


def _table(table: Any) -> Table:
    area = table.Range
    top, left = area.Row - 1, area.Column - 1
    return Table(
        top=top,
        left=left,
        bottom=top + area.Rows.Count - 1,
        right=left + area.Columns.Count - 1,
        name=table.Name,
        totals=int(table.ShowTotals),
        grows=bool(table.ShowHeaders) and table.SourceType == _OWN_DATA,
    )


def write_block(sheet: xw.Sheet, page: Page, block: Block) -> None:
    """Put columns into a worksheet, all values in one call; a table that ends left of them, or with them, grows.

    Raises
    ------
    SheetError : where the columns have no free place; nothing is changed then
    """
    names = block.names
    top, left, bottom, right = block.top, block.left, block.area.bottom, block.left + len(names) - 1
    table = page.table_of(block)
    _refuse_taken(sheet, page, block, table)
    former = [page.cell(top, left + at) for at in range(block.replaces)]
    if former and former != names:
        # A table's formulas that name a former column must not come to mean another one.
        if table is not None and table.right >= left:
            _end_table(sheet, table, left - 1)
        if table is None or not table.totals:
            _area(sheet, top, left, bottom, left + block.replaces - 1).clear_contents()
    if table is not None:
        _end_table(sheet, table, right)
    _grow_filter(sheet, page, block)
    for at in range(left + block.replaces, right + 1):
        if _area(sheet, top, at, top, at).api.EntireColumn.Hidden:
            _area(sheet, top, at, top, at).api.EntireColumn.Hidden = False
    with _selection_kept(sheet):
        if former != names:
            _widen(sheet, block)
        # What was written before keeps the look that its owner may have given it; rows that came since get theirs.
        old = [row for row in range(top, bottom + 1) if former == names and _is_filled(page, row, left, right)]
        first = max(old, default=top - 1) + 1
        if first <= bottom:
            _style(sheet, block, first, bottom)
        for at, column in enumerate(block.columns, left):
            if column.cells:
                _area(sheet, top + 1, at, bottom, at).number_format = column.format
        rows = zip(*(column.cells for column in block.columns), strict=True)
        _area(sheet, top, left, bottom, right).value = [names, *map(list, rows)]


def _grow_filter(sheet: xw.Sheet, page: Page, block: Block) -> None:
    """Let the sheet's filter, which hides no rows now, take a block's columns (see `Page.filter_with`)."""
    if not sheet.api.AutoFilterMode:
        return
    cells = sheet.api.AutoFilter.Range
    top, left = cells.Row - 1, cells.Column - 1
    filtered = Area(top, left, top + cells.Rows.Count - 1, left + cells.Columns.Count - 1)
    grown = page.filter_with(filtered, block)
    if grown is not None:
        sheet.api.AutoFilterMode = False
        sheet.range(str(grown)).api.AutoFilter()


def remove_columns(sheet: xw.Sheet, page: Page, top: int, left: int, bottom: int, width: int) -> None:
    """Take columns out: their cells are emptied, and a table that has them loses them.

    Parameters
    ----------
    top, bottom : the heading row, and the last row
    left, width : the first column, and how many there are

    Raises
    ------
    SheetError : where the sheet is protected or filtered, or cells are merged; nothing is changed then
    """
    _refuse_protected(sheet)
    _refuse_filtered(sheet)
    right = left + width - 1
    _refuse_merged(sheet, Area(top, left, bottom, right))
    table = next((table for table in page.tables if table.top == top and table.left <= left <= table.right), None)
    if table is not None and (table.right > right or table.totals):
        columns = sheet.api.ListObjects(table.name).ListColumns
        for at in range(right, left - 1, -1):
            columns(at - table.left + 1).Delete()
    else:
        if table is not None:
            _end_table(sheet, table, left - 1)
            bottom = table.bottom
        _area(sheet, top, left, bottom, right).clear()
    for at in range(left, right + 1):
        if all(page.cell(row, at) is None for row in range(len(page.cells)) if not top <= row <= bottom):
            _area(sheet, top, at, top, at).api.EntireColumn.UseStandardWidth = True


def add_sheet(book: xw.Book, new: NewSheet) -> xw.Sheet:
    """Add a sheet behind all others, its headings bold and kept in view, and show it."""
    rows, top = new.cells, new.top
    sheet = book.sheets.add(new.name, after=book.sheets[-1])
    for at, column in enumerate(new.table.headings):
        cells = _area(sheet, top, at, top + len(new.table), at)
        cells.number_format = column.format
        cells.column_width = column.width
        if column.format != TEXT:
            _area(sheet, top, at, top, at).api.HorizontalAlignment = _RIGHT
    area = _area(sheet, 0, 0, len(rows) - 1, len(rows[0]) - 1)
    area.value = rows
    if new.wrapped:
        area.api.WrapText = True
        area.api.VerticalAlignment = _TOP
    for row in {0, top}:
        _area(sheet, row, 0, row, len(rows[0]) - 1).api.Font.Bold = True
    sheet.api.Activate()
    window = book.app.api.ActiveWindow
    window.SplitColumn, window.SplitRow = 0, top + 1
    window.FreezePanes = True
    return sheet


def _refuse_taken(sheet: xw.Sheet, page: Page, block: Block, table: Table | None) -> None:
    """Make sure that the columns can be written where they belong."""
    _refuse_protected(sheet)
    _refuse_filtered(sheet)
    place = page.free_place(block, table, (MAX_ROWS, MAX_COLUMNS))
    written = block.area
    if _area(sheet, written.top, written.left, written.bottom, written.right).api.HasFormula is not False:
        raise formula_in(place)
    _refuse_merged(sheet, written)


def _refuse_merged(sheet: xw.Sheet, area: Area) -> None:
    """Refuse an area that has merged cells, or some of those that are merged. What Excel says of it is None then."""
    if _area(sheet, area.top, area.left, area.bottom, area.right).api.MergeCells is not False:
        raise merged_in(area)


def _refuse_protected(sheet: xw.Sheet) -> None:
    if sheet.api.ProtectContents:
        raise SheetError(PROTECTED)


def _refuse_filtered(sheet: xw.Sheet) -> None:
    """Refuse a sheet of which a filter hides rows: Excel would write the first value to every visible row."""
    tables = [table for table in sheet.api.ListObjects if table.ShowAutoFilter]
    if sheet.api.FilterMode or any(table.AutoFilter.FilterMode for table in tables):
        raise SheetError(FILTERED)


def _is_filled(page: Page, row: int, left: int, right: int) -> bool:
    return any(page.cell(row, column) is not None for column in range(left, right + 1))


def _style(sheet: xw.Sheet, block: Block, first: int, bottom: int) -> None:
    """Make rows of new columns look as the column left of them, headings bold, and numbers aligned as numbers are."""
    top, left, right = block.top, block.left, block.left + len(block.columns) - 1
    whole = _area(sheet, first, left, bottom, right).api
    model = _area(sheet, first, left - 1, bottom, left - 1).api
    if model.MergeCells is False:
        # The clipboard is the user's. Excel raises events for this, though no value changes.
        with sheet.book.app.properties(enable_events=False):
            model.AutoFill(_area(sheet, first, left - 1, bottom, right).api, _FILL_FORMATS)
        whole.FormatConditions.Delete()
    whole.HorizontalAlignment, whole.VerticalAlignment = _GENERAL, _BOTTOM
    whole.WrapText = False
    if first > top:
        return
    heading, neighbour = _area(sheet, top, left, top, right).api, _area(sheet, top, left - 1, top, left - 1).api
    heading.VerticalAlignment, heading.WrapText = neighbour.VerticalAlignment, neighbour.WrapText
    if neighbour.Interior.ColorIndex == _NO_FILL:
        heading.Font.Bold = True
    for at, column in enumerate(block.columns, left):
        look = neighbour.HorizontalAlignment if column.format == TEXT else _RIGHT  # like the numbers under it
        _area(sheet, top, at, top, at).api.HorizontalAlignment = look


def _widen(sheet: xw.Sheet, block: Block) -> None:
    """Give columns their widths where they have that of every column."""
    standard = sheet.api.StandardWidth
    for at, column in enumerate(block.columns, block.left):
        entire = _area(sheet, block.top, at, block.top, at).api.EntireColumn
        if entire.ColumnWidth == standard:
            entire.ColumnWidth = column.width


def _end_table(sheet: xw.Sheet, table: Table, right: int) -> None:
    """Let a table end with a column. One with a row of totals is not resized, but gets columns or loses them."""
    changed = sheet.api.ListObjects(table.name)
    if not table.totals:
        changed.Resize(_area(sheet, table.top, table.left, table.bottom, right).api)
        return
    columns, wanted = changed.ListColumns, right - table.left + 1
    for at in range(columns.Count, wanted, -1):
        columns(at).Delete()
    for _ in range(columns.Count, wanted):
        columns.Add()


def _area(sheet: xw.Sheet, top: int, left: int, bottom: int, right: int) -> xw.Range:
    """Cells by rows and columns from 0, the last ones included."""
    return sheet.range(f"{cell_name(top, left)}:{cell_name(bottom, right)}")


def select(sheet: xw.Sheet, row: int, left: int, right: int) -> None:
    """Select cells of a row, and so show them."""
    _area(sheet, row, left, row, right).select()


@contextmanager
def _selection_kept(sheet: xw.Sheet) -> Iterator[None]:
    """Select and show afterwards what was selected and shown before, as filling cells selects them."""
    app = sheet.book.app.api
    window, selection = app.ActiveWindow, app.Selection
    row, column = window.ScrollRow, window.ScrollColumn
    try:
        yield
    finally:
        selection.Select()
        window.ScrollRow, window.ScrollColumn = row, column
