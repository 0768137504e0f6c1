"""The options of scoring, declared once for all commands that score, and those that several commands have."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable, Mapping
from functools import wraps
from typing import Any

import click
from click.core import ParameterSource

from valet_xl.cli.help import FILE, Words, option
from valet_xl.cli.process import keep_freed_memory
from valet_xl.documents.workers import ENGINES
from valet_xl.engine.options import OPTIONS, Option, Options
from valet_xl.errors import OptionError

FILES, RANKING, SCORING, READING = "Files", "Ranking", "Scoring", "Reading"
BULK = "Many files"
_OF_READING = ("result_is", "rounds", "language")
_ASKED = "asked"  # the parameter that takes the names of the options that the user gave, if the command has it

Decorator = Callable[[Callable[..., Any]], Callable[..., Any]]


def words(*names: str, of: Iterable[str], says: str, heading: str, **named: Any) -> Decorator:
    """An option that takes one of some words, which is checked where it is used."""
    return option(*names, type=Words(dict.fromkeys(of, "")), says=says, heading=heading, **named)


def from_record(record: Option, heading: str) -> Decorator:
    """What the command line makes of an option's record: how it is written there, and its help."""
    name = f"--{record.name.replace('_', '-')}"
    if record.is_switch:
        return option(name, is_flag=True, default=record.default, says=record.help, heading=heading)
    if record.words:
        taken = Words(record.words)
        unsaid = "" if taken.listed else f" One of {', '.join(record.words)}."
        return option(name, type=taken, default=record.default, says=record.help + unsaid, heading=heading)
    kind: click.ParamType[Any] = click.FLOAT
    if record.text:
        kind = click.STRING
    elif record.whole:
        kind = click.IntRange(min=None if record.least is None else int(record.least))
    return option(name, type=kind, default=record.default, says=record.help, heading=heading)


sheet_option = option(
    "--sheet",
    heading=FILES,
    says="The sheet; else the one the workbook opens with, or the only one with results.",
)
names_option = option(
    "--names", type=FILE, heading=FILES, says="For Valet text: the players' names; else names.txt in the same folder."
)


def output_option(says: str, **named: Any) -> Decorator:
    """The file that a command writes."""
    return option("--output", "-o", type=FILE, heading=FILES, says=says, **named)


def takes_workers(says: str) -> Decorator:
    """Give a command the options `engine`, `scheduler` and `processes`: who does its work.

    says : what they do
    """
    options = (
        words("--engine", of=ENGINES, default="processes", heading=BULK, says=says),
        option(
            "--scheduler",
            heading=BULK,
            metavar="ADDRESS",
            says="Of Dask, such as tcp://10.0.0.1:8786; else workers here.",
        ),
        option(
            "--processes", type=click.IntRange(0), default=0, heading=BULK, says="On this machine; 0: one per core."
        ),
    )

    def with_workers(command: Callable[..., Any]) -> Callable[..., Any]:
        for each in reversed(options):
            command = each(command)
        return command

    return with_workers


def refuse_beside(asked: Mapping[str, object]) -> None:
    """Refuse what does not go with Parquet files in pieces.

    asked : what the user gave, by its name

    Raises
    ------
    OptionError : which names the first that was given
    """
    given = [name for name, value in asked.items() if value]
    if given:
        raise OptionError(
            f"{given[0]} needs all results at once, and Parquet files are read piece by piece "
            "(write a part of them as .csv or .xlsx with valet-xl convert)"
        )


def refuse_workers(engine: str, scheduler: str | None, processes: int) -> None:
    """Refuse workers for files that are not read in pieces.

    Raises
    ------
    OptionError : which names the option that was given
    """
    given = {"--engine": engine != "processes", "--scheduler": scheduler, "--processes": processes}
    for name, value in given.items():
        if value:
            raise OptionError(f"{name} goes with Parquet files alone, which are read piece by piece (or with --deals)")


def takes_options(*names: str) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """Give a command options of scoring, all or those that are named: its parameter `options` gets them together.

    Options that do not go together end it with one line, before any file is read.
    """
    records = [OPTIONS[name] for name in names or OPTIONS]

    def with_options(command: Callable[..., None]) -> Callable[..., None]:
        takes_asked = _ASKED in inspect.signature(command).parameters

        @wraps(command)
        def run(**given: Any) -> None:
            options = Options(**{record.name: given.pop(record.name) for record in records})
            if takes_asked:
                source = click.get_current_context().get_parameter_source
                said = (record.name for record in records if source(record.name) is not ParameterSource.DEFAULT)
                given[_ASKED] = frozenset(said)
            keep_freed_memory()
            command(options=options, **given)

        made: Callable[..., None] = run
        for record in reversed(records):
            made = from_record(record, READING if record.name in _OF_READING else SCORING)(made)
        return made

    return with_options
