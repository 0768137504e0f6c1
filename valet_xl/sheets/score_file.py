"""Files of results, scored: workbooks in place, others and sheets with several results in a row to a new file."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from valet_xl.documents.cell_names import cell_name, sheet_title
from valet_xl.documents.page import Block, Cell
from valet_xl.documents.workers import Workers
from valet_xl.engine.options import OPTIONS, Options
from valet_xl.engine.results import Results
from valet_xl.engine.score_results import Summary
from valet_xl.errors import FileError, OptionError
from valet_xl.messages import Progress, counted, unsaid
from valet_xl.reading.csv_file import csv_table, with_numbers
from valet_xl.reading.event_options import event_options
from valet_xl.reading.files import FORMATS, Opened, open_results, source_of
from valet_xl.reading.formats import SheetFile
from valet_xl.reading.grid import Reading, read_grid
from valet_xl.reading.source import Source
from valet_xl.sheets.list_results import as_grid, as_listed, renumbered
from valet_xl.sheets.new_file import SHEET, as_values, need_new, write_new
from valet_xl.sheets.score_sheet import Listing, score_listing, score_reading
from valet_xl.sheets.with_deals import SOLVING, DealsFile, with_deals

if TYPE_CHECKING:  # loaded for files of deals alone
    from valet_xl.deals.against import Against

    _Deals = Callable[[Results], Against | None]  # what puts results beside their deals, if they have a file of them

SCORE_STEPS = ("reading", SOLVING, "scoring", "writing")
"""The steps of `score_file`, as it names them when they begin."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """What `score_file` did: the summary, the file that it wrote, where in it the new columns are, and what it read.

    read, unread : the headings of the columns that were read, and of those that were not
    shape : the shape of the sheet; "" for the usual one, a row a result, and where the file is no sheet
    taken : what was taken from the file about how its event was scored, in lines
    """

    summary: Summary
    written: Path
    place: str
    read: tuple[str, ...]
    unread: tuple[str, ...] = ()
    shape: str = ""
    taken: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class ScoredFile:
    """A file of results that was scored, before it is written.

    target : the file to write
    cells : the rows of the sheet, or a row for each result under one heading row
    block : the columns of scores; its `top` is the heading row
    numbers : what messages call the rows under the heading row
    write : writes the file with the scores, to a target
    summary, place, read, unread, shape, taken : as in `Outcome`
    sheet, sheets : of a workbook, the sheet that was scored, and all that there are
    """

    target: Path
    cells: Sequence[Sequence[Cell]]
    block: Block
    numbers: Sequence[int]
    write: Callable[[Path], None]
    summary: Summary
    place: str
    read: tuple[str, ...]
    unread: tuple[str, ...] = ()
    shape: str = ""
    taken: tuple[str, ...] = ()
    sheet: str = ""
    sheets: tuple[str, ...] = ()


def score_file(
    path: str | Path,
    output: str | Path | None = None,
    *,
    sheet: str | None = None,
    names: str | Path | None = None,
    options: Options | None = None,
    asked: Collection[str] = tuple(OPTIONS),
    deals: Path | None = None,
    virtual_table: bool = False,
    on: Workers | None = None,
    step: Progress = unsaid,
) -> Outcome:
    """Score the results in a file.

    Parameters
    ----------
    path : a file of any format that `read_results` reads
    output : the file to write; without it a workbook is changed in place, and the scores of any other file go to one
        whose name ends in `-scored.csv`; a sheet with several results in a row is not changed, and a new file has a row
        for each, a workbook's `-scored.xlsx`. It may be a copy of a workbook, or for any file a new .csv or .xlsx,
        which has the cells of the file without their looks
    sheet, names : as in `read_results`
    options : how to score
    asked : the options that count whatever the file says about its event; all of them, if none are named
    deals : a file with the deals; what is solved of them is kept in one whose name ends in `-double-dummy.npz`
    virtual_table : whether the double-dummy result counts as a table in the clouds
    on : who solves deals; without it this process
    step : called when a step of `SCORE_STEPS` begins, with the number of rows

    Returns
    -------
    what was scored, and where to look

    Raises
    ------
    FileError, SheetError : as `read_results`, and where the output cannot be written; nothing is then changed
    OptionError : for an unknown option
    ValetError : where deals are to be solved and the solver is not installed
    """
    scored = scored_file(
        path,
        output,
        sheet=sheet,
        names=names,
        options=options,
        asked=asked,
        deals=deals,
        virtual_table=virtual_table,
        on=on,
        step=step,
    )
    step(f"writing {counted(len(scored.numbers), 'row')}")
    scored.write(scored.target)
    return Outcome(scored.summary, scored.target, scored.place, scored.read, scored.unread, scored.shape, scored.taken)


def scored_file(
    path: str | Path,
    output: str | Path | None = None,
    *,
    sheet: str | None = None,
    names: str | Path | None = None,
    options: Options | None = None,
    asked: Collection[str] = tuple(OPTIONS),
    deals: Path | None = None,
    virtual_table: bool = False,
    on: Workers | None = None,
    step: Progress = unsaid,
) -> ScoredFile:
    """Score the results in a file and write nothing: parameters and errors are those of `score_file`."""
    path, output = Path(path), None if output is None else Path(output)
    options = options or Options()
    if virtual_table and deals is None:
        raise OptionError("virtual_table needs deals (expected a file of them too)")
    beside = None if deals is None else DealsFile.beside(path, Path(deals), sheet, virtual_table)
    step("reading")
    opened = open_results(path, sheet, names)
    rows = opened.rows
    if isinstance(rows, SheetFile):
        return _scored_sheet(opened, rows, output, options, partial(with_deals, deals=beside, step=step, on=on), step)
    target = _target(opened, output)
    source, results, listing, numbers = _listing(rows, options)
    options, taken = event_options([(path.name, source, results)], options, asked)
    against = with_deals(results, beside, step, on)
    step(f"scoring {counted(len(results), 'row')}")
    scored = score_listing(listing, options, against)
    return ScoredFile(
        target=target,
        cells=listing.cells,
        block=scored.block,
        numbers=numbers,
        write=_writer(opened, target, csv_table(listing.cells), listing.cells, scored.block),
        summary=scored.summary,
        place=_sheet(opened, target) + _place(scored.block),
        read=scored.read,
        taken=tuple(taken),
    )


def _scored_sheet(
    opened: Opened, rows: SheetFile, output: Path | None, options: Options, deals: _Deals, step: Progress
) -> ScoredFile:
    """Score a sheet in place; one with several results in a row into a new file with a row for each."""
    reading = read_grid(rows.page.cells, options, rows.page.tables)
    if not reading.shaped.in_place:
        return _scored_anew(opened, rows, reading, output, options, deals, step)
    target = _target(opened, output)
    against = deals(reading.results)
    step(f"scoring {counted(len(reading.results), 'row')}")
    scored = score_reading(rows.page.cells, reading, options, against)
    block = scored.block
    return ScoredFile(
        target=target,
        cells=rows.page.cells,
        block=block,
        numbers=range(block.top + 2, block.top + 2 + len(block.columns[0].cells)),
        write=_writer(opened, target, rows, rows.page.cells, block),
        summary=scored.summary,
        place=_sheet(opened, target, rows.sheet) + _place(block),
        read=scored.read,
        unread=scored.unread,
        shape="" if reading.is_usual else reading.shape,
        sheet=rows.sheet,
        sheets=rows.sheets,
    )


def _scored_anew(
    opened: Opened,
    rows: SheetFile,
    reading: Reading,
    output: Path | None,
    options: Options,
    deals: _Deals,
    step: Progress,
) -> ScoredFile:
    """Score a sheet with several results in a row into a new file with a row for each."""
    path = opened.file.path
    target = output or path.with_name(f"{path.stem}-scored{'.xlsx' if opened.format.in_place else '.csv'}")
    need_new(target, path)
    against = deals(reading.results)
    step(f"scoring {counted(len(reading.results), 'result')}")
    cells = as_grid(source_of(opened.format.name, rows, reading), reading.results)
    listing = Listing(renumbered(reading.results), cells, range(len(reading.results)), tuple(map(str, cells[0])))
    scored = score_listing(listing, options, against)
    where = f"sheet {SHEET}, " if target.suffix.lower() == ".xlsx" else ""
    return ScoredFile(
        target=target,
        cells=cells,
        block=scored.block,
        numbers=range(2, len(cells) + 1),
        write=partial(write_new, grid=cells, block=scored.block),
        summary=scored.summary,
        place=where + _place(scored.block),
        read=scored.read,
        shape=reading.shape,
        sheet=rows.sheet,
        sheets=rows.sheets,
    )


def _target(opened: Opened, output: Path | None) -> Path:
    """The file to write: one of the file's own kind, or a new .csv or .xlsx."""
    path, kind = opened.file.path, opened.file.suffix
    target = output or (path if opened.format.in_place else path.with_name(f"{path.stem}-scored.csv"))
    ending = target.suffix.lower()
    if opened.format.in_place:
        # A new .xlsx has no looks: it is no copy of a workbook that has some.
        if ending not in (kind, ".csv"):
            raise FileError(f"{target}: a copy of {path.name} must end in {kind} too (or in .csv, for its cells alone)")
    elif ending in _no_text() and ending != ".xlsx":
        raise FileError(f"{target}: {path.name} is scored to text or .xlsx (expected {path.stem}-scored.csv or .xlsx)")
    return target


