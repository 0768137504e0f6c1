"""The report workbook: what is on its sheets, that texts stay texts, names are legal, and sizes have limits."""

from __future__ import annotations

import io
import re
import zipfile
from collections.abc import Sequence
from pathlib import Path
from xml.etree import ElementTree

import numpy as np
import pytest
import simulate
from hypothesis import given
from hypothesis import strategies as st
from python_calamine import CalamineWorkbook

from valet_xl.engine.options import Options
from valet_xl.rankings.event import Event
from valet_xl.rankings.listing import Heading, Listing, numbers, printable, shown
from valet_xl.rankings.pair_boards import PairBoards
from valet_xl.rankings.ranking import rank, reliabilities
from valet_xl.reading.rows import read_rows
from valet_xl.reading.valet_text import read_scores
from valet_xl.reports import report as report_module
from valet_xl.reports.book import TOP
from valet_xl.reports.charts import LABELLED
from valet_xl.reports.pair_sheets import EXTREMES
from valet_xl.reports.report import report
from valet_xl.reports.sheet_names import LONGEST, SheetNames, pair_name, units

HOSTILE = ("=cmd|' /C calc'!A0", "+1+1", "-2", "@SUM(A1)", "http://example.org/", "123", "\x1b[2J\x07", "A" * 300)


def night(boards: int = 8, tables: int = 6, names: Sequence[str] = (), **options: object) -> Event:
    """A tournament of some boards, each played by the same pairs; the first players have the names given."""
    text = simulate.valet_text(simulate.tournament(boards, tables, seed=4), boards_a_round=4, turned=True)
    called = {str(at): names[at] if at < len(names) else f"Player {at}" for at in range(4 * tables)}
    return Event.of([("night.txt", read_scores(text, called))], Options(**options), minimum=3)  # type: ignore[arg-type]


def sheets(data: bytes) -> dict[str, list[list[object]]]:
    """The cells of each sheet."""
    book = CalamineWorkbook.from_filelike(io.BytesIO(data))
    return {name: book.get_sheet_by_name(name).to_python(skip_empty_area=False) for name in book.sheet_names}


def parts(data: bytes) -> dict[str, str]:
    """The texts of the package's parts."""
    with zipfile.ZipFile(io.BytesIO(data)) as package:
        return {name: package.read(name).decode("utf-8") for name in package.namelist()}


def column(rows: list[list[object]], name: str, top: int = TOP) -> list[object]:
    return [row[rows[top].index(name)] for row in rows[top + 1 :]]


def all_boards(rows: list[list[object]]) -> list[list[object]]:
    """A pair's sheet without the tables between its title and its boards."""
    start = [row[0] for row in rows].index("All boards") + 1
    return [*rows[:TOP], *(row for row in rows[start:] if any(cell != "" for cell in row))]


@pytest.fixture(scope="module")
def made() -> Event:
    return night()


@pytest.fixture(scope="module")
def data(made: Event) -> bytes:
    return report(made, "Club night")


def test_every_part_is_there(made, data):
    """Ranking, how it was made, charts, players, tableaux, and a sheet for each pair."""
    names = list(sheets(data))
    assert names[:6] == ["Ranking", "About", "Bidding and play", "Parts", "Players", "Tableaux"]
    assert len(names) == 6 + len(made.totals.pairs)


def test_ranking_holds_the_listing(made, data):
    rows = sheets(data)["Ranking"]
    listing = rank(made.totals).listing
    assert rows[0][0] == "Club night"
    assert [name for name in rows[TOP] if not name.endswith(" bar")] == listing.names
    for heading, cells in zip(listing.headings, listing.columns, strict=True):
        found = [None if cell == "" else cell for cell in column(rows, heading.name)]
        assert found == [cell if not isinstance(cell, float) else pytest.approx(cell) for cell in cells]


@pytest.mark.parametrize("method", ["iaf", "matchpoints"])
def test_each_pairs_boards_average_to_its_place(method):
    """The boards of a pair's sheet have the average that the ranking gives it, and the parts add up on each."""
    tournament = night(method=method)
    book = sheets(report(tournament, "x"))
    ranking = rank(tournament.totals)
    for row, name in enumerate(list(book)[6:]):
        rows = all_boards(book[name])
        assert rows[0][0] == ranking.table.names[row]
        overall = column(rows, "Overall")
        assert len(overall) == ranking.table.boards[row]
        average = ranking.table["overall"].average[row]
        assert np.mean(overall) == pytest.approx(50 * (1 + average) if method == "matchpoints" else average)
        middle = 50 if method == "matchpoints" else 0
        of_parts = zip(*(column(rows, part) for part in ("Bid", "Declarer", "Lead", "Defence")), strict=True)
        for whole, given_parts in zip(overall, of_parts, strict=True):
            assert sum(part - middle for part in given_parts if part != "") == pytest.approx(whole - middle)


