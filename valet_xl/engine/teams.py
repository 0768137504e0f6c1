"""Team scores: matches of teams of four, eight and more tables, board-a-match, and barking for a field of pairs."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from valet_xl.engine.arrays import Floats, Index, count_by, sum_by
from valet_xl.engine.comparison import Played, compare, distinct, spans
from valet_xl.engine.laws import imps, imps_of
from valet_xl.errors import ArgumentError, one_of

TEAM_METHODS = ("cross", "fours", "aggregate")
TEAM_DIVISORS = ("total", "average")


@dataclass(frozen=True, slots=True, eq=False)
class Matches:
    """Who met whom in matches of teams, (n,) rows of a file.

    names : what the teams are called
    team : (n, 2) the team that sat North-South and the one that sat East-West, -1 where not known
    match : the match, any number for each; -1 outside of matches
    round : its round, '' where not known
    points : (n, 2) what the file says that the match brought these two teams; NaN where it says nothing
    """

    names: tuple[str, ...]
    team: Index
    match: Index
    round: tuple[str, ...]
    points: Floats


def team_imps(home: ArrayLike, away: ArrayLike, *, method: str = "cross", divisor: str = "total") -> Floats:
    """IMPs of a team against another, board by board, from all their tables.

    Parameters
    ----------
    home : (boards, tables) North-South's points where the team sits North-South, NaN = not played
    away : (boards, tables) North-South's points where the team sits East-West, as many tables
    method : "cross": every table of the one against every table of the other; "fours": teams of four, each table
        against the one in the same place; "aggregate": the points of all tables added up, and one comparison
    divisor : "total", the sum of IMPs, or "average", for each comparison

    Returns
    -------
    (boards,) IMPs to the team; NaN where there is nothing to compare, with "aggregate" where a table is missing

    Raises
    ------
    ValetError : for other words, and shapes that are not alike

    Notes
    -----
    Teams of four are matches of one table each way, on which all methods agree; teams of eight have two. From the
    other side the same match is `team_imps(away, home)`, the negative.

    >>> team_imps([[620, 650]], [[620, -100]]).tolist()  # teams of eight: 0, 12, 1 and 13
    [26.0]
    """
    one_of("method", method, TEAM_METHODS)
    one_of("divisor", divisor, TEAM_DIVISORS)
    own, other = _tables(home, away)
    if method == "aggregate":
        difference = (own.sum(axis=1) - other.sum(axis=1))[:, None]
    elif method == "fours":
        difference = own - other
    else:
        difference = (own[:, :, None] - other[:, None, :]).reshape(len(own), -1)
    return _over_comparisons(imps(difference), divisor)


def board_a_match(home: ArrayLike, away: ArrayLike) -> Floats:
    """Board-a-match: 2 for a board won on the points of all tables, 1 for a tie, 0 for a loss.

    Parameters
    ----------
    home, away : as for `team_imps`

    Returns
    -------
    (boards,) points to the team, NaN where a table is missing; the other team has the rest of 2

    Raises
    ------
    ArgumentError : for shapes that are not alike

    >>> board_a_match([[430], [-50], [140]], [[420], [-50], [170]]).tolist()
    [2.0, 1.0, 0.0]
    """
    own, other = _tables(home, away)
    if not own.shape[1]:
        return np.full(len(own), np.nan)
    return 1 + np.sign(own.sum(axis=1) - other.sum(axis=1))


def barking(scores: ArrayLike, *, divisor: str = "total", boards: ArrayLike | None = None) -> Floats:
    """Barking: every pair in all the teams of eight that a board's North-South pairs can make.

    Parameters
    ----------
    scores : any shape, N-S points, NaN = not played
    divisor : "total", the sum of IMPs, or "average", for each comparison
    boards : the board of each score, same shape; without it all scores are of one board

    Returns
    -------
    IMPs to N-S, same shape, NaN where not played or on a board of fewer than four scores; they sum to 0 over a board

    Raises
    ------
    OptionError : for another divisor

    Notes
    -----
    B_i = sum over j != i and k < l, all different, of IMP(x_i + x_j - x_k - x_l): (n - 1) C(n - 2, 2) comparisons, 3
    of 4 tables, 105 of 8, 495 of 12. Let F(t) be the sum over all k < l of IMP(t - x_k - x_l), and G_i the sum over l
    of IMP(x_i - x_l). Those k < l that meet i or j add G_i + G_j to F(x_i + x_j), and all G add up to 0, so that
    B_i = sum over j != i of F(x_i + x_j), less (n - 2) G_i. F is needed at the distinct sums of a board alone.

    >>> barking([430, 430, -50, 140]).tolist()
    [13.0, 13.0, -23.0, -3.0]
    """
    one_of("divisor", divisor, TEAM_DIVISORS)
    played = Played.of(scores, boards)
    field = distinct(played.boards, played.scores)
    count = field.weights()
    alone = compare(field.board, field.score, field.board, field.score, count, imps_of)

    first = field.board.searchsorted(field.board, side="left")
    size = field.board.searchsorted(field.board, side="right") - first
    one, other = spans(first, size)  # every distinct score with every one of its board
    partners = count[other] - (one == other)
    pairs = distinct(field.board[one], field.score[one] + field.score[other])
    of_pairs = pairs.weights(count[one] * partners) / 2  # each was met from both its ends
    against = compare(pairs.board, pairs.score, pairs.board, pairs.score, of_pairs, imps_of)
    together = sum_by(one, partners * against[pairs.index], len(count))

    tables = count_by(played.boards)[played.boards].astype(np.float64)
    sums = together[field.index] - (tables - 2) * alone[field.index]
    comparisons = (tables - 1) * (tables - 2) * (tables - 3) / 2
    sums[comparisons <= 0] = np.nan
    return played.spread(sums / np.maximum(comparisons, 1) if divisor == "average" else sums)


def _tables(home: ArrayLike, away: ArrayLike) -> tuple[Floats, Floats]:
    own, other = (np.asarray(side, dtype=np.float64) for side in (home, away))
    if own.ndim != 2 or own.shape != other.shape:
        raise ArgumentError(f"home and away must be boards by tables alike, got {own.shape} and {other.shape}")
    return own, other


def _over_comparisons(worth: Floats, divisor: str) -> Floats:
    """Sums or averages of each row over what is there, NaN where nothing is."""
    compared = np.count_nonzero(~np.isnan(worth), axis=1)
    sums = np.nansum(worth, axis=1)
    sums[compared == 0] = np.nan
    return sums / np.maximum(compared, 1) if divisor == "average" else sums
