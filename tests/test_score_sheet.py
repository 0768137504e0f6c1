"""Scoring a sheet: which columns are written, where, and what is said where there is no score."""

from __future__ import annotations

import datetime
from dataclasses import fields, replace
from itertools import product
from math import isfinite

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from strategies import examples

from valet_xl.documents.page import Block, Table
from valet_xl.engine.butler import ROUNDINGS, RULES
from valet_xl.engine.comparison import DIVISORS
from valet_xl.engine.laws import IMP_ROUNDINGS, imps
from valet_xl.engine.lines import LEADS
from valet_xl.engine.options import OPTIONS, Options
from valet_xl.engine.score_results import COLUMNS, LAYOUTS, Scores, layout
from valet_xl.engine.valet import METHODS
from valet_xl.errors import OptionError, SheetError
from valet_xl.hosts.settings import REMEMBERED
from valet_xl.reading.headings import Grid, columns_of
from valet_xl.reading.shape import former_block
from valet_xl.sheets.score_sheet import Scored, score_grid

HEADING = ["Board", "Contract", "By", "Tricks", "Lead"]
SHEET: list[list[object]] = [  # board 1, none vulnerable: 4S made and down, 3NT made, and a pass-out
    HEADING,
    [1, "4S", "N", 10, "HA"],
    [1, "4S", "N", 9, "CK"],
    [1, "3NT", "E", 9, "S4"],
    [1, "Pass", None, None, None],
]


def table(top: int, left: int, bottom: int, right: int, totals: int = 0) -> Table:
    return Table(top, left, bottom, right, "Evening", totals)


def score(grid: Grid, *tables: Table, **options: object) -> Scored:
    return score_grid(grid, Options(**options), tables)


def column(scored: Scored, name: str) -> list[object]:
    return next(each.cells for each in scored.block.columns if each.name == name)


def names(block: Block) -> list[str]:
    return [each.name for each in block.columns]


def written(grid: Grid, block: Block) -> list[list[object]]:
    """The sheet with the block written into it."""
    out = [list(row) + [None] * (block.left + len(block.columns) - len(row)) for row in grid]
    for at, each in enumerate(block.columns, start=block.left):
        for down, cell in enumerate([each.name, *each.cells]):
            out[block.top + down][at] = cell
    return out


# -- what is written


def test_a_small_board() -> None:
    """Scores 420, -50, -400, 0: IAF by hand; the pass-out's score is all bid and North-South's."""
    scored = score(SHEET)
    assert column(scored, "Score") == [420, -50, -400, 0]
    assert column(scored, "Datum") == [-7.5] * 4
    assert column(scored, "Butler") == [10, -1, -9, 0]
    imps = [10 + 13 + 9, -10 + 8 - 2, -13 - 8 - 9, -9 + 2 + 9]
    assert column(scored, "IAF") == pytest.approx([each / 3 for each in imps])
    assert column(scored, "Bid")[3] == pytest.approx(2 / 3)
    assert column(scored, "Play")[3] == 0
    assert column(scored, "Note") == [None] * 4
    assert scored.summary.complete
    assert (scored.summary.results, scored.summary.scored, scored.summary.boards) == (4, 4, 1)


def test_equal_numbers_of_a_large_sheet_are_one_object(monkeypatch: pytest.MonkeyPatch) -> None:
    """And the same numbers, of the same types, blank at the same places."""
    sheet = [HEADING, *SHEET[1:] * 5, [2, "no contract", "N", 7, None]]
    as_usual = score(sheet).block
    monkeypatch.setattr("valet_xl.sheets.score_sheet._MANY", 0)
    block = score(sheet).block
    assert block == as_usual
    for each, usual in zip(block.columns, as_usual.columns, strict=True):
        assert [type(cell) for cell in each.cells] == [type(cell) for cell in usual.cells]
        assert len({id(cell) for cell in each.cells}) <= len(set(each.cells))


@pytest.mark.parametrize(("method", "cloud"), [*product(METHODS, (False, True))])
def test_the_columns_of_each_method(method: str, cloud: bool) -> None:
    compared = ["MP", "MP %"] if method == "matchpoints" else ["IAF"]
    wanted = ["Score", "Datum", "Butler", *compared, "Bid", "Play", "Lead score", "Defence", *["Luck"] * cloud, "Note"]
    assert names(score(SHEET, method=method, cloud=cloud).block) == wanted == list(layout(method, cloud))


