"""An .ods file that LibreOffice made is scored, keeps all that was in it, and is what a real Calc then opens."""

from __future__ import annotations

import re
import shutil
import zipfile
from dataclasses import replace
from pathlib import Path
from typing import Any

import host_sheets
import pytest
import xlsxwriter
from host_sheets import HEADINGS, WRONG
from lxml import etree
from office import Office as Converter
from office import needs_calc, program
from test_ods import cell, pack, sheet_of

from valet_xl.documents.ods import OdsBook
from valet_xl.documents.page import Block, Table
from valet_xl.documents.xlsx import Workbook
from valet_xl.engine.options import Options
from valet_xl.errors import FileError
from valet_xl.sheets.score_sheet import Scored, score_grid

pytestmark = needs_calc

ROWS: list[list[Any]] = [*host_sheets.ROWS, WRONG, [3, "2H", "E", 8, "SA"]]
TOP, LEFT = 2, 6  # of the new columns
MACRO = """<?xml version="1.0" encoding="UTF-8"?>
<script:module xmlns:script="http://openoffice.org/2000/script" script:name="Module1" script:language="StarBasic">
Sub Main
End Sub
</script:module>
"""
LIBRARY = (
    '<library:library xmlns:library="http://openoffice.org/2000/library" library:name="Standard" library:readonly='
    '"false" library:passwordprotected="false"><library:element library:name="Module1"/></library:library>'
)
LIBRARIES = (
    '<library:libraries xmlns:library="http://openoffice.org/2000/library" xmlns:xlink="http://www.w3.org/1999/xlink">'
    '<library:library library:name="Standard" library:link="false"/></library:libraries>'
)


@pytest.fixture(scope="module")
def calc(tmp_path_factory: pytest.TempPathFactory) -> Converter:
    """LibreOffice."""
    return Converter(program() or "", tmp_path_factory.mktemp("profile"))


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory, calc: Converter) -> Path:
    """A folder with rich.xlsx, and what LibreOffice makes of it: rich.ods."""
    folder = tmp_path_factory.mktemp("made")
    rich(folder / "rich.xlsx")
    calc.convert(folder / "rich.xlsx", folder, "ods")
    return folder


@pytest.fixture(scope="module")
def once(made: Path) -> Path:
    """The file, scored in its place."""
    path = Path(shutil.copy(made / "rich.ods", made / "once.ods"))
    score(path)
    return path


@pytest.fixture
def path(made: Path, tmp_path: Path) -> Path:
    """The file, alone in a folder."""
    return Path(shutil.copy(made / "rich.ods", tmp_path / "rich.ods"))


def rich(path: Path) -> None:
    """Results in a table from B3 on under a title, and most of what else can be in a spreadsheet."""
    book = xlsxwriter.Workbook(path)
    sheet = book.add_worksheet("Results")
    other = book.add_worksheet("It's more")
    sheet.write(0, 1, "Club evening", book.add_format({"bold": True, "bg_color": "#DDEBF7"}))
    columns = [{"header": name} for name in HEADINGS]
    sheet.add_table(TOP, 1, TOP + len(ROWS), 5, {"data": ROWS, "columns": columns, "name": "Evening"})
    sheet.write_comment("C4", "a fine game")
    sheet.conditional_format(
        "E4:E11", {"type": "cell", "criteria": ">", "value": 9, "format": book.add_format({"bold": 1})}
    )
    sheet.data_validation("D4:D11", {"validate": "list", "source": ["N", "E", "S", "W"]})
    sheet.freeze_panes(3, 2)
    sheet.write_formula("B20", "=SUM(E4:E11)", None, 61)
    other.write_formula("A1", "=SUM(Results!E4:E11)", None, 61)
    other.write_formula("A2", "=Tricks*2", None, 20)
    other.write("B1", "2026-04-03")
    other.merge_range("C1:D2", "merged")
    book.define_name("Tricks", "=Results!$E$4")
    chart = book.add_chart({"type": "column"})
    chart.add_series({"values": "=Results!$E$4:$E$11"})
    other.insert_chart("F3", chart)
    book.add_worksheet("Unseen").hide()
    book.close()


