"""Parquet files of results: one schema, whose columns are those of `read_rows`, with one row a result."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import Any

import numpy as np

from valet_xl.documents.parquet import ENDING, MAGIC, Texts, opened, texts_of
from valet_xl.engine.arrays import Floats, Index, Ints, Mask, Small
from valet_xl.engine.laws import contract_score, vulnerabilities
from valet_xl.engine.notation import UNKNOWN, Vulnerability
from valet_xl.engine.results import Results, Seating, Status
from valet_xl.errors import FileError, NotationError, RowError, SheetError
from valet_xl.reading.cells import EW, NONE, NS, OVER, STATUS, board_number, contract_cell, lead_cell, seat_cell
from valet_xl.reading.columns import CodedColumn
from valet_xl.reading.formats import Asked, File, Format
from valet_xl.reading.players import is_nobody
from valet_xl.reading.source import Source

TEXTS = (
    *("event", "round", "board", "vulnerability", "contract", "declarer", "lead"),
    *("north", "east", "south", "west", "ns", "ew", "doubtful"),
)
NUMBERS = ("tricks", "score")
COLUMNS = (*TEXTS, *NUMBERS)
BOARD = ("event", "round", "board")
"""The columns that say which board a row is of; a file is sorted by them."""
_NEEDED = ("board", "contract", "tricks")
_SEATS = ("north", "east", "south", "west")
_MOST_ERRORS = 20  # that are described of a piece, where messages alone need them


def need_schema(names: Sequence[str], address: str) -> None:
    """Refuse a file of another schema.

    Raises
    ------
    SheetError : which names the columns that it lacks
    """
    missing = [name for name in _NEEDED if name not in names]
    if missing:
        raise SheetError(
            f"{address}: has no column {', '.join(missing)}, but {', '.join(list(names)[:12]) or 'none'} "
            "(expected a file that valet-xl convert wrote, or one of the same schema)"
        )


def source_of(file: File, asked: Asked) -> Source:
    """The rows of a Parquet file, as those of other formats."""
    with opened(str(file.path), file.data) as parquet:
        names = parquet.schema_arrow.names
        need_schema(names, str(file.path))
        table = parquet.read(columns=[name for name in COLUMNS if name in names and name != "doubtful"])
    found = {name: _filled(texts_of(table.column(name))) for name in table.column_names}
    return Source("Parquet", found, range(1, len(table) + 1), "row")


def _filled(column: Texts) -> CodedColumn:
    """A column with a text for the rows that have none."""
    return CodedColumn([*column.texts, ""], np.where(column.index < 0, len(column.texts), column.index))


FORMAT = Format(
    "Parquet", "a Parquet file", (ENDING,), recognise=lambda file: file.data.startswith(MAGIC), read=source_of
)


def results_of(table: Any, start: int, address: str, errors: int | None = _MOST_ERRORS) -> Results:
    """Results from the rows of a Parquet file.

    Parameters
    ----------
    table : the columns of `COLUMNS` that the file has
    start : how many rows are before them
    address : of the file, for messages
    errors : how many rows that cannot be read are described; None for all

    Raises
    ------
    FileError : where the rows of a board are not together, or boards are not sorted
    """
    size = len(table)
    nothing = Texts([], np.full(size, -1, dtype=np.intp))
    column = {name: texts_of(table.column(name)) if name in table.column_names else nothing for name in TEXTS}
    tricks, score = (_numbers(table, name) for name in NUMBERS)
    board, boards = _boards(column, address, start)
    entries, wrong = _each(column["contract"], contract_cell, (NONE,) * 9)
    status, level, strain, double = (entries[:, at].copy() for at in (STATUS, 5, 6, 7))
    seat, wrong_seat = _each(column["declarer"], seat_cell, (NONE,))
    declarer = np.where(seat[:, 0] != NONE, seat[:, 0], entries[:, 8])
    lead, _ = _each(column["lead"], lead_cell, (-1, UNKNOWN))
    taken = np.where(np.isnan(tricks), np.where(entries[:, OVER] != NONE, 6 + level + entries[:, OVER], -1), tricks)
    status[(status == NONE) & ~np.isnan(score)] = Status.SCORED
    played = status == Status.PLAYED
    outside = played & ((declarer < 0) | (taken < 0) | (taken > 13))
    vulnerability, unknown = _vulnerability(column, boards, board)
    bad = wrong | (wrong_seat & played) | outside | (unknown & played)
    status[status == NONE] = Status.UNPLAYED
    status[bad] = Status.ERROR
    played = status == Status.PLAYED
    small = [np.where(played, each, 0) for each in (level, strain, double, declarer, taken)]
    ew = small[3] % 2
    points = contract_score(small[0], small[1], small[2], small[4].astype(np.int64), vulnerability >> ew & 1)
    scored = np.where(ew == 1, -points, points).astype(np.float64)
    scored = np.where(played | (status == Status.PASSED_OUT), scored, np.where(status == Status.SCORED, score, np.nan))
    shares = entries[:, NS : EW + 1]
    given = (status == Status.ADJUSTED)[:, None] & (shares != NONE)
    rows = np.arange(start + 1, start + 1 + size)
    players, sides, names, seating = _seats(column)
    named = [np.where(played, each, blank) for each, blank in ((vulnerability, -1), (lead[:, 0], -1), (lead[:, 1], 0))]
    return Results(
        status=status.astype(np.int8),
        board=board,
        vulnerability=named[0].astype(np.int8),
        level=small[0].astype(np.int8),
        strain=small[1].astype(np.int8),
        double=small[2].astype(np.int8),
        declarer=small[3].astype(np.int8),
        tricks=small[4].astype(np.int8),
        lead_suit=named[1].astype(np.int8),
        lead_rank=named[2].astype(np.int8),
        score=scored,
        adjusted=np.where(given, shares / 100, np.nan),
        players=players,
        sides=sides,
        seating=seating,
        row=rows,
        boards=boards,
        names=names,
        errors=tuple(_error(column, tricks, at, start) for at in np.flatnonzero(bad)[:errors].tolist()),
        skipped=(),
        rounds="new",
    )


def _error(column: dict[str, Texts], tricks: Floats, at: int, start: int) -> RowError:
    def of(name: str) -> str:
        found = column[name]
        return found.texts[found.index[at]] if found.index[at] >= 0 else ""

    shown = " ".join(filter(None, (of("contract"), of("declarer"), f"{tricks[at]:g}")))
    return RowError(start + at + 1, "contract", shown, "expected a contract such as 4SX, its declarer and 0-13 tricks")


def _numbers(table: Any, name: str) -> Floats:
    """A column of numbers, NaN where there is none."""
    if name not in table.column_names:
        return np.full(len(table), np.nan)
    found = texts_of(table.column(name))
    values = [*(float(text) if text.lstrip("+-").replace(".", "", 1).isdecimal() else -99 for text in found.texts)]
    return np.array([*values, np.nan])[found.index]


def _each(column: Texts, read: Any, blank: tuple[int, ...]) -> tuple[Ints, Mask]:
    """(n, k) what a column's texts mean, and (n,) whether that cannot be read."""
    found, bad = [], []
    for text in column.texts:
        try:
            found.append(read(text) if text else blank)
            bad.append(False)
        except NotationError:
            found.append(blank)
            bad.append(True)
    return np.array([*found, blank], dtype=np.int64)[column.index], np.array([*bad, False])[column.index]


