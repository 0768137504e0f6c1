"""Every workbook that is shipped, built, scored or reported, before judges that are stricter than an office program."""

from __future__ import annotations

import os
import re
from pathlib import Path

import pytest
from validators import PROGRAM, own, problems, sdk
from workbook_samples import SAMPLES, SHEET, Sample, edit, plain
from xlsxwriter import Workbook

from valet_xl.engine.options import Options
from valet_xl.sheets.score_file import score_file

SHIPPED = sorted((Path(__file__).parents[1] / "workbooks").glob("*.xl*"))


def test_the_sdk_is_there_where_it_is_required() -> None:
    if sdk() is None and os.environ.get("VALET_XL_HOSTS") != "required":
        pytest.skip(f"no {PROGRAM}: Microsoft's Open XML SDK judges nothing here")
    assert sdk() is not None


@pytest.mark.parametrize("path", SHIPPED, ids=lambda path: path.name)
def test_shipped_workbook(path: Path) -> None:
    assert problems(path) == []


@pytest.mark.parametrize("sample", SAMPLES, ids=lambda sample: sample.name)
def test_scoring_adds_no_problem(sample: Sample, tmp_path: Path) -> None:
    """Once and again: what was wrong in a workbook before may stay, and nothing comes to it."""
    path = tmp_path / f"sample{sample.suffix}"
    sample.make(path)
    before = problems(path)
    for method in ("iaf", "matchpoints"):
        score_file(path, options=Options(method=method, cloud=True))
        assert [text for text in map(plain_of, problems(path)) if text not in map(plain_of, before)] == []


def plain_of(problem: str) -> str:
    """A problem without the numbers that it counts."""
    return re.sub(r"\d+", "0", problem)


def test_a_sheet_with_what_spreadsheets_make_of_it(tmp_path: Path) -> None:
    """Notes with markup, control characters and line breaks in the cells that they quote."""
    path = tmp_path / "odd.xlsx"
    with Workbook(path) as book:
        sheet = book.add_worksheet("Results")
        rows = [
            ["Board", "Contract", "By", "Tricks"],
            [1, "4S", "N", 10],
            [1, "9H<&>\"'\x01\n]]>", "S", 9],
            [2, "3NT", "S", 9],
        ]
        for at, row in enumerate([*rows, [2, "3NT", "N", 8]]):
            sheet.write_row(at, 0, row)
    score_file(path)
    assert problems(path) == []


# -- the judges see what they are there for


def planted(path: Path, pattern: str, replacement: str, part: str = SHEET) -> list[str]:
    plain(path)
    edit(path, part, pattern, replacement)
    return list(own(path))


@pytest.mark.parametrize(
    ("pattern", "replacement", "wanted"),
    [
        (r'<row r="3"', '<row r="1"', "row 1 comes after row 2"),
        (r'<c r="B2"', '<c r="A2"', "cell A2 comes after column 1"),
        (r'<c r="B2"', '<c r="B7"', "cell B7 is in row 2"),
        (r'(<c r="F2"[^>]*>)<v>[^<]*', r"\1<v>NaN", "'NaN' is no number"),
        (r'(<c r="F2"[^>]*>)<v>[^<]*', r"\1<v>INF", "'INF' is no number"),
        (r'(<c r="F2"[^>]*>)<v>[^<]*', r"\1<v>0x7", "'0x7' is no number"),
        (r'<c r="A1" t="s"><v>0</v>', '<c r="A1" t="s"><v>999</v>', "text 999 of"),
        (r'<c r="A2"', '<c r="A2" s="77"', "format 77 of"),
    ],
)
def test_our_own_judge(pattern: str, replacement: str, wanted: str, tmp_path: Path) -> None:
    found = planted(tmp_path / "planted.xlsx", pattern, replacement)
    assert any(wanted in text for text in found), found


def test_our_own_judge_counts(tmp_path: Path) -> None:
    found = planted(tmp_path / "planted.xlsx", r'<cellXfs count="\d+"', '<cellXfs count="9"', "xl/styles.xml")
    assert any("cellXfs counts 9" in text for text in found)


@pytest.mark.parametrize(
    ("part", "pattern", "replacement"),
    [
        (SHEET, "<sheetData>", '<sheetData><nonsense xmlns="x"/>'),
        (SHEET, r"<sheetData>(.*)</sheetData>(.*?)</worksheet>", r"\2<sheetData>\1</sheetData></worksheet>"),
        ("xl/workbook.xml", r'sheetId="1"', 'sheetId="x"'),
    ],
)
def test_the_others_judge_the_schema(part: str, pattern: str, replacement: str, tmp_path: Path) -> None:
    path = tmp_path / "planted.xlsx"
    plain(path)
    edit(path, part, pattern, replacement)
    assert problems(path) != []
