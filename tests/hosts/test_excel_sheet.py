"""What Excel alone does on a sheet that is open, in its stand-in: looks, its tables, its status bar and its names."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from host_sheets import HEADINGS, dated, far_out, make, pairs, plain, table
from tried import TriedExcel
from vba_host import Com
from win32_standins import ComError, windows

from valet_xl.engine.options import Options
from valet_xl.hosts.settings import REMEMBERED, settings

CHOSEN = Options(method="matchpoints", cloud=True, lead="card", datum="trimmed")


@pytest.fixture(scope="module")
def excel() -> Iterator[TriedExcel]:
    """Excel in memory, with xlwings as it is on Windows."""
    with windows() as xw:
        yield TriedExcel(xw)


def test_rows_that_came_later_get_the_look_of_theirs(excel: TriedExcel, tmp_path: Path) -> None:
    """And what the owner did to the look of the scores stays."""
    excel.open(make(tmp_path / "results.xlsx", dated))
    excel.do("score")
    cells = excel.sheet
    cells.range("I3").color = (255, 0, 0)
    cells.range("A8:E8").value = [3, "1NT", "W", 7, "S2"]
    cells.range("A9:E9").value = [3, "1NT", "W", 6, "S2"]
    cells.range("F9").color = (221, 235, 247)
    excel.do("score")
    assert cells.range("G9").value == 100
    assert [cells.range(place).color for place in ("I3", "G8", "G9", "O9")] == [
        (255, 0, 0),
        None,
        (221, 235, 247),
        (221, 235, 247),
    ]
    assert cells.range("G9").number_format == "0"


def test_undo_keeps_columns_that_were_added_right_of_ours(excel: TriedExcel, tmp_path: Path) -> None:
    """A column that its owner added to the table stays in it."""
    excel.open(make(tmp_path / "results.xlsx", table))
    excel.do("score")
    cells = excel.sheet
    cells.range("P3").value = "Mine"
    cells.range("P4").value = 7
    cells.api.ListObjects(1).Resize(cells.range("B3:P9").api)
    assert excel.do("undo") == ""
    assert excel.tables() == [("Table1", "B3:G9")]
    assert excel.columns_of_tables() == [[*HEADINGS, "Mine"]]
    assert cells.range("G4").value == 7


TOO_MANY = (
    "The sheet is used to J1048576, which makes 10,485,760 cells "
    "(at most 5,000,000: delete the empty rows and columns after the results, save, and try again)"
)


@pytest.mark.parametrize("command", ["score", "check", "rank", "undo"])
def test_a_sheet_of_too_many_cells_is_refused_unread(
    excel: TriedExcel, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, command: str
) -> None:
    """Their values would take Excel and Python minutes: none is asked for."""
    from valet_xl_excel import sheet

    excel.open(make(tmp_path / "results.xlsx", far_out))
    monkeypatch.setattr(sheet, "read_cells", None)
    assert excel.do(command) == TOO_MANY


FILTERED_MESSAGE = "A filter hides rows of the sheet (Data, Clear shows them; then try again)"


@pytest.mark.parametrize("command", ["score", "undo"])
@pytest.mark.parametrize("of_table", [False, True], ids=["a filter of the sheet", "a filter of a table"])
def test_a_filtered_sheet_is_refused(
    excel: TriedExcel, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, command: str, of_table: bool
) -> None:
    """Excel would put the first value into every row that is shown, and say nothing. With all rows shown it works."""
    excel.open(make(tmp_path / "results.xlsx", table if of_table else plain))
    if command == "undo":
        excel.do("score")
    before = excel.sheet.used_range.value
    if of_table:
        monkeypatch.setattr("vba_host.FILTERED", {excel.sheet.api.ListObjects(1).Name})
    else:
        excel.sheet.used_range.api.AutoFilter(1, "1")
    assert excel.do(command) == FILTERED_MESSAGE
    assert excel.sheet.used_range.value == before
    if of_table:
        monkeypatch.setattr("vba_host.FILTERED", set())
    else:
        excel.sheet.api.AutoFilterMode = False
    assert excel.do(command) == ""
    assert excel.sheet.used_range.value != before


def test_a_filter_that_hides_nothing_takes_the_new_columns(excel: TriedExcel, tmp_path: Path) -> None:
    """So that sorting takes the scores along; columns that were hidden are shown."""
    excel.open(make(tmp_path / "results.xlsx", plain))
    excel.sheet.range("A1:E7").api.AutoFilter()
    for column in (7, 12):
        excel.sheet.api.Columns(column).Hidden = True
    assert excel.do("score") == ""
    assert excel.sheet.api.AutoFilter.Range.GetAddress() == "$A$1:$N$7"
    assert [bool(excel.sheet.api.Columns(column).Hidden) for column in range(1, 16)] == [False] * 15
    excel.choose(Options(method="matchpoints"))
    assert excel.do("score") == ""
    assert excel.sheet.api.AutoFilter.Range.GetAddress() == "$A$1:$O$7"


def test_a_filter_is_as_dangerous_in_the_stand_in(excel: TriedExcel, tmp_path: Path) -> None:
    """So that a host that writes under a filter is seen here."""
    excel.open(make(tmp_path / "results.xlsx", plain))
    excel.sheet.used_range.api.AutoFilter(1, "1")
    excel.sheet.range("J1:J4").value = [[1], [2], [3], [4]]
    excel.sheet.api.AutoFilterMode = False
    assert excel.sheet.range("J1:J4").value != [1, 2, 3, 4]


def test_refused_sheet_gives_excel_back(excel: TriedExcel, tmp_path: Path) -> None:
    """The screen is updated again and the status bar is Excel's."""
    excel.open(make(tmp_path / "results.xlsx", plain))
    excel.protect()
    assert excel.do("score").startswith("The sheet is protected (Review, Unprotect Sheet; then try again)")
    assert excel.rest() == (True, False)


