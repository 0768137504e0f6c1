""".ods on disk: read cells; columns are put in by a host that is given, as Calc alone keeps all that it wrote."""

from __future__ import annotations

import io
import re
import zipfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import cast

from lxml import etree
from python_calamine import CalamineWorkbook

from valet_xl.documents.cell_names import Area, sheet_title
from valet_xl.documents.disk import read_file
from valet_xl.documents.ooxml.package import Package
from valet_xl.documents.ooxml.sheet_data import MAX_CELLS, NOT_COMPUTED
from valet_xl.documents.page import Block, Cell, Page, Table
from valet_xl.errors import FileError
from valet_xl.messages import one_line

__all__ = ["OdsBook", "Writer"]

Writer = Callable[[Path, Path, str, Page, Block], None]
"""What puts columns into a copy of a file, or into the file itself: the file, the one to write, the sheet's name,
the sheet as it was read, and the columns. It raises FileError or SheetError, and has then changed nothing."""

# OpenDocument 1.3 part 3; calcext is LibreOffice's own.
_NAMES = {name: f"urn:oasis:names:tc:opendocument:xmlns:{name}:1.0" for name in ("office", "table", "text", "style")}
_PREFIXES = {**_NAMES, "calcext": "urn:org:documentfoundation:names:experimental:calc:xmlns:calcext:1.0"}
_CONFIG = "{urn:oasis:names:tc:opendocument:xmlns:config:1.0}"
_DRAWING = "{urn:oasis:names:tc:opendocument:xmlns:drawing:1.0}*"
_OFFICE, _TABLE, _TEXT, _STYLE = (f"{{{_NAMES[name]}}}" for name in ("office", "table", "text", "style"))
_ROW = f"{_TABLE}table-row"
_CELLS = (f"{_TABLE}table-cell", f"{_TABLE}covered-table-cell")
_TYPE, _VALUE, _TIME = f"{_OFFICE}value-type", f"{_OFFICE}value", f"{_OFFICE}time-value"
_ROWS, _COLUMNS = f"{_TABLE}number-rows-repeated", f"{_TABLE}number-columns-repeated"
# What a cell may contain besides its own text, and how that text is pronounced.
_NO_TEXT = (f"{_OFFICE}annotation", f"{_OFFICE}forms", f"{_TABLE}shapes", f"{_TEXT}ruby-text", _DRAWING)
_PARAGRAPH = f"{_TEXT}p"
_LAYOUT = re.compile(r"[ \t\r\n]*[\t\r\n][ \t\r\n]*|  +")
_BREAKS = {f"{_TEXT}tab": "\t", f"{_TEXT}line-break": "\n"}

