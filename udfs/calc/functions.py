"""The worksheet functions as Calc calls them: what UNO carries in, and what it takes back."""

from __future__ import annotations

import struct
from collections.abc import Callable
from functools import lru_cache, partial

from valet_xl.functions.catalogue import REGISTRY
from valet_xl.functions.registry import Cells, ErrorCell, Function
from valet_xl.hosts.binding import Carrier, Rows
from valet_xl_calc import method_name

# Calc takes a NaN for an error value, whose number is in its low bits: 519 is #VALUE!.
ERRORS = {ErrorCell.VALUE: struct.unpack("<d", struct.pack("<Q", 0x7FF8 << 48 | 519))[0]}

UNO = Carrier(ERRORS.__getitem__, "", frozenset({float, str}), rows=tuple)
"""How UNO carries cells: it knows no blank, which is an empty text, and no TRUE, which is 1."""

KEPT, MOST_KEPT = 128, 200  # answers of a function that are kept, and the cells of a question whose answer is


def bind(function: Function) -> Callable[..., Rows]:
    """A function that takes and gives what UNO carries.

    Small answers are kept for a while, since each formula of a column may ask for the same range.
    """
    answer = UNO.bind(function, partial(_computed, function))
    kept = lru_cache(maxsize=KEPT)(answer)

    def bound(*values: object) -> Rows:
        cells = sum(len(value) * len(value[0]) for value in values if type(value) is tuple)
        return kept(*values) if cells <= MOST_KEPT else answer(*values)

    return bound


def _computed(function: Function, *arguments: object) -> Cells:
    """Compute; where a 0 cannot be used it is taken for a blank cell, as Calc hands over a single one as 0."""
    cells = function(*arguments)
    if cells == [[ErrorCell.VALUE]] and any(argument == 0.0 for argument in arguments):
        cells = function(*[None if argument == 0.0 else argument for argument in arguments])
    return cells


METHODS = {method_name(name): bind(function) for name, function in REGISTRY.items()}
"""The methods of the add-in's interface."""
