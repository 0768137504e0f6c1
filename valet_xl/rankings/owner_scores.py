"""What each pair and each player scored at every result that counts, in every part of the game."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial

import numpy as np
from numpy.typing import NDArray

from valet_xl.engine.arrays import Floats, Index, Mask, count_by
from valet_xl.engine.results import Results, artificial_scores
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
    cards : (n, 2) what the play of the cards was worth to each side, whether it declared or defended
    """

    row: Index
    overall: Floats
    bid: Floats
    cards: Floats
    luck: Floats
    split: NDArray[np.bool_]
    declarer: Index
    play: Floats
    lead: Floats
    defence: Floats

    @classmethod
    def of(cls, results: Results, parts: Components, matchpoints: bool) -> CountedScores:
        """Find the results that count, and turn the parts of each to both sides' view."""
        imps, percent = artificial_scores(results)
        given = percent / 50 - 1 if matchpoints else imps
        row = np.flatnonzero(~np.isnan(parts.overall) | ~np.isnan(given).all(axis=1))
        scored, split = ~np.isnan(parts.overall[row]), ~np.isnan(parts.bid[row])
        declared = scored & (results.level[row] > 0)
        declarer = np.where(declared, results.declarer[row], -1)
        sign = np.where(declared & (declarer % 2 == 1), -1.0, 1.0)[:, None] * (1.0, -1.0)

        def of_sides(values: Floats, there: Mask = split) -> Floats:
            return np.where(there, values[row], 0)[:, None] * sign

        return cls(
            row=row,
            overall=np.where(scored[:, None], of_sides(parts.overall, scored), given[row]),
            bid=of_sides(parts.bid),
            cards=of_sides(parts.play),
            luck=of_sides(parts.luck) if np.nan_to_num(parts.luck).any() else np.zeros((len(row), 2)),
            split=split,
            declarer=declarer,
            play=parts.play[row],
            lead=parts.lead[row],
            defence=parts.defence[row],
        )


@dataclass(frozen=True, slots=True, eq=False)
class OwnerScores:
    """What each owner scored on each board, (n,) each.

    owner, opponents : the pair or player; the pair against him, -1 where not known
    result, seat : which of the results, rising, and which of its sides or seats
    board, side : the board, and whether he sat North-South (0) or East-West (1)
    columns : by name the places where there was a chance of a score, None for everywhere, and the scores there
    theirs : gives the same of what the opponents scored
    """

    owner: Index
    opponents: Index
    board: Index
    side: Index
    result: Index
    seat: Index
    columns: Mapping[str, ScoresAt]
    theirs: Callable[[], Mapping[str, ScoresAt]]

    @classmethod
    def of_pairs(cls, results: Results, who: Partnerships, scores: CountedScores) -> OwnerScores:
        """An entry for each side of each result."""
        pair = who.pair[scores.row]
        places, at, side = _counted(pair, scores.overall)
        owner = pair.ravel()[places]
        declarer = scores.declarer[at]
        declares, defends = _sides(declarer, side)
        columns = _columns(scores, places, at, declares, defends)
        player, first = who.player[scores.row], who.pair_players[owner, 0]
        led = defends[~np.isnan(scores.lead[at[defends]])]
        for name, where, seat in (("declarer", declares, declarer), ("lead", led, (declarer + 1) % 4)):
            values = getattr(scores, _PART_OF[name])[at[where]]
            known = first[where] >= 0
            own, partner = (player[at[where], (seat[where] + turn) % 4] for turn in (0, 2))
            is_first = np.where((own < 0) & (partner >= 0), partner != first[where], own == first[where])
            by_first = np.where(known, is_first, seat[where] < 2)
            columns[name] = (where, values)
            columns[f"{name}1"] = (where[by_first], values[by_first])
            columns[f"{name}2"] = (where[~by_first], values[~by_first])
        columns = {name: columns[name] for name in PAIR_COLUMNS}
        theirs = partial(_columns, scores, places ^ 1, at, defends, declares)
        opponents, board = pair[:, ::-1].ravel()[places], results.board[scores.row][at]
        return cls(owner, opponents, board, side, scores.row[at], side, columns, theirs)

    @classmethod
    def of_players(cls, results: Results, who: Partnerships, scores: CountedScores) -> OwnerScores:
        """An entry for each player of each result."""
        player = who.player[scores.row]
        places, at, seat = _counted(player, np.tile(scores.overall, 2))
        declarer, side = scores.declarer[at], seat % 2
        declares, defends = _sides(declarer, side)
        columns = _columns(scores, at * 2 + side, at, declares, defends)
        for name, where in (
            ("declarer", np.flatnonzero(declarer == seat)),
            ("lead", np.flatnonzero((declarer >= 0) & ((declarer + 1) % 4 == seat) & ~np.isnan(scores.lead[at]))),
        ):
            columns[name] = (where, getattr(scores, _PART_OF[name])[at[where]])
        columns = {name: columns[name] for name in PLAYER_COLUMNS}
        theirs = partial(_columns, scores, at * 2 + 1 - side, at, defends, declares)
        opponents = who.pair[scores.row][:, ::-1].ravel()[at * 2 + side]
        board = results.board[scores.row][at]
        return cls(player.ravel()[places], opponents, board, side, scores.row[at], seat, columns, theirs)

    def against(self, columns: Sequence[str], owners: int) -> list[tuple[Exact, Floats]]:
        """For each of some columns (owners,) what the opponents who are known scored, and in how many chances."""
        found, theirs = [], self.theirs()
        for column in columns:
            where, values = theirs[column]
            at = slice(None) if where is None else where
            there = (self.opponents[at] >= 0) & ~np.isnan(values)
            owner = self.owner[at][there]
            found.append((Exact.by(owner, values[there], owners), count_by(owner, owners).astype(np.float64)))
        return found


_PART_OF = {"declarer": "play", "lead": "lead"}


def _counted(owner: Index, overall: Floats) -> tuple[Index, Index, Index]:
    """The places, laid flat, where an owner is known and has a score; the result of each, and its place in that."""
    places = np.flatnonzero((owner >= 0) & ~np.isnan(overall))
    at, which = np.unravel_index(places, owner.shape)
    return places, at, which


def _sides(declarer: Index, side: Index) -> tuple[Index, Index]:
    """Where the side declares, and where it defends."""
    of_side = declarer % 2 == side
    return np.flatnonzero(of_side & (declarer >= 0)), np.flatnonzero(~of_side & (declarer >= 0))


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
