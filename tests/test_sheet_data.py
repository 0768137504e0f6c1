"""Both ways to take a worksheet apart give the same, and what they read is what another reader finds."""

from __future__ import annotations

import dataclasses
import datetime
import random
import re
import zipfile
from pathlib import Path

import numpy as np
import pytest
import xlsxwriter
from hypothesis import example, given
from hypothesis import strategies as st
from python_calamine import CalamineWorkbook
from workbook_samples import MAIN, SAMPLES, Sample, parts, plain

from valet_xl.documents.markup import MarkupError, written
from valet_xl.documents.ooxml.sheet_data import SheetData
from valet_xl.documents.ooxml.streamed_rows import streamed
from valet_xl.documents.ooxml.usual_rows import canonical
from valet_xl.documents.ooxml.values import date_of, duration_of, look_of_code
from valet_xl.documents.whole_numbers import whole_numbers
from valet_xl.documents.xlsx import Workbook
from valet_xl.errors import FileError

START = f'<?xml version="1.0" encoding="UTF-8"?>\n<worksheet xmlns="{MAIN}" xmlns:x="urn:x"><sheetData>'
END = '</sheetData><mergeCells count="1"><mergeCell ref="Z1:Z2"/></mergeCells></worksheet>'
ROWS = (
    '<row r="1" spans="1:3" x:y="0.25"><c r="A1" t="s"><v>0</v></c>'
    '<c r="C1" s="2"><v>1.5</v></c><c r="AA1" s="1"/></row>'
    '<row r="3" s="12" customFormat="1"><c r="B3" t="inlineStr">'
    '<is><t xml:space="preserve"> a &amp; b</t></is></c></row>'
    '<row r="4"/><row r="5"><c r="A5"><f>B3&gt;1</f></c><c r="B5" t="str"><f t="shared" si="0"/><v>no</v></c>'
    '<c r="C5" t="e"><f t="array" ref="C5:C6">1/0</f><v>#DIV/0!</v></c><c r="D5" t="b"><v>1</v></c></row>'
    '<row r="1048576"><c r="XFD1048576" cm="1" s="3" t="n"><v>-1E-3</v></c></row>'
)


def same(one: SheetData, other: SheetData) -> None:
    """Compare all that is known of two sheets."""
    for field in dataclasses.fields(SheetData):
        mine, theirs = getattr(one, field.name), getattr(other, field.name)
        if isinstance(mine, np.ndarray):
            assert (mine.dtype, mine.tolist()) == (theirs.dtype, theirs.tolist()), field.name
        else:
            assert mine == theirs, field.name


def both(data: bytes) -> bool:
    """Whether a sheet is written as usual; then both ways give the same."""
    quick = canonical(data)
    if quick is None:
        return False
    root, slow = streamed(data)
    same(quick[1], slow)
    assert written(quick[0]) == written(root)
    return True


def sheets(path: Path) -> list[bytes]:
    return [data for name, data in parts(path).items() if "worksheets/sheet" in name and b"<sheetData>" in data]


# In two of them a row has its number behind other attributes.
UNUSUAL = {"prefixed", "unnamed", "utf16", "shared_formulas", "excel_namespaces"}


@pytest.mark.parametrize("sample", SAMPLES, ids=lambda sample: sample.name)
def test_samples_are_read_the_quick_way(sample: Sample, tmp_path: Path) -> None:
    path = tmp_path / f"sample{sample.suffix}"
    sample.make(path)
    assert {both(data) for data in sheets(path)} <= ({True, False} if sample.name in UNUSUAL else {True})


def test_all_that_is_usual() -> None:
    assert both((START + ROWS + END).encode())


