"""OpenDocument spreadsheets: cells are read as LibreOffice reads them, and what is none is refused in one line."""

from __future__ import annotations

import datetime
import re
import zipfile
from collections.abc import Mapping
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from lxml import etree

from valet_xl.documents.odf import values
from valet_xl.documents.ods import OdsBook
from valet_xl.documents.page import Block, Column, Table
from valet_xl.engine.options import Options
from valet_xl.errors import FileError
from valet_xl.reading.grid import read_grid

MIMETYPE = b"application/vnd.oasis.opendocument.spreadsheet"
MANIFEST = (
    '<manifest:manifest xmlns:manifest="urn:oasis:names:tc:opendocument:xmlns:manifest:1.0"><manifest:file-entry '
    f'manifest:full-path="/" manifest:media-type="{MIMETYPE.decode()}"/><manifest:file-entry manifest:full-path='
    '"content.xml" manifest:media-type="text/xml">{}</manifest:file-entry></manifest:manifest>'
)
NAMES = (
    " ".join(
        f'xmlns:{name}="urn:oasis:names:tc:opendocument:xmlns:{place}:1.0"'
        for name, place in (
            *((name, name) for name in ("office", "table", "text", "style")),
            ("draw", "drawing"),
        )
    )
    + ' xmlns:of="urn:oasis:names:tc:opendocument:xmlns:of:1.2"'
    + ' xmlns:calcext="urn:org:documentfoundation:names:experimental:calc:xmlns:calcext:1.0"'
)
SETTINGS = (
    '<office:document-settings xmlns:office="urn:oasis:names:tc:opendocument:xmlns:office:1.0" '
    'xmlns:config="urn:oasis:names:tc:opendocument:xmlns:config:1.0"><office:settings><config:config-item '
    'config:name="ActiveTable">{}</config:config-item></office:settings></office:document-settings>'
)
RESULTS = [["Board", "Contract", "By", "Tricks"], [1, "4S", "N", 10], [1, "3NT", "S", 9]]


def cell(value: object, kind: str = "") -> str:
    """A cell as LibreOffice writes it."""
    if value is None:
        return "<table:table-cell/>"
    if kind in {"date", "time"}:
        return f'<table:table-cell office:value-type="{kind}" office:{kind}-value="{value}"/>'
    if isinstance(value, bool):
        return f'<table:table-cell office:value-type="boolean" office:boolean-value="{str(value).lower()}"/>'
    if isinstance(value, str):
        return f'<table:table-cell office:value-type="string"><text:p>{value}</text:p></table:table-cell>'
    return f'<table:table-cell office:value-type="{kind or "float"}" office:value="{value}"/>'


def row(*cells: str, repeated: str = "") -> str:
    attribute = f' table:number-rows-repeated="{repeated}"' if repeated else ""
    return f"<table:table-row{attribute}>{''.join(cells)}</table:table-row>"


def rows(values: list[list[object]]) -> str:
    return "".join(row(*map(cell, each)) for each in values)


def table(rows: str, name: str = "Results", style: str = "") -> str:
    look = f' table:style-name="{style}"' if style else ""
    return f'<table:table table:name="{name}"{look}>{rows}</table:table>'


def document(tables: str, ranges: str = "", styles: str = "") -> str:
    """The text of a part content.xml."""
    return (
        f"<office:document-content {NAMES}><office:automatic-styles>{styles}</office:automatic-styles><office:body>"
        f"<office:spreadsheet>{tables}<table:database-ranges>{ranges}</table:database-ranges></office:spreadsheet>"
        "</office:body></office:document-content>"
    )


def sheet_of(rows: str) -> str:
    return document(table(rows))


def pack(path: Path, content: str, parts: Mapping[str, bytes] | None = None, encrypted: str = "") -> Path:
    """A file with a part content.xml, and other parts if any are given."""
    others = parts or {"mimetype": MIMETYPE, "META-INF/manifest.xml": MANIFEST.format(encrypted).encode()}
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in (dict(others) | {"content.xml": content.encode()}).items():
            archive.writestr(name, data)
    return path


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """Where a file can be."""
    return tmp_path / "results.ods"


def read(path: Path, rows: str) -> list[list[object]]:
    return OdsBook.open(pack(path, sheet_of(rows))).read("Results").cells


