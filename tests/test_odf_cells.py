"""Usual cells of .ods files that are taken apart at once are what expat reads of them, and are written over alike."""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Callable

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from valet_xl.documents.markup import MarkupError
from valet_xl.documents.odf import usual_cells
from valet_xl.documents.odf.names import NAMES
from valet_xl.documents.odf.patch import with_block
from valet_xl.documents.odf.reader import _Reader, spreadsheet, streamed
from valet_xl.documents.odf.sheet import Rows, Sheet, Spreadsheet
from valet_xl.documents.odf.usual_cells import UnusualError, UsualCells
from valet_xl.documents.page import Block, Column
from valet_xl.errors import FileError, SheetError

START = (
    '<?xml version="1.0" encoding="UTF-8"?>\n<office:document-content '
    + " ".join(f'xmlns:{name}="{uri}"' for name, uri in NAMES.items())
    + '><office:automatic-styles><style:style style:name="ce1" style:family="table-cell"><style:text-properties '
    'fo:color="#000000"/></style:style></office:automatic-styles><office:body><office:spreadsheet>'
    '<table:table table:name="One"><table:table-column table:number-columns-repeated="7" '
    'table:default-cell-style-name="ce1"/>'
)
ROWS = (
    '<table:table-row table:style-name="ro1"><table:table-cell office:value-type="string" '
    'calcext:value-type="string"><text:p>Board</text:p></table:table-cell><table:table-cell/><table:table-cell '
    'table:style-name="ce1" office:value-type="string"><text:p>N &amp; S</text:p><text:p> \n two </text:p>'
    '</table:table-cell><table:table-cell table:number-columns-repeated="21"/></table:table-row>'
    '<table:table-row table:number-rows-repeated="3" table:default-cell-style-name="ce1"><table:table-cell '
    'office:value-type="float" office:value="-12.25" calcext:value-type="float"><text:p>-12.3</text:p>'
    '</table:table-cell><table:table-cell office:value-type="float" office:value="7" '
    'table:number-columns-repeated="2"><text:p>7</text:p></table:table-cell><table:table-cell '
    'table:formula="of:=&quot;&quot;" office:value-type="string" office:string-value=""><text:p/></table:table-cell>'
    "</table:table-row>\n"
    '<table:table-row><table:table-cell office:value-type="date" office:date-value="2026-04-03"><text:p>3/4</text:p>'
    '</table:table-cell><table:table-cell office:value-type="boolean" office:boolean-value="true"/><table:table-cell '
    'office:value-type="time" office:time-value="PT18H30M00S"/><table:table-cell table:formula="of:=1+1"/>'
    '<table:table-cell office:value-type="percentage" office:value="0.5"><text:p>50 %</text:p></table:table-cell>'
    '<table:table-cell office:value-type="string" calcext:value-type="error"><text:p>#N/A</text:p></table:table-cell>'
    "</table:table-row><table:table-row>"
    + "".join(  # of two kinds, in which numbers and texts have other lengths
        f'<table:table-cell office:value-type="float" office:value="{value}" calcext:value-type="{kind}"><text:p>{text}'
        "</text:p></table:table-cell>"
        for value, text, kind in [
            *(("1234.5", "1,234.500", "float"), ("7", "7", "float"), ("-0", "0", "float")),
            *(("0", "#N/A", "error"), ("10", "#VALUE!", "error")),
        ]
    )
    + "<table:table-cell/></table:table-row>"
)
ODD = (
    '<table:table-header-rows><table:table-row><table:table-cell table:number-columns-spanned="2" '
    'table:number-rows-spanned="1" office:value-type="string"><text:p>a<text:s text:c="2"/>b</text:p>'
    "</table:table-cell><table:covered-table-cell/><table:table-cell><office:annotation><text:p>said</text:p>"
    "</office:annotation></table:table-cell><table:table-cell office:value-type='float' office:value='3'/>"
    "</table:table-row></table:table-header-rows><table:table-row><table:table-cell/></table:table-row>"
)
NEXT = '</table:table><table:table table:name="Two"><table:table-column/>'
END = (
    '</table:table><table:database-ranges><table:database-range table:name="x" '
    'table:target-range-address="One.A1:One.C5"/></table:database-ranges></office:spreadsheet></office:body>'
    "</office:document-content>"
)
BLOCK = Block(1, 2, (Column("IAF", "0.00", 9.0, [1.5, -0.0, None, 1e-7]), Column("Note", "@", 9.0, ["a  b", None])), 1)


