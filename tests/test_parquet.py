"""Parquet files: written by convert, read like other formats, and ranked piece by piece with the same figures."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from dataclasses import fields, replace
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from click.testing import CliRunner, Result
from result_files import FILES, NAMES
from test_sums import assert_same, events

from valet_xl import read_results
from valet_xl.binky.deals import Job, generate
from valet_xl.cli.main import app
from valet_xl.documents import parquet as pieces
from valet_xl.documents.workers import in_lots, on_client, workers
from valet_xl.engine.options import Options
from valet_xl.engine.results import Results, Status
from valet_xl.errors import FileError, SheetError
from valet_xl.rankings.partnerships import named_partnerships
from valet_xl.rankings.ranking import rank
from valet_xl.rankings.simulate import simulate
from valet_xl.rankings.totals import Totals, totals
from valet_xl.reading.parquet import results_of
from valet_xl.sheets.bulk import total_files
from valet_xl.sheets.parquet_file import as_table, write_results

SEATS = ("north", "east", "south", "west")


def run(*arguments: object) -> Result:
    return CliRunner().invoke(app, [str(each) for each in arguments], prog_name="valet-xl")


def here(*files: Path, options: Options | None = None, **more: object) -> Totals:
    with workers(processes=1) as on:
        return total_files([str(file) for file in files], options, on=on, **more)  # type: ignore[arg-type]


def together(path: Path, options: Options | None = None, **more: object) -> Totals:
    """The tables of all results of a file at once."""
    results = results_of(pq.read_table(path), 0, str(path))
    return totals(results, options, who=named_partnerships(results), **more)  # type: ignore[arg-type]


@pytest.fixture
def small_pieces(monkeypatch: pytest.MonkeyPatch) -> None:
    """Row groups and pieces of few rows."""
    for module in ("valet_xl.documents.parquet", "valet_xl.sheets.parquet_file"):
        monkeypatch.setattr(f"{module}.ROWS", 7)
    monkeypatch.setattr("valet_xl.documents.parquet.LOT", 3)


# -- the format


@pytest.mark.parametrize("name", FILES)
def test_every_format_is_converted_and_reads_back_to_the_same_results(tmp_path, name):
    path, out = tmp_path / name, tmp_path / "out.parquet"
    path.write_bytes(FILES[name])
    (tmp_path / "names.txt").write_text(NAMES, encoding="utf-8")
    done = run("convert", path, "--output", out)
    assert done.exit_code in (0, 1), done.output
    before, after = read_results(path), read_results(out)
    kept = before.board >= 0

    def told(results: Results, rows: np.ndarray) -> list[tuple[object, ...]]:
        parts = zip(
            [results.boards[at][1] for at in results.board[rows].tolist()],
            *(getattr(results, field)[rows].tolist() for field in ("status", "level", "strain", "double", "tricks")),
            np.nan_to_num(results.score[rows], nan=-1).tolist(),
            np.nan_to_num(results.adjusted[rows], nan=-1).tolist(),
            strict=True,
        )
        return sorted(map(repr, parts))

    assert told(after, np.flatnonzero(after.board >= 0)) == told(before, np.flatnonzero(kept))


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("compensation", ["none", "opponents"])
def test_pieces_give_the_figures_of_all_results_at_once(tmp_path, small_pieces, seed, compensation):
    results = events(seed)
    path = tmp_path / "night.parquet"
    write_results(path, results, "Night")
    assert pq.ParquetFile(path).metadata.num_row_groups > 3
    whole = together(path, compensation=compensation)
    added = here(path, compensation=compensation)
    assert_same(added.pairs, whole.pairs)
    assert_same(added.players, whole.players)
    assert dict(added.uncounted) == dict(whole.uncounted)


def test_the_figures_are_those_of_the_file_that_was_converted(tmp_path, small_pieces):
    event = simulate(pairs=12, rounds=11, boards=2, movement="round-robin", seed=4)
    (tmp_path / "scores.txt").write_text(event.valet_text(), encoding="utf-8")
    (tmp_path / "names.txt").write_text(event.names_text(), encoding="utf-8")
    assert run("convert", tmp_path / "scores.txt", "--output", tmp_path / "x.parquet").exit_code == 0
    plain = totals(read_results(tmp_path / "scores.txt")).pairs
    added = here(tmp_path / "x.parquet").pairs
    place = {frozenset(name.split(" - ")): at for at, name in enumerate(added.names.tolist())}
    rows = [place[frozenset(name.split(" - "))] for name in plain.names.tolist()]
    for column in ("overall", "bid", "play", "declarer", "lead", "defence"):
        for figure in ("average", "error", "low", "high", "chances"):
            found, wanted = (getattr(table[column], figure) for table in (added, plain))
            np.testing.assert_allclose(found[rows], wanted, atol=1e-12)


def test_boards_that_go_over_row_groups_and_events_for_nebergs_formula(tmp_path, small_pieces):
    """Whoever cuts the rows: a board, or with Neuberg's formula an event, is read on into the next row group."""
    tables = [as_table(simulate(pairs=8, rounds=3, boards=2, seed=seed).results, f"Night {seed}") for seed in range(3)]
    table = pa.concat_tables(tables).unify_dictionaries()
    table = table.take(pa.array(np.flatnonzero(np.arange(len(table)) % 11 != 5)))
    path = tmp_path / "cut.parquet"
    pq.write_table(table, path, row_group_size=5)
    for options in (Options(), Options(method="matchpoints"), Options(method="matchpoints", factor="none")):
        added, whole = here(path, options=options), together(path, options)
        assert_same(added.pairs, whole.pairs)
        assert_same(added.players, whole.players)


