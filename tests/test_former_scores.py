"""A sheet is scored again: what scoring wrote is replaced, and what somebody typed there since stays."""

from __future__ import annotations

import datetime
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from workbook_samples import edit, parts
from xlsxwriter import Workbook

from valet_xl.documents.xlsx import Workbook as Book
from valet_xl.engine.options import Options
from valet_xl.errors import SheetError
from valet_xl.sheets.former_scores import typed_remark, with_remark
from valet_xl.sheets.score_file import score_file
from valet_xl.sheets.score_sheet import Scored, score_grid

Grid = list[list[object]]
HEADINGS = ["Board", "Contract", "By", "Tricks"]
ROWS: Grid = [[board, contract, "N", 9] for board in (1, 2) for contract in ("3NT", "2S", "4H")]
FIRST = len(HEADINGS)  # column of scores
NOTE = FIRST + 8
EVERY = [Options(method=method, cloud=cloud) for method in ("iaf", "matchpoints") for cloud in (False, True)]


def sheet() -> Grid:
    """Results with a blank row between two boards and three blank rows below."""
    rows = [HEADINGS, *ROWS[:3], [], *ROWS[3:], [], [], []]
    return [[*row, *[None] * (20 - len(row))] for row in rows]


def write(grid: Grid, scored: Scored) -> None:
    """Put the block into the grid, and empty what it replaces."""
    block = scored.block
    for row in range(block.area.top, block.area.bottom + 1):
        for at in range(block.area.left, block.area.right + 1):
            grid[row][at] = None
    for at, column in enumerate(block.columns, block.left):
        for row, cell in enumerate([column.name, *column.cells], block.top):
            grid[row][at] = cell


def score(grid: Grid, options: Options = EVERY[0]) -> Grid:
    write(grid, score_grid(grid, options))
    return grid


@pytest.mark.parametrize("typed", ["thank you all", "400", 12, 3.5, datetime.date(2024, 2, 29), True])
@pytest.mark.parametrize("column", [FIRST, FIRST + 3, NOTE])
def test_a_row_under_the_last_result_stays(typed: object, column: int) -> None:
    """In every column of ours, with every method before and after."""
    for before in EVERY:
        grid = score(sheet(), before)
        grid[8][column] = typed
        for after in EVERY:
            assert score(grid, after)[8] == [typed if at == column else None for at in range(20)]


def test_sums_and_averages_under_the_last_result_stay() -> None:
    """They are numbers under every one of our columns, as somebody pasted them."""
    for options in EVERY:
        grid = score(sheet(), options)
        columns = range(FIRST, FIRST + len(score_grid(grid, options).block.columns) - 1)
        for share in (1, 6):
            sums: list[object] = [None] * 20
            for at in columns:
                sums[at] = sum(row[at] for row in grid[1:8] if isinstance(row[at], float | int)) / share  # type: ignore[misc]
            grid[8] = list(sums)
            assert score(grid, options)[8] == sums


@pytest.mark.parametrize("options", EVERY)
def test_scores_whose_results_are_gone_go_too(options: Options) -> None:
    """At the end and between others; what has a remark, or anything left, is not touched."""
    grid = score(sheet(), options)
    grid[2][:FIRST] = grid[7][:FIRST] = [None] * FIRST
    score(grid, options)
    assert grid[2] == grid[7] == [None] * 20
    grid = score(sheet(), options)
    kept = list(grid[7])
    grid[7][:FIRST] = ["Total", None, None, None]
    score(grid, options)
    assert grid[7][FIRST:] == kept[FIRST:]


def test_text_between_results_stays() -> None:
    """Also where the columns change; where its column goes, it is refused by its place."""
    grid = score(sheet(), EVERY[1])
    grid[4][FIRST + 1], grid[4][FIRST + 8] = "tea", "late"  # under Datum and Luck
    assert score(grid, EVERY[1])[4][FIRST : FIRST + 9] == [None, "tea", *[None] * 6, "late"]
    before = [list(row) for row in grid]
    with pytest.raises(SheetError, match=r"^M5 contains something that scoring did not write \(move it"):
        score(grid, EVERY[0])
    assert grid == before
    grid[4][FIRST + 8] = None
    assert score(grid, EVERY[0])[4][FIRST + 1] == "tea"


def test_a_remark_in_the_column_of_notes_stays() -> None:
    """Alone, behind a note of ours, and when that note goes; a second time adds nothing."""
    grid = score(sheet())
    grid[1][NOTE] = "ruling pending"
    grid[2][1] = "9H"
    for _ in range(3):
        score(grid)
        assert grid[1][NOTE] == "board not scored, see row 3; ruling pending"
    assert str(grid[2][NOTE]).startswith("Contract: '9H' (")
    grid[2][1] = "2H"
    score(grid, EVERY[3])
    assert (grid[1][NOTE + 2], grid[2][NOTE + 2]) == ("ruling pending", None)


def test_what_cannot_be_written_again_is_refused_by_its_place() -> None:
    grid = score(sheet())
    grid[4][FIRST] = datetime.date(2024, 2, 29)
    with pytest.raises(SheetError, match=r"^E5 contains something"):
        score(grid)


ODD = st.sampled_from(["", "9H", "; ", "a; b", "x: 'y' (z)", "'", '"', "3NT", "P", "60/40", "A", "NP", "4S=", "x" * 99])


@given(st.lists(st.tuples(st.sampled_from([1, 2, "", "x"]), ODD, ODD, ODD), min_size=1, max_size=9))
def test_every_note_is_known_as_ours(rows: list[tuple[object, ...]]) -> None:
    """Whatever it quotes: else it would be taken for a remark, and stay for ever."""
    grid: Grid = [HEADINGS, [1, "3NT", "N", 9], *map(list, rows)]
    notes = score_grid(grid, Options(datum="trimmed")).block.columns[-1].cells
    assert [note for note in notes if note and typed_remark(str(note))] == []


@given(st.text(max_size=300))
def test_any_remark_stays_as_it_is(text: str) -> None:
    """Behind a note of ours and alone, once and again."""
    once = with_remark("not played", typed_remark(text))
    assert with_remark("not played", typed_remark(once)) == once


def test_a_long_note_takes_no_time() -> None:
    """It is looked at once, from left to right."""
    text = "x: 'a' (b; " * 3000
    assert typed_remark(text) == text


@pytest.mark.parametrize("suffix", [".xlsx", ".csv"])
def test_a_file_scored_again(suffix: str, tmp_path: Path) -> None:
    """Text under the new columns survives; and the file does not change any more."""
    path = tmp_path / f"evening{suffix}"
    if suffix == ".csv":
        path.write_text("\n".join(",".join(map(str, row)) for row in [HEADINGS, *ROWS, []]), encoding="utf-8")
        score_file(path, path)
        text = path.read_text(encoding="utf-8-sig").rstrip() + "\n,,,,,,thank you all\n"
        path.write_text(text, encoding="utf-8-sig")
        score_file(path, path)
        assert ",,,,,,thank you all" in path.read_text(encoding="utf-8")
        return
    with Workbook(path) as book:
        page = book.add_worksheet("Results")
        for at, row in enumerate([HEADINGS, *ROWS]):
            page.write_row(at, 0, row)
    score_file(path)
    last = '<row r="8"><c r="G8" t="inlineStr"><is><t>thank you all</t></is></c></row>'
    edit(path, "xl/worksheets/sheet1.xml", "</sheetData>", f"{last}</sheetData>")
    score_file(path)
    assert Book.open(path).read("Results").cell(7, 6) == "thank you all"
    before = parts(path)
    score_file(path)
    assert parts(path) == before
