"""The same sheets and the same clicks in every host at once: the sheets that come out and the sentences are compared.

A host says in its own words where its menus have something; that is all that may differ, but for what `OWN` names.
"""

from __future__ import annotations

import datetime
import re
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
from browser import program
from host_sheets import HEADINGS, ROWS, Sheet, dated, make, pairs, plain, shopping, table, titled, with_totals, wrong
from office import program as office
from tried import HOSTS, Tried

IN_MERGED = "F1:N7 contains merged cells (split them)"
MENU = re.compile(r"\((Review, Unprotect|Tools, Protect) Sheet;")


@dataclass(frozen=True)
class Scenario:
    """What is done to a sheet, and what is said.

    sheet : of the workbook
    clicks : each command or option with the message for it, or how that begins
    prepare : what is done by hand before
    own : messages of a host that differ, by its name and the number of the click
    """

    sheet: Sheet
    clicks: list[tuple[str, str]]
    prepare: Callable[[Tried], object] = lambda host: None
    own: dict[tuple[str, int], str] = field(default_factory=dict)


def filtered(book: Any, sheet: Any) -> None:
    """A filter hides the rows of board 2."""
    plain(book, sheet)
    sheet.autofilter(0, 0, len(ROWS), len(HEADINGS) - 1)
    sheet.filter_column(0, "x == 1")
    for at, row in enumerate(ROWS, 1):
        if row[0] != 1:
            sheet.set_row(at, options={"hidden": True})


def two_tables(book: Any, sheet: Any) -> None:
    """Another table is right of that of the results, and a remark right of it."""
    table(book, sheet)
    sheet.add_table(2, 8, 4, 9, {"name": "Other", "columns": [{"header": "Name"}, {"header": "Club"}]})
    sheet.write(5, 11, "a remark")


def table_below(book: Any, sheet: Any) -> None:
    """Another table is under that of the results."""
    table(book, sheet)
    columns = [{"header": "Name"}, {"header": "Club"}]
    sheet.add_table(12, 1, 14, 2, {"name": "Other", "data": [["A", "x"], ["B", "y"]], "columns": columns})


def errors(book: Any, sheet: Any) -> None:
    """Errors among the contracts, the tricks and the leads."""
    plain(book, sheet)
    for at, (column, error) in enumerate([(1, "#N/A"), (3, "#DIV/0!"), (4, "#VALUE!")], 7):
        sheet.write_row(at, 0, [at, "4S", "N", 10, "HK"])
        formula = {"#N/A": "=NA()", "#DIV/0!": "=1/0", "#VALUE!": '="a"+1'}[error]
        sheet.write_formula(at, column, formula, None, error)


def blank(_book: Any, _sheet: Any) -> None:
    """Nothing."""


NO_HEADINGS = "No heading row found"
NOTHING = "Nothing to undo: this sheet has no columns that scoring wrote."
FILTERED = "A filter hides rows of the sheet (Data, Clear shows them; then try again)"
READ_ONLY = "The document is read-only (choose Edit, Edit Mode, or save it under another name)"
PROTECTED = "The sheet is protected (MENU; then try again)"
GOOD = "6 results on 2 boards, nothing wrong."