def test_matchpoints_and_their_parts_are_percentages() -> None:
    scored = score(SHEET, method="matchpoints")
    assert column(scored, "MP") == [6, 2, 0, 4]
    assert column(scored, "MP %") == pytest.approx([100, 100 / 3, 0, 200 / 3])
    assert column(scored, "Bid")[3] == pytest.approx(200 / 3)
    assert column(scored, "Play")[2:] == pytest.approx([50, 50])


def test_options_reach_their_scores() -> None:
    assert column(score(SHEET, datum="median"), "Datum") == [-25] * 4
    assert column(score(SHEET, datum="trimmed", rounding="nearest"), "Datum") == [-30] * 4
    assert column(score(SHEET, divisor="total"), "IAF") == [32, -4, -30, 2]
    assert column(score(SHEET, double=True), "Butler")[0] == 6.5  # 2 x 427.5 is 13 IMPs, of which half
    assert column(score(SHEET, lead="none"), "Lead score")[:3] == [None, None, None]
    assert column(score(SHEET, lead="none", unknown_lead="zero"), "Lead score")[:3] == [0, 0, 0]
    assert column(score(SHEET), "Lead score")[0] != 0


def test_barking_is_a_column_if_it_is_asked_for() -> None:
    """420, -50, -400 and 0: IMP(A + B - C - D) + IMP(A - B + C - D) + IMP(A - B - C + D), the blog's formula for A."""
    scored = score(SHEET, barking="total")
    a, b, c, d = (float(each) for each in column(scored, "Score"))  # type: ignore[arg-type]
    terms = imps([a + b - c - d, a - b + c - d, a - b - c + d])
    assert column(scored, "Barking")[0] == terms.sum()
    assert sum(column(scored, "Barking")) == 0  # type: ignore[arg-type]
    assert column(score(SHEET, barking="average"), "Barking")[0] == pytest.approx(terms.mean())
    assert "Barking" not in names(score(SHEET).block)
    again = score(written(SHEET, scored.block), barking="total")  # and is known as ours the next time
    assert again.block.left == scored.block.left


def test_every_field_of_the_scores_is_a_column() -> None:
    assert [column.field for column in COLUMNS] == [field.name for field in fields(Scores)]


def test_number_formats_show_the_halves_that_options_give() -> None:
    def formats(**options: object) -> dict[str, str]:
        return {each.name: each.format for each in score(SHEET, **options).block.columns}

    assert formats() | {"Butler": "0.0", "Datum": "0"} == formats(double=True, rounding="nearest")
    assert (formats()["Butler"], formats()["Datum"], formats()["Note"]) == ("0", "0.0", "@")


WORDS = {
    "method": METHODS,
    "lead": LEADS,
    "datum": RULES,
    "rounding": ROUNDINGS,
    "divisor": DIVISORS,
    "imp_rounding": IMP_ROUNDINGS,
    "rounds": ("auto", "new", "same"),
    "result_is": ("auto", "made", "tricks", "odd"),
}
"""The words of options as the modules that use them have them; another option's words are in its record alone."""


def test_every_option_has_a_record_and_its_words_are_the_engines() -> None:
    assert list(OPTIONS) == [field.name for field in fields(Options)]
    assert {name: set(OPTIONS[name].words) for name in WORDS} == {name: set(words) for name, words in WORDS.items()}


def test_hosts_offer_options_that_menus_can_show() -> None:
    """In the order that the ribbon has, and a document that was scored before remembers the same options."""
    offered = [OPTIONS[name] for name in REMEMBERED]
    assert all(option.in_menus and (option.is_switch or option.words) for option in offered)
    assert {"method", "lead", "datum", "cloud"} <= set(REMEMBERED)
    assert [option.is_switch for option in offered] == sorted(option.is_switch for option in offered)


@pytest.mark.parametrize("option", [name for name, option in OPTIONS.items() if option.words])
def test_an_unknown_option_is_named_before_anything_is_read(option: str) -> None:
    words = ", ".join(OPTIONS[option].words)
    with pytest.raises(OptionError, match=f"{option} must be one of {words}, got 'other'"):
        Options(**{option: "other"})


# -- notes


