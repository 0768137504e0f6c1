"""What the page knows before Python has started: options, formats and examples, generated from the records."""

from __future__ import annotations

import json
from typing import Any

from valet_xl.engine.options import OPTIONS, Option
from valet_xl.hosts.findings import bundled
from valet_xl.messages import sentence
from valet_xl.rankings.options import RANKING_OPTIONS
from valet_xl.reading import parquet
from valet_xl.reading.files import FORMATS
from valet_xl.version import __version__

DECLARED = "declared.json"
"""The file that has it."""
_WORKBOOK = "examples/results.xlsx"
EXAMPLES = (
    ("examples/club-evening.csv", "Club evening", "16 pairs, 24 boards, made up: with a ranking"),
    (_WORKBOOK, "Championship", "a workbook with boards of the Bermuda Bowl 2015, to be scored in place"),
)
"""The files that a visitor can try: where each is, what it is called, and what is in it."""
_RANKING = ("who", "order", "minimum", "compensation", "scale")
_SWITCHES = (
    Option("strengths", "Strengths", "add the strengths of all pairs, solved together", False),
    Option("one_event", "One event", "of several files: a round and board number are the same deal in all", False),
)
_SIDE = "side"
_MORE_SUFFIXES = (".txt", ".tsv")
NOT_READ = (parquet.FORMAT,)
"""The formats whose libraries no browser has: pyarrow is not on the package index for browsers."""


def files() -> dict[str, bytes]:
    """The generated files of the page, and the workbook that visitors can try."""
    return {
        DECLARED: (json.dumps(declared(), indent=1, ensure_ascii=False) + "\n").encode(),
        _WORKBOOK: bundled(_WORKBOOK.rpartition("/")[2]),
    }


def declared() -> dict[str, Any]:
    """What is in the file."""
    formats = [each for each in FORMATS if each not in NOT_READ]
    suffixes = dict.fromkeys(suffix for each in formats for suffix in each.suffixes)
    return {
        "version": __version__,
        "suffixes": list(dict.fromkeys([*suffixes, *_MORE_SUFFIXES])),
        "reads": f"{sentence(', '.join(dict.fromkeys(each.file for each in formats)))}.",
        "scoring": [_described(option) for option in OPTIONS.values()],
        "ranking": [_described(RANKING_OPTIONS[name]) for name in _RANKING] + [_described(each) for each in _SWITCHES],
        "side": _described(RANKING_OPTIONS[_SIDE]),
        "examples": [{"file": file, "label": label, "says": says} for file, label, says in EXAMPLES],
    }


def _described(option: Option) -> dict[str, Any]:
    """An option's record."""
    kind = "switch" if option.is_switch else "words" if option.words else "text" if option.text else "number"
    return {
        "name": option.name,
        "label": option.label,
        "says": option.sentence,
        "kind": kind,
        "default": option.default,
        "words": [{"word": word, "says": says} for word, says in option.words.items()],
        "least": option.least,
        "whole": option.whole,
        "often": option.in_menus,
    }
