"""The content of an OpenDocument spreadsheet (content.xml) as expat reads it, all of it in one go.

Cells that are written as usual are handed over in runs (see `usual_cells`); expat reads what is around them.
"""

from __future__ import annotations

import re
from array import array
from collections.abc import Callable, Mapping
from functools import cached_property

import numpy as np

from valet_xl.documents.markup import MarkupError, parser_of, run, start_tag
from valet_xl.documents.odf.names import CELL, COVERED, DRAWING, NAMES, OFFICE, PARAGRAPHS, ROW, STYLE, TABLE, TEXT
from valet_xl.documents.odf.sheet import ColumnPlace, Forms, Place, Rows, Sheet, Spreadsheet, StylePlace, Whole
from valet_xl.documents.odf.usual_cells import MARKER, RunOfRows, UnusualError, UsualCells
from valet_xl.documents.odf.values import COLUMNS, LOOK_OF_ROW, ROWS, CellForm, form_of, laid_out, repeated

# What a cell may contain besides its own text, and how that text is pronounced.
_NO_TEXT = (f"{OFFICE}annotation", f"{OFFICE}forms", f"{TABLE}shapes", f"{TEXT}ruby-text", f"{TEXT}note")
_OUTSIDE = re.compile(r"'.*'#")  # how the names begin of sheets of other files, whose cells LibreOffice remembers
_SPACES = re.compile("[0-9]{1,9}")
_GROUPS = tuple(f"{TABLE}{name}" for name in ("table-rows", "table-header-rows", "table-row-group"))
_COLUMN_LOOKS = f"{TABLE}style-name", LOOK_OF_ROW


def spreadsheet(data: bytes) -> Spreadsheet:
    """Read a part content.xml, in UTF-8.

    Raises
    ------
    MarkupError : for what is not XML, or has a document type
    """
    usual = UsualCells(data)
    try:
        return _Reader(data, usual).found
    except MarkupError:
        if not usual.runs:  # expat has seen the part itself
            raise
    except UnusualError:
        pass
    return streamed(data)  # whose message says where in the part it is


def streamed(data: bytes) -> Spreadsheet:
    """Read a part as `spreadsheet` does, every cell of it with expat."""
    return _Reader(data).found


