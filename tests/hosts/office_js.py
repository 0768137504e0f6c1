"""Excel by Office.js: the add-in's own pages in a real Chromium, with a stand-in for office.js (office_standin.js)."""

from __future__ import annotations

import zipfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from browser import MINUTES, served
from lxml import etree

from valet_xl.documents.cell_names import Area, place_of
from valet_xl_web import addin_files
from valet_xl_web.browser.answers import answer
from valet_xl_web.build import carried
from valet_xl_web.server import OFFICE

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

STANDIN = Path(__file__).with_name("office_standin.js")
PANE = f"{addin_files.FOLDER}taskpane.html"
# An engine in place of the one in a worker: this Python itself.
_ENGINE = """
export class EngineError extends Error {
  constructor(kind, text) { super(text); this.name = "EngineError"; this.kind = kind; }
}
export class Engine {
  constructor({ onStep = () => {} } = {}) { this.onStep = onStep; }
  async start() {}
  async call(name, given = {}) {
    const { value, error } = JSON.parse(await window.answerInPython(name, JSON.stringify(given)));
    if (error) throw new EngineError(error.kind, error.text);
    return { value, files: [] };
  }
}
"""


def without_pyodide() -> dict[str, bytes]:
    """The bundle's own files, with an engine that asks this Python."""
    return {**dict(carried()), **addin_files.files(), "engine/engine.js": _ENGINE.encode()}


@contextmanager
def addin(browser: Browser, files: Mapping[str, bytes] | None = None) -> Iterator[Page]:
    """The pane of the add-in, started.

    Parameters
    ----------
    browser : Chromium
    files : the bundle; without it this Python answers in place of Pyodide
    """
    with served(files or without_pyodide()) as address:
        page = browser.new_page(viewport={"width": 350, "height": 800})
        page.set_default_timeout(MINUTES)
        wrong: list[str] = []
        page.on("pageerror", lambda error: wrong.append(f"error: {error}"))
        page.on("console", lambda said: wrong.append(said.text) if said.type in ("error", "warning") else None)
        page.context.on(
            "request",
            lambda asked: (
                None if asked.url.startswith((address, f"blob:{address}", OFFICE)) else wrong.append(asked.url)
            ),
        )
        script = STANDIN.read_text(encoding="utf-8")
        page.route(f"{OFFICE}/**", lambda route: route.fulfill(body=script, content_type="text/javascript"))
        if files is None:
            page.expose_function("answerInPython", lambda name, given: answer(name, given)[0])
        page.goto(f"{address}{PANE}")
        assert page.evaluate("async () => (await import('./pane.js')).started") is True, wrong
        yield page
        assert not wrong


# -- a workbook's file as the stand-in opens it: read from its XML, without the project's own reader

_MAIN = "{http://schemas.openxmlformats.org/spreadsheetml/2006/main}"
_REL = "{http://schemas.openxmlformats.org/officeDocument/2006/relationships}"
_BUILT_IN = {0: "General", 1: "0", 2: "0.00", 3: "#,##0", 4: "#,##0.00", 9: "0%", 10: "0.00%", 14: "m/d/yyyy", 49: "@"}


def workbook(path: Path) -> dict[str, Any]:
    """The sheets of an .xlsx file: cells with their looks, tables, merged cells, widths and names."""
    with zipfile.ZipFile(path) as archive:
        parts = {name: archive.read(name) for name in archive.namelist()}
    book = etree.fromstring(parts["xl/workbook.xml"])
    shared = _shared(parts)
    looks = _looks(etree.fromstring(parts["xl/styles.xml"]))
    targets = _targets(parts, "xl/workbook.xml")
    sheets = [
        _sheet(parts, targets[sheet.get(f"{_REL}id") or ""], sheet.get("name"), shared, looks)
        for sheet in book.iter(f"{_MAIN}sheet")
    ]
    names = [
        {"name": each.get("name"), "formula": f"={each.text}", "visible": each.get("hidden") is None}
        for each in book.iter(f"{_MAIN}definedName")
    ]
    return {"sheets": sheets, "names": names}


def _targets(parts: Mapping[str, bytes], part: str) -> dict[str, str]:
    folder, _, name = part.rpartition("/")
    found = parts.get(f"{folder}/_rels/{name}.rels")
    if found is None:
        return {}
    targets = {}
    for each in etree.fromstring(found):
        target = each.get("Target") or ""
        place = target.lstrip("/") if target.startswith("/") else f"{folder}/{target}"
        while "/../" in place:
            before, after = place.split("/../", 1)
            place = f"{before.rpartition('/')[0]}/{after}"
        targets[each.get("Id") or ""] = place
    return targets


