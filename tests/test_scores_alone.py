"""Scores without contracts: Butler, cross-IMPs and matchpoints as with contracts, and no Valet split."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from assertions import assert_close
from click.testing import CliRunner

from valet_xl.cli.main import app
from valet_xl.engine.options import Options
from valet_xl.engine.results import Results, Status, join
from valet_xl.engine.score_results import score_results, split, summarise
from valet_xl.errors import SheetError
from valet_xl.rankings.simulate import simulate
from valet_xl.rankings.tableau import tableau
from valet_xl.rankings.totals import totals
from valet_xl.reading.rows import read_rows


def points(*scores: object, **columns: list[object]) -> Results:
    """Scores of board 1."""
    fields = {"board": [1] * len(scores), "score": list(scores), **columns}
    return read_rows(fields, range(2, len(scores) + 2))


def without_contracts(results: Results) -> Results:
    """The same tournament, of which only the scores are known."""
    boards = [results.boards[board] for board in results.board.tolist()]
    names = [["" if at < 0 else results.names[at] for at in side] for side in results.sides.T.tolist()]
    return read_rows(
        {
            **{"round": [turn for turn, _ in boards], "board": [number for _, number in boards]},
            **{"ns": names[0], "ew": names[1], "ns_score": results.score.tolist()},
        },
        range(2, len(results) + 2),
        rounds="new",
    )


@pytest.fixture(scope="module")
def tournament() -> Results:
    return simulate(pairs=8, boards=14, seed=5).results


OPTIONS = [
    Options(),
    Options(method="datum"),
    Options(method="datum", datum="trimmed", rounding="nearest", double=True),
    Options(method="matchpoints"),
    Options(imp_rounding="down"),
]


@pytest.mark.parametrize("options", OPTIONS, ids=range(len(OPTIONS)))
def test_the_scores_are_those_of_the_same_results_with_contracts(tournament: Results, options: Options) -> None:
    alone = without_contracts(tournament)
    assert set(alone.status.tolist()) == {Status.SCORED} and not alone.errors
    known, found = score_results(tournament, options), score_results(alone, options)
    for name in ("score", "datum", "butler", "cross_imps", "matchpoints", "percent"):
        expected = getattr(known, name)
        assert_close(getattr(found, name), expected) if expected is not None else None
    for name in ("bid", "play", "lead", "defence", "luck"):
        assert np.isnan(getattr(found, name)).all()
    assert set(found.note) == {"no contract, so no Bid, Play, Lead and Defence"}
    summary = summarise(alone, found.butler, found.bid)
    assert (summary.scored, summary.results, summary.complete) == (len(alone), len(alone), True)


@pytest.mark.parametrize("options", OPTIONS, ids=range(len(OPTIONS)))
def test_pairs_have_the_same_overall_averages(tournament: Results, options: Options) -> None:
    alone = without_contracts(tournament)
    assert_close(np.abs(split(alone, options).overall), np.abs(split(tournament, options).overall))
    known, found = totals(tournament, options).pairs, totals(alone, options).pairs
    expected = dict(zip(known.names, known["overall"].average, strict=True))
    assert_close(found["overall"].average, [expected[name] for name in found.names])
    assert np.isnan(found["bid"].average).all()
    assert totals(alone, options).adjusted == 0


def test_a_board_with_both_has_no_split_and_right_signs() -> None:
    contracts = {"board": [1, 1], "ns": [1, 3], "ew": [2, 4], "contract": ["4SN", "4SE"], "tricks": [10, 10]}
    known = read_rows(contracts, [2, 3])
    both = join([known, points(-50, 420, ns=[5, 7], ew=[6, 8])], ["", ""])
    parts = split(both, Options())
    # 420 against -420, -50, 420: 13, 10, 0 IMPs. -420 against 420, -50, 420: -13, -9, -13, and East declared it.
    assert_close(parts.overall, [23 / 3, 35 / 3, (-10 + 9 - 10) / 3, 23 / 3])
    assert np.isnan(parts.bid).all()


def test_what_a_score_may_be() -> None:
    results = points(420, 425, -50, "P", 0, "A+", None)
    assert [str(error) for error in results.errors] == [
        "row 3, score: '425' (expected a score that a contract can have, such as 420 or -50)"
    ]
    assert results.status.tolist() == [5, 4, 5, 5, 5, 2, 3]
    assert results.score[[0, 2, 3, 4]].tolist() == [420, -50, 0, 0]


def test_points_of_both_sides() -> None:
    def read(ns: list[object], ew: list[object]) -> Results:
        return read_rows({"board": [1] * len(ns), "ns_score": ns, "ew_score": ew}, range(2, len(ns) + 2))

    assert read([420, None, 0], [None, 50, 0]).score.tolist() == [420, -50, 0]
    assert read([420, None], [None, -50]).score.tolist() == [420, -50]
    assert read([420, -50], [-420, 50]).score.tolist() == [420, -50]
    assert "points of one side" in str(read([420, 50, 100], [None, 50, -100]).errors[0])


def test_a_column_that_does_not_say_which_side_scored_is_refused() -> None:
    with pytest.raises(SheetError, match="the column score does not say which side has scored"):
        points(420, 50)


def test_imps_are_no_scores_and_contracts_are_not_overlooked() -> None:
    assert points(5, -3, 2).errors[0].expected == "expected a contract"
    for column in ("contract", "declarer", "tricks"):
        cells = ["4S", None] if column == "contract" else ["N", None] if column == "declarer" else [10, None]
        assert Status.SCORED not in points(420, -50, **{column: cells}).status


def test_a_tableau_leaves_them_out_and_the_board_says_so(tmp_path: Path) -> None:
    results = points(420, -50)
    assert len(tableau(results, split(results, Options())).results) == 0
    path = tmp_path / "night.csv"
    path.write_text("Board,NS,EW,Score\n1,1,2,420\n1,3,4,-50\n")
    said = CliRunner().invoke(app, ["board", str(path), "1"])
    assert said.exit_code == 1 and "not split: the board has scores without contracts" in said.stderr
    report = CliRunner().invoke(app, ["rank", str(path), "-o", str(tmp_path / "report.xlsx")])
    assert report.exit_code == 0, report.stderr
