"""Duels as the Pikier page scores them: Victors and per cent, and scales cut from a normal distribution."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from valet_xl.engine.arrays import Floats
from valet_xl.engine.normal import quantiles
from valet_xl.errors import ArgumentError

# "Scoring a Duel" (Pikier writings): what the winners have above the middle is numerator x balance / (denominator x
# root of deals + balance), with other constants for balances in points flattened after Caracalla.
_VICTORS = {False: (100, 100), True: (30, 1000)}
_PERCENT = {False: (333, 100), True: (100, 1000)}
_MOST_VICTORS, _MOST_PERCENT = 25, 90

DEAL_SD = 5.0  # IMPs, the page's figure for one deal
MOST_POINTS = 1000


def victors(balance: ArrayLike, deals: ArrayLike, *, caracalla: bool = False) -> Floats:
    """Victors of a duel out of 30, for the side whose balance it is.

    Parameters
    ----------
    balance : any shape, IMPs won less IMPs lost, NaN = not played; with caracalla in points so flattened
    deals : how many were played, one number or the shape of balance
    caracalla : whether the balance is in points flattened after Caracalla

    Returns
    -------
    whole Victors, same shape: 15 for a drawn duel, 25 at most; the losers have what is left of 30, and nothing once
    the winners would have all

    Raises
    ------
    ArgumentError : where deals are not 1 or more

    Notes
    -----
    The winners have 15 + 100 B / (100 R + B) with R = sqrt(deals), to the nearest whole number, halves up; with
    caracalla 15 + 30 B / (1000 R + B). "Scoring a Duel", Pikier writings.

    >>> victors([26, -26, 90, -90], 16).tolist()  # 37:11 is 21:9, 100:10 is 25:0
    [21.0, 9.0, 25.0, 0.0]
    """
    given = np.asarray(balance, dtype=np.float64)
    won = np.floor(15 + _advantage(given, deals, *_VICTORS[caracalla]) + 0.5)
    return np.where(given < 0, np.maximum(30 - won, 0), np.minimum(won, _MOST_VICTORS))


def victors_percent(balance: ArrayLike, deals: ArrayLike, *, caracalla: bool = False) -> Floats:
    """The result of a duel in per cent, for the side whose balance it is.

    Parameters, NaN and errors are those of `victors`.

    Returns
    -------
    per cent, same shape: 50 for a drawn duel, at most 90, at least 10; the two sides have 100 together

    Notes
    -----
    The winners have 50 + 333 B / (100 R + B) with R = sqrt(deals); with caracalla 50 + 100 B / (1000 R + B). "Scoring a
    Duel", Pikier writings, which does not say what the losers have.

    >>> victors_percent([26, -26, 90], 16).round(2).tolist()
    [70.32, 29.68, 90.0]
    """
    given = np.asarray(balance, dtype=np.float64)
    above = np.minimum(_advantage(given, deals, *_PERCENT[caracalla]), _MOST_PERCENT - 50)
    return np.where(given < 0, 50 - above, 50 + above)


def section_points(balance: ArrayLike, deals: ArrayLike, *, points: float = 30, sd: float = DEAL_SD) -> Floats:
    """The points of a duel on a scale on which every number of points is equally likely between equal sides.

    Parameters
    ----------
    balance : any shape, won less lost, NaN = not played
    deals : how many were played, one number or the shape of balance
    points : the points that the two sides share, a whole number of 1 to 1000
    sd : the standard deviation of one deal, in units of the balance

    Returns
    -------
    points, same shape, 0 to `points`, whole unless the balance is on the border of two sections; the other side has
    the rest

    Raises
    ------
    ArgumentError : where deals are not 1 or more, points not a whole number of 1 to 1000, sd not above 0

    Notes
    -----
    The balance of a duel is taken as normal with mean 0 and a standard deviation of sd sqrt(deals), and cut into
    points + 1 sections of equal probability.

    >>> section_points([0, 26, -26], 16).tolist()
    [15.0, 27.0, 3.0]
    """
    borders = section_borders(points=points, sd=sd)
    z = np.asarray(balance, dtype=np.float64) / _root(deals)
    reached = (borders.searchsorted(z, side="left") + borders.searchsorted(z, side="right")) / 2
    return np.where(np.isnan(z), np.nan, reached)


def section_borders(*, points: float = 30, sd: float = DEAL_SD) -> Floats:
    """The borders between the sections of `section_points`, for one deal; n deals have them sqrt(n) times as far out.

    Returns
    -------
    (points,) balances, rising: from each on the side has one point more

    Raises
    ------
    ArgumentError : as `section_points`

    >>> section_borders(points=3, sd=1).round(3).tolist()
    [-0.674, 0.0, 0.674]
    """
    _check(points, sd)
    half = quantiles(np.arange(1, int(points) // 2 + 1) / (points + 1))
    middle = [0.0] if points % 2 else []
    return sd * np.concatenate([half, middle, -half[::-1]])


def winners_points(balance: ArrayLike, deals: ArrayLike, *, points: float = 100, sd: float = DEAL_SD) -> Floats:
    """The points of a duel as the page constructs them: 0 to `points` to the winners, all equally likely.

    Parameters, NaN and errors are those of `section_points`.

    Returns
    -------
    points, same shape, whole unless the balance is on a border; the losers have the same with a minus

    Notes
    -----
    The positive half of the normal distribution of the balance is divided into points + 1 sections with equal integrals
    ("Scoring a Duel", Pikier writings, which has 0, 1, 2 ... 100 and 101 sections).

    >>> winners_points([0, 26, -26], 16).tolist()
    [0.0, 81.0, -81.0]
    """
    _check(points, sd)
    borders = -sd * quantiles((1 - np.arange(1, int(points) + 1) / (points + 1)) / 2)
    z = np.asarray(balance, dtype=np.float64) / _root(deals)
    size = np.abs(z)
    reached = (borders.searchsorted(size, side="left") + borders.searchsorted(size, side="right")) / 2
    return np.where(np.isnan(z), np.nan, np.copysign(reached, z)) + 0.0


def formula_points(balance: ArrayLike, deals: ArrayLike, *, points: float = 30, sd: float = DEAL_SD) -> Floats:
    """The page's formula without its cap and rounding, for any number of points and any unit of the balance.

    Parameters
    ----------
    balance, deals, sd : as for `section_points`
    points : the points that the two sides share

    Returns
    -------
    points, same shape; the two sides' sum is `points`

    Notes
    -----
    In standard deviations of the duel, z = B / (sd sqrt(deals)), the page's 15 + 100 B / (100 R + B) is
    15 + 100 z / (20 + z) with its SD of 5 IMPs: the same curve for every number of deals, which can be put to balances
    of another SD and stretched to other numbers of points.

    >>> formula_points([26, -26], 16).round(2).tolist()
    [21.1, 8.9]
    """
    given = np.asarray(balance, dtype=np.float64)
    above = points / 30 * _advantage(given * DEAL_SD / sd, deals, *_VICTORS[False])
    return points / 2 + np.copysign(above, given)


def _advantage(balance: Floats, deals: ArrayLike, numerator: float, denominator: float) -> Floats:
    """What the winners have above the middle."""
    won = np.abs(balance)
    return numerator * won / (denominator * _root(deals) + won)


def _check(points: float, sd: float) -> None:
    """Refuse points and standard deviations that make no scale."""
    if not (1 <= points <= MOST_POINTS and points == int(points)):
        raise ArgumentError(f"points must be a whole number of 1 to {MOST_POINTS}, got {points:g}")
    if not sd > 0:
        raise ArgumentError(f"sd must be above 0, got {sd:g}")


def _root(deals: ArrayLike) -> Floats:
    played = np.asarray(deals, dtype=np.float64)
    if np.any(played < 1):
        raise ArgumentError(f"deals must be 1 or more, got {np.nanmin(played):g}")
    return np.sqrt(played)


SECTIONS = {"shared": (section_points, 30.0), "winners": (winners_points, 100.0)}
"""The two scales of equally likely sections, each with how many points it has if nobody says."""
