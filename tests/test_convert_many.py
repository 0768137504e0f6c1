"""Many files converted at once: a Parquet file for each event, in a folder that is whole or not there."""

from __future__ import annotations

import pyarrow.parquet as pq
import pytest
from result_files import FILES, NAMES
from test_parquet import here, run

from valet_xl.rankings.simulate import simulate
from valet_xl.reading.parquet import results_of
from valet_xl.sheets.parquet_file import write_results


def written(folder):
    return sorted(path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file())


def test_a_folder_of_all_formats_is_converted_and_ranked(tmp_path):
    folder = tmp_path / "scores"
    (folder / "old").mkdir(parents=True)
    for name, data in FILES.items():
        (folder / name).write_bytes(data)
    (folder / "old" / "names.txt").write_text(NAMES, encoding="utf-8")
    (folder / "old" / "letter.txt").write_text("Dear all, no results here.\n")
    done = run("convert", folder, "--output", tmp_path / "all")
    assert done.exit_code == 1, done.output
    assert "passed over: " in done.output
    assert "letter.txt" in done.output
    files = written(tmp_path / "all")
    assert len(files) == len(FILES)
    events = [pq.read_table(tmp_path / "all" / file).column("event")[0].as_py() for file in files]
    assert len(set(events)) == len(events)
    assert run("rank", tmp_path / "all", "--processes", 1).exit_code in (0, 1)


def test_numbers_of_pairs_are_those_of_their_event(tmp_path):
    """Pair 7 of Monday is not pair 7 of Tuesday."""
    for name, tricks in (("monday", 10), ("tuesday", 9)):
        rows = [f"1,7,9,4S,N,{tricks}", "1,8,10,4S,N,11", f"2,7,10,3N,N,{tricks}", "2,8,9,3N,N,8"]
        (tmp_path / f"{name}.csv").write_text("Board,NS,EW,Contract,By,Tricks\n" + "\n".join(rows) + "\n")
    done = run("convert", tmp_path / "monday.csv", tmp_path / "tuesday.csv", "--output", tmp_path / "out")
    assert done.exit_code == 0, done.output
    assert written(tmp_path / "out") == ["monday.parquet", "tuesday.parquet"]
    added = here(tmp_path / "out").pairs
    assert sorted(added.names.tolist()) == [
        *(f"monday {pair}" for pair in ("10", "7", "8", "9")),
        *(f"tuesday {pair}" for pair in ("10", "7", "8", "9")),
    ]


def test_a_large_event_is_divided_by_boards(tmp_path, monkeypatch):
    results = simulate(pairs=8, rounds=5, boards=3).results
    assert [path.name for path in write_results(tmp_path / "x.parquet", results, "x", most=9)] == [
        f"x-{at:03}.parquet" for at in range(1, 6)
    ]
    sizes = [pq.read_metadata(path).num_rows for path in sorted(tmp_path.glob("x-*.parquet"))]
    assert sizes == [12] * 5
    write_results(tmp_path / "whole.parquet", results, "x")
    whole, parts = here(tmp_path / "whole.parquet"), here(tmp_path / "x-*.parquet")
    assert whole.pairs.names.tolist() == parts.pairs.names.tolist()
    assert (whole.pairs["overall"].error == parts.pairs["overall"].error).all()
    table = pq.read_table(tmp_path / "x-002.parquet")
    assert len(results_of(table, 0, "").boards) == 3


@pytest.mark.parametrize("place", ["folder", "pattern", "named"])
def test_nothing_is_written_where_a_folder_cannot_be_made(tmp_path, place):
    (tmp_path / "in").mkdir()
    (tmp_path / "in" / "letter.txt").write_text("Dear all, no results here.\n")
    asked = {"folder": tmp_path / "in", "pattern": tmp_path / "in" / "*.txt", "named": tmp_path / "in" / "letter.txt"}
    before = sorted(tmp_path.rglob("*"))
    done = run("convert", asked[place], "--output", tmp_path / "out")
    assert (done.exit_code, "letter.txt" in done.output or "none of 1 file" in done.output) == (2, True), done.output
    assert sorted(tmp_path.rglob("*")) == before
    for more, said in (
        ((), "expected the name of a new folder"),
        (("--output", tmp_path / "x.xlsx"), "expected the name of a new folder"),
        (("--output", tmp_path / "in"), "is there already"),
        (("--output", tmp_path / "none" / "out"), "there is no such folder"),
        (("--output", tmp_path / "out", "--sheet", "x"), "--sheet goes with one file alone"),
    ):
        done = run("convert", tmp_path / "in", *more)
        assert (done.exit_code, said in done.output) == (2, True), done.output
        assert sorted(tmp_path.rglob("*")) == before
    assert "named twice" in run("convert", asked["named"], tmp_path / "in", "-o", tmp_path / "out").output
    assert "no such file" in run("convert", tmp_path / "*.none", "-o", tmp_path / "out").output
