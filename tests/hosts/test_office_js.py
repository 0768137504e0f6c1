"""The add-in for Excel by Office.js: its JavaScript in Chromium, with Python in Pyodide and with this Python."""

from __future__ import annotations

import datetime
import json
import re
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from assertions import assert_same_cells
from browser import axe_finds, chromium, needs_axe, needs_browser, needs_chromium
from host_sheets import HEADINGS, ROWS, make, pairs, plain, table
from lxml import etree
from office_js import addin
from test_calc_functions import SHAPES, USUAL
from tried import TriedOffice

from valet_xl.documents.cell_names import cell_name
from valet_xl.documents.page import MOST_CELLS
from valet_xl.engine.options import Options
from valet_xl.errors import FileError
from valet_xl.functions import deals
from valet_xl.functions.catalogue import REGISTRY
from valet_xl.functions.examples import example
from valet_xl.functions.registry import Argument, Cells, ErrorCell, Function, Missing
from valet_xl.hosts.commands import COMMANDS
from valet_xl.sheets.score_sheet import score_grid
from valet_xl_web import addin_files
from valet_xl_web.browser.cells import is_date, read_cell, read_formatted
from valet_xl_web.build import bundle

if TYPE_CHECKING:
    from playwright.sync_api import Browser

ROWS_OF_BIG = 12_000  # which are read and written in several parts
FIVE_MB = 5 * 1024 * 1024
FILTERED = "A filter hides rows of the sheet (Data, Clear shows them; then try again)"


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    """Chromium."""
    with chromium() as running:
        yield running


@pytest.fixture(scope="module")
def office(browser: Browser) -> Iterator[TriedOffice]:
    """The add-in, answered by this Python."""
    with addin(browser) as page:
        yield TriedOffice(page)


@pytest.fixture(scope="module")
def whole(browser: Browser) -> Iterator[TriedOffice]:
    """The add-in with the bundle that is published."""
    with addin(browser, bundle()) as page:
        yield TriedOffice(page)


@pytest.fixture
def results(office: TriedOffice, tmp_path: Path) -> TriedOffice:
    """A sheet of results."""
    office.open(make(tmp_path / "results.xlsx", plain))
    return office


# -- the functions

_ADDRESS = re.compile(r"[A-Z]+\d+(:[A-Z]+\d+)?")


def computed(office: TriedOffice, formula: str, areas: dict[str, Cells], size: tuple[int, int]) -> list[list[Any]]:
    """What a formula in Q1 shows, and whether it shows more; the areas are filled before."""
    office.ask("open", {"sheets": [{"name": "Sheet1", "cells": []}], "names": []})
    for area, rows in areas.items():
        office.put(area, rows)
    office.formula_in("Q1", formula)
    rows = office.settled(f"Q1:{cell_name(size[0], 16 + size[1])}")
    assert all(cell is None for cell in [*rows[-1], *(row[-1] for row in rows)]), rows
    return [row[:-1] for row in rows[:-1]]


def seen(cells: Cells) -> list[list[Any]]:
    return [[cell.value if isinstance(cell, ErrorCell) else cell for cell in row] for row in cells]


def in_a_browser(function: Function, arguments: list[Any]) -> Cells:
    """What a function gives where deals cannot be solved: an error, and the check says it."""
    if function.compute.__module__ != deals.__name__:
        return function(*arguments)
    if function.name == "VALET_DD_CHECK":
        wrong = [row for row in function(*arguments) if not str(row[0]).startswith("nothing wrong")]
        return [["deals cannot be solved in a browser (the command valet-xl solves them)"], *wrong]
    return [[ErrorCell.VALUE for _ in row] for row in function(*arguments)]


@needs_browser
def test_every_function_in_the_browser_equals_this_python(whole: TriedOffice) -> None:
    """Pyodide's answers reach the cells: each example, on a sheet with its areas."""
    for function in REGISTRY.values():
        areas, arguments = example(function)
        expected = seen(in_a_browser(function, arguments))
        found = computed(whole, function.example, areas, (len(expected), len(expected[0])))
        assert_same_cells(found, expected, function.example)


def cases(function: Function) -> Iterator[tuple[int, str]]:
    for at, argument in enumerate(function.arguments):
        yield from ((at, shape) for shape in SHAPES)
        if argument.optional:
            yield at, "left out"


