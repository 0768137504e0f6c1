"""Cells to results: columns of what people write, read into `Results`, with an error for each row not understood."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from valet_xl import contract as notation
from valet_xl.columns import Columns, Index, Ints, Mask
from valet_xl.contract import Adjustment, Card, Double, Entry, Seat, Vulnerability
from valet_xl.errors import NotationError, RowError, SheetError
from valet_xl.laws import contract_score, vulnerabilities
from valet_xl.results import Results, Status

_OCCASIONS = ("event", "date", "session")  # boards of another one are other deals
FIELDS = (
    *_OCCASIONS,
    *("section", "table", "round", "board", "vulnerability", "contract", "double", "declarer"),
    *("result", "tricks", "made", "down", "lead", "score"),
    *("ns", "ew", "north", "east", "south", "west"),
)
RESULTS_ARE = ("made", "tricks")
ROUNDS = ("auto", "new", "same")

# The columns of small numbers in Results, and what a row without a contract has there.
_SMALL = {
    **{"vulnerability": -1, "level": 0, "strain": 0, "double": 0, "declarer": 0, "tricks": 0},
    **{"lead_suit": -1, "lead_rank": notation.UNKNOWN},
}

_NONE = -128  # nothing said, in a column of small numbers

# What a cell that may tell a result tells: a status, tricks over the contract, total tricks, and N-S's and E-W's per
# cent.
_STATUS, _OVER, _TRICKS, _NS, _EW = range(5)
_NOTHING = (_NONE,) * 5


def read_rows(
    fields: Mapping[str, Sequence[object]],
    rows: Sequence[int],
    headings: Mapping[str, str] | None = None,
    result_is: str = "made",
    rounds: str = "auto",
    wrong: Mapping[int, RowError] | None = None,
    called: Mapping[str, str] | None = None,
) -> Results:
    """Read columns of cells.

    Parameters
    ----------
    fields : for some of FIELDS, the (n,) cells of that column: texts, numbers, None for blank
    rows : (n,) the rows they came from, for messages
    headings : the columns' own headings, for messages
    result_is : how the column `result` is read: "made", against the contract (= +1 -2), or "tricks", declarer's total
    rounds : whether a board number in another round is a "new" deal or the "same"; "auto" decides by whether players
        meet board numbers again
    wrong : errors already found, by index below n
    called : the names that tags of players stand for

    Returns
    -------
    the results, without the rows that hold none; what is wrong in cells is in their `errors`

    Raises
    ------
    SheetError : where a column of results against the contract holds total tricks, by what most of its numbers say
    ValueError : for an unknown field or option, or columns of unequal lengths

    >>> results = read_rows({"board": [1, 1], "contract": ["4SE", "4SE"], "tricks": [10, 9]}, [2, 3])
    >>> results.score.tolist()
    [-420.0, 50.0]
    """
    if result_is not in RESULTS_ARE:
        raise ValueError(f"result_is must be one of {', '.join(RESULTS_ARE)}, got {result_is!r}")
    if rounds not in ROUNDS:
        raise ValueError(f"rounds must be one of {', '.join(ROUNDS)}, got {rounds!r}")
    for name, cells in fields.items():
        if name not in FIELDS:
            raise ValueError(f"unknown field {name!r} (expected some of {', '.join(FIELDS)})")
        if len(cells) != len(rows):
            raise ValueError(f"column {name} must have {len(rows)} cells like rows, got {len(cells)}")
    table = Columns(fields, rows, headings or {})
    for at, error in (wrong or {}).items():
        table.add(at, error)
    for field in (*_OCCASIONS, "round", "board"):
        table.fill_down(field, "contract")
    label, labels, number = _labels(table)
    status, level, strain, double, declarer, tricks, adjusted = _contracts(table, number, result_is)
    lead = table.read("lead", _lead_cell, (-1, notation.UNKNOWN), spoils=False)
    players, sides, names = _names(table, called or {})

    status[(status == _NONE) & (number > 0) & ~table.wrong] = Status.UNPLAYED
    told = ((status != _NONE) | table.wrong) & (status != Status.UNPLAYED)
    labelled = table["board"].each(bool).astype(bool)
    table.refuse(told & ~labelled, "board", "expected a board number")
    played = (status == Status.PLAYED) | (status == Status.PASSED_OUT)
    used = ((status != _NONE) | table.wrong) & labelled
    board, boards, rounds_are = _boards(table, label, labels, used, played, sides, rounds)
    vulnerability = _vulnerability(table, board, number, status == Status.PLAYED)
    _refuse_duplicates(table, board, told, sides, names, boards)

    status[table.wrong] = Status.ERROR
    kept = status != _NONE
    columns = (vulnerability, level, strain, double, declarer, tricks, *lead.T)
    small: list[Ints] = [
        np.where(status == Status.PLAYED, values, blank) for values, blank in zip(columns, _SMALL.values(), strict=True)
    ]
    vulnerability, level, strain, double, declarer, tricks = small[:6]
    ew = declarer % 2
    points = contract_score(level, strain, double, tricks, np.maximum(vulnerability, 0) >> ew & 1)
    score = np.where(
        (status == Status.PLAYED) | (status == Status.PASSED_OUT), np.where(ew == 1, -points, points), np.nan
    )
    return Results(
        status=status[kept].astype(np.int8),
        board=board[kept],
        **{name: values[kept].astype(np.int8) for name, values in zip(_SMALL, small, strict=True)},
        score=score[kept],
        adjusted=np.where((status == Status.ADJUSTED)[:, None], adjusted, np.nan)[kept],
        players=players[kept],
        sides=sides[kept],
        row=table.rows[kept],
        boards=boards,
        names=names,
        errors=table.errors(),
        skipped=tuple(table.rows[~kept & table.filled()].tolist()),
        rounds=rounds_are,
    )


def _contracts(
    cells: Columns, number: Ints, result_is: str
) -> tuple[Ints, Ints, Ints, Ints, Ints, Ints, NDArray[np.float64]]:
    """Status, level, strain, double, declarer, tricks and adjustment, from all the columns that tell of them."""
    entries = cells.read("contract", _contract_cell, (_NONE,) * 9)
    level, strain, double, declarer = entries[:, 5:].T.copy()
    told = {"contract": entries[:, :5]}
    readers = {
        "tricks": _tricks_cell,
        "result": _tricks_cell if result_is == "tricks" else _over_cell,
        "made": _made_cell,
        "down": _down_cell,
        "score": _score_cell,
    }
    told |= {field: cells.read(field, parse, _NOTHING) for field, parse in readers.items()}
    status, adjusted = _status(told)
    seat = cells.read("declarer", _seat_cell, (_NONE,))[:, 0]
    without = (status == _NONE) & (seat != _NONE)
    for field in ("tricks", "result", "made", "down"):
        without |= (status == _NONE) & (told[field][:, _OVER : _TRICKS + 1] != _NONE).any(axis=1)
    without |= (status == _NONE) & (number > 0) & (told["score"][:, _OVER] != _NONE)
    cells.refuse(without, "contract", "expected a contract")

    played = status == Status.PLAYED
    marks = cells.read("double", lambda text: (Double.parse(text),), (_NONE,))[:, 0]
    clash = played & (marks != _NONE) & (double > 0) & (marks != double)
    cells.refuse(clash, "double", "expected what the contract cell says, or blank")
    double = np.maximum(double, marks)
    clash = played & (seat != _NONE) & (declarer != _NONE) & (seat != declarer)
    cells.refuse(clash, "declarer", "expected the declarer that the contract cell names")
    declarer = np.where(seat != _NONE, seat, declarer)
    cells.refuse(played & (declarer == _NONE), "declarer", "expected N, E, S or W")
    return status, level, strain, double, declarer, _tricks(cells, told, level, played), adjusted


def _status(told: Mapping[str, Ints]) -> tuple[Ints, NDArray[np.float64]]:
    """Status and adjustment: an adjustment wherever it stands, else what the contract says, else what is beside."""
    contract = told["contract"]
    status = contract[:, _STATUS].copy()
    adjusted = np.full((len(status), 2), np.nan)
    for columns in told.values():
        here = columns[:, _STATUS]
        status = np.where((status == _NONE) | (here == Status.ADJUSTED), here, status)
        shares = columns[:, _NS:]
        adjusted = np.where((here == Status.ADJUSTED)[:, None] & (shares != _NONE), shares, adjusted)
    return status, adjusted


def _tricks(cells: Columns, told: Mapping[str, Ints], level: Ints, played: Mask) -> Ints:
    """Declarer's tricks, on which all that tell of them must agree."""
    tricks = np.full(len(level), _NONE)
    for field in ("contract", "tricks", "result", "made", "down"):
        over, total = told[field][:, _OVER], told[field][:, _TRICKS]
        here = np.where(total != _NONE, total, 6 + level + over)
        tells = played & ((over != _NONE) | (total != _NONE))
        if field == "made":
            cells.refuse(
                tells & (total != _NONE) & (total < 6 + level),
                field,
                "expected the odd tricks made, at least the level",
            )
        outside = tells & ((here < 0) | (here > 13))
        _refuse_totals(cells, field, tells, outside & (here > 13), level)
        for at in np.flatnonzero(outside & ~cells.wrong).tolist():
            cells.refuse_row(at, field, _range(field, int(level[at])))
        for at in np.flatnonzero(tells & (tricks != _NONE) & (tricks != here) & ~cells.wrong).tolist():
            cells.refuse_row(at, field, f"expected {tricks[at]} tricks, as the row says elsewhere")
        tricks = np.where(tells, here, tricks)
    missing = played & (tricks == _NONE)
    cells.refuse(missing, cells.first("tricks", "result", "made", "contract"), "expected a result")
    return tricks


