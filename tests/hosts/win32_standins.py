"""Stand-ins for pywin32, so that xlwings' own code for Windows runs where there is no Windows, in tests.

They have what xlwings imports and calls on its way to Excel, and nothing that needs a window, a registry or COM.
"""

from __future__ import annotations

import asyncio
import builtins
import concurrent.futures
import ctypes
import datetime
import sys
import types
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

# xlwings brings these in; they must be in with the platform's true name.
_IMPORTED_BEFORE = (asyncio, concurrent.futures)

VT_ERROR = 10
PARAMETER_NOT_FOUND = -2147352572  # DISP_E_PARAMNOTFOUND, the value of an argument that was left out
_RANGE = "{00020846-0000-0000-C000-000000000046}"


class IID(str):
    """An interface's identifier."""

    __slots__ = ()

    def __new__(cls, text: object) -> IID:
        """Compare without regard to case."""
        return super().__new__(cls, str(text).upper())


IID_RANGE = IID(_RANGE)
IID_DISPATCH = IID("{00020400-0000-0000-C000-000000000046}")
IID_ENUMERATION = IID("{00020404-0000-0000-C000-000000000046}")


class ComError(Exception):
    """A call that the other side refused: hresult, text, details, argument."""

    @property
    def hresult(self) -> int:
        """The reason as a number."""
        return int(self.args[0]) if self.args else 0


class Time(datetime.datetime):
    """A date as COM carries it."""


class Variant:
    """A value with the type that COM is to give it."""

    def __init__(self, varianttype: int, value: object) -> None:
        self.varianttype = varianttype
        self.value = value

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Variant):
            return NotImplemented
        return (self.varianttype, self.value) == (other.varianttype, other.value)

    def __hash__(self) -> int:
        return hash((self.varianttype, self.value))

    def __repr__(self) -> str:
        return f"VARIANT({self.varianttype}, {self.value!r})"


class Dispatch:
    """Base of the stand-ins for Excel's objects."""


class _Anything:
    """What Windows' own libraries are here: any attribute is there, and calls do nothing."""

    def __getattr__(self, name: str) -> _Anything:
        if name.startswith("__"):
            raise AttributeError(name)
        return _Anything()

    def __call__(self, *_values: object, **_named: object) -> _Anything:
        return _Anything()


class _TimeZone(datetime.tzinfo):
    @classmethod
    def utc(cls) -> datetime.tzinfo:
        return datetime.UTC


def _unwrap(wrapped: object) -> object:
    """What was wrapped for COM, which is itself here.

    Raises
    ------
    ValueError : where it never was
    """
    if not hasattr(wrapped, "_public_methods_"):
        raise ValueError("not a wrapped object")
    return wrapped


def _same(given: Any, *_values: object, **_named: object) -> Any:
    return given


def _nothing(*_values: object, **_named: object) -> None:
    return None


def _modules() -> dict[str, types.ModuleType]:
    """The modules that xlwings imports, by name."""
    plain = type("PyIDispatch", (), {})  # the type of an object before it is dispatched: none is met here
    contents: dict[str, dict[str, object]] = {
        "pywintypes": {"com_error": ComError, "error": type("error", (Exception,), {}), "IID": IID, "TimeType": Time},
        "pythoncom": {
            "CLSCTX_LOCAL_SERVER": 4,
            "CoGetInterfaceAndReleaseStream": _same,
            "CoInitialize": _nothing,
            "CoMarshalInterThreadInterfaceInStream": lambda _interface, given: given,
            "CoUninitialize": _nothing,
            "Empty": None,
            "IID_IDispatch": IID_DISPATCH,
            "IID_IEnumVARIANT": IID_ENUMERATION,
            "Missing": None,
            "TypeIIDs": {IID_DISPATCH: plain},
            "VT_ERROR": VT_ERROR,
            "com_error": ComError,
        },
        "win32api": {"GetCurrentThreadId": lambda: 1},
        "win32con": {},
        "win32event": {"INFINITE": -1, "QS_ALLEVENTS": 0, "WAIT_OBJECT_0": 0},
        "win32gui": {},
        "win32process": {"GetWindowThreadProcessId": lambda _window: (1, 1)},
        "win32timezone": {"TimeZoneInfo": _TimeZone},
        "win32com": {},
        "win32com.client": {
            "CDispatch": Dispatch,
            "CoClassBaseClass": type("CoClassBaseClass", (), {}),
            "Dispatch": _same,
            "DispatchBaseClass": type("DispatchBaseClass", (), {}),
            "DispatchEx": _same,
            "VARIANT": Variant,
        },
        "win32com.client.dynamic": {},
        "win32com.client.gencache": {"EnsureModule": _nothing},
        "win32com.server": {},
        "win32com.server.dispatcher": {},
        "win32com.server.exception": {"COMException": ComError},
        "win32com.server.policy": {"DefaultPolicy": type("DefaultPolicy", (), {})},
        "win32com.server.util": {"unwrap": _unwrap, "wrap": _same},
    }
    modules = {name: types.ModuleType(name, "A stand-in.") for name in contents}
    for name, module in modules.items():
        module.__file__ = name
        vars(module).update(contents[name])
        package, _, last = name.rpartition(".")
        if package:
            setattr(modules[package], last, module)
            modules[package].__path__ = []
    return modules


@contextmanager
def windows() -> Iterator[types.ModuleType]:
    """Give xlwings as it is on Windows; afterwards all modules are again what they were.

    Our own modules that import xlwings are imported again inside, and once more after it.
    """

    def affected(name: str) -> bool:
        return name.partition(".")[0] in {"xlwings", "valet_xl_excel"} and name != __name__

    standins = _modules()
    before = {name: module for name, module in sys.modules.items() if affected(name) or name in standins}
    for name in before:
        del sys.modules[name]
    sys.modules.update(standins)
    platform, error = sys.platform, getattr(builtins, "WindowsError", None)
    libraries = {name: getattr(ctypes, name, None) for name in ("PyDLL", "windll", "oledll")}
    builtins.WindowsError = OSError  # type: ignore[attr-defined]
    for name in libraries:
        setattr(ctypes, name, _Anything())
    sys.platform = "win32"
    try:
        import xlwings
        import xlwings.com_server

        sys.platform = platform
        ctypes.PyDLL = libraries["PyDLL"]  # type: ignore[misc, assignment]
        yield xlwings
    finally:
        sys.platform = platform
        _restore(ctypes, libraries)
        _restore(builtins, {"WindowsError": error})
        for name in [name for name in sys.modules if affected(name) or name in standins]:
            del sys.modules[name]
        sys.modules.update(before)


def _restore(module: types.ModuleType, attributes: dict[str, Any]) -> None:
    for name, value in attributes.items():
        if value is None:
            delattr(module, name)
        else:
            setattr(module, name, value)