@pytest.fixture(autouse=True, scope="module")
def every_run_counts() -> object:
    """Runs of a single cell too, so that small sheets have some."""
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(usual_cells, "_FEW", 1)
        yield


def rows_of(found: Spreadsheet, sheet: Sheet) -> dict[str, list[object]]:
    """All that is known of the rows of a sheet, however its forms and looks are numbered."""
    known: dict[str, list[object]] = {
        field.name: getattr(sheet.rows, field.name).tolist() for field in dataclasses.fields(Rows)
    }
    forms = [found.forms[at] for at in sheet.rows.form]
    known["form"] = [(type(form.value), *form) for form in forms]
    known["look"] = [found.looks[at] for at in sheet.rows.look]
    return known


def same(one: Spreadsheet, other: Spreadsheet) -> None:
    """Compare all that is known of two spreadsheets."""
    for field in dataclasses.fields(Spreadsheet):
        if field.name not in {"sheets", "forms", "looks"}:
            assert getattr(one, field.name) == getattr(other, field.name), field.name
    for mine, theirs in zip(one.sheets, other.sheets, strict=True):
        assert rows_of(one, mine) == rows_of(other, theirs)
        for field in dataclasses.fields(Sheet):
            if field.name != "rows":
                assert getattr(mine, field.name) == getattr(theirs, field.name), field.name
        assert outcome(lambda at=mine: list(one.cells(at))) == outcome(lambda at=theirs: list(other.cells(at)))


def outcome(work: Callable[[], object]) -> object:
    """What some work gives, or the message of the error."""
    try:
        return repr(work())
    except (FileError, SheetError) as error:
        return str(error)


def both(data: bytes) -> int | None:
    """How many runs of usual cells a part has; then both ways give the same, and new cells come to the same places.

    None where it is left to expat as a whole.
    """
    usual = UsualCells(data)
    try:
        quick = _Reader(data, usual).found
    except (MarkupError, UnusualError):
        return None
    slow = streamed(data)
    same(quick, slow)
    for mine, theirs in zip(quick.sheets, slow.sheets, strict=True):
        for left in (0, 2, 5):
            block = dataclasses.replace(BLOCK, left=left)
            assert outcome(lambda at=mine, new=block: with_block(data, quick, at, new, {})) == outcome(
                lambda at=theirs, new=block: with_block(data, slow, at, new, {})
            )
    return len(usual.runs)


def part(*rows: str) -> bytes:
    return (START + NEXT.join(rows) + END).encode()


def test_usual_cells_are_one_run() -> None:
    """But for the last, behind which the sheet ends."""
    assert both(part(ROWS * 3)) == 1
    usual = UsualCells(part(ROWS * 3))
    assert usual.frame.count(b"<table:table-cell") == 1
    assert len(usual.forms) == len(set(re.findall("<table:table-cell.*?(?=<table:table-cell|$)", ROWS, re.DOTALL)))


def test_runs_go_on_behind_what_is_odd() -> None:
    """Merged cells, comments and groups of rows, and sheets that follow."""
    assert both(part(ROWS + ODD + ROWS, ODD, ROWS)) == 5
    found = spreadsheet(part(ROWS + ODD + ROWS, ODD, ROWS))
    assert [len(found.cells(sheet)) for sheet in found.sheets] == [14, 1, 6]
    assert found.cells(found.sheets[0])[6][:4] == ["a  b", None, None, 3.0]


