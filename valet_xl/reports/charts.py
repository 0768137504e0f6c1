"""The charts of a report: bidding against play, each pair's score in its parts, and a pair against the best."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from valet_xl.engine.arrays import Floats
from valet_xl.rankings.averages import AverageTable
from valet_xl.rankings.listing import Heading, Listing, Value, numbers
from valet_xl.rankings.ranking import Ranking, shown_average
from valet_xl.rankings.totals import Totals
from valet_xl.reports.book import BLACK, BLUE, COLOURS, FONT, GAIN, GREY, INK, LINE, LOSS, SKY, TOP, Book
from valet_xl.reports.sheet_names import cut, pair_name

LABELLED = 12  # pairs with their name and error bars in the chart; more would hide each other
DOTS = 2_000  # further pairs that have a dot
STACKS = 40  # pairs whose parts are stacked: what fits on a page
LISTED = 20_000  # pairs whose figures are listed
PARTS = {"Bid": "bid", "From declaring": "declarer", "From leads": "lead", "From defence": "defence"}
_COLOUR_OF = {"Bid": "Bid", "From declaring": "Declarer", "From leads": "Lead", "From defence": "Defence"}
_WIDE, _HIGH = 900, 760  # pixels of a chart
_LONGEST = 40  # characters of a name next to a bar, so that there is room for the bar
_LABEL = 24  # characters of a name next to a dot
_LETTER, _TALL = 5.6, 15  # pixels of a letter of such a name, and of a line
_STACK = 19  # pixels of a bar and the gap to the next
_ROW = 20  # pixels of a row
_PLOT = (70, 40, 790, 650)  # left, top, width and height of the inside of the first chart, in pixels


def bidding_and_play(book: Book, name: str, totals: Totals, ranking: Ranking, about: str) -> None:
    """Add a sheet with the figures of bidding and play, and next to them their chart."""
    unit, form = _unit(totals)
    table = ranking.table.take(np.arange(min(len(ranking.table), LABELLED + DOTS)))
    bid, play = (shown_average(totals, table, column) for column in ("bid", "play"))
    listing = Listing(
        (
            Heading("Rank", "", "0", 6),
            Heading("Pair", "", "@", 36),
            Heading("Bid", "", form, 8),
            Heading("Bid SE", "", form, 9),
            Heading("Play", "", form, 8),
            Heading("Play SE", "", form, 9),
        ),
        (
            [place or None for place in ranking.places[: len(table)]],
            list[Value](table.names.tolist()),
            *map(numbers, (bid.average, bid.error, play.average, play.error)),
        ),
    )
    ranked = ranked_rows(ranking, len(table))
    labelled = min(ranked, LABELLED)
    more = "; the others are dots" if ranked > LABELLED else ""
    more += f", up to the first {LABELLED + DOTS:,}" if len(ranking.table) > len(table) else ""
    few = " Pairs without a place are listed and have no dot." if ranked < len(table) else ""
    sheet = book.sheet(
        name,
        f"Bidding and play{of_group(ranking)}",
        (
            f"Averages per board in {unit}. Bars are one standard error each way.",
            f"The first {labelled} of the ranking have their names and bars{more}.{few}",
        ),
        BLUE,
    )
    book.link(sheet, 0, 7, (about, 0, 0), about)
    book.table(sheet, listing, faded=ranked)
    x, y, dx, dy = (_known(values[:ranked]) for values in (bid.average, play.average, bid.error, play.error))
    axes = [axis_limits(*_reach(values, errors, labelled)) for values, errors in ((x, dx), (y, dy))]
    chart = book.chart("scatter")
    if ranked > LABELLED:
        chart.add_series(_dots(name, TOP + 1 + LABELLED, TOP + ranked))
    labels = [
        pair_name(place, pair, _LABEL) for place, pair in zip(ranking.places, table.names[:labelled], strict=False)
    ]
    pixels = _pixels(x, y, axes)
    for at, side in enumerate(label_sides(pixels, labels)):
        chart.add_series(_labelled(name, listing, at, labels[at], side))
    chart.set_title({"name": "Bidding against play", "name_font": _font(14, True), "overlay": False})
    (left, right, x_step), (low, high, y_step) = axes
    limits = {"min": left, "max": right, "major_unit": x_step}
    chart.set_x_axis(_axis(f"Bid, {unit} per board", form) | limits | {"crossing": left})
    limits = {"min": low, "max": high, "major_unit": y_step}
    chart.set_y_axis(_axis(f"Play, {unit} per board", form) | limits | {"crossing": low})
    chart.set_legend({"none": True})
    chart.set_size({"width": _WIDE, "height": _HIGH})
    chart.set_plotarea(
        {
            "layout": {
                **{"x": _PLOT[0] / _WIDE, "y": _PLOT[1] / _HIGH},
                **{"width": _PLOT[2] / _WIDE, "height": _PLOT[3] / _HIGH},
            }
        }
    )
    chart.set_chartarea({"border": {"color": LINE}})
    sheet.insert_chart(TOP, 7, chart, {"object_position": 2, "description": "Bidding against play of each pair"})
    sheet.set_column(6, 6, 2)
    _print_with_chart(sheet, TOP + len(listing), 7, _WIDE, _HIGH)


def parts_by_pair(book: Book, name: str, totals: Totals, ranking: Ranking, about: str) -> None:
    """Add a sheet with each pair's score in its parts, as a chart of stacked bars, and the figures."""
    unit, form = _unit(totals)
    form = f"+{form}"
    shown = ranking.table.take(np.arange(min(len(ranking.table), LISTED)))
    ranked = ranked_rows(ranking, len(shown))
    factor = 50.0 if totals.in_percent else 1.0
    columns = parts_per_board(totals, shown)
    total = factor * shown["overall"].per_board
    listing = Listing(
        (
            Heading("Rank", "", "0", 6),
            Heading("Pair", "", "@", 36),
            *(Heading(title, "", form, max(9, len(title) + 2)) for title in PARTS),
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
    first = f"The chart has the first {STACKS} of the ranking. " if ranked > STACKS else ""
    sheet = book.sheet(
        name,
        f"Where the scores come from{of_group(ranking)}",
        (
            f"{first}What each part of the game gave, in {unit} per board played{above}: {_sum_of_parts(totals)}.",
            "Declarer, Lead and Defence of the ranking are averages of the boards declared, led to and defended.",
        ),
        COLOURS["Declarer"],
    )
    book.link(sheet, 0, 8, (about, 0, 0), about)
    book.table(sheet, listing, faded=ranked)
    stacked = min(ranked, STACKS)
    last = TOP + stacked
    high = max(300, 130 + _STACK * stacked)
    chart = book.chart("bar", "stacked")
    for column, title in enumerate(PARTS, start=2):
        chart.add_series(
            {
                "name": [name, TOP, column],
                "categories": [name, TOP + 1, 1, last, 1],
                "values": [name, TOP + 1, column, last, column],
                "fill": {"color": COLOURS[_COLOUR_OF[title]]},
                "border": {"color": GREY, "width": 0.5},
                "gap": 40,
                "overlap": 100,
            }
        )
    chart.set_title({"name": "Parts of the score", "name_font": _font(14, True), "overlay": False})
    chart.set_y_axis(_names_axis())
    chart.set_x_axis(_axis(f"{unit} per board", form.removeprefix("+")) | {"label_position": "high"})
    chart.set_legend({"position": "top", "font": _font(10)})
    chart.set_size({"width": _WIDE, "height": high})
    chart.set_chartarea({"border": {"color": LINE}})
    sheet.insert_chart(TOP, 8, chart, {"object_position": 2, "description": "Each pair's score in its parts"})
    sheet.set_column(7, 7, 2)
    _print_with_chart(sheet, TOP + len(shown), 8, _WIDE, high)


def parts_per_board(totals: Totals, table: AverageTable) -> dict[str, Floats]:
    """What each part of the game gave per board played, by the names in PARTS, in the unit in which it is shown."""
    factor = 50.0 if totals.in_percent else 1.0
    of_parts = factor / 2 if totals.options.in_halves else factor
    per_board = {column: np.nan_to_num(average.per_board) for column, average in table.columns.items()}
    # Of a pass-out what is not the bidding is nobody's play: with the paper's percentages half of its score.
    per_board["bid"] = per_board["bid"] + per_board["play"] - per_board["declarer"] - per_board["defending"]
    return {title: of_parts * per_board[column] for title, column in PARTS.items()}


def against_the_best(
    book: Book, name: str, rows: tuple[int, int], columns: tuple[int, int, int, int], unit: str
) -> Any:
    """A chart of the rows of a pair's sheet: the pair with its standard errors, and the first third of the ranking.

    Parameters
    ----------
    rows : the first and the last
    columns : of the names, the averages, their standard errors, and the averages of the first third
    """
    (first, last), (names, values, errors, best) = rows, columns
    chart = book.chart("bar")
    for title, column, colour in (("this pair", values, SKY), ("first third of the ranking", best, BLACK)):
        bars = _error_bars(name, errors, first, last) if column == values else None
        chart.add_series(
            {
                "name": title,
                "categories": [name, first, names, last, names],
                "values": [name, first, column, last, column],
                "fill": {"color": colour},
                "gap": 45,
                **({"y_error_bars": bars} if bars else {}),
            }
        )
    chart.set_title({"name": f"Overall, {unit} per board", "name_font": _font(10, True), "overlay": False})
    chart.set_y_axis(_names_axis() | {"num_font": _font(7)})
    chart.set_x_axis({"num_font": _font(8), "label_position": "high", "major_gridlines": _GRID})
    chart.set_legend({"position": "bottom", "font": _font(8)})
    chart.set_size({"width": 520, "height": high_of_chart(last - first + 1)})
    chart.set_chartarea({"border": {"color": LINE}})
    return chart


def waterfall_chart(book: Book, name: str, rows: tuple[int, int], names: int, figures: int, unit: str) -> Any:
    """A waterfall out of stacked bars, some of which are not drawn.

    Parameters
    ----------
    rows : the first and the last
    names, figures : the column of the names, and the first of those of the bars: up to where the bar begins above 0, a
        gain, a loss, down to where it begins under 0, a gain, a loss
    """
    first, last = rows
    chart = book.chart("bar", "stacked")
    for at, colour in enumerate((None, GAIN, LOSS, None, GAIN, LOSS)):
        drawn = {"fill": {"color": colour}, "border": {"color": GREY, "width": 0.5}}
        chart.add_series(
            {
                "name": [name, first - 1, figures + at],
                "categories": [name, first, names, last, names],
                "values": [name, first, figures + at, last, figures + at],
                "gap": 40,
                "overlap": 100,
                **(drawn if colour else {"fill": {"none": True}, "border": {"none": True}}),
            }
        )
    title = f"What each part brought, {unit} per board"
    chart.set_title({"name": title, "name_font": _font(10, True), "overlay": False})
    chart.set_y_axis(_names_axis() | {"num_font": _font(7)})
    chart.set_x_axis({"num_font": _font(8), "label_position": "high", "major_gridlines": _GRID})
    chart.set_legend({"none": True})
    chart.set_size({"width": 620, "height": high_of_chart(last - first + 1)})
    chart.set_chartarea({"border": {"color": LINE}})
    return chart


def high_of_chart(rows: int) -> int:
    """How many pixels high the chart of `against_the_best` is with so many rows."""
    return 90 + 24 * rows


def of_group(ranking: Ranking) -> str:
    """The end of a title that names the group, if there are several."""
    return f", {ranking.group}" if ranking.group else ""


def ranked_rows(ranking: Ranking, rows: int) -> int:
    """How many of the first rows have a place; all if nobody has one, or if several groups are in one ranking."""
    if len(set(ranking.table.group.tolist())) > 1:
        return rows
    return sum(place > 0 for place in ranking.places[:rows]) or rows


def axis_limits(low: float, high: float) -> tuple[float, float, float]:
    """The ends of an axis that contains these numbers, and the step between its marks.

    >>> axis_limits(-1.13, 2.41)
    (-1.5, 2.5, 0.5)
    """
    if high - low < 1e-6:  # of one pair without errors, say
        low, high = low - 0.5, high + 0.5
    width = high - low
    size = 10 ** math.floor(math.log10(width / 5))
    step = next(size * factor for factor in (1, 2, 5, 10) if width / (size * factor) <= 10)
    return tuple(
        round(value, 12) + 0.0 for value in (math.floor(low / step) * step, math.ceil(high / step) * step, step)
    )


def label_sides(points: Sequence[tuple[float, float]], labels: Sequence[str]) -> list[str]:
    """On which side of its dot each label hides the least of the others, dots and labels.

    Parameters
    ----------
    points : of the dots in pixels, to the right and down
    labels : the texts, the most important first
    """
    boxes = [(x - 4, y - 4, x + 4, y + 4) for x, y in points]
    sides = []
    for (x, y), label in zip(points, labels, strict=True):
        wide = len(label) * _LETTER
        tried = {
            "right": (x + 6, y - _TALL / 2, x + 6 + wide, y + _TALL / 2),
            "left": (x - 6 - wide, y - _TALL / 2, x - 6, y + _TALL / 2),
            "above": (x - wide / 2, y - 6 - _TALL, x + wide / 2, y - 6),
            "below": (x - wide / 2, y + 6, x + wide / 2, y + 6 + _TALL),
        }
        inside = (0, 0, _PLOT[2], _PLOT[3])
        side = min(
            tried, key=lambda each: sum(_common(tried[each], box) for box in boxes) - _common(tried[each], inside)
        )
        boxes.append(tried[side])
        sides.append(side)
    return sides


_Box = tuple[float, float, float, float]


def _common(one: _Box, other: _Box) -> float:
    """The area that two boxes have in common."""
    wide = min(one[2], other[2]) - max(one[0], other[0])
    high = min(one[3], other[3]) - max(one[1], other[1])
    return max(wide, 0) * max(high, 0)


def _pixels(x: Floats, y: Floats, axes: Sequence[tuple[float, float, float]]) -> list[tuple[float, float]]:
    """Where the first dots are, in pixels from the upper left corner of the inside."""
    (left, right, _), (low, high, _) = axes
    _, _, wide, tall = _PLOT
    across, down = wide * (x - left) / (right - left), tall * (high - y) / (high - low)
    return list(zip(across[:LABELLED].tolist(), down[:LABELLED].tolist(), strict=True))


def _reach(values: Floats, errors: Floats, labelled: int) -> tuple[float, float]:
    """The lowest and the highest of what is drawn: dots, and the error bars of the first of them."""
    if not len(values):
        return -1.0, 1.0
    drawn = np.where(np.arange(len(values)) < labelled, errors, 0)
    return float((values - drawn).min()), float((values + drawn).max())


def _known(values: Floats) -> Floats:
    return np.nan_to_num(values)


def _sum_of_parts(totals: Totals) -> str:
    """What the parts add up to, in words. Adjusted scores and corrections for opponents are not in every part."""
    without = ["adjusted scores"] if totals.adjusted else []
    if totals.compensation != "none":
        without.append("what is added for opponents' strength")
    parts = "half of each part, the parts" if totals.options.in_halves else "the parts"
    return f"{parts} add up to Overall{', but for ' if without else ''}{' and '.join(without)}"


def _print_with_chart(sheet: Any, last: int, left: int, wide: int, high: int) -> None:
    """Print the whole table and the chart that begins in the column `left`."""
    sheet.print_area(0, 0, max(last, TOP + high // _ROW + 1), left + wide // 64 + 1)


def _dots(name: str, first: int, last: int) -> dict[str, Any]:
    """The series of pairs without a label."""
    return {
        "name": "others",
        "categories": [name, first, 2, last, 2],
        "values": [name, first, 4, last, 4],
        "marker": {"type": "circle", "size": 4, "fill": {"color": "#C4C9BC"}, "border": {"none": True}},
    }


def _labelled(name: str, listing: Listing, at: int, label: str, side: str) -> dict[str, Any]:
    """The series of one pair, with its label and error bars."""
    row = TOP + 1 + at
    errors = [[float(listing.columns[column][at] or 0)] for column in (3, 5)]
    return {
        "name": text_of_series(label),
        "categories": [name, row, 2, row, 2],
        "values": [name, row, 4, row, 4],
        "marker": {"type": "circle", "size": 7, "fill": {"color": BLUE}, "border": {"color": "white"}},
        "x_error_bars": _error_bars(name, 3, row, row, errors[0]),
        "y_error_bars": _error_bars(name, 5, row, row, errors[1]),
        "data_labels": {"series_name": True, "value": False, "position": side, "font": _font(8)},
    }


def text_of_series(label: str) -> str:
    """A text as the name of a series, which begins like a formula in no case."""
    return f" {label}" if label.startswith("=") else label


def _error_bars(name: str, column: int, first: int, last: int, errors: Sequence[float] = ()) -> dict[str, Any]:
    letter = chr(ord("A") + column)
    quoted = name.replace("'", "''")
    cells = f"='{quoted}'!${letter}${first + 1}:${letter}${last + 1}"
    line = {"color": ERROR, "width": 0.75}
    each = {"plus_values": cells, "minus_values": cells, "plus_data": list(errors), "minus_data": list(errors)}
    return {"type": "custom", "end_style": 0, "line": line, **each}


ERROR = "#A9AFA2"  # of error bars, which are no darker than the names over them
_GRID = {"visible": True, "line": {"color": "#E4E8DD", "width": 0.75}}


def _unit(totals: Totals) -> tuple[str, str]:
    return ("per cent", "0.0") if totals.in_percent else ("IMPs", "0.00")


def _font(size: int, bold: bool = False) -> dict[str, Any]:
    return {"name": FONT, "size": size, "bold": bold, "color": INK}


def _names_axis() -> dict[str, Any]:
    """The axis of a bar chart with names, the first on top."""
    return {
        "reverse": True,
        "label_position": "low",
        "num_font": _font(8),
        "line": {"color": GREY},
        "major_gridlines": {"visible": False},
        "interval_unit": 1,
    }


def _axis(title: str, form: str) -> dict[str, Any]:
    return {
        "name": title,
        "name_font": _font(10),
        "num_font": _font(9),
        "num_format": form,
        "label_position": "low",
        "line": {"color": GREY},
        "major_gridlines": _GRID,
    }
