"""What each pair and each player scored at every result that counts, in every part of the game."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from valet_xl.engine.arrays import Floats, Index, Mask, Small, count_by
from valet_xl.engine.results import Results, Status, artificial_scores
from valet_xl.engine.valet import Components
from valet_xl.rankings.exact import Exact
from valet_xl.rankings.partnerships import Partnerships

PAIR_COLUMNS = (
    *("overall", "bid", "play", "declarer", "defending"),
    *("declarer1", "declarer2", "lead1", "lead2", "lead", "defence", "luck"),
)
PLAYER_COLUMNS = ("overall", "bid", "play", "declarer", "defending", "lead", "defence", "luck")
OF_PLAYERS = (("declarer1", "declarer2"), ("lead1", "lead2"))
"""The columns of a pair that are of its first player, and of its second."""
ScoresAt = tuple[Index | None, Floats]  # where there was a chance, None for everywhere; the scores there


@dataclass(frozen=True, slots=True, eq=False)
class CountedScores:
    """The results that count, (k,) each unless another shape is given.

    row : which of the results
    overall, bid, luck : (k, 2) North-South's and East-West's; bid and luck are 0 where there are no parts
    split : whether it has parts, which neither an adjusted score has nor one without a contract
    declarer : the seat; -1 where nobody declared
    play, lead, defence : the declarer's play, and the defenders' parts
    every : whether all results count
    cards : (n, 2) what the play of the cards was worth to each side, whether it declared or defended
    """

    row: Index
    overall: Floats
    bid: Floats
    cards: Floats
    luck: Floats
    split: NDArray[np.bool_]
    declarer: Small
    play: Floats
    lead: Floats
    defence: Floats
    every: bool

    @classmethod
    def of(cls, results: Results, parts: Components, matchpoints: bool) -> CountedScores:
        """Find the results that count, and turn the parts of each to both sides' view."""
        scored = ~np.isnan(parts.overall)
        given: Floats | None = None
        counts = scored
        if (results.status == Status.ADJUSTED).any():
            imps, percent = artificial_scores(results)
            given = percent / 50 - 1 if matchpoints else imps
            counts = scored | ~np.isnan(given).all(axis=1)
        row = np.flatnonzero(counts)
        every = len(row) == len(results)

        def counted(values: NDArray[Any]) -> NDArray[Any]:
            return values if every else values[row]

        scored, split = counted(scored), counted(~np.isnan(parts.bid))
        declarer = counted(results.declarer).copy()
        declarer[~scored | (counted(results.level) <= 0)] = -1
        sign = np.where((declarer >= 0) & (declarer & 1 == 1), -1.0, 1.0)

        def of_sides(values: Floats, there: Mask = split) -> Floats:
            out = np.empty((len(row), 2))
            if there.all():
                np.multiply(counted(values), sign, out=out[:, 0])
            else:
                np.multiply(np.where(there, counted(values), 0), sign, out=out[:, 0])
            np.negative(out[:, 0], out=out[:, 1])
            return out

        overall = of_sides(parts.overall, scored)
        if given is not None:
            overall = np.where(scored[:, None], overall, given[row])
        return cls(
            row=row,
            overall=overall,
            bid=of_sides(parts.bid),
            cards=of_sides(parts.play),
            luck=of_sides(parts.luck) if np.nan_to_num(parts.luck).any() else np.zeros((len(row), 2)),
            split=split,
            declarer=declarer,
            play=counted(parts.play),
            lead=counted(parts.lead),
            defence=counted(parts.defence),
            every=every,
        )

    def of_results(self, values: NDArray[Any]) -> NDArray[Any]:
        """(k, ...) what some (n, ...) values of all results are at those that count."""
        return values if self.every else values[self.row]

    def result(self, at: Index) -> Index:
        """Which of the results are at some of the k places."""
        return at if self.every else self.row[at]


