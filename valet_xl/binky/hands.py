"""Hands and holdings as people write them, read a whole column at a time into arrays; and written again."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from valet_xl.engine.arrays import Index, Mask, count_by, sum_by
from valet_xl.errors import ValetError, shortened

RANKS = "AKQJT98765432"
SUITS = ("spades", "hearts", "diamonds", "clubs")
HONOURS = 6  # A K Q J T 9 count by name; what is below them are spots, all alike
SPOTS = 7  # 8 to 2
CARDS = 13

# Every pattern of a hand, the commonest first, with the longest suit first in each; the last of them are rare.
PATTERNS = (
    *((4, 4, 3, 2), (5, 3, 3, 2), (5, 4, 3, 1), (5, 4, 2, 2), (4, 3, 3, 3), (6, 3, 2, 2), (6, 4, 2, 1), (6, 3, 3, 1)),
    *((5, 5, 2, 1), (4, 4, 4, 1), (7, 3, 2, 1), (6, 4, 3, 0), (5, 4, 4, 0), (5, 5, 3, 0), (6, 5, 1, 1), (6, 5, 2, 0)),
    *((7, 2, 2, 2), (7, 4, 1, 1), (7, 4, 2, 0), (7, 3, 3, 0), (8, 2, 2, 1), (8, 3, 1, 1), (7, 5, 1, 0), (8, 3, 2, 0)),
    *((6, 6, 1, 0), (8, 4, 1, 0), (9, 2, 1, 1), (9, 3, 1, 0), (9, 2, 2, 0), (7, 6, 0, 0), (8, 5, 0, 0), (10, 2, 1, 0)),
    *((9, 4, 0, 0), (10, 1, 1, 1), (10, 3, 0, 0), (11, 1, 1, 0), (11, 2, 0, 0), (12, 1, 0, 0), (13, 0, 0, 0)),
)


def pattern_of(text: str) -> int:
    """The place in PATTERNS of a pattern, its lengths in any order.

    >>> PATTERNS[pattern_of("0-4-5-4")]
    (5, 4, 4, 0)

    Raises
    ------
    ValetError : if these are not four lengths that add up to 13
    """
    parts = [part.strip() for part in text.replace("\N{EN DASH}", "-").split("-")]
    lengths = [int(part) for part in parts if part.isascii() and part.isdigit() and len(part) <= 2]
    if len(parts) != 4 or len(lengths) != 4 or sum(lengths) != CARDS:
        raise ValetError(
            f"pattern: '{shortened(text)}' (expected four lengths that add up to {CARDS}, such as 5-4-4-0)"
        )
    return PATTERNS.index(tuple(sorted(lengths, reverse=True)))


@dataclass(frozen=True, slots=True, eq=False)
class Hands:
    """Hands as arrays, (n, 4) with the suits in the order spades, hearts, diamonds, clubs.

    named : the cards that were written by their names, a bit each, the ace 4096 and the two 1
    unnamed : how many spots were written as x; each is an 8 or lower

    A row without cards is a blank or a hand that could not be read.
    """

    named: NDArray[np.int16]
    unnamed: NDArray[np.int16]

    def __len__(self) -> int:
        return len(self.named)

    @property
    def lengths(self) -> Index:
        """(n, 4) cards of each suit."""
        return np.asarray(_COUNT[self.named] + self.unnamed, dtype=np.intp)

    @property
    def honours(self) -> Index:
        """(n, 4) which of A K Q J T 9 each suit holds, a bit each, the ace 32 and the nine 1."""
        return np.asarray(self.named >> SPOTS, dtype=np.intp)

    @property
    def patterns(self) -> Index:
        """(n,) the place in PATTERNS of each hand's pattern, -1 where there are not 13 cards."""
        return _PATTERN[tuple(self.lengths.T)]


@dataclass(frozen=True, slots=True, eq=False)
class ReadHands:
    """What was read from a column of texts.

    hands : a row for each text, without cards where it is blank or wrong
    errors : what is wrong, by place in the column
    """

    hands: Hands
    errors: dict[int, ValetError]


def read_hands(texts: Sequence[str]) -> ReadHands:
    """Read a column of hands, each in any usual spelling.

    Parameters
    ----------
    texts : each with four suits, spades first, between dots as in PBN or between blanks or commas, or each suit behind
        its letter or symbol in any order: `AKx.KQxx.x.Axxxx`, `AKx KQxx x Axxxx`, `S AKx H KQxx D x C Axxxx`. Cards
        are A K Q J T (or 10) 9 to 2 and x for any spot below the nine, in any case; a void is - or nothing between
        dots or behind a suit. A text without anything in it is a blank.

    Returns
    -------
    the hands, and an error for each text that is none: other characters, not four suits, a card twice, more than seven
    spots in a suit, not 13 cards

    >>> read_hands(["AKx.KQxx.x.Axxxx", "S AKx H KQxx D x C Axxxx"]).hands.lengths.tolist()
    [[3, 4, 1, 5], [3, 4, 1, 5]]
    """
    return _read(texts, suits=4)


