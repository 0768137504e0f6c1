"""Files of deals: read in every format that has cards, and put beside the boards of results."""

from __future__ import annotations

import csv
import io
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from valet_xl.deals.against import no_deals
from valet_xl.deals.cards import Bytes, deal_of
from valet_xl.engine.results import Results, board_name
from valet_xl.errors import FileError, NotationError, RowError, SheetError
from valet_xl.messages import counted, listed
from valet_xl.reading.boards import OCCASIONS
from valet_xl.reading.cells import board_number
from valet_xl.reading.columns import CodedColumn
from valet_xl.reading.csv_file import DELIMITERS
from valet_xl.reading.deal_rows import DealRows
from valet_xl.reading.files import format_of
from valet_xl.reading.formats import Asked, File, Format, SheetFile
from valet_xl.reading.headings import Grid, columns_of
from valet_xl.reading.source import Source

EXPECTED = "PBN, LIN, USEBIO with hands, ACBL's JSON, BBO Extractor's CSV, or a sheet with the columns Board and Deal"
_SEARCHED = 200  # rows in which the heading row is looked for
_SHOWN = 3  # boards that a sentence names


@dataclass(frozen=True, slots=True)
class Placed:
    """Deals beside boards.

    owners : (boards, 52) who holds each card, as `deal_of` gives it; NOT_KNOWN where the deal is not known
    errors : what could not be read in the file of deals
    remarks : what could not be placed, a sentence each
    """

    owners: Bytes
    errors: tuple[RowError, ...]
    remarks: tuple[str, ...]


def read_deals(path: str | Path, sheet: str | None = None) -> DealRows:
    """Read the deals in a file, whatever its format.

    Parameters
    ----------
    path : a file of one of the formats with cards; or a sheet with the columns Board and Deal
    sheet : of a workbook, the sheet

    Raises
    ------
    FileError : where the file cannot be used, or has no deals in it
    """
    file = File.of(Path(path))
    kind = format_of(file)
    try:
        found = kind.deals(file) if kind.deals is not None else _of_rows(kind, file, sheet)
    except FileError as error:
        raise error if file.path.name in str(error) else FileError(f"{path}: {error}") from error
    if found is None or not any(found.texts):
        raise FileError(f"{path}: has no deals in it (expected {EXPECTED})")
    return found


def place_deals(rows: DealRows, results: Results) -> Placed:
    """Put deals beside the boards of results, by number, and by event, date, session or round where that is needed.

    Parameters
    ----------
    rows : what `read_deals` gives
    results : the tournament

    Notes
    -----
    A number that the file has once is the board of that number, if the results have that board in one round only.
    Else the words for the occasion must agree: all that the file says, or one of them, with what the results call it.
    A board of which the file has two different deals has none.
    """
    owners = no_deals(len(results.boards))
    read, errors = _read(rows)
    by_number: defaultdict[str, list[int]] = defaultdict(list)
    for at, number in enumerate(rows.boards):
        if rows.texts[at] in read:
            by_number[_number(number)].append(at)
    labels: defaultdict[str, list[int]] = defaultdict(list)
    for board, (_, number) in enumerate(results.boards):
        labels[_number(number)].append(board)
    unclear: list[str] = []
    for number, boards in labels.items():
        places = by_number.get(number, [])
        several = len(boards) > 1 or len({read[rows.texts[at]].tobytes() for at in places}) > 1
        for board in boards:
            fitting = [at for at in places if not several or _agrees(rows.occasions[at], results.boards[board][0])]
            if len({read[rows.texts[at]].tobytes() for at in fitting}) == 1:
                owners[board] = read[rows.texts[fitting[0]]]
            elif places:
                unclear.append(board_name(*results.boards[board]))
    if not unclear:
        return Placed(owners, errors, ())
    named = f"{', '.join(unclear[:_SHOWN])}{' ...' if len(unclear) > _SHOWN else ''}"
    remark = (
        f"which deal it is could not be decided for {counted(len(unclear), 'board')} ({named}; expected one deal of "
        "that number, or the event, date, session or round that the results say)"
    )
    return Placed(owners, errors, (remark,))


def _read(rows: DealRows) -> tuple[dict[str, Bytes], tuple[RowError, ...]]:
    """The deals by their texts, each read once, and what is wrong in others."""
    read: dict[str, Bytes] = {}
    errors: dict[str, RowError] = {}
    for row, text in zip(rows.rows, rows.texts, strict=True):
        if text and text not in read and text not in errors:
            try:
                read[text] = deal_of(text)
            except NotationError as error:
                errors[text] = RowError(row, rows.heading, text, error.expected)
    return read, tuple(errors.values())


def deals_for(path: Path, sheet: str | None, results: Results) -> Placed:
    """Read a file's deals and put them beside the boards of results: parameters and errors of the two functions.

    Raises
    ------
    FileError : also where no deal can be read, or none is of a board of the results
    """
    rows = read_deals(path, sheet)
    placed = place_deals(rows, results)
    if (placed.owners < 4).any() or not len(results):
        return placed
    if placed.errors:
        said = [f"{rows.rows_are} {error.row}, {error.note}" for error in placed.errors]
        raise FileError(listed(f"{path}: no deal can be read: {said[0]}", said[1:_SHOWN]))
    numbers = ", ".join(list(dict.fromkeys(filter(None, rows.boards)))[:_SHOWN])
    raise FileError(
        f"{path}: has no deal of a board of these results{f' (it has boards {numbers} ...)' if numbers else ''}; "
        + (placed.remarks[0] if placed.remarks else "expected the same board numbers")
    )


def _number(text: str) -> str:
    """A board's number without words around it."""
    number = board_number(text)
    return str(number) if number else text.strip().casefold()


def _agrees(occasion: Sequence[str], label: str) -> bool:
    """Whether what a file says of a deal's occasion is what the results call the round of a board."""
    said = [" ".join(text.split()).casefold() for text in occasion if text.strip()]
    label = " ".join(label.split()).casefold()
    return label == " ".join(said) or label in said or (not label and not said)


def _of_rows(kind: Format, file: File, sheet: str | None) -> DealRows | None:
    """The deals in the column Deal of results or, in a text file, of a table that has no results."""
    try:
        rows = kind.read(file, Asked(sheet))
    except SheetError:
        if not file.is_text:
            raise
        tables = (list(csv.reader(io.StringIO(file.text, newline=""), delimiter=mark)) for mark in DELIMITERS)
        return next((found for table in tables if (found := _of_sheet(table)) is not None), None)
    return _of_sheet(rows.page.cells) if isinstance(rows, SheetFile) else DealRows.of(rows)


def _of_sheet(grid: Grid) -> DealRows | None:
    """The deals in the column Deal of a sheet."""
    for top in range(min(len(grid), _SEARCHED)):
        columns = columns_of(grid[top])
        if "deal" in columns and "board" in columns:
            body = range(top + 1, len(grid))
            cells = {
                name: CodedColumn.of([row[at] if at < len(row) else None for row in map(grid.__getitem__, body)])
                for name, at in columns.items()
                if name in ("board", "deal", *OCCASIONS, "round")
            }
            return DealRows.of(Source("", cells, range(top + 2, len(grid) + 1), "row"))
    return None
