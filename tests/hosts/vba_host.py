"""An Excel in memory: pyOpenVBA's object model and VBA interpreter, with xlwings' own code for Windows behind them.

What Excel does over COM is done here by direct calls, with the conversions that COM makes. Nothing here is Excel: what
it does is as good as pyOpenVBA's model of it.
"""

from __future__ import annotations

import datetime
import re
import sys
import traceback
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from types import ModuleType
from typing import Any

from pyopenvba import ExcelFile
from pyopenvba.apps.excel import Application, ExcelApplication, Range, Workbook
from pyopenvba.apps.excel._tables import ListObject
from pyopenvba.interpreter import (
    EMPTY,
    MISSING,
    NOTHING,
    NULL,
    VBAArray,
    VBADate,
    VBAErrorValue,
    VBAObject,
    VBARuntimeError,
    VBAUnsupportedError,
    member,
    method,
)
from pyopenvba.interpreter._objects import MemberSpec
from pyopenvba.interpreter._values import error
from win32_standins import (
    IID,
    IID_RANGE,
    PARAMETER_NOT_FOUND,
    VT_ERROR,
    ComError,
    Dispatch,
    Time,
    Variant,
)

from valet_xl.functions.registry import Cells, ErrorCell

FIRST_ERROR = -2146828288  # the HRESULT of CVErr(0)
EXCEPTION = -2147352567  # DISP_E_EXCEPTION
UNKNOWN_NAME = -2147352570  # DISP_E_UNKNOWNNAME
# What arrives where Python sends an error: pywin32 gives each the number of an argument that was left out.
LOST_ERROR = VBAErrorValue(448)
VALUE_ERROR = Variant(VT_ERROR, FIRST_ERROR + 2015)
OTHER = IID("{00000000-0000-0000-0000-000000000000}")


# -- values on their way between VBA and Python


def to_python(value: object) -> object:  # noqa: PLR0911 - a line a type
    """What pywin32 makes of a VBA value."""
    if value is EMPTY or value is NULL or value is NOTHING:
        return None
    if value is MISSING:
        return PARAMETER_NOT_FOUND
    if isinstance(value, VBAErrorValue):
        return FIRST_ERROR + value.number
    if isinstance(value, VBADate):
        moment = VBADate.EPOCH + datetime.timedelta(days=value.serial)
        return Time(moment.year, moment.month, moment.day, moment.hour, moment.minute, moment.second)
    if isinstance(value, VBAArray):
        return _tuples(value, to_python)
    if isinstance(value, PythonObject):
        return value.value
    if isinstance(value, VBAObject):
        return Com(value)
    return int(value) if isinstance(value, int) and not isinstance(value, bool) else value


def _tuples(array: VBAArray, convert: Callable[[object], object]) -> tuple[object, ...]:
    """A tuple of an array's values if it has one dimension, else one of rows; arrays are column after column."""
    target = tuple(map(convert, array.items))
    if array.dimensions == 1:
        return target
    (top, bottom), _ = array.bounds
    height = bottom - top + 1
    return tuple(zip(*(target[at : at + height] for at in range(0, len(target), height)), strict=True))


def cell_to_python(value: object) -> object:
    """What pywin32 makes of cells: every number is a double, all other integers are errors."""
    if isinstance(value, VBAArray):
        return _tuples(value, cell_to_python)
    made = to_python(value)
    is_number = isinstance(value, int) and not isinstance(value, (bool, VBAErrorValue))
    return float(made) if is_number else made  # type: ignore[arg-type]


def to_vba(value: object) -> object:  # noqa: PLR0911 - a line a type
    """What a VBA variable has after Python gave it a value."""
    if value is None:
        return EMPTY
    if isinstance(value, Com):
        return value.__dict__["_object"]
    if isinstance(value, Variant):
        assert value.varianttype == VT_ERROR
        return LOST_ERROR
    if isinstance(value, (list, tuple)):
        if value and isinstance(value[0], (list, tuple)):
            items = [to_vba(cell) for column in zip(*value, strict=True) for cell in column]
            return VBAArray([(0, len(value) - 1), (0, len(value[0]) - 1)], items=items)
        return VBAArray([(0, len(value) - 1)], items=[to_vba(cell) for cell in value])
    if isinstance(value, datetime.datetime):
        return VBADate.from_datetime(value)
    if isinstance(value, (bool, int, float, str, VBAObject)):
        return value
    return PythonObject(value)


