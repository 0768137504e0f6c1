"""A file of results scored beside a file of deals: the columns, what is kept, and records that cannot be right."""

from __future__ import annotations

import csv
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner
from test_deal_files import ONE, TWO, write

from valet_xl.cli.score import score
from valet_xl.deals.against import against, no_deals
from valet_xl.deals.cards import deal_of
from valet_xl.deals.kept import Solved
from valet_xl.documents.workers import workers
from valet_xl.engine.options import Options
from valet_xl.errors import ValetError
from valet_xl.reading.files import read_results
from valet_xl.sheets.score_file import score_file

# Everybody has a suit of his own in TWO: East spades, South hearts, West diamonds, North clubs.
RESULTS = """Board,Contract,By,Tricks,Lead
1,3NT,N,9,HQ
1,3NT,N,10,DQ
1,3NT,S,9,HQ
1,2H,E,8,SK
1,Pass,,,
2,7S,E,13,H2
2,7S,E,12,H2
2,7C,N,13,SA
"""


@pytest.fixture
def files(tmp_path: Path) -> tuple[Path, Path]:
    pytest.importorskip("endplay")
    deals = f'[Board "1"]\n[Deal "{ONE}"]\n\n[Board "2"]\n[Deal "{TWO}"]\n'
    return write(tmp_path, "results.csv", RESULTS), write(tmp_path, "cards.pbn", deals)


def scored(path: Path) -> list[dict[str, str]]:
    with path.open(encoding="utf-8-sig", newline="") as file:
        return list(csv.DictReader(file))


def test_columns_and_notes(files: tuple[Path, Path], tmp_path: Path) -> None:
    """The tricks, par, costs of leads; play = cost of the lead - defence; wrong leads name the declarer that fits."""
    path, deals = files
    outcome = score_file(path, tmp_path / "out.csv", deals=deals, options=Options())
    rows = scored(outcome.written)
    for row in rows:
        if row["Lead cost"]:
            assert int(row["DD play"]) == int(row["Lead cost"]) - int(row["DD defence"])
            assert int(row["DD play"]) == int(row["Tricks"]) - int(row["DD"])
    assert [row["Par contract"] for row in rows[5:]] == ["EW 7S="] * 3
    assert [row["Par"] for row in rows[5:]] == ["-1510"] * 3  # N-S vulnerable, East's grand slam
    assert [row["DD"] for row in rows[5:]] == ["13", "13", "13"]
    assert rows[4]["DD"] == "" and rows[4]["Par"] == rows[0]["Par"]
    assert rows[2]["Note"] == (
        "lead HQ is not West's: East, the leader's partner, holds it (expected with declarer North)"
    )
    assert rows[3]["Note"].startswith("lead SK is not South's: North, the leader's partner, holds it")
    assert (
        rows[6]["Note"]
        == "12 tricks cannot be: East holds the highest trumps (expected at least 13 tricks for declarer)"
    )
    assert rows[2]["Lead cost"] == rows[3]["Lead cost"] == ""
    assert "2 of 7 leads is a card of another hand: 2 the leader's partner's" in outcome.summary.remarks


