"""Who sat where, where that is in doubt: placeholders, and pairs or players with more than one result on a board."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner
from hypothesis import given
from hypothesis import strategies as st

from valet_xl.cli.main import app
from valet_xl.engine.options import Options
from valet_xl.engine.repeats import Repeats, at_many_tables
from valet_xl.engine.results import Results, Seating
from valet_xl.engine.score_results import score_results, split, summarise
from valet_xl.rankings.totals import totals
from valet_xl.reading.files import read_results
from valet_xl.reading.players import is_nobody
from valet_xl.reading.rows import read_rows
from valet_xl.reading.valet_text import read_scores
from valet_xl.sheets.convert import convert_file

FIELD = "1|1|{}|{}|{}|{}|4S|N|{}|HA"


def valet(*lines: tuple[str, str, str, str, int], names: dict[str, str] | None = None) -> Results:
    """Results of a board, from the players N, E, S, W and declarer's tricks."""
    return read_scores("\n".join(FIELD.format(*line) for line in lines), names)


def credit(results: Results) -> dict[str, int]:
    """How many boards count for each pair."""
    pairs = totals(results).pairs
    return dict(zip(pairs.names.tolist(), pairs.boards.tolist(), strict=True))


PLAIN = [("a", "b", "c", "d", 10), ("e", "f", "g", "h", 9), ("i", "j", "k", "l", 11)]


def test_a_doubled_foursome_takes_nothing_from_the_others() -> None:
    twice = [*PLAIN, ("i", "j", "k", "l", 8)]
    results = valet(*twice)
    assert results.errors == ()
    assert credit(results) == {"a - c": 1, "b - d": 1, "e - g": 1, "f - h": 1}
    field = valet(*PLAIN, ("m", "n", "o", "p", 8))
    assert split(results, Options()).overall.tolist() == split(field, Options()).overall.tolist()


def test_a_wrong_number_takes_nothing_from_the_opponents() -> None:
    results = read_rows(
        {
            **{"board": [1, 1, 1], "ns": ["1", "2", "2"], "ew": ["4", "5", "6"]},
            **{"contract": ["4SN"] * 3, "tricks": [10, 9, 11]},
        },
        [2, 3, 4],
    )
    assert credit(results) == {"1": 1, "4": 1, "5": 1, "6": 1}
    notes = score_results(results, Options()).note
    assert notes == ("", *["not counted for N-S, more than one result on the board"] * 2)


def test_a_player_with_two_partners_on_a_board_gets_no_credit_and_each_pair_does() -> None:
    lines = [("a", "b", "c", "d", 10), ("e", "f", "g", "h", 9), ("a", "j", "k", "l", 11)]
    text = [FIELD.format(*line) for line in lines]
    text += [FIELD.replace("1|1", f"1|{number}").format(*line) for number in (2, 3, 4) for line in PLAIN]
    results = read_scores("\n".join(text))
    made = totals(results)
    assert credit(results)["a - c"] == 4
    assert credit(results)["a - k"] == 1
    assert made.players.boards[made.players.row("a")] == 3
    assert made.players.boards[made.players.row("c")] == 4
    assert score_results(results, Options()).note[0] == "not counted for North, more than one result on the board"


def test_a_name_that_is_always_at_two_tables_is_two_persons() -> None:
    lines = [("Smith", "b", "Ann", "d", 10), ("Smith", "f", "Bob", "h", 9)]
    text = [FIELD.replace("1|1", f"1|{number}").format(*line) for number in (1, 2) for line in lines]
    results = read_scores("\n".join(text))
    players = totals(results).players
    assert (results.seating == Seating.KNOWN).all()
    assert [players.boards[players.row(name)] for name in ("Smith", "Smith (2)")] == [2, 2]


def test_a_number_at_many_tables_is_nobody() -> None:
    """As tag 999 in public files: its partners and opponents keep their credit, and it ranks nobody."""
    lines = [("1", "999", "3", "999", 10), ("999", "6", "999", "8", 9), ("9", "10", "11", "999", 11)]
    results = valet(*lines)
    assert results.placeholders == ("999",)
    assert results.errors == ()
    made = totals(results)
    assert credit(results) == {"1 - 3": 1, "6 - 8": 1, "11 - 9": 1}
    assert sorted(made.players.names) == ["1", "10", "11", "3", "6", "8", "9"]
    assert not np.isnan(split(results, Options()).overall).any()


@pytest.mark.parametrize(
    "name", ["NNN999", "Unknown", "UNKNOWN 3", "?", "-", "N.N.", "n. n.", "Sitout", "Sit-Out", "Nobody", "---"]
)
def test_placeholders_are_nobody_whatever_their_number(name: str) -> None:
    assert is_nobody(name)
    lines = [("77", "b", "77", "d", 10), ("e", "f", "g", "h", 9)]
    results = valet(*lines, names={"77": name})
    assert results.placeholders == (name,)
    assert sorted(totals(results).pairs.names) == ["b - d", "e - g", "f - h"]


@pytest.mark.parametrize("name", ["Nnadi", "Byers", "None Such", "Ghosh", "Vacante", "Nan", "O", "X", "999"])
def test_names_are_somebody(name: str) -> None:
    assert not is_nobody(name)


