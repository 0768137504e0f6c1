"""Duels in results: the distribution of a deal by plain loops, the scales, the study's charts, and the command."""

from __future__ import annotations

import sys
import zipfile
from itertools import permutations
from pathlib import Path
from statistics import NormalDist
from xml.etree import ElementTree

import matplotlib
import numpy as np
import pytest
from brute import imp, score, sign
from click.testing import CliRunner, Result
from drawings import assert_same_chart
from hypothesis import given
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from strategies import to_results, to_tables, tournament_rows

from valet_xl import read_results
from valet_xl.cli import duel as duel_cli
from valet_xl.documents.xlsx import Workbook
from valet_xl.engine.duel_study import (
    DEAL_METHODS,
    Distribution,
    compare_scales,
    deal_distribution,
    largest_gap,
    nearest_stretch,
    pooled,
)
from valet_xl.engine.duels import victors
from valet_xl.errors import SheetError
from valet_xl.messages import to_install
from valet_xl.reports.duel_charts import CHARTS, draw_charts, draw_deal, draw_scales
from valet_xl.reports.duels import Studies, figures, study, study_files, workbook

SCORES = "1|1|a|b|c|d|3N|N|9|SQ\n1|1|e|f|g|h|3NT|N|8|H4\n1|1|i|j|k|l|P|S|0\n1|2|i|j|k|l|4S|S|10|HA\n"
CHAMPIONSHIPS = ("2004-Istanbul", "2005-World-Women", "2013-Polish-League", "2015-World-Men")
DOCS = Path(__file__).parents[1] / "docs" / "explanation"


def run(*arguments: str | Path) -> Result:
    return CliRunner().invoke(duel_cli.duel, [*map(str, arguments)])


# -- one deal


@given(tournament_rows)
def test_one_deal_by_plain_loops(rows: list[list[tuple[int, ...]]]) -> None:
    """A board at random, and two different tables of it at random."""
    results = to_results(rows)
    boards = [[score(table, table.tricks) for table in board] for board in to_tables(results, "none")]
    boards = [scores for scores in boards if len(scores) > 1]
    for method, kernel, most in (("teams", imp, 24), ("board-a-match", sign, 1)):
        if not boards:
            with pytest.raises(SheetError, match="no board has two results"):
                deal_distribution(results, method=method)
            continue
        share = dict.fromkeys(range(-most, most + 1), 0.0)
        for scores in boards:
            drawn = list(permutations(scores, 2))
            for own, other in drawn:
                share[kernel(own - other)] += 1 / len(drawn) / len(boards)
        found = deal_distribution(results, method=method)
        assert found.share == pytest.approx(list(share.values()))
        assert found.boards == len(boards)
        assert found.mean == pytest.approx(0, abs=1e-12)
        assert found.sd**2 == pytest.approx(sum(each**2 * likely for each, likely in share.items()))
        assert found.mean_size == pytest.approx(sum(abs(each) * likely for each, likely in share.items()))
        assert found.drawn == pytest.approx(share[0])


@given(tournament_rows)
def test_a_pair_s_deal_by_plain_loops(rows: list[list[tuple[int, ...]]]) -> None:
    """A board at random, a table of it at random, either of its sides, scored against the field."""
    results = to_results(rows)
    boards = [[score(table, table.tricks) for table in board] for board in to_tables(results, "none")]
    boards = [scores for scores in boards if len(scores) > 1]

    def butler(own: int, scores: list[int]) -> float:
        apart = abs(own - sum(scores) / len(scores))
        return int(np.sign(own - sum(scores) / len(scores))) * imp(int(apart / 10 + 0.5) * 10)

    def across(own: int, scores: list[int]) -> float:
        return sum(imp(own - other) for other in scores) / (len(scores) - 1)

    def percent(own: int, scores: list[int]) -> float:
        return 50 * sum(sign(own - other) for other in scores) / (len(scores) - 1)

    for method, worth, step in (("butler", butler, 1), ("iaf", across, 0.1), ("matchpoints", percent, 1)):
        if not boards:
            with pytest.raises(SheetError, match="no board has two results"):
                deal_distribution(results, method=method)
            continue
        found = deal_distribution(results, method=method)
        squares = [sum(worth(own, scores) ** 2 for own in scores) / len(scores) for scores in boards]
        assert found.sd == pytest.approx(
            np.sqrt(sum(squares) / len(boards)), abs=step / 2 if method != "butler" else 1e-9
        )
        assert found.share == pytest.approx(found.share[::-1])
        assert found.share.sum() == pytest.approx(1)
        assert found.boards == len(boards)
        assert found.step == step