@pytest.mark.parametrize("name", ["Ranking", "Players"])
def test_a_ranking_says_how_reliable_its_columns_are(made, data, name):
    table = made.totals.pairs if name == "Ranking" else made.totals.players
    said = " ".join(str(cell) for row in sheets(data)[name][:TOP] for cell in row)
    rows = reliabilities(made.totals, table).rows
    assert len(rows) > 3
    assert f"Reliability: {', '.join(f'{title} {share:.2f}' for title, share, _ in rows)}." in said


def test_parts_of_each_pair_add_up_to_its_average(made, data):
    rows = sheets(data)["Parts"][TOP + 1 :]
    for row in rows:
        assert sum(row[2:6]) == pytest.approx(row[6])


@pytest.mark.parametrize(
    ("compensation", "contract", "beside"),
    [
        ("none", "4HN", "Overall."),
        ("none", "60/40", "Overall, but for adjusted scores."),
        ("valet", "60/40", "Overall, but for adjusted scores and what is added for opponents' strength."),
    ],
)
def test_parts_say_what_they_do_not_add_up_to(compensation, contract, beside):
    columns = {
        "board": [1, 1, 1],
        "contract": ["4HN", "3NTN", contract],
        "tricks": [10, 9, 9 if contract == "4HN" else None],
    }
    event = Event.of(
        [("x", read_rows(columns | {"ns": [1, 2, 3], "ew": [4, 5, 6]}, range(2, 5)))], compensation=compensation
    )
    book = sheets(report(event, "x"))
    both = [book["Parts N-S"], book["Parts E-W"]]
    assert all(str(rows[1][0]).endswith(f"the parts add up to {beside}") for rows in both)
    exact = all(sum(row[2:6]) == pytest.approx(row[6]) for rows in both for row in rows[TOP + 1 :])
    assert exact == (beside == "Overall.")


def test_long_names_leave_room_for_the_bars():
    names = {str(row[1]) for row in sheets(report(night(names=("A" * 300,)), "x"))["Parts"][TOP + 1 :]}
    assert max(map(len, names)) == 40 and any(name.endswith("A…") for name in names)


def test_names_do_not_turn_lines_round():
    """A name from right to left stays what it is; a mark that would reorder the rest of its line goes."""
    assert printable("שלום") == "שלום" and printable("abc") == "abc"
    for mark in "\u202a\u202b\u202d\u202e\u2066\u2067\u2068":
        assert printable(f"a{mark}b") == "a b"


def test_tableaux_count_every_result(made, data):
    """Each board's block has the board's results, and its title says how many."""
    rows = sheets(data)["Tableaux"]
    tables = [row[4] for row in rows if isinstance(row[4], float)]
    assert sum(tables) == len(made.results)
    titles = [row[0] for row in rows if str(row[0]).startswith("Board ")]
    assert len(titles) == len(made.results.boards)
    assert [title for title in titles if not title.endswith(": 6 results")] == []


def test_links_lead_to_sheets_and_cells_that_are_there(made, data):
    """Each pair to its sheet, each board of it to its tableau, and back."""
    book = sheets(data)
    targets = [
        link for text in parts(data).values() for link in re.findall(r'<hyperlink [^>]*location="([^"]+)"', text)
    ]
    pairs = len(made.totals.pairs)
    about = 5 + pairs + 4  # from About to every other sheet, and from the first sheets back
    of_boards = sum(2 * min(EXTREMES, boards) + boards for boards in made.totals.pairs.boards.tolist())
    assert len(targets) == 2 * pairs + of_boards + about
    for target in targets:
        sheet, cell = re.fullmatch(r"'(.+)'!A(\d+)", target.replace("&apos;", "'").replace("&amp;", "&")).groups()
        rows = book[sheet.replace("''", "'")]
        if sheet == "Tableaux" and cell != "1":
            assert str(rows[int(cell) - 1][0]).startswith("Board ")
        else:
            assert cell == "1" and rows[0][0]


def test_same_results_same_bytes(made, data):
    assert report(night(), "Club night") == data


def test_texts_are_never_formulas_links_or_numbers():
    """Names that begin like a formula, or look like a number or an address, are there as texts."""
    tournament = night(names=HOSTILE)
    made = report(tournament, "=1+1")
    texts = parts(made)
    assert [name for name, text in texts.items() if "worksheets" in name and "<f>" in text] == []
    assert [name for name, text in texts.items() if name.endswith(".rels") and "http://example" in text] == []
    cells = {cell for rows in sheets(made).values() for row in rows for cell in row}
    for name in tournament.totals.pairs.names:
        assert printable(name) in cells
    assert "=1+1" in cells
    assert "\x1b" not in "".join(texts.values())


