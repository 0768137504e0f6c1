"""Columns of cells as CSV: the same bytes as Python's own writer gives cell by cell."""

from __future__ import annotations

import csv
import io
import math
from collections.abc import Sequence

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from valet_xl.documents import csv_columns
from valet_xl.documents.csv_columns import csv_lines

_TEXTS = st.text(st.characters(exclude_categories=("Cs",)), max_size=8) | st.sampled_from(['"', ",", "a\nb", "\r", "é"])
_NUMBERS = (
    st.floats()
    | st.floats(-2e6, 2e6)
    | st.integers(-(10**13), 10**13).map(lambda millionths: millionths / 1e6)
    | st.integers(-(10**13), 10**13).map(lambda halves: (halves + 0.5) / 1e6)  # where rounding is decided
)
_CELLS = (
    st.lists(st.none() | _NUMBERS, min_size=6, max_size=6),
    st.lists(st.none() | _TEXTS, min_size=6, max_size=6),
    st.lists(st.none() | st.integers(), min_size=6, max_size=6),
    st.lists(st.none() | _TEXTS | _NUMBERS | st.booleans(), min_size=6, max_size=6),
)


def cell_by_cell(columns: Sequence[Sequence[object]]) -> bytes:
    """The lines as Python's writer gives them."""

    def text(cell: object) -> object:
        if not isinstance(cell, float):
            return "" if cell is None else str(cell)
        shown = f"{cell:.6f}"
        return shown[1:] if shown == "-0.000000" else shown

    out = io.StringIO(newline="")
    csv.writer(out, lineterminator="\r\n").writerows([text(cell) for cell in row] for row in zip(*columns, strict=True))
    return out.getvalue().encode()


@given(st.lists(st.one_of(_CELLS), min_size=1, max_size=4))
@example([[0.0000005, 0.0000015, -0.0000005, 999999.9999995, 1e6, -1e300]] * 2)
@example([[math.nan, math.inf, -0.0, 0.1 + 0.2, 2.675, 1e-300]] * 2)
@example([["\0", "a\0", "", "b", "c", "d"], [None] * 6])
@example([[None] * 6])
def test_columns_are_written_as_pythons_writer_writes_cells(columns: list[list[object]]) -> None:
    """Numbers, texts with quotes, blanks and what is mixed."""
    assert csv_lines(columns) == cell_by_cell(columns)


def test_columns_without_rows_are_no_lines() -> None:
    """A table of headings alone."""
    assert csv_lines([[], []]) == b""


def test_a_text_too_wide_to_be_laid_out_is_written_too(monkeypatch: pytest.MonkeyPatch) -> None:
    """One long cell must not take its length times the rows."""
    monkeypatch.setattr(csv_columns, "_WIDEST", 20)
    columns = [["a" * 30, "b"], [1.5, None]]
    assert csv_lines(columns) == cell_by_cell(columns)
