"""A grid of cells in, named columns of cells out: the whole of "score this sheet"."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from typing import Protocol

import numpy as np

from valet_xl.butler import ROUNDINGS, RULES, butler, datum
from valet_xl.comparison import DIVISORS, cross_imps, matchpoint_percent, matchpoints
from valet_xl.errors import RowError
from valet_xl.formats.table import Grid, Headings, find_headings, read_table
from valet_xl.laws import IMP_ROUNDINGS, Floats
from valet_xl.results import Results, Status
from valet_xl.rows import RESULTS_ARE, ROUNDS
from valet_xl.valet import LEADS, METHODS, valet


@dataclass(frozen=True, slots=True)
class Column:
    """A column to be written: its heading, how it looks, and a cell for each row under the heading row."""

    name: str
    format: str  # a spreadsheet number format: "0", "0.00" ..., or "@" for text
    width: float  # in characters
    cells: list[float | int | str | None]


@dataclass(frozen=True, slots=True)
class Block:
    """Columns side by side at one place of a sheet. Rows and columns count from 0."""

    top: int  # the heading row
    left: int  # the first column
    columns: tuple[Column, ...]
    replaces: int  # how many columns, from `left`, an earlier scoring wrote there


_WORDS: dict[str, Collection[str]] = {
    "method": METHODS,
    "lead": LEADS,
    "datum": RULES,
    "rounding": ROUNDINGS,
    "imp_rounding": IMP_ROUNDINGS,
    "divisor": DIVISORS,
    "result_is": RESULTS_ARE,
    "rounds": ROUNDS,
}


@dataclass(frozen=True, slots=True)
class Options:
    """How to score: the options of `valet`, `datum`, `butler` and `cross_imps`, and how rows are read (`read_rows`)."""

    method: str = "iaf"
    cloud: bool = False
    lead: str = "suit"
    datum: str = "mean"
    leave_out: float | None = None
    rounding: str = "none"
    imp_rounding: str = "nearest"
    double: bool = False
    divisor: str = "n-1"
    result_is: str = "made"
    rounds: str = "auto"

    def __post_init__(self) -> None:
        """Refuse an option that is none of its words, before anything is read."""
        for name, words in _WORDS.items():
            if getattr(self, name) not in words:
                raise ValueError(f"{name} must be one of {', '.join(words)}, got {getattr(self, name)!r}")


class Area(Protocol):
    """A table that the host knows of, such as an Excel table: rows and columns from 0, inclusive.

    totals : how many rows at the bottom are totals
    """

    @property
    def top(self) -> int: ...  # noqa: D102 - the class tells
    @property
    def left(self) -> int: ...  # noqa: D102
    @property
    def bottom(self) -> int: ...  # noqa: D102
    @property
    def right(self) -> int: ...  # noqa: D102
    @property
    def totals(self) -> int: ...  # noqa: D102


@dataclass(frozen=True, slots=True)
class Summary:
    """What was scored and what was not.

    results, scored : how many rows hold a result, and how many of them were scored
    boards : how many boards those results are on
    unscored : the boards of which nothing was scored, and why
    errors : what was wrong in the rows
    skipped : rows that hold something, but no result
    """

    results: int
    scored: int
    boards: int
    unscored: tuple[str, ...]
    errors: tuple[RowError, ...]
    skipped: tuple[int, ...]

    @property
    def complete(self) -> bool:
        """Whether every row was understood and every board scored."""
        return not self.unscored and not self.errors


@dataclass(frozen=True, slots=True)
class Reading:
    """A sheet's results, and its table: the headings, the last row, and where scores go (columns from 0).

    area : the table that the host knows of, if this is one
    left : the first column for scores
    replaces : how many columns an earlier scoring wrote there
    """

    results: Results
    headings: Headings
    last: int
    area: Area | None
    left: int
    replaces: int


@dataclass(frozen=True, slots=True)
class Scored:
    """A sheet scored: what to write where, and what was scored."""

    block: Block
    summary: Summary


_PARTS = ("Bid", "Play", "Lead", "Defence")


def layout(method: str, cloud: bool) -> tuple[str, ...]:
    """The headings of the columns that scoring writes, in their order.

    >>> layout("iaf", cloud=False)
    ('Score', 'Datum', 'Butler', 'IAF', 'Bid', 'Play', 'Lead', 'Defence', 'Note')
    """
    compared = ("MP", "MP %") if method == "matchpoints" else ("IAF",)
    luck = ("Luck",) if cloud else ()
    return ("Score", "Datum", "Butler", *compared, *_PARTS, *luck, "Note")


LAYOUTS = tuple(layout(method, cloud) for method, cloud in product(("iaf", "matchpoints"), (False, True)))


def score_columns(results: Results, options: Options) -> dict[str, Floats | list[str]]:
    """Score a tournament: the columns of `layout`, (n,) each, NaN where there is nothing to say.

    Score, Datum, Butler, IAF and matchpoints are North-South's; Bid, Play and Luck the declaring side's; Lead and
    Defence the defenders'. With the method matchpoints the parts are percentages, 50 being average.

    Raises
    ------
    ValueError : for an unknown option
    """
    field = results.in_field
    scores = np.where(field, results.score, np.nan)
    boards = results.board
    parts = valet(
        results,
        options.method,
        options.cloud,
        options.lead,
        options.datum,
        options.leave_out,
        options.rounding,
        options.imp_rounding,
    )
    compared = butler(
        scores, options.datum, options.leave_out, options.rounding, options.double, boards, options.imp_rounding
    )
    datums = datum(scores, options.datum, options.leave_out, options.rounding, boards)
    imps_given, percent_given = _artificial(results)
    columns: dict[str, Floats | list[str]] = {
        "Score": results.score,
        "Datum": np.where(np.isnan(compared), np.nan, datums),
        "Butler": np.where(np.isnan(imps_given), compared, imps_given),
    }
    shown = {name: getattr(parts, name.lower()) for name in (*_PARTS, "Luck")}
    if options.method == "matchpoints":
        expected = _expected(results)
        percent = np.where(np.isnan(percent_given), matchpoint_percent(scores, expected, boards), percent_given)
        given = percent_given / 50 * np.where(expected > 1, expected - 1, np.nan)
        columns["MP"] = np.where(np.isnan(percent_given), matchpoints(scores, expected, boards), given)
        columns["MP %"] = percent
        shown = {name: 50 * (1 + part) for name, part in shown.items()}
    else:
        crossed = cross_imps(scores, options.divisor, boards)
        columns["IAF"] = np.where(np.isnan(imps_given), crossed, imps_given)
    columns |= shown
    columns["Note"] = _notes(results, np.isnan(compared) & field, options)
    return {name: columns[name] for name in layout(options.method, options.cloud)}


def summarise(results: Results, columns: Mapping[str, Floats | list[str]]) -> Summary:
    """Sum up what `score_columns` made of the results."""
    counted = (results.status != Status.UNPLAYED) & (results.board >= 0)
    scored = counted & ((results.status == Status.ADJUSTED) | ~np.isnan(np.asarray(columns["Bid"], dtype=np.float64)))
    on_board = np.bincount(results.board[counted], minlength=len(results.boards))
    scored_on = np.bincount(results.board[scored], minlength=len(results.boards))
    spoiled = results.spoiled
    unscored = [
        f"{board_name(results, board)}, {'a row not understood' if spoiled[board] else 'nothing to compare with'}"
        for board in np.flatnonzero((on_board > 0) & ((scored_on == 0) | spoiled)).tolist()
    ]
    return Summary(
        results=int(np.count_nonzero(results.status != Status.UNPLAYED)),
        scored=int(np.count_nonzero(scored)),
        boards=int(np.count_nonzero(on_board)),
        unscored=tuple(unscored),
        errors=results.errors,
        skipped=results.skipped,
    )


def board_name(results: Results, board: int) -> str:
    """What a board is called: `board 7`, or `board 7 of round 2`."""
    of_round, number = results.boards[board]
    return f"board {number} of round {of_round}" if of_round else f"board {number}"


def _artificial(results: Results) -> tuple[Floats, Floats]:
    """N-S's IMPs and per cent of artificial adjusted scores: 3, 0, -3 IMPs for 60, 50, 40 %; NaN elsewhere."""
    percent = results.adjusted[:, 0]
    return np.where(np.isin(percent, (40, 50, 60)), 3 * (percent - 50) / 10, np.nan), percent


