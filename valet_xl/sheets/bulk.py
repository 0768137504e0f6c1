"""Many Parquet files of results, added up piece by piece by many processes, and ranked."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import nullcontext
from dataclasses import dataclass
from functools import partial

import numpy as np

from valet_xl.documents.parquet import Piece, find_files, opened, pieces_of, read_whole_keys
from valet_xl.documents.workers import Workers, given_or_own, in_lots
from valet_xl.engine.options import Options
from valet_xl.errors import FileError, one_of
from valet_xl.messages import Progress, counted, unsaid
from valet_xl.rankings.averages import AverageTable
from valet_xl.rankings.options import RANKING_OPTIONS
from valet_xl.rankings.owner_sums import who_each_is
from valet_xl.rankings.ranking import Ranking, rank
from valet_xl.rankings.strength import Strengths, solve
from valet_xl.rankings.strength_sums import Go, InParts, StrengthSums, Tables, put_together
from valet_xl.rankings.sums import Sums
from valet_xl.rankings.totals import Totals, finish
from valet_xl.reading.parquet import COLUMNS, need_schema
from valet_xl.sheets.add_tables import Added, Adder, Span, need_order, together
from valet_xl.sheets.boards_apart import need_apart

SOLVING = "solving for strengths"
BULK_STEPS = ("adding up", SOLVING)


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
    strengths: bool = False,
    on: Workers | None = None,
    step: Progress = unsaid,
) -> RankedBulk:
    """Rank the pairs or players of Parquet files; parameters and errors are those of `total_files` and `rank`.

    strengths : whether the strengths of pairs are solved for too
    """
    work = _Work(options or Options(), compensation, minimum, who == "players")
    with given_or_own(on) as these:
        totals, solved = _total(files, work, strengths and who == "pairs", these, step)
    return RankedBulk(totals, rank(totals, who=who, order=order, strengths=solved))


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
    work = _Work(options or Options(), compensation, minimum, players)
    with given_or_own(on) as these:
        return _total(addresses, work, False, these, step)[0]


@dataclass(frozen=True, slots=True)
class _Work:
    """How results are added up; the fields are as in `total_files`."""

    options: Options
    compensation: str
    minimum: int | None
    players: bool

    def __post_init__(self) -> None:
        one_of("compensation", self.compensation, RANKING_OPTIONS["compensation"].words)


def _total(
    addresses: Sequence[str], work: _Work, strengths: bool, on: Workers, step: Progress
) -> tuple[Totals, Strengths | None]:
    """The tables of files, and the strengths if they are asked for."""
    files = find_files(addresses)
    pieces = pieces_of(files)
    lots = in_lots(pieces, on.count) if pieces else []
    add = partial(add_pieces, options=work.options, opponents=work.compensation != "none", players=work.players)
    with on.keep(add, lots) if strengths else nullcontext() as kept:
        total: Sums | None = None
        spans: list[Span] = []
        equations: list[StrengthSums] = []
        done, rows = 0, sum(piece.rows for piece in pieces)
        what = f"adding up {counted(rows, 'result')} of {counted(len(files), 'file')}"
        step(what, 0.0)
        for lot, found in zip(lots, on.map(add, lots) if kept is None else kept.answers, strict=True):
            total = found.sums if total is None else total if found.sums is None else total + found.sums
            spans += found.spans
            equations += [found.strengths] if found.strengths else []
            done += sum(piece.rows for piece in lot)
            step(what, done / max(rows, 1))
        need_order(spans)
        need_apart(spans, together(work.options), on)
        if total is None:
            raise FileError(f"{addresses[0]}: has no results")
        totals = finish(total, compensation=work.compensation, minimum=work.minimum)
        return totals, None if kept is None else _solved(totals.pairs, equations, kept.map, step)


def _solved(pairs: AverageTable, equations: Sequence[StrengthSums], go: Go, step: Progress) -> Strengths:
    """The strengths of pairs, in passes over what was put aside."""
    step(SOLVING, 0.0)
    keys = who_each_is(pairs.names, pairs.players)
    sums, places = put_together(equations, keys)
    called = dict(zip(keys, pairs.names.tolist(), strict=True))
    names = np.array([called.get(key, "") for key in sums.pairs], dtype=object)
    return solve(sums, InParts(go, places, len(names)), names)


def add_pieces(
    pieces: Sequence[Piece],
    put: Callable[[Tables], object] | None = None,
    *,
    options: Options,
    opponents: bool,
    players: bool,
) -> Added:
    """Add up the results of pieces: what a task does.

    put : takes what passes for strengths go over; None where these are not asked for
    """
    adder = Adder(options, opponents=opponents, players=players, put=put)
    for piece in pieces:
        with opened(piece.address) as parquet:
            names = parquet.schema_arrow.names
            need_schema(names, piece.address)
            columns = [name for name in COLUMNS if name in names]
            table, start = read_whole_keys(parquet, piece, columns, together(options))
            adder.add(table, start, piece.address, piece.file)
    return adder.added()
