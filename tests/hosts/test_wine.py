"""Excel's side of the functions, for real but for Excel: xlwings' own DLL and COM server, under Wine."""

from __future__ import annotations

import json
import os
import re
import statistics
import subprocess
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple, NoReturn

import pytest
import wine
from assertions import assert_same_cells
from formulas import SCORES, SHEET, example, sheet_of
from pyopenvba import ExcelFile
from pyopenvba.apps.excel import ExcelApplication
from simulate import tournament
from vba_host import Com, Host
from win32_standins import windows as standins
from wine_client import MISSING

from valet_xl.errors import ValetError
from valet_xl.functions import deals
from valet_xl.functions.catalogue import REGISTRY
from valet_xl.functions.registry import Cell, Cells, ErrorCell, Missing

MODULE = "valet_xl_excel.functions"
CLIENT = Path(__file__).with_name("wine_client.py")
EXCEL = Path(__file__).with_name("wine_excel.py")
ADDIN = wine.CHECKOUT / "workbooks" / "valet_xl.xlam"
VALUE_ERROR = {"error": -2146826273}  # a cell that is #VALUE!, as Excel hands it over
# What comes back for an error: pywin32 sends each VT_ERROR with this code, DISP_E_PARAMNOTFOUND, whatever it was given.
SENT_ERROR = {"error": -2147352572}
LEFT_OUT = {"error": MISSING}


# -- calls, as formulas would make them


class Call(NamedTuple):
    """A call of a function: what it is about, its name, and its arguments as a sheet has them."""

    about: str
    name: str
    arguments: list[Any]


SPLIT = [name for name, function in REGISTRY.items() if function.arguments[0].name == "results"]
OF_SCORES = [name for name, function in REGISTRY.items() if function.arguments[0].name == "scores"]
CHECK = "VALET_DD_CHECK"  # it says how that Python installs the solver, in its own words
CALLS = [
    *(Call("its example", name, example(function.example)) for name, function in REGISTRY.items() if name != CHECK),
    *(Call("a text where none is expected", name, ["x"]) for name in REGISTRY if name != CHECK),
    *(Call("a blank cell", name, [None]) for name in REGISTRY if name != CHECK),
    *(Call("an error cell among others", name, [[*SCORES[:3], [VALUE_ERROR]]]) for name in OF_SCORES),
    *(Call("a row", name, [[[score for (score,) in SCORES]]]) for name in OF_SCORES),
    *(Call("one cell", name, [420.0]) for name in OF_SCORES),
    Call("an argument left out", "VALET_BUTLER", [SCORES, LEFT_OUT, LEFT_OUT, "nearest", True]),
    Call("a block", "VALET_IMP", [[[430, None, -20], [15, 0, 4000]]]),
    Call("an error next to a value", "VALET_SCORE", [[["4S", "8S"]], "E", "=", LEFT_OUT]),
    Call("a column with an error", "VALET_SCORE", [[["4S"], [VALUE_ERROR], [None]], "E", "="]),
    *(Call("all its settings", name, [SHEET, "datum", "card", True]) for name in SPLIT if name != "VALET_CHECK"),
]
MANY_ROWS = Call("1,000 rows", "VALET_COMPONENTS", [sheet_of(tournament(50, 20))])
TIMED = [(Call("one value", "VALET_IMP", [430.0]), 200), (Call("22 cells", "VALET_IAF", [SCORES]), 200)]


