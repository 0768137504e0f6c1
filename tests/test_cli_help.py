"""What the command line says of itself: help, version, completion, and what it suggests where something is mistyped."""

from __future__ import annotations

import copy
import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import click
import pytest
from click.testing import CliRunner, Result

import valet_xl
from valet_xl.cli.help import Grouped, Words, first_paragraph
from valet_xl.cli.main import COMMANDS, app
from valet_xl.engine.options import OPTIONS

LISTED = {name: says for commands in COMMANDS.values() for name, says in commands.items()}


def run(*arguments: str, **environment: str) -> Result:
    return CliRunner(env=environment).invoke(app, arguments, prog_name="valet-xl")


def every(group: click.Group = app, path: tuple[str, ...] = ()) -> Iterator[tuple[tuple[str, ...], click.Command]]:
    """All commands, with what is typed to call them."""
    for name, command in group.commands.items():
        yield (*path, name), command
        if isinstance(command, click.Group):
            yield from every(command, (*path, name))


EVERY = dict(every())
each_command = pytest.mark.parametrize("path", EVERY, ids=" ".join)


def loaded(*arguments: str | Path, folder: Path) -> set[str]:
    """The modules that a command loads, by their names up to the second dot."""
    code = (
        "import sys\nfrom valet_xl.cli.main import main\nsys.argv = ['valet-xl', *sys.argv[1:]]\n"
        "try:\n    main()\nexcept SystemExit as end:\n    assert not end.code, end.code\n"
        "print(*sys.modules, file=sys.stderr)"
    )
    given = [sys.executable, "-c", code, *map(str, arguments)]
    done = subprocess.run(given, cwd=folder, capture_output=True, text=True, check=True)
    return set(done.stderr.split())


# -- the list of commands


def test_the_list_says_what_each_command_says() -> None:
    """The list is made without loading a command, and its own help begins with the same words."""
    for name, says in LISTED.items():
        assert first_paragraph(app.commands[name].help or "") == says


def test_the_list_loads_no_command_and_no_library(tmp_path: Path) -> None:
    """Not even numpy: the command answers before numpy alone would be there."""
    modules = loaded("--help", folder=tmp_path)
    own = {name for name in modules if name.startswith("valet_xl.")}
    assert own == {
        *("valet_xl.cli", "valet_xl.cli.main", "valet_xl.cli.help", "valet_xl.cli.process", "valet_xl.cli.terminal"),
        *("valet_xl.errors", "valet_xl.faults", "valet_xl.messages", "valet_xl.version"),
    }
    assert not modules & {"numpy", "rich", "typer", "pydantic", "lxml", "xlsxwriter", "importlib.metadata"}


def test_scoring_a_workbook_loads_what_it_needs(tmp_path: Path) -> None:
    """Not what is for rankings, reports, hands, terminals, new workbooks or other hosts."""
    shutil.copyfile(Path(__file__).parents[1] / "workbooks" / "results.xlsx", tmp_path / "night.xlsx")
    modules = loaded("score", "night.xlsx", folder=tmp_path)
    assert "valet_xl.documents.xlsx" in modules
    rooms = {name.split(".")[1] for name in modules if name.startswith("valet_xl.")}
    assert not rooms & {"rankings", "reports", "binky", "functions", "hosts"}
    assert not modules & {"numpy.ma", "rich", "xlsxwriter", "xlwings", "scipy", "matplotlib", "typer", "pydantic"}
    assert not modules & {"importlib.metadata", "access_parser", "lxml", "urllib.request", "ssl", "narwhals"}


def test_a_ranking_as_csv_loads_no_library_for_terminals(tmp_path: Path) -> None:
    """What shows tables is loaded where one is shown."""
    lines = ("1|1|Anna|Bo|Carl|Dora|4S|N|10|HA", "1|1|Eva|Finn|Gus|Ida|4S|N|9|HK")
    (tmp_path / "night.txt").write_text("\n".join(lines), encoding="utf-8")
    assert not {"rich", "numpy.ma"} & loaded("rank", "night.txt", "--output", "ranking.csv", folder=tmp_path)
    assert (tmp_path / "ranking.csv").exists()


def test_the_list_is_the_same_when_all_commands_are_loaded() -> None:
    before = run("--help").output
    assert len(EVERY) > len(LISTED)
    assert run("--help").output == before
    assert [type(command) for command in app.commands.values() if not isinstance(command, Grouped)] == []


