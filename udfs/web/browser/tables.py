"""Tables that a page shows: kept here, sorted here, and sent as text some rows at a time."""

from __future__ import annotations

import datetime
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from valet_xl.documents.page import Cell
from valet_xl.rankings.listing import Heading, Listing, printable, shown
from valet_xl.rankings.ranking import view
from valet_xl.sheets.score_file import ScoredFile

_SCORED, _DETAIL = "scored", "detail"
_LONGEST = 200  # characters of a cell that a page shows


@dataclass(slots=True)
class Table:
    """A table: columns under headings.

    headings : of the columns
    columns : the cells
    numbers : what messages call the rows; none where they have no numbers
    wrong : the rows that could not be read, which come first where nothing else is asked for
    kinds : of columns that are scores or details, by their place
    """

    headings: Sequence[Heading]
    columns: Sequence[Sequence[Cell]]
    numbers: Sequence[int] = ()
    wrong: frozenset[int] = frozenset()
    kinds: Mapping[int, str] = field(default_factory=dict)
    _order: tuple[object, list[int]] | None = None

    @classmethod
    def of_listing(cls, listing: Listing) -> Table:
        """A listing, whose columns that not every view has are details."""
        kept = set(view(listing).names)
        details = {at: _DETAIL for at, name in enumerate(listing.names) if name not in kept}
        return cls(listing.headings, listing.columns, kinds=details)

    @classmethod
    def of_scored(cls, scored: ScoredFile) -> Table:
        """A sheet with its scores, where they are in the sheet."""
        block, top = scored.block, scored.block.top
        size = len(block.columns[0].cells)
        rows = scored.cells[top + 1 : top + 1 + size]
        heading_row = scored.cells[top]
        width = max([len(heading_row), *map(len, rows)])
        replaced = range(block.left, block.left + block.replaces)
        columns: list[tuple[Heading, Sequence[Cell], bool]] = []
        for at in range(width):
            if at == block.left:
                columns += _block_columns(scored)
            cells = [row[at] if at < len(row) else None for row in rows]
            name = heading_row[at] if at < len(heading_row) else None
            if at not in replaced and (name is not None or any(cell is not None for cell in cells)):
                columns.append((Heading(text_of(name), "", _form(cells)), _filled(cells, size), False))
        if block.left >= width:
            columns += _block_columns(scored)
        place = {number: at for at, number in enumerate(scored.numbers)}
        wrong = frozenset(place[error.row] for error in scored.summary.errors if error.row in place)
        return cls(
            [heading for heading, *_ in columns],
            [cells for _, cells, _ in columns],
            scored.numbers[:size],
            wrong,
            {at: _SCORED for at, (*_, of_scoring) in enumerate(columns) if of_scoring},
        )

    def __len__(self) -> int:
        return len(self.columns[0]) if self.columns else 0

    def described(self) -> dict[str, Any]:
        """What a page needs to know before it asks for rows."""
        return {
            "columns": [
                {
                    "name": printable(heading.name)[:_LONGEST],
                    "says": heading.says,
                    "number": heading.format != "@",
                    "kind": self.kinds.get(at, ""),
                }
                for at, heading in enumerate(self.headings)
            ],
            "rows": len(self),
            "wrong": len(self.wrong),
            "numbered": bool(self.numbers),
        }

    def rows(self, start: int, count: int, column: int | None = None, *, down: bool = False) -> list[dict[str, Any]]:
        """Some rows as text.

        Parameters
        ----------
        start, count : which, in the order that is asked for
        column : the one that they are in the order of, blanks last; else the rows that could not be read are first
        down : whether the highest comes first
        """
        order = self._sorted(column, down)[start : start + count]
        return [
            {
                "number": self.numbers[row] if self.numbers else None,
                "wrong": row in self.wrong,
                "cells": [
                    text_of(cells[row], heading.format)
                    for heading, cells in zip(self.headings, self.columns, strict=True)
                ],
            }
            for row in order
        ]

    def _sorted(self, column: int | None, down: bool) -> list[int]:
        asked = (column, down)
        if self._order is None or self._order[0] != asked:
            self._order = asked, self._order_of(column, down)
        return self._order[1]

    def _order_of(self, column: int | None, down: bool) -> list[int]:
        every = range(len(self))
        if column is None:
            return sorted(every, key=lambda row: row not in self.wrong)
        cells = self.columns[column]
        there = [row for row in every if cells[row] is not None and cells[row] != ""]
        blank = [row for row in every if cells[row] is None or cells[row] == ""]
        return [*sorted(there, key=lambda row: _key(cells[row]), reverse=down), *blank]


def text_of(cell: Cell, form: str = "@") -> str:
    """A cell as text.

    >>> text_of(7.0), text_of(2.345, "0.00"), text_of(None), text_of(True)
    ('7', '2.35', '', 'TRUE')
    """
    if isinstance(cell, bool):
        return str(cell).upper()
    if cell is None or isinstance(cell, str):
        return printable(cell or "")[:_LONGEST]
    if isinstance(cell, int | float):
        return shown(cell, form) if form not in ("@", "General") else f"{cell:.15g}"
    return str(cell)


def _block_columns(scored: ScoredFile) -> list[tuple[Heading, Sequence[Cell], bool]]:
    return [(Heading(column.name, "", column.format), column.cells, True) for column in scored.block.columns]


def _form(cells: Iterable[Cell]) -> str:
    """How a sheet's own column looks: numbers go to the right."""
    there = [cell for cell in cells if cell is not None and cell != ""]
    return "General" if there and all(_number(cell) is not None for cell in there) else "@"


def _filled(cells: list[Cell], size: int) -> list[Cell]:
    return cells + [None] * (size - len(cells))


def _number(cell: Cell) -> float | None:
    """A number, also one that is written as text; None for anything else.

    >>> _number(4), _number("-1.5"), _number("4S"), _number("nan")
    (4.0, -1.5, None, None)
    """
    if isinstance(cell, int | float):
        return float(cell)
    if isinstance(cell, str) and cell[-1:].isdecimal():
        try:
            return float(cell)
        except ValueError:
            return None
    return None


def _key(cell: Cell) -> tuple[int, float, str]:
    """What cells are sorted by: numbers before times before texts."""
    number = _number(cell)
    if number is not None:
        return 0, number, ""
    if isinstance(cell, datetime.date | datetime.time | datetime.timedelta):
        return 1, 0.0, str(cell)
    return 2, 0.0, str(cell).casefold()
