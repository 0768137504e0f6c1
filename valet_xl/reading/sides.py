"""Who sat where: the columns of players and sides as indices into their tags."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from valet_xl.engine.arrays import Index, Mask
from valet_xl.reading.columns import Columns


def name_sides(cells: Columns, called: Mapping[str, str]) -> tuple[Index, Index, list[str]]:
    """Players (n, 4) and sides (n, 2) as indices into the tags; a side without a tag is its two players."""
    known: dict[str, int] = {}

    def codes(field: str) -> Index:
        return cells[field].each(lambda text: known.setdefault(text, len(known)) if text else -1)

    def codes_of_sides(field: str) -> Index:
        """Numbers of sides begin again in each section."""
        if field not in cells.columns:
            return np.full(cells.size, -1, dtype=np.intp)
        side, section = cells[field], cells["section"]
        both, index = np.unique(section.index * len(side.texts) + side.index, return_inverse=True)
        names = ((section.texts[at // len(side.texts)], side.texts[at % len(side.texts)]) for at in both.tolist())
        numbers = [known.setdefault(f"{of} {name}".strip(), len(known)) if name else -1 for of, name in names]
        return np.array(numbers, dtype=np.intp)[index]

    players = np.stack([codes(field) for field in ("north", "east", "south", "west")], axis=1)
    sides = np.stack([codes_of_sides("ns"), codes_of_sides("ew")], axis=1)
    names = list(known)
    for side in (0, 1):
        pair = players[:, side::2]
        unnamed = (sides[:, side] < 0) & (pair >= 0).all(axis=1)
        low, high = pair[unnamed].min(axis=1, initial=len(names)), pair[unnamed].max(axis=1, initial=-1)
        pairs, index = np.unique(low * len(names) + high, return_inverse=True)
        of_pair = []
        for packed in pairs.tolist():
            first, second = (
                called.get(tag, tag) for tag in sorted((names[packed // len(names)], names[packed % len(names)]))
            )
            of_pair.append(known.setdefault(f"{first} - {second}", len(known)))
        sides[unnamed, side] = np.array(of_pair, dtype=np.intp)[index]
    return players, sides, list(known)


def part_directions(
    cells: Columns, board: Index, reported: Mask, sides: Index, known: Sequence[str]
) -> tuple[Index, list[str]]:
    """Sides and tags, in which pair 3 is 3 NS and 3 EW where pairs of one number sit both ways.

    That is so in many a Mitchell movement, and shows on its boards: most numbers are there in both directions, while
    elsewhere no pair has two results on a board.
    """
    tagged = (cells["ns"].each(bool) > 0) & (cells["ew"].each(bool) > 0)
    rows = np.flatnonzero(reported & tagged & (board >= 0))
    ns, ew = (np.unique(board[rows] * len(known) + sides[rows, side]) for side in (0, 1))
    if 3 * len(np.intersect1d(ns, ew, assume_unique=True)) <= len(ns) + len(ew):
        return sides, list(known)
    tags = list(known)
    apart = sides.copy()
    for side, direction in enumerate(("NS", "EW")):
        here = cells[direction.lower()].each(bool) > 0
        numbers, index = np.unique(sides[here, side], return_inverse=True)
        apart[here, side] = len(tags) + index
        tags += [f"{known[number]} {direction}" for number in numbers.tolist()]
    return apart, tags
