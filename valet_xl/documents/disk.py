"""Files on disk: written whole or not at all."""

from __future__ import annotations

import contextlib
import errno
import os
import re
import shutil
import stat
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO

from valet_xl.errors import FileError

try:
    import fcntl
except ImportError:  # Windows
    fcntl = None  # type: ignore[assignment]

MAX_BYTES = 1 << 30  # far above any file of results

_CLOSED_FIRST = os.name == "nt"  # an open file can be neither renamed nor deleted there
_A_DAY = 86_400.0  # seconds


def read_file(path: Path) -> bytes:
    """Read a whole file.

    Raises
    ------
    FileError : where there is none, it is no regular file, it is too large, or the system refuses
    """
    try:
        status = path.stat()
        if stat.S_ISDIR(status.st_mode):
            raise FileError(f"{path}: is a folder (the name of a file in it was expected)")
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
    The bytes go to a temporary file in the same folder (`beside`), are flushed to the disk, and take the old file's
    name in one step. Owner, mode bits, extended attributes and access lists stay.

    A file that has other names too (hard links), or whose owner or attributes may not be given to a new file, keeps its
    place on the disk: the new bytes are written over the old ones. Until that is done there is a whole copy of the new
    file next to it.
    """
    target = Path(os.path.realpath(path))
    for name in {path, target}:
        _refuse_locked(name)
    try:
        old = target.stat() if target.exists() else None
        if old and not stat.S_ISREG(old.st_mode):
            raise FileError(f"{path}: is not a file (a file was expected)")
        # The administrator may write anything: the mode says what the owner meant.
        if old and not (old.st_mode & 0o222 and os.access(target, os.W_OK)):
            raise FileError(f"{path}: is write-protected (allow writing, or choose another name)")
        with beside(target) as (temporary, file):
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
            if _CLOSED_FIRST:
                file.close()
            if old and (old.st_nlink > 1 or not _take_over(temporary, target, old)):
                _write_over(target, data, temporary)
            else:
                temporary.replace(target)
        _sync_folder(target.parent)
    except OSError as error:
        raise FileError(f"{path}: not written, {_reason(error)}") from error


@contextlib.contextmanager
def beside(target: Path, ending: str = "tmp") -> Iterator[tuple[Path, BinaryIO]]:
    """A new temporary file in the folder of a file, open for writing, until the work is done.

    What a run left that was killed is removed: its name has the file's name and "valet-xl", and nobody has it locked.

    Raises
    ------
    OSError : where the folder does not take it
    """
    # The names of files have at most 255 bytes; letters have up to 4.
    start = f".{target.name[:40]}."
    name = re.compile(re.escape(start) + r"[0-9a-f]{16}\.valet-xl\.\w+")
    with contextlib.suppress(OSError):
        for other in target.parent.iterdir():
            if name.fullmatch(other.name) and _is_left(other):
                _remove(other)
    path = target.with_name(f"{start}{os.urandom(8).hex()}.valet-xl.{ending}")
    with path.open("xb") as file:
        _lock(file)
        try:
            yield path, file
        finally:
            if _CLOSED_FIRST:
                file.close()
            _remove(path)


@contextlib.contextmanager
def new_folder(target: Path) -> Iterator[Path]:
    """A folder to fill, which takes its name when all of it is there; nothing is left where the work fails.

    Raises
    ------
    FileError : where the folder is there already with something in it, or cannot be written
    """
    need_places(target)
    if target.exists() and not (target.is_dir() and not any(target.iterdir())):
        raise FileError(f"{target}: is there already (expected the name of a new folder)")
    try:
        whole = Path(tempfile.mkdtemp(prefix=f".{target.name[:40]}.", suffix=".valet-xl.tmp", dir=target.parent))
    except OSError as error:
        raise FileError(f"{target}: not written, {_reason(error)}") from error
    filled = whole / "filled"  # with the mode bits of any new folder
    try:
        filled.mkdir()
        yield filled
        try:
            if target.is_dir():
                target.rmdir()
            filled.rename(target)
        except OSError as error:
            raise FileError(f"{target}: not written, {_reason(error)}") from error
        _sync_folder(target.parent)
    finally:
        shutil.rmtree(whole, ignore_errors=True)


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


def _remove(temporary: Path) -> None:
    """Remove a temporary file, and the lock file of it that LibreOffice leaves where it is ended."""
    for each in (temporary, _office_lock(temporary)):
        with contextlib.suppress(OSError):
            each.unlink()


def _office_lock(path: Path) -> Path:
    return path.with_name(f".~lock.{path.name}#")


def _refuse_locked(path: Path) -> None:
    """Raise FileError where LibreOffice's or Excel's lock file is in the folder of a file."""
    for lock in (_office_lock(path), path.with_name(f"~${path.name}")):
        if os.path.lexists(lock):
            raise FileError(
                f"{path}: is open in another program (close it there; if it is open nowhere, delete {lock.name!r})"
            )


def _lock(file: BinaryIO) -> bool:
    """Lock a file as long as it is open; False where another process has it locked, or files cannot be locked."""
    if fcntl is None:
        return False
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        return False
    return True


def _is_left(path: Path) -> bool:
    """Whether no run needs a temporary file any more."""
    if fcntl is None:  # then only its age shows it
        return time.time() - path.stat().st_mtime > _A_DAY
    with path.open("r+b") as file:
        return _lock(file)


def _take_over(temporary: Path, target: Path, old: os.stat_result) -> bool:
    """Give the new file the old one's owner, mode bits and attributes; False where the system does not allow it."""
    try:
        if hasattr(os, "chown"):
            new = temporary.stat()
            if (new.st_uid, new.st_gid) != (old.st_uid, old.st_gid):
                os.chown(temporary, old.st_uid, old.st_gid)
        temporary.chmod(stat.S_IMODE(old.st_mode))
        if sys.platform == "linux":
            wanted, found = _attributes(target), _attributes(temporary)
            for name in found.keys() - wanted.keys():
                os.removexattr(temporary, name)
            for name, value in wanted.items():
                if found.get(name) != value:
                    os.setxattr(temporary, name, value)
    except OSError:
        return False
    return True


def _attributes(path: Path) -> dict[str, bytes]:
    """The extended attributes of a file on Linux, its access list (ACL) among them."""
    try:
        return {name: os.getxattr(path, name) for name in os.listxattr(path)}
    except OSError as error:
        if error.errno in (errno.ENOTSUP, errno.ENOSYS):
            return {}
        raise


def _write_over(target: Path, data: bytes, temporary: Path) -> None:
    """Write over a file's bytes; its new ones are in a whole file too, under a name that a person finds, until then."""
    before = target.read_bytes()
    whole = temporary.replace(target.with_name(f"{target.stem} (new {os.urandom(4).hex()}){target.suffix}"))
    try:
        with target.open("r+b") as file:
            try:
                _reserve(file, len(data))
                _fill(file, data)
            except BaseException:
                _fill(file, before)
                raise
    finally:
        whole.unlink()


def _reserve(file: BinaryIO, size: int) -> None:
    """Let a full disk show before anything is changed, on systems that can tell."""
    if hasattr(os, "posix_fallocate"):
        try:
            os.posix_fallocate(file.fileno(), 0, max(size, 1))
        except OSError as error:
            if error.errno in (errno.ENOSPC, errno.EDQUOT, errno.EFBIG):
                raise


def _fill(file: BinaryIO, data: bytes) -> None:
    """Make these bytes all of a file."""
    file.seek(0)
    file.write(data)
    file.truncate()
    file.flush()
    os.fsync(file.fileno())


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
