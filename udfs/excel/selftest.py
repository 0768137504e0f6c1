"""The installed add-in tried in Excel itself, and a report of what Excel made of it.

Excel is driven over COM by its object `Application`. An Excel that a program starts opens no add-in, so that the add-in
is opened like a workbook.
"""

from __future__ import annotations

import json
import math
import os
import platform
import signal
import statistics
import tempfile
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager, suppress
from dataclasses import dataclass, field
from functools import partial
from importlib import metadata
from pathlib import Path
from typing import Any, TypeAlias

from valet_xl.documents.cell_names import Area, cell_name, place_of
from valet_xl.documents.disk import need_places, replace_file
from valet_xl.engine.options import Options
from valet_xl.errors import FileError
from valet_xl.functions.catalogue import REGISTRY
from valet_xl.functions.examples import SCORES, WRONG, cells_of, example
from valet_xl.functions.registry import Cells, ErrorCell
from valet_xl.hosts.findings import Finding
from valet_xl.hosts.new_sheets import ranking_sheet
from valet_xl.hosts.refusals import FILTERED, PROTECTED
from valet_xl.messages import counted, pip_install, sentence
from valet_xl.reading.grid import read_grid
from valet_xl.sheets.score_sheet import score_grid
from valet_xl_excel.cells import read_cells
from valet_xl_excel.install import ADD, ADDIN, status
from valet_xl_excel.machine import Machine

_PATIENCE = 600  # seconds after which an Excel that does not answer is ended
_STARTING = 60  # seconds that Excel may take before it answers
_REPEATED = 20  # calculations that are timed
_COLUMN = 1000  # formulas in a column
_FORMULA = "L1"  # the cell of a formula, right of the cells of all examples
_STALE = -1  # the value of a formula in a file before it is computed
_CLOSE = 1e-12  # two computed numbers that differ by less than this part are the same
_SHOWN = 200  # characters of what differs
_FILTERED = 3  # the column that is filtered, the contract
_BLUE = 0xF7EBDD
_OWN_DATA, _YES = 1, 1  # Excel's xlSrcRange, xlYes


@dataclass(frozen=True, slots=True)
class Check:
    """One thing that was tried in Excel."""

    name: str
    expected: object
    found: object
    seconds: float

    @property
    def held(self) -> bool:
        """Whether Excel did what it should."""
        return _alike(self.expected, self.found)


@dataclass
class Report:
    """What is written for those who maintain valet_xl.

    versions : of Windows, Excel, Python and the packages, by their names
    status : what `valet-xl addin status` says
    milliseconds : what calculating formulas took
    """

    versions: dict[str, str] = field(default_factory=dict)
    status: list[str] = field(default_factory=list)
    checks: list[Check] = field(default_factory=list)
    milliseconds: dict[str, dict[str, float]] = field(default_factory=dict)

    def check(self, name: str, expected: object, tried: Callable[[], object]) -> None:
        """Try something in Excel; an error of Excel's, or one of ours, is what was found then."""
        start = time.perf_counter()
        try:
            found = tried()
        except Exception as error:  # every check is tried, whatever the others met
            found = _described(error)
        self.checks.append(Check(name, expected, found, round(time.perf_counter() - start, 3)))

    def time(self, name: str, calculated: Callable[[], object], times: int) -> None:
        """Time a calculation, in milliseconds."""
        took = []
        for _ in range(times):
            start = time.perf_counter()
            calculated()
            took.append(1000 * (time.perf_counter() - start))
        self.milliseconds[name] = {"median": round(statistics.median(took), 2), "longest": round(max(took), 2)}

    def text(self) -> str:
        """The report as JSON, a check a line. The path of the home folder, which has the user's name, is `~` in it."""
        head = {"versions": self.versions, "status": self.status, "milliseconds": self.milliseconds}
        checks = [
            {"name": each.name, "held": each.held, "seconds": each.seconds}
            | {"expected": each.expected, "found": each.found}
            for each in self.checks
        ]
        lines = ",\n".join(json.dumps(check, ensure_ascii=False, default=str) for check in checks)
        written = f'{json.dumps(head, indent=1, ensure_ascii=False)[:-2]},\n "checks": [\n{lines}\n]}}\n'
        return written.replace(json.dumps(str(Path.home()), ensure_ascii=False)[1:-1], "~")


Started: TypeAlias = Callable[[], AbstractContextManager[Any]]
"""Gives Excel's `Application`, and ends that Excel afterwards."""


