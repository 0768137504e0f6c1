"""Damaged, truncated and hostile files of every format: one error of the family, soon, or what could be read."""

from __future__ import annotations

import contextlib
import random
import struct
import tracemalloc
import zipfile
from pathlib import Path

import pytest
from access_file import access_file
from assertions import processor_seconds
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st
from strategies import examples
from test_bridgemate import FOUR, HOWELL, NUMBERED, columns, tables
from test_usebio import board, event, line, pair

from valet_xl import read_results
from valet_xl.documents.ooxml import package
from valet_xl.documents.text import decode, read_text
from valet_xl.errors import FileError, SheetError, ValetError
from valet_xl.reading import bridgemate, pbn, usebio
from valet_xl.reading.csv_file import CsvFile
from valet_xl.reading.valet_text import read_scores

USEBIO = f"<USEBIO>{event(pair('1', 'Zoë', 'Bo'), board(1, line(), line('3', '4')), board(2, line()))}</USEBIO>"
PBN = '% PBN 2.1\n[Board "1"]\n[ScoreTable "Contract;Declarer;Result;Names_NS"]\n4S N 10 "a & b"\n3NTX E 8 "c \\" d"\n'
VALET = "1|1|a|b|c|d|3N|N|9|SQ\n1|1|e|f|g|h|3NT|N|8|H4\n"
CSV = "Board,Contract,By,Tricks\n1,4S,N,10\n"
DATABASE = access_file(
    tables(
        {},
        *({"Board": at, "Table": at % 9} for at in range(2, 120)),
        RoundData=HOWELL,
        PlayerNumbers=columns(NUMBERED, FOUR),
    )
)
TEXTS = (USEBIO, PBN, VALET, CSV)


def attempt(data: bytes, folder: Path) -> ValetError | None:
    """Read a file with these bytes; None if it was read, else the one error, in one line that names the file."""
    path = folder / "night.dat"
    path.write_bytes(data)
    try:
        read_results(path)
    except ValetError as error:
        assert "\n" not in str(error)
        return error
    return None


# -- XML


def laughs(depth: int) -> str:
    """Entities that mean ten of the next, and so on."""
    made = "".join(f"<!ENTITY l{at} '{f'&l{at - 1};' * 10}'>" for at in range(1, depth))
    return f'<!DOCTYPE USEBIO [<!ENTITY l0 "ha">{made}]><USEBIO><EVENT>&l{depth - 1};</EVENT></USEBIO>'


@pytest.mark.parametrize(
    "text",
    [
        laughs(10),
        f'<!DOCTYPE USEBIO [<!ENTITY a "{"x" * 100_000}">]><USEBIO>{"&a;" * 100_000}</USEBIO>',
        '<!DOCTYPE USEBIO [<!ENTITY a SYSTEM "file:///etc/passwd">]><USEBIO><CLUB>&a;</CLUB></USEBIO>',
        '<!DOCTYPE USEBIO [<!ENTITY % a SYSTEM "http://127.0.0.1:9/a.dtd"> %a;]><USEBIO/>',
        "<USEBIO>" + "<A>" * 1_000_000,
        f"<USEBIO><A>{'x' * 5_000_000}</A></USEBIO>",
        f"<USEBIO><{'A' * 1_000_000}/></USEBIO>",
        "<USEBIO " + " ".join(f"a{at}='1'" for at in range(100_000)) + "/>",
        "<" * 1_000_000,
        "<!--" + "-" * 1_000_000,
        "<USEBIO>\0</USEBIO>",
    ],
    ids=["laughs", "quadratic", "file", "parameter", "deep", "long", "name", "attributes", "open", "comment", "zero"],
)
def test_hostile_xml_is_refused_at_once(text: str, tmp_path: Path) -> None:
    with processor_seconds(30):
        assert isinstance(attempt(text.encode(), tmp_path), FileError)