def read_holdings(texts: Sequence[str]) -> ReadHands:
    """Read a column of holdings in one suit, such as `AKxxx`; a void is -.

    Returns
    -------
    hands of one suit, (n, 1), and an error for each text that is no holding

    >>> read_holdings(["AKxxx", "q1098"]).hands.honours.tolist()
    [[48], [11]]
    """
    return _read(texts, suits=1)


def hand_of(text: str) -> Hands:
    """Read one hand (see `read_hands`).

    Raises
    ------
    ValetError : where it is none
    """
    return _one(text, "hand", read_hands([text]))


def holding_of(text: str) -> Hands:
    """Read one holding (see `read_holdings`).

    Raises
    ------
    ValetError : where it is none
    """
    return _one(text, "holding", read_holdings([text]))


def clash(hands: Hands, partners: Hands) -> dict[int, ValetError]:
    """What cannot be in one deal: pairs of hands that hold the same card, or more than seven spots of a suit.

    Returns
    -------
    an error by place, for pairs of hands that can be read
    """
    both = hands.named & partners.named
    spots = _COUNT[hands.named & _LOW] + _COUNT[partners.named & _LOW] + hands.unnamed + partners.unnamed
    errors = {}
    for at in np.flatnonzero(((both > 0) | (spots > SPOTS)).any(axis=1)).tolist():
        suit = int(((both[at] > 0) | (spots[at] > SPOTS)).argmax())
        if both[at, suit]:
            errors[at] = ValetError(
                f"hand, partner: both hold {_card(int(both[at, suit]), suit)} (expected one of them)"
            )
        else:
            errors[at] = ValetError(
                f"hand, partner: {spots[at, suit]} spots in {SUITS[suit]} between them (expected at most {SPOTS})"
            )
    return errors


def texts_of(hands: Hands) -> list[str]:
    """Hands as text, with dots between the suits.

    >>> texts_of(hand_of("s AKx h KQxx c A10xxxx"))
    ['AKx.KQxx..ATxxxx']
    """
    rows = zip(hands.named.tolist(), hands.unnamed.tolist(), strict=True)
    return [".".join(holding_text(*suit) for suit in zip(*row, strict=True)) for row in rows]


def holding_text(named: int, unnamed: int) -> str:
    """One suit's cards: those with a name, and as many x as others.

    >>> holding_text(0b1100000000000, 3)
    'AKxxx'
    """
    return "".join(rank for place, rank in enumerate(RANKS) if named >> (CARDS - 1 - place) & 1) + "x" * unnamed


def _one(text: str, what: str, reading: ReadHands) -> Hands:
    for error in reading.errors.values():
        raise error
    if not reading.hands.lengths.any() and "-" not in text:
        raise ValetError(f"{what}: {shortened(text)!r} has no cards (expected cards such as AKx)")
    return reading.hands


def _count_table() -> NDArray[np.int16]:
    """(8192,) how many cards a suit's bits are."""
    numbers = np.arange(1 << CARDS)
    return np.sum([numbers >> bit & 1 for bit in range(CARDS)], axis=0).astype(np.int16)


def _pattern_table() -> Index:
    """(14, 14, 14, 14) the place in PATTERNS of four lengths, -1 where they are not 13 together."""
    lengths = np.indices((CARDS + 1,) * 4).reshape(4, -1)
    right = lengths.sum(axis=0) == CARDS
    table = np.full(lengths.shape[1], -1)
    places = {pattern: place for place, pattern in enumerate(PATTERNS)}
    table[right] = [places[tuple(four)] for four in np.sort(lengths[:, right], axis=0)[::-1].T.tolist()]
    return table.reshape((CARDS + 1,) * 4)


_COUNT = _count_table()
_LOW = np.int16((1 << SPOTS) - 1)
_PATTERN = _pattern_table()

# What a character is: a rank 0-12, an x, a separator, a mark of a void, a suit, or nothing that belongs into a hand.
_X, _DOT, _BLANK, _DASH, _SUIT, _END, _OTHER = 13, 14, 15, 16, 17, 21, 22
_LETTERS = "SHDC"