def score(path: Path, target: Path | None = None) -> Scored:
    """Score the sheet that a file shows."""
    book = OdsBook.open(path)
    page = book.read(book.active)
    scored = score_grid(page.cells, Options(), page.tables)
    book.put(book.active, scored.block)
    book.save(target or path)
    return scored


def block_at(path: Path, left: int) -> Block:
    """The block of a sheet's scores, put elsewhere."""
    page = OdsBook.open(path).read("Results")
    return replace(score_grid(page.cells, Options(), page.tables).block, left=left)


def cells(path: Path, sheet: str | None = None) -> list[list[object]]:
    """The contents of a sheet."""
    book = OdsBook.open(path)
    return book.read(sheet or book.active).cells


def close(rows: list[list[object]]) -> list[list[object]]:
    """Cells with their numbers in 14 digits: Calc writes 15."""
    return [[float(f"{cell:.13e}") if isinstance(cell, float) else cell for cell in row] for row in rows]


def content(path: Path, part: str = "content.xml") -> etree._Element:
    """A part's tree."""
    with zipfile.ZipFile(path) as archive:
        return etree.fromstring(archive.read(part))


def found(path: Path, names: str, part: str = "content.xml") -> list[tuple[str, str, list[tuple[str, str]]]]:
    """Elements of some local names, with texts and attributes.

    Names of styles are left out, which Calc numbers again, and sizes: Calc fits rows that have none of their own, and
    with them drawings that are tied to cells.
    """
    elements = content(path, part).iter(*(f"{{*}}{name}" for name in names.split()))
    return [
        (
            etree.QName(element).localname,
            "".join(element.itertext("{*}p")),
            sorted(
                (str(name), str(value))
                for name, value in element.items()
                if not re.search("style-name|svg-|caption|end-[xy]", name)
            ),
        )
        for element in elements
    ]


def refused(path: Path, message: str, error: type[Exception]) -> None:
    """Scoring gives one line, the file stays as it is, and nothing is left next to it."""
    before, folder = path.read_bytes(), set(path.parent.iterdir())
    with pytest.raises(error, match=message) as raised:
        score(path)
    assert "\n" not in str(raised.value)
    assert path.read_bytes() == before
    assert set(path.parent.iterdir()) == folder


def test_scored_file_has_the_cells_of_the_scored_xlsx(made: Path, once: Path, tmp_path: Path) -> None:
    """All cells, the new ones and the old; a row that cannot be read has its note."""
    book = Workbook.open(made / "rich.xlsx")
    page = book.read("Results")
    book.put("Results", score_grid(page.cells, Options(), page.tables).block)
    book.save(tmp_path / "rich.xlsx")
    expected = Workbook.open(tmp_path / "rich.xlsx").read("Results").cells
    for row, other in zip(cells(once), expected, strict=True):
        assert [pytest.approx(cell, rel=1e-14) if isinstance(cell, float) else cell for cell in row] == other
    assert [row[LEFT + 8] for row in expected[TOP : TOP + 8]] == [
        "Note",
        *[None] * 6,
        "Contract: '9H' (level must be 1-7)",
    ]


def test_calc_opens_what_was_scored(once: Path, tmp_path: Path, calc: Converter) -> None:
    """With the same cells in all sheets, and the same table."""
    calc.convert(once, tmp_path, "ods")
    again = tmp_path / "once.ods"
    for sheet in ("Results", "It's more", "Unseen"):
        assert close(cells(again, sheet)) == close(cells(once, sheet))
    assert OdsBook.open(again).read("Results").tables == OdsBook.open(once).read("Results").tables
    shown = {paragraph.text for paragraph in content(again).iter("{*}p")}
    assert {"420", "503.3", "-3.00"} <= shown  # by their formats: Calc writes what it shows


