"""Totals over many boards: what each pair and each player scored, in which part of the game, and how sure that is."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from valet_xl.engine.arrays import Index
from valet_xl.engine.options import Options
from valet_xl.engine.results import Results
from valet_xl.engine.valet import Components
from valet_xl.errors import ArgumentError, one_of
from valet_xl.messages import counted
from valet_xl.rankings.averages import Average, AverageTable
from valet_xl.rankings.compensation import AGAINST, ALL, opponents_average
from valet_xl.rankings.groups import Groups
from valet_xl.rankings.options import RANKING_OPTIONS
from valet_xl.rankings.owner_scores import PAIR_COLUMNS, PLAYER_COLUMNS
from valet_xl.rankings.owner_sums import OwnerSums
from valet_xl.rankings.partnerships import Partnerships, partnerships
from valet_xl.rankings.sums import Sums, partial

__all__ = ["ORDERS", "PAIR_COLUMNS", "PLAYER_COLUMNS", "Average", "AverageTable", "Totals", "finish", "totals"]

ORDERS = (*PAIR_COLUMNS, "bid - play", "defending - declarer", "lead - declarer")
"""What tables are put in order by; any other difference of two columns will do as well."""


@dataclass(frozen=True, eq=False)
class Totals:
    """The tables of a tournament, and how they were made.

    options : how results were scored
    compensation : how averages were corrected for the opponents' strength, as `totals` takes it
    minimum : how many boards a place requires; None for half the median of each group
    labels : what a side's label means, as `partnerships` takes it
    boards, results : how many were counted
    adjusted : how many of the results were adjusted scores that count for their owners
    uncounted : how many results were not counted, by the reason why
    remarks : what was decided about the sheet or file as a whole
    """

    options: Options
    compensation: str
    minimum: int | None
    labels: str
    boards: int
    results: int
    adjusted: int
    uncounted: Mapping[str, int]
    remarks: tuple[str, ...]
    _sums: Sums

    def __repr__(self) -> str:
        return f"<totals of {counted(self.results, 'result')} on {counted(self.boards, 'board')}>"

    @property
    def in_percent(self) -> bool:
        """Whether averages are shown by `Average.in_percent`."""
        return self.options.method == "matchpoints"

    @cached_property
    def pairs(self) -> AverageTable:
        """The table of pairs, in the order in which they first appear."""
        return self._finished(*self._all_pairs)

    @cached_property
    def players(self) -> AverageTable:
        """The table of players, in the order in which they first appear.

        Raises
        ------
        OptionError : where players were not added up
        """
        one_of("who", "players", self._sums.who)
        sums, _ = self._sums.of("players").in_order(self._ordered[1] if self._sums.opponents else None)
        return self._finished(_table(sums, self.minimum), sums)

    @cached_property
    def _ordered(self) -> tuple[OwnerSums, Index]:
        return self._sums.of("pairs").in_order()

    @cached_property
    def _all_pairs(self) -> tuple[AverageTable, OwnerSums]:
        sums = self._ordered[0]
        return _table(sums, self.minimum), sums

    def _finished(self, table: AverageTable, sums: OwnerSums) -> AverageTable:
        """The table corrected for the opponents' strength, without those of whom nothing counts."""
        if self.compensation != "none":
            table = _compensated(table, sums, self._all_pairs[0], self.compensation)
        return table.take(table.boards > 0)


