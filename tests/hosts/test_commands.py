"""The commands in every host: the same sheets, the same messages and the same cells, in Excel, Calc and plain lists."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from host_sheets import (
    HEADINGS,
    ROWS,
    Sheet,
    dated,
    designed,
    make,
    many_wrong,
    pairs,
    plain,
    points,
    rooms,
    table,
    table_apart,
    titled,
    travellers,
    with_totals,
    wrong,
)
from list_sheet import ListSheet
from tried import HOSTS, Tried, TriedExcel, TriedLists

from valet_xl.documents.cell_names import cell_name
from valet_xl.engine.options import OPTIONS, Options
from valet_xl.functions.catalogue import REGISTRY
from valet_xl.hosts import commands
from valet_xl.hosts.settings import NAMES, REMEMBERED, choose, settings
from valet_xl.sheets.score_file import score_file

SHEETS = (plain, titled, designed, dated, wrong, table, with_totals, table_apart, travellers, points)
CHOICES = (Options(), Options(method="matchpoints", cloud=True, lead="card", datum="trimmed"))
every_sheet = pytest.mark.parametrize("sheet", SHEETS, ids=lambda sheet: sheet.__name__)


@pytest.fixture(scope="module", params=HOSTS)
def host(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Tried]:
    """A host without a workbook."""
    with request.param(tmp_path_factory.mktemp("profile")) as tried:
        yield tried


# -- the same as the file route


@pytest.mark.parametrize("options", CHOICES, ids=["default", "matchpoints"])
@every_sheet
def test_open_sheet_gets_the_cells_of_the_file(host: Tried, tmp_path: Path, sheet: Sheet, options: Options) -> None:
    """Values, number formats, looks and tables are those that `valet-xl score` writes."""
    path = make(tmp_path / "results.xlsx", sheet)
    host.open(path)
    host.choose(options)
    message = host.do("score")
    assert ("cannot be read" in message) == (sheet is wrong)
    ours = host.looks(), host.tables()
    host.close()
    score_file(path, options=options)
    host.open(path)
    assert ours == (host.looks(), host.tables())


@every_sheet
def test_scoring_twice_changes_nothing(host: Tried, tmp_path: Path, sheet: Sheet) -> None:
    """The second time writes the same cells to the same place."""
    host.open(make(tmp_path / "results.xlsx", sheet))
    host.do("score")
    once = host.state()
    host.do("score")
    assert host.state() == once


@every_sheet
def test_other_method_takes_the_place_of_the_former(host: Tried, tmp_path: Path, sheet: Sheet) -> None:
    """Scored with more columns and again with fewer, the sheet is as if scored once."""
    host.open(make(tmp_path / "results.xlsx", sheet))
    host.do("score")
    once = host.cells(), host.tables()
    host.choose(CHOICES[1])
    host.do("score")
    assert host.cells() != once[0]
    host.choose(CHOICES[0])
    host.do("score")
    assert (host.cells(), host.tables()) == once


# -- Undo scoring


@every_sheet
def test_undo_gives_the_sheet_back(host: Tried, tmp_path: Path, sheet: Sheet) -> None:
    """Cells, looks, tables and widths are what they were."""
    host.open(make(tmp_path / "results.xlsx", sheet))
    before = host.state()
    host.do("score")
    assert host.looks() != before[0]
    assert host.do("undo") == ""
    assert host.state() == before
    assert host.do("undo") == "Nothing to undo: this sheet has no columns that scoring wrote."


def test_undo_takes_scores_whose_results_are_gone(host: Tried, tmp_path: Path) -> None:
    """The owner cleared the last results; their scores go too, and what is below them does not."""
    host.open(make(tmp_path / "results.xlsx", plain))
    host.do("score")
    host.clear("A6:E7")
    host.put("G9", [["mine"]])
    assert host.do("undo") == ""
    assert host.cells("F6:N7") == [[None] * 9] * 2
    assert host.cells("G9") == [["mine"]]


def test_what_is_typed_in_our_columns_is_kept(host: Tried, tmp_path: Path) -> None:
    """Under the last result, and as a remark; the remark is not taken out with the columns, what is below never is."""
    host.open(make(tmp_path / "results.xlsx", plain))
    host.do("score")
    host.put("G8:H8", [["thank you", 12.0]])
    host.put("N3", [["ruling pending"]])
    for options in (CHOICES[1], CHOICES[0]):
        host.choose(options)
        assert host.do("score") == ""
        assert host.cells("F8:N8") == [[None, "thank you", 12.0, *[None] * 6]]
        assert "ruling pending" in host.cells("F3:Z3")[0]
    (place,) = (at for at, cell in enumerate(host.cells("A3:Z3")[0]) if cell == "ruling pending")
    before = host.looks()
    assert host.do("undo").startswith(f"{cell_name(2, place)} contains something that scoring did not write")
    assert host.looks() == before
    host.clear(cell_name(2, place))
    assert host.do("undo") == ""
    assert host.cells("F1:Z8")[7] == [None, "thank you", 12.0, *[None] * 18]


@every_sheet
def test_what_is_right_of_ours_is_kept(host: Tried, tmp_path: Path, sheet: Sheet) -> None:
    """Neither another method nor undoing touches a remark; where a table has totals it may move."""
    host.open(make(tmp_path / "results.xlsx", sheet))
    host.do("score")
    host.put("Z5", [["mine"]])
    for options in (CHOICES[1], CHOICES[0]):
        host.choose(options)
        host.do("score")
    host.do("undo")
    assert "mine" in [cell for row in host.cells() for cell in row]


# -- sheets that cannot be scored


@pytest.mark.parametrize(
    ("spoil", "message"),
    [
        (lambda host: host.clear("B1"), "Heading row 1 has Board (A1)"),
        (lambda host: host.clear("A1:Z20"), "No heading row found"),
        (lambda host: host.protect(), "The sheet is protected"),
        (lambda host: host.merge("G2:G3"), "F1:N7 contains merged cells"),
    ],
    ids=["no contract", "empty", "protected", "merged"],
)
def test_sheet_that_cannot_be_scored_is_left_alone(
    host: Tried, tmp_path: Path, spoil: Callable[[Tried], object], message: str
) -> None:
    """One message says why; nothing is written, and the host is as it was."""
    host.open(make(tmp_path / "results.xlsx", plain))
    spoil(host)
    before = host.looks(), host.rest()
    answer = host.do("score")
    assert answer.startswith(message)
    assert "Traceback" not in answer
    assert (host.looks(), host.rest()) == before


@pytest.mark.parametrize(
    ("command", "area"), [("score", "H8:J9"), ("score", "I5:I8"), ("undo", "H8:J9"), ("undo", "J13:J15")]
)
def test_merged_cells_that_begin_elsewhere_are_refused(host: Tried, tmp_path: Path, command: str, area: str) -> None:
    """What is written under them is not seen, and Undo would empty what somebody merged with the scores."""
    host.open(make(tmp_path / "results.xlsx", lambda _book, sheet: _rows_from(sheet, 6, 3)))
    if command == "undo":
        host.do("score")
    host.merge(area)
    before = host.state()
    assert "contains merged cells (split them)" in host.do(command)
    assert host.state() == before


def _rows_from(sheet: Any, top: int, left: int) -> None:
    for at, row in enumerate([HEADINGS, *ROWS], top):
        sheet.write_row(at, left, row)


@pytest.mark.parametrize("command", ["score", "check", "rank", "undo"])
def test_sheet_without_results_gets_one_message(host: Tried, tmp_path: Path, command: str) -> None:
    """Every command that reads the sheet says what is expected, and leaves the sheet alone."""
    host.open(
        make(tmp_path / "results.xlsx", lambda _book, sheet: sheet.write_column(0, 0, ["a shopping list", "bread"]))
    )
    before = host.looks(), host.rest()
    assert host.do(command).startswith("No heading row found")
    assert (host.looks(), host.rest()) == before


def test_value_in_the_way_is_named(host: Tried, tmp_path: Path) -> None:
    """More columns than the last time find a cell that is not ours."""
    host.open(make(tmp_path / "results.xlsx", plain))
    host.do("score")
    host.put("O3", [["mine"]])
    host.choose(CHOICES[1])
    before = host.looks()
    assert host.do("score") == "O3 contains a value; F1:P7 must be free (clear or move it)"
    assert host.looks() == before


def test_formula_in_the_way_is_refused(host: Tried, tmp_path: Path) -> None:
    """A formula among the former columns is its owner's."""
    host.open(make(tmp_path / "results.xlsx", plain))
    host.do("score")
    host.formula("H4")
    assert "contains a formula" in host.do("score")


