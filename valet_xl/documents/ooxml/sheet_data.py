"""Where the rows and cells of a worksheet are in its bytes, and what the cells contain.

There are two ways, which give the same. Sheets as all large programs write them are taken apart with arrays, all cells
at once. Whatever is not written like that, such as comments between cells or rows without a number, is read by expat.
"""

from __future__ import annotations

import re
from array import array
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, fields
from enum import IntEnum
from typing import Any

import numpy as np
import numpy.typing as npt

from valet_xl.documents.cell_names import MAX_COLUMNS, MAX_ROWS, place_of
from valet_xl.documents.markup import (
    MAX_DEPTH,
    SPACE,
    Element,
    MarkupError,
    name_of,
    parse,
    parser_of,
    run,
    start_tag,
)
from valet_xl.errors import FileError

NOT_COMPUTED = " (a formula without a value)"  # follows a formula that is read in place of its value
MAX_CELLS = 20_000_000  # of a sheet that is read
MAX_TEXTS = 1 << 30  # that cells share, more than a part has bytes for

Whole = npt.NDArray[np.int64]

_CHUNK = 1 << 20  # bytes that are taken apart at once: their arrays stay in the processor's cache
_OPEN, _CLOSE = b"<sheetData>", b"</sheetData>"
_ESCAPE = re.compile("_x00([0-9A-Fa-f]{2})_")
_NUMBER = re.compile(r"[+-]?(?:(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?|(?i:inf|infinity|nan))")
_INDEX = re.compile(rb"[0-9]{1,9}")
_SPREADING = ("array", "dataTable")  # formulas that are those of several cells


class Kind(IntEnum):
    """What a cell contains."""

    BLANK = 0
    NUMBER = 1
    SHARED = 2  # a text that is in the part for all texts; the number is its place
    FLAG = 3
    TEXT = 4
    DATE = 5  # an ISO 8601 text


@dataclass(frozen=True, slots=True)
class SheetData:
    """Rows and cells in the order of the bytes. Rows and columns count from 0.

    inside, inside_end : the place of what is in the element `sheetData`
    closed : whether its start tag is all of it; then both are the tag's end
    row_number : (rows,) its number
    row_start, row_inside, row_inside_end, row_end : (rows,) places of its start tag, of what is in it, and of its end
    row_style : (rows,) the style of its empty cells, -1 where it has none of its own
    of_row : (cells,) the row that a cell is in, as an index
    line, column : (cells,) where the cell is. What is in a row and no cell has the column `MAX_COLUMNS`.
    start, end : (cells,) places of its start tag and of its end
    style : (cells,) its style, -1 where it says none
    filled : (cells,) whether there is an element in it
    valued : (cells,) whether it shows anything
    formula : (cells,) whether it has a formula
    unnamed : (cells,) whether it does not say where it is
    kind : (cells,) a `Kind`
    number : (cells,) its number, the place of its text, or 1 for TRUE
    texts : its text, by the cell's index
    spread : areas that have one formula
    """

    inside: int
    inside_end: int
    closed: bool
    row_number: Whole
    row_start: Whole
    row_inside: Whole
    row_inside_end: Whole
    row_end: Whole
    row_style: Whole
    of_row: Whole
    line: Whole
    column: Whole
    start: Whole
    end: Whole
    style: Whole
    filled: npt.NDArray[np.bool_]
    valued: npt.NDArray[np.bool_]
    formula: npt.NDArray[np.bool_]
    unnamed: npt.NDArray[np.bool_]
    kind: npt.NDArray[np.uint8]
    number: npt.NDArray[np.float64]
    texts: dict[int, str]
    spread: list[str]


def take_apart(data: bytes) -> tuple[Element, SheetData]:
    """Take a worksheet's part apart.

    Parameters
    ----------
    data : in UTF-8

    Returns
    -------
    the tree without what is in `sheetData`, and that

    Raises
    ------
    MarkupError : for what is not XML
    FileError : where there is no `sheetData`, or a cell that is none
    """
    return canonical(data) or streamed(data)


# -- sheets that are written as usual: arrays


class _Tag(IntEnum):
    """What a tag of usual cells may be."""

    NONE = 0
    ROW = 1
    ROW_END = 2
    CELL = 3
    CELL_END = 4
    V = 5
    V_END = 6
    V_ALL = 7
    F = 8
    F_LONG = 9
    F_END = 10
    F_ALL = 11
    IS = 12
    IS_END = 13
    T = 14
    T_LONG = 15
    T_END = 16
    ROW_ALL = 17
    CELL_ALL = 18
    F_LONG_ALL = 19


