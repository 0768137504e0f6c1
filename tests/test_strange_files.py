"""Files as other programs write them, which every spreadsheet opens: each can be scored."""

from __future__ import annotations

import zipfile
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
import xlsxwriter
from lxml import etree
from workbook_samples import HEADINGS, ROWS, SHEET, edit, pack, parts, plain

from valet_xl.documents.ooxml.package import Package
from valet_xl.documents.xlsx import Workbook
from valet_xl.rankings.listing import printable
from valet_xl.reading.csv_file import CsvFile
from valet_xl.reading.files import read_results
from valet_xl.sheets.convert import convert_file
from valet_xl.sheets.score_file import score_file


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """A workbook with results alone."""
    made = tmp_path / "results.xlsx"
    plain(made)
    return made


def scored(path: Path) -> None:
    """Score it twice: all results, and the same bytes."""
    for _ in range(2):
        assert score_file(path).summary.scored == 12
    before = path.read_bytes()
    score_file(path)
    assert path.read_bytes() == before


def backslashes(path: Path) -> None:
    pack(path, {name.replace("/", "\\"): data for name, data in parts(path).items()})


def absolute_names(path: Path) -> None:
    pack(path, {f"/{name}": data for name, data in parts(path).items()})


def no_tab_shown(path: Path) -> None:
    edit(path, "xl/workbook.xml", "<workbookView ", '<workbookView activeTab="-1" ')


def dimension(ref: str) -> Callable[[Path], None]:
    return lambda path: edit(path, SHEET, '<dimension ref="[^"]*"/>', f'<dimension ref="{ref}"/>')


def merged(ref: str) -> Callable[[Path], None]:
    cells = f'</sheetData><mergeCells count="1"><mergeCell ref="{ref}"/></mergeCells>'
    return lambda path: edit(path, SHEET, "</sheetData>", cells)


def other_formats(path: Path) -> None:
    """A look of a program of its own, and what other programs take."""
    space = "http://schemas.openxmlformats.org/markup-compatibility/2006"
    edit(path, "xl/styles.xml", '<cellXfs count="1">', '<cellXfs count="2">')
    edit(
        path,
        "xl/styles.xml",
        "</cellXfs>",
        f'<mc:AlternateContent xmlns:mc="{space}"><mc:Choice xmlns:own="urn:own" Requires="own"><xf numFmtId="0" '
        'own:look="1" fontId="0" fillId="0" borderId="0"/></mc:Choice><mc:Fallback><xf numFmtId="0" fontId="0" '
        'fillId="0" borderId="0" applyAlignment="1"/></mc:Fallback></mc:AlternateContent></cellXfs>',
    )
    edit(path, SHEET, r'<c r="F(\d)"', r'<c r="F\1" s="1"')


STRANGE = {
    "backslashes": backslashes,
    "absolute": absolute_names,
    "no tab": no_tab_shown,
    **{f"dimension {ref}": dimension(ref) for ref in ("1:4", "A:B", "A1:", "B", "", "A1:ZZZ9")},
    **{f"merged {ref}": merged(ref) for ref in ("Z:Z", "30:31", "A30:B31", "x", "")},
    "other formats": other_formats,
}


@pytest.mark.parametrize("name", STRANGE)
def test_a_strange_workbook_is_scored(name: str, path: Path) -> None:
    STRANGE[name](path)
    names = list(parts(path))
    scored(path)
    assert list(parts(path)) == names


def test_a_merged_column_is_not_written_into(path: Path) -> None:
    merged("K:K")(path)
    with pytest.raises(ValueError, match="K:K are merged cells"):
        score_file(path)


def test_formats_are_counted_as_programs_count_them(path: Path) -> None:
    """One for each member of the collection, also where a member has a choice in it."""
    other_formats(path)
    score_file(path)
    formats = etree.fromstring(parts(path)["xl/styles.xml"]).find("{*}cellXfs")
    assert formats is not None
    assert int(formats.get("count", 0)) == len(formats)
    styles = etree.fromstring(parts(path)[SHEET]).xpath("//*[local-name()='c'][starts-with(@r, 'G')]/@s")
    looks = {formats[int(style)] for style in styles}
    assert any(look.get("numFmtId") == "1" and look.get("applyAlignment") is None for look in looks)


