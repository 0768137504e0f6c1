"""Datum rules, Butler scores, and the zero-sum par."""

from __future__ import annotations

import json
import math
from pathlib import Path

import numpy as np
import pytest
from brute import imp, imp_cut
from hypothesis import example, given
from hypothesis import strategies as st

from valet_xl.engine.butler import ROUNDINGS, RULES, butler, datum, par

EXAMPLE_1 = [1460] + [1430] * 8 + [690] + [680] * 11 + [660]  # of the Valet paper: Bermuda Bowl 2015, board 2

scores_of_board = st.lists(st.integers(-300, 300).map(lambda tens: 10 * tens), min_size=1, max_size=9)


def of_board(scores: list[float], **options: object) -> float:
    """The datum of a board, which is given at each of its scores."""
    datums = datum(scores, **options)
    assert len(np.unique(datums)) == 1
    return float(datums[0])


# -- datum rules


def test_example_1_of_the_valet_paper() -> None:
    """The mean is 987.7, which the paper prints as 988; 10, 10, -7, -7, -8 IMPs."""
    assert of_board(EXAMPLE_1) == pytest.approx(987.73, abs=0.005)
    assert of_board(EXAMPLE_1, rounding="integer") == 987
    assert butler(EXAMPLE_1, rounding="integer").tolist() == [10] * 9 + [-7] * 12 + [-8]


def test_the_mean_is_not_rounded_unless_told() -> None:
    assert of_board([100, 110, 110]) == pytest.approx(320 / 3)


@pytest.mark.parametrize(
    ("rounding", "mean", "expected"),
    [
        ("none", 425, 425),
        ("integer", 425.9, 425),
        ("integer", -425.9, -425),
        ("nearest", 424.9, 420),
        ("nearest", 425, 430),
        ("nearest", -425, -430),
        ("nearest", -424.9, -420),
        ("nearest", 415, 420),
        ("even", 425, 420),  # ACBL
        ("even", 435, 440),
        ("even", 425.1, 430),
        ("even", -425, -420),
        ("down", 429.9, 420),
        ("down", -429.9, -420),
    ],
)
def test_roundings_of_a_datum(rounding: str, mean: float, expected: float) -> None:
    assert of_board([mean - 100, mean + 100], rounding=rounding) == pytest.approx(expected, abs=1e-9)


@pytest.mark.parametrize("rounding", sorted(ROUNDINGS))
def test_a_datum_is_rounded_alike_for_both_sides(rounding: str) -> None:
    means = np.arange(-60, 61) * 2.5
    scores, boards = np.repeat(means, 2), np.repeat(np.arange(len(means)), 2)
    there, back = (datum(sign * scores, rounding=rounding, boards=boards) for sign in (1, -1))
    assert (there == -back).all()
    assert not np.signbit(there[there == 0]).any()


@pytest.mark.parametrize(
    ("leave_out", "expected"),
    [
        (None, 600),  # the highest and the lowest, as most clubs do
        (0, 500),
        (1, 600),
        (2, 620),  # two and two: the Bermuda Bowl
        (0.05, 500),  # 5 % of 6 scores is no whole score
        (0.2, 600),
        (0.4, 620),
    ],
)
def test_a_trimmed_mean_leaves_out_scores_at_both_ends(leave_out: float | None, expected: float) -> None:
    scores = [1100, 650, 620, 620, 510, -500]
    assert of_board(scores, rule="trimmed", leave_out=leave_out) == expected


def test_a_share_is_of_the_board_s_own_field() -> None:
    """5 % each side, as the ACBL: one score of 20, none of 19."""
    twenty, nineteen = [1000.0, *[0.0] * 18, 500.0], [1000.0, *[0.0] * 17, 500.0]
    datums = datum(twenty + nineteen, rule="trimmed", leave_out=0.05, boards=[1] * 20 + [2] * 19)
    assert datums[0] == 500 / 18
    assert datums[-1] == pytest.approx(1500 / 19)


