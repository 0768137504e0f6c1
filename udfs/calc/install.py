"""The extension in an office: put into its profile, checked, and taken out; and numpy put where it looks for it."""

from __future__ import annotations

import io
import json
import shutil
import subprocess
import sys
import tempfile
import zipfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import unquote
from xml.etree import ElementTree

from valet_xl.errors import FileError
from valet_xl.hosts.findings import Finding, bundled, of_installed, of_kept_log, of_removed
from valet_xl_calc import EXTENSION
from valet_xl_calc.environment import plain_environment
from valet_xl_calc.places import Machine, given_program

ADDIN = "valet_xl.oxt"
OPEN_CALC = "start LibreOffice Calc: the menu Bridge is between Data and Tools"

_HERE = Path(__file__).resolve().parent
_MINUTES = 300.0  # seconds that an office or pip may take
_ADD = "valet-xl addin install --calc"
_CACHE = "vnd.sun.star.expand:$UNO_USER_PACKAGES_CACHE"  # what the addresses of extensions begin with


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
    def here(cls, profile: Path | None = None, program: Path | None = None, machine: Machine | None = None) -> Office:
        """The office of this machine.

        Parameters
        ----------
        profile : the profile, if it is not the user's
        program : what starts it, or its folder, if it is not the one that is found
        machine : another machine

        Raises
        ------
        FileError : if there is none, or none that other programs can work with
        """
        machine = machine or Machine()
        found = machine.program() if program is None else given_program(program)
        python = machine.python(found, _knows_uno)
        return cls(found, python, profile or machine.profile(found), machine.home / ".valet_xl")

    @property
    def lock(self) -> Path:
        """The file that is there while it runs with this profile, and after it was ended by force."""
        return self.profile / ".lock"


@dataclass(frozen=True, slots=True)
class _State:
    """What an office has.

    extension : the folder of ours, which is kept there unpacked; None where it is not there
    disabled : whether somebody has disabled it
    python : the version of its Python
    wrong : what keeps the engine from running there, '' for nothing
    """

    extension: Path | None
    disabled: bool
    python: str
    wrong: str


def install(office: Office) -> list[Finding]:
    """Put the extension into the profile, and numpy where LibreOffice's Python has none; again changes nothing.

    Raises
    ------
    FileError : where the office runs, or does not start
    """
    _refuse_open(office)
    state = _state(office)
    if state.wrong:
        _fetch_numpy(office, state.python)
    if state.disabled or not _is_bundled(state.extension):
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / ADDIN
            path.write_bytes(bundled_addin())
            if state.extension is not None:
                _asked(office, "remove", EXTENSION)
            _asked(office, "add", str(path))
    return status(office)


def uninstall(office: Office) -> list[Finding]:
    """Take the extension out of the profile, and the numpy that `install` fetched; what is not there is no error.

    Raises
    ------
    FileError : as `install`, and if a file cannot be removed
    """
    _refuse_open(office)
    there = _state(office).extension is not None
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
    """Check the extension, and that LibreOffice's Python finds numpy; this starts no office and writes nothing.

    Raises
    ------
    FileError : where the office's Python does not start
    """
    return list(_findings(office, _state(office)))


def bundled_addin() -> bytes:
    """The extension that comes with this version."""
    return bundled(ADDIN)


def _findings(office: Office, state: _State) -> Iterator[Finding]:
    present, current = state.extension is not None, _is_bundled(state.extension)
    if state.disabled:
        yield Finding(False, f"{office.profile}: the extension is disabled (enable it in Tools, Extensions)")
    else:
        yield of_installed(office.profile, "the extension", present=present, current=current, add=_ADD, then=OPEN_CALC)
    yield Finding(not state.wrong, state.wrong or f"LibreOffice's Python {state.python} has numpy")


def _state(office: Office) -> _State:
    """What an office has, by the files of its profile and what its Python says."""
    answer: dict[str, Any] = json.loads(_run(office, "python").splitlines()[-1])
    extension, disabled = _unpacked(office.profile)
    return _State(extension, disabled, ".".join(map(str, answer["python"])), answer["wrong"])


def _unpacked(profile: Path) -> tuple[Path | None, bool]:
    """Where the extension is in a profile, and whether it is disabled: as LibreOffice's own list of extensions says."""
    cache = profile / "user" / "uno_packages" / "cache"
    listed = cache / "registry" / "com.sun.star.comp.deployment.bundle.PackageRegistryBackend" / "backenddb.xml"
    if not listed.is_file():
        return None, False
    try:
        entries = ElementTree.parse(listed).getroot()
    except ElementTree.ParseError as error:
        raise FileError(f"{listed}: LibreOffice's list of extensions is damaged") from error
    for entry in entries:
        folder = Path(str(cache) + unquote(entry.get("url", "").removeprefix(_CACHE)))
        described = folder / "description.xml"
        if described.is_file() and f'identifier value="{EXTENSION}"' in described.read_text(encoding="utf-8"):
            return folder, entry.get("revoked") == "true"
    return None, False


def _is_bundled(folder: Path | None) -> bool:
    """Whether the extension that is unpacked in a folder is the bundled one."""
    if folder is None:
        return False
    with zipfile.ZipFile(io.BytesIO(bundled_addin())) as archive:
        for name in archive.namelist():
            path = folder / name
            if not path.is_file() or path.read_bytes() != archive.read(name):
                return False
    return True


def _refuse_open(office: Office) -> None:
    if office.lock.exists():
        raise FileError(
            f"{office.lock}: LibreOffice is open (close it, then try again; if it is not open, delete this file)"
        )


def _asked(office: Office, command: str, *arguments: str) -> None:
    """Let an office change its extensions, which is started for it and ended again."""
    _run(office, command, str(office.program), str(office.profile), *arguments)


def _run(office: Office, command: str, *arguments: str) -> str:
    """What extension.py prints, which LibreOffice's Python runs."""
    done = _done([str(office.python), str(_HERE / "extension.py"), command, *arguments])
    if done.returncode:
        doing = "start its Python" if command == "python" else f"{command} the extension"
        raise FileError(f"{office.program}: could not {doing}, {_last_line(done.stderr)}")
    return done.stdout


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


def _knows_uno(python: Path) -> bool:
    return not _done([str(python), "-c", "import uno"]).returncode
