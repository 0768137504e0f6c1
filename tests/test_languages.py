"""Sheets in the languages of players: suits, seats and cards are read as they were meant, or the sheet is refused."""

from __future__ import annotations

from itertools import product
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from simulate import tournament

from valet_xl import read_results
from valet_xl.engine.languages import ENGLISH, LANGUAGES, UNIVERSAL, Language
from valet_xl.engine.notation import Card, Contract, Double, Entry, Seat, Strain, may_be_card, may_be_contract
from valet_xl.engine.options import Options
from valet_xl.engine.results import Results
from valet_xl.errors import NotationError, SheetError
from valet_xl.reading.grid import read_grid
from valet_xl.reading.headings import SYNONYMS
from valet_xl.sheets.convert import convert_file

Grid = list[list[object]]

HEADINGS = {
    "english": ("Board", "Contract", "By", "Tricks", "Lead"),
    "french": ("Donne", "Contrat", "Déclarant", "Levées", "Entame"),
    "german": ("Brett", "Kontrakt", "Alleinspieler", "Stiche", "Ausspiel"),
    "dutch": ("Spel", "Contract", "Leider", "Slagen", "Uitkomst"),
    "danish": ("Spil", "Kontrakt", "Spilfører", "Stik", "Udspil"),
    "norwegian": ("Spill", "Kontrakt", "Spillefører", "Stikk", "Utspill"),
    "swedish": ("Bricka", "Kontrakt", "Spelförare", "Stick", "Utspel"),
    "polish": ("Rozdanie", "Kontrakt", "Rozgrywający", "Lewy", "Wist"),
    "spanish": ("Mano", "Contrato", "Declarante", "Bazas", "Salida"),
    "italian": ("Smazzata", "Contratto", "Dichiarante", "Prese", "Attacco"),
    "portuguese": ("Mão", "Contrato", "Carteador", "Vazas", "Saída"),
}
SEATS = {
    **dict.fromkeys(LANGUAGES, "NESW"),
    **{"french": "NESO", "spanish": "NESO", "italian": "NESO", "portuguese": "NESO"},
    **{"german": "NOSW", "dutch": "NOZW", "danish": "NØSV", "norwegian": "NØSV", "swedish": "NÖSV"},
}
COLUMNS = ("level", "strain", "double", "declarer", "tricks", "lead_suit", "lead_rank", "score")


def contract_of(results: Results, at: int, language: Language) -> str:
    level, strain = int(results.level[at]), int(results.strain[at])
    if not level:
        return "Pass"
    word = language.notrump[0] if strain == Strain.NOTRUMP else language.suits[strain][0]
    return f"{level}{word}{Double(int(results.double[at]))}"


def lead_of(results: Results, at: int, language: Language) -> str:
    rank = int(results.lead_rank[at])
    if results.lead_suit[at] < 0:
        return ""
    return language.suits[int(results.lead_suit[at])][0] + (language.ranks[14 - rank][0] if rank > 10 else str(rank))


def sheet(results: Results, headings: str, cells: str, seats: str) -> Grid:
    language = LANGUAGES[cells]
    grid: Grid = [list(HEADINGS[headings])]
    for at in range(len(results)):
        played = bool(results.level[at])
        by, tricks = (seats[int(results.declarer[at])], int(results.tricks[at])) if played else ("", None)
        contract = contract_of(results, at, language)
        grid.append([int(results.board[at]) + 1, contract, by, tricks, lead_of(results, at, language)])
    return grid


def words_of(grid: Grid) -> set[str]:
    """The words for strains in the contracts of a sheet."""
    return {str(row[1]).strip("1234567X") for row in grid[1:] if row[1] != "Pass"}


def read(grid: Grid, language: str = "auto") -> Results:
    return read_grid(grid, Options(language=language)).results


def assert_same(found: Results, meant: Results) -> None:
    assert [str(error) for error in found.errors] == []
    for name in COLUMNS:
        np.testing.assert_array_equal(getattr(found, name), getattr(meant, name), name)


# -- notation


@pytest.mark.parametrize("name", LANGUAGES)
def test_every_word_of_a_language_is_read(name: str) -> None:
    language = LANGUAGES[name]
    words = [(word, Strain(at)) for at, of_suit in enumerate(language.suits) for word in of_suit]
    words += [(word, Strain.NOTRUMP) for word in (*language.notrump, *UNIVERSAL)]
    seats = [(letter, Seat(at)) for at, letter in enumerate(SEATS[name])]
    for (word, strain), (letter, seat), level in product(words, seats, (1, 7)):
        contract = Contract(level, strain)
        assert Entry.parse(f"{level} {word.lower()}", language).contract == contract
        assert Entry.parse(f"{level}{word} {letter}", language) == Entry(contract, seat)
        assert Entry.parse(f"{level}{word} X-1", language) == Entry(Contract(level, strain, Double.DOUBLED), None, -1)


