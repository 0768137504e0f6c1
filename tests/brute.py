"""The definitions once more, as plain loops over the tables of a board: slow, and with nothing of the product in them.

Sources: the Laws (77, 78B), the Valet principles paper (2015) and its appendix on clouds (2018).
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from fractions import Fraction
from typing import NamedTuple

Kernel = Callable[[float], float]

# Law 78B: the largest difference that is worth 0, 1, 2 ... 23 IMPs.
SCALE = (
    *(10, 40, 80, 120, 160, 210, 260, 310, 360, 420, 490, 590),
    *(740, 890, 1090, 1290, 1490, 1740, 1990, 2240, 2490, 2990, 3490, 3990),
)


class Table(NamedTuple):
    """What happened at a table: level 0 is a pass-out; lead is the class of the lead, None if unknown."""

    level: int
    strain: int
    double: int
    seat: int
    vulnerable: bool
    tricks: int
    lead: Hashable | None = None


class Parts(NamedTuple):
    """Of one result; the declaring side's, but lead and defence."""

    overall: float
    bid: float
    play: float
    lead: float
    defence: float
    luck: float


def law_77(level: int, strain: int, double: int, tricks: int, vulnerable: bool) -> int:
    """Declarer's score as the rulebook has it; strain 0-4 is clubs to notrump, double 0-2."""
    if tricks < level + 6:
        return -_undertricks(level + 6 - tricks, double, vulnerable)
    first = 40 if strain == 4 else 30 if strain >= 2 else 20
    others = 20 if strain < 2 else 30
    trick_score = first + (level - 1) * others
    if double:
        trick_score *= 2 if double == 1 else 4

    overtricks = tricks - level - 6
    if double == 0:
        each = others
    elif double == 1:
        each = 200 if vulnerable else 100
    else:
        each = 400 if vulnerable else 200

    premium = {0: 0, 1: 50, 2: 100}[double]
    if trick_score < 100:
        premium += 50
    else:
        premium += 500 if vulnerable else 300
    if level == 6:
        premium += 750 if vulnerable else 500
    if level == 7:
        premium += 1500 if vulnerable else 1000
    return trick_score + overtricks * each + premium


def _undertricks(down: int, double: int, vulnerable: bool) -> int:
    total = 0
    for number in range(1, down + 1):
        if double == 0:
            total += 100 if vulnerable else 50
        elif vulnerable:
            total += 200 if number == 1 else 300
        elif number == 1:
            total += 100
        else:
            total += 200 if number <= 3 else 300
    return 2 * total if double == 2 else total


def imp(difference: float) -> int:
    """IMPs; the absolute difference is first rounded to the nearest 10, halves up."""
    tens = int((abs(difference) + 5) // 10)
    worth = sum(10 * tens > step for step in SCALE)
    return worth if difference > 0 else -worth


def imp_cut(difference: float) -> int:
    """IMPs; the absolute difference is first cut to a multiple of 10."""
    return imp(int(difference / 10) * 10)


def sign(difference: float) -> int:
    """A matchpoint comparison: won 1, tied 0, lost -1."""
    return (difference > 0) - (difference < 0)


def score(table: Table, tricks: int) -> int:
    """N-S's score of a table's contract with so many tricks."""
    if table.level == 0:
        return 0
    points = law_77(table.level, table.strain, table.double, tricks, table.vulnerable)
    return points if table.seat in (0, 2) else -points


def mean(values: Sequence[float]) -> float:
    return sum(values) / len(values)


def trunc_mean(values: Sequence[int]) -> int:
    """The integer part of the mean, toward zero."""
    return int(Fraction(sum(values), len(values)))


def cloud(table: Table, board: Sequence[Table], lead: Hashable | None = None) -> list[int]:
    """Scores of a table's contract with the tricks of all who declared its strain from its seat, after that lead."""
    if table.level == 0:
        return [0]
    alike = [other for other in board if other.level and (other.strain, other.seat) == (table.strain, table.seat)]
    return [score(table, other.tricks) for other in alike if lead is None or other.lead == lead]


def components(board: Sequence[Table], method: str, with_clouds: bool, kernel: Kernel = imp) -> list[Parts] | None:
    """The parts of every result of a board; None where there is but one."""
    if len(board) == 1:
        return None
    if method == "matchpoints":
        kernel = sign
    scores = [score(table, table.tricks) for table in board]
    datum = trunc_mean(scores)
    clouds = [cloud(table, board) for table in board]
    datums = [trunc_mean(each) for each in clouds]

    def plain(own: float, at: int) -> float:
        """o1, or IMPs against the datum."""
        if method == "datum":
            return kernel(own - datum)
        return mean([kernel(own - other) for k, other in enumerate(scores) if k != at])

    def with_cloud(own: float, at: int) -> float:
        """o3, or o2 where a datum replaces the cloud."""
        others = [k for k in range(len(board)) if k != at]
        if method == "datum":
            return mean([kernel(own - datums[k]) for k in others])
        return mean([mean([kernel(own - score) for score in clouds[k]]) for k in others])

    def bid(own: list[int], at: int) -> float:
        if with_clouds and method == "datum":
            return with_cloud(trunc_mean(own), at)
        if with_clouds:
            return mean([with_cloud(each, at) for each in own])
        if method == "datum":
            return mean([kernel(each - datum) for each in own])
        return mean([_against_kept_scores(each, scores, kernel) for each in own])

    parts = []
    for at, table in enumerate(board):
        overall = (with_cloud if with_clouds else plain)(scores[at], at)
        bid_of_all = bid(clouds[at], at)
        lead = 0.0
        if table.lead is not None and table.level:
            lead = bid_of_all - bid(cloud(table, board, table.lead), at)
        play = overall - bid_of_all
        side = -1 if table.level and table.seat in (1, 3) else 1
        luck = plain(scores[at], at) - overall
        parts.append(Parts(*(side * part for part in (overall, bid_of_all, play, lead, -play - lead, luck))))
    return parts


def _against_kept_scores(own: int, scores: Sequence[int], kernel: Kernel) -> float:
    """b1: the average against the field, which first loses one score that equals our own, if there is one."""
    kept = list(scores)
    if own in kept:
        kept.remove(own)
    return mean([kernel(own - other) for other in kept])
