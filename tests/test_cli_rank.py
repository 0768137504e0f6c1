"""The commands `valet-xl rank`, `board`, `convert` and `simulate`: what they show and write, and how they end."""

from __future__ import annotations

import csv
import io
import os
import re
import shutil
from pathlib import Path

import numpy as np
import pytest
import simulate as simulated
from click.testing import CliRunner, Result
from rich.cells import cell_len
from test_cli import unusable, write

from valet_xl import read_results
from valet_xl.cli import terminal
from valet_xl.cli.main import app
from valet_xl.documents.xlsx import Workbook
from valet_xl.rankings.ranking import rank
from valet_xl.rankings.totals import half_the_median, totals
from valet_xl.reports.report import report
from valet_xl.sheets.rank_files import RANK_STEPS, rank_files

HEADINGS = ("Board", "Contract", "By", "Lead", "Tricks", "NS pair", "EW pair")
GOOD = ((1, "3NT", "N", "SQ", 9, 1, 11), (1, "3NT", "N", "H4", 8, 2, 12), (1, "2S", "W", "D3", 8, 3, 13))
BAD = ((2, "8H", "S", "", 10, 1, 12), (2, "4H", "S", "C2", 10, 2, 11))
NAMES = ("Zoë Ångström", "王小明", "=cmd|' /C calc'!A0", "O'Neill [red]", "Fjodor Dostojewski-Karamasow", "\x1b[2Jx")


def run(*arguments: object, width: int | None = None) -> Result:
    environment = {"COLUMNS": str(width)} if width else {}
    return CliRunner(env=environment).invoke(app, list(map(str, arguments)))


def table(text: str) -> list[list[str]]:
    return list(csv.reader(io.StringIO(text.removeprefix("\ufeff"))))


@pytest.fixture
def night(tmp_path: Path) -> Path:
    """A Valet tournament of 8 pairs on 12 boards, with names that are hard to show."""
    text = simulated.valet_text(simulated.tournament(12, 4, seed=3), turned=True)
    (tmp_path / "scores.txt").write_text(text, encoding="utf-8")
    called = [NAMES[at] if at < len(NAMES) else f"Player {at}" for at in range(16)]
    lines = [f"{at}|{name}" for at, name in enumerate(called)]
    (tmp_path / "names.txt").write_text("\n".join(lines), encoding="utf-8")
    return tmp_path / "scores.txt"


@pytest.mark.parametrize("width", [*range(80, 201, 24), 600])
def test_table_fits_the_terminal(night, width):
    """No line is wider, every name is whole though it may be on two lines, and what has no room is said."""
    result = run("rank", night, width=width)
    assert result.exit_code == 0, result.output
    assert max(map(cell_len, result.stdout.splitlines())) <= width
    said = "".join(line for line in result.stdout if not line.isspace())
    for name in ("Dostojewski", "ZoëÅngström", "王小明", "[red]"):
        assert name in said
    assert "\x1b" not in result.stdout
    assert ("no room for:" in result.stderr) == (width < 600)


def test_table_shows_the_ranking(night):
    """The same figures as the engine's, to two decimals, the best first."""
    result = run("rank", night, "--minimum", 5, "--order", "bid - play", width=300)
    ranking = rank(totals(read_results(night), minimum=5), order="bid - play")
    lines = result.stdout.splitlines()
    assert len(lines) == 2 + len(ranking.table)
    for line, place, overall in zip(lines[2:], ranking.places, ranking.table["overall"].average, strict=True):
        assert line.split()[0] == str(place)
        assert f" {overall:.2f} " in line


def test_csv_has_every_column(night, tmp_path):
    """On standard output or in a file; the summary is on stderr, so that the output is the table alone."""
    result = run("rank", night, "--format", "csv")
    assert result.exit_code == 0
    rows = table(result.stdout)
    listing = rank(totals(read_results(night))).listing
    assert rows[0] == listing.names
    assert len(rows) == 1 + len(listing)
    assert any(row[1].startswith("'=cmd") or row[1].endswith("=cmd|' /C calc'!A0") for row in rows)
    assert "scored 48 of 48 results on 12 boards" in result.stderr
    assert run("rank", night, "-o", tmp_path / "table.csv").exit_code == 0
    assert table((tmp_path / "table.csv").read_text(encoding="utf-8-sig")) == rows


