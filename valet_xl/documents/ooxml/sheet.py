"""The XML part of one worksheet: where its cells are, and columns of cells put into its rows."""

from __future__ import annotations

import contextlib
import copy
import itertools
import math
import re
import secrets
import string
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from operator import itemgetter
from xml.sax.saxutils import escape

from lxml import etree

from valet_xl.documents.cell_names import MAX_COLUMNS, MAX_ROWS, Area, cell_name, column_name, column_of, place_of
from valet_xl.documents.ooxml.package import whole_number, xml_bytes
from valet_xl.documents.page import Block, Column, Value
from valet_xl.errors import FileError

MAX_TEXT = 32_767
TEXT = "@"  # the number format of texts

# What XML 1.0 cannot contain, a carriage return that it would change, and an underscore that reads as such an escape.
_ESCAPED = re.compile("[\x00-\x08\x0b-\x1f\ud800-\udfff\ufffe\uffff]|_(?=x[0-9A-Fa-f]{4}_)")
_FAR = re.compile(rb"""<(?:[\w-]+:)?c(?:(?!\sr=)[\s/>]|\sr=["'](?:[A-Za-z]{3}|[A-Za-z]{2}[0-9]{5}|[A-Za-z][0-9]{7}))""")
_NO_DIGITS = str.maketrans("", "", string.digits)
_NO_LETTERS = str.maketrans("", "", string.ascii_letters)
_KEEP_SPACE = re.compile(r"\A\s|\s\Z|[\t\n]|  ")


def surely_small(data: bytes) -> bool:
    """Whether a sheet's bytes show, which is quick to see, that no cell lies far out; if not, the tree must show it.

    Up to Z999999 or ZZ9999 a sheet can be laid out whole. Every cell must give its name, as all programs let it.
    """
    return not _FAR.search(data)


@dataclass(slots=True)
class Line:
    """A row of the sheet where cells will be put."""

    number: int
    row: etree._Element | None
    base: int  # the style of the cell left of the area
    cells: dict[int, etree._Element]  # cells in the area, by column
    after: etree._Element | None  # what follows the area in the row


