"""What hypothesis draws: small tournaments in which contracts, seats, tricks and leads often coincide, and cells.

Tournaments are for the engine. Cells are for worksheet functions, and are made from the hints of their arguments.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from brute import Table
from formulas import RESULTS
from hypothesis import settings
from hypothesis import strategies as st
from simulate import as_results

from valet_xl.engine.results import Results
from valet_xl.functions.registry import MOST, Argument, ErrorCell, Function, Kind, Missing, Shape

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


# -- cells of worksheet functions

ONE_SUIT_EACH = "N:AKQJT98765432... .AKQJT98765432.. ..AKQJT98765432. ...AKQJT98765432"
Size = tuple[int, int]
sizes = st.tuples(st.integers(1, 4), st.integers(1, 3))

# What arguments of the kind ANY and TEXT take: the registry does not know, as the functions themselves read the cells.
_TAKES: dict[str, Sequence[Any]] = {
    "contract": ("4S", "3NT", "1CX", "2nxx", "P", None),
    "declarer": ("N", "east", "S", "W"),
    "result": ("=", "+1", -2),
    "vulnerability": ("None", "NS", "EW", "Both"),
    "award": ("A+", "A", "A-", "60/40", 0.6, 50.0, None),
    "hand": ("AKx.KQxx.x.Axxxx", "xxxx.xxx.xxx.xxx", None),
    "deal": (ONE_SUIT_EACH, None),
    "strain": ("C", "NT", "h"),
    "card": ("CA", "C2"),
    "dealer": ("N", "West"),
    "partner": ("QJxx.Axx.AKQx.xx", "QJ.Axxx.AKQJ.KQx"),
    "holding": ("AKxxx", "", "xx", "-", 5432.0),
    "pattern": ("5-4-3-1", "4-4-4-1", "0-0-0-13", None),
    "board": (1.0, 2.0, "3"),
    "round": (1.0, "1"),
    "first": ("1", 1.0),
    "second": ("2", 2.0),
    "order": ("overall", "bid - play", "Lead"),
}


def valid(function: Function) -> st.SearchStrategy[list[Any]]:
    """Cells that a function takes by the hints of its arguments; those that may be left out sometimes are."""

    @st.composite
    def draw_all(draw: Callable[..., Any]) -> list[Any]:
        size = draw(sizes)
        first, *others = function.arguments
        if first.shape is Shape.COLUMN:
            size = (size[0], 1)
        values = [draw(_of(first, size))]
        for argument in others:
            one_of = [_of(argument, size)] + [st.sampled_from([Missing.ARGUMENT, None])] * argument.optional
            values.append(draw(st.one_of(*one_of)))
        return values

    return draw_all()


def _of(argument: Argument, size: Size) -> st.SearchStrategy[Any]:
    """What an argument takes, where the first argument has so many rows and columns."""
    if argument.name == "results":
        return st.just(RESULTS["I105"])
    cell = _cell(argument)
    if argument.shape is Shape.CELL:
        return cell
    filled = argument.shape is Shape.SAME_OR_ONE
    shapes = {
        Shape.SAME: st.just(size),
        Shape.SAME_OR_ONE: st.sampled_from([size, (1, 1)]),
        Shape.COLUMN: st.just((size[0], 1)),
        Shape.BLOCK: st.just(size),
    }
    if argument.kind is Kind.NUMBER and not filled:
        cell = cell | st.none()
    return shapes[argument.shape].flatmap(lambda shape: _block(cell, shape))


def _block(cell: st.SearchStrategy[Any], size: Size) -> st.SearchStrategy[list[list[Any]]]:
    row = st.lists(cell, min_size=size[1], max_size=size[1])
    return st.lists(row, min_size=size[0], max_size=size[0])


def _cell(argument: Argument) -> st.SearchStrategy[Any]:
    if argument.kind is Kind.NUMBER:
        taken = argument.range
        least, most = max(taken.least, -8000.0), min(taken.most, 8000.0)
        whole = st.integers(int(least) + taken.above, int(most)).map(float)
        return whole if taken.whole else whole | st.floats(least, most, exclude_min=taken.above)
    if argument.kind is Kind.SWITCH:
        return st.sampled_from([True, False, 1.0, 0.0])
    if argument.kind is Kind.WORD:
        return st.sampled_from([*argument.words, f" {argument.words[-1].upper()} "])
    return st.sampled_from(_TAKES[argument.name])


def mistakes(argument: Argument) -> st.SearchStrategy[Any]:
    """What an argument does not take by its hints, whatever the others are."""
    wrong: list[Any] = [[[1.0], [1.0, 2.0]]]
    if argument.kind not in (Kind.ANY, Kind.TABLE):
        wrong += [True, ErrorCell.VALUE] if argument.kind is not Kind.SWITCH else [2.0, ErrorCell.VALUE]
    if argument.kind is Kind.NUMBER:
        taken = argument.range
        wrong += [
            "x",
            "420",
            2 * MOST,
            -2 * MOST,
            float("inf"),
            10**400,
            taken.least - 0.5,
            taken.most + taken.most / 8,
        ]
        wrong += [taken.least] * taken.above + [taken.least + 0.5] * taken.whole
    if argument.kind in (Kind.SWITCH, Kind.WORD):
        wrong += ["nonsense", -1.0]
    if argument.shape is Shape.CELL:
        wrong += [[[1.0, 1.0]], [[None], [None]]]
    if argument.shape is Shape.COLUMN:
        wrong += [[[1.0, 1.0]]]
    if argument.shape in (Shape.SAME, Shape.SAME_OR_ONE):
        wrong += [[[1.0] * 7] * 5]
    return st.sampled_from(wrong)
