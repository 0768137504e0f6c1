"""The event's own scoring: what files announce, Neuberg's formula in rankings, and awards that give both sides more."""

from __future__ import annotations

import csv
import io
from pathlib import Path

import numpy as np
import pytest
from access_file import access_file
from bench.judge_events import judged
from click.testing import CliRunner, Result
from test_bridgemate import columns, tables
from test_usebio import board, line

from valet_xl.cli.main import app
from valet_xl.documents.xlsx import Workbook
from valet_xl.engine.options import Options
from valet_xl.engine.results import Results, normal_results
from valet_xl.engine.score_results import score_results, split
from valet_xl.rankings.strength import strengths
from valet_xl.rankings.totals import totals
from valet_xl.reading import bridgemate, pbn, usebio
from valet_xl.reading.event_options import winners_said
from valet_xl.reading.rows import read_rows
from valet_xl.reading.source import Announced

# -- what files announce


def of_usebio(*events: str) -> Announced:
    return usebio.read_source(f"<USEBIO>{''.join(events)}</USEBIO>".encode()).announced


def typed(kind: str, *parts: str) -> str:
    return f'<EVENT EVENT_TYPE="{kind}">{"".join(parts) or board(1, line())}</EVENT>'


@pytest.mark.parametrize(
    ("kind", "method"),
    [
        *(("MP_PAIRS", "matchpoints"), ("BUTLER_PAIRS", "datum"), ("CROSS_IMP", "iaf"), ("CROSS_IMPS", "iaf")),
        *(("SWISS_PAIRS_CROSS_IMPS", "iaf"), ("SWISS_PAIRS_BUTLER_IMPS", "datum"), ("TEAMS_OF_FOUR", "datum")),
        *(("SWISS_TEAMS", "datum"), ("BAM_TEAMS", "matchpoints")),
        *(("PAIRS", ""), ("INDIVIDUAL", ""), ("AGGREGATE", "")),
    ],
)
def test_event_types_of_usebio(kind: str, method: str) -> None:
    announced = of_usebio(typed(kind))
    assert (announced.method, announced.words) == (method, f"EVENT_TYPE {kind}" if method else "")


def test_files_say_what_the_event_is_called() -> None:
    """The description before the name; nothing if there are several events."""
    name, described = "<EVENT_NAME>Monday</EVENT_NAME>", "<EVENT_DESCRIPTION>Club  night</EVENT_DESCRIPTION>"
    assert of_usebio(typed("PAIRS", name, described, board(1, line()))).title == "Club night"
    assert of_usebio(typed("PAIRS", name, board(1, line()))).title == "Monday"
    both = (typed("PAIRS", name, board(1, line())), typed("PAIRS", described, board(1, line())))
    assert of_usebio(*both).title == of_usebio(typed("PAIRS")).title == ""
    game = '[Event "Club night"]\n[Board "1"]\n[ScoreTable "Contract;Declarer;Result"]\n4S N 10\n4S N 9\n'
    assert pbn.read_source(game).announced.title == "Club night"


def test_usebio_says_the_scoring_in_other_elements_too() -> None:
    scoring = "<BOARD_SCORING_METHOD>MATCH_POINTS</BOARD_SCORING_METHOD>"
    assert of_usebio(typed("PAIRS", scoring, board(1, line()))).words == "BOARD_SCORING_METHOD MATCH_POINTS"
    pairwise = "<PAIRWISE_SCORING_METHOD>CROSS_IMPS</PAIRWISE_SCORING_METHOD>"
    teams = "<BOARD_SCORING_METHOD>IMPS</BOARD_SCORING_METHOD><MATCH_SCORING_METHOD>VPS</MATCH_SCORING_METHOD>"
    assert of_usebio(typed("TEAMS", teams, pairwise, board(1, line()))).method == "iaf"
    points = "<NS_BUTLER_POINTS>1</NS_BUTLER_POINTS><EW_BUTLER_POINTS>-1</EW_BUTLER_POINTS>"
    announced = of_usebio(typed("PAIRS", board(1, line(more=points))))
    assert (announced.method, announced.words) == ("datum", "NS_BUTLER_POINTS")


