"""Sentences for people: numbers of things, lists that end in time, lines without breaks, commands to paste."""

from __future__ import annotations

import shutil
import sys
from collections.abc import Iterable
from importlib.util import find_spec
from pathlib import Path
from typing import Protocol

from valet_xl.errors import ArgumentError, OptionError, ValetError


class Progress(Protocol):
    """What long work calls to say what it does now: what begins, and how much of it is done, from 0 to 1.

    The text begins with the name of the step, such as "scoring 30,000 rows" of the step "scoring".
    """

    def __call__(self, text: str, done: float = 0.0, /) -> object:
        """Say it."""


def unsaid(text: str, done: float = 0.0, /) -> None:
    """The step of work that nobody watches."""


LONGEST_MESSAGE = 900  # characters: Excel shows some 1,000, and more do not fit a small screen


def counted(number: int, what: str) -> str:
    """A number of things.

    >>> counted(1, "row"), counted(1200, "row")
    ('1 row', '1,200 rows')
    """
    return f"{number:,} {what}{'' if number == 1 else 's'}"


def listed(head: str, lines: Iterable[str]) -> str:
    """A message with a line for each of several things, and no longer than what is shown of one."""
    every = list(lines)
    shown = [head]
    for line in every:
        if sum(map(len, shown)) + len(line) > LONGEST_MESSAGE:
            shown.append(f"... and {len(every) - len(shown) + 1:,} more")
            break
        shown.append(line)
    return "\n".join(shown)


def to_install(extra: str) -> str:
    """The command that installs what an extra of valet_xl needs, wherever valet_xl itself came from."""
    from importlib.metadata import PackageNotFoundError, requires  # noqa: PLC0415 - it takes time to load

    try:
        every = requires("valet-xl") or []
    except PackageNotFoundError:  # inside an extension
        every = []
    needed = [one.partition(";")[0].strip() for one in every if f'extra == "{extra}"' in one.replace("'", '"')]
    return pip_install(*needed) if needed else f"what the extra {extra} of valet_xl needs"


def pip_install(*arguments: str) -> str:
    """The command that installs packages for the Python that runs this, which a shell takes as it is.

    An environment that uv made has no pip, and a Python in a browser has Pyodide's micropip.
    """
    if sys.platform == "emscripten":
        return f"await micropip.install([{', '.join(map(repr, arguments))}])"
    quoted = " ".join(f'"{text}"' if set(text) & set("<>[]; ") else text for text in arguments)
    known, running = shutil.which("python"), Path(sys.executable)
    # Another environment's may be a link to the same program; python and python3 of one folder are of one environment.
    same = known is not None and Path(known).absolute().parent == running.parent and running.exists()
    here = "python" if same and Path(str(known)).samefile(running) else _quoted(sys.executable)
    if find_spec("pip") is None and shutil.which("uv"):
        return f"uv pip install --python {here} {quoted}"
    start = "& " if here.startswith('"') and sys.platform == "win32" else ""  # for PowerShell
    return f"{start}{here} -m pip install {quoted}"


def _quoted(path: str) -> str:
    return f'"{path}"' if " " in path else path


def sentence(text: object) -> str:
    """A message that begins with a capital.

    >>> sentence("no heading row")
    'No heading row'
    """
    return str(text)[:1].upper() + str(text)[1:]


def one_line(text: object) -> str:
    """A text without breaks and double blanks.

    >>> one_line("opening\\n lead")
    'opening lead'
    """
    return " ".join(str(text).split())


def error_line(error: ValetError, file: Path | None = None, output: Path | None = None) -> str:
    """What is said where a file cannot be used.

    file : the file that is named where the error does not name it; an error about options has nothing to do with it
    output : the file to be written, which an error about it begins with
    """
    text = one_line(error)
    named = (file is not None and file.name in text) or (output is not None and text.startswith(f"{output}: "))
    of_file = file is not None and not isinstance(error, OptionError | ArgumentError) and not named
    return f"{file}: {text}" if of_file else text
