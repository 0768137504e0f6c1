"""What the engine says, in the words of a page: options have labels there, and no dashes before their names."""

from __future__ import annotations

import re

from valet_xl.engine.options import OPTIONS
from valet_xl.rankings.options import RANKING_OPTIONS

_OPTIONS = {**RANKING_OPTIONS, **OPTIONS}
_SHEET = re.compile(r"\bname one with --sheet\b")
_OPTION = re.compile(r"(?:\bthe option [a-z-]+: )?--([a-z]+(?:-[a-z]+)*)(?: ([a-z][a-z_-]*))?")


def in_page(text: str) -> str:
    """A message as a page says it.

    >>> in_page("several sheets contain results: A, B (name one with --sheet)")
    'several sheets contain results: A, B (choose one under Sheet)'
    >>> in_page("scored by IMPs, as the event was (if not: --method)")
    'scored by IMPs, as the event was (if not: the option Method)'
    >>> in_page("(expected the option language: --language french or --language german)")
    '(expected the option Language: french or the option Language: german)'
    """
    return _OPTION.sub(_labelled, _SHEET.sub("choose one under Sheet", text))


def _labelled(found: re.Match[str]) -> str:
    name, word = found[1].replace("-", "_"), found[2] or ""
    if name not in _OPTIONS:
        return found[0]
    option = _OPTIONS[name]
    return f"the option {option.label}" + (f": {word}" if word in option.words else f" {word}" if word else "")
