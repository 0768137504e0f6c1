"""`valet-xl addin selftest`: in an Excel in memory all of it holds, and what is broken there is found."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from automated_excel import AutomatedExcel, automated_excel
from click.testing import CliRunner
from pyopenvba.apps.excel import Range
from test_install import machine as machine  # noqa: PLC0414 - a fixture
from win32_standins import windows

from valet_xl.cli.main import app
from valet_xl.errors import SheetError
from valet_xl.functions.catalogue import REGISTRY
from valet_xl.hosts.refusals import PROTECTED
from valet_xl_excel.install import install
from valet_xl_excel.machine import Machine

Start = Callable[[], AbstractContextManager[Any]]


@pytest.fixture(scope="module")
def xw() -> Iterator[ModuleType]:
    """xlwings as it is on Windows."""
    with windows() as module:
        yield module


@pytest.fixture(autouse=True)
def _few(monkeypatch: pytest.MonkeyPatch, machine: Machine) -> None:
    """Little is timed, on the invented machine. Modules are named, since those of `xw` are others."""
    monkeypatch.setattr("valet_xl_excel.selftest._COLUMN", 30)
    monkeypatch.setattr("valet_xl_excel.selftest._REPEATED", 2)
    monkeypatch.setattr("valet_xl_excel.machine.Machine.here", classmethod(lambda cls: machine))


def starts(xw: ModuleType, change: Callable[[AutomatedExcel], object] = id) -> Start:
    """What starts Excel in memory. A message box would wait there for ever."""

    @contextmanager
    def started() -> Iterator[Any]:
        with automated_excel(xw) as excel:
            change(excel)
            yield excel.application
            assert excel.messages == []

    return started


def run(monkeypatch: pytest.MonkeyPatch, place: Path, started: Start) -> tuple[int, list[str], dict[str, Any]]:
    """The exit status, the lines and the report."""
    monkeypatch.setattr("valet_xl_excel.selftest._starter", lambda: started)
    result = CliRunner().invoke(app, ["addin", "selftest", "--output", str(place)])
    return result.exit_code, result.output.splitlines(), json.loads(place.read_text(encoding="utf-8"))


def test_everything_holds(xw: ModuleType, machine: Machine, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """One file has the versions, the example of every function, the buttons and the times, and no user's name."""
    monkeypatch.setattr(Path, "home", lambda: tmp_path)
    install(machine)
    place = tmp_path / "report.json"
    code, lines, report = run(monkeypatch, place, starts(xw))
    held = len(report["checks"])
    assert lines == [f"{held} of {held} checks held. The report to send is {place}"]
    assert code == 0
    checks = {check["name"]: check for check in report["checks"]}
    assert {function.example for function in REGISTRY.values()} < set(checks)
    assert checks["=VALET_IMP(430)"]["found"] == checks["=VALET_IMP(430)"]["expected"] == [[10.0]]
    for name in ("Score sheet", "Undo scoring", "Score sheet on a filtered sheet", "a formula in the file"):
        assert checks[name]["held"]
    assert report["versions"]["Excel"] == "16.0, build 17928, Windows (64-bit) NT 10.00"
    assert {"Windows", "Python", "valet-xl", "xlwings", "numpy"} < set(report["versions"])
    assert set(report["milliseconds"]) == {"30 formulas =VALET_IMP(J1)", "=VALET_IAF(A2:A23)", "=VALET_IAF(A:A)"}
    assert any("~" in line for line in report["status"])
    assert str(tmp_path) not in place.read_text(encoding="utf-8")


