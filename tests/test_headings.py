"""Grids: the heading row among title rows, columns by their names in any order."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from valet_xl.documents.cell_names import cell_name
from valet_xl.engine.results import Results
from valet_xl.errors import SheetError
from valet_xl.reading.headings import SYNONYMS, Grid, columns_of, find_headings, read_table

HEADING = ["Board", "Contract", "By", "Tricks"]
ROW = [1, "4S", "N", 10]


def read(grid: Grid, **options: str) -> Results:
    return read_table(grid, find_headings(grid), len(grid) - 1, **options)


# -- headings


def test_the_heading_row_is_found_among_title_rows() -> None:
    grid = [["Club night"], [], [None, "Director", "Bo"], ["Board"], HEADING, ROW]
    headings = find_headings(grid)
    assert headings.row == 4
    assert headings.columns == {"board": 0, "contract": 1, "declarer": 2, "tricks": 3}
    assert read(grid).score.tolist() == [420]
    assert read(grid).row.tolist() == [6]


@given(st.permutations([*zip(HEADING, ROW, strict=True), ("Room", "Open"), (None, "x"), ("Lead", "HA")]))
def test_columns_stand_in_any_order_among_others(columns: list[tuple[object, object]]) -> None:
    heading, row = zip(*columns, strict=True)
    results = read([heading, row])
    assert results.score.tolist() == [420]
    assert results.lead_suit.tolist() == [2]


@pytest.mark.parametrize(("field", "name"), [(field, name) for field, names in SYNONYMS.items() for name in names])
def test_every_synonym_names_its_field_in_any_case(field: str, name: str) -> None:
    for heading in (name, name.upper(), f" {name.title()}. "):
        assert columns_of([heading]) == {field: 0}


def test_no_name_stands_for_two_fields() -> None:
    names = [name for of_field in SYNONYMS.values() for name in of_field]
    assert len(set(names)) == len(names)


@pytest.mark.parametrize(
    ("heading", "field"),
    [("Levées", "tricks"), ("Étui", "board"), ("Vulnérabilité", "vulnerability"), ("Öst", "east"), ("Sør", "south")],
)
def test_accents_do_not_matter(heading: str, field: str) -> None:
    assert columns_of([heading]) == {field: 0}


def test_of_two_columns_with_one_name_the_first_counts() -> None:
    assert columns_of(["Board", "Contract", "By", "Tricks", "Contract"])["contract"] == 1


def test_pairs_stand_left_of_the_contract_and_scores_right_of_it() -> None:
    assert columns_of(["NS", "EW", "Contract", "NS", "EW"]) == {"ns": 0, "ew": 1, "contract": 2}
    assert columns_of(["Contract", "NS", "EW"]) == {"contract": 0}


def test_headings_right_of_the_width_are_none() -> None:
    assert find_headings([[*HEADING, "Lead"]], width=4).columns == find_headings([HEADING]).columns


def test_a_sheet_with_tricks_and_one_with_results() -> None:
    assert read([["Bd", "Contract", "Decl", "Result"], [1, "4S", "N", 1]]).score.tolist() == [450]
    assert read([["Bd", "Contract", "Decl", "Result"], [1, "4S", "N", 9]], result_is="tricks").score.tolist() == [-50]
    made_down = [["Bd", "Contract", "Decl", "Made", "Down"], [1, "4S", "N", 4, None], [1, "4S", "N", None, 1]]
    assert read(made_down).score.tolist() == [420, -50]


def test_a_contract_column_may_tell_declarer_and_result() -> None:
    assert read([["Board", "Contract"], [1, "W3NT+2"], [1, "Pass"]]).score.tolist() == [-460, 0]


def test_rows_shorter_than_the_heading_are_blank_there() -> None:
    assert read([HEADING, [1, "Pass"], [1]]).score[0] == 0


def test_a_heading_row_said_again_is_passed_over() -> None:
    results = read([HEADING, ROW, HEADING, ROW])
    assert results.row.tolist() == [2, 4]
    assert results.errors == ()


def test_errors_name_the_sheet_s_own_headings() -> None:
    (error,) = read([["Bricka", "Kontrakt", "Av", "Stick"], [1, "8S", "N", 10]]).errors
    assert str(error) == "row 2, Kontrakt: '8S' (level must be 1-7)"


def test_errors_are_one_line_where_a_heading_is_two() -> None:
    (error,) = read([["Board", "Final\ncontract", "By", "Tricks"], [1, "8S", "N", 10]]).errors
    assert str(error) == "row 2, Final contract: '8S' (level must be 1-7)"


# -- refusals


@pytest.mark.parametrize(
    ("grid", "message"),
    [
        ([], "no heading row found in the first 200 rows (expected a heading row with Board, Contract, By and Tricks"),
        ([[None, 1, 2.5], [True]], "no heading row found"),
        ([["Board", "By", "Tricks"]], "heading row 1 has Board (A1), By (B1), Tricks (C1), but no Contract"),
        ([["x y"], [None, "Contract", "By"]], "heading row 2 has Contract (B2), By (C2), but no Board"),
        ([[["Board", "Contract"]]], "no heading row found"),
    ],
)
def test_a_heading_row_missing_or_lacking_says_what_was_found(grid: Sequence[Sequence[object]], message: str) -> None:
    with pytest.raises(SheetError) as refused:
        find_headings(grid)
    assert str(refused.value).startswith(message)


def test_a_heading_row_far_down_is_not_found() -> None:
    with pytest.raises(SheetError, match="no heading row found"):
        find_headings([[]] * 200 + [HEADING])


@pytest.mark.parametrize(
    ("heading", "row", "missing"),
    [
        (
            ["Board", "Contract", "Tricks"],
            [1, "4S", 10],
            r"has Board, Contract, Tricks, but no By \(the declarer\)",
        ),
        (["Board", "Contract", "By"], [1, "4S", "N"], "heading row 1 has Board, Contract, By, but no Tricks or Result"),
        (["Board", "Contract"], [1, "4S"], r"but no By \(the declarer\) and no Tricks or Result"),
    ],
)
def test_a_table_that_cannot_tell_declarer_or_result_is_refused(
    heading: list[str], row: list[object], missing: str
) -> None:
    with pytest.raises(SheetError, match=missing):
        read([heading, row])


def test_a_second_table_with_other_columns_is_refused() -> None:
    with pytest.raises(SheetError, match="two heading rows with different columns, rows 1 and 3"):
        read([HEADING, ROW, ["Board", "By", "Contract", "Tricks"], [1, "N", "4S", 10]])


def test_a_row_with_one_heading_in_it_is_a_row_not_understood() -> None:
    (error,) = read([HEADING, ROW, [2, "Contract", "N", 9]]).errors
    assert str(error) == "row 3, Contract: 'Contract' (expected one such as 3NT, 4SX or Pass)"


def test_addresses() -> None:
    assert [cell_name(0, 0), cell_name(6, 25), cell_name(6, 26), cell_name(1048575, 16383)] == [
        "A1",
        "Z7",
        "AA7",
        "XFD1048576",
    ]


@pytest.mark.parametrize("heading", ["OpeningLead", "opening  lead", "Opening\nlead:", "OPENING LEAD"])
def test_blanks_in_headings_do_not_matter(heading: str) -> None:
    results = read([[*HEADING, heading], [*ROW, "SQ"]])
    assert (results.lead_suit.tolist(), results.lead_rank.tolist()) == ([3], [12])
