"""Build results.xlsx and examples.xlsx from examples.txt and pars.txt, the same bytes each time.

python workbooks/build_examples.py [folder]
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any, NamedTuple

import xlsxwriter

from valet_xl import datum, par
from valet_xl.documents.xlsx import Workbook
from valet_xl.engine.options import Options
from valet_xl.engine.score_results import layout
from valet_xl.sheets.score_sheet import score_grid

HERE = Path(__file__).parent
MADE = datetime(2026, 1, 1)  # a fixed date, so that the files do not change with the day

METHODS = {  # an unknown lead is worth 0 in the paper
    "iaf": Options(unknown_lead="zero"),
    "datum": Options(method="datum", unknown_lead="zero"),
    "iaf cloud": Options(cloud=True, unknown_lead="zero"),
    "datum cloud": Options(method="datum", cloud=True, unknown_lead="zero"),
}
INPUT = ("Board", "Contract", "By", "Lead", "Tricks")
PAPER = ("Paper: score", "Paper: overall", "Paper: bid", "Paper: play", "Paper: lead", "Paper: defence")
TOP = 3  # the heading row, from 0
TOLERANCE = 0.0006  # the text has three decimals
PRINTED_TOLERANCE = 0.0051  # the paper prints two


class Figure(NamedTuple):
    """What the paper prints for a part of a score: the value, None if it prints none, and whether it is a slip."""

    value: float | None
    slip: bool


class Line(NamedTuple):
    """Tables with one result; overall, bid and play are the declaring side's, lead and defence the defenders'.

    The parts are recomputed to three decimals; `printed` has them as the paper prints them, in the same order.
    """

    contract: str
    by: str
    led: str
    tricks: int
    tables: int
    score: int
    overall: float
    bid: float
    play: float
    lead: float
    defence: float
    printed: tuple[Figure, ...]


@dataclass(frozen=True)
class Example:
    """A board of the paper, and its lines for each method by which the paper scores it."""

    number: int
    board: int
    event: str
    about: str
    methods: dict[str, list[Line]]


class Par(NamedTuple):
    """A board's scores, the par of the VBA function for them, and the par nearest to 0 by the blog's description."""

    about: str
    delta: int
    scores: tuple[int, ...]
    par: float
    zero_sum: float | None


def content(path: Path) -> Iterator[str]:
    """The lines of a text that are neither blank nor comments."""
    for line in path.read_text(encoding="utf-8").splitlines():
        if line and not line.startswith("#"):
            yield line


def read_examples(path: Path = HERE / "examples.txt") -> list[Example]:
    """Read the paper's examples."""
    examples: list[Example] = []
    lines: list[Line] = []
    for text in content(path):
        if text.startswith("example "):
            number, board, event, about = (part.strip() for part in text.removeprefix("example ").split("|"))
            examples.append(Example(int(number), int(board), event, about, {}))
        elif text.startswith("method "):
            lines = examples[-1].methods[text.removeprefix("method ")] = []
        else:
            recomputed, _, paper = text.partition("|")
            contract, by, led, *numbers = recomputed.split()
            tricks, tables, score = map(int, numbers[:3])
            overall, bid, play, lead, defence = map(float, numbers[3:])
            printed = tuple(map(_figure, paper.split()))
            lines.append(Line(contract, by, led, tricks, tables, score, overall, bid, play, lead, defence, printed))
    return examples


def _figure(text: str) -> Figure:
    """Read a figure as the paper prints it: -5.65, with ! if it is a slip, or . if there is none."""
    return Figure(None if text == "." else float(text.rstrip("!")), text.endswith("!"))


def read_pars(path: Path = HERE / "pars.txt") -> list[Par]:
    """Read the examples of par."""
    pars = []
    for text in content(path):
        about, delta, vba, prose, scores = (part.strip() for part in text.split("|"))
        of_board = tuple(int(score) for score in scores.split())
        pars.append(Par(about, int(delta), of_board, float(vba), float(prose) if prose else None))
    return pars