def test_plain_types_of_other_writers_are_read_too(tmp_path):
    results = simulate(pairs=8, rounds=2, boards=2, seed=2).results
    write_results(tmp_path / "ours.parquet", results)
    table = pq.read_table(tmp_path / "ours.parquet")
    columns = {name: table.column(name).to_pylist() for name in table.column_names if name not in ("event", "doubtful")}
    columns["board"] = pa.array([int(board) for board in columns["board"]], pa.int32())
    columns["contract"] = pa.array(columns["contract"], pa.large_string())
    pq.write_table(pa.table(columns), tmp_path / "theirs.parquet")
    ours, theirs = (here(tmp_path / f"{name}.parquet") for name in ("ours", "theirs"))
    assert_same(ours.pairs, theirs.pairs)


def test_several_files_folders_and_patterns(tmp_path):
    for seed in range(3):
        write_results(tmp_path / f"{seed}.parquet", simulate(pairs=8, rounds=2, boards=2, seed=seed).results, str(seed))
    (tmp_path / "notes.txt").write_text("no results")
    whole = here(*(tmp_path / f"{seed}.parquet" for seed in range(3)))
    assert whole.boards == 12
    assert_same(here(tmp_path).pairs, whole.pairs)
    assert_same(here(tmp_path / "*.parquet").pairs, whole.pairs)


def test_an_address_of_another_store(tmp_path):
    import fsspec

    write_results(tmp_path / "x.parquet", simulate(pairs=8, rounds=2, boards=2).results)
    store = fsspec.filesystem("memory")
    store.pipe("/bucket/x.parquet", (tmp_path / "x.parquet").read_bytes())
    with workers(processes=1) as on:
        found = total_files(["memory://bucket/*.parquet"], on=on)
    assert_same(found.pairs, here(tmp_path / "x.parquet").pairs)
    done = run("rank", "memory://bucket/x.parquet", "--processes", 1, "--players", "--format", "csv")
    assert done.exit_code == 0
    assert done.output.startswith("Group,Rank,Player,Boards")
    for missing in ("memory://bucket/none*.parquet", "memory://nowhere/"):
        done = run("rank", missing)
        assert (done.exit_code, missing in done.output, "no such file" in done.output) == (2, True, True)


# -- what is wrong with a file


