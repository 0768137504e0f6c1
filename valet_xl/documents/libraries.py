"""Libraries that some kinds of files need, and what people read where one is not there, as in a browser."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager

from valet_xl.errors import FileError
from valet_xl.messages import pip_install, to_install


@contextmanager
def loading(*libraries: str, extra: str = "") -> Iterator[None]:
    """Around the import of libraries, or of a module that needs them.

    Parameters
    ----------
    libraries : the names that they are imported by
    extra : of valet_xl, that has them; without one each is a package of its own name

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
        where, way = "", f"install it with: {to_install(extra) if extra else pip_install(missing.replace('_', '-'))}"
        if sys.platform == "emscripten":  # where nobody can run that
            where, way = " in a browser", "the command valet-xl reads it"
        raise FileError(f"a file of this kind cannot be read{where} for want of {missing} ({way})") from error
