"""Rows of cells: what they mean, and what is said about each that cannot be read."""

from __future__ import annotations

import datetime
from collections.abc import Sequence

import numpy as np
import pytest

from valet_xl.documents.text import decode
from valet_xl.engine.notation import TEN, Strain
from valet_xl.engine.results import Results, Status
from valet_xl.errors import SheetError
from valet_xl.reading.columns import CodedColumn
from valet_xl.reading.rows import read_rows
from valet_xl.reading.valet_text import looks_like_scores, read_names, read_scores

FIRST_ROW = 2  # of the sheets here, under their headings


def read(options: dict[str, str] | None = None, **columns: Sequence[object]) -> Results:
    """Read columns; a column of one cell is that cell in every row."""
    size = max(len(cells) for cells in columns.values())
    filled = {name: list(cells) * (size if len(cells) == 1 else 1) for name, cells in columns.items()}
    return read_rows(filled, range(FIRST_ROW, FIRST_ROW + size), **(options or {}))


def statuses(results: Results) -> list[str]:
    return [Status(status).name for status in results.status]


def errors(results: Results) -> list[str]:
    return [str(error) for error in results.errors]


# -- results


def test_a_row_of_the_plainest_sheet() -> None:
    results = read(board=[7], contract=["4SX"], declarer=["W"], tricks=[9], lead=["H10"])
    assert statuses(results) == ["PLAYED"]
    assert results.score.tolist() == [200]  # board 7: both vulnerable
    assert (results.lead_suit[0], results.lead_rank[0]) == (Strain.HEARTS, TEN)
    assert results.boards == (("", "7"),)
    assert results.row.tolist() == [FIRST_ROW]


def test_numbers_may_be_texts_or_floats() -> None:
    boards, tricks = ["1", 1, 1.0, " 1 ", "Board 1", "#1"], ["10", 10, 10.0, " 10 ", "10", 10]
    results = read(board=boards, contract=["4S"], declarer=["N"], tricks=tricks)
    assert results.score.tolist() == [420] * 6
    assert results.boards == (("", "1"),)


def test_a_contract_cell_may_tell_everything() -> None:
    results = read(board=[1], contract=["W3NT+2", "3NTN+1", "4HS=", "S5Hx-1", "P"])
    assert results.score.tolist() == [-460, 430, 420, -100, 0]


def test_tricks_are_a_total_and_a_result_is_against_the_contract() -> None:
    total = read(board=[1], contract=["1NT"], declarer=["N"], tricks=[8])
    assert total.score.tolist() == [120]
    against = read(board=[1], contract=["1NT"], declarer=["N"], result=[1, "+1", "−2", "="])
    assert against.score.tolist() == [120, 120, -100, 90]


def test_a_result_column_may_be_read_as_tricks() -> None:
    results = read({"result_is": "tricks"}, board=[1], contract=["1NT"], declarer=["N"], result=[8])
    assert results.score.tolist() == [120]


def test_a_made_and_a_down_column() -> None:
    """Made is odd tricks, or against the contract where it is marked so; 0 and blank say nothing."""
    made, down = [4, 5, "+1", "=", None, 0, None], [None, 0, None, None, 2, 1, -1]
    results = read(board=[1], contract=["4S"], declarer=["N"], made=made, down=down)
    assert results.score.tolist() == [420, 450, 450, 420, -100, -50, -50]


def test_columns_that_agree_may_tell_a_result_twice() -> None:
    columns = {"contract": ["4SX", "4S"], "double": ["X", "2"], "tricks": [10], "result": ["="], "score": [590, 880]}
    results = read(board=[1], declarer=["N"], **columns)
    assert results.score.tolist() == [590, 880]
    assert results.errors == ()


def test_pass_outs_of_every_spelling_score_0() -> None:
    columns = {"declarer": [None, "-", "N", None], "tricks": [None, None, 0, 13]}
    results = read(board=[2], contract=["P", "All Pass", "passed out", "Rondpas"], **columns)
    assert statuses(results) == ["PASSED_OUT"] * 4
    assert results.score.tolist() == [0] * 4
    assert results.level.tolist() == [0] * 4


