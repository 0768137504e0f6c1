""".xlsx / .xlsm on disk: read cells, put columns in, leave all else as it was."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from valet_xl.documents.cell_names import Area, sheet_title
from valet_xl.documents.disk import read_file
from valet_xl.documents.markup import Element, MarkupError, written
from valet_xl.documents.ooxml.package import SAVE_AGAIN, Package, whole_number
from valet_xl.documents.ooxml.sheet import SheetPart
from valet_xl.documents.ooxml.styles import StylesPart
from valet_xl.documents.ooxml.table import TablePart
from valet_xl.documents.ooxml.values import cells_of, looks_of, shared_texts
from valet_xl.documents.page import Block, Page
from valet_xl.errors import FileError

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
_FILTER = "_xlnm._FilterDatabase"


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
        self._pages: dict[str, SheetPart] = {}
        self._part = _workbook_part(package)
        links = package.relations(self._part)
        self._others = {link.kind: link.part for link in links if link.part in package.parts}
        worksheets = {link.id: link.part for link in links if link.kind == "worksheet"}
        root = package.xml(self._part)
        tabs = _tabs(root)
        parts = [worksheets.get(next((tab.get(key) for key in _LINKS if key in tab.attributes), "")) for tab in tabs]
        self._sheets = {tab.get("name"): part for tab, part in zip(tabs, parts, strict=True) if part is not None}
        self.sheet_names = tuple(self._sheets)
        if not self._sheets:
            raise FileError(f"{package.name}: has no worksheet (one with results expected)")
        view = root.child("bookViews", "workbookView")
        front = 0 if view is None else _front(view)
        shown = [tab.get("name") for tab in tabs[front : front + 1] + tabs if tab.get("state", "visible") == "visible"]
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
        page.refuse_far()
        looks = looks_of(self._package.xml(self._others["styles"]) if "styles" in self._others else None)
        settings = self._package.xml(self._part).child("workbookPr")
        since_1904 = settings is not None and settings.get("date1904") in ("1", "true")
        texts = self._texts()
        try:
            cells = cells_of(page.data, texts, looks, since_1904=since_1904)
        except FileError as error:
            raise FileError(f"{page.where}: {error} ({SAVE_AGAIN})") from error
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
            self._pages.clear()
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
            changed[look] = written(self._package.xml(look))
        if own is not None:
            tables[own].end_with(block.left, block.names)
            changed[own] = written(tables[own].root)
        named = filtered is not None and self._name_filter(sheet, filtered)
        if self._set_recalculation() or named:
            changed[self._part] = written(self._package.xml(self._part))
        return changed

    def _sheet_part(self, sheet: str) -> str:
        """Give the name of a worksheet's part."""
        try:
            return self._sheets[sheet]
        except KeyError:
            names = ", ".join(map(sheet_title, self.sheet_names))
            raise FileError(f"{self._package.name}: has no worksheet {sheet!r} (one of {names} expected)") from None

    def _page(self, sheet: str) -> SheetPart:
        part = self._sheet_part(sheet)
        if part not in self._pages:
            try:
                self._pages[part] = SheetPart(self._package.utf8(part), f"{self._package.name}, sheet {sheet!r}")
            except MarkupError as error:
                raise self._package.malformed(part, error.line) from error
        return self._pages[part]

    def _tables(self, part: str) -> dict[str, TablePart]:
        """Give the tables on a worksheet by the names of their parts."""
        links = self._package.relations(part)
        return {link.part: TablePart(self._package.xml(link.part)) for link in links if link.kind == "table"}

    def _name_filter(self, sheet: str, area: Area) -> bool:
        """Give the hidden name that goes with a sheet's filter the filter's area; whether there is such a name."""
        root = self._package.xml(self._part)
        tabs = [tab.get("name") for tab in _tabs(root)]
        names = root.child("definedNames")
        for name in [] if names is None else names.children("definedName"):
            if name.get("name") == _FILTER and name.get("localSheetId") == str(tabs.index(sheet)):
                before, mark, _ = name.text.rpartition("!")
                name.write(f"{before}{mark}{area.absolute}")
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
        settings = root.child("calcPr")
        if settings is None:
            settings = root.new("calcPr")
            root.children(*_BEFORE_CALCULATION.split())[-1].put_behind(settings)
        if settings.get("fullCalcOnLoad") in ("1", "true"):
            return False
        settings.set("fullCalcOnLoad", "1")
        return True

    def _texts(self) -> list[str]:
        """Give the texts that cells share."""
        if "sharedStrings" not in self._others:
            return []
        part = self._others["sharedStrings"]
        try:
            return shared_texts(self._package.utf8(part))
        except MarkupError as error:
            raise self._package.malformed(part, error.line) from error


def _tabs(root: Element) -> list[Element]:
    """Give the tabs of a workbook, of worksheets and others."""
    sheets = root.child("sheets")
    return [] if sheets is None else sheets.children("sheet")


def _front(view: Element) -> int:
    """Give the number of the tab that is shown, 0 where it is none: some programs write -1."""
    try:
        return whole_number(view, "activeTab")
    except FileError:
        return 0


def _workbook_part(package: Package) -> str:
    """Give the name of a package's workbook part."""
    main = next((link.part for link in package.relations("") if link.kind == "officeDocument"), None)
    kind = "" if main is None else package.content_type(main)
    for word, what in _OTHER_KINDS.items():
        if word in kind:
            raise FileError(f"{package.name}: is {what} (save it as .xlsx, then try again)")
    if main is None or main not in package.parts or package.xml(main).name != "workbook":
        raise FileError(f"{package.name}: is not a workbook (an .xlsx or .xlsm file expected)")
    return main
