"""Why a pair or player has its place: sums that add up, words for differences beyond their error, and the command."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
import simulate as simulated
from test_cli_rank import night, run, table  # noqa: F401 - night is a fixture

from valet_xl.engine.options import Options
from valet_xl.errors import ArgumentError
from valet_xl.rankings.event import Event
from valet_xl.rankings.explain import Explained
from valet_xl.rankings.explanation_words import words
from valet_xl.rankings.ranking import shown_average
from valet_xl.rankings.simulate import simulate
from valet_xl.reading.rows import read_rows
from valet_xl.reading.valet_text import read_scores

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
        ((night,), "PAIR"),
    ):
        result = run("explain", *arguments)
        assert result.exit_code == 2
        assert said in result.stderr
        assert "Traceback" not in result.stderr