@pytest.mark.parametrize("name", LANGUAGES)
def test_every_card_of_a_language_is_read_suit_first_and_last(name: str) -> None:
    language = LANGUAGES[name]
    ranks = {14 - at: words[0] for at, words in enumerate(language.ranks)} | {rank: str(rank) for rank in range(2, 11)}
    for suit, (rank, word) in product(range(4), ranks.items()):
        letter = language.suits[suit][0]
        if {letter, word} == {"D", "R"}:  # in Spanish both are suits
            continue
        for text in (letter + word, word + letter, f"{letter} {word.lower()}", f"{'♣♦♥♠'[suit]}{word}"):
            assert Card.parse(text, language) == Card(Strain(suit), rank), text


def test_a_card_that_may_be_two_is_refused() -> None:
    with pytest.raises(NotationError, match=r"is DK or DQ; expected the suit's symbol"):
        Card.parse("DR", LANGUAGES["spanish"])


@pytest.mark.parametrize(("text", "card"), [("Ca", "D"), ("CA", "HA"), ("10C", "HT"), ("DC", "HQ"), ("K", "D")])
def test_french_cards(text: str, card: str) -> None:
    assert str(Card.parse(text, LANGUAGES["french"])) == card


@pytest.mark.parametrize("name", LANGUAGES)
def test_symbols_are_the_same_in_every_language(name: str) -> None:
    assert [str(Contract.parse(f"1{symbol}")) for symbol in "♣♦♥♠"] == ["1C", "1D", "1H", "1S"]
    for symbol, card in zip("♧♢♡♤", ("C9", "D9", "H9", "S9"), strict=True):
        assert str(Card.parse(f"{symbol}9", LANGUAGES[name])) == card


# -- sheets


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("name", LANGUAGES)
def test_a_sheet_in_one_language_is_read_in_it(name: str, seed: int) -> None:
    meant = tournament(8, 8, seed)
    assert_same(read(sheet(meant, name, name, SEATS[name])), meant)


@pytest.mark.parametrize("tables", [1, 2, 8])
@pytest.mark.parametrize("name", LANGUAGES)
@pytest.mark.parametrize("headings", HEADINGS)
def test_a_sheet_with_headings_of_another_language_is_read_as_it_was_meant_or_refused(
    headings: str, name: str, tables: int
) -> None:
    """A large one is read."""
    for seed, seats in product(range(4), {"NESW", SEATS[name]}):
        meant = tournament(tables, tables, seed)
        grid = sheet(meant, headings, name, seats)
        try:
            found = read(grid)
        except SheetError as error:
            assert "can be read in two ways" in str(error)
            assert tables < 8
        else:
            english = all(word in "CDHS" or word in UNIVERSAL for word in words_of(grid))
            if headings == name or tables == 8 or (headings == "english" and not english):
                assert_same(found, meant)


def test_a_sheet_in_which_only_c_occurs_goes_by_its_headings() -> None:
    grid: Grid = [[*HEADINGS["italian"][:4]], [1, "4C", "N", 10], [1, "3SA", "N", 10]]
    assert read(grid).strain.tolist() == [Strain.HEARTS, Strain.NOTRUMP]
    grid[0] = [*HEADINGS["english"][:4]]
    grid[2][1] = "3NT"
    assert read(grid).strain.tolist() == [Strain.CLUBS, Strain.NOTRUMP]


@pytest.mark.parametrize(
    ("headings", "notrump", "said"),
    [
        ("french", "3NT", "4C is hearts in French, clubs in English .*--language french or --language english"),
        ("english", "3SA", "4C is clubs in English, hearts in French .*--language english or --language french"),
    ],
)
def test_a_sheet_that_can_be_read_in_two_ways_is_refused_with_both(headings: str, notrump: str, said: str) -> None:
    grid: Grid = [[*HEADINGS[headings][:4]], [1, "4C", "N", 10], [1, notrump, "N", 10]]
    with pytest.raises(SheetError, match=said):
        read(grid)
    assert read(grid, "spanish").strain.tolist() == [Strain.HEARTS, Strain.NOTRUMP]
    assert read(grid, "english").strain.tolist() == [Strain.CLUBS, Strain.NOTRUMP]


def test_what_was_decided_is_said() -> None:
    meant = tournament(8, 8, 1)
    assert read(sheet(meant, "french", "french", "NESO")).remarks == (
        "suits are read in French: T K C P are clubs, diamonds, hearts, spades",
    )
    assert read(sheet(meant, "french", "english", "NESO")).remarks == (
        "suits are read in English: C D H S are clubs, diamonds, hearts, spades",
    )
    assert read(sheet(meant, "english", "english", "NESW")).remarks == ()


