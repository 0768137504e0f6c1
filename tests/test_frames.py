"""DataFrames of pandas and of polars: read, scored and ranked as the same cells of a sheet are."""

from __future__ import annotations

import datetime
from types import ModuleType
from typing import Any

import numpy as np
import pytest

import valet_xl
from valet_xl import ArgumentError, Options, SheetError, frame_results, rank_frame, score_frame
from valet_xl.engine.score_results import layout
from valet_xl.rankings.event import Event
from valet_xl.rankings.ranking import rank
from valet_xl.reading.grid import read_grid
from valet_xl.sheets.score_sheet import score_grid

NAMES = ["Board", "Date", "Contract", "By", "Lead", "Tricks", "NS", "EW"]
DAY = datetime.date(2026, 1, 31)
ROWS: list[list[Any]] = [
    [1, DAY, "3NT", "N", "SQ", 9, "a", "b"],
    [1, DAY, "3NT", "S", None, 8, "c", "d"],
    [1, DAY, "Pass", None, None, None, "e", "f"],
    [2, DAY, "4S", "E", "H2", 10, "a", "d"],
    [2, DAY, "4S", "E", "D2", 11, "c", "f"],
    [2, DAY, "4Sx", "W", "D2", 9, "e", "b"],
]


@pytest.fixture(params=["pandas", "polars"])
def library(request: pytest.FixtureRequest) -> ModuleType:
    """A library of DataFrames; the extra test installs both."""
    pytest.importorskip("narwhals")
    return pytest.importorskip(request.param)


def frame(library: ModuleType, rows: list[list[Any]] = ROWS) -> Any:
    return library.DataFrame({name: [row[at] for row in rows] for at, name in enumerate(NAMES)})


def columns(of: Any) -> dict[str, list[Any]]:
    """The cells, None for null and NaN."""
    cells = {name: of[name].to_list() for name in of.columns}
    return {name: [None if str(cell) in ("None", "nan") else cell for cell in column] for name, column in cells.items()}


def test_a_frame_is_read_as_a_sheet(library: ModuleType) -> None:
    read, sheet = frame_results(frame(library)), read_grid([NAMES, *ROWS], Options()).results
    for name in ("status", "board", "level", "strain", "declarer", "tricks", "lead_suit", "score", "sides", "row"):
        np.testing.assert_array_equal(getattr(read, name), getattr(sheet, name), name)
    assert read.names == sheet.names and read.boards == sheet.boards


def test_a_scored_frame_has_the_columns_of_a_scored_sheet(library: ModuleType) -> None:
    """It is of the same library, with its own columns as they were; scored again it is the same."""
    given = frame(library)
    scored = score_frame(given)
    assert type(scored) is type(given)
    assert list(scored.columns) == [*NAMES, *layout("iaf", cloud=False)]
    assert list(given.columns) == NAMES
    block = score_grid([NAMES, *ROWS], Options()).block
    found = columns(scored)
    for column in block.columns:
        assert found[column.name] == column.cells
    assert found["Board"] == [row[0] for row in ROWS]
    again = score_frame(score_frame(scored, Options(cloud=True, method="matchpoints")))
    assert columns(again) == found and list(again.columns) == list(scored.columns)


def test_whole_numbers_stay_whole(library: ModuleType) -> None:
    assert "int" in str(score_frame(frame(library))["Score"].dtype).lower()


def test_what_is_wrong_is_said_in_the_row(library: ModuleType) -> None:
    rows = [*ROWS, [3, DAY, "8H", "S", None, 10, "a", "f"]]
    assert columns(score_frame(frame(library, rows)))["Note"][-1] == "Contract: '8H' (level must be 1-7)"
    assert str(frame_results(frame(library, rows)).errors[0]).startswith("row 8, Contract")


def test_a_ranking_is_a_frame(library: ModuleType) -> None:
    given = frame(library)
    ranked = rank_frame(given, Options(cloud=True), order="Bid")
    assert type(ranked) is type(given)
    results = read_grid([NAMES, *ROWS], Options()).results
    listing = rank(Event.of([("", results)], Options(cloud=True)).totals, who="pairs", order="Bid").listing
    assert columns(ranked) == dict(zip(listing.names, listing.columns, strict=True))
    assert len(rank_frame(given)) == 6


def test_what_cannot_be_used_is_said() -> None:
    pytest.importorskip("narwhals")
    for given in ([1, 2], {"Board": [1]}, None):
        with pytest.raises(ArgumentError, match="a DataFrame of pandas or polars was expected, got "):
            score_frame(given)
    pandas = pytest.importorskip("pandas")
    with pytest.raises(ArgumentError, match="must be texts"):
        score_frame(pandas.DataFrame([[1, 2]]))
    with pytest.raises(SheetError, match="no heading row"):
        score_frame(pandas.DataFrame({"a": [1]}))
    with pytest.raises(ArgumentError, match="LazyFrame"):
        score_frame(pytest.importorskip("polars").DataFrame({"a": [1]}).lazy())


def test_results_are_shown_in_a_line() -> None:
    """In an interpreter, instead of all their numbers."""
    results = read_grid([NAMES, *ROWS, [3, DAY, "8H", "S", None, 10, "a", "f"]], Options()).results
    assert repr(results) == "<7 results on 3 boards, 6 names, 1 error>"
    assert repr(valet_xl.valet(results)) == "<components of 7 results, 6 of them with a score>"
    assert repr(valet_xl.totals(results)) == "<totals of 6 results on 2 boards>"
    assert repr(valet_xl.strengths(results)).startswith("<strengths of ")


def test_public_names_are_those_that_are_listed() -> None:
    """Each is found without having been loaded before, and is of the module that the type checker looks into."""
    source = valet_xl.__spec__.loader.get_source("valet_xl")  # type: ignore[union-attr]
    for name in valet_xl.__all__:
        value = getattr(valet_xl, name)
        if name != "__version__":
            assert f"from {value.__module__} import" in source, name
    assert set(valet_xl.__all__) <= set(dir(valet_xl))
    with pytest.raises(AttributeError, match="no attribute 'scores'"):
        valet_xl.scores  # noqa: B018