def test_protected_sheet_keeps_its_scores(host: Tried, tmp_path: Path) -> None:
    """Undo scoring refuses it as Score sheet does."""
    host.open(make(tmp_path / "results.xlsx", plain))
    host.do("score")
    host.protect()
    before = host.looks()
    assert host.do("undo").startswith("The sheet is protected")
    assert host.looks() == before


# -- what the user sees


def test_selection_stays_unless_a_row_is_wrong(host: Tried, tmp_path: Path) -> None:
    """The user is shown the first row that cannot be read; the message lists all."""
    host.open(make(tmp_path / "results.xlsx", plain))
    host.select("B3:C4")
    assert host.do("score") == ""
    assert host.selected() == "B3:C4"
    host.open(make(tmp_path / "wrong.xlsx", wrong))
    messages = []
    for command in ("check", "score"):
        host.select("A1")
        messages.append(host.do(command).split("\n"))
        assert host.selected() == "A8:E8"
    assert [lines[0] for lines in messages] == [
        "3 rows cannot be read.",
        "6 of 10 results on 5 boards scored. These rows cannot be read:",
    ]
    assert messages[0][1:] == messages[1][1:]
    assert messages[0][1] == "row 8, Contract: '9H' (level must be 1-7)"
    assert len(messages[0]) == 4


