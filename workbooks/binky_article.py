"""The figures of the article on Binky points, and a sheet that computes them with the worksheet functions."""

from __future__ import annotations

from formula_cells import FIRST, HEADINGS, Writer, check, one, value_of

from valet_xl.functions.catalogue import REGISTRY

NAME = "Binky points"
NEAR = 0.12  # tricks that a figure may differ from the author's tables

# From a holding to another in a suit contract: the figure as the article prints it (Thomas Andrews, "Binky Points:
# Optimal Evaluation"), and that of the author's own tables of 2004 and 2008, "to" being between the two.
HOLDING_STEPS = (
    ("x", "A", "1.36", "1.34"),
    ("xx", "AK", "2.42", "2.42"),
    ("xxx", "AKQ", "3.08", "3.09"),
    ("xxxx", "AKQJ", "3.31", "3.32"),
    ("xxxxx", "AKQJT", "3.41", "3.37"),
    ("xxxxxx", "AKQJT9", "3.26", "3.26 to 3.38"),
    ("xxxx", "Axxx", "1.61", "1.61"),
    ("xxxxx", "Axxxx", "1.50", "1.60"),
    ("KQx", "AKQ", "1.41", "1.46"),
    ("QJxx", "AQJx", "1.61", "1.68"),
    ("QJxxx", "AQJxx", "1.70", "1.67"),
)
CARDS = {"A": ("1.65", "1.65"), "Q": ("0.55", "0.565"), "J": ("0.29", "0.29"), "9": ("0.07", "0.05")}
PATTERNS = (("5-4-4-0", "5.116", "5.116"), ("13-0-0-0", "about 7.68", "7.68 to 7.71"))
PAIR = ("KJT Axx KQx AJTx", "A9xx Kxx Axx K9x")
PLAIN = ("KJx Axx KQx AJxx", "Axxx Kxx Axx Kxx")  # the same without tens and nines
PAIRS = ((PAIR, "slightly more than 13", "13.2"), (PLAIN, "12.5", "12.59"))


def near(author: str, cell: str) -> str:
    """A formula that is TRUE if a cell is near what the author's tables have."""
    low, _, high = author.partition(" to ")
    return f"AND({cell}>={low}-{NEAR},{cell}<={high or low}+{NEAR})"


def add_sheet(writer: Writer) -> None:
    """Add the sheet to a workbook that must not compute its formulas when it is opened."""
    sheet = writer.sheet(
        NAME,
        "Binky points: how many tricks hands, holdings and cards are worth",
        "Article is what T. Andrews, Binky Points: Optimal Evaluation, prints. His program's tables differ from it "
        f"in places. Agrees is TRUE if our figure is within {NEAR} tricks of his tables.",
    )
    sheet.set_column(0, 1, 22)
    sheet.set_column(2, 2, 20, writer.right)
    sheet.set_column(3, 3, 14, writer.right)
    sheet.set_column(4, 6, 12)
    sheet.write_row(HEADINGS, 0, ("From", "To", "Article", "His tables"), writer.heading)
    sheet.write_row(HEADINGS, 4, ("valet_xl", "Agrees"), writer.paper)
    for at, (low, high, article, author) in enumerate(HOLDING_STEPS, start=FIRST):
        row = at + 1
        sheet.write_row(at, 0, (low, high, article, author))
        worth = float(value_of("VALET_BINKY_HOLDING", high) or 0) - float(value_of("VALET_BINKY_HOLDING", low) or 0)
        one(sheet, at, 4, f"VALET_BINKY_HOLDING(B{row})-VALET_BINKY_HOLDING(A{row})", worth, writer.points)
        check(writer, sheet, at, 5, near(author, f"E{row}"))

    top = FIRST + len(HOLDING_STEPS) + 3
    sheet.write(
        top - 2,
        0,
        "The cards of AQJ9, each averaged over the orders in which the cards can be added",
        writer.title_of_row,
    )
    sheet.write_row(top - 1, 0, ("Card", "", "Article", "His tables"), writer.heading)
    sheet.write_row(top - 1, 4, ("valet_xl", "Agrees"), writer.paper)
    worth_of = {str(card): float(worth or 0) for card, worth in REGISTRY["VALET_BINKY_CARDS"]("AQJ9")}
    for at, (card, (article, author)) in enumerate(CARDS.items(), start=top):
        row, place = at + 1, 1 + list(worth_of).index(card)
        sheet.write_string(at, 0, card)
        sheet.write_row(at, 2, (article, author))
        one(sheet, at, 4, f'INDEX(VALET_BINKY_CARDS("AQJ9"),{place},2)', worth_of[card], writer.points)
        check(writer, sheet, at, 5, near(author, f"E{row}"))

    top += len(CARDS) + 3
    sheet.write(top - 2, 0, "Two hands in notrump, with and without tens and nines", writer.title_of_row)
    sheet.write_row(top - 1, 0, ("Hand", "Partner", "Article", "His tables"), writer.heading)
    sheet.write_row(top - 1, 4, ("valet_xl", "Agrees", "At least 12", "All 13"), writer.paper)
    for at, (hands, article, author) in enumerate(PAIRS, start=top):
        row = at + 1
        found = [float(cell or 0) for cell in REGISTRY["VALET_BINKY_TRICKS"](*hands, "notrump")[0]]
        formula = f'VALET_BINKY_TRICKS(A{row},B{row},"notrump")'
        sheet.write_row(at, 0, (*hands, article, author))
        one(sheet, at, 4, f"INDEX({formula},1,1)", found[0], writer.points)
        check(writer, sheet, at, 5, near(author, f"E{row}"))
        one(sheet, at, 6, f"INDEX({formula},1,15)+INDEX({formula},1,16)", found[14] + found[15], writer.points)
        one(sheet, at, 7, f"INDEX({formula},1,16)", found[15], writer.points)
