"""Files of results, read and scored: workbooks, CSV files and Valet text."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from valet_xl.cell_names import cell_name
from valet_xl.errors import FileError, SheetError
from valet_xl.files import read_file, replace_file
from valet_xl.formats import valet_text
from valet_xl.formats.csv_file import CsvFile, harmless, write_csv
from valet_xl.formats.table import find_headings
from valet_xl.formats.text import decode
from valet_xl.results import Results
from valet_xl.scoring import Options, Summary, score_columns, summarise
from valet_xl.scoring_sheet import Block, block_of, read_grid, score_grid

if TYPE_CHECKING:  # its libraries are loaded where a workbook is
    from valet_xl.workbook import Workbook

WORKBOOKS = (".xlsx", ".xlsm")
STEPS = ("reading", "scoring", "writing")
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


def read_results(
    path: str | Path,
    sheet: str | None = None,
    names: str | Path | None = None,
    result_is: str = "made",
    rounds: str = "auto",
) -> Results:
    """Read the results in a file: .xlsx, .xlsm, .csv or the Valet program's scores.txt.

    Parameters
    ----------
    path : the file
    sheet : of a workbook, the sheet; without it the sheet that it opens with, or else the only one that holds results
    names : for Valet text, the file of names; without it names.txt in the same folder, if there is one
    result_is, rounds : as `read_rows` takes them

    Returns
    -------
    the results; what is wrong in rows is in their `errors`

    Raises
    ------
    FileError : where the file cannot be used
    SheetError : where it holds no results
    ValueError : for an unknown option
    """
    options = Options(result_is=result_is, rounds=rounds)
    path = Path(path)
    if path.suffix.lower() in WORKBOOKS:
        book = _workbook(path)
        page = book.read(_sheet(book, sheet))
        return read_grid(page.cells, options, page.tables).results
    text = _text(path)
    if valet_text.looks_like_scores(text):
        return valet_text.read_scores(text, _names(path, names))
    return read_grid(CsvFile.parse(text).grid, options).results


def score_file(
    path: Path,
    output: Path | None = None,
    sheet: str | None = None,
    names: Path | None = None,
    options: Options | None = None,
    step: Callable[[str], None] = lambda name: None,
) -> Outcome:
    """Score the results in a file.

    Parameters
    ----------
    path : .xlsx, .xlsm, .csv or Valet text
    output : the file to write; without it a workbook is changed in place, and others get `-scored.csv` behind their
        name
    sheet, names : as in `read_results`
    options : how to score
    step : told the name of each step when it begins (see `STEPS`)

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
        if names is not None:
            raise FileError(f"{names}: names go with Valet text, not with a workbook")
        return _score_workbook(path, output or path, sheet, options, step)
    if sheet is not None:
        raise SheetError(f"{path}: has no sheets (expected a workbook where a sheet is named)")
    target = output or path.with_name(f"{path.stem}-scored.csv")
    if target.suffix.lower() in (*WORKBOOKS, ".xls", ".ods"):
        raise FileError(f"{target}: {path.name} is scored to text (expected a name such as {path.stem}-scored.csv)")
    step("reading")
    text = _text(path)
    if valet_text.looks_like_scores(text):
        return _score_valet_text(text, _names(path, names), target, options, step)
    return _score_csv(text, target, options, step)


def _score_workbook(
    path: Path, output: Path, sheet: str | None, options: Options, step: Callable[[str], None]
) -> Outcome:
    if output.suffix.lower() != path.suffix.lower():
        raise FileError(f"{output}: a copy of {path.name} must end in {path.suffix} too")
    step("reading")
    book = _workbook(path)
    name = _sheet(book, sheet)
    page = book.read(name)
    step("scoring")
    scored = score_grid(page.cells, options, page.tables)
    step("writing")
    book.put(name, scored.block)
    book.save(output)
    place = f"sheet {name}, {_place(scored.block)}"
    return Outcome(scored.summary, output, place, scored.read, scored.unread)


def _score_csv(text: str, target: Path, options: Options, step: Callable[[str], None]) -> Outcome:
    file = CsvFile.parse(text)
    step("scoring")
    scored = score_grid(file.grid, options)
    step("writing")
    replace_file(target, write_csv(_with_block(file.grid, scored.block), file.delimiter, file.decimal))
    return Outcome(scored.summary, target, _place(scored.block), scored.read, scored.unread)


def _score_valet_text(
    text: str, names: Mapping[str, str], target: Path, options: Options, step: Callable[[str], None]
) -> Outcome:
    results = valet_text.read_scores(text, names)
    step("scoring")
    columns = score_columns(results, options)
    step("writing")
    numbers, rows = valet_text.as_table(text, names)
    at = {number: place for place, number in enumerate(numbers)}
    under = [at[number] for number in results.row.tolist()]
    block = block_of(columns, options, under, len(numbers), left=len(rows[0]))
    table = [[None if cell is None else harmless(cell) for cell in row] for row in rows]
    replace_file(target, write_csv(_with_block(table, block)))
    return Outcome(summarise(results, columns), target, _place(block), valet_text.HEADINGS)


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


def _workbook(path: Path) -> Workbook:
    from valet_xl.workbook import Workbook  # noqa: PLC0415 - lxml and calamine are loaded for workbooks alone

    return Workbook.open(path)


def _sheet(book: Workbook, sheet: str | None) -> str:
    """The sheet that was asked for; else the one shown if it has a heading row; else the only one that has."""
    if sheet is not None:
        return sheet
    try:
        find_headings(book.read(book.active).cells)
    except SheetError as error:
        others = [name for name in book.sheet_names if name != book.active and _has_headings(book, name)]
        if len(others) == 1:
            return others[0]
        if others:
            raise SheetError(f"several sheets hold results: {', '.join(others)} (name one with --sheet)") from error
        raise SheetError(f"sheet {book.active}: {error}") from error
    return book.active


def _has_headings(book: Workbook, sheet: str) -> bool:
    try:
        find_headings(book.read(sheet).cells)
    except (FileError, SheetError):
        return False
    return True


def _text(path: Path) -> str:
    """The text of a file that is no workbook."""
    data = read_file(path)
    if data.startswith((b"PK\3\4", b"\xd0\xcf\x11\xe0")):
        raise FileError(f"{path}: is not a text file (expected .xlsx, .xlsm, .csv or Valet text)")
    text = decode(data)
    if "\0" in text:
        raise FileError(f"{path}: is not a text file (expected .xlsx, .xlsm, .csv or Valet text)")
    return text


def _names(path: Path, names: str | Path | None) -> dict[str, str]:
    """The names of a Valet tournament's players, from the file that is named or lies beside the scores."""
    beside = path.with_name("names.txt")
    if names is None and not beside.is_file():
        return {}
    return valet_text.read_names(decode(read_file(Path(names or beside))))