def test_a_dash_in_the_place_of_a_contract_is_a_pass_out_if_its_score_says_so() -> None:
    """With a note; otherwise it may as well be a board that was not played."""
    columns = {"contract": ["4S", "-", "-", "4S"], "declarer": ["N", None, None, "E"], "tricks": [10, None, None, 9]}
    results = read(board=[1], **columns, score=[420, 0, None, 50])
    assert statuses(results) == ["PLAYED", "PASSED_OUT", "ERROR", "PLAYED"]
    assert results.notes == ((1, "contract '-' read as passed out, as its score is 0"),)
    assert errors(results) == ["row 4, contract: '-' (expected Pass if all passed, NP if the board was not played)"]
    imps = read(board=[1], **columns, score=[3, 0, None, -4])
    assert statuses(imps)[1] == "ERROR"


def test_boards_not_played_have_no_score() -> None:
    results = read(board=[1], contract=["NP", "Not played", None], declarer=[None], tricks=[None])
    assert statuses(results) == ["UNPLAYED"] * 3
    assert np.isnan(results.score).all()


def test_adjusted_scores_stand_in_any_column_that_tells_a_result() -> None:
    results = read(
        board=[1],
        contract=["A+", "4S", "60/40", None, "4S"],
        declarer=["N"],
        tricks=[None, 10, None, "A-", "A5050"],
        score=[None, None, None, None, None],
    )
    assert statuses(results) == ["ADJUSTED", "PLAYED", "ADJUSTED", "ADJUSTED", "ADJUSTED"]
    assert results.adjusted.tolist()[2] == [60, 40]
    assert results.adjusted[:, 0].tolist() == pytest.approx([60, np.nan, 60, 40, 50], nan_ok=True)
    assert np.isnan(results.score).tolist() == [True, False, True, True, True]


def test_rows_without_a_result_are_passed_over_and_named() -> None:
    results = read(
        board=[1, None, "Sum"], contract=["4S", None, None], declarer=["N", None, None], tricks=[10, None, None]
    )
    assert len(results) == 1
    assert results.skipped == (4,)
    assert results.errors == ()


def test_no_rows_are_no_results() -> None:
    assert len(read_rows({"board": [], "contract": []}, [])) == 0


# -- vulnerability


def test_the_board_s_number_tells_the_vulnerability_where_no_column_does() -> None:
    results = read(board=[1, 2, 3, 4], contract=["4S"], declarer=["N"], tricks=[9])
    assert results.score.tolist() == [-50, -100, -50, -100]


def test_a_column_tells_the_vulnerability() -> None:
    vulnerability = ["Both", "-", "NS", "e-w"]
    results = read(board=[1, 2, "A", "B"], vulnerability=vulnerability, contract=["4S"], declarer=["N"], tricks=[9])
    assert results.score.tolist() == [-100, -50, -100, -50]


def test_two_vulnerabilities_of_one_board_are_a_conflict() -> None:
    results = read(board=[1], vulnerability=["NS", "EW"], contract=["4S"], declarer=["N"], tricks=[9])
    assert errors(results) == ["row 3, vulnerability: 'EW' (expected NS as in row 2)"]


def test_a_board_without_a_number_needs_a_vulnerability() -> None:
    results = read(board=["A"], contract=["4S"], declarer=["N"], tricks=[9])
    (error,) = errors(results)
    assert error == "row 2, board: 'A' (expected a board number, or the vulnerability in a column of its own)"


# -- rounds

TWO_ROUNDS = {"round": [1, 1, 2, 2], "board": [1], "contract": ["4S"], "declarer": ["N"], "tricks": [10, 9, 10, 9]}
MOVEMENT = {"ns": [1, 2, 3, 4], "ew": [5, 6, 7, 8]}  # nobody meets the board twice
NEW_DEALS = {"ns": [1, 2, 1, 2], "ew": [5, 6, 6, 5]}


@pytest.mark.parametrize(
    ("rounds", "sides", "boards"),
    [
        ("same", NEW_DEALS, (("", "1"),)),
        ("new", MOVEMENT, (("1", "1"), ("2", "1"))),
        ("auto", MOVEMENT, (("", "1"),)),
        ("auto", NEW_DEALS, (("1", "1"), ("2", "1"))),
        ("auto", {}, (("1", "1"), ("2", "1"))),  # two results a round: they can be compared
    ],
)
def test_whether_a_board_of_another_round_is_another_deal(
    rounds: str, sides: dict[str, list[int]], boards: tuple[tuple[str, str], ...]
) -> None:
    assert read({"rounds": rounds}, **TWO_ROUNDS, **sides).boards == boards


