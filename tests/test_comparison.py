"""Cross-IMPs, matchpoints and percentages: each score against the others of its board."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import numpy as np
import pytest
from brute import imp, sign
from hypothesis import given
from hypothesis import strategies as st

from valet_xl.engine import comparison
from valet_xl.engine.comparison import (
    compare,
    compare_field,
    cross_imps,
    distinct,
    matchpoint_percent,
    matchpoints,
    order_of_scores,
    whole_scores,
)
from valet_xl.engine.laws import imps_of

Score = Callable[..., np.ndarray]

a_score = st.sampled_from([-7600, -1100, -420, -50, 0, 110, 140, 420, 430, 650, 1430, 2980])
scores_of_board = st.lists(a_score, min_size=1, max_size=9)
ragged = st.lists(scores_of_board, min_size=1, max_size=4)

DIVISORS = {
    "n-1": lambda n: n - 1,
    "n": lambda n: n,
    "total": lambda n: 1,
    "sqrt": lambda n: (n * (n - 1) / 2) ** 0.5,
}


# -- laws


def test_example_1_of_the_valet_paper() -> None:
    """Scores and cross-IMPs of 22 tables at the Bermuda Bowl 2015, board 2."""
    tables = {1460: (1, 8.429), 1430: (8, 7.952), 690: (1, -5.143), 680: (11, -5.524), 660: (1, -6.143)}
    scores = [score for score, (count, _) in tables.items() for _ in range(count)]
    assert cross_imps(scores) == pytest.approx([tables[score][1] for score in scores], abs=5.01e-4)


def test_matchpoints_of_a_small_board() -> None:
    """2 for a win, 1 for a tie."""
    assert matchpoints([620, 170, 170, -100]).tolist() == [6, 3, 3, 0]
    assert matchpoint_percent([620, 170, 170, -100]).tolist() == [100, 50, 50, 0]


def test_neuberg_factors_up_a_board_with_fewer_scores() -> None:
    """M' = M x E / A + (E - A) / A: with 3 scores of 4, a top of 4 becomes 5 2/3 of 6."""
    assert matchpoints([620, 170, -100], expected=4) == pytest.approx([4 * 4 / 3 + 1 / 3, 2 * 4 / 3 + 1 / 3, 1 / 3])
    assert matchpoint_percent([620, 170, -100], expected=4) == pytest.approx([850 / 9, 50, 50 / 9])


def test_neuberg_changes_nothing_where_no_score_is_missing() -> None:
    assert matchpoints([620, 170, -100], expected=3).tolist() == matchpoints([620, 170, -100]).tolist()


def test_more_scores_than_expected_are_refused() -> None:
    with pytest.raises(ValueError, match="expected must be at least the number of scores, got 2"):
        matchpoints([620, 170, -100], expected=2)


def test_another_divisor_is_named() -> None:
    with pytest.raises(ValueError, match="divisor must be one of n-1, n, total, sqrt, got 'm'"):
        cross_imps([1, 2], divisor="m")


# -- the definitions in plain loops


@given(scores_of_board, st.sampled_from(sorted(DIVISORS)))
def test_cross_imps_are_a_double_loop(scores: list[int], divisor: str) -> None:
    n = len(scores)
    expected = [sum(imp(own - other) for other in scores) / DIVISORS[divisor](n) if n > 1 else np.nan for own in scores]
    assert cross_imps(scores, divisor=divisor) == pytest.approx(expected, nan_ok=True)


@given(scores_of_board)
def test_matchpoints_are_a_double_loop(scores: list[int]) -> None:
    n = len(scores)
    expected = [sum(1 + sign(own - other) for other in scores) - 1 if n > 1 else np.nan for own in scores]
    assert matchpoints(scores) == pytest.approx(expected, nan_ok=True)
    percent = [100 * points / (2 * (n - 1)) if n > 1 else np.nan for points in expected]
    assert matchpoint_percent(scores) == pytest.approx(percent, nan_ok=True)


@given(scores_of_board, st.integers(0, 4))
def test_neuberg_keeps_the_average_and_never_passes_the_top(scores: list[int], missing: int) -> None:
    percent = matchpoint_percent(scores, expected=len(scores) + missing)
    if len(scores) > 1:
        assert percent.mean() == pytest.approx(50)
        assert percent.min() >= 0
        assert percent.max() <= 100


# -- invariants


@given(scores_of_board, st.sampled_from(sorted(DIVISORS)))
def test_a_board_sums_to_zero_and_its_percentages_average_50(scores: list[int], divisor: str) -> None:
    if len(scores) > 1:
        assert cross_imps(scores, divisor=divisor).sum() == pytest.approx(0, abs=1e-9)
        assert matchpoint_percent(scores).mean() == pytest.approx(50)


few_scores = st.lists(
    st.integers(-800, 800).map(lambda tens: 10.0 * tens) | st.sampled_from([np.nan, 425.0, 1e7, 1e300]), max_size=45
)


