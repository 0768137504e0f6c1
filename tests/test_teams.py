"""Team scores: matches of four, eight and more tables, board-a-match, and barking against plain loops."""

from __future__ import annotations

from itertools import combinations
from typing import Any

import numpy as np
import pytest
from brute import imp
from hypothesis import given
from hypothesis import strategies as st

from valet_xl.engine.comparison import cross_imps
from valet_xl.engine.teams import TEAM_DIVISORS, TEAM_METHODS, barking, board_a_match, team_imps

score = st.integers(-200, 200).map(lambda tens: 10 * tens)
field = st.lists(st.sampled_from([-800, -100, -50, 0, 110, 140, 420, 430, 620, 1430]) | score, min_size=1, max_size=9)


@st.composite
def matches(draw: st.DrawFn) -> tuple[list[list[int]], list[list[int]]]:
    """Boards by tables, North-South's points, home and away."""
    tables = draw(st.integers(1, 4))
    row = st.lists(score, min_size=tables, max_size=tables)
    boards = draw(st.lists(st.tuples(row, row), min_size=1, max_size=4))
    return [home for home, _ in boards], [away for _, away in boards]


def barked(scores: list[int]) -> list[int]:
    """The definition: over all partners, and over all pairs of others."""
    sums = []
    for i in range(len(scores)):
        total = 0
        for j in range(len(scores)):
            others = [k for k in range(len(scores)) if k not in (i, j)]
            if j != i:
                total += sum(imp(scores[i] + scores[j] - scores[k] - scores[n]) for k, n in combinations(others, 2))
        sums.append(total)
    return sums


# -- barking


@pytest.mark.parametrize(("tables", "terms"), [(4, 3), (8, 105), (12, 495)])
def test_comparisons_of_a_pair(tables: int, terms: int) -> None:
    """3 for 4 tables, 105 for 8, 495 for 12: one score far above all others wins each of them by the most."""
    scores = [100_000.0, *[0.0] * (tables - 1)]
    assert barking(scores)[0] == 24 * terms
    assert barking(scores, divisor="average")[0] == 24


@pytest.mark.parametrize("tables", [4, 5, 8, 12])
def test_barking_is_the_sum_over_all_teams_of_eight(tables: int) -> None:
    rng = np.random.default_rng(tables)
    for _ in range(3):
        scores = rng.choice([1430, 680, 650, 620, 170, 140, 110, -50, -100, -200], tables).tolist()
        assert barking(scores).tolist() == barked(scores)


@given(field)
def test_barking_of_any_field(scores: list[int]) -> None:
    if len(scores) < 4:
        assert np.isnan(barking(scores)).all()
    else:
        assert barking(scores).tolist() == barked(scores)


@given(field)
def test_barking_sums_to_zero_and_turns_with_the_sides(scores: list[int]) -> None:
    there, back = barking(scores), barking([-score for score in scores])
    if len(scores) >= 4:
        assert there.sum() == 0
    assert there == pytest.approx(-back, nan_ok=True)


@given(st.lists(field, min_size=1, max_size=3), st.sampled_from(TEAM_DIVISORS))
def test_boards_of_a_field_are_apart(boards: list[list[int]], divisor: str) -> None:
    numbers = np.repeat(np.arange(len(boards)), [len(board) for board in boards])
    together = barking(np.concatenate(boards), divisor=divisor, boards=numbers)
    assert together == pytest.approx(np.concatenate([barking(board, divisor=divisor) for board in boards]), nan_ok=True)


def test_a_table_that_did_not_play_is_in_no_team() -> None:
    assert barking([430, np.nan, 430, -50, 140]).tolist()[2:] == barking([430, 430, -50, 140]).tolist()[1:]
    assert np.isnan(barking([430, np.nan, 430, -50, 140])[1])
    assert barking([]).shape == (0,)
    assert barking([[430, 430], [-50, 140]]).shape == (2, 2)


def test_a_large_field_is_no_burden() -> None:
    """40 tables on 32 boards; term by term these would be 36 million comparisons."""
    scores = np.random.default_rng(0).integers(-80, 80, (32, 40)) * 10.0
    barked_all = barking(scores, boards=np.indices(scores.shape)[0])
    assert (barked_all.sum(axis=1) == 0).all()
    assert barked_all[5].tolist() == barking(scores[5]).tolist()


# -- matches


