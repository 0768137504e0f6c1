"""The extension in an office: put into its profile, checked, and taken out; and numpy put where it looks for it."""

from __future__ import annotations

import io
import json
import os
import shutil
import subprocess
import sys
import tempfile
import zipfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from valet_xl.errors import FileError
from valet_xl.hosts.findings import Finding, bundled, of_installed, of_kept_log, of_removed
from valet_xl_calc import EXTENSION
from valet_xl_calc.environment import plain_environment

ADDIN = "valet_xl.oxt"
OPEN_CALC = "start LibreOffice Calc: the menu Bridge is between Data and Tools"

_HERE = Path(__file__).resolve().parent
_MINUTES = 300.0  # seconds that an office or pip may take
_ADD = "valet-xl addin install --calc"


@dataclass(frozen=True, slots=True)
class Office:
    """An office on this machine.

    program : what starts it
    python : a Python that knows UNO: its own, or the system's
    profile : the folder of the user's settings and extensions
    libraries : the folder for numpy, a subfolder for each version of Python; `engine.libraries` finds it
    """

    program: Path
    python: Path
    profile: Path
    libraries: Path

    @classmethod
    def here(cls, profile: Path | None = None) -> Office:
        """The office of this machine, with the user's profile if no other is given.

        Raises
        ------
        FileError : if there is none, or none with Python
        """
        program = _program()
        if program is None:
            raise FileError("LibreOffice is not on this machine (install LibreOffice 24.8 or later, then try again)")
        python = _python(program)
        if python is None:
            raise FileError(f"{program}: has no Python with UNO (on Debian: apt install python3-uno)")
        return cls(program, python, profile or _profile(), Path.home() / ".valet_xl")

    @property
    def is_open(self) -> bool:
        """Whether it runs with this profile."""
        return (self.profile / ".lock").exists()


@dataclass(frozen=True, slots=True)
class _State:
    """What an office has: where each extension is, by its name; its version of Python; and what that lacks."""

    extensions: dict[str, Path]
    python: str
    wrong: str


def install(office: Office) -> list[Finding]:
    """Put the extension into the profile, and numpy where LibreOffice's Python has none; again changes nothing.

    Raises
    ------
    FileError : where the office runs, or does not start
    """
    state = _asked(office, "list")
    if state.wrong:
        _fetch_numpy(office, state.python)
    if not _is_bundled(state):
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / ADDIN
            path.write_bytes(bundled_addin())
            if EXTENSION in state.extensions:
                _asked(office, "remove", EXTENSION)
            _asked(office, "add", str(path))
    return status(office)


def uninstall(office: Office) -> list[Finding]:
    """Take the extension out of the profile, and the numpy that `install` fetched; what is not there is no error.

    Raises
    ------
    FileError : as `install`, and if a file cannot be removed
    """
    there = EXTENSION in _asked(office, "list").extensions
    if there:
        _asked(office, "remove", EXTENSION)
    fetched = sorted(office.libraries.glob("python[0-9]*"))
    for folder in fetched:
        try:
            shutil.rmtree(folder)
        except OSError as error:
            raise FileError(f"{folder}: not removed (close LibreOffice, then try again)") from error
    findings = [
        of_removed(office.profile, "the extension", was_present=there),
        of_removed(office.libraries, "numpy for LibreOffice's Python", was_present=bool(fetched)),
    ]
    return [*findings, *of_kept_log()]


def status(office: Office) -> list[Finding]:
    """Check the extension, and that LibreOffice's Python finds numpy.

    Raises
    ------
    FileError : as `install`
    """
    return list(_findings(office, _asked(office, "list")))


def bundled_addin() -> bytes:
    """The extension that comes with this version."""
    return bundled(ADDIN)


def _findings(office: Office, state: _State) -> Iterator[Finding]:
    present, current = EXTENSION in state.extensions, _is_bundled(state)
    yield of_installed(office.profile, "the extension", present=present, current=current, add=_ADD, then=OPEN_CALC)
    yield Finding(not state.wrong, state.wrong or f"LibreOffice's Python {state.python} has numpy")


def _is_bundled(state: _State) -> bool:
    """Whether the extension in the profile, which is kept there unpacked, is the bundled one."""
    folder = state.extensions.get(EXTENSION)
    if folder is None:
        return False
    with zipfile.ZipFile(io.BytesIO(bundled_addin())) as archive:
        for name in archive.namelist():
            path = folder / name
            if not path.is_file() or path.read_bytes() != archive.read(name):
                return False
    return True


def _asked(office: Office, command: str, *arguments: str) -> _State:
    """What an office answers, which is started for it and ended again."""
    if office.is_open:
        raise FileError(f"{office.profile}: LibreOffice is open (close it, then try again)")
    run = [str(office.python), str(_HERE / "extension.py"), str(office.program), str(office.profile)]
    done = _done([*run, command, *arguments])
    if done.returncode:
        raise FileError(f"{office.program}: could not {command} the extension, {_last_line(done.stderr)}")
    answer: dict[str, Any] = json.loads(done.stdout.splitlines()[-1])
    found = {name: Path(path) for name, path in answer["extensions"].items()}
    return _State(found, ".".join(map(str, answer["python"])), answer["wrong"])


def _fetch_numpy(office: Office, python: str) -> None:
    """Put numpy for LibreOffice's Python where the extension looks for it; that fails without pip or a network."""
    folder = office.libraries / f"python{python}"
    pip = [sys.executable, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--only-binary=:all:"]
    done = _done([*pip, "--python-version", python, "--target", str(folder), "numpy"])
    if done.returncode:
        raise FileError(f"{folder}: numpy for Python {python} could not be put there, {_last_line(done.stderr)}")


def _done(command: list[str]) -> subprocess.CompletedProcess[str]:
    """Run a program as if no environment of Python's were active, which LibreOffice's would take for its own."""
    return subprocess.run(
        command,
        capture_output=True,
        text=True,
        timeout=_MINUTES,
        check=False,
        env=plain_environment(),
        stdin=subprocess.DEVNULL,
    )


def _last_line(text: str) -> str:
    return next((line.strip() for line in reversed(text.splitlines()) if line.strip()), "for no reason that it gives")


def _program() -> Path | None:
    """The program soffice."""
    places = [shutil.which(name) for name in ("soffice", "libreoffice")]
    if sys.platform == "darwin":
        places.append("/Applications/LibreOffice.app/Contents/MacOS/soffice")
    if sys.platform == "win32":
        folders = (os.environ.get(name, "") for name in ("ProgramFiles", "ProgramFiles(x86)"))
        places += [str(Path(folder, "LibreOffice", "program", "soffice.exe")) for folder in folders if folder]
    return next((Path(place).resolve() for place in places if place and Path(place).is_file()), None)


def _python(program: Path) -> Path | None:
    """LibreOffice's own Python, or the system's if that knows UNO."""
    folder = program.parent
    places = [
        folder / "python.exe",
        folder / "python",
        folder.parent / "Resources" / "python",
        Path("/usr/bin/python3"),
    ]
    for place in places:
        if place.is_file() and not _done([str(place), "-c", "import uno"]).returncode:
            return place
    return None


def _profile() -> Path:
    """The user's profile, as LibreOffice finds it."""
    if sys.platform == "win32":
        return Path(os.environ["APPDATA"], "LibreOffice", "4")
    if sys.platform == "darwin":
        return Path.home() / "Library" / "Application Support" / "LibreOffice" / "4"
    return Path(os.environ.get("XDG_CONFIG_HOME") or Path.home() / ".config", "libreoffice", "4")
