"""Statistics against libraries of their own: t quantiles, clustered standard errors, and the mixed model of strengths.

Nothing of the product computes what is expected here: scipy and statsmodels do.
"""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats
from statsmodels.api import OLS
from statsmodels.regression.mixed_linear_model import MixedLM, MixedLMParams, VCSpec

from valet_xl.engine.results import Results
from valet_xl.engine.valet import valet
from valet_xl.rankings import strength
from valet_xl.rankings.clusters import Chances, Clusters, Part
from valet_xl.rankings.simulate import Tournament, simulate
from valet_xl.rankings.strength import Equations, Strengths, strengths
from valet_xl.rankings.student_t import t_quantile, t_tail
from valet_xl.rankings.totals import totals

FREEDOM = np.array([1, 1.5, 2, 3, 5.7, 10, 20, 39, 39.9, 40, 41, 60, 120, 1000, 1e6])

# -- Student's t


def test_t_quantiles_are_scipys() -> None:
    """To eight figures: the bisection of few degrees and the series of many meet at 40."""
    assert t_quantile(FREEDOM) == pytest.approx(stats.t.ppf(0.975, FREEDOM), rel=1e-8)


def test_tails_of_t_are_scipys() -> None:
    t = np.linspace(0, 30, 61)[:, None]
    assert t_tail(t, FREEDOM) == pytest.approx(2 * stats.t.sf(t, FREEDOM), rel=1e-7, abs=1e-12)


# -- standard errors clustered by board
#
# The oracle is ordinary least squares with clusters. Its small-sample correction is C / (C - 1) x (n - 1) / (n - k) for
# C clusters, n scores and k coefficients. On an intercept alone k is 1, and C / (C - 1) is left: exactly ours.


def scores_in_clusters(seed: int, owners: int = 1, boards: int = 15, scores: int = 60) -> tuple[np.ndarray, ...]:
    """Owner, board and score; an owner has several scores on some boards and none on others."""
    rng = np.random.default_rng(seed)
    owner, board = rng.integers(owners, size=scores), rng.integers(boards, size=scores)
    return owner, board, rng.normal(size=scores) + rng.normal(size=boards)[board] + owner


def clustered(score: np.ndarray, board: np.ndarray, regressors: np.ndarray | None = None, **how: bool) -> object:
    regressors = np.ones(len(score)) if regressors is None else regressors
    return OLS(score, regressors).fit(cov_type="cluster", cov_kwds={"groups": board, **how}, use_t=True)


@pytest.mark.parametrize("seed", range(5))
def test_averages_and_their_errors_are_those_of_an_intercept_with_clusters(seed: int) -> None:
    """Of one owner, whose deviation is that of all."""
    owner, board, score = scores_in_clusters(seed)
    average, error = Part.of(Chances.of(Clusters.of(owner, board, 1, 15)), score).sums.average()
    fit = clustered(score, board)
    assert (average[0], error[0]) == pytest.approx((fit.params[0], fit.bse[0]), rel=1e-10)


@pytest.mark.parametrize("seed", range(5))
def test_the_error_over_all_boards_is_that_of_scores_which_are_0_without_a_chance(seed: int) -> None:
    """Boards with several scores of one player have the weight of all of them, also where few were chances."""
    owner, board, score = scores_in_clusters(seed)
    chance = np.flatnonzero(np.random.default_rng(seed).random(len(score)) < 0.3)
    clusters = Clusters.of(owner, board, 1, 15)
    boards = Chances.of(clusters)
    average, error = Part.of(Chances.of(clusters, chance), score[chance], boards).sums.average_over(boards.counts)
    with_zeros = np.zeros(len(score))
    with_zeros[chance] = score[chance]
    fit = clustered(with_zeros, board)
    assert (average[0], error[0]) == pytest.approx((fit.params[0], fit.bse[0]), rel=1e-10)


@pytest.mark.parametrize("seed", range(5))
def test_errors_of_several_owners_have_the_deviation_of_all(seed: int) -> None:
    """With one score on a board they are those of least squares on a dummy for each owner, without clusters."""
    rng = np.random.default_rng(seed)
    owner, board = np.nonzero(rng.random((4, 15)) < 0.7)
    score = rng.normal(size=len(owner)) + owner
    average, error = Part.of(Chances.of(Clusters.of(owner, board, 4, 15)), score).sums.average()
    fit = OLS(score, np.eye(4)[owner]).fit()
    assert average == pytest.approx(fit.params, rel=1e-10)
    assert error == pytest.approx(fit.bse, rel=1e-10)


