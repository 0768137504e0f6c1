"""USEBIO: what a file says, and that its published points are reproduced, traveller line by traveller line."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from valet_xl import butler, cross_imps, datum, matchpoints, read_results
from valet_xl.engine.options import Options
from valet_xl.engine.results import Results, Status
from valet_xl.errors import FileError
from valet_xl.reading import usebio
from valet_xl.reading.files import read_content
from valet_xl.reading.source import Source


def line(ns: str = "1", ew: str = "2", contract: str = "4S", by: str = "N", tricks: str = "10", more: str = "") -> str:
    return (
        f"<TRAVELLER_LINE>\n<NS_PAIR_NUMBER>{ns}</NS_PAIR_NUMBER><EW_PAIR_NUMBER>{ew}</EW_PAIR_NUMBER>"
        f"<CONTRACT>{contract}</CONTRACT><PLAYED_BY>{by}</PLAYED_BY><TRICKS>{tricks}</TRICKS>{more}</TRAVELLER_LINE>\n"
    )


def board(number: int | str, *lines: str) -> str:
    return f"<BOARD><BOARD_NUMBER>{number}</BOARD_NUMBER>\n{''.join(lines)}</BOARD>\n"


def pair(number: str, *names: str, direction: str = "", ids: tuple[str, ...] = ("", "", "")) -> str:
    players = "".join(
        f"<PLAYER><PLAYER_NAME>{name}</PLAYER_NAME><NATIONAL_ID_NUMBER>{number}</NATIONAL_ID_NUMBER></PLAYER>"
        for name, number in zip(names, ids, strict=False)
    )
    return f"<PAIR><PAIR_NUMBER>{number}</PAIR_NUMBER><DIRECTION>{direction}</DIRECTION>{players}</PAIR>\n"


def event(*parts: str, name: str = "Club night") -> str:
    return f"<EVENT><EVENT_DESCRIPTION>{name}</EVENT_DESCRIPTION>\n{''.join(parts)}</EVENT>\n"


def source(*events: str) -> Source:
    return usebio.read_source(f"<USEBIO>\n{''.join(events)}</USEBIO>".encode())


def read(*events: str) -> Results:
    return source(*events).read()


def sides(results: Results) -> list[list[str]]:
    return [[results.names[side] if side >= 0 else "" for side in row] for row in results.sides.tolist()]


def players(results: Results) -> list[list[str]]:
    return [[results.names[who] if who >= 0 else "" for who in row] for row in results.players.tolist()]


# -- the samples' published points


@pytest.fixture(scope="session")
def samples(shared: Path) -> Path:
    return shared / "data" / "formats"


def sample(path: Path) -> tuple[Source, Results, np.ndarray]:
    """A sample file's rows and results, and the N-S scores that it gives itself, NaN where it gives none in points."""
    content = read_content(path, None, None, Options())
    given = [str(score) for score in content.source.fields["score"]]
    scores = np.array([float(score) if score.lstrip("-").isdigit() else np.nan for score in given])
    return content.source, content.results, scores


def test_butler_points_of_every_line(samples: Path) -> None:
    """The datum leaves out the highest and the lowest score and goes to the nearest 10; an average gets 0 IMPs."""
    given, results, scores = sample(samples / "usebio_butler_mitchell.xml")
    assert results.errors == ()
    np.testing.assert_array_equal(results.score, scores)
    assert np.count_nonzero(~np.isnan(scores)) == 244
    datums = datum(results.score, rule="trimmed", leave_out=1, rounding="nearest", boards=results.board)
    played = ~np.isnan(datums)
    assert np.count_nonzero(datums[played] == given.published["datum"][played]) == 244
    assert len(np.unique(results.board)) == 35
    points = butler(results.score, rule="trimmed", leave_out=1, rounding="nearest", boards=results.board)
    assert results.adjusted[results.status == Status.ADJUSTED].tolist() == [[50, 50]]
    points[results.status == Status.ADJUSTED] = 0
    assert np.count_nonzero(points == given.published["butler"][:, 0]) == 245
    assert np.count_nonzero(-points == given.published["butler"][:, 1]) == 245


def test_cross_imps_of_every_line(samples: Path) -> None:
    """An average per comparison, to two decimals."""
    given, results, scores = sample(samples / "usebio_cross_imp_howell.xml")
    assert np.count_nonzero(results.score == scores) == 108
    points = cross_imps(results.score, boards=results.board)
    published = given.published["cross_imps"]
    assert np.count_nonzero(np.abs(points - published[:, 0]) < 0.005 + 1e-9) == 108
    assert np.count_nonzero(published[:, 0] == -published[:, 1]) == 108


def test_matchpoints_of_every_line(samples: Path) -> None:
    given, results, scores = sample(samples / "usebio_mp_pairs_mitchell.xml")
    assert np.count_nonzero(results.score == scores) == 512
    points = matchpoints(results.score, boards=results.board)
    tops = 2 * (np.bincount(results.board)[results.board] - 1)
    assert np.count_nonzero(points == given.published["matchpoints"][:, 0]) == 512
    assert np.count_nonzero(tops - points == given.published["matchpoints"][:, 1]) == 512


