"""Skill over years: strengths of pairs or players from many events, drawn to the mean as these themselves require."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from valet_xl.engine.arrays import Floats, Index, count_by, keys_of, number_keys, split_keys, sum_by
from valet_xl.engine.normal import Z_95
from valet_xl.errors import ArgumentError, one_of
from valet_xl.messages import Progress, counted, unsaid
from valet_xl.rankings.components import Entries, Solved, most_likely, solve
from valet_xl.rankings.event import Event
from valet_xl.rankings.groups import Groups
from valet_xl.rankings.options import RANKING_OPTIONS
from valet_xl.rankings.views import Views

_OWN = ("declarer", "lead")  # what one player of a pair does
COLUMNS = {
    "overall": "Overall",
    "bid": "Bid",
    "play": "Play",
    "declarer": "Declarer",
    "lead": "Lead",
    "defence": "Defence",
}
"""What careers have strengths in: the parts of the game, with their titles."""


@dataclass(frozen=True, slots=True, eq=False)
class Column:
    """One part of the game, in the unit of scores.

    entries : the average of each owner in each event where he had a chance
    copies : how many owners share each average
    event, chances : (n,) of each entry the event, and how many chances it has
    solved : the strengths and the variances of owners and of events
    owners, events : these variances where they are most probable
    board, rest : the variance of what a board gives all who played it, and that of one result beyond everything else
    halves : how reliable the average of one event is, by its two halves
    halved : in how many entries there are two halves
    """

    entries: Entries
    copies: int
    event: Index
    chances: Floats
    solved: Solved
    owners: float
    events: float
    board: float
    rest: float
    halves: float
    halved: int

    @property
    def average(self) -> Floats:
        """(owners,) of all chances, NaN without one."""
        owners = len(self.solved.strength)
        total = sum_by(self.entries.owner, self.entries.average * self.chances, owners)
        with np.errstate(divide="ignore", invalid="ignore"):
            return np.asarray(total / self.count)

    @property
    def count(self) -> Floats:
        """(owners,) how many chances each had in all."""
        return np.asarray(sum_by(self.entries.owner, self.chances, len(self.solved.strength)))

    @property
    def usual(self) -> float:
        """The median of the chances in one event."""
        return float(np.median(self.chances)) if len(self.chances) else float("nan")

    def reliability(self, events: float = 1) -> float:
        """Which share of the differences between the averages over so many usual events is the owners' own."""
        noise = self.events + (self.board + self.rest) / self.usual
        whole = self.owners + noise / events
        return self.owners / whole if whole > 0 else float("nan")


@dataclass(frozen=True, slots=True, eq=False)
class Career:
    """Strengths from many events.

    who : "pairs" or "players"
    names : (m,) of the owners
    players : (m, 2) of pairs the places of both players in a career of players, -1 where one is not known; else (0, 2)
    events, boards : (m,) how many each played
    labels : the events, in their order
    columns : by name
    in_percent : whether figures are matchpoints, which are shown in per cent
    """

    who: str
    names: NDArray[np.object_]
    players: Index
    events: Index
    boards: Index
    labels: tuple[str, ...]
    columns: Mapping[str, Column]
    in_percent: bool

    def __repr__(self) -> str:
        owners = counted(len(self.names), self.who.removesuffix("s"))
        return f"<careers of {owners} in {counted(len(self.labels), 'event')}>"

    @property
    def repeated(self) -> int:
        """How many played in more than one event."""
        return int(np.count_nonzero(self.events > 1))

    def interval(self, column: str = "overall") -> tuple[Floats, Floats]:
        """(m,) where the 95 % intervals of the strengths begin and end."""
        solved = self.columns[column].solved
        return solved.strength - Z_95 * solved.error, solved.strength + Z_95 * solved.error


def career(
    event: Event, *, who: str = "pairs", parts: Collection[str] = tuple(COLUMNS), step: Progress = unsaid
) -> Career:
    """Find out what pairs or players are worth from all events in which they played.

    Parameters
    ----------
    event : the results of all events, each a file of its own, in the order in which they were played; who is one player
        in several files is what `partnerships` says
    who : "pairs" or "players"
    parts : of COLUMNS, those that are wanted
    step : called with each part of the game

    Returns
    -------
    the careers

    Raises
    ------
    ArgumentError : for one event alone, or if nobody played in two of them
    OptionError : for another word

    Notes
    -----
    A strength is what one scores a board against an average field of all who played in these events, in IMPs, or at
    matchpoints from -1 to 1; of declarer's play, leads and defence it is per chance. `solve` has the model.

    >>> from valet_xl.rankings.simulate import simulate
    >>> nights = [(str(at), simulate(pairs=16, rounds=15, movement="round-robin", deals=at).results) for at in range(4)]
    >>> career(Event.of(nights))
    <careers of 16 pairs in 4 events>
    """
    one_of("who", who, RANKING_OPTIONS["who"].words)
    if len(event.files) < 2:
        raise ArgumentError("a career needs several events, each in a file of its own (expected two files or more)")
    table = _Chances(event, who)
    columns = {}
    for at, (name, (owner_event, values)) in enumerate(table.columns()):
        if name not in parts:
            continue
        step(f"solving {COLUMNS[name].lower()}", at / len(COLUMNS))
        columns[name] = table.column(owner_event, values, 1 if name in _OWN else table.partners)
    made = Career(
        who,
        np.array(table.names, dtype=object),
        event.who.pair_players if who == "pairs" else np.empty((0, 2), dtype=np.intp),
        table.events,
        table.played,
        event.files,
        columns,
        event.totals.in_percent,
    )
    if not made.repeated:
        kind = who.removesuffix("s")
        files = counted(len(event.files), "file")
        raise ArgumentError(f"no {kind} is in two of {files}: nothing compares them (expected names in common)")
    return made


