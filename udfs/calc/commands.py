"""The commands behind menu and toolbar. Each gives what the user is to be told, '' for nothing."""

from __future__ import annotations

import logging
import platform
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np
from com.sun.star.beans import PropertyValue
from com.sun.star.table import CellAddress
from com.sun.star.uno import Exception as UnoException

from valet_xl.documents.page import Page
from valet_xl.engine.options import Options
from valet_xl.errors import ValetError
from valet_xl.functions.catalogue import REGISTRY
from valet_xl.hosts.new_sheets import WITHOUT, ranking_sheet
from valet_xl.hosts.new_sheets import function_list as function_list_sheet
from valet_xl.messages import counted, listed, sentence
from valet_xl.reading.grid import Reading, former_block, read_grid
from valet_xl.reading.headings import find_headings
from valet_xl.sheets.score_sheet import score_grid
from valet_xl_calc import EXTENSION
from valet_xl_calc.sheet import Read, add_sheet, read_page, remove_columns, select, unrecorded, write_block

NAMES = "valet_xl_"
"""What the names begin with under which a document keeps its settings; the rest is the option's name."""
SETTINGS = ("method", "lead", "datum", "cloud")

_log = logging.getLogger(__name__)


def run(command: str, context: Any, controller: Any) -> str:
    """Do a command in a window: one of `COMMANDS`, `cloud`, or an option's name and word, such as `method.iaf`.

    Parameters
    ----------
    context : UNO's
    controller : the window's

    Returns
    -------
    what the user is to be told, errors too
    """
    try:
        if command in COMMANDS:
            return COMMANDS[command](context, controller)
        return choose(controller.getModel(), command)
    except ValetError as error:
        return sentence(error)
    except UnoException as error:
        _log.exception("%s failed", command)
        return f"LibreOffice could not do that: {error.Message or type(error).__name__}"
    except Exception as error:
        _log.exception("%s failed", command)
        return f"The extension could not do that: {error or type(error).__name__}"


def score_sheet(_context: Any, controller: Any) -> str:
    """Score the sheet that is shown, and select the first row that was not understood."""
    document, sheet = controller.getModel(), controller.getActiveSheet()
    with _progress(controller) as tell:
        tell("reading")
        page = read_page(document, sheet)
        tell(f"scoring {len(page.cells):,} rows")
        scored = score_grid(page.cells, settings(document), page.tables)
        tell(f"writing {len(scored.block.columns)} columns of {len(scored.block.columns[0].cells):,} rows")
        write_block(document, sheet, page, scored.block, "Score sheet")
    summary = scored.summary
    if not summary.errors:
        return ""
    _select_row(controller, page, scored.block.left, summary.errors[0].row)
    told = f"{summary.scored:,} of {counted(summary.results, 'result')} on {counted(summary.boards, 'board')} scored"
    return listed(f"{told}. Not understood:", map(str, summary.errors))


def check_results(_context: Any, controller: Any) -> str:
    """Tell which rows are not understood, and select the first."""
    with _progress(controller) as tell:
        tell("reading")
        page = read_page(controller.getModel(), controller.getActiveSheet())
        reading = _reading(page)
    results = reading.results
    passed = f" Rows without a result: {', '.join(map(str, results.skipped[:20]))}." if results.skipped else ""
    if not results.errors:
        held = f"{counted(len(results), 'result')} on {counted(len(results.boards), 'board')}"
        return f"{held}, nothing wrong.{passed}"
    _select_row(controller, page, reading.left, results.errors[0].row)
    wrong = len({error.row for error in results.errors})
    return listed(f"{counted(wrong, 'row')} not understood.{passed}", map(str, results.errors))


def rank_pairs(_context: Any, controller: Any) -> str:
    """Rank the pairs of the sheet that is shown, on a new sheet."""
    document = controller.getModel()
    with _progress(controller) as tell:
        tell("reading")
        results = _reading(read_page(document, controller.getActiveSheet())).results
        tell(f"ranking the pairs of {counted(len(results), 'result')}")
        new = ranking_sheet(results, settings(document), document.getSheets().getElementNames())
        add_sheet(document, controller, new)
    return listed(WITHOUT, map(str, results.errors)) if results.errors else ""