_ERRORS = etree.XPath(".//*[@calcext:value-type='error']", namespaces=_PREFIXES)
_TIMES = etree.XPath(".//*[@office:value-type='time']", namespaces=_PREFIXES)
_UNTYPED = etree.XPath(
    ".//table:table-cell[text:p and not(@office:value-type)]|.//table:covered-table-cell[text:p and "
    "not(@office:value-type)]",
    namespaces=_PREFIXES,
)
_UNCOMPUTED = etree.XPath(".//*[@table:formula and not(@office:value-type) and not(text:p)]", namespaces=_PREFIXES)
_OUTSIDE = re.compile(r"'.*'#")  # how the names begin of sheets of other files, whose cells LibreOffice remembers
_NAMELESS = "__Anonymous_Sheet_DB__"  # how LibreOffice calls a filter's range, which is no table
_SHEET = r"\$?(?:'(?:[^']|'')*'|[^.'$]+)?\."
_PLACE = r"\$?([A-Z]{1,3})\$?([0-9]+)"
_RANGE = re.compile(rf"\$?(?:'((?:[^']|'')*)'|([^.'$]+))\.{_PLACE}:(?:{_SHEET})?{_PLACE}")
_DURATION = re.compile(
    r"(-?)P(?:(\d{1,9})D)?(?:T(?:(\d{1,9})H)?(?:(\d{1,9})M)?(?:(\d{1,9})(\.\d{1,15})?S)?)?", re.ASCII
)
_MANIFEST = "META-INF/manifest.xml"


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
        root = _tree(package, "content.xml")
        sheets = root.find(f"{_OFFICE}body/{_OFFICE}spreadsheet")
        if sheets is None:
            raise FileError(f"{path.name}: is not an OpenDocument spreadsheet (an .ods file expected)")
        tables = ((table.get(f"{_TABLE}name", ""), table) for table in sheets.iterchildren(f"{_TABLE}table"))
        named = [(name, table) for name, table in tables if not _OUTSIDE.match(name)]
        self._sheets = dict(named)
        self.sheet_names = tuple(self._sheets)
        if len(named) != len(self._sheets):
            raise FileError(f"{path.name}: has two sheets of a name (different names expected)")
        if not self._sheets:
            raise FileError(f"{path.name}: has no sheet (one with results expected)")
        self._tables = list(_database_ranges(sheets))
        hidden = {
            style.get(f"{_STYLE}name")
            for style in root.iterfind(f"{_OFFICE}automatic-styles/{_STYLE}style")
            if style.find(f"{_STYLE}table-properties[@{_TABLE}display='false']") is not None
        }
        visible = [name for name, table in self._sheets.items() if table.get(f"{_TABLE}style-name") not in hidden]
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
        if "content.xml" not in package.parts:
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
            self._read[sheet] = Page(self._cells(sheet), tables)
        return self._read[sheet]

    def put(self, sheet: str, block: Block) -> None:
        """Remember columns for a sheet, which `save` puts there.

        Raises
        ------
        FileError : where the sheet is protected
        """
        if self._sheets[sheet].get(f"{_TABLE}protected") == "true":
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
        if "settings.xml" not in self._package.parts:
            return None
        items = _tree(self._package, "settings.xml").iterfind(f".//{_CONFIG}config-item[@{_CONFIG}name='ActiveTable']")
        return next((item.text for item in items), None)

    def _cells(self, sheet: str) -> list[list[Cell]]:
        where = f"{self._path.name}, sheet {sheet!r}"
        table = self._sheets[sheet]
        if any(table.nsmap.get(name) != _NAMES[name] for name in ("office", "table", "text")):
            # calamine knows elements by these prefixes.
            raise FileError(f"{where}: has unusual prefixes (save it in LibreOffice, then try again)")
        _make_plain(table)
        _refuse_far(table, where)
        try:
            rows = CalamineWorkbook.from_filelike(_alone(table)).get_sheet_by_index(0).to_python(skip_empty_area=False)
        except (KeyboardInterrupt, SystemExit):
            raise
        except BaseException as error:  # a panic inside calamine is no Exception
            raise FileError(f"{where}: cannot be read, {one_line(error)}") from error
        return [[None if cell == "" else cell for cell in row] for row in rows]


def _tree(package: Package, part: str) -> etree._Element:
    """The tree of a part of the package."""
    parser = etree.XMLParser(encoding="utf-8", resolve_entities=False, no_network=True, load_dtd=False)
    try:
        return etree.fromstring(package.utf8(part), parser)
    except etree.XMLSyntaxError as error:
        raise package.malformed(part, error.lineno or 0) from error


def _make_plain(table: etree._Element) -> None:
    """Leave of a sheet what its cells contain, written so that calamine reads what LibreOffice does.

    calamine expects no space between elements, which programs put there to lay out the XML. It would read drawings'
    texts as the cells', and give nothing for an error, for a cell without a type or for a formula without a value, a
    text for a duration of a day or more, and no space for a tab or a new line.
    """
    etree.strip_elements(table, f"{_TABLE}table", *_NO_TEXT, etree.Comment, with_tail=False)
    for element in table.iter("*"):
        if str(element.tag).startswith(_TABLE):
            element.text = element.tail = None
        elif element.tag == _PARAGRAPH:
            _collapse(element)
    for element in list(table.iter(*_BREAKS)):
        element.tail = _BREAKS[str(element.tag)] + (element.tail or "")
    etree.strip_tags(table, *_BREAKS)
    for cell in _found(_ERRORS, table):
        cell.attrib.pop(f"{_OFFICE}string-value", "")
        cell.set(_TYPE, "string")
    for cell in _found(_UNTYPED, table):
        cell.set(_TYPE, "string")
    for cell in _found(_UNCOMPUTED, table):
        cell.set(_TYPE, "string")
        formula = re.sub(r"\A\w+:(?==)", "", cell.get(f"{_TABLE}formula", ""))
        etree.SubElement(cell, _PARAGRAPH).text = f"{formula}{NOT_COMPUTED}"
    for cell in _found(_TIMES, table):
        seconds = _seconds(cell.get(_TIME, ""))
        if seconds is not None and not 0 <= seconds < 86_400:
            del cell.attrib[_TIME]
            cell.set(_TYPE, "float")
            cell.set(_VALUE, repr(seconds / 86_400))
        elif seconds is not None:
            minutes, second = divmod(seconds, 60)
            cell.set(_TIME, f"PT{int(minutes // 60):02}H{int(minutes % 60):02}M{second:09.6f}S")