@dataclass(frozen=True, slots=True, eq=False)
class OwnerScores:
    """What each owner scored on each board, (n,) each.

    owner : the pair or player
    result, seat : which of the results, rising, and which of its sides or seats
    board, side : the board, and whether he sat North-South (0) or East-West (1)
    columns : by name the places where there was a chance of a score, None for everywhere, and the scores there
    opponents, theirs : give the pair against him, -1 where not known, and the same columns of what it scored
    """

    owner: Index
    opponents: Callable[[], Index]
    board: Index
    side: Small
    result: Index
    seat: Small
    columns: Mapping[str, ScoresAt]
    theirs: Callable[[], Mapping[str, ScoresAt]]

    @classmethod
    def of_pairs(cls, results: Results, who: Partnerships, scores: CountedScores) -> OwnerScores:
        """An entry for each side of each result."""
        pair = scores.of_results(who.pair)
        places, at, side = _counted(pair, scores.overall)
        owner = pair.ravel()[places]
        declarer = scores.declarer[at]
        declares, defends = _sides(declarer, side)
        columns = _columns(scores, places, at, declares, defends)
        player, first = scores.of_results(who.player).ravel(), who.pair_players[:, 0]
        leads = ~np.isnan(scores.lead)
        led = defends if leads.all() else defends[np.flatnonzero(leads[at[defends]])]
        for name, where, turn in (("declarer", declares, 0), ("lead", led, 1)):
            result = at[where]
            values = getattr(scores, _PART_OF[name])[result]
            seat, first_player = declarer[where] + turn & 3, first[owner[where]]
            place = result * 4 + seat
            own, partner = player[place], player[place ^ 2]
            is_first = np.where((own < 0) & (partner >= 0), partner != first_player, own == first_player)
            by_first = np.where(first_player >= 0, is_first, seat < 2)
            columns[name] = (where, values)
            for number, of_player in ((1, by_first), (2, ~by_first)):
                those = np.flatnonzero(of_player)
                columns[f"{name}{number}"] = (where[those], values[those])
        columns = {name: columns[name] for name in PAIR_COLUMNS}
        return cls(
            owner=owner,
            opponents=lambda: pair.ravel()[places ^ 1],
            board=scores.of_results(results.board)[at],
            side=side,
            result=scores.result(at),
            seat=side,
            columns=columns,
            theirs=lambda: _columns(scores, places ^ 1, at, defends, declares),
        )

    @classmethod
    def of_players(cls, results: Results, who: Partnerships, scores: CountedScores) -> OwnerScores:
        """An entry for each player of each result."""
        player = scores.of_results(who.player)
        places, at, seat = _counted(player, np.tile(scores.overall, 2))
        declarer, side = scores.declarer[at], seat & 1
        declares, defends = _sides(declarer, side)
        columns = _columns(scores, at * 2 + side, at, declares, defends)
        for name, where in (
            ("declarer", np.flatnonzero(declarer == seat)),
            ("lead", np.flatnonzero((declarer >= 0) & (declarer + 1 & 3 == seat) & ~np.isnan(scores.lead[at]))),
        ):
            columns[name] = (where, getattr(scores, _PART_OF[name])[at[where]])
        columns = {name: columns[name] for name in PLAYER_COLUMNS}
        pair = scores.of_results(who.pair).ravel()
        return cls(
            owner=player.ravel()[places],
            opponents=lambda: pair[at * 2 + 1 - side],
            board=scores.of_results(results.board)[at],
            side=side,
            result=scores.result(at),
            seat=seat,
            columns=columns,
            theirs=lambda: _columns(scores, at * 2 + 1 - side, at, defends, declares),
        )

    def against(self, columns: Sequence[str], owners: int) -> list[tuple[Exact, Floats]]:
        """For each of some columns (owners,) what the opponents who are known scored, and in how many chances."""
        found, theirs, opponents = [], self.theirs(), self.opponents()
        for column in columns:
            where, values = theirs[column]
            at = slice(None) if where is None else where
            there = (opponents[at] >= 0) & ~np.isnan(values)
            owner = self.owner[at][there]
            found.append((Exact.by(owner, values[there], owners), count_by(owner, owners).astype(np.float64)))
        return found


_PART_OF = {"declarer": "play", "lead": "lead"}


def _counted(owner: Index, overall: Floats) -> tuple[Index, Index, Small]:
    """The places, laid flat, where an owner is known and has a score; the result of each, and its place in that."""
    places = np.flatnonzero((owner >= 0) & ~np.isnan(overall))
    seats = owner.shape[1]  # two or four, so that the seat is in the lowest bits
    return places, places >> (seats.bit_length() - 1), (places & (seats - 1)).astype(np.int8)


def _sides(declarer: Small, side: Small) -> tuple[Index, Index]:
    """Where the side declares, and where it defends."""
    of_side = declarer & 1 == side
    declared = declarer >= 0
    return np.flatnonzero(of_side & declared), np.flatnonzero(~of_side & declared)


def _columns(scores: CountedScores, sides: Index, at: Index, declares: Index, defends: Index) -> dict[str, ScoresAt]:
    """The columns that pairs and players share; `sides` is the side of each entry, laid flat."""
    overall, bid, cards, luck = (
        each.ravel()[sides] if each.any() else np.zeros(len(sides))  # luck without clouds
        for each in (scores.overall, scores.bid, scores.cards, scores.luck)
    )
    split = None if scores.split.all() else np.flatnonzero(scores.split[at])
    kept = slice(None) if split is None else split
    lead, defence = np.nan_to_num(scores.lead[at[defends]]), scores.defence[at[defends]]
    return {
        "overall": (None, overall),
        "bid": (split, bid[kept]),
        "play": (split, cards[kept]),
        "declarer": (declares, scores.play[at[declares]]),
        "defending": (defends, lead + defence),
        "defence": (defends, defence),
        "luck": (split, luck[kept]),
    }