def expected(call: Call) -> Any:
    """What the registry gives, as Excel must get it: a single value alone, blanks as empty texts, errors as errors."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(deals, "solver_version", no_solver)  # as in Windows' Python
        cells = REGISTRY[call.name](*map(given, call.arguments))
    shown = [[sent(cell) for cell in row] for row in cells]
    return shown[0][0] if len(shown) == len(shown[0]) == 1 else shown


def no_solver() -> NoReturn:
    raise ValetError("the solver endplay is not installed")


def given(argument: Any) -> Any:
    """An argument as the registry takes it."""
    if isinstance(argument, list):
        return [[given(cell) for cell in row] for row in argument]
    if argument == LEFT_OUT:
        return Missing.ARGUMENT
    return ErrorCell.VALUE if argument == VALUE_ERROR else argument


def sent(cell: Cell) -> Any:
    """A computed cell as it must arrive."""
    if isinstance(cell, ErrorCell):
        return SENT_ERROR
    return "" if cell is None else cell


# -- the answers


def cannot_run(reason: str) -> NoReturn:
    """Skip, or fail where host tests are required."""
    if os.environ.get("VALET_XL_HOSTS") == "required":
        pytest.fail(reason)
    pytest.skip(reason)


def add_in_module() -> str:
    """The VBA that starts Python, as it is in the add-in that users install."""
    with ExcelFile(str(ADDIN)) as book:
        (source,) = [module.source for module in book.vba_project().modules if module.name == "ValetPython"]
    return str(source).replace("\r\n", "\n")


def command_line(source: str, interpreter: str, number: int = 1) -> str:
    """How VBA starts the server: its own function, run by an interpreter of VBA."""
    (function,) = re.findall(r"^Private Function CommandLine\(.*?^End Function$", source, re.MULTILINE | re.DOTALL)
    application = ExcelApplication()
    application.add_workbook()
    application.add_module(function.replace("Private", "Public", 1), name="start")
    return str(application.run("CommandLine", interpreter, number))


@pytest.fixture(scope="module")
def windows() -> Iterator[wine.Windows]:
    """Wine with the project in Windows' Python."""
    program = wine.program()
    if program is None:
        cannot_run("no wine64: Excel's COM server cannot be started")
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(os.environ.get(wine.CACHE) or temporary)
        try:
            prepared = wine.prepare(program, folder)
            wine.install_project(prepared)
        except subprocess.CalledProcessError as error:
            cannot_run(f"Windows' Python cannot be prepared: {error.stderr}")
        try:
            yield prepared
        finally:
            prepared.end()


def started(windows: wine.Windows, number: int = 1) -> dict[str, Any]:
    """What a client needs in order to start the server as VBA does."""
    source = add_in_module()
    library = re.findall(r'Lib "(xlwings64-.*)" Alias', source)[0]
    return {
        "dll": wine.windows_path(windows.python / library),
        "command": command_line(source, wine.windows_path(windows.python / "pythonw.exe"), number),
        "module": MODULE,
    }


class Answer(NamedTuple):
    """What a call gave, and the milliseconds it took each time."""

    cells: Any
    took: list[float]


class Session(NamedTuple):
    """A client's session with the server: seconds to start it and to find it again, and the answers by call."""

    cold: float
    again: float
    answers: dict[tuple[str, str], Answer]

    def of(self, call: Call) -> Answer:
        """The answer to a call."""
        return self.answers[call.about, call.name]


@pytest.fixture(scope="module")
def session(windows: wine.Windows) -> Session:
    """All calls, made by a client in one session."""
    calls = [(call, 1) for call in (*CALLS, MANY_ROWS)] + TIMED
    request = started(windows) | {"calls": [(call.name, call.arguments, times) for call, times in calls]}
    answer = json.loads(windows.run_python(CLIENT, json.dumps(request)))
    answers = {(call.about, call.name): Answer(*given) for (call, _), given in zip(calls, answer["calls"], strict=True)}
    assert len(answers) == len(calls)
    return Session(answer["cold"], answer["again"], answers)


@pytest.mark.parametrize("call", CALLS, ids=lambda call: f"{call.name}, {call.about}")
def test_function_over_com_is_the_registrys(call: Call, session: Session) -> None:
    """Numbers, texts, blanks, errors and shapes arrive as the function gave them."""
    assert_same_cells(session.of(call).cells, expected(call))


def test_blanks_and_errors_are_among_the_answers(session: Session) -> None:
    """The sheet with a blank row and a wrong one: an empty text, which Excel shows as nothing, and an error."""
    (call,) = [call for call in CALLS if (call.name, call.about) == ("VALET_COMPONENTS", "its example")]
    cells: Cells = session.of(call).cells
    assert cells[6] == [SENT_ERROR] * 5
    assert cells[8] == [""] * 5
    assert {type(cell) for cell in cells[9]} == {float}