def test_a_document_type_is_never_fetched(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Neither over the network nor from the disk: the file that it names would add a board if it were read."""
    import socket

    monkeypatch.setattr(socket, "socket", lambda *_, **__: pytest.fail("the network was used"))
    (tmp_path / "usebio.dtd").write_text('<!ENTITY more "<BOARD_NUMBER>9</BOARD_NUMBER>">')
    for place in ("http://www.ebu.co.uk/usebio/usebio_v1_2.dtd", "usebio.dtd", (tmp_path / "usebio.dtd").as_uri()):
        path = tmp_path / "night.xml"
        path.write_text(f'<!DOCTYPE USEBIO SYSTEM "{place}">\n{USEBIO}', "utf-8")
        assert len(read_results(path).boards) == 2


def test_a_large_file_needs_little_more_memory_than_its_results() -> None:
    """The hand sets and everything else that is not read leave nothing behind."""
    data = ("<USEBIO>" + "<A><B>some text</B></A>" * 100_000 + USEBIO[len("<USEBIO>") :]).encode()
    tracemalloc.start()
    assert len(usebio.read_source(data).rows) == 3
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak < 2_000_000


# -- text


@pytest.mark.parametrize(
    "text",
    [
        '[Event "' + "x" * 1_000_000,
        '[Event "' + '\\"' * 500_000,
        '[Board "1"]\n[ScoreTable "Contract"]\n' + '"\\' * 500_000,
        '[Board "1"]\n[ScoreTable "Contract"]\n' + '"' * 999_999,
        '[Board "1"]\n' + "{" * 1_000_000,
        "[" * 1_000_000,
        "|" * 1_000_000,
        "1|" * 1_000_000,
        '"' * 1_000_001,
        "x" * 5_000_000,
        "\n" * 100_000,
        "Board,Contract\n" + "1," * 2_000,
        f'[ScoreTable "Names_NS;Contract"]\n"{" " * 500_000}x" 4S',
    ],
    ids=range(13),
)
def test_runs_and_quotes_that_never_end_are_read_in_linear_time(text: str, tmp_path: Path) -> None:
    """They take less than a second; in quadratic time they would take hours."""
    with processor_seconds(30):
        attempt(text.encode(), tmp_path)


def test_rows_that_stand_for_many_results_are_limited(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pbn, "MOST_RESULTS", 1500)
    rows = '[Board "1"]\n[ScoreTable "Contract;Declarer;Result;Multiplicity"]\n' + "4S N 10 1000\n" * 3
    with pytest.raises(FileError, match="line 5: more than 1,500 results, some many times over"):
        pbn.read_source(rows)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=examples(3))
@given(st.binary(max_size=300))
@example(b"\xff\xfe")
@example(b"\xff\xfe\x00")
@example(b"\0\1\0\0Standard Jet DB\0")
@example(b"PK\3\4")
def test_no_bytes_crash_a_reader(tmp_path: Path, data: bytes) -> None:
    attempt(data, tmp_path)
    assert isinstance(read_text(data).text, str)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=examples(3))
@given(st.sampled_from(TEXTS), st.lists(st.tuples(st.integers(0, 2000), st.text(max_size=3)), min_size=1, max_size=5))
def test_no_changed_text_crashes_a_reader(tmp_path: Path, text: str, changes: list[tuple[int, str]]) -> None:
    for at, new in changes:
        text = text[: at % len(text)] + new + text[at % len(text) + len(new) :]
    attempt(text.encode("utf-8", "replace"), tmp_path)


words = st.text(alphabet='"\\;-?#{}[] \n4SN10|&%', max_size=60)


@given(words)
def test_no_table_crashes_the_pbn_reader(rows: str) -> None:
    with contextlib.suppress(FileError):
        pbn.read_source(f'[Board "1"]\n[ScoreTable "Contract;Declarer;Result;Names_NS"]\n{rows}').read()


@given(st.text(alphabet="1|4SNPHA \n#", max_size=80))
def test_no_lines_crash_the_valet_reader(text: str) -> None:
    with contextlib.suppress(SheetError):
        read_scores(text)


@given(st.text(alphabet=',;"\n14SN', max_size=80))
def test_no_table_crashes_the_csv_reader(text: str) -> None:
    with contextlib.suppress(FileError, SheetError):
        CsvFile.parse(("Board,Contract,By,Tricks\n" + text).encode())


@pytest.mark.parametrize("text", TEXTS, ids=["usebio", "pbn", "valet", "csv"])
def test_a_file_cut_off_anywhere_is_one_error_or_the_rest_is_read(text: str, tmp_path: Path) -> None:
    data = text.encode()
    for end in range(0, len(data), 7):
        error = attempt(data[:end], tmp_path)
        if text == USEBIO:
            assert isinstance(error, (FileError, SheetError))


@pytest.mark.parametrize("encoding", ["utf-8", "utf-16", "utf-16-le", "utf-16-be", "cp1252"])
@pytest.mark.parametrize("text", TEXTS, ids=["usebio", "pbn", "valet", "csv"])
def test_every_format_in_every_encoding(text: str, encoding: str, tmp_path: Path) -> None:
    assert decode(text.encode(encoding)) == text
    assert attempt(text.encode(encoding), tmp_path) is None


# -- databases


@pytest.fixture(scope="module", params=["built", "sample"])
def database(request: pytest.FixtureRequest) -> bytes:
    pytest.importorskip("access_parser", reason="the extra bridgemate is not installed")
    if request.param == "built":
        return DATABASE
    return (request.getfixturevalue("shared") / "data" / "formats" / "bridgemate.bws").read_bytes()


@pytest.mark.slow
def test_a_database_cut_off_at_any_page_is_one_error(database: bytes) -> None:
    """Also where no page that is left is damaged: the tables say how many rows they have."""
    whole = len(bridgemate.read_source(database).rows)
    for end in range(0, len(database), 4096):
        try:
            assert len(bridgemate.read_source(database[:end]).rows) == whole  # what was cut off was nothing of ours
        except FileError as error:
            assert "damaged or incomplete" in str(error) or "not a file of Bridgemate results" in str(error)


def test_a_database_cut_off_within_a_page_is_one_error(database: bytes) -> None:
    with pytest.raises(FileError, match="no whole number of pages"):
        bridgemate.read_source(database[:-1])


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(6))
def test_a_database_with_changed_bytes_is_one_error_or_is_read(database: bytes, seed: int) -> None:
    chance = random.Random(seed)
    used = [at for at in range(0, len(database), 512) if database[at : at + 512].strip(b"\0\xff")]
    for _ in range(12):
        data = bytearray(database)
        for _ in range(chance.choice((1, 10, 200))):
            data[chance.choice(used) + chance.randrange(512)] = chance.randrange(256)
        with contextlib.suppress(FileError):
            bridgemate.read_source(bytes(data)).read()


def test_definitions_that_go_round_in_a_circle_are_refused() -> None:
    pytest.importorskip("access_parser", reason="the extra bridgemate is not installed")
    data = bytearray(DATABASE)
    struct.pack_into("<I", data, 2 * 4096 + 4, 2)
    with pytest.raises(FileError, match="goes round in a circle"):
        bridgemate.read_source(bytes(data))


def test_rows_that_point_nowhere_are_refused() -> None:
    pytest.importorskip("access_parser", reason="the extra bridgemate is not installed")
    data = bytearray(DATABASE)
    start = struct.unpack_from("<H", data, 3 * 4096 + 14)[0]
    struct.pack_into("<H", data, 3 * 4096 + 14, start | 0x4000)
    with pytest.raises(FileError, match="is a damaged or incomplete Access database"):
        bridgemate.read_source(bytes(data))


# -- packages


def test_a_run_of_one_character_that_is_compressed_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Before any part is inflated."""
    path = tmp_path / "night.xlsx"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive, archive.open("xl/workbook.xml", "w") as part:
        for _ in range(60):
            part.write(b" " * (1 << 20))
    monkeypatch.setattr(package, "_inflate", lambda _, member: pytest.fail(f"{member.filename} was inflated"))
    with pytest.raises(FileError, match="would inflate to"):
        read_results(path)