class TestCells:
    """Values, and their places."""

    @pytest.mark.parametrize(
        ("text", "value"),
        [
            (cell(1.5), 1.5),
            (cell(-3), -3.0),
            (cell(0.25, "percentage"), 0.25),
            (cell(12.5, "currency"), 12.5),
            (cell(True), True),
            (cell(False), False),
            (cell("2026-04-03", "date"), datetime.date(2026, 4, 3)),
            (cell("2026-04-03T18:00:00", "date"), datetime.datetime(2026, 4, 3, 18)),
            (cell("PT18H30M00S", "time"), datetime.time(18, 30)),
            (cell("PT0S", "time"), datetime.time()),
            (cell("PT90M", "time"), datetime.time(1, 30)),
            (cell("PT42H00M00S", "time"), 1.75),
            (cell("-PT12H00M00S", "time"), -0.5),
            (cell("P1DT6H", "time"), 1.25),
            (cell("noon", "time"), "noon"),
            (cell("4♠ &lt;"), "4♠ <"),
            (cell("a<text:s text:c='3'/>b<text:span>c</text:span>"), "a   bc"),
            (cell("a<text:tab/>b<text:line-break/>c"), "a\tb\nc"),
            (cell("a</text:p><text:p>b"), "a\nb"),
            (cell(" a\n <text:span> b</text:span><text:s/> "), "a b "),
            (cell("a<text:note><text:note-body><text:p>said</text:p></text:note-body></text:note>b"), "ab"),
            (cell("2026-04-03T18:00:00.25", "date"), datetime.datetime(2026, 4, 3, 18, 0, 0, 250_000)),
            (cell("PT23H59M59.9999999S", "time"), datetime.time(23, 59, 59, 999_999)),
            ('<table:table-cell office:value-type="void"><text:p>x</text:p></table:table-cell>', "x"),
            (
                '<table:table-cell office:value-type="string" office:string-value="b"><text:p>a</text:p>'
                "</table:table-cell>",
                "b",
            ),
            (cell("<text:ruby><text:ruby-base>a</text:ruby-base><text:ruby-text>b</text:ruby-text></text:ruby>"), "a"),
            ("<table:table-cell><text:p>no type</text:p></table:table-cell>", "no type"),
            (
                '<table:table-cell office:value-type="string"><office:annotation><text:p>said</text:p>'
                "</office:annotation><draw:frame><draw:text-box><text:p>drawn</text:p></draw:text-box></draw:frame>"
                "<text:p>x</text:p></table:table-cell>",
                "x",
            ),
            (
                '<table:table-cell office:value-type="string" office:string-value="" calcext:value-type="error">'
                "<text:p>#DIV/0!</text:p></table:table-cell>",
                "#DIV/0!",
            ),
            (
                '<table:table-cell table:formula="of:=1+1" office:value-type="float" office:value="2"><text:p>2'
                "</text:p></table:table-cell>",
                2.0,
            ),
            (
                '<table:table-cell table:formula="of:=IF([.A1]&gt;2;1;2)"/>',
                "=IF([.A1]>2;1;2) (a formula without a value)",
            ),
            (
                '<table:table-cell table:formula="of:=&quot;&quot;" office:value-type="string"/><table:table-cell/>',
                None,
            ),
        ],
    )
    def test_values(self, path: Path, text: str, value: object) -> None:
        """As a workbook gives them."""
        ((found,),) = read(path, row(text))
        assert found == value
        assert type(found) is type(value)

    def test_blanks(self, path: Path) -> None:
        """Empty cells, texts without a letter, and comments alone are None, and rows are equally long."""
        comment = "<table:table-cell><office:annotation><text:p>said</text:p></office:annotation></table:table-cell>"
        grid = read(path, row(cell(None), cell(1)) + row(cell(""), comment, cell(2)) + row(cell(None)))
        assert grid == [[None, 1.0, None], [None, None, 2.0]]

    def test_repeated_rows_and_cells(self, path: Path) -> None:
        """Once in the file, many times in the sheet; to the sheet's end where they are blank."""
        blank = '<table:table-cell table:number-columns-repeated="16384"/>'
        seven = '<table:table-cell table:number-columns-repeated="2" office:value-type="float" office:value="7"/>'
        two = '<table:table-cell table:number-columns-repeated="2"/>'
        grid = read(
            path,
            row(blank, repeated="2")
            + row(two, seven, blank, repeated="2")
            + row(cell("x"))
            + row(blank, repeated="1048571"),
        )
        assert grid == [[None] * 4] * 2 + [[None, None, 7.0, 7.0]] * 2 + [["x", None, None, None]]

    def test_merged_cells_and_groups_of_rows(self, path: Path) -> None:
        """What is covered has its place."""
        merged = '<table:table-cell table:number-columns-spanned="2" office:value-type="float" office:value="1"/>'
        covered = '<table:covered-table-cell table:number-columns-repeated="2"/>'
        rows = f"<table:table-header-rows>{row(merged, covered, cell('a'))}</table:table-header-rows>"
        grid = read(path, f"{rows}<table:table-row-group>{row(cell('b'))}</table:table-row-group>")
        assert grid == [[1.0, None, None, "a"], ["b", None, None, None]]

    def test_pretty_printed(self, path: Path) -> None:
        """Line ends and spaces that only lay out the XML are none of the cells'."""
        text = sheet_of(rows([*RESULTS, ["a <text:s/>b<text:span>c</text:span>", "x<text:line-break/>y"]]))
        plain_cells = OdsBook.open(pack(path, text)).read("Results").cells
        pretty = etree.tostring(etree.fromstring(text, etree.XMLParser(remove_blank_text=True)), pretty_print=True)
        assert OdsBook.open(pack(path, pretty.decode())).read("Results").cells == plain_cells
        laid_out = re.sub("<text:p>(4S|3NT)</text:p>", r"<text:p>\n    \1\n  </text:p>", pretty.decode())
        assert laid_out != pretty.decode()
        assert OdsBook.open(pack(path, laid_out)).read("Results").cells == plain_cells
        assert read(path, row(cell("\n 3NT  by\n\tNorth ")))[0] == ["3NT by North"]

    @pytest.mark.parametrize(
        ("kind", "value"),
        [
            ("date", "99999-01-01"),
            ("date", "10000-01-01T00:00:00"),
            ("date", "0000-00-00"),
            ("date", "-2024-01-01"),
            ("date", "2024-13-45"),
            ("date", ""),
            ("time", "PT999999999999H"),
            ("time", "PT1e5H"),
            ("time", ""),
            ("time", "PT-1H"),
            ("float", "1e999"),
            ("float", "1e300"),
        ],
    )
    def test_odd_value_in_another_cell(
        self, path: Path, kind: str, value: str, capfd: pytest.CaptureFixture[str]
    ) -> None:
        """The rest is read, and nothing is said on the terminal."""
        found = read(path, row(cell("x"), cell(value, kind), cell("y")))
        assert (found[0][0], found[0][2]) == ("x", "y")
        assert capfd.readouterr() == ("", "")

    def test_other_prefixes(self, path: Path) -> None:
        """Which no program writes: names are what their namespaces say."""
        text = sheet_of(rows(RESULTS))
        for name in ("table", "office", "text"):
            text = re.sub(rf"(?<=[ </:]){name}(?=:[a-z]|=)", f"q{name}", text)
        assert "<qtable:table-cell qoffice:value-type" in text
        found = OdsBook.open(pack(path, text)).read("Results").cells
        assert found == OdsBook.open(pack(path, sheet_of(rows(RESULTS)))).read("Results").cells
        assert found[1] == [1.0, "4S", "N", 10.0]

    def test_results_are_found(self, path: Path) -> None:
        """A sheet of results is read as any other."""
        page = OdsBook.open(pack(path, sheet_of(rows(RESULTS)))).read("Results")
        assert len(read_grid(page.cells, Options(), page.tables).results) == 2


