"""Files of results, read and scored: workbooks, CSV files, Valet text, USEBIO, Bridgemate and PBN files."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from valet_xl.documents import access
from valet_xl.documents.cell_names import cell_name
from valet_xl.documents.disk import read_file, replace_file
from valet_xl.documents.text import Text, decode, read_text
from valet_xl.engine.results import Results
from valet_xl.engine.scoring import Options, Summary, score_columns, summarise
from valet_xl.errors import FileError, SheetError
from valet_xl.reading import bridgemate, pbn, usebio, valet_text
from valet_xl.reading.csv_file import CsvFile, harmless, write_csv
from valet_xl.reading.headings import Grid, find_headings
from valet_xl.reading.source import Source
from valet_xl.sheets.results_sheet import as_grid
from valet_xl.sheets.score_sheet import Block, Reading, block_of, read_grid, score_grid

if TYPE_CHECKING:  # its libraries are loaded where a workbook is
    from valet_xl.documents.ods import OdsBook, Writer
    from valet_xl.documents.xlsx import Workbook

WORKBOOKS = (".xlsx", ".xlsm", ".ods")
STEPS = ("reading", "scoring", "writing")
"""The steps of `score_file`, as it names them when they begin."""
_PACKED = (b"PK\3\4", b"\xd0\xcf\x11\xe0")  # a zip package; an old .xls, or one with a password
_EXPECTED = "expected a workbook, .csv, Valet text, USEBIO, PBN or a Bridgemate .bws"


@dataclass(frozen=True, slots=True)
class Content:
    """A file's rows as they stand in it, and the results that they were read as."""

    source: Source
    results: Results


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
    """Read the results in a file: a workbook, CSV, the Valet program's scores.txt, USEBIO, PBN or a Bridgemate's .bws.

    What a file is, its content tells.

    Parameters
    ----------
    path : the file
    sheet : of a workbook, the sheet; without it the sheet that it opens with, or else the only one that holds results
    names : for Valet text, the file of names; without it names.txt in the same folder, if there is one
    result_is, rounds : as `read_rows` takes them; the first is for sheets and CSV files, others say it themselves

    Returns
    -------
    the results; what is wrong in rows is in their `errors`

    Raises
    ------
    FileError : where the file cannot be used
    SheetError : where it holds no results
    ValueError : for an unknown option
    """
    return read_content(Path(path), sheet, names, Options(result_is=result_is, rounds=rounds)).results


def read_content(path: Path, sheet: str | None, names: str | Path | None, options: Options) -> Content:
    """Read a file's results together with what stands in it: parameters and errors are those of `read_results`."""
    data = read_file(path)
    if path.suffix.lower() in WORKBOOKS or data.startswith(_PACKED):
        _refuse_names(names, "a workbook")
        book = _workbook(path)
        page = book.read(_sheet(book, sheet))
        return _of_grid("sheet", page.cells, read_grid(page.cells, options, page.tables))
    _refuse_sheet(path, sheet)
    text = None if data.startswith(access.BEGINNINGS) else _text(path, data)
    if text is not None and _is_table(text.text):
        _refuse_names(names, "a CSV file")
        grid = CsvFile.parse(text.text).grid
        return _of_grid("CSV", grid, read_grid(grid, options), text.encoding)
    source = _source(path, data, text, names)
    return Content(source, source.read(options.rounds))


def _source(path: Path, data: bytes, text: Text | None, names: str | Path | None) -> Source:
    """The rows of a file that is neither a workbook nor a CSV file; without a text it is a database."""
    try:
        if text is not None and valet_text.looks_like_scores(text.text):
            return valet_text.read_source(text.text, _names(path, names), text.encoding)
        _refuse_names(names, f"{path.name}")
        if text is None:
            return bridgemate.read_source(data)
        if _is_xml(text.text):
            return usebio.read_source(_undeclared(text.text), text.encoding)
        return pbn.read_source(text.text, text.encoding)
    except FileError as error:
        raise FileError(f"{path}: {error}") from error


def _is_xml(text: str) -> bool:
    return text.lstrip().startswith("<")


def _is_table(text: str) -> bool:
    """Whether a text is none of the formats that tell themselves, so that it must be a table."""
    return not (_is_xml(text) or valet_text.looks_like_scores(text) or pbn.looks_like_pbn(text))


def _undeclared(text: str) -> bytes:
    """An XML text in UTF-8, without the declaration, which may say otherwise and must not stand behind blank lines."""
    return re.sub(r"^(\s*)<\?xml\s[^>]*\?>", r"\1", text, count=1).encode("utf-8", "replace")


def _of_grid(kind: str, grid: Grid, reading: Reading, encoding: str = "") -> Content:
    """The rows of a table that hold results."""
    rows = reading.results.row.tolist()
    fields = {
        name: [grid[row - 1][column] if column < len(grid[row - 1]) else None for row in rows]
        for name, column in reading.headings.columns.items()
    }
    source = Source(kind, fields, rows, "row", encoding, reading.headings.names)
    return Content(source, reading.results)


def _refuse_names(names: str | Path | None, what: str) -> None:
    if names is not None:
        raise FileError(f"{names}: names go with Valet text, not with {what}")


def _refuse_sheet(path: Path, sheet: str | None) -> None:
    if sheet is not None:
        raise SheetError(f"{path}: has no sheets (expected a workbook where a sheet is named)")


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
    step : told the name of each step when it begins (see `STEPS`)
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
        _refuse_names(names, "a workbook")
        return _score_workbook(path, output or path, sheet, options, step, write_ods)
    _refuse_sheet(path, sheet)
    target = output or path.with_name(f"{path.stem}-scored.csv")
    if target.suffix.lower() in (*WORKBOOKS, ".xls"):
        raise FileError(f"{target}: {path.name} is scored to text (expected a name such as {path.stem}-scored.csv)")
    step("reading")
    data = read_file(path)
    text = None if data.startswith(access.BEGINNINGS) else _text(path, data)
    if text is not None and valet_text.looks_like_scores(text.text):
        return _score_valet_text(text.text, _names(path, names), target, options, step)
    if text is not None and _is_table(text.text):
        file = CsvFile.parse(text.text)
        return _score_grid(file.grid, file.delimiter, file.decimal, target, options, step)
    source = _source(path, data, text, names)
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
    book = _workbook(path, write_ods)
    name = _sheet(book, sheet)
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


def _workbook(path: Path, write_ods: Writer | None = None) -> Workbook | OdsBook:
    from valet_xl.documents.ods import OdsBook  # noqa: PLC0415 - lxml and calamine are loaded for workbooks alone
    from valet_xl.documents.xlsx import Workbook  # noqa: PLC0415

    return OdsBook.open(path, write_ods) if path.suffix.lower() == ".ods" else Workbook.open(path)


def _sheet(book: Workbook | OdsBook, sheet: str | None) -> str:
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


def _has_headings(book: Workbook | OdsBook, sheet: str) -> bool:
    try:
        find_headings(book.read(sheet).cells)
    except (FileError, SheetError):
        return False
    return True


def _text(path: Path, data: bytes) -> Text:
    """The text of a file that is no workbook, and its encoding."""
    text = Text("\0", "") if data.startswith(_PACKED) else read_text(data)
    if "\0" in text.text:
        raise FileError(f"{path}: is not a text file ({_EXPECTED})")
    return text


def _names(path: Path, names: str | Path | None) -> dict[str, str]:
    """The names of a Valet tournament's players, from the file that is named or lies beside the scores."""
    beside = path.with_name("names.txt")
    if names is None and not beside.is_file():
        return {}
    return valet_text.read_names(decode(read_file(Path(names or beside))))
