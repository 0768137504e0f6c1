"""A double-dummy solver of few lines, which tries every legal card: for endings, to judge a fast one."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

Card = tuple[int, int]  # suit 0-3 and rank
Hands = tuple[frozenset[Card], ...]


def declarers_tricks(hands: Sequence[Sequence[Card]], trump: int, declarer: int) -> int:
    """What declarer takes when the hand on his left leads; `trump` is 0-3, or 4 for notrump."""
    held = tuple(frozenset(hand) for hand in hands)
    return _most(held, (), (declarer + 1) % 4, trump, declarer % 2)


def after_lead(hands: Sequence[Sequence[Card]], trump: int, declarer: int, card: Card) -> int:
    """What declarer takes after an opening lead: the rest is solved card by card."""
    leader = (declarer + 1) % 4
    held = [frozenset(hand) for hand in hands]
    held[leader] = held[leader] - {card}
    return _most(tuple(held), (card,), leader, trump, declarer % 2)


@cache
def _most(hands: Hands, trick: tuple[Card, ...], leader: int, trump: int, side: int) -> int:
    """Tricks that a side takes from here on, with the cards of a trick on the table."""
    seat = (leader + len(trick)) % 4
    if not trick and not hands[leader]:
        return 0
    follow = [card for card in hands[seat] if trick and card[0] == trick[0][0]]
    best = -1 if seat % 2 == side else 99
    for card in follow or hands[seat]:
        left = (*hands[:seat], hands[seat] - {card}, *hands[seat + 1 :])
        played = (*trick, card)
        if len(played) < 4:
            tricks = _most(left, played, leader, trump, side)
        else:
            led = played[0][0]
            winner = max(range(4), key=lambda at: (played[at][0] == trump, played[at][0] == led, played[at][1]))
            won = (leader + winner) % 4
            tricks = (won % 2 == side) + _most(left, (), won, trump, side)
        best = max(best, tricks) if seat % 2 == side else min(best, tricks)
    return best
