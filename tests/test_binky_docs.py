"""docs/explanation/binky.md: its tables and its plot are what the shipped coefficients give."""

from __future__ import annotations

import importlib.util
from pathlib import Path
from types import ModuleType

import numpy as np
import pytest
from drawings import assert_same_chart
from matplotlib.figure import Figure

from valet_xl.binky.deals import read_deals
from valet_xl.binky.fit_pairs import pairs_of
from valet_xl.binky.points import KINDS
from valet_xl.binky.quality import Bin, calibration

DOCS = Path(__file__).parents[1] / "docs"


@pytest.fixture(scope="module")
def make() -> ModuleType:
    """docs/make_binky.py, which is no part of the package."""
    spec = importlib.util.spec_from_file_location("make_binky", DOCS / "make_binky.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_tables_of_values_are_up_to_date(make: ModuleType) -> None:
    page = (DOCS / "explanation" / "binky.md").read_text(encoding="utf-8")
    again = make.put(page, "values", make.values_table())
    again = make.put(again, "ways", make.ways_table())
    again = make.put(again, "alone", make.alone_table())
    assert make.put(again, "made", make.made_table()) == page


@pytest.mark.slow
def test_tables_of_unseen_deals_are_up_to_date(make: ModuleType, shared: Path) -> None:
    page = (DOCS / "explanation" / "binky.md").read_text(encoding="utf-8")
    pairs = pairs_of(read_deals(shared / "data" / "dd" / "deals.npz"))
    again = make.put(page, "unseen", make.unseen_table(pairs))
    again = make.put(again, "chances", make.chances_table(pairs))
    again = make.put(again, "strengths", make.strengths_table(pairs))
    assert make.put(again, "models", make.models_table(pairs)) == page
    bins = {name: calibration(make.shipped(), pairs, kind) for kind, name in enumerate(KINDS)}
    plot = make.PLOT.read_text(encoding="utf-8")
    assert_same_chart(plot, make.plot(bins))
    assert len(plot) < 60_000


def test_the_plot_shows_every_bin(make: ModuleType) -> None:
    """A line from 0 to 100 %, and a point for each bin of each kind, in per cent."""
    bins = {name: [Bin(10, 0.2, 0.1 * kind), Bin(10, 0.9, 0.85)] for kind, name in enumerate(KINDS)}
    axes = Figure().add_subplot()
    make.draw(axes, bins)
    assert [line.get_label() for line in axes.lines] == ["as predicted", *KINDS]
    assert axes.lines[1].get_xydata() == pytest.approx(np.array([[20, 0], [90, 85]]))
    assert axes.lines[3].get_xydata() == pytest.approx(np.array([[20, 20], [90, 85]]))
    assert axes.get_xlabel() == "predicted chance (%)"
    assert axes.get_ylabel() == "how often it came true (%)"
