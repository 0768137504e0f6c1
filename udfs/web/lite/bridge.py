"""The worksheet functions for xlwings Lite: a personal module gives them to every workbook.

They are in this module under their names, such as VALET_IAF.
"""

import datetime
import inspect
from collections.abc import Callable
from typing import Any

import xlwings as xw

from valet_xl.functions.catalogue import REGISTRY
from valet_xl.functions.registry import ErrorCell, Function
from valet_xl.hosts.binding import Carrier, Rows


def _read(value: object) -> object:
    """A cell as the engine takes it: a whole number comes as one, and a day as a moment."""
    if isinstance(value, int) and not isinstance(value, bool):
        return float(value)
    if isinstance(value, datetime.datetime) and value.time() == datetime.time():
        return value.date()
    return value


LITE = Carrier(lambda error: error.value, "", frozenset({float, str, bool}), read=_read)
"""How cells come to Lite's functions and go back."""
_REFUSED = [[ErrorCell.VALUE.value]]


def bind(function: Function) -> Callable[..., Rows]:
    """A function that takes and gives what xlwings Lite carries; what cannot be computed is Excel's #VALUE!."""
    carried = LITE.bind(function)

    def bound(*values: object) -> Rows:
        cells = carried(*values)
        if cells == _REFUSED:
            raise xw.XlwingsError(
                "an argument cannot be used (VALET_CHECK lists the rows of results that cannot be read)"
            )
        return cells

    made: Any = bound
    made.__name__ = made.__qualname__ = function.name
    made.__doc__ = function.sentence
    made.__signature__ = inspect.Signature(
        [
            inspect.Parameter(
                argument.name,
                inspect.Parameter.POSITIONAL_OR_KEYWORD,
                default=None if argument.optional else inspect.Parameter.empty,
            )
            for argument in function.arguments
        ]
    )
    made.__annotations__ = {}  # xlwings would convert by them
    for argument in function.arguments:
        made = xw.arg(argument.name, ndim=2, err_to_str=True, doc=argument.sentence)(made)
    return xw.func(made)


globals().update({name: bind(function) for name, function in REGISTRY.items()})
