"""Bridgemate's .bws files: the database under them, and what its records mean."""

from __future__ import annotations

import logging
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np
import pytest
from access_file import access_file

from valet_xl import read_results
from valet_xl.documents.access import read_tables
from valet_xl.engine.results import Results, Status
from valet_xl.errors import FileError
from valet_xl.reading import bridgemate
from valet_xl.reading.source import Source

pytest.importorskip("access_parser", reason="the extra bridgemate is not installed")

RECORD: dict[str, object] = {
    **{"ID": 1, "Section": 1, "Table": 1, "Round": 1, "Board": 1, "PairNS": 1, "PairEW": 2, "Declarer": 1},
    **{"NS/EW": "N", "Contract": "4 S", "Result": "=", "LeadCard": "H10", "Remarks": "", "Erased": False},
}
NUMBERED = ("Section", "Table", "Round", "Direction", "Number", "Name")
SEATED = ("Section", "Table", "Round", "NSPair", "EWPair")


def columns(names: Sequence[str], rows: Sequence[Sequence[object]]) -> dict[str, list[object]]:
    return {name: [row[at] for row in rows] for at, name in enumerate(names)}


def tables(
    *changes: Mapping[str, object], **others: Mapping[str, list[object]]
) -> dict[str, Mapping[str, list[object]]]:
    """ReceivedData with a record for each of these changes to the plainest one, and other tables."""
    records = [RECORD | {"ID": at} | change for at, change in enumerate(changes, start=1)]
    names = list(dict.fromkeys(name for record in records for name in record))
    return {"ReceivedData": {name: [record.get(name) for record in records] for name in names}, **others}


def source(*changes: Mapping[str, object], **others: Mapping[str, list[object]]) -> Source:
    return bridgemate.read_source(access_file(tables(*changes, **others)))


def read(*changes: Mapping[str, object], **others: Mapping[str, list[object]]) -> Results:
    return source(*changes, **others).read()


def sides(results: Results) -> list[list[str]]:
    return [[results.names[side] if side >= 0 else "" for side in row] for row in results.sides.tolist()]


def players(results: Results) -> list[list[str]]:
    return [[results.names[who] if who >= 0 else "" for who in row] for row in results.players.tolist()]


# -- the database

TABLE: dict[str, list[object]] = {
    "ID": list(range(300)),
    "Name": [f"Zoë {at}" if at % 3 else None for at in range(300)],
    "Plain": ["abc"] * 300,
    "Even": [at % 2 == 0 for at in range(300)],
    "Long": ["x" * (at % 250) for at in range(300)],
    "Last": ["q"] * 300,
}


@pytest.mark.parametrize("jet", [3, 4])
def test_rows_of_either_version_are_read(jet: int) -> None:
    """Also those over 256 bytes, which Jet 3 writes otherwise."""
    assert read_tables(access_file({"T": TABLE}, jet), {"T": list(TABLE)}) == {"T": TABLE}


def test_access_parser_reads_the_same_rows(tmp_path: Path) -> None:
    from access_parser import AccessParser

    logging.getLogger("access_parser").setLevel(logging.CRITICAL)
    path = tmp_path / "t.mdb"
    path.write_bytes(access_file({"T": TABLE}, jet=4))
    assert dict(AccessParser(str(path)).parse_table("T")) == TABLE


def test_the_sample_is_read_as_access_parser_reads_it(shared: Path) -> None:
    from access_parser import AccessParser

    logging.getLogger("access_parser").setLevel(logging.CRITICAL)
    path = shared / "data" / "formats" / "bridgemate.bws"
    database = AccessParser(str(path))
    wanted = {
        name: list(database.parse_table(name)) for name in ("ReceivedData", "RoundData", "PlayerNumbers", "Section")
    }
    compared = 0
    for name, rows in read_tables(path.read_bytes(), wanted).items():
        whole = database.parse_table(name)
        for column, values in rows.items():
            if column not in ("DateLog", "TimeLog"):  # dates are not read
                assert values == whole[column], (name, column)
                compared += len(values)
    assert compared == 297 * 21 + 99 * 8 + 44 * 8 + 10


