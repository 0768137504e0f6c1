"""The command `valet-xl score`: what it writes, what it says, and how it ends."""

from __future__ import annotations

import csv
import io
import os
import subprocess
import sys
import threading
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
import xlsxwriter
from click.testing import CliRunner, Result
from hypothesis import HealthCheck, given, settings
from strategies import examples
from test_score_sheet import any_options, grids

from valet_xl import read_results
from valet_xl.cli import terminal
from valet_xl.cli.main import app
from valet_xl.documents.disk import replace_file
from valet_xl.documents.xlsx import Workbook
from valet_xl.engine.options import Options
from valet_xl.engine.score_results import layout
from valet_xl.errors import SheetError
from valet_xl.sheets.score_file import SCORE_STEPS, score_file

HEADINGS = ("Board", "Contract", "By", "Lead", "Tricks", "NS", "EW")
GOOD = (
    (1, "3NT", "N", "SQ", 9, 1, 11),
    (1, "3NT", "N", "H4", 8, 2, 12),
    (1, "2S", "W", "D3", 8, "=cmd|' /C calc'!A0", 13),
)
BAD = ((2, "8H", "S", "", 10, 1, 12), (2, "4H", "S", "C2", 10, 2, 11))
SCORES = "1|1|a|b|c|d|3N|N|9|SQ\n1|1|e|f|g|h|3NT|N|8|H4\n# a comment\n\n1|1|i|j|k|l|P|S|0\n"


def run(*arguments: str | Path) -> Result:
    return CliRunner().invoke(app, ["score", *map(str, arguments)])


def write(path: Path, rows: Sequence[Sequence[object]], sheet: str = "Results") -> Path:
    with xlsxwriter.Workbook(path, {"strings_to_formulas": False}) as book:
        page = book.add_worksheet(sheet)
        for at, row in enumerate(rows):
            page.write_row(at, 0, row)
    return path


def cells(path: Path, sheet: str = "Results") -> list[list[object]]:
    return Workbook.open(path).read(sheet).cells


def table(data: bytes, delimiter: str = ",") -> list[list[str]]:
    return list(csv.reader(io.StringIO(data.decode("utf-8-sig"), newline=""), delimiter=delimiter))


@pytest.fixture
def night(tmp_path: Path) -> Path:
    """A workbook all of which can be scored."""
    return write(tmp_path / "night.xlsx", (("Club night",), (), HEADINGS, *GOOD))


def test_workbook_is_scored_in_place(night: Path) -> None:
    """New columns are right of the table, the cells that were there stay, and the status is 0."""
    before = cells(night)
    result = run(night)
    assert result.exit_code == 0, result.output
    after = cells(night)
    assert [row[:7] for row in after] == [(row + [None] * 7)[:7] for row in before]
    assert after[2][7:] == list(layout("iaf", cloud=False))
    assert [row[7] for row in after[3:]] == [400, -50, -110]
    assert [row[10] for row in after[3:]] == [(10 + 11) / 2, (-10 + 2) / 2, (-11 - 2) / 2]
    assert "scored 3 of 3 results on 1 board" in result.output
    assert "sheet Results, H3 to P3 and below" in result.output


def test_second_run_gives_the_same_bytes(night: Path) -> None:
    """Also after another method with another number of columns in between."""
    run(night)
    first = night.read_bytes()
    assert run(night).exit_code == 0
    assert night.read_bytes() == first
    assert run(night, "--cloud", "--method", "matchpoints").exit_code == 0
    assert cells(night)[2][7:] == list(layout("matchpoints", cloud=True))
    assert run(night).exit_code == 0
    assert cells(night)[2][7:16] == list(layout("iaf", cloud=False))


def test_output_leaves_the_input_alone(night: Path, tmp_path: Path) -> None:
    before = night.read_bytes()
    assert run(night, "--output", tmp_path / "scored.xlsx").exit_code == 0
    assert night.read_bytes() == before
    assert "IAF" in cells(tmp_path / "scored.xlsx")[2]


