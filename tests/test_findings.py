"""The findings of the Valet paper: deviations of pairs, teams by plain loops, and the command."""

from __future__ import annotations

from pathlib import Path
from statistics import mean, stdev

import pytest
import simulate as simulated
from brute import imp
from click.testing import CliRunner, Result

from valet_xl import butler, cross_imps, read_results
from valet_xl.cli import findings as findings_cli
from valet_xl.engine.options import Options
from valet_xl.errors import SheetError
from valet_xl.rankings.findings import findings, mean_of
from valet_xl.rankings.totals import totals
from valet_xl.reading.valet_text import read_scores

CHAMPIONSHIPS = ("2004-Istanbul", "2005-World-Women", "2013-Polish-League", "2015-World-Men")
DOCS = Path(__file__).parents[1] / "docs" / "explanation"


def run(*arguments: str | Path) -> Result:
    return CliRunner().invoke(findings_cli.findings, [*map(str, arguments)])


def test_spread_of_pairs_and_distance_from_teams() -> None:
    results = read_scores(simulated.valet_text(simulated.tournament(12, 4, seed=3)))
    least = int(sorted(totals(results).pairs.boards)[len(totals(results).pairs) // 2])
    found = findings(results, minimum=least)
    iaf, datum = (totals(results, Options(method=method)).pairs for method in ("iaf", "datum"))
    kept = [name for name, boards in zip(iaf.names, iaf.boards, strict=True) if boards >= least]
    assert found.pairs == len(kept)

    def spread(table, column):
        return stdev(float(table[column].sum[table.row(name)] / table.boards[table.row(name)]) for name in kept)

    assert (found.iaf, found.datum) == pytest.approx((spread(iaf, "overall"), spread(datum, "overall")))
    assert (found.bid, found.play) == pytest.approx((spread(iaf, "bid"), spread(iaf, "play")))
    assert (found.declarer, found.defending) == pytest.approx((spread(iaf, "declarer"), spread(iaf, "defending")))
    for score, mine in ((cross_imps, found.from_iaf), (butler, found.from_datum)):
        boards = []
        for board in range(len(results.boards)):
            of_board = results.score[(results.board == board) & results.in_field]
            worth = score(of_board)
            apart = [
                (worth[one] - worth[other] - imp(int(of_board[one] - of_board[other]))) ** 2
                for one in range(len(of_board))
                for other in range(len(of_board))
                if one != other
            ]
            if apart:
                boards.append(mean(apart))
        assert mine == pytest.approx(mean(boards) ** 0.5)
    assert mean_of([found, found]).bid == found.bid
    assert mean_of([found, found]).pairs == 2 * found.pairs


def test_too_few_pairs_are_named(tmp_path: Path) -> None:
    results = simulated.tournament(12, 4, seed=3)
    with pytest.raises(SheetError, match="0 pairs with 5,000 boards or more"):
        findings(results, minimum=5000)
    path = tmp_path / "scores.txt"
    path.write_text(simulated.valet_text(results), encoding="utf-8")
    refused = run(path, "--minimum", "5000")
    assert refused.exit_code == 2
    assert "scores.txt: 0 pairs" in refused.stderr
    assert run(path, "--minimum", "1").exit_code == 0
    path.write_text(path.read_text(encoding="utf-8") + "1|3|a|b|c|d|8H|N|9|SQ\n", encoding="utf-8")
    assert run(path, "--minimum", "1").exit_code == 1


def test_the_figures_of_the_page_are_the_command_s(shared: Path) -> None:
    files = [shared / "data" / "valet" / event / "scores.txt" for event in CHAMPIONSHIPS]
    result = run(*files)
    assert result.exit_code == 0, result.output
    page = (DOCS / "findings.md").read_text(encoding="utf-8")
    assert page.split("```text\n")[1].split("```")[0] == result.output
    mean_found = mean_of([findings(read_results(file)) for file in files])
    assert f"| {mean_found.ratio:.2f} | {mean_found.bid:.3f} | {mean_found.play:.3f} |" in page
