"""Wide sheets: a cell a result, such as `W3NT+2`, with the boards in a heading row or in a column."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence

from valet_xl.documents.cell_names import cell_name
from valet_xl.errors import SheetError
from valet_xl.messages import one_line
from valet_xl.reading.cells import board_number
from valet_xl.reading.headings import Grid, columns_of
from valet_xl.reading.shape import SAMPLE, SEARCHED, Shape, Table, is_blank, mostly_results

_SIDED = ("ns", "ew", "north", "east", "south", "west", "table", "section", "round", "session", "date", "event")
_TWICE = re.compile(r"pairs?|players?|names?|teams?|paar|paire|spieler|speler", re.IGNORECASE)


def _boards_across(grid: Grid) -> Table | None:
    """A column a board, a row a table or pair."""
    for top, row in enumerate(grid[:SEARCHED]):
        boards = [at for at, cell in enumerate(row) if _board(cell)]
        sample = grid[top + 1 : top + 1 + SAMPLE]
        if len(boards) < 2 or not mostly_results([_cell(under, at) for under in sample for at in boards]):
            continue
        columns = {name: at for name, at in columns_of(row).items() if name in _SIDED and at not in boards}
        label = None if columns else next((at for at in range(boards[0]) if not _board(row[at])), None)
        head = [*(row[at] for at in columns.values()), "Table", "Board", "Contract"]
        head[len(columns)] = None if label is None else "Table"
        cells, places = [head], []
        for at, under in enumerate(grid[top + 1 :], top + 1):
            who = [
                *(_cell(under, column) for column in columns.values()),
                None if label is None else _cell(under, label),
            ]
            for column in boards:
                if not is_blank(_cell(under, column)):
                    cells.append([*who, _board(row[column]), _cell(under, column)])
                    places.append(cell_name(at, column))
        if label is not None and _TWICE.match(one_line(row[label] or "")):
            _refuse_twice(cells, one_line(row[label]))
        return Table(cells, places=places)
    return None


def _boards_down(grid: Grid) -> Table | None:
    """A row a board, a column a table, room or pair."""
    for top, row in enumerate(grid[:SEARCHED]):
        columns = {name: at for name, at in columns_of(row).items() if name in (*_SIDED, "board", "vulnerability")}
        if "board" not in columns:
            continue
        body = grid[top + 1 :]
        results = [
            at
            for at, cell in enumerate(row)
            if at not in columns.values()
            and not is_blank(cell)
            and mostly_results([_cell(under, at) for under in body[:SAMPLE]])
        ]
        if len(results) < 2:
            continue
        in_table = "table" in columns
        cells: list[list[object]] = [[*(row[at] for at in columns.values()), None if in_table else "Table", "Contract"]]
        places = []
        for at, under in enumerate(body, top + 1):
            for column in results:
                if not is_blank(_cell(under, column)):
                    cells.append(
                        [*(_cell(under, place) for place in columns.values()), row[column], _cell(under, column)]
                    )
                    places.append(cell_name(at, column))
        if all(_TWICE.match(one_line(row[at])) for at in results):
            _refuse_twice([[None, *line] for line in cells], one_line(row[results[0]]))
        return Table(cells, places=places)
    return None


def _refuse_twice(cells: Sequence[Sequence[object]], heading: str) -> None:
    """Refuse a sheet in which each result is there for both of the pairs, or for all four players, who got it."""
    said = Counter((str(row[-2]), one_line(row[-1])) for row in cells[1:])
    if len(said) > 1 and all(count % 2 == 0 for count in said.values()):
        raise SheetError(
            f"every result is there twice, so {heading} seems to have a row for both sides "
            "(expected one row a table, or the rows of North-South under the heading NS)"
        )


def _board(cell: object) -> int:
    """The number of a board in a heading; 0 for another heading."""
    if isinstance(cell, float) and cell.is_integer():
        cell = int(cell)
    number = board_number(str(cell)) if isinstance(cell, (int, str)) and not isinstance(cell, bool) else 0
    return number if number < 1000 else 0


def _cell(row: Sequence[object], column: int) -> object:
    return row[column] if column < len(row) else None


def _wide(grid: Grid) -> Table | None:
    return _boards_across(grid) or _boards_down(grid)


SHAPE = Shape(
    "wide sheet",
    "a heading row of boards, or a column of them, and cells of which most say a whole result, such as `W3NT+2`",
    _wide,
)
