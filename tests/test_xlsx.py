"""Workbooks: cells are read, columns go in, all else stays."""

from __future__ import annotations

import copy
import math
import zipfile
from dataclasses import replace
from pathlib import Path

import pytest
import xlsxwriter
from hypothesis import given
from hypothesis import strategies as st
from lxml import etree
from workbook_samples import HEADINGS, MAIN, ROWS, SAMPLES, SHEET, Sample, edit, parts, plain, rich, table

from valet_xl.documents.cell_names import MAX_COLUMNS, MAX_ROWS, Area, cell_name, place_of
from valet_xl.documents.markup import parse
from valet_xl.documents.ooxml.new_cells import plain_text
from valet_xl.documents.ooxml.styles import StylesPart
from valet_xl.documents.page import Block, Column, Table
from valet_xl.documents.xlsx import Workbook
from valet_xl.errors import FileError

BUTLER = Column("Butler", "0.00", 8.5, [row / 7 for row in range(12)])
DATUM = Column("Datum", "0", 8.0, [10 * row - 50 for row in range(12)])
NOTE = Column("Valet note", "@", 30.0, [None] * 11 + ["no contract"])
COLUMNS = (DATUM, BUTLER, NOTE)


def put(path: Path, block: Block, sheet: str = "Results", to: Path | None = None) -> Path:
    """Open, put, save."""
    book = Workbook.open(path)
    book.put(sheet, block)
    book.save(to or path)
    return to or path


def block(*columns: Column, top: int = 0, left: int = 6, replaces: int = 0) -> Block:
    """A block right of the samples' results."""
    return Block(top, left, columns or COLUMNS, replaces)


def cells(path: Path, sheet: str = "Results") -> list[list[object]]:
    """What a reader finds on a sheet."""
    return Workbook.open(path).read(sheet).cells


def tree(path: Path, part: str = SHEET) -> etree._Element:
    """A part's tree."""
    return etree.fromstring(parts(path)[part])


def find(root: etree._Element, name: str) -> etree._Element:
    """A sheet's cell."""
    (cell,) = root.xpath(f"//*[local-name()='c'][@r='{name}']")
    return cell


def without(root: etree._Element, area: Area) -> bytes:
    """A sheet's canonical XML without an area's cells and what says where they are."""
    root = copy.deepcopy(root)
    for cell in root.xpath("//*[local-name()='c'][@r]"):
        row, column = place_of(cell.get("r"))
        if area.top <= row <= area.bottom and area.left <= column <= area.right:
            cell.getparent().remove(cell)
    for column in root.xpath("//*[local-name()='col']"):
        if column.get("min") == column.get("max") and area.left < int(column.get("min")) <= area.right + 1:
            column.getparent().remove(column)
    for element in root.xpath("//*[local-name()='cols'][not(*)]"):
        element.getparent().remove(element)
    for element in root.xpath("//*[local-name()='dimension' or local-name()='autoFilter']"):
        element.attrib.pop("ref")
    for element in root.xpath("//*[@spans]"):
        element.attrib.pop("spans")
    return etree.tostring(root, method="c14n")


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """A workbook with results alone."""
    made = tmp_path / "results.xlsx"
    plain(made)
    return made


@pytest.fixture(params=SAMPLES, ids=lambda sample: sample.name)
def sample(request: pytest.FixtureRequest) -> Sample:
    """Each of the sample workbooks."""
    return request.param


@pytest.fixture
def made(sample: Sample, tmp_path: Path) -> Path:
    """The sample on disk."""
    path = tmp_path / f"sample{sample.suffix}"
    sample.make(path)
    return path


