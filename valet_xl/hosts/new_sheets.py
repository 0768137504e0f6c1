"""Sheets that a host adds to a document: what is on them, and what they are called."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import count

from valet_xl.documents.page import TEXT
from valet_xl.engine.options import Options
from valet_xl.engine.results import Results
from valet_xl.functions.catalogue import REGISTRY
from valet_xl.functions.registry import Function
from valet_xl.messages import counted
from valet_xl.rankings.listing import Heading, Listing, Value
from valet_xl.rankings.ranking import method_said, order_said, rank, view
from valet_xl.rankings.totals import totals

WITHOUT = "Ranked without the boards on which a row cannot be read:"
"""The head of the message to a user who ranks the pairs of a sheet with errors."""


@dataclass(frozen=True, slots=True)
class NewSheet:
    """A sheet with a table, from column A on.

    above, below : lines of text over and under the table, with a blank row between; the first one is the title
    wrapped : whether texts are broken into lines
    """

    name: str
    table: Listing
    above: tuple[str, ...] = ()
    below: tuple[str, ...] = ()
    wrapped: bool = False

    @property
    def top(self) -> int:
        """The row of the headings, from 0."""
        return len(self.above) + 1 if self.above else 0

    @property
    def cells(self) -> list[list[Value]]:
        """All rows of the sheet; None for a blank cell."""
        rest: list[Value] = [None] * (len(self.table.headings) - 1)
        over, under = ([[line, *rest] for line in lines] for lines in (self.above, self.below))
        blank = [[None, *rest]]
        return [*over, *blank * bool(over), *self.table.with_heading(), *blank * bool(under), *under]


def function_list() -> NewSheet:
    """The worksheet functions, a row each.

    >>> function_list().table.rows[0][0]
    'VALET_SCORE(contract, [declarer], [result], [vulnerability], [result_is])'
    """
    headings = (
        Heading("Function", "its name and arguments, those in brackets may be left out", TEXT, _longest_part()),
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


def _longest_part() -> float:
    """How many characters a function's name needs with its first argument, so that no line breaks within."""
    return float(max(len(function.usage.split(" ")[0]) for function in REGISTRY.values()) + 2)


def ranking_sheet(results: Results, options: Options, taken: Iterable[str]) -> NewSheet:
    """The ranking of the pairs, on a sheet whose name is not taken.

    Raises
    ------
    ValetError : where no pairs are named, or nothing can be compared
    """
    table = totals(results, options)
    ranking = rank(table)
    shown, by = view(ranking.listing).names, ranking.by_name
    listing = ranking.listing.only([*shown, *(each.name for each in ranking.listing.headings if each.of == by)])
    size = f"{counted(len(listing), 'pair')}, {counted(table.boards, 'board')}, {counted(table.results, 'result')}."
    above = ("Ranking of the pairs", f"{size} {method_said(table)}", order_said(table, ranking))
    below = tuple(f"{heading.name}: {heading.says}." for heading in listing.headings)
    return NewSheet(free_name("Ranking", taken), listing, above, below)


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
