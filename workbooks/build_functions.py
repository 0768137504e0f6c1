"""Build functions.xlsx from the registry and examples.txt: worksheet functions as formulas, with their values in place.

python workbooks/build_functions.py [folder]
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import binky_article
from build_examples import HERE, INPUT, PAPER, PRINTED_TOLERANCE, TOP, Example, Writer, agree, played, read_examples
from team_sheets import add_sheets

from valet_xl.engine.laws import vulnerability
from valet_xl.functions.catalogue import REGISTRY
from valet_xl.functions.registry import Cell, Cells

CALCULATED_BY = 191029  # Excel 2019 and later take the values for their own
FIRST = TOP + 1  # the first row of results, from 0
FORMULAS = ("Score", "IAF", "Butler", "MP %", "Overall", "Bid", "Play", "Lead score", "Defence")


def build(path: Path) -> None:
    """Write the workbook: the list of functions, and a sheet of formulas for each of the paper's examples."""
    writer = Writer(path)
    # Without the add-in the formulas have no values but those written here: opening must not compute them.
    writer.book.set_calc_mode("auto", CALCULATED_BY)
    writer.book.calc_on_load = False
    _reference_sheet(writer)
    for example in read_examples():
        _formula_sheet(writer, example)
    add_sheets(writer)
    binky_article.add_sheets(writer)
    writer.book.close()


def _reference_sheet(writer: Writer) -> None:
    sheet = writer.sheet("Functions", "The worksheet functions of valet_xl", "You may leave out arguments in brackets.")
    sheet.write_row(TOP, 0, ("Function", "What it does", "Gives", "Example"), writer.heading)
    for column, width in enumerate((52, 84, 60, 46)):
        sheet.set_column(column, column, width, writer.wrapped)
    for at, function in enumerate(REGISTRY.values(), start=FIRST):
        sheet.write_row(at, 0, (function.usage, function.sentence, function.result))
        sheet.write_string(at, 3, function.example)


def _formula_sheet(writer: Writer, example: Example) -> None:
    """The results of an example, formulas over them, and the published values with a cell that compares them."""
    lines = [line for line in example.methods["iaf"] for _ in range(line.tables)]
    last = FIRST + len(lines)  # as sheets count
    sheet = writer.sheet(
        f"Example {example.number}",
        f"Example {example.number}: {example.about}",
        f"The columns from {FORMULAS[0]} on are formulas, saved with their values. LibreOffice shows #NAME? without "
        "the extension. Columns that begin with Paper have what it prints, to two decimals; red is a slip of it. "
        f"Agrees is TRUE if no other figure differs by {PRINTED_TOLERANCE}.",
    )
    sheet.write_row(TOP, 0, INPUT, writer.heading)
    sheet.write_row(TOP, len(INPUT), FORMULAS, writer.paper)
    sheet.write(TOP, len(INPUT) + len(FORMULAS), "Agrees", writer.paper)
    sheet.write_row(TOP, len(INPUT) + len(FORMULAS) + 1, PAPER, writer.paper)
    sheet.set_row(TOP, 32)
    sheet.set_column(0, 4, 8, writer.centre)
    for at, line in enumerate(lines, start=FIRST):
        sheet.write_row(at, 0, (example.board, *played(line)))
        sheet.write(at, 15, line.score)
        writer.write_printed(sheet, at, 16, line.printed)

    def column(letter: str) -> str:
        return f"{letter}{FIRST + 1}:{letter}{last}"

    contracts, seats, tricks = ([[row[at]] for row in map(played, lines)] for at in (0, 1, 3))
    who = str(vulnerability(example.board))
    score = REGISTRY["VALET_SCORE"](contracts, seats, tricks, who, "tricks")
    _put(sheet, 5, f'VALET_SCORE({column("B")},{column("C")},{column("E")},"{who}","tricks")', score)
    scores = column("F")
    for at, name in ((6, "VALET_IAF"), (7, "VALET_BUTLER"), (8, "VALET_MP_PERCENT")):
        _put(sheet, at, f"{name}({scores})", REGISTRY[name](score), writer.points)
    table: Cells = [list(INPUT), *([example.board, *played(line)] for line in lines)]
    _put(sheet, 9, f"VALET_COMPONENTS(A{TOP + 1}:E{last})", REGISTRY["VALET_COMPONENTS"](table), writer.points)
    for row, line in enumerate(lines, start=FIRST + 1):
        tests = [f"F{row}=P{row}"]
        for ours, theirs, figure in zip("JKLMN", "QRSTU", line.printed, strict=True):
            tests += agree(f"N({ours}{row})", f"{theirs}{row}", figure)
        sheet.write_formula(row - 1, 14, f"=AND({','.join(tests)})", writer.true, True)

    for at, (title, name, arguments) in enumerate(
        (
            ("Datum, mean", "VALET_DATUM", ()),
            ("Datum without the highest and the lowest score", "VALET_DATUM", ("trimmed", 1.0, "nearest")),
            ("Datum, zero-sum", "VALET_DATUM", ("zero-sum",)),
            ("Par of the VBA function", "VALET_PAR", ()),
        ),
        start=last + 1,
    ):
        sheet.write(at, 0, title, writer.title_of_row)
        words = "".join(f',"{word}"' if isinstance(word, str) else f",{word:g}" for word in arguments)
        value = REGISTRY[name](score, *arguments)[0][0]
        sheet.write_formula(at, 5, f"={name}({scores}{words})", writer.points, value)


def _put(sheet: Any, column: int, formula: str, values: Cells, look: Any = None) -> None:
    """An array formula over the rows of results, with its values."""
    bottom, right = FIRST + len(values) - 1, column + len(values[0]) - 1
    sheet.write_array_formula(FIRST, column, bottom, right, f"{{={formula}}}", look, _shown(values[0][0]))
    for down, row in enumerate(values):
        for along, cell in enumerate(row):
            if down or along:
                sheet.write(FIRST + down, column + along, _shown(cell), look)


def _shown(cell: Cell) -> float | str:
    if cell is None:
        return ""  # a lead that is not known
    assert isinstance(cell, (float, int, str)), cell  # every result of the examples has all the other parts
    return cell


def main() -> None:
    """Build the workbook."""
    folder = Path(sys.argv[1]) if len(sys.argv) > 1 else HERE
    build(folder / "functions.xlsx")


if __name__ == "__main__":
    main()