def test_a_board_of_which_nothing_is_left_has_no_datum() -> None:
    assert np.isnan(datum([420, 50], rule="trimmed")).all()
    assert np.isnan(butler([420, 50, 420, 50], rule="trimmed", leave_out=2)).all()


def test_the_median_is_the_mean_of_the_two_middle_scores() -> None:
    assert of_board([620, -100, 650], rule="median") == 620
    assert of_board([620, -100, 650, 170], rule="median") == 395


# -- the zero-sum par

LITERAL = [  # scores, delta, par: of the VBA function, run in a spreadsheet
    ([420, 170], 10, 290),
    ([-180] * 7, 5, -185),
    ([-500], 10, -500),
    ([-630], 1, -630),
    ([920, -400, 680], 10, 500),
    ([-540, -540, -500], 5, -520),
    ([5040, 690, 2380], 20, 2500),
    ([-1150, -1040, -1120, -1040], 20, -1080),
    ([600, 700, 640, 690], 10, 650),
    ([90, 90], 10, 90),
    ([-4930, -630], 1, -2750),
    ([-590, -650], 20, -620),
    ([20, -10], 10, 0),  # from here by its rule for ties: to the lower end of the bracket if the upper is above zero
    ([-20, 10], 10, 0),
    ([120, 90], 10, 100),
    ([-120, -90], 10, -100),
]


@pytest.mark.parametrize(("scores", "delta", "expected"), LITERAL)
def test_par_of_known_score_sets(scores: list[int], delta: int, expected: int) -> None:
    assert par(scores, delta=delta) == expected


def test_par_of_a_thousand_score_sets_is_the_vba_function_s(shared: Path) -> None:
    cases = json.loads((shared / "data" / "par" / "oracle.json").read_text())["cases"]
    assert len(cases) == 1000
    wrong = [case for case in cases if par(case["scores"], delta=case["delta"]) != case["par"]]
    assert wrong == []


def literal_par(scores: list[int], delta: int) -> tuple[float, bool]:
    """The steps of the published VBA, one by one, and whether they end: they do not once an interval repeats itself."""
    lower, upper, at_lower, at_upper = -8000, 8000, -len(scores), len(scores)
    while upper - lower > delta:
        tried = delta * math.trunc((lower + upper) / (2 * delta))
        total = sum(imp_cut(tried - score) for score in scores)
        if total == 0:
            return tried, True
        before = (lower, upper)
        if total < 0:
            lower, at_lower = tried, total
        else:
            upper, at_upper = tried, total
        if (lower, upper) == before:
            return math.nan, False
    if -at_lower < at_upper:
        return lower, True
    if at_upper < -at_lower:
        return upper, True
    return (lower if upper > 0 else upper), True


@given(st.lists(st.integers(-400, 400).map(lambda tens: 10 * tens), min_size=2, max_size=16), st.integers(1, 12000))
@example([5000, 5100], 2500)
@example([-7600, 40], 9000)
@example([7600] * 3, 7999)
def test_par_takes_the_steps_of_the_vba_for_every_delta_and_ends_where_that_does_not(
    scores: list[int], delta: int
) -> None:
    expected, ends = literal_par(scores, delta)
    found = par(scores, delta=delta)
    if ends:
        assert found == expected
    else:
        assert found % delta == 0 or abs(found) == 8000


@given(scores_of_board, st.floats(1, 1e300))
def test_par_ends_for_any_delta(scores: list[int], delta: float) -> None:
    assert -8000 <= par(scores, delta=delta) <= 8000 or len(scores) == 1


def test_par_leaves_out_boards_not_played() -> None:
    assert par([420, np.nan, 170]) == par([420, 170])
    assert np.isnan(par([np.nan]))
    assert np.isnan(par([]))


