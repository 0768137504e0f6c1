"""A tournament in sums: those of parts of its boards can be added, and its tables follow from those of all boards."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from valet_xl.engine.arrays import AnyIndex, Index, Ints, count_by
from valet_xl.engine.options import Options
from valet_xl.engine.results import Results, Status
from valet_xl.engine.score_results import split as split_results
from valet_xl.engine.valet import Components
from valet_xl.errors import ArgumentError
from valet_xl.messages import counted
from valet_xl.rankings.groups import NEVER
from valet_xl.rankings.owner_scores import CountedScores, OwnerScores
from valet_xl.rankings.owner_sums import OwnerSums
from valet_xl.rankings.partnerships import Partnerships, partnerships


class Sums:
    """What some boards of a tournament add up to; `+` adds those of other boards.

    options : how they were scored
    boards, results, adjusted : how many boards and results count, and how many of these are adjusted scores
    uncounted : how many results do not count, by the reason why
    opponents : whether it was added up what the opponents of each pair and player scored
    """

    def __init__(
        self,
        options: Options,
        boards: int,
        results: int,
        adjusted: int,
        uncounted: Mapping[str, int],
        opponents: bool,
        of: Mapping[str, Callable[[], OwnerSums]],
    ) -> None:
        self.options = options
        self.boards = boards
        self.results = results
        self.adjusted = adjusted
        self.uncounted = uncounted
        self.opponents = opponents
        self._of = of
        self._made: dict[str, OwnerSums] = {}

    def __repr__(self) -> str:
        return f"<sums of {counted(self.results, 'result')} on {counted(self.boards, 'board')}>"

    def of(self, who: str) -> OwnerSums:
        """The sums of "pairs" or of "players", added up when they are first asked for."""
        if who not in self._made:
            self._made[who] = self._of[who]()
        return self._made[who]

    @property
    def who(self) -> tuple[str, ...]:
        """Of whom there are sums."""
        return tuple(self._of)

    def __getstate__(self) -> dict[str, Any]:
        made = {who: self.of(who) for who in self.who}
        return {**self.__dict__, "_of": dict.fromkeys(self.who), "_made": made}

    def __add__(self, other: Sums) -> Sums:
        """The sums of both.

        Raises
        ------
        ArgumentError : where they were not scored in the same way, or are of others
        """
        if (self.options, self.opponents, self.who) != (other.options, other.opponents, other.who):
            raise ArgumentError("sums can only be added if both were made with the same options")
        pairs, places = self.of("pairs").plus(other.of("pairs"))
        made = {"pairs": pairs}
        if "players" in self.who:
            made["players"] = self.of("players").plus(other.of("players"), places)[0]
        both = Sums(
            self.options,
            self.boards + other.boards,
            self.results + other.results,
            self.adjusted + other.adjusted,
            dict(Counter(self.uncounted) + Counter(other.uncounted)),
            self.opponents,
            dict.fromkeys(made, _never),
        )
        both._made = made
        return both


def _never() -> OwnerSums:
    raise AssertionError("sums that were added are made already")


def partial(
    results: Results,
    options: Options | None = None,
    *,
    parts: Components | None = None,
    who: Partnerships | None = None,
    place: Ints | None = None,
    opponents: bool = False,
    players: bool = True,
) -> Sums:
    """Add up results, those of a whole tournament or of some of its boards.

    Parameters
    ----------
    results : all results of the boards; with matchpoints and Neuberg's formula, all boards of a session
    options : how to score
    parts, who : the parts of each result, and who played it, where they are known already; of some boards `who` should
        say who the pairs and players of the whole tournament are, or else a name is one player
    place : (n,) where each result is in the whole tournament, rising; else from 0. Who appears first comes first
    opponents : whether `finish` may correct for the opponents' strength
    players : whether there are sums of players too

    Returns
    -------
    the sums

    Notes
    -----
    All that is compared with each other is on one board. A pair's or player's scores on one board are a cluster, and
    averages and standard errors follow from sums over clusters: of scores, of their squares and fourth powers, and of
    the chances. These are `Exact`, so that a tournament that is split by boards in any way adds up to the same figures.

    >>> from valet_xl.rankings.simulate import simulate
    >>> from valet_xl.rankings.totals import finish
    >>> results = simulate(pairs=6, rounds=2, boards=1).results
    >>> who, half = partnerships(results), results.board == 0
    >>> both = [partial(results.take(at), who=who.take(at), place=np.flatnonzero(at)) for at in (half, ~half)]
    >>> (finish(both[1] + both[0]).pairs["overall"].error == finish(partial(results)).pairs["overall"].error).all()
    np.True_
    """
    options = options or Options()
    parts = split_results(results, options) if parts is None else parts
    known = who or partnerships(results)
    scores = CountedScores.of(results, parts, options.method == "matchpoints")
    places = np.arange(len(results), dtype=np.int64) if place is None else place.astype(np.int64, copy=False)

    def made(names: NDArray[np.object_], players: NDArray[np.object_], seated: Index, owned: OwnerScores) -> OwnerSums:
        seats = seated.shape[1]

        def place_of(result: Index, seat: AnyIndex) -> Ints:
            return places[result] * seats + seat

        return OwnerSums.of(
            owned,
            names,
            players,
            _first(seated, len(names), place_of),
            lambda at: place_of(owned.result[at], owned.seat[at]),
            results.boards,
            opponents,
        )

    def of_pairs() -> OwnerSums:
        players = _texts([*known.player_names, ""])[known.pair_players]
        return made(_texts(known.pair_names), players, known.pair, OwnerScores.of_pairs(results, known, scores))

    def of_players() -> OwnerSums:
        names = _texts(known.player_names)
        alone = np.stack([names, np.full(len(names), "", dtype=object)], axis=1)
        return made(names, alone, known.seated, OwnerScores.of_players(results, known, scores))

    return Sums(
        options,
        boards=int(np.count_nonzero(count_by(results.board[scores.row]))),
        results=len(scores.row),
        adjusted=int(np.count_nonzero(results.status[scores.row] == Status.ADJUSTED)),
        uncounted=_uncounted(results, scores.row),
        opponents=opponents,
        of={"pairs": of_pairs} | ({"players": of_players} if players else {}),
    )


def _texts(texts: Sequence[str]) -> NDArray[np.object_]:
    out = np.empty(len(texts), dtype=object)
    out[:] = texts
    return out


def _first(who: Index, size: int, place: Callable[[Index, Index], Ints]) -> Ints:
    """(size,) the place where each first is, in (n, k) results and seats; `NEVER` for those who are nowhere."""
    flat = np.full(size + 1, -1, dtype=np.intp)  # the last is of nobody
    flat[who.ravel()[::-1]] = np.arange(who.size, dtype=np.intp)[::-1]  # the first is written last
    found = np.flatnonzero(flat[:-1] >= 0)
    first = np.full(size, NEVER, dtype=np.int64)
    first[found] = place(*np.divmod(flat[found], who.shape[1]))
    return first


def _uncounted(results: Results, counted: Index) -> dict[str, int]:
    """How many results do not count, by the reason why."""
    left = np.ones(len(results), dtype=bool)
    left[counted] = False
    status = results.status[left]
    reasons = np.select(
        [status == Status.UNPLAYED, status == Status.ERROR, ~results.sound[left], status == Status.ADJUSTED],
        ["not played", "cannot be read", "board with a row that cannot be read", "adjusted without a score"],
        "nothing to compare with",
    )
    return {str(reason): int(count) for reason, count in zip(*np.unique(reasons, return_counts=True), strict=True)}
