"""The worksheet functions in a real LibreOffice Calc: the engine's values, whatever is in a cell or range."""

from __future__ import annotations

import itertools
import re
import shutil
import zipfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from assertions import assert_same_cells
from office import XLSX, Calc, calc, needs_calc
from python_calamine import CalamineWorkbook
from strategies import ONE_SUIT_EACH

from valet_xl.documents.cell_names import cell_name
from valet_xl.errors import ValetError
from valet_xl.functions import deals
from valet_xl.functions.catalogue import REGISTRY
from valet_xl.functions.registry import Argument, Cells, ErrorCell, Function, Kind, Missing

pytestmark = needs_calc

WORKBOOKS = Path(__file__).parents[2] / "workbooks"
NAMESPACE = "{http://schemas.openxmlformats.org/spreadsheetml/2006/main}"
VALUE = [519]  # Calc's code of #VALUE!, as `Driver.cells` gives it
NOT_AVAILABLE = [32767]
REFUSED = [504]  # Err:504, an error in the list of parameters

TABLE = [
    ["Board", "Contract", "By", "Lead", "Tricks"],
    [1.0, "4S", "N", "SQ", 10.0],
    [1.0, "3NT", "N", "HK", 9.0],
    [1.0, "8H", "E", "C2", 8.0],
    [2.0, "2H", "E", "", 8.0],
    [2.0, "1NT", "E", "", 9.0],
]
# What an argument is tried with, by the name of its shape: what Calc is given, and its cells.
SHAPES: dict[str, tuple[str, Cells]] = {
    "cell": ("A1", [[420.0]]),
    "column": ("A1:A4", [[420.0], [None], [-50.0], [170.0]]),
    "row": ("C1:F1", [[420.0, -50.0, None, 170.0]]),
    "block": ("C1:D2", [[420.0, -50.0], [430.0, 170.0]]),
    "blank": ("H1", [[None]]),
    "blanks": ("H1:H3", [[None], [None], [None]]),
    "text": ("I1", [["420"]]),
    "texts": ("I1:I2", [["420"], ["4S"]]),
    "number": ("5", [[5.0]]),
    "words": ('"nonsense"', [["nonsense"]]),
    "table": ("A11:E16", [[cell if cell != "" else None for cell in row] for row in TABLE]),
}
CONSTANTS = {"number", "words"}
# A cell that is an error, alone or among others: Calc computes no function of it, but of a table.
ERRONEOUS = {"error": "J1", "errors": "J1:J3"}
USUAL = {
    "scores": "column",
    "difference": "column",
    "results": "table",
    "contract": '"4S"',
    "declarer": '"E"',
    "result": '"="',
    "hand": '"AKx.KQxx.x.Axxxx"',
    "partner": '"QJx.AJxx.Kxxx.Kx"',
    "holding": '"AQJ9"',
    "pattern": '"5-4-4-0"',
    "award": '"A+"',
    "replacement": '"comparable"',
    **dict.fromkeys(("imps", "points", "balance", "boards", "deals", "actual", "before", "could"), "number"),
    **dict.fromkeys(("home", "away"), "block"),
    **dict.fromkeys(("outcomes", "weights", "field"), "column"),
    "board": '"1"',
    "first": '"1"',
    "second": '"2"',
    "deal": f'"{ONE_SUIT_EACH}"',
    "strain": '"H"',
    "card": '"H2"',
    "vulnerability": '"NS"',
}


@pytest.fixture(scope="module")
def host(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Calc]:
    """Calc with the extension."""
    with calc(tmp_path_factory.mktemp("profile")) as running:
        yield running


def seen(cells: Cells) -> list[list[Any]]:
    """Cells as Calc shows them: no blank but the empty text, no TRUE but 1."""
    return [[VALUE if cell is ErrorCell.VALUE else "" if cell is None else cell for cell in row] for row in cells]


def area(rows: int, columns: int) -> str:
    """An area from L30 on."""
    return f"L30:{cell_name(28 + rows, 10 + columns)}"


