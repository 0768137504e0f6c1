"""New columns that would not be seen, would be torn off when a sheet is sorted, or are not wanted there."""

from __future__ import annotations

from pathlib import Path

import pytest
from lxml import etree
from test_ods import RESULTS, document, pack, rows
from workbook_samples import SHEET, edit, fill, parts
from xlsxwriter import Workbook

from valet_xl.documents.cell_names import Area
from valet_xl.documents.ods import OdsBook
from valet_xl.documents.page import Block, Column, Page
from valet_xl.engine.options import Options
from valet_xl.errors import FileError
from valet_xl.sheets.score_file import score_file

NINE = 9  # columns that scoring writes, from G to O


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """A workbook with results in A1:F13."""
    made = tmp_path / "results.xlsx"
    with Workbook(made) as book:
        fill(book, book.add_worksheet("Results"))
        book.add_worksheet("Summary")
    return made


def hide(path: Path, *columns: str) -> None:
    edit(path, SHEET, "<sheetData>", f"<cols>{''.join(columns)}</cols><sheetData>")


def looks(path: Path) -> dict[int, tuple[bool, str]]:
    """Of each column, from 1, whether it is hidden, and its width."""
    found = {}
    for each in etree.fromstring(parts(path)[SHEET]).iterfind("{*}cols/{*}col"):
        for number in range(int(each.get("min", 0)), int(each.get("max", 0)) + 1):
            assert number not in found, "two elements for a column"
            found[number] = each.get("hidden") in ("1", "true"), each.get("width", "")
    return found


@pytest.mark.parametrize(
    "hidden",
    [
        ('<col min="7" max="16384" width="9" hidden="1" customWidth="1"/>',),
        ('<col min="7" max="15" width="0" customWidth="1"/>',),
        ('<col min="9" max="9" hidden="true" width="9"/>', '<col min="11" max="30" hidden="1" width="9" style="1"/>'),
    ],
)
def test_hidden_columns_are_shown(hidden: tuple[str, ...], path: Path) -> None:
    """All that are new, and no other."""
    hide(path, *hidden)
    before = looks(path)
    score_file(path)
    after = looks(path)
    for column in range(7, 7 + NINE):
        assert not after[column][0]
        assert float(after[column][1]) > 0
    assert {column: look for column, look in after.items() if column >= 7 + NINE} == {
        column: look for column, look in before.items() if column >= 7 + NINE
    }


def test_a_column_of_ours_that_its_owner_hid_stays_hidden(path: Path) -> None:
    score_file(path)
    edit(path, SHEET, '<col min="8" max="8"', '<col hidden="1" min="8" max="8"')
    score_file(path)
    assert looks(path)[8][0]


def filtered(path: Path, area: str, name: bool = True) -> None:
    """Let the sheet have a filter with a condition on its first column."""
    condition = '<filterColumn colId="0"><filters><filter val="1"/></filters></filterColumn>'
    edit(path, SHEET, "</sheetData>", f'</sheetData><autoFilter ref="{area}">{condition}</autoFilter>')
    if name:
        first, last = area.split(":")
        text = f"Results!${first[0]}${first[1:]}:${last[0]}${last[1:]}"
        defined = f'<definedName name="_xlnm._FilterDatabase" localSheetId="0" hidden="1">{text}</definedName>'
        other = '<definedName name="_xlnm._FilterDatabase" localSheetId="1" hidden="1">Summary!$A$1:$B$2</definedName>'
        edit(path, "xl/workbook.xml", "<calcPr", f"<definedNames>{defined}{other}</definedNames><calcPr")


def filters(path: Path) -> tuple[str, list[str]]:
    """The filter's area, and the areas that names give it."""
    names = etree.fromstring(parts(path)["xl/workbook.xml"]).findall("{*}definedNames/{*}definedName")
    (found,) = etree.fromstring(parts(path)[SHEET]).findall("{*}autoFilter")
    assert len(found) == 1
    return found.get("ref", ""), [name.text or "" for name in names]


def test_a_filter_takes_the_new_columns(path: Path) -> None:
    """So that sorting takes the scores along; it follows when there are fewer or more."""
    filtered(path, "A1:F13")
    for options, last in ((Options(), "O"), (Options(method="matchpoints", cloud=True), "Q"), (Options(), "O")):
        score_file(path, options=options)
        assert filters(path) == (f"A1:{last}13", [f"Results!$A$1:${last}$13", "Summary!$A$1:$B$2"])


def test_a_filter_of_some_columns_takes_all(path: Path) -> None:
    """Its sorting would tear the others off too."""
    filtered(path, "A1:D13", name=False)
    score_file(path)
    assert filters(path) == ("A1:O13", [])


@pytest.mark.parametrize(
    ("area", "grown"),
    [
        (Area(0, 0, 9, 3), Area(0, 0, 9, 6)),
        (Area(0, 0, 9, 2), Area(0, 0, 9, 6)),
        (Area(0, 0, 9, 1), None),  # a table of its own
        (Area(1, 0, 9, 3), None),
        (Area(0, 4, 9, 9), None),
        (Area(0, 0, 9, 9), None),
        (Area(0, 0, 9, 6), None),
    ],
)
def test_the_filter_of_other_cells_stays(area: Area, grown: Area | None) -> None:
    page = Page([["Name", "City", None, "Board", None, None, None, "Other", "Other", "Other"]])
    page = Page([["Name", "City", None, "Board"], []]) if area.right < 9 else page
    columns = tuple(Column(name, "0", 9.0, []) for name in ("Score", "Datum", "Butler"))
    assert page.filter_with(area, Block(0, 4, columns, 0)) == grown


def test_a_protected_sheet_is_refused(path: Path) -> None:
    edit(path, SHEET, "</sheetData>", '</sheetData><sheetProtection sheet="1" objects="1" scenarios="1"/>')
    before = path.read_bytes()
    with pytest.raises(FileError, match=r"results.xlsx, sheet '?Results'?: is protected \(unprotect it, then"):
        score_file(path)
    assert path.read_bytes() == before
    edit(path, SHEET, 'sheet="1"', 'sheet="0"')
    score_file(path)


def test_a_protected_sheet_of_an_ods_file_is_refused(tmp_path: Path) -> None:
    """Before LibreOffice is started, or needed."""
    table = f'<table:table table:name="Results" table:protected="true">{rows(RESULTS)}</table:table>'
    path = pack(tmp_path / "results.ods", document(table))
    with pytest.raises(FileError, match=r"sheet '?Results'?: is protected"):
        OdsBook.open(path).put("Results", Block(0, 4, (), 0))
    with pytest.raises(FileError, match=r"sheet '?Results'?: is protected"):
        score_file(path)
