"""An Excel in memory that a program has started: it computes formulas, and has no add-in until one is opened.

pyOpenVBA calculates the cells. Here it learns that a formula may call the functions of an add-in that is open, that a
file may ask to be calculated when it is opened, and that programs name macros with their workbook and module.
"""

from __future__ import annotations

import re
import zipfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import ModuleType
from typing import Any

from pyopenvba._a1 import Area
from pyopenvba.apps.excel import Application, Range
from pyopenvba.apps.excel._engine_book import ERROR_NUMBERS, scalar
from pyopenvba.apps.excel._model import Workbooks
from pyopenvba.formula._calc import registry
from pyopenvba.formula._calc.cells import CellError
from pyopenvba.formula._calc.values import Array, Empty, Reference
from pyopenvba.interpreter import MISSING, VBAArray, VBAErrorValue, VBAObject
from pyopenvba.interpreter._values import error
from vba_host import Com, Host, add

from valet_xl.functions.catalogue import REGISTRY


class AutomatedExcel(Host):
    """Excel without a workbook.

    Attributes
    ----------
    opened : the names of the workbooks that were opened, add-ins too
    refuses : whether it refuses to open add-ins
    replacement : a line of VBA in place of what the add-in computes for cells
    """

    def __init__(self, xw: ModuleType) -> None:
        super().__init__(xw)
        self.opened: list[str] = []
        self.refuses = False
        self.replacement = ""
        self.app.application.vba_get("Workbooks").remove(self.book)
        self.app.application.__dict__["automated"] = self

    @property
    def application(self) -> Any:
        """Excel's Application, as a program has it."""
        return Com(self.app.application)

    def open(self, path: Path) -> VBAObject:
        """Open a workbook. An add-in's functions are known from then on, and its own handler runs."""
        if path.suffix == ".xlam" and self.refuses:
            raise error(1004, f"Excel cannot open the file '{path.name}'")
        self.opened.append(path.name)
        if path.suffix == ".xlam":
            self.load(path)
            for name in REGISTRY:
                registry.FUNCTIONS[name] = self._function(name)
            self.handle("Workbook_Open")
            this = self.app.application.vba_get("ThisWorkbook")
            assert isinstance(this, VBAObject)
            return this
        book = self.app.open_workbook(path)
        with zipfile.ZipFile(path) as package:
            if b'fullCalcOnLoad="1"' in package.read("xl/workbook.xml"):
                for cell in (cell for sheet in book.sheets_ for cell in sheet.cells_.values()):
                    cell.stale = cell.stale or bool(cell.formula)
                book.calculator.calculate_all()
        return book

    def add_module(self, name: str, source: str) -> None:
        """Add a module, with the replacement in it if there is one."""
        if self.replacement:
            source = source.replace("Computed = WithErrors(Asked(Worker, Given))", self.replacement)
        super().add_module(name, source)

    def _function(self, name: str) -> registry.Function:
        """A function of the add-in as formulas call it: with ranges, and one that is blank shows 0."""

        def work(context: Any, *given: Any) -> Any:
            answer = self.app.interpreter.run(name, [self._argument(context, one) for one in given])
            if not isinstance(answer, VBAArray):
                return _shown(answer)
            cells = list(map(_shown, answer.items))
            if answer.dimensions == 1:
                return Array([cells])
            (top, bottom), _ = answer.bounds
            height = bottom - top + 1
            return Array([cells[row::height] for row in range(height)])

        arguments = REGISTRY[name].arguments
        least = sum(not argument.optional for argument in arguments)
        return registry.Function(name, work, (registry.R,), least, len(arguments))

    def _argument(self, context: Any, value: Any) -> object:
        if isinstance(value, Reference):
            sheet = context.book.calculator._worksheet(value.areas[0].sheet)
            return Range(sheet, [Area(one.top, one.left, one.bottom, one.right, one.sheet) for one in value.areas])
        if isinstance(value, Array):
            items = [value.rows[row][column] for column in range(value.width) for row in range(value.height)]
            return VBAArray([(1, value.height), (1, value.width)], items=items)
        return MISSING if isinstance(value, Empty) else value


def _shown(value: object) -> Any:
    """A value as a cell takes it. An error that Excel does not know is not one of ours."""
    if isinstance(value, VBAErrorValue) and value.number not in ERROR_NUMBERS.values():
        return CellError("#UNKNOWN!")
    return scalar(value)


@contextmanager
def automated_excel(xw: ModuleType) -> Iterator[AutomatedExcel]:
    """An Excel, until it is ended; then cells know no function of ours."""
    try:
        yield AutomatedExcel(xw)
    finally:
        for name in REGISTRY:
            registry.FUNCTIONS.pop(name, None)


def _opened(self: Workbooks, Filename: object) -> object:
    return self.application.__dict__["automated"].open(Path(str(Filename)))


def _run(self: Application, Macro: object, *given: object) -> object:
    named = re.fullmatch(r"'([^']+)'!(\w+)\.(\w+)", str(Macro))
    automated = self.__dict__["automated"]
    if not named or named[1] not in automated.opened:
        raise error(1004, f"Cannot run the macro '{Macro}'. The macro may not be available in this workbook")
    values = [value for value in given if value is not MISSING]
    return automated.app.interpreter.run(named[3], values, module=named[2])


add(Workbooks, "Open", "method", _opened, "Filename")
add(Application, "Run", "method", _run, "Macro", *(f"Arg{number}" for number in range(1, 31)))
add(Application, "Version", "property", lambda self: "16.0")
add(Application, "Build", "property", lambda self: 17928)
add(Application, "OperatingSystem", "property", lambda self: "Windows (64-bit) NT 10.00")
add(Application, "DecimalSeparator", "property", lambda self: ".")
