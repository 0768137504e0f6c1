"""Totals: against plain loops over the results; who is a pair; orders, errors, comparisons, compensation."""

from __future__ import annotations

import itertools
import math
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import fields, replace
from statistics import mean, stdev

import numpy as np
import pytest
from assertions import assert_close
from hypothesis import given
from hypothesis import strategies as st

from valet_xl.engine.options import Options
from valet_xl.engine.results import Results, Status, artificial_scores, join
from valet_xl.engine.score_results import score_results
from valet_xl.engine.valet import valet
from valet_xl.rankings.averages import Average, AverageTable
from valet_xl.rankings.partnerships import partnerships
from valet_xl.rankings.simulate import simulate
from valet_xl.rankings.student_t import heavy_reach, heavy_tail, t_quantile, t_tail
from valet_xl.rankings.totals import ORDERS, PAIR_COLUMNS, PLAYER_COLUMNS, totals
from valet_xl.reading.rows import read_rows
from valet_xl.reading.valet_text import read_scores


def event(**plan: object) -> Results:
    return simulate(**({"pairs": 8, "rounds": 3, "boards": 3} | plan)).results  # type: ignore[arg-type]


def sheet(*rows: tuple[object, ...], headings: str = "board ns ew contract tricks", **options: str) -> Results:
    columns = dict(zip(headings.split(), zip(*rows, strict=True), strict=True))
    return read_rows(columns, range(2, len(rows) + 2), **options)


# -- against plain loops


def loops(results: Results, method: str) -> dict[str, dict[str, dict[tuple[int, str], list[float]]]]:
    """For pairs and players, by column and by (owner's board, owner's name): the scores of his chances."""
    parts = valet(results, method=method)
    found: dict[str, dict[str, dict[tuple[int, str], list[float]]]] = {
        "pairs": defaultdict(lambda: defaultdict(list)),
        "players": defaultdict(lambda: defaultdict(list)),
    }
    for at in range(len(results)):
        if math.isnan(parts.overall[at]):
            continue
        declarer = int(results.declarer[at]) if results.level[at] else None
        leader = None if declarer is None else (declarer + 1) % 4
        declaring = 0 if declarer is None else declarer % 2
        seats = [results.names[player] for player in results.players[at]]
        for side in (0, 1):
            sign = 1 if side == declaring else -1
            pair = " - ".join(sorted((seats[side], seats[side + 2])))
            mine: dict[str, float] = {name: sign * getattr(parts, name)[at] for name in ("overall", "bid", "luck")}
            mine["play"] = mine["overall"] - mine["bid"]
            if declarer is not None and side == declaring:
                mine["declarer"] = parts.play[at]
            if declarer is not None and side != declaring:
                mine |= {"lead": parts.lead[at], "defence": parts.defence[at]}
                mine["defending"] = parts.lead[at] + parts.defence[at]
            for name, value in mine.items():
                found["pairs"][name][(results.board[at], pair)].append(value)
                for seat in (side, side + 2):
                    if (name == "declarer" and seat != declarer) or (name == "lead" and seat != leader):
                        continue
                    found["players"][name][(results.board[at], seats[seat])].append(value)
    return found


def ratios(owners: list[list[list[float]]], boards: list[int]) -> list[tuple[float, float]]:
    """Of each owner the sum over chances (or boards, that many more with nothing) and its error.

    The deviation of a board is that of all owners about their averages.
    """
    averages, squares, freedom, widths = [], 0.0, 0.0, []
    for clusters, played in itertools.zip_longest(owners, boards):
        weights = [len(cluster) for cluster in clusters] if played is None else [1] * played
        sums = [sum(cluster) for cluster in clusters] + [0.0] * (len(weights) - len(clusters))
        average = sum(sums) / sum(weights)
        squares += sum((total - average * weight) ** 2 for total, weight in zip(sums, weights, strict=True))
        width = sum(weight**2 for weight in weights)
        freedom += width * (1 - 1 / len(weights))
        averages.append(average)
        widths.append(math.sqrt(width) / sum(weights))
    deviation = math.sqrt(squares / freedom) if freedom else math.nan
    return [(average, deviation * width) for average, width in zip(averages, widths, strict=True)]


