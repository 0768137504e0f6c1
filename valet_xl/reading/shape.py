"""What a shape of a sheet is: a record of how it is recognised, and how it becomes a table of one row a result."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from valet_xl.engine.notation import Entry, is_unplayed
from valet_xl.engine.score_results import LAYOUTS
from valet_xl.errors import NotationError, RowError
from valet_xl.messages import one_line
from valet_xl.reading.headings import Grid, columns_of

SEARCHED = 200  # rows in which the heading row is looked for
SAMPLE = 200  # rows under a heading row that show what is in its columns


@dataclass(frozen=True, slots=True)
class Table:
    """A sheet as a table: one heading row with headings that are known, and under it a row for each result.

    cells : the rows
    top : the heading row
    added : how many columns are put in left of the sheet's own
    places : the cell of the sheet that each row under the headings comes from; () where the rows are the sheet's own
    wrong : what is wrong in rows, by their numbers, which count from 1
    """

    cells: Grid
    top: int = 0
    added: int = 0
    places: Sequence[str] = ()
    wrong: Mapping[int, RowError] = field(default_factory=dict)

    @property
    def in_place(self) -> bool:
        """Whether a row of the table is a row of the sheet, so that scores have their place in it."""
        return not self.places


@dataclass(frozen=True, slots=True)
class Shape:
    """A shape of sheets.

    name : what a summary calls it, such as "BridgeWebs"
    sentence : how it is recognised, for the documentation: a phrase without a capital or a full stop
    table : gives a sheet as a table where it has this shape, else None
    """

    name: str
    sentence: str
    table: Callable[[Grid], Table | None]


def word(cell: object) -> str:
    """A heading for comparison with those that a program writes: lower case, without blanks.

    >>> word("Pair NS "), word(12)
    ('pairns', '')
    """
    return one_line(cell).casefold().replace(" ", "") if isinstance(cell, str) and len(cell) <= 40 else ""


def row_with(grid: Grid, words: frozenset[str]) -> int | None:
    """The first row that has all of these headings (`word`)."""
    return next((at for at, row in enumerate(grid[:SEARCHED]) if words <= set(map(word, row))), None)


def renamed(row: Sequence[object], names: Mapping[str, str | None]) -> list[object]:
    """A heading row with other headings for some (by `word`), None for a column that is not read.

    Of headings that are there twice the first is renamed: the second may be one that scoring wrote.
    """
    left = dict(names)
    return [left.pop(word(cell), cell) for cell in row]


def former_block(heading_row: Sequence[object]) -> tuple[int, int] | None:
    """The first column, and the number of columns, that an earlier scoring wrote; None where there are none.

    >>> former_block(["Board", "Contract", *LAYOUTS[0]])
    (2, 9)
    """
    names = [plain_heading(cell) for cell in heading_row]
    for left in range(len(names) - 1, -1, -1):
        for headings in LAYOUTS:
            if tuple(names[left : left + len(headings)]) == headings:
                return left, len(headings)
    return None


def plain_heading(cell: object) -> str:
    """A heading of ours without the number that it gets where a table has it already.

    >>> plain_heading("Score 2")
    'Score'
    """
    return re.sub(r" \d+$", "", cell) if isinstance(cell, str) else ""


def fields_in(row: Sequence[object]) -> Iterator[tuple[int, str]]:
    """The columns of a heading row that are known, and which field each is, also where two are of one field."""
    for at, cell in enumerate(row):
        for name in columns_of([cell]):
            yield at, name


def is_blank(cell: object) -> bool:
    """Whether there is nothing in a cell."""
    return cell is None or (isinstance(cell, str) and not cell.strip())


def is_result(cell: object) -> bool:
    """Whether a cell says a whole result by itself: contract, declarer and tricks, or a pass-out.

    >>> is_result("W3NT+2"), is_result("P"), is_result("3NT"), is_result(12)
    (True, True, False, False)
    """
    if not isinstance(cell, str) or len(cell) > 40:
        return False
    try:
        entry = Entry.parse(cell)
    except NotationError:
        return False
    return not entry.contract.level or (entry.declarer is not None and entry.result is not None)


def mostly_results(cells: Sequence[object]) -> bool:
    """Whether at least two, and most of the cells in which there is something, say a whole result."""
    results = sum(map(is_result, cells))
    if results < 2:
        return False
    return 2 * results > sum(not is_blank(cell) and not is_unplayed(str(cell)) for cell in cells)
