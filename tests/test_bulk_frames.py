"""Frames of results, in memory or made on a Dask cluster, add up to what files of the same rows add up to."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pandas as pd
import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from test_parquet import here
from test_sums import assert_same

from valet_xl.documents.workers import on_client, workers
from valet_xl.engine.options import Options
from valet_xl.errors import ArgumentError, FileError, OptionError, SheetError
from valet_xl.rankings.simulate import simulate
from valet_xl.sheets.bulk_frames import total_frames
from valet_xl.sheets.parquet_file import write_results


@pytest.fixture(scope="module")
def nights(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder of five files."""
    folder = tmp_path_factory.mktemp("nights")
    for seed in range(5):
        event = simulate(pairs=12, rounds=4, boards=2, seed=seed)
        write_results(folder / f"{seed}.parquet", event.results, f"Night {seed}")
    return folder


def tables(folder: Path) -> list[pa.Table]:
    return [pq.read_table(path) for path in sorted(folder.iterdir())]


def of_pandas(table: pa.Table) -> pd.DataFrame:
    return table.to_pandas().astype({"board": str}).astype({"board": int})


@pytest.mark.parametrize("made", [lambda table: table, of_pandas, pl.from_arrow, lambda table: table.to_pandas()])
@pytest.mark.parametrize("compensation", ["none", "opponents"])
def test_frames_of_every_library_add_up_to_what_files_do(nights, made, compensation):
    whole = here(nights, compensation=compensation)
    found = total_frames(map(made, tables(nights)), compensation=compensation)
    assert_same(found.pairs, whole.pairs)
    assert_same(found.players, whole.players)
    assert (found.boards, found.results) == (whole.boards, whole.results)


def test_processes_add_frames_too(nights):
    with workers(processes=2) as on:
        assert_same(total_frames(tables(nights), on=on).pairs, here(nights).pairs)


@pytest.fixture(scope="module")
def client() -> Iterator[object]:
    """A client of two processes."""
    from distributed import Client, LocalCluster

    with (
        LocalCluster(n_workers=2, threads_per_worker=1, processes=True, dashboard_address=None) as cluster,
        Client(cluster) as made,
    ):
        yield made


@pytest.mark.slow
def test_delayed_frames_are_made_and_added_up_on_the_cluster(nights, client):
    import dask

    whole = here(nights)
    delayed = [dask.delayed(pq.read_table)(str(path)) for path in sorted(nights.iterdir())]
    assert_same(total_frames(delayed, on=on_client(client)).pairs, whole.pairs)
    frames = [dask.delayed(pd.read_parquet)(str(path)) for path in sorted(nights.iterdir())]
    assert_same(total_frames(frames, on=on_client(client)).players, whole.players)
    assert_same(total_frames(tables(nights), on=on_client(client)).pairs, whole.pairs)
    with pytest.raises(FileError, match="frame 2: has a board that frame 1 has too"):
        total_frames([delayed[0], delayed[0]], on=on_client(client))


@pytest.mark.slow
def test_the_partitions_of_a_dask_frame_are_frames(nights, client):
    import dask.dataframe as dd

    frame = dd.from_map(pd.read_parquet, [str(path) for path in sorted(nights.iterdir())])
    assert frame.npartitions == 5
    assert_same(total_frames(frame, on=on_client(client)).pairs, here(nights).pairs)


def test_what_is_wrong_with_frames_is_said(nights):
    import dask

    first, second, *_ = tables(nights)
    with pytest.raises(FileError, match="frame 2: has a board that frame 1 has too"):
        total_frames([first.slice(0, 9), first.slice(9)])
    with pytest.raises(FileError, match="whose tables Neuberg's formula counts"):
        total_frames([first.slice(0, 12), first.slice(12)], Options(method="matchpoints"))
    assert total_frames([first.slice(0, 12), first.slice(12)]).boards == 8
    with pytest.raises(FileError, match="expected rows sorted by event, round and board"):
        total_frames([pa.concat_tables([second, first]).unify_dictionaries()])
    with pytest.raises(SheetError, match="frame 2: has no column contract"):
        total_frames([first, second.drop_columns(["contract"])])
    for wrong in ("scores.parquet", 7, None):
        with pytest.raises(ArgumentError, match="frame 1: expected a table of pyarrow, pandas or polars, got"):
            total_frames([wrong])
    with pytest.raises(ArgumentError, match="expected at least one"):
        total_frames([])
    with pytest.raises(ArgumentError, match="expected a client to make it"):
        total_frames([dask.delayed(pq.read_table)("x")])
    with pytest.raises(FileError, match="have no results"):
        total_frames([first.slice(0, 0)])
    with pytest.raises(OptionError, match="compensation must be one of"):
        total_frames([first], compensation="all")


def test_a_frame_whose_boards_are_not_sorted_far_apart_is_refused(nights, monkeypatch):
    """Also where the lots whose results are in memory at the same time are sorted each."""
    monkeypatch.setattr("valet_xl.documents.parquet.LOT", 12)
    monkeypatch.setattr("valet_xl.documents.parquet.in_lots_of_keys.__defaults__", (12,))
    first, second, *_ = tables(nights)
    with pytest.raises(FileError, match="comes after 'Night 1"):
        total_frames([pa.concat_tables([second, first]).unify_dictionaries()])
