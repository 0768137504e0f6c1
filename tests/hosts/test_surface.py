"""A host is a page of code: it has every method of `Surface`, with the same parameters, in Python or JavaScript."""

from __future__ import annotations

import ast
import re
from inspect import isfunction, signature
from pathlib import Path

import pytest
from list_sheet import ListSheet

from valet_xl.documents.cell_names import Area
from valet_xl.hosts.recorder import STEPS, Recorder, Step
from valet_xl.hosts.surface import Surface

UDFS = Path(__file__).parents[2] / "udfs"
METHODS = {
    name: [*signature(value).parameters]
    for name, value in vars(Surface).items()
    if isfunction(value) and not name.startswith("_")
}


def _declared(path: Path, name: str) -> dict[str, list[str]]:
    """The methods of a class with their parameters; the file is not imported, as another Python runs it."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    (found,) = (each for each in tree.body if isinstance(each, ast.ClassDef) and each.name == name)
    return {
        each.name: [parameter.arg for parameter in (*each.args.args, *each.args.kwonlyargs)]
        for each in found.body
        if isinstance(each, ast.FunctionDef)
    }


@pytest.mark.parametrize(
    ("path", "name"), [("excel/sheet.py", "ExcelSurface"), ("calc/sheet.py", "CalcSurface")], ids=["excel", "calc"]
)
def test_a_host_has_every_method(path: str, name: str) -> None:
    declared = _declared(UDFS / path, name)
    assert {method: declared.get(method) for method in METHODS} == METHODS


def test_lists_have_every_method() -> None:
    assert [name for name in METHODS if not hasattr(ListSheet, name)] == []


def test_the_browser_does_every_step() -> None:
    """Those that a user can choose options with come in addition."""
    text = (UDFS / "web" / "addin" / "excel.js").read_text(encoding="utf-8")
    table = text.partition("const DO = {\n")[2].partition("\n};\n")[0]
    done = set(re.findall(r"^  (\w+):", table, re.MULTILINE))
    assert done == {*STEPS, "remember"}
    asked = _declared(UDFS / "web" / "browser" / "sheet.py", "SheetOfExcel")
    assert METHODS.keys() - set(STEPS) - {"changing"} <= asked.keys()


def test_a_step_is_carried_with_the_names_of_its_parameters() -> None:
    recorder = Recorder()
    record = recorder.end_table  # type: ignore[attr-defined]
    record(Area(1, 2, 3, 4), "Table1", False)
    assert recorder.steps == [Step("end_table", {"area": Area(1, 2, 3, 4), "name": "Table1", "totals": False})]
    assert recorder.steps[0].carried == {"do": "end_table", "area": [1, 2, 3, 4], "name": "Table1", "totals": False}