# How the tags are written. Those that go on are looked at more closely.
_WRITTEN = {
    _Tag.ROW: b'<row r="',
    _Tag.ROW_END: b"</row>",
    _Tag.CELL: b'<c r="',
    _Tag.CELL_END: b"</c>",
    _Tag.V: b"<v>",
    _Tag.V_END: b"</v>",
    _Tag.F: b"<f>",
    _Tag.F_LONG: b"<f ",
    _Tag.F_END: b"</f>",
    _Tag.IS: b"<is>",
    _Tag.IS_END: b"</is>",
    _Tag.T: b"<t>",
    _Tag.T_LONG: b"<t xml:s",
    _Tag.T_END: b"</t>",
    _Tag.V_ALL: b"<v/>",
    _Tag.F_ALL: b"<f/>",
}
_KEPT_SPACE = b'<t xml:space="preserve">'
_FORMULAS = (_Tag.F, _Tag.F_LONG, _Tag.F_ALL, _Tag.F_LONG_ALL)
_CELL_ENDS = (_Tag.CELL, _Tag.CELL_ALL, _Tag.ROW_END)
_ROW_ENDS = (_Tag.ROW, _Tag.ROW_ALL)
_AFTER_FORMULA = (_Tag.V, _Tag.V_ALL, _Tag.CELL_END)
_FOLLOW = {
    _Tag.ROW: _CELL_ENDS,
    _Tag.ROW_ALL: _ROW_ENDS,
    _Tag.ROW_END: _ROW_ENDS,
    _Tag.CELL: (_Tag.F, _Tag.F_LONG, _Tag.F_LONG_ALL, _Tag.F_ALL, _Tag.V, _Tag.V_ALL, _Tag.IS, _Tag.CELL_END),
    _Tag.CELL_ALL: _CELL_ENDS,
    _Tag.CELL_END: _CELL_ENDS,
    _Tag.V: (_Tag.V_END,),
    _Tag.V_END: (_Tag.CELL_END,),
    _Tag.V_ALL: (_Tag.CELL_END,),
    _Tag.F: (_Tag.F_END,),
    _Tag.F_LONG: (_Tag.F_END,),
    _Tag.F_END: _AFTER_FORMULA,
    _Tag.F_ALL: _AFTER_FORMULA,
    _Tag.F_LONG_ALL: _AFTER_FORMULA,
    _Tag.IS: (_Tag.T, _Tag.T_LONG),
    _Tag.T: (_Tag.T_END,),
    _Tag.T_LONG: (_Tag.T_END,),
    _Tag.T_END: (_Tag.IS_END,),
    _Tag.IS_END: (_Tag.CELL_END,),
}


def _word(text: bytes) -> int:
    """Up to eight bytes as the number that a processor reads there."""
    return int.from_bytes(text.ljust(8, b"\0")[:8], "little")


_LOW = np.array([(1 << 8 * size) - 1 for size in range(9)], dtype=np.uint64)  # masks of the first bytes of a word
_ZEROS = np.uint64(0x3030303030303030)
_TAG_OF = np.zeros(1 << 16, dtype=np.uint8)
_TAG_WORD, _TAG_MASK = np.zeros(32, dtype=np.uint64), np.zeros(32, dtype=np.uint64)
for _tag, _text in _WRITTEN.items():
    _TAG_OF[_word(_text[1:3])] = _tag
    _TAG_WORD[_tag], _TAG_MASK[_tag] = _word(_text), _LOW[min(8, len(_text))]
_FOLLOWS = np.zeros(32 * 32, dtype=np.bool_)
for _tag, _next in _FOLLOW.items():
    _FOLLOWS[[32 * _tag + each for each in _next]] = True
_HAS_TEXT = np.zeros(32, dtype=np.bool_)
_HAS_TEXT[[_Tag.V, _Tag.F, _Tag.F_LONG, _Tag.T, _Tag.T_LONG]] = True
_CAN_CLOSE = np.zeros(32, dtype=np.uint8)
_CAN_CLOSE[[_Tag.ROW, _Tag.CELL, _Tag.F_LONG]] = [_Tag.ROW_ALL, _Tag.CELL_ALL, _Tag.F_LONG_ALL]

_STYLE, _TYPE = _word(b' s="'), _word(b' t="')
_TYPES = {b"n": Kind.NUMBER, b"s": Kind.SHARED, b"b": Kind.FLAG, b"str": Kind.TEXT, b"e": Kind.TEXT, b"d": Kind.DATE}
_INLINE, _INLINE_TYPE = b"inlineStr", 255  # a text in the cell itself
_ATTRIBUTES = re.compile(rb'(?: [A-Za-z_][\w.-]*(?::[A-Za-z_][\w.-]*)?="[^"<>&\t\r\n]*")*')
_ONE = re.compile(rb' ([^=]+)="([^"]*)"')
_ROW_REST = re.compile(rb'<row r="[0-9]+"([^>]*)>')
_REFERENCE = re.compile(rb"&(?:lt|gt|amp|quot|apos);")
_CONTROL = re.compile(rb"[\x00-\x08\x0b-\x1f]")  # among them the carriage return, which a reader would change
_CELL_KEYS = {b"r", b"s", b"t", b"cm", b"vm", b"ph"}