def test_players_and_options_of_scoring(night):
    rows = table(run("rank", night, "--players", "--method", "datum", "--datum", "median", "--format", "csv").stdout)
    assert rows[0][1] == "Player" and len(rows) == 17
    ranked = [row for row in rows[1:] if row[0]]
    figures = [float(row[rows[0].index("Declarer")]) for row in ranked]
    assert figures == sorted(figures, reverse=True) and rows[1 : 1 + len(ranked)] == ranked


def test_few_chances_of_the_ranked_column_are_few(night):
    """Who has declared less than half as often as the median player is listed after the others, without a place."""
    rows = table(run("rank", night, "--players", "--format", "csv").stdout)
    columns = dict(zip(rows[0], zip(*rows[1:], strict=True), strict=True))
    assert rows[0].index("Declared") == rows[0].index("Declarer High") + 1
    declared = [int(count) for count in columns["Declared"]]
    least = half_the_median(np.array(declared))
    few = [count < least for count in declared]
    assert any(few) and few == sorted(few)
    assert [place == "" for place in columns["Rank"]] == few
    assert [note == f"declared under {least}" for note in columns["Note"]] == few
    everybody = table(run("rank", night, "--players", "--minimum", "0", "--format", "csv").stdout)
    assert all(row[0] or not row[rows[0].index("Declarer")] for row in everybody)


@pytest.mark.parametrize("width", [80, 100, 130])
def test_every_average_shown_has_its_error(night, width):
    """Where there is no room for both there is none for the average."""
    heading = run("rank", night, "--players", width=width).stdout.splitlines()[0].split()
    averages = [name for name in heading if name in ("Overall", "Bid", "Play", "Declarer", "Lead", "Defence")]
    assert averages[0] == "Declarer"
    assert [heading[heading.index(name) + 1] for name in averages] == ["SE"] * len(averages)


def test_clouds_show_luck(night):
    assert "Luck" in table(run("rank", night, "--cloud", "--format", "csv").stdout)[0]
    assert "Luck" not in table(run("rank", night, "--format", "csv").stdout)[0]


def test_strengths_are_added_and_ordered_by(night):
    rows = table(run("rank", night, "--strengths", "--order", "strength", "--format", "csv").stdout)
    strengths = [float(row[rows[0].index("Strength")]) for row in rows[1:]]
    assert strengths == sorted(strengths, reverse=True)


def test_a_report_has_the_name_of_its_event(night, tmp_path):
    """Not that of the report's file: what the file of results says, else what it is called; or what the user says."""
    told = tmp_path / "x.pbn"
    told.write_text(
        '[Event "Club night"]\n[Board "1"]\n[ScoreTable "PairId_NS;PairId_EW;Contract;Declarer;Result"]\n'
        "1 2 4S N 10\n3 4 4S N 9\n",
        "utf-8",
    )
    out = tmp_path / "report.xlsx"
    for files, more, title in (
        ([night], [], night.stem),
        ([told], [], "Club night, N-S"),
        ([night, told], [], f"{night.stem}, Club night"),
        ([night], ["--title", "Mine"], "Mine"),
    ):
        assert run("rank", *files, *more, "--output", out).exit_code in (0, 1)
        book = Workbook.open(out)
        first = str(book.read(book.sheet_names[0]).cells[0][0])
        assert first.startswith(title)


def test_report_is_written_whole_or_not_at_all(night, tmp_path, monkeypatch):
    """An existing file is replaced; where it cannot be, the old one stays."""
    output = tmp_path / "report.xlsx"
    output.write_text("old")
    assert run("rank", night, "--output", output).exit_code == 0
    assert Workbook.open(output).sheet_names[0] == "Ranking"
    before = output.read_bytes()
    assert run("rank", night, "--output", output).exit_code == 0
    assert output.read_bytes() == before

    def full(descriptor: int) -> None:
        raise OSError(28, os.strerror(28))

    monkeypatch.setattr(os, "fsync", full)
    result = run("rank", night, "--output", output, "--cloud")
    assert result.exit_code == 2 and "the disk is full" in result.stderr
    assert output.read_bytes() == before


def test_input_is_never_written_to(night, tmp_path):
    book = write(tmp_path / "night.xlsx", (HEADINGS, *GOOD))
    before = book.read_bytes()
    result = run("rank", book, "--output", book)
    assert result.exit_code == 2 and "is a file of results" in result.stderr
    assert book.read_bytes() == before