class Writer:
    """A workbook under way: its formats, and sheets with a title."""

    def __init__(self, path: Path) -> None:
        self.book = xlsxwriter.Workbook(path)
        self.book.set_properties({"title": "Bridge results", "author": "valet_xl", "created": MADE})
        self.title = self.book.add_format({"bold": True, "font_size": 14})
        self.remark = self.book.add_format({"italic": True, "font_color": "#555555"})
        self.heading = self.book.add_format({"bold": True, "bg_color": "#DDE8CB", "bottom": 1, "text_wrap": True})
        self.paper = self.book.add_format({"bold": True, "bg_color": "#FFF5CE", "bottom": 1, "text_wrap": True})
        self.true = self.book.add_format({"bg_color": "#C6EFCE", "align": "center"})
        self.wrapped = self.book.add_format({"text_wrap": True, "valign": "top"})
        self.title_of_row = self.book.add_format({"bold": True})
        self.centre = self.book.add_format({"align": "center"})
        self.right = self.book.add_format({"align": "right"})
        self.printed = self.book.add_format({"num_format": "0.00"})
        self.slip = self.book.add_format({"num_format": "0.00", "bg_color": "#FFC7CE"})
        self.points = self.book.add_format({"num_format": "0.000"})

    def sheet(self, name: str, title: str, remark: str) -> Any:
        """Add a sheet that prints on one page in width."""
        sheet = self.book.add_worksheet(name)
        sheet.set_landscape()
        sheet.set_paper(9)
        sheet.fit_to_pages(1, 0)
        sheet.write(0, 0, title, self.title)
        sheet.write(1, 0, remark, self.remark)
        sheet.freeze_panes(TOP + 1, 0)
        return sheet

    def write_printed(self, sheet: Any, row: int, column: int, printed: Sequence[Figure]) -> None:
        """Write figures as the paper prints them, a slip in red."""
        for at, figure in enumerate(printed, start=column):
            if figure.value is not None:
                sheet.write(row, at, figure.value, self.slip if figure.slip else self.printed)


def agree(ours: str, theirs: str, figure: Figure) -> Iterator[str]:
    """What a formula has to test for one figure: nothing if the paper does not print it, or prints it wrongly."""
    if figure.value is not None and not figure.slip:
        yield f"ABS({ours}-{theirs})<{PRINTED_TOLERANCE}"


def build_results(path: Path, examples: Sequence[Example]) -> None:
    """Write the workbook to try the main job on: the real results of examples 1-6 on one sheet, not scored."""
    writer = Writer(path)
    sheet = writer.sheet(
        "Results", "Results from three championships", "104 tables of six boards, from the examples of the Valet paper"
    )
    sheet.set_column(0, 0, 20)
    sheet.set_column(1, 1, 7, writer.centre)
    sheet.set_column(3, 5, 7, writer.centre)
    sheet.write_row(TOP, 0, ("Round", *INPUT), writer.heading)
    at = TOP + 1
    for example in (example for example in examples if example.event):
        for line in example.methods["iaf"]:
            for _ in range(line.tables):
                sheet.write_row(at, 0, (example.event, example.board, *played(line)))
                at += 1
    writer.book.close()


def played(line: Line) -> tuple[Any, ...]:
    """Contract, declarer, lead and tricks of a line, as cells."""
    return (line.contract, line.by, None if line.led == "-" else line.led, line.tricks)


def build_examples(path: Path, examples: Sequence[Example], pars: Sequence[Par]) -> None:
    """Write the paper's examples, a row a result with the published values next to it, and score each sheet."""
    writer = Writer(path)
    sheets: dict[str, Options] = {}
    for example in examples:
        for method, lines in example.methods.items():
            name = f"Example {example.number}" if method == "iaf" else f"Example {example.number} {method}"
            sheets[name] = METHODS[method]
            _example_sheet(writer, name, example, method, lines)
    _par_sheet(writer, pars)
    writer.book.close()

    book = Workbook.open(path)
    for name, options in sheets.items():
        page = book.read(name)
        book.put(name, score_grid(page.cells, options, page.tables).block)
    book.save(path)


