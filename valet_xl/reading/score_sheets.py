"""The shape of sheets that have scores without contracts."""

from __future__ import annotations

import numpy as np

from valet_xl.engine.arrays import Floats
from valet_xl.reading.columns import CodedColumn
from valet_xl.reading.given_scores import are_points, numbers_of
from valet_xl.reading.headings import Grid, columns_of
from valet_xl.reading.rows import SCORES
from valet_xl.reading.scores_alone import MOST_OF_ALL, SAYING
from valet_xl.reading.shape import SEARCHED, Shape, Table, fields_in, word

_SCORES = frozenset(SCORES)
_SIDES = frozenset(("ns", "n-s", "n/s", "nz", "n-z", "n/z", "ew", "e-w", "e/w", "ow", "o-w", "o/w"))


def _scores_table(grid: Grid) -> Table | None:
    for top, row in enumerate(grid[:SEARCHED]):
        if "board" not in columns_of(row) or "contract" in columns_of(row):
            continue
        heading = _with_scores(grid, top)
        fields = columns_of(heading)
        if not _SCORES & fields.keys() or any(name in fields for name in SAYING):
            continue
        numbers = [_numbers(grid, top, at) for name, at in fields.items() if name in _SCORES]
        if are_points(np.concatenate(numbers), MOST_OF_ALL):
            rows = ([None, *under] for under in grid[top + 1 :])
            return Table([*[()] * top, ["Contract", *heading], *rows], top, added=1)
    return None


def _with_scores(grid: Grid, top: int) -> list[object]:
    """A heading row, in which a last NS and EW over points are scores, and other ones pairs, wherever they are."""
    heading = list(grid[top])
    bare = {at: name for at, name in fields_in(heading) if name in ("ns", "ew") and word(heading[at]) in _SIDES}
    last = {name: at for at, name in bare.items()}
    numbers = [_numbers(grid, top, at) for at in last.values()]
    points = len(last) == 2 and are_points(np.concatenate(numbers), MOST_OF_ALL)
    for at, name in bare.items():
        heading[at] = f"{name.upper()} {'score' if points and at == last[name] else 'pair'}"
    return heading


def _numbers(grid: Grid, top: int, column: int) -> Floats:
    """The numbers in a column under a heading row."""
    return numbers_of(CodedColumn.of([row[column] if column < len(row) else None for row in grid[top + 1 :]]))


SHAPE = Shape(
    "scores without contracts",
    "a column of boards and one or two of points, and no contract, declarer or tricks",
    _scores_table,
)
