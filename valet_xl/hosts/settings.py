"""How a document is scored, as the document remembers it: the same names and words in every host."""

from __future__ import annotations

import logging
from dataclasses import replace
from typing import Any, Protocol

from valet_xl.engine.options import OPTIONS, Option, Options
from valet_xl.errors import ValetError, one_of

REMEMBERED = tuple(
    sorted((name for name, option in OPTIONS.items() if option.in_menus), key=lambda name: OPTIONS[name].is_switch)
)
"""The options that the hosts offer and a document remembers, in the order in which menus and ribbons show them: those
with words, then the switches."""
NAMES = "valet_xl_"
"""What the names begin with under which a document keeps its settings; the rest is the option's name."""
ON, OFF = "TRUE", "FALSE"
"""The words of a switch in a document."""

_log = logging.getLogger(__name__)


class Memory(Protocol):
    """What a document remembers: texts under names, kept in its file."""

    def recall(self, name: str) -> str:
        """The text under a name, as the document has it: `word`, `"word"` or `="word"`; '' if there is none."""
        ...

    def remember(self, name: str, text: str) -> None:
        """Keep a text under a name, in place of an earlier one."""
        ...


def words(option: Option) -> tuple[str, ...]:
    """The words of an option in the order in which hosts list them: the default first.

    >>> words(OPTIONS["lead"])[0]
    'suit'
    """
    return tuple(sorted(option.words, key=lambda word: word != option.default))


def settings(memory: Memory) -> Options:
    """How to score a document: what it remembers, and the default of an option whose text is none of its words."""
    options = Options()
    for name in REMEMBERED:
        text = memory.recall(f"{NAMES}{name}").removeprefix("=").strip('"')
        if not text:
            continue
        # Calc writes a switch that Excel set as 1 or TRUE().
        value: Any = text in {ON, f"{ON}()", "1"} if OPTIONS[name].is_switch else text
        try:
            options = replace(options, **{name: value})
        except ValetError:
            _log.warning("%s%s is %r", NAMES, name, text)
    return options


def choose(memory: Memory, name: str, word: str = "") -> None:
    """Let a document remember an option.

    Parameters
    ----------
    name : one of `REMEMBERED`
    word : one of the option's words; for a switch `ON` or `OFF`, and '' turns it over

    Raises
    ------
    OptionError : for another name or word
    """
    one_of("option", name, REMEMBERED)
    if OPTIONS[name].is_switch:
        word = word or (OFF if getattr(settings(memory), name) else ON)
        one_of(name, word, (ON, OFF))
    else:
        one_of(name, word, OPTIONS[name].words)
    memory.remember(f"{NAMES}{name}", word)


def is_chosen(memory: Memory, name: str, word: str = "") -> bool:
    """Whether a document is scored with a word of an option, or with a switch on."""
    value = getattr(settings(memory), name)
    return bool(value == word if word else value)
