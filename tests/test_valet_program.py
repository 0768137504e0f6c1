"""What the Valet 1.1 program computes (../shared/data/valet), result by result, and where it departs from its rules."""

from __future__ import annotations

import csv
import gzip
from pathlib import Path

import numpy as np
import pytest
from assertions import assert_close
from brute import components
from strategies import to_tables
from valet_program import parts_of

from valet_xl.documents.text import decode
from valet_xl.engine.options import Options
from valet_xl.engine.results import Results
from valet_xl.engine.valet import Components, valet
from valet_xl.reading.valet_text import read_scores

EVENTS = [*(f"example{number}" for number in range(1, 8)), "2015-World-Men"]
PLAIN = {
    "iaf": {},
    "datum": {"method": "datum", "rounding": "integer"},
    "datum-extremes": {"method": "datum", "rule": "trimmed", "rounding": "integer"},
    "datum-hardround": {"method": "datum", "rounding": "integer", "imp_rounding": "down"},
    "matchpoints": {"method": "matchpoints"},
}
PRINTED = ("overall", "bid", "play1", "play2", "lead1", "lead2", "def")
CLOUD = {
    "iaf-cloud": {"cloud": True},
    "datum-cloud": {"method": "datum", "cloud": True},
    "matchpoints-cloud": {"method": "matchpoints", "cloud": True},
}


@pytest.fixture(scope="session")
def valet_data(shared: Path) -> Path:
    return shared / "data" / "valet"


def read_event(valet_data: Path, event: str) -> Results:
    results = read_scores(decode((valet_data / event / "scores.txt").read_bytes()))
    assert results.errors == ()
    return results


def program(valet_data: Path, event: str, mode: str, results: Results) -> dict[str, np.ndarray]:
    """What the program printed, in the order of the results; it counts a board's results in the order of its file."""
    with gzip.open(valet_data / event / f"results-{mode}.csv.gz", "rt") as lines:
        of_key = {(line["round"], line["board"], int(line["n"])): line for line in csv.DictReader(lines)}
    assert len(of_key) == len(results)
    seen: dict[int, int] = {}
    rows = []
    for board in results.board.tolist():
        number = seen[board] = seen.get(board, -1) + 1
        rows.append(of_key[(*results.boards[board], number)])
    printed = {name: np.array([float(row[name]) for row in rows]) for name in PRINTED}
    return {
        "overall": printed["overall"],
        "bid": printed["bid"],
        "play": printed["play1"] + printed["play2"],  # that of the player of the pair who declared
        "lead": printed["lead1"] + printed["lead2"],
        "defence": printed["def"],
    }


def scored(valet_data: Path, event: str, mode: str) -> tuple[Results, Components, dict[str, np.ndarray]]:
    results = read_event(valet_data, event)
    parts = valet(results, **(PLAIN | CLOUD)[mode])
    return results, parts, program(valet_data, event, mode, results)


def has_pass_out(results: Results) -> np.ndarray:
    """(n,) whether a table passed the board out."""
    return np.bincount(results.board, results.level == 0)[results.board] > 0


@pytest.mark.parametrize("mode", PLAIN)
@pytest.mark.parametrize("event", EVENTS)
def test_every_result_in_every_plain_mode(valet_data: Path, event: str, mode: str) -> None:
    _, parts, printed = scored(valet_data, event, mode)
    for name, values in printed.items():
        assert_close(getattr(parts, name), values, 1e-4, name)


@pytest.mark.parametrize("mode", CLOUD)
@pytest.mark.parametrize("event", EVENTS)
def test_every_result_of_boards_without_pass_outs_in_cloud_modes(valet_data: Path, event: str, mode: str) -> None:
    """Overall, bid and play; lead and defence are another of its departures."""
    results, parts, printed = scored(valet_data, event, mode)
    compared = ~has_pass_out(results)
    for name in ("overall", "bid", "play"):
        assert_close(getattr(parts, name)[compared], printed[name][compared], 1e-4, name)


