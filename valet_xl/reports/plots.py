"""Charts as SVG, drawn with matplotlib: one version of it gives the same bytes each time."""

from __future__ import annotations

import io
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from valet_xl.errors import ValetError
from valet_xl.messages import to_install

if TYPE_CHECKING:
    from matplotlib.axes import Axes

EXTRA = "charts"  # what installs matplotlib
COLOURS = ("#1F6FB2", "#C2571A", "#3B8A3B", "#7A4FA3")
INK, GREY, GRID = "#222222", "#777777", "#DDDDDD"
SIZE = (7.2, 4.2)  # inches
_LEFT, _RIGHT, _BOTTOM, _TOP = 0.65, 0.25, 0.55, 0.45  # inches around the axes: fixed, so that no font moves them

# Texts stay texts, in a font that the reader has. DejaVu Sans comes with matplotlib, which measures with it.
_LOOKS = {
    "svg.fonttype": "none",
    "svg.hashsalt": "valet_xl",
    "font.family": "sans-serif",
    "font.sans-serif": ["DejaVu Sans"],
    "font.size": 10,
    "text.color": INK,
    "axes.titlesize": 12,
    "axes.edgecolor": GREY,
    "axes.labelcolor": INK,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.axisbelow": True,
    "xtick.color": GREY,
    "ytick.color": GREY,
    "xtick.labelcolor": INK,
    "ytick.labelcolor": INK,
    "grid.color": GRID,
    "legend.edgecolor": "none",
    "legend.framealpha": 1,
    "path.simplify": False,
}


def drawn(fill: Callable[[Axes], None], size: tuple[float, float] = SIZE) -> str:
    """Draw one chart.

    Parameters
    ----------
    fill : draws into empty axes
    size : width and height in inches

    Returns
    -------
    the SVG file's text

    Raises
    ------
    ValetError : if matplotlib is not installed
    """
    matplotlib, figure = need_matplotlib()
    out = io.StringIO()
    with matplotlib.rc_context():
        matplotlib.rcdefaults()  # a reader's own matplotlibrc changes nothing
        matplotlib.rcParams.update(_LOOKS)
        wide, high = size
        chart = figure.Figure(figsize=size)
        place = (_LEFT / wide, _BOTTOM / high, 1 - (_LEFT + _RIGHT) / wide, 1 - (_BOTTOM + _TOP) / high)
        fill(chart.add_axes(place))
        chart.savefig(out, format="svg", metadata={"Date": None})
    return "\n".join(line.rstrip() for line in out.getvalue().splitlines()) + "\n"


def need_matplotlib() -> tuple[Any, Any]:
    """Load matplotlib and its module of figures.

    Raises
    ------
    ValetError : if it is not installed
    """
    try:
        import matplotlib  # noqa: PLC0415 - an extra, and slow to load
        from matplotlib import figure  # noqa: PLC0415
    except ImportError as error:
        raise ValetError(f"charts need a further package (install it with: {to_install(EXTRA)})") from error
    return matplotlib, figure