def given(argument: Argument, shape: str) -> tuple[str, object]:
    """What is in the formula, and what the registry gets."""
    if shape == "left out":
        return "", Missing.ARGUMENT
    if shape.startswith('"'):
        return shape, shape.strip('"')
    text, cells = SHAPES[shape]
    return text, cells


def cases(function: Function) -> Iterator[tuple[int, str]]:
    for at, argument in enumerate(function.arguments):
        yield from ((at, shape) for shape in SHAPES)
        if argument.optional:
            yield at, "left out"


@pytest.fixture(scope="module", autouse=True)
def as_calc_solves(host: Calc) -> Iterator[None]:
    """Deals are solved in this Python too only if Calc's Python can solve them."""
    host.open()
    ((said,),) = host.formula("L30", f'=VALET_DD_CHECK("{ONE_SUIT_EACH}")')
    with pytest.MonkeyPatch.context() as patch:
        if not str(said).startswith("nothing wrong"):

            def missing() -> str:
                raise ValetError(said)

            patch.setattr(deals, "solver_version", missing)
        yield


@pytest.fixture(scope="module")
def sheet(host: Calc) -> Calc:
    """A new document with the shapes' cells."""
    host.open()
    for text, cells in SHAPES.values():
        if re.fullmatch(r"[A-Z]\d+(:[A-Z]\d+)?", text):
            host.put(text, [["" if cell is None else cell for cell in row] for row in cells])
    host.put("C1:F1", [[420.0, -50.0, "", 170.0]])
    host.put("C2:D2", [[430.0, 170.0]])
    host.plain_formula("J1", "=NA()")
    host.put("J2:J3", [[420.0], [-50.0]])
    return host


def usual(argument: Argument) -> str:
    return USUAL.get(argument.name, "left out")


def call(function: Function, at: int, shape: str) -> tuple[str, list[list[Any]]]:
    """A formula, and what it should show."""
    texts, values = zip(
        *(given(each, shape if at == place else usual(each)) for place, each in enumerate(function.arguments)),
        strict=True,
    )
    formula = f"={function.name}({';'.join(texts).rstrip(';')})"
    is_table = function.arguments[at].kind is Kind.TABLE
    if is_table and shape in CONSTANTS:
        return formula, [[REFUSED]]
    expected = function(*values)
    if shape == "blank" and not is_table:  # Calc hands over a single blank cell as 0
        zero = function(*(0.0 if place == at else value for place, value in enumerate(values)))
        expected = expected if zero == [[ErrorCell.VALUE]] else zero
    return formula, seen(expected)


@pytest.mark.parametrize("name", REGISTRY)
def test_every_shape_of_every_argument_is_the_registry(name: str, sheet: Calc) -> None:
    """A cell, row, column, block, blank, text, number, word, table, and an argument left out."""
    function = REGISTRY[name]
    for at, shape in cases(function):
        text, expected = call(function, at, shape)
        place = area(len(expected), len(expected[0]))
        found = sheet.formula(place, text)
        sheet.clear(place)
        assert_same_cells(found, expected, f"{text} ({function.arguments[at].name}: {shape})")


@pytest.mark.parametrize("name", REGISTRY)
def test_an_error_in_an_argument_is_an_error(name: str, sheet: Calc) -> None:
    """A single one stays what it is, as in all functions of a sheet; of a table, the errors are named."""
    function = REGISTRY[name]
    for shape, text in ERRONEOUS.items():
        rest = ";".join(given(argument, usual(argument))[0] for argument in function.arguments[1:])
        ((found,),) = sheet.formula("L30", f"={name}({text};{rest})".replace(";)", ")").rstrip(";"))
        sheet.clear("L30")
        if function.arguments[0].kind is Kind.TABLE:
            assert found == function(SHAPES["texts"][1])[0][0] if name == "VALET_CHECK" else found == VALUE
        else:
            assert found == NOT_AVAILABLE if shape == "error" else isinstance(found, list), text


@pytest.mark.parametrize("name", [name for name in REGISTRY if not REGISTRY[name].arguments[0].optional])
def test_a_required_argument_that_is_left_out_is_an_error_of_calcs(name: str, sheet: Calc) -> None:
    assert sheet.formula("L30", f"={name}()") == [[REFUSED]]
    sheet.clear("L30")


