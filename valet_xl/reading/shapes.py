"""The register of shapes of sheets, and which one a sheet has."""

from __future__ import annotations

from dataclasses import dataclass

from valet_xl.documents.cell_rows import CellRows
from valet_xl.reading import programs, rooms, score_sheets, standard, travellers, wide
from valet_xl.reading.headings import Grid, find_headings
from valet_xl.reading.shape import Shape, Table

SHAPES: tuple[Shape, ...] = (
    programs.BBO_EXTRACTOR,
    programs.BRIDGEMATE,
    programs.BRIDGEWEBS,
    rooms.SHAPE,
    standard.SHAPE,
    programs.BBO_RESULTS,
    travellers.SHAPE,
    wide.SHAPE,
    score_sheets.SHAPE,
)
"""All shapes, in the order in which they are tried."""
USUAL = standard.SHAPE
"""The shape that needs no mention."""
_SHAPE = "shape"  # the key of what rows of cells keep of theirs


@dataclass(frozen=True, slots=True)
class Shaped:
    """A sheet whose shape is known, and its table."""

    shape: Shape
    table: Table


def take_shape(grid: Grid) -> Shaped:
    """Find out which shape a sheet has.

    Parameters
    ----------
    grid : the sheet's cells, None for blank

    Raises
    ------
    SheetError : where it has none; it says what was found of a heading row, and what was not
    """
    if isinstance(grid, CellRows) and _SHAPE in grid.kept:
        found: Shaped = grid.kept[_SHAPE]
        return found
    for shape in SHAPES:
        table = shape.table(grid)
        if table is not None:
            shaped = Shaped(shape, table)
            if isinstance(grid, CellRows):
                grid.kept[_SHAPE] = shaped
            return shaped
    find_headings(grid)  # raises
    raise AssertionError("a sheet with headings has the standard shape")