def test_what_is_in_the_cells() -> None:
    _, data = streamed((START + ROWS + END).encode())
    assert data.line.tolist() == [0, 0, 0, 2, 4, 4, 4, 4, 1_048_575]
    assert data.column.tolist() == [0, 2, 26, 1, 0, 1, 2, 3, 16_383]
    assert data.kind.tolist() == [2, 1, 0, 4, 4, 4, 4, 3, 1]
    assert data.number[[1, 7, 8]].tolist() == [1.5, 1.0, -0.001]
    assert list(data.texts.values()) == [" a & b", "=B3>1 (a formula without a value)", "no", "#DIV/0!"]
    assert data.style.tolist() == [-1, 2, 1, -1, -1, -1, -1, -1, 3]
    assert data.row_style.tolist() == [-1, 12, -1, -1, -1]
    assert data.spread == ["C5:C6"]
    whole = (START + ROWS + END).encode()
    cells = [whole[start:end] for start, end in zip(data.start.tolist(), data.end.tolist(), strict=True)]
    assert all(cell.startswith(b"<c ") and cell.endswith((b"</c>", b"/>")) for cell in cells)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ('<c r="A1" t="s"', '<c t="s"'),
        ('<row r="3"', "<row"),
        ('<c r="A1" t="s"', '<c  r="A1" t="s"'),
        ('<c r="A1" t="s"', "<c r='A1' t=\"s\""),
        ('<c r="C1" s="2"><v>1.5</v>', '<c r="C1" s="2"><!-- one --><v>1.5</v>'),
        ("<v>1.5</v>", "<v><![CDATA[1.5]]></v>"),
        ("<v>1.5</v>", "<v>1<?pi?>.5</v>"),
        ("<v>1.5</v>", "<v>1&#46;5</v>"),
        ("<v>1.5</v>", "\n<v>1.5</v>\n"),
        ("<v>1.5</v>", "<v>1.5</v><extLst/>"),
        ("B3&gt;1", "B3>1"),
        ('<row r="4"/>', '<row r="4"><extLst><ext/></extLst></row>'),
        ('<row r="4"/>', '<x:row r="4"/>'),
        ('<row r="4"/>', '<row r="4" xmlns:y="urn:y" y:z="1"/>'),
        ('<row r="4"/>', '<row r="2"/>'),
        ('<c r="C1"', '<c r="A1"'),
        ('<c r="C1"', '<c r="c1"'),
        ('t="e"', 't="inlineStr"'),
        ("a &amp; b", "a &#97; b"),
        ("a &amp; b", "a\rb"),
        ("<is><t", "<is><r><t>x</t></r><t"),
        ("<sheetData>", "<sheetData >"),
        ("<sheetData>", "<!-- <sheetData> --><sheetData>"),
    ],
)
def test_what_is_unusual_is_left_to_expat(old: str, new: str) -> None:
    """And it is read all the same."""
    text = START + ROWS + END
    assert old in text
    data = text.replace(old, new, 1).encode()
    assert canonical(data) is None
    assert len(streamed(data)[1].column) >= 9


@pytest.mark.parametrize(
    "text", ["", "</sheetData>", "<sheetData></sheetData>", START, END, START + END[:-3], START + "<row>"]
)
def test_what_is_no_sheet_is_refused(text: str) -> None:
    assert canonical(text.encode()) is None
    with pytest.raises((MarkupError, FileError)):
        streamed(text.encode())


PIECES = sorted(
    {*re.findall(r"<[^<>]*>|[^<>]+", ROWS), " ", "\n", "&", "&lt;", "\x00", "'", '"', "<!-- -->", "]]>", "é", "\ufffe"}
)


@st.composite
def changed_sheets(draw: st.DrawFn) -> bytes:
    """The sheet with all that is usual, with some of its pieces put elsewhere."""
    whole = list(re.findall(r"<[^<>]*>|[^<>]+", ROWS))
    for _ in range(draw(st.integers(1, 3))):
        at = draw(st.integers(0, len(whole)))
        gone = draw(st.integers(0, 3))
        whole[at : at + gone] = draw(st.lists(st.sampled_from(PIECES), max_size=2))
    data = bytearray((START + "".join(whole) + END).encode())
    for _ in range(draw(st.integers(0, 2))):
        at = draw(st.integers(len(START), len(data) - len(END)))
        data[at : at + draw(st.integers(0, 2))] = draw(
            st.sampled_from([b"", b"<", b">", b'"', b"/", b" ", b"=", b"&", b"1", b"\xff"])
        )
    return bytes(data)