def test_a_board_of_teams_of_eight() -> None:
    """Home 620 and 650 against 620 and -100: across 0, 12, 1 and 13 IMPs; in order 0 and 13; added up 750, 13 IMPs."""
    home, away = [[620, 650]], [[620, -100]]
    assert team_imps(home, away).tolist() == [0 + 12 + 1 + 13]
    assert team_imps(home, away, method="fours").tolist() == [0 + 13]
    assert team_imps(home, away, method="aggregate").tolist() == [13]
    assert team_imps(home, away, method="cross", divisor="average").tolist() == [26 / 4]
    assert team_imps(home, away, method="fours", divisor="average").tolist() == [6.5]


@given(matches(), st.sampled_from(TEAM_DIVISORS))
def test_matches_by_plain_loops(match: tuple[list[list[int]], list[list[int]]], divisor: str) -> None:
    home, away = match
    for at, (own, other) in enumerate(zip(home, away, strict=True)):
        terms = {
            "cross": [imp(one - two) for one in own for two in other],
            "fours": [imp(one - two) for one, two in zip(own, other, strict=True)],
            "aggregate": [imp(sum(own) - sum(other))],
        }
        for method, worth in terms.items():
            expected = sum(worth) / (len(worth) if divisor == "average" else 1)
            assert team_imps(home, away, method=method, divisor=divisor)[at] == pytest.approx(expected)


@given(matches(), st.sampled_from(TEAM_METHODS), st.sampled_from(TEAM_DIVISORS))
def test_what_a_team_wins_the_other_loses(
    match: tuple[list[list[int]], list[list[int]]], method: str, divisor: str
) -> None:
    home, away = match
    assert (
        team_imps(home, away, method=method, divisor=divisor).tolist()
        == (-team_imps(away, home, method=method, divisor=divisor)).tolist()
    )
    assert (board_a_match(home, away) + board_a_match(away, home) == 2).all()


@given(st.lists(st.tuples(score, score), min_size=1, max_size=5))
def test_all_methods_agree_on_teams_of_four(boards: list[tuple[int, int]]) -> None:
    home, away = ([[board[side]] for board in boards] for side in (0, 1))
    expected = [imp(own - other) for own, other in boards]
    for method in TEAM_METHODS:
        for divisor in TEAM_DIVISORS:
            assert team_imps(home, away, method=method, divisor=divisor).tolist() == expected


def test_cross_imps_of_four_tables_hold_those_of_the_match() -> None:
    """Four tables across: what Home's two have against Away's is all that they have, as against each other it is 0."""
    home, away = [620.0, 650.0], [620.0, -100.0]
    across = cross_imps([*home, *away], divisor="total")
    assert across[:2].sum() == team_imps([home], [away])[0]


def test_a_missing_table() -> None:
    """Comparisons that there are count; points of different numbers of tables cannot be added up and compared."""
    home, away = [[620, np.nan], [np.nan, np.nan]], [[620, -100], [100, 200]]
    assert team_imps(home, away) == pytest.approx([12, np.nan], nan_ok=True)
    assert team_imps(home, away, method="cross", divisor="average") == pytest.approx([6, np.nan], nan_ok=True)
    assert team_imps(home, away, method="fours") == pytest.approx([0, np.nan], nan_ok=True)
    assert np.isnan(team_imps(home, away, method="aggregate")).all()
    assert np.isnan(board_a_match(home, away)).all()


def test_board_a_match_compares_all_points_of_a_board() -> None:
    home = [[430, -50], [420, 0], [100, 100]]
    away = [[420, -50], [400, 20], [110, 100]]
    assert board_a_match(home, away).tolist() == [2, 1, 0]


@pytest.mark.parametrize(
    ("tables", "options", "message"),
    [
        (([[1]], [[1]]), {"method": "best"}, "method must be one of cross, fours, aggregate, got 'best'"),
        (([[1]], [[1]]), {"divisor": "n"}, "divisor must be one of total, average, got 'n'"),
        (([[1, 2]], [[1]]), {}, r"home and away must be boards by tables alike, got \(1, 2\) and \(1, 1\)"),
        (([1], [1]), {}, "home and away must be boards by tables alike"),
    ],
)
def test_a_bad_argument_is_named(tables: Any, options: dict[str, str], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        team_imps(*tables, **options)


def test_barking_refuses_another_divisor() -> None:
    with pytest.raises(ValueError, match="divisor must be one of total, average, got 'sqrt'"):
        barking([1, 2, 3, 4], divisor="sqrt")