class TestSamples:
    """What is true of every sample."""

    def test_reads_results_at_their_place(self, sample: Sample, made: Path) -> None:
        """Rows and columns count from A1, wherever the used cells begin."""
        grid = cells(made)
        left = sample.left - len(HEADINGS)
        found = [row[left : sample.left] for row in grid[sample.top : sample.top + 13]]
        assert found == [HEADINGS, *ROWS]
        assert len({len(row) for row in grid}) == 1

    def test_new_cells_are_read_back(self, sample: Sample, made: Path) -> None:
        """What is put in is there after saving, and nothing else changed for a reader."""
        before = cells(made)
        put(made, block(top=sample.top, left=sample.left))
        after = cells(made)
        new = [row[sample.left : sample.left + 3] for row in after[sample.top : sample.top + 13]]
        assert new == [["Datum", "Butler", "Valet note"], *map(list, zip(*(c.cells for c in COLUMNS), strict=True))]
        for row in range(len(before)):
            for column in range(len(before[row])):
                if not sample.left <= column < sample.left + 3:
                    assert after[row][column] == before[row][column]

    def test_other_parts_stay_byte_for_byte(self, sample: Sample, made: Path, tmp_path: Path) -> None:
        """Only the sheet, its table, the styles and the workbook part may change; order, names and dates stay."""
        out = put(made, block(top=sample.top, left=sample.left), to=tmp_path / f"out{sample.suffix}")
        before, after = parts(made), parts(out)
        sheet = SHEET if sample.top == 0 else SHEET.replace("1", "2")
        may_change = {sheet, "xl/styles.xml", "xl/workbook.xml", "xl/tables/table1.xml"}
        assert {name for name in before if before[name] != after[name]} <= may_change
        with zipfile.ZipFile(made) as old, zipfile.ZipFile(out) as new:
            assert [(m.filename, m.date_time) for m in old.infolist()] == [
                (m.filename, m.date_time) for m in new.infolist()
            ]

    def test_patched_sheet_keeps_all_it_had(self, sample: Sample, made: Path, tmp_path: Path) -> None:
        """Without the new cells the sheet's XML is the old one, and so are styles without the added formats."""
        out = put(made, block(top=sample.top, left=sample.left), to=tmp_path / f"out{sample.suffix}")
        sheet = SHEET if sample.top == 0 else SHEET.replace("1", "2")
        area = Area(sample.top, sample.left, sample.top + 12, sample.left + 2)
        assert without(tree(out, sheet), area) == without(tree(made, sheet), area)
        if "xl/styles.xml" in parts(made):
            old, new = tree(made, "xl/styles.xml"), tree(out, "xl/styles.xml")
            for name in ("fonts", "fills", "borders", "cellXfs", "cellStyleXfs", "dxfs"):
                kept = [etree.tostring(e, method="c14n") for e in old.iterfind(f"{{*}}{name}/*")]
                found = [etree.tostring(e, method="c14n") for e in new.iterfind(f"{{*}}{name}/*")]
                assert found[: len(kept)] == kept

    def test_second_time_gives_equal_bytes(self, sample: Sample, made: Path, tmp_path: Path) -> None:
        """Scoring a scored file again changes nothing, not even the number of styles."""
        once = put(made, block(top=sample.top, left=sample.left))
        twice = put(once, block(top=sample.top, left=sample.left, replaces=3), to=tmp_path / f"twice{sample.suffix}")
        assert once.read_bytes() == twice.read_bytes()

    def test_cells_and_rows_stay_in_order(self, sample: Sample, made: Path) -> None:
        """Excel repairs a file whose cells are out of order."""
        put(made, block(top=sample.top, left=sample.left))
        root = tree(made, SHEET if sample.top == 0 else SHEET.replace("1", "2"))
        names = [place_of(cell.get("r")) for cell in root.xpath("//*[local-name()='c'][@r]")]
        assert names == sorted(set(names))


