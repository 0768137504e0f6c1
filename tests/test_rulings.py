"""Rulings: Law 12's worked examples and cases, weighted and artificial scores, and Law 27's checklist."""

from __future__ import annotations

import numpy as np
import pytest
from brute import imp
from hypothesis import given
from hypothesis import strategies as st

from valet_xl.engine.comparison import matchpoint_percent
from valet_xl.engine.laws import contract_score
from valet_xl.engine.rulings import (
    REPLACEMENTS,
    Damage,
    artificial,
    law12,
    law27,
    weighted_score,
)

imps = st.integers(-24, 24)

# -- Law 12: split scores


@pytest.mark.parametrize(
    ("actual", "before", "could", "own", "offenders", "case"),
    [  # R. Barker, Application of Law 12, 21 November 2009
        (-8, 0, -3, -5, 0, Damage.PARTLY_SELF_INFLICTED),  # 4SX-1
        (-3, 0, 2, -3, 0, Damage.ALL_SELF_INFLICTED),  # 4SX-2 with a revoke
        (-3, 0, -3, 0, 0, Damage.NONE_SELF_INFLICTED),  # 4SX-2 without
        (2, 0, 2, 2, 2, Damage.NO_DAMAGE),
    ],
)
def test_the_worked_examples(
    actual: float, before: float, could: float, own: float, offenders: float, case: Damage
) -> None:
    split = law12(actual, before, could)
    assert (split.non_offenders, split.offenders, split.case) == (own, offenders, case)


def test_the_worked_examples_from_their_contracts() -> None:
    """4H makes in the other room, 420; at this table 4SX goes down by one, two or three, not vulnerable."""
    other = int(contract_score(4, 2, 0, 10, False))
    down = [imp(int(-contract_score(4, 3, 1, 10 - tricks, False)) - other) for tricks in (1, 2, 3)]
    assert down == [-8, -3, 2]


@given(imps, imps, st.integers(0, 30))
def test_split_scores_by_what_they_mean(actual: int, before: int, lost: int) -> None:
    """Nobody gains by an infraction; the non-offenders lose what they lost themselves, and no more than all damage."""
    could = actual + lost
    split = law12(actual, before, could)
    own, offenders = float(split.non_offenders), float(split.offenders)
    damage = max(before - actual, 0)
    assert offenders == actual + damage
    assert own == actual + max(damage - lost, 0)
    assert actual <= own <= offenders
    expected = (
        Damage.NO_DAMAGE
        if not damage
        else Damage.ALL_SELF_INFLICTED
        if lost >= damage
        else Damage.PARTLY_SELF_INFLICTED
        if lost
        else Damage.NONE_SELF_INFLICTED
    )
    assert split.case == expected


def test_rulings_in_a_column() -> None:
    split = law12([[-8], [np.nan], [-3]], 0, [[-3], [0], [2]])
    assert split.non_offenders == pytest.approx(np.array([[-5], [np.nan], [-3]]), nan_ok=True)
    assert split.offenders == pytest.approx(np.array([[0], [np.nan], [0]]), nan_ok=True)
    assert split.case.tolist() == [[3], [-1], [1]]


def test_what_could_have_been_is_no_less_than_what_was() -> None:
    with pytest.raises(ValueError, match="could must be at least actual, -3, got -4"):
        law12([0, -3], 0, [0, -4])
    with pytest.raises(ValueError, match="scores must be finite"):
        law12(np.inf, 0, np.inf)


def test_every_case_has_words() -> None:
    assert len({str(case) for case in Damage}) == len(Damage)


# -- weighted scores


def test_outcomes_are_converted_before_they_are_weighted() -> None:
    """60 % of 420 and 40 % of -50 against 170: 6 and -6 IMPs; weighted first it would be 232, 2 IMPs."""
    assert weighted_score([420, -50], [60, 40], [170]) == pytest.approx(0.6 * 6 + 0.4 * -6)
    assert imp(0.6 * 420 + 0.4 * -50 - 170) == 2


def test_weighted_scores_by_plain_loops() -> None:
    outcomes, weights, field = [420, -50, 450], [0.5, 0.3, 0.2], [420, 170, -50, -100]
    across = [sum(imp(own - other) for other in field) / 4 for own in outcomes]
    assert weighted_score(outcomes, weights, field) == pytest.approx(np.dot(weights, across))
    datum = [imp(own - sum(field) / 4) for own in outcomes]
    assert weighted_score(outcomes, weights, field, method="datum") == pytest.approx(np.dot(weights, datum))
    percent = [matchpoint_percent([own, *field])[0] for own in outcomes]
    assert weighted_score(outcomes, weights, field, method="matchpoints") == pytest.approx(np.dot(weights, percent))


