""".ods on disk: read cells; columns are put in by a host that is given, as Calc alone keeps all that it wrote."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from pathlib import Path

from valet_xl.documents.cell_names import Area, sheet_title
from valet_xl.documents.disk import read_file
from valet_xl.documents.markup import MarkupError
from valet_xl.documents.ods_data import Spreadsheet, spreadsheet
from valet_xl.documents.ooxml.package import Package
from valet_xl.documents.page import Block, Page, Table
from valet_xl.errors import FileError

__all__ = ["OdsBook", "Writer"]

Writer = Callable[[Path, Path, str, Page, Block], None]
"""What puts columns into a copy of a file, or into the file itself: the file, the one to write, the sheet's name,
the sheet as it was read, and the columns. It raises FileError or SheetError, and has then changed nothing."""

_CONTENT, _SETTINGS, _MANIFEST = "content.xml", "settings.xml", "META-INF/manifest.xml"
_CONFIG = "{urn:oasis:names:tc:opendocument:xmlns:config:1.0}name"
_NAMELESS = "__Anonymous_Sheet_DB__"  # how LibreOffice calls a filter's range, which is no table
_SHEET = r"\$?(?:'(?:[^']|'')*'|[^.'$]+)?\."
_PLACE = r"\$?([A-Z]{1,3})\$?([0-9]+)"
_RANGE = re.compile(rf"\$?(?:'((?:[^']|'')*)'|([^.'$]+))\.{_PLACE}:(?:{_SHEET})?{_PLACE}")


class OdsBook:
    """An .ods file in memory, with the interface of `Workbook`.

    Attributes
    ----------
    sheet_names : the sheets, in the order of their tabs
    active : the sheet that is shown when the file opens
    """

    def __init__(self, path: Path, package: Package, writer: Writer | None = None) -> None:
        self._path = path
        self._package = package
        self._writer = writer
        self._put: tuple[str, Block] | None = None
        self._read: dict[str, Page] = {}
        try:
            found = spreadsheet(package.utf8(_CONTENT))
        except MarkupError as error:
            raise package.malformed(_CONTENT, error.line) from error
        if not found.is_one:
            raise FileError(f"{path.name}: is not an OpenDocument spreadsheet (an .ods file expected)")
        self._sheets = {sheet.name: sheet for sheet in found.sheets}
        self.sheet_names = tuple(self._sheets)
        if len(found.sheets) != len(self._sheets):
            raise FileError(f"{path.name}: has two sheets of a name (different names expected)")
        if not self._sheets:
            raise FileError(f"{path.name}: has no sheet (one with results expected)")
        self._tables = list(_tables(found))
        visible = [sheet.name for sheet in found.sheets if sheet.style not in found.hidden]
        self.active = next((name for name in (self._shown(), *visible) if name in visible), self.sheet_names[0])

    @classmethod
    def open(cls, path: Path, writer: Writer | None = None) -> OdsBook:
        """Open a file; nothing of it stays open on disk.

        Parameters
        ----------
        path : the file
        writer : what `save` writes with; without one, a file can be read alone

        Raises
        ------
        FileError
            The file is missing, unreadable, damaged, encrypted, of another kind, or larger than a spreadsheet can be.
        """
        return cls.of(path, read_file(path), writer)

    @classmethod
    def of(cls, path: Path, data: bytes, writer: Writer | None = None) -> OdsBook:
        """The book in a file that was read: `open` without the reading."""
        if not data.startswith(b"PK"):
            flat = b"office:document" in data[:4096]
            what = "a flat OpenDocument file, .fods" if flat else "not an OpenDocument spreadsheet"
            raise FileError(f"{path.name}: is {what} ({'save it as .ods' if flat else 'an .ods file'} expected)")
        package = Package.of(path.name, data)
        if b"encryption-data" in package.parts.get(_MANIFEST, b""):
            raise FileError(f"{path.name}: is password-protected (save it without a password, then try again)")
        if _CONTENT not in package.parts:
            raise FileError(f"{path.name}: is not an OpenDocument spreadsheet (an .ods file expected)")
        return cls(path, package, writer)

    def read(self, sheet: str) -> Page:
        """Read a sheet, its tables being the database ranges that have headings.

        Raises
        ------
        FileError
            There is no such sheet, or it is damaged or has a cell far out.
        """
        if sheet not in self._read:
            if sheet not in self._sheets:
                names = ", ".join(map(sheet_title, self.sheet_names))
                raise FileError(f"{self._path.name}: has no sheet {sheet!r} (one of {names} expected)")
            tables = tuple(table for name, table in self._tables if name == sheet)
            try:
                self._read[sheet] = Page(self._sheets[sheet].cells(), tables)
            except FileError as error:
                raise FileError(f"{self._path.name}, sheet {sheet!r}: {error}") from error
        return self._read[sheet]

    def put(self, sheet: str, block: Block) -> None:
        """Remember columns for a sheet, which `save` puts there.

        Raises
        ------
        FileError : where the sheet is protected
        """
        if self._sheets[sheet].protected:
            raise FileError(f"{self._path.name}, sheet {sheet!r}: is protected (unprotect it, then try again)")
        self._put = sheet, block

    def save(self, path: Path) -> None:
        """Write the file with the columns, whole or not at all.

        Raises
        ------
        FileError, SheetError
            There is nothing that writes such files, or it cannot: the columns have no free place, the file is open in
            another program, or the disk does not take it. The file is then as it was.
        """
        if self._writer is None:
            raise FileError(f"{self._path.name}: is read alone (save it as .xlsx, or use valet-xl score)")
        if self._put is None:
            raise FileError(f"{self._path.name}: has nothing new to be written (columns were expected)")
        sheet, block = self._put
        self._writer(self._path, path, sheet, self.read(sheet), block)

    def _shown(self) -> str | None:
        """The name of the sheet that was shown when the file was saved."""
        if _SETTINGS not in self._package.parts:
            return None
        items = self._package.xml(_SETTINGS).iter()
        return next((item.text for item in items if item.get(_CONFIG) == "ActiveTable"), None)


def _tables(found: Spreadsheet) -> Iterator[tuple[str, Table]]:
    """The database ranges that have headings, each with the name of its sheet."""
    for attributes in found.ranges:
        name = attributes.get("name", "")
        area = _RANGE.fullmatch(attributes.get("target-range-address", ""))
        if area is None or name.startswith(_NAMELESS) or attributes.get("contains-header") == "false":
            continue
        quoted, plain, *places = area.groups()
        sheet = plain if quoted is None else quoted.replace("''", "'")
        first, last = "".join(places[:2]), "".join(places[2:])
        cells = Area.parse(f"{first}:{last}")
        totals = attributes.get("contains-footer") == "true"
        yield sheet, Table(cells.top, cells.left, cells.bottom, cells.right, name, int(totals))
