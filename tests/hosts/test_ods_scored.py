"""A file .ods is scored by a real Calc, started for it without a window, and keeps all that was in it."""

from __future__ import annotations

import re
import shutil
import sys
import zipfile
from collections.abc import Iterator
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
from test_ods import cell, pack, rows, sheet_of

from valet_xl.documents.ods import OdsBook
from valet_xl.documents.page import Table
from valet_xl.documents.xlsx import Workbook
from valet_xl.engine.options import Options
from valet_xl.errors import FileError, SheetError
from valet_xl.sheets.score_sheet import Scored, score_grid
from valet_xl_calc import install, ods

pytestmark = needs_calc

ROWS: list[list[Any]] = [*host_sheets.ROWS, WRONG, [3, "2H", "E", 8, "SA"]]
TOP, LEFT = 2, 6  # of the new columns
MACRO = """<?xml version="1.0" encoding="UTF-8"?>
<script:module xmlns:script="http://openoffice.org/2000/script" script:name="Module1" script:language="StarBasic">
Sub Main
Open "{}" For Output As #1
Print #1, "run"
Close #1
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
ON_LOAD = (
    '<office:scripts><office:event-listeners><script:event-listener xmlns:script="urn:oasis:names:tc:opendocument:'
    'xmlns:script:1.0" script:language="ooo:script" script:event-name="dom:load" xlink:type="simple" '
    'xmlns:xlink="http://www.w3.org/1999/xlink" xlink:href="vnd.sun.star.script:Standard.Module1.Main?'
    'language=Basic&amp;location=document"/></office:event-listeners></office:scripts>'
)


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with rich.xlsx, and what LibreOffice makes of it: rich.ods."""
    folder = tmp_path_factory.mktemp("made")
    rich(folder / "rich.xlsx")
    Converter(program() or "", tmp_path_factory.mktemp("profile")).convert(folder / "rich.xlsx", folder, "ods")
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
    book = OdsBook.open(path, ods.write_ods)
    page = book.read(book.active)
    scored = score_grid(page.cells, Options(), page.tables)
    book.put(book.active, scored.block)
    book.save(target or path)
    return scored


def cells(path: Path, sheet: str | None = None) -> list[list[object]]:
    """The contents of a sheet."""
    book = OdsBook.open(path)
    return book.read(sheet or book.active).cells


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


def setting(path: Path, name: str) -> list[str | None]:
    items = content(path, "settings.xml").iter("{*}config-item")
    return [item.text for item in items if name in item.attrib.values()]


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


def test_second_time_gives_the_same_cells_and_view(once: Path, tmp_path: Path) -> None:
    """In a copy, of a file that was scored; the file itself stays as it is."""
    path = tmp_path / "once.ods"
    with zipfile.ZipFile(once) as archive:
        parts = {name: archive.read(name) for name in archive.namelist()}
    shown = re.sub('(?<="ZoomValue" config:type="int">)100', "150", parts["settings.xml"].decode())
    pack(path, parts["content.xml"].decode(), parts | {"settings.xml": shown.encode()})
    before = path.read_bytes()
    scored = score(path, tmp_path / "twice.ods")
    assert scored.block.replaces == 9
    assert cells(tmp_path / "twice.ods") == cells(once)
    assert OdsBook.open(tmp_path / "twice.ods").read("Results").tables == OdsBook.open(once).read("Results").tables
    assert path.read_bytes() == before
    assert {each.name for each in tmp_path.iterdir()} == {"once.ods", "twice.ods"}
    assert setting(tmp_path / "twice.ods", "ActiveTable") == ["Results"]
    assert setting(tmp_path / "twice.ods", "ZoomValue") == setting(path, "ZoomValue")
    assert "150" in setting(path, "ZoomValue")


def test_cells_of_all_kinds_are_where_calc_has_them(tmp_path: Path) -> None:
    """Repeated rows and cells, merged cells, errors, times, comments: Calc makes sure that none is elsewhere to it."""
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


@pytest.mark.parametrize("allowed", [False, True])
def test_macros_are_kept_and_not_run(
    path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, allowed: bool
) -> None:
    """One that is to run when the file is opened would run where that is allowed."""
    run = tmp_path / "run.txt"
    add_macro(path, run)
    if allowed:
        shutil.copytree(Path(ods.__file__).parent, tmp_path / "calc")
        writer = tmp_path / "calc" / "ods_writer.py"
        text = writer.read_text()
        writer.write_text(text.replace("_NEVER, _NO_UPDATE = 0, 0", "_NEVER, _NO_UPDATE = 4, 0"))
        monkeypatch.setattr(ods, "_HERE", tmp_path / "calc")
    score(path)
    assert run.exists() == allowed
    with zipfile.ZipFile(path) as archive:
        assert b"For Output" in archive.read("Basic/Standard/Module1.xml")


def add_macro(path: Path, run: Path) -> None:
    """Add a macro to a file that writes another when the file is opened."""
    with zipfile.ZipFile(path) as archive:
        parts = {name: archive.read(name) for name in archive.namelist()}
    parts["Basic/script-lc.xml"] = LIBRARIES.encode()
    parts["Basic/Standard/script-lb.xml"] = LIBRARY.encode()
    parts["Basic/Standard/Module1.xml"] = MACRO.format(run).encode()
    parts["content.xml"] = parts["content.xml"].replace(b"<office:scripts/>", ON_LOAD.encode())
    entries = "".join(
        f'<manifest:file-entry manifest:full-path="{name}" manifest:media-type="text/xml"/>'
        for name in parts
        if name.startswith("Basic")
    )
    listed = parts["META-INF/manifest.xml"].decode()
    parts["META-INF/manifest.xml"] = listed.replace("</manifest:manifest>", f"{entries}</manifest:manifest>").encode()
    with zipfile.ZipFile(path, "w") as archive:
        for name, data in parts.items():
            archive.writestr(name, data)