def test_the_samples_pairs_and_players(samples: Path) -> None:
    results = read_results(samples / "usebio_butler_mitchell.xml")
    assert sides(results)[0] == ["PLAYER 001 - PLAYER 002", "PLAYER 003 - PLAYER 004"]
    assert players(results)[0] == ["PLAYER 001", "PLAYER 003", "PLAYER 002", "PLAYER 004"]
    assert results.row[0] == 281  # the line of the first TRAVELLER_LINE


# -- lines


def test_a_line_is_a_result_in_the_line_of_the_file_where_it_begins() -> None:
    results = read(event(board(1, line(more="<LEAD>TC</LEAD>"), line("3", "4", tricks="9"))))
    assert results.errors == ()
    assert results.score.tolist() == [420, -50]
    assert (results.lead_suit[0], results.lead_rank[0]) == (0, 10)
    assert results.row.tolist() == [4, 6]


def test_lines_that_stand_in_one_line_of_the_file_are_counted() -> None:
    got = usebio.read_source(f"<USEBIO>{event(board(1, line(), line('3', '4')))}</USEBIO>".replace("\n", "").encode())
    assert list(got.rows) == [1, 2]
    assert got.rows_are == "traveller line"


@pytest.mark.parametrize(
    ("written", "status", "adjusted"),
    [
        (line(contract="PASS", by="N", tricks="", more="<SCORE>0</SCORE>"), Status.PASSED_OUT, None),
        (line(contract="", by="", tricks="", more="<SCORE>A6040</SCORE>"), Status.ADJUSTED, [60, 40]),
        (line(contract="", by="", tricks="", more="<SCORE>A5050</SCORE>"), Status.ADJUSTED, [50, 50]),
        (
            line(contract="", by="", tricks="", more="<NS_SCORE>60%</NS_SCORE><EW_SCORE>30%</EW_SCORE>"),
            Status.ADJUSTED,
            [60, 30],
        ),
        (line(contract="", by="", tricks=""), Status.UNPLAYED, None),
        ("<TRAVELLER_LINE/>", Status.UNPLAYED, None),
    ],
)
def test_lines_without_a_played_contract(written: str, status: Status, adjusted: list[float] | None) -> None:
    results = read(event(board(1, line("3", "4"), written)))
    assert results.errors == ()
    assert results.status.tolist() == [Status.PLAYED, status]
    if adjusted is not None:
        assert results.adjusted[1].tolist() == adjusted


def test_a_line_that_cannot_be_read_is_one_error_and_spoils_its_board_alone() -> None:
    results = read(event(board(1, line(contract="8S")), board(2, line())))
    assert [str(error) for error in results.errors] == ["row 4, CONTRACT: '8S' (level must be 1-7)"]
    assert results.spoiled.tolist() == [True, False]


def test_a_pair_of_nought_sits_out() -> None:
    assert sides(read(event(board(1, line("1", "0", "", "", "")))))[0] == ["1", ""]


def test_names_of_any_script_entities_and_namespaces() -> None:
    pairs = pair("1", "Ægir Łoś", "山田 &amp; 太郎") + pair("2", "Николай", "מרים")
    text = f'<b:USEBIO xmlns:b="urn:x">{event(pairs, board(1, line()))}</b:USEBIO>'
    results = usebio.read_source(text.encode()).read()
    assert players(results) == [["Ægir Łoś", "Николай", "山田 & 太郎", "מרים"]]


@pytest.mark.parametrize(
    ("encoding", "declared", "said"),
    [
        ("utf-8", "utf-8", "UTF-8"),
        ("utf-8-sig", "utf-8", "UTF-8"),
        ("utf-16", "utf-16", "UTF-16"),
        ("utf-16-le", "utf-16", "UTF-16"),
        ("cp1252", "windows-1252", "WINDOWS-1252"),
        ("cp1252", "utf-8", "Windows-1252"),  # the declaration is wrong
        ("cp1250", "windows-1250", "WINDOWS-1250"),
        ("utf-8", "iso-8859-1", "UTF-8"),  # the declaration is wrong
    ],
)
def test_encodings_are_found_out_and_said(tmp_path: Path, encoding: str, declared: str, said: str) -> None:
    name = "Łoś" if encoding == "cp1250" else "Zoë Ångström"
    body = f"<USEBIO>{event(pair('1', name, 'Bo'), board(1, line()))}</USEBIO>"
    text = f'<?xml version="1.0" encoding="{declared}"?>\n{body}'
    path = tmp_path / "night.xml"
    path.write_bytes(text.encode(encoding))
    content = read_content(path, None, None, Options())
    assert content.source.encoding == said
    assert players(content.results)[0][0] == name


# -- pairs


