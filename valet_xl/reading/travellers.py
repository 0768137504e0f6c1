"""Travellers: the results of each board in a block of rows, which the board's number is above."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from valet_xl.engine.notation import Vulnerability
from valet_xl.errors import NotationError, SheetError
from valet_xl.messages import one_line
from valet_xl.reading.cells import contract_cell
from valet_xl.reading.headings import SYNONYMS, Grid, columns_of
from valet_xl.reading.shape import SEARCHED, Shape, Table, former_block, is_blank

_BOARD = "|".join(sorted((re.escape(name) for name in SYNONYMS["board"]), key=len, reverse=True))
_LABEL = re.compile(rf"(?:{_BOARD})s?\s*(?:no\b|nr\b|number\b)?[.:#\s]*(\d{{1,3}})(?!\d)(.*)", re.IGNORECASE)
_NUMBER = re.compile(r"(\d{1,3})(?:\.0)?(?!\S)(.*)")
_WORD = re.compile(rf"(?:{_BOARD})[.:#\s]*", re.IGNORECASE)
_VULNERABLE = re.compile(r"vul\w*\s*[:=]?\s*([\w/-]+)|([\w/-]+)\s+vul|((?:love|game)\s+all)", re.IGNORECASE)
_SAID = ("contract", "declarer", "tricks", "result", "made", "down", "score")  # that a row is a result


@dataclass(frozen=True, slots=True)
class _Label:
    """A board's number, and the vulnerability that is written with it ('' for none)."""

    number: int
    vulnerability: str


def traveller_table(grid: Grid) -> Table | None:
    """A sheet of travellers, with the boards in a column left of the others; None for another sheet.

    Raises
    ------
    SheetError : for travellers side by side, and those with other columns than the first
    """
    top = next((at for at, row in enumerate(grid[:SEARCHED]) if _is_heading(columns_of(row))), None)
    if top is None:
        return None
    width = (former_block(grid[top]) or (len(grid[top]), 0))[0]  # of the travellers, without what scoring wrote
    columns = columns_of(grid[top][:width])
    labels = {at: found for at, row in enumerate(grid) if (found := _labels(row)) and not _is_played(row, columns)}
    if not labels:
        return None
    aside = next((at for at, found in labels.items() if len(found) > 1), None)
    if aside is not None:
        raise SheetError(
            f"row {aside + 1} has the travellers of {len(labels[aside])} boards side by side "
            "(expected one under the other)"
        )
    cells: list[Sequence[object]] = [()] * top
    cells.append(["Board", None if "vulnerability" in columns else "Vul", *grid[top]])
    label = next((labels[at][0] for at in range(top, -1, -1) if at in labels), None)
    for at, row in enumerate(grid[top + 1 :], top + 1):
        label = labels[at][0] if at in labels else label
        here = columns_of(row[:width]) if at in labels or isinstance(_cell(row, columns["contract"]), str) else {}
        if _is_heading(here) and here != columns:
            raise SheetError(f"two travellers with different columns, rows {top + 1} and {at + 1} (expected the same)")
        if _is_heading(here) or at in labels:
            cells.append(())
        elif label is not None and _says(row, columns):
            cells.append([label.number, label.vulnerability or None, *row])
        else:
            cells.append([None, None, *row])
    return Table(cells, top, added=2)


def _cell(row: Sequence[object], column: int) -> object:
    return row[column] if column < len(row) else None


def _is_heading(columns: dict[str, int]) -> bool:
    return "contract" in columns and "board" not in columns and bool({"declarer", "tricks", "result"} & columns.keys())


def _says(row: Sequence[object], columns: dict[str, int]) -> bool:
    """Whether a row is a result: any of what a result says, or both sides that did not play it."""
    said = {name for name, column in columns.items() if not is_blank(_cell(row, column))}
    return any(name in said for name in _SAID) or {"ns", "ew"} <= said


def _is_played(row: Sequence[object], columns: dict[str, int]) -> bool:
    """Whether a row has a contract in its place, so that a board that it names is a remark."""
    try:
        contract_cell(str(_cell(row, columns["contract"]) or "-"))
    except NotationError:
        return False
    return not is_blank(_cell(row, columns["contract"]))


def _labels(row: Sequence[object]) -> list[_Label]:
    """The boards that a row names, as `Board 7` or with the number in the next cell; its first cell names one."""
    found = []
    cells = [cell for cell in row if not is_blank(cell)]
    for place, cell in enumerate(cells):
        beyond = " ".join(map(one_line, cells[place + 1 :]))
        label = _LABEL.fullmatch(one_line(cell)[:80]) if isinstance(cell, str) else None
        if isinstance(cell, str) and label is None and _WORD.fullmatch(one_line(cell)[:80]):
            label = _NUMBER.match(beyond)
        if label is None and place == 0:
            break
        if label is not None:
            found.append(_Label(int(label[1]), _vulnerability(f"{label[2]} {beyond}")))
    return found


def _vulnerability(text: str) -> str:
    match = _VULNERABLE.search(text)
    for said in match.groups() if match else ():
        try:
            return str(Vulnerability.parse(said)) if said else ""
        except NotationError:
            continue
    return ""


SHAPE = Shape(
    "travellers",
    "rows such as `Board 7`, and a heading row with a contract but no board column; a row is of the board above it",
    traveller_table,
)
