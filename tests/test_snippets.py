"""Every block of Python and of shell commands in the README and in docs/ runs, or says why it does not.

A block runs in a folder with the files that it names. The line before its fence may say otherwise, in a comment:

- `<!-- not run: reason -->` names what a test has not got;
- `<!-- needs LibreOffice -->` is a host test;
- `<!-- setup command -->`, `<!-- test command -->` and `<!-- pipx or uv -->` are run by .ci/run, in a fresh clone;
- `<!-- the setup command -->` is the first of these for PowerShell, which tests/test_readme.py compares.

The commands of pages that show what they print are run by tests/test_readme.py, which compares that. Lines for
PowerShell are checked for what its version 5.1 does not read.

A comment at the end of a line of Python that is an expression is the value of that line.
"""

from __future__ import annotations

import ast
import os
import re
import shutil
import subprocess
import sys
import textwrap
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import click
import pytest
from access_file import access_file
from make_tables import SHOWING
from office import needs_calc
from test_bridgemate import MITCHELL, tables
from test_ods import pack, rows, sheet_of
from test_usebio import board, event, line, pair

from valet_xl.cli.main import app
from valet_xl.functions.catalogue import REGISTRY
from valet_xl.rankings.simulate import simulate
from valet_xl.sheets.convert import convert_file

ROOT = Path(__file__).parents[1]
PAGES = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").rglob("*.md"))]
RUN_ELSEWHERE = ("setup command", "test command", "pipx or uv")
COMPARED = ("output", "the setup command")


class Block(NamedTuple):
    """A fenced block: its page, the number of its first line, its language, its text and the comment before it."""

    page: str
    line: int
    language: str
    text: str
    comment: str

    def __str__(self) -> str:
        return f"{self.page}:{self.line}"


def blocks(page: Path) -> Iterator[Block]:
    """The fenced blocks of a page that name a language."""
    text = page.read_text(encoding="utf-8")
    fence = r"^( *)(?:<!-- ([^\n]*) -->\n\1)?```(\w+)\n(.*?)^\1```$"  # in a list it is indented
    for match in re.finditer(fence, text, re.MULTILINE | re.DOTALL):
        number = text.count("\n", 0, match.start(4)) + 1
        yield Block(page.name, number, match[3], textwrap.dedent(match[4]), match[2] or "")


BLOCKS = [block for page in PAGES for block in blocks(page)]
SHELL = [block for block in BLOCKS if block.language in {"sh", "bash", "shell", "console"}]
POWERSHELL = [block for block in BLOCKS if block.language in {"powershell", "ps1", "pwsh"}]
PYTHON = [block for block in BLOCKS if block.language in {"python", "py", "pycon"}]


def test_a_block_that_does_not_run_says_why() -> None:
    """And what it says is one of few things."""
    known = {"", "needs LibreOffice", *RUN_ELSEWHERE, *COMPARED}
    assert [str(b) for b in BLOCKS if b.comment not in known and not re.match(r"not run: \w", b.comment)] == []
    assert [str(b) for b in BLOCKS if b.language not in {"sh", "powershell", "python", "text"}] == []
    assert [str(b) for b in POWERSHELL if not b.comment] == []