def test_events_that_do_not_agree_announce_nothing() -> None:
    assert of_usebio(typed("MP_PAIRS"), typed("BUTLER_PAIRS")).method == ""
    assert of_usebio(typed("MP_PAIRS"), typed("MP_PAIRS")).method == "matchpoints"


@pytest.mark.parametrize(("text", "winners"), [("1", 1), ("2", 2), ("3", 0), ("", 0)])
def test_winners_of_usebio(text: str, winners: int) -> None:
    assert of_usebio(typed("MP_PAIRS", f"<WINNER_TYPE>{text}</WINNER_TYPE>", board(1, line()))).winners == winners


@pytest.mark.parametrize(
    ("scoring", "method"),
    [
        *(("MatchPoints", "matchpoints"), ("MP", "matchpoints"), ("IMP;Cross", "iaf"), ("IMP", "iaf")),
        *(("Butler", "datum"), ("IMP;Butler", "datum"), ("Chicago", ""), ("?", ""), ("", "")),
    ],
)
def test_scoring_of_pbn(scoring: str, method: str) -> None:
    text = f'[Board "1"]\n[Scoring "{scoring}"]\n[ScoreTable "Contract;Declarer;Result"]\n4S N 10\n4S N 9'
    announced = pbn.read_source(text).announced
    assert (announced.method, announced.words) == (method, f"[Scoring {scoring}]" if method else "")


def test_deals_without_results_announce_nothing_in_pbn() -> None:
    text = '[Board "1"]\n[Scoring "MP"]\n[Board "2"]\n[Scoring "IMP"]\n[ScoreTable "Contract;Declarer;Result"]\n4S N 10'
    assert pbn.read_source(text).announced.method == "iaf"


@pytest.mark.parametrize(
    ("scored", "winners", "announced"),
    [
        (1, 2, Announced("matchpoints", "ScoringType 1", 2)),
        (2, 0, Announced("iaf", "ScoringType 2")),
        (4, 1, Announced(winners=1)),
        (None, None, Announced()),
    ],
)
def test_settings_of_a_bridgemate_file(scored: int | None, winners: int | None, announced: Announced) -> None:
    names = {"ID": "int", "Letter": "text", "Session": "int", "ScoringType": "int", "Winners": "int"}
    section = columns(names, [[1, "A", 1, scored, winners]])
    assert bridgemate.read_source(access_file(tables({}, Section=section))).announced == announced


# -- what the commands take from them


def run(*arguments: object) -> Result:
    return CliRunner().invoke(app, list(map(str, arguments)))


def overall(result: Result) -> dict[str, float]:
    rows = list(csv.DictReader(io.StringIO(result.stdout.removeprefix("\ufeff"))))
    return {row["Pair"]: float(row["Overall"]) for row in rows}


NIGHT = (board(1, line("1", "2", tricks="10"), line("3", "4", tricks="9")),)


def written(folder: Path, kind: str, *more: str, name: str = "night.xml") -> Path:
    path = folder / name
    path.write_text(f"<USEBIO>{typed(kind, *more, *NIGHT)}</USEBIO>", encoding="utf-8")
    return path


def test_the_events_own_scoring_is_the_default(tmp_path: Path) -> None:
    """A win is 100 % or 10 IMPs, and 420 against -50 is 6 IMPs from the datum of 185."""
    for kind, best, said in (
        ("MP_PAIRS", 100, "matchpoints, as the event was: EVENT_TYPE MP_PAIRS (if not: --method)"),
        ("CROSS_IMPS", 10, "cross-IMPs, as the event was: EVENT_TYPE CROSS_IMPS (if not: --method)"),
        ("BUTLER_PAIRS", 6, "Butler, as the event was: EVENT_TYPE BUTLER_PAIRS (if not: --method)"),
    ):
        result = run("rank", written(tmp_path, kind), "--format", "csv")
        assert max(overall(result).values()) == best
        assert f"scored by {said}" in result.stderr


def test_a_report_says_what_was_taken(tmp_path: Path) -> None:
    run("rank", written(tmp_path, "MP_PAIRS"), "--output", tmp_path / "report.xlsx")
    rows = Workbook.open(tmp_path / "report.xlsx").read("About").cells
    said = [row[1] for row in rows if row[0] == "Scoring"]
    assert said == ["scored by matchpoints, as the event was: EVENT_TYPE MP_PAIRS (if not: --method)"]


