"""Libraries that some kinds of files need, and what people read where one is not there, as in a browser."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager

from valet_xl.errors import FileError
from valet_xl.messages import pip_install


@contextmanager
def loading(*libraries: str) -> Iterator[None]:
    """Around the import of libraries, or of a module that needs them.

    Parameters
    ----------
    libraries : the names that they are imported by

    Raises
    ------
    FileError : where one of them is not there, or cannot be loaded
    """
    try:
        yield
    except ImportError as error:
        missing = (error.name or "").partition(".")[0]
        if missing not in libraries:
            raise
        where, way = "", f"install it with: {pip_install(missing.replace('_', '-'))}"
        if sys.platform == "emscripten":  # there is none on the package index
            where, way = " in a browser", "the command valet-xl reads it"
        raise FileError(f"a file of this kind cannot be read{where} for want of {missing} ({way})") from error
