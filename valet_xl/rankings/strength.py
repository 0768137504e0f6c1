"""The strengths of all pairs solved together: what each would score a board against average opponents."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from valet_xl.engine.arrays import Floats, Index, count_by
from valet_xl.engine.normal import Z_95
from valet_xl.engine.options import Options
from valet_xl.engine.results import Results
from valet_xl.engine.score_results import neuberg_factors, split
from valet_xl.engine.valet import Components
from valet_xl.errors import one_of
from valet_xl.messages import counted
from valet_xl.rankings.partnerships import Partnerships, partnerships
from valet_xl.rankings.strength_sums import Passes, StrengthSums, Tables, Whole

PARTS = ("overall", "bid", "play")

DENSE = 500  # pairs up to which the equations are written out, and the variance of strengths is integrated over
MOST_CELLS = 1 << 25  # of boards by pairs for which that is done
MOST_SPREAD = 2.0  # the standard deviation of strengths at most, in those of a board's result
DRAWS = 4_000  # of all strengths together, from which the order is seen

_COARSE, _FINE, _DEEP = 400, 64, 12.0  # points of the two grids, and logarithms below the highest that still count
_PROBES, _SEED = 24, 1  # random signs, from which row norms of the equations are estimated
_AT_ONCE = 50  # draws of many pairs
_ROUNDS = 6  # of the variances, which settle in three or four


@dataclass(frozen=True, slots=True, eq=False)
class Strengths:
    """The strengths of pairs, (m,) in the order in which they first appear, in the unit of their scores.

    names : what each is called
    strength : a board, above the average of all pairs
    error, low, high : its standard error, and the 95 % interval; NaN where all results are alike
    boards : how many each played
    between, within : the standard deviation of strengths, and that of a board's result about what the strengths predict

    `order` says how sure the order is.
    """

    names: NDArray[np.object_]
    strength: Floats
    error: Floats
    low: Floats
    high: Floats
    boards: Index
    between: float
    within: float
    _draws: Callable[[], Iterable[Floats]]

    def __repr__(self) -> str:
        return f"<strengths of {counted(len(self.names), 'pair')}>"

    def __len__(self) -> int:
        return len(self.names)

    def order(self, groups: Index | None = None) -> Order:
        """How sure the order of the pairs is, in each of the (m,) groups or among all; of the group -1 there is none.

        It is that of draws of all strengths together, as probable as the results make them; the same each time.
        """
        of = np.zeros(len(self), dtype=np.intp) if groups is None else groups
        members = [np.flatnonzero(of == group) for group in np.unique(of[of >= 0])]
        drawn = []
        for draws in self._draws():
            ranks = np.zeros(draws.shape, dtype=np.min_scalar_type(len(self)))
            for rows in members:
                ranks[rows] = 1 + np.argsort(np.argsort(-draws[rows], axis=0), axis=0)
            drawn.append(ranks)
        places = np.concatenate(drawn, axis=1)
        best = np.mean(places == 1, axis=1)
        ends = [math.ceil(share * places.shape[1]) - 1 for share in (0.025, 0.975)]
        places.partition(ends, axis=1)
        low, high, best = (np.where(of >= 0, each, np.nan) for each in (*places[:, ends].T, best))
        known = ~np.isnan(self.error)
        return Order(*(np.where(known, each, np.nan) for each in (low, high, best)))


@dataclass(frozen=True, slots=True, eq=False)
class Order:
    """How sure an order is, (m,) each; NaN where all results are alike.

    low, high : the places between which a pair is with a probability of 95 %
    best : how probable it is that nobody is better
    """

    low: Floats
    high: Floats
    best: Floats


def strengths(
    results: Results,
    options: Options | None = None,
    *,
    part: str = "overall",
    labels: str = "auto",
    parts: Components | None = None,
    who: Partnerships | None = None,
) -> Strengths:
    """Solve for the strengths of all pairs together, so that it counts whom a pair met and with whom it was compared.

    Parameters
    ----------
    results : the tournament
    options : how to score; a strength is in IMPs, or at matchpoints from -1 to 1
    part : "overall", "bid" or "play" (as declarer and in defence)
    labels : what a side's label means, as `partnerships` takes it
    parts, who : the parts of each result, and who played it, where they are known already

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

    Up to DENSE pairs T is integrated over. With the eigenvalues l and eigenvectors of X'MX, and b = X'Mz in these, the
    logarithm of the likelihood of r with V integrated out is that of REML, - sum log(1 + l / r) / 2 - f log(z'Mz - sum
    b^2 / (l + r)) / 2, with f results less boards. It is taken on a grid of t = sqrt(T / V), with a density beforehand
    that is proportional to sqrt(t): flat in t, intervals would be too narrow in large events, and flat in T too wide in
    small ones. So the strengths are a mean over all T, and their errors contain that T is not known.

    With more pairs V and T are those whose expected z'Mz and sum of (X'Mz / (X'MX + r))^2, by diagonal, are what was
    found; T is known well then, but is no less than its own standard error. The variance of s - true s is V times the
    diagonal of (X'MX + r)^-1, by its series in the part off the diagonal; and for T is estimated too, 2 / (m - 3) (r /
    diagonal)^2 s^2 more (C. Morris, 1983). Row norms are means over random signs from a seed, so the same results give
    the same figures.
    """
    one_of("part", part, PARTS)
    options = options or Options()
    who = who or partnerships(results, labels=labels)
    names = np.array(who.pair_names, dtype=object)
    tables, score = tables_of(results, options, who, part=part, parts=parts)
    tables, played = tables.of_those_who_played(len(names))
    return solve(StrengthSums.of(played.tolist(), tables, score), Whole(tables, len(played)), names[played])


def tables_of(
    results: Results,
    options: Options,
    who: Partnerships,
    *,
    part: str = "overall",
    parts: Components | None = None,
) -> tuple[Tables, Floats]:
    """The tables that strengths rest on, and their scores less the mean of the board; parameters as in `strengths`."""
    parts = split(results, options) if parts is None else parts
    row = np.flatnonzero(~np.isnan(parts.overall) & (who.pair >= 0).all(axis=1))
    tables = count_by(results.board[~np.isnan(parts.overall)], len(results.boards))[results.board[row]]
    sign = np.where((results.declarer[row] % 2 == 1) & (results.level[row] > 0), -1.0, 1.0)
    score = sign * (getattr(parts, part) / neuberg_factors(results, options))[row]
    if options.method != "datum":
        score = score * (tables - 1) / tables
    ns, ew = who.pair[row].T
    return Tables.of(ns, ew, results.board[row], score)


def solve(sums: StrengthSums, passes: Passes, names: NDArray[np.object_]) -> Strengths:
    """The strengths of (m,) pairs.

    Parameters
    ----------
    sums : of all tables
    passes : what goes over these tables
    names : what the pairs are called
    """
    solved = Equations(sums, passes).solved()
    return Strengths(
        names=names,
        strength=solved.strength,
        error=solved.error,
        low=solved.strength - Z_95 * solved.error,
        high=solved.strength + Z_95 * solved.error,
        boards=sums.of_pair,
        between=solved.between,
        within=solved.within,
        _draws=solved.draws,
    )


@dataclass(frozen=True, slots=True, eq=False)
class Solved:
    """Strengths and their standard errors, (m,) each, about their mean.

    between, within : standard deviations, as in `Strengths`
    draws : gives draws of all strengths together, as tables of m rows
    """

    strength: Floats
    error: Floats
    between: float
    within: float
    draws: Callable[[], Iterable[Floats]]

    @classmethod
    def none(cls, pairs: int, within: float) -> Solved:
        """Where all results are alike."""
        nothing = np.zeros(pairs)
        return cls(nothing, np.full(pairs, np.nan), 0.0, within, lambda: [nothing[:, None]])


@dataclass(frozen=True, slots=True, eq=False)
class Equations:
    """X'MX s = X'Mz, which only those of few pairs are written out for.

    sums : X'Mz and what else is added up once
    passes : what goes over the tables, once for each step
    """

    sums: StrengthSums
    passes: Passes

    @classmethod
    def of(cls, ns: Index, ew: Index, board: Index, score: Floats, pairs: int) -> Equations:
        """The equations of (n,) scores z, each with its two pairs of `pairs`, and its board."""
        tables, centred = Tables.of(ns, ew, board, score)
        return cls(StrengthSums.of(range(pairs), tables, centred), Whole(tables, pairs))

    @property
    def _freedom(self) -> int:
        return self.sums.results - self.sums.boards

    def solved(self) -> Solved:
        """Strengths, by the way that is right for so many pairs."""
        pairs = len(self.sums.right)
        if self._freedom < 1 or not self.sums.squares > 0:
            return Solved.none(pairs, 0.0)
        written_out = pairs <= DENSE and pairs * self.sums.boards <= MOST_CELLS
        return self._integrated() if written_out else self._approximated()

    def _integrated(self) -> Solved:
        """Strengths over all the variances that may be."""
        freedom, squares = self._freedom, self.sums.squares
        values, vectors = np.linalg.eigh(self.passes.written_out())
        values[values < 1e-9 * values.max(initial=1)] = 0
        along = np.where(values > 0, vectors.T @ self.sums.right, 0)

        def of(spreads: Floats) -> tuple[Floats, Floats]:
            """For (k,) ratios sqrt(T / V) the logarithms of their likelihood, and what is left of z'Mz."""
            ratios = spreads[:, None] ** 2
            rest = squares - (along**2 * ratios / (1 + values * ratios)).sum(axis=1)
            rest = np.maximum(rest, 1e-12 * squares)
            return -np.log1p(values * ratios).sum(axis=1) / 2 - freedom * np.log(rest) / 2, rest

        step = MOST_SPREAD / _COARSE
        coarse = np.linspace(0, MOST_SPREAD, 2 * _COARSE + 1)[1::2]
        likely, _ = of(coarse)
        kept = coarse[likely > likely.max() - _DEEP]
        low, high = max(kept[0] - step, 0.0), kept[-1] + step
        spreads = np.linspace(low, high, 2 * _FINE + 1)[1::2]
        likely, rest = of(spreads)
        weight = np.exp(likely - likely.max()) * np.sqrt(spreads)
        weight /= weight.sum()
        share = 1 / (values + spreads[:, None] ** -2)  # (k, m)
        noise = rest / max(freedom - 2, 1)
        centred = vectors - vectors.mean(axis=0)
        means = centred @ (along[:, None] * share.T)
        strength = means @ weight
        variance = (centred**2 @ share.T * noise + (means - strength[:, None]) ** 2) @ weight

        def draws() -> Iterator[Floats]:
            rng = np.random.default_rng(_SEED)
            at = rng.choice(_FINE, DRAWS, p=weight)
            noises = rest[at] / rng.chisquare(freedom, DRAWS)
            shares = share[at].T
            normal = rng.standard_normal(shares.shape)
            yield np.asarray(centred @ (along[:, None] * shares + np.sqrt(noises * shares) * normal))

        between = float(np.sqrt((noise * spreads**2) @ weight))
        return Solved(strength, np.sqrt(variance), between, float(np.sqrt(noise @ weight)), draws)

    def _approximated(self) -> Solved:
        """Strengths with the variance that is most likely."""
        between, within = self._variances()
        pairs = len(self.sums.right)
        if not between > 0:
            return Solved.none(pairs, float(np.sqrt(within)))
        ridge = within / between
        strength = self.solution(ridge)
        variance = within * self._inverse_diagonal(ridge)
        drawn = ridge / np.maximum(self.sums.diagonal, 1e-9) * strength  # how far each was drawn to the mean
        error = np.sqrt(variance + 2 / max(pairs - 3, 1) * drawn**2)
        strength = strength - strength.mean()

        def draws() -> Iterator[Floats]:
            """As if the errors of many pairs did not depend on each other."""
            rng = np.random.default_rng(_SEED)
            for _ in range(0, DRAWS // 4, _AT_ONCE):
                yield np.asarray(strength[:, None] + error[:, None] * rng.standard_normal((pairs, _AT_ONCE)))

        return Solved(strength, error, float(np.sqrt(between)), float(np.sqrt(within)), draws)

    def _probes(self) -> Floats:
        """(m, probes) random signs."""
        rng = np.random.default_rng(_SEED)
        return np.stack([rng.choice((-1.0, 1.0), len(self.sums.right)) for _ in range(_PROBES)], axis=1)

    def _variances(self) -> tuple[float, float]:
        """T and V; T at least its own standard error where pairs are alike, V m / sum of the diagonal x sqrt(2 / m)."""
        freedom, squares = self._freedom, self.sums.squares
        right, diagonal = self.sums.right, self.sums.diagonal
        norms = np.mean(self.passes.times(self._probes()) ** 2, axis=1)
        ridge, between, within = 100.0, 0.0, squares / freedom
        for _ in range(_ROUNDS):
            weight = 1 / (diagonal + ridge) ** 2
            matrix = np.array([[diagonal.sum(), freedom], [weight @ norms, weight @ diagonal]])
            found = np.array([squares, weight @ right**2])
            between, within = np.linalg.solve(matrix, found).tolist()
            if not 0 < within < squares:
                within = squares / freedom
            between = max(between, within * np.sqrt(2 * len(right)) / diagonal.sum())
            ridge = within / between if between > 0 else 1.0
        return between, within

    def solution(self, ridge: float) -> Floats:
        """Strengths, by conjugate gradients with the diagonal as preconditioner."""
        scale = 1 / (self.sums.diagonal + ridge)
        strength = np.zeros(len(scale))
        rest = self.sums.right.copy()
        step = scale * rest
        size = rest @ step
        enough = 1e-18 * size
        for _ in range(len(scale) + 10):
            if size <= enough:
                break
            moved = self.passes.times(step[:, None])[:, 0] + ridge * step
            along = size / (step @ moved)
            strength += along * step
            rest -= along * moved
            size, before = rest @ (scale * rest), size
            step = scale * rest + size / before * step
        return strength

    def _inverse_diagonal(self, ridge: float) -> Floats:
        """The diagonal of (X'MX + r)^-1 by the first seven terms of its series."""
        diagonal = self.sums.diagonal[:, None]
        root = np.sqrt(1 / (diagonal + ridge))
        powers = [self._probes()]
        for _ in range(3):
            last = root * powers[-1]
            powers.append(root * (self.passes.times(last) - diagonal * last))
        _, first, second, third = powers
        terms = (first * first, first * second, second * second, second * third, third * third)
        s2, s3, s4, s5, s6 = (term.mean(axis=1) for term in terms)
        return np.asarray(root[:, 0] ** 2 * (1 + s2 - s3 + s4 - s5 + s6))
