"""Deals as people and programs write them, read into arrays of owners; and written again."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import ArrayLike, NDArray

from valet_xl.engine.arrays import Index
from valet_xl.errors import NotationError
from valet_xl.messages import counted

Bytes = NDArray[np.uint8]

RANKS = "AKQJT98765432"
SEATS = "NESW"
CARDS = 13
DECK = 52

_LETTERS = "SHDC"
_PLACE = {rank: place for place, rank in enumerate(RANKS)}
_LIN_SEATS = (2, 3, 0, 1)  # South, West, North, East
_EXPECTED = "such as N:AK2.QJ3.987.6543 and three more hands, clockwise from the seat that is named"
_EXPECTED_LIN = "hands of South, West, North and East, such as 1SAKHQJ3D987C65432,..."
_SYMBOLS = str.maketrans({"♠": "S", "♥": "H", "♦": "D", "♣": "C", "\u00a0": " ", "–": "-", "—": "-"})


def deal_of(text: str) -> Bytes:
    """Read one deal.

    Parameters
    ----------
    text : as PBN writes it, `N:AK2.QJ3.987.6543 ...`, the hands clockwise from the seat that is named, spades first;
        or as LIN does, `3SAK2HQJ3D987C6543,...`, the dealer's number and the hands of South, West, North and East. A
        ten is T or 10. One hand may be left out, or be `-`: it has the cards that nobody else has.

    Returns
    -------
    (52,) who holds each card, spades A K Q ... 2, then hearts, diamonds, clubs; 0 N, 1 E, 2 S, 3 W

    Raises
    ------
    NotationError : for a text of another form, a card twice or one that nobody holds, or a hand without 13 cards

    >>> deal = deal_of("N:AKQJT98765432... .AKQJT98765432.. ..AKQJT98765432. ...AKQJT98765432")
    >>> deal[[0, 13, 26, 51]].tolist()
    [0, 1, 2, 3]
    """
    plain = " ".join(text.translate(_SYMBOLS).split())
    found = re.fullmatch(r"([NESW]) ?: ?(.*)", plain, re.IGNORECASE)
    if found:
        first = SEATS.index(found[1].upper())
        hands = found[2].split(" ")
        if not 3 <= len(hands) <= 4:
            raise NotationError("deal", text, f"{counted(len(hands), 'hand')}; expected {_EXPECTED}")
        return _dealt(text, {(first + at) % 4: _dotted(text, hand) for at, hand in enumerate(hands)})
    found = re.fullmatch(r"([1-4])?(S[^,]*,.*)", plain, re.IGNORECASE)
    if found:
        hands = found[2].replace(" ", "").split(",")
        if len(hands) > 4:
            raise NotationError("deal", text, f"{counted(len(hands), 'hand')}; expected {_EXPECTED_LIN}")
        return _dealt(text, {_LIN_SEATS[at]: _lettered(text, hand) for at, hand in enumerate(hands)})
    raise NotationError("deal", text, f"expected {_EXPECTED}")


def deal_text(owner: Bytes) -> str:
    """(52,) owners as PBN text, North first.

    >>> deal_text(np.arange(52) // 13)
    'N:AKQJT98765432... .AKQJT98765432.. ..AKQJT98765432. ...AKQJT98765432'
    """
    suits = np.asarray(owner).reshape(4, CARDS)
    hands = (".".join("".join(RANKS[c] for c in np.flatnonzero(suit == seat)) for suit in suits) for seat in range(4))
    return f"N:{' '.join(hands)}"


def hands_text(hands: Mapping[str, Sequence[str]]) -> str:
    """Hands as PBN text, whether they are a deal or not: `deal_of` judges that.

    Parameters
    ----------
    hands : by seat, N E S W: the cards of its four suits, spades first, in any spelling; no other blanks are kept

    >>> hands_text({"N": ["A K", "10 9", "", "-"]})
    'N:AK.T9.. - - -'
    """

    def suit(cards: str) -> str:
        letters = "".join(cards.translate(_SYMBOLS).upper().replace("10", "T").split())
        return letters.strip("-")

    return "N:" + " ".join(".".join(map(suit, hands[seat])) if seat in hands else "-" for seat in SEATS)


def card_text(card: int) -> str:
    """A card by its place in the order of owners.

    >>> card_text(0), card_text(51)
    ('SA', 'C2')
    """
    return _LETTERS[card // CARDS] + RANKS[card % CARDS]


def card_places(suit: ArrayLike, rank: ArrayLike) -> Index:
    """The places in the order of owners of cards as results have them.

    Parameters
    ----------
    suit : 0-3, clubs to spades
    rank : 2-14, ace high

    >>> card_places([3, 0], [14, 2]).tolist()
    [0, 51]
    """
    return (3 - np.asarray(suit, dtype=np.intp)) * CARDS + 14 - np.asarray(rank, dtype=np.intp)


def _dotted(text: str, hand: str) -> list[str] | None:
    """The suits of a hand of PBN; None for one that is not said."""
    if hand == "-":
        return None
    suits = hand.split(".")
    if len(suits) != 4:
        raise NotationError("deal", text, f"hand {hand!r} has {len(suits)} suits; expected four between dots")
    return ["" if suit == "-" else suit for suit in suits]


def _lettered(text: str, hand: str) -> list[str] | None:
    """The suits of a hand of LIN, in any order; None for one that is not said."""
    if not hand:
        return None
    pieces = re.findall(r"([SHDC])([^SHDC]*)", hand.upper())
    suits = dict(pieces)
    if len(suits) < len(pieces) or "".join(letter + cards for letter, cards in pieces) != hand.upper():
        raise NotationError("deal", text, f"hand {hand!r}; expected each suit behind its letter")
    return [suits.get(letter, "") for letter in _LETTERS]


def _dealt(text: str, hands: Mapping[int, list[str] | None]) -> Bytes:
    owner = np.full(DECK, 4, dtype=np.uint8)
    for seat, suits in hands.items():
        for suit, cards in enumerate(suits or ()):
            for letter in cards.upper().replace("10", "T"):
                if letter not in _PLACE:
                    raise NotationError("deal", text, f"{letter!r} is no card; expected A K Q J T 9 to 2")
                place = suit * CARDS + _PLACE[letter]
                if owner[place] < 4:
                    raise NotationError("deal", text, f"{card_text(place)} is there twice; expected each card once")
                owner[place] = seat
    held = np.bincount(owner, minlength=5)
    unsaid = [seat for seat in range(4) if hands.get(seat) is None]
    if len(unsaid) == 1 and held[4] == CARDS:
        owner[owner == 4] = unsaid[0]
        held = np.bincount(owner, minlength=5)
    for seat, name in enumerate(SEATS):
        if held[seat] != CARDS:
            raise NotationError(
                "deal", text, f"{name} has {counted(int(held[seat]), 'card')}; expected {CARDS} in each hand"
            )
    return owner
