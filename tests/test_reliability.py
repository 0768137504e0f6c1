"""How much of a ranking is skill: against the halves that it is defined by, and on strengths that are known."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

from valet_xl.rankings.ranking import reliabilities
from valet_xl.rankings.simulate import simulate
from valet_xl.rankings.totals import totals


@pytest.mark.parametrize("column", ["overall", "bid", "declarer", "lead"])
def test_it_is_what_all_pairs_of_rounds_have_in_common(column: str) -> None:
    """By loops over the pairs and the rounds of a round robin."""
    event = simulate(pairs=6, rounds=5, boards=4, movement="round-robin", bid=1, seed=3)
    table = totals(event.results).pairs
    part = table._parts[column]
    rounds = np.array([int(of_round) for of_round, _ in event.results.boards])[part.chances.board]
    mean = part.value.mean()
    products = common = 0.0
    for owner in range(6):
        sums = [(part.value - mean)[(part.chances.owner == owner) & (rounds == number)] for number in range(1, 6)]
        for one, other in itertools.permutations(sums, 2):
            products += one.sum() * other.sum()
            common += len(one) * len(other)
    within = part.sums.spread().variance
    expected = (products / common + within / (len(part.value) / 6) / 6) * 6 / 5
    found = table.reliability(column)
    assert found.between == pytest.approx(expected)
    if expected > 0:
        noise = within / np.median(table[column].chances)
        assert found.share == pytest.approx(expected / (expected + noise))
        assert found.boards == pytest.approx(within / expected * table.boards.sum() / table[column].chances.sum())
    else:
        assert (found.share, found.boards) == (0, np.inf)


@pytest.mark.slow
def test_planted_strengths_are_found() -> None:
    """Over ten tournaments of 24 pairs with strengths of half an IMP in bidding, and none in play."""
    found = []
    for seed in range(10):
        skills = {"bid": 0.5, "play": 0.0, "lead": 0.0, "defence": 0.0}
        event = simulate(pairs=24, rounds=23, boards=8, movement="round-robin", seed=seed, **skills)  # type: ignore[arg-type]
        table = totals(event.results).pairs
        planted = event.bid.var(ddof=1) * (24 / 23) ** 2  # a pair does not meet itself
        found.append([table.reliability(column).between / planted for column in ("overall", "bid", "play")])
    overall, bid, play = np.mean(found, axis=0)
    assert 0.75 < overall < 1.15
    assert 0.75 < bid < 1.15
    assert abs(play) < 0.1


def test_boards_are_the_rounds_where_there_is_one() -> None:
    event = simulate(pairs=8, rounds=1, boards=12, seed=1)
    assert np.isfinite(totals(event.results).pairs.reliability().share)


def test_where_nothing_can_be_said() -> None:
    """One board has no rounds to divide; the listing leaves such columns out."""
    made = totals(simulate(pairs=8, rounds=1, boards=1, seed=1).results)
    assert np.isnan(made.pairs.reliability().share)
    assert len(reliabilities(made, made.pairs)) == 0


def test_the_listing() -> None:
    made = totals(simulate(pairs=24, rounds=12, boards=4, bid=2, seed=1).results)
    listing = reliabilities(made, made.pairs)
    assert listing.columns[0] == ["Overall", "Bid", "Play", "Declarer", "Lead", "Defence"]
    shares = [share for share in listing.columns[1] if isinstance(share, float)]
    assert len(shares) == 6 and all(0 <= share < 1 for share in shares)
    assert listing.columns[1][1] == max(shares)
