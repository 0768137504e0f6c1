"""Shapes of sheets: each is recognised, read to the same results as a plain sheet, and scored where a club finds it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import fields
from pathlib import Path

import numpy as np
import pytest
import xlsxwriter
from click.testing import CliRunner
from hypothesis import given
from hypothesis import strategies as st
from shape_sheets import SHEETS, TRAVELLERS, Sheet

from valet_xl import read_results
from valet_xl.cli.main import app
from valet_xl.documents.xlsx import Workbook
from valet_xl.engine.options import Options
from valet_xl.engine.results import Results
from valet_xl.errors import FileError, SheetError
from valet_xl.functions.catalogue import REGISTRY
from valet_xl.reading import shape
from valet_xl.reading.csv_file import CsvFile
from valet_xl.reading.grid import read_grid
from valet_xl.reading.headings import Grid
from valet_xl.reading.shapes import SHAPES, take_shape
from valet_xl.sheets.convert import convert_file
from valet_xl.sheets.score_file import score_file
from valet_xl.sheets.score_sheet import score_grid

COLUMNS = [
    field.name
    for field in fields(Results)
    if field.type in ("Small", "Index", "Floats") and field.name not in ("row", "sides", "players")
]


def read(grid: Grid) -> Results:
    return read_grid(grid, Options()).results


def grid_of(text: str) -> list[list[str | None]]:
    return [[cell or None for cell in line.split(",")] for line in text.splitlines()]


def same(found: Results, expected: Results) -> None:
    """All that results say is the same, but for the rows that they come from."""
    assert found.boards == expected.boards
    for name in ("sides", "players"):
        assert called(found, name) == called(expected, name)
    for name in COLUMNS:
        np.testing.assert_array_equal(getattr(found, name), getattr(expected, name), name)


def called(results: Results, name: str) -> list[str]:
    return [results.names[at] if at >= 0 else "" for at in getattr(results, name).ravel().tolist()]


@pytest.fixture(params=SHEETS)
def sheet(request: pytest.FixtureRequest) -> Sheet:
    return SHEETS[request.param]


# -- what is read


def test_every_shape_has_a_sheet_here_and_says_how_it_is_recognised() -> None:
    assert {each.name for each in SHAPES} == {sheet.shape for sheet in SHEETS.values()}
    assert len({each.name for each in SHAPES}) == len(SHAPES)
    for each in SHAPES:
        assert each.sentence[0].islower() and not each.sentence.endswith(".")


def test_the_documentation_lists_every_shape() -> None:
    text = (Path(__file__).parents[1] / "docs" / "reference" / "formats.md").read_text("utf-8")
    listed = text.partition("<!-- shapes -->\n")[2].partition("<!-- end of shapes -->")[0].splitlines()[2:]
    in_place = {sheet.shape: sheet.in_place for sheet in SHEETS.values()}
    place = {True: "next to each row", False: "into a new file"}
    assert listed == [f"| {each.name} | {each.sentence} | {place[in_place[each.name]]} |" for each in SHAPES]


def test_a_sheet_is_recognised_and_read_like_a_plain_one(sheet: Sheet) -> None:
    for cells in (sheet.cells, grid_of(sheet.text)):
        assert take_shape(cells).shape.name == sheet.shape
        same(read(cells), read(grid_of(sheet.plain)))


def test_a_plain_sheet_is_taken_as_it_is(sheet: Sheet) -> None:
    cells = grid_of(sheet.plain)
    assert take_shape(cells).shape.name == "rows"
    assert take_shape(cells).table.cells is cells


def test_rows_are_the_sheets_own_where_a_row_is_a_result(sheet: Sheet) -> None:
    table = take_shape(sheet.cells).table
    assert table.in_place == sheet.in_place
    if table.in_place:
        assert len(table.cells) == len(sheet.cells)
    else:
        assert len(table.places) == len(table.cells) - 1


@given(
    st.lists(st.lists(st.sampled_from([None, "Board 1", "Board", "Contract", "By", "4SN=", "NS", 7, "x"]), max_size=6))
)
def test_no_cells_crash_a_shape(cells: list[list[object]]) -> None:
    try:
        read(cells)
    except SheetError as error:
        assert "\n" not in str(error)


# -- where scores go


def scores_of(path: Path) -> list[list[str | None]]:
    return CsvFile.parse(path.read_text("utf-8-sig").encode()).grid


def iaf_in(rows: list[list[str | None]]) -> list[str | None]:
    """The cross-IMPs that were written, blanks left out."""
    top = next(at for at, row in enumerate(rows) if "IAF" in row)
    return [
        row[rows[top].index("IAF")]
        for row in rows[top + 1 :]
        if len(row) == len(rows[top]) and row[rows[top].index("IAF")]
    ]


def test_a_csv_file_is_scored_next_to_its_rows_or_with_a_row_for_each(sheet: Sheet, tmp_path: Path) -> None:
    path, plain = tmp_path / "night.csv", tmp_path / "plain.csv"
    path.write_text(sheet.text, "utf-8")
    plain.write_text(sheet.plain, "utf-8")
    done, expected = score_file(path), score_file(plain)
    assert done.written.name == "night-scored.csv" and done.shape == ("" if sheet.shape == "rows" else sheet.shape)
    assert done.summary.scored == expected.summary.scored
    written = scores_of(done.written)
    assert iaf_in(written) == iaf_in(scores_of(expected.written))
    if sheet.in_place:
        grid = CsvFile.parse(sheet.text.encode()).grid
        assert [row[: len(own)] for row, own in zip(written, grid, strict=True)] == list(grid)


def test_a_workbook_is_scored_in_place_or_into_a_new_one(sheet: Sheet, tmp_path: Path) -> None:
    path = tmp_path / "night.xlsx"
    with xlsxwriter.Workbook(path) as book:
        page = book.add_worksheet()
        for at, row in enumerate(sheet.cells):
            page.write_row(at, 0, row)
    before = path.read_bytes()
    done = score_file(path)
    if sheet.in_place:
        assert done.written == path
        first = path.read_bytes()
        again = score_file(path)
        assert path.read_bytes() == first and again.place == done.place
    else:
        assert path.read_bytes() == before and done.written.name == "night-scored.xlsx"
        same(read(Workbook.open(done.written).read("Results").cells), read(sheet.cells))
        assert "sheet Results, " in done.place


def test_convert_writes_a_plain_sheet(sheet: Sheet, tmp_path: Path) -> None:
    path = tmp_path / "night.csv"
    path.write_text(sheet.text, "utf-8")
    written = convert_file(path, tmp_path / "plain.csv").written
    assert take_shape(scores_of(written)).shape.name == "rows"
    same(read_results(written), read_results(path))


def test_a_summary_says_which_shape_was_taken(sheet: Sheet, tmp_path: Path) -> None:
    path = tmp_path / "night.csv"
    path.write_text(sheet.text, "utf-8")
    score, convert = (CliRunner().invoke(app, [command, str(path)]).stdout for command in ("score", "convert"))
    assert (f"shape: {sheet.shape};" in score) == (f"as CSV ({sheet.shape})" in convert) == (sheet.shape != "rows")


def test_a_sheet_with_several_results_in_a_row_has_no_place_for_scores(sheet: Sheet) -> None:
    if sheet.in_place:
        assert score_grid(sheet.cells, Options()).shape == sheet.shape
        return
    with pytest.raises(SheetError, match=rf"a row of this sheet has several results \({sheet.shape}\)"):
        score_grid(sheet.cells, Options())
    with pytest.raises(SheetError, match="several results"):
        REGISTRY["VALET_COMPONENTS"].compute(sheet.cells, method="iaf", lead="suit", cloud=False, play_percent="rest")


def test_the_new_file_is_not_the_one_that_is_read(tmp_path: Path) -> None:
    path = tmp_path / "night.csv"
    path.write_text(SHEETS["rooms"].text)
    with pytest.raises(FileError, match="is the file that is read"):
        score_file(path, path)
    with pytest.raises(FileError, match=r"written as .xlsx or .csv"):
        score_file(path, tmp_path / "out.txt")


# -- what is wrong


def test_an_error_names_the_cell_where_a_row_has_several_results() -> None:
    assert [str(error) for error in read(SHEETS["rooms"].cells).errors] == [
        "row 6 (cell C5), Contract: '8H' (level must be 1-7)"
    ]
    assert [str(error) for error in read(SHEETS["boards_down"].cells).errors] == [
        "row 6 (cell B4), Contract: '9SN=' (level must be 1-7)"
    ]


def test_errors_use_the_sheets_own_headings() -> None:
    text = "Board 1,,,,,\nNS,EW,Bid,By,Ld,Tks\n1,2,8NT,N,S4,9\n3,4,4S,E,HA,19\n"
    assert [str(error) for error in read(grid_of(text)).errors] == [
        "row 3, Bid: '8NT' (level must be 1-7)",
        "row 4, Tks: '19' (expected 0-13)",
    ]


def test_a_declarer_who_does_not_sit_there_is_an_error() -> None:
    text = SHEETS["bridgemate"].text.replace("2,1,1,3,4,4,E", "2,1,1,3,4,3,E")
    assert [str(error) for error in read(grid_of(text)).errors] == ["row 3, Declarer: '3' (expected 4, who sits E)"]


def refused(text: str, match: str) -> None:
    with pytest.raises(SheetError, match=match):
        read(grid_of(text))


def test_travellers_side_by_side_are_refused() -> None:
    head = "NS,EW,Contract,By,Tricks"
    refused(
        f"Board 1,,,,,Board 2,,,,\n{head},{head}\n1,2,4S,N,10,1,2,3NT,N,9\n",
        "row 1 has the travellers of 2 boards side by side",
    )


def test_travellers_with_different_columns_are_refused() -> None:
    text = "Board 1\nNS,Contract,By,Tricks\n1,4S,N,10\nBoard 2\nNS,EW,Contract,By,Tricks\n1,2,4S,N,10\n"
    refused(text, "two travellers with different columns, rows 2 and 5")


def test_a_wide_sheet_with_each_result_twice_is_refused() -> None:
    refused("Pair,1,2\n1,4SN=,3NTN-1\n2,4SN=,3NTN-1\n3,4SN+1,P\n4,4SN+1,P\n", "every result is there twice")
    assert len(read(grid_of("Pair,1,2\n1,4SN=,3NTN-1\n2,4SN=,3NTN-1\n3,4SN+1,P\n"))) == 6


def test_a_board_named_in_a_remark_does_not_hide_a_result() -> None:
    text = "Board 1\nRemark,Contract,By,Tricks\nBoard 7 came later,4S,N,10\n,4S,N,9\n"
    assert read(grid_of(text)).boards == (("", "1"),) and len(read(grid_of(text))) == 2


def test_one_heading_row_may_be_above_all_travellers() -> None:
    text = TRAVELLERS.replace("NS,EW,Contract,By,Tricks,Lead\n", "")
    same(read(grid_of(f"NS,EW,Contract,By,Tricks,Lead\n{text}")), read(grid_of(TRAVELLERS)))


def test_a_board_in_the_middle_of_two_rooms() -> None:
    rooms = "Contract,By,Tricks,Board,Contract,By,Tricks\n4S,N,10,1,4S,N,9\n4S,N,10,2,,,\n"
    assert read(grid_of(rooms)).score.tolist() == [420, -50, 620]


def test_a_second_contract_column_without_results_of_its_own_is_no_room() -> None:
    assert take_shape(grid_of("Board,Contract,By,Tricks,Contract\n1,4S,N,10,x\n")).shape.name == "rows"


def test_rooms_whose_columns_cannot_be_told_apart_are_refused() -> None:
    refused(
        "Board,By,Contract,Contract,By\n1,N,4S,4S,N\n", "heading row 1 has 2 contracts, but their columns cannot be"
    )


def test_a_table_of_bbo_may_come_after_a_long_ranking() -> None:
    text = SHEETS["bbo"].text.replace("1,ann+bo,60\n", "".join(f"{at},a+b,50\n" for at in range(1, 400)))
    same(read(grid_of(text)), read(grid_of(SHEETS["bbo"].text)))


def test_a_large_sheet_without_a_shape_is_refused_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """The first rows under a heading show what is in its columns: a hundred times as many are not looked at."""
    looked = Counter[str]()
    monkeypatch.setattr(shape, "is_result", lambda cell: looked.update([str(cell)]) is not None)
    grid: Grid = [["Pair", *range(1, 10)], *[[f"P{at}", *["x"] * 9] for at in range(40_000)]]
    with pytest.raises(SheetError, match="no heading row"):
        read(grid)
    assert looked["x"] <= 2 * 9 * 200


def test_pairs_of_bridgemate_may_have_letters() -> None:
    text = SHEETS["bridgemate"].text.replace("1,1,1,1,2,1,N", "1,1,1,A1,B2,,N")
    assert {"A1", "B2"} <= set(read(grid_of(text)).names)


def test_an_individual_of_bridgemate_names_four_players() -> None:
    text = "Board,PairNS,PairEW,South,West,Declarer,NS/EW,Contract,Result\n1,1,2,3,4,3,S,4 S,=\n1,5,6,7,8,5,N,4 S,-1\n"
    results = read(grid_of(text))
    assert [[results.names[at] for at in row] for row in results.players.tolist()] == [list("1234"), list("5678")]


def test_scored_once_a_sheet_keeps_its_shape() -> None:
    for sheet in SHEETS.values():
        if sheet.in_place:
            block = score_grid(sheet.cells, Options()).block
            scored: list[Sequence[object]] = [list(row) for row in sheet.cells]
            for at, row in enumerate(scored):
                under = at - block.top - 1
                own = [*row, *[None] * (block.left - len(row))]
                new = (
                    [c.name if under < 0 else c.cells[under] for c in block.columns]
                    if -1 <= under < len(block.columns[0].cells)
                    else []
                )
                scored[at] = [*own, *new]
            again = score_grid(scored, Options())
            assert (again.shape, again.block.left, again.block.replaces) == (
                sheet.shape,
                block.left,
                len(block.columns),
            )
            assert again.block.columns == block.columns
