"""Results as the rows of a sheet: one heading row with the standard headings, which reads back to the same results."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import partial

import numpy as np

from valet_xl.documents.page import Value
from valet_xl.engine.notation import Adjustment, Card, Contract, Double, Seat, Strain, Vulnerability
from valet_xl.engine.results import Results, Status
from valet_xl.reading.boards import rounds_by_play
from valet_xl.reading.cells import NONE, STATUS, contract_cell
from valet_xl.reading.columns import CodedColumn, Columns
from valet_xl.reading.conventions import in_standard
from valet_xl.reading.rows import SCORES
from valet_xl.reading.source import Source
from valet_xl.reading.written_once import fill_down

HEADINGS = {
    **{"event": "Event", "date": "Date", "session": "Session", "section": "Section", "table": "Table"},
    **{"round": "Round", "board": "Board", "vulnerability": "Vul", "ns": "NS", "ew": "EW"},
    **{"north": "North", "east": "East", "south": "South", "west": "West"},
    **{"contract": "Contract", "double": "Dbl", "declarer": "By", "lead": "Lead", "tricks": "Tricks"},
    **{"result": "Result", "made": "Made", "down": "Down"},
    **{"score": "Score", "ns_score": "NS score", "ew_score": "EW score"},
    "deal": "Deal",
}
_ALWAYS = ("board", "contract", "declarer", "tricks")
_SEATS = ("north", "east", "south", "west")
_SPOILT = (Status.ERROR,)  # rows of which the file's own cells are kept, so that they can be put right


def as_listed(source: Source) -> Source:
    """A file's rows as a results sheet lists them, so that what is wrong in them is said in the words of that sheet.

    Rows are numbered as in the sheet, columns are called as there, players have names for tags, and an error that is
    known already is in the cell of the contract.
    """
    own = Columns(source.fields, source.rows, {})
    fields = {name: own[name] for name in (*_ALWAYS, *own.columns)}
    if source.wrong:
        column = fields["contract"]
        cells = [column.texts[at] for at in column.index.tolist()]
        for at, error in source.wrong.items():
            cells[at] = f"{cells[at]} ({error.note})".strip()
        fields["contract"] = CodedColumn.of(cells)
    tags = {text for seat in _SEATS for text in own[seat].texts if text}
    alike = Counter(source.called.get(tag, tag) for tag in tags)
    for seat in set(_SEATS) & fields.keys():
        texts = [_player_name(tag, source.called, alike) for tag in fields[seat].texts]
        fields[seat] = CodedColumn(texts, fields[seat].index)
    rows = range(2, len(source.rows) + 2)
    return replace(source, fields=fields, rows=rows, rows_are="row", headings=HEADINGS, wrong={}, called={})


def _player_name(tag: str, called: Mapping[str, str], alike: Mapping[str, int]) -> str:
    """A player's name, with the tag behind it where another has the same name."""
    name = called.get(tag, tag)
    return f"{name} ({tag})" if alike[name] > 1 else name


def renumbered(results: Results) -> Results:
    """Results of `as_listed` rows as their sheet has them: numbered without the rows that are not listed.

    The lead of a board that was not played is not listed, so that nothing can be wrong in it.
    """
    numbers = {row: at for at, row in enumerate(results.row.tolist(), start=2)}
    with_lead = set(results.row[np.isin(results.status, (Status.PLAYED, Status.ERROR))].tolist())
    errors = tuple(
        error.renumbered(numbers)
        for error in results.errors
        if error.row in numbers and (error.row in with_lead or error.column != HEADINGS["lead"])
    )
    return replace(results, row=np.arange(2, len(results) + 2), errors=errors, skipped=())


def as_grid(source: Source, results: Results) -> list[list[Value]]:
    """The heading row, and a row for each result.

    Parameters
    ----------
    source, results : a file's rows, and the results that they were read as

    Returns
    -------
    rows of equal length. What could be read is written in one form; a row that could not be read keeps its own cells,
    which again cannot be read. Columns with nothing in them are left out.

    Notes
    -----
    Players are written by name, with the tag behind it where two have one name. Rounds whose boards are new deals are
    headed as sessions, and rounds that make no difference are left out, where a reader of the sheet would else take
    them otherwise.
    """
    cells = _Cells(source, results)
    columns = {name: [cells.of(name, at) for at in range(len(results))] for name in HEADINGS if cells.has(name)}
    if results.rounds and cells.rounds_by_play() != results.rounds:
        turns = columns.pop("round")
        if results.rounds == "new":
            both = zip(columns.get("session", [None] * len(results)), turns, strict=True)
            columns["session"] = [" ".join(str(each) for each in pair if each is not None) or None for pair in both]
    return _grid(columns)


def _grid(columns: dict[str, list[Value]]) -> list[list[Value]]:
    """Columns as rows under their headings."""
    used = [name for name in HEADINGS if name in _ALWAYS or any(cell is not None for cell in columns.get(name, ()))]
    return [[HEADINGS[name] for name in used], *map(list, zip(*(columns[name] for name in used), strict=True))]


