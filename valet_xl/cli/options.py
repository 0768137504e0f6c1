"""The options of scoring, declared once for all commands that score."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable
from functools import wraps
from pathlib import Path
from typing import Annotated, Any

import typer

from valet_xl.engine.options import OPTIONS, Option, Options

_PLACE = "options"  # the parameter of a command that the options replace
_CONTEXT = "context"  # what typer calls the command with
_ASKED = "asked"  # and the one that takes the names of those that the user gave, if the command has it


def words(of: Iterable[str], says: str) -> Any:
    """An option that takes one of some words, which is checked where it is used."""
    return typer.Option(metavar="|".join(of), help=says)


def from_record(option: Option) -> Any:
    """What the command line makes of an option's record: how it is written there, and its help."""
    if option.is_switch:
        return typer.Option(f"--{option.name.replace('_', '-')}", help=option.help)
    if option.words:
        return words(option.words, option.help)
    return typer.Option(help=option.help, min=option.least if option.whole else None)


def _annotation(option: Option) -> Any:
    """The type of an option of scoring on the command line, with its help."""
    kind: Any = bool if option.is_switch else str if option.words else float | None
    return Annotated[kind, from_record(option)]


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
            name, inspect.Parameter.KEYWORD_ONLY, default=getattr(default, name), annotation=_annotation(OPTIONS[name])
        )
        for name in names or OPTIONS
    ]

    def with_options(command: Callable[..., None]) -> Callable[..., None]:
        signature = inspect.signature(command, eval_str=True)
        takes_asked = _ASKED in signature.parameters
        listed = [one for one in signature.parameters.values() if one.name != _ASKED]
        place = [one.name for one in listed].index(_PLACE)
        own = [one.replace(kind=inspect.Parameter.KEYWORD_ONLY) for one in listed]

        @wraps(command)
        def run(**given: Any) -> None:
            options = Options(**{one.name: given.pop(one.name) for one in added})
            if takes_asked:
                source = given.pop(_CONTEXT).get_parameter_source
                given[_ASKED] = frozenset(one.name for one in added if source(one.name).name != "DEFAULT")
            command(**{_PLACE: options, **given})

        parameters = [*own[:place], *added, *own[place + 1 :]]
        if takes_asked:
            parameters.append(inspect.Parameter(_CONTEXT, inspect.Parameter.KEYWORD_ONLY, annotation=typer.Context))
        run.__signature__ = signature.replace(parameters=parameters)  # type: ignore[attr-defined]
        return run

    return with_options