class SheetPart:
    """A worksheet's tree.

    Parameters
    ----------
    root : the element `worksheet`, in either of the two namespaces that there are
    where : the file and sheet, as messages name them
    """

    def __init__(self, root: etree._Element, where: str) -> None:
        self.root = root
        self.where = where
        self._namespace = etree.QName(root).namespace or ""
        self._prefix = f"{root.prefix}:" if root.prefix else ""
        self._row, self._cell = self._tag("row"), self._tag("c")
        data = root.find(self._tag("sheetData"))
        if data is None:
            raise FileError(f"{where}: is damaged, it has no rows (an element 'sheetData' expected)")
        self._data = data

    def refuse_far(self, most: int) -> None:
        """Refuse a sheet whose used area, counted from A1 as a reader lays it out, has more cells than `most`."""
        # Cells that only have a look take no room. To find them takes time, so that is tried second.
        for valued in (False, True):
            every = [cell.get("r", "") for cell in self._data.iter(self._cell) if not valued or len(cell)]
            letters = set(" ".join(every).translate(_NO_DIGITS).split())
            digits = set(" ".join(every).translate(_NO_LETTERS).split())
            width = max((place_of(f"{column}1")[1] + 1 for column in letters), default=0)
            height = max((place_of(f"A{row}")[0] + 1 for row in digits), default=0)
            if "" in every:
                width += max(len(row) for _, row in self._rows())
                height = max(height, *(number + 1 for number, _ in self._rows()))
            if width * height <= most:
                return
        last = cell_name(height - 1, width - 1)
        names = filter(None, every)
        far = max(names, key=lambda name: math.hypot(place_of(name)[0] / 64, place_of(name)[1]), default=last)
        raise FileError(f"{self.where}: cell {far} lies far out and makes the sheet reach to {last} (clear that cell)")

    def refuse_protected(self) -> None:
        """Refuse a sheet into which its owner lets nobody write."""
        protection = self.root.find(self._tag("sheetProtection"))
        if protection is not None and protection.get("sheet") in ("1", "true"):
            raise FileError(f"{self.where}: is protected (unprotect it, then try again)")

    @property
    def filtered(self) -> Area | None:
        """The area of the sheet's own filter, if there is one."""
        found = self.root.find(self._tag("autoFilter"))
        return None if found is None else area_of(found.get("ref", ""))

    def end_filter(self, area: Area) -> None:
        """Give the sheet's own filter an area."""
        end_filter(self.root.find(self._tag("autoFilter")), area)

    def lines(self, area: Area, replaces: int = 0) -> list[Line]:
        """Find the rows of an area, and make sure that cells may be put there.

        Parameters
        ----------
        area : where cells will be put
        replaces : how many of its columns, from the left, may contain values

        Raises
        ------
        FileError
            A cell of the area contains a formula, or a value in a column that is not ours, or is merged with others.
        """
        if area.bottom >= MAX_ROWS or area.right >= MAX_COLUMNS:
            raise FileError(f"{self.where}: has no room for {area} (XFD1048576 is the last cell of a sheet)")
        formulas = list(self._data.iter(self._tag("f")))
        spread = [formula for formula in formulas if formula.get("t") in ("array", "dataTable")]
        merged = self.root.iterfind(f"{self._tag('mergeCells')}/{self._tag('mergeCell')}")
        for ref in (element.get("ref", "") for element in (*merged, *spread)):
            found = area_of(ref)
            if found is not None and found.meets(area):
                raise FileError(
                    f"{self.where}: {ref} are merged cells or one formula; {area} must be free (split them)"
                )
        rows = dict(self._rows())
        style = self._column_style(area.left - 1)
        lines = [self._line(number, rows.get(number), area, style) for number in range(area.top, area.bottom + 1)]
        for line in lines:
            for column, cell in line.cells.items():
                formula = bool(formulas) and cell.find(self._tag("f")) is not None
                if formula or (column >= area.left + replaces and self._has_value(cell)):
                    name, what = cell_name(line.number, column), "a formula" if formula else "a value"
                    raise FileError(
                        f"{self.where}: cell {name} contains {what}; {area} must be free (clear or move it)"
                    )
        return lines

    def put(self, block: Block, lines: list[Line], style: Callable[[int, str | None, bool], int]) -> bytes:
        """Put a block's cells into the rows that `lines` found for it.

        Parameters
        ----------
        block : the columns
        lines : its rows, the heading's first; the cells in them are replaced
        style : gives a cell's style from that of the cell left of the block, a number format (None: a heading), and
            whether it is a heading over numbers

        Returns
        -------
        bytes
            The new part. In the tree, of no use afterwards, a marker is put for each row's new cells: they are made as
            text, in a quarter of the time that elements take.
        """
        names = [column_name(block.left + index) for index in range(len(block.columns))]
        contents = [self._contents(name, column, block.top) for name, column in zip(names, block.columns, strict=True)]
        heading = [_look(style(lines[0].base, None, column.format != TEXT)) for column in block.columns]
        bases = dict.fromkeys(line.base for line in lines[1:])
        looks = {base: [_look(style(base, column.format, False)) for column in block.columns] for base in bases}
        texts: dict[int, str] = {}
        marker = f"cells-{secrets.token_hex(8)}"
        above = itertools.takewhile(lambda numbered: numbered[0] < block.top, self._rows())
        previous = max(above, default=(0, None), key=itemgetter(0))[1]
        for line, cells in zip(lines, itertools.chain(itertools.zip_longest(*contents), [()]), strict=False):
            row_looks = heading if line.number == block.top else looks[line.base]
            row_cells: Sequence[str] = cells
            if line.base and cells:  # blank cells too go on with the look of the table
                row_cells = [cell or "/>" for cell in cells]
            elif line.cells:
                old_cells = (line.cells.get(block.left + index) for index in range(len(names)))
                row_looks = [look if cell else "" for look, cell in zip(row_looks, cells, strict=True)]
                row_cells = [cell or _empty(old) for cell, old in zip(cells, old_cells, strict=True)]
            start, end = f'<{self._prefix}c r="', f'{line.number + 1}"'
            whole = zip(names, row_looks, row_cells, strict=True)
            text = "".join([f"{start}{name}{end}{look}{cell}" for name, look, cell in whole if cell])
            texts[line.number] = text
            new = etree.ProcessingInstruction(marker, str(line.number)) if text else None
            previous = self._place(new, line, previous)
            if text and previous is not None and "spans" in previous.attrib:
                previous.set("spans", _spans(previous.get("spans", ""), block.left + 1, block.left + len(names)))
        if names:
            self._reach(Area(block.top, block.left, lines[-1].number, block.left + len(names) - 1))
        for index, column in enumerate(block.columns, block.left):
            self._widen(index, column.width, show=index >= block.left + block.replaces)
        markers = re.compile(rf"<\?{marker} (\d+)\?>".encode())
        return markers.sub(lambda found: texts[int(found[1])].encode(), xml_bytes(self.root))

    def _place(self, new: etree._Element | None, line: Line, previous: etree._Element | None) -> etree._Element | None:
        """Put the marker of a line's new cells in place of its old cells; give the row, or the one above if none."""
        row = line.row
        if row is None:
            if new is None:
                return previous
            row = self._data.makeelement(self._row, {"r": str(line.number + 1)})
            if previous is None:
                self._data.insert(0, row)
            else:
                previous.addnext(row)
        _remove(row, list(line.cells.values()))
        if new is not None:
            row.insert(len(row) if line.after is None else row.index(line.after), new)
        return row

    def _contents(self, letters: str, column: Column, top: int) -> list[str]:
        """Write a column's cells as XML text, each without its name and look; '' for no value (None, '' and NaN)."""
        # Boards repeat their values: each is written once. Adding zero turns -0.0 into 0.0.
        start, end = f"><{self._prefix}v>", f"</{self._prefix}v></{self._prefix}c>"
        values: list[Value] = [column.name, *column.cells]

        def name(value: Value) -> str:
            return f"{letters}{top + 1 + values.index(value)}"

        texts = {
            value: f"{start}{value + 0.0!r}{end}"
            if type(value) is float and value - value == 0
            else self._content(value, name)
            for value in dict.fromkeys(values)
        }
        return list(map(texts.__getitem__, values))

    def _content(self, value: Value, name: Callable[[float | str], str]) -> str:
        """Write a cell's value as XML text; `name` gives the name of the first cell with it, for a message."""
        p = self._prefix
        if value is None or value == "" or (isinstance(value, float) and math.isnan(value)):
            return ""
        if isinstance(value, str):
            if len(value) > MAX_TEXT:
                raise FileError(
                    f"{self.where}: cell {name(value)} would contain {len(value):,} letters (at most {MAX_TEXT:,})"
                )
            space = ' xml:space="preserve"' if _KEEP_SPACE.search(value) else ""
            return f' t="inlineStr"><{p}is><{p}t{space}>{escape(plain_text(value))}</{p}t></{p}is></{p}c>'
        if math.isinf(value):
            raise FileError(f"{self.where}: cell {name(value)} would contain {value} (a finite number expected)")
        return f"><{p}v>{int(value) if isinstance(value, int) else repr(float(value) + 0.0)}</{p}v></{p}c>"

    def _reach(self, area: Area) -> None:
        """Extend the dimension that the sheet states to an area."""
        dimension = self.root.find(self._tag("dimension"))
        if dimension is not None:
            # It is a hint that no program relies on: one that cannot be read stays.
            with contextlib.suppress(FileError):
                dimension.set("ref", str(Area.parse(dimension.get("ref", "")).union(area)))

    def _widen(self, column: int, width: float, show: bool) -> None:
        """Set a column's width where the sheet says nothing about that column, or `show` it if it is hidden."""
        columns = self.root.find(self._tag("cols"))
        if columns is None:
            columns = self._data.makeelement(self._tag("cols"))
            self._data.addprevious(columns)
        index = 0
        for element in columns.iterchildren(self._tag("col")):
            if whole_number(element, "max") > column:
                if whole_number(element, "min") > column + 1:
                    break
                if show and (element.get("hidden") in ("1", "true") or element.get("width") in ("0", "0.0")):
                    self._show(element, column + 1, width)
                return
            index = columns.index(element) + 1
        number = str(column + 1)
        look = {"min": number, "max": number, "width": f"{width:g}", "customWidth": "1"}
        columns.insert(index, columns.makeelement(self._tag("col"), look))

    def _show(self, columns: etree._Element, number: int, width: float) -> None:
        """Take a hidden column, counted from 1, out of those that an element hides, and give it a width."""
        first, last = whole_number(columns, "min"), whole_number(columns, "max")
        shown = copy.deepcopy(columns)
        shown.attrib.pop("hidden", "")
        for name, value in (("min", number), ("max", number), ("width", f"{width:g}"), ("customWidth", 1)):
            shown.set(name, str(value))
        columns.addprevious(shown)
        if first < number:
            before = copy.deepcopy(columns)
            before.set("max", str(number - 1))
            shown.addprevious(before)
        if number < last:
            columns.set("min", str(number + 1))
        else:
            parent = columns.getparent()
            assert parent is not None
            parent.remove(columns)

    def _column_style(self, column: int) -> int:
        """Give the style that a column's empty cells have."""
        for element in self.root.iterfind(f"{self._tag('cols')}/{self._tag('col')}"):
            if whole_number(element, "min") <= column + 1 <= whole_number(element, "max"):
                return whole_number(element, "style")
        return 0

    def _rows(self) -> Iterator[tuple[int, etree._Element]]:
        """Give the rows with their numbers; a row without one follows the row before it."""
        number = -1
        for row in self._data.iterchildren(self._row):
            number = whole_number(row, "r", number + 2) - 1
            yield number, row

    def _line(self, number: int, row: etree._Element | None, area: Area, style: int) -> Line:
        """Find the cells of a row that lie in an area."""
        line = Line(number, row, style, {}, None)
        if row is None:
            return line
        if row.get("customFormat") in ("1", "true"):
            line.base = whole_number(row, "s")
        last = row[-1].get("r") if len(row) else None
        if last and (column := column_of(last.rstrip(string.digits))) < area.left:  # most rows end left of the area
            if column == area.left - 1:
                line.base = whole_number(row[-1], "s")
            return line
        for column, element in self._from_right(row):
            if column > area.right:
                line.after = element
                if column < MAX_COLUMNS and not element.get("r"):
                    element.set("r", cell_name(number, column))
            elif column >= area.left:
                line.cells[column] = element
            else:
                if column == area.left - 1:
                    line.base = whole_number(element, "s")
                break
        return line

    def _from_right(self, row: etree._Element) -> Iterator[tuple[int, etree._Element]]:
        """Give a row's elements from the right, where there are few to pass, with their columns."""
        for index, element in enumerate(row.iterchildren(reversed=True)):
            if name := element.get("r"):
                yield column_of(name.rstrip(string.digits)), element
            elif element.tag != self._cell:
                yield MAX_COLUMNS, element
            else:
                # A cell without a name, which is legal and rare, has its place from the cells left of it.
                yield from itertools.islice(reversed(self._from_left(row)), index, None)
                return

    def _from_left(self, row: etree._Element) -> list[tuple[int, etree._Element]]:
        """Give a row's elements with their columns. A cell without a name follows the cell before it."""
        found = []
        column = -1
        for element in row:
            if element.tag == self._cell:
                column = place_of(element.get("r", cell_name(0, column + 1)))[1]
            # What is not a cell comes after all cells.
            found.append((column if element.tag == self._cell else MAX_COLUMNS, element))
        return found

    def _has_value(self, cell: etree._Element) -> bool:
        """Whether a cell shows anything."""
        return any(text for text in cell.itertext() if text.strip())

    def _tag(self, name: str) -> str:
        return f"{{{self._namespace}}}{name}"


