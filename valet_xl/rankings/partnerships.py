"""Who plays with whom: the pairs and the players of a tournament, from names where they are known, else from labels."""

from __future__ import annotations

import unicodedata
from collections.abc import Collection
from dataclasses import dataclass, replace
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from valet_xl.engine.arrays import (
    DENSE,
    Index,
    Ints,
    Mask,
    Small,
    common_keys,
    count_by,
    distinct_keys,
    keys_of,
    number_as_they_come,
    places_where,
    split_keys,
)
from valet_xl.engine.repeats import Repeats, at_many_tables
from valet_xl.engine.results import Results, Seating, Status
from valet_xl.errors import ArgumentError, one_of
from valet_xl.messages import counted

LABELS = ("auto", "one", "sides")


@dataclass(frozen=True, slots=True, eq=False)
class Partnerships:
    """The pairs and players of a tournament.

    pair : (n, 2) the pair that sat North-South and East-West at each result, -1 where it is not known
    player : (n, 4) the player in each seat N, E, S, W, -1 where not known
    seated : (n, 4) the same also where the seat is in doubt
    pair_names : what each pair is called
    pair_players : (pairs, 2) its first and second player, -1 for a pair known by its label alone
    player_names : what each player is called

    Pairs and players are in the order in which they first appear in the results.
    """

    pair: Index
    player: Index
    seated: Index
    pair_names: tuple[str, ...]
    pair_players: Index
    player_names: tuple[str, ...]

    def unnamed(self, results: Results, *, players: bool = False) -> NDArray[np.bool_]:
        """(n,) the results, but for boards not played and rows in error, of which a pair, or a player, is not known.

        Those with a placeholder, or with seats in doubt, are not among them.
        """
        who = self.player if players else self.pair
        certain = (results.seating == Seating.KNOWN).all(axis=1)
        there = certain & np.isin(results.status, (Status.PLAYED, Status.PASSED_OUT, Status.ADJUSTED))
        return np.asarray((who < 0).any(axis=1) & there)

    def take(self, rows: Index | NDArray[np.bool_]) -> Partnerships:
        """Who played some of the results; the pairs and players of the others keep their numbers."""
        return replace(self, pair=self.pair[rows], player=self.player[rows], seated=self.seated[rows])

    def named(self, name: str) -> int:
        """The pair of this name, its players in either order.

        Raises
        ------
        ArgumentError : where there is no such pair, or where several have that name
        """
        wanted = {name, " - ".join(reversed(name.split(" - ")))}
        found = [at for at, other in enumerate(self.pair_names) if other in wanted]
        if len(found) != 1:
            raise ArgumentError(f"{'no' if not found else 'more than one'} pair is called {name!r}")
        return found[0]


def partnerships(results: Results, *, labels: str = "auto") -> Partnerships:
    """Find out who is a pair and who is a player.

    Parameters
    ----------
    results : the tournament
    labels : what a side's label, such as 7, means where it is both North-South and East-West: "one" pair;
        "sides", a pair on each; "auto" decides by whether it plays a board twice, or against itself

    Returns
    -------
    the pairs and players

    Raises
    ------
    OptionError : for another word

    Notes
    -----
    Two players who are known make a pair, whichever way they sit and whatever its label says: a pair that changes
    partners is two pairs, and so is one with a substitute. A result without both names goes to the pair that its label
    has elsewhere if it has only one, else to the label itself. Names are one player's whatever their case, blanks and
    Unicode form, under all his tags; but a name that two players have at one table, or with two partners on most of its
    boards, or that has two tags on one board, is several persons, known by their tags, or where there is only one tag,
    by their partners. A seat in doubt is nobody's, and where both of a pair's are, the side is no pair's.

    A label is a pair on each side where it does both on one board, or meets itself, as numbers do in a Mitchell
    movement; it is one pair where it never does, as in a Howell. The numbers of a section go together: they are what
    most of those do that are seen on both sides.
    """
    one_of("labels", labels, LABELS)
    player, player_names = _players(results)
    label, label_names = _labels(results, labels)
    n, people = len(results), len(player_names)
    label = label.ravel()
    one, other = player[:, :2].ravel(), player[:, 2:].ravel()  # of result i the sides 2i and 2i + 1
    key = _keys_of_pairs(one, other, ~results.doubtful.ravel(), people)  # those of labels follow
    _adopt(key, label, len(label_names))
    without = np.flatnonzero((key < 0) & (label >= 0))
    key[without] = people * people + label[without].astype(np.int64)

    pair, keys, first = _in_order(key)
    members = np.full((len(keys), 2), -1)
    names = []
    where = (each[first].tolist() for each in (one, results.sides.ravel()))
    for at, (packed, sat, side) in enumerate(zip(keys.tolist(), *where, strict=True)):
        if packed >= people * people:
            names.append(label_names[packed - people * people])
            continue
        low, high = divmod(packed, people)
        seated = _seated(low, high, player_names, results.names[side] if side >= 0 else "", sat)
        members[at] = seated
        names.append(f"{player_names[seated[0]]} - {player_names[seated[1]]}")
    sure = results.seating != Seating.DOUBTFUL
    return Partnerships(pair.reshape(n, 2), np.where(sure, player, -1), player, _numbered(names), members, player_names)


