"""A grid of cells in, named columns of cells out: the whole of "score this sheet"."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import chain, count
from typing import TYPE_CHECKING

import numpy as np

from valet_xl.documents.page import Block, Cell, Column, Table, Value
from valet_xl.engine.arrays import Floats, Index, settled
from valet_xl.engine.options import Options
from valet_xl.engine.results import Results
from valet_xl.engine.score_results import ScoreColumn, Scores, Summary, score_results, summarise, written_columns
from valet_xl.engine.valet import VirtualTable
from valet_xl.messages import one_line
from valet_xl.reading.grid import Reading, need_rows, read_grid
from valet_xl.reading.headings import Grid
from valet_xl.sheets.former_scores import FormerScores, with_remark

if TYPE_CHECKING:  # loaded for files of deals alone
    from valet_xl.deals.against import Against


@dataclass(frozen=True, slots=True)
class Scored:
    """A sheet scored: what to write where, what was scored, the headings of columns read and not read; its shape."""

    block: Block
    summary: Summary
    read: tuple[str, ...]
    unread: tuple[str, ...]
    shape: str = ""


_Values = Floats | tuple[str, ...]
_WIDTH, _WIDEST = 9.0, 60.0  # in characters
_MANY = 100_000  # numbers of a column, from which on equal ones are one object


def beside_deals(scores: Scores, against: Against | None) -> Scores:
    """Scores with what the deals add to them."""
    if against is None:
        return scores
    notes = list(scores.note)
    for at, text in against.notes:
        notes[at] = with_remark(notes[at], text)
    return replace(
        scores,
        dd=against.tricks,
        par=against.par,
        par_contract=against.par_contract,
        lead_cost=against.lead_cost,
        dd_play=against.play,
        dd_defence=against.defence,
        layout=against.layout,
        note=tuple(notes),
    )


def score_grid(grid: Grid, options: Options, tables: Iterable[Table] = ()) -> Scored:
    """Score a sheet: `read_grid`, and the columns with a cell for each row under the heading row to the last row of
    results.

    They go where an earlier scoring wrote them, else right of all that is in those rows. What somebody typed there
    since stays (see `FormerScores`).
    """
    return score_reading(grid, read_grid(grid, options, tables), options)


def score_reading(grid: Grid, reading: Reading, options: Options, against: Against | None = None) -> Scored:
    """Score a sheet that was read: `score_grid` without the reading.

    against : what the deals say, if they are known

    Raises
    ------
    SheetError : where a row of the sheet has several results, so that scores have no place in it
    """
    need_rows(reading)
    scores = beside_deals(score_results(reading.results, options, _virtual(against)), against)
    top = reading.headings.row
    under = reading.results.row - top - 2
    taken = (*grid[top][: reading.left], *grid[top][reading.left + reading.replaces :])
    former = FormerScores(grid, reading)
    size = _bottom(reading, former) - top
    block = block_of(scores, options, under, size, top, reading.left, reading.replaces, taken)
    if reading.replaces:
        _keep_typed(block, former, [column.field for column in _columns(scores, options)])
    used = {column - reading.shaped.added for column in reading.headings.columns.values()}
    heading_row = [cell if isinstance(cell, str) else "" for cell in grid[top]]
    unread = (cell for at, cell in enumerate(heading_row[: reading.left]) if cell.strip() and at not in used)
    summary = _summary(reading.results, scores, against)
    own = [name for name, column in reading.headings.columns.items() if column >= reading.shaped.added]
    read = tuple(reading.headings.names[name] for name in own)
    return Scored(block, summary, read, tuple(map(one_line, unread)), reading.shape)


@dataclass(frozen=True, slots=True)
class Listing:
    """Results as rows of cells under one heading row, which nobody has laid out.

    results : (n,)
    cells : the heading row, and the rows; all of one width
    under : (n,) the row of each result, 0 being the first under the heading row
    read : the headings of the columns that were read
    """

    results: Results
    cells: Sequence[Sequence[Cell]]
    under: Sequence[int]
    read: tuple[str, ...]


def score_listing(listing: Listing, options: Options, against: Against | None = None) -> Scored:
    """Score results that are listed as rows of cells: the columns go right of these.

    against : what the deals say, if they are known
    """
    scores = beside_deals(score_results(listing.results, options, _virtual(against)), against)
    size, left = len(listing.cells) - 1, len(listing.cells[0])
    block = block_of(scores, options, listing.under, size, left=left, taken=listing.cells[0])
    return Scored(block, _summary(listing.results, scores, against), listing.read, ())


def _virtual(against: Against | None) -> VirtualTable | None:
    return None if against is None else against.virtual


def _summary(results: Results, scores: Scores, against: Against | None) -> Summary:
    summary = summarise(results, scores.butler, scores.bid)
    return summary if against is None else replace(summary, remarks=(*summary.remarks, *against.remarks))


def _bottom(reading: Reading, former: FormerScores) -> int:
    """The last row of the block: the table's, or the last result's, or that of scores whose results are gone."""
    if reading.table is not None:
        return reading.table.bottom - reading.table.totals
    return former.bottom(max(reading.results.row.tolist(), default=reading.headings.row + 1) - 1)


def _keep_typed(block: Block, former: FormerScores, fields: Sequence[str]) -> None:
    """Put what somebody typed into the columns of an earlier scoring into the same rows of the new ones."""
    column_of = dict(zip(fields, block.columns, strict=True))
    top = block.top + 1
    for row in former.rows_with_more(range(top, top + len(block.columns[0].cells))):
        under = row - top
        for field, cell in former.typed(row).items():
            if field not in column_of:
                raise former.refusal(row, field)
            cells = column_of[field].cells
            cells[under] = with_remark(str(cells[under] or ""), cell) if field == "note" else cell


def block_of(
    scores: Scores,
    options: Options,
    under: Sequence[int] | Index,
    size: int,
    top: int = 0,
    left: int = 0,
    replaces: int = 0,
    taken: Iterable[object] = (),
) -> Block:
    """Scores as a block of cells.

    Parameters
    ----------
    scores, options : what was scored, and how
    under : for each result its row, 0 being the first under the heading row
    size : how many rows there are under the heading row
    top, left, replaces : as in `Block`
    taken : headings from which the columns' must differ
    """
    names = {_key(cell) for cell in taken}
    columns = _columns(scores, options)
    shown: list[tuple[ScoreColumn, _Values]] = [(each, getattr(scores, each.field)) for each in columns]
    return Block(
        top,
        left,
        tuple(
            Column(
                name=_unused(column.heading, names),
                format=column.number_format(options),
                width=_width(values),
                cells=_spread(values, under, size, whole=column.form == "0" and column.field != "butler"),
            )
            for column, values in shown
        ),
        replaces,
    )


def _columns(scores: Scores, options: Options) -> tuple[ScoreColumn, ...]:
    """The columns of a block."""
    return written_columns(
        options.method,
        options.cloud,
        award=scores.award_ew is not None,
        barking=scores.barking is not None,
        deals=scores.dd is not None,
    )


def _width(values: _Values) -> float:
    """Wide enough for the longest text, within limits; numbers are short."""
    return min(max(_WIDTH, *map(len, values)) + 1, _WIDEST) if isinstance(values, tuple) and values else _WIDTH


def _unused(name: str, taken: set[str]) -> str:
    """The name, with a number behind it where the sheet has it already."""
    numbered = chain([name], (f"{name} {number}" for number in count(2)))
    free = next(text for text in numbered if _key(text) not in taken)
    taken.add(_key(free))
    return free


def _key(cell: object) -> str:
    return str(cell).casefold() if cell is not None else ""


def _spread(values: _Values, under: Sequence[int] | Index, size: int, whole: bool) -> list[Value]:
    """Cells for every row under the headings, blank where there is no result or nothing to say."""
    cells = np.full(size, None, dtype=object)
    places = np.asarray(under, dtype=np.intp)
    if isinstance(values, tuple):
        said = [at for at, text in enumerate(values) if text]
        cells[places[said]] = [values[at] for at in said]
    else:
        there = ~np.isnan(values)
        shown = settled(values if there.all() else values[there])
        rows = places if there.all() else places[there]
        numbers = _numbers(shown.astype(np.int64) if whole else shown)
        if len(rows) == size and np.array_equal(rows, np.arange(size)):
            return numbers
        cells[rows] = numbers
    return cells.tolist()


def _numbers(values: Floats | Index) -> list[Value]:
    """Numbers as cells; of very many, each different one takes memory once."""
    if len(values) < _MANY:
        return values.tolist()
    different, which = np.unique(values, return_inverse=True)
    numbers: list[Value] = different.astype(object)[which].tolist()
    return numbers
