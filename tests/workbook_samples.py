"""Workbooks to try things on, each with what a careless writer would lose. Every one has results on sheet 'Results'."""

from __future__ import annotations

import io
import re
import struct
import zipfile
import zlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

import xlsxwriter
from xlsxwriter.workbook import Workbook as Writer
from xlsxwriter.worksheet import Worksheet

HEADINGS = ["Board", "N-S", "E-W", "Contract", "By", "Tricks"]
ROWS = [
    [1 + i // 4, f"pair {i % 4}", f"pair {4 + i % 4}", f"{1 + i % 6}NT", "NESW"[i % 4], 7 + i % 6] for i in range(12)
]
MAIN = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
STRICT = {
    "http://schemas.openxmlformats.org/spreadsheetml/2006/main": "http://purl.oclc.org/ooxml/spreadsheetml/main",
    "http://schemas.openxmlformats.org/officeDocument/2006/relationships": (
        "http://purl.oclc.org/ooxml/officeDocument/relationships"
    ),
    "http://schemas.openxmlformats.org/drawingml/2006/": "http://purl.oclc.org/ooxml/drawingml/",
}
SHEET = "xl/worksheets/sheet1.xml"


@dataclass(frozen=True)
class Sample:
    """A workbook and where new columns go on its sheet 'Results'."""

    make: Callable[[Path], None]
    suffix: str = ".xlsx"
    top: int = 0
    left: int = 6

    @property
    def name(self) -> str:
        """What tests call it."""
        return self.make.__name__


def parts(path: Path) -> dict[str, bytes]:
    """Every part of a package, in order."""
    with zipfile.ZipFile(path) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


def pack(path: Path, content: Mapping[str, bytes]) -> None:
    """Write parts as a package."""
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in content.items():
            archive.writestr(zipfile.ZipInfo(name, (2024, 2, 29, 12, 34, 56)), data, zipfile.ZIP_DEFLATED)


def edit(path: Path, part: str, pattern: str, replacement: str) -> None:
    """Replace text in a part; it must be there."""
    content = parts(path)
    content[part], count = re.subn(pattern.encode(), replacement.encode(), content[part])
    assert count, f"{part} has no {pattern}"
    pack(path, content)


def picture() -> io.BytesIO:
    """A small red PNG image."""

    def chunk(kind: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    rows = b"".join(b"\0" + b"\xff\0\0" * 8 for _ in range(8))
    header = chunk(b"IHDR", struct.pack(">IIBBBBB", 8, 8, 8, 2, 0, 0, 0))
    return io.BytesIO(b"\x89PNG\r\n\x1a\n" + header + chunk(b"IDAT", zlib.compress(rows)) + chunk(b"IEND", b""))


def fill(book: Writer, sheet: Worksheet, top: int = 0, left: int = 0) -> None:
    """Write results with a heading style and banded rows."""
    heading = book.add_format({"bold": True, "bg_color": "#DDEEFF", "bottom": 1})
    bands = [book.add_format({"border": 1}), book.add_format({"border": 1, "bg_color": "#F0F0F0", "align": "left"})]
    for column, name in enumerate(HEADINGS, left):
        sheet.write(top, column, name, heading)
    for row, values in enumerate(ROWS, 1):
        for column, value in enumerate(values, left):
            sheet.write(top + row, column, value, bands[row % 2])


def plain(path: Path) -> None:
    """Results alone, without any style, and a sheet that sums the first new column."""
    with xlsxwriter.Workbook(path) as book:
        sheet = book.add_worksheet("Results")
        for row, values in enumerate([HEADINGS, *ROWS]):
            sheet.write_row(row, 0, values)
        book.add_worksheet("Summary").write_formula("A1", "=SUM(Results!G2:G13)", None, 0)
    edit(path, "xl/workbook.xml", ' fullCalcOnLoad="1"', "")


def rich(path: Path) -> None:
    """A chart, a picture, sparklines, checkboxes, a dynamic array, comments, rules and much more."""
    with xlsxwriter.Workbook(path) as book:
        sheet = book.add_worksheet("Results")
        fill(book, sheet)
        sheet.set_column("A:B", 12)
        sheet.set_column("F:H", 9.5)
        sheet.set_row(4, None, None, {"hidden": True})
        sheet.freeze_panes(1, 0)
        sheet.autofilter("A1:F13")
        sheet.merge_range("A20:F20", "merged")
        sheet.write_formula("A21", "=SUM(F2:F13)", None, 0)
        sheet.write_dynamic_array_formula("K1:K3", "=SORT(F2:F4)", None, 7)
        sheet.write_array_formula("L1:L2", "{=F2:F3*2}", None, 14)
        sheet.write_url("A22", "https://example.org/", string="link")
        sheet.write_rich_string("A23", "a ", book.add_format({"italic": True}), "b", " c")
        sheet.write_comment("D3", "a comment")
        sheet.write_comment("G3", "a comment where a column will go")
        sheet.data_validation("E2:G13", {"validate": "list", "source": ["N", "E", "S", "W"]})
        sheet.conditional_format("F2:H13", {"type": "data_bar", "data_bar_2010": True})
        sheet.conditional_format(
            "A2:H13", {"type": "formula", "criteria": "=$A2=1", "format": book.add_format({"bold": 1})}
        )
        sheet.add_sparkline("J2", {"range": "Results!F2:F13"})
        sheet.insert_checkbox("J3", True)
        chart = book.add_chart({"type": "column"})
        chart.add_series({"values": "=Results!$F$2:$F$13"})
        sheet.insert_chart("N2", chart)
        sheet.insert_image("N20", "red.png", {"image_data": picture()})
        sheet.insert_textbox("N30", "a text box")
        sheet.set_header("&CResults")
        sheet.set_h_pagebreaks([20])
        summary = book.add_worksheet("Summary")
        summary.write_formula("A1", "=SUM(Results!G2:G13)", None, 0)
        summary.protect("", {"select_locked_cells": True})
        line = book.add_chart({"type": "line"})
        line.add_series({"values": "=Results!$F$2:$F$13"})
        book.add_chartsheet("Chart").set_chart(line)
        book.define_name("Tricks", "=Results!$F$2:$F$13")
        book.set_properties({"title": "A club evening"})


def table(path: Path) -> None:
    """An Excel table with a totals row over the results, and another table."""
    with xlsxwriter.Workbook(path) as book:
        sheet = book.add_worksheet("Results")
        columns = [{"header": name} for name in HEADINGS]
        columns[5]["total_function"] = "sum"
        sheet.add_table(0, 0, 13, 5, {"name": "Evening", "data": ROWS, "columns": columns, "total_row": True})
        sheet.add_table(20, 0, 24, 2, {"name": "Other"})


def macro(path: Path) -> None:
    """A workbook with macros and a button."""
    with xlsxwriter.Workbook(path) as book:
        book.add_vba_project(io.BytesIO(bytes(range(256)) * 20), is_stream=True)
        sheet = book.add_worksheet("Results")
        fill(book, sheet)
        sheet.insert_button("N2", {"macro": "Score"})


def pivot(path: Path) -> None:
    """A pivot table on another sheet, with its cache."""
    with xlsxwriter.Workbook(path) as book:
        fill(book, book.add_worksheet("Results"))
        book.add_worksheet("Pivot")
    content = parts(path)
    office = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
    head = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'

    def links(*targets: tuple[str, str, str]) -> bytes:
        body = "".join(f'<Relationship Id="{i}" Type="{office}/{kind}" Target="{to}"/>' for i, kind, to in targets)
        space = "http://schemas.openxmlformats.org/package/2006/relationships"
        return f'{head}<Relationships xmlns="{space}">{body}</Relationships>'.encode()

    def insert(part: str, before: str, text: str) -> None:
        content[part] = content[part].replace(before.encode(), text.encode() + before.encode(), 1)

    kinds = {
        "pivotCache/pivotCacheDefinition": "pivotCacheDefinition",
        "pivotCache/pivotCacheRecords": "pivotCacheRecords",
    }
    for name, kind in (kinds | {"pivotTables/pivotTable": "pivotTable"}).items():
        media = f"application/vnd.openxmlformats-officedocument.spreadsheetml.{kind}+xml"
        insert("[Content_Types].xml", "</Types>", f'<Override PartName="/xl/{name}1.xml" ContentType="{media}"/>')
    cache = "pivotCache/pivotCacheDefinition1.xml"
    insert(
        "xl/_rels/workbook.xml.rels",
        "</Relationships>",
        f'<Relationship Id="rId90" Type="{office}/pivotCacheDefinition" Target="{cache}"/>',
    )
    insert("xl/workbook.xml", "</workbook>", '<pivotCaches><pivotCache cacheId="1" r:id="rId90"/></pivotCaches>')
    content["xl/worksheets/_rels/sheet2.xml.rels"] = links(("rId1", "pivotTable", "../pivotTables/pivotTable1.xml"))
    content["xl/pivotTables/_rels/pivotTable1.xml.rels"] = links(("rId1", "pivotCacheDefinition", f"../{cache}"))
    content[f"xl/pivotCache/_rels/{cache.rpartition('/')[2]}.rels"] = links(
        ("rId1", "pivotCacheRecords", "pivotCacheRecords1.xml")
    )
    boards = "".join(f'<n v="{board}"/>' for board in (1, 2, 3))
    content[f"xl/{cache}"] = (
        f'{head}<pivotCacheDefinition xmlns="{MAIN}" xmlns:r="{office}" r:id="rId1" recordCount="12"><cacheSource'
        ' type="worksheet"><worksheetSource ref="A1:B13" sheet="Results"/></cacheSource><cacheFields count="2">'
        '<cacheField name="Board" numFmtId="0"><sharedItems containsSemiMixedTypes="0" containsString="0"'
        f' containsNumber="1"'
        f' containsInteger="1" minValue="1" maxValue="3" count="3">{boards}</sharedItems></cacheField>'
        '<cacheField name="N-S" numFmtId="0"><sharedItems/></cacheField></cacheFields></pivotCacheDefinition>'
    ).encode()
    records = "".join(f'<r><x v="{i // 4}"/><s v="pair {i % 4}"/></r>' for i in range(12))
    content["xl/pivotCache/pivotCacheRecords1.xml"] = (
        f'{head}<pivotCacheRecords xmlns="{MAIN}" xmlns:r="{office}" count="12">{records}</pivotCacheRecords>'
    ).encode()
    items = "".join(f'<item x="{i}"/>' for i in range(3))
    rows = "<i><x/></i>" + "".join(f'<i><x v="{i}"/></i>' for i in (1, 2)) + '<i t="grand"><x/></i>'
    content["xl/pivotTables/pivotTable1.xml"] = (
        f'{head}<pivotTableDefinition xmlns="{MAIN}" name="Pivot1" cacheId="1" dataCaption="Values" updatedVersion="6"'
        ' minRefreshableVersion="3" createdVersion="6"><location ref="A3:B7" firstHeaderRow="1" firstDataRow="1"'
        ' firstDataCol="1"/><pivotFields count="2"><pivotField axis="axisRow" showAll="0"><items count="4">'
        f'{items}<item t="default"/></items></pivotField><pivotField dataField="1" showAll="0"/></pivotFields>'
        f'<rowFields count="1"><field x="0"/></rowFields><rowItems count="4">{rows}</rowItems>'
        '<colItems count="1"><i/></colItems>'
        '<dataFields count="1"><dataField name="Count" fld="1" subtotal="count"/></dataFields></pivotTableDefinition>'
    ).encode()
    pack(path, content)


def shared_formulas(path: Path) -> None:
    """Formulas that share one text, and an extension that a reader may ignore."""
    plain(path)
    for row in range(2, 14):
        attributes = 't="shared" ref="M2:M13" si="0"' if row == 2 else 't="shared" si="0"'
        formula = f"<f {attributes}>F2*2</f>" if row == 2 else f"<f {attributes}/>"
        edit(path, SHEET, f'(<row r="{row}".*?)</row>', rf'\1<c r="M{row}">{formula}<v>0</v></c></row>')
    spaces = (
        'xmlns:mc="http://schemas.openxmlformats.org/markup-compatibility/2006" mc:Ignorable="x14ac" '
        'xmlns:x14ac="http://schemas.microsoft.com/office/spreadsheetml/2009/9/ac"'
    )
    edit(path, SHEET, "<worksheet ", f"<worksheet {spaces} ")
    edit(path, SHEET, '<row r="3"', '<row x14ac:dyDescent="0.25" r="3"')


def excel_namespaces(path: Path) -> None:
    """The namespaces that Excel declares in every part that it saves, and looks for the cells."""
    with xlsxwriter.Workbook(path) as book:
        fill(book, book.add_worksheet("Results"))
        book.add_worksheet("Summary").write_formula("A1", "=SUM(Results!G2:G13)", None, 0)
    ignored = (
        'xmlns:mc="http://schemas.openxmlformats.org/markup-compatibility/2006" mc:Ignorable="x14ac x16r2 xr" '
        'xmlns:x14ac="http://schemas.microsoft.com/office/spreadsheetml/2009/9/ac" '
        'xmlns:x16r2="http://schemas.microsoft.com/office/spreadsheetml/2015/02/main" '
        'xmlns:xr="http://schemas.microsoft.com/office/spreadsheetml/2014/revision"'
    )
    edit(path, "xl/styles.xml", "<styleSheet ", f"<styleSheet {ignored} ")
    edit(path, "xl/styles.xml", "<fonts ", '<fonts x14ac:knownFonts="1" ')
    edit(path, SHEET, "<worksheet ", f"<worksheet {ignored} ")
    edit(path, SHEET, '<row r="3"', '<row x14ac:dyDescent="0.25" r="3"')


def inline_strings(path: Path) -> None:
    """Texts in the cells themselves, no part for shared ones, and nothing said about calculation."""
    plain(path)
    edit(path, "xl/workbook.xml", "<calcPr[^>]*>", "")
    content = parts(path)
    texts = re.findall(rb"<si><t[^>]*>(.*?)</t></si>", content.pop("xl/sharedStrings.xml"))
    inline = re.sub(
        rb't="s"><v>(\d+)</v>',
        lambda match: b't="inlineStr"><is><t>' + texts[int(match[1])] + b"</t></is>",
        content[SHEET],
    )
    content[SHEET] = inline
    for part in ("[Content_Types].xml", "xl/_rels/workbook.xml.rels"):
        content[part] = re.sub(rb"<[^<]*sharedStrings[^>]*>", b"", content[part])
    pack(path, content)


def strict(path: Path) -> None:
    """The rich workbook in the namespaces of Strict Open XML."""
    rich(path)
    content = parts(path)
    for part in content:
        if part.endswith((".xml", ".rels")):
            for old, new in STRICT.items():
                content[part] = content[part].replace(old.encode(), new.encode())
    edited = content["xl/workbook.xml"].replace(b"<workbook ", b'<workbook conformance="strict" ')
    pack(path, content | {"xl/workbook.xml": edited})


def prefixed(path: Path) -> None:
    """Elements with a prefix, as some libraries write them."""
    plain(path)
    content = parts(path)
    for part in (SHEET, "xl/workbook.xml", "xl/styles.xml"):
        data = re.sub(rb"<(/?)([A-Za-z])", rb"<\1x:\2", content[part])
        content[part] = data.replace(b" xmlns=", b" xmlns:x=")
    pack(path, content)


def unnamed(path: Path) -> None:
    """Rows and cells that do not say where they are."""
    plain(path)
    edit(path, SHEET, r'<(row|c) r="\w+"', r"<\1")


def utf16(path: Path) -> None:
    """A worksheet in UTF-16."""
    plain(path)
    content = parts(path)
    content[SHEET] = content[SHEET].decode().replace("UTF-8", "UTF-16").encode("utf-16")
    pack(path, content)


def offset(path: Path) -> None:
    """A table that starts at C5, with a title above."""
    with xlsxwriter.Workbook(path) as book:
        book.add_worksheet("First")
        sheet = book.add_worksheet("Results")
        sheet.activate()
        sheet.write("C2", "A club evening")
        fill(book, sheet, 4, 2)


def unstyled(path: Path) -> None:
    """A workbook without the part for styles."""
    plain(path)
    content = parts(path)
    del content["xl/styles.xml"]
    for part in ("[Content_Types].xml", "xl/_rels/workbook.xml.rels"):
        content[part] = re.sub(rb"<[^<]*styles[^>]*>", b"", content[part])
    pack(path, content)


SAMPLES = [
    Sample(plain),
    Sample(rich),
    Sample(table),
    Sample(macro, ".xlsm"),
    Sample(pivot),
    Sample(shared_formulas),
    Sample(excel_namespaces),
    Sample(inline_strings),
    Sample(strict),
    Sample(prefixed),
    Sample(unnamed),
    Sample(utf16),
    Sample(offset, top=4, left=8),
    Sample(unstyled),
]