def test_check_writes_nothing(host: Tried, tmp_path: Path) -> None:
    host.open(make(tmp_path / "results.xlsx", wrong))
    before = host.looks()
    assert host.do("check").startswith("3 rows cannot be read.")
    assert host.looks() == before


def test_check_of_a_good_sheet(host: Tried, tmp_path: Path) -> None:
    host.open(make(tmp_path / "results.xlsx", plain))
    assert host.do("check") == "6 results on 2 boards, nothing wrong."


def test_a_row_with_several_results_has_no_place_for_scores(host: Tried, tmp_path: Path) -> None:
    """It is said what can be done, and the other commands read the sheet."""
    host.open(make(tmp_path / "results.xlsx", rooms))
    before = host.state()
    assert host.do("score").startswith(
        "A row of this sheet has several results (rooms side by side), so scores have no"
    )
    assert "row 4 (cell B3), Contract: '9H' (level must be 1-7)" in host.do("check")
    assert host.do("undo").startswith("Nothing to undo")
    assert host.state() == before


def test_messages_are_short(host: Tried, tmp_path: Path) -> None:
    """Of a thousand bad rows a message box shows some, and how many more there are."""
    host.open(make(tmp_path / "results.xlsx", many_wrong))
    message = host.do("check")
    assert message.startswith("1,000 rows cannot be read.\nrow 2, ")
    assert len(message) < 1000
    assert message.endswith("more")


def test_rank_pairs_on_a_sheet_of_its_own(host: Tried, tmp_path: Path) -> None:
    """It has the engine's ranking, names as texts, without the board of a wrong row; a second one is another sheet."""
    host.open(make(tmp_path / "results.xlsx", pairs))
    before = host.cells(sheet="Results")
    message = "Ranked without the boards on which a row cannot be read:\nrow 6, Contract: '9H' (level must be 1-7)"
    for name in ("Ranking", "Ranking 2"):
        host.show("Results")
        assert host.do("rank") == message
        assert host.shown() == name
        title, size, order = (row[0] for row in host.cells("A1:A3", name))
        assert title == "Ranking of the pairs"
        assert size == "4 pairs, 2 boards, 4 results. Averages in IMPs, method iaf."
        assert order == "In the order of Overall. SE: standard error; Low and High: 95 % interval."
        assert host.cells("A11:A12", name)[-1][0].startswith("Rank: the place")
        rows = host.cells("A5:E9", name)
        assert rows[0] == ["Group", "Rank", "Pair", "Boards", "Overall"]
        assert host.cells("F5:H5", name) == [["Overall SE", "Overall Low", "Overall High"]]
        assert rows[1:] == [
            ["N-S", 1, "3", 2, 1],
            ["N-S", 2, "1", 2, -1],
            ["E-W", 1, "2", 2, 1],
            ["E-W", 2, "=4", 2, -1],
        ]
    assert host.cells(sheet="Results") == before
    assert host.sheets() == ["Results", "Ranking", "Ranking 2"]


def test_rank_pairs_without_pairs(host: Tried, tmp_path: Path) -> None:
    """Results that name nobody are not ranked, and no sheet is added."""
    host.open(make(tmp_path / "results.xlsx", plain))
    before = host.rest()
    assert host.do("rank").startswith("No pairs are named")
    assert (host.sheets(), host.rest()) == (["Results"], before)


def test_function_list_is_a_sheet(host: Tried, tmp_path: Path) -> None:
    """It lists every function, the examples as texts; the next time it is shown and not written again."""
    host.open(make(tmp_path / "results.xlsx", plain))
    for _ in range(2):
        assert host.do("functions") == ""
        assert host.shown() == "Bridge functions"
        rows = host.cells(f"A1:E{len(REGISTRY) + 2}", "Bridge functions")
        assert [row[0] for row in rows] == ["Function", *(function.usage for function in REGISTRY.values()), None]
        assert [row[4] for row in rows[1:-1]] == [function.example for function in REGISTRY.values()]
        host.show("Results")
    assert host.sheets() == ["Results", "Bridge functions"]


def test_about_lists_the_versions(host: Tried, tmp_path: Path) -> None:
    host.open(make(tmp_path / "results.xlsx", plain))
    first, second, third, *_ = host.do("about").splitlines()
    assert first.startswith("valet_xl 0") or isinstance(host, TriedLists)
    assert first.endswith(f"{len(REGISTRY)} worksheet functions")
    assert second.startswith("Python 3.") and "numpy" in second
    assert third.startswith(("Add-in", "LibreOffice 2", "Lists 1"))


