""".xlsx / .xlsm on disk: read cells, put columns in, leave all else as it was."""

from __future__ import annotations

import copy
import io
import re
import zipfile
from dataclasses import replace
from pathlib import Path

from lxml import etree
from python_calamine import CalamineWorkbook

from valet_xl.documents.cell_names import Area, sheet_title
from valet_xl.documents.disk import read_file
from valet_xl.documents.ooxml.package import SAVE_AGAIN, Package, tag, whole_number, xml_bytes
from valet_xl.documents.ooxml.sheet import SheetPart, surely_small
from valet_xl.documents.ooxml.styles import StylesPart
from valet_xl.documents.ooxml.table import TablePart
from valet_xl.documents.page import Block, Cell, Page
from valet_xl.errors import FileError

MAX_CELLS = 20_000_000  # of a sheet that is read, empty ones included
NOT_COMPUTED = " (a formula without a value)"  # follows a formula that is read in place of its value

_OFFICE = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
# The attribute that links a tab to its part, in the two namespaces that there are.
_LINKS = (f"{{{_OFFICE}}}id", "{http://purl.oclc.org/ooxml/officeDocument/relationships}id")
# What comes before calcPr in a workbook part: ECMA-376 part 1, 18.2.27.
_BEFORE_CALCULATION = (
    "fileVersion fileSharing workbookPr workbookProtection bookViews sheets"
    " functionGroups externalReferences definedNames"
)
# What the content type of a workbook part says that is none of ours. That of .xlsb names macros too.
_OTHER_KINDS = {
    "sheet.binary": "a binary workbook, .xlsb",
    "template.macroEnabled": "a template, .xltm",
    "template": "a template, .xltx",
    "addin": "an add-in, .xlam",
}
_ERROR = re.compile(rb"""(<(?:[\w.-]+:)?c\s[^<>]*?\bt\s*=\s*["'])e(["'])""")
_FILTER = "_xlnm._FilterDatabase"
# Numbers of 8 digits or more, or with a power of ten; and cells that have a number.
_FAR_NUMBER = re.compile(rb"[<:]v(?:\s[^<>]*)?>\s*[+-]?(?:\d{8}|[^<]*[eEnN])")
_NUMBER = re.compile(
    rb"(?P<cell><(?:[\w.-]+:)?c\s[^<>]*>)"
    rb"(?P<between>\s*(?:<(?:[\w.-]+:)?f\b[^<>]*(?:/>|>[^<]*</[^<>]*>)\s*)?<(?:[\w.-]+:)?v(?:\s[^<>]*)?>)"
    rb"(?P<number>[^<]*)"
)
_LOOK = re.compile(rb"""\ss\s*=\s*("[^"]*"|'[^']*')""")
_LAST_DAY = 1e7  # some 27,000 years; calendars end with the year 9999
_AREAS = re.compile(rb"<(?:[\w.-]+:)?(?:dimension|mergeCell)\s[^<>]*?(?:/>|>\s*</[^<>]*>)")

# A cell with a formula and no value: the prefix of the tags, the cell's attributes, the formula, its text, and a value
# without a text. A ">" in a text need not be escaped, and some programs put each element on a line of its own.
_UNCOMPUTED = re.compile(
    rb"""<((?:[\w.-]+:)?)c(\s[^<>]*[^<>/])>\s*(<\1f(?:\s[^<>]*)?(?:/>|>([^<]*)</\1f\s*>))\s*"""
    rb"""(<\1v(?:\s[^<>]*)?(?:/>|></\1v\s*>)\s*)?</\1c\s*>"""
)
_TYPE = re.compile(rb"""\st\s*=\s*(?:"[^"]*"|'[^']*')""")

_TYPES = '<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"/>'
_RELATION = (
    '<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">'
    f'<Relationship Id="r" Type="{_OFFICE}/{{}}" Target="{{}}"/></Relationships>'
)
_WORKBOOK = (
    '<workbook xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main" '
    f'xmlns:r="{_OFFICE}"><workbookPr date1904="{{}}"/>'
    '<sheets><sheet name="S" sheetId="1" r:id="r"/></sheets></workbook>'
)


