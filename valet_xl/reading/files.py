"""Files of results: what a file is, by its content, and its rows read as results."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from valet_xl.documents import access
from valet_xl.documents.disk import read_file
from valet_xl.documents.text import Text, decode, read_text
from valet_xl.engine.options import Options
from valet_xl.engine.results import Results
from valet_xl.errors import FileError, SheetError
from valet_xl.reading import bridgemate, pbn, usebio, valet_text
from valet_xl.reading.csv_file import CsvFile
from valet_xl.reading.grid import Reading, read_grid
from valet_xl.reading.headings import Grid, find_headings
from valet_xl.reading.source import Source

if TYPE_CHECKING:  # its libraries are loaded where a workbook is
    from valet_xl.documents.ods import OdsBook, Writer
    from valet_xl.documents.xlsx import Workbook

WORKBOOKS = (".xlsx", ".xlsm", ".ods")
_PACKED = (b"PK\3\4", b"\xd0\xcf\x11\xe0")  # a zip package; an old .xls, or one with a password
_EXPECTED = "expected a workbook, .csv, Valet text, USEBIO, PBN or a Bridgemate .bws"


@dataclass(frozen=True, slots=True)
class Content:
    """A file's rows as they stand in it, and the results that they were read as."""

    source: Source
    results: Results


def read_results(
    path: str | Path,
    *,
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
        refuse_names(names, "a workbook")
        book = open_workbook(path)
        page = book.read(sheet_of(book, sheet))
        return _of_grid("sheet", page.cells, read_grid(page.cells, options, page.tables))
    refuse_sheet(path, sheet)
    text = None if data.startswith(access.BEGINNINGS) else read_text_file(path, data)
    if text is not None and is_table(text.text):
        refuse_names(names, "a CSV file")
        grid = CsvFile.parse(text.text).grid
        return _of_grid("CSV", grid, read_grid(grid, options), text.encoding)
    source = read_source(path, data, text, names)
    return Content(source, source.read(options.rounds))


def read_source(path: Path, data: bytes, text: Text | None, names: str | Path | None) -> Source:
    """The rows of a file that is neither a workbook nor a CSV file; without a text it is a database."""
    try:
        if text is not None and valet_text.looks_like_scores(text.text):
            return valet_text.read_source(text.text, names_beside(path, names), text.encoding)
        refuse_names(names, f"{path.name}")
        if text is None:
            return bridgemate.read_source(data)
        if _is_xml(text.text):
            return usebio.read_source(_undeclared(text.text), text.encoding)
        return pbn.read_source(text.text, text.encoding)
    except FileError as error:
        raise FileError(f"{path}: {error}") from error


def _is_xml(text: str) -> bool:
    return text.lstrip().startswith("<")


def is_table(text: str) -> bool:
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


def refuse_names(names: str | Path | None, what: str) -> None:
    """Refuse a file of names for a format that has its own."""
    if names is not None:
        raise FileError(f"{names}: names go with Valet text, not with {what}")


def refuse_sheet(path: Path, sheet: str | None) -> None:
    """Refuse a sheet's name for a file that has no sheets."""
    if sheet is not None:
        raise SheetError(f"{path}: has no sheets (expected a workbook where a sheet is named)")


def open_workbook(path: Path, write_ods: Writer | None = None) -> Workbook | OdsBook:
    """Open a workbook, .ods or .xlsx; the libraries are loaded for these alone."""
    from valet_xl.documents.ods import OdsBook  # noqa: PLC0415 - lxml and calamine are loaded for workbooks alone
    from valet_xl.documents.xlsx import Workbook  # noqa: PLC0415

    return OdsBook.open(path, write_ods) if path.suffix.lower() == ".ods" else Workbook.open(path)


def sheet_of(book: Workbook | OdsBook, sheet: str | None) -> str:
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


def read_text_file(path: Path, data: bytes) -> Text:
    """The text of a file that is no workbook, and its encoding."""
    text = Text("\0", "") if data.startswith(_PACKED) else read_text(data)
    if "\0" in text.text:
        raise FileError(f"{path}: is not a text file ({_EXPECTED})")
    return text


def names_beside(path: Path, names: str | Path | None) -> dict[str, str]:
    """The names of a Valet tournament's players, from the file that is named or lies beside the scores."""
    beside = path.with_name("names.txt")
    if names is None and not beside.is_file():
        return {}
    return valet_text.read_names(decode(read_file(Path(names or beside))))
