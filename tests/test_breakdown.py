"""A pair's figures by role, height of contract and vulnerability, beside the field's, against a plain count."""

from __future__ import annotations

from collections import defaultdict

import numpy as np
import pytest
import simulate

from valet_xl.engine.options import Options
from valet_xl.engine.results import board_places
from valet_xl.rankings.breakdown import Breakdown
from valet_xl.rankings.event import Event
from valet_xl.reading.rows import read_rows
from valet_xl.reading.valet_text import read_scores


def made(method: str = "iaf") -> Event:
    text = simulate.valet_text(simulate.tournament(24, 7, seed=9), boards_a_round=4, turned=True)
    return Event.of([("x", read_scores(text))], Options(method=method))


@pytest.mark.parametrize("method", ["iaf", "matchpoints"])
def test_figures_are_those_of_a_plain_count(method: str) -> None:
    """Role by role from each result, without arrays."""
    event = made(method)
    results, who, score = event.results, event.who, event.parts
    listed: dict[tuple[int, str], list[tuple[float, float]]] = defaultdict(list)
    for at in range(len(results)):
        for side in (0, 1):
            pair = int(who.pair[at, side])
            names = {seat: who.player_names[who.player[at, seat]] for seat in range(4)}
            declarer, level, strain = (int(each[at]) for each in (results.declarer, results.level, results.strain))
            sign = 1 if (level == 0 and side == 0) or (level and declarer % 2 == side) else -1
            overall, bid = sign * score.overall[at], sign * score.bid[at]
            game = level >= (3 if strain == 4 else 4 if strain >= 2 else 5)
            kinds = ["passed out" if level == 0 else "slams" if level >= 6 else "games" if game else "part-scores"]
            own, theirs = (bool(int(results.vulnerability[at]) & bit) for bit in ((1, 2), (2, 1))[side])
            kinds.append(
                "both vulnerable"
                if own and theirs
                else "only the pair vulnerable"
                if own
                else "only the opponents vulnerable"
                if theirs
                else "nobody vulnerable"
            )
            if level:
                active = declarer if declarer % 2 == side else (declarer + 1) % 4
                roles = ("declarer", "dummy") if declarer % 2 == side else ("on lead", "partner on lead")
                kinds += [f"{names[active]}: {roles[0]}", f"{names[(active + 2) % 4]}: {roles[1]}"]
            for kind in kinds:
                listed[pair, kind].append((overall, overall - bid))
    breakdown = Breakdown.of(results, score, who, method)
    field, best = np.arange(len(who.pair_names)), np.array([3, 5])
    for pair in field.tolist():
        rows = {row[0]: row for row in breakdown.listing(pair, field, best).rows}
        assert set(rows) == {kind for of, kind in listed if of == pair}
        for kind, row in rows.items():
            values = np.array(listed[pair, kind])
            scaled = 50 * (1 + values) if method == "matchpoints" else values
            assert row[1] == len(values)
            assert [row[2], row[6]] == pytest.approx(scaled.mean(axis=0).tolist())
            if ":" not in str(kind):
                for pairs, at in ((field.tolist(), 4), (best.tolist(), 5)):
                    pooled = np.array([value for of in pairs for value in listed.get((of, str(kind)), [])])
                    wanted = 50 * (1 + pooled) if method == "matchpoints" else pooled
                    assert [row[at], row[at + 4]] == pytest.approx(wanted.mean(axis=0).tolist())


def test_roles_and_heights_add_up_to_all_boards() -> None:
    event = made()
    breakdown = Breakdown.of(event.results, event.parts, event.who)
    everybody = np.arange(len(event.who.pair_names))
    for pair, boards in enumerate(event.totals.pairs.boards.tolist()):
        counts = {str(row[0]): int(row[1] or 0) for row in breakdown.listing(pair, everybody, everybody).rows}
        one, other = (event.who.player_names[player] for player in event.who.pair_players[pair])
        passed = counts.get("passed out", 0)
        for name in (one, other):
            assert sum(count for kind, count in counts.items() if kind.startswith(f"{name}: ")) == boards - passed
        assert counts[f"{one}: declarer"] == counts[f"{other}: dummy"]
        assert sum(counts.get(kind, 0) for kind in ("part-scores", "games", "slams", "passed out")) == boards
        assert sum(count for kind, count in counts.items() if kind.endswith("vulnerable")) == boards


def test_adjusted_scores_and_unknown_players() -> None:
    """An adjusted score is in no kind of boards; players who are not known are named by their seats."""
    columns = {"board": [1, 1, 1], "contract": ["4HN", "3NTS", "60/40"], "tricks": [10, 9, None]}
    results = read_rows(columns | {"ns": [1, 2, 3], "ew": [4, 5, 6]}, range(2, 5))
    event = Event.of([("x", results)])
    breakdown = Breakdown.of(results, event.parts, event.who)
    everybody = np.arange(6)
    assert len(breakdown.listing(event.who.named("3"), everybody, everybody)) == 0
    rows = breakdown.listing(event.who.named("1"), everybody, everybody).rows
    assert [row[0] for row in rows][:2] == ["N or E: declarer", "S or W: dummy"]


def test_boards_are_in_the_order_of_their_numbers() -> None:
    boards = [("", "10"), ("", "2"), ("", "1"), ("", "A2"), ("", "A10"), ("", "9" * 40)]
    order = np.argsort(board_places(boards)).tolist()
    assert [boards[at][1] for at in order[:3]] == ["1", "2", "10"]
    assert order.index(3) < order.index(4)
