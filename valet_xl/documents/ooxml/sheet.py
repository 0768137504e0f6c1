"""The XML part of one worksheet: where its cells are, and columns of cells put into its rows."""

from __future__ import annotations

import contextlib
import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from valet_xl.documents.cell_names import MAX_COLUMNS, MAX_ROWS, Area, cell_name, column_name
from valet_xl.documents.markup import Element, written
from valet_xl.documents.ooxml.new_cells import NewCells, Style
from valet_xl.documents.ooxml.package import whole_number
from valet_xl.documents.ooxml.sheet_data import MAX_CELLS, Whole
from valet_xl.documents.ooxml.streamed_rows import streamed
from valet_xl.documents.ooxml.usual_rows import canonical
from valet_xl.documents.page import Block
from valet_xl.documents.patches import Patches, patched
from valet_xl.errors import FileError

_SPANS = re.compile(rb"""\sspans\s*=\s*["']([^"'<]*)["']""")


@dataclass(frozen=True, slots=True)
class Lines:
    """The rows of the sheet where cells will be put, and what is there.

    area : the cells
    rows : (lines,) the index of each row in the sheet's data, -1 where the sheet lacks it
    bases : (lines,) the style of the cell left of the area
    cells : the indices of the cells in the area, in the order of the bytes
    """

    area: Area
    rows: Whole
    bases: Whole
    cells: Whole


