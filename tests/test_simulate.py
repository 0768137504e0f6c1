"""Simulated tournaments: seeds, movements, files, and that strengths are worth what they say."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from valet_xl.errors import FileError
from valet_xl.rankings.simulate import MOVEMENTS, simulate
from valet_xl.rankings.totals import totals
from valet_xl.reading.rows import read_rows
from valet_xl.reading.valet_text import read_names, read_scores
from valet_xl.reports.simulated import files

SMALL = ("status", "board", "level", "strain", "double", "declarer", "tricks", "lead_suit", "score")


@pytest.mark.parametrize("movement", MOVEMENTS)
def test_the_same_seed_makes_the_same_bytes(movement: str) -> None:
    one, again, other = (simulate(pairs=8, movement=movement, seed=seed) for seed in (1, 1, 2))
    for text in ("valet_text", "names_text", "table", "strengths_table"):
        assert getattr(one, text)() == getattr(again, text)()
        assert getattr(one, text)() != getattr(other, text)()


def test_the_same_pairs_meet_on_other_deals() -> None:
    one, other = (simulate(pairs=8, seed=1, deals=deals) for deals in (1, 2))
    assert one.strengths_table() == other.strengths_table()
    assert one.names_text() == other.names_text()
    assert one.results.score.tolist() != other.results.score.tolist()


def test_its_valet_text_reads_back_as_its_results() -> None:
    event = simulate(pairs=12, rounds=5, boards=3, seed=3)
    read = read_scores(event.valet_text(), read_names(event.names_text()))
    assert read.errors == ()
    for column in (*SMALL, "vulnerability", "lead_rank"):
        same = getattr(read, column) == getattr(event.results, column)
        assert (same | (column == "lead_rank")).all(), column
    assert [read.names[at] for at in read.players.ravel()] == [
        event.results.names[at] for at in event.results.players.ravel()
    ]


def test_its_table_reads_back_as_its_results() -> None:
    event = simulate(pairs=8, rounds=4, boards=2, seed=4)
    _, *rows = event.table()
    fields = ("round", "board", "north", "east", "south", "west", "contract", "declarer", "tricks", "lead")
    read = read_rows(dict(zip(fields, zip(*rows, strict=True), strict=True)), range(2, len(rows) + 2))
    assert read.errors == ()
    assert read.score.tolist() == event.results.score.tolist()


def test_a_mitchell_keeps_north_south_and_moves_the_others() -> None:
    results = simulate(pairs=10, rounds=5, boards=2).results
    sides = results.sides - 20
    assert set(sides[:, 0]) == set(range(5))
    assert set(sides[:, 1]) == set(range(5, 10))
    meetings = {(ns, ew) for ns, ew in sides.tolist()}
    assert len(meetings) == 25  # everybody met


@pytest.mark.parametrize("pairs", [4, 8, 14])
def test_in_a_round_robin_everybody_meets_everybody_once(pairs: int) -> None:
    results = simulate(pairs=pairs, rounds=pairs - 1, boards=1, movement="round-robin").results
    meetings = [frozenset(each) for each in results.sides.tolist()]
    assert len(set(meetings)) == len(meetings) == pairs * (pairs - 1) // 2
    north_south = np.bincount(results.sides[:, 0])[2 * pairs :]
    assert abs(north_south - (pairs - 1) / 2).max() <= pairs / 2


@pytest.mark.parametrize("movement", MOVEMENTS)
def test_everybody_plays_every_board_once(movement: str) -> None:
    results = simulate(pairs=12, rounds=14, boards=3, movement=movement).results
    keys = results.board[:, None] * 12 + results.sides - 24
    assert len(np.unique(keys)) == keys.size == 14 * 3 * 12


def test_contracts_and_results_are_plausible() -> None:
    """Real championships: 45-60 % games and slams, 1-2 % pass-outs or fewer, some 4-8 % doubled, 30-45 % down."""
    results = simulate(pairs=40, rounds=40, boards=10).results
    level, strain = results.level, results.strain
    game = np.where(strain == 4, 3, np.where(strain >= 2, 4, 5))
    played = level > 0
    assert 0.3 < np.mean((level >= game)[played]) < 0.65
    assert 0.0 < np.mean(~played) < 0.03
    assert 0.02 < np.mean(results.double > 0) < 0.12
    assert 0.25 < np.mean((results.tricks < level + 6)[played]) < 0.5
    assert np.mean((level >= 6)[played]) < 0.1
    assert set(strain.tolist()) == set(range(5))
    assert totals(results).pairs.deviation() == pytest.approx(5, abs=1)


@pytest.mark.parametrize("part", ["bid", "play", "lead", "defence"])
def test_a_strength_is_worth_what_it_says(part: str) -> None:
    """Where pairs differ in one part alone, a planted IMP is about one IMP of what they score."""
    found, planted = [], []
    for seed in range(2):
        spread = dict.fromkeys(("bid", "play", "lead", "defence"), 0.0) | {part: 0.4}
        event = simulate(pairs=40, rounds=39, boards=8, movement="round-robin", seed=seed, **spread)
        pairs = totals(event.results).pairs
        found.extend(pairs["overall"].average[[pairs.row(" - ".join(names)) for names in event.names]])
        planted.extend(event.overall)
    slope = np.polyfit(planted, found, 1)[0]
    error = 5.2 / np.sqrt(39 * 8) / (np.std(planted) * np.sqrt(80))
    assert abs(slope - 0.93) < 3 * error


def test_the_table_of_strengths_adds_up() -> None:
    event = simulate(pairs=6, seed=9)
    heading, *rows = event.strengths_table()
    assert heading == ["Pair", "Overall", "Bid", "Play 1", "Play 2", "Lead 1", "Lead 2", "Defence"]
    for row in rows:
        overall, bid, play1, play2, lead1, lead2, defence = map(float, row[1:])
        assert overall == pytest.approx(bid + (play1 + play2 + lead1 + lead2) / 4 + defence / 2, abs=0.02)


@pytest.mark.parametrize(
    ("plan", "message"),
    [
        ({"pairs": 7}, "pairs must be an even number from 4, got 7"),
        ({"pairs": 2}, "pairs must be an even number from 4, got 2"),
        ({"rounds": 0}, "rounds and boards must be at least 1, got 0 and 4"),
        ({"boards": 0}, "rounds and boards must be at least 1, got 7 and 0"),
        ({"bid": float("inf")}, "bid must be a number from 0, got inf"),
        ({"lead": float("nan")}, "lead must be a number from 0, got nan"),
        ({"defence": -1.0}, "defence must be a number from 0, got -1"),
        ({"movement": "swiss"}, "movement must be one of mitchell, round-robin, got 'swiss'"),
    ],
)
def test_a_plan_that_cannot_be_is_refused(plan: dict[str, object], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        simulate(**plan)  # type: ignore[arg-type]


def test_more_players_than_names_are_told_apart() -> None:
    names = simulate(pairs=600, rounds=1, boards=1).names.ravel().tolist()
    assert len(set(names)) == 1200


def test_the_files_of_a_tournament(tmp_path: Path) -> None:
    """Results first: a workbook alone, or results with files of players and strengths."""
    tournament = simulate(pairs=4, rounds=1, boards=1)
    for name, expected in (
        ("x.xlsx", ["x.xlsx"]),
        ("x.csv", ["x.csv", "x-strengths.csv"]),
        ("x.txt", ["x.txt", "x-names.txt", "x-strengths.csv"]),
    ):
        assert [path.name for path in files(tournament, tmp_path / name)] == expected
    with pytest.raises(FileError, match=r"x\.ods: a tournament is written as \.xlsx, \.csv, \.txt"):
        files(tournament, tmp_path / "x.ods")
    assert not any(tmp_path.iterdir())