class TestRead:
    """Sheets as a reader sees them."""

    def test_sheets_are_worksheets_in_tab_order(self, tmp_path: Path) -> None:
        """A chart sheet is none, and the active one is what the file opens with."""
        rich(tmp_path / "rich.xlsx")
        book = Workbook.open(tmp_path / "rich.xlsx")
        assert (book.sheet_names, book.active) == (("Results", "Summary"), "Results")

    def test_active_sheet_that_is_hidden_or_no_worksheet(self, path: Path) -> None:
        """Then it is the first visible one."""
        edit(path, "xl/workbook.xml", 'name="Results"', 'name="Results" state="hidden"')
        assert Workbook.open(path).active == "Summary"
        edit(path, "xl/workbook.xml", "<workbookView ", '<workbookView activeTab="7" ')
        assert Workbook.open(path).active == "Summary"

    def test_values_of_all_kinds(self, tmp_path: Path) -> None:
        """Errors are texts, an empty text is nothing, dates are dates."""
        path = tmp_path / "kinds.xlsx"
        with xlsxwriter.Workbook(path) as book:
            sheet = book.add_worksheet()
            sheet.write_formula("C5", "=1/0", None, "#DIV/0!")
            sheet.write_boolean("D5", True)
            sheet.write_formula("E5", '=""', None, "")
            sheet.write_number("F5", 45351, book.add_format({"num_format": "yyyy-mm-dd"}))
            sheet.write_string("G5", ' t="e"')
        (*blank, row) = cells(path, "Sheet1")
        assert blank == [[None] * 7] * 4
        assert [str(cell) for cell in row[2:]] == ["#DIV/0!", "True", "None", "2024-02-29", ' t="e"']

    @pytest.mark.parametrize(
        ("inside", "read"),
        [
            ("<f>IF(A1&gt;2,1,2)</f>", "=IF(A1>2,1,2) (a formula without a value)"),
            ("<f>IF(A1>2,1,2)</f>", "=IF(A1>2,1,2) (a formula without a value)"),
            ("<f><![CDATA[IF(A1<2,1,2)]]></f>", "=IF(A1<2,1,2) (a formula without a value)"),
            ("<f>1+<!-- one -->1</f>", "=1+1 (a formula without a value)"),
            ("<!-- a sum --><f>1+1</f>", "=1+1 (a formula without a value)"),
            ("\n  <f>1+1</f>\n", "=1+1 (a formula without a value)"),
            ("\n  <f>1+1</f>\n  <v/>\n", "=1+1 (a formula without a value)"),
            ('<f>1+1</f ><v xml:space="preserve"></v >', "=1+1 (a formula without a value)"),
            ('<f t="shared" si="0" ref="F2:F3">A1>2</f>', "=A1>2 (a formula without a value)"),
            ("<f>IF(A1>2,1,2)</f><v>2</v>", 2.0),
            ("\n  <f>1+1</f>\n  <v>2</v>\n", 2.0),
            ("<f>1+<!-- one -->1</f><v>2</v>", 2.0),
            ('<f>""</f>', None),
            ("<f>&quot;&quot;</f>", None),
        ],
    )
    def test_a_formula_is_read_however_it_is_written(self, path: Path, inside: str, read: object) -> None:
        """A formula without a value is named, and it is read the same once we have written the sheet."""
        edit(path, SHEET, '<c r="F2"><v>7</v>', f'<c r="F2">{inside}')
        assert cells(path)[1][5] == read
        put(path, block())
        assert cells(path)[1][5] == read

    def test_tables_are_told(self, tmp_path: Path) -> None:
        """With their totals rows."""
        table(tmp_path / "table.xlsx")
        tables = Workbook.open(tmp_path / "table.xlsx").read("Results").tables
        assert tables == (Table(0, 0, 13, 5, "Evening", 1), Table(20, 0, 24, 2, "Other"))

    def test_unknown_sheet_names_those_there_are(self, path: Path) -> None:
        """The message lists them."""
        with pytest.raises(FileError, match=r"no worksheet 'Nope' \(one of Results, Summary expected\)"):
            Workbook.open(path).read("Nope")

    @pytest.mark.parametrize("name", ["XFD1048576", "A1048576"])
    def test_cell_far_out_is_refused_by_name(self, path: Path, name: str) -> None:
        """A reader would lay out billions of cells."""
        row = place_of(name)[0] + 1
        edit(path, SHEET, "</sheetData>", f'<row r="{row}"><c r="{name}"><v>1</v></c></row></sheetData>')
        edit(path, SHEET, '(<row r="1".*?)</row>', r'\1<c r="ZZ1"><v>1</v></c></row>')
        with pytest.raises(FileError, match=f"cell {name} lies far out"):
            Workbook.open(path).read("Results")

    def test_cell_without_name_far_out_is_refused(self, path: Path) -> None:
        """Its row says where it is."""
        edit(path, SHEET, "</sheetData>", '<row r="1048576">' + "<c><v>1</v></c>" * 40 + "</row></sheetData>")
        with pytest.raises(FileError, match="lies far out"):
            Workbook.open(path).read("Results")

    def test_look_far_out_is_no_trouble(self, path: Path) -> None:
        """A cell that was only coloured is blank."""
        edit(path, SHEET, "</sheetData>", '<row r="1048576"><c r="XFD1048576" s="0"/></row></sheetData>')
        assert len(cells(path)) == 13

    @pytest.mark.parametrize(
        ("old", "new"),
        [('r="A2"', 'r="2A"'), ('r="A2"', 'r="ZZZZ99999999999999"'), ("<v>0</v>", "<v>7777</v>"), ('r="2"', 'r="x"')],
    )
    def test_damaged_cell_is_an_error(self, path: Path, old: str, new: str) -> None:
        """Whatever the reading library makes of it, even a panic."""
        edit(path, SHEET, old, new)
        with pytest.raises(FileError):
            Workbook.open(path).read("Results")