@pytest.mark.parametrize("method", ["iaf", "datum", "matchpoints"])
@pytest.mark.parametrize("seed", range(3))
def test_every_column_is_what_plain_loops_give(method: str, seed: int) -> None:
    results = event(seed=seed, movement="round-robin")
    made = totals(results, Options(method=method))
    found = loops(results, method)
    for who, columns in (("pairs", PAIR_COLUMNS), ("players", PLAYER_COLUMNS)):
        table: AverageTable = getattr(made, who)
        sorted_names = [" - ".join(sorted(name.split(" - "))) for name in table.names]
        for column in columns:
            if column[-1] in "12":
                continue
            mine = [
                [scores for (_, owner), scores in found[who][column].items() if owner == name] for name in sorted_names
            ]
            boards = [len({board for board, owner in found[who]["overall"] if owner == name}) for name in sorted_names]
            average = table[column]
            assert table.boards.tolist() == boards
            assert average.chances.tolist() == [sum(map(len, clusters)) for clusters in mine]
            some = [at for at, clusters in enumerate(mine) if clusters]
            assert np.isnan(np.delete(average.average, some)).all()
            found_there = np.stack([average.average, average.error], axis=1)[some]
            expected = ratios([mine[at] for at in some], [])
            assert found_there == pytest.approx(np.array(expected), abs=1e-9, nan_ok=True)
            found_there = np.stack([average.per_board, average.per_board_error], axis=1)
            assert found_there == pytest.approx(np.array(ratios(mine, boards)), abs=1e-9, nan_ok=True)


def test_the_players_of_a_pair_divide_what_it_declared_and_led() -> None:
    pairs = totals(event(rounds=4)).pairs
    for whole, first, second in (("declarer", "declarer1", "declarer2"), ("lead", "lead1", "lead2")):
        for figure in ("sum", "chances"):
            parts = getattr(pairs[first], figure) + getattr(pairs[second], figure)
            assert parts == pytest.approx(getattr(pairs[whole], figure))


def test_parts_add_up_and_one_sides_gain_is_the_others_loss() -> None:
    pairs = totals(event(), Options(cloud=True)).pairs
    assert pairs["bid"].sum + pairs["play"].sum == pytest.approx(pairs["overall"].sum)
    assert pairs["declarer"].sum + pairs["defending"].sum == pytest.approx(pairs["play"].sum)
    assert pairs["lead"].sum + pairs["defence"].sum == pytest.approx(pairs["defending"].sum)
    for column in ("overall", "bid", "play", "luck"):
        assert pairs[column].sum.sum() == pytest.approx(0, abs=1e-9)


def test_a_player_has_what_his_only_pair_has() -> None:
    made = totals(event(pairs=12, rounds=6, boards=4))
    for at, names in enumerate(made.pairs.players):
        for name in names:
            row = made.players.row(name)
            for column in ("overall", "bid", "play", "defending", "defence", "luck"):
                for field in fields(Average):
                    pair, player = (getattr(table[column], field.name) for table in (made.pairs, made.players))
                    close = 0.1 if field.name in ("low", "high") else 1e-9  # where all have a partner, more is known
                    assert player[row] == pytest.approx(pair[at], abs=close, nan_ok=True)


def test_the_order_of_rows_makes_no_difference() -> None:
    results = event(seed=4)
    order = np.random.default_rng(0).permutation(len(results))
    arrays = {field.name: getattr(results, field.name) for field in fields(results)}
    mixed = replace(results, **{name: each[order] for name, each in arrays.items() if isinstance(each, np.ndarray)})
    one, other = totals(results).pairs.sorted(), totals(mixed).pairs
    at = [other.row(name) for name in one.names]
    for column in ("overall", "declarer", "lead", "defence"):
        for name in ("average", "error", "chances"):
            assert getattr(one[column], name) == pytest.approx(getattr(other[column], name)[at], nan_ok=True)


def test_matchpoints_are_percentages_about_50() -> None:
    results = event()
    made = totals(results, Options(method="matchpoints"))
    assert made.in_percent
    overall = made.pairs["overall"].in_percent()
    assert np.average(overall.average, weights=made.pairs.boards) == pytest.approx(50)
    raw = made.pairs["overall"]
    assert overall.error == pytest.approx(50 * raw.error)
    assert (overall.low + overall.high) / 2 == pytest.approx(overall.average)
    assert made.pairs["play"].in_percent().average == pytest.approx(
        50 + overall.average - made.pairs["bid"].in_percent().average
    )


def test_overall_is_the_average_of_bid_and_play_if_play_is_twice_overall_less_bid() -> None:
    """The Valet paper, 2.3; over all boards of a pair, pass-outs and boards that it defended too."""
    pairs = totals(event(), Options(method="matchpoints", play_percent="twice")).pairs
    average = {column: pairs[column].in_percent().average for column in ("overall", "bid", "play")}
    assert (average["bid"] + average["play"]) / 2 == pytest.approx(average["overall"])
    usual = totals(event(), Options(method="matchpoints")).pairs
    assert pairs["overall"].sum == pytest.approx(usual["overall"].sum)
    assert pairs["play"].sum == pytest.approx(2 * usual["overall"].sum - usual["bid"].sum)
    assert pairs["lead"].sum == pytest.approx(2 * usual["lead"].sum)
    assert pairs["lead"].sum + pairs["defence"].sum == pytest.approx(pairs["defending"].sum)


