"""Files of results, scored: workbooks in place, others and sheets with several results in a row to a new file."""

from __future__ import annotations

from collections.abc import Callable, Collection
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from valet_xl.documents.cell_names import cell_name, sheet_title
from valet_xl.documents.page import Block
from valet_xl.engine.options import OPTIONS, Options
from valet_xl.engine.results import Results
from valet_xl.engine.score_results import Summary
from valet_xl.errors import FileError
from valet_xl.reading.csv_file import csv_table
from valet_xl.reading.event_options import event_options
from valet_xl.reading.files import FORMATS, Opened, open_results, source_of
from valet_xl.reading.formats import SheetFile
from valet_xl.reading.grid import Reading, read_grid
from valet_xl.reading.source import Source
from valet_xl.sheets.list_results import as_grid, as_listed, renumbered
from valet_xl.sheets.new_file import SHEET, need_new, write_new
from valet_xl.sheets.score_sheet import Listing, score_listing, score_reading

if TYPE_CHECKING:  # its libraries are loaded for workbooks alone
    from valet_xl.documents.ods import Writer

_NO_TEXT = (*(suffix for each in FORMATS if each.in_place for suffix in each.suffixes), ".xls")

SCORE_STEPS = ("reading", "scoring", "writing")
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


def score_file(
    path: Path,
    output: Path | None = None,
    *,
    sheet: str | None = None,
    names: Path | None = None,
    options: Options | None = None,
    asked: Collection[str] = tuple(OPTIONS),
    step: Callable[[str], None] = lambda name: None,
    write_ods: Writer | None = None,
) -> Outcome:
    """Score the results in a file.

    Parameters
    ----------
    path : a file of any format that `read_results` reads
    output : the file to write; without it a workbook is changed in place, and the scores of any other file go to one
        whose name ends in `-scored.csv`; a sheet with several results in a row is not changed, and a new file has a row
        for each, a workbook's `-scored.xlsx`
    sheet, names : as in `read_results`
    options : how to score
    asked : the options that count whatever the file says about its event; all of them, if none are named
    step : called with the name of each step when it begins (see `SCORE_STEPS`)
    write_ods : what writes .ods files, which a host does; without it they are refused

    Returns
    -------
    what was scored, and where to look

    Raises
    ------
    FileError, SheetError : as `read_results`, and where the output cannot be written; nothing is then changed
    OptionError : for an unknown option
    """
    options = options or Options()
    step("reading")
    opened = open_results(path, sheet, names, write_ods)
    rows, shape = opened.rows, ""
    taken: list[str] = []
    if isinstance(rows, SheetFile):
        reading = read_grid(rows.page.cells, options, rows.page.tables)
        shape = "" if reading.is_usual else reading.shape
        if not reading.shaped.in_place:
            return _score_anew(opened, rows, reading, output, options, step)
        target = _target(opened, output)
        step("scoring")
        scored = score_reading(rows.page.cells, reading, options)
    else:
        target = _target(opened, output)
        source, results, listing = _listing(rows, options)
        options, taken = event_options([(path.name, source, results)], options, asked)
        step("scoring")
        scored = score_listing(listing, options)
        rows = csv_table(listing.cells)
    step("writing")
    rows.write(scored.block, target)
    where = f"sheet {sheet_title(rows.sheet)}, " if rows.sheet else ""
    return Outcome(
        scored.summary, target, where + _place(scored.block), scored.read, scored.unread, shape, tuple(taken)
    )


def _score_anew(
    opened: Opened,
    rows: SheetFile,
    reading: Reading,
    output: Path | None,
    options: Options,
    step: Callable[[str], None],
) -> Outcome:
    """Score a sheet with several results in a row into a new file with a row for each."""
    path = opened.file.path
    target = output or path.with_name(f"{path.stem}-scored{'.xlsx' if opened.format.in_place else '.csv'}")
    need_new(target, path)
    step("scoring")
    cells = as_grid(source_of(opened.format.name, rows, reading), reading.results)
    listing = Listing(renumbered(reading.results), cells, range(len(reading.results)), tuple(map(str, cells[0])))
    scored = score_listing(listing, options)
    step("writing")
    write_new(target, cells, scored.block)
    where = f"sheet {SHEET}, " if target.suffix.lower() == ".xlsx" else ""
    return Outcome(scored.summary, target, where + _place(scored.block), scored.read, shape=reading.shape)


def _target(opened: Opened, output: Path | None) -> Path:
    """The file to write; it must be of the kind that the scores are written as."""
    path = opened.file.path
    if opened.format.in_place:
        if output is not None and output.suffix.lower() != opened.file.suffix:
            raise FileError(f"{output}: a copy of {path.name} must end in {path.suffix} too")
        return output or path
    target = output or path.with_name(f"{path.stem}-scored.csv")
    if target.suffix.lower() in _NO_TEXT:
        raise FileError(f"{target}: {path.name} is scored to text (expected a name such as {path.stem}-scored.csv)")
    return target


def _listing(source: Source, options: Options) -> tuple[Source, Results, Listing]:
    """A file's rows, their results, and these as rows of a sheet: the file's own, or else a row for each result."""
    if source.own is not None:
        results, own = source.read(options.rounds), source.own()
        place = {number: at for at, number in enumerate(own.numbers)}
        under = [place[row] for row in results.row.tolist()]
        return source, results, Listing(results, own.cells, under, own.headings)
    listed = as_listed(source)
    results = listed.read(options.rounds)
    cells = as_grid(listed, results)
    listing = Listing(renumbered(results), cells, range(len(results)), tuple(map(str, cells[0])))
    return listed, results, listing


def _place(block: Block) -> str:
    """Where the columns of a block are, for people."""
    last = cell_name(block.top, block.left + len(block.columns) - 1)
    return f"{cell_name(block.top, block.left)} to {last} and below"