def test_failure_while_writing_gives_excel_back(
    excel: TriedExcel, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, fault_log: Path
) -> None:
    """Whatever happens, the screen is updated again and the status bar is Excel's."""
    from valet_xl_excel.ribbon import ExcelSheet

    def fail(*_given: object) -> None:
        raise RuntimeError("the disk is full of bees")

    excel.open(make(tmp_path / "results.xlsx", plain))
    monkeypatch.setattr(ExcelSheet, "values", fail)
    message = excel.do("score")
    assert "RuntimeError: the disk is full of bees" in message
    assert str(fault_log) in message
    assert "Traceback" in fault_log.read_text(encoding="utf-8")
    assert excel.rest() == (True, False)


def test_error_of_excel_is_given_in_its_words(
    excel: TriedExcel, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, fault_log: Path
) -> None:
    """It came over COM, so that it is no fault of ours; the log has it all the same."""
    from valet_xl_excel.ribbon import ExcelSheet

    def refuse(*_given: object) -> None:
        raise ComError(-2147352567, "Exception occurred.", (0, "Excel", "The cell is busy.", None, 0, 0), None)

    excel.open(make(tmp_path / "results.xlsx", plain))
    monkeypatch.setattr(ExcelSheet, "values", refuse)
    assert excel.do("score") == f"Excel could not do that: The cell is busy. (details are in {fault_log})"
    assert excel.rest() == (True, False)


@pytest.mark.parametrize("command", ["score", "score again", "undo"])
def test_failure_halfway_puts_the_contents_back(
    excel: TriedExcel, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, fault_log: Path, command: str
) -> None:
    """What was written is taken away, and former scores are there again."""
    from valet_xl_excel.ribbon import ExcelSheet

    def refuse(*_given: object) -> None:
        raise ComError(-2147352567, "Exception occurred.", (0, "Excel", "The column is busy.", None, 0, 0), None)

    excel.open(make(tmp_path / "results.xlsx", plain))
    if command != "score":
        excel.do("score")
        excel.choose(CHOSEN)
    before = excel.cells()
    for name in ("widths", "usual_width"):  # the last thing that is done
        monkeypatch.setattr(ExcelSheet, name, refuse)
    assert (
        excel.do(command.split(maxsplit=1)[0])
        == f"Excel could not do that: The column is busy. (details are in {fault_log})"
    )
    assert excel.cells() == before
    assert excel.rest() == (True, False)


def test_failure_halfway_leaves_no_new_sheet(
    excel: TriedExcel, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, fault_log: Path
) -> None:
    from valet_xl_excel.ribbon import ExcelSheet

    def refuse(*_given: object) -> None:
        raise ComError(-2147352567, "Exception occurred.", (0, "Excel", "The font is busy.", None, 0, 0), None)

    excel.open(make(tmp_path / "results.xlsx", pairs))
    monkeypatch.setattr(ExcelSheet, "bold", refuse)
    assert excel.do("rank") == f"Excel could not do that: The font is busy. (details are in {fault_log})"
    assert (excel.sheets(), excel.rest()) == (["Results"], (True, False))


def test_a_workbook_that_takes_no_sheet_stays_as_it_is(excel: TriedExcel, tmp_path: Path) -> None:
    excel.open(make(tmp_path / "results.xlsx", pairs))
    excel.book.api.Protect()
    assert excel.do("rank") == "No sheet can be added (Review, Protect Workbook; then try again)"
    assert excel.sheets() == ["Results"]


def test_selection_and_scroll_stay(excel: TriedExcel, tmp_path: Path) -> None:
    """If every row can be read, the user stays where she was."""
    excel.open(make(tmp_path / "results.xlsx", plain))
    window = excel.book.app.api.ActiveWindow
    excel.select("B3:C4")
    window.ScrollRow, window.ScrollColumn = 3, 2
    assert excel.do("score") == ""
    assert excel.selected() == "B3:C4"
    assert (window.ScrollRow, window.ScrollColumn) == (3, 2)