class _UnusualError(Exception):
    """The sheet is not written as usual."""


def canonical(data: bytes) -> tuple[Element, SheetData] | None:
    """Take a sheet apart with arrays; None where it is not written as usual."""
    inside = data.find(_OPEN) + len(_OPEN)
    inside_end = data.rfind(_CLOSE)
    if inside < len(_OPEN) or inside_end < inside:
        return None
    frame = data[:inside] + data[inside_end:]
    if frame.count(b"<sheetData") != 1 or len(frame) - inside < 8:
        return None
    try:
        root = parse(frame)
        element = root.child("sheetData")
        if root.prefix or element is None or bytes(element) != _OPEN + _CLOSE:
            return None
        parts = [_part(data, start, end, root) for start, end in _chunks(data, inside, inside_end)]
        return root, _joined(parts, inside, inside_end)
    except (MarkupError, _UnusualError):
        return None


def _chunks(data: bytes, inside: int, inside_end: int) -> Iterator[tuple[int, int]]:
    """Pieces of the rows, each with whole rows."""
    start = inside
    while start < inside_end:
        end = data.find(b"<row ", start + _CHUNK, inside_end)
        end = inside_end if end < 0 else end
        yield start, end
        start = end


def _joined(parts: list[SheetData], inside: int, inside_end: int) -> SheetData:
    """One for all rows out of those of chunks."""
    if not parts:
        raise _UnusualError
    rows = np.cumsum([0, *(len(part.row_number) for part in parts)])
    cells = np.cumsum([0, *(len(part.column) for part in parts)]).tolist()
    found: dict[str, Any] = {
        field.name: np.concatenate([getattr(part, field.name) for part in parts])
        for field in fields(SheetData)
        if isinstance(getattr(parts[0], field.name), np.ndarray)
    }
    found["of_row"] = np.concatenate([part.of_row + above for part, above in zip(parts, rows, strict=False)])
    texts = {at + left: text for part, left in zip(parts, cells, strict=False) for at, text in part.texts.items()}
    if np.any(np.diff(found["row_number"]) <= 0):
        raise _UnusualError
    spread = [area for part in parts for area in part.spread]
    return SheetData(inside, inside_end, closed=False, texts=texts, spread=spread, **found)


def _part(data: bytes, start: int, end: int, root: Element) -> SheetData:
    """Take whole rows apart."""
    body = data[start:end]
    letters = np.frombuffer(body, dtype=np.uint8)
    if (
        (np.any(letters < ord(" ")) and _CONTROL.search(body))
        or not (body.isascii() or _is_text(body))
        or body.count(b"&") != len(_REFERENCE.findall(body))
    ):
        raise _UnusualError
    opens, ends = np.flatnonzero(letters == ord("<")), np.flatnonzero(letters == ord(">"))
    if not len(opens) or len(opens) != len(ends) or opens[0] or ends[-1] != len(body) - 1:
        raise _UnusualError
    gaps = opens[1:] - ends[:-1] - 1
    if np.any(opens > ends) or np.any(gaps < 0):
        raise _UnusualError
    # Every place with the seven bytes after it, as one number each; what follows the rows is long enough for the last.
    words = np.ndarray((len(body),), dtype="<u8", buffer=data, offset=start, strides=(1,))
    first = words[opens]
    tags = _TAG_OF[(first >> np.uint64(8)) & np.uint64(0xFFFF)]
    if np.any((first & _TAG_MASK[tags]) != _TAG_WORD[tags]) or not tags.all():
        raise _UnusualError
    closing = (letters[ends - 1] == ord("/")) & (_CAN_CLOSE[tags] > 0)
    tags = np.where(closing, _CAN_CLOSE[tags], tags)
    if (
        tags[0] not in _ROW_ENDS
        or tags[-1] not in (_Tag.ROW_END, _Tag.ROW_ALL)
        or not _FOLLOWS[tags[:-1].astype(np.intp) * 32 + tags[1:]].all()
        or np.any((gaps > 0) & ~_HAS_TEXT[tags[:-1]])
    ):
        raise _UnusualError
    return _Rows(body, start, words, opens, ends, tags, root).taken()


def _letter(words: npt.NDArray[np.uint64], place: int) -> Whole:
    """One byte of each word."""
    return ((words >> np.uint64(8 * place)) & np.uint64(0xFF)).astype(np.int64)


