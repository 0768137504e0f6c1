"""The worksheet functions of matches, duels, teams and rulings, and the worked sheets that use them."""

from __future__ import annotations

import math
import re
import zipfile
from functools import partial
from pathlib import Path
from xml.etree import ElementTree

import pytest
import team_sheets
from build_examples import Writer
from hypothesis import given
from hypothesis import strategies as st

from valet_xl.documents.xlsx import Workbook
from valet_xl.engine.rulings import REPLACEMENTS
from valet_xl.functions import catalogue as worksheet
from valet_xl.functions import rulings, teams, victory
from valet_xl.functions.registry import LONGEST_TEXT, Cells, ErrorCell, Missing

REGISTRY = worksheet.REGISTRY
VALUE = [[ErrorCell.VALUE]]
OURS = {
    name: function
    for name, function in REGISTRY.items()
    if function.compute.__module__ in (victory.__name__, teams.__name__, rulings.__name__)
}
SHAPED = {  # functions that keep the shape of their first argument, and the others' values
    "VALET_VP": (16.0,),
    "VALET_VP_IMPS": (16.0,),
    "VALET_VICTORS": (16.0,),
    "VALET_VICTORS_PERCENT": (16.0,),
    "VALET_DUEL_POINTS": (16.0,),
    "VALET_BARKING": (),
    "VALET_ARTIFICIAL": (),
}
VALUES = {"VALET_ARTIFICIAL": [60.0, 50.0, 40.0, 60.0]}
TABLE: Cells = [["Board", "Contract", "By", "Result"], [1, "3NT", "N", "="], [1, "3NT", "N", -1], [1, "4S", "E", "="]]


def call(name: str, *arguments: object) -> Cells:
    return REGISTRY[name](*arguments)


def column(values: list[float | None]) -> list[list[float | None]]:
    return [[value] for value in values]


# -- what they give


def test_victory_points() -> None:
    assert call("VALET_VP", column([1, 8, None, -8]), 16) == [[10.31], [12.29], [None], [7.71]]
    assert call("VALET_VP", column([8, 10]), column([16, 8])) == [[12.29], [13.78]]
    assert call("VALET_VP", 28, 8, "ACBL30") == [[30]]
    assert call("VALET_VP_IMPS", [[15.0, 20.0]], 16, "discrete") == [[18, 54]]
    assert call("VALET_VP_IMPS", 21, 16) == [[None]]
    assert call("VALET_VP", 8, 12, "acbl20") == VALUE  # no such table
    assert call("VALET_VP", 8, 7.5) == VALUE


def test_duels() -> None:
    assert call("VALET_VICTORS", column([26, -26, 90, -90]), 16) == column([21, 9, 25, 0])
    assert call("VALET_VICTORS", 500, 16, True) == [[18]]
    assert call("VALET_VICTORS_PERCENT", 26, 16) == [[pytest.approx(50 + 333 * 26 / 426)]]
    assert call("VALET_DUEL_POINTS", column([0, 26]), 16) == [[15], [27]]
    assert call("VALET_DUEL_POINTS", 3, 16, 20, 0.85) == [[17]]
    assert call("VALET_DUEL_POINTS", 3, 16, 2.5) == VALUE
    assert call("VALET_DUEL_POINTS", column([0, 26, -26]), 16, None, None, "winners") == column([0, 81, -81])
    assert call("VALET_DUEL_POINTS", 26, 16, 30, 5, "half") == VALUE
    assert call("VALET_VICTORS", 26, 0) == VALUE


def test_deals_of_a_duel() -> None:
    """400, -50 and -420 among each other: 10, 13 and 9 IMPs, each way."""
    mean, sd, *rows = call("VALET_DUEL_DEALS", TABLE, "teams")
    assert mean == ["mean", 0]
    assert sd == ["SD", pytest.approx(math.sqrt((10**2 + 13**2 + 9**2) / 3))]
    assert {row[0]: row[1] for row in rows if row[1]} == pytest.approx(dict.fromkeys((-13, -10, -9, 9, 10, 13), 1 / 6))
    assert len(call("VALET_DUEL_DEALS", TABLE, "board-a-match")) == 2 + 3
    percent = {row[0]: row[1] for row in call("VALET_DUEL_DEALS", TABLE, "matchpoints")[2:] if row[1]}
    assert percent == pytest.approx({-50: 1 / 3, 0: 1 / 3, 50: 1 / 3})  # 100, 50 and 0 %
    assert call("VALET_DUEL_DEALS", TABLE[1:]) == VALUE
    assert call("VALET_DUEL_DEALS", TABLE[:2]) == VALUE  # nothing to compare