def test_a_board_with_one_result_has_no_comparison() -> None:
    scored = score([HEADING, [1, "4S", "N", 10]])
    assert column(scored, "Score") == [420]
    assert column(scored, "Note") == ["no comparison, one result"]
    assert [each.cells for each in scored.block.columns[1:-1]] == [[None]] * (len(scored.block.columns) - 2)
    assert scored.summary.unscored == ("board 1, nothing to compare with",)


def test_a_bad_row_spoils_its_board_which_says_so() -> None:
    scored = score([*SHEET, [1, "8H", "N", 10], [2, "4S", "N", 10], [2, "4S", "N", 9]])
    notes = column(scored, "Note")
    assert notes == [*["board not scored, see row 6"] * 4, "Contract: '8H' (level must be 1-7)", None, None]
    assert column(scored, "Score") == [420, -50, -400, 0, None, 620, -100]
    assert column(scored, "IAF") == [None] * 5 + [12, -12]
    assert scored.summary.unscored == ("board 1, a row that cannot be read",)
    assert not scored.summary.complete


def test_a_bad_lead_has_a_note_and_all_its_scores() -> None:
    scored = score([HEADING, [1, "4S", "N", 10, "from nowhere"], [1, "4S", "N", 9, "HA"]])
    assert column(scored, "Note") == ["Lead: 'from nowhere' (expected a card such as SQ, H10 or a suit)", None]
    assert column(scored, "IAF") == [10, -10]
    assert not scored.summary.complete


def test_a_note_about_a_cell_as_long_as_cells_can_be_fits_into_a_cell() -> None:
    (note,) = column(score([HEADING, [1, "4" * 32767, "N", 10]]), "Note")
    assert len(note) <= 32767


def test_adjusted_scores_are_3_0_or_minus_3_imps_and_out_of_the_field() -> None:
    scored = score([*SHEET, *([1, text, None, None] for text in ("A+", "50/50", "A4060"))])
    assert column(scored, "IAF")[4:] == column(scored, "Butler")[4:] == [3, 0, -3]
    assert column(scored, "IAF")[:4] == column(score(SHEET), "IAF")
    assert column(scored, "Score")[4:] == column(scored, "Bid")[4:] == [None] * 3
    assert column(scored, "Note")[4:] == ["adjusted, 60 %", "adjusted, 50 % - 50 %", "adjusted, 40 % - 60 %"]


def test_adjusted_scores_are_their_percentages_and_the_others_are_factored_up() -> None:
    scored = score([HEADING, [1, "4S", "N", 10], [1, "4S", "N", 9], [1, "A6040"]], method="matchpoints")
    assert column(scored, "MP %") == pytest.approx([87.5, 12.5, 60])
    assert column(scored, "MP") == pytest.approx([3.5, 0.5, 2.4])


def test_boards_not_played_are_named() -> None:
    assert column(score([*SHEET, [1, "NP"]]), "Note")[-1] == "not played"


def test_a_datum_of_which_nothing_is_left_is_named() -> None:
    scored = score(SHEET[:3], datum="trimmed")
    assert column(scored, "Note") == ["no datum, trimmed leaves no result"] * 2
    assert column(scored, "IAF") == [10, -10]
    assert column(scored, "Datum") == [None, None]


# -- where it is written


def test_columns_go_right_of_everything_that_stands_beside_the_rows() -> None:
    assert score(SHEET).block.left == 5
    wider = [["Title", *[None] * 9, "right of all"], *[list(row) for row in SHEET], [None] * 8 + ["below"]]
    wider[2] += [None, "a remark"]
    block = score(wider).block
    assert (block.top, block.left, block.replaces) == (1, 7, 0)
    assert {len(each.cells) for each in block.columns} == {4}


MODES = [("iaf", False), ("iaf", True), ("matchpoints", True)]


@pytest.mark.parametrize(("first", "second"), [*product(MODES, repeat=2)])
def test_a_second_run_takes_the_place_of_the_first(first: tuple[str, bool], second: tuple[str, bool]) -> None:
    once = score(SHEET, method=first[0], cloud=first[1]).block
    again = score(written(SHEET, once), method=second[0], cloud=second[1]).block
    assert (again.top, again.left, again.replaces) == (once.top, once.left, len(once.columns))
    assert again.columns == score(SHEET, method=second[0], cloud=second[1]).block.columns


