"""The strengths of all pairs solved together: what each would score a board against average opponents."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from valet_xl.engine.arrays import Floats, Index, count_by, sum_by
from valet_xl.engine.normal import Z_95
from valet_xl.engine.options import Options
from valet_xl.engine.results import Results
from valet_xl.engine.score_results import neuberg_factors, split
from valet_xl.engine.valet import Components
from valet_xl.errors import one_of
from valet_xl.rankings.partnerships import partnerships

PARTS = ("overall", "bid", "play")

_PROBES, _SEED = 24, 1  # random signs, from which row norms of the equations are estimated
_ROUNDS = 6  # of the variances, which settle in three or four


@dataclass(frozen=True, slots=True, eq=False)
class Strengths:
    """The strengths of pairs, (m,) in the order in which they first appear, in the unit of their scores.

    names : what each is called
    strength : a board, above the average of all pairs
    error, low, high : its standard error, and the 95 % interval; NaN where all results are alike
    boards : how many each played
    between, within : the standard deviation of strengths, and that of a board's result about what the strengths predict
    """

    names: NDArray[np.object_]
    strength: Floats
    error: Floats
    low: Floats
    high: Floats
    boards: Index
    between: float
    within: float

    def __len__(self) -> int:
        return len(self.names)


def strengths(
    results: Results,
    options: Options | None = None,
    *,
    part: str = "overall",
    labels: str = "auto",
    parts: Components | None = None,
) -> Strengths:
    """Solve for the strengths of all pairs together, so that it counts whom a pair met and with whom it was compared.

    Parameters
    ----------
    results : the tournament
    options : how to score; a strength is in IMPs, or at matchpoints from -1 to 1
    part : "overall", "bid" or "play" (as declarer and in defence)
    labels : what a side's label means, as `partnerships` takes it
    parts : the parts of each result, where they are known already

    Returns
    -------
    the strengths

    Raises
    ------
    OptionError : for an unknown option

    Notes
    -----
    The model is z = a + s(NS) - s(EW) + e for each result: a is the board's, strengths s are of variance T and noise e
    is of variance V. A cross-IMP score is z less the mean of the others' z, n / (n - 1) times z less the mean of the n;
    a Butler score is z less that mean. So scores, divided by that factor, are z with the board's mean taken out, and
    the a's, with nothing known of them, take nothing more away. With X the signs of the pairs at each result and M what
    takes out board means, s = (X'MX + r)^-1 X'Mz, r = V / T: a ridge, by which pairs with few boards are drawn to the
    mean. It is solved by conjugate gradients. With the T and V of a fit by REML it gives the predictions of that mixed
    model.

    V and T are those whose expected z'Mz and sum of (X'Mz / (X'MX + r))^2, by diagonal, are what was found; but T is no
    less than its own standard error, for a T of 0 would make all pairs alike for certain. The variance of s - true s is
    V times the diagonal of (X'MX + r)^-1, by its series in the part off the diagonal; and for T is estimated too, 2 /
    (m - 3) (r / diagonal)^2 s^2 more (C. Morris, 1983). Row norms are means over random signs from a seed, so the same
    results give the same figures.
    """
    one_of("part", part, PARTS)
    options = options or Options()
    parts = split(results, options) if parts is None else parts
    who = partnerships(results, labels=labels)
    row = np.flatnonzero(~np.isnan(parts.overall) & (who.pair >= 0).all(axis=1))
    tables = count_by(results.board[~np.isnan(parts.overall)], len(results.boards))[results.board[row]]
    sign = np.where((results.declarer[row] % 2 == 1) & (results.level[row] > 0), -1.0, 1.0)
    score = sign * (getattr(parts, part) / neuberg_factors(results, options))[row]
    if options.method != "datum":
        score = score * (tables - 1) / tables
    ns, ew = who.pair[row].T
    boards = count_by(np.concatenate([ns, ew]), len(who.pair_names))
    played = boards > 0
    number = np.cumsum(played) - 1
    equations = Equations.of(number[ns], number[ew], results.board[row], score, int(np.count_nonzero(played)))
    strength, error, between, within = equations.solved()
    return Strengths(
        names=np.array(who.pair_names, dtype=object)[played],
        strength=strength,
        error=error,
        low=strength - Z_95 * error,
        high=strength + Z_95 * error,
        boards=boards[played],
        between=between,
        within=within,
    )


@dataclass(frozen=True, slots=True, eq=False)
class Equations:
    """X'MX s = X'Mz, never written out.

    ns, ew, board : (n,) the two pairs of each result, and its board, from 0
    results : (boards,) how many each has
    right, diagonal : (m,) X'Mz, and the diagonal of X'MX
    squares : z'Mz
    """

    ns: Index
    ew: Index
    board: Index
    results: Floats
    right: Floats
    diagonal: Floats
    squares: float

    @classmethod
    def of(cls, ns: Index, ew: Index, board: Index, score: Floats, pairs: int) -> Equations:
        """The equations of (n,) scores z, each with its two pairs of `pairs`, and its board."""
        board = np.unique(board, return_inverse=True)[1]
        results = count_by(board).astype(np.float64)
        score = score - (sum_by(board, score) / results)[board]
        right = np.asarray(sum_by(ns, score, pairs) - sum_by(ew, score, pairs), dtype=np.float64)
        share = 1 - 1 / results[board]
        diagonal = np.asarray(sum_by(ns, share, pairs) + sum_by(ew, share, pairs), dtype=np.float64)
        return cls(ns, ew, board, results, right, diagonal, float(score @ score))

    def times(self, strength: Floats) -> Floats:
        """X'MX s."""
        expected = strength[self.ns] - strength[self.ew]
        expected -= (sum_by(self.board, expected) / self.results)[self.board]
        pairs = len(self.right)
        return np.asarray(sum_by(self.ns, expected, pairs) - sum_by(self.ew, expected, pairs))

    def solved(self) -> tuple[Floats, Floats, float, float]:
        """Strengths, their standard errors, and the standard deviations between pairs and within."""
        between, within = self._variances()
        if not between > 0:
            return np.zeros(len(self.right)), np.full(len(self.right), np.nan), 0.0, float(np.sqrt(within))
        ridge = within / between
        strength = self.solution(ridge)
        variance = within * self._inverse_diagonal(ridge)
        drawn = ridge / np.maximum(self.diagonal, 1e-9) * strength  # how far each was drawn to the mean
        error = np.sqrt(variance + 2 / max(len(strength) - 3, 1) * drawn**2)
        return strength - strength.mean(), error, float(np.sqrt(between)), float(np.sqrt(within))

    def _probes(self) -> list[Floats]:
        rng = np.random.default_rng(_SEED)
        return [rng.choice((-1.0, 1.0), len(self.right)) for _ in range(_PROBES)]

    def _variances(self) -> tuple[float, float]:
        """T and V; T at least its own standard error where pairs are alike, V m / sum of the diagonal x sqrt(2 / m)."""
        freedom = len(self.ns) - len(self.results)
        if freedom < 1:
            return 0.0, 0.0
        norms = np.mean([self.times(probe) ** 2 for probe in self._probes()], axis=0)
        ridge, between, within = 100.0, 0.0, self.squares / freedom
        for _ in range(_ROUNDS):
            weight = 1 / (self.diagonal + ridge) ** 2
            matrix = np.array([[self.diagonal.sum(), freedom], [weight @ norms, weight @ self.diagonal]])
            found = np.array([self.squares, weight @ self.right**2])
            between, within = np.linalg.solve(matrix, found).tolist()
            if not 0 < within < self.squares:
                within = self.squares / freedom
            between = max(between, within * np.sqrt(2 * len(self.right)) / self.diagonal.sum())
            ridge = within / between if between > 0 else 1.0
        return between, within

    def solution(self, ridge: float) -> Floats:
        """Strengths, by conjugate gradients with the diagonal as preconditioner."""
        scale = 1 / (self.diagonal + ridge)
        strength = np.zeros(len(self.right))
        rest = self.right.copy()
        step = scale * rest
        size = rest @ step
        enough = 1e-18 * size
        for _ in range(len(self.right) + 10):
            if size <= enough:
                break
            moved = self.times(step) + ridge * step
            along = size / (step @ moved)
            strength += along * step
            rest -= along * moved
            size, before = rest @ (scale * rest), size
            step = scale * rest + size / before * step
        return strength

    def _inverse_diagonal(self, ridge: float) -> Floats:
        """The diagonal of (X'MX + r)^-1 by the first seven terms of its series."""
        root = np.sqrt(1 / (self.diagonal + ridge))
        terms = np.zeros((5, len(root)))
        for probe in self._probes():
            powers = [probe]
            for _ in range(3):
                last = root * powers[-1]
                powers.append(root * (self.times(last) - self.diagonal * last))
            _, first, second, third = powers
            terms += (first * first, first * second, second * second, second * third, third * third)
        s2, s3, s4, s5, s6 = terms / _PROBES
        return root**2 * (1 + s2 - s3 + s4 - s5 + s6)
