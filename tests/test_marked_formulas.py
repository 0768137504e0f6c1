"""Workbooks that Excel on a Mac or on the web saved: functions of its add-ins have a mark before their names."""

from __future__ import annotations

import re
import zipfile
from pathlib import Path

import pytest
import xlsxwriter
from python_calamine import CalamineWorkbook

from valet_xl.sheets.score_file import score_file

HEADINGS = ["Board", "Contract", "By", "Tricks"]
TRICKS = [10.0, 9.0, 11.0]


def saved(path: Path, mark: str) -> Path:
    """Results whose tricks are computed by functions of an add-in, with the values that Excel saved."""
    with xlsxwriter.Workbook(path) as book:
        sheet = book.add_worksheet()
        sheet.write_row(0, 0, HEADINGS)
        for row, tricks in enumerate(TRICKS, 1):
            sheet.write_row(row, 0, [1, "4S", "N"])
            sheet.write_formula(row, 3, f"={mark}VALET_IMP({row})+{row}", None, tricks)
        sheet.write_array_formula("G1:G2", f"{{={mark}VALET_IAF(A1:A2)}}", None, 1)
    return path


def formulas(path: Path) -> list[str]:
    with zipfile.ZipFile(path) as archive:
        return re.findall(r"<f[ >].*?</f>", archive.read("xl/worksheets/sheet1.xml").decode())


@pytest.mark.parametrize("mark", ["_xldudf_", "_xldudf_BRIDGE_", "_xll.", "[1]!_xldudf_", ""])
def test_values_are_read_and_formulas_stay(tmp_path: Path, mark: str) -> None:
    """The scores are those of plain numbers; every formula is what it was, mark and all."""
    path = saved(tmp_path / "saved.xlsx", mark)
    before = formulas(path)
    assert len(before) == 4 and all(f"{mark}VALET_" in each for each in before)
    score_file(path)
    assert formulas(path) == before
    rows = CalamineWorkbook.from_path(str(path)).get_sheet_by_index(0).to_python()
    at = rows[0].index("Score")
    assert [row[at] for row in rows[1:4]] == [420.0, -50.0, 450.0]