@pytest.mark.parametrize("headings", LAYOUTS)
def test_every_layout_is_known_again_with_numbers_behind_its_names(headings: tuple[str, ...]) -> None:
    assert former_block(["Board", *headings]) == (1, len(headings))
    assert former_block(["Board", "Score", *(f"{name} 2" for name in headings), "More"]) == (2, len(headings))
    assert former_block(["Board", *headings[:-1]]) is None


def test_new_columns_share_no_heading_with_the_sheets_own() -> None:
    """In an Excel table and outside one: the sheet's Lead is a card, ours is a number."""
    grid = [[*HEADING, "Score", "note"], *([*row, None, None] for row in SHEET[1:])]
    block = score(grid, table(0, 0, 4, 6)).block
    assert block.left == 7
    assert (names(block)[0], names(block)[-1]) == ("Score 2", "Note 2")
    assert names(score(grid).block) == names(block)
    beside = [[*HEADING, None, "Datum"], *([*row, None, "beside"] for row in SHEET[1:])]
    both = [*HEADING, "Datum", *names(score(beside).block)]
    assert len(set(both)) == len(both)


@pytest.mark.parametrize("method", ["iaf", "matchpoints"])
def test_the_headings_of_earlier_versions_are_known_again(method: str) -> None:
    """The column Lead score was called Lead, as the sheet's own column with the card is."""
    block = score(SHEET, method=method).block
    grid = [[*row, *[None] * (block.left - len(row))] for row in SHEET]
    for column in block.columns:
        heading = "Lead" if column.name == "Lead score" else column.name
        for row, cell in zip(grid, [heading, *column.cells], strict=True):
            row.append(cell)
    again = score(grid, method=method).block
    assert (again.left, again.replaces) == (block.left, len(block.columns))
    assert again.columns == block.columns


def test_a_table_bounds_the_rows_and_columns_that_are_read() -> None:
    totals = ["Total", None, None, 29]
    area = table(0, 0, 5, 4, totals=1)
    scored = score([*SHEET, totals, [1, "8H", "N", 3]], area)
    assert scored.summary.complete
    assert {len(each.cells) for each in scored.block.columns} == {4}
    beside = [[*row, None, "beside"] for row in SHEET]
    assert score(beside, replace(area, bottom=4, totals=0)).block.left == 7


def test_a_sheet_without_results_is_refused() -> None:
    for grid in ([], [[]], [[None, "Title"]]):
        with pytest.raises(SheetError, match="no heading row found"):
            score(grid)


def test_headings_without_results_are_refused() -> None:
    with pytest.raises(SheetError, match="no results under the headings of row 1"):
        score([HEADING])


@pytest.mark.parametrize("double", [False, True])
def test_the_parts_of_the_datum_method_add_up_to_the_butler_column(double: bool) -> None:
    """Also where half the IMPs of twice the difference are counted; of a pass-out the bid is North-South's."""
    scored = score(SHEET, method="datum", double=double)
    sums = [bid + play for bid, play in zip(column(scored, "Bid"), column(scored, "Play"), strict=True)]
    assert list(map(abs, sums)) == pytest.approx(list(map(abs, column(scored, "Butler"))))


# -- any sheet at all

