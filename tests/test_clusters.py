"""Scores gathered by owner and board."""

from __future__ import annotations

import numpy as np
import pytest

from valet_xl.rankings.clusters import Clusters


def test_one_score_a_board_needs_no_index() -> None:
    owner, board = np.array([2, 0, 1, 0, 2]), np.array([1, 0, 1, 1, 0])
    found = Clusters.of(owner, board, 3, 2)
    assert found.of_line is None
    assert (found.owner.tolist(), found.board.tolist()) == (owner.tolist(), board.tolist())


@pytest.mark.parametrize("again", range(5))
def test_two_scores_on_a_board_are_one_cluster(again: int) -> None:
    """Whichever of them comes twice, with the other one first or last."""
    owner, board = np.array([2, 0, 1, 0, 2]), np.array([1, 0, 1, 1, 0])
    owner, board = np.append(owner, owner[again]), np.append(board, board[again])
    found = Clusters.of(owner, board, 3, 2)
    assert found.of_line is not None
    assert (found.owner.tolist(), found.board.tolist()) == ([0, 0, 1, 2, 2], [0, 1, 1, 0, 1])
    assert found.owner[found.of_line].tolist() == owner.tolist()
    assert found.board[found.of_line].tolist() == board.tolist()
