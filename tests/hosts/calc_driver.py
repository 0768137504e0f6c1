"""What the tests ask of Calc, done inside LibreOffice's own Python: it reads requests and prints answers, JSON a line.

python calc_driver.py FOLDER PROGRAM PROFILE [shown]: FOLDER has extension.py, which starts the office,
with a window if it shall be shown.
"""

from __future__ import annotations

import json
import sys
import time
import traceback
from pathlib import Path
from typing import Any

LOOKS = ("NumberFormat", "HoriJustify", "CharWeight", "CharPosture", "CharColor", "CellBackColor")


class Driver:
    """One document at a time, and what can be asked of it. Areas are named as in sheets, such as A1:B2."""

    def __init__(self, context: Any) -> None:
        self.context = context
        self.document: Any = None

    def service(self, name: str) -> Any:
        return self.context.ServiceManager.createInstanceWithContext(name, self.context)

    def open(self, path: str | None = None, shown: bool = False, read_only: bool = False) -> list[str]:
        """Open a workbook, or a new one; gives its sheets."""
        self.close()
        url = "private:factory/scalc" if path is None else Path(path).as_uri()
        desktop = self.service("com.sun.star.frame.Desktop")
        how = _properties(Hidden=not shown, ReadOnly=read_only)
        self.document = desktop.loadComponentFromURL(url, "_blank", 0, how)
        if self.document is None:
            raise FileNotFoundError(f"{url} was not opened")
        return list(self.document.Sheets.ElementNames)

    def close(self) -> None:
        if self.document is not None:
            self.document.close(True)
            self.document = None

    def save(self, path: str, kind: str) -> None:
        self.document.storeToURL(Path(path).as_uri(), _properties(FilterName=kind))

    def recalculate(self) -> float:
        """Recalculate every formula; gives the seconds that it took."""
        start = time.perf_counter()
        self.document.calculateAll()
        return time.perf_counter() - start

    def sheet(self, name: str | None) -> Any:
        if name is None:
            return self.document.CurrentController.ActiveSheet
        return self.document.Sheets.getByName(name)

    def used(self, sheet: str | None = None) -> Any:
        page = self.sheet(sheet)
        cursor = page.createCursor()
        cursor.gotoEndOfUsedArea(False)
        end = cursor.RangeAddress
        return page.getCellRangeByPosition(0, 0, end.EndColumn, end.EndRow)

    def sheets(self) -> list[str]:
        return list(self.document.Sheets.ElementNames)

    def shown_sheet(self) -> str:
        return str(self.document.CurrentController.ActiveSheet.Name)

    def show(self, sheet: str) -> None:
        self.document.CurrentController.setActiveSheet(self.sheet(sheet))

    def cells(self, area: str | None = None, sheet: str | None = None) -> list[list[Any]]:
        """Values: numbers, texts, '' for blank, and the code of an error in a list."""
        found = self.used(sheet) if area is None else self.sheet(sheet).getCellRangeByName(area)
        rows = [list(row) for row in found.getDataArray()]
        for down, row in enumerate(rows):
            for along, cell in enumerate(row):
                if cell is None:
                    row[along] = [found.getCellByPosition(along, down).getError()]
        return rows

    def formulas(self, sheet: str | None = None) -> list[tuple[str, str]]:
        """The cells with formulas, an array's once for each of its cells."""
        found = []
        for area in self.used(sheet).queryContentCells(16).getRangeAddresses():
            for row in range(area.StartRow, area.EndRow + 1):
                for column in range(area.StartColumn, area.EndColumn + 1):
                    cell = self.sheet(sheet).getCellByPosition(column, row)
                    found.append((cell.AbsoluteName.rpartition(".")[2].replace("$", ""), cell.getFormula()))
        return found

    def put(self, area: str, rows: list[list[Any]], sheet: str | None = None) -> None:
        self.sheet(sheet).getCellRangeByName(area).setDataArray(tuple(map(tuple, rows)))

    def formula(self, area: str, text: str, sheet: str | None = None) -> list[list[Any]]:
        """Enter an array formula; gives its values."""
        self.sheet(sheet).getCellRangeByName(area).setArrayFormula(text)
        return self.cells(area, sheet)

    def plain_formula(self, area: str, text: str, sheet: str | None = None) -> None:
        self.sheet(sheet).getCellRangeByName(area).setFormula(text)

    def clear(self, area: str, sheet: str | None = None) -> None:
        self.sheet(sheet).getCellRangeByName(area).clearContents(1023)

    def dispatch(self, command: str) -> str:
        """Do a command of the menu as a macro would; gives the message that the user would see."""
        frame = self.document.CurrentController.Frame
        done = self.service("com.sun.star.frame.DispatchHelper").executeDispatch(frame, command, "", 0, ())
        return str(done.Result)

    def ticked(self, command: str) -> Any:
        """Whether an item of the menu has a tick; None for one that never has."""
        import unohelper
        from com.sun.star.frame import XStatusListener

        class Listener(unohelper.Base, XStatusListener):
            def statusChanged(self, event: Any) -> None:
                states.append(event.State)

            def disposing(self, event: Any) -> None:
                pass

        states: list[Any] = []
        url = _struct("com.sun.star.util.URL", Complete=command)
        url = self.service("com.sun.star.util.URLTransformer").parseStrict(url)[1]
        found = self.document.CurrentController.Frame.queryDispatch(url, "", 0)
        found.addStatusListener(Listener(), url)
        return states[0]

    def modified(self) -> bool:
        """Whether closing would ask to save."""
        return bool(self.document.isModified())

    def steps(self) -> list[str]:
        return list(self.document.UndoManager.getAllUndoActionTitles())

    def undo(self) -> None:
        self.document.UndoManager.undo()

    def redo(self) -> None:
        self.document.UndoManager.redo()

    def select(self, area: str) -> None:
        self.document.CurrentController.select(self.sheet(None).getCellRangeByName(area))

    def selected(self) -> str:
        return str(self.document.CurrentSelection.AbsoluteName).rpartition(".")[2].replace("$", "")

    def change(self, area: str, **properties: Any) -> None:
        """Set properties of cells."""
        cells = self.sheet(None).getCellRangeByName(area)
        for name, value in properties.items():
            cells.setPropertyValue(name, value)

    def merge(self, area: str) -> None:
        self.sheet(None).getCellRangeByName(area).merge(True)

    def protect(self, structure: bool = False) -> None:
        """Protect the sheet, or which sheets the document has."""
        (self.document if structure else self.sheet(None)).protect("")

    def looks(self, area: str) -> list[list[Any]]:
        """Of an area from A1 on, each cell's value and how it looks; its fill alone if it is blank."""
        formats = self.document.NumberFormats
        cells = self.sheet(None).getCellRangeByName(area)
        values = self.cells(area)
        codes: dict[int, str] = {}
        found = []
        for down, row in enumerate(values):
            for along, value in enumerate(row):
                cell = cells.getCellByPosition(along, down)
                key, aligned, weight, posture, colour, fill = cell.getPropertyValues(LOOKS)
                if key not in codes:
                    codes[key] = formats.getByKey(key).FormatString
                how = [codes[key], aligned.value, weight, posture.value, colour]
                found.append([f"{chr(65 + along)}{down + 1}", value, fill, None if value == "" else how])
        return found

    def widths(self) -> list[int]:
        return [self.sheet(None).Columns.getByIndex(at).Width for at in range(26)]

    def needed(self, column: int) -> int:
        """How wide a column is that is as wide as its cells."""
        found = self.sheet(None).Columns.getByIndex(column)
        found.OptimalWidth = True
        return int(found.Width)

    def heights(self, rows: int) -> list[int]:
        return [self.sheet(None).Rows.getByIndex(at).Height for at in range(rows)]

    def hide(self, area: str) -> None:
        """Hide the columns of an area."""
        self.sheet(None).getCellRangeByName(area).Columns.IsVisible = False

    def tables(self) -> list[tuple[str, list[int]]]:
        """The tables, and where they are: top, left, bottom, right."""
        found = self.document.DatabaseRanges
        areas = [(name, found.getByName(name).DataArea) for name in found.ElementNames]
        return [(name, [area.StartRow, area.StartColumn, area.EndRow, area.EndColumn]) for name, area in areas]

    def filtered(self) -> list[int]:
        """Where the sheet's own filter is: top, left, bottom, right."""
        own = self.sheet(None).RangeAddress.Sheet
        area = self.document.getPropertyValue("UnnamedDatabaseRanges").getByTable(own).DataArea
        return [area.StartRow, area.StartColumn, area.EndRow, area.EndColumn]

    def shown_columns(self) -> list[bool]:
        """Whether each of the first columns is shown."""
        return [bool(self.sheet(None).Columns.getByIndex(at).IsVisible) for at in range(26)]

    def names(self) -> dict[str, str]:
        found = self.document.NamedRanges
        return {name: found.getByName(name).Content for name in found.ElementNames}

    def add_name(self, name: str, content: str) -> None:
        self.document.NamedRanges.addNewByName(name, content, _struct("com.sun.star.table.CellAddress"), 0)

    def settle(self, size: str) -> None:
        """Let the window fill a screen, and wait until it is drawn."""
        window = self.document.CurrentController.Frame.ContainerWindow
        width, height = map(int, size.split("x"))
        window.setPosSize(0, 0, width, height, 15)
        window.toFront()
        window.setFocus()
        time.sleep(5)

    def button(self, label: str) -> tuple[int, int]:
        """The middle of a toolbar's button on the screen."""
        context = self.document.CurrentController.Frame.ContainerWindow.getAccessibleContext()
        found = _labelled(context, label)
        if found is None:
            raise LookupError(f"no button {label}")
        corner, size = found.getLocationOnScreen(), found.getSize()
        return corner.X + size.Width // 2, corner.Y + size.Height // 2

    def function_help(self) -> dict[str, Any]:
        """What the function wizard says of our functions: text, and arguments with whether they are optional."""
        every = self.service("com.sun.star.sheet.FunctionDescriptions")
        found = {}
        for at in range(every.getCount()):
            fields = {each.Name: each.Value for each in every.getByIndex(at)}
            if fields["Name"].startswith("VALET_"):
                arguments = [[each.Name, each.Description, each.IsOptional] for each in fields["Arguments"]]
                found[fields["Name"]] = [fields["Description"], arguments]
        return found