def totals(
    results: Results,
    options: Options | None = None,
    *,
    compensation: str = "none",
    minimum: int | None = None,
    labels: str = "auto",
    parts: Components | None = None,
    who: Partnerships | None = None,
) -> Totals:
    """Sum up a tournament by pairs and by players.

    Parameters
    ----------
    results : the tournament, of one file or of several (`join`)
    options : how to score
    compensation : "none"; "opponents", to add what the opponents average against others; "valet", as the Valet 1.1
        program does it for overall, bid and play, with the opponents' scores against the pair counted twice instead of
        left out
    minimum : pairs and players with fewer boards are marked as few; None for half the median of the group
    labels : what a side's label means, as `partnerships` takes it
    parts, who : the parts of each result, and who played it, where they are known already

    Returns
    -------
    the tables of pairs and of players

    Raises
    ------
    OptionError : for an unknown option

    Notes
    -----
    A side's overall score is its bid and its play; its play is what it made as declarer or in defence, and that of the
    defence the lead and the rest. An artificial adjusted score counts for the side it was given to as 3, 0 or -3 IMPs
    for 60, 50 or 40 %, at matchpoints as its percentage, in the overall score alone. What was not played, not
    understood, on a board with such a row, or alone on its board does not count.

    >>> from valet_xl.reading.valet_text import read_scores
    >>> lines = ("1|1|Anna|Bo|Carl|Dora|4S|N|10|HA", "1|1|Eva|Finn|Gus|Ida|4S|N|9|HK")
    >>> pairs = totals(read_scores("\\n".join(lines))).pairs.sorted()
    >>> for name, overall in zip(pairs.names, pairs["overall"].average):
    ...     print(name, overall)
    Anna - Carl 10.0
    Finn - Ida 10.0
    Bo - Dora -10.0
    Eva - Gus -10.0
    """
    one_of("compensation", compensation, RANKING_OPTIONS["compensation"].words)
    sums = partial(
        results,
        options,
        parts=parts,
        who=who or partnerships(results, labels=labels),
        opponents=compensation != "none",
    )
    return finish(sums, compensation=compensation, minimum=minimum, labels=labels, remarks=results.remarks)


def finish(
    sums: Sums,
    *,
    compensation: str = "none",
    minimum: int | None = None,
    labels: str = "auto",
    remarks: tuple[str, ...] = (),
) -> Totals:
    """Make the tables of a tournament from the sums of all its boards.

    Parameters
    ----------
    sums : those of `partial`, or what several of them add up to
    compensation, minimum : as in `totals`; to compensate, sums must have the opponents
    labels, remarks : what is said of the tournament

    Raises
    ------
    OptionError : for an unknown option
    ArgumentError : where the opponents were not added up that compensation needs
    """
    one_of("compensation", compensation, RANKING_OPTIONS["compensation"].words)
    if compensation != "none" and not sums.opponents:
        raise ArgumentError("compensation needs sums that were made with opponents")
    return Totals(
        options=sums.options,
        compensation=compensation,
        minimum=minimum,
        labels=labels,
        boards=sums.boards,
        results=sums.results,
        adjusted=sums.adjusted,
        uncounted=sums.uncounted,
        remarks=remarks,
        _sums=sums,
    )


def _table(sums: OwnerSums, minimum: int | None) -> AverageTable:
    """The averages of each owner."""
    groups = Groups.of_links(sums.links)
    everywhere = sums.counts("overall")
    parts = {name: sums.part(name) for name in sums.layout.columns}
    played = everywhere.count.astype(np.intp)
    minimums = tuple(
        half_the_median(played[groups.of == at]) if minimum is None else minimum for at in range(len(groups.names))
    )
    least = np.array([*minimums, 0])[groups.of]  # the last is of those without a result
    return AverageTable(
        names=sums.names,
        players=sums.players,
        boards=played,
        few=played < least,
        minimums=minimums,
        group=groups.of,
        groups=groups.names,
        columns={name: Average.of(part, everywhere) for name, part in parts.items()},
        _row=np.arange(len(sums)),
        _sums=parts,
        _parts=sums.parts,
        _rounds=sums.rounds,
    )


def half_the_median(boards: Index) -> int:
    """The number of boards that a place requires by default; those who played none are not counted.

    >>> half_the_median(np.array([28, 28, 27, 9, 0]))
    14
    """
    return math.ceil(float(np.median(boards[boards > 0])) / 2) if boards.any() else 0


def _compensated(table: AverageTable, sums: OwnerSums, pairs: AverageTable, compensation: str) -> AverageTable:
    """The table with the averages of opponents added; leads and luck do not depend on them."""
    columns = dict(table.columns)
    add_own = compensation == "valet"
    for name in [each for each in columns if each in (ALL if add_own else AGAINST)]:
        theirs = pairs.columns[AGAINST[name]]
        scored, times = sums.theirs(AGAINST[name])
        by = opponents_average(sums.met, scored, times, theirs.sum, theirs.chances, add_own=add_own)
        columns[name] = columns[name].shifted(by, table.boards.astype(np.float64))
    return replace(table, columns=columns)
