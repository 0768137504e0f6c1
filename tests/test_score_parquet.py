"""Parquet files scored piece by piece: the scores of all results at once, in new files that are whole or not there."""

from __future__ import annotations

import math
from dataclasses import replace
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given
from hypothesis import strategies as st
from test_parquet import run
from test_sums import events

from valet_xl.documents.workers import workers
from valet_xl.engine.arrays import settled
from valet_xl.engine.options import Options
from valet_xl.engine.results import Status
from valet_xl.engine.score_results import score_results, written_columns
from valet_xl.errors import FileError
from valet_xl.rankings.simulate import simulate
from valet_xl.reading.parquet import COLUMNS, results_of
from valet_xl.sheets.parquet_file import as_table, write_results
from valet_xl.sheets.score_parquet import NAMES, ScoredParquet, score_parquet, score_table

KINDS = (
    Options(),
    Options(cloud=True, barking="average"),
    Options(method="matchpoints"),
    Options(method="matchpoints", factor="none"),
    Options(method="datum", double=True, datum="trimmed"),
)


def score(address: Path, output: Path | None = None, options: Options | None = None) -> ScoredParquet:
    with workers(processes=1) as on:
        return score_parquet(str(address), output, options, on=on)


def assert_scored(path: Path, table: pa.Table, options: Options) -> None:
    """A scored file has the rows of a table, and the scores that these have all at once."""
    scored = pq.read_table(path)
    results = results_of(table, 0, "all", errors=None)
    wanted = score_results(results, options)
    assert [name for name in scored.column_names if name in table.column_names] == table.column_names
    for name in table.column_names:
        if name != "score":
            assert scored.column(name).to_pylist() == table.column(name).to_pylist(), name
    for column in written_columns(options.method, options.cloud, award=True, barking=options.barking != "none"):
        found = scored.column(NAMES.get(column.field, column.field)).to_pylist()
        values = getattr(wanted, column.field)
        if isinstance(values, tuple):
            assert [cell or "" for cell in found] == list(values), column.field
        else:
            numbers = np.full(len(results), np.nan) if values is None else settled(values)
            assert [math.nan if cell is None else cell for cell in found] == pytest.approx(
                numbers.tolist(), nan_ok=True, abs=1e-9
            ), column.field


def spoilt(seed: int) -> pa.Table:
    """A tournament with adjusted scores, unknown leads, pairs in two seats, and rows that cannot be read."""
    return as_table(events(seed), f"Night {seed}")


@pytest.mark.parametrize("options", KINDS, ids=lambda options: f"{options.method}-{options.cloud}-{options.factor}")
@pytest.mark.parametrize("seed", range(4))
def test_pieces_have_the_scores_of_all_results_at_once(tmp_path, monkeypatch, seed, options):
    monkeypatch.setattr("valet_xl.documents.parquet.ROWS", 7)
    table = pa.concat_tables([spoilt(10 + seed), spoilt(50 + seed)]).unify_dictionaries()
    pq.write_table(table, tmp_path / "x.parquet", row_group_size=5)
    done = score(tmp_path / "x.parquet", options=options)
    assert done.written == tmp_path / "x-scored.parquet"
    assert_scored(done.written, table, options)
    assert done.tally.errors == np.count_nonzero(results_of(table, 0, "").status == Status.ERROR)


@given(st.integers(0, 30), st.integers(1, 40))
def test_it_does_not_matter_how_rows_are_cut(tmp_path_factory, seed, size):
    path = tmp_path_factory.mktemp("cut") / "x.parquet"
    table = spoilt(seed)
    pq.write_table(table, path, row_group_size=size)
    assert_scored(score(path).written, table, Options())