def _expected(results: Results) -> Floats:
    """How many results the board of each row should have had: those in its field and the adjusted ones."""
    counted = (results.in_field | (results.status == Status.ADJUSTED)) & (results.board >= 0)
    tables = np.bincount(results.board[counted], minlength=len(results.boards) + 1)
    return np.where(counted, tables[results.board], np.nan)


def _notes(results: Results, uncompared: np.ndarray, options: Options) -> list[str]:
    """Why a row has no scores, or what is wrong in it."""
    notes = [""] * len(results)

    def remark(at: int, text: str) -> None:
        notes[at] = f"{notes[at]}; {text}" if notes[at] else text

    place = {row: at for at, row in enumerate(results.row.tolist())}
    spoilt_by: dict[int, int] = {}
    for error in results.errors:
        at = place.get(error.row)
        if at is None:  # a lead where there is no result
            continue
        remark(at, error.note)
        if results.status[at] == Status.ERROR and results.board[at] >= 0:
            spoilt_by.setdefault(int(results.board[at]), error.row)
    for at in np.flatnonzero(results.status == Status.ADJUSTED).tolist():
        ns, ew = results.adjusted[at]
        notes[at] = f"adjusted, {ns:g} %" if np.isnan(ew) else f"adjusted, {ns:g} % - {ew:g} %"
    for at in np.flatnonzero(results.status == Status.UNPLAYED).tolist():
        notes[at] = notes[at] or "not played"
    played = ~np.isnan(results.score)
    if spoilt_by:
        for at in np.flatnonzero(np.isin(results.board, list(spoilt_by)) & played).tolist():
            remark(at, f"board not scored, see row {spoilt_by[int(results.board[at])]}")
    tables = np.bincount(results.board[results.in_field], minlength=len(results.boards))
    for at in np.flatnonzero(uncompared).tolist():
        alone = tables[results.board[at]] == 1
        remark(at, "no comparison, one result" if alone else f"no datum, {options.datum} leaves no result")
    return notes


