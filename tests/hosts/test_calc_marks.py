"""Workbooks that Excel on a Mac or on the web saved, opened in a real Calc: it knows our functions in them."""

from __future__ import annotations

import re
import zipfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from office import XLSX, Calc, calc, needs_calc
from xlsxwriter import Workbook

pytestmark = needs_calc

MARK = "_xldudf_"
POINTS = [100, 430, 50]


@pytest.fixture(scope="module")
def host(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Calc]:
    """Calc with the extension."""
    with calc(tmp_path_factory.mktemp("profile")) as running:
        yield running


@pytest.fixture
def saved(tmp_path: Path) -> Path:
    """A column, a formula next to another, an array, a dynamic array, a name, and a text; a protected sheet too."""
    path = tmp_path / "saved.xlsx"
    with Workbook(path) as book:
        sheet, locked = book.add_worksheet("Points"), book.add_worksheet("Locked")
        sheet.write_column("A1", POINTS)
        for row in (1, 2, 3):
            sheet.write_formula(f"B{row}", f"={MARK}VALET_IMP(A{row})", None, 0)
        sheet.write_formula("C1", f"={MARK}VALET_IMP(100)+{MARK}VALET_IMP(A2)", None, 0)
        sheet.write_array_formula("D1:D3", f"{{={MARK}VALET_IMP(A1:A3)}}", None, 0)
        sheet.write_dynamic_array_formula("E1:E3", f"={MARK}VALET_IMP(A1:A3)", None, 0)
        sheet.write_formula("F1", f'="{MARK}VALET_IMP(1)"&A1', None, "")
        book.define_name("imps", f"={MARK}VALET_IMP(Points!$A$2)")
        sheet.write_formula("G1", "=imps", None, 0)
        locked.write_formula("A1", f"={MARK}VALET_IMP(100)", None, 3)
        locked.protect()
    return path


def formulas(path: Path, sheet: int) -> list[str]:
    """The formulas of a sheet as they are in the file."""
    with zipfile.ZipFile(path) as archive:
        text = archive.read(f"xl/worksheets/sheet{sheet}.xml").decode()
        text += archive.read("xl/workbook.xml").decode() if sheet == 1 else ""
    return sorted(re.findall(r"<(?:f|definedName)(?: [^>]*)?>([^<]+)<", text))


def test_functions_are_computed_and_saved_with_plain_names(host: Calc, saved: Path, tmp_path: Path) -> None:
    """There is nothing to undo, closing does not ask, and arrays are arrays; a protected sheet stays."""
    host.open(str(saved))
    imps = [3, 10, 2]
    assert host.cells("B1:B3", "Points") == host.cells("D1:D3", "Points") == [[each] for each in imps]
    assert host.cells("E1:E3", "Points") == [[each] for each in imps]
    assert host.cells("C1", "Points") == [[13]] and host.cells("G1", "Points") == [[10]]
    assert host.steps() == [] and not host.modified()
    host.save(str(tmp_path / "back.xlsx"), XLSX)
    assert formulas(tmp_path / "back.xlsx", 1) == [
        f"&quot;{MARK}VALET_IMP(1)&quot;&amp;A1",
        *(f"VALET_IMP({cell})" for cell in ("100)+VALET_IMP(A2", "A1", "A1:A3", "A1:A3", "A2", "A3", "Points!$A$2")),
        "imps",
    ]
    assert formulas(tmp_path / "back.xlsx", 2) == [f"{MARK}valet_imp(100)"]  # small letters are Calc's, unknown names


def test_what_was_saved_again_needs_nothing(host: Calc, saved: Path, tmp_path: Path) -> None:
    """The formulas that Calc wrote are read as they are."""
    host.open(str(saved))
    host.save(str(tmp_path / "back.xlsx"), XLSX)
    before = host.formulas("Points")
    host.open(str(tmp_path / "back.xlsx"))
    assert host.formulas("Points") == before and not host.modified()


def test_a_read_only_document_is_computed_too(host: Calc, saved: Path) -> None:
    """Its file stays as it is, and closing does not ask."""
    before = saved.read_bytes()
    host.open(str(saved), read_only=True)
    assert host.cells("D1:D3", "Points") == [[3], [10], [2]] and not host.modified()
    host.close()
    assert saved.read_bytes() == before


@pytest.fixture
def elsewhere(tmp_path: Path) -> Path:
    """Functions of an add-in with a namespace, in cells, names, validations, conditional formats, and others' ones."""
    path = tmp_path / "elsewhere.xlsx"
    with Workbook(path) as book:
        sheet = book.add_worksheet("Points")
        sheet.write_column("A1", POINTS)
        for row in (1, 2, 3):
            sheet.write_formula(
                f"B{row}", f"={MARK}BRIDGE_VALET_IMP(A{row})+0*{MARK}MY_CLUB_VALET_IMP(A{row})", None, 0
            )
        sheet.write_array_formula("C1:C3", f"{{={MARK}BRIDGE_VALET_IAF(A1:A3)}}", None, 0)
        sheet.write_formula("D1", f"=IF(TRUE,1,{MARK}OTHER_VALET_PARKING(1))", None, 1)
        book.define_name("imps", f"={MARK}BRIDGE_VALET_IMP(Points!$A$2)")
        sheet.write_formula("E1", "=imps", None, 0)
        sheet.data_validation("F1:F3", {"validate": "custom", "value": f"={MARK}BRIDGE_VALET_IMP(A1)>2"})
        sheet.data_validation(
            "G1", {"validate": "decimal", "criteria": "between", "minimum": 0, "maximum": f"={MARK}VALET_IMP($A$2)"}
        )
        fill = book.add_format({"bg_color": "#FF0000"})
        formula = {"type": "formula", "criteria": f"={MARK}BRIDGE_VALET_IMP($A1)>2", "format": fill}
        sheet.conditional_format("A1:A3", formula)
        sheet.conditional_format(
            "B1:B3", {"type": "cell", "criteria": ">", "value": f"={MARK}VALET_IMP(50)", "format": fill}
        )
        chart = book.add_chart({"type": "line"})
        chart.add_series({"values": "=Points!$A$1:$A$3", "name": "=Points!$A$1"})
        sheet.insert_chart("H1", chart)
    return path


def test_a_namespace_is_a_part_of_the_mark_wherever_formulas_are(host: Calc, elsewhere: Path, tmp_path: Path) -> None:
    """Others' functions keep their names."""
    host.open(str(elsewhere))
    assert host.cells("B1:B3", "Points") == [[3], [10], [2]]
    assert host.cells("C1:C3", "Points") == [[-3], [8.5], [-5.5]]
    assert host.cells("E1", "Points") == [[10]]
    assert host.steps() == [] and not host.modified()
    host.save(str(tmp_path / "back.xlsx"), XLSX)
    with zipfile.ZipFile(tmp_path / "back.xlsx") as archive:
        text = archive.read("xl/worksheets/sheet1.xml").decode() + archive.read("xl/workbook.xml").decode()
    assert sorted(re.findall(rf"{MARK}\w+", text, re.IGNORECASE)) == [f"{MARK}other_valet_parking"]
    found = re.findall(r"<(?:formula|formula1|formula2)>([^<]+)<", text)
    assert sorted(each for each in found if "VALET" in each) == [
        "VALET_IMP($A$2)",
        "VALET_IMP($A1)&gt;2",
        "VALET_IMP(50)",
        "VALET_IMP(A1)&gt;2",
    ]
