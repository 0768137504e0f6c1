"""Sheets of results that are tried in every host."""

from __future__ import annotations

import datetime
from collections.abc import Callable
from pathlib import Path
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
PAIRS: list[list[Any]] = [  # 10 IMPs on the first board and 12 on the second; the last row is wrong
    ["Board", "NS", "EW", "Contract", "By", "Tricks"],
    [1, "1", "2", "4S", "N", 10],
    [1, "3", "=4", "4S", "N", 9],
    [2, "1", "2", "3NT", "S", 8],
    [2, "3", "=4", "3NT", "S", 9],
    [3, "1", "2", "9H", "S", 9],
]

Sheet = Callable[[xlsxwriter.Workbook, Any], None]


def make(path: Path, sheet: Sheet) -> Path:
    """Write a workbook with one sheet, Results."""
    book = xlsxwriter.Workbook(path)
    sheet(book, book.add_worksheet("Results"))
    book.close()
    return path


def plain(book: xlsxwriter.Workbook, sheet: Any) -> None:
    for at, row in enumerate([HEADINGS, *ROWS]):
        sheet.write_row(at, 0, row)


def far_out(book: xlsxwriter.Workbook, sheet: Any) -> None:
    """Somebody typed something into the last row."""
    plain(book, sheet)
    sheet.write("J1048576", "x")


def titled(book: xlsxwriter.Workbook, sheet: Any) -> None:
    """The table starts at D7, a title is above it, notes below, an unrelated cell right of it."""
    sheet.write(4, 2, "Club evening")
    for at, row in enumerate([HEADINGS, *ROWS], 6):
        sheet.write_row(at, 3, row)
    sheet.write(8, 9, "a remark")
    sheet.write(16, 3, "printed by the director")


def dated(book: xlsxwriter.Workbook, sheet: Any) -> None:
    """Headings with a fill, rows in two colours, texts at the right, and plain dates right of the results."""
    _designed(book, sheet, {})


def designed(book: xlsxwriter.Workbook, sheet: Any) -> None:
    """The same, the dates in the two colours too."""
    _designed(book, sheet, {"italic": True})


def _designed(book: xlsxwriter.Workbook, sheet: Any, day: dict[str, Any]) -> None:
    heading = book.add_format({"bold": True, "bg_color": "#1F4E78", "font_color": "white"})
    colours = ("#FFFFFF", "#DDEBF7")
    looks = [book.add_format({"bg_color": colour, "align": "right", "italic": True}) for colour in colours]
    days = [
        book.add_format({"num_format": "yyyy-mm-dd", **day, **({"bg_color": colour} if day else {})})
        for colour in colours
    ]
    sheet.write_row(0, 0, [*HEADINGS, "Day"], heading)
    for at, row in enumerate(ROWS, 1):
        sheet.write_row(at, 0, row, looks[at % 2])
        sheet.write_datetime(at, 5, datetime.datetime(2026, 4, at), days[at % 2])


def wrong(book: xlsxwriter.Workbook, sheet: Any) -> None:
    """Rows that cannot be read, for one because of an error or a date, and one without a result."""
    plain(book, sheet)
    sheet.write_row(7, 0, WRONG)
    sheet.write_row(8, 0, [4])
    sheet.write_row(9, 0, [3, "2H", "E", 8, "SA"])
    sheet.write_row(10, 0, [5, "2H", "E", None, "SA"])
    sheet.write_formula(10, 3, "=NA()", None, "#N/A")
    sheet.write_row(11, 0, [6, None, "E", 8, "SA"])
    sheet.write_datetime(11, 1, datetime.datetime(2026, 4, 3), book.add_format({"num_format": "yyyy-mm-dd"}))


def table(book: xlsxwriter.Workbook, sheet: Any) -> None:
    """A table of the program's own, from B3 on."""
    sheet.add_table(2, 1, 2 + len(ROWS), 5, {"data": ROWS, "columns": [{"header": name} for name in HEADINGS]})


def with_totals(book: xlsxwriter.Workbook, sheet: Any) -> None:
    """A table with a row of totals, and an unused row above it."""
    columns = [{"header": name} for name in HEADINGS]
    columns[0]["total_string"] = "Total"
    rows = [*ROWS, [None] * 5]
    sheet.add_table(0, 0, len(rows) + 1, 4, {"data": rows, "columns": columns, "total_row": True})


def table_apart(book: xlsxwriter.Workbook, sheet: Any) -> None:
    """A cell right of the table is filled, so that the table cannot grow."""
    table(book, sheet)
    sheet.write(4, 7, "a remark")


def travellers(book: xlsxwriter.Workbook, sheet: Any) -> None:
    """Each board's rows under its number, with the headings of BridgeWebs."""
    at = 1
    for board in (1, 2):
        sheet.write(at, 0, f"Board {board}")
        rows = [row[1:] for row in ROWS if row[0] == board]
        for row in (["Bid", "By", "Tks", "Ld"], *rows):
            at += 1
            sheet.write_row(at, 0, row)
        at += 2


def points(book: xlsxwriter.Workbook, sheet: Any) -> None:
    """Scores without contracts."""
    for at, row in enumerate([["Board", "Points"], [1, 420], [1, -50], [2, 140], [2, -110], [2, "Pass"]]):
        sheet.write_row(at, 0, row)


def rooms(book: xlsxwriter.Workbook, sheet: Any) -> None:
    """A team match: two results in each row."""
    head = ["Contract", "By", "Tricks"]
    for at, row in enumerate(
        [["Board", *head, *head], [1, "4S", "N", 10, "4S", "N", 9], [2, "9H", "E", 8, "1NT", "W", 6]]
    ):
        sheet.write_row(at, 0, row)


def many_wrong(book: xlsxwriter.Workbook, sheet: Any) -> None:
    """A thousand rows that cannot be read."""
    for at, row in enumerate([HEADINGS, *([WRONG] * 1000)]):
        sheet.write_row(at, 0, row)


def pairs(book: xlsxwriter.Workbook, sheet: Any) -> None:
    """Pairs whose names are texts, one of which looks like a formula; the last row is wrong."""
    for at, row in enumerate(PAIRS):
        for along, cell in enumerate(row):
            (sheet.write_string if isinstance(cell, str) else sheet.write_number)(at, along, cell)


def shopping(book: xlsxwriter.Workbook, sheet: Any) -> None:
    """No results."""
    sheet.write_column(0, 0, ["a shopping list", "bread"])