def test_boards_that_meet_one_table_a_round_are_one_deal() -> None:
    results = read(round=[1, 2, 3, 4], board=[1], contract=["4S"], declarer=["N"], tricks=[10, 9, 10, 9])
    assert results.boards == (("", "1"),)


# -- bad cells: one error each

GOOD: dict[str, object] = {
    **{"board": 1, "vulnerability": "-", "contract": "4S", "double": None, "declarer": "N", "tricks": 10},
    **{"result": "=", "made": 4, "down": None, "lead": "HA"},
}


def test_the_good_row_has_no_error() -> None:
    assert read(**{field: [cell] for field, cell in GOOD.items()}).errors == ()


NO_CONTRACT = "(expected one such as 3NT, 4SX or Pass)"
NO_TRICKS = "(expected 0-13)"


@pytest.mark.parametrize(
    ("field", "cell", "message"),
    [
        ("contract", "8H", "'8H' (level must be 1-7)"),
        ("contract", "3NT by X", f"'3NT by X' {NO_CONTRACT}"),
        ("contract", "#VALUE!", f"'#VALUE!' {NO_CONTRACT}"),
        ("contract", 4, "'4' (without a suit; expected one such as 3NT, 4SX or Pass)"),
        ("contract", True, f"'TRUE' {NO_CONTRACT}"),
        ("contract", datetime.date(2026, 3, 4), f"'2026-03-04' {NO_CONTRACT}"),
        ("contract", float("inf"), f"'inf' {NO_CONTRACT}"),
        ("contract", "4S+4", "'4S+4' (at level 4 expected -10 to +3)"),
        ("contract", "4SE", None),  # the declarer column says N
        ("tricks", 14, f"'14' {NO_TRICKS}"),
        ("tricks", -1, f"'-1' {NO_TRICKS}"),
        ("tricks", 9.5, f"'9.5' {NO_TRICKS}"),
        ("tricks", "ten", f"'ten' {NO_TRICKS}"),
        ("tricks", True, f"'TRUE' {NO_TRICKS}"),
        ("tricks", "#REF!", f"'#REF!' {NO_TRICKS}"),
        ("tricks", datetime.datetime(2026, 3, 4), f"'2026-03-04 00:00:00' {NO_TRICKS}"),
        ("tricks", 1e20, f"'100000000000000000000' {NO_TRICKS}"),
        ("tricks", float("nan"), f"'nan' {NO_TRICKS}"),
        ("result", "=+", "'=+' (expected =, +n or -n)"),
        ("result", "#NAME?", "'#NAME?' (expected =, +n or -n)"),
        ("result", 10, "'10' (at level 4 expected -10 to +3; total tricks go under a heading such as Tricks)"),
        ("result", -1, "'-1' (expected 10 tricks, as the row says elsewhere)"),
        ("made", 3, "'3' (expected the odd tricks made, at least the level)"),
        ("made", "yes", "'yes' (expected =, +n or -n)"),
        ("down", 1, "'1' (expected 10 tricks, as the row says elsewhere)"),
        ("declarer", "X", "'X' (expected N, E, S or W)"),
        ("declarer", 1, "'1' (expected N, E, S or W)"),
        ("declarer", None, "'' (expected N, E, S or W)"),
        ("double", "XXX", "'XXX' (expected X, XX, 0, 1, 2 or blank)"),
        ("vulnerability", "red", "'red' (expected None, NS, EW or Both)"),
        ("lead", "Z9", "'Z9' (expected a card such as SQ, H10 or a suit)"),
        ("lead", 7, "'7' (expected a card such as SQ, H10 or a suit)"),
        ("board", None, "'' (expected a board number)"),
    ],
)
def test_a_bad_cell_is_one_error_with_its_row_column_and_value(field: str, cell: object, message: str | None) -> None:
    results = read(**{name: [good, cell if name == field else good] for name, good in GOOD.items()})
    (error,) = results.errors
    assert error.row == FIRST_ROW + 1
    if message is not None:
        assert str(error) == f"row {error.row}, {field}: {message}"
    assert statuses(results) == ["PLAYED", "PLAYED" if field == "lead" else "ERROR"]


def test_a_bad_lead_is_reported_and_the_result_still_counts() -> None:
    results = read(board=[1], contract=["4S"], declarer=["N"], tricks=[10, 9], lead=["from nowhere", "HA"])
    assert errors(results) == ["row 2, lead: 'from nowhere' (expected a card such as SQ, H10 or a suit)"]
    assert results.in_field.all()
    assert results.lead_suit.tolist() == [-1, Strain.HEARTS]


