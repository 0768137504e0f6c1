"""The commands behind the ribbon. Each gives what the user is to be told, '' for nothing: the add-in shows it."""

from __future__ import annotations

import functools
import logging
import platform
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from importlib.metadata import version
from typing import Any

import xlwings as xw

from valet_xl.documents.page import Page
from valet_xl.engine.options import Options
from valet_xl.errors import SheetError, ValetError
from valet_xl.hosts.new_sheets import WITHOUT, ranking_sheet
from valet_xl.hosts.new_sheets import function_list as function_list_sheet
from valet_xl.messages import counted, listed, sentence
from valet_xl.reading.grid import Reading, former_block, read_grid
from valet_xl.reading.headings import find_headings
from valet_xl.sheets.score_sheet import score_grid
from valet_xl_excel.cells import Read
from valet_xl_excel.sheet import add_sheet, read_page, remove_columns, select, write_block

NAMES = "valet_xl_"
"""What the names begin with under which a workbook keeps its settings; the rest is the option's name."""
SETTINGS = ("method", "lead", "datum", "cloud")

_log = logging.getLogger(__name__)


def _command(work: Callable[..., str]) -> Callable[..., str]:
    """A command on a book, the one that is shown if none is given by name, whose errors are its message."""

    @functools.wraps(work)
    def run(*given: str, book: xw.Book | None = None) -> str:
        try:
            return work(book or xw.Book.caller(), *given)
        except ValetError as error:
            return sentence(error)
        except Exception as error:
            _log.exception("%s failed", work.__name__)
            return f"Excel or the add-in could not do that: {_reason(error)}"

    return run


@_command
def score_sheet(book: xw.Book) -> str:
    """Score the sheet that is shown, and select the first row that was not understood."""
    sheet = _shown_sheet(book)
    with _progress(book) as tell:
        tell("reading")
        page = read_page(sheet)
        tell(f"scoring {len(page.cells):,} rows")
        scored = score_grid(page.cells, settings(book), page.tables)
        tell(f"writing {len(scored.block.columns)} columns of {len(scored.block.columns[0].cells):,} rows")
        with book.app.properties(screen_updating=False):
            write_block(sheet, page, scored.block)
        summary = scored.summary
        told = (
            f"{summary.scored:,} of {counted(summary.results, 'result')} on {counted(summary.boards, 'board')} scored"
        )
        tell("; ".join([told, *summary.unscored][:4]))
    if not summary.errors:
        return ""
    _select_row(sheet, scored.block.left, summary.errors[0].row)
    return listed(f"{told}. Not understood:", map(str, summary.errors))


@_command
def check_results(book: xw.Book) -> str:
    """Tell which rows are not understood, and select the first."""
    sheet = _shown_sheet(book)
    with _progress(book) as tell:
        tell("reading")
        reading = _reading(read_page(sheet))
        tell("checked")
    results = reading.results
    passed = f" Rows without a result: {', '.join(map(str, results.skipped[:20]))}." if results.skipped else ""
    if not results.errors:
        held = f"{counted(len(results), 'result')} on {counted(len(results.boards), 'board')}"
        return f"{held}, nothing wrong.{passed}"
    _select_row(sheet, reading.left, results.errors[0].row)
    wrong = len({error.row for error in results.errors})
    return listed(f"{counted(wrong, 'row')} not understood.{passed}", map(str, results.errors))


@_command
def rank_pairs(book: xw.Book) -> str:
    """Rank the pairs of the sheet that is shown, on a new sheet."""
    sheet = _shown_sheet(book)
    with _progress(book) as tell:
        tell("reading")
        results = _reading(read_page(sheet)).results
        tell(f"ranking the pairs of {counted(len(results), 'result')}")
        new = ranking_sheet(results, settings(book), [each.name for each in book.sheets])
        with book.app.properties(screen_updating=False):
            add_sheet(book, new)
        tell(f"{counted(len(new.table), 'pair')} ranked")
    return listed(WITHOUT, map(str, results.errors)) if results.errors else ""


