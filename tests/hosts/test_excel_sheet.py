"""Score sheet and Undo scoring on a sheet that is open, in Excel's stand-in: the same cells as the file route's."""

from __future__ import annotations

import datetime
from collections.abc import Callable, Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
import xlsxwriter
from host_sheets import HEADINGS, ROWS, WRONG, plain, titled
from vba_host import Host

from valet_xl.engine.options import Options
from valet_xl.hosts.settings import settings
from valet_xl.sheets.score_file import score_file
from valet_xl_excel.win32_standins import windows


@pytest.fixture(scope="module")
def xw() -> Iterator[ModuleType]:
    """xlwings as it is on Windows."""
    with windows() as module:
        yield module


# -- sheets as people have them


def designed(book: xlsxwriter.Workbook, sheet: Any) -> None:
    """Headings with a fill, rows in two colours, texts at the right, dates and a formula beside the results."""
    heading = book.add_format({"bold": True, "bg_color": "#1F4E78", "font_color": "white"})
    looks = [
        book.add_format({"bg_color": colour, "align": "right", "italic": True}) for colour in ("#FFFFFF", "#DDEBF7")
    ]
    day = book.add_format({"num_format": "yyyy-mm-dd"})
    sheet.write_row(0, 0, [*HEADINGS, "Day"], heading)
    for at, row in enumerate(ROWS, 1):
        sheet.write_row(at, 0, row[:4], looks[at % 2])
        sheet.write(at, 4, row[4], looks[at % 2])
        sheet.write_datetime(at, 5, datetime.datetime(2026, 4, at), day)


def wrong(book: xlsxwriter.Workbook, sheet: Any) -> None:
    """A row that is not understood, and one without a result."""
    plain(book, sheet)
    sheet.write_row(7, 0, WRONG)
    sheet.write_row(8, 0, [4])
    sheet.write_row(9, 0, [3, "2H", "E", 8, "SA"])


def table(book: xlsxwriter.Workbook, sheet: Any) -> None:
    sheet.add_table(2, 1, 2 + len(ROWS), 5, {"data": ROWS, "columns": [{"header": name} for name in HEADINGS]})


def with_totals(book: xlsxwriter.Workbook, sheet: Any) -> None:
    """A table with a row of totals, and an unused row above it."""
    columns = [{"header": name} for name in HEADINGS]
    columns[0]["total_string"] = "Total"
    rows = [*ROWS, [None] * 5]
    sheet.add_table(0, 0, len(rows) + 1, 4, {"data": rows, "columns": columns, "total_row": True})


def table_apart(book: xlsxwriter.Workbook, sheet: Any) -> None:
    """Something stands right of the table, so that it cannot grow."""
    table(book, sheet)
    sheet.write(4, 7, "a remark")


SHEETS = (plain, titled, designed, wrong, table, with_totals, table_apart)
CHOICES = (Options(), Options(method="matchpoints", cloud=True, lead="card", datum="trimmed"))


def make(path: Path, sheet: Callable[[xlsxwriter.Workbook, Any], None]) -> Path:
    book = xlsxwriter.Workbook(path)
    sheet(book, book.add_worksheet("Results"))
    book.close()
    return path


class Opened:
    """A workbook open in the stand-in, as the commands get it."""

    def __init__(self, xw: ModuleType, path: Path) -> None:
        self.host = Host(xw)
        self.host.book = self.host.app.open_workbook(path)
        self.book = self.host.xlwings_book(self.host.book)

    def remember(self, options: Options) -> None:
        for setting in ("method", "lead", "datum"):
            self.book.names.add(f"valet_xl_{setting}", f'="{getattr(options, setting)}"')
        self.book.names.add("valet_xl_cloud", f"={str(options.cloud).upper()}")

    def looks(self, right: int = 20, bottom: int = 18) -> list[tuple[object, ...]]:
        """What each cell is and how it looks, its background if it is blank."""
        sheet = self.book.sheets["Results"].api
        found = []
        for row in range(1, bottom + 1):
            for column in range(1, right + 1):
                cell = sheet.Cells(row, column)
                font = cell.Font.Bold, cell.Font.Italic, cell.Font.Color
                how = None if cell.Value is None else (cell.NumberFormat, cell.HorizontalAlignment, *font)
                found.append((row, column, cell.Value, cell.Interior.Color, how))
        return found

    def widths(self) -> list[object]:
        return [self.book.sheets["Results"].api.Columns(column).ColumnWidth for column in range(1, 27)]

    def tables(self) -> list[tuple[str, list[str]]]:
        return [
            (each.Range.GetAddress(), [column.Name for column in each.ListColumns])
            for each in self.book.sheets["Results"].api.ListObjects
        ]


