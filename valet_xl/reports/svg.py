"""Charts as SVG inside of a page, whose style gives them their colours: they need no library and no script."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from valet_xl.engine.arrays import Floats
from valet_xl.engine.normal import Z_95
from valet_xl.messages import counted
from valet_xl.rankings.explanation import Explanation
from valet_xl.rankings.listing import shown
from valet_xl.reports.charts import axis_limits
from valet_xl.reports.html import escape
from valet_xl.reports.sheet_names import cut, units

WIDE = 860  # pixels of a chart
_NAMES = 280  # for names on the left
_LETTERS = 38  # of such a name
_RIGHT, _TOP, _BOTTOM, _ROW = 60, 14, 40, 26


def waterfall(made: Explanation) -> str:
    """What an average is made of: each bar begins where the one above it ends, the last is the average."""
    ends = np.concatenate([[0.0], np.cumsum([step.brings for step in made.steps])])
    spans = [
        *((step.name, ends[at], ends[at + 1], step.error) for at, step in enumerate(made.steps)),
        ("Overall", 0.0, made.figure - made.middle, made.error),
    ]
    low = min(min(start, stop - np.nan_to_num(error)) for _, start, stop, error in spans)
    high = max(max(start, stop + np.nan_to_num(error)) for _, start, stop, error in spans)
    rows = _Rows(len(spans), (float(low), float(high)), f"{made.unit} per board above average")
    for at, (name, start, stop, error) in enumerate(spans):
        top = rows.top(at)
        left, right = sorted((rows.x(start), rows.x(stop)))
        rows.label(at, name)
        looks = "gain" if stop >= start else "loss"
        rows.bar(at, left, max(right, left + 1), looks)
        if at + 1 < len(spans) - 1:
            rows.add(f'<path class="axis" d="M{rows.x(stop):.1f} {top + _ROW - 4:.1f}v8"/>')
        rows.error(at, stop, error)
        rows.value(at, max(right, rows.x(stop + np.nan_to_num(error))), shown(float(stop - start), "+0.00"))
    return rows.drawn(f"What the average of {made.name} is made of, step by step; the table has the figures")


def running(made: Explanation) -> str:
    """What the boards so far have brought, and how far chance alone takes an average pair in 95 of 100 cases."""
    if not len(made.running):
        return ""
    boards = np.arange(len(made.running) + 1)
    sums = np.concatenate([[0.0], made.running])
    reach = np.nan_to_num(Z_95 * made.error * np.sqrt(len(made.running) * boards))
    plot = Plot(
        (0.0, float(boards[-1])),
        (float(min(sums.min(), -reach.max())), float(max(sums.max(), reach.max()))),
        "boards",
        f"{made.unit} above average, added up",
    )
    outline = [*zip(boards, reach, strict=True), *zip(boards[::-1], -reach[::-1], strict=True)]
    plot.add(f'<path class="funnel" d="{plot.path(outline)}Z"/>')
    plot.add(f'<path class="line" d="{plot.path(list(zip(boards, sums, strict=True)))}"/>')
    last = made.running[-1]
    after = counted(len(made.running), "board")
    return plot.drawn(f"{made.name}, board by board: {shown(float(last), '+0.0')} {made.unit} after {after}")


def stacked(names: Sequence[str], parts: dict[str, tuple[str, Floats]], unit: str, title: str) -> str:
    """Bars of parts next to each other, those under 0 to the left.

    Parameters
    ----------
    names : (m,) of the bars
    parts : by name the looks, such as "bid", and (m,) the figures
    """
    table = np.array([values for _, values in parts.values()]).reshape(len(parts), len(names))
    low, high = (np.where(table * sign > 0, table, 0).sum(axis=0) for sign in (-1, 1))
    rows = _Rows(
        len(names),
        (float(low.min(initial=0)), float(high.max(initial=0))),
        f"{unit} per board",
        legend=list(parts.items()),
    )
    for at, name in enumerate(names):
        rows.label(at, name)
        ends = [0.0, 0.0]
        for (looks, _), value in zip(parts.values(), table[:, at].tolist(), strict=True):
            side = int(value > 0)
            left, right = sorted((rows.x(ends[side]), rows.x(ends[side] + value)))
            ends[side] += value
            rows.bar(at, left, right, looks)
    return rows.drawn(title)


def intervals(names: Sequence[str], values: Floats, low: Floats, high: Floats, unit: str, title: str) -> str:
    """A dot for each name, with its interval."""
    rows = _Rows(len(names), (float(np.nanmin(low)), float(np.nanmax(high))), unit)
    for at, name in enumerate(names):
        rows.label(at, name)
        middle = rows.top(at) + _ROW / 2
        rows.add(f'<path class="error" d="M{rows.x(low[at]):.1f} {middle:.1f}H{rows.x(high[at]):.1f}"/>')
        rows.add(f'<circle class="dot" cx="{rows.x(values[at]):.1f}" cy="{middle:.1f}" r="5"/>')
    return rows.drawn(title)


def scatter(
    x: Floats,
    y: Floats,
    errors: tuple[Floats, Floats],
    labels: Sequence[str],
    sides: Sequence[str],
    axes: tuple[str, str],
    title: str,
) -> str:
    """Dots, the first of them with their names and a standard error each way.

    Parameters
    ----------
    x, y, errors : (m,) of the dots
    labels, sides : the names of the first ones, and on which side of its dot each is
    axes : what is on them
    """
    first = len(labels)
    reach = [np.where(np.arange(len(x)) < first, np.nan_to_num(each), 0) for each in errors]
    ends = [
        (float((each - error).min()), float((each + error).max())) for each, error in zip((x, y), reach, strict=True)
    ]
    plot = Plot(ends[0], ends[1], *axes, high=620)
    for at in range(len(x) - 1, -1, -1):
        left, top = plot.at(float(x[at]), float(y[at]))
        if at < first:
            (x_low, y_low), (x_high, y_high) = (
                plot.at(float(x[at] - reach[0][at]), float(y[at] - reach[1][at])),
                plot.at(float(x[at] + reach[0][at]), float(y[at] + reach[1][at])),
            )
            plot.add(
                f'<path class="error" d="M{x_low:.1f} {top:.1f}H{x_high:.1f}M{left:.1f} {y_low:.1f}V{y_high:.1f}"/>'
            )
        looks, radius = ("dot", 5) if at < first else ("others", 3)
        plot.add(f'<circle class="{looks}" cx="{left:.1f}" cy="{top:.1f}" r="{radius}"/>')
    for at, (label, side) in enumerate(zip(labels, sides, strict=True)):
        left, top = plot.at(float(x[at]), float(y[at]))
        dx, dy, anchor = {
            "right": (8, 4, "start"),
            "left": (-8, 4, "end"),
            "above": (0, -9, "middle"),
            "below": (0, 17, "middle"),
        }[side]
        plot.add(f'<text x="{left + dx:.1f}" y="{top + dy:.1f}" text-anchor="{anchor}">{escape(label)}</text>')
    return plot.drawn(title)


class Plot:
    """The inside of a chart with two axes.

    x, y : what is on them, from and to
    x_says, y_says : what they are
    """

    def __init__(
        self, x: tuple[float, float], y: tuple[float, float], x_says: str, y_says: str, high: int = 300
    ) -> None:
        self._x, self._y = axis_limits(*x), axis_limits(*y)
        self._left, self._wide, self._high = 70, WIDE - 70 - _RIGHT, high
        self._out: list[str] = []
        for axis, down in ((self._x, False), (self._y, True)):
            for mark in _marks(axis):
                across, along = self.at(self._x[0] if down else mark, mark if down else self._y[0])
                looks = "axis" if mark == 0 else "grid"
                text = _mark(mark, axis[2])
                if down:
                    self.add(f'<path class="{looks}" d="M{across:.1f} {along:.1f}h{self._wide}"/>')
                    self.add(f'<text x="{across - 6:.1f}" y="{along + 4:.1f}" text-anchor="end">{text}</text>')
                else:
                    self.add(f'<path class="{looks}" d="M{across:.1f} {along:.1f}v{-high}"/>')
                    self.add(f'<text x="{across:.1f}" y="{along + 17:.1f}" text-anchor="middle">{text}</text>')
        self.add(
            f'<text x="{self._left + self._wide / 2:.1f}" y="{_TOP + high + 36}" '
            f'text-anchor="middle">{escape(x_says)}</text>'
        )
        self.add(
            f'<text transform="translate(14 {_TOP + high / 2:.1f}) rotate(-90)" '
            f'text-anchor="middle">{escape(y_says)}</text>'
        )

    def add(self, element: str) -> None:
        """Draw something on top."""
        self._out.append(element)

    def at(self, x: float, y: float) -> tuple[float, float]:
        """The pixel of a point."""
        (left, right, _), (low, high, _) = self._x, self._y
        return (
            self._left + self._wide * (x - left) / (right - left),
            _TOP + self._high * (high - y) / (high - low),
        )

    def path(self, points: Sequence[tuple[float, float]]) -> str:
        """A line through points."""
        return "M" + "L".join("{:.1f} {:.1f}".format(*self.at(float(x), float(y))) for x, y in points)

    def drawn(self, title: str) -> str:
        """The whole chart."""
        return _svg(_TOP + self._high + 44, title, self._out)


class _Rows:
    """A chart with a row for each name, and one axis.

    rows, limits, says : how many there are, what the axis contains, and what is on it
    legend : the names of colours, each with its looks
    """

    def __init__(
        self, rows: int, limits: tuple[float, float], says: str, legend: Sequence[tuple[str, tuple[str, Floats]]] = ()
    ) -> None:
        self._rows, self._axis = rows, axis_limits(min(limits[0], 0.0), max(limits[1], 0.0))
        self._over = _TOP + (24 if legend else 0)
        self._out: list[str] = []
        bottom = self.top(rows)
        for mark in _marks(self._axis):
            at = self.x(mark)
            self.add(f'<path class="{"axis" if mark == 0 else "grid"}" d="M{at:.1f} {self._over}V{bottom}"/>')
            self.add(f'<text x="{at:.1f}" y="{bottom + 16}" text-anchor="middle">{_mark(mark, self._axis[2])}</text>')
        self.add(
            f'<text x="{(_NAMES + WIDE - _RIGHT) / 2:.1f}" y="{bottom + 34}" text-anchor="middle">{escape(says)}</text>'
        )
        for number, (name, (looks, _)) in enumerate(legend):
            left = _NAMES + 140 * number
            self.add(f'<rect class="bar {looks}" x="{left}" y="8" width="14" height="14"/>')
            self.add(f'<text x="{left + 20}" y="20">{escape(name)}</text>')

    def add(self, element: str) -> None:
        """Draw something on top."""
        self._out.append(element)

    def x(self, value: float) -> float:
        """Where a figure is, in pixels from the left."""
        low, high, _ = self._axis
        return float(_NAMES + (WIDE - _NAMES - _RIGHT) * (value - low) / (high - low))

    def top(self, row: int) -> int:
        """Where a row begins, in pixels from the top."""
        return self._over + _ROW * row

    def label(self, row: int, name: str) -> None:
        """The name of a row."""
        short = name if units(name) <= _LETTERS else f"{cut(name, _LETTERS - 1)}…"
        self.add(f'<text x="{_NAMES - 8}" y="{self.top(row) + 17}" text-anchor="end">{escape(short)}</text>')

    def bar(self, row: int, left: float, right: float, looks: str) -> None:
        """A bar between two places, in pixels from the left."""
        place = f'x="{left:.1f}" y="{self.top(row) + 4}" width="{right - left:.1f}" height="{_ROW - 8}"'
        self.add(f'<rect class="bar {looks}" {place}/>')

    def error(self, row: int, value: float, error: float) -> None:
        """A standard error each way."""
        if not np.isnan(error):
            middle = self.top(row) + _ROW / 2
            self.add(f'<path class="error" d="M{self.x(value - error):.1f} {middle:.1f}H{self.x(value + error):.1f}"/>')

    def value(self, row: int, left: float, text: str) -> None:
        """A figure right of what is drawn."""
        self.add(f'<text x="{left + 6:.1f}" y="{self.top(row) + 17}">{escape(text)}</text>')

    def drawn(self, title: str) -> str:
        """The whole chart."""
        return _svg(self.top(self._rows) + _BOTTOM, title, self._out)


def _svg(high: float, title: str, elements: Sequence[str]) -> str:
    return (
        f'<svg viewBox="0 0 {WIDE} {high:.0f}" width="{WIDE}" height="{high:.0f}" '
        f'role="img" aria-label="{escape(title)}">'
        f"{''.join(elements)}</svg>"
    )


def _marks(axis: tuple[float, float, float]) -> list[float]:
    low, high, step = axis
    return [round(low + step * at, 12) + 0.0 for at in range(round((high - low) / step) + 1)]


def _mark(value: float, step: float) -> str:
    decimals = max(0, int(np.ceil(-np.log10(step) - 1e-9)))
    return f"{value:.{decimals}f}"
