"""Sheets that a host adds to a document: what is on them, and what they are called."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import count

from valet_xl.engine.options import Options
from valet_xl.engine.results import Results
from valet_xl.functions.catalogue import REGISTRY
from valet_xl.functions.registry import Function
from valet_xl.rankings.listing import Heading, Listing, Value
from valet_xl.rankings.ranking import rank, view
from valet_xl.rankings.totals import totals

TEXT = "@"  # the number format of texts
WITHOUT = "Ranked without the boards on which a row cannot be read:"
"""The head of the message to a user who ranks the pairs of a sheet with errors."""


@dataclass(frozen=True, slots=True)
class NewSheet:
    """A sheet with a table whose headings are in its first row, from A on.

    wrapped : whether texts are broken into lines
    """

    name: str
    table: Listing
    wrapped: bool = False


def function_list() -> NewSheet:
    """The worksheet functions, a row each.

    >>> function_list().table.rows[0][0]
    'VALET_SCORE(contract, [declarer], [result], [vulnerability], [result_is])'
    """
    headings = (
        Heading("Function", "its name and arguments, those in brackets may be left out", TEXT, 22),
        Heading("What it gives", "a sentence", TEXT, 44),
        Heading("Arguments", "a line each", TEXT, 70),
        Heading("Result", "unit and shape", TEXT, 34),
        Heading("Example", "as it is typed: shown, not computed", TEXT, 44),
    )
    rows = [
        (function.usage, function.sentence, _arguments(function), function.result, function.example)
        for function in REGISTRY.values()
    ]
    columns = tuple(list[Value](column) for column in zip(*rows, strict=True))
    return NewSheet("Bridge functions", Listing(headings, columns), wrapped=True)


def ranking_sheet(results: Results, options: Options, taken: Iterable[str]) -> NewSheet:
    """The ranking of the pairs, on a sheet whose name is not taken.

    Raises
    ------
    ValetError : where no pairs are named, or nothing can be compared
    """
    return NewSheet(free_name("Ranking", taken), view(rank(totals(results, options)).listing))


def _arguments(function: Function) -> str:
    names = (f"[{argument.name}]" if argument.optional else argument.name for argument in function.arguments)
    return "\n".join(f"{name}: {argument.sentence}" for name, argument in zip(names, function.arguments, strict=True))


def free_name(wanted: str, taken: Iterable[str]) -> str:
    """A name that no sheet has yet: programs take capitals and small letters for the same.

    >>> free_name("Ranking", ["Results", "ranking"])
    'Ranking 2'
    """
    names = {name.casefold() for name in taken}
    if wanted.casefold() not in names:
        return wanted
    return next(name for name in (f"{wanted} {number}" for number in count(2)) if name.casefold() not in names)
