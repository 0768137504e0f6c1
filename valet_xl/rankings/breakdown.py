"""What pairs scored in each role, at each height of contract and vulnerability, and what their field did."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from valet_xl.engine.arrays import Floats, Index
from valet_xl.engine.notation import Strain
from valet_xl.engine.results import Results, artificial_scores
from valet_xl.engine.valet import Components
from valet_xl.rankings.clusters import Chances, Clusters, Part
from valet_xl.rankings.listing import Heading, Listing, Value
from valet_xl.rankings.partnerships import Partnerships

_ROLES = ("declarer", "dummy", "on lead", "partner on lead")
_SEATS = ("N or E", "S or W")
_HEIGHTS = ("part-scores", "games", "slams", "passed out")
_VULNERABLE = ("nobody vulnerable", "only the pair vulnerable", "only the opponents vulnerable", "both vulnerable")


@dataclass(frozen=True, slots=True, eq=False)
class _Scores:
    """What every pair scored somewhere, (pairs,) each: how many boards, their sum, average, and standard error."""

    count: Floats
    total: Floats
    average: Floats
    error: Floats

    def of(self, pairs: Index) -> float:
        """The average of the boards of several pairs together."""
        count = self.count[pairs].sum()
        return float(self.total[pairs].sum() / count) if count else float("nan")


@dataclass(frozen=True, slots=True, eq=False)
class _Figures:
    """What every pair scored where something was so: overall, and in what was not the bidding.

    count : (pairs,) on how many boards
    """

    count: Floats
    overall: _Scores
    play: _Scores


@dataclass(frozen=True, slots=True, eq=False)
class Breakdown:
    """What every pair scored in parts of its boards.

    who : the pairs
    figures : by what is said of the part, such as "games", or a role and its player, 0 or 1
    percent : whether figures are matchpoints, which are shown in per cent
    """

    who: Partnerships
    figures: dict[tuple[str, int], _Figures]
    percent: bool

    @classmethod
    def of(cls, results: Results, parts: Components, who: Partnerships, method: str = "iaf") -> Breakdown:
        """Take the boards of all pairs apart.

        Parameters
        ----------
        results, parts, who : the tournament, what `valet` makes of it, and who played
        method : of scoring; at "matchpoints" figures are in per cent

        Notes
        -----
        A standard error comes from the deviation of the whole event in that part of the boards, as in `Part.average`.
        """
        percent = method == "matchpoints"
        imps, shares = artificial_scores(results)
        given = shares / 50 - 1 if percent else imps
        seen = _seen(results)[:, None] * (1.0, -1.0)
        overall = np.where(np.isnan(parts.overall)[:, None], given, parts.overall[:, None] * seen)
        bid = parts.bid[:, None] * seen
        places = np.flatnonzero((who.pair >= 0) & ~np.isnan(overall))
        at, side = np.divmod(places, 2)
        owner = who.pair.ravel()[places]
        clusters = Clusters.of(owner, results.board[at], len(who.pair_names), max(len(results.boards), 1))
        values, play = overall.ravel()[places], (overall - bid).ravel()[places]
        figures = {
            key: _figures(clusters, np.flatnonzero(mask), values, play)
            for key, mask in _masks(results, who, at, side, owner, ~np.isnan(play))
        }
        return cls(who, figures, percent)

    def listing(self, pair: int, field: Index, best: Index) -> Listing:
        """A pair's figures as a table for people, without what it never met.

        Parameters
        ----------
        pair : which
        field : those with whom it is ranked, itself among them
        best : the first third of them
        """
        columns = headings("0.0" if self.percent else "0.00")
        rows: list[tuple[Value, ...]] = []
        for (what, player), figures in self.figures.items():
            count = int(figures.count[pair])
            if count:
                called = what if player < 0 else f"{self._player(pair, player)}: {what}"
                rows.append(
                    (
                        called,
                        count,
                        *self._cells(figures.overall, pair, field, best),
                        *self._cells(figures.play, pair, field, best),
                    )
                )
        return Listing(columns, tuple(map(list, zip(*rows, strict=True))) if rows else tuple([] for _ in columns))

    def _cells(self, scores: _Scores, pair: int, field: Index, best: Index) -> tuple[Value, ...]:
        """An average with its standard error, and what it is compared with."""
        found = (scores.average[pair], scores.of(field), scores.of(best))
        own, *others = [50 * (1 + value) if self.percent else value for value in found]
        error = 50 * scores.error[pair] if self.percent else scores.error[pair]
        return tuple(float(value) if np.isfinite(value) else None for value in (own, error, *others))

    def _player(self, pair: int, player: int) -> str:
        """The name of the first or second player; where it is not known, the seats."""
        known = self.who.pair_players[pair, player]
        return self.who.player_names[known] if known >= 0 else _SEATS[player]


def headings(form: str = "0.00") -> tuple[Heading, ...]:
    """The headings of the columns of `Breakdown.listing`."""
    compared = [
        Heading(f"{name}{suffix}", says, form, 10)
        for name, what in (("Overall", "average per board"), ("Play", "of it what was not the bidding"))
        for suffix, says in (
            ("", what),
            (" SE", f"standard error of {name}"),
            (" field", f"{name} of all pairs of the ranking"),
            (" best", f"{name} of the first third of the ranking"),
        )
    ]
    return (
        Heading("Where", "a role of a player, or a kind of boards", "@", 34),
        Heading("Boards", "how many", "0", 8),
        *compared,
    )


def _masks(
    results: Results, who: Partnerships, at: Index, side: Index, owner: Index, played: NDArray[np.bool_]
) -> Iterator[tuple[tuple[str, int], NDArray[np.bool_]]]:
    """What is said of parts of all boards, and where it is so."""
    level, strain = results.level[at], results.strain[at]
    declared = played & (level > 0)
    declares = declared & (results.declarer[at] % 2 == side)
    seat = np.where(declares, results.declarer[at], (results.declarer[at] + 1) % 4)  # declarer, or the leader
    first = who.pair_players[owner, 0]
    by_first = np.where(first >= 0, who.player[at, seat] == first, seat < 2)
    for player in (0, 1):
        own = by_first if player == 0 else ~by_first
        for role, mask in zip(
            _ROLES,
            (declares & own, declares & ~own, declared & ~declares & own, declared & ~declares & ~own),
            strict=True,
        ):
            yield (role, player), mask
    game = np.where(strain == Strain.NOTRUMP, 3, np.where(strain >= Strain.HEARTS, 4, 5))
    height = np.where(level == 0, 3, np.where(level >= 6, 2, (level >= game).astype(int)))
    for number, name in enumerate(_HEIGHTS):
        yield (name, -1), played & (height == number)
    code = results.vulnerability[at]
    own_bit = np.where(side == 0, code & 1, (code >> 1) & 1)
    their_bit = np.where(side == 0, (code >> 1) & 1, code & 1)
    for number, name in enumerate(_VULNERABLE):
        yield (name, -1), played & (code >= 0) & (own_bit + 2 * their_bit == number)


def _figures(clusters: Clusters, where: Index, overall: Floats, play: Floats) -> _Figures:
    """What all owners scored at some of their results, all of which were played."""
    chances = Chances.of(clusters, where)
    parts = [Part.of(chances, values[where]) for values in (overall, play)]
    return _Figures(chances.count, *(_Scores(chances.count, part.total, *part.average()) for part in parts))


def _seen(results: Results) -> Floats:
    """(n,) 1 where North-South's view is the declaring side's or nobody declares, else -1."""
    return np.where((results.level > 0) & (results.declarer % 2 == 1), -1.0, 1.0)