def _whole_numbers(
    words: npt.NDArray[np.uint64], sizes: Whole
) -> tuple[npt.NDArray[np.float64], npt.NDArray[np.bool_]]:
    """The whole numbers that begin words, of as many digits as `sizes` says, and which of them are that."""
    short = np.minimum(sizes, 8)
    # The digits at the end of the word, with zeros before them; all at once they become pairs, fours and one number.
    digits = words << (64 - 8 * short).astype(np.uint64) | _LOW[8 - short] & _ZEROS
    digits ^= _ZEROS
    whole = ((digits + np.uint64(0x7676767676767676) | digits) & np.uint64(0x8080808080808080)) == 0
    digits = digits * np.uint64(10 * 256 + 1) >> np.uint64(8)
    digits = (digits & np.uint64(0x00FF00FF00FF00FF)) * np.uint64(100 * 65536 + 1) >> np.uint64(16)
    digits = (digits & np.uint64(0x0000FFFF0000FFFF)) * np.uint64(10_000 * (1 << 32) + 1) >> np.uint64(32)
    return digits.astype(np.float64), whole & (sizes <= 8)


def _floats(texts: list[bytes]) -> npt.NDArray[np.float64]:
    """Numbers; Python takes more for one than a spreadsheet does."""
    if b"".join(texts).translate(None, b"0123456789+-.eE"):
        raise _UnusualError
    try:
        return np.fromiter(map(float, texts), dtype=np.float64, count=len(texts))
    except ValueError as error:
        raise _UnusualError from error


def _is_text(body: bytes) -> bool:
    """Whether bytes are UTF-8 without characters that XML cannot contain."""
    try:
        body.decode()
    except UnicodeDecodeError:
        return False
    return b"\xef\xbf\xbe" not in body and b"\xef\xbf\xbf" not in body


