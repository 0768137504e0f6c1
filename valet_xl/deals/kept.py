"""What was solved, kept in a file so that nothing is solved twice."""

from __future__ import annotations

import io
import zipfile
import zlib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, Generic, TypeVar

import numpy as np

from valet_xl.deals import solver
from valet_xl.deals.cards import CARDS, DECK, Bytes
from valet_xl.deals.solver import (
    NO_CARD,
    SEATS,
    STRAINS,
    Ask,
    one_thread,
    solve_leads,
    solve_tables,
    solve_tricks,
)
from valet_xl.documents.disk import read_file, replace_file
from valet_xl.errors import FileError

if TYPE_CHECKING:
    from valet_xl.documents.workers import Workers

UNSOLVED = 255
_AT_ONCE = 200  # numbers that are solved before they are written
_TABLES = 40  # deals that are solved at once
_FORM = 1  # of the file

_T = TypeVar("_T")
_Contract = tuple[bytes, int, int]
Done = Callable[[float], object]
"""Called with the share of the work that is done, from 0 to 1."""


class Solved:
    """Deals and what was solved of them.

    Parameters
    ----------
    path : the file that keeps it; None for none
    on : who solves; None for this process, with a thread for each core

    Raises
    ------
    FileError : where the file is something else, or damaged
    """

    def __init__(self, path: Path | None = None, on: Workers | None = None) -> None:
        self.path = path
        self.solved = 0  # deals and contracts that the solver was asked for
        self._on = on
        self._tables: dict[bytes, Bytes] = {}
        self._leads: dict[tuple[bytes, int, int], Bytes] = {}
        if path is not None and path.exists():
            self._read(path)

    def need_tables(self, owners: Bytes, done: Done = lambda _: None) -> Bytes:
        """(n, 5, 4) all tricks of (n, 52) deals, by strain, clubs to notrump, and declarer; solved if not known.

        Raises
        ------
        ValetError : where the solver is not installed
        """
        keys = _keys(owners)
        todo = {key: at for at, key in enumerate(keys) if (self._table(key) == UNSOLVED).any()}
        cut = self._cut(list(todo), _TABLES)
        parts = [_Part(of, owners[[todo[key] for key in of]], []) for of in cut]
        for part, found in self._in_parts(parts, solve_all, done):
            for key, table in zip(part.keys, found, strict=True):
                self._tables[key] = table
        return np.array([self._table(key) for key in keys], dtype=np.uint8).reshape(-1, STRAINS, SEATS)

    def need_tricks(self, owners: Bytes, asks: Iterable[Ask], done: Done = lambda _: None) -> Bytes:
        """(k,) tricks of declarers; parameters and errors as in `solve_leads`."""
        asks, keys = list(asks), _keys(owners)
        todo = {(keys[deal], strain, seat): deal for deal, strain, seat in asks}
        todo = {key: deal for key, deal in todo.items() if self._table(key[0])[key[1], key[2]] == UNSOLVED}
        for part, found in self._in_parts(self._contracts(owners, todo), solve_part_tricks, done):
            for (key, strain, seat), tricks in zip(part.keys, found, strict=True):
                self._learn(key, strain, seat, int(tricks))
        return np.array([self._table(keys[deal])[strain, seat] for deal, strain, seat in asks], dtype=np.uint8)

    def need_leads(self, owners: Bytes, asks: Iterable[Ask], done: Done = lambda _: None) -> Bytes:
        """(k, 52) tricks after each opening lead; parameters, answer and errors as in `solve_leads`."""
        asks, keys = list(asks), _keys(owners)
        todo = {(keys[deal], strain, seat): deal for deal, strain, seat in asks}
        todo = {key: deal for key, deal in todo.items() if key not in self._leads}
        for part, found in self._in_parts(self._contracts(owners, todo), solve_part_leads, done):
            for (key, strain, seat), after in zip(part.keys, found, strict=True):
                self._leads[key, strain, seat] = after
                self._learn(key, strain, seat, int(after.min()))
        rows = [self._leads[keys[deal], strain, seat] for deal, strain, seat in asks]
        return np.array(rows, np.uint8).reshape(-1, DECK)

    def _in_parts(
        self, parts: Sequence[_Part[_T]], solve: Callable[[_Part[_T]], Bytes], done: Done
    ) -> Iterator[tuple[_Part[_T], Bytes]]:
        """Each part and what was solved of it; when its answers have been taken, they are written now and then."""
        if parts:
            solver.solver_version()  # before workers are started
        unwritten, ready, size = 0, 0, sum(len(part.keys) for part in parts)
        found = map(solve, parts) if self._on is None or not parts else self._on.map(partial(_alone, solve), parts)
        try:
            done(0.0)
            for part, answers in zip(parts, found, strict=True):
                yield part, answers
                unwritten += len(part.keys)
                ready += len(part.keys)
                self.solved += len(part.keys)
                done(ready / size)
                if unwritten >= max(_AT_ONCE, (len(self._tables) + len(self._leads)) // 10):  # the file grows
                    self._write()
                    unwritten = 0
        finally:  # also where somebody interrupts it
            if unwritten:
                self._write()

    def _cut(self, items: list[_T], most: int) -> list[list[_T]]:
        """Items in parts of so many at most, and at least two for each of several workers."""
        tasks = 2 * self._on.count if self._on is not None and self._on.count > 1 else 1
        size = max(min(most, -(-len(items) // tasks)), 1)
        return [items[start : start + size] for start in range(0, len(items), size)]

    def _contracts(self, owners: Bytes, todo: Mapping[_Contract, int]) -> list[_Part[_Contract]]:
        """Contracts, each with the place of a deal, in parts that have the deals that they need."""
        parts = []
        for keys in self._cut(list(todo), _AT_ONCE):
            deals = list(dict.fromkeys(todo[key] for key in keys))
            place = {deal: at for at, deal in enumerate(deals)}
            parts.append(_Part(keys, owners[deals], [(place[todo[key]], key[1], key[2]) for key in keys]))
        return parts

    def _table(self, key: bytes) -> Bytes:
        return self._tables.get(key, _NONE)

    def _learn(self, key: bytes, strain: int, declarer: int, tricks: int) -> None:
        if key not in self._tables:
            self._tables[key] = _NONE.copy()
        self._tables[key][strain, declarer] = tricks

    def _write(self) -> None:
        if self.path is None:
            return
        deals = list(self._tables)
        place = {key: at for at, key in enumerate(deals)}
        contracts = [(place[key], strain, seat) for key, strain, seat in self._leads]
        file = io.BytesIO()
        np.savez_compressed(
            file,
            form=np.array([_FORM]),
            owner=np.frombuffer(b"".join(deals), np.uint8).reshape(-1, 13),
            tricks=np.array(list(self._tables.values()), np.uint8).reshape(-1, STRAINS, SEATS),
            contract=np.array(contracts, np.int64).reshape(-1, 3),
            leads=np.array([after[after != NO_CARD] for after in self._leads.values()], np.uint8).reshape(-1, CARDS),
        )
        replace_file(self.path, file.getvalue())

    def _read(self, path: Path) -> None:
        try:
            with np.load(io.BytesIO(read_file(path)), allow_pickle=False) as arrays:
                form, owner, tricks = (arrays[name] for name in ("form", "owner", "tricks"))
                contract, leads = arrays["contract"], arrays["leads"]
        except _DAMAGES as error:
            raise FileError(f"{path}: contains no solved deals (delete it, and they are solved again)") from error
        if form.tolist() != [_FORM] or not _is_sound(owner, tricks, contract, leads):
            raise FileError(f"{path}: is damaged (delete it, and the deals are solved again)")
        keys = [row.tobytes() for row in owner]
        self._tables = dict(zip(keys, tricks.copy(), strict=True))
        for (deal, strain, seat), after in zip(contract.tolist(), leads, strict=True):
            held = unpack(owner[deal : deal + 1])[0] == (seat + 1) % SEATS
            row = np.full(len(held), NO_CARD, dtype=np.uint8)
            row[held] = after
            self._leads[keys[deal], strain, seat] = row


@dataclass(frozen=True, slots=True)
class _Part(Generic[_T]):
    """What is solved at once.

    keys : what each answer is kept as
    owners : (d, 52) the deals
    asks : the contracts, by the places of these deals; none where all tricks are solved
    """

    keys: list[_T]
    owners: Bytes
    asks: list[Ask]


def solve_all(part: _Part[Any]) -> Bytes:
    """All tricks of the deals of a part."""
    return solve_tables(part.owners)


def solve_part_tricks(part: _Part[Any]) -> Bytes:
    """The tricks of the contracts of a part."""
    return solve_tricks(part.owners, part.asks)


def solve_part_leads(part: _Part[Any]) -> Bytes:
    """The tricks after each lead, of the contracts of a part."""
    return solve_leads(part.owners, part.asks)


def _alone(solve: Callable[[_Part[Any]], Bytes], part: _Part[Any]) -> Bytes:
    """Solve a part, in one thread if this process is one of several workers."""
    from multiprocessing import parent_process  # noqa: PLC0415 - a browser has none

    if parent_process() is not None:
        one_thread()
    return solve(part)


_NONE = np.full((STRAINS, SEATS), UNSOLVED, dtype=np.uint8)
# What reading a damaged archive raises; RuntimeError where it seems to be encrypted or packed in another way.
_DAMAGES = (
    *(ValueError, KeyError, TypeError, EOFError, OSError, RuntimeError, MemoryError),
    *(zipfile.BadZipFile, zlib.error),
)


def pack(owner: Bytes) -> Bytes:
    """(n, 52) owners in (n, 13) bytes, four cards a byte, the lowest two bits first."""
    return owner.reshape(-1, 13, 4) @ np.array([1, 4, 16, 64], np.uint8)


def unpack(owner: Bytes) -> Bytes:
    """(n, 13) bytes as (n, 52) owners."""
    return np.stack([(owner >> shift) & 3 for shift in (0, 2, 4, 6)], axis=-1).reshape(-1, 52)


def _keys(owners: Bytes) -> list[bytes]:
    return [row.tobytes() for row in pack(owners)]


def _is_sound(owner: Bytes, tricks: Bytes, contract: np.ndarray, leads: Bytes) -> bool:
    """Whether arrays of a file are of the right form, and what is in them is possible."""
    size, many = len(owner), len(leads)
    shapes = owner.shape == (size, 13) and tricks.shape == (size, STRAINS, SEATS)
    if not (shapes and contract.shape == (many, 3) and leads.shape == (many, CARDS)):
        return False
    if {array.dtype.kind for array in (owner, tricks, contract, leads)} - set("ui"):
        return False
    held = (unpack(owner.astype(np.uint8))[:, :, None] == np.arange(SEATS)).sum(axis=1)
    limits = (contract >= 0) & (contract < (size, STRAINS, SEATS))
    return bool(
        (held == CARDS).all()
        and ((tricks <= CARDS) | (tricks == UNSOLVED)).all()
        and limits.all()
        and (leads <= CARDS).all()
    )
