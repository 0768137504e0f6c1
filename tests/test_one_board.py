"""One small board without arrays: bit for bit what the functions for arrays give."""

from __future__ import annotations

import struct
from typing import Any

import numpy as np
import pytest
from hypothesis import assume, example, given
from hypothesis import strategies as st

from valet_xl.engine import butler, comparison, laws, one_board
from valet_xl.functions.catalogue import REGISTRY
from valet_xl.hosts.binding import Carrier

CARRIER = Carrier(lambda error: error.value, "", frozenset({float, str}), rows=tuple)
"""A host whose cells are the engine's."""

TENS = st.integers(-1999, 1999).map(lambda tens: 10.0 * tens)
POINTS = st.one_of(TENS, st.integers(-760, 760).map(lambda tens: 10.0 * tens), st.sampled_from([-0.0, 420.0, -50.0]))
BOARD = st.lists(POINTS, min_size=2, max_size=one_board.MOST)
FEW = st.lists(st.sampled_from([420.0, 450.0, -50.0, 0.0, 170.0]), min_size=2, max_size=one_board.MOST)
SCORES = st.one_of(BOARD, FEW)
ANY = st.lists(st.floats(allow_infinity=False), max_size=70)
CUTS = st.one_of(st.none(), st.sampled_from([0.0, 0.05, 0.25, 0.49, 1.0, 2.0, 3.0, 0.7, 1.5]))


def same(ours: Any, theirs: Any) -> None:
    """Every bit."""
    if isinstance(ours, float):
        ours, theirs = [ours], [float(theirs)]
    theirs = [float(each) for each in np.asarray(theirs).ravel()]
    # A zero is shown without a sign (`settled`), so that of arrays may have one.
    assert [struct.pack("<d", each) for each in ours] == [struct.pack("<d", each + 0.0) for each in theirs]


@given(SCORES, st.sampled_from([*comparison.DIVISORS]))
def test_cross_imps_are_those_of_arrays(scores: list[float], divisor: str) -> None:
    ours = one_board.cross_imps(scores, divisor=divisor)
    assert (ours is None) == (divisor == "sqrt")
    if ours is not None:
        same(ours, comparison.cross_imps(scores, divisor=divisor))


@given(st.one_of(SCORES, ANY))
def test_matchpoints_are_those_of_arrays(scores: list[float]) -> None:
    for name in ("matchpoints", "matchpoint_percent"):
        ours = getattr(one_board, name)(scores)
        if ours is not None:
            same(ours, getattr(comparison, name)(scores))


@given(SCORES, st.sampled_from(butler.RULES), CUTS, st.sampled_from([*butler.ROUNDINGS]), st.booleans())
@example([420.0, 430.0], "mean", None, "even", False)
@example([-420.0, -430.0], "mean", None, "nearest", False)
def test_datum_and_butler_are_those_of_arrays(
    scores: list[float], rule: str, cut: float | None, rounding: str, double: bool
) -> None:
    ours = one_board.datum(scores, rule=rule, leave_out=cut, rounding=rounding)
    assume(ours is not None)
    assert ours is not None
    same(ours, butler.datum(scores, rule=rule, leave_out=cut, rounding=rounding)[0])
    same(
        one_board.butler(scores, rule=rule, leave_out=cut, rounding=rounding, double=double),
        butler.butler(scores, rule=rule, leave_out=cut, rounding=rounding, double=double),
    )


@given(SCORES, st.sampled_from([10.0, 20.0, 30.0, 70.0, 500.0, 2500.0, 8000.0]))
def test_par_is_that_of_arrays(scores: list[float], delta: float) -> None:
    same(one_board.par(scores, delta=delta), butler.par(scores, delta=delta))


@given(ANY)
def test_imps_are_those_of_arrays(differences: list[float]) -> None:
    ours = one_board.imps(differences)
    if ours is not None:
        same(ours, laws.imps(differences))


@pytest.mark.parametrize(
    "scores", [[], [420.0], [420.0, float("nan")], [425.0, 420.0], [420.0, 1e9], [420.0] * (one_board.MOST + 1)]
)
def test_what_is_no_small_board_of_contracts_is_left_to_arrays(scores: list[float]) -> None:
    for compute in (one_board.cross_imps, one_board.datum, one_board.butler, one_board.par):
        assert compute(scores) is None


@given(SCORES, st.sampled_from(["column", "row", "rows"]))
def test_worksheet_functions_give_the_same_cells(scores: list[float], shape: str) -> None:
    """With the way without arrays and without it, in the shape of the range."""
    if shape == "rows":
        scores = scores[: len(scores) // 2 * 2]
    width = {"column": 1, "row": len(scores), "rows": 2}[shape]
    rows = tuple(tuple(scores[at : at + width]) for at in range(0, len(scores), width))
    for function in REGISTRY.values():
        if function.quick is not None:
            expected = function.from_arrays(rows)
            assert function(rows) == expected
            assert str(function(list(map(list, rows)))) == str(expected)
            assert CARRIER.bind(function)(rows, *[None] * (len(function.arguments) - 1)) == tuple(map(tuple, expected))


def test_an_argument_that_cannot_be_used_is_an_error_and_no_fault(monkeypatch: pytest.MonkeyPatch) -> None:
    """The quick way leaves it to the other one."""
    faults: list[Exception] = []
    monkeypatch.setattr("valet_xl.hosts.binding.log_fault", lambda error, _name: faults.append(error))
    rows = ((420.0, 430.0, -50.0),)
    for function in REGISTRY.values():
        if function.quick is not None:
            assert function.quickly((rows, "nonsense")) is None
            assert CARRIER.bind(function)(rows, "nonsense") == (("#VALUE!",),)
            assert function.quickly((rows, *[None] * len(function.arguments))) is None  # one too many
    assert not faults


@pytest.mark.parametrize(
    ("formula", "expected"),
    [
        (("VALET_BUTLER", "trimmed", 1.0, "nearest", 1.0), [[1.0, 0.0, 0.0, -8.0]]),
        (("VALET_IAF", "total"), [[15.0, 11.0, 11.0, -37.0]]),
        (("VALET_PAR", 100.0), [[500.0]]),
    ],
)
def test_arguments_reach_the_quick_way(formula: tuple[str, object], expected: list[list[float]]) -> None:
    rows = ((650.0, 620.0, 620.0, -100.0),)
    function = REGISTRY[str(formula[0])]
    assert function.quickly((rows, *formula[1:])) is not None
    assert function(rows, *formula[1:]) == function.from_arrays(rows, *formula[1:])
    assert function(rows, *formula[1:]) == expected