def test_a_method_that_is_asked_for_wins(tmp_path: Path) -> None:
    """Also if it is the one that files without an announcement are scored by."""
    result = run("rank", written(tmp_path, "MP_PAIRS"), "--method", "iaf", "--format", "csv")
    assert max(overall(result).values()) == 10
    assert "as the event was" not in result.stderr


def test_files_that_do_not_agree(tmp_path: Path) -> None:
    files = [written(tmp_path, kind, name=f"{kind}.xml") for kind in ("MP_PAIRS", "BUTLER_PAIRS")]
    result = run("rank", *files)
    assert "MP_PAIRS.xml by matchpoints, BUTLER_PAIRS.xml by Butler; here by cross-IMPs" in result.stderr
    (tmp_path / "more.csv").write_text("Board,NS,EW,Contract,By,Tricks\n1,1,2,4S,N,10\n1,3,4,4S,N,9\n")
    result = run("rank", files[0], tmp_path / "more.csv")
    assert "scored by matchpoints, as the event was: EVENT_TYPE MP_PAIRS" in result.stderr


def test_scores_and_tableaux_are_the_events_own(tmp_path: Path) -> None:
    path = written(tmp_path, "MP_PAIRS")
    result = run("score", path)
    assert "scored by matchpoints, as the event was" in result.output
    rows = (tmp_path / "night-scored.csv").read_text(encoding="utf-8-sig").splitlines()
    assert "MP %" in rows[0] and "IAF" not in rows[0]
    assert "IAF" in _first_line(run("score", path, "--method", "iaf"), tmp_path)
    assert (
        run("board", path, 1).stdout.splitlines()[2:]
        != run("board", path, 1, "--method", "iaf").stdout.splitlines()[2:]
    )


def _first_line(result: Result, folder: Path) -> str:
    assert result.exit_code == 0
    return (folder / "night-scored.csv").read_text(encoding="utf-8-sig").splitlines()[0]


def test_the_datum_is_by_the_rule_of_the_published_ones(tmp_path: Path) -> None:
    """Scores 450, 420, 170, -50 have the mean 247.5, and 295 without the highest and lowest: to the nearest 10, 300."""
    played = (("4S", "11"), ("4S", "10"), ("2S", "10"), ("4S", "9"))
    lines = [line(str(at), str(at + 4), contract, tricks=made) for at, (contract, made) in enumerate(played, start=1)]
    for published, said in (
        ("247.5", "mean, rounding none"),
        ("300", "trimmed, 1 left out at each end, rounding nearest"),
        ("777", ""),
    ):
        of_board = board(1, *lines).replace(
            "<TRAVELLER_LINE>", f"<BOARD_AVERAGE>{published}</BOARD_AVERAGE><TRAVELLER_LINE>", 1
        )
        path = tmp_path / "night.xml"
        path.write_text(f"<USEBIO>{typed('BUTLER_PAIRS', of_board)}</USEBIO>", encoding="utf-8")
        result = run("rank", path)
        for given in (result, run("rank", path, "--method", "datum")):
            assert (f"the rule that gives all published ones: {said}" in given.stderr) == bool(said)
        assert "the rule that gives" not in run("rank", path, "--datum", "median").stderr


def test_winners_that_do_not_agree_are_said(tmp_path: Path) -> None:
    one, two = (written(tmp_path, "MP_PAIRS", f"<WINNER_TYPE>{at}</WINNER_TYPE>", name=f"{at}.xml") for at in "12")
    assert "the file says that there is 1 winner, but nothing compares the pairs of 2 groups" in run("rank", one).stderr
    assert "the file says" not in run("rank", two).stderr
    assert list(winners_said(2, 1)) == [
        "the file says that there are 2 winners, but pairs sat both ways, so that all have one ranking"
    ]


