"""The commands on an open sheet: each is written once, for every host that can read and write one.

A host implements `OpenSheet`, and gives `run` the name of the command that the user chose. The records in `COMMANDS`
are what its menu, toolbar or ribbon is made from. Nothing in here needs a host's libraries.
"""

from __future__ import annotations

import platform
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Protocol

import numpy as np

from valet_xl.documents.cell_names import Area
from valet_xl.documents.page import Page
from valet_xl.errors import ValetError, one_of
from valet_xl.faults import log_fault, log_file
from valet_xl.functions.catalogue import REGISTRY
from valet_xl.hosts.new_sheets import WITHOUT, ranking_sheet
from valet_xl.hosts.new_sheets import function_list as function_list_sheet
from valet_xl.hosts.settings import REMEMBERED, Memory, choose, is_chosen, settings
from valet_xl.hosts.steps import add, remove, write
from valet_xl.hosts.surface import Surface
from valet_xl.messages import counted, listed, sentence
from valet_xl.rankings.partnerships import partnerships, unnamed_said
from valet_xl.reading.grid import Reading, read_grid
from valet_xl.reading.shape import former_block
from valet_xl.reading.shapes import USUAL, take_shape
from valet_xl.sheets.former_scores import FormerScores
from valet_xl.sheets.score_sheet import score_grid

MOST_SKIPPED = 20  # rows without a result that a message lists


class OpenSheet(Memory, Surface, Protocol):
    """The sheet that a host shows, and its document. Rows and columns count from 0.

    host : what the user calls the program, such as "Excel"
    version : of valet_xl as the host carries it
    """

    host: str

    @property
    def version(self) -> str:
        """The version of valet_xl that works in the host."""
        ...

    def read(self) -> Page:
        """Read the sheet: its cells and tables.

        Raises
        ------
        SheetError : where it has no cells, or is too large
        """
        ...

    def sheet_names(self) -> Iterable[str]:
        """The names of the document's sheets."""
        ...

    def progress(self, text: str) -> None:
        """Show what is being done; the last text says what was done."""
        ...

    def end_progress(self, failed: bool) -> None:
        """The command has ended; where it failed, what was shown last is not true."""
        ...

    def about(self) -> Iterable[str]:
        """The versions of the host's own parts, a line each, and what to do where they do not match."""
        ...

    def reason(self, error: Exception) -> str:
        """What the host says about an error of its own; '' for an error that is not the host's."""
        ...


@dataclass(frozen=True, slots=True)
class Command:
    """A command that every host offers.

    name : what addresses and identifiers are made from
    label : what menus, toolbars and ribbons call it
    sentence : what it does, for a tooltip
    icon : Microsoft's name of the picture on the ribbon
    work : what it does to an open sheet; gives the message for the user, '' for none
    group : where it is shown: `SCORING` before the options, `HELP` after them
    large : whether its button is larger than the others
    """

    name: str
    label: str
    sentence: str
    icon: str
    work: Callable[[OpenSheet], str]
    group: str
    large: bool = False


SCORING, HELP = "Scoring", "Help"
"""The labels of the groups of commands."""


def run(address: str, sheet: OpenSheet) -> str:
    """Do what the user chose.

    Parameters
    ----------
    address : the name of a command; or that of an option that is a switch, to turn it over; or an option's name and
        word, such as `method.iaf`
    sheet : the open one

    Returns
    -------
    the message for the user, of an error too; '' for none
    """
    failed = True
    try:
        message = _done(address, sheet)
        failed = False
    except ValetError as error:
        message = sentence(error)
    except Exception as error:
        message = _fault(address, error, sheet)
    try:
        sheet.end_progress(failed)
    except Exception as error:  # a host that is going away
        message = message or _fault(address, error, sheet)
    return message


def chosen(address: str, sheet: OpenSheet) -> bool | None:
    """Whether a switch is on, or an option has the word of an address (`run`); None for the address of a command."""
    name, _, word = address.partition(".")
    return is_chosen(sheet, name, word) if name in REMEMBERED else None


def _done(address: str, sheet: OpenSheet) -> str:
    name, _, word = address.partition(".")
    if name in REMEMBERED:
        choose(sheet, name, word)
        return ""
    one_of("command", address, COMMANDS)
    return COMMANDS[address].work(sheet)


def _fault(address: str, error: Exception, sheet: OpenSheet) -> str:
    """Log an error that the user did not make; gives what happened, and the file that has the traceback."""
    during = COMMANDS[address].label if address in COMMANDS else address
    logged = log_fault(error, during)
    said = sheet.reason(error)
    if not said:
        return sentence(logged)
    try:
        return f"{sheet.host} could not do that: {said} (details are in {log_file()})"
    except RuntimeError:  # nobody's home folder, so nothing was logged
        return f"{sheet.host} could not do that: {said}"


# -- the commands


def _score(sheet: OpenSheet) -> str:
    """Score the sheet, and select the first row that cannot be read."""
    sheet.progress("reading")
    page = sheet.read()
    sheet.progress(f"scoring {counted(len(page.cells), 'row')}")
    scored = score_grid(page.cells, settings(sheet), page.tables)
    columns = scored.block.columns
    size = counted(len(columns[0].cells), "row")
    sheet.progress(f"writing {counted(len(columns), 'column')} of {size}")
    write(sheet, page, scored.block, COMMANDS["score"].label)
    summary = scored.summary
    done = f"{summary.scored:,} of {counted(summary.results, 'result')} on {counted(summary.boards, 'board')} scored"
    done += "" if scored.shape == USUAL.name else f" (shape: {scored.shape})"
    sheet.progress("; ".join([done, *summary.unscored, *summary.doubts, *summary.remarks][:4]))
    if not summary.errors:
        return ""
    _select_row(sheet, page, scored.block.left, summary.errors[0].row)
    head = "\n".join([*summary.remarks, f"{done}. These rows cannot be read:"])
    return listed(head, map(str, summary.errors))


