"""The worksheet functions as Calc calls them: what UNO carries in, and what it takes back."""

from __future__ import annotations

import struct
from collections.abc import Callable, Sequence
from functools import lru_cache
from itertools import chain

from valet_xl.faults import log_fault
from valet_xl.functions.catalogue import REGISTRY
from valet_xl.functions.registry import Cell, Cells, ErrorCell, Function, Missing
from valet_xl_calc import method_name

Rows = tuple[tuple[object, ...], ...]

# Calc takes a NaN for an error value, whose number is in its low bits: 519 is #VALUE!.
ERRORS = {ErrorCell.VALUE: struct.unpack("<d", struct.pack("<Q", 0x7FF8 << 48 | 519))[0]}

KEPT, MOST_KEPT = 128, 200  # answers of a function that are kept, and the cells of a question whose answer is
_AS_THEY_ARE = {float, str}


def bind(function: Function) -> Callable[..., Rows]:
    """A function that takes and gives what UNO carries.

    Whatever goes wrong is a #VALUE! in the cell; a fault of ours is also logged. Small answers are kept for a
    while, since each formula of a column may ask for the same range.
    """

    def answer(*values: object) -> Rows:
        try:
            cells = _computed(function, [Missing.ARGUMENT if value is None else value for value in values])
        except Exception as error:  # nothing else would come back to the cell
            log_fault(error, function.name)
            cells = [[ErrorCell.VALUE]]
        if set(map(type, chain.from_iterable(cells))) <= _AS_THEY_ARE:
            return tuple(map(tuple, cells))
        return tuple([tuple([_written(cell) for cell in row]) for row in cells])

    kept = lru_cache(maxsize=KEPT)(answer)

    def bound(*values: object) -> Rows:
        cells = sum(len(value) * len(value[0]) for value in values if type(value) is tuple)
        return kept(*values) if cells <= MOST_KEPT else answer(*values)

    return bound


def _computed(function: Function, arguments: Sequence[object]) -> Cells:
    """Compute; where a 0 cannot be used it is taken for a blank cell, as Calc hands over a single one as 0."""
    cells = function(*arguments)
    if cells == [[ErrorCell.VALUE]] and any(argument == 0.0 for argument in arguments):
        cells = function(*[None if argument == 0.0 else argument for argument in arguments])
    return cells


def _written(cell: Cell) -> object:
    """A computed cell as Calc takes it: a number or a text. It knows no blank, which is an empty text."""
    if type(cell) in _AS_THEY_ARE:
        return cell
    if cell is None:
        return ""
    return ERRORS[cell] if isinstance(cell, ErrorCell) else float(cell)


METHODS = {method_name(name): bind(function) for name, function in REGISTRY.items()}
"""The methods of the add-in's interface."""
