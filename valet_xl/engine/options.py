"""The options of scoring: one record for each, from which hosts, commands, functions and documentation are made."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any

from valet_xl.engine.butler import datum
from valet_xl.engine.languages import LANGUAGES
from valet_xl.errors import one_of
from valet_xl.messages import sentence


@dataclass(frozen=True, slots=True)
class Option:
    """One option.

    name : what Python and the command line call it; of an option of scoring the field of `Options`
    label : what menus and ribbons call it
    sentence : what it chooses, for help texts: a phrase without a capital or a full stop
    default : what is taken where nothing is chosen: a word, False for a switch, a number, or None
    words : the words to choose from, each with what it means ('' where the word says it); none for another kind
    text : whether it is a text of any words
    least, whole : of a number, the smallest one, and whether fractions are refused
    in_menus : whether hosts offer it and documents remember it; only for a switch or an option with words
    labels : what menus and ribbons call the words; a word that has none is called by itself, with a capital
    """

    name: str
    label: str
    sentence: str
    default: str | bool | float | None
    words: Mapping[str, str] = field(default_factory=dict)
    text: bool = False
    least: float | None = None
    whole: bool = False
    in_menus: bool = False
    labels: Mapping[str, str] = field(default_factory=dict)

    def label_of(self, word: str) -> str:
        """What menus and ribbons call a word.

        >>> OPTIONS["method"].label_of("iaf"), OPTIONS["datum"].label_of("median")
        ('Cross-IMPs', 'Median')
        """
        return self.labels.get(word, word.capitalize())

    @property
    def is_switch(self) -> bool:
        """Whether it is turned on and off."""
        return isinstance(self.default, bool)

    @property
    def help(self) -> str:
        """The sentence, with what the words mean.

        >>> OPTIONS["imp_rounding"].help.split(": ")[1]
        'nearest, to the nearest 10; down, to the 10 toward 0.'
        """
        meanings = "; ".join(f"{word}, {meaning}" for word, meaning in self.words.items() if meaning)
        return f"{sentence(self.sentence)}{': ' if meanings else ''}{meanings}."


_RECORDS = (
    Option(
        "method",
        "Method",
        "what Bid, Play, Lead and Defence are parts of",
        "iaf",
        {"iaf": "cross-IMPs", "datum": "IMPs against the datum", "matchpoints": ""},
        in_menus=True,
        labels={"iaf": "Cross-IMPs", "datum": "Butler"},
    ),
    Option(
        "cloud",
        "Cloud",
        "compare with what the other tables' contracts are worth, not with what they scored",
        False,
        in_menus=True,
    ),
    Option(
        "lead",
        "Lead",
        "which opening leads count as alike",
        "suit",
        {
            "suit": "the same suit",
            "none": "leads are not looked at, and the whole defence is one part",
            "honour": "the same suit, and an honour or not",
            "card": "the same card",
        },
        in_menus=True,
        labels={"suit": "Same suit", "none": "No leads", "honour": "Same suit and honour", "card": "Same card"},
    ),
    Option(
        "unknown_lead",
        "Unknown lead",
        "what an opening lead that is not known is worth to its leader",
        "blank",
        {"blank": "nothing, and it is no chance", "zero": "a score of 0, as in the Valet program"},
    ),
    Option(
        "datum",
        "Datum",
        "the rule of the datum",
        "mean",
        {
            "mean": "",
            "trimmed": "the mean without the highest and lowest scores",
            "median": "",
            "par": "the VBA function",
            "zero-sum": "the multiple of 10 whose IMPs add up to nearest 0",
        },
        in_menus=True,
        labels={"trimmed": "Trimmed mean", "par": "Par (VBA)"},
    ),
    Option(
        "leave_out",
        "Leave out",
        "for a trimmed datum: how many scores are left out at each end (1), or a share such as 0.05",
        None,
        least=0,
    ),
    Option(
        "rounding",
        "Rounding",
        "how the datum is rounded",
        "none",
        {
            "none": "",
            "integer": "to a whole number, toward 0",
            "nearest": "to the nearest 10, halves away from 0",
            "even": "to the nearest 10, halves to even tens",
            "down": "to the 10 toward 0",
        },
    ),
    Option(
        "imp_rounding",
        "IMP rounding",
        "how a difference that is no multiple of 10 is rounded before it becomes IMPs",
        "nearest",
        {"nearest": "to the nearest 10", "down": "to the 10 toward 0"},
    ),
    Option("double", "Double", "Butler as half the IMPs of twice the difference", False),
    Option(
        "divisor",
        "Divisor",
        "what the sum of IMPs in IAF is divided by, n being the number of scores",
        "n-1",
        {"n-1": "", "n": "", "total": "nothing", "sqrt": "the square root of n(n-1)/2"},
    ),
    Option(
        "barking",
        "Barking",
        "whether every pair is also scored in all the teams of eight that the pairs of a board can make",
        "none",
        {"none": "no", "total": "the sum of IMPs", "average": "IMPs per comparison"},
    ),
    Option(
        "factor",
        "Factor",
        "at matchpoints, what is done where a board has fewer results than is normal in the session",
        "neuberg",
        {"neuberg": "they are factored up by Neuberg's formula", "none": "nothing"},
    ),
    Option(
        "play_percent",
        "Play per cent",
        "at matchpoints, how the percentage of play follows from those of the whole result and of the bidding",
        "rest",
        {
            "rest": "50 + overall - bid, as in the Valet program",
            "twice": "2 x overall - bid, as in the Valet paper, so that overall is the average of bid and play",
        },
    ),
    Option(
        "result_is",
        "Result is",
        "how results are written",
        "auto",
        {
            "auto": "as heading and cells show",
            "made": "in tricks against the contract, as =, +1, -2",
            "tricks": "as all tricks",
            "odd": "as odd tricks made, 4 in 4S, or tricks down",
        },
        in_menus=True,
        labels={"auto": "Automatic", "made": "Against the contract", "tricks": "All tricks", "odd": "Odd tricks"},
    ),
    Option(
        "rounds",
        "Rounds",
        "whether a board number in another round is a new deal",
        "auto",
        {"auto": "new if players meet a number again", "new": "", "same": ""},
    ),
    Option(
        "language",
        "Language",
        "the language of the suits, seats and cards in cells",
        "auto",
        {"auto": "as headings and cells show", **dict.fromkeys(LANGUAGES, "")},
        in_menus=True,
        labels={"auto": "Automatic"},
    ),
)
OPTIONS: Mapping[str, Option] = MappingProxyType({option.name: option for option in _RECORDS})
"""The records by the names of the options, in the order in which they are listed."""


def _default(name: str) -> Any:
    return OPTIONS[name].default


@dataclass(frozen=True, slots=True)
class Options:
    """How to score: the options of `valet`, `datum`, `butler` and `cross_imps`, and how rows are read (`read_rows`).

    `OPTIONS` has a record for each field.
    """

    method: str = _default("method")
    cloud: bool = _default("cloud")
    lead: str = _default("lead")
    unknown_lead: str = _default("unknown_lead")
    datum: str = _default("datum")
    leave_out: float | None = _default("leave_out")
    rounding: str = _default("rounding")
    imp_rounding: str = _default("imp_rounding")
    double: bool = _default("double")
    divisor: str = _default("divisor")
    barking: str = _default("barking")
    factor: str = _default("factor")
    play_percent: str = _default("play_percent")
    result_is: str = _default("result_is")
    rounds: str = _default("rounds")
    language: str = _default("language")

    @property
    def in_halves(self) -> bool:
        """Whether overall is the average of bid and play, and not their sum."""
        return self.method == "matchpoints" and self.play_percent == "twice"

    def __post_init__(self) -> None:
        """Refuse an option that is none of its words, before anything is read."""
        for option in OPTIONS.values():
            if option.words:
                one_of(option.name, getattr(self, option.name), option.words)
        # Raises if these do not go together:
        datum([], rule=self.datum, leave_out=self.leave_out, rounding=self.rounding)
