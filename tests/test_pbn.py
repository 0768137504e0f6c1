"""PBN: score tables whose widths cannot be trusted, games with a result of their own, and files of deals alone."""

from __future__ import annotations

from pathlib import Path

import pytest

from valet_xl import read_results
from valet_xl.engine.results import Results, Status
from valet_xl.errors import FileError
from valet_xl.reading import pbn
from valet_xl.reading.source import Source

HEADING = (
    r"Table\2R;PairId_NS\3L;PairId_EW\3L;Names_NS\10L;Names_EW\10L;"
    r"Contract\3L;Declarer\1L;Result\2R;Lead\2L;Score_NS\5R"
)


def table(*rows: str, heading: str = HEADING, board: int = 1, tags: str = "") -> str:
    lines = "\n".join(rows)
    return f'[Event "Club night"]\n[Board "{board}"]\n{tags}[ScoreTable "{heading}"]\n{lines}\n\n'


def source(*games: str) -> Source:
    return pbn.read_source("% PBN 2.1\n" + "".join(games))


def read(*games: str) -> Results:
    return source(*games).read()


def names(results: Results, of: object) -> list[list[str]]:
    return [[results.names[who] if who >= 0 else "" for who in row] for row in of.tolist()]


def test_rows_are_taken_apart_at_quotes_whatever_widths_are_declared() -> None:
    results = read(
        table(
            ' 1 1 11 "Ann Alm & Bo Ek" "Cy Dahl; Di Öst" 4SX N 10 SA 590',
            '12 2 12 "A very long name indeed - \\"Bob\\"" - 3NT E 8 - 50',
        )
    )
    assert results.errors == ()
    assert results.score.tolist() == [590, 50]
    assert results.row.tolist() == [5, 6]
    assert results.lead_suit.tolist() == [3, -1]
    assert names(results, results.players)[0] == ["Ann Alm", "Cy Dahl", "Bo Ek", "Di Öst"]
    assert names(results, results.sides)[0] == ["Ann Alm - Bo Ek", "Cy Dahl - Di Öst"]
    assert names(results, results.sides)[1] == ['"Bob" - A very long name indeed', "12"]


@pytest.mark.parametrize("row", ['1 1 11 "Ann 4S N 10 - 420', "1 1 11 4S N 10", "1 1 11 a b 4S N 10 - 420 more", '"'])
def test_a_row_with_another_number_of_words_is_one_error(row: str) -> None:
    results = read(table("1 1 11 - - 4S N 10 - 420", row))
    (error,) = results.errors
    assert (error.row, error.value) == (6, row)
    assert results.spoiled.tolist() == [True]


def test_pass_outs_boards_not_played_and_artificial_scores() -> None:
    heading = "PairId_NS;PairId_EW;Contract;Declarer;Result;Score_NS;Percentage_NS;Percentage_EW"
    rows = ("1 2 Pass - - 0 - -", "3 4 - - - - - -", "5 6 - - - - 60 40.0", "7 8 - - - A5040 - -")
    results = read(table(*rows, heading=heading))
    assert results.errors == ()
    assert results.status.tolist() == [Status.PASSED_OUT, Status.UNPLAYED, Status.ADJUSTED, Status.ADJUSTED]
    assert results.adjusted[2:].tolist() == [[60, 40], [50, 40]]


def test_a_row_that_stands_for_several_results() -> None:
    results = read(table("4S N 10 3", "4S N 9 1", heading="Contract;Declarer;Result;Multiplicity"))
    assert results.score.tolist() == [420, 420, 420, -50]
    assert results.row.tolist() == [5, 5, 5, 6]


def test_a_row_that_stands_for_too_many_results_is_an_error() -> None:
    (error,) = read(table("4S N 10 99999", heading="Contract;Declarer;Result;Multiplicity")).errors
    assert (error.column, error.value) == ("Multiplicity", "99999")


def test_vulnerability_is_what_the_game_says() -> None:
    row, heading = "4S N 9", "Contract;Declarer;Result"
    games = [table(row, heading=heading, tags=f'[Vulnerable "{said}"]\n') for said in ("All", "-", "?")]
    assert [read(game).score[0] for game in games] == [-100, -50, -50]


