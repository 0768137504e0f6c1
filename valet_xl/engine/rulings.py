"""Rulings: split scores and weighted scores (Law 12), artificial adjusted scores, and the insufficient bid (Law 27)."""

from __future__ import annotations

from enum import IntEnum
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from valet_xl.engine.arrays import Floats
from valet_xl.engine.laws import artificial_imps, imps, imps_of
from valet_xl.errors import ArgumentError, one_of

LAWS = "Laws of Duplicate Bridge 2017"


class Damage(IntEnum):
    """How much of the damage of an infraction the non-offending side did to itself, by a serious error for instance."""

    NO_DAMAGE = 0
    ALL_SELF_INFLICTED = 1
    NONE_SELF_INFLICTED = 2
    PARTLY_SELF_INFLICTED = 3

    def __str__(self) -> str:
        return (
            "no damage, no adjustment",
            "all damage self-inflicted",
            "no damage self-inflicted",
            "damage partly self-inflicted",
        )[self]


class SplitScore(NamedTuple):
    """Both sides' scores as the non-offending side counts them, and the case (`Damage`), one of each for each ruling;
    NaN and -1 where nothing was given.
    """

    non_offenders: Floats
    offenders: Floats
    case: NDArray[np.int8]


def law12(actual: ArrayLike, before: ArrayLike, could: ArrayLike) -> SplitScore:
    """Adjusted scores of both sides where the non-offending side added to its own damage (Law 12C1(e)).

    Parameters
    ----------
    actual : A, any shape, what the non-offending side scored at the table, NaN = none; IMPs or matchpoints
    before : B, what it would have scored without the infraction, one number or the same shape
    could : C, what it could still have scored after it, at least A, one number or the same shape

    Returns
    -------
    the scores, all from the non-offending side's view: at IMPs the offending side gets the negative, at matchpoints
    what is left of the top

    Raises
    ------
    ArgumentError : where C is less than A, or a score is infinite

    Notes
    -----
    A >= B: no damage, the score stands. C >= B > A: all damage is self-inflicted: A, and B to the offenders. B > C = A:
    none is: B to both. B > C > A: the non-offenders do not get back what they lost themselves, C - A: they score
    B - (C - A), the offenders B. R. Barker, Application of Law 12, 21 November 2009.

    >>> split = law12(-8, 0, -3)  # 4SX one down; it could have been two
    >>> float(split.non_offenders), float(split.offenders), str(Damage(split.case))
    (-5.0, 0.0, 'damage partly self-inflicted')
    """
    a = np.asarray(actual, dtype=np.float64)
    b, c = (np.broadcast_to(np.asarray(given, dtype=np.float64), a.shape) for given in (before, could))
    if np.isinf([a, b, c]).any():
        raise ArgumentError("scores must be finite")
    if np.any(c < a):
        at = tuple(np.argwhere(c < a)[0])
        raise ArgumentError(f"could must be at least actual, {a[at]:g}, got {c[at]:g}")
    given = ~np.isnan(a + b + c)
    case = np.select(
        [~given, a >= b, c >= b, c == a],
        [-1, Damage.NO_DAMAGE, Damage.ALL_SELF_INFLICTED, Damage.NONE_SELF_INFLICTED],
        Damage.PARTLY_SELF_INFLICTED,
    ).astype(np.int8)
    real = np.maximum(b - np.maximum(c, a), 0)
    kept = np.where(given, a, np.nan)
    return SplitScore(kept + real, np.maximum(kept, b), case)


WEIGHTED = ("iaf", "datum", "matchpoints")


def weighted_score(outcomes: ArrayLike, weights: ArrayLike, field: ArrayLike, *, method: str = "iaf") -> float:
    """A weighted score (Law 12C1(c)): every outcome is converted first, and the converted scores are weighted.

    Parameters
    ----------
    outcomes : (n,) N-S points of the outcomes that are weighted
    weights : (n,) their weights, which sum to 1 or 100; a rest of up to 1 % is shared out
    field : any shape, the N-S points that they are compared with, NaN = not played: in a match the one of the other
        room, among pairs those of the other tables
    method : "iaf": the average IMPs against the field; "datum": IMPs against its mean; "matchpoints": per cent of them

    Returns
    -------
    IMPs or per cent to N-S; NaN without a field

    Raises
    ------
    ValetError : for another method, no outcomes, NaN among them, and weights that are negative or do not sum to 1 or
        100

    >>> weighted_score([420, -50], [60, 40], [-50])  # 60 % of 10 IMPs
    6.0
    """
    one_of("method", method, WEIGHTED)
    points, share = (np.asarray(given, dtype=np.float64).ravel() for given in (outcomes, weights))
    if len(points) != len(share) or not len(points):
        raise ArgumentError(f"outcomes and weights must be as many, got {len(points)} and {len(share)}")
    if np.isnan(points).any():
        raise ArgumentError("outcomes must be numbers, got a blank")
    total = float(share.sum())
    if not ((share >= 0).all() and (abs(total - 1) <= 0.01 or abs(total - 100) <= 1)):
        raise ArgumentError(f"weights must be 0 or more and sum to 100, got {total:g}")
    others = np.asarray(field, dtype=np.float64).ravel()
    others = others[~np.isnan(others)]
    if not len(others):
        return float("nan")
    if method == "datum":
        worth = imps(points - others.mean())
    elif method == "iaf":
        worth = imps_of(points[:, None] - others).mean(axis=1)
    else:
        worth = 50 * (1 + np.sign(points[:, None] - others).mean(axis=1))
    return float(worth @ share / total)


