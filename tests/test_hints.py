"""What the registry says of every function and its arguments is true: ranges, whole numbers, words and shapes."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from strategies import examples, mistakes, valid

from valet_xl.functions.arguments import block, number
from valet_xl.functions.catalogue import REGISTRY
from valet_xl.functions.registry import (
    LONGEST_TEXT,
    Argument,
    CellError,
    ErrorCell,
    Function,
    Kind,
    Missing,
    Range,
    Shape,
    as_cells,
)

VALUE = [[ErrorCell.VALUE]]
every_function = pytest.mark.parametrize("function", REGISTRY.values(), ids=REGISTRY)
every_argument = pytest.mark.parametrize(
    ("function", "at"),
    [(function, at) for function in REGISTRY.values() for at in range(len(function.arguments))],
    ids=[f"{function.name}-{argument.name}" for function in REGISTRY.values() for argument in function.arguments],
)


# -- the laws of functions that no hint can say: cells that break them are put right


def score(contract: Any, declarer: Any, result: Any, vulnerability: Any, result_is: Any) -> list[Any]:
    """A contract has its declarer and result in another cell."""
    left_out = (Missing.ARGUMENT, None)
    tricks = isinstance(result_is, str) and result_is.strip().lower() == "tricks"
    declarer = "N" if declarer in left_out else declarer
    return [contract, declarer, 9.0 if tricks else "=" if result in left_out else result, vulnerability, result_is]


def datum(scores: Any, rule: Any, leave_out: Any, *others: Any) -> list[Any]:
    """Scores are left out of a trimmed datum alone, so many at each end or a share below a half."""
    trimmed = isinstance(rule, str) and rule.strip() == "trimmed"
    return [scores, rule, abs(int(leave_out)) if trimmed and isinstance(leave_out, float) else None, *others]


def expected(scores: Any, of: Any) -> list[Any]:
    """No more scores are there than expected."""
    return [scores, 12.0 if isinstance(of, float) and of < 12 else of]


def on_the_scale(points: Any, boards: Any, scale: Any) -> list[Any]:
    """The ACBL's tables are for short matches."""
    return [points, 7.0 if isinstance(scale, str) and "acbl" in scale.lower() else boards, scale]


def law12(actual: Any, before: Any, could: Any) -> list[Any]:
    """After the infraction they could have scored no less than they did."""
    return [actual, before, 8000.0]


def weighted(outcomes: Any, weights: Any, field: Any, method: Any) -> list[Any]:
    """Weights sum to 100, and every outcome is known."""
    shares = [[0.0 for _ in row] for row in weights]
    shares[0][0] = 100.0
    return [[[420.0 if cell is None else cell for cell in row] for row in outcomes], shares, field, method]


def one_column(*given: Any) -> list[Any]:
    """Hands with partners, and with all kinds of tricks, are in one column."""
    return [[row[:1] for row in each] if isinstance(each, list) else each for each in given]


def ranking(*given: Any) -> list[Any]:
    """The sheet that is drawn has pairs, and no players."""
    return [*given[:4], "pairs", *given[5:]]


def comparing(*given: Any) -> list[Any]:
    """The sheet that is drawn has these two pairs, and no players."""
    return [given[0], "1", "2", *given[3:6], "pairs", *given[7:]]


def one_cell(holding: Any, *words: Any) -> list[Any]:
    return [holding[0][0], *words]


def held(deal: Any, *_: Any) -> list[Any]:
    """The leader holds the card that is led, and somebody plays the contract."""
    return [deal, "3NT", "N", "H2"]


LAWS: dict[str, Callable[..., list[Any]]] = {
    "VALET_SCORE": score,
    "VALET_DATUM": datum,
    "VALET_BUTLER": datum,
    "VALET_MP": expected,
    "VALET_MP_PERCENT": expected,
    "VALET_RANKING": ranking,
    "VALET_COMPARE": comparing,
    "VALET_VP": on_the_scale,
    "VALET_VP_IMPS": on_the_scale,
    "VALET_LAW12": law12,
    "VALET_WEIGHTED": weighted,
    "VALET_BINKY": one_column,
    "VALET_BINKY_ALONE": one_column,
    "VALET_BINKY_TRICKS": one_column,
    "VALET_BINKY_CARDS": one_cell,
    "VALET_BINKY_CHECK": one_column,
    "VALET_DD_PAR": one_column,
    "VALET_LEAD_COST": held,
}
# Their rows may be wrong, and are in the sheet that is drawn.
WITH_ERRORS = {function.name for function in REGISTRY.values() if function.arguments[0].name == "results"}


def drawn(function: Function, data: st.DataObject) -> list[Any]:
    return LAWS.get(function.name, lambda *given: list(given))(*data.draw(valid(function)))


def size(value: Any) -> tuple[int, int]:
    cells = as_cells(value)
    return len(cells), len(cells[0])


# -- what is true of every function


