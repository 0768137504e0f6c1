"""Why a pair or player has its place: what its figure is made of, and what its results were worth, as tables."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np

from valet_xl.engine.arrays import Floats, Index
from valet_xl.rankings.listing import Heading, Listing, Value, numbers

EXTREMES = 3  # best and worst boards whose tableaux belong to an explanation, each


@dataclass(frozen=True, slots=True)
class Step:
    """One of the things that a figure is made of, in the unit in which it is shown.

    name : what it is
    part : "bid", "declarer", "lead" or "defence"; "adjusted" of scores that have no parts, "opponents" of the
        correction for their strength
    chances : how often there was one
    brings : what it brought per board of all; the average of all and the steps add up to the figure
    error, low, high : its standard error and 95 % interval; NaN if there is none
    field : what it brought those in the same ranking
    p : how probable so large a difference from the field is by chance alone; NaN if it cannot be said
    differs : whether it differs significantly, among all steps (Holm, 5 %)
    """

    name: str
    part: str
    chances: int
    brings: float
    error: float
    low: float
    high: float
    field: float
    p: float
    differs: bool = False

    @property
    def way(self) -> str | None:
        """ "more" or "less" than the field, if it differs."""
        return way(self.brings, self.field) if self.differs else None


@dataclass(frozen=True, slots=True)
class Share:
    """Some of the results, in the unit in which figures are shown.

    name : which, such as those against an opponent
    boards : how many results
    average, error : of one of them, and its standard error
    expected : what the average is compared with
    brings : what they brought per board of all, above the average of all; all shares together are the figure
    p, differs : as in `Step`
    """

    name: str
    boards: int
    average: float
    error: float
    expected: float
    brings: float
    p: float
    differs: bool = False

    @property
    def way(self) -> str | None:
        """ "more" or "less" than expected, if it differs."""
        return way(self.average, self.expected) if self.differs else None


@dataclass(frozen=True, slots=True)
class Shares:
    """All results of one pair or player, divided in one way.

    title : how, such as "Opponents"
    compared : what each share is compared with: "Field", or "Others", the rest of the results
    rows : the shares, those that brought most first; events in their order
    """

    def ends(self, number: int) -> Shares:
        """The first and the last of them, so many each, and those that differ."""
        last = len(self.rows) - number
        kept = (row for at, row in enumerate(self.rows) if at < number or at >= last or row.differs)
        return replace(self, rows=tuple(kept))

    title: str
    compared: str
    rows: tuple[Share, ...]

    @property
    def listing(self) -> Listing:
        """The shares as a table for people."""
        says = {"Field": "average of such boards of all in the ranking", "Others": "average of the other boards"}
        headings = (
            Heading(self.title, "which of the boards", "@", 34),
            Heading("Boards", "how many", "0", 8),
            Heading("Average", "what one of them was worth", "0.00", 9),
            Heading("Average SE", "its standard error", "0.00", 12, 0, "Average"),
            Heading(self.compared, says[self.compared], "0.00", 9),
            Heading("Brings", "what they brought per board of all, above average: this adds up", "+0.00", 9),
            Heading("Differs", "whether the average differs by more than its error (Holm, 5 %)", "@", 9),
        )
        return Listing(
            headings,
            (
                [row.name for row in self.rows],
                [row.boards for row in self.rows],
                *(
                    numbers([getattr(row, name) for row in self.rows])
                    for name in ("average", "error", "expected", "brings")
                ),
                [row.way for row in self.rows],
            ),
        )


@dataclass(frozen=True, slots=True)
class Strength:
    """What somebody is worth over many events, in the unit in which figures are shown.

    events : in how many events
    value, low, high : above the average of all, and the 95 % interval
    """

    events: int
    value: float
    low: float
    high: float


@dataclass(frozen=True, slots=True)
class BoardSeen:
    """A board with its tableau.

    title, listing : of the tableau
    own : the row of it that has the own result; -1 of an adjusted score, which is in no row
    """

    title: str
    listing: Listing
    own: int

    @property
    def marked(self) -> Listing:
        """The tableau with a column that marks the own result."""
        marks: list[Value] = ["own" if row == self.own else None for row in range(len(self.listing))]
        headings = (*self.listing.headings, Heading("Own", "which of the results is the own one", "@", 5))
        return Listing(headings, (*self.listing.columns, marks))


@dataclass(frozen=True, slots=True, eq=False)
class Explanation:
    """Why a pair or player has its place.

    name, who : what it is called, and "pairs" or "players"
    place, of, group : its place by Overall, 0 for none, among how many who have one, and the name of its group
    boards : how many results count
    figure, error, low, high : its average in the ranking, with its standard error and 95 % interval
    middle, unit : the average of all, and "IMPs" or "per cent"
    field : the average of those in its ranking
    others, better, worse : how many others have a place; and how many of them are better, or worse, by more than the
        error (Holm, 5 %), None if there are too many to compare each with each
    steps : what the figure is made of
    strength : over all events, None if it is of one or is not known
    shares : the results divided by opponents, contracts, of a player by partners, and of several files by events
    lines : every result that counts, in the order of boards, as a table
    running : (boards,) the sum, up to each, of what it was worth above average
    boards_of : (boards,) the board in each row of `lines`
    tableau : gives the board in a row of `lines` with its tableau
    """

    name: str
    who: str
    place: int
    of: int
    group: str
    boards: int
    figure: float
    error: float
    low: float
    high: float
    middle: float
    unit: str
    field: float
    others: int
    better: int | None
    worse: int | None
    steps: tuple[Step, ...]
    strength: Strength | None
    shares: tuple[Shares, ...]
    lines: Listing
    running: Floats
    boards_of: Index
    tableau: Callable[[int], BoardSeen]

    @property
    def differs(self) -> bool:
        """Whether the whole figure differs from the field's by more than its error."""
        return self.high < self.field or self.low > self.field

    @property
    def waterfall(self) -> Listing:
        """The steps as a table for people: from the average of all to the figure."""
        running = self.middle + np.cumsum([step.brings for step in self.steps])
        rows: list[tuple[Value, ...]] = [("Average of all", *[None] * 6, self.middle, None)]
        for step, after in zip(self.steps, running.tolist(), strict=True):
            limits = step.brings, step.error, step.low, step.high, step.field
            rows.append((step.name, step.chances, *limits, after, step.way))
        above = [each - self.middle for each in (self.figure, self.low, self.high, self.field)]
        differs = way(self.figure, self.field) if self.differs else None
        rows.append(("Overall", self.boards, above[0], self.error, *above[1:], self.figure, differs))
        headings = (
            Heading("Part", "what the figure is made of", "@", 34),
            Heading("Chances", "how often there was one", "0", 8),
            Heading("Brings", f"what it brought per board of all, above average, in {self.unit}", "+0.00", 9),
            Heading("Brings SE", "its standard error", "0.00", 10, 0, "Brings"),
            Heading("Brings Low", "where its 95 % interval begins", "+0.00", 11, 2, "Brings"),
            Heading("Brings High", "where it ends", "+0.00", 12, 2, "Brings"),
            Heading("Field", "what it brought all in the ranking", "+0.00", 9),
            Heading("Sum", "what the rows so far add up to", "0.00", 9),
            Heading("Differs", "whether it differs from the field by more than its error (Holm, 5 %)", "@", 9),
        )
        columns: list[list[Value]] = []
        for heading, cells in zip(headings, zip(*rows, strict=True), strict=True):
            texts = heading.format in ("@", "0")
            columns.append(list(cells) if texts else numbers([np.nan if x is None else float(x) for x in cells]))
        return Listing(headings, tuple(columns))

    def extremes(self, number: int = EXTREMES) -> tuple[list[int], list[int]]:
        """The rows of `lines` with the best and with the worst boards; none is in both."""
        overall = self.lines.columns[self.lines.names.index("Overall")]
        known = [at for at, value in enumerate(overall) if value is not None]
        order = sorted(known, key=lambda at: -float(overall[at] or 0))
        number = min(number, len(order) // 2)
        return order[:number], order[::-1][:number]


def way(value: float, expected: float) -> str:
    """Which way a value differs."""
    return "more" if value > expected else "less"
