"""Team sheets: the rooms, or tables, of a match next to each other in one row."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from valet_xl.documents.cell_names import cell_name
from valet_xl.errors import SheetError
from valet_xl.messages import one_line
from valet_xl.reading.headings import Grid, columns_of
from valet_xl.reading.shape import SEARCHED, Shape, Table, fields_in, is_blank

_TWO_ROOMS = ("Open", "Closed")
_SAYING = frozenset(("declarer", "tricks", "result", "made", "lead", "score"))  # one of these is there for each room


def _rooms(grid: Grid) -> Table | None:
    """A sheet with two or more rooms in a row; None for another sheet.

    Raises
    ------
    SheetError : where the columns of the rooms cannot be told apart
    """
    for top, row in enumerate(grid[:SEARCHED]):
        fields = list(fields_in(row))
        count = Counter(name for _, name in fields)
        rooms = count["contract"]
        if rooms < 2 or count["board"] != 1 or all(count[name] != rooms for name in _SAYING):
            continue
        repeated = next(name for _, name in fields if count[name] == rooms)
        starts = [at for at, name in fields if name == repeated]
        return _table(grid, top, list(zip(starts, [*starts[1:], len(row)], strict=True)))
    return None


def _table(grid: Grid, top: int, rooms: Sequence[tuple[int, int]]) -> Table:
    """The rows of each room under one heading row; what is left of the first room is of all."""
    row = grid[top]
    of_all = columns_of(row[: rooms[0][0]])
    of_all.setdefault("board", next(at for at, name in fields_in(row) if name == "board"))
    shared = list(of_all.values())
    groups = [
        {name: at for name, at in columns_of(row[start:end]).items() if name not in of_all} for start, end in rooms
    ]
    if not all("contract" in columns for columns in groups):
        raise SheetError(
            f"heading row {top + 1} has {len(rooms)} contracts, but their columns cannot be told apart "
            "(expected the same order in each room)"
        )
    names = list(dict.fromkeys(name for columns in groups for name in columns))
    titles = {
        name: row[start + columns[name]] for (start, _), columns in zip(rooms, groups, strict=True) for name in columns
    }
    called = _called(grid, top, rooms)
    in_table = "table" in of_all or "table" in names
    cells: list[list[object]] = [
        [*(row[at] for at in shared), None if in_table else "Table", *(titles[name] for name in names)]
    ]
    places = []
    for at, under in enumerate(grid[top + 1 :], top + 1):
        if list(under) == list(row):
            continue
        for (start, end), columns, room in zip(rooms, groups, called, strict=True):
            said = under[start:end]
            own = [said[columns[name]] if name in columns and columns[name] < len(said) else None for name in names]
            if not all(map(is_blank, own)):
                cells.append([*(under[column] if column < len(under) else None for column in shared), room, *own])
                places.append(cell_name(at, start + columns["contract"]))
    return Table(cells, places=places)


def _called(grid: Grid, top: int, rooms: Sequence[tuple[int, int]]) -> list[str]:
    """What the rooms are called: by the titles above them, or else open and closed, or numbers."""
    for row in reversed(grid[max(0, top - 2) : top]):
        above = [next((one_line(cell) for cell in row[start:end] if not is_blank(cell)), "") for start, end in rooms]
        if all(above) and len(set(above)) == len(above):
            return above
    return list(_TWO_ROOMS) if len(rooms) == 2 else [str(number) for number in range(1, len(rooms) + 1)]


SHAPE = Shape(
    "rooms side by side",
    "one board column, and right of it two or more contract columns, each with a declarer, tricks or result of its own",
    _rooms,
)
