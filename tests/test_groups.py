"""Groups: who is ranked with whom, against a search of the graph by hand, and in every movement that settles it."""

from __future__ import annotations

import numpy as np
import pytest
from click.testing import CliRunner
from hypothesis import given
from hypothesis import strategies as st

from valet_xl.cli.main import app
from valet_xl.engine.results import Results, join
from valet_xl.rankings.groups import Groups
from valet_xl.rankings.ranking import rank
from valet_xl.rankings.strength import strengths
from valet_xl.rankings.totals import AverageTable, totals
from valet_xl.reading.rows import read_rows

Sat = tuple[object, object, object]  # a board, and the pairs North-South and East-West


def event(*sat: Sat, **more: list[object]) -> Results:
    """Results that differ, so that every pair has a place."""
    columns: dict[str, list[object]] = {
        "board": [board for board, _, _ in sat],
        "ns": [ns for _, ns, _ in sat],
        "ew": [ew for _, _, ew in sat],
        "contract": ["1NTN"] * len(sat),
        "tricks": [at % 12 for at in range(len(sat))],
    }
    return read_rows(columns | more, range(2, len(sat) + 2))


def groups(table: AverageTable) -> dict[str, set[str]]:
    return {name: set(table.names[table.group == at].tolist()) for at, name in enumerate(table.groups)}


