"""The automatic styles of new cells and columns: those of the cells next to them, with what is theirs."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator

from valet_xl.documents.odf.names import NAMES
from valet_xl.documents.odf.sheet import Spreadsheet
from valet_xl.documents.page import TEXT, Column
from valet_xl.errors import FileError

Change = tuple[int, int, bytes]
"""From where to where bytes change, and what comes there."""

_NEEDED = ("office", "table", "text", "style")
_DEFAULT = "Default"  # the style of a cell that has none
_CHARACTER, _MARGIN = 0.082, 0.1  # inches: of a digit in LibreOffice's usual font, and of what is around a text
_ALIGNED = re.compile(
    rb"""\s+(?:[\w.-]+:)?(?:vertical-align|wrap-option|text-align-source|repeat-content)\s*=\s*(?:"[^"]*"|'[^']*')"""
)
IN_QUOTES = str.maketrans({"&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;"})


class Styles:
    """The automatic styles of a spreadsheet, and new ones.

    Parameters
    ----------
    data : content.xml, in UTF-8
    found : what was read of it

    Attributes
    ----------
    prefixes : of names that are written, by the names in `NAMES`

    Raises
    ------
    FileError : where the names of elements are written as no program writes them
    """

    def __init__(self, data: bytes, found: Spreadsheet) -> None:
        self._data, self._found = data, found
        self.prefixes = dict(found.prefixes)
        if any(name not in self.prefixes for name in _NEEDED):
            raise FileError("has unusual prefixes (save it in LibreOffice, then try again)")
        self._declared = ""
        for name in ("number", "fo"):
            if name not in self.prefixes:
                self.prefixes[name] = f"{name}:"
                self._declared += f' xmlns:{name}="{NAMES[name]}"'
        self._new_styles: dict[str, str] = {}
        self._looks: dict[tuple[str, str | None, bool], str] = {}

    def width(self, column: Column) -> str:
        """The style of a column, wide enough for its cells and its heading."""
        style, fo = self.prefixes["style"], self.prefixes["fo"]
        width = f"{max(column.width, len(column.name) + 1) * _CHARACTER + _MARGIN:.3f}in"
        return self._added(
            "style",
            f'{style}family="table-column"',
            f'<{style}table-column-properties {fo}break-before="auto" {style}column-width="{width}"/>',
        )

    def changes(self) -> Iterator[Change]:
        """The styles that are added."""
        if not self._new_styles:
            return
        new = "".join(self._new_styles.values())
        place, office = self._found.automatic, self.prefixes["office"]
        if place is None:
            whole = f"<{office}automatic-styles>{new}</{office}automatic-styles>"
            yield self._found.body, self._found.body, whole.encode()
        elif place.inside == place.end:
            tag = self._data[place.start : place.inside - 2].rstrip().decode()
            yield place.start, place.end, f"{tag}>{new}</{office}automatic-styles>".encode()
        else:
            yield place.inside_end, place.inside_end, new.encode()

    def look(self, base: str, code: str | None, over_numbers: bool) -> str:
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
        style, fo = self.prefixes["style"], self.prefixes["fo"]
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
        about = f'{style}family="table-cell" {style}parent-style-name="{parent.translate(IN_QUOTES)}"{data}'
        return self._added("style", about, (cell + paragraph + text).decode())

    def _properties(self, style: str, kind: str) -> bytes:
        """The properties of an automatic style of cells; nothing where it has none of the kind."""
        found = self._found.styles.get(style)
        place = found.properties.get(f"{kind}-properties") if found and found.family == "table-cell" else None
        return b"" if place is None else self._data[place.start : place.end]

    def _number(self, code: str) -> str:
        """The style of a number format: so many decimals, or text."""
        number = self.prefixes["number"]
        if code == TEXT:
            return self._added("number-text", "", f"<{number}text-content/>")
        digits = f'{number}decimal-places="{decimals(code)}" {number}min-integer-digits="1"'
        return self._added("number-number", "", f"<{number}number {digits}/>")

    def _added(self, kind: str, about: str, inside: str) -> str:
        """Add a style, unless there is the same already; gives its name, which says what it is."""
        name = f"valet_xl_{hashlib.sha256(f'{kind} {about} {inside}'.encode()).hexdigest()[:12]}"
        if name not in self._found.style_names and name not in self._new_styles:
            group, _, element = kind.rpartition("-")
            tag = f"{self.prefixes[group or 'style']}{element + '-style' if group else element}"
            about = f" {about}" if about else ""
            named = f'{self.prefixes["style"]}name="{name}"'
            self._new_styles[name] = f"<{tag} {named}{about}{self._declared}>{inside}</{tag}>"
        return name


def decimals(code: str) -> int:
    """How many decimals a number format shows."""
    return len(code.partition(".")[2])