def _boards(column: dict[str, Texts], address: str, start: int) -> tuple[Index, tuple[tuple[str, str], ...]]:
    """(n,) the board of each row, and what the boards are called: the event with the round, and the number."""
    keys = [column[name] for name in BOARD]
    size = len(keys[0].index)
    if not size:
        return np.zeros(0, dtype=np.intp), ()
    new = np.zeros(size, dtype=bool)
    new[0] = True
    for each in keys:
        new[1:] |= each.index[1:] != each.index[:-1]
    firsts = np.flatnonzero(new)
    columns = [[*each.texts, ""] for each in keys]
    places = zip(*(each.index[firsts].tolist() for each in keys), strict=True)
    named = [tuple(texts[at] for texts, at in zip(columns, of, strict=True)) for of in places]
    for at, (one, other) in enumerate(pairwise(named)):
        if not one < other:
            row = start + int(firsts[at + 1]) + 1
            raise FileError(
                f"{address}: row {row}, {_called(other)} comes after {_called(one)} "
                "(expected rows sorted by event, round and board, as texts)"
            )
    boards = tuple((f"{event} {of_round}".strip(), number) for event, of_round, number in named)
    return np.cumsum(new) - 1, boards


def _called(key: Sequence[str]) -> str:
    return ", ".join(f"{name} {text!r}" for name, text in zip(BOARD, key, strict=True) if text)


def _vulnerability(column: dict[str, Texts], boards: Sequence[tuple[str, str]], board: Index) -> tuple[Ints, Mask]:
    """(n,) the vulnerability, as a column says or else the board's number; and whether neither does."""
    stated, wrong = _each(column["vulnerability"], lambda text: (int(Vulnerability.parse(text)),), (NONE,))
    numbers = np.array([max(board_number(number), 0) for _, number in boards] or [0])
    by_number = vulnerabilities(np.maximum(numbers, 1)).astype(np.int64)[board] if len(board) else board
    said = stated[:, 0] != NONE
    unknown = ~said & (numbers[board] < 1) if len(board) else said
    return np.where(said, stated[:, 0], by_number), wrong | unknown


def _seats(column: dict[str, Texts]) -> tuple[Index, Index, tuple[str, ...], Small]:
    """(n, 4) players and (n, 2) sides, as indices into names; the names; and (n, 4) the `Seating`."""
    place: dict[str, int] = {}

    def codes(name: str) -> Index:
        found = column[name]
        of = [-1 if not text or is_nobody(text) else place.setdefault(text, len(place)) for text in found.texts]
        return np.array([*of, -1], dtype=np.intp)[found.index]

    player = np.stack([codes(name) for name in _SEATS], axis=1)
    side = np.stack([codes(name) for name in ("ns", "ew")], axis=1)
    doubted = column["doubtful"]
    masks = np.array([[letter in text for letter in "NESW"] for text in [*doubted.texts, ""]], dtype=bool)
    doubtful = masks[doubted.index]
    seating = np.where(doubtful, Seating.DOUBTFUL, Seating.KNOWN).astype(np.int8)
    return player, side, tuple(place), seating
