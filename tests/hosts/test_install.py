"""The add-in put on a machine: an invented one here; the one that Wine makes is tried in test_wine.py."""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping
from dataclasses import replace
from importlib import metadata
from pathlib import Path, PureWindowsPath

import pytest
from click.testing import CliRunner

from valet_xl.cli.main import app
from valet_xl.errors import FileError
from valet_xl.faults import PLACE, log_file
from valet_xl_excel import install
from valet_xl_excel.machine import Machine, is_plain, libraries
from valet_xl_excel.places import REGISTRY_KEY
from valet_xl_excel.server import find_libraries

VERSION = metadata.version("xlwings")
EXCEL = r"SOFTWARE\Microsoft\Windows\CurrentVersion\App Paths\excel.exe"
SECURITY = r"Software\Policies\Microsoft\Office\16.0\excel\security"
RULES = r"SOFTWARE\Policies\Microsoft\Windows Defender\Windows Defender Exploit Guard\ASR\Rules"
STORE = r"C:\Users\a\AppData\Local\Microsoft\WindowsApps"
NO_CHILDREN = "D4F940AB-401B-4EFC-AADC-AD5F3C50688A"


class Registry:
    """A registry in memory. Names are compared without regard to case, as Windows does."""

    def __init__(self) -> None:
        self.user: dict[str, dict[str, str | int]] = {}
        self.everybody: dict[str, dict[str, str | int]] = {}
        self.written = 0
        self.put(EXCEL, "", r"C:\Program Files\Microsoft Office\root\Office16\EXCEL.EXE", of_machine=True)

    def put(self, key: str, entry: str, value: str | int, *, of_machine: bool = False) -> None:
        (self.everybody if of_machine else self.user).setdefault(key.lower(), {})[entry.lower()] = value

    def read(self, key: str, entry: str, *, of_machine: bool = False) -> str | int | None:
        return (self.everybody if of_machine else self.user).get(key.lower(), {}).get(entry.lower())

    def write(self, key: str, entries: Mapping[str, str]) -> None:
        for name, text in entries.items():
            self.written += self.read(key, name) != text
            self.put(key, name, text)

    def delete(self, key: str) -> bool:
        return self.user.pop(key.lower(), None) is not None


@pytest.fixture
def machine(tmp_path: Path) -> Machine:
    """A machine with Excel, Python and xlwings' libraries, and a blank in every path."""
    python = tmp_path / "my python"
    python.mkdir()
    places = {bits: python / f"xlwings{bits}-{VERSION}.dll" for bits in ("64", "32")}
    for bits, place in places.items():
        place.write_bytes(f"library {bits}".encode())
    home = tmp_path / "a user"
    registry = Registry()
    works = lambda _command: (0, "loaded")  # noqa: E731
    return Machine(home / "XLSTART", home / "valet_xl", python / "pythonw.exe", places, registry, run=works)


def run(command: str, machine: Machine, monkeypatch: pytest.MonkeyPatch) -> tuple[int, str]:
    monkeypatch.setattr(Machine, "here", classmethod(lambda cls: machine))
    result = CliRunner().invoke(app, ["addin", command])
    return result.exit_code, result.output


def files(machine: Machine) -> list[tuple[Path, bytes, int]]:
    """All that is there in the user's folders."""
    there = sorted(path for path in machine.startup.parent.rglob("*") if path.is_file())
    return [(path, path.read_bytes(), path.stat().st_mtime_ns) for path in there]


def test_install_copies_the_addin_and_writes_its_places(machine: Machine, monkeypatch: pytest.MonkeyPatch) -> None:
    """It says where, what to do in Excel, that Python starts, and that the versions match."""
    code, output = run("install", machine, monkeypatch)
    assert code == 0
    assert {path.name: data for path, data, _ in files(machine)} == {
        "valet_xl.xlam": install.bundled_addin(),
        f"xlwings64-{VERSION}.dll": b"library 64",
        f"xlwings32-{VERSION}.dll": b"library 32",
    }
    read = machine.registry.read
    assert read(REGISTRY_KEY, "Interpreter") == str(machine.interpreter)
    for bits in ("64", "32"):
        assert read(REGISTRY_KEY, f"Library{bits}") == str(machine.folder / f"xlwings{bits}-{VERSION}.dll")
    assert "open Excel" in output and "the tab Bridge" in output
    assert "starts, and loads all that the add-in needs" in output
    assert f"xlwings {VERSION}" in output


def test_vba_reads_the_entries_that_install_writes(machine: Machine) -> None:
    """Their names are in both."""
    source = (Path(install.__file__).with_name("python.cls")).read_text(encoding="utf-8")
    for name in install.wanted_entries(machine):
        assert f'"{name}"' in source


