"""Columns put into a sheet of content.xml: only the bytes of what is new change, and all else stays as it was."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from itertools import chain, repeat, starmap

import numpy as np

from valet_xl.documents.cell_names import Area, column_name
from valet_xl.documents.odf.new_cells import NewCells
from valet_xl.documents.odf.room import room_for
from valet_xl.documents.odf.sheet import ColumnPlace, Sheet, Spreadsheet
from valet_xl.documents.odf.styles import IN_QUOTES, Change, Styles
from valet_xl.documents.page import Block
from valet_xl.documents.patches import Patches, patched
from valet_xl.errors import SheetError

_HIDDEN = re.compile(rb"""\s+(?:[\w.-]+:)?visibility\s*=\s*(?:"[^"]*"|'[^']*')""")
_LAST_COLUMN = re.compile(r"(\$?)[A-Z]{1,3}(\$?[0-9]+)\Z")


def with_block(data: bytes, found: Spreadsheet, sheet: Sheet, block: Block, grown: Mapping[str, Area]) -> bytes:
    """Put a block of columns into a sheet.

    Parameters
    ----------
    data : content.xml, in UTF-8
    found : what was read of it
    sheet : the sheet
    block : the columns, whose place is free of values but for those of the columns that it replaces
    grown : the database ranges that get another last column, by their names

    Raises
    ------
    SheetError : where a cell has a formula, or is merged with others
    FileError : where the names of elements are written as no program writes them
    """
    patch = _Patch(data, found, sheet, block)
    patch.refuse_taken()
    cells = patch.cells()
    others = [*patch.widths(), *patch.ranges(grown)]  # these need styles, and so do the cells
    others += patch.styles.changes()
    starts, ends = (np.array([each[side] for each in others], dtype=np.int64) for side in (0, 1))
    return patched(data, [Patches(starts, ends, [each[2] for each in others]), cells])


