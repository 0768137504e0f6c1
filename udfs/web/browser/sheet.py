"""The commands of all hosts (`valet_xl.hosts.commands`) on a snapshot of the sheet that Excel shows.

JavaScript reads the snapshot (`udfs/web/addin/excel.js`), and does the steps that come back.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, cast

from valet_xl.documents.cell_names import MAX_COLUMNS, MAX_ROWS, Area
from valet_xl.documents.page import Page, Table, refuse_too_many
from valet_xl.engine.options import Options
from valet_xl.errors import SheetError
from valet_xl.functions.examples import WRONG, cells_of
from valet_xl.hosts import commands
from valet_xl.hosts.recorder import Recorder, Step
from valet_xl.hosts.refusals import FILTERED, NO_SHEET_ADDED, PROTECTED
from valet_xl.hosts.settings import REMEMBERED, settings
from valet_xl.messages import Progress, counted, unsaid
from valet_xl.sheets.score_sheet import score_grid
from valet_xl.version import __version__
from valet_xl_web.browser.answers import Answer, Calls, Request
from valet_xl_web.browser.cells import JSON, Read, read_formatted

_SAMPLED = 41  # rows of the sample that are tried, headings included


class SheetOfExcel(Recorder):
    """The sheet of a snapshot, as the commands need it: a `valet_xl.hosts.commands.OpenSheet`.

    Parameters
    ----------
    snapshot : `sheets`, the names of the sheets; `structure`, whether none may be added; `names`, what the document
        remembers; `about`, what Excel is. With the cells: `used`, the corners of what is used, null for nothing;
        `values`, `formulas` and `formats`, by rows; `merged`, corners; `tables`; `protected`; `filtered`; `filter`, the
        corners of the sheet's filter or null. Corners are the first row, the first column, the last row and the last
        column, from 0
    step : called with what is being done

    Attributes
    ----------
    status : what was done last
    """

    host = "Excel"

    def __init__(self, snapshot: Mapping[str, Any], step: Progress = unsaid) -> None:
        super().__init__()
        self._snapshot, self._step = snapshot, step
        self._kept: dict[str, str] = dict(snapshot["names"])
        self.status = ""

    @property
    def version(self) -> str:
        """The version of valet_xl in the bundle."""
        return __version__

    def read(self) -> Page:
        """The cells and tables of the snapshot."""
        tables = tuple(
            Table(top, left, bottom, right, each["name"], int(each["totals"]), each["headings"])
            for each in self._snapshot["tables"]
            for top, left, bottom, right in [each["corners"]]
        )
        used = self._used
        if used is None:
            return Page([], tables)
        refuse_too_many(used.bottom, used.right)
        before: list[Read] = [None] * used.left
        blank: list[Read] = [None] * (used.right + 1)
        rows = zip(self._snapshot["values"], self._snapshot["formats"], strict=True)
        read = ([*before, *map(read_formatted, values, formats)] for values, formats in rows)
        return Page([*(list(blank) for _ in range(used.top)), *read], tables)

    @property
    def _used(self) -> Area | None:
        corners = self._snapshot["used"]
        return Area(*corners) if corners else None

    def refuse(self, *, adding: bool = False) -> None:
        """Refuse what is protected, or filtered: Excel would write the first value to every visible row."""
        snapshot = self._snapshot
        if adding:
            if snapshot["structure"]:
                raise SheetError(NO_SHEET_ADDED)
        elif snapshot["protected"]:
            raise SheetError(PROTECTED)
        elif snapshot["filtered"] or any(table["filtered"] for table in snapshot["tables"]):
            raise SheetError(FILTERED)

    def size(self) -> tuple[int, int]:
        """Excel's own."""
        return MAX_ROWS, MAX_COLUMNS

    def filtered(self) -> Area | None:
        """The cells of the sheet's filter."""
        corners = self._snapshot["filter"]
        return Area(*corners) if corners else None

    def has_merged(self, area: Area) -> bool:
        """Whether there are merged cells."""
        return any(Area(*corners).meets(area) for corners in self._snapshot["merged"])

    def has_formula(self, area: Area) -> bool:
        """Whether there is a formula."""
        used, values, formulas = self._used, self._snapshot["values"], self._snapshot["formulas"]
        if used is None or not used.meets(area):
            return False
        rows = range(max(area.top, used.top) - used.top, min(area.bottom, used.bottom) - used.top + 1)
        columns = range(max(area.left, used.left) - used.left, min(area.right, used.right) - used.left + 1)
        # A text that begins with = is its own formula.
        cells = ((formulas[row][at], values[row][at]) for row in rows for at in columns)
        return any(isinstance(text, str) and text.startswith("=") and text != value for text, value in cells)

    def sheet_names(self) -> Sequence[str]:
        """The names of the workbook's sheets."""
        return list(self._snapshot["sheets"])

    def recall(self, name: str) -> str:
        """What the workbook's name refers to."""
        return self._kept.get(name, "")

    def remember(self, name: str, text: str) -> None:
        """Keep a text under a name that users do not see."""
        self._kept[name] = text
        self.steps.append(Step("remember", {"name": name, "text": text}))

    def progress(self, text: str) -> None:
        """Show what is being done."""
        self.status = text
        self._step(text)

    def end_progress(self, failed: bool) -> None:
        """Show nothing of what failed."""
        if failed:
            self.status = ""

    def about(self) -> Iterable[str]:
        """The add-in's version, and what Excel says of itself."""
        return [f"Add-in {self.version}, {self._snapshot['about']}"]

    def reason(self, error: Exception) -> str:
        """Excel's own errors come while the steps are done, not here."""
        return ""


def run(request: Request) -> Answer:
    """Do a command, or choose an option: the message for the user, the steps, and what was done."""
    sheet = SheetOfExcel(request.given["snapshot"], request.step)
    message = commands.run(request.given["address"], cast("commands.OpenSheet", sheet))
    return Answer({"message": message, "steps": [step.carried for step in sheet.steps], "status": sheet.status})


def choices(request: Request) -> Answer:
    """What the document remembers: the word of each option, true or false for a switch."""
    options = settings(SheetOfExcel(request.given["snapshot"]))
    return Answer({name: getattr(options, name) for name in REMEMBERED})


def sample(request: Request) -> Answer:
    """Results to try the buttons on, and what the buttons are to make of them."""
    grid: Any = [row[:6] for row in cells_of("A1:I105")[:_SAMPLED] if row[2] not in (WRONG, None)]
    scored = score_grid(grid, Options())
    block, summary = scored.block, scored.summary
    rows = [block.names, *map(list, zip(*(column.cells for column in block.columns), strict=True))]
    shown = JSON.written(rows)
    return Answer(
        {
            "rows": JSON.written(grid),
            "area": str(Area(0, 0, len(grid) - 1, len(grid[0]) - 1)),
            "place": str(block.area),
            "scored": shown,
            "free": [["" for _ in row] for row in shown],
            "checked": f"{counted(summary.results, 'result')} on {counted(summary.boards, 'board')}, nothing wrong.",
        }
    )


CALLS: Calls = {"run": run, "choices": choices, "sample": sample}