class _Chances:
    """All results of all events, from the side of each owner."""

    def __init__(self, event: Event, who: str) -> None:
        self.names = event.who.pair_names if who == "pairs" else event.who.player_names
        self._players = who == "players"
        self.partners = 2 if self._players else 1  # who share an average
        self._views = Views.of(event.results, event.parts, event.who, event.totals.options.method, of=who)
        self._boards = event.results.boards
        self._board = event.results.board[self._views.at]
        files = len(event.files)
        of_result = np.repeat(np.arange(files), event.sizes)
        shape = (max(len(self.names), 1), files)
        keys, self._entry = number_keys(keys_of((self._views.owner, of_result[self._views.at]), shape))
        self._owner, self._event = split_keys(keys, shape)
        self._field = Groups.find(self._entry, self._views.side, self._board, len(keys), self._boards).of
        self._half = self._halves(len(keys))
        self.played = count_by(self._views.owner, len(self.names)).astype(np.intp)
        self.events = count_by(self._owner, len(self.names)).astype(np.intp)

    def _halves(self, entries: int) -> Index:
        """(k,) the half of its event that each result is in: its odd or its even rounds; of one round, boards."""
        rounds: dict[str, int] = {}
        number = np.array([rounds.setdefault(name, len(rounds)) for name, _ in self._boards] or [0])[self._board]
        first = np.full(int(self._event.max(initial=0)) + 1, np.iinfo(np.intp).max)
        np.minimum.at(first, self._event[self._entry], number)
        last = np.zeros(len(first), dtype=np.intp)
        np.maximum.at(last, self._event[self._entry], number)
        single = (first == last)[self._event[self._entry]]
        return np.asarray(np.where(single, self._board, number) % 2, dtype=np.intp)

    def columns(self) -> Iterator[tuple[str, tuple[Index, Floats]]]:
        """By name where there was a chance, and what was scored there."""
        views = self._views
        own = views.first if self._players else np.ones(len(views.owner), dtype=bool)
        for name in COLUMNS:
            values = views.scores["overall"] - views.scores["bid"] if name == "play" else views.scores[name]
            there = ~np.isnan(values) & (own if name in _OWN else True)
            where = np.flatnonzero(there)
            yield name, (where, values[where])

    def column(self, where: Index, values: Floats, copies: int) -> Column:
        """Everything about one part of the game, in which so many owners share each average."""
        entry, entries = self._entry[where], len(self._owner)
        count, total, squares = (
            np.asarray(sum_by(entry, each, entries)) for each in (np.ones(len(values)), values, values**2)
        )
        kept = np.flatnonzero(count)
        with np.errstate(divide="ignore", invalid="ignore"):
            within = np.where(count > 0, squares - total**2 / count, 0.0)
        events = int(self._event.max(initial=-1)) + 1
        freedom = np.maximum(count - 1, 0)
        left, of = (np.asarray(sum_by(self._event, each, events)) for each in (within, freedom))
        pooled = left.sum() / of.sum() if of.sum() else float("nan")
        variance = np.where((of > 0) & (left > 0), left / np.maximum(of, 1), pooled)
        found = Entries(
            self._owner[kept], self._field[kept], (total[kept] / count[kept]), variance[self._event[kept]] / count[kept]
        )
        board = self._between_boards(where, values)
        halves, halved = self._split(where, values)
        solved = solve(found, len(self.names), copies)
        likely = most_likely(found, len(self.names), copies)
        rest = max(float(pooled) - board, 0.0)
        return Column(found, copies, self._event[kept], count[kept], solved, *likely, board, rest, halves, halved)

    def _between_boards(self, where: Index, values: Floats) -> float:
        """The variance of what a board gives to all who sat alike there (analysis of variance); 0 if none is seen."""
        key = 2 * self._board[where] + self._views.side[where]
        _, board = number_keys(key)
        count = count_by(board).astype(np.float64)
        if not len(count) or count.max() < 2:
            return 0.0
        total = sum_by(board, values, len(count))
        among = float((total**2 / count).sum() - values.sum() ** 2 / len(values)) / max(len(count) - 1, 1)
        within = float((values**2).sum() - (total**2 / count).sum()) / max(len(values) - len(count), 1)
        size = (len(values) - float((count**2).sum()) / len(values)) / max(len(count) - 1, 1)
        return max((among - within) / size, 0.0)

    def _split(self, where: Index, values: Floats) -> tuple[float, int]:
        """How reliable an average of an event is by the correlation of its halves (Spearman and Brown), in how many."""
        entries = len(self._owner)
        key = 2 * self._entry[where] + self._half[where]
        count = np.bincount(key, minlength=2 * entries).reshape(entries, 2).astype(np.float64)
        total = np.bincount(key, values, 2 * entries).reshape(entries, 2)
        both = np.flatnonzero((count > 0).all(axis=1))
        if len(both) < 3:
            return float("nan"), len(both)
        average, field = total[both] / count[both], self._field[both]
        weight = count[both].prod(axis=1) / count[both].sum(axis=1)
        size = int(field.max()) + 1
        for half in (0, 1):
            middle = sum_by(field, weight * average[:, half], size) / np.maximum(sum_by(field, weight, size), 1e-300)
            average[:, half] -= middle[field]
        one, other = average.T
        spread = float(np.sqrt((weight @ one**2) * (weight @ other**2)))
        if not spread > 0:
            return float("nan"), len(both)
        r = float(weight @ (one * other)) / spread
        return 2 * r / (1 + abs(r)), len(both)
