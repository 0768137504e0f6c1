"""The report as a page: what the workbook has, links that lead somewhere, names that stay names, nothing to load."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np
import pytest
from colour_vision import least_difference
from lxml import etree
from lxml import html as lxml_html
from test_cli_rank import night, run  # noqa: F401 - night is a fixture
from test_report import HOSTILE
from test_report import night as event_of

from valet_xl.rankings.explain import Explained
from valet_xl.rankings.explanation_words import words
from valet_xl.rankings.listing import printable, shown
from valet_xl.rankings.ranking import rank, reliabilities
from valet_xl.reports import html, web_report
from valet_xl.reports.svg import waterfall
from valet_xl.reports.web_report import explanation_page

NASTY = (
    *HOSTILE,
    "<script>alert(1)</script>",
    '"><img src=x onerror=alert(1)>',
    "&lt;b&gt; ' \" </details>",
    "]]> -->",
)
SCHEMES = html._STYLE.split("@media (prefers-color-scheme: dark)")


def page(data: bytes) -> lxml_html.HtmlElement:
    return lxml_html.document_fromstring(data.decode("utf-8"))


def cells(table: lxml_html.HtmlElement) -> list[list[str]]:
    return [[cell.text_content() for cell in row] for row in table.iterfind("tbody/tr")]


def colours(text: str) -> dict[str, str]:
    return dict(re.findall(r"--(\w+): (#[0-9a-f]{6})", text.partition("}")[0]))


def test_the_page_has_the_ranking_and_why_each_pair_has_its_place() -> None:
    event = event_of()
    found = page(web_report.web_report(event, "A night"))
    assert found.xpath("//h1")[0].text_content() == "A night"
    ranking = rank(event.totals)
    listed = {table.findtext("caption"): table for table in found.iter("table")}
    kept = [at for at, heading in enumerate(ranking.listing.headings) if heading.need <= 4]
    expected = [
        [printable(shown(row[at], ranking.listing.headings[at].format)) for at in kept] for row in ranking.listing.rows
    ]
    assert cells(listed["Pairs"]) == expected
    shares = {column: f"{share:.2f}" for column, share, _ in reliabilities(event.totals, ranking.table).rows}
    foot = [cell.text_content() for cell in listed["Pairs"].find("tfoot/tr")]
    names = [cell.text_content() for cell in listed["Pairs"].find("thead/tr")]
    assert {name: text for name, text in zip(names, foot, strict=True) if text and name != "Pair"} == shares
    explained = Explained(event)
    for name in ranking.table.names.tolist():
        made = explained.explain(name)
        assert " ".join(words(made)) in [each.text_content() for each in found.iter("p")]
        steps = cells(listed[f"What the average of {name} is made of"])
        assert [row[0] for row in steps] == made.waterfall.columns[0]
        assert steps[-1][7] == shown(made.figure, "0.00")
        assert len(cells(listed[f"{name}: all boards"])) == made.boards
    assert sum(title is not None and title.startswith("Board ") for title in listed) == 8


def test_links_lead_to_places_that_are_there_once() -> None:
    found = page(web_report.web_report(event_of(), "x"))
    places = [each.get("id") for each in found.xpath("//*[@id]")]
    assert len(places) == len(set(places))
    targets = {each.get("href") for each in found.iter("a")}
    assert targets
    assert {f"#{place}" for place in places} >= targets


def test_names_stay_names_and_nothing_is_loaded() -> None:
    """Whatever they look like: no element, no address, no script comes from them."""
    data = web_report.web_report(event_of(names=NASTY), NASTY[8])
    found = page(data)
    kinds = {each.tag for each in found.iter() if isinstance(each.tag, str)}
    assert not kinds & {"script", "img", "link", "iframe", "object", "embed", "b", "form", "base"}
    assert {
        name for each in found.iter() for name in each.attrib if name in ("src", "style") or name.startswith("on")
    } == set()
    assert "default-src 'none'" in found.xpath("//meta[@http-equiv]")[0].get("content")
    assert not re.search(r"url\(|@import", html._STYLE)
    text = found.text_content()
    for name in NASTY[1:]:
        assert printable(name)[:10] in text
    assert "\x1b" not in data.decode("utf-8")
    assert data == web_report.web_report(event_of(names=NASTY), NASTY[8])


def test_charts_are_drawings_with_a_name() -> None:
    found = page(web_report.web_report(event_of(method="matchpoints"), "x"))
    drawings = list(found.iter("svg"))
    assert len(drawings) == 2 + 2 * 12
    for drawing in drawings:
        text = etree.tostring(drawing, encoding="unicode")
        etree.fromstring(text)
        assert "nan" not in text.lower().replace("finance", "")
        assert drawing.get("role") == "img"
        assert drawing.get("aria-label")


def test_the_bars_of_a_waterfall_begin_where_the_last_one_ends() -> None:
    event = event_of()
    for row in range(12):
        made = Explained(event).of_row(row)
        drawing = etree.fromstring(waterfall(made))
        bars = [
            (float(each.get("x")), float(each.get("x")) + float(each.get("width")), "gain" in each.get("class"))
            for each in drawing.iter("rect")
        ]
        assert len(bars) == len(made.steps) + 1
        ends = [bar[1] if bar[2] else bar[0] for bar in bars]
        starts = [bar[0] if bar[2] else bar[1] for bar in bars]
        assert np.allclose(starts[1:-1], ends[:-2], atol=1.5)  # a bar is at least one pixel wide
        assert ends[-1] == pytest.approx(ends[-2], abs=1.5)
        assert starts[-1] == pytest.approx(starts[0], abs=1.5)


@pytest.mark.parametrize("scheme", [0, 1], ids=["light", "dark"])
def test_every_colour_vision_tells_the_colours_of_charts_apart(scheme: int) -> None:
    used = colours(SCHEMES[0]) | (colours(SCHEMES[1]) if scheme else {})
    assert least_difference([used[name] for name in ("bid", "declarer", "lead", "defence")]) >= 20
    assert least_difference([used["gain"], used["loss"]]) >= 20
    for name in ("bid", "lead", "defence", "gain", "loss", "edge"):
        assert least_difference([used[name], used["page"]]) >= 20


def test_what_has_no_room_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    for name, number in (("PAIRS", 4), ("LINES", 20), ("ROWS", 5)):
        monkeypatch.setattr(web_report, name, number)
    found = page(web_report.web_report(event_of(), "x"))
    said = [each.text_content() for each in found.iter("dd")]
    assert "the first 4 of 12 are explained" in said
    assert any(re.fullmatch(r"of the first \d of 8 boards", line) for line in said)
    assert "the first 5 are listed" in said
    assert len(found.xpath("//div[starts-with(@id, 'pair-')]")) == 4


def test_the_command_writes_a_page_alone_or_next_to_the_workbook(night: Path, tmp_path: Path) -> None:  # noqa: F811
    alone, book = tmp_path / "alone.html", tmp_path / "both.xlsx"
    assert run("rank", night, "-o", alone).exit_code == 0
    result = run("rank", night, "-o", book, "--html")
    assert result.exit_code == 0
    assert result.stderr.endswith(f"written to {book}\nwritten to {tmp_path / 'both.html'}\n")
    assert (tmp_path / "both.html").read_bytes() == alone.read_bytes()
    assert book.read_bytes()[:2] == b"PK"
    assert run("rank", night, "--players", "-o", tmp_path / "players.html").exit_code == 0


def test_the_command_refuses_what_does_not_go_together(night: Path, tmp_path: Path) -> None:  # noqa: F811
    for arguments in (("--html",), ("--html", "-o", "x.csv"), ("--html", "-o", "x.html")):
        result = run("rank", night, *arguments)
        assert result.exit_code == 2
        assert "--html writes a page next to a report (expected --output NAME.xlsx" in result.stderr
    result = run("rank", night, "-o", tmp_path / "x.pdf")
    assert "(expected .csv, .xlsx or .html)" in result.stderr
    mine = tmp_path / "scores.html"
    mine.write_text("<table><tr><th>Board<th>Contract<th>By<th>Tricks<tr><td>1<td>4S<td>N<td>10</table>", "utf-8")
    result = run("rank", mine, "-o", tmp_path / "scores.xlsx", "--html")
    assert result.exit_code == 2
    assert "is a file of results" in result.stderr
    assert not (tmp_path / "scores.xlsx").exists()


def test_an_explanation_is_a_page_too(night: Path, tmp_path: Path) -> None:  # noqa: F811
    event = event_of()
    made = Explained(event, who="players").of_row(0)
    found = page(explanation_page(made))
    assert found.xpath("//h1")[0].text_content() == made.name
    assert [each.text_content() for each in found.iter("summary")][:3] == ["Partners", "Opponents", "Contracts"]
    assert len(found.xpath("//tr[@class='own']")) == 6
    output = tmp_path / "why.html"
    result = run("explain", night, "Player 12", "--players", "-o", output)
    assert result.exit_code == 0, result.output
    assert page(output.read_bytes()).xpath("//h1")[0].text_content() == "Player 12"
