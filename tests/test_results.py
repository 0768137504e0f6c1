"""Results of several files put together."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from valet_xl.engine.results import Results, join
from valet_xl.engine.valet import valet
from valet_xl.rankings.simulate import simulate
from valet_xl.rankings.totals import totals
from valet_xl.reading.rows import read_rows


def evening(names: str = "abcdefgh", tricks: tuple[int, int] = (10, 9), **more: list[object]) -> Results:
    seats = {seat: [names[at], names[at + 4]] for at, seat in enumerate(("north", "east", "south", "west"))}
    rows = {"board": [1, 1], **seats, "contract": ["4SN"] * 2, "tricks": list(tricks), **more}
    return read_rows(rows, [2, 3])


def test_boards_of_different_files_are_different_deals() -> None:
    both = join([evening(), evening(tricks=(9, 11))], ["Monday", "Tuesday"])
    assert both.boards == (("Monday", "1"), ("Tuesday", "1"))
    assert both.board.tolist() == [0, 0, 1, 1]
    assert valet(both).overall.tolist() == [10, -10, -11, 11]


def test_files_with_one_label_have_the_same_deals() -> None:
    other = evening("ijklmnop", (8, 8))
    both = join([evening(), other], ["Final", "Final"])
    assert both.boards == (("Final", "1"),)
    assert len(both) == 4
    assert np.bincount(both.board).tolist() == [4]


def test_rounds_stay_apart_within_a_file() -> None:
    first = read_rows(
        {"round": [1, 2], "board": [1, 1], "contract": ["4SN"] * 2, "tricks": [10, 9]}, [2, 3], rounds="new"
    )
    assert join([first, first], ["A", ""]).boards == (("A 1", "1"), ("A 2", "1"), ("1", "1"), ("2", "1"))
    assert join([first, first], ["A", "B"]).rounds == "new"


def test_a_name_is_one_player_in_all_files() -> None:
    both = join([evening(), evening("ayczbfgh")], ["Monday", "Tuesday"])
    made = totals(both)
    assert made.players.boards[made.players.row("a")] == 2
    assert made.pairs.boards[made.pairs.row("a - c")] == 2
    assert made.pairs.boards[made.pairs.row("b - g")] == 1


def test_numbers_of_pairs_are_given_anew_and_letters_are_names() -> None:
    rows = {"board": [1, 1], "ns": ["7", "Blue"], "ew": ["8", "Red"], "contract": ["4SN"] * 2, "tricks": [10, 9]}
    part = read_rows(rows, [2, 3])
    assert set(join([part, part], ["Mon", "Tue"]).names) == {"Mon 7", "Mon 8", "Tue 7", "Tue 8", "Blue", "Red"}
    assert set(join([part, part], ["Mon", "Mon"]).names) == {"Mon 7", "Mon 8", "Blue", "Red"}


def test_errors_say_which_file() -> None:
    wrong = evening(contract=["9SN", "4SN"])
    both = join([evening(), wrong], ["Monday", "Tuesday"])
    assert str(both.errors[0]).startswith("row 2, contract of Tuesday: '9SN' (")
    assert both.spoiled.tolist() == [False, True]
    assert str(join([wrong], [""]).errors[0]) == str(wrong.errors[0])


def test_two_of_one_name_stay_two() -> None:
    part = evening()
    same = replace(part, names=("Jan", *part.names[1:4], "Jan", *part.names[5:]))
    both = join([same, same], ["A", "B"])
    assert both.names.count("Jan") == 2
    assert both.players[0, 0] == both.players[2, 0] != both.players[1, 0] == both.players[3, 0]


def test_what_is_not_known_stays_so_and_one_part_stays_as_it_is() -> None:
    part = read_rows({"board": [1, None], "contract": ["4SN", "4SN"], "tricks": [10, 9]}, [2, 3])
    whole = join([part, part], ["A", "B"])
    assert (whole.players == -1).all()
    assert (whole.sides == -1).all()
    assert whole.board.tolist() == [*part.board.tolist(), *(board + 1 if board >= 0 else -1 for board in part.board)]
    event = simulate(pairs=8).results
    one = join([event], [""])
    assert (one.names, one.boards) == (event.names, event.boards)
    assert (one.players == event.players).all()
    assert totals(one).pairs["overall"].sum == pytest.approx(totals(event).pairs["overall"].sum)


def test_labels_are_one_for_each_part() -> None:
    with pytest.raises(ValueError, match="labels must be one for each of at least one part, got 1 for 2"):
        join([evening(), evening()], ["Monday"])
    with pytest.raises(ValueError, match="got 0 for 0"):
        join([], [])