def test_one_number_in_both_directions_is_two_pairs() -> None:
    named = pair("1", "Ann", "Bo", direction="NS") + pair("1", "Cy", "Di", direction="EW")
    results = read(event(named, board(1, line("1", "1"), line("2", "2"))))
    assert sides(results) == [["Ann - Bo", "Cy - Di"], ["2 NS", "2 EW"]]
    assert players(results)[0] == ["Ann", "Cy", "Bo", "Di"]


def test_sections_play_the_same_deals_with_pairs_of_their_own() -> None:
    parts = [f'<SECTION SECTION_ID="{letter}">{board(1, line())}</SECTION>' for letter in "AB"]
    results = read(event(*parts))
    assert len(results.boards) == 1
    assert sides(results) == [["A 1", "A 2"], ["B 1", "B 2"]]


def test_boards_of_another_event_are_other_deals_and_pairs_are_known_by_their_players() -> None:
    named = pair("1", "Ann", "Bo") + pair("2", "Cy", "")
    moved = pair("1", "Cy", "Di") + pair("2", "Bo", "Ann")
    got = source(event(named, board(1, line()), name="One"), event(moved, board(1, line()), name="Two"))
    results = got.read()
    assert got.events == 2
    assert results.boards == (("One", "1"), ("Two", "1"))
    assert sides(results) == [["Ann - Bo", "Cy"], ["Cy - Di", "Ann - Bo"]]
    assert results.sides[0, 0] == results.sides[1, 1]


def test_two_events_of_one_name_are_two() -> None:
    assert len(read(event(board(1, line())), event(board(1, line()))).boards) == 2


def test_sessions_have_deals_of_their_own() -> None:
    assert len(read(event(*(f"<SESSION>{board(1, line())}</SESSION>" for _ in "12"))).boards) == 2


def test_of_three_players_nobody_knows_who_played() -> None:
    results = read(event(pair("1", "Ann", "Bo", "Cy"), board(1, line())))
    assert players(results) == [[""] * 4]
    assert sides(results) == [["Ann - Bo - Cy", "2"]]


def test_a_player_whose_name_is_missing_is_nobody() -> None:
    results = read(event(pair("1", "Ann", ""), board(1, line())))
    assert players(results) == [["Ann", "", "", ""]]
    assert sides(results) == [["Ann", "2"]]


def test_a_number_of_a_federation_tells_namesakes_apart() -> None:
    named = pair("1", "Wang Wei", "Li Na", ids=("17", "18")) + pair("2", "Wang Wei", "Li Na", ids=("19", "18"))
    results = read(event(named, board(1, line())))
    north, east, south, west = results.players[0].tolist()
    assert north != east and south == west
    assert players(results) == [["Wang Wei", "Wang Wei", "Li Na", "Li Na"]]


def test_a_number_that_comes_with_several_names_tells_nobody_apart() -> None:
    named = pair("1", "Ann", "Bo", ids=("9", "9"))
    assert players(read(event(named, board(1, line()))))[0] == ["Ann", "", "Bo", ""]


def test_an_individual_names_four_players() -> None:
    numbers = "".join(f"<{seat}_PLAYER_NUMBER>{at}</{seat}_PLAYER_NUMBER>" for at, seat in enumerate("NESW", start=1))
    entered = "".join(
        f"<PLAYER><PLAYER_NUMBER>{at}</PLAYER_NUMBER><PLAYER_NAME>{name}</PLAYER_NAME></PLAYER>"
        for at, name in enumerate(("Ann", "Bo", "Cy"), start=1)
    )
    results = read(event(entered, board(1, line("", "", more=numbers))))
    assert players(results) == [["Ann", "Bo", "Cy", "4"]]


def test_a_match_names_the_pairs_of_all_its_boards() -> None:
    bare = line().replace("<NS_PAIR_NUMBER>1</NS_PAIR_NUMBER><EW_PAIR_NUMBER>2</EW_PAIR_NUMBER>", "")
    who = "<NS_PAIR_NUMBER>5</NS_PAIR_NUMBER><EW_PAIR_NUMBER>6</EW_PAIR_NUMBER>"
    results = read(event(f"<MATCH><ROUND_NUMBER>1</ROUND_NUMBER>{who}{board(1, bare)}{board(2, bare)}</MATCH>"))
    assert sides(results) == [["5", "6"]] * 2


# -- refusals


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("<html><body/></html>", "not a USEBIO file: its first element is 'html'"),
        ("<USEBIO><EVENT></USEBIO>", "not a whole XML file: line 1, mismatched tag"),
        ("<USEBIO>", "not a whole XML file: line 1, no element found"),
        ("<USEBIO/>", "no results: the USEBIO file has no TRAVELLER_LINE"),
        ('<!DOCTYPE U [<!ENTITY a "b">]><USEBIO/>', "line 1: the file defines entities of its own"),
        ("<USEBIO>" + "<A>" * 100, "more than 50 elements inside each other"),
        (f"<USEBIO><A>{'x' * 10_000_000}</A></USEBIO>", "a text of more than 10,000 characters"),
    ],
)
def test_what_is_no_usebio_is_refused(text: str, message: str) -> None:
    with pytest.raises(FileError, match=message):
        usebio.read_source(text.encode())