class TestCells:
    """What is written in cells, and where not."""

    def test_text_is_never_a_formula(self, path: Path) -> None:
        """It is an inline string, with its spaces."""
        put(path, block(Column("=A1", "@", 8.0, ["=1+1", " a  b ", "<&>", "x\ny"])))
        root = tree(path)
        assert not root.findall(".//{*}f")
        assert [find(root, f"G{row}").get("t") for row in (1, 2, 3, 4, 5)] == ["inlineStr"] * 5
        assert [row[6] for row in cells(path)[:5]] == ["=A1", "=1+1", " a  b ", "<&>", "x\ny"]

    @pytest.mark.parametrize(
        ("text", "written"),
        [("a\x01", "a_x0001_"), ("_x0041_", "_x005F_x0041_"), ("\ud800", "_xD800_"), ("\r", "_x000D_"), ("a_b", "a_b")],
    )
    def test_characters_that_xml_cannot_hold(self, path: Path, text: str, written: str) -> None:
        """They are escaped as spreadsheets do, and so is a text that looks like an escape."""
        assert plain_text(text) == written
        put(path, block(Column("x", "@", 8.0, [text])))
        assert "".join(find(tree(path), "G2").itertext()) == written

    @given(st.text(max_size=20))
    def test_any_text_is_well_formed(self, text: str) -> None:
        """Whatever a file's rows contain."""
        etree.fromstring(f"<t>{plain_text(text).replace('&', '').replace('<', '')}</t>".encode())

    def test_numbers_are_short_and_finite(self, path: Path) -> None:
        """NaN is no value; an infinite one is an error."""
        put(path, block(Column("x", "0.0", 8.0, [0.1, -0.0, 1e-7, 3, math.nan, None, ""])))
        root = tree(path)
        assert [find(root, f"G{row}").findtext("{*}v") for row in (2, 3, 4, 5)] == ["0.1", "0.0", "1e-07", "3"]
        assert not root.xpath("//*[local-name()='c'][@r='G6' or @r='G7' or @r='G8']")
        with pytest.raises(FileError, match="cell G2 would contain inf"):
            Workbook.open(path).put("Results", block(Column("x", "0", 8.0, [math.inf]), replaces=1))

    def test_text_too_long_for_a_cell(self, path: Path) -> None:
        """Excel would call the file damaged."""
        with pytest.raises(FileError, match="cell G2 would contain 40,000 letters"):
            Workbook.open(path).put("Results", block(Column("x", "@", 8.0, ["a" * 40_000])))

    def test_fewer_columns_empty_the_old_ones(self, path: Path) -> None:
        """And more take their place."""
        put(path, block())
        put(path, block(BUTLER, replaces=3))
        assert [row[6:] for row in cells(path)] == [[cell] for cell in ("Butler", *BUTLER.cells)]
        put(path, block(replaces=1))
        assert cells(path)[0][6:] == ["Datum", "Butler", "Valet note"]

    def test_value_that_went_leaves_no_content(self, path: Path) -> None:
        """The cell keeps its look."""
        put(path, block(DATUM))
        put(path, block(replace(DATUM, cells=[None] * 12), replaces=1))
        assert [row[6] if len(row) > 6 else None for row in cells(path)] == ["Datum"] + [None] * 12
        assert find(tree(path), "G2").get("s")

    def test_missing_rows_are_made(self, path: Path) -> None:
        """In their places, also above all others."""
        edit(path, SHEET, '<row r="1" .*?</row>', "")
        edit(path, SHEET, '<row r="5" .*?</row>', "")
        put(path, block())
        assert [row[6] for row in cells(path)] == ["Datum", *DATUM.cells]
        assert [int(row.get("r")) for row in tree(path).iter("{*}row")] == list(range(1, 14))

    def test_dimension_and_spans_reach_to_the_new_cells(self, path: Path) -> None:
        """What the sheet says of itself stays true."""
        put(path, block())
        root = tree(path)
        assert root.find("{*}dimension").get("ref") == "A1:I13"
        assert {row.get("spans") for row in root.iter("{*}row")} == {"1:9"}

    def test_unnamed_cell_right_of_new_ones_keeps_its_place(self, path: Path) -> None:
        """It gets a name, as its place would change."""
        edit(path, SHEET, r'<(row|c) r="\w+"', r"<\1")
        edit(path, SHEET, "(<row .*?)</row>", r"\1<c/><c/><c/><c><v>5</v></c></row>")
        put(path, block())
        assert [row[9] for row in cells(path)] == [5.0] * 13

    @pytest.mark.parametrize(
        ("pattern", "new", "message"),
        [
            ("", '<c r="H2"><v>1</v></c>', "cell H2 contains a value"),
            ("", '<c r="H2" t="inlineStr"><is><t>x</t></is></c>', "cell H2 contains a value"),
            ("", '<c r="G2"><f>1+1</f></c>', "cell G2 contains a formula"),
            ("", '<c r="Z2"><f t="array" ref="H1:Z2">1</f></c>', "H1:Z2 are merged cells or one formula"),
        ],
    )
    def test_cell_that_is_not_ours_is_named(self, path: Path, pattern: str, new: str, message: str) -> None:
        """And nothing is changed."""
        edit(path, SHEET, '(<row r="2".*?)</row>', rf"\1{new}</row>")
        book = Workbook.open(path)
        with pytest.raises(FileError, match=message) as error:
            book.put("Results", block())
        assert "\n" not in str(error.value)
        before = parts(path)
        book.save(path)
        assert parts(path) == before

    def test_formula_in_our_old_columns_is_kept(self, path: Path) -> None:
        """Its owner wrote it there after the first time."""
        put(path, block())
        edit(path, SHEET, '(<c r="H7"[^>]*>)<v>', r"\1<f>1+1</f><v>")
        with pytest.raises(FileError, match="cell H7 contains a formula"):
            put(path, block(replaces=3))

    def test_merged_cells_are_refused(self, path: Path) -> None:
        """A value in the middle of them would be lost."""
        edit(path, SHEET, "</sheetData>", '</sheetData><mergeCells count="1"><mergeCell ref="H20:I20"/></mergeCells>')
        put(path, block(), to=path.with_name("apart.xlsx"))
        edit(path, SHEET, "H20:I20", "F3:G4")
        with pytest.raises(FileError, match="F3:G4 are merged"):
            put(path, block())

    def test_sheet_has_an_end(self, path: Path) -> None:
        """No column goes beyond it."""
        with pytest.raises(FileError, match="no room"):
            put(path, block(left=MAX_COLUMNS - 1))
        with pytest.raises(FileError, match="no room"):
            put(path, block(top=MAX_ROWS - 1))

    @given(st.integers(0, MAX_ROWS - 1), st.integers(0, MAX_COLUMNS - 1))
    def test_names_of_cells(self, row: int, column: int) -> None:
        """Every name is read as it is written."""
        assert place_of(cell_name(row, column)) == (row, column)
        assert str(Area.parse(f"A1:{cell_name(row, column)}")).endswith(cell_name(row, column))


