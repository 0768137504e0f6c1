"""Duels: the Pikier page's values, caps and symmetry, and the scale of sections of equal probability."""

from __future__ import annotations

from statistics import NormalDist

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from valet_xl.engine.duels import (
    formula_points,
    section_borders,
    section_points,
    victors,
    victors_percent,
    winners_points,
)

balances = st.integers(-3000, 3000)
deals = st.integers(1, 64)

# -- Victors


@pytest.mark.parametrize(
    ("won", "lost", "own", "other"),
    [  # "Scoring a Duel", Pikier writings; 16 deals
        (37, 11, 21, 9),
        (100, 10, 25, 0),
    ],
)
def test_the_page_s_duels(won: int, lost: int, own: int, other: int) -> None:
    assert victors([won - lost, lost - won], 16).tolist() == [own, other]


def test_victors_before_rounding_and_cap() -> None:
    """26 IMPs over 16 deals are 15 + 6.10; 90 are 33.4 (the page prints 36)."""
    assert formula_points(26, 16) == pytest.approx(15 + 6.10, abs=0.005)
    assert formula_points(90, 16) == pytest.approx(33.4, abs=0.05)


def test_losers_have_the_rest_of_30_until_it_is_used_up() -> None:
    """Above 25 to the winners the losers still lose."""
    assert victors([45, -45], 16).tolist() == [25, 5]
    assert victors([60, -60], 16).tolist() == [25, 2]
    assert victors([71, -71], 16).tolist() == [25, 0]


def test_halves_are_rounded_up() -> None:
    """15.5 for the winners: 100 B / (100 + B) = 0.5 at B = 100 / 199."""
    assert victors([100 / 199 + 1e-9, 100 / 199 - 1e-9], 1).tolist() == [16, 15]


def test_caracalla_s_constants() -> None:
    """30 for 100 above, 1000 for 100 below: 15 + 30 x 500 / (4000 + 500); the cap is at 500 times the root of deals."""
    assert victors(500, 16, caracalla=True) == round(15 + 30 * 500 / 4500)
    assert victors([1999, 2000], 16, caracalla=True).tolist() == [25, 25]
    assert victors([1800, 1700], 16, caracalla=True).tolist() == [24, 24]
    assert victors_percent(500, 16, caracalla=True) == pytest.approx(50 + 100 * 500 / 4500)


def test_per_cent() -> None:
    assert victors_percent(26, 16) == pytest.approx(50 + 333 * 26 / 426)
    assert victors_percent([90, -90], 16).tolist() == [90, 10]  # 111 before the cap


@given(balances, deals, st.booleans())
def test_victors_of_both_sides(balance: int, played: int, caracalla: bool) -> None:
    own, other = sorted(victors([balance, -balance], played, caracalla=caracalla).tolist(), reverse=True)
    assert own + other == 30 if own < 25 else own == 25 and 0 <= other <= 5
    assert own == int(own) and other == int(other)
    assert sum(victors_percent([balance, -balance], played, caracalla=caracalla)) == pytest.approx(100)


@given(deals, st.booleans())
def test_a_larger_balance_is_never_worth_less(played: int, caracalla: bool) -> None:
    balance = np.arange(-3000, 3001)
    for score, low, high in ((victors, 0, 25), (victors_percent, 10, 90)):
        points = score(balance, played, caracalla=caracalla)
        assert (np.diff(points) >= 0).all()
        assert points.min() >= low and points.max() <= high


@given(st.integers(1, 500), deals)
def test_the_same_balance_over_more_deals_is_never_worth_more(balance: int, played: int) -> None:
    assert victors(balance, played + 1) <= victors(balance, played)
    assert victors_percent(balance, played + 1) <= victors_percent(balance, played)


# -- sections of equal probability