def test_all_else_is_kept(made: Path, once: Path) -> None:
    """Other sheets, formulas, comments, formats by condition, names, checks, and the chart."""
    before = made / "rich.ods"
    assert [row[:LEFT] for row in cells(once)] == [row[:LEFT] for row in cells(before)]
    for sheet in ("It's more", "Unseen"):
        assert cells(once, sheet) == cells(before, sheet)
    for names in (
        "table named-range named-expression shape frame object",
        "annotation",
        "conditional-format condition conditional-formats",
        "content-validation",
    ):
        kept = [each for each in found(before, names) if each[0] != "table"]
        assert kept
        assert [each for each in found(once, names) if each[0] != "table"] == kept
    formulas = [
        [
            value
            for element in content(each).iter("{*}table-cell")
            for name, value in element.items()
            if "formula" in name
        ]
        for each in (before, once)
    ]
    assert formulas[0] == formulas[1]
    assert len(formulas[0]) == 3
    with zipfile.ZipFile(before) as old, zipfile.ZipFile(once) as new:
        assert set(old.namelist()) <= set(new.namelist())
    chart = [found(each, "series plot-area chart", "Object 1/content.xml") for each in (before, once)]
    assert chart[0] == chart[1] != []
    looks = [sorted(found(each, "table-properties map")) for each in (before, once)]
    assert looks[0] == looks[1] != []


def test_database_range_grows(made: Path, once: Path) -> None:
    """It ends with the new columns."""
    bottom = TOP + len(ROWS)
    tables = [OdsBook.open(each).read("Results").tables for each in (made / "rich.ods", once)]
    assert tables == [(Table(TOP, 1, bottom, 5, "Evening"),), (Table(TOP, 1, bottom, LEFT + 8, "Evening"),)]


def test_second_time_gives_the_same_bytes(once: Path, tmp_path: Path) -> None:
    """In a copy, of a file that was scored; the file itself stays as it is."""
    path = tmp_path / "once.ods"
    shutil.copy(once, path)
    before = path.read_bytes()
    scored = score(path, tmp_path / "twice.ods")
    assert scored.block.replaces == 9
    assert cells(tmp_path / "twice.ods") == cells(once)
    assert OdsBook.open(tmp_path / "twice.ods").read("Results").tables == OdsBook.open(once).read("Results").tables
    assert path.read_bytes() == before
    assert {each.name for each in tmp_path.iterdir()} == {"once.ods", "twice.ods"}
    assert (tmp_path / "twice.ods").read_bytes() == before


def test_cells_of_all_kinds_are_where_calc_has_them(tmp_path: Path, calc: Converter) -> None:
    """Repeated rows and cells, merged cells, errors, times, comments: where Calc has them, and so are the scores."""
    path = tmp_path / "odd.ods"
    kinds = (
        '<table:table-row table:number-rows-repeated="3"><table:table-cell table:number-columns-repeated="9"/>'
        "</table:table-row><table:table-row>"
        + "".join(cell(name) for name in [*HEADINGS, "Odd", "Odder"])
        + "</table:table-row>"
    )
    odd = [
        cell(0.25, "percentage") + cell("PT42H00M00S", "time"),
        cell("PT18H30M00S", "time") + cell(True),
        '<table:table-cell table:number-columns-spanned="2" office:value-type="string"><text:p>m</text:p>'
        "</table:table-cell><table:covered-table-cell/>",
        '<table:table-cell office:value-type="string" office:string-value="" calcext:value-type="error">'
        "<text:p>#N/A</text:p></table:table-cell>" + cell("2026-04-03", "date"),
        '<table:table-cell office:value-type="string"><office:annotation><text:p>said</text:p></office:annotation>'
        "<text:p>a<text:tab/>b<text:s text:c='3'/>c</text:p></table:table-cell><table:table-cell/>",
        "<table:table-cell><office:annotation><text:p>said</text:p></office:annotation></table:table-cell>"
        '<table:table-cell table:formula="of:=&quot;&quot;"><text:p/></table:table-cell>',
    ]
    for row, others in zip(ROWS[:6], odd, strict=True):
        kinds += "<table:table-row>" + "".join(map(cell, row)) + others + "</table:table-row>"
    kinds += (
        f'<table:table-row table:number-rows-repeated="2">{"".join(map(cell, ROWS[7]))}'
        '<table:table-cell office:value-type="float" office:value="7" table:number-columns-repeated="2"/>'
        "</table:table-row>"
    )
    pack(path, sheet_of(kinds))
    score(path)
    grid = cells(path)
    assert grid[3][:8] == [*HEADINGS, "Odd", "Odder", "Score"]
    assert [row[7] for row in grid[4:]] == [420, 400, 690, -110, 50, 0, -110, -110]
    assert [row[5:7] for row in grid[-2:]] == [[7.0, 7.0]] * 2
    calc.convert(path, tmp_path / "out", "ods")
    assert close(cells(tmp_path / "out" / "odd.ods")) == close(grid)


