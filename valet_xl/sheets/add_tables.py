"""Tables of results, added up one after the other: what a task of many does."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np

from valet_xl.documents.parquet import in_lots_of_keys
from valet_xl.engine.options import Options
from valet_xl.engine.results import Results
from valet_xl.engine.score_results import split
from valet_xl.engine.valet import Components
from valet_xl.errors import FileError
from valet_xl.rankings.owner_sums import who_each_is
from valet_xl.rankings.partnerships import Partnerships, named_partnerships
from valet_xl.rankings.strength import tables_of
from valet_xl.rankings.strength_sums import StrengthSums, Tables, put_together
from valet_xl.rankings.sums import Sums, partial
from valet_xl.reading.parquet import BOARD, results_of

_FILE = 1 << 40  # more rows than a file has: places of the next file begin there
_Key = tuple[str, ...]
Span = tuple[str, int, _Key, _Key]
"""Of a piece its file, its first row, and the first and last board in it."""


@dataclass(frozen=True, slots=True)
class Added:
    """What tables add up to.

    sums : of their boards; None of no rows
    spans : of the tables
    strengths : of the equations of strengths; None where these were not asked for
    """

    sums: Sums | None
    spans: tuple[Span, ...]
    strengths: StrengthSums | None = None

    def __add__(self, other: Added) -> Added:
        """Both together; the equations of strengths are put together by themselves."""
        sums = other.sums if self.sums is None else self.sums if other.sums is None else self.sums + other.sums
        return Added(sums, self.spans + other.spans)


class Adder:
    """Adds up tables of the schema.

    options : how to score
    opponents, players : as in `partial`
    put : takes what passes for strengths go over; None where these are not asked for
    """

    def __init__(
        self, options: Options, *, opponents: bool, players: bool, put: Callable[[Tables], object] | None = None
    ) -> None:
        self._options = options
        self._opponents = opponents
        self._players = players
        self._put = put
        self._sums: Sums | None = None
        self._spans: list[Span] = []
        self._pairs: dict[Hashable, int] = {}  # of all tables, with their places
        self._strengths: list[StrengthSums] = []

    def add(self, table: Any, start: int, address: str, file: int) -> None:
        """Add a table.

        Parameters
        ----------
        table : all rows of some boards
        start : how many rows of its file are before it
        address, file : of its file, and which of all files that is

        Raises
        ------
        FileError : where its boards are not sorted
        """
        if not len(table):
            return
        for before, rows in in_lots_of_keys(table, together(self._options)):
            self._add(rows, start + before, address, file)

    def _add(self, table: Any, start: int, address: str, file: int) -> None:
        """Add some boards of a table, whose results are in memory at the same time."""
        results = results_of(table, start, address)
        self._spans.append(span_of(table, start, address))
        who, parts = named_partnerships(results), split(results, self._options)
        made = partial(
            results,
            self._options,
            parts=parts,
            who=who,
            place=np.arange(len(results), dtype=np.int64) + (file * _FILE + start),
            opponents=self._opponents,
            players=self._players,
        )
        for each in made.who:
            made.of(each)
        self._sums = made if self._sums is None else self._sums + made
        if self._put is not None:
            self._strengths.append(self._put_aside(results, who, parts, self._put))

    def _put_aside(
        self, results: Results, who: Partnerships, parts: Components, put: Callable[[Tables], object]
    ) -> StrengthSums:
        """Put aside what passes need, and give the sums of the equations."""
        tables, score = tables_of(results, self._options, who, parts=parts)
        tables, played = tables.of_those_who_played(len(who.pair_names))
        called = np.array([*who.player_names, ""], dtype=object)
        names = np.array(who.pair_names, dtype=object)
        pairs = who_each_is(names[played], called[who.pair_players[played]])
        numbers = np.array([self._pairs.setdefault(pair, len(self._pairs)) for pair in pairs], dtype=np.intp)
        put(tables.renumbered(numbers))
        return StrengthSums.of(pairs, tables, score)

    def added(self) -> Added:
        """What all tables add up to."""
        strengths = None if self._put is None else put_together(self._strengths, self._pairs)[0]
        return Added(self._sums, tuple(self._spans), strengths)


def together(options: Options) -> tuple[str, ...]:
    """The columns that rows have alike which are scored together: of a board, or with Neuberg's formula an event."""
    return BOARD[:1] if options.method == "matchpoints" and options.factor != "none" else BOARD


def span_of(table: Any, start: int, address: str) -> Span:
    """The span of a piece with at least one row."""
    return address, start, _board(table, 0), _board(table, len(table) - 1)


def _board(table: Any, at: int) -> _Key:
    """The event, round and board of a row."""
    cells = (table.column(name)[at].as_py() if name in table.column_names else None for name in BOARD)
    return tuple("" if cell is None else str(cell) for cell in cells)


def need_order(spans: Iterable[Span]) -> None:
    """Refuse files whose boards are not sorted.

    Raises
    ------
    FileError : which says where
    """
    for (address, _, _, before), (other, start, first, _) in pairwise(spans):
        if address == other and not before < first:
            raise FileError(
                f"{other}: row {start + 1}, board {' '.join(filter(None, first))!r} comes after "
                f"{' '.join(filter(None, before))!r} (expected rows sorted by event, round and board, as texts)"
            )
