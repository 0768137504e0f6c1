"""Delimited text split by its bytes: the lines and cells that Python's own splitting gives."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from valet_xl.reading import delimited
from valet_xl.reading.columns import CodedColumn
from valet_xl.reading.delimited import DelimitedText, stripped, with_line_feeds

ENDS = ["\n", "\r\n", "\r", "\v", "\f", "\x1c", "\x1d", "\x1e", "\x85", "\u2028", "\u2029"]
LETTERS = ["a", "b", "|", "|", " ", "\t", "\0", "#", "\u00e9", "\u00a0", "\u65e5", "\U0001f600", "\ud800"]
TEXTS = st.lists(st.sampled_from(LETTERS * 4 + ENDS), max_size=80).map("".join)


def split(lines: list[str], width: int) -> list[CodedColumn]:
    """The columns, by Python's own splitting."""
    rows = [(line.split("|") + [""] * width)[:width] for line in lines]
    return [CodedColumn.of([cell.strip() for cell in cells]) for cells in zip(*rows, strict=True)]


@given(TEXTS, st.integers(1, 4))
@example("", 2)
@example("a|\0|b\na||b", 3)
@example("a\r\nb\rc\n\nd", 1)
@example("a\r\r\nb", 1)
@example("|".join("abcdefgh" * 3) + "\n", 4)
def test_lines_and_cells_are_those_of_pythons_splitting(text: str, width: int) -> None:
    found = DelimitedText.of(with_line_feeds(text), "|")
    lines, after = (text.splitlines()[part] for part in (slice(len(found)), slice(len(found), None)))
    assert [found.line(at) for at in range(len(found))] == lines
    assert not any(after)  # an empty line at the end is not counted
    assert found.delimiters.tolist() == [line.count("|") for line in lines]
    assert found.starts_with("#").tolist() == [line.startswith("#") for line in lines]
    wanted = split(lines, width)
    columns = list(map(stripped, found.columns(np.arange(len(found)), width))) if len(found) else []
    assert [column.texts for column in columns] == [column.texts for column in wanted]
    assert [column.index.tolist() for column in columns] == [column.index.tolist() for column in wanted]


@pytest.mark.parametrize("one_hash", [False, True])
@pytest.mark.parametrize("size", [1, 4, 5, 6, 8, 9, 10, 11, 16, 17, 25, 300])
def test_long_cells_are_compared_to_their_end(monkeypatch: pytest.MonkeyPatch, size: int, one_hash: bool) -> None:
    """Cells that differ in one letter, wherever it is; also if all of them have the same hash."""
    if one_hash:
        monkeypatch.setattr(delimited, "_hashed", lambda sizes, _: np.zeros(len(sizes), dtype=np.int64))
    cells = ["a" * at + "b" + "a" * (size - at - 1) for at in range(size)] + ["a" * size, "a" * (size - 1), ""]
    (column,) = DelimitedText.of("\n".join([*cells, *cells[::-1], "x"]).encode(), "|").columns(
        np.arange(2 * len(cells)), 1
    )
    assert column.texts == list(dict.fromkeys(cells))
    assert [column.texts[at] for at in column.index.tolist()] == cells + cells[::-1]


@pytest.mark.parametrize("odd", ["7a", "", "seven", "1234567", "s\u00e9\u00e9", "00007", "\0"])
@pytest.mark.parametrize("at", [0, 3, 6])
def test_a_column_of_numbers_may_have_something_else_in_any_piece(
    monkeypatch: pytest.MonkeyPatch, odd: str, at: int
) -> None:
    monkeypatch.setattr(delimited, "_LINES", 2)
    lines = [f"{number}|7|{number % 2}" for number in range(7)]
    lines[at] = f"{odd}|{odd}" if at % 2 else f"{odd}|7|{odd}"
    found = list(DelimitedText.of("\n".join(lines).encode(), "|").columns(np.arange(7), 3))
    wanted = split(lines, 3)
    assert [column.texts for column in found] == [column.texts for column in wanted]
    assert [column.index.tolist() for column in found] == [column.index.tolist() for column in wanted]


@pytest.mark.parametrize("under", [["7", "12", "7"], ["4S", "1NTXX", "4S", "P"]])
@pytest.mark.parametrize("headings", [1, 16, 17])
def test_some_long_cells_such_as_headings_leave_the_column_one_of_short_ones(
    monkeypatch: pytest.MonkeyPatch, under: list[str], headings: int
) -> None:
    cells = [f"Heading {at}" for at in range(headings)] + under + ["Heading 0"] * (headings == 1)
    compared: list[int] = []
    monkeypatch.setattr(DelimitedText, "_alike", lambda *_: compared.append(1) or (np.zeros(1, np.intp),) * 2)
    (column,) = DelimitedText.of("\n".join(cells).encode(), "|").columns(np.arange(len(cells)), 1)
    assert bool(compared) == (headings > 16)
    if not compared:
        assert [column.texts[at] for at in column.index.tolist()] == cells
        assert len(set(column.texts)) == len(column.texts)


def test_some_lines_only() -> None:
    text = DelimitedText.of(b"# a|b\n1|N\n\n2\n1|S|x\n", "|")
    board, seat = text.columns(np.array([1, 3, 4]), 2)
    assert (board.texts, board.index.tolist()) == (["1", "2"], [0, 1, 0])
    assert (seat.texts, seat.index.tolist()) == (["N", "", "S"], [0, 1, 2])
