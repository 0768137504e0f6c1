"""Files of every format, scored: each is read once, and its scores are those that are on record."""

from __future__ import annotations

import csv
import datetime
import hashlib
import io
from collections import Counter
from pathlib import Path

import pytest
import xlsxwriter
from result_files import FILES, NAMES
from workbook_samples import plain

from valet_xl.documents import disk
from valet_xl.documents.xlsx import Workbook
from valet_xl.engine.options import Options
from valet_xl.errors import FileError
from valet_xl.reading import formats, headings, source
from valet_xl.reading.csv_file import CsvFile
from valet_xl.reading.files import read_content
from valet_xl.reading.rows import read_rows
from valet_xl.reading.source import Source
from valet_xl.sheets.convert import convert_file
from valet_xl.sheets.list_results import as_grid, as_listed, renumbered
from valet_xl.sheets.score_file import score_file

SCORED = Path(__file__).with_name("scored")
# The beginnings of SHA-256 of the scored files, written by the release before formats had records.
SAMPLES = {
    "formats/usebio_butler_mitchell.xml": "1de4bacc0a355b45",
    "formats/usebio_cross_imp_howell.xml": "58b21cbb661d29b4",
    "formats/usebio_mp_pairs_mitchell.xml": "ceecf6f84db5b5cc",
    "formats/bridgemate.bws": "45514c537f21a39c",
    "valet/2004-Istanbul/scores.txt": "c97eb88ec24176da",
    "valet/2005-World-Women/scores.txt": "775ce66825b13a72",
    "valet/2013-Polish-League/scores.txt": "030c9ca5183aa349",
    "valet/2015-World-Men/scores.txt": "6ec2153a92876119",
    "valet/example1/scores.txt": "0857d2f6abb3c81e",
    "valet/example2/scores.txt": "c1db05dc6fdc5182",
    "valet/example3/scores.txt": "f697ed52fc2bde6f",
    "valet/example4/scores.txt": "dafd0b682cd29e35",
    "valet/example5/scores.txt": "c8adfa2aceb29cf0",
    "valet/example6/scores.txt": "e0e51847c73fdb7a",
    "valet/example7/scores.txt": "579bab8808810e8e",
}


def made(name: str, folder: Path) -> Path:
    """A small file of results; a workbook is made by XlsxWriter."""
    if name.endswith(".bws"):
        pytest.importorskip("access_parser", reason="the extra bridgemate is not installed")
    path = folder / name
    if name in FILES:
        (folder / "names.txt").write_text(NAMES, "utf-8")
        path.write_bytes(FILES[name])
    else:
        plain(path)
    return path


@pytest.mark.parametrize("name", FILES)
def test_a_scored_file_is_the_one_on_record(name: str, tmp_path: Path) -> None:
    """Byte for byte: the results, the scores, and the notes about rows that cannot be read."""
    written = score_file(made(name, tmp_path)).written
    assert written.read_bytes() == (SCORED / f"{name}.csv").read_bytes()


@pytest.mark.parametrize("name", SAMPLES)
def test_a_scored_sample_is_the_one_on_record(name: str, shared: Path, tmp_path: Path) -> None:
    if name.endswith(".bws"):
        pytest.importorskip("access_parser", reason="the extra bridgemate is not installed")
    written = score_file(shared / "data" / name, tmp_path / "scored.csv").written
    as_then = written.read_bytes().replace(b",Lead score,Defence,", b",Lead,Defence,", 1)  # as it was called
    assert hashlib.sha256(as_then).hexdigest()[:16] == SAMPLES[name]


@pytest.fixture
def reads(monkeypatch: pytest.MonkeyPatch) -> Counter[str]:
    """How often rows are read, and files from the disk."""
    count: Counter[str] = Counter()

    def rows(*given: object, **named: object) -> object:
        count["rows"] += 1
        return read_rows(*given, **named)

    def file(path: Path) -> bytes:
        count[path.name] += 1
        return disk.read_file(path)

    monkeypatch.setattr(headings, "read_rows", rows)
    monkeypatch.setattr(source, "read_rows", rows)
    monkeypatch.setattr(formats, "read_file", file)
    return count


@pytest.mark.parametrize("name", [*FILES, "night.xlsx"])
def test_a_file_is_read_once(name: str, tmp_path: Path, reads: Counter[str]) -> None:
    """Scored, converted, or read for a ranking: from the disk once, and its rows once."""
    path = made(name, tmp_path)
    score_file(path, path.with_name(f"scored{path.suffix if name == 'night.xlsx' else '.csv'}"))
    assert reads == {"rows": 1, name: 1}
    convert_file(path, tmp_path / "converted.csv")
    assert reads == {"rows": 2, name: 2}
    read_content(path, None, None, Options())
    assert reads == {"rows": 3, name: 3}


