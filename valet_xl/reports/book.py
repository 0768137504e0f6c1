"""How a report looks: its workbook and formats, and sheets with a title, a table and print settings."""

from __future__ import annotations

import io
from collections.abc import Mapping, Sequence
from typing import Any

import xlsxwriter

from valet_xl.documents.cell_names import cell_name
from valet_xl.documents.page import MADE
from valet_xl.rankings.listing import Heading, Listing, Value, printable
from valet_xl.reports.sheet_names import SheetNames

TOP = 3  # the heading row of a sheet's table, from 0
FONT = "Calibri"
INK, GREY = "#1F2A1B", "#6B7264"
HEADING, LINE, BAND = "#DDE8CB", "#B7C79C", "#F6F9F0"
# Colours that people of every colour vision tell apart, from the palette of Okabe and Ito (2008).
BLUE, YELLOW, VERMILION, BLACK, SKY = "#0072B2", "#F0E442", "#D55E00", "#000000", "#56B4E9"
GAIN, LOSS = SKY, VERMILION
COLOURS = {"Bid": BLUE, "Declarer": YELLOW, "Lead": VERMILION, "Defence": BLACK}
LINK = BLUE
WIDEST = 9.5  # characters of a column of numbers; longer headings have two lines
BAR = ";;;"  # the format of a column of bars: it shows no number
LONGEST_TEXT = 32_767  # characters of a cell

Place = tuple[str, int, int]
"""A sheet, and a row and a column from 0."""


class Book:
    """A workbook in memory: texts stay texts, and nothing in it depends on when or where it is made."""

    def __init__(self, title: str) -> None:
        self._bytes = io.BytesIO()
        plain = {"strings_to_formulas": False, "strings_to_urls": False, "strings_to_numbers": False}
        self._book = xlsxwriter.Workbook(self._bytes, {"in_memory": True, **plain})
        self._book.set_properties({"title": text(title), "author": "valet_xl", "created": MADE})
        self._formats: dict[tuple[tuple[str, Any], ...], Any] = {}
        self.names = SheetNames()

    def format(self, **looks: Any) -> Any:
        """A cell format; the same looks always give the same format."""
        key = tuple(sorted(looks.items()))
        if key not in self._formats:
            self._formats[key] = self._book.add_format({"font_name": FONT, "font_size": 10, "font_color": INK, **looks})
        return self._formats[key]

    def sheet(self, name: str, title: str, remarks: Sequence[str] = (), colour: str = "") -> Any:
        """Add a sheet with a title, and with remarks under it. Its name comes from `names`.

        It prints on A4 across, one page wide, with its name and the number of the page at the foot.
        """
        sheet = self._book.add_worksheet(name)
        sheet.set_landscape()
        sheet.set_paper(9)
        sheet.set_margins(left=0.5, right=0.5, top=0.6, bottom=0.7)
        sheet.fit_to_pages(1, 0)
        sheet.set_footer("&L&9&A&R&9Page &P of &N")
        sheet.hide_gridlines(2)
        if colour:
            sheet.set_tab_color(colour)
        sheet.set_row(0, 24)
        sheet.write_string(0, 0, text(title), self.format(bold=True, font_size=16))
        for at, remark in enumerate(remarks, start=1):
            sheet.write_string(at, 0, text(remark), self.format(italic=True, font_color=GREY))
        return sheet

    def table(
        self,
        sheet: Any,
        listing: Listing,
        top: int = TOP,
        left: int = 0,
        links: Mapping[tuple[int, str], Place] | None = None,
        main: bool = True,
        wrapped: bool = False,
        faded: int | None = None,
    ) -> None:
        """Write a table under its headings.

        Parameters
        ----------
        sheet, listing : where to write, and what
        top, left : the first cell
        links : where a click on a cell leads to, by row of the table and heading
        main : whether it is the sheet's main table, which has a filter and shows its headings always and on every page
        wrapped : whether long texts are broken into lines
        faded : the row of the table from which on all are grey
        """
        links = links or {}
        if any(len(heading.name) > WIDEST and heading.format not in ("@", BAR) for heading in listing.headings):
            sheet.set_row(top, 27)
        for column, heading in enumerate(listing.headings, start=left):
            side = {"align": "left", "indent": 1} if heading.format == "@" else {"align": "right"}
            wrap = {"text_wrap": True, "valign": "bottom"}
            if heading.format == BAR:
                side = {"align": "center", "font_color": GREY, "font_size": 8, "bold": False}
            looks = self.format(
                **({"bold": True, "bg_color": HEADING, "bottom": 1, "bottom_color": LINE} | wrap | side)
            )
            sheet.write_string(top, column, heading.name, looks)
            if main:
                sheet.set_column(column, column, heading.width if heading.format == "@" else min(heading.width, WIDEST))
        for column, (heading, cells) in enumerate(zip(listing.headings, listing.columns, strict=True), start=left):
            number = (
                {"align": "left", "indent": 1}
                if heading.format == "@"
                else {"num_format": number_format(heading.format)}
            )
            under = {"bottom": 7, "bottom_color": LINE, **({"text_wrap": True, "valign": "top"} if wrapped else {})}
            plain = self.format(**number, **under)
            grey = self.format(**number, **under, font_color=GREY)
            linked = self.format(**number, **under, font_color=LINK, underline=1)
            for row, cell in enumerate(cells):
                looks = plain if faded is None or row < faded else grey
                place = links.get((row, heading.name))
                if place is not None:
                    shown = text(cell) if isinstance(cell, str) else f"{cell}"
                    sheet.write_url(top + 1 + row, column, address(place), linked, shown)
                    if not isinstance(cell, str):  # the number stays one
                        sheet.write_number(top + 1 + row, column, cell, linked)
                else:
                    self._cell(sheet, top + 1 + row, column, cell, looks)
            if heading.format == BAR and cells:
                sheet.conditional_format(top + 1, column, top + len(cells), column, _BAR)
        if main:
            sheet.freeze_panes(top + 1, _first_number(listing) + left)
            sheet.repeat_rows(top)
            sheet.autofilter(top, left, top + len(listing), left + len(listing.headings) - 1)

    def link(self, sheet: Any, row: int, column: int, place: Place, words: str) -> None:
        """Write words that lead to another place when somebody clicks on them."""
        sheet.write_url(row, column, address(place), self.format(font_color=LINK, underline=1), text(words))

    @staticmethod
    def _cell(sheet: Any, row: int, column: int, cell: Value, looks: Any) -> None:
        """Write a cell by its type only: a text that looks like a formula, a link or a number stays a text."""
        if cell is None:
            sheet.write_blank(row, column, None, looks)
        elif isinstance(cell, str):
            sheet.write_string(row, column, text(cell), looks)
        else:
            sheet.write_number(row, column, cell, looks)

    def chart(self, kind: str, subtype: str | None = None) -> Any:
        """A new chart."""
        return self._book.add_chart({"type": kind, **({"subtype": subtype} if subtype else {})})

    def close(self) -> bytes:
        """The workbook's bytes."""
        self._book.close()
        return self._bytes.getvalue()