def test_a_slip_does_not_change_the_language() -> None:
    meant = tournament(8, 8, 1)
    grid = sheet(meant, "english", "english", "NESW")
    grid[3][1], grid[4][1] = "4P", "3K"
    assert [error.row for error in read(grid).errors] == [4, 5]


@pytest.mark.parametrize(
    ("headings", "by", "seat"),
    [("Declarer", "NESO", Seat.WEST), ("Declarer", "NOSW", Seat.EAST), ("Declarer", "NOSV", Seat.EAST)],
)
def test_o_is_the_seat_that_has_no_other_letter(headings: str, by: str, seat: Seat) -> None:
    grid: Grid = [["Board", "Contract", headings, "Tricks"], *([1, "4S", letter, 10] for letter in by)]
    assert read(grid).declarer.tolist() == list(range(4))
    assert read([["Board", "Contract"], *([1, f"4S{letter}="] for letter in by)]).declarer.tolist() == list(range(4))
    assert by.index("O") == seat


def test_o_alone_goes_by_the_headings_or_is_refused() -> None:
    rows: Grid = [[1, "4S", "O", 10], [1, "4H", "N", 10]]
    assert read([["Spel", "Contract", "Leider", "Slagen"], *rows]).declarer[0] == Seat.EAST
    assert read([["Donne", "Contrat", "Déclarant", "Levées"], *rows]).declarer[0] == Seat.WEST
    with pytest.raises(SheetError, match="O can be read in two ways: East, as in German"):
        read([["Board", "Contract", "By", "Tricks"], *rows])


def test_leads_may_be_in_another_language_than_contracts() -> None:
    grid: Grid = [[*HEADINGS["french"]]]
    grid += [[1, "4P", "N", 10, "SK"], [1, "4C", "N", 10, "HQ"], [1, "3K", "N", 9, "C5"], [1, "2T", "N", 8, "D2"]]
    found = read(grid)
    assert found.lead_suit.tolist() == [Strain.SPADES, Strain.HEARTS, Strain.CLUBS, Strain.DIAMONDS]
    assert found.remarks[1] == "leads are read in English: C D H S are clubs, diamonds, hearts, spades"


def test_every_heading_of_a_language_is_known() -> None:
    known = {name for names in SYNONYMS.values() for name in names}
    assert len(known) == sum(map(len, SYNONYMS.values()))


@pytest.mark.parametrize("suffix", [".csv", ".xlsx"])
def test_a_converted_sheet_is_in_english(tmp_path: Path, suffix: str) -> None:
    """Also the cells of rows that cannot be read, which stay so."""
    path = tmp_path / "soiree.csv"
    rows = ["1;4C;O;10;RP", "1;4P;E;15;DC", "2;4S;N;10;VT", "2;3SA;N;9;2K", "3;5T;N;11;", "3;5K;X;11;"]
    path.write_text("\n".join([";".join(HEADINGS["french"]), *rows]) + "\n")
    converted = convert_file(path, tmp_path / f"out{suffix}")
    again = read_results(converted.written)
    for name in ("status", *COLUMNS):
        np.testing.assert_array_equal(getattr(again, name), getattr(converted.results, name), name)
    assert [error.row for error in again.errors] == [error.row for error in converted.results.errors] == [3, 4, 7]
    assert ENGLISH.letters == "C D H S"


def test_leads_of_another_language_make_suits_doubtful() -> None:
    """The contract would be hearts in the language that the lead is in, though the headings are English."""
    heading = ["Board", "Contract", "By", "Tricks", "Lead"]
    with pytest.raises(SheetError, match="4C is clubs in English, hearts in French"):
        read([heading, [1, "4C", "N", 10, "♣R"]])
    results = read([heading, [1, "4H", "N", 10, "♣R"]])
    assert (results.strain.tolist(), results.lead_suit.tolist(), results.lead_rank.tolist()) == ([2], [0], [13])


@given(st.data())
def test_what_a_look_at_its_suits_excludes_cannot_be_read(data: st.DataObject) -> None:
    """The languages that are left out without an attempt are those in which a text is no contract or no lead."""
    language = LANGUAGES[data.draw(st.sampled_from(sorted(LANGUAGES)))]
    of_any = [
        word for each in LANGUAGES.values() for words in (*each.suits, *each.ranks, each.notrump) for word in words
    ]
    bits = st.sampled_from([*of_any, *UNIVERSAL, *"1234567890NESWOØZVXRD♣♦♥♠=+- ", "PASS", "10", "by", "é"])
    text = "".join(data.draw(st.lists(bits, max_size=5)))
    for read, may_be in ((Entry.parse, may_be_contract), (Card.parse, may_be_card)):
        if not may_be(text, language):
            with pytest.raises(NotationError):
                read(text, language)
