"""Deals: from seeds, in chunks that are there whole or not at all, and solved."""

from __future__ import annotations

import importlib.metadata
import json
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner

from valet_xl.binky import deals as binky_deals
from valet_xl.binky.deals import (
    CHUNK,
    COMMON,
    Done,
    Job,
    better,
    deal_chunk,
    generate,
    pack,
    pbn,
    planted_patterns,
    read_deals,
    solve,
    unpack_owner,
    unpack_tricks,
)
from valet_xl.binky.fit_tables import frequencies
from valet_xl.binky.hands import PATTERNS
from valet_xl.cli.binky import binky
from valet_xl.errors import FileError, ValetError

FAST = Job(seed=3, deals=4, rare=0, chunk=2)


def lengths(owner: np.ndarray, seat: int) -> np.ndarray:
    return (owner.reshape(-1, 4, 13) == seat).sum(axis=2)


@pytest.mark.parametrize("stage", ["uniform", "rare"])
def test_every_hand_has_thirteen_cards(stage: str) -> None:
    owner, _ = deal_chunk(1, stage, 0)
    assert owner.shape == (CHUNK, 52)
    assert ((owner[:, :, None] == np.arange(4)).sum(axis=1) == 13).all()


def test_a_chunk_is_its_seeds() -> None:
    """The same seed, stage and number give the same deals; another of them others."""
    first = deal_chunk(1, "uniform", 0)[0]
    assert (deal_chunk(1, "uniform", 0)[0] == first).all()
    for other in (deal_chunk(2, "uniform", 0), deal_chunk(1, "uniform", 1), deal_chunk(1, "rare", 0)):
        assert (other[0] != first).any(axis=1).all()


def test_rare_patterns_take_turns() -> None:
    """North has the pattern that was planted, in suits of any order; each comes as often as the others."""
    parts = [deal_chunk(1, "rare", number) for number in range(9)]
    owner, planted = (np.concatenate(part) for part in zip(*parts, strict=True))
    north = lengths(owner, 0)
    assert (np.sort(north, axis=1)[:, ::-1] == np.array(PATTERNS)[planted]).all()
    assert np.bincount(planted, minlength=39)[COMMON:].tolist() == [100] * 18
    longest = np.bincount(north.argmax(axis=1), minlength=4)
    assert longest.min() > 350
    assert {len(set(four)) for four in lengths(owner, 2).tolist()} > {2, 3}  # the partner's are anything


def test_rare_patterns_are_those_under_twelve_hundredths_of_a_per_cent() -> None:
    rare = [place for place, chance in enumerate(frequencies()[0]) if chance < 0.0012]
    assert list(planted_patterns()) == rare
    assert len(rare) == 18


def test_random_deals_are_random() -> None:
    """Each seat has each card in a quarter of the deals; within five standard errors of 4,000 deals."""
    owner = np.concatenate([deal_chunk(1, "uniform", number)[0] for number in range(20)])
    share = (owner[:, :, None] == np.arange(4)).mean(axis=0)
    assert np.abs(share - 0.25).max() < 5 * np.sqrt(0.25 * 0.75 / len(owner))


def test_deals_are_packed_and_unpacked() -> None:
    owner, _ = deal_chunk(1, "uniform", 0)
    tricks = np.random.default_rng(1).integers(0, 14, (CHUNK, 2, 2)).astype(np.uint8)
    packed = pack(owner, tricks)
    assert [part.shape for part in packed] == [(CHUNK, 13), (CHUNK, 2)]
    assert (unpack_owner(packed[0]) == owner).all()
    assert (unpack_tricks(packed[1]) == tricks).all()


def test_both_stages_progress_together() -> None:
    """At any moment the same share of them is done, to a chunk."""
    job = Job(deals=10_000, rare=100)
    chunks = job.chunks()
    total = {"uniform": 50, "rare": 9}
    assert len(chunks) == len(set(chunks)) == 59
    done = {"uniform": 0, "rare": 0}
    for stage, number in chunks:
        assert number == done[stage]
        done[stage] += 1
        assert abs(done["uniform"] / 50 - done["rare"] / total["rare"]) <= 1 / 9 + 1e-9


def test_time_left() -> None:
    assert Done(0, 100, 0).seconds_left is None
    assert Done(40, 100, 2.0).seconds_left == 30


# -- chunks in a folder, with a solver that answers at once


@pytest.fixture
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(binky_deals, "solve", lambda owner: np.full((len(owner), 2, 2), 7, np.uint8))
    monkeypatch.setattr(binky_deals, "solver_version", lambda: "endplay 1")


def make(folder: Path, job: Job, stage: str = "uniform", number: int = 0, solver: str = "endplay 1") -> None:
    folder.mkdir(exist_ok=True)
    binky_deals._make_chunk(folder, job, stage, number, solver)