@pytest.mark.parametrize("text", ['="butler"', "=17", "=Results!$A$1", '="IAF"'])
def test_unknown_settings_are_the_defaults(excel: TriedExcel, tmp_path: Path, text: str) -> None:
    """A workbook may have names of ours that refer to anything."""
    from valet_xl_excel.ribbon import ExcelSheet

    excel.open(make(tmp_path / "results.xlsx", plain))
    for name in REMEMBERED:
        excel.book.names.add(f"valet_xl_{name}", text)
    assert settings(ExcelSheet(excel.book)) == Options()


def test_settings_survive_saving(excel: TriedExcel, tmp_path: Path) -> None:
    """They are hidden names of the workbook, so that they are in its file."""
    excel.open(make(tmp_path / "results.xlsx", plain))
    excel.choose(CHOSEN)
    assert {name.name for name in excel.book.names} == {f"valet_xl_{name}" for name in REMEMBERED}
    assert not any(name.api.Visible for name in excel.book.names)
    excel.host.app.save(tmp_path / "saved.xlsx", workbook=excel.host.book)
    excel.open(tmp_path / "saved.xlsx")
    assert excel.choices() == CHOSEN


def test_settings_of_an_earlier_add_in_are_understood(excel: TriedExcel, tmp_path: Path) -> None:
    """It wrote a switch as TRUE and not as a text."""
    excel.open(make(tmp_path / "results.xlsx", plain))
    excel.book.names.add("valet_xl_cloud", "=TRUE")
    excel.book.names.add("valet_xl_method", '="datum"')
    assert excel.choices() == Options(cloud=True, method="datum")


COMMANDS_ON_SHEETS = ["score", "check", "rank", "undo"]


@pytest.mark.parametrize("command", COMMANDS_ON_SHEETS)
def test_a_chart_that_is_shown_is_refused(excel: TriedExcel, tmp_path: Path, command: str) -> None:
    """It has no cells; the sheet that was shown before it is not taken for it."""
    excel.open(make(tmp_path / "results.xlsx", pairs))
    before = excel.looks(), excel.sheets(), excel.rest()
    excel.show_chart()
    assert excel.do(command) == "The sheet that is shown has no cells (show a worksheet, then try again)"
    assert (excel.looks(), excel.sheets(), excel.rest()) == before


@pytest.mark.parametrize("area", ["B2:C3,E5", "A:A,C1:D2"])
def test_several_areas_that_are_selected_change_nothing(excel: TriedExcel, tmp_path: Path, area: str) -> None:
    """The whole sheet is scored, and they are selected afterwards."""
    found = []
    for selected in ("A1", area):
        excel.open(make(tmp_path / "results.xlsx", plain))
        excel.select(selected)
        before = excel.selected()
        assert [excel.do(command) for command in ("check", "score")] == ["6 results on 2 boards, nothing wrong.", ""]
        scored = excel.looks()
        assert excel.do("undo") == ""
        assert excel.selected() == before
        found.append((scored, excel.looks()))
    assert found[0] == found[1]


def test_a_filtered_sheet_is_read_whole(excel: TriedExcel, tmp_path: Path) -> None:
    """Rows that a filter hides are results too: checking and ranking find what they find without it."""
    found = []
    for filtered in (False, True):
        excel.open(make(tmp_path / "results.xlsx", pairs))
        if filtered:
            excel.sheet.used_range.api.AutoFilter(1, "1")
        said = [excel.do("check"), excel.do("rank")]
        found.append((said, excel.shown(), excel.cells()))
    assert found[0] == found[1]


def test_a_filter_that_hides_nothing_is_no_obstacle(excel: TriedExcel, tmp_path: Path) -> None:
    excel.open(make(tmp_path / "results.xlsx", plain))
    excel.sheet.used_range.api.AutoFilter()
    assert excel.do("score") == ""
    assert excel.sheet.range("F2").value == 420


def test_scoring_costs_no_call_for_each_row(excel: TriedExcel, tmp_path: Path) -> None:
    """Each question to Excel goes from one program to the other. A sheet with ten times the rows needs no more."""

    def calls(rows: int) -> int:
        many = [[1, "4S", "N", at % 4 + 9, "HK"] for at in range(rows)]
        excel.open(make(tmp_path / "r.xlsx", lambda _, sheet: [sheet.write_row(*each) for each in _rows(many)]))
        before = Com.calls
        assert excel.do("score") == ""
        return Com.calls - before

    assert 0 < calls(20) == calls(200)


def _rows(rows: list[list[object]]) -> list[tuple[int, int, list[object]]]:
    return [(at, 0, row) for at, row in enumerate([HEADINGS, *rows])]
