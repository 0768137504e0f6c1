"""The usual shape of a sheet: a row a result, under a heading row."""

from __future__ import annotations

from valet_xl.errors import SheetError
from valet_xl.reading.headings import Grid, find_headings
from valet_xl.reading.shape import Shape, Table


def standard_table(grid: Grid) -> Table | None:
    """A sheet that has a heading row with a board and a contract column, as it is."""
    try:
        return Table(grid, find_headings(grid).row)
    except SheetError:
        return None


SHAPE = Shape("rows", "a heading row with a board and a contract column", standard_table)
