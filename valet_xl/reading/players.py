"""Who is who in a file: players by their numbers in a federation, or else by their names."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache


@dataclass(frozen=True, slots=True)
class Player:
    """A player as a file writes them: the name, and a number in a federation or club, either of which may be blank."""

    name: str
    number: str = ""


# What is written where no person is to be named; numbers may follow.
_NOBODY = re.compile(
    r"(?:unknown(?: player)?|unbekannt|inconnu|sit[- ]?out|bye|nn+|n\. ?n\.?|tb[ac]|n/a|none|no[- ]?name|nobody"
    r"|anon(?:ymous)?|phantom|ghost|missing|vacant)[ #]*\d*|[-?.*_–—]+"
)


@lru_cache(maxsize=1 << 16)
def is_nobody(name: str) -> bool:
    """Whether a text in the place of a player's name or number is a placeholder for one.

    >>> [is_nobody(name) for name in ("NNN999", "Unknown", "N.N.", "Sit out", "?", "-", "Nn Alm", "Noname Smith")]
    [True, True, True, True, True, True, False, False]
    """
    return _NOBODY.fullmatch(_folded(name)) is not None


def tags_of(players: Iterable[Player]) -> dict[Player, str]:
    """A tag for each player who has a name; whoever has one tag is one person.

    A number means one person if it always comes with one name. A number of noughts is no number. Without a number the
    name means the person.

    >>> tags_of([Player("Ann Alm", "17"), Player("Bo Ek", "0"), Player("Cy Dahl", "17")])
    {Player(name='Ann Alm', number='17'): 'Ann Alm, 17', Player(name='Bo Ek', number='0'): 'Bo Ek', \
Player(name='Cy Dahl', number='17'): 'Cy Dahl, 17'}
    """
    named = list(dict.fromkeys(player for player in players if player.name))
    names: dict[str, set[str]] = {}
    for player in named:
        names.setdefault(player.number, set()).add(_folded(player.name))
    tags = {}
    for player in named:
        number = player.number.strip("0 ") and player.number
        shared = len(names[player.number]) > 1
        tags[player] = player.name if not number else f"{player.name}, {number}" if shared else f"number {number}"
    return tags


def pair_name(players: Sequence[str]) -> str:
    """What a pair is called whose players are known; '' without any.

    >>> pair_name(["Bo Ek", "", "Ann Alm"])
    'Ann Alm - Bo Ek'
    """
    return " - ".join(sorted(name for name in players if name and not is_nobody(name)))


def _folded(name: str) -> str:
    return " ".join(name.casefold().split())