def given(argument: Argument, shape: str) -> tuple[str, object]:
    """What is in the formula, and what the registry gets."""
    if shape == "left out":
        return "", Missing.ARGUMENT
    if shape.startswith('"'):
        return shape, shape.strip('"')
    return SHAPES[shape]


@needs_chromium
@pytest.mark.parametrize("name", REGISTRY)
def test_every_shape_of_every_argument_is_the_registry(name: str, office: TriedOffice) -> None:
    """A cell, row, column, block, blank, text, number, word, table, and an argument left out."""
    function = REGISTRY[name]
    areas = {text: cells for text, cells in SHAPES.values() if _ADDRESS.fullmatch(text)}
    for at, shape in cases(function):
        texts, values = zip(
            *(
                given(each, shape if at == place else USUAL.get(each.name, "left out"))
                for place, each in enumerate(function.arguments)
            ),
            strict=True,
        )
        expected = seen(function(*values))
        formula = f"={name}({','.join(texts).rstrip(',')})"
        found = computed(office, formula, areas, (len(expected), len(expected[0])))
        assert_same_cells(found, expected, f"{formula} ({function.arguments[at].name}: {shape})")


@needs_chromium
def test_an_error_among_cells_reaches_the_function(office: TriedOffice) -> None:
    """VALET_CHECK names it; a function of scores shows #VALUE!, a true one."""
    cells: Cells = [[*HEADINGS], [1.0, "4S", "N", "#N/A", "HK"], [1.0, "3NT", "S", 9.0, "D4"]]
    expected = seen(REGISTRY["VALET_CHECK"](cells))
    assert "#N/A" in str(expected)
    assert computed(office, "=VALET_CHECK(A1:E3)", {"A1:E3": cells}, (len(expected), 1)) == expected
    assert computed(office, "=VALET_IAF(A1:A2)", {"A1:A2": [[420.0], ["#N/A"]]}, (1, 1)) == [["#VALUE!"]]


@needs_chromium
def test_fault_is_an_error_with_its_reason(office: TriedOffice) -> None:
    """Where the engine does not answer the cell shows #N/A, and Excel the reason next to it."""
    code = """async () => {
        const real = window.answerInPython;
        window.answerInPython = async () => JSON.stringify({ error: { kind: "start", text: "no engine" } });
        try { await window.standin.functions.get("VALET_IMP")([[430]], null); }
        catch (error) { return [error instanceof CustomFunctions.Error, error.code, error.message]; }
        finally { window.answerInPython = real; }
    }"""
    assert office.page.evaluate(code) == [True, "#N/A", "no engine"]


def test_json_carries_what_the_engine_has() -> None:
    """Any kind of cell that Office.js knows, and dates by their number format."""
    assert [read_cell(cell) for cell in (None, "", 0, 1.5, True, "x", {"error": "#REF!"}, {})] == [
        *(None, None, 0.0, 1.5, True, "x", "#REF!", "#UNKNOWN!")
    ]
    with pytest.raises(TypeError, match="in a cell"):
        read_cell([1])
    assert read_formatted(46115.25, "m/d/yyyy h:mm") == datetime.datetime(2026, 4, 3, 6)
    assert read_formatted(1e12, "yyyy") == 1e12
    assert not any(map(is_date, ("General", "@", "0.00", "#,##0", '0" days"', "[$-409]0", "0_d", "\\d0")))


# -- the buttons


@needs_chromium
def test_button_of_the_pane_scores(results: TriedOffice) -> None:
    """It is clicked; the pane says what was done."""
    results.page.get_by_role("button", name="Score sheet").click()
    results.page.locator("#status", has_text="6 of 6 results on 2 boards scored").wait_for()
    assert results.cells("F1:G1") == [["Score", "Datum"]]


@needs_chromium
def test_controls_of_the_pane_choose(results: TriedOffice) -> None:
    """An option is chosen by its control, and the controls show what another document remembers."""
    results.page.get_by_label("Method").select_option("matchpoints")
    results.page.get_by_label("Cloud").check()
    results.do("check")
    assert [(each["name"], each["formula"], each["visible"]) for each in results.ask("names")] == [
        ("valet_xl_method", '="matchpoints"', False),
        ("valet_xl_cloud", '="TRUE"', False),
    ]
    results.ask("open", {"sheets": [{"name": "Sheet1", "cells": []}], "names": []})
    results.do("about")
    assert results.page.get_by_label("Method").input_value() == "iaf"
    assert not results.page.get_by_label("Cloud").is_checked()