class TestLooks:
    """Styles and widths."""

    def format_of(self, path: Path, name: str) -> etree._Element:
        """A cell's format."""
        return tree(path, "xl/styles.xml").findall("{*}cellXfs/{*}xf")[int(find(tree(path), name).get("s", "0"))]

    def test_new_cells_continue_the_table(self, tmp_path: Path) -> None:
        """Headings look as the one next to them, to the right over numbers; other cells have its border and fill."""
        path = tmp_path / "rich.xlsx"
        rich(path)
        put(path, block())
        root = tree(path)
        beside, heading = self.format_of(path, "F1"), self.format_of(path, "G1")
        assert {**beside.attrib, "applyAlignment": "1"} == {**heading.attrib, "applyAlignment": "1"}
        alignment = heading.find("{*}alignment")
        assert alignment is not None and alignment.get("horizontal") == "right"
        assert find(root, "I1").get("s") == find(root, "F1").get("s")
        for row in (2, 3):
            old, new = self.format_of(path, f"F{row}"), self.format_of(path, f"H{row}")
            assert [new.get(name) for name in ("fontId", "fillId", "borderId")] == [
                old.get(name) for name in ("fontId", "fillId", "borderId")
            ]
            assert new.get("numFmtId") == "2"
            assert new.find("{*}alignment") is None

    def test_plain_headings_are_bold(self, path: Path) -> None:
        """Where the input has no look at all."""
        put(path, block())
        font = int(self.format_of(path, "G1").get("fontId", "0"))
        assert tree(path, "xl/styles.xml").findall("{*}fonts/{*}font")[font].find("{*}b") is not None

    def test_equal_formats_are_found_wherever_namespaces_are_declared(self, path: Path) -> None:
        """The number of formats and fonts does not grow; a namespace may be no address."""
        edit(path, "xl/styles.xml", "<styleSheet ", '<styleSheet xmlns:own="own" xmlns:x="urn:x" ')
        counts = []
        for replaces in (0, 3, 3):
            put(path, block(replaces=replaces))
            root = tree(path, "xl/styles.xml")
            counts.append([len(root.findall(f"{{*}}{name}/*")) for name in ("cellXfs", "fonts", "numFmts")])
        assert counts[0] == counts[1] == counts[2]

    @pytest.mark.parametrize(
        ("code", "number"),
        [("General", "0"), ("0", "1"), ("0.00", "2"), ("@", "49"), ("0.0", "164"), ('0" IMP"', "164")],
    )
    def test_number_formats(self, path: Path, code: str, number: str) -> None:
        """Those that every program knows have numbers; others are added once."""
        put(path, block(Column("x", code, 8.0, [1.0]), Column("y", code, 8.0, [1.0])))
        assert self.format_of(path, "G2").get("numFmtId") == number
        found = [e.get("formatCode") for e in tree(path, "xl/styles.xml").iterfind("{*}numFmts/{*}numFmt")]
        assert found == ([code] if number == "164" else [])

    def test_row_and_column_looks_go_on(self, tmp_path: Path) -> None:
        """A blank cell next to it shows its row's or column's look."""
        path = tmp_path / "rows.xlsx"
        with xlsxwriter.Workbook(path) as book:
            sheet = book.add_worksheet("Results")
            sheet.write("A1", "Board")
            sheet.set_column("F:F", 9, book.add_format({"italic": True}))
            sheet.set_row(2, None, book.add_format({"bg_color": "red"}))
        put(path, block())
        assert self.format_of(path, "G2").get("fontId") != "0"
        assert self.format_of(path, "G3").get("fillId") != "0"

    def test_styles_without_formats(self) -> None:
        """A style sheet may lack them, and a workbook may lack a style sheet."""
        assert StylesPart(None).style(0, "0.00") == 0
        assert StylesPart(parse(f'<styleSheet xmlns="{MAIN}"/>'.encode())).style(0, None) == 0

    def test_style_only_cells_are_used(self, tmp_path: Path) -> None:
        """A cell that was only coloured takes the value, and keeps its look where there is none."""
        path = tmp_path / "coloured.xlsx"
        with xlsxwriter.Workbook(path) as book:
            sheet = book.add_worksheet("Results")
            red = book.add_format({"bg_color": "red"})
            for row in range(13):
                sheet.write(row, 0, row)
                sheet.write_blank(row, 3, None, red)
        put(path, block(DATUM, BUTLER, NOTE, left=1))
        root = tree(path)
        assert find(root, "D2").get("s") == "1"
        assert find(root, "D13").get("s") != "1"
        assert put(path, block(left=1, replaces=3), to=tmp_path / "twice.xlsx").read_bytes() == path.read_bytes()

    def test_widths_are_set_where_none_was(self, tmp_path: Path) -> None:
        """A column that has a width keeps it."""
        path = tmp_path / "rich.xlsx"
        rich(path)
        put(path, block())
        found = [(c.get("min"), c.get("max"), c.get("width")) for c in tree(path).iterfind("{*}cols/{*}col")]
        assert [(low, high) for low, high, _ in found] == [("1", "2"), ("6", "8"), ("9", "9")]
        assert found[2][2] == "30"


