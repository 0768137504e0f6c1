"""A tournament's results as columns of numbers, one row a result, grouped by board; and what was wrong in the rows."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, fields, replace
from enum import IntEnum

import numpy as np
from numpy.typing import NDArray

from valet_xl.engine.arrays import (
    Floats,
    Index,
    Mask,
    Small,
    components,
    count_by,
    distinct_keys,
)
from valet_xl.engine.laws import artificial_imps
from valet_xl.errors import ArgumentError, RowError
from valet_xl.messages import counted


class Status(IntEnum):
    """What a row is."""

    PLAYED = 0
    PASSED_OUT = 1
    ADJUSTED = 2
    UNPLAYED = 3
    ERROR = 4
    SCORED = 5


class Seating(IntEnum):
    """Whether it is known who sat in a seat."""

    KNOWN = 0
    DOUBTFUL = 1  # he is at another table of the board too, or his pair is
    NOBODY = 2  # a placeholder, such as "Unknown", and no person


@dataclass(frozen=True, slots=True, eq=False)
class Results:
    """Results as columns, (n,) unless another shape is given; -1 is unknown.

    status : what each row is (`Status`)
    board : which of the boards, an index from 0; boards are the deals, so that board 1 of two rounds is two boards
    vulnerability, level, strain, double, declarer, tricks : of PLAYED rows; a pass-out has level 0
    lead_suit, lead_rank : of the opening lead; rank 0 is unknown, 1 a spot
    score : points to N-S; NaN where neither PLAYED, PASSED_OUT nor SCORED, which is a score without a contract
    adjusted : (n, 2) per cent to N-S and E-W, NaN where not adjusted or not given
    players : (n, 4) N, E, S, W, and sides : (n, 2) N-S and E-W, as indices into names
    seating : (n, 4) whether it is known who sat N, E, S, W (`Seating`)
    row : the row of the sheet, or line of the file, that it came from
    boards : round and board as they were written, for each board
    names : what players and sides are called
    errors : what was wrong in the rows, in order of rows
    skipped : rows with cells that are not blank, but without a result
    rounds : where board numbers are repeated in other rounds: whether they are "new" deals there or the "same"
    remarks : what was decided about the sheet or file as a whole, a sentence each
    notes : what is said of a result in which nothing is wrong: its index, and the text
    placeholders : what is written in the place of a player and names nobody
    """

    status: Small
    board: Index
    vulnerability: Small
    level: Small
    strain: Small
    double: Small
    declarer: Small
    tricks: Small
    lead_suit: Small
    lead_rank: Small
    score: Floats
    adjusted: Floats
    players: Index
    sides: Index
    seating: Small
    row: Index
    boards: tuple[tuple[str, str], ...]
    names: tuple[str, ...]
    errors: tuple[RowError, ...]
    skipped: tuple[int, ...]
    rounds: str = ""
    remarks: tuple[str, ...] = ()
    notes: tuple[tuple[int, str], ...] = ()
    placeholders: tuple[str, ...] = ()

    def __len__(self) -> int:
        return len(self.row)

    def __repr__(self) -> str:
        wrong = f", {counted(len(self.errors), 'error')}" if self.errors else ""
        named = f", {counted(len(self.names), 'name')}" if self.names else ""
        return f"<{counted(len(self), 'result')} on {counted(len(self.boards), 'board')}{named}{wrong}>"

    def take(self, rows: Index | Mask) -> Results:
        """Some of the results, in this order, with their errors and notes; the boards and names of the others stay."""
        rows = np.arange(len(self))[rows]
        place = np.full(len(self), -1, dtype=np.intp)
        place[rows] = np.arange(len(rows))
        kept = set(self.row[rows].tolist())
        return replace(
            self,
            **{name: getattr(self, name)[rows] for name in _COLUMNS},
            errors=tuple(error for error in self.errors if error.row in kept),
            skipped=(),
            notes=tuple((int(place[at]), text) for at, text in self.notes if place[at] >= 0),
        )

    @property
    def spoiled(self) -> Mask:
        """(boards,) whether a row of the board could not be understood, so that the field is not known."""
        out = np.zeros(len(self.boards) + 1, dtype=bool)
        out[self.board[self.status == Status.ERROR]] = True
        return out[:-1]  # the last is of errors whose board is not known

    @property
    def sound(self) -> Mask:
        """(n,) whether a row's board is known and all its rows are understood."""
        spoiled = self.spoiled
        return ~np.append(spoiled, True)[self.board] if spoiled.any() else self.board >= 0

    @property
    def unsplit(self) -> Mask:
        """(n,) whether its board has a score without a contract, so that no result on it can be split."""
        scored = self.status == Status.SCORED
        if not scored.any():
            return scored
        boards = np.zeros(len(self.boards) + 1, dtype=bool)
        boards[self.board[scored]] = True
        boards[-1] = False
        return boards[self.board]

    @property
    def in_field(self) -> Mask:
        """(n,) whether a score is compared with others: played or passed out, all rows of its board understood."""
        return np.asarray(self.sound & ~np.isnan(self.score))

    @property
    def doubtful(self) -> Mask:
        """(n, 2) whether the result does not count for the pair N-S or E-W, as both of its seats are in doubt."""
        seats = self.seating == Seating.DOUBTFUL
        return np.asarray(seats[:, :2] & seats[:, 2:])


