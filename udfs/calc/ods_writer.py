"""Put columns into an .ods file with Calc: run by LibreOffice's own Python, which knows UNO.

python ods_writer.py FOLDER PROGRAM PROFILE: FOLDER is the package valet_xl's; PROGRAM is the office, which is started
without a window, with the folder PROFILE. It reads what `ods.write_ods` asks as JSON, and prints why it refuses, '' if
the file was written.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any

OLDEST = (3, 10)
"""The first Python that runs this."""

_NEVER, _NO_UPDATE = 0, 0  # com.sun.star.document.MacroExecMode and UpdateDocMode
_FILTER = "calc8"  # Calc's name for .ods


def main(folder: str, program: str, profile: str) -> None:
    """Do what is asked, and print the answer."""
    if sys.version_info < OLDEST:
        needed, found = (".".join(map(str, version[:2])) for version in (OLDEST, sys.version_info))
        raise SystemExit(f"LibreOffice's Python is {found} (expected {needed} or later: update LibreOffice)")
    # Only these modules, without what their packages import: the folders around them have another Python's libraries.
    _package("valet_xl", folder)
    _package("valet_xl_calc", str(Path(__file__).resolve().parent))
    from valet_xl.errors import SheetError  # noqa: PLC0415
    from valet_xl_calc.extension import RunningOffice  # noqa: PLC0415 - LibreOffice's Python alone can

    request = json.loads(sys.stdin.buffer.read(), object_hook=lambda fields: SimpleNamespace(**fields))
    refused = ""
    with RunningOffice(program, Path(profile)) as context:
        try:
            _write(context, request)
        except SheetError as error:
            refused = str(error)
    print(json.dumps({"refused": refused}))


def _package(name: str, folder: str) -> None:
    module = ModuleType(name)
    module.__path__ = [folder]
    sys.modules[name] = module


def _write(context: Any, request: SimpleNamespace) -> None:
    """Open the file, put the columns into the sheet, and store it under the other name."""
    from valet_xl.documents.page import Block, Column  # noqa: PLC0415
    from valet_xl.hosts.steps import write  # noqa: PLC0415
    from valet_xl_calc.sheet import CalcSurface  # noqa: PLC0415

    desktop = context.ServiceManager.createInstanceWithContext("com.sun.star.frame.Desktop", context)
    # Not hidden: Calc would not store then what is shown of each sheet, such as frozen rows.
    how = _properties(FilterName=_FILTER, MacroExecutionMode=_NEVER, UpdateDocMode=_NO_UPDATE)
    document = desktop.loadComponentFromURL(request.source, "_blank", 0, how)
    if document is None:
        raise SystemExit("LibreOffice did not open it")
    try:
        sheet = document.getSheets().getByName(request.sheet)
        surface = CalcSurface(document, None, sheet)
        page = surface.read()
        _refuse_other(sheet, page, request)
        columns = tuple(Column(**vars(column)) for column in request.block.columns)
        block = Block(**vars(request.block) | {"columns": columns})
        write(surface, page, block, "Score sheet")
        document.storeToURL(request.target, _properties(FilterName=_FILTER))
    finally:
        document.close(True)


def _refuse_other(sheet: Any, page: Any, request: SimpleNamespace) -> None:
    """Make sure that Calc has read what was scored; formulas may have changed, as those do that use the day."""
    from valet_xl.documents.cell_names import cell_name  # noqa: PLC0415
    from valet_xl.errors import SheetError  # noqa: PLC0415

    for row, expected in enumerate(request.left):
        for column in range(request.block.left):
            cell = page.cell(row, column)
            wanted = expected[column] if column < len(expected) else False
            found = " ".join(cell.split()) if isinstance(cell, str) and isinstance(wanted, str) else cell is not None
            if found != wanted and not sheet.getCellByPosition(column, row).getFormula().startswith("="):
                place = cell_name(row, column)
                raise SheetError(f"{place} is not what was read (save the file in LibreOffice, then try again)")


def _properties(**values: Any) -> tuple[Any, ...]:
    from com.sun.star.beans import PropertyValue  # noqa: PLC0415

    found = []
    for name, value in values.items():
        each = PropertyValue()
        each.Name, each.Value = name, value
        found.append(each)
    return tuple(found)


if __name__ == "__main__":
    main(*sys.argv[1:])