class TestSheets:
    """Names, the one that is shown, and database ranges."""

    HIDDEN = (
        '<style:style style:name="no" style:family="table"><style:table-properties table:display="false"/>'
        '</style:style><style:style style:name="yes" style:family="table">'
        '<style:table-properties table:display="true"/></style:style>'
    )

    @pytest.mark.parametrize(("shown", "active"), [("C", "C"), ("A", "B"), (None, "B"), ("none", "B"), ("", "B")])
    def test_shown_sheet(self, path: Path, shown: str | None, active: str) -> None:
        """As it was saved, if it can be seen; else the first that can."""
        tables = table("", "A", "no") + table("", "B", "yes") + table(row(cell(1)), "C")
        parts = {} if shown is None else {"settings.xml": SETTINGS.format(shown).encode()}
        book = OdsBook.open(pack(path, document(tables, styles=self.HIDDEN), parts or {"mimetype": MIMETYPE}))
        assert book.sheet_names == ("A", "B", "C")
        assert book.active == active
        assert [book.read(name).cells for name in ("A", "C", "A")] == [[], [[1.0]], []]

    def test_sheets_of_other_files_are_none(self, path: Path) -> None:
        """LibreOffice keeps their values among the sheets; a link's table and one inside a cell are none either."""
        inner = f"<table:table-cell>{table(row(cell('in')), 'In')}</table:table-cell>"
        link = f"<table:dde-links><table:dde-link>{table(row(cell('out')), 'Link')}</table:dde-link></table:dde-links>"
        tables = table(row(cell("x")), "'file:///a.ods'#$S") + table(row(inner, cell(1)), "A") + link
        book = OdsBook.open(pack(path, document(tables)))
        assert book.sheet_names == ("A",)
        assert book.read("A").cells == [[None, 1.0]]

    def test_database_ranges(self, path: Path) -> None:
        """Those with headings; a filter's own range and one of another sheet are no tables of this one."""
        ranges = "".join(
            f'<table:database-range table:name="{name}" table:target-range-address="{area}" {more}/>'
            for name, area, more in [
                ("a", "$&apos;It&apos;&apos;s&apos;.$B$3:.D7", ""),
                (
                    "b",
                    "&apos;It&apos;&apos;s&apos;.B11:&apos;It&apos;&apos;s&apos;.AA14",
                    'calcext:contains-footer="true"',
                ),
                (
                    "c",
                    "&apos;It&apos;&apos;s&apos;.B31:&apos;It&apos;&apos;s&apos;.D34",
                    'table:contains-header="false"',
                ),
                ("d", "Other.A1:Other.B2", ""),
                ("e", "nonsense", ""),
                ("__Anonymous_Sheet_DB__0", "&apos;It&apos;&apos;s&apos;.A1:&apos;It&apos;&apos;s&apos;.B2", ""),
            ]
        )
        book = OdsBook.open(pack(path, document(table("", "It's") + table("", "Other"), ranges)))
        assert book.read("It's").tables == (Table(2, 1, 6, 3, "a"), Table(10, 1, 13, 26, "b", 1))
        assert book.read("Other").tables == (Table(0, 0, 1, 1, "d"),)