# -- a player's boards that are one cluster


def test_scores_of_one_board_are_one_cluster() -> None:
    """Anna plays board 1 with two partners: two scores, one board to be sure by."""
    rows = [
        ("1", "Anna", "B", "4S", "N", 10), ("1", "Anna", "C", "4S", "N", 9), ("1", "D", "E", "4S", "N", 11),
        ("2", "Anna", "B", "3N", "N", 9), ("2", "D", "E", "3N", "N", 8), ("3", "Anna", "B", "3N", "N", 7),
        ("3", "D", "C", "3N", "N", 8),
    ]  # fmt: skip
    results = read_rows(
        {
            **dict(
                zip(("board", "north", "south", "contract", "declarer", "tricks"), zip(*rows, strict=True), strict=True)
            ),
            **{"east": [f"e{at}" for at in range(7)], "west": [f"w{at}" for at in range(7)]},
        },
        range(7),
    )
    results = replace(results, seating=np.zeros_like(results.seating))  # who sits at two tables is else in doubt
    assert results.errors == ()
    players = totals(results).players
    parts = valet(results)
    anna = players.row("Anna")
    clusters = [parts.overall[:2].tolist(), [parts.overall[3]], [parts.overall[5]]]
    others = {"B": [[0], [3], [5]], "C": [[1], [6]], "D": [[2], [4], [6]], "E": [[2], [4]]}
    north_south = [clusters, *([[parts.overall[at] for at in each] for each in of] for of in others.values())]
    defenders = [[[-parts.overall[at]]] for at in range(7) for _ in range(2)]
    expected = ratios([*north_south, *defenders], [])[0]
    assert (players["overall"].average[anna], players["overall"].error[anna]) == pytest.approx(expected)
    assert players["overall"].chances[anna] == 4


# -- who is a pair


def seated(*tables: tuple[str, str, str, str], boards: str = "") -> Results:
    """A table each, all on board 1 unless boards are given, players N E S W."""
    columns = dict(zip(("north", "east", "south", "west"), zip(*tables, strict=True), strict=True))
    rest = {"board": list(boards or "1" * len(tables)), "contract": ["4SN"] * len(tables)}
    return read_rows({**columns, **rest, "tricks": [8 + at % 4 for at in range(len(tables))]}, range(len(tables)))


def test_a_pair_is_its_two_players_whichever_way_they_sit() -> None:
    who = partnerships(seated(("A", "B", "C", "D"), ("D", "C", "B", "A"), boards="12"))
    assert who.pair_names == ("A - C", "B - D")
    assert who.pair.tolist() == [[0, 1], [1, 0]]


def test_a_pair_that_changes_partners_is_two_and_its_players_stay_one() -> None:
    made = totals(
        seated(("A", "B", "C", "D"), ("E", "F", "G", "H"), ("A", "B", "X", "D"), ("E", "F", "G", "H"), boards="1122")
    )
    assert set(made.pairs.names) == {"A - C", "B - D", "E - G", "F - H", "A - X"}
    assert made.players.boards[made.players.row("A")] == 2
    assert made.players.boards[made.players.row("X")] == 1


def test_an_individual_event_has_pairs_of_a_board_and_players_of_all() -> None:
    made = totals(
        seated(("A", "B", "C", "D"), ("E", "F", "G", "H"), ("A", "C", "B", "D"), ("E", "G", "F", "H"), boards="1122")
    )
    assert set(made.players.boards) == {2}
    assert set(made.pairs.boards) == {1}


def test_a_name_under_two_tags_is_one_player() -> None:
    rows = seated(("1", "2", "3", "4"), ("5", "6", "7", "8"), ("9", "2", "3", "4"), ("5", "6", "7", "8"), boards="1122")
    named = replace(rows, names=tuple({"1": "Åsa  Ek", "9": "ÅSA EK"}.get(name, name) for name in rows.names))
    made = totals(named)
    assert made.players.boards[made.players.row("Åsa  Ek")] == 2
    assert len(made.players) == 8
    assert len(made.pairs) == 4


def test_one_name_under_two_tags_at_two_tables_of_a_board_is_two_persons() -> None:
    rows = seated(("1", "2", "3", "4"), ("5", "6", "7", "8"))
    named = replace(rows, names=tuple({"1": "Jan Lind", "5": "Jan Lind"}.get(name, name) for name in rows.names))
    who = partnerships(named)
    assert "Jan Lind" in who.player_names
    assert "Jan Lind (2)" in who.player_names
    assert len(who.pair_names) == 4