def test_a_row_not_understood_spoils_its_board_and_no_other() -> None:
    results = read(board=[1, 1, 2], contract=["8S", "4S", "4S"], declarer=["N"], tricks=[10])
    assert results.spoiled.tolist() == [True, False]
    assert results.in_field.tolist() == [False, False, True]
    assert results.score[1] == 420


@pytest.mark.parametrize(
    "columns",
    [
        {"contract": [None], "declarer": ["N"], "tricks": [None]},
        {"contract": [None], "declarer": [None], "tricks": [9]},
        {"contract": [None], "declarer": [None], "tricks": [None], "score": [420]},
    ],
)
def test_a_result_without_a_contract_is_an_error(columns: dict[str, list[object]]) -> None:
    assert errors(read(board=[1], **columns)) == ["row 2, contract: '' (expected a contract)"]


def test_a_contract_without_a_result_is_an_error() -> None:
    results = read(board=[1], contract=["4S"], declarer=["N"], tricks=[None])
    assert errors(results) == ["row 2, tricks: '' (expected a result)"]


def test_a_double_that_the_contract_contradicts_is_an_error() -> None:
    assert len(errors(read(board=[1], contract=["4SX"], double=["XX"], declarer=["N"], tricks=[10]))) == 1


def test_a_second_result_of_a_pair_on_a_board_makes_its_seating_doubtful_and_no_other() -> None:
    results = read(board=[1, 1, 2], contract=["4S"], declarer=["N"], tricks=[10], ns=["A1"], ew=["B1", "B2", "B1"])
    assert errors(results) == []
    assert results.doubtful.tolist() == [[True, False], [True, False], [False, False]]


def test_two_players_who_sit_either_way_are_one_pair() -> None:
    results = read(
        **{"board": [1, 2], "contract": ["4S"], "declarer": ["N"], "tricks": [10]},
        **{"north": ["Ann", "Bob"], "south": ["Bob", "Ann"], "east": ["Cy"], "west": ["Di"]},
    )
    assert results.errors == ()
    assert results.sides[0, 0] == results.sides[1, 0]
    assert results.names[results.sides[0, 0]] == "Ann - Bob"


def test_a_result_far_out_of_range_is_an_error_even_where_tricks_are_given() -> None:
    results = read(board=[1], contract=["4S"], declarer=["N"], tricks=[9], result=["-99"])
    assert errors(results) == [
        "row 2, result: '-99' (at level 4 expected -10 to +3; total tricks go under a heading such as Tricks)"
    ]


def test_a_number_of_thousands_of_digits_is_no_contract() -> None:
    results = read(board=[1], contract=["9" * 5000 + "S"], declarer=["N"], tricks=[9])
    assert [error.expected for error in results.errors] == ["level must be 1-7"]


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: read({"result_is": "score"}, board=[1]), "result_is must be one of made, tricks, odd, got 'score'"),
        (lambda: read({"rounds": "old"}, board=[1]), "rounds must be one of auto, new, same, got 'old'"),
        (lambda: read(bord=[1]), "unknown field 'bord'"),
        (lambda: read_rows({"board": [1]}, [2, 3]), "column board must have 2 cells like rows, got 1"),
    ],
)
def test_misuse_is_named(call: object, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        call()


# -- the Valet program's text


def test_valet_text_gives_rounds_players_and_leads() -> None:
    names = read_names("a|Ann\nc|Cy Ek\nnothing\n")
    results = read_scores("# heading\n\n1|7|a|b|c|d|4SX|S|9|HA\n2|7|a|b|c|d|P||\n", names)
    assert results.boards == (("1", "7"), ("2", "7"))
    assert results.score.tolist() == [-200, 0]
    assert results.row.tolist() == [3, 4]
    assert results.names[results.sides[0, 0]] == "Ann - Cy Ek"
    assert results.lead_suit.tolist() == [Strain.HEARTS, -1]


@pytest.mark.parametrize("line", ["1|7|a|b|c|d|4S|S", "1|7|a|b|c|d|4S|S|9|HA|more", "nothing"])
def test_a_line_of_another_form_is_named(line: str) -> None:
    results = read_scores(f"1|7|a|b|c|d|4S|S|9\n{line}\n")
    (error,) = results.errors
    assert (error.row, error.value) == (2, line)
    assert "expected round|board|N|E|S|W|contract|declarer|tricks[|lead]" in str(error)


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "cp1252"])
def test_names_are_read_in_every_encoding_in_use(encoding: str) -> None:
    assert read_names(decode("1|Zoë Ångström\n2|Søren\n".encode(encoding))) == {"1": "Zoë Ångström", "2": "Søren"}