def cells_to_vba(value: object) -> object:
    """What cells are given; an empty text leaves a cell empty, as it does in Excel."""
    if isinstance(value, (list, tuple)):
        return to_vba([[None if cell == "" else cell for cell in row] for row in value])
    return EMPTY if value == "" else to_vba(value)


def over_com(cells: Cells) -> list[list[object]]:
    """The engine's cells as COM carries them: blanks as empty texts, true errors."""
    return [["" if cell is None else VALUE_ERROR if cell is ErrorCell.VALUE else cell for cell in row] for row in cells]


class PythonObject(VBAObject):
    """A Python object in a VBA variable, which VBA cannot look into."""

    vba_type_name = "Object"

    def __init__(self, value: object) -> None:
        self.value = value


class _Type:
    """What a COM object says of its type; xlwings asks whether it is a Range."""

    def __init__(self, target: VBAObject) -> None:
        self.iid = IID_RANGE if isinstance(target, Range) else OTHER

    def GetTypeInfo(self) -> _Type:
        return self

    def GetTypeAttr(self) -> _Type:
        return self

    def GetDocumentation(self, _index: int) -> tuple[str]:
        return ("",)

    def GetIDsOfNames(self, *_names: object) -> int:
        raise ComError(UNKNOWN_NAME, "Unknown name.", None, None)


class Com(Dispatch):
    """An object of Excel as Python sees it over COM, where each question costs a call from one program to the other.

    calls : how many there were, of all objects
    """

    calls = 0

    def __init__(self, target: VBAObject) -> None:
        self.__dict__.update(_object=target, _oleobj_=_Type(target), CLSID=None)

    def _call(self, name: str, given: tuple[object, ...], named: dict[str, object]) -> object:
        Com.calls += 1
        target = self.__dict__["_object"]
        try:
            answer = target.vba_get(
                name, [to_vba(one) for one in given], {key: to_vba(one) for key, one in named.items()}
            )
        except (VBARuntimeError, VBAUnsupportedError) as refused:
            raise ComError(EXCEPTION, "Exception occurred.", (0, "Excel", str(refused), None, 0, 0), None) from refused
        if isinstance(target, Range) and name.lower() in ("value", "value2"):
            return cell_to_python(answer)
        made = to_python(answer)
        spec = target.vba_member(name)
        if isinstance(made, Com) and not given and spec is not None and spec.parameters:
            made.__dict__["_via"] = (self, name)  # late binding: `x.Names("a")` gets `x.Names` first
        return made

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        target = self.__dict__["_object"]
        spec = target.vba_member(name)
        if spec is None and name.startswith("Get"):
            return lambda *given, **named: self._call(name[3:], given, named)
        if spec is not None and spec.kind == "method":
            return lambda *given, **named: self._call(name, given, named)
        try:
            return self._call(name, (), {})
        except ComError:
            if spec is None or not spec.parameters:
                raise
            return lambda *given, **named: self._call(name, given, named)

    def __setattr__(self, name: str, value: object) -> None:
        Com.calls += 1
        target = self.__dict__["_object"]
        if target.vba_member(name) is None:
            raise AttributeError(f"Property '{name}' can not be set.")
        cells = isinstance(target, Range) and name.lower() in ("value", "value2")
        try:
            target.vba_set(name, cells_to_vba(value) if cells else to_vba(value))
        except (VBARuntimeError, VBAUnsupportedError) as refused:
            raise ComError(EXCEPTION, "Exception occurred.", (0, "Excel", str(refused), None, 0, 0), None) from refused

    def __call__(self, *given: object, **named: object) -> Any:
        via = self.__dict__.get("_via")
        if via:
            return via[0]._call(via[1], given, named)
        target = self.__dict__["_object"]
        if isinstance(target, Range) and given:
            return self._call("Item", given, named)
        return self._call(target.vba_default_member().name, given, named)

    def __iter__(self) -> Iterator[object]:
        return (to_python(one) for one in self.__dict__["_object"].vba_iterate())


# -- what pyOpenVBA's Excel lacks


class _Conditions(VBAObject):
    """Conditional formats, of which pyOpenVBA has none."""

    @method
    def Delete(self) -> object:
        return EMPTY


class Chart(VBAObject):
    """A sheet that is a chart: it has a name and no cells."""

    @member
    def Name(self) -> object:
        return "Chart1"


