"""Files of results, scored: workbooks in place, all others to CSV."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from valet_xl.documents import access
from valet_xl.documents.cell_names import cell_name
from valet_xl.documents.disk import read_file, replace_file
from valet_xl.documents.page import Block
from valet_xl.engine.options import Options
from valet_xl.engine.scoring import Summary, score_results, summarise
from valet_xl.errors import FileError
from valet_xl.reading import valet_text
from valet_xl.reading.csv_file import CsvFile, harmless, write_csv
from valet_xl.reading.files import (
    WORKBOOKS,
    is_table,
    names_beside,
    open_workbook,
    read_source,
    read_text_file,
    refuse_names,
    refuse_sheet,
    sheet_of,
)
from valet_xl.reading.headings import Grid
from valet_xl.sheets.results_sheet import as_grid
from valet_xl.sheets.score_sheet import block_of, score_grid

if TYPE_CHECKING:  # its libraries are loaded where a workbook is
    from valet_xl.documents.ods import Writer

SCORE_STEPS = ("reading", "scoring", "writing")
"""The steps of `score_file`, as it names them when they begin."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """What `score_file` did: the summary, the file that it wrote, where in it the new columns are, and what it read.

    read, unread : the headings of the columns that were read, and of those that were not
    """

    summary: Summary
    written: Path
    place: str
    read: tuple[str, ...]
    unread: tuple[str, ...] = ()


def score_file(
    path: Path,
    output: Path | None = None,
    sheet: str | None = None,
    names: Path | None = None,
    options: Options | None = None,
    step: Callable[[str], None] = lambda name: None,
    write_ods: Writer | None = None,
) -> Outcome:
    """Score the results in a file.

    Parameters
    ----------
    path : a file of any format that `read_results` reads
    output : the file to write; without it a workbook is changed in place, and others get `-scored.csv` behind their
        name
    sheet, names : as in `read_results`
    options : how to score
    step : told the name of each step when it begins (see `SCORE_STEPS`)
    write_ods : what writes .ods files, which a host does; without it they are refused

    Returns
    -------
    what was scored, and where to look

    Raises
    ------
    FileError, SheetError : as `read_results`, and where the output cannot be written; nothing is then changed
    ValueError : for an unknown option
    """
    options = options or Options()
    if path.suffix.lower() in WORKBOOKS:
        refuse_names(names, "a workbook")
        return _score_workbook(path, output or path, sheet, options, step, write_ods)
    refuse_sheet(path, sheet)
    target = output or path.with_name(f"{path.stem}-scored.csv")
    if target.suffix.lower() in (*WORKBOOKS, ".xls"):
        raise FileError(f"{target}: {path.name} is scored to text (expected a name such as {path.stem}-scored.csv)")
    step("reading")
    data = read_file(path)
    text = None if data.startswith(access.BEGINNINGS) else read_text_file(path, data)
    if text is not None and valet_text.looks_like_scores(text.text):
        return _score_valet_text(text.text, names_beside(path, names), target, options, step)
    if text is not None and is_table(text.text):
        file = CsvFile.parse(text.text)
        return _score_grid(file.grid, file.delimiter, file.decimal, target, options, step)
    source = read_source(path, data, text, names)
    plain = as_grid(source, source.read(options.rounds))
    grid = [[harmless(cell) if isinstance(cell, str) else cell for cell in row] for row in plain]
    return _score_grid(grid, ",", ".", target, replace(options, result_is="made", rounds="auto"), step)


def _score_workbook(
    path: Path,
    output: Path,
    sheet: str | None,
    options: Options,
    step: Callable[[str], None],
    write_ods: Writer | None,
) -> Outcome:
    if output.suffix.lower() != path.suffix.lower():
        raise FileError(f"{output}: a copy of {path.name} must end in {path.suffix} too")
    step("reading")
    book = open_workbook(path, write_ods)
    name = sheet_of(book, sheet)
    page = book.read(name)
    step("scoring")
    scored = score_grid(page.cells, options, page.tables)
    step("writing")
    book.put(name, scored.block)
    book.save(output)
    place = f"sheet {name}, {_place(scored.block)}"
    return Outcome(scored.summary, output, place, scored.read, scored.unread)


def _score_grid(
    grid: Grid, delimiter: str, decimal: str, target: Path, options: Options, step: Callable[[str], None]
) -> Outcome:
    step("scoring")
    scored = score_grid(grid, options)
    step("writing")
    replace_file(target, write_csv(_with_block(grid, scored.block), delimiter, decimal))
    return Outcome(scored.summary, target, _place(scored.block), scored.read, scored.unread)


def _score_valet_text(
    text: str, names: Mapping[str, str], target: Path, options: Options, step: Callable[[str], None]
) -> Outcome:
    results = valet_text.read_scores(text, names)
    step("scoring")
    scores = score_results(results, options)
    step("writing")
    numbers, rows = valet_text.as_table(text, names)
    at = {number: place for place, number in enumerate(numbers)}
    under = [at[number] for number in results.row.tolist()]
    block = block_of(scores, options, under, len(numbers), left=len(rows[0]))
    table = [[None if cell is None else harmless(cell) for cell in row] for row in rows]
    replace_file(target, write_csv(_with_block(table, block)))
    return Outcome(summarise(results, scores.butler, scores.bid), target, _place(block), valet_text.HEADINGS)


def _with_block(grid: Sequence[Sequence[object]], block: Block) -> list[list[object]]:
    """The rows of a grid with a block's cells in their place, and what stood right of an earlier block behind them."""
    rows: list[list[object]] = []
    for at, row in enumerate(grid):
        under = at - block.top - 1
        if under < -1 or under >= len(block.columns[0].cells):
            rows.append(list(row))
            continue
        cells = (column.name if under == -1 else column.cells[under] for column in block.columns)
        new = [harmless(cell) if isinstance(cell, str) else cell for cell in cells]
        before = [*row[: block.left], *[None] * (block.left - len(row))]
        rows.append([*before, *new, *row[block.left + block.replaces :]])
    return rows


def _place(block: Block) -> str:
    """The columns of a block, as a person finds them."""
    last = cell_name(block.top, block.left + len(block.columns) - 1)
    return f"{cell_name(block.top, block.left)} to {last} and below"
