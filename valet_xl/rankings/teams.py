"""Matches of teams: their results in IMPs and victory points, and the ranking of the teams."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from valet_xl.engine.results import Results, artificial_scores
from valet_xl.engine.teams import Matches, board_a_match, team_imps
from valet_xl.engine.victory import victory_points
from valet_xl.errors import ArgumentError, SheetError, one_of
from valet_xl.rankings.listing import Heading, Listing, Value
from valet_xl.rankings.options import RANKING_OPTIONS

_SAME = 0.005  # points that the file gives with two decimals


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
    made = []
    for number in dict.fromkeys(match[known].tolist()):
        here = np.flatnonzero(known & (match == number))
        for one in dict.fromkeys(team[here].ravel().tolist()):
            ns = team[here, 0] == one
            other = int(team[here[0], 1 if ns[0] else 0])
            imps, boards, won = 0.0, 0, 0.0
            for board in dict.fromkeys(results.board[here].tolist()):
                of_board = results.board[here] == board
                home, away = here[of_board & ns], here[of_board & ~ns]
                own = np.concatenate([given[home, 0], given[away, 1]])
                if not np.isnan(own).all():
                    share = np.concatenate([percent[home, 0], percent[away, 1]])
                    gained, taken = float(np.nanmean(own)), float(np.nanmean(share)) / 50
                else:
                    size = max(len(home), len(away))
                    tables = [np.append(scores[each], np.full(size - len(each), np.nan))[None] for each in (home, away)]
                    gained = float(team_imps(*tables, divisor="average" if size > 1 else "total")[0])
                    taken = float(board_a_match(*tables)[0]) if size else np.nan
                if not np.isnan(gained):
                    imps, boards = imps + gained, boards + 1
                    won += 0 if np.isnan(taken) else taken
            said = points[here[0], 0 if ns[0] else 1]
            turn = matches.round[at[here[0]]]
            names = matches.names
            made.append(Played(turn, names[one], names[other], boards, imps, won, float(said)))
    return made


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
        Heading("Team", "the team", "@", 30),
        Heading("Matches", "how many matches count", "0", 9),
        Heading("Won", "matches won", "0", 6),
        Heading("Drawn", "matches drawn", "0", 7),
        Heading("Lost", "matches lost", "0", 6),
        Heading("Boards", "how many boards count", "0", 8),
        Heading("IMPs", "IMPs won less those lost", "0.00"),
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
        Heading("Team", "the team", "@", 30),
        Heading("Opponents", "the team that it met", "@", 30),
        Heading("Boards", "how many boards count", "0", 8),
        Heading("IMPs", "IMPs won less those lost", "0.00"),
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
