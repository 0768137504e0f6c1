"""Excel's part in a call, played under Wine: start the server as VBA's XLPy() does, call functions, print what came.

Run by Windows' Python: a request comes as JSON on standard input, and the answer goes as JSON to standard output. It is
written with ctypes and not with pywin32, because pywin32 hides of what type a cell is: Excel shows an error as an error
only if its VARIANT is a VT_ERROR, and an empty one as 0.

A cell is null (blank), a number, true or false, a text, or {"error": code}; anything else that comes back is printed as
{"type": number of its VARTYPE}. A block of cells is a list of rows.
"""

from __future__ import annotations

import ctypes
import json
import subprocess
import sys
import time
from collections.abc import Callable
from ctypes import POINTER, Structure, Union, byref, c_double, c_long, c_short, c_uint, c_ulong, c_ushort, c_void_p
from functools import cache
from typing import Any

EMPTY, R8, BSTR, DISPATCH, ERROR, BOOL, VARIANT, ARRAY = 0, 5, 8, 9, 10, 11, 12, 0x2000
MISSING = -2147352572  # DISP_E_PARAMNOTFOUND as a VT_ERROR: an argument that is left out
METHOD = 1  # DISPATCH_METHOD
EXCEPTION = -2147352567  # DISP_E_EXCEPTION
START, KILL = 1, -1


class Value(Union):
    """The value of a VARIANT."""

    _fields_ = (("number", c_double), ("error", c_long), ("switch", c_short), ("pointer", c_void_p))


class Variant(Structure):
    """A VARIANT."""

    _fields_ = (("type", c_ushort), ("reserved", c_ushort * 3), ("value", Value), ("more", c_void_p))


class Bound(Structure):
    """A SAFEARRAYBOUND."""

    _fields_ = (("size", c_ulong), ("first", c_long))


class Arguments(Structure):
    """DISPPARAMS."""

    _fields_ = (("last", POINTER(Variant)), ("named", c_void_p), ("size", c_uint), ("names", c_uint))


class Refusal(Structure):
    """EXCEPINFO."""

    _fields_ = (
        ("code", c_ushort),
        ("reserved", c_ushort),
        ("source", c_void_p),
        ("description", c_void_p),
        ("help", c_void_p),
        ("context", c_ulong),
        ("more", c_void_p),
        ("deferred", c_void_p),
        ("status", c_long),
    )


class Identifier(Structure):
    """An IID; all zeros for the one that is needed here."""

    _fields_ = (("bytes", ctypes.c_ubyte * 16),)


@cache
def automation() -> Any:
    """Windows' library of VARIANTs and their arrays."""
    library = ctypes.WinDLL("oleaut32")
    library.SysAllocString.argtypes = [ctypes.c_wchar_p]
    library.SysAllocString.restype = c_void_p
    library.SysStringLen.argtypes = [c_void_p]
    library.SafeArrayCreate.argtypes = [c_ushort, c_uint, POINTER(Bound)]
    library.SafeArrayCreate.restype = c_void_p
    library.SafeArrayGetDim.argtypes = [c_void_p]
    for element_of in (library.SafeArrayPutElement, library.SafeArrayGetElement):
        element_of.argtypes = [c_void_p, POINTER(c_long), POINTER(Variant)]
    for end_of in (library.SafeArrayGetLBound, library.SafeArrayGetUBound):
        end_of.argtypes = [c_void_p, c_uint, POINTER(c_long)]
    return library


def variant(cell: Any) -> Variant:
    """A cell, or a block of cells, as Excel hands it over."""
    made = Variant()
    if isinstance(cell, list):
        made.type = ARRAY | VARIANT
        made.value.pointer = block(cell)
    elif isinstance(cell, dict):
        made.type = ERROR
        made.value.error = cell["error"]
    elif isinstance(cell, bool):
        made.type = BOOL
        made.value.switch = -1 if cell else 0
    elif isinstance(cell, (int, float)):
        made.type = R8
        made.value.number = cell
    elif cell is not None:
        made.type = BSTR
        made.value.pointer = automation().SysAllocString(cell)
    return made


def block(rows: list[list[Any]]) -> int:
    """A range's values: an array with rows and columns from 1."""
    array = automation().SafeArrayCreate(VARIANT, 2, (Bound * 2)(Bound(len(rows), 1), Bound(len(rows[0]), 1)))
    for at, row in enumerate(rows, 1):
        for column, cell in enumerate(row, 1):
            put(array, (c_long * 2)(at, column), variant(cell))
    return int(array)


def vba_array(values: list[Any]) -> Variant:
    """What VBA's Array(...) makes of values."""
    array = automation().SafeArrayCreate(VARIANT, 1, byref(Bound(len(values), 0)))
    for at, value in enumerate(values):
        put(array, (c_long * 1)(at), variant(value))
    made = Variant(ARRAY | VARIANT)
    made.value.pointer = array
    return made


def put(array: int, place: Any, value: Variant) -> None:
    automation().SafeArrayPutElement(array, place, byref(value))
    clear(value)


def cells(given: Variant) -> Any:
    """The value of a VARIANT; an array of one dimension, which Excel shows as a row, as a block of one row."""
    if given.type == ARRAY | VARIANT:
        array = given.value.pointer
        sides = [range_of(array, side) for side in range(1, automation().SafeArrayGetDim(array) + 1)]
        if len(sides) == 1:
            return [[element(array, at) for at in sides[0]]]
        return [[element(array, at, column) for column in sides[1]] for at in sides[0]]
    reader = READERS.get(given.type)
    return reader(given.value) if reader else {"type": given.type}


