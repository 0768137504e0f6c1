"""Columns put into a sheet of content.xml: only the bytes of what is new change, and all else stays as it was."""

from __future__ import annotations

import hashlib
import math
import re
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from itertools import pairwise

from valet_xl.documents.cell_names import Area, column_name
from valet_xl.documents.markup import escaped
from valet_xl.documents.ods_places import NAMES, CellPlace, ColumnPlace, Place, RowPlace, places
from valet_xl.documents.page import Block, Column, Value
from valet_xl.documents.text import in_xml
from valet_xl.errors import FileError, SheetError

TEXT = "@"  # the number format of texts
TAB = "\t"
_NEEDED = ("office", "table", "text", "style")
_DEFAULT = "Default"  # the style of a cell that has none
_CHARACTER, _MARGIN = 0.082, 0.1  # inches: of a digit in LibreOffice's usual font, and of what is around a text
_ALIGNED = re.compile(
    rb"""\s+(?:[\w.-]+:)?(?:vertical-align|wrap-option|text-align-source|repeat-content)\s*=\s*(?:"[^"]*"|'[^']*')"""
)
_HIDDEN = re.compile(rb"""\s+(?:[\w.-]+:)?visibility\s*=\s*(?:"[^"]*"|'[^']*')""")
_LAST_COLUMN = re.compile(r"(\$?)[A-Z]{1,3}(\$?[0-9]+)\Z")
_IN_QUOTES = str.maketrans({"&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;"})
_CONTROL = re.compile("[\x00-\x08\x0b-\x1f]")

Change = tuple[int, int, bytes]
"""From where to where bytes change, and what comes there."""


def with_block(data: bytes, sheet: str, block: Block, grown: Mapping[str, Area]) -> bytes:
    """Put a block of columns into a sheet.

    Parameters
    ----------
    data : content.xml, in UTF-8
    sheet : the sheet's name
    block : the columns, whose place is free of values but for those of the columns that it replaces
    grown : the database ranges that get another last column, by their names

    Raises
    ------
    SheetError : where a cell has a formula, or is merged with others
    FileError : where the names of elements are written as no program writes them
    """
    patch = _Patch(data, sheet, block)
    patch.refuse_taken()
    changes = [*patch.cells(), *patch.widths(), *patch.ranges(grown)]  # these need styles
    changes += patch.styles()
    pieces, done = [], 0
    for start, end, new in sorted(changes, key=lambda change: change[:2]):
        pieces += [data[done:start], new]
        done = end
    return b"".join([*pieces, data[done:]])