def test_the_cells_are_those_of_the_file_scored_as_a_sheet(tmp_path):
    write_results(tmp_path / "x.parquet", simulate(pairs=12, rounds=6, boards=2, seed=3).results, "Night")
    assert run("score", tmp_path / "x.parquet", "--cloud").exit_code == 0
    done = run("score", tmp_path / "x.parquet", "--cloud", "--output", tmp_path / "x.csv")
    assert done.exit_code == 0, done.output
    sheet = (tmp_path / "x.csv").read_text(encoding="utf-8-sig").splitlines()
    headings = sheet[0].split(",")
    rows = [line.split(",") for line in sheet[1:]]
    scored = pq.read_table(tmp_path / "x-scored.parquet")
    for heading, name in {"Score": "score", "IAF": "cross_imps", "Bid": "bid", "Lead score": "lead_score"}.items():
        cells = [float(row[headings.index(heading)] or "nan") for row in rows]
        found = [math.nan if cell is None else cell for cell in scored.column(name).to_pylist()]
        assert found == pytest.approx(cells, abs=1e-6, nan_ok=True)  # CSV has six decimals


def test_a_scored_file_reads_back_and_is_scored_again_without_columns_twice(tmp_path):
    table = as_table(simulate(pairs=8, rounds=2, boards=2).results, "Night")
    table = table.append_column("Bid", pa.array(["mine"] * len(table)))  # of the user's own
    pq.write_table(table, tmp_path / "x.parquet")
    once = score(tmp_path / "x.parquet", tmp_path / "once.parquet").written
    again = score(once, tmp_path / "again.parquet", Options(method="matchpoints")).written
    names = pq.read_schema(again).names
    assert names[: len(table.column_names)] == table.column_names
    assert names[len(table.column_names) :] == [
        *("datum", "butler", "matchpoints", "percent", "award_ew", "bid_2", "play", "lead_score", "defence", "note")
    ]
    assert pq.read_table(again).column("Bid").to_pylist() == ["mine"] * len(table)
    before, after = (run("rank", path, "--processes", 1, "--format", "csv").output for path in (once, again))
    assert before == after == run("rank", tmp_path / "x.parquet", "--processes", 1, "--format", "csv").output


def test_a_folder_keeps_its_folders_and_a_pattern_the_same(tmp_path):
    folder = tmp_path / "nights"
    for seed, place in enumerate(("2023", "2024/may", "2024/june")):
        (folder / place).mkdir(parents=True)
        write_results(folder / place / "x.parquet", simulate(pairs=8, rounds=2, boards=2, seed=seed).results, place)
    done = run("score", folder, "--processes", 2)
    assert done.exit_code == 0, done.output
    assert f"written to {tmp_path / 'nights-scored'}, 3 files" in done.output
    assert "scored 48 of 48 results on 12 boards" in done.output
    found = sorted(
        path.relative_to(tmp_path / "nights-scored").as_posix() for path in (tmp_path / "nights-scored").rglob("*.*")
    )
    assert found == ["2023/x.parquet", "2024/june/x.parquet", "2024/may/x.parquet"]
    assert run("score", f"{folder}/2024/*/*.parquet", "--output", tmp_path / "new", "--processes", 1).exit_code == 0
    for place in ("may", "june"):
        one, other = (pq.read_table(tmp_path / at / place / "x.parquet") for at in ("new", "nights-scored/2024"))
        assert one == other
    assert not [path for path in tmp_path.iterdir() if path.name.startswith(".")]


def test_an_address_is_scored_into_a_folder_here(tmp_path):
    import fsspec

    write_results(tmp_path / "x.parquet", simulate(pairs=8, rounds=2, boards=2).results)
    store = fsspec.filesystem("memory")
    store.pipe("/scores/a/x.parquet", (tmp_path / "x.parquet").read_bytes())
    store.pipe("/scores/b.parquet", (tmp_path / "x.parquet").read_bytes())
    done = run("score", "memory://scores/a", "--processes", 1)
    assert (done.exit_code, "as the output" in done.output) == (2, True)
    assert run("score", "memory://scores/a", "--output", tmp_path / "out", "--processes", 1).exit_code == 0
    assert [path.name for path in (tmp_path / "out").iterdir()] == ["x.parquet"]


