"""Deals with their double-dummy tricks: dealt from seeds and solved in chunks, kept in a folder, read again.

A chunk is a small file that is written whole or not at all, so that a run may be ended at any moment and continued
later. Chunk k of a stage is dealt from the seeds (seed, stage, k) alone: it is the same on every machine, whatever the
number of processes and the order in which they work.
"""

from __future__ import annotations

import io
import json
import os
import signal
import threading
import time
import zipfile
import zlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from valet_xl.binky.hands import CARDS, PATTERNS, RANKS
from valet_xl.documents.disk import read_file, replace_file
from valet_xl.documents.workers import Workers
from valet_xl.errors import FileError, ValetError
from valet_xl.messages import to_install

Bytes = NDArray[np.uint8]

STAGES = ("uniform", "rare")
EXTRA = "binky"  # what installs the solver and scipy
CHUNK = 200  # deals of a chunk
SEATS, SUITS, NOTRUMP = 4, 4, 4  # notrump is the strain after the suits
COMMON = 21  # patterns that random deals show often; each of the others has less than 0.12 % of the hands


@dataclass(frozen=True, slots=True, eq=False)
class Deals:
    """Deals and their double-dummy tricks.

    owner : (n, 52) who holds each card, spades A K Q ... 2, then hearts, diamonds, clubs; 0 N, 1 E, 2 S, 3 W
    tricks : (n, 2, 2) what the better of a side's two declarers takes, in notrump and in the best of the four suits,
        by North-South and by East-West
    planted : (n,) the place in PATTERNS of the pattern that North was given on purpose; -1 in a random deal
    source : where they are from: the solver, seeds and numbers of deals, for the record
    """

    owner: Bytes
    tricks: Bytes
    planted: NDArray[np.int8]
    source: dict[str, object]

    def __len__(self) -> int:
        return len(self.owner)


