"""Components of variance: what averages of many events owe to who played, to the event and to chance."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from valet_xl.engine.arrays import Floats, Index, count_by, sum_by

_COARSE, _FINE = (10, 8), (12, 10)  # points of the two grids, of the deviation of owners and of that of events
_DEEP = 10.0  # logarithms below the highest that still count
_BLOCK = 1 << 22  # cells of a table of owners by fields that are in memory at a time
_LIKELY = 1e-4  # of the most probable point: others do not count for strengths


@dataclass(frozen=True, slots=True, eq=False)
class Entries:
    """Averages of owners in events, (n,) each.

    owner : whose, from 0
    field : with whom it is compared, from 0: the event, or one of its groups
    average, variance : of the owner there, and what chance does to it
    """

    owner: Index
    field: Index
    average: Floats
    variance: Floats

    def take(self, rows: Index) -> Entries:
        """These of them."""
        return Entries(self.owner[rows], self.field[rows], self.average[rows], self.variance[rows])


@dataclass(frozen=True, slots=True, eq=False)
class Solved:
    """What entries say about owners.

    strength, error : (owners,) of each above the mean of all, and its standard error; 0 and the deviation of owners for
        one without an entry
    owners, events : the variance of owners, and that of an owner from event to event
    owners_low, owners_high, events_low, events_high : the limits of their 95 % intervals
    """

    strength: Floats
    error: Floats
    owners: float
    events: float
    owners_low: float
    owners_high: float
    events_low: float
    events_high: float


def solve(entries: Entries, owners: int) -> Solved:
    """The strengths of owners, with all the variances that may be.

    Notes
    -----
    The model is average = p + f + g + e: p is the owner's, of variance P; f is the field's, of which nothing is known;
    g is the owner's in this event, of variance G; and e is chance, whose variance is known. Scores are relative to a
    field, so f is minus the mean strength of those in it: whoever meets stronger fields is not worse for it.

    P and G are integrated over: each counts as much as the averages make it probable, by the likelihood of REML and a
    density beforehand that is flat in the deviation of events, and proportional to the root of that of owners. With
    w = 1 / (G + e's variance), W the sum of an owner's w and k = P / (1 + P W), the inverse of an owner's variance is
    diag(w) - k w w', so nothing larger than fields by fields is ever inverted. The strength is k times the sum of
    w (average - f), of the variance k + k^2 a C a', a being the sums of w by field and C the variance of the fields.
    """
    model = _Model(entries, owners)
    if not len(entries.average) or model.repeated == 0:
        nothing = np.zeros(owners)
        return Solved(nothing, np.full(owners, np.nan), *[float("nan")] * 6)
    spread = float(np.sqrt(np.average(entries.average**2, weights=1 / entries.variance)))
    p, g = (_midpoints(0.0, 2 * spread, points) for points in _COARSE)
    likely = model.likelihoods(p, g)
    kept = likely > likely.max() - _DEEP
    p, g = (
        _midpoints(*_ends(axis, kept.any(axis=1 - number)), points)
        for number, (axis, points) in enumerate(zip((p, g), _FINE, strict=True))
    )
    likely = model.likelihoods(p, g)
    weight = np.exp(likely - likely.max())
    weight /= weight.sum()
    strength, square = np.zeros(owners), np.zeros(owners)
    counted = 0.0
    for at, to in np.argwhere(weight > _LIKELY * weight.max()).tolist():
        mean, variance = model.strengths(p[at] ** 2, g[to] ** 2)
        strength += weight[at, to] * mean
        square += weight[at, to] * (variance + mean**2)
        counted += weight[at, to]
    strength /= counted
    of_p, of_g = weight.sum(axis=1), weight.sum(axis=0)
    return Solved(
        strength,
        np.sqrt(np.maximum(square / counted - strength**2, 0)),
        float(p**2 @ of_p),
        float(g**2 @ of_g),
        *(float(each) for axis, of in ((p, of_p), (g, of_g)) for each in _limits(axis, of)),
    )


class _Model:
    """The likelihood of variances, and the strengths at them."""

    def __init__(self, entries: Entries, owners: int) -> None:
        self._owners = owners
        self._fields, field = np.unique(entries.field, return_inverse=True)
        order = np.argsort(entries.owner, kind="stable")
        self._owner, self._field = entries.owner[order], field[order]
        self._average, self._variance = entries.average[order], entries.variance[order]
        played = count_by(self._owner, owners)
        self._once = np.flatnonzero(played[self._owner] == 1)
        self._often = np.flatnonzero(played > 1)  # the owners with several entries, whose fields go together
        self.repeated = len(self._often)
        self._several = np.flatnonzero(played[self._owner] > 1)
        number = np.zeros(owners, dtype=np.intp)
        number[self._often] = np.arange(self.repeated)
        self._number = number[self._owner[self._several]]
        self._start = np.searchsorted(self._number, np.arange(self.repeated + 1))

    def likelihoods(self, p: Floats, g: Floats) -> Floats:
        """The logarithms of the densities at deviations of owners and of events, (len(p), len(g))."""
        return np.array([[self._likelihood(one**2, two**2) + np.log(one) / 2 for two in g] for one in p])

    def _likelihood(self, p: float, g: float) -> float:
        """That of REML."""
        w, k, inverse, right = self._equations(p, g)
        _, size = np.linalg.slogdet(inverse)
        own = sum_by(self._owner, w * self._average, self._owners)
        square = float(w @ self._average**2 - k @ own**2 - right @ np.linalg.solve(inverse, right))
        return float(np.log(w).sum() - np.log1p(p * sum_by(self._owner, w, self._owners)).sum() - size - square) / 2

    def strengths(self, p: float, g: float) -> tuple[Floats, Floats]:
        """(owners,) at these variances, and the variance of each."""
        w, k, inverse, right = self._equations(p, g)
        fields = np.linalg.solve(inverse, right)
        covariance = np.linalg.inv(inverse)
        mean = k * sum_by(self._owner, w * (self._average - fields[self._field]), self._owners)
        variance = np.array(k)
        once = self._owner[self._once]
        variance[once] += (k[once] * w[self._once]) ** 2 * np.diag(covariance)[self._field[self._once]]
        for owners, table in self._tables(w):
            variance[owners] += k[owners] ** 2 * np.einsum("ij,ij->i", table @ covariance, table)
        return mean, variance

    def _equations(self, p: float, g: float) -> tuple[Floats, Floats, Floats, Floats]:
        """w and k, and of the fields the inverse of their variance and the right side."""
        w = 1 / (g + self._variance)
        k = p / (1 + p * sum_by(self._owner, w, self._owners))
        size = len(self._fields)
        once = self._once
        single = sum_by(self._field[once], k[self._owner[once]] * w[once] ** 2, size)
        inverse = np.diag(sum_by(self._field, w, size) - single)
        for owners, table in self._tables(w):
            inverse -= (table * k[owners, None]).T @ table
        own = sum_by(self._owner, w * self._average, self._owners)
        right = sum_by(self._field, w * (self._average - k[self._owner] * own[self._owner]), size)
        return w, k, inverse, np.asarray(right)

    def _tables(self, w: Floats) -> Iterator[tuple[Index, Floats]]:
        """The sums of w by owner and field, some of the owners with several entries at a time."""
        size = len(self._fields)
        step = max(_BLOCK // size, 1)
        for start in range(0, self.repeated, step):
            stop = min(start + step, self.repeated)
            at = slice(self._start[start], self._start[stop])
            cells = (self._number[at] - start) * size + self._field[self._several[at]]
            table = sum_by(cells, w[self._several[at]], (stop - start) * size)
            yield self._often[start:stop], np.asarray(table.reshape(stop - start, size))


def _midpoints(low: float, high: float, points: int) -> Floats:
    return low + (high - low) * (np.arange(points) + 0.5) / points


def _ends(axis: Floats, kept: Floats) -> tuple[float, float]:
    """What contains the points that are kept, up to half a step around them."""
    step = float(axis[1] - axis[0]) / 2
    return max(float(axis[kept][0]) - step, 0.0), float(axis[kept][-1]) + step


def _limits(axis: Floats, weight: Floats) -> tuple[float, float]:
    """The variances between which 95 % of the weight is."""
    step = float(axis[1] - axis[0]) / 2
    below = np.concatenate([[0.0], np.cumsum(weight)])
    ends = np.interp((0.025, 0.975), below, np.append(axis - step, axis[-1] + step))
    return float(ends[0]) ** 2, float(ends[1]) ** 2
