"""Columns that an earlier scoring wrote: which of their cells it wrote, and which somebody typed since."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import cached_property
from itertools import zip_longest

import numpy as np

from valet_xl.documents.cell_names import cell_name
from valet_xl.documents.page import Value
from valet_xl.engine.arrays import Floats
from valet_xl.engine.laws import imps_of
from valet_xl.engine.score_results import BETWEEN_REMARKS, COLUMNS, REMARK
from valet_xl.errors import SheetError
from valet_xl.reading.grid import Reading, holds
from valet_xl.reading.headings import Grid, column_cells
from valet_xl.reading.shape import plain_heading

_FIELDS = {name: column.field for column in COLUMNS for name in (column.heading, column.former) if name}
_MOST_PARTS = 8  # of a remark that has itself what separates remarks
_PROOF = ("score", "datum", "butler", "bid", "play", "defence")  # what every result that was scored has
_ALIKE = 0.01  # two numbers that differ by less are the same average
_HIGHEST = 7600  # points of 7NT redoubled and vulnerable, thirteen down


class FormerScores:
    """The columns that an earlier scoring wrote on a sheet that was read, if there are any.

    Parameters
    ----------
    grid : the sheet's cells
    reading : what was read of it
    """

    def __init__(self, grid: Grid, reading: Reading) -> None:
        self._grid = grid
        self._left, self._right = reading.left, reading.left + reading.replaces
        heading_row = grid[reading.headings.row]
        self._fields = [_FIELDS[plain_heading(cell)] for cell in heading_row[self._left : self._right]]
        self._results = {row - 1 for row in reading.results.row.tolist()}
        self._top = reading.headings.row

    def bottom(self, last: int) -> int:
        """The last row with scores: a row, or that of scores under it whose results are gone.

        A row under the results that has anything else, such as a total or a name, is not touched.
        """
        while self.is_ours(last + 1) and self._is_alone(last + 1):
            last += 1
        return last

    def is_ours(self, row: int) -> bool:
        """Whether scoring wrote what a row has in these columns.

        Its note says so; or its score, datum, Butler and parts belong together. Sums and averages do so too: the rows
        above show which those are.
        """
        cells = dict(zip(self._fields, self._cells(row), strict=True))
        note = cells.pop("note", None)
        numbers = {field: _number(cell) for field, cell in cells.items() if holds(cell)}
        if any(number is None for number in numbers.values()):
            return False
        if holds(note):
            return isinstance(note, str) and not typed_remark(note)
        of = {field: number for field, number in numbers.items() if number is not None}
        return of.keys() >= set(_PROOF) and _belong_together(of) and not self._sums_up(row, of)

    def rows_with_more(self, rows: range) -> Iterator[int]:
        """Of some rows those in which somebody may have typed something: all but those of results without a note."""
        there = range(rows.start, min(rows.stop, len(self._grid)))
        notes: Sequence[object] = ()
        if "note" in self._fields:
            notes = column_cells(self._grid, there, self._left + self._fields.index("note"))
        for row, note in zip_longest(rows, notes):
            if note not in (None, "") or row not in self._results:
                yield row

    def typed(self, row: int) -> dict[str, Value]:
        """What somebody typed into these columns of a row, by the field of the column; scoring puts it there again.

        In the row of a result that is a remark in the column of notes: every number there is a score. In other rows
        it is all that scoring did not write.

        Raises
        ------
        SheetError : where it cannot be put there again, as a date cannot
        """
        cells = dict(zip(self._fields, self._cells(row), strict=True))
        if row in self._results:
            note = cells.get("note")
            remark = typed_remark(note) if isinstance(note, str) else note
            return {"note": self._kept(row, "note", remark)} if holds(remark) else {}
        if self.is_ours(row):
            return {}
        return {field: self._kept(row, field, cell) for field, cell in cells.items() if holds(cell)}

    def refuse_typed(self, bottom: int) -> None:
        """Refuse to take the columns out, down to a row, where somebody typed something into them.

        Raises
        ------
        SheetError : which names the first such cell
        """
        for row in self.rows_with_more(range(self._top + 1, bottom + 1)):
            for field in self.typed(row):
                raise self.refusal(row, field)

    def refusal(self, row: int, field: str) -> SheetError:
        """The error that names a cell whose content cannot stay."""
        place = cell_name(row, self._left + self._fields.index(field))
        return SheetError(f"{place} contains something that scoring did not write (move it, then try again)")

    def _sums_up(self, row: int, of: dict[str, float]) -> bool:
        """Whether numbers are the sums or the averages of what is above a row, from any row on."""
        sums, counts = self._sums
        tables = counts[row] - counts[:row]
        wanted = [of[field] for field in _PROOF]
        for share in (np.ones_like(tables), np.maximum(tables, 1)):
            # Of many rows the score alone leaves few to look at.
            alike = np.abs(sums[row, 0] - sums[:row, 0] - share * wanted[0]) < _ALIKE * share
            found = np.flatnonzero(alike & (tables > 1))
            above = (sums[row] - sums[found]) / share[found, np.newaxis]
            if np.any(np.all(np.abs(above - wanted) < _ALIKE, axis=1)):
                return True
        return False

    @cached_property
    def _sums(self) -> tuple[Floats, Floats]:
        """(rows + 1, fields of `_PROOF`) the sums of these columns above each row, and (rows + 1,) how many scores."""
        places = [self._fields.index(field) for field in _PROOF]
        cells = [self._cells(row) for row in range(len(self._grid))]
        numbers = np.array([[_number(row[at]) for at in places] for row in cells], dtype=np.float64)
        numbers[: self._top + 1] = np.nan
        start = np.zeros((1, len(places)))
        sums = np.concatenate([start, np.cumsum(np.nan_to_num(numbers), axis=0)])
        return sums, np.concatenate([start[:, 0], np.cumsum(~np.isnan(numbers[:, 0]))])

    def _cells(self, row: int) -> list[object]:
        cells = list(self._grid[row][self._left : self._right]) if row < len(self._grid) else []
        return [*cells, *[None] * (len(self._fields) - len(cells))]

    def _is_alone(self, row: int) -> bool:
        cells = self._grid[row]
        return not any(map(holds, (*cells[: self._left], *cells[self._right :])))

    def _kept(self, row: int, field: str, cell: object) -> Value:
        if isinstance(cell, bool) or not isinstance(cell, str | int | float):
            raise self.refusal(row, field)
        return cell


def typed_remark(note: str) -> str:
    """What of a note scoring did not write: what comes after its own remarks.

    >>> typed_remark("adjusted, 60 % - 40 %; the director was called")
    'the director was called'
    """
    parts = note.split(BETWEEN_REMARKS)
    ours = [0]  # up to which part, from the first on, all is ours
    for end in range(1, len(parts) + 1):
        starts = [start for start in ours[-_MOST_PARTS:] if start >= end - _MOST_PARTS]
        if any(REMARK.fullmatch(BETWEEN_REMARKS.join(parts[start:end])) for start in starts):
            ours.append(end)
    return BETWEEN_REMARKS.join(parts[ours[-1] :])


def with_remark(note: str, remark: Value) -> str:
    """A note of ours, and what somebody typed behind an earlier one.

    >>> with_remark("adjusted", "the director was called")
    'adjusted; the director was called'
    """
    return BETWEEN_REMARKS.join(filter(None, (note, "" if remark in (None, note) else str(remark))))


def _number(cell: object) -> float | None:
    """A cell's number; that of a CSV file is a text."""
    if isinstance(cell, str) and re.fullmatch(r"[+-]?\d+([.,]\d+)?", cell):
        return float(cell.replace(",", "."))
    return float(cell) if isinstance(cell, int | float) and not isinstance(cell, bool) else None


def _belong_together(of: dict[str, float]) -> bool:
    """Whether numbers are the scores of one result, whatever the options of scoring were."""
    against_datum = float(imps_of(np.array([of["score"] - of["datum"]]))[0])
    average = 50.0 if "percent" in of else 0.0  # parts of matchpoints are percentages
    play, lead, defence = (of.get(field, average) - average for field in ("play", "lead", "defence"))
    return (
        of["score"] % 10 == 0
        and abs(of["score"]) <= _HIGHEST
        and abs(of["butler"] - against_datum) <= 1  # roundings and halves differ by the options
        and abs(play + lead + defence) < 1e-4  # a CSV file has six decimals
    )
