"""The scores of one small board without arrays: what a formula of a spreadsheet asks for, 10,000 times.

An array of 22 scores costs more to make and to walk through than what is computed with it. These functions give, bit
for bit, what the functions of their names give for arrays (`comparison`, `butler`, `laws`), or None where they do not
apply: they take few scores, all of them played, and most take multiples of 10 only.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from operator import itemgetter

import numpy as np

from valet_xl.engine.laws import IMPS_OF_SIGNED_TENS, MOST_TENS

MOST = 64
"""So many scores a board may have here."""
LARGEST = 1e15
"""The size of a score that need not be a multiple of 10."""

_FURTHEST = 2000  # tens of points: scores beyond are compared elsewhere
# Each score in tens, as the bytes of an array's index: joined, they are an array in half the time that numbers take.
_TENS = {10.0 * tens: np.intp(tens).tobytes() for tens in range(-_FURTHEST, _FURTHEST + 1)}
_INDEX = np.dtype(np.intp)
_APART = 2 * _FURTHEST
# IMPs of every difference in tens between two such scores: a negative one counts from the end.
_WORTHS = np.roll(IMPS_OF_SIGNED_TENS.take(np.arange(-_APART, _APART + 1) + MOST_TENS, mode="clip"), -_APART) + 0.0
_worths_of = _WORTHS.take
_IMPS = [float(worth) for worth in IMPS_OF_SIGNED_TENS[MOST_TENS:]]
_DOWN: list[float] = _WORTHS.tolist()
_ONES = [np.ones(count) for count in range(MOST + 1)]
_PLACES = [float(place) for place in range(MOST)]


def _tens(scores: Sequence[float]) -> tuple[bytes, ...] | None:
    """2 to `MOST` scores in tens of points; None where one is no multiple of 10, or out of the ordinary."""
    if not 2 <= len(scores) <= MOST:
        return None
    try:
        found: tuple[bytes, ...] = itemgetter(*scores)(_TENS)
    except KeyError:
        return None
    return found


def _ordinary(scores: Sequence[float], least: int) -> bool:
    """Whether there are so many scores, none of them out of the ordinary or NaN, with which the sum is NaN too."""
    return (
        least <= len(scores) <= MOST
        and min(scores) >= -LARGEST
        and max(scores) <= LARGEST
        and abs(sum(scores)) <= MOST * LARGEST
    )


def cross_imps(scores: Sequence[float], *, divisor: str = "n-1") -> list[float] | None:
    """Cross-IMPs of a board: see `comparison.cross_imps`.

    >>> cross_imps([430.0, 430.0, -50.0])
    [5.0, 5.0, -10.0]
    """
    tens = _tens(scores)
    if tens is None or divisor not in _DIVISORS:
        return None
    places = np.frombuffer(b"".join(tens), _INDEX)
    sums = _worths_of(places[:, None] - places).dot(_ONES[len(tens)])  # whole numbers, so their order is no matter
    by = _DIVISORS[divisor](len(tens))
    return [total / by for total in sums.tolist()]


_DIVISORS: dict[str, Callable[[int], int]] = {
    "n-1": lambda count: count - 1,
    "n": lambda count: count,
    "total": lambda _count: 1,
}


def matchpoints(scores: Sequence[float], *, expected: float | None = None) -> list[float] | None:
    """Matchpoints of a board: see `comparison.matchpoints`.

    >>> matchpoints([430.0, 430.0, -50.0])
    [3.0, 3.0, 0.0]
    """
    if expected is not None or not _ordinary(scores, 2):
        return None
    in_order = sorted(scores)
    last = dict(zip(in_order, _PLACES, strict=False))  # of each score its last place, and below its first
    first = dict(zip(reversed(in_order), _PLACES[len(scores) - 1 :: -1], strict=True))
    return [first[score] + last[score] for score in scores]


def matchpoint_percent(scores: Sequence[float], *, expected: float | None = None) -> list[float] | None:
    """Matchpoints of a board as percentages: see `comparison.matchpoint_percent`.

    >>> matchpoint_percent([430.0, 430.0, -50.0])
    [75.0, 75.0, 0.0]
    """
    points = matchpoints(scores, expected=expected)
    return points and [50 * each / (len(points) - 1) for each in points]


_ROUNDINGS: dict[str, Callable[[float], float]] = {
    "none": lambda points: points,
    "integer": lambda points: float(math.trunc(points)),
    "nearest": lambda points: math.copysign(math.floor(abs(points) / 10 + 0.5) * 10, points) + 0.0,
    "even": lambda points: round(points / 10) * 10.0,
    "down": lambda points: math.trunc(points / 10) * 10.0,
}


def datum(
    scores: Sequence[float], *, rule: str = "mean", leave_out: float | None = None, rounding: str = "none"
) -> float | None:
    """The datum of a board by the rules mean, trimmed and median: see `butler.datum`.

    >>> datum([650.0, 620.0, 620.0, -100.0], rule="trimmed")
    620.0
    """
    count = len(scores)
    if (leave_out is not None and rule != "trimmed") or rounding not in _ROUNDINGS or _tens(scores) is None:
        return None
    if rule == "median":
        in_order = sorted(scores)
        found = (in_order[(count - 1) // 2] + in_order[count // 2]) / 2
    elif rule in ("mean", "trimmed"):
        cut = 0.0 if rule == "mean" else 1.0 if leave_out is None else float(leave_out)
        if not (0 <= cut < 0.5 or cut == math.trunc(cut) >= 1):
            return None
        out = math.floor(cut * count) if cut < 1 else int(cut)
        kept = sorted(scores)[out : count - out] if out else scores
        if 2 * out >= count:
            return None
        found = sum(kept) / len(kept)
    else:
        return None
    return _ROUNDINGS[rounding](found) + 0.0


def butler(
    scores: Sequence[float],
    *,
    rule: str = "mean",
    leave_out: float | None = None,
    rounding: str = "none",
    double: bool = False,
) -> list[float] | None:
    """Butler scores of a board: see `butler.butler`.

    >>> butler([650.0, 620.0, 620.0, -100.0], rounding="nearest")
    [5.0, 5.0, 5.0, -11.0]
    """
    middle = datum(scores, rule=rule, leave_out=leave_out, rounding=rounding)
    if middle is None:
        return None
    if double:
        return [_imps(2 * (score - middle)) / 2 for score in scores]
    return [_imps(score - middle) for score in scores]


def imps(differences: Sequence[float], *, rounding: str = "nearest") -> list[float] | None:
    """IMPs of some differences: see `laws.imps`.

    >>> imps([430.0, -20.0, 375.0])
    [10.0, -1.0, 9.0]
    """
    if rounding != "nearest" or not _ordinary(differences, 1):
        return None
    return [_imps(points) for points in differences]


def _imps(points: float) -> float:
    worth = _IMPS[int(min((abs(points) + 5) / 10, MOST_TENS))]
    return worth if points > 0 else 0.0 - worth


def par(scores: Sequence[float], *, delta: float = 10) -> float | None:
    """The zero-sum par of a board for a delta of whole tens: see `butler.par`.

    >>> par([420.0, 170.0])
    290.0
    """
    if _tens(scores) is None or not 10 <= delta <= 8000 or delta % 10:
        return None
    tens = [int(score) // 10 for score in scores]
    step = int(delta) // 10
    low, high = -800, 800
    below, above = -float(len(tens)), float(len(tens))
    while high - low > step:
        middle = step * int((low + high) / (2 * step))
        total = sum([_DOWN[middle - score] for score in tens])
        if total == 0:
            return 10.0 * middle
        if middle == (high if total > 0 else low):
            break
        if total > 0:
            high, above = middle, total
        else:
            low, below = middle, total
    if -below == above:
        return 10.0 * (low if high > 0 else high)
    return 10.0 * (low if -below < above else high)
