"""What the numbers under Tricks and Result are is decided for a whole sheet, and said; or the sheet is refused."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from simulate import tournament

from valet_xl import read_results
from valet_xl.engine.notation import Contract, Double, Seat, Strain, result_text
from valet_xl.engine.options import Options
from valet_xl.engine.results import Results
from valet_xl.errors import SheetError
from valet_xl.reading.grid import read_grid
from valet_xl.reading.trick_columns import SAYS
from valet_xl.sheets.convert import convert_file

Grid = list[list[object]]


def sheet(results: Results, heading: str, how: str) -> Grid:
    grid: Grid = [["Board", "Contract", "By", heading]]
    for at in range(len(results)):
        level, tricks = int(results.level[at]), int(results.tricks[at])
        if not level:
            grid.append([int(results.board[at]) + 1, "Pass", None, None])
            continue
        contract = Contract(level, Strain(int(results.strain[at])), Double(int(results.double[at])))
        over = tricks - 6 - level
        cell: object = {
            "tricks": tricks,
            "made": over,
            "marked": result_text(over),
            "odd": tricks - 6 if over >= 0 else over,
        }[how]
        grid.append([int(results.board[at]) + 1, str(contract), str(Seat(int(results.declarer[at]))), cell])
    return grid


def read(grid: Grid, **options: str) -> Results:
    return read_grid(grid, Options(**options)).results


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize(
    ("heading", "how", "said"),
    [
        ("Tricks", "tricks", ""),
        ("Tricks", "made", SAYS["made"]),
        ("Tricks", "marked", SAYS["made"]),
        ("Tricks", "odd", SAYS["odd"]),
        ("Result", "made", ""),
        ("Result", "marked", ""),
        ("Result", "odd", SAYS["odd"]),
    ],
)
def test_a_column_is_read_as_it_was_meant(heading: str, how: str, said: str, seed: int) -> None:
    meant = tournament(6, 6, seed)
    found = read(sheet(meant, heading, how))
    assert found.errors == ()
    assert found.tricks.tolist() == meant.tricks.tolist()
    assert found.remarks == ((f"{heading}: read as {said}",) if said else ())


@pytest.mark.parametrize("tables", [1, 2, 3])
@pytest.mark.parametrize("how", ["tricks", "made", "marked", "odd"])
@pytest.mark.parametrize("heading", ["Tricks", "Result"])
def test_a_small_sheet_is_read_as_it_was_meant_or_refused(heading: str, how: str, tables: int) -> None:
    """All tricks under Result are refused as a whole, or in the rows in which they are too many.

    A single result is what its heading says if it may be; a single one that is far off is refused.
    """
    refused = 0
    for seed in range(60):
        meant = tournament(1, tables, seed)
        try:
            found = read(sheet(meant, heading, how))
        except SheetError as error:
            assert "in two ways" in str(error) or "seems to contain all tricks" in str(error)
            refused += 1
            continue
        if tables > 1 and ((heading, how) != ("Result", "tricks") or not found.errors):
            assert found.tricks.tolist() == meant.tricks.tolist()
    if how == "marked" or (heading, how) == ("Tricks", "tricks"):
        assert refused <= (2 if tables == 1 else 0)


def test_tricks_of_0_1_and_2_are_over_the_contract() -> None:
    grid: Grid = [["Board", "Contract", "By", "Tricks"], [1, "4S", "N", 0], [1, "3NT", "N", 1], [1, "2H", "N", 2]]
    found = read(grid)
    assert found.tricks.tolist() == [10, 10, 10]
    assert found.remarks == ("Tricks: read as tricks over or under the contract",)
    grid[1][3] = "="
    assert read(grid).tricks.tolist() == [10, 10, 10]


def test_a_slip_does_not_change_the_meaning() -> None:
    grid = sheet(tournament(6, 6, 2), "Tricks", "tricks")
    grid[3][3], grid[4][3] = "=", -1
    assert [error.row for error in read(grid).errors] == [4, 5]


@pytest.mark.parametrize(
    ("heading", "row", "ways"),
    [
        ("Tricks", [1, "2S", "N", 2], "made.*odd"),
        ("Tricks", [1, "1NT", "N", 3], "tricks.*odd"),
        ("Result", [1, "1NT", "N", 1], "made.*odd"),
    ],
)
def test_a_column_that_can_be_read_in_two_ways_is_refused_with_both(heading: str, row: list[object], ways: str) -> None:
    grid: Grid = [["Board", "Contract", "By", heading], row]
    with pytest.raises(SheetError, match=f"column {heading} can be read in two ways: .* --result-is {ways}"):
        read(grid)
    assert read(grid, result_is="made").tricks[0] == 6 + int(str(row[1])[0]) + int(str(row[3]))
    assert read(grid, result_is="odd").tricks[0] == 6 + int(str(row[3]))
    assert read(grid, result_is="tricks").tricks[0] == row[3]


def test_a_result_in_odd_tricks_below_the_level_is_an_error() -> None:
    grid = sheet(tournament(6, 6, 1), "Result", "odd")
    at = next(at for at, row in enumerate(grid) if at and str(row[1]).startswith("3") and row[3] in (3, 4))
    grid[at][3] = 2
    (error,) = read(grid).errors
    assert error.row == at + 1 and error.expected == "expected the odd tricks made, at least the level"


@pytest.mark.parametrize("how", ["made", "odd"])
def test_a_converted_sheet_has_all_tricks(tmp_path: Path, how: str) -> None:
    """And rows that cannot be read, with the cells that they had."""
    grid = sheet(tournament(6, 6, 1), "Tricks", how)
    grid[5][2] = "X"
    grid[9][3] = "many"
    path = tmp_path / "night.csv"
    path.write_text("\n".join(",".join("" if cell is None else str(cell) for cell in row) for row in grid))
    converted = convert_file(path, tmp_path / "out.csv")
    again = read_results(converted.written)
    np.testing.assert_array_equal(again.tricks, converted.results.tricks)
    np.testing.assert_array_equal(again.score, converted.results.score)
    assert {error.row for error in again.errors} == {6, 10}
    assert again.remarks == ()
    kept = converted.written.read_text("utf-8-sig").splitlines()[5]
    assert kept.endswith("(odd tricks)" if how == "odd" else "(against the contract)")