class TestTables:
    """Excel tables grow and shrink with the columns."""

    PART = "xl/tables/table1.xml"

    @pytest.fixture
    def path(self, tmp_path: Path) -> Path:
        """Results in a table with a totals row."""
        made = tmp_path / "table.xlsx"
        table(made)
        return made

    def columns(self, path: Path) -> list[tuple[str | None, str | None]]:
        """The names and identifiers of a table's columns."""
        return [(c.get("name"), c.get("id")) for c in tree(path, self.PART).iter("{*}tableColumn")]

    def test_table_grows_and_shrinks(self, path: Path) -> None:
        """Its area, filter, columns and their number agree."""
        put(path, block())
        root = tree(path, self.PART)
        assert (root.get("ref"), root.find("{*}autoFilter").get("ref")) == ("A1:I14", "A1:I13")
        assert root.find("{*}tableColumns").get("count") == "9"
        assert self.columns(path)[5:] == [("Tricks", "6"), ("Datum", "7"), ("Butler", "8"), ("Valet note", "9")]
        assert Workbook.open(path).read("Results").tables[0].right == 8
        put(path, block(BUTLER, replaces=3))
        assert tree(path, self.PART).get("ref") == "A1:G14"
        assert self.columns(path)[5:] == [("Tricks", "6"), ("Butler", "8")]
        put(path, block(BUTLER, DATUM, replaces=1))
        assert self.columns(path)[5:] == [("Tricks", "6"), ("Butler", "8"), ("Datum", "9")]

    def test_other_table_is_untouched(self, path: Path) -> None:
        """Byte for byte."""
        before = parts(path)["xl/tables/table2.xml"]
        put(path, block())
        assert parts(path)["xl/tables/table2.xml"] == before

    def test_line_break_in_a_heading(self, path: Path) -> None:
        """A table's name of a column escapes it."""
        put(path, block(Column("a\nb", "0", 8.0, [1] * 12)))
        assert self.columns(path)[6] == ("a_x000a_b", "7")
        assert b'name="a_x000a_b"' in parts(path)[self.PART]

    def test_filter_on_a_column_that_goes(self, path: Path) -> None:
        """It goes too."""
        put(path, block())
        edit(
            path,
            self.PART,
            '<autoFilter ref="A1:I13"/>',
            '<autoFilter ref="A1:I13"><filterColumn colId="8"/></autoFilter>',
        )
        put(path, block(DATUM, replaces=3))
        assert not tree(path, self.PART).findall(".//{*}filterColumn")

    def test_table_beside_with_other_rows_or_equal_names_stays(self, path: Path) -> None:
        """The columns are then right of it."""
        before = parts(path)[self.PART]
        put(path, block(Column("TRICKS", "0", 8.0, [1] * 12)), to=path.with_name("equal.xlsx"))
        put(path, block(top=1), to=path.with_name("lower.xlsx"))
        put(path, block(Column("x", "0", 8.0, [1] * 20)), to=path.with_name("longer.xlsx"))
        for name in ("equal", "lower", "longer"):
            assert parts(path.with_name(f"{name}.xlsx"))[self.PART] == before

    def test_overlap_with_another_table_is_refused(self, path: Path) -> None:
        """It is named."""
        with pytest.raises(FileError, match="meets the table 'Other'"):
            put(path, block(top=20, left=2))

    def test_value_under_the_new_columns_in_the_table_is_refused(self, path: Path) -> None:
        """The table's totals row would swallow it."""
        edit(path, SHEET, '(<row r="14".*?)</row>', r'\1<c r="G14"><v>1</v></c></row>')
        with pytest.raises(FileError, match="cell G14 contains a value"):
            put(path, block())

    def test_failure_at_the_last_part_changes_none(self, path: Path) -> None:
        """Nor what the next try finds."""
        edit(path, self.PART, '<autoFilter ref="A1:F13"', '<autoFilter ref="no"')
        book = Workbook.open(path)
        before = parts(path)
        for _ in range(2):
            with pytest.raises(FileError, match="invalid cell name: 'no'"):
                book.put("Results", block())
        book.save(path)
        assert parts(path) == before


class TestCalculation:
    """All formulas are computed when the workbook opens next."""

    def test_setting_is_made_or_changed(self, path: Path) -> None:
        """At the place where the schema has it."""
        put(path, block(), to=path.with_name("changed.xlsx"))
        assert tree(path.with_name("changed.xlsx"), "xl/workbook.xml").find("{*}calcPr").get("fullCalcOnLoad") == "1"
        edit(path, "xl/workbook.xml", "<calcPr[^>]*>", "<definedNames/><oleSize ref='A1'/>")
        put(path, block())
        names = [etree.QName(child).localname for child in tree(path, "xl/workbook.xml")]
        assert names[-3:] == ["definedNames", "calcPr", "oleSize"]

    def test_setting_that_is_there_keeps_the_part(self, path: Path) -> None:
        """Byte for byte."""
        edit(path, "xl/workbook.xml", "<calcPr", '<calcPr fullCalcOnLoad="1"')
        before = parts(path)["xl/workbook.xml"]
        put(path, block())
        assert parts(path)["xl/workbook.xml"] == before
