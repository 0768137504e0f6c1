"""Worksheet functions of rulings: split, weighted and artificial adjusted scores, and the insufficient bid."""

from __future__ import annotations

import numpy as np

from valet_xl.engine.arrays import Floats
from valet_xl.engine.notation import Adjustment
from valet_xl.engine.rulings import (
    ARTIFICIAL,
    REPLACEMENTS,
    WEIGHTED,
    Damage,
    artificial,
    law12,
    law27,
    weighted_score,
)
from valet_xl.functions.arguments import block, cells, switch, word
from valet_xl.functions.registry import Cell, CellError, Cells, Range, Shape, worksheet_function

_UNKNOWN = np.full((1, 1), np.nan)


@worksheet_function(
    "VALET_LAW12",
    "the non-offenders' score, the offenders' as the non-offenders count it, and the case",
    "=VALET_LAW12(-8,0,-3)",
    block(
        "actual",
        "what the non-offenders scored at the table, in IMPs or matchpoints: a cell or a column",
        shape=Shape.COLUMN,
    ),
    block("before", "what they would have scored without the infraction, one cell or as many", shape=Shape.SAME_OR_ONE),
    block(
        "could",
        "what they could still have scored after it, at least actual, one cell or as many",
        shape=Shape.SAME_OR_ONE,
    ),
)
def valet_law12(actual: Floats, before: Floats, could: Floats) -> Cells:
    """Both sides' adjusted scores where the non-offending side added to its own damage (Law 12C1(e))."""
    split = law12(actual, before, could)
    rows = zip(*(column[:, 0].tolist() for column in split), strict=True)
    return [[None] * 3 if case < 0 else [own, other, str(Damage(case))] for own, other, case in rows]


@worksheet_function(
    "VALET_WEIGHTED",
    "IMPs or per cent to North-South",
    "=VALET_WEIGHTED(A2:A3,B2:B3,C2:C12)",
    block("outcomes", "North-South's points of the outcomes"),
    block("weights", "their weights, as many cells, which sum to 100 (or 1)", Range(0, 100), shape=Shape.SAME),
    block("field", "North-South's points that they are compared with: in a match the other room's"),
    word("method", "what they are converted to first", WEIGHTED, "iaf"),
)
def valet_weighted(outcomes: Floats, weights: Floats, field: Floats, *, method: str) -> float:
    """A weighted score (Law 12C1(c)): every outcome is converted first, and the converted scores are weighted."""
    return weighted_score(outcomes, weights, field, method=method)


@worksheet_function(
    "VALET_ARTIFICIAL",
    "IMPs or per cent",
    '=VALET_ARTIFICIAL("A+")',
    cells("award", "A+, A, A-, or 60, 50, 40 per cent; of two, such as 60/40, North-South's"),
    word("scoring", "of the event", ARTIFICIAL, "imps"),
    block(
        "session",
        "at matchpoints the side's per cent on its other boards",
        Range(0, 100),
        shape=Shape.SAME_OR_ONE,
        default=_UNKNOWN,
    ),
    shape="award",
)
def valet_artificial(award: Cells, *, scoring: str, session: Floats) -> Floats:
    """An artificial adjusted score: average plus, average, average minus; 3, 0, -3 IMPs or 60, 50, 40 per cent."""
    percent = np.array([[_percent(cell) for cell in row] for row in award], dtype=np.float64)
    return artificial(
        percent, scoring=scoring, session=np.where((session > 0) & (session <= 1), np.round(100 * session, 9), session)
    )


@worksheet_function(
    "VALET_LAW27",
    "a column: the law, the call, partner, the lead, afterwards",
    '=VALET_LAW27("comparable")',
    word("replacement", "what the offender puts in its place", REPLACEMENTS),
    switch("accepted", "whether the next player has accepted the insufficient bid"),
)
def valet_law27(replacement: str, *, accepted: bool) -> list[Cell]:
    """What follows from an insufficient bid, by Law 27 of 2017: a checklist for the Director, no more."""
    return list(law27(replacement, accepted=accepted))


def _percent(cell: Cell) -> float:
    """The per cent of an award; a cell formatted as per cent contains 0.6 for 60 %."""
    if cell is None:
        return float("nan")
    if isinstance(cell, str):
        return float(Adjustment.parse(cell).ns)
    if isinstance(cell, bool) or not isinstance(cell, (int, float)):
        raise CellError(f"{cell} (expected A+, A, A- or per cent)")
    return round(100 * cell, 9) if 0 < cell <= 1 else float(cell)
