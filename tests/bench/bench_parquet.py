"""Millions of results in Parquet, ranked: python -m tests.bench.bench_parquet [MILLIONS ...], --help for options.

Simulated events of 200 pairs and 20,000 results, a file for each million. Their pairs are drawn from the same 5,000
however many events there are, so that memory which grows does so because of rows; or from more, to see what pairs
cost. Whole processes: the command with one process, with all cores, and with Dask's workers that it starts; beside
them Polars (and DuckDB where it is installed) doing nothing but the group-by of pairs on the same files, the floor.
Processor time counts, with that of all processes started; memory is that of the largest process.
"""

from __future__ import annotations

import argparse
import importlib.util
import sys
import tempfile
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from tests.bench.timing import process, show
from valet_xl.rankings.partnerships import partnerships
from valet_xl.rankings.simulate import simulate
from valet_xl.sheets.parquet_file import as_table

EVENTS = 50  # in a million results
PAIRS = 200  # in an event
POOL = 5_000  # pairs, of whom each event has some
GROUP = 240_000  # rows in a row group: twelve events

POLARS = """
import sys, polars as pl
rows = pl.scan_parquet(sys.argv[1] + "/*.parquet")
sides = [rows.select(pl.col(one).alias("one"), pl.col(two).alias("two"), "tricks")
         for one, two in (("north", "south"), ("east", "west"))]
figures = [pl.len(), pl.col("tricks").mean().alias("mean"), pl.col("tricks").std().alias("sd")]
pl.concat(sides).group_by("one", "two").agg(*figures).collect(engine="streaming").write_csv(sys.argv[2])
"""
DUCKDB = """
import sys, duckdb
duckdb.sql(f\"\"\"copy (select one, two, count(*), avg(tricks), stddev(tricks) from (
    select north as one, south as two, tricks from '{sys.argv[1]}/*.parquet' union all
    select east, west, tricks from '{sys.argv[1]}/*.parquet') group by one, two) to '{sys.argv[2]}'\"\"\")
"""


def events() -> list[pa.Table]:
    """A million results: events of the same size, with the places of their pairs instead of names."""
    made = []
    for seed in range(EVENTS):
        results = simulate(pairs=PAIRS, rounds=50, boards=4, seed=seed).results
        who = partnerships(results)
        place = dict(zip(who.pair_players.ravel().tolist(), range(2 * PAIRS), strict=True))
        table = as_table(results, who=who).combine_chunks()
        for seat in ("north", "east", "south", "west"):
            column = table.column(seat).chunk(0)
            codes = np.array([place[code] for code in range(2 * PAIRS)], dtype=np.int32)[column.indices.to_numpy()]
            table = table.set_column(table.column_names.index(seat), seat, pa.array(codes))
        made.append(table)
    return made


def write(folder: Path, millions: int, pool: int = POOL) -> None:
    """Files of a million results each, those that are not there yet."""
    made: list[pa.Table] = []
    for million in range(millions):
        path = folder / f"{million:03d}.parquet"
        if path.exists():
            continue
        made = made or events()
        draw = np.random.default_rng(million)
        tables = []
        for at, table in enumerate(made):
            pairs = draw.permutation(pool)[:PAIRS]
            names = pa.array([f"Player {2 * pair + which}" for pair in pairs for which in (0, 1)])
            for column in ("north", "east", "south", "west"):
                codes = table.column(column).chunk(0).cast(pa.int32())
                new = pa.DictionaryArray.from_arrays(codes, names)
                table = table.set_column(table.column_names.index(column), column, new)  # noqa: PLW2901
            event = pa.DictionaryArray.from_arrays(np.zeros(len(table), dtype=np.int32), [f"{million:03d}-{at:02d}"])
            tables.append(table.set_column(0, "event", event))
        whole = pa.concat_tables(tables).unify_dictionaries()
        pq.write_table(whole, path, compression="zstd", row_group_size=GROUP)


def floors(files: Path, out: str) -> dict[str, list[str]]:
    """The programs that do nothing but group."""
    commands = {"Polars, the group-by alone": [sys.executable, "-c", POLARS, str(files), out]}
    if importlib.util.find_spec("duckdb"):
        commands["DuckDB, the group-by alone"] = [sys.executable, "-c", DUCKDB, str(files), out]
    return commands


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("millions", nargs="*", type=int, default=[1, 4])
    parser.add_argument("--keep", type=Path, help="the folder of the files, which stay there")
    parser.add_argument(
        "--pool", type=int, default=POOL, help="how many pairs there are; a kept folder has those of its first run"
    )
    parser.add_argument("--only", help="measure only what has this in its name")
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory() as temporary:
        keep = asked.keep or Path(temporary)
        keep.mkdir(parents=True, exist_ok=True)
        write(keep, max(asked.millions), asked.pool)
        out = str(Path(temporary) / "out.csv")
        for millions in asked.millions:
            files = Path(temporary) / str(millions)
            files.mkdir()
            for at in range(millions):
                (files / f"{at:03d}.parquet").symlink_to((keep / f"{at:03d}.parquet").resolve())
            rank = [sys.executable, "-m", "valet_xl", "rank", str(files), "--format", "csv", "--output", out]
            commands = {
                "one process": [*rank, "--processes", "1"],
                "a process for each core": rank,
                "Dask, with workers that it starts": [*rank, "--engine", "dask"],
                **floors(files, out),
            }
            for name, command in commands.items():
                if asked.only is None or asked.only in name:
                    seconds, memory = process(command)
                    show(f"{millions} million, {name}", f"{seconds / millions:.2f} s", f"a million; {memory:.0f} MB")


if __name__ == "__main__":
    main()
