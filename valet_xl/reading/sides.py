"""Who sat where: the columns of players and sides as indices into their tags, and where that is in doubt."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

import numpy as np

from valet_xl.engine.arrays import (
    Index,
    Mask,
    Small,
    common_keys,
    count_by,
    distinct_keys,
    keys_of,
    number_keys,
    places_where,
    split_keys,
)
from valet_xl.engine.repeats import Repeats, at_many_tables
from valet_xl.engine.results import Seating
from valet_xl.reading.columns import Columns
from valet_xl.reading.players import is_nobody

_SEATS = ("north", "east", "south", "west")
_JOINED = re.compile(r"\w\s*(?:[&/+;]|\s[-–—]\s|\s(?:and|und|et|og|y|e|i)\s)\s*\w", re.IGNORECASE)
_NOBODY = -2  # in the columns of players and sides, where -1 is not known


def name_sides(cells: Columns, called: Mapping[str, str]) -> tuple[Index, Index, list[str]]:
    """Players (n, 4) and sides (n, 2) as indices into the tags; a side without a tag is its two players.

    -1 where nothing is said, -2 where what is said is a placeholder.
    """
    known: dict[str, int] = {}

    def code(tag: str, name: str) -> int:
        if not name:
            return -1
        return _NOBODY if is_nobody(name) else known.setdefault(tag, len(known))

    def codes(field: str) -> Index:
        return cells[field].each(lambda text: code(text, called.get(text, text)))

    def codes_of_sides(field: str) -> Index:
        """Numbers of sides begin again in each section."""
        if field not in cells.columns:
            return np.full(cells.size, -1, dtype=np.intp)
        side, section = cells[field], cells["section"]
        both, index = number_keys(keys_of((section.index, side.index), (len(section.texts), len(side.texts))))
        names = ((section.texts[at // len(side.texts)], side.texts[at % len(side.texts)]) for at in both.tolist())
        numbers = [code(f"{of} {name}".strip(), name) for of, name in names]
        return np.array(numbers, dtype=np.intp)[index]

    players = np.stack([codes(field) for field in _SEATS]).T  # each seat in one piece
    sides = np.stack([codes_of_sides("ns"), codes_of_sides("ew")], axis=1)
    _name_as_pairs(players, sides, list(known))
    tags = list(known)
    names = [called.get(tag, tag) for tag in tags]
    for side in (0, 1):
        one, other = players[:, side], players[:, side + 2]
        unnamed = np.flatnonzero((sides[:, side] < 0) & (one >= 0) & (other >= 0))
        one, other = one[unnamed], other[unnamed]
        shape = (len(names), len(names))
        pairs, index = number_keys(keys_of((np.minimum(one, other), np.maximum(one, other)), shape))
        of_pair = []
        for low, high in zip(*(places.tolist() for places in split_keys(pairs, shape)), strict=True):
            first, second = (low, high) if tags[low] <= tags[high] else (high, low)
            of_pair.append(known.setdefault(f"{names[first]} - {names[second]}", len(known)))
        sides[unnamed, side] = np.array(of_pair, dtype=np.intp)[index]
    return players, sides, list(known)


def _name_as_pairs(players: Index, sides: Index, names: Sequence[str]) -> None:
    """Take one name in both seats of a side for the pair's, where it joins two names or most sides are named so."""
    same = (players[:, :2] >= 0) & (players[:, :2] == players[:, 2:])
    if not same.any():
        return
    first, second = players[:, :2].copy(), players[:, 2:].copy()
    joined = np.array([*(bool(_JOINED.search(name)) for name in names), False])
    words = np.array([*(not name.isdigit() for name in names), False])
    alike = same & words[first]
    usual = 2 * np.count_nonzero(alike) > np.count_nonzero((first >= 0) & (second >= 0))
    of_pair = alike & (usual | joined[first])
    sides[of_pair & (sides < 0)] = first[of_pair & (sides < 0)]
    players[:, :2][of_pair] = players[:, 2:][of_pair] = -1


def part_directions(
    cells: Columns, board: Index, reported: Mask, sides: Index, known: Sequence[str]
) -> tuple[Index, list[str]]:
    """Sides and tags, in which pair 3 is 3 NS and 3 EW where pairs of one number sit both ways.

    That is so in many a Mitchell movement, and shows on its boards: most numbers are there in both directions, while
    elsewhere no pair has two results on a board.
    """
    if not {"ns", "ew"} <= cells.columns.keys():
        return sides, list(known)
    tagged = cells["ns"].where(bool) & cells["ew"].where(bool) & (sides >= 0).all(axis=1)
    rows = np.flatnonzero(reported & tagged & (board >= 0))
    shape = (int(board.max(initial=0)) + 1, len(known))
    ns, ew = (distinct_keys(keys_of((board[rows], sides[rows, side]), shape)) for side in (0, 1))
    if 3 * len(common_keys(ns, ew)) <= len(ns) + len(ew):
        return sides, list(known)
    tags = list(known)
    apart = sides.copy()
    for side, direction in enumerate(("NS", "EW")):
        here = cells[direction.lower()].where(bool) & (sides[:, side] >= 0)
        numbers, index = number_keys(sides[here, side])
        apart[here, side] = len(tags) + index
        tags += [f"{known[number]} {direction}" for number in numbers.tolist()]
    return apart, tags