def test_what_is_in_the_cells() -> None:
    found = spreadsheet(part(ROWS))
    cells = found.cells(found.sheets[0])
    assert cells[0] == ["Board", None, "N & S\ntwo", None, None, None]
    assert cells[1] == cells[2] == cells[3] == [-12.25, 7.0, 7.0, None, None, None]
    assert [str(cell) for cell in cells[4]] == [
        "2026-04-03",
        "True",
        "18:30:00",
        "=1+1 (a formula without a value)",
        "0.5",
        "#N/A",
    ]
    assert cells[5][:5] == [1234.5, 7.0, 0.0, "#N/A", "#VALUE!"]


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("<text:p>Board</text:p>", "<text:p>B<!-- one -->oard</text:p>"),
        ("<text:p>Board</text:p>", "<text:p><![CDATA[Board]]></text:p>"),
        ("<text:p>Board</text:p>", "<text:p>Bo&#97;rd</text:p>"),
        ("<text:p>Board</text:p>", "<text:p><text:span>Bo</text:span>ard</text:p>"),
        ("<text:p>Board</text:p>", "<text:p>Bo<?pi?>ard</text:p>"),
        ("<text:p>Board</text:p>", "<text:p>Board</text:p><draw:frame><text:p>drawn</text:p></draw:frame>"),
        ("<text:p>Board</text:p>", "<text:p>B\ufffeoard</text:p>"),
        ("<table:table-cell/>", "<table:covered-table-cell><text:p>x</text:p></table:table-cell>"),
        ('office:value="-12.25"', "office:value='-12.25'"),
        ('office:value="-12.25"', 'office:value="-1225e-2"'),
        ('office:value="-12.25"', 'office:value="1e999"'),
        ('office:value="-12.25"', 'office:value="x"'),
        ('office:value="7"', 'office:value="7" office:value-type="float"'),
        ('table:number-columns-repeated="2"', 'table:number-columns-repeated="0"'),
        ('table:number-rows-repeated="3"', 'table:number-rows-repeated="x"'),
        ('table:formula="of:=1+1"', 'table:formula="of:=1>1"'),
        ('table:formula="of:=1+1"', 'table:formula="of:=1+1" other="1"'),
        ('table:formula="of:=1+1"', 'table:formula="of:=1+1" xmlns:x="urn:x" x:y="1"'),
        ("<table:table-cell/>", "<table:table-cell></table:table-cell>"),
        ("<table:table-cell/>", "<table:table-cell />"),
        ("<table:table-cell/>", "<table:table-cell><table:table><table:table-row/></table:table></table:table-cell>"),
        ("</table:table-row>\n", "</table:table-row>\n<text:soft-page-break/>\n"),
        ("</table:table-row>\n", "</table:table-row><table:table-row/>"),
    ],
)
def test_what_is_odd_is_left_to_expat(old: str, new: str) -> None:
    """That cell alone, and it is read all the same, or refused for the same reason."""
    assert old in ROWS
    data = part(ROWS.replace(old, new, 1) + ROWS)
    try:
        slow = streamed(data)
    except MarkupError as error:
        with pytest.raises(MarkupError, match=re.escape(str(error))):
            spreadsheet(data)
        return
    assert both(data)
    same(spreadsheet(data), slow)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ('xmlns:table="urn:oasis', 'xmlns:table="urn:other'),
        (f'xmlns:table="{NAMES["table"]}"', f'xmlns:table="{NAMES["table"]}" xmlns:t="{NAMES["table"]}"'),
        ("<table:table ", f'<table:table xmlns:text="{NAMES["text"]}" '),
        (f'xmlns:calcext="{NAMES["calcext"]}"', ""),
        ("<table:table-column ", f"<!-- {ROWS} --><table:table-column "),
        ("<table:table-column ", "<?valet-xl-run 0?><table:table-column "),
    ],
)
def test_what_may_mean_something_else_is_left_to_expat_as_a_whole(old: str, new: str) -> None:
    text = part(ROWS * 2).decode()
    assert old in text
    data = text.replace(old, new, 1).encode()
    assert both(data) is None
    try:
        slow = streamed(data)
    except MarkupError:
        with pytest.raises(MarkupError):
            spreadsheet(data)
    else:
        same(spreadsheet(data), slow)


def test_the_same_bytes_may_mean_something_else() -> None:
    """Where a row gives the prefix to other names, which no program does."""
    seven = '<table:table-cell office:value-type="float" office:value="7"/>'
    rows = "".join(f"<table:table-row{space}>{seven}</table:table-row>" for space in ("", ' xmlns:office="urn:x"', ""))
    found = spreadsheet(part(rows))
    assert list(found.cells(found.sheets[0])) == [[7.0], [None], [7.0]]


def test_a_formula_that_fills_rows_is_in_the_way_in_each_of_them() -> None:
    spread = '<table:table-cell table:number-matrix-rows-spanned="3" table:formula="of:=1" office:value-type="void"/>'
    found = spreadsheet(data := part(f"<table:table-row>{spread}</table:table-row>{ROWS}"))
    with pytest.raises(SheetError, match="A2:B6 contains merged cells"):
        with_block(data, found, found.sheets[0], dataclasses.replace(BLOCK, left=0), {})


PIECES = sorted(
    {
        *re.findall(r"<[^<>]*>|[^<>]+", ROWS + ODD + NEXT),
        *(" ", "\n", "&", "&lt;", "\x00", "'", '"', "<!-- -->", "]]>", "é", "\ufffe", "\r"),
        *("<table:table-cell", "</table:table-cell>", "/>", "<?valet-xl-run 0?>", "<!--", "-->", "<text:span>"),
        '<table:table-row xmlns:table="urn:x">',
    }
)