def test_excel_2019_is_told_how_many_cells_a_formula_fills(
    xw: ModuleType, machine: Machine, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    install(machine)
    monkeypatch.delitem(Range._vba_members, "formula2")
    code, lines, _ = run(monkeypatch, tmp_path / "report.json", starts(xw))
    assert code == 0, lines


def no_function(excel: AutomatedExcel) -> None:
    """Every function gives nothing, as it did when it looked at Excel's menus first."""
    excel.replacement = "Computed = Empty"


def no_addin(excel: AutomatedExcel) -> None:
    """Excel refuses to open the add-in."""
    excel.refuses = True


@pytest.mark.parametrize(
    ("change", "failed"),
    [
        (no_function, ["=VALET_IMP(430): at 1, 1, expected 10.0, found 0.0", "a formula in the file"]),
        (no_addin, ["the add-in opens", "=VALET_IMP(430): at 1, 1, expected 10.0, found #NAME?", "Score sheet"]),
    ],
)
def test_what_is_broken_is_found(
    xw: ModuleType,
    machine: Machine,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    change: Callable[[AutomatedExcel], None],
    failed: list[str],
) -> None:
    install(machine)
    code, lines, report = run(monkeypatch, tmp_path / "report.json", starts(xw, change))
    assert code == 1
    for text in failed:
        assert any(line.startswith(f"failed: {text}") for line in lines), text
    assert not all(check["held"] for check in report["checks"])


def test_a_filter_that_is_not_refused_is_found(
    xw: ModuleType, machine: Machine, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from valet_xl_excel.sheet import ExcelSurface

    def refuse(surface: Any, *, adding: bool = False) -> None:
        if surface.sheet.api.ProtectContents and not adding:
            raise SheetError(PROTECTED)

    install(machine)
    monkeypatch.setattr(ExcelSurface, "refuse", refuse)
    code, lines, _ = run(monkeypatch, tmp_path / "report.json", starts(xw))
    assert code == 1
    assert [line.partition(": at")[0] for line in lines[:-1]] == [
        "failed: Score sheet on a filtered sheet",
        "failed: Score sheet on a filtered table",
    ]


def test_an_excel_that_does_not_start_is_in_the_report(
    machine: Machine, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    @contextmanager
    def started() -> Iterator[Any]:
        raise OSError("Invalid class string")
        yield

    install(machine)
    code, lines, report = run(monkeypatch, tmp_path / "report.json", started)
    assert code == 1
    assert lines[0] == "failed: Excel is started and ended: expected True, found OSError: Invalid class string"
    assert report["status"]


def test_what_is_missing_is_refused_before_excel_starts(
    machine: Machine, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The add-in, a place for the report, and pywin32; in this order they are found."""

    def refused(place: str) -> str:
        result = CliRunner().invoke(app, ["addin", "selftest", "--output", str(tmp_path / place)])
        assert result.exit_code == 2
        return result.stderr

    assert "the add-in is not there (run: valet-xl addin install)" in refused("report.json")
    install(machine)
    assert "no such folder" in refused("nowhere/report.json").lower()
    monkeypatch.setitem(sys.modules, "pythoncom", None)
    assert "pip install pywin32" in refused("report.json")
    assert not (tmp_path / "report.json").exists()


class Office:
    """In place of Excel's process and Application."""

    Ready = True
    Hwnd = 7
    quit = False

    def Quit(self) -> None:
        self.quit = True


@pytest.fixture
def office(monkeypatch: pytest.MonkeyPatch) -> Iterator[tuple[Office, subprocess.Popen[bytes]]]:
    """An Excel that pywin32 starts, and its process."""
    process = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(60)"])
    excel = Office()
    modules = {"win32com": ModuleType("win32com"), "win32com.client": ModuleType("client")}
    modules["win32process"] = ModuleType("win32process")
    modules["win32com.client"].__dict__["DispatchEx"] = lambda _name: excel
    modules["win32process"].__dict__["GetWindowThreadProcessId"] = lambda _window: (1, process.pid)
    for name, module in modules.items():
        monkeypatch.setitem(sys.modules, name, module)
    yield excel, process
    process.kill()
    process.wait()


def test_excel_is_ended(office: tuple[Office, subprocess.Popen[bytes]]) -> None:
    """Whatever happened; it is visible, and takes no clicks meanwhile."""
    from valet_xl_excel.selftest import own_excel

    excel, process = office
    with pytest.raises(KeyError), own_excel() as given:
        assert (given.Visible, given.Interactive, given.DisplayAlerts) == (True, False, False)
        raise KeyError
    assert excel.quit
    assert process.poll() is None


def test_excel_that_does_not_answer_is_ended(
    office: tuple[Office, subprocess.Popen[bytes]], monkeypatch: pytest.MonkeyPatch
) -> None:
    from valet_xl_excel.selftest import own_excel

    monkeypatch.setattr("valet_xl_excel.selftest._PATIENCE", 0.1)
    with own_excel():
        office[1].wait(30)
