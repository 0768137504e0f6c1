"""The sheets of an OpenDocument spreadsheet (content.xml) as expat reads them: cells, looks and database ranges."""

from __future__ import annotations

import datetime
import math
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from valet_xl.documents.markup import parser_of, run
from valet_xl.documents.ooxml.sheet_data import MAX_CELLS, NOT_COMPUTED
from valet_xl.documents.page import Cell
from valet_xl.errors import FileError

# OpenDocument 1.3 part 3, as expat reports names; calcext is LibreOffice's own.
_OFFICE, _TABLE, _TEXT, _STYLE, _DRAWING = (
    f"urn:oasis:names:tc:opendocument:xmlns:{name}:1.0}}" for name in ("office", "table", "text", "style", "drawing")
)
_CALC = "urn:org:documentfoundation:names:experimental:calc:xmlns:calcext:1.0}"
_TYPE, _FORMULA = f"{_OFFICE}value-type", f"{_TABLE}formula"
_ROWS, _COLUMNS = f"{_TABLE}number-rows-repeated", f"{_TABLE}number-columns-repeated"
# What a cell may contain besides its own text, and how that text is pronounced.
_NO_TEXT = (f"{_OFFICE}annotation", f"{_OFFICE}forms", f"{_TABLE}shapes", f"{_TEXT}ruby-text", f"{_TEXT}note")
_LAYOUT = re.compile(r"[ \t\r\n]+")
_OUTSIDE = re.compile(r"'.*'#")  # how the names begin of sheets of other files, whose cells LibreOffice remembers
_REPEATED = re.compile("[0-9]{1,9}")
_NUMBER = re.compile(r"[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?", re.ASCII)
_DATE = re.compile(r"(\d{4}-\d\d-\d\d)(?:(T\d\d:\d\d:\d\d)(?:\.(\d{1,9}))?)?", re.ASCII)
_DURATION = re.compile(
    r"(-?)P(?:(\d{1,9})D)?(?:T(?:(\d{1,9})H)?(?:(\d{1,9})M)?(?:(\d{1,9})(\.\d{1,15})?S)?)?", re.ASCII
)
_DAY = 86_400  # seconds


@dataclass(slots=True)
class SheetData:
    """A sheet as it is written.

    name, style : of the sheet
    protected : whether its owner lets nobody write
    rows : how often each row is repeated, the end of its last cell that is not blank, and these cells: the column of
        each, how often it is repeated, and its value
    wrong : why it cannot be read; "" if it can
    """

    name: str
    style: str
    protected: bool
    rows: list[tuple[int, int, list[tuple[int, int, Cell]]]] = field(default_factory=list)
    wrong: str = ""

    def cells(self) -> list[list[Cell]]:
        """The cells to the last row and column that are not blank, with None for a blank one.

        Raises
        ------
        FileError : where the sheet cannot be read, or laid out whole: a few bytes can repeat a cell without end
        """
        if self.wrong:
            raise FileError(self.wrong)
        bottom = right = height = 0
        for repeated, width, _ in self.rows:
            height += repeated
            if width:
                bottom, right = height, max(right, width)
        if bottom * right > MAX_CELLS:
            raise FileError(f"is used to row {bottom:,} and column {right:,} (delete what is far out)")
        grid: list[list[Cell]] = []
        for repeated, _, cells in self.rows:
            if len(grid) == bottom:
                break
            row: list[Cell] = [None] * right
            for column, count, value in cells:
                if count == 1:
                    row[column] = value
                else:
                    row[column : column + count] = [value] * count
            grid.append(row)
            grid += [list(row) for _ in range(repeated - 1)]
        return grid


@dataclass(slots=True)
class Spreadsheet:
    """What is read of a spreadsheet.

    is_one : whether it is a spreadsheet at all
    sheets : in the order of their tabs
    ranges : the database ranges: the attributes of each, by their names
    hidden : the styles that hide a sheet
    """

    is_one: bool = False
    sheets: list[SheetData] = field(default_factory=list)
    ranges: list[dict[str, str]] = field(default_factory=list)
    hidden: set[str] = field(default_factory=set)


def spreadsheet(data: bytes) -> Spreadsheet:
    """Read a part content.xml, in UTF-8.

    Raises
    ------
    MarkupError : for what is not XML, or has a document type
    """
    return _Stream(data).found


