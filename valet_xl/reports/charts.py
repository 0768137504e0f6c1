"""The charts of a report: bidding against play with error bars, and each pair's score in its parts."""

from __future__ import annotations

from typing import Any

import numpy as np

from valet_xl.rankings.listing import Heading, Listing, Value, numbers
from valet_xl.rankings.ranking import Ranking, shown_average
from valet_xl.rankings.totals import Totals
from valet_xl.reports.book import COLOURS, FONT, GREY, INK, LINE, TOP, Book
from valet_xl.reports.sheet_names import cut

LABELLED = 20  # pairs with their place and error bars in the chart; more would hide each other
DOTS = 2_000  # further pairs that have a dot
STACKS = 40  # pairs whose parts are stacked: what fits on a page
_PARTS = {"Bid": "bid", "Declarer": "declarer", "Lead": "lead", "Defence": "defence"}
_WIDE, _HIGH = 860, 760  # pixels of a chart
_LONGEST = 40  # characters of a name next to a bar, so that there is room for the bar
_STACK = 19  # pixels of a bar and the gap to the next
_LAST_COLUMN = 21  # of the sheet that a chart covers
_ROW = 15  # pixels of a row, at least: programs make rows as high as the font needs


def bidding_and_play(book: Book, name: str, totals: Totals, ranking: Ranking) -> None:
    """Add a sheet with the figures of bidding and play, and next to them their chart."""
    unit, form = _unit(totals)
    table = ranking.table.take(np.arange(min(len(ranking.table), LABELLED + DOTS)))
    bid, play = (shown_average(totals, table, column) for column in ("bid", "play"))
    listing = Listing(
        (
            Heading("Rank", "", "0", 6),
            Heading("Pair", "", "@", 36),
            Heading("Bid", "", form, 8),
            Heading("SE of Bid", "", form, 10),
            Heading("Play", "", form, 8),
            Heading("SE of Play", "", form, 10),
        ),
        (
            [place or None for place in ranking.places[: len(table)]],
            list[Value](table.names.tolist()),
            *map(numbers, (bid.average, bid.error, play.average, play.error)),
        ),
    )
    more = "; the others are dots" if len(table) > LABELLED else ""
    more += f", up to the first {LABELLED + DOTS:,}" if len(ranking.table) > len(table) else ""
    sheet = book.sheet(
        name,
        f"Bidding and play{of_group(ranking)}",
        (
            f"Averages per board in {unit}. Bars are one standard error each way.",
            f"The first {min(LABELLED, len(ranking.table))} of the ranking have numbers and bars{more}.",
        ),
        COLOURS["Bid"],
    )
    book.table(sheet, listing)
    chart = book.chart("scatter")
    count = len(table)
    if count > LABELLED:
        chart.add_series(_dots(name, TOP + 1 + LABELLED, TOP + count))
    chart.add_series(_labelled(name, listing, min(count, LABELLED)))
    chart.set_title({"name": "Bidding against play", "name_font": _font(14, True), "overlay": False})
    chart.set_x_axis(_axis(f"Bid, {unit} per board", form))
    chart.set_y_axis(_axis(f"Play, {unit} per board", form))
    chart.set_legend({"none": True})
    chart.set_size({"width": _WIDE, "height": _HIGH})
    chart.set_chartarea({"border": {"color": LINE}})
    sheet.insert_chart(TOP, 7, chart, {"object_position": 2, "description": "Bidding against play of each pair"})
    sheet.set_column(6, 6, 2)
    _print_with_chart(sheet, TOP + LABELLED, _HIGH)