class _Reader:
    """What expat reports.

    Parameters
    ----------
    data : the part
    usual : the runs of cells that expat does not see, but for a marker in place of each

    Attributes
    ----------
    found : what was read
    """

    def __init__(self, data: bytes, usual: UsualCells | None = None) -> None:
        self.found = Spreadsheet()
        self._data, self._usual = data, usual
        self._shift = 0  # of a place in the part to that in what expat sees
        self._run = 0  # the next of the runs
        self._names: list[str] = []  # of the elements that are open
        self._open: list[Place | None] = []  # their places, of those that count
        self._skipped = 0  # from which depth on nothing counts; 0 for none
        self._spaces = self._scopes = 0  # namespaces that are declared below the root: now, and how often that changed
        self._style_name = ""
        self._style: StylePlace | None = None
        self._sheet: Sheet | None = None
        self._depth_of_row = self._depth_of_cell = 0
        self._cell: Mapping[str, str] = {}  # its attributes
        self._cell_place = Place(0, 0)
        self._texts: list[Place] = []  # of the cell that is open
        self._paragraphs: list[str] | None = None
        self._pieces: list[str] | None = None  # of the paragraph that is open
        self._raw: list[str] = []  # its characters since the last element that stands for some
        self._column = self._next_column = 0
        self._forms: list[CellForm] = [] if usual is None else list(usual.forms)
        self._known: dict[tuple[int, bytes], int] = {}  # forms by their bytes, in each scope of namespaces
        self._looks: dict[str, int] = {}
        self._rows = _Lists()
        self._outside: dict[str, Callable[[str, Mapping[str, str]], Place | None]] = {
            f"{OFFICE}spreadsheet": self._start_sheets,
            f"{OFFICE}automatic-styles": self._start_styles,
            f"{OFFICE}body": self._start_body,
            f"{STYLE}style": self._start_style,
            f"{STYLE}table-properties": self._start_properties,
            f"{TABLE}table": self._start_sheet,
            f"{TABLE}database-range": self._start_range,
        }
        self._inside: dict[str, Callable[[str, Mapping[str, str]], Place | None]] = {
            ROW: self._start_row,
            CELL: self._start_cell,
            COVERED: self._start_cell,
            f"{TABLE}table-column": self._start_column,
            f"{TEXT}s": lambda _, attributes: self._add(" " * _spaces(attributes)),
            f"{TEXT}tab": lambda *_: self._add("\t"),
            f"{TEXT}line-break": lambda *_: self._add("\n"),
            **dict.fromkeys(PARAGRAPHS, self._start_paragraph),
            **dict.fromkeys(_GROUPS, self._start_group),
            **dict.fromkeys((f"{TABLE}table", *_NO_TEXT), self._skip),
        }
        self._parser = parser_of(data)
        self._parser.namespace_prefixes = False
        self._parser.StartElementHandler = self._start
        self._parser.EndElementHandler = self._end
        self._parser.CharacterDataHandler = self._text
        self._parser.StartNamespaceDeclHandler = self._declare
        self._parser.EndNamespaceDeclHandler = self._undeclare
        if usual is not None:
            self._parser.ProcessingInstructionHandler = self._take_run
        run(self._parser, data if usual is None else usual.frame)
        if usual is not None and self._run != len(usual.runs):
            raise UnusualError
        self.found.forms = Forms(self._forms)
        self.found.looks = list(self._looks)

    def _declare(self, prefix: str | None, space: str | None) -> None:
        if self._names:
            self._spaces += 1
            self._scopes += 1
            return
        for name, uri in NAMES.items():
            if space == uri:
                self.found.prefixes[name] = f"{prefix}:" if prefix else ""

    def _undeclare(self, _: str | None) -> None:
        self._spaces -= 1
        self._scopes += 1

    def _start(self, name: str, attributes: dict[str, str]) -> None:
        self._names.append(name)
        place: Place | None = None
        if self._skipped:
            pass
        elif self._sheet is not None:
            if name in self._inside:
                place = self._inside[name](name, attributes)
            elif name.startswith(DRAWING):
                self._skip(name, attributes)
        elif name in self._outside:
            place = self._outside[name](name, attributes)
        elif len(self._names) >= 3 and self._names[1] == f"{OFFICE}automatic-styles":
            place = self._in_styles(name, attributes)
        self._open.append(place)

    def _end(self, name: str) -> None:
        depth, place = len(self._names), self._open.pop()
        if place is not None and place.end < 0:
            place.inside_end = self._at()
            place.end = self._data.index(b">", place.inside_end) + 1
        if self._skipped:
            if depth == self._skipped:
                self._skipped = 0
        elif self._sheet is not None:
            self._end_inside(name, depth, place)
        elif depth == 3:
            self._style = None
        self._names.pop()

    def _text(self, text: str) -> None:
        if self._pieces is not None and not self._skipped:
            self._raw.append(text)

    def _skip(self, _: str, __: Mapping[str, str]) -> None:
        self._skipped = len(self._names)

    def _at(self) -> int:
        """Where in the part expat is: before the next run, unless a comment or the like has its marker."""
        at = self._parser.CurrentByteIndex + self._shift
        if self._usual is not None and self._run < len(self._usual.runs) and at > self._usual.runs[self._run].start:
            raise UnusualError
        return at

    def _place(self) -> Place:
        tag = start_tag(self._data, self._at())
        place = Place(tag.start(), tag.end())
        if tag[1]:
            place.inside_end = place.end = place.inside
        return place

    # -- outside of sheets

    def _start_sheets(self, _: str, __: Mapping[str, str]) -> None:
        if len(self._names) == 3 and self._names[1] == f"{OFFICE}body":
            self.found.is_one = True

    def _start_styles(self, _: str, __: Mapping[str, str]) -> Place | None:
        if len(self._names) != 2:
            return None
        self.found.automatic = self._place()
        return self.found.automatic

    def _start_body(self, _: str, __: Mapping[str, str]) -> None:
        if len(self._names) == 2:
            self.found.body = self._at()

    def _start_style(self, name: str, attributes: Mapping[str, str]) -> Place | None:
        self._style_name = attributes.get(f"{STYLE}name", "")
        return self._in_styles(name, attributes)

    def _start_properties(self, name: str, attributes: Mapping[str, str]) -> Place | None:
        if attributes.get(f"{TABLE}display") == "false":
            self.found.hidden.add(self._style_name)
        return self._in_styles(name, attributes)

    def _in_styles(self, name: str, attributes: Mapping[str, str]) -> Place | None:
        """A style, or its properties, if it is an automatic one."""
        depth = len(self._names)
        if depth < 3 or self._names[1] != f"{OFFICE}automatic-styles":
            return None
        if depth == 3:
            named = attributes.get(f"{STYLE}name", "")
            self.found.style_names.add(named)
            if name == f"{STYLE}style":
                family = attributes.get(f"{STYLE}family", "")
                self._style = StylePlace(family, attributes.get(f"{STYLE}parent-style-name", ""))
                self.found.styles[named] = self._style
        elif depth == 4 and self._style is not None:
            place = self._place()
            self._style.properties[name.rpartition("}")[2]] = place
            return place
        return None

    def _start_range(self, _: str, attributes: Mapping[str, str]) -> Place:
        place = self._place()
        self.found.ranges.append((place, {key.rpartition("}")[2]: value for key, value in attributes.items()}))
        return place

    def _start_sheet(self, _: str, attributes: Mapping[str, str]) -> None:
        name = attributes.get(f"{TABLE}name", "")
        usual = [f"{OFFICE}body", f"{OFFICE}spreadsheet"]
        if len(self._names) != 4 or self._names[1:3] != usual or _OUTSIDE.match(name):
            self._skipped = len(self._names)
            return
        style = attributes.get(f"{TABLE}style-name", "")
        self._sheet = Sheet(name, style, attributes.get(f"{TABLE}protected") == "true")
        self.found.sheets.append(self._sheet)
        self._next_column = 0

    # -- inside of one

    def _end_inside(self, name: str, depth: int, place: Place | None) -> None:
        assert self._sheet is not None
        if depth == self._depth_of_cell:
            self._end_cell(name)
        elif name in PARAGRAPHS:
            self._end_paragraph()
        elif depth == self._depth_of_row:
            assert place is not None
            self._rows.end_row(place.inside_end, place.end)
            self._depth_of_row = 0
        elif depth == 4:
            self._sheet.rows = self._rows.as_rows()
            self._rows = _Lists()
            self._sheet = self._paragraphs = self._pieces = None
            return
        if depth == 5 and place is not None and name in (ROW, *_GROUPS):
            self._sheet.back = place.end

    def _start_group(self, _: str, __: Mapping[str, str]) -> Place | None:
        assert self._sheet is not None
        if len(self._names) != 5:
            return None
        if self._sheet.front < 0:
            self._sheet.front = self._at()
        return self._place()

    def _start_column(self, _: str, attributes: Mapping[str, str]) -> Place | None:
        assert self._sheet is not None
        if self._depth_of_row:
            return None
        place, (count, _wrong) = self._place(), repeated(attributes, COLUMNS)
        looks = (attributes.get(key, "") for key in _COLUMN_LOOKS)
        self._sheet.columns.append(ColumnPlace(place, self._next_column, count, *looks))
        self._next_column += count
        return place

    def _start_row(self, _: str, attributes: Mapping[str, str]) -> Place | None:
        assert self._sheet is not None
        if self._depth_of_row:
            return None
        place, (count, wrong) = self._place(), repeated(attributes, ROWS)
        self._sheet.wrong = self._sheet.wrong or wrong
        if len(self._names) == 5 and self._sheet.front < 0:
            self._sheet.front = place.start
        look = self._look(attributes.get(LOOK_OF_ROW, ""))
        self._rows.start_row(place.start, place.inside, count, look)
        self._depth_of_row = len(self._names)
        self._column = 0
        return place

    def _look(self, name: str) -> int:
        return self._looks.setdefault(name, len(self._looks))

    def _start_cell(self, _: str, attributes: Mapping[str, str]) -> Place | None:
        if not self._depth_of_row or self._depth_of_cell:
            return None
        self._depth_of_cell = len(self._names)
        self._cell, self._cell_place = attributes, self._place()
        self._paragraphs, self._texts = [], []
        return self._cell_place

    def _end_cell(self, name: str) -> None:
        assert self._sheet is not None
        self._depth_of_cell = 0
        place = self._cell_place
        key = self._scopes, self._data[place.start : place.end]
        at = self._known.get(key, -1)
        if at < 0:
            at = self._known[key] = len(self._forms)
            texts = tuple(edge - place.start for text in self._texts for edge in (text.start, text.end))
            edges = (each - place.start for each in (place.end, place.inside, place.inside_end))
            self._forms.append(form_of(name, self._cell, self._paragraphs or [], texts, *edges))
        form = self._forms[at]
        self._sheet.wrong = self._sheet.wrong or form.wrong
        self._rows.cell(self._column, place.start, at)
        self._column += form.repeats
        self._paragraphs = self._pieces = None

    def _start_paragraph(self, _: str, __: Mapping[str, str]) -> Place | None:
        if self._paragraphs is None:
            return None
        self._pieces, self._raw = [], []
        if len(self._names) != self._depth_of_cell + 1:
            return None
        self._texts.append(self._place())
        return self._texts[-1]

    def _end_paragraph(self) -> None:
        if self._pieces is None or self._paragraphs is None:
            return
        text = laid_out("".join(self._raw))
        self._paragraphs.append("".join(self._pieces) + text.rstrip(" ") if self._pieces else text.strip(" "))
        self._pieces = None

    def _add(self, characters: str) -> None:
        """Add what an element stands for to the paragraph; spaces and line ends before only lay out the XML."""
        if self._pieces is None:
            return
        text = laid_out("".join(self._raw))
        self._pieces += (text if self._pieces else text.lstrip(" "), characters)
        self._raw = []

    # -- runs of usual cells

    def _take_run(self, target: str, text: str) -> None:
        """Take a run of usual cells where its marker is, in a row."""
        if target != MARKER or self._usual is None:
            return
        usual, number = self._usual, self._run
        if (
            number == len(usual.runs)
            or (text, self._at()) != (str(number), usual.runs[number].start)
            or self._names[-1:] != [ROW]
            or self._spaces
            or (number == 0 and any(self.found.prefixes.get(name) != f"{name}:" for name in usual.prefixes))
        ):
            raise UnusualError
        part = usual.runs[number]
        self._run += 1
        self._shift += part.end - part.start - len(usual.marker(number))
        if self._skipped:
            return
        if len(self._names) != self._depth_of_row:
            raise UnusualError
        rows = usual.rows(part, self._column)
        self._rows.take(rows, self._looks_of_runs[rows.breaks])
        self._column = rows.column

    @cached_property
    def _looks_of_runs(self) -> Whole:
        """The looks of the rows that start in runs, by what is before them."""
        assert self._usual is not None
        return np.array([self._look(each.look) for each in self._usual.breaks], dtype=np.int64)


