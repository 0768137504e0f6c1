"""Sheets of results that are tried in every host."""

from __future__ import annotations

from typing import Any

import xlsxwriter

HEADINGS = ["Board", "Contract", "By", "Tricks", "Lead"]
ROWS: list[list[Any]] = [
    [1, "4S", "N", 10, "HK"],
    [1, "3NT", "S", 9, "D4"],
    [1, "4SX", "N", 11, "HK"],
    [2, "2H", "E", 8, "SA"],
    [2, "1NT", "W", 6, "S2"],
    [2, "pass", None, None, None],
]
WRONG = [3, "9H", "E", 9, "S2"]


def plain(book: xlsxwriter.Workbook, sheet: Any) -> None:
    for at, row in enumerate([HEADINGS, *ROWS]):
        sheet.write_row(at, 0, row)


def titled(book: xlsxwriter.Workbook, sheet: Any) -> None:
    """The table starts at D7, a title stands above, notes below, an unrelated cell right of it."""
    sheet.write(4, 2, "Club evening")
    for at, row in enumerate([HEADINGS, *ROWS], 6):
        sheet.write_row(at, 3, row)
    sheet.write(8, 9, "a remark")
    sheet.write(16, 3, "printed by the director")
