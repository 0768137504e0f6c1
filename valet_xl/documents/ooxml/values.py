"""What the cells of a worksheet contain for Python: texts, numbers, dates and times."""

from __future__ import annotations

import datetime
import math
import re
from collections.abc import Callable

import numpy as np
import numpy.typing as npt

from valet_xl.documents.cell_rows import CellRows
from valet_xl.documents.markup import MAX_DEPTH, SPACE, Element, MarkupError, name_of, parser_of, run
from valet_xl.documents.ooxml.sheet_data import Kind, SheetData, Whole, unescaped
from valet_xl.documents.ooxml.styles import members
from valet_xl.documents.page import Cell
from valet_xl.errors import FileError

# Number formats that every spreadsheet knows as those of dates and times, some in East Asia alone: ECMA-376 part 1,
# 18.8.30.
_DATES, _DURATIONS = {*range(14, 23), *range(27, 37), 45, 47, *range(50, 59)}, {46}
_DATE, _DURATION = 1, 2
_LAST_DAY = 1e7  # some 27,000 years; calendars end with the year 9999
_EPOCH = datetime.datetime(1899, 12, 30)
_DAYS_TO_1904 = 1462
_FEW = 16  # times as many numbers as there are cells may be tried one by one
_DAY = 86_400_000  # milliseconds

# What a number format says besides its letters: an escaped letter, a text, a condition or colour.
_TOKEN = re.compile(r"""[\\_*].?|"[^"]*"?|\[(?P<inside>[^\]]*)\]?|(?P<end>;)|(?P<half>[aA])|(?P<letter>.)""", re.DOTALL)
_ISO = re.compile(
    r"(?:(?P<date>[0-9]{4}-[0-9]{2}-[0-9]{2})(?:T(?=[0-9]))?)?(?P<time>[0-9]{2}:[0-9]{2}:[0-9]{2}(?:\.[0-9]{1,9})?)?"
)


def cells_of(data: SheetData, texts: list[str], looks: Whole, *, since_1904: bool) -> CellRows:
    """The cells of a sheet as rows from A1 on, as wide and as high as what is used.

    Parameters
    ----------
    data : where they are
    texts : those that cells share
    looks : (styles,) what `looks_of` gives
    since_1904 : whether days are counted from 1904 on

    Raises
    ------
    FileError : for a cell whose text there is not
    """
    used = np.flatnonzero(data.kind != Kind.BLANK)
    shared = data.number[used][data.kind[used] == Kind.SHARED]
    if len(shared) and shared.max() >= len(texts):
        raise FileError(f"is damaged: a cell has text {shared.max():.0f} of {len(texts)}")
    values = _Values(data, used, texts, looks, since_1904)
    return CellRows(data.line[used], data.column[used], values.cells, values.coded)


class _Values:
    """What the cells of a sheet contain.

    Parameters
    ----------
    data, texts, looks, since_1904 : as in `cells_of`
    used : the cells in which there is something
    """

    def __init__(self, data: SheetData, used: Whole, texts: list[str], looks: Whole, since_1904: bool) -> None:
        self._used, self._said, self._since_1904 = used, data.texts, since_1904
        self._kind, self._number = data.kind[used], data.number[used]
        style = data.style[used]
        look = np.append(looks, 0)[np.where((style < 0) | (style >= len(looks)), len(looks), style)]
        dated = (self._kind == Kind.NUMBER) & (look > 0) & (np.abs(self._number) < _LAST_DAY)
        self._look = np.where(dated, look, 0)
        self._texts = np.empty(len(texts), dtype=object)
        self._texts[:] = [text or None for text in texts]

    def cells(self, some: Whole) -> npt.NDArray[np.object_]:
        """Some of the used cells, given as indices."""
        kind, number, look = self._kind[some], self._number[some], self._look[some]
        values = np.empty(len(some), dtype=object)
        values[:] = number.tolist()
        shared = kind == Kind.SHARED
        if shared.any():
            values[shared] = self._texts[number[shared].astype(np.intp)]
        flags = kind == Kind.FLAG
        values[flags] = (number[flags] != 0).tolist()
        for at in np.flatnonzero(look).tolist():
            date = look[at] == _DATE
            values[at] = date_of(number[at], since_1904=self._since_1904) if date else duration_of(number[at])
        for at in np.flatnonzero(kind >= Kind.TEXT).tolist():
            text = self._said[int(self._used[some[at]])]
            values[at] = (iso_date(text) if kind[at] == Kind.DATE else text) or None
        return values

    def coded(self, some: Whole) -> tuple[list[Cell], Whole] | None:
        """The different ones of some cells, and which each is, where all are shared texts or all are numbers."""
        kind = self._kind[some]
        if not len(some) or kind[0] not in (Kind.NUMBER, Kind.SHARED) or np.any(kind != kind[0]):
            return None
        if np.any(self._look[some]):
            return None
        number = self._number[some]
        few = number.min() >= 0 and number.max() < _FEW * len(number)
        codes = number.astype(np.int64) if few else np.zeros(0, dtype=np.int64)
        if few and np.array_equal(codes, number):
            there = np.zeros(int(codes.max()) + 1, dtype=np.bool_)
            there[codes] = True
            different, which = np.flatnonzero(there).astype(np.float64), (np.cumsum(there) - 1)[codes]
        else:
            different, which = np.unique(number, return_inverse=True)
        shared = kind[0] == Kind.SHARED
        cells: list[Cell] = self._texts[different.astype(np.intp)].tolist() if shared else [*different.tolist()]
        return cells, which


