"""The tableau of a board: the paper's tables line by line, both sides' views, and what is on no line."""

from __future__ import annotations

from collections import Counter, defaultdict

import numpy as np
import pytest
import simulate
from examples import EXAMPLES, results_of

from valet_xl.engine.arrays import Index
from valet_xl.engine.lines import LEADS
from valet_xl.engine.results import Results
from valet_xl.engine.valet import METHODS, valet
from valet_xl.errors import SheetError
from valet_xl.rankings.tableau import SIDES, find_board, tableau, tableau_title
from valet_xl.reading.rows import read_rows

OPTIONS = {"iaf": ("iaf", False), "datum": ("datum", False), "iaf cloud": ("iaf", True), "datum cloud": ("datum", True)}
PARTS = ("overall", "bid", "play", "lead", "defence")


def night(**columns: list[object]) -> Results:
    return read_rows(columns, range(2, 2 + len(columns["board"])))


def keys(results: Results, at: Index | slice = slice(None)) -> list[tuple[int, ...]]:
    """Board, contract, declarer and tricks of results, as numbers."""
    columns = (results.board, results.level, results.strain, results.double, results.declarer, results.tricks)
    return list(zip(*(column[at].tolist() for column in columns), strict=True))


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda example: f"example {example.number}")
def test_papers_tables_line_by_line(example):
    """The same lines with the same counts and values, those of the best overall score first."""
    for name, lines in example.methods.items():
        results = results_of(example.board, lines)
        method, cloud = OPTIONS[name]
        got = tableau(results, valet(results, method=method, cloud=cloud))
        assert len(got) == len(lines)
        assert got.overall == pytest.approx(sorted((line.overall for line in lines), reverse=True), abs=6e-4)
        entries = read_rows(
            {
                "board": [example.board] * len(lines),
                "contract": [line.contract for line in lines],
                "declarer": [line.by for line in lines],
                "tricks": [line.tricks for line in lines],
            },
            range(len(lines)),
        )
        expected = {
            (*key[1:], line.led.replace("-", "")): (line.tables, line.score, *line[6:11])
            for key, line in zip(keys(entries), lines, strict=True)
        }
        for at, (key, led) in enumerate(zip(keys(results, got.results), got.led, strict=True)):
            values = (got.tables[at], got.score[at], *(getattr(got, part)[at] for part in PARTS))
            assert values == pytest.approx(expected[*key[1:], led], abs=6e-4)


@pytest.mark.parametrize("lead", LEADS)
@pytest.mark.parametrize("method", METHODS)
def test_lines_are_the_results_counted_one_by_one(method, lead):
    """Every result is on one line, with the very values that it has itself, whatever leads are alike."""
    results = simulate.tournament(12, [1, 2, 3, 40, 40, 40, 7, 7, 7, 7, 60, 60], seed=5)
    parts = valet(results, method=method, lead=lead)
    lines = tableau(results, parts, lead=lead)
    assert np.bincount(lines.board, lines.tables, 12).tolist() == np.bincount(results.board).tolist()
    values = np.stack([getattr(parts, part) for part in PARTS], axis=1)
    of_key = defaultdict(list)
    for key, value in zip(keys(results), values, strict=True):
        of_key[key].append(value)
    of_line = keys(results, lines.results)
    for at, key in enumerate(of_line):
        line = np.array([getattr(lines, part)[at] for part in PARTS])
        alike = [value for value in of_key[key] if np.array_equal(value, line, equal_nan=True)]
        assert len(alike) >= lines.tables[at]
    assert max(Counter(zip(of_line, lines.led, strict=True)).values()) == 1


def test_best_first_on_each_board_from_each_side():
    results = simulate.tournament(6, 30, seed=2)
    parts = valet(results)
    for side in SIDES:
        lines = tableau(results, parts, side=side)
        for board in range(6):
            overall = lines.overall[lines.board == board]
            assert (np.diff(overall) <= 1e-12).all()


def test_both_sides_views_add_up():
    """A side's parts, where it has them, add up to its overall score, which is minus the other side's."""
    results = simulate.tournament(8, 25, seed=9)
    parts = valet(results, method="iaf", cloud=True)
    views = {side: tableau(results, parts, side=side) for side in ("ns", "ew")}
    for lines in views.values():
        added = lines.bid + sum(np.nan_to_num(getattr(lines, part)) for part in ("play", "lead", "defence"))
        assert added == pytest.approx(lines.overall)
        assert (np.isnan(lines.play) != np.isnan(lines.lead))[results.level[lines.results] > 0].all()
    mirrored = dict(zip(views["ew"].results.tolist(), views["ew"].overall, strict=True))
    for key, value in zip(views["ns"].results.tolist(), views["ns"].overall, strict=True):
        assert mirrored[key] == pytest.approx(-value)


