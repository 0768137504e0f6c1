"""The add-in on a Windows machine: put where Excel finds it, set to the Python that it starts, and checked."""

from __future__ import annotations

import csv
import io
import os
import re
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from importlib import metadata
from pathlib import Path

from valet_xl.documents.disk import read_file, replace_file
from valet_xl.errors import FileError
from valet_xl.hosts.findings import Finding, bundled, of_installed, of_removed

NAME = "valet_xl"
ADDIN = f"{NAME}.xlam"
MODULES = "valet_xl_excel.functions"
_ADD = "valet-xl addin install"
_THING = "the add-in"
OPEN_EXCEL = "open Excel (close it first if it is open): the tab Bridge is at the right of the ribbon"


@dataclass(frozen=True, slots=True)
class Machine:
    """The places on a machine that matter to the add-in.

    startup : the folder whose add-ins Excel opens when it starts
    settings : the file of the add-in's settings
    interpreter : the Python that the add-in starts
    prefix : the root of that Python's installation or environment, where xlwings puts its DLLs
    """

    startup: Path
    settings: Path
    interpreter: Path
    prefix: Path

    @classmethod
    def here(cls) -> Machine:
        """This machine.

        Raises
        ------
        FileError : where Excel for Windows is not installed
        """
        if sys.platform != "win32" or not _excel_is_installed():
            raise FileError(
                "Excel for Windows is not on this machine (the add-in needs it; valet-xl score works without Excel)"
            )
        return cls(
            startup=Path(os.environ["APPDATA"]) / "Microsoft" / "Excel" / "XLSTART",
            settings=Path.home() / f".{NAME}" / f"{NAME}.conf",
            interpreter=Path(sys.executable),
            prefix=Path(sys.prefix),
        )

    @property
    def addin(self) -> Path:
        """The installed add-in."""
        return self.startup / ADDIN


def install(machine: Machine) -> list[Finding]:
    """Copy the add-in and write its settings; a second time changes nothing.

    Raises
    ------
    FileError : if a file cannot be written, such as an add-in that Excel has open
    """
    machine.startup.mkdir(parents=True, exist_ok=True)
    machine.settings.parent.mkdir(parents=True, exist_ok=True)
    bundled = bundled_addin()
    if not machine.addin.is_file() or read_file(machine.addin) != bundled:
        replace_file(machine.addin, bundled)
    wanted = settings_text(read_settings(machine) | wanted_settings(machine))
    if not machine.settings.is_file() or read_file(machine.settings) != wanted:
        replace_file(machine.settings, wanted)
    return status(machine)


def uninstall(machine: Machine) -> list[Finding]:
    """Remove the add-in and its settings; what is not there is no error.

    Raises
    ------
    FileError : if a file cannot be removed, such as an add-in that Excel has open
    """
    findings = []
    for path, thing in ((machine.addin, _THING), (machine.settings, "the file of settings")):
        there = path.is_file()
        try:
            path.unlink(missing_ok=True)
        except OSError as error:
            raise FileError(f"{path}: not removed (close Excel, then try again)") from error
        findings.append(of_removed(path, thing, was_present=there))
    return findings


def status(machine: Machine) -> list[Finding]:
    """Check the add-in, its settings, and that add-in, xlwings and its DLL are of one version."""
    return [*_addin(machine), *_settings(machine), *_versions(machine)]


def bundled_addin() -> bytes:
    """The add-in that comes with this version."""
    return bundled(ADDIN)


def wanted_settings(machine: Machine) -> dict[str, str]:
    """The settings that the add-in needs: which Python, which modules, and that one server does all the work."""
    return {
        "INTERPRETER_WIN": str(machine.interpreter),
        "UDF MODULES": MODULES,
        "USE UDF SERVER": "True",
        "ADD_WORKBOOK_TO_PYTHONPATH": "False",
    }


def read_settings(machine: Machine) -> dict[str, str]:
    """The settings that are there, the user's own included; none if there is no file."""
    if not machine.settings.is_file():
        return {}
    text = read_file(machine.settings).decode("mbcs" if sys.platform == "win32" else "utf-8", "replace")
    return {row[0]: row[1] for row in csv.reader(io.StringIO(text)) if len(row) == 2}


def settings_text(settings: dict[str, str]) -> bytes:
    """Settings as VBA reads them: a quoted name and a quoted value a line, in the system's encoding."""
    out = io.StringIO()
    csv.writer(out, quoting=csv.QUOTE_ALL, lineterminator="\r\n").writerows(settings.items())
    return out.getvalue().encode("mbcs" if sys.platform == "win32" else "utf-8")


def addin_versions(data: bytes) -> tuple[str, str]:
    """The versions of valet_xl and xlwings that an add-in was built with, '' where it does not say."""
    import zipfile  # noqa: PLC0415 - status alone needs it

    try:
        with zipfile.ZipFile(io.BytesIO(data)) as package:
            core = package.read("docProps/core.xml").decode("utf-8", "replace")
    except (KeyError, zipfile.BadZipFile):
        return "", ""
    found = re.search(r"valet_xl ([\w.]+), xlwings ([\w.]+)", core)
    return (found[1], found[2]) if found else ("", "")


def _addin(machine: Machine) -> Iterator[Finding]:
    present = machine.addin.is_file()
    current = present and read_file(machine.addin) == bundled_addin()
    yield of_installed(machine.addin, _THING, present=present, current=current, add=_ADD, then=OPEN_EXCEL)


def _settings(machine: Machine) -> Iterator[Finding]:
    settings = read_settings(machine)
    for name, wanted in wanted_settings(machine).items():
        if settings.get(name) != wanted:
            there = repr(settings[name]) if name in settings else "missing"
            yield Finding(False, f"{machine.settings}: {name} is {there} (expected {wanted!r}: {_ADD})")
            return
    yield Finding(True, f"{machine.settings}: the add-in starts {machine.interpreter}")


def _versions(machine: Machine) -> Iterator[Finding]:
    ours, built_with = addin_versions(bundled_addin())
    installed = metadata.version("xlwings")
    if ours != metadata.version("valet-xl"):
        yield Finding(False, f"the add-in is of valet_xl {ours}, Python's is {metadata.version('valet-xl')}")
    if built_with != installed:
        yield Finding(False, f"the add-in needs xlwings {built_with} (run: pip install xlwings=={built_with})")
    library = f"xlwings64-{installed}.dll"
    folders = (machine.interpreter.parent, machine.interpreter.parent.parent, machine.prefix)
    if not any((folder / library).is_file() for folder in folders):
        where = f"{library}: not in the folder of {machine.interpreter}"
        yield Finding(False, f"{where} (run: pip install --force-reinstall xlwings)")
    elif built_with == installed:
        yield Finding(True, f"add-in, xlwings and its DLL are of version {installed}")


def _excel_is_installed() -> bool:
    """Whether Windows knows a program Excel."""
    if sys.platform != "win32":
        return False
    import winreg  # noqa: PLC0415 - Windows alone has it

    key = r"SOFTWARE\Microsoft\Windows\CurrentVersion\App Paths\excel.exe"
    for root in (winreg.HKEY_CURRENT_USER, winreg.HKEY_LOCAL_MACHINE):
        try:
            with winreg.OpenKey(root, key):
                return True
        except OSError:
            continue
    return False
