"""docs/binky.md: its tables and its plot are what the shipped coefficients give."""

from __future__ import annotations

import importlib.util
from pathlib import Path
from types import ModuleType

import pytest

from valet_xl.binky.deals import read_deals
from valet_xl.binky.pairs import pairs_of
from valet_xl.binky.points import KINDS
from valet_xl.binky.quality import calibration

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
    page = (DOCS / "binky.md").read_text(encoding="utf-8")
    again = make.put(page, "values", make.values_table())
    assert make.put(again, "made", make.made_table()) == page


def test_tables_of_unseen_deals_are_up_to_date(make: ModuleType, shared: Path) -> None:
    page = (DOCS / "binky.md").read_text(encoding="utf-8")
    pairs = pairs_of(read_deals(shared / "data" / "dd" / "deals.npz"))
    again = make.put(page, "unseen", make.unseen_table(pairs))
    assert make.put(again, "chances", make.chances_table(pairs)) == page
    bins = {name: calibration(make.shipped(), pairs, kind) for kind, name in enumerate(KINDS)}
    plot = make.PLOT.read_text(encoding="utf-8")
    assert plot == make.plot(bins)
    assert len(plot) < 60_000
