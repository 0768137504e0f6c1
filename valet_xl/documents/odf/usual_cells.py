"""Runs of cells that are written as all large programs write them, cut out of the content of a spreadsheet.

Sheets repeat most of their cells, byte for byte: each different one is read once, together with what is between it and
the next cell. What remains of the content, with a marker in place of each run, is left to expat, and so is every cell
with more in it than plain paragraphs. A run has whole cells, and ends of rows with starts of rows behind them. So the
content is well-formed, and means what its parts mean, if all markers are directly in rows.
"""

from __future__ import annotations

import re
from typing import NamedTuple

import numpy as np

from valet_xl.documents.markup import is_text, plain_text
from valet_xl.documents.odf.names import CELL, COVERED, NAMES
from valet_xl.documents.odf.sheet import Whole
from valet_xl.documents.odf.values import LOOK_OF_ROW, ROWS, CellForm, form_of, laid_out, repeated, with_number

MARKER = "valet-xl-run"
_CHUNK = 1 << 18  # bytes that are taken apart at once: they stay in the processor's cache
_FEW = 12  # cells, which expat reads as fast
_START, _COVERED = b"<table:table-cell", b"<table:covered-table-cell"
_END, _ROW_END = b"</table:table-cell>", b"</table:table-row>"
_PARAGRAPH, _PARAGRAPH_END, _NO_PARAGRAPH = b"<text:p>", b"</text:p>", b"<text:p/>"
_AROUND = len(_PARAGRAPH + _PARAGRAPH_END)
# Characters that XML can contain, and its five entities.
_TEXT = rb"[^<>&\x00-\x08\x0b\x0c\x0e-\x1f]*+(?:&(?:lt|gt|amp|quot|apos);[^<>&\x00-\x08\x0b\x0c\x0e-\x1f]*+)*+"
_ATTRIBUTE = rb'[a-z]+:[a-z][a-z-]*="[^"<>&\x00-\x1f]*+(?:&(?:lt|gt|amp|quot|apos);[^"<>&\x00-\x1f]*+)*+"'
_SPACE = rb"[ \t\r\n]*+"
_CELL = re.compile(
    rb"((?: %(attribute)s)*+)(?:/>|>(%(space)s(?:(?:%(start)s%(text)s%(end)s|%(none)s)%(space)s)*+)%(cell_end)s)"
    % {
        b"attribute": _ATTRIBUTE,
        b"space": _SPACE,
        b"text": _TEXT,
        b"start": _PARAGRAPH,
        b"end": _PARAGRAPH_END,
        b"none": _NO_PARAGRAPH,
        b"cell_end": _END,
    }
)
_SAID = re.compile(rb"%b([^<]*)%b|%b" % (_PARAGRAPH, _PARAGRAPH_END, _NO_PARAGRAPH))
_BETWEEN = re.compile(
    _SPACE
    + rb"(?:(%(end)s)%(space)s(<table:table-row)((?: %(attribute)s)*+)>%(space)s)?"
    % {b"end": _ROW_END, b"space": _SPACE, b"attribute": _ATTRIBUTE}
)
_NUMBER = re.compile(
    rb'((?: %(attribute)s)*? office:value-type="(?:float|percentage|currency)" office:value=")'
    rb'(-?[0-9]{1,15}(?:\.[0-9]{1,30})?)("(?: %(attribute)s)*+>)%(start)s([^<>&\x00-\x1f\x80-\xff]*)%(end)s%(cell_end)s'
    % {b"attribute": _ATTRIBUTE, b"start": _PARAGRAPH, b"end": _PARAGRAPH_END, b"cell_end": _END}
)
_ONE = re.compile(rb' ([^=]+)="([^"]*)"')
_NONE, _UNUSUAL = -1, -2  # in place of a break
_LEFT = -1, 0, _NONE  # a piece that is left to expat
_SEVERAL = -1  # in place of the number of a piece


class UnusualError(Exception):
    """A run is not where it can be taken for one."""


class Run(NamedTuple):
    """Cells that follow each other: the first, behind the last, and where in the part they begin and end."""

    first: int
    last: int
    start: int
    end: int


class Break(NamedTuple):
    """The end of a row and the start of the next, behind a cell; places count from the end of that cell.

    row_end : where the end tag begins
    start, inside : where the next row's start tag begins and ends
    repeats, look : how often the next row is repeated, and the style of its cells
    """

    row_end: int
    start: int
    inside: int
    repeats: int
    look: str