def test_what_is_wrong_is_said_in_a_sentence(tmp_path):
    results = simulate(pairs=8, rounds=2, boards=3).results
    path = tmp_path / "x.parquet"
    write_results(path, results)
    table = pq.read_table(path)
    cases = {
        "no column contract, tricks": table.drop_columns(["contract", "tricks"]),
        "expected rows sorted by event, round and board": table.take(pa.array(np.arange(len(table))[::-1])),
    }
    for said, wrong in cases.items():
        pq.write_table(wrong, path)
        done = run("rank", path, "--processes", 1)
        assert done.exit_code == 2
        assert said in done.output, done.output
        assert "Traceback" not in done.output
    path.write_bytes(b"PAR1 and then nothing PAR1")
    done = run("rank", path, "--processes", 1)
    assert (done.exit_code, "cannot be read as Parquet" in done.output) == (2, True)
    assert run("score", path).exit_code == 2
    for asked, said in (
        (("--one-event",), "needs all results at once"),
        (("--output", tmp_path / "x.xlsx"), "needs all results at once"),
        (("--engine", "spark"), "engine must be one of processes, dask"),
    ):
        done = run("rank", path, *asked)
        assert (done.exit_code, said in done.output) == (2, True), done.output
    text = tmp_path / "scores.txt"
    text.write_text("1|1|a|b|c|d|4S|N|10|HA\n")
    assert "goes with Parquet files alone" in run("rank", text, "--engine", "dask").output
    assert "is no Parquet file" in run("rank", text, f"{tmp_path}/*.parquet").output


def test_a_board_that_goes_on_in_another_file_is_refused(tmp_path):
    write_results(tmp_path / "x.parquet", simulate(pairs=8, rounds=2, boards=3).results)
    table = pq.read_table(tmp_path / "x.parquet")
    for name, part in (("a", table.slice(0, 6)), ("b", table.slice(6))):
        pq.write_table(part, tmp_path / f"{name}.parquet")
    with pytest.raises(FileError, match=r"b\.parquet: has a board that .*a\.parquet has too"):
        here(tmp_path / "a.parquet", tmp_path / "b.parquet")
    around = pa.concat_tables([table.slice(0, 4), table.slice(8)])
    pq.write_table(around, tmp_path / "a.parquet")
    pq.write_table(table.slice(4, 4), tmp_path / "b.parquet")
    assert here(tmp_path / "a.parquet", tmp_path / "b.parquet").boards == 6
    with pytest.raises(FileError, match="has an event, whose tables Neuberg's formula counts"):
        here(tmp_path / "a.parquet", tmp_path / "b.parquet", options=Options(method="matchpoints"))
    assert here(tmp_path / "b.parquet", options=Options(method="matchpoints")).boards == 1
    pq.write_table(table.slice(4, 8), tmp_path / "b.parquet")
    with pytest.raises(FileError, match="expected all its rows in one file"):
        here(tmp_path / "b.parquet", tmp_path / "a.parquet")
    with pytest.raises(FileError, match="named twice"):
        here(tmp_path / "a.parquet", tmp_path / "a.parquet")
    with pytest.raises(SheetError, match="no column"):
        pq.write_table(pa.table({"x": [1]}), tmp_path / "c.parquet")
        here(tmp_path / "c.parquet")


def test_a_row_that_cannot_be_read_spoils_its_board(tmp_path):
    results = simulate(pairs=8, rounds=1, boards=2).results
    status = results.status.copy()
    status[0] = Status.ERROR
    path = tmp_path / "x.parquet"
    write_results(path, replace(results, status=status))
    added = here(path)
    assert added.boards == 1
    assert dict(added.uncounted) == {"cannot be read": 1, "board with a row that cannot be read": 3}
    done = run("rank", path, "--processes", 1)
    assert done.exit_code == 1
    assert "1 result not counted: cannot be read" in done.output


def test_lots_are_of_neighbours_and_none_is_left_out():
    for size in (1, 2, 7, 100):
        for count in (1, 3, 64):
            lots = in_lots(range(size), count)
            assert [piece for lot in lots for piece in lot] == list(range(size))
            assert min(map(len, lots)) > 0
            assert len(lots) <= 2 * count


# -- workers