def test_sheet_in_one_call(session: Session, capsys: pytest.CaptureFixture[str]) -> None:
    """A sheet of 1,000 results is scored in one call; how long calls take is printed, and not judged."""
    answer = session.of(MANY_ROWS)
    assert len(answer.cells) == 1000
    assert_same_cells(answer.cells, expected(MANY_ROWS))
    lines = [f"server started in {session.cold:.1f} s, found again in {1000 * session.again:.1f} ms"]
    lines += [f"first call of all: {session.of(CALLS[0]).took[0]:.0f} ms"]
    lines += [f"{call.name}, {call.about}: {statistics.median(session.of(call).took):.1f} ms" for call, _ in TIMED]
    lines += [f"{MANY_ROWS.name}, {MANY_ROWS.about}: {answer.took[0]:.0f} ms"]
    with capsys.disabled():
        print("", *lines, sep="\nCOM: ")


# -- calls that come back


OF_RANGES = {"VALET_IAF": 1, "VALET_TEAMS": 2}  # functions, and how many ranges each is given
AS_VALUES = "Given(At) = ValuesOf(Given(At))"  # what the add-in's VBA does with a range


def handed_over(name: str, ranges: int, instead: str = AS_VALUES) -> list[Any]:
    """What the add-in's own VBA asks the server where cells call a function of ranges; a Range is {"range": its cells}.

    Parameters
    ----------
    instead : what VBA does with a range, if it is not what the add-in does
    """
    rows = [[float(score)] for (score,) in SCORES if score is not None]
    asked: list[Any] = []
    with standins() as xw, pytest.MonkeyPatch.context() as patched:
        add_module = Host.add_module
        patched.setattr(
            Host, "add_module", lambda self, of, source: add_module(self, of, source.replace(AS_VALUES, instead))
        )
        patched.setattr("xlwings.com_server.XLPython.CallUDF", lambda _self, *given: asked.append(given) or 0.0)
        excel = Host(xw, ADDIN)
        excel.fill(rows)
        excel.formula(name, *[excel.area(f"A1:A{len(rows)}")] * ranges)
    ((module, function, values),) = asked  # no workbook and no cell, of which Python could ask something
    return [module, function, [{"range": rows} if isinstance(value, Com) else value for value in values]]


class CalledBack(NamedTuple):
    """What a call gave, the names of the calls that came back, and the median of its milliseconds."""

    cells: Any
    back: list[str]
    took: float


@pytest.fixture(scope="module")
def called_back(windows: wine.Windows) -> dict[tuple[str, str], CalledBack]:
    """Functions of ranges, as our VBA hands ranges over and as xlwings' own does, by their names."""
    ways = {"values": AS_VALUES, "ranges": "Set Given(At) = Given(At)"}
    calls = {
        (name, way): handed_over(name, ranges, instead)
        for name, ranges in OF_RANGES.items()
        for way, instead in ways.items()
    }
    request = started(windows, 301) | {"times": 20, "calls": list(calls.values())}
    answer = json.loads(windows.run_python(EXCEL, json.dumps(request)))
    return {call: CalledBack(**given) for call, given in zip(calls, answer, strict=True)}


@pytest.mark.parametrize("name", OF_RANGES)
def test_function_never_calls_excel_back(name: str, called_back: dict[tuple[str, str], CalledBack]) -> None:
    """All that it needs is handed over. Given ranges, the same function asks for their type, place, size and values."""
    ours, theirs = (called_back[name, way] for way in ("values", "ranges"))
    assert ours.back == []
    assert theirs.back.count("Invoke Value") == OF_RANGES[name]  # so that the counter is seen to count
    assert len(theirs.back) >= 25 * OF_RANGES[name]
    assert_same_cells(ours.cells, theirs.cells)


def test_time_of_a_call_that_asks_nothing(
    called_back: dict[tuple[str, str], CalledBack], capsys: pytest.CaptureFixture[str]
) -> None:
    """How long calls take is printed, and not judged: under Wine all of them are slower than on Windows."""
    with capsys.disabled():
        for (name, way), call in called_back.items():
            print(f"\nCOM: {name}, ranges as {way}: {call.took:.1f} ms, {len(call.back)} calls back", end="")