class _Patch:
    """The changes to one sheet."""

    def __init__(self, data: bytes, found: Spreadsheet, sheet: Sheet, block: Block) -> None:
        self._data, self._found, self._sheet, self._block = data, found, sheet, block
        self._area = block.area
        self._right = block.left + len(block.columns) - 1
        self.styles = Styles(data, found)
        table = self.styles.prefixes["table"]
        self._blank, self._row_end = f"<{table}table-cell/>".encode(), f"</{table}table-row>".encode()
        self._room = room_for(self._area, sheet.rows, found.forms)
        self._edges: dict[tuple[int, int], bytes] = {}

    def refuse_taken(self) -> None:
        """Refuse an area with formulas or merged cells."""
        rows, forms, area = self._sheet.rows, self._found.forms, self._area
        special = np.array([each.formula or each.covered or each.spans != (1, 1) for each in forms], dtype=np.bool_)
        some = np.flatnonzero(special[rows.form])
        found = [forms[at] for at in rows.form[some].tolist()]
        formula, covered = (
            np.array([getattr(each, what) for each in found], dtype=np.bool_) for what in ("formula", "covered")
        )
        wide, high = np.array([each.spans for each in found], dtype=np.int64).reshape(-1, 2).T
        row = rows.of_row[some]
        top, left = rows.line[row], rows.column[some]
        bottom, right = top + rows.count[row] - 1, left + forms.repeats[rows.form[some]] - 1
        here, reach = (
            (top <= area.bottom) & (bottom + down >= area.top) & (left <= area.right) & (right + along >= area.left)
            for down, along in ((0, 0), (high - 1, wide - 1))
        )
        bad = reach & ((formula | covered) & here | (wide > 1) | (high > 1))
        if bad.any():
            first = int(np.argmax(bad))
            if here[first] and formula[first]:
                raise SheetError(f"{area} contains a formula (clear or move it)")
            raise SheetError(f"{area} contains merged cells (split them)")

    # -- cells

    def cells(self) -> Patches:
        """The rows with their new cells; a row that is repeated is written out."""
        rows, room = self._sheet.rows, self._room
        first, last = room.rows.start, room.rows.stop
        tops = np.maximum(rows.line[first:last], self._area.top)
        heights = np.minimum((rows.line + rows.count)[first:last], self._area.bottom + 1) - tops
        below = int(tops[-1] + heights[-1]) if len(tops) else self._area.top  # the first line under the rows
        looks = list(zip(room.beside.tolist(), rows.look[first:last].tolist(), strict=True))
        bases = list(map({look: self._base(*look) for look in set(looks)}.__getitem__, looks))
        of_lines = list(chain.from_iterable(map(repeat, bases, heights.tolist())))
        of_lines += [self._base(-1, -1)] * (self._area.bottom + 1 - below)
        cells = NewCells(self._block, self.styles)
        texts = cells.lines(of_lines)
        under, behind = (tops - self._area.top).tolist(), (tops - self._area.top + heights).tolist()
        for row, kept in self._kept().items():
            lines = range(under[row], behind[row])
            texts[lines.start : lines.stop] = [cells.line(at, bases[row], kept) for at in lines]
        before, after = (list(starmap(self._edge, zip(*each, strict=True))) for each in (room.before, room.after))
        news = list(map(b"".join, zip(before, map(texts.__getitem__, under), after, strict=True)))
        starts, ends = room.starts.copy(), room.ends.copy()
        for row in np.flatnonzero((rows.count[first:last] > 1) | (rows.inside == rows.end)[first:last]).tolist():
            inner = [before[row] + text + after[row] for text in texts[under[row] : behind[row]]]
            news[row] = self._written_out(first + row, int(tops[row]), inner, int(starts[row]), int(ends[row]))
            starts[row], ends[row] = rows.start[first + row], rows.end[first + row]
        if below <= self._area.bottom:
            starts, ends = (np.append(each, self._sheet.back) for each in (starts, ends))
            news.append(self._rows_below(below, texts[below - self._area.top :]))
        return Patches(starts, ends, news)

    def _base(self, beside: int, look: int) -> str:
        """The style of the cell left of the area, by its form and the look of its row; -1 for none."""
        own = self._found.forms[beside].style if beside >= 0 else ""
        return own or (self._found.looks[look] if look >= 0 else "") or self._style_of_column

    def _kept(self) -> dict[int, dict[int, bytes]]:
        """What is in cells of the area besides their texts, by the row in it and the column in it."""
        rows, forms = self._sheet.rows, self._found.forms
        keeps = forms.each("keeps", np.bool_) & (forms.repeats == 1)
        kept: dict[int, dict[int, bytes]] = {}
        for cell in self._room.cells[keeps[rows.form[self._room.cells]]].tolist():
            row, column = int(rows.of_row[cell]) - self._room.rows.start, int(rows.column[cell]) - self._area.left
            kept.setdefault(row, {})[column] = forms[rows.form[cell]].kept(self._data, int(rows.cell_start[cell]))
        return kept

    def _edge(self, cell: int, count: int) -> bytes:
        """What is outside of the area of a cell that is repeated into it or out of it; -1: what the row lacks there."""
        if count <= 0:
            return b""
        rows = self._sheet.rows
        form = -1 if cell < 0 else int(rows.form[cell])
        if (form, count) not in self._edges:
            tag, rest = self._blank, b""
            if cell >= 0:
                start, own = int(rows.cell_start[cell]), self._found.forms[form]
                tag, rest = (
                    self._data[start + at : start + to] for at, to in ((0, own.inside), (own.inside, own.size))
                )
            self._edges[form, count] = self._repeated(tag, "columns", count) + rest
        return self._edges[form, count]

    def _written_out(self, row: int, top: int, inner: Sequence[bytes], start: int, end: int) -> bytes:
        """A repeated row, or one without cells, as a row for each line: new cells come from `start` to `end`."""
        rows, data = self._sheet.rows, self._data
        line, count, whole_start, inside, inside_end, whole_end = (
            int(each[row]) for each in (rows.line, rows.count, rows.start, rows.inside, rows.inside_end, rows.end)
        )
        tag, whole = data[whole_start:inside], data[inside:whole_end]
        one = self._repeated(tag, "rows", 1)
        one = one[:-2].rstrip() + b">" if one.endswith(b"/>") else one
        left, right = data[inside:start], data[end:inside_end] + self._row_end
        pieces = [self._repeated(tag, "rows", top - line) + whole] if top > line else []
        pieces += [one + left + text + right for text in inner]
        under = line + count - top - len(inner)
        if under:
            pieces.append(self._repeated(tag, "rows", under) + whole)
        return b"".join(pieces)

    def _rows_below(self, first: int, texts: Sequence[bytes]) -> bytes:
        """The rows of new cells that are under the last row of the sheet."""
        rows = self._sheet.rows
        tag = self._blank.replace(b"table-cell/>", b"table-row>")
        height = int(rows.line[-1] + rows.count[-1]) if len(rows.line) else 0
        pieces = []
        if first > height:
            pieces.append(self._repeated(tag, "rows", first - height) + self._blank + self._row_end)
        before = self._repeated(self._blank, "columns", self._area.left) if self._area.left else b""
        pieces += [tag + before + text + self._row_end for text in texts]
        return b"".join(pieces)

    # -- columns

    @cached_property
    def _style_of_column(self) -> str:
        """The style of empty cells in the column left of the area."""
        beside = self._area.left - 1
        found = (each for each in self._sheet.columns if each.column <= beside < each.column + each.count)
        return next((each.cells for each in found), "")

    def widths(self) -> Iterator[Change]:
        """The descriptions of columns: the new ones get their width where nobody has set one, and are shown."""
        known = self._sheet.columns
        usual = known[-1].style if known else ""
        new = range(self._block.left, self._right + 1)
        for each in known:
            if each.column <= self._right and each.column + each.count > self._block.left:
                yield each.place.start, each.place.end, b"".join(self._described(each, usual))
        width = known[-1].column + known[-1].count if known else 0
        missing = [column for column in new if column >= width]
        if missing:
            table = self.styles.prefixes["table"]
            pieces = []
            if missing[0] > width:
                pieces.append(self._repeated(f"<{table}table-column/>".encode(), "columns", missing[0] - width))
            for column in missing:
                look = self.styles.width(self._block.columns[column - self._block.left])
                pieces.append(f'<{table}table-column {table}style-name="{look}"/>'.encode())
            at = known[-1].place.end if known else self._sheet.front
            yield at, at, b"".join(pieces)

    def _described(self, each: ColumnPlace, usual: str) -> Iterator[bytes]:
        """A description of columns some of which are new, one by one."""
        tag = self._data[each.place.start : each.place.end]
        before = self._block.left - each.column
        after = each.column + each.count - 1 - self._right
        if before > 0:
            yield self._repeated(tag, "columns", before)
        for column in range(max(each.column, self._block.left), min(each.column + each.count - 1, self._right) + 1):
            one = self._repeated(tag, "columns", 1)
            at = column - self._block.left
            if at >= self._block.replaces:
                one = _HIDDEN.sub(b"", one)
            if each.style == usual:
                look = self.styles.width(self._block.columns[at])
                one = self._with_style(one, look)
            yield one
        if after > 0:
            yield self._repeated(tag, "columns", after)

    def _with_style(self, tag: bytes, look: str) -> bytes:
        name = f"{self.styles.prefixes['table']}style-name".encode()
        tag = re.sub(rb"""\s+%s\s*=\s*(?:"[^"]*"|'[^']*')""" % re.escape(name), b"", tag)
        at = re.search(rb"\s*/?>", tag)
        assert at is not None
        return b'%s %s="%s"%s' % (tag[: at.start()], name, look.encode(), tag[at.start() :])

    def _repeated(self, tag: bytes, what: str, count: int) -> bytes:
        """A start tag that is repeated so often."""
        name = f"{self.styles.prefixes['table']}number-{what}-repeated".encode()
        tag = re.sub(rb"""\s+%s\s*=\s*(?:"[^"]*"|'[^']*')""" % re.escape(name), b"", tag)
        if count == 1:
            return tag
        at = re.search(rb"\s*/?>\Z", tag)
        assert at is not None
        return b'%s %s="%d"%s' % (tag[: at.start()], name, count, at[0])

    # -- database ranges

    def ranges(self, grown: Mapping[str, Area]) -> Iterator[Change]:
        """The database ranges that end with another column."""
        name = f"{self.styles.prefixes['table']}target-range-address".encode()
        for place, attributes in self._found.ranges:
            area = grown.get(attributes.get("name", ""))
            if area is None:
                continue
            letters = column_name(area.right)
            address = _LAST_COLUMN.sub(rf"\g<1>{letters}\g<2>", attributes.get("target-range-address", ""))
            tag = self._data[place.start : place.inside]
            found = re.search(rb"""\s%s\s*=\s*("[^"]*"|'[^']*')""" % re.escape(name), tag)
            if found is not None:
                at = place.start + found.start(1), place.start + found.end(1)
                yield *at, f'"{address.translate(IN_QUOTES)}"'.encode()
