"""How a report looks: colours, axes, labels, bars, and what sets their scales."""

from __future__ import annotations

import re
from xml.etree import ElementTree

import numpy as np
import pytest
import simulate
from colour_vision import ciede2000, least_difference
from hypothesis import given
from hypothesis import strategies as st
from test_report import column, night, parts, sheets

from valet_xl.rankings.event import Event
from valet_xl.rankings.listing import Heading, Listing
from valet_xl.reading.valet_text import read_scores
from valet_xl.reports.book import COLOURS, GAIN, LOSS, TOP, with_bars
from valet_xl.reports.charts import axis_limits, label_sides
from valet_xl.reports.report import report

NS = "http://schemas.openxmlformats.org/drawingml/2006/chart"


def test_differences_of_colours_are_those_published():
    """Three pairs of the table of Sharma, Wu and Dalal (2005)."""
    for one, other, difference in (
        ((50, 2.6772, -79.7751), (50, 0, -82.7485), 2.0425),
        ((50, 2.5, 0), (73, 25, -18), 27.1492),
        ((22.7233, 20.0904, -46.6940), (23.0331, 14.9730, -42.5619), 2.0373),
    ):
        assert ciede2000(one, other) == pytest.approx(difference, abs=1e-4)


@pytest.mark.parametrize("colours", [list(COLOURS.values()), [GAIN, LOSS], [GAIN, COLOURS["Defence"]]])
def test_every_colour_vision_tells_the_colours_apart(colours):
    assert least_difference(colours) >= 20


def test_the_judge_of_colours_sees_what_is_alike():
    """Red and green, and the greens and reds that reports had once."""
    assert least_difference(["#9CC36B", "#E08A7B"]) < 10


@given(st.floats(-200, 200), st.floats(0, 300))
def test_axes_contain_what_is_drawn(low, width):
    left, right, step = axis_limits(low, low + width)
    assert left <= low + 1e-9 and right >= low + width - 1e-9
    assert 1 <= round((right - left) / step) <= 12


@pytest.mark.parametrize("method", ["iaf", "matchpoints"])
def test_the_axes_of_the_chart_contain_the_error_bars(method):
    made = report(night(method=method), "x")
    rows = sheets(made)["Bidding and play"]
    chart = ElementTree.fromstring(parts(made)["xl/charts/chart1.xml"])
    limits = [
        tuple(float(next(axis.iter(f"{{{NS}}}{end}")).get("val")) for end in ("min", "max"))
        for axis in chart.iter(f"{{{NS}}}valAx")
    ]
    assert len(limits) == 2
    for name, (low, high) in zip(("Bid", "Play"), limits, strict=True):
        values, errors = (np.array(column(rows, heading), float) for heading in (name, f"{name} SE"))
        assert low <= (values - errors).min() and (values + errors).max() <= high
    labels = {text.text for text in chart.iter(f"{{{NS}}}v")}
    assert any(re.match(r"1 Player \d+ - Player \d+$", label or "") for label in labels)


def test_labels_keep_apart():
    """Two dots next to each other have their names on different sides, and one at the end of the axis inside."""
    assert label_sides([(400, 300), (410, 300)], ["one name", "other name"]) == ["left", "right"]
    assert label_sides([(788, 300)], ["a long name"]) == ["left"]


def test_bars_have_columns_of_their_own_and_few_boards_set_no_scale():
    listing = Listing((Heading("Who", "", "@"), Heading("Overall", "", "0.00")), (["a", "b", "c"], [52.0, None, 90.0]))
    barred = with_bars(listing, ["Overall"], 50, rows=2)
    assert barred.names == ["Who", "Overall", "Overall bar"]
    assert barred.columns[1] == [52.0, None, 90.0] and barred.columns[2] == [2.0, None, None]


def test_few_boards_are_below_and_in_no_chart():
    """Half of the tables play two boards of twelve only."""
    text = simulate.valet_text(simulate.tournament(12, 8, seed=4), boards_a_round=12)
    lines = [line for at, line in enumerate(text.splitlines()) if line.split("|")[1] in ("1", "2") or at % 8 < 6]
    made = report(Event.of([("x", read_scores("\n".join(lines)))]), "x")
    book = sheets(made)
    for name in ("Ranking N-S", "Ranking E-W"):
        rows = book[name]
        places = column(rows, "Rank")
        assert "" in places and places == [*range(1, places.index("") + 1), *[""] * places.count("")]
        assert [bar == "" for bar in column(rows, "Overall bar")] == [place == "" for place in places]
        assert str(rows[2][0]).startswith(
            "In the order of Overall (at least 6 boards). Those with few boards are listed"
        )
        group = name.removeprefix("Ranking ")
        assert column(book[f"Parts {group}"], "Rank") == places  # all are on the page
    stacked = [text for text in parts(made).values() if '"stacked"' in text and "Parts of the score" in text]
    assert len(stacked) == 2
    for chart in stacked:
        assert f"$B${TOP + 2}:$B${TOP + 1 + places.index('')}" in chart


def test_rankings_name_what_they_are_ordered_by():
    """Players by Declarer, with its own standard error, interval and number; a difference by its name."""
    rows = sheets(report(night(), "x"))["Players"]
    names = [name for name in rows[TOP] if not name.endswith(" bar")]
    assert names[:8] == [
        *("Rank", "Player", "Boards", "Declarer", "Declarer SE", "Declarer Low", "Declarer High", "Declared")
    ]
    assert str(rows[2][0]).startswith("In the order of Declarer (at least 3 boards).")
    rows = sheets(report(night(), "x", order="bid - play"))["Ranking"]
    assert rows[TOP][3:6] == ["Bid - Play", "Bid - Play bar", "Bid - Play SE"]
    assert str(rows[2][0]).startswith("In the order of Bid - Play")
