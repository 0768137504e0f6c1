"""Workbooks are read, scored and written with numpy and Python's own library alone, as in a browser."""

from __future__ import annotations

import hashlib
import subprocess
import sys
from pathlib import Path

import pytest
from result_files import FILES
from workbook_samples import SAMPLES

from valet_xl.documents.libraries import loading
from valet_xl.errors import FileError
from valet_xl.sheets.score_file import score_file

# What a browser may lack. Whoever imports it there gets the error that Python gives for what is not installed.
BARE = """
import sys

class Blocked:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in {blocked!r}:
            raise ModuleNotFoundError(f"No module named {{name!r}}", name=name)

sys.meta_path.insert(0, Blocked())
from pathlib import Path
from valet_xl.sheets.score_file import score_file

for name in sys.argv[1:]:
    score_file(Path(name))
    score_file(Path(name))
"""
LOUD = """
from valet_xl.errors import FileError

try:
    score_file(Path(sys.argv[1]))
except FileError as error:
    print(error)
"""
BLOCKED = ("justhtml", "access_parser", "lxml", "python_calamine", "xlwings", "click", "rich", "xlsxwriter", "openpyxl")


def test_samples_are_scored_to_the_same_bytes(tmp_path: Path) -> None:
    made = []
    for sample in SAMPLES:
        path = tmp_path / f"{sample.name}{sample.suffix}"
        sample.make(path)
        made.append(path)
    own = [tmp_path / "own" / path.name for path in made]
    own[0].parent.mkdir()
    for path, copy in zip(made, own, strict=True):
        score_file(path, copy)
    code = BARE.format(blocked=BLOCKED)
    subprocess.run([sys.executable, "-c", code, *map(str, made)], check=True)
    for path, copy in zip(made, own, strict=True):
        assert hashlib.sha256(path.read_bytes()).digest() == hashlib.sha256(copy.read_bytes()).digest(), path.name


def test_what_is_blocked_would_be_seen() -> None:
    """The test above could not fail otherwise."""
    for name in BLOCKED[:2]:
        code = BARE.format(blocked=BLOCKED) + f"import {name}"
        ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
        assert f"No module named '{name}'" in ran.stderr


@pytest.mark.parametrize(
    ("name", "data", "library"),
    [
        ("page.html", b"<html><table><tr><td>Board<td>Contract</table>", "justhtml"),
        ("saved_page.xls", b"<html><table><tr><td>Board<td>Contract</table>", "justhtml"),
        ("club.bws", FILES["club.bws"], "access_parser"),
    ],
)
def test_a_file_that_needs_what_is_not_there_says_so(name: str, data: bytes, library: str, tmp_path: Path) -> None:
    path = tmp_path / name
    path.write_bytes(data)
    code = BARE.format(blocked=BLOCKED).rpartition("\nfor name")[0] + LOUD
    said = subprocess.run([sys.executable, "-c", code, path], capture_output=True, text=True, check=True).stdout
    begin = f"{path}: a file of this kind cannot be read for want of {library} (install it with: "
    assert said.startswith(begin)
    assert said.endswith((f" {library})\n", f" {library.replace('_', '-')}==0.0.6)\n"))


def test_a_browser_has_no_way_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "platform", "emscripten")
    wanted = "in a browser for want of access_parser .the command valet-xl reads it.$"
    with pytest.raises(FileError, match=wanted), loading("access_parser", extra="bridgemate"):
        raise ModuleNotFoundError(name="access_parser")


def test_a_module_of_our_own_that_is_not_there_is_our_fault() -> None:
    with pytest.raises(ModuleNotFoundError), loading("justhtml"):
        raise ModuleNotFoundError(name="valet_xl.none")