def test_a_name_twice_at_a_table_is_two_persons_told_apart_by_partner() -> None:
    who = partnerships(seated(("Smith", "Smith", "A", "B"), ("B", "A", "Smith", "Smith"), boards="12"))
    assert len(set(who.player[0])) == 4
    assert who.pair[0, 0] == who.pair[1, 1] != who.pair[0, 1]
    married = partnerships(seated(("Smith", "A", "Smith", "B"), ("Smith", "C", "Smith", "D"), boards="12"))
    assert married.pair_names[0] == "Smith - Smith (2)"
    assert married.pair[0, 0] == married.pair[1, 0]


def test_names_in_any_script() -> None:
    who = partnerships(
        seated(("佐藤 さくら", "Ольга", "Παππάς", "محمد"), ("Παππάς", "Х", "佐藤  さくら", "Y"), boards="12")
    )
    assert who.pair[0, 0] == who.pair[1, 0]


def numbers(*rows: tuple[int, str, str]) -> Results:
    return sheet(*((*row, "4SN", 8 + at % 4) for at, row in enumerate(rows)))


HOWELL = [
    (1, "1", "2"),
    (1, "3", "4"),
    (2, "1", "2"),
    (2, "3", "4"),
    (3, "3", "1"),
    (3, "2", "4"),
    (4, "2", "3"),
    (4, "4", "1"),
]
MITCHELL = [(1, "1", "1"), (2, "2", "2"), (1, "2", "2"), (2, "1", "1"), (3, "1", "2"), (4, "2", "1")]


def test_a_number_that_sits_both_ways_and_meets_no_board_twice_is_one_pair() -> None:
    assert sorted(partnerships(numbers(*HOWELL)).pair_names) == ["1", "2", "3", "4"]
    assert sorted(totals(numbers(*HOWELL)).pairs.boards) == [4] * 4


def test_a_number_that_meets_itself_or_a_board_both_ways_is_two_pairs() -> None:
    assert sorted(partnerships(numbers(*MITCHELL)).pair_names) == ["1 EW", "1 NS", "2 EW", "2 NS"]
    twice = [(1, "1", "2"), (1, "2", "1"), (2, "1", "2"), (2, "2", "1")]
    assert sorted(partnerships(numbers(*twice)).pair_names) == ["1 EW", "1 NS", "2 EW", "2 NS"]


def test_sections_have_movements_of_their_own() -> None:
    rows = [(board, f"A {ns}", f"A {ew}") for board, ns, ew in MITCHELL]
    rows += [(board, f"B {ns}", f"B {ew}") for board, ns, ew in HOWELL]
    names = set(partnerships(numbers(*rows)).pair_names)
    assert names == {"A 1 NS", "A 1 EW", "A 2 NS", "A 2 EW", "B 1", "B 2", "B 3", "B 4"}


def test_one_wrong_row_does_not_turn_a_howell_into_a_mitchell() -> None:
    rows = [*HOWELL, (5, "1", "2"), (5, "3", "3")]
    assert "3 NS" not in partnerships(numbers(*rows)).pair_names


def test_labels_may_be_given() -> None:
    assert sorted(partnerships(numbers(*MITCHELL), labels="one").pair_names) == ["1", "2"]
    assert "3 EW" in partnerships(numbers(*HOWELL), labels="sides").pair_names
    with pytest.raises(ValueError, match="labels must be one of auto, one, sides, got 'two'"):
        partnerships(numbers(*HOWELL), labels="two")


def test_a_row_without_names_goes_to_the_pair_its_number_has() -> None:
    headings = "board ns ew north south contract tricks"
    results = sheet(
        (1, "7", "8", "A", "B", "4SN", 10), (1, "1", "2", "C", "D", "4SN", 9),
        (2, "7", "8", None, None, "4SN", 10), (2, "1", "2", "C", "X", "4SN", 9), (3, "1", "2", None, None, "4SN", 9),
        headings=headings,
    )  # fmt: skip
    who = partnerships(results)
    assert who.pair[2, 0] == who.pair[0, 0]  # 7 is A and B elsewhere
    assert who.pair_names[who.pair[4, 0]] == "1"  # 1 has had two partnerships


