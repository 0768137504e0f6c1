"""The worksheet functions VALET_RANKING and VALET_TABLEAU: the blocks that they give, and what they refuse."""

from __future__ import annotations

import csv

import numpy as np
import pytest
import simulate
from examples import EXAMPLES

import valet_xl.functions.ranking
from valet_xl.engine.options import Options
from valet_xl.functions.registry import REGISTRY, Cells, ErrorCell, Missing
from valet_xl.rankings.ranking import rank, view
from valet_xl.rankings.totals import totals
from valet_xl.reading.valet_text import FIELDS, HEADINGS, read_scores, result_lines

assert valet_xl.functions.ranking.valet_ranking
VALUE = [[ErrorCell.VALUE]]
SKIPPED = Missing.ARGUMENT
HEADS = ["Board", "NS", "EW", "Contract", "By", "Tricks"]
NIGHT: Cells = [
    HEADS,
    [1, 1, 2, "4S", "N", 10],
    [1, 3, 4, "4S", "N", 9],
    [2, 1, 2, "3NT", "S", 9],
    [2, 3, 4, "2D", "E", 8],
]


def ranking(*arguments: object) -> Cells:
    return REGISTRY["VALET_RANKING"](*arguments)


def tableau(*arguments: object) -> Cells:
    return REGISTRY["VALET_TABLEAU"](*arguments)


def text_and_cells(turned: bool = False) -> tuple[str, Cells]:
    """A tournament as Valet text, and as the cells of a sheet."""
    text = simulate.valet_text(simulate.tournament(10, 5, seed=8), turned=turned)
    rows = [line.split("|") for line in result_lines(text)[1]]
    return text, [
        list(HEADINGS),
        *([cell or None for cell in (*row, *[""] * (len(FIELDS) - len(row)))] for row in rows),
    ]


def test_pairs_with_a_heading_row():
    """By hand: 420 and -50 are 10 IMPs apart, 600 and -90 are 12 (Law 78B), which is 11 on average."""
    rows = ranking([*NIGHT, [3, 1, 2, "1NT", "S", 7], [3, 4, 3, "1NT", "S", 7]])
    assert rows[0] == ["Rank", "Pair", "Boards", "Overall", "Overall SE", "Bid", "Play", "Declarer", "Lead", "Defence"]
    assert [[*row[:3], pytest.approx(3 * row[3])] for row in rows[1:]] == [
        [1, "1", 3, 22.0],
        [1, "4", 3, 22.0],
        [3, "2", 3, -22.0],
        [3, "3", 3, -22.0],
    ]


def test_pairs_that_never_sit_the_same_way_have_rankings_of_their_own():
    """The same two boards without the third: nothing compares a pair that sat North-South with one East-West."""
    rows = ranking(NIGHT)
    assert rows[0][:3] == ["Group", "Rank", "Pair"]
    assert [row[:5] for row in rows[1:]] == [
        ["N-S", 1, "1", 2, 11.0],
        ["N-S", 2, "3", 2, -11.0],
        ["E-W", 1, "4", 2, 11.0],
        ["E-W", 2, "2", 2, -11.0],
    ]


@pytest.mark.parametrize(
    ("arguments", "options", "who", "order"),
    [
        ((), Options(), "pairs", None),
        (("datum", "none"), Options(method="datum", lead="none"), "pairs", None),
        (("matchpoints", "suit", True), Options(method="matchpoints", cloud=True), "pairs", None),
        (("iaf", SKIPPED, SKIPPED, "players"), Options(), "players", None),
        (("iaf", SKIPPED, SKIPPED, "pairs", "bid - play"), Options(), "pairs", "bid - play"),
        (("iaf", SKIPPED, SKIPPED, "Pairs", " Defence-Play "), Options(), "pairs", "defence - play"),
    ],
)
def test_the_engines_ranking(arguments, options, who, order):
    """The same figures as from a file, for every option."""
    text, cells = text_and_cells()
    listing = rank(totals(read_scores(text), options), who=who, order=order).listing
    expected = view(listing, errors=False).with_heading()
    found = ranking(cells, *arguments)
    assert found[0] == expected[0]
    assert [row[:3] for row in found] == [row[:3] for row in expected]
    for row, wanted in zip(found[1:], expected[1:], strict=True):
        assert row[3:] == [cell if cell is None else pytest.approx(cell) for cell in wanted[3:]]


def test_the_column_ranked_by_is_first_and_has_its_own_error():
    """Columns 4 and 5, whatever the order; all have theirs where that is asked for, and their limits."""
    text, cells = text_and_cells(turned=True)
    table = totals(read_scores(text)).players
    rows = ranking(cells, *[SKIPPED] * 3, "players", "lead")
    assert rows[0] == ["Rank", "Player", "Boards", "Lead", "Lead SE", "Overall", "Bid", "Play", "Declarer", "Defence"]
    at = table.row(str(rows[1][1]))
    assert rows[1][3:5] == pytest.approx([table["lead"].average[at], table["lead"].error[at]])
    every = ranking(cells, *[SKIPPED] * 3, "players", "lead", SKIPPED, SKIPPED, True)
    averages = [name for name in rows[0][3:] if not str(name).endswith(" SE")]
    assert every[0][3:] and set(every[0][3:]) == {
        f"{name}{of}" for name in averages for of in ("", " SE", " Low", " High")
    }
    for name in averages:
        average = table[str(name).lower()]
        found = [every[1][every[0].index(f"{name}{of}")] for of in ("", " SE", " Low", " High")]
        expected = [average.average[at], average.error[at], average.low[at], average.high[at]]
        assert found == [None if np.isnan(value) else pytest.approx(value) for value in expected]


