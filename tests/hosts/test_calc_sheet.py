"""Score sheet and its companions on a sheet that is open in a real Calc: the same cells as the file route's."""

from __future__ import annotations

import datetime
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
import xlsxwriter
from host_sheets import HEADINGS, ROWS, WRONG, plain, titled
from office import XLSX, Calc, calc, needs_calc

from valet_xl.engine.options import Options
from valet_xl.functions.catalogue import REGISTRY
from valet_xl.sheets.score_file import score_file

pytestmark = needs_calc

RESULTS = Path(__file__).parents[2] / "workbooks" / "results.xlsx"
SEEN = "A1:Z20"  # what is compared of a sheet


@pytest.fixture(scope="module")
def host(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Calc]:
    """Calc with the extension."""
    with calc(tmp_path_factory.mktemp("profile")) as running:
        yield running


# -- sheets as people have them


def designed(book: xlsxwriter.Workbook, sheet: Any) -> None:
    """Headings with a fill, rows in two colours, texts at the right, dates beside the results."""
    heading = book.add_format({"bold": True, "bg_color": "#1F4E78", "font_color": "white"})
    looks = [
        book.add_format({"bg_color": colour, "align": "right", "italic": True}) for colour in ("#FFFFFF", "#DDEBF7")
    ]
    days = [
        book.add_format({"num_format": "yyyy-mm-dd", "bg_color": colour, "italic": True})
        for colour in ("#FFFFFF", "#DDEBF7")
    ]
    sheet.write_row(0, 0, [*HEADINGS, "Day"], heading)
    for at, row in enumerate(ROWS, 1):
        sheet.write_row(at, 0, row, looks[at % 2])
        sheet.write_datetime(at, 5, datetime.datetime(2026, 4, at), days[at % 2])


def wrong(book: xlsxwriter.Workbook, sheet: Any) -> None:
    """Rows that are not understood, for one because of an error or a date, and one without a result."""
    plain(book, sheet)
    sheet.write_row(7, 0, WRONG)
    sheet.write_row(8, 0, [4])
    sheet.write_row(9, 0, [3, "2H", "E", 8, "SA"])
    sheet.write_row(10, 0, [5, "2H", "E", None, "SA"])
    sheet.write_formula(10, 3, "=NA()", None, "#N/A")
    sheet.write_row(11, 0, [6, None, "E", 8, "SA"])
    sheet.write_datetime(11, 1, datetime.datetime(2026, 4, 3), book.add_format({"num_format": "yyyy-mm-dd"}))


def table(book: xlsxwriter.Workbook, sheet: Any) -> None:
    sheet.add_table(2, 1, 2 + len(ROWS), 5, {"data": ROWS, "columns": [{"header": name} for name in HEADINGS]})


def table_apart(book: xlsxwriter.Workbook, sheet: Any) -> None:
    """Something stands right of the table, so that it cannot grow."""
    table(book, sheet)
    sheet.write(4, 7, "a remark")


SHEETS = (plain, titled, designed, wrong, table, table_apart)
CHOICES = (Options(), Options(method="matchpoints", cloud=True, lead="card", datum="trimmed"))


def make(path: Path, sheet: Callable[[xlsxwriter.Workbook, Any], None]) -> str:
    book = xlsxwriter.Workbook(path)
    sheet(book, book.add_worksheet("Results"))
    book.close()
    return str(path)


def choose(host: Calc, options: Options) -> None:
    for setting in ("method", "lead", "datum"):
        assert host.dispatch(f"valetxl:{setting}.{getattr(options, setting)}") == ""
    if options.cloud != host.ticked("valetxl:cloud"):
        host.dispatch("valetxl:cloud")


def state(host: Calc) -> tuple[object, ...]:
    return host.looks(SEEN), host.widths(), host.tables()


# -- the same as the file route


@pytest.mark.parametrize("options", CHOICES, ids=["default", "matchpoints"])
@pytest.mark.parametrize("sheet", SHEETS, ids=lambda sheet: sheet.__name__)
def test_open_sheet_gets_the_cells_of_the_file(
    host: Calc, tmp_path: Path, sheet: Callable[..., None], options: Options
) -> None:
    """Values, number formats, looks and tables are those that `valet-xl score` writes."""
    path = make(tmp_path / "results.xlsx", sheet)
    host.open(path)
    choose(host, options)
    message = host.dispatch("valetxl:score")
    assert ("Not understood" in message) == (sheet is wrong)
    ours = host.looks(SEEN), host.tables()
    host.close()
    score_file(Path(path), options=options)
    host.open(path)
    assert ours == (host.looks(SEEN), host.tables())