@pytest.mark.parametrize("ending", ["\n", "\r\n", "\r"])
def test_lines_end_as_they_do_anywhere(ending: str) -> None:
    assert read_scores(ending.join(["1|1|a|b|c|d|4S|S|10|HA", "1|1|e|f|g|h|4S|S|9", ""])).score.tolist() == [420, -50]


def test_a_text_without_results_is_refused() -> None:
    with pytest.raises(SheetError, match="no results"):
        read_scores("# nothing\n\n")
    assert not looks_like_scores([])


# -- pairs of one number in both directions


def pairs(results: Results) -> list[list[str]]:
    return [[results.names[side] if side >= 0 else "" for side in row] for row in results.sides.tolist()]


def test_numbers_that_sit_both_ways_on_the_boards_are_two_pairs_each() -> None:
    """A Mitchell movement of three tables."""
    ns, ew = [1, 2, 3, 1, 2, 3], [1, 2, 3, 2, 3, 1]
    results = read(board=[1, 1, 1, 2, 2, 2], contract=["4S"], declarer=["N"], tricks=[10], ns=ns, ew=ew)
    assert results.errors == ()
    assert pairs(results) == [[f"{one} NS", f"{other} EW"] for one, other in zip(ns, ew, strict=True)]
    assert len(np.unique(results.sides)) == 6


def test_numbers_that_sit_one_way_on_a_board_and_the_other_on_the_next_are_one_pair() -> None:
    ns, ew = [1, 3, 2, 4], [2, 4, 3, 1]
    results = read(board=[1, 1, 2, 2], contract=["4S"], declarer=["N"], tricks=[10], ns=ns, ew=ew)
    assert pairs(results) == [["1", "2"], ["3", "4"], ["2", "3"], ["4", "1"]]


def test_one_slip_in_a_number_does_not_part_all_pairs() -> None:
    ns, ew = [1, 3, 5, 7, 9], [2, 4, 6, 8, 9]
    results = read(board=[1], contract=["4S"], declarer=["N"], tricks=[10], ns=ns, ew=ew)
    assert pairs(results)[4] == ["9", "9"]


def test_pairs_of_sections_are_told_apart_in_each_direction() -> None:
    results = read(
        **{"section": ["A", "A", "B", "B"], "board": [1], "contract": ["4S"], "declarer": ["N"], "tricks": [10]},
        **{"ns": [1, 2, 1, 2], "ew": [1, 2, 1, 2]},
    )
    assert results.errors == ()
    assert pairs(results)[2] == ["B 1 NS", "B 1 EW"]


def test_an_adjusted_score_of_which_no_more_is_said() -> None:
    results = read(
        board=[1], contract=["Adjusted", "4S"], declarer=["N"], tricks=[None, 10], score=[None, "Arbitral score"]
    )
    assert results.errors == ()
    assert statuses(results) == ["ADJUSTED", "ADJUSTED"]
    assert np.isnan(results.adjusted).all()


def test_columns_may_be_given_by_their_distinct_texts() -> None:
    contracts = CodedColumn(["4S", "3NT"], np.array([1, 0, 1]))
    fields = {"board": [1, 1, 1], "contract": contracts, "declarer": ["N"] * 3, "tricks": [9, 10, 8]}
    assert read_rows(fields, range(3)).score.tolist() == [400, 420, -50]
    with pytest.raises(ValueError, match="column contract must have 2 cells like rows, got 3"):
        read_rows(fields | {"board": [1, 1]}, range(2))


def test_two_adjusted_scores_of_a_row_must_agree() -> None:
    """Else it would have the share of one side from one of them, and that of the other from the other."""
    results = read(board=[1, 2], contract=["A7030", "60/40"], declarer=[None, None], score=["A+", "A+"])
    assert [str(error) for error in results.errors] == [
        "row 2, score: 'A+' (expected the adjusted score that the row says elsewhere)"
    ]
    assert statuses(results) == ["ERROR", "ADJUSTED"]
    assert results.adjusted[1].tolist() == [60, 40]
