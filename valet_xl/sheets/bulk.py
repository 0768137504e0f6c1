"""Many Parquet files of results, added up piece by piece by many processes, and ranked."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import pairwise
from typing import Any

import numpy as np

from valet_xl.documents.parquet import Piece, find_files, in_lots_of_keys, opened, pieces_of, read_whole_keys
from valet_xl.documents.workers import Workers, in_lots, workers
from valet_xl.engine.options import Options
from valet_xl.errors import FileError, one_of
from valet_xl.messages import Progress, counted, unsaid
from valet_xl.rankings import sums as added
from valet_xl.rankings.options import RANKING_OPTIONS
from valet_xl.rankings.partnerships import named_partnerships
from valet_xl.rankings.ranking import Ranking, rank
from valet_xl.rankings.sums import Sums
from valet_xl.rankings.totals import Totals, finish
from valet_xl.reading.parquet import BOARD, COLUMNS, need_schema, results_of

BULK_STEPS = ("adding up",)
_FILE = 1 << 40  # more rows than a file has: places of the next file begin there
_Key = tuple[str, ...]
Span = tuple[str, int, _Key, _Key]
"""Of a piece its file, its first row, and the first and last board in it."""


@dataclass(frozen=True, slots=True)
class Added:
    """What pieces of files add up to.

    sums : of their boards; None of no rows
    spans : of its pieces
    """

    sums: Sums | None
    spans: tuple[Span, ...]


@dataclass(frozen=True, slots=True, eq=False)
class RankedBulk:
    """A ranking of Parquet files.

    totals, ranking : the tables, and one of them in order
    """

    totals: Totals
    ranking: Ranking

    @property
    def left_out(self) -> int:
        """How many results were played and do not count."""
        return sum(count for why, count in self.totals.uncounted.items() if why != "not played")

    def said(self) -> Iterator[str]:
        """What was added up and what was not, in lines."""
        totals = self.totals
        yield f"added up {counted(totals.results, 'result')} on {counted(totals.boards, 'board')}"
        for why, count in totals.uncounted.items():
            yield f"{counted(count, 'result')} not counted: {why}"
        groups = self.ranking.table.groups
        if len(groups) > 1:
            yield f"{counted(len(groups), 'group')} that nothing compares, each with its own ranking"


def rank_parquet(
    files: Sequence[str],
    options: Options | None = None,
    *,
    who: str = "pairs",
    order: str | None = None,
    minimum: int | None = None,
    compensation: str = "none",
    on: Workers | None = None,
    step: Progress = unsaid,
) -> RankedBulk:
    """Rank the pairs or players of Parquet files; parameters and errors are those of `total_files` and `rank`."""
    totals = total_files(
        files,
        options,
        compensation=compensation,
        minimum=minimum,
        players=who == "players",
        on=on,
        step=step,
    )
    return RankedBulk(totals, rank(totals, who=who, order=order))


def total_files(
    addresses: Sequence[str],
    options: Options | None = None,
    *,
    compensation: str = "none",
    minimum: int | None = None,
    players: bool = True,
    on: Workers | None = None,
    step: Progress = unsaid,
) -> Totals:
    """The tables of all results in Parquet files, read piece by piece.

    Parameters
    ----------
    addresses : files, folders or patterns, here or at addresses such as s3://bucket/*.parquet
    options, compensation, minimum : as in `totals`
    players : whether there is a table of players too
    on : who does the work; without it the processes of this machine
    step : called with how much is done

    Returns
    -------
    the tables; a name is one player and a board's rows are in one file, sorted

    Raises
    ------
    FileError, SheetError : where a file cannot be read, has another schema, or is not sorted
    OptionError : for an unknown option
    """
    if on is None:
        with workers() as these:
            return total_files(
                addresses,
                options,
                compensation=compensation,
                minimum=minimum,
                players=players,
                on=these,
                step=step,
            )
    options = options or Options()
    one_of("compensation", compensation, RANKING_OPTIONS["compensation"].words)
    files = find_files(addresses)
    pieces = pieces_of(files)
    lots = in_lots(pieces, on.count) if pieces else []
    work = partial(add_pieces, options=options, opponents=compensation != "none", players=players)
    total: Sums | None = None
    spans: list[Span] = []
    done, rows = 0, sum(piece.rows for piece in pieces)
    step(f"adding up {counted(rows, 'result')} of {counted(len(files), 'file')}", 0.0)
    for lot, found in zip(lots, on.map(work, lots), strict=True):
        total = found.sums if total is None else total if found.sums is None else total + found.sums
        spans += found.spans
        done += sum(piece.rows for piece in lot)
        step(f"adding up {counted(rows, 'result')} of {counted(len(files), 'file')}", done / max(rows, 1))
    need_order(spans)
    if total is None:
        raise FileError(f"{addresses[0]}: has no results")
    return finish(total, compensation=compensation, minimum=minimum)


def add_pieces(pieces: Sequence[Piece], *, options: Options, opponents: bool, players: bool) -> Added:
    """Add up the results of pieces: what a task does."""
    keys = together(options)
    total: Sums | None = None
    spans: list[Span] = []
    for piece in pieces:
        with opened(piece.address) as parquet:
            names = parquet.schema_arrow.names
            need_schema(names, piece.address)
            columns = [name for name in COLUMNS if name in names]
            table, start = read_whole_keys(parquet, piece, columns, keys)
            if not len(table):
                continue
            spans.append(span_of(table, start, piece.address))
            for before, rows in in_lots_of_keys(table, keys):
                made = _sums_of(rows, piece, start + before, options=options, opponents=opponents, players=players)
                total = made if total is None else total + made
    return Added(total, tuple(spans))


def _sums_of(table: Any, piece: Piece, start: int, *, options: Options, opponents: bool, players: bool) -> Sums:
    """What rows of a piece add up to, of which so many of the file are before them."""
    results = results_of(table, start, piece.address)
    made = added.partial(
        results,
        options,
        who=named_partnerships(results),
        place=np.arange(len(results), dtype=np.int64) + (piece.file * _FILE + start),
        opponents=opponents,
        players=players,
    )
    for who in made.who:
        made.of(who)
    return made


def together(options: Options) -> tuple[str, ...]:
    """The columns that rows have alike which are scored together: of a board, or with Neuberg's formula an event."""
    return BOARD[:1] if options.method == "matchpoints" and options.factor != "none" else BOARD


def span_of(table: Any, start: int, address: str) -> Span:
    """The span of a piece with at least one row."""
    return address, start, _board(table, 0), _board(table, len(table) - 1)


def _board(table: Any, at: int) -> _Key:
    """The event, round and board of a row."""
    there = [name for name in BOARD if name in table.column_names]
    return tuple("" if (cell := table.column(name)[at].as_py()) is None else str(cell) for name in there)


def need_order(spans: Iterable[Span]) -> None:
    """Refuse files whose boards are not sorted, or go on in another file.

    Raises
    ------
    FileError : which says where
    """
    for (address, _, _, before), (other, start, first, _) in pairwise(spans):
        if address == other and not before < first:
            raise FileError(
                f"{other}: row {start + 1}, board {' '.join(filter(None, first))!r} comes after "
                f"{' '.join(filter(None, before))!r} (expected rows sorted by event, round and board, as texts)"
            )
        if address != other and before == first:
            raise FileError(
                f"{other}: begins with board {' '.join(filter(None, first))!r}, with which {address} ends "
                "(expected all rows of a board in one file)"
            )