def test_what_is_beyond_the_boards_is_said(tmp_path: Path) -> None:
    """A handicap, or an adjustment of a total, is in no traveller line."""
    pairs = "".join(
        f"<PAIR><PAIR_NUMBER>{number}</PAIR_NUMBER><HANDICAP>{handicap}</HANDICAP><ADJUSTMENT>0.00</ADJUSTMENT></PAIR>"
        for number, handicap in ((1, "0.5"), (2, "0"), (3, "-1"))
    )
    result = run("rank", written(tmp_path, "MP_PAIRS", f"<PARTICIPANTS>{pairs}</PARTICIPANTS>"))
    said = "night.xml: HANDICAP of 2 pairs is not in the results of boards and does not count"
    assert said in result.stderr and "ADJUSTMENT" not in result.stderr


# -- Neuberg


def night(tables: dict[int, int], **more: str) -> Results:
    """Boards with so many tables each; table t has pairs t and 100 + t, and t tricks fewer than ten."""
    rows = [(number, table) for number, count in tables.items() for table in range(count)]
    return read_rows(
        {
            "board": [number for number, _ in rows],
            "ns": [str(table) for _, table in rows],
            "ew": [str(100 + table) for _, table in rows],
            "contract": [more.get(f"b{number}t{table}", "4SN") for number, table in rows],
            "tricks": [None if f"b{number}t{table}" in more else 10 - table for number, table in rows],
        },
        range(2, len(rows) + 2),
    )


def test_the_normal_number_is_what_a_quarter_of_the_boards_have() -> None:
    """Six tables on most boards; five and four are missing tables, and seven on one board is a result too many."""
    results = night({1: 6, 2: 6, 3: 5, 4: 4, 5: 6, 6: 7, 7: 6, 8: 6})
    expected = {1: 6, 3: 6, 4: 6, 6: 7}
    normal = normal_results(results)
    for number, count in expected.items():
        (at,) = [at for at, (_, name) in enumerate(results.boards) if name == str(number)]
        assert set(normal[results.board == at].tolist()) == {count}


def test_sessions_have_normal_numbers_of_their_own() -> None:
    """Two sections that play other boards with other pairs, of six tables and of three."""
    rows = [
        (number, table, part)
        for part, count in (("A", 6), ("B", 3))
        for number in range(1, 4)
        for table in range(count)
    ]
    results = read_rows(
        {
            "board": [number + (10 if part == "B" else 0) for number, _, part in rows],
            "ns": [f"{part} n{table}" for _, table, part in rows],
            "ew": [f"{part} e{table}" for _, table, part in rows],
            "contract": ["4SN"] * len(rows),
            "tricks": [10] * len(rows),
        },
        range(len(rows)),
    )
    assert normal_results(results).tolist() == [6 if part == "A" else 3 for _, _, part in rows]


@pytest.mark.parametrize("cloud", [False, True])
def test_parts_are_factored_up_by_neubergs_formula(cloud: bool) -> None:
    """M' = M E / A + (E - A) / A on the scale with 2 for a win, by hand for five results where six are normal."""
    results = night({1: 6, 2: 6, 3: 6, 4: 5})
    options = Options(method="matchpoints", cloud=cloud)
    few = np.flatnonzero([results.boards[at][1] == "4" for at in results.board.tolist()])
    made, plain = split(results, options), split(results, Options(method="matchpoints", cloud=cloud, factor="none"))
    points = 4 * (1 + plain.overall[few])  # of 8
    assert 50 * (1 + made.overall[few]) == pytest.approx(100 * (points * 6 / 5 + 1 / 5) / 10)
    for name in ("overall", "bid", "play", "lead", "defence"):
        assert getattr(made, name)[few] == pytest.approx(
            getattr(plain, name)[few] * (4 * 6) / (5 * 5), nan_ok=name == "lead"
        )
        others = np.setdiff1d(np.arange(len(results)), few)
        assert getattr(made, name)[others] == pytest.approx(getattr(plain, name)[others], nan_ok=name == "lead")