SCENARIOS = {
    "plain": Scenario(
        plain, [("check", GOOD), ("score", ""), ("check", GOOD), ("score", ""), ("undo", ""), ("undo", NOTHING)]
    ),
    "titled": Scenario(titled, [("score", ""), ("undo", "")]),
    "dates right of the results": Scenario(dated, [("score", ""), ("score", ""), ("undo", "")]),
    "blank": Scenario(blank, [(command, NO_HEADINGS) for command in ("score", "check", "rank", "undo")]),
    "no results": Scenario(shopping, [(command, NO_HEADINGS) for command in ("score", "check", "rank", "undo")]),
    "filtered": Scenario(
        filtered,
        [("check", GOOD), ("score", FILTERED), ("undo", NOTHING)],
        lambda host: host.hide_rows(),
        {("calc", 1): "", ("calc", 2): "", ("lists", 1): "", ("lists", 2): ""},
    ),
    "filtered after it was scored": Scenario(
        plain,
        [("undo", FILTERED)],
        lambda host: (host.do("score"), hide_by_hand(host)),
        {("calc", 0): "", ("lists", 0): ""},
    ),
    "read-only": Scenario(
        plain,
        [("score", ""), ("undo", "")],
        lambda host: host.read_only(),
        {("calc", 0): READ_ONLY, ("calc", 1): NOTHING},
    ),
    "protected": Scenario(
        plain, [("check", GOOD), ("score", PROTECTED), ("undo", NOTHING)], lambda host: host.protect()
    ),
    "protected after it was scored": Scenario(
        plain, [("score", PROTECTED), ("undo", PROTECTED)], lambda host: (host.do("score"), host.protect())
    ),
    "merged target": Scenario(plain, [("score", IN_MERGED)], lambda host: host.merge("H3:I4")),
    "merged edge": Scenario(plain, [("score", IN_MERGED)], lambda host: host.merge("E4:F4")),
    "merged after it was scored": Scenario(
        plain,
        [("score", "F1:N7 contains merged cells"), ("undo", "F1:N7 contains merged cells")],
        lambda host: (host.do("score"), host.merge("H8:J9"), host.merge("G7:G8")),
    ),
    "merged left of the target": Scenario(plain, [("score", ""), ("undo", "")], lambda host: host.merge("E8:E9")),
    "hidden columns": Scenario(
        plain, [("score", ""), ("undo", "")], lambda host: [host.hide(at) for at in (2, 5, 9, 13, 14, 20)]
    ),
    "formula in the way": Scenario(
        plain,
        [("score", "F1:N7 contains a formula (clear or move it)")],
        lambda host: (host.do("score"), host.formula("H4")),
    ),
    "value in the way": Scenario(
        plain,
        [("score", ""), ("undo", ""), ("score", "")],
        lambda host: host.put("F3", [["mine"]]),
    ),
    "value in the way of more columns": Scenario(
        plain,
        [("method.matchpoints", ""), ("score", ""), ("cloud", ""), ("lead.card", ""), ("score", ""), ("undo", "")],
        lambda host: (host.do("score"), host.put("R3", [["mine"]])),
    ),
    "table": Scenario(table, [("score", ""), ("method.matchpoints", ""), ("score", ""), ("undo", "")]),
    "table with totals": Scenario(
        with_totals, [("score", ""), ("method.matchpoints", ""), ("score", ""), ("undo", "")]
    ),
    "two tables": Scenario(two_tables, [("score", ""), ("check", GOOD), ("undo", "")]),
    "table below": Scenario(table_below, [("score", ""), ("method.datum", ""), ("score", ""), ("undo", "")]),
    "former columns of another method": Scenario(
        wrong,
        [
            ("method.matchpoints", ""),
            ("score", "6 of 10 results"),
            ("method.iaf", ""),
            ("score", "6 of 10 results"),
            ("undo", ""),
        ],
    ),
    "rows that came later": Scenario(
        plain,
        [("score", ""), ("undo", "")],
        lambda host: (host.do("score"), host.put("A8:E9", [[3, "1NT", "W", 7, "S2"], [3, "1NT", "W", 6, "S2"]])),
    ),
    "rows that went": Scenario(
        plain, [("score", ""), ("undo", "")], lambda host: (host.do("score"), host.clear("A6:E7"))
    ),
    "a lead that came later": Scenario(
        wrong,
        [("score", "8 of 10 results"), ("undo", "")],
        lambda host: (host.do("score"), host.put("A8:E8", [[3, "3NT", "E", 9, "S2"]])),
    ),
    "error cells": Scenario(errors, [("check", "3 rows cannot be read."), ("score", "6 of 9 results"), ("undo", "")]),
    "ranking": Scenario(pairs, [("rank", "Ranked without the boards"), ("check", "Heading row 5 has Group (A5)")]),
}


def hide_by_hand(host: Tried) -> None:
    """Let a filter hide rows, where the program can be asked to."""
    if hasattr(host, "ask"):
        host.ask("hide", [4, 5, 6])
    else:
        host.hide_rows()


@pytest.fixture(scope="module")
def hosts(tmp_path_factory: pytest.TempPathFactory) -> Iterator[dict[str, Tried]]:
    """Every host that can run here, by its name."""
    absent = {"calc": office() is None, "office.js": program() is None}
    with ExitStack() as stack:
        found: dict[str, Tried] = {}
        for host in HOSTS:
            name = str(host.id)
            if not absent.get(name, False):
                opened: Any = host.values[0]
                found[name] = stack.enter_context(opened(tmp_path_factory.mktemp(name.replace(".", ""))))
        yield found


@pytest.mark.parametrize("scenario", SCENARIOS.values(), ids=SCENARIOS)
def test_every_host_does_the_same(hosts: dict[str, Tried], tmp_path: Path, scenario: Scenario) -> None:
    """After each click cells, tables, sheets, what is selected and what is hidden are the same, and so are messages."""
    found = {}
    for name, host in hosts.items():
        host.open(make(tmp_path / f"{name}.xlsx", scenario.sheet))
        host.select("A1")
        scenario.prepare(host)
        found[name] = [_after(host, address) for address, _ in scenario.clicks]
    for at, (address, expected) in enumerate(scenario.clicks):
        alike = [name for name in hosts if (name, at) not in scenario.own]
        for name in hosts:
            said = found[name][at][0]
            wanted = scenario.own.get((name, at), expected)
            assert said.startswith(wanted) and (wanted or not said), (name, address, said)
        for name in alike[1:]:
            assert found[name][at] == found[alike[0]][at], (alike[0], name, address)


def _after(host: Tried, address: str) -> tuple[object, ...]:
    said = MENU.sub("(MENU;", host.do(address))
    cells = [[_alike(cell) for cell in row] for row in host.cells()]
    return said, cells, sorted(host.tables()), host.sheets(), host.shown(), host.selected(), host.hidden()


def _alike(cell: object) -> object:
    """A cell as every host gives it to a test: a day as its number; of an error Calc gives a code."""
    if isinstance(cell, datetime.date):
        return float(cell.toordinal() - datetime.date(1899, 12, 30).toordinal())
    return "an error" if isinstance(cell, list) or (isinstance(cell, str) and cell.startswith("#")) else cell