def test_a_table_with_errors_is_read(sheet: Calc) -> None:
    """The row of an error is named and has no score; the other board, one of whose cells is a formula, has its own."""
    sheet.put("A41:E46", TABLE)
    sheet.plain_formula("E43", "=1/0")
    sheet.plain_formula("B45", '=IF(A44=1;"2H";"")')
    wrong = sheet.formula("L30:L32", "=VALET_CHECK(A41:E46)")
    assert [row[0] for row in wrong if isinstance(row[0], str)] == [
        "row 3, Tricks: '#DIV/0!' (expected 0-13)",
        "row 4, Contract: '8H' (level must be 1-7)",
    ], wrong
    bid = sheet.formula("M30:M34", "=VALET_BID(A41:E46)")
    assert [row[0] if isinstance(row[0], list) else type(row[0]) for row in bid] == [str, VALUE, VALUE, float, float]
    sheet.clear("L30:M34")
    sheet.clear("A41:E46")


@pytest.mark.parametrize("blank", ["Z9:Z9", 'IF(Z9="";"";Z9)'])
def test_a_blank_cell_can_be_passed_on_as_blank(sheet: Calc, blank: str) -> None:
    """In both ways that the function wizard names; a file keeps them."""
    for text, expected in (
        (f"=VALET_VP({blank};16)", REGISTRY["VALET_VP"](None, 16.0)),
        (f'=VALET_SCORE("4S";"E";{blank})', REGISTRY["VALET_SCORE"]("4S", "E", None)),
        (f"=VALET_LAW12({blank};5;3)", REGISTRY["VALET_LAW12"](None, 5.0, 3.0)),
    ):
        place = area(len(expected), len(expected[0]))
        assert sheet.formula(place, text) == seen(expected), text
        sheet.clear(place)


def test_other_functions_work_with_what_ours_give(sheet: Calc) -> None:
    """A sum over the values, and one of them, from a plain formula; a plain one alone shows the first."""
    expected = [row[0] for row in REGISTRY["VALET_IAF"](SHAPES["column"][1])]
    for text, value in (
        ("=SUM(VALET_IAF(A1:A4))", sum(cell for cell in expected if isinstance(cell, float))),
        ("=INDEX(VALET_IAF(A1:A4);3)", expected[2]),
        ("=VALET_IAF(A1:A4)", expected[0]),
        ('=IFERROR(VALET_IAF("x");7)', 7.0),
    ):
        sheet.plain_formula("L30", text)
        assert sheet.cells("L30") == [[pytest.approx(value)]], text
    sheet.clear("L30")


def test_function_wizard_shows_what_the_registry_says(host: Calc) -> None:
    """Every function under its plain name with its sentence, and every argument; those left out are so marked."""
    shown = host.function_help()
    assert set(shown) == set(REGISTRY)
    for name, (text, arguments) in shown.items():
        function = REGISTRY[name]
        assert text.startswith(function.sentence)
        assert [tuple(argument) for argument in arguments] == [
            (argument.name, argument.sentence, argument.optional) for argument in function.arguments
        ]
        assert ('IF(A1="";"";A1)' in text) == (function.arguments[0].kind is not Kind.TABLE)


# -- whole columns


WHOLE = ("VALET_IAF(T:T)", "VALET_DATUM(T:T)", "VALET_VP(T:T;U:U)", "VALET_COMPONENTS(A:E)", "VALET_CHECK(A:E)")


@pytest.mark.parametrize("formula", WHOLE)
def test_a_whole_column_is_its_used_part(host: Calc, formula: str) -> None:
    """The same cells as of a range that ends with the last one, and no more."""
    host.open()
    host.put("A1:E6", TABLE)
    host.put("T1:T4", [[42.0], [""], [-5.0], [17.0]])
    host.put("U1:U4", [[16.0], [16.0], [16.0], [8.0]])
    part = re.sub(r"([A-Z]):([A-Z])", lambda found: f"{found[1]}1:{found[2]}{6 if found[1] == 'A' else 4}", formula)
    expected = host.formula("L1:P8", f"={part}")
    host.clear("L1:P8")
    assert host.formula("L1:P8", f"={formula}") == expected