def test_without_names_the_first_player_is_north_or_east() -> None:
    results = sheet(
        (1, "7", "8", "4SN", 10), (1, "9", "10", "4SS", 9), (2, "8", "7", "4SW", 10), (2, "9", "10", "4SE", 9)
    )
    pairs = totals(results, Options(unknown_lead="zero")).pairs
    seven = pairs.row("7")
    assert (pairs["declarer1"].chances[seven], pairs["declarer2"].chances[seven]) == (1, 1)  # North, and West
    assert pairs["lead1"].chances[pairs.row("8")] == 2  # East, and North
    assert pairs["declarer2"].chances[pairs.row("8")] == 0


# -- what counts


def test_an_unknown_lead_is_no_chance_unless_it_counts_as_in_the_program() -> None:
    """But the whole of that defence is the defenders'."""
    lines = ["1|1|a|b|c|d|4S|N|10|HA", "1|1|e|f|g|h|4S|N|9|DA", "1|2|a|b|c|d|4S|N|10|", "1|2|e|f|g|h|4S|N|9|"]
    results = read_scores("\n".join(lines))
    blank, zero = (totals(results, Options(unknown_lead=word)) for word in ("blank", "zero"))
    b = blank.pairs.row("b - d")
    assert (blank.pairs["lead"].chances[b], zero.pairs["lead"].chances[b]) == (1, 2)
    assert blank.pairs["lead"].average[b] == 2 * zero.pairs["lead"].average[b]
    player = blank.players.row("b")
    assert (blank.players["lead"].chances[player], zero.players["lead"].chances[player]) == (1, 2)
    for name in ("overall", "bid", "play", "defending", "defence"):
        assert_close(blank.pairs[name].average, zero.pairs[name].average)
    shown = score_results(results, Options())
    assert np.isnan(shown.lead).tolist() == [False, False, True, True]
    assert_close(shown.play + np.nan_to_num(shown.lead) + shown.defence, np.zeros(4))


def test_adjusted_scores_count_for_their_owners_alone() -> None:
    results = sheet((1, "1", "2", "4SN", 10), (1, "3", "4", "4SN", 9), (1, "5", "6", "60/40", None))
    for method, given_to in (("iaf", (3.0, -3.0)), ("matchpoints", (0.2, -0.2))):
        made = totals(results, Options(method=method))
        five, six = made.pairs.row("5"), made.pairs.row("6")
        overall = made.pairs["overall"].average
        assert (overall[five], overall[six]) == pytest.approx(given_to)
        assert made.pairs["bid"].chances[five] == 0
        assert np.isnan(made.pairs["bid"].average[five])
        assert made.adjusted == 1
    first = totals(results).pairs
    assert first["overall"].average[first.row("1")] == 10  # as without it


def test_both_sides_keep_what_they_were_given() -> None:
    results = sheet((1, "1", "2", "4SN", 10), (1, "3", "4", "4SN", 9), (1, "5", "6", "60/60", None))
    imps, percent = artificial_scores(results)
    assert imps[2].tolist() == [3, 3]
    assert percent[2].tolist() == [60, 60]
    pairs = totals(results).pairs
    assert pairs["overall"].average[pairs.row("6")] == 3


def test_a_share_that_no_law_puts_in_imps_counts_at_matchpoints_alone() -> None:
    results = sheet((1, "1", "2", "4SN", 10), (1, "3", "4", "4SN", 9), (1, "5", "6", "70/30", None))
    assert "5" not in totals(results).pairs.names
    assert totals(results).uncounted == {"adjusted without a score": 1}
    pairs = totals(results, Options(method="matchpoints")).pairs
    assert pairs["overall"].in_percent().average[pairs.row("5")] == pytest.approx(70)


def test_what_was_not_played_or_not_understood_or_alone_does_not_count_and_is_told() -> None:
    results = sheet(
        (1, "1", "2", "4SN", 10), (1, "3", "4", "4SN", 9), (1, "5", "6", "NP", None),
        (2, "1", "2", "4SN", 10), (2, "3", "4", "9SN", 9), (3, "1", "2", "4SN", 10),
    )  # fmt: skip
    made = totals(results)
    assert made.results == 2
    assert made.boards == 1
    assert made.uncounted == {
        "not played": 1, "cannot be read": 1, "board with a row that cannot be read": 1, "nothing to compare with": 1,
    }  # fmt: skip
    assert set(made.pairs.names) == {"1", "2", "3", "4"}
    assert made.results + sum(made.uncounted.values()) == len(results)


def test_no_results_give_empty_tables() -> None:
    made = totals(sheet((1, "1", "2", "NP", None)))
    assert len(made.pairs) == len(made.players) == 0
    assert made.pairs.sorted("bid - play").names.tolist() == []
    assert np.isnan(made.pairs.deviation())


