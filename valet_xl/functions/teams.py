"""Worksheet functions of team matches, board-a-match, and barking."""

from __future__ import annotations

from valet_xl.engine.arrays import Floats
from valet_xl.engine.teams import TEAM_DIVISORS, TEAM_METHODS, barking, board_a_match, team_imps
from valet_xl.functions.arguments import block, word
from valet_xl.functions.registry import Shape, worksheet_function

_HOME = block("home", "North-South's scores where the team sits North-South: a row a board, a column a table")
_AWAY = block("away", "North-South's scores where the team sits East-West, as many cells", shape=Shape.SAME)
_DIVISOR = word("divisor", "the sum of IMPs, or one for each comparison", TEAM_DIVISORS, "total")


@worksheet_function(
    "VALET_TEAMS",
    "IMPs to the team, a row a board",
    '=VALET_TEAMS(B2:C17,D2:E17,"aggregate")',
    *(_HOME, _AWAY),
    word(
        "method", "all tables across, as teams of four in order, or the points of all added up", TEAM_METHODS, "cross"
    ),
    _DIVISOR,
)
def valet_teams(home: Floats, away: Floats, *, method: str, divisor: str) -> Floats:
    """IMPs of a team of four, eight or more against another, board by board, from all their tables."""
    return team_imps(home, away, method=method, divisor=divisor)


@worksheet_function(
    "VALET_BAM", "2 for a win, 1 for a tie, 0 for a loss, a row a board", "=VALET_BAM(B2:B17,C2:C17)", _HOME, _AWAY
)
def valet_bam(home: Floats, away: Floats) -> Floats:
    """Board-a-match: what a team has from each board against another, on the points of all their tables."""
    return board_a_match(home, away)


@worksheet_function(
    "VALET_BARKING",
    "IMPs",
    "=VALET_BARKING(B2:B9)",
    block("scores", "North-South scores of one board, blank where not played"),
    _DIVISOR,
    shape="scores",
)
def valet_barking(scores: Floats, *, divisor: str) -> Floats:
    """Barking of a board: every pair in all the teams of eight that its North-South pairs can make."""
    return barking(scores, divisor=divisor)