def mitchell(tables: int, rounds: int, ns: str = "N{}", ew: str = "E{}", skip: int = 0, first: int = 1) -> list[Sat]:
    """East-West move up and boards down; after half of the rounds East-West skip a table if `skip` is 1."""
    return [
        (
            first + (table + turn) % tables,
            ns.format(table),
            ew.format((table - turn - (turn >= tables // 2) * skip) % tables),
        )
        for turn in range(rounds)
        for table in range(tables)
    ]


@pytest.mark.parametrize(
    ("tables", "rounds", "skip"), [(5, 5, 0), (7, 7, 0), (9, 4, 0), (6, 5, 1), (8, 7, 1), (13, 3, 0)]
)
def test_a_mitchell_has_two_winners(tables, rounds, skip):
    table = totals(event(*mitchell(tables, rounds, skip=skip))).pairs
    found = groups(table)
    assert found == {"N-S": {f"N{at}" for at in range(tables)}, "E-W": {f"E{at}" for at in range(tables)}}


def test_one_number_on_both_sides_is_two_pairs_in_two_groups():
    """In a Mitchell whose numbers are given per direction, 3 North-South and 3 East-West are different pairs."""
    table = totals(event(*mitchell(5, 5, "{}", "{}"))).pairs
    assert set(table.groups) == {"N-S", "E-W"}
    assert groups(table)["N-S"] == {f"{at} NS" for at in range(5)}


def test_a_single_turned_table_makes_one_ranking():
    """An arrow switch: one pair of each line sits the other way on one board."""
    sat = mitchell(7, 7)
    board, ns, ew = sat[10]
    assert totals(event(*sat)).pairs.groups == ("N-S", "E-W")
    sat[10] = (board, ew, ns)
    assert totals(event(*sat)).pairs.groups == ("",)


def test_all_tables_turned_on_a_board_are_still_two_groups():
    """The two lines change sides together: nothing compares one with the other."""
    sat = [(board, ew, ns) if board % 2 else (board, ns, ew) for board, ns, ew in mitchell(5, 5)]
    table = totals(event(*sat)).pairs
    assert groups(table) == {"Group 1": {f"E{at}" for at in range(5)}, "Group 2": {f"N{at}" for at in range(5)}}


def test_sections_with_the_same_boards_are_ranked_together():
    """A Mitchell and a Howell across the field: pairs of the Howell sit both ways, and lead from one to the other."""
    lines = mitchell(5, 5, "A{}", "B{}")
    howell: list[Sat] = [(1, "C1", "C2"), (2, "C2", "C1")]
    assert totals(event(*lines, *mitchell(5, 5, "X{}", "Y{}"))).pairs.groups == ("N-S", "E-W")
    assert totals(event(*lines, *howell)).pairs.groups == ("",)


def test_sections_with_other_boards_are_ranked_apart():
    table = totals(event(*mitchell(5, 5, "A{}", "B{}"), *mitchell(5, 5, "X{}", "Y{}", first=11))).pairs
    assert table.groups == ("N-S 1", "E-W 1", "N-S 2", "E-W 2")


def test_groups_of_several_files_have_the_files_names():
    monday, tuesday = (
        event(*mitchell(5, 5, "A{}", "B{}")),
        event(*mitchell(5, 5, "C{}", "D{}")),
    )
    table = totals(join([monday, tuesday], ["monday.csv", "tuesday.csv"])).pairs
    assert table.groups == ("monday.csv N-S", "monday.csv E-W", "tuesday.csv N-S", "tuesday.csv E-W")


def test_what_does_not_count_connects_nobody():
    """A table that did not play, and one on a board that only one table played, compare nothing."""
    sat = mitchell(5, 5)
    sat += [(1, "E0", "N0")]
    table = totals(event(*sat, contract=["1NTN"] * 25 + ["NP"], tricks=[at % 12 for at in range(25)] + [None])).pairs
    assert table.groups == ("N-S", "E-W")
    sat[-1] = (99, "E0", "N0")
    assert totals(event(*sat)).pairs.groups == ("N-S", "E-W")


def test_places_begin_again_in_each_group():
    ranking = rank(totals(event(*mitchell(5, 5))))
    assert ranking.listing.names[:2] == ["Group", "Rank"]
    for part in ranking.parts:
        assert part.listing.names[0] == "Rank" and part.places[0] == 1
        overall = part.table["overall"].average
        assert overall.tolist() == sorted(overall.tolist(), reverse=True)
        better = [1 + sum(other > own + 1e-9 for other in overall) for own in overall]
        assert part.places == better
    assert [part.group for part in ranking.parts] == ["N-S", "E-W"]
    assert [row[0] for row in ranking.listing.rows] == ["N-S"] * 5 + ["E-W"] * 5


def test_few_boards_are_few_for_the_group():
    """Half the median of each group: a section of 3 boards is not few beside one of 13."""
    sat = [*mitchell(13, 13, "A{}", "B{}"), *mitchell(3, 3, "X{}", "Y{}", first=21)]
    sat = [each for each in sat if each[1] != "A0" or each[0] in (1, 2, 3)]  # who plays only three of 13
    table = totals(event(*sat)).pairs
    assert table.minimums == (7, 6, 2, 2)
    assert set(table.names[table.few].tolist()) == {"A0"}


def test_players_are_in_the_groups_of_their_pairs():
    sat = mitchell(5, 5)
    seats = {
        seat: [f"{sat[at][side]}{place}" for at in range(len(sat))]
        for seat, side, place in (("north", 1, "a"), ("south", 1, "b"), ("east", 2, "a"), ("west", 2, "b"))
    }
    made = totals(event(*sat, **seats))
    assert groups(made.players) == {
        "N-S": {f"N{at}{place}" for at in range(5) for place in "ab"},
        "E-W": {f"E{at}{place}" for at in range(5) for place in "ab"},
    }


def test_strengths_across_groups_say_what_they_rest_on():
    results = event(*mitchell(5, 5))
    made = rank(totals(results), strengths=strengths(results))
    says = {heading.name: heading.says for heading in made.listing.headings}
    assert says["Strength"].endswith("across groups it rests on the assumption that they are equally strong")
    one = event((1, "a", "b"), (1, "c", "d"), (2, "a", "c"), (2, "d", "b"))
    made = rank(totals(one), strengths=strengths(one))
    assert "assumption" not in {heading.name: heading.says for heading in made.listing.headings}["Strength"]


def test_the_command_prints_a_table_for_each_group(tmp_path):
    path = tmp_path / "night.csv"
    rows = [f"{board},{ns},{ew},1NT,N,{at % 12}" for at, (board, ns, ew) in enumerate(mitchell(3, 3))]
    path.write_text("\n".join(["Board,NS,EW,Contract,By,Tricks", *rows]))
    result = CliRunner().invoke(app, ["rank", str(path), "--strengths"])
    lines = result.stdout.splitlines()
    assert [line for line in lines if line in ("N-S", "E-W")] == ["N-S", "E-W"]
    assert sum(line.split()[:2] == ["Rank", "Pair"] for line in lines) == 2
    assert "2 groups that nothing compares, each with its own ranking: N-S, E-W" in result.stderr
    assert "Strength: across groups it rests on the assumption" in result.stderr
    result = CliRunner().invoke(app, ["rank", str(path), "--format", "csv"])
    assert result.stdout.splitlines()[0].startswith("Group,Rank,Pair")


@given(st.lists(st.tuples(st.integers(0, 9), st.integers(0, 1), st.integers(0, 5)), min_size=1, max_size=25))
def test_groups_are_the_components_of_the_graph(sat):
    """Against a search from each owner in turn."""
    owner, side, board = (np.array(column, dtype=np.intp) for column in zip(*sat, strict=True))
    found = Groups.find(owner, side, board, 10, [("", str(at)) for at in range(6)])
    expected: dict[int, int] = {}
    for start in owner.tolist():
        if start in expected:
            continue
        number, waiting = len(set(expected.values())), [start]
        while waiting:
            one = waiting.pop()
            if one in expected:
                continue
            expected[one] = number
            places = {(way, at) for who, way, at in sat if who == one}
            waiting += [who for who, way, at in sat if (way, at) in places]
    assert found.of.tolist() == [expected.get(at, -1) for at in range(10)]
    assert len(set(found.names)) == len(found.names) == max(found.of) + 1
