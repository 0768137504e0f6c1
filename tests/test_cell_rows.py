"""Cells that become objects when they are asked for are those that a plain list of rows has."""

from __future__ import annotations

import datetime
import io
from pathlib import Path

import pytest
import xlsxwriter
from hypothesis import example, given
from hypothesis import strategies as st

from valet_xl.documents.cell_rows import CellRows
from valet_xl.documents.page import Cell
from valet_xl.documents.xlsx import Workbook
from valet_xl.engine.options import Options
from valet_xl.reading.columns import CodedColumn
from valet_xl.reading.grid import read_grid
from valet_xl.reading.headings import column_of

CELLS = st.one_of(
    st.none(),
    st.integers(-5, 5).map(float),
    st.sampled_from([0.1, -0.25, 1e300, -0.0, 40_000.0, 7.000000000000001]),
    st.sampled_from(["Board", " 3NT", "#1", "1", "", "_x0041_", "1.0"]),
    st.booleans(),
    st.sampled_from([datetime.date(2024, 2, 29), datetime.time(12, 30)]),
)
COLUMN = st.one_of(
    st.lists(CELLS, max_size=6),
    st.lists(st.integers(-3, 400).map(float), max_size=6),
    st.lists(st.sampled_from(["Board", "3NT", "#"]), max_size=6),
)


def page(columns: list[list[Cell]]) -> CellRows:
    """The cells of a workbook with these columns."""
    data = io.BytesIO()
    with xlsxwriter.Workbook(data, {"default_date_format": "yyyy-mm-dd hh:mm"}) as book:
        sheet = book.add_worksheet()
        for at, column in enumerate(columns):
            for row, cell in enumerate(column):
                sheet.write(row, at, cell) if not isinstance(cell, str) else sheet.write_string(row, at, cell)
    cells = Workbook.of(Path("made.xlsx"), data.getvalue()).read("Sheet1").cells
    assert isinstance(cells, CellRows)
    return cells


@given(st.lists(COLUMN, min_size=1, max_size=4), st.integers(0, 3), st.integers(0, 6))
@example([[None, "#a", "a"], [1.0, 2.0, None, 2.0]], 1, 2)
def test_columns_rows_and_widths_are_those_of_a_list(columns: list[list[Cell]], number: int, start: int) -> None:
    cells = page(columns)
    plain = list(cells)
    assert cells == plain
    assert len(cells) == len(plain)
    assert [cells[at] for at in range(len(cells))] == plain
    rows = range(min(start, len(plain)), len(plain))
    places = ((row, at) for row in rows for at in range(number, len(plain[row])) if plain[row][at] is not None)
    assert cells.first_in(rows, range(number, 9)) == next(places, None)
    column = [plain[at][number] if number < len(plain[at]) else None for at in rows]
    assert [(type(cell), cell) for cell in cells.column(number, rows)] == [(type(cell), cell) for cell in column]
    found, expected = column_of(cells, rows, number), CodedColumn.of(column)
    assert [found.texts[at] for at in found.index.tolist()] == [expected.texts[at] for at in expected.index.tolist()]
    assert found.texts == expected.texts
    used = [at + 1 for row in rows for at, cell in enumerate(plain[row]) if cell not in (None, "")]
    assert cells.width(rows) == max(used, default=0)
    marked = [at for at, row in enumerate(plain) if isinstance(row[0], str) and row[0].startswith("#")]
    assert cells.starting_with("#").tolist() == marked


def test_reading_a_large_sheet_makes_objects_of_few_rows(monkeypatch: pytest.MonkeyPatch) -> None:
    head: list[Cell] = ["Board", "Contract", "By", "Tricks"]
    columns = [[name, *(value for _ in range(3_000))] for name, value in zip(head, [1.0, "3NT", "N", 9.0], strict=True)]
    cells = page(columns)
    groups: list[int] = []
    made = CellRows._group
    monkeypatch.setattr(CellRows, "_group", lambda self, group: groups.append(group) or made(self, group))
    assert len(read_grid(cells, Options()).results) == 3_000
    assert set(groups) <= {0, len(cells) // 256}
