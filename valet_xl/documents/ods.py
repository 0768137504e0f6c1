""".ods on disk: read cells, put columns in, leave all else as it was."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path

from valet_xl.documents.cell_names import Area, sheet_title
from valet_xl.documents.disk import read_file
from valet_xl.documents.markup import MarkupError
from valet_xl.documents.odf.patch import with_block
from valet_xl.documents.odf.reader import spreadsheet
from valet_xl.documents.odf.sheet import Sheet, Spreadsheet
from valet_xl.documents.ooxml.package import Package
from valet_xl.documents.page import Block, Page, Table
from valet_xl.errors import FileError, SheetError

_CONTENT, _SETTINGS, _MANIFEST = "content.xml", "settings.xml", "META-INF/manifest.xml"
_CONFIG = "{urn:oasis:names:tc:opendocument:xmlns:config:1.0}name"
_NAMELESS = "__Anonymous_Sheet_DB__"  # how LibreOffice calls a filter's range, which is no table
_SIZE = 1_048_576, 16_384  # rows and columns of a sheet
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

    def __init__(self, path: Path, package: Package) -> None:
        self._path = path
        self._package = package
        self._read: dict[str, Page] = {}
        self._known: Spreadsheet | None = None  # what was read, since the last change
        found = self._found
        if not found.is_one:
            raise FileError(f"{path.name}: is not an OpenDocument spreadsheet (an .ods file expected)")
        self.sheet_names = tuple(sheet.name for sheet in found.sheets)
        if len(set(self.sheet_names)) != len(self.sheet_names):
            raise FileError(f"{path.name}: has two sheets of a name (different names expected)")
        if not self.sheet_names:
            raise FileError(f"{path.name}: has no sheet (one with results expected)")
        visible = [sheet.name for sheet in found.sheets if sheet.style not in found.hidden]
        self.active = next((name for name in (self._shown(), *visible) if name in visible), self.sheet_names[0])

    @classmethod
    def open(cls, path: Path) -> OdsBook:
        """Open a file; nothing of it stays open on disk.

        Raises
        ------
        FileError
            The file is missing, unreadable, damaged, encrypted, of another kind, or larger than a spreadsheet can be.
        """
        return cls.of(path, read_file(path))

    @classmethod
    def of(cls, path: Path, data: bytes) -> OdsBook:
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
        return cls(path, package)

    def read(self, sheet: str) -> Page:
        """Read a sheet, its tables being the database ranges that have headings.

        Raises
        ------
        FileError
            There is no such sheet, or it is damaged or has a cell far out.
        """
        if sheet not in self._read:
            where = self._where(sheet)
            tables = tuple(table for name, table in _tables(self._found) if name == sheet)
            try:
                self._read[sheet] = Page(self._found.cells(self._sheet(sheet)), tables)
            except FileError as error:
                raise FileError(f"{where}: {error}") from error
        return self._read[sheet]

    def put(self, sheet: str, block: Block) -> None:
        """Put columns into a sheet, in memory.

        Parameters
        ----------
        sheet : the sheet's name
        block : the columns and their place. Columns of an earlier time that it replaces are overwritten or emptied, and
            a database range that ends left of the block, or with those columns, then ends with the new ones; so does
            the sheet's filter. New columns are shown where they were hidden.

        Raises
        ------
        FileError
            The sheet is protected; or a cell where a column should go has a formula, something that is not ours, or is
            part of merged cells or of another table. Nothing is changed then.
        """
        page, where = self.read(sheet), self._where(sheet)
        if self._sheet(sheet).protected:
            raise FileError(f"{where}: is protected (unprotect it, then try again)")
        table = page.table_of(block)
        try:
            page.free_place(block, table, _SIZE)
            grown = self._grown(sheet, page, block, table)
            new = with_block(self._package.utf8(_CONTENT), self._found, self._sheet(sheet), block, grown)
        except (SheetError, FileError) as error:
            raise FileError(f"{where}: {error}") from error
        self._package.write(_CONTENT, new)
        self._read.clear()
        self._known = None

    def save(self, path: Path) -> None:
        """Write the file to disk, whole or not at all.

        Raises
        ------
        FileError
            The file is open in another program or write-protected, or the disk does not take it; it is then as it was.
        """
        self._package.save(path)

    @property
    def _found(self) -> Spreadsheet:
        """What is in the spreadsheet, read when it is needed."""
        if self._known is None:
            try:
                self._known = spreadsheet(self._package.utf8(_CONTENT))
            except MarkupError as error:
                raise self._package.malformed(_CONTENT, error.line) from error
        return self._known

    def _sheet(self, sheet: str) -> Sheet:
        return next(each for each in self._found.sheets if each.name == sheet)

    def _where(self, sheet: str) -> str:
        """The file and a sheet, as messages name them."""
        if sheet not in self.sheet_names:
            names = ", ".join(map(sheet_title, self.sheet_names))
            raise FileError(f"{self._path.name}: has no sheet {sheet!r} (one of {names} expected)")
        return f"{self._path.name}, sheet {sheet!r}"

    def _grown(self, sheet: str, page: Page, block: Block, table: Table | None) -> dict[str, Area]:
        """The database ranges that a block's columns become part of, with their new areas."""
        right = block.left + len(block.columns) - 1
        grown: dict[str, Area] = {} if table is None else {table.name: replace(table, right=right)}
        for _, attributes in self._found.ranges:
            name, place = attributes.get("name", ""), _place(attributes)
            if name not in grown and place and place[0] == sheet and attributes.get("display-filter-buttons") == "true":
                area = page.filter_with(place[1], block)
                if area is not None:
                    grown[name] = area
        return grown

    def _shown(self) -> str | None:
        """The name of the sheet that was shown when the file was saved."""
        if _SETTINGS not in self._package.parts:
            return None
        items = self._package.xml(_SETTINGS).iter()
        return next((item.text for item in items if item.get(_CONFIG) == "ActiveTable"), None)


def _place(attributes: Mapping[str, str]) -> tuple[str, Area] | None:
    """The sheet and cells of a database range, by its attributes; None where they are no area of a sheet."""
    found = _RANGE.fullmatch(attributes.get("target-range-address", ""))
    if found is None:
        return None
    quoted, plain, *places = found.groups()
    area = Area.parse(f"{''.join(places[:2])}:{''.join(places[2:])}")
    return plain if quoted is None else quoted.replace("''", "'"), area


def _tables(found: Spreadsheet) -> Iterator[tuple[str, Table]]:
    """The database ranges that have headings, each with the name of its sheet."""
    for _, attributes in found.ranges:
        name, place = attributes.get("name", ""), _place(attributes)
        if place is None or name.startswith(_NAMELESS) or attributes.get("contains-header") == "false":
            continue
        sheet, cells = place
        totals = attributes.get("contains-footer") == "true"
        yield sheet, Table(cells.top, cells.left, cells.bottom, cells.right, name, int(totals))
