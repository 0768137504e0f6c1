"""Write the tables of README.md again that list what is declared in the code: python docs/make_tables.py

They are the columns that scoring writes, the options of scoring, the commands of the hosts, the worksheet functions,
and the words of their options.
"""

from __future__ import annotations

import textwrap
from collections.abc import Iterator
from pathlib import Path

from marks import put

from valet_xl.engine.options import OPTIONS
from valet_xl.engine.score_results import COLUMNS
from valet_xl.functions.catalogue import REGISTRY
from valet_xl.hosts.commands import COMMANDS

README = Path(__file__).parents[1] / "README.md"
WIDTH = 133


def columns() -> Iterator[str]:
    """A row for each column that scoring writes."""
    yield from ("| column | what it shows |", "|---|---|")
    for column in COLUMNS:
        yield f"| {column.heading} | {column.meaning} |"


def options() -> Iterator[str]:
    """A row for each option of scoring, as the command line writes it, with its words."""
    yield from ("| option | what it chooses |", "|---|---|")
    for option in OPTIONS.values():
        words = "; ".join(
            f"`{word}`{' (default)' if word == option.default else ''}{', ' if meaning else ''}{meaning}"
            for word, meaning in option.words.items()
        )
        yield f"| `--{option.name.replace('_', '-')}` | {option.sentence}{': ' if words else ''}{words} |"
    yield "| `--sheet`, `--names`, `--output` | the sheet; the file of names; the file to write |"


def commands() -> Iterator[str]:
    """A row for each command of the hosts."""
    yield from ("| button | what it does |", "|---|---|")
    for command in COMMANDS.values():
        yield f"| *{command.label}* | {command.sentence} |"


def functions() -> Iterator[str]:
    """A row for each worksheet function."""
    yield from ("| function | gives |", "|---|---|")
    for function in REGISTRY.values():
        yield f"| `{function.usage}` | {function.sentence} |"


def words() -> Iterator[str]:
    """The words of the options of scoring that functions take, by the names of the functions' arguments."""
    found: dict[str, tuple[str, ...]] = {}
    for argument in (argument for function in REGISTRY.values() for argument in function.arguments):
        name = {"rule": "datum"}.get(argument.name, argument.name)
        if argument.words and name in OPTIONS and set(argument.words) == set(OPTIONS[name].words):
            found.setdefault(argument.name, argument.words)
    listed = "; ".join(f"{name} {', '.join(f'`{word}`' for word in words)}" for name, words in found.items())
    yield from textwrap.wrap(f"Options are words: {listed}.", WIDTH, break_long_words=False, break_on_hyphens=False)


TABLES = {"columns": columns, "options": options, "commands": commands, "functions": functions, "words": words}
"""What is written, by the names of its marks in the page."""


def written(page: str) -> str:
    """The page with all tables as they should be."""
    for name, lines in TABLES.items():
        page = put(page, name, lines())
    return page


def main() -> None:
    """Write the tables."""
    README.write_text(written(README.read_text(encoding="utf-8")), encoding="utf-8", newline="\n")


if __name__ == "__main__":
    main()