@st.composite
def changed_parts(draw: st.DrawFn) -> bytes:
    """Sheets with some of their pieces put elsewhere."""
    whole = re.findall(r"<[^<>]*>|[^<>]+", draw(st.sampled_from([ROWS, ROWS + ODD, ODD + ROWS, ROWS + NEXT + ROWS])))
    for _ in range(draw(st.integers(1, 3))):
        at = draw(st.integers(0, len(whole)))
        whole[at : at + draw(st.integers(0, 3))] = draw(st.lists(st.sampled_from(PIECES), max_size=2))
    data = bytearray((START + "".join(whole) + END).encode())
    for _ in range(draw(st.integers(0, 2))):
        at = draw(st.integers(len(START), len(data) - len(END)))
        data[at : at + draw(st.integers(0, 2))] = draw(
            st.sampled_from([b"", b"<", b">", b'"', b"/", b" ", b"=", b"&", b"1", b"\xff", b"-", b"t"])
        )
    return bytes(data)


@settings(suppress_health_check=[HealthCheck.too_slow], deadline=None)
@given(changed_parts())
@example(part("<table:table-row><table:table-cell/></table:table-row>"))
def test_any_part_is_read_as_expat_reads_it(data: bytes) -> None:
    """Whatever is taken apart at once, and the same is refused."""
    runs = both(data)
    try:
        slow = streamed(data)
    except MarkupError:
        assert runs is None
        with pytest.raises(MarkupError):
            spreadsheet(data)
    else:
        same(spreadsheet(data), slow)


CELL = re.compile("<table:(?:covered-)?table-cell(?:[^<>]*/>|.*?</table:table-cell>)", re.DOTALL)
WHOLE = sorted(
    {*CELL.findall(ROWS + ODD), "<table:table-cell><text:p><text:span>x</text:span> y</text:p></table:table-cell>"}
)
REPEATED = st.sampled_from(["", "", ' table:number-{}-repeated="2"', ' table:number-{}-repeated="9"'])


@st.composite
def whole_rows(draw: st.DrawFn) -> str:
    """Rows with any cells, some of them in a group."""
    rows = []
    for _ in range(draw(st.integers(1, 6))):
        cells = draw(st.lists(st.sampled_from(WHOLE), min_size=1, max_size=8))
        look = draw(st.sampled_from(["", ' table:default-cell-style-name="ce1"']))
        row = f"<table:table-row{draw(REPEATED).format('rows')}{look}>{''.join(cells)}</table:table-row>"
        group = draw(st.sampled_from(["", "", "", "table:table-row-group", "table:table-rows"]))
        rows.append(f"<{group}>{row}</{group}>" if group else row)
    return draw(st.sampled_from(["", "\n  "])).join(rows)


@pytest.mark.slow
@settings(suppress_health_check=[HealthCheck.too_slow], deadline=None)
@given(st.lists(whole_rows(), min_size=1, max_size=2))
def test_any_cells_are_read_and_written_over_as_expat_reads_them(sheets: list[str]) -> None:
    """In any order, in repeated rows and groups of rows."""
    assert both(part(*sheets)) is not None


def test_what_is_laid_out_is_one_run() -> None:
    """With each element in a line of its own."""
    assert both(part(ROWS.replace("><", ">\n  <") * 3)) == 1


def test_a_sheet_longer_than_a_chunk(monkeypatch: pytest.MonkeyPatch) -> None:
    """Wherever the bytes are divided."""
    data = part(ROWS * 4, ODD, ROWS)
    whole = both(data)
    for size in (1, 7, 100, 333, 1000, 5000):
        monkeypatch.setattr(usual_cells, "_CHUNK", size)
        assert both(data) == whole
    starts = [found.start() for found in re.finditer(b"<table:(?:covered-)?table-cell", data)]
    assert UsualCells(data)._starts.tolist() == starts


def test_a_damaged_part_without_usual_cells_is_read_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Its cells may be long, and expat has said what is wrong with the part itself."""
    read = []
    monkeypatch.setattr("valet_xl.documents.odf.reader.streamed", read.append)
    monkeypatch.setattr(usual_cells, "_FEW", 12)
    few = START + "<table:table-row>\n" + "<table:table-cell/>" * 3 + "</table:row>"
    with pytest.raises(MarkupError) as one:
        spreadsheet(few.encode())
    with pytest.raises(MarkupError) as other:
        streamed(few.encode())
    assert not read
    assert (str(one.value), one.value.line) == (str(other.value), other.value.line)
    many = few.replace("<table:table-cell/>" * 3, "<table:table-cell/>" * 300)
    spreadsheet(many.encode())
    assert read == [many.encode()]
