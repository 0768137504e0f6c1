"""Tables of averages: their columns, their orders, and how sure they are."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields, replace

import numpy as np
from numpy.typing import NDArray

from valet_xl.engine.arrays import Floats, Index
from valet_xl.errors import ArgumentError, OptionError, one_of
from valet_xl.messages import counted
from valet_xl.rankings.clusters import Part
from valet_xl.rankings.letters import different, letters
from valet_xl.rankings.part_sums import Counts, PartSums
from valet_xl.rankings.student_t import heavy_reach, heavy_tail

ALIKE = 9  # decimals in which figures differ, if not by rounding errors alone


@dataclass(frozen=True, slots=True, eq=False)
class Average:
    """One column of a table, (m,) each: a part of the game, in IMPs, or in matchpoints from -1 to 1 a comparison.

    chances : how often there was one: boards played, declared, defended, led to
    sum : of the scores
    average : the sum over the chances, NaN where there were none; its standard error and 95 % interval
    per_board : the sum over all boards, and its standard error

    Standard errors are clustered by board. They come from the deviation of a board over the whole table, and are NaN
    where nobody has two.
    """

    chances: Floats
    sum: Floats
    average: Floats
    error: Floats
    low: Floats
    high: Floats
    per_board: Floats
    per_board_error: Floats

    @classmethod
    def of(cls, part: PartSums, boards: Counts) -> Average:
        """The averages of one part of the game, a chance and a board."""
        average, error = part.average()
        spread = part.spread()
        reach = heavy_reach(spread.freedom, spread.excess_of(part.counts.size)) * error
        return cls(
            *(part.counts.count, part.total.value, average, error, average - reach, average + reach),
            *part.average_over(boards),
        )

    def shifted(self, by: Floats, boards: Floats) -> Average:
        """The column with something added to each score, of those who played so many boards."""
        with np.errstate(divide="ignore", invalid="ignore"):
            per_board = self.per_board + by * self.chances / boards
        return Average(
            *(self.chances, self.sum + by * self.chances, self.average + by, self.error),
            *(self.low + by, self.high + by, per_board, self.per_board_error),
        )

    def times(self, factor: float) -> Average:
        """The column in another unit."""
        scores = {each.name: factor * getattr(self, each.name) for each in fields(self)}
        return Average(**(scores | {"chances": self.chances}))

    def take(self, rows: Index) -> Average:
        """The column with these rows in this order."""
        return Average(*(getattr(self, name)[rows] for name in self.__slots__))

    def in_percent(self) -> Average:
        """Matchpoints as percentages, 50 being average."""
        return Average(
            self.chances,
            50 * (self.chances + self.sum),
            50 * (1 + self.average),
            50 * self.error,
            50 * (1 + self.low),
            50 * (1 + self.high),
            50 * (1 + self.per_board),
            50 * self.per_board_error,
        )


@dataclass(frozen=True, slots=True, eq=False)
class Difference:
    """How two rows of a table differ in one column.

    difference : the first's average less the second's
    error : its standard error, where boards that both played count as pairs
    low, high : the 95 % interval
    p : how probable so large a difference is, either way, between two who score alike
    """

    difference: float
    error: float
    low: float
    high: float
    p: float


@dataclass(frozen=True, slots=True)
class Reliability:
    """How much of the differences in a column is there again on other boards: skill, and not chance.

    between : the variance of what pairs or players are worth a chance; 0 or less where nothing of it is seen
    share : of the variance of averages over as many boards as half of those who have a place played, from 0 to 1
    boards : how many it takes until the share is one half; infinite where nothing is seen
    """

    between: float
    share: float
    boards: float


@dataclass(frozen=True, slots=True, eq=False)
class AverageTable:
    """A table of pairs or of players, (m,) rows.

    names : what each is called
    players : (m, 2) of a pair the names of its first and second player, "" for a pair known by its label; of a player
        the name, and ""
    boards : how many boards count
    few : whether they are fewer than the minimum
    minimums : how many boards a place requires in each group
    group : whom each can be compared with, by the place in `groups` (`Groups`)
    groups : what the groups are called
    columns : the averages, by the names in PAIR_COLUMNS or PLAYER_COLUMNS
    """

    names: NDArray[np.object_]
    players: NDArray[np.object_]
    boards: Index
    few: NDArray[np.bool_]
    minimums: tuple[int, ...]
    group: Index
    groups: tuple[str, ...]
    columns: Mapping[str, Average]
    _row: Index
    _sums: Mapping[str, PartSums]
    _parts: Mapping[str, Part]  # none where sums of several parts of a tournament were added
    _rounds: Index  # (boards,) the round of each, from 0

    def __len__(self) -> int:
        return len(self.names)

    def __getitem__(self, column: str) -> Average:
        return self.columns[column]

    @property
    def knows_boards(self) -> bool:
        """Whether it is known what was scored on each board, and not only what the boards add up to."""
        return bool(self._parts)

    def _part(self, column: str) -> Part:
        """What was scored on each board in a column.

        Raises
        ------
        OptionError : where only sums are known
        """
        if column not in self._parts:
            raise OptionError(
                "sums do not say what was scored on each board, which differences of two columns, comparisons of two "
                "and letters need (rank all results at once)"
            )
        return self._parts[column]

    def key(self, by: str) -> Floats:
        """(m,) a column's average, or the difference of two such as "bid - play".

        Raises
        ------
        OptionError : where there is no such column
        """
        first, *second = (self.columns[name].average for name in self._names(by))
        return first - second[0] if second else first

    def average(self, by: str) -> Average:
        """A column, or the difference of two such as "bid - play", whose chances are those of the rarer one.

        Raises
        ------
        OptionError : where there is no such column
        """
        names = self._names(by)
        if len(names) == 1:
            return self.columns[names[0]]
        one, other = (self.columns[name] for name in names)
        parts = [self._part(name) for name in names]
        variance = one.error**2 + other.error**2 - 2 * parts[0].covariance(parts[1])[self._row]
        error = np.sqrt(np.maximum(variance, 0))
        freedom, excess = self._of_sum([part.sums for part in parts], (self._row, self._row), one.error, other.error)
        difference, reach = one.average - other.average, heavy_reach(freedom, excess) * error
        return Average(
            *(np.minimum(one.chances, other.chances), one.sum - other.sum, difference, error),
            *(difference - reach, difference + reach, one.per_board - other.per_board, np.full(len(self), np.nan)),
        )

    def _names(self, by: str) -> list[str]:
        """The columns of an order."""
        names = [part.strip() for part in by.split(" - ")]
        unknown = [name for name in names if name not in self.columns]
        if unknown or len(names) > 2:
            raise OptionError(f"order must be one of {', '.join(self.columns)} or a difference of two, got {by!r}")
        return names

    @staticmethod
    def _of_sum(parts: Sequence[PartSums], rows: Sequence[Index], *errors: Floats) -> tuple[float, Floats]:
        """The degrees of freedom and the excess kurtosis of the sum of two averages, by their standard errors."""
        spreads = [part.spread() for part in parts]
        excesses = [each.excess_of(part.counts.size[row]) for each, part, row in zip(spreads, parts, rows, strict=True)]
        one, other = (error**2 for error in errors)
        with np.errstate(divide="ignore", invalid="ignore"):
            shares = np.nan_to_num(one / (one + other)), np.nan_to_num(other / (one + other))
        excess = shares[0] ** 2 * excesses[0] + shares[1] ** 2 * excesses[1]
        return float(np.min([each.freedom for each in spreads])), excess

    def order(self, by: str = "overall") -> Index:
        """(m,) the rows with the highest first, those without a figure last; equal ones stay in their order."""
        return np.argsort(-np.round(self.key(by), ALIKE), kind="stable")  # NaN is last

    def take(self, rows: Index | NDArray[np.bool_]) -> AverageTable:
        """The table with these rows in this order, or with those that are marked."""
        rows = np.arange(len(self))[rows]
        columns = {name: column.take(rows) for name, column in self.columns.items()}
        return replace(
            self,
            names=self.names[rows],
            players=self.players[rows],
            boards=self.boards[rows],
            few=self.few[rows],
            group=self.group[rows],
            columns=columns,
            _row=self._row[rows],
        )

    def sorted(self, by: str = "overall") -> AverageTable:
        """The table in the order of `order`."""
        return self.take(self.order(by))

    def row(self, name: str) -> int:
        """The row of this name; a pair's players may be in either order.

        Raises
        ------
        ArgumentError : where there is none
        """
        for wanted in (name, " - ".join(reversed(name.split(" - ")))):
            found = np.flatnonzero(self.names == wanted)
            if len(found):
                return int(found[0])
        names = self.names.tolist()
        from difflib import get_close_matches  # noqa: PLC0415 - for a message alone

        near = get_close_matches(name, names, 3, 0.5) or [each for each in names if name.casefold() in each.casefold()]
        others = f"one of its {counted(len(names), 'name')}, such as {names[0]}" if names else "a table with names"
        raise ArgumentError(f"{name!r} is not in the table (expected {', '.join(near[:3]) or others})")

    def compare(self, first: int | str, second: int | str, column: str = "overall") -> Difference:
        """Whether two rows, by number or by name, differ in a column.

        Raises
        ------
        ValetError : where there is no such name or column

        Notes
        -----
        The variance is the sum of the squared standard errors, less what the deviations of the two on boards that both
        played have in common. So on the same boards it is a paired test, with the variance of the whole table.
        """
        one_of("column", column, self.columns)
        rows = [self.row(each) if isinstance(each, str) else each for each in (first, second)]
        difference, error, freedom, excess = (each[0, 1] for each in self._differences(np.array(rows), column))
        reach = heavy_reach(freedom, excess) * error
        with np.errstate(divide="ignore", invalid="ignore"):
            p = heavy_tail(np.divide(difference, error), freedom, excess)
        return Difference(*(float(each) for each in (difference, error, difference - reach, difference + reach, p)))

    def common(self, first: int, second: int, column: str = "overall") -> int:
        """On how many boards both rows had a chance of a score in a column."""
        chances = self._part(column).chances
        boards = [chances.board[chances.owner == self._row[row]] for row in (first, second)]
        return len(np.intersect1d(*boards))

    def letters(self, rows: Index, column: str) -> list[str]:
        """Letters for these rows: two with one in common cannot be told apart in a column, others can (Holm, 5 %)."""
        difference, error, freedom, excess = self._differences(rows, column)
        every_two = np.triu_indices(len(rows), 1)
        p = np.full(difference.shape, np.nan)
        with np.errstate(divide="ignore", invalid="ignore"):
            p[every_two] = heavy_tail((difference / error)[every_two], freedom[every_two], excess[every_two])
        return letters(different(p))

    def _differences(self, rows: Index, column: str) -> tuple[Floats, Floats, Floats, Floats]:
        """(k, k) of these rows the differences, their standard errors, degrees of freedom, and excess kurtosis."""
        part, own = self._part(column), self._row[rows]
        average, error = (getattr(self.columns[column], name)[rows] for name in ("average", "error"))
        variance = error[:, None] ** 2 + error**2 - 2 * part.correlations(own) * np.outer(error, error)
        freedom, excess = self._of_sum((part.sums, part.sums), (own[:, None], own), error[:, None], error)
        difference = average[:, None] - average
        return difference, np.sqrt(np.maximum(variance, 0)), np.full(difference.shape, freedom), excess

    def deviation(self, column: str = "overall") -> float:
        """The standard deviation of one board about its owner's average, over the whole table; NaN if all have one.

        For a part of the game with fewer chances it is that of a chance times the root of the boards that one takes.
        """
        average = self.columns[column]
        known = ~np.isnan(average.error)
        freedom = self.boards[known] - 1
        variance = average.error[known] ** 2 * self.boards[known]
        return float(np.sqrt((variance * freedom).sum() / freedom.sum())) if freedom.sum() else float("nan")

    def reliability(self, column: str = "overall") -> Reliability:
        """How much of the differences in a column is skill, from what different rounds have in common.

        Where all boards are of one round each board is taken for a round. NaN where nothing can be said, or only sums
        are known.

        Raises
        ------
        OptionError : where there is no such column
        """
        one_of("column", column, self.columns)
        if not self._parts:
            return Reliability(float("nan"), float("nan"), float("nan"))
        part, average = self._parts[column], self.columns[column]
        group = np.full(part.chances.clusters.owners, -1)
        group[self._row] = self.group
        rounds = self._rounds if self._rounds.any() else np.arange(len(self._rounds))
        between = part.between(rounds, group)
        placed = ~self.few & (average.chances > 0)
        if np.isnan(between) or not placed.any():
            return Reliability(float("nan"), float("nan"), float("nan"))
        within = part.sums.spread().variance
        boards_each = float(self.boards[placed].sum()) / float(average.chances[placed].sum())
        seen = max(between, 0.0)
        noise = within / float(np.median(average.chances[placed]))
        share = seen / (seen + noise) if seen + noise > 0 else float("nan")
        return Reliability(between, share, within / seen * boards_each if seen > 0 else float("inf"))

    def boards_needed(self, error: float, column: str = "overall") -> Index:
        """(m,) how many more boards each needs for a standard error this small, at the deviation of the whole table.

        Raises
        ------
        ArgumentError : for an error that is not above 0
        """
        if not error > 0:
            raise ArgumentError(f"error must be above 0, got {error:g}")
        deviation = self.deviation(column)
        if np.isnan(deviation):
            raise ArgumentError(f"nobody has two boards, which are needed to see how {column} varies")
        return np.maximum(np.ceil((deviation / error) ** 2).astype(np.intp) - self.boards, 0)