@given(st.lists(st.tuples(st.integers(-200, 200), st.integers(1, 9)), min_size=1, max_size=4))
def test_a_weighted_score_is_between_its_outcomes_and_turns_with_the_sides(outcomes: list[tuple[int, int]]) -> None:
    points = [10 * tens for tens, _ in outcomes]
    total = sum(weight for _, weight in outcomes)
    weights = [100 * weight / total for _, weight in outcomes]
    field = np.array([420, -50, 0, 170])
    alone = [weighted_score([each], [1], field) for each in points]
    own = weighted_score(points, weights, field)
    assert min(alone) - 1e-9 <= own <= max(alone) + 1e-9
    assert weighted_score([-each for each in points], weights, -field) == pytest.approx(-own)


def test_a_rest_of_the_weights_is_shared_out() -> None:
    thirds = weighted_score([420, 420, -50], [33.3, 33.3, 33.3], [170])
    assert thirds == pytest.approx((6 + 6 - 6) / 3)


def test_a_weighted_score_without_a_field() -> None:
    assert np.isnan(weighted_score([420], [100], [np.nan]))


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (([420], [60, 40], [0]), "outcomes and weights must be as many, got 1 and 2"),
        (([], [], [0]), "outcomes and weights must be as many, got 0 and 0"),
        (([420, np.nan], [60, 40], [0]), "outcomes must be numbers, got a blank"),
        (([420, -50], [60, 30], [0]), "weights must be 0 or more and sum to 100, got 90"),
        (([420, -50], [160, -60], [0]), "weights must be 0 or more"),
        (([420, -50], [60, np.nan], [0]), "weights must be 0 or more"),
    ],
)
def test_a_bad_weighted_score_is_named(arguments: tuple[object, ...], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        weighted_score(*arguments)  # type: ignore[arg-type]


def test_a_method_of_no_name_is_named() -> None:
    with pytest.raises(ValueError, match="method must be one of iaf, datum, matchpoints, got 'imps'"):
        weighted_score([420], [100], [0], method="imps")


# -- artificial adjusted scores


def test_artificial_scores() -> None:
    """60, 50 and 40 per cent of a board, and 3, 0 and -3 IMPs."""
    assert artificial([60, 50, 40]).tolist() == [3, 0, -3]
    assert artificial([[60, np.nan]], scoring="matchpoints") == pytest.approx(np.array([[60, np.nan]]), nan_ok=True)


def test_the_session_s_average_where_it_is_better_or_worse() -> None:
    """Law 12C2(c): 62 % is kept by who is not at fault, 38 % by who is."""
    assert artificial([60, 50, 40], scoring="matchpoints", session=62).tolist() == [62, 50, 40]
    assert artificial([60, 50, 40], scoring="matchpoints", session=38).tolist() == [60, 50, 38]
    assert artificial([60, 60], scoring="matchpoints", session=[np.nan, 65]).tolist() == [60, 65]


def test_artificial_scores_refuse_other_figures() -> None:
    for percent, options, message in (
        (55, {}, "must be 60, 50 or 40 per cent"),
        (60, {"scoring": "points"}, "scoring must be one of imps, matchpoints, got 'points'"),
        (60, {"scoring": "matchpoints", "session": 101}, "session must be 0 to 100 per cent"),
    ):
        with pytest.raises(ValueError, match=message):
            artificial([percent], **options)  # type: ignore[arg-type]


# -- Law 27


def test_who_is_silenced_by_an_insufficient_bid() -> None:
    """Not after the same denomination or a comparable call; after everything else, unless the bid was accepted."""
    free = {word for word in REPLACEMENTS if "must pass" not in law27(word).partner}
    assert free == {"same", "comparable"}
    for word in REPLACEMENTS:
        ruling = law27(word)
        assert ("26B" in ruling.lead) == (word not in free)
        assert ("27D" in ruling.afterwards) == (word in free)
        assert ("72C" in ruling.afterwards) == (word not in free)
        assert law27(word, accepted=True).law == "27A1"
        assert "must pass" not in law27(word, accepted=True).partner


def test_the_laws_of_the_checklist() -> None:
    assert {word: law27(word).law for word in REPLACEMENTS} == {
        **{"same": "27B1(a)", "comparable": "27B1(b), 23A", "bid": "27B2", "pass": "27B2"},
        **{"double": "27B3", "insufficient": "27B4"},
    }


def test_another_replacement_is_named() -> None:
    with pytest.raises(ValueError, match="replacement must be one of same, comparable, bid, pass"):
        law27("redouble")