def test_real_results_get_the_cells_of_the_file(host: Calc, tmp_path: Path) -> None:
    """104 results of three championships, cell for cell."""
    path = shutil.copy(RESULTS, tmp_path / "results.xlsx")
    host.open(str(path))
    assert host.dispatch("valetxl:score") == ""
    ours = host.looks("A1:Z120")
    host.close()
    score_file(Path(path))
    host.open(str(path))
    assert ours == host.looks("A1:Z120")


@pytest.mark.parametrize("sheet", SHEETS, ids=lambda sheet: sheet.__name__)
def test_scoring_twice_changes_nothing(host: Calc, tmp_path: Path, sheet: Callable[..., None]) -> None:
    """The second time writes the same cells in the same place."""
    host.open(make(tmp_path / "results.xlsx", sheet))
    host.dispatch("valetxl:score")
    once = state(host)
    host.dispatch("valetxl:score")
    assert state(host) == once


@pytest.mark.parametrize("sheet", SHEETS, ids=lambda sheet: sheet.__name__)
def test_other_method_takes_the_place_of_the_former(host: Calc, tmp_path: Path, sheet: Callable[..., None]) -> None:
    """Scored with more columns and again with fewer, the sheet holds what it does when scored once."""
    host.open(make(tmp_path / "results.xlsx", sheet))
    host.dispatch("valetxl:score")
    once = host.cells(), host.tables()
    choose(host, CHOICES[1])
    host.dispatch("valetxl:score")
    assert host.cells() != once[0]
    choose(host, CHOICES[0])
    host.dispatch("valetxl:score")
    assert (host.cells(SEEN), host.tables()) == (padded(once[0]), once[1])


def padded(cells: list[list[Any]]) -> list[list[Any]]:
    rows = [[*row, *[""] * (26 - len(row))] for row in cells]
    return [*rows, *[[""] * 26] * (20 - len(rows))]


# -- undoing


@pytest.mark.parametrize("sheet", SHEETS, ids=lambda sheet: sheet.__name__)
def test_scoring_is_one_step_to_undo(host: Calc, tmp_path: Path, sheet: Callable[..., None]) -> None:
    """Undone, every cell, look, width and table is as before; redone, every cell is there again."""
    host.open(make(tmp_path / "results.xlsx", sheet))
    before = state(host)
    host.dispatch("valetxl:score")
    after = host.cells(SEEN), host.tables()
    assert host.steps() == ["Score sheet"]
    host.undo()
    assert state(host) == before
    host.redo()
    assert (host.cells(SEEN), host.tables()) == after


def test_another_method_is_one_step_too(host: Calc, tmp_path: Path) -> None:
    """Undone, the former columns are back."""
    host.open(make(tmp_path / "results.xlsx", wrong))
    choose(host, CHOICES[1])
    host.dispatch("valetxl:score")
    once = host.looks(SEEN)
    choose(host, CHOICES[0])
    host.dispatch("valetxl:score")
    twice = host.cells(SEEN)
    assert host.steps() == ["Score sheet"] * 2
    host.undo()
    assert host.looks(SEEN) == once
    host.redo()
    assert host.cells(SEEN) == twice


@pytest.mark.parametrize("sheet", SHEETS, ids=lambda sheet: sheet.__name__)
def test_undo_scoring_gives_the_sheet_back(host: Calc, tmp_path: Path, sheet: Callable[..., None]) -> None:
    """Cells, looks, tables and widths are what they were, and that is one step to undo as well."""
    host.open(make(tmp_path / "results.xlsx", sheet))
    before = state(host)
    host.dispatch("valetxl:score")
    scored = host.cells(SEEN)
    assert host.dispatch("valetxl:undo") == ""
    assert state(host) == before
    assert host.steps() == ["Undo scoring", "Score sheet"]
    host.undo()
    assert host.cells(SEEN) == scored
    host.dispatch("valetxl:undo")
    assert "Nothing to undo" in host.dispatch("valetxl:undo")


def test_what_stands_right_of_ours_is_kept(host: Calc, tmp_path: Path) -> None:
    """Neither another method nor undoing touches a remark."""
    host.open(make(tmp_path / "results.xlsx", plain))
    host.dispatch("valetxl:score")
    host.put("V5", [["mine"]])
    for options in (CHOICES[1], CHOICES[0]):
        choose(host, options)
        host.dispatch("valetxl:score")
    host.dispatch("valetxl:undo")
    assert host.cells("V5") == [["mine"]]


