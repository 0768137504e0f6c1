"""README.md and what docs/ lists of the code: `nox -s build` writes the lists and what commands print again."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from make_tables import DOCS, PAGES, ROOT, SHOWING, with_outputs, written
from marks import put

from valet_xl import read_results, valet
from valet_xl.engine.options import OPTIONS
from valet_xl.engine.score_results import COLUMNS
from valet_xl.functions.catalogue import REGISTRY
from valet_xl.hosts.commands import COMMANDS

README = (ROOT / "README.md").read_text(encoding="utf-8")
BLOCK = re.compile(
    r"(?:<!-- (?P<comment>[^\n]*) -->\n)?^```(?P<language>\w+)\n(?P<text>.*?)^```", re.DOTALL | re.MULTILINE
)


def text_of(page: Path) -> str:
    return page.read_text(encoding="utf-8")


def blocks(page: str, language: str) -> list[tuple[str, str]]:
    """The blocks of a language: the comment before each, and its text."""
    return [(match["comment"] or "", match["text"]) for match in BLOCK.finditer(page) if match["language"] == language]


# -- what is made from the code


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_a_page_is_what_the_code_declares_and_prints(page: Path) -> None:
    assert written(text_of(page), PAGES[page]) == text_of(page)


def test_writing_a_page_again_changes_what_is_out_of_date_alone() -> None:
    page = DOCS / "reference" / "columns.md"
    assert written(put(text_of(page), "columns", ["| old |"]), PAGES[page]) == text_of(page)


def test_what_a_command_printed_is_replaced() -> None:
    """By what it prints now. Other blocks stay."""
    commands, kept = "```sh\nvalet-xl convert --help\n```\n\n", "```\n\n```text\nkept\n```\n"
    shown = with_outputs(f"{commands}<!-- output -->\n```text\nold\n{kept}")
    assert shown.startswith(f"{commands}<!-- output -->\n```text\nUsage: valet-xl convert ")
    assert "\nold\n" not in shown
    assert shown.endswith(kept)


@pytest.mark.parametrize("page", SHOWING, ids=lambda page: page.name)
def test_a_page_that_shows_outputs_has_no_other_commands(page: Path) -> None:
    """So that all of them are run when it is compared."""
    lines = [line for comment, text in blocks(text_of(page), "sh") if not comment for line in text.splitlines()]
    assert lines
    assert [line for line in lines if not line.startswith("valet-xl ")] == []


def test_nothing_that_is_declared_is_missing() -> None:
    columns, options, functions, excel, commands = (
        text_of(DOCS / name)
        for name in (
            *("reference/columns.md", "reference/options.md", "reference/functions.md"),
            *("guides/excel.md", "reference/commands.md"),
        )
    )
    for heading in (column.heading for column in COLUMNS):
        assert f"| {heading} | " in columns
    for option in OPTIONS.values():
        assert f"| `--{option.name.replace('_', '-')}` | {option.sentence}" in options
        assert all(f"`{word}`" in options for word in option.words)
    for command in COMMANDS.values():
        assert f"| *{command.label}* | {command.sentence} |" in excel
    for function in REGISTRY.values():
        section = functions.split(f"\n### {function.name}\n")[1].split("\n#")[0]
        assert f"`{function.usage}`" in section
        assert f"`{function.example}`" in section
        assert all(f"| {argument.name} | " in section for argument in function.arguments)
    for name in ("score", "rank", "addin selftest", "binky fit"):
        assert f"\n## valet-xl {name}\n" in commands


def test_a_page_without_marks_is_refused() -> None:
    with pytest.raises(ValueError, match="columns: the page has no such marks"):
        put("# A page\n", "columns", [])


# -- README.md


def words_of(page: str) -> list[str]:
    """The words that a reader reads.

    A word has a letter or a digit in it. Blocks of code, comments, pictures and the addresses of links do not count;
    headings, lists, tables and the texts of links do.
    """
    page = BLOCK.sub("", page)
    page = re.sub(r"<!--.*?-->", "", page, flags=re.DOTALL)
    page = re.sub(r"!\[[^\]]*\]\([^)]*\)", "", page)
    page = re.sub(r"\]\([^)]*\)", "]", page)
    return [word for word in page.split() if re.search(r"\w", word)]


def test_the_readme_is_short() -> None:
    page = "# One *two*\n\n[three](a b) - ![x y](z)\n<!-- x -->\n```sh\nx y\n```\n"
    assert words_of(page) == ["One", "*two*", "[three]"]
    assert 600 <= len(words_of(README)) <= 700


def test_powershell_says_what_sh_says() -> None:
    """The lines for Windows are the setup command, which is run, in Windows' words."""
    of_windows = dict(blocks(README, "powershell"))["the setup command"].splitlines()
    said = " && ".join(of_windows).replace("py -m", "python3 -m").replace("Scripts", "bin").replace("\\", "/")
    assert said + "\n" == dict(blocks(README, "sh"))["setup command"]


def test_the_board_that_is_worked_out() -> None:
    """Each figure of the section on the split, from the results."""
    results = read_results(ROOT / "workbooks" / "results.xlsx")
    board = results.board == results.board[0]
    parts = valet(results)
    norths = board & (results.declarer == 0) & (results.strain == 2)
    assert (results.level[0], results.strain[0], results.declarer[0], results.tricks[0]) == (6, 2, 0, 13)
    assert (board.sum(), norths.sum(), (norths & (results.lead_suit == 0)).sum()) == (22, 5, 2)
    section = README.split("## The Valet split\n")[1].split("\n## ")[0]
    overall, bid, play, lead, defence = (
        float(getattr(parts, name)[0]) for name in ("overall", "bid", "play", "lead", "defence")
    )
    assert f"the other 21 tables, {overall:+.2f}." in " ".join(section.split())
    assert f"brings {bid:+.2f} on average" in section
    assert f"{overall:.2f} - {bid:.2f} = {play:+.2f}" in section
    assert f"the average is {bid - lead:+.2f}. So the lead is worth {lead:+.2f} to" in section
    assert f"the rest of the defenders' {-play:+.2f} is {defence:+.2f}." in section