def selftest(machine: Machine, place: Path, started: Started | None = None) -> list[Finding]:
    """Try the installed add-in in an Excel of its own, and write a report; gives what did not hold, and where it is.

    Parameters
    ----------
    place : the file of the report
    started : what starts Excel, `own_excel` if None

    Raises
    ------
    FileError : if the add-in is not installed, pywin32 is missing, or the report cannot be written
    """
    addin = machine.startup / ADDIN
    if not addin.is_file():
        raise FileError(f"{addin}: the add-in is not there (run: {ADD})")
    need_places(place)
    started = started or _starter()
    findings = status(machine)
    report = Report(_versions(), [f"{'good' if each.good else 'to do'}: {each.text}" for each in findings])
    try:
        with started() as excel, tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
            _try_all(excel, report, addin, Path(folder))
    except Exception as error:
        report.checks.append(Check("Excel is started and ended", True, _described(error), 0.0))
    replace_file(place, report.text().encode())
    wrong = [Finding(False, f"{each.name}: {_difference(each)}") for each in report.checks if not each.held]
    held = f"{len(report.checks) - len(wrong):,} of {counted(len(report.checks), 'check')} held"
    outcome = Finding(True, f"{held}. The report to send is {place.absolute()}")
    return [*(each for each in findings if not each.good), *wrong, outcome]


def _try_all(excel: Any, report: Report, addin: Path, folder: Path) -> None:
    """Try everything; what fails as a whole is one check that did not hold."""
    report.check("Excel says its version", True, lambda: _ask_versions(excel, report.versions))
    report.check("the add-in opens", ADDIN, lambda: excel.Workbooks.Open(str(addin)).Name)
    for trial in (_formulas, _opened_file, _buttons, _timings):
        report.check((trial.__doc__ or "").split(":")[0], True, partial(trial, excel, report, folder))


# -- Excel


def _starter() -> Started:
    """What starts Excel.

    Raises
    ------
    FileError : without pywin32
    """
    try:
        import pythoncom  # noqa: F401, PLC0415 - Windows alone has it
        import win32com.client  # noqa: F401, PLC0415
    except ImportError as error:
        raise FileError(f"pywin32, which drives Excel, is not there (run: {pip_install('pywin32')})") from error
    return own_excel


@contextmanager
def own_excel() -> Iterator[Any]:
    """A new Excel that has no workbook open. It is ended afterwards, and also if it does not answer any more.

    xlwings starts one too. But it ends every other Excel that has no window, and that may be somebody's.
    """
    from win32com.client import DispatchEx  # noqa: PLC0415 - Windows alone has it
    from win32process import GetWindowThreadProcessId  # noqa: PLC0415

    excel = DispatchEx("Excel.Application")
    _wait_for(excel)
    process = GetWindowThreadProcessId(excel.Hwnd)[1]
    end = threading.Timer(_PATIENCE, os.kill, (process, signal.SIGTERM))
    end.daemon = True
    end.start()
    try:
        excel.Visible = True  # so that a message that nobody foresaw can be seen and closed
        excel.Interactive = False  # a click into a cell would make Excel refuse our calls
        excel.DisplayAlerts = False
        yield excel
    finally:
        end.cancel()
        with suppress(Exception):  # it may have ended already
            excel.Quit()


def _wait_for(excel: Any) -> None:
    """Wait until Excel, which is coming up, takes calls."""
    until = time.monotonic() + _STARTING
    while time.monotonic() < until:
        with suppress(Exception):  # it refuses calls meanwhile
            if excel.Ready:
                return
        time.sleep(0.2)


def _versions() -> dict[str, str]:
    found = {"Windows": platform.platform(), "Python": f"{platform.python_version()}, {platform.architecture()[0]}"}
    for name in ("valet-xl", "xlwings", "numpy", "pywin32"):
        with suppress(metadata.PackageNotFoundError):
            found[name] = metadata.version(name)
    return found


def _ask_versions(excel: Any, versions: dict[str, str]) -> bool:
    """Excel's version. Its bits are in what it calls the operating system."""
    versions["Excel"] = f"{excel.Version}, build {excel.Build}, {excel.OperatingSystem}"
    versions["decimal separator"] = str(excel.DecimalSeparator)
    return True


def _press(excel: Any, command: str) -> str:
    """What a button says. It is pressed without its message box, which would wait for somebody."""
    return str(excel.Run(f"'{ADDIN}'!ThisWorkbook.Pressed", command))


def _cells(sheet: Any, area: Area) -> list[list[object]]:
    """What cells show: blanks as None, errors as their texts."""
    value = sheet.Range(str(area)).Value
    rows = value if isinstance(value, tuple) else ((value,),)
    return [list(row) for row in read_cells([list(row) for row in rows])]


def _used(sheet: Any) -> list[list[object]]:
    """The cells of a sheet from A1 to the last that is used."""
    used = sheet.UsedRange
    return _cells(sheet, Area(0, 0, used.Row + used.Rows.Count - 2, used.Column + used.Columns.Count - 2))


def _fill(sheet: Any, areas: Mapping[str, Cells]) -> None:
    for area, rows in areas.items():
        sheet.Range(area).Value = rows