def refused(path: Path, message: str) -> None:
    """Opening and reading gives one line."""
    with pytest.raises(FileError, match=message) as error:
        book = OdsBook.open(path)
        book.read(book.active)
    assert "\n" not in str(error.value)


class TestRefused:
    """Bad input."""

    @pytest.mark.parametrize(
        ("data", "message"),
        [
            (b"", r"is not an OpenDocument spreadsheet \(an .ods file expected\)"),
            (b"Board,Contract\n", "is not an OpenDocument spreadsheet"),
            (b'<?xml version="1.0"?>\n<office:document xmlns', r"is a flat .*, .fods \(save it as .ods expected\)"),
            (b"PK\3\4" + bytes(100), "is damaged or incomplete"),
        ],
    )
    def test_other_files(self, path: Path, data: bytes, message: str) -> None:
        path.write_bytes(data)
        refused(path, message)

    @pytest.mark.parametrize(
        "content",
        [
            "<a/>",
            sheet_of("").replace("office:spreadsheet", "office:text"),
        ],
    )
    def test_other_documents(self, path: Path, content: str) -> None:
        """A text document, any other zip."""
        refused(pack(path, content), "is not an OpenDocument spreadsheet")
        with zipfile.ZipFile(path, "w") as archive:
            archive.writestr("xl/workbook.xml", content)
        refused(path, "is not an OpenDocument spreadsheet")

    def test_no_sheet_and_two_of_a_name(self, path: Path) -> None:
        refused(pack(path, document("")), "has no sheet")
        refused(pack(path, document(table("") * 2)), "two sheets of a name")
        book = OdsBook.open(pack(path, sheet_of("")))
        with pytest.raises(FileError, match=r"has no sheet 'other' \(one of Results expected\)"):
            book.read("other")

    def test_password(self, path: Path) -> None:
        """Parts that nobody can read without it."""
        pack(path, "", encrypted="<manifest:encryption-data/>")
        refused(path, r"is password-protected \(save it without a password")

    def test_document_type_and_damage(self, path: Path) -> None:
        """No entity is ever looked at."""
        refused(pack(path, f'<!DOCTYPE x [<!ENTITY e "e">]>{sheet_of("")}'), "has a document type")
        refused(pack(path, sheet_of("")[:-9]), "'content.xml' is damaged")

    @pytest.mark.parametrize(
        "rows",
        [
            row('<table:table-cell office:value-type="float" office:value="1"/>', repeated="999999999"),
            row('<table:table-cell office:value-type="float" office:value="1" table:number-columns-repeated="16384"/>')
            + row(cell(None), repeated="1048574")
            + row(cell(1)),
            row(cell(None), repeated="999999999") * 3 + row(cell(1)),
            row('<table:table-cell table:number-columns-repeated="999999999"/>', cell(1)),
            row(
                '<table:covered-table-cell office:value-type="float" office:value="1" '
                'table:number-columns-repeated="99999999"/>'
            ),
            f"<table:table-row-group>{row(cell(1), repeated='99999999')}</table:table-row-group>",
        ],
    )
    def test_repeated_without_end(self, path: Path, rows: str) -> None:
        """A few bytes that would fill the memory."""
        refused(pack(path, sheet_of(rows)), r"sheet 'Results': is used to row [\d,]+ and column [\d,]+ \(delete")

    @pytest.mark.parametrize("times", ["0", "-1", "many", "1e9", "9999999999"])
    def test_repeated_by_no_number(self, path: Path, times: str) -> None:
        refused(pack(path, sheet_of(row(cell(1), repeated=times))), "sheet 'Results': invalid .*number-rows-repeated")

    def test_part_that_inflates_without_end(self, path: Path) -> None:
        pack(path, sheet_of(""))
        with zipfile.ZipFile(path, "a", zipfile.ZIP_DEFLATED) as archive, archive.open("a.bin", "w") as stream:
            for _ in range(60):
                stream.write(bytes(1 << 20))
        refused(path, "would inflate to 62,914,560 bytes")

    def test_number_that_is_none(self, path: Path) -> None:
        text = '<table:table-cell office:value-type="float" office:value="abc"/>'
        refused(pack(path, sheet_of(row(text))), "sheet 'Results': cannot be read")

    def test_no_file(self, tmp_path: Path) -> None:
        refused(tmp_path / "none.ods", "there is no such file")
        refused(tmp_path, "is a folder")

    @settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
    @given(st.data())
    def test_any_damage_is_an_error_or_harmless(self, path: Path, data: st.DataObject) -> None:
        """No damaged byte, and no end that is missing, gives anything but a FileError."""
        whole = pack(path, sheet_of(rows(RESULTS))).read_bytes()
        place = data.draw(st.integers(0, len(whole) - 1))
        end = data.draw(st.sampled_from([len(whole), place]))
        path.write_bytes(
            (whole[:place] + bytes([whole[place] ^ data.draw(st.integers(1, 255))]) + whole[place + 1 :])[:end]
        )
        readable(path)

    @settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
    @given(st.data())
    def test_any_text_is_an_error_or_harmless(self, path: Path, data: st.DataObject) -> None:
        """Nor does any change to the text inside."""
        text = sheet_of(rows(RESULTS) + row(cell("PT1H", "time"), cell("2026-04-03", "date"), repeated="2"))
        start = data.draw(st.integers(0, len(text)))
        end = data.draw(st.integers(start, min(start + 20, len(text))))
        new = data.draw(
            st.text(st.characters(codec="utf-8"), max_size=5) | st.sampled_from(["999999999", "-", "NaN", "<"])
        )
        readable(pack(path, text[:start] + new + text[end:]))