def _shown_sheet(getter: Any) -> Any:
    """The sheet of a workbook that is shown, which may be a chart."""
    return lambda self: self.__dict__.get("chart") or getter(self)


class _TableFilter(VBAObject):
    """The filter of a table, which pyOpenVBA's tables lack."""

    def __init__(self, table: ListObject) -> None:
        self.table = table

    @member
    def FilterMode(self) -> object:
        return self.table.vba_get("Name") in FILTERED


FILTERED: set[str] = set()
"""The names of tables whose filter hides rows."""


def _whole(part_of: Any) -> Any:
    """The values of all of an area: pyOpenVBA gives those that are in its sheet's used range."""

    def values(self: Range, *kind: object) -> object:
        held = part_of(self, *kind)
        first = self.first
        height, width = first.bottom - first.top + 1, first.right - first.left + 1
        if height == width == 1:
            return held
        whole = [[EMPTY] * width for _ in range(height)]
        if isinstance(held, VBAArray):
            (top, bottom), (left, right) = held.bounds
            for row in range(top, bottom + 1):
                for column in range(left, right + 1):
                    whole[row - top][column - left] = held.get([row, column])
        else:
            whole[0][0] = held
        return VBAArray(
            [(1, height), (1, width)], items=[cell for column in zip(*whole, strict=True) for cell in column]
        )

    return values


def _under_a_filter(put: Any) -> Any:
    """Excel puts the first of several values into each row that a filter shows, and nothing into the others."""

    def values(self: Range, value: object) -> None:
        sheet = self.vba_get("Worksheet")
        rows = range(self.first.top, self.first.bottom + 1)
        if isinstance(value, VBAArray) and sheet.vba_get("FilterMode"):
            for row in rows:
                if not sheet.vba_get("Rows", [row]).vba_get("Hidden"):
                    for column in range(self.first.left, self.first.right + 1):
                        put(sheet.vba_get("Cells", [row, column]), value.items[0])
        else:
            put(self, value)

    return values


for _name in ("value", "value2"):
    _member = Range._vba_members[_name]
    Range._vba_members[_name] = replace(_member, getter=_whole(_member.getter), setter=_under_a_filter(_member.setter))


def add(to: type[VBAObject], name: str, kind: str, function: Any, *parameters: str) -> None:
    """Give a class of pyOpenVBA's Excel a member that it lacks, or another one."""
    to._vba_members[name.lower()] = MemberSpec(name=name, kind=kind, getter=function, parameters=parameters)


_MACRO = ("Macro", "Description", "HasMenu", "MenuText", "HasShortcutKey", "ShortcutKey", "Category", "StatusBar")
_MACRO += ("HelpContextID", "HelpFile", "ArgumentDescriptions")


def _described(self: Application, *given: object) -> object:
    if "refused" in self.__dict__:
        self.__dict__["refused"].append(given)
        raise error(1004, "Method 'MacroOptions' of object '_Application' failed")
    if self.vba_get("ThisWorkbook").vba_get("IsAddin"):
        raise error(1004, "Cannot edit a macro on a hidden workbook. Unhide the workbook using the Unhide command.")
    given_help = {name: to_python(value) for name, value in zip(_MACRO, given, strict=False) if value is not MISSING}
    self.__dict__.setdefault("described", []).append(given_help)
    return EMPTY


def _scheduled(
    self: Application, EarliestTime: object, Procedure: object, LatestTime: object = MISSING, Schedule: object = True
) -> object:
    waiting = self.__dict__.setdefault("scheduled", [])
    if Schedule is MISSING or Schedule:
        waiting.append(Procedure)
    elif Procedure in waiting:
        waiting.remove(Procedure)
    else:
        raise error(1004, "Method 'OnTime' of object '_Application' failed")
    return EMPTY


add(Application, "MacroOptions", "method", _described, *_MACRO)


def _set_is_addin(self: Workbook, wanted: object) -> None:
    self.__dict__["is_addin"] = bool(wanted)


Workbook.vba_add_member(
    MemberSpec(
        name="IsAddin",
        kind="property",
        getter=lambda self: self.__dict__.get("is_addin", self.name.endswith(".xlam")),
        setter=_set_is_addin,
    )
)


def _link_sources(self: Workbook, Type: object = MISSING) -> object:
    links = self.__dict__.get("links")
    return VBAArray([(1, len(links))], items=list(links)) if links else EMPTY


