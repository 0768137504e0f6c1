"""Parquet files of results: one schema, whose columns are those of `read_rows`, with one row a result."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np

from valet_xl.documents.parquet import ENDING, MAGIC, Texts, numbers_of, opened, texts_of
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
    (tricks, wrong_tricks), (score, wrong_score) = (_numbers(table, name) for name in NUMBERS)
    board, boards = _boards(column, address, start)
    entries = _Entries.of(column["contract"], contract_cell, (NONE,) * 9)
    status, level, strain, double = (entries.column(at) for at in (STATUS, 5, 6, 7))
    seats = _Entries.of(column["declarer"], seat_cell, (NONE,))
    seat, leads = seats.column(0), _Entries.of(column["lead"], lead_cell, (-1, UNKNOWN))
    declarer = np.where(seat != NONE, seat, entries.column(8))
    over = entries.column(OVER)
    taken = np.where(np.isnan(tricks), np.where(over != NONE, 6 + level + over, -1), tricks)
    status[(status == NONE) & ~np.isnan(score)] = Status.SCORED
    played = status == Status.PLAYED
    outside = (declarer < 0) | ~((taken >= 0) & (taken <= 13)) | (taken != np.floor(taken)) | wrong_tricks
    vulnerability, unknown = _vulnerability(column["vulnerability"], boards, board)
    bad = entries.wrong | (played & (seats.wrong | outside | unknown)) | wrong_score
    status[status == NONE] = Status.UNPLAYED
    status[bad] = Status.ERROR
    played = status == Status.PLAYED
    small = [np.where(played, each, 0).astype(np.int8) for each in (level, strain, double, declarer, taken)]
    ew = small[3] & 1
    points = contract_score(small[0], small[1], small[2], small[4].astype(np.int64), vulnerability >> ew & 1)
    scored = np.where(ew == 1, -points, points).astype(np.float64)
    scored = np.where(played | (status == Status.PASSED_OUT), scored, np.where(status == Status.SCORED, score, np.nan))
    ruled = np.flatnonzero(status == Status.ADJUSTED)
    adjusted = np.full((size, 2), np.nan)
    for at, share in enumerate((NS, EW)):
        given = entries.numbers[entries.text[ruled], share]
        adjusted[ruled, at] = np.where(given != NONE, given / 100, np.nan)
    players, sides, names, seating = _seats(column)
    named = [
        np.where(played, each, blank).astype(np.int8)
        for each, blank in ((vulnerability, -1), (leads.column(0), -1), (leads.column(1), 0))
    ]
    return Results(
        status=status,
        board=board,
        vulnerability=named[0],
        level=small[0],
        strain=small[1],
        double=small[2],
        declarer=small[3],
        tricks=small[4],
        lead_suit=named[1],
        lead_rank=named[2],
        score=scored,
        adjusted=adjusted,
        players=players,
        sides=sides,
        seating=seating,
        row=np.arange(start + 1, start + 1 + size),
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


def _numbers(table: Any, name: str) -> tuple[Floats, Mask]:
    """A column of numbers, NaN where there is none, and whether something else stands there."""
    if name not in table.column_names:
        return np.full(len(table), np.nan), np.zeros(len(table), dtype=bool)
    return numbers_of(table.column(name))


@dataclass(frozen=True, slots=True, eq=False)
class _Entries:
    """What the texts of a column mean.

    numbers : (texts + 1, k) small numbers for each distinct text, and last for none
    text : (n,) the place of each row's text, -1 where there is none
    wrong : (n,) whether it cannot be read
    """

    numbers: Ints
    text: Index
    wrong: Mask

    @classmethod
    def of(cls, column: Texts, read: Callable[[str], tuple[int, ...]], blank: tuple[int, ...]) -> _Entries:
        """A column's texts as a function reads them; `blank` is for those that there are not or it cannot read."""
        found, bad = [], []
        for text in column.texts:
            try:
                found.append(read(text) if text else blank)
                bad.append(False)
            except NotationError:
                found.append(blank)
                bad.append(True)
        wrong = np.array([*bad, False])[column.index] if any(bad) else np.zeros(len(column.index), dtype=bool)
        return cls(np.array([*found, blank], dtype=np.int64), column.index, wrong)

    def column(self, at: int) -> Small:
        """(n,) one of the numbers, where all fit into a byte."""
        return self.numbers[:, at].astype(np.int8)[self.text]


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


def _vulnerability(column: Texts, boards: Sequence[tuple[str, str]], board: Index) -> tuple[Small, Mask]:
    """(n,) the vulnerability, as a column says or else the board's number; and whether neither does."""
    entries = _Entries.of(column, lambda text: (int(Vulnerability.parse(text)),), (NONE,))
    stated = entries.column(0)
    numbers = np.array([max(board_number(number), 0) for _, number in boards] or [0])
    if not len(board):
        return stated, entries.wrong
    said = stated != NONE
    by_number = vulnerabilities(np.maximum(numbers, 1))[board]
    return np.where(said, stated, by_number), entries.wrong | (~said & (numbers < 1)[board])


def _seats(column: dict[str, Texts]) -> tuple[Index, Index, tuple[str, ...], Small]:
    """(n, 4) players and (n, 2) sides, as indices into names; the names; and (n, 4) the `Seating`."""
    place: dict[str, int] = {}

    def codes(names: Sequence[str]) -> Index:
        out = np.empty((len(column["ns"].index), len(names)), dtype=np.intp)
        for at, name in enumerate(names):
            found = column[name]
            of = [-1 if not text or is_nobody(text) else place.setdefault(text, len(place)) for text in found.texts]
            out[:, at] = np.array([*of, -1], dtype=np.intp)[found.index]
        return out

    player, side = codes(_SEATS), codes(("ns", "ew"))
    doubted = column["doubtful"]
    seating = np.full(player.shape, Seating.KNOWN, dtype=np.int8)
    if doubted.texts:
        letters = np.array([[letter in text for letter in "NESW"] for text in [*doubted.texts, ""]], dtype=bool)
        seating[letters[doubted.index]] = Seating.DOUBTFUL
    return player, side, tuple(place), seating
