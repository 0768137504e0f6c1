"""Worksheet functions of matches and duels: victory points, Victors, and scales cut from a normal distribution."""

from __future__ import annotations

from valet_xl.engine.arrays import Floats
from valet_xl.engine.duel_study import DEAL_METHODS, deal_distribution
from valet_xl.engine.duels import DEAL_SD, MOST_POINTS, SECTIONS, victors, victors_percent
from valet_xl.engine.options import Options
from valet_xl.engine.victory import MOST_BOARDS, SCALES, imps_needed, victory_points
from valet_xl.functions.arguments import block, number, results_table, switch, word
from valet_xl.functions.registry import Cells, Range, Shape, worksheet_function
from valet_xl.reading.grid import read_grid

_BOARDS = block(
    "boards",
    "the boards of the match, one cell for all or as many cells",
    Range(1, MOST_BOARDS, whole=True),
    shape=Shape.SAME_OR_ONE,
)
_SCALE = word("scale", "the scale", SCALES, "wbf")
_BALANCE = block("balance", "IMPs won less IMPs lost, blank where not played")
_DEALS = block("deals", "the deals of the duel, one cell for all or as many cells", Range(1), shape=Shape.SAME_OR_ONE)
_CARACALLA = switch("caracalla", "whether the balance is in points flattened after Caracalla")


@worksheet_function(
    "VALET_VP",
    "victory points",
    "=VALET_VP(B2:B9,16)",
    block("imps", "IMPs by which a match was won, negative if lost, blank if not played"),
    *(_BOARDS, _SCALE),
    shape="imps",
)
def valet_vp(imps: Floats, boards: Floats, *, scale: str) -> Floats:
    """Victory points of a match by its margin in IMPs, on the WBF's scales or the ACBL's tables."""
    return victory_points(imps, boards, scale=scale)


@worksheet_function(
    "VALET_VP_IMPS",
    "whole IMPs",
    '=VALET_VP_IMPS(15,16,"discrete")',
    block("points", "victory points"),
    *(_BOARDS, _SCALE),
    shape="points",
)
def valet_vp_imps(points: Floats, boards: Floats, *, scale: str) -> Floats:
    """The least margin in IMPs that is worth at least so many victory points; blank where none is."""
    return imps_needed(points, boards, scale=scale)


@worksheet_function(
    "VALET_VICTORS",
    "whole Victors",
    "=VALET_VICTORS(26,16)",
    *(_BALANCE, _DEALS, _CARACALLA),
    shape="balance",
)
def valet_victors(balance: Floats, deals: Floats, *, caracalla: bool) -> Floats:
    """Victors of a duel, out of 30 and at most 25, for the side whose balance it is."""
    return victors(balance, deals, caracalla=caracalla)


@worksheet_function(
    "VALET_VICTORS_PERCENT",
    "per cent",
    "=VALET_VICTORS_PERCENT(26,16)",
    *(_BALANCE, _DEALS, _CARACALLA),
    shape="balance",
)
def valet_victors_percent(balance: Floats, deals: Floats, *, caracalla: bool) -> Floats:
    """The result of a duel in per cent, from 10 to 90, for the side whose balance it is."""
    return victors_percent(balance, deals, caracalla=caracalla)


@worksheet_function(
    "VALET_DUEL_POINTS",
    "points",
    "=VALET_DUEL_POINTS(26,16)",
    block("balance", "won less lost, in IMPs or boards, blank where not played"),
    _DEALS,
    number("points", "how many points there are (30, and 100 with winners)", None, Range(1, MOST_POINTS, whole=True)),
    number("sd", "the standard deviation of one deal (5 IMPs)", DEAL_SD, Range(0, above=True)),
    word("sections", "whether the two sides share the points, or only the winners have some", SECTIONS, "shared"),
    shape="balance",
)
def valet_duel_points(balance: Floats, deals: Floats, *, points: float | None, sd: float, sections: str) -> Floats:
    """Points of a duel on a scale of equally likely sections: 30 that both sides share, or the page's 0 to 100."""
    scale, usual = SECTIONS[sections]
    return scale(balance, deals, points=usual if points is None else points, sd=sd)


@worksheet_function(
    "VALET_DUEL_DEALS",
    "mean and standard deviation, then a row for each result of a deal with its share",
    "=VALET_DUEL_DEALS(A1:F105)",
    results_table("Board, Contract, By, Tricks or Result; Vul, Round"),
    word("method", "how a deal is scored", DEAL_METHODS, "butler"),
)
def valet_duel_deals(results: Cells, *, method: str) -> Cells:
    """What one deal of a duel is worth: a table drawn at random against its field, or two tables against each other."""
    found = deal_distribution(read_grid(results, Options()).results, method=method)
    rows = zip(found.balances.tolist(), found.share.tolist(), strict=True)
    return [["mean", round(found.mean, 9) + 0.0], ["SD", found.sd], *(list(row) for row in rows)]