def test_names_come_from_the_table_of_totals() -> None:
    totals = '[TotalScoreTable "Rank;PairId;Names;TotalMP"]\n1 A7 "Ann - Bo" 12.5\n2 A8 "Cy - Di" 9\n'
    results = read(totals, table("A7 A8 4S N 10", heading="PairId_NS;PairId_EW;Contract;Declarer;Result"))
    assert names(results, results.sides) == [["Ann - Bo", "Cy - Di"]]
    assert names(results, results.players) == [["Ann", "Cy", "Bo", "Di"]]


def test_numbers_that_sit_both_ways_are_two_pairs_each() -> None:
    heading = "PairId_NS;PairId_EW;Names_NS;Names_EW;Contract;Declarer;Result"
    results = read(table('1 2 "a - b" "c - d" 4S N 10', '2 1 "e - f" "g - h" 4S N 9', heading=heading))
    assert names(results, results.sides) == [["a - b", "c - d"], ["e - f", "g - h"]]
    assert results.errors == ()


def test_games_with_results_of_their_own() -> None:
    open_room, closed_room = (
        f'[Event "Final"]\n[Board "7"]\n[North "{north}"]\n[East "E of {north}"]\n[South "South"] [West "West"]\n'
        f'[Declarer "{declarer}"]\n[Contract "4SX"]\n[Result "{result}"]\n[Play "{leader}"]\nH4 HA H2 H3\n'
        for north, declarer, result, leader in (("Ann", "N", "10", "E"), ("Al", "^W", "EW 9", "N"))
    )
    results = read(open_room, "; a comment\n", closed_room, '[Note "1:x"]\n')
    assert results.errors == ()
    assert results.score.tolist() == [790, 200]  # board 7: both are vulnerable
    assert results.lead_suit.tolist() == [2, 2]
    assert results.row.tolist() == [8, 19]
    assert len(results.boards) == 1
    assert names(results, results.players)[1] == ["Al", "E of Al", "South", "West"]


def test_what_a_game_leaves_to_the_game_before() -> None:
    first = '[Event "Final"]\n[Board "1"]\n[Vulnerable "All"]\n[Declarer "N"]\n[Contract "4S"]\n[Result "9"]\n'
    second = '[Event "#"]\n[Board "#"]\n[Vulnerable "#"]\n[Declarer "S"]\n[Contract "4S"]\n[Result "8"]\n'
    results = read(first, second)
    assert results.score.tolist() == [-100, -200]
    assert len(results.boards) == 1


def test_games_of_two_events_are_other_deals() -> None:
    first, second = (
        f'[Event "{name}"]\n[Board "1"]\n[Declarer "N"]\n[Contract "4S"]\n[Result "9"]\n' for name in ("One", "Two")
    )
    got = source(first, second)
    assert got.events == 2
    assert got.read().boards == (("One", "1"), ("Two", "1"))


def test_comments_are_passed_over() -> None:
    text = table("4S N 10", "{ not", "a row } 3S N 9", "% nor this", "; nor this", heading="Contract;Declarer;Result")
    assert read(text).score.tolist() == [420, 140]


def test_a_file_of_deals_is_refused(shared: Path) -> None:
    with pytest.raises(FileError, match="no results: 36 deals without a score table or a result"):
        read_results(shared / "data" / "formats" / "handrecord.pbn")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('[Event "Club night]\n[Board "1"]\n', r"line 2: a quote that does not end \(\[Name \"value\"\] expected\)"),
        ("[Event Club]\n", "line 2: '.Event Club.' is no tag"),
        ("{ a comment\n\n", "line 2: a comment that does not end"),
        ('[Board "1"]\n[Deal "N:..."]\n', "no results: 1 deal without a score table or a result"),
        ("", "no results: there are no games in the file"),
    ],
)
def test_what_cannot_be_used_is_refused(text: str, message: str) -> None:
    with pytest.raises(FileError, match=message):
        source(text)


def test_games_without_a_contract_are_counted() -> None:
    results = read(table("1 1 11 - - 4S N 10 - 420"), '[Board "2"]\n\n', '[Board "3"]\n[Contract "?"]\n\n')
    assert len(results) == 1
    assert results.remarks[0] == "2 games without a contract or a score table"