def named_partnerships(results: Results) -> Partnerships:
    """The pairs and players as they are named: a name is one player, two players are a pair, and so is a side's label.

    Nothing is decided by what else is in the results, so that it is the same for any part of a tournament.
    """
    codes, n = results.players, len(results)
    player, people, _ = _in_order(codes.ravel().astype(np.int64, copy=False))
    player = player.reshape(codes.shape)
    one, other = player[:, :2].ravel(), player[:, 2:].ravel()  # of result i the sides 2i and 2i + 1
    sure, side = ~results.doubtful.ravel(), results.sides.ravel().astype(np.int64)
    of_sides = len(people) ** 2  # keys of sides follow those of pairs
    key = _keys_of_pairs(one, other, sure, len(people))
    key = np.where((key < 0) & (side >= 0) & sure, of_sides + side, key)
    pair, keys, first = _in_order(key)
    players = keys < of_sides
    members = np.where(players[:, None], np.stack([one[first], other[first]], axis=1), -1)
    called = np.array([*(results.names[code] for code in people.tolist()), ""], dtype=object)
    named = called[members]
    labels = np.array([*results.names, ""], dtype=object)[np.where(players, -1, keys - of_sides)]
    names = np.where(players, named[:, 0] + " - " + named[:, 1], labels) if len(keys) else labels
    return Partnerships(
        pair.reshape(n, 2),
        np.where(results.seating != Seating.DOUBTFUL, player, -1),
        player,
        tuple(names.tolist()),
        members,
        tuple(called[:-1].tolist()),
    )


def unnamed_said(status: Small, unnamed: NDArray[np.bool_], *, players: bool = False) -> str:
    """A sentence on the results of which not all are named, '' for none.

    status, unnamed : (n,) of `Results` and `Partnerships.unnamed`

    >>> from valet_xl.reading.rows import read_rows
    >>> results = read_rows({"board": [1, 1], "contract": ["P", "P"], "ns": ["7", ""], "ew": ["8", "9"]}, [2, 3])
    >>> unnamed_said(results.status, partnerships(results).unnamed(results))
    '1 of 2 results names no pair on one side or both, and ranks nobody there'
    """
    count = int(np.count_nonzero(unnamed))
    played = np.isin(status, (Status.PLAYED, Status.PASSED_OUT, Status.ADJUSTED))
    of = f"{count:,} of {counted(int(np.count_nonzero(played)), 'result')} name{'s' if count == 1 else ''}"
    there = f"and rank{'s' if count == 1 else ''} nobody there"
    what = "not all four players" if players else "no pair on one side or both"
    return f"{of} {what}, {there}" if count else ""


def _keys_of_pairs(one: Index, other: Index, sure: Mask, people: int) -> Ints:
    """(k,) a number from 0 for each pair of players, the same whoever is first; -1 where one is not known."""
    low, high = np.minimum(one, other), np.maximum(one, other)
    return np.where(sure & (low >= 0), low.astype(np.int64, copy=False) * people + high, -1)