@pytest.mark.parametrize("base_1904", [False, True])
@pytest.mark.parametrize("form", ["yyyy-mm-dd", "[h]:mm", "hh:mm:ss"])
@pytest.mark.parametrize("value", ["1e10", "-1E+12", "-1e14", "99999999", "1e300", "9e999", "-106751991168", "NaN"])
def test_a_date_beyond_all_calendars_is_a_number(
    value: str, form: str, base_1904: bool, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    """In a cell that has nothing to do with the results; the reading library's panic is not seen."""
    path = tmp_path / "dates.xlsx"
    with xlsxwriter.Workbook(path, {"date_1904": base_1904}) as book:
        sheet = book.add_worksheet("Results")
        for at, row in enumerate([HEADINGS, *ROWS]):
            sheet.write_row(at, 0, row)
        look = book.add_format({"num_format": form})
        sheet.write_number(20, 0, 12345, look)
        sheet.write_formula(21, 0, "=A21", look, 12345)
        sheet.write_number(22, 0, 45351, book.add_format({"num_format": "yyyy-mm-dd"}))
    edit(path, SHEET, "<v>12345</v>", f"<v>{value}</v>")
    scored(path)
    page = Workbook.open(path).read("Results")
    assert {type(page.cell(row, 0)) for row in (20, 21)} <= {float, int, str}
    assert str(page.cell(22, 0)) in ("2024-02-29", "2028-03-01")
    assert capfd.readouterr() == ("", "")


def test_parts_are_found_without_looking_at_all(path: Path) -> None:
    """Names that only differ in capitals, and 15,000 links to parts that are not there."""

    class Counted(dict[str, bytes]):
        passes = 0

        def __iter__(self) -> Iterator[str]:
            Counted.passes += 1
            return super().__iter__()

    content = parts(path)
    links = "".join(f'<Relationship Id="r{at}" Type="x/y" Target="none{at}.xml"/>' for at in range(15_000))
    name = "xl/_rels/workbook.xml.rels"
    content[name] = content[name].replace(b"</Relationships>", links.encode() + b"</Relationships>")
    package = Package(path.name, Counted(content), [], b"")
    Counted.passes = 0
    assert len(package.relations("xl/workbook.xml")) > 15_000
    assert package.find("XL/Workbook.XML") == "xl/workbook.xml"
    assert Counted.passes == 0


# -- CSV


@pytest.mark.parametrize(
    "text",
    [
        "Board,Contract,By,Tricks\n1.0,3NT,N,9.0\n1.0,3NT,S,10.00\n",
        "Board;Contract;By;Tricks\n1,0;3NT;N;9,0\n1,0;3NT;S;10,0\n",
        "Board,Contract,By,Result\n1.0,3NT,N,0.0\n1.0,3NT,S,+1.0\n",
    ],
)
def test_whole_numbers_with_decimals(text: str, tmp_path: Path) -> None:
    """As data frames and databases write them; the file keeps them."""
    path = tmp_path / "frame.csv"
    path.write_text(text, encoding="utf-8")
    results = read_results(path)
    assert (results.tricks.tolist(), results.errors) == ([9, 10], ())
    assert [name for _, name in results.boards] == ["1"]
    written = score_file(path).written.read_text(encoding="utf-8-sig").splitlines()
    assert [line.startswith(own) for line, own in zip(written, text.splitlines(), strict=True)] == [True] * 3


def test_a_thousand_stays_one() -> None:
    table = CsvFile([["1.000", "-1.0", "1.05", "0.0", None]], ",")
    assert table.read == [["1.000", "-1", "1.05", "0", None]]


# -- characters that XML cannot contain

NONE = "a\ufffeb\uffffc\ud800d\x01e"


def test_reports_contain_no_character_that_spoils_them() -> None:
    assert printable(NONE) == "a b c d e"


def test_converted_workbook_is_well_formed(tmp_path: Path) -> None:
    path = tmp_path / "odd.csv"
    path.write_text("Board,Contract,By,Tricks,North\n1,3NT,N,9,a\ufffeb\uffffc\n", encoding="utf-8")
    out = convert_file(path, tmp_path / "out.xlsx").written
    with zipfile.ZipFile(out) as archive:
        texts = [etree.fromstring(archive.read(name)) for name in archive.namelist() if name.endswith(".xml")]
    assert any("a\ufffdb\ufffdc" in "".join(text.itertext()) for text in texts)