def test_several_files_make_one_ranking(night, tmp_path):
    """Boards of another file are other deals, unless all are of one event; the same players are the same pairs."""
    (tmp_path / "second").mkdir()
    again = tmp_path / "second" / "scores.txt"
    *lines, last = night.read_text("utf-8").splitlines()
    again.write_text("\n".join([last, *lines]), "utf-8")  # in another order, so that it is no copy
    shutil.copy(tmp_path / "names.txt", tmp_path / "second")
    one, two = (table(run("rank", *files, "--format", "csv").stdout) for files in ([night], [night, again]))
    at = one[0].index("Boards")
    assert [set(row[1].split(" - ")) for row in two] == [set(row[1].split(" - ")) for row in one]
    assert [int(row[at]) for row in two[1:]] == [2 * int(row[at]) for row in one[1:]]
    result = run("rank", night, again, "--format", "csv")
    assert "second/scores.txt: read as" in result.stderr and "on 24 boards" in result.stderr
    assert "on 12 boards" in run("rank", night, again, "--one-event", "--format", "csv").stderr


def test_file_named_twice(night):
    result = run("rank", night, night.parent / "." / night.name)
    assert result.exit_code == 2 and "is named twice" in result.stderr


def test_problems_end_with_1(tmp_path):
    """What is wrong is said, and of which file; the boards that are right are ranked."""
    good = write(tmp_path / "good.xlsx", (HEADINGS, *GOOD))
    bad = write(tmp_path / "bad.xlsx", (HEADINGS, *GOOD, *BAD))
    result = run("rank", good, bad)
    assert result.exit_code == 1
    assert "not scored: board 2 of round bad.xlsx, a row that cannot be read" in result.stderr
    assert "row 5, Contract of bad.xlsx: '8H'" in result.stderr
    rows = table(run("rank", good, bad, "--format", "csv").stdout)
    assert len(rows) == 1 + 12  # the numbers of pairs are given again in each file
    assert run("rank", bad, "--output", tmp_path / "report.xlsx").exit_code == 1


def test_unusable_files_get_one_line(night, tmp_path):
    """Also where another file is right; nothing is written."""
    (tmp_path / "bad").mkdir()
    for path, word in unusable(tmp_path / "bad"):
        for files in ([path], [night, path]):
            result = run("rank", *files, "--output", tmp_path / "report.xlsx")
            assert result.exit_code == 2, path
            (line,) = result.stderr.splitlines()
            assert line.startswith("valet-xl: ") and path.name in line and (word in line or "PBN" in line)
            assert not (tmp_path / "report.xlsx").exists()


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("--order", "luckiest"), "order must be one of"),
        (("--method", "imps"), "method must be one of iaf, datum, matchpoints"),
        (("--compensation", "some"), "compensation must be one of none, opponents, valet"),
        (("--format", "html"), "format must be one of table, csv"),
        (("--output", "x.ods"), "expected .csv, .xlsx or .html"),
        (("--output", "x.xlsx", "--format", "csv"), "expected a .csv name"),
        (("--sheet", "Results"), "has no sheets"),
    ],
)
def test_wrong_options_get_one_line(night, arguments, said):
    result = run("rank", night, *arguments)
    assert result.exit_code == 2
    (line,) = result.stderr.splitlines()
    assert said in line


def test_long_work_shows_a_bar(night, monkeypatch):
    """On a terminal, from BAR_AFTER seconds on, and gone at the end."""
    out = io.StringIO()
    monkeypatch.setattr(out, "isatty", lambda: True)
    monkeypatch.setattr("sys.stderr", out)
    monkeypatch.setattr(terminal, "BAR_AFTER", 0)
    monkeypatch.setenv("TERM", "xterm")
    with terminal.progress(("reading", "ranking")) as step:
        step("ranking")
        terminal.threading.Event().wait(0.3)
    assert "ranking" in out.getvalue()


