"""The engine where LibreOffice runs it: numpy found, or a message that says how to get it."""

from __future__ import annotations

import importlib
import sys
from pathlib import Path

OLDEST = (3, 10)
"""The first Python that runs the engine; LibreOffice for Windows and macOS brings its own."""


class EngineError(Exception):
    """The engine cannot run here; the message says what to do."""


def libraries() -> Path:
    """The folder where numpy is looked for if LibreOffice's Python has none: one for each version of Python."""
    return Path.home() / ".valet_xl" / f"python{sys.version_info.major}.{sys.version_info.minor}"


def need_engine() -> None:
    """Make sure that the engine can be imported.

    Raises
    ------
    EngineError : where this Python is too old, or has no numpy
    """
    version = f"{sys.version_info.major}.{sys.version_info.minor}"
    if sys.version_info < OLDEST:
        oldest = ".".join(map(str, OLDEST))
        raise EngineError(f"LibreOffice's Python is {version} (expected {oldest} or later: update LibreOffice)")
    try:
        importlib.import_module("numpy")
    except ImportError:
        folder = libraries()
        if str(folder) not in sys.path:
            sys.path.append(str(folder))
        importlib.invalidate_caches()
        try:
            importlib.import_module("numpy")
        except ImportError as error:
            raise EngineError(how_to_get_numpy(version, folder)) from error


def how_to_get_numpy(version: str, folder: Path) -> str:
    """What to do if there is no numpy for a version of Python."""
    ways = [
        "valet-xl addin install --calc",
        f'pip install --only-binary=:all: --python-version {version} --target "{folder}" numpy',
    ]
    if sys.platform == "linux":
        ways.append("apt install python3-numpy")
    terminal = ", or: ".join(ways)
    return f"LibreOffice's Python {version} has no numpy (in a terminal: {terminal}; then start LibreOffice again)"
