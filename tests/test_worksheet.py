"""The worksheet functions as hosts call them: cells in, cells out."""

from __future__ import annotations

import datetime
import math
from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest
from assertions import assert_close
from examples import EXAMPLES, results_of, which_line
from formulas import required
from hypothesis import given as supposing
from hypothesis import strategies as st

from valet_xl import cross_imps, valet
from valet_xl.engine.arrays import settled
from valet_xl.functions.arguments import number
from valet_xl.functions.catalogue import REGISTRY
from valet_xl.functions.registry import (
    LONGEST_TEXT,
    Argument,
    CellError,
    Cells,
    ErrorCell,
    Function,
    Missing,
    as_cells,
    check,
)

VALUE = [[ErrorCell.VALUE]]
SCORES = [420.0, 420.0, -50.0, 450.0, 170.0]
OF_SCORES = [name for name, function in REGISTRY.items() if function.arguments[0].name == "scores"]
OF_RESULTS = [name for name, function in REGISTRY.items() if function.arguments[0].name == "results"]
SHAPED = [name for name in OF_SCORES if name not in ("VALET_PAR", "VALET_DATUM")]
TABLE: Cells = [
    ["Board", "Contract", "By", "Lead", "Result"],
    [1, "3NT", "N", "SQ", "="],
    [1, "3NT", "N", "H4", -1],
    [2, "4S", "E", "C2", "+1"],
    [2, "4S", "E", "C2", "="],
    [3, "2H", "S", "C2", "="],
]


def call(name: str, *arguments: object) -> Cells:
    return REGISTRY[name](*arguments)


def column(values: Sequence[object]) -> list[list[object]]:
    return [[value] for value in values]


# -- what functions give


def test_score_takes_single_cells_and_ranges() -> None:
    """North-South's score; a bad cell is an error in its own place, a blank one blank."""
    assert call("VALET_SCORE", "4S", "E", "+1", "EW") == [[-650]]
    assert call("VALET_SCORE", "W3NT+2") == [[-460]]
    assert call("VALET_SCORE", "6H", "N", 12.0, "Both", "tricks") == [[1430]]
    contracts = [["4S", "8H", None], ["P", "3NT", "2C"]]
    assert call("VALET_SCORE", contracts, "N", [["=", "=", "="], ["=", -1, "x"]]) == [
        [420, ErrorCell.VALUE, None],
        [0, -50, ErrorCell.VALUE],
    ]


def test_score_refuses_ranges_of_unequal_size() -> None:
    assert call("VALET_SCORE", [["4S"], ["4H"]], [["N"], ["E"], ["S"]], "=") == VALUE


def test_functions_of_a_board() -> None:
    """Each gives what its Python function gives."""
    cells = column([420, 170])
    assert call("VALET_PAR", cells) == [[290]]
    assert call("VALET_PAR", cells, 20.0) == [[300]] or call("VALET_PAR", cells, 20.0)[0][0] % 20 == 0
    assert call("VALET_DATUM", cells) == [[295]]
    assert call("VALET_DATUM", cells, "Zero-Sum ") == [[260]]
    assert call("VALET_DATUM", column(SCORES), "trimmed", 1.0, "nearest") == [[340]]
    assert call("VALET_BUTLER", cells) == [[4], [-4]]
    assert call("VALET_BUTLER", cells, None, None, None, True) == [[3], [-3]]
    assert call("VALET_IAF", cells) == [[6], [-6]]
    assert call("VALET_IAF", column([420, 420, 170]), "total") == [[6], [6], [-12]]
    assert call("VALET_MP", column([420, 420, 170])) == [[3], [3], [0]]
    assert call("VALET_MP", column([420, 170]), 3.0) == [[3.5], [0.5]]
    assert call("VALET_MP_PERCENT", column([420, 420, 170])) == [[75], [75], [0]]
    assert call("VALET_IMP", [[430.0, None, -20]]) == [[10, None, -1]]
    assert call("VALET_IMP", 19.0, "down") == [[0]]


def test_components_stand_beside_their_rows() -> None:
    """A row for each row under the headings, the heading row found under a title."""
    parts = call("VALET_COMPONENTS", [["Club night", None, None, None, None], *TABLE])
    assert [len(row) for row in parts] == [5] * 5
    assert parts[0] == [10, 0, 10, -10, 0]
    assert parts[4] == [None] * 5  # a single result has no comparison
    for at, name in enumerate(("VALET_BID", "VALET_PLAY", "VALET_LEAD", "VALET_DEFENCE"), start=1):
        assert call(name, TABLE) == column([row[at] for row in parts])


