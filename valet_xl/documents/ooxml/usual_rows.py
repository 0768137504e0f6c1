"""The rows and cells of a worksheet that is written as all large programs write it: arrays, all cells at once.

A sheet that is written in any other way, with comments between cells or rows without a number, is left to
`streamed_rows`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import fields
from typing import Any

import numpy as np
import numpy.typing as npt

from valet_xl.documents.cell_names import MAX_COLUMNS, MAX_ROWS
from valet_xl.documents.decimal_numbers import decimal_numbers
from valet_xl.documents.markup import Element, MarkupError, is_text, parse, plain_text
from valet_xl.documents.ooxml.sheet_data import (
    INDEX,
    MAX_TEXTS,
    SPREADING,
    Kind,
    SheetData,
    Whole,
    say_formula,
    unescaped,
)
from valet_xl.documents.ooxml.usual_tags import (
    CAN_CLOSE,
    FOLLOWS,
    HAS_TEXT,
    IS_FORMULA,
    KEPT_SPACE,
    ROW_ENDS,
    TAG_MASK,
    TAG_OF,
    TAG_WORD,
    Tag,
)
from valet_xl.documents.whole_numbers import LOW, whole_numbers, word

_CHUNK = 1 << 20  # bytes that are taken apart at once: their arrays stay in the processor's cache
_BUT_ONE_BIT = 0xFF ^ ord("<") ^ ord(">")  # in which the two differ
_OPEN, _CLOSE = b"<sheetData>", b"</sheetData>"
_STYLE, _TYPE = word(b' s="'), word(b' t="')
_TYPES = {b"n": Kind.NUMBER, b"s": Kind.SHARED, b"b": Kind.FLAG, b"str": Kind.TEXT, b"e": Kind.TEXT, b"d": Kind.DATE}
_INLINE, _INLINE_TYPE = b"inlineStr", 255  # a text in the cell itself
_ATTRIBUTES = re.compile(rb'(?: [A-Za-z_][\w.-]*(?::[A-Za-z_][\w.-]*)?="[^"<>&\t\r\n]*")*')
_ONE = re.compile(rb' ([^=]+)="([^"]*)"')
_REFERENCE = re.compile(rb"&(?:lt|gt|amp|quot|apos);")
_CONTROL = re.compile(rb"[\x00-\x08\x0b-\x1f]")  # among them the carriage return, which a reader would change
_SHORT = 64  # bytes
_CELL_KEYS = {b"r", b"s", b"t", b"cm", b"vm", b"ph"}


class _UnusualError(Exception):
    """The sheet is not written as usual."""


def canonical(data: bytes) -> tuple[Element, SheetData] | None:
    """Take a worksheet's part apart with arrays.

    Parameters
    ----------
    data : in UTF-8

    Returns
    -------
    the tree without what is in `sheetData`, and that; None where the part is not written as usual
    """
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
        or not is_text(body)
        or (b"&" in body and body.count(b"&") != len(_REFERENCE.findall(body)))
    ):
        raise _UnusualError
    marks = np.flatnonzero((letters & _BUT_ONE_BIT) == ord("<"))
    opens, ends = marks[::2].copy(), marks[1::2].copy()
    if not len(opens) or len(opens) != len(ends) or opens[0] or ends[-1] != len(body) - 1:
        raise _UnusualError
    if np.any(letters[opens] != ord("<")) or np.any(letters[ends] != ord(">")):
        raise _UnusualError
    gaps = opens[1:] - ends[:-1] - 1
    # Every place with the seven bytes after it, as one number each; what follows the rows is long enough for the last.
    words = np.ndarray((len(body),), dtype="<u8", buffer=data, offset=start, strides=(1,))
    first = words[opens]
    tags = TAG_OF[(first >> np.uint64(8)) & np.uint64(0xFFFF)]
    if np.any((first & TAG_MASK[tags]) != TAG_WORD[tags]) or not tags.all():
        raise _UnusualError
    closing = (letters[ends - 1] == ord("/")) & (CAN_CLOSE[tags] > 0)
    tags = np.where(closing, CAN_CLOSE[tags], tags)
    if (
        tags[0] not in ROW_ENDS
        or tags[-1] not in (Tag.ROW_END, Tag.ROW_ALL)
        or not FOLLOWS[tags[:-1].astype(np.intp) * 32 + tags[1:]].all()
        or np.any((gaps > 0) & ~HAS_TEXT[tags[:-1]])
    ):
        raise _UnusualError
    return _Rows(body, start, words, opens, ends, tags, root).taken()


def _letter(words: npt.NDArray[np.uint64], place: int) -> Whole:
    """One byte of each word."""
    return ((words >> np.uint64(8 * place)) & np.uint64(0xFF)).astype(np.int64)


def _floats(texts: list[bytes]) -> npt.NDArray[np.float64]:
    """Numbers; Python takes more for one than a spreadsheet does."""
    if b"".join(texts).translate(None, b"0123456789+-.eE"):
        raise _UnusualError
    try:
        return np.fromiter(map(float, texts), dtype=np.float64, count=len(texts))
    except ValueError as error:
        raise _UnusualError from error


class _Rows:
    """Whole rows that are written as usual, and their tags.

    Parameters
    ----------
    body : their bytes
    offset : where they begin in the part
    words : (bytes,) eight bytes at each place
    opens, ends : (tags,) the places of "<" and ">"
    tags : (tags,) what each is, a `Tag`
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
        self._row_tags = np.flatnonzero((tags == Tag.ROW) | (tags == Tag.ROW_ALL))
        self._cell_tags = np.flatnonzero((tags == Tag.CELL) | (tags == Tag.CELL_ALL))
        self._counts = np.diff(np.searchsorted(self._cell_tags, np.append(self._row_tags, len(tags))))
        self._of_row = np.repeat(np.arange(len(self._row_tags)), self._counts.astype(np.intp, copy=False))

    def taken(self) -> SheetData:
        """What is known of all of them."""
        number, look_of_row = self._row_numbers()
        column, style, types = self._cells(number)
        if np.any((np.diff(column) <= 0) & (np.diff(self._of_row) == 0)):
            raise _UnusualError
        opens, ends, tags = self._opens, self._ends, self._tags
        closed_row, closed_cell = tags[self._row_tags] == Tag.ROW_ALL, tags[self._cell_tags] == Tag.CELL_ALL
        row_inside = ends[self._row_tags] + 1
        row_inside_end, row_end = row_inside.copy(), row_inside.copy()
        row_inside_end[~closed_row] = opens[tags == Tag.ROW_END]
        row_end[~closed_row] = ends[tags == Tag.ROW_END] + 1
        cell_end = ends[self._cell_tags] + 1
        cell_end[~closed_cell] = ends[tags == Tag.CELL_END] + 1
        filled = ~closed_cell
        filled[filled] = tags[self._cell_tags[filled] + 1] != Tag.CELL_END
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
        starts = self._opens[self._row_tags] + 9 + self._row_sizes
        sizes = self._ends[self._row_tags] - starts
        size = int(sizes[0])
        if np.all(sizes == size) and 0 < size <= _SHORT and int(starts[-1]) + size <= len(self._body):
            # As a rule all rows are alike but for their numbers.
            windows = np.ndarray((len(self._body) - size + 1,), dtype=f"V{size}", buffer=self._body, strides=(1,))
            if np.all(windows[starts] == windows[starts[0]]):
                starts, sizes = starts[:1], sizes[:1]
        rests = self._cut(starts, sizes)
        look = {rest: self._look_of_row(rest.removesuffix(b"/")) for rest in set(rests)}
        looks = np.array([look[rest] for rest in rests], dtype=np.int64)
        return number, np.broadcast_to(looks, number.shape) if len(looks) == 1 else looks

    def _look_of_row(self, rest: bytes) -> int:
        found = self._attributes(rest)
        if b"r" in found:
            raise _UnusualError
        style = found.get(b"s", b"0")
        if found.get(b"customFormat") not in (b"1", b"true"):
            return -1
        if not INDEX.fullmatch(style):
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
            or np.any((self._words[at] ^ self._row_words[self._of_row]) & LOW[size + 1])
        ):
            raise _UnusualError
        at = at + size + 1
        style, types = np.full(len(at), -1, dtype=np.int64), np.full(len(at), Kind.NUMBER, dtype=np.uint8)
        words = self._words[at]
        has = np.flatnonzero((words & LOW[4]) == _STYLE)
        if len(has):
            style[has], _, sizes = self._read_numbers(at[has] + 4)
            at[has] += sizes + 5
            words = self._words[at]
        has = np.flatnonzero((words & LOW[4]) == _TYPE)
        if len(has):
            self._read_types(has, at, types)
        rest = self._ends[self._cell_tags] - (self._tags[self._cell_tags] == Tag.CELL_ALL) - at
        for cell in np.flatnonzero(rest).tolist():
            style[cell], types[cell] = self._other_attributes(cell)
        return column, style, types

    def _read_types(self, cells: Whole, at: Whole, types: Any) -> None:
        """Read the types of cells, and go on to what is behind them."""
        words = self._words[at[cells] + 4]
        for text, kind in _TYPES.items():
            mine = cells[(words & LOW[len(text) + 1]) == word(text + b'"')]
            types[mine] = kind
            at[mine] += len(text) + 5
        mine = cells[words == word(_INLINE)]
        mine = mine[(self._words[at[mine] + 12] & LOW[2]) == word(b'r"')]
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
        if style is not None and not INDEX.fullmatch(style):
            raise _UnusualError
        return -1 if style is None else int(style), _INLINE_TYPE if kind == _INLINE else _TYPES[kind]

    def _values(self, types: Any) -> dict[str, Any]:
        """What is in the cells: the fields of `SheetData` about that."""
        tags = self._tags
        self._cell_of = np.cumsum((tags == Tag.CELL) | (tags == Tag.CELL_ALL)) - 1
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
        values = np.flatnonzero(tags == Tag.V)
        is_empty = opens[values + 1] - ends[values] == 1
        none = self._cell_of[np.append(values[is_empty], np.flatnonzero(tags == Tag.V_ALL))]
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
        numbers, whole = whole_numbers(self._words[starts], sizes)
        self._numbers[cells[numeric]] = numbers[numeric]
        others = np.flatnonzero(numeric & ~whole)
        if len(others):
            self._numbers[cells[others]], known = decimal_numbers(self._words, starts[others], sizes[others])
            others = others[~known]
            self._numbers[cells[others]] = _floats(self._cut(starts[others], sizes[others]))
        shared, flags = (self._numbers[cells[of == kind]] for kind in (Kind.SHARED, Kind.FLAG))
        if np.any(~((shared >= 0) & (shared < MAX_TEXTS)) | (shared % 1 != 0)) or np.any((flags != 0) & (flags != 1)):
            raise _UnusualError
        self._kind[cells] = of
        self._valued[cells] = True
        said = np.flatnonzero(~numeric)
        plain = map(plain_text, self._cut(starts[said], sizes[said]))
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
        texts = np.flatnonzero((tags == Tag.T) | (tags == Tag.T_LONG))
        for tag, cell in zip(texts.tolist(), self._cell_of[texts].tolist(), strict=True):
            long = tags[tag] == Tag.T_LONG
            if long and body[opens[tag] : ends[tag] + 1] != KEPT_SPACE:
                raise _UnusualError
            text = plain_text(body[ends[tag] + 1 : opens[tag + 1]])
            self._texts[cell] = unescaped(text if long else text.strip(" \t\n"))
            self._kind[cell], self._valued[cell] = Kind.TEXT, bool(text.strip())

    def _read_formulas(self) -> None:
        """Read the formulas: the areas that have one, and those that no program has computed."""
        tags, opens, ends, body = self._tags, self._opens, self._ends, self._body
        formulas = np.flatnonzero(IS_FORMULA[tags])
        self._formula[self._cell_of[formulas]] = True
        for tag, cell in zip(formulas.tolist(), self._cell_of[formulas].tolist(), strict=True):
            has_text = tags[tag] in (Tag.F, Tag.F_LONG)
            text = plain_text(body[ends[tag] + 1 : opens[tag + 1]]) if has_text else ""
            if tags[tag] in (Tag.F_LONG, Tag.F_LONG_ALL):
                found = self._attributes(body[opens[tag] + 2 : ends[tag]].removesuffix(b"/"))
                if found.get(b"t", b"").decode() in SPREADING:
                    self._spread.append(found.get(b"ref", b"").decode())
            self._valued[cell] |= bool(text.strip())
            say_formula(cell, text, self._kind, self._texts)
