"""The add-in's JavaScript against the types of Office.js, @types/office-js of npm, by the compiler of TypeScript."""

from __future__ import annotations

import json
import os
import re
import subprocess
from pathlib import Path

import pytest

from valet_xl_web import addin_files
from valet_xl_web.build import carried

TYPES = os.environ.get("VALET_XL_TYPES", "")  # a folder node_modules with the compiler and the types
_REQUIRED = os.environ.get("VALET_XL_HOSTS") == "required"
# Elements of a page, of which plain JavaScript cannot say more; and one value for all cells of a range, which Office.js
# takes, as its own documentation says, and its types do not.
_NO_FAULT = re.compile(r"does not exist on type '(?:HTML)?Element'|'string' is not assignable to type 'any\[\]\[\]'")

pytestmark = pytest.mark.skipif(not TYPES and not _REQUIRED, reason="no types: VALET_XL_TYPES names no folder")


def wrong(folder: Path, more: str = "") -> list[str]:
    """What the compiler finds in the add-in, of Office.js and of our own functions."""
    for name, data in {**dict(carried()), **addin_files.files()}.items():
        if name.endswith(".js"):
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            (folder / name).write_bytes(data)
    (folder / "addin" / "more.js").write_text(more, encoding="utf-8")
    options = {
        **{"allowJs": True, "checkJs": True, "noEmit": True, "skipLibCheck": True, "strict": False},
        **{"target": "es2023", "module": "es2022", "moduleResolution": "bundler", "lib": ["es2023", "dom"]},
        "types": ["office-js", "custom-functions-runtime"],
        "typeRoots": [str(Path(TYPES) / "@types")],
    }
    names = ("excel", "functions", "pane", "selftest", "more")
    settings = {"compilerOptions": options, "files": [f"addin/{name}.js" for name in names]}
    (folder / "tsconfig.json").write_text(json.dumps(settings), encoding="utf-8")
    command = [str(Path(TYPES) / ".bin" / "tsc"), "--project", "tsconfig.json", "--pretty", "false"]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False, timeout=300)
    lines = [line for line in done.stdout.splitlines() if line.startswith("addin/") or "error TS5" in line]
    return [line for line in lines if not _NO_FAULT.search(line)]


def test_every_call_of_office_js_is_one_that_there_is(tmp_path: Path) -> None:
    assert wrong(tmp_path) == []


def test_a_call_that_there_is_not_would_be_found(tmp_path: Path) -> None:
    found = wrong(tmp_path, "Excel.run(async (context) => { context.workbook.worksheets.getOldest(); });")
    assert len(found) == 1
    assert "Property 'getOldest' does not exist on type 'WorksheetCollection'" in found[0]
