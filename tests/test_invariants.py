"""What is true of every function that scores an array: shape and blanks are kept, order does not matter."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from random import Random

import numpy as np
import pytest
from assertions import assert_close
from hypothesis import given
from hypothesis import strategies as st

from valet_xl.engine.butler import RULES, butler, datum
from valet_xl.engine.comparison import DIVISORS, cross_imps, matchpoint_percent, matchpoints
from valet_xl.engine.laws import imps

Score = Callable[..., np.ndarray]

OF_BOARDS: dict[str, Score] = {
    **{f"cross_imps {divisor}": partial(cross_imps, divisor=divisor) for divisor in DIVISORS},
    **{f"datum {rule}": partial(datum, rule=rule) for rule in RULES},
    **{f"butler {rule}": partial(butler, rule=rule) for rule in RULES},
    "butler double": partial(butler, double=True),
    "matchpoints": matchpoints,
    "matchpoints neuberg": partial(matchpoints, expected=20),
    "matchpoint_percent": matchpoint_percent,
    "matchpoint_percent neuberg": partial(matchpoint_percent, expected=20),
}
ALL = {**OF_BOARDS, "imps": imps}

every_score = pytest.mark.parametrize("score", ALL.values(), ids=ALL)
every_score_of_boards = pytest.mark.parametrize("score", OF_BOARDS.values(), ids=OF_BOARDS)
score_lists = st.lists(st.sampled_from([np.nan, -800, -50, 0, 140, 420, 430, 1430]), max_size=8)


@every_score
def test_a_column_is_scored_like_a_row_and_a_block_like_both(score: Score) -> None:
    scores = np.array([420, -50, np.nan, 420, 1430, 140])
    row = score(scores)
    assert row.shape == (6,)
    assert_close(score(scores[:, None]), row[:, None])
    assert_close(score(scores.reshape(2, 3)), row.reshape(2, 3))


@every_score
def test_a_score_alone_or_none_at_all_keeps_its_shape(score: Score) -> None:
    assert np.shape(score([420])) == (1,)
    assert np.shape(score([[420]])) == (1, 1)
    assert np.shape(score([])) == (0,)
    assert np.shape(score(np.empty((3, 0)))) == (3, 0)


@every_score
@given(scores=score_lists)
def test_a_board_not_played_has_no_score_and_changes_no_other(score: Score, scores: list[float]) -> None:
    array = np.array(scores, dtype=float)
    played = ~np.isnan(array)
    out = score(array)
    assert np.isnan(out[~played]).all()
    assert_close(out[played], score(array[played]))


@every_score
@given(scores=score_lists, rng=st.randoms(use_true_random=False))
def test_the_order_of_scores_does_not_matter(score: Score, scores: list[float], rng: Random) -> None:
    array, order = np.array(scores, dtype=float), list(range(len(scores)))
    rng.shuffle(order)
    assert_close(score(array[order]), score(array)[order])


@every_score_of_boards
@given(scores=score_lists, data=st.data())
def test_boards_are_told_apart_by_any_labels_in_any_order(
    score: Score, scores: list[float], data: st.DataObject
) -> None:
    array = np.array(scores, dtype=float)
    boards = np.array([data.draw(st.sampled_from([7, -1, 30])) for _ in scores], dtype=int)
    together = score(array, boards=boards)
    for board in np.unique(boards):
        assert_close(together[boards == board], score(array[boards == board]))


@every_score
def test_arguments_are_left_as_they_were(score: Score) -> None:
    scores = np.array([420.0, -50, np.nan])
    scores.flags.writeable = False
    score(scores)
