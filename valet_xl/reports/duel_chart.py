"""Charts as SVG: bars, and lines in steps, with axes and a key; the same bytes each time."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from xml.sax.saxutils import escape

_WIDTH, _HEIGHT = 720, 400
_LEFT, _RIGHT, _TOP, _BOTTOM = 60, 20, 40, 50
_KEY = 380  # from the left: lines that rise leave the lower right corner free
_COLOURS = ("#1F6FB2", "#C2571A", "#3B8A3B", "#7A4FA3")


@dataclass(frozen=True, slots=True)
class Series:
    """What is drawn in one colour: its name in the key, its (n,) places from left to right, and its (n,) heights."""

    name: str
    x: Sequence[float]
    y: Sequence[float]


@dataclass(frozen=True, slots=True)
class Axes:
    """The title, what each axis shows, and the distance between its marks."""

    title: str
    x: str
    y: str
    x_step: float
    y_step: float


def bars(axes: Axes, series: Series) -> str:
    """A bar for each value, from 0."""
    plot = _Plot(axes, [series], margin=0.6)
    half = 0.42 * plot.wide(1)
    shapes = [
        f'<rect x="{plot.across(x) - half:.1f}" y="{plot.down(y):.1f}" width="{2 * half:.1f}" '
        f'height="{plot.down(0) - plot.down(y):.1f}" fill="{_COLOURS[0]}"/>'
        for x, y in zip(series.x, series.y, strict=True)
    ]
    return plot.svg(shapes)


def steps(axes: Axes, every: Sequence[Series]) -> str:
    """A line in steps for each series, each value held up to the next."""
    plot = _Plot(axes, every)
    shapes = []
    for series, colour in zip(every, _COLOURS, strict=False):
        path = [f"M{plot.across(series.x[0]):.1f} {plot.down(series.y[0]):.1f}"]
        path += [f"H{plot.across(x):.1f}V{plot.down(y):.1f}" for x, y in zip(series.x[1:], series.y[1:], strict=True)]
        shapes.append(f'<path d="{"".join(path)}" fill="none" stroke="{colour}" stroke-width="2"/>')
    return plot.svg(shapes)


class _Plot:
    """The field of a chart: where values stand in it, and what is drawn around it."""

    def __init__(self, axes: Axes, every: Sequence[Series], margin: float = 0.0) -> None:
        self.axes = axes
        self.names = [series.name for series in every]
        self.first = min(min(series.x) for series in every) - margin
        self.last = max(max(series.x) for series in every) + margin
        self.low = min(0.0, *(min(series.y) for series in every))
        most = max(max(series.y) for series in every)
        self.high = axes.y_step * -(-most // axes.y_step) or axes.y_step

    def wide(self, span: float) -> float:
        return span / (self.last - self.first) * (_WIDTH - _LEFT - _RIGHT)

    def across(self, x: float) -> float:
        return _LEFT + self.wide(x - self.first)

    def down(self, y: float) -> float:
        return _HEIGHT - _BOTTOM - (y - self.low) / (self.high - self.low) * (_HEIGHT - _TOP - _BOTTOM)

    def svg(self, shapes: Sequence[str]) -> str:
        axes = self.axes
        lines = [
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_WIDTH} {_HEIGHT}" font-family="sans-serif" '
            'font-size="12">',
            f'<rect width="{_WIDTH}" height="{_HEIGHT}" fill="#FFFFFF"/>',
            _text(_WIDTH / 2, 22, axes.title, size=15),
            *self._marks(),
            *shapes,
            _text(_WIDTH / 2, _HEIGHT - 12, axes.x),
            f'<g transform="translate(16 {_HEIGHT / 2:.0f}) rotate(-90)">{_text(0, 0, axes.y)}</g>',
        ]
        if len(self.names) > 1:
            for at, (name, colour) in enumerate(zip(self.names, _COLOURS, strict=False)):
                down = _HEIGHT - _BOTTOM - 18 * (len(self.names) - at)
                lines.append(f'<rect x="{_KEY}" y="{down - 6}" width="18" height="4" fill="{colour}"/>')
                lines.append(_text(_KEY + 26, down, name, anchor="start"))
        return "\n".join([*lines, "</svg>", ""])

    def _marks(self) -> list[str]:
        """Lines and numbers at the marks of both axes."""
        axes, bottom, right = self.axes, _HEIGHT - _BOTTOM, _WIDTH - _RIGHT
        lines = []
        for y in _multiples(self.low, self.high, axes.y_step):
            down = self.down(y)
            lines.append(f'<path d="M{_LEFT} {down:.1f}H{right}" stroke="#DDDDDD"/>')
            lines.append(_text(_LEFT - 8, down + 4, f"{y:g}", anchor="end"))
        for x in _multiples(self.first, self.last, axes.x_step):
            lines.append(f'<path d="M{self.across(x):.1f} {bottom}v5" stroke="#555555"/>')
            lines.append(_text(self.across(x), bottom + 18, f"{x:g}"))
        lines.append(f'<path d="M{_LEFT} {bottom}H{right}" stroke="#555555"/>')
        return lines


def _multiples(low: float, high: float, step: float) -> list[float]:
    return [at * step for at in range(int(-(-low // step)), int(high // step) + 1)]


def _text(x: float, y: float, text: str, size: int = 12, anchor: str = "middle") -> str:
    return f'<text x="{x:.1f}" y="{y:.1f}" font-size="{size}" text-anchor="{anchor}">{escape(text)}</text>'
