"""A Windows machine as the installation of the add-in sees it: its places, its registry, and the Python that runs."""

from __future__ import annotations

import os
import subprocess
import sys
import sysconfig
import tempfile
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from importlib import import_module, metadata
from pathlib import Path, PureWindowsPath
from typing import Any, Protocol

from valet_xl.errors import FileError
from valet_xl_excel.places import FOLDER

X64 = "win-amd64"  # the only kind of Python whose xlwings has the libraries, for 64-bit and for 32-bit Excel
_EXCEL = r"SOFTWARE\Microsoft\Windows\CurrentVersion\App Paths\excel.exe"
_PATIENCE = 120  # seconds that Python may take to load everything, which a virus scanner may slow down


class Registry(Protocol):
    """The Windows registry: entries below HKEY_CURRENT_USER, or HKEY_LOCAL_MACHINE for all users."""

    def read(self, key: str, entry: str, *, of_machine: bool = False) -> str | int | None:
        """An entry, '' for a key's own; None where there is none."""
        ...

    def write(self, key: str, entries: Mapping[str, str]) -> None:
        """Write entries of the user."""
        ...

    def delete(self, key: str) -> bool:
        """Delete a key of the user with its entries; gives whether it was there."""
        ...


def run(command: list[str]) -> tuple[int, str]:
    """Run a program outside of any project's folder; gives its status and the last line that it wrote."""
    with tempfile.TemporaryFile() as out:  # a pipe would stay open as long as anything that the program started
        try:
            done = subprocess.run(
                command,
                stdin=subprocess.DEVNULL,
                stdout=out,
                stderr=subprocess.STDOUT,
                timeout=_PATIENCE,
                check=False,
                cwd=Path.home(),
            )
        except (OSError, subprocess.TimeoutExpired) as error:
            return 1, str(error)
        out.seek(0)
        said = out.read().decode("utf-8", "replace").strip().splitlines()
    return done.returncode, said[-1] if said else ""


@dataclass(frozen=True, slots=True)
class Machine:
    """The places on a machine that matter to the add-in.

    startup : the folder whose add-ins Excel opens when it starts
    folder : ours, for xlwings' libraries
    interpreter : the Python that the add-in starts, with its whole path
    libraries : where Python keeps xlwings' libraries, by the bits of the Excel that they are for
    registry : the machine's
    platform : the kind of the Python, as `sysconfig.get_platform` calls it
    run : what runs a program (`run`)
    """

    startup: Path
    folder: Path
    interpreter: PureWindowsPath | Path
    libraries: Mapping[str, Path]
    registry: Registry
    platform: str = X64
    run: Callable[[list[str]], tuple[int, str]] = field(default=run)

    @classmethod
    def here(cls) -> Machine:
        """This machine.

        Raises
        ------
        FileError : where Excel for Windows is not installed
        """
        registry = WindowsRegistry()
        if sys.platform != "win32" or excel_place(registry) is None:
            raise FileError(
                "Excel for Windows is not on this machine (the add-in needs it; valet-xl score works without Excel)"
            )
        return cls(
            startup=Path(os.environ["APPDATA"]) / "Microsoft" / "Excel" / "XLSTART",
            folder=Path(os.environ["LOCALAPPDATA"]) / FOLDER,
            interpreter=short(Path(sys.executable).with_name("pythonw.exe")),
            libraries=libraries(),
            registry=registry,
            platform=sysconfig.get_platform(),
        )

    @property
    def console(self) -> str:
        """The interpreter whose output can be read."""
        return str(self.interpreter.with_name("python.exe"))


def excel_place(registry: Registry) -> str | None:
    """The place of the program Excel, None where Windows knows none."""
    for of_machine in (False, True):
        place = registry.read(_EXCEL, "", of_machine=of_machine)
        if isinstance(place, str):
            return place.strip('"')
    return None


def libraries(files: Iterable[metadata.PackagePath] | None = None) -> dict[str, Path]:
    """xlwings' libraries where pip put them, which depends on how it was called: its own record says where.

    Parameters
    ----------
    files : the files of the package, for tests
    """
    recorded = metadata.files("xlwings") if files is None else files
    found: dict[str, Path] = {}
    for each in recorded or ():
        for bits in ("64", "32"):
            if each.name.lower() == f"xlwings{bits}-{metadata.version('xlwings')}.dll":
                place = Path(str(each.locate())).resolve()
                if place.is_file():
                    found[bits] = place
    return found


def short(path: Path) -> Path:
    """A path in letters that VBA can hand to a library: its short form where it has others, if Windows keeps one."""
    if sys.platform != "win32" or is_plain(path):
        return path
    import ctypes  # noqa: PLC0415 - Windows alone

    buffer = ctypes.create_unicode_buffer(1024)
    length = ctypes.windll.kernel32.GetShortPathNameW(str(path), buffer, len(buffer))
    return Path(buffer.value) if 0 < length < len(buffer) else path


def is_plain(path: PureWindowsPath | Path) -> bool:
    """Whether a path has only letters of the system's code page, in which VBA hands texts to a library."""
    if sys.platform != "win32":
        return str(path).isascii()
    try:
        return str(path).encode("mbcs", "strict").decode("mbcs") == str(path)
    except UnicodeError:
        return False


def _winreg() -> Any:
    """Python's module for the registry, which Windows alone has."""
    return import_module("winreg")


class WindowsRegistry:
    """The registry of this machine: a `Registry`."""

    def read(self, key: str, entry: str, *, of_machine: bool = False) -> str | int | None:
        """An entry, '' for a key's own; None where there is none."""
        winreg = _winreg()
        root = winreg.HKEY_LOCAL_MACHINE if of_machine else winreg.HKEY_CURRENT_USER
        try:
            with winreg.OpenKey(root, key) as opened:
                value = winreg.QueryValueEx(opened, entry)[0]
        except OSError:
            return None
        return value if isinstance(value, (str, int)) else None

    def write(self, key: str, entries: Mapping[str, str]) -> None:
        """Write entries of the user."""
        winreg = _winreg()
        with winreg.CreateKey(winreg.HKEY_CURRENT_USER, key) as opened:
            for name, text in entries.items():
                winreg.SetValueEx(opened, name, 0, winreg.REG_SZ, text)

    def delete(self, key: str) -> bool:
        """Delete a key of the user with its entries."""
        winreg = _winreg()
        try:
            winreg.DeleteKey(winreg.HKEY_CURRENT_USER, key)
        except FileNotFoundError:
            return False
        return True
