"""The add-in put on a machine: an invented one, since the places are Windows' own."""

from __future__ import annotations

import sys
from importlib import metadata
from pathlib import Path

import pytest
from typer.testing import CliRunner

from valet_xl.cli.main import app
from valet_xl.errors import FileError
from valet_xl_excel import install
from valet_xl_excel.install import Machine


@pytest.fixture
def machine(tmp_path: Path) -> Machine:
    """A machine with Excel, Python and xlwings' DLL, and a blank in every path."""
    scripts = tmp_path / "my python" / "Scripts"
    scripts.mkdir(parents=True)
    (scripts.parent / f"xlwings64-{metadata.version('xlwings')}.dll").touch()
    home = tmp_path / "a user"
    return Machine(home / "XLSTART", home / ".valet_xl" / "valet_xl.conf", scripts / "python.exe", scripts.parent)


def run(command: str, machine: Machine, monkeypatch: pytest.MonkeyPatch) -> tuple[int, str]:
    monkeypatch.setattr(Machine, "here", classmethod(lambda cls: machine))
    result = CliRunner().invoke(app, ["addin", command])
    return result.exit_code, result.output


def test_install_copies_the_addin_and_writes_its_settings(machine: Machine, monkeypatch: pytest.MonkeyPatch) -> None:
    """It says where, what to do in Excel, and that the versions match."""
    code, output = run("install", machine, monkeypatch)
    assert code == 0
    assert machine.addin.read_bytes() == install.bundled_addin()
    assert machine.settings.read_text().splitlines()[0] == f'"INTERPRETER_WIN","{machine.interpreter}"'
    assert "open Excel" in output and "the tab Bridge" in output
    assert f"are of version {metadata.version('xlwings')}" in output


def test_a_second_install_changes_nothing(machine: Machine, monkeypatch: pytest.MonkeyPatch) -> None:
    """Not a byte, nor a file's time; and what the user set stays."""
    run("install", machine, monkeypatch)
    with machine.settings.open("a") as file:
        file.write('"SHOW CONSOLE","True"\n')
    run("install", machine, monkeypatch)
    before = [(path, path.read_bytes(), path.stat().st_mtime_ns) for path in (machine.addin, machine.settings)]
    assert b'"SHOW CONSOLE","True"' in before[1][1]
    assert run("install", machine, monkeypatch)[0] == 0
    assert [(path, path.read_bytes(), path.stat().st_mtime_ns) for path, _, _ in before] == before


def test_status_says_what_to_do(machine: Machine, monkeypatch: pytest.MonkeyPatch) -> None:
    """Before the first install, with another Python, another add-in, and without the DLL."""
    code, output = run("status", machine, monkeypatch)
    assert code == 1 and "not there (run: valet-xl addin install)" in output
    run("install", machine, monkeypatch)
    assert run("status", machine, monkeypatch)[0] == 0
    machine.addin.write_bytes(b"older")
    machine.settings.write_text('"INTERPRETER_WIN","C:\\old\\python.exe"\n')
    (machine.prefix / f"xlwings64-{metadata.version('xlwings')}.dll").unlink()
    code, output = run("status", machine, monkeypatch)
    assert code == 1
    assert "of another version" in output
    assert "INTERPRETER_WIN is 'C:\\\\old\\\\python.exe'" in output
    assert ".dll: not in the folder of" in output


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
    assert code == 0 and output.count("removed") == 2
    assert not machine.addin.exists() and not machine.settings.exists()
    code, output = run("uninstall", machine, monkeypatch)
    assert code == 0 and output.count("was not there") == 2


def test_an_addin_that_excel_has_open_stays(machine: Machine, monkeypatch: pytest.MonkeyPatch) -> None:
    run("install", machine, monkeypatch)
    machine.addin.write_bytes(b"older")
    machine.addin.with_name(f"~${machine.addin.name}").touch()
    code, output = run("install", machine, monkeypatch)
    assert code == 2 and "open in another program" in output
    assert machine.addin.read_bytes() == b"older"


@pytest.mark.skipif(sys.platform == "win32", reason="on Windows there may be an Excel")
def test_a_machine_without_excel_gets_a_message() -> None:
    with pytest.raises(FileError, match="Excel for Windows is not on this machine"):
        Machine.here()
    for command in ("install", "uninstall", "status"):
        result = CliRunner().invoke(app, ["addin", command])
        assert result.exit_code == 2
        assert "Excel for Windows is not on this machine" in result.stderr