def test_teams() -> None:
    home, away = [[620.0, 650.0], [None, -50.0]], [[620.0, -100.0], [100.0, -50.0]]
    assert call("VALET_TEAMS", home, away) == [[26], [-4]]
    assert call("VALET_TEAMS", home, away, "fours") == [[13], [0]]
    assert call("VALET_TEAMS", home, away, "aggregate") == [[13], [None]]
    assert call("VALET_TEAMS", home, away, None, "average") == [[6.5], [-2]]
    assert call("VALET_BAM", home, away) == [[2], [None]]
    assert call("VALET_TEAMS", 620.0, -100.0) == [[12]]
    assert call("VALET_TEAMS", home, away[:1]) == VALUE
    assert call("VALET_BAM", home, 620.0) == VALUE
    assert call("VALET_BARKING", column([430, 430, None, -50, 140])) == column([13, 13, None, -23, -3])
    assert call("VALET_BARKING", column([430, 430, -50]), "average") == column([None] * 3)


def test_law_12() -> None:
    """A column of rulings with one score before for all."""
    given_scores = column([-8, -3, -3, 2, None]), 0, column([-3, 2, -3, 2, None])
    assert call("VALET_LAW12", *given_scores) == [
        [-5, 0, "damage partly self-inflicted"],
        [-3, 0, "all damage self-inflicted"],
        [0, 0, "no damage self-inflicted"],
        [2, 2, "no damage, no adjustment"],
        [None] * 3,
    ]
    assert call("VALET_LAW12", -3, 0, -4) == VALUE
    assert call("VALET_LAW12", [[-8.0, -3.0]], 0, 0) == VALUE  # its answer needs the columns
    assert call("VALET_LAW12", column([-8, -3]), column([0, 0, 0]), 0) == VALUE


def test_weighted_and_artificial_scores() -> None:
    outcomes, weights = column([420, -50]), column([60, 40])
    assert call("VALET_WEIGHTED", outcomes, weights, 170) == [[pytest.approx(1.2)]]
    assert call("VALET_WEIGHTED", outcomes, weights, column([170, None]), "matchpoints") == [[pytest.approx(60)]]
    assert call("VALET_WEIGHTED", outcomes, column([60, 30]), 170) == VALUE
    assert call("VALET_WEIGHTED", outcomes, 100, 170) == VALUE
    assert call("VALET_WEIGHTED", column([420, None]), weights, 170) == VALUE
    assert call("VALET_ARTIFICIAL", [["A+", "A", "A-", "60/40", 0.6, 40, None]]) == [[3, 0, -3, 3, 3, -3, None]]
    assert call("VALET_ARTIFICIAL", "A+", "matchpoints", 62) == [[62]]
    assert call("VALET_ARTIFICIAL", [["A+", "A-", "A-"]], "matchpoints", [[0.62, 0.35, 0]]) == [[62, 35, 0]]  # as 62 %
    for bad in ("B+", 55, True, ErrorCell.VALUE, [["A+"], ["A", "A"]]):
        assert call("VALET_ARTIFICIAL", bad) == VALUE


def test_law_27() -> None:
    assert call("VALET_LAW27", "Comparable")[0] == ["27B1(b), 23A"]
    assert [len(row) for row in call("VALET_LAW27", "double")] == [1] * 5
    assert call("VALET_LAW27", "double", True)[0] == ["27A1"]
    assert call("VALET_LAW27", "redouble") == call("VALET_LAW27") == VALUE


# -- what is true of all of them