@pytest.mark.parametrize("width", [60, 80, 200])
@pytest.mark.parametrize("path", [(), ("binky",), ("addin",)], ids=str)
def test_lists_show_all_of_every_summary(path: tuple[str, ...], width: int) -> None:
    """At any width of the terminal, with nothing cut."""
    called = [sys.executable, "-m", "valet_xl", *path, "--help"]
    environment = {**os.environ, "COLUMNS": str(width)}
    text = subprocess.run(called, env=environment, capture_output=True, text=True, check=True).stdout
    assert "..." not in text.replace("[ARGS]...", "")
    assert max(map(len, text.splitlines())) <= width
    group = EVERY[path] if path else app
    assert isinstance(group, click.Group)
    for name, command in group.commands.items():
        assert re.search(rf"(?m)^  {name} ", text)
        assert first_paragraph(command.help or "") in " ".join(text.split())


# -- the help of a command


@each_command
def test_help_is_short_and_long(path: tuple[str, ...]) -> None:
    result = run(*path, "-h")
    assert result.exit_code == 0
    assert result.output == run(*path, "--help").output
    assert result.output.startswith(f"Usage: valet-xl {' '.join(path)} ")
    assert "\x1b" not in result.output


@each_command
def test_help_is_asked_for_alike_whoever_has_asked_before(path: tuple[str, ...]) -> None:
    """click keeps the option of help that the first context gives, and a generator of docs brings its own."""
    command = copy.copy(EVERY[path])
    command._help_option = None
    option = command.get_help_option(click.Context(command))
    assert option is not None
    assert option.opts == ["-h", "--help"]


@each_command
def test_every_argument_and_option_says_what_it_is(path: tuple[str, ...]) -> None:
    for param in EVERY[path].params:
        assert param.help, param.name


def test_an_option_of_several_commands_says_what_it_is_for_each() -> None:
    """What --output writes differs, and so does what its help says."""
    says = [param.help for command in EVERY.values() for param in command.params if param.name == "output"]
    assert len(says) > 5
    assert len(set(says)) == len(says)


def test_options_are_listed_under_headings() -> None:
    text = run("rank", "--help").output
    found = re.findall(r"(?m)^(\w[\w ]*):$", text)
    assert found == ["Arguments", "Files", "Ranking", "Many files", "Scoring", "Reading", "Other options"]
    assert text.index("--output") < text.index("--players") < text.index("--method") < text.index("--rounds")


def test_every_word_of_an_option_is_in_the_help() -> None:
    """Also where there are too many to stand behind its name."""
    text = " ".join(run("score", "--help").output.split())
    for option in OPTIONS.values():
        _, _, rest = text.partition(f"--{option.name.replace('_', '-')} ")
        assert [word for word in option.words if word not in rest.partition(" --")[0]] == []


# -- the version


@pytest.mark.parametrize("name", ["--version", "-V"])
def test_version(name: str) -> None:
    assert run(name).output == f"valet-xl {valet_xl.__version__}\n"


# -- what is mistyped


@pytest.mark.parametrize(
    ("given", "suggested"),
    [
        (["scroe", "x.xlsx"], "No such command 'scroe'. Did you mean 'score'?"),
        (["addin", "instal"], "Did you mean one of: 'install', 'uninstall'?"),
        (["score", "x.xlsx", "--mehtod", "iaf"], "No such option '--mehtod'. Did you mean '--method'?"),
    ],
)
def test_what_is_mistyped_gets_a_suggestion(given: list[str], suggested: str) -> None:
    result = run(*given)
    assert result.exit_code == 2
    assert suggested in result.stderr


def test_a_file_in_the_place_of_a_command(tmp_path: Path) -> None:
    """Whoever forgets the command is told."""
    file = tmp_path / "night.xlsx"
    file.write_bytes(b"")
    assert f"Did you mean 'valet-xl score {file}'?" in run(str(file)).stderr


# -- completion


def completed(words: str, shell: str = "bash") -> list[str]:
    """What a shell is told when the last of some words is to be completed."""
    typed = words.split(" ")
    result = run(_VALET_XL_COMPLETE=f"{shell}_complete", COMP_WORDS=words, COMP_CWORD=str(len(typed) - 1))
    assert result.exit_code == 0
    return [line.partition(",")[2] for line in result.output.splitlines()]


def test_completion_of_commands_options_and_words() -> None:
    assert completed("valet-xl s") == ["score", "simulate"]
    assert completed("valet-xl addin s") == ["status", "selftest"]
    assert completed("valet-xl score --me") == ["--method"]
    assert completed("valet-xl score x.xlsx --method ") == list(OPTIONS["method"].words)
    assert completed("valet-xl completion p") == ["powershell"]


