"""The environment that LibreOffice is started with: as if no other Python than the system's were there.

LibreOffice's Python looks for its home on the PATH. It takes a virtual environment that is first there for its own, and
then no document with a function of the extension opens. The standard library alone: LibreOffice's Python imports this.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path

_NAMES = frozenset({"VIRTUAL_ENV", "CONDA_PREFIX", "URE_BOOTSTRAP", "UNO_PATH"})  # the last two: another office's
_MARKS = ("pyvenv.cfg", "conda-meta")  # of an environment, next to its folder of programs


def plain_environment(given: Mapping[str, str] | None = None) -> dict[str, str]:
    """Environment variables without what leads to another Python or another office.

    Parameters
    ----------
    given : the variables; those of this process if none are given
    """
    kept = os.environ if given is None else given
    plain = {name: value for name, value in kept.items() if name not in _NAMES and not name.startswith("PYTHON")}
    if "PATH" in plain:
        folders = plain["PATH"].split(os.pathsep)
        plain["PATH"] = os.pathsep.join(folder for folder in folders if not _leads_to_python(folder))
    return plain


def _leads_to_python(folder: str) -> bool:
    """Whether a folder has a Python that is not the system's: an environment's, or one without a shell next to it."""
    place = Path(folder)
    if any((place.parent / mark).exists() for mark in _MARKS):
        return True
    return (place / "python3").exists() and not (place / "sh").exists()
