"""Calls, seats, cards and results as players write them: text to value, forgiving in, one form out."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable
from dataclasses import dataclass
from enum import IntEnum
from functools import lru_cache
from itertools import product

from valet_xl.engine.languages import ENGLISH, UNIVERSAL, Language
from valet_xl.errors import NotationError


class Strain(IntEnum):
    """Denomination of a contract, or suit of a card, from the lowest."""

    CLUBS = 0
    DIAMONDS = 1
    HEARTS = 2
    SPADES = 3
    NOTRUMP = 4

    def __str__(self) -> str:
        return ("C", "D", "H", "S", "NT")[self]


class Seat(IntEnum):
    """Compass seat, clockwise from North."""

    NORTH = 0
    EAST = 1
    SOUTH = 2
    WEST = 3

    def __str__(self) -> str:
        return "NESW"[self]

    @property
    def left(self) -> Seat:
        """The seat on the left: the opening leader where this one declares.

        >>> str(Seat.WEST.left)
        'N'
        """
        return Seat((self + 1) % 4)

    @staticmethod
    def parse(text: str, o_is: int = -1) -> Seat:
        """Read a seat: `N`, `north`, `W`, `Øst`, `Zuid` ...

        Parameters
        ----------
        text : the seat
        o_is : the seat that `O` means, as in `Language`

        Raises
        ------
        NotationError : for anything else

        >>> Seat.parse("west"), Seat.parse("O", o_is=Seat.EAST)
        (<Seat.WEST: 3>, <Seat.EAST: 1>)
        """
        words = plain(text)
        letter = o_is if words == "O" and o_is >= 0 else _ALL_SEATS.get(words)
        if letter is None:
            raise NotationError("seat", text, "expected N, E, S or W")
        return Seat(letter)


class Double(IntEnum):
    """Whether a contract was doubled."""

    UNDOUBLED = 0
    DOUBLED = 1
    REDOUBLED = 2

    def __str__(self) -> str:
        return ("", "X", "XX")[self]

    @staticmethod
    def parse(text: str) -> Double:
        """Read a mark of its own: nothing, `-` or 0; `X`, `x`, `*`, `D` or 1; `XX`, `**`, `R` or 2.

        Raises
        ------
        NotationError : for anything else

        >>> Double.parse("**")
        <Double.REDOUBLED: 2>
        """
        value = _DOUBLES.get(plain(text))
        if value is None:
            raise NotationError("double", text, "expected X, XX, 0, 1, 2 or blank")
        return Double(value)


class Vulnerability(IntEnum):
    """The sides that are vulnerable; bit 0 is North-South's, bit 1 East-West's."""

    NONE = 0
    NS = 1
    EW = 2
    BOTH = 3

    def __str__(self) -> str:
        return ("None", "NS", "EW", "Both")[self]

    @staticmethod
    def parse(text: str) -> Vulnerability:
        """Read a vulnerability: `None`, `-`, `O`, `Love`; `NS`, `N-S`, `N`; `EW`, `E/W`, `E`; `Both`, `All`, `B` ...

        Raises
        ------
        NotationError : for anything else

        >>> Vulnerability.parse("n/s")
        <Vulnerability.NS: 1>
        """
        value = _VULNERABILITIES.get(re.sub(r"[\s/&.+-]|VUL(NERABLE)?$", "", plain(text)) or "-")
        if value is None:
            raise NotationError("vulnerability", text, "expected None, NS, EW or Both")
        return Vulnerability(value)


@dataclass(frozen=True, slots=True)
class Contract:
    """A final contract; level 0 is a pass-out.

    >>> str(Contract.parse("4 ♠ *"))
    '4SX'
    """

    level: int
    strain: Strain = Strain.CLUBS
    double: Double = Double.UNDOUBLED

    def __str__(self) -> str:
        return f"{self.level}{self.strain}{self.double}" if self.level else "Pass"

    @staticmethod
    def parse(text: str) -> Contract:
        """Read a contract by itself, such as `3NT`, `3 N`, `4SX`, `5 ♦ **` or `Pass`.

        Raises
        ------
        NotationError : for anything else, a declarer or result with it included
        """
        entry = Entry.parse(text)
        if entry.declarer is not None or entry.result is not None:
            raise NotationError("contract", text, "expected no declarer and no result with it")
        return entry.contract


PASS_OUT = Contract(0)


@dataclass(frozen=True, slots=True)
class Entry:
    """What a contract cell says: the contract, perhaps its declarer, perhaps its result (0 made, +n over, -n down).

    >>> Entry.parse("W3NT+2")
    Entry(contract=Contract(level=3, strain=<Strain.NOTRUMP: 4>, double=<Double.UNDOUBLED: 0>), \
declarer=<Seat.WEST: 3>, result=2)
    """

    contract: Contract
    declarer: Seat | None = None
    result: int | None = None

    def __str__(self) -> str:
        declarer = "" if self.declarer is None else str(self.declarer)
        result = "" if self.result is None else result_text(self.result)
        return f"{self.contract}{declarer}{result}"

    @staticmethod
    def parse(text: str, language: Language = ENGLISH) -> Entry:
        """Read a contract cell: `W3NT+2`, `3NTN+1`, `4S by S`, `4HN=`, `5 H x -1 W`, `P`, `All Pass` ...

        Raises
        ------
        NotationError : with the reason, such as a level above 7 or more tricks than there are

        >>> from valet_xl.engine.languages import LANGUAGES
        >>> str(Entry.parse("4C par O", LANGUAGES["french"]))
        '4HW'
        """
        words = plain(text)
        if is_pass(words):
            return Entry(PASS_OUT)
        pattern, strains, seat_of = _spellings(language)
        found = pattern.fullmatch(words)
        if found is None:
            raise NotationError("contract", text, _what_contracts_are(words, language))
        first, level, strain, double, second, result, last = found.groups()
        if level not in ("1", "2", "3", "4", "5", "6", "7"):
            raise NotationError("contract", text, "level must be 1-7")
        seats = {seat_of[seat] for seat in (first, second, last) if seat}
        if len(seats) > 1:
            raise NotationError("contract", text, "expected one declarer")
        contract = Contract(int(level), strains[strain], Double.parse(double))
        over = None if result is None else parse_result(result)
        if over is not None:
            tricks_of(contract.level, over)
        return Entry(contract, Seat(seats.pop()) if seats else None, over)


def may_be_contract(text: str, language: Language) -> bool:
    """Whether a contract cell has a word for a strain behind its level; if not, it cannot be read in the language.

    This costs no pattern, so that few languages are left to be tried.

    >>> from valet_xl.engine.languages import LANGUAGES
    >>> [name for name in ("english", "french") if may_be_contract("4H by S", LANGUAGES[name])]
    ['english']
    """
    words = plain(text)
    level = _UP_TO_LEVEL.match(words)
    return is_pass(words) or (level is not None and words[level.end() :].startswith(tuple(_strains(language))))


def may_be_card(text: str, language: Language) -> bool:
    """Whether a lead begins or ends with a word for a suit; if not, it cannot be read in the language."""
    words, suits = plain(text).replace(" ", ""), tuple(_suits(language))
    return words.startswith(suits) or words.endswith(suits)


@dataclass(frozen=True, slots=True)
class Card:
    """A card, or no more than its suit: rank 2-14 (ace high), SPOT for an `x`, UNKNOWN where only the suit is known.

    >>> str(Card.parse("10♥"))
    'HT'
    """

    suit: Strain
    rank: int

    def __str__(self) -> str:
        return f"{self.suit}{_RANKS[self.rank]}"

    @staticmethod
    def parse(text: str, language: Language = ENGLISH) -> Card:
        """Read a lead: suit first or last, `SQ`, `qs`, `♠Q`, `S10`, `TS`, `Sx`, or the suit alone.

        A word for a suit with a capital and a small letter, such as `Ca` in French, is the suit alone; `CA` is an ace.

        Raises
        ------
        NotationError : for anything else, and for a card that can be read as two cards

        >>> from valet_xl.engine.languages import LANGUAGES
        >>> str(Card.parse("DC", LANGUAGES["french"]))
        'HQ'
        """
        words = plain(text).replace(" ", "")
        suits = _suits(language)
        if words in suits and len(words) > 1 and text.strip() == words.capitalize():
            return Card(suits[words], UNKNOWN)
        found = _cards(language).get(words, ())
        if len(found) > 1:
            raise NotationError("lead", text, f"is {' or '.join(map(str, found))}; expected the suit's symbol")
        if not found:
            letters = language.letters.split()
            example = f"{letters[3]}{language.ranks[2][0]}, {letters[2]}10"
            raise NotationError("lead", text, f"expected a card such as {example} or a suit")
        return found[0]


UNKNOWN, SPOT, TEN, ACE = 0, 1, 10, 14


@dataclass(frozen=True, slots=True)
class Adjustment:
    """An artificial adjusted score: per cent for North-South and for East-West, None where it was not given.

    >>> str(Adjustment.parse("A6040"))
    '60%-40%'
    """

    ns: float
    ew: float | None

    def __str__(self) -> str:
        if self.ew is not None:
            return f"{self.ns:g}%-{self.ew:g}%"
        return {60.0: "A+", 50.0: "A", 40.0: "A-"}.get(self.ns, f"{self.ns:g}%")

    @staticmethod
    def parse(text: str) -> Adjustment:
        """Read `A+`, `A-`, `A`, `AVE+`, `70%` (North-South's alone is known), `A6040`, `60/40`, `61.8%-38.2%`.

        Raises
        ------
        NotationError : for anything else
        """
        words = plain(text).replace(" ", "")
        average = _AVERAGE.fullmatch(words)
        if average is not None:
            return Adjustment({"+": 60.0, "": 50.0, "-": 40.0}[average[1] or ""], None)
        split = _SPLIT.fullmatch(words)
        if split is not None:
            ns, *ew = (float(share.replace(",", ".")) for share in split.groups() if share is not None)
            return Adjustment(ns, ew[0] if ew else None)
        raise NotationError("adjusted score", text, "expected A+, A-, 60/40 ...")


def _what_contracts_are(words: str, language: Language) -> str:
    """What would have been right in the place of a text that is no contract."""
    letters = language.letters.split()
    usual = f"3{language.notrump[0]}, 4{letters[3]}X"
    strain, double = _any_of(_spellings(language)[1]), _doubles(language)
    if re.fullmatch(rf"[1-7]\s*(?:{double})", words):
        return f"without a suit; expected one such as {usual} or Pass"
    if re.match(r"[1-7]\s*[^\W\d_]", words) and not re.match(rf"[1-7]\s*(?:{strain})", words):
        return f"suits are {', '.join(letters)} and {language.notrump[0]}"
    if re.match(rf"(?:{strain})\s*[1-7]", words):
        return f"expected the level first, as in {usual}"
    return f"expected one such as {usual} or Pass"


def strain_word(text: str, language: Language) -> str:
    """The word for the strain in a contract cell; '' where there is none.

    >>> strain_word("3 sa N", ENGLISH)
    'SA'
    """
    found = _spellings(language)[0].fullmatch(plain(text))
    return found[3] if found else ""


def parse_result(text: str) -> int:
    """Read a result against the contract: `=` or `C` is 0, `+1` is 1, `-2` is -2; a bare `1` is one overtrick.

    Raises
    ------
    NotationError : for anything else

    >>> parse_result("−2")
    -2
    """
    words = plain(text).replace(" ", "")
    if words in ("=", "C", "+0", "-0"):
        return 0
    if re.fullmatch(r"[+-]?\d{1,2}", words):
        return int(words)
    raise NotationError("result", text, "expected =, +n or -n")


def result_text(result: int) -> str:
    """Write a result against the contract: 0 as `=`, 1 as `+1`, -2 as `-2`.

    >>> result_text(1)
    '+1'
    """
    return f"{result:+d}" if result else "="


def parse_tricks(text: str) -> int:
    """Read declarer's total of tricks, 0-13.

    Raises
    ------
    NotationError : for anything else

    >>> parse_tricks(" 9 ")
    9
    """
    words = plain(text)
    if not re.fullmatch(r"\d{1,2}", words) or int(words) > 13:
        raise NotationError("tricks", text, "expected 0-13")
    return int(words)


def tricks_of(level: int, result: int) -> int:
    """Declarer's tricks from the level and the result against the contract.

    Raises
    ------
    NotationError : where that is below 0 or above 13

    >>> tricks_of(4, -1)
    9
    """
    tricks = 6 + level + result
    if not 0 <= tricks <= 13:
        raise NotationError("result", result_text(result), f"at level {level} expected {-6 - level} to +{7 - level}")
    return tricks


def is_unplayed(text: str) -> bool:
    """Whether a cell says that the board was not played: blank, `NP`, `Not played` ...

    >>> is_unplayed("not played")
    True
    """
    return plain(text) in _UNPLAYED


def is_pass(text: str) -> bool:
    """Whether a cell says that the board was passed out: `P`, `All Pass`, `-` ...

    >>> is_pass("Passed out")
    True
    """
    return plain(text) in _PASSES


def plain(text: str) -> str:
    """Fold a cell's text: capitals, ordinary spaces, one symbol for each suit, one kind of minus, x for a cross.

    >>> plain(" 5\N{WHITE DIAMOND SUIT} × ")
    '5♦ X'
    """
    return " ".join(unicodedata.normalize("NFKC", text.translate(_FOLD)).upper().split())


@lru_cache(maxsize=64)
def _suits(language: Language) -> dict[str, Strain]:
    """The suit of every word and symbol for it."""
    both = zip(language.suits, _SYMBOLS, strict=True)
    return {word: Strain(at) for at, (words, symbol) in enumerate(both) for word in (*words, symbol)}


@lru_cache(maxsize=64)
def _strains(language: Language) -> dict[str, Strain]:
    """The strain of every word and symbol for it."""
    return _suits(language) | dict.fromkeys((*UNIVERSAL, *language.notrump), Strain.NOTRUMP)


@lru_cache(maxsize=64)
def _spellings(language: Language) -> tuple[re.Pattern[str], dict[str, Strain], dict[str, int]]:
    """How a contract cell is written: the pattern of all of it, the strain of every word, and the seat of every one."""
    strains = _strains(language)
    seats = _SEATS | ({"O": language.o_is} if language.o_is >= 0 else {})
    strain, seat = _any_of(strains), _any_of(seats)
    pattern = re.compile(
        rf"(?:({seat})\s*)?"  # declarer first, W3NT
        r"(\d+)\s*"  # level
        rf"({strain})\s*"
        rf"({_doubles(language)})\s*"
        rf"(?:(?:{_BY}|,|-)?\s*({seat}))?\s*"  # declarer after, 4S by S
        r"(=|C|[+-]\s?\d+)?\s*"  # result
        rf"(?:(?:{_BY}|,)?\s*({seat}))?"  # declarer last, 3NT+2 W
    )
    return pattern, strains, seats


def _any_of(words: Iterable[str]) -> str:
    """A pattern for one of some words, the longest that fits."""
    return "|".join(map(re.escape, sorted(words, key=lambda word: (-len(word), word))))


def _doubles(language: Language) -> str:
    """A pattern for the mark of a double behind a strain, or nothing; other languages have suits with these letters."""
    # D and R stand behind a letter or two: 3SPADER is Swedish
    english = "|DOUBLED|DBL|REDOUBLED|RDBL|(?<![A-Z]{3})[DR]" if language.suits == ENGLISH.suits else ""
    return rf"XX|X|\*\*|\*{english}|"


@lru_cache(maxsize=64)
def _cards(language: Language) -> dict[str, tuple[Card, ...]]:
    """The cards that every spelling may mean: a suit and a rank in either order, or else the suit alone."""
    suits = _suits(language)
    ranks = {str(rank): rank for rank in range(2, 11)} | {"X": SPOT}
    ranks |= {word: ACE - at for at, words in enumerate(language.ranks) for word in words}
    if "T" not in suits:
        ranks["T"] = TEN
    cards: dict[str, dict[Card, None]] = {}
    for (suit, strain), (word, rank) in product(suits.items(), ranks.items()):
        for text in (suit + word, word + suit):
            cards.setdefault(text, {})[Card(strain, rank)] = None
    for suit, strain in suits.items():
        cards.setdefault(suit, {Card(strain, UNKNOWN): None})
    return {text: tuple(of_text) for text, of_text in cards.items()}


_SYMBOLS = "♣♦♥♠"
_FOLD = str.maketrans(
    dict(zip("♧♢♡♤", _SYMBOLS, strict=True))
    | dict.fromkeys("\u2010\u2011\u2012\u2013\u2014\u2212\ufe63\uff0d", "-")
    | {"×": "X", "\ufe0e": None, "\ufe0f": None, "\u200b": None}
)
# Those of all languages, but for O, which is East in some and West in others.
_SEATS = {"N": 0, "E": 1, "S": 2, "W": 3, "NORTH": 0, "EAST": 1, "SOUTH": 2, "WEST": 3} | {
    "Ø": 1,
    "Ö": 1,
    "Z": 2,
    "V": 3,
}
_ALL_SEATS = (
    _SEATS
    | dict.fromkeys(("NORD", "NOORD", "NORR", "NORTE"), 0)
    | dict.fromkeys(("ØST", "ÖST", "OST", "OOST", "EST", "ESTE"), 1)
    | dict.fromkeys(("SUD", "SÜD", "SYD", "SØR", "ZUID", "SUR", "SUL"), 2)
    | dict.fromkeys(("VEST", "VÄST", "OUEST", "OESTE", "OVEST"), 3)
)
_UP_TO_LEVEL = re.compile(r"\D*\d+\s*")
_BY = "BY|PAR|VON|DOOR|AV|AF|POR"
_DOUBLES = (
    dict.fromkeys(("", "-", "0", "NO"), 0)
    | dict.fromkeys(("X", "*", "D", "DBL", "DOUBLED", "1"), 1)
    | dict.fromkeys(("XX", "**", "R", "RDBL", "REDOUBLED", "2"), 2)
)
_VULNERABILITIES = (
    dict.fromkeys(("-", "O", "0", "NONE", "NIL", "LOVE", "LOVEALL", "NEITHER", "NOBODY", "NO"), 0)
    | dict.fromkeys(("PERSONNE", "NIEMAND", "KEINER", "INGEN", "NINGUNO", "NESSUNO", "NIKT"), 0)
    | dict.fromkeys(("N", "NS", "NORTHSOUTH", "NZ"), 1)
    | dict.fromkeys(("E", "EW", "EASTWEST", "WE", "EO", "OE", "OW", "ØV", "ÖV", "OV"), 2)
    | dict.fromkeys(("B", "BOTH", "ALL", "GAME", "GAMEALL", "NSEW"), 3)
    | dict.fromkeys(("TOUS", "ALLE", "ALLEN", "ALLA", "BEIDE", "TODOS", "TUTTI"), 3)
)
_PASSES = {
    "P",
    "PASS",
    "PASSED",
    "PASSES",
    "AP",
    "ALL PASS",
    "ALLPASS",
    "PASS OUT",
    "PASSOUT",
    "PASSED OUT",
    "PASSE",
    "PAS",
    "PASO",
    "PASSO",
    "RUNDPASS",
    "RONDPAS",
    "-",
}
_UNPLAYED = {"", "NP", "N/P", "NOT PLAYED", "NOTPLAYED", "UNPLAYED"}
_RANKS = ("", "X", "2", "3", "4", "5", "6", "7", "8", "9", "T", "J", "Q", "K", "A")
_AVERAGE = re.compile(r"A(?:V|VE|VG|VERAGE)?([+-])?")
_SHARE = r"(\d{2}|100|0)"
_EXACT = r"(\d{2}|\d{1,2}[.,]\d{1,2}|100(?:[.,]00?)?|0)"
_SPLIT = re.compile(
    rf"A{_SHARE}%?[/:-]?{_SHARE}%?|A{_EXACT}%?[/:-]{_EXACT}%?|{_EXACT}(?:%?[/:-]|%){_EXACT}%?|{_EXACT}%"
)