def readable(path: Path) -> None:
    """A file is read, or refused in one line."""
    try:
        book = OdsBook.open(path)
        for name in book.sheet_names:
            book.read(name)
    except FileError as error:
        assert "\n" not in str(error)


def test_seconds_of_a_duration_have_limits() -> None:
    """Nothing that is no duration is one."""
    assert [values._seconds(text) for text in ("", "P", "PT", "1H", "PT1X")] == [None, 0.0, 0.0, None, None]


class TestWriting:
    """Columns that are put into a sheet."""

    BLOCK = Block(0, 4, (Column("Score", "0", 9.0, [420, None]), Column("Note", "@", 20.0, ["a  <b\tc ", -0.0])), 0)

    def test_other_bytes_stay(self, path: Path) -> None:
        book = OdsBook.open(pack(path, sheet_of(rows(RESULTS) + row(cell("below")))))
        book.put("Results", self.BLOCK)
        assert book.read("Results").cells == [
            [*RESULTS[0], "Score", "Note"],
            [*RESULTS[1], 420.0, "a  <b\tc "],
            [*RESULTS[2], None, 0.0],
            ["below", *[None] * 5],
        ]
        book.save(path)
        with zipfile.ZipFile(path) as archive:
            text = archive.read("content.xml").decode()
        text = re.sub("(?<=<office:automatic-styles>).*(?=</office:automatic-styles>)", "", text)
        text = re.sub(r"<table:table-column [^>]*/>", "", text)
        text = re.sub(r'<table:table-cell table:style-name="valet_xl_[^>]*(?:/>|>.*?</table:table-cell>)', "", text)
        assert text == sheet_of(rows(RESULTS) + row(cell("below")))

    def test_a_comment_in_a_scored_cell_stays(self, path: Path) -> None:
        said = "<office:annotation><text:p>said</text:p></office:annotation>"
        scored = (
            f'<table:table-cell office:value-type="float" office:value="1">{said}<text:p>1</text:p></table:table-cell>'
        )
        book = OdsBook.open(
            pack(path, sheet_of(row(*map(cell, [*RESULTS[0], "Score"])) + row(*map(cell, RESULTS[1]), scored)))
        )
        book.put("Results", Block(0, 4, (Column("Score", "0", 9.0, [420]),), 1))
        book.save(path)
        with zipfile.ZipFile(path) as archive:
            assert f"{said}<text:p>420</text:p></table:table-cell>" in archive.read("content.xml").decode()

    def test_a_protected_sheet_is_refused(self, path: Path) -> None:
        text = sheet_of(rows(RESULTS)).replace("<table:table ", '<table:table table:protected="true" ')
        with pytest.raises(FileError, match=r"results.ods, sheet 'Results': is protected \(unprotect it"):
            OdsBook.open(pack(path, text)).put("Results", self.BLOCK)

    def test_a_value_in_the_way_is_refused(self, path: Path) -> None:
        text = sheet_of(rows([[*RESULTS[0], "Mine"], *RESULTS[1:]]))
        before = OdsBook.open(pack(path, text))
        with pytest.raises(FileError, match=r"E1 contains a value; E1:F3 must be free \(clear or move it\)"):
            before.put("Results", self.BLOCK)
        assert before.read("Results").cells[0] == [*RESULTS[0], "Mine"]

    @settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
    @given(st.data())
    def test_any_sheet_however_it_is_repeated(self, path: Path, data: st.DataObject) -> None:
        """Rows and cells that are alike may be written once: each new cell is in its place, and no other moves."""
        width, height = data.draw(st.integers(1, 6)), data.draw(st.integers(2, 7))
        value = st.sampled_from([None, None, 1.0, "x"])
        grid = data.draw(st.lists(st.lists(value, min_size=width, max_size=width), min_size=height, max_size=height))
        grid[0][0], grid[-1][0] = "Board", "end"
        top, left = data.draw(st.integers(0, height - 2)), data.draw(st.integers(1, 8))
        bottom, count = data.draw(st.integers(top + 1, height - 1)), data.draw(st.integers(1, 3))
        for line in grid[top : bottom + 1]:
            line[left : left + count] = [None] * len(line[left : left + count])
        text = "".join(
            row(*(repeated(each, size, "columns") for each, size in packed(line, data)), repeated=str(size))
            for line, size in packed(grid, data)
        )
        beyond = data.draw(st.sampled_from(["", row(cell(None), repeated="1000")]))
        new = [[float(at * 10 + under) for under in range(bottom - top)] for at in range(count)]
        block = Block(top, left, tuple(Column(f"N{at}", "0.00", 9.0, list(cells)) for at, cells in enumerate(new)), 0)
        book = OdsBook.open(pack(path, sheet_of(text + beyond)))
        book.put("Results", block)
        expected = [[*line, *[None] * max(0, left + count - width)] for line in grid]
        expected[top][left : left + count] = block.names
        for under in range(bottom - top):
            expected[top + 1 + under][left : left + count] = [cells[under] for cells in new]
        found = book.read("Results").cells
        wide = max(len(expected[0]), len(found[0]))
        assert [[*line, *[None] * (wide - len(line))] for line in found] == [
            [*line, *[None] * (wide - len(line))] for line in expected
        ]


def packed(values: list, data: st.DataObject) -> list[tuple]:
    """Values with how often each comes in turn; some that are alike are written twice."""
    found: list[tuple] = []
    for value in values:
        if found and found[-1][0] == value and data.draw(st.booleans()):
            found[-1] = value, found[-1][1] + 1
        else:
            found.append((value, 1))
    return found


def repeated(value: object, count: int, what: str) -> str:
    """A cell that is repeated so often."""
    return cell(value).replace("<table:table-cell", f'<table:table-cell table:number-{what}-repeated="{count}"', 1)