@pytest.mark.parametrize("cloud", [False, True])
@pytest.mark.parametrize("method", ["iaf", "datum", "matchpoints"])
def test_components_of_the_published_examples(method: str, cloud: bool) -> None:
    """They are the engine's."""
    for example in EXAMPLES:
        lines = example.methods["iaf"]
        rows = [lines[at] for at in which_line(lines)]
        table: Cells = [["Board", "Contract", "By", "Tricks", "Lead"]]
        table += [[example.board, line.contract, line.by, line.tricks, line.led] for line in rows]
        engine = valet(results_of(example.board, lines), method=method, cloud=cloud)
        parts = np.array(call("VALET_COMPONENTS", table, method, "suit", cloud), dtype=float)
        for at, part in enumerate(("overall", "bid", "play", "lead", "defence")):
            expected = settled(getattr(engine, part))
            if part == "lead":  # blank on a sheet where it is not known
                expected = np.where([line.led != "-" for line in rows], expected, np.nan)
            assert_close(parts[:, at], expected)


def test_bad_row_is_an_error_and_check_says_why() -> None:
    """Its board's other rows are blank, other boards are scored."""
    table = [*TABLE[:2], [1, "8H", "N", "SQ", "="], *TABLE[3:]]
    parts = call("VALET_COMPONENTS", table)
    assert parts[0] == [None] * 5
    assert parts[1] == [ErrorCell.VALUE] * 5
    assert parts[2][0] is not None
    assert call("VALET_CHECK", table) == [["row 3, Contract: '8H' (level must be 1-7)"]]
    assert call("VALET_CHECK", TABLE) == [["nothing wrong: 5 results on 3 boards"]]
    assert call("VALET_CHECK", [["Board", "By"], [1, "N"]]) == [
        ["heading row 1 has Board (A1), By (B1), but no Contract (expected a heading row with Board, Contract, By and "
         "Tricks (or Result))"]
    ]  # fmt: skip


@pytest.mark.parametrize("name", OF_RESULTS)
def test_range_without_headings_is_an_error(name: str) -> None:
    """But for the function that says what is wrong."""
    given = call(name, TABLE[1:])
    assert isinstance(given[0][0], str) if name == "VALET_CHECK" else given == VALUE


# -- shapes and kinds of arguments


@pytest.mark.parametrize("name", SHAPED)
def test_a_column_equals_a_row_and_shapes_are_kept(name: str) -> None:
    as_column, as_row = call(name, column(SCORES)), call(name, [SCORES])
    assert as_row == [[row[0] for row in as_column]]
    block = call(name, [SCORES[:2], SCORES[2:4]])
    assert [len(row) for row in block] == [2, 2]


@pytest.mark.parametrize("name", SHAPED)
def test_blanks_stay_blank(name: str) -> None:
    """And they are in nobody's field, whether a host says None or an empty text."""
    full = call(name, column(SCORES))
    for blank in (None, ""):
        holed = call(name, column([*SCORES[:2], blank, *SCORES[2:]]))
        assert holed == [*full[:2], [None], *full[2:]]
    assert call(name, None) == [[None]]


@pytest.mark.parametrize("name", SHAPED)
def test_single_result_has_no_comparison(name: str) -> None:
    assert call(name, 420.0) == [[None]]


@pytest.mark.parametrize("name", [*OF_SCORES, "VALET_IMP"])
@pytest.mark.parametrize("bad", ["x", "420", True, ErrorCell.VALUE, datetime.datetime(2026, 1, 2)])
def test_bad_cell_is_one_error(name: str, bad: object) -> None:
    """Numbers are never taken from texts, switches, errors or dates."""
    assert call(name, column([420.0, bad, 170.0])) == VALUE


@pytest.mark.parametrize("name", REGISTRY)
def test_too_many_arguments_or_none_are_an_error(name: str) -> None:
    assert call(name) == VALUE
    assert call(name, *[None] * 9) == VALUE


@pytest.mark.parametrize("name", REGISTRY)
def test_left_out_and_blank_arguments_take_their_defaults(name: str) -> None:
    function = REGISTRY[name]
    given = required(name)
    optional = len(function.arguments) - len(given)
    for left_out in (Missing.ARGUMENT, None, [[None]]):
        assert call(name, *given) == call(name, *given, *[left_out] * optional)


