"""How players of different languages write suits, seats and cards: one table."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

Words = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Language:
    """How a language writes suits, seats and cards, in capitals; symbols of suits are the same in all languages.

    name : what people call it
    suits : the words for clubs, diamonds, hearts and spades, the usual letter first
    notrump : its own words for notrump; `UNIVERSAL` are known besides
    ranks : the words for ace, king, queen and jack
    o_is : the seat that O means, 1 East or 3 West; -1 where it means none
    """

    name: str
    suits: tuple[Words, Words, Words, Words]
    notrump: Words
    ranks: tuple[Words, Words, Words, Words]
    o_is: int = -1

    @property
    def letters(self) -> str:
        """The usual letters of the suits from clubs to spades.

        >>> LANGUAGES["french"].letters
        'T K C P'
        """
        return " ".join(words[0] for words in self.suits)


UNIVERSAL = ("NT", "N", "SA", "NO TRUMP", "NO TRUMPS", "NOTRUMP", "NOTRUMPS")  # for notrump, in every language
_EAST, _WEST = 1, 3

_FRENCH_SUITS = (
    ("T", "TREFLE", "TREFLES", "TRÈFLE", "TRÈFLES"),
    ("K", "CA", "CARREAU", "CARREAUX"),
    ("C", "COEUR", "COEURS", "CŒUR", "CŒURS"),
    ("P", "PIQUE", "PIQUES"),
)
_NORDIC_RANKS = (("E", "ES", "ESS", "A"), ("K",), ("D",), ("B", "KN"))

LANGUAGES: Mapping[str, Language] = MappingProxyType(
    {
        "english": Language(
            "English",
            (("C", "CLUB", "CLUBS"), ("D", "DIAMOND", "DIAMONDS"), ("H", "HEART", "HEARTS"), ("S", "SPADE", "SPADES")),
            ("NT", "N", "NO TRUMP", "NO TRUMPS", "NOTRUMP", "NOTRUMPS"),
            (("A",), ("K",), ("Q",), ("J",)),
        ),
        "french": Language(
            "French",
            _FRENCH_SUITS,
            ("SA", "SANS", "SANS ATOUT"),
            (("A",), ("R",), ("D",), ("V",)),
            _WEST,
        ),
        "german": Language(
            "German",
            (
                ("T", "KR", "TREFF", "KREUZ"),
                ("K", "KA", "KARO"),
                ("C", "COEUR", "CŒUR", "HERZ"),
                ("P", "PI", "PIK"),
            ),
            ("SA", "OHNE", "SANS ATOUT"),
            (("A",), ("K",), ("D",), ("B",)),
            _EAST,
        ),
        "dutch": Language(
            "Dutch",
            (
                ("K", "KL", "KLAVER", "KLAVEREN"),
                ("R", "RU", "RUITEN"),
                ("H", "HA", "HARTEN"),
                ("S", "SC", "SCHOPPEN"),
            ),
            ("SA", "NT", "SANS", "SANS ATOUT"),
            (("A",), ("H",), ("V",), ("B",)),
            _EAST,
        ),
        "danish": Language(
            "Danish",
            (("K", "KL", "KLØR"), ("R", "RU", "RUDER"), ("H", "HJ", "HJERTER"), ("S", "SP", "SPAR")),
            ("UT", "NT", "SANS"),
            _NORDIC_RANKS,
            _EAST,
        ),
        "norwegian": Language(
            "Norwegian",
            (("K", "KL", "KLØVER"), ("R", "RU", "RUTER"), ("H", "HJ", "HJERTER"), ("S", "SP", "SPAR")),
            ("NT", "UT", "G", "GRAND"),
            _NORDIC_RANKS,
            _EAST,
        ),
        "swedish": Language(
            "Swedish",
            (("K", "KL", "KLÖVER"), ("R", "RU", "RUTER"), ("H", "HJ", "HJÄRTER"), ("S", "SP", "SPADER")),
            ("NT", "ST", "SANG"),
            _NORDIC_RANKS,
            _EAST,
        ),
        "polish": Language(
            "Polish",
            (("T", "TR", "TREFL"), ("K", "KA", "KARO"), ("C", "KI", "KIER"), ("P", "PI", "PIK")),
            ("BA", "NT", "BEZ ATU"),
            (("A",), ("K",), ("D",), ("W",)),
        ),
        "spanish": Language(
            "Spanish",
            (
                ("T", "TREBOL", "TREBOLES", "TRÉBOL", "TRÉBOLES"),
                ("D", "R", "DIAMANTE", "DIAMANTES", "ROMBO", "ROMBOS"),
                ("C", "CORAZON", "CORAZONES", "CORAZÓN"),
                ("P", "PICA", "PICAS", "PIQUE", "PIQUES"),
            ),
            ("ST", "SA", "SIN TRIUNFO", "SIN TRIUNFOS"),
            (("A",), ("R",), ("D",), ("J", "V")),
            _WEST,
        ),
        "italian": Language(
            "Italian",
            (("F", "FIORI"), ("Q", "QUADRI"), ("C", "CUORI"), ("P", "PICCHE")),
            ("SA", "SENZA", "SENZA ATOUT"),
            (("A",), ("R",), ("D",), ("F",)),
            _WEST,
        ),
        "portuguese": Language(
            "Portuguese",
            (("P", "PAUS"), ("O", "OUROS"), ("C", "COPAS"), ("E", "ESPADAS")),
            ("ST", "SA", "SEM TRUNFO", "SEM TRUNFOS"),
            (("A",), ("R",), ("D",), ("V",)),
            _WEST,
        ),
    }
)
"""The languages by the word that the option `language` has for them."""

ENGLISH = LANGUAGES["english"]
