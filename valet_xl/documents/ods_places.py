"""Where in content.xml the rows, cells, columns and styles of one sheet are: what changes is changed at these bytes."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field

from valet_xl.documents.markup import parser_of, run, start_tag

NAMES = {
    name: f"urn:oasis:names:tc:opendocument:xmlns:{space}:1.0"
    for name, space in (
        *((name, name) for name in ("office", "table", "text", "style")),
        ("number", "datastyle"),
        ("fo", "xsl-fo-compatible"),
    )
} | {"calcext": "urn:org:documentfoundation:names:experimental:calc:xmlns:calcext:1.0"}
"""The namespaces, by their usual prefixes."""
_OFFICE, _TABLE, _TEXT, _STYLE = (f"{NAMES[name]}}}" for name in ("office", "table", "text", "style"))
_CELLS = (f"{_TABLE}table-cell", f"{_TABLE}covered-table-cell")
_ROW_PARTS = ("table-row", "table-rows", "table-header-rows", "table-row-group")
_COUNT = re.compile("[0-9]{1,9}")
_REPEATED, _FORMULA, _STYLE_NAME = (f"{_TABLE}{name}" for name in ("number-columns-repeated", "formula", "style-name"))
_SPANNED = tuple(  # what says how many columns, and how many rows, a cell covers or its formula fills
    frozenset((f"{_TABLE}number-{what}-spanned", f"{_TABLE}number-matrix-{what}-spanned"))
    for what in ("columns", "rows")
)
_PARAGRAPHS = (f"{_TEXT}p", f"{_TEXT}h")


@dataclass(slots=True)
class Place:
    """Where an element is: its first byte, the end of its start tag, the start of its end tag, and its end."""

    start: int
    inside: int
    inside_end: int = -1
    end: int = -1


@dataclass(slots=True)
class CellPlace:
    """A cell.

    column, count : the first column, and how many it is repeated over
    style : its own; "" for none
    covered, spans : whether another cell covers it, and the columns and rows that it covers or its formula fills
    formula : whether it has one
    texts : where its paragraphs are
    """

    place: Place
    column: int
    count: int
    style: str
    covered: bool
    spans: tuple[int, int]
    formula: bool
    texts: list[Place] = field(default_factory=list)


@dataclass(slots=True)
class RowPlace:
    """A row: the first line that it is, how often it is repeated, the style of its cells, and the cells."""

    place: Place
    line: int
    count: int
    style: str
    cells: list[CellPlace] = field(default_factory=list)


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


@dataclass(slots=True)
class Places:
    """What was found.

    prefixes : the prefixes that the root declares, with a colon, by the names in `NAMES`
    rows, columns : of the sheet
    front, back : where its first row or group of rows begins, and where its last ends
    styles : the automatic styles of cells and columns, by name
    style_names : of all automatic styles
    automatic : where the automatic styles are
    body : where the body begins
    ranges : the database ranges: where they are, and their attributes by the ends of their names
    """

    prefixes: dict[str, str] = field(default_factory=dict)
    rows: list[RowPlace] = field(default_factory=list)
    columns: list[ColumnPlace] = field(default_factory=list)
    front: int = -1
    back: int = -1
    styles: dict[str, StylePlace] = field(default_factory=dict)
    style_names: set[str] = field(default_factory=set)
    automatic: Place | None = None
    body: int = -1
    ranges: list[tuple[Place, dict[str, str]]] = field(default_factory=list)


def places(data: bytes, sheet: str) -> Places:
    """Find the places of a sheet in a part content.xml, in UTF-8, that was read before.

    Raises
    ------
    MarkupError : for what is not XML
    """
    return _Finder(data, sheet).found


class _Finder:
    """What expat reports, with the bytes that it is at."""

    def __init__(self, data: bytes, sheet: str) -> None:
        self.found = Places()
        self._data, self._sheet = data, sheet
        self._names: list[str] = []  # of the elements that are open
        self._open: list[Place | None] = []  # their places, of those that count
        self._inside = 0  # the depth of the sheet; 0 outside of it
        self._done = False
        self._row: RowPlace | None = None
        self._cell: CellPlace | None = None
        self._line = self._column = self._next_column = 0
        self._style: StylePlace | None = None
        self._root: dict[str, str] = {}
        self._parser = parser_of(data)
        self._parser.namespace_prefixes = False
        self._parser.StartElementHandler = self._start
        self._parser.EndElementHandler = self._end
        self._parser.StartNamespaceDeclHandler = self._declare
        run(self._parser, data)

    def _declare(self, prefix: str | None, space: str | None) -> None:
        if not self._names:
            for name, uri in NAMES.items():
                if space == uri:
                    self.found.prefixes[name] = f"{prefix}:" if prefix else ""

    def _start(self, name: str, attributes: dict[str, str]) -> None:
        self._names.append(name)
        depth = len(self._names)
        place: Place | None = None
        if self._inside:
            place = self._in_sheet(name, attributes, depth)
        elif depth == 2 and name == f"{_OFFICE}automatic-styles":
            place = self.found.automatic = self._place()
        elif depth == 2 and name == f"{_OFFICE}body":
            self.found.body = self._parser.CurrentByteIndex
        elif depth >= 3 and self._names[1] == f"{_OFFICE}automatic-styles":
            place = self._in_styles(name, attributes, depth)
        elif depth == 4 and name == f"{_TABLE}table" and attributes.get(f"{_TABLE}name") == self._sheet:
            if not self._done and self._names[2] == f"{_OFFICE}spreadsheet":
                self._inside = depth
        elif name == f"{_TABLE}database-range":
            place = self._place()
            self.found.ranges.append((place, {key.rpartition("}")[2]: value for key, value in attributes.items()}))
        self._open.append(place)

    def _end(self, _: str) -> None:
        place, depth = self._open.pop(), len(self._names)
        name = self._names.pop()
        if place is not None:
            at = self._parser.CurrentByteIndex
            closed = self._data[place.inside - 2 : place.inside] == b"/>"
            place.inside_end = place.inside if closed else at
            place.end = place.inside if closed else self._data.index(b">", at) + 1
        if self._inside:
            if depth == self._inside:
                self._inside, self._done = 0, True
            elif depth == self._inside + 1 and name.removeprefix(_TABLE) in _ROW_PARTS:
                at = self._parser.CurrentByteIndex
                self.found.back = place.end if place is not None else self._data.index(b">", at) + 1
                self._row = None
            elif self._cell is not None and place is self._cell.place:
                self._cell = None
            elif self._row is not None and place is self._row.place:
                self._row = None
        elif depth == 3 and name.startswith(_STYLE):
            self._style = None

    def _place(self) -> Place:
        tag = start_tag(self._data, self._parser.CurrentByteIndex)
        return Place(tag.start(), tag.end())

    def _in_styles(self, name: str, attributes: Mapping[str, str], depth: int) -> Place | None:
        if depth == 3:
            named = attributes.get(f"{_STYLE}name", "")
            self.found.style_names.add(named)
            if name == f"{_STYLE}style":
                family = attributes.get(f"{_STYLE}family", "")
                self._style = StylePlace(family, attributes.get(f"{_STYLE}parent-style-name", ""))
                self.found.styles[named] = self._style
        elif depth == 4 and self._style is not None:
            place = self._place()
            self._style.properties[name.rpartition("}")[2]] = place
            return place
        return None

    def _in_sheet(self, name: str, attributes: Mapping[str, str], depth: int) -> Place | None:
        if self._cell is not None:
            if name in _PARAGRAPHS and self._open[-1] is self._cell.place:
                place = self._place()
                self._cell.texts.append(place)
                return place
            return None
        if self._row is not None:
            return self._start_cell(name, attributes) if name in _CELLS else None
        short = name.removeprefix(_TABLE) if name.startswith(_TABLE) else ""
        if depth == self._inside + 1 and self.found.front < 0 and short in _ROW_PARTS:
            self.found.front = self._parser.CurrentByteIndex
        if short == "table-row":
            place, count = self._place(), _count(attributes, f"{_TABLE}number-rows-repeated")
            self._row = RowPlace(place, self._line, count, attributes.get(f"{_TABLE}default-cell-style-name", ""))
            self.found.rows.append(self._row)
            self._line += count
            self._column = 0
            return place
        if short == "table-column":
            place, count = self._place(), _count(attributes, f"{_TABLE}number-columns-repeated")
            look = (attributes.get(f"{_TABLE}{key}", "") for key in ("style-name", "default-cell-style-name"))
            self.found.columns.append(ColumnPlace(place, self._next_column, count, *look))
            self._next_column += count
            return place
        return None

    def _start_cell(self, name: str, attributes: Mapping[str, str]) -> Place:
        assert self._row is not None
        place, count = self._place(), _count(attributes, _REPEATED)
        # Few cells say how far they reach.
        wide, high = (
            max(_count(attributes, name) for name in names) if not names.isdisjoint(attributes) else 1
            for names in _SPANNED
        )
        self._cell = CellPlace(
            place=place,
            column=self._column,
            count=count,
            style=attributes.get(_STYLE_NAME, ""),
            covered=name == _CELLS[1],
            spans=(wide, high),
            formula=_FORMULA in attributes,
        )
        self._row.cells.append(self._cell)
        self._column += count
        return place


def _count(attributes: Mapping[str, str], name: str) -> int:
    text = attributes.get(name)
    if text is None:
        return 1
    return max(int(text), 1) if _COUNT.fullmatch(text) else 1
