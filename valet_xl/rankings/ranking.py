"""Rankings of pairs and players as tables for people, once for terminal, CSV, report and worksheet function."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from valet_xl.engine.arrays import Floats
from valet_xl.errors import SheetError, one_of
from valet_xl.rankings.averages import Average, AverageTable
from valet_xl.rankings.listing import NEEDED_ALWAYS, Heading, Listing, Value, numbers
from valet_xl.rankings.options import RANKING_OPTIONS
from valet_xl.rankings.totals import Totals

if TYPE_CHECKING:  # strengths are solved only where they are asked for
    from valet_xl.rankings.strength import Strengths

ORDER = {"pairs": "overall", "players": "declarer"}
"""What a ranking is in the order of, unless another column is named: of one player the parts alone are his own."""
PRECISION = 0.25  # IMPs a board: the standard error that "To play" asks for
PRECISION_PERCENT = 1.0  # the same with matchpoints, in per cent

_RANK = Heading("Rank", "the place; none under the minimum of boards", "0", 6)
_BOARDS = Heading("Boards", "how many boards count", "0", 8)
_COLUMNS = {
    "overall": ("Overall", "average a board", 0),
    "bid": ("Bid", "of the average what the bidding was worth", 0),
    "play": ("Play", "of the average what was not the bidding: declarer's play, leads and defence", 2),
    "declarer": ("Declarer", "declarer's play, average a board declared", 0),
    "lead": ("Lead", "opening leads, average a board led to", 0),
    "defence": ("Defence", "defence without the lead, average a board defended", 0),
    "luck": ("Luck", "of the average what the other tables' tricks gave", 2),
}
_CHANCES = {
    "declarer": ("Declared", "how many boards were declared"),
    "lead": ("Led", "how many boards were led to"),
    "defence": ("Defended", "how many boards were defended"),
}
_EACH = {
    "declarer1": ("Declarer 1", "the first player's play, average a board that he declared"),
    "declarer2": ("Declarer 2", "the second player's play"),
    "lead1": ("Lead 1", "the first player's leads, average a board that he led to"),
    "lead2": ("Lead 2", "the second player's leads"),
}


@dataclass(frozen=True, slots=True, eq=False)
class Ranking:
    """A ranking.

    table : its rows with the best first, those under the minimum of boards behind the others
    places : (m,) the place of each, equal for equal figures; 0 under the minimum
    order : what it is in the order of
    listing : the table for people
    """

    table: AverageTable
    places: list[int]
    order: str
    listing: Listing


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
    strength = _of_table(strengths, table) if strengths is not None and who == "pairs" else None
    key = strength["Strength"] if strength is not None and by == "strength" else table.key(by)
    rows = np.lexsort((-key, table.few))  # NaN is last
    table, key = table.take(rows), key[rows]
    strength = {name: values[rows] for name, values in (strength or {}).items()}
    places = _places(key, table.few.tolist())
    return Ranking(table, places, by, _listing(totals, who, table, places, strength))


def _nobody(totals: Totals, who: str) -> str:
    """Why there is nobody to rank."""
    if totals.results:
        return f"no {who} are named in the results (expected columns such as NS and EW, or players)"
    why = ", ".join(f"{reason}: {count:,}" for reason, count in totals.uncounted.items())
    return f"nothing to rank, of no result there is a score ({why or 'no results'})"


def _of_table(strengths: Strengths, table: AverageTable) -> dict[str, Floats]:
    """Strengths and their standard errors for the rows of a table, NaN where there is none."""
    at = {name: row for row, name in enumerate(strengths.names.tolist())}
    rows = np.array([at.get(name, -1) for name in table.names.tolist()], dtype=np.intp)
    return {
        "Strength": np.append(strengths.strength, np.nan)[rows],
        "SE of it": np.append(strengths.error, np.nan)[rows],
    }


def view(listing: Listing, *, all_columns: bool = False) -> Listing:
    """The columns that every view of a ranking has, or all."""
    needed = [heading.name for heading in listing.headings if all_columns or heading.need <= NEEDED_ALWAYS]
    return listing.only(needed)


def shown_average(totals: Totals, table: AverageTable, column: str) -> Average:
    """A column of a table as it is shown: with matchpoints in per cent."""
    average = table[column]
    return average.in_percent() if totals.in_percent else average


def _listing(totals: Totals, who: str, table: AverageTable, places: list[int], strength: dict[str, Floats]) -> Listing:
    """The table for people."""
    unit, form = ("per cent", "0.0") if totals.in_percent else ("IMPs", "0.00")
    name = Heading("Pair" if who == "pairs" else "Player", "who", "@", 36)
    columns: list[tuple[Heading, list[Value]]] = [
        (_RANK, [place or None for place in places]),
        (name, list[Value](table.names.tolist())),
        (_BOARDS, table.boards.tolist()),
    ]

    def add(heading: Heading, values: Floats, *, whole: bool = False) -> None:
        columns.append((heading, numbers(values, whole=whole)))

    for column, (title, says, need) in _COLUMNS.items():
        if column == "luck" and not totals.options.cloud:
            continue
        average = shown_average(totals, table, column)
        add(Heading(title, f"{says}, in {unit}", form, need=need), average.average)
        if column == "overall":
            add(Heading("SE", "standard error of Overall", form, 7, need=1), average.error)
            add(Heading("Low", "where the 95 % interval of Overall begins", form, need=3), average.low)
            add(Heading("High", "where it ends", form, need=3), average.high)
    for title, values in strength.items():
        says = (
            "standard error of Strength" if title != "Strength" else f"how much better than the average pair, in {unit}"
        )
        add(Heading(title, says, form, need=1), 50 * values if totals.in_percent else values)
    to_play, says = _to_play(totals, table)
    columns.append((Heading("To play", says, "0", need=4), to_play))
    columns.append((Heading("Note", "whether there are too few boards", "@", 12, need=4), _notes(totals, table)))
    for column, (title, says) in _CHANCES.items():
        if column == "lead" and who == "pairs":  # a pair leads to each board that it defends
            continue
        add(Heading(title, says, "0", need=5), table[column].chances, whole=True)
    if who == "pairs":
        for column, (title, says) in _EACH.items():
            add(Heading(title, f"{says}, in {unit}", form, 11, need=6), shown_average(totals, table, column).average)
    headings, cells = zip(*columns, strict=True)
    return Listing(headings, cells)


def _to_play(totals: Totals, table: AverageTable) -> tuple[list[Value], str]:
    """How many boards each has still to play until the average is as sure as is usually asked for."""
    percent = totals.in_percent
    precision = PRECISION_PERCENT / 50 if percent else PRECISION
    wanted = f"{PRECISION_PERCENT:g} per cent" if percent else f"{PRECISION:g} IMPs"
    says = f"boards still to play for a standard error of {wanted}"
    if np.isnan(table.deviation()):
        return [None] * len(table), says
    return table.boards_needed(precision).tolist(), says


def _notes(totals: Totals, table: AverageTable) -> list[Value]:
    return [f"under {totals.minimum} boards" if few else None for few in table.few.tolist()]


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