@contextmanager
def _new_book(excel: Any) -> Iterator[Any]:
    """The sheet of a new workbook."""
    book = excel.Workbooks.Add()
    try:
        yield book.Worksheets(1)
    finally:
        book.Close(False)


@contextmanager
def _opened(excel: Any, path: Path) -> Iterator[Any]:
    """The first sheet of a workbook."""
    book = excel.Workbooks.Open(str(path))
    try:
        yield book.Worksheets(1)
    finally:
        book.Close(False)


# -- what is tried


def _formulas(excel: Any, report: Report, _folder: Path) -> bool:
    """All examples are typed: each function's formula shows what Python computes from the same cells."""
    with _new_book(excel) as sheet:
        for function in REGISTRY.values():
            areas, arguments = example(function)
            expected = _as_shown(function(*arguments))
            report.check(function.example, expected, partial(_typed, sheet, function.example, areas, expected))
        several = "=VALET_IAF((A1:A2,A4))"
        areas = {"A1:A4": SCORES[:4]}
        refused: list[list[object]] = [[ErrorCell.VALUE.value]]
        report.check(f"{several}, two areas", refused, partial(_typed, sheet, several, areas, refused))
    return True


def _as_shown(cells: Cells) -> list[list[object]]:
    """Computed cells as Excel is to show them."""
    return [[cell.value if isinstance(cell, ErrorCell) else cell for cell in row] for row in cells]


def _typed(
    sheet: Any, formula: str, areas: Mapping[str, Cells], expected: Sequence[Sequence[object]]
) -> list[list[object]]:
    """The cells that a formula fills on an empty sheet, given the cells that it reads.

    A row below and a column to the right belong to them unless these are blank, as they should be.
    """
    sheet.Cells.Clear()
    _fill(sheet, areas)
    area = _area_of(_FORMULA, expected)
    _enter(sheet, formula, area)
    rows = _cells(sheet, Area(area.top, area.left, area.bottom + 1, area.right + 1))
    if any(cell is not None for cell in [*rows[-1], *(row[-1] for row in rows)]):
        return rows
    return [row[:-1] for row in rows[:-1]]


def _area_of(cell: str, cells: Sequence[Sequence[object]]) -> Area:
    """The area that cells need from a cell on."""
    top, left = place_of(cell)
    return Area(top, left, top + len(cells) - 1, left + len(cells[0]) - 1)


def _enter(sheet: Any, formula: str, area: Area) -> Any:
    """Type a formula that fills an area; gives its cells. Excel 2019 and older need to know how many there are."""
    first, whole = sheet.Range(cell_name(area.top, area.left)), sheet.Range(str(area))
    try:
        first.Formula2 = formula
    except AttributeError:
        whole.FormulaArray = formula
    return whole


def _opened_file(excel: Any, report: Report, folder: Path) -> bool:
    """A file is opened: its formulas are computed then, and show their values."""
    from xlsxwriter import Workbook  # noqa: PLC0415 - this alone needs it

    path = folder / "formulas.xlsx"
    written = Workbook(path)
    sheet = written.add_worksheet()
    sheet.write_column(0, 0, [score for (score,) in SCORES[:2]])
    sheet.write_formula("C1", "=VALET_IMP(430)", None, _STALE)
    sheet.write_array_formula("D1:D2", "{=VALET_IAF(A1:A2)}", None, _STALE)
    written.close()
    single, both = _as_shown(REGISTRY["VALET_IMP"](430.0)), _as_shown(REGISTRY["VALET_IAF"](SCORES[:2]))
    with _opened(excel, path) as opened:
        report.check("a formula in the file", single, lambda: _cells(opened, Area.parse("C1")))
        report.check("an array formula in the file", both, lambda: _cells(opened, Area.parse("D1:D2")))
    return True


