"""How commands and their options are declared, and how help shows them: under headings, coloured on a terminal."""

from __future__ import annotations

import inspect
import os
import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, TextIO, TypeVar

import click
from click.shell_completion import CompletionItem

_WIDEST = 100  # characters of a line of help
_LISTED = 40  # characters of the words that stand behind the name of an option; more are listed in its help
FILE = click.Path(path_type=Path)

_Decorated = TypeVar("_Decorated", bound=Callable[..., Any])


def has_colour(stream: TextIO) -> bool:
    """Whether a stream shows colours: a terminal does, unless NO_COLOR is set or it is a dumb one."""
    return stream.isatty() and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"


class Formatter(click.HelpFormatter):
    """Help as click forms it, with headings, names and commands in colour where the terminal has it."""

    def __init__(self, indent_increment: int = 2, width: int | None = None, max_width: int | None = None) -> None:
        super().__init__(indent_increment, width, max_width or _WIDEST)
        self._coloured = has_colour(sys.stdout)

    def write_usage(self, prog: str, args: str = "", prefix: str | None = None) -> None:
        """Write the line of usage."""
        super().write_usage(prog, args, prefix if prefix is not None else self._style("Usage:", bold=True) + " ")

    def write_heading(self, heading: str) -> None:
        """Write a heading."""
        super().write_heading(self._style(heading, bold=True))

    def write_dl(self, rows: Any, col_max: int = 28, col_spacing: int = 2) -> None:
        """Write terms and what they mean, side by side."""
        super().write_dl([(self._style(term, fg="cyan"), says) for term, says in rows], col_max, col_spacing)

    def _style(self, text: str, **how: Any) -> str:
        return click.style(text, **how) if self._coloured else text


class Context(click.Context):
    """The context of a command, whose help is formed by `Formatter`."""

    formatter_class = Formatter


class Option(click.Option):
    """An option, with the heading that it is listed under.

    heading : such as "Scoring"; "" for those that every command has
    """

    def __init__(self, *arguments: Any, heading: str = "", **named: Any) -> None:
        super().__init__(*arguments, **named)
        self.heading = heading


class Words(click.ParamType[str]):
    """One of some words, which is checked where it is used; a shell completes them.

    meanings : the words, each with what it means; '' where the word says it
    """

    name = "word"

    def __init__(self, meanings: Mapping[str, str]) -> None:
        self.meanings = meanings

    @property
    def listed(self) -> str:
        """The words, where there are few."""
        words = "|".join(self.meanings)
        return words if len(words) <= _LISTED else ""

    def get_metavar(self, param: click.Parameter, ctx: click.Context) -> str | None:
        """The words, or else the name of the option."""
        return self.listed or param.name.upper()

    def shell_complete(self, ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem]:
        """The words that begin so."""
        begun = (word for word in self.meanings if word.startswith(incomplete))
        return [CompletionItem(word, help=self.meanings[word] or None) for word in begun]


class Grouped(click.Command):
    """A command whose options are listed under headings, and which says all of its first paragraph in a list."""

    context_class = Context

    @property
    def summary(self) -> str:
        """What it does, in one sentence or two: the first paragraph of its help."""
        return first_paragraph(self.help or "")

    def get_help_option_names(self, ctx: click.Context) -> list[str]:
        """The same in every context: click keeps the option of the first, which may be that of a generator of docs."""
        return ["-h", "--help"]

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """List the options under their headings, in the order in which these come first; the others follow."""
        found: dict[str, list[tuple[str, str]]] = {}
        for param in self.get_params(ctx):
            record = param.get_help_record(ctx)
            if record is not None and not isinstance(param, click.Argument):
                found.setdefault(getattr(param, "heading", ""), []).append(record)
        rest = found.pop("", [])
        for heading, records in [*found.items(), ("Other options" if found else "Options", rest)]:
            if records:
                with formatter.section(heading):
                    formatter.write_dl(records)

    def format_arguments(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """List the arguments."""
        records = [param.get_help_record(ctx) for param in self.get_params(ctx) if isinstance(param, click.Argument)]
        if records:
            with formatter.section("Arguments"):
                formatter.write_dl([record for record in records if record is not None])


class Group(Grouped, click.Group):
    """Commands, listed in the order in which they are declared."""

    def listed(self) -> Mapping[str, Mapping[str, str]]:
        """The summaries of the commands by their names, under the headings that they are listed under."""
        return {"Commands": {name: command_summary(command) for name, command in self.commands.items()}}

    def list_commands(self, ctx: click.Context) -> list[str]:
        """The names, as declared."""
        return list(self.commands)

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """List the commands, and after them the options."""
        longest = max(len(name) for commands in self.listed().values() for name in commands)
        for heading, commands in self.listed().items():
            with formatter.section(heading):
                formatter.write_dl([(name.ljust(longest), says) for name, says in commands.items()])
        Grouped.format_options(self, ctx, formatter)

    def shell_complete(self, ctx: click.Context, incomplete: str) -> list[CompletionItem]:
        """The commands and options that begin so."""
        every = [one for commands in self.listed().values() for one in commands.items()]
        found = [CompletionItem(name, help=says) for name, says in every if name.startswith(incomplete)]
        return [*found, *click.Command.shell_complete(self, ctx, incomplete)]


def command_summary(command: click.Command) -> str:
    """What a command does: the first paragraph of its help."""
    return first_paragraph(command.help or "")


def first_paragraph(text: str) -> str:
    """The first paragraph of a help text, in one line.

    >>> first_paragraph("Score every result\\n    of a file.\\n\\n    Exits with 0.")
    'Score every result of a file.'
    """
    return " ".join(inspect.cleandoc(text).split("\n\n")[0].split())


def argument(name: str, says: str, **named: Any) -> Callable[[_Decorated], _Decorated]:
    """An argument of a command, with its help."""
    return click.argument(name, help=says, **named)


def option(*names: str, says: str, heading: str = "", **named: Any) -> Callable[[_Decorated], _Decorated]:
    """An option of a command, with its help and the heading that it is listed under."""
    kind = named.get("type")
    number = kind in (int, click.FLOAT) or isinstance(kind, click.IntRange | click.FloatRange)
    if number or kind is FILE:
        named.setdefault("metavar", "NUMBER" if number else "FILE")
    return click.option(*names, cls=Option, help=says, heading=heading, **named)
