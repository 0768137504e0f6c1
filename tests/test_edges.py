"""The edges of valet_xl: a user's mistake is one line and exit status 2, a fault of ours one line, a log and 70."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import click
import pytest
from click.testing import CliRunner, Result
from formulas import required

from valet_xl.cli import addin, binky, board, convert, duel, main, rank, score, simulate
from valet_xl.cli.terminal import Command
from valet_xl.errors import ValetError
from valet_xl.functions.catalogue import REGISTRY
from valet_xl.functions.registry import ErrorCell
from valet_xl_web import build

RESULTS = Path(__file__).parents[1] / "workbooks" / "results.xlsx"

# What each command works with, where a fault is planted, and what it is called with.
COMMANDS = {
    "score": (score, "score_file", ["score", str(RESULTS), "--output", "out.xlsx"]),
    "rank": (rank, "rank_files", ["rank", str(RESULTS)]),
    "board": (board, "board_of_file", ["board", str(RESULTS), "2"]),
    "convert": (convert, "convert_file", ["convert", str(RESULTS), "--output", "out.xlsx"]),
    "simulate": (simulate, "made_up", ["simulate", "--output", "out.xlsx"]),
    "duel": (duel.duels, "study_files", ["duel", str(RESULTS)]),
    "binky": (binky, "read_deals", ["binky", "fit", "deals"]),
    "addin": (addin, "_addin", ["addin", "status"]),
    "web": (build, "bundle", ["web", "--no-browser"]),
}
every_command = pytest.mark.parametrize(("module", "place", "arguments"), COMMANDS.values(), ids=COMMANDS)


def run(*arguments: str) -> Result:
    return CliRunner().invoke(main.app, list(arguments))


def planted(error: BaseException, module: object, place: str, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_given: object, **_named: object) -> None:
        raise error

    monkeypatch.setattr(module, place, fail)


def commands(of: click.Group) -> list[click.Command]:
    found = []
    for each in of.commands.values():
        found += commands(each) if isinstance(each, click.Group) else [each]
    return found


def test_every_command_ends_at_the_same_edge() -> None:
    assert {type(each) for each in commands(main.app)} == {Command}


@pytest.fixture(autouse=True)
def _in_a_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


@every_command
@pytest.mark.parametrize("error", [ValueError("planted"), KeyError("planted"), OverflowError("planted")])
def test_a_fault_of_a_command_is_one_line_that_names_the_log(
    module: object, place: str, arguments: list[str], error: Exception, monkeypatch: pytest.MonkeyPatch, fault_log: Path
) -> None:
    planted(error, module, place, monkeypatch)
    result = run(*arguments)
    assert result.exit_code == 70
    assert result.stdout == ""
    assert result.stderr.count("\n") == 1
    assert result.stderr.startswith(f"valet-xl: a fault of valet_xl, not of your data: {type(error).__name__}: ")
    assert result.stderr.endswith(f"(details are in {fault_log})\n")
    text = fault_log.read_text(encoding="utf-8")
    assert f" {arguments[0]}" in text.splitlines()[0]
    assert "Traceback (most recent call last):" in text
    assert "planted" in text


@every_command
def test_a_mistake_of_the_user_is_one_line_and_not_logged(
    module: object, place: str, arguments: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    planted(ValetError("row 7: two\nlines"), module, place, monkeypatch)
    result = run(*arguments)
    assert result.exit_code == 2
    assert result.stderr.endswith("row 7: two lines\n")
    assert result.stderr.count("\n") == 1


@every_command
def test_an_interrupted_command_is_no_fault(
    module: object, place: str, arguments: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    planted(KeyboardInterrupt(), module, place, monkeypatch)
    assert run(*arguments).exit_code == 130


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["score", str(RESULTS), "--method", "best"], "method must be one of iaf, datum, matchpoints, got 'best'"),
        (["score", str(RESULTS), "--leave-out", "1"], "leave_out goes with the datum rule trimmed, not with mean"),
        (["score", str(RESULTS), "--datum", "trimmed", "--leave-out", "-1"], "leave_out must be a count such as 1"),
        (["score", "nothing.xlsx"], "nothing.xlsx: there is no such file"),
        (["rank", str(RESULTS), "--format", "xml"], "format must be one of table, csv, got 'xml'"),
        (["rank", str(RESULTS), "--compensation", "best"], "compensation must be one of none, "),
        (["board", str(RESULTS), "2", "--side", "north"], "side must be one of declarer, "),
        (["simulate", "--output", "out.xlsx", "--pairs", "3"], "pairs must be an even number from 4, got 3"),
        (["simulate", "--output", "out.xlsx", "--bid", "inf"], "bid must be a number from 0, got inf"),
        (["simulate", "--output", "out.xlsx", "--rounds", "0"], "rounds and boards must be at least 1, got 0 and 4"),
        (["duel", "nothing.xlsx"], "nothing.xlsx: there is no such file"),
        (["binky", "fit", "nothing"], "nothing"),
    ],
)
def test_what_a_user_can_do_wrong_is_no_fault(arguments: list[str], message: str) -> None:
    """An option's message does not name a file: the file has nothing to do with it."""
    result = run(*arguments)
    assert result.exit_code == 2
    assert result.stderr.startswith(f"valet-xl: {message}")
    assert result.stderr.count("\n") == 1


def test_an_order_of_no_name_is_no_fault() -> None:
    assert run("simulate", "--output", "night.csv").exit_code == 0
    result = run("rank", "night.csv", "--order", "best")
    assert result.exit_code == 2
    assert result.stderr.startswith("valet-xl: order must be one of overall, ")


@pytest.mark.parametrize("name", REGISTRY)
def test_a_fault_of_a_worksheet_function_is_an_error_cell_and_logged(name: str, fault_log: Path) -> None:
    """In the cells of both hosts; what a user did wrong is not logged."""
    from valet_xl_calc import functions as of_calc

    def compute(*_given: object, **_named: object) -> None:
        raise ZeroDivisionError(f"planted in {name}")

    broken = replace(REGISTRY[name], compute=compute, quick=REGISTRY[name].quick and compute)
    assert broken("nonsense", *[None] * 20) == [[ErrorCell.VALUE]]
    assert not fault_log.exists()
    (cell,) = of_calc.bind(broken)(*map(_as_calc, required(name)))[0]
    assert repr(cell) == "nan"
    assert f"ZeroDivisionError: planted in {name}" in fault_log.read_text(encoding="utf-8")


def _as_calc(value: object) -> object:
    return tuple(map(tuple, value)) if isinstance(value, list) else value
