"""The worksheet functions as xlwings offers them to Excel, one for each record of the registry."""

from __future__ import annotations

import inspect
from collections.abc import Callable

import xlwings as xw

from valet_xl.faults import log_fault
from valet_xl.functions.catalogue import REGISTRY
from valet_xl.functions.registry import LONGEST_TEXT, Argument, ErrorCell, Function, Missing
from valet_xl_excel.cells import read_cells, written_cell

CATEGORY = "Bridge scoring"

# What VBA, in whose functions the arguments appear, takes for its own words.
_WORDS = """
    and any as attribute boolean byref byte byval call case close const currency date debug decimal declare dim do
    double each else elseif empty end enum eqv erase error event exit false for friend function get global gosub goto
    if imp implements in input integer is len let like lock long longlong longptr loop lset me mid mod new next not
    nothing null object on open option optional or paramarray preserve print private property public put raiseevent
    redim rem resume return rset seek select set single static step stop string sub tab then to true type typeof
    unlock until variant wend while with withevents write xor
"""
VBA_WORDS = frozenset(_WORDS.split())


def parameter_name(argument: Argument) -> str:
    """What an argument is called in Excel: its name, with a '_' behind it if that is a word of VBA's.

    >>> [parameter_name(argument) for argument in REGISTRY["VALET_BUTLER"].arguments]
    ['scores', 'rule', 'leave_out', 'rounding', 'double_']
    """
    return f"{argument.name}_" if argument.name.lower() in VBA_WORDS else argument.name


def help_text(function: Function) -> str:
    """What the function wizard says of a function: its sentence, and what it gives where there is room.

    >>> help_text(REGISTRY["VALET_IMP"])
    'International match points for a difference in points. Gives IMPs, the shape of difference.'
    """
    whole = f"{function.sentence} Gives {function.result}."
    return whole if len(whole) <= LONGEST_TEXT else function.sentence


def bind(function: Function) -> Callable[..., list[list[object]]]:
    """A function that takes and gives what xlwings carries, under the registered function's name and arguments.

    Whatever goes wrong is a #VALUE! in the cell; a fault of ours is also logged.
    """

    def bound(*values: object) -> list[list[object]]:
        try:
            cells = function(*[_argument(value) for value in values])
        except Exception as error:  # nothing else would come back to the cell
            log_fault(error, function.name)
            cells = [[ErrorCell.VALUE]]
        return [[written_cell(cell) for cell in row] for row in cells]

    bound.__name__ = bound.__qualname__ = function.name
    bound.__doc__ = help_text(function)
    bound.__annotations__ = {}  # xlwings would convert by them
    bound.__signature__ = inspect.Signature(  # type: ignore[attr-defined]
        [
            inspect.Parameter(
                parameter_name(argument),
                inspect.Parameter.POSITIONAL_OR_KEYWORD,
                default=Missing.ARGUMENT if argument.optional else inspect.Parameter.empty,
            )
            for argument in function.arguments
        ]
    )
    for argument in function.arguments:
        bound = xw.arg(parameter_name(argument), ndim=2, err_to_str=True, doc=argument.sentence)(bound)
    # Last, as each argument sets the category and the wizard's calls back.
    return xw.func(category=CATEGORY, call_in_wizard=False)(bound)


def _argument(value: object) -> object:
    """A block of cells; None, which is no block, is what xlwings gives for a required argument that was left out."""
    if value is None or value is Missing.ARGUMENT:
        return Missing.ARGUMENT
    return read_cells(value if isinstance(value, list) else [[value]])


globals().update({name: bind(function) for name, function in REGISTRY.items()})
