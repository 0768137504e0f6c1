"""Write the tables of README.md and docs/reference/formats.md again, which list what is declared in the code.

In README.md they are the columns that scoring writes, the options of scoring, the commands of the hosts, the worksheet
functions, and the words of their options; in docs/reference/formats.md the languages and the headings of sheets.
"""

from __future__ import annotations

import textwrap
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

from marks import put

from valet_xl.engine.languages import LANGUAGES
from valet_xl.engine.notation import Seat
from valet_xl.engine.options import OPTIONS
from valet_xl.engine.score_results import COLUMNS
from valet_xl.functions.catalogue import REGISTRY
from valet_xl.hosts.commands import COMMANDS
from valet_xl.reading.headings import CALLED

README = Path(__file__).parents[1] / "README.md"
FORMATS = README.parent / "docs" / "reference" / "formats.md"
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


def languages() -> Iterator[str]:
    """A row for each language: its words for the suits, for notrump and for the honours, and what O is."""
    yield from (
        "| language | ♣ | ♦ | ♥ | ♠ | notrump | ace; king; queen; jack | O |",
        "|---|---|---|---|---|---|---|---|",
    )
    for language in LANGUAGES.values():
        suits = " | ".join(", ".join(words) for words in language.suits)
        ranks = "; ".join(", ".join(words) for words in language.ranks)
        seat = Seat(language.o_is).name.title() if language.o_is >= 0 else ""
        yield f"| {language.name} | {suits} | {', '.join(language.notrump)} | {ranks} | {seat} |"


def headings() -> Iterator[str]:
    """A row for each field of a sheet, with the headings that name it."""
    yield from ("| column | headings |", "|---|---|")
    for field, called in CALLED.items():
        words = (
            f"{', '.join(LANGUAGES[language].name for language in of.split())}: {listed}"
            for of, listed in called.items()
        )
        yield f"| {field.replace('_', ' ')} | {'; '.join(words)} |"


TABLES = {"columns": columns, "options": options, "commands": commands, "functions": functions, "words": words}
"""What is written into README.md, by the names of its marks in the page."""
TABLES_OF_FORMATS = {"languages": languages, "headings": headings}
"""What is written into docs/reference/formats.md."""


def written(page: str, tables: Mapping[str, Callable[[], Iterator[str]]] = TABLES) -> str:
    """The page with its tables as they should be."""
    for name, lines in tables.items():
        page = put(page, name, lines())
    return page


def main() -> None:
    """Write the tables."""
    for page, tables in ((README, TABLES), (FORMATS, TABLES_OF_FORMATS)):
        page.write_text(written(page.read_text(encoding="utf-8"), tables), encoding="utf-8", newline="\n")


if __name__ == "__main__":
    main()
