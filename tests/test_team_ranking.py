"""Matches of teams: what a file of them says, their IMPs and victory points, and the ranking of the teams."""

from __future__ import annotations

import random
from pathlib import Path
from statistics import mean

import numpy as np
import pytest
from brute import imp
from click.testing import CliRunner

from valet_xl.cli.main import app
from valet_xl.documents.xlsx import Workbook
from valet_xl.engine.victory import victory_points
from valet_xl.errors import SheetError
from valet_xl.rankings.partnerships import partnerships
from valet_xl.rankings.teams import Played, TeamRanking, played_matches, rank_teams
from valet_xl.reading.source import Source
from valet_xl.reading.usebio import read_source

ROSTER = {"1": ("Sharks", "ABCD"), "2": ("Dragons", "EFGH"), "3": ("Owls", "IJKL"), "4": ("Foxes", "MNOP")}
GAME, DOWN, PASS = ("4S", "N", "10"), ("4S", "N", "9"), ("PASS", "", "")
Table = tuple[str, str, str]


def line(table: Table, direction: str = "", pairs: tuple[str, str] | None = None) -> str:
    contract, by, tricks = table
    text = f"<DIRECTION>{direction}</DIRECTION>" if direction else ""
    if pairs:
        text += f"<NS_PAIR_NUMBER>{pairs[0]}</NS_PAIR_NUMBER><EW_PAIR_NUMBER>{pairs[1]}</EW_PAIR_NUMBER>"
    if contract.startswith("A"):
        return f"<TRAVELLER_LINE>{text}<CONTRACT/><SCORE>{contract}</SCORE></TRAVELLER_LINE>"
    return (
        f"<TRAVELLER_LINE>{text}<CONTRACT>{contract}</CONTRACT><PLAYED_BY>{by}</PLAYED_BY>"
        f"<TRICKS>{tricks}</TRICKS></TRAVELLER_LINE>"
    )


def match(
    turn: int, one: str, other: str, *boards: tuple[Table, Table], points: tuple[float, float] | None = None
) -> str:
    """A match of two teams: on each board the table at which the first sits North-South, and the other table."""
    text = f"<MATCH><ROUND_NUMBER>{turn}</ROUND_NUMBER><TEAM>{one}</TEAM><OPPOSING_TEAM>{other}</OPPOSING_TEAM>"
    if points:
        text += f"<TEAM_SCORE>{points[0]}</TEAM_SCORE><OPPOSING_TEAM_SCORE>{points[1]}</OPPOSING_TEAM_SCORE>"
    for number, (first, second) in enumerate(boards, start=1):
        hand = "<HAND><DIRECTION>W</DIRECTION><SPADES>AK</SPADES></HAND>"
        text += f"<BOARD><BOARD_NUMBER>{number}</BOARD_NUMBER>{hand}{line(first, 'NS')}{line(second, 'EW')}</BOARD>"
    return f"{text}</MATCH>"


def players(letters: str) -> str:
    return "".join(f"<PLAYER><PLAYER_NAME>Player {letter}</PLAYER_NAME></PLAYER>" for letter in letters)


def event(*matches: str, roster: str | None = None) -> Source:
    if roster is None:
        roster = "".join(
            f'<TEAM TEAM_ID="{number}" TEAM_NAME="{name}">{players(letters)}</TEAM>'
            for number, (name, letters) in ROSTER.items()
        )
    text = f'<EVENT EVENT_TYPE="SWISS_TEAMS"><PARTICIPANTS>{roster}</PARTICIPANTS>{"".join(matches)}</EVENT>'
    return read_source(f"<USEBIO>{text}</USEBIO>".encode())


def played(source: Source) -> list[Played]:
    assert source.matches is not None
    return played_matches(source.read(), source.matches, source.rows)


def ranked(source: Source, scale: str = "auto") -> TeamRanking:
    return rank_teams(played(source), scale)


TWO_ROUNDS = (
    match(1, "1", "2", (GAME, DOWN), (PASS, PASS)),
    match(1, "3", "4", (GAME, GAME), (PASS, GAME)),
    match(2, "1", "3", (GAME, GAME), (DOWN, DOWN)),
    match(2, "2", "4", (GAME, PASS), (GAME, PASS)),
)


def test_a_team_s_imps_compare_its_own_two_tables() -> None:
    """420 and -50 the other way is 470, 10 IMPs (Law 78B)."""
    first, second, *_ = played(event(*TWO_ROUNDS))
    assert (first.team, first.opponents, first.round, first.boards, first.imps) == ("Sharks", "Dragons", "1", 2, 10)
    assert (second.team, second.imps) == ("Dragons", -10)


