"""The tables of pairs that the Valet 1.1 program prints (../shared/data/valet), cell by cell to their decimals."""

from __future__ import annotations

import csv
from dataclasses import fields, replace
from functools import cache, partial
from pathlib import Path

import numpy as np
import pytest

from valet_xl.documents.text import decode
from valet_xl.engine.options import Options
from valet_xl.engine.results import Results
from valet_xl.engine.score_results import split
from valet_xl.engine.valet import Components
from valet_xl.rankings.averages import Average
from valet_xl.rankings.totals import Totals, totals
from valet_xl.reading.valet_text import read_names, read_scores

TOURNAMENTS = ["2004-Istanbul", "2005-World-Women", "2013-Polish-League", "2015-World-Men"]
EVENTS = [*TOURNAMENTS, *(f"example{number}" for number in range(1, 8))]
# The program's way with unknown leads.
AS_THERE = partial(Options, unknown_lead="zero")
PLAIN = {
    "iaf": AS_THERE(),
    "datum": AS_THERE(method="datum", rounding="integer"),
    "datum-extremes": AS_THERE(method="datum", datum="trimmed", rounding="integer"),
    "datum-hardround": AS_THERE(method="datum", rounding="integer", imp_rounding="down"),
    "matchpoints": AS_THERE(method="matchpoints", factor="none"),
}
CLOUD = {
    "iaf-cloud": AS_THERE(cloud=True),
    "datum-cloud": AS_THERE(method="datum", cloud=True),
    "matchpoints-cloud": AS_THERE(method="matchpoints", cloud=True, factor="none"),
}
# Its columns after the names: ours, and whether a count follows the average.
COLUMNS = {
    **{"overall": False, "bid": False, "play": False, "declarer": True, "defending": True},
    **{"declarer1": True, "declarer2": True, "lead1": True, "lead2": True, "defence": True},
}
BY_LEAD = ("lead1", "lead2", "defence")
WITH_OPPONENTS = ("overall", "bid", "play")


@cache
def read_event(shared: Path, event: str) -> Results:
    folder = shared / "data" / "valet" / event
    names = read_names(decode((folder / "names.txt").read_bytes()))
    return read_scores(decode((folder / "scores.txt").read_bytes()), names)


def printed(shared: Path, event: str, mode: str) -> tuple[list[str], dict[str, np.ndarray], dict[str, np.ndarray]]:
    """The program's pairs in its order, its averages with NaN for ` - `, and its counts."""
    text = decode((shared / "data" / "valet" / event / f"pairs-{mode}.csv").read_bytes())
    _, *rows = csv.reader(text.splitlines())
    cells = iter(zip(*(row[1:] for row in rows), strict=True))
    counts = {"boards": np.array(next(cells), dtype=int)}
    averages = {}
    for name, counted in COLUMNS.items():
        averages[name] = np.array([np.nan if cell.strip() == "-" else float(cell) for cell in next(cells)])
        if counted:
            counts[name] = np.array(next(cells), dtype=int)
    assert next(cells, None) is None
    return [row[0] for row in rows], averages, counts


def differing(made: Totals, shared: Path, event: str, mode: str, columns: tuple[str, ...]) -> int:
    """How many cells of these columns are not the program's; the pairs and all the counts must be."""
    names, averages, counts = printed(shared, event, mode)
    assert sorted(names) == sorted(made.pairs.names)
    rows = np.array([made.pairs.names.tolist().index(name) for name in names])  # with the two players in its order
    assert (made.pairs.boards[rows] == counts["boards"]).all()
    half = 0.05 if made.in_percent else 0.005
    wrong = 0
    for name in COLUMNS:
        average: Average = made.pairs[name].in_percent() if made.in_percent else made.pairs[name]
        if name in counts:
            assert (average.chances[rows] == counts[name]).all(), name
        ours = average.average[rows]
        assert (np.isnan(ours) == np.isnan(averages[name])).all(), name
        if name in columns:
            wrong += int(np.count_nonzero(np.abs(ours - averages[name]) > half + 1e-6))
    return wrong


@pytest.mark.parametrize("mode", PLAIN)
@pytest.mark.parametrize("event", EVENTS)
def test_every_cell_of_every_plain_mode(shared: Path, event: str, mode: str) -> None:
    made = totals(read_event(shared, event), PLAIN[mode])
    assert differing(made, shared, event, mode, tuple(COLUMNS)) == 0
    names, _, _ = printed(shared, event, mode)
    key = made.pairs.key("overall")[[made.pairs.row(name) for name in names]]
    assert np.diff(key).max() < 1e-9  # its order
    if event.startswith("example"):  # and where pairs are equal
        assert made.pairs.sorted().names.tolist() == names


