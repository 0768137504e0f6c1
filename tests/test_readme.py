"""README.md: its tables list what is declared in the code. `python docs/make_tables.py` writes them again."""

from __future__ import annotations

import pytest
from make_tables import FORMATS, README, TABLES, TABLES_OF_FORMATS, written
from marks import put

from valet_xl.engine.options import OPTIONS
from valet_xl.engine.score_results import COLUMNS
from valet_xl.functions.catalogue import REGISTRY
from valet_xl.hosts.commands import COMMANDS

PAGE = README.read_text(encoding="utf-8")


@pytest.mark.parametrize("name", TABLES)
def test_a_table_is_what_the_code_declares(name: str) -> None:
    assert put(PAGE, name, TABLES[name]()) == PAGE


@pytest.mark.parametrize("name", TABLES_OF_FORMATS)
def test_a_table_of_the_formats_is_what_the_code_declares(name: str) -> None:
    page = FORMATS.read_text(encoding="utf-8")
    assert put(page, name, TABLES_OF_FORMATS[name]()) == page


def test_writing_the_tables_again_changes_nothing_else() -> None:
    """Also where one was out of date."""
    assert written(put(PAGE, "functions", ["| old |"])) == PAGE


def test_nothing_that_is_declared_is_missing() -> None:
    rows = PAGE.splitlines()
    for heading in (column.heading for column in COLUMNS):
        assert any(row.startswith(f"| {heading} | ") for row in rows)
    for option in OPTIONS.values():
        assert any(row.startswith(f"| `--{option.name.replace('_', '-')}` | {option.sentence}") for row in rows)
        assert all(f"`{word}`" in PAGE for word in option.words)
    for command in COMMANDS.values():
        assert f"| *{command.label}* | {command.sentence} |" in rows
    for function in REGISTRY.values():
        assert f"| `{function.usage}` | {function.sentence} |" in rows


def test_a_page_without_marks_is_refused() -> None:
    with pytest.raises(ValueError, match="columns: the page has no such marks"):
        put("# A page\n", "columns", [])