class Workbook:
    """An .xlsx or .xlsm file in memory.

    Attributes
    ----------
    sheet_names : the worksheets, in the order of their tabs
    active : the worksheet that is shown when the file opens
    """

    def __init__(self, package: Package) -> None:
        self._package = package
        self._read: dict[str, Page] = {}
        self._part = _workbook_part(package)
        links = package.relations(self._part)
        self._others = {link.kind: link.part for link in links if link.part in package.parts}
        worksheets = {link.id: link.part for link in links if link.kind == "worksheet"}
        root = package.xml(self._part)
        tabs = root.findall(f"{tag(root, 'sheets')}/{tag(root, 'sheet')}")
        parts = [worksheets.get(next((tab.get(key, "") for key in _LINKS if key in tab.attrib), "")) for tab in tabs]
        self._sheets = {tab.get("name", ""): part for tab, part in zip(tabs, parts, strict=True) if part is not None}
        self.sheet_names = tuple(self._sheets)
        if not self._sheets:
            raise FileError(f"{package.name}: has no worksheet (one with results expected)")
        view = root.find("{*}bookViews/{*}workbookView")
        front = 0 if view is None else _front(view)
        shown = [
            tab.get("name", "") for tab in tabs[front : front + 1] + tabs if tab.get("state", "visible") == "visible"
        ]
        self.active = next((name for name in shown if name in self._sheets), self.sheet_names[0])

    @classmethod
    def open(cls, path: Path) -> Workbook:
        """Open a file; nothing of it stays open on disk.

        Raises
        ------
        FileError
            The file is missing, unreadable, damaged, encrypted, of another kind, or larger than a workbook can be.
        """
        return cls.of(path, read_file(path))

    @classmethod
    def of(cls, path: Path, data: bytes) -> Workbook:
        """The workbook in a file that was read: `open` without the reading."""
        return cls(Package.of(path.name, data))

    def read(self, sheet: str) -> Page:
        """Read a worksheet.

        Raises
        ------
        FileError
            There is no such worksheet, or it is damaged or has a cell far out.
        """
        if sheet not in self._read:
            self._read[sheet] = self._cells(sheet)
        return self._read[sheet]

    def _cells(self, sheet: str) -> Page:
        part = self._sheet_part(sheet)
        page = self._page(sheet)
        if not surely_small(self._package.utf8(part)):
            page.refuse_far(MAX_CELLS)
        source = io.BytesIO(self._reduced(part))
        try:
            rows = CalamineWorkbook.from_filelike(source).get_sheet_by_index(0).to_python(skip_empty_area=False)
        except (KeyboardInterrupt, SystemExit):
            raise
        except BaseException as error:  # a panic inside calamine is no Exception
            raise FileError(f"{page.where}: cannot be read ({SAVE_AGAIN})") from error
        cells: list[list[Cell]] = [[None if cell == "" else cell for cell in row] for row in rows]
        return Page(cells, tuple(table.table for table in self._tables(part).values()))

    def put(self, sheet: str, block: Block) -> None:
        """Put columns into a worksheet, in memory.

        Parameters
        ----------
        sheet : the worksheet's name
        block : the columns and their place. Columns of an earlier time that it replaces are overwritten or emptied, and
            an Excel table that ends left of the block, or with those columns, then ends with the new ones; so does the
            sheet's filter. New columns are shown where they were hidden.

        Raises
        ------
        FileError
            The sheet is protected; or a cell where a column should go has a formula, something that is not ours, or is
            part of merged cells or of another table. Nothing is changed then.
        """
        try:
            changed = self._with_block(sheet, block)
        finally:
            self._package.forget_trees()
        self._read.clear()
        for part, data in changed.items():
            self._package.write(part, data)

    def save(self, path: Path) -> None:
        """Write the workbook to disk, whole or not at all.

        Raises
        ------
        FileError
            The file is open in another program or write-protected, or the disk does not take it; it is then as it was.
        """
        self._package.save(path)

    def _with_block(self, sheet: str, block: Block) -> dict[str, bytes]:
        """Give the parts that change when a block is put in."""
        part = self._sheet_part(sheet)
        page = self._page(sheet)
        page.refuse_protected()
        area = block.area
        tables = self._tables(part)
        own = next((name for name, table in tables.items() if table.takes(block)), None)
        # The table's rows under the last result become part of the new columns too.
        taken = area if own is None else replace(area, bottom=tables[own].table.bottom)
        for name, table in tables.items():
            if name != own and table.table.meets(taken):
                raise FileError(f"{page.where}: {taken} meets the table {table.table.name!r} (a free place expected)")
        lines = page.lines(area, block.replaces)
        if taken != area:
            page.lines(replace(taken, top=area.bottom + 1, left=area.left + block.replaces))
        look = self._others.get("styles", "")
        styles = StylesPart(self._package.xml(look) if look else None)
        filtered = None if page.filtered is None else self.read(sheet).filter_with(page.filtered, block)
        if filtered is not None:
            page.end_filter(filtered)
        changed = {part: page.put(block, lines, styles.style)}
        if styles.changed:
            changed[look] = xml_bytes(self._package.xml(look))
        if own is not None:
            tables[own].end_with(block.left, block.names)
            changed[own] = xml_bytes(tables[own].root)
        named = filtered is not None and self._name_filter(sheet, filtered)
        if self._set_recalculation() or named:
            changed[self._part] = xml_bytes(self._package.xml(self._part))
        return changed

    def _sheet_part(self, sheet: str) -> str:
        """Give the name of a worksheet's part."""
        try:
            return self._sheets[sheet]
        except KeyError:
            names = ", ".join(map(sheet_title, self.sheet_names))
            raise FileError(f"{self._package.name}: has no worksheet {sheet!r} (one of {names} expected)") from None

    def _page(self, sheet: str) -> SheetPart:
        return SheetPart(self._package.xml(self._sheet_part(sheet)), f"{self._package.name}, sheet {sheet!r}")

    def _tables(self, part: str) -> dict[str, TablePart]:
        """Give the tables on a worksheet by the names of their parts."""
        links = self._package.relations(part)
        return {link.part: TablePart(self._package.xml(link.part)) for link in links if link.kind == "table"}

    def _name_filter(self, sheet: str, area: Area) -> bool:
        """Give the hidden name that goes with a sheet's filter the filter's area; whether there is such a name."""
        root = self._package.xml(self._part)
        tabs = [tab.get("name", "") for tab in root.findall(f"{tag(root, 'sheets')}/{tag(root, 'sheet')}")]
        for name in root.findall(f"{tag(root, 'definedNames')}/{tag(root, 'definedName')}"):
            if name.get("name") == _FILTER and name.get("localSheetId") == str(tabs.index(sheet)):
                before, mark, _ = (name.text or "").rpartition("!")
                name.text = f"{before}{mark}{area.absolute}"
                return True
        return False

    def _set_recalculation(self) -> bool:
        """Let the program that opens the workbook next compute all formulas, as some may use the new cells.

        Returns
        -------
        bool
            Whether that had to be set.
        """
        root = self._package.xml(self._part)
        settings = root.find(tag(root, "calcPr"))
        if settings is None:
            settings = root.makeelement(tag(root, "calcPr"))
            before = {tag(root, name) for name in _BEFORE_CALCULATION.split()}
            [child for child in root if child.tag in before][-1].addnext(settings)
        if settings.get("fullCalcOnLoad") in ("1", "true"):
            return False
        settings.set("fullCalcOnLoad", "1")
        return True

    def _reduced(self, part: str) -> bytes:
        """Give a package of one worksheet and what its values need, for calamine.

        Notes
        -----
        calamine then sees only what has been checked, in UTF-8, under the names that it looks for. It gives nothing for
        an error value, nor for a formula that no program has computed, so those become texts. It stops at a date beyond
        all calendars, which becomes a number, and at an unusual address in what is said before and after the rows,
        which it does not need.
        """
        settings = self._package.xml(self._part).find("{*}workbookPr")
        since_1904 = settings is not None and settings.get("date1904") in ("1", "true")
        cells = self._package.utf8(part)
        if b"<!" in cells:
            cells = _without_comments(self._package.xml(part))
        if b'"e"' in cells or b"'e'" in cells:
            cells = _ERROR.sub(rb"\1str\2", cells)
        if _FAR_NUMBER.search(cells):
            cells = _NUMBER.sub(_without_far_date, cells)
        cells = _only_cells(cells)
        if b"<f" in cells or b":f" in cells:
            cells = _UNCOMPUTED.sub(_formula_as_text, cells)
        buffer = io.BytesIO()
        with zipfile.ZipFile(buffer, "w") as archive:
            archive.writestr("[Content_Types].xml", _TYPES)
            archive.writestr("_rels/.rels", _RELATION.format("officeDocument", "xl/workbook.xml"))
            archive.writestr("xl/_rels/workbook.xml.rels", _RELATION.format("worksheet", "worksheet.xml"))
            archive.writestr("xl/workbook.xml", _WORKBOOK.format(int(since_1904)))
            archive.writestr("xl/worksheet.xml", cells)
            for kind in {"styles", "sharedStrings"} & self._others.keys():
                self._package.xml(self._others[kind])  # its message is better than calamine's
                archive.writestr(f"xl/{kind}.xml", self._package.utf8(self._others[kind]))
        return buffer.getvalue()


