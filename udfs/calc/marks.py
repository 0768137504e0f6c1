"""Formulas that Excel on a Mac or on the web has saved: functions of its add-ins have a mark before their names.

Calc does not find `_xldudf_VALET_IAF`, and an add-in cannot give a function a second name that Calc imports by. So
the mark is taken off when a document has been opened. An add-in that has a namespace, such as BRIDGE, has it in the
mark: `_xldudf_BRIDGE_VALET_IAF`. Formulas are in cells, names, validations and conditional formats. Those of charts
have no functions, but names.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import Any

from valet_xl_calc.engine import EngineError, need_engine

MARK = "_xldudf_"
_CONDITION = 0  # com.sun.star.sheet.ConditionEntryType.CONDITION
_FORMULAS = 16  # com.sun.star.sheet.CellFlags.FORMULA
_QUOTED = r"""("(?:[^"]|"")*"|'(?:[^']|'')*')"""
_MARKED = re.compile(rf"{_QUOTED}|\b{MARK}((?:[\w.]+_)?valet_\w+)(?=\()", re.IGNORECASE)
_WANTED = rf"{MARK}([a-z0-9_.]+_)?valet_"  # as Calc looks for it


def plain(formula: str) -> str:
    '''A formula with the names that Calc knows; texts, names of sheets and others' functions stay.

    >>> plain("=_xldudf_valet_iaf(A1:A3)+_xldudf_OTHER(1)+_xldudf_OTHER_VALET_PARKING(2)")
    '=valet_iaf(A1:A3)+_xldudf_OTHER(1)+_xldudf_OTHER_VALET_PARKING(2)'
    >>> plain("=_xldudf_BRIDGE_VALET_MP(A1:A3)+_xldudf_my.valet_VALET_MP(1)")
    '=VALET_MP(A1:A3)+VALET_MP(1)'
    >>> print(plain("""=VALET_IMP('_xldudf_valet_x('.A1)&"_xldudf_VALET_IMP(1)" """).strip())
    =VALET_IMP('_xldudf_valet_x('.A1)&"_xldudf_VALET_IMP(1)"
    '''
    return _MARKED.sub(_unmarked, formula)


def _unmarked(found: re.Match[str]) -> str:
    if found[1]:
        return found[1]
    parts = re.split("(?i)_(?=valet_)", found[2])
    ends = ("_".join(parts[at:]) for at in range(len(parts)))
    return next((name for name in ends if _is_own(name)), found[0])


def _is_own(name: str) -> bool:
    """Whether a name is that of one of our functions. The engine, which knows them, is loaded for marked ones alone."""
    try:
        need_engine()
    except EngineError:
        return name.upper().startswith("VALET_")
    from valet_xl.functions.catalogue import REGISTRY  # noqa: PLC0415 - needs the engine

    return name.upper() in REGISTRY


def take_off(document: Any) -> None:
    """Give the formulas of a document that was just opened the plain names.

    It leaves no step to undo, and the document counts as not modified. A file that is read-only stays as it is, as
    only the open document changes. Sheets that are protected stay.
    """
    sheets = [sheet for sheet in _elements(document.getSheets()) if not sheet.isProtected()]
    found = [cells for cells in map(_marked, sheets) if cells is not None]
    names = _named(document)
    conditions = [each for sheet in sheets for each in (*_validations(sheet), *_conditional_formats(sheet))]
    if not found and not names and not conditions:
        return
    modified, undo = document.isModified(), document.getUndoManager()
    undo.lock()
    try:
        for name in names:
            name.setContent(plain(name.getContent()))
        for condition in conditions:
            condition()
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
    formulas = sheet.queryContentCells(_FORMULAS)
    if not formulas.getCount():
        return None
    wanted = formulas.createSearchDescriptor()
    wanted.setPropertyValue("SearchRegularExpression", True)
    wanted.setSearchString(_WANTED)
    return formulas.findAll(wanted)


def _named(document: Any) -> list[Any]:
    """The names of the document and of its sheets whose formulas have the mark."""
    places = [document, *_elements(document.getSheets())]
    names = [place.NamedRanges.getByName(name) for place in places for name in place.NamedRanges.getElementNames()]
    return [name for name in names if plain(name.getContent()) != name.getContent()]


def _validations(sheet: Any) -> Iterator[Callable[[], None]]:
    """What gives the validations of a sheet that have the mark the plain names."""
    for cells in sheet.getUniqueCellFormatRanges():
        validation = cells.getPropertyValue("Validation")
        if validation is None or not _is_marked(validation.getFormula1(), validation.getFormula2()):
            continue

        def rename(cells: Any = cells, validation: Any = validation) -> None:
            validation.setFormula1(plain(validation.getFormula1()))
            validation.setFormula2(plain(validation.getFormula2()))
            cells.setPropertyValue("Validation", validation)

        yield rename


def _conditional_formats(sheet: Any) -> Iterator[Callable[[], None]]:
    """What gives the conditional formats of a sheet that have the mark the plain names."""
    for each in sheet.getPropertyValue("ConditionalFormats").getConditionalFormats():
        for entry in map(each.getByIndex, range(each.getCount())):
            if entry.getType() != _CONDITION:
                continue
            formulas = {name: entry.getPropertyValue(name) for name in ("Formula1", "Formula2")}
            if not _is_marked(*formulas.values()):
                continue

            def rename(entry: Any = entry, formulas: dict[str, str] = formulas) -> None:
                for name, formula in formulas.items():
                    entry.setPropertyValue(name, plain(formula))

            yield rename


def _is_marked(*formulas: str) -> bool:
    return any(plain(formula) != formula for formula in formulas)


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