_FORMATS = {"Score": "0", "Datum": "0.0", "Butler": "0", "MP": "0.0", "Note": "@"}
_WIDTH, _WIDEST = 9.0, 60.0  # in characters
_EVERY_COLUMN = 1 << 14


def read_grid(grid: Grid, options: Options, areas: Iterable[Area] = ()) -> Reading:
    """Read the results of a sheet.

    Parameters
    ----------
    grid : the sheet's cells from its first row and column on, None for blank
    options : of which `result_is` and `rounds` are used
    areas : tables that the host knows of; one whose top row is the heading row bounds what is read

    Raises
    ------
    SheetError : where the sheet holds no results
    ValueError : for an unknown option
    """
    headings, former = _headings(grid, _EVERY_COLUMN)
    first = min(headings.columns.values())
    area = next((area for area in areas if area.top == headings.row and area.left <= first <= area.right), None)
    if area is not None:
        headings, former = _headings(grid, area.right + 1)
    last = min(area.bottom - area.totals, len(grid) - 1) if area else _last_row(grid, headings)
    results = read_table(grid, headings, last, options.result_is, options.rounds)
    left, replaces = former or (_free_column(grid, headings.row, last, area), 0)
    return Reading(results, headings, last, area, left, replaces)


def score_grid(grid: Grid, options: Options, areas: Iterable[Area] = ()) -> Scored:
    """Score a sheet: `read_grid`, and the columns with a cell for each row under the heading row to the last row of
    results.

    They go where an earlier scoring wrote them, else right of all that stands beside those rows.
    """
    reading = read_grid(grid, options, areas)
    columns = score_columns(reading.results, options)
    top = reading.headings.row
    under = [row - top - 2 for row in reading.results.row.tolist()]
    in_table = reading.area is not None and reading.left <= reading.area.right + 1
    taken = grid[top][: reading.left] if in_table else ()
    bottom = reading.area.bottom - reading.area.totals if reading.area else reading.last
    block = block_of(columns, options, under, bottom - top, top, reading.left, reading.replaces, taken)
    return Scored(block, summarise(reading.results, columns))


