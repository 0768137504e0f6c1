"""What a cell of results says: texts to small numbers, for the columns that `read_rows` reads."""

from __future__ import annotations

import math
import re
from collections.abc import Callable

from valet_xl.engine import notation
from valet_xl.engine.languages import ENGLISH, Language
from valet_xl.engine.notation import Adjustment, Card, Entry, Seat
from valet_xl.engine.results import Status
from valet_xl.errors import NotationError

NONE = -128  # nothing said, in a column of small numbers

# What a cell that may say a result says: a status, tricks over the contract, total tricks, and N-S's and E-W's shares
# in hundredths of a per cent.
STATUS, OVER, TOTAL, NS, EW = range(5)
NOTHING = (NONE,) * 5
_NUMBER = re.compile(r"([+-]?\d{1,6}(?:[.,]\d{1,20})?) ?%?")
_RULED = ("ADJ", "ADJUSTED", "ADJUSTED SCORE", "ARBITRAL SCORE")  # an adjusted score, of which more is not said


def contract_cell(text: str, language: Language = ENGLISH) -> tuple[int, ...]:
    """What a cell may say, with the level, strain, double and declarer of its contract."""
    remark = _remark(text)
    if remark is not None:
        return (*remark, *(NONE,) * 4)
    entry = Entry.parse(text, language)
    contract = entry.contract
    status = Status.PLAYED if contract.level else Status.PASSED_OUT
    over, declarer = (NONE if value is None else int(value) for value in (entry.result, entry.declarer))
    return (status, over, NONE, NONE, NONE, contract.level, contract.strain, contract.double, declarer)


def _remark(text: str) -> tuple[int, int, int, int, int] | None:
    """What a cell says that makes the board adjusted or not played; None for any other cell."""
    if notation.is_unplayed(text):
        return (Status.UNPLAYED, *NOTHING[1:])
    if notation.plain(text) in _RULED:
        return (Status.ADJUSTED, *NOTHING[1:])
    try:
        adjustment = Adjustment.parse(text)
    except NotationError:
        return None
    ns, ew = (NONE if share is None else round(100 * share) for share in (adjustment.ns, adjustment.ew))
    return (Status.ADJUSTED, NONE, NONE, ns, ew)


def _reader(read: Callable[[str], tuple[int, int]]) -> Callable[[str], tuple[int, ...]]:
    """A reader of a column other than the contract, from a reader of (tricks over the contract, total tricks)."""

    def cell(text: str) -> tuple[int, ...]:
        if notation.is_pass(text):
            return NOTHING
        return _remark(text) or (NONE, *read(text), NONE, NONE)

    return cell


def _made(text: str) -> tuple[int, int]:
    """Tricks made, as odd tricks (4 in 4S just made) unless marked with = or a sign; 0 is nothing."""
    over = notation.parse_result(text)
    if not text.isdigit():
        return (over, NONE)
    return (NONE, 6 + over) if over else (NONE, NONE)


def _down(text: str) -> tuple[int, int]:
    """Tricks down, 0 being nothing."""
    down = abs(notation.parse_result(text))
    return (-down if down else NONE, NONE)


def _score(text: str) -> tuple[int, int]:
    """A score that is already there says no more than that the board was played."""
    return (0, NONE) if re.fullmatch(r"-?[1-9]\d*", notation.plain(text)) else (NONE, NONE)


def _odd(text: str) -> tuple[int, int]:
    """Odd tricks made (4 in 4S just made), or tricks down with a minus."""
    words = notation.plain(text).replace(" ", "")
    if not re.fullmatch(r"-?[1-9]\d?", words):
        raise NotationError("result", text, "expected odd tricks made, 1-7, or -n")
    return (int(words), NONE) if words.startswith("-") else (NONE, 6 + int(words))


tricks_cell = _reader(lambda text: (NONE, notation.parse_tricks(text)))
over_cell = _reader(lambda text: (notation.parse_result(text), NONE))
made_cell = _reader(_made)
odd_cell = _reader(_odd)
down_cell = _reader(_down)
score_cell = _reader(_score)


def seat_cell(text: str, o_is: int = -1) -> tuple[int]:
    """The seat of a declarer; nothing where it is said that all passed."""
    return (NONE,) if notation.is_pass(text) else (Seat.parse(text, o_is),)


def lead_cell(text: str, language: Language = ENGLISH) -> tuple[int, int]:
    """Suit and rank of a lead."""
    if notation.plain(text) in ("-", "?"):
        return (-1, notation.UNKNOWN)
    card = Card.parse(text, language)
    return (card.suit, card.rank)


def number_cell(text: str) -> float:
    """A number, with a point or a comma before its decimals, perhaps with a sign of per cent; NaN for any other text.

    >>> number_cell("−1,5"), number_cell("60 %"), number_cell("A7")
    (-1.5, 60.0, nan)
    """
    found = _NUMBER.fullmatch(notation.plain(text))
    return float(found[1].replace(",", ".")) if found else math.nan


def board_number(label: str) -> int:
    """The number in a board's label, `12`, `Board 12`, `#12`; 0 where there is none."""
    found = re.fullmatch(r"(?:BOARD|BRD|BD|B|NO|NR)?[.#: ]*(\d{1,6})\.?", notation.plain(label))
    return int(found[1]) if found else 0
