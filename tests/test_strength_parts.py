"""Strengths in parts: sums of the parts of a tournament, and passes over them, give the strengths of all at once."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pyarrow.parquet as pq
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from test_parquet import run
from test_sums import events

from valet_xl.documents.workers import on_client, workers
from valet_xl.engine.options import Options
from valet_xl.engine.results import Results
from valet_xl.rankings import strength
from valet_xl.rankings.partnerships import Partnerships, named_partnerships
from valet_xl.rankings.simulate import simulate
from valet_xl.rankings.strength import Strengths, solve, strengths, tables_of
from valet_xl.rankings.strength_sums import InParts, StrengthSums, put_together
from valet_xl.reading.parquet import results_of
from valet_xl.sheets.bulk import rank_parquet
from valet_xl.sheets.parquet_file import as_table, write_results

FIGURES = ("strength", "error", "low", "high", "between", "within")
KINDS = (Options(), Options(method="datum"), Options(method="matchpoints", factor="none"), Options(cloud=True))


def assert_same(one: Strengths, other: Strengths) -> None:
    """All figures are the same to 1e-8 of the largest strength, and to 1e-8 of themselves."""
    assert one.names.tolist() == other.names.tolist()
    assert one.boards.tolist() == other.boards.tolist()
    scale = np.nanmax(np.abs(other.strength), initial=1e-12)
    for name in FIGURES:
        found, wanted = (np.atleast_1d(getattr(each, name)) for each in (one, other))
        np.testing.assert_allclose(found, wanted, rtol=1e-8, atol=1e-8 * scale, err_msg=name)


def in_parts(results: Results, who: Partnerships, options: Options, part_of: np.ndarray) -> Strengths:
    """The strengths from parts of the boards, each of which numbers the pairs that it knows in an order of its own."""
    kept, sums = [], []
    for part in np.unique(part_of):
        rows = np.flatnonzero(part_of == part)
        tables, score = tables_of(results.take(rows), options, who.take(rows))
        tables, played = tables.of_those_who_played(len(who.pair_names))
        turned = np.arange(len(played))[::-1]
        tables = tables.renumbered(turned)
        kept.append([tables])
        sums.append(StrengthSums.of(played[::-1].tolist(), tables, score))
    total, places = put_together(sums, range(len(who.pair_names)))
    names = np.array(who.pair_names, dtype=object)[list(total.pairs)]

    def go(function, arguments):
        return map(function, kept, arguments)

    return solve(total, InParts(go, places, len(names)), names)


@pytest.mark.parametrize("dense", [500, 0], ids=["integrated", "approximated"])
@given(seed=st.integers(0, 20), data=st.data(), options=st.sampled_from(KINDS))
@settings(max_examples=25)
def test_any_split_by_boards_gives_the_strengths_of_all_at_once(dense, seed, data, options):
    results = events(seed)
    who = named_partnerships(results)
    part_of = np.array(data.draw(st.lists(st.integers(0, 3), min_size=9, max_size=9)))[results.board]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(strength, "DENSE", dense)
        assert_same(in_parts(results, who, options, part_of), strengths(results, options, who=who))


@pytest.fixture(scope="module")
def nights(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder of four events, whose pairs come again."""
    folder = tmp_path_factory.mktemp("nights")
    for seed in range(4):
        event = simulate(pairs=14, rounds=7, boards=2, seed=seed, bid=1, movement=("mitchell", "round-robin")[seed % 2])
        names = tuple(f"pair {at // 2} player {at % 2}" for at in range(len(event.results.names)))
        results = replace(event.results, names=names, sides=np.full_like(event.results.sides, -1))
        write_results(folder / f"{seed}.parquet", results, f"Night {seed}")
    return folder


def of_folder(folder: Path, on, **more) -> Strengths:
    found = []
    from valet_xl.sheets import bulk

    def seen(*arguments):
        found.append(solve(*arguments))
        return found[-1]

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(bulk, "solve", seen)
        rank_parquet([str(folder)], strengths=True, on=on, **more)
    return found[0]


def at_once(folder: Path) -> Strengths:
    import pyarrow as pa

    table = pa.concat_tables([pq.read_table(path) for path in sorted(folder.iterdir())]).unify_dictionaries()
    results = results_of(table, 0, "")
    return strengths(results, who=named_partnerships(results))


@pytest.mark.parametrize("dense", [500, 0], ids=["integrated", "approximated"])
def test_files_give_the_strengths_of_all_results_at_once(nights, monkeypatch, dense):
    monkeypatch.setattr(strength, "DENSE", dense)
    monkeypatch.setattr("valet_xl.documents.parquet.ROWS", 30)
    whole = at_once(nights)
    assert len(whole) == 14
    for processes in (1, 2):
        with workers(processes=processes) as on:
            assert_same(of_folder(nights, on), whole)


@pytest.mark.slow
def test_a_cluster_gives_the_same_and_a_worker_that_is_killed_between_passes_changes_nothing(nights, monkeypatch):
    import os
    import signal

    from distributed import Client, LocalCluster

    monkeypatch.setattr(strength, "DENSE", 0)
    killed = []
    with (
        LocalCluster(n_workers=2, threads_per_worker=1, processes=True, dashboard_address=None) as cluster,
        Client(cluster) as client,
    ):

        def step(text: str, share: float = 0.0) -> None:
            if text.startswith("solving") and not killed:  # what passes go over is in the workers' memory
                worker = next(iter(client.scheduler_info()["workers"]))
                killed.extend(client.run(os.getpid, workers=[worker]).values())
                os.kill(killed[0], signal.SIGKILL)

        assert_same(of_folder(nights, on_client(client), step=step), at_once(nights))
    assert killed


def test_the_ranking_has_the_columns_that_other_formats_have(tmp_path):
    event = simulate(pairs=12, rounds=11, boards=2, movement="round-robin", seed=4, bid=1)
    write_results(tmp_path / "x.parquet", event.results, "Night")
    (tmp_path / "scores.txt").write_text(event.valet_text(), encoding="utf-8")
    (tmp_path / "names.txt").write_text(event.names_text(), encoding="utf-8")
    asked = ("--strengths", "--order", "strength", "--format", "csv")
    ours = run("rank", tmp_path / "x.parquet", "--processes", 1, *asked)
    theirs = run("rank", tmp_path / "scores.txt", *asked)
    assert ours.exit_code == theirs.exit_code == 0, ours.output
    tables = [[line.split(",") for line in done.stdout.splitlines()] for done in (ours, theirs)]
    wanted = [name for name in tables[1][0] if name != "Alike"]
    assert [name for name in tables[0][0] if name in wanted] == wanted
    pairs = [[frozenset(row[table[0].index("Pair")].split(" - ")) for row in table[1:]] for table in tables]
    assert pairs[0] == pairs[1]
    for name, near in (("Strength", 1e-6), ("Strength SE", 1e-6), ("Best", 0.05), ("Place Low", 1), ("Place High", 1)):
        ours, theirs = ([float(row[table[0].index(name)]) for row in table[1:]] for table in tables)
        assert ours == pytest.approx(theirs, abs=near), name  # the order is from draws, in another order of the pairs
    players = run("rank", tmp_path / "x.parquet", "--players", "--strengths", "--processes", 1)
    assert players.exit_code == 0


def test_there_are_no_strengths_where_all_results_are_alike(tmp_path):
    event = simulate(pairs=8, rounds=1, boards=1)
    table = as_table(event.results.take(np.arange(1)), "Night")
    pq.write_table(table, tmp_path / "x.parquet")
    assert run("rank", tmp_path / "x.parquet", "--strengths", "--processes", 1).exit_code == 2