def test_used_cells_that_are_too_many_are_an_error(host: Calc) -> None:
    """Somebody typed something into the last row."""
    host.open()
    host.put("A1:E6", TABLE)
    host.put("E1048576", [["here"]])
    assert host.formula("L1", "=VALET_COMPONENTS(A:E)") == [[VALUE]]


# -- workbooks


def cached(path: Path, sheet: str) -> list[list[Any]]:
    """The values in a workbook's file, TRUE as 1."""
    rows = CalamineWorkbook.from_path(str(path)).get_sheet_by_name(sheet).to_python(skip_empty_area=False)
    return [[float(cell) if isinstance(cell, (bool, int)) else cell for cell in row] for row in rows]


def checks(values: list[list[Any]]) -> list[Any]:
    """The cells under the headings that say whether a row agrees with what is published; a blank row ends a table."""
    found = []
    for at, row in enumerate(values):
        for column in [place for place, cell in enumerate(row) if cell == "Agrees"]:
            table = itertools.takewhile(any, values[at + 1 :])
            found += [under[column] for under in table if under[column] != ""]
    return found


@pytest.fixture
def copied(tmp_path: Path) -> Callable[[str], Path]:
    """What copies a workbook of the project: two offices that open one file would meet each other's lock."""
    return lambda name: Path(shutil.copy(WORKBOOKS / name, tmp_path / name))


def test_functions_workbook_recalculated_is_what_it_was(host: Calc, copied: Callable[[str], Path]) -> None:
    """Every value equals the one that was computed when it was built, and every check cell is TRUE."""
    path = copied("functions.xlsx")
    sheets = host.open(str(path))
    host.recalculate()
    agreed = 0
    for sheet in sheets:
        values = host.cells(sheet=sheet)
        assert_same_cells(values, cached(path, sheet), sheet)
        agreed += len(checks(values))
        assert set(checks(values)) <= {1.0}
    assert agreed > 90


def test_examples_workbook_recalculated_agrees_with_the_paper(host: Calc, copied: Callable[[str], Path]) -> None:
    """Every check cell is TRUE after all formulas were recalculated."""
    sheets = host.open(str(copied("examples.xlsx")))
    host.recalculate()
    agreed = [check for sheet in sheets for check in checks(host.cells(sheet=sheet))]
    assert len(agreed) > 90
    assert set(agreed) == {1.0}


def test_workbook_that_calc_saved_keeps_the_plain_names(
    host: Calc, tmp_path: Path, copied: Callable[[str], Path]
) -> None:
    """Array formulas too; Excel would find its functions, and so does Calc when it loads the file again."""
    path = copied("functions.xlsx")
    sheets = host.open(str(path))
    formulas = {sheet: host.formulas(sheet) for sheet in sheets}
    host.recalculate()
    host.save(str(tmp_path / "saved.xlsx"), XLSX)
    before, after = written_formulas(path), written_formulas(tmp_path / "saved.xlsx")
    assert after == before
    assert any(kind == "array" for kind, _ in after) and any("VALET_" in text for _, text in after)
    host.open(str(tmp_path / "saved.xlsx"))
    host.recalculate()
    for sheet in sheets:
        assert host.formulas(sheet) == formulas[sheet]
        assert_same_cells(host.cells(sheet=sheet), cached(path, sheet), sheet)


def written_formulas(path: Path) -> list[tuple[str, str]]:
    """The formulas with our functions in a workbook's file, with their kind."""
    from lxml import etree

    found = []
    with zipfile.ZipFile(path) as archive:
        for part in sorted(name for name in archive.namelist() if name.startswith("xl/worksheets/sheet")):
            for formula in etree.fromstring(archive.read(part)).iter(f"{NAMESPACE}f"):
                if formula.text and "VALET" in formula.text:
                    found.append((formula.get("t", "normal"), formula.text))
    return found