def seat(
    cells: Columns,
    board: Index,
    reported: Mask,
    players: Index,
    sides: Index,
    known: Sequence[str],
    called: Mapping[str, str],
) -> tuple[Index, Index, Small, tuple[str, ...]]:
    """Find out where it is not known who sat there.

    Parameters
    ----------
    cells : the columns of n rows
    board, reported : (n,) the board of each row, -1 where it is not known, and whether the row says that it was played
    players, sides : as `name_sides` gives them
    known, called : the tags, and the names that belong to them

    Returns
    -------
    players and sides, -1 where not known; (n, 4) the `Seating`; and what the placeholders are called

    Notes
    -----
    A placeholder is a text for which `is_nobody`, and a player's number at three tables or more (`at_many_tables`). A
    seat is doubtful on a board that has more than one result of its player, or of its side; but a name without a number
    that is often at several tables is taken to be several persons'.
    """
    names = [called.get(tag, tag) for tag in known]
    place = np.where(reported, board, -1)
    numbered = np.array([tag != name or tag.isdigit() for tag, name in zip(known, names, strict=True)] + [False])
    named = np.maximum(players, -1)
    repeats = Repeats.of(named, place, len(names))
    among = repeats.names
    # Elsewhere nobody is at two tables of a board, or in two seats of one.
    rows = np.flatnonzero(repeats.boards[place] | (place < 0))
    nobodies = at_many_tables(named, place, repeats, 3, numbered)
    written = dict.fromkeys(text for field in (*_SEATS, "ns", "ew") for text in cells[field].texts if text)
    placeholders = [name for text in written if is_nobody(name := called.get(text, text))]
    placeholders += [names[at] for at in np.flatnonzero(nobodies).tolist()]
    absent = (players == _NOBODY) | nobodies[named]
    players = np.where(absent, -1, players)
    seating = np.where(absent, np.int8(Seating.NOBODY), np.int8(Seating.KNOWN))
    namesakes = at_many_tables(players, place, repeats, among=~numbered)
    one_person = among & ~namesakes & ~_twice_at_a_table(players[rows], len(names))
    row, seat_of = _again(players[rows], place[rows], one_person)
    seating[rows[row], seat_of] = Seating.DOUBTFUL
    for side, field in enumerate(("ns", "ew")):
        both = seating[:, side::2]
        nobody, unlabelled = sides[:, side] == _NOBODY, ~cells[field].where(bool)
        if nobody.any():
            both[nobody & (players[:, side] < 0) & (players[:, side + 2] < 0)] = Seating.NOBODY
        sides[nobody | (unlabelled & (absent[:, side] | absent[:, side + 2])), side] = -1
        has_own = field in cells.columns or ((sides[:, side] >= 0) & (named[:, side] < 0)).any()
        at = np.arange(cells.size, dtype=np.intp) if has_own else rows  # what is twice there has players who are
        side_of = sides[at, side, None]
        twice = Repeats.of(side_of, place[at], len(names)).names
        there = _rows_with(twice, side_of)
        row, _ = _again(side_of[there], place[at[there]], twice)
        both[at[there[row]]] = Seating.DOUBTFUL
    return players, sides, seating, tuple(dict.fromkeys(placeholders))


def _twice_at_a_table(players: Index, size: int) -> Mask:
    """(size + 1,) which names are in more than one seat of a table; False at the end, for -1."""
    out = np.zeros(size + 1, dtype=bool)
    seats = np.sort(players, axis=1)
    same = seats[:, 1:] == seats[:, :-1]
    out[seats[:, 1:][same]] = True
    out[-1] = False
    return out


def _rows_with(among: Mask, names: Index) -> Index:
    """The rows in which one of some names is: `among` is (size + 1,), and names (n, k) indices, -1 for none."""
    if not among.any():
        return np.zeros(0, dtype=np.intp)
    there = np.zeros(len(names), dtype=bool)
    for column in names.T:
        there |= among[column]
    return np.flatnonzero(there)


def _again(names: Index, board: Index, among: Mask) -> tuple[Index, Index]:
    """The rows and the columns where one of some names is in more than one place of a board.

    Parameters
    ----------
    names : (n, k) indices, -1 for none
    board : (n,) the board of each row, -1 where not known
    among : (size + 1,) the names that count, all of which are more than once on some board
    """
    row, place = places_where(among[names] & (board >= 0)[:, None])
    _, index = number_keys(keys_of((board[row], names[row, place]), (int(board.max(initial=0)) + 1, len(among))))
    again = count_by(index)[index] > 1
    return row[again], place[again]
