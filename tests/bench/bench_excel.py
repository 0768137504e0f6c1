"""What Excel's side costs, without Excel. By hand, from the project's directory:
PYTHONPATH=tests:tests/hosts python -m tests.bench.bench_excel

The code of xlwings for Windows runs with stand-ins for pywin32 and Excel. No figure includes the time of COM, about a
millisecond per call. The time of the stand-in itself, which is much longer than Excel's, has lines of its own.
"""

from __future__ import annotations

import statistics
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from win32_standins import windows

from tests.simulate import tournament
from valet_xl.engine.notation import Card, Contract, Double, Seat, Strain
from valet_xl.engine.options import Options
from valet_xl.sheets.score_sheet import score_grid

MODULE = "valet_xl_excel.functions"
ADDIN = Path(__file__).parents[2] / "workbooks" / "valet_xl.xlam"
CALLS = 1_000
ROWS = int(sys.argv[1]) if len(sys.argv) > 1 else 30_000
BOARDS = 30


def main() -> None:
    """Print the figures."""
    with windows():
        functions()
        whole_columns()
        sheet()


def functions() -> None:
    """Worksheet functions through xlwings' server."""
    from xlwings.udfs import call_udf

    scores = tuple(
        (score,) for score in (420.0, 450.0, -50.0, 430.0, None, 400.0, 170.0, -100.0, 620.0, 620.0, -100.0) * 2
    )
    for name, given in (("VALET_IMP", (430.0,)), ("VALET_IAF", (scores,)), ("VALET_DATUM", (scores, "trimmed"))):
        took = seconds(lambda name=name, given=given: [call_udf(MODULE, name, given) for _ in range(CALLS)])
        show(f"{CALLS:,} calls of {name}", took)
    results = tuple(map(tuple, rows(100)))
    took = seconds(lambda: [call_udf(MODULE, "VALET_COMPONENTS", (results,)) for _ in range(10)])
    show("10 calls of VALET_COMPONENTS, 100 results", took)


def whole_columns() -> None:
    """A formula on whole columns and the same on the rows in use, in turns, through the add-in's VBA."""
    from vba_host import Host

    grid = rows(100)
    pairs = {  # the used rows, then the whole columns
        "VALET_IAF": ([[score] for score in range(-1000, 1000, 20)], ("A1:A100", "A:A")),
        "VALET_COMPONENTS": (grid, ("A1:E101", "A:E")),
    }
    for name, (cells, addresses) in pairs.items():
        host = Host(sys.modules["xlwings"], ADDIN)
        host.fill(cells)
        areas = {address: host.area(address) for address in addresses}
        took: dict[str, list[float]] = {address: [] for address in areas}
        for _ in range(15):
            for address, area in areas.items():
                took[address].append(seconds(lambda host=host, name=name, area=area: host.formula(name, area)))
        for address, times in took.items():
            show(f"{name}({address}), 100 rows, median of {len(times)}", statistics.median(times))


def sheet() -> None:
    """The command Score sheet, and what of it is neither xlwings nor Excel."""
    from vba_host import Host

    from valet_xl_excel import ribbon

    grid = rows(ROWS)
    book = Host(sys.modules["xlwings"]).xlwings_book()
    book.sheets[0].range("A1").value = grid
    show(f"scoring {ROWS:,} rows: the engine alone", seconds(lambda: score_grid(grid, Options())))
    commands = {"Score sheet": "score", "the same again": "score", "Check": "check"}
    for name, command in commands.items():
        with excel_counted() as spent:
            took = seconds(lambda command=command: ribbon.run(command, book=book))
        show(f"{name}, {ROWS:,} rows, {len(spent)} COM calls: all but Excel", took - sum(spent))
        show("    and the stand-in for Excel", sum(spent))


@contextmanager
def excel_counted() -> Iterator[list[float]]:
    """Give the time of each call of the stand-in for Excel."""
    from vba_host import Com

    spent: list[float] = []
    inside = False

    def timed(work: Callable[..., Any]) -> Callable[..., Any]:
        def run(*given: Any) -> Any:
            nonlocal inside
            if inside:
                return work(*given)
            inside, start = True, time.perf_counter()
            try:
                return work(*given)
            finally:
                inside = False
                spent.append(time.perf_counter() - start)

        return run

    kept = Com._call, Com.__setattr__
    Com._call, Com.__setattr__ = timed(kept[0]), timed(kept[1])  # type: ignore[method-assign]
    yield spent
    Com._call, Com.__setattr__ = kept  # type: ignore[method-assign]


def rows(count: int) -> list[list[object]]:
    """A sheet of so many simulated results, under headings."""
    results = tournament(BOARDS, count // BOARDS + 1)
    sheet: list[list[object]] = [["Board", "Contract", "By", "Tricks", "Lead"]]
    columns = (results.level, results.strain, results.double, results.declarer, results.tricks)
    leads = (results.lead_suit, results.lead_rank)
    for board, level, strain, double, by, tricks, suit, rank in zip(
        *(column.tolist() for column in (results.board, *columns, *leads)), strict=True
    ):
        if level:
            contract, lead = Contract(level, Strain(strain), Double(double)), Card(Strain(suit), rank)
            sheet.append([float(board + 1), str(contract), str(Seat(by)), float(tricks), str(lead)])
        else:
            sheet.append([float(board + 1), "pass", None, None, None])
    return sheet[: count + 1]


def seconds(task: Callable[[], object]) -> float:
    """The time of one run."""
    start = time.perf_counter()
    task()
    return time.perf_counter() - start


def show(what: str, took: float) -> None:
    """A line."""
    print(f"{what:<60}{took:>10.3f} s")


if __name__ == "__main__":
    main()