@pytest.mark.parametrize("method", ["iaf", "matchpoints"])
@pytest.mark.parametrize("order", ["bid - play", "defending", "declarer1", "luck", "lead"])
def test_every_order_is_shown_with_its_own_error_and_interval(order, method):
    """It comes after the boards, and the highest is first."""
    text, _ = text_and_cells()
    listing = rank(totals(read_scores(text), Options(method=method), minimum=0), order=order).parts[0].listing
    title = " - ".join(name[:8].title() + name[8:].rjust(2) * (name[-1:] == "1") for name in order.split(" - "))
    title = "Defending" if order == "defending" else title
    assert listing.names[3:7] == [title, f"{title} SE", f"{title} Low", f"{title} High"]
    assert len(set(listing.names)) == len(listing.names)
    figures = [cell for cell in listing.columns[3] if cell is not None]
    assert figures == sorted(figures, reverse=True)
    for value, _, low, high in zip(*listing.columns[3:7], strict=True):
        assert value is None or low <= value <= high


def test_few_boards_are_fewer_than_half_the_median():
    """With no minimum given: 5 and 6 have one board, the median is 3."""
    more = [[number, *row[1:]] for number in (3, 4) for row in NIGHT[1:3]]
    cells = [*NIGHT, *more, [5, 1, 4, "3NT", "S", 9], [5, 5, 6, "2D", "E", 8]]
    rows = ranking(cells)
    assert {row[2]: row[1] is None for row in rows[1:]} == {**dict.fromkeys("1234", False), "5": True, "6": True}
    assert all(row[1] for row in ranking(cells, *[SKIPPED] * 5, 0)[1:])


def test_few_boards_have_no_rank():
    rows = ranking([*NIGHT, [3, 1, 4, "3NT", "S", 9], [3, 5, 6, "2D", "E", 8]], *[SKIPPED] * 5, 2)
    ranks = {row[2]: row[1] for row in rows[1:]}
    assert ranks["5"] is None and ranks["6"] is None and ranks["1"] == 1
    assert [row[2] for row in rows[1:]] == ["1", "3", "5", "4", "2", "6"]  # the last of N-S, and of E-W


@pytest.mark.parametrize(
    "arguments",
    [
        ([["nothing", "here"]],),
        ([row[:1] + row[3:] for row in NIGHT],),  # nobody is named
        (NIGHT, "imps"),
        (NIGHT, *[SKIPPED] * 4, "luckiest"),
        (NIGHT, *[SKIPPED] * 5, -1),
        (NIGHT, *[SKIPPED] * 5, 1.5),
        (NIGHT, *[SKIPPED] * 6, "some"),
    ],
)
def test_what_cannot_be_ranked(arguments):
    assert ranking(*arguments) == VALUE


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda example: f"example {example.number}")
def test_tableau_of_the_papers_examples(example):
    """The paper's lines, the best first."""
    lines = example.methods["iaf"]
    cells: Cells = [["Board", "Contract", "By", "Tricks", "Lead"]]
    for line in lines:
        cells += [[example.board, line.contract, line.by, line.tricks, line.led.replace("-", "") or None]] * line.tables
    rows = tableau(cells, float(example.board))
    assert rows[0] == [
        "Contract",
        "By",
        "Led",
        "Tricks",
        "Tables",
        "Score",
        "Overall",
        "Bid",
        "Play",
        "Lead",
        "Defence",
    ]
    overall = [row[6] for row in rows[1:]]
    assert overall == pytest.approx(sorted((line.overall for line in lines), reverse=True), abs=6e-4)
    assert sorted(row[4] for row in rows[1:]) == sorted(line.tables for line in lines)


def test_tableau_of_a_round():
    cells: Cells = [["Round", *HEADS], *([number, *row] for number in (1, 2) for row in NIGHT[1:])]
    assert len(tableau(cells, 1, 2)) == 3
    assert tableau(cells, 7) == VALUE
    assert tableau(cells, 1, 3) == VALUE
    assert tableau(NIGHT, 1, SKIPPED, "iaf", "suit", False, "ew")[1][6] == 10.0


def test_published_ranking(shared):
    """The Valet program's pairs of the first example with names, to its two decimals."""
    folder = shared / "data" / "valet" / "2013-Polish-League"
    text = (folder / "scores.txt").read_text(encoding="utf-8")
    rows = [line.split("|") for line in result_lines(text)[1]]
    cells: Cells = [list(HEADINGS), *([cell or None for cell in (*row, "")[:10]] for row in rows)]
    with (folder / "pairs-iaf.csv").open(encoding="utf-8") as lines:
        theirs = [(int(row[1]), float(row[2])) for row in list(csv.reader(lines))[1:]]
    ours = [(row[2], row[3]) for row in ranking(cells)[1:]]
    for boards, overall in theirs:
        assert min(abs(value - overall) for count, value in ours if count == boards) <= 0.0051, (boards, overall)
