"""The command `valet-xl`: the list of its commands, each of which is loaded when it is called."""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Iterator, Mapping, MutableMapping
from importlib import import_module
from pathlib import Path

import click

from valet_xl.cli.help import Group, has_colour
from valet_xl.cli.process import set_up
from valet_xl.cli.terminal import UNUSABLE, give_up_output
from valet_xl.version import __version__

PROGRAM = "valet-xl"

COMMANDS = {
    "Scoring": {
        "score": "Score every result of a sheet or file.",
        "board": "Show the tableau of a board: results and what each was worth.",
    },
    "Ranking": {
        "rank": "Rank the pairs, players or teams of one file or of several.",
        "explain": "Explain why a pair or player has its place in the ranking.",
        "career": "Show what pairs or players are worth, from many events.",
        "compare": "Compare two pairs or players in each part of the game.",
    },
    "Files": {
        "convert": "Write the results of a file as a sheet ready to be scored.",
        "simulate": "Make up a tournament whose pairs' strengths are known.",
    },
    "In a browser": {
        "web": "Show the page that scores files in the browser.",
    },
    "Studies": {
        "duel": "Show how duels come out in the results of tournaments.",
        "findings": "Show how the scores of pairs spread, as in the Valet paper.",
        "deals": "Measure what double dummy is good for, in events whose cards are known.",
        "binky": "Solve deals, and fit the coefficients of Binky points to them.",
    },
    "Setting up": {
        "addin": "Install or check the add-in for Excel or LibreOffice Calc.",
        "completion": "Print what lets a shell complete what is typed.",
    },
}
"""What each command does, under the headings of the help: the first paragraph of its own help, which is not loaded."""


class _OnCall(MutableMapping[str, click.Command]):
    """The commands by their names; the module of one is loaded when it is taken."""

    def __init__(self) -> None:
        self._names = [name for names in COMMANDS.values() for name in names]
        self._loaded: dict[str, click.Command] = {}

    def __getitem__(self, name: str) -> click.Command:
        if name not in self._loaded:
            if name not in self._names:
                raise KeyError(name)
            self._loaded[name] = getattr(import_module(f"valet_xl.cli.{name}"), name)
        return self._loaded[name]

    def __setitem__(self, name: str, command: click.Command) -> None:
        self._loaded[name] = command

    def __delitem__(self, name: str) -> None:
        del self._loaded[name]

    def __contains__(self, name: object) -> bool:
        return name in self._names

    def __iter__(self) -> Iterator[str]:
        return iter(self._names)

    def __len__(self) -> int:
        return len(self._names)


class _Program(Group):
    """All commands."""

    def listed(self) -> Mapping[str, Mapping[str, str]]:
        """The summaries, without loading a command."""
        return COMMANDS

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Find the command; a file in its place is taken for one to be scored, and the error says so."""
        if args[0] not in self.commands and Path(args[0]).is_file():
            ctx.fail(f"No command is named before the file {args[0]!r}. Did you mean '{PROGRAM} score {args[0]}'?")
        return super().resolve_command(ctx, args)


@click.group(
    PROGRAM,
    cls=_Program,
    commands=_OnCall(),
    context_settings={"show_default": True},
)
@click.version_option(__version__, "-V", "--version", prog_name=PROGRAM, message="%(prog)s %(version)s")
def app() -> None:
    """Bridge scores for analysts and clubs.

    "valet-xl COMMAND --help" describes a command.

    A command exits with 2 if it cannot use what it was given. It exits with 70 if valet-xl itself is at fault; the
    message names the file that describes the fault.
    """


def main() -> None:
    """Run the command; the console script's entry."""
    set_up()
    sys.stdout = sys.stdout or Path(os.devnull).open("w", encoding="utf-8")  # noqa: SIM115 - it was closed by who started the command
    sys.stderr = sys.stderr or sys.stdout
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="backslashreplace")  # a name in any script must not stop the summary
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(128 + signal.SIGTERM))  # so that what was begun is put away
    try:
        try:
            app(prog_name=PROGRAM, color=None if has_colour(sys.stdout) else False)
        finally:
            sys.stdout.flush()
    except OSError as error:
        give_up_output(error)
        sys.exit(UNUSABLE)
