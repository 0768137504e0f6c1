"""A file of results in any format that is read, written as a results sheet ready to be scored."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from valet_xl.documents.parquet import ENDING
from valet_xl.engine.options import Options
from valet_xl.engine.results import Results
from valet_xl.reading.files import read_content
from valet_xl.reading.source import Source
from valet_xl.sheets.list_results import as_grid
from valet_xl.sheets.new_file import RESULTS, need_new, write_new


@dataclass(frozen=True, slots=True)
class Converted:
    """What was read, and the file that was written."""

    source: Source
    results: Results
    written: Path


def convert_file(
    path: Path,
    output: Path | None = None,
    *,
    sheet: str | None = None,
    names: Path | None = None,
    options: Options | None = None,
) -> Converted:
    """Write a file's results as a sheet with one heading row, which reads back to the same results.

    Parameters
    ----------
    path : a file of any format that `read_results` reads
    output : the file to write, .xlsx, .csv or .parquet; without it `-results.xlsx` is put behind the name
    sheet, names : as in `read_results`
    options : of which `result_is` and `rounds` are used

    Raises
    ------
    FileError, SheetError : as `read_results`, and where the output cannot be written; nothing is then changed
    OptionError : for an unknown option
    """
    target = output or path.parent / f"{path.stem}-results.xlsx"
    need_new(target, path, RESULTS)
    content = read_content(path, sheet, names, options or Options())
    if target.suffix.lower() == ENDING:
        from valet_xl.sheets.parquet_file import write_results  # noqa: PLC0415 - with what only Parquet needs

        write_results(target, content.results, content.source.announced.title or path.stem)
    else:
        write_new(target, as_grid(content.source, content.results))
    return Converted(content.source, content.results, target)