@pytest.fixture(scope="module")
def many(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder of twelve files."""
    folder = tmp_path_factory.mktemp("many")
    for seed in range(12):
        event = simulate(pairs=20, rounds=4, boards=2, seed=seed)
        write_results(folder / f"{seed:02}.parquet", event.results, f"Night {seed}")
    return folder


def test_processes_of_this_machine_give_the_same(many):
    with workers(processes=2) as on:
        assert_same(total_files([str(many)], on=on).pairs, here(many).pairs)


@pytest.fixture(scope="module")
def cluster() -> Iterator[str]:
    """A scheduler and two workers, started as a user starts them."""
    environment = {**os.environ, "DASK_DISTRIBUTED__DASHBOARD__LINK": "", "PYTHONPATH": str(Path(__file__).parent)}
    dask = [sys.executable, "-m", "dask"]
    with socket.socket() as free:  # others may run this at the same time
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    address = f"tcp://127.0.0.1:{port}"
    quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL, "env": environment, "start_new_session": True}
    scheduler = subprocess.Popen(
        [*dask, "scheduler", "--host", "127.0.0.1", "--port", str(port), "--no-dashboard"], **quiet
    )
    worker = [*dask, "worker", address, "--nthreads", "1", "--no-dashboard", "--host", "127.0.0.1", "--nworkers", "2"]
    started = subprocess.Popen(worker, **quiet)
    try:
        yield address
    finally:
        for process in (started, scheduler):  # each with the processes that it started
            os.killpg(process.pid, signal.SIGKILL)
            process.wait(20)


@pytest.mark.slow
def test_a_cluster_gives_the_same_and_a_worker_that_is_killed_changes_nothing(many, cluster):
    from distributed import Client

    with Client(cluster, timeout=30) as client:
        client.wait_for_workers(2, timeout=30)
        done = run("rank", f"{many}/*.parquet", "--engine", "dask", "--scheduler", cluster, "--format", "csv")
        assert done.exit_code == 0, done.output
        alone = run("rank", f"{many}/*.parquet", "--processes", 1, "--format", "csv")
        assert done.output == alone.output
        killed = []
        victim = next(iter(client.scheduler_info()["workers"].values()))
        number = client.run(os.getpid, workers=[victim["id"]])

        def step(text: str, share: float = 0.0) -> None:
            if not killed and share == 0:  # its tasks have been given out
                killed.extend(number.values())
                os.kill(killed[0], signal.SIGKILL)

        found = total_files([str(many)], on=on_client(client), step=step)
        assert killed
        assert_same(found.pairs, here(many).pairs)
        assert_same(found.players, here(many).players)


@pytest.mark.slow
def test_a_cluster_deals_and_solves_the_same_hands(tmp_path, cluster):
    job = Job(seed=5, deals=2, rare=0, chunk=2)
    generate(tmp_path / "here", job, 1, lambda done: None)
    with workers("dask", scheduler=cluster) as on:
        generate(tmp_path / "there", job, on.count, lambda done: None, on=on)
    files = sorted(path.name for path in (tmp_path / "here").iterdir())
    assert files == sorted(path.name for path in (tmp_path / "there").iterdir())
    for name in files:
        one, other = (np.load(tmp_path / where / name) for where in ("here", "there"))
        assert all(np.array_equal(one[each], other[each]) for each in one.files)


@pytest.mark.slow
def test_workers_that_are_started_leave_the_environment_as_it_was(monkeypatch):
    monkeypatch.setenv("OMP_NUM_THREADS", "3")
    monkeypatch.setenv("__DASK_PARENT_PID", "0")  # Dask's own, which means nothing to others
    before = dict(os.environ)
    with workers("dask", processes=1) as on:
        (given,) = on.map(_memory_variables, [None])
    monkeypatch.setenv("__DASK_PARENT_PID", "0")
    assert dict(os.environ) == before
    assert given == {"MALLOC_TRIM_THRESHOLD_": str(1 << 28), "MALLOC_MMAP_THRESHOLD_": str(1 << 28)}


def _memory_variables(_: None) -> dict[str, str]:
    return {name: value for name, value in os.environ.items() if name.startswith("MALLOC_")}


@pytest.mark.slow
def test_a_scheduler_that_does_not_answer_is_named(many, monkeypatch):
    monkeypatch.setattr("valet_xl.documents.workers._WAIT", 1.0)
    start = time.monotonic()
    done = run("rank", many, "--engine", "dask", "--scheduler", "tcp://127.0.0.1:9")
    assert (done.exit_code, "no Dask scheduler answers" in done.output) == (2, True), done.output
    assert "Traceback" not in done.output
    assert time.monotonic() - start < 60
    assert "no Dask scheduler answers" in run("rank", many, "--engine", "dask", "--scheduler", "nonsense://").output


def test_rankings_of_pieces_have_no_letters(many):
    listing = rank(here(many)).listing
    assert set(listing.columns[listing.names.index("Alike")]) == {None}
    assert {field.name for field in fields(pieces.Piece)} >= {"first", "last"}


@pytest.mark.parametrize("size", [0, 1, 7, 8, 9, 100])
@pytest.mark.parametrize("codes", ["int8", "int32", "uint32"])
def test_codes_are_read_as_pyarrow_reads_them(size: int, codes: str) -> None:
    draw = np.random.default_rng(size)
    texts = draw.choice(np.array(["a", "b", None, "c"], dtype=object), size)
    column = pa.array(texts, type=pa.string()).dictionary_encode()
    column = column.cast(pa.dictionary(getattr(pa, codes)(), pa.string()))
    for part in (column, column.slice(3), column.slice(1, 5), column.drop_null()):
        found = pieces.texts_of(pa.chunked_array([part]))
        assert [found.texts[at] if at >= 0 else None for at in found.index.tolist()] == part.to_pylist()


def test_reading_does_not_import_pandas(tmp_path: Path) -> None:
    """It takes a second in each process, and is installed on most machines that have pyarrow."""
    path = tmp_path / "night.parquet"
    write_results(path, simulate(pairs=8, rounds=3, boards=2).results)
    code = (
        "import sys; from valet_xl.documents.workers import workers; from valet_xl.sheets.bulk import total_files\n"
        f"with workers(processes=1) as on: print(total_files([{str(path)!r}], on=on).boards, 'pandas' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["6", "False"]


@pytest.mark.parametrize("lot", [1, 5, 20, 1000])
def test_lots_have_whole_boards_and_all_rows(lot: int) -> None:
    table = as_table(simulate(pairs=8, rounds=3, boards=4).results)
    lots = list(pieces.in_lots_of_keys(table, ("event", "round", "board"), lot))
    assert [before for before, _ in lots] == np.cumsum([0, *(len(rows) for _, rows in lots)])[:-1].tolist()
    assert pa.concat_tables([rows for _, rows in lots]).equals(table)
    boards = [set(zip(*(rows[name].to_pylist() for name in ("round", "board")), strict=True)) for _, rows in lots]
    assert sum(len(each) for each in boards) == len(set.union(*boards)) == 12
    assert all(len(rows) <= max(lot, 4) for _, rows in lots)
    assert len(lots) == {1: 12, 5: 12, 20: 3, 1000: 1}[lot]


def test_numbers_that_are_none_are_errors_and_not_other_numbers() -> None:
    row = {"board": "1", "contract": "4S", "declarer": "N", "tricks": 10.0, "north": "a", "east": "b"}
    rows = [row, row | {"tricks": 9.5}, row | {"tricks": float("inf")}, row | {"tricks": -1.0}, row | {"tricks": None}]
    status = results_of(pa.Table.from_pylist(rows), 0, "x").status
    assert status.tolist() == [Status.PLAYED, *[Status.ERROR] * 4]
    scores = [{"board": "1", "contract": None, "tricks": None, "score": each} for each in ("420", "-50", "abc", None)]
    found = results_of(pa.Table.from_pylist(scores), 0, "x")
    assert found.status.tolist() == [Status.SCORED, Status.SCORED, Status.ERROR, Status.UNPLAYED]
    assert found.score[:2].tolist() == [420, -50]
