"""Files of results: the list of formats, which one a file is of, and its rows read as results."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, overload

from valet_xl.engine.options import Options
from valet_xl.engine.results import Results
from valet_xl.errors import FileError, SheetError
from valet_xl.reading.columns import Columns
from valet_xl.reading.formats import Asked, File, Format, SheetFile
from valet_xl.reading.headings import column_of
from valet_xl.reading.source import Source
from valet_xl.reading.written_once import fill_down

if TYPE_CHECKING:
    from valet_xl.reading.grid import Reading


class _Formats(Sequence[Format]):
    """The records of formats; the module of one is loaded when it is looked at.

    places : for each its module in `valet_xl.reading`, and its name there
    """

    def __init__(self, *places: tuple[str, str]) -> None:
        self._places = places

    def __len__(self) -> int:
        return len(self._places)

    @overload
    def __getitem__(self, at: int) -> Format: ...
    @overload
    def __getitem__(self, at: slice) -> Sequence[Format]: ...
    def __getitem__(self, at: int | slice) -> Format | Sequence[Format]:
        if isinstance(at, slice):
            return _Formats(*self._places[at])
        module, name = self._places[at]
        found: Format = getattr(import_module(f"valet_xl.reading.{module}"), name)
        return found


FORMATS: Sequence[Format] = _Formats(
    ("workbooks", "ODS"),
    ("workbooks", "EXCEL"),
    ("parquet", "FORMAT"),
    ("bridgemate", "FORMAT"),
    ("valet_text", "FORMAT"),
    ("web_page", "FORMAT"),
    ("usebio", "FORMAT"),
    ("pbn", "FORMAT"),
    ("bbo_extractor", "FORMAT"),
    ("lin", "FORMAT"),
    ("acbl", "FORMAT"),
    ("csv_file", "FORMAT"),
)
"""All formats, in the order in which they are tried; the last takes any text."""


@dataclass(frozen=True, slots=True)
class Opened:
    """A file whose format is known, and its rows before they are read as results."""

    file: File
    format: Format
    rows: Source | SheetFile


@dataclass(frozen=True, slots=True)
class Content:
    """A file's rows, and the results that they were read as."""

    source: Source
    results: Results


def read_results(
    path: str | Path,
    *,
    sheet: str | None = None,
    names: str | Path | None = None,
    result_is: str = "auto",
    rounds: str = "auto",
    language: str = "auto",
) -> Results:
    """Read the results in a file: a workbook, CSV, the Valet program's scores.txt, USEBIO, PBN or a Bridgemate's .bws.

    The content of a file says what it is.

    Parameters
    ----------
    path : the file
    sheet : of a workbook, the sheet; without it the sheet that it opens with, or else the only one that has results
    names : for Valet text, the file of names; without it names.txt in the same folder, if present
    result_is : how the results in sheets and CSV files are written: "auto", "made", "tricks" or "odd", as in `OPTIONS`
    rounds : as in `read_rows`
    language : of the suits, seats and cards in sheets and CSV files: "auto", or one of `LANGUAGES`

    Returns
    -------
    the results; what is wrong in rows is in their `errors`

    Raises
    ------
    FileError : where the file cannot be used
    SheetError : where it has no results
    OptionError : for an unknown option
    """
    options = Options(result_is=result_is, rounds=rounds, language=language)
    return read_content(Path(path), sheet, names, options).results


def read_content(path: Path, sheet: str | None, names: str | Path | None, options: Options) -> Content:
    """Read a file's results together with its rows: parameters and errors are those of `read_results`."""
    opened = open_results(path, sheet, names)
    rows, name = opened.rows, opened.format.name
    del opened  # the bytes of the file with it
    if isinstance(rows, Source):
        return Content(rows, rows.read(options.rounds))
    from valet_xl.reading.grid import read_grid  # noqa: PLC0415 - it loads all shapes of sheets

    reading = read_grid(rows.page.cells, options, rows.page.tables)
    return Content(source_of(name, rows, reading), reading.results)


def open_results(path: Path, sheet: str | None = None, names: str | Path | None = None) -> Opened:
    """Read a file's rows, whatever its format: parameters and errors are those of `read_results`."""
    file = File.of(path)
    kind = format_of(file)
    if sheet is not None and not kind.sheets:
        raise SheetError(f"{path}: has no sheets (expected a workbook where a sheet is named)")
    if names is not None and not kind.names:
        raise FileError(f"{names}: names go with {files_listed(names=True)}, not with {kind.file}")
    try:
        rows = kind.read(file, Asked(sheet, None if names is None else Path(names)))
    except FileError as error:
        raise error if path.name in str(error) else FileError(f"{path}: {error}") from error
    return Opened(file, kind, rows)


def sheets_of(path: Path) -> tuple[str, ...]:
    """The names of a workbook's sheets, in the order of their tabs; none for a file of another kind.

    Raises
    ------
    FileError : where the file cannot be used
    """
    file = File.of(path)
    kind = format_of(file)
    return kind.sheets(file) if kind.sheets else ()


def format_of(file: File) -> Format:
    """The format of a file.

    Raises
    ------
    FileError : where it is of none
    """
    if not file.data or file.data.isspace():
        raise FileError(f"{file.path}: is empty (expected {files_listed()})")
    found = next((each for each in FORMATS if each.recognise(file)), None)
    if found is None:
        raise FileError(f"{file.path}: is not a text file (expected {files_listed()})")
    return found


def files_listed(names: bool = False) -> str:
    """What files are read, for messages; with `names`, those that a file of names goes with.

    >>> files_listed().partition(", ")[0], files_listed().rpartition(" or ")[2]
    ('a workbook', 'a CSV file')
    """
    *most, last = dict.fromkeys(each.file for each in FORMATS if each.names or not names)
    return f"{', '.join(most)} or {last}" if most else last


def source_of(kind: str, file: SheetFile, reading: Reading) -> Source:
    """The rows of a sheet that have results."""
    body, rows = range(reading.headings.row + 1, reading.last + 1), reading.results.row
    cells = {name: column_of(reading.shaped.cells, body, at) for name, at in reading.headings.columns.items()}
    table = Columns(cells, range(body.start + 1, body.stop + 1), {})
    fill_down(table, once=True)
    fields = table.at(rows - body.start - 1).columns
    numbers, errors = rows.tolist(), reading.shaped.wrong
    wrong = {at: error for at, row in enumerate(numbers) if (error := errors.get(row))} if errors else {}
    name = kind if reading.is_usual else f"{kind} ({reading.shape})"
    conventions = replace(reading.conventions, once=False)  # they are filled down already
    names = reading.headings.names
    return Source(name, fields, numbers, "row", file.encoding, names, wrong, conventions=conventions)
