"""Sheets as clubs keep them: what is one deal, what is written once for several rows, and what is below."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from valet_xl.engine.options import Options
from valet_xl.engine.results import Results
from valet_xl.errors import FileError, SheetError
from valet_xl.reading.csv_file import CsvFile
from valet_xl.reading.grid import read_grid
from valet_xl.reading.headings import SYNONYMS, columns_of
from valet_xl.sheets.score_file import score_file
from valet_xl.sheets.score_sheet import Scored, score_grid

Grid = list[list[object]]


def read(grid: Grid, **options: object) -> Results:
    return read_grid(grid, Options(**options)).results


def score(grid: Grid) -> Scored:
    return score_grid(grid, Options())


def cells(scored: Scored, name: str) -> list[object]:
    (column,) = (column for column in scored.block.columns if column.name == name)
    return column.cells


def movement(sections: int = 1, tables: int = 5, *, pairs: bool = False) -> Grid:
    """A Mitchell movement: in each round the tables of a section play different boards, two each."""
    grid: Grid = [["Section", "Round", "Table", "Board", "Contract", "By", "Tricks", "NS Pair", "EW Pair"]]
    for section in "ABC"[:sections]:
        for turn in range(tables):
            for table in range(tables):
                for board in (1, 2):
                    number = 2 * ((turn + table) % tables) + board
                    names = [table + 1, 100 + (table + turn * 2) % tables] if pairs else [None, None]
                    grid.append([section, turn + 1, table + 1, number, "3NT", "N", 8 + table % 3, *names])
    return grid


@pytest.mark.parametrize("pairs", [False, True])
@pytest.mark.parametrize("sections", [1, 2])
def test_a_movement_has_one_deal_a_board_number(sections: int, pairs: bool) -> None:
    """With and without pairs, whose numbers come again in each section, right of the contract."""
    results = read(movement(sections, pairs=pairs))
    assert results.rounds == "same"
    assert not results.errors
    assert len(results.boards) == 10
    assert np.bincount(results.board).tolist() == [5 * sections] * 10


def test_a_team_match_has_new_deals_in_each_round() -> None:
    """Both tables play every board of a round."""
    grid: Grid = [["Round", "Table", "Board", "Contract", "By", "Tricks"]]
    grid += [[turn, table, board, "3NT", "N", 9] for turn in (1, 2) for table in (1, 2) for board in range(1, 9)]
    results = read(grid)
    assert results.rounds == "new" and len(results.boards) == 16
    assert read(grid, rounds="same").rounds == "same"


@pytest.mark.parametrize("heading", ["Year", "Date", "Event", "Session"])
def test_boards_of_another_occasion_are_other_deals(heading: str) -> None:
    """Also with rounds that make no difference."""
    grid: Grid = [[heading, "Round", "Board", "NS", "EW", "Contract", "By", "Tricks"]]
    grid += [[when, 1, 1, pair, pair + 10, "3NT", "N", 9] for when in ("2010", "2011") for pair in (1, 2)]
    results = read(grid)
    assert results.boards == (("2010 1", "1"), ("2011 1", "1")) and not results.errors


def test_dates_are_days() -> None:
    grid: Grid = [["Date", "Board", "Contract", "By", "Tricks"]]
    grid += [[f"2026-01-02 20:{minute}", 1, "3NT", "N", 9] for minute in (10, 20)]
    assert len(read(grid).boards) == 1


def test_what_is_written_once_for_several_rows_holds_for_all() -> None:
    """As in merged cells: board and round are in the first of their rows."""
    grid: Grid = [["Round", "Board", "NS", "Contract", "By", "Tricks"]]
    for turn in (1, 2):
        for board in (1, 2):
            for pair in (1, 2, 3):
                first = pair == 1
                grid.append(
                    [turn if first and board == 1 else None, board if first else None, pair, "3NT", "N", 8 + pair]
                )
    results = read(grid)
    assert not results.errors
    assert [results.boards[at] for at in results.board[::3]] == [("1", "1"), ("1", "2"), ("2", "1"), ("2", "2")]


def test_a_board_number_that_is_missing_is_no_board_above() -> None:
    grid: Grid = [["Board", "Contract", "By", "Tricks"]]
    grid += [[board, "3NT", "N", 9] for board in (1, 1, None, 2, 2)]
    assert [str(error) for error in read(grid).errors] == ["row 4, Board: '' (expected a board number)"]


def test_scores_under_a_table_that_became_shorter_are_cleared() -> None:
    """What an earlier scoring left there; a row that has anything else is not touched."""
    grid: Grid = [["Board", "Contract", "By", "Tricks"], *([1, "3NT", "N", tricks] for tricks in (9, 8, 10, 7))]
    block = score(grid).block
    for at, column in enumerate(block.columns):
        for down, cell in enumerate([column.name, *column.cells]):
            grid[down] = [*grid[down], *[None] * (block.left + at - len(grid[down])), cell]
    grid[3][:4] = grid[4][:4] = [None] * 4
    shorter = score(grid)
    assert len(shorter.block.columns[0].cells) == 4
    assert cells(shorter, "Score") == [400, -50, None, None]
    grid[3][0] = "Total"
    assert len(score(grid).block.columns[0].cells) == 2


def test_rows_under_the_last_result_are_none_of_ours() -> None:
    grid: Grid = [["Board", "Contract", "By", "Tricks"], [1, "3NT", "N", 9], [1, "3NT", "N", 8], [], ["Thank you all"]]
    scored = score(grid)
    assert len(scored.block.columns[0].cells) == 2 and scored.summary.skipped == (5,)


def test_rows_in_error_have_no_adjusted_score_and_spoil_their_boards() -> None:
    """Nor has an adjusted row a score where another row spoils the board."""
    grid: Grid = [["Board", "Contract", "By", "Tricks"], [1, "60/40", None, 14], [1, "3NT", "N", 9], [1, "3NT", "N", 8]]
    scored = score(grid)
    assert cells(scored, "Butler") == cells(scored, "IAF") == [None] * 3
    grid = [["Board", "Contract", "By", "Tricks"], [1, "60/40"], [1, "3NT", "N", 9], [1, "8H", "N", 8]]
    scored = score(grid)
    assert cells(scored, "IAF") == [None] * 3
    assert cells(scored, "Note")[0] == "adjusted, 60 % - 40 %; board not scored, see row 4"


@pytest.mark.parametrize(("heading", "numbers"), [("Result", (6, 10, 9, 8)), ("Made", (7, 10, 9, 8))])
def test_a_column_of_total_tricks_under_another_heading_is_refused(heading: str, numbers: tuple[int, ...]) -> None:
    """Whole, because some of its numbers could be read the wrong way; a single odd one is its row's error."""
    contracts = ("1NT", "4S", "4S", "2S")
    grid: Grid = [["Board", "Contract", "By", heading]]
    grid += [[1, contract, "N", number] for contract, number in zip(contracts, numbers, strict=True)]
    with pytest.raises(SheetError, match=f"column {heading} seems to contain all tricks: row 3 has 10 at level 4"):
        read(grid)
    grid = [["Board", "Contract", "By", "Result"], [1, "4S", "N", 1], [1, "4S", "N", 1], [1, "4S", "N", 9]]
    assert [error.row for error in read(grid).errors] == [4]