class _Stream:
    """What expat reports.

    found : what was read of it
    """

    def __init__(self, data: bytes) -> None:
        self.found = Spreadsheet()
        self._depth = self._skipped = 0  # from which depth on nothing counts; 0 for none
        self._path: list[str] = []  # of the first three elements that are open
        self._sheet: SheetData | None = None
        self._style = ""
        self._row: list[tuple[int, int, Cell]] = []
        self._rows = 1
        self._column = self._width = 0
        self._cell: Mapping[str, str] = {}  # its attributes
        self._paragraphs: list[str] | None = None  # of the cell that is open
        self._pieces: list[str] | None = None  # of the paragraph that is open
        self._raw: list[str] = []  # its characters since the last element that stands for some
        self._outside = {
            f"{_OFFICE}spreadsheet": self._start_sheets,
            f"{_STYLE}style": self._start_style,
            f"{_STYLE}table-properties": self._start_properties,
            f"{_TABLE}table": self._start_sheet,
            f"{_TABLE}database-range": self._start_range,
        }
        self._inside: dict[str, Callable[[Mapping[str, str]], None]] = {
            f"{_TABLE}table-row": self._start_row,
            f"{_TABLE}table-cell": self._start_cell,
            f"{_TABLE}covered-table-cell": self._start_cell,
            f"{_TEXT}p": self._start_paragraph,
            f"{_TEXT}h": self._start_paragraph,
            f"{_TEXT}s": self._start_spaces,
            f"{_TEXT}tab": lambda _: self._add("\t"),
            f"{_TEXT}line-break": lambda _: self._add("\n"),
            **dict.fromkeys((f"{_TABLE}table", *_NO_TEXT), self._skip),
        }
        self._ends: dict[str, Callable[[], None]] = {
            f"{_TABLE}table-row": self._end_row,
            f"{_TABLE}table-cell": self._end_cell,
            f"{_TABLE}covered-table-cell": self._end_cell,
            f"{_TEXT}p": self._end_paragraph,
            f"{_TEXT}h": self._end_paragraph,
            f"{_TABLE}table": self._end_sheet,
        }
        parser = parser_of(data)
        parser.namespace_prefixes = False
        parser.StartElementHandler = self._start
        parser.EndElementHandler = self._end
        parser.CharacterDataHandler = self._text
        run(parser, data)

    def _start(self, name: str, attributes: dict[str, str]) -> None:
        self._depth += 1
        if self._depth <= 3:
            self._path.append(name)
        if self._skipped:
            return
        if self._sheet is None:
            if name in self._outside:
                self._outside[name](attributes)
        elif name in self._inside:
            self._inside[name](attributes)
        elif name.startswith(_DRAWING):
            self._skip(attributes)

    def _end(self, name: str) -> None:
        if not self._skipped:
            if self._sheet is not None and name in self._ends:
                self._ends[name]()
        elif self._depth == self._skipped:
            self._skipped = 0
        if self._depth <= 3:
            self._path.pop()
        self._depth -= 1

    def _text(self, text: str) -> None:
        if self._pieces is not None and not self._skipped:
            self._raw.append(text)

    def _skip(self, _: Mapping[str, str]) -> None:
        self._skipped = self._depth

    # -- outside of sheets

    def _start_sheets(self, _: Mapping[str, str]) -> None:
        if self._depth == 3 and self._path[1] == f"{_OFFICE}body":
            self.found.is_one = True

    def _start_style(self, attributes: Mapping[str, str]) -> None:
        self._style = attributes.get(f"{_STYLE}name", "")

    def _start_properties(self, attributes: Mapping[str, str]) -> None:
        if attributes.get(f"{_TABLE}display") == "false":
            self.found.hidden.add(self._style)

    def _start_range(self, attributes: Mapping[str, str]) -> None:
        self.found.ranges.append({name.rpartition("}")[2]: value for name, value in attributes.items()})

    def _start_sheet(self, attributes: Mapping[str, str]) -> None:
        name = attributes.get(f"{_TABLE}name", "")
        if self._depth != 4 or self._path[1:] != [f"{_OFFICE}body", f"{_OFFICE}spreadsheet"] or _OUTSIDE.match(name):
            self._skipped = self._depth
            return
        style = attributes.get(f"{_TABLE}style-name", "")
        self._sheet = SheetData(name, style, attributes.get(f"{_TABLE}protected") == "true")
        self.found.sheets.append(self._sheet)

    def _end_sheet(self) -> None:
        self._sheet = self._paragraphs = self._pieces = None

    # -- inside of one

    def _start_row(self, attributes: Mapping[str, str]) -> None:
        self._rows = self._repeated(attributes, _ROWS)
        self._row, self._column, self._width = [], 0, 0

    def _end_row(self) -> None:
        assert self._sheet is not None
        self._sheet.rows.append((self._rows, self._width, self._row))

    def _start_cell(self, attributes: Mapping[str, str]) -> None:
        self._cell, self._paragraphs = attributes, []

    def _end_cell(self) -> None:
        cell, said = self._cell, self._paragraphs or []
        count = self._repeated(cell, _COLUMNS) if _COLUMNS in cell else 1
        self._column += count
        self._paragraphs = None
        if _TYPE not in cell and not said and _FORMULA not in cell:
            return
        self._width = self._column
        try:
            value = _value(cell, "\n".join(said), bool(said))
        except FileError as error:
            self._refuse(str(error))
        else:
            if value is not None:
                self._row.append((self._column - count, count, value))

    def _start_paragraph(self, _: Mapping[str, str]) -> None:
        if self._paragraphs is not None:
            self._pieces, self._raw = [], []

    def _end_paragraph(self) -> None:
        if self._pieces is None or self._paragraphs is None:
            return
        text = _LAYOUT.sub(" ", "".join(self._raw))
        self._paragraphs.append("".join(self._pieces) + text.rstrip(" ") if self._pieces else text.strip(" "))
        self._pieces = None

    def _start_spaces(self, attributes: Mapping[str, str]) -> None:
        count = attributes.get(f"{_TEXT}c", "1")
        self._add(" " * min(int(count), 1000) if _REPEATED.fullmatch(count) else " ")

    def _add(self, characters: str) -> None:
        """Add what an element stands for to the paragraph; spaces and line ends before only lay out the XML."""
        if self._pieces is None:
            return
        text = _LAYOUT.sub(" ", "".join(self._raw))
        self._pieces += (text if self._pieces else text.lstrip(" "), characters)
        self._raw = []

    def _repeated(self, attributes: Mapping[str, str], name: str) -> int:
        text = attributes.get(name, "1")
        if not _REPEATED.fullmatch(text) or not int(text):
            self._refuse(f"invalid {name.partition('}')[2]}: {text!r} (1 or more expected)")
            return 1
        return int(text)

    def _refuse(self, why: str) -> None:
        assert self._sheet is not None
        self._sheet.wrong = self._sheet.wrong or why