def test_server_that_ended_is_started_under_another_number(
    windows: wine.Windows, capsys: pytest.CaptureFixture[str]
) -> None:
    """The library never recovers with the same command line, and at once with another: what VBA relies on."""
    request = started(windows, 101)
    again = [request["command"], started(windows, 102)["command"]]
    asked = request | {"again": again, "calls": [("VALET_IMP", [430.0], 1)]}
    answer = json.loads(windows.run_python(CLIENT, json.dumps(asked)))
    assert answer["found"][0] == 10.0
    assert str(answer["found"][1]).startswith("OSError")
    assert answer["found"][2] == 10.0
    with capsys.disabled():
        print(f"\nCOM: after the server ended: {', '.join(answer['said'])}")


def test_installation_is_what_excel_needs(windows: wine.Windows, tmp_path: Path) -> None:
    """On a real registry: the entries that VBA reads start a real server; what was installed is removed to the last."""
    excel = r"HKCU\SOFTWARE\Microsoft\Windows\CurrentVersion\App Paths\excel.exe"
    windows.run("reg", "add", excel, "/ve", "/d", r"C:\Office\EXCEL.EXE", "/f")
    ours = r"HKCU\Software\valet_xl"

    script = tmp_path / "addin.py"
    script.write_text(
        "import sys\n"
        "from valet_xl_excel import install\n"
        "for finding in getattr(install, sys.stdin.read())(install.Machine.here()):\n"
        "    print('' if finding.good else 'to do:', finding.text)\n",
        encoding="utf-8",
    )

    def addin(command: str) -> str:
        return windows.run_python(script, command)

    done = addin("install")
    assert "to do" not in done
    assert "starts, and loads all that the add-in needs" in done
    found = dict(re.findall(r"(?m)^ +(\w+) +REG_SZ +(.*?)\r?$", windows.run("reg", "query", ours)))
    assert set(found) == {"Interpreter", "Library64", "Library32"}
    request = started(windows, 201) | {
        "dll": found["Library64"],
        "command": command_line(add_in_module(), found["Interpreter"], 201),
        "calls": [("VALET_IMP", [430.0], 1)],
    }
    assert json.loads(windows.run_python(CLIENT, json.dumps(request)))["calls"][0][0] == 10.0
    assert addin("status") == done
    addin("uninstall")
    with pytest.raises(RuntimeError):
        windows.run("reg", "query", ours)
    left = [path for path in windows.prefix.rglob("*") if path.name.startswith(("valet_xl", "xlwings"))]
    assert left == []


def test_selftest_without_excel_reports_what_there_is(windows: wine.Windows, tmp_path: Path) -> None:
    """With the real registry, server and pywin32: all but Excel, which cannot be started here."""
    excel = r"HKCU\SOFTWARE\Microsoft\Windows\CurrentVersion\App Paths\excel.exe"
    windows.run("reg", "add", excel, "/ve", "/d", r"C:\Office\EXCEL.EXE", "/f")
    script, place = tmp_path / "selftest.py", tmp_path / "report.json"
    script.write_text(
        "import sys\n"
        "from pathlib import Path\n"
        "from valet_xl_excel import install\n"
        "from valet_xl_excel.selftest import selftest\n"
        "machine = install.Machine.here()\n"
        "install.install(machine)\n"
        "for finding in selftest(machine, Path(sys.stdin.read())):\n"
        "    print(finding.good, finding.text)\n"
        "install.uninstall(machine)\n",
        encoding="utf-8",
    )
    lines = windows.run_python(script, wine.windows_path(place)).splitlines()
    assert lines[0].startswith("False Excel is started and ended: expected True, found com_error: (-2147221005, ")
    assert lines[1].startswith("True 0 of 1 check held. The report to send is Z:")
    report = json.loads(place.read_text(encoding="utf-8"))
    assert report["versions"]["Windows"].startswith("Windows-")
    assert {"pywin32", "xlwings", "valet-xl"} < set(report["versions"])
    assert all(line.startswith("good: ") for line in report["status"])
    assert any("starts, and loads all that the add-in needs" in line for line in report["status"])
