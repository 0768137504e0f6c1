"""Who can be compared with whom: pairs or players that ever sat the same way on one board, and those they lead to."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np

from valet_xl.engine.arrays import AnyIndex, Index, Ints, Mask, components, distinct_keys, keys_of, split_keys

BOTH, NS, EW = "", "N-S", "E-W"
NEVER = np.iinfo(np.int64).max
"""The place where somebody first had a result who has none."""
_SEVERAL = -1


@dataclass(frozen=True, slots=True, eq=False)
class Links:
    """Which owners some boards compare; links of other boards can be added, for the same owners.

    of : (owners,) the component of each, from 0; -1 for those without a result
    met : (owners,) the place of each one's first result: (n,) in those given, if nothing else is said; or `NEVER`
    ways : (components, 2) whether somebody sat North-South, and East-West
    occasion : (components,) the only round or file of the boards, by its place in `occasions`; -1 where there are more
    occasions : the rounds or files
    """

    of: Index
    met: Ints
    ways: Mask
    occasion: Index
    occasions: tuple[str, ...]

    @classmethod
    def find(cls, owner: Index, side: AnyIndex, board: Index, owners: int, boards: Sequence[tuple[str, str]]) -> Links:
        """Find the links of some results; parameters are those of `Groups.find`."""
        place = board * 2 + side
        of = components(owner, place, owners, 2 * len(boards))
        met = np.full(owners, NEVER, dtype=np.int64)
        met[owner[::-1]] = np.arange(len(owner) - 1, -1, -1)  # the first is written last
        parts = int(of.max(initial=-1)) + 1
        part = np.full(2 * len(boards), -1, dtype=np.intp)  # of each side of a board
        part[place] = of[owner]
        there = np.flatnonzero(part >= 0)
        ways = np.zeros((parts, 2), dtype=bool)
        ways[part[there], there & 1] = True
        rounds = [of_round for of_round, _ in boards]
        seen = {of_round: at for at, of_round in enumerate(dict.fromkeys(rounds))}
        of_board = np.array([seen[of_round] for of_round in rounds], dtype=np.intp)
        occasion = _only(part[there], of_board[there >> 1], parts, len(seen))
        return cls(of, met, ways, occasion, tuple(seen))

    def placed(self, place: Callable[[Index], Ints]) -> Links:
        """With other places, which a function gives for those in the results."""
        met = self.met.copy()
        known = met != NEVER
        met[known] = place(met[known])
        return replace(self, met=met)

    def at(self, places: Index, size: int) -> Links:
        """The links of (size,) owners, with these owners in other places."""
        of, met = np.full(size, -1, dtype=np.intp), np.full(size, NEVER, dtype=np.int64)
        of[places], met[places] = self.of, self.met
        return replace(self, of=of, met=met)

    def __add__(self, other: Links) -> Links:
        parts, others = len(self.ways), len(other.ways)
        moved = np.where(other.of >= 0, other.of + parts, -1)
        here, there = np.flatnonzero(self.of >= 0), np.flatnonzero(moved >= 0)
        owner, part = np.concatenate([here, there]), np.concatenate([self.of[here], moved[there]])
        of = components(owner, part, len(self.of), parts + others)
        became = np.empty(parts + others, dtype=np.intp)  # each component has an owner
        became[part] = of[owner]
        ways = np.zeros((int(of.max(initial=-1)) + 1, 2), dtype=bool)
        np.logical_or.at(ways, became, np.concatenate([self.ways, other.ways]))
        called = {text: at for at, text in enumerate(dict.fromkeys((*self.occasions, *other.occasions)))}
        names = np.array([called[text] for text in other.occasions] + [_SEVERAL], dtype=np.intp)
        occasion = np.concatenate([self.occasion, names[other.occasion]])
        several = np.zeros(len(ways), dtype=bool)
        several[became[occasion == _SEVERAL]] = True
        known = occasion != _SEVERAL
        only = _only(became[known], occasion[known], len(ways), len(called))
        met = np.minimum(self.met, other.met)
        return Links(of, met, ways, np.where(several, _SEVERAL, only), tuple(called))


@dataclass(frozen=True, slots=True, eq=False)
class Groups:
    """The groups of pairs or players, each of which has a ranking of its own.

    of : (owners,) the group of each, from 0 in the order in which they first appear; -1 for those without a result
    names : what each is called, such as "N-S"; "" where there is no more than one
    """

    of: Index
    names: tuple[str, ...]

    @classmethod
    def of_links(cls, links: Links) -> Groups:
        """The groups that links make."""
        first = np.full(len(links.ways) + 1, NEVER, dtype=np.int64)
        np.minimum.at(first, links.of, links.met)
        order = np.argsort(first[:-1], kind="stable")
        number = np.full(len(links.ways) + 1, -1, dtype=np.intp)
        number[order] = np.arange(len(order))
        occasion = links.occasion[order]
        each = (
            ["" for _ in order] if (occasion == _SEVERAL).any() else [links.occasions[at] for at in occasion.tolist()]
        )
        return cls(number[links.of], _names(links.ways[order], each))

    @classmethod
    def find(cls, owner: Index, side: AnyIndex, board: Index, owners: int, boards: Sequence[tuple[str, str]]) -> Groups:
        """Find the groups.

        Parameters
        ----------
        owner, side, board : (n,) who sat on which side, 0 North-South and 1 East-West, on which board
        owners : how many owners there are
        boards : the round or file, and the number, of each board

        Returns
        -------
        the groups

        Notes
        -----
        A score is compared with those of the others who sat the same way on the board. Two owners are of one group if a
        chain of such comparisons leads from one to the other: these are the connected components of the graph of owners
        and of the two sides of each board. In a Mitchell movement nobody changes sides, and there are two.
        """
        return cls.of_links(Links.find(owner, side, board, owners, boards))


def _only(part: Index, occasion: Index, parts: int, occasions: int) -> Index:
    """(parts,) the occasion of each part, where it has only one; else -1."""
    shape = (parts, max(occasions, 1))
    of, which = split_keys(distinct_keys(keys_of((part, occasion), shape)), shape)
    only = np.full(parts, _SEVERAL, dtype=np.intp)
    only[of] = which
    only[of[1:][of[1:] == of[:-1]]] = _SEVERAL
    return only


def _names(ways: np.ndarray, occasions: Sequence[str]) -> tuple[str, ...]:
    """The directions of each group, with the occasion where that differs, and a number where this does not do."""
    if len(ways) < 2:
        return ("",) * len(ways)
    sat = [BOTH if ns and ew else NS if ns else EW for ns, ew in ways.tolist()]
    if len(set(occasions)) > 1:
        sat = [f"{occasion} {way}".strip() for occasion, way in zip(occasions, sat, strict=True)]
    count, seen = Counter(sat), Counter[str]()
    names = []
    for name in sat:
        seen[name] += 1
        names.append(name if name and count[name] == 1 else f"{name or 'Group'} {seen[name]}")
    return tuple(names)