def parts_by_pair(book: Book, name: str, totals: Totals, ranking: Ranking) -> None:
    """Add a sheet with each pair's score in its parts, as a chart of stacked bars, and the figures."""
    unit, form = _unit(totals)
    form = f"+{form}"
    shown = ranking.table.take(np.arange(min(len(ranking.table), STACKS)))
    factor = 50.0 if totals.in_percent else 1.0
    columns = {title: factor * np.nan_to_num(shown[column].per_board) for title, column in _PARTS.items()}
    total = factor * shown["overall"].per_board
    listing = Listing(
        (
            Heading("Rank", "", "0", 6),
            Heading("Pair", "", "@", 36),
            *(Heading(title, "", form, 9) for title in _PARTS),
            Heading("Overall", "", form, 9),
        ),
        (
            [place or None for place in ranking.places[: len(shown)]],
            [name if len(name) <= _LONGEST else f"{cut(name, _LONGEST - 1)}…" for name in shown.names.tolist()],
            *map(numbers, columns.values()),
            numbers(total),
        ),
    )
    above = " above or below average" if totals.in_percent else ""
    first = f"The first {STACKS} of the ranking. " if len(ranking.table) > STACKS else ""
    sheet = book.sheet(
        name,
        f"Where the scores come from{of_group(ranking)}",
        (
            f"{first}What each part of the game gave, in {unit} per board{above}: {_sum_of_parts(totals)}.",
            "Declarer is declarer's play, Lead the opening lead, Defence the rest of the defence.",
        ),
        COLOURS["Declarer"],
    )
    book.table(sheet, listing)
    last = TOP + len(shown)
    high = max(_HIGH, 130 + _STACK * len(shown))
    chart = book.chart("bar", "stacked")
    for column, title in enumerate(_PARTS, start=2):
        chart.add_series(
            {
                "name": [name, TOP, column],
                "categories": [name, TOP + 1, 1, last, 1],
                "values": [name, TOP + 1, column, last, column],
                "fill": {"color": COLOURS[title]},
                "border": {"none": True},
                "gap": 40,
                "overlap": 100,
            }
        )
    chart.set_title({"name": "Parts of the score", "name_font": _font(14, True), "overlay": False})
    chart.set_y_axis(
        {
            "reverse": True,
            "label_position": "low",
            "num_font": _font(8),
            "line": {"color": GREY},
            "major_gridlines": {"visible": False},
            "interval_unit": 1,
        }
    )
    chart.set_x_axis(_axis(f"{unit} per board", form.removeprefix("+")) | {"label_position": "high"})
    chart.set_legend({"position": "top", "font": _font(10)})
    chart.set_size({"width": _WIDE, "height": high})
    chart.set_chartarea({"border": {"color": LINE}})
    sheet.insert_chart(TOP, 8, chart, {"object_position": 2, "description": "Each pair's score in its parts"})
    sheet.set_column(7, 7, 2)
    _print_with_chart(sheet, TOP + len(shown), high)


def of_group(ranking: Ranking) -> str:
    """The end of a title that names the group, if there are several."""
    return f", {ranking.group}" if ranking.group else ""


def _sum_of_parts(totals: Totals) -> str:
    """What the parts add up to, in words. Adjusted scores and corrections for opponents are not in every part."""
    without = ["adjusted scores"] if totals.adjusted else []
    if totals.compensation != "none":
        without.append("what is added for opponents' strength")
    return f"the parts add up to Overall{', but for ' if without else ''}{' and '.join(without)}"


def _print_with_chart(sheet: Any, last: int, high: int) -> None:
    """Print the chart and the rows next to it, and no others, on one page."""
    sheet.print_area(0, 0, max(last, TOP + high // _ROW + 1), _LAST_COLUMN)
    sheet.fit_to_pages(1, 1)


def _dots(name: str, first: int, last: int) -> dict[str, Any]:
    """The series of pairs without a label."""
    return {
        "name": "others",
        "categories": [name, first, 2, last, 2],
        "values": [name, first, 4, last, 4],
        "marker": {"type": "circle", "size": 4, "fill": {"color": "#C4C9BC"}, "border": {"none": True}},
    }


def _labelled(name: str, listing: Listing, count: int) -> dict[str, Any]:
    """The series of the pairs with labels and error bars."""
    first, last = TOP + 1, TOP + count

    def bars(column: int) -> dict[str, Any]:
        letter = "ABCDEF"[column]
        quoted = name.replace("'", "''")
        cells = f"='{quoted}'!${letter}${first + 1}:${letter}${last + 1}"
        errors = [value or 0 for value in listing.columns[column][:count]]
        line = {"color": "#9BA893", "width": 0.75}
        each = {"plus_values": cells, "minus_values": cells, "plus_data": errors, "minus_data": errors}
        return {"type": "custom", "end_style": 0, "line": line, **each}

    labels = [{"value": str(place) if place else "–"} for place in listing.columns[0][:count]]
    return {
        "name": "pairs",
        "categories": [name, first, 2, last, 2],
        "values": [name, first, 4, last, 4],
        "marker": {"type": "circle", "size": 7, "fill": {"color": COLOURS["Bid"]}, "border": {"color": "white"}},
        "x_error_bars": bars(3),
        "y_error_bars": bars(5),
        "data_labels": {"value": True, "custom": labels, "position": "right", "font": _font(9, True)},
    }


def _unit(totals: Totals) -> tuple[str, str]:
    return ("per cent", "0.0") if totals.in_percent else ("IMPs", "0.00")


def _font(size: int, bold: bool = False) -> dict[str, Any]:
    return {"name": FONT, "size": size, "bold": bold, "color": INK}


def _axis(title: str, form: str) -> dict[str, Any]:
    return {
        "name": title,
        "name_font": _font(10),
        "num_font": _font(9),
        "num_format": form,
        "label_position": "low",
        "line": {"color": GREY},
        "major_gridlines": {"visible": True, "line": {"color": "#E4E8DD", "width": 0.75}},
    }
