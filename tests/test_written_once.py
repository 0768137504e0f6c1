"""Pairs right of the contract and pairs written once for several rows; what a ranking says of results without pairs."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner
from simulate import tournament

from valet_xl.cli.main import app
from valet_xl.engine.comparison import cross_imps, matchpoint_percent, matchpoints
from valet_xl.engine.notation import Contract, Double, Seat, Strain
from valet_xl.engine.options import Options
from valet_xl.engine.results import Results
from valet_xl.reading.grid import read_grid

Grid = list[list[object]]
HEADING = ["Board", "Contract", "By", "Tricks"]


def read(grid: Grid) -> Results:
    return read_grid(grid, Options()).results


def rows_of(results: Results) -> Grid:
    rows: Grid = []
    for at in range(len(results)):
        contract = Contract(int(results.level[at]), Strain(int(results.strain[at])), Double(int(results.double[at])))
        by, tricks = (str(Seat(int(results.declarer[at]))), int(results.tricks[at])) if contract.level else ("", None)
        rows.append([int(results.board[at]) + 1, str(contract), by, tricks])
    return rows


def with_columns(results: Results, headings: list[str], columns: list[list[object]]) -> Grid:
    cells = zip(rows_of(results), *columns, strict=True)
    return [[*HEADING, *headings], *([*row, *more] for row, *more in cells)]


def movement(tables: int, boards: int) -> tuple[list[int], list[int]]:
    """Pairs N-S and E-W of each result, boards one after the other: a Mitchell movement."""
    ns = [table + 1 for _ in range(boards) for table in range(tables)]
    ew = [tables + 1 + (table + board) % tables for board in range(boards) for table in range(tables)]
    return ns, ew


# -- NS and EW right of the contract


@pytest.mark.parametrize("tables", [1, 2, 3, 9])
@pytest.mark.parametrize(
    "label", [str, "A{}".format, "{} Alm - Ek".format, "{:03d}".format, lambda number: 100 + number]
)
def test_pairs_right_of_the_contract_are_pairs(tables: int, label: object) -> None:
    results = tournament(8, tables, tables)
    ns, ew = movement(tables, 8)
    grid = with_columns(results, ["NS", "EW"], [list(map(label, ns)), list(map(label, ew))])
    found = read(grid)
    assert found.remarks == ("NS and EW right of the contract: pairs",)
    assert [found.names[pair] for pair in found.sides[:, 0]] == [str(label(number)) for number in ns]
    assert [found.names[pair] for pair in found.sides[:, 1]] == [str(label(number)) for number in ew]
    assert found.errors == ()


@pytest.mark.parametrize("seed", range(8))
@pytest.mark.parametrize("sides", [["NS", "EW"], ["E-W", "N-S"]])
def test_points_right_of_the_contract_are_compared(sides: list[str], seed: int) -> None:
    results = tournament(8, 7, seed)
    score = results.score.astype(int).tolist()
    ns, ew = ([value if value > 0 else None for value in values] for values in (score, [-each for each in score]))
    columns = [ns, ew] if sides[0] == "NS" else [ew, ns]
    found = read(with_columns(results, sides, columns))
    assert found.remarks[0] == f"{sides[0]} and {sides[1]} right of the contract: points"
    assert found.remarks[1].endswith("compared as each side's points, 56 of 56 agree") or 0 in score
    columns[0][columns[0].index(next(filter(None, columns[0])))] += 30
    assert len(read(with_columns(results, sides, columns)).errors) == 1


@pytest.mark.parametrize("seed", range(12))
@pytest.mark.parametrize("tables", [2, 3, 8])
@pytest.mark.parametrize("what", ["matchpoints", "single matchpoints", "per cent", "IMPs", "one side's IMPs", "with %"])
def test_other_scores_right_of_the_contract_are_neither(what: str, tables: int, seed: int) -> None:
    results = tournament(8, tables, seed)
    score, boards = results.score, results.board
    top = 2.0 * (tables - 1)
    ns = {
        "IMPs": lambda: np.rint(cross_imps(score, boards=boards)),
        "one side's IMPs": lambda: np.rint(cross_imps(score, boards=boards)),
        "matchpoints": lambda: matchpoints(score, boards=boards),
        "single matchpoints": lambda: matchpoints(score, boards=boards) / 2,
        "per cent": lambda: matchpoint_percent(score, boards=boards),
        "with %": lambda: matchpoint_percent(score, boards=boards),
    }[what]()
    ew = {"matchpoints": top, "single matchpoints": top / 2, "per cent": 100, "with %": 100}.get(what, 0) - ns
    columns: list[list[object]] = [ns.tolist(), ew.tolist()]
    if what == "one side's IMPs":
        columns = [[value if value > 0 else None for value in side] for side in columns]
    if what == "with %":
        columns = [[f"{value:.0f} %" for value in side] for side in columns]
    found = read(with_columns(results, ["NS", "EW"], columns))
    assert found.remarks == ("NS and EW right of the contract: other scores, not read",)
    assert found.errors == () and (found.sides == -1).all()


def test_pairs_left_of_the_contract_stay_the_pairs() -> None:
    grid: Grid = [
        ["NS", "EW", *HEADING, "NS", "EW"],
        [1, 2, 1, "4S", "N", 10, 420, None],
        [3, 4, 1, "4S", "N", 9, None, 50],
    ]
    found = read(grid)
    assert [found.names[pair] for pair in found.sides.ravel()] == ["1", "2", "3", "4"]
    assert found.remarks[0] == "NS and EW right of the contract: points"


# -- written once for several rows


def form(rounds: int = 6, boards: int = 3, *, once: bool = True) -> Grid:
    """The filled-in form of a table: in each round other pairs, each written once for the round's boards."""
    grid: Grid = [["Round", "Table", "Section", "NS", "EW", "N", "E", "S", "W", *HEADING]]
    for turn in range(rounds):
        for at in range(boards):
            who = [turn + 1, 1, "A", turn + 1, turn + 11, *(f"{seat}{turn}" for seat in "NESW")]
            grid.append([*(who if at == 0 or not once else [None] * 9), turn * boards + at + 1, "3NT", "N", 8 + at])
    return grid