def _labelled(context: Any, label: str) -> Any:
    """The button with a label, among what a window shows."""
    from com.sun.star.accessibility.AccessibleRole import MENU, MENU_BAR

    if context.getAccessibleRole() in {MENU, MENU_BAR}:
        return None
    if context.getAccessibleName() == label and not context.getAccessibleChildCount():
        return context
    for at in range(min(context.getAccessibleChildCount(), 100)):
        child = context.getAccessibleChild(at)
        if child is not None and (found := _labelled(child.getAccessibleContext(), label)) is not None:
            return found
    return None


def _properties(**named: Any) -> tuple[Any, ...]:
    return tuple(_struct("com.sun.star.beans.PropertyValue", Name=name, Value=value) for name, value in named.items())


def _struct(kind: str, **fields: Any) -> Any:
    import uno

    struct = uno.createUnoStruct(kind)
    for name, value in fields.items():
        setattr(struct, name, value)
    return struct


def main(folder: str, program: str, profile: str, shown: str = "") -> None:
    """Answer until there are no more requests."""
    sys.path.insert(0, folder)
    from extension import RunningOffice

    with RunningOffice(program, Path(profile), headless=not shown) as context:
        driver = Driver(context)
        print(json.dumps({"result": "ready"}), flush=True)
        for line in sys.stdin:
            request = json.loads(line)
            try:
                answer = {"result": getattr(driver, request["do"])(*request["given"], **request["named"])}
            except Exception:
                answer = {"error": traceback.format_exc()}
            print(json.dumps(answer), flush=True)
        driver.close()


if __name__ == "__main__":
    main(*sys.argv[1:])