def _front(view: etree._Element) -> int:
    """Give the number of the tab that is shown, 0 where it is none: some programs write -1."""
    try:
        return whole_number(view, "activeTab")
    except FileError:
        return 0


def _without_comments(root: etree._Element) -> bytes:
    """Write a sheet without comments and CDATA, so that a cell has its elements and texts alone."""
    plain = copy.deepcopy(root)
    etree.strip_tags(plain, etree.Comment)
    return xml_bytes(plain)


def _without_far_date(cell: re.Match[bytes]) -> bytes:
    """Take its look, which may be that of a date, off a cell whose number is no day of any calendar."""
    try:
        far = not abs(float(cell["number"])) < _LAST_DAY
    except ValueError:
        far = False
    return _LOOK.sub(b"", cell["cell"]) + cell["between"] + cell["number"] if far else cell[0]


def _only_cells(sheet: bytes) -> bytes:
    """Leave out of a sheet, before and after its rows, the areas that it states: which are used, and which merged."""
    start, end = sheet.find(b"sheetData"), sheet.rfind(b"sheetData")
    return _AREAS.sub(b"", sheet[:start]) + sheet[start:end] + _AREAS.sub(b"", sheet[end:])


def _formula_as_text(found: re.Match[bytes]) -> bytes:
    """A cell whose value is the text of its formula; one that was computed to an empty text stays as it is."""
    prefix, attributes, formula, text, empty = found.groups()
    of_type = _TYPE.search(attributes)
    if text in (b'""', b"&quot;&quot;") or (empty and of_type and of_type[0].rstrip().endswith((b'"str"', b"'str'"))):
        return found[0]
    start = b'<%sc%s t="str">%s' % (prefix, _TYPE.sub(b"", attributes), formula)
    return start + b"<%sv>=%s%s</%sv></%sc>" % (prefix, text or b"", NOT_COMPUTED.encode(), prefix, prefix)


def _workbook_part(package: Package) -> str:
    """Give the name of a package's workbook part."""
    main = next((link.part for link in package.relations("") if link.kind == "officeDocument"), None)
    kind = "" if main is None else package.content_type(main)
    for word, what in _OTHER_KINDS.items():
        if word in kind:
            raise FileError(f"{package.name}: is {what} (save it as .xlsx, then try again)")
    if main is None or main not in package.parts or etree.QName(package.xml(main)).localname != "workbook":
        raise FileError(f"{package.name}: is not a workbook (an .xlsx or .xlsm file expected)")
    return main
