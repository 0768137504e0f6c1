"""The distribution of tricks, fitted to deals: how far they are from the sum of two hands' values."""

from __future__ import annotations

import math

import numpy as np
from scipy import optimize, special

from valet_xl.binky.hands import CARDS
from valet_xl.binky.points import powers, reach_of_one_scale, terms
from valet_xl.engine.arrays import Floats, Index, sum_by

_FAR = 1e6  # a threshold in tricks that no deal reaches, below 0 tricks and above 13
_LEAST = 1e-300  # the least chance, so that it has a logarithm
_FLAT = 0.01  # the largest slope of the logarithm of the likelihood that counts as none
_ADDED = np.array([0.3, 0.3, 0.2, 0.02, 0.02, 0.01])  # errors of what is added to a model like one scale
_UNEVEN = 0.1  # of its second differences, in these errors
_EXPECTED, _SHAPES = np.arange(-1, 14.5, 0.5), np.array([86.0, 88, 90, 94, 100, 106, 112, 120, 130, 140])
_SURE = 6.0  # a chance of one in a billion
_ENOUGH = {"maxiter": 2_000, "ftol": 1e-12}


def fit_chances(expected: Floats, shape: Floats, tricks: Index) -> Floats:
    """The parameters of `valet_xl.binky.points.chances` under which deals are most likely.

    Parameters
    ----------
    expected : (n,) expected tricks of pairs of hands, from fits without their deals
    shape : (n,) the sum of the squares of both hands' suit lengths
    tricks : (n,) the tricks that the pairs took, 0 to 13

    Returns
    -------
    (22,) 13 thresholds, 3 parameters of the location, 6 of the scale

    Notes
    -----
    Maximum likelihood by BFGS. Each parameter counts as observed once at its start, with an error of 1, so that numbers
    of tricks that hardly occur have a threshold too. BFGS varies the first threshold and the logarithms of the
    distances between thresholds, which keeps them in order.
    """
    location, scale = terms(expected, shape)
    start = np.zeros(CARDS + location.shape[1] - 1 + scale.shape[1])
    start[:CARDS] = np.arange(CARDS) + 0.5
    start[CARDS + location.shape[1] - 1] = math.log(1.2)

    def cost(free: Floats) -> tuple[float, Floats]:
        parameters = _parameters(free)
        likelihood, slope = _likelihood(parameters, location, scale, tricks)
        away = parameters - start
        slope = away - slope
        above = np.cumsum(slope[CARDS - 1 :: -1])[::-1]  # a distance moves every threshold above it
        slope[:CARDS] = above * np.append(1, np.diff(parameters[:CARDS]))
        return float(away @ away) / 2 - likelihood, slope

    free = start.copy()
    free[1:CARDS] = np.log(np.diff(start[:CARDS]))
    return _parameters(optimize.minimize(cost, free, jac=True, method="BFGS", options={"gtol": _FLAT}).x)


def fit_each_number(expected: Floats, shape: Floats, tricks: Index, one_scale: Floats) -> Floats:
    """The parameters of `valet_xl.binky.points.chances` that give each of thirteen numbers of tricks its own model.

    Parameters
    ----------
    expected, shape, tricks : as in `fit_chances`
    one_scale : (22,) what `fit_chances` has found, for these or for other deals

    Returns
    -------
    (78,) six parameters of at least 1, then of at least 2 ... 13 tricks

    Notes
    -----
    Maximum likelihood of thirteen probit models at once, by L-BFGS-B, from one scale on. What is added to a parameter
    counts as observed once as 0; so do its second differences from one number of tricks to the next. Without this
    thousands of deals would not suffice for the ends. Errors of what is added by shape are small.
    """
    terms = powers(expected, shape)
    side = np.where(tricks[:, None] > np.arange(CARDS), 1.0, -1.0)
    start = like_one_scale(one_scale)
    second = np.diff(np.eye(CARDS), 2, axis=0) / _UNEVEN
    stiffness = np.eye(CARDS) + second.T @ second

    def cost(free: Floats) -> tuple[float, Floats]:
        parameters = free.reshape(start.shape)
        reach = side * (terms @ parameters.T)
        log_chance = special.log_ndtr(reach)
        slope = side * np.exp(-(reach**2) / 2 - log_chance) / math.sqrt(2 * math.pi)
        away = (parameters - start) / _ADDED
        pull = stiffness @ away
        return float((away * pull).sum() / 2 - log_chance.sum()), (pull / _ADDED - slope.T @ terms).ravel()

    return np.asarray(optimize.minimize(cost, start.ravel(), jac=True, method="L-BFGS-B", options=_ENOUGH).x)


def like_one_scale(one_scale: Floats) -> Floats:
    """(13, 6) parameters that come nearest to (22,) of one scale, over all hands, where chances are not all or none."""
    expected, shape = (side.ravel() for side in np.meshgrid(_EXPECTED, _SHAPES))
    terms = powers(expected, shape)
    reach = reach_of_one_scale(expected, shape, one_scale).clip(-_SURE, _SURE)
    root = np.exp(-(reach**2) / 2) / np.sqrt(special.ndtr(reach) * special.ndtr(-reach))
    return np.stack(
        [
            np.linalg.lstsq(terms * weight[:, None], one * weight, rcond=None)[0]
            for one, weight in zip(reach.T, root.T, strict=True)
        ]
    )


def _parameters(free: Floats) -> Floats:
    """Thresholds from the first and the logarithms of the distances; the other parameters as they are."""
    return np.concatenate([np.cumsum(np.append(free[0], np.exp(free[1:CARDS]))), free[CARDS:]])


def _likelihood(parameters: Floats, location: Floats, scale: Floats, tricks: Index) -> tuple[float, Floats]:
    """The logarithm of the likelihood, and its slope by each parameter."""
    thresholds, shift, log_scale = np.split(parameters, [CARDS, CARDS + location.shape[1] - 1])
    borders = np.concatenate([[-_FAR], thresholds, [_FAR]])
    middle = location[:, 0] + location[:, 1:] @ shift
    inverse = np.exp(-(scale @ log_scale))
    lower, upper = ((borders[tricks + side] - middle) * inverse for side in (0, 1))
    # In the upper tail both probabilities are near 1, so that their difference is taken from the other side.
    flip = lower > 0
    chance = special.ndtr(np.where(flip, -lower, upper)) - special.ndtr(np.where(flip, -upper, lower))
    chance = np.maximum(chance, _LEAST)
    below, above = (np.exp(-(border**2) / 2) / math.sqrt(2 * math.pi) / chance for border in (lower, upper))
    of_borders = sum_by(tricks + 1, above * inverse, CARDS + 2) - sum_by(tricks, below * inverse, CARDS + 2)
    of_shift = -((above - below) * inverse) @ location[:, 1:]
    of_scale = -(above * upper - below * lower) @ scale
    return float(np.log(chance).sum()), np.concatenate([of_borders[1:-1], of_shift, of_scale])