class _Patch:
    """The changes to one sheet."""

    def __init__(self, data: bytes, sheet: str, block: Block) -> None:
        self._data, self._block = data, block
        self._area = block.area
        self._right = block.left + len(block.columns) - 1
        self._found = places(data, sheet)
        self._prefixes = dict(self._found.prefixes)
        if any(name not in self._prefixes for name in _NEEDED):
            raise FileError("has unusual prefixes (save it in LibreOffice, then try again)")
        self._declared = ""
        for name in ("number", "fo"):
            if name not in self._prefixes:
                self._prefixes[name] = f"{name}:"
                self._declared += f' xmlns:{name}="{NAMES[name]}"'
        self._new_styles: dict[str, str] = {}
        self._looks: dict[tuple[str, str | None, bool], str] = {}
        self._written: dict[tuple[type, Value, str | None, str], bytes] = {}

    @cached_property
    def _rows(self) -> list[RowPlace]:
        """The rows where cells are put."""
        return [
            row for row in self._found.rows if row.line <= self._area.bottom and row.line + row.count > self._area.top
        ]

    def refuse_taken(self) -> None:
        """Refuse an area with formulas or merged cells."""
        for row in self._found.rows:
            for cell in row.cells:
                if not cell.formula and not cell.covered and cell.spans == (1, 1):
                    continue
                here = Area(row.line, cell.column, row.line + row.count - 1, cell.column + cell.count - 1)
                wide, high = cell.spans
                reach = Area(here.top, here.left, here.bottom + high - 1, here.right + wide - 1)
                if not reach.meets(self._area):
                    continue
                if cell.formula and here.meets(self._area):
                    raise SheetError(f"{self._area} contains a formula (clear or move it)")
                if (cell.covered and here.meets(self._area)) or reach != here:
                    raise SheetError(f"{self._area} contains merged cells (split them)")

    # -- cells

    def cells(self) -> Iterator[Change]:
        """The rows with their new cells; a row that is repeated is written out."""
        names = [(column.name, None, column.format != TEXT) for column in self._block.columns]
        last = -1
        for row in self._rows:
            place = row.place
            first, end = max(row.line, self._area.top), min(row.line + row.count - 1, self._area.bottom)
            if row.count == 1:
                yield from self._row_changes(row, self._values(row.line, names))
            else:
                before, after = first - row.line, row.line + row.count - 1 - end
                whole = self._data[place.inside : place.end]
                tag = self._data[place.start : place.inside]
                pieces = [self._repeated(tag, "rows", before) + whole] if before else []
                for line in range(first, end + 1):
                    pieces.append(self._row_written(row, self._values(line, names)))
                if after:
                    pieces.append(self._repeated(tag, "rows", after) + whole)
                yield place.start, place.end, b"".join(pieces)
            last = end
        if last < self._area.bottom:
            yield self._found.back, self._found.back, self._rows_below(max(last + 1, self._area.top), names)

    def _rows_below(self, first: int, names: Sequence[tuple[str, None, bool]]) -> bytes:
        """The rows of new cells that are under the last row of the sheet."""
        table = self._prefixes["table"]
        tag, blank, end = (
            text.encode() for text in (f"<{table}table-row>", f"<{table}table-cell/>", f"</{table}table-row>")
        )
        height = self._found.rows[-1].line + self._found.rows[-1].count if self._found.rows else 0
        pieces = [self._repeated(tag, "rows", first - height) + blank + end] if first > height else []
        for line in range(first, self._area.bottom + 1):
            pieces.append(tag + self._row_inner(RowPlace(Place(0, 0), line, 1, ""), self._values(line, names)) + end)
        return b"".join(pieces)

    def _row_inner(self, row: RowPlace, values: Sequence[tuple[Value, str | None, bool]]) -> bytes:
        """What is in a row that had no cells."""
        before, after = self._around(row)
        return before + self._new_cells(row, values) + after

    def _values(self, line: int, names: Sequence[tuple[str, None, bool]]) -> list[tuple[Value, str | None, bool]]:
        """The values of a line, each with its number format (None: a heading) and whether it is over numbers."""
        under = line - self._block.top - 1
        if under < 0:
            return list(names)
        return [
            (column.cells[under] if under < len(column.cells) else None, column.format, False)
            for column in self._block.columns
        ]

    def _row_changes(self, row: RowPlace, values: Sequence[tuple[Value, str | None, bool]]) -> Iterator[Change]:
        """What changes in a row that is not repeated."""
        place = row.place
        if place.inside == place.end:  # it has no cells
            yield place.start, place.end, self._row_written(row, values)
            return
        before, after = self._around(row)
        touched = [cell for cell in row.cells if self._overlaps(cell)]
        start = touched[0].place.start if touched else place.inside_end
        end = touched[-1].place.end if touched else place.inside_end
        if not touched:
            behind = [cell for cell in row.cells if cell.column > self._area.right]
            start = end = behind[0].place.start if behind else place.inside_end
        yield start, end, before + self._new_cells(row, values) + after

    def _row_written(self, row: RowPlace, values: Sequence[tuple[Value, str | None, bool]]) -> bytes:
        """A row alone, with its new cells."""
        place = row.place
        tag = self._repeated(self._data[place.start : place.inside], "rows", 1)
        tag = tag[:-2].rstrip() + b">" if tag.endswith(b"/>") else tag
        inner = self._data[place.inside : place.inside_end] if place.inside < place.end else b""
        for start, end, new in self._row_changes(row, values) if inner else ():
            inner = self._data[place.inside : start] + new + self._data[end : place.inside_end]
        inner = inner or self._row_inner(row, values)
        return tag + inner + f"</{self._prefixes['table']}table-row>".encode()

    def _overlaps(self, cell: CellPlace) -> bool:
        return cell.column <= self._area.right and cell.column + cell.count > self._area.left

    def _around(self, row: RowPlace) -> tuple[bytes, bytes]:
        """What is left of cells that are repeated into the area and out of it, and what the row lacks before it."""
        before = after = b""
        width = max((cell.column + cell.count for cell in row.cells), default=0)
        if width < self._area.left:
            empty = f"<{self._prefixes['table']}table-cell/>".encode()
            before = self._repeated(empty, "columns", self._area.left - width)
        for cell in row.cells:
            if self._overlaps(cell):
                inner = self._data[cell.place.inside : cell.place.end]
                tag = self._data[cell.place.start : cell.place.inside]
                if cell.column < self._area.left:
                    before = self._repeated(tag, "columns", self._area.left - cell.column) + inner
                if (beyond := cell.column + cell.count - 1 - self._area.right) > 0:
                    after = self._repeated(tag, "columns", beyond) + inner
        return before, after

    def _new_cells(self, row: RowPlace, values: Sequence[tuple[Value, str | None, bool]]) -> bytes:
        beside = self._area.left - 1
        cell = next((cell for cell in row.cells if cell.column <= beside < cell.column + cell.count), None)
        base = (cell.style if cell else "") or row.style or self._style_of_column(beside)
        kept = {cell.column: self._kept(cell) for cell in row.cells if self._overlaps(cell) and cell.count == 1}
        pieces = []
        for at, (value, code, over_numbers) in enumerate(values, self._area.left):
            look = self._look(base, code, over_numbers)
            if kept.get(at):
                pieces.append(self._cell(value, code, look, kept[at]))
                continue
            # Boards repeat their values: each is written once.
            key = type(value), value, code, look
            if key not in self._written:
                self._written[key] = self._cell(value, code, look, b"")
            pieces.append(self._written[key])
        for at in range(self._right + 1, self._area.right + 1):  # of an earlier scoring that had more columns
            pieces.append(self._cell(None, TEXT, "", kept.get(at, b"")))
        return b"".join(pieces)

    def _kept(self, cell: CellPlace) -> bytes:
        """What is in a cell besides its text, such as a comment."""
        edges = [cell.place.inside, *(edge for text in cell.texts for edge in (text.start, text.end))]
        edges.append(cell.place.inside_end)
        return b"".join(self._data[start:end] for start, end in list(pairwise(edges))[::2])

    def _cell(self, value: Value, code: str | None, look: str, kept: bytes) -> bytes:
        table, office = self._prefixes["table"], self._prefixes["office"]
        styled = f' {table}style-name="{look.translate(_IN_QUOTES)}"' if look else ""
        start = f"<{table}table-cell{styled}"
        if value is None or value == "" or (isinstance(value, float) and math.isnan(value)):
            inside = ""
        else:
            kind = "string" if isinstance(value, str) else "float"
            start += f' {office}value-type="{kind}"'
            if not isinstance(value, str):
                value += 0  # turns -0.0 into 0.0
                start += f' {office}value="{value!r}"'
            if "calcext" in self._prefixes:
                start += f' {self._prefixes["calcext"]}value-type="{kind}"'
            inside = self._paragraphs(value if isinstance(value, str) else _shown(value, code or ""))
        if not inside and not kept:
            return f"{start}/>".encode()
        return f"{start}>".encode() + kept + f"{inside}</{table}table-cell>".encode()

    def _paragraphs(self, text: str) -> str:
        """A text as paragraphs, with elements for spaces and tabs that XML would not keep."""
        prefix = self._prefixes["text"]
        lines = []
        for line in _CONTROL.sub("\ufffd", in_xml(text).replace("\r\n", "\n")).split("\n"):
            plain = escaped(line)
            plain = re.sub("^ +| +$|(?<= ) +", lambda found: f'<{prefix}s {prefix}c="{len(found[0])}"/>', plain)
            lines.append(f"<{prefix}p>{plain.replace(TAB, f'<{prefix}tab/>')}</{prefix}p>")
        return "".join(lines)

    def _repeated(self, tag: bytes, what: str, count: int) -> bytes:
        """A start tag that is repeated so often."""
        name = f"{self._prefixes['table']}number-{what}-repeated".encode()
        tag = re.sub(rb"""\s+%s\s*=\s*(?:"[^"]*"|'[^']*')""" % re.escape(name), b"", tag)
        if count == 1:
            return tag
        at = re.search(rb"\s*/?>\Z", tag)
        assert at is not None
        return b'%s %s="%d"%s' % (tag[: at.start()], name, count, at[0])

    # -- columns

    def _style_of_column(self, column: int) -> str:
        found = (each for each in self._found.columns if each.column <= column < each.column + each.count)
        return next((each.cells for each in found), "")

    def widths(self) -> Iterator[Change]:
        """The descriptions of columns: the new ones get their width where nobody has set one, and are shown."""
        known = self._found.columns
        usual = known[-1].style if known else ""
        new = range(self._block.left, self._right + 1)
        for each in known:
            if each.column <= self._right and each.column + each.count > self._block.left:
                yield each.place.start, each.place.end, b"".join(self._described(each, usual))
        width = known[-1].column + known[-1].count if known else 0
        missing = [column for column in new if column >= width]
        if missing:
            table = self._prefixes["table"]
            pieces = []
            if missing[0] > width:
                pieces.append(self._repeated(f"<{table}table-column/>".encode(), "columns", missing[0] - width))
            for column in missing:
                look = self._width(self._block.columns[column - self._block.left])
                pieces.append(f'<{table}table-column {table}style-name="{look}"/>'.encode())
            at = known[-1].place.end if known else self._found.front
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
                look = self._width(self._block.columns[at])
                one = self._with_style(one, look)
            yield one
        if after > 0:
            yield self._repeated(tag, "columns", after)

    def _with_style(self, tag: bytes, look: str) -> bytes:
        name = f"{self._prefixes['table']}style-name".encode()
        tag = re.sub(rb"""\s+%s\s*=\s*(?:"[^"]*"|'[^']*')""" % re.escape(name), b"", tag)
        at = re.search(rb"\s*/?>", tag)
        assert at is not None
        return b'%s %s="%s"%s' % (tag[: at.start()], name, look.encode(), tag[at.start() :])

    def _width(self, column: Column) -> str:
        """The style of a column, wide enough for its cells and its heading."""
        style, fo = self._prefixes["style"], self._prefixes["fo"]
        width = f"{max(column.width, len(column.name) + 1) * _CHARACTER + _MARGIN:.3f}in"
        return self._added(
            "style",
            f'{style}family="table-column"',
            f'<{style}table-column-properties {fo}break-before="auto" {style}column-width="{width}"/>',
        )

    # -- styles

    def styles(self) -> Iterator[Change]:
        """The styles that are added."""
        if not self._new_styles:
            return
        new = "".join(self._new_styles.values())
        place, office = self._found.automatic, self._prefixes["office"]
        if place is None:
            whole = f"<{office}automatic-styles>{new}</{office}automatic-styles>"
            yield self._found.body, self._found.body, whole.encode()
        elif place.inside == place.end:
            tag = self._data[place.start : place.inside - 2].rstrip().decode()
            yield place.start, place.end, f"{tag}>{new}</{office}automatic-styles>".encode()
        else:
            yield place.inside_end, place.inside_end, new.encode()

    def _look(self, base: str, code: str | None, over_numbers: bool) -> str:
        """The style of a new cell.

        Parameters
        ----------
        base : the style of the cell left of the new ones, whose font, fill, border and protection go on
        code : the number format; None for a heading, which is like the base, or bold where that is plain
        over_numbers : whether it is a heading over numbers, to the right like them
        """
        key = base, code, over_numbers
        if key not in self._looks:
            self._looks[key] = self._made(base, code, over_numbers)
        return self._looks[key]

    def _made(self, base: str, code: str | None, over_numbers: bool) -> str:
        style, fo = self._prefixes["style"], self._prefixes["fo"]
        found = self._found.styles.get(base)
        found = found if found is not None and found.family == "table-cell" else None
        parent = (found.parent if found else base) or _DEFAULT
        cell, text = (self._properties(base, name) for name in ("table-cell", "text"))
        paragraph = b""
        if code is None:
            paragraph = self._properties(base, "paragraph")
            if over_numbers:
                cell = _ALIGNED.sub(b"", cell) or f"<{style}table-cell-properties/>".encode()
                at = cell.index(b"/>") if b"/>" in cell else cell.index(b">")
                cell = cell[:at] + f' {style}text-align-source="fix" {style}repeat-content="false"'.encode() + cell[at:]
                paragraph = f'<{style}paragraph-properties {fo}text-align="end"/>'.encode()
            if parent == _DEFAULT and not text and (found is None or b"background-color" not in cell):
                names = (f"{fo}font-weight", f"{style}font-weight-asian", f"{style}font-weight-complex")
                bold = " ".join(f'{name}="bold"' for name in names)
                text = f"<{style}text-properties {bold}/>".encode()
            data = ""
        else:
            cell = _ALIGNED.sub(b"", cell)
            data = f' {style}data-style-name="{self._number(code)}"'
        about = f'{style}family="table-cell" {style}parent-style-name="{parent.translate(_IN_QUOTES)}"{data}'
        return self._added("style", about, (cell + paragraph + text).decode())

    def _properties(self, style: str, kind: str) -> bytes:
        """The properties of an automatic style of cells; nothing where it has none of the kind."""
        found = self._found.styles.get(style)
        place = found.properties.get(f"{kind}-properties") if found and found.family == "table-cell" else None
        return b"" if place is None else self._data[place.start : place.end]

    def _number(self, code: str) -> str:
        """The style of a number format: so many decimals, or text."""
        number = self._prefixes["number"]
        if code == TEXT:
            return self._added("number-text", "", f"<{number}text-content/>")
        digits = f'{number}decimal-places="{_decimals(code)}" {number}min-integer-digits="1"'
        return self._added("number-number", "", f"<{number}number {digits}/>")

    def _added(self, kind: str, about: str, inside: str) -> str:
        """Add a style, unless there is the same already; gives its name, which says what it is."""
        name = f"valet_xl_{hashlib.sha256(f'{kind} {about} {inside}'.encode()).hexdigest()[:12]}"
        if name not in self._found.style_names and name not in self._new_styles:
            group, _, element = kind.rpartition("-")
            tag = f"{self._prefixes[group or 'style']}{element + '-style' if group else element}"
            about = f" {about}" if about else ""
            named = f'{self._prefixes["style"]}name="{name}"'
            self._new_styles[name] = f"<{tag} {named}{about}{self._declared}>{inside}</{tag}>"
        return name

    # -- database ranges

    def ranges(self, grown: Mapping[str, Area]) -> Iterator[Change]:
        """The database ranges that end with another column."""
        name = f"{self._prefixes['table']}target-range-address".encode()
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
                yield *at, f'"{address.translate(_IN_QUOTES)}"'.encode()


def _shown(value: float, code: str) -> str:
    """A number as its cell shows it.

    >>> _shown(-0.001, "0.00"), _shown(12.5, "0")
    ('0.00', '13')
    """
    text = f"{value + math.copysign(1e-9, value):.{_decimals(code)}f}"
    return text.lstrip("-") if not text.strip("-0.") else text


def _decimals(code: str) -> int:
    return len(code.partition(".")[2])
