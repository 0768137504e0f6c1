"""Worksheet functions of results with their heading row: the ranking of pairs or players, and a board's tableau."""

from __future__ import annotations

from valet_xl.engine.options import Options
from valet_xl.engine.score_results import split
from valet_xl.functions.arguments import option_argument, results_table, switch, text
from valet_xl.functions.registry import Cells, worksheet_function
from valet_xl.rankings.compare import compare
from valet_xl.rankings.listing import Listing
from valet_xl.rankings.options import RANKING_OPTIONS
from valet_xl.rankings.ranking import rank, view
from valet_xl.rankings.tableau import find_board, tableau, tableau_listing
from valet_xl.rankings.totals import totals
from valet_xl.reading.grid import read_grid

_RESULTS = results_table("Board, Contract, By, Tricks or Result; NS and EW or players")
_METHOD = option_argument("method")
_LEAD = option_argument("lead")
_CLOUD = option_argument("cloud")
_PLAY_PERCENT = option_argument("play_percent")


@worksheet_function(
    "VALET_RANKING",
    "a heading row, and a row for each pair or player: group if there are several, rank, name, boards, averages",
    '=VALET_RANKING(A1:I105,"iaf","suit",FALSE,"pairs","bid - play",20)',
    *(_RESULTS, _METHOD, _LEAD, _CLOUD),
    option_argument("who", of=RANKING_OPTIONS),
    option_argument("order", of=RANKING_OPTIONS),
    option_argument("minimum", of=RANKING_OPTIONS),
    option_argument("compensation", of=RANKING_OPTIONS),
    switch("certainty", "whether every average has its standard error and 95 % interval, not only the one ranked by"),
    _PLAY_PERCENT,
)
def valet_ranking(
    results: Cells,
    *,
    method: str,
    lead: str,
    cloud: bool,
    who: str,
    order: str | None,
    minimum: float | None,
    compensation: str,
    certainty: bool,
    play_percent: str,
) -> Cells:
    """A ranking of the pairs or players in results, with the parts of their scores and how sure they are."""
    options = Options(method=method, lead=lead, cloud=cloud, play_percent=play_percent)
    table = totals(
        read_grid(results, options).results,
        options,
        compensation=compensation,
        minimum=None if minimum is None else int(minimum),
    )
    return _cells(view(rank(table, who=who, order=order).listing, errors=certainty, intervals=certainty))


@worksheet_function(
    "VALET_COMPARE",
    "a heading row, and a row for each part of the game: both averages, difference, its error and interval, p",
    '=VALET_COMPARE(A1:I105,"Anna - Carl","Bo - Dora")',
    _RESULTS,
    text("first", "a pair or player, as the ranking calls it"),
    text("second", "the one to compare with"),
    *(_METHOD, _LEAD, _CLOUD),
    option_argument("who", of=RANKING_OPTIONS),
    option_argument("compensation", of=RANKING_OPTIONS),
)
def valet_compare(
    results: Cells,
    first: str,
    second: str,
    *,
    method: str,
    lead: str,
    cloud: bool,
    who: str,
    compensation: str,
) -> Cells:
    """How two pairs or players in results differ in each part of the game, and how sure that is."""
    options = Options(method=method, lead=lead, cloud=cloud)
    table = totals(read_grid(results, options).results, options, compensation=compensation)
    return _cells(compare(table, first, second, who=who).listing)


@worksheet_function(
    "VALET_TABLEAU",
    "a heading row, and a row for each distinct result: contract to tricks, tables, score, overall to defence",
    "=VALET_TABLEAU(A1:F105,2)",
    _RESULTS,
    text("board", "the board's number"),
    text("round", "the round, where a number is another deal in each", None),
    *(_METHOD, _LEAD, _CLOUD),
    option_argument("side", of=RANKING_OPTIONS),
    _PLAY_PERCENT,
)
def valet_tableau(
    results: Cells,
    board: str,
    *,
    round: str | None,  # noqa: A002 - the argument's name on sheets
    method: str,
    lead: str,
    cloud: bool,
    side: str,
    play_percent: str,
) -> Cells:
    """The tableau of a board: its distinct results, how many tables had each, and what each was worth."""
    options = Options(method=method, lead=lead, cloud=cloud, play_percent=play_percent)
    found = read_grid(results, options).results
    lines = tableau(
        found, split(found, options), boards=[find_board(found, board, of_round=round)], lead=lead, side=side
    )
    return _cells(tableau_listing(found, lines, method=method, side=side))


def _cells(listing: Listing) -> Cells:
    """A listing under its headings."""
    return [list(row) for row in listing.with_heading()]
