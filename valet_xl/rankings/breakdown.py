"""What pairs scored in each role, at each height of contract and vulnerability, and what their field did."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from valet_xl.engine.arrays import Floats, Index
from valet_xl.engine.notation import Strain
from valet_xl.engine.results import Results
from valet_xl.engine.valet import Components
from valet_xl.rankings.listing import Heading, Listing, Value
from valet_xl.rankings.partnerships import Partnerships
from valet_xl.rankings.views import Scores, Views

_ROLES = ("declarer", "dummy", "on lead", "partner on lead")
_SEATS = ("N or E", "S or W")
HEIGHTS = ("part-scores", "games", "slams", "passed out")
_VULNERABLE = ("nobody vulnerable", "only the pair vulnerable", "only the opponents vulnerable", "both vulnerable")


@dataclass(frozen=True, slots=True, eq=False)
class _Figures:
    """What every pair scored where something was so: overall, and in what was not the bidding.

    count : (pairs,) on how many boards
    """

    count: Floats
    overall: Scores
    play: Scores

    @classmethod
    def of(cls, views: Views, where: Index, play: Floats) -> _Figures:
        """What all pairs scored at some of their results, all of which were played."""
        overall, others = (
            Scores.of(views.clusters, where, values[where]) for values in (views.scores["overall"], play)
        )
        return cls(overall.count, overall, others)


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
        A standard error comes from the deviation of the whole event in that part of the boards (`PartSums.average`).
        """
        views = Views.of(results, parts, who, method)
        play = views.scores["overall"] - views.scores["bid"]
        figures = {
            key: _Figures.of(views, np.flatnonzero(mask), play) for key, mask in _masks(results, views, ~np.isnan(play))
        }
        return cls(who, figures, method == "matchpoints")

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

    def _cells(self, scores: Scores, pair: int, field: Index, best: Index) -> tuple[Value, ...]:
        """An average with its standard error, and what it is compared with."""
        found = (scores.average[pair], scores.of_field(field), scores.of_field(best))
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
    results: Results, views: Views, played: NDArray[np.bool_]
) -> Iterator[tuple[tuple[str, int], NDArray[np.bool_]]]:
    """What is said of parts of all boards, and where it is so."""
    at, side = views.at, views.side
    for player, own in ((0, views.first), (1, ~views.first)):
        for role, mask in zip(
            _ROLES,
            (views.declares & own, views.declares & ~own, views.defends & own, views.defends & ~own),
            strict=True,
        ):
            yield (role, player), mask & played
    height = heights(results)[at]
    for number, name in enumerate(HEIGHTS):
        yield (name, -1), played & (height == number)
    code = results.vulnerability[at]
    own_bit = np.where(side == 0, code & 1, (code >> 1) & 1)
    their_bit = np.where(side == 0, (code >> 1) & 1, code & 1)
    for number, name in enumerate(_VULNERABLE):
        yield (name, -1), played & (code >= 0) & (own_bit + 2 * their_bit == number)


def heights(results: Results) -> Index:
    """(n,) how high the contract of each result is, by its place in HEIGHTS."""
    level, strain = results.level, results.strain
    game = np.where(strain == Strain.NOTRUMP, 3, np.where(strain >= Strain.HEARTS, 4, 5))
    return np.where(level == 0, 3, np.where(level >= 6, 2, level >= game)).astype(np.intp)