NATIVE = {
    "Założenia": "vulnerability",
    "Rozgrywający": "declarer",
    "Levées": "tricks",
    "Entame": "lead",
    "Résultat": "result",
    "Déclarant": "declarer",
    "Spilfører": "declarer",
    "Bazas": "tricks",
}


@pytest.mark.parametrize("heading", NATIVE)
def test_headings_are_known_in_their_own_spelling(heading: str) -> None:
    assert columns_of([heading]) == {NATIVE[heading]: 0}


def test_no_heading_names_two_fields() -> None:
    names = [name for names in SYNONYMS.values() for name in names]
    assert len(names) == len(set(names))


def test_scandinavian_seats() -> None:
    """N Ø S V are players; Ø and V declare."""
    grid: Grid = [["Spil", "N", "Ø", "S", "V", "Kontrakt", "Spilfører", "Stik"]]
    grid += [[1, "Ann", "Bo", "Cai", "Dan", "4S", "Ø", 10], [1, "Eva", "Finn", "Gry", "Hans", "4S", "V", 9]]
    results = read(grid)
    assert not results.errors and results.score.tolist() == [-420, 50]


def test_summary_of_a_datum_that_leaves_nothing() -> None:
    """Such boards are not scored, and said to be so."""
    grid: Grid = [["Board", "Contract", "By", "Tricks"], [1, "3NT", "N", 9], [1, "3NT", "N", 8]]
    scored = score_grid(grid, Options(datum="trimmed", leave_out=1))
    assert scored.summary.unscored == ("board 1, no datum, too few results",)


def test_columns_read_and_not_read_are_told() -> None:
    grid: Grid = [["Board", "Contract", "Kibitzer", "By", "Tricks"], [1, "3NT", "Bob", "N", 9], [1, "3NT", "", "N", 8]]
    scored = score(grid)
    assert set(scored.read) == {"Board", "Contract", "By", "Tricks"} and scored.unread == ("Kibitzer",)


# -- CSV


def test_a_fully_quoted_semicolon_file() -> None:
    file = CsvFile.parse(b'"Board";"Contract";"By";"Tricks"\n"1";"4S";"N";"10"\n')
    assert file.delimiter == ";" and file.grid[1] == ["1", "4S", "N", "10"]


def test_a_quote_out_of_place_is_told_with_its_line() -> None:
    with pytest.raises(FileError, match="not a CSV file: line 2"):
        CsvFile.parse(b'Board,Contract,By,NS\n1,4S,N,"Bob" Smith\n')


def test_decimal_commas_stay_decimal_commas(tmp_path: Path) -> None:
    path = tmp_path / "night.csv"
    path.write_text("Board;Contract;By;Tricks;Points\n1;3NT;N;9;3,5\n1;3NT;N;8;1,5\n")
    written = score_file(path).written.read_text(encoding="utf-8-sig")
    assert ";175,000000;6,000000;10,000000;" in written and "." not in written


def test_a_note_is_no_formula(tmp_path: Path) -> None:
    path = tmp_path / "night.csv"
    path.write_text("Board,Contract,By,=/+/-\n1,3NT,N,9x\n1,3NT,N,=\n")
    assert "'=/+/-: '9x' (expected" in score_file(path).written.read_text(encoding="utf-8-sig")


def test_text_is_not_written_under_a_workbooks_name(tmp_path: Path) -> None:
    path = tmp_path / "night.csv"
    path.write_text("Board,Contract,By,Tricks\n1,3NT,N,9\n")
    with pytest.raises(FileError, match=r"is scored to text or .xlsx"):
        score_file(path, tmp_path / "night.ods")
    assert not (tmp_path / "night.ods").exists()


def test_a_table_with_bars_is_no_valet_text(tmp_path: Path) -> None:
    path = tmp_path / "night.txt"
    path.write_text("Round|Board|NS|EW|Contract|By|Lead|Result|Tricks\n1|1|1|2|3NT|N|SQ||9\n1|1|3|4|3NT|N|SQ||8\n")
    assert score_file(path).summary.scored == 2