def _example_sheet(writer: Writer, name: str, example: Example, method: str, lines: Sequence[Line]) -> None:
    sheet = writer.sheet(
        name,
        f"Example {example.number}: {example.about}",
        f"Method {method}. Columns that begin with Paper have what it prints, to two decimals; red is a slip of it. "
        f"From Score on is what valet-xl writes. Agrees is TRUE if no other figure differs by {PRINTED_TOLERANCE}.",
    )
    sheet.write_row(TOP, 0, INPUT, writer.heading)
    sheet.write(TOP, len(INPUT), "Agrees", writer.paper)
    sheet.write_row(TOP, len(INPUT) + 1, PAPER, writer.paper)
    sheet.set_row(TOP, 32)
    sheet.set_column(0, 4, 8, writer.centre)
    at = TOP + 1
    for line in lines:
        for _ in range(line.tables):
            sheet.write_row(at, 0, (example.board, *played(line)))
            sheet.write_formula(at, len(INPUT), _agrees(at + 1, METHODS[method], line.printed), writer.true, True)
            sheet.write(at, len(INPUT) + 1, line.score)
            writer.write_printed(sheet, at, len(INPUT) + 2, line.printed)
            at += 1


def _agrees(row: int, options: Options, printed: Sequence[Figure]) -> str:
    """A formula that compares the printed figures of a row with the scored ones right of them."""
    first = len(INPUT) + 1
    names = layout(options.method, options.cloud)
    scored = {name: f"{_letter(first + len(PAPER) + at)}{row}" for at, name in enumerate(names)}
    score, overall, *parts = (f"{_letter(first + at)}{row}" for at in range(len(PAPER)))
    tests = [f"{scored['Score']}={score}", *agree(f"{scored['Bid']}+{scored['Play']}", overall, printed[0])]
    if not options.cloud:
        compared = scored["Butler" if options.method == "datum" else "IAF"]
        tests += agree(f'IF(OR(C{row}="E",C{row}="W"),-{compared},{compared})', overall, printed[0])
    for name, theirs, figure in zip(("Bid", "Play", "Lead score", "Defence"), parts, printed[1:], strict=True):
        tests += agree(scored[name], theirs, figure)
    return f"=AND({','.join(tests)})"


def _par_sheet(writer: Writer, pars: Sequence[Par]) -> None:
    """The pars of the published function, and as computed here."""
    sheet = writer.sheet(
        "Butler par",
        "Zero-sum par: the VBA function of 31 May 2009, and the datum rule that its description promises",
        "VBA is what R. Barker's function (RMB Bridge Laws blog) gave when it was run; Searched is by trying every "
        "multiple of 10. valet_xl computes Par and Zero-sum.",
    )
    headings = ("Board", "Delta", "VBA", "Par", "Agrees")
    headings += ("Searched", "Zero-sum", "Agrees", "Scores")
    sheet.write_row(TOP, 0, headings, writer.heading)
    sheet.set_row(TOP, 32)
    sheet.set_column(0, 0, 30)
    sheet.set_column(1, 7, 10)
    sheet.set_column(8, 30, 6)
    for at, case in enumerate(pars, start=TOP + 1):
        sheet.write_row(at, 0, (case.about, case.delta, case.par, par(case.scores, delta=case.delta)))
        sheet.write_formula(at, 4, f"=C{at + 1}=D{at + 1}", writer.true, True)
        if case.zero_sum is not None:
            sheet.write_row(at, 5, (case.zero_sum, float(datum(case.scores, rule="zero-sum")[0])))
            sheet.write_formula(at, 7, f"=F{at + 1}=G{at + 1}", writer.true, True)
        sheet.write_row(at, 8, case.scores)


def _letter(column: int) -> str:
    return chr(ord("A") + column)  # no sheet here has more than 26 columns


def main() -> None:
    """Build both workbooks."""
    folder = Path(sys.argv[1]) if len(sys.argv) > 1 else HERE
    examples = read_examples()
    build_results(folder / "results.xlsx", examples)
    build_examples(folder / "examples.xlsx", examples, read_pars())


if __name__ == "__main__":
    main()
