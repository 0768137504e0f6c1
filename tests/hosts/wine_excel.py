"""Excel's part in a call, played under Wine with objects: how often is Excel called back while a function is computed?

Run by Windows' Python: a request comes as JSON on standard input, and the answer goes as JSON to standard output. A
value {"range": rows} becomes an object that is a Range as far as it is asked: it has Range's type information and the
values, and it counts each call that reaches it over COM. All other values go as they are.
"""

from __future__ import annotations

import ctypes
import json
import statistics
import sys
import tempfile
import time
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pythoncom
import pywintypes
from win32com.server.policy import DynamicPolicy
from win32com.server.util import wrap

sys.path.insert(0, str(Path(__file__).parent))  # which Windows' embeddable Python leaves out
from wine_client import KILL, METHOD, Server

RANGE = pywintypes.IID("{00020846-0000-0000-C000-000000000046}")


CAME_BACK: list[str] = []
"""The calls that reached an object since it was last emptied, by name."""


class Counting(DynamicPolicy):
    """How pywin32 passes calls on to an object, with a note of each."""

    def _GetTypeInfoCount_(self) -> int:
        CAME_BACK.append("GetTypeInfoCount")
        return 1

    def _GetTypeInfo_(self, _index: int, _language: int) -> Any:
        CAME_BACK.append("GetTypeInfo")
        return 0, type_of_range()

    def _GetIDsOfNames_(self, names: Any, language: int) -> Any:
        CAME_BACK.append(f"GetIDsOfNames {names}")
        return DynamicPolicy._GetIDsOfNames_(self, names, language)

    def _Invoke_(self, number: int, language: int, flags: int, given: Any) -> Any:
        CAME_BACK.append(f"Invoke {self._dyn_dispid_to_name_.get(number, number)}")
        return DynamicPolicy._Invoke_(self, number, language, flags, given)


class Range:
    """Cells, as a Range of Excel's. Its worksheet, and whatever else it is asked for, is such an object again."""

    def __init__(self, rows: Iterable[Iterable[Any]]) -> None:
        self.rows = list(map(list, rows))  # lists, as pywin32 takes a tuple for several results

    def _dynamic_(self, name: str, _language: int, _flags: int, _given: Any) -> Any:
        answers = {"value": self.rows, "row": 1, "column": 1, "count": len(self.rows), "hwnd": window()}
        if name.lower() == "columns":
            return wrapped([[cell] for cell in self.rows[0]])
        return answers[name.lower()] if name.lower() in answers else wrapped(self.rows)


def window() -> int:
    """A window that there always is: xlwings asks Excel's for its process."""
    return int(ctypes.WinDLL("user32").GetDesktopWindow())


def wrapped(rows: Iterable[Iterable[Any]]) -> Any:
    """Cells as an object for other processes."""
    return wrap(Range(rows), iid=pythoncom.IID_IDispatch, usePolicy=Counting)


_KEPT: list[Any] = []


def type_of_range() -> Any:
    """Type information that says that it is a Range's."""
    if not _KEPT:
        path = Path(tempfile.mkdtemp()) / "range.tlb"
        library = pythoncom.CreateTypeLib2(pythoncom.SYS_WIN32, str(path))
        made = library.CreateTypeInfo("Range", pythoncom.TKIND_DISPATCH)
        made.SetGuid(RANGE)
        made.LayOut()
        library.SaveAllChanges()
        _KEPT.extend([path, pythoncom.LoadTypeLib(str(path))])
    return _KEPT[1].GetTypeInfo(0)


def handed(value: Any) -> Any:
    """A value as VBA hands it over."""
    if isinstance(value, dict):
        return wrapped(value["range"])
    return tuple(map(tuple, value)) if isinstance(value, list) else value


def main() -> None:
    """Answer the request: for each call what it gave, the calls that came back, and the median of its milliseconds."""
    request = json.load(sys.stdin)
    pythoncom.CoInitialize()
    server = Server(request["dll"], request["command"])
    dispatch = pythoncom.ObjectFromAddress(server.pointer.value, pythoncom.IID_IDispatch)
    answer = []
    try:
        number = dispatch.GetIDsOfNames("CallUDF")
        ways: list[dict[str, Any]] = [{"took": []} for _ in request["calls"]]
        for _ in range(request["times"]):  # in turns, so that what slows the machine down slows all
            for (module, name, values), way in zip(request["calls"], ways, strict=True):
                given = tuple(map(handed, values))
                CAME_BACK.clear()
                start = time.perf_counter()
                way["cells"] = dispatch.Invoke(number, 0, METHOD, True, module, name, given)
                way["took"].append(1000 * (time.perf_counter() - start))
                way["back"] = list(CAME_BACK)
        answer = [{**way, "took": statistics.median(way["took"])} for way in ways]
    finally:
        del dispatch
        server.activate(KILL)
    print(json.dumps(answer))


if __name__ == "__main__":
    main()
