"""Two pairs or players side by side: in Python, by the command, and as a worksheet function."""

from __future__ import annotations

from pathlib import Path

import pytest
import simulate as simulated
from test_cli_rank import run, table
from test_ranking_function import NIGHT, text_and_cells

from valet_xl import read_results
from valet_xl.engine.options import Options
from valet_xl.errors import ArgumentError
from valet_xl.functions.registry import REGISTRY, ErrorCell, Missing
from valet_xl.rankings.compare import compare
from valet_xl.rankings.totals import totals
from valet_xl.reading.valet_text import read_scores

FIGURES = [
    "Part",
    "First",
    "Second",
    "Difference",
    "Difference SE",
    "Difference Low",
    "Difference High",
    "p",
    "In common",
]


@pytest.fixture
def night(tmp_path: Path) -> Path:
    path = tmp_path / "scores.txt"
    path.write_text(simulated.valet_text(simulated.tournament(12, 4, seed=3)), encoding="utf-8")
    return path


def test_each_part_is_the_tables_comparison() -> None:
    """Averages and their difference agree, in matchpoints in per cent."""
    text, _ = text_and_cells()
    for options, factor in ((Options(), 1), (Options(method="matchpoints"), 50)):
        made = totals(read_scores(text), options)
        first, second = made.pairs.names[:2]
        found = compare(made, first, second)
        assert found.listing.names == FIGURES
        assert found.listing.columns[0] == ["Overall", "Bid", "Play", "Declarer", "Lead", "Defence"]
        for part, one, other, difference, error, low, high, p, common in found.listing.rows:
            expected = made.pairs.compare(0, 1, str(part).lower())
            assert (difference, error) == pytest.approx((factor * expected.difference, factor * expected.error))
            assert difference == pytest.approx(one - other)
            assert low < difference < high
            assert p == pytest.approx(expected.p)
            assert 0 <= common <= found.listing.columns[8][0] == 10


def test_a_name_that_is_not_there() -> None:
    text, _ = text_and_cells()
    made = totals(read_scores(text))
    first = made.pairs.names[0]
    with pytest.raises(ArgumentError, match=f"'{first}x' is not in the table .expected {first}"):
        compare(made, f"{first}x", made.pairs.names[1])
    with pytest.raises(ArgumentError, match="are the same"):
        compare(made, first, first)


def test_the_command(night: Path) -> None:
    """The engine's figures, on the terminal and as CSV; and for players."""
    made = totals(read_results(night))
    for who, options in (("pairs", []), ("players", ["--players"])):
        names = getattr(made, who).names[:2].tolist()
        rows = table(run("compare", night, *names, *options, "--format", "csv").stdout)
        listing = compare(made, *names, who=who).listing
        assert rows[0] == listing.names
        assert [float(row[3]) for row in rows[1:] if row[3]] == pytest.approx(
            [value for value in listing.columns[3] if value is not None], abs=1e-6
        )
    shown = run("compare", night, *made.pairs.names[:2])
    assert shown.exit_code == 0, shown.output
    heading = shown.stdout.splitlines()[0]
    assert heading == f"{made.pairs.names[0]} (12 boards) against {made.pairs.names[1]} (12 boards)"
    assert "scored 48 of 48 results" in shown.stderr


def test_the_command_with_wrong_names(night: Path) -> None:
    result = run("compare", night, "nobody at all", "8 - 9")
    assert result.exit_code == 2
    (line,) = result.stderr.splitlines()
    assert line.startswith("valet-xl: 'nobody at all' is not in the table (expected ")


def test_the_function() -> None:
    rows = REGISTRY["VALET_COMPARE"](NIGHT, 1, "3")
    assert rows[0] == FIGURES
    assert rows[1][:4] == ["Overall", 11.0, -11.0, 22.0]
    assert REGISTRY["VALET_COMPARE"](NIGHT, 1, 9) == [[ErrorCell.VALUE]]
    assert REGISTRY["VALET_COMPARE"](NIGHT, 1, 2, *[Missing.ARGUMENT] * 3, "nobody") == [[ErrorCell.VALUE]]