@pytest.mark.parametrize("mode", CLOUD)
@pytest.mark.parametrize("event", EVENTS)
def test_every_result_in_cloud_modes_given_its_departures(valet_data: Path, event: str, mode: str) -> None:
    """Pass-outs, leads and defence too; at matchpoints and in IMPs to its five decimals."""
    results, _, printed = scored(valet_data, event, mode)
    method = {"iaf-cloud": "iaf", "datum-cloud": "datum", "matchpoints-cloud": "matchpoints"}[mode]
    parts = parts_of(results, Options(method=method, cloud=True, unknown_lead="zero", factor="none"))
    for name, values in printed.items():
        assert_close(getattr(parts, name), values, 1e-4, name)


# -- where it departs from its own definition, and this program does not


@pytest.mark.slow
def test_departure_its_clouds_count_a_passed_out_table_as_0_imps_for_the_others(valet_data: Path) -> None:
    """It sums up only the others who played, but divides by all the n - 1 others."""
    results, parts, printed = scored(valet_data, "2015-World-Men", "iaf-cloud")
    rows = np.flatnonzero(has_pass_out(results) & (results.level > 0))
    assert len(rows) > 100
    assert np.abs(parts.overall - printed["overall"])[rows].max() > 0.1
    tables = to_tables(results, "suit")
    for board in np.unique(results.board[rows])[:6].tolist():
        of_board = np.flatnonzero(results.board == board)
        by_definition = components(tables[board], "iaf", True)
        assert by_definition is not None
        assert parts.overall[of_board] == pytest.approx([each.overall for each in by_definition])
        without = [each for each in tables[board] if each.level]
        in_company = components(without, "iaf", True)
        assert in_company is not None
        played = results.level[of_board] > 0
        share = (len(without) - 1) / (len(of_board) - 1)
        assert printed["overall"][of_board[played]] == pytest.approx(
            [each.overall * share for each in in_company], abs=1e-4
        )


def test_departure_its_clouds_give_a_lead_score_where_only_one_table_declared_the_strain(valet_data: Path) -> None:
    results, parts, printed = scored(valet_data, "2015-World-Men", "iaf-cloud")
    cell = (results.board * 5 + results.strain) * 4 + results.declarer
    alone = (np.bincount(cell)[cell] == 1) & (results.level > 0) & (results.lead_suit >= 0)
    assert_close(parts.lead[alone], np.zeros(alone.sum()))
    assert np.abs(printed["lead"][alone]).max() > 0.05


def test_departure_a_board_with_one_result_aborts_it() -> None:
    results = read_scores("1|1|1|2|3|4|4S|N|10|HA\n1|2|1|2|3|4|4S|N|10|HA\n1|2|5|6|7|8|4S|N|9|HA\n")
    assert valet(results).overall == pytest.approx([np.nan, 12, -12], nan_ok=True)


def test_departure_a_difference_over_5000_crashes_it() -> None:
    results = read_scores("1|2|1|2|3|4|7NXX|N|13|HA\n1|2|5|6|7|8|7NXX|S|0|HA\n")
    assert valet(results).overall.tolist() == [24, -24]


def test_departure_it_wants_3n_and_never_3nt() -> None:
    results = read_scores("1|1|1|2|3|4|3N|N|9|HA\n1|1|5|6|7|8|3NT|N|9|HA\n")
    assert results.errors == ()
    assert results.score.tolist() == [400, 400]


@pytest.mark.parametrize("passed_out", ["P|W|0", "P||", "P|N|", "P|S|0|"])
def test_departure_it_reads_a_stale_declarer_on_pass_outs(passed_out: str) -> None:
    """Whatever is there: the score is 0, and North-South's."""
    results = read_scores(f"1|1|1|2|3|4|3N|W|9|HA\n1|1|5|6|7|8|{passed_out}\n")
    assert results.errors == ()
    parts = valet(results)
    assert (parts.overall[1], parts.bid[1], parts.play[1]) == (9, 9, 0)