def _refuse_totals(cells: Columns, field: str, tells: Mask, over: Mask, level: Ints) -> None:
    """Refuse a column in which most bare numbers are too many to be tricks against the contract, or odd tricks."""
    bare = cells[field].each(lambda text: text.isdigit() and text != "0") > 0
    if field not in ("result", "made") or np.count_nonzero(over & bare) < max(2, np.count_nonzero(tells & bare) / 2):
        return
    at = int(np.flatnonzero(over & bare)[0])
    text, heading = cells[field].texts[cells[field].index[at]], cells.headings.get(field, field)
    raise SheetError(
        f"column {heading} holds total tricks, it seems: row {cells.rows[at]} has {text} at level {level[at]} "
        "(expected the heading Tricks; or read a column Result with the option result-is tricks)"
    )


def _range(field: str, level: int) -> str:
    """What a column may say at a level."""
    if field == "made":
        return f"at level {level} expected {level} to 7"
    hint = "; total tricks go under a heading such as Tricks" if field == "result" else ""
    return f"at level {level} expected {-6 - level} to +{7 - level}{hint}"


def _names(cells: Columns, called: Mapping[str, str]) -> tuple[Index, Index, tuple[str, ...]]:
    """Players (n, 4) and sides (n, 2) as indices into the names; a side without a name is its two players."""
    known: dict[str, int] = {}

    def codes(field: str) -> Index:
        return cells[field].each(lambda text: known.setdefault(text, len(known)) if text else -1)

    def codes_of_sides(field: str) -> Index:
        """Sides are numbered anew in each section."""
        side, section = cells[field], cells["section"]
        both, index = np.unique(section.index * len(side.texts) + side.index, return_inverse=True)
        names = ((section.texts[at // len(side.texts)], side.texts[at % len(side.texts)]) for at in both.tolist())
        numbers = [known.setdefault(f"{of} {name}".strip(), len(known)) if name else -1 for of, name in names]
        return np.array(numbers, dtype=np.intp)[index]

    players = np.stack([codes(field) for field in ("north", "east", "south", "west")], axis=1)
    sides = np.stack([codes_of_sides("ns"), codes_of_sides("ew")], axis=1)
    names = list(known)
    for side in (0, 1):
        pair = players[:, side::2]
        unnamed = (sides[:, side] < 0) & (pair >= 0).all(axis=1)
        low, high = pair[unnamed].min(axis=1, initial=len(names)), pair[unnamed].max(axis=1, initial=-1)
        pairs, index = np.unique(low * len(names) + high, return_inverse=True)
        of_pair = []
        for packed in pairs.tolist():
            first, second = (
                called.get(tag, tag) for tag in sorted((names[packed // len(names)], names[packed % len(names)]))
            )
            of_pair.append(known.setdefault(f"{first} - {second}", len(known)))
        sides[unnamed, side] = np.array(of_pair, dtype=np.intp)[index]
    return players, sides, tuple(called.get(name, name) for name in known)


def _labels(cells: Columns) -> tuple[Index, list[str], Ints]:
    """What the board of each row is called, an index into the labels; the labels; and the boards' numbers, 0 for none.

    `Board 12` and `12.` are called 12.
    """
    known: dict[str, int] = {}

    def code(text: str) -> int:
        number = _board_number(text)
        return known.setdefault(str(number) if number else text, len(known))

    label = cells["board"].each(code)
    return label, list(known), cells["board"].each(_board_number).astype(np.int64)


def _boards(
    cells: Columns, label: Index, labels: Sequence[str], used: Mask, played: Mask, sides: Index, rounds: str
) -> tuple[Index, tuple[tuple[str, str], ...], str]:
    """The board of each row, -1 where it is not known; the round and number that each is called; and what rounds are.

    The last is "new" or "same" where it makes a difference, and "" where it makes none.
    """
    occasion = np.zeros(cells.size, dtype=np.intp)
    for field in _OCCASIONS:
        days = [text.split(" ")[0] if field == "date" else text for text in cells[field].texts]  # without the time
        of_day = np.unique(days, return_inverse=True)[1][cells[field].index]
        occasion = np.unique(occasion * (len(days) + 1) + of_day, return_inverse=True)[1]
    in_round = occasion * len(cells["round"].texts) + cells["round"].index
    apart, alike = in_round * len(labels) + label, occasion * len(labels) + label
    matters = len(np.unique(apart[used])) > len(np.unique(alike[used]))
    same = matters and (
        rounds == "same"
        or (rounds == "auto" and _one_deal_a_number(cells, apart, alike, in_round, used & played, sides))
    )
    board = np.full(cells.size, -1, dtype=np.intp)
    _, first, board[used] = np.unique((alike if same else apart)[used], return_index=True, return_inverse=True)
    parts = [*_OCCASIONS, *(() if same else ("round",))]
    names = []
    for at in np.flatnonzero(used)[first].tolist():
        of_round = " ".join(text for text in (cells[part].texts[cells[part].index[at]] for part in parts) if text)
        names.append((of_round, labels[label[at]]))
    return board, tuple(names), ("same" if same else "new") if matters else ""


def _one_deal_a_number(cells: Columns, apart: Index, alike: Index, in_round: Index, played: Mask, sides: Index) -> bool:
    """Whether a board number is the same deal in all rounds, as in a movement, where nobody plays a board twice.

    Where sides are not named but tables are: whether the tables of a round mostly play different boards. Where neither:
    whether most boards would have a single result if each round had deals of its own.
    """
    named = played & (sides[:, 0] >= 0)
    if 2 * np.count_nonzero(named) > np.count_nonzero(played):
        once = len(np.unique(sides[named, 0] * (int(alike.max()) + 1) + alike[named]))
        return bool(10 * (np.count_nonzero(named) - once) < np.count_nonzero(named))
    _, first, results = np.unique(apart[played], return_index=True, return_counts=True)
    if "table" not in cells.columns:
        return bool(2 * np.count_nonzero(results == 1) > len(results))
    places = cells["section"].index * len(cells["table"].texts) + cells["table"].index
    seats = np.unique(np.stack([in_round[played], places[played]]), axis=1)[0]
    tables = {at: int(count) for at, count in zip(*np.unique(seats, return_counts=True), strict=True)}
    shares = results / np.array([tables[at] for at in in_round[played][first].tolist()])
    return bool(np.mean(shares) < 0.5)


def _vulnerability(cells: Columns, board: Index, number: Ints, played: Mask) -> Ints:
    """What the column says there or elsewhere on the board, or else the board's number; one for all its results."""
    stated = cells.read("vulnerability", lambda text: (Vulnerability.parse(text),), (_NONE,))[:, 0]
    rows = np.flatnonzero((stated != _NONE) & (board >= 0))
    of_board = np.full(int(board.max(initial=-1)) + 2, _NONE)
    of_board[board[rows[::-1]]] = stated[rows[::-1]]  # the first that says it, written last
    stated = np.where(stated == _NONE, of_board[board], stated)
    unknown = played & (stated == _NONE) & (number < 1)
    cells.refuse(unknown, "board", "expected a board number, or the vulnerability in a column of its own")
    vulnerability = np.where(stated != _NONE, stated, vulnerabilities(np.maximum(number, 1)))
    rows = np.flatnonzero(played & ~cells.wrong & (board >= 0))
    _, first, index = np.unique(board[rows], return_index=True, return_inverse=True)
    before = np.arange(cells.size)
    before[rows] = rows[first][index]
    for at in np.flatnonzero(vulnerability != vulnerability[before]).tolist():
        expected = f"expected {Vulnerability(int(vulnerability[before[at]]))} as in row {cells.rows[before[at]]}"
        cells.refuse_row(at, cells.first("vulnerability", "board"), expected)
    return vulnerability


def _refuse_duplicates(
    cells: Columns, board: Index, told: Mask, sides: Index, names: Sequence[str], boards: Sequence[tuple[str, str]]
) -> None:
    """An error for each further result of a side on a board."""
    for side, fields in enumerate((("ns", "north"), ("ew", "east"))):
        rows = np.flatnonzero(told & (board >= 0) & (sides[:, side] >= 0))
        keys = board[rows] * (len(names) + 1) + sides[rows, side]
        _, first, index = np.unique(keys, return_index=True, return_inverse=True)
        for at, before in zip(rows.tolist(), rows[first][index].tolist(), strict=True):
            if at != before and not cells.wrong[at]:
                what = f"one result of {names[sides[at, side]]} on board {boards[board[at]][1]}"
                cells.refuse_row(at, cells.first(*fields), f"expected {what}, which row {cells.rows[before]} has")


# -- cells


def _contract_cell(text: str) -> tuple[int, ...]:
    """What a cell may tell, with the level, strain, double and declarer of its contract."""
    remark = _remark(text)
    if remark is not None:
        return (*remark, *(_NONE,) * 4)
    entry = Entry.parse(text)
    contract = entry.contract
    status = Status.PLAYED if contract.level else Status.PASSED_OUT
    over, declarer = (_NONE if value is None else int(value) for value in (entry.result, entry.declarer))
    return (status, over, _NONE, _NONE, _NONE, contract.level, contract.strain, contract.double, declarer)


def _remark(text: str) -> tuple[int, int, int, int, int] | None:
    """What a cell tells that says the board was adjusted or not played; None for any other cell."""
    if notation.is_unplayed(text):
        return (Status.UNPLAYED, *_NOTHING[1:])
    try:
        adjustment = Adjustment.parse(text)
    except NotationError:
        return None
    ns, ew = (_NONE if share is None else round(share) for share in (adjustment.ns, adjustment.ew))
    return (Status.ADJUSTED, _NONE, _NONE, ns, ew)


def _telling(read: Callable[[str], tuple[int, int]]) -> Callable[[str], tuple[int, ...]]:
    """A reader of cells beside the contract, from a reader of (tricks over the contract, total tricks)."""

    def cell(text: str) -> tuple[int, ...]:
        if notation.is_pass(text):
            return _NOTHING
        return _remark(text) or (_NONE, *read(text), _NONE, _NONE)

    return cell


def _made(text: str) -> tuple[int, int]:
    """Tricks made, as odd tricks (4 in 4S just made) unless marked with = or a sign; 0 is nothing."""
    over = notation.parse_result(text)
    if not text.isdigit():
        return (over, _NONE)
    return (_NONE, 6 + over) if over else (_NONE, _NONE)


def _down(text: str) -> tuple[int, int]:
    """Tricks down, 0 being nothing."""
    down = abs(notation.parse_result(text))
    return (-down if down else _NONE, _NONE)


def _score(text: str) -> tuple[int, int]:
    """A score that stood there before tells no more than that the board was played."""
    return (0, _NONE) if re.fullmatch(r"-?[1-9]\d*", notation.plain(text)) else (_NONE, _NONE)


_tricks_cell = _telling(lambda text: (_NONE, notation.parse_tricks(text)))
_over_cell = _telling(lambda text: (notation.parse_result(text), _NONE))
_made_cell = _telling(_made)
_down_cell = _telling(_down)
_score_cell = _telling(_score)


def _seat_cell(text: str) -> tuple[int]:
    return (_NONE,) if notation.is_pass(text) else (Seat.parse(text),)


def _lead_cell(text: str) -> tuple[int, int]:
    if notation.plain(text) in ("-", "?"):
        return (-1, notation.UNKNOWN)
    card = Card.parse(text)
    return (card.suit, card.rank)


def _board_number(label: str) -> int:
    """The number in a board's label, `12`, `Board 12`, `#12`; 0 where there is none."""
    found = re.fullmatch(r"(?:BOARD|BRD|BD|B|NO|NR)?[.#: ]*(\d{1,6})\.?", notation.plain(label))
    return int(found[1]) if found else 0
