"""What is read of an OpenDocument spreadsheet: its sheets, their rows and cells, and where all that is in the bytes."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import partial
from operator import attrgetter
from typing import Any

import numpy as np
import numpy.typing as npt

from valet_xl.documents.cell_rows import CellRows
from valet_xl.documents.odf.values import CellForm
from valet_xl.documents.ooxml.sheet_data import MAX_CELLS
from valet_xl.documents.page import Cell
from valet_xl.errors import FileError

Whole = npt.NDArray[np.int64]
Small = npt.NDArray[np.signedinteger]


@dataclass(slots=True)
class Place:
    """Where an element is: its first byte, the end of its start tag, the start of its end tag, and its end."""

    start: int
    inside: int
    inside_end: int = -1
    end: int = -1


@dataclass(slots=True)
class ColumnPlace:
    """A description of columns: the first, how many, their style, and that of their cells."""

    place: Place
    column: int
    count: int
    style: str
    cells: str


@dataclass(slots=True)
class StylePlace:
    """An automatic style: its family and parent, and where its properties are, by the ends of their names."""

    family: str
    parent: str
    properties: dict[str, Place] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Rows:
    """The rows and cells of a sheet, in the order of the bytes. Lines and columns count from 0.

    line, count : (rows,) the first line that a row is, and how often it is repeated
    look : (rows,) the style of its cells, a place in `Spreadsheet.looks`
    start, inside, inside_end, end : (rows,) as in `Place`
    of_row : (cells,) the row that a cell is in, as an index
    column : (cells,) its first column
    cell_start : (cells,) its first byte
    form : (cells,) how it is written, a place in `Spreadsheet.forms`
    """

    line: Whole
    count: Whole
    look: Whole
    start: Whole
    inside: Whole
    inside_end: Whole
    end: Whole
    of_row: Whole
    column: Whole
    cell_start: Whole
    form: Whole


class Forms:
    """How the cells of a spreadsheet are written, each way once.

    Parameters
    ----------
    forms : (forms,) the ways

    Attributes
    ----------
    used, repeats, size : (forms,) as in `CellForm`
    """

    def __init__(self, forms: list[CellForm]) -> None:
        self._forms = forms
        self.used = self.each("used", np.bool_)
        self.repeats, self.size = self.each("repeats"), self.each("size")
        self._values = np.empty(len(forms), dtype=object)
        self._values[:] = [form.value for form in forms]
        kinds = {str: 1, type(None): 1, float: 2}
        self._kinds = np.array([kinds.get(type(form.value), 0) for form in forms], dtype=np.uint8)

    def __getitem__(self, at: int) -> CellForm:
        return self._forms[at]

    def __iter__(self) -> Iterator[CellForm]:
        return iter(self._forms)

    def each(self, what: str, kind: type[np.generic] = np.int64) -> npt.NDArray[Any]:
        """(forms,) something of each."""
        return np.fromiter(map(attrgetter(what), self._forms), dtype=kind, count=len(self._forms))

    def cells(self, form: Small, some: Whole) -> npt.NDArray[np.object_]:
        """What some cells contain, given as indices; `form` says how each cell is written."""
        values: npt.NDArray[np.object_] = self._values[form[some]]
        return values

    def coded(self, form: Small, some: Whole) -> tuple[list[Cell], Whole] | None:
        """The different ones of some cells, and which each is, where all are texts or all are numbers."""
        ours = form[some]
        there = np.zeros(len(self._forms), dtype=np.bool_)
        there[ours] = True
        different = np.flatnonzero(there)
        kinds = self._kinds[different]
        if not len(kinds) or not kinds[0] or np.any(kinds != kinds[0]):
            return None
        return self._values[different].tolist(), (np.cumsum(there) - 1)[ours]


@dataclass(slots=True)
class Sheet:
    """A sheet as it is written.

    name, style : of the sheet
    protected : whether its owner lets nobody write
    wrong : why it cannot be read; "" if it can
    columns : the descriptions of its columns
    front, back : where its first row or group of rows begins, and where its last ends; -1 for none
    rows : its rows and cells
    """

    name: str
    style: str
    protected: bool
    wrong: str = ""
    columns: list[ColumnPlace] = field(default_factory=list)
    front: int = -1
    back: int = -1
    rows: Rows = field(default_factory=lambda: Rows(*[np.zeros(0, dtype=np.int64)] * 11))


@dataclass(slots=True)
class Spreadsheet:
    """What is read of a spreadsheet.

    is_one : whether it is a spreadsheet at all
    sheets : in the order of their tabs
    ranges : the database ranges: where they are, and their attributes by the ends of their names
    hidden : the styles that hide a sheet
    prefixes : the prefixes that the root declares, with a colon, by the names in `NAMES`
    styles : the automatic styles of cells and columns, by name
    style_names : of all automatic styles
    automatic : where the automatic styles are
    body : where the body begins
    forms : how cells are written
    looks : the styles that rows give their cells
    """

    is_one: bool = False
    sheets: list[Sheet] = field(default_factory=list)
    ranges: list[tuple[Place, dict[str, str]]] = field(default_factory=list)
    hidden: set[str] = field(default_factory=set)
    prefixes: dict[str, str] = field(default_factory=dict)
    styles: dict[str, StylePlace] = field(default_factory=dict)
    style_names: set[str] = field(default_factory=set)
    automatic: Place | None = None
    body: int = -1
    forms: Forms = field(default_factory=lambda: Forms([]))
    looks: list[str] = field(default_factory=list)

    def cells(self, sheet: Sheet) -> CellRows:
        """The cells of a sheet to the last row and column that are not blank, with None for a blank one.

        Raises
        ------
        FileError : where the sheet cannot be read, or laid out whole: a few bytes can repeat a cell without end
        """
        if sheet.wrong:
            raise FileError(sheet.wrong)
        rows, forms = sheet.rows, self.forms
        there = np.flatnonzero(forms.used[rows.form])
        of_row = rows.of_row[there]
        places: list[Small] = [rows.line[of_row], rows.column[there], rows.form[there]]
        line, column, form = places
        wide, high = forms.repeats[form], rows.count[of_row]
        bottom, right = int((line + high).max(initial=0)), int((column + wide).max(initial=0))
        if bottom * right > MAX_CELLS:
            raise FileError(f"is used to row {bottom:,} and column {right:,} (delete what is far out)")
        if np.any(wide > 1) or np.any(high > 1):
            # Small numbers, of which there may be many.
            times = (wide * high).astype(np.intp)
            before = np.repeat((np.cumsum(times) - times).astype(np.int32), times)
            at = np.arange(len(before), dtype=np.int32) - before
            line, column, form = (np.repeat(each.astype(np.int32), times) for each in places)
            down, along = np.divmod(at, np.repeat(wide.astype(np.int32), times))
            line, column = line + down, column + along
        return CellRows(line, column, partial(forms.cells, form), partial(forms.coded, form))