def test_boards_with_bad_rows_are_not_scored(tmp_path: Path) -> None:
    """Status 1; the row says what is wrong, the board's other rows where to look, the other board is scored."""
    path = write(tmp_path / "night.xlsx", (HEADINGS, *GOOD, *BAD))
    result = run(path)
    assert result.exit_code == 1
    assert "not scored: board 2, a row that cannot be read" in result.output
    assert "row 5, Contract: '8H' (level must be 1-7)" in result.output
    after = cells(path)
    assert after[4][-1] == "Contract: '8H' (level must be 1-7)"
    assert after[5][-1] == "board not scored, see row 5"
    assert after[5][7] == 620 and after[5][8] is None
    assert after[1][10] == (10 + 11) / 2


def test_board_with_a_single_result(tmp_path: Path) -> None:
    """It has its contract score and a note, and the status is 1."""
    path = write(tmp_path / "night.xlsx", (HEADINGS, *GOOD, BAD[1]))
    result = run(path)
    assert result.exit_code == 1
    assert "not scored: board 2, nothing to compare with" in result.output
    last = cells(path)[4]
    assert last[7] == 620 and last[8:15] == [None] * 7 and last[15] == "no comparison, one result"


def test_csv_keeps_its_columns_and_delimiter(tmp_path: Path) -> None:
    """The input's cells come first as they were, then the new ones with six decimals."""
    path = tmp_path / "night.csv"
    rows = [("Club night",), HEADINGS, *GOOD]
    path.write_text("\n".join(";".join(map(str, row)) for row in rows), encoding="cp1252")
    assert run(path).exit_code == 0
    scored = table((tmp_path / "night-scored.csv").read_bytes(), ";")
    assert scored[0] == ["Club night"]
    assert scored[1] == [*HEADINGS, *layout("iaf", cloud=False)]
    assert scored[2] == [*map(str, GOOD[0]), "400", "80.000000", "8.000000", "10.500000", *scored[2][11:]]
    assert run(tmp_path / "night-scored.csv", "-o", tmp_path / "again.csv").exit_code == 0
    assert (tmp_path / "again.csv").read_bytes() == (tmp_path / "night-scored.csv").read_bytes()


def test_valet_text_with_names(tmp_path: Path) -> None:
    """Tags stay in their columns, names come after them, and none is a formula to a spreadsheet."""
    (tmp_path / "scores.txt").write_text(SCORES)
    (tmp_path / "names.txt").write_text("a|=HYPERLINK(1)\nb|Zoë\n")
    assert run(tmp_path / "scores.txt").exit_code == 0
    scored = table((tmp_path / "scores-scored.csv").read_bytes())
    assert scored[0][:14] == [
        *("Round", "Board", "N", "E", "S", "W", "Contract", "Declarer", "Tricks", "Lead"),
        *("North", "East", "South", "West"),
    ]
    assert scored[1][10:14] == ["'=HYPERLINK(1)", "Zoë", "", ""]
    assert [row[14] for row in scored[1:]] == ["400", "-50", "0"]


def test_valet_text_reads_as_results(tmp_path: Path) -> None:
    (tmp_path / "scores.txt").write_text(SCORES)
    (tmp_path / "names.txt").write_text("a|Anna\nc|Carl\n")
    results = read_results(tmp_path / "scores.txt")
    assert results.score.tolist() == [400, -50, 0]
    assert [results.names[at] for at in results.players[0]] == ["Anna", "b", "Carl", "d"]
    assert results.names[results.sides[0, 0]] == "Anna - Carl"


def test_sheet_with_results_is_found(tmp_path: Path) -> None:
    """The only sheet with a heading row is taken; of several one must be named."""
    path = tmp_path / "book.xlsx"
    with xlsxwriter.Workbook(path) as book:
        book.add_worksheet("Cover").write(0, 0, "Welcome")
        for name in ("One", "Two"):
            page = book.add_worksheet(name)
            for at, row in enumerate((HEADINGS, *GOOD[:2])):
                page.write_row(at, 0, row)
    result = run(path)
    assert result.exit_code == 2
    assert "several sheets contain results: One, Two" in result.output
    assert run(path, "--sheet", "Two").exit_code == 0
    assert "IAF" in cells(path, "Two")[0] and "IAF" not in cells(path, "One")[0]
    result = run(path, "--sheet", "Three")
    assert result.exit_code == 2 and "Three" in result.output