@given(few_scores, st.sampled_from(sorted(DIVISORS)))
def test_the_table_for_few_scores_changes_none(scores: list[float], divisor: str) -> None:
    """To the last bit, whatever else than multiples of 10 is among them."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(comparison, "_few_imps", lambda _scores: None)
        expected = cross_imps(scores, divisor=divisor)
    assert cross_imps(scores, divisor=divisor).tobytes() == expected.tobytes()


@given(scores_of_board)
def test_swapping_the_sides_negates(scores: list[int]) -> None:
    swapped = [-score for score in scores]
    assert cross_imps(swapped) == pytest.approx(-cross_imps(scores), nan_ok=True)
    assert matchpoint_percent(swapped) == pytest.approx(100 - matchpoint_percent(scores), nan_ok=True)


@given(ragged)
def test_all_boards_at_once_are_board_by_board(boards: list[list[int]]) -> None:
    scores = np.concatenate(boards)
    names = np.array([f"board {at}" for at, board in enumerate(boards) for _ in board])
    for score in (cross_imps, matchpoints, matchpoint_percent):
        expected = np.concatenate([score(board) for board in boards])
        assert score(scores, boards=names) == pytest.approx(expected, nan_ok=True)


@given(ragged, st.sampled_from([1, 2, 7, 40]))
def test_the_size_of_a_step_changes_no_score(boards: list[list[int]], pairs: int) -> None:
    scores = np.concatenate(boards)
    numbers = np.repeat(np.arange(len(boards)), [len(board) for board in boards])
    with pytest.MonkeyPatch.context() as patch:
        at_once = cross_imps(scores, boards=numbers)
        patch.setattr(comparison, "PAIRS_AT_ONCE", pairs)
        assert cross_imps(scores, boards=numbers) == pytest.approx(at_once, nan_ok=True)


@pytest.mark.parametrize("pairs", [1, comparison.PAIRS_AT_ONCE])
def test_a_score_of_another_board_does_not_meet_the_only_field(pairs: int) -> None:
    """Boards 0 and 1 are compared and board 0 alone has a field: 50 points less than 0 and 150 less than 100."""
    boards, scores = np.array([0, 1]), np.array([-50.0, 420.0])
    field = np.array([0, 0]), np.array([0.0, 100.0]), np.array([1.0, 2.0])
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(comparison, "PAIRS_AT_ONCE", pairs)
        assert compare(boards, scores, *field, np.sign).tolist() == [-3, 0]


@pytest.mark.parametrize("score", [cross_imps, matchpoints, matchpoint_percent])
def test_one_result_has_nothing_to_be_compared_with(score: Score) -> None:
    assert np.isnan(score([420])).tolist() == [True]
    assert np.isnan(score([420, np.nan])).tolist() == [True, True]
    assert np.isnan(score([420, 50, 420], boards=[1, 2, 1])).tolist() == [False, True, False]


@pytest.mark.parametrize("score", [cross_imps, matchpoints, matchpoint_percent])
def test_boards_must_have_the_shape_of_the_scores(score: Score) -> None:
    with pytest.raises(ValueError, match=r"boards must have the shape of scores, \(2,\), got \(3,\)"):
        score([420, 50], boards=[1, 1, 1])


@given(
    st.lists(st.tuples(st.integers(0, 3), st.sampled_from([-7600, -50, -0.0, 0, 10, 420, 430, 2**29])), max_size=40),
    st.sampled_from([0, 0.5, 2.0**40]),
)
def test_whole_scores_are_sorted_with_their_boards_in_one_number(rows: list[tuple[int, float]], more: float) -> None:
    """What numpy's own sort gives; scores that are not whole, or too large, are sorted by that."""
    boards = np.array([board for board, _ in rows], dtype=np.intp)
    scores = np.array([score for _, score in rows], dtype=np.float64) + more
    assert (whole_scores(boards, scores) is None) == (bool(more) or not rows)
    order = np.lexsort((scores, boards))
    assert order_of_scores(boards, scores).tolist() == order.tolist()
    found = distinct(boards, scores)
    pairs = sorted({(board, score) for board, score in zip(boards.tolist(), scores.tolist(), strict=True)})
    assert list(zip(found.board.tolist(), found.score.tolist(), strict=True)) == pairs
    assert found.board[found.index].tolist() == boards.tolist()
    assert found.score[found.index].tolist() == scores.tolist()


# -- the field of a board against itself

KERNELS = {"imps": imps_of, "down": partial(imps_of, half=0), "sign": np.sign, "thirds": lambda points: points / 3}


@pytest.mark.parametrize("kernel", KERNELS.values(), ids=KERNELS.keys())
@pytest.mark.parametrize("at_once", [1, 50, comparison.PAIRS_AT_ONCE])
@given(
    st.lists(
        st.lists(a_score | st.sampled_from([-15, 33.5, 20_000, 20_010, 90_000]), min_size=1, max_size=9, unique=True),
        max_size=6,
    ),
    st.integers(0, 99),
)
def test_a_field_against_itself_is_compared_to_the_last_bit(
    kernel: Score, at_once: int, boards: list[list[float]], seed: int
) -> None:
    """Tables of all boards at once give what pair after pair gives: several sums of each, with weights that are no
    whole numbers too, some of them 0.
    """
    of = np.repeat(np.arange(len(boards)), [len(board) for board in boards]).astype(np.intp)
    field = distinct(of, np.array([score for board in boards for score in board], dtype=np.float64))
    rng = np.random.default_rng(seed)
    weights = rng.random((2, len(field.score))) * 3
    weights[:, rng.random(len(field.score)) < 0.3] = 0
    weights[1, rng.random(len(field.score)) < 0.3] = 0
    if seed % 2:
        weights[1] = np.rint(weights[1])
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(comparison, "PAIRS_AT_ONCE", at_once)
        both = compare_field(field, weights, kernel)
        assert compare_field(field, weights[0], kernel).tolist() == both[0].tolist()
    for found, weight in zip(both, weights, strict=True):
        in_turn = []
        for board, score in zip(field.board, field.score, strict=True):
            total = 0.0
            for at, other, times in zip(field.board, field.score, weight, strict=True):
                if at == board:
                    total += float(kernel(np.array([score - other]))[0]) * times
            in_turn.append(total)
        assert found.tolist() == in_turn
