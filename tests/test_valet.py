"""The Valet split: the paper's figures, its definitions in plain loops, and what must be true of any results."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product
from random import Random
from typing import Any

import numpy as np
import pytest
from assertions import assert_close
from brute import Kernel, components, imp, imp_cut
from build_examples import Line
from examples import EXAMPLES, results_of, which_line
from hypothesis import given, settings
from hypothesis import strategies as st
from simulate import as_results, tournament
from strategies import Boards, examples, to_results, to_tables, tournament_rows

from valet_xl.engine.lines import LEADS
from valet_xl.engine.results import Results
from valet_xl.engine.valet import METHODS, Components, valet

PARTS = ("overall", "bid", "play", "lead", "defence", "luck")
MODES = list(product(METHODS, (False, True)))

Mode = dict[str, Any]
modes: st.SearchStrategy[Mode] = st.fixed_dictionaries({"method": st.sampled_from(METHODS), "cloud": st.booleans()})
leads = st.sampled_from(LEADS)

PUBLISHED = [
    pytest.param(
        example.board, lines, method.removesuffix(" cloud"), method.endswith(" cloud"), id=f"{example.number} {method}"
    )
    for example in EXAMPLES
    for method, lines in example.methods.items()
]


def matrix(parts: Components) -> np.ndarray:
    """(n, 6) all the parts of each result."""
    return np.stack([getattr(parts, name) for name in PARTS], axis=1)


def by_definition(results: Results, method: str, cloud: bool, lead: str, kernel: Kernel = imp) -> np.ndarray:
    """(n, 6) the same in plain loops, for results in order of boards."""
    of_boards = [components(board, method, cloud, kernel) for board in to_tables(results, lead)]
    return np.concatenate([[(np.nan,) * 6] if parts is None else parts for parts in of_boards])


# -- the paper


@pytest.mark.parametrize(("board", "lines", "method", "cloud"), PUBLISHED)
def test_the_published_examples(board: int, lines: Sequence[Line], method: str, cloud: bool) -> None:
    results = results_of(board, lines)
    line = [lines[at] for at in which_line(lines)]
    assert results.score.tolist() == [each.score for each in line]
    parts = valet(results, method=method, cloud=cloud, rounding="integer" if method == "datum" else "none")
    for name in ("overall", "bid", "play", "lead", "defence"):
        expected = [getattr(each, name) for each in line]
        assert getattr(parts, name) == pytest.approx(expected, abs=5.01e-4), name


def test_the_published_clouds_of_example_7_to_all_digits() -> None:
    """Vulnerable, N: 3NT+1, 3NT+4, 5C+2, 7C-1: o1, b1, o3, b4, o2 and b3 of the appendix."""
    results = as_results(
        board=[1] * 4, level=[3, 3, 5, 7], strain=[4, 4, 0, 0], double=0, declarer=0, tricks=[10, 13, 13, 12]
    )
    plain, cloud = valet(results), valet(results, cloud=True)
    datum, datum_cloud = valet(results, method="datum"), valet(results, method="datum", cloud=True)
    assert plain.overall == pytest.approx([3, 6, 10 / 3, -37 / 3])
    assert plain.bid == pytest.approx([4.5, 4.5, 8 / 3, 59 / 24])
    assert cloud.overall == pytest.approx([-4 / 3, 5 / 6, -1.5, -37 / 3])
    assert cloud.bid == pytest.approx([-0.25, -0.25, -5 / 3, 13 / 6])
    assert datum.overall.tolist() == [4, 6, 5, -11]
    assert datum.bid.tolist() == [5, 5, 4.5, 3]
    assert datum_cloud.overall == pytest.approx([-11 / 3, -2 / 3, -11 / 3, -38 / 3])
    assert datum_cloud.bid == pytest.approx([-2, -2, -13 / 3, 25 / 3])
    assert cloud.luck == pytest.approx(plain.overall - cloud.overall)
    assert datum_cloud.luck == pytest.approx(datum.overall - datum_cloud.overall)


def test_the_datum_of_a_cloud_is_cut_toward_zero_where_its_mean_is_negative() -> None:
    """1S by South, 6, 5 and 6 tricks after a heart, 8 after a club; and 3H by North, a trick down.

    After a heart 1S is worth -66 (the mean is -66.67). That is 44 and 16 points, 1 IMP each, below the datums of the
    other tables' clouds: three of -22 (-22.5) and one of -50. The bid of all is -22, which gains 1 IMP on one of four.
    At -67 the heart would gain 2 IMPs on three of them.
    """
    results = as_results(
        [0] * 5, [1] * 4 + [3], [3] * 4 + [2], 0, [2] * 4 + [0], [6, 5, 6, 8, 8], [2] * 3 + [0, 1], 13, vulnerability=0
    )
    assert results.score.tolist() == [-50, -100, -50, 110, -50]
    parts = valet(results, method="datum", cloud=True)
    assert parts.bid[:4].tolist() == [0.25] * 4
    assert parts.lead[:3].tolist() == [1.25] * 3


# -- the definitions


@settings(max_examples=examples(4))
@given(tournament_rows, modes, leads)
def test_the_definitions_in_plain_loops(boards: Boards, mode: Mode, lead: str) -> None:
    """Many boards at once are what the definitions give table by table: every method, with clouds or not, any leads."""
    results = to_results(boards)
    parts = valet(results, **mode, lead=lead, rounding="integer")
    assert_close(matrix(parts), by_definition(results, **mode, lead=lead))


@given(tournament_rows, st.sampled_from(["iaf", "datum"]), st.booleans())
def test_hard_rounding_reaches_every_comparison(boards: Boards, method: str, cloud: bool) -> None:
    results = to_results(boards)
    parts = valet(results, method=method, cloud=cloud, rounding="integer", imp_rounding="down")
    assert_close(matrix(parts), by_definition(results, method, cloud, "suit", imp_cut))


@pytest.mark.parametrize(("method", "cloud"), MODES)
@pytest.mark.slow
def test_the_definitions_on_boards_of_many_tables(method: str, cloud: bool) -> None:
    results = tournament(4, [2, 25, 1, 35], seed=7)
    parts = valet(results, method=method, cloud=cloud, lead="card", rounding="integer")
    assert_close(matrix(parts), by_definition(results, method, cloud, "card"))


# -- invariants


@given(tournament_rows, modes, leads)
def test_the_parts_add_up(boards: Boards, mode: Mode, lead: str) -> None:
    parts = valet(to_results(boards), **mode, lead=lead)
    assert parts.overall == pytest.approx(parts.bid + parts.play, abs=1e-9, nan_ok=True)
    assert parts.play == pytest.approx(-(parts.lead + parts.defence), abs=1e-9, nan_ok=True)


@given(tournament_rows, modes, leads)
def test_a_pass_out_is_all_bid(boards: Boards, mode: Mode, lead: str) -> None:
    results = to_results(boards)
    parts = valet(results, **mode, lead=lead)
    passed = (results.level == 0) & ~np.isnan(parts.overall)
    assert parts.bid[passed] == pytest.approx(parts.overall[passed])
    for part in (parts.play, parts.lead, parts.defence):
        assert part[passed] == pytest.approx(0)


@given(tournament_rows, modes, leads)
def test_a_strain_declared_once_from_a_seat_is_all_bid_in_plain_scores_and_never_gives_a_lead_score(
    boards: Boards, mode: Mode, lead: str
) -> None:
    """Its cloud is its own score, so that neither declarer nor leader can have done better or worse than anybody."""
    results = to_results(boards)
    parts = valet(results, **mode, lead=lead)
    of = list(zip(results.board.tolist(), results.strain.tolist(), results.declarer.tolist(), strict=True))
    alone = np.array([of.count(each) == 1 for each in of]) & (results.level > 0) & ~np.isnan(parts.overall)
    for part in (parts.play, parts.lead, parts.defence):
        assert part[alone] == pytest.approx(0)


@given(tournament_rows, modes, leads)
def test_when_all_leads_are_equal_they_score_nothing(boards: Boards, mode: Mode, lead: str) -> None:
    same_lead = [[(*row[:5], 2, 13) if row[0] else row for row in board] for board in boards]
    assert np.nan_to_num(valet(to_results(same_lead), **mode, lead=lead).lead) == pytest.approx(0)


@given(tournament_rows, modes, leads, st.randoms(use_true_random=False))
def test_the_order_of_rows_does_not_matter(boards: Boards, mode: Mode, lead: str, rng: Random) -> None:
    results = to_results(boards)
    order = list(range(len(results)))
    rng.shuffle(order)
    columns = [getattr(results, name)[order] for name in ("board", "level", "strain", "double", "declarer", "tricks")]
    shuffled = as_results(*columns, results.lead_suit[order], results.lead_rank[order])
    assert_close(matrix(valet(shuffled, **mode, lead=lead)), matrix(valet(results, **mode, lead=lead))[order])


@given(tournament_rows, modes, leads)
def test_swapping_the_sides_changes_nothing_for_those_who_declared(boards: Boards, mode: Mode, lead: str) -> None:
    """Turned by a seat, a board has the same parts; a pass-out's, which are North-South's, change their sign."""
    turned = [[(*row[:3], (row[3] + 1) % 4, *row[4:]) for row in board] for board in boards]
    results, swapped = to_results(boards), to_results(turned)
    vulnerability = np.array([0, 1, 2])[results.board], np.array([0, 2, 1])[results.board]
    columns = ("board", "level", "strain", "double", "declarer", "tricks", "lead_suit", "lead_rank")
    parts, parts_swapped = (
        matrix(valet(as_results(*(getattr(each, name) for name in columns), vulnerable), **mode, lead=lead))
        for each, vulnerable in zip((results, swapped), vulnerability, strict=True)
    )
    sign = np.where(results.level == 0, -1, 1)
    assert_close(parts_swapped, parts * sign[:, None])


@given(tournament_rows, modes, leads)
def test_many_boards_at_once_are_each_board_by_itself(boards: Boards, mode: Mode, lead: str) -> None:
    results = to_results(boards)
    together = matrix(valet(results, **mode, lead=lead))
    columns = ("level", "strain", "double", "declarer", "tricks", "lead_suit", "lead_rank", "vulnerability")
    for at in range(len(boards)):
        rows = results.board == at
        board = as_results(np.zeros(rows.sum()), *(getattr(results, name)[rows] for name in columns))
        assert_close(matrix(valet(board, **mode, lead=lead)), together[rows])


@given(tournament_rows, modes)
def test_a_board_with_one_result_has_no_parts_and_the_others_all(boards: Boards, mode: Mode) -> None:
    results = to_results(boards)
    single = np.bincount(results.board)[results.board] == 1
    assert (np.isnan(matrix(valet(results, **mode))) == single[:, None]).all()


@given(tournament_rows)
def test_plain_cross_imps_and_matchpoints_of_a_board_sum_to_zero(boards: Boards) -> None:
    results = to_results(boards)
    side = np.where((results.level > 0) & (results.declarer % 2 == 1), -1, 1)
    for method in ("iaf", "matchpoints"):
        ns = np.nan_to_num(side * valet(results, method=method).overall)
        assert np.bincount(results.board, ns) == pytest.approx(0, abs=1e-9)


@given(tournament_rows, st.sampled_from(METHODS))
def test_luck_is_the_plain_overall_score_without_the_cloud_one(boards: Boards, method: str) -> None:
    results = to_results(boards)
    plain, cloud = (
        valet(results, method=method, cloud=with_clouds, rounding="integer") for with_clouds in (False, True)
    )
    assert cloud.luck == pytest.approx(plain.overall - cloud.overall, abs=1e-9, nan_ok=True)
    assert np.nan_to_num(plain.luck) == pytest.approx(0)


def test_a_difference_over_5000_points_is_24_imps() -> None:
    results = as_results([3, 3], level=[7, 7], strain=4, double=2, declarer=[0, 2], tricks=[13, 0])
    for method in ("iaf", "datum"):
        assert valet(results, method=method).overall.tolist() == [24, -24]


def test_no_results_have_no_parts() -> None:
    assert matrix(valet(as_results([], [], [], [], [], []))).shape == (0, 6)


# -- leads


def lead_scores(leads_made: list[tuple[int, int]], tricks: list[int], lead: str) -> list[float]:
    """Lead scores of 4S by South, not vulnerable, after these leads."""
    suits, ranks = zip(*leads_made, strict=True)
    results = as_results([0] * len(tricks), 4, 3, 0, 2, tricks, suits, ranks, vulnerability=0)
    return np.round(valet(results, lead=lead).lead, 6).tolist()


HEARTS, CLUBS, UNKNOWN, SPOT, TEN, KING = 2, 0, 0, 1, 10, 13


def test_without_lead_classes_everything_goes_to_the_defence() -> None:
    assert lead_scores([(HEARTS, KING), (CLUBS, 4)], [9, 10], "none") == [0, 0]


def test_leads_of_one_suit_are_alike() -> None:
    """4S one down after a heart, made after a club: -50 against 420 is 10 IMPs."""
    first, same_suit, other = lead_scores([(HEARTS, KING), (HEARTS, 4), (CLUBS, 4)], [9, 9, 10], "suit")
    assert first == same_suit > 0 > other


def test_a_ten_is_an_honour_and_a_nine_a_spot() -> None:
    ten, king, nine = lead_scores([(HEARTS, TEN), (HEARTS, KING), (HEARTS, 9)], [9, 9, 10], "honour")
    assert ten == king > 0 > nine


def test_an_x_is_a_spot_card_of_its_suit() -> None:
    x, four, king = lead_scores([(HEARTS, SPOT), (HEARTS, 4), (HEARTS, KING)], [10, 10, 9], "honour")
    assert x == four < 0 < king


def test_exact_cards_are_told_apart() -> None:
    """4S down and made, 10 IMPs apart: the bid is 0, with the king led -10, with the four 10."""
    king, four = lead_scores([(HEARTS, KING), (HEARTS, 4)], [9, 10], "card")
    assert king == 10
    assert four == -10


@pytest.mark.parametrize(("lead", "unknown"), [("honour", UNKNOWN), ("card", UNKNOWN), ("card", SPOT)])
def test_a_lead_that_is_not_known_well_enough_leaves_everything_to_the_defence(lead: str, unknown: int) -> None:
    scores = lead_scores([(HEARTS, unknown), (HEARTS, KING), (CLUBS, KING)], [9, 9, 10], lead)
    assert scores[0] == 0
    assert scores[1] > 0 > scores[2]


# -- bad options


@pytest.mark.parametrize(
    ("option", "message"),
    [
        ({"method": "imps"}, "method must be one of iaf, datum, matchpoints, got 'imps'"),
        ({"lead": "rank"}, "lead must be one of none, suit, honour, card, got 'rank'"),
        ({"imp_rounding": "up"}, "rounding must be one of nearest, down, got 'up'"),
        ({"method": "datum", "rule": "mode"}, "datum rule must be one of .*, got 'mode'"),
        ({"method": "datum", "rounding": "up"}, "rounding must be one of .*, got 'up'"),
    ],
)
def test_an_unknown_option_is_named(option: dict[str, str], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        valet(tournament(1, 2), **option)
