"""The tables of pairs that the Valet 1.1 program prints (../shared/data/valet), cell by cell to their decimals."""

from __future__ import annotations

import csv
from functools import cache, partial
from pathlib import Path

import numpy as np
import pytest
from valet_program import parts_of, table

from valet_xl.documents.text import decode
from valet_xl.engine.options import Options
from valet_xl.engine.results import Results
from valet_xl.rankings.averages import Average
from valet_xl.rankings.partnerships import partnerships
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


@pytest.mark.parametrize("mode", CLOUD)
@pytest.mark.parametrize("event", EVENTS)
def test_every_cell_of_the_cloud_modes_given_its_departures(shared: Path, event: str, mode: str) -> None:
    results = read_event(shared, event)
    made = totals(results, CLOUD[mode], parts=parts_of(results, CLOUD[mode]))
    assert differing(made, shared, event, mode, tuple(COLUMNS)) == 0


@pytest.mark.parametrize("mode", ["iaf", "iaf-cloud"])
@pytest.mark.parametrize("event", EVENTS)
def test_compensation_of_overall_bid_and_play(shared: Path, event: str, mode: str) -> None:
    results = read_event(shared, event)
    parts = parts_of(results, (PLAIN | CLOUD)[mode])
    made = totals(results, (PLAIN | CLOUD)[mode], compensation="valet", parts=parts)
    assert differing(made, shared, event, f"{mode}-compensated", WITH_OPPONENTS) == 0


@pytest.mark.parametrize("mode", ["iaf", "iaf-cloud"])
@pytest.mark.parametrize("event", EVENTS)
def test_every_cell_of_its_compensation_as_the_program_computes_it(shared: Path, event: str, mode: str) -> None:
    """Declarer's play, leads and defence too, which ours do not follow."""
    results = read_event(shared, event)
    who = partnerships(results)
    made = table(results, who, parts_of(results, (PLAIN | CLOUD)[mode]), compensate=True)
    names, averages, counts = printed(shared, event, f"{mode}-compensated")
    rows = [who.pair_names.index(name) for name in names]
    assert sorted(rows) == np.flatnonzero(made[1]["boards"]).tolist()
    for name, count in counts.items():
        assert made[1][name][rows].tolist() == count.tolist(), name
    for name, average in averages.items():
        ours = made[0][name][rows]
        assert (np.isnan(ours) == np.isnan(average)).all(), name
        assert not (np.abs(ours - average) > 0.005 + 1e-6).any(), name


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
