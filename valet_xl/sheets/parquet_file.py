"""Results as a Parquet file of the schema that `valet_xl.reading.parquet` reads."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

from valet_xl.documents.libraries import loading
from valet_xl.documents.parquet import ROWS, write_parquet
from valet_xl.engine.arrays import Index, number_keys
from valet_xl.engine.notation import Adjustment, Card, Contract, Double, Seat, Strain, Vulnerability
from valet_xl.engine.results import Results, Seating, Status
from valet_xl.rankings.partnerships import Partnerships, partnerships
from valet_xl.reading.parquet import NUMBERS, TEXTS

UNREADABLE = "?"
"""What is written for a contract that could not be read, so that its board is not scored afterwards either."""


def write_results(target: Path, results: Results, event: str = "", most: int = 0) -> list[Path]:
    """Write results to a new Parquet file, sorted by board.

    Parameters
    ----------
    target : the file
    results : who is who is decided for them as they are; each player is written by a name of his own
    event : what the event is called; boards of different events are different deals. It goes before a side's label that
        has a digit in it, because each event numbers its sides itself
    most : how many results a file has at most, but for whole boards; more are written to NAME-001, NAME-002 and so on.
        0 if all are written to one

    Returns
    -------
    the files that were written

    Raises
    ------
    FileError : where one cannot be written, or pyarrow is not installed; nothing is then changed in it
    """
    with loading("pyarrow", extra="bulk"):
        table = as_table(results, event)
    ends = _board_ends(results.board[_in_text_order(results)])
    parts = list(_cuts(ends, most or max(len(table), 1))) or [(0, 0)]
    written = []
    for at, (start, end) in enumerate(parts, 1):
        path = target if len(parts) == 1 else target.with_name(f"{target.stem}-{at:03}{target.suffix}")
        inside = ends[(ends > start) & (ends <= end)]
        write_parquet(path, (table.slice(one, two - one) for one, two in _cuts(inside, ROWS, start)), table.schema)
        written.append(path)
    return written


def as_table(results: Results, event: str = "", who: Partnerships | None = None) -> Any:
    """Results as a pyarrow table, in the order of a file: by event, round and board, as texts."""
    import pyarrow as pa  # noqa: PLC0415 - loaded for Parquet alone

    who = who or partnerships(results)
    played = results.status == Status.PLAYED
    people = [*who.player_names]
    boards = _in_text_order(results)
    columns: dict[str, Any] = {}

    def put(name: str, texts: list[str], index: Index) -> None:
        columns[name] = pa.DictionaryArray.from_arrays(
            pa.array(index[boards], type=pa.int32(), mask=(index < 0)[boards]), pa.array(texts, type=pa.string())
        )

    put("event", [event], np.zeros(len(results), dtype=np.intp))
    known = [*results.boards, ("", "")]
    for name, part in (("round", 0), ("board", 1)):
        put(name, [board[part] for board in known], results.board)
    vulnerable = [str(each) for each in sorted(Vulnerability)]
    put("vulnerability", vulnerable, np.where(played, results.vulnerability, -1).astype(np.intp))
    put("contract", *_contracts(results))
    put("declarer", [str(seat) for seat in sorted(Seat)], np.where(played, results.declarer, -1).astype(np.intp))
    put("lead", *_leads(results))
    for seat, name in enumerate(("north", "east", "south", "west")):
        put(name, people, who.seated[:, seat])
    labels = [_of_event(event, label) for label in (*who.pair_names, *results.names)]
    named = (who.seated[:, :2] >= 0) & (who.seated[:, 2:] >= 0)
    by_label = np.append(who.pair_players[:, 0] < 0, False)  # else the pair is known from other rows
    of_label = by_label[who.pair]
    side = np.where(
        of_label & (who.pair >= 0), who.pair, np.where(results.sides >= 0, results.sides + len(who.pair_names), -1)
    )
    for at_side, name in enumerate(("ns", "ew")):
        put(name, labels, np.where(named[:, at_side], -1, side[:, at_side]))
    doubtful = (results.seating == Seating.DOUBTFUL) @ np.array([1, 2, 4, 8])
    put("doubtful", ["".join(c for bit, c in enumerate("NESW") if code >> bit & 1) for code in range(16)],
        np.where(doubtful > 0, doubtful, -1))  # fmt: skip
    tricks = pa.array(np.where(played, results.tricks, 0)[boards], type=pa.int8(), mask=~played[boards])
    points = results.status == Status.SCORED
    score = pa.array(np.nan_to_num(results.score)[boards], type=pa.float64(), mask=~points[boards])
    columns |= dict(zip(NUMBERS, (tricks, score), strict=True))
    return pa.table({name: columns[name] for name in (*TEXTS, *NUMBERS)})


def _of_event(event: str, label: str) -> str:
    """A side's label, with the event before it if it is a number of that event."""
    return f"{event} {label}".strip() if any(map(str.isdigit, label)) else label