class _Rows:
    """Whole rows that are written as usual, and their tags.

    Parameters
    ----------
    body : their bytes
    offset : where they begin in the part
    words : (bytes,) eight bytes at each place
    opens, ends : (tags,) the places of "<" and ">"
    tags : (tags,) what each is, a `_Tag`
    root : the sheet's tree
    """

    def __init__(
        self,
        body: bytes,
        offset: int,
        words: npt.NDArray[np.uint64],
        opens: Whole,
        ends: Whole,
        tags: Any,
        root: Element,
    ) -> None:
        self._body, self._offset, self._words = body, offset, words
        self._opens, self._ends, self._tags, self._root = opens, ends, tags, root
        self._row_tags = np.flatnonzero((tags == _Tag.ROW) | (tags == _Tag.ROW_ALL))
        self._cell_tags = np.flatnonzero((tags == _Tag.CELL) | (tags == _Tag.CELL_ALL))
        self._counts = np.diff(np.searchsorted(self._cell_tags, np.append(self._row_tags, len(tags))))
        self._of_row = np.repeat(np.arange(len(self._row_tags)), self._counts)

    def taken(self) -> SheetData:
        """What is known of all of them."""
        number, look_of_row = self._row_numbers()
        column, style, types = self._cells(number)
        if np.any((np.diff(column) <= 0) & (np.diff(self._of_row) == 0)):
            raise _UnusualError
        opens, ends, tags = self._opens, self._ends, self._tags
        closed_row, closed_cell = tags[self._row_tags] == _Tag.ROW_ALL, tags[self._cell_tags] == _Tag.CELL_ALL
        row_inside = ends[self._row_tags] + 1
        row_inside_end, row_end = row_inside.copy(), row_inside.copy()
        row_inside_end[~closed_row] = opens[tags == _Tag.ROW_END]
        row_end[~closed_row] = ends[tags == _Tag.ROW_END] + 1
        cell_end = ends[self._cell_tags] + 1
        cell_end[~closed_cell] = ends[tags == _Tag.CELL_END] + 1
        filled = ~closed_cell
        filled[filled] = tags[self._cell_tags[filled] + 1] != _Tag.CELL_END
        return SheetData(
            inside=0,
            inside_end=0,
            closed=False,
            row_number=number - 1,
            row_start=opens[self._row_tags] + self._offset,
            row_inside=row_inside + self._offset,
            row_inside_end=row_inside_end + self._offset,
            row_end=row_end + self._offset,
            row_style=look_of_row,
            of_row=self._of_row,
            line=number[self._of_row] - 1,
            column=column,
            start=opens[self._cell_tags] + self._offset,
            end=cell_end + self._offset,
            style=style,
            filled=filled,
            unnamed=np.zeros(len(column), dtype=np.bool_),
            **self._values(types),
        )

    def _row_numbers(self) -> tuple[Whole, Whole]:
        """The numbers of the rows, from 1, and the styles of those that have one."""
        number, self._row_words, self._row_sizes = self._read_numbers(self._opens[self._row_tags] + 8)
        if np.any((number < 1) | (number > MAX_ROWS)):
            raise _UnusualError
        rests = _ROW_REST.findall(self._body)
        if len(rests) != len(number):
            raise _UnusualError
        look = {rest: self._look_of_row(rest.removesuffix(b"/")) for rest in set(rests)}
        return number, np.array([look[rest] for rest in rests], dtype=np.int64)

    def _look_of_row(self, rest: bytes) -> int:
        found = self._attributes(rest)
        if b"r" in found:
            raise _UnusualError
        style = found.get(b"s", b"0")
        if found.get(b"customFormat") not in (b"1", b"true"):
            return -1
        if not _INDEX.fullmatch(style):
            raise _UnusualError
        return int(style)

    def _attributes(self, text: bytes) -> dict[bytes, bytes]:
        """The attributes of a tag's end."""
        if not _ATTRIBUTES.fullmatch(text):
            raise _UnusualError
        pairs = _ONE.findall(text)
        found = dict(pairs)
        prefixes = {name.partition(b":")[0].decode() for name in found if b":" in name}
        if len(found) != len(pairs) or not prefixes <= self._root.spaces.keys() or b"xmlns" in found:
            raise _UnusualError
        return found

    def _read_numbers(self, at: Whole) -> tuple[Whole, npt.NDArray[np.uint64], Whole]:
        """Whole numbers of up to seven digits that end with a quotation mark: they, their bytes, how many digits."""
        words = self._words[at]
        number, size = np.zeros(len(at), dtype=np.int64), np.zeros(len(at), dtype=np.int64)
        going = np.ones(len(at), dtype=np.bool_)
        for place in range(8):
            letter = _letter(words, place)
            digit = (letter >= ord("0")) & (letter <= ord("9")) & going
            if np.any(going & ~digit & (letter != ord('"'))):
                raise _UnusualError
            if not digit.any():
                break
            number[digit] = number[digit] * 10 + letter[digit] - ord("0")
            size += digit
            going = digit
        if np.any((size < 1) | (size > 7)):
            raise _UnusualError
        return number, words, size

    def _cells(self, number: Whole) -> tuple[Whole, Whole, Any]:
        """The columns of the cells, their styles, and their types: a `Kind` or `_INLINE_TYPE`."""
        at = self._opens[self._cell_tags] + 6
        words = self._words[at]
        letters = [
            ((words >> np.uint64(8 * place)) & np.uint64(0xFF)).astype(np.int64) - ord("A") for place in range(3)
        ]
        are = [(letter >= 0) & (letter < 26) for letter in letters]
        second, third = are[0] & are[1], are[0] & are[1] & are[2]
        column = letters[0]
        column = np.where(second, (column + 1) * 26 + letters[1], column)
        column = np.where(third, (column + 1) * 26 + letters[2], column)
        at = at + 1 + second + third
        # The digits, and the quotation mark after them, must be those of the row.
        size = self._row_sizes[self._of_row]
        if (
            not are[0].all()
            or np.any(column >= MAX_COLUMNS)
            or np.any((self._words[at] ^ self._row_words[self._of_row]) & _LOW[size + 1])
        ):
            raise _UnusualError
        at = at + size + 1
        style, types = np.full(len(at), -1, dtype=np.int64), np.full(len(at), Kind.NUMBER, dtype=np.uint8)
        words = self._words[at]
        has = np.flatnonzero((words & _LOW[4]) == _STYLE)
        if len(has):
            style[has], _, sizes = self._read_numbers(at[has] + 4)
            at[has] += sizes + 5
            words = self._words[at]
        has = np.flatnonzero((words & _LOW[4]) == _TYPE)
        if len(has):
            self._read_types(has, at, types)
        rest = self._ends[self._cell_tags] - (self._tags[self._cell_tags] == _Tag.CELL_ALL) - at
        for cell in np.flatnonzero(rest).tolist():
            style[cell], types[cell] = self._other_attributes(cell)
        return column, style, types

    def _read_types(self, cells: Whole, at: Whole, types: Any) -> None:
        """Read the types of cells, and go on to what is behind them."""
        words = self._words[at[cells] + 4]
        for text, kind in _TYPES.items():
            mine = cells[(words & _LOW[len(text) + 1]) == _word(text + b'"')]
            types[mine] = kind
            at[mine] += len(text) + 5
        mine = cells[words == _word(_INLINE)]
        mine = mine[(self._words[at[mine] + 12] & _LOW[2]) == _word(b'r"')]
        types[mine] = _INLINE_TYPE
        at[mine] += len(_INLINE) + 5

    def _other_attributes(self, cell: int) -> tuple[int, int]:
        """The style and the type of a cell whose attributes are in another order, or has others too."""
        tag = self._cell_tags[cell]
        text = self._body[self._opens[tag] + 2 : self._ends[tag]].removesuffix(b"/")
        found = self._attributes(text)
        style, kind = found.get(b"s"), found.get(b"t", b"n")
        if not found.keys() <= _CELL_KEYS or not (kind in _TYPES or kind == _INLINE):
            raise _UnusualError
        if style is not None and not _INDEX.fullmatch(style):
            raise _UnusualError
        return -1 if style is None else int(style), _INLINE_TYPE if kind == _INLINE else _TYPES[kind]

    def _values(self, types: Any) -> dict[str, Any]:
        """What is in the cells: the fields of `SheetData` about that."""
        tags = self._tags
        self._cell_of = np.cumsum((tags == _Tag.CELL) | (tags == _Tag.CELL_ALL)) - 1
        count = len(types)
        self._kind, self._numbers = np.zeros(count, dtype=np.uint8), np.zeros(count)
        self._valued, self._formula = np.zeros(count, dtype=np.bool_), np.zeros(count, dtype=np.bool_)
        self._texts: dict[int, str] = {}
        self._spread: list[str] = []
        self._read_values(types)
        self._read_texts()
        self._read_formulas()
        return {
            "kind": self._kind,
            "number": self._numbers,
            "valued": self._valued,
            "formula": self._formula,
            "texts": self._texts,
            "spread": self._spread,
        }

    def _read_values(self, types: Any) -> None:
        """Read what is in the elements `v`."""
        tags, opens, ends = self._tags, self._opens, self._ends
        values = np.flatnonzero(tags == _Tag.V)
        is_empty = opens[values + 1] - ends[values] == 1
        none = self._cell_of[np.append(values[is_empty], np.flatnonzero(tags == _Tag.V_ALL))]
        none = none[(types[none] == Kind.TEXT) | (types[none] == Kind.DATE)]
        self._kind[none] = Kind.TEXT
        self._texts.update(dict.fromkeys(none.tolist(), ""))
        values = values[~is_empty]
        cells = self._cell_of[values]
        of = types[cells]
        if np.any(of == _INLINE_TYPE):
            raise _UnusualError
        starts = ends[values] + 1
        sizes = opens[values + 1] - starts
        numeric = of < Kind.TEXT
        numbers, whole = _whole_numbers(self._words[starts], sizes)
        self._numbers[cells[numeric]] = numbers[numeric]
        others = np.flatnonzero(numeric & ~whole)
        self._numbers[cells[others]] = _floats(self._cut(starts[others], sizes[others]))
        shared, flags = (self._numbers[cells[of == kind]] for kind in (Kind.SHARED, Kind.FLAG))
        if np.any(~((shared >= 0) & (shared < MAX_TEXTS)) | (shared % 1 != 0)) or np.any((flags != 0) & (flags != 1)):
            raise _UnusualError
        self._kind[cells] = of
        self._valued[cells] = True
        said = np.flatnonzero(~numeric)
        plain = map(_plain, self._cut(starts[said], sizes[said]))
        for text, cell, kind in zip(plain, cells[said].tolist(), of[said].tolist(), strict=True):
            self._texts[cell] = unescaped(text) if kind == Kind.TEXT else text
            self._valued[cell] = bool(text.strip())

    def _cut(self, starts: Whole, sizes: Whole) -> list[bytes]:
        """The bytes at places."""
        body = self._body
        return [body[start : start + size] for start, size in zip(starts.tolist(), sizes.tolist(), strict=True)]

    def _read_texts(self) -> None:
        """Read the texts that are in the cells themselves."""
        tags, opens, ends, body = self._tags, self._opens, self._ends, self._body
        texts = np.flatnonzero((tags == _Tag.T) | (tags == _Tag.T_LONG))
        for tag, cell in zip(texts.tolist(), self._cell_of[texts].tolist(), strict=True):
            long = tags[tag] == _Tag.T_LONG
            if long and body[opens[tag] : ends[tag] + 1] != _KEPT_SPACE:
                raise _UnusualError
            text = _plain(body[ends[tag] + 1 : opens[tag + 1]])
            self._texts[cell] = unescaped(text if long else text.strip(" \t\n"))
            self._kind[cell], self._valued[cell] = Kind.TEXT, bool(text.strip())

    def _read_formulas(self) -> None:
        """Read the formulas: the areas that have one, and those that no program has computed."""
        tags, opens, ends, body = self._tags, self._opens, self._ends, self._body
        formulas = np.flatnonzero(np.isin(tags, _FORMULAS))
        self._formula[self._cell_of[formulas]] = True
        for tag, cell in zip(formulas.tolist(), self._cell_of[formulas].tolist(), strict=True):
            has_text = tags[tag] in (_Tag.F, _Tag.F_LONG)
            text = _plain(body[ends[tag] + 1 : opens[tag + 1]]) if has_text else ""
            if tags[tag] in (_Tag.F_LONG, _Tag.F_LONG_ALL):
                found = self._attributes(body[opens[tag] + 2 : ends[tag]].removesuffix(b"/"))
                if found.get(b"t", b"").decode() in _SPREADING:
                    self._spread.append(found.get(b"ref", b"").decode())
            self._valued[cell] |= bool(text.strip())
            _say_formula(cell, text, self._kind, self._texts)


