"""What the numbers in a column of tricks or results are, decided for the whole column by its cells."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from valet_xl.engine import notation
from valet_xl.engine.arrays import Floats, Index, Ints, Mask, count_by, keys_of, split_keys
from valet_xl.engine.languages import Language
from valet_xl.engine.notation import Entry
from valet_xl.errors import NotationError, SheetError
from valet_xl.reading.columns import Columns

TRICKS, MADE, ODD = "tricks", "made", "odd"
USUAL = {"tricks": TRICKS, "result": MADE}
"""What the columns of these fields are taken for, unless their cells show something else."""
SAYS = {
    TRICKS: "all tricks of declarer",
    MADE: "tricks over or under the contract",
    ODD: "odd tricks made, as 4 in 4S just made, or tricks down",
}
_CLEAR = 5  # tricks that results must be nearer to their contracts, in sum, for another reading than the usual one
_LEVELS = 8  # of contracts, and 0 for none
_CLEARLY_ODD = 3  # made contracts, all of which can be read as odd tricks


@dataclass(frozen=True, slots=True)
class _Column:
    """The different cells of a column that have a contract and a number, (n,) each.

    level, number : of the contract, and what the cell says
    bare, minus : whether it has no mark, or a minus
    cells : how many cells are such
    example : which cell of the column is the first without a mark
    """

    level: Index
    number: Ints
    bare: Mask
    minus: Mask
    cells: Index
    example: int

    def over(self, meaning: str) -> Floats:
        """(n,) the result against the contract that each cell says, NaN where it cannot mean that."""
        down = self.minus & (self.number != 0)
        if meaning == TRICKS:
            over, can = self.number - 6 - self.level, self.bare & (self.number <= 13)
        elif meaning == MADE:
            over, can = np.where(down, -self.number, self.number), np.ones(len(self.level), dtype=bool)
        else:
            over = np.where(down, -self.number, self.number - self.level)
            can = down | (self.bare & (self.number >= self.level))
        return np.where(can & (over >= -6 - self.level) & (over <= 7 - self.level), over, np.nan)


def decide_tricks(cells: Columns, field: str, language: Language, asked: str) -> tuple[str, str]:
    """What the numbers of a column are.

    Parameters
    ----------
    cells : the columns, with the contracts
    field : "tricks" or "result"
    language : of the contracts
    asked : TRICKS, MADE or ODD, or "auto"

    Returns
    -------
    TRICKS, MADE or ODD, and a sentence where that is not the usual for the column

    Raises
    ------
    SheetError : where the cells can be read in two ways
    """
    usual = USUAL[field]
    if field not in cells.columns:
        return usual, ""
    meaning = asked if asked != "auto" else _decide(cells, field, language)
    heading = cells.headings.get(field, field)
    return meaning, "" if meaning == usual else f"{heading}: read as {SAYS[meaning]}"


def _decide(cells: Columns, field: str, language: Language) -> str:
    """The meaning in which most cells can be read; of several the one in which results are near to their contracts."""
    usual = USUAL[field]
    column = _column(cells, field, language)
    over = {meaning: column.over(meaning) for meaning in (usual, *(each for each in SAYS if each != usual))}
    read = {meaning: int(column.cells[~np.isnan(each)].sum()) for meaning, each in over.items()}
    most, size = max(read.values()), int(column.cells.sum())
    left = [meaning for meaning in over if read[meaning] == most]
    if not size or 2 * most <= size:
        return usual
    away = {meaning: float(np.nansum(np.abs(each) * column.cells)) for meaning, each in over.items()}
    if TRICKS in left and _differ(over, left):
        others = [meaning for meaning in left if meaning != TRICKS]
        nearest = min(others, key=lambda meaning: away[meaning])
        farther = away[TRICKS] - away[nearest]
        if farther <= (-_CLEAR if usual == MADE else 0):
            left = [TRICKS]
        elif usual == TRICKS and farther < _CLEAR:
            raise _refused(cells, field, column, (TRICKS, nearest))
        elif MADE not in left and farther < _CLEAR:
            raise _refused(cells, field, column, (nearest, TRICKS))
        else:
            left = others
    if _differ(over, left):
        if column.cells[over[MADE] != over[ODD]].sum() < _CLEARLY_ODD:
            raise _refused(cells, field, column, (MADE, ODD))
        left = [ODD]
    if usual == MADE and left[0] == TRICKS:
        if read[MADE] == most:
            raise _refused(cells, field, column, (MADE, TRICKS))
        return usual  # most cells cannot be read then, and the column is refused
    return left[0]


def _differ(over: Mapping[str, Floats], meanings: Sequence[str]) -> bool:
    """Whether some results are not the same in all of these meanings."""
    return any(not np.array_equal(over[meaning], over[meanings[0]], equal_nan=True) for meaning in meanings)


def _column(cells: Columns, field: str, language: Language) -> _Column:
    """The different cells of a column that have a contract and a number."""
    levels = cells["contract"].each(lambda text: _level(text, language))
    marks = [_mark(text) for text in cells[field].texts]
    known, bare, minus = (
        np.array([mark is not None and mark[0] in kinds for mark in marks], dtype=bool)
        for kinds in (("=", "+", "-", ""), ("",), ("-",))
    )
    number = np.array([mark[1] if mark else 0 for mark in marks], dtype=np.int64)
    index, shape = cells[field].index, (_LEVELS, len(marks))
    count = count_by(keys_of((levels, index), shape))
    there = np.flatnonzero(count)
    level, text = split_keys(there.astype(np.int64), shape)
    kept = np.flatnonzero((level > 0) & known[text])
    level, text, count = level[kept], text[kept], count[there[kept]]
    unmarked = (levels > 0) & bare[index]
    example = int(np.argmax(unmarked)) if unmarked.any() else -1
    return _Column(level, number[text], bare[text], minus[text], count, example)


def _level(text: str, language: Language) -> int:
    try:
        return Entry.parse(text, language).contract.level
    except NotationError:
        return 0


def _mark(text: str) -> tuple[str, int] | None:
    """How a number of tricks is written, and the number; None for any other text."""
    words = notation.plain(text).replace(" ", "")
    if words in ("=", "C"):
        return "=", 0
    found = re.fullmatch(r"([+-]?)(\d{1,2})", words)
    return (found[1], int(found[2])) if found else None


def _refused(cells: Columns, field: str, column: _Column, ways: tuple[str, str]) -> SheetError:
    """That a column can be read in two ways, by its first number without a mark."""
    heading, at = cells.headings.get(field, field), column.example
    number, contract = (cells[name].texts[cells[name].index[at]] for name in (field, "contract"))
    one, other = ways
    return SheetError(
        f"column {heading} can be read in two ways: {number} at {contract} in row {cells.rows[at]} is {SAYS[one]}, "
        f"or {SAYS[other]} (expected the option result-is: --result-is {one} or --result-is {other})"
    )