def _buttons(excel: Any, report: Report, _folder: Path) -> bool:
    """The buttons are pressed: on results with pairs, under coloured headings."""
    grid: Any = [row for row in cells_of("A1:I105") if row[2] not in (WRONG, None)]
    outcome = score_grid(grid, Options())
    block, summary = outcome.block, outcome.summary
    scored = [block.names, *map(list, zip(*(column.cells for column in block.columns), strict=True))]
    free = [[None] * len(row) for row in scored]
    good = f"{counted(summary.results, 'result')} on {counted(summary.boards, 'board')}, nothing wrong."
    ranking = ranking_sheet(read_grid(grid, Options()).results, Options(), ())
    ranked = ranking.cells
    with _new_book(excel) as sheet:
        whole = str(Area(0, 0, len(grid) - 1, len(grid[0]) - 1))
        results = sheet.Range(whole)
        results.Value = grid
        headings = sheet.Range(f"A1:{cell_name(0, len(grid[0]) - 1)}")
        headings.Interior.Color = _BLUE

        def pressed(command: str) -> list[object]:
            return [_press(excel, command), _cells(sheet, block.area)]

        report.check("Check results", [good, free], partial(pressed, "check"))
        for name in ("Score sheet", "Score sheet again"):
            report.check(name, ["", scored], partial(pressed, "score"))
        last = sheet.Range(cell_name(0, block.area.right))
        report.check("the new headings have the colour of theirs", _BLUE, lambda: last.Interior.Color)
        report.check("Undo scoring", ["", free], partial(pressed, "undo"))
        score, first = partial(pressed, "score"), grid[1][2]
        for where, message, begin, end in (
            ("a protected sheet", PROTECTED, sheet.Protect, sheet.Unprotect),
            ("a filtered sheet", FILTERED, partial(results.AutoFilter, _FILTERED, first), results.AutoFilter),
        ):
            report.check(f"Score sheet on {where}", [sentence(message), free], partial(_between, begin, score, end))
        report.check("Rank pairs", ["", ranking.name, ranked], lambda: _new_sheet(excel, "rank", ranked))
        report.check("Function list", "", lambda: _press(excel, "functions"))
        report.check("About, with versions that match", True, lambda: "differ" not in _press(excel, "about"))
        filtered = partial(_filtered_table, sheet, results, first)
        refused = [sentence(FILTERED), free]
        report.check("Score sheet on a filtered table", refused, partial(_between, filtered, score, sheet.Activate))
    return True


def _new_sheet(excel: Any, command: str, expected: Sequence[Sequence[object]]) -> list[object]:
    """The message of a button that adds a sheet, the sheet's name and its cells."""
    said = _press(excel, command)
    return [said, excel.ActiveSheet.Name, _cells(excel.ActiveSheet, _area_of("A1", expected))]


def _between(begin: Callable[[], object], tried: Callable[[], object], end: Callable[[], object]) -> object:
    begin()
    try:
        return tried()
    finally:
        end()


def _filtered_table(sheet: Any, cells: Any, shown: object) -> None:
    """Make a table of cells, with a filter that shows the rows of one contract."""
    sheet.Activate()
    sheet.ListObjects.Add(SourceType=_OWN_DATA, Source=cells, XlListObjectHasHeaders=_YES).Range.AutoFilter(
        _FILTERED, shown
    )


def _timings(excel: Any, report: Report, _folder: Path) -> bool:
    """Formulas are timed: how long Excel needs to calculate them again."""
    differences: Cells = [[10.0 * row] for row in range(_COLUMN)]
    column: Cells = [[None], *SCORES]
    whole = f"A1:A{len(column)}"
    with _new_book(excel) as sheet:
        _fill(sheet, {whole: column, f"J1:J{_COLUMN}": differences})
        filled = f"K1:K{_COLUMN}"
        sheet.Range(filled).Formula = "=VALET_IMP(J1)"
        imps = _as_shown([REGISTRY["VALET_IMP"](*row)[0] for row in differences])
        report.check(f"{_COLUMN:,} formulas in a column", imps, lambda: _cells(sheet, Area.parse(filled)))
        report.time(f"{_COLUMN:,} formulas =VALET_IMP(J1)", sheet.Range(filled).Calculate, 3)
        for cell, formula, given in (("C1", "=VALET_IAF(A2:A23)", SCORES), ("E1", "=VALET_IAF(A:A)", column)):
            shown = _as_shown(REGISTRY["VALET_IAF"](given))
            area = _area_of(cell, shown)
            _enter(sheet, formula, area)
            report.check(f"{formula}, next to others", shown, partial(_cells, sheet, area))
            report.time(formula, sheet.Range(str(area)).Calculate, _REPEATED)
    return True


# -- what was found


def _alike(expected: object, found: object) -> bool:
    """Whether two blocks, cells or texts are the same; numbers may differ in their last digits."""
    if isinstance(expected, list) and isinstance(found, list):
        return len(expected) == len(found) and all(map(_alike, expected, found))
    if isinstance(expected, bool) or isinstance(found, bool):
        return expected is found
    if isinstance(expected, (int, float)) and isinstance(found, (int, float)):
        return math.isclose(expected, found, rel_tol=_CLOSE, abs_tol=_CLOSE)
    return expected == found


def _difference(check: Check) -> str:
    """What was expected and what was found; of a block its first row that differs."""
    expected, found, row = check.expected, check.found, ""
    while isinstance(expected, list) and isinstance(found, list) and len(expected) == len(found):
        at, expected, found = next(
            (at, *pair) for at, pair in enumerate(zip(expected, found, strict=True)) if not _alike(*pair)
        )
        row += f"{at + 1}, "
    return f"{row and 'at '}{row}expected {expected!s:.{_SHOWN}}, found {found!s:.{_SHOWN}}"


def _described(error: Exception) -> str:
    return f"{type(error).__name__}: {error}"
