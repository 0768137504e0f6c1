"""Totals over many boards: what each pair and each player scored, in which part of the game, and how sure that is."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from valet_xl.engine.arrays import Floats, Index, Mask, count_by
from valet_xl.engine.options import Options
from valet_xl.engine.results import Results, Status, artificial_scores
from valet_xl.engine.score_results import split as split_results
from valet_xl.engine.valet import Components
from valet_xl.errors import one_of
from valet_xl.messages import counted
from valet_xl.rankings.averages import Average, AverageTable
from valet_xl.rankings.clusters import Chances, Clusters, Part
from valet_xl.rankings.compensation import opponents_average
from valet_xl.rankings.groups import Groups
from valet_xl.rankings.options import RANKING_OPTIONS
from valet_xl.rankings.partnerships import Partnerships, partnerships

__all__ = ["ORDERS", "PAIR_COLUMNS", "PLAYER_COLUMNS", "Average", "AverageTable", "Totals", "totals"]

PAIR_COLUMNS = (
    *("overall", "bid", "play", "declarer", "defending"),
    *("declarer1", "declarer2", "lead1", "lead2", "lead", "defence", "luck"),
)
PLAYER_COLUMNS = ("overall", "bid", "play", "declarer", "defending", "lead", "defence", "luck")
ScoresAt = tuple[Index | None, Floats]  # where there was a chance, None for everywhere; the scores there
ORDERS = (*PAIR_COLUMNS, "bid - play", "defending - declarer", "lead - declarer")
"""What tables are put in order by; any other difference of two columns will do as well."""


@dataclass(frozen=True, eq=False)
class Totals:
    """The tables of a tournament, and how they were made.

    options : how results were scored
    compensation : how averages were corrected for the opponents' strength, as `totals` takes it
    minimum : how many boards a place requires; None for half the median of each group
    labels : what a side's label means, as `partnerships` takes it
    boards, results : how many were counted
    adjusted : how many of the results were adjusted scores that count for their owners
    uncounted : how many results were not counted, by the reason why
    """

    options: Options
    compensation: str
    minimum: int | None
    labels: str
    boards: int
    results: int
    adjusted: int
    uncounted: Mapping[str, int]
    _results: Results
    _who: Partnerships
    _scores: _Scores

    def __repr__(self) -> str:
        return f"<totals of {counted(self.results, 'result')} on {counted(self.boards, 'board')}>"

    @property
    def remarks(self) -> tuple[str, ...]:
        """What was decided about the sheet or file as a whole."""
        return self._results.remarks

    @property
    def in_percent(self) -> bool:
        """Whether averages are shown by `Average.in_percent`."""
        return self.options.method == "matchpoints"

    @cached_property
    def pairs(self) -> AverageTable:
        """The table of pairs, in the order in which they first appear."""
        return self._finished(*self._all_pairs)

    @cached_property
    def players(self) -> AverageTable:
        """The table of players, in the order in which they first appear."""
        owned = _OwnerScores.of_players(self._results, self._who, self._scores)
        names = self._who.player_names
        members = np.stack([np.arange(len(names)), np.full(len(names), -1)], axis=1)
        return self._finished(_table(owned, names, members, self._who, self.minimum, self._results.boards), owned)

    @cached_property
    def _all_pairs(self) -> tuple[AverageTable, _OwnerScores]:
        owned = _OwnerScores.of_pairs(self._results, self._who, self._scores)
        names, members = self._who.pair_names, self._who.pair_players
        return _table(owned, names, members, self._who, self.minimum, self._results.boards), owned

    def _finished(self, table: AverageTable, owned: _OwnerScores) -> AverageTable:
        """The table corrected for the opponents' strength, without those of whom nothing counts."""
        if self.compensation != "none":
            table = _compensated(table, owned, self._all_pairs[0], self.compensation)
        return table.take(table.boards > 0)


def totals(
    results: Results,
    options: Options | None = None,
    *,
    compensation: str = "none",
    minimum: int | None = None,
    labels: str = "auto",
    parts: Components | None = None,
    who: Partnerships | None = None,
) -> Totals:
    """Sum up a tournament by pairs and by players.

    Parameters
    ----------
    results : the tournament, of one file or of several (`join`)
    options : how to score
    compensation : "none"; "opponents", to add what the opponents average against others; "valet", as the Valet 1.1
        program does it for overall, bid and play, with the opponents' scores against the pair counted twice instead of
        left out
    minimum : pairs and players with fewer boards are marked as few; None for half the median of the group
    labels : what a side's label means, as `partnerships` takes it
    parts, who : the parts of each result, and who played it, where they are known already

    Returns
    -------
    the tables of pairs and of players

    Raises
    ------
    OptionError : for an unknown option

    Notes
    -----
    A side's overall score is its bid and its play; its play is what it made as declarer or in defence, and that of the
    defence the lead and the rest. An artificial adjusted score counts for the side it was given to as 3, 0 or -3 IMPs
    for 60, 50 or 40 %, at matchpoints as its percentage, in the overall score alone. What was not played, not
    understood, on a board with such a row, or alone on its board does not count.

    >>> from valet_xl.reading.valet_text import read_scores
    >>> lines = ("1|1|Anna|Bo|Carl|Dora|4S|N|10|HA", "1|1|Eva|Finn|Gus|Ida|4S|N|9|HK")
    >>> pairs = totals(read_scores("\\n".join(lines))).pairs.sorted()
    >>> for name, overall in zip(pairs.names, pairs["overall"].average):
    ...     print(name, overall)
    Anna - Carl 10.0
    Finn - Ida 10.0
    Bo - Dora -10.0
    Eva - Gus -10.0
    """
    one_of("compensation", compensation, RANKING_OPTIONS["compensation"].words)
    options = options or Options()
    parts = split_results(results, options) if parts is None else parts
    scores = _Scores.of(results, parts, options.method == "matchpoints")
    return Totals(
        options=options,
        compensation=compensation,
        minimum=minimum,
        labels=labels,
        boards=int(np.count_nonzero(count_by(results.board[scores.row]))),
        results=len(scores.row),
        adjusted=int(np.count_nonzero(results.status[scores.row] == Status.ADJUSTED)),
        uncounted=_uncounted(results, scores.row),
        _results=results,
        _who=who or partnerships(results, labels=labels),
        _scores=scores,
    )


