"""CSV files without quotes: cells that become objects only when asked for are those that the csv module gives."""

from __future__ import annotations

import csv
import io

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from valet_xl.engine.options import Options
from valet_xl.errors import ValetError
from valet_xl.reading import csv_file
from valet_xl.reading.columns import CodedColumn
from valet_xl.reading.csv_file import CsvFile
from valet_xl.reading.delimited import DelimitedText
from valet_xl.reading.grid import read_grid
from valet_xl.reading.text_grid import TextGrid

CELLS = ["", "", " ", "a", "a ", "b", "9.0", "9,0", "é", "日本", "\x0b", "\u2028", "#x", "long enough a cell"]
ENDS = ["\n", "\n", "\r\n", "\r"]
TEXTS = st.lists(st.sampled_from([*CELLS, *[","] * 12, *ENDS * 2]), max_size=60).map("".join)


def by_csv(text: str) -> list[list[str | None]]:
    return [[cell or None for cell in row] for row in csv.reader(io.StringIO(text, newline=""), strict=True)]


@given(TEXTS, st.integers(0, 5), st.integers(0, 5))
@example("", 0, 0)
@example("a,b\n\n,\nc", 0, 4)
def test_a_grid_of_text_is_that_of_the_csv_module(text: str, start: int, stop: int) -> None:
    wanted = by_csv(text)
    grid = csv_file._rows(text.encode(), ",")[0]
    assert isinstance(grid, TextGrid)
    assert list(grid) == wanted and grid[1:3] == wanted[1:3] and len(grid) == len(wanted)
    assert grid.texts() == {cell for row in wanted for cell in row if cell}
    assert grid.starting_with("#").tolist() == [
        at for at, row in enumerate(wanted) if row and (row[0] or "").startswith("#")
    ]
    rows = range(min(start, len(wanted)), min(max(start, stop), len(wanted)))
    widths = (max((at + 1 for at, cell in enumerate(wanted[row]) if cell), default=0) for row in rows)
    assert grid.width(rows) == max(widths, default=0)
    instead = {"9.0": "9"}
    for number in range(4):
        cells = [wanted[row][number] if number < len(wanted[row]) else None for row in rows]
        column = grid.reading(instead).column(number, rows)
        plain = CodedColumn.of([instead.get(cell, cell).strip() or None if cell else None for cell in cells])
        assert [column.texts[at] for at in column.index] == [plain.texts[at] for at in plain.index]
        assert (column.texts, column.index.tolist()) == (plain.texts, plain.index.tolist())


def said(text: str) -> object:
    """What is read of a CSV file: its cells, delimiter and results, or the error."""
    try:
        file = CsvFile.parse(text.encode())
        results = read_grid(file.read, Options()).results
    except ValetError as error:
        return type(error), str(error)
    cells = [list(row) for row in file.grid], [list(row) for row in file.read]
    return (
        cells,
        file.delimiter,
        results.score.tolist(),
        results.errors,
        results.boards,
        results.names,
        results.row.tolist(),
    )


HEADINGS = ["Board", "Contract", "By", "Tricks", "N", "S", "Lead", "Note"]
LINES = st.lists(
    st.sampled_from(["1", "2", "4S", "3NTX", "N", "E", "10", "9.0", "HA", "8H", "", "a", "# b", "Board"]), max_size=9
)


@given(
    st.permutations(HEADINGS),
    st.lists(LINES, max_size=6),
    st.sampled_from(",;\t|"),
    st.sampled_from(["", "Title\n", ";,\n"]),
)
def test_a_file_without_quotes_is_read_as_one_with_quotes(
    headings: list[str], rows: list[list[str]], delimiter: str, title: str
) -> None:
    """The csv module reads files with quotes; both ways give the same cells, results and errors."""
    text = title + "\n".join(delimiter.join(row) for row in (headings, *rows))
    found = said(text)
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(DelimitedText, "has_cell_above", lambda *_: True)  # so that the csv module reads it
        wanted = said(text)
    assert repr(found) == repr(wanted)