def test_says_what_it_was_made_from_and_how():
    """Files by their names alone, every option, the numbers of results, problems, and what columns mean."""
    rows = sheets(report(night(method="datum", datum="median", lead="none"), "x"))["About"]
    said = [(row[0], row[1]) for row in rows]
    for line in (
        ("File", "night.txt"),
        ("Option method", "datum"),
        ("Option datum", "median"),
        ("Option lead", "none"),
        ("Option minimum", "3 boards"),
        ("Boards", "8"),
        ("Results", "48, of which 48 were scored"),
    ):
        assert line in said
    assert any(what == "Program" and value.startswith("valet_xl ") for what, value in said)
    assert dict(said)["Column Overall SE"] == "standard error of Overall"


def test_problems_are_listed():
    lines = "1|1|a|b|c|d|3N|N|9|SQ\n1|1|e|f|g|h|3N|N|8|SQ\n1|2|a|b|c|d|8N|N|9|SQ\n1|2|e|f|g|h|3N|N|9|SQ\n"
    rows = sheets(report(Event.of([("x", read_scores(lines))]), "x"))["About"]
    said = [(row[0], row[1]) for row in rows]
    assert ("Not scored", "board 2 of round 1, a row that cannot be read") in said
    assert any(what == "Cannot be read" and "'8N'" in value for what, value in said)


def test_charts_have_error_bars_and_stacks(data):
    charts = [
        ElementTree.fromstring(text) for name, text in parts(data).items() if re.match(r"xl/charts/chart\d", name)
    ]
    found = {element.tag.split("}")[1] for chart in charts for element in chart.iter()}
    assert {"scatterChart", "errBars", "barChart", "overlap"} <= found
    bars = [element for chart in charts for element in chart.iter() if element.tag.endswith("}errBars")]
    labelled = min(LABELLED, 12)
    assert len(bars) == 2 * labelled + 12  # of each dot, and of each pair's own chart
    stacks = next(chart for chart in charts if any(element.tag.endswith("}barChart") for element in chart.iter()))
    assert sum(element.tag.endswith("}ser") for element in stacks.iter()) == 4


def test_each_group_has_its_sheets():
    """A Mitchell: two rankings with their charts and players, and as many sheets of pairs for one as for the other."""
    text = simulate.valet_text(simulate.tournament(8, 6, seed=4), boards_a_round=4)
    made = Event.of([("night.txt", read_scores(text))])
    book = sheets(report(made, "Night"))
    kinds = ("Ranking", "Bidding and play", "Parts", "Players")
    assert {f"{kind} {group}" for kind in kinds for group in ("N-S", "E-W")} <= set(book)
    assert list(book)[:3] == ["Ranking N-S", "About", "Ranking E-W"]
    for part in rank(made.totals).parts:
        rows = book[f"Ranking {part.group}"]
        assert rows[0][0] == f"Night, {part.group}"
        assert column(rows, "Pair") == part.table.names.tolist()
        assert column(rows, "Rank") == part.places
        assert column(book[f"Parts {part.group}"], "Pair") == part.table.names.tolist()
        winner = book[next(name for name in book if name.startswith("1 ") and rows[TOP + 1][1].split(" - ")[0] in name)]
        assert winner[0][0] == rows[TOP + 1][1] and winner[1][0].startswith(f"Place 1 {part.group}.")


def test_many_groups_are_on_one_sheet(monkeypatch):
    monkeypatch.setattr(report_module, "GROUPS", 1)
    text = simulate.valet_text(simulate.tournament(8, 6, seed=4), boards_a_round=4)
    rows = sheets(report(Event.of([("night.txt", read_scores(text))]), "Night"))["Ranking"]
    assert rows[TOP][:2] == ["Group", "Rank"]
    assert column(rows, "Group") == ["N-S"] * 6 + ["E-W"] * 6


def test_looks_are_set(data):
    """Frozen headings, filters and data bars; across, one page wide, headings on every page, pages numbered."""
    texts = parts(data)
    for at in (1, 5):  # Ranking and Players
        sheet = texts[f"xl/worksheets/sheet{at}.xml"]
        for piece in (
            'state="frozen"',
            "<autoFilter ",
            "dataBar",
            'orientation="landscape"',
            'fitToHeight="0"',
            "Page &amp;P",
        ):
            assert piece in sheet, piece
    assert "_xlnm.Print_Titles" in texts["xl/workbook.xml"]
    assert "_xlnm.Print_Area" in texts["xl/workbook.xml"]