def test_a_second_install_changes_nothing(machine: Machine, monkeypatch: pytest.MonkeyPatch) -> None:
    """Not a byte, nor a file's time, nor the registry."""
    run("install", machine, monkeypatch)
    before, written = files(machine), machine.registry.written
    assert run("install", machine, monkeypatch)[0] == 0
    assert (files(machine), machine.registry.written) == (before, written)


def test_status_says_what_to_do(machine: Machine, monkeypatch: pytest.MonkeyPatch) -> None:
    """Before the first install, with another Python, another add-in, and without a library."""
    code, output = run("status", machine, monkeypatch)
    assert code == 1 and "not there (run: valet-xl addin install)" in output
    run("install", machine, monkeypatch)
    assert run("status", machine, monkeypatch)[0] == 0
    (machine.startup / "valet_xl.xlam").write_bytes(b"older")
    machine.registry.put(REGISTRY_KEY, "Interpreter", r"C:\old\python.exe")
    code, output = run("status", machine, monkeypatch)
    assert code == 1
    assert "of another version" in output
    assert r"Interpreter is 'C:\\old\\python.exe' (expected" in output
    run("install", machine, monkeypatch)
    (machine.folder / f"xlwings32-{VERSION}.dll").unlink()
    code, output = run("status", machine, monkeypatch)
    assert code == 1 and f"xlwings32-{VERSION}.dll: the library is not there" in output


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        (
            {"interpreter": PureWindowsPath(r"C:\Users\a\AppData\Local\Microsoft\WindowsApps\pythonw.exe")},
            "Microsoft Store",
        ),
        ({"platform": "win32"}, "is Python for win32, for which xlwings has no libraries"),
        ({"platform": "win-arm64"}, "is Python for win-arm64, for which xlwings has no libraries"),
        ({"libraries": {}}, f"xlwings32-{VERSION}.dll and xlwings64-{VERSION}.dll: not among the files of xlwings"),
        (
            {"interpreter": PureWindowsPath("C:\\Users\\Žofie\\pythonw.exe")},
            "make a virtual environment in a folder such as",
        ),
    ],
)
def test_a_python_that_cannot_work_is_refused(
    machine: Machine, monkeypatch: pytest.MonkeyPatch, change: dict[str, object], reason: str
) -> None:
    """Before anything is written, with what to do; status says the same."""
    other = replace(machine, **change)  # type: ignore[arg-type]
    code, output = run("install", other, monkeypatch)
    assert code == 2 and reason in output
    assert files(machine) == [] and machine.registry.written == 0
    code, output = run("status", other, monkeypatch)
    assert code == 1 and reason in output


def test_a_python_that_does_not_start_is_found(machine: Machine, monkeypatch: pytest.MonkeyPatch) -> None:
    """Such as one in a virtual environment whose own Python was moved."""
    broken = replace(machine, run=lambda command: (103, f"No Python at {command[0]!r}"))
    code, output = run("install", broken, monkeypatch)
    assert code == 1 and "does not work, No Python at" in output


@pytest.mark.parametrize(
    ("key", "entry", "value", "of_machine", "reason"),
    [
        (SECURITY, "VBAWarnings", 4, False, "macros are turned off"),
        (SECURITY, "DisableAllAddins", 1, False, "add-ins are turned off"),
        (rf"{SECURITY}\Trusted Locations", "AllLocationsDisabled", 1, False, "there are no trusted locations"),
        (r"Software\Policies\Microsoft\Office\16.0\Common", "VBAOff", 1, False, "VBA is turned off"),
        (RULES, NO_CHILDREN, "1", True, "Office programs may not start other programs"),
        (
            EXCEL,
            "",
            r"C:\Program Files\WindowsApps\Microsoft.Office\EXCEL.EXE",
            True,
            "Office from the Microsoft Store",
        ),
    ],
)
def test_what_a_machine_forbids_is_found(
    machine: Machine,
    monkeypatch: pytest.MonkeyPatch,
    key: str,
    entry: str,
    value: str | int,
    of_machine: bool,
    reason: str,
) -> None:
    run("install", machine, monkeypatch)
    machine.registry.put(key, entry, value, of_machine=of_machine)
    code, output = run("status", machine, monkeypatch)
    assert code == 1 and reason in output


@pytest.mark.parametrize(("key", "entry", "value"), [(SECURITY, "VBAWarnings", 2), (RULES, NO_CHILDREN, "2")])
def test_what_a_machine_only_watches_is_no_finding(
    machine: Machine, monkeypatch: pytest.MonkeyPatch, key: str, entry: str, value: str | int
) -> None:
    run("install", machine, monkeypatch)
    machine.registry.put(key, entry, value, of_machine=key == RULES)
    assert run("status", machine, monkeypatch)[0] == 0