# -- sheets that cannot be scored


@pytest.mark.parametrize(
    ("spoil", "said"),
    [
        (lambda host: host.clear("B1"), "Heading row 1 has Board (A1)"),
        (lambda host: host.clear("A1:Z40"), "No heading row found"),
        (lambda host: host.protect(), "The sheet is protected"),
        (lambda host: host.merge("G2:G3"), "F1:N7 holds merged cells"),
    ],
    ids=["no contract", "empty", "protected", "merged"],
)
def test_sheet_that_cannot_be_scored_is_left_alone(
    host: Calc, tmp_path: Path, spoil: Callable[[Calc], object], said: str
) -> None:
    """One message says why; nothing is written, and there is nothing to undo."""
    host.open(make(tmp_path / "results.xlsx", plain))
    spoil(host)
    before, steps = host.looks(SEEN), host.steps()
    message = host.dispatch("valetxl:score")
    assert message.startswith(said)
    assert "Traceback" not in message
    assert (host.looks(SEEN), host.steps()) == (before, steps)


def test_value_in_the_way_is_named(host: Calc, tmp_path: Path) -> None:
    """More columns than the last time find a cell that is not ours."""
    host.open(make(tmp_path / "results.xlsx", plain))
    host.dispatch("valetxl:score")
    host.put("O3", [["mine"]])
    choose(host, CHOICES[1])
    before = host.looks(SEEN)
    assert host.dispatch("valetxl:score") == "O3 holds a value; F1:P7 must be free (clear or move it)"
    assert host.looks(SEEN) == before


def test_formula_in_the_way_is_refused(host: Calc, tmp_path: Path) -> None:
    """A formula among the former columns is its owner's."""
    host.open(make(tmp_path / "results.xlsx", plain))
    host.dispatch("valetxl:score")
    host.plain_formula("H4", "=1+1")
    assert "holds a formula" in host.dispatch("valetxl:score")


# -- what the user sees


def test_selection_stays_unless_a_row_is_wrong(host: Calc, tmp_path: Path) -> None:
    """The user is shown the first row that was not understood; the message lists all."""
    host.open(make(tmp_path / "results.xlsx", plain))
    host.select("B3:C4")
    assert host.dispatch("valetxl:score") == ""
    assert host.selected() == "B3:C4"
    host.open(make(tmp_path / "wrong.xlsx", wrong))
    for command in ("check", "score"):
        host.select("A1")
        assert "row 8, Contract: '9H' (level must be 1-7)\n" in host.dispatch(f"valetxl:{command}")
        assert host.selected() == "A8:E8"


def test_check_writes_nothing(host: Calc, tmp_path: Path) -> None:
    host.open(make(tmp_path / "results.xlsx", wrong))
    before = host.looks(SEEN)
    assert host.dispatch("valetxl:check").startswith("3 rows not understood.")
    assert (host.looks(SEEN), host.steps()) == (before, [])


def test_messages_are_short(host: Calc, tmp_path: Path) -> None:
    """Of a thousand bad rows a message box shows some, and how many more there are."""

    def many(book: xlsxwriter.Workbook, sheet: Any) -> None:
        for at, row in enumerate([HEADINGS, *([WRONG] * 1000)]):
            sheet.write_row(at, 0, row)

    host.open(make(tmp_path / "results.xlsx", many))
    message = host.dispatch("valetxl:check")
    assert message.startswith("1,000 rows not understood.\nrow 2, ")
    assert len(message) < 1000
    assert message.endswith("more")


def pairs(book: xlsxwriter.Workbook, sheet: Any) -> None:
    """10 IMPs on the first board and 12 on the second; the fifth row is wrong."""
    rows: list[tuple[Any, ...]] = [
        ("Board", "NS", "EW", "Contract", "By", "Tricks"),
        (1, "1", "2", "4S", "N", 10),
        (1, "3", "=4", "4S", "N", 9),
        (2, "1", "2", "3NT", "S", 8),
        (2, "3", "=4", "3NT", "S", 9),
        (3, "1", "2", "9H", "S", 9),
    ]
    for at, row in enumerate(rows):
        for along, cell in enumerate(row):
            (sheet.write_string if isinstance(cell, str) else sheet.write_number)(at, along, cell)