def test_links_are_not_updated_and_stay_right(path: Path, tmp_path: Path, made: Path) -> None:
    """A cell of another file keeps the value that it was saved with, and the file its address, seen from the folder."""
    (tmp_path / "copies").mkdir()
    shutil.copy(made / "rich.ods", tmp_path / "other.ods")
    with zipfile.ZipFile(path) as archive:
        parts = {name: archive.read(name) for name in archive.namelist()}
    outside = "&apos;file:///gone/other.ods&apos;#"
    kept = (
        f'<table:table table:name="{outside}Results" table:print="false"><table:table-source xlink:type="simple" '
        'xlink:href="../other.ods" table:table-name="Results" table:mode="copy-results-only"/><table:table-column/>'
        f"{rows([[61]])}</table:table><table:named-expressions>"
    )
    text = parts["content.xml"].decode().replace("<table:named-expressions>", kept, 1)
    pack(path, text.replace("of:=SUM([.E4:.E11])", f"of:=[{outside}$Results.A1]", 1), parts)
    for target, address in ((path, "../other.ods"), (tmp_path / "copies" / "copy.ods", "../../other.ods")):
        score(path, target)
        assert cells(target)[19][1] == 61
        (source,) = content(target).iter("{*}table-source")
        assert address in source.attrib.values()
        formulas = [value for each in content(target).iter("{*}table-cell") for value in each.attrib.values()]
        assert f"of:=['{(tmp_path / 'other.ods').as_uri()}'#$Results.A1]" in formulas


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

    def test_sheet_that_is_not_what_was_read(self, path: Path) -> None:
        """A row came in while the scores were computed."""
        book = OdsBook.open(path)
        page = book.read("Results")
        scored = score_grid(page.cells, Options(), page.tables)
        other = replace(page, cells=[*page.cells[:5], [None] * 6, *page.cells[5:]])
        with pytest.raises(SheetError, match="sheet Results: B6 is not what was read"):
            ods.write_ods(path, path, "Results", other, scored.block)
        renamed = replace(page, cells=[[("Pair" if each == "Lead" else each) for each in row] for row in page.cells])
        with pytest.raises(SheetError, match="sheet Results: F3 is not what was read"):
            ods.write_ods(path, path, "Results", renamed, scored.block)
        assert [each.name for each in path.parent.iterdir()] == ["rich.ods"]

    def test_folder_that_is_not_there(self, path: Path) -> None:
        with pytest.raises(FileError, match="none: cannot be written to, no such file or directory"):
            score(path, path.parent / "none" / "a.ods")

    @pytest.mark.skipif(sys.platform != "linux", reason="processes are looked for in /proc")
    @pytest.mark.parametrize("patience", [0.2, 1.2])
    def test_calc_that_takes_too_long(self, path: Path, monkeypatch: pytest.MonkeyPatch, patience: float) -> None:
        """It ends with all that was started, before and after the office has."""
        folders = temporary(monkeypatch, path)
        page = OdsBook.open(path).read("Results")
        block = score_grid(page.cells, Options(), page.tables).block
        with pytest.raises(FileError, match=r"did not end in [\d.]+ seconds, and nothing was written"):
            ods.write_ods(path, path, "Results", page, block, patience)
        assert list(folders.iterdir()) == []
        assert [each for each in running() if str(folders) in each] == []
        assert {each.name for each in path.parent.iterdir()} == {"rich.ods", "temporary"}

    def test_office_that_fails(self, path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        """What it started is ended too, and the message has its last line."""
        here = install.Office.here()
        broken = path.with_name("soffice")
        broken.write_text("#!/bin/sh\nexit 3\n")
        broken.chmod(0o755)
        monkeypatch.setattr(ods.Office, "here", lambda: replace(here, program=broken))
        refused(path, "could not write the file, .*did not start", FileError)


def temporary(monkeypatch: pytest.MonkeyPatch, path: Path) -> Path:
    """A folder of its own for temporary files."""
    folder = path.with_name("temporary")
    folder.mkdir()
    monkeypatch.setattr(ods.tempfile, "tempdir", str(folder))
    return folder


def running() -> Iterator[str]:
    """The command lines of all processes."""
    for each in Path("/proc").glob("[0-9]*/cmdline"):
        try:
            yield each.read_bytes().replace(b"\0", b" ").decode(errors="replace")
        except OSError:
            continue


@pytest.mark.skipif(sys.platform == "win32", reason="a program that is a text")
def test_python_of_the_office_needs_no_numpy(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """LibreOffice for Windows and macOS has none."""
    here = install.Office.here()
    without = path.with_name("python")
    without.write_text(
        f"#!{here.python}\nimport runpy, sys\nsys.modules['numpy'] = None\nsys.argv = sys.argv[1:]\n"
        "runpy.run_path(sys.argv[0], run_name='__main__')\n"
    )
    without.chmod(0o755)
    monkeypatch.setattr(ods.Office, "here", lambda: replace(here, python=without))
    score(path)
    assert cells(path)[TOP][LEFT] == "Score"
