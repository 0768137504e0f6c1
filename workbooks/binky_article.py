"""The figures of the article on Binky points, sheets that compute them with functions, and lists of all values."""

from __future__ import annotations

from typing import Any

from formula_cells import FIRST, HEADINGS, Writer, check, one, value_of

from valet_xl.binky.fit_tables import frequencies
from valet_xl.binky.hands import HONOURS, RANKS
from valet_xl.binky.hands import PATTERNS as PATTERNS_OF_HANDS
from valet_xl.binky.points import HOLDINGS, KINDS, shipped
from valet_xl.engine.arrays import Floats
from valet_xl.functions.catalogue import REGISTRY

NAME = "Binky points"
NEAR = 0.12  # tricks that a figure may differ from the author's tables

# The tables of the article (Thomas Andrews, "Binky Points: Optimal Evaluation"): from a holding to another in a suit
# contract, with the figure as it is printed.
TABLES = (
    (
        "The worst and the best holding of a length",
        (
            *(("x", "A", "1.36"), ("xx", "AK", "2.42"), ("xxx", "AKQ", "3.08"), ("xxxx", "AKQJ", "3.31")),
            *(("xxxxx", "AKQJT", "3.41"), ("xxxxxx", "AKQJT9", "3.26")),
        ),
    ),
    (
        "An ace, with no other honour",
        (
            *(("x", "A", "1.36"), ("xx", "Ax", "1.52"), ("xxx", "Axx", "1.60"), ("xxxx", "Axxx", "1.61")),
            *(("xxxxx", "Axxxx", "1.50"), ("xxxxxx", "Axxxxx", "1.53")),
        ),
    ),
    (
        "An ace, with other honours",
        (
            *(("Qx", "AQ", "1.64"), ("Qxx", "AQx", "1.69"), ("Qxxx", "AQxx", "1.70"), ("Qxxxx", "AQxxx", "1.68")),
            ("Qxxxxx", "AQxxxx", "1.59"),
            *(("Kx", "AK", "1.49"), ("Kxx", "AKx", "1.56"), ("Kxxx", "AKxx", "1.58"), ("Kxxxx", "AKxxx", "1.59")),
            ("Kxxxxx", "AKxxxx", "1.59"),
            *(("KQx", "AKQ", "1.41"), ("KQxx", "AKQx", "1.49"), ("KQxxx", "AKQxx", "1.51")),
            ("KQxxxx", "AKQxxx", "1.52"),
            *(("KJx", "AKJ", "1.50"), ("KJxx", "AKJx", "1.51"), ("KJxxx", "AKJxx", "1.57")),
            ("KJxxxx", "AKJxxx", "1.57"),
            *(("QJx", "AQJ", "1.65"), ("QJxx", "AQJx", "1.61"), ("QJxxx", "AQJxx", "1.70")),
            ("QJxxxx", "AQJxxx", "1.58"),
            *(("KTx", "AKT", "1.56"), ("KTxx", "AKTx", "1.54"), ("KTxxx", "AKTxx", "1.56")),
            ("KTxxxx", "AKTxxx", "1.55"),
        ),
    ),
    (
        "AQJ9 from the top down",
        (("xxxx", "Axxx", "1.61"), ("Axxx", "AQxx", "0.66"), ("AQxx", "AQJx", "0.28"), ("AQJx", "AQJ9", "0.01")),
    ),
    (
        "AQJ9 from the bottom up",
        (("xxxx", "9xxx", "0.05"), ("9xxx", "J9xx", "0.31"), ("J9xx", "QJ9x", "0.55"), ("QJ9x", "AQJ9", "1.65")),
    ),
    (
        "The ace of AQJ9 in every order",
        (
            *(("xxxx", "Axxx", "1.61"), ("9xxx", "A9xx", "1.64"), ("Jxxx", "AJxx", "1.67"), ("Qxxx", "AQxx", "1.70")),
            *(("J9xx", "AJ9x", "1.71"), ("Q9xx", "AQ9x", "1.67"), ("QJxx", "AQJx", "1.67"), ("QJ9x", "AQJ9", "1.65")),
        ),
    ),
)
# What the author's own tables of 2004 and 2008 have for some of them, "to" being between the two.
AUTHOR = {
    ("x", "A"): "1.34",
    ("xx", "AK"): "2.42",
    ("xxx", "AKQ"): "3.09",
    ("xxxx", "AKQJ"): "3.32",
    ("xxxxx", "AKQJT"): "3.37",
    ("xxxxxx", "AKQJT9"): "3.26 to 3.38",
    ("xxxxx", "Axxxx"): "1.60",
    ("KQx", "AKQ"): "1.46",
    ("QJxx", "AQJx"): "1.68",
    ("QJxxx", "AQJxx"): "1.67",
}
CARDS = {"A": ("1.65", ""), "Q": ("0.55", "0.565"), "J": ("0.29", ""), "9": ("0.07", "0.05")}
PATTERNS = (("5-4-4-0", "5.116", ""), ("13-0-0-0", "about 7.68", "7.68 to 7.71"))
PAIR = ("KJT Axx KQx AJTx", "A9xx Kxx Axx K9x")
PLAIN = ("KJx Axx KQx AJxx", "Axxx Kxx Axx Kxx")  # the same without tens and nines
PAIRS = ((PAIR, "slightly more than 13", "13.2"), (PLAIN, "12.5", "12.59"))


