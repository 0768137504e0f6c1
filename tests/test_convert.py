"""A file of any format as a results sheet: it reads back to the same results."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import numpy as np
import pytest
from access_file import access_file
from test_bridgemate import tables
from test_usebio import board, event, line, pair

from valet_xl import read_results
from valet_xl.documents.xlsx import Workbook
from valet_xl.engine.results import Results
from valet_xl.errors import FileError
from valet_xl.sheets.convert import Converted, convert_file
from valet_xl.sheets.score_file import score_file

COLUMNS = (
    *("status", "board", "vulnerability", "level", "strain", "double", "declarer", "tricks"),
    *("lead_suit", "lead_rank", "score", "adjusted"),
)
USEBIO = event(
    pair("1", "Ann", "Bo", direction="NS") + pair("1", "=Cy", "Łoś", direction="EW"),
    board(1, line("1", "1", more="<LEAD>TC</LEAD>"), line("2", "2", "3NTX", "W", "7", "<LEAD>nonsense</LEAD>")),
    board(
        2,
        line("1", "2", "PASS", "", ""),
        line("2", "1", "", "", "", "<SCORE>A6040</SCORE>"),
        line("3", "3", "", "", ""),
    ),
    board(3, line("1", "3", "8S"), line("2", "1")),
)
VALET = "1|1|a|b|c|d|3N|N|9|SQ\n1|1|e|f|g|h|3NTX|N|8|H4\n2|1|a|f|c|h|P|S|0\n2|1|e|b|g|d|4S|S\n"
PBN = """\
[Board "A"]
[Vulnerable "NS"]
[ScoreTable "Section;PairId_NS;PairId_EW;Contract;Declarer;Result"]
A 1 2 4S N 9
B 1 2 4S N 10
"""
CSV = """\
Session;Board;NS;EW;Contract;By;Result
1;1;1;2;4S;N;=
;1;3;4;4SX;N;+1
;2;1;2;A6040;;
2;1;1;2;NP;;
;1;3;4;5H;E;9
"""


def assert_same_results(first: Results, second: Results) -> None:
    """The same but for the rows' numbers, what wrong cells are called, and the tags that sides go by."""
    for name in COLUMNS:
        one, other = getattr(first, name), getattr(second, name)
        np.testing.assert_array_equal(one, other, name)
    assert first.boards == second.boards
    assert players(first) == players(second)
    for side in (0, 1):
        one, other = first.sides[:, side].tolist(), second.sides[:, side].tolist()
        assert len(set(zip(one, other, strict=True))) == len(set(one)) == len(set(other))
    assert len(first.errors) == len(second.errors)


def players(results: Results) -> list[list[str]]:
    return [[results.names[who] if who >= 0 else "" for who in row] for row in results.players.tolist()]


def convert(path: Path, suffix: str, tmp_path: Path) -> tuple[Converted, Results]:
    converted = convert_file(path, tmp_path / f"out{suffix}")
    return converted, read_results(converted.written)


@pytest.mark.parametrize("suffix", [".xlsx", ".csv"])
@pytest.mark.parametrize(
    ("name", "text"),
    [("night.xml", f"<USEBIO>{USEBIO}</USEBIO>"), ("scores.txt", VALET), ("night.pbn", PBN), ("night.csv", CSV)],
)
def test_texts_read_back_to_the_same_results(name: str, text: str, suffix: str, tmp_path: Path) -> None:
    path = tmp_path / name
    path.write_text(text, "utf-8")
    converted, again = convert(path, suffix, tmp_path)
    if suffix == ".csv" and "=Cy" in text:  # which a spreadsheet would take for a formula
        again = Results(
            **{field: getattr(again, field) for field in again.__slots__}
            | {"names": tuple(each.removeprefix("'") for each in again.names)}
        )
    assert_same_results(converted.results, again)
    assert converted.results.errors or name == "night.pbn"


@pytest.mark.parametrize("suffix", [".xlsx", ".csv"])
def test_a_database_reads_back_to_the_same_results(suffix: str, tmp_path: Path) -> None:
    pytest.importorskip("access_parser", reason="the extra bridgemate is not installed")
    path = tmp_path / "night.bws"
    changes = (
        {},
        {"PairNS": 3, "Declarer": 2},
        {"Board": 2, "Remarks": "Arbitral score"},
        {"Board": 3, "Result": "+9"},
    )
    path.write_bytes(access_file(tables(*changes, {"Board": 4}, {"Board": 5}, {"Board": 6})))
    converted, again = convert(path, suffix, tmp_path)
    assert_same_results(converted.results, again)
    assert len(again.errors) == 2


