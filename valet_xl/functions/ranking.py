"""Worksheet functions of results with their heading row: the ranking of pairs or players, and a board's tableau."""

from __future__ import annotations

from valet_xl.engine.lines import LEADS
from valet_xl.engine.options import Options
from valet_xl.engine.scoring import split
from valet_xl.engine.valet import METHODS
from valet_xl.functions.arguments import cells, number, switch, word
from valet_xl.functions.registry import Argument, CellError, Cells, as_cells, worksheet_function
from valet_xl.rankings.compensation import COMPENSATIONS
from valet_xl.rankings.listing import Listing
from valet_xl.rankings.ranking import WHO, rank, view
from valet_xl.rankings.tableau import SIDES, find_board, tableau, tableau_listing
from valet_xl.rankings.totals import totals
from valet_xl.reading.grid import read_grid

_RESULTS = cells(
    "results", "results with their heading row: Board, Contract, By, Tricks or Result; NS and EW or players"
)
_METHOD = word("method", "what the parts are parts of", METHODS, "iaf")
_LEAD = word("lead", "which leads are alike", LEADS, "suit")
_CLOUD = switch("cloud", "compare with what the others' contracts are worth")


def _text(value: object) -> str:
    """A cell as text, a whole number without a point."""
    found = as_cells(value)
    if len(found) != 1 or len(found[0]) != 1 or not isinstance(found[0][0], (str, float, int)):
        raise CellError("expected a text or a number in one cell")
    cell = found[0][0]
    return str(int(cell)) if isinstance(cell, float) and cell.is_integer() else str(cell)


@worksheet_function(
    "VALET_RANKING",
    "a heading row, and a row for each pair or player: rank, name, boards, averages a board or a chance",
    '=VALET_RANKING(A1:I105,"iaf","suit",FALSE,"pairs","bid - play",20)',
    *(_RESULTS, _METHOD, _LEAD, _CLOUD),
    word("who", "who is ranked", WHO, "pairs"),
    Argument("order", "the column whose best is first, or a difference: overall, bid - play ...", _text, None),
    number("minimum", "the number of boards under which there is no rank (0)", 0.0),
    word("compensation", "what is added for the opponents' strength", COMPENSATIONS, "none"),
)
def valet_ranking(
    results: Cells,
    method: str,
    lead: str,
    cloud: bool,
    who: str,
    order: str | None,
    minimum: float,
    compensation: str,
) -> Cells:
    """A ranking of the pairs or players in results, with the parts of their scores and how sure they are."""
    options = Options(method=method, lead=lead, cloud=cloud)
    if minimum < 0 or not minimum.is_integer():
        raise CellError(f"minimum: {minimum:g} (expected a whole number from 0 on)")
    table = totals(read_grid(results, options).results, options, compensation=compensation, minimum=int(minimum))
    return _cells(view(rank(table, who=who, order=order).listing))


@worksheet_function(
    "VALET_TABLEAU",
    "a heading row, and a row for each distinct result: contract to tricks, tables, score, overall to defence",
    "=VALET_TABLEAU(A1:F105,2)",
    _RESULTS,
    Argument("board", "the board's number", _text),
    Argument("round", "the round, where a number is another deal in each", _text, None),
    *(_METHOD, _LEAD, _CLOUD),
    word("side", "whose view", SIDES, "declarer"),
)
def valet_tableau(
    results: Cells,
    board: str,
    round: str | None,  # noqa: A002 - the argument's name on sheets
    method: str,
    lead: str,
    cloud: bool,
    side: str,
) -> Cells:
    """The tableau of a board: its distinct results, how many tables had each, and what each was worth."""
    options = Options(method=method, lead=lead, cloud=cloud)
    found = read_grid(results, options).results
    lines = tableau(
        found, split(found, options), boards=[find_board(found, board, of_round=round)], lead=lead, side=side
    )
    return _cells(tableau_listing(found, lines, method=method, side=side))


def _cells(listing: Listing) -> Cells:
    """A listing under its headings."""
    return [list(row) for row in listing.with_heading()]