def test_victory_points_make_the_ranking() -> None:
    source = event(*TWO_ROUNDS)
    ranking = ranked(source, "wbf")
    table = dict(zip(ranking.teams.names, ranking.teams.columns, strict=True))
    every = played(source)
    for each in every:
        other = next(one for one in every if (one.round, one.team) == (each.round, each.opponents))
        assert each.imps == -other.imps
    for team, imps, points in zip(table["Team"], table["IMPs"], table["VP"], strict=True):
        own = [each for each in every if each.team == team]
        assert imps == sum(each.imps for each in own)
        assert points == pytest.approx(sum(float(victory_points(each.imps, each.boards)) for each in own))
    assert table["VP"] == sorted(table["VP"], reverse=True)
    assert (table["Rank"][0], table["Matches"]) == (1, [2] * 4)


@pytest.mark.parametrize("scale", ["wbf", "discrete", "imps", "bam"])
def test_the_scale_is_the_one_that_gives_the_points_in_the_file(scale: str) -> None:
    worth = {
        "wbf": tuple(victory_points([10, -10], 2).tolist()),
        "discrete": tuple(victory_points([10, -10], 2, scale="discrete").tolist()),
        "imps": (10, -10),
        "bam": (3, 1),
    }
    ranking = ranked(event(match(1, "1", "2", (GAME, DOWN), (PASS, PASS), points=worth[scale])))
    assert (ranking.scale, ranking.matches, ranking.agree) == (scale, 2, 2)


def test_points_that_no_scale_gives_are_said() -> None:
    ranking = ranked(event(match(1, "1", "2", (GAME, DOWN), points=(11, 9))))
    assert ranking.said() == "matches are scored by victory points, scale wbf, as the file has 0 of 2"


def test_an_adjusted_score_gives_each_team_its_own() -> None:
    """Law 86B: 3 IMPs to a side that gets 60 %, also to both."""
    each = played(event(match(1, "1", "2", (("A6060", "", ""), GAME), (GAME, DOWN))))
    assert [(one.team, one.imps, one.boards) for one in each] == [("Sharks", 15, 2), ("Dragons", -9, 2)]


@pytest.mark.parametrize("seed", range(8))
def test_matches_of_several_tables_by_plain_loops(seed: int) -> None:
    """Up to three tables each way, some missing: each against each in IMPs, all points together at board-a-match."""
    chance = random.Random(seed)
    teams = list(ROSTER)
    text = []
    for turn in range(1, 6):
        one, other = chance.sample(teams, 2)
        lines = {
            (way, board): [chance.choice((GAME, DOWN, PASS)) for _ in range(chance.randrange(4))]
            for way in ("NS", "EW")
            for board in range(1, 5)
        }
        boards = "".join(
            f"<BOARD><BOARD_NUMBER>{board}</BOARD_NUMBER>"
            + "".join(line(table, way) for way in ("NS", "EW") for table in lines[way, board])
            + "</BOARD>"
            for board in range(1, 5)
        )
        head = f"<ROUND_NUMBER>{turn}</ROUND_NUMBER><TEAM>{one}</TEAM><OPPOSING_TEAM>{other}</OPPOSING_TEAM>"
        text.append(f"<MATCH>{head}{boards}</MATCH>")
    source = event(*text)
    results, of = source.read(), source.matches
    assert of is not None
    at = [source.rows.index(row) for row in results.row.tolist()]
    for each in played(source):
        home: dict[int, list[float]] = {}
        away: dict[int, list[float]] = {}
        for result, place in enumerate(at):
            if of.round[place] == each.round and of.team[place, 0] >= 0:
                mine = of.names[of.team[place, 0]] == each.team
                board = int(results.board[result])
                (home if mine else away).setdefault(board, []).append(results.score[result])
        both = [(home[board], away[board]) for board in home.keys() & away.keys()]
        assert each.boards == len(both)
        worth = [mean(imp(int(own - theirs)) for own in ours for theirs in others) for ours, others in both]
        assert each.imps == pytest.approx(sum(worth))
        equal = [sum(ours) - sum(others) for ours, others in both if len(ours) == len(others)]
        assert each.points == sum(1 + (gain > 0) - (gain < 0) for gain in equal)


def test_a_board_with_one_table_does_not_count() -> None:
    text = match(1, "1", "2", (GAME, DOWN)).replace(line(DOWN, "EW"), "")
    with pytest.raises(SheetError, match="no teams are named"):
        ranked(event(text))


