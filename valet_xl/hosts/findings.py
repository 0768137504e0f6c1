"""What an installer of a host finds and says: the same words for an add-in of Excel and an extension of Calc."""

from __future__ import annotations

import contextlib
from dataclasses import dataclass
from importlib import resources

from valet_xl.faults import FOLDER, log_file


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing that was checked: whether it is as it should be, and what the user should know or do."""

    good: bool
    text: str


def bundled(file: str) -> bytes:
    """An add-in that comes with this version, by its file's name."""
    return resources.files("valet_xl_workbooks").joinpath(file).read_bytes()


def of_installed(place: object, thing: str, *, present: bool, current: bool, add: str, then: str) -> Finding:
    """Whether something is installed.

    Parameters
    ----------
    place : where it belongs
    thing : what it is, such as "the add-in"
    present, current : whether it is there, and whether it is the one that comes with this version
    add : the command that installs it
    then : what the user does next where it is installed

    >>> of_installed("here", "the add-in", present=False, current=False, add="valet-xl addin install", then="")
    Finding(good=False, text='here: the add-in is not there (run: valet-xl addin install)')
    """
    if not present:
        return Finding(False, f"{place}: {thing} is not there (run: {add})")
    if not current:
        return Finding(False, f"{place}: {thing} is of another version (run: {add})")
    return Finding(True, f"{place}: {thing} is installed; {then}")


def of_removed(place: object, thing: str, *, was_present: bool) -> Finding:
    """That something is no longer installed, and whether it was.

    >>> of_removed("here", "the add-in", was_present=True).text
    'here: the add-in was removed'
    """
    return Finding(True, f"{place}: {thing} was {'removed' if was_present else 'not there'}")


def of_kept_log() -> list[Finding]:
    """That the log of faults stays, if there is one; else its folder goes, if nothing is in it."""
    try:
        file = log_file()
    except RuntimeError:  # nobody's home folder
        return []
    if file.is_file():
        return [Finding(True, f"{file}: this log of faults stays (delete it if nobody needs it)")]
    if file.parent.name == FOLDER:
        with contextlib.suppress(OSError):  # it is not there, or not empty
            file.parent.rmdir()
    return []