def undo_scoring(_context: Any, controller: Any) -> str:
    """Take out the columns that scoring wrote, and no others."""
    document, sheet = controller.getModel(), controller.getActiveSheet()
    with _progress(controller) as tell:
        tell("reading")
        page = read_page(document, sheet)
        top = find_headings(page.cells).row
        former = former_block(page.cells[top])
        if former is None:
            return "Nothing to undo: this sheet has no columns that scoring wrote."
        left, width = former
        tell(f"removing {width} columns")
        remove_columns(document, sheet, page, top, left, _reading(page).last, width, "Undo scoring")
    return ""


def function_list(_context: Any, controller: Any) -> str:
    """Show a sheet that lists the worksheet functions; it is written if the document has none."""
    document, wanted = controller.getModel(), function_list_sheet()
    sheets = document.getSheets()
    if sheets.hasByName(wanted.name):
        controller.setActiveSheet(sheets.getByName(wanted.name))
    else:
        add_sheet(document, controller, wanted)
    return ""


def about(context: Any, _controller: Any) -> str:
    """Tell the versions."""
    packages = context.getValueByName("/singletons/com.sun.star.deployment.PackageInformationProvider")
    own = next((version for name, version in packages.getExtensionList() if name == EXTENSION), "not installed")
    return "\n".join(
        [
            f"valet_xl {own}, {len(REGISTRY)} worksheet functions",
            f"LibreOffice {_office_version(context)}",
            f"Python {platform.python_version()}, numpy {np.__version__}",
        ]
    )


COMMANDS: dict[str, Callable[[Any, Any], str]] = {
    "score": score_sheet,
    "rank": rank_pairs,
    "check": check_results,
    "undo": undo_scoring,
    "functions": function_list,
    "about": about,
}


def choose(document: Any, command: str) -> str:
    """Let a document remember how it is scored: `cloud` turns it on or off, `method.iaf` sets the method."""
    setting, _, word = command.partition(".")
    options = settings(document)
    Options(**{**_given(options), setting: word or not options.cloud})  # refuses what is none of ours
    content = f'"{word or str(not options.cloud).upper()}"'  # as a text, since Calc would write TRUE as 1
    names = document.getPropertyValue("NamedRanges")
    with unrecorded(document):
        if names.hasByName(NAMES + setting):
            names.getByName(NAMES + setting).setContent(content)
        else:
            names.addNewByName(NAMES + setting, content, CellAddress(0, 0, 0), 0)
    document.setModified(True)
    return ""


def chosen(command: str, document: Any) -> bool | None:
    """Whether an option of the menu is what a document remembers; None for a command that is no option."""
    setting, _, word = command.partition(".")
    if setting not in SETTINGS:
        return None
    value = getattr(settings(document), setting)
    return bool(value == word if word else value)


def settings(document: Any) -> Options:
    """How to score, as a document remembers it; what it does not hold, or not in our words, is the default."""
    options = Options()
    names = document.getPropertyValue("NamedRanges")
    for setting in SETTINGS:
        if not names.hasByName(NAMES + setting):
            continue
        text = names.getByName(NAMES + setting).getContent().removeprefix("=").strip('"')
        value = text.startswith(("TRUE", "1")) if setting == "cloud" else text
        try:
            options = Options(**{**_given(options), setting: value})
        except ValueError:
            _log.warning("%s is %r", NAMES + setting, text)
    return options


def _given(options: Options) -> dict[str, Any]:
    return {setting: getattr(options, setting) for setting in SETTINGS}


def _reading(page: Page[Read]) -> Reading:
    return read_grid(page.cells, Options(), page.tables)


def _select_row(controller: Any, page: Page[Read], left: int, row: int) -> None:
    """Select what stands left of the scores in a row, which counts from 1."""
    used = (at for cells in page.cells for at, cell in enumerate(cells) if cell is not None)
    select(controller, controller.getActiveSheet(), row - 1, min(*used, left - 1), left - 1)


@contextmanager
def _progress(controller: Any) -> Iterator[Callable[[str], None]]:
    """Give what shows a text in the status bar, until the work is done."""
    indicator = controller.getFrame().createStatusIndicator()

    def tell(text: str) -> None:
        indicator.start(f"Bridge: {text}", 0)

    try:
        yield tell
    finally:
        indicator.end()


def _office_version(context: Any) -> str:
    provider = context.ServiceManager.createInstanceWithContext(
        "com.sun.star.configuration.ConfigurationProvider", context
    )
    place = PropertyValue()
    place.Name, place.Value = "nodepath", "/org.openoffice.Setup/Product"
    product = provider.createInstanceWithArguments("com.sun.star.configuration.ConfigurationAccess", (place,))
    return str(product.getByName("ooSetupVersion"))
