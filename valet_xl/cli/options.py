"""The options of scoring, declared once for all commands that score."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable
from functools import wraps
from pathlib import Path
from typing import Annotated, Any

import typer

from valet_xl.cli.terminal import fail
from valet_xl.engine.butler import ROUNDINGS, RULES
from valet_xl.engine.comparison import DIVISORS
from valet_xl.engine.laws import IMP_ROUNDINGS
from valet_xl.engine.options import RESULTS_ARE, ROUNDS, Options
from valet_xl.engine.valet import LEADS, METHODS

_PLACE = "options"  # the parameter of a command that the options stand for


def words(of: Iterable[str], says: str) -> Any:
    """An option that takes one of some words, which is checked where it is used."""
    return typer.Option(metavar="|".join(of), help=says)


OPTIONS: dict[str, Any] = {
    "method": Annotated[str, words(METHODS, "What Bid, Play, Lead and Defence are parts of.")],
    "cloud": Annotated[bool, typer.Option("--cloud", help="Compare with what the others' contracts are worth.")],
    "lead": Annotated[str, words(LEADS, "Which opening leads are alike.")],
    "datum": Annotated[str, words(RULES, "The rule of the datum.")],
    "leave_out": Annotated[
        float | None,
        typer.Option(help="For a trimmed datum: scores left out at each end, 1 by default, or a share such as 0.05."),
    ],
    "rounding": Annotated[
        str, words(ROUNDINGS, "Of the datum: none; to an integer toward 0; to the nearest 10; halves even; down.")
    ],
    "imp_rounding": Annotated[
        str, words(IMP_ROUNDINGS, "Of a difference that is no multiple of 10: to the nearest 10, or down.")
    ],
    "double": Annotated[bool, typer.Option("--double", help="Butler as half the IMPs of twice the difference.")],
    "divisor": Annotated[str, words(DIVISORS, "What a sum of cross-IMPs is divided by.")],
    "result_is": Annotated[str, words(RESULTS_ARE, "What a column Result holds: made (= +1 -2), or total tricks.")],
    "rounds": Annotated[str, words(ROUNDS, "Whether a board number in another round is a new deal or the same.")],
}
"""The command line's option for each field of `Options`."""

Sheet = Annotated[
    str | None, typer.Option(help="The sheet; else the one the workbook opens with, or the only one with results.")
]
Names = Annotated[
    Path | None, typer.Option(help="For Valet text: the players' names; else names.txt in the same folder.")
]


def takes_options(*names: str) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """Give a command options of scoring, all or those that are named, in the place of its parameter `options`.

    Options that do not go together end it with one line, before any file is read.
    """
    default = Options()
    added = [
        inspect.Parameter(
            name, inspect.Parameter.KEYWORD_ONLY, default=getattr(default, name), annotation=OPTIONS[name]
        )
        for name in names or OPTIONS
    ]

    def with_options(command: Callable[..., None]) -> Callable[..., None]:
        signature = inspect.signature(command, eval_str=True)
        place = list(signature.parameters).index(_PLACE)
        own = [one.replace(kind=inspect.Parameter.KEYWORD_ONLY) for one in signature.parameters.values()]

        @wraps(command)
        def run(**given: Any) -> None:
            try:
                options = Options(**{one.name: given.pop(one.name) for one in added})
            except ValueError as error:
                fail(error)
            command(**given, options=options)

        parameters = [*own[:place], *added, *own[place + 1 :]]
        run.__signature__ = signature.replace(parameters=parameters)  # type: ignore[attr-defined]
        return run

    return with_options
