"""What hypothesis draws: small tournaments in which contracts, seats, tricks and leads often coincide."""

from __future__ import annotations

from collections.abc import Sequence

from brute import Table
from hypothesis import settings
from hypothesis import strategies as st
from simulate import as_results

from valet_xl.engine.results import Results

# Level, strain and double; suit and rank of the lead. Few of each, so that clouds have company.
CALLS = [
    *((0, 0, 0), (1, 4, 0), (3, 4, 0), (3, 4, 1), (4, 3, 0), (4, 3, 1)),
    *((4, 3, 2), (5, 0, 1), (6, 0, 0), (6, 3, 0), (7, 4, 2)),
]
LEADS = [(-1, 0), (0, 0), (0, 4), (2, 0), (2, 1), (2, 4), (2, 10), (2, 13), (3, 9), (3, 10)]
result = st.builds(
    lambda call, seat, tricks, lead: (*call, seat, tricks, *lead) if call[0] else (0, 0, 0, 0, 0, -1, 0),
    *(st.sampled_from(CALLS), st.integers(0, 3), st.sampled_from([3, 8, 9, 10, 11, 12, 13]), st.sampled_from(LEADS)),
)
board = st.lists(result, min_size=1, max_size=7)
tournament_rows = st.lists(board, min_size=1, max_size=3)


def examples(share: float) -> int:
    """The number of examples of a property test that needs more or fewer of them than the profile says."""
    return max(1, int(share * settings.default.max_examples))


Row = tuple[int, ...]
Boards = Sequence[Sequence[Row]]


def to_results(boards: Boards) -> Results:
    """Boards of rows as `Results`; board 1 is vulnerable to none, 2 to N-S, 3 to E-W."""
    numbers = [at for at, rows in enumerate(boards) for _ in rows]
    return as_results(numbers, *zip(*(row for rows in boards for row in rows), strict=True))


def lead_class(suit: int, rank: int, lead: str) -> tuple[int, ...] | None:
    """The class of a lead: its suit, its suit and whether it is a ten or higher, or the very card; None if unknown."""
    if lead == "none" or suit < 0:
        return None
    if lead == "suit":
        return (suit,)
    if lead == "honour":
        return None if rank == 0 else (suit, int(rank >= 10))
    return None if rank < 2 else (suit, rank)


def to_tables(results: Results, lead: str) -> list[list[Table]]:
    """The tables of each board for the plain loops, from the columns of results."""
    out: list[list[Table]] = [[] for _ in results.boards]
    for at in range(len(results)):
        seat = int(results.declarer[at])
        level, strain, double, tricks = (
            int(column[at]) for column in (results.level, results.strain, results.double, results.tricks)
        )
        vulnerable = bool(max(int(results.vulnerability[at]), 0) >> seat % 2 & 1)
        led = lead_class(int(results.lead_suit[at]), int(results.lead_rank[at]), lead)
        out[int(results.board[at])].append(Table(level, strain, double, seat, vulnerable, tricks, led))
    return out