@given(changed_sheets())
@example((START + '<row r="1"><c r="A1"><v>1</v></c></row><row r="1"/>' + END).encode())
def test_any_sheet_that_is_read_the_quick_way_is_read_the_same_by_expat(data: bytes) -> None:
    both(data)


# -- another reader


def found_by_calamine(path: Path, sheet: str) -> list[list[object]]:
    rows = CalamineWorkbook.from_path(path).get_sheet_by_name(sheet).to_python(skip_empty_area=False)
    return [[None if cell == "" else cell for cell in row] for row in rows]


KNOWN = re.compile(r"#[A-Z/0!?]+|=.* \(a formula without a value\)")  # which calamine gives nothing for


def agree(path: Path) -> None:
    book = Workbook.open(path)
    for sheet in book.sheet_names:
        ours, theirs = book.read(sheet).cells, found_by_calamine(path, sheet)
        for row, cells in enumerate(ours):
            for column, cell in enumerate(cells):
                there = row < len(theirs) and column < len(theirs[row])
                other = theirs[row][column] if there else None
                if other is None and isinstance(cell, str) and KNOWN.fullmatch(cell):
                    continue
                assert (type(cell), cell) == (type(other), other), f"{sheet}, row {row}, column {column}"
        assert len(theirs) <= len(ours)


@pytest.mark.parametrize("sample", [each for each in SAMPLES if each.name != "utf16"], ids=lambda sample: sample.name)
def test_samples_are_read_as_calamine_reads_them(sample: Sample, tmp_path: Path) -> None:
    path = tmp_path / f"sample{sample.suffix}"
    sample.make(path)
    agree(path)


FORMATS = (
    "General",
    "0.00",
    "yyyy-mm-dd",
    "d/m/yy h:mm",
    "[h]:mm",
    "mm:ss.0",
    '0.0" days"',
    "[Red]0;-0",
    "h AM/PM",
    "@",
)


@pytest.mark.parametrize("seed", range(8))
def test_random_workbooks_are_read_as_calamine_reads_them(seed: int, tmp_path: Path) -> None:
    chance = random.Random(seed)
    path = tmp_path / "random.xlsx"
    letters = ["a", " ", "\n", "<", "&", "é", "♥", "_x0041_", "_x", "\t", "]]>", "0"]
    with xlsxwriter.Workbook(path, {"date_1904": bool(seed % 2), "in_memory": True}) as book:
        looks = [book.add_format({"num_format": code}) for code in FORMATS]
        sheet = book.add_worksheet("One")
        for _ in range(400):
            row, column, look = chance.randrange(60), chance.randrange(30), chance.choice([None, *looks])
            text = "".join(chance.choices(letters, k=chance.randrange(6)))
            number = chance.choice(
                [chance.randrange(60_000), chance.uniform(0, 60_000), chance.random(), -chance.random()]
            )
            what = chance.randrange(6)
            if what == 0:
                sheet.write_string(row, column, text, look)
            elif what == 1:
                sheet.write_boolean(row, column, chance.random() < 0.5, look)
            elif what == 2:
                sheet.write_formula(row, column, "=1<2", look, chance.choice([number, text, True, "#N/A"]))
            elif what == 3 and text.strip():
                sheet.write_rich_string(row, column, "x ", looks[0], text, " y")
            elif what == 4:
                sheet.write_blank(row, column, None, look)
            else:
                sheet.write_number(row, column, number, look)
    agree(path)


