"""The distribution of tricks, fitted to deals: how far they come from what two hands' values add up to."""

from __future__ import annotations

import math

import numpy as np

from valet_xl.binky.hands import CARDS
from valet_xl.binky.points import normal, terms
from valet_xl.engine.arrays import Floats, Index

ROUNDS = 100
SMALLEST = 1e-9  # a chance that is taken as no less, so that its logarithm is one


def fit_chances(expected: Floats, shape: Floats, tricks: Index) -> Floats:
    """Parameters of `valet_xl.binky.points.chances` that make deals most likely.

    Parameters
    ----------
    expected : (n,) expected tricks of pairs of hands, from fits without their deals
    shape : (n,) the squares of both hands' suit lengths, added up
    tricks : (n,) what they took, 0 to 13

    Notes
    -----
    Maximum likelihood by steps of the outer product of the scores (Berndt, Hall, Hall and Hausman), halved while they
    do not help or would put thresholds out of order. Each parameter counts as seen once, with an error of 1, at the
    value where the search starts, so that numbers of tricks that hardly occur have a threshold too.
    """
    location, scale = terms(expected, shape)
    parameters = np.zeros(CARDS + location.shape[1] - 1 + scale.shape[1])
    parameters[:CARDS] = np.arange(CARDS) + 0.5
    parameters[CARDS + location.shape[1] - 1] = math.log(1.2)
    start = parameters
    best, scores = _likelihood(parameters, location, scale, tricks)
    for _ in range(ROUNDS):
        slope = scores.sum(axis=0) - (parameters - start)
        step = np.linalg.solve(scores.T @ scores + np.eye(len(parameters)), slope)
        size = 1.0
        while size > 1e-6:
            trial = parameters + size * step
            if (np.diff(trial[:CARDS]) > 0).all():
                likelihood, trial_scores = _likelihood(trial, location, scale, tricks)
                likelihood -= float(((trial - start) ** 2).sum()) / 2
                if likelihood > best:
                    break
            size /= 2
        else:
            return parameters
        gain, best, parameters, scores = likelihood - best, likelihood, trial, trial_scores
        if gain < 1e-4:
            return parameters
    return parameters


def _likelihood(parameters: Floats, location: Floats, scale: Floats, tricks: Index) -> tuple[float, Floats]:
    """The logarithm of the likelihood, and each observation's derivatives by the parameters."""
    thresholds, shift, log_scale = np.split(parameters, [CARDS, CARDS + location.shape[1] - 1])
    middle = location[:, 0] + location[:, 1:] @ shift
    inverse = np.exp(-(scale @ log_scale))
    rows = np.arange(len(tricks))
    highest, lowest = tricks == CARDS, tricks == 0
    upper = np.where(highest, 0.0, (thresholds[np.minimum(tricks, CARDS - 1)] - middle) * inverse)
    lower = np.where(lowest, 0.0, (thresholds[np.maximum(tricks - 1, 0)] - middle) * inverse)
    chance = np.where(highest, 1.0, normal(upper)) - np.where(lowest, 0.0, normal(lower))
    chance = np.maximum(chance, SMALLEST)
    above = np.where(highest, 0.0, _density(upper)) / chance
    below = np.where(lowest, 0.0, _density(lower)) / chance
    scores = np.zeros((len(tricks), len(parameters)))
    scores[rows[~highest], tricks[~highest]] = (above * inverse)[~highest]
    scores[rows[~lowest], tricks[~lowest] - 1] = -(below * inverse)[~lowest]
    scores[:, CARDS : CARDS + len(shift)] = -((above - below) * inverse)[:, None] * location[:, 1:]
    scores[:, CARDS + len(shift) :] = -(above * upper - below * lower)[:, None] * scale
    return float(np.log(chance).sum()), scores


def _density(values: Floats) -> Floats:
    return np.asarray(np.exp(-(values**2) / 2) / math.sqrt(2 * math.pi))