def test_libraries_are_found_by_pips_own_record(tmp_path: Path) -> None:
    """Beside Python, in the user's folder or anywhere else: where they really are."""

    class Recorded(metadata.PackagePath):
        def locate(self) -> Path:
            return tmp_path / "site-packages" / self

    deep = tmp_path / "site-packages"
    deep.mkdir()
    (tmp_path / f"xlwings64-{VERSION}.dll").touch()
    recorded = [Recorded(f"../xlwings64-{VERSION}.dll"), Recorded(f"../xlwings32-{VERSION}.dll"), Recorded("a.py")]
    assert libraries(recorded) == {"64": (tmp_path / f"xlwings64-{VERSION}.dll").resolve()}


@pytest.mark.parametrize(("conda", "wanted"), [(True, ["bin"]), (False, [])])
def test_libraries_of_a_conda_environment_are_found_without_activation(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, conda: bool, wanted: list[str]
) -> None:
    """Excel starts Python without the environment's own paths. Another Python's paths stay as they are."""
    monkeypatch.setenv("PATH", "before")
    (tmp_path / "Library" / "bin").mkdir(parents=True)
    if conda:
        (tmp_path / "conda-meta").mkdir()
    assert [folder.name for folder in find_libraries(tmp_path)] == wanted
    first = f"{tmp_path / 'Library' / 'bin'}{os.pathsep}" if conda else ""
    assert os.environ["PATH"] == f"{first}before"


def test_plain_paths() -> None:
    assert is_plain(PureWindowsPath(r"C:\Program Files\Python\pythonw.exe"))
    assert not is_plain(PureWindowsPath("C:\\Users\\李\\pythonw.exe"))


def test_the_addin_knows_its_versions() -> None:
    versions = metadata.version("valet-xl"), metadata.version("xlwings")
    assert install.addin_versions(install.bundled_addin()) == versions
    assert install.addin_versions(b"no add-in") == ("", "")


def test_another_xlwings_is_noticed(machine: Machine, monkeypatch: pytest.MonkeyPatch) -> None:
    run("install", machine, monkeypatch)
    version = metadata.version
    monkeypatch.setattr(metadata, "version", lambda name: "0.99.0" if name == "xlwings" else version(name))
    code, output = run("status", machine, monkeypatch)
    assert code == 1 and f"pip install xlwings=={version('xlwings')}" in output


def test_uninstall_removes_what_install_wrote(machine: Machine, monkeypatch: pytest.MonkeyPatch) -> None:
    run("install", machine, monkeypatch)
    code, output = run("uninstall", machine, monkeypatch)
    assert code == 0 and output.count("was removed") == 3
    assert files(machine) == [] and not machine.folder.exists()
    assert machine.registry.user == {}
    code, output = run("uninstall", machine, monkeypatch)
    assert code == 0 and output.count("was not there") == 3


@pytest.mark.parametrize("logged", [True, False])
def test_uninstall_leaves_a_log_of_faults_and_no_empty_folder(
    machine: Machine, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, logged: bool
) -> None:
    monkeypatch.delenv(PLACE)
    monkeypatch.setattr(Path, "home", lambda: tmp_path)
    log = log_file()
    log.parent.mkdir()
    if logged:
        log.write_text("a fault", encoding="utf-8")
    output = run("uninstall", machine, monkeypatch)[1]
    assert (f"{log}: this log of faults stays" in output) is logged
    assert log.parent.exists() is logged


def test_uninstall_leaves_a_folder_that_is_not_ours(
    machine: Machine, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """The log may be anywhere."""
    (tmp_path / "logs").mkdir()
    monkeypatch.setenv(PLACE, str(tmp_path / "logs" / "faults.log"))
    run("uninstall", machine, monkeypatch)
    assert (tmp_path / "logs").is_dir()


def test_an_addin_that_excel_has_open_stays(machine: Machine, monkeypatch: pytest.MonkeyPatch) -> None:
    run("install", machine, monkeypatch)
    addin = machine.startup / "valet_xl.xlam"
    addin.write_bytes(b"older")
    addin.with_name(f"~${addin.name}").touch()
    code, output = run("install", machine, monkeypatch)
    assert code == 2 and "open in another program" in output
    assert addin.read_bytes() == b"older"


@pytest.mark.skipif(sys.platform == "win32", reason="on Windows there may be an Excel")
def test_a_machine_without_excel_gets_a_message() -> None:
    with pytest.raises(FileError, match="Excel for Windows is not on this machine"):
        Machine.here()
    for command in ("install", "uninstall", "status", "selftest"):
        result = CliRunner().invoke(app, ["addin", command])
        assert result.exit_code == 2
        assert "Excel for Windows is not on this machine" in result.stderr
