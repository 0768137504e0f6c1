"""Notation: every value survives being written and read, every spelling in use is read, all else is refused by name."""

from __future__ import annotations

from collections.abc import Callable
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from valet_xl.engine.languages import LANGUAGES
from valet_xl.engine.notation import (
    PASS_OUT,
    SPOT,
    UNKNOWN,
    Adjustment,
    Card,
    Contract,
    Double,
    Entry,
    Seat,
    Strain,
    Vulnerability,
    is_pass,
    is_unplayed,
    parse_result,
    parse_tricks,
    plain,
    result_text,
    tricks_of,
)
from valet_xl.errors import NotationError, shortened

CONTRACTS = [PASS_OUT, *(Contract(*each) for each in product(range(1, 8), Strain, Double))]
ENTRIES = [
    Entry(PASS_OUT),
    *(
        Entry(contract, declarer, result)
        for contract in CONTRACTS[1:]
        for declarer in (None, *Seat)
        for result in (None, *range(-6 - contract.level, 8 - contract.level))
    ),
]
CARDS = [Card(suit, rank) for suit in list(Strain)[:4] for rank in range(15)]
PARSERS: list[Callable[[str], object]] = [
    *(Seat.parse, Double.parse, Vulnerability.parse, Contract.parse, Entry.parse, Card.parse, Adjustment.parse),
    *(parse_result, parse_tricks),
]

# -- written and read


@pytest.mark.parametrize("kind", [Seat, Double, Vulnerability])
def test_every_value_of_a_vocabulary_survives(kind: type[Seat] | type[Double] | type[Vulnerability]) -> None:
    assert [kind.parse(str(value)) for value in kind] == list(kind)
    assert [kind.parse(f" {str(value).lower()} ") for value in kind] == list(kind)


def test_every_contract_survives() -> None:
    assert [Contract.parse(str(contract)) for contract in CONTRACTS] == CONTRACTS


def test_every_contract_with_every_declarer_and_result_survives() -> None:
    assert [Entry.parse(str(entry)) for entry in ENTRIES] == ENTRIES
    assert [Entry.parse(str(entry).lower()) for entry in ENTRIES] == ENTRIES


def test_every_contract_with_its_declarer_in_front_survives() -> None:
    for entry in ENTRIES[1:]:
        declarer = "" if entry.declarer is None else str(entry.declarer)
        result = "" if entry.result is None else result_text(entry.result)
        assert Entry.parse(f"{declarer}{entry.contract}{result}") == entry


def test_every_card_survives_suit_first_or_last() -> None:
    assert [Card.parse(str(card)) for card in CARDS] == CARDS
    assert [Card.parse(str(card)[::-1]) for card in CARDS] == CARDS


def test_every_result_and_number_of_tricks_survives() -> None:
    assert [parse_result(result_text(result)) for result in range(-13, 8)] == list(range(-13, 8))
    assert [parse_tricks(str(tricks)) for tricks in range(14)] == list(range(14))


def test_every_adjusted_score_survives() -> None:
    adjustments = [Adjustment(ns, ew) for ns in (40.0, 50.0, 60.0) for ew in (None, 40.0, 50.0, 60.0)]
    assert [Adjustment.parse(str(adjustment)) for adjustment in adjustments] == adjustments


def test_tricks_are_those_of_the_level_and_the_result() -> None:
    assert [tricks_of(level, 0) for level in range(1, 8)] == [7, 8, 9, 10, 11, 12, 13]
    assert (tricks_of(1, 6), tricks_of(7, -13)) == (13, 0)


def test_the_opening_leader_is_on_declarer_s_left() -> None:
    assert [str(seat.left) for seat in Seat] == ["E", "S", "W", "N"]


# -- spellings


@pytest.mark.parametrize(
    ("contract", "spellings"),
    [
        ("3NT", ["3N", "3NT", "3SA", "3 nt", "3 n", "3 No Trump", "3 notrumps", "３ＮＴ", "3\u00a0NT", " 3N "]),
        ("4S", ["4S", "4s", "4♠", "4 ♤", "4 spades", "4♠\ufe0e"]),
        ("2H", ["2H", "2♥", "2♡", "2 hearts", "2 Heart", "2♥\ufe0f"]),
        ("1D", ["1D", "1♦", "1 ♢", "1 Diamond"]),
        ("5C", ["5C", "5♣", "5♧", "5 clubs"]),
        ("4SX", ["4SX", "4Sx", "4S x", "4S*", "4♠×", "4SD", "4S D", "4S dbl", "4 spades doubled"]),
        ("1CXX", ["1CXX", "1Cxx", "1C xx", "1C**", "1CR", "1C R", "1 ♣ rdbl", "1C redoubled"]),
        ("Pass", ["P", "pass", "PASSED", "Passes", "AP", "All Pass", "allpass", "Pass Out", "Passed out", "-", "–"]),
    ],
)
def test_spellings_of_a_contract(contract: str, spellings: list[str]) -> None:
    assert [str(Contract.parse(spelling)) for spelling in spellings] == [contract] * len(spellings)