@every_function
@settings(max_examples=examples(0.2))
@given(data=st.data())
def test_cells_that_the_hints_allow_give_no_error(function: Function, data: st.DataObject) -> None:
    """They give cells in a block, which has the shape that the record says."""
    values = drawn(function, data)
    answer = function(*values)
    assert answer != VALUE
    assert len({len(row) for row in answer}) == 1
    for cell in (cell for row in answer for cell in row):
        wrong = isinstance(cell, ErrorCell)
        assert function.name in WITH_ERRORS if wrong else cell is None or isinstance(cell, str) or math.isfinite(cell)
    if function.shape and (function.name, values[1:]) not in [("VALET_BINKY", ["all"]), ("VALET_BINKY_ALONE", ["all"])]:
        at = [argument.name for argument in function.arguments].index(function.shape)
        assert size(answer) == size(values[at])


@every_argument
@settings(max_examples=examples(0.2))
@given(data=st.data())
def test_cells_that_the_hints_do_not_allow_give_one_error(function: Function, at: int, data: st.DataObject) -> None:
    """And reading them says which argument it is."""
    values = drawn(function, data)
    values[at] = data.draw(mistakes(function.arguments[at]))
    if function.name in ("VALET_BINKY_CHECK", "VALET_DD_CHECK") and at == 0:
        assert isinstance(function(*values)[0][0], str)  # it says what is wrong
        return
    assert function(*values) == VALUE
    with pytest.raises(CellError, match=f"^{function.name}, "):
        function.read(values)


@pytest.mark.parametrize(
    "function",
    [
        function
        for function in REGISTRY.values()
        if function.arguments[0].kind is Kind.NUMBER and function.name != "VALET_WEIGHTED"  # outcomes must be known
    ],
    ids=lambda function: function.name,
)
@settings(max_examples=examples(0.2))
@given(data=st.data())
def test_blanks_give_blanks(function: Function, data: st.DataObject) -> None:
    values = drawn(function, data)
    blank = [[None for _ in row] for row in as_cells(values[0])]
    for at, argument in enumerate(function.arguments):
        if at == 0 or argument.shape is Shape.SAME:
            values[at] = blank
    assert all(cell is None for row in function(*values) for cell in row)


# -- the hints themselves


@every_argument
def test_the_help_of_an_argument_names_its_range_and_words(function: Function, at: int) -> None:
    argument = function.arguments[at]
    assert len(argument.sentence) <= LONGEST_TEXT
    if argument.range != Range():
        assert argument.sentence.endswith(f"({argument.range})")
    assert all(word in argument.sentence for word in argument.words)
    assert (argument.kind is Kind.WORD) == bool(argument.words)


@every_function
def test_a_result_with_the_shape_of_an_argument_says_so(function: Function) -> None:
    if function.shape:
        assert function.shape in [argument.name for argument in function.arguments]
        assert function.result.endswith(f", the shape of {function.shape}")
    else:
        assert "the shape of" not in function.result


def reading(argument: Argument, *cells: object) -> str:
    """What the error says about an argument of a function with two."""

    def compute(scores: object, other: object) -> None:
        raise AssertionError("not called")

    function = Function("VALET_NEW", compute, "New.", (block("scores", "scores"), argument), "none", "=VALET_NEW(A1)")
    with pytest.raises(CellError) as caught:
        function.read([[[420.0, 450.0]], *cells])
    return str(caught.value)


@pytest.mark.parametrize(
    ("allowed", "cell", "message"),
    [
        (Range(1, 1000, whole=True), 1001.0, "1001 (expected a whole number from 1 to 1,000)"),
        (Range(1, 1000, whole=True), 7.5, "7.5 (expected a whole number from 1 to 1,000)"),
        (Range(0, above=True), 0.0, "0 (expected a number above 0)"),
        (Range(0), "x", "'x' (expected a number from 0)"),
        (Range(), ErrorCell.VALUE, "#VALUE! (expected a number)"),
        (Range(), 1e300, "a number above 1e+15 (expected a number)"),
        (Range(), [[1.0, 2.0]], "a range (expected one cell)"),
    ],
)
def test_a_number_out_of_its_range_is_named(allowed: Range, cell: object, message: str) -> None:
    assert reading(number("other", "a number", allowed=allowed), cell) == f"VALET_NEW, other: {message}"


@pytest.mark.parametrize(
    ("shape", "cells", "message"),
    [
        (Shape.SAME, [[1.0]], "1 x 1 cells next to 1 x 2 cells (expected as many)"),
        (Shape.SAME_OR_ONE, [[1.0], [2.0]], "2 x 1 cells next to 1 x 2 cells (expected as many, or one)"),
        (Shape.SAME_OR_ONE, [[None]], "a blank cell (expected a number)"),
        (Shape.COLUMN, [[1.0, 2.0]], "several columns (expected one)"),
        (Shape.BLOCK, [[1.0], [2.0, 3.0]], "rows of unequal lengths (expected a block)"),
        (Shape.BLOCK, [[]], "no cells (expected a block)"),
        (Shape.BLOCK, [[-1.0, -2.0]], "-1 (expected numbers from 0)"),
    ],
)
def test_a_block_of_the_wrong_shape_is_named(shape: Shape, cells: object, message: str) -> None:
    assert reading(block("other", "numbers", Range(0), shape=shape), cells) == f"VALET_NEW, other: {message}"
