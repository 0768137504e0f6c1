"""The worksheet functions as xlwings offers them to Excel, one for each record of the registry."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from types import NoneType

import xlwings as xw

from valet_xl.functions.catalogue import REGISTRY
from valet_xl.functions.registry import LONGEST_TEXT, Argument, Function, Missing
from valet_xl.hosts.binding import Carrier, Rows
from valet_xl_excel.cells import error_value, read_cell

CATEGORY = "Bridge scoring"

# MS-VBAL 3.3.5.2: what no parameter may be called, by the rules of that section.
_RESERVED = {
    "statement-keyword": """
        call case close const declare defbool defbyte defcur defdate defdbl defint deflng deflnglng deflngptr defobj
        defsng defstr defvar dim do else elseif end endif enum erase event exit for friend function get global gosub
        goto if implements input let lock loop lset next on open option print private public put raiseevent redim
        resume return rset seek select set static stop sub type unlock wend while with write""",
    "rem-keyword": "rem",
    "marker-keyword": """
        any as byref byval case each else in new optional paramarray preserve shared spc tab then to until withevents
        write""",
    "operator-identifier": "addressof and eqv imp is like mod new not or typeof xor",
    "reserved-name": """
        abs cbool cbyte ccur cdate cdbl cdec cint clng clnglng clngptr csng cstr cvar cverr date debug doevents fix int
        len lenb me pset scale sgn string""",
    "special-form": "array circle input inputb lbound scale ubound",
    "reserved-type-identifier": """
        boolean byte currency date double integer long longlong longptr single string variant""",
    "literal-identifier": "empty false nothing null true",
    "reserved-for-implementation-use": "attribute lineinput",
    "future-reserved": "cdecl decimal defdec",
}
# Words that the specification allows and that Excel's editor or readers of VBA may take for something else.
_DOUBTFUL = "access alias error lib line me mid name object property random read step text time width"
VBA_WORDS = frozenset(word for words in (*_RESERVED.values(), _DOUBTFUL) for word in words.split())


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


COM = Carrier(error_value, None, frozenset({float, str, bool}), read=read_cell, same=frozenset({float, bool, NoneType}))
"""How cells come over COM and go back. A required argument that was left out comes as None, others as their default."""


def bind(function: Function) -> Callable[..., Rows]:
    """A function that takes and gives what xlwings carries, under the registered function's name and arguments."""
    bound = COM.bind(function)
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
    # Last, as each argument sets the category back.
    return xw.func(category=CATEGORY)(bound)


globals().update({name: bind(function) for name, function in REGISTRY.items()})
