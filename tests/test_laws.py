"""The Laws' tables: contract scores, vulnerability, the IMP scale."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest
from brute import SCALE, imp, imp_cut, law_77
from hypothesis import given
from hypothesis import strategies as st

from valet_xl.engine.laws import IMP_STEPS, contract_score, imps, vulnerabilities, vulnerability
from valet_xl.engine.notation import Contract, Vulnerability

# -- Law 77


@pytest.mark.parametrize(
    ("contract", "tricks", "vulnerable", "score"),
    [
        ("1NTX", 7, False, 180),
        ("2HX", 8, False, 470),
        ("2HX", 8, True, 670),
        ("1CXX", 7, False, 230),
        ("7NTXX", 13, True, 2980),
        ("7NTXX", 0, True, -7600),
        ("1C", 7, False, 70),
        ("1NT", 8, False, 120),
        ("3NT", 9, False, 400),
        ("4S", 10, True, 620),
        ("4SX", 10, True, 790),
        ("5D", 12, False, 420),
        ("6NT", 12, True, 1440),
        ("7C", 13, False, 1440),
        ("1SX", 9, True, 560),
        ("1SXX", 9, True, 1520),
        ("4H", 8, False, -100),
        ("4H", 8, True, -200),
        ("4HX", 6, False, -800),
        ("4HX", 6, True, -1100),
        ("4HXX", 9, False, -200),
    ],
)
def test_reference_scores(contract: str, tricks: int, vulnerable: bool, score: int) -> None:
    bid = Contract.parse(contract)
    assert contract_score(bid.level, bid.strain, bid.double, tricks, vulnerable) == score


def test_all_2940_scores_are_the_rulebook_s() -> None:
    every = list(product(range(1, 8), range(5), range(3), range(14), (False, True)))
    assert len(every) == 2940
    assert contract_score(*zip(*every, strict=True)).tolist() == [law_77(*each) for each in every]


def test_a_pass_out_scores_nothing_whatever_stands_beside_it() -> None:
    assert contract_score(0, np.arange(5), 2, 13, True).tolist() == [0] * 5


def test_scores_keep_the_shape_of_their_arguments() -> None:
    assert contract_score(4, 3, 0, 10, False).shape == ()
    assert contract_score([4], 3, 0, 10, False).tolist() == [420]
    assert contract_score(4, 3, 0, np.arange(14)[:, None], [False, True]).shape == (14, 2)
    assert contract_score([], [], [], [], []).shape == (0,)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((8, 0, 0, 7, False), "level must be 0-7, got 8 to 8"),
        ((-1, 0, 0, 7, False), "level must be 0-7"),
        ((1, 5, 0, 7, False), "strain must be 0-4, got 5 to 5"),
        ((1, 0, 3, 7, False), "double must be 0-2"),
        ((1, 0, 0, [7, 14], False), "tricks must be 0-13, got 7 to 14"),
        ((1, 0, 0, -1, False), "tricks must be 0-13"),
        ((1, 0, 0, 7, 2), "vulnerable must be 0-1"),
    ],
)
def test_a_value_out_of_range_is_named(arguments: tuple[int, ...], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        contract_score(*arguments)


# -- Law 2


def test_vulnerability_of_boards_1_to_16_and_on() -> None:
    expected = "ONEBNEBOEBONBONE"  # none, N-S, E-W, both
    assert "".join("ONEB"[vulnerability(board)] for board in range(1, 17)) == expected
    assert vulnerabilities(np.arange(1, 161)).tolist() == ["ONEB".index(side) for side in expected * 10]


def test_a_board_number_says_who_is_vulnerable_by_name() -> None:
    assert vulnerability(2) is Vulnerability.NS
    assert vulnerability(20) is Vulnerability.BOTH


@pytest.mark.parametrize("board", [0, -3])
def test_a_board_below_1_is_refused(board: int) -> None:
    with pytest.raises(ValueError, match=f"board number must be 1 or more, got {board}"):
        vulnerability(board)


# -- Law 78B


def test_the_ends_of_every_step_of_the_imp_scale() -> None:
    assert tuple(IMP_STEPS) == SCALE
    for worth, last in enumerate(SCALE):
        assert imps(last) == worth
        assert imps(last + 10) == worth + 1


def test_a_difference_has_no_upper_limit() -> None:
    assert imps([4000, 5010, 7600, 10580, 1e12, np.inf, -np.inf]).tolist() == [24, 24, 24, 24, 24, 24, -24]


def test_nearest_rounds_halves_up_and_down_cuts() -> None:
    assert imps([374, 374.9, 375, 380, -374, -375]).tolist() == [9, 9, 9, 9, -9, -9]
    assert imps([364, 364.99, 365, -365, 44, 45]).tolist() == [8, 8, 9, -9, 1, 2]
    assert imps([15, 19.9, 20, -15, -19.9]).tolist() == [1, 1, 1, -1, -1]
    assert imps([15, 19.9, 20, -15, -19.9, 369.9], rounding="down").tolist() == [0, 0, 1, 0, 0, 8]


@given(st.floats(-9000, 9000) | st.integers(-900, 900).map(lambda tens: 10.0 * tens))
def test_imps_are_the_scale_s_for_any_difference(difference: float) -> None:
    assert imps(difference) == imp(difference)
    assert imps(difference, rounding="down") == imp_cut(difference)
    assert imps(-difference) == -imps(difference)


def test_imps_keep_shape_and_nan() -> None:
    assert imps(430) == 10
    assert np.shape(imps(430)) == ()
    assert np.isnan(imps(np.nan))
    assert imps([]).shape == (0,)
    worth = imps([[430, np.nan, -20]])
    assert worth.shape == (1, 3)
    assert worth == pytest.approx(np.array([[10, np.nan, -1]]), nan_ok=True)


def test_no_imps_are_a_negative_zero() -> None:
    assert not np.signbit(imps([-0.0, 0, -10, -4]))[:].any()


def test_another_rounding_is_named() -> None:
    with pytest.raises(ValueError, match="rounding must be one of nearest, down, got 'up'"):
        imps(10, rounding="up")
