"""The sheet of a pair in a report: why it has its place, where its score comes from, and its boards."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import accumulate, pairwise
from typing import Any

from valet_xl.rankings.explanation import Explanation
from valet_xl.rankings.explanation_words import words
from valet_xl.rankings.listing import Heading, Listing, Value, shown
from valet_xl.rankings.ranking import Ranking
from valet_xl.reports.book import TOP, Book, Place, text, with_bars
from valet_xl.reports.charts import against_the_best, high_of_chart, waterfall_chart

EXTREMES = 5  # best and worst boards of a pair, each
AVERAGES = ("Overall", "Bid", "Play", "Declarer", "Lead", "Defence")
_CHARTED = ("Overall", "Overall SE", "Overall best")  # of a pair
_NARROWEST = 10  # columns of a pair's sheet, which has several tables under each other
_ROW = 18  # pixels of a row
_BESIDE = 11  # columns for a chart
_PILES = ("Below", "Gain", "Loss", "Above", "Gain under 0", "Loss under 0")


class PairSheet:
    """One sheet while it is written: tables under each other, each next to its chart if it has one.

    book, name : the workbook, and the name of the sheet
    """

    def __init__(self, book: Book, name: str, pair: str, remarks: Sequence[str], ranking: str) -> None:
        self.book, self.name = book, name
        self._sheet: Any = book.sheet(name, pair, remarks)
        self._row = TOP
        self._figures = 0  # the first column of those of the waterfall's chart, right of what is printed
        self._bold = book.format(bold=True, font_size=11)
        book.link(self._sheet, 2, 0, (ranking, 0, 0), "Ranking")

    def write(self, made: Explanation, boards: Listing, parts: Listing, places: Sequence[Place | None]) -> None:
        """Write all of it.

        Parameters
        ----------
        made : why the pair has its place
        boards, parts : the pair's boards, and where its score comes from
        places : the tableau of each board
        """
        for column, heading in enumerate(with_bars(boards, ["Overall"]).headings):
            self._sheet.set_column(column, column, max(heading.width, _NARROWEST))
        left = boards.names.index("Opponents")
        self._explained(made, left)
        if len(parts):
            self._title(
                "Where the score comes from, compared with all pairs of the ranking (field) and its first third (best)"
            )
            one, two, three = (left + parts.names.index(each) for each in _CHARTED)
            rows = (self._row + 1, self._row + len(parts))
            chart = against_the_best(self.book, self.name, rows, (left, one, two, three), made.unit)
            self._charted(parts, left, chart, "The pair against the first of the ranking", high_of_chart(len(parts)))
        best, worst = _extremes(boards)
        for title, chosen in (("Best boards", best), ("Worst boards", worst), ("All boards", list(range(len(boards))))):
            self._title(title)
            shown = with_bars(boards.take(chosen), ["Overall"], made.middle)
            links = {(at, "Board"): link for at, of in enumerate(chosen) if (link := places[of]) is not None}
            self.book.table(self._sheet, shown, self._row, links=links, main=False)
            self._row += len(chosen) + 2
        self._sheet.freeze_panes(TOP, 0)
        self._sheet.print_area(0, 0, self._row, self._figures - 1)

    def _explained(self, made: Explanation, left: int) -> None:
        """The paragraph, the waterfall, and the results divided."""
        self._title("Why it has this place")
        plain = self.book.format()
        for line in words(made):
            self._sheet.write_string(self._row, 0, text(line), plain)
            self._row += 1
        self._row += 1
        self._title(
            "What the average is made of: the sum begins with the average of all, and each row adds what it brought"
        )
        table = made.waterfall
        figures = self._figures = left + len(table.headings) + _BESIDE
        self.book.table(self._sheet, _piles(made), self._row, figures, main=False, faded=0)
        chart = waterfall_chart(self.book, self.name, (self._row + 1, self._row + len(table)), left, figures, made.unit)
        self._charted(
            table, left, chart, "What the average is made of, from the average of all", high_of_chart(len(table))
        )
        for shares in reversed(made.shares):
            self._title(f"{shares.title}: what they brought per board of all adds up to the average")
            self.book.table(self._sheet, shares.listing, self._row, left, main=False)
            self._row += len(shares.rows) + 2

    def _title(self, title: str) -> None:
        self._sheet.write_string(self._row, 0, title, self._bold)
        self._row += 1

    def _charted(self, listing: Listing, left: int, chart: Any, says: str, high: int) -> None:
        """A table and its chart next to it."""
        self.book.table(self._sheet, listing, self._row, left, main=False)
        place = {"object_position": 2, "x_offset": 20, "description": says}
        self._sheet.insert_chart(self._row, left + len(listing.headings), chart, place)
        self._row += max(len(listing), high // _ROW) + 3


def _extremes(boards: Listing) -> tuple[list[int], list[int]]:
    """The rows of a pair's best and of its worst boards."""
    overall = boards.columns[boards.names.index("Overall")]
    known = [at for at, value in enumerate(overall) if value is not None]
    in_order = sorted(known, key=lambda at: -float(overall[at] or 0))
    return in_order[:EXTREMES], in_order[::-1][:EXTREMES]


def _piles(made: Explanation) -> Listing:
    """What stacked bars need to show a waterfall on both sides of 0: piles that are not drawn, and those that are."""
    ends = [0.0, *accumulate(step.brings for step in made.steps)]
    spans = [(0.0, 0.0), *pairwise(ends), (0.0, made.figure - made.middle)]
    rows: list[list[Value]] = []
    for start, stop in spans:
        low, high, gain = min(start, stop), max(start, stop), stop >= start
        above, under = max(high, 0.0) - max(low, 0.0), min(low, 0.0) - min(high, 0.0)
        rows.append(
            [max(low, 0.0), *(gain * above, (not gain) * above), min(high, 0.0), *(gain * under, (not gain) * under)]
        )
    headings = tuple(Heading(name, "", "0.00", 9) for name in _PILES)
    return Listing(headings, tuple(map(list, zip(*rows, strict=True))))


def without_blank(listing: Listing) -> Listing:
    """A pair's boards without the columns of which nothing is known."""
    return listing.only(
        [
            heading.name
            for heading, cells in zip(listing.headings, listing.columns, strict=True)
            if heading.name not in ("Round", "Player", "Led") or any(cell is not None for cell in cells)
        ]
    )


def of_pair(ranking: Ranking, row: int) -> tuple[str, ...]:
    """A pair's figures in one line."""
    listing = ranking.listing
    said = []
    for heading, cells in zip(listing.headings, listing.columns, strict=True):
        with_error = heading.of in AVERAGES and heading.name.endswith(" SE")
        if (heading.name in ("Boards", *AVERAGES) or with_error) and cells[row] is not None:
            said.append(f"{heading.name} {shown(cells[row], heading.format)}")
    place = ranking.places[row]
    among = f" {ranking.group}" if ranking.group else ""
    return (f"{f'Place {place}' if place else 'No place'}{among}. {', '.join(said)}",)