def _value(cell: Mapping[str, str], text: str, has_text: bool) -> Cell:
    """What a cell contains.

    Parameters
    ----------
    cell : its attributes
    text : what it shows
    has_text : whether it has a paragraph at all
    """
    kind = cell.get(_TYPE, "")
    if cell.get(f"{_CALC}value-type") == "error":
        return text or None
    if kind in _READ:
        attribute, read = _READ[kind]
        said = cell.get(f"{_OFFICE}{attribute}")
        return read(said) if said else None
    if not kind and not has_text:
        formula = re.sub(r"\A\w+:(?==)", "", cell[_FORMULA])
        return f"{formula}{NOT_COMPUTED}"
    return cell.get(f"{_OFFICE}string-value", text) or None


def _number(text: str) -> Cell:
    """A number; as a text where it has no end."""
    if not _NUMBER.fullmatch(text):
        raise FileError(f"cannot be read, a cell has the number {text[:40]!r}")
    number = float(text)
    return number if math.isfinite(number) else text


def _date(text: str) -> Cell:
    """A date, with its time if it has one; a text that is none stays one.

    >>> _date("2026-04-03"), _date("2026-04-03T18:30:00.5"), _date("2026-04-31")
    (datetime.date(2026, 4, 3), datetime.datetime(2026, 4, 3, 18, 30, 0, 500000), '2026-04-31')
    """
    found = _DATE.fullmatch(text)
    if found is None:
        return text
    day, time, fraction = found.groups()
    try:
        if time is None:
            return datetime.date.fromisoformat(day)
        return datetime.datetime.fromisoformat(f"{day}{time}.{(fraction or '0'):0<6.6}")
    except ValueError:
        return text


def _time(text: str) -> Cell:
    """A time of the day, another duration in days; a text that is none stays one.

    >>> _time("PT18H30M"), _time("PT36H"), _time("noon")
    (datetime.time(18, 30), 1.5, 'noon')
    """
    seconds = _seconds(text)
    if seconds is None:
        return text
    if not 0 <= seconds < _DAY:
        return seconds / _DAY
    microseconds = min(round(seconds * 1e6), _DAY * 1_000_000 - 1)
    return (datetime.datetime.min + datetime.timedelta(microseconds=microseconds)).time()


def _seconds(duration: str) -> float | None:
    """A duration in seconds; None for what is none.

    >>> _seconds("PT42H00M00.5S"), _seconds("-P1D"), _seconds("noon")
    (151200.5, -86400.0, None)
    """
    found = _DURATION.fullmatch(duration)
    if found is None:
        return None
    sign, *parts = found.groups(default="0")
    days, hours, minutes, seconds, fraction = map(float, parts)
    return (-1 if sign == "-" else 1) * (((days * 24 + hours) * 60 + minutes) * 60 + seconds + fraction)


_READ: dict[str, tuple[str, Callable[[str], Cell]]] = {
    **dict.fromkeys(("float", "percentage", "currency"), ("value", _number)),
    "boolean": ("boolean-value", lambda text: text.lower() == "true"),
    "date": ("date-value", _date),
    "time": ("time-value", _time),
}
"""By the type of a cell, the attribute that has its value, and what reads that."""