def test_pass_out_is_all_bid_and_nobodys_play():
    """It is North-South's in the declarers' view, too."""
    results = night(board=[1, 1], contract=["Pass", "4HS"], result=[None, "="])
    parts = valet(results)
    for side, sign in (("declarer", 1), ("ns", 1), ("ew", -1)):
        lines = tableau(results, parts, side=side)
        at = lines.results.tolist().index(0)
        assert lines.overall[at] == lines.bid[at] == sign * -9  # 420 points (Law 78B)
        assert lines.led[at] == ""
    for side in ("ns", "ew"):
        lines = tableau(results, parts, side=side)
        assert np.isnan([getattr(lines, part)[lines.results.tolist().index(0)] for part in PARTS[2:]]).all()


def test_what_is_on_no_line():
    """Adjusted, unplayed and mistaken rows are not; other results of a spoilt board are, without parts."""
    results = night(
        board=[1, 1, 1, 1, 2, 2],
        contract=["4HS", "4HS", "60/40", "NP", "3NTN", "9CE"],
        tricks=[10, 9, None, None, 9, 9],
    )
    lines = tableau(results, valet(results))
    assert lines.results.tolist() == [0, 1, 4]
    assert lines.score.tolist() == [420, -50, 600]  # N-S are vulnerable on board 2 (Law 2)
    assert np.isnan(lines.overall).tolist() == [False, False, True]


def test_leads_are_grouped_by_their_class():
    """A suit; its honours and spots; the card. What is not known well enough is a class of its own."""
    results = night(board=[1] * 6, contract=["3NTN"] * 6, tricks=[9] * 6, lead=["SK", "SQ", "S5", "S", "H2", None])
    expected = {
        "none": {"": 6},
        "suit": {"S": 4, "H": 1, "": 1},
        "honour": {"S honour": 2, "S spot": 1, "S": 1, "H spot": 1, "": 1},
        "card": {"SK": 1, "SQ": 1, "S5": 1, "S": 1, "H2": 1, "": 1},
    }
    for lead, counts in expected.items():
        lines = tableau(results, valet(results, lead=lead), lead=lead)
        assert dict(zip(lines.led, lines.tables.tolist(), strict=True)) == counts


def test_some_boards_alone():
    results = simulate.tournament(5, 10, seed=1)
    parts = valet(results)
    assert set(tableau(results, parts, boards=[3]).board.tolist()) == {3}
    assert len(tableau(results, parts, boards=[])) == 0


def test_another_word_is_refused():
    results = simulate.tournament(1, 2)
    with pytest.raises(ValueError, match="side must be one of declarer, ns, ew, got 'north'"):
        tableau(results, valet(results), side="north")
    with pytest.raises(ValueError, match="lead must be one of"):
        tableau(results, valet(results), lead="trump")


def test_a_board_is_found_by_number_and_round():
    results = read_rows(
        {"round": ["1", "2", "2"], "board": [1, 1, "Board 02"], "contract": ["4HS", "4HN", "3NTN"], "tricks": [9] * 3},
        [2, 3, 4],
        rounds="new",
    )
    assert results.boards[find_board(results, "2")] == ("2", "2")
    assert results.boards[find_board(results, "01", of_round="1")] == ("1", "1")
    for number, of_round, message in (
        ("1", None, r"board 1 is another deal in each of several rounds: 1, 2 \(name the round\)"),
        ("9", None, r"there is no board 9 \(expected 1, 2\)"),
        ("2", "1", r"there is no board 2 of round 1 \(it is in 2\)"),
    ):
        with pytest.raises(SheetError, match=message):
            find_board(results, number, of_round=of_round)


def test_a_deal_of_all_rounds_is_of_none():
    results = read_rows(
        {"round": ["1", "2"], "board": [1, 1], "contract": ["4HS", "4HN"], "tricks": [9, 9]}, [2, 3], rounds="same"
    )
    assert find_board(results, "1") == 0
    with pytest.raises(SheetError, match=r"no board 1 of round 1 \(it is the same in all rounds: name none\)"):
        find_board(results, "1", of_round="1")


def test_title_says_who_is_vulnerable():
    """Of board 4 both sides are (Law 2); a board that nobody played has no contracts to show it."""
    results = night(board=[4, 4, 5], contract=["4HS", "NP", "NP"], tricks=[10, None, None])
    assert tableau_title(results, 0) == "Board 4, both vulnerable: 1 result"
    assert tableau_title(results, 1) == "Board 5: 0 results"
