"""Strengths: against the equations written out, and on simulated tournaments in which they are known."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from valet_xl.engine.options import Options
from valet_xl.engine.results import Results
from valet_xl.engine.valet import valet
from valet_xl.rankings import strength
from valet_xl.rankings.simulate import Tournament, simulate
from valet_xl.rankings.strength import Strengths, strengths
from valet_xl.rankings.totals import totals
from valet_xl.reading.rows import read_rows


def in_order(solved: Strengths, event: Tournament) -> np.ndarray:
    names = solved.names.tolist()
    return np.array([names.index(" - ".join(pair)) for pair in event.names])


def score_space(results: Results) -> np.ndarray:
    """M, which takes out the means of boards."""
    same = results.board[:, None] == results.board
    return np.eye(len(results)) - same / same.sum(axis=1)


def design(results: Results, solved: Strengths) -> tuple[np.ndarray, np.ndarray]:
    """MX and Mz by their definition, with pairs in the order of `solved`."""
    parts = valet(results)
    names = solved.names.tolist()
    signs = np.zeros((len(results), len(names)))
    score = np.zeros(len(results))
    for at in range(len(results)):
        for side, sign in ((0, 1), (1, -1)):
            signs[at, names.index(results.names[results.sides[at, side]])] = sign
        declared_by_ew = results.level[at] > 0 and results.declarer[at] % 2 == 1
        tables = np.count_nonzero(results.board == results.board[at])
        score[at] = (-1 if declared_by_ew else 1) * parts.overall[at] * (tables - 1) / tables
    for board in range(len(results.boards)):
        here = results.board == board
        signs[here] -= signs[here].mean(axis=0)
    return signs, score


def written_out(results: Results, solved: Strengths) -> tuple[np.ndarray, np.ndarray]:
    """X'MX + r and X'Mz."""
    signs, score = design(results, solved)
    ridge = (solved.within / solved.between) ** 2
    return signs.T @ signs + ridge * np.eye(len(solved)), signs.T @ score


@pytest.mark.parametrize("movement", ["mitchell", "round-robin"])
def test_strengths_of_many_pairs_solve_the_equations(movement: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(strength, "DENSE", 0)
    event = simulate(pairs=12, rounds=11, boards=4, movement=movement, seed=1, bid=0.5)
    solved = strengths(event.results)
    matrix, right = written_out(event.results, solved)
    expected = np.linalg.solve(matrix, right)
    assert solved.strength == pytest.approx(expected - expected.mean(), abs=1e-7)
    ridge = (solved.within / solved.between) ** 2
    drawn = ridge / (np.diag(matrix) - ridge) * expected
    error = np.sqrt(solved.within**2 * np.diag(np.linalg.inv(matrix)) + 2 / 9 * drawn**2)
    assert solved.error == pytest.approx(error, rel=0.03)
    assert (solved.high - solved.low) / solved.error == pytest.approx(np.full(12, 2 * 1.959964))


@pytest.mark.parametrize("movement", ["mitchell", "round-robin"])
def test_strengths_are_integrated_over_their_variance(movement: str) -> None:
    """Against quadrature over the density of all scores, whose covariance matrix is written out."""
    event = simulate(pairs=8, rounds=7, boards=2, movement=movement, seed=1, bid=1)
    solved = strengths(event.results)
    signs, score = design(event.results, solved)
    basis = np.linalg.svd(score_space(event.results))[0][:, : len(score) - len(event.results.boards)]
    seen, known = basis.T @ score, basis.T @ signs
    freedom, pairs = len(seen), len(solved)

    def at(spread: float) -> tuple[float, np.ndarray, np.ndarray, float]:
        """The logarithm of the density, strengths and their covariance given sqrt(T / V), and V."""
        covariance = np.eye(freedom) + spread**2 * known @ known.T
        rest = seen @ np.linalg.solve(covariance, seen)
        density = -np.linalg.slogdet(covariance)[1] / 2 - freedom / 2 * np.log(rest) + np.log(spread) / 2
        gain = spread**2 * known.T @ np.linalg.inv(covariance)
        centre = np.eye(pairs) - 1 / pairs
        left = centre @ (spread**2 * (np.eye(pairs) - gain @ known)) @ centre
        noise = rest / (freedom - 2)
        return density, centre @ gain @ seen, np.diag(left) * noise, noise

    points = np.linspace(1e-4, 2, 3000)
    found = [at(point) for point in points]
    weights = np.exp([each[0] - max(one[0] for one in found) for each in found])
    weights /= weights.sum()
    mean = sum(weight * each[1] for weight, each in zip(weights, found, strict=True))
    variance = sum(weight * (each[2] + (each[1] - mean) ** 2) for weight, each in zip(weights, found, strict=True))
    assert solved.strength == pytest.approx(mean, rel=0.01, abs=1e-3)
    assert solved.error == pytest.approx(np.sqrt(variance), rel=0.01)
    assert solved.between**2 == pytest.approx(
        sum(w * each[3] * point**2 for w, each, point in zip(weights, found, points, strict=True)), rel=0.02
    )


def test_both_ways_agree_where_much_is_known(monkeypatch: pytest.MonkeyPatch) -> None:
    event = simulate(pairs=40, rounds=39, boards=6, movement="round-robin", seed=2, bid=1)
    integrated = strengths(event.results)
    monkeypatch.setattr(strength, "DENSE", 0)
    approximated = strengths(event.results)
    assert integrated.strength == pytest.approx(approximated.strength, abs=0.02)
    assert integrated.error == pytest.approx(approximated.error, rel=0.1)
    for each in (integrated, approximated):
        order = each.order()
        assert order.best.sum() == pytest.approx(1)
        assert (order.low <= order.high).all()
    assert integrated.order().best == pytest.approx(approximated.order().best, abs=0.05)


def test_how_sure_the_order_is() -> None:
    """Two groups: each has a best one, and places of its own; who is in neither has none; the same each time."""
    solved = strengths(simulate(pairs=12, rounds=6, boards=4, seed=1, bid=1).results)
    groups = np.array([0, 1] * 6)
    groups[3] = -1
    order, again = solved.order(groups), solved.order(groups)
    assert order.best.tolist() == pytest.approx(again.best.tolist(), nan_ok=True)
    assert np.isnan(order.best[3]) and np.isnan(order.low[3])
    for group, size in ((0, 6), (1, 5)):
        of = groups == group
        assert order.best[of].sum() == pytest.approx(1)
        assert order.low[of].min() == 1 and order.high[of].max() == size
        first = np.argmax(solved.strength[of])
        assert order.best[of][first] == order.best[of].max()


@pytest.mark.slow
def test_the_places_of_equal_pairs_are_uncertain_and_those_of_unequal_ones_are_not() -> None:
    equal = strengths(
        simulate(pairs=12, rounds=11, boards=2, movement="round-robin", bid=0, play=0, lead=0, defence=0).results
    )
    assert (equal.order().best < 0.5).all()
    unequal = simulate(pairs=12, rounds=11, boards=40, movement="round-robin", bid=3, seed=4)
    solved = strengths(unequal.results)
    true = np.empty(12)
    true[in_order(solved, unequal)] = 1 + np.argsort(np.argsort(-unequal.overall))
    order = solved.order()
    assert np.mean((order.low <= true) & (true <= order.high)) >= 10 / 12
    assert np.mean(order.high - order.low) < 6 < np.mean(equal.order().high - equal.order().low)


def test_strengths_are_nearer_the_truth_than_averages_and_their_intervals_contain_it() -> None:
    """Short Mitchells, where it matters whom a pair met: five tournaments of 32 pairs, 160 intervals."""
    errors: dict[str, list[float]] = {"solved": [], "raw": []}
    ranks: dict[str, list[float]] = {"solved": [], "raw": []}
    inside = []
    for seed in range(5):
        event = simulate(pairs=32, rounds=8, boards=12, seed=seed, bid=0.5)
        truth = event.overall - event.overall.mean()
        solved = strengths(event.results)
        order = in_order(solved, event)
        raw = totals(event.results).pairs
        rows = [raw.row(" - ".join(pair)) for pair in event.names]
        for name, found in (("solved", solved.strength[order]), ("raw", raw["overall"].average[rows])):
            errors[name].append(float(np.sqrt(np.mean((found - truth) ** 2))))
            ranks[name].append(float(np.corrcoef(np.argsort(np.argsort(found)), np.argsort(np.argsort(truth)))[0, 1]))
        inside.extend((solved.low[order] <= truth) & (truth <= solved.high[order]))
    assert np.mean(errors["solved"]) < 0.9 * np.mean(errors["raw"])
    assert np.mean(ranks["solved"]) > 0.4
    assert np.mean(ranks["solved"]) > np.mean(ranks["raw"]) - 0.02
    assert 0.88 <= np.mean(inside) <= 1


def test_the_spread_of_strengths_is_found() -> None:
    found = [strengths(simulate(pairs=40, rounds=20, boards=6, seed=seed, bid=0.4).results) for seed in range(3)]
    planted = [simulate(pairs=40, rounds=20, boards=6, seed=seed, bid=0.4).overall.std() for seed in range(3)]
    assert np.mean([each.between for each in found]) == pytest.approx(np.mean(planted), rel=0.25)
    assert 3 < found[0].within < 7


def test_equal_pairs_are_drawn_to_the_mean() -> None:
    event = simulate(pairs=16, rounds=7, boards=4, bid=0, play=0, lead=0, defence=0, seed=2)
    solved = strengths(event.results)
    raw = totals(event.results).pairs["overall"].average
    assert np.std(solved.strength) < 0.6 * np.std(raw)


def test_where_all_results_are_alike_there_are_no_strengths() -> None:
    rows = {"board": [1, 1, 2, 2], "ns": "abab", "ew": "cdcd", "contract": ["4SN"] * 4, "tricks": [10] * 4}
    solved = strengths(read_rows(rows, range(4)))
    assert solved.names.tolist() == ["a", "c", "b", "d"]
    assert solved.strength.tolist() == [0, 0, 0, 0]
    assert np.isnan(solved.error).all()
    assert solved.between == 0


def test_no_results_have_no_strengths() -> None:
    solved = strengths(read_rows({"board": [1], "ns": ["a"], "ew": ["b"], "contract": ["NP"]}, [2]))
    assert len(solved) == 0


def test_bidding_and_play_have_strengths_of_their_own() -> None:
    event = simulate(pairs=24, rounds=23, boards=8, movement="round-robin", bid=1, play=0, lead=0, defence=0, seed=3)
    bid, play = (strengths(event.results, part=part) for part in ("bid", "play"))
    order = in_order(bid, event)
    assert np.corrcoef(bid.strength[order], event.bid)[0, 1] > 0.9
    assert play.between < 0.3 * bid.between


@pytest.mark.parametrize("method", ["iaf", "datum", "matchpoints"])
def test_every_method_ranks_alike(method: str) -> None:
    event = simulate(pairs=16, rounds=15, boards=10, movement="round-robin", bid=1, seed=4)
    solved = strengths(event.results, Options(method=method))
    assert np.corrcoef(solved.strength[in_order(solved, event)], event.overall)[0, 1] > 0.8


def test_the_same_results_give_the_same_figures_and_turned_tables_too() -> None:
    event = simulate(pairs=12, rounds=6, boards=4, seed=5, bid=1)
    one, again = strengths(event.results), strengths(event.results)
    assert one.strength.tolist() == again.strength.tolist()
    assert one.error.tolist() == again.error.tolist()
    results = event.results  # all tables turned a quarter, and with them the scores
    turned = replace(
        results,
        players=results.players[:, [3, 0, 1, 2]],
        sides=results.sides[:, ::-1],
        score=-results.score,
        declarer=np.where(results.level > 0, (results.declarer + 1) % 4, 0).astype(np.int8),
        vulnerability=np.where(
            results.level > 0, results.vulnerability % 2 * 2 + results.vulnerability // 2, -1
        ).astype(np.int8),
    )
    other = strengths(turned)
    order = [other.names.tolist().index(name) for name in one.names]
    assert other.strength[order] == pytest.approx(one.strength, abs=1e-6)


def test_an_unknown_part_is_refused() -> None:
    with pytest.raises(ValueError, match="part must be one of overall, bid, play, got 'lead'"):
        strengths(simulate(pairs=4, rounds=1).results, part="lead")