def near(article: str, author: str, cell: str) -> str:
    """A formula that is TRUE if a cell is near the author's tables, or the article where these are not known."""
    low, _, high = (author or article).partition(" to ")
    return f"AND({cell}>={low}-{NEAR},{cell}<={high or low}+{NEAR})"


def add_sheets(writer: Writer) -> None:
    """Add the article's figures, the patterns and the holdings to a workbook that must not compute its formulas."""
    _figures(writer)
    _patterns(writer)
    _holdings(writer)


def _patterns(writer: Writer) -> None:
    """All patterns, the commonest first."""
    fit = shipped()
    chances = frequencies()[0]
    names = ["-".join(map(str, pattern)) for pattern in PATTERNS_OF_HANDS]
    rows = [
        [name, chance, *_valued(worth, error)]
        for name, chance, worth, error in zip(names, chances, fit.pattern, fit.pattern_error, strict=True)
    ]
    _values_sheet(writer, "Binky patterns", "What every pattern of a hand is worth in tricks", "Pattern", rows)


def _holdings(writer: Writer) -> None:
    """All holdings, by length and from most honours to least."""
    fit = shipped()
    chances = frequencies()[1]
    rows = [
        [name, chance, *_valued(worth, error)]
        for name, chance, worth, error in zip(holding_names(), chances, fit.holding, fit.holding_error, strict=True)
    ]
    _values_sheet(writer, "Binky holdings", "What every holding in a suit is worth in tricks", "Holding", rows)


def holding_names() -> list[str]:
    """Every holding as people write it, in the order of HOLDINGS."""
    top = 1 << HONOURS - 1
    named = ("".join(card for place, card in enumerate(RANKS[:HONOURS]) if held << place & top) for _, held in HOLDINGS)
    return [name.ljust(length, "x") or "-" for name, (length, _) in zip(named, HOLDINGS, strict=True)]


def _valued(worth: Floats, error: Floats) -> list[float]:
    return [float(number) for pair in zip(worth, error, strict=True) for number in pair]


def _values_sheet(writer: Writer, name: str, title: str, what: str, rows: list[list[Any]]) -> None:
    sheet = writer.sheet(
        name,
        f"Binky points: {title[0].lower()}{title[1:]}",
        "Values and standard errors of the fit that comes with valet_xl, double dummy. Holdings of a length are 0 on "
        "average, weighted by how often they occur; the value of the length counts with the pattern.",
    )
    sheet.set_column(0, 1, 16)
    sheet.set_column(2, 9, 12)
    sheet.write_row(HEADINGS, 0, (what, "How often (%)"), writer.heading)
    sheet.write_row(HEADINGS, 2, [f"{kind}{said}" for kind in KINDS for said in ("", ", error")], writer.heading)
    for at, (called, chance, *numbers) in enumerate(rows, start=FIRST):
        sheet.write_string(at, 0, called)
        sheet.write_number(at, 1, float(f"{100 * chance:.6g}"))
        for column, number in enumerate(numbers, start=2):
            sheet.write_number(at, column, round(number, 3), writer.points)


