"""Sentences for people: numbers of things, lists that end in time, lines without breaks."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from valet_xl.errors import ArgumentError, OptionError, ValetError

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