# -- options


def test_document_remembers_what_was_chosen(host: Tried, tmp_path: Path) -> None:
    """The defaults at first, then each word of each option; another document does not remember it."""
    host.open(make(tmp_path / "results.xlsx", plain))
    before = host.rest()
    assert host.choices() == CHOICES[0]
    host.choose(CHOICES[1])
    assert host.choices() == CHOICES[1]
    for name in REMEMBERED:
        for word in OPTIONS[name].words:
            assert host.do(f"{name}.{word}") == ""
            assert host.chosen(f"{name}.{word}") is True
    assert host.rest() == before
    assert host.chosen("score") is None
    host.open(make(tmp_path / "another.xlsx", plain))
    assert host.choices() == CHOICES[0]


@pytest.mark.parametrize("text", ['"butler"', "17", "$Results.$A$1", '"IAF"'])
def test_unknown_settings_are_the_defaults(host: Tried, tmp_path: Path, text: str) -> None:
    """A document may have names of ours with anything in them."""
    host.open(make(tmp_path / "results.xlsx", plain))
    for name in REMEMBERED:
        host.keep(f"{NAMES}{name}", "Results!$A$1" if "$" in text and isinstance(host, TriedExcel) else text)
    assert host.choices() == CHOICES[0]


@pytest.mark.parametrize(
    ("address", "message"),
    [
        ("method.butler", "Method must be one of iaf, datum, matchpoints, got 'butler'"),
        ("method", "Method must be one of iaf, datum, matchpoints, got ''"),
        ("cloud.yes", "Cloud must be one of TRUE, FALSE, got 'yes'"),
        ("bake", f"Command must be one of {', '.join(commands.COMMANDS)}, got 'bake'"),
        ("divisor.n", f"Command must be one of {', '.join(commands.COMMANDS)}, got 'divisor.n'"),
    ],
)
def test_what_is_no_command_and_no_option_is_refused(host: Tried, tmp_path: Path, address: str, message: str) -> None:
    host.open(make(tmp_path / "results.xlsx", plain))
    assert host.do(address) == message
    assert host.choices() == CHOICES[0]


# -- faults


def test_fault_of_ours_is_logged_and_the_message_names_the_file(tmp_path: Path, fault_log: Path) -> None:
    """What was shown of the progress goes."""
    sheet = ListSheet(make(tmp_path / "results.xlsx", plain))
    sheet.failing = KeyError("bees")
    message = commands.run("score", sheet)
    assert "KeyError: 'bees'" in message and str(fault_log) in message and "Traceback" not in message
    assert "Score sheet" in fault_log.read_text(encoding="utf-8")
    assert sheet.status == ""


def test_error_of_the_host_is_given_in_its_words(tmp_path: Path, fault_log: Path) -> None:
    """And is logged too."""
    sheet = ListSheet(make(tmp_path / "results.xlsx", plain))
    sheet.failing = OSError("the paper is full")
    message = f"The list could not do that: the paper is full (details are in {fault_log})"
    assert commands.run("score", sheet) == message
    assert "OSError: the paper is full" in fault_log.read_text(encoding="utf-8")


def test_host_that_goes_away_is_no_silence(tmp_path: Path, fault_log: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """An error after the command is logged; the message of the command itself comes first."""

    def fail(_sheet: ListSheet, _failed: bool) -> None:
        raise ConnectionError("gone")

    monkeypatch.setattr(ListSheet, "end_progress", fail)
    sheet = ListSheet(make(tmp_path / "results.xlsx", plain))
    assert commands.run("score", sheet).startswith("The list could not do that: gone")
    assert commands.run("check", sheet) == "6 results on 2 boards, nothing wrong."


@pytest.mark.parametrize("text", ['="TRUE"', "=TRUE", "TRUE", "TRUE()", "1", '"TRUE"'])
def test_switch_that_another_host_wrote_is_on(tmp_path: Path, text: str) -> None:
    """Each program writes what it read in its own way."""
    sheet = ListSheet(make(tmp_path / "results.xlsx", plain))
    sheet.kept[f"{NAMES}cloud"] = text
    assert settings(sheet).cloud
    choose(sheet, "cloud")
    assert not settings(sheet).cloud


def test_every_command_is_explained() -> None:
    """Labels differ, and a sentence fits a tooltip."""
    labels = [command.label for command in commands.COMMANDS.values()]
    assert len(set(labels)) == len(labels)
    for name, command in commands.COMMANDS.items():
        assert name == command.name and name.isalpha() and "." not in name
        assert command.sentence.endswith(".") and len(command.sentence) in range(20, 256)
        assert command.group in {commands.SCORING, commands.HELP}
