"""Formulas that Excel on a Mac or on the web has saved: functions of its add-ins have a mark before their names.

Calc does not find `_xldudf_VALET_IAF`, and an add-in cannot give a function a second name that Calc imports by. So
the mark is taken off when a document has been opened.
"""

from __future__ import annotations

import re
from typing import Any

MARK = "_xldudf_"
_FORMULAS = 16  # com.sun.star.sheet.CellFlags.FORMULA
_QUOTED = r"""("(?:[^"]|"")*"|'(?:[^']|'')*')"""
_MARKED = re.compile(rf"{_QUOTED}|\b{MARK}(?=valet_\w+\()", re.IGNORECASE)


def plain(formula: str) -> str:
    '''A formula with the names that Calc knows; texts and names of sheets stay.

    >>> plain("=_xldudf_valet_iaf(A1:A3)+_xldudf_OTHER(1)")
    '=valet_iaf(A1:A3)+_xldudf_OTHER(1)'
    >>> print(plain("""=VALET_IMP('_xldudf_valet_x('.A1)&"_xldudf_VALET_IMP(1)" """).strip())
    =VALET_IMP('_xldudf_valet_x('.A1)&"_xldudf_VALET_IMP(1)"
    '''
    return _MARKED.sub(lambda found: found[1] or "", formula)


def take_off(document: Any) -> None:
    """Give the formulas of a document that was just opened the plain names.

    It leaves no step to undo, and the document counts as not modified. A file that is read-only stays as it is, as
    only the open document changes. Sheets that are protected stay.
    """
    found = [cells for cells in map(_marked, _elements(document.getSheets())) if cells is not None]
    names = _named(document)
    if not found and not names:
        return
    modified, undo = document.isModified(), document.getUndoManager()
    undo.lock()
    try:
        for name in names:
            name.setContent(plain(name.getContent()))
        for cells in found:
            for block in _elements(cells):
                _rename(block)
    finally:
        undo.unlock()
        document.setModified(modified)


def _elements(container: Any) -> list[Any]:
    """What a container of UNO's has."""
    every, found = container.createEnumeration(), []
    while every.hasMoreElements():
        found.append(every.nextElement())
    return found


def _marked(sheet: Any) -> Any:
    """The cells of a sheet whose formulas have the mark, or None; Calc looks through the formulas."""
    if sheet.isProtected():
        return None
    formulas = sheet.queryContentCells(_FORMULAS)
    if not formulas.getCount():
        return None
    wanted = formulas.createSearchDescriptor()
    wanted.setSearchString(f"{MARK}valet_")
    return formulas.findAll(wanted)


def _named(document: Any) -> list[Any]:
    """The names of the document and of its sheets whose formulas have the mark."""
    places = [document, *_elements(document.getSheets())]
    names = [place.NamedRanges.getByName(name) for place in places for name in place.NamedRanges.getElementNames()]
    return [name for name in names if plain(name.getContent()) != name.getContent()]


def _rename(block: Any) -> None:
    """Give the formulas of a block of cells the plain names, at once unless there are arrays among them."""
    formulas = block.getFormulaArray()
    if any(formula.startswith("{") for row in formulas for formula in row):
        for down, row in enumerate(formulas):
            for along in range(len(row)):
                _rename_array(block.getCellByPosition(along, down))
    else:
        block.setFormulaArray(tuple(tuple(map(plain, row)) for row in formulas))


def _rename_array(cell: Any) -> None:
    """Give the array that a cell is in, or the cell, the plain names, unless another cell of the array had them."""
    formula = cell.getFormula()
    if plain(formula) == formula:
        return
    if formula.startswith("{"):
        array = cell.getSpreadsheet().createCursorByRange(cell)
        array.collapseToCurrentArray()
        array.setArrayFormula(plain(formula[1:-1]))
    else:
        cell.setFormula(plain(formula))
