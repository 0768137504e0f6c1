"""Scores in clusters, an owner's scores on one board being one: their sums, averages and standard errors."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from valet_xl.engine.arrays import Floats, Index, count_by, keys_of, split_keys, sum_by

TABLE = 1 << 25  # up to here a table of all keys is quicker than sorting them


@dataclass(frozen=True, slots=True, eq=False)
class Clusters:
    """Scores of several owners gathered by board.

    owners : how many owners there are
    owner, board : (c,) of each cluster
    of_line : (n,) the cluster of each score; None where each is a cluster of its own
    """

    owners: int
    owner: Index
    board: Index
    of_line: Index | None

    @classmethod
    def of(cls, owner: Index, board: Index, owners: int, boards: int) -> Clusters:
        """Gather (n,) scores by owner and board."""
        shape = (owners, boards)
        key = keys_of((owner, board), shape)
        if owners * boards <= TABLE:
            once = count_by(key, 1).max() <= 1
        else:
            in_order = np.sort(key)
            once = not np.any(in_order[1:] == in_order[:-1])
        if once:
            return cls(owners, owner, board, None)
        keys, of_line = np.unique(key, return_inverse=True)
        of_owner, on_board = split_keys(keys, shape)
        return cls(owners, of_owner, on_board, of_line)


@dataclass(frozen=True, slots=True, eq=False)
class Chances:
    """The chances that owners had to score in some part of the game.

    clusters, lines : of which scores; None is all of them
    places : (p,) in which clusters there was one; None is all of them
    owner : (p,) whose they are
    weight : (p,) how many there were in each; None is one in each
    count, squares, size : (owners,) how many in all, the sum of squared weights, and in how many clusters
    """

    clusters: Clusters
    lines: Index | None
    places: Index | None
    owner: Index
    weight: Floats | None
    count: Floats
    squares: Floats
    size: Floats

    @classmethod
    def of(cls, clusters: Clusters, lines: Index | None = None) -> Chances:
        """The chances at these of the scores, or at all."""
        if clusters.of_line is None:
            owner = clusters.owner if lines is None else clusters.owner[lines]
            count = count_by(owner, clusters.owners).astype(np.float64)
            return cls(clusters, lines, lines, owner, None, count, count, count)
        index = clusters.of_line if lines is None else clusters.of_line[lines]
        weight = count_by(index, len(clusters.owner)).astype(np.float64)
        places = np.flatnonzero(weight)
        owner, weight = clusters.owner[places], weight[places]
        count, squares, size = (
            sum_by(owner, each, clusters.owners) for each in (weight, weight**2, np.ones(len(owner)))
        )
        return cls(clusters, lines, places, owner, weight, count, squares, size)

    def sums(self, values: Floats) -> Floats:
        """(owners,) sums of (p,) values."""
        return sum_by(self.owner, values, self.clusters.owners)

    @property
    def board(self) -> Index:
        """(p,) the boards of the clusters."""
        return self.clusters.board if self.places is None else self.clusters.board[self.places]


@dataclass(frozen=True, slots=True, eq=False)
class Part:
    """What was scored at those chances: (p,) the sum in each cluster, and the (owners,) sums of it and of its square.

    with_weight : (owners,) the sum of value x weight
    """

    chances: Chances
    value: Floats
    total: Floats
    squares: Floats
    with_weight: Floats

    @classmethod
    def of(cls, chances: Chances, values: Floats) -> Part:
        """Gather the values, one for each chance."""
        clusters = chances.clusters
        if clusters.of_line is not None:
            index = clusters.of_line if chances.lines is None else clusters.of_line[chances.lines]
            values = sum_by(index, values, len(clusters.owner))[chances.places]
        total = chances.sums(values)
        with_weight = total if chances.weight is None else chances.sums(values * chances.weight)
        return cls(chances, values, total, chances.sums(values * values), with_weight)

    def average(self) -> tuple[Floats, Floats]:
        """(owners,) the average of each chance, and its standard error.

        Notes
        -----
        With r the average, u = value - r weight the deviation of a cluster and W the sum of weights, the error is
        sqrt(C / (C - 1) sum u^2) / W: the linearised variance of a ratio, C / (C - 1) being the small-sample factor.
        That is the error of ordinary least squares on an intercept, clustered by board: the usual factor C / (C - 1) x
        (n - 1) / (n - k) for n scores and k coefficients is C / (C - 1) where k is 1. Where each cluster has weight 1
        it is the sample's standard deviation over the root of C.
        """
        return self._ratio(self.chances, self.with_weight)

    def average_over(self, all_: Chances) -> tuple[Floats, Floats]:
        """The same over all these chances, most of which may be none of this part's."""
        with_weight = self.total
        if all_.weight is not None and self.chances.places is not None:
            weight = np.zeros(len(self.chances.clusters.owner))
            weight[all_.places] = all_.weight
            with_weight = self.chances.sums(self.value * weight[self.chances.places])
        return self._ratio(all_, with_weight)

    def _ratio(self, over: Chances, with_weight: Floats) -> tuple[Floats, Floats]:
        with np.errstate(divide="ignore", invalid="ignore"):
            average = self.total / over.count
            deviations = self.squares - 2 * average * with_weight + average**2 * over.squares
            error = np.sqrt(np.maximum(deviations, 0) * over.size / (over.size - 1)) / over.count
        return average, np.where(over.size > 1, error, np.nan)

    def difference(self, first: int, second: int) -> tuple[float, float]:
        """The standard error of the difference between two owners' averages, and its degrees of freedom.

        Notes
        -----
        Deviations on a board that both have are set off against each other. The degrees are those of the boards that
        one has, the other has and both have, combined by Satterthwaite's formula.
        """
        chances = self.chances
        terms, sizes, places = [], [], []
        for row, sign in ((first, 1.0), (second, -1.0)):
            here = np.flatnonzero(chances.owner == row)
            value, size = self.value[here], len(here)
            weight = np.ones(size) if chances.weight is None else chances.weight[here]
            if size < 2:
                return float("nan"), float("nan")
            deviation = value - value.sum() / weight.sum() * weight
            terms.append(sign * deviation / weight.sum() * math.sqrt(size / (size - 1)))
            sizes.append(size)
            places.append(chances.board[here])
        boards, index = np.unique(np.concatenate(places), return_inverse=True)
        squares = sum_by(index, np.concatenate(terms)) ** 2
        has = np.stack([np.isin(boards, each) for each in places])
        shared = has.all(axis=0)
        variance, freedom = float(squares.sum()), 0.0
        for group, size in ((shared, min(sizes)), (has[0] & ~shared, sizes[0]), (has[1] & ~shared, sizes[1])):
            if group.any():
                freedom += float(squares[group].sum()) ** 2 / (np.count_nonzero(group) * (1 - 1 / size))
        return math.sqrt(variance), variance**2 / freedom if freedom else float(min(sizes) - 1)