def test_rows_without_a_result_are_not_listed() -> None:
    """The rows of the sheet are counted without them, also where one row's error names another."""
    cells = {
        "board": ["A", 1, 1, 1],
        "vulnerability": [None, "All", None, "None"],
        "contract": [None, "4S", "4H", "4S"],
        "declarer": ["N"] * 4,
        "tricks": [None, 10, 11, 9],
        "ns": ["9", "1", "2", "1"],
    }
    listed = as_listed(Source("CSV", cells | {"declarer": [None, *"NNN"]}, [4, 5, 6, 7], "row"))
    read = listed.read()
    results = renumbered(read)
    assert (read.skipped, results.skipped) == ((2,), ())
    assert results.row.tolist() == [2, 3, 4]
    assert list(map(str, results.errors)) == ["row 4, Vul: 'None' (expected Both as in row 2)"]
    assert [row[2] for row in as_grid(listed, read)] == ["NS", 1, 2, 1]


def test_the_lead_of_a_board_that_was_not_played_is_not_listed() -> None:
    cells = {"board": [1, 1, 1], "contract": ["Pass", "NP", "4S"], "declarer": ["", "", "N"], "tricks": ["", "", 10]}
    read = as_listed(Source("CSV", cells | {"lead": ["nothing"] * 3}, [1, 2, 3], "row")).read()
    assert [error.row for error in read.errors] == [2, 3, 4]
    assert [str(error).partition(" (")[0] for error in renumbered(read).errors] == ["row 4, Lead: 'nothing'"]


def test_the_suffix_of_a_workbook_may_be_any(tmp_path: Path) -> None:
    """The content says what it is; scores go into the file itself, or into a copy with the same suffix."""
    path = made("night.xlsx", tmp_path).rename(tmp_path / "night.dat")
    assert score_file(path, tmp_path / "copy.dat").written == tmp_path / "copy.dat"
    with pytest.raises(FileError, match=r"a copy of night.dat must end in .dat too"):
        score_file(path, tmp_path / "copy.ods")


@pytest.mark.parametrize("name", FILES)
def test_a_file_of_any_format_is_scored_to_a_workbook(name: str, tmp_path: Path) -> None:
    """It has the cells that the CSV file of the same scores has; scored again it stays as it is, byte for byte."""
    path = made(name, tmp_path)
    text, book = score_file(path), score_file(path, tmp_path / "scored.xlsx")
    assert book.place == f"sheet Results, {text.place}"
    cells = [[shown(cell) for cell in row] for row in Workbook.open(book.written).read("Results").cells]
    delimiter = CsvFile.parse(text.written.read_text("utf-8-sig").encode()).delimiter if name.endswith(".csv") else ","
    rows = list(csv.reader(io.StringIO(text.written.read_text("utf-8-sig"), newline=""), delimiter=delimiter))
    width = max(map(len, rows))
    assert cells == [[shown(cell.removeprefix("'")) for cell in [*row, *[""] * (width - len(row))]] for row in rows]
    first = book.written.read_bytes()
    options = Options(rounds=text.summary.rounds or "auto")
    if not text.taken and not text.summary.errors and not text.summary.unscored:
        assert score_file(book.written, options=options).summary.scored == text.summary.scored
        assert book.written.read_bytes() == first


def shown(cell: object) -> object:
    """A number of a cell as the six decimals that a CSV file has of it."""
    try:
        return f"{float(str(cell).replace(',', '.')):.6f}"
    except ValueError:
        return cell or None


def test_a_workbook_is_scored_to_csv(tmp_path: Path) -> None:
    """All cells of its sheet, with whole numbers and dates as people write them; the workbook stays as it is."""
    path = tmp_path / "night.xlsx"
    with xlsxwriter.Workbook(path) as made_book:
        page = made_book.add_worksheet()
        page.write(0, 0, "Club night")
        day = made_book.add_format({"num_format": "yyyy-mm-dd"})
        for at, row in enumerate(
            (("Date", "Board", "Contract", "By", "Tricks"), *[("", 1, "3NT", "N", 9 - n) for n in (0, 1)])
        ):
            page.write_row(2 + at, 0, row)
        page.write_datetime(3, 0, datetime.date(2026, 1, 31), day)
    before = path.read_bytes()
    outcome = score_file(str(path), str(tmp_path / "out.csv"))
    assert outcome.place == "F3 to N3 and below"
    lines = outcome.written.read_text("utf-8-sig").splitlines()
    assert lines[:3] == [
        "Club night,,,,",
        ",,,,",
        "Date,Board,Contract,By,Tricks,Score,Datum,Butler,IAF,Bid,Play,Lead score,Defence,Note",
    ]
    assert lines[3].startswith("2026-01-31,1,3NT,N,9,400,")
    assert path.read_bytes() == before


def test_rounds_of_valet_text_can_be_chosen(tmp_path: Path) -> None:
    path = made("movement.txt", tmp_path)
    assert score_file(path).summary.boards == 4
    assert score_file(path, options=Options(rounds="same")).summary.boards == 2