def test_pairs_written_once_for_a_round_hold_for_its_boards() -> None:
    once, each = read(form()), read(form(once=False))
    assert once.remarks == ("NS and N and S and EW and E and W: written once for several rows, and filled down",)
    assert [[once.names[who] for who in row] for row in once.sides] == [
        [each.names[who] for who in row] for row in each.sides
    ]
    assert [[once.names[who] for who in row] for row in once.players] == [
        [each.names[who] for who in row] for row in each.players
    ]


def test_a_stationary_pair_is_written_once_for_the_whole_form() -> None:
    grid = form()
    for row in grid[2:]:
        row[3] = None
    assert [read(grid).names[pair] for pair in read(grid).sides[:, 0]] == ["A 1"] * 18


def test_pairs_that_would_have_two_results_on_a_board_are_not_filled_down() -> None:
    grid: Grid = [["NS", "EW", *HEADING]]
    grid += [[1 if at == 0 else None, 10 + at, board, "4S", "N", 9 + at] for board in (1, 2) for at in range(3)]
    found = read(grid)
    assert found.remarks == ("NS: mostly blank, and not filled down, as it is not certain whose the rows are",)
    assert np.count_nonzero(found.sides[:, 0] < 0) == 4


def test_pairs_are_not_filled_down_where_their_players_are_named_instead() -> None:
    """As in a sheet that lists the pairs by number or else by name."""
    grid = form(rounds=4, boards=2, once=False)
    for row in grid[2::2]:
        row[3:5] = [None, None]
    for row in grid[1::2]:
        row[5:9] = [None] * 4
    found = read(grid)
    assert [remark.partition(":")[0] for remark in found.remarks] == ["NS and N and S and EW and E and W"]
    assert len(np.unique(found.sides)) == 16


def test_pairs_are_not_filled_down_into_another_section() -> None:
    grid = form()
    for at, row in enumerate(grid[1:], start=1):
        row[2] = "A" if at < 10 else "B"
    grid[10][3] = None
    assert any(remark.startswith("NS: mostly blank") for remark in read(grid).remarks)


def test_a_few_pairs_that_are_missing_are_missing() -> None:
    grid = form(once=False)
    grid[5][3] = grid[5][4] = None
    assert read(grid).remarks == ()


# -- what a ranking says


def write(path: Path, grid: Grid) -> Path:
    path.write_text("\n".join(",".join("" if cell is None else str(cell) for cell in row) for row in grid) + "\n")
    return path


def rank(*arguments: object) -> tuple[int, str, str]:
    done = CliRunner().invoke(app, ["rank", *map(str, arguments)])
    return done.exit_code, done.stdout, done.stderr


def club(pairs: bool) -> Grid:
    ns, ew = movement(3, 6)
    grid = with_columns(tournament(6, 3, 1), ["NS", "EW"], [ns, ew])
    for row in grid[1:] if not pairs else grid[1:3]:
        row[4] = None
    return grid


def test_rank_says_how_many_results_of_which_file_name_no_pair(tmp_path: Path) -> None:
    whole = with_columns(tournament(6, 3, 1), ["NS", "EW"], [*movement(3, 6)])
    monday, tuesday = write(tmp_path / "monday.csv", whole), write(tmp_path / "tuesday.csv", club(pairs=True))
    code, _, said = rank(monday, tuesday)
    assert code == 0
    assert "tuesday.csv: 2 of 18 results name no pair on one side or both, and rank nobody there" in said
    assert "monday.csv: 18" not in said and "of 18 results name" in said


def test_rank_says_what_the_columns_hold_where_there_are_no_pairs(tmp_path: Path) -> None:
    results = tournament(6, 3, 1)
    points = matchpoints(results.score, boards=results.board)
    grid = with_columns(results, ["NS", "EW"], [points.tolist(), (4 - points).tolist()])
    code, _, said = rank(write(tmp_path / "night.csv", grid))
    assert code == 2
    assert "no pairs are named in the results" in said
    assert "NS and EW right of the contract: other scores, not read" in said