def _say_formula(cell: int, text: str, kind: Any, texts: dict[int, str]) -> None:
    """Give a formula without a value as a text; one that shows nothing stays so."""
    if kind[cell] == Kind.BLANK and text != '""':
        kind[cell], texts[cell] = Kind.TEXT, f"={text}{NOT_COMPUTED}"


def _plain(text: bytes) -> str:
    """A text of XML in which only its five entities are."""
    plain = text.decode()
    if "&" in plain:
        for name, letter in (("lt", "<"), ("gt", ">"), ("quot", '"'), ("apos", "'"), ("amp", "&")):
            plain = plain.replace(f"&{name};", letter)
    return plain


def unescaped(text: str) -> str:
    r"""A text with what spreadsheets write for characters that XML cannot contain.

    >>> unescaped("a_x0001_b _x005F_x0041_")
    'a\x01b _x0041_'
    """
    return _ESCAPE.sub(lambda found: chr(int(found[1], 16)), text) if "_x00" in text else text


# -- all other sheets: expat


def streamed(data: bytes) -> tuple[Element, SheetData]:
    """Take a sheet apart as expat reads it; as `take_apart`."""
    stream = _Stream(data)
    inside, inside_end = stream.place
    root = parse(data[:inside] + data[inside_end:])
    return root, stream.found()


