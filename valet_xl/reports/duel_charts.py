"""The charts of a study of duels: one deal's results, and scales for a duel."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

import numpy as np

from valet_xl.messages import counted
from valet_xl.reports.duels import Studies, Study
from valet_xl.reports.plots import COLOURS, INK, drawn

if TYPE_CHECKING:
    from matplotlib.axes import Axes

CHARTS = ("duel-deal.svg", "duel-scale.svg", "duel-matchpoints.svg")
BALANCE = {
    "IMPs": "IMPs won minus IMPs lost",
    "per cent": "per cent above 50, added up",
    "boards": "boards won minus boards lost",
}
SCORED = {"IMPs": "IMPs", "per cent": "matchpoints", "boards": "board-a-match"}


def draw_charts(studies: Studies) -> dict[str, str]:
    """Draw the charts: one deal in IMPs, and the scales for duels in IMPs and at matchpoints.

    Returns
    -------
    the text of an SVG file for each name of CHARTS

    Raises
    ------
    ValetError : if matplotlib is not installed
    """
    drawings = (
        partial(draw_deal, study=studies.of["butler"]),
        partial(draw_scales, study=studies.of["butler"]),
        partial(draw_scales, study=studies.of["matchpoints"]),
    )
    return {name: drawn(drawing) for name, drawing in zip(CHARTS, drawings, strict=True)}


def draw_deal(axes: Axes, study: Study) -> None:
    """Draw how likely each result of one deal is, as bars."""
    one, unit = study.one, study.way.unit
    axes.bar(one.balances, 100 * one.share, width=0.84 * one.step, color=COLOURS[0])
    axes.set_title(f"One deal of a duel, {counted(one.boards, 'board')}: standard deviation {one.sd:.2f} {unit}")
    axes.set_xlabel(f"result of one deal ({unit})")
    axes.set_ylabel("share of all results (%)")
    axes.margins(x=0.01)
    axes.grid(axis="y")


def draw_scales(axes: Axes, study: Study) -> None:
    """Draw the winners' points at each balance, as a line in steps for each scale."""
    scales, unit = study.scales(), study.way.unit
    edges = (
        np.append(scales.balance, len(scales.balance)) - 0.5
    )  # a step is as wide as its balance, with it in the middle
    for sd, points, colour in zip(scales.sds, scales.sections, COLOURS, strict=False):
        name = f"sections of equal probability, SD {sd:.2f} {unit} per deal"
        axes.stairs(points, edges, baseline=None, color=colour, linewidth=2, label=name)
    # Dashed and on top, as one of the others is nearly the same.
    axes.stairs(scales.formula, edges, baseline=None, color=INK, linewidth=2, linestyle="--", label="Pikier's formula")
    axes.set_title(
        f"A scale of {counted(study.points, 'point')} for duels of {counted(study.deals, 'deal')} at {SCORED[unit]}"
    )
    axes.set_xlabel(f"winners' balance ({BALANCE[unit]})")
    axes.set_ylabel(f"winners' points (of {study.points})")
    axes.set_xlim(edges[0], edges[-1])
    axes.set_ylim(0, study.points * 1.03)
    axes.locator_params(nbins=12, steps=[1, 2, 5, 10])
    axes.grid(axis="y")
    axes.legend(loc="lower right", title="SD: standard deviation")