def as_the_program(results: Results, options: Options) -> Components:
    """Our parts with two of its departures in cloud modes.

    Its clouds count each passed-out table as 0 for the others; and its leads compare a plain score with them.
    """
    parts = split(results, options)
    plain = split(results, replace(options, cloud=False))
    played = np.flatnonzero(results.level > 0)
    alone = {
        field.name: getattr(results, field.name)[played]
        for field in fields(results)
        if isinstance(getattr(results, field.name), np.ndarray)
    }
    without = split(replace(results, **alone), options)
    tables, all_tables = (np.bincount(each, minlength=len(results.boards)) for each in (alone["board"], results.board))
    share = (tables - 1) / np.maximum(all_tables - 1, 1)
    share[tables == 1] = 0
    columns = {}
    for field in fields(parts):
        values = getattr(parts, field.name).copy()
        values[played] = np.nan_to_num(getattr(without, field.name)) * share[alone["board"]]
        columns[field.name] = values
    if options.method == "datum":
        return parts
    led = results.lead_suit >= 0
    columns["lead"] = np.where(led, columns["bid"] - plain.bid + plain.lead, 0)
    columns["defence"] = -columns["play"] - columns["lead"]
    return Components(**columns)


@pytest.mark.parametrize("mode", CLOUD)
@pytest.mark.parametrize("event", EVENTS)
def test_every_cell_of_the_cloud_modes_given_its_departures(shared: Path, event: str, mode: str) -> None:
    """But leads against clouds' datums, and what they leave to the defence: what it prints there follows no rule."""
    results = read_event(shared, event)
    made = totals(results, CLOUD[mode], parts=as_the_program(results, CLOUD[mode]))
    compared = tuple(name for name in COLUMNS if mode != "datum-cloud" or name not in BY_LEAD)
    assert differing(made, shared, event, mode, compared) == 0


@pytest.mark.parametrize("mode", ["iaf", "iaf-cloud"])
@pytest.mark.parametrize("event", EVENTS)
def test_compensation_of_overall_bid_and_play(shared: Path, event: str, mode: str) -> None:
    results = read_event(shared, event)
    parts = as_the_program(results, CLOUD[mode]) if mode in CLOUD else None
    made = totals(results, (PLAIN | CLOUD)[mode], compensation="valet", parts=parts)
    assert differing(made, shared, event, f"{mode}-compensated", WITH_OPPONENTS) == 0


def test_departure_its_compensation_counts_the_boards_against_the_pair_twice_instead_of_leaving_them_out(
    shared: Path,
) -> None:
    """Where all a pair's opponents are one pair, its own definition gives that pair's average on its other boards."""
    results = read_event(shared, "2015-World-Men")
    raw, ours, theirs = (totals(results, compensation=word).pairs for word in ("none", "opponents", "valet"))
    name, met = "CAMBEROS Hector - PELLEGRINI Carlos", "HUANG Shan - SABOURIN David"
    row, other = raw.row(name), raw.row(met)
    average = raw["overall"].average
    against = -raw["overall"].sum[row]  # what they scored in the 16 boards against this pair
    others = raw["overall"].sum[other] - against
    boards = raw.boards[other] - 16
    assert ours["overall"].average[row] - average[row] == pytest.approx(others / boards)
    assert theirs["overall"].average[row] - average[row] == pytest.approx((others + 2 * against) / boards)


def test_cells_that_are_not_the_programs_do_not_grow_in_number(shared: Path) -> None:
    """Left out above: leads with clouds' datums, and what it compensates other than overall, bid and play."""
    found = dict.fromkeys(("datum-cloud", "iaf-compensated", "iaf-cloud-compensated"), 0)
    others = tuple(name for name in COLUMNS if name not in WITH_OPPONENTS)
    for event in EVENTS:
        results = read_event(shared, event)
        for mode, options in (("iaf", PLAIN["iaf"]), ("iaf-cloud", CLOUD["iaf-cloud"])):
            parts = as_the_program(results, options) if mode in CLOUD else None
            made = totals(results, options, compensation="valet", parts=parts)
            found[f"{mode}-compensated"] += differing(made, shared, event, f"{mode}-compensated", others)
        made = totals(results, CLOUD["datum-cloud"])
        found["datum-cloud"] += differing(made, shared, event, "datum-cloud", BY_LEAD)
    assert found == {"datum-cloud": 816, "iaf-compensated": 2851, "iaf-cloud-compensated": 2851}
