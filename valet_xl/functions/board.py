"""Worksheet functions of a contract and of one board: its scores, datum, Butler, cross-IMPs and matchpoints."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from valet_xl.engine import one_board
from valet_xl.engine.arrays import Floats
from valet_xl.engine.butler import butler, datum, par
from valet_xl.engine.comparison import cross_imps, matchpoint_percent, matchpoints
from valet_xl.engine.laws import imps
from valet_xl.functions.answers import down
from valet_xl.functions.arguments import block, cells, number, option_argument, word
from valet_xl.functions.registry import Cell, Cells, ErrorCell, Range, Shape, worksheet_function
from valet_xl.reading.rows import read_rows

_SCORES = block("scores", "North-South scores of one board, blank where not played")
_RULE = option_argument("datum", "rule")
_LEAVE_OUT = option_argument("leave_out")
_ROUNDING = option_argument("rounding")


@worksheet_function(
    "VALET_SCORE",
    "points",
    '=VALET_SCORE("4S","E","+1","EW")',
    cells("contract", "contracts such as 4SX, or with declarer and result in them, W3NT+2"),
    cells("declarer", "N, E, S or W, as many cells as contract or one for all", None, shape=Shape.SAME_OR_ONE),
    cells("result", "against the contract (=, +1, -2), or tricks if result_is says so", None, shape=Shape.SAME_OR_ONE),
    cells(
        "vulnerability", "None, NS, EW or Both, as many cells as contract or one for all", None, shape=Shape.SAME_OR_ONE
    ),
    word("result_is", "how results are written", ("made", "tricks"), "made"),
    shape="contract",
)
def valet_score(
    contract: Cells, *, declarer: Cells | None, result: Cells | None, vulnerability: Cells | None, result_is: str
) -> Cells:
    """North-South's score of a contract, or of many at once."""
    width = len(contract[0])
    flat = [cell for row in contract for cell in row]

    def spread(given: Cells | None, blank: Cell = None) -> list[Cell]:
        values = [blank] if given is None else [cell for row in given for cell in row]
        if len(values) == 1:
            values *= len(flat)
        return [
            None if cell is None else blank if value is None else value
            for cell, value in zip(flat, values, strict=True)
        ]

    fields: dict[str, Sequence[object]] = {
        "contract": [_plain(cell) for cell in flat],
        "declarer": spread(declarer),
        "result": spread(result),
        "vulnerability": spread(vulnerability, "None"),
        "board": list(range(1, len(flat) + 1)),  # a board each: they are not compared
    }
    results = read_rows(fields, range(len(flat)), result_is=result_is)
    column = down(results, results.score, len(flat), first=0)
    return [column[at : at + width] for at in range(0, len(flat), width)]


@worksheet_function(
    "VALET_IMP",
    "IMPs",
    "=VALET_IMP(430)",
    block("difference", "differences in points"),
    option_argument("imp_rounding", "rounding"),
    shape="difference",
    quick=one_board.imps,
)
def valet_imp(difference: Floats, *, rounding: str) -> Floats:
    """International match points for a difference in points."""
    return np.asarray(imps(difference, rounding=rounding))


@worksheet_function(
    "VALET_PAR",
    "points",
    "=VALET_PAR(B2:B23)",
    _SCORES,
    number("delta", "the par is a multiple of this many points (10)", 10.0, Range(1)),
    quick=one_board.par,
)
def valet_par(scores: Floats, *, delta: float) -> float:
    """The zero-sum Butler par of a board, as the VBA function par of 2009 has it; blanks do not count."""
    return par(scores, delta=delta)


@worksheet_function(
    "VALET_DATUM",
    "points",
    '=VALET_DATUM(B2:B23,"trimmed")',
    _SCORES,
    _RULE,
    _LEAVE_OUT,
    _ROUNDING,
    quick=one_board.datum,
)
def valet_datum(scores: Floats, *, rule: str, leave_out: float | None, rounding: str) -> float:
    """The datum of a board."""
    datums = datum(scores, rule=rule, leave_out=leave_out, rounding=rounding)
    played = datums[~np.isnan(datums)]
    return float(played[0]) if played.size else math.nan


@worksheet_function(
    "VALET_BUTLER",
    "IMPs",
    '=VALET_BUTLER(B2:B23,"trimmed",1,"nearest")',
    *(_SCORES, _RULE, _LEAVE_OUT, _ROUNDING),
    option_argument("double"),
    shape="scores",
    quick=one_board.butler,
)
def valet_butler(scores: Floats, *, rule: str, leave_out: float | None, rounding: str, double: bool) -> Floats:
    """Butler scores of a board: IMPs against its datum."""
    return butler(scores, rule=rule, leave_out=leave_out, rounding=rounding, double=double)


@worksheet_function(
    "VALET_IAF",
    "IMPs",
    "=VALET_IAF(B2:B23)",
    _SCORES,
    option_argument("divisor"),
    shape="scores",
    quick=one_board.cross_imps,
)
def valet_iaf(scores: Floats, *, divisor: str) -> Floats:
    """Cross-IMPs (IMPs across the field) of a board: each score against all others."""
    return cross_imps(scores, divisor=divisor)


_EXPECTED = number(
    "expected", "scores that the board should have, if some were adjusted (Neuberg)", None, Range(0, 1_000_000)
)


@worksheet_function(
    "VALET_MP", "matchpoints", "=VALET_MP(B2:B23)", _SCORES, _EXPECTED, shape="scores", quick=one_board.matchpoints
)
def valet_mp(scores: Floats, *, expected: float | None) -> Floats:
    """Matchpoints of a board: 2 for each score beaten, 1 for each equalled."""
    return matchpoints(scores, expected=expected)


@worksheet_function(
    "VALET_MP_PERCENT",
    "per cent",
    "=VALET_MP_PERCENT(B2:B23)",
    _SCORES,
    _EXPECTED,
    shape="scores",
    quick=one_board.matchpoint_percent,
)
def valet_mp_percent(scores: Floats, *, expected: float | None) -> Floats:
    """Matchpoints of a board as percentages."""
    return matchpoint_percent(scores, expected=expected)


def _plain(cell: Cell) -> Cell:
    return cell.value if isinstance(cell, ErrorCell) else cell
