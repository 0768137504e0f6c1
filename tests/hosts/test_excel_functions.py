"""The worksheet functions through xlwings' own code for Windows, with stand-ins for pywin32: they equal the engine."""

from __future__ import annotations

import datetime
import subprocess
import sys
from collections.abc import Iterator
from decimal import Decimal
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from formulas import required
from vba_host import VALUE_ERROR, Com, Host, over_com
from win32_standins import PARAMETER_NOT_FOUND, Time, Variant, windows

from valet_xl.functions.catalogue import REGISTRY
from valet_xl.functions.registry import Argument, Function, Missing

NOT_AVAILABLE, DIVISION, SPILL = -2146826246, -2146826281, -2146826243
HEADINGS = ("Board", "Contract", "By", "Tricks", "Lead")
RESULTS = (
    HEADINGS,
    (1.0, "4S", "N", 10.0, "HK"),
    (1.0, "3NT", "S", 9.0, "D4"),
    (1.0, "4S", "N", 11.0, "HK"),
    (None, None, None, None, None),
    (2.0, "2H", "E", 8.0, "SA"),
    (2.0, "9H", "E", 9.0, "S2"),
)
# What a function is given first where another argument is tried, by the name of its first argument.
FIRST = {
    "contract": "4SX",
    "difference": 430.0,
    "scores": ((420.0,), (450.0,), (None,), (-50.0,)),
    "results": RESULTS,
}
# Cells as COM hands them over, and as the engine gets them.
SHAPES: dict[str, tuple[Any, Any]] = {
    "cell": (420.0, 420.0),
    "zero": (0.0, 0.0),
    "row": (((420.0, 450.0, -50.0),),) * 2,
    "column": (((420.0,), (450.0,), (-50.0,)),) * 2,
    "block": (((420.0, 450.0), (-50.0, None), (None, None)),) * 2,
    "literal array": ((420.0, 450.0, -50.0), ((420.0, 450.0, -50.0),)),
    "results": (RESULTS, RESULTS),
    "blank": (None, None),
    "blanks": (((None,), (None,)),) * 2,
    "empty text": ("", None),
    "error": (NOT_AVAILABLE, "#N/A"),
    "new error": (SPILL, "#SPILL!"),
    "errors": (((420.0, NOT_AVAILABLE), (DIVISION, None)), ((420.0, "#N/A"), ("#DIV/0!", None))),
    "error among results": (
        (HEADINGS, (1.0, "4S", "N", NOT_AVAILABLE, "HK"), *RESULTS[5:]),
        (HEADINGS, (1.0, "4S", "N", "#N/A", "HK"), *RESULTS[5:]),
    ),
    "date": (Time(2026, 4, 1), datetime.date(2026, 4, 1)),
    "moment": (Time(2026, 4, 1, 9, 30), datetime.datetime(2026, 4, 1, 9, 30)),
    "time": (Time(1899, 12, 30, 9, 30), datetime.time(9, 30)),
    "dates": (((Time(2026, 4, 1), 420.0),), ((datetime.date(2026, 4, 1), 420.0),)),
    "TRUE": (True, True),
    "FALSE": (False, False),
    "booleans": (((True, 420.0),),) * 2,
    "text": ("trimmed", "trimmed"),
    "contract": ("W3NT+2", "W3NT+2"),
    "texts": ((("4S",), ("3NT",), ("pass",)),) * 2,
    "currency": (Decimal("420"), 420.0),
    "left out": (PARAMETER_NOT_FOUND, Missing.ARGUMENT),
}


def usual(name: str) -> list[Any]:
    """The arguments that a function cannot do without."""
    given = [tuple(map(tuple, value)) if isinstance(value, list) else value for value in required(name)]
    return [FIRST.get(REGISTRY[name].arguments[0].name, given[0]), *given[1:]]


@pytest.fixture(scope="module")
def xw() -> Iterator[ModuleType]:
    """xlwings as it is on Windows."""
    with windows() as module:
        yield module


def call(xw: ModuleType, name: str, *values: object) -> list[list[object]]:
    """A function as Excel calls it."""
    return sys.modules["xlwings.udfs"].call_udf("valet_xl_excel.functions", name, values)  # type: ignore[no-any-return]


PLACES = [(function.name, at) for function in REGISTRY.values() for at in range(len(function.arguments))]


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize(("name", "at"), PLACES)
def test_function_equals_the_engine(xw: ModuleType, name: str, at: int, shape: str) -> None:
    """Any kind of argument in any place gives what the engine gives, errors being Excel's own."""
    handed, meant = SHAPES[shape]
    needed = usual(name)
    given = [*needed, *[PARAMETER_NOT_FOUND] * (at + 1 - len(needed))]
    wanted = [*needed, *[Missing.ARGUMENT] * (at + 1 - len(needed))]
    given[at], wanted[at] = handed, meant
    cells = call(xw, name, *given)
    assert cells == over_com(REGISTRY[name](*wanted))
    assert {type(cell) for row in cells for cell in row} <= {float, int, bool, str, Variant}


@pytest.mark.parametrize("name", REGISTRY)
def test_all_arguments_at_once(xw: ModuleType, name: str) -> None:
    """Defaults that are spelled out give what leaving them out gives."""
    arguments = REGISTRY[name].arguments
    needed = usual(name)
    defaults = [argument.default for argument in arguments[len(needed) :]]  # of which one is an array, of blank cells
    spelled = [*needed, *(default if isinstance(default, str | float | bool) else None for default in defaults)]
    assert call(xw, name, *spelled) == call(xw, name, *needed) == over_com(REGISTRY[name](*needed))


