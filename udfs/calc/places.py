"""Where LibreOffice is on a machine: its program, its Python and its user's profile, on every system."""

from __future__ import annotations

import os
import re
import shutil
import sys
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from valet_xl.errors import FileError

OLDEST = "24.8"
"""The first LibreOffice that runs the extension."""

_EXPECTED = f"install LibreOffice {OLDEST} or later from libreoffice.org, or name its program with --program"
_ON_PATH = ("soffice", "libreoffice", "libreoffice[0-9]*", "*org.libreoffice.LibreOffice", "LibreOffice*.AppImage")
_IN_ROOT = (
    "usr/lib/libreoffice*/program/soffice",
    "usr/lib64/libreoffice*/program/soffice",
    "opt/libreoffice*/program/soffice",
    "usr/local/lib/libreoffice*/program/soffice",
    "snap/bin/libreoffice",
    "var/lib/flatpak/exports/bin/org.libreoffice.LibreOffice",
    "opt/LibreOffice*.AppImage",
)
_IN_HOME = (
    "opt/libreoffice*/program/soffice",
    ".local/opt/libreoffice*/program/soffice",
    ".local/share/flatpak/exports/bin/org.libreoffice.LibreOffice",
    "Applications/LibreOffice*.AppImage",
    "Downloads/LibreOffice*.AppImage",
)
_MAC = "Applications/LibreOffice*.app/Contents/MacOS/soffice"
_WINDOWS = "LibreOffice*/program/soffice.exe"
_IN_FOLDER = ("soffice", "soffice.exe", "program/soffice", "program/soffice.exe", "Contents/MacOS/soffice")

# What a program that other programs cannot work with is, and what to do.
_SNAP = "is a snap, which lets no other program work with LibreOffice (install it from libreoffice.org or with apt)"
_FLATPAK = (
    "is a flatpak, which lets no other program work with LibreOffice (install it from libreoffice.org or with apt)"
)
_APP_IMAGE = (
    "is an AppImage, whose Python no other program can reach (unpack it with --appimage-extract, and name what is in "
    "it: --program squashfs-root/opt/libreoffice25.2)"
)


@dataclass(frozen=True, slots=True)
class Machine:
    """What decides where LibreOffice is: so that tests can invent a machine.

    root, home : where its folders begin, and the user's
    system : as `sys.platform`
    environment : its variables
    """

    root: Path = Path("/")
    home: Path = field(default_factory=Path.home)
    system: str = sys.platform
    environment: Mapping[str, str] = field(default_factory=lambda: os.environ)

    def program(self) -> Path:
        """What starts LibreOffice: the first that other programs can work with.

        Raises
        ------
        FileError : where there is none; it says why another one cannot be used
        """
        refused = []
        for place in self._places():
            reason = unusable(place)
            if not reason:
                return place.resolve()
            refused.append(f"{place}: {reason}")
        raise FileError(refused[0] if refused else f"LibreOffice is not on this machine ({_EXPECTED})")

    def _places(self) -> Iterator[Path]:
        """Where a program of LibreOffice is, those first that a terminal would start, then the newest."""
        for folder in filter(None, self.environment.get("PATH", "").split(os.pathsep)):
            for name in _ON_PATH:
                yield from _found(Path(folder), f"{name}.exe" if self.system == "win32" else name)
        if self.system == "win32":
            for name in ("ProgramW6432", "ProgramFiles", "ProgramFiles(x86)", "LOCALAPPDATA"):
                if folder := self.environment.get(name, ""):
                    yield from _found(Path(folder, *["Programs"] * (name == "LOCALAPPDATA")), _WINDOWS)
        elif self.system == "darwin":
            for place in (self.root, self.home):
                yield from _found(place, _MAC)
        else:
            for name in _IN_ROOT:
                yield from _found(self.root, name)
            for name in _IN_HOME:
                yield from _found(self.home, name)

    def profile(self, program: Path) -> Path:
        """The user's profile, as a program finds it: its file bootstraprc says where."""
        if self.system == "win32":
            settings = Path(self.environment.get("APPDATA") or self.home / "AppData" / "Roaming")
        elif self.system == "darwin":
            settings = self.home / "Library" / "Application Support"
        else:
            settings = Path(self.environment.get("XDG_CONFIG_HOME") or self.home / ".config")
        said = _bootstrap(program).replace("$SYSUSERCONFIG", settings.as_uri())
        said = re.sub(r"\$(ORIGIN|\{ORIGIN\})", lambda _: program.parent.as_uri(), said)
        own = "LibreOffice" if self.system in ("win32", "darwin") else "libreoffice"
        return _path(said) or settings / own / "4"

    def python(self, program: Path, knows_uno: Callable[[Path], bool]) -> Path:
        """LibreOffice's own Python, or the system's if that knows UNO.

        Raises
        ------
        FileError : where there is none
        """
        folder = program.parent
        places = [folder / "python.exe", folder / "python", folder.parent / "Resources" / "python"]
        for place in [*places, self.root / "usr" / "bin" / "python3"]:
            if place.is_file() and knows_uno(place):
                return place
        raise FileError(f"{program}: has no Python with UNO (on Debian: apt install python3-uno)")


