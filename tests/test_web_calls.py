"""The calls of the page, answered by this Python: tables in the order that is asked for, names of files, options."""

from __future__ import annotations

import ast
import json
import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from valet_xl.cli.main import main
from valet_xl.rankings.listing import Heading
from valet_xl_web.browser import page
from valet_xl_web.browser.answers import answer
from valet_xl_web.browser.said import in_page
from valet_xl_web.browser.tables import Table

ROOT = Path(__file__).parents[1]
SHEET = "Board,Contract,By,Tricks,NS,EW\n1,3NT,N,9,10,2\n1,4S,N,10,9,1\n1,8H,N,9,1,3\n2,2H,E,8,10,1\n2,3H,E,8,9,2\n"


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder for the page's files; the calls change to it."""
    monkeypatch.chdir(tmp_path)
    files = tmp_path / "files"
    monkeypatch.setattr(page, "_session", page._Session(files))
    return files


def call(name: str, given: dict[str, Any] | None = None, files: Sequence[bytes] = ()) -> Any:
    """The value of a call."""
    text, _ = answer(f"page.{name}", json.dumps(given or {}), files)
    found = json.loads(text)
    assert "error" not in found, found
    return found["value"]


def refused(name: str, given: dict[str, Any] | None = None, files: Sequence[bytes] = ()) -> str:
    """What is said where a call is refused; a fault of ours is no refusal."""
    text, _ = answer(f"page.{name}", json.dumps(given or {}), files)
    error = json.loads(text)["error"]
    assert error["kind"] == "user", error
    return str(error["text"])


def opened(**files: str) -> None:
    """Open files; their names have a point for the last line under."""
    call("open", {"names": [name.replace("_", ".") for name in files]}, [text.encode() for text in files.values()])


def column(name: str, **asked: Any) -> list[str]:
    """A column of the scored table, in an order."""
    described = call("score", {"file": 0})["table"]
    at = [each["name"] for each in described["columns"]].index(name)
    return [row["cells"][at] for row in call("rows", {"table": "scored", "start": 0, "count": 99, **asked})["rows"]]