@pytest.mark.parametrize("name", SHAPED)
def test_the_shape_of_the_first_argument_is_kept(name: str) -> None:
    values = VALUES.get(name, [16.0, -8.0, 10.0, 0.0])
    rest = SHAPED[name]
    as_column = call(name, column(list(values)), *rest)
    assert call(name, [values], *rest) == [[row[0] for row in as_column]]
    assert [len(row) for row in call(name, [values[:2], values[2:]], *rest)] == [2, 2]


@pytest.mark.parametrize("name", SHAPED)
def test_a_blank_cell_gives_a_blank(name: str) -> None:
    values = VALUES.get(name, [16.0, -8.0, 10.0, 0.0])
    rest = SHAPED[name]
    full = call(name, column(list(values)), *rest)
    for blank in (None, ""):
        assert call(name, [[blank], *column(list(values))], *rest) == [[None], *full]
    assert call(name, None, *rest) == [[None]]


@pytest.mark.parametrize("name", [name for name, rest in SHAPED.items() if rest])
def test_the_second_argument_is_one_cell_or_as_many(name: str) -> None:
    first = column([16.0, 8.0])
    assert call(name, first, column([16, 16])) == call(name, first, 16)
    assert call(name, first, column([16, None]))[1] == [None]
    assert call(name, first, column([16, 16, 16])) == VALUE
    assert call(name, first, None) == call(name, first) == VALUE


@pytest.mark.parametrize("name", [name for name in OURS if name not in ("VALET_ARTIFICIAL", "VALET_DUEL_DEALS")])
@pytest.mark.parametrize("bad", ["x", True, ErrorCell.VALUE])
def test_a_cell_that_is_no_number_is_an_error(name: str, bad: object) -> None:
    rest = SHAPED.get(name, (0.0, 0.0) if name != "VALET_BAM" else (0.0,))
    assert call(name, [[16.0], [bad]], *rest) == VALUE


@pytest.mark.parametrize("name", OURS)
def test_every_text_fits_the_function_wizards(name: str) -> None:
    function = OURS[name]
    assert function.sentence.endswith(".")
    texts = [function.sentence, function.result, function.example]
    texts += [text for argument in function.arguments for text in (argument.name, argument.sentence)]
    assert [text for text in texts if not 0 < len(text) <= LONGEST_TEXT] == []
    assert function.example.startswith(f"={name}(")
    reserved = {"boolean", "byte", "short", "long", "hyper", "float", "double", "char", "string", "any", "type"}
    assert not reserved & {argument.name for argument in function.arguments}


any_cell = st.none() | st.text(max_size=4) | st.booleans() | st.floats() | st.integers(-100, 100)
any_block = st.lists(st.lists(any_cell, min_size=2, max_size=2), min_size=1, max_size=3)
any_argument = any_cell | any_block | st.just(Missing.ARGUMENT)
numbers = st.lists(
    st.lists(st.integers(-60, 60).map(float) | st.none(), min_size=1, max_size=1), min_size=1, max_size=3
)


@pytest.mark.filterwarnings("ignore::RuntimeWarning")  # infinite cells, which no host hands over
@given(st.sampled_from(sorted(OURS)), st.lists(numbers | any_argument, min_size=1, max_size=4))
def test_whatever_is_handed_over_a_block_of_cells_comes_back(name: str, arguments: list[object]) -> None:
    for row in call(name, *arguments):
        for cell in row:
            assert cell is None or isinstance(cell, (str, ErrorCell)) or math.isfinite(cell)


# -- the worked sheets