def _figures(writer: Writer) -> None:
    """The article's figures next to formulas."""
    sheet = writer.sheet(
        NAME,
        "Binky points: how many tricks hands, holdings and cards are worth",
        "Article is what T. Andrews, Binky Points: Optimal Evaluation, prints. His tables are the author's own, where "
        f"they are known. Agrees is TRUE if our figure is within {NEAR} tricks of his tables, or else of the article.",
    )
    sheet.set_column(0, 1, 22)
    sheet.set_column(2, 2, 20, writer.right)
    sheet.set_column(3, 3, 14, writer.right)
    sheet.set_column(4, 6, 12)
    top = FIRST + 1
    for title, steps in TABLES:
        sheet.write(top - 2, 0, title, writer.title_of_row)
        _headings(writer, sheet, top - 1, ("From", "To"))
        for at, (low, high, article) in enumerate(steps, start=top):
            row, author = at + 1, AUTHOR.get((low, high), "")
            sheet.write_row(at, 0, (low, high, article, author))
            worth = float(value_of("VALET_BINKY_HOLDING", high) or 0) - float(value_of("VALET_BINKY_HOLDING", low) or 0)
            one(sheet, at, 4, f"VALET_BINKY_HOLDING(B{row})-VALET_BINKY_HOLDING(A{row})", worth, writer.points)
            check(writer, sheet, at, 5, near(article, author, f"E{row}"))
        top += len(steps) + 3

    sheet.write(top - 2, 0, "The cards of AQJ9, averaged over all orders of adding them", writer.title_of_row)
    _headings(writer, sheet, top - 1, ("Card", ""))
    worth_of = {str(card): float(worth or 0) for card, worth in REGISTRY["VALET_BINKY_CARDS"]("AQJ9")}
    for at, (card, (article, author)) in enumerate(CARDS.items(), start=top):
        row, place = at + 1, 1 + list(worth_of).index(card)
        sheet.write_string(at, 0, card)
        sheet.write_row(at, 2, (article, author))
        one(sheet, at, 4, f'INDEX(VALET_BINKY_CARDS("AQJ9"),{place},2)', worth_of[card], writer.points)
        check(writer, sheet, at, 5, near(article, author, f"E{row}"))

    top += len(CARDS) + 3
    sheet.write(top - 2, 0, "Patterns in a suit contract", writer.title_of_row)
    _headings(writer, sheet, top - 1, ("Pattern", ""))
    for at, (pattern, article, author) in enumerate(PATTERNS, start=top):
        row = at + 1
        sheet.write_string(at, 0, pattern)
        sheet.write_row(at, 2, (article, author))
        worth = float(value_of("VALET_BINKY_PATTERN", pattern) or 0)
        one(sheet, at, 4, f"VALET_BINKY_PATTERN(A{row})", worth, writer.points)
        check(writer, sheet, at, 5, near(article, author, f"E{row}"))

    top += len(PATTERNS) + 3
    sheet.write(top - 2, 0, "Two hands in notrump, with and without tens and nines", writer.title_of_row)
    _headings(writer, sheet, top - 1, ("Hand", "Partner"), ("At least 12", "All 13"))
    for at, (hands, article, author) in enumerate(PAIRS, start=top):
        row = at + 1
        found = [float(cell or 0) for cell in REGISTRY["VALET_BINKY_TRICKS"](*hands, "notrump")[0]]
        formula = f'VALET_BINKY_TRICKS(A{row},B{row},"notrump")'
        sheet.write_row(at, 0, (*hands, article, author))
        one(sheet, at, 4, f"INDEX({formula},1,1)", found[0], writer.points)
        check(writer, sheet, at, 5, near(article, author, f"E{row}"))
        one(sheet, at, 6, f"INDEX({formula},1,15)+INDEX({formula},1,16)", found[14] + found[15], writer.points)
        one(sheet, at, 7, f"INDEX({formula},1,16)", found[15], writer.points)


def _headings(writer: Writer, sheet: Any, row: int, what: tuple[str, str], more: tuple[str, ...] = ()) -> None:
    sheet.write_row(row, 0, (*what, "Article", "His tables"), writer.heading)
    sheet.write_row(row, 4, ("valet_xl", "Agrees", *more), writer.paper)
