"""What somebody sees who gives a wrong file, sheet or option: one line, in words that need no knowledge of programs."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
import xlsxwriter
from click.testing import CliRunner, Result
from workbook_samples import pack, parts

from valet_xl.cli.main import app

GRID = [["Board", "Contract", "By", "Tricks"], [1, "4S", "N", 10], [1, "4S", "N", 9]]
OLE = bytes.fromhex("D0CF11E0A1B11AE1")
LIBRARIES = re.compile(r"openpyxl|calamine|lxml|zip|expat|KeyError|ValueError|Errno|Traceback", re.IGNORECASE)


def run(*arguments: object) -> Result:
    return CliRunner().invoke(app, [str(each) for each in arguments])


def said(*arguments: object) -> str:
    """The one line that a command ends with which could do nothing."""
    result = run(*arguments)
    assert result.exit_code == 2, result.output
    assert result.stderr.count("\n") == 1 and result.stderr.startswith("valet-xl: ")
    assert not LIBRARIES.search(result.stderr), result.stderr
    return result.stderr.removeprefix("valet-xl: ").strip()


def book(path: Path, **sheets: list[list[object]]) -> Path:
    with xlsxwriter.Workbook(path) as file:
        for name, rows in (sheets or {"Results": GRID}).items():
            page = file.add_worksheet(name.replace("_", " "))
            for at, row in enumerate(rows):
                page.write_row(at, 0, row)
    return path


def of_kind(path: Path, content_type: str) -> Path:
    """A workbook whose workbook part says that it is of another kind."""
    content = parts(book(path))
    kind = b"application/vnd.openxmlformats-officedocument.spreadsheetml.sheet.main+xml"
    content["[Content_Types].xml"] = content["[Content_Types].xml"].replace(kind, content_type.encode())
    pack(path, content)
    return path


# -- files


@pytest.mark.parametrize(
    ("name", "data", "message"),
    [
        ("night.xls", OLE + bytes(600) + "Workbook".encode("utf-16-le"), "is an old workbook, .xls (save it as .xlsx,"),
        ("night.xls", OLE + bytes(600) + "Book".encode("utf-16-le"), "is an old workbook, .xls (save it as .xlsx,"),
        (
            "night.xlsx",
            OLE + "EncryptedPackage".encode("utf-16-le"),
            "is protected by a password (save it without one,",
        ),
        ("night.doc", OLE + bytes(600), "is password-protected or an old Office file (save it as"),
        ("night.xlsx", b"hello", "is not a workbook (an .xlsx or .xlsm file expected)"),
        ("night.xlsx", b"PK\3\4 and no more", "is damaged or incomplete (a whole file expected)"),
        ("night.xlsx", b"", "is empty (expected a workbook,"),
        ("night.csv", b" \n", "is empty (expected a workbook,"),
        ("night.csv", b'Board,Contract\n1,"4S', "not a CSV file: line 2 (quotation marks in pairs,"),
    ],
)
def test_a_file_that_is_none_of_ours(tmp_path: Path, name: str, data: bytes, message: str) -> None:
    path = tmp_path / name
    path.write_bytes(data)
    for command in ("score", "rank", "convert"):
        assert message in said(command, path)
        assert path.read_bytes() == data


@pytest.mark.parametrize(
    ("content_type", "what"),
    [
        ("application/vnd.ms-excel.sheet.binary.macroEnabled.main", "a binary workbook, .xlsb"),
        ("application/vnd.openxmlformats-officedocument.spreadsheetml.template.main+xml", "a template, .xltx"),
        ("application/vnd.ms-excel.template.macroEnabled.main+xml", "a template, .xltm"),
        ("application/vnd.ms-excel.addin.macroEnabled.main+xml", "an add-in, .xlam"),
    ],
)
def test_other_kinds_of_workbooks_are_to_be_saved_as_xlsx(tmp_path: Path, content_type: str, what: str) -> None:
    for name in ("night.xlsx", "night.dat"):
        path = of_kind(tmp_path / name, content_type)
        assert said("score", path) == f"{path.name}: is {what} (save it as .xlsx, then try again)"


def test_a_damaged_part_is_named_without_the_parsers_words(tmp_path: Path) -> None:
    path = book(tmp_path / "night.xlsx")
    content = parts(path)
    content["xl/worksheets/sheet1.xml"] = content["xl/worksheets/sheet1.xml"][:200]
    pack(path, content)
    assert re.search(
        r"'xl/worksheets/sheet1.xml' is damaged, line 2 \(open it in a spreadsheet program", said("score", path)
    )


# -- sheets


def test_names_of_sheets_are_in_quotation_marks_where_they_are_not_one_word(tmp_path: Path) -> None:
    path = book(tmp_path / "night.xlsx", Notes=[["x"]], Results=GRID, My_sheet=GRID)
    assert "several sheets contain results: Results, 'My sheet' (name one with --sheet)" in said("score", path)
    assert "has no worksheet 'Nope' (one of Notes, Results, 'My sheet' expected)" in said(
        "score", path, "--sheet", "Nope"
    )
    assert f"written to {path}, sheet 'My sheet', E1" in run("score", path, "--sheet", "My sheet").stdout
    empty = book(tmp_path / "empty.xlsx", My_sheet=[["Board", "Lead"]])
    assert "sheet 'My sheet': heading row 1 has Board (A1), Lead (B1)" in said("score", empty)


def test_one_word_that_could_be_a_heading_is_no_heading_row(tmp_path: Path) -> None:
    path = tmp_path / "night.csv"
    path.write_text("1,4S,N,10\n1,4S,N,9\n")
    assert "no heading row found" in said("score", path)


# -- cells


def test_a_formula_that_no_program_computed_is_named(tmp_path: Path) -> None:
    path = book(tmp_path / "night.xlsx")
    content = parts(path)
    sheet = content["xl/worksheets/sheet1.xml"]
    for old, new in (
        (b'<c r="D2"><v>10</v>', b'<c r="D2"><f>6+4</f>'),
        (b'<c r="D3"><v>9</v>', b'<c r="D3" s="1"><f ca="1">SUM(A1,2)</f><v/>'),
    ):
        assert old in sheet
        sheet = sheet.replace(old, new)
    content["xl/worksheets/sheet1.xml"] = sheet
    pack(path, content)
    lines = run("score", path, "-o", tmp_path / "out.xlsx").stdout
    assert "row 2, Tricks: '=6+4 (a formula without a value)' (expected 0-13)" in lines
    assert "row 3, Tricks: '=SUM(A1,2) (a formula without a value)' (expected 0-13)" in lines


def test_a_formula_with_an_empty_text_is_blank(tmp_path: Path) -> None:
    path = book(tmp_path / "night.xlsx")
    content = parts(path)
    blank = b'<c r="D3" t="str"><f>IF(1,"")</f><v></v>'
    content["xl/worksheets/sheet1.xml"] = content["xl/worksheets/sheet1.xml"].replace(b'<c r="D3"><v>9</v>', blank)
    pack(path, content)
    assert "row 3, Tricks: '' (expected a result)" in run("score", path).stdout


@pytest.mark.parametrize(
    ("contract", "expected"),
    [
        ("4Z", "suits are C, D, H, S and NT"),
        ("3 pik", "suits are C, D, H, S and NT"),
        ("5", "without a suit; expected one such as 3NT, 4SX or Pass"),
        ("5x", "without a suit; expected one such as 3NT, 4SX or Pass"),
        ("S4", "expected the level first, as in 3NT, 4SX"),
        ("four spades", "expected one such as 3NT, 4SX or Pass"),
    ],
)
def test_what_a_contract_is(tmp_path: Path, contract: str, expected: str) -> None:
    path = tmp_path / "night.csv"
    path.write_text(f"Board,Contract,By,Tricks\n1,4S,N,10\n1,{contract},N,9\n")
    assert f"row 3, Contract: '{contract}' ({expected})" in run("score", path).stdout


# -- outputs


@pytest.mark.parametrize(
    ("command", "output", "message"),
    [
        (["score"], "nowhere/out.xlsx", "not written, there is no such folder"),
        (["score"], "out.ods", "a copy of night.xlsx must end in .xlsx too"),
        (["score"], "folder.xlsx", "is not a file (a file was expected)"),
        (["convert"], "nowhere/out.xlsx", "not written, there is no such folder"),
        (["convert"], "out.txt", "results are written as .xlsx, .csv or .parquet"),
        (["convert"], "night.xlsx", "is the file that is read (another name expected)"),
        (["rank"], "out.txt", "is not written (expected .csv, .xlsx or .html)"),
        (["rank"], "nowhere/out.csv", "not written, there is no such folder"),
        (["board", "1"], "out.txt", "is not written (expected a .csv name and --format csv)"),
        (["board", "1"], "nowhere/out.csv", "not written, there is no such folder"),
    ],
)
def test_an_error_about_the_output_begins_with_it(
    tmp_path: Path, command: list[str], output: str, message: str
) -> None:
    named = [["NS", "EW", *GRID[0]], [1, 2, *GRID[1]], [3, 4, *GRID[2]]]
    path = book(tmp_path / "night.xlsx", Results=named)
    (tmp_path / "folder.xlsx").mkdir()
    name, *others = command
    assert said(name, path, *others, "-o", tmp_path / output).startswith(f"{tmp_path / output}: {message}")
