"""Scores that a sheet has beside its results: compared with ours, whatever their sign, and never taken for others."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from simulate import tournament
from test_usebio import board, event, line

from valet_xl import read_results
from valet_xl.engine.comparison import cross_imps, matchpoint_percent, matchpoints
from valet_xl.engine.notation import Contract, Double, Seat, Strain
from valet_xl.engine.options import Options
from valet_xl.engine.results import Results
from valet_xl.reading.grid import read_grid
from valet_xl.sheets.convert import convert_file
from valet_xl.sheets.score_file import score_file
from valet_xl.sheets.score_sheet import score_grid

Grid = list[list[object]]
WRONG = 7  # the result whose score is another one than its contract's


def sheet(results: Results, headings: list[str], columns: list[np.ndarray]) -> Grid:
    """Results with columns of scores, NaN as blank cells."""
    grid: Grid = [["Board", "Contract", "By", "Tricks", *headings]]
    for at in range(len(results)):
        contract = Contract(int(results.level[at]), Strain(int(results.strain[at])), Double(int(results.double[at])))
        by, tricks = (str(Seat(int(results.declarer[at]))), int(results.tricks[at])) if contract.level else ("", None)
        cells = [None if np.isnan(column[at]) else float(column[at]) for column in columns]
        grid.append([int(results.board[at]) + 1, str(contract), by, tricks, *cells])
    return grid


def read(grid: Grid) -> Results:
    return read_grid(grid, Options()).results


def blank(values: np.ndarray, where: np.ndarray) -> np.ndarray:
    return np.where(where, np.nan, values)


def ew(results: Results) -> np.ndarray:
    return results.declarer % 2 == 1


# What the columns hold, by what is said of them: of results and N-S's points.
SIGNS: dict[str, tuple[list[str], Callable[[Results, np.ndarray], list[np.ndarray]]]] = {
    "Score: compared as N-S's points": (["Score"], lambda _, ns: [ns]),
    "Score: compared as E-W's points": (["Score"], lambda _, ns: [-ns]),
    "Score: compared as declarer's points": (["Score"], lambda results, ns: [np.where(ew(results), -ns, ns)]),
    "Score: compared as points without a sign": (["Score"], lambda _, ns: [np.abs(ns)]),
    "Score: compared as N-S's points in tens": (["Score"], lambda _, ns: [ns / 10]),
    "Score: compared as declarer's points in tens": (
        ["Score"],
        lambda results, ns: [np.where(ew(results), -ns, ns) / 10],
    ),
    "+Sc and -Sc: compared as each side's points": (
        ["+Sc", "-Sc"],
        lambda _, ns: [blank(ns, ns < 0), blank(-ns, ns > 0)],
    ),
    "NS score and EW score: compared as each side's points": (["NS score", "EW score"], lambda _, ns: [ns, -ns]),
    "NS + and NS -: compared as N-S's points": (
        ["NS +", "NS -"],
        lambda _, ns: [blank(ns, ns < 0), blank(ns, ns >= 0)],
    ),
}


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize("said", SIGNS)
def test_a_score_that_is_not_the_contract_s_is_told_whosever_points_they_are(said: str, seed: int) -> None:
    results = tournament(8, 9, seed)
    headings, columns = SIGNS[said]
    right = read(sheet(results, headings, columns(results, results.score)))
    assert right.errors == ()
    assert right.remarks == (f"{said}, 72 of 72 agree",)
    other = results.score.copy()
    other[WRONG] += 30 if other[WRONG] > 0 else -50
    grid = sheet(results, headings, columns(results, other))
    wrong = read(grid)
    (error,) = wrong.errors
    assert error.row == WRONG + 2
    assert wrong.remarks == (f"{said}, 71 of 72 agree",)
    scored = score_grid(grid, Options())
    (notes,) = (column.cells for column in scored.block.columns if column.name == "Note")
    ours = abs(results.score[WRONG])
    assert f"{other[WRONG]:g}".lstrip("-") in notes[WRONG] or f"{other[WRONG] / 10:g}".lstrip("-") in notes[WRONG]
    assert f"{ours:g}" in notes[WRONG] or f"{ours / 10:g}" in notes[WRONG]
    assert scored.summary.unscored == ("board 1, a row that cannot be read",)


@pytest.mark.parametrize("seed", range(20))
@pytest.mark.parametrize("what", ["IMPs", "whole IMPs", "matchpoints", "per cent", "of 3 tables", "sum of IMPs"])
def test_other_scores_are_not_taken_for_points(what: str, seed: int) -> None:
    results = tournament(8, 3 if what == "of 3 tables" else 9, seed)
    score, boards = results.score, results.board
    given = {
        "IMPs": lambda: cross_imps(score, boards=boards),
        "whole IMPs": lambda: np.rint(cross_imps(score, boards=boards)),
        "sum of IMPs": lambda: cross_imps(score, divisor="total", boards=boards),
        "matchpoints": lambda: matchpoints(score, boards=boards),
        "per cent": lambda: np.rint(matchpoint_percent(score, boards=boards)),
        "of 3 tables": lambda: matchpoint_percent(score, boards=boards),
    }[what]()
    found = read(sheet(results, ["Score"], [np.asarray(given)]))
    assert found.errors == ()
    assert found.remarks == ("Score: not compared, as the numbers are not the points of contracts",)


def test_a_sheet_that_is_misread_as_a_whole_is_not_scored_silently() -> None:
    """Most rows disagree: that they are points shows in the numbers."""
    results = tournament(2, 9, 3)
    grid = sheet(results, ["Score"], [results.score])
    for row in grid[1:]:
        row[0] = int(row[0]) + 3
    assert {error.column for error in read(grid).errors} == {"Score"}
    for row in grid[1:]:
        row[3] = int(row[3]) - 1
    found = read(grid)
    assert len(found.errors) == 18
    assert found.remarks[0].endswith("(are the vulnerability, the tricks and the language of the suits right?)")


def test_scores_without_a_contract_on_them_are_not_compared() -> None:
    """Blank scores, adjusted ones, and rows that cannot be read for another reason."""
    grid: Grid = [["Board", "Contract", "By", "Tricks", "Score"]]
    grid += [[1, "4S", "N", 10, 420], [1, "4S", "N", 9, None], [1, "A+", None, None, 60], [2, "8S", "N", 9, 50]]
    grid += [[3, "Pass", None, None, 0], [3, "Pass", None, None, "-"], [5, "4S", "E", 10, "−420"]]
    assert [error.row for error in read(grid).errors] == [5]


def test_a_pass_out_has_no_points() -> None:
    grid: Grid = [["Board", "Contract", "By", "Tricks", "Score"], [1, "4S", "N", 10, 420], [1, "Pass", "", "", 50]]
    grid += [[1, "4S", "N", 10, 420]]
    (error,) = read(grid).errors
    assert str(error) == "row 3, Score: '50' (expected 0: a pass-out)"


def test_scores_of_a_usebio_file_are_compared(tmp_path: Path) -> None:
    lines = [line("1", "2", more="<SCORE>420</SCORE>"), line("3", "4", tricks="9", more="<SCORE>-50</SCORE>")]
    wrong = line("5", "6", tricks="11", more="<SCORE>420</SCORE>")
    path = tmp_path / "night.xml"
    path.write_text(f"<USEBIO>{event(board(1, *lines, wrong))}</USEBIO>")
    (error,) = read_results(path).errors
    assert str(error).endswith("SCORE: '420' (expected 450: 4S by N, 11 tricks, not vulnerable)")
    assert score_file(path).summary.unscored == ("board 1, a row that cannot be read",)


def test_scores_of_a_pbn_file_are_compared(tmp_path: Path) -> None:
    path = tmp_path / "night.pbn"
    path.write_text(
        '[Board "1"]\n[ScoreTable "Contract;Declarer;Result;Score_NS"]\n4S N 10 420\n4S N 9 -50\n4S E 9 -50\n'
    )
    (error,) = read_results(path).errors
    assert str(error) == "row 5, Score_NS: '-50' (expected 50: 4S by E, 9 tricks, not vulnerable)"
    game = '[Event ""]\n[Board "1"]\n[Contract "4S"]\n[Declarer "{}"]\n[Result "10"]\n[Score "{}"]\n'
    path.write_text("".join(game.format(by, score) for by, score in (("N", "NS 420"), ("E", "EW 420"), ("N", "EW 50"))))
    (error,) = read_results(path).errors
    assert error.row == 15 and error.expected.startswith("expected 420")


@pytest.mark.parametrize("suffix", [".csv", ".xlsx"])
def test_a_converted_file_has_the_scores_that_a_row_disagrees_with(tmp_path: Path, suffix: str) -> None:
    """So that they are judged again as they were."""
    path = tmp_path / "night.csv"
    path.write_text("Board,Contract,By,Tricks,Score\n1,4S,N,10,-420\n1,4S,E,9,-50\n1,4S,N,9,-50\n2,3NT,W,9,400\n")
    converted = convert_file(path, tmp_path / f"out{suffix}")
    again = read_results(converted.written)
    assert [error.row for error in converted.results.errors] == [error.row for error in again.errors] == [4]
    assert again.remarks == converted.results.remarks == ("Score: compared as E-W's points, 3 of 4 agree",)
