"""What pairs, or players, add up to: one dense table, to which that of other boards can be added."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from valet_xl.engine.arrays import Floats, Index, Ints
from valet_xl.rankings.clusters import Chances, Clusters, Part
from valet_xl.rankings.compensation import COMPARED, distinct_met
from valet_xl.rankings.exact import Exact
from valet_xl.rankings.groups import NEVER, Links
from valet_xl.rankings.owner_scores import OF_PLAYERS, OwnerScores
from valet_xl.rankings.part_sums import Counts, PartSums

_SAME_CHANCES = {"overall": "boards", "bid": "split", "play": "split", "luck": "split", "defence": "defending"}
_EXCHANGED = {one: other for each in OF_PLAYERS for one, other in (each, each[::-1])}
_Key = tuple[str, str]  # what was added up, and of which column


@dataclass(frozen=True, slots=True)
class Layout:
    """The rows of the table.

    columns : the parts of the game
    weighted : whether an owner has several chances on a board, so that more has to be known of his clusters
    opponents : whether it is added up what the opponents scored
    """

    columns: tuple[str, ...]
    weighted: bool
    opponents: bool

    @property
    def counted(self) -> list[_Key]:
        """The rows of what is counted."""
        chances = dict.fromkeys(_SAME_CHANCES.get(name, name) for name in self.columns)
        counts = ("count", "squares", "size") if self.weighted else ("count",)
        return [(what, name) for name in chances for what in counts] + self._of_opponents

    @property
    def scored(self) -> list[_Key]:
        """The rows of what is scored."""
        sums = ("total", "squares", "fourth", *(("with_weight", "with_boards") if self.weighted else ()))
        return [(what, name) for name in self.columns for what in sums] + self._of_opponents

    @property
    def _of_opponents(self) -> list[_Key]:
        return [("theirs", name) for name in COMPARED] if self.opponents else []


@dataclass(frozen=True, eq=False)
class OwnerSums:
    """What pairs, or players, add up to, (m,) each.

    names : what each is called
    players : (m, 2) of a pair its first and second player, "" for one known by its label; of a player the name, and ""
    first : the place where each first appears, `NEVER` where it does not
    links : which of them the boards compare
    layout : the rows of the two tables
    counted : (a, m) how often there was a chance
    scored : (b, m) what was scored
    met : (k, 2) the owners, and the pairs that they met, each two once; none where that was not asked for
    parts, rounds : the clusters behind the columns, and the round of each board; none where sums have been added
    """

    names: NDArray[np.object_]
    players: NDArray[np.object_]
    first: Ints
    links: Links
    layout: Layout
    counted: Floats
    scored: Exact
    met: Index
    parts: Mapping[str, Part]
    rounds: Index

    def __len__(self) -> int:
        return len(self.names)

    def __getstate__(self) -> dict[str, Any]:
        """What goes to another process: the sums alone."""
        return {name: value for name, value in self.__dict__.items() if name != "_places"} | {
            "parts": {},
            "rounds": _numbers([]),
        }

    @classmethod
    def of(
        cls,
        owned: OwnerScores,
        names: NDArray[np.object_],
        players: NDArray[np.object_],
        first: Ints,
        place: Callable[[Index], Ints],
        boards: Sequence[tuple[str, str]],
        opponents: bool,
    ) -> OwnerSums:
        """Add up what owners scored.

        Parameters
        ----------
        owned : the scores
        names, players, first : of the (m,) owners
        place : gives where some of the (n,) scores are, rising
        boards : the round or file, and the number, of each board
        opponents : whether it is added up what the opponents scored
        """
        owners = len(names)
        clusters = Clusters.of(owned.owner, owned.board, owners, max(len(boards), 1))
        everywhere = Chances.of(clusters)
        chances: dict[int, Chances] = {id(None): everywhere}  # columns with the same chances share them
        parts: dict[str, Part] = {}
        for name, (where, values) in owned.columns.items():
            if id(where) not in chances:
                chances[id(where)] = Chances.of(clusters, where)
            parts[name] = Part.of(chances[id(where)], values, everywhere)
        layout = Layout(tuple(parts), everywhere.weight is not None, opponents)
        theirs = owned.against(COMPARED, owners) if opponents else []
        counts = {_SAME_CHANCES.get(name, name): part.sums.counts for name, part in parts.items()}
        counted = [getattr(counts[name], what) for what, name in layout.counted if what != "theirs"]
        scored = [getattr(parts[name].sums, what) for what, name in layout.scored if what != "theirs"]
        for sums, times in theirs:
            counted.append(times)
            scored.append(sums)
        met = _numbers([]).reshape(0, 2)
        if opponents:
            against = owned.opponents()
            met = distinct_met(owned.owner[against >= 0], against[against >= 0])
        return cls(
            names=names,
            players=players,
            first=first,
            links=Links.find(owned.owner, owned.side, owned.board, owners, boards).placed(place),
            layout=layout,
            counted=np.stack(counted),
            scored=Exact(np.stack([each.coarse for each in scored]), np.stack([each.fine for each in scored])),
            met=met,
            parts=parts,
            rounds=_numbers([of_round for of_round, _ in boards]),
        )

    # -- what was added up

    def counts(self, column: str) -> Counts:
        """How often there was a chance of a column."""
        name = _SAME_CHANCES.get(column, column)
        count = self._count("count", name)
        weighted = ("squares", "size") if self.layout.weighted else ("count", "count")
        return Counts(count, *(self._count(what, name) for what in weighted))

    def part(self, column: str) -> PartSums:
        """What was scored in a column."""
        sums = (self._sum(what, column) for what in ("total", "squares", "fourth"))
        weighted = ("with_weight", "with_boards") if self.layout.weighted else ()
        return PartSums(self.counts(column), *sums, *(self._sum(what, column) for what in weighted))

    def theirs(self, column: str) -> tuple[Floats, Floats]:
        """(m,) what the opponents scored in a column, and in how many chances."""
        return self._sum("theirs", column).value, self._count("theirs", column)

    def _count(self, what: str, name: str) -> Floats:
        return self.counted[self.layout.counted.index((what, name))]

    def _sum(self, what: str, name: str) -> Exact:
        at = self.layout.scored.index((what, name))
        return self.scored.each(lambda rows: rows[at])

    # -- adding

    @cached_property
    def _places(self) -> dict[Hashable, int]:
        """Where each is, by who it is in all sums."""
        return {key: at for at, key in enumerate(self._keys())}

    def _keys(self) -> list[Hashable]:
        """Who each is: a player by his name, a pair by its two players in any order, or by its label."""
        return who_each_is(self.names, self.players)

    def plus(
        self, other: OwnerSums, of_pair: tuple[Index, Index] | None = None
    ) -> tuple[OwnerSums, tuple[Index, Index]]:
        """Both together, and where each of the first, and of the second, is then: the first stay in their places.

        of_pair : where the pairs of both are then; None if these are the pairs
        """
        here = there = np.arange(len(self))
        one, two, places = self, other, self._places
        if self.names is not other.names:
            places = dict(places)
            there = np.array([places.setdefault(key, len(places)) for key in other._keys()], dtype=np.intp)
            one, two = self._facing(other, there)
        if one.layout.weighted != two.layout.weighted:
            one, two = one._weighted(), two._weighted()
        pairs = of_pair or (here, there)
        one, two = one._at(here, len(places), pairs[0]), two._at(there, len(places), pairs[1])
        earlier = two.first < one.first
        both = replace(
            one,
            names=self.names if self.names is other.names else np.where(earlier, two.names, one.names),
            players=np.where(earlier[:, None], two.players, one.players),
            first=np.minimum(one.first, two.first),
            links=one.links + two.links,
            counted=one.counted + two.counted,
            scored=one.scored + two.scored,
            met=distinct_met(*np.concatenate([one.met, two.met]).T),
        )
        both.__dict__["_places"] = places
        return both, (here, there)

    def in_order(self, of_pair: Index | None = None) -> tuple[OwnerSums, Index]:
        """In the order in which they first appear, and where each is then.

        of_pair : where the pairs are then; None if these are the pairs
        """
        if (self.first[1:] > self.first[:-1]).all():
            return self, np.arange(len(self))
        rows = np.argsort(self.first, kind="stable")
        place = np.empty(len(self), dtype=np.intp)
        place[rows] = np.arange(len(self))
        return self._at(place, len(self), place if of_pair is None else of_pair), place

    def _at(self, places: Index, size: int, of_pair: Index) -> OwnerSums:
        """Those of (size,) owners, with these in other places, and the pairs that they met too."""

        def moved(values: NDArray[Any], nothing: object) -> NDArray[Any]:
            out = np.full((*values.shape[:-1], size), nothing, dtype=values.dtype)
            out[..., places] = values
            return out

        return OwnerSums(
            names=moved(self.names, ""),
            players=moved(self.players.T, "").T,
            first=moved(self.first, NEVER),
            links=self.links.at(places, size),
            layout=self.layout,
            counted=moved(self.counted, 0),
            scored=self.scored.each(lambda sums: moved(sums, 0)),
            met=np.stack([places[self.met[:, 0]], of_pair[self.met[:, 1]]], axis=1),
            parts={},
            rounds=_numbers([]),
        )

    def _facing(self, other: OwnerSums, there: Index) -> tuple[OwnerSums, OwnerSums]:
        """Both with the same first player of each pair: the one that it has where it first appears."""
        common = np.flatnonzero(there < len(self))
        turned = common[self.players[there[common], 0] != other.players[common, 0]]
        mine = there[turned]
        earlier = self.first[mine] <= other.first[turned]
        return self._turned(mine[~earlier]), other._turned(turned[earlier])

    def _turned(self, rows: Index) -> OwnerSums:
        """With the first and the second player of some pairs exchanged."""
        if not len(rows):
            return self
        names, players = self.names.copy(), self.players.copy()
        players[rows] = players[rows][:, ::-1]
        names[rows] = [" - ".join(pair) for pair in players[rows].tolist()]
        counted, scored = (_exchange(keys, rows) for keys in (self.layout.counted, self.layout.scored))
        return replace(
            self, names=names, players=players, counted=counted(self.counted), scored=self.scored.each(scored)
        )

    def _weighted(self) -> OwnerSums:
        """With what is known of clusters of several chances; without such, it is what is known of all clusters."""
        layout = replace(self.layout, weighted=True)
        counted = _rows(layout.counted, self.layout.counted, dict.fromkeys(("squares", "size"), "count"))
        scored = _rows(layout.scored, self.layout.scored, dict.fromkeys(("with_weight", "with_boards"), "total"))
        sums = self.scored.each(lambda sums: sums[scored])
        return replace(self, layout=layout, counted=self.counted[counted], scored=sums)


def who_each_is(names: NDArray[np.object_], players: NDArray[np.object_]) -> list[Hashable]:
    """Who each is, the same in all sums: two players in any order, or else the name.

    names, players : as in `OwnerSums`
    """
    every = zip(names.tolist(), *players.T.tolist(), strict=True)
    return [(one, two) if one < two else (two, one) if two else name for name, one, two in every]


def _exchange(keys: Sequence[_Key], rows: Index) -> Callable[[Floats], Floats]:
    """What exchanges the columns of the first and the second player, of some owners."""
    of = np.array([keys.index((what, _EXCHANGED.get(name, name))) for what, name in keys])

    def exchanged(table: Floats) -> Floats:
        changed = table.copy()
        changed[:, rows] = table[of[:, None], rows]
        return changed

    return exchanged


def _rows(wanted: Sequence[_Key], there: Sequence[_Key], same: Mapping[str, str]) -> list[int]:
    """Where the wanted rows are; some are the same as others if they are not there themselves."""
    return [there.index(key) if key in there else there.index((same[key[0]], key[1])) for key in wanted]


def _numbers(texts: Sequence[str]) -> Index:
    """(n,) numbers from 0, the same for the same text."""
    seen = {text: at for at, text in enumerate(dict.fromkeys(texts))}
    return np.array([seen[text] for text in texts], dtype=np.intp)