@pytest.fixture(scope="module")
def workbook(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("sheets") / "sheets.xlsx"
    writer = Writer(path)
    team_sheets.add_sheets(writer)
    writer.book.close()
    return path


def formulas(path: Path, sheet: int) -> dict[str, str]:
    """The formulas of a sheet by the cell, or the cells, that they fill."""
    with zipfile.ZipFile(path) as archive:
        root = ElementTree.fromstring(archive.read(f"xl/worksheets/sheet{sheet}.xml"))
    main = "{http://schemas.openxmlformats.org/spreadsheetml/2006/main}"
    found = {}
    for cell in root.iter(f"{main}c"):
        formula = cell.find(f"{main}f")
        if formula is not None:
            found[formula.get("ref", cell.get("r"))] = formula.text or ""
    return {str(place): text for place, text in found.items()}


class Sheet:
    """A sheet's values, and what its formulas come to, in as much of a spreadsheet's language as they need."""

    def __init__(self, cells: list[list[object]]) -> None:
        self.cells = cells
        self.names: dict[str, object] = {
            **{name: partial(self.function, name) for name in REGISTRY},
            "ABS": abs,
            "AND": lambda *tests: all(tests),
            "IF": lambda test, one, other: one if test else other,
            "INDEX": lambda block, row: block[row - 1][0],
            "SIGN": lambda value: (value > 0) - (value < 0),
            "SUM": lambda block: sum(map(sum, block)),
            "block": self.block,
        }

    def block(self, place: str) -> list[list[object]]:
        first, last = place.split(":") if ":" in place else (place, place)
        (left, top), (right, bottom) = cell_at(first), cell_at(last)
        return [[self.cells[row][column] for column in range(left, right + 1)] for row in range(top, bottom + 1)]

    def function(self, name: str, *arguments: object) -> object:
        values = REGISTRY[name](*arguments)
        return values[0][0] if len(values) == len(values[0]) == 1 else values

    def value(self, formula: str) -> object:
        def place(found: re.Match[str]) -> str:
            return f"block('{found[0]}')" if ":" in found[0] else f"block('{found[0]}')[0][0]"

        text = re.sub(r"(?<![<>=])=", "==", formula)
        return eval(re.sub(r"\b[A-Z]\d+\b(?::[A-Z]\d+\b)?", place, text), {}, self.names)


def cell_at(name: str) -> tuple[int, int]:
    return ord(name[0]) - ord("A"), int(name[1:]) - 1


def test_the_worked_sheets_formulas_come_to_their_values(workbook: Path) -> None:
    """Every formula, computed from the cells of its sheet, gives the value that is in its cell; all checks TRUE."""
    book = Workbook.open(workbook)
    assert tuple(book.sheet_names) == team_sheets.NAMES
    checks = 0
    for number, name in enumerate(team_sheets.NAMES, start=1):
        sheet = Sheet(book.read(name).cells)
        of_sheet = formulas(workbook, number)
        assert of_sheet
        for place, formula in of_sheet.items():
            value, shown = sheet.value(formula), sheet.block(place)
            if isinstance(value, list):
                assert value == shown, (name, place, formula)
            else:
                assert value == pytest.approx(shown[0][0]), (name, place, formula)
            checks += value is True
    expected = len(team_sheets.WBF) + len(team_sheets.WBF_DISCRETE_16) + len(team_sheets.DUELS) + len(team_sheets.MATCH)
    expected += 4 + 8 + len(team_sheets.LAW_12) + 1 + len(team_sheets.ARTIFICIAL) + len(team_sheets.AUCTIONS)
    assert checks == expected


def test_the_sheets_values_are_the_published_ones() -> None:
    """Those that the check cells compare with, here without a spreadsheet."""
    for boards, imps, published in team_sheets.WBF:
        assert call("VALET_VP", imps, boards) == [[published]]
    for points, (first, last) in team_sheets.WBF_DISCRETE_16.items():
        assert call("VALET_VP", [[first, last]], 16, "discrete") == [[points, points]]
    for won, lost, deals, published in team_sheets.DUELS:
        assert call("VALET_VICTORS", won - lost, deals) == [[published]]
    for _, actual, before, could, own, offenders in team_sheets.LAW_12:
        assert call("VALET_LAW12", actual, before, could)[0][:2] == [own, offenders]
    assert tuple(team_sheets.MEANINGS) == REPLACEMENTS
    for award, published in team_sheets.ARTIFICIAL:
        assert call("VALET_ARTIFICIAL", award) == [[published]]
    silenced = [call("VALET_LAW27", word)[2] != call("VALET_LAW27", "same")[2] for *_, word, _ in team_sheets.AUCTIONS]
    assert silenced == [not free for *_, free in team_sheets.AUCTIONS]