def test_large_fields_have_limits(monkeypatch):
    """More pairs than sheets, more lines than tableaux: the first are there, and it is said."""
    monkeypatch.setattr(report_module, "SHEETS", 4)
    monkeypatch.setattr(report_module, "LINES", 20)
    monkeypatch.setattr(report_module, "ROWS", 5)
    book = sheets(report(night(), "x"))
    assert len(book) == 6 + 4
    assert len(book["Ranking"]) == TOP + 1 + 5
    said = {row[0]: row[1] for row in book["About"]}
    assert said["Sheets of pairs"] == "the first 4 of the ranking have one"
    assert said["Rankings"] == "the first 5 are listed"
    assert re.fullmatch(r"of the first \d of 8 boards", said["Tableaux"])


def test_sheets_of_pairs_end_with_their_rows(monkeypatch):
    """Pairs with many boards have fewer sheets between them; the first pair has one whatever its boards."""
    monkeypatch.setattr(report_module, "SHEET_ROWS", 20)
    assert len(sheets(report(night(), "x"))) == 6 + 2
    monkeypatch.setattr(report_module, "SHEET_ROWS", 1)
    assert len(sheets(report(night(), "x"))) == 6 + 1


def test_pairs_without_players(tmp_path: Path):
    """Results by pair numbers have no ranking of players."""
    columns = {"board": [1, 1, 2, 2], "contract": ["4HN"] * 4, "tricks": [10, 9, 10, 11]}
    results = read_rows(columns | {"ns": [1, 2, 1, 2], "ew": [3, 4, 4, 3]}, range(2, 6))
    assert "Players" not in sheets(report(Event.of([("x", results)]), "x"))


def test_adjusted_and_unplayed_boards_of_a_pair():
    """They say what they are, and an adjusted score counts as what it is worth."""
    columns = {"board": [1, 1, 1, 2], "contract": ["4HN", "4HN", "60/40", "NP"], "tricks": [10, 9, None, None]}
    results = read_rows(columns | {"ns": [1, 2, 3, 3], "ew": [4, 5, 6, 6]}, range(2, 6))
    made = Event.of([("x", results)])
    listing = PairBoards.of(made.results, made.parts, made.who).listing(made.who.named("6"))
    assert listing.only(["Contract", "Overall"]).rows == [["adjusted 40 %", -3.0], ["not played", None]]


def test_nobody_to_rank():
    results = read_rows({"board": [1, 1], "contract": ["4HN", "3NTN"], "tricks": [9, 9]}, [2, 3])
    with pytest.raises(ValueError, match="no pairs are named in the results"):
        report(Event.of([("x", results)]), "x")


# -- sheet names


@given(st.lists(st.text(max_size=50), max_size=12))
def test_sheet_names_are_legal_and_each_once(wanted):
    """For any texts: 1 to 31 UTF-16 units, none of the marks that are forbidden, no apostrophe at the ends."""
    names = SheetNames()
    given_out = [names.give(text) for text in ["Ranking", *wanted, *wanted, "History"]]
    assert len({name.casefold() for name in given_out}) == len(given_out)
    for name in given_out:
        assert 1 <= units(name) <= LONGEST
        assert not re.search(r"[\[\]:*?/\\\x00-\x1f]", name)
        assert not name.startswith("'") and not name.endswith("'")
        assert name.casefold() != "history"


@pytest.mark.parametrize("name", ["", "张伟 - 王芳", "Ω" * 60 + " - B", "𝒜" * 40, "A - B - C", "O'Neill - 'x'", " - "])
def test_names_of_pairs_sheets_begin_with_the_place(name):
    given_out = SheetNames().give(pair_name(7, name))
    assert given_out.startswith("7") and units(given_out) <= LONGEST


# -- listings


def test_cells_are_shown_with_the_decimals_of_their_format():
    assert [shown(cell, "0.00") for cell in (1.005, -0.001, None, 3, "x")] == ["1.00", "0.00", "", "3.00", "x"]
    assert [shown(cell, "+0.0") for cell in (0.04, -2.0, 2.0)] == ["0.0", "-2.0", "+2.0"]


def test_a_listing_is_cut_by_columns_and_rows():
    listing = Listing((Heading("A", "a"), Heading("B", "b", "@")), (numbers([1.0, float("nan")]), ["x", "y"]))
    assert listing.with_heading() == [["A", "B"], [1.0, "x"], [None, "y"]]
    assert listing.only(["B"]).rows == [["x"], ["y"]]
    assert listing.slice(1, 2).rows == [[None, "y"]]
    assert len(Listing((), ())) == 0
