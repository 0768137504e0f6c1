"""The rows of a sheet that is used in a rectangle: a list, and an array out of which a column is taken at once."""

from __future__ import annotations

from collections.abc import Hashable
from typing import Any

import numpy as np
import numpy.typing as npt

from valet_xl.documents.page import Cell


class CellRows(list[list[Cell]]):
    """Rows of cells of one length, which nobody changes.

    Parameters
    ----------
    table : (rows, columns) the cells

    Attributes
    ----------
    kept : what readers have found out about the rows and need again

    >>> CellRows(np.array([["Board", 1], ["Pair", None]], dtype=object)).column(1, range(2))
    [1, None]
    """

    def __init__(self, table: npt.NDArray[np.object_]) -> None:
        super().__init__(table.tolist())
        self._table = table
        self.kept: dict[Hashable, Any] = {}

    def column(self, number: int, rows: range) -> list[Cell]:
        """The cells of a column, from 0, in rows that follow each other; blank ones right of what is used."""
        if number >= self._table.shape[1]:
            return [None] * len(rows)
        cells: list[Cell] = self._table[rows.start : rows.stop, number].tolist()
        return cells