@pytest.mark.parametrize(
    ("entry", "spellings"),
    [
        ("3NTW+2", ["W3NT+2", "3NTW+2", "3NT+2W", "3NT W +2", "3NT by W +2", "West 3NT + 2", "3N+2 by west", "w3n+2"]),
        ("3NTN+1", ["3NTN+1", "N3NT+1", "3NN+1", "3 N N +1", "3SAN+1"]),
        ("4SS", ["4S by S", "4SS", "S4S", "4 S S", "4♠ South", "4S, S", "4S-S"]),
        ("4HN=", ["4HN=", "N4H=", "4HN C", "4HN+0", "4H= N"]),
        ("5HXW-1", ["5 H x -1 W", "W5Hx-1", "5HXW−1", "5hx–1w", "W5H*-1", "5H dbl W -1"]),
        ("5HX=", ["5Hx=", "5H*="]),
    ],
)
def test_spellings_of_a_contract_with_declarer_and_result(entry: str, spellings: list[str]) -> None:
    assert [str(Entry.parse(spelling)) for spelling in spellings] == [entry] * len(spellings)


@pytest.mark.parametrize(
    ("card", "spellings"),
    [
        ("SQ", ["SQ", "QS", "sq", "qs", "♠Q", "Q♠", "S Q"]),
        ("ST", ["S10", "10S", "TS", "ST", "♠10", "10♠", "s 10"]),
        ("HX", ["Hx", "HX", "xH", "♥x", "H×"]),
        ("D", ["D", "d", "♦"]),
        ("C2", ["C2", "2C", "2♣"]),
    ],
)
def test_spellings_of_a_lead(card: str, spellings: list[str]) -> None:
    assert [str(Card.parse(spelling)) for spelling in spellings] == [card] * len(spellings)


def test_an_x_is_a_spot_and_a_suit_alone_an_unknown_card() -> None:
    assert Card.parse("Hx") == Card(Strain.HEARTS, SPOT)
    assert Card.parse("H") == Card(Strain.HEARTS, UNKNOWN)


@pytest.mark.parametrize(
    ("result", "spellings"),
    [
        (0, ["=", "C", "c", "+0", "0"]),
        (1, ["+1", "1", "+ 1", "＋1"]),
        (-2, ["-2", "−2", "–2", "—2", "‐2", "－2", "- 2"]),
    ],
)
def test_spellings_of_a_result(result: int, spellings: list[str]) -> None:
    assert [parse_result(spelling) for spelling in spellings] == [result] * len(spellings)


@pytest.mark.parametrize(
    ("adjustment", "spellings"),
    [
        (Adjustment(60, None), ["A+", "AVE+", "av+", "Avg +", "Average+"]),
        (Adjustment(50, None), ["A", "AVE", "average"]),
        (Adjustment(40, None), ["A-", "A−", "ave-"]),
        (Adjustment(61.8, 38.2), ["61.8%-38.2%", "61.8/38.2", "61,8 / 38,2", "A61.8-38.2", "61.80%-38.20%"]),
        (Adjustment(60, 40), ["A6040", "60/40", "60%-40%", "60-40", "60% 40%", "A60/40", "60 / 40"]),
        (Adjustment(50, 50), ["A5050", "50/50", "50%-50%"]),
        (Adjustment(100, 0), ["100/0", "100%-0%"]),
    ],
)
def test_spellings_of_an_adjusted_score(adjustment: Adjustment, spellings: list[str]) -> None:
    assert [Adjustment.parse(spelling) for spelling in spellings] == [adjustment] * len(spellings)


@pytest.mark.parametrize(
    ("double", "spellings"),
    [(0, ["", "-", "0", "no"]), (1, ["X", "x", "*", "D", "1", "dbl", "×"]), (2, ["XX", "xx", "**", "R", "2", "rdbl"])],
)
def test_spellings_of_a_double_in_a_column_of_its_own(double: int, spellings: list[str]) -> None:
    assert [Double.parse(spelling) for spelling in spellings] == [double] * len(spellings)


@pytest.mark.parametrize(
    ("vulnerability", "spellings"),
    [
        ("None", ["None", "-", "O", "0", "Love", "nil", "Neither", ""]),
        ("NS", ["NS", "N-S", "N/S", "N", "n s", "N+S", "NS vul", "North-South"]),
        ("EW", ["EW", "E-W", "E/W", "E", "E&W", "East/West"]),
        ("Both", ["Both", "All", "B", "game", "All vulnerable", "NSEW"]),
    ],
)
def test_spellings_of_a_vulnerability(vulnerability: str, spellings: list[str]) -> None:
    assert [str(Vulnerability.parse(spelling)) for spelling in spellings] == [vulnerability] * len(spellings)