def _change_link(self: Workbook, Name: object, NewName: object, Type: object = MISSING) -> object:
    if self.__dict__.get("protected"):
        raise error(1004, "Method 'ChangeLink' of object '_Workbook' failed")
    self.links = [NewName if link == Name else link for link in self.links]
    return EMPTY


_active = Workbook._vba_members["activesheet"]
Workbook._vba_members["activesheet"] = replace(_active, getter=_shown_sheet(_active.getter))
add(Workbook, "ReadOnly", "property", lambda self: self.__dict__.get("read_only", False))
add(Workbook, "LinkSources", "method", _link_sources, "Type")
add(Workbook, "ChangeLink", "method", _change_link, "Name", "NewName", "Type")
add(Application, "OnTime", "method", _scheduled, "EarliestTime", "Procedure", "LatestTime", "Schedule")
add(Application, "ActiveProtectedViewWindow", "property", lambda self: self.__dict__.get("protected_view") or NOTHING)
add(Application, "Hwnd", "property", lambda self: 1)
add(
    Application, "Caller", "property", lambda self: self.__dict__.get("calling") or VBAErrorValue(2023)
)  # the cell whose formula calls
add(Range, "FormatConditions", "property", lambda self: _Conditions())
add(ListObject, "AutoFilter", "property", _TableFilter)
add(ListObject, "SourceType", "property", lambda self: 1)  # all tables are of cells


class Control(VBAObject):
    """A control of the ribbon, as its callbacks are handed it."""

    vba_type_name = "IRibbonControl"

    def __init__(self, identifier: str, tag: str = "") -> None:
        self.identifier, self.tag = identifier, tag

    @member
    def Id(self) -> object:
        return self.identifier

    @member
    def Tag(self) -> object:
        return self.tag


class Ribbon(VBAObject):
    """The ribbon, which counts how often its controls were asked again."""

    vba_type_name = "IRibbonUI"

    def __init__(self) -> None:
        self.refreshed = 0

    @method
    def Invalidate(self) -> object:
        self.refreshed += 1
        return EMPTY


# -- the whole

# In place of the registry and of the library.
_WITHOUT_WINDOWS = {
    "Kept": "\r\n    Kept = Entry\r\nEnd Function",
    "Started": "\r\n    Set Started = CreateObject(WholeLine)\r\nEnd Function",
}


