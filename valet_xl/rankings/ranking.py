"""Rankings of pairs and players as tables for people, once for terminal, CSV, report and worksheet function."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from valet_xl.engine.arrays import Floats, Index, distinct_keys
from valet_xl.errors import SheetError, one_of
from valet_xl.messages import counted
from valet_xl.rankings.averages import ALIKE, Average, AverageTable
from valet_xl.rankings.listing import NEEDED_ALWAYS, Heading, Listing, Value, numbers
from valet_xl.rankings.options import RANKING_OPTIONS
from valet_xl.rankings.totals import Totals, half_the_median

if TYPE_CHECKING:  # strengths are solved only where they are asked for
    from valet_xl.rankings.strength import Strengths

ORDER = {"pairs": "overall", "players": "declarer"}
"""What a ranking is in the order of, unless another column is named: of one player the parts alone are his own."""
LETTERED = 150  # pairs or players of a group that are compared each with each other
PRECISION = 0.25  # IMPs a board: the standard error that "To play" asks for
PRECISION_PERCENT = 1.0  # the same with matchpoints, in per cent

_RANKED, _OTHER, _SMALLER = 0, 1, 2  # how much averages and their standard errors are needed: the one ranked by most,
_INTERVAL, _DETAIL, _COUNTS, _OF_EACH, _INTERVALS = 3, 4, 5, 6, 7  # then its interval; those of the others last

ASSUMED = "across groups it rests on the assumption that they are equally strong"
"""What is said about strengths in a ranking with several groups."""

_GROUP = Heading("Group", "whom a pair or player is ranked with: all to whom a chain of comparisons leads", "@", 10)
_RANK = Heading("Rank", "the place; none under the minimum of boards", "0", 6)
_BOARDS = Heading("Boards", "how many boards count", "0", 8)
_COLUMNS = {
    "overall": ("Overall", "average per board", _OTHER),
    "bid": ("Bid", "of the average what the bidding was worth", _OTHER),
    "play": ("Play", "of the average what was not the bidding: declarer's play, leads and defence", _SMALLER),
    "declarer": ("Declarer", "declarer's play, average per board declared", _OTHER),
    "lead": ("Lead", "opening leads, average per board led to", _OTHER),
    "defence": ("Defence", "defence without the lead, average per board defended", _OTHER),
    "luck": ("Luck", "of the average what the other tables' tricks gave", _SMALLER),
}
_ONLY_ORDERS = {"defending": ("Defending", "the whole defence, average per board defended", _OTHER)}
_CHANCES = {
    "declarer": ("Declared", "how many boards were declared"),
    "lead": ("Led", "how many boards were led to"),
    "defence": ("Defended", "how many boards were defended"),
}
COMPARED = {column: title for column, (title, _, _) in _COLUMNS.items()}
"""The parts of the game that two are compared in, with their titles."""
_EACH = {
    "declarer1": ("Declarer 1", "the first player's play, average per board declared"),
    "declarer2": ("Declarer 2", "the second player's play"),
    "lead1": ("Lead 1", "the first player's leads, average per board led to"),
    "lead2": ("Lead 2", "the second player's leads"),
}


Column = tuple[Heading, list[Value]]
COUNTED = _CHANCES | {
    "defending": _CHANCES["defence"],
    "declarer1": ("Declared 1", "how many boards the first player declared"),
    "declarer2": ("Declared 2", "how many boards the second player declared"),
    "lead1": ("Led 1", "how many boards the first player led to"),
    "lead2": ("Led 2", "how many boards the second player led to"),
}
"""How often there was a chance of a column that is not of every board, and what that is called."""


@dataclass(frozen=True, slots=True, eq=False)
class Ranking:
    """A ranking: group after group, each with places of its own.

    table : its rows, in each group the best first, and those under the minimum of boards behind the others
    places : (m,) the place of each in its group, equal for equal figures; 0 for those with few boards
    order : what it is in the order of
    listing : the table for people; if there are several groups, the first column says which a row is of
    group : what the group is called; "" where there is no other, or where the ranking has several
    """

    table: AverageTable
    places: list[int]
    order: str
    listing: Listing
    group: str = ""

    @property
    def by_name(self) -> str:
        """The heading of the column that it is in the order of."""
        return "Strength" if self.order == "strength" else _order(self.order)[0]

    @property
    def minimums(self) -> list[int]:
        """How many boards a place requires in the groups; groups that require as many are not repeated."""
        return sorted({self.table.minimums[group] for group in self.table.group.tolist()})

    @property
    def parts(self) -> list[Ranking]:
        """A ranking for each group, which has no column that names it."""
        if len(self.table.groups) < 2:
            return [self]
        names = [name for name in self.listing.names if name != _GROUP.name]
        found = []
        for group in dict.fromkeys(self.table.group.tolist()):
            rows = np.flatnonzero(self.table.group == group)
            start, stop = int(rows[0]), int(rows[-1]) + 1
            listing = self.listing.only(names).slice(start, stop)
            places, name = self.places[start:stop], self.table.groups[group]
            found.append(Ranking(self.table.take(rows), places, self.order, listing, name))
        return found


def rank(
    totals: Totals, *, who: str = "pairs", order: str | None = None, strengths: Strengths | None = None
) -> Ranking:
    """Rank the pairs or the players of a tournament.

    Parameters
    ----------
    totals : the tournament's tables
    who : "pairs" or "players"
    order : the column whose highest figure is first, or a difference such as "bid - play"; else overall for pairs, and
        declarer for players
    strengths : of pairs, to be shown too; "strength" is then an order

    Returns
    -------
    the ranking

    Raises
    ------
    SheetError : where there is nobody to rank
    OptionError : for another word
    """
    one_of("who", who, RANKING_OPTIONS["who"].words)
    table: AverageTable = getattr(totals, who)
    if not len(table):
        raise SheetError(_nobody(totals, who))
    by = " - ".join(part.strip().lower() for part in (order or ORDER[who]).split("-"))
    if strengths is not None and who == "pairs" and by == "strength":
        key = np.append(strengths.strength, np.nan)[_rows_of(strengths, table)]
    else:
        key = table.key(by)
    table, few = _few(totals, table, by)
    rows = np.lexsort((-np.round(key, ALIKE), table.few, table.group))  # NaN is last
    table, key = table.take(rows), key[rows]
    strength = _of_table(strengths, table) if strengths is not None and who == "pairs" else {}
    places = [
        place
        for group in distinct_keys(table.group).tolist()
        for place in _places(key[table.group == group], table.few[table.group == group].tolist())
    ]
    return Ranking(table, places, by, _listing(totals, who, table, by, places, strength, few))


def _nobody(totals: Totals, who: str) -> str:
    """Why there is nobody to rank."""
    if totals.results:
        found = "".join(f"; {remark}" for remark in totals.remarks)
        return f"no {who} are named in the results (expected columns such as NS and EW, or players{found})"
    why = ", ".join(f"{reason}: {count:,}" for reason, count in totals.uncounted.items())
    return f"nothing to rank, of no result there is a score ({why or 'no results'})"


def _rows_of(strengths: Strengths, table: AverageTable) -> Index:
    """Which strengths are those of the rows of a table, -1 where there is none."""
    at = {name: row for row, name in enumerate(strengths.names.tolist())}
    return np.array([at.get(name, -1) for name in table.names.tolist()], dtype=np.intp)


def _of_table(strengths: Strengths, table: AverageTable) -> dict[str, Floats]:
    """Strengths, and how sure they and their order are, for the rows of a table, NaN where there is none.

    The order is that of the pairs of a group that have a place.
    """
    rows = _rows_of(strengths, table)
    groups = np.full(len(strengths) + 1, -1)
    groups[rows] = np.where(table.few, -1, table.group)
    order = strengths.order(groups[:-1])
    figures = {
        "Strength": strengths.strength,
        "Strength SE": strengths.error,
        "Strength Low": strengths.low,
        "Strength High": strengths.high,
        "Best": order.best,
        "Place Low": order.low,
        "Place High": order.high,
    }
    return {name: np.append(values, np.nan)[rows] for name, values in figures.items()}


def _letters(table: AverageTable, by: str) -> list[Value]:
    """For each row letters of those that cannot be told apart from it, blank where not all were compared."""
    found: list[Value] = [None] * len(table)
    for group in distinct_keys(table.group).tolist():
        rows = np.flatnonzero((table.group == group) & ~table.few & ~np.isnan(table.key(by)))
        if 1 < len(rows) <= LETTERED and table.knows_boards:
            for row, letter in zip(rows.tolist(), table.letters(rows, by), strict=True):
                found[row] = letter
    return found


def method_said(totals: Totals) -> str:
    """The sentence that says what averages are of."""
    unit = "per cent" if totals.in_percent else "IMPs"
    with_clouds = ", with clouds" if totals.options.cloud else ""
    if totals.in_percent:
        with_clouds += f", play = {'2 x overall' if totals.options.in_halves else '50 + overall'} - bid"
    corrected = ", corrected for opponents' strength" if totals.compensation != "none" else ""
    return f"Averages in {unit}, method {totals.options.method}{with_clouds}{corrected}."


def order_said(totals: Totals, ranking: Ranking) -> str:
    """The sentences that say what a ranking is in the order of, who has no place, and what the errors are called."""
    least = " or ".join(map(str, ranking.minimums))
    few = " Those with few boards are listed below without a place." if ranking.table.few.any() else ""
    required = [f"at least {least} boards"] if least not in ("0", "1") else []
    if totals.minimum is None and ranking.order in COUNTED:
        required.append(f"half the median of {COUNTED[ranking.order][0]}")
    least = f" ({' and '.join(required)})" if required else ""
    return f"In the order of {ranking.by_name}{least}.{few} SE: standard error; Low and High: 95 % interval."


def view(listing: Listing, *, errors: bool = True, intervals: bool = False) -> Listing:
    """The columns that every view of a ranking has: averages, each with its standard error.

    Parameters
    ----------
    listing : of a ranking
    errors : whether all have their standard errors, not only the one that is ranked by
    intervals : whether all have their 95 % intervals too
    """
    kept = {heading.name for heading in listing.headings if heading.need <= NEEDED_ALWAYS}
    left_out = {heading.name for heading in listing.headings if heading.of and heading.need > _RANKED and not errors}
    limits = {heading.name for heading in listing.headings if heading.of in kept and intervals}
    return listing.only((kept - left_out) | limits)


def reliability_said(totals: Totals, table: AverageTable) -> str:
    """The reliability of each column in a line, nothing where there is none to be said."""
    return ", ".join(f"{title} {share:.2f}" for title, share, _ in reliabilities(totals, table).rows)


def reliabilities(totals: Totals, table: AverageTable) -> Listing:
    """How much of the differences in each column is skill, a row for each column of which something can be said."""
    found = [
        (title, table.reliability(column))
        for column, title in COMPARED.items()
        if column != "luck" or totals.options.cloud
    ]
    known = [(title, each) for title, each in found if not np.isnan(each.share)]
    headings = (
        Heading("Column", "the part of the game", "@", 12),
        Heading("Reliability", "the share of the differences between the averages that is there again on other boards"),
        Heading(
            "Boards for one half", "how many boards each it takes until half of the differences are skill", "0", 20
        ),
    )
    return Listing(
        headings,
        (
            [title for title, _ in known],
            numbers([each.share for _, each in known]),
            numbers([each.boards for _, each in known], whole=True),
        ),
    )


def shown_average(totals: Totals, table: AverageTable, column: str) -> Average:
    """A column of a table, or a difference of two, as it is shown: with matchpoints in per cent."""
    average = table.average(column)
    if not totals.in_percent:
        return average
    return average.times(50) if " - " in column else average.in_percent()


def _listing(
    totals: Totals,
    who: str,
    table: AverageTable,
    by: str,
    places: list[int],
    strength: dict[str, Floats],
    least: tuple[int, ...],
) -> Listing:
    """The table for people: what it is in the order of comes first, and the limits of the others come last."""
    unit, form = "per cent" if totals.in_percent else "IMPs", "0.00"
    name = Heading("Pair" if who == "pairs" else "Player", "who", "@", 36)
    limits: list[Column] = []
    several = len(table.groups) > 1
    columns: list[Column] = [
        *([(_GROUP, [table.groups[group] for group in table.group.tolist()])] if several else []),
        (_RANK, [place or None for place in places]),
        (name, list[Value](table.names.tolist())),
        (_BOARDS, table.boards.tolist()),
    ]

    def add(heading: Heading, values: Floats, *, whole: bool = False) -> None:
        columns.append((heading, numbers(values, whole=whole)))

    def add_average(column: str, title: str, says: str, need: int, width: float = 9.0) -> None:
        average = shown_average(totals, table, column)
        first = column == by
        need = _RANKED if first else need
        add(Heading(title, f"{says}, in {unit}", form, width, need), average.average)
        error = f"standard error of {title}"
        add(Heading(f"{title} SE", error, form, max(len(title) + 4, 7), need, title), average.error)
        for name, says_so, values in (
            ("Low", f"where the 95 % interval of {title} begins", average.low),
            ("High", "where it ends", average.high),
        ):
            limit = Heading(f"{title} {name}", says_so, form, width + 4, _INTERVAL if first else _INTERVALS, title)
            (columns if first else limits).append((limit, numbers(values)))
        if first and column in COUNTED:
            count, says_count = COUNTED[column]
            add(Heading(count, says_count, "0", width, _INTERVAL), table[column].chances, whole=True)

    if by == "strength":
        columns += _strength(totals, strength, True, several)
    else:
        add_average(by, *_order(by))
        if by in table.columns:
            says = f"those with a letter in common cannot be told apart by {_order(by)[0]} (Holm, 5 %)"
            columns.append((Heading("Alike", says, "@", 8, need=_DETAIL), _letters(table, by)))
    for column, each in _COLUMNS.items():
        if column != by and (column != "luck" or totals.options.cloud):
            add_average(column, *each)
    if strength and by != "strength":
        columns += _strength(totals, strength, False, several)
    to_play, says = _to_play(totals, table)
    columns.append((Heading("To play", says, "0", need=_DETAIL), to_play))
    columns.append(
        (Heading("Note", "whether there are too few boards", "@", 20, need=_DETAIL), _notes(table, by, least))
    )
    for column, (title, says) in _CHANCES.items():
        there = {heading.name for heading, _ in columns}
        # a pair leads to each board that it defends, if all leads are known
        if title in there or (column == "lead" and np.array_equal(table["lead"].chances, table["defence"].chances)):
            continue
        add(Heading(title, says, "0", need=_COUNTS), table[column].chances, whole=True)
    if who == "pairs":
        for column, (title, says) in _EACH.items():
            if column != by:
                add_average(column, title, says, _OF_EACH, 11)
    headings, cells = zip(*columns, *limits, strict=True)
    return Listing(headings, cells)


def _strength(totals: Totals, strength: dict[str, Floats], ranked_by: bool, several: bool) -> list[Column]:
    """The columns of the strengths, of their order, and if it is ranked by them of their intervals."""
    unit, form = "per cent" if totals.in_percent else "IMPs", "0.00"
    factor = 50 if totals.in_percent else 1
    need, of = _RANKED if ranked_by else _OTHER, "Strength"
    says = f"how much better than the average pair, in {unit}{f'; {ASSUMED}' if several else ''}"
    limits = [
        Heading("Strength Low", "where the 95 % interval of Strength begins", form, 13, _INTERVAL, of),
        Heading("Strength High", "where it ends", form, 13, _INTERVAL, of),
    ]
    columns = [
        Heading(of, says, form, need=need),
        Heading("Strength SE", "standard error of Strength", form, 12, need, of),
        *limits,
    ]
    says = "by strength, the places between which the pair is with a probability of 95 %: the best"
    of_order = [
        Heading("Best", "how probable it is that nobody in the ranking is stronger", "0.00", 7, need=_OTHER),
        Heading("Place Low", says, "0", 10, need=_OTHER),
        Heading("Place High", "and the worst", "0", 10, need=_OTHER),
    ]
    return [
        *((heading, numbers(factor * strength[heading.name])) for heading in columns),
        *((heading, numbers(strength[heading.name], whole=heading.format == "0")) for heading in of_order),
    ]


def _order(by: str) -> tuple[str, str, int]:
    """The heading of what a ranking is in the order of, what it says, and how much it is needed."""
    each = {column: (title, says, _OF_EACH) for column, (title, says) in _EACH.items()}
    titles = _COLUMNS | _ONLY_ORDERS | each
    if " - " not in by:
        return titles[by]
    one, other = (titles[column][0] for column in by.split(" - "))
    return f"{one} - {other}", f"how much higher {one} is than {other}", _OTHER


def _to_play(totals: Totals, table: AverageTable) -> tuple[list[Value], str]:
    """How many boards each has still to play until the average is as sure as is usually asked for."""
    percent = totals.in_percent
    precision = PRECISION_PERCENT / 50 if percent else PRECISION
    wanted = f"{PRECISION_PERCENT:g} per cent" if percent else f"{PRECISION:g} IMPs"
    says = f"boards still to play for a standard error of {wanted}"
    if np.isnan(table.deviation()):
        return [None] * len(table), says
    return table.boards_needed(precision).tolist(), says


def _few(totals: Totals, table: AverageTable, by: str) -> tuple[AverageTable, tuple[int, ...]]:
    """The table with those marked, too, who had few chances of what is ranked by; and how many that requires.

    By default that is half the median of the group, as of boards. Who asks for a number of boards gets that.
    """
    none = (0,) * len(table.groups)
    if totals.minimum is not None or by not in COUNTED:
        return table, none
    chances = table[by].chances
    least = tuple(half_the_median(chances[table.group == group]) for group in range(len(table.groups)))
    return replace(table, few=table.few | (chances < np.array(least)[table.group])), least


def _notes(table: AverageTable, by: str, least: tuple[int, ...]) -> list[Value]:
    """Of those marked, what they have too few of."""
    notes: list[Value] = []
    for at, (few, group) in enumerate(zip(table.few.tolist(), table.group.tolist(), strict=True)):
        boards = table.minimums[group]
        if not few:
            notes.append(None)
        elif table.boards[at] < boards:
            notes.append(f"under {counted(boards, 'board')}")
        else:
            notes.append(f"{COUNTED[by][0].lower()} under {least[group]}")
    return notes


def _places(key: Floats, few: list[bool]) -> list[int]:
    """Places from 1 on, the same for figures that are equal but for rounding errors; 0 for those with few boards."""
    places: list[int] = []
    before = np.nan
    for at, (value, is_few) in enumerate(zip(key.tolist(), few, strict=True)):
        if is_few or np.isnan(value):
            places.append(0)
            continue
        places.append(places[-1] if abs(value - before) < 1e-9 else at + 1)
        before = value
    return places
