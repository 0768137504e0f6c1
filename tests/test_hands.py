"""Hands and holdings: every spelling, every fault said, and no text that crashes."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from valet_xl.binky.hands import PATTERNS, RANKS, Hands, clash, hand_of, holding_of, read_hands, read_holdings, texts_of
from valet_xl.errors import ValetError

SPELLINGS = [
    "AKx.KQxx.x.Axxxx",
    "akX.kqxx.X.axxxx",
    "AKx KQxx x Axxxx",
    "AKx,KQxx,x,Axxxx",
    "AKx, KQxx, x, Axxxx",
    "  AKx . KQxx . x . Axxxx ",
    "S AKx H KQxx D x C Axxxx",
    "SAKx HKQxx Dx CAxxxx",
    "S: AKx H: KQxx D: x C: Axxxx",
    "C Axxxx D x H KQxx S AKx",
    "♠AKx ♥KQxx ♦x ♣Axxxx",
    "♤AKx ♡KQxx ♢x ♧Axxxx",
    "♠️ AKx\n♥️ KQxx\n♦️ x\n♣️ Axxxx",
    "A K x.K Q x x.x.A x x x x",
]


@pytest.mark.parametrize("text", SPELLINGS)
def test_all_spellings_are_the_same_hand(text: str) -> None:
    assert texts_of(hand_of(text)) == ["AKx.KQxx.x.Axxxx"]


@pytest.mark.parametrize(
    ("text", "same"),
    [
        ("AKQJ1098765432...", "AKQJT98765432..."),
        ("AKQJT98765432 - - -", "AKQJT98765432..."),
        ("-.-.-.AKQJT98765432", "...AKQJT98765432"),
        ("AK10.K1098.10.A10987", "AKT.KT98.T.AT987"),
        ("S AKQJT9xxxxxxx", "AKQJT9xxxxxxx..."),
        ("SAKQJT9xxxxxx H- D- Cx", "AKQJT9xxxxxx...x"),
        ("K1098x.432x.5432.", "KT98x.432x.5432."),
    ],
)
def test_tens_voids_and_digits(text: str, same: str) -> None:
    assert texts_of(hand_of(text)) == [same]


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("AKx.KQxx.x.Axxx", "hand: 'AKx.KQxx.x.Axxx' has 12 cards (expected 13)"),
        ("AKx.KQxx.x.Axxxxx", "has 14 cards (expected 13)"),
        ("AKxx.KQxx.x.AAxx", "has a card twice in clubs (expected each card once)"),
        ("AKx.K77x.x.Axxxx", "has a card twice in hearts"),
        ("AKz.KQxx.x.Axxxx", "has 'z', which is no card (expected A K Q J T 10 9 to 2 or x)"),
        ("AK1.KQxx.x.Axxxx", "has '1', which is no card"),
        ("AKxKQxxxAxxxx", "has 1 suit (expected 4"),
        ("AKx.KQxx.xAxxxx", "has 3 suits (expected 4"),
        ("AKx.KQxx.x.Axx.xx", "has 5 suits (expected 4"),
        ("S AKx S KQxx D x C Axxxx", "has a suit twice (expected each suit once)"),
        ("AKx H KQxx D x C Axxxx", "has cards before the first suit"),
        ("AKx.KQxx.-x.Axxxx", "has - and cards (expected - alone for a void)"),
        ("xxxxxxxx.KQ.K.Kx", "has 8 spots in spades (expected at most 7: 8 to 2)"),
        ("AKxxxxxx87.Kx.x.", "has 8 spots in spades"),
        ("hand", "has 'n'"),
    ],
)
def test_a_wrong_hand_says_why(text: str, says: str) -> None:
    with pytest.raises(ValetError) as raised:
        hand_of(text)
    assert says in str(raised.value)
    assert text in str(raised.value)


def test_a_blank_is_no_error_and_a_wrong_hand_leaves_its_neighbours_alone() -> None:
    reading = read_hands(["", "AKx.KQxx.x.Axxxx", "  ", "AKx.KQxx.x.Axxx"])
    assert list(reading.errors) == [3]
    assert reading.hands.patterns.tolist() == [-1, PATTERNS.index((5, 4, 3, 1)), -1, -1]


def test_holdings() -> None:
    """One suit: no dots or suits in it, a void is -, at least a card or a void."""
    reading = read_holdings(["AKxxx", "10", "-", "", "A.K", "SAK", "AA", "xxxxxxxx", "a k q"])
    assert sorted(reading.errors) == [4, 5, 6, 7]
    assert reading.hands.lengths[:, 0].tolist() == [5, 1, 0, 0, 0, 0, 0, 0, 3]
    assert holding_of("-").lengths.tolist() == [[0]]
    for text in ("", "A.K"):
        with pytest.raises(ValetError):
            holding_of(text)


def test_partners_cannot_hold_the_same_cards() -> None:
    """The same card by name, or more than seven spots of a suit between them."""
    hand = hand_of("AKx.KQxx.x.Axxxx")
    assert not clash(hand, hand_of("Qxx.Axx.AKx.KQJx"))
    assert "both hold the ace of spades" in str(clash(hand, hand_of("Axx.Jxx.AKx.KQJx"))[0])
    assert "8 spots in clubs" in str(clash(hand, hand_of("Qx.Ax.AKQx.Kxxxx"))[0])


@st.composite
def dealt(draw: st.DrawFn) -> list[list[int]]:
    """Four suits' ranks of a random hand."""
    cards = draw(st.permutations(range(52)))[:13]
    return [sorted(card % 13 for card in cards if card // 13 == suit) for suit in range(4)]


@given(dealt(), st.sampled_from([".", " ", ","]), st.booleans(), st.booleans())
def test_every_hand_is_read_and_written_again(suits: list[list[int]], between: str, lower: bool, ten: bool) -> None:
    text = between.join("".join(RANKS[rank] for rank in suit) or "-" for suit in suits)
    text = text.lower() if lower else text
    text = text.replace("T", "10") if ten else text
    hand = hand_of(text)
    assert hand.lengths[0].tolist() == [len(suit) for suit in suits]
    assert hand.honours[0].tolist() == [sum(1 << (5 - rank) for rank in suit if rank < 6) for suit in suits]
    assert hand.named[0].tolist() == [sum(1 << (12 - rank) for rank in suit) for suit in suits]
    assert texts_of(hand) == [".".join("".join(RANKS[rank] for rank in suit) for suit in suits)]


@given(st.lists(st.one_of(st.text(max_size=30), st.text("AKQJT98x10.- SHDC♠♥", max_size=24)), max_size=6))
def test_any_text_is_a_hand_a_blank_or_an_error(texts: list[str]) -> None:
    """And what a text is does not depend on its neighbours."""
    reading = read_hands(texts)
    assert len(reading.hands) == len(texts)
    for at, text in enumerate(texts):
        alone = read_hands([text])
        assert (0 in alone.errors) == (at in reading.errors)
        assert alone.hands.named.tolist() == reading.hands.named[at : at + 1].tolist()
        assert int(reading.hands.lengths[at].sum()) in (0, 13)
        if at in reading.errors:
            assert str(reading.errors[at]) == str(alone.errors[0])


def test_a_long_column_is_read_in_parts() -> None:
    texts = ["AKx.KQxx.x.Axxxx"] * 20_000 + ["AKx"]
    reading = read_hands(texts)
    assert list(reading.errors) == [20_000]
    assert (reading.hands.lengths[:-1] == (3, 4, 1, 5)).all()


def test_patterns_are_all_there_are() -> None:
    """39, four lengths of 13 cards each, the commonest first; a hand finds its own."""
    assert len(set(PATTERNS)) == 39
    assert {sum(pattern) for pattern in PATTERNS} == {13}
    assert [tuple(sorted(pattern, reverse=True)) for pattern in PATTERNS] == list(PATTERNS)
    texts = [".".join(RANKS[:length] for length in pattern) for pattern in PATTERNS]
    reading = read_hands(texts)
    assert reading.errors == {}
    assert reading.hands.patterns.tolist() == list(range(39))


def test_a_row_of_hands_is_a_slice() -> None:
    hands = read_hands(SPELLINGS).hands
    one = Hands(hands.named[2:3], hands.unnamed[2:3])
    np.testing.assert_array_equal(one.lengths, hands.lengths[2:3])