@pytest.mark.parametrize("delta", [0, -10, 0.5, np.nan])
def test_par_needs_a_delta_of_a_point_or_more(delta: float) -> None:
    with pytest.raises(ValueError, match="delta must be 1 or more"):
        par([420, 170], delta=delta)


def test_zero_sum_is_the_one_nearest_zero_where_par_stops_at_the_first() -> None:
    assert of_board([420, 170], rule="par") == 290
    assert of_board([420, 170], rule="zero-sum") == 260


@given(scores_of_board)
def test_zero_sum_is_the_best_of_all_multiples_of_10(scores: list[int]) -> None:
    """By trying each: the least IMPs left over, and of several the one nearest zero."""

    def left_over(points: int) -> int:
        return abs(sum(imp(points - score) for score in scores))

    tried = range(min(scores) - 30, max(scores) + 40, 10)
    assert of_board(scores, rule="zero-sum") == min((*tried, 0), key=lambda points: (left_over(points), abs(points)))


@given(scores_of_board)
def test_par_leaves_no_more_imps_over_than_zero_sum(scores: list[int]) -> None:
    def left_over(points: float) -> float:
        return abs(sum(imp(points - score) for score in scores))

    assert left_over(par(scores)) == left_over(of_board(scores, rule="zero-sum"))


# -- Butler


def test_double_is_half_the_imps_of_twice_the_difference() -> None:
    """650 against 395 is 255, 6 IMPs; twice that is 510, 11 IMPs, of which half."""
    assert butler([650, 140]).tolist() == [6, -6]
    assert butler([650, 140], double=True).tolist() == [5.5, -5.5]


def test_hard_rounding_cuts_the_difference() -> None:
    assert butler([100, 85]).tolist() == [0, 0]
    assert butler([130, 91]).tolist() == [1, -1]
    assert butler([130, 91], imp_rounding="down").tolist() == [0, 0]


@given(scores_of_board, st.sampled_from(RULES), st.sampled_from(sorted(ROUNDINGS)), st.booleans())
def test_butler_is_the_imps_of_score_less_datum(scores: list[int], rule: str, rounding: str, double: bool) -> None:
    datums = datum(scores, rule=rule, rounding=rounding)
    expected = [
        np.nan if np.isnan(each) or len(scores) == 1 else imp(2 * (score - each)) / 2 if double else imp(score - each)
        for score, each in zip(scores, datums.tolist(), strict=True)
    ]
    assert butler(scores, rule=rule, rounding=rounding, double=double) == pytest.approx(expected, nan_ok=True)


@given(st.lists(scores_of_board, min_size=1, max_size=4), st.sampled_from(RULES), st.sampled_from([None, 2, 0.1]))
def test_all_boards_at_once_are_board_by_board(boards: list[list[int]], rule: str, leave_out: float | None) -> None:
    options = {"rule": rule, "leave_out": leave_out if rule == "trimmed" else None}
    numbers = np.repeat(np.arange(len(boards)), [len(board) for board in boards])
    for score in (datum, butler):
        together = score(np.concatenate(boards), **options, boards=numbers)
        apart = np.concatenate([score(board, **options) for board in boards])
        assert together == pytest.approx(apart, nan_ok=True)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"rule": "mode"}, "datum rule must be one of mean, trimmed, median, par, zero-sum, got 'mode'"),
        ({"rounding": "up"}, "rounding must be one of none, integer, nearest, even, down, got 'up'"),
        ({"leave_out": 1}, "leave_out goes with the datum rule trimmed, not with mean"),
        ({"leave_out": 0.5}, "leave_out must be a count such as 1, or a share below 0.5, got 0.5"),
        ({"leave_out": 1.5}, "leave_out must be a count"),
        ({"leave_out": -1}, "leave_out must be a count"),
        ({"leave_out": float("nan")}, "leave_out must be a count"),
    ],
)
def test_a_bad_option_is_named(options: dict[str, object], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        datum([420, 170], **options)
    with pytest.raises(ValueError, match=message):
        butler([420, 170], **options)