def _seated(low: int, high: int, names: tuple[str, ...], label: str, sat: int) -> tuple[int, int]:
    """The players of a pair in the order of the name that their side has, or else as they sat, North or East first.

    sat : who sat there where they first appear
    """
    for first, second in ((low, high), (high, low)):
        if label == f"{names[first]} - {names[second]}":
            return first, second
    return (high, low) if sat == high else (low, high)


def _players(results: Results) -> tuple[Index, tuple[str, ...]]:
    """(n, 4) the player in each seat, -1 where not known, and what they are called."""
    codes = results.players
    seen: dict[str, int] = {}
    of_name = np.array([seen.setdefault(alike(name), len(seen)) for name in results.names] + [-1], dtype=np.intp)
    size = len(results.names) + 1
    by_tag = _namesakes(results, of_name, len(seen))[of_name]
    person = np.where(by_tag, len(seen) + np.arange(size), of_name).astype(np.int64)[codes]
    at_one_table = np.zeros(size, dtype=bool)
    for first, second in combinations(range(4), 2):
        same = np.flatnonzero((codes[:, first] == codes[:, second]) & (codes[:, first] >= 0))
        at_one_table[codes[same, first]] = True
    played = np.where(results.status == Status.UNPLAYED, -1, results.board)
    sure = np.where(results.seating == Seating.DOUBTFUL, -1, codes)
    at_one_table |= at_many_tables(sure, played, Repeats.of(sure, played, size - 1))
    if at_one_table.any():
        row, seat = places_where(at_one_table[codes])
        tag, partner = codes[row, seat], codes[row, seat ^ 2]
        second_seat = ((partner == tag) & (seat >= 2)).astype(np.intp)
        person[row, seat] = len(seen) + size + keys_of((tag, partner + 1, second_seat), (size, size, 2))
    index, _, where = _in_order(person.ravel())
    names = [results.names[code].strip() for code in codes[where >> 2, where & 3].tolist()]
    return index.reshape(codes.shape), _numbered(names)


def _namesakes(results: Results, of_name: Index, people: int) -> NDArray[np.bool_]:
    """(people + 1,) whose tags are of several persons, for two of them are on one board."""
    codes, boards = results.players, len(results.boards)
    out = np.zeros(people + 1, dtype=bool)
    if people == len(results.names):
        return out
    used = np.zeros(len(of_name), dtype=bool)
    used[codes] = True
    several = np.append(count_by(of_name[:-1][used[:-1]], people) > 1, False)
    if not several.any():
        return out
    where, seat = places_where(several[of_name][codes] & (results.board >= 0)[:, None])
    tag_on_board = (len(of_name), boards)
    once = distinct_keys(keys_of((codes[where, seat], results.board[where]), tag_on_board))
    tag, board = split_keys(once, tag_on_board)
    name_on_board = (people, boards)
    names, count = np.unique(keys_of((of_name[tag], board), name_on_board), return_counts=True)
    out[split_keys(names[count > 1], name_on_board)[0]] = True
    return out


def _labels(results: Results, labels: str) -> tuple[Index, list[str]]:
    """(n, 2) the label of each side, -1 without, and what they are called: with the side where it is two pairs."""
    sides = np.where(results.doubtful, -1, results.sides)
    size, boards = len(results.names) + 1, len(results.boards)
    split = np.zeros(size, dtype=bool)  # the last is of no label
    if labels != "one":
        counted = (results.board >= 0) & (results.status != Status.UNPLAYED)
        ns, ew = (np.flatnonzero(counted & (sides[:, side] >= 0)) for side in (0, 1))
        both = np.zeros((2, size), dtype=bool)
        both[0, sides[ns, 0]] = both[1, sides[ew, 1]] = True
        on_both = both.all(axis=0)
        if labels == "sides":
            split = np.asarray(on_both)
        elif on_both.any():
            # Who sits both ways on one board is there twice: most are not, and need no keys.
            again = Repeats.of(sides, np.where(counted, results.board, -1), size - 1).names
            ns, ew = ns[again[sides[ns, 0]]], ew[again[sides[ew, 1]]]
            of_ew, of_ns = (
                keys_of((sides[at, side], results.board[at]), (size, boards)) for side, at in ((1, ew), (0, ns))
            )
            twice = np.zeros(size, dtype=bool)
            twice[split_keys(common_keys(of_ew, of_ns), (size, boards))[0]] = True
            split = _by_section(twice, np.asarray(on_both), results.names) if twice.any() else split
    label = sides
    if split.any():
        label = np.where(sides >= 0, sides + np.where(split[sides], size * np.array([1, 2]), 0), -1)
    endings = ("", " NS", " EW")
    return label, [f"{name}{ending}" for ending in endings for name in (*results.names, "")]


