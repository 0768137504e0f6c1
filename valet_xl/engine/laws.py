"""The Laws' tables: duplicate scores, vulnerability of a board, the IMP scale."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from valet_xl.engine.arrays import Floats, Index, Ints, Whole
from valet_xl.engine.notation import Vulnerability
from valet_xl.errors import ArgumentError, one_of

# Law 78B, WBF scale: the largest difference in points that is worth 0, 1, 2 ... 23 IMPs; above the last it is 24.
IMP_STEPS = np.array(
    (
        *(10, 40, 80, 120, 160, 210, 260, 310, 360, 420, 490, 590),
        *(740, 890, 1090, 1290, 1490, 1740, 1990, 2240, 2490, 2990, 3490, 3990),
    )
)

# Law 2: the vulnerability of boards 1-16, which then repeats.
_VULNERABILITIES = np.array([{"O": 0, "N": 1, "E": 2, "B": 3}[side] for side in "ONEBNEBOEBONBONE"], dtype=np.int8)


def vulnerability(board: int) -> Vulnerability:
    """Vulnerability of a board by its number (Law 2).

    Raises
    ------
    ArgumentError : for a number below 1

    >>> vulnerability(7)
    <Vulnerability.BOTH: 3>
    """
    return Vulnerability(int(vulnerabilities(np.array([board]))[0]))


def vulnerabilities(boards: ArrayLike) -> NDArray[np.int8]:
    """Vulnerability of many boards: `vulnerability` for an array of board numbers, as the enum's values."""
    given = np.asarray(boards)
    numbers = given.astype(np.int64)
    if np.any(numbers != given) or np.any(numbers < 1):
        raise ArgumentError(f"board number must be 1 or more, got {given[(numbers != given) | (numbers < 1)][0]}")
    return _VULNERABILITIES[numbers - 1 & 15]


def contract_score(
    level: ArrayLike, strain: ArrayLike, double: ArrayLike, tricks: ArrayLike, vulnerable: ArrayLike
) -> Ints:
    """Duplicate score of a contract, for declarer's side (Law 77).

    Parameters
    ----------
    level : 1-7, or 0 for a pass-out (which scores 0)
    strain : 0-4, clubs to notrump
    double : 0, 1 or 2 for redoubled
    tricks : declarer's tricks, 0-13
    vulnerable : whether declarer's side is vulnerable
        All of one shape, or broadcast together.

    Returns
    -------
    points for declarer's side, in that shape

    Raises
    ------
    ArgumentError : for a value out of its range

    >>> int(contract_score(4, 3, 1, 10, True))  # 4S doubled and made, vulnerable
    790
    """
    place = score_places(level, strain, double, vulnerable)
    return ALL_SCORES[(place + _in_range("tricks", tricks, _SCORES.shape[-1])).astype(np.intp, copy=False)]


def score_places(level: ArrayLike, strain: ArrayLike, double: ArrayLike, vulnerable: ArrayLike) -> Index:
    """Where the scores of contracts begin in `ALL_SCORES`, with no trick; parameters as in `contract_score`."""
    values = {"level": level, "strain": strain, "double": double, "vulnerable": vulnerable}
    place: Whole = np.zeros((), dtype=np.int16)  # which is enough where the columns have no more bits
    for (name, value), size in zip(values.items(), _SCORES.shape, strict=False):
        place = place * size + _in_range(name, value, size)
    return (place * _SCORES.shape[-1]).astype(np.intp, copy=False)


def _in_range(name: str, value: ArrayLike, size: int) -> Whole:
    array: Whole = np.asarray(value)
    if array.dtype.kind != "i":
        array = array.astype(np.int8 if array.dtype.kind == "b" else np.intp)
    if array.size and not 0 <= array.min() <= array.max() < size:
        raise ArgumentError(f"{name} must be 0-{size - 1}, got {array.min()} to {array.max()}")
    return array