def test_duels_are_sums_of_deals() -> None:
    coin = Distribution(np.array([0.5, 0, 0.5]), 1)
    of_two = coin.of_duel(2)
    assert of_two.share == pytest.approx([0.25, 0, 0.5, 0, 0.25])
    assert of_two.balances.tolist() == [-2, -1, 0, 1, 2]
    assert coin.of_duel(1).share == pytest.approx(coin.share)
    assert coin.of_duel(9).sd == pytest.approx(3)
    with pytest.raises(ValueError, match="deals must be 1 or more, got 0"):
        coin.of_duel(0)


def test_distributions_are_pooled_by_boards() -> None:
    one, other = Distribution(np.array([0.5, 0, 0.5]), 3), Distribution(np.array([0, 1.0, 0]), 1)
    assert pooled([one, other]).share == pytest.approx([0.375, 0.25, 0.375])
    assert pooled([one, other]).boards == 4


def test_many_deals_are_normal() -> None:
    deal = Distribution(np.array([0.2, 0.1, 0.4, 0.1, 0.2]), 1)
    gaps = [deal.of_duel(deals).gap_to_normal() for deals in (1, 4, 16, 64)]
    assert gaps == sorted(gaps, reverse=True)
    assert gaps[-1] < 0.001


def test_another_method_is_named() -> None:
    with pytest.raises(
        ValueError, match="method must be one of butler, iaf, matchpoints, teams, board-a-match, got 'datum'"
    ):
        deal_distribution(to_results([[(0, 0, 0, 0, 0, -1, 0)]]), method="datum")


# -- scales


def test_scales_side_by_side() -> None:
    """26 IMPs over 16 deals are 21 by the formula; 1.3 standard deviations are in the section of 27 of 30."""
    scales = compare_scales(16, 30, [5.0, 10.0], 59.5)
    assert scales.balance.tolist() == list(range(61))
    assert scales.formula[[0, 26, 60]].tolist() == [15, 21, 25]
    assert scales.sections[:, 26].tolist() == [27, int(31 * NormalDist().cdf(0.65))]


def test_the_largest_gap_is_the_largest() -> None:
    """By trying every 0.01 of a standard deviation, for 30 points: 31 P - 1/2 against 15 + 100 z / (20 + z)."""
    gap = largest_gap()
    tried = [31 * NormalDist().cdf(at / 100) - 0.5 - 15 - 100 * (at / 100) / (20 + at / 100) for at in range(0, 223)]
    assert gap.points == pytest.approx(max(tried), abs=0.001)
    assert gap.at == pytest.approx(int(np.argmax(tried)) / 100, abs=0.01)


def test_the_formula_is_a_scale_of_sections_for_a_larger_standard_deviation() -> None:
    """Below its cap: within a quarter of a point of 30, for deals 2.45 times as wild as the page has them."""
    assert nearest_stretch() == 2.45
    assert abs(largest_gap(stretch=2.45).points) < 0.25
    assert min(abs(largest_gap(stretch=stretch).points) for stretch in (1, 2, 2.3, 2.6, 3)) > 0.25


# -- the championships, and what the documentation says of them


@pytest.fixture(scope="module")
def files(shared: Path) -> list[Path]:
    return [shared / "data" / "valet" / event / "scores.txt" for event in CHAMPIONSHIPS]


def test_one_deal_in_four_championships(files: list[Path]) -> None:
    """The figures of docs/explanation/duels.md."""
    parts = {
        method: [deal_distribution(read_results(file), method=method) for file in files] for method in DEAL_METHODS
    }
    rounded = {method: [round(part.sd, 2) for part in of_files] for method, of_files in parts.items()}
    assert rounded == {
        "butler": [5.21, 5.15, 5.09, 5.15],
        "iaf": [4.49, 4.55, 4.57, 4.52],
        "matchpoints": [27.52, 27.92, 28.41, 27.64],
        "teams": [6.37, 6.34, 6.32, 6.30],
        "board-a-match": [0.86, 0.85, 0.86, 0.84],
    }
    pairs = pooled(parts["butler"])
    size = np.abs(pairs.balances)
    assert np.round([pairs.drawn, pairs.share[(size >= 1) & (size <= 2)].sum()], 2).tolist() == [0.09, 0.32]
    assert round(pairs.share[size >= 10].sum(), 2) == 0.09
    for method, of_4, of_16 in (("butler", 0.002, 0.0003), ("matchpoints", 0.007, 0.002)):
        one = pooled(parts[method])
        np.testing.assert_array_less([one.of_duel(deals).gap_to_normal() for deals in (4, 16)], (of_4, of_16))
    points = victors(pairs.of_duel(16).balances, 16)
    assert round(pairs.of_duel(16).share[(points >= 10) & (points <= 20)].sum(), 2) == 0.75
    one = pooled(parts["teams"])
    assert (one.boards, round(one.sd, 2), round(one.mean_size, 2), round(one.drawn, 3)) == (1372, 6.33, 4.36, 0.296)
    size = np.abs(one.balances)
    hills = [one.share[(size >= low) & (size <= high)].sum() for low, high in ((1, 2), (8, 9), (10, 13))]
    assert np.round(hills, 2).tolist() == [0.21, 0.04, 0.19]
    gaps = [one.of_duel(deals).gap_to_normal() for deals in (4, 8, 16)]
    np.testing.assert_array_less(gaps, (0.007, 0.001, 0.0003))
    of_16 = one.of_duel(16)
    points = victors(of_16.balances, 16)
    assert 0.64 < of_16.share[(points >= 10) & (points <= 20)].sum() < 0.66
    at_bam = pooled(parts["board-a-match"])
    gaps = [at_bam.of_duel(deals).gap_to_normal() for deals in (4, 16)]
    np.testing.assert_array_less(gaps, (0.01, 0.002))