@pytest.mark.parametrize("factor", ["neuberg", "none"])
def test_a_ranking_averages_the_percentages_of_scored_sheets(factor: str) -> None:
    """Also with adjusted scores, which count as one of the normal number of tables."""
    results = night({1: 5, 2: 5, 3: 4, 4: 5, 5: 3}, b2t1="60/40", b4t0="A5050", b4t3="60/60")
    options = Options(method="matchpoints", factor=factor)
    scores, pairs = score_results(results, options), totals(results, options).pairs
    for row, name in enumerate(pairs.names.tolist()):
        label = str(name)
        own = []
        for at in range(len(results)):
            sides = [results.names[side] for side in results.sides[at].tolist()]
            if label == sides[0]:
                own.append(scores.percent[at])
            elif label == sides[1]:
                given = scores.award_ew[at]
                own.append(given if not np.isnan(given) else 100 - scores.percent[at])
        assert pairs["overall"].in_percent().average[row] == pytest.approx(np.mean(own))


def test_strengths_do_not_depend_on_missing_tables_being_factored_up() -> None:
    """They weigh results by themselves: a comparison is worth the same on every board."""
    results = night({1: 6, 2: 6, 3: 4, 4: 5, 5: 3})
    one, other = (strengths(results, Options(method="matchpoints", factor=word)) for word in ("neuberg", "none"))
    assert one.strength == pytest.approx(other.strength) and one.error == pytest.approx(other.error)


# -- awards


@pytest.mark.parametrize(("method", "ns", "ew"), [("iaf", 3, 3), ("datum", 3, 3), ("matchpoints", 60, 60)])
def test_both_halves_of_a_60_60_are_written(method: str, ns: float, ew: float) -> None:
    results = night({1: 4}, b1t2="60/60")
    scores = score_results(results, Options(method=method))
    shown = scores.percent if method == "matchpoints" else scores.butler
    assert (shown[2], scores.award_ew[2]) == (ns, ew)
    assert np.isnan(scores.award_ew[[0, 1, 3]]).all()


def test_there_is_no_column_for_awards_that_divide_a_board() -> None:
    assert score_results(night({1: 4}, b1t2="60/40"), Options()).award_ew is None


@pytest.mark.parametrize(
    ("code", "ns", "ew", "award"),
    [
        *(("A5050", "2.3", "1.1", [57.5, 27.5]), ("A6040", "3", "1", [75, 25])),
        *(("A6060", "2.4", "2.4", [60, 60]), ("A5050", "2", "2", [50, 50]), ("A5050", "", "", [50, 50])),
        *(("A6040", "2", "2", [60, 40]), ("A5050", "9", "9", [50, 50]), ("A6040", "0", "0", [60, 40])),
    ],
)
def test_the_points_that_a_ruling_gave_count_where_usebio_has_them(
    code: str, ns: str, ew: str, award: list[float]
) -> None:
    """Of 4 points on a board of three tables; points that are rounded, or more than there are, say nothing new."""

    def points(ns: str, ew: str) -> str:
        return f"<NS_MATCH_POINTS>{ns}</NS_MATCH_POINTS><EW_MATCH_POINTS>{ew}</EW_MATCH_POINTS>"

    played = [
        (line(str(at), str(at + 9), tricks=str(at), more=f"{points(mp, str(4 - int(mp)))}<SCORE>-50</SCORE>"))
        for at, mp in ((8, "0"), (9, "4"))
    ]
    ruled = line("1", "2", contract="", by="", tricks="", more=f"<SCORE>{code}</SCORE>{points(ns, ew)}")
    source = usebio.read_source(f"<USEBIO>{typed('MP_PAIRS', board(1, *played, ruled))}</USEBIO>".encode())
    assert source.read().adjusted[2].tolist() == pytest.approx(award)


# -- published rankings


@pytest.mark.parametrize(
    ("file", "agree"),
    [
        ("usebio_mp_pairs_mitchell.xml", "N-S, E-W: 38 of 38 percentages, 38 of 38 places, 0 pairs not ranked"),
        ("usebio_butler_mitchell.xml", "N-S, E-W: 14 of 14 totals, 14 of 14 places, 0 pairs not ranked"),
        ("usebio_cross_imp_howell.xml", "one ranking: 9 of 9 totals, 9 of 9 places, 0 pairs not ranked"),
    ],
)
def test_published_rankings(shared: Path, file: str, agree: str) -> None:
    """Every percentage or total to its two decimals, and every place, with nothing asked for but the file."""
    assert [line.strip() for line in judged(shared / "data" / "formats" / file)] == [agree]