def test_a_pass_out_is_a_board_and_nobodys_chance() -> None:
    results = sheet((1, "1", "2", "pass", None), (1, "3", "4", "4SN", 10))
    pairs = totals(results).pairs
    one = pairs.row("1")
    assert pairs.boards[one] == 1
    assert pairs["bid"].average[one] == pairs["overall"].average[one] == -9
    assert pairs["declarer"].chances[one] == pairs["defending"].chances[one] == 0


# -- orders


def test_orders_put_the_highest_first_and_keep_equal_ones_as_they_came() -> None:
    pairs = totals(event()).pairs
    for by in ORDERS:
        key = pairs.sorted(by).key(by)
        known = key[~np.isnan(key)]
        assert (np.diff(known) <= 0).all()
        assert np.isnan(key[len(known) :]).all()
    equal = totals(sheet((1, "a", "b", "4SN", 10), (1, "c", "d", "4SN", 10), (1, "e", "f", "4SN", 10))).pairs
    assert equal.sorted().names.tolist() == ["a", "b", "c", "d", "e", "f"]
    assert pairs.key("bid - play") == pytest.approx(pairs["bid"].average - pairs["play"].average)


@pytest.mark.parametrize("by", ["bids", "bid - bids", "bid - play - lead", ""])
def test_an_unknown_order_is_refused(by: str) -> None:
    with pytest.raises(ValueError, match="order must be one of overall, bid, play"):
        totals(event()).pairs.order(by)


def test_few_boards_are_marked() -> None:
    made = totals(event(rounds=2), minimum=7)
    assert made.pairs.few.all()
    assert not totals(event(rounds=2), minimum=6).pairs.few.any()
    assert len(made.pairs.take(~made.pairs.few)) == 0


def test_rows_are_found_by_name_in_either_order() -> None:
    pairs = totals(event()).pairs
    name = pairs.names[3]
    assert pairs.row(" - ".join(reversed(name.split(" - ")))) == pairs.row(name) == 3
    others = rf"one of its {len(pairs)} names, such as {pairs.names[0]}\)"
    with pytest.raises(ValueError, match=rf"'Q. Zzyx' is not in the table \(expected {others}"):
        pairs.row("Q. Zzyx")


# -- how sure


def test_the_error_of_a_pair_is_the_tables_deviation_over_the_root_of_its_boards() -> None:
    results = event(rounds=6, boards=4)
    pairs = totals(results).pairs
    parts = valet(results)
    sign = np.where(results.declarer % 2 == 1, -1, 1) * np.where(results.level > 0, 1, 1)
    of_sides = [
        (turned * sign * parts.overall)[results.sides[:, side] == number].tolist()
        for side, turned in ((0, 1), (1, -1))
        for number in np.unique(results.sides[:, side])
    ]
    pooled = math.sqrt(mean(stdev(each) ** 2 for each in of_sides))  # all played as many boards
    row = pairs.row(results.names[results.sides[:, 0].min()])
    assert pairs["overall"].average[row] == pytest.approx(mean(of_sides[0]))
    assert pairs["overall"].error == pytest.approx(pooled / math.sqrt(len(of_sides[0])))


def test_an_order_that_is_a_difference_has_an_error_too() -> None:
    """Of bid and play on the same boards it is that of their difference; of two sides of the game there is none."""
    pairs = totals(event(rounds=6, boards=4)).pairs
    bid, play, overall = (pairs[name].error ** 2 for name in ("bid", "play", "overall"))
    assert pairs.average("bid - play").error ** 2 == pytest.approx(2 * bid + 2 * play - overall)
    apart = pairs.average("declarer - defending")
    declarer, defending = (pairs[name].error for name in ("declarer", "defending"))
    assert apart.error == pytest.approx(np.hypot(declarer, defending))
    assert apart.average == pytest.approx(pairs["declarer"].average - pairs["defending"].average)
    assert (apart.low < apart.average).all() and (apart.average < apart.high).all()


def test_students_t() -> None:
    """Quantiles of the tables in any textbook, and probabilities that are their inverse."""
    assert t_quantile([1, 2, 4, 9, 29, 59, 120]) == pytest.approx(
        [12.7062, 4.3027, 2.7764, 2.2622, 2.0452, 2.0010, 1.9799], abs=6e-5
    )
    degrees = np.array([1, 1.5, 3, 12.7, 39.9, 40, 200, 1e5])
    assert t_tail(t_quantile(degrees), degrees) == pytest.approx(0.05, abs=1e-6)
    assert t_tail([0, 1], 1) == pytest.approx([1, 0.5])
    assert np.isnan(t_quantile([0, -1])).all()


def test_one_board_has_no_error() -> None:
    pairs = totals(sheet((1, "1", "2", "4SN", 10), (1, "3", "4", "4SN", 9))).pairs
    assert np.isnan(pairs["overall"].error).all()
    assert np.isnan(pairs["overall"].low).all()
    assert np.isnan(pairs.compare(0, 2).p)