@needs_chromium
def test_ribbon_shows_a_message_in_the_pane(results: TriedOffice) -> None:
    """A button of the ribbon works as that of the pane; the pane opens only if there is something to read."""
    results.ask("press", "score")
    assert results.page.evaluate("() => window.standin.settings.shown") == 0
    results.ask("press", "about")
    assert results.page.evaluate("() => window.standin.settings.shown") == 1
    assert "valet_xl" in (results.page.text_content("#message") or "")


@needs_chromium
@needs_axe
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_nothing_in_the_pane(results: TriedOffice, scheme: Any) -> None:
    """Neither before nor after a command that has something to say."""
    results.page.emulate_media(color_scheme=scheme)
    assert axe_finds(results.page) == []
    results.do("about")
    assert "valet_xl" in (results.page.text_content("#message") or "")
    assert axe_finds(results.page) == []


@needs_chromium
@pytest.mark.parametrize("command", ["score", "undo"])
@pytest.mark.parametrize("kind", ["hide", "hideInTable"])
def test_filtered_sheet_is_refused(office: TriedOffice, tmp_path: Path, kind: str, command: str) -> None:
    """Excel would write the first value to every visible row (office-js #224). With all rows shown it is scored."""
    office.open(make(tmp_path / "results.xlsx", table))
    office.do("score")
    office.ask(kind, [4, 5])
    before = office.state()
    assert office.do(command) == FILTERED
    assert office.state() == before
    office.ask(kind, [])
    assert office.do(command) == ""


@needs_chromium
def test_stand_in_writes_wrongly_under_a_filter(results: TriedOffice) -> None:
    """As Excel does: else the refusal would not be tried."""
    results.ask("hide", [2])
    results.page.evaluate(
        """() => Excel.run(async (context) => {
            context.workbook.worksheets.getItem("Results").getRange("G2:G4").values = [[1], [2], [3]];
        })"""
    )
    assert results.cells("G2:G4") == [[1], [None], [1]]


@needs_chromium
def test_hidden_columns_are_shown_where_scores_go(results: TriedOffice) -> None:
    """As in the other programs; another hidden column stays hidden."""
    for column in (3, 7, 30):
        results.ask("hideColumn", column)
    results.do("score")
    assert results.ask("hiddenColumns") == [3, 30]


@needs_chromium
def test_new_sheet_keeps_its_headings_in_view(results: TriedOffice) -> None:
    """They are bold, and long texts are broken into lines."""
    results.do("functions")
    assert results.ask("frozen") == 1
    (value, look), *_ = results.ask("looks", "A1:A2")[0]
    assert (value, look["bold"], look["wrap"]) == ("Function", True, True)


@needs_chromium
def test_page_hands_out_the_manifest_of_its_server(browser: Browser, office: TriedOffice) -> None:
    """The addresses in it are those of the page; it says that Excel wants https, and fits a telephone."""
    page = browser.new_page(viewport={"width": 320, "height": 600})
    base = office.page.url.removesuffix("addin/taskpane.html")
    page.goto(f"{base}addin/index.html")
    page.locator("#warning", has_text=f"this page is at {base}").wait_for()
    with page.expect_download() as downloaded:
        page.get_by_role("link", name="Download the manifest").click()
    assert downloaded.value.suggested_filename == "valet_xl.xml"
    text = Path(downloaded.value.path()).read_text(encoding="utf-8")
    assert text == addin_files.manifest(addin_files.UNKNOWN).replace(addin_files.UNKNOWN, base)
    assert page.evaluate("() => document.documentElement.scrollWidth") == 320
    page.close()


@needs_chromium
def test_filter_takes_the_new_columns(results: TriedOffice) -> None:
    """It would sort the results without their scores."""
    results.ask("hide", [])
    results.do("score")
    assert results.ask("filter") == "A1:N7"


@needs_chromium
def test_protected_workbook_gets_no_ranking(office: TriedOffice, tmp_path: Path) -> None:
    """It is said before anything is done."""
    office.open(make(tmp_path / "pairs.xlsx", pairs))
    office.ask("protectBook")
    assert office.do("rank") == "No sheet can be added (Review, Protect Workbook; then try again)"
    assert office.sheets() == ["Results"]


