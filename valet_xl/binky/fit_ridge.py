"""Least squares with a ridge that draws similar holdings together.

Two partners' values add up to tricks, so that the values are the least-squares solution of one equation per pair of
hands. Most of the 512 holdings are rare. Holdings of about the same length and honours are worth about the same. A
covariance of the values says so before any deal is seen, and the deals determine how strong it is.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cache

import numpy as np
from numpy.typing import NDArray
from scipy import linalg, optimize, sparse

from valet_xl.binky.fit_pairs import SIZE, Pairs
from valet_xl.binky.hands import HONOURS, PATTERNS
from valet_xl.binky.points import HOLDINGS
from valet_xl.engine.arrays import Floats


@dataclass(frozen=True, slots=True, eq=False)
class Sums:
    """The normal equations of pairs of hands.

    products : (551, 551) how often two coefficients are in the same pair
    sides : (551, 4) the sum of the tricks of the pairs that each coefficient is in
    squares : (4,) the sum of the squares of tricks
    size : how many pairs
    """

    products: Floats
    sides: Floats
    squares: Floats
    size: int

    @classmethod
    def of(cls, pairs: Pairs, chosen: NDArray[np.bool_]) -> Sums:
        """Count the chosen pairs."""
        columns, tricks = pairs.columns[chosen], pairs.tricks[chosen]
        rows = np.repeat(np.arange(len(columns)), columns.shape[1])
        design = sparse.csr_array((np.ones(columns.size), (rows, columns.ravel())), shape=(len(columns), SIZE))
        return cls((design.T @ design).toarray(), design.T @ tricks, (tricks**2).sum(axis=0), len(columns))

    def __add__(self, other: Sums) -> Sums:
        return Sums(
            self.products + other.products,
            self.sides + other.sides,
            self.squares + other.squares,
            self.size + other.size,
        )

    def __sub__(self, other: Sums) -> Sums:
        return Sums(
            self.products - other.products,
            self.sides - other.sides,
            self.squares - other.squares,
            self.size - other.size,
        )

    def variances(self) -> Floats:
        """(4,) the variance of a pair's tricks about least squares without a ridge."""
        solution = np.linalg.lstsq(self.products, self.sides, rcond=1e-10)[0]
        left = self.squares - (self.sides * solution).sum(axis=0)
        return np.asarray(np.maximum(left / max(1, self.size - SIZE), 0.1))


STRENGTHS = ("honours", "twos", "threes", "more", "reach", "patterns", "pattern reach", "own")
"""What the covariance of the values is made of: standard deviations in tricks, and two reaches in cards. Honours, twos,
threes and more are those of single honours and of sets of two, three and more of them; reach is over how many lengths
their values are alike. Patterns is that of patterns; pattern reach is over which differences their values are alike.
Own is that of each pattern and holding on its own."""

_START = (0.8, 0.05, 0.02, 0.02, 3.5, 0.5, 6.0, 0.03)
_WEIGHTS = (1.4, 1.1, 0.9, 0.7, 0.5, 0.3)  # of A K Q J T 9: what low honours are worth varies less; so do sets of them
_LEVEL = 10.0  # standard deviation of half the mean tricks, in tricks: so large that it may be anything
_LIMITS = (math.log(0.002), math.log(20))  # of a strength's logarithm
_ENOUGH = {"ftol": 1e-8, "gtol": 0.05}  # of the logarithm of a probability: more would change no value


def covariance(strengths: Floats) -> Floats:
    """(551, 551) the covariance of the values before any deal is seen, in square tricks."""
    honours, twos, threes, more, reach, patterns, pattern_reach, own = strengths
    common, near, apart = _likeness()
    alike = honours**2 * common[0] + twos**2 * common[1] + threes**2 * common[2] + more**2 * common[3]
    out = np.eye(SIZE) * own**2
    first = len(PATTERNS)
    out[:first, :first] += _LEVEL**2 + patterns**2 * np.exp(-apart / (2 * pattern_reach**2))
    out[first:, first:] += alike * np.exp(-near / (2 * reach**2))
    return out


