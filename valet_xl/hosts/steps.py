"""What is done to an open sheet, in which order: written once for every host (`valet_xl.hosts.surface`).

Whatever is in the way is said before the first step. Nothing in here needs numpy or a host's libraries.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from valet_xl.documents.cell_names import Area
from valet_xl.documents.page import TEXT, Block, Page, Table, Value
from valet_xl.hosts.refusals import formula_in, merged_in
from valet_xl.hosts.surface import Surface

if TYPE_CHECKING:  # it needs numpy, which LibreOffice's Python may lack
    from valet_xl.hosts.new_sheets import NewSheet


def write(sheet: Surface, page: Page, block: Block, title: str) -> None:
    """Put columns into the sheet that was read; a table that ends left of them, or with them, grows.

    Parameters
    ----------
    sheet, page : it, and what was read of it
    block : the columns
    title : what the step to undo is called

    Raises
    ------
    SheetError : where the columns have no free place, or the sheet cannot be changed; nothing is changed then
    """
    table = page.table_of(block)
    sheet.refuse()
    place = page.free_place(block, table, sheet.size())
    if sheet.has_formula(block.area):
        raise formula_in(place)
    _refuse_merged(sheet, block.area)
    filtered = sheet.filtered()
    model = _model(sheet, block)
    with sheet.changing(title):
        _put(sheet, page, block, table, model)
        grown = page.filter_with(filtered, block) if filtered else None
        if grown is not None:
            sheet.filter(grown)


def _put(sheet: Surface, page: Page, block: Block, table: Table | None, model: int | None) -> None:
    names, area = block.names, block.area
    top, left, bottom, right = block.top, block.left, area.bottom, block.left + len(block.names) - 1
    former = [page.cell(top, left + at) for at in range(block.replaces)]
    # What was written before keeps the look that its owner may have given it; rows that came since get theirs.
    old = [row for row in range(top, bottom + 1) if former == names and _is_filled(page, row, left, right)]
    first = max(old, default=top - 1) + 1
    replaced = Area(top, left, bottom, left + block.replaces - 1) if former else None
    sheet.claim(area, replaced)
    if former and former != names:
        # A table's formulas that name a former column must not come to mean another one.
        if table is not None and table.right >= left:
            _end(sheet, table, left - 1)
        if replaced is not None and (table is None or not table.totals):
            sheet.clear_contents(replaced)
    if table is not None:
        _end(sheet, table, right)
    if left + block.replaces <= right:
        sheet.unhide(Area(top, left + block.replaces, top, right))
    if first <= bottom:
        sheet.make_room(Area(first, left, bottom, right))
        _dress(sheet, block, first, model)
    for at, column in enumerate(block.columns, left):
        if column.cells:
            sheet.format(Area(top + 1, at, bottom, at), column.format)
    rows: list[Sequence[Value]] = [names, *zip(*(column.cells for column in block.columns), strict=True)]
    sheet.values(Area(top, left, bottom, right), rows)
    if former != names:
        sheet.widths(Area(top, left, top, right), [column.width for column in block.columns])


def _model(sheet: Surface, block: Block) -> int | None:
    """The first row whose looks, and those of all rows under it, can be taken from the column left of the block.

    Merged cells would be copied as such; the heading alone is taken then, if it is none of them.
    """
    top, left, bottom = block.top, block.left - 1, block.area.bottom
    if not sheet.has_merged(Area(top, left, bottom, left)):
        return bottom
    return None if sheet.has_merged(Area(top, left, top, left)) else top


def _dress(sheet: Surface, block: Block, first: int, model: int | None) -> None:
    """Make rows of new columns look as the column left of them, headings bold, and numbers aligned as numbers are.

    Parameters
    ----------
    sheet, block : where, and what
    first : the first of the rows, down to the block's last
    model : the last row that has a look to take
    """
    top, left, bottom, right = block.top, block.left, block.area.bottom, block.left + len(block.columns) - 1
    if model is not None and first <= model:
        sheet.looks(Area(first, left, model, right))
    if max(first, top + 1) <= bottom:
        sheet.plain(Area(max(first, top + 1), left, bottom, right))
    if first > top:
        return
    sheet.heading(Area(top, left, top, right), Area(top, left - 1, top, left - 1))
    for at, column in enumerate(block.columns, left):
        if column.format != TEXT:  # like the numbers under it
            sheet.right(Area(top, at, top, at))


def remove(sheet: Surface, page: Page, area: Area, title: str) -> None:
    """Take columns out of the sheet that was read, from the heading row on; a table that has them loses them.

    Parameters
    ----------
    sheet, page : it, and what was read of it
    area : from the headings to the last row
    title : what the step to undo is called

    Raises
    ------
    SheetError : where the sheet cannot be changed, or cells are merged; nothing is changed then
    """
    sheet.refuse()
    _refuse_merged(sheet, area)
    top, left, bottom, right = area.top, area.left, area.bottom, area.right
    table = next((each for each in page.tables if each.top == top and each.left < left <= each.right), None)
    with sheet.changing(title):
        sheet.claim(area, area)
        if table is not None and (table.right > right or table.totals):
            sheet.delete_columns(area, table.name)
        else:
            if table is not None:
                _end(sheet, table, left - 1)
                bottom = table.bottom
            sheet.clear(Area(top, left, bottom, right))
        for at in range(left, right + 1):
            if all(page.cell(row, at) is None for row in range(len(page.cells)) if not top <= row <= bottom):
                sheet.usual_width(Area(top, at, top, at))


def add(sheet: Surface, new: NewSheet, title: str) -> None:
    """Add a sheet after all others, its headings bold and kept in view, and show it.

    Parameters
    ----------
    sheet : the one that is shown before
    new : what is on the other
    title : what the step to undo is called

    Raises
    ------
    SheetError : where no sheet can be added
    """
    rows, top = new.cells, new.top
    last, right = top + len(new.table), len(rows[0]) - 1
    whole = Area(0, 0, len(rows) - 1, right)
    sheet.refuse(adding=True)
    with sheet.changing(title):
        sheet.add(new.name)
        for at, column in enumerate(new.table.headings):
            sheet.format(Area(top, at, last, at), column.format)
            if column.format != TEXT:
                sheet.right(Area(top, at, top, at))
        sheet.values(whole, rows)
        for row in sorted({0, top}):
            sheet.bold(Area(row, 0, row, right))
        sheet.widths(Area(top, 0, top, right), [column.width for column in new.table.headings])
        if new.wrapped:
            sheet.wrapped(whole)
    sheet.show(new.name)
    sheet.freeze(top + 1)


def _refuse_merged(sheet: Surface, area: Area) -> None:
    if sheet.has_merged(area):
        raise merged_in(area)


def _end(sheet: Surface, table: Table, right: int) -> None:
    """Let a table end with a column."""
    sheet.end_table(Area(table.top, table.left, table.bottom, right), table.name, bool(table.totals))


def _is_filled(page: Page, row: int, left: int, right: int) -> bool:
    return any(page.cell(row, column) is not None for column in range(left, right + 1))