class RunOfRows(NamedTuple):
    """What a run adds to the rows and cells of a sheet; its first cells are in the row that is open.

    arrays : by the names in `odf.sheet.Rows` what is added there. That row is the first that gets an end; the last that
        gets a start stays open. `of_row` is 0 for that row, 1 for the next. `form` is a place in `UsualCells.forms`
    breaks : (rows,) where these start, a place in `UsualCells.breaks`
    column : where the next cell is
    """

    arrays: dict[str, Whole]
    breaks: Whole
    column: int


class UsualCells:
    """The runs of usual cells of a part content.xml, in UTF-8.

    Attributes
    ----------
    frame : the part with a marker in place of each run
    runs : they
    prefixes : those of the usual ones that the cells need
    forms : the forms of the cells
    breaks : what is between rows
    """

    def __init__(self, data: bytes) -> None:
        self.prefixes = {"office", "table", "text"}
        self.forms: list[CellForm] = []
        self._names: dict[bytes, str | None] = {}  # of attributes, as expat gives them; None for what is unusual
        self.breaks: list[Break] = []
        self._between = {b"": _NONE}  # the breaks, by the bytes between two cells
        self._known: dict[bytes, int] = {}  # the different pieces: a cell, and what is between it and the next
        self._pieces = [_LEFT]  # the form of each, the size of its cell, and its break; the first stands for the last
        self._sizes = [0]
        self._kinds: dict[tuple[bytes, bytes, bytes], tuple[tuple[int, int, int], int]] = {}
        self._codes, self._starts = self._taken_apart(data)
        self._about = np.array(self._pieces, dtype=np.int64)
        self._counts = np.array([form.repeats for form in self.forms], dtype=np.int64)
        self._places = np.array([each[:4] for each in self.breaks], dtype=np.int64).reshape(-1, 4)
        self.runs = self._found()
        kept, done = [], 0
        for number, run in enumerate(self.runs):
            kept += [data[done : run.start], self.marker(number)]
            done = run.end
        self.frame = b"".join([*kept, data[done:]])

    def marker(self, number: int) -> bytes:
        """What is in the frame in place of a run."""
        return b"<?%b %d?>" % (MARKER.encode(), number)

    def rows(self, run: Run, column: int) -> RunOfRows:
        """What a run adds to a sheet, where its first cell is in a column."""
        form, size, breaks = self._about[self._codes[run.first : run.last]].T
        starts = self._starts[run.first : run.last]
        reach = self._counts[form].cumsum() + column
        last = np.flatnonzero(breaks >= 0)  # cells of their rows
        of_row = np.zeros(len(form), dtype=np.int64)
        of_row[1:] = (breaks[:-1] >= 0).cumsum()
        left = np.append(0, reach[last])  # how many columns are in the rows above
        row_end, start, inside, count = self._places[breaks[last]].T
        behind = starts[last] + size[last]
        arrays = {
            "inside_end": behind + row_end,
            "end": behind + row_end + len(_ROW_END),
            "start": behind + start,
            "inside": behind + inside,
            "count": count,
            "of_row": of_row,
            "column": reach - self._counts[form] - left[of_row],
            "cell_start": starts,
            "form": form,
        }
        return RunOfRows(arrays, breaks[last], int(reach[-1] - left[-1]))

    def _taken_apart(self, data: bytes) -> tuple[Whole, Whole]:
        """The pieces of the part, each as a number, and where they begin."""
        codes = [np.zeros(0, dtype=np.int64)]
        first = start = data.find(_START)
        while start >= 0:
            end = data.find(_START, start + _CHUNK)
            found = data[start + len(_START) : end if end >= 0 else len(data)].split(_START)
            # The last piece of all reaches to the end of the part: it is left to expat.
            last = [] if end >= 0 else [found.pop()]
            numbers = self._numbers(found)
            if np.any(numbers == _SEVERAL):
                numbers = self._numbers([part for piece in found for part in _parts(piece)])
            codes += [numbers, np.zeros(len(last), dtype=np.int64)]
            start = end
        code = np.concatenate(codes)
        size = np.array(self._sizes, dtype=np.int64)[code]
        return code, size.cumsum() - size + first

    def _numbers(self, pieces: list[bytes]) -> Whole:
        """The numbers of pieces, places in `_pieces`; `_SEVERAL` for those in which covered cells follow."""
        known = self._known
        if None in map(known.get, pieces):
            for piece in dict.fromkeys(pieces):
                if piece not in known:
                    known[piece] = _SEVERAL if piece.find(_COVERED, 1) > 0 else len(self._pieces)
                    if known[piece] != _SEVERAL:
                        self._pieces.append(self._piece(piece))
                        self._sizes.append(len(piece) + _name(piece)[1])
        return np.fromiter(map(known.__getitem__, pieces), dtype=np.int64, count=len(pieces))

    def _found(self) -> list[Run]:
        """The runs that are worth a marker."""
        usual = np.concatenate([[False], self._about[self._codes, 0] >= 0, [False]])
        edges = np.flatnonzero(usual[1:] != usual[:-1])
        first, last = edges[::2], edges[1::2]
        long = last - first >= _FEW
        first, last = first[long], last[long]
        places = (first, last, self._starts[first], self._starts[last])
        return [Run(*each) for each in zip(*(place.tolist() for place in places), strict=True)]

    def _piece(self, piece: bytes) -> tuple[int, int, int]:
        """The form of a cell, its size, and the break behind it."""
        found = _NUMBER.match(piece)
        if found is None:
            return self._any_piece(piece)
        # Cells with numbers are of few kinds, in which only the numbers differ.
        before, number, behind, text = found.groups()
        kind = before, behind, piece[found.end() :]
        known = self._kinds.get(kind)
        if known is None:
            first = self._any_piece(piece)
            if first[0] < 0 or isinstance(self.forms[first[0]].value, float):
                self._kinds[kind] = first, len(number)
            return first
        (form, _, behind_cell), length = known
        if form < 0:
            return _LEFT
        made = with_number(self.forms[form], float(number), len(number) - length, len(text) + _AROUND)
        self.forms.append(made)
        return len(self.forms) - 1, made.size, behind_cell

    def _any_piece(self, piece: bytes) -> tuple[int, int, int]:
        name, start = _name(piece)
        found = _CELL.match(piece, 0 if start else len(_COVERED))
        if found is None or not is_text(piece) or (found[2] is not None and name == COVERED):
            return _LEFT
        between = piece[found.end() :]
        if between not in self._between:
            self._between[between] = self._break(between)
        attributes = self._attributes(found[1])
        if attributes is None or self._between[between] == _UNUSUAL:
            return _LEFT
        said, texts = _paragraphs(found[2] or b"", found.start(2) + start)
        size = found.end() + start
        edges = (found.end(1) + start + 1, size - len(_END)) if found[2] is not None else (size, size)
        form = form_of(name, attributes, said, texts, size, *edges)
        if form.wrong:
            return _LEFT
        self.forms.append(form)
        return len(self.forms) - 1, size, self._between[between]

    def _break(self, between: bytes) -> int:
        """The break that some bytes between two cells are."""
        found = _BETWEEN.fullmatch(between)
        if found is None or not is_text(between):
            return _UNUSUAL
        if found[1] is None:
            return _NONE
        attributes = self._attributes(found[3])
        if attributes is None:
            return _UNUSUAL
        count, wrong = repeated(attributes, ROWS)
        if wrong:
            return _UNUSUAL
        look = attributes.get(LOOK_OF_ROW, "")
        self.breaks.append(Break(found.start(1), found.start(2), found.end(3) + 1, count, look))
        return len(self.breaks) - 1

    def _attributes(self, text: bytes) -> dict[str, str] | None:
        """The attributes of a start tag, by their names as expat gives them; None for unusual ones."""
        pairs = _ONE.findall(text)
        found = {}
        for key, value in pairs:
            if key not in self._names:
                self._names[key] = self._name(key.decode())
            name = self._names[key]
            if name is None:
                return None
            found[name] = plain_text(value)
        return found if len(found) == len(pairs) else None

    def _name(self, text: str) -> str | None:
        prefix, _, name = text.partition(":")
        if prefix not in NAMES:
            return None
        self.prefixes.add(prefix)
        return f"{NAMES[prefix]}}}{name}"


def _parts(piece: bytes) -> list[bytes]:
    """A cell, and the covered cells behind it with the start of their tags."""
    first, *covered = piece.split(_COVERED)
    return [first, *(_COVERED + each for each in covered)]


def _name(piece: bytes) -> tuple[str, int]:
    """The name of the element that a piece begins with, and how many bytes of its tag are before the piece."""
    return (COVERED, 0) if piece.startswith(_COVERED) else (CELL, len(_START))


def _paragraphs(content: bytes, at: int) -> tuple[list[str], tuple[int, ...]]:
    """The texts of plain paragraphs, and where each begins and ends, where the content begins at a place."""
    found = list(_SAID.finditer(content))
    said = [laid_out(plain_text(each[1] or b"")).strip(" ") for each in found]
    return said, tuple(at + edge for each in found for edge in each.span())