def _kind_table() -> NDArray[np.uint8]:
    table = np.full(256, _OTHER, dtype=np.uint8)
    for text, first, step in ((RANKS, 0, 1), ("X", _X, 0), (".", _DOT, 0), (" ", _BLANK, 0), ("-", _DASH, 0)):
        for place, letter in enumerate(text):
            table[ord(letter)] = first + step * place
    for place, letter in enumerate(_LETTERS):
        table[ord(letter)] = _SUIT + place
    table[0] = _END
    return table


_KIND = _kind_table()
_SAME = str.maketrans(
    {
        **{letter.lower(): letter for letter in "AKQJTXSHDC"},
        **{
            symbol: letter
            for symbols, letter in zip(("♠♤", "♥♡", "♦♢", "♣♧"), _LETTERS, strict=True)
            for symbol in symbols
        },
        **dict.fromkeys("\t\n\r\u00a0\u2009\u202f,;:", " "),
        **dict.fromkeys("–—−", "-"),
        **dict.fromkeys("\ufe0e\ufe0f", ""),  # say how a symbol is drawn
    }
)
_ROWS = 1 << 14  # texts at a time, which bounds the memory of a long column
_LONGEST = 100  # characters of a text that is worth reading

_FINE, _CHARACTER, _BEFORE, _SUITS, _TWICE, _VOID, _CARD, _SPOTS, _CARDS = range(9)


def _read(texts: Sequence[str], suits: int) -> ReadHands:
    """Read hands (4 suits) or holdings (1), some thousand at a time."""
    parts = [_Counted.of(texts[at : at + _ROWS], suits) for at in range(0, len(texts), _ROWS)]
    parts = parts or [_Counted.of([], suits)]
    errors = {
        block * _ROWS + at: _error(texts[block * _ROWS + at], part, at, suits)
        for block, part in enumerate(parts)
        for at in np.flatnonzero(part.problem).tolist()
    }
    named, unnamed = (np.concatenate([getattr(part, name) for part in parts]) for name in ("named", "unnamed"))
    wrong = np.concatenate([part.problem for part in parts]) != _FINE
    named[wrong] = 0
    unnamed[wrong] = 0
    return ReadHands(Hands(named.astype(np.int16), unnamed.astype(np.int16)), errors)


@dataclass(frozen=True, slots=True, eq=False)
class _Counted:
    """What was found in texts, (n, suits) unless another shape is given.

    named, unnamed : as in Hands; a card that is there twice spoils the bits
    cards : how many were written by name
    separate : (n,) suits as they were separated
    problem : (n,) what is wrong, the first of those that may be
    """

    named: Index
    unnamed: Index
    cards: Index
    separate: Index
    problem: Index

    @classmethod
    def of(cls, texts: Sequence[str], suits: int) -> _Counted:
        size = len(texts)
        kind = _kinds(texts)
        row = np.cumsum(kind == _END) - (kind == _END)  # the end is of the text that it ends
        last = np.flatnonzero(kind == _END)
        first = np.append(0, last[:-1] + 1)[:size]

        def per_row(mask: Mask) -> Index:
            return count_by(row[mask], size)

        suit = np.zeros(len(kind), dtype=np.intp)
        separate = np.full(size, suits)
        before: Mask = np.zeros(size, dtype=bool)
        twice: Mask = before
        foreign = kind == _OTHER
        if suits == 1:
            foreign = foreign | (kind == _DOT) | ((kind >= _SUIT) & (kind < _END))
        else:
            letter = (kind >= _SUIT) & (kind < _END)
            lettered, dotted = per_row(letter) > 0, per_row(kind == _DOT) > 0
            solid = (kind != _BLANK) & (kind != _END)
            starts = solid & ~np.append(False, solid[:-1])
            by_word, by_dot = np.cumsum(starts), np.cumsum(kind == _DOT)
            words = by_word - (by_word[first] - starts[first])[row] - 1
            dots = by_dot - (by_dot[first] - (kind[first] == _DOT))[row]
            suit = np.where(dotted[row], dots, words)
            separate = np.where(dotted, per_row(kind == _DOT) + 1, per_row(starts))
            if letter.any():
                latest = np.maximum.accumulate(np.where(letter, np.arange(len(kind)), -1))
                headed = latest >= first[row]
                suit = np.where(lettered[row], np.where(headed, kind[latest] - _SUIT, 0), suit)
                separate = np.where(lettered, suits, separate)
                before = per_row((kind <= _X) & ~headed & lettered[row]) > 0
                heads = count_by(row[letter] * 4 + kind[letter] - _SUIT, 4 * size)
                twice = np.asarray((heads.reshape(size, 4) > 1).any(axis=1))
            suit = np.minimum(np.maximum(suit, 0), suits - 1)
        place = row * suits + suit

        def per_suit(mask: Mask) -> Index:
            return count_by(place[mask], suits * size).reshape(size, suits)

        by_name = kind < _X
        bits = np.ldexp(1.0, CARDS - 1 - kind[by_name].astype(np.intp))
        named = sum_by(place[by_name], bits, suits * size).astype(np.intp).reshape(size, suits)
        cards = per_suit(by_name)
        unnamed, dashes = per_suit(kind == _X), per_suit(kind == _DASH)
        # A power of two that is added twice is carried: there are then fewer bits than cards.
        double = (named >= 1 << CARDS) | (_COUNT[named & ((1 << CARDS) - 1)] != cards)
        spots = _COUNT[named & _LOW] + unnamed
        total = (cards + unnamed).sum(axis=1)
        wrong = total != CARDS if suits > 1 else (total == 0) & (dashes[:, 0] == 0)
        tests = (
            (per_row(foreign) > 0, _CHARACTER),
            (before, _BEFORE),
            (twice, _TWICE),
            (separate != suits, _SUITS),
            (((dashes > 0) & (cards + unnamed > 0)).any(axis=1), _VOID),
            (double.any(axis=1), _CARD),
            ((spots > SPOTS).any(axis=1), _SPOTS),
            (wrong, _CARDS),
        )
        problem = np.select([test for test, _ in tests], [code for _, code in tests], _FINE)
        problem[per_row((kind != _BLANK) & (kind != _END)) == 0] = _FINE  # a blank
        return cls(named, unnamed, cards, separate, problem)