@pytest.mark.parametrize("name", REGISTRY)
def test_option_that_is_no_word_of_its_own_is_an_error(name: str) -> None:
    """Options of other kinds take any cells: the functions themselves distinguish them."""
    given = required(name)
    arguments = REGISTRY[name].arguments[len(given) :]
    for at, argument in enumerate(arguments):
        try:
            argument.read("nonsense")
        except CellError:
            assert call(name, *given, *[None] * at, "nonsense") == VALUE


def test_error_says_which_argument_and_what_was_expected() -> None:
    with pytest.raises(CellError, match=r"VALET_IAF, scores: 'x' \(expected numbers\)"):
        REGISTRY["VALET_IAF"].read([column(["x"])])
    with pytest.raises(CellError, match=r"VALET_DATUM, rule: 'average' \(expected one of mean, trimmed"):
        REGISTRY["VALET_DATUM"].read([420.0, "average"])


any_cell = (
    st.none() | st.text(max_size=4) | st.booleans() | st.floats() | st.integers(-9000, 9000) | st.just(ErrorCell.VALUE)
)
any_argument = (
    any_cell | st.lists(st.lists(any_cell, min_size=2, max_size=2), min_size=1, max_size=4) | st.just(Missing.ARGUMENT)
)


@supposing(st.sampled_from(sorted(REGISTRY)), st.lists(any_argument, max_size=5))
def test_whatever_a_host_hands_over_a_block_of_cells_comes_back(name: str, arguments: list[object]) -> None:
    """Of finite numbers, texts, blanks and errors; nothing is raised."""
    for row in call(name, *arguments):
        for cell in row:
            assert cell is None or isinstance(cell, (str, ErrorCell)) or math.isfinite(cell)


def test_cells_of_any_nesting() -> None:
    assert as_cells(1.0) == [[1.0]]
    assert as_cells([1.0, ""]) == [[1.0], [None]]
    assert as_cells(((1.0, ""), ("a", True))) == [[1.0, None], ["a", True]]


def test_the_path_of_a_whole_column_is_the_engine() -> None:
    assert call("VALET_IAF", column(SCORES)) == column(cross_imps(SCORES).tolist())


# -- registration


@pytest.mark.parametrize("name", REGISTRY)
def test_every_text_of_the_registry_fits_the_function_wizards(name: str) -> None:
    """There, no longer than they show, and a sentence where it should be one."""
    function = REGISTRY[name]
    assert function.sentence.endswith(".")
    texts = [function.sentence, function.result, function.example]
    texts += [text for argument in function.arguments for text in (argument.name, argument.sentence)]
    assert [text for text in texts if not 0 < len(text) <= LONGEST_TEXT] == []
    assert function.example.startswith(f"={name}(")


def function(name: str = "VALET_NEW", sentence: str = "New.", **changes: Any) -> Function:
    def compute(scores: float) -> float:
        return scores

    arguments = (number("scores", "a number"),)
    return Function(**{"name": name, "compute": compute, "sentence": sentence, "arguments": arguments, **changes}, **{
        key: value for key, value in {"result": "a number", "example": "=VALET_NEW(1)"}.items() if key not in changes
    })  # fmt: skip


@pytest.mark.parametrize("name", ["IMP1", "XFD9", "VP20", "R1C1", "valet_iaf", "V", "A B"])
def test_names_that_sheets_cannot_take_are_refused(name: str) -> None:
    with pytest.raises(ValueError, match=name):
        check(function(name))


def test_registration_refuses_what_a_host_could_not_offer() -> None:
    """A missing or long text, an argument by place alone, other arguments, a second function of the name."""
    check(function())

    def by_place(scores: float, /) -> float:
        return scores

    def other(points: float) -> float:
        return points

    for wrong, word in (
        (function(sentence=""), "text of 0 characters"),
        (function(sentence="a" * 256), "text of 256 characters"),
        (function(example=""), "text of 0 characters"),
        (function(arguments=(Argument("scores", "", float),)), "text of 0 characters"),
        (function(compute=by_place), "cannot be given by name"),
        (function(compute=other), "do not match"),
        (function("VALET_IAF"), "registered already"),
    ):
        with pytest.raises(ValueError, match=word):
            check(wrong)


def test_what_rounding_errors_leave_of_a_zero_is_shown_as_zero() -> None:
    """A third of three times a third and its like: no cell shows 5.55E-17, and none -0."""
    results = Function("VALET_T", lambda: np.array([5e-17, -0.0, -1e-10, 2e-9, np.nan]), "s", (), "r", "e")
    assert str(results()) == "[[0.0], [0.0], [0.0], [2e-09], [None]]"
    assert str(Function("VALET_T", lambda: -1e-17, "s", (), "r", "e")()) == "[[0.0]]"
