"""Names of sheets that spreadsheet programs accept: short, without forbidden characters, and each used once."""

from __future__ import annotations

import re
import unicodedata

from valet_xl.rankings.listing import printable

LONGEST = 31  # UTF-16 units, as Excel counts
_FORBIDDEN = re.compile(r"[\[\]:*?/\\]")
_RESERVED = {"history", "verlauf", "historique"}  # Excel keeps these for a sheet of its own


class SheetNames:
    """Gives out sheet names, no two of which a program considers the same."""

    def __init__(self) -> None:
        self._taken = set(_RESERVED)

    def give(self, wanted: str, fallback: str = "Sheet") -> str:
        """The legal name nearest to the wanted one, with a number after it if the name was given out before.

        >>> names = SheetNames()
        >>> names.give("1 O'Hara / Li: 'A'"), names.give("1 o'hara Li 'a")
        ("1 O'Hara Li 'A", "1 o'hara Li 'a 2")
        """
        clean = " ".join(_FORBIDDEN.sub(" ", printable(wanted)).split()).strip("'").strip()
        number = 1
        while True:
            behind = "" if number == 1 else f" {number}"
            name = f"{cut(clean, LONGEST - len(behind)) or fallback}{behind}"
            key = unicodedata.normalize("NFKC", name).casefold()
            if key not in self._taken:
                self._taken.add(key)
                return name
            number += 1


def pair_name(place: int, name: str, longest: int = LONGEST) -> str:
    """The name of a pair's sheet or dot: its place in the ranking, and as much of both names as there is room for.

    >>> pair_name(12, "VILLAS-BOAS Miguel - CHAGAS Gabriel")
    '12 VILLAS-BOAS - CHAGAS Gabriel'
    """
    start = f"{place} "
    room = longest - len(start)
    first, between, second = name.partition(" - ")
    if not between or units(name) <= room:
        return start + cut(name, room)
    room -= len(between)
    one = max(room // 2, room - units(second))
    first = cut(first, one)
    return f"{start}{first}{between}{cut(second, room - units(first))}"


def units(text: str) -> int:
    """How many UTF-16 units a text has."""
    return len(text.encode("utf-16-le", "replace")) // 2


def cut(text: str, room: int) -> str:
    """The start of a text, as long as there is room for in UTF-16 units. No character is cut in two.

    >>> cut("𝒜𝒷c", 3)
    '𝒜'
    """
    out, left = "", room
    for char in text:
        left -= units(char)
        if left < 0:
            break
        out += char
    return out.rstrip(" '")
