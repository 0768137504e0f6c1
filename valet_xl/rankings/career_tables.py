"""Careers as tables for people: the strengths, and what averages of events owe to skill, to the event and to chance."""

from __future__ import annotations

import numpy as np

from valet_xl.engine.arrays import Floats, Index
from valet_xl.errors import one_of
from valet_xl.rankings.career import COLUMNS, Career
from valet_xl.rankings.listing import Heading, Listing, Value, numbers
from valet_xl.rankings.totals import half_the_median


def order_of(career: Career, order: str = "overall", minimum: int | None = None) -> tuple[Index, Index]:
    """The rows in the order of a strength, those with few boards last; and the place of each, 0 for those.

    Parameters
    ----------
    order : of COLUMNS
    minimum : how many boards a place requires, else half the median

    Raises
    ------
    OptionError : for another column
    """
    one_of("order", order, tuple(COLUMNS))
    strength = career.columns[order].solved.strength
    least = half_the_median(career.boards) if minimum is None else minimum
    few = career.boards < least
    rows = np.lexsort((-strength, few))
    rows = rows[career.boards[rows] > 0]
    places = np.where(few[rows], 0, np.arange(1, len(rows) + 1))
    return rows, places


def career_listing(career: Career, order: str = "overall", minimum: int | None = None) -> Listing:
    """The strengths as a table: what it is in the order of comes first, with its interval."""
    rows, places = order_of(career, order, minimum)
    unit = "per cent" if career.in_percent else "IMPs"
    factor = 50.0 if career.in_percent else 1.0
    columns: list[tuple[Heading, list[Value]]] = [
        (
            Heading("Rank", "the place; none under the minimum of boards", "0", 6),
            [place or None for place in places.tolist()],
        ),
        (Heading("Pair" if career.who == "pairs" else "Player", "who", "@", 36), list(career.names[rows])),
        (Heading("Events", "in how many events", "0", 7), career.events[rows].tolist()),
        (Heading("Boards", "how many boards count", "0", 8), career.boards[rows].tolist()),
    ]

    def add(heading: Heading, values: Floats) -> None:
        columns.append((heading, numbers(factor * values[rows])))

    for name in sorted(COLUMNS, key=lambda name: name != order):
        title, column = COLUMNS[name], career.columns[name]
        first = name == order
        need = 0 if first else 2
        says = "a board" if name in ("overall", "bid", "play") else "a chance"
        solved = column.solved
        add(Heading(title, f"the strength, {unit} {says} above the average of all", "+0.00", 9, need), solved.strength)
        add(Heading(f"{title} SE", f"standard error of {title}", "0.00", len(title) + 4, need, title), solved.error)
        if first:
            low, high = career.interval(name)
            add(Heading(f"{title} Low", f"where the 95 % interval of {title} begins", "+0.00", 12, 1, title), low)
            add(Heading(f"{title} High", "where it ends", "+0.00", 13, 1, title), high)
            own = np.where(solved.owners > 0, 1 - (solved.error / np.sqrt(solved.owners)) ** 2, np.nan)
            trust = Heading("Known", "the share of the strength that is known: 0 is only the mean of all", "0.00", 8, 1)
            columns.append((trust, numbers(np.clip(own[rows], 0, 1))))
        middle = np.where(column.count > 0, column.average + (1.0 if career.in_percent else 0.0), np.nan)
        add(
            Heading(
                f"{title} average",
                f"the average of all {says.split()[1]}s as it is, {unit}",
                "0.00",
                16,
                3 if first else 5,
            ),
            middle,
        )
    headings, cells = zip(*columns, strict=True)
    return Listing(headings, cells)


def components_listing(career: Career) -> Listing:
    """What varies in each part of the game, and how reliable that makes it."""
    factor = 50.0 if career.in_percent else 1.0
    unit = "per cent" if career.in_percent else "IMPs"
    kind = career.who.removesuffix("s").capitalize()
    rows: list[list[Value]] = []
    for name, title in COLUMNS.items():
        column = career.columns[name]
        solved = column.solved
        own, low, high, event, event_low, event_high = (
            factor * float(np.sqrt(each))
            for each in (
                *(column.owners, min(column.owners, solved.owners_low), max(column.owners, solved.owners_high)),
                *(column.events, min(column.events, solved.events_low), max(column.events, solved.events_high)),
            )
        )
        spread = [factor * float(np.sqrt(each)) for each in (column.board, column.rest)]
        one = column.reliability()
        half = (1 - one) / one if one > 0 else float("nan")
        figures = numbers(
            [own, low, high, event, event_low, event_high, *spread, column.usual, one, column.halves, half]
        )
        rows.append([title, *figures])
    headings = (
        Heading("Part", "the part of the game", "@", 12),
        Heading(kind, f"standard deviation between {career.who} in all their events, {unit} a chance", "0.000", 9),
        Heading(f"{kind} Low", "where its 95 % interval begins", "0.000", 12, 2, kind),
        Heading(f"{kind} High", "where it ends", "0.000", 13, 2, kind),
        Heading("Event", "that of one of them from event to event: form, opponents, partners", "0.000", 9),
        Heading("Event Low", "where its 95 % interval begins", "0.000", 10, 2, "Event"),
        Heading("Event High", "where it ends", "0.000", 11, 2, "Event"),
        Heading("Board", "that of what a board gives to all who sat the same way", "0.000", 9),
        Heading("Rest", "that of one result beyond all that", "0.000", 9),
        Heading("Chances", "the median in one event", "0", 9),
        Heading(
            "Reliability",
            "the share of the differences between averages of one event that will be there again",
            "0.00",
            12,
        ),
        Heading("Halves", "the reliability within one event, by its two halves (Spearman and Brown)", "0.00", 9),
        Heading(
            "Events for half", "how many such events it takes until half of the differences are there again", "0.0", 16
        ),
    )
    return Listing(headings, tuple(map(list, zip(*rows, strict=True))))
