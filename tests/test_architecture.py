"""docs/architecture.md: its rooms, its directions and the names on its walks are those of the code."""

from __future__ import annotations

import re
import tomllib
from importlib import import_module
from pathlib import Path

import pytest
from make_rooms import PICTURE, drawing

ROOT = Path(__file__).parents[1]
PAGE = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")
CONTRACT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["importlinter"]["contracts"][0]
ROWS = [layer.split(" | ") for layer in CONTRACT["layers"]]
ROOMS = {folder.parent.name for folder in (ROOT / "valet_xl").glob("*/__init__.py")}


def test_the_directions_are_those_that_the_linter_checks() -> None:
    assert "    " + " -> ".join(CONTRACT["layers"]) + "\n" in PAGE


def test_the_drawing_has_the_same_rows() -> None:
    drawn = re.findall(r'x="(\d+)" y="(\d+)" text-anchor="middle">(\w+)<', drawing())
    heights = sorted({int(y) for _, y, _ in drawn})
    assert [[room for _, y, room in drawn if int(y) == height] for height in heights] == ROWS
    assert len({(x, y) for x, y, _ in drawn}) == len(drawn)
    assert "](rooms.svg)" in PAGE
    assert PICTURE.read_text(encoding="utf-8") == drawing()


def test_every_room_has_a_line_and_a_rule() -> None:
    described = re.findall(r"^\| `(\w+)` \| ", PAGE, re.MULTILINE)
    with_a_rule = re.findall(r"^\| .* \| (\w+) \| `valet_xl/(\w+)/\w+\.py` \|$", PAGE, re.MULTILINE)
    assert set(described) == ROOMS
    assert [(room, room) for room, _ in with_a_rule] == with_a_rule
    assert {room for room, _ in with_a_rule} == ROOMS


@pytest.mark.parametrize("name", sorted(set(re.findall(r"`((?:valet_xl|udfs|workbooks|docs)/[\w./]+)`", PAGE))))
def test_files_that_it_names_are_there(name: str) -> None:
    assert (ROOT / name).exists()


@pytest.mark.parametrize("name", sorted(set(re.findall(r"`(valet_xl(?:\.\w+)+)`", PAGE))))
def test_modules_that_it_names_are_there(name: str) -> None:
    import_module(name)


@pytest.mark.parametrize(
    ("name", "module"), sorted(set(re.findall(r"`(\w+)`\s+\(`(valet_xl(?:\.\w+)+)`[,)]", PAGE))), ids="-".join
)
def test_functions_and_classes_that_it_names_are_there(name: str, module: str) -> None:
    assert hasattr(import_module(module), name)