def given_program(place: Path) -> Path:
    """The program that a user names, by itself or by its folder.

    Raises
    ------
    FileError : where it is not there, or other programs cannot work with it
    """
    programs = [place] if place.is_file() else [place / name for name in _IN_FOLDER]
    found = next((program for program in programs if program.is_file()), None)
    if found is None:
        raise FileError(f"{place}: no program of LibreOffice is there (expected such as /opt/libreoffice25.2)")
    if reason := unusable(found):
        raise FileError(f"{found}: {reason}")
    return found.resolve()


def given_profile(folder: Path) -> Path:
    """The profile that a user names.

    Raises
    ------
    FileError : where it is none, as where it was mistyped
    """
    if not (folder / "user").is_dir():
        raise FileError(f"{folder}: is no profile of LibreOffice (expected a folder with the folder user in it)")
    return folder


def unusable(program: Path) -> str:
    """Why other programs cannot work with a LibreOffice; '' where they can.

    >>> unusable(Path("LibreOffice-25.2.AppImage"))[:14]
    'is an AppImage'
    """
    if program.suffix.lower() == ".appimage":
        return _APP_IMAGE
    if program.name == "org.libreoffice.LibreOffice":
        return _FLATPAK
    resolved = program.resolve()
    if resolved.name == "snap" or program.parts[-3:] == ("snap", "bin", program.name):
        return _SNAP
    with resolved.open("rb") as file:
        head = file.read(4096)
    if head.startswith(b"#!"):
        if b"flatpak run" in head:
            return _FLATPAK
        if re.search(rb"/snap/|snap run", head):
            return _SNAP
    return ""


def _found(folder: Path, pattern: str) -> Iterator[Path]:
    """The programs in a folder that a pattern names, the newest version first."""
    try:
        places = sorted(folder.glob(pattern), key=_version, reverse=True)
    except OSError:  # a folder of others
        return
    for place in places:
        if place.is_file() and (os.name == "nt" or shutil.which(place) or place.suffix == ".AppImage"):
            yield place


def _version(place: Path) -> list[int]:
    return [int(number) for number in re.findall(r"\d+", str(place))]


def _bootstrap(program: Path) -> str:
    """The address of the profile in the file next to a program, '' for none."""
    folder = program.parent
    for place in (folder / "bootstraprc", folder / "bootstrap.ini", folder.parent / "Resources" / "bootstraprc"):
        if place.is_file():
            text = place.read_text(encoding="utf-8", errors="replace")
            if line := re.search(r"^UserInstallation=(.+)$", text, re.MULTILINE):
                return line[1].strip()
    return ""


def _path(address: str) -> Path | None:
    """The path of a file's address; None for one that has a variable, or is none."""
    from urllib.parse import urlsplit  # noqa: PLC0415 - for this alone
    from urllib.request import url2pathname  # noqa: PLC0415

    parts = urlsplit(address)
    if parts.scheme != "file" or "$" in address:
        return None
    return Path(os.path.normpath(url2pathname(parts.path)))
