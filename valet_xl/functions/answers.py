"""What worksheet functions of results give: a cell for each row of their range."""

from __future__ import annotations

import math

from valet_xl.engine.arrays import Floats, settled
from valet_xl.engine.results import Results, Status
from valet_xl.functions.registry import Cell, ErrorCell


def down(results: Results, values: Floats, size: int, first: int) -> list[Cell]:
    """A cell for each of the rows from the row `first` on: a value, blank, or an error where the row is one."""
    column: list[Cell] = [None] * size
    for row, value, status in zip(results.row.tolist(), settled(values).tolist(), results.status.tolist(), strict=True):
        if status == Status.ERROR:
            column[row - first] = ErrorCell.VALUE
        elif not math.isnan(value):
            column[row - first] = value
    return column