def _collapse(paragraph: etree._Element) -> None:
    """Take spaces and line ends of a paragraph that only lay out its XML (OpenDocument 1.3 part 3, 6.1.2)."""
    paragraph.tail = None
    for element in paragraph.iter("*"):
        if element.text and _LAYOUT.search(element.text):
            element.text = _LAYOUT.sub(" ", element.text)
        if element.tail and _LAYOUT.search(element.tail):
            element.tail = _LAYOUT.sub(" ", element.tail)
    if paragraph.text:
        paragraph.text = paragraph.text.lstrip(" ")
    if len(paragraph):
        paragraph[-1].tail = (paragraph[-1].tail or "").rstrip(" ")
    else:
        paragraph.text = (paragraph.text or "").rstrip(" ")


def _found(path: etree.XPath, table: etree._Element) -> list[etree._Element]:
    return cast("list[etree._Element]", path(table))


def _seconds(duration: str) -> float | None:
    """A duration in seconds; None for what is none.

    >>> _seconds("PT42H00M00.5S"), _seconds("-P1D"), _seconds("noon")
    (151200.5, -86400.0, None)
    """
    found = _DURATION.fullmatch(duration)
    if found is None:
        return None
    sign, *parts = found.groups(default="0")
    days, hours, minutes, seconds, fraction = map(float, parts)
    return (-1 if sign == "-" else 1) * (((days * 24 + hours) * 60 + minutes) * 60 + seconds + fraction)


def _refuse_far(table: etree._Element, where: str) -> None:
    """Refuse a sheet that cannot be laid out whole, before anything is: a few bytes can repeat a cell without end."""
    bottom = right = height = 0
    try:
        for row in table.iter(_ROW):
            height += _repeated(row, _ROWS)
            width = at = 0
            for cell in row.iterchildren(*_CELLS):
                at += _repeated(cell, _COLUMNS)
                if _TYPE in cell.attrib:
                    width = at
            if width:
                bottom, right = height, max(right, width)
    except FileError as error:
        raise FileError(f"{where}: {error}") from error
    if bottom * right > MAX_CELLS:
        raise FileError(f"{where}: is used to row {bottom:,} and column {right:,} (delete what is far out)")


def _repeated(element: etree._Element, attribute: str) -> int:
    text = element.get(attribute, "1")
    if not re.fullmatch("[0-9]{1,9}", text) or not int(text):
        raise FileError(f"invalid {attribute.partition('}')[2]}: {text!r} (1 or more expected)")
    return int(text)


def _alone(table: etree._Element) -> io.BytesIO:
    """A file of one sheet, for calamine, which then sees only what has been checked."""
    head = f'<office:document-content xmlns:office="{_NAMES["office"]}"><office:body><office:spreadsheet>'.encode()
    tail = b"</office:spreadsheet></office:body></office:document-content>"
    table.set(f"{_TABLE}name", "S")
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        archive.writestr("mimetype", "application/vnd.oasis.opendocument.spreadsheet")
        archive.writestr(_MANIFEST, '<manifest:manifest xmlns:manifest="urn:manifest"/>')
        archive.writestr("content.xml", head + etree.tostring(table, encoding="utf-8", with_tail=False) + tail)
    buffer.seek(0)
    return buffer


def _database_ranges(sheets: etree._Element) -> Iterator[tuple[str, Table]]:
    """The database ranges that have headings, each with the name of its sheet."""
    for element in sheets.iterfind(f"{_TABLE}database-ranges/{_TABLE}database-range"):
        name = element.get(f"{_TABLE}name", "")
        found = _RANGE.fullmatch(element.get(f"{_TABLE}target-range-address", ""))
        if found is None or name.startswith(_NAMELESS) or element.get(f"{_TABLE}contains-header") == "false":
            continue
        quoted, plain, *places = found.groups()
        sheet = plain if quoted is None else quoted.replace("''", "'")
        first, last = "".join(places[:2]), "".join(places[2:])
        area = Area.parse(f"{first}:{last}")
        totals = element.get(f"{{{_PREFIXES['calcext']}}}contains-footer") == "true"
        yield sheet, Table(area.top, area.left, area.bottom, area.right, name, int(totals))