class _Lists:
    """The rows and cells of a sheet while it is read: the arrays of `Rows`."""

    def __init__(self) -> None:
        names = ("start", "inside", "inside_end", "end", "count", "look", "of_row", "column", "cell_start", "form")
        self._lists = {name: array("q") for name in names}

    def start_row(self, start: int, inside: int, count: int, look: int) -> None:
        self._add(start=start, inside=inside, count=count, look=look)

    def end_row(self, inside_end: int, end: int) -> None:
        self._add(inside_end=inside_end, end=end)

    def cell(self, column: int, start: int, form: int) -> None:
        self._add(of_row=len(self._lists["start"]) - 1, column=column, cell_start=start, form=form)

    def take(self, run: RunOfRows, look: Whole) -> None:
        """Take a run that begins in the row that is open."""
        of_row = run.arrays["of_row"] + len(self._lists["start"]) - 1
        for name, numbers in {**run.arrays, "of_row": of_row, "look": look}.items():
            self._lists[name].frombytes(numbers.astype(np.int64, copy=False).tobytes())

    def as_rows(self) -> Rows:
        found = {name: np.array(numbers, dtype=np.int64) for name, numbers in self._lists.items()}
        return Rows(line=found["count"].cumsum() - found["count"], **found)

    def _add(self, **numbers: int) -> None:
        for name, number in numbers.items():
            self._lists[name].append(number)


def _spaces(attributes: Mapping[str, str]) -> int:
    """How many spaces an element for spaces stands for."""
    count = attributes.get(f"{TEXT}c", "1")
    return min(int(count), 1000) if _SPACES.fullmatch(count) else 1
