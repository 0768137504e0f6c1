"""The options of scoring: their words, and what goes together."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

from valet_xl.engine.butler import ROUNDINGS, RULES, datum
from valet_xl.engine.comparison import DIVISORS
from valet_xl.engine.laws import IMP_ROUNDINGS
from valet_xl.engine.valet import LEADS, METHODS

RESULTS_ARE = ("made", "tricks")
ROUNDS = ("auto", "new", "same")

_WORDS: dict[str, Collection[str]] = {
    "method": METHODS,
    "lead": LEADS,
    "datum": RULES,
    "rounding": ROUNDINGS,
    "imp_rounding": IMP_ROUNDINGS,
    "divisor": DIVISORS,
    "result_is": RESULTS_ARE,
    "rounds": ROUNDS,
}


@dataclass(frozen=True, slots=True)
class Options:
    """How to score: the options of `valet`, `datum`, `butler` and `cross_imps`, and how rows are read (`read_rows`)."""

    method: str = "iaf"
    cloud: bool = False
    lead: str = "suit"
    datum: str = "mean"
    leave_out: float | None = None
    rounding: str = "none"
    imp_rounding: str = "nearest"
    double: bool = False
    divisor: str = "n-1"
    result_is: str = "made"
    rounds: str = "auto"

    def __post_init__(self) -> None:
        """Refuse an option that is none of its words, before anything is read."""
        for name, words in _WORDS.items():
            if getattr(self, name) not in words:
                raise ValueError(f"{name} must be one of {', '.join(words)}, got {getattr(self, name)!r}")
        datum([], self.datum, self.leave_out, self.rounding)  # tells whether these go together