def shared_texts(data: bytes) -> list[str]:
    """The texts that cells share, out of their part: what is pronounced is left out, the looks of their parts too.

    Raises
    ------
    MarkupError : for what is not XML
    """
    return _Texts(data).texts


class _Texts:
    """What expat reports of the texts."""

    def __init__(self, data: bytes) -> None:
        self.texts: list[str] = []
        self._space = ""
        self._path: list[str] = []
        self._said: list[str] = []
        self._pieces: list[str] = []
        self._kept = False
        self._names: dict[str, str] = {}
        self._parser = parser_of(data)
        self._parser.StartElementHandler = self._start
        self._parser.EndElementHandler = self._end
        run(self._parser, data)

    def _start(self, long_name: str, attributes: dict[str, str]) -> None:
        path = self._path
        if long_name not in self._names:
            space, _, name = name_of(long_name)[0].rpartition("}")
            if not path:
                self._space = space
            self._names[long_name] = name if space == self._space else ""
        name = self._names[long_name]
        path.append(name)
        if len(path) > MAX_DEPTH:
            raise MarkupError("has elements too deep in each other", self._parser.CurrentLineNumber)
        if len(path) == 2:
            self._said = []
        elif name == "t":
            self._kept = attributes.get(SPACE) == "preserve"
            self._pieces = []
            self._parser.CharacterDataHandler = self._pieces.append

    def _end(self, _: str) -> None:
        path = self._path
        name = path.pop()
        if name == "t" and len(path) > 1:
            self._parser.CharacterDataHandler = None
            if "rPh" not in path:
                text = "".join(self._pieces)
                self._said.append(unescaped(text if self._kept else text.strip(" \t\r\n")))
        elif name == "si" and len(path) == 1:
            self.texts.append("".join(self._said))


def looks_of(styles: Element | None) -> Whole:
    """What the numbers of cells with each style are: 0 numbers, 1 dates or times, 2 durations."""
    formats = None if styles is None else styles.child("cellXfs")
    if styles is None or formats is None:
        return np.zeros(0, dtype=np.int64)
    own = styles.child("numFmts")
    codes = {} if own is None else {each.get("numFmtId"): each.get("formatCode") for each in own.children("numFmt")}
    return np.array([_look(each.get("numFmtId"), codes) for each in members(formats)], dtype=np.int64)


def _look(number: str, codes: dict[str, str]) -> int:
    if number in codes:
        return look_of_code(codes[number])
    known = int(number) if re.fullmatch("[0-9]{1,9}", number) else 0
    return _DATE if known in _DATES else _DURATION if known in _DURATIONS else 0


def look_of_code(code: str) -> int:
    """What a number format shows numbers as: 0 numbers, 1 dates or times, 2 durations.

    >>> look_of_code("yyyy-mm-dd"), look_of_code("[h]:mm"), look_of_code('0.0" m"')
    (1, 2, 0)
    """
    half = False  # after the first letter of "a/p" or "AM/PM"
    for token in _TOKEN.finditer(code):
        inside, letter = token["inside"], token["letter"]
        if token["end"]:
            return 0
        if inside is not None and token[0].endswith("]") and re.fullmatch("(?i:h+|m+|s+)", inside):
            return _DURATION
        if token["half"]:
            half = True
        elif letter and letter in ("pPmM/" if half else "dmhysDMHYS"):
            return _DATE
    return 0


def date_of(days: float, *, since_1904: bool = False) -> Cell:
    """The date or time that a number of days is, to the millisecond; a time of day where it is less than one day.

    >>> date_of(45351.0), date_of(0.5)
    (datetime.date(2024, 2, 29), datetime.time(12, 0))
    """
    counted = days + _DAYS_TO_1904 if since_1904 else days
    # The calendar of spreadsheets has a 29 February 1900.
    milliseconds = _rounded((counted if counted >= 60 else counted + 1) * _DAY)
    if days < 1:
        return (_EPOCH + datetime.timedelta(milliseconds=milliseconds % _DAY)).time()
    try:
        found = _EPOCH + datetime.timedelta(milliseconds=milliseconds)
    except OverflowError:
        return float(days)
    return found.date() if days == math.floor(days) else found


def duration_of(days: float) -> datetime.timedelta:
    """The duration that a number of days is, to the millisecond."""
    return datetime.timedelta(milliseconds=_rounded(days * _DAY))


def _rounded(milliseconds: float) -> int:
    """To the next whole number; a half goes away from zero."""
    whole = math.floor(abs(milliseconds))
    whole += abs(milliseconds) - whole >= 0.5
    return int(math.copysign(whole, milliseconds))


def iso_date(text: str) -> Cell:
    """The date or time of an ISO 8601 text; the text where it is none.

    >>> iso_date("2024-02-29T12:30:00"), iso_date("2024-02-29"), iso_date("noon")
    (datetime.datetime(2024, 2, 29, 12, 30), datetime.date(2024, 2, 29), 'noon')
    """
    found = _ISO.fullmatch(text)
    if found is None or not text or (found["date"] and found["time"] and "T" not in text):
        return text
    read: Callable[[str], Cell] = datetime.datetime.fromisoformat
    if not (found["date"] and found["time"]):
        read = datetime.date.fromisoformat if found["date"] else datetime.time.fromisoformat
    try:
        return read(re.sub(r"(\.[0-9]{6})[0-9]+", r"\1", text))
    except ValueError:
        return text
