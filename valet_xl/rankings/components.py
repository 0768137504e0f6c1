"""Components of variance: what averages of many events owe to who played, to the event and to chance."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from valet_xl.engine.arrays import Floats, Index, count_by, sum_by

_COARSE, _FINE = (10, 8), (12, 10)  # points of the two grids, of the deviation of owners and of that of events
_ZOOMS, _ZOOMED = 6, 9  # how often the neighbourhood of the highest likelihood is looked at, by so many points each way
_DEEP = 10.0  # logarithms below the highest that still count
_BLOCK = 1 << 22  # cells of a table of owners by fields that are in memory at a time
_THIN = 24  # multiplications of a table take as long as one of a list
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
    owners, events : the variance of owners, and that of an owner from event to event: means over all that may be
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


def solve(entries: Entries, owners: int, copies: int = 1) -> Solved:
    """The strengths of owners, with all the variances that may be.

    Parameters
    ----------
    entries : the averages
    owners : how many there are
    copies : how many owners share each average: 2 of players, for partners have the same

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

    Copies of an average say no more than one of them. So what the averages add to the logarithm of the likelihood is
    divided by their number (a composite likelihood; C. Varin, N. Reid and D. Firth, Statistica Sinica 21, 2011), and C
    is multiplied by it. If no owner ever changes partners, that is the solution of one owner a pair.
    """
    model = _Model(entries, owners, copies)
    if model.repeated == 0:
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


def most_likely(entries: Entries, owners: int, copies: int = 1) -> tuple[float, float]:
    """The variances of owners and of events that make the averages most probable, by REML; 0 if none is seen.

    The parameters are those of `solve`. A mean over all that may be is too high where little is seen, and this is not.
    """
    model = _Model(entries, owners, copies)
    if model.repeated == 0:
        return float("nan"), float("nan")
    high = 2 * float(np.sqrt(np.average(entries.average**2, weights=1 / entries.variance)))
    low_p = low_g = 0.0
    high_p = high_g = high
    for _ in range(_ZOOMS):
        p, g = np.linspace(low_p, high_p, _ZOOMED), np.linspace(low_g, high_g, _ZOOMED)
        likely = np.array([model.likelihood(p**2, each**2) for each in g]).T
        at, to = np.unravel_index(int(likely.argmax()), likely.shape)
        (low_p, high_p), (low_g, high_g) = (
            (float(axis[max(best - 1, 0)]), float(axis[min(best + 1, _ZOOMED - 1)]))
            for axis, best in ((p, int(at)), (g, int(to)))
        )
    return float(p[at]) ** 2, float(g[to]) ** 2


class _Model:
    """The likelihood of variances, and the strengths at them."""

    def __init__(self, entries: Entries, owners: int, copies: int = 1) -> None:
        self.copies = copies
        fields, field = np.unique(entries.field, return_inverse=True)
        order = np.argsort(entries.owner, kind="stable")
        self.owners, self.fields = owners, len(fields)
        self.owner, self.field = entries.owner[order], field[order]
        self.average, self.variance = entries.average[order], entries.variance[order]
        played = count_by(self.owner, owners)
        self.repeated = int(np.count_nonzero(played > 1))
        couples = float((played[played > 1].astype(np.float64) ** 2).sum()) / 2
        few = couples * _THIN < self.repeated * self.fields**2 and couples < _BLOCK
        self.links: _Couples | _Tables = (_Couples if few else _Tables)(self.owner, self.field, played)

    def likelihoods(self, p: Floats, g: Floats) -> Floats:
        """The logarithms of the densities at deviations of owners and of events, (len(p), len(g))."""
        return np.array([self.likelihood(p**2, each**2) for each in g]).T + np.log(p)[:, None] / 2

    def likelihood(self, p: Floats, g: float) -> Floats:
        """Those of REML at variances of owners, (len(p),), and one of events."""
        equations = _Equations(self, g)
        w, own = equations.w, equations.own
        solved = [equations.solve(each) for each in p.tolist()]
        inverse, right = (np.array([each[at] for each in solved]) for at in (1, 2))
        _, size = np.linalg.slogdet(inverse)
        explained = np.einsum("ij,ij->i", right, np.linalg.solve(inverse, right[:, :, None])[:, :, 0])
        square = float(w @ self.average**2) - np.array([k @ own**2 for k, _, _ in solved]) - explained
        drawn = np.log1p(p[:, None] * equations.whole).sum(axis=1)
        return np.asarray(((float(np.log(w).sum()) - drawn - square) / self.copies - size) / 2)

    def strengths(self, p: float, g: float) -> tuple[Floats, Floats]:
        """(owners,) at these variances, and the variance of each."""
        equations = _Equations(self, g)
        w = equations.w
        k, inverse, right = equations.solve(p)
        covariance: Floats = np.linalg.inv(inverse).astype(np.float64, copy=False)
        fields = covariance @ right
        mean = k * (equations.own - sum_by(self.owner, w * fields[self.field], self.owners))
        covariance *= self.copies
        spread = sum_by(self.owner, w**2 * np.diag(covariance)[self.field], self.owners)
        return mean, np.asarray(k + k**2 * (spread + self.links.spread(equations.products, covariance)))


class _Equations:
    """What follows from the variance of events alone: w, and by owner the sums of w and of w times the average."""

    def __init__(self, model: _Model, g: float) -> None:
        self._model = model
        self.w = 1 / (g + model.variance)
        self.whole = sum_by(model.owner, self.w, model.owners)
        self.own = sum_by(model.owner, self.w * model.average, model.owners)
        self.products = model.links.products(self.w)

    def solve(self, p: float) -> tuple[Floats, Floats, Floats]:
        """(owners,) k, and of the fields the inverse of their variance and the right side."""
        model, w, size = self._model, self.w, self._model.fields
        k = p / (1 + p * self.whole)
        of_entry = k[model.owner]
        single = np.diag(sum_by(model.field, w * (1 - of_entry * w), size))
        inverse = single - model.links.common(self.products, k, size)
        return k, inverse, sum_by(model.field, w * (model.average - of_entry * self.own[model.owner]), size)


class _Couples:
    """The entries of owners with several, each with each other: little where most owners play in few of the fields."""

    def __init__(self, owner: Index, field: Index, played: Index) -> None:
        """Entries are in the order of owners, and `played` is how many each has."""
        later = np.cumsum(played)[owner] - np.arange(len(owner)) - 1
        self._one = np.repeat(np.arange(len(owner)), later)
        self._other = self._one + 1 + np.arange(len(self._one)) - np.repeat(np.cumsum(later) - later, later)
        self._owner, self._owners = owner[self._one], len(played)
        self._fields = field[self._one], field[self._other]

    def products(self, w: Floats) -> Floats:
        """What the other two functions take: of each two entries."""
        return np.asarray(w[self._one] * w[self._other])

    def common(self, products: Floats, k: Floats, size: int) -> Floats:
        """(size, size) by fields the sums over owners of k w w', of two different entries each."""
        one, other = self._fields
        half = sum_by(one * size + other, k[self._owner] * products, size**2).reshape(size, size)
        return np.asarray(half + half.T)

    def spread(self, products: Floats, covariance: Floats) -> Floats:
        """(owners,) the sums of w C w' over two different entries of each."""
        return 2 * sum_by(self._owner, products * covariance[self._fields], self._owners)