def plain_text(text: str) -> str:
    r"""Escape what XML cannot contain, as spreadsheets do.

    >>> plain_text("a\x01b _x0041_")
    'a_x0001_b _x005F_x0041_'
    """
    return _ESCAPED.sub(lambda match: f"_x{ord(match[0]):04X}_", text)


def area_of(ref: str) -> Area | None:
    """Give the area of a reference; None where that cannot be read."""
    try:
        return Area.parse(ref)
    except FileError:
        return None


def end_filter(filters: etree._Element | None, area: Area) -> None:
    """Give a filter an area, and take conditions on columns right of it away."""
    if filters is None:
        return
    filters.set("ref", str(area))
    for column in filters.findall(f"{{{etree.QName(filters).namespace or ''}}}filterColumn"):
        if whole_number(column, "colId") > area.right - area.left:
            filters.remove(column)


def _remove(row: etree._Element, cells: list[etree._Element]) -> None:
    """Take cells, the rightmost first, out of a row: at once where they are next to each other."""
    if not cells:
        return
    first, last = row.index(cells[-1]), row.index(cells[0])
    if last - first + 1 == len(cells):
        del row[first : last + 1]
    else:
        for cell in cells:
            row.remove(cell)


def _look(style: int) -> str:
    """Write a cell's style as XML text; 0 is what a cell without it has."""
    return f' s="{style}"' if style else ""


def _empty(cell: etree._Element | None) -> str:
    """Write what stays of a cell that gets no value: its look."""
    look = "" if cell is None else _look(whole_number(cell, "s"))
    return f"{look}/>" if look else ""


@lru_cache
def _spans(text: str, first: int, last: int) -> str:
    """Let the columns that a row says it spans, counted from 1, reach to others; '' where it says nothing."""
    spans = [int(bound) for bound in re.findall(r"\d+", text)]
    return f"{min(*spans, first)}:{max(*spans, last)}" if spans else ""