@_command
def undo_scoring(book: xw.Book) -> str:
    """Take out the columns that scoring wrote, and no others."""
    sheet = _shown_sheet(book)
    with _progress(book) as tell:
        tell("reading")
        page = read_page(sheet)
        top = find_headings(page.cells).row
        former = former_block(page.cells[top])
        if former is None:
            return "Nothing to undo: this sheet has no columns that scoring wrote."
        left, width = former
        tell(f"removing {width} columns")
        with book.app.properties(screen_updating=False):
            remove_columns(sheet, page, top, left, _last_written(page, _reading(page)), width)
        tell(f"{width} columns removed")
    return ""


@_command
def function_list(book: xw.Book) -> str:
    """Show a sheet that lists the worksheet functions; it is written if the workbook has none."""
    listed_functions = function_list_sheet()
    if listed_functions.name in [sheet.name for sheet in book.sheets]:
        book.sheets[listed_functions.name].api.Activate()
        return ""
    with book.app.properties(screen_updating=False):
        add_sheet(book, listed_functions)
    return ""


@_command
def about(_book: xw.Book, addin: str, addin_xlwings: str) -> str:
    """Tell the versions, and what to do where they do not fit.

    Parameters
    ----------
    addin, addin_xlwings : the versions of the add-in, and of xlwings that it was built with
    """
    own = version("valet-xl")
    lines = [
        f"valet_xl {own}, add-in {addin}",
        f"xlwings {xw.__version__}, in the add-in {addin_xlwings}",
        f"Python {platform.python_version()}, {platform.architecture()[0]}",
    ]
    if (own, xw.__version__) != (addin, addin_xlwings):
        lines.append("\nThe versions differ. In a terminal: valet-xl addin install")
    return "\n".join(lines)


def settings(book: xw.Book) -> Options:
    """How to score, as a workbook remembers it; what it does not hold, or not in our words, is the default."""
    options = Options()
    for setting in SETTINGS:
        text = _remembered(book, NAMES + setting)
        changes: dict[str, Any] = {setting: text == "TRUE" if setting == "cloud" else text}
        try:
            options = replace(options, **changes) if text else options
        except ValueError:
            _log.warning("%s%s is %r in %s", NAMES, setting, text, book.name)
    return options


def _remembered(book: xw.Book, name: str) -> str:
    """What stands under a name, '' where there is none."""
    kept = book.names[name].refers_to if name in book.names else None
    return (kept or "").removeprefix("=").strip('"')


def _shown_sheet(book: xw.Book) -> xw.Sheet:
    """The worksheet that is shown.

    Raises
    ------
    SheetError : for a sheet of another kind, such as a chart
    """
    shown = book.api.ActiveSheet.Name
    for sheet in book.sheets:
        if sheet.name == shown:
            return sheet
    raise SheetError("the sheet that is shown has no cells (show a worksheet, then try again)")


def _reading(page: Page[Read]) -> Reading:
    return read_grid(page.cells, Options(), page.tables)


def _last_written(page: Page[Read], reading: Reading) -> int:
    """The last row with scores: below the results there may be rows with nothing else, whose results are gone."""
    last = reading.last
    while last + 1 < len(page.cells):
        filled = [column for column, cell in enumerate(page.cells[last + 1]) if cell is not None]
        if not filled or filled[0] < reading.left or filled[-1] >= reading.left + reading.replaces:
            break
        last += 1
    return last


def _select_row(sheet: xw.Sheet, left: int, row: int) -> None:
    """Select what stands left of the scores in a row, which counts from 1."""
    page_left = sheet.used_range.column - 1
    select(sheet, row - 1, min(page_left, left - 1), left - 1)


@contextmanager
def _progress(book: xw.Book) -> Iterator[Callable[[str], None]]:
    """Give what shows a text in the status bar; the last one stays, unless something fails."""
    app = book.app

    def tell(text: str) -> None:
        app.status_bar = f"Bridge: {text}"

    done = False
    try:
        yield tell
        done = True
    finally:
        if not done:
            app.status_bar = False


def _reason(error: Exception) -> str:
    """What went wrong, in Excel's own words where it said some."""
    details = error.args[2] if len(error.args) > 2 else None
    said = details[2] if isinstance(details, tuple) and len(details) > 2 else None
    return str(said or error or type(error).__name__)
