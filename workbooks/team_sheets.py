"""Sheets of worksheet functions at work: victory points, duels, teams of eight, rulings, the insufficient bid."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations
from typing import Any

from formula_cells import FIRST, HEADINGS, Writer, check, many, one, value_of

from valet_xl.engine.rulings import LAWS, REPLACEMENTS, law27
from valet_xl.functions.catalogue import REGISTRY
from valet_xl.functions.registry import Cell

NAMES = ("Victory points", "Duels", "Teams of eight", "Rulings", "Insufficient bid")

# WBF, 2013: margins with their published victory points, continuous and in whole points.
WBF = ((16, 1, 10.31), (16, 8, 12.29), (16, 14, 13.75), (16, 60, 20.0), (8, 1, 10.44), (8, 10, 13.78), (8, 43, 20.0))
WBF_DISCRETE_16 = {
    **{10: (0, 1), 11: (2, 4), 12: (5, 8), 13: (9, 12), 14: (13, 17), 15: (18, 22)},
    **{16: (23, 28), 17: (29, 35), 18: (36, 43), 19: (44, 53), 20: (54, 60)},
}
# "Scoring a Duel", Pikier writings: IMPs won and lost over 16 deals, and the winners' and losers' Victors.
DUELS = ((37, 11, 16, 21), (11, 37, 16, 9), (100, 10, 16, 25), (10, 100, 16, 0))
# A match of teams of eight: North-South's scores at the two tables where the team sits so, and at the two others.
MATCH = (
    *((620, 650, 620, -100), (-50, 110, -110, 110), (1430, 680, 680, 680), (400, -50, 430, 400)),
    *((-620, -790, -620, 200), (90, 120, 90, 120), (-100, 140, 50, -100), (980, 480, 480, 510)),
)
# R. Barker, Application of Law 12, 21 November 2009: A, B and C, the non-offenders' score and the offenders'.
LAW_12 = (
    ("4SX -1, could have been -2", -8, 0, -3, -5, 0),
    ("4SX -2 with a revoke, could have been -3", -3, 0, 2, -3, 0),
    ("4SX -2, no revoke", -3, 0, -3, 0, 0),
    ("4SX -3", 2, 0, 2, 2, 2),
)
# R. Barker, RMB Bridge Laws: the auctions of 16 October, 21 July and 8 July 2009; a call of the offender, whether the
# blog finds that it corrects the bid under 27B1(a) or (b), the word for it, and whether partner may still call.
AUCTIONS = (
    ("1NT (Pass) 1S, meant as an opening bid", "2S, artificial (minors)", "no", "no", "bid", False),
    ("", "2H, a transfer to spades", "no", "no: it does not show opening values", "bid", False),
    ("", "3S, natural and forcing to game", "no", "yes: spades and opening values, more precise", "comparable", True),
    (
        "1S (2H) X (3H) X (4H) 5D (Pass) 4NT, to play",
        "5NT, natural",
        "yes",
        "yes, perhaps: the same as 4NT",
        "same",
        True,
    ),
    ("", "5NT, if 4NT or 5NT were artificial", "no", "no", "bid", False),
    ("1NT (2C) 2S (3C) 2NT, natural: a minimum", "3NT", "yes", "no", "same", True),
    ("", "Pass: the same, a minimum", "no", "yes", "comparable", True),
)
# The steps of the same blog, 16 October 2009, by whom they concern, in other words and with the laws of 2017.
PROCEDURE = (
    ("Offender", "Ask for no reason: whatever is said about the bid can only do harm."),
    ("Left-hand opponent", "The bid may be accepted, but hear first what happens if it is not."),
    (
        "Director",
        "Is 27B1(a) open? Are there comparable calls (27B1(b))? Look at the auction, the card, and agreements.",
    ),
    ("Offender", ""),
    ("Offender", ""),
    ("Offender", "Third: any other sufficient bid, or a pass. Partner must then pass for the rest of the auction."),
    ("Left-hand opponent", "Is the bid accepted? Ask about their system, but not what the bid was meant to be."),
    ("Offender", "If needed, settle away from the table which calls silence partner. Then call."),
    (
        "Director",
        "Announce whether partner is silenced. Ask to be called back after the play if there is a problem (27D).",
    ),
)
MEANINGS = {
    "same": "the lowest sufficient bid in the same denomination, or one that shows the same denominations",
    "comparable": "a call with the same or a similar meaning, part of it, or the same purpose (23A)",
    "bid": "another sufficient bid",
    "pass": "a pass",
    "double": "a double or redouble that is not comparable",
    "insufficient": "another insufficient bid",
}
ARTIFICIAL = (("A+", 3), ("A", 0), ("A-", -3), ("60/40", 3))


def add_sheets(writer: Writer) -> None:
    """Add a sheet for each of NAMES to a workbook that must not compute its formulas when it is opened."""
    _victory_points(writer)
    _duels(writer)
    _teams(writer)
    _rulings(writer)
    _insufficient_bid(writer)


def _victory_points(writer: Writer) -> None:
    sheet = writer.sheet(
        NAMES[0],
        "Victory points: the scales of the WBF of 2013 and the tables of the ACBL",
        "Published are the values of the WBF scoring panel. The columns from WBF on are formulas, saved "
        "with their values.",
    )
    sheet.set_column(0, 12, 11)
    sheet.write_row(HEADINGS, 0, ("Boards", "IMPs", "Published"), writer.heading)
    sheet.write_row(HEADINGS, 3, ("WBF", "Agrees", "WBF if lost", "IMPs needed"), writer.paper)
    for at, (boards, imps, published) in enumerate(WBF, start=FIRST):
        row = at + 1
        sheet.write_row(at, 0, (boards, imps, published))
        one(sheet, at, 3, f"VALET_VP(B{row},A{row})", value_of("VALET_VP", imps, boards), writer.points)
        check(writer, sheet, at, 4, f"ABS(C{row}-D{row})<0.005")
        one(sheet, at, 5, f"VALET_VP(-B{row},A{row})", value_of("VALET_VP", -imps, boards), writer.points)
        needed = value_of("VALET_VP_IMPS", published, boards)
        one(sheet, at, 6, f"VALET_VP_IMPS(C{row},A{row})", needed)

    top = FIRST + len(WBF) + 3
    sheet.write(top - 2, 0, "16 boards in whole points", writer.title_of_row)
    sheet.write_row(top - 1, 0, ("From IMPs", "To IMPs", "Published"), writer.heading)
    sheet.write_row(top - 1, 3, ("VP at From", "VP at To", "Agrees"), writer.paper)
    for at, (points, (first, last)) in enumerate(WBF_DISCRETE_16.items(), start=top):
        row = at + 1
        sheet.write_row(at, 0, (first, last, points))
        for column, letter, imps in ((3, "A", first), (4, "B", last)):
            value = value_of("VALET_VP", imps, 16, "discrete")
            one(sheet, at, column, f'VALET_VP({letter}{row},16,"discrete")', value)
        check(writer, sheet, at, 5, f"AND(C{row}=D{row},C{row}=E{row})")

    top += len(WBF_DISCRETE_16) + 3
    sheet.write(top - 2, 0, "8 boards on the scales of the ACBL", writer.title_of_row)
    sheet.write_row(top - 1, 0, ("IMPs", "20 points", "30 points"), writer.heading)
    for at, imps in enumerate((-10, 0, 1, 5, 10, 20, 28), start=top):
        sheet.write(at, 0, imps)
        for column, scale in ((1, "acbl20"), (2, "acbl30")):
            one(sheet, at, column, f'VALET_VP(A{at + 1},8,"{scale}")', value_of("VALET_VP", imps, 8, scale))


def _duels(writer: Writer) -> None:
    sheet = writer.sheet(
        NAMES[1],
        "Duels: Victors, per cent, and a scale whose sections are equally probable",
        "Published are the values of Scoring a Duel, Pikier writings. The sections are those of a normal distribution "
        "with a standard deviation of 5 IMPs per deal.",
    )
    sheet.set_column(0, 8, 11)
    sheet.write_row(HEADINGS, 0, ("IMPs won", "IMPs lost", "Deals", "Published"), writer.heading)
    sheet.write_row(HEADINGS, 4, ("Victors", "Agrees", "Per cent", "Sections of 30"), writer.paper)
    for at, (won, lost, deals, published) in enumerate(DUELS, start=FIRST):
        row, balance = at + 1, won - lost
        sheet.write_row(at, 0, (won, lost, deals, published))
        arguments = f"A{row}-B{row},C{row}"
        one(sheet, at, 4, f"VALET_VICTORS({arguments})", value_of("VALET_VICTORS", balance, deals))
        check(writer, sheet, at, 5, f"D{row}=E{row}")
        percent = value_of("VALET_VICTORS_PERCENT", balance, deals)
        one(sheet, at, 6, f"VALET_VICTORS_PERCENT({arguments})", percent, writer.points)
        one(sheet, at, 7, f"VALET_DUEL_POINTS({arguments})", value_of("VALET_DUEL_POINTS", balance, deals))


def _teams(writer: Writer) -> None:
    sheet = writer.sheet(
        NAMES[2],
        "A match of teams of eight in four ways, and barking",
        "All scores are North-South's. Home: the two tables where the team sits North-South. Away: the two where it "
        "sits East-West.",
    )
    sheet.set_column(0, 12, 10)
    sheet.write_row(HEADINGS, 0, ("Board", "Home 1", "Home 2", "Away 1", "Away 2"), writer.heading)
    methods = (("All tables", "cross"), ("Two fours", "fours"), ("Aggregate", "aggregate"))
    sheet.write_row(HEADINGS, 5, (*(title for title, _ in methods), "Board-a-match", "Agrees"), writer.paper)
    last = FIRST + len(MATCH)
    for at, scores in enumerate(MATCH, start=FIRST):
        sheet.write_row(at, 0, (at - HEADINGS, *scores))
    home, away = [list(scores[:2]) for scores in MATCH], [list(scores[2:]) for scores in MATCH]
    blocks = f"B{FIRST + 1}:C{last},D{FIRST + 1}:E{last}"
    columns = []
    for column, (_, method) in enumerate(methods, start=5):
        columns.append(REGISTRY["VALET_TEAMS"](home, away, method))
        many(sheet, FIRST, column, f'VALET_TEAMS({blocks},"{method}")', columns[-1])
    columns.append(REGISTRY["VALET_BAM"](home, away))
    many(sheet, FIRST, 8, f"VALET_BAM({blocks})", columns[-1])
    for row in range(FIRST + 1, last + 1):
        across = "+".join(f"VALET_IMP({own}{row}-{other}{row})" for own in "BC" for other in "DE")
        of_four = "+".join(f"VALET_IMP({own}{row}-{other}{row})" for own, other in (("B", "D"), ("C", "E")))
        added = f"VALET_IMP(B{row}+C{row}-D{row}-E{row})"
        won = f"1+SIGN(B{row}+C{row}-D{row}-E{row})"
        tests = (f"{letter}{row}={way}" for letter, way in zip("FGHI", (across, of_four, added, won), strict=True))
        check(writer, sheet, row - 1, 9, f"AND({','.join(tests)})")
    sheet.write(last, 0, "Sum", writer.title_of_row)
    for column, cells in enumerate(columns, start=5):
        total = sum(float(row[0]) for row in cells)  # type: ignore[arg-type]
        letter = "ABCDEFGHI"[column]
        sheet.write_formula(last, column, f"=SUM({letter}{FIRST + 1}:{letter}{last})", None, total)

    top = last + 4
    sheet.write(top - 2, 0, "Barking: every pair of a board in all its teams of eight", writer.title_of_row)
    sheet.write_row(top - 1, 0, ("Table", "Score"), writer.heading)
    sheet.write_row(top - 1, 2, ("Barking", "Agrees"), writer.paper)
    scores = list(MATCH[0])
    barked = REGISTRY["VALET_BARKING"]([[score] for score in scores])
    many(sheet, top, 2, f"VALET_BARKING(B{top + 1}:B{top + 4})", barked)
    for table in range(4):
        row = top + table + 1
        sheet.write_row(row - 1, 0, (table + 1, scores[table]))
        check(writer, sheet, row - 1, 3, f"C{row}={'+'.join(_terms(row, range(top + 1, top + 5)))}")

    top += 4 + 3
    sheet.write(top - 2, 0, "The same for two matches: 105 terms per pair", writer.title_of_row)
    sheet.write_row(top - 1, 0, ("Table", "Score"), writer.heading)
    sheet.write_row(top - 1, 2, ("Barking", "Agrees", "Per term"), writer.paper)
    scores = [*MATCH[0], *MATCH[4]]
    barked = REGISTRY["VALET_BARKING"]([[score] for score in scores])
    many(sheet, top, 2, f"VALET_BARKING(B{top + 1}:B{top + 8})", barked)
    averages = REGISTRY["VALET_BARKING"]([[score] for score in scores], "average")
    many(sheet, top, 4, f'VALET_BARKING(B{top + 1}:B{top + 8},"average")', averages, writer.points)
    for table, score in enumerate(scores):
        row = top + table + 1
        sheet.write_row(row - 1, 0, (table + 1, score))
        check(writer, sheet, row - 1, 3, f"C{row}={'+'.join(_terms(row, range(top + 1, top + 9)))}")


def _terms(row: int, rows: range) -> Iterator[str]:
    """The terms of barking for the pair in a row: with each other pair, against every two of the others."""
    others = [other for other in rows if other != row]
    for partner in others:
        for one_of_them, another in combinations([other for other in others if other != partner], 2):
            yield f"VALET_IMP(B{row}+B{partner}-B{one_of_them}-B{another})"


def _rulings(writer: Writer) -> None:
    sheet = writer.sheet(
        NAMES[3],
        "Split, weighted and artificial adjusted scores",
        "Published are the values of R. Barker, Application of Law 12, 2009. All scores are IMPs to the non-offenders.",
    )
    sheet.set_column(0, 0, 40)
    sheet.set_column(1, 3, 12)
    sheet.set_column(4, 5, 15)
    sheet.set_column(6, 8, 14)
    sheet.set_column(9, 9, 8)
    headings = ("Case", "Actual", "Before", "Could", "Published: non-offenders", "Published: offenders")
    sheet.write_row(HEADINGS, 0, headings, writer.heading)
    sheet.write_row(HEADINGS, 6, ("Non-offenders", "Offenders", "Damage", "Agrees"), writer.paper)
    sheet.set_row(HEADINGS, 32)
    sheet.set_column(8, 8, 28)
    for at, case in enumerate(LAW_12, start=FIRST):
        row = at + 1
        sheet.write_row(at, 0, case)
        many(sheet, at, 6, f"VALET_LAW12(B{row},C{row},D{row})", REGISTRY["VALET_LAW12"](*case[1:4]))
        check(writer, sheet, at, 9, f"AND(E{row}=G{row},F{row}=H{row})")

    top = FIRST + len(LAW_12) + 3
    sheet.write(top - 2, 0, "Weighted score: 60 % of 4S made and 40 % of 4S one down", writer.title_of_row)
    sheet.write_row(top - 1, 0, ("Compared with", "Outcome", "Weight", "Field"), writer.heading)
    sheet.write_row(top - 1, 6, ("IMPs", "Per cent"), writer.paper)
    outcomes, weights, field = [[420], [-50]], [[60], [40]], [[420], [-50], [170], [420]]
    sheet.write_column(top, 1, [420, -50])
    sheet.write_column(top, 2, [60, 40])
    sheet.write_column(top, 3, [row[0] for row in field])
    blocks = f"B{top + 1}:B{top + 2},C{top + 1}:C{top + 2},"
    sheet.write(top, 0, "the other room, with 170")
    one(sheet, top, 6, f"VALET_WEIGHTED({blocks}D{top + 3})", value_of("VALET_WEIGHTED", outcomes, weights, 170))
    hand = f"0.6*VALET_IMP(B{top + 1}-D{top + 3})+0.4*VALET_IMP(B{top + 2}-D{top + 3})"
    check(writer, sheet, top, 9, f"ABS(G{top + 1}-({hand}))<0.0001")
    sheet.write(top + 1, 0, "the four other tables")
    everybody = f"D{top + 1}:D{top + 4}"
    imps = value_of("VALET_WEIGHTED", outcomes, weights, field)
    one(sheet, top + 1, 6, f"VALET_WEIGHTED({blocks}{everybody})", imps, writer.points)
    percent = value_of("VALET_WEIGHTED", outcomes, weights, field, "matchpoints")
    one(sheet, top + 1, 7, f'VALET_WEIGHTED({blocks}{everybody},"matchpoints")', percent, writer.points)

    top += 7
    sheet.write(top - 2, 0, "Artificial adjusted scores: average plus, average, average minus", writer.title_of_row)
    sheet.write_row(top - 1, 0, ("Award", "IMPs"), writer.heading)
    sheet.write_row(top - 1, 6, ("IMPs", "Per cent"), writer.paper)
    for at, (award, published) in enumerate(ARTIFICIAL, start=top):
        row = at + 1
        sheet.write(at, 0, award)
        sheet.write(at, 1, published)
        one(sheet, at, 6, f"VALET_ARTIFICIAL(A{row})", value_of("VALET_ARTIFICIAL", award))
        per_cent = value_of("VALET_ARTIFICIAL", award, "matchpoints")
        one(sheet, at, 7, f'VALET_ARTIFICIAL(A{row},"matchpoints")', per_cent)
        check(writer, sheet, at, 9, f"B{row}=G{row}")


def _insufficient_bid(writer: Writer) -> None:
    sheet = writer.sheet(
        NAMES[4],
        "An insufficient bid in turn: a checklist for the Director",
        f"This is Law 27 of the {LAWS} in other words. It replaces neither the Laws nor the Director.",
    )
    sheet.set_column(0, 0, 46)
    sheet.set_column(1, 5, 34, writer.wrapped)
    sheet.write_row(HEADINGS, 0, ("Question", "Answer"), writer.heading)
    steps: tuple[tuple[str, Cell], ...] = (
        ("1. Was it out of turn? Then Law 31 applies. Was it unintended? Then Law 25A applies. Otherwise go on.", None),
        ("2. Has the next player accepted it by calling after it?", False),
        ("3. If not, which replacement does the offender choose? Answer with one of the words below.", "comparable"),
    )
    for at, (question, answer) in enumerate(steps, start=FIRST):
        sheet.write(at, 0, question, writer.wrapped)
        if answer is not None:
            sheet.write(at, 1, answer)
    sheet.data_validation(FIRST + 1, 1, FIRST + 1, 1, {"validate": "list", "source": ["TRUE", "FALSE"]})
    sheet.data_validation(FIRST + 2, 1, FIRST + 2, 1, {"validate": "list", "source": list(REPLACEMENTS)})
    top = FIRST + len(steps) + 1
    parts = ("The law", "The call", "Partner", "The lead", "Afterwards")
    sheet.write_column(top, 0, parts, writer.title_of_row)
    formula = f"VALET_LAW27(B{FIRST + 3},B{FIRST + 2})"
    many(sheet, top, 1, formula, REGISTRY["VALET_LAW27"]("comparable", False), writer.wrapped)

    top += len(parts) + 3
    sheet.write(top - 2, 0, "All answers", writer.title_of_row)
    sheet.write_row(top - 1, 0, ("Replacement", *parts), writer.heading)
    for at, (word, meaning) in enumerate(MEANINGS.items(), start=top):
        sheet.write(at, 0, f"{word}: {meaning}", writer.wrapped)
        sheet.write_row(at, 1, law27(word), writer.wrapped)

    top += len(MEANINGS) + 3
    _procedure(writer, sheet, top)
    top += len(PROCEDURE) + 6
    sheet.write(top - 2, 0, "Three auctions of R. Barker's blog", writer.title_of_row)
    sheet.write_row(top - 1, 0, ("Auction", "Call instead", "27B1(a)", "27B1(b)", "Word"), writer.heading)
    sheet.write_row(top - 1, 5, ("Partner", "Blog: partner may call", "Agrees"), writer.paper)
    for at, (*case, free) in enumerate(AUCTIONS, start=top):
        sheet.write_row(at, 0, case, writer.wrapped)
        partner = REGISTRY["VALET_LAW27"](case[-1])[2][0]
        one(sheet, at, 5, f"INDEX(VALET_LAW27(E{at + 1}),3)", partner, writer.wrapped)
        sheet.write_boolean(at, 6, free)
        check(writer, sheet, at, 7, f'G{at + 1}=(F{at + 1}="{law27("same").partner}")')


def _procedure(writer: Writer, sheet: Any, top: int) -> None:
    """The procedure at the table, step by step: two answers of the Director choose what the offender is told."""
    sheet.write(top - 2, 0, "The procedure at the table (after R. Barker, 16 October 2009)", writer.title_of_row)
    natural = "Do the bid and the lowest sufficient bid in its denomination show the same? (27B1(a))"
    for at, question in ((top - 1, natural), (top, "Are there comparable calls? (27B1(b))")):
        sheet.write(at, 0, question, writer.wrapped)
        sheet.write_boolean(at, 1, True)
        sheet.data_validation(at, 1, at, 1, {"validate": "list", "source": ["TRUE", "FALSE"]})
    told = {
        3: (top, "First: the lowest sufficient bid in the same denomination. Partner is not silenced."),
        4: (top + 1, "Second: a comparable call, which the Director names. Partner is not silenced."),
    }
    for number, (who, says) in enumerate(PROCEDURE):
        row = top + 2 + number
        sheet.write(row, 0, f"{number + 1}. {who}", writer.title_of_row)
        if number in told:
            answer, says_so = told[number]
            formula = f'=IF(B{answer},"{says_so}","This option is not there.")'
            sheet.write_formula(row, 1, formula, writer.wrapped, says_so)
        else:
            sheet.write(row, 1, says, writer.wrapped)