_BAR = {
    "type": "data_bar",
    "data_bar_2010": True,
    "bar_solid": True,
    "bar_only": True,
    "bar_color": GAIN,
    "bar_negative_color": LOSS,
    "bar_border_color": GAIN,
    "bar_negative_border_color": LOSS,
    "bar_axis_position": "middle",
}


def with_bars(listing: Listing, of: Sequence[str], middle: float = 0, rows: int | None = None) -> Listing:
    """The listing with a column of bars after each of some columns: how far a number is above or below the middle.

    Parameters
    ----------
    of : the headings of these columns
    middle : the number without a bar
    rows : how many rows have bars; the others do not set their scale
    """
    headings: list[Heading] = []
    columns: list[list[Value]] = []
    for heading, cells in zip(listing.headings, listing.columns, strict=True):
        headings.append(heading)
        columns.append(cells)
        if heading.name in of:
            says = f"{heading.name} as a bar, to the right above {middle:g}"
            headings.append(Heading(f"{heading.name} bar", says, BAR, 8, heading.need, heading.name))
            shown = len(cells) if rows is None else rows
            bars: list[Value] = [cell - middle if isinstance(cell, float | int) else None for cell in cells[:shown]]
            columns.append(bars + [None] * (len(cells) - len(bars)))
    return Listing(tuple(headings), tuple(columns))


def text(cell: object) -> str:
    """A text as a cell takes it."""
    return printable(str(cell))[:LONGEST_TEXT]


def number_format(form: str) -> str:
    """The spreadsheet's number format for a heading's."""
    return f"+{form[1:]};-{form[1:]};{form[1:]}" if form.startswith("+") else form


def address(place: Place) -> str:
    """Where an internal link leads to.

    >>> address(("1 O'Hara", 0, 1))
    "internal:'1 O''Hara'!B1"
    """
    sheet, row, column = place
    quoted = sheet.replace("'", "''")
    return f"internal:'{quoted}'!{cell_name(row, column)}"


def _first_number(listing: Listing) -> int:
    """How many columns always stay visible: those up to the first text, which says whose numbers a row has."""
    for at, heading in enumerate(listing.headings):
        if heading.format == "@":
            return at + 1
    return 0