def test_nothing_is_solved_twice(files: tuple[Path, Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The second run asks the solver for nothing, and writes the same; columns go where they were."""
    from valet_xl.deals import kept

    path, deals = files
    score_file(path, tmp_path / "one.csv", deals=deals, options=Options())
    assert (tmp_path / "results-double-dummy.npz").exists()

    def refuse(*_: object) -> None:
        raise AssertionError("solved again")

    for name in ("solve_tables", "solve_tricks", "solve_leads"):
        monkeypatch.setattr(kept, name, refuse)
    score_file(path, tmp_path / "two.csv", deals=deals, options=Options())
    assert (tmp_path / "one.csv").read_bytes() == (tmp_path / "two.csv").read_bytes()
    again = score_file(tmp_path / "two.csv", tmp_path / "three.csv", options=Options())
    assert "DD" not in scored(again.written)[0]  # without deals the columns of an earlier scoring go
    assert "Par" not in again.unread


def test_the_command(files: tuple[Path, Path]) -> None:
    path, deals = files
    done = CliRunner().invoke(score, [str(path), "--deals", str(deals)])
    assert done.exit_code == 0, done.output
    assert "2 of 7 leads is a card of another hand" in done.output
    missing = CliRunner().invoke(score, [str(path), "--deals", str(deals.with_name("none.pbn"))])
    assert missing.exit_code == 2
    assert "none.pbn" in missing.output and "Traceback" not in missing.output


def test_without_the_solver(files: tuple[Path, Path], monkeypatch: pytest.MonkeyPatch) -> None:
    """One line says how to install it, and nothing is written."""
    from valet_xl.deals import solver

    def missing(extra: str = "") -> str:
        raise ValetError("the solver endplay is not installed (install it with: ...)")

    monkeypatch.setattr(solver, "solver_version", missing)
    path, deals = files
    done = CliRunner().invoke(score, [str(path), "--deals", str(deals)])
    assert done.exit_code == 2
    assert done.output.strip().endswith("results.csv: the solver endplay is not installed (install it with: ...)")
    assert "\n" not in done.output.strip()
    assert not path.with_name("results-scored.csv").exists()


def test_deals_of_another_session_are_noticed(tmp_path: Path) -> None:
    """Results that are far off double dummy get a sentence."""
    pytest.importorskip("endplay")
    rows = "".join(f"2,1S,{by},{tricks},\n" for by in "NS" for tricks in (7, 8, 9, 7, 8))
    results = read_results(write(tmp_path, "r.csv", "Board,Contract,By,Tricks,Lead\n" + rows))
    owners = no_deals(1)
    owners[0] = deal_of(TWO)
    found = against(results, owners, Solved())
    assert found.remarks[-1].startswith("these deals hardly fit these results, on average 7.8 off double dummy")
    assert len(found.notes) == 10  # East has every trump
    assert np.isnan(found.lead_cost).all()


def test_boards_without_a_deal_are_counted(tmp_path: Path) -> None:
    pytest.importorskip("endplay")
    results = read_results(write(tmp_path, "r.csv", "Board,Contract,By,Tricks\n1,3NT,N,9\n2,3NT,N,9\n"))
    owners = no_deals(2)
    owners[0] = deal_of(ONE)
    found = against(results, owners, Solved())
    assert found.remarks == ("no deal for 1 of 2 boards",)
    assert np.isnan(found.tricks).tolist() == [False, True]


def test_workers_solve_the_same_and_each_deal_once(tmp_path: Path) -> None:
    """Also where a deal is on several boards, and what other processes solved is kept as if it were solved here."""
    pytest.importorskip("endplay")
    rng = np.random.default_rng(3)
    different = np.stack([rng.permutation(np.repeat(np.arange(4), 13)) for _ in range(3)]).astype(np.uint8)
    owners = different[[0, 1, 2, 0, 0, 1]]
    asks = [(deal, strain, seat) for deal in range(6) for strain in (2, 4) for seat in (0, 1)]
    here, there = Solved(tmp_path / "here.npz"), tmp_path / "there.npz"
    with workers(processes=2) as on:
        other = Solved(there, on)
        assert np.array_equal(other.need_leads(owners, asks), here.need_leads(owners, asks))
        assert other.solved == here.solved == 12
        assert np.array_equal(other.need_tables(owners), here.need_tables(owners))
        assert other.solved == here.solved == 15
        assert np.array_equal(other.need_tricks(owners, asks), here.need_tricks(owners, asks))
        assert other.solved == 15
    again = Solved(there)
    assert np.array_equal(again.need_tables(owners), here.need_tables(owners))
    assert again.solved == 0


@pytest.mark.slow
def test_the_engine_of_the_command_solves(files: tuple[Path, Path], tmp_path: Path) -> None:
    path, deals = files
    written = {}
    for name, asked in (
        ("one", ["--processes", "1"]),
        ("more", []),
        ("dask", ["--engine", "dask", "--processes", "2"]),
    ):
        kept = path.with_name("results-double-dummy.npz")
        kept.unlink(missing_ok=True)
        done = CliRunner().invoke(
            score, [str(path), "--deals", str(deals), "--output", str(tmp_path / f"{name}.csv"), *asked]
        )
        assert done.exit_code == 0, done.output
        assert kept.exists()
        written[name] = (tmp_path / f"{name}.csv").read_text(encoding="utf-8-sig")
    assert written["one"] == written["more"] == written["dask"]
    refused = CliRunner().invoke(score, [str(path), "--engine", "dask"])
    assert (refused.exit_code, "with --deals" in refused.output) == (2, True)
    refused = CliRunner().invoke(score, [str(path), "--deals", str(deals), "--scheduler", "tcp://127.0.0.1:9"])
    assert (refused.exit_code, "expected the engine dask with it" in refused.output) == (2, True)
