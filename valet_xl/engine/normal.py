"""The standard normal distribution, to the last digits of a double."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import ArrayLike

from valet_xl.engine.arrays import Floats

Z_95 = 1.9599639845400536
"""How many standard errors a 95 % interval reaches each way."""


def share_below(z: ArrayLike) -> Floats:
    """The share of the distribution below z.

    Parameters
    ----------
    z : any shape, standard deviations from the mean; NaN = none

    Returns
    -------
    probabilities, same shape; NaN for NaN

    >>> share_below([-1.96, 0, 1.96]).round(3).tolist()
    [0.025, 0.5, 0.975]
    """
    given = np.asarray(z, dtype=np.float64)
    upward = given.ravel() / -math.sqrt(2)
    return np.fromiter(map(math.erfc, upward.tolist()), np.float64, given.size).reshape(given.shape) / 2


def quantiles(share: ArrayLike) -> Floats:
    """The z below which a share of the distribution is: the inverse of `share_below`.

    Parameters
    ----------
    share : any shape, above 0 and below 1

    Returns
    -------
    standard deviations from the mean, same shape

    Raises
    ------
    ValueError : for a share that is not above 0 and below 1

    >>> quantiles([0.25, 0.5]).round(4).tolist()
    [-0.6745, 0.0]
    """
    given = np.asarray(share, dtype=np.float64)
    outside = ~((given > 0) & (given < 1))
    if outside.any():
        raise ValueError(f"share must be above 0 and below 1, got {given[outside][0]:g}")
    from statistics import NormalDist  # noqa: PLC0415 - it loads decimals and fractions

    return np.array([NormalDist().inv_cdf(each) for each in given.ravel().tolist()]).reshape(given.shape)
