"""Write again what README.md and docs/ list of what is declared in the code, and what they show of the commands.

PAGES says which page has which lists, each between two comments with its name. A block of text after the comment
`<!-- output -->` is what the block of commands before it prints.
"""

from __future__ import annotations

import re
import shlex
import shutil
import tempfile
from collections.abc import Callable, Iterable, Iterator
from contextlib import chdir
from itertools import groupby
from pathlib import Path

import click
from click.testing import CliRunner
from marks import put

from valet_xl.cli.main import app
from valet_xl.engine.languages import LANGUAGES
from valet_xl.engine.notation import Seat
from valet_xl.engine.options import OPTIONS, Option, Options
from valet_xl.engine.score_results import COLUMNS
from valet_xl.functions.catalogue import REGISTRY
from valet_xl.functions.registry import Argument, Function
from valet_xl.hosts.commands import COMMANDS
from valet_xl.messages import sentence
from valet_xl.rankings.options import RANKING_OPTIONS
from valet_xl.rankings.ranking import rank
from valet_xl.rankings.simulate import simulate
from valet_xl.rankings.strength import strengths
from valet_xl.rankings.totals import totals
from valet_xl.reading.headings import CALLED

ROOT = Path(__file__).parents[1]
DOCS = ROOT / "docs"
WIDTH = 88
"""Characters in a line of what commands print."""
SUBJECTS = {
    "board": "A contract, and the scores of a board",
    "results": "The Valet split of results",
    "ranking": "Rankings and tableaux",
    "victory": "Victory points and duels",
    "teams": "Teams",
    "rulings": "Rulings",
    "binky": "Hands: Binky points",
    "deals": "Deals: double dummy",
}
"""What the functions of each module of valet_xl.functions are about."""
OUTPUT = "output"
"""The comment before a block of what the commands in the block before it print."""


def columns() -> Iterator[str]:
    """A row for each column that scoring writes."""
    yield from ("| column | what it shows |", "|---|---|")
    for column in COLUMNS:
        yield f"| {column.heading} | {column.meaning} |"


def ranking_columns() -> Iterator[str]:
    """A row for each column of a ranking that has all of them; standard errors and intervals have none."""
    results, scoring = simulate(pairs=8, rounds=4, boards=4).results, Options(cloud=True)
    yield from ("| column | what it shows |", "|---|---|")
    for heading in rank(totals(results, scoring), strengths=strengths(results, scoring)).listing.headings:
        if not heading.of:
            yield f"| {heading.name} | {heading.says} |"


def options() -> Iterator[str]:
    """A row for each option of scoring, as the command line writes it, with its words."""
    yield from _options(OPTIONS.values(), "--")


def ranking_options() -> Iterator[str]:
    """A row for each option of rankings and tableaux, by its name alone."""
    yield from _options(RANKING_OPTIONS.values(), "")


def _options(of: Iterable[Option], before: str) -> Iterator[str]:
    """A row for each option, with its words and what they mean."""
    yield from ("| option | what it chooses |", "|---|---|")
    for option in of:
        words = "; ".join(
            f"`{word}`{' (default)' if word == option.default else ''}{', ' if meaning else ''}{meaning}"
            for word, meaning in option.words.items()
        )
        yield f"| `{before}{option.name.replace('_', '-')}` | {option.sentence}{': ' if words else ''}{words} |"


def buttons() -> Iterator[str]:
    """A row for each command of the hosts."""
    yield from ("| button | what it does |", "|---|---|")
    for command in COMMANDS.values():
        yield f"| *{command.label}* | {command.sentence} |"


def functions() -> Iterator[str]:
    """A section for each subject of the worksheet functions, and in it each function with its arguments."""
    for module, of_subject in groupby(REGISTRY.values(), key=lambda function: function.compute.__module__):
        listed = list(of_subject)
        yield f"## {SUBJECTS[module.rpartition('.')[2]]}"
        yield ""
        yield from ("| function | gives |", "|---|---|")
        for function in listed:
            yield f"| [`{function.name}`](#{function.name.lower()}) | {function.sentence} |"
        for function in listed:
            yield ""
            yield from _function(function)
        yield ""


