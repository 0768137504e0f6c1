"""The equations of strengths as sums over boards: parts of a tournament have theirs, and all are solved together."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any, Protocol

import numpy as np

from valet_xl.engine.arrays import Floats, Index, Ints, Short, count_by, keys_of, sum_by

_CELLS = 1 << 22  # of boards by pairs that are written out at once


@dataclass(frozen=True, slots=True, eq=False)
class Tables:
    """Who met at the tables of some boards: what a pass over them needs.

    ns, ew : (n,) the two pairs of each result; results of a board are together
    sizes : (boards,) how many results each board has
    """

    ns: Short
    ew: Short
    sizes: Short

    @classmethod
    def of(cls, ns: Index, ew: Index, board: Index, score: Floats) -> tuple[Tables, Floats]:
        """The tables of (n,) results, and their scores less the mean of the board, in the order of the tables."""
        if len(board) and (board[1:] < board[:-1]).any():
            rows = np.argsort(board, kind="stable")
            ns, ew, board, score = ns[rows], ew[rows], board[rows], score[rows]
        starts = np.flatnonzero(np.append(True, board[1:] != board[:-1])) if len(board) else np.zeros(0, np.intp)
        sizes = np.diff(np.append(starts, len(board)))
        made = cls(ns.astype(np.int32), ew.astype(np.int32), sizes.astype(np.int32))
        return made, made._centred(score)

    def of_those_who_played(self, pairs: int) -> tuple[Tables, Index]:
        """The tables with numbers for those of (pairs,) pairs alone that have a result, and who these are."""
        played = count_by(self.ns, pairs) + count_by(self.ew, pairs) > 0
        number = np.cumsum(played, dtype=np.int32) - 1
        return replace(self, ns=number[self.ns], ew=number[self.ew]), np.flatnonzero(played)

    def renumbered(self, numbers: Index) -> Tables:
        """The tables with other numbers for the pairs."""
        short = numbers.astype(np.int32)
        return replace(self, ns=short[self.ns], ew=short[self.ew])

    def _centred(self, values: Floats) -> Floats:
        """(n,) values less the mean of the board."""
        if not len(values):
            return values
        starts = np.cumsum(self.sizes) - self.sizes
        return values - np.repeat(np.add.reduceat(values, starts) / self.sizes, self.sizes)

    def signed(self, values: Floats, pairs: int) -> Floats:
        """(pairs,) X' of (n,) values."""
        return np.asarray(sum_by(self.ns, values, pairs) - sum_by(self.ew, values, pairs), dtype=np.float64)

    def diagonal(self, pairs: int) -> Floats:
        """(pairs,) the diagonal of X'MX."""
        share = np.repeat(1 - 1 / self.sizes, self.sizes)
        return np.asarray(sum_by(self.ns, share, pairs) + sum_by(self.ew, share, pairs), dtype=np.float64)

    def times(self, strength: Floats) -> Floats:
        """X'MX s, for each column s of (pairs, k)."""
        out = np.empty_like(strength)
        for column in range(strength.shape[1]):
            each = np.ascontiguousarray(strength[:, column])
            out[:, column] = self.signed(self._centred(each[self.ns] - each[self.ew]), len(each))
        return out

    def written_out(self, pairs: int) -> Floats:
        """(pairs, pairs) X'MX."""
        met = count_by(keys_of((self.ns, self.ew), (pairs, pairs)), pairs**2).reshape(pairs, pairs)
        played = (count_by(self.ns, pairs) + count_by(self.ew, pairs)).astype(np.float64)
        out: Floats = np.diag(played) - met - met.T
        starts = np.append(0, np.cumsum(self.sizes))
        boards = max(_CELLS // max(pairs, 1), 1)
        for first in range(0, len(self.sizes), boards):
            sizes = self.sizes[first : first + boards]
            rows = slice(int(starts[first]), int(starts[first + len(sizes)]))
            board = np.repeat(np.arange(len(sizes)), sizes)
            shape = (len(sizes), pairs)
            ns, ew = (count_by(keys_of((board, each[rows]), shape), shape[0] * pairs) for each in (self.ns, self.ew))
            on_board = (ns - ew).reshape(shape).astype(np.float64)
            out -= on_board.T @ (on_board / sizes[:, None])
        return out


@dataclass(frozen=True, slots=True, eq=False)
class StrengthSums:
    """What the boards of some tables add up to, for (m,) pairs.

    pairs : who each is, the same in all parts
    right, diagonal : X'Mz, and the diagonal of X'MX
    squares : z'Mz
    results, boards : how many of each
    of_pair : how many results each pair has
    """

    pairs: tuple[Hashable, ...]
    right: Floats
    diagonal: Floats
    squares: float
    results: int
    boards: int
    of_pair: Ints

    @classmethod
    def of(cls, pairs: Sequence[Hashable], tables: Tables, score: Floats) -> StrengthSums:
        """The sums of the tables' scores, less the mean of their boards."""
        m = len(pairs)
        return cls(
            tuple(pairs),
            tables.signed(score, m),
            tables.diagonal(m),
            float(score @ score),
            len(score),
            len(tables.sizes),
            count_by(tables.ns, m) + count_by(tables.ew, m),
        )

    def placed(self, places: Index, pairs: tuple[Hashable, ...]) -> StrengthSums:
        """The sums among more pairs, with these in other places."""

        def moved(values: Any) -> Any:
            out = np.zeros(len(pairs), dtype=values.dtype)
            out[places] = values
            return out

        return replace(
            self,
            pairs=pairs,
            right=moved(self.right),
            diagonal=moved(self.diagonal),
            of_pair=moved(self.of_pair),
        )

    def __add__(self, other: StrengthSums) -> StrengthSums:
        """The sums of both, of the same pairs."""
        return StrengthSums(
            self.pairs,
            self.right + other.right,
            self.diagonal + other.diagonal,
            self.squares + other.squares,
            self.results + other.results,
            self.boards + other.boards,
            self.of_pair + other.of_pair,
        )


class Passes(Protocol):
    """What goes over the tables of all parts."""

    def times(self, strength: Floats) -> Floats:
        """(m, k) X'MX s, for each column s of (m, k)."""

    def written_out(self) -> Floats:
        """(m, m) X'MX."""


@dataclass(frozen=True, slots=True, eq=False)
class Whole:
    """Passes over the tables of one part, which is all.

    tables : the tables of (pairs,) pairs
    """

    tables: Tables
    pairs: int

    def times(self, strength: Floats) -> Floats:
        """X'MX s, for each column."""
        return self.tables.times(strength)

    def written_out(self) -> Floats:
        """X'MX."""
        return self.tables.written_out(self.pairs)


Go = Callable[[Callable[[Iterable[Tables], Any], Floats], Sequence[Any]], Iterator[Floats]]
"""What gives the tables of each part, and an argument of its own, to a function: `Kept.map` of the workers."""


@dataclass(frozen=True, slots=True, eq=False)
class InParts:
    """Passes over the tables of several parts, which are kept where they were made.

    go : gives each part to a function
    places : of each part, where its pairs are among all
    pairs : how many there are
    """

    go: Go
    places: Sequence[Index]
    pairs: int

    def times(self, strength: Floats) -> Floats:
        """X'MX s, for each column."""
        out = np.zeros_like(strength)
        for places, part in zip(self.places, self.go(part_times, [strength[at] for at in self.places]), strict=True):
            out[places] += part
        return out

    def written_out(self) -> Floats:
        """X'MX."""
        out = np.zeros((self.pairs, self.pairs))
        for places, part in zip(self.places, self.go(part_written_out, [len(at) for at in self.places]), strict=True):
            out[np.ix_(places, places)] += part
        return out


def part_times(tables: Iterable[Tables], strength: Floats) -> Floats:
    """X'MX s of a part, for each column: what a task does in a pass."""
    out = np.zeros_like(strength)
    for each in tables:
        out += each.times(strength)
    return out


def part_written_out(tables: Iterable[Tables], pairs: int) -> Floats:
    """X'MX of a part."""
    out = np.zeros((pairs, pairs))
    for each in tables:
        out += each.written_out(pairs)
    return out


def put_together(parts: Sequence[StrengthSums], order: Iterable[Hashable]) -> tuple[StrengthSums, list[Index]]:
    """The sums of all parts, and where the pairs of each part are then.

    order : pairs in the order in which they first appear; those without a result are left out
    """
    there = {pair for part in parts for pair in part.pairs}
    place = {pair: at for at, pair in enumerate(pair for pair in order if pair in there)}
    for part in parts:
        for pair in part.pairs:
            place.setdefault(pair, len(place))
    pairs = tuple(place)
    places = [np.array([place[pair] for pair in part.pairs], dtype=np.intp) for part in parts]
    total = StrengthSums(pairs, np.zeros(len(pairs)), np.zeros(len(pairs)), 0.0, 0, 0, np.zeros(len(pairs), np.int64))
    for part, at in zip(parts, places, strict=True):
        total = total + part.placed(at, pairs)
    return total, places