def test_comparing_two_pairs_counts_what_they_have_in_common_on_a_board() -> None:
    """Eight tables, 16 boards: the correlation of two pairs that sat the same way, drawn to 0 by 6 boards."""
    results = event(pairs=8, rounds=8, boards=2, seed=2)
    pairs = totals(results).pairs
    parts = valet(results)
    scores = np.where((results.declarer % 2 == 1) & (results.level > 0), -parts.overall, parts.overall)
    of = [
        scores[results.sides[:, 0] == side][np.argsort(results.board[results.sides[:, 0] == side])]
        for side in results.sides[:2, 0]
    ]
    rows = [pairs.row(results.names[side]) for side in results.sides[:2, 0]]
    found = pairs.compare(*rows)
    together = np.corrcoef(of)[0, 1] * 16 / (16 + 6)
    error = pairs["overall"].error[rows[0]] * math.sqrt(2 - 2 * together)
    assert (found.difference, found.error) == pytest.approx((mean(of[0]) - mean(of[1]), error))
    assert (found.low + found.high) / 2 == pytest.approx(found.difference)
    assert 0 < found.p < 1


def test_comparing_two_pairs_on_different_boards_takes_them_for_independent() -> None:
    first, second = event(seed=1, rounds=4), event(seed=2, rounds=4)
    pairs = totals(join([first, second], ["Monday", "Tuesday"])).pairs
    one, two = (pairs.row(next(name for name in part.names if " - " in name)) for part in (first, second))
    found = pairs.compare(one, two)
    assert found.error == pytest.approx(math.hypot(*pairs["overall"].error[[one, two]]))


@pytest.mark.parametrize("column", ["overall", "lead", "declarer"])
def test_an_interval_of_a_difference_has_0_where_p_is_5_percent(column: str) -> None:
    """Whatever the tails of the column: p is below 5 % where 0 is outside, and only there."""
    pairs = totals(event(pairs=16, rounds=7, boards=4)).pairs
    for one, two in itertools.combinations(range(16), 2):
        found = pairs.compare(one, two, column)
        assert (found.p < 0.05) == (found.low > 0 or found.high < 0)


def test_heavy_tails_widen_intervals_and_probabilities_alike() -> None:
    """They are inverse to each other, and those of Student's t where there is no excess."""
    degrees, excess = np.array([12.0, 40, 1000]), np.array([0.0, 0.5, 4])
    assert heavy_reach(degrees, 0) == pytest.approx(t_quantile(degrees))
    assert heavy_tail(heavy_reach(degrees, excess), degrees, excess) == pytest.approx(0.05, abs=1e-6)
    assert heavy_tail([-1, 0, 9], 30, 0) == pytest.approx(t_tail([1, 0, 9], 30))
    assert (np.diff(heavy_reach(40, [0, 1, 2, 6])) > 0).all()


def test_comparing_is_the_same_from_the_other_side_and_after_sorting() -> None:
    pairs = totals(event(rounds=4)).pairs
    one, other = pairs.compare(0, 3, "bid"), pairs.compare(3, 0, "bid")
    assert (one.difference, one.error, one.p) == pytest.approx((-other.difference, other.error, other.p))
    after = pairs.sorted("lead").compare(pairs.names[0], pairs.names[3], "bid")
    assert (after.difference, after.error) == pytest.approx((one.difference, one.error))
    with pytest.raises(ValueError, match="column must be one of overall"):
        pairs.compare(0, 1, "bids")


def test_boards_that_are_still_needed() -> None:
    """A deviation of 4.4 IMPs takes 310 boards for an error of 0.25."""
    pairs = totals(event(rounds=6)).pairs
    deviation = pairs.deviation()
    assert 2 < deviation < 8
    total = math.ceil((deviation / 0.25) ** 2)
    assert pairs.boards_needed(0.25).tolist() == [total - boards for boards in pairs.boards]
    assert (pairs.boards_needed(100) == 0).all()
    for error in (0, -1, math.nan):
        with pytest.raises(ValueError, match="error must be above 0"):
            pairs.boards_needed(error)