ARTIFICIAL = ("imps", "matchpoints")
_OFFENDER, _NEITHER, _VICTIM = 40, 50, 60  # per cent: at fault, partly at fault, not at fault


def artificial(percent: ArrayLike, *, scoring: str = "imps", session: ArrayLike = np.nan) -> Floats:
    """An artificial adjusted score: average plus, average or average minus (Law 12C2).

    Parameters
    ----------
    percent : any shape, 60, 50 or 40 per cent, NaN = none
    scoring : "imps": 3, 0 or -3 IMPs; "matchpoints": per cent
    session : at matchpoints what the side scored on the other boards of the session, per cent, one number or the shape
        of percent; who is not at fault gets it if it is above 60, who is at fault if it is below 40; NaN = not known

    Returns
    -------
    IMPs or per cent to that side, same shape; it is in nobody's datum or comparisons

    Raises
    ------
    ValetError : for other words and percentages, and a session not of 0 to 100 per cent

    >>> artificial([60, 50, 40]).tolist()
    [3.0, 0.0, -3.0]
    """
    one_of("scoring", scoring, ARTIFICIAL)
    given = np.asarray(percent, dtype=np.float64)
    if not np.isin(given[~np.isnan(given)], (_OFFENDER, _NEITHER, _VICTIM)).all():
        raise ArgumentError("an artificial adjusted score must be 60, 50 or 40 per cent")
    if scoring == "imps":
        return artificial_imps(given)
    played = np.broadcast_to(np.asarray(session, dtype=np.float64), given.shape)
    if np.any((played < 0) | (played > 100)):
        raise ArgumentError("session must be 0 to 100 per cent")
    best = np.where(given == _VICTIM, np.fmax(given, played), given)
    return np.where(given == _OFFENDER, np.fmin(best, played), best)


class Ruling(NamedTuple):
    """What follows from a call: the law, and what it says of the auction, of partner, of the lead, and afterwards."""

    law: str
    auction: str
    partner: str
    lead: str
    afterwards: str


_FREE = "Partner may call as he likes."
_NO_RESTRICTION = "None."
_LATER = (
    "After play the Director adjusts the score if without the help of the insufficient bid the result could well have "
    "been another, and the other side was damaged (27D)."
)
_SILENCED = "Partner must pass for the rest of the auction."
_RESTRICTED = (
    "If the offenders defend, declarer may forbid partner, the first time he is to lead, one suit that the offender "
    "did not show in the legal auction; it holds as long as partner stays on lead (26B)."
)
_FORESEEN = (
    "If the offender could have known, when he made the insufficient bid, that it might well damage the other side, "
    "and it did, the Director adjusts the score (72C)."
)

# Law 27 of the Laws of Duplicate Bridge 2017, in other words than its own, by what the offender does.
_RULINGS = {
    "same": Ruling("27B1(a)", "The bid stands and the auction goes on.", _FREE, _NO_RESTRICTION, _LATER),
    "comparable": Ruling("27B1(b), 23A", "The call stands and the auction goes on.", _FREE, _NO_RESTRICTION, _LATER),
    "bid": Ruling("27B2", "The bid stands.", _SILENCED, _RESTRICTED, _FORESEEN),
    "pass": Ruling("27B2", "The pass stands.", _SILENCED, _RESTRICTED, _FORESEEN),
    "double": Ruling(
        "27B3",
        "The double or redouble is cancelled; the offender must choose a sufficient bid or pass.",
        f"{_SILENCED[:-1]}, whatever is chosen.",
        _RESTRICTED,
        _FORESEEN,
    ),
    "insufficient": Ruling(
        "27B4",
        "The next player may accept it; if he does not, the offender must choose a sufficient bid or pass.",
        f"{_SILENCED[:-1]}, if it is not accepted.",
        _RESTRICTED,
        _FORESEEN,
    ),
}
REPLACEMENTS = tuple(_RULINGS)


def law27(replacement: str, *, accepted: bool = False) -> Ruling:
    """What follows from an insufficient bid in turn: a checklist, which replaces neither the Laws nor the Director.

    Parameters
    ----------
    replacement : what the offender puts in its place. "same": the lowest sufficient bid in the same denomination, or
        that shows the same ones; "comparable": a call of the same or a similar meaning, of a part of what the bid could
        mean, or with the same purpose (Law 23A); "bid": another sufficient bid; "pass"; "double": a double or redouble
        that is not comparable; "insufficient": another insufficient bid
    accepted : whether the next player has accepted the insufficient bid, by calling after it

    Returns
    -------
    the ruling, by the Laws of Duplicate Bridge 2017

    Raises
    ------
    OptionError : for another replacement

    Notes
    -----
    An insufficient bid out of turn is dealt with by Law 31, an unintended one by Law 25A. A replacement
    made before the Director came stands if it is legal, unless the bid is accepted (27C).

    >>> law27("same").partner
    'Partner may call as he likes.'
    """
    one_of("replacement", replacement, REPLACEMENTS)
    if accepted:
        return Ruling("27A1", "The insufficient bid stands as if it were legal.", _FREE, _NO_RESTRICTION, "Nothing.")
    return _RULINGS[replacement]
