"""Why a pair or player has its place: sums that add up, words for differences beyond their error, and the command."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np
import pytest
import simulate as simulated
from test_cli_rank import night, run, table  # noqa: F401 - night is a fixture

from valet_xl.engine.options import Options
from valet_xl.errors import ArgumentError
from valet_xl.rankings.career import career
from valet_xl.rankings.event import Event
from valet_xl.rankings.explain import Explained
from valet_xl.rankings.explanation_words import words
from valet_xl.rankings.ranking import shown_average
from valet_xl.rankings.simulate import simulate
from valet_xl.reading.files import read_results
from valet_xl.reading.rows import read_rows
from valet_xl.reading.valet_text import read_scores
from valet_xl.reports.web_report import web_report

SCORINGS = (
    Options(),
    Options(cloud=True),
    Options(method="datum"),
    Options(method="matchpoints"),
    Options(method="matchpoints", play_percent="twice", factor="none"),
)


def mixed() -> dict[str, list[object]]:
    """Two rounds of four tables: pass-outs, adjusted scores, a board not played, a substitute, leads known and not."""
    text = simulated.valet_text(simulated.tournament(8, 4, seed=11), boards_a_round=4, turned=True)
    rows = [line.split("|") for line in text.splitlines()]
    fields = ("round", "board", "north", "east", "south", "west", "contract", "declarer", "tricks", "lead")
    columns: dict[str, list[object]] = {
        name: [f"Player {row[at]}" if name in ("north", "east", "south", "west") else row[at] for row in rows]
        for at, name in enumerate(fields)
    }
    columns["contract"][3], columns["contract"][9] = "pass", "pass"
    for at, text in ((5, "A6040"), (14, "A50"), (21, "not played")):
        columns["contract"][at] = text
    for at in (3, 9, 5, 14, 21):
        columns["declarer"][at] = columns["tricks"][at] = columns["lead"][at] = None
    columns["lead"][2] = columns["lead"][17] = None
    columns["south"][30] = "Substitute"
    return columns


@pytest.mark.parametrize("compensation", ["none", "opponents", "valet"])
@pytest.mark.parametrize(
    "options", SCORINGS, ids=lambda options: f"{options.method} {options.cloud} {options.play_percent}"
)
def test_what_a_figure_is_made_of_adds_up_to_it(options: Options, compensation: str) -> None:
    """Steps, and every way to divide the boards, for all pairs and players, with whatever a night may have."""
    columns = mixed()
    results = read_rows(columns, range(2, 2 + len(columns["board"])))
    event = Event.of([("x", results)], options, compensation=compensation, minimum=1)
    for who in ("pairs", "players"):
        explained = Explained(event, who=who)
        overall = shown_average(event.totals, explained.ranking.table, "overall")
        titles = ["Opponents", "Contracts"] if who == "pairs" else ["Partners", "Opponents", "Contracts"]
        for row in range(len(explained.ranking.table)):
            made = explained.of_row(row)
            assert made.figure == overall.average[row]
            assert made.middle + sum(step.brings for step in made.steps) == pytest.approx(made.figure, abs=1e-12)
            assert [shares.title for shares in made.shares] == titles
            for shares in made.shares:
                assert made.middle + sum(share.brings for share in shares.rows) == pytest.approx(made.figure, abs=1e-12)
                assert sum(share.boards for share in shares.rows) == made.boards == len(made.lines)
            above = (made.figure - made.middle) * made.boards
            last = made.steps[-1].brings * made.boards if made.steps[-1].part == "opponents" else 0.0
            assert made.running[-1] == pytest.approx(above - last, abs=1e-9)
            assert made.waterfall.columns[7][-1] == pytest.approx(made.figure, abs=1e-9)
            assert made.waterfall.columns[7][-2] == pytest.approx(made.figure, abs=1e-9)


def test_steps_are_the_tables_averages_per_board() -> None:
    """With the standard errors of the table, which it has from elsewhere."""
    event = Event.of([("x", simulate(pairs=12, rounds=6, boards=4, seed=3).results)])
    explained = Explained(event)
    table = explained.ranking.table
    columns = ("bid", "declarer1", "declarer2", "lead1", "lead2", "defence")
    for row in range(len(table)):
        for step, column in zip(explained.of_row(row).steps, columns, strict=True):
            average = table[column]
            assert step.brings == pytest.approx(average.per_board[row])
            assert step.error == pytest.approx(average.per_board_error[row])
            assert step.chances == average.chances[row]
            assert step.low < step.brings < step.high


def planted(bid: float, seed: int) -> Event:
    """A tournament of 16 pairs whose bidding differs, or where all are alike."""
    nothing = {"play": 0.0, "lead": 0.0, "defence": 0.0}
    return Event.of(
        [("x", simulate(pairs=16, rounds=15, boards=8, movement="round-robin", bid=bid, seed=seed, **nothing).results)]
    )


def test_a_planted_strength_is_named_and_the_rest_is_not() -> None:
    """Bidding alone differs: it is what is said of the first and the last, and hardly anything else is."""
    made = [
        explained.of_row(row) for seed in range(3) for explained in [Explained(planted(1.5, seed))] for row in (0, 15)
    ]
    assert sum(step.part == "bid" for each in made for step in each.steps if step.differs) == len(made)
    assert sum(step.part != "bid" for each in made for step in each.steps if step.differs) <= 1
    assert all("Bidding brought" in " ".join(words(each)) for each in made)
    assert {step.way for each in made[::2] for step in each.steps if step.part == "bid"} == {"more"}


@pytest.mark.slow
def test_chance_alone_is_seldom_named() -> None:
    """Where all are alike, 5 % of tables or fewer have a row that differs: of 8 x 16 x 3 at most 32 (z = 3)."""
    named = 0
    for seed in range(8):
        explained = Explained(planted(0.0, seed))
        for row in range(16):
            made = explained.of_row(row)
            named += any(step.differs for step in made.steps)
            named += sum(any(share.differs for share in shares.rows) for shares in made.shares)
    assert named <= 32


def test_the_words_name_what_differs_and_nothing_else() -> None:
    columns = mixed()
    event = Event.of([("x", read_rows(columns, range(2, 2 + len(columns["board"]))))], minimum=1)
    for who in ("pairs", "players"):
        explained = Explained(event, who=who)
        for row in range(len(explained.ranking.table)):
            made = explained.of_row(row)
            said = " ".join(words(made)[1:])
            rows = [*made.steps, *(share for shares in made.shares for share in shares.rows)]
            for each in rows:
                told = f"{each.name} brought" in said or f" {each.name} it scored" in said
                assert told == each.differs, (each.name, said)


def test_a_strange_opponent_is_named() -> None:
    """One pair loses every board against one other by far, and is average against the rest."""
    rows: dict[str, list[object]] = {name: [] for name in ("board", "ns", "ew", "contract", "declarer", "tricks")}
    rng = np.random.default_rng(5)
    for board in range(60):
        for at in range(6):
            ew = 7 + (at + board // 10) % 6
            lost = at == 0 and ew == 7
            tricks = 5 if lost else int(rng.integers(9, 12))
            for name, cell in zip(rows, (board + 1, at + 1, ew, "4S", "N", tricks), strict=True):
                rows[name].append(cell)
    made = Explained(Event.of([("x", read_rows(rows, range(2, 362)))])).explain("1")
    assert [share.name for share in made.shares[0].rows if share.way == "less"] == ["7"]
    assert any(line.startswith("Against 7 it scored -") and ", less than" in line for line in words(made))


def test_the_own_result_is_marked_in_its_tableau() -> None:
    columns = mixed()
    results = read_rows(columns, range(2, 2 + len(columns["board"])))
    event = Event.of([("x", results)], Options(lead="card"), minimum=1)
    made = [Explained(event, who=who).of_row(row) for who in ("pairs", "players") for row in range(4)]
    seen = 0
    for each in made:
        contract, by, tricks = (
            each.lines.columns[each.lines.names.index(name)] for name in ("Contract", "By", "Tricks")
        )
        for row in range(len(each.lines)):
            board = each.tableau(row)
            if board.own < 0:
                assert str(contract[row]).startswith("adjusted")
                continue
            cells = dict(zip(board.listing.names, board.listing.rows[board.own], strict=True))
            assert (cells["Contract"], cells["By"], cells["Tricks"]) == (contract[row], by[row], tricks[row])
            assert [cell for cell in board.marked.columns[-1] if cell] == ["own"]
            seen += 1
    assert seen > 20


def test_the_best_boards_are_not_among_the_worst() -> None:
    event = Event.of([("x", simulate(pairs=6, rounds=1, boards=3, seed=2).results)], minimum=1)
    best, worst = Explained(event).of_row(0).extremes(5)
    assert len(best) == len(worst) == 1
    assert set(best).isdisjoint(worst)


@pytest.fixture(scope="module")
def nights(tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    """Three nights of the same eight pairs, with two rounds in the last; a folder each."""
    folder = tmp_path_factory.mktemp("explain")
    for at in range(3):
        made = simulate(pairs=8, rounds=7, boards=3, movement="round-robin", seed=6, deals=at)
        (folder / f"{at}. night").mkdir()
        (folder / f"{at}. night" / "scores.txt").write_text(made.valet_text(), encoding="utf-8")
        (folder / f"{at}. night" / "names.txt").write_text(made.names_text(), encoding="utf-8")
    return sorted(folder.glob("*/scores.txt"))


def test_several_files_are_a_career(nights: list[Path]) -> None:
    """Boards are divided by events in their order, each board has its event, and the strength is that of `career`."""
    read = [(path.parent.name, read_results(path)) for path in reversed(nights)]
    event = Event.of(read)
    for who in ("pairs", "players"):
        strengths = career(event, who=who, parts=("overall",))
        explained = Explained(event, who=who, career=strengths)
        for row in range(len(explained.ranking.table)):
            made = explained.of_row(row)
            events = made.shares[0]
            assert (events.title, [share.name for share in events.rows]) == ("Events", list(event.files))
            assert made.middle + sum(share.brings for share in events.rows) == pytest.approx(made.figure, abs=1e-12)
            lines = dict(zip(made.lines.names, made.lines.columns, strict=True))
            assert lines["Event"] == [name for name in event.files for _ in range(21)]
            assert lines["Round"][:4] == ["1", "1", "1", "2"]
            for share in events.rows:
                own = [
                    value for name, value in zip(lines["Event"], lines["Overall"], strict=True) if name == share.name
                ]
                assert share.average == pytest.approx(np.mean(own))
            assert made.tableau(0).title.startswith("Board 1 of round 1 of 2. night, ")
            place = strengths.names.tolist().index(made.name)
            assert made.strength is not None
            assert made.strength.value == strengths.columns["overall"].solved.strength[place]
            assert made.strength.low < made.strength.value < made.strength.high
            assert sum(line.startswith("Its strength over 3 events is") for line in words(made)) == 1


def test_events_of_several_files_are_one_part_of_their_report(nights: list[Path]) -> None:
    event = Event.of([(path.parent.name, read_results(path)) for path in nights])
    text = web_report(event, "Nights").decode("utf-8")
    assert text.count("<summary>Events</summary>") == 8
    alone = web_report(Event.of([("x", read_results(nights[0]))]), "Night").decode("utf-8")
    assert "<summary>Events</summary>" not in alone


def test_the_command_takes_several_files(nights: list[Path], tmp_path: Path) -> None:
    name = table(run("rank", *nights, "--format", "csv").stdout)[1][1]
    result = run("explain", *nights, name)
    assert result.exit_code == 0, result.output
    for text in ("Its strength over 3 events", "\nEvents\n", "0. night/scores.txt"):
        assert text in result.stdout
    assert re.search(r"^Board \d+ of round \d of \d\. night/scores\.txt, ", result.stdout, re.MULTILINE)
    player = run("explain", *nights, name.split(" - ")[0], "--players").stdout
    assert "\nPartners\n" in player
    done = run("explain", *nights, name, "-o", tmp_path / "why.html")
    assert done.exit_code == 0, done.output
    assert '<th scope="col" class="text long" title="the file that it is in">Event</th>' in (
        tmp_path / "why.html"
    ).read_text(encoding="utf-8")
    apart = run("explain", *nights, f"{name.split(' - ')[0]} (0. night/scores.txt)", "--players", "--apart", name[:6])
    assert apart.exit_code == 2
    assert "is in none of the files" in apart.stderr


def test_files_without_names_in_common_have_no_strength(tmp_path: Path) -> None:
    """Nothing compares two events then, and there is no strength; the rest is said all the same."""
    for at in (1, 2):
        made = simulate(pairs=4, rounds=3, movement="round-robin", seed=at)
        (tmp_path / f"{at}").mkdir()
        (tmp_path / f"{at}" / "scores.txt").write_text(made.valet_text(), encoding="utf-8")
        (tmp_path / f"{at}" / "names.txt").write_text(made.names_text(), encoding="utf-8")
    files = [tmp_path / "1" / "scores.txt", tmp_path / "2" / "scores.txt"]
    name = table(run("rank", files[0], "--format", "csv").stdout)[1][1]
    result = run("explain", *files, name)
    assert result.exit_code == 0, result.output
    assert "Its strength" not in result.stdout
    assert "1/scores.txt" in result.stdout
    assert "2/scores.txt" not in result.stdout


def test_only_the_ends_of_many_opponents_are_shown() -> None:
    made = Explained(planted(1.5, 1)).of_row(0)
    shares = made.shares[0]
    assert len(shares.rows) == 15
    ends = shares.ends(3)
    assert [row.name for row in ends.rows if not row.differs] == [
        row.name for at, row in enumerate(shares.rows) if (at < 3 or at >= 12) and not row.differs
    ]
    assert {row.name for row in shares.rows if row.differs} <= {row.name for row in ends.rows}
    assert shares.ends(8) == shares


def test_a_mistyped_pair_gets_suggestions(night: Path) -> None:  # noqa: F811
    result = run("explain", night, "Player 14 - Playr 15")
    assert result.exit_code == 2
    assert "is not in the table (expected Player" in result.stderr
    assert "Traceback" not in result.output
    event = Event.of([("x", read_scores(night.read_text(encoding="utf-8")))])
    with pytest.raises(ArgumentError, match="is not in the table"):
        Explained(event, who="players").explain("nobody at all")


def test_the_command_shows_all_of_it(night: Path, tmp_path: Path) -> None:  # noqa: F811
    name = table(run("rank", night, "--format", "csv").stdout)[1][1]
    result = run("explain", night, name)
    assert result.exit_code == 0, result.output
    for title in ("What the average of", "Opponents", "Contracts", "Best boards", "Worst boards", "Board "):
        assert title in result.stdout
    assert "has place 1 of 8 pairs" in result.stdout
    assert "\x1b" not in result.stdout
    reverse = " - ".join(reversed(name.split(" - ")))
    assert run("explain", night, reverse).stdout == result.stdout
    assert "Partners" in run("explain", night, name.split(" - ")[0], "--players").stdout
    none = run("explain", night, name, "--boards", "0").stdout
    assert "Best boards" in none
    assert "results\n" not in none
    output = tmp_path / "why.csv"
    assert run("explain", night, name, "-o", output).exit_code == 0
    assert table(output.read_text(encoding="utf-8-sig"))[0][:3] == ["Part", "Chances", "Brings"]


def test_wrong_input_gets_a_sentence(night: Path) -> None:  # noqa: F811
    for arguments, said in (
        ((night.parent / "none.txt", "7"), "none.txt"),
        ((night, "7", "--boards", "-1"), "-1"),
        ((night, "7", "-o", night.parent / "x.doc"), "x.doc"),
        ((), "Missing argument 'PAIR'"),
        ((night,), "expected files of results, and after them a pair or player"),
        ((night, night, "7"), "is named twice"),
        ((night, night.parent / "none.txt", "7"), "none.txt"),
        ((night, "7", "--apart", "Nobody Here"), "is in none of the files"),
    ):
        result = run("explain", *arguments)
        assert result.exit_code == 2
        assert said in result.stderr
        assert "Traceback" not in result.stderr