@pytest.mark.slow
def test_the_documentation_s_charts_and_figures_are_the_command_s(files: list[Path], tmp_path: Path) -> None:
    result = run(*files, "--charts", tmp_path)
    assert result.exit_code == 0, result.output
    for name in CHARTS:
        assert_same_chart((tmp_path / name).read_text(encoding="utf-8"), (DOCS / name).read_text(encoding="utf-8"))
        assert (DOCS / name).stat().st_size < 60_000
    shown = (DOCS / "duels.md").read_text(encoding="utf-8").split("```text\n")[1].split("```")[0]
    printed = [line for line in result.output.splitlines() if not line.startswith("written to ")]
    assert shown.splitlines() == printed


# -- the study and its charts, for a Python author


def test_a_study_of_results() -> None:
    """One board twice, 420 against -50: every deal is 10 IMPs to one side or the other."""
    one = to_results([[(4, 3, 0, 1, 10, -1, 0), (4, 3, 0, 1, 9, -1, 0)]])
    studies = study([("first", one), ("second", one)], deals=8, points=20)
    assert studies.of["teams"].files == ("first", "second")
    assert studies.errors == 0
    assert studies.of["teams"].one.sd == 10
    lines = list(figures(studies))
    assert lines[0] == "one deal, IMPs against the datum of the board (Butler)"
    scale = "a scale of 20 points for duels of 8 deals, the winners' points by their balance in IMPs"
    assert f"{scale}; 0 to 100 is the page's own construction" in lines
    assert workbook(studies) == workbook(studies)


@pytest.fixture
def axes() -> Axes:
    return Figure().add_subplot()


@pytest.fixture(scope="module")
def studies(files: list[Path]) -> Studies:
    return study_files(files)


def test_the_chart_of_a_deal(axes: Axes, studies: Studies) -> None:
    """A bar for each result from -24 to 24 IMPs, as high as its share in per cent."""
    draw_deal(axes, studies.of["butler"])
    bars = [(round(bar.get_center()[0]), bar.get_height()) for bar in axes.patches]
    assert [at for at, _ in bars] == list(range(-24, 25))
    assert [height for _, height in bars] == pytest.approx(100 * studies.of["butler"].one.share)
    assert axes.get_title() == "One deal of a duel, 1,372 boards: standard deviation 5.15 IMPs"
    assert (axes.get_xlabel(), axes.get_ylabel()) == ("result of one deal (IMPs)", "share of all results (%)")


@pytest.mark.parametrize(
    ("method", "sds", "unit", "balance"),
    [
        ("butler", ("5.00", "5.15", "12.25"), "IMPs", "winners' balance (IMPs won minus IMPs lost)"),
        ("matchpoints", ("27.88", "68.31"), "per cent", "winners' balance (per cent above 50, added up)"),
        ("board-a-match", ("0.85", "2.09"), "boards", "winners' balance (boards won minus boards lost)"),
    ],
)
def test_the_chart_of_scales(
    axes: Axes, studies: Studies, method: str, sds: tuple[str, ...], unit: str, balance: str
) -> None:
    """A line for each standard deviation and one for the formula, a step for each balance."""
    chosen = studies.of[method]
    draw_scales(axes, chosen)
    scales = chosen.scales()
    named = [f"sections of equal probability, SD {sd} {unit} per deal" for sd in sds]
    assert [line.get_label() for line in axes.patches] == [*named, "Pikier's formula"]
    for line, points in zip(axes.patches, [*scales.sections, scales.formula], strict=True):
        values, edges, _ = line.get_data()
        assert values.tolist() == points.tolist()
        assert (edges[:-1] + 0.5).tolist() == scales.balance.tolist()
    assert (axes.get_xlabel(), axes.get_ylabel()) == (balance, "winners' points (of 30)")