@pytest.mark.parametrize("seat", list(Seat))
def test_spellings_of_a_seat(seat: Seat) -> None:
    name = seat.name
    assert {Seat.parse(text) for text in (name, name.lower(), name[0], name[0].lower(), f" {name.title()} ")} == {seat}


@pytest.mark.parametrize("text", ["", "NP", "np", "Not played", "N/P", "unplayed", "  "])
def test_spellings_of_a_board_not_played(text: str) -> None:
    assert is_unplayed(text)
    assert not is_pass(text)


# -- refusals


@pytest.mark.parametrize(
    ("parse", "text", "message"),
    [
        (Contract.parse, "8H", "invalid contract: '8H' (level must be 1-7)"),
        (Contract.parse, "0NT", "invalid contract: '0NT' (level must be 1-7)"),
        (Contract.parse, "11C", "invalid contract: '11C' (level must be 1-7)"),
        (Contract.parse, "4Z", "invalid contract: '4Z' (suits are C, D, H, S and NT)"),
        (Contract.parse, "4SXXX", "invalid contract: '4SXXX' (expected one such as 3NT, 4SX or Pass)"),
        (Contract.parse, "4S by S", "invalid contract: '4S by S' (expected no declarer and no result with it)"),
        (Contract.parse, "", "invalid contract: '' (expected one such as 3NT, 4SX or Pass)"),
        (Entry.parse, "3NT by X", "invalid contract: '3NT by X' (expected one such as 3NT, 4SX or Pass)"),
        (Entry.parse, "W3NTN", "invalid contract: 'W3NTN' (expected one declarer)"),
        (Entry.parse, "4S+4", "invalid result: '+4' (at level 4 expected -10 to +3)"),
        (Entry.parse, "1NT-8", "invalid result: '-8' (at level 1 expected -7 to +6)"),
        (Seat.parse, "NS", "invalid seat: 'NS' (expected N, E, S or W)"),
        (Seat.parse, "", "invalid seat: '' (expected N, E, S or W)"),
        (Double.parse, "XXX", "invalid double: 'XXX' (expected X, XX, 0, 1, 2 or blank)"),
        (Vulnerability.parse, "red", "invalid vulnerability: 'red' (expected None, NS, EW or Both)"),
        (Card.parse, "ZQ", "invalid lead: 'ZQ' (expected a card such as SQ, H10 or a suit)"),
        (Card.parse, "S1", "invalid lead: 'S1' (expected a card such as SQ, H10 or a suit)"),
        (Card.parse, "NT", "invalid lead: 'NT' (expected a card such as SQ, H10 or a suit)"),
        (Adjustment.parse, "A++", "invalid adjusted score: 'A++' (expected A+, A-, 60/40 ...)"),
        (parse_result, "made", "invalid result: 'made' (expected =, +n or -n)"),
        (parse_result, "", "invalid result: '' (expected =, +n or -n)"),
        (parse_result, "1.5", "invalid result: '1.5' (expected =, +n or -n)"),
        (parse_tricks, "14", "invalid tricks: '14' (expected 0-13)"),
        (parse_tricks, "-1", "invalid tricks: '-1' (expected 0-13)"),
        (parse_tricks, "9.5", "invalid tricks: '9.5' (expected 0-13)"),
    ],
)
def test_a_refusal_quotes_the_text_and_says_what_was_expected(
    parse: Callable[[str], object], text: str, message: str
) -> None:
    with pytest.raises(NotationError) as refused:
        parse(text)
    assert str(refused.value) == message


near_misses = st.text("0123456789NESWTCDHXRAPJQK+-=*/%♠♥♦♣ \u2212×byl.", max_size=9)


@pytest.mark.parametrize("parse", PARSERS, ids=lambda parse: parse.__qualname__)
@given(text=st.text(max_size=60) | near_misses)
def test_any_text_is_read_or_refused(parse: Callable[[str], object], text: str) -> None:
    """And what is read is read again from what it is written as."""
    try:
        value = parse(text)
    except NotationError as refused:
        result_at_fault = parse in (Entry.parse, Contract.parse) and str(refused).startswith("invalid result")
        assert repr(shortened(text)) in str(refused) or result_at_fault
        return
    if parse in (parse_result, parse_tricks):
        assert isinstance(value, int)
    else:
        assert parse(str(value)) == value


@given(st.text())
def test_folding_a_folded_text_changes_nothing(text: str) -> None:
    assert plain(plain(text)) == plain(text)


def test_a_double_is_no_part_of_a_word() -> None:
    """3SPADER is Swedish for 3 spades; SPADE and R are not 3 spades redoubled."""
    with pytest.raises(NotationError):
        Entry.parse("3SPADER")
    assert str(Entry.parse("3 spade R")) == str(Entry.parse("3SR")) == str(Entry.parse("3 spades rdbl")) == "3SXX"
    assert str(Entry.parse("3NTD")) == "3NTX"
    assert str(Entry.parse("3SPADER", LANGUAGES["swedish"])) == "3S"