def test_no_player_of_a_roster_sits_in_all_four_seats() -> None:
    """A roster of four does not say who sat where: a team has a pair each way."""
    results = event(*TWO_ROUNDS).read()
    assert (results.players == -1).all()
    assert results.errors == ()
    assert set(partnerships(results).pair_names) == {
        f"{name} {way}" for name, _ in ROSTER.values() for way in ("NS", "EW")
    }


def test_pairs_in_a_roster_sit_where_their_numbers_are() -> None:
    """Every team may number its own pairs; DIRECTION is that of the match's first team."""
    roster = "".join(
        f'<TEAM TEAM_ID="{number}" TEAM_NAME="{name}">'
        + "".join(
            f"<PAIR><PAIR_NUMBER>{pair}</PAIR_NUMBER>{players(two)}</PAIR>"
            for pair, two in (("1", letters[:2]), ("2", letters[2:]))
        )
        + "</TEAM>"
        for number, (name, letters) in ROSTER.items()
    )
    text = match(1, "1", "2", (GAME, DOWN))
    text = text.replace(line(GAME, "NS"), line(GAME, "NS", ("1", "2"))).replace(
        line(DOWN, "EW"), line(DOWN, "EW", ("1", "2"))
    )
    results = event(text, roster=roster).read()
    named = [[results.names[who].removeprefix("Player ") for who in row] for row in results.players.tolist()]
    assert named == [["A", "G", "B", "H"], ["E", "C", "F", "D"]]


def test_victory_points_of_pairs_in_a_match_are_no_scores() -> None:
    """NS_SCORE of a match is not that of its boards."""
    boards = "".join(
        f"<BOARD><BOARD_NUMBER>{number}</BOARD_NUMBER>{line(table)}</BOARD>" for number, table in ((1, GAME), (2, DOWN))
    )
    text = "<MATCH><NS_PAIR_NUMBER>3</NS_PAIR_NUMBER><EW_PAIR_NUMBER>12</EW_PAIR_NUMBER><NS_SCORE>15</NS_SCORE>"
    source = read_source(f"<USEBIO><EVENT>{text}<EW_SCORE>5</EW_SCORE>{boards}</MATCH></EVENT></USEBIO>".encode())
    results = source.read()
    assert results.errors == () and results.remarks == ()
    assert source.matches is None
    assert not np.isnan(results.score).any()


def test_the_command_shows_teams_before_pairs_and_matches_if_asked(tmp_path: Path) -> None:
    path = tmp_path / "night.xml"
    body = "".join(TWO_ROUNDS)
    roster = "".join(
        f'<TEAM TEAM_ID="{n}" TEAM_NAME="{name}">{players(two)}</TEAM>' for n, (name, two) in ROSTER.items()
    )
    path.write_text(f"<USEBIO><EVENT><PARTICIPANTS>{roster}</PARTICIPANTS>{body}</EVENT></USEBIO>", "utf-8")
    shown = CliRunner().invoke(app, ["rank", str(path)])
    assert shown.exit_code == 0
    assert shown.stdout.index("Teams") < shown.stdout.index("Sharks") < shown.stdout.index("Sharks NS")
    asked = CliRunner().invoke(app, ["rank", str(path), "--teams"])
    assert "Matches" in asked.stdout and "Opponents" in asked.stdout
    listed = CliRunner().invoke(app, ["rank", str(path), "--teams", "--format", "csv", "--scale", "imps"])
    assert listed.stdout.splitlines()[0] == "Rank,Team,Matches,Won,Drawn,Lost,Boards,IMPs"


def test_teams_where_there_are_none_are_one_error(tmp_path: Path) -> None:
    path = tmp_path / "night.csv"
    path.write_text("Board,NS,EW,Contract,By,Tricks\n1,1,2,4S,N,10\n1,3,4,4S,N,9\n", "utf-8")
    done = CliRunner().invoke(app, ["rank", str(path), "--teams"])
    assert done.exit_code == 2
    assert "no teams are named in the results" in done.stderr


def test_a_report_has_the_teams_and_their_matches(tmp_path: Path) -> None:
    path, output = tmp_path / "night.xml", tmp_path / "night.xlsx"
    body = "".join(TWO_ROUNDS)
    path.write_text(f"<USEBIO><EVENT>{body}</EVENT></USEBIO>", "utf-8")
    done = CliRunner().invoke(app, ["rank", str(path), "--output", str(output)])
    assert done.exit_code == 0
    book = Workbook.open(output)
    assert {"Teams", "Matches"} <= set(book.sheet_names)
    cells = [cell for row in book.read("Teams").cells for cell in row]
    assert {"Team 1", "Team 2", "Team 3", "Team 4", "VP"} <= set(cells)