def _check(sheet: OpenSheet) -> str:
    """List the rows that cannot be read, and select the first."""
    sheet.progress("reading")
    page = sheet.read()
    reading = _reading(sheet, page)
    results = reading.results
    sheet.progress("checked")
    skipped = ", ".join(map(str, results.skipped[:MOST_SKIPPED]))
    passed = f" Rows without a result: {skipped}." if skipped else ""
    if not results.errors:
        found = f"{counted(len(results), 'result')} on {counted(len(results.boards), 'board')}"
        return "\n".join([f"{found}, nothing wrong.{passed}", *results.remarks])
    if reading.shaped.in_place:
        _select_row(sheet, page, reading.left, results.errors[0].row)
    wrong = len({error.row for error in results.errors})
    head = "\n".join([*results.remarks, f"{counted(wrong, 'row')} cannot be read.{passed}"])
    return listed(head, map(str, results.errors))


def _rank(sheet: OpenSheet) -> str:
    """Rank the pairs of the sheet, on a new sheet."""
    sheet.progress("reading")
    results = _reading(sheet, sheet.read()).results
    sheet.progress(f"ranking the pairs of {counted(len(results), 'result')}")
    new = ranking_sheet(results, settings(sheet), sheet.sheet_names())
    add(sheet, new, COMMANDS["rank"].label)
    sheet.progress(f"{counted(len(new.table), 'pair')} ranked")
    unnamed = unnamed_said(results.status, partnerships(results).unnamed(results))
    said = [sentence(f"{unnamed}.")] if unnamed else []
    return listed("\n".join([*said, WITHOUT]), map(str, results.errors)) if results.errors else "".join(said)


def _undo(sheet: OpenSheet) -> str:
    """Take out the columns that scoring wrote, and no others."""
    sheet.progress("reading")
    page = sheet.read()
    table = take_shape(page.cells).table
    former = former_block(page.cells[table.top]) if table.in_place else None
    if former is None:
        sheet.progress("nothing to undo")
        return "Nothing to undo: this sheet has no columns that scoring wrote."
    left, width = former
    sheet.progress(f"removing {counted(width, 'column')}")
    reading = _reading(sheet, page)
    scores = FormerScores(page.cells, reading)
    bottom = scores.bottom(max(reading.results.row.tolist()) - 1)
    scores.refuse_typed(bottom if reading.table is None else reading.table.bottom - reading.table.totals)
    remove(sheet, page, Area(table.top, left, bottom, left + width - 1), COMMANDS["undo"].label)
    sheet.progress(f"{counted(width, 'column')} removed")
    return ""


def _function_list(sheet: OpenSheet) -> str:
    """Show a sheet that lists the worksheet functions; it is written if the document has none."""
    new = function_list_sheet()
    if new.name in sheet.sheet_names():
        sheet.show(new.name)
    else:
        add(sheet, new, COMMANDS["functions"].label)
    return ""


def _about(sheet: OpenSheet) -> str:
    """The versions of all that works together."""
    bits = platform.architecture()[0]
    return "\n".join(
        [
            f"valet_xl {sheet.version}, {len(REGISTRY)} worksheet functions",
            f"Python {platform.python_version()} ({bits}), numpy {np.__version__}",
            *sheet.about(),
        ]
    )


def _reading(sheet: OpenSheet, page: Page) -> Reading:
    return read_grid(page.cells, settings(sheet), page.tables)


def _select_row(sheet: OpenSheet, page: Page, left: int, row: int) -> None:
    """Select the cells of a row, which counts from 1, from the first used column to the scores."""
    firsts = (next((at for at, cell in enumerate(cells) if cell is not None), left - 1) for cells in page.cells)
    sheet.select(Area(row - 1, min([*firsts, left - 1]), row - 1, left - 1))


_RECORDS = (
    Command(
        "score",
        "Score sheet",
        "Reads the results on this sheet and writes score, datum, Butler, cross-IMPs and the Valet split right of them."
        " The next time it writes them to the same place.",
        "Calculator",
        _score,
        SCORING,
        large=True,
    ),
    Command(
        "rank",
        "Rank pairs",
        "Writes a ranking of the pairs of this sheet on a new sheet: what each scored, in which part of the game, and"
        " the standard error.",
        "SortDescendingExcel",
        _rank,
        SCORING,
    ),
    Command(
        "check",
        "Check results",
        "Lists the rows of this sheet that cannot be read, with the reason, and selects the first. It writes nothing.",
        "ErrorChecking",
        _check,
        SCORING,
    ),
    Command(
        "undo",
        "Undo scoring",
        "Removes the columns that Score sheet wrote on this sheet, and nothing else.",
        "Undo",
        _undo,
        SCORING,
    ),
    Command(
        "functions",
        "Function list",
        "Shows a sheet that lists the VALET_ functions, their arguments, what they give and an example of each.",
        "FunctionWizard",
        _function_list,
        HELP,
    ),
    Command(
        "about",
        "About",
        "Shows the versions of valet_xl, of Python and of the parts that connect them, and whether they match.",
        "Info",
        _about,
        HELP,
    ),
)
COMMANDS: Mapping[str, Command] = MappingProxyType({command.name: command for command in _RECORDS})
"""The records by the commands' names, in the order in which they are shown."""