def test_table_with_a_neighbour_is_scored_beside_it(tmp_path: Path) -> None:
    """The table cannot grow into what is there; the columns go right of it, and there again."""
    path = tmp_path / "night.xlsx"
    with xlsxwriter.Workbook(path) as book:
        page = book.add_worksheet("Results")
        page.add_table(0, 0, 3, 6, {"columns": [{"header": name} for name in HEADINGS], "data": GOOD})
        page.write(1, 8, "a remark")
    assert run(path).exit_code == 0
    once = path.read_bytes()
    assert cells(path)[0][9:] == list(layout("iaf", cloud=False))
    assert run(path).exit_code == 0
    assert path.read_bytes() == once


@settings(max_examples=examples(0.5), suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(grids(), any_options)
def test_any_sheet_goes_through_the_whole_path(
    tmp_path: Path, grid: list[list[object]], chosen: dict[str, Any]
) -> None:
    """A file of it is scored, twice to the same bytes with its cells as they were, or refused and left alone."""
    path = tmp_path / "any.xlsx"
    with xlsxwriter.Workbook(path, {"nan_inf_to_errors": True, "default_date_format": "d/m/yy"}) as book:
        page = book.add_worksheet("Results")
        for at, row in enumerate(grid):
            for column, cell in enumerate(row):
                page.write_string(at, column, cell) if isinstance(cell, str) else page.write(at, column, cell)
    before, whole = cells(path), path.read_bytes()
    try:
        outcome = score_file(path, options=Options(**chosen))
    except SheetError as refused:
        assert len(str(refused).splitlines()) == 1
        assert path.read_bytes() == whole
        return
    assert [row[: len(before[0])] for row in cells(path)[: len(before)]] == before
    once = path.read_bytes()
    again = score_file(path, options=Options(**chosen)).summary
    assert list(map(str, again.errors)) == list(map(str, outcome.summary.errors))
    assert path.read_bytes() == once


def unusable(folder: Path) -> list[tuple[Path, str]]:
    """Files that cannot be used, and a word of what is said about each."""
    (folder / "empty.csv").write_text("")
    (folder / "letter.txt").write_text("Dear all,\nsee you")
    (folder / "open.csv").write_text('Board,Contract\n1,"3NT')
    (folder / "binary.csv").write_text("a\0b")
    (folder / "noise.xlsx").write_bytes(b"not a zip")
    (folder / "old.xlsx").write_bytes(b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(600))
    (folder / "folder.xlsx").mkdir()
    write(folder / "headless.xlsx", (("Board", "Pair", "By"), (1, 2, "N")))
    write(folder / "blank.xlsx", ())
    write(folder / "undeclared.xlsx", (("Board", "Contract", "Tricks"), (1, "3NT", 9)))
    write(folder / "two.xlsx", (HEADINGS, GOOD[0], ("Contract", "Board", "By", "Tricks"), ("3NT", 1, "S", 9)))
    words = {
        "empty.csv": "is empty",
        "letter.txt": "no heading row",
        "open.csv": "not a CSV file",
        "binary.csv": "not a text file",
        "noise.xlsx": "is not a workbook",
        "old.xlsx": "password",
        "folder.xlsx": "is a folder",
        "headless.xlsx": "Board (A1), By (C1), but no Contract",
        "blank.xlsx": "no heading row",
        "undeclared.xlsx": "no By",
        "two.xlsx": "two heading rows with different columns, rows 1 and 3",
        "missing.xlsx": "no such file",
        "missing.csv": "no such file",
    }
    return [(folder / name, word) for name, word in words.items()]


def test_unusable_files_get_one_line_and_stay(tmp_path: Path) -> None:
    """Status 2, one line on stderr that names the file and what was expected, and nothing is written."""
    for path, word in unusable(tmp_path):
        before = {file: file.read_bytes() for file in tmp_path.iterdir() if file.is_file()}
        result = run(path)
        assert result.exit_code == 2, path
        assert result.stdout == ""
        (line,) = result.stderr.splitlines()
        assert line.startswith("valet-xl: ") and word in line and path.name in line
        assert {file: file.read_bytes() for file in tmp_path.iterdir() if file.is_file()} == before


def test_wrong_option_is_named_before_the_file_is_read(tmp_path: Path) -> None:
    result = run(tmp_path / "none.csv", "--datum", "average")
    assert result.exit_code == 2
    assert "datum must be one of mean, trimmed, median, par, zero-sum, got 'average'" in result.stderr


def test_file_that_is_open_elsewhere_stays(night: Path) -> None:
    night.with_name(f"~${night.name}").write_text("me")
    before = night.read_bytes()
    result = run(night)
    assert result.exit_code == 2 and "open in another program" in result.stderr
    assert night.read_bytes() == before


def test_copy_keeps_the_kind_of_workbook(night: Path, tmp_path: Path) -> None:
    result = run(night, "--output", tmp_path / "scored.xlsm")
    assert result.exit_code == 2 and "must end in .xlsx" in result.stderr


def test_full_disk_leaves_the_old_file(night: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The error of a write that does not fit is one line."""

    def full(descriptor: int) -> None:
        raise OSError(28, os.strerror(28))

    monkeypatch.setattr(os, "fsync", full)
    before = night.read_bytes()
    result = run(night)
    assert result.exit_code == 2 and "the disk is full" in result.stderr
    assert night.read_bytes() == before and list(night.parent.iterdir()) == [night]


def test_data_is_written_whole_or_not_at_all(tmp_path: Path) -> None:
    replace_file(tmp_path / "new", b"1")
    replace_file(tmp_path / "new", b"22")
    assert (tmp_path / "new").read_bytes() == b"22"
    assert [path.name for path in tmp_path.iterdir()] == ["new"]


def on_a_terminal(monkeypatch: pytest.MonkeyPatch, wait: float) -> str:
    """What stderr, a terminal, is sent where the bar may appear after so many seconds and the work takes 0.3."""
    out = io.StringIO()
    monkeypatch.setattr(out, "isatty", lambda: True)
    monkeypatch.setattr("sys.stderr", out)
    monkeypatch.setattr(terminal, "BAR_AFTER", wait)
    monkeypatch.setenv("TERM", "xterm")
    with terminal.progress(SCORE_STEPS) as step:
        step("reading")
        step("writing")
        threading.Event().wait(0.3)
    return out.getvalue()


def test_a_bar_appears_where_it_takes_long(monkeypatch: pytest.MonkeyPatch) -> None:
    """On a terminal, with the step's name; quick work shows none."""
    assert "writing" in on_a_terminal(monkeypatch, wait=0)
    assert on_a_terminal(monkeypatch, wait=60) == ""


def test_piped_output_has_no_control_characters(night: Path) -> None:
    piped = subprocess.run([sys.executable, "-m", "valet_xl", "score", night], capture_output=True, check=True)
    assert b"\x1b" not in piped.stdout + piped.stderr and not piped.stderr


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no /dev/full: no output that is full")
@pytest.mark.parametrize(("command", "status"), [(["score"], 0), (["convert"], 0), (["board", "1"], 2)])
def test_output_that_cannot_be_written_is_one_line(night: Path, command: list[str], status: int) -> None:
    """A file that was written has been written: 2 is for nothing done, as for a tableau that nobody sees."""
    with Path("/dev/full").open("w") as full:
        done = subprocess.run(
            [sys.executable, "-m", "valet_xl", command[0], night, *command[1:]],
            stdout=full,
            stderr=subprocess.PIPE,
            text=True,
            check=False,
        )
    assert done.stderr == "valet-xl: standard output: not written, no space left on device\n"
    assert done.returncode == status


@pytest.mark.parametrize(("own", "threads"), [(None, "1"), ("3", "3")])
def test_numpy_multiplies_on_one_thread_unless_told_otherwise(own: str | None, threads: str) -> None:
    """It asks when it is loaded, so that must not be before."""
    code = (
        "import os, sys, valet_xl.cli.main as main\n"
        "assert 'numpy' not in sys.modules\n"
        "main.app = lambda **_: print(os.environ['OPENBLAS_NUM_THREADS'], os.environ['MKL_NUM_THREADS'])\n"
        "main.main()"
    )
    environment = {key: value for key, value in os.environ.items() if not key.endswith("_NUM_THREADS")}
    environment |= {} if own is None else {"OPENBLAS_NUM_THREADS": own}
    done = subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=True)
    assert done.stdout.split() == [threads, "1"]


def test_import_loads_numpy_alone() -> None:
    """The package can be carried by hosts that have nothing but numpy."""
    heavy = ["lxml", "python_calamine", "xlsxwriter", "typer", "rich", "xlwings"]
    code = f"import sys, valet_xl; print([name for name in {heavy} if name in sys.modules])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