def test_every_other_part_keeps_its_bytes(path: Path) -> None:
    """Macros, pictures, settings: only the cells change."""
    add_macro(path)
    with zipfile.ZipFile(path) as archive:
        before = {name: archive.read(name) for name in archive.namelist()}
    score(path)
    with zipfile.ZipFile(path) as archive:
        assert archive.namelist() == list(before)
        assert archive.infolist()[0].compress_type == zipfile.ZIP_STORED  # the mimetype
        changed = [name for name, data in before.items() if archive.read(name) != data]
    assert changed == ["content.xml"]


def add_macro(path: Path) -> None:
    """Add a macro to a file."""
    with zipfile.ZipFile(path) as archive:
        parts = {name: archive.read(name) for name in archive.namelist()}
    parts["Basic/script-lc.xml"] = LIBRARIES.encode()
    parts["Basic/Standard/script-lb.xml"] = LIBRARY.encode()
    parts["Basic/Standard/Module1.xml"] = MACRO.encode()
    with zipfile.ZipFile(path, "w") as archive:
        for name, data in parts.items():
            kind = zipfile.ZIP_STORED if name == "mimetype" else zipfile.ZIP_DEFLATED
            archive.writestr(name, data, kind)


def test_formulas_of_the_new_cells_are_computed_when_calc_opens_the_file(
    path: Path, tmp_path: Path, calc: Converter
) -> None:
    """Their values in the file are those from before; a formula of other cells keeps its value too."""
    with zipfile.ZipFile(path) as archive:
        parts = {name: archive.read(name) for name in archive.namelist()}
    text = parts["content.xml"].decode()
    formula = re.search(r'table:formula="of:=Tricks\*2" office:value-type="float" office:value="20"', text)
    assert formula is not None
    new = 'table:formula="of:=SUM([$Results.G4:.G11])" office:value-type="float" office:value="0"'
    pack(path, text.replace(formula[0], new, 1), parts)
    score(path)
    calc.convert(path, tmp_path / "out", "xlsx")
    found = Workbook.open(tmp_path / "out" / "rich.xlsx")
    scores = [row[LEFT] for row in found.read("Results").cells[TOP + 1 :]]
    assert found.read("It's more").cells[1][0] == sum(each for each in scores if isinstance(each, int | float)) != 0


class TestRefused:
    """Nothing is written."""

    def test_protected_sheet(self, path: Path) -> None:
        with zipfile.ZipFile(path) as archive:
            parts = {name: archive.read(name) for name in archive.namelist()}
        name = 'table:name="Results"'
        text = parts["content.xml"].decode().replace(name, f'{name} table:protected="true"', 1)
        pack(path, text, parts)
        refused(path, "sheet '?Results'?: is protected", FileError)

    def test_file_that_is_open_elsewhere(self, path: Path) -> None:
        path.with_name(f".~lock.{path.name}#").touch()
        refused(path, "is open in another program", FileError)

    def test_formula_or_merged_cells_where_the_scores_would_go(self, tmp_path: Path) -> None:
        path = tmp_path / "rich.ods"
        formula = '<table:table-cell table:formula="of:=&quot;&quot;" office:value-type="string"/>'
        plain_rows = [[*HEADINGS], *ROWS[:3]]
        text = [f"<table:table-row>{''.join(map(cell, row))}" for row in plain_rows]
        pack(path, sheet_of("</table:table-row>".join([*text[:2], text[2] + formula, text[3]]) + "</table:table-row>"))
        scored = block_at(path, 5)
        with pytest.raises(FileError, match=r"rich.ods, sheet 'Results': F1:N4 contains a formula"):
            OdsBook.open(path).put("Results", scored)
        wide = '<table:table-cell table:number-columns-spanned="2"/><table:covered-table-cell/>'
        pack(path, sheet_of("</table:table-row>".join([*text[:2], text[2] + wide, text[3]]) + "</table:table-row>"))
        with pytest.raises(FileError, match=r"F1:N4 contains merged cells"):
            OdsBook.open(path).put("Results", block_at(path, 5))

    def test_folder_that_is_not_there(self, path: Path) -> None:
        with pytest.raises(FileError, match="not written, there is no such folder"):
            score(path, path.parent / "none" / "a.ods")