class SheetPart:
    """A worksheet: the tree of what is around its rows, and where the rows and cells are in its bytes.

    Parameters
    ----------
    data : the part, in UTF-8
    where : the file and sheet, as messages name them

    Attributes
    ----------
    data : its rows and cells
    """

    def __init__(self, data: bytes, where: str) -> None:
        self.where = where
        self._bytes = data
        try:
            self.root, self.data = canonical(data) or streamed(data)
        except FileError as error:
            raise FileError(f"{where}: {error}") from error
        self._prefix = self.root.prefix

    def refuse_far(self) -> None:
        """Refuse a sheet whose used area, counted from A1 as it is laid out, has more cells than `MAX_CELLS`."""
        # Cells that only have a look take no room.
        there = self.data.column < MAX_COLUMNS
        for cells in (np.flatnonzero(there), np.flatnonzero(there & self.data.filled)):
            if not len(cells):
                return
            lines, columns = self.data.line[cells], self.data.column[cells]
            bottom, right = int(lines.max()), int(columns.max())
            if (bottom + 1) * (right + 1) <= MAX_CELLS:
                return
        at = int(np.argmax(np.hypot(lines / 64, columns)))
        far, last = cell_name(int(lines[at]), int(columns[at])), cell_name(bottom, right)
        raise FileError(f"{self.where}: cell {far} lies far out and makes the sheet reach to {last} (clear that cell)")

    def refuse_protected(self) -> None:
        """Refuse a sheet into which its owner lets nobody write."""
        protection = self.root.child("sheetProtection")
        if protection is not None and protection.get("sheet") in ("1", "true"):
            raise FileError(f"{self.where}: is protected (unprotect it, then try again)")

    @property
    def filtered(self) -> Area | None:
        """The area of the sheet's own filter, if there is one."""
        found = self.root.child("autoFilter")
        return None if found is None else area_of(found.get("ref"))

    def end_filter(self, area: Area) -> None:
        """Give the sheet's own filter an area."""
        end_filter(self.root.child("autoFilter"), area)

    def lines(self, area: Area, replaces: int = 0) -> Lines:
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
        merges = self.root.child("mergeCells")
        merged = [] if merges is None else [element.get("ref") for element in merges.children("mergeCell")]
        for ref in (*merged, *self.data.spread):
            found = area_of(ref)
            if found is not None and found.meets(area):
                raise FileError(
                    f"{self.where}: {ref} are merged cells or one formula; {area} must be free (split them)"
                )
        data = self.data
        # The rows of the area by their numbers; of two rows with one number the last counts.
        row_of = np.full(area.bottom - area.top + 1, -1)
        there = np.flatnonzero((data.row_number >= area.top) & (data.row_number <= area.bottom))
        row_of[data.row_number[there] - area.top] = there
        ours = np.zeros(len(data.row_number), dtype=np.bool_)
        ours[row_of[row_of >= 0]] = True
        in_rows = ours[data.of_row]
        cells = np.flatnonzero(in_rows & (data.column >= area.left) & (data.column <= area.right))
        bad = data.formula[cells] | (data.valued[cells] & (data.column[cells] >= area.left + replaces))
        if bad.any():
            cell = cells[bad][0]
            name = cell_name(int(data.row_number[data.of_row[cell]]), int(data.column[cell]))
            what = "a formula" if data.formula[cell] else "a value"
            raise FileError(f"{self.where}: cell {name} contains {what}; {area} must be free (clear or move it)")
        looks = np.where(data.row_style < 0, self._column_style(area.left - 1), data.row_style)
        beside = np.flatnonzero(in_rows & (data.column == area.left - 1))
        looks[data.of_row[beside]] = np.maximum(data.style[beside], 0)
        none = np.full(len(row_of), self._column_style(area.left - 1))
        bases = np.where(row_of < 0, none, looks[row_of]) if len(looks) else none
        return Lines(area, row_of, bases, cells)

    def put(self, block: Block, lines: Lines, style: Style) -> bytes:
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
            The new part. The tree, which is changed, is of no use afterwards.
        """
        texts = self._texts(block, lines, style)
        names = [column_name(block.left + index) for index in range(len(block.columns))]
        if names:
            self._reach(Area(block.top, block.left, lines.area.bottom, block.left + len(names) - 1))
        for index, column in enumerate(block.columns, block.left):
            self._widen(index, column.width, show=index >= block.left + block.replaces)
        element = self.root.child("sheetData")
        assert element is not None
        spanned = (block.left + 1, block.left + len(names)) if names else None
        element.fill(self._patched(lines, texts, spanned))
        return written(self.root)

    def _texts(self, block: Block, lines: Lines, style: Style) -> list[bytes]:
        """Write the new cells of each line as XML text."""
        data, area = self.data, lines.area
        former = np.full((len(lines.rows), max(1, area.right - area.left + 1)), -1)
        row_line = np.full(len(data.row_number), -1)
        row_line[lines.rows[lines.rows >= 0]] = np.flatnonzero(lines.rows >= 0)
        former[row_line[data.of_row[lines.cells]], data.column[lines.cells] - area.left] = data.style[lines.cells]
        return NewCells(block, self._prefix, self.where).lines(lines.bases.tolist(), former, style)

    def _patched(self, lines: Lines, texts: list[bytes], spanned: tuple[int, int] | None) -> bytes:
        """Give what is in `sheetData` with each line's text in place of its old cells.

        Parameters
        ----------
        spanned : the first and last column of the texts, counted from 1, which rows then say they span
        """
        patches = self._patches(lines, texts, spanned)
        return patched(self._bytes, patches, self.data.inside, self.data.inside_end)

    def _patches(self, lines: Lines, texts: list[bytes], spanned: tuple[int, int] | None) -> Iterator[Patches]:
        """Give the bytes that change."""
        data, source = self.data, self._bytes
        filled = np.fromiter(map(bool, texts), dtype=np.bool_, count=len(texts))
        missing = np.flatnonzero((lines.rows < 0) & filled)
        places = self._ends_above(missing + lines.area.top)
        p = self._prefix.encode()
        new_row = b'<%brow r="%%d">%%b</%brow>' % (p, p)
        yield Patches(places, places, [new_row % (lines.area.top + line + 1, texts[line]) for line in missing.tolist()])
        first, last = self._ranges(lines)
        there = np.flatnonzero((lines.rows >= 0) & (filled | (first != last)))
        closed = (data.row_end == data.row_inside)[lines.rows[there]] if len(there) else np.zeros(0, dtype=np.bool_)
        alone = there[closed]
        starts, ends = data.row_start[lines.rows[alone]], data.row_inside[lines.rows[alone]]
        tags = [source[start:end] for start, end in zip(starts.tolist(), ends.tolist(), strict=True)]
        news = [
            _reaching(tag, spanned)[:-2].rstrip() + b">%b</%brow>" % (texts[line], p)
            for tag, line in zip(tags, alone.tolist(), strict=True)
        ]
        yield Patches(starts, ends, news)
        there = there[~closed]
        yield Patches(first[there], last[there], list(map(texts.__getitem__, there.tolist())))
        if spanned is not None:
            yield self._spans(lines.rows[there[filled[there]]], spanned)
        yield self._others(lines)

    def _spans(self, rows: Whole, spanned: tuple[int, int]) -> Patches:
        """Give the places where rows say which columns they span, and that they span others too."""
        data, source = self.data, self._bytes
        insides = data.row_inside[rows]
        bounds = zip(data.row_start[rows].tolist(), insides.tolist(), strict=True)
        at = np.array([source.find(b" spans=", start, inside) for start, inside in bounds], dtype=np.int64)
        starts, ends = at[at >= 0], insides[at >= 0]
        rests = map(source.__getitem__, map(slice, starts.tolist(), ends.tolist()))
        return Patches(starts, ends, [_spanning(rest, *spanned) for rest in rests])

    def _ranges(self, lines: Lines) -> tuple[Whole, Whole]:
        """Give the places in each line from and to which new cells come in place of others; both are -1 in no row."""
        data = self.data
        first = np.full(len(data.row_number), -1)
        first[lines.rows[lines.rows >= 0]] = data.row_inside_end[lines.rows[lines.rows >= 0]]
        last = first.copy()
        behind = np.flatnonzero((data.column > lines.area.right) & (first[data.of_row] >= 0))[::-1]
        first[data.of_row[behind]] = last[data.of_row[behind]] = data.start[behind]
        groups, starts, ends = self._groups(lines)
        first[groups[::-1]], last[groups[::-1]] = starts[::-1], ends[::-1]
        at = np.where(lines.rows < 0, -1, first[lines.rows] if len(first) else -1)
        return at, np.where(lines.rows < 0, -1, last[lines.rows] if len(last) else -1)

    def _groups(self, lines: Lines) -> tuple[Whole, Whole, Whole]:
        """Give the cells of the area that touch each other, as one: the rows, where they begin and where they end."""
        data, cells = self.data, lines.cells
        begins = np.ones(len(cells), dtype=np.bool_)
        begins[1:] = (data.start[cells[1:]] != data.end[cells[:-1]]) | (np.diff(data.of_row[cells]) > 0)
        ends = np.append(begins[1:], True)[: len(cells)]
        return data.of_row[cells[begins]], data.start[cells[begins]], data.end[cells[ends]]

    def _others(self, lines: Lines) -> Patches:
        """Give what else changes in sheets that are not written as usual: cells apart from each other, or unnamed."""
        data = self.data
        rows, starts, ends = self._groups(lines)
        more = np.flatnonzero(np.diff(rows) == 0) + 1
        unnamed = np.flatnonzero(data.unnamed & (data.column > lines.area.right) & np.isin(data.of_row, lines.rows))
        at = data.start[unnamed] + len(f"<{self._prefix}c".encode())
        names = map(cell_name, data.line[unnamed].tolist(), data.column[unnamed].tolist())
        return Patches(
            np.concatenate([starts[more], at]),
            np.concatenate([ends[more], at]),
            [b""] * len(more) + [b' r="%b"' % name.encode() for name in names],
        )

    def _ends_above(self, numbers: Whole) -> Whole:
        """Give the places where rows with these numbers can be put: behind the rows above them."""
        data = self.data
        order = np.argsort(data.row_number, kind="stable")
        above = np.searchsorted(data.row_number[order], numbers)
        places = np.append(data.inside, data.row_end[order])
        return places[above]

    def _reach(self, area: Area) -> None:
        """Extend the dimension that the sheet states to an area."""
        dimension = self.root.child("dimension")
        if dimension is not None:
            # It is a hint that no program relies on: one that cannot be read stays.
            with contextlib.suppress(FileError):
                dimension.set("ref", str(Area.parse(dimension.get("ref")).union(area)))

    def _widen(self, column: int, width: float, show: bool) -> None:
        """Set a column's width where the sheet says nothing about that column, or `show` it if it is hidden."""
        columns = self.root.child("cols")
        if columns is None:
            columns, data = self.root.new("cols"), self.root.child("sheetData")
            assert data is not None
            data.put_before(columns)
        before = None
        for element in columns.children("col"):
            if whole_number(element, "max") > column:
                if whole_number(element, "min") > column + 1:
                    break
                if show and (element.get("hidden") in ("1", "true") or element.get("width") in ("0", "0.0")):
                    self._show(element, column + 1, width)
                return
            before = element
        number = str(column + 1)
        new = columns.new("col", {"min": number, "max": number, "width": f"{width:g}", "customWidth": "1"})
        if before is None:
            columns.insert(new)
        else:
            before.put_behind(new)

    def _show(self, columns: Element, number: int, width: float) -> None:
        """Take a hidden column, counted from 1, out of those that an element hides, and give it a width."""
        first, last = whole_number(columns, "min"), whole_number(columns, "max")
        shown = columns.copy()
        shown.drop("hidden")
        for name, value in (("min", number), ("max", number), ("width", f"{width:g}"), ("customWidth", 1)):
            shown.set(name, str(value))
        columns.put_before(shown)
        if first < number:
            before = columns.copy()
            before.set("max", str(number - 1))
            shown.put_before(before)
        if number < last:
            columns.set("min", str(number + 1))
        else:
            columns.remove()

    def _column_style(self, column: int) -> int:
        """Give the style that a column's empty cells have."""
        columns = self.root.child("cols")
        for element in [] if columns is None else columns.children("col"):
            if whole_number(element, "min") <= column + 1 <= whole_number(element, "max"):
                return whole_number(element, "style")
        return 0


def area_of(ref: str) -> Area | None:
    """Give the area of a reference; None where that cannot be read."""
    try:
        return Area.parse(ref)
    except FileError:
        return None


def end_filter(filters: Element | None, area: Area) -> None:
    """Give a filter an area, and take conditions on columns right of it away."""
    if filters is None:
        return
    filters.set("ref", str(area))
    for column in filters.children("filterColumn"):
        if whole_number(column, "colId") > area.right - area.left:
            column.remove()


def _reaching(tag: bytes, spanned: tuple[int, int] | None) -> bytes:
    """Let the columns that a row says it spans reach to others, in its tag."""
    at = tag.find(b" spans=")
    return tag if spanned is None or at < 1 else tag[:at] + _spanning(tag[at:], *spanned)


@lru_cache
def _spanning(rest: bytes, first: int, last: int) -> bytes:
    """Let the columns that a row says it spans, counted from 1, reach to others, in the rest of its tag."""
    found = _SPANS.match(rest)
    spans = [int(bound) for bound in re.findall(rb"\d+", found[1])] if found else []
    if not found or not spans:
        return rest
    return b' spans="%d:%d"%s' % (min(*spans, first), max(*spans, last), rest[found.end() :])