def test_nothing_is_written_where_a_file_cannot_be_scored(tmp_path):
    folder = tmp_path / "nights"
    folder.mkdir()
    results = simulate(pairs=8, rounds=2, boards=2).results
    write_results(folder / "a.parquet", results, "a")
    table = as_table(results, "b")
    pq.write_table(table.take(pa.array(np.arange(len(table))[::-1])), folder / "b.parquet", row_group_size=8)
    before = sorted(tmp_path.rglob("*"))
    for asked, said in (
        ((folder,), "expected rows sorted by event, round and board"),
        ((folder / "b.parquet",), "expected rows sorted by event, round and board"),
        ((folder / "a.parquet", "--output", folder / "a.parquet"), "is the file that is read"),
        ((folder / "a.parquet", "--output", tmp_path / "none" / "a.parquet"), "there is no such folder"),
        ((folder / "a.parquet", "--output", tmp_path / "out"), "written as .parquet, .csv or .xlsx"),
        ((folder / "a.parquet", "--deals", folder / "a.parquet"), "--deals needs all results at once"),
        ((folder / "a.parquet", "--sheet", "x"), "--sheet needs all results at once"),
        ((folder, "--output", tmp_path / "x.parquet"), "is a file's name"),
        ((folder, "--output", folder), "is there already"),
        ((folder, "--output", "s3://bucket/scores"), "is an address"),
        ((f"{folder}/*.parquet",), "as the output"),
        ((f"{folder}/none*.parquet", "--output", tmp_path / "out"), "no such file"),
        ((tmp_path / "none.parquet",), "no such file"),
    ):
        done = run("score", *asked, "--processes", 1)
        assert (done.exit_code, said in done.output) == (2, True), done.output
        assert "Traceback" not in done.output
        assert sorted(tmp_path.rglob("*")) == before
    text = tmp_path / "scores.txt"
    text.write_text("1|1|a|b|c|d|4S|N|10|HA\n")
    assert "goes with Parquet files alone" in run("score", text, "--engine", "dask").output


def test_an_empty_folder_is_filled_and_an_empty_file_is_refused(tmp_path):
    (tmp_path / "in").mkdir()
    (tmp_path / "out").mkdir()
    results = simulate(pairs=8, rounds=2, boards=2).results
    write_results(tmp_path / "in" / "a.parquet", results)
    assert score(tmp_path / "in", tmp_path / "out").written == tmp_path / "out"
    assert [path.name for path in (tmp_path / "out").iterdir()] == ["a.parquet"]
    pq.write_table(as_table(results).slice(0, 0), tmp_path / "empty.parquet")
    with pytest.raises(FileError, match="has no results"):
        score(tmp_path / "empty.parquet")


def test_rows_that_cannot_be_read_are_named_with_their_file(tmp_path):
    results = simulate(pairs=8, rounds=2, boards=2).results
    status = results.status.copy()
    status[[0, 9]] = Status.ERROR
    write_results(tmp_path / "x.parquet", replace(results, status=status), "Night")
    done = run("score", tmp_path / "x.parquet")
    assert done.exit_code == 1
    assert "cannot be read: x.parquet: row " in done.output
    notes = pq.read_table(tmp_path / "x-scored.parquet").column("note").to_pylist()
    assert sum(note is not None and note.startswith("contract: '?") for note in notes) == 2
    assert sum(note is not None and note.startswith("board not scored, see row") for note in notes) == 6


def test_a_table_alone_has_columns_that_the_schema_does_not():
    assert not set(NAMES.values()) & set(COLUMNS)
    scored, _ = score_table(as_table(simulate(pairs=8, rounds=2, boards=2).results, ""), 0, "", Options())
    assert len(set(scored.column_names)) == len(scored.column_names)