class _Stream:
    """What expat reports of the rows.

    Attributes
    ----------
    place : where that is which is in `sheetData`
    """

    def __init__(self, data: bytes) -> None:
        self.place = (-1, -1)
        self._data = data
        self._rows = {name: array("q") for name in ("number", "start", "inside", "inside_end", "end", "style")}
        self._cells = {name: array("q") for name in ("of_row", "line", "column", "start", "end", "style")}
        self._flags = {name: array("b") for name in ("filled", "valued", "formula", "unnamed", "kind")}
        self._numbers = array("d")
        self._texts: dict[int, str] = {}
        self._spread: list[str] = []
        self._level = 0
        self._space = ""
        self._closed = False
        self._path: list[str] = []  # the names of the elements that are open in `sheetData`
        self._column = -1
        self._pieces: dict[str, list[str]] = {}
        self._type = ""
        self._kept = self._said = False
        self._parser = parser_of(data)
        self._parser.StartElementHandler = self._start
        self._parser.EndElementHandler = self._end
        self._parser.CharacterDataHandler = self._text
        run(self._parser, data)
        if self.place[1] < 0:
            raise FileError("is damaged, it has no rows (an element 'sheetData' expected)")

    def found(self) -> SheetData:
        """What was read, as arrays."""
        arrays: dict[str, Any] = {f"row_{name}": np.array(values) for name, values in self._rows.items()}
        arrays |= {name: np.array(values) for name, values in self._cells.items()}
        arrays |= {name: np.array(values, dtype=np.bool_) for name, values in self._flags.items()}
        arrays["kind"] = np.array(self._flags["kind"], dtype=np.uint8)
        return SheetData(
            *self.place, self._closed, number=np.array(self._numbers), texts=self._texts, spread=self._spread, **arrays
        )

    def _start(self, long_name: str, attributes: dict[str, str]) -> None:
        self._level += 1
        if self._level > MAX_DEPTH:
            raise MarkupError("has elements too deep in each other", self._parser.CurrentLineNumber)
        if self._level == 1:
            self._space = name_of(long_name)[0].rpartition("}")[0]
            return
        if self.place[0] < 0:
            if self._level == 2 and name_of(long_name)[0] == self._name("sheetData"):
                tag = start_tag(self._data, self._parser.CurrentByteIndex)
                self._closed = bool(tag[1])
                self.place = (tag.end(), -1)
            return
        if self.place[1] >= 0:
            return
        space, _, name = name_of(long_name)[0].rpartition("}")
        name = name if space == self._space else ""
        self._path.append(name)
        depth = len(self._path)
        if depth == 1 and name == "row":
            self._start_row(attributes)
        elif depth == 2 and self._path[0] == "row":
            self._start_cell(name, attributes)
        elif depth > 2 and self._path[:2] == ["row", "c"]:
            if depth == 3:
                self._flags["filled"][-1] = True
                if name == "f":
                    self._flags["formula"][-1] = True
                    if attributes.get("t") in _SPREADING:
                        self._spread.append(attributes.get("ref", ""))
                self._pieces.setdefault(name, [])
            if name == "t":
                self._kept = attributes.get(SPACE) == "preserve"
                self._pieces["t"] = []

    def _start_row(self, attributes: dict[str, str]) -> None:
        tag = start_tag(self._data, self._parser.CurrentByteIndex)
        rows = self._rows
        number = _whole(attributes, "r", rows["number"][-1] + 2 if rows["number"] else 1)
        if not number:
            raise FileError("invalid row: '0' (1 or more expected)")
        styled = attributes.get("customFormat") in ("1", "true")
        new = (number - 1, tag.start(), tag.end(), tag.end(), tag.end(), _whole(attributes, "s", 0) if styled else -1)
        for name, value in zip(rows, new, strict=True):
            rows[name].append(value)
        self._column = -1

    def _start_cell(self, name: str, attributes: dict[str, str]) -> None:
        at = self._parser.CurrentByteIndex
        tag = start_tag(self._data, at)
        line, named = self._rows["number"][-1], attributes.get("r", "")
        if name != "c":  # which comes behind all cells
            column, named = MAX_COLUMNS, "-"
        elif named:
            line, column = place_of(named)
            self._column = column
        else:
            column = self._column = self._column + 1
        style = (_whole(attributes, "s", -1) if attributes.get("s") else -1) if name == "c" else -1
        new = (len(self._rows["number"]) - 1, line, column, at, tag.end(), style)
        for key, value in zip(self._cells, new, strict=True):
            self._cells[key].append(value)
        for key, flag in zip(self._flags, (False, False, False, not named, Kind.BLANK), strict=True):
            self._flags[key].append(flag)
        self._numbers.append(0.0)
        if len(self._numbers) > MAX_CELLS:
            raise FileError(f"has more than {MAX_CELLS:,} cells (delete the empty rows and columns)")
        self._pieces, self._type, self._said = {}, attributes.get("t", ""), False

    def _text(self, text: str) -> None:
        if self._path[:2] != ["row", "c"]:
            return
        if not self._said and text.strip():
            self._flags["valued"][-1] = self._said = True
        name = self._path[-1]
        if len(self._path) > 2 and name in ("f", "v", "t"):
            self._pieces.setdefault(name, []).append(text)

    def _end(self, _: str) -> None:
        self._level -= 1
        if self.place[0] < 0 or self.place[1] >= 0:
            return
        at = self._parser.CurrentByteIndex
        if not self._path:
            self.place = (self.place[0], self.place[0] if self._closed else at)
            return
        depth, name = len(self._path), self._path.pop()
        if depth == 1 and name == "row":
            self._rows["inside_end"][-1], self._rows["end"][-1] = self._ended(self._rows["end"][-1], at)
        elif depth == 2 and self._path[0] == "row":
            self._cells["end"][-1] = self._ended(self._cells["end"][-1], at)[1]
            if name == "c":
                self._take()
        elif name == "t" and self._path[:3] == ["row", "c", "is"] and "rPh" not in self._path:
            text = "".join(self._pieces.pop("t"))
            self._pieces["is"].append(unescaped(text if self._kept else text.strip(" \t\r\n")))

    def _ended(self, inside: int, at: int) -> tuple[int, int]:
        """The place of an element's end tag and of its end; its start tag ends at `inside`."""
        if self._data[inside - 2 : inside] == b"/>":
            return inside, inside
        return at, self._data.index(b">", at) + 1

    def _take(self) -> None:
        """Take what was read of a cell for its content."""
        cell = len(self._numbers) - 1
        pieces = {name: "".join(texts) for name, texts in self._pieces.items()}
        kinds = self._flags["kind"]
        if "is" in pieces:
            kinds[cell], self._texts[cell] = Kind.TEXT, pieces["is"]
        elif "v" in pieces:
            kinds[cell], self._numbers[cell], text = _content(self._type, pieces["v"])
            if kinds[cell] in (Kind.TEXT, Kind.DATE):
                self._texts[cell] = text
        if "f" in pieces:
            _say_formula(cell, pieces["f"], kinds, self._texts)

    def _name(self, name: str) -> str:
        return f"{self._space}}}{name}" if self._space else name