def test_the_table_of_a_tournament_has_those_errors_and_intervals() -> None:
    """Intervals have half of the degrees of freedom of the oracle, and the Cornish-Fisher term of the kurtosis."""
    event = simulate(pairs=8, rounds=5, boards=3, seed=3)
    pairs, parts, results = totals(event.results).pairs, valet(event.results), event.results
    sign = north_south(results)
    score = np.concatenate([sign * parts.overall, -sign * parts.overall])
    names = pairs.names.tolist()
    rows = [names.index(results.names[side]) for side in results.sides.T.ravel().tolist()]
    fit, overall = OLS(score, np.eye(8)[rows]).fit(), pairs["overall"]
    assert overall.average == pytest.approx(fit.params, rel=1e-7, abs=1e-12)
    assert overall.error == pytest.approx(fit.bse, rel=1e-7)
    t = stats.t.ppf(0.975, fit.df_resid / 2)
    spread = pairs._parts["overall"].sums.spread()
    excess = np.minimum(max(stats.kurtosis(score), 0) / pairs.boards + 3 * spread.unlike, 6)
    assert overall.high - overall.average == pytest.approx((t + (t**3 - 3 * t) * excess / 24) * fit.bse, rel=1e-6)


# -- strengths


def north_south(results: Results) -> np.ndarray:
    """1 where the declaring side's scores are North-South's, -1 where they are East-West's."""
    return np.where((results.declarer % 2 == 1) & (results.level > 0), -1.0, 1.0)


def mixed_model(event: Tournament, solved: Strengths) -> tuple[MixedLM, np.ndarray, np.ndarray]:
    """The model of `strengths` as statsmodels has it: a fixed effect a board, a random one a pair; signs and scores."""
    results = event.results
    names = solved.names.tolist()
    signs = np.zeros((len(results), len(names)))
    for side, sign in ((0, 1), (1, -1)):
        signs[np.arange(len(results)), [names.index(results.names[at]) for at in results.sides[:, side]]] = sign
    tables = np.bincount(results.board)[results.board]
    score = north_south(results) * valet(results).overall * (tables - 1) / tables
    boards = np.eye(len(results.boards))[results.board]
    effects = VCSpec(["pair"], [[names]], [[signs]])
    return MixedLM(score, boards, groups=np.zeros(len(results)), exog_vc=effects), signs, score


@pytest.mark.parametrize(
    ("pairs", "movement", "rounds", "seed"),
    [(12, "round-robin", 11, 1), (20, "round-robin", 19, 3), (16, "mitchell", 8, 6)],
)
def test_strengths_are_those_of_a_mixed_model_fitted_by_reml(
    pairs: int, movement: str, rounds: int, seed: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As many pairs have them. With REML's variances our equations give its predictions exactly: it is the same model.

    Our own variances come from two moments and not from REML, so they differ as estimates of the same figures do. T of
    12 to 20 pairs is known to within a third at best (a relative error of sqrt(2 / m)); ours must be within a quarter
    of that from REML's. V rests on hundreds of results, and must agree to 1 %. The strengths then differ by less than
    a tenth of their standard errors.
    """
    monkeypatch.setattr(strength, "DENSE", 0)
    event = simulate(pairs=pairs, rounds=rounds, boards=6, movement=movement, seed=seed, bid=1.5)
    solved = strengths(event.results)
    model, signs, score = mixed_model(event, solved)
    start = MixedLMParams.from_components(np.zeros(model.k_fe), vcomp=np.array([(solved.between / solved.within) ** 2]))
    fit = model.fit(reml=True, start_params=start)
    predicted = np.array(list(fit.random_effects[0]))
    between, within = float(fit.vcomp[0]), float(fit.scale)

    ns, ew = (np.argmax(sign * signs, axis=1) for sign in (1, -1))
    equations = Equations.of(ns, ew, event.results.board, score, pairs)
    assert equations.solution(within / between) == pytest.approx(predicted, abs=1e-6)

    assert solved.between**2 == pytest.approx(between, rel=np.sqrt(2 / pairs) / 4)
    assert solved.within**2 == pytest.approx(within, rel=0.01)
    assert np.abs(solved.strength - (predicted - predicted.mean())).max() < solved.error.min() / 10