@cache
def _likeness() -> tuple[Floats, Floats, Floats]:
    """How alike holdings and patterns are.

    Returns
    -------
    (4, 512, 512) the honours, twos, threes and larger sets that two holdings have in common, by the squares of their
    weights; (512, 512) the squares of the differences of their lengths; (39, 39) the sums of the squares of the
    differences of patterns' lengths
    """
    length, held = np.array(HOLDINGS).T
    same = (len(HOLDINGS),) * 2
    sets = [np.ones(same), *(np.zeros(same) for _ in range(HONOURS))]
    for place, weight in enumerate(_WEIGHTS):
        has = held >> (HONOURS - 1 - place) & 1
        both = np.outer(has, has) * weight**2
        for size in range(HONOURS, 0, -1):
            sets[size] = sets[size] + sets[size - 1] * both
    common = np.stack([*sets[1:4], np.sum(sets[4:], axis=0)])
    shapes = np.array(PATTERNS)
    apart = ((shapes[:, None] - shapes) ** 2).sum(axis=2)
    return common, np.square(length[:, None] - length, dtype=np.float64), apart.astype(np.float64)


def solve(sums: Sums, strengths: Floats, kind: int, variance: float) -> tuple[Floats, Floats]:
    """Least squares with a ridge.

    Returns
    -------
    (551,) values, and (551, 551) the root R of their covariance R R' after the deals
    """
    spread, _, side = _solved(sums, covariance(strengths), kind, variance)
    return spread @ side, spread


def evidence(sums: Sums, strengths: Floats, kind: int, variance: float) -> tuple[float, Floats]:
    """The logarithm of the probability of the tricks, but for a constant, and (8,) its slopes.

    Notes
    -----
    The slopes are those by the logarithms of the strengths. With the covariance K before the deals, P = X'X / variance,
    and the values v and their covariance C after the deals, the slope by an entry of K is half that of

        G = a a' - P + P C P,  a = (X'y - X'X v) / variance
    """
    spread, log_roots, side = _solved(sums, covariance(strengths), kind, variance)
    left = (sums.sides[:, kind] - sums.products @ (spread @ side)) / variance
    seen = sums.products @ spread / variance
    slope = np.outer(left, left) - sums.products / variance + seen @ seen.T
    return float(side @ side / 2 - log_roots), _slopes(slope, strengths)


def _slopes(slope: Floats, strengths: Floats) -> Floats:
    """(8,) half of the sum of a matrix times the covariance's slopes by the logarithms of the strengths."""
    *honours, reach, patterns, pattern_reach, own = strengths
    common, near, apart = _likeness()
    first = len(PATTERNS)
    of_patterns = slope[:first, :first] * patterns**2 * np.exp(-apart / (2 * pattern_reach**2))
    of_holdings = slope[first:, first:] * np.exp(-near / (2 * reach**2))
    of_honours = [strength**2 * (of_holdings * alike).sum() for strength, alike in zip(honours, common, strict=True)]
    by_reach = sum(
        strength**2 * (of_holdings * alike * near).sum() for strength, alike in zip(honours, common, strict=True)
    )
    return np.array(
        [
            *of_honours,
            by_reach / (2 * reach**2),
            of_patterns.sum(),
            (of_patterns * apart).sum() / (2 * pattern_reach**2),
            own**2 * np.trace(slope),
        ]
    )


def _solved(sums: Sums, before: Floats, kind: int, variance: float) -> tuple[Floats, float, Floats]:
    """What least squares with a ridge come to, by the roots of two covariances.

    Returns
    -------
    (551, 551) R = L C'^-1, the root of the values' covariance after the deals; the sum of the logarithms of C's
    diagonal; (551,) C^-1 L' X'y / variance. L is the root of the covariance before the deals, and C that of
    1 + L' X'X L / variance.
    """
    root = linalg.cholesky(before + 1e-10 * np.eye(SIZE), lower=True)
    lower = linalg.cholesky(np.eye(SIZE) + root.T @ sums.products @ root / variance, lower=True)
    spread = linalg.solve_triangular(lower, root.T, lower=True).T
    return spread, float(np.log(np.diag(lower)).sum()), spread.T @ sums.sides[:, kind] / variance


def find_strengths(sums: Sums, kind: int, variance: float) -> Floats:
    """(8,) the strengths under which the tricks are most likely."""

    def cost(logs: Floats) -> tuple[float, Floats]:
        value, slopes = evidence(sums, np.exp(logs), kind, variance)
        return -value, -slopes

    limits = [_LIMITS] * len(_START)
    found = optimize.minimize(cost, np.log(_START), jac=True, method="L-BFGS-B", bounds=limits, options=_ENOUGH)
    return np.exp(found.x)