@pytest.mark.slow
@pytest.mark.parametrize("suffix", [".xlsx", ".csv"])
def test_every_sample_reads_back_to_the_same_results(shared: Path, suffix: str, tmp_path: Path) -> None:
    pytest.importorskip("access_parser", reason="the extra bridgemate is not installed")
    samples = [path for path in (shared / "data" / "formats").iterdir() if path.suffix != ".pbn"]
    counts: Counter[str] = Counter()
    for path in [*samples, shared / "data" / "valet" / "2015-World-Men" / "scores.txt"]:
        converted, again = convert(path, suffix, tmp_path)
        assert_same_results(converted.results, again)
        counts[converted.source.kind] += len(again)
    assert counts == {"USEBIO": 245 + 108 + 512, "Bridgemate": 297, "Valet text": 7388}


def test_headings_are_the_standard_ones_and_cells_have_one_form(tmp_path: Path) -> None:
    path = tmp_path / "night.xml"
    path.write_text(f"<USEBIO>{USEBIO}</USEBIO>", "utf-8")
    rows = Workbook.open(convert_file(path).written).read("Results").cells
    assert rows[0] == ["Board", "NS", "EW", "North", "East", "South", "West", "Contract", "By", "Lead", "Tricks"]
    assert rows[1] == [1, "1 NS", "1 EW", "Ann", "=Cy", "Bo", "Łoś", "4S", "N", "CT", 10]
    assert rows[2][7:] == ["3NTX", "W", "nonsense", 7]
    assert [row[7] for row in rows[3:7]] == ["Pass", "60%-40%", "NP", "8S"]


def test_two_players_of_one_name_stay_two(tmp_path: Path) -> None:
    (tmp_path / "names.txt").write_text("a|Li Na\nb|Li Na\n", "utf-8")
    (tmp_path / "scores.txt").write_text(VALET, "utf-8")
    converted, again = convert(tmp_path / "scores.txt", ".xlsx", tmp_path)
    assert players(again)[0] == ["Li Na (a)", "Li Na (b)", "c", "d"]
    assert len(np.unique(converted.results.players)) == len(np.unique(again.players))


@pytest.mark.parametrize("rounds", ["1|1|a|b|c|d|4S|N|10\n2|1|e|f|g|h|4S|N|9\n"])
def test_rounds_that_a_reader_would_take_otherwise_become_sessions(rounds: str, tmp_path: Path) -> None:
    """Nobody meets the board twice, so that a sheet's rounds would be a movement's; Valet text has new deals."""
    path = tmp_path / "scores.txt"
    path.write_text(rounds, "utf-8")
    converted, again = convert(path, ".csv", tmp_path)
    assert len(converted.results.boards) == 2
    assert_same_results(converted.results, again)


def test_a_converted_file_is_scored(tmp_path: Path) -> None:
    path = tmp_path / "night.xml"
    path.write_text(f"<USEBIO>{event(board(1, line(), line('3', '4', tricks='9')))}</USEBIO>", "utf-8")
    outcome = score_file(convert_file(path).written)
    assert (outcome.summary.scored, outcome.summary.complete) == (2, True)
    directly = score_file(path)
    assert directly.summary.scored == 2
    assert directly.written == tmp_path / "night-scored.csv"


def test_refusals_write_nothing(tmp_path: Path) -> None:
    path = tmp_path / "scores.txt"
    path.write_text(VALET, "utf-8")
    with pytest.raises(FileError, match=r"results are written as .xlsx, .csv or .parquet"):
        convert_file(path, tmp_path / "out.ods")
    with pytest.raises(FileError, match="there is no such file"):
        convert_file(tmp_path / "none.xml", tmp_path / "out.csv")
    table = tmp_path / "night.csv"
    table.write_text(CSV, "utf-8")
    with pytest.raises(FileError, match="is the file that is read"):
        convert_file(table, table)
    with pytest.raises(FileError, match="names go with Valet text, not with a CSV file"):
        convert_file(table, tmp_path / "out.csv", names=path)
    assert sorted(each.name for each in tmp_path.iterdir()) == ["night.csv", "scores.txt"]
