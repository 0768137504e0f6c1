"""Sentences for people: how many there are of a thing."""

from __future__ import annotations

import ast
import re
import shlex
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest

from valet_xl.functions.catalogue import REGISTRY
from valet_xl.messages import pip_install, to_install

ROOT = Path(__file__).parents[1]
SEVERAL = re.compile(
    r" (?:other |random )?(results|boards|rows|pairs|players|deals|tables|columns|cells|hands|partners|lines|tricks"
    r"|points|records|arguments|checks|files|sheets|rounds|events)\b"
)
# Numbers that are never 1, or that are said of a damaged file alone.
NEVER_ONE = {
    ("binky/deals.py", "deals"),
    ("reading/lin.py", "boards"),
    ("binky/fit.py", "deals"),
    ("binky/quality.py", "deals"),
    ("documents/access.py", "columns"),
    ("documents/access.py", "rows"),
    ("documents/ooxml/streamed_rows.py", "cells"),
    ("documents/page.py", "cells"),
    ("documents/page.py", "columns"),
    ("functions/binky.py", "columns"),
    ("functions/deals.py", "columns"),
    ("functions/registry.py", "cells"),
    ("rankings/ranking.py", "boards"),
    ("reading/headings.py", "rows"),
    ("reading/pbn.py", "results"),
    ("reading/source.py", "events"),
    ("reading/travellers.py", "boards"),
    ("reports/duels.py", "points"),
    ("reports/report.py", "boards"),
    ("sheets/new_file.py", "results"),
}


def check(rows: list[list[object]]) -> str:
    return str(REGISTRY["VALET_CHECK"](rows)[0][0])


def test_one_result_on_one_board_is_not_several() -> None:
    rows: list[list[object]] = [["Board", "Contract", "By", "Tricks"], [1.0, "4S", "N", 10.0]]
    assert check(rows) == "nothing wrong: 1 result on 1 board"
    assert check([*rows, [1.0, "4S", "N", 10.0], [2.0, "4S", "N", 10.0]]) == "nothing wrong: 3 results on 2 boards"


def plurals(path: Path) -> Iterator[str]:
    """What a module's texts say of a number that is put into them."""
    for text in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(text, ast.JoinedStr):
            for number, rest in zip(text.values, text.values[1:], strict=False):
                if isinstance(number, ast.FormattedValue) and isinstance(rest, ast.Constant):
                    found = SEVERAL.match(str(rest.value))
                    counted = isinstance(number.value, ast.Call) and getattr(number.value.func, "id", "") == "counted"
                    if found and not counted:
                        yield found[1]


def test_numbers_of_things_are_counted() -> None:
    """By `valet_xl.messages.counted`, which knows that one board is no boards."""
    found = {
        (path.relative_to(folder).as_posix(), word)
        for folder in (ROOT / "valet_xl", ROOT / "udfs")
        for path in sorted(folder.rglob("*.py"))
        for word in plurals(path)
    }
    assert sorted(found - NEVER_ONE) == [], "use counted() of valet_xl.messages, or name a number that is never 1 above"


@pytest.mark.parametrize("extra", ["bridgemate", "binky", "charts"])
def test_what_an_extra_needs_is_installed_by_the_line_as_it_is(extra: str) -> None:
    """No package index knows valet_xl: the line names what the extra needs, and a shell splits it into its parts."""
    line = to_install(extra)
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    assert shlex.split(line)[-len(project["optional-dependencies"][extra]) :] == project["optional-dependencies"][extra]
    assert ">" not in re.sub(r'"[^"]*"', "", line)  # which would write into a file
    if "-m pip" in line:
        tried = subprocess.run(f"{line} --dry-run --no-deps", shell=True, capture_output=True, text=True, check=False)
        assert "equirement already satisfied" in tried.stdout, tried.stderr


def test_the_line_is_for_the_python_that_runs(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whichever is found first: one of that name may be another environment's link to the same program."""
    monkeypatch.setenv("PATH", "")
    assert pip_install("numpy") == f"{sys.executable} -m pip install numpy"
    monkeypatch.setenv("PATH", str(Path(sys.executable).parent))
    assert pip_install("numpy>=1") == 'python -m pip install "numpy>=1"'
    monkeypatch.setattr(sys, "executable", "/home/Anna B/python")
    assert pip_install("numpy") == '"/home/Anna B/python" -m pip install numpy'
    monkeypatch.setattr(sys, "platform", "emscripten")
    assert pip_install("numpy>=1", "scipy") == "await micropip.install(['numpy>=1', 'scipy'])"
