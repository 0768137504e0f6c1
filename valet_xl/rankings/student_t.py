"""Student's t: how far a 95 % interval reaches, and how probable a difference is."""

from __future__ import annotations

import math
from functools import lru_cache

import numpy as np
from numpy.typing import ArrayLike

from valet_xl.engine.arrays import Floats
from valet_xl.engine.normal import Z_95

_SHARE = 0.975  # what lies below the upper end of a 95 % interval
_MANY = 40  # degrees of freedom from which the quantile's series is exact to seven decimals


def heavy_reach(freedom: ArrayLike, excess: ArrayLike) -> Floats:
    """How many standard errors a 95 % interval reaches each way, where errors have an excess kurtosis.

    Notes
    -----
    Student's t for `freedom` degrees, with the Cornish-Fisher term of the kurtosis: t + (t^3 - 3 t) excess / 24.

    >>> heavy_reach([1000, 1000], [0, 5]).round(2).tolist()
    [1.96, 2.31]
    """
    t = t_quantile(freedom)
    return np.asarray(t + (t**3 - 3 * t) * np.asarray(excess, dtype=np.float64) / 24)


def heavy_tail(errors: ArrayLike, freedom: ArrayLike, excess: ArrayLike) -> Floats:
    """The probability that a deviation exceeds so many standard errors either way, by the same expansion.

    >>> round(float(heavy_tail(2.31, 1000, 5)), 2)
    0.05
    """
    cubic = np.asarray(excess, dtype=np.float64) / 24  # solve cubic t^3 + (1 - 3 cubic) t = errors
    wanted = np.abs(np.asarray(errors, dtype=np.float64))
    with np.errstate(divide="ignore", invalid="ignore"):
        slope = (1 - 3 * cubic) / cubic
        root = np.sqrt(slope / 3)
        t = 2 * root * np.sinh(np.arcsinh(1.5 * wanted / cubic / slope / root) / 3)
    return t_tail(np.where(cubic > 0, t, wanted), freedom)


def t_tail(t: ArrayLike, freedom: ArrayLike) -> Floats:
    """The probability that Student's t exceeds |t| either way, at `freedom` degrees (any shapes that fit together).

    >>> round(float(t_tail(2.228, 10)), 3)
    0.05
    """
    degrees = np.asarray(freedom, dtype=np.float64)
    squares = np.square(np.asarray(t, dtype=np.float64))
    return _beta_share(degrees / 2, 0.5, degrees / (degrees + squares))


def t_quantile(freedom: ArrayLike) -> Floats:
    """How many standard errors a 95 % interval reaches each way, at `freedom` degrees; NaN below one degree.

    >>> t_quantile([1, 10, 1000]).round(3).tolist()
    [12.706, 2.228, 1.962]
    """
    degrees = np.asarray(freedom, dtype=np.float64)
    distinct, index = np.unique(degrees, return_inverse=True)
    quantiles = np.where(distinct >= _MANY, _series(np.maximum(distinct, _MANY)), np.nan)
    few = (distinct >= 1) & (distinct < _MANY)
    quantiles[few] = [_bisected(each) for each in distinct[few].tolist()]
    return quantiles[index.reshape(degrees.shape)]


@lru_cache(maxsize=1024)
def _bisected(freedom: float) -> float:
    """The quantile for few degrees of freedom, where its tail is as large as it should be."""
    low, high = Z_95, 12.71
    while high - low > 1e-9:
        middle = (low + high) / 2
        inside = t_tail(middle, freedom) > 2 * (1 - _SHARE)
        low, high = (middle, high) if inside else (low, middle)
    return high


def _series(freedom: Floats) -> Floats:
    """The quantile for many degrees of freedom (Abramowitz and Stegun 26.7.5)."""
    z = Z_95
    terms = (
        z,
        (z**3 + z) / 4,
        (5 * z**5 + 16 * z**3 + 3 * z) / 96,
        (3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z) / 384,
        (79 * z**9 + 776 * z**7 + 1482 * z**5 - 1920 * z**3 - 945 * z) / 92160,
    )
    return np.asarray(np.polyval(terms[::-1], 1 / freedom))


def _beta_share(a: Floats, b: float, x: Floats) -> Floats:
    """The regularised incomplete beta function I_x(a, b), by its continued fraction (Abramowitz and Stegun 26.5.8)."""
    a, x = np.broadcast_arrays(a, x)
    swapped = x > (a + 1) / (a + b + 2)  # where the fraction is of the other end, 1 - I_(1-x)(b, a)
    first, second = np.where(swapped, b, a), np.where(swapped, a, b)
    at = np.where(swapped, 1 - x, x)
    with np.errstate(divide="ignore"):
        front = first * np.log(at) + second * np.log1p(-at)
    front = np.exp(front + _log_gammas(first + second) - _log_gammas(first) - _log_gammas(second)) / first
    share = front * _fraction(first, second, at)
    return np.where(swapped, 1 - share, share)


def _log_gammas(values: Floats) -> Floats:
    """The logarithms of the gamma function, of each different value once."""
    distinct, index = np.unique(values, return_inverse=True)
    return np.array([math.lgamma(each) for each in distinct.tolist()])[index.reshape(values.shape)]


def _fraction(a: Floats, b: Floats, x: Floats) -> Floats:
    """The continued fraction of the incomplete beta function, from its first term on."""
    shape, out, left = x.shape, np.empty(x.size), np.arange(x.size)  # left: those that are still computed
    a, b, x = a.ravel(), b.ravel(), x.ravel()
    numerator, denominator = np.ones_like(x), 1 / (1 - (a + b) / (a + 1) * x)
    value = denominator
    for m in range(1, 200):
        for term in (
            m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m)),
            -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1)),
        ):
            numerator, denominator = 1 + term / numerator, 1 / (1 + term * denominator)
            step = numerator * denominator
            value = value * step
        going = np.abs(step - 1) >= 1e-12  # NaN is not, and stays
        if 2 * np.count_nonzero(going) <= len(going):
            out[left] = value
            left = left[going]
            a, b, x, numerator, denominator, value = (each[going] for each in (a, b, x, numerator, denominator, value))
        if not len(left):
            break
    out[left] = value
    return out.reshape(shape)