def test_the_sample_s_results(shared: Path) -> None:
    results = read_results(shared / "data" / "formats" / "bridgemate.bws")
    assert len(results) == 297
    assert results.errors == ()
    assert len(results.boards) == 27
    assert np.bincount(results.board).tolist() == [11] * 27
    assert len(np.unique(results.sides)) == 22  # eleven pairs sit N-S, eleven E-W, under the same numbers
    assert len(np.unique(results.players)) == 44
    assert np.count_nonzero(results.status == Status.PASSED_OUT) == 2


def test_without_access_parser_the_error_names_the_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "access_parser", None)
    with pytest.raises(FileError, match=r"-m pip install access-parser==|uv pip install .*access-parser=="):
        source({})


# -- records


def test_a_record_is_a_result() -> None:
    got = source({}, {"Board": 2, "PairNS": 3, "Declarer": 2, "NS/EW": "W", "Contract": "1 NT x", "Result": "-1"})
    results = got.read()
    assert results.errors == ()
    assert results.score.tolist() == [420, 100]
    assert results.lead_rank.tolist() == [10, 10]
    assert results.row.tolist() == [1, 2]
    assert got.rows_are == "record ID"


def test_erased_records_are_left_out() -> None:
    results = read({"Erased": True, "Contract": "7 NT"}, {})
    assert results.row.tolist() == [2]
    assert results.errors == ()


@pytest.mark.parametrize(
    ("change", "status", "adjusted"),
    [
        ({"Contract": "PASS", "Result": "", "NS/EW": "", "Declarer": 0}, Status.PASSED_OUT, None),
        ({"Contract": "", "Result": "", "Remarks": "Not played"}, Status.UNPLAYED, None),
        ({"Contract": "", "Result": "", "NS/EW": "", "Declarer": 0}, Status.UNPLAYED, None),
        ({"Contract": "", "Result": "", "Remarks": "60%-40%"}, Status.ADJUSTED, [60, 40]),
        ({"Remarks": "40%-60%"}, Status.ADJUSTED, [40, 60]),
        ({"Contract": "", "Result": "", "Remarks": "Arbitral score"}, Status.ADJUSTED, None),
        ({"Remarks": "Late play"}, Status.PLAYED, None),
    ],
)
def test_remarks(change: dict[str, object], status: Status, adjusted: list[float] | None) -> None:
    results = read(change)
    assert results.errors == ()
    assert results.status.tolist() == [status]
    if adjusted is not None:
        assert results.adjusted[0].tolist() == adjusted


def test_a_remark_that_nobody_knows_does_not_pass_for_a_board_not_played() -> None:
    (error,) = read({"Contract": "", "Result": "", "Remarks": "Zu spät"}).errors
    assert (error.row, error.value) == (1, "Zu spät")


def test_pairs_who_sat_the_wrong_way_are_exchanged() -> None:
    results = read({"Remarks": "Wrong direction", "Declarer": 1})
    assert sides(results) == [["2", "1"]]
    assert results.errors == ()


def test_a_declarer_who_does_not_sit_there_is_an_error() -> None:
    others = [{"Board": board, "PairNS": 3} | {"Declarer": 3} for board in (2, 3, 4)]
    (error,) = read({"Declarer": 2}, *others).errors
    assert str(error) == "row 1, Declarer: '2' (expected 1, who sits N)"


def test_declarers_that_are_something_else_throughout_are_not_compared() -> None:
    assert read(*({"Board": board, "Declarer": 9} for board in (1, 2, 3))).errors == ()


def test_a_pair_number_of_nought_sits_out() -> None:
    assert sides(read({"PairEW": 0, "Contract": "", "Result": ""})) == [["1", ""]]


# -- who played

MITCHELL = columns(SEATED, [(1, 1, 1, 1, 1), (1, 2, 1, 2, 2), (1, 1, 2, 1, 2), (1, 2, 2, 2, 1)])
HOWELL = columns(SEATED, [(1, 1, 1, 1, 2), (1, 2, 1, 3, 4), (1, 1, 2, 3, 1), (1, 2, 2, 4, 2)])
FOUR = [(1, 1, 0, seat, "", f"{seat}-one") for seat in "NESW"]