@given(st.integers(1, 60), deals, st.floats(0.5, 20))
def test_every_number_of_points_is_as_likely(points: int, played: int, sd: float) -> None:
    """The borders cut the normal distribution of the duel's balance into points + 1 equal parts."""
    borders = section_borders(points=points, sd=sd) * np.sqrt(played)
    assert len(borders) == points
    of_duel = NormalDist(0, sd * np.sqrt(played))
    shares = np.diff([0, *(of_duel.cdf(border) for border in borders.tolist()), 1])
    assert shares == pytest.approx(np.full(points + 1, 1 / (points + 1)))
    inside = (borders[:-1] + borders[1:]) / 2
    assert section_points(inside, played, points=points, sd=sd).tolist() == list(range(1, points))
    assert section_points([-1e9, 1e9], played, points=points, sd=sd).tolist() == [0, points]


@given(balances, deals, st.integers(1, 60))
def test_the_sides_share_the_points_of_sections(balance: int, played: int, points: int) -> None:
    """Also on the border in the middle that an odd number of points has."""
    assert section_points([balance, -balance], played, points=points).sum() == points
    assert section_points(0, played, points=points) == points / 2


@given(balances, deals, st.sampled_from([10, 20, 30]), st.floats(0.5, 20))
def test_the_formula_in_other_units(balance: int, played: int, points: int, sd: float) -> None:
    """It is stretched to other points, and a balance of as many standard deviations is worth as much."""
    stretched = formula_points(balance * sd / 5, played, points=points, sd=sd)
    assert stretched == pytest.approx(formula_points(balance, played) * points / 30)
    assert sum(formula_points([balance, -balance], played, points=points, sd=sd)) == pytest.approx(points)


@given(deals, st.floats(0.5, 20), st.sampled_from([1, 20, 100]))
def test_the_page_s_own_construction(played: int, sd: float, points: int) -> None:
    """The positive half is cut into 101 sections with equal integrals for 0, 1, 2 ... 100; the losers have a minus."""
    of_duel = NormalDist(0, sd * np.sqrt(played))
    middles = [of_duel.inv_cdf(0.5 + (section + 0.5) / (points + 1) / 2) for section in range(points + 1)]
    found = winners_points(middles, played, points=points, sd=sd)
    assert found.tolist() == list(range(points + 1))
    assert winners_points([-each for each in middles], played, points=points, sd=sd).tolist() == (-found).tolist()
    assert winners_points(1e9, played, points=points, sd=sd) == points


def test_what_the_flattened_constants_imply() -> None:
    """The page on duels: both caps are at the same z for an SD of 225 points, and IMPs in it are worth nothing."""
    z = 20 / 9
    assert victors([z * 5 * 4 + 1e-9], 16) == 25 and 15 + 100 * z / (20 + z) == pytest.approx(25)
    assert 15 + 30 * z * 225 / (1000 + z * 225) == pytest.approx(25)
    assert [round(15 + 30 * 225 / 1225, 1), round(15 + 100 / 21, 1)] == [20.5, 19.8]
    assert victors([26, -26], 16, caracalla=True).tolist() == [15, 15]


# -- arguments


def test_shapes_and_blanks() -> None:
    for score in (victors, victors_percent, section_points, winners_points):
        block = score([[26, np.nan], [-26, 0]], 16)
        assert block.shape == (2, 2)
        assert np.isnan(block[0, 1]) and np.count_nonzero(np.isnan(block)) == 1
        assert score([26, 26], [16, np.nan])[0] == block[0, 0]
        assert np.isnan(score([26, 26], [16, np.nan])[1])
        assert score([], 16).shape == (0,)
        assert np.shape(score(26, 16)) == ()


@pytest.mark.parametrize("score", [victors, victors_percent, section_points])
def test_a_duel_has_deals(score: object) -> None:
    with pytest.raises(ValueError, match="deals must be 1 or more, got 0"):
        score([26, 26], [16, 0])  # type: ignore[operator]


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"points": 0}, "points must be a whole number of 1 to 1000, got 0"),
        ({"points": 2.5}, "points must be a whole number of 1 to 1000, got 2.5"),
        ({"points": 10**9}, "points must be a whole number"),
        ({"sd": 0}, "sd must be above 0, got 0"),
        ({"sd": float("nan")}, "sd must be above 0"),
    ],
)
def test_a_bad_scale_is_named(options: dict[str, float], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        section_points(26, 16, **options)