def test_completion_of_a_command_loads_none() -> None:
    code = (
        "import sys\nfrom valet_xl.cli.main import main\n"
        "try:\n    main()\nfinally:\n    print(*sys.modules, file=sys.stderr)"
    )
    told = {"_VALET_XL_COMPLETE": "bash_complete", "COMP_WORDS": "valet-xl s", "COMP_CWORD": "1"}
    done = subprocess.run([sys.executable, "-c", code], env=told, capture_output=True, text=True, check=False)
    assert done.stdout.splitlines() == ["plain,score", "plain,simulate"]
    assert "numpy" not in done.stderr.split()


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish", "powershell"])
def test_completion_prints_a_script_for_each_shell(shell: str) -> None:
    result = run("completion", shell)
    assert result.exit_code == 0
    assert f"_VALET_XL_COMPLETE={shell}_complete" in result.output or f"'{shell}_complete'" in result.output
    parse = {"bash": ["bash", "-n"], "zsh": ["zsh", "-n"], "fish": ["fish", "-n"]}.get(shell)
    if parse and shutil.which(parse[0]):
        assert subprocess.run(parse, input=result.output, text=True, check=False).returncode == 0


def test_words_are_completed_with_what_they_mean() -> None:
    context = click.Context(app.commands["score"])
    (found,) = Words(OPTIONS["lead"].words).shell_complete(context, context.command.params[0], "sui")
    assert (found.value, found.help) == ("suit", "the same suit")


def test_the_docs_of_a_command_can_be_made_from_it() -> None:
    """What a generator of documentation reads of all commands is plain data."""
    json.dumps(app.to_info_dict(click.Context(app)), default=str)


# -- on a terminal


def on_a_terminal(*arguments: str | Path, **environment: str) -> str:
    """What a command writes to a terminal of 110 columns."""
    pty = pytest.importorskip("pty", reason="no terminals to open on this system")
    ours, its = pty.openpty()
    given = {**os.environ, "TERM": "xterm-256color", "COLUMNS": "110", **environment}
    called = [sys.executable, "-m", "valet_xl", *map(str, arguments)]
    with subprocess.Popen(called, stdout=its, stderr=subprocess.DEVNULL, stdin=its, env=given):
        os.close(its)
        parts = []
        while True:
            try:
                parts.append(os.read(ours, 1 << 16))
            except OSError:  # it has ended, on Linux
                break
            if not parts[-1]:
                break
    os.close(ours)
    return b"".join(parts).decode()


COLOUR = re.compile(r"\x1b\[(?:\d+;)*[39]\dm|\x1b\[(?:\d+;)*38;")


def test_help_has_colour_on_a_terminal_that_wants_it() -> None:
    assert COLOUR.search(on_a_terminal("--help"))
    for unwanted in ({"NO_COLOR": "1"}, {"TERM": "dumb"}):
        assert "\x1b" not in on_a_terminal("--help", **unwanted)


def test_a_ranking_marks_the_column_that_it_is_in_the_order_of(tmp_path: Path) -> None:
    run("simulate", "--pairs", "4", "--rounds", "1", "-o", str(tmp_path / "night.csv"))
    shown = on_a_terminal("rank", tmp_path / "night.csv", "--order", "bid")
    heading = next(line for line in shown.splitlines() if "Bid" in line)
    assert "Bid ▼" in heading and heading.count("▼") == 1 and COLOUR.search(heading)
    assert not COLOUR.search(on_a_terminal("rank", tmp_path / "night.csv", NO_COLOR="1"))
    piped = run("rank", str(tmp_path / "night.csv")).stdout
    assert "▼" not in piped and "\x1b" not in piped


def test_a_tableau_says_what_its_columns_are(tmp_path: Path) -> None:
    run("simulate", "--pairs", "4", "--rounds", "1", "-o", str(tmp_path / "night.csv"))
    table, legend = run("board", str(tmp_path / "night.csv"), "1", "--side", "ns").stdout.rsplit("\n\n", 1)
    for line in legend.splitlines():
        assert line.split("  ")[0] in table.splitlines()[1]
    assert re.search(r"(?m)^Overall +what the result was worth to North-South, in IMPs$", legend)
    assert "what" not in run("board", str(tmp_path / "night.csv"), "1", "--format", "csv").stdout
