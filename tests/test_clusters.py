"""Scores gathered by owner and board: the same clusters from a table of keys and from sorted keys."""

from __future__ import annotations

import numpy as np
import pytest

from valet_xl.rankings import clusters, partnerships
from valet_xl.rankings.clusters import Clusters
from valet_xl.rankings.simulate import simulate


def test_one_score_a_board_needs_no_index() -> None:
    """Whether the keys are counted in a table or sorted."""
    owner, board = np.array([2, 0, 1, 0, 2]), np.array([1, 0, 1, 1, 0])
    for table in (clusters.TABLE, 0):
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(clusters, "TABLE", table)
            found = Clusters.of(owner, board, 3, 2)
        assert found.of_line is None
        assert (found.owner.tolist(), found.board.tolist()) == (owner.tolist(), board.tolist())


@pytest.mark.parametrize("again", range(5))
def test_two_scores_on_a_board_are_one_cluster(again: int) -> None:
    """Whichever of them comes twice, with the other one first or last, in a table and sorted."""
    owner, board = np.array([2, 0, 1, 0, 2]), np.array([1, 0, 1, 1, 0])
    owner, board = np.append(owner, owner[again]), np.append(board, board[again])
    for table in (clusters.TABLE, 0):
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(clusters, "TABLE", table)
            found = Clusters.of(owner, board, 3, 2)
        assert found.of_line is not None
        assert (found.owner.tolist(), found.board.tolist()) == ([0, 0, 1, 2, 2], [0, 1, 1, 0, 1])
        assert found.owner[found.of_line].tolist() == owner.tolist()
        assert found.board[found.of_line].tolist() == board.tolist()


def test_pairs_are_the_same_from_a_table_of_keys_and_from_sorted_keys() -> None:
    results = simulate(pairs=8, rounds=4, boards=2, movement="round-robin").results  # 16 players, 256 keys
    found = partnerships.partnerships(results)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(partnerships, "TABLE", 64)  # fewer than the keys of pairs, more than there are pairs
        again = partnerships.partnerships(results)
    assert again.pair_names == found.pair_names
    assert again.player_names == found.player_names
    assert again.pair.tolist() == found.pair.tolist()
    assert again.player.tolist() == found.player.tolist()