def _no_text() -> tuple[str, ...]:
    """What the names of workbooks end in."""
    return (*(suffix for each in FORMATS if each.in_place for suffix in each.suffixes), ".xls")


def _is_new(opened: Opened, target: Path) -> bool:
    """Whether the scores go to a new file of another kind."""
    return target.suffix.lower() == (".csv" if opened.format.in_place else ".xlsx")


def _writer(
    opened: Opened, target: Path, own: SheetFile, cells: Sequence[Sequence[Cell]], block: Block
) -> Callable[[Path], None]:
    """What writes the file with the scores: as the file itself is written, or a new one."""
    if not _is_new(opened, target):
        return partial(own.write, block)
    texts = opened.format.in_place or isinstance(opened.rows, Source)  # of which numbers are numbers already
    return partial(write_new, grid=as_values(cells if texts else with_numbers(cells)), block=block)


def _sheet(opened: Opened, target: Path, own: str = "") -> str:
    """The sheet that has the scores, before their place in it."""
    name = (SHEET if target.suffix.lower() == ".xlsx" else "") if _is_new(opened, target) else own
    return f"sheet {sheet_title(name)}, " if name else ""


def _listing(source: Source, options: Options) -> tuple[Source, Results, Listing, Sequence[int]]:
    """A file's rows, their results, these as rows of a sheet, and what messages call these rows.

    The rows are the file's own, or else there is one for each result.
    """
    if source.own is not None:
        results, own = source.read(options.rounds), source.own()
        place = {number: at for at, number in enumerate(own.numbers)}
        under = [place[row] for row in results.row.tolist()]
        return source, results, Listing(results, own.cells, under, own.headings), own.numbers
    listed = as_listed(source)
    results = listed.read(options.rounds)
    cells = as_grid(listed, results)
    listing = Listing(renumbered(results), cells, range(len(results)), tuple(map(str, cells[0])))
    return listed, results, listing, range(2, len(cells) + 1)


def _place(block: Block) -> str:
    """Where the columns of a block are, for people."""
    last = cell_name(block.top, block.left + len(block.columns) - 1)
    return f"{cell_name(block.top, block.left)} to {last} and below"
