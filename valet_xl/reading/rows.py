"""Cells to results: columns of what people write, read into `Results`, with an error for each row cannot be read."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial

import numpy as np
from numpy.typing import NDArray

from valet_xl.engine import notation
from valet_xl.engine.arrays import Floats, Index, Mask, Whole
from valet_xl.engine.laws import contract_score, vulnerabilities
from valet_xl.engine.notation import Contract, Double, Seat, Strain, Vulnerability
from valet_xl.engine.options import OPTIONS
from valet_xl.engine.results import Results, Status
from valet_xl.errors import ArgumentError, RowError, SheetError, one_of
from valet_xl.messages import counted
from valet_xl.reading.boards import OCCASIONS, find_boards, label_boards
from valet_xl.reading.cells import (
    EW,
    NONE,
    NOTHING,
    NS,
    OVER,
    STATUS,
    TOTAL,
    contract_cell,
    down_cell,
    lead_cell,
    made_cell,
    odd_cell,
    over_cell,
    score_cell,
    seat_cell,
    tricks_cell,
)
from valet_xl.reading.columns import CodedColumn, Columns
from valet_xl.reading.conventions import STANDARD, Conventions
from valet_xl.reading.given_scores import compare_scores, without_points
from valet_xl.reading.scores_alone import ScoresAlone, scores_alone
from valet_xl.reading.sides import name_sides, part_directions, seat
from valet_xl.reading.trick_columns import MADE, ODD, TRICKS
from valet_xl.reading.written_once import fill_down

FIELDS = (
    *OCCASIONS,
    *("section", "table", "round", "board", "vulnerability", "contract", "double", "declarer"),
    *("result", "tricks", "made", "down", "lead", "score", "ns_score", "ew_score"),
    *("ns", "ew", "north", "east", "south", "west"),
    "deal",  # the cards, which are read where they are needed (`deals`)
)
SCORES = ("score", "ns_score", "ew_score")  # columns of scores that are there already

_READERS = {MADE: over_cell, TRICKS: tricks_cell, ODD: odd_cell}  # of columns of tricks or results
DASH = "contract '-' read as passed out, as its score is 0"
# The columns of small numbers in Results, and what a row without a contract has there.
_SMALL = {
    **{"vulnerability": -1, "level": 0, "strain": 0, "double": 0, "declarer": 0, "tricks": 0},
    **{"lead_suit": -1, "lead_rank": notation.UNKNOWN},
}


def read_rows(
    fields: Mapping[str, Sequence[object] | CodedColumn],
    rows: Sequence[int],
    headings: Mapping[str, str] | None = None,
    *,
    result_is: str | None = None,
    rounds: str = "auto",
    wrong: Mapping[int, RowError] | None = None,
    called: Mapping[str, str] | None = None,
    conventions: Conventions = STANDARD,
) -> Results:
    """Read columns of cells.

    Parameters
    ----------
    fields : for some of FIELDS, the (n,) cells of that column: texts, numbers, None for blank; or a `CodedColumn`
    rows : (n,) the rows they came from, for messages
    headings : the columns' own headings, for messages
    result_is : how the column `result` is read, if not by the conventions: "made", against the contract (= +1 -2);
        "tricks", declarer's total; or "odd", odd tricks made or tricks down
    rounds : whether a board number in another round is a "new" deal or the "same"; "auto" decides by whether players
        meet board numbers again
    wrong : errors already found, by index below n
    called : the names that belong to tags of players
    conventions : how the cells are meant

    Returns
    -------
    the results, without the rows that have none; what is wrong in cells is in their `errors`

    Raises
    ------
    SheetError : where a column of results against the contract has total tricks, as most of its numbers show
    ValetError : for an unknown field or option, or columns of unequal lengths

    >>> results = read_rows({"board": [1, 1], "contract": ["4SE", "4SE"], "tricks": [10, 9]}, [2, 3])
    >>> results.score.tolist()
    [-420.0, 50.0]
    """
    if result_is is not None:
        one_of("result_is", result_is, _READERS)
        conventions = replace(conventions, result=result_is)
    one_of("rounds", rounds, OPTIONS["rounds"].words)
    for name, cells in fields.items():
        if name not in FIELDS:
            raise ArgumentError(f"unknown field {name!r} (expected some of {', '.join(FIELDS)})")
        size = len(cells.index if isinstance(cells, CodedColumn) else cells)
        if size != len(rows):
            raise ArgumentError(f"column {name} must have {counted(len(rows), 'cell')} like rows, got {size}")
    table = Columns(fields, rows, headings or {})
    for at, error in (wrong or {}).items():
        table.add(at, error)
    filled = fill_down(table, once=conventions.once)
    label, labels, number = label_boards(table)
    points = scores_alone(table)
    status, level, strain, double, declarer, tricks, adjusted = _contracts(table, number, conventions, points)
    dashes = table["contract"].where(lambda text: notation.plain(text) == "-") & (status == Status.PASSED_OUT)
    passed = dashes & without_points(table)
    table.refuse(dashes & ~passed, "contract", "expected Pass if all passed, NP if the board was not played")
    lead = table.read("lead", partial(lead_cell, language=conventions.leads), (-1, notation.UNKNOWN), spoils=False)
    players, sides, known = name_sides(table, called or {})

    status[(status == NONE) & (number > 0) & ~table.wrong] = Status.UNPLAYED
    reported = ((status != NONE) | table.wrong) & (status != Status.UNPLAYED)
    labelled = table["board"].where(bool)
    table.refuse(reported & ~labelled, "board", "expected a board number")
    played = (status == Status.PLAYED) | (status == Status.PASSED_OUT) | (status == Status.SCORED)
    used = ((status != NONE) | table.wrong) & labelled
    board, boards, rounds_are = find_boards(table, label, labels, used, played, sides, rounds)
    sides, known = part_directions(table, board, reported, sides, known)
    names = tuple((called or {}).get(name, name) for name in known)
    vulnerability = _vulnerability(table, board, number, status == Status.PLAYED)
    players, sides, seating, placeholders = seat(table, board, reported, players, sides, known, called or {})

    columns = (vulnerability, level, strain, double, declarer, tricks, *lead.T)
    status[table.wrong] = Status.ERROR
    small = _of_played(columns, status)
    score = _scores(small, status)
    if points is None:
        remarks = compare_scores(table, score, small["declarer"] % 2 == 1, partial(_describe, small))
    else:
        score, remarks = np.where(status == Status.SCORED, points.score, score), (points.remark,)
    if (table.wrong & (status != Status.ERROR)).any():  # scores that disagree
        status[table.wrong] = Status.ERROR
        small, score = _of_played(columns, status), np.where(table.wrong, np.nan, score)
    with_result = status != NONE
    kept = slice(None) if with_result.all() else with_result
    return Results(
        status=status[kept].astype(np.int8),
        board=board[kept],
        **{name: values[kept].astype(np.int8) for name, values in small.items()},
        score=score[kept],
        adjusted=np.where((status == Status.ADJUSTED)[:, None], adjusted, np.nan)[kept],
        players=players[kept],
        sides=sides[kept],
        seating=seating[kept],
        row=table.rows[kept],
        boards=boards,
        names=names,
        errors=table.errors(),
        skipped=() if with_result.all() else tuple(table.rows[~with_result & table.filled()].tolist()),
        rounds=rounds_are,
        remarks=(*filled, *remarks),
        notes=tuple((at, DASH) for at in np.flatnonzero(passed[kept] & ~table.wrong[kept]).tolist()),
        placeholders=placeholders,
    )


def _of_played(columns: Sequence[Whole], status: Whole) -> dict[str, Whole]:
    """The columns of small numbers by name, with what a row without a contract has there."""
    return {
        name: np.where(status == Status.PLAYED, values, blank)
        for (name, blank), values in zip(_SMALL.items(), columns, strict=True)
    }


def _scores(small: Mapping[str, Whole], status: Whole) -> Floats:
    """(n,) points to North-South, NaN where there is no score."""
    ew = small["declarer"] % 2
    vulnerable = np.maximum(small["vulnerability"], 0) >> ew & 1
    points = contract_score(small["level"], small["strain"], small["double"], small["tricks"], vulnerable)
    has_score = (status == Status.PLAYED) | (status == Status.PASSED_OUT)
    return np.where(has_score, np.where(ew == 1, -points, points), np.nan)


def _describe(small: Mapping[str, Whole], at: int) -> str:
    """The contract and result of a row, as its score follows from them."""
    level, strain, double, declarer, tricks, vulnerability = (
        int(small[name][at]) for name in ("level", "strain", "double", "declarer", "tricks", "vulnerability")
    )
    if not level:
        return "a pass-out"
    contract = Contract(level, Strain(strain), Double(double))
    vulnerable = "" if vulnerability >> declarer % 2 & 1 else "not "
    return f"{contract} by {Seat(declarer)}, {counted(tricks, 'trick')}, {vulnerable}vulnerable"


def _contracts(
    cells: Columns, number: Whole, conventions: Conventions, points: ScoresAlone | None
) -> tuple[Whole, Whole, Whole, Whole, Whole, Whole, NDArray[np.float64]]:
    """Status, level, strain, double, declarer, tricks and adjustment, from all columns that say them."""
    language = conventions.language
    entries = cells.read("contract", partial(contract_cell, language=language), (NONE,) * 9)
    level, strain, double, declarer = entries[:, 5:].T.copy()
    said = {"contract": entries[:, :5]}
    readers = {
        "tricks": _READERS[conventions.tricks],
        "result": _READERS[conventions.result],
        "made": made_cell,
        "down": down_cell,
        **dict.fromkeys(SCORES, score_cell),
    }
    said |= {field: cells.read(field, parse, NOTHING) for field, parse in readers.items() if field in cells.columns}
    status, adjusted = _status(cells, said)
    seat = cells.read("declarer", partial(seat_cell, o_is=language.o_is), (NONE,))[:, 0]
    without = (status == NONE) & (seat != NONE)
    for field in said.keys() & {"tricks", "result", "made", "down"}:
        without |= (status == NONE) & ((said[field][:, OVER] != NONE) | (said[field][:, TOTAL] != NONE))
    if points is not None:
        status = np.where((status == NONE) & ~np.isnan(points.score), Status.SCORED, status)
    for field in said.keys() & set(SCORES):
        without |= (status == NONE) & (number > 0) & (said[field][:, OVER] != NONE)
    cells.refuse(without, "contract", "expected a contract")

    played = status == Status.PLAYED
    marks = cells.read("double", lambda text: (Double.parse(text),), (NONE,))[:, 0]
    clash = played & (marks != NONE) & (double > 0) & (marks != double)
    cells.refuse(clash, "double", "expected what the contract cell says, or blank")
    double = np.maximum(double, marks)
    clash = played & (seat != NONE) & (declarer != NONE) & (seat != declarer)
    cells.refuse(clash, "declarer", "expected the declarer that the contract cell names")
    declarer = np.where(seat != NONE, seat, declarer)
    cells.refuse(played & (declarer == NONE), "declarer", "expected N, E, S or W")
    odd = {"made", *(field for field in ("tricks", "result") if getattr(conventions, field) == ODD)}
    return status, level, strain, double, declarer, _tricks(cells, said, level, played, odd), adjusted


def _status(cells: Columns, said: Mapping[str, Whole]) -> tuple[Whole, NDArray[np.float64]]:
    """Status and adjustment: adjustments in any columns, which must agree; else what the contract says; else others."""
    contract = said["contract"]
    status = contract[:, STATUS].copy()
    adjusted = np.full((len(status), 2), np.nan)
    for field, columns in said.items():
        here = columns[:, STATUS]
        ruled = here == Status.ADJUSTED
        status = np.where((status == NONE) | ruled, here, status)
        if ruled.any():
            shares = columns[:, NS : EW + 1]
            given = np.where(shares != NONE, shares.astype(np.float64) / 100, np.nan)
            clash = ruled & (~np.isnan(adjusted) & ~np.isnan(given) & (given != adjusted)).any(axis=1)
            cells.refuse(clash, field, "expected the adjusted score that the row says elsewhere")
            adjusted = np.where(ruled[:, None] & ~np.isnan(given), given, adjusted)
    return status, adjusted


def _tricks(cells: Columns, said: Mapping[str, Whole], level: Whole, played: Mask, odd: set[str]) -> Whole:
    """Declarer's tricks, on which all columns that say them must agree; some have odd tricks."""
    tricks: Whole = np.full(len(level), NONE, dtype=np.int16)
    for field in (field for field in ("contract", "tricks", "result", "made", "down") if field in said):
        over, total = said[field][:, OVER], said[field][:, TOTAL]
        here = np.where(total != NONE, total, 6 + level + over)
        given = played & ((over != NONE) | (total != NONE))
        if not given.any():
            continue
        if field in odd:
            cells.refuse(
                given & (total != NONE) & (total < 6 + level),
                field,
                "expected the odd tricks made, at least the level",
            )
        outside = given & ((here < 0) | (here > 13))
        _refuse_totals(cells, field, given, outside & (here > 13), level)
        for at in np.flatnonzero(outside & ~cells.wrong).tolist():
            cells.refuse_row(at, field, _range(field, int(level[at])))
        for at in np.flatnonzero(given & (tricks != NONE) & (tricks != here) & ~cells.wrong).tolist():
            cells.refuse_row(at, field, f"expected {counted(int(tricks[at]), 'trick')}, as the row says elsewhere")
        tricks = np.where(given, here, tricks)
    missing = played & (tricks == NONE)
    cells.refuse(missing, cells.first("tricks", "result", "made", "contract"), "expected a result")
    return tricks