def test_a_pair_with_a_number_keeps_its_credit_though_its_players_are_unknown() -> None:
    results = read_rows(
        {
            **{"board": [1, 1], "contract": ["4SN"] * 2, "tricks": [10, 9]},
            **{"ns": ["1", "2"], "ew": ["3", "4"], "north": ["Unknown", "Unknown"], "south": ["Unknown", "Ann"]},
        },
        [2, 3],
    )
    assert credit(results) == {"1": 1, "2": 1, "3": 1, "4": 1}
    assert totals(results).players.names.tolist() == ["Ann"]


def test_the_summary_says_once_what_is_in_doubt() -> None:
    lines = [*PLAIN, ("i", "j", "k", "l", 8), ("999", "o", "p", "q", 7)]
    results = valet(*lines, names={"999": "NNN999"})
    parts = split(results, Options())
    summary = summarise(results, parts.overall, parts.bid)
    assert (summary.scored, summary.doubtful, summary.unnamed, summary.placeholders) == (5, 2, 1, ("NNN999",))
    assert summary.doubts == (
        "seating in doubt: 2 results of pairs or players with more than one on a board; compared with all others, but "
        "not counted for them",
        "no player: 1 result with 'NNN999' in the place of one; compared with all others, but not counted for a player",
    )


def test_the_command_says_it_and_ends_well(tmp_path: Path) -> None:
    path = tmp_path / "scores.txt"
    path.write_text("\n".join(FIELD.format(*line) for line in [*PLAIN, PLAIN[0]]), "utf-8")
    done = CliRunner().invoke(app, ["rank", str(path)])
    assert done.exit_code == 0
    assert done.stderr.count("seating in doubt: 2 results") == 1


def test_a_placeholder_stays_in_a_listed_file_and_reads_back(tmp_path: Path) -> None:
    path, to = tmp_path / "scores.txt", tmp_path / "listed.csv"
    path.write_text(FIELD.format("1", "999", "3", "4", 10) + "\n" + FIELD.format("5", "6", "7", "8", 9), "utf-8")
    path.with_name("names.txt").write_text("999|NNN999\n", "utf-8")
    convert_file(path, to)
    assert "NNN999" in to.read_text("utf-8-sig")
    assert read_results(to).placeholders == ("NNN999",)


@pytest.mark.parametrize(
    ("names", "pairs", "players"),
    [
        (["Ann & Bo", "Cy & Di"], ["Ann & Bo", "Cy & Di"], 0),
        (["Team One", "Team Two"], ["Team One", "Team Two"], 0),
    ],
)
def test_one_name_in_both_seats_of_a_side_is_the_pair_s(names: list[str], pairs: list[str], players: int) -> None:
    results = read_rows(
        {"board": [1, 1], "contract": ["4SN"] * 2, "tricks": [10, 9], "north": names, "south": names}, [2, 3]
    )
    made = totals(results)
    assert made.pairs.names.tolist() == pairs
    assert len(made.players) == players


def test_a_pair_of_one_name_at_two_tables_of_a_board_counts_at_none() -> None:
    results = valet(*PLAIN, ("q & r", "s", "q & r", "t", 9), ("q & r", "u", "q & r", "v", 8))
    doubtful = [Seating.DOUBTFUL, Seating.KNOWN] * 2
    assert results.seating[3:].tolist() == [doubtful, doubtful]
    assert "q & r" not in credit(results)


def test_a_couple_of_one_name_is_two_players() -> None:
    results = read_rows(
        {
            **{"board": [1, 1], "contract": ["4SN"] * 2, "tricks": [10, 9]},
            **{"north": ["Smith", "Ann"], "south": ["Smith", "Bo"], "east": ["Cy", "Di"], "west": ["Ed", "Flo"]},
        },
        [2, 3],
    )
    assert totals(results).players.names.tolist() == ["Smith", "Cy", "Smith (2)", "Ed", "Ann", "Di", "Bo", "Flo"]


@given(
    tables=st.lists(
        st.tuples(st.integers(-1, 3), *(st.sampled_from([-1, 0, 0, 1, 2, 3, 4, 5]) for _ in range(4))), max_size=24
    ),
    least=st.integers(2, 3),
    among=st.none() | st.lists(st.booleans(), min_size=7, max_size=7),
)
def test_names_at_many_tables_by_the_definition(tables, least, among) -> None:
    """Counted name by name and board by board."""
    rows = np.array(tables, dtype=np.intp).reshape(-1, 5)
    board, players = rows[:, 0], rows[:, 1:]
    repeats = Repeats.of(players, board, 6)
    found = at_many_tables(players, board, repeats, least, None if among is None else np.array(among))
    assert len(found) == 7
    assert not found[-1]
    for name in range(6):
        clashes, boards, again = 0, 0, 0
        for number in range(4):
            sat = [
                (at, seat) for at in np.flatnonzero(board == number) for seat in range(4) if players[at, seat] == name
            ]
            partners = {players[at, seat ^ 2] for at, seat in sat}
            boards += bool(sat)
            again += max(len(sat) - 1, 0)
            clashes += len({at for at, _ in sat}) >= least and (len(partners) > 1 or name in partners)
            assert repeats.boards[number : number + 1].any() >= (len(sat) > 1)
        assert repeats.times[name] == again
        assert found[name] == (clashes > 0 and 2 * clashes >= boards and (among is None or among[name]))