class _Tables:
    """The same by a table of owners by fields, some owners at a time: where most of them play in most fields."""

    def __init__(self, owner: Index, field: Index, played: Index) -> None:
        self._often = np.flatnonzero(played > 1)
        self._several = np.flatnonzero(played[owner] > 1)
        self._owner, self._field, self._owners = owner[self._several], field[self._several], len(played)
        self._number = np.repeat(np.arange(len(self._often)), played[self._often])
        self._start = np.searchsorted(self._number, np.arange(len(self._often) + 1))

    def products(self, w: Floats) -> Floats:
        """What the other two functions take: w of the entries of owners with several."""
        return w[self._several]

    def common(self, products: Floats, k: Floats, size: int) -> Floats:
        """As in `_Couples`."""
        total = -np.diag(sum_by(self._field, k[self._owner] * products**2, size))
        for owners, table in self._tables(products, size):
            total += (table * k[owners, None]).T @ table
        return total

    def spread(self, products: Floats, covariance: Floats) -> Floats:
        """As in `_Couples`."""
        total = -sum_by(self._owner, products**2 * np.diag(covariance)[self._field], self._owners)
        for owners, table in self._tables(products, len(covariance)):
            total[owners] += np.einsum("ij,ij->i", table @ covariance, table)
        return total

    def _tables(self, w: Floats, size: int) -> Iterator[tuple[Index, Floats]]:
        """The sums of w by owner and field."""
        step = max(_BLOCK // size, 1)
        for start in range(0, len(self._often), step):
            stop = min(start + step, len(self._often))
            at = slice(self._start[start], self._start[stop])
            cells = (self._number[at] - start) * size + self._field[at]
            yield self._often[start:stop], sum_by(cells, w[at], (stop - start) * size).reshape(stop - start, size)


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
