"""Matches of teams: their results in IMPs and victory points, and the ranking of the teams."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from valet_xl.engine.arrays import Floats, Index, count_by, keys_of, split_keys, sum_by
from valet_xl.engine.results import Results, artificial_scores
from valet_xl.engine.teams import Matches, board_a_match, team_imps
from valet_xl.engine.victory import victory_points
from valet_xl.errors import ArgumentError, SheetError, one_of
from valet_xl.rankings.listing import Heading, Listing, Value
from valet_xl.rankings.options import RANKING_OPTIONS

_SAME = 0.005  # points that the file gives with two decimals
_TEAM = Heading("Team", "the team", "@", 30)
_COUNTED = (
    Heading("Boards", "how many boards count", "0", 8),
    Heading("IMPs", "IMPs won less those lost", "0.00"),
)


@dataclass(frozen=True, slots=True)
class Played:
    """A match that was played, as one of its teams sees it.

    round, team, opponents : its round and the names
    boards : how many boards count
    imps, points : IMPs won less those lost, and 2, 1 or 0 for a board won, tied or lost
    published : what the file says that the match brought the team, NaN where it says nothing
    """

    round: str
    team: str
    opponents: str
    boards: int
    imps: float
    points: float
    published: float


@dataclass(frozen=True, slots=True)
class TeamRanking:
    """The ranking of the teams, and every match from both sides.

    scale : what matches are scored by
    matches, agree : how many matches have points in the file, and how many of those are the computed ones
    teams, played : the tables for people
    """

    scale: str
    matches: int
    agree: int
    teams: Listing
    played: Listing

    def said(self) -> str:
        """What the matches were scored by, and whether the file agrees."""
        words = {"imps": "by IMPs", "bam": "board-a-match"}.get(self.scale, f"by victory points, scale {self.scale}")
        agree = f", as the file has {self.agree:,} of {self.matches:,}" if self.matches else ""
        return f"matches are scored {words}{agree}"


def played_matches(results: Results, matches: Matches, rows: Sequence[int]) -> list[Played]:
    """The matches of a file, each from both sides.

    Parameters
    ----------
    results : the results of the file
    matches : who met whom, for the rows of the file
    rows : the numbers of those rows

    Notes
    -----
    IMPs compare the tables at which a team sat North-South with those at which it sat East-West, as `team_imps` does.
    Where a table has an artificial adjusted score, each team gets its own 3, 0 or -3 IMPs (Law 86B), and in
    board-a-match 1.2, 1 or 0.8 points. A board without two tables and without such a score does not count.
    """
    place = {row: at for at, row in enumerate(rows)}
    at = np.array([place[row] for row in results.row.tolist()], dtype=np.intp)
    team, match, points = matches.team[at], matches.match[at], matches.points[at]
    given, percent = artificial_scores(results)
    scores = np.where(results.in_field, results.score, np.nan)
    known = (team >= 0).all(axis=1) & (results.board >= 0)
    # Two entries for each result: one for the team that sits North-South, one for the other.
    row = np.repeat(np.flatnonzero(known), 2)
    side = np.arange(len(row)) % 2
    if not len(row):
        return []
    _, code = np.unique(match[row], return_inverse=True)
    _, first, of_team = np.unique(
        keys_of((code, team[row, side]), (len(row), len(matches.names))), return_index=True, return_inverse=True
    )
    shape = (len(first), len(results.boards))
    keys, of_board = np.unique(keys_of((of_team, results.board[row]), shape), return_inverse=True)
    gained, taken = _of_boards(scores[row], side, of_board, len(keys))
    own, share = (_means(each[row, side], of_board, len(keys)) for each in (given, percent))
    gained, taken = np.where(np.isnan(own), gained, own), np.where(np.isnan(own), taken, share / 50)
    counts = ~np.isnan(gained)
    owner = split_keys(keys, shape)[0][counts]
    imps, won = (sum_by(owner, np.nan_to_num(each[counts]), len(first)) for each in (gained, taken))
    boards = count_by(owner, len(first))
    begins = np.full(len(row), len(row))  # the first entry of each match
    np.minimum.at(begins, code, np.arange(len(row)))
    made = []
    for each in sorted(range(len(first)), key=lambda at: (begins[code[first[at]]], first[at])):
        start = row[begins[code[first[each]]]]
        name = team[row[first[each]], side[first[each]]]
        seat = 0 if team[start, 0] == name else 1
        opponents = matches.names[team[start, 1 - seat]]
        turn, said = matches.round[at[start]], float(points[start, seat])
        found = (int(boards[each]), float(imps[each]), float(won[each]))
        made.append(Played(turn, matches.names[name], opponents, *found, said))
    return made


def _of_boards(scores: Floats, side: Index, of_board: Index, size: int) -> tuple[Floats, Floats]:
    """What each board brought its team in IMPs and at board-a-match, from its tables; NaN where none compare.

    Parameters
    ----------
    scores : (n,) North-South's points of entries, NaN where not played
    side : (n,) 0 where the team sat North-South, 1 East-West
    of_board : (n,) the board of a team that the entry is of, below size
    """
    pile = 2 * of_board + side
    order = np.argsort(pile, kind="stable")
    counts = count_by(pile, 2 * size)
    place = np.empty(len(pile), dtype=np.intp)
    place[order] = np.arange(len(pile)) - (np.cumsum(counts) - counts)[pile[order]]
    most = counts.reshape(size, 2).max(axis=1)
    tables = np.full((2, size, int(most.max())), np.nan)
    tables[side, of_board, place] = scores
    gained, taken = np.full(size, np.nan), np.full(size, np.nan)
    for width in np.unique(most).tolist():
        here = most == width
        home, away = tables[:, here, :width]
        gained[here] = team_imps(home, away, divisor="average")
        taken[here] = board_a_match(home, away)
    return gained, taken


def _means(values: Floats, index: Index, size: int) -> Floats:
    """(size,) the mean of the values of each index without those that are NaN; NaN where there are none."""
    there = ~np.isnan(values)
    count = count_by(index[there], size)
    total = sum_by(index[there], values[there], size)
    return np.divide(total, count, out=np.full(size, np.nan), where=count > 0)


def rank_teams(played: Sequence[Played], scale: str = "auto") -> TeamRanking:
    """Rank the teams by what their matches brought them.

    Parameters
    ----------
    played : the matches, each from both sides
    scale : a scale of `victory_points`; "imps", the IMPs themselves; "bam", board-a-match; "auto", the first of these
        that gives the points in the file, or else the WBF's

    Raises
    ------
    OptionError : for another scale
    SheetError : where there is no match
    ArgumentError : where the scale has no table for so many boards
    """
    scales = RANKING_OPTIONS["scale"].words
    one_of("scale", scale, scales)
    counted = [each for each in played if each.boards]
    if not counted:
        raise SheetError("no teams are named in the results (expected USEBIO with matches of teams)")
    with_points = [each for each in counted if not np.isnan(each.published)]
    if scale == "auto":
        right = (each for each in list(scales)[1:] if with_points and _agreeing(with_points, each) == len(with_points))
        scale = next(right, "wbf")
    worth = dict(zip(map(id, counted), _worth(counted, scale), strict=True))
    names = list(dict.fromkeys(each.team for each in counted))
    rows = []
    for name in names:
        own = [each for each in counted if each.team == name]
        margins = [each.points - each.boards if scale == "bam" else each.imps for each in own]
        rows.append(
            (
                name,
                len(own),
                *(sum(np.sign(margin) == sign for margin in margins) for sign in (1, 0, -1)),
                sum(each.boards for each in own),
                sum(each.imps for each in own),
                sum(worth[id(each)] for each in own),
            )
        )
    rows.sort(key=lambda row: (-round(row[-1], 6), -round(row[-2], 6)))
    places: list[Value] = []
    for at, row in enumerate(rows):
        tied = at and round(row[-1] - rows[at - 1][-1], 6) == 0 and round(row[-2] - rows[at - 1][-2], 6) == 0
        places.append(places[-1] if tied else at + 1)
    points = {"imps": "IMPs", "bam": "Points"}.get(scale, "VP")
    headings = [
        Heading("Rank", "the place", "0", 6),
        _TEAM,
        Heading("Matches", "how many matches count", "0", 9),
        Heading("Won", "matches won", "0", 6),
        Heading("Drawn", "matches drawn", "0", 7),
        Heading("Lost", "matches lost", "0", 6),
        *_COUNTED,
        Heading(points, "what the matches brought", "0.00"),
    ]
    columns: list[list[Value]] = [places, *(list(column) for column in zip(*rows, strict=True))]
    if scale == "imps":
        headings, columns = headings[:-1], columns[:-1]
    agree = _agreeing(with_points, scale) if with_points else 0
    matches = len(with_points)
    return TeamRanking(
        scale, matches, agree, Listing(tuple(headings), tuple(columns)), _matches(counted, worth, points)
    )


def _matches(played: Sequence[Played], worth: dict[int, float], points: str) -> Listing:
    """Every match from both sides."""
    headings = (
        Heading("Round", "the round", "@", 8),
        _TEAM,
        Heading("Opponents", "the team that it met", "@", 30),
        *_COUNTED,
        Heading(points, "what the match brought", "0.00"),
        Heading("Published", "what the file says that it brought", "0.00"),
    )
    rows = [
        (
            each.round or None,
            each.team,
            each.opponents,
            each.boards,
            each.imps,
            worth[id(each)],
            None if np.isnan(each.published) else each.published,
        )
        for each in played
    ]
    return Listing(headings, tuple(list(column) for column in zip(*rows, strict=True)))


def _worth(played: Sequence[Played], scale: str) -> Iterator[float]:
    """What each match brought its team."""
    if scale == "bam":
        return iter([each.points for each in played])
    if scale == "imps":
        return iter([each.imps for each in played])
    return iter(victory_points([each.imps for each in played], [each.boards for each in played], scale=scale).tolist())


def _agreeing(played: Sequence[Played], scale: str) -> int:
    """How many matches brought what the file says."""
    try:
        worth = _worth(played, scale)
    except ArgumentError:  # no table for so many boards
        return 0
    return sum(abs(each.published - points) < _SAME for each, points in zip(played, worth, strict=True))