@dataclass(frozen=True, slots=True)
class Job:
    """What is to be dealt and solved.

    seed : the first of the seeds
    deals : random deals; both numbers are rounded up to whole chunks
    rare : deals for each of the rare patterns
    chunk : deals in a file
    """

    seed: int = 1
    deals: int = 100_000
    rare: int = 1_000
    chunk: int = CHUNK

    def chunks(self) -> list[tuple[str, int]]:
        """Stage and number of every chunk in the order of work: at any time the same share of both stages is done.

        >>> Job(deals=1_200, rare=25).chunks()[:5]
        [('uniform', 0), ('uniform', 1), ('rare', 0), ('uniform', 2), ('uniform', 3)]
        """
        sizes = (self.deals, self.rare * len(planted_patterns()))
        counts = {stage: -(-size // self.chunk) for stage, size in zip(STAGES, sizes, strict=True)}
        return sorted(
            ((stage, k) for stage in STAGES for k in range(counts[stage])),
            key=lambda chunk: ((chunk[1] + 1) / counts[chunk[0]], STAGES.index(chunk[0])),
        )


@dataclass(frozen=True, slots=True)
class Done:
    """How far a run is.

    deals, of : deals that are solved, and of how many
    rate : deals a second in this run, 0 where not known yet
    """

    deals: int
    of: int
    rate: float

    @property
    def seconds_left(self) -> float | None:
        """Seconds that the rest takes at this rate; None where it is not known yet."""
        return (self.of - self.deals) / self.rate if self.rate else None


def planted_patterns() -> range:
    """Places in PATTERNS of the rare patterns that are dealt on purpose."""
    return range(COMMON, len(PATTERNS))


def deal_chunk(seed: int, stage: str, number: int, size: int = CHUNK) -> tuple[Bytes, NDArray[np.int8]]:
    """Deal the cards of one chunk.

    Returns
    -------
    (size, 52) owners and (size,) planted patterns as in `Deals`

    Notes
    -----
    Only the generator's plain random numbers are used, and their order deals the cards. In a rare chunk the patterns
    take turns through all chunks; the suits' lengths come in any order, the cards of a length are random, and the other
    three hands share the rest at random.
    """
    random = np.random.default_rng(np.random.SeedSequence((seed, STAGES.index(stage), number)))
    keys = random.random((size, 52))
    planted = np.full(size, -1, dtype=np.int8)
    if stage == "rare":
        patterns = np.array(planted_patterns())
        planted = patterns[(number * size + np.arange(size)) % len(patterns)].astype(np.int8)
        suits = random.random((size, 4)).argsort(axis=1)
        lengths = np.take_along_axis(np.array(PATTERNS)[planted], suits, axis=1)
        places = random.random((size, 4, 13)).argsort(axis=2).argsort(axis=2)
        keys -= (places < lengths[:, :, None]).reshape(size, 52)
    owner = keys.argsort(axis=1).argsort(axis=1) // 13
    return owner.astype(np.uint8), planted


def generate(
    folder: Path, job: Job, processes: int, report: Callable[[Done], None], *, on: Workers | None = None
) -> None:
    """Deal and solve the chunks that a folder does not have yet.

    Parameters
    ----------
    folder : where the chunks are kept; made where there is none
    processes : solvers at work at the same time
    report : called at the start and after every chunk
    on : who deals and solves instead; the chunks are written here

    Raises
    ------
    ValetError : where the solver is not installed, or the folder has deals of another seed or solver
    FileError : where a chunk cannot be written

    Notes
    -----
    However the run ends, the chunks that are there are whole; another run does the rest.
    """
    import multiprocessing  # noqa: PLC0415
    from concurrent.futures import ProcessPoolExecutor, as_completed  # noqa: PLC0415
    from concurrent.futures.process import BrokenProcessPool  # noqa: PLC0415

    solver = solver_version()
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise FileError(f"{folder}: is not a folder and cannot be made one") from error
    chunks = job.chunks()
    _refuse_others(folder, job, solver)
    todo = [chunk for chunk in chunks if not _path(folder, *chunk).exists()]
    solved, of, start = len(chunks) - len(todo), len(chunks), time.monotonic()
    report(Done(solved * job.chunk, of * job.chunk, 0))
    if not todo:
        return
    if on is not None:
        data = on.map(partial(_chunk, job, solver), todo)
        for count, (chunk, made) in enumerate(zip(todo, data, strict=True), 1):
            replace_file(_path(folder, *chunk), made)
            rate = count * job.chunk / (time.monotonic() - start)
            report(Done((solved + count) * job.chunk, of * job.chunk, rate))
        return
    others = multiprocessing.active_children()
    # Forked processes would share the threads and memory of the solver's library.
    pool = ProcessPoolExecutor(
        min(processes, len(todo)), mp_context=multiprocessing.get_context("spawn"), initializer=_start_worker
    )
    try:
        work = [pool.submit(_make_chunk, folder, job, stage, number, solver) for stage, number in todo]
        for count, future in enumerate(as_completed(work), 1):
            future.result()
            rate = count * job.chunk / (time.monotonic() - start)
            report(Done((solved + count) * job.chunk, of * job.chunk, rate))
    except BrokenProcessPool as error:
        raise ValetError(
            "a solver's process ended before its work was done (start again: what is solved is kept)"
        ) from error
    finally:
        pool.shutdown(wait=False, cancel_futures=True)
        for child in multiprocessing.active_children():
            if child not in others:  # with a chunk that nobody waits for any more, or idle
                child.terminate()


def solver_version() -> str:
    """Name and version of the solver.

    Raises
    ------
    ValetError : where it is not installed
    """
    from importlib.metadata import PackageNotFoundError, version  # noqa: PLC0415

    try:
        return f"endplay {version('endplay')}"
    except PackageNotFoundError as error:
        raise ValetError(f"the solver endplay is not installed (install it with: {to_install(EXTRA)})") from error


def solve(owner: Bytes) -> Bytes:
    """Double-dummy tricks of the better declarers: (n, 52) owners -> (n, 2, 2) tricks, both as in `Deals`.

    Notes
    -----
    A full table has 20 numbers, of which these four use a few. A declarer who cannot take more than the best so far
    does not matter, and the solver says so much sooner than it finds his number. The tricks are the same, for two
    fifths of the time.
    """
    solver = _Solver()
    tricks = np.empty((len(owner), 2, 2), dtype=np.uint8)
    for place, cards in enumerate(owner):
        solver.lay(cards)
        notrump, suits = _guess(cards)
        best_first = sorted(range(SUITS), key=lambda suit: -suits[suit])
        north_south = solver.most([NOTRUMP], 0, notrump)
        tricks[place, 0] = north_south, solver.most([NOTRUMP], 1, CARDS - north_south)
        tricks[place, 1] = (
            solver.most(best_first, 0, suits[best_first[0]]),
            solver.most(best_first[::-1], 1, CARDS - suits[best_first[-1]]),
        )
    return tricks


class _Solver:
    """The solver with a deal, of which it is asked whether a side takes so many tricks.

    It keeps what it has found until the deal or the strain changes.
    """

    def __init__(self) -> None:
        from endplay import _dds  # noqa: PLC0415

        self._dds, self._deal, self._found = _dds, _dds.deal(), _dds.futureTricks()
        self._limit = [[CARDS] * SEATS for _ in range(SUITS + 1)]

    def lay(self, owner: Bytes) -> None:
        """Take the (52,) owners of another deal's cards."""
        ranks = 4 << np.arange(CARDS - 1, -1, -1)  # the solver's bits: a two is 4, an ace 16,384
        for seat in range(SEATS):
            held = (owner.reshape(SUITS, CARDS) == seat) @ ranks
            self._deal.remainCards[seat][:] = held.tolist()
        self._limit = [[CARDS] * SEATS for _ in range(SUITS + 1)]

    def most(self, strains: Sequence[int], side: int, guess: int) -> int:
        """The most tricks that the better declarer of a side takes in any of the strains.

        Parameters
        ----------
        strains : places in S, H, D, C, notrump, the likeliest first
        side : 0 North-South, 1 East-West
        guess : about how many; the nearer, the sooner it is found
        """
        most = min(max(guess, 0), CARDS)
        while not self.takes(strains[0], side, most):
            most -= 1
        for strain in strains:
            while self.takes(strain, side, most + 1):
                most += 1
        return most

    def takes(self, strain: int, side: int, tricks: int) -> bool:
        """Whether one of a side's declarers takes at least so many tricks."""
        limit = self._limit[strain]
        for declarer in (side, side + 2):
            if tricks > limit[declarer]:
                continue
            if self._declarer_takes(strain, declarer, tricks):
                return True
            limit[declarer] = tricks - 1
        return False

    def _declarer_takes(self, strain: int, declarer: int, tricks: int) -> bool:
        """Whether a declarer takes at least so many: where the leader's side does not take the 14th less these."""
        if tricks <= 0:
            return True
        target = CARDS + 1 - tricks
        self._deal.trump, self._deal.first = strain, (declarer + 1) % SEATS
        any_card, always = 1, 1  # that reaches the target; also if there is but one to play
        self._dds.SolveBoard(self._deal, target, any_card, always, self._found, 0)
        return int(self._found.score[0]) < target


def _guess(owner: Bytes) -> tuple[int, list[int]]:
    """About how many tricks North-South take: in notrump by high-card points, in suits by their length too."""
    mine = owner.reshape(SUITS, CARDS) % 2 == 0
    notrump = CARDS / 2 + (mine[:, :4] @ (4, 3, 2, 1)).sum() / 2.9 - 20 / 2.9
    suits = notrump + 0.9 * (mine.sum(axis=1) - CARDS / 2)
    return round(notrump), [round(tricks) for tricks in suits]


def pbn(owner: Bytes) -> str:
    """(52,) owners of a deal's cards as PBN text.

    >>> pbn(np.arange(52) // 13)
    'N:AKQJT98765432... .AKQJT98765432.. ..AKQJT98765432. ...AKQJT98765432'
    """
    suits = np.asarray(owner).reshape(4, 13)
    hands = (".".join("".join(RANKS[c] for c in np.flatnonzero(suit == seat)) for suit in suits) for seat in range(4))
    return f"N:{' '.join(hands)}"


def read_deals(path: Path) -> Deals:
    """Read the chunks of a folder, or one file of deals that were solved anywhere.

    Parameters
    ----------
    path : a folder of chunks, or a numpy .npz file with `owner`, (n, 13) bytes with four cards a byte, lowest two bits
        first, and `best`, (n, 2) bytes with two numbers a byte, lowest four bits first, in the order of `Deals`; or
        `tricks`, (n, 10) bytes: the full tables by strain (S, H, D, C, notrump) and declarer (N, E, S, W)

    Raises
    ------
    FileError : where there are none, or a file has other contents
    """
    if not path.is_dir():
        owner, tricks, planted, about = _read(path)
        return Deals(owner, tricks, planted, about or {"file": path.name, "deals": len(owner)})
    names = sorted(found for found in path.glob("*.npz") if found.stem.rsplit("-", 1)[0] in STAGES)
    if not names:
        raise FileError(f"{path}: contains no deals (a folder that `binky generate` has filled was expected)")
    parts = [_read(name) for name in names]
    for name, (*_, about) in zip(names, parts, strict=True):
        if not {"solver", "seed", "stage"} <= about.keys():
            raise FileError(f"{name}: is no chunk (a file that `binky generate` has made was expected)")
    made = {(str(about["solver"]), str(about["seed"])) for *_, about in parts}
    if len(made) > 1:
        raise FileError(f"{path}: contains chunks of different solvers or seeds (of one were expected)")
    about = parts[0][3]
    counts = {stage: sum(len(part[0]) for part in parts if part[3]["stage"] == stage) for stage in STAGES}
    return Deals(
        np.concatenate([part[0] for part in parts]),
        np.concatenate([part[1] for part in parts]),
        np.concatenate([part[2] for part in parts]),
        {"solver": about["solver"], "seed": about["seed"], "chunk": len(parts[0][0]), "deals": counts},
    )


def join_deals(parts: Sequence[Deals]) -> Deals:
    """The deals of several folders or files, in their order."""
    if len(parts) == 1:
        return parts[0]
    owner, tricks, planted = (
        np.concatenate([getattr(part, field) for part in parts]) for field in ("owner", "tricks", "planted")
    )
    return Deals(owner, tricks, planted, {"parts": [part.source for part in parts]})


def pack(owner: Bytes, tricks: Bytes) -> tuple[Bytes, Bytes]:
    """(n, 52) owners and (n, 2, 2) tricks as (n, 13) and (n, 2) bytes, the form in which they are kept."""
    return owner.reshape(-1, 13, 4) @ np.array([1, 4, 16, 64], np.uint8), tricks @ np.array([1, 16], np.uint8)


def unpack_owner(owner: Bytes) -> Bytes:
    """(n, 13) bytes as (n, 52) owners."""
    return np.stack([(owner >> shift) & 3 for shift in (0, 2, 4, 6)], axis=-1).reshape(-1, 52)


def unpack_tricks(tricks: Bytes) -> Bytes:
    """(n, k) bytes as (n, k, 2) numbers."""
    return np.stack([tricks & 15, tricks >> 4], axis=-1)


def better(tables: Bytes) -> Bytes:
    """(n, 5, 4) full tables, by strain (S, H, D, C, notrump) and declarer (N, E, S, W), as (n, 2, 2) tricks.

    >>> table = np.zeros((1, 5, 4), np.uint8)
    >>> table[0, 4], table[0, 0], table[0, 1] = (7, 6, 8, 6), (10, 3, 9, 3), (4, 8, 4, 9)
    >>> better(table).tolist()
    [[[8, 6], [10, 9]]]
    """
    sides = tables[:, :, :2].clip(min=tables[:, :, 2:])
    return np.stack([sides[:, NOTRUMP], sides[:, :NOTRUMP].max(axis=1)], axis=1)


def _read(path: Path) -> tuple[Bytes, Bytes, NDArray[np.int8], dict[str, object]]:
    """Owners, tricks, planted patterns of a file, and what it says of itself."""
    try:
        with np.load(io.BytesIO(read_file(path)), allow_pickle=False) as arrays:
            owner, tricks = unpack_owner(arrays["owner"]), _tricks(arrays)
            planted = arrays["planted"] if "planted" in arrays else np.full(len(owner), -1, dtype=np.int8)
            about = json.loads(str(arrays["about"])) if "about" in arrays else {}
    except _DAMAGES as error:
        if isinstance(error, ValetError):
            raise
        raise FileError(f"{path}: contains no solved deals (arrays owner and best or tricks were expected)") from error
    held = (owner[:, :, None] == np.arange(4)).sum(axis=1)
    if len(owner) != len(tricks) or (held != 13).any() or (tricks > 13).any():
        raise FileError(f"{path}: is damaged (four hands of 13 cards and 0-13 tricks a deal were expected)")
    places = np.arange(-1, len(PATTERNS))
    if planted.shape != (len(owner),) or planted.dtype.kind != "i" or not np.isin(planted, places).all():
        raise FileError(f"{path}: is damaged (a pattern's place or -1 for each deal was expected as planted)")
    if not isinstance(about, dict):
        raise FileError(f"{path}: is damaged (the chunk's seed and solver were expected as about)")
    return owner, tricks, planted, about


def _tricks(arrays: Mapping[str, Bytes]) -> Bytes:
    """(n, 2, 2) tricks as in `Deals`, of a file with them or with full tables."""
    if "best" in arrays:
        return unpack_tricks(arrays["best"]).reshape(-1, 2, 2)
    return better(unpack_tricks(arrays["tricks"]).reshape(-1, SUITS + 1, SEATS))


# What reading a damaged archive raises; RuntimeError where it seems to be encrypted or packed in another way.
_DAMAGES = (
    *(ValueError, KeyError, TypeError, EOFError, OSError, RuntimeError, MemoryError),
    *(zipfile.BadZipFile, zlib.error),
)


def _path(folder: Path, stage: str, number: int) -> Path:
    return folder / f"{stage}-{number:05}.npz"


def _refuse_others(folder: Path, job: Job, solver: str) -> None:
    """Raise ValetError where a folder's chunks are of another seed or size, or by another solver."""
    mine = f"seed {job.seed}, {solver}, {job.chunk} deals"
    for stage in STAGES:
        for path in sorted(folder.glob(f"{stage}-*.npz")):
            owner, _, _, about = _read(path)
            other = f"seed {about.get('seed')}, {about.get('solver')}, {len(owner)} deals"
            if other != mine:
                raise ValetError(f"{path}: is of {other} (expected {mine}; choose another folder)")


def _start_worker() -> None:
    """One thread a process; and a process that ends when the one that started it is gone, however it went."""
    import multiprocessing  # noqa: PLC0415

    parent = multiprocessing.parent_process()
    if parent:

        def end_with_parent() -> None:
            parent.join()
            os._exit(1)

        threading.Thread(target=end_with_parent, daemon=True).start()
        signal.signal(signal.SIGINT, signal.SIG_IGN)  # the one that started it says what to do
    from endplay import _dds  # noqa: PLC0415

    _dds.SetMaxThreads(1)


def _make_chunk(folder: Path, job: Job, stage: str, number: int, solver: str) -> None:
    """Deal, solve and write one chunk."""
    replace_file(_path(folder, stage, number), _chunk(job, solver, (stage, number)))


def _chunk(job: Job, solver: str, chunk: tuple[str, int]) -> bytes:
    """The file of one chunk, dealt and solved; a worker elsewhere must have the same solver.

    Raises
    ------
    ValetError : where it has another one
    """
    if solver_version() != solver:
        raise ValetError(f"a worker has {solver_version()} (expected {solver}, as here)")
    stage, number = chunk
    owner, planted = deal_chunk(job.seed, stage, number, job.chunk)
    cards, tricks = pack(owner, solve(owner))
    about = {"stage": stage, "seed": job.seed, "number": number, "solver": solver}
    file = io.BytesIO()
    np.savez_compressed(file, owner=cards, best=tricks, planted=planted, about=np.array(json.dumps(about)))
    return file.getvalue()
