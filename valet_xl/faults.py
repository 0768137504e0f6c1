"""Faults of valet_xl itself: their tracebacks go to a log file, and the user gets a sentence that names the file.

An error that a user can put right is a ValetError and shows its own text. Any other exception is a fault of ours.
"""

from __future__ import annotations

import contextlib
import os
import platform
import sys
from datetime import datetime
from pathlib import Path

from valet_xl.version import __version__

MOST_BYTES = 1 << 19  # of one log file; when it is full it becomes faults.log.old, and the older one is dropped
FOLDER = ".valet_xl"  # in the home folder
PLACE = "VALET_XL_FAULTS"  # the environment variable that names another log file
_LONGEST = 200  # characters of an exception's text in the sentence


def log_file() -> Path:
    """The file that faults are logged in: `.valet_xl/faults.log` in the user's home folder.

    Raises
    ------
    RuntimeError : if the user has no home folder
    """
    named = os.environ.get(PLACE)
    return Path(named) if named else Path.home() / FOLDER / "faults.log"


def log_fault(error: BaseException, during: str) -> str:
    """Append the traceback of a fault to the log file; this never fails.

    Parameters
    ----------
    error : the exception, with its traceback
    during : what was being done, such as "valet-xl score" or "VALET_IAF"

    Returns
    -------
    one line for the user, lower case and without a full stop: what happened, and which file describes it
    """
    return f"{described(error)} ({_logged(error, during)})"


def described(error: BaseException) -> str:
    """One line about a fault: that it is ours, and what the exception says."""
    text = " ".join(_text_of(error).split())
    short = text if len(text) <= _LONGEST else f"{text[: _LONGEST - 3]}..."
    return f"a fault of valet_xl, not of your data: {type(error).__name__}{': ' if short else ''}{short}"


def _text_of(error: BaseException) -> str:
    try:
        return str(error)
    except Exception:  # the exception's own text may be what fails
        return ""


def _logged(error: BaseException, during: str) -> str:
    """Write the entry, and say where it is or why it could not be written."""
    try:
        file = log_file()
    except RuntimeError:
        return "not logged: there is no home folder"
    try:
        _append(file, _entry(error, during))
    except (OSError, ValueError) as reason:
        why = (reason.strerror if isinstance(reason, OSError) else None) or str(reason)
        return f"not logged: {file} cannot be written, {why.lower()}"
    return f"details are in {file}"


def _entry(error: BaseException, during: str) -> str:
    now = datetime.now().astimezone().isoformat(timespec="seconds")
    system = f"Python {platform.python_version()}, {sys.platform}"
    import traceback  # noqa: PLC0415 - for a fault alone

    lines = "".join(traceback.format_exception(error))
    return f"{now}, {during}, valet_xl {__version__}, {system}\n{lines}\n"


def _append(file: Path, entry: str) -> None:
    data = entry.encode("utf-8", "backslashreplace")[-MOST_BYTES:]
    file.parent.mkdir(parents=True, exist_ok=True)
    with contextlib.suppress(FileNotFoundError):
        if file.stat().st_size + len(data) > MOST_BYTES:
            file.replace(file.with_name(f"{file.name}.old"))
    with file.open("ab") as log:
        log.write(data)