class Host:
    """Excel with an empty workbook open, and the add-in's VBA if one is given.

    Attributes
    ----------
    app : pyOpenVBA's Excel
    book : the workbook
    calls : what VBA asked of xlwings' server, method names in their order
    starts : the command lines that Python was started with
    cannot_start : whether starting it fails
    ends : how many of the next questions find that the server has ended
    """

    def __init__(self, xw: ModuleType, addin: Path | None = None) -> None:
        self.xw = xw
        self.app = ExcelApplication()
        self.calls: list[str] = []
        self.starts: list[str] = []
        self.cannot_start = False
        self.ends = 0
        self.app.add_workbook().name = "valet_xl.xlam"  # the first one is what VBA calls ThisWorkbook
        self.book: Workbook = self.app.add_workbook()
        self.server = self._server()
        self.app.interpreter.host.create = self._create  # type: ignore[method-assign]
        if addin is not None:
            self.load(addin)

    def load(self, addin: Path) -> None:
        """Take an add-in's VBA."""
        with ExcelFile(str(addin)) as file:
            for module in file.vba_project().modules:
                self.add_module(module.name, module.source)

    def xlwings_book(self, book: Workbook | None = None) -> Any:
        """A workbook as xlwings gives it."""
        return self.xw.Book(impl=self.xw._xlwindows.Book(xl=Com(book or self.book)))

    def fill(self, rows: list[list[object]], top: int = 0, left: int = 0) -> None:
        """Put cells into the sheet that is shown."""
        area = self.app.sheet(self.book.active_sheet.name).sheet
        for at, row in enumerate(rows, top + 1):
            for column, cell in enumerate(row, left + 1):
                if cell is not None:
                    area.vba_get("Cells", [at, column]).vba_set("Value", to_vba(cell))

    def cells(self, sheet: str | None = None) -> list[list[object]]:
        """The used cells of a sheet, from A1 on."""
        found = self.app.sheet(sheet or self.book.active_sheet.name).sheet
        used = found.vba_get("UsedRange")
        bottom = used.first.bottom
        right = used.first.right
        whole = found.vba_get("Range", [found.vba_get("Cells", [1, 1]), found.vba_get("Cells", [bottom, right])])
        value = cell_to_python(whole.vba_get("Value"))
        return [list(row) for row in value] if isinstance(value, tuple) else [[value]]

    def area(self, address: str) -> VBAObject:
        """Cells of the sheet that is shown."""
        found = self.app.sheet(self.book.active_sheet.name).sheet.vba_get("Range", [address])
        assert isinstance(found, VBAObject)
        return found

    def press(self, callback: str, identifier: str = "", *given: object, tag: str = "") -> None:
        """Run a callback as the ribbon does."""
        self.app.run(callback, Control(identifier, tag), *given)

    def ask(self, callback: str, identifier: str, tag: str = "") -> object:
        """What a callback gives by setting its second argument."""
        name = f"Ask{callback}"
        if name.lower() not in {runtime.name.lower() for runtime in self.app.interpreter.modules.values()}:
            body = f"    Dim Given As Variant\n    {callback} Control, Given\n    {name} = Given\n"
            self.app.add_module(f"Function {name}(Control As Variant) As Variant\n{body}End Function\n", name=name)
        return self.app.run(name, Control(identifier, tag))

    def formula(self, function: str, *given: object) -> list[list[object]]:
        """A block of what cells show where a formula calls a function of the add-in."""
        self.app.application.__dict__["calling"] = self.area("A1")
        shown = cell_to_python(self.app.interpreter.run(function, list(given)))
        rows = shown if isinstance(shown, tuple) else ((shown,),)
        rows = rows if rows and isinstance(rows[0], tuple) else (rows,)
        return [["" if cell is None else cell for cell in row] for row in rows]

    def handle(self, event: str, *given: object) -> None:
        """Run a handler of the add-in's own workbook."""
        self.app.interpreter.run(event, list(given), module="ThisWorkbook")

    @property
    def scheduled(self) -> list[str]:
        """The procedures that VBA asked Excel to run later."""
        return self.app.application.__dict__.get("scheduled", [])

    @property
    def described(self) -> list[dict[str, object]]:
        """The help of functions that Excel was given."""
        return self.app.application.__dict__.get("described", [])

    @property
    def messages(self) -> list[str]:
        """What the message boxes said."""
        return [text for _kind, text, _title, _style in self.app.dialogs]

    @property
    def selected(self) -> object:
        """The address of what is selected."""
        return self.app.application.vba_get("Selection").vba_get("Address", [False, False])

    def _create(self, name: str) -> object:
        self.starts.append(name)
        if self.cannot_start:
            raise error(429, name)
        return self.server

    def add_module(self, name: str, source: str) -> None:
        """Add a module; the two methods that ask Windows are others here, which keep what Windows would be asked.

        pyOpenVBA has no descriptions of procedures and does not connect events: tests run their handlers.
        """
        if name == "ValetPython":
            for method_, body in _WITHOUT_WINDOWS.items():
                source, count = re.subn(
                    rf"(?ms)^(Private Function {method_}\(.*?$).*?^End Function", rf"\1{body}", source
                )
                assert count == 1, method_
        source = re.sub(r"(?m)^Attribute \w+\.VB_Description = .*$", "", source).replace("WithEvents ", "")
        kinds = {"ValetPython": "class", "ThisWorkbook": "document"}
        if not name.startswith("Sheet"):
            self.app.add_module(source, name=name, kind=kinds.get(name, "standard"))

    def _server(self) -> VBAObject:
        """The object that xlwings serves to VBA."""
        served = sys.modules["xlwings.com_server"].XLPython()

        def forward(name: str) -> Any:
            def call(_self: VBAObject, *given: object) -> object:
                self.calls.append(name)
                if self.ends:
                    self.ends -= 1
                    raise error(462, "The remote server machine does not exist or is unavailable")
                try:
                    answer = getattr(served, name)(*map(to_python, given))
                except Exception as failed:
                    text = "".join(traceback.format_exception(failed))
                    raise error(1000, f"Unexpected Python Error: {text}") from failed
                return to_vba(answer)

            call.__name__ = name
            return method(call)

        members = {name: forward(name) for name in served._public_methods_}
        return type("XLPython", (VBAObject,), {**members, "vba_type_name": "XLPython"})()