@pytest.mark.slow
def test_intervals_contain_the_truth_about_95_times_in_100() -> None:
    """The same pairs on other deals, 60 times; the truth is what they average over all of them.

    Of 60 x 20 intervals some 95 % contain it, with a standard error of 0.7 %; the bounds are four of them.
    """
    averages, lows, highs = [], [], []
    for deals in range(60):
        pairs = totals(simulate(pairs=20, rounds=6, boards=4, seed=3, deals=deals).results).pairs
        order = np.argsort(pairs.names)
        overall = pairs["overall"].take(order)
        averages.append(overall.average)
        lows.append(overall.low)
        highs.append(overall.high)
    truth = np.mean(averages, axis=0)
    share = np.mean((np.array(lows) <= truth) & (truth <= np.array(highs)))
    assert 0.922 <= share <= 0.978
    assert np.std(truth) > 0.2  # they do differ


# -- opponents' strength


def by_loops(results: Results) -> Iterator[tuple[str, float]]:
    """The average of all scores that a pair's opponents have on boards against others, each opponent once."""
    parts = valet(results)
    scores: dict[str, list[tuple[str, float]]] = defaultdict(list)
    for at in range(len(results)):
        sign = -1 if results.level[at] and results.declarer[at] % 2 else 1
        ns, ew = (results.names[side] for side in results.sides[at])
        scores[ns].append((ew, sign * parts.overall[at]))
        scores[ew].append((ns, -sign * parts.overall[at]))
    for pair, mine in scores.items():
        met = {opponent for opponent, _ in mine}
        others = [score for opponent in met for against, score in scores[opponent] if against != pair]
        yield pair, mean(score for _, score in mine) + (mean(others) if others else 0)


@pytest.mark.parametrize("seed", range(3))
def test_compensation_adds_what_the_opponents_average_against_others(seed: int) -> None:
    results = event(seed=seed, rounds=3)
    raw, pairs = totals(results).pairs, totals(results, compensation="opponents").pairs
    for name, expected in by_loops(results):
        assert pairs["overall"].average[pairs.row(name)] == pytest.approx(expected)
    moved = pairs["overall"].average - raw["overall"].average
    assert pairs["overall"].low - raw["overall"].low == pytest.approx(moved)
    assert pairs["overall"].sum == pytest.approx(pairs["overall"].average * pairs.boards)
    assert pairs["bid"].average + pairs["play"].average == pytest.approx(pairs["overall"].average)
    assert pairs["lead"].average == pytest.approx(raw["lead"].average, nan_ok=True)


def test_players_are_compensated_like_their_only_pair() -> None:
    made = totals(event(), compensation="opponents")
    for at, names in enumerate(made.pairs.players):
        for name, column in itertools.product(names, ("overall", "bid", "defending")):
            row = made.players.row(name)
            assert made.players[column].average[row] == pytest.approx(made.pairs[column].average[at])


def test_compensation_brings_pairs_nearer_to_their_planted_strength() -> None:
    """In a short Mitchell, where it matters whom a pair happened to meet, over several tournaments."""
    gaps: dict[str, list[float]] = {"none": [], "opponents": []}
    for seed in range(3):
        made = simulate(pairs=24, rounds=5, boards=40, seed=seed, bid=1.2)
        for word, found in gaps.items():
            pairs = totals(made.results, compensation=word).pairs
            rows = [pairs.row(" - ".join(names)) for names in made.names]
            found.append(float(np.std(pairs["overall"].average[rows] - made.overall)))
    assert mean(gaps["opponents"]) < mean(gaps["none"])


def test_a_score_given_to_one_side_alone_is_not_its_opponents() -> None:
    results = sheet(
        (1, "1", "2", "4SN", 10), (1, "3", "4", "4SN", 9), (2, "1", "2", "A+", None), (1, "5", "6", "4SN", 9)
    )
    given = replace(results, adjusted=np.where(np.arange(2) == 1, np.nan, results.adjusted))
    pairs = totals(given, compensation="opponents").pairs
    assert not np.isnan(pairs["overall"].average).any()
    assert pairs.boards[pairs.row("1")] == pairs.boards[pairs.row("2")] + 1


def test_an_unknown_compensation_is_refused() -> None:
    with pytest.raises(ValueError, match="compensation must be one of none, opponents, valet, got 'some'"):
        totals(event(), compensation="some")


@given(
    st.lists(st.tuples(st.integers(1, 3), st.sampled_from("abcd"), st.sampled_from("abcd")), min_size=1, max_size=12)
)
def test_no_seating_crashes_and_every_result_is_counted(rows: list[tuple[int, str, str]]) -> None:
    results = numbers(*rows)
    for labels in ("auto", "one", "sides"):
        made = totals(results, labels=labels, compensation="opponents")
        assert made.results + sum(made.uncounted.values()) == len(results)
        counted = results.in_field & (np.bincount(results.board, minlength=3)[results.board] > 1)
        assert made.pairs.boards.sum() == np.count_nonzero(~results.doubtful[counted])
        assert len(made.players) == 0
    assert set(results.status) <= set(Status)
