"""What a part of the game adds up to for each owner, from which averages and standard errors follow."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from valet_xl.engine.arrays import Floats
from valet_xl.rankings.exact import Exact

ENOUGH = 10  # degrees of freedom from which tails can be seen
MOST_EXCESS = 6.0  # what an interval allows for: with more it is not understood how tails add up


@dataclass(frozen=True, slots=True, eq=False)
class Counts:
    """How often owners had a chance to score, (owners,) each, in clusters of one owner's chances on one board.

    count, squares, size : how many chances, the sum of the squares of how many in each cluster, and how many clusters
    """

    count: Floats
    squares: Floats
    size: Floats


@dataclass(frozen=True, slots=True)
class Spread:
    """How the clusters of all owners vary about their averages.

    variance : of a cluster of one chance; it and the freedom are NaN where nobody has two
    freedom : the degrees of freedom of the variance: half of the clusters less the owners, for what one side of a table
        gains the other side loses
    excess : the excess kurtosis of a cluster: 0 of a normal distribution, some 7 of declarer's play, 20 of leads
    unlike : the squared coefficient of variation of the owners' own variances
    """

    variance: float
    freedom: float
    excess: float
    unlike: float

    def excess_of(self, size: Floats) -> Floats:
        """The excess kurtosis of the error of an average over so many clusters, in standard errors of all owners.

        Notes
        -----
        The excess of a mean of n is that of one over n. Errors of owners with different variances, in one common unit,
        have 3 times the squared coefficient of variation more.
        """
        return np.minimum(self.excess / np.maximum(size, 1) + 3 * self.unlike, MOST_EXCESS)


@dataclass(frozen=True, slots=True, eq=False)
class PartSums:
    """What was scored at some chances, in sums over clusters, (owners,) each.

    counts : how many chances there were
    total, squares, fourth : sums of the clusters' scores, of their squares and of their fourth powers
    with_weight : of the scores times the chances of their cluster; None where that is the total
    with_boards : of the scores times how often the owner played the board; None where that is the total
    """

    counts: Counts
    total: Exact
    squares: Exact
    fourth: Exact
    with_weight: Exact | None = None
    with_boards: Exact | None = None

    def average(self) -> tuple[Floats, Floats]:
        """(owners,) the average of each chance, and its standard error.

        Notes
        -----
        With r the average, u = value - r weight the deviation of a cluster, W the sum of an owner's weights, Q that of
        their squares and C the number of his clusters, the error is sqrt(s Q) / W. The variance s is the event's: the
        sum of u^2 over all owners, divided by the sum of Q (1 - 1 / C). An owner's own variance would be unknown with
        few clusters, and with scores of heavy tails it is mostly too small where the average is far off.

        Where each cluster has weight 1 the error is the pooled standard deviation over the root of C.
        """
        return self._ratio(self.counts, self.with_weight)

    def average_over(self, boards: Counts) -> tuple[Floats, Floats]:
        """The same over all boards, most of which may have no chance of this part."""
        return self._ratio(boards, self.with_boards)

    def spread(self) -> Spread:
        """How the clusters vary.

        Notes
        -----
        The kurtosis is taken about 0, which is the average of all, for deviations from the average of three or four
        clusters have no tails. Owners' variances differ by what they vary more than by chance, (kurtosis - 1) / C.
        """
        counts, own_squares = self.counts, self.squares.value
        _, squares, weights = self._squares(counts, self.with_weight)
        size = counts.size
        freedom = float(np.maximum(size - 1, 0).sum()) / 2 or float("nan")
        variance = _variance(squares, weights)
        if not (freedom >= ENOUGH and variance > 0):
            return Spread(variance, freedom, 0.0, 0.0)
        played = size > 0
        all_squares, clusters = float(own_squares.sum()), float(size.sum())
        level = all_squares / float(counts.squares.sum())
        kurtosis = float(self.fourth.value.sum()) * clusters / all_squares**2
        differ = float((size * (own_squares / np.where(played, counts.squares, 1) - level) ** 2)[played].sum())
        by_chance = np.count_nonzero(played) * (kurtosis - 1) * level**2
        unlike = max(differ - by_chance, 0.0) / clusters / level**2
        return Spread(variance, freedom, max(kurtosis - 3, 0.0), unlike)

    def _or_total(self, sums: Exact | None) -> Floats:
        return (self.total if sums is None else sums).value

    def _ratio(self, over: Counts, with_weight: Exact | None) -> tuple[Floats, Floats]:
        average, squares, freedom = self._squares(over, with_weight)
        with np.errstate(divide="ignore", invalid="ignore"):
            return average, np.sqrt(_variance(squares, freedom) * over.squares) / over.count

    def _squares(self, over: Counts, with_weight: Exact | None) -> tuple[Floats, Floats, Floats]:
        """(owners,) averages, the sums of squared deviations from them, and of how much variance these consist."""
        total = self.total.value
        with np.errstate(divide="ignore", invalid="ignore"):
            average = total / over.count
            squares = self.squares.value - 2 * average * self._or_total(with_weight) + average**2 * over.squares
            freedom = over.squares * (1 - 1 / over.size)
        played = over.size > 0
        return average, np.where(played, np.maximum(squares, 0), 0), np.where(played, freedom, 0)


def _variance(squares: Floats, freedom: Floats) -> float:
    """The variance of all owners together; NaN where nobody has two clusters."""
    of_all = float(freedom.sum())
    return float(squares.sum()) / of_all if of_all > 0 else float("nan")