def _kinds(texts: Sequence[str]) -> NDArray[np.uint8]:
    """What each character of texts is, an end behind each text."""
    joined = "\0".join(texts)
    if joined.count("\0") != len(texts) - 1 or len(joined) > _LONGEST * len(texts):
        joined = "\0".join(text[:_LONGEST].replace("\0", "?") for text in texts)
    same = joined.translate(_SAME).replace("10", "T")
    whole = np.frombuffer(same.encode("latin-1", "replace") + b"\0" * (len(texts) > 0), dtype=np.uint8)
    return _KIND[whole]


def _error(text: str, counted: _Counted, at: int, suits: int) -> ValetError:
    """Say what is wrong with a text, and what was expected."""
    what = "hand" if suits > 1 else "holding"
    problem = counted.problem[at]
    named, unnamed = counted.named[at], counted.unnamed[at]
    if problem == _CHARACTER:
        kind = _KIND[np.frombuffer(text[:_LONGEST].translate(_SAME).encode("latin-1", "replace"), dtype=np.uint8)]
        wrong = {_OTHER, _END} | ({_DOT, *range(_SUIT, _END)} if suits == 1 else set())
        odd = next(
            (letter for letter, of in zip(text.translate(_SAME), kind.tolist(), strict=False) if of in wrong), "1"
        )
        says = f"has {odd!r}, which is no card (expected A K Q J T 10 9 to 2 or x)"
    elif problem == _BEFORE:
        says = "has cards before the first suit (expected each suit's letter before its cards)"
    elif problem == _TWICE:
        says = "has a suit twice (expected each suit once)"
    elif problem == _SUITS:
        count = int(counted.separate[at])
        says = f"has {count} suit{'s' * (count != 1)} (expected 4, with dots or blanks between them and - for a void)"
    elif problem == _VOID:
        says = "has - and cards (expected - alone for a void)"
    elif problem == _CARD:
        says = f"has a card twice{_of_suit(np.flatnonzero(_doubled(counted, at)), suits)} (expected each card once)"
    elif problem == _SPOTS:
        spots = _COUNT[named & _LOW] + unnamed
        worst = int(spots.argmax())
        says = f"has {spots[worst]} spots{_of_suit([worst], suits)} (expected at most {SPOTS}: 8 to 2)"
    else:
        total = int((counted.cards[at] + unnamed).sum())
        says = f"has {total} card{'s' * (total != 1)} (expected {CARDS})"
    return ValetError(f"{what}: {shortened(text)!r} {says}")


def _doubled(counted: _Counted, at: int) -> Mask:
    named = counted.named[at]
    return np.asarray((named >= 1 << CARDS) | (_COUNT[named & ((1 << CARDS) - 1)] != counted.cards[at]))


def _of_suit(places: Sequence[int] | Index, suits: int) -> str:
    return f" in {SUITS[int(places[0])]}" if suits > 1 else ""


def _card(bits: int, suit: int) -> str:
    """The highest card of a suit's bits, in words."""
    names = ("ace", "king", "queen", "jack", "ten", "nine", "eight", "seven", "six", "five", "four", "three", "two")
    return f"the {names[CARDS - bits.bit_length()]} of {SUITS[suit]}"