def _score_table() -> Ints:
    """Every contract score, by level (0-7), strain, double, vulnerable and tricks, as Law 77 builds it."""
    level, strain, double, vulnerable, tricks = np.indices((8, 5, 3, 2, 14))
    over = tricks - 6 - level
    per_trick = np.where(strain < 2, 20, 30)
    trick_points = (per_trick * level + 10 * (strain == 4)) << double
    game = trick_points >= 100
    bonus = np.where(game, np.where(vulnerable, 500, 300), 50)
    bonus += np.where(level == 6, np.where(vulnerable, 750, 500), 0)
    bonus += np.where(level == 7, np.where(vulnerable, 1500, 1000), 0)
    bonus += 50 * double
    overtrick = np.choose(double, [per_trick, 100 * (1 + vulnerable), 200 * (1 + vulnerable)])
    made = trick_points + bonus + over * overtrick

    down = -over
    undoubled = 50 * (1 + vulnerable) * down
    doubled = np.where(vulnerable, 300 * down - 100, np.where(down <= 3, 200 * down - 100, 300 * down - 400))
    lost = np.choose(double, [undoubled, doubled, 2 * doubled])
    return np.where(level == 0, 0, np.where(over >= 0, made, -lost))


_SCORES = _score_table()
ALL_SCORES = _SCORES.ravel()
"""Every contract score for declarer's side, each contract's by declarer's tricks, 0 to 13 (`score_places`)."""


def all_scores() -> Ints:
    """Every number of points, above 0, that a contract can score for one side or the other.

    >>> 420 in all_scores(), 430 in all_scores(), 40 in all_scores()
    (True, True, False)
    """
    return np.unique(np.abs(_SCORES[1:]))


# IMPs by the absolute difference in tens, so that no scale need be searched; from 4000 points on it is 24.
MOST_TENS = 400  # tens of points; so many and more are 24 IMPs
_IMPS_OF_TENS = np.searchsorted(IMP_STEPS, np.arange(MOST_TENS + 1) * 10, side="left").astype(np.float64)
IMPS_OF_SIGNED_TENS = np.concatenate((-_IMPS_OF_TENS[:0:-1], _IMPS_OF_TENS)) + 0.0  # no negative zero
"""(2 x MOST_TENS + 1,) IMPs for differences in tens of points, from -MOST_TENS on; those beyond count as the ends."""
IMP_ROUNDINGS = {"nearest": 5, "down": 0}  # added to the absolute difference before it is cut to tens


def imps(difference: ArrayLike, *, rounding: str = "nearest") -> Any:
    """International match points for a difference in points (Law 78B).

    Parameters
    ----------
    difference : any shape, in points; NaN = none
    rounding : what becomes of a difference that is no multiple of 10, as one against a datum may be.
        "nearest": the absolute difference to the nearest 10, halves up (374 as 370, 375 as 380);
        "down": the absolute difference cut to a multiple of 10 (379 as 370), the Valet program's hard rounding

    Returns
    -------
    IMPs with the sign of the difference, same shape, float; NaN for NaN

    Raises
    ------
    OptionError : for another rounding

    >>> imps([430, -20, 375]).tolist()
    [10.0, -1.0, 9.0]
    """
    one_of("rounding", rounding, IMP_ROUNDINGS)
    points = np.asarray(difference, dtype=np.float64)
    return np.where(np.isnan(points), np.nan, imps_of(points, half=IMP_ROUNDINGS[rounding]))[()]


def imps_of(points: Floats, *, half: float = 5) -> Floats:
    """IMPs for differences among which there is no NaN; `half` is what is added before they are cut to tens."""
    tens = np.fmin((np.abs(points) + half) / 10, MOST_TENS).astype(np.intp)
    return np.asarray(np.copysign(_IMPS_OF_TENS[tens], points) + 0.0)  # no negative zero


def artificial_imps(percent: ArrayLike) -> Floats:
    """IMPs of an artificial adjusted score: 3, 0 and -3 for 60, 50 and 40 % (Law 12C2).

    Parameters
    ----------
    percent : any shape, NaN = none

    Returns
    -------
    IMPs to the side with that share, same shape; NaN for any other share, as the Law gives IMPs for these three alone

    >>> artificial_imps([60, 50, 40, 70]).tolist()
    [3.0, 0.0, -3.0, nan]
    """
    share = np.asarray(percent, dtype=np.float64)
    return np.where((share == 40) | (share == 50) | (share == 60), 3 * (share - 50) / 10, np.nan)
