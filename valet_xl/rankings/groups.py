"""Who can be compared with whom: pairs or players that ever sat the same way on one board, and those they lead to."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from valet_xl.engine.arrays import Index, components, distinct_keys, keys_of, split_keys

BOTH, NS, EW = "", "N-S", "E-W"


@dataclass(frozen=True, slots=True, eq=False)
class Groups:
    """The groups of pairs or players, each of which has a ranking of its own.

    of : (owners,) the group of each, from 0 in the order in which they first appear; -1 for those without a result
    names : what each is called, such as "N-S"; "" where there is no more than one
    """

    of: Index
    names: tuple[str, ...]

    @classmethod
    def find(cls, owner: Index, side: Index, board: Index, owners: int, boards: Sequence[tuple[str, str]]) -> Groups:
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
        of = components(owner, board * 2 + side, owners, 2 * len(boards))
        ways = np.zeros((int(of.max(initial=-1)) + 1, 2), dtype=bool)
        ways[of[owner], side] = True
        return cls(of, _names(ways, _occasions(of[owner], board, boards, len(ways))))


def _occasions(group: Index, board: Index, boards: Sequence[tuple[str, str]], groups: int) -> list[str]:
    """The round or file of each group's boards, where each has only one; else ""."""
    seen: list[set[str]] = [set() for _ in range(groups)]
    shape = (groups, len(boards))
    for at, number in zip(*split_keys(distinct_keys(keys_of((group, board), shape)), shape), strict=True):
        seen[at].add(boards[number][0])
    return [next(iter(each)) for each in seen] if all(len(each) == 1 for each in seen) else [""] * groups


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