odd_cells = st.one_of(
    st.none(),
    st.text(max_size=6),
    st.floats(),
    st.integers(-(10**20), 10**20),
    st.booleans(),
    st.dates(),
    st.datetimes(),
    st.times(),
    st.sampled_from(["#VALUE!", "#N/A", "=1+1", "NP", "A+", "60/40", "A100100", "-99", "2.", "Board", "Contract"]),
    st.just(datetime.timedelta(1)),
)
plausible_cells = {
    "Board": st.sampled_from([1, 1, 1, 2, 2.0, "3", "Board 3"]),
    "Contract": st.sampled_from(["4S", "3NT", "P", "1C", "6HX", "NP", "A-", "W3NT+2"]),
    "By": st.sampled_from("NESW"),
    "Tricks": st.integers(0, 13),
    "Result": st.sampled_from(["=", "+1", -1, 0]),
    "Made": st.sampled_from([4, None]),
    "Down": st.sampled_from([None, 1]),
    "Lead": st.sampled_from(["HA", "♠10", "x", None]),
    "Vul": st.sampled_from(["NS", "-", None]),
    "Round": st.integers(1, 2),
    "NS": st.integers(1, 9),
    "EW": st.integers(1, 9),
    "X": st.sampled_from(["", "x"]),
    "Score": st.sampled_from([420, None]),
}
headings = st.one_of(
    st.just(["Board", "Contract", "By", "Tricks"]),
    st.permutations(sorted(plausible_cells)),
    st.lists(st.sampled_from([*plausible_cells, *layout("iaf", True), "Other", None]) | odd_cells, max_size=9),
)
any_options = st.fixed_dictionaries(
    {
        "method": st.sampled_from(METHODS),
        "cloud": st.booleans(),
        "lead": st.sampled_from(LEADS),
        "datum": st.sampled_from(RULES),
        "rounding": st.sampled_from(sorted(ROUNDINGS)),
        "rounds": st.sampled_from(["auto", "new", "same"]),
        "result_is": st.sampled_from(["auto", "made", "tricks", "odd"]),
    }
)


@st.composite
def grids(draw: st.DrawFn) -> list[list[object]]:
    """Titles, a row of headings, and rows of which some are sound, some odd here and there, and some cut short."""
    heading = draw(headings)
    out = [*draw(st.lists(st.lists(odd_cells, max_size=3), max_size=2)), list(heading)]
    for oddness in draw(st.lists(st.sampled_from([0, 0, 0, 1, 3]), max_size=7)):
        odd = set(draw(st.lists(st.integers(0, len(heading)), max_size=oddness)))
        row = [
            draw(odd_cells if at in odd else plausible_cells.get(str(name), st.none()))
            for at, name in enumerate(heading)
        ]
        out.append(row[: draw(st.integers(0, len(row)))] if oddness == 3 else row)
    return out


def is_filled(cell: object) -> bool:
    return not (cell is None or (isinstance(cell, str) and not cell.strip()))


@settings(max_examples=examples(2.4))
@given(grids(), any_options)
def test_any_sheet_is_scored_or_refused_and_no_contract_is_dropped(
    grid: list[list[object]], options: dict[str, object]
) -> None:
    """A row with something in its contract cell has its scores or a note, unless it says the headings again."""
    try:
        block = score(grid, **options).block
    except SheetError as refused:
        assert len(str(refused).splitlines()) == 1
        return
    cells = {each.name: each.cells for each in block.columns}
    at_contract = columns_of(grid[block.top][: block.left])["contract"]
    for down, row in enumerate(grid[block.top + 1 :]):
        if len(row) <= at_contract or not is_filled(row[at_contract]) or {"board", "contract"} <= set(columns_of(row)):
            continue
        assert cells["Note"][down] is not None or cells["Bid"][down] is not None, row


@given(grids(), any_options)
def test_what_is_written_can_be_written_again(grid: list[list[object]], options: dict[str, object]) -> None:
    """Finite numbers and texts, and a second run over them gives the same."""
    try:
        block = score(grid, **options).block
    except SheetError:
        return
    for each in block.columns:
        assert [cell for cell in each.cells if isinstance(cell, float) and not isfinite(cell)] == []
    again = score(written(grid, block), **options).block
    assert again.columns == block.columns
    assert (again.left, again.replaces) == (block.left, len(block.columns))


# -- the percentage of play


def test_play_is_what_the_paper_or_the_program_has_for_it() -> None:
    """The Valet paper, 2.3, and the Valet program; the two sides have 100 % together."""
    for way, play in (
        ("rest", lambda overall, bid: 50 + overall - bid),
        ("twice", lambda overall, bid: 2 * overall - bid),
    ):
        scored = score(SHEET, method="matchpoints", play_percent=way)
        rows = zip(
            SHEET[1:], *(column(scored, name) for name in ("MP %", "Bid", "Play", "Lead score", "Defence")), strict=True
        )
        for row, north_south, bid, played, lead, defence in rows:
            overall = 100 - north_south if row[2] == "E" else north_south  # type: ignore[operator]
            assert played == pytest.approx(play(overall, bid))
            assert lead + defence - 50 == pytest.approx(100 - played)  # type: ignore[operator]
    assert score(SHEET, play_percent="twice").block == score(SHEET).block  # no percentages, no difference
