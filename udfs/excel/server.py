"""What the add-in starts: xlwings' server, with all that functions and ribbon need, in a Python that may be bare.

The add-in runs `serve` with the identifier under which Excel asks for it.
"""

from __future__ import annotations

import atexit
import logging
import os
import sys
from importlib import import_module
from pathlib import Path


def serve(identifier: str) -> None:
    """Load what is needed, and serve until Excel ends."""
    load()
    from xlwings import com_server  # noqa: PLC0415 - this needs the libraries that were found

    logging.getLogger("xlwings").addHandler(logging.NullHandler())  # without a handler it prints
    com_server.serve(identifier)  # type: ignore[no-untyped-call]


def load() -> None:
    """Load all that functions and ribbon need, before the first question comes.

    Raises
    ------
    ImportError : where something is missing
    """
    find_libraries(Path(sys.prefix))
    import_module("xlwings.com_server")
    import_module("valet_xl_excel.functions")
    import_module("valet_xl_excel.ribbon")
    # When its Python ends, xlwings ends every Excel that has no window: another program may be at work in it.
    atexit.unregister(import_module("xlwings._xlwindows").cleanup)


def find_libraries(prefix: Path) -> list[Path]:
    """Let Windows find the libraries of a conda environment that was not activated; gives the folders that were added.

    Parameters
    ----------
    prefix : the root of the Python that runs
    """
    folders = [prefix / "Library" / "bin"] if (prefix / "conda-meta").is_dir() else []
    found = [folder for folder in folders if folder.is_dir()]
    for folder in found:
        if hasattr(os, "add_dll_directory"):
            os.add_dll_directory(str(folder))
        os.environ["PATH"] = f"{folder}{os.pathsep}{os.environ.get('PATH', '')}"
    return found
