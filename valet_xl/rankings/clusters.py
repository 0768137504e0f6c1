"""Scores in clusters, an owner's scores on one board being one: their sums, and what they have in common."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from valet_xl.engine.arrays import Floats, Index, count_by, distinct_keys, keys_of, number_keys, split_keys, sum_by
from valet_xl.rankings.exact import Exact
from valet_xl.rankings.part_sums import Counts, PartSums

DRAWN = 6  # boards in common at which half of a correlation is believed


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
        if len(distinct_keys(key)) == len(key):
            return cls(owners, owner, board, None)
        keys, of_line = number_keys(key)
        of_owner, on_board = split_keys(keys, shape)
        return cls(owners, of_owner, on_board, of_line)


@dataclass(frozen=True, slots=True, eq=False)
class Chances:
    """The chances that owners had to score in some part of the game.

    clusters, lines : of which scores; None is all of them
    places : (p,) in which clusters there was one; None is all of them
    owner : (p,) whose they are
    weight : (p,) how many there were in each; None is one in each
    counts : (owners,) how many in all, the sum of squared weights, and in how many clusters
    """

    clusters: Clusters
    lines: Index | None
    places: Index | None
    owner: Index
    weight: Floats | None
    counts: Counts

    @classmethod
    def of(cls, clusters: Clusters, lines: Index | None = None) -> Chances:
        """The chances at these of the scores, or at all."""
        if clusters.of_line is None:
            owner = clusters.owner if lines is None else clusters.owner[lines]
            count = count_by(owner, clusters.owners).astype(np.float64)
            return cls(clusters, lines, lines, owner, None, Counts(count, count, count))
        index = clusters.of_line if lines is None else clusters.of_line[lines]
        weight = count_by(index, len(clusters.owner)).astype(np.float64)
        places = np.flatnonzero(weight)
        owner, weight = clusters.owner[places], weight[places]
        count, squares, size = (
            sum_by(owner, each, clusters.owners) for each in (weight, weight**2, np.ones(len(owner)))
        )
        return cls(clusters, lines, places, owner, weight, Counts(count, squares, size))

    def sums(self, values: Floats) -> Exact:
        """(owners,) sums of (p,) values."""
        return Exact.by(self.owner, values, self.clusters.owners)

    @property
    def board(self) -> Index:
        """(p,) the boards of the clusters."""
        return self.clusters.board if self.places is None else self.clusters.board[self.places]


@dataclass(frozen=True, slots=True, eq=False)
class Part:
    """What was scored at those chances.

    value : (p,) the sum in each cluster
    sums : of the clusters of each owner
    """

    chances: Chances
    value: Floats
    sums: PartSums

    @classmethod
    def of(cls, chances: Chances, values: Floats, boards: Chances | None = None) -> Part:
        """Gather the values, one for each chance.

        boards : the chances at all scores, if averages over them are wanted
        """
        clusters = chances.clusters
        if clusters.of_line is not None:
            index = clusters.of_line if chances.lines is None else clusters.of_line[chances.lines]
            values = sum_by(index, values, len(clusters.owner))[chances.places]
        total, squares, fourth = Exact.moments(chances.owner, values, clusters.owners)
        with_weight = with_boards = None
        if chances.weight is not None:
            with_weight = chances.sums(values * chances.weight)
        if boards is not None and boards.weight is not None:
            weight = np.zeros(len(clusters.owner))
            weight[boards.places] = boards.weight
            with_boards = chances.sums(values * weight[chances.places])
        sums = PartSums(chances.counts, total, squares, fourth, with_weight, with_boards)
        return cls(chances, values, sums)

    @property
    def total(self) -> Floats:
        """(owners,) what each scored in all."""
        return self.sums.total.value

    def between(self, occasion: Index, group: Index) -> float:
        """The variance of what the owners of a group are worth a chance, by products over different occasions.

        Parameters
        ----------
        occasion : (boards,) the round of each board; what happens in one round may depend on who the opponents are
        group : (owners,) whom each is compared with, -1 for those who are left out

        Notes
        -----
        The sum over owners of S S' for all pairs of different rounds, S being the deviations of a round from the
        average of the group, over the sum of n n', the chances. It is what the averages of two halves of the rounds
        have in common, over all ways to divide them. The average of a group of m takes away as much as one of them has.
        """
        chances = self.chances
        weight = np.ones(len(self.value)) if chances.weight is None else chances.weight
        of_group = group[chances.owner]
        groups = int(group.max(initial=-1)) + 1
        here = of_group >= 0
        count = sum_by(of_group[here], weight[here], groups)
        average = sum_by(of_group[here], self.value[here], groups) / np.maximum(count, 1)
        deviation = (self.value - np.append(average, 0)[of_group] * weight)[here]
        shape = (chances.clusters.owners, int(occasion.max(initial=0)) + 1)
        keys, places = number_keys(keys_of((chances.owner[here], occasion[chances.board[here]]), shape))
        owner = split_keys(keys, shape)[0]
        scores, weights = sum_by(places, deviation), sum_by(places, weight[here])
        products, common = (
            float((sum_by(owner, each, shape[0]) ** 2).sum() - each @ each) for each in (scores, weights)
        )
        if not common > 0:
            return float("nan")
        owners = distinct_keys(owner)
        members = len(owners) / len(distinct_keys(group[owners]))
        if members < 2:
            return float("nan")
        lost = self.sums.spread().variance / (float(weights.sum()) / len(owners)) / members
        return (products / common + lost) * members / (members - 1)

    def deviations(self, places: Index | slice = slice(None)) -> Floats:
        """Of each cluster from its owner's average; (p,) of all, or of those at some places."""
        chances = self.chances
        average = (self.total / np.maximum(chances.counts.count, 1))[chances.owner[places]]
        return self.value[places] - (average if chances.weight is None else average * chances.weight[places])

    def correlations(self, rows: Index) -> Floats:
        """(k, k) how the averages of these owners go together, because they have boards in common.

        Notes
        -----
        The sum of products of deviations on common boards, over the root of the sums of squares, times n / (n + 6)
        for n common boards: few boards show little, and it is safer to take those for independent.
        """
        chances = self.chances
        number = np.full(chances.clusters.owners, -1)
        number[rows] = np.arange(len(rows))
        row = number[chances.owner]
        here = np.flatnonzero(row >= 0)
        row, boards = row[here], number_keys(chances.board[here])[1]
        scored = np.zeros((len(rows), int(boards.max(initial=-1)) + 1))
        scored[row, boards] = self.deviations(here)
        there = np.zeros(scored.shape, dtype=np.float32)  # counts of boards are exact in it
        there[row, boards] = 1
        products, common = scored @ scored.T, (there @ there.T).astype(np.float64)
        size = np.sqrt(np.diag(products))
        found = np.divide(products, np.outer(size, size), out=np.zeros_like(products), where=np.outer(size, size) > 0)
        return np.asarray(found * common / (common + DRAWN))

    def covariance(self, other: Part) -> Floats:
        """(owners,) of the averages of two parts of the game, from the boards with chances in both, over all owners."""
        both = []
        for part in (self, other):
            table = np.zeros((2, len(part.chances.clusters.owner)))
            places = slice(None) if part.chances.places is None else part.chances.places
            table[0, places] = part.deviations()
            table[1, places] = 1 if part.chances.weight is None else part.chances.weight
            both.append(table)
        products, weights = both[0] * both[1]
        owner, owners = self.chances.clusters.owner, self.chances.clusters.owners
        weight, size = (sum_by(owner, each, owners) for each in (weights, np.sign(weights)))
        freedom = float((weight * (1 - 1 / np.maximum(size, 1))).sum())
        pooled = float(products.sum()) / freedom if freedom else 0.0
        with np.errstate(divide="ignore", invalid="ignore"):
            return np.asarray(pooled * weight / (self.chances.counts.count * other.chances.counts.count))