def test_numbers_that_both_directions_have_are_two_pairs() -> None:
    results = read(
        {"PairEW": 1},
        {"Table": 2, "PairNS": 2, "Declarer": 2},
        RoundData=MITCHELL,
        PlayerNumbers=columns(NUMBERED, FOUR),
    )
    assert sides(results) == [["N-one - S-one", "E-one - W-one"], ["2 NS", "2 EW"]]
    assert players(results) == [["N-one", "E-one", "S-one", "W-one"], [""] * 4]


def test_a_pair_keeps_its_players_when_it_moves() -> None:
    """Pair 1 sits N-S first and E-W then."""
    moved = {"Board": 2, "Round": 2, "PairNS": 3, "PairEW": 1, "Declarer": 3}
    results = read({}, moved, RoundData=HOWELL, PlayerNumbers=columns(NUMBERED, FOUR))
    assert sides(results) == [["N-one - S-one", "E-one - W-one"], ["3", "N-one - S-one"]]
    assert players(results)[1] == ["", "N-one", "", "S-one"]


def test_a_substitute_plays_from_the_round_on_in_which_he_was_entered() -> None:
    entered = columns(NUMBERED, [*FOUR, (1, 1, 2, "W", "", "Sub")])
    results = read(
        {}, {"Board": 2, "Round": 2, "PairNS": 3, "PairEW": 1, "Declarer": 3}, RoundData=HOWELL, PlayerNumbers=entered
    )
    assert players(results) == [["N-one", "E-one", "S-one", "W-one"], ["", "N-one", "", "Sub"]]
    assert sides(results)[0][0] == sides(results)[1][1] == "N-one - S-one - Sub"  # it is one pair


def test_names_come_from_the_list_of_members_where_only_numbers_were_entered() -> None:
    entered = columns(NUMBERED, [(1, 1, 0, "N", "17", ""), (1, 1, 0, "S", "0018", None)])
    listed = {"ID": [17, 5], "strID": ["17", "0018"], "Name": ["Åsa Öberg", "Bo Ek"]}
    assert players(read({}, RoundData=HOWELL, PlayerNumbers=entered, PlayerNames=listed))[0] == [
        "Åsa Öberg",
        "",
        "Bo Ek",
        "",
    ]


def test_sections_have_pairs_of_their_own_and_the_same_deals() -> None:
    sections = {"ID": [1, 2], "Letter": ["A  ", "B  "], "Session": [1, 1]}
    results = read({}, {"Section": 2}, Section=sections)
    assert sides(results) == [["A 1", "A 2"], ["B 1", "B 2"]]
    assert len(results.boards) == 1


def test_sections_of_two_sessions_play_two_deals() -> None:
    sections = {"ID": [1, 2], "Letter": ["A  ", "B  "], "Session": [1, 2]}
    got = source({}, {"Section": 2}, Section=sections)
    assert got.events == 2
    assert got.read().boards == (("1 1", "1"), ("2 1", "1"))


def test_in_an_individual_all_four_have_numbers() -> None:
    seated = columns((*SEATED, "South", "West"), [(1, 1, 1, 1, 2, 3, 4), (1, 1, 2, 3, 1, 2, 4)])
    alone = {"South": 3, "West": 4}
    again = {"Board": 2, "Round": 2, "PairNS": 3, "PairEW": 1, "South": 2, "West": 4, "Declarer": 2, "NS/EW": "S"}
    results = read(alone, again, RoundData=seated, PlayerNumbers=columns(NUMBERED, FOUR))
    assert results.errors == ()
    assert players(results) == [["N-one", "E-one", "S-one", "W-one"], ["S-one", "N-one", "E-one", "W-one"]]
    assert sides(results)[1] == ["E-one - S-one", "N-one - W-one"]


# -- refusals


@pytest.mark.parametrize(
    ("made", "message"),
    [
        ({"Other": {"ID": [1]}}, "not a file of Bridgemate results: its table ReceivedData has no Section"),
        ({"ReceivedData": {"ID": [1], "Section": [1]}}, "its table ReceivedData has no Table, Round, Board"),
        (tables({"Erased": True}), "no results: the table ReceivedData has 1 record, none but erased"),
    ],
)
def test_other_databases_are_refused(made: dict[str, Mapping[str, list[object]]], message: str) -> None:
    with pytest.raises(FileError, match=message):
        bridgemate.read_source(access_file(made))
