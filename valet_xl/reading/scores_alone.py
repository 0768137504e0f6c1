"""Scores without contracts: sheets that say what each result scored, and no more."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from valet_xl.engine.arrays import Floats
from valet_xl.engine.laws import all_scores
from valet_xl.engine.notation import is_pass
from valet_xl.errors import NotationError, SheetError
from valet_xl.reading.cells import contract_cell
from valet_xl.reading.columns import CodedColumn, Columns
from valet_xl.reading.given_scores import are_points, numbers_of

SAYING = ("double", "declarer", "result", "tricks", "made", "down")  # what only results with a contract have
MOST_OF_ALL = 0.5  # of the numbers must be scores; the others are errors
_LEAST = 2  # scores; one number may be anything


@dataclass(frozen=True, slots=True)
class ScoresAlone:
    """The scores of a table that has no contract.

    score : (n,) points to North-South, NaN where there is none
    remark : what they were taken for, a sentence
    """

    score: Floats
    remark: str


def scores_alone(cells: Columns) -> ScoresAlone | None:
    """The scores of a table in which no row has a contract, a declarer or tricks; None for another table.

    A row whose number is no score that a contract can have is refused.

    Raises
    ------
    SheetError : where it is not said which side has scored
    """
    if not all(map(_says_no_contract, cells["contract"].texts)) or any(any(cells[name].texts) for name in SAYING):
        return None
    ns_or_ew = "ns_score" in cells.columns or "ew_score" in cells.columns
    ns, ew = (_points(cells[name]) for name in (("ns_score", "ew_score") if ns_or_ew else ("score", "")))
    if (
        not are_points(np.concatenate([ns, ew]), MOST_OF_ALL)
        or np.count_nonzero(~np.isnan(ns) | ~np.isnan(ew)) < _LEAST
    ):
        return None
    by_ew = (np.isnan(ns) | (ns == 0)) & (np.nan_to_num(ew) != 0)
    signed = bool(by_ew.any() and (ew[by_ew] < 0).all())  # then the minus says it already
    score = np.where(by_ew, ew if signed else -ew, np.where(np.isnan(ns), ew, ns))
    columns = [
        name for name in ("ns_score", "ew_score", "score") if name in cells.columns and (name == "score") != ns_or_ew
    ]
    called = " and ".join(cells.headings.get(name, name) for name in columns)
    if not ns_or_ew and not (score < 0).any():
        raise SheetError(
            f"the column {called} does not say which side has scored "
            "(expected points to North-South with a minus for East-West's, or the headings NS score and EW score)"
        )
    clash = (np.nan_to_num(ns) != 0) & (np.nan_to_num(ew) != 0) & (ns != -ew)
    cells.refuse(clash, columns[0], "expected the points of one side, or of both with opposite signs")
    possible = np.isnan(score) | np.isin(np.abs(score), [0, *all_scores()])
    for name, wrong in zip((*columns, columns[0]), (~possible & ~by_ew, ~possible & by_ew), strict=False):
        cells.refuse(wrong, name, "expected a score that a contract can have, such as 420 or -50")
    return ScoresAlone(score, f"{called}: taken as points, as no row has a contract; so no Bid, Play, Lead and Defence")


def _points(column: CodedColumn) -> Floats:
    """(n,) the numbers of a column; 0 where it says that the board was passed out."""
    passed = column.each(lambda text: is_pass(text) and text != "-")
    return np.where(passed == 1, 0.0, numbers_of(column))


def _says_no_contract(text: str) -> bool:
    """Whether a cell in the place of a contract is blank, or says that the board was adjusted or not played."""
    try:
        return not text or contract_cell(text)[5] < 0
    except NotationError:
        return False