def test_long_work_says_how_far_it_is(night, tmp_path):
    """File by file, then with the number of results, then row by row of the report, up to all of them."""
    second = tmp_path / "second.txt"
    second.write_text("".join(night.read_text(encoding="utf-8").splitlines(keepends=True)[:-4]), encoding="utf-8")
    said: list[tuple[str, float]] = []

    def step(text: str, done: float = 0.0, /) -> None:
        said.append((text, done))

    ranked = rank_files([night, second], step=step)
    size = f"{len(ranked.event.results)} results"
    assert said == [
        ("reading scores.txt, file 1 of 2", 0),
        ("reading second.txt, file 2 of 2", 0.5),
        (f"scoring {size}", 0),
        (f"ranking {size}", 0),
    ]
    assert all(any(text.startswith(name) for name in RANK_STEPS) for text, _ in said)
    said.clear()
    report(ranked.event, "Night", step=step)
    rows = [int(re.fullmatch(r"writing row (\d+) of (\d+)", text)[1]) for text, _ in said]
    assert len(rows) > 2 and rows == sorted(set(rows)) and said[-1] == (f"writing row {rows[-1]} of {rows[-1]}", 1)
    assert [done for _, done in said] == [row / rows[-1] for row in rows]


def test_a_step_is_found_by_the_longest_name_that_it_begins_with(monkeypatch):
    bar = terminal._Bar(["a", "a2", "b"])
    bar._shown, bar._task = Updates(), 0
    for text, done in (("a2", 0), ("a, half", 0.5), ("b", 0)):
        bar.step(text, done)
    assert bar._shown.found == [("a2", 1), ("a, half", 0.5), ("b", 2)]


class Updates:
    """What a bar would show."""

    def __init__(self) -> None:
        self.found: list[tuple[str, float]] = []

    def update(self, task: int, *, description: str, completed: float) -> None:
        self.found.append((description, completed))


def test_nothing_has_a_score(tmp_path):
    """Where pairs are named, that is not what is said to be missing."""
    path = tmp_path / "night.csv"
    path.write_text("Board,NS,EW,Contract,By,Tricks\n1,1,2,3NT,S,9\n2,1,2,4S,N,10\n3,1,2,9Z,N,10\n")
    for who in ([], ["--players"]):
        result = run("rank", path, *who)
        assert result.exit_code == 2
        assert "nothing to rank" in result.stderr and "named" not in result.stderr
        assert "cannot be read: 1" in result.stderr and "nothing to compare with: 2" in result.stderr


def test_nobody_is_named(tmp_path):
    path = write(tmp_path / "night.xlsx", [row[:5] for row in (HEADINGS, *GOOD)])
    result = run("rank", path)
    assert result.exit_code == 2
    assert "no pairs are named in the results" in result.stderr


def test_published_ranking_of_a_tournament(shared):
    """The Valet program's table of the open championship of 2015, its order and every average, to two decimals."""
    folder = shared / "data" / "valet" / "2015-World-Men"
    rows = table(run("rank", folder / "scores.txt", "--minimum", 0, "--format", "csv").stdout)
    with (folder / "pairs-iaf.csv").open(encoding="utf-8") as lines:
        theirs = list(csv.reader(lines))[1:]
    at = {name: rows[0].index(name) for name in ("Pair", "Boards", "Overall", "Bid", "Play", "Declarer", "Declared")}
    assert [row[at["Pair"]] for row in rows[1:]] == [row[0] for row in theirs]
    for ours, row in zip(rows[1:], theirs, strict=True):
        figures = [float(ours[at[name]]) for name in ("Boards", "Overall", "Bid", "Play", "Declarer", "Declared")]
        assert figures == pytest.approx([float(cell) for cell in row[1:7]], abs=0.0051)


# -- board