class TestScores:
    """A file that is scored."""

    def test_rows_that_cannot_be_read_come_first_with_their_reason(self) -> None:
        opened(a_csv=SHEET)
        assert column("Contract") == ["8H", "3NT", "4S", "2H", "3H"]
        assert column("Note")[0] == "Contract: '8H' (level must be 1-7)"

    def test_numbers_are_sorted_as_numbers_and_blanks_are_last(self) -> None:
        opened(a_csv=SHEET)
        assert column("NS", column=4) == ["1", "9", "9", "10", "10"]
        assert column("NS", column=4, down=True) == ["10", "10", "9", "9", "1"]
        assert column("Score", column=6, down=True)[-1] == ""

    def test_rows_are_called_what_messages_call_them(self) -> None:
        opened(a_csv=f"\n\n{SHEET}")
        said = call("score", {"file": 0})["said"]
        first = call("rows", {"table": "scored", "start": 0, "count": 1})["rows"][0]
        assert first["wrong"]
        assert any(line.startswith(f"cannot be read: row {first['number']}, ") for line in said)

    def test_a_column_that_an_earlier_scoring_wrote_is_shown_once(self, folder: Path) -> None:
        opened(a_csv=SHEET)
        once = call("score", {"file": 0})["table"]
        _, files = answer("page.save", '{"what": "scored"}')
        call("open", {"names": ["a.csv"]}, files)
        assert call("score", {"file": 0})["table"] == once

    def test_the_download_is_what_the_command_writes(
        self, folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        opened(a_csv=SHEET)
        call("score", {"file": 0, "options": {"method": "matchpoints", "lead": "none"}})
        text, files = answer("page.save", '{"what": "scored"}')
        assert json.loads(text) == {"value": {"name": "a-scored.csv"}}
        (tmp_path / "a.csv").write_text(SHEET)
        monkeypatch.chdir(tmp_path)
        monkeypatch.setattr("sys.argv", ["valet-xl", "score", "a.csv", "--method", "matchpoints", "--lead", "none"])
        with pytest.raises(SystemExit):
            main()
        assert files[0] == (tmp_path / "a-scored.csv").read_bytes()


class TestFiles:
    """What is opened."""

    def test_names_cannot_leave_the_folder(self, folder: Path) -> None:
        names = ["../../etc/passwd", "a/b\\c.csv", "c.csv", "..", "", "x\0y.csv", "é" * 300 + ".csv"]
        call("open", {"names": names}, [b"a"] * len(names))
        found = {str(path.relative_to(folder)) for path in folder.rglob("*") if path.is_file()}
        assert found == {"passwd", "c.csv", "2/c.csv", "file", "2/file", "xy.csv", "é" * 98 + ".csv"}

    def test_the_names_of_players_go_with_the_results(self) -> None:
        lines = "".join(f"1|1|{table}n|{table}e|{table}s|{table}w|3N|N|9|SQ\n" for table in "ab")
        names = "".join(f"{table}{seat}|Player {table}{seat}\n" for table in "ab" for seat in "nesw")
        call("open", {"names": ["scores.txt", "names.txt"]}, [lines.encode(), names.encode()])
        assert "Player an" in {cell for name in ("North",) for cell in column(name)}

    def test_files_are_gone_when_others_come(self) -> None:
        opened(a_csv=SHEET, b_csv=SHEET)
        opened(c_csv=SHEET)
        assert "there is no such file" in refused("score", {"file": 1})
        assert "nothing is scored" in refused("save", {"what": "scored"})

    @pytest.mark.parametrize("data", [b"", b"\0\1\2", b"a,b\n1,2\n", b"PK\3\4 damaged"])
    def test_a_file_that_cannot_be_used_gives_the_message_of_the_command(
        self, data: bytes, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
    ) -> None:
        call("open", {"names": ["a.csv"]}, [data])
        said = refused("score", {"file": 0})
        (tmp_path / "a.csv").write_bytes(data)
        monkeypatch.chdir(tmp_path)
        monkeypatch.setattr("sys.argv", ["valet-xl", "score", "a.csv"])
        with pytest.raises(SystemExit):
            main()
        assert capsys.readouterr().err == f"valet-xl: {said}\n"


class TestSaid:
    """What the engine says, in the words of a page."""

    ROOMS = ("reading", "sheets", "rankings", "engine", "documents", "reports")

    def test_no_message_names_an_option_as_the_command_does(self) -> None:
        """Every name with dashes in a text of the rooms that a page uses is one that gets its label."""
        named = set()
        for path in (path for room in self.ROOMS for path in (ROOT / "valet_xl" / room).rglob("*.py")):
            tree = ast.parse(path.read_text("utf-8"))
            documented = (ast.Module, ast.ClassDef, ast.FunctionDef)
            owners = [each for each in ast.walk(tree) if isinstance(each, documented)]
            docstrings = {id(each.body[0].value) for each in owners if each.body and isinstance(each.body[0], ast.Expr)}
            for each in ast.walk(tree):
                if isinstance(each, ast.Constant) and isinstance(each.value, str) and id(each) not in docstrings:
                    named |= set(re.findall(r"(?<![\w-])(?<!var\()--[a-z][a-z-]+\b(?!:)", each.value))
        assert len(named) > 3
        assert {name for name in named if "--" in in_page(f"(name one with {name})")} == {
            "--virtual-table"
        }  # with cards

    def test_a_line_of_a_ranking_is_in_these_words(self) -> None:
        first, body = SHEET.partition("\n")[::2]
        opened(a_csv=f"Round,{first}\n" + "".join(f"{turn},{line}\n" for turn in (1, 2) for line in body.split()))
        said = " ".join([*call("rank")["said"], *call("score", {"file": 0})["said"]])
        assert "(if not: the option Rounds: " in said


class TestRanking:
    """Files that are ranked."""

    def test_several_files_and_a_copy(self) -> None:
        other = SHEET.replace("\n1,", "\n3,").replace("\n2,", "\n4,").replace("8H", "3H")
        opened(a_csv=SHEET.replace("8H", "3H"), b_csv=other, c_csv=other)
        value = call("rank", {"options": {}, "ranking": {}})
        assert "c.csv: has the same results as b.csv, which count once" in value["said"]
        assert value["groups"][0]["chart"][0].keys() == {"name", "place", "overall", "low", "high"}

    def test_a_report_of_several_files_and_a_copy(self) -> None:
        """Its title has the name of each file that counts."""
        other = SHEET.replace("\n1,", "\n3,").replace("\n2,", "\n4,").replace("8H", "3H")
        opened(a_csv=SHEET.replace("8H", "3H"), b_csv=other, c_csv=other)
        assert call("rank")["title"] == "a, b"
        text, files = answer("page.save", '{"what": "report"}')
        assert json.loads(text)["value"] == {"name": "a, b-report.xlsx"}
        assert files[0].startswith(b"PK")

    def test_options_that_are_no_numbers(self) -> None:
        opened(a_csv=SHEET)
        assert refused("rank", {"ranking": {"minimum": "many"}}) == "Minimum: 'many' is no number"
        assert refused("rank", {"ranking": {"minimum": "-1"}}).startswith("Minimum: -1 (expected a whole number")
        assert refused("score", {"file": 0, "options": {"leave_out": "x"}}) == "Leave out: 'x' is no number"
        assert "method must be one of" in refused("score", {"file": 0, "options": {"method": "x"}})


class TestBoards:
    """The tableau of a board."""

    def test_boards_and_a_tableau(self) -> None:
        opened(a_csv=SHEET.replace("8H", "3H"))
        assert call("boards", {"file": 0}) == [
            {"round": "", "number": "1", "results": 3},
            {"round": "", "number": "2", "results": 2},
        ]
        value = call("board", {"file": 0, "number": "1", "side": "ns"})
        assert value["title"] == "Board 1, none vulnerable: 3 results"
        assert value["table"]["rows"] == 3

    def test_a_board_that_was_not_scored_says_why(self) -> None:
        opened(a_csv=SHEET)
        assert any("8H" in line for line in call("board", {"file": 0, "number": "1"})["said"])


def test_cells_of_all_kinds_are_sorted() -> None:
    """Numbers before texts, also where a sheet has both; blanks are last both ways."""
    table = Table([Heading("a", "", "General")], [["b", 2.0, None, "10", "A"]])
    cells = [row["cells"][0] for row in table.rows(0, 9, 0)]
    assert cells == ["2", "10", "A", "b", ""]
    assert [row["cells"][0] for row in table.rows(0, 9, 0, down=True)] == ["b", "A", "10", "2", ""]