def test_rank_pairs_on_a_sheet_of_its_own(host: Calc, tmp_path: Path) -> None:
    """It has the engine's ranking, names as texts; a second one is another sheet; undoing takes it away."""
    host.open(make(tmp_path / "results.xlsx", pairs), shown=True)  # Calc takes a sheet away where it is seen
    before = host.cells()
    told = "Ranked without the boards of what was not understood:\nrow 6, Contract: '9H' (level must be 1-7)"
    for name in ("Ranking", "Ranking 2"):
        host.show("Results")
        assert host.dispatch("valetxl:rank") == told
        rows = host.cells(sheet=name)
        assert rows[0][:4] == ["Rank", "Pair", "Boards", "Overall"]
        assert {row[1]: row[3] for row in rows[1:]} == {"1": -1, "2": 1, "3": 1, "=4": -1}
        assert host.cells() == rows
    assert host.cells(sheet="Results") == before
    assert len(host.steps()) == 2
    host.undo()
    host.undo()
    assert host.sheets() == ["Results"]


def test_rank_pairs_without_pairs(host: Calc, tmp_path: Path) -> None:
    host.open(make(tmp_path / "results.xlsx", plain))
    assert host.dispatch("valetxl:rank").startswith("No pairs are named")
    assert (host.sheets(), host.steps()) == (["Results"], [])


def test_function_list_is_a_sheet(host: Calc, tmp_path: Path) -> None:
    """It lists every function; asked for again it is shown, not written again; the examples are texts."""
    host.open(make(tmp_path / "results.xlsx", plain))
    for _ in range(2):
        assert host.dispatch("valetxl:functions") == ""
        rows = host.cells()
        assert [row[0] for row in rows] == ["Function", *(function.usage for function in REGISTRY.values())]
        assert [row[4] for row in rows[1:]] == [function.example for function in REGISTRY.values()]
    assert len(host.steps()) == 1
    host.undo()
    assert host.dispatch("valetxl:functions") == ""
    assert len(host.cells()) == len(rows)


def test_about_tells_the_versions(host: Calc) -> None:
    host.open()
    lines = host.dispatch("valetxl:about").splitlines()
    assert lines[0].endswith(f"{len(REGISTRY)} worksheet functions")
    assert "numpy" in lines[1]
    assert lines[2].startswith("LibreOffice 2")


# -- options


def test_menu_ticks_what_the_document_remembers(host: Calc, tmp_path: Path) -> None:
    """The defaults at first; the choices are no steps to undo, and they are in a saved file, for Excel too."""
    host.open(make(tmp_path / "results.xlsx", plain))
    assert host.ticked("valetxl:score") is None
    assert host.ticked("valetxl:method.iaf") is True
    assert host.ticked("valetxl:cloud") is False
    choose(host, CHOICES[1])
    assert host.ticked("valetxl:method.iaf") is False
    assert host.ticked("valetxl:method.matchpoints") is True
    assert host.ticked("valetxl:cloud") is True
    assert host.steps() == []
    host.save(str(tmp_path / "saved.xlsx"), XLSX)
    host.open(str(tmp_path / "saved.xlsx"))
    assert [host.ticked(f"valetxl:{item}") for item in ("lead.card", "datum.trimmed", "cloud")] == [True] * 3


@pytest.mark.parametrize("kept", ['"butler"', "17", "$Results.$A$1", '"IAF"'])
def test_unknown_settings_are_the_defaults(host: Calc, tmp_path: Path, kept: str) -> None:
    """A document may hold names of ours with anything in them."""
    host.open(make(tmp_path / "results.xlsx", plain))
    for setting in ("method", "lead", "datum", "cloud"):
        host.add_name(f"valet_xl_{setting}", kept)
    ticked = [f"{setting}.{getattr(Options(), setting)}" for setting in ("method", "lead", "datum")]
    assert [host.ticked(f"valetxl:{item}") for item in ticked] == [True] * 3


def test_option_that_is_none_is_refused(host: Calc) -> None:
    host.open()
    assert host.dispatch("valetxl:method.butler").startswith("Method must be one of iaf, ")
    assert host.names() == {}


def test_undo_takes_scores_whose_results_are_gone(host: Calc, tmp_path: Path) -> None:
    """The owner cleared the last results; their scores go too, and what is below them does not."""
    host.open(make(tmp_path / "results.xlsx", plain))
    host.dispatch("valetxl:score")
    host.clear("A6:E7")
    host.put("G9", [["mine"]])
    assert host.dispatch("valetxl:undo") == ""
    assert host.cells("F6:N7") == [[""] * 9] * 2
    assert host.cells("G9") == [["mine"]]
