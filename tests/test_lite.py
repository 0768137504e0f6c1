"""What xlwings Lite is given: its modules compute what the engine computes, and its workbook is one."""

from __future__ import annotations

import io
import json
import os
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest
from click.testing import CliRunner
from lxml import etree
from python_calamine import CalamineWorkbook

from valet_xl.cli.main import app
from valet_xl.functions.catalogue import REGISTRY
from valet_xl.functions.examples import SCORES
from valet_xl_web.lite_files import WORKBOOK, code, files, workbook

PRO = os.environ.get("VALET_XL_XLWINGS_PRO")
"""The licence key for xlwings.pro, Lite's own layer: its licence allows `noncommercial` use alone."""

# In another Python: every example through the functions of a module, as JSON.
_ASK = """
import asyncio, importlib, json, sys
sys.path.insert(0, sys.argv[1])
module = importlib.import_module(sys.argv[2])
from valet_xl.functions.catalogue import REGISTRY
from valet_xl.functions.examples import example
import xlwings as xw
assert "valet_xl" in __import__("valet_xl").__file__ and sys.argv[1] in __import__("valet_xl").__file__ or sys.argv[3]
found = {}
if len(sys.argv) > 4:
    from xlwings import server
    found["meta"] = server.custom_functions_meta(module)
for name, function in REGISTRY.items():
    areas, arguments = example(function)
    blocks = [given if isinstance(given, list) else [[given]] for given in arguments]
    shown = lambda cell: cell.value if hasattr(cell, "value") else "" if cell is None else cell
    expected = [[shown(cell) for cell in row] for row in function(*arguments)]
    if expected == [["#VALUE!"]]:
        continue
    if len(sys.argv) > 4:
        data = {"client": "Office.js", "func_name": name, "args": blocks, "caller_address": "[B]S!A1", "runtime": "1.4",
                "version": xw.__version__, "date_format": "m/d/yyyy", "culture_info_name": "en-US"}
        got = asyncio.run(server.custom_functions_call(data, module, typehint_to_value={}))
        got = [["#VALUE!" if cell == {"type": "Error", "errorType": "Value"} else cell for cell in row] for row in got]
    else:
        got = getattr(module, name)(*blocks)
    found[name] = got == expected
try:
    module.VALET_IAF([["x"]])
except xw.XlwingsError as error:
    found["refused"] = str(error)
print(json.dumps(found))
"""


def asked(folder: Path, module: str, *more: str, **environment: str) -> dict[str, object]:
    """What a module gives in a Python that has its folder first."""
    done = subprocess.run(
        [sys.executable, "-c", _ASK, str(folder), module, *more],
        capture_output=True,
        text=True,
        check=False,
        env={**os.environ, **environment},
    )
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout.splitlines()[-1])  # type: ignore[no-any-return]


@pytest.fixture(scope="module")
def personal(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of personal modules."""
    place = tmp_path_factory.mktemp("lite")
    done = CliRunner().invoke(app, ["addin", "lite", "--output", str(place)])
    assert done.exit_code == 0, done.output
    return place / "personal"


@pytest.mark.slow
def test_personal_modules_compute_every_example(personal: Path) -> None:
    """With the engine that is next to them, and not another one; what cannot be computed is refused."""
    found = asked(personal, "bridge", "")
    assert {name: found.get(name, True) for name in REGISTRY} == dict.fromkeys(REGISTRY, True) and len(found) > 30
    assert str(found["refused"]).startswith("an argument cannot be used")


@pytest.mark.slow
def test_workbook_carries_the_engine(tmp_path: Path) -> None:
    """Its module main.py, run alone, has every function."""
    (tmp_path / "main.py").write_text(settings()["main.py"], encoding="utf-8")
    found = asked(tmp_path, "main", "from the text", TMPDIR=str(tmp_path))
    assert {name: found.get(name, True) for name in REGISTRY} == dict.fromkeys(REGISTRY, True) and len(found) > 30


@pytest.mark.skipif(not PRO, reason="xlwings.pro is tested only where VALET_XL_XLWINGS_PRO has a licence key for it")
def test_layer_of_lite_serves_every_function(personal: Path) -> None:
    """Its list has their names, arguments and help; its calls give the engine's cells."""
    environment = {"XLWINGS_LICENSE_KEY": str(PRO), "XLWINGS_ON_SERVER": "true"}
    found = asked(personal, "bridge", "", "pro", **environment)
    assert {name: found.get(name, True) for name in REGISTRY} == dict.fromkeys(REGISTRY, True) and len(found) > 30
    listed = {each["name"]: each for each in found["meta"]["functions"]}  # type: ignore[index]
    assert set(listed) == set(REGISTRY)
    for name, function in REGISTRY.items():
        names = [(each["name"], each.get("optional", False)) for each in listed[name]["parameters"]]
        assert names == [(each.name, each.optional) for each in function.arguments]
        assert listed[name]["description"] == function.sentence


def settings() -> dict[str, str]:
    """What the workbook's file has of xlwings Lite."""
    with zipfile.ZipFile(io.BytesIO(workbook())) as archive:
        root = etree.fromstring(archive.read("xl/webextensions/webextension1.xml"))
    return {each.get("name") or "": json.loads(each.get("value") or "") for each in root.iter("{*}property")}


def test_workbook_shows_the_engine_s_values() -> None:
    """They are saved with the formulas, so that they are seen without xlwings Lite too."""
    rows = CalamineWorkbook.from_filelike(io.BytesIO(workbook())).get_sheet_by_name("Scores").to_python()
    assert rows[0] == ["NS score", "VALET_IAF", "VALET_MP_PERCENT", "VALET_BUTLER"]
    for column, name in enumerate(rows[0][1:], 1):
        expected = ["" if value is None else value for (value,) in REGISTRY[str(name)](SCORES[:11])]
        assert [row[column] for row in rows[1:12]] == pytest.approx(expected) if "" not in expected else expected


def test_parts_are_declared_and_related() -> None:
    """Each new part has its content type, and is found from the package."""
    with zipfile.ZipFile(io.BytesIO(workbook())) as archive:
        types = etree.fromstring(archive.read("[Content_Types].xml"))
        declared = {each.get("PartName"): each.get("ContentType") for each in types.iter("{*}Override")}
        assert declared["/xl/webextensions/webextension1.xml"] == "application/vnd.ms-office.webextension+xml"
        assert declared["/xl/webextensions/taskpanes.xml"] == "application/vnd.ms-office.webextensiontaskpanes+xml"
        targets = {each.get("Target") for each in etree.fromstring(archive.read("_rels/.rels"))}
        assert "xl/webextensions/taskpanes.xml" in targets
        assert archive.testzip() is None
    assert set(settings()) == {"main.py", "requirements.txt"}
    assert len(code()) < 2_000_000  # what Excel on the web keeps of an add-in's settings


def test_files_are_the_same_each_time() -> None:
    assert files() == files()
    assert WORKBOOK in files()