def _shared(parts: Mapping[str, bytes]) -> list[str]:
    if "xl/sharedStrings.xml" not in parts:
        return []
    root = etree.fromstring(parts["xl/sharedStrings.xml"])
    return ["".join(text.text or "" for text in each.iter(f"{_MAIN}t")) for each in root.iter(f"{_MAIN}si")]


def _looks(styles: etree._Element) -> list[dict[str, Any]]:
    """What each cell format looks like."""
    codes = {int(each.get("numFmtId") or 0): each.get("formatCode") for each in styles.iter(f"{_MAIN}numFmt")}
    fonts = list(styles.iterfind(f"{_MAIN}fonts/*"))
    fills = list(styles.iterfind(f"{_MAIN}fills/*"))
    found = []
    for each in styles.iterfind(f"{_MAIN}cellXfs/*"):
        number = int(each.get("numFmtId") or 0)
        font, fill = fonts[int(each.get("fontId") or 0)], fills[int(each.get("fillId") or 0)]
        alignment = each.find(f"{_MAIN}alignment")
        given = {} if alignment is None else dict(alignment.attrib)
        pattern = fill.find(f"{_MAIN}patternFill")
        solid = pattern is not None and pattern.get("patternType") == "solid"
        front = pattern.find(f"{_MAIN}fgColor") if pattern is not None and solid else None
        colour = font.find(f"{_MAIN}color")
        found.append(
            {
                "format": codes.get(number) or _BUILT_IN.get(number, "General"),
                "bold": font.find(f"{_MAIN}b") is not None,
                "italic": font.find(f"{_MAIN}i") is not None,
                "color": None if colour is None else colour.get("rgb"),
                "fill": None if front is None else f"#{(front.get('rgb') or 'FF888888')[2:]}",
                "h": str(given.get("horizontal", "general")).capitalize(),
                "v": str(given.get("vertical", "bottom")).capitalize(),
                "wrap": given.get("wrapText") in ("1", "true"),
            }
        )
    return found


def _sheet(
    parts: Mapping[str, bytes], part: str, name: str | None, shared: list[str], looks: list[dict[str, Any]]
) -> dict[str, Any]:
    root = etree.fromstring(parts[part])
    cells = []
    for each in root.iter(f"{_MAIN}c"):
        row, column = place_of(each.get("r") or "")
        formula = each.findtext(f"{_MAIN}f")
        cells.append(
            {
                "row": row,
                "column": column,
                "value": _value(each, shared),
                "formula": f"={formula}" if formula else "",
                **looks[int(each.get("s") or 0)],
            }
        )
    widths = [
        [column, (float(each.get("width") or 0) * 7) * 0.75]
        for each in root.iter(f"{_MAIN}col")
        for column in range(int(each.get("min") or 1) - 1, min(int(each.get("max") or 1), 26))
    ]
    targets = _targets(parts, part)
    tables = []
    for each in root.iter(f"{_MAIN}tablePart"):
        table = etree.fromstring(parts[targets[each.get(f"{_REL}id") or ""]])
        totals = int(table.get("totalsRowCount") or 0)
        area = corners(table.get("ref") or "")
        tables.append({"name": table.get("displayName"), "area": area, "totals": bool(totals), "headings": True})
    merged = [corners(each.get("ref") or "") for each in root.iter(f"{_MAIN}mergeCell")]
    filtered = root.find(f"{_MAIN}autoFilter")
    hidden = [int(each.get("r") or 1) - 1 for each in root.iter(f"{_MAIN}row") if each.get("hidden") == "1"]
    own = {} if filtered is None else {"filter": corners(filtered.get("ref") or ""), "filteredRows": hidden}
    return {"name": name, "cells": cells, "tables": tables, "merged": merged, "widths": widths, **own}


def _value(cell: etree._Element, shared: list[str]) -> float | str | bool:
    kind, text = cell.get("t", "n"), cell.findtext(f"{_MAIN}v")
    if kind == "inlineStr":
        return "".join(each.text or "" for each in cell.iter(f"{_MAIN}t"))
    if text is None:
        return ""
    if kind == "s":
        return shared[int(text)]
    if kind == "b":
        return text == "1"
    return text if kind in ("str", "e") else float(text)


def corners(text: str) -> list[int]:
    """The corners of an area such as A1:B2."""
    area = Area.parse(text)
    return [area.top, area.left, area.bottom, area.right]