def big(rows: int) -> dict[str, Any]:
    """A document of many results, 12 on each board."""
    found = [HEADINGS, *([1 + at // 12, *ROWS[at % 5][1:]] for at in range(rows))]
    cells = [
        {"row": row, "column": column, "value": value, "formula": ""}
        for row, each in enumerate(found)
        for column, value in enumerate(each)
    ]
    return {"sheets": [{"name": "Results", "cells": cells}], "names": []}


@needs_chromium
def test_large_sheet_goes_in_parts(office: TriedOffice) -> None:
    """Excel on the web takes 5 MB a request; the cells are those of the engine."""
    document = big(ROWS_OF_BIG)
    office.ask("open", document)
    assert office.do("score") == ""
    sizes = office.page.evaluate("() => window.standin.settings.requests")
    assert max(sizes) < FIVE_MB
    assert sum(size > 100_000 for size in sizes) > 1
    grid: list[list[Any]] = [[None] * 5 for _ in range(ROWS_OF_BIG + 1)]
    for cell in document["sheets"][0]["cells"]:
        value = cell["value"]
        grid[cell["row"]][cell["column"]] = float(value) if isinstance(value, int) else value
    block = score_grid(grid, Options()).block
    area = block.area
    found = office.cells(str(area))
    assert found[0] == block.names
    rows = zip(*(each.cells for each in block.columns), strict=True)
    assert_same_cells(found[1:], [[float(cell) if isinstance(cell, int) else cell for cell in row] for row in rows], "")


@needs_chromium
def test_error_while_writing_leaves_the_cells_as_they_were(office: TriedOffice) -> None:
    """Parts that were written before are taken back, also the second time, when there were scores."""
    office.ask("open", big(ROWS_OF_BIG))
    for _ in range(2):
        before = office.cells("A1:N12001")
        office.page.evaluate(
            "() => Object.assign(window.standin.settings, { failAt: window.standin.settings.writes + 2 })"
        )
        assert office.do("score").startswith("Excel could not do that: There was an internal error")
        assert office.cells("A1:N12001") == before
        assert office.do("score") == ""


@needs_chromium
def test_sheet_that_is_too_large_is_refused_unread(office: TriedOffice) -> None:
    """Before its cells are loaded."""
    office.ask(
        "open",
        {
            "sheets": [{"name": "Results", "cells": [{"row": 1_048_575, "column": 9, "value": "x", "formula": ""}]}],
            "names": [],
        },
    )
    assert office.do("score").startswith(
        f"The sheet is used to J1048576, which makes 10,485,760 cells (at most {MOST_CELLS:,}"
    )


@needs_chromium
def test_text_is_never_a_formula_nor_html(office: TriedOffice, tmp_path: Path) -> None:
    """Names that begin with =, + or an apostrophe, and a contract that is HTML."""
    names = ["=1+1", "+A1", "-B2", "@SUM(A1)", "'quoted", "<img src=x onerror=alert(1)>"]
    rows = [[1, name, f"E{at}", "4S", "N", 10 - at % 2] for at, name in enumerate(names)]
    office.ask(
        "open",
        {
            "sheets": [
                {
                    "name": "Results",
                    "cells": [
                        {"row": row, "column": column, "value": value, "formula": ""}
                        for row, each in enumerate([["Board", "NS", "EW", "Contract", "By", "Tricks"], *rows])
                        for column, value in enumerate(each)
                    ],
                }
            ],
            "names": [],
        },
    )
    assert office.do("rank") == ""
    ranked = office.cells("C6:C17")
    assert {cell for (cell,) in ranked} >= set(names)
    office.show("Results")
    office.put("D2", [["<b>4S</b>"]])
    message = office.do("check")
    assert "'<b>4S</b>'" in message
    assert office.page.text_content("#message") == message
    assert office.page.locator("#message *").count() == 0


@needs_chromium
def test_old_excel_is_told(browser: Browser, office: TriedOffice) -> None:
    """What it lacks is named; nothing is connected."""
    page = browser.new_page()
    page.route(
        "https://appsforoffice.microsoft.com/**",
        lambda route: route.fulfill(
            body="globalThis.Office = { onReady: async () => {}, context: { requirements: {"
            " isSetSupported: (name) => name !== 'ExcelApi' } } };",
            content_type="text/javascript",
        ),
    )
    page.goto(office.page.url)
    page.locator("#message", has_text="This Excel is too old for the add-in: it lacks ExcelApi 1.13").wait_for()
    page.close()


# -- the self-test


@needs_browser
def test_selftest_of_the_whole_bundle_holds(whole: TriedOffice) -> None:
    """Every function and button, in Pyodide; the sheet says what was found, and the trials are gone."""
    whole.ask(
        "open",
        {"sheets": [{"name": "Mine", "cells": [{"row": 0, "column": 0, "value": "x", "formula": ""}]}], "names": []},
    )
    whole.page.get_by_role("button", name="Self-test").click()
    count = len(REGISTRY) + 4
    whole.page.locator("#message", has_text=f"{count} of {count} checks held").wait_for()
    assert whole.sheets() == ["Mine", "Bridge self-test"]
    assert whole.cells("A1:B1", "Mine") == [["x", None]]
    rows = whole.cells(f"A1:E{6 + count}", "Bridge self-test")
    assert rows[0][0] == "Excel 16.0 (stand-in) (Mac)"
    assert rows[5] == ["What was tried", "Held", "Expected", "Found", "Milliseconds"]
    assert {row[1] for row in rows[6:]} == {"true"}
    assert [row[0] for row in rows[6:-4]] == [function.example for function in REGISTRY.values()]


@needs_chromium
def test_selftest_sees_what_does_not_hold(office: TriedOffice) -> None:
    """A function that gives another number, one that fails, and an Excel that writes nothing."""
    office.ask("open", {"sheets": [{"name": "Mine", "cells": []}], "names": []})
    office.page.evaluate(
        """() => {
            const { functions } = window.standin;
            window.kept = new Map(functions);
            functions.set("VALET_IMP", async () => [[11]]);
            functions.set("VALET_PAR", async () => { throw new Error("no"); });
        }"""
    )
    office.page.get_by_role("button", name="Self-test").click()
    count = len(REGISTRY) + 4
    office.page.locator("#message", has_text=f"{count - 2} of {count} checks held").wait_for()
    office.page.evaluate("() => window.kept.forEach((work, name) => window.standin.functions.set(name, work))")
    wrong = [row for row in office.cells(f"A7:D{6 + count}", "Bridge self-test") if row[1] == "false"]
    assert [row[0].partition("(")[0] for row in wrong] == ["=VALET_IMP", "=VALET_PAR"]
    assert [row[3] for row in wrong] == ["[[11]]", '[["#VALUE!"]]']


# -- what Excel reads of the add-in


def test_names_follow_the_rules_for_custom_functions() -> None:
    """Microsoft's generator of functions.json takes letters, digits, _ and . after a letter, at most 128 of them.

    Its page on names lists letters, _ and . for a name, and digits for an id alone; name and id are the same here.
    """
    listed = addin_files.functions()["functions"]
    assert [each["id"] for each in listed] == [each["name"] for each in listed] == list(REGISTRY)
    for each in listed:
        assert re.fullmatch(r"[A-Z][A-Z0-9._]{2,127}", each["name"])
        assert not re.fullmatch(r"[A-Z]{1,3}[0-9]+|R[0-9]*C[0-9]*", each["name"])


def test_functions_have_the_registry_s_help() -> None:
    """Sentences, arguments in their order, which may be left out; texts that Excel does not cut off."""
    listed = {each["name"]: each for each in addin_files.functions()["functions"]}
    for name, function in REGISTRY.items():
        assert listed[name]["description"].startswith(function.sentence)
        assert len(listed[name]["description"]) <= 255
        assert [
            (each["name"], each["description"], each.get("optional", False)) for each in listed[name]["parameters"]
        ] == [(each.name, each.sentence, each.optional) for each in function.arguments]
        assert {each["dimensionality"] for each in listed[name]["parameters"]} <= {"matrix"}


OFFICE_APP = "{http://schemas.microsoft.com/office/appforoffice/1.1}"
OVERRIDES = "{http://schemas.microsoft.com/office/taskpaneappversionoverrides}"
BASIC = "{http://schemas.microsoft.com/office/officeappbasictypes/1.0}"
# The children of elements in the order that the schemas want.
ORDER = {
    f"{OFFICE_APP}OfficeApp": "Id Version ProviderName DefaultLocale DisplayName Description IconUrl"
    " HighResolutionIconUrl SupportUrl AppDomains Hosts Requirements DefaultSettings Permissions VersionOverrides",
    f"{OVERRIDES}VersionOverrides": "Description Requirements Hosts Resources WebApplicationInfo",
    f"{OVERRIDES}Host": "Runtimes AllFormFactors DesktopFormFactor",
    f"{OVERRIDES}DesktopFormFactor": "GetStarted FunctionFile ExtensionPoint",
    f"{OVERRIDES}Resources": "Images Urls ShortStrings LongStrings",
    f"{OVERRIDES}Control": "Label Supertip Icon Action",
    f"{OVERRIDES}Group": "Label Icon Control",
    f"{OVERRIDES}CustomTab": "Group Label",
    f"{OVERRIDES}ExtensionPoint": "Script Page Metadata Namespace CustomTab",
}


def test_manifest_is_as_microsoft_describes_it() -> None:
    """The order of elements, each resource defined once and used, no name over 32 characters, no namespace."""
    root = etree.fromstring(addin_files.manifest("https://example.org/bridge").encode())
    for element in root.iter():
        if element.tag in ORDER:
            wanted = ORDER[element.tag].split()
            found = [wanted.index(etree.QName(child).localname) for child in element]
            assert found == sorted(found), element.tag
    defined = [each.get("id") for each in root.iter(f"{BASIC}Image", f"{BASIC}Url", f"{BASIC}String") if each.get("id")]
    used = {each.get("resid") for each in root.iter() if each.get("resid")}
    assert len(defined) == len(set(defined)) and set(defined) == used
    assert max(len(name or "") for name in defined) <= 32
    assert root.find(f".//{OVERRIDES}Namespace") is None
    assert root.findtext(f"{OFFICE_APP}Permissions") == "ReadWriteDocument"
    shorts = [each.get("DefaultValue") for each in root.iterfind(f".//{BASIC}ShortStrings/*")]
    assert "Bridge" in shorts and {command.label for command in COMMANDS.values()} <= set(shorts)


def test_manifest_names_files_of_the_bundle() -> None:
    """Every address in it is that of a file; its actions are those that the pane connects."""
    text = addin_files.manifest("https://example.org/bridge/")
    files = {**addin_files.files(), **{f"addin/{path.name}": b"" for path in (addin_files.HERE / "addin").iterdir()}}
    addresses = set(re.findall(r'"https://example.org/bridge/([^"]+)"', text))
    assert addresses and addresses <= set(files)
    assert re.findall("<FunctionName>(.*?)</FunctionName>", text) == list(COMMANDS)


@pytest.mark.parametrize("address", ["http://example.org/", "example.org", "https://", "https://example.org/?a=b", ""])
def test_manifest_needs_a_secure_address(address: str) -> None:
    with pytest.raises(FileError, match=r"expected one such as https://example\.org/bridge/"):
        addin_files.manifest(address)


def test_files_are_the_same_each_time() -> None:
    assert addin_files.files() == addin_files.files()


def test_pictures_are_png_of_their_size() -> None:
    """Each has all pixels, some of them covered and some clear."""
    pictures = {name: data for name, data in addin_files.files().items() if name.endswith(".png")}
    assert len(pictures) == 4 * (len(COMMANDS) + 1)
    for name, data in pictures.items():
        size = int(name.removesuffix(".png").rpartition("-")[2])
        assert data.startswith(b"\x89PNG") and int.from_bytes(data[16:20]) == int.from_bytes(data[20:24]) == size
        length = int.from_bytes(data[33:37])
        lines = zlib.decompress(data[41 : 41 + length])
        alphas = {lines[row * (4 * size + 1) + 4 * (column + 1)] for row in range(size) for column in range(size)}
        assert {0, 255} <= alphas


def test_records_are_the_registry_s() -> None:
    """What JavaScript knows of functions and commands."""
    text = addin_files.records()
    functions = json.loads(re.search(r"FUNCTIONS = (.*);", text)[1])  # type: ignore[index]
    assert functions == [{"name": name, "parameters": len(each.arguments)} for name, each in REGISTRY.items()]
    assert list(json.loads(re.search(r"COMMANDS = (.*);", text)[1])) == list(COMMANDS)  # type: ignore[index]