def _content(kind: str, text: str) -> tuple[Kind, float, str]:
    """What the value of a cell with this type is: of which kind, its number, its text."""
    if kind in ("str", "e", "d", "inlineStr"):
        return (Kind.DATE, 0.0, text) if kind == "d" and text else (Kind.TEXT, 0.0, unescaped(text))
    if not text:
        return Kind.BLANK, 0.0, ""
    number = float(text) if _NUMBER.fullmatch(text.strip(" \t\r\n")) else None
    if kind == "b":
        return Kind.FLAG, float(number != 0 and text != "false"), ""
    if kind == "s" and number is not None and 0 <= number < MAX_TEXTS and not number % 1:
        return Kind.SHARED, number, ""
    if kind in ("", "n") and number is not None:
        return Kind.NUMBER, number, ""
    if kind == "":
        return Kind.TEXT, 0.0, text
    raise FileError(f"invalid value of a cell of type {kind[:40]!r}: {text[:40]!r}")


def _whole(attributes: Mapping[str, str], name: str, default: int) -> int:
    """An attribute that is a whole number."""
    text = attributes.get(name)
    if text is None:
        return default
    if not _INDEX.fullmatch(text.encode()):
        raise FileError(f"invalid {name}: {text[:40]!r} (a whole number expected)")
    return int(text)