def board_places(boards: Sequence[tuple[str, str]]) -> Index:
    """(boards,) the place of each board in the order of rounds and numbers, where 10 comes after 2.

    >>> board_places([("", "10"), ("", "2"), ("", "1")]).tolist()
    [2, 1, 0]
    """

    def key(name: str) -> list[tuple[int, str]]:
        pieces = re.split(r"(\d{1,18})", name.casefold())
        return [(int(piece), "") if piece.isdecimal() else (0, piece) for piece in pieces]

    order = sorted(range(len(boards)), key=lambda at: [key(part) for part in boards[at]])
    places = np.empty(len(boards), dtype=np.intp)
    places[order] = np.arange(len(boards))
    return places


def board_name(of_round: str, number: str) -> str:
    """What a board is called in a sentence.

    >>> board_name("", "7"), board_name("2", "7")
    ('board 7', 'board 7 of round 2')
    """
    return f"board {number} of round {of_round}" if of_round else f"board {number}"


def artificial_scores(results: Results) -> tuple[Floats, Floats]:
    """IMPs and per cent of artificial adjusted scores, (n, 2) N-S's and E-W's, each side's own; NaN where not given.

    Notes
    -----
    IMPs are those of `artificial_imps`. A board on which a row cannot be read has none.
    """
    percent = np.where(results.sound[:, None], results.adjusted, np.nan)
    return artificial_imps(percent), percent


