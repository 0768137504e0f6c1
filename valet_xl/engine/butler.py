"""Butler scores: a board's datum by any of the rules in use, and IMPs against it."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import ArrayLike

from valet_xl.engine.arrays import Floats, Index, count_by, sum_by
from valet_xl.engine.comparison import Played, compare, distinct, order_of_scores
from valet_xl.engine.laws import imps
from valet_xl.errors import ArgumentError, OptionError, one_of

RULES = ("mean", "trimmed", "median", "par", "zero-sum")


def _nearest(points: Floats) -> Floats:
    return np.copysign(np.floor(np.abs(points) / 10 + 0.5) * 10, points) + 0.0


# How a datum that is no multiple of 10 is rounded: to an integer toward zero (the Valet program); to the nearest 10
# with halves away from zero (most clubs); to the nearest 10 with halves to even (ACBL: 425 is 420); to the 10 toward
# zero.
ROUNDINGS: dict[str, Callable[[Floats], Floats]] = {
    "none": lambda points: points,
    "integer": np.trunc,
    "nearest": _nearest,
    "even": lambda points: np.rint(points / 10) * 10 + 0.0,
    "down": lambda points: np.trunc(points / 10) * 10 + 0.0,
}


def par(scores: ArrayLike, *, delta: float = 10) -> float:
    """The zero-sum par of the VBA function `par` of 31 May 2009, step for step.

    Parameters
    ----------
    scores : any shape, N-S points, NaN = not played
    delta : the par is a multiple of this many points

    Returns
    -------
    the par in points to N-S; NaN without scores, the score itself where there is one

    Raises
    ------
    ArgumentError : for a delta below 1

    Notes
    -----
    A bisection between -8000 and 8000 for a par against which the IMPs sum to 0; it stops at the first such par it
    meets, so it need not be the one nearest to zero: the datum rule "zero-sum" is. Where no sum is 0, the ends of the
    last interval are compared; an end that never moved counts as many IMPs as there are scores, as in the VBA.
    R. Barker, RMB Bridge Laws blog, 2009.

    It differs from the VBA in what Excel's types do there: where no multiple of delta is left between the ends, that
    runs for ever (a delta of 2,500 does), and this takes the better end; it rounds delta and sums to whole numbers,
    and cannot go beyond 32,767; it counts a blank cell as a score of 0, and this leaves it out.

    >>> par([420, 170])
    290.0
    """
    if not delta >= 1:
        raise ArgumentError(f"delta must be 1 or more, got {delta:g}")
    played = Played.of(scores).scores
    if len(played) < 2:
        return float(played[0]) if len(played) else float("nan")

    def balance(middle: float) -> float:
        return float(np.sum(imps(middle - played, rounding="down")))

    low, high = -8000.0, 8000.0
    below, above = -float(len(played)), float(len(played))  # the sums at both ends
    while high - low > delta:
        middle = float(delta * np.trunc((low + high) / (2 * delta)))
        total = balance(middle)
        if total == 0:
            return middle
        if middle == (high if total > 0 else low):  # no multiple of delta is between the ends
            break
        if total > 0:
            high, above = middle, total
        else:
            low, below = middle, total
    if -below == above:
        return low if high > 0 else high
    return low if -below < above else high


def datum(
    scores: ArrayLike,
    *,
    rule: str = "mean",
    leave_out: float | None = None,
    rounding: str = "none",
    boards: ArrayLike | None = None,
) -> Floats:
    """The datum that Butler scores are measured against, at each score.

    Parameters
    ----------
    scores : any shape, N-S points, NaN = not played
    rule : "mean"; "trimmed", the mean without the highest and lowest scores; "median"; "par", as the function `par`;
        "zero-sum", the multiple of 10 whose IMPs sum to nearest 0, and of several the nearest to 0
    leave_out : for "trimmed": how many scores are left out at each end (1, the default, 2 ...), or the share of the
        field that is (0.05: 5 % at each end, whole scores only)
    rounding : of the datum: "none"; "integer", toward zero; "nearest" 10, halves away from zero; "even", nearest 10,
        halves to even; "down", to the 10 toward zero
    boards : the board of each score, same shape; without it all scores are of one board

    Returns
    -------
    points to N-S, same shape; NaN where not played, and on a board of which nothing is left

    Raises
    ------
    ValetError : for another rule or rounding, and a leave_out that is neither a count nor a share below a half, or with
        another rule than "trimmed"

    >>> datum([650, 620, 620, -100], rule="trimmed").tolist()
    [620.0, 620.0, 620.0, 620.0]
    """
    one_of("datum rule", rule, RULES)
    one_of("rounding", rounding, ROUNDINGS)
    cut = 1.0 if leave_out is None else float(leave_out)
    if not (0 <= cut < 0.5 or cut == np.trunc(cut) >= 1):
        raise ArgumentError(f"leave_out must be a count such as 1, or a share below 0.5, got {cut:g}")
    if leave_out is not None and rule != "trimmed":
        raise OptionError(f"leave_out goes with the datum rule trimmed, not with {rule}")
    played = Played.of(scores, boards)
    if not len(played.scores):
        return played.spread([])
    of_board = {
        "mean": lambda: _trimmed(played, 0),
        "trimmed": lambda: _trimmed(played, cut),
        "median": lambda: _median(played),
        "par": lambda: _pars(played),
        "zero-sum": lambda: _zero_sum(played),
    }[rule]()
    return played.spread(ROUNDINGS[rounding](of_board)[played.boards])


def butler(
    scores: ArrayLike,
    *,
    rule: str = "mean",
    leave_out: float | None = None,
    rounding: str = "none",
    double: bool = False,
    boards: ArrayLike | None = None,
    imp_rounding: str = "nearest",
) -> Floats:
    """Butler scores: IMPs against the datum.

    Parameters
    ----------
    scores, rule, leave_out, rounding, boards : as for `datum`
    double : count half the IMPs of twice the difference, because a datum counts as the average of two tables (Barker)
    imp_rounding : what becomes of a difference that is no multiple of 10, as in `imps`

    Returns
    -------
    IMPs to N-S, same shape, NaN where there is no datum or, the board having one score, nothing to compare with

    Raises
    ------
    ValetError : as `datum` and `imps`

    >>> butler([650, 620, 620, -100], rounding="nearest").tolist()
    [5.0, 5.0, 5.0, -11.0]
    """
    played = Played.of(scores, boards)
    compared = played.spread(np.where(count_by(played.boards)[played.boards] > 1, 0.0, np.nan))
    difference = (
        np.asarray(scores, dtype=np.float64)
        - datum(scores, rule=rule, leave_out=leave_out, rounding=rounding, boards=boards)
        + compared
    )
    return imps(2 * difference, rounding=imp_rounding) / 2 if double else imps(difference, rounding=imp_rounding)


def _sorted(played: Played) -> tuple[Floats, Index, Index, Index]:
    """Scores in order of board and score; for each its board and its place there, 0 the lowest; tables by board."""
    order = order_of_scores(played.boards, played.scores)
    boards = played.boards[order]
    tables = count_by(boards)
    place = np.arange(len(order)) - (np.cumsum(tables) - tables)[boards]
    return played.scores[order], boards, place, tables


def _trimmed(played: Played, cut: float) -> Floats:
    """The mean of each board without its `cut` highest and lowest, or that share of them; NaN where none is left."""
    scores, boards, place, tables = _sorted(played)
    out = np.floor(cut * tables) if cut < 1 else np.full(len(tables), cut)
    kept = (place >= out[boards]) & (place < (tables - out)[boards])
    total = sum_by(boards[kept], scores[kept], len(tables))
    count = count_by(boards[kept], len(tables))
    return np.divide(total, count, out=np.full(len(tables), np.nan), where=count > 0)


def _median(played: Played) -> Floats:
    """The mean of the two middle scores of each board, or its middle score."""
    scores, _, _, tables = _sorted(played)
    first = np.cumsum(tables) - tables
    return (scores[first + (tables - 1) // 2] + scores[first + tables // 2]) / 2


def _pars(played: Played) -> Floats:
    """`par` of each board."""
    scores, _, _, tables = _sorted(played)
    return np.array([par(board) for board in np.split(scores, np.cumsum(tables)[:-1])])


def _zero_sum(played: Played) -> Floats:
    """Of each board the multiple of 10 whose IMPs sum to nearest 0; of several, the nearest to 0.

    The sum rises with the datum, so those with one sum are an interval, and its ends are found by bisection.
    """
    field = distinct(played.boards, played.scores)
    weights = field.weights()
    tables = count_by(played.boards)
    every = np.arange(len(tables))
    lowest = field.score[np.searchsorted(field.board, every)]
    highest = field.score[np.searchsorted(field.board, every, side="right") - 1]
    below, above = np.floor(lowest / 10) - 2, np.ceil(highest / 10) + 2  # in tens; the sum is < 0 there, and > 0

    def total(tens: Floats) -> Floats:
        return compare(every, 10 * tens, field.board, field.score, weights, imps)

    def first(reached: Callable[[Floats], np.ndarray]) -> Floats:
        """The lowest datum at which a condition on the sum is true; above it the condition stays true."""
        low, high = below, above
        while np.any(high - low > 1):
            middle = np.floor((low + high) / 2)
            true = reached(total(middle))
            low, high = np.where(true, low, middle), np.where(true, middle, high)
        return high

    from_zero = first(lambda sums: sums >= 0)
    over, under = total(from_zero), total(from_zero - 1)
    start = np.where(-under <= over, first(lambda sums: sums >= under), from_zero)
    end = np.where(over <= -under, first(lambda sums: sums > over), from_zero) - 1
    return 10 * np.clip(0.0, start, end)