def _function(function: Function) -> Iterator[str]:
    """A function: its sentence, its arguments, what it gives, and an example."""
    yield f"### {function.name}"
    yield ""
    yield f"`{function.usage}`"
    yield ""
    yield function.sentence
    yield ""
    yield from ("| argument | what it is | if left out |", "|---|---|---|")
    for argument in function.arguments:
        yield f"| {argument.name} | {sentence(argument.sentence)} | {_default(argument)} |"
    yield ""
    yield f"Gives {function.result}. For example: `{function.example}`"


def _default(argument: Argument) -> str:
    """What a function takes for an argument that is left out."""
    if not argument.optional:
        return "required"
    default = argument.default
    if isinstance(default, bool):
        return str(default).upper()
    if isinstance(default, float | int):
        return f"{default:g}"
    return f"`{default}`" if isinstance(default, str) and default else ""


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


def commands() -> Iterator[str]:
    """The help of `valet-xl` and of each of its commands, as it prints it."""
    for command in _commands(app, ()):
        yield f"## valet-xl {' '.join(command)}".rstrip()
        yield ""
        yield "```text"
        yield from printed(["valet-xl", *command, "--help"], ROOT).splitlines()
        yield "```"
        yield ""


def _commands(group: click.Command, path: tuple[str, ...]) -> Iterator[tuple[str, ...]]:
    """The names of a command, and of those below it."""
    yield path
    for name, command in getattr(group, "commands", {}).items():
        if not command.hidden:
            yield from _commands(command, (*path, name))


def printed(words: list[str], folder: Path) -> str:
    """What a command of `valet-xl` prints in a folder, its lines without blanks at the end.

    Raises
    ------
    ValueError : if it exits with anything but 0
    """
    runner = CliRunner(env={"COLUMNS": str(WIDTH), "NO_COLOR": "1"})
    with chdir(folder):
        done = runner.invoke(app, words[1:], prog_name=words[0])
    if done.exit_code:
        raise ValueError(f"{shlex.join(words)} exits with {done.exit_code}: {done.output}")
    return "".join(f"{line.rstrip()}\n" for line in done.output.splitlines())


_BLOCK = re.compile(
    r"^(?P<before>(?:<!-- (?P<comment>.*) -->\n)?```(?P<language>\w+)\n)(?P<text>(?:(?!```).*\n)*)```$", re.M
)


def with_outputs(page: str) -> str:
    """A page with what its commands print after those blocks that show it.

    The commands run one after the other in a folder with the project's workbooks.

    Raises
    ------
    ValueError : if a command exits with anything but 0
    """
    if f"<!-- {OUTPUT} -->" not in page:
        return page
    with tempfile.TemporaryDirectory() as folder:
        ignored = shutil.ignore_patterns("*.py", "__pycache__")
        shutil.copytree(ROOT / "workbooks", Path(folder) / "workbooks", ignore=ignored)
        last = ""

        def block(match: re.Match[str]) -> str:
            nonlocal last
            if match["comment"] == OUTPUT:
                return f"{match['before']}{last}```"
            if match["language"] == "sh" and not match["comment"]:
                last = "".join(printed(shlex.split(line), Path(folder)) for line in match["text"].splitlines())
            return match[0]

        return _BLOCK.sub(block, page)


Table = Callable[[], Iterator[str]]
SHOWING = [ROOT / "README.md", DOCS / "tutorial.md", DOCS / "explanation" / "split.md"]
"""The pages that show what commands print."""
PAGES: dict[Path, dict[str, Table]] = {
    **{page: {} for page in SHOWING},
    DOCS / "guides" / "excel.md": {"buttons": buttons},
    DOCS / "reference" / "functions.md": {"functions": functions},
    DOCS / "reference" / "commands.md": {"commands": commands},
    DOCS / "reference" / "options.md": {"options": options, "ranking options": ranking_options},
    DOCS / "reference" / "columns.md": {"columns": columns, "ranking columns": ranking_columns},
    DOCS / "reference" / "formats.md": {"languages": languages, "headings": headings},
}
"""All pages that are written here, and what is written into each by the names of its marks."""


def written(page: str, tables: dict[str, Table]) -> str:
    """The page with its tables and outputs as they should be."""
    for name, lines in tables.items():
        page = put(page, name, lines())
    return with_outputs(page)


def main() -> None:
    """Write the pages."""
    for path, tables in PAGES.items():
        path.write_text(written(path.read_text(encoding="utf-8"), tables), encoding="utf-8", newline="\n")


if __name__ == "__main__":
    main()
