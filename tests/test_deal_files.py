"""Files with deals: read in each format, put beside the boards of results, and what does not fit is said."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from valet_xl.deals.cards import deal_of, deal_text, hands_text
from valet_xl.errors import FileError, NotationError
from valet_xl.reading.deals import deals_for, place_deals, read_deals
from valet_xl.reading.files import read_results

ONE = "N:AK32.AK3.AK3.AK3 QJT9.QJT9.QJT9.Q 876.87.8765.JT98 54.6542.42.76542"
TWO = "E:AKQJT98765432... .AKQJT98765432.. ..AKQJT98765432. ...AKQJT98765432"
LIN_ONE = "3S876H87D8765CJT98,S54H6542D42C76542,SAK32HAK3DAK3CAK3,"


def owner(text: str) -> list[int]:
    return deal_of(text).tolist()


def write(folder: Path, name: str, text: str) -> Path:
    path = folder / name
    path.write_text(text, encoding="utf-8")
    return path


def results_file(folder: Path, rows: str = "1,3NT,N,10,HQ\n2,4S,E,13,\n") -> Path:
    return write(folder, "results.csv", "Board,Contract,By,Tricks,Lead\n" + rows)


# -- one deal


@pytest.mark.parametrize(
    "text",
    [
        ONE,
        ONE.replace("T", "10"),
        ONE.lower(),
        "E:QJT9.QJT9.QJT9.Q 876.87.8765.JT98 54.6542.42.76542 AK32.AK3.AK3.AK3",
        ONE.rpartition(" ")[0],
        ONE.rpartition(" ")[0] + " -",
        LIN_ONE,
        LIN_ONE.removeprefix("3"),
        LIN_ONE + "SQJT9HQJT9DQJT9CQ",
        "1" + LIN_ONE[1:].replace("T", "10"),
    ],
)
def test_spellings_of_a_deal(text: str) -> None:
    assert owner(text) == owner(ONE)


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", "expected such as N:AK2"),
        ("420", "expected such as N:AK2"),
        ("N:AK32.AK3.AK3.AK3", "1 hand; expected such as N:"),
        (ONE.replace("AK32.", "AK3Z."), "'Z' is no card; expected A K Q J T 9 to 2"),
        (ONE.replace("AK32.AK3", "AK32.AKQ"), "HQ is there twice; expected each card once"),
        (ONE.replace("AK32.", "AK3."), "N has 12 cards; expected 13 in each hand"),
        (ONE.replace("AK32.AK3.AK3.AK3", "AK32.AK3.AK3AK3"), "has 3 suits; expected four between dots"),
        ("N:- - AK32.AK3.AK3.AK3 QJT9.QJT9.QJT9.Q", "N has 0 cards; expected 13 in each hand"),
        (LIN_ONE.replace("HAK3", "XAK3"), "'X' is no card"),
        (LIN_ONE + ",,,,", "8 hands; expected hands of South"),
        ("1SAKSQJ,SQ,S2,", "expected each suit behind its letter"),
    ],
)
def test_a_wrong_deal_says_what_was_expected(text: str, reason: str) -> None:
    with pytest.raises(NotationError) as caught:
        deal_of(text)
    assert reason in str(caught.value)


def test_deals_are_written_and_read_again() -> None:
    random = np.random.default_rng(2)
    for _ in range(20):
        cards = random.permutation(np.repeat(np.arange(4), 13)).astype(np.uint8)
        assert deal_of(deal_text(cards)).tolist() == cards.tolist()


# -- files in each format

PBN = f'% PBN 2.1\n[Board "1"]\n[Deal "{ONE}"]\n\n[Board "2"]\n[Deal "{TWO}"]\n'
LIN = f"qx|o1|pn|s,w,n,e|md|{LIN_ONE}|sv|o|mb|p|mb|1C|mb|p|mb|p|mb|p|pc|HQ|mc|10|\nqx|o2|md|{LIN_ONE}|mb|p|"
EXTRACTED = (
    "#BoardCount,1\n#ScoringType,MATCH_POINTS\n#TravellerLines\n"
    "#Board,North,South,East,West,Result,Contract,Declarer,Tricks,Lead,Score,Percent,playdata,tdate\n"
    f'1,ann,bob,cy,dot,3N=,3NT,N,9,HQ,400,50,"pn|a|md|{LIN_ONE}|sv|o|",x\n'
    f'1,eve,fay,gus,hal,A==,,,,,A5050,50,"pn|a|md|{LIN_ONE}|sv|o|",x\n'
)


def hand(text: str) -> dict[str, list[str]]:
    return dict(
        zip("SHDC", ([("10" if card == "T" else card) for card in suit] for suit in text.split(".")), strict=True)
    )


def live() -> dict[str, object]:
    """What acbl-live-fetch writes, with made-up players."""
    deal = dict(zip("NESW", map(hand, ONE[2:].split()), strict=True))
    pairs = [{"number": 3, "players": [{"name": "Ann A"}, {"name": "Bob B"}]}, {"number": 4, "players": []}]
    results = [
        {"contract": "3NT", "declarer": "N", "tricks": 10, "score": 430, "ns_pair": pairs[0], "ew_pair": pairs[1]},
        {"contract": "PASS", "declarer": None, "tricks": None, "score": 0},
        {"contract": None, "declarer": None, "tricks": None, "score": None},
    ]
    board = {"number": 1, "section": "A", "vulnerability": "None", "deal": deal, "results": results}
    event = {"name": "Pairs", "date": "2026-01-02", "scoring": "matchpoints"}
    session = {"session_number": 1, "boards": [board]}
    return {"schema_version": "1.0", "tournaments": [{"events": [{**event, "sessions": [session]}]}]}


def club() -> dict[str, object]:
    """What is on the page of a club, with made-up players."""
    record: dict[str, object] = {"board": 1}
    for seat, cards in zip(("north", "east", "south", "west"), ONE[2:].split(), strict=True):
        for suit, held in zip(("spades", "hearts", "diamonds", "clubs"), cards.split("."), strict=True):
            record[f"{seat}_{suit}"] = " ".join(held.replace("T", "t").replace("t", "10 ").split()) if held else "-----"
            record[f"{seat}_{suit}"] = " ".join("10" if card == "T" else card for card in held) or "-----"
    result = {"contract": "3 NT", "declarer": "N", "tricks_taken": "10", "opening_lead": "", "ns_score": "430"}
    result |= {"ns_pair": "1", "ew_pair": "2", "table_number": 1, "round_number": 1}
    out = {"contract": "", "declarer": "", "tricks_taken": "", "ns_score": "PASS", "ns_pair": "2", "ew_pair": "1"}
    names = [{"name": "Axe, Ann"}, {"name": "Bow, Bob"}]
    pairs = [{"pair_number": "1", "direction": "NS", "players": names}]
    section = {"name": "A", "pair_summaries": pairs, "boards": [{"board_number": 1, "board_results": [result, out]}]}
    session = {"number": 1, "hand_records": [record], "sections": [section]}
    return {"name": "Monday", "board_scoring_method": "MATCH_POINTS", "sessions": [session]}


def usebio(hands: str = ONE) -> str:
    def each(seat: str, cards: str) -> str:
        suits = zip(("SPADES", "HEARTS", "DIAMONDS", "CLUBS"), cards.split("."), strict=True)
        return (
            f"<HAND><DIRECTION>{seat}</DIRECTION>{''.join(f'<{name}>{held}</{name}>' for name, held in suits)}</HAND>"
        )

    four = "".join(map(each, ("North", "East", "South", "West"), hands[2:].split()))
    line = "<CONTRACT>3NT</CONTRACT><PLAYED_BY>N</PLAYED_BY><TRICKS>10</TRICKS>"
    board = f"<BOARD><BOARD_NUMBER>1</BOARD_NUMBER><TRAVELLER_LINE>{line}</TRAVELLER_LINE></BOARD>"
    records = f"<HANDSET>\n<BOARD><BOARD_NUMBER>1</BOARD_NUMBER>{four}</BOARD></HANDSET>"
    return f"<USEBIO><EVENT EVENT_TYPE='MP_PAIRS'>{board}</EVENT>\n{records}</USEBIO>"


SHEET = f"Board,Deal\n1,{ONE}\n2,{TWO}\n"
FILES = {
    "deals.pbn": PBN,
    "deals.lin": LIN,
    "deals.csv": EXTRACTED,
    "sheet.csv": SHEET,
    "live.json": json.dumps(live()),
    "club.json": json.dumps(club()),
    "deals.xml": usebio(),
}


@pytest.mark.parametrize("name", FILES)
def test_every_format_gives_the_deal_of_its_board(tmp_path: Path, name: str) -> None:
    results = read_results(results_file(tmp_path))
    placed = deals_for(write(tmp_path, name, FILES[name]), None, results)
    assert placed.owners[0].tolist() == owner(ONE)
    assert not placed.errors and not placed.remarks


@pytest.mark.parametrize(
    ("name", "board", "contracts", "tricks"),
    [
        ("deals.lin", "1", [(1, 0, 1)], [10]),
        ("deals.csv", "1", [(3, 4, 0), (0, 0, 0)], [9, 0]),
        ("live.json", "1", [(3, 4, 0), (0, 0, 0), (0, 0, 0)], [10, 0, 0]),
        ("club.json", "1", [(3, 4, 0), (0, 0, 0)], [10, 0]),
    ],
)
def test_results_come_with_the_deals(
    tmp_path: Path, name: str, board: str, contracts: list[tuple[int, int, int]], tricks: list[int]
) -> None:
    """A file of results with cards is read as results too; the deal is in a column Deal."""
    results = read_results(write(tmp_path, name, FILES[name]))
    columns = zip(results.level.tolist(), results.strain.tolist(), results.declarer.tolist(), strict=True)
    assert list(columns)[: len(contracts)] == contracts
    assert results.tricks.tolist()[: len(tricks)] == tricks
    assert results.boards[0][1] == board


def test_a_deal_column_of_a_sheet_of_results(tmp_path: Path) -> None:
    """Next to Board it is the cards; alone, Deal is the number of the board as before."""
    path = write(tmp_path, "both.csv", f"Board,Deal,Contract,By,Tricks\n1,{ONE},3NT,N,10\n1,{ONE},3NT,S,9\n")
    results = read_results(path)
    assert len(results) == 2 and not results.errors
    assert deals_for(path, None, results).owners[0].tolist() == owner(ONE)
    alone = read_results(write(tmp_path, "alone.csv", "Deal,Contract,By,Tricks\n7,3NT,N,10\n"))
    assert alone.boards == (("", "7"),)


def test_names_and_scoring_of_json(tmp_path: Path) -> None:
    from valet_xl.reading.acbl import read_source

    source = read_source(json.dumps(club()))
    assert source.called["A 1 NS"] == "Ann Axe - Bob Bow"
    assert source.announced.method == "matchpoints"
    assert read_source(json.dumps(live())).called["A 3 NS"] == "Ann A - Bob B"


# -- what does not fit


def test_deals_by_session(tmp_path: Path) -> None:
    """Board 1 of two sessions is two deals, found by what the session is called."""
    games = "".join(f'[Board "1"]\n[Session "{name}"]\n[Deal "{deal}"]\n\n' for name, deal in (("A", ONE), ("B", TWO)))
    rows = read_deals(write(tmp_path, "two.pbn", games))
    table = "Session,Board,Contract,By,Tricks\nA,1,3NT,N,9\nB,1,3NT,N,9\n"
    both = place_deals(rows, read_results(write(tmp_path, "r.csv", table)))
    assert [each.tolist() for each in both.owners] == [owner(ONE), owner(TWO)]
    without = place_deals(rows, read_results(results_file(tmp_path, "1,3NT,N,9,\n")))
    assert (without.owners == 4).all()
    assert without.remarks[0].startswith(
        "which deal it is could not be decided for 1 board (board 1; expected one deal"
    )


def test_one_deal_of_a_number_in_two_rounds_is_not_guessed(tmp_path: Path) -> None:
    rows = read_deals(write(tmp_path, "one.pbn", f'[Board "1"]\n[Deal "{ONE}"]\n'))
    table = "Session,Board,Contract,By,Tricks\nA,1,3NT,N,9\nB,1,3NT,N,9\n"
    placed = place_deals(rows, read_results(write(tmp_path, "r.csv", table)))
    assert (placed.owners == 4).all() and "2 boards (board 1 of round A, board 1 of round B" in placed.remarks[0]


@pytest.mark.parametrize(
    ("name", "text", "says"),
    [
        ("a.pbn", '[Board "1"]\n[Contract "3NT"]\n[Result "9"]\n', "has no deals in it (expected PBN, LIN, USEBIO"),
        ("a.csv", "Board,Contract,By,Tricks\n1,3NT,N,9\n", "has no deals in it (expected PBN, LIN, USEBIO"),
        (
            "a.pbn",
            '[Board "1"]\n[Deal "N:AK... - - -"]\n',
            "no deal can be read: line 2, Deal: 'N:AK... - - -' (N has 2 cards",
        ),
        ("a.pbn", f'[Board "9"]\n[Deal "{ONE}"]\n', "has no deal of a board of these results (it has boards 9 ...)"),
        ("a.lin", "vg|Match,1,I,1|md|x|", "line 1: 'Match,1,I,1' is no heading of a match (expected title, segment"),
        (
            "a.lin",
            "vg|M,1,I,1,2,A,0,B,0|\nrs|3NN=,P|\nmd|x|",
            "line 2: 2 results (rs) of boards 1 to 2 (expected 4, open",
        ),
        ("a.lin", "pn|md|\n", "no boards: the LIN file has no hands (md) in it"),
        ("a.json", '{"tournaments": [\n{"x": }]}', "line 2, character 7: Expecting value (whole JSON expected)"),
        ("a.json", '{"schema_version": "2.0", "tournaments": []}', "schema_version '2.0' (expected 1, which is"),
        ("a.json", '{"tournaments": []}', "no results: the boards in the JSON file have none"),
        ("a.json", '{"boards": []}', "no results (expected tournaments, as acbl-live-fetch writes them"),
        ("a.xml", "<USEBIO><HANDSET><BOARD>", "not a whole XML file: line 1"),
        ("a.xml", "<USEBIO><EVENT/></USEBIO>", "has no deals in it"),
        (
            "a.csv",
            "#TravellerLines\n#Board,North,playdata\n1,a,md|3|\n",
            "line 2: no column Contract and no Declarer and no Tricks",
        ),
        ("a.csv", "#Note,md|\n#TravellerLines\n", "no results: there are no traveller lines"),
        (
            "a.csv",
            '#TravellerLines\n#Board,Contract,Declarer,Tricks,playdata\n1,"3N,N,9,md|3|\n',
            "(quotation marks in pairs expected)",
        ),
    ],
)
def test_what_is_wrong_is_said_with_its_place(tmp_path: Path, name: str, text: str, says: str) -> None:
    results = read_results(results_file(tmp_path))
    with pytest.raises(FileError) as caught:
        deals_for(write(tmp_path, name, text), None, results)
    assert says in str(caught.value)


def test_a_deal_that_cannot_be_read_is_named_and_the_others_are_used(tmp_path: Path) -> None:
    path = write(tmp_path, "deals.pbn", PBN.replace("AKQJT98765432...", "AKQJT9876543..."))
    placed = deals_for(path, None, read_results(results_file(tmp_path)))
    assert placed.owners[0].tolist() == owner(ONE) and (placed.owners[1] == 4).all()
    assert str(placed.errors[0]).startswith("row 6, Deal: 'E:AKQJT9876543...")


def test_hands_as_text() -> None:
    assert hands_text({"N": ["A 10", "", "—", "k"]}) == "N:AT...K - - -"