def test_charts_are_the_same_each_time(studies: Studies, monkeypatch: pytest.MonkeyPatch) -> None:
    """Also for a reader who has other settings."""
    first = draw_charts(studies)
    monkeypatch.setitem(matplotlib.rcParams, "font.size", 20.0)
    assert draw_charts(studies) == first
    assert matplotlib.rcParams["font.size"] == 20
    assert all("<text" in svg and "<dc:date>" not in svg for svg in first.values())


def test_without_matplotlib_the_error_names_the_extra(
    night: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Before any work; the figures and the workbook do not need it."""
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    result = run(night, "--charts", tmp_path)
    assert result.exit_code == 2
    assert result.stderr == (f"valet-xl: charts need a further package (install it with: {to_install('charts')})\n")
    assert [path.name for path in tmp_path.iterdir()] == ["scores.txt"]
    assert run(night, "--workbook", tmp_path / "duel.xlsx").exit_code == 0


# -- the command


@pytest.fixture
def night(tmp_path: Path) -> Path:
    path = tmp_path / "scores.txt"
    path.write_text(SCORES, encoding="utf-8")
    return path


def test_figures_charts_and_a_workbook(night: Path, tmp_path: Path) -> None:
    """One board has three results: 400, -50 and a pass-out; the other has one."""
    result = run(night, "--charts", tmp_path, "--workbook", tmp_path / "duel.xlsx", "--deals", 8, "--points", 20)
    assert result.exit_code == 0, result.output
    expected = np.sqrt(2 * (imp(450) ** 2 + imp(400) ** 2 + imp(50) ** 2) / 6)
    fourth = [line for line in result.output.splitlines() if "scores.txt" in line][3]
    assert fourth.split()[:4] == ["scores.txt", "1", "0.00", f"{expected:.2f}"]
    assert "a scale of 20 points for duels of 8 deals" in result.output
    for name in CHARTS:
        drawing = ElementTree.fromstring((tmp_path / name).read_text(encoding="utf-8"))
        assert drawing.tag.endswith("svg")
    book = Workbook.open(tmp_path / "duel.xlsx")
    assert list(book.sheet_names) == ["Butler", "Cross-IMPs", "Matchpoints", "Teams", "Board-a-match"]
    share = [row[1] for row in book.read("Butler").cells[1:50]]
    assert sum(share) == pytest.approx(1)  # type: ignore[arg-type]
    with zipfile.ZipFile(tmp_path / "duel.xlsx") as archive:
        assert sum("charts/chart" in name for name in archive.namelist()) == 10


def test_files_of_one_name_are_told_apart(night: Path, tmp_path: Path) -> None:
    other = tmp_path / "other" / "scores.txt"
    other.parent.mkdir()
    other.write_text(SCORES, encoding="utf-8")
    result = run(night, other)
    assert f"  {tmp_path.name}/scores.txt" in result.output
    assert "  other/scores.txt" in result.output
    assert "  all" in result.output


def test_rows_that_cannot_be_read_are_counted(night: Path) -> None:
    night.write_text(SCORES + "1|3|a|b|c|d|8H|N|9|SQ\n", encoding="utf-8")
    result = run(night)
    assert result.exit_code == 1
    assert "rows that could not be read: 1 " in result.output


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("1|1|a|b|c|d|3N|N|9|SQ\n", "no board has two results to compare"),
        ("1|1|a|b|c|d|3N|N|9|SQ\n1|1|e|f|g|h|3N|N|9|SQ\n", "no board has two results that differ"),
        ("nothing\n", "scores.txt"),
    ],
)
def test_files_that_cannot_be_used(night: Path, text: str, message: str) -> None:
    night.write_text(text, encoding="utf-8")
    result = run(night)
    assert result.exit_code == 2
    assert message in result.output
    assert len(result.output.splitlines()) == 1


def test_places_that_cannot_be_written(night: Path, tmp_path: Path) -> None:
    for arguments in (("--workbook", tmp_path / "duel.xls"), ("--charts", tmp_path / "nowhere")):
        result = run(night, *arguments)
        assert result.exit_code == 2
        assert "valet-xl: " in result.output
    assert run(tmp_path / "none.txt").exit_code == 2
    assert [path.name for path in tmp_path.iterdir()] == ["scores.txt"]


def test_folders_that_are_not_there_are_told_before_the_work(tmp_path: Path) -> None:
    """Nothing is written, though the charts could have been."""
    (tmp_path / "results.csv").write_text("Board,Contract,By,Tricks\n1,4S,N,10\n1,4S,N,9\n")
    given = [str(tmp_path / "results.csv"), "--charts", str(tmp_path), "--workbook", str(tmp_path / "none" / "x.xlsx")]
    printed = CliRunner().invoke(duel_cli.duel, given)
    assert printed.exit_code == 2
    assert printed.stderr == f"valet-xl: {tmp_path / 'none' / 'x.xlsx'}: there is no such folder\n"
    assert [path.name for path in tmp_path.iterdir()] == ["results.csv"]