def _in_text_order(results: Results) -> Index:
    """(n,) the rows in the order of their boards, as texts, without those of no board."""
    order = sorted(range(len(results.boards)), key=lambda board: results.boards[board])
    place = np.empty(len(order) + 1, dtype=np.intp)
    place[order] = np.arange(len(order))
    rows = np.flatnonzero(results.board >= 0)
    return rows[np.argsort(place[results.board[rows]], kind="stable")]


def _contracts(results: Results) -> tuple[list[str], Index]:
    """The distinct contracts as texts, and which each result has; -1 where there is none."""
    shape = (8, 6, 3)
    code = np.ravel_multi_index((results.level, results.strain, results.double), shape).astype(np.int64)
    code = np.where(results.status == Status.PLAYED, code, 0)
    other = {Status.PASSED_OUT: "Pass", Status.UNPLAYED: "NP", Status.ERROR: UNREADABLE}
    words = list(other.values())
    shares = np.nan_to_num(results.adjusted, nan=-1.0)
    ruled = results.status == Status.ADJUSTED
    given, which = np.unique(shares, axis=0, return_inverse=True)
    played, index = number_keys(code)
    texts = [
        str(Contract(int(level), Strain(int(strain)), Double(int(double)))).replace("NT", "N") if level else ""
        for level, strain, double in zip(*np.unravel_index(played, shape), strict=True)
    ]
    found = index.copy()
    for at, status in enumerate(other):
        found[results.status == status] = len(texts) + at
    found[results.status == Status.SCORED] = -1
    found = np.where(ruled, len(texts) + len(words) + which.reshape(-1), found)
    awards = ["Adjusted" if ns < 0 else str(Adjustment(ns, None if ew < 0 else ew)) for ns, ew in given.tolist()]
    return [*texts, *words, *awards], found


def _leads(results: Results) -> tuple[list[str], Index]:
    """The distinct leads as texts, and which each result has; -1 where none is known."""
    known = (results.status == Status.PLAYED) & (results.lead_suit >= 0)
    cards, index = number_keys(np.where(known, results.lead_suit.astype(np.int64) * 16 + results.lead_rank, 0))
    texts = [str(Card(Strain(card // 16), card % 16)) for card in cards.tolist()]
    return texts, np.where(known, index, -1)


def _board_ends(boards: Index) -> Index:
    """Where the boards of rows end that are sorted by them."""
    if not len(boards):
        return boards
    return np.append(np.flatnonzero(boards[1:] != boards[:-1]) + 1, len(boards))


def _cuts(ends: Index, most: int, start: int = 0) -> Iterator[tuple[int, int]]:
    """First and last row of parts of whole boards, of so many rows or a little more."""
    while len(ends) and start < ends[-1]:
        end = int(ends[min(int(np.searchsorted(ends, start + most)), len(ends) - 1)])
        yield start, end
        start = end