@pytest.mark.usefixtures("quick")
def test_chunks_are_read_in_order(tmp_path: Path) -> None:
    """Whatever the order in which they were made; other files in the folder do not matter."""
    for stage, number in (("uniform", 1), ("rare", 0), ("uniform", 0)):
        make(tmp_path, Job(), stage, number)
    (tmp_path / ".0123.tmp").write_bytes(b"half a chunk")
    (tmp_path / "notes.txt").write_text("mine")
    deals = read_deals(tmp_path)
    assert len(deals) == 3 * CHUNK
    assert (
        deals.owner == np.concatenate([deal_chunk(1, "rare", 0)[0], *(deal_chunk(1, "uniform", k)[0] for k in (0, 1))])
    ).all()
    assert (deals.planted[:CHUNK] >= COMMON).all()
    assert (deals.planted[CHUNK:] == -1).all()
    assert deals.source["deals"] == {"uniform": 2 * CHUNK, "rare": CHUNK}
    assert deals.source["solver"] == "endplay 1"


@pytest.mark.usefixtures("quick")
def test_a_chunk_is_the_same_file_again(tmp_path: Path) -> None:
    for name in ("one", "two"):
        make(tmp_path / name, Job())
    one, two = (tmp_path / name / "uniform-00000.npz" for name in ("one", "two"))
    assert one.read_bytes() == two.read_bytes()


@pytest.mark.usefixtures("quick")
def test_a_mixture_is_refused(tmp_path: Path) -> None:
    """Chunks of two seeds or solvers, and a damaged one."""
    make(tmp_path, Job())
    make(tmp_path, Job(seed=2), number=1)
    with pytest.raises(FileError, match="different solvers or seeds"):
        read_deals(tmp_path)
    (tmp_path / "uniform-00001.npz").write_bytes((tmp_path / "uniform-00000.npz").read_bytes()[:300])
    with pytest.raises(FileError, match="contains no solved deals"):
        read_deals(tmp_path)


@pytest.mark.usefixtures("quick")
@pytest.mark.slow
def test_a_chunk_with_one_wrong_byte_is_refused_or_read(tmp_path: Path) -> None:
    """Wherever the byte is; never is there another error."""
    make(tmp_path, FAST)
    path = tmp_path / "uniform-00000.npz"
    whole, refused = path.read_bytes(), 0
    for at in range(len(whole)):
        path.write_bytes(whole[:at] + bytes([whole[at] ^ 0xFF]) + whole[at + 1 :])
        try:
            read_deals(path)
        except FileError:
            refused += 1
    assert refused > len(whole) / 2


@pytest.mark.parametrize(
    ("arrays", "message"),
    [
        ({"planted": np.full(CHUNK, 39)}, "as planted"),
        ({"planted": np.full(CHUNK, -2)}, "as planted"),
        ({"planted": np.full(CHUNK, -1.5)}, "as planted"),
        ({"planted": np.full(CHUNK, "x")}, "as planted"),
        ({"planted": np.full((CHUNK, 2), -1)}, "as planted"),
        ({"planted": np.array(-1)}, "as planted"),
        ({"about": np.array("[1, 2]")}, "as about"),
        ({}, "is no chunk"),
    ],
)
def test_a_chunk_that_says_something_else_is_refused(
    tmp_path: Path, arrays: dict[str, np.ndarray], message: str
) -> None:
    owner, tricks = pack(deal_chunk(1, "uniform", 0)[0], np.full((CHUNK, 2, 2), 7, np.uint8))
    np.savez(tmp_path / "uniform-00000.npz", owner=owner, best=tricks, **arrays)
    with pytest.raises(FileError, match=message):
        read_deals(tmp_path)


def test_an_empty_folder_and_none(tmp_path: Path) -> None:
    with pytest.raises(FileError, match="contains no deals"):
        read_deals(tmp_path)
    with pytest.raises(FileError, match="no such file"):
        read_deals(tmp_path / "none")


