"""Files on disk: written whole or not at all."""

from __future__ import annotations

import contextlib
import errno
import os
import secrets
import stat
from pathlib import Path

from valet_xl.errors import FileError

MAX_BYTES = 1 << 30  # far above any file of results


def read_file(path: Path) -> bytes:
    """Read a whole file.

    Raises
    ------
    FileError : where there is none, it is no regular file, it is too large, or the system refuses
    """
    try:
        status = path.stat()
        if not stat.S_ISREG(status.st_mode):
            raise FileError(f"{path}: is not a file (a file was expected)")
        if status.st_size > MAX_BYTES:
            raise FileError(f"{path}: has {status.st_size:,} bytes (at most {MAX_BYTES:,} expected)")
        return path.read_bytes()
    except FileError:
        raise
    except FileNotFoundError as error:
        raise FileError(f"{path}: there is no such file") from error
    except PermissionError as error:
        raise FileError(f"{path}: no permission to read it") from error
    except (OSError, ValueError) as error:
        raise FileError(f"{path}: cannot be read, {' '.join(str(error).split())}") from error


def replace_file(path: Path, data: bytes) -> None:
    """Put bytes in a file's place, so that at any moment either the old or the new file is there, whole.

    Parameters
    ----------
    path : the file; it need not exist yet. A symbolic link stays, the file that it points to is replaced.
    data : all bytes of the new file

    Raises
    ------
    FileError
        The file is open in an office program, is write-protected, or the folder or disk does not take it. The old file
        is then as it was.

    Notes
    -----
    The bytes go to a temporary file in the same folder, are flushed to the disk, and take the old file's name in one
    step. Mode bits stay; the owner stays where the system allows it.
    """
    target = Path(os.path.realpath(path))
    for name in {path, target}:
        _refuse_locked(name)
    temporary = target.with_name(f".{secrets.token_hex(8)}.tmp")
    try:
        old = target.stat() if target.exists() else None
        if old and not stat.S_ISREG(old.st_mode):
            raise FileError(f"{path}: is not a file (a file was expected)")
        # The administrator may write anything: the mode says what the owner meant.
        if old and not (old.st_mode & 0o222 and os.access(target, os.W_OK)):
            raise FileError(f"{path}: is write-protected (allow writing, or choose another name)")
        try:
            with temporary.open("xb") as file:
                file.write(data)
                file.flush()
                os.fsync(file.fileno())
            if old:
                _take_over(temporary, old)
            temporary.replace(target)
        except BaseException:
            with contextlib.suppress(OSError):
                temporary.unlink()
            raise
        _sync_folder(target.parent)
    except OSError as error:
        raise FileError(f"{path}: not written, {_reason(error)}") from error


def need_places(*targets: Path) -> None:
    """Make sure, before long work, that there are folders for the files that it writes, and that these are different.

    Raises
    ------
    FileError : where that is not so
    """
    places: set[Path] = set()
    for target in targets:
        place = Path(os.path.realpath(target))
        if not place.parent.is_dir():
            raise FileError(f"{target}: there is no such folder")
        if place in places:
            raise FileError(f"{target}: is to be written twice (two names expected)")
        places.add(place)


def _refuse_locked(path: Path) -> None:
    """Raise FileError where LibreOffice's or Excel's lock file is in the folder of a file."""
    for lock in (path.with_name(f".~lock.{path.name}#"), path.with_name(f"~${path.name}")):
        if os.path.lexists(lock):
            raise FileError(
                f"{path}: is open in another program (close it there; if it is open nowhere, delete {lock.name!r})"
            )


def _take_over(temporary: Path, old: os.stat_result) -> None:
    """Give the new file the old one's owner, where allowed, and its mode bits."""
    if hasattr(os, "chown"):
        # Another user's file, or a group that we are not in: the new file is then ours.
        with contextlib.suppress(OSError):
            os.chown(temporary, old.st_uid, old.st_gid)
    temporary.chmod(stat.S_IMODE(old.st_mode))


def _sync_folder(folder: Path) -> None:
    """Make the new name last through a power cut, on systems where a folder can be flushed."""
    # The file is whole by now: that a folder cannot be opened or flushed (Windows, some network disks) is no failure.
    with contextlib.suppress(OSError):
        handle = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)


def _reason(error: OSError) -> str:
    """Say in a person's words why the system refused."""
    if error.errno in (errno.ENOSPC, errno.EDQUOT):
        return "the disk is full (free some space)"
    if isinstance(error, PermissionError):
        return "no permission, or open in another program (close it there, or choose another folder)"
    if isinstance(error, FileNotFoundError):
        return "there is no such folder"
    return (error.strerror or "the system refused").lower()
