"""The zoo sees what it is there for: tests/zoo.py on our own samples, whole and with planted faults."""

from __future__ import annotations

import os
import re
import sys
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest
from test_ods import RESULTS, pack, rows, sheet_of
from workbook_samples import SAMPLES, SHEET, edit, parts, plain
from xlsxwriter import Workbook as New

sys.path.insert(0, str(Path(__file__).parents[1]))
from tests import zoo
from valet_xl.documents.markup import Element
from valet_xl.documents.ooxml import styles
from valet_xl.documents.ooxml.package import Package
from valet_xl.documents.ooxml.sheet import SheetPart


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """A workbook without results."""
    made = tmp_path / "other.xlsx"
    with New(made) as book:
        sheet = book.add_worksheet("Members")
        for at, row in enumerate([["Name", "Town"], ["Ada", "Leeds"], ["Bo", "Ghent"]]):
            sheet.write_row(at, 0, row, book.add_format({"bold": at == 0}))
        sheet.add_table(0, 0, 2, 1, {"columns": [{"header": "Name"}, {"header": "Town"}]})
    return made


def test_our_samples_have_no_problem(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """All of them, an .ods file, one that is no workbook, and one that is protected."""
    for sample in SAMPLES:
        sample.make(tmp_path / f"{sample.name}{sample.suffix}")
    pack(tmp_path / "results.ods", sheet_of(rows(RESULTS)))
    (tmp_path / "deeper").mkdir()
    plain(tmp_path / "deeper" / "protected.xlsx")
    edit(tmp_path / "deeper" / "protected.xlsx", SHEET, "</sheetData>", '</sheetData><sheetProtection sheet="1"/>')
    (tmp_path / "none.xlsx").write_bytes(b"none")
    assert zoo.main([str(tmp_path), "--processes", "1"]) == 0
    said = capsys.readouterr().out
    assert re.findall(r"^ +(\d+)  (scored|refused: .*)$", said, re.MULTILINE)[0] == (str(len(SAMPLES) + 1), "scored")
    assert said.count("1  refused: ") == 2
    assert said.endswith(f"{len(SAMPLES) + 3} workbooks, 0 with problems\n")


def test_a_workbook_without_results_gets_some(path: Path) -> None:
    """Below what it has, in the sheet that it opens with."""
    assert zoo.tried(path) == zoo.Found(path, "scored")


def test_parts_with_names_in_capitals(path: Path) -> None:
    """As some programs write them: the judge too finds the formats there."""
    content = {name.replace("styles.xml", "STYLES.XML"): data for name, data in parts(path).items()}
    with zipfile.ZipFile(path, "w") as archive:
        for name, data in content.items():
            archive.writestr(name, data)
    assert zoo.tried(path) == zoo.Found(path, "scored")


@pytest.fixture
def hidden(path: Path) -> Path:
    """That workbook, with a style for the first columns, and with many hidden ones under and right of the new cells."""
    columns = (
        '<col min="1" max="3" width="12" style="0" customWidth="1"/><col min="4" max="16384" width="9" hidden="1"/>'
    )
    edit(path, SHEET, "<sheetData>", f"<cols>{columns}</cols><sheetData>")
    return path


def test_hidden_columns_are_shown_for_new_cells(hidden: Path) -> None:
    assert zoo.tried(hidden) == zoo.Found(hidden, "scored")


def stay_hidden(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(SheetPart, "_show", lambda *_: None)


def another_style(monkeypatch: pytest.MonkeyPatch) -> None:
    show = SheetPart._show

    def changed(self: SheetPart, columns: Element, number: int, width: float) -> None:
        columns.set("style", "1")
        show(self, columns, number, width)

    monkeypatch.setattr(SheetPart, "_show", changed)


def all_shown(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(SheetPart, "_show", lambda self, columns, *_: columns.drop("hidden"))


def another_width(monkeypatch: pytest.MonkeyPatch) -> None:
    widen = SheetPart._widen

    def changed(self: SheetPart, *given: object, **named: object) -> None:
        self.root.child("cols", "col").set("width", "13")  # type: ignore[union-attr]
        widen(self, *given, **named)  # type: ignore[arg-type]

    monkeypatch.setattr(SheetPart, "_widen", changed)


@pytest.mark.parametrize(
    ("plant", "columns"),
    [
        (stay_hidden, "D, E, F, G, H"),
        (another_style, "D, E, F, G, H"),
        (all_shown, "O, P, Q, R, S"),
        (another_width, "A, B, C"),
    ],
)
def test_a_column_that_looks_otherwise_is_found(
    hidden: Path, monkeypatch: pytest.MonkeyPatch, plant: Callable[[pytest.MonkeyPatch], None], columns: str
) -> None:
    plant(monkeypatch)
    assert f"xl/worksheets/sheet1.xml, columns {columns} look otherwise" in zoo.tried(hidden).problems


def test_an_empty_folder_is_no_success(tmp_path: Path) -> None:
    assert zoo.main([str(tmp_path)]) == 1


def new_formats_each_time(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(styles, "_content", lambda element: (object(),))


def another_part(monkeypatch: pytest.MonkeyPatch) -> None:
    save = Package.save

    def changed(self: Package, path: Path) -> None:
        if "docProps/app.xml" in self.parts:
            self.write("docProps/app.xml", self.parts["docProps/app.xml"] + b"<!-- changed -->")
        save(self, path)

    monkeypatch.setattr(Package, "save", changed)


def another_cell(monkeypatch: pytest.MonkeyPatch) -> None:
    put = SheetPart.put

    def changed(self: SheetPart, *given: object) -> bytes:
        return re.sub(rb'(<c r="A2"[^>]*><v>)\d+', rb"\g<1>0", put(self, *given))  # type: ignore[arg-type]

    monkeypatch.setattr(SheetPart, "put", changed)


def a_look(monkeypatch: pytest.MonkeyPatch) -> None:
    put = SheetPart.put

    def changed(self: SheetPart, *given: object) -> bytes:
        return re.sub(rb'(<c r="A2")( s="\d+")?', rb"\1", put(self, *given))  # type: ignore[arg-type]

    monkeypatch.setattr(SheetPart, "put", changed)


def a_format_that_is_none(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(styles.StylesPart, "style", lambda *_: 999)


def damage(monkeypatch: pytest.MonkeyPatch) -> None:
    put = SheetPart.put
    monkeypatch.setattr(SheetPart, "put", lambda self, *given: put(self, *given)[:-9])


def a_panic(monkeypatch: pytest.MonkeyPatch) -> None:
    score = zoo.score_file

    def loud(*given: object, **named: object) -> object:
        os.write(2, b"thread 'main' panicked\n")
        return score(*given, **named)  # type: ignore[arg-type]

    monkeypatch.setattr(zoo, "score_file", loud)


def a_fault(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object, **__: object) -> None:
        raise ZeroDivisionError("division by zero")

    monkeypatch.setattr(zoo, "score_file", fail)


@pytest.mark.parametrize(
    ("plant", "problem"),
    [
        (new_formats_each_time, "a later run changes xl/worksheets/sheet1.xml"),
        (another_part, "docProps/app.xml changed"),
        (another_cell, "sheet 'Members', A2 was 'Ada', is 'Name'"),
        (a_look, "xl/worksheets/sheet1.xml changed outside the new cells"),
        (a_format_that_is_none, "format 999 of"),
        (damage, "is damaged"),
        (a_panic, "on the terminal: thread 'main' panicked"),
        (a_fault, "ZeroDivisionError: division by zero"),
    ],
)
def test_a_planted_fault_is_found(
    path: Path, monkeypatch: pytest.MonkeyPatch, plant: Callable[[pytest.MonkeyPatch], None], problem: str
) -> None:
    plant(monkeypatch)
    assert problem in "; ".join(zoo.tried(path).problems)
