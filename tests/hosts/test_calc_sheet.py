"""What Calc alone does on a sheet that is open, in a real Calc: the steps to undo, and what the menu ticks."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from host_sheets import (
    HEADINGS,
    ROWS,
    Sheet,
    dated,
    designed,
    far_out,
    make,
    pairs,
    plain,
    table,
    table_apart,
    titled,
    wrong,
)
from office import XLSX, Calc, calc, needs_calc
from tried import SEEN, TriedCalc
from xlsxwriter import Workbook

from valet_xl.engine.options import Options
from valet_xl.functions.catalogue import REGISTRY
from valet_xl.sheets.score_file import score_file

pytestmark = needs_calc

RESULTS = Path(__file__).parents[2] / "workbooks" / "results.xlsx"
SHEETS = (plain, titled, designed, dated, wrong, table, table_apart)
CHOICES = (Options(), Options(method="matchpoints", cloud=True, lead="card", datum="trimmed"))


@pytest.fixture(scope="module")
def host(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Calc]:
    """Calc with the extension."""
    with calc(tmp_path_factory.mktemp("profile")) as running:
        yield running


@pytest.mark.parametrize("command", ["score", "check", "rank", "undo"])
def test_a_sheet_of_too_many_cells_is_refused(host: Calc, tmp_path: Path, command: str) -> None:
    host.open(str(make(tmp_path / "results.xlsx", far_out)))
    assert host.dispatch(f"valetxl:{command}").startswith(
        "The sheet is used to J1048576, which makes 10,485,760 cells (at most 5,000,000: delete the empty rows"
    )


@pytest.mark.parametrize("command", ["score", "rank", "functions", "undo", "cloud", "method.datum"])
def test_a_read_only_document_stays_as_it_is(host: Calc, tmp_path: Path, command: str) -> None:
    """Not even an empty sheet is left, and what only reads still works."""
    path = make(tmp_path / "results.xlsx", pairs)
    host.open(str(path))
    assert "9H" in host.dispatch("valetxl:score")
    host.save(str(path), XLSX)
    host.open(str(path), read_only=True)
    before = state(host), host.sheets(), host.names()
    assert host.dispatch(f"valetxl:{command}") == (
        "The document is read-only (choose Edit, Edit Mode, or save it under another name)"
    )
    assert (state(host), host.sheets(), host.names(), host.steps()) == (*before, [])
    assert "9H" in host.dispatch("valetxl:check")


@pytest.mark.parametrize("command", ["rank", "functions"])
def test_a_document_that_takes_no_sheet_stays_as_it_is(host: Calc, tmp_path: Path, command: str) -> None:
    host.open(str(make(tmp_path / "results.xlsx", pairs)))
    host.protect(structure=True)
    assert host.dispatch(f"valetxl:{command}") == (
        "No sheet can be added (Tools, Protect Spreadsheet Structure; then try again)"
    )
    assert (host.sheets(), host.steps()) == (["Results"], ["Protect document"])


def test_a_filter_takes_the_new_columns_and_hidden_ones_are_shown(host: Calc, tmp_path: Path) -> None:
    """So that sorting takes the scores along; undone, the filter is as before."""
    path = tmp_path / "results.xlsx"
    with Workbook(path) as book:
        sheet = book.add_worksheet("Results")
        for at, row in enumerate([HEADINGS, *ROWS]):
            sheet.write_row(at, 0, row)
        sheet.autofilter(0, 0, len(ROWS), len(HEADINGS) - 1)
        sheet.set_column(6, 6, None, None, {"hidden": True})
        sheet.set_column(11, 30, None, None, {"hidden": True})
    host.open(str(path))
    assert host.dispatch("valetxl:score") == ""
    width = len(HEADINGS)
    assert host.filtered() == [0, 0, len(ROWS), width + 8]
    assert host.shown_columns() == [True] * (width + 9) + [False] * (26 - width - 9)
    host.undo()
    assert host.filtered() == [0, 0, len(ROWS), width - 1]
    host.redo()
    assert host.dispatch("valetxl:score") == ""
    assert host.filtered() == [0, 0, len(ROWS), width + 8]


def choose(host: Calc, options: Options) -> None:
    TriedCalc(host).choose(options)


def state(host: Calc) -> tuple[object, ...]:
    return TriedCalc(host).state()


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
def test_scoring_is_one_step_to_undo(host: Calc, tmp_path: Path, sheet: Sheet) -> None:
    """Undone, every cell, look, width and table is as before; redone, every cell is there again."""
    host.open(str(make(tmp_path / "results.xlsx", sheet)))
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
    host.open(str(make(tmp_path / "results.xlsx", wrong)))
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


def test_scoring_again_keeps_the_looks_of_the_owner(host: Calc, tmp_path: Path) -> None:
    """Those of blank cells that get a value too. Undone, the cells are as before, and redone as after."""
    host.open(str(make(tmp_path / "results.xlsx", wrong)))
    host.dispatch("valetxl:score")
    host.change("G2:I3", CharColor=0xFF0000, CellBackColor=0x00FF00)
    host.change("F8:N8", CharColor=0x0000FF)
    host.put("A8:E8", [[3.0, "3NT", "E", 9.0, "S2"]])
    before = host.looks(SEEN)
    host.dispatch("valetxl:score")
    after = host.looks(SEEN)
    had, got = ({cell[0]: cell[1:] for cell in looks} for looks in (before, after))
    assert (had["F8"][0], got["F8"][0]) == ("", -600.0)
    assert got["F8"][2][-1] == 0x0000FF
    assert all(got[place] == had[place] for place in ("F2", "G2", "I3", "N9"))
    assert got["G2"][1] == 0x00FF00
    host.undo()
    assert host.looks(SEEN) == before
    host.redo()
    assert host.looks(SEEN) == after


@pytest.mark.parametrize("sheet", SHEETS, ids=lambda sheet: sheet.__name__)
def test_undo_scoring_is_one_step_too(host: Calc, tmp_path: Path, sheet: Sheet) -> None:
    """Undone, the scores are back, and Undo scoring finds them."""
    host.open(str(make(tmp_path / "results.xlsx", sheet)))
    host.dispatch("valetxl:score")
    scored = host.cells(SEEN)
    assert host.dispatch("valetxl:undo") == ""
    assert host.steps() == ["Undo scoring", "Score sheet"]
    host.undo()
    assert host.cells(SEEN) == scored
    assert host.dispatch("valetxl:undo") == ""


def test_check_is_no_step(host: Calc, tmp_path: Path) -> None:
    host.open(str(make(tmp_path / "results.xlsx", wrong)))
    assert host.dispatch("valetxl:check").startswith("3 rows cannot be read.")
    assert host.steps() == []


def test_new_sheets_are_steps(host: Calc, tmp_path: Path) -> None:
    """Undoing takes a ranking away, and the list of functions, which is then written again."""
    host.open(str(make(tmp_path / "results.xlsx", pairs)), shown=True)  # Calc takes a sheet away where it is seen
    for command in ("rank", "rank", "functions", "functions"):
        host.show("Results")
        host.dispatch(f"valetxl:{command}")
    assert host.sheets() == ["Results", "Ranking", "Ranking 2", "Bridge functions"]
    assert len(host.steps()) == 3
    for _ in range(3):
        host.undo()
    assert host.sheets() == ["Results"]
    assert host.dispatch("valetxl:functions") == ""
    assert len(host.cells()) > 20


def test_menu_ticks_what_the_document_remembers(host: Calc, tmp_path: Path) -> None:
    """The defaults at first; the choices are no steps to undo, and they are in a saved file, for Excel too."""
    host.open(str(make(tmp_path / "results.xlsx", plain)))
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


def test_option_that_is_none_is_refused(host: Calc) -> None:
    host.open()
    assert host.dispatch("valetxl:method.butler").startswith("Method must be one of iaf, ")
    assert host.names() == {}


# -- looks


def test_columns_are_as_wide_as_their_headings_need(host: Calc, tmp_path: Path) -> None:
    """In a font that is wider than the one that widths are meant for, and larger; numbers do not make them wider."""
    host.open(str(make(tmp_path / "results.xlsx", plain)))
    assert host.dispatch("valetxl:score") == ""
    narrow = host.widths()
    host.dispatch("valetxl:undo")
    host.change("A1:E1", CharFontName="DejaVu Sans", CharHeight=16)
    assert host.dispatch("valetxl:score") == ""
    wide = host.widths()
    host.change("F1:N1", CharHeight=16)
    for at, (before, after) in enumerate(zip(narrow[5:13], wide[5:13], strict=True), 5):
        assert after >= host.needed(at) - 30, at
        assert before <= after < 2 * before + 600, at


def test_a_function_list_keeps_names_whole(host: Calc) -> None:
    """The column is as wide as the longest name with its first argument, and rows are as high as their texts."""
    host.open()
    host.dispatch("valetxl:functions")
    assert host.widths()[0] >= max(len(function.usage.split()[0]) for function in REGISTRY.values()) * 180
    assert max(host.heights(len(REGISTRY))) < 8000  # hundredths of a millimetre


def test_merged_and_hidden_cells_at_the_target_are_seen(host: Calc, tmp_path: Path) -> None:
    """Wherever in the place for the scores: at its edge, inside, and in one row; hidden columns are shown."""
    width = len(HEADINGS)
    for area in ("F1:G1", "H3:I4", "N6:O6", "E4:F4"):
        host.open(str(make(tmp_path / "results.xlsx", plain)))
        host.merge(area)
        assert "contains merged cells" in host.dispatch("valetxl:score"), area
        assert host.steps()[0] != "Score sheet"
    host.open(str(make(tmp_path / "results.xlsx", plain)))
    host.hide("F1:Z1")
    assert host.dispatch("valetxl:score") == ""
    assert host.shown_columns() == [True] * (width + 9) + [False] * (26 - width - 9)