def _by_section(twice: NDArray[np.bool_], on_both: NDArray[np.bool_], names: tuple[str, ...]) -> NDArray[np.bool_]:
    """Which labels are two pairs: those seen on both sides in a section where most of them must be."""
    section: dict[str, int] = {}
    of_label = np.array([section.setdefault(name.rpartition(" ")[0], len(section)) for name in (*names, "")])
    must, may = (count_by(of_label[each], len(section)) for each in (twice & on_both, on_both))
    return np.asarray(on_both & (2 * must >= may)[of_label])


def _adopt(key: Ints, label: Index, labels: int) -> None:
    """Give sides without a pair the pair that their label has elsewhere, where it is one and the same."""
    without = (key < 0) & (label >= 0)
    with_both = (key >= 0) & (label >= 0)
    if not without.any() or not with_both.any():
        return
    lowest, highest = (np.full(labels, start, dtype=np.int64) for start in (np.iinfo(np.int64).max, -1))
    np.minimum.at(lowest, label[with_both], key[with_both])
    np.maximum.at(highest, label[with_both], key[with_both])
    one = np.where(lowest == highest, highest, -1)
    key[without] = one[label[without]]


def _in_order(key: Ints) -> tuple[Index, Ints, Index]:
    """Numbers for keys as they first appear, -1 for -1; the keys in that order; where each first does."""
    most = int(key.max(initial=-1))
    if most < DENSE * len(key):
        place_at = np.full(most + 2, -1, dtype=np.intp)  # the last is of -1
        place_at[key[::-1]] = np.arange(len(key) - 1, -1, -1, dtype=np.intp)  # the first is written last
        place_at[-1] = -1
        there = np.flatnonzero(place_at >= 0)
        keys = there[np.argsort(place_at[there])]
        number = np.full(most + 2, -1, dtype=np.intp)
        number[keys] = np.arange(len(keys), dtype=np.intp)
        return number[key], keys.astype(np.int64, copy=False), place_at[keys]
    index, first = number_as_they_come(key + 1)  # 0 for -1
    absent = np.flatnonzero(key[first] < 0)  # none, or one
    if not len(absent):
        return index, key[first], first
    number = np.arange(len(first), dtype=np.intp)
    number[absent[0] :] -= 1
    number[absent] = -1
    first = np.delete(first, absent)
    return number[index], key[first], first


def _numbered(names: list[str]) -> tuple[str, ...]:
    """Names with a number after those that another has already."""
    count: dict[str, int] = {}
    out = []
    for name in names:
        count[name] = count.get(name, 0) + 1
        out.append(f"{name} ({count[name]})" if count[name] > 1 else name)
    return tuple(out)


def named_apart(results: Results, names: Collection[str], label: str) -> Results:
    """The results with a label behind some names, so that they are other players or pairs than in other files.

    >>> from valet_xl.reading.rows import read_rows
    >>> night = read_rows({"board": [1, 1], "ns": ["Ann - Bo", "Cy - Di"], "contract": ["pass", "pass"]}, [2, 3])
    >>> named_apart(night, ["ann - bo"], "Monday").names
    ('Ann - Bo (Monday)', 'Cy - Di')
    """
    wanted = {alike(name) for name in names}
    if not wanted:
        return results
    return replace(
        results, names=tuple(f"{name} ({label})" if alike(name) in wanted else name for name in results.names)
    )


def alike(name: str) -> str:
    """What names of one player have in common."""
    return " ".join(unicodedata.normalize("NFKC", name).casefold().split())