def normal_results(results: Results) -> Index:
    """How many results the board of each row would have if no table were missing, (n,); 0 without a board.

    Notes
    -----
    That is the number which at least a quarter of the boards of its session have or exceed, and never less than the
    board has itself: a few boards with a result too many make no difference to the others. Results that were played
    and adjusted ones are counted, on boards of which every row can be read. Boards are of one session if their file or
    round is the same, and a chain of boards with a side in common leads from one to the other.
    """
    counted = (results.in_field | (results.status == Status.ADJUSTED)) & (results.board >= 0)
    size = len(results.boards)
    tables = count_by(results.board[counted], size)
    normal = np.append(tables, 0)
    for session in _sessions(results, np.flatnonzero(counted)):
        of_board = np.sort(tables[session])[::-1]
        normal[session] = np.maximum(of_board[(len(of_board) - 1) // 4], tables[session])
    return normal[results.board].astype(np.intp)


def _sessions(results: Results, rows: Index) -> list[Index]:
    """The boards of each session, of those that these rows are on."""
    side, board = results.sides[rows], results.board[rows]
    known = side >= 0
    boards = np.concatenate([board[known[:, 0]], board[known[:, 1]]])
    sides = np.concatenate([side[known[:, 0], 0], side[known[:, 1], 1]])
    of_board = components(boards, sides, len(results.boards), len(results.names))
    sessions: dict[tuple[str, int], list[int]] = {}
    for at in distinct_keys(board).tolist():
        sessions.setdefault((results.boards[at][0], int(of_board[at])), []).append(at)
    return [np.array(session, dtype=np.intp) for session in sessions.values()]


def same_results(one: Results, other: Results) -> bool:
    """Whether two files have the same results of the same pairs in the same order, as a file and a copy of it have."""
    if len(one) != len(other) or not len(one) or one.errors or other.errors:
        return False

    def said(results: Results, names: Index) -> list[str]:
        called = [*results.names, ""]
        return [called[at] for at in names.ravel().tolist()]

    def boards(results: Results) -> list[tuple[str, str]]:
        called = [*results.boards, ("", "")]
        return [called[at] for at in results.board.tolist()]

    named = ("players", "sides")
    return (
        boards(one) == boards(other)
        and all(said(one, getattr(one, name)) == said(other, getattr(other, name)) for name in named)
        and all(
            np.array_equal(getattr(one, name), getattr(other, name), equal_nan=getattr(one, name).dtype.kind == "f")
            for name in _COLUMNS
            if name not in ("board", "row", *named)
        )
    )


def join(parts: Sequence[Results], labels: Sequence[str]) -> Results:
    """Put the results of several files together.

    Parameters
    ----------
    parts : the results of each file
    labels : what each file is called, such as "Tuesday"; files with one label are of one event, in which a round and
        number are the same deal, and boards of different labels are different deals

    Returns
    -------
    all the results; `row` stays the row of each one's own file, and errors name the file

    Raises
    ------
    ArgumentError : for no parts, or labels that are not one for each

    Notes
    -----
    A name is the same player or side in all files. But each event numbers its sides itself, so the event's label goes
    before a side's label that has a digit in it.

    >>> from valet_xl.reading.rows import read_rows
    >>> evening = read_rows({"board": [1, 2], "ns": [7, 8], "contract": ["4SE", "pass"], "tricks": [10, None]}, [2, 3])
    >>> both = join([evening, evening], ["Monday", "Tuesday"])
    >>> both.boards
    (('Monday', '1'), ('Monday', '2'), ('Tuesday', '1'), ('Tuesday', '2'))
    >>> both.names
    ('Monday 7', 'Monday 8', 'Tuesday 7', 'Tuesday 8')
    """
    if not parts or len(parts) != len(labels):
        raise ArgumentError(f"labels must be one for each of at least one part, got {len(labels)} for {len(parts)}")
    boards: dict[tuple[str, str, str], int] = {}
    names: dict[tuple[str, int], int] = {}
    columns: dict[str, list[NDArray[np.generic]]] = {name: [] for name in _COLUMNS}
    errors: list[RowError] = []
    notes: list[tuple[int, str]] = []
    size = 0
    for part, label in zip(parts, labels, strict=True):
        board = [boards.setdefault((label, *each), len(boards)) for each in part.boards]
        name = _name_codes(part, label, names)
        moved = {"board": board, "players": name, "sides": name}
        for column, pieces in columns.items():
            values = getattr(part, column)
            # the last, for what is not known, stays -1
            pieces.append(np.array([*moved[column], -1], dtype=np.intp)[values] if column in moved else values)
        for error in part.errors:
            column = f"{error.column} of {label}" if label else error.column
            errors.append(RowError(error.row, column, error.value, error.expected))
        notes += [(size + at, text) for at, text in part.notes]
        size += len(part)
    rounds = {part.rounds for part in parts if part.rounds}
    return Results(
        **{name: np.concatenate(pieces) for name, pieces in columns.items()},
        boards=tuple((f"{label} {of_round}".strip(), number) for label, of_round, number in boards),
        names=tuple(text for text, _ in names),
        errors=tuple(errors),
        skipped=tuple(row for part in parts for row in part.skipped),
        rounds=rounds.pop() if len(rounds) == 1 else "",
        remarks=tuple(
            f"{label}: {remark}" if label else remark
            for part, label in zip(parts, labels, strict=True)
            for remark in part.remarks
        ),
        notes=tuple(notes),
        placeholders=tuple(dict.fromkeys(text for part in parts for text in part.placeholders)),
    )


def _name_codes(part: Results, label: str, names: dict[tuple[str, int], int]) -> list[int]:
    """What the names of a file are among all names; two of the same text stay two."""
    of_side = np.zeros(len(part.names) + 1, dtype=bool)
    of_side[part.sides] = True
    of_side[part.players] = False
    codes, seen = [], Counter[str]()
    for text, side in zip(part.names, of_side[:-1].tolist(), strict=True):
        numbered = side and any(letter.isdigit() for letter in text)
        called = f"{label} {text}".strip() if numbered else text
        codes.append(names.setdefault((called, seen[called]), len(names)))
        seen[called] += 1
    return codes


_COLUMNS = tuple(field.name for field in fields(Results) if field.type in ("Small", "Index", "Floats"))