@pytest.mark.parametrize("name", REGISTRY)
def test_ranges_are_read(xw: ModuleType, name: str) -> None:
    """Excel hands over ranges, not values; the engine gets what is in them."""
    host = Host(xw)
    first, *others = usual(name)
    rows = [list(row) for row in first] if isinstance(first, tuple) else [[first]]
    host.fill(rows, 2, 2)
    area = host.area(f"C3:{chr(ord('C') + len(rows[0]) - 1)}{2 + len(rows)}")
    assert call(xw, name, Com(area), *others) == over_com(REGISTRY[name](first, *others))


def test_results_of_one_cell_and_of_many(xw: ModuleType) -> None:
    """What the player sees: shapes are kept, blanks are blank, a wrong word is an error."""
    assert call(xw, "VALET_IMP", 430.0) == [[10.0]]
    assert call(xw, "VALET_IAF", ((420.0,), (450.0,), (None,))) == [[-1.0], [1.0], [""]]
    assert call(xw, "VALET_DATUM", ((420.0, 450.0),), "average") == [[VALUE_ERROR]]
    assert call(xw, "VALET_IAF", ((420.0, NOT_AVAILABLE),)) == [[VALUE_ERROR]]
    assert call(xw, "VALET_COMPONENTS", RESULTS)[-1] == [VALUE_ERROR] * 5


def test_a_fault_of_ours_is_an_error_in_the_cell(xw: ModuleType, fault_log: Path) -> None:
    """No traceback is ever a cell's value; the log has it."""
    from valet_xl_excel.functions import bind

    def compute(scores: object) -> object:
        raise ZeroDivisionError("nobody thought of that")

    argument = Argument("scores", "scores", lambda cells: cells)
    function = bind(Function("VALET_BROKEN", compute, "It breaks.", (argument,), "nothing", "=VALET_BROKEN(A1)"))
    assert function([[1.0]]) == [[VALUE_ERROR]]
    text = fault_log.read_text(encoding="utf-8")
    assert "VALET_BROKEN" in text
    assert "ZeroDivisionError: nobody thought of that" in text


@pytest.mark.parametrize("name", REGISTRY)
def test_what_the_function_wizard_shows(xw: ModuleType, name: str) -> None:
    """Category, help and argument help come from the registry, and fit."""
    from valet_xl_excel import functions

    known = getattr(functions, name).__xlfunc__
    function = REGISTRY[name]
    assert known["name"] == name
    assert known["category"] == "Bridge scoring"
    assert known["volatile"] is False
    assert known["ret"]["doc"].startswith(function.sentence)
    assert len(known["ret"]["doc"]) <= 255
    assert [argument["doc"] for argument in known["args"]] == [argument.sentence for argument in function.arguments]
    assert [argument["name"].rstrip("_") for argument in known["args"]] == [one.name for one in function.arguments]
    assert [("optional" in argument) for argument in known["args"]] == [one.optional for one in function.arguments]
    assert not {argument["name"].lower() for argument in known["args"]} & functions.VBA_WORDS


def test_module_is_importable_where_there_is_no_windows() -> None:
    """xlwings' decorators are then none, and errors are their texts."""
    program = (
        "import valet_xl_excel.functions as f, valet_xl_excel.ribbon, sys\n"
        "assert 'pythoncom' not in sys.modules\n"
        "print(f.VALET_IMP(430.0), f.VALET_IMP('x'))"
    )
    run = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
    assert run.stdout == "[[10.0]] [['#VALUE!']]\n", run.stderr


def test_the_end_of_python_ends_no_excel() -> None:
    """xlwings ends every Excel without a window when its Python ends; ours does not let it."""
    program = (
        "import sys\n"
        "from win32_standins import windows\n"
        "with windows() as xlwings:\n"
        "    from xlwings import _xlwindows\n"
        "    _xlwindows.Apps.cleanup = staticmethod(lambda: print('ends every Excel without a window'))\n"
        "    if sys.argv[1] == 'ours':\n"
        "        from valet_xl_excel import server\n"
        "        server.load()\n"
    )

    def said_at_the_end(whose: str) -> str:
        command = [sys.executable, "-c", program, whose]
        return subprocess.run(command, cwd=Path(__file__).parent, capture_output=True, text=True, check=True).stdout

    assert said_at_the_end("xlwings") == "ends every Excel without a window\n"
    assert said_at_the_end("ours") == ""


def test_standins_leave_nothing_behind() -> None:
    """After the stand-ins xlwings and pywin32 are for others what they were."""
    program = (
        "import sys, ctypes, builtins, xlwings\n"
        "before = xlwings, sys.platform, ctypes.PyDLL, hasattr(ctypes, 'windll'), hasattr(builtins, 'WindowsError')\n"
        "from win32_standins import windows\n"
        "with windows() as other:\n"
        "    assert other is not xlwings and 'pythoncom' in sys.modules\n"
        "    assert sys.platform == before[1]\n"
        "import xlwings\n"
        "after = xlwings, sys.platform, ctypes.PyDLL, hasattr(ctypes, 'windll'), hasattr(builtins, 'WindowsError')\n"
        "assert after == before, (after, before)\n"
        "assert 'pythoncom' not in sys.modules and 'win32com' not in sys.modules\n"
    )
    here = Path(__file__).parent
    run = subprocess.run([sys.executable, "-c", program], cwd=here, capture_output=True, text=True, check=False)
    assert run.returncode == 0, run.stderr