def range_of(array: int, side: int) -> range:
    first, last = c_long(), c_long()
    automation().SafeArrayGetLBound(array, side, byref(first))
    automation().SafeArrayGetUBound(array, side, byref(last))
    return range(first.value, last.value + 1)


def element(array: int, *place: int) -> Any:
    found = Variant()
    automation().SafeArrayGetElement(array, (c_long * len(place))(*place), byref(found))
    try:
        return cells(found)
    finally:
        clear(found)


def clear(value: Variant) -> None:
    """Free the value of a VARIANT."""
    automation().VariantClear(byref(value))


def text(pointer: int | None) -> str:
    return ctypes.wstring_at(pointer, automation().SysStringLen(pointer)) if pointer else ""


READERS: dict[int, Callable[[Value], Any]] = {
    EMPTY: lambda _value: None,
    R8: lambda value: value.number,
    BOOL: lambda value: bool(value.switch),
    ERROR: lambda value: {"error": value.error},
    BSTR: lambda value: text(value.pointer),
}


class Server:
    """xlwings' server, found or started through its DLL, and its method CallUDF."""

    def __init__(self, dll: str, command: str) -> None:
        """Load the DLL and have it start what the command line says, if it did not yet."""
        self.activate_auto = ctypes.WinDLL(dll).XLPyDLLActivateAuto
        self.activate_auto.argtypes = [POINTER(Variant), ctypes.c_char_p, c_long]
        self.command = command.encode("mbcs")  # as VBA hands a text to a DLL
        self.pointer = c_void_p(self.activate(START).value.pointer)
        number = c_long()
        name = ctypes.c_wchar_p("CallUDF")
        found = ctypes.WINFUNCTYPE(
            c_long, POINTER(Identifier), POINTER(ctypes.c_wchar_p), c_uint, c_ulong, POINTER(c_long)
        )(5, "GetIDsOfNames")
        status = found(self.pointer, byref(Identifier()), byref(name), 1, 0, byref(number))
        if status:
            raise OSError(f"CallUDF: status {status}")
        self.number = number.value
        self.invoke = ctypes.WINFUNCTYPE(
            c_long,
            c_long,
            POINTER(Identifier),
            c_ulong,
            c_ushort,
            POINTER(Arguments),
            POINTER(Variant),
            POINTER(Refusal),
            POINTER(c_uint),
        )(6, "Invoke")

    def activate(self, mode: int) -> Variant:
        """XLPyDLLActivateAuto: the server, started if there is none; or its end, in the mode for it.

        Raises
        ------
        OSError : with the DLL's own words
        """
        given = Variant()
        status = self.activate_auto(byref(given), self.command, mode)
        if status or (mode == START and given.type != DISPATCH):
            raise OSError(f"status {status}: {cells(given)}")
        return given

    def call(self, module: str, name: str, values: list[Any]) -> tuple[Any, float]:
        """CallUDF of a function with values; what it gives, and how many milliseconds it took.

        Raises
        ------
        OSError : where the server refuses, with its own words
        """
        given = (Variant * 3)(vba_array(values), variant(name), variant(module))  # the last argument comes first
        arguments, result, refusal = Arguments(given, None, 3, 0), Variant(), Refusal()
        places = byref(Identifier()), 0, METHOD, byref(arguments), byref(result), byref(refusal), byref(c_uint())
        start = time.perf_counter()
        status = self.invoke(self.pointer, self.number, *places)
        took = 1000 * (time.perf_counter() - start)
        for value in given:
            clear(value)
        if status:
            raise OSError(f"{name}: {text(refusal.description) if status == EXCEPTION else status}")
        try:
            return cells(result), took
        finally:
            clear(result)


def answered(request: dict[str, Any]) -> dict[str, Any]:
    """Cells and milliseconds of each call, and how long the server took to start."""
    start = time.perf_counter()
    server = Server(request["dll"], request["command"])
    answer: dict[str, Any] = {"cold": time.perf_counter() - start, "calls": []}
    try:
        for name, values, times in request["calls"]:
            given = [server.call(request["module"], name, values) for _ in range(times)]
            answer["calls"].append((given[0][0], [took for _, took in given]))
        start = time.perf_counter()
        clear(server.activate(START))
        answer["again"] = time.perf_counter() - start
    finally:
        server.activate(KILL)
    return answer


def ended(request: dict[str, Any]) -> dict[str, Any]:
    """What calls say when the server has ended in mid-session, and after a start under each of the command lines."""
    name, values, _ = request["calls"][0]
    server = Server(request["dll"], request["command"])
    found = [server.call(request["module"], name, values)[0]]
    subprocess.run(["taskkill", "/F", "/IM", "pythonw.exe"], check=True, capture_output=True)
    said = []
    try:
        server.call(request["module"], name, values)
    except OSError as error:
        said.append(str(error))
    for command in request["again"]:
        start = time.perf_counter()
        try:
            server = Server(request["dll"], command)
            found.append(server.call(request["module"], name, values)[0])
        except OSError as error:
            found.append(f"OSError: {error}")
        said.append(f"{time.perf_counter() - start:.1f} s")
    server.activate(KILL)
    return {"found": found, "said": said}


def main() -> None:
    """Answer the request on standard input."""
    request = json.load(sys.stdin)
    ctypes.WinDLL("ole32").CoInitialize(None)
    print(json.dumps(ended(request) if "again" in request else answered(request)))


if __name__ == "__main__":
    main()