def test_board_shows_its_tableau(night):
    result = run("board", night, 3, width=100)
    assert result.exit_code == 0, result.output
    lines = result.stdout.partition("\n\n")[0].splitlines()
    assert lines[0] == "Board 3 of round 1, E-W vulnerable: 4 results"
    assert lines[1].split() == [
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
    rows = table(run("board", night, 3, "--round", 1, "--format", "csv").stdout)
    assert len(rows) == len(lines) - 2
    assert sum(int(row[4]) for row in rows[1:]) == 4


def test_board_from_the_other_side(night):
    """What one side gains the other loses."""
    listed = [table(run("board", night, 3, "--side", side, "--format", "csv").stdout) for side in ("ns", "ew")]
    assert all("Declarer" in rows[0] and "Play" not in rows[0] for rows in listed)
    views = [rows[1:] for rows in listed]
    ns, ew = ({tuple(row[:6]): float(row[6]) for row in view} for view in views)
    assert ns == {key: -value for key, value in ew.items()}


def test_board_with_a_bad_row(tmp_path):
    """Its results are shown without parts, and the status is 1; another board of the sheet is not concerned."""
    path = write(tmp_path / "night.xlsx", (HEADINGS, *GOOD, *BAD))
    result = run("board", path, 2)
    assert result.exit_code == 1
    assert "cannot be read: row 5, Contract: '8H'" in result.stderr
    assert re.search(r"4H +S +C +10 +1 +620\s*$", result.stdout, re.MULTILINE)
    assert run("board", path, 1).exit_code == 0


def test_board_that_is_not_there(night):
    result = run("board", night, 99)
    assert result.exit_code == 2
    assert "there is no board 99 (expected 1, 2, 3" in result.stderr


def test_board_with_one_result(tmp_path):
    path = write(tmp_path / "night.xlsx", (HEADINGS, *GOOD, BAD[1]))
    result = run("board", path, 2)
    assert result.exit_code == 1 and "one result, nothing to compare with" in result.stderr


# -- convert and simulate


def test_convert_reads_back_to_the_same_results(night, tmp_path):
    for name in ("results.xlsx", "results.csv"):
        result = run("convert", night, "--output", tmp_path / name)
        assert result.exit_code == 0, result.output
        assert "read 48 rows on 12 boards, as Valet text in UTF-8" in result.output
        assert read_results(tmp_path / name).score.tolist() == read_results(night).score.tolist()


def test_convert_says_what_was_not_understood(tmp_path):
    path = tmp_path / "night.csv"
    path.write_text("Board,Contract,By,Tricks\n1,3NT,N,9\n1,8NT,N,9\n", encoding="utf-8")
    result = run("convert", path)
    assert result.exit_code == 1 and "'8NT'" in result.output
    assert (tmp_path / "night-results.xlsx").exists()
    assert run("convert", tmp_path / "none.csv").exit_code == 2


@pytest.mark.parametrize("name", ["made.xlsx", "made.csv", "made.txt"])
def test_simulated_tournament_can_be_ranked(tmp_path, name):
    """The same seed gives the same bytes; every result is scored; the strengths are there."""
    output = tmp_path / name
    assert run("simulate", "--output", output, "--pairs", 8, "--boards", 2, "--rounds", 3, "--seed", 5).exit_code == 0
    files = {path.name: path.read_bytes() for path in tmp_path.iterdir()}
    assert run("simulate", "--output", output, "--pairs", 8, "--boards", 2, "--rounds", 3, "--seed", 5).exit_code == 0
    assert {path.name: path.read_bytes() for path in tmp_path.iterdir()} == files
    names = ["--names", tmp_path / "made-names.txt"] if name == "made.txt" else []
    result = run("rank", output, *names, "--format", "csv")
    assert result.exit_code == 0 and "scored 24 of 24 results on 6 boards" in result.stderr
    heads, *rows = table(result.stdout)
    pairs = {frozenset(row[heads.index("Pair")].split(" - ")) for row in rows}
    if name == "made.xlsx":
        strengths = [row[0] for row in Workbook.open(output).read("Strengths").cells[4:]]
    else:
        strengths = [row[0] for row in table((tmp_path / "made-strengths.csv").read_text(encoding="utf-8-sig"))[1:]]
    assert {frozenset(name.split(" - ")) for name in strengths} == pairs and len(pairs) == 8


def test_simulation_that_cannot_be(tmp_path):
    for arguments, said in (
        (("--pairs", 7), "pairs must be an even number"),
        (("--movement", "swiss"), "movement must be one of"),
        (("--bid", "inf"), "bid must be a number from 0"),
    ):
        result = run("simulate", "--output", tmp_path / "x.xlsx", *arguments)
        assert result.exit_code == 2 and said in result.stderr
    assert run("simulate", "--output", tmp_path / "x.ods").exit_code == 2
    assert not list(tmp_path.iterdir())


def test_a_copy_of_a_file_counts_once(night, tmp_path):
    copy = shutil.copy(night, tmp_path / "copy.txt")
    alone, twice = (run("rank", *files, "--format", "csv") for files in ([night], [night, copy]))
    assert twice.stdout == alone.stdout
    assert "copy.txt: has the same results as scores.txt, which count once" in twice.stderr