class _Cells:
    """What to write for each result."""

    def __init__(self, source: Source, results: Results) -> None:
        self._table = Columns(source.fields, source.rows, {})
        fill_down(self._table, once=source.conventions.once)
        place = {row: at for at, row in enumerate(self._table.rows.tolist())}
        self._place = [place[row] for row in results.row.tolist()]
        self._own_cells: dict[str, list[Value]] = {}  # of each column, a cell for each result
        self._wrong = source.wrong
        self._conventions = source.conventions
        self._called = source.called
        self._results = results
        self._status = results.status.tolist()
        self._compared = [name for name in SCORES if self._in_errors(name)]  # all are needed to judge those again
        self._lone = all(name.isdigit() for _, name in results.boards)
        tagged = {(results.names[who], who) for who in np.unique(results.players).tolist() if who >= 0}
        names = Counter(name for name, _ in tagged)
        self._shared = {name for name, count in names.items() if count > 1}
        self._written: dict[str, Callable[[int], Value]] = {
            "board": self._board,
            "vulnerability": self._vulnerability,
            "contract": self._contract,
            "declarer": lambda at: str(Seat(int(results.declarer[at]))),
            "lead": self._lead,
            "tricks": lambda at: int(results.tricks[at]),
        }

    def rounds_by_play(self) -> str:
        """What a reader of the sheet takes rounds for."""
        cells, status = self._table.at(self._place), self._results.status
        read = partial(contract_cell, language=self._conventions.language)
        said = cells.read("contract", read, (NONE,) * 9)[:, STATUS]  # also where another cell has an error
        played = np.isin(
            np.where(status == Status.ERROR, said, status), (Status.PLAYED, Status.PASSED_OUT, Status.SCORED)
        )
        return rounds_by_play(cells, self._results.board >= 0, played, self._results.sides)

    def has(self, name: str) -> bool:
        """Whether there may be something in a column."""
        return name in self._table.columns or name in _ALWAYS or name == "vulnerability"

    def of(self, name: str, at: int) -> Value:
        """The cell of a column."""
        status = self._status[at]
        if name in _SEATS:
            return self._player(name, at)
        if name in ("board", "contract"):
            return self._written[name](at)
        if name not in self._written:
            spoils = name in ("double", "result", "made", "down", *SCORES) and status != Status.ERROR
            if name in SCORES and status == Status.SCORED:
                return _number(self._own(name, at))
            compared = name in self._compared and status in (Status.PLAYED, Status.PASSED_OUT)
            return None if spoils and not compared else self._own(name, at)
        if status == Status.ERROR:
            return self._own(name, at)
        return self._written[name](at) if status == Status.PLAYED else None

    def _own(self, name: str, at: int) -> Value:
        """The file's own cell."""
        if name not in self._own_cells:
            column = self._table[name]
            values = [_value(name, in_standard(name, text, self._conventions)) for text in column.texts]
            self._own_cells[name] = [values[text] for text in column.index[self._place].tolist()]
        return self._own_cells[name][at]

    def _in_errors(self, name: str) -> bool:
        """Whether a row that could not be read has something in a column."""
        wrong = self._results.status == Status.ERROR
        return bool((self._table[name].each(bool)[self._place][wrong] > 0).any())

    def _board(self, at: int) -> Value:
        board = int(self._results.board[at])
        if board < 0:
            return self._own("board", at)
        label = self._results.boards[board][1]
        return int(label) if label.isdecimal() and len(label) < 10 else label

    def _vulnerability(self, at: int) -> Value:
        """What the file says, or what is needed as the board has no number that implies it."""
        needed = "vulnerability" in self._table.columns or not self._lone
        return str(Vulnerability(int(self._results.vulnerability[at]))) if needed else None

    def _contract(self, at: int) -> Value:
        results, status = self._results, self._status[at]
        if status == Status.ERROR:
            own, error = self._own("contract", at), self._wrong.get(self._place[at])
            return own if error is None else f"{own or ''} ({error.note})".strip()
        if status == Status.ADJUSTED:
            ns, ew = results.adjusted[at].tolist()
            return "Adjusted" if np.isnan(ns) else str(Adjustment(ns, None if np.isnan(ew) else ew))
        if status == Status.SCORED:
            return None
        if status == Status.UNPLAYED:
            return "NP"
        if status == Status.PASSED_OUT:
            return str(Contract(0))
        return str(Contract(int(results.level[at]), Strain(int(results.strain[at])), Double(int(results.double[at]))))

    def _lead(self, at: int) -> Value:
        suit = int(self._results.lead_suit[at])
        return str(Card(Strain(suit), int(self._results.lead_rank[at]))) if suit >= 0 else self._own("lead", at)

    def _player(self, name: str, at: int) -> Value:
        who = int(self._results.players[at, _SEATS.index(name)])
        if who < 0:
            own = self._own(name, at)
            return None if own is None else self._called.get(str(own), own)
        called = self._results.names[who]
        return f"{called} ({self._own(name, at)})" if called in self._shared else called


def _number(cell: Value) -> Value:
    """A cell of points as a number, also with a sign."""
    return int(cell) if isinstance(cell, str) and re.fullmatch(r"[+-]?\d{1,6}", cell) else cell


def _value(name: str, text: str) -> Value:
    """A text of the file as a cell: a whole number as a number, nothing as None."""
    if name == "result" and text == "=":
        return "+0"  # which no spreadsheet takes for the beginning of a formula
    return int(text) if text.isdecimal() and text.isascii() and str(int(text[:9])) == text else text or None