def _refuse_totals(cells: Columns, field: str, given: Mask, over: Mask, level: Whole) -> None:
    """Refuse a column in which most bare numbers are too many to be tricks against the contract, or odd tricks."""
    bare = cells[field].each(lambda text: text.isdigit() and text != "0") > 0
    if field not in ("result", "made") or np.count_nonzero(over & bare) < max(2, np.count_nonzero(given & bare) / 2):
        return
    at = int(np.flatnonzero(over & bare)[0])
    text, heading = cells[field].texts[cells[field].index[at]], cells.headings.get(field, field)
    raise SheetError(
        f"column {heading} seems to contain all tricks: row {cells.rows[at]} has {text} at level {level[at]} "
        "(expected the heading Tricks; or read a column Result with the option result-is tricks)"
    )


def _range(field: str, level: int) -> str:
    """What a column may say at a level."""
    if field == "made":
        return f"at level {level} expected {level} to 7"
    hint = "; total tricks go under a heading such as Tricks" if field == "result" else ""
    return f"at level {level} expected {-6 - level} to +{7 - level}{hint}"


def _vulnerability(cells: Columns, board: Index, number: Whole, played: Mask) -> Whole:
    """What the column says there or elsewhere on the board, or else the board's number; one for all its results."""
    stated = cells.read("vulnerability", lambda text: (Vulnerability.parse(text),), (NONE,))[:, 0]
    rows = np.flatnonzero((stated != NONE) & (board >= 0))
    boards = int(board.max(initial=-1)) + 1
    of_board = np.full(boards + 1, NONE)
    of_board[board[rows[::-1]]] = stated[rows[::-1]]  # the first that says it, written last
    if len(rows):
        stated = np.where(stated == NONE, of_board[board], stated)
    unknown = played & (stated == NONE) & (number < 1)
    cells.refuse(unknown, "board", "expected a board number, or the vulnerability in a column of its own")
    vulnerability = np.where(stated != NONE, stated, vulnerabilities(np.maximum(number, 1)))
    rows = np.flatnonzero(played & ~cells.wrong & (board >= 0))
    first = np.zeros(boards, dtype=np.intp)
    first[board[rows[::-1]]] = rows[::-1]  # the first is written last
    for at in rows[vulnerability[rows] != vulnerability[first][board[rows]]].tolist():
        before = int(first[board[at]])
        expected = f"expected {Vulnerability(int(vulnerability[before]))} as in row {{row}}"
        cells.refuse_row(at, cells.first("vulnerability", "board"), expected, other=before)
    return vulnerability
