"""All VBA of the add-in against the grammar of the language's specification, for every platform."""

from __future__ import annotations

from pathlib import Path

import pytest
from pyopenvba import ExcelFile
from vba_grammar import PLATFORMS, errors, reserved_words

from valet_xl.functions.catalogue import REGISTRY
from valet_xl_excel.functions import VBA_WORDS, parameter_name

ADDIN = Path(__file__).parents[2] / "workbooks" / "valet_xl.xlam"
with ExcelFile(str(ADDIN)) as _file:
    MODULES = {module.name: module.source for module in _file.vba_project().modules}


@pytest.mark.parametrize("platform", PLATFORMS)
@pytest.mark.parametrize("name", MODULES)
def test_module_compiles_as_the_specification_says(name: str, platform: str) -> None:
    assert errors(MODULES[name], platform) == []


@pytest.mark.parametrize(
    "wrong",
    [
        "Public Function VALET_VP(ByVal imps As Variant, Optional ByVal scale As Variant)\nEnd Function",
        "Public Sub S()\n    Dim Abs As Long\nEnd Sub",
        "Public Sub S()\n    If True Then\nEnd Sub",
        "Public Sub S(\nEnd Sub",
        "Public Function F()\n    F = = 1\nEnd Function",
        'Public Function F()\n    F = Array( _\n        "a" _\n        "b")\nEnd Function',
    ],
)
def test_the_grammar_refuses_what_excel_refuses(wrong: str) -> None:
    """So that the test above can fail: reserved words as names, blocks without an end, broken lines."""
    assert errors(f'Attribute VB_Name = "m"\nOption Explicit\n{wrong}\n') != []


@pytest.mark.parametrize("source", MODULES.values(), ids=MODULES)
def test_lines_are_as_long_as_the_editor_takes_them(source: str) -> None:
    """At most 1,023 characters a line, and 24 continuations of one statement."""
    lines = source.splitlines()
    assert max(map(len, lines), default=0) <= 1023
    run = 0
    for line in lines:
        run = run + 1 if line.endswith(" _") else 0
        assert run <= 24, line


def test_no_reserved_word_is_missing() -> None:
    words = {word for word in reserved_words() if not word.startswith("vb_")}
    assert len(words) > 140
    assert words <= VBA_WORDS


def test_no_parameter_is_a_reserved_word() -> None:
    """The registry's own names stay for users; in VBA they get a mark."""
    scale = next(argument for argument in REGISTRY["VALET_VP"].arguments if argument.name == "scale")
    assert parameter_name(scale) == "scale_"
    names = {parameter_name(argument).lower() for function in REGISTRY.values() for argument in function.arguments}
    assert not names & VBA_WORDS
