"""How an open sheet is changed, as a list of steps: for a host that is handed what to do, and not asked cell by cell.

The steps are those that a person would do in Excel, in that order. A `Step` has a name, an area, and what else it
needs:

| step | what is done |
|---|---|
| values | the cells of the area get `rows` |
| clear contents | the values of the area go |
| clear | the values and looks of the area go |
| end table | the table `name` ends as the area does; with `totals` it is not resized, but gets columns or loses them |
| delete columns | the columns of the area are deleted from the table `name` |
| filter | the sheet's filter takes this area |
| unhide | the area's columns are shown |
| widths | the area's columns get `widths`, in characters, where nobody has set one |
| usual width | the area's columns have the width that nobody has set |
| looks | the cells look like those of the column left of them in the same rows, without its conditional formats |
| plain | numbers to the right, texts to the left, at the bottom, no line breaks |
| heading | texts are bold, unless the cell `like` has a fill |
| right | texts are at the right |
| bold | texts are bold |
| wrapped | texts are broken into lines, and begin at the top |
| format | the area has the number format `code` |
| add | a sheet `name` is added after all others and shown; the steps after it are of that sheet |
| freeze | the first `rows` rows stay in view |
| show | the sheet `name` is shown |
| select | the area is selected |
| remember | the document keeps `text` under `name`, which users do not see |
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from valet_xl.documents.cell_names import MAX_COLUMNS, MAX_ROWS, Area
from valet_xl.documents.page import Block, Page, Table
from valet_xl.errors import SheetError
from valet_xl.hosts.new_sheets import TEXT, NewSheet
from valet_xl.hosts.refusals import FILTERED, PROTECTED, formula_in, merged_in


@dataclass(frozen=True, slots=True)
class Step:
    """One step: its name, the area that it changes, and what else it needs."""

    do: str
    area: Area | None = None
    given: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class State:
    """What of a sheet may be in the way.

    protected, filtered : whether it is protected, and whether a filter hides rows
    filtered_area : the cells that its filter has, if it has one
    has_formula, has_merged : whether an area contains a formula, or cells that are merged with others
    """

    protected: bool
    filtered: bool
    filtered_area: Area | None
    has_formula: Callable[[Area], bool]
    has_merged: Callable[[Area], bool]

    def refuse(self) -> None:
        """Refuse a sheet that is protected or filtered.

        Raises
        ------
        SheetError : says so
        """
        if self.protected:
            raise SheetError(PROTECTED)
        if self.filtered:
            raise SheetError(FILTERED)

    def refuse_merged(self, area: Area) -> None:
        """Refuse an area with merged cells.

        Raises
        ------
        SheetError : says so
        """
        if self.has_merged(area):
            raise merged_in(area)


def writing(page: Page, block: Block, state: State) -> Iterator[Step]:
    """Put columns into a sheet; a table that ends left of them, or with them, grows.

    Raises
    ------
    SheetError : where the columns have no free place; before the first step then
    """
    table = page.table_of(block)
    state.refuse()
    place = page.free_place(block, table, (MAX_ROWS, MAX_COLUMNS))
    area = block.area
    if state.has_formula(area):
        raise formula_in(place)
    state.refuse_merged(area)
    return _writing(page, block, table, state)


def _writing(page: Page, block: Block, table: Table | None, state: State) -> Iterator[Step]:
    names, area = block.names, block.area
    top, left, bottom, right = block.top, block.left, area.bottom, block.left + len(block.names) - 1
    former = [page.cell(top, left + at) for at in range(block.replaces)]
    if former and former != names:
        # A table's formulas that name a former column must not come to mean another one.
        if table is not None and table.right >= left:
            yield _end(table, left - 1)
        if table is None or not table.totals:
            yield Step("clear contents", Area(top, left, bottom, left + block.replaces - 1))
    if table is not None:
        yield _end(table, right)
    grown = page.filter_with(state.filtered_area, block) if state.filtered_area else None
    if grown is not None:
        yield Step("filter", grown)
    if left + block.replaces <= right:
        yield Step("unhide", Area(top, left + block.replaces, top, right))
    if former != names:
        yield Step("widths", Area(top, left, top, right), {"widths": [column.width for column in block.columns]})
    # What was written before keeps the look that its owner may have given it; rows that came since get theirs.
    old = [row for row in range(top, bottom + 1) if former == names and _is_filled(page, row, left, right)]
    first = max(old, default=top - 1) + 1
    if first <= bottom:
        yield from _looks(block, state, first, bottom)
    for at, column in enumerate(block.columns, left):
        if column.cells:
            yield Step("format", Area(top + 1, at, bottom, at), {"code": column.format})
    rows = [names, *map(list, zip(*(column.cells for column in block.columns), strict=True))]
    yield Step("values", Area(top, left, bottom, right), {"rows": rows})


def _looks(block: Block, state: State, first: int, bottom: int) -> Iterator[Step]:
    """Make rows of new columns look as the column left of them, headings bold, and numbers aligned as numbers are."""
    top, left, right = block.top, block.left, block.left + len(block.columns) - 1
    if not state.has_merged(Area(first, left - 1, bottom, left - 1)):
        yield Step("looks", Area(first, left, bottom, right))
    if max(first, top + 1) <= bottom:
        yield Step("plain", Area(max(first, top + 1), left, bottom, right))
    if first > top:
        return
    yield Step("heading", Area(top, left, top, right), {"like": Area(top, left - 1, top, left - 1)})
    for at, column in enumerate(block.columns, left):
        if column.format != TEXT:  # like the numbers under it
            yield Step("right", Area(top, at, top, at))


def removing(page: Page, area: Area, state: State) -> Iterator[Step]:
    """Take columns out, from the heading row on; a table that has them loses them.

    Raises
    ------
    SheetError : where the sheet is protected or filtered, or cells are merged; before the first step then
    """
    state.refuse()
    state.refuse_merged(area)
    return _removing(page, area)


def _removing(page: Page, area: Area) -> Iterator[Step]:
    top, left, bottom, right = area.top, area.left, area.bottom, area.right
    table = next((each for each in page.tables if each.top == top and each.left < left <= each.right), None)
    if table is not None and (table.right > right or table.totals):
        yield Step("delete columns", area, {"name": table.name})
    else:
        if table is not None:
            yield _end(table, left - 1)
            bottom = table.bottom
        yield Step("clear", Area(top, left, bottom, right))
    for at in range(left, right + 1):
        if all(page.cell(row, at) is None for row in range(len(page.cells)) if not top <= row <= bottom):
            yield Step("usual width", Area(top, at, top, at))


def adding(new: NewSheet) -> Iterator[Step]:
    """Add a sheet behind all others, its headings bold and kept in view, and show it."""
    rows, top = new.cells, new.top
    last, right = top + len(new.table), len(rows[0]) - 1
    yield Step("add", given={"name": new.name})
    for at, column in enumerate(new.table.headings):
        yield Step("format", Area(top, at, last, at), {"code": column.format})
        if column.format != TEXT:
            yield Step("right", Area(top, at, top, at))
    yield Step("widths", Area(top, 0, top, right), {"widths": [column.width for column in new.table.headings]})
    yield Step("values", Area(0, 0, len(rows) - 1, right), {"rows": rows})
    if new.wrapped:
        yield Step("wrapped", Area(0, 0, len(rows) - 1, right))
    for row in sorted({0, top}):
        yield Step("bold", Area(row, 0, row, right))
    yield Step("freeze", given={"rows": top + 1})


def _end(table: Table, right: int) -> Step:
    area = Area(table.top, table.left, table.bottom, right)
    return Step("end table", area, {"name": table.name, "totals": bool(table.totals)})


def _is_filled(page: Page, row: int, left: int, right: int) -> bool:
    return any(page.cell(row, column) is not None for column in range(left, right + 1))