def as_cell(tmp_path: Path, look: str, value: str) -> Path:
    """A workbook with a number in A1 that has a format."""
    path = tmp_path / "cell.xlsx"
    with xlsxwriter.Workbook(path) as book:
        book.add_worksheet("One").write_number(0, 0, 7, book.add_format({"num_format": look}))
    content = parts(path)
    name = "xl/worksheets/sheet1.xml"
    content[name] = content[name].replace(b"<v>7</v>", f"<v>{value}</v>".encode())
    with zipfile.ZipFile(path, "w") as archive:
        for part, data in content.items():
            archive.writestr(part, data)
    return path


@given(
    code=st.lists(
        st.sampled_from(
            [
                "0",
                ".",
                "#",
                ",",
                "y",
                "m",
                "d",
                "h",
                "s",
                "a",
                "p",
                "/",
                "[",
                "]",
                ";",
                "\\",
                "_",
                "*",
                '"x"',
                "General",
                "Red",
                "E",
                "$-409",
            ]
        ),
        min_size=1,
        max_size=8,
    ).map("".join)
)
def test_formats_of_dates(code: str, tmp_path_factory: pytest.TempPathFactory) -> None:
    """What a number is in a format, as calamine sees it."""
    if re.search(r"\[[^\]]*[;\[\"\\_*]", code):
        return  # which no spreadsheet lets anybody write
    path = as_cell(tmp_path_factory.mktemp("look"), code, "44000.5")
    (cell,) = found_by_calamine(path, "One")[0]
    kinds = {float: 0, datetime.datetime: 1, datetime.timedelta: 2}
    assert look_of_code(code) == kinds[type(cell)]


@pytest.mark.parametrize(
    "value",
    [
        "0",
        "0.5",
        "1",
        "59",
        "59.5",
        "60",
        "61",
        "-0.25",
        "-3",
        "36526.00001",
        "2958465",
        "2958466",
        "0.999999999",
        "1.4999999942",
    ],
)
@pytest.mark.parametrize("look", ["yyyy-mm-dd", "[h]:mm"])
def test_dates(value: str, look: str, tmp_path: Path) -> None:
    (cell,) = found_by_calamine(as_cell(tmp_path, look, value), "One")[0]
    ours = date_of(float(value)) if look.startswith("y") else duration_of(float(value))
    assert (type(ours), ours) == (type(cell), cell)


def test_a_text_that_is_not_there(tmp_path: Path) -> None:
    path = tmp_path / "results.xlsx"
    plain(path)
    content = parts(path)
    name = "xl/worksheets/sheet1.xml"
    content[name] = content[name].replace(b't="s"><v>0</v>', b't="s"><v>777</v>', 1)
    with zipfile.ZipFile(path, "w") as archive:
        for part, data in content.items():
            archive.writestr(part, data)
    with pytest.raises(FileError, match=r"results.xlsx, sheet 'Results': is damaged: a cell has text 777 of"):
        Workbook.open(path).read("Results")


@pytest.mark.parametrize("size", range(1, 11))
def test_digits_are_told_from_every_other_byte_at_every_place(size: int) -> None:
    """Whatever is behind the number; one of nine digits and more is left to Python."""
    chance = np.random.default_rng(size)
    for place in range(min(size, 8)):
        texts = chance.integers(0, 256, (256, 8), dtype=np.uint8)
        texts[:, :size] = chance.integers(ord("0"), ord("9") + 1, texts[:, :size].shape)
        texts[:, place] = np.arange(256)
        numbers, whole = whole_numbers(texts.view("<u8")[:, 0], np.full(256, size))
        digits = [bytes(text)[:size] for text in texts]
        assert whole.tolist() == [text.isdigit() and size <= 8 for text in digits]
        assert [numbers[at] for at in np.flatnonzero(whole)] == [int(text) for text in digits if text.isdigit()][
            : whole.sum()
        ]