@pytest.mark.parametrize("options", CHOICES, ids=["default", "matchpoints"])
@pytest.mark.parametrize("sheet", SHEETS, ids=lambda sheet: sheet.__name__)
def test_open_sheet_gets_the_cells_of_the_file(
    xw: ModuleType, tmp_path: Path, sheet: Callable[..., None], options: Options
) -> None:
    """Values, number formats, looks and tables are those that `valet-xl score` writes."""
    from valet_xl_excel import ribbon

    path = make(tmp_path / "results.xlsx", sheet)
    opened = Opened(xw, path)
    opened.remember(options)
    message = ribbon.run("score", book=opened.book)
    assert ("Not understood" in message) == (sheet is wrong)
    score_file(path, options=options)
    filed = Opened(xw, path)
    assert opened.looks() == filed.looks()
    assert opened.tables() == filed.tables()


@pytest.mark.parametrize("sheet", SHEETS, ids=lambda sheet: sheet.__name__)
def test_scoring_twice_changes_nothing(xw: ModuleType, tmp_path: Path, sheet: Callable[..., None]) -> None:
    """The second time writes the same cells in the same place."""
    from valet_xl_excel import ribbon

    opened = Opened(xw, make(tmp_path / "results.xlsx", sheet))
    ribbon.run("score", book=opened.book)
    once = opened.looks(), opened.tables(), opened.widths()
    ribbon.run("score", book=opened.book)
    assert (opened.looks(), opened.tables(), opened.widths()) == once


@pytest.mark.parametrize("sheet", SHEETS, ids=lambda sheet: sheet.__name__)
def test_other_method_takes_the_place_of_the_former(xw: ModuleType, tmp_path: Path, sheet: Callable[..., None]) -> None:
    """Scored with more columns and again with fewer, the sheet is as if scored once."""
    from valet_xl_excel import ribbon

    path = make(tmp_path / "results.xlsx", sheet)
    once, twice = Opened(xw, path), Opened(xw, path)
    ribbon.run("score", book=once.book)
    twice.remember(CHOICES[1])
    ribbon.run("score", book=twice.book)
    twice.remember(CHOICES[0])
    ribbon.run("score", book=twice.book)
    assert [cell[:3] for cell in twice.looks()] == [cell[:3] for cell in once.looks()]
    assert twice.tables() == once.tables()


@pytest.mark.parametrize("sheet", SHEETS, ids=lambda sheet: sheet.__name__)
def test_undo_gives_the_sheet_back(xw: ModuleType, tmp_path: Path, sheet: Callable[..., None]) -> None:
    """Cells, looks, tables and widths are what they were."""
    from valet_xl_excel import ribbon

    opened = Opened(xw, make(tmp_path / "results.xlsx", sheet))
    before = opened.looks(), opened.tables(), opened.widths()
    ribbon.run("score", book=opened.book)
    assert opened.looks() != before[0]
    assert ribbon.run("undo", book=opened.book) == ""
    assert (opened.looks(), opened.tables(), opened.widths()) == before
    assert "Nothing to undo" in ribbon.run("undo", book=opened.book)


def test_rows_that_came_later_get_the_look_of_theirs(xw: ModuleType, tmp_path: Path) -> None:
    """And what the owner did to the look of the scores stays."""
    from valet_xl_excel import ribbon

    opened = Opened(xw, make(tmp_path / "results.xlsx", designed))
    ribbon.run("score", book=opened.book)
    cells = opened.book.sheets["Results"]
    cells.range("I3").color = (255, 0, 0)
    cells.range("A8:E8").value = [3, "1NT", "W", 7, "S2"]
    cells.range("A9:E9").value = [3, "1NT", "W", 6, "S2"]
    cells.range("F9").color = (221, 235, 247)
    ribbon.run("score", book=opened.book)
    assert cells.range("G9").value == 100
    assert [cells.range(place).color for place in ("I3", "G8", "G9", "O9")] == [
        (255, 0, 0),
        None,
        (221, 235, 247),
        (221, 235, 247),
    ]
    assert cells.range("G9").number_format == "0"


