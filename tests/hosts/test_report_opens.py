"""A real office opens a report: every sheet, figure and chart is there, and it prints."""

from __future__ import annotations

import csv
import io
import re
import zipfile
from pathlib import Path
from xml.sax.saxutils import unescape

import pytest
from office import CSV, Office, needs_calc, program
from test_report import HOSTILE, night

from valet_xl.rankings.listing import printable
from valet_xl.rankings.ranking import rank
from valet_xl.reports.book import TOP
from valet_xl.reports.report import report

pytestmark = needs_calc


@pytest.fixture(scope="module")
def office(tmp_path_factory: pytest.TempPathFactory) -> Office:
    """An office with a new profile."""
    return Office(program() or "", tmp_path_factory.mktemp("profile"))


@pytest.fixture(scope="module")
def written(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A report of a night whose players have names that look like formulas and links."""
    path = tmp_path_factory.mktemp("report") / "report.xlsx"
    path.write_bytes(report(night(boards=4, tables=3, names=HOSTILE), "Club night"))
    return path


def sheet_names(path: Path) -> list[str]:
    with zipfile.ZipFile(path) as package:
        text = package.read("xl/workbook.xml").decode("utf-8")
    return [unescape(name, {"&apos;": "'"}) for name in re.findall(r'<sheet name="([^"]+)"', text)]


def test_figures_are_there(office, written, tmp_path):
    """The ranking as the office sees it has the engine's names and figures, the names as they were written."""
    folder = office.convert(written, tmp_path, CSV)
    assert len(list(folder.iterdir())) == len(sheet_names(written))
    rows = list(csv.reader(io.StringIO((folder / "report-Ranking.csv").read_text(encoding="utf-8"))))
    ranking = rank(night(boards=4, tables=3, names=HOSTILE).totals)
    assert [name for name in rows[TOP] if name and not name.endswith(" bar")] == ranking.listing.names
    at = rows[TOP].index("Overall")
    for row, name, overall in zip(rows[TOP + 1 :], ranking.table.names, ranking.table["overall"].average, strict=True):
        assert row[1] == printable(name)
        assert float(row[at]) == pytest.approx(overall)


def test_an_office_keeps_sheets_links_bars_and_charts(office, written, tmp_path):
    """What it saves again has the same sheets in order, all charts, error bars, data bars, links and filters."""
    saved = office.convert(written, tmp_path, "xlsx") / "report.xlsx"
    assert sheet_names(saved) == sheet_names(written)
    with zipfile.ZipFile(saved) as package:
        texts = {name: package.read(name).decode("utf-8") for name in package.namelist() if name.endswith(".xml")}
    charts = [text for name, text in texts.items() if re.match(r"xl/charts/chart\d+\.xml", name)]
    pairs = 6
    assert len(charts) == 2 + 2 * pairs  # each pair has a waterfall and a comparison
    assert sum("<c:errBars>" in text for text in charts) == 1 + pairs
    ranking = texts["xl/worksheets/sheet1.xml"]
    for piece in ("<dataBar", "<autoFilter", "<hyperlink ", 'state="frozen"'):
        assert piece in ranking


def test_it_prints(office, written, tmp_path):
    pages = (office.convert(written, tmp_path, "pdf") / "report.pdf").read_bytes()
    assert pages.startswith(b"%PDF")
    assert len(re.findall(rb"/Type\s*/Page\b", pages)) >= len(sheet_names(written))
