"""The bundle: every file that a browser loads, from the sources in this folder and the pinned files.

`valet-xl web` serves it, and writes it into a folder for any web server. It is the same bytes each time.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

from valet_xl.documents.disk import replace_file
from valet_xl.errors import FileError
from valet_xl.version import __version__
from valet_xl_web import addin_files, page_files
from valet_xl_web.downloads import obtain
from valet_xl_web.pins import (
    ACCESS_PARSER,
    CONSTRUCT,
    CORE,
    JUSTHTML,
    NUMPY,
    NUMPY_WHEEL,
    PLATFORM,
    PYODIDE,
    TABULATE,
    XLSXWRITER,
)
from valet_xl_web.wheels import own_wheel, wheel_of_sources

HERE = Path(__file__).resolve().parent
FOLDERS = {"page": "", "engine": "engine/", "addin": addin_files.FOLDER}
"""The folders of this package that are carried as they are, and where in the bundle they go."""
PYTHON = "pyodide/"
"""Where Pyodide, its list of packages and the wheels are."""
CONTENTS = "bundle.json"
"""The file that lists the others, with their sizes and hashes, and says what was built."""
KEEPER = "sw.js"
"""The service worker; the name of the build is in it, so that another build is another worker."""
_NOT_BUILT = b'"not built"'

Bundle = Mapping[str, bytes]
"""The files by their names, with `/` between folders."""


def bundle(given: Path | None = None, *, tell: Callable[[str], None] = lambda text: None) -> dict[str, bytes]:
    """Build the bundle.

    Parameters
    ----------
    given : a folder that has pinned files
    tell : called with what is done before something is downloaded

    Raises
    ------
    FileError : where a pinned file cannot be had
    """
    pinned = obtain(given=given, tell=tell)
    files = {**dict(carried()), **page_files.files(), **addin_files.files()}
    files |= {f"{PYTHON}{each.name}": pinned[each.name] for each in CORE}
    packages, wheels = _packages(pinned)
    files |= {f"{PYTHON}{name}": data for name, data in wheels.items()}
    files[f"{PYTHON}pyodide-lock.json"] = _json({"info": {**PLATFORM, "abi_version": "2024_0"}, "packages": packages})
    name = hashlib.sha256(_json(_listed(files))).hexdigest()[:16]
    files[KEEPER] = files[KEEPER].replace(_NOT_BUILT, f'"{name}"'.encode())
    about = {"version": __version__, "pyodide": PYODIDE, "build": name}
    files[CONTENTS] = _json({**about, "files": _listed(files)})
    return dict(sorted(files.items()))


def write(files: Bundle, folder: Path) -> None:
    """Write a bundle into a folder, which has nothing else then.

    Raises
    ------
    FileError : where the folder has files that are no bundle's, or cannot be written
    """
    try:
        if folder.exists() and not folder.is_dir():
            raise FileError(f"{folder}: is not a folder (a folder expected for the pages)")
        if folder.is_dir() and any(folder.iterdir()):
            if not (folder / CONTENTS).is_file():
                raise FileError(
                    f"{folder}: has other files (expected a new or empty folder, or that of an older bundle)"
                )
            for name in json.loads((folder / CONTENTS).read_text(encoding="utf-8"))["files"]:
                (folder / name).unlink(missing_ok=True)
        for name, data in files.items():
            path = folder / name
            path.parent.mkdir(parents=True, exist_ok=True)
            replace_file(path, data)
    except (OSError, ValueError, KeyError) as error:
        if isinstance(error, FileError):
            raise
        raise FileError(f"{folder}: cannot be written, {' '.join(str(error).split())}") from error


def carried() -> Iterator[tuple[str, bytes]]:
    """The files that are carried as they are."""
    for folder, place in FOLDERS.items():
        for path in sorted((HERE / folder).rglob("*")):
            if path.is_file():
                yield place + path.relative_to(HERE / folder).as_posix(), path.read_bytes()


def _packages(pinned: Mapping[str, bytes]) -> tuple[dict[str, Any], dict[str, bytes]]:
    """The packages as Pyodide lists them, and the files of their wheels."""
    own = __version__
    wheels = (
        ("numpy", NUMPY, ["numpy"], [], (NUMPY_WHEEL.name, pinned[NUMPY_WHEEL.name])),
        ("valet-xl", own, ["valet_xl", "valet_xl_web"], ["numpy"], own_wheel(own, HERE / "browser")),
        *(
            (each.release.project.lower(), each.release.version, [module], needed, wheel)
            for each, module, needed, wheel in (
                (XLSXWRITER, "xlsxwriter", [], (XLSXWRITER.name, pinned[XLSXWRITER.name])),
                (JUSTHTML, "justhtml", [], (JUSTHTML.name, pinned[JUSTHTML.name])),
                (CONSTRUCT, "construct", [], (CONSTRUCT.name, pinned[CONSTRUCT.name])),
                (TABULATE, "tabulate", [], (TABULATE.name, pinned[TABULATE.name])),
                (
                    ACCESS_PARSER,
                    "access_parser",
                    ["construct", "tabulate"],
                    wheel_of_sources(pinned[ACCESS_PARSER.name]),
                ),
            )
        ),
    )
    listed = {
        name: {
            "depends": needed,
            "file_name": file,
            "imports": modules,
            "install_dir": "site",
            "name": name,
            "package_type": "package",
            "sha256": hashlib.sha256(data).hexdigest(),
            "unvendored_tests": False,
            "version": number,
        }
        for name, number, modules, needed, (file, data) in wheels
    }
    return listed, {file: data for *_, (file, data) in wheels}


def _listed(files: Bundle) -> dict[str, Any]:
    """The sizes and hashes of files."""
    return {
        name: {"size": len(data), "sha256": hashlib.sha256(data).hexdigest()} for name, data in sorted(files.items())
    }


def _json(value: object) -> bytes:
    return (json.dumps(value, indent=1, ensure_ascii=False) + "\n").encode()