def test_undo_takes_scores_whose_results_are_gone(xw: ModuleType, tmp_path: Path) -> None:
    """The owner cleared the last results; their scores go too, and what stands below does not."""
    from valet_xl_excel import ribbon

    opened = Opened(xw, make(tmp_path / "results.xlsx", plain))
    ribbon.run("score", book=opened.book)
    cells = opened.book.sheets["Results"]
    cells.range("A6:E7").clear_contents()
    cells.range("G9").value = "mine"
    assert ribbon.run("undo", book=opened.book) == ""
    assert cells.range("F6:N7").value == [[None] * 9] * 2
    assert cells.range("G9").value == "mine"


def test_undo_keeps_columns_that_were_added_right_of_ours(xw: ModuleType, tmp_path: Path) -> None:
    """A column that its owner added to the table stays in it."""
    from valet_xl_excel import ribbon

    opened = Opened(xw, make(tmp_path / "results.xlsx", table))
    ribbon.run("score", book=opened.book)
    cells = opened.book.sheets["Results"]
    cells.range("P3").value = "Mine"
    cells.range("P4").value = 7
    cells.api.ListObjects(1).Resize(cells.range("B3:P9").api)
    assert ribbon.run("undo", book=opened.book) == ""
    assert opened.tables() == [("$B$3:$G$9", [*HEADINGS, "Mine"])]
    assert cells.range("G4").value == 7


@pytest.mark.parametrize("sheet", SHEETS, ids=lambda sheet: sheet.__name__)
def test_what_stands_right_of_ours_is_kept(xw: ModuleType, tmp_path: Path, sheet: Callable[..., None]) -> None:
    """Neither another method nor undoing touches a remark; where a table has totals it may move."""
    from valet_xl_excel import ribbon

    opened = Opened(xw, make(tmp_path / "results.xlsx", sheet))
    ribbon.run("score", book=opened.book)
    opened.book.sheets["Results"].range("Z5").value = "mine"
    for options in (CHOICES[1], CHOICES[0]):
        opened.remember(options)
        ribbon.run("score", book=opened.book)
    ribbon.run("undo", book=opened.book)
    assert "mine" in [cell for row in opened.host.cells("Results") for cell in row]


@pytest.mark.parametrize(
    ("spoil", "said"),
    [
        (lambda cells: cells.range("B1").clear(), "Heading row 1 has Board (A1)"),
        (lambda cells: cells.clear(), "No heading row found"),
        (lambda cells: cells.api.Protect(), "The sheet is protected"),
        (lambda cells: cells.range("G2:G3").merge(), "F1:N7 holds merged cells"),
    ],
    ids=["no contract", "empty", "protected", "merged"],
)
def test_sheet_that_cannot_be_scored_is_left_alone(
    xw: ModuleType, tmp_path: Path, spoil: Callable[[Any], object], said: str
) -> None:
    """One message says why; nothing is written, and Excel is as it was."""
    from valet_xl_excel import ribbon

    opened = Opened(xw, make(tmp_path / "results.xlsx", plain))
    spoil(opened.book.sheets["Results"])
    before = opened.looks()
    message = ribbon.run("score", book=opened.book)
    assert message.startswith(said)
    assert "Traceback" not in message
    assert opened.looks() == before
    assert opened.host.app.application.screen_updating
    assert opened.host.app.application.status_bar is False


def test_value_in_the_way_is_named(xw: ModuleType, tmp_path: Path) -> None:
    """More columns than the last time find a cell that is not ours."""
    from valet_xl_excel import ribbon

    opened = Opened(xw, make(tmp_path / "results.xlsx", plain))
    ribbon.run("score", book=opened.book)
    opened.book.sheets["Results"].range("O3").value = "mine"
    opened.remember(CHOICES[1])
    before = opened.looks()
    assert ribbon.run("score", book=opened.book) == "O3 holds a value; F1:P7 must be free (clear or move it)"
    assert opened.looks() == before


