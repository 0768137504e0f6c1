"""Two pairs or players side by side, part by part: how they differ, and how sure that is."""

from __future__ import annotations

from dataclasses import dataclass

from valet_xl.errors import ArgumentError, one_of
from valet_xl.rankings.averages import AverageTable
from valet_xl.rankings.listing import Heading, Listing, Value, numbers
from valet_xl.rankings.options import RANKING_OPTIONS
from valet_xl.rankings.ranking import COMPARED, shown_average
from valet_xl.rankings.totals import Totals


@dataclass(frozen=True, slots=True)
class Comparison:
    """Two pairs or players.

    names : what they are called
    boards : how many each played
    alike : whether they are of one group; if not, nothing compares their scores, and their fields may differ
    listing : the table for people, a row for each part of the game
    """

    names: tuple[str, str]
    boards: tuple[int, int]
    alike: bool
    listing: Listing


def compare(totals: Totals, first: str, second: str, *, who: str = "pairs") -> Comparison:
    """Compare two pairs or players.

    Parameters
    ----------
    totals : the tournament's tables
    first, second : their names; the players of a pair in either order
    who : "pairs" or "players"

    Returns
    -------
    the comparison

    Raises
    ------
    ArgumentError : for a name that is not there, or the same twice
    OptionError : for another word
    """
    one_of("who", who, RANKING_OPTIONS["who"].words)
    table: AverageTable = getattr(totals, who)
    one, other = table.row(first), table.row(second)
    if one == other:
        raise ArgumentError(f"{first!r} and {second!r} are the same (two different names were expected)")
    unit, form = "per cent" if totals.in_percent else "IMPs", "0.00"
    factor = 50.0 if totals.in_percent else 1.0
    titles = {title: column for column, title in COMPARED.items() if column != "luck" or totals.options.cloud}
    averages = [shown_average(totals, table, column).average[[one, other]] for column in titles.values()]
    found = [table.compare(one, other, column) for column in titles.values()]
    of = "Difference"
    figures: list[tuple[Heading, list[Value]]] = [
        (Heading("Part", "the part of the game", "@", 12), list[Value](titles)),
        (Heading("First", f"the first one's average, in {unit}", form), numbers([each[0] for each in averages])),
        (Heading("Second", "the second one's average", form), numbers([each[1] for each in averages])),
        (Heading(of, "the first less the second", f"+{form}", 11), numbers([factor * x.difference for x in found])),
        (Heading(f"{of} SE", "its standard error", form, 14, 0, of), numbers([factor * x.error for x in found])),
        (
            Heading(f"{of} Low", "where its 95 % interval begins", form, 15, 0, of),
            numbers([factor * x.low for x in found]),
        ),
        (Heading(f"{of} High", "where it ends", form, 15, 0, of), numbers([factor * x.high for x in found])),
        (
            Heading("p", "how probable a difference is that is as large, between two who are equally good", "0.000"),
            numbers([x.p for x in found]),
        ),
        (
            Heading("In common", "boards on which both had a chance", "0", 11),
            [table.common(one, other, column) for column in titles.values()],
        ),
    ]
    headings, cells = zip(*figures, strict=True)
    return Comparison(
        names=(str(table.names[one]), str(table.names[other])),
        boards=(int(table.boards[one]), int(table.boards[other])),
        alike=bool(table.group[one] == table.group[other]),
        listing=Listing(headings, cells),
    )