def test_a_block_in_a_list_is_a_block(tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    page.write_text("1. One\n\n   <!-- not run: x -->\n   ```sh\n   a\n     b\n   ```\n", encoding="utf-8")
    assert list(blocks(page)) == [Block("page.md", 5, "sh", "a\n  b\n", "not run: x")]
    fences = sum(len(re.findall(r"^ *```\w", text.read_text("utf-8"), re.MULTILINE)) for text in PAGES)
    assert len(BLOCKS) == fences


def test_commands_that_are_run_elsewhere_are_run_there() -> None:
    """.ci/run looks each block up by its comment; the two commands are one line each."""
    script = (ROOT / ".ci" / "run").read_text(encoding="utf-8")
    for comment in RUN_ELSEWHERE:
        (block,) = [block for block in SHELL if block.comment == comment]
        assert len(block.text.splitlines()) == 1 or "command" not in comment
        assert f'readme_block "{comment}"' in script


NOT_IN_5_1 = re.compile(
    r"&&|\|\||\?\?|\?\.|\\$|^\s*(?:export|source|sudo|\.)\s|\$\(|/dev/null|<<|(?:^|\s)[A-Z_]+=|^\s*python3\b|\.venv/|(?<=\s)/"
)


@pytest.mark.parametrize("line", [line for block in POWERSHELL for line in block.text.splitlines()])
def test_powershell_5_1_reads_a_line(line: str) -> None:
    """It has no &&, ||, ?? and ?., and none of the habits of sh; quotes come in pairs."""
    assert not NOT_IN_5_1.search(line)
    assert line.count('"') % 2 == line.count("'") % 2 == 0


@pytest.mark.parametrize("line", ["a && b", "a || b", "source x", "A=1 b", ".venv/bin/pip x", "a \\", "a 2>/dev/null"])
def test_a_line_of_sh_is_not_powershell(line: str) -> None:
    assert NOT_IN_5_1.search(line)


def chosen(of: list[Block]) -> list[object]:
    """The blocks that run here."""
    return [
        pytest.param(block, id=str(block), marks=[pytest.mark.host, needs_calc] if "Libre" in block.comment else [])
        for block in of
        if not block.comment.startswith("not run")
        and block.comment not in RUN_ELSEWHERE
        and (block.language == "python" or block.comment or block.page not in {page.name for page in SHOWING})
    ]


# -- what sentences name

INLINE = [
    (page.name, text) for page in PAGES for text in re.findall(r"(?<!`)`([^`\n]+)`(?!`)", page.read_text("utf-8"))
]
# Options of nox, of tests/zoo.py, of pipx, of pytest, and of a program that is an AppImage.
OF_OTHERS = {"--list", "--judges", "--force", "--dist", "--appimage-extract"}
NO_FUNCTION = {"VALET_VULNERABILITY", "VALET_XL_FAULTS", "VALET_XL_HOSTS"}  # a trial in CONTRIBUTING.md; variables


def options_of(command: click.Command) -> set[str]:
    """The options of a command and of those below it."""
    own = {name for each in command.get_params(click.Context(command)) for name in (*each.opts, *each.secondary_opts)}
    below = command.commands.values() if isinstance(command, click.Group) else ()
    return own.union(*map(options_of, below))


@pytest.mark.parametrize(("page", "text"), [(page, text) for page, text in INLINE if text.startswith("valet-xl ")])
def test_a_command_in_a_sentence_is_one(page: str, text: str) -> None:
    """Its name and its options; files and other words are not looked at."""
    command: click.Command = app
    for word in text.split()[1:]:
        if isinstance(command, click.Group) and not word.startswith("-"):
            if word != "COMMAND":
                assert word in command.commands, f"{page}: {text}"
                command = command.commands[word]
        elif word.startswith("-") and word != "-":
            assert word.partition("=")[0] in options_of(command), f"{page}: {text}"


def test_an_option_in_a_sentence_is_one() -> None:
    known = options_of(app) | OF_OTHERS
    named = {(page, word) for page, text in INLINE for word in re.findall(r"(?<![\w-])--[a-z][\w-]*", text)}
    assert sorted((page, word) for page, word in named if word not in known) == []


def test_a_function_that_a_page_names_is_one() -> None:
    text = {page.name: page.read_text("utf-8") for page in PAGES}
    named = {(page, name) for page, of in text.items() for name in re.findall(r"\bVALET_[A-Z0-9_]*[A-Z0-9]\b", of)}
    assert sorted((page, name) for page, name in named if name not in {*REGISTRY, *NO_FUNCTION}) == []


# -- the folder


@pytest.fixture(scope="module")
def samples(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The files that the pages name, each of its format."""
    folder = tmp_path_factory.mktemp("samples")
    shutil.copytree(ROOT / "workbooks", folder / "workbooks", ignore=shutil.ignore_patterns("*.py", "__pycache__"))
    night = simulate(pairs=8, rounds=3, boards=8)
    (folder / "scores.txt").write_text(night.valet_text(), encoding="utf-8")
    (folder / "names.txt").write_text(night.names_text(), encoding="utf-8")
    for name in ("results.csv", "tuesday.csv", "monday.xlsx", "tonight.xlsx"):
        convert_file(folder / "scores.txt", folder / name)
    lines = [board(number, line("1", "2"), line("3", "4", tricks="9")) for number in (1, 2)]
    pairs = [pair(str(number), f"Player {number}", f"Partner {number}") for number in (1, 2, 3, 4)]
    for name in ("night.xml", "monday.xml", "tuesday.xml"):
        (folder / name).write_text(f"<USEBIO>{event(*pairs, *lines)}</USEBIO>", encoding="utf-8")
    sheet = [["Board", "Contract", "By", "Tricks"], [1, "4S", "N", 10], [1, "3NT", "N", 9]]
    pack(folder / "tonight.ods", sheet_of(rows(sheet)))
    played = [{"Board": 1}, {"Board": 1, "Table": 2, "PairNS": 3, "PairEW": 4}]
    (folder / "night.bws").write_bytes(access_file(tables(*played, RoundData=MITCHELL)))
    return folder


@pytest.fixture
def folder(samples: Path, tmp_path: Path) -> Path:
    """A copy of the files, for one block."""
    return shutil.copytree(samples, tmp_path / "folder")


# -- the blocks


@pytest.mark.slow
@pytest.mark.skipif(shutil.which("sh") is None, reason="no sh: no block of commands is run")
@pytest.mark.parametrize("block", chosen(SHELL))
def test_commands(block: Block, folder: Path) -> None:
    """Every line exits with 0; the home folder is an empty one, and valet-xl the tests' own."""
    programs, home = folder.parent / "programs", folder.parent / "home"
    programs.mkdir()
    home.mkdir()
    (programs / "valet-xl").write_text(f'#!/bin/sh\nexec "{sys.executable}" -m valet_xl "$@"\n', encoding="utf-8")
    (programs / "valet-xl").chmod(0o755)
    environment = {**os.environ, "HOME": str(home), "PATH": f"{programs}{os.pathsep}{os.environ['PATH']}"}
    environment["PYTHONPATH"] = os.pathsep.join([str(ROOT), environment.get("PYTHONPATH", "")])
    done = subprocess.run(
        ["sh", "-e", "-x", "-c", block.text], cwd=folder, env=environment, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, f"{block}\n{done.stdout}\n{done.stderr}"


@pytest.mark.parametrize("block", chosen(PYTHON))
def test_python(block: Block, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Every statement runs, and the value of a line is what its comment says."""
    monkeypatch.chdir(folder)
    lines, names = block.text.splitlines(), {}
    for statement in ast.parse(block.text).body:
        expected = value_in(lines[(statement.end_lineno or 0) - 1][statement.end_col_offset or 0 :])
        if isinstance(statement, ast.Expr):
            value = eval(compile(ast.Expression(statement.value), str(block), "eval"), names)
            assert expected is None or " ".join(repr(value).split()) == expected, ast.unparse(statement)
        else:
            assert expected is None, f"{block}: {expected} is the value of no expression"
            exec(compile(ast.Module([statement], []), str(block), "exec"), names)


def value_in(comment: str) -> str | None:
    """The expression in a comment, its blanks single; nothing where it is prose or not there."""
    text = " ".join(comment.strip().removeprefix("#").split())
    try:
        kind = ast.parse(text, mode="eval").body
    except SyntaxError:
        return None
    return None if isinstance(kind, ast.Name) else text