def test_formula_in_the_way_is_refused(xw: ModuleType, tmp_path: Path) -> None:
    """A formula among the former columns is its owner's."""
    from valet_xl_excel import ribbon

    opened = Opened(xw, make(tmp_path / "results.xlsx", plain))
    ribbon.run("score", book=opened.book)
    opened.book.sheets["Results"].range("H4").formula = "=1+1"
    assert "holds a formula" in ribbon.run("score", book=opened.book)


def test_failure_while_writing_gives_excel_back(
    xw: ModuleType, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, fault_log: Path
) -> None:
    """Whatever happens, the screen is updated again and the status bar is Excel's."""
    from valet_xl_excel import ribbon

    def fail(*_given: object) -> None:
        raise RuntimeError("the disk is full of bees")

    opened = Opened(xw, make(tmp_path / "results.xlsx", plain))
    monkeypatch.setattr(ribbon, "write_block", fail)
    message = ribbon.run("score", book=opened.book)
    assert "RuntimeError: the disk is full of bees" in message
    assert str(fault_log) in message
    assert "Traceback" in fault_log.read_text(encoding="utf-8")
    assert opened.host.app.application.screen_updating
    assert opened.host.app.application.status_bar is False


def test_selection_and_scroll_stay(xw: ModuleType, tmp_path: Path) -> None:
    """Where every row is understood, the user stays where she was."""
    from valet_xl_excel import ribbon

    opened = Opened(xw, make(tmp_path / "results.xlsx", plain))
    app = opened.book.app.api
    opened.book.sheets["Results"].range("B3:C4").select()
    app.ActiveWindow.ScrollRow, app.ActiveWindow.ScrollColumn = 3, 2
    assert ribbon.run("score", book=opened.book) == ""
    assert opened.host.selected == "B3:C4"
    assert (app.ActiveWindow.ScrollRow, app.ActiveWindow.ScrollColumn) == (3, 2)


def test_first_row_not_understood_is_selected(xw: ModuleType, tmp_path: Path) -> None:
    """The message lists such rows, and the user is shown the first."""
    from valet_xl_excel import ribbon

    opened = Opened(xw, make(tmp_path / "results.xlsx", wrong))
    listed = "row 8, Contract: '9H' (level must be 1-7)"
    assert ribbon.run("check", book=opened.book).endswith(listed)
    assert opened.host.selected == "A8:E8"
    opened.book.sheets["Results"].range("A1").select()
    assert ribbon.run("score", book=opened.book).endswith(listed)
    assert opened.host.selected == "A8:E8"


def test_messages_are_short(xw: ModuleType, tmp_path: Path) -> None:
    """Of a thousand bad rows a message box shows some, and how many more there are."""
    from valet_xl_excel import ribbon

    def many(book: xlsxwriter.Workbook, sheet: Any) -> None:
        for at, row in enumerate([HEADINGS, *([WRONG] * 1000)]):
            sheet.write_row(at, 0, row)

    message = ribbon.run("check", book=Opened(xw, make(tmp_path / "results.xlsx", many)).book)
    assert message.startswith("1,000 rows not understood.\nrow 2, ")
    assert len(message) < 1000
    assert message.endswith("more")


@pytest.mark.parametrize("kept", ['="butler"', "=17", "=Results!$A$1", '="IAF"'])
def test_unknown_settings_are_the_defaults(xw: ModuleType, tmp_path: Path, kept: str) -> None:
    """A workbook may hold names of ours with anything in them."""
    from valet_xl_excel import ribbon

    opened = Opened(xw, make(tmp_path / "results.xlsx", plain))
    for setting in ("method", "lead", "datum", "cloud"):
        opened.book.names.add(f"valet_xl_{setting}", kept)
    assert settings(ribbon.ExcelSheet(opened.book)) == Options()


def test_settings_survive_saving(xw: ModuleType, tmp_path: Path) -> None:
    """They are names of the workbook, so that they are in its file."""
    from valet_xl_excel import ribbon

    opened = Opened(xw, make(tmp_path / "results.xlsx", plain))
    opened.remember(CHOICES[1])
    opened.host.app.save(tmp_path / "saved.xlsx", workbook=opened.host.book)
    assert settings(ribbon.ExcelSheet(Opened(xw, tmp_path / "saved.xlsx").book)) == CHOICES[1]