@pytest.mark.usefixtures("quick")
def test_a_folder_of_other_deals_is_not_added_to(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(binky_deals, "solver_version", lambda: "endplay 1")
    make(tmp_path, FAST)
    for job in (Job(seed=4, deals=4, rare=0, chunk=2), Job(seed=3, deals=4, rare=0, chunk=4)):
        with pytest.raises(ValetError, match="choose another folder"):
            generate(tmp_path, job, 1, lambda done: None)


@pytest.mark.usefixtures("quick")
def test_what_is_there_is_not_done_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """With all chunks in the folder no process starts."""
    monkeypatch.setattr(binky_deals, "solver_version", lambda: "endplay 1")
    for number in (0, 1):
        make(tmp_path, FAST, number=number)
    said: list[Done] = []
    generate(tmp_path, FAST, 1, said.append)
    assert said == [Done(4, 4, 0)]


def test_without_the_solver(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """One line that says what to install, and status 2."""

    def missing(name: str) -> str:
        raise importlib.metadata.PackageNotFoundError(name)

    monkeypatch.setattr(importlib.metadata, "version", missing)
    done = CliRunner().invoke(binky, ["generate", str(tmp_path / "deals")])
    assert done.exit_code == 2
    assert "the solver endplay is not installed (install it with: " in done.output


# -- the solver itself


def test_four_hands_of_one_suit_each() -> None:
    """Each side takes 13 tricks in a suit of its own; in notrump the leader's side takes all."""
    pytest.importorskip("endplay")
    assert solve((np.arange(52) // 13)[None])[0].tolist() == [[0, 0], [13, 13]]


@pytest.mark.slow
def test_the_better_declarers_take_what_full_tables_say(shared: Path) -> None:
    """On deals whose full tables were made elsewhere."""
    pytest.importorskip("endplay")
    deals = read_deals(shared / "data" / "dd" / "deals.npz")
    assert (solve(deals.owner[:20]) == deals.tricks[:20]).all()


@pytest.mark.slow
def test_the_better_declarers_take_what_the_solvers_full_tables_say() -> None:
    """On deals with long suits, where guesses are far off and the two declarers often differ."""
    dds, types = pytest.importorskip("endplay.dds"), pytest.importorskip("endplay.types")
    owner = deal_chunk(7, "rare", 0)[0][:18]
    tables = [table.to_list() for table in dds.calc_all_tables([types.Deal(pbn(row)) for row in owner])]
    assert (solve(owner) == better(np.array(tables, np.uint8))).all()


@pytest.mark.usefixtures("quick")
def test_a_folder_with_full_tables_is_continued(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Chunks had the full tables once: they are read as before, and their number of deals is not made again."""
    monkeypatch.setattr(binky_deals, "solver_version", lambda: "endplay 1")
    make(tmp_path, FAST, number=1)
    owner, planted = deal_chunk(FAST.seed, "uniform", 0, FAST.chunk)
    tables = np.random.default_rng(2).integers(0, 14, (FAST.chunk, 5, 4)).astype(np.uint8)
    packed = tables.reshape(-1, 10, 2) @ np.array([1, 16], np.uint8)
    about = json.dumps({"stage": "uniform", "seed": FAST.seed, "number": 0, "solver": "endplay 1"})
    path = tmp_path / "uniform-00000.npz"
    np.savez(path, owner=pack(owner, np.zeros((2, 2, 2), np.uint8))[0], tricks=packed, planted=planted, about=about)
    generate(tmp_path, FAST, 1, lambda done: None)
    deals = read_deals(tmp_path)
    assert len(deals) == 4
    for deal, table in zip(deals.tricks[:2], tables, strict=True):
        for side in (0, 1):
            assert deal[0, side] == max(table[4, side], table[4, side + 2])
            assert deal[1, side] == max(table[suit, seat] for suit in range(4) for seat in (side, side + 2))
    assert (deals.tricks[2:] == 7).all()


@pytest.mark.slow
def test_generate_deals_solves_and_goes_on(tmp_path: Path) -> None:
    """In processes of its own; what was there before stays as it is, and any number of processes makes the same."""
    pytest.importorskip("endplay")
    said: list[Done] = []
    generate(tmp_path / "one", FAST, 2, said.append)
    assert [done.deals for done in said] == [0, 2, 4]
    kept, lost = (tmp_path / "one" / f"uniform-0000{number}.npz" for number in (0, 1))
    whole, before = lost.read_bytes(), kept.stat().st_mtime_ns
    lost.unlink()
    generate(tmp_path / "one", FAST, 1, said.append)
    assert lost.read_bytes() == whole
    assert kept.stat().st_mtime_ns == before
    assert read_deals(tmp_path / "one").tricks.max() <= 13


@pytest.mark.slow
def test_a_run_that_is_killed_leaves_whole_chunks_and_no_process(tmp_path: Path) -> None:
    """Killed at any moment, without a word: its processes end too, and the next run goes on with what is there."""
    pytest.importorskip("endplay")
    job = Job(seed=8, deals=400, rare=0, chunk=1)
    program = (
        "from pathlib import Path; from valet_xl.binky.deals import *\n"
        f"if __name__ == '__main__': generate(Path({str(tmp_path)!r}), {job!r}, 2, lambda done: None)"
    )
    (tmp_path / "run.py").write_text(program)
    run = subprocess.Popen([sys.executable, str(tmp_path / "run.py")], stdout=subprocess.PIPE)
    while not list(tmp_path.glob("*.npz")) and run.poll() is None:
        time.sleep(0.1)
    run.kill()
    run.communicate(timeout=120)  # until every process that it started, all of which have its output, has ended
    there = sorted(tmp_path.glob("*.npz"))
    assert 0 < len(there) < 400
    assert len(read_deals(tmp_path)) == len(there)