def block_of(
    columns: Mapping[str, Floats | list[str]],
    options: Options,
    under: Sequence[int],
    size: int,
    top: int = 0,
    left: int = 0,
    replaces: int = 0,
    taken: Iterable[object] = (),
) -> Block:
    """The columns of `score_columns` as a block of cells.

    Parameters
    ----------
    columns, options : what was scored, and how
    under : for each result its row, 0 being the first under the heading row
    size : how many rows there are under the heading row
    top, left, replaces : as in `Block`
    taken : headings from which the columns' must differ
    """
    names = {_key(cell) for cell in taken}
    return Block(
        top,
        left,
        tuple(
            Column(
                name=_unused(name, names),
                format=_number_format(name, options),
                width=_width(name, values),
                cells=_spread(values, under, size, whole=name == "Score"),
            )
            for name, values in columns.items()
        ),
        replaces,
    )


def _headings(grid: Grid, width: int) -> tuple[Headings, tuple[int, int] | None]:
    """The input's headings, and the place of the columns that an earlier scoring wrote."""
    headings = find_headings(grid, width)
    former = former_block(grid[headings.row][:width])
    return (headings if former is None else find_headings(grid, former[0])), former


def former_block(heading_row: Sequence[object]) -> tuple[int, int] | None:
    """The first column, and the number of columns, that an earlier scoring wrote; None where there are none.

    >>> former_block(["Board", "Contract", *layout("iaf", False)])
    (2, 9)
    """
    names = [re.sub(r" \d+$", "", cell) if isinstance(cell, str) else "" for cell in heading_row]
    for left in range(len(names) - 1, -1, -1):
        for headings in LAYOUTS:
            if tuple(names[left : left + len(headings)]) == headings:
                return left, len(headings)
    return None


def _last_row(grid: Grid, headings: Headings) -> int:
    """The last row that holds anything in the table's own columns."""
    columns = list(headings.columns.values())
    for at in range(len(grid) - 1, headings.row, -1):
        if any(column < len(grid[at]) and grid[at][column] not in (None, "") for column in columns):
            return at
    return headings.row


def _free_column(grid: Grid, top: int, last: int, area: Area | None) -> int:
    """The first column right of all that stands in the rows from the heading to the last."""
    used = 0 if area is None else area.right + 1
    for row in grid[top : last + 1]:
        while used < len(row) and any(cell not in (None, "") for cell in row[used:]):
            used += 1
    return used


def _width(name: str, values: Floats | list[str]) -> float:
    """Wide enough for the longest note, within limits; numbers are short."""
    return min(max(_WIDTH, *map(len, values)) + 1, _WIDEST) if name == "Note" and len(values) else _WIDTH


def _unused(name: str, taken: set[str]) -> str:
    """The name, with a number behind it where an Excel table, whose headings must differ, has it already."""
    free = next(
        text for text in (name, *(f"{name} {number}" for number in range(2, 10_000))) if _key(text) not in taken
    )
    taken.add(_key(free))
    return free


def _key(cell: object) -> str:
    return str(cell).casefold() if cell is not None else ""


def _number_format(name: str, options: Options) -> str:
    if name == "Butler" and options.double:
        return "0.0"
    if name == "Datum" and options.rounding != "none":
        return "0"
    return _FORMATS.get(name, "0.00")


def _spread(values: Floats | list[str], under: Sequence[int], size: int, whole: bool) -> list[float | int | str | None]:
    """Cells for every row under the headings, blank where there is no result or nothing to say."""
    cells = np.full(size, None, dtype=object)
    if isinstance(values, list):
        said = [at for at, text in enumerate(values) if text]
        cells[np.asarray(under, dtype=np.intp)[said]] = [values[at] for at in said]
    else:
        there = ~np.isnan(values)
        shown = values[there]
        cells[np.asarray(under, dtype=np.intp)[there]] = (shown.astype(np.int64) if whole else shown).tolist()
    return cells.tolist()
