"""Saved web pages: the rows of their tables, the titles between them, suits as pictures, and what is no page."""

from __future__ import annotations

from pathlib import Path

import pytest
from assertions import processor_seconds
from result_files import PAGE

from valet_xl import read_results
from valet_xl.errors import FileError, SheetError, ValetError
from valet_xl.reading.files import format_of, open_results
from valet_xl.reading.formats import File, SheetFile

HEAD = "<tr><th>Board</th><th>Contract</th><th>By</th><th>Tricks</th><th>Lead</th></tr>"


def cells(folder: Path, text: str) -> list[list[object]]:
    path = folder / "page.html"
    path.write_text(text, "utf-8")
    rows = open_results(path).rows
    assert isinstance(rows, SheetFile)
    return [list(row) for row in rows.page.cells]


def table(*rows: str) -> str:
    return f"<html><body><table>{HEAD}{''.join(rows)}</table></body></html>"


def test_travellers_of_a_page(tmp_path: Path) -> None:
    (tmp_path / "page.htm").write_text(PAGE, "utf-8")
    results = read_results(tmp_path / "page.htm")
    assert results.boards == (("", "1"), ("", "2"))
    assert results.score[:3].tolist() == [400, 100, -110]
    assert results.lead_suit[:3].tolist() == [3, 2, 0]
    assert [str(error) for error in results.errors] == ["row 9, Bid: '9NT' (level must be 1-7)"]


@pytest.mark.parametrize(
    ("cell", "text"),
    [
        ("4&hearts;", "4♥"),
        ("4<img src='/i/heart.gif'>", "4H"),
        ("4<img src='suit_d.png'>x", "4Dx"),
        ("4<img src='https://example.org/a/spades.svg' alt=''>", "4S"),
        ("4<img alt='C' src='p1.gif'>", "4C"),
        ("4<img alt='clubs'>", "4C"),
        ("<b>4</b>\n <i>S</i>", "4 S"),
        ("3<br>NT", "3 NT"),
        ("<img src='tick.gif'>", None),
        ("&nbsp;", None),
    ],
)
def test_suits_are_pictures_or_signs(tmp_path: Path, cell: str, text: str | None) -> None:
    assert cells(tmp_path, table(f"<tr><td>1</td><td>{cell}</td></tr>"))[1][1] == text


def test_a_paragraph_ends_where_a_table_begins(tmp_path: Path) -> None:
    """Old pages leave out its end; a browser then puts the table into it, for want of a document type."""
    for beginning in ("<!DOCTYPE html>", "<html>"):
        page = f"{beginning}<p>Board 7<table>{HEAD}<tr><td>1<td>4S<td>N<td>10<td>SA</table> after it"
        assert cells(tmp_path, page)[0][0] == "Board 7"
        assert len(cells(tmp_path, page)) == 3


def test_a_cell_over_several_columns_leaves_the_others_blank(tmp_path: Path) -> None:
    page = table("<tr><td colspan=2>1</td><td>x</td></tr>", "<tr><td colspan=99999999>1</td></tr>")
    assert cells(tmp_path, page)[1][:3] == ["1", None, "x"]


def test_what_begins_like_a_page_is_one(tmp_path: Path) -> None:
    for beginning in (
        "<!DOCTYPE html>",
        "<?xml version='1.0' encoding='x'?>\n<html>",
        "<!-- saved -->\n<HTML>",
        " <table>",
    ):
        assert format_of(File(tmp_path / "x", f"{beginning}{table()}".encode())).name == "web page"
    assert format_of(File(tmp_path / "x", b"<USEBIO><EVENT/></USEBIO>")).name == "USEBIO"


@pytest.mark.parametrize(
    ("page", "error", "message"),
    [
        ("<html><body><p>Hello</p></body></html>", FileError, "is a web page without a table"),
        ("<html>", FileError, "is a web page without a table"),
        ("<table><tr><td>a</td><td>b</td></tr></table>", SheetError, "no heading row found"),
    ],
)
def test_a_page_without_results(tmp_path: Path, page: str, error: type[ValetError], message: str) -> None:
    with pytest.raises(error, match=message):
        cells(tmp_path, page)


@pytest.mark.parametrize(
    "page",
    [
        "<html>" + "<div>" * 100_000,
        "<table><tr>" + "<td>" * 100_000,
        "<table>" + "<tr><td colspan=1000>x</td></tr>" * 2_000,
        "<html><!--" + "-" * 1_000_000,
        "<html " + "a=1 " * 100_000,
        "<table>" * 5_000,
        "<html>" + "<span>x</span>" * 50_000,
    ],
    ids=range(7),
)
def test_a_hostile_page_ends_soon(tmp_path: Path, page: str) -> None:
    with processor_seconds(30):
        try:
            cells(tmp_path, page)
        except ValetError as error:
            assert "\n" not in str(error)
