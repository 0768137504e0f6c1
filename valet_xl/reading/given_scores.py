"""Scores that a sheet has next to its results: whose points they are, and which rows disagree with their contracts."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from valet_xl.engine.arrays import Floats, Mask
from valet_xl.engine.laws import all_scores
from valet_xl.reading.cells import number_cell
from valet_xl.reading.columns import CodedColumn, Columns

MOST = 0.9  # of the rows must agree with a sign for those after it not to be looked at
_TENS_ROWS = 3  # that must agree before a column is taken for scores in tens


@dataclass(frozen=True, slots=True)
class _Given:
    """The numbers of one column or two, (n,), NaN where there is none, and the field that a row's number is in.

    called : what the columns are called, for messages
    signs : by what they may be, what they would say of a result, (n,)
    field : (n,) which of `fields` has the number
    """

    called: str
    numbers: Floats
    signs: dict[str, Floats]
    fields: tuple[str, ...]
    field: Mask


def compare_scores(cells: Columns, score: Floats, by_ew: Mask, describe: Callable[[int], str]) -> tuple[str, ...]:
    """Compare the scores that a table gives with those of its contracts; a row that disagrees is refused.

    Parameters
    ----------
    cells : the columns of n rows; "score", and "ns_score" with "ew_score", are looked at
    score : (n,) points to North-South, NaN where there is nothing to compare
    by_ew : (n,) whether East-West declare
    describe : gives the contract and result of a row, for messages

    Returns
    -------
    a sentence for each column or two, that says what was compared
    """
    said = []
    for given in _given(cells, score, by_ew):
        compared = ~np.isnan(given.numbers) & ~np.isnan(score)
        telling = compared & ((given.numbers != 0) | (score != 0))  # a pass-out has no sign
        if telling.any():
            said.append(_compare(cells, given, compared, telling, describe))
    return tuple(said)


def without_points(cells: Columns) -> Mask:
    """(n,) the rows in which a column of points has a 0, as for a pass-out."""
    zero = np.zeros(cells.size, dtype=bool)
    for field in ("score", "ns_score", "ew_score"):
        numbers = numbers_of(cells[field])
        if are_points(numbers):
            zero |= numbers == 0
    return zero


def _given(cells: Columns, score: Floats, by_ew: Mask) -> list[_Given]:
    """What there is to compare with."""
    found = []
    declarers = np.where(by_ew, -score, score)
    if "score" in cells.columns:
        numbers = numbers_of(cells["score"])
        signs = {"N-S's points": score, "E-W's points": -score, "declarer's points": declarers}
        if not (numbers < 0).any():
            signs["points without a sign"] = np.abs(score)
        called = cells.headings.get("score", "score")
        found.append(_Given(called, numbers, signs, ("score",), np.zeros(cells.size, dtype=bool)))
    fields = tuple(field for field in ("ns_score", "ew_score") if field in cells.columns)
    if fields:
        ns, ew = numbers_of(cells["ns_score"]), numbers_of(cells["ew_score"])
        in_ew = (np.isnan(ns) | (ns == 0)) & ~np.isnan(ew) & ((ew != 0) | np.isnan(ns))
        numbers = np.where(in_ew, ew, ns)
        signs = {
            "each side's points": np.where(in_ew, -score, score),
            "N-S's points": score,
        }
        called = " and ".join(cells.headings.get(field, field) for field in fields)
        found.append(_Given(called, numbers, signs, ("ns_score", "ew_score"), in_ew))
    return found


def _compare(cells: Columns, given: _Given, compared: Mask, telling: Mask, describe: Callable[[int], str]) -> str:
    """Refuse the rows that disagree, if the numbers are points at all; gives what was compared."""
    agree = {sign: np.mean((given.numbers == points)[telling]) for sign, points in given.signs.items()}
    sign = next((sign for sign, share in agree.items() if share >= MOST), max(agree, key=lambda sign: agree[sign]))
    numbers, points, unit = given.numbers, given.signs[sign], ""
    if agree[sign] <= 0.5 and not are_points(numbers[telling]):
        in_tens = {sign: (10 * numbers == points)[telling] for sign, points in given.signs.items()}
        sign = max(in_tens, key=lambda sign: np.count_nonzero(in_tens[sign]))
        if np.mean(in_tens[sign]) <= 0.5 or np.count_nonzero(in_tens[sign]) < _TENS_ROWS:
            return f"{given.called}: not compared, as the numbers are not the points of contracts"
        points, unit = given.signs[sign] / 10, " in tens"
    wrong = compared & (numbers != points)
    for at in np.flatnonzero(wrong & ~cells.wrong).tolist():
        field = given.fields[int(given.field[at])]
        cells.refuse_row(at, field, f"expected {points[at]:g}: {describe(at)}")
    right, size = np.count_nonzero(compared & ~wrong), np.count_nonzero(compared)
    doubt = "" if 2 * right > size else " (are the vulnerability, the tricks and the language of the suits right?)"
    return f"{given.called}: compared as {sign}{unit}, {right:,} of {size:,} agree{doubt}"


def are_points(numbers: Floats, most: float = MOST) -> bool:
    """Whether numbers can be the points of contracts and no others: IMPs, matchpoints, per cent, numbers of pairs.

    At least `most` of those that are not 0 are possible scores, and one is negative or above 100.

    >>> are_points(np.array([420.0, -50.0])), are_points(np.array([50.0, 100.0, 0.0]))
    (True, False)
    """
    some = numbers[~np.isnan(numbers) & (numbers != 0)]
    telling = (some < 0) | (some > 100)
    return bool(telling.any() and np.mean(np.isin(np.abs(some), all_scores())) >= most)


def numbers_of(column: CodedColumn) -> Floats:
    """(n,) the cells that are numbers; NaN for all others."""
    per_cent = [text.endswith("%") for text in column.texts]
    values = [np.nan if share else number_cell(text) for text, share in zip(column.texts, per_cent, strict=True)]
    return np.array(values)[column.index]
