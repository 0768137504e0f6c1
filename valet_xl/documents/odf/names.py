"""The names of elements and attributes in OpenDocument spreadsheets, as expat reports them: version 1.3, part 3."""

from __future__ import annotations

NAMES = {
    name: f"urn:oasis:names:tc:opendocument:xmlns:{space}:1.0"
    for name, space in (
        *((name, name) for name in ("office", "table", "text", "style")),
        ("draw", "drawing"),
        ("number", "datastyle"),
        ("fo", "xsl-fo-compatible"),
    )
} | {"calcext": "urn:org:documentfoundation:names:experimental:calc:xmlns:calcext:1.0"}
"""The namespaces, by their usual prefixes; calcext is LibreOffice's own."""

OFFICE, TABLE, TEXT, STYLE, DRAWING, CALC = (
    f"{NAMES[name]}}}" for name in ("office", "table", "text", "style", "draw", "calcext")
)
ROW, CELL, COVERED = f"{TABLE}table-row", f"{TABLE}table-cell", f"{TABLE}covered-table-cell"
PARAGRAPHS = (f"{TEXT}p", f"{TEXT}h")
