"""What calls and cards that were recorded one by one come to: the contract, who declares it, and declarer's tricks."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from valet_xl.errors import NotationError

_SEATS = "NESW"
_RANKS = "23456789TJQKA"
_PASSES = {"P", "PASS", "-", "--"}
_DOUBLES = {**dict.fromkeys(("D", "X", "DBL"), "X"), **dict.fromkeys(("R", "XX", "RDBL"), "XX")}


@dataclass(frozen=True, slots=True)
class Ended:
    """What an auction ended in: the contract, such as "4SX" or "Pass", and declarer's seat, "" in a pass-out."""

    contract: str
    declarer: str

    @property
    def strain(self) -> str:
        """C, D, H, S or N."""
        return self.contract[1]


def auction_ends(calls: Sequence[str], dealer: str) -> Ended:
    """The contract that an auction ends in.

    Parameters
    ----------
    calls : from the dealer on, such as "1H", "p", "3N!", "d", "r"; a mark of alert is not looked at
    dealer : N, E, S or W

    Raises
    ------
    NotationError : for a call that is none, or an auction that does not end

    >>> auction_ends(["1S", "p", "2N!", "p", "4S", "d", "p", "p", "p"], "E")
    Ended(contract='4SX', declarer='E')
    """
    first: dict[tuple[int, str], str] = {}  # of each side and strain the seat that named it first
    contract, bidder, double, passes = "", 0, "", 0
    for at, call in enumerate(calls):
        seat = (_SEATS.index(dealer) + at) % 4
        word = call.strip().rstrip("!*").upper()
        bid = re.fullmatch(r"([1-7])(C|D|H|S|NT?)", word)
        passes = passes + 1 if word in _PASSES else 0
        if bid:
            contract, bidder, double = bid[1] + bid[2][0], seat, ""
            first.setdefault((seat % 2, bid[2][0]), _SEATS[seat])
        elif word in _DOUBLES:
            double = _DOUBLES[word]
        elif word not in _PASSES:
            raise NotationError("auction", call, "expected a bid, pass, d or r")
    if passes < (3 if contract else 4):
        raise NotationError("auction", " ".join(calls), "expected three passes at its end")
    if not contract:
        return Ended("Pass", "")
    return Ended(contract + double, first[bidder % 2, contract[1]])


def tricks_won(cards: Sequence[str], strain: str, declarer: str) -> int | None:
    """Declarer's tricks in a play of all 52 cards; None where fewer are recorded.

    Parameters
    ----------
    cards : in the order of play, the suit first, such as "DK"
    strain : C, D, H, S or N
    declarer : N, E, S or W
    """
    if len(cards) != 52:
        return None
    seat, won = _SEATS.index(declarer), 0
    leader = (seat + 1) % 4
    for start in range(0, 52, 4):
        led, trick = cards[start][0], cards[start : start + 4]
        best = max(range(4), key=lambda at: _strength(trick[at], led, strain))
        leader = (leader + best) % 4
        won += (leader - seat) % 2 == 0
    return won


def _strength(card: str, led: str, strain: str) -> int:
    rank = _RANKS.find(card[1:].replace("10", "T"))
    return rank + 40 if card[0] == strain else rank + 20 if card[0] == led else rank