@dataclass(frozen=True, slots=True, eq=False)
class _Scores:
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
    def of(cls, results: Results, parts: Components, matchpoints: bool) -> _Scores:
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
            luck=of_sides(parts.luck),
            split=split,
            declarer=declarer,
            play=parts.play[row],
            lead=parts.lead[row],
            defence=parts.defence[row],
        )


@dataclass(frozen=True, slots=True, eq=False)
class _OwnerScores:
    """What each owner scored on each board, (n,) each.

    owner, opponents : the pair or player; the pair against him, -1 where not known
    board, side : the board, and whether he sat North-South (0) or East-West (1)
    columns : by name the places where there was a chance of a score, None for everywhere, and the scores there
    theirs : the same of what the opponents scored
    """

    owner: Index
    opponents: Index
    board: Index
    side: Index
    columns: Mapping[str, ScoresAt]
    theirs: Mapping[str, ScoresAt]

    @classmethod
    def of_pairs(cls, results: Results, who: Partnerships, scores: _Scores) -> _OwnerScores:
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
        theirs = _columns(scores, places ^ 1, at, defends, declares)
        return cls(owner, pair[:, ::-1].ravel()[places], results.board[scores.row][at], side, columns, theirs)

    @classmethod
    def of_players(cls, results: Results, who: Partnerships, scores: _Scores) -> _OwnerScores:
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
        theirs = _columns(scores, at * 2 + 1 - side, at, defends, declares)
        opponents = who.pair[scores.row][:, ::-1].ravel()[at * 2 + side]
        return cls(player.ravel()[places], opponents, results.board[scores.row][at], side, columns, theirs)


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


def _columns(scores: _Scores, sides: Index, at: Index, declares: Index, defends: Index) -> dict[str, ScoresAt]:
    """The columns that pairs and players share; `sides` is the side of each entry, laid flat."""
    overall, bid, cards, luck = (
        each.ravel()[sides] for each in (scores.overall, scores.bid, scores.cards, scores.luck)
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


def _table(
    owned: _OwnerScores,
    names: tuple[str, ...],
    members: Index,
    who: Partnerships,
    minimum: int | None,
    boards: Sequence[tuple[str, str]],
) -> AverageTable:
    """The averages of each owner."""
    clusters = Clusters.of(owned.owner, owned.board, len(names), max(len(boards), 1))
    groups = Groups.find(owned.owner, owned.side, owned.board, len(names), boards)
    everywhere = Chances.of(clusters)
    chances: dict[int, Chances] = {id(None): everywhere}  # columns with the same chances share them
    parts = {}
    for name, (where, values) in owned.columns.items():
        if id(where) not in chances:
            chances[id(where)] = Chances.of(clusters, where)
        parts[name] = Part.of(chances[id(where)], values)
    played = everywhere.count.astype(np.intp)
    called = np.array([*who.player_names, ""], dtype=object)
    minimums = tuple(
        half_the_median(played[groups.of == at]) if minimum is None else minimum for at in range(len(groups.names))
    )
    least = np.array([*minimums, 0])[groups.of]  # the last is of those without a result
    return AverageTable(
        names=np.array(names, dtype=object),
        players=called[members],
        boards=played,
        few=played < least,
        minimums=minimums,
        group=groups.of,
        groups=groups.names,
        columns={name: Average.of(part, everywhere) for name, part in parts.items()},
        _row=np.arange(len(names)),
        _parts=parts,
        _rounds=_rounds(boards),
    )


def _rounds(boards: Sequence[tuple[str, str]]) -> Index:
    """(boards,) the round of each board, from 0."""
    seen: dict[str, int] = {}
    return np.array([seen.setdefault(of_round, len(seen)) for of_round, _ in boards], dtype=np.intp)


def half_the_median(boards: Index) -> int:
    """The number of boards that a place requires by default; those who played none are not counted.

    >>> half_the_median(np.array([28, 28, 27, 9, 0]))
    14
    """
    return math.ceil(float(np.median(boards[boards > 0])) / 2) if boards.any() else 0


# Whose average is added to each column: the opponents' in the same part of the game, or in the one that met it.
_ALL = {"overall": "overall", "bid": "bid", "play": "play"}
_AGAINST = _ALL | dict.fromkeys(("declarer", "declarer1", "declarer2"), "defending")
_AGAINST |= dict.fromkeys(("defending", "defence"), "declarer")


def _compensated(table: AverageTable, owned: _OwnerScores, pairs: AverageTable, compensation: str) -> AverageTable:
    """The table with the averages of opponents added; leads and luck do not depend on them."""
    columns = dict(table.columns)
    add_own = compensation == "valet"
    for name in [each for each in columns if each in (_ALL if add_own else _AGAINST)]:
        theirs = pairs.columns[_AGAINST[name]]
        where, values = owned.theirs[_AGAINST[name]]
        by = opponents_average(
            owned.owner, owned.opponents, where, values, theirs.sum, theirs.chances, len(table), add_own=add_own
        )
        columns[name] = columns[name].shifted(by, table.boards.astype(np.float64))
    return replace(table, columns=columns)


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
