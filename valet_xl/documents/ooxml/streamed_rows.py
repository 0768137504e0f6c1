"""The rows and cells of any worksheet, as expat reads them."""

from __future__ import annotations

import re
from array import array
from collections.abc import Mapping
from typing import Any

import numpy as np

from valet_xl.documents.cell_names import MAX_COLUMNS, place_of
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
from valet_xl.documents.ooxml.sheet_data import (
    INDEX,
    MAX_CELLS,
    MAX_TEXTS,
    SPREADING,
    Kind,
    SheetData,
    say_formula,
    unescaped,
)
from valet_xl.errors import FileError

_NUMBER = re.compile(r"[+-]?(?:(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?|(?i:inf|infinity|nan))")


def streamed(data: bytes) -> tuple[Element, SheetData]:
    """Take a worksheet's part apart as expat reads it: what `canonical` gives, for any part.

    Raises
    ------
    MarkupError : for what is not XML
    FileError : where there is no `sheetData`, or a cell that is none
    """
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
                    if attributes.get("t") in SPREADING:
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
            say_formula(cell, pieces["f"], kinds, self._texts)

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
    if not INDEX.fullmatch(text.encode()):
        raise FileError(f"invalid {name}: {text[:40]!r} (a whole number expected)")
    return int(text)
