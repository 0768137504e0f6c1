"""Tournaments from a seeded generator, with what real ones have: contracts in clusters, spread tricks, many leads."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike, NDArray

from valet_xl.engine.laws import contract_score, vulnerabilities
from valet_xl.engine.notation import Card, Contract, Double, Seat, Strain
from valet_xl.engine.results import Results, Status

Ints = NDArray[np.int64]


def as_results(
    board: ArrayLike,
    level: ArrayLike,
    strain: ArrayLike,
    double: ArrayLike,
    declarer: ArrayLike,
    tricks: ArrayLike,
    lead_suit: ArrayLike = -1,
    lead_rank: ArrayLike = 0,
    vulnerability: ArrayLike | None = None,
) -> Results:
    """Results from numbers, each an (n,) column or one number for all; boards from 0, level 0 a pass-out."""
    boards = np.asarray(board, dtype=np.intp)
    size = len(boards)
    vulnerable = vulnerabilities(boards + 1) if vulnerability is None else np.broadcast_to(vulnerability, size)
    passed = np.broadcast_to(level, size) == 0

    def column(values: ArrayLike, of_pass_out: int = 0) -> NDArray[np.int8]:
        return np.where(passed, of_pass_out, np.broadcast_to(values, size)).astype(np.int8)

    columns = [column(values) for values in (level, strain, double, declarer, tricks)]
    ew = columns[3] % 2 == 1
    points = contract_score(*columns[:3], columns[4], vulnerable >> ew & 1)
    return Results(
        status=np.where(passed, Status.PASSED_OUT, Status.PLAYED).astype(np.int8),
        board=boards,
        vulnerability=column(vulnerable, -1),
        level=columns[0],
        strain=columns[1],
        double=columns[2],
        declarer=columns[3],
        tricks=columns[4],
        lead_suit=column(lead_suit, -1),
        lead_rank=column(lead_rank),
        score=np.where(ew, -points, points).astype(np.float64),
        adjusted=np.full((size, 2), np.nan),
        players=np.full((size, 4), -1, dtype=np.intp),
        sides=np.full((size, 2), -1, dtype=np.intp),
        seating=np.zeros((size, 4), dtype=np.int8),
        row=np.arange(1, size + 1, dtype=np.intp),
        boards=tuple(("", str(number + 1)) for number in range(int(boards.max(initial=-1)) + 1)),
        names=(),
        errors=(),
        skipped=(),
    )


def tournament(boards: int, tables: int | Sequence[int], seed: int = 0) -> Results:
    """Results of so many boards, each played at so many tables (one number for all boards, or one for each)."""
    rng = np.random.default_rng(seed)
    sizes = np.broadcast_to(tables, boards)
    board = np.repeat(np.arange(boards), sizes)
    columns = np.concatenate([_board(rng, int(size)) for size in sizes], axis=1)
    return as_results(board, *columns)


def _board(rng: np.random.Generator, tables: int) -> Ints:
    """(7, tables) level, strain, double, declarer, tricks, and suit and rank of the lead, of one deal."""
    strains = rng.permutation(5)  # the best strains of the stronger side, but the third, which is the other side's
    side = rng.integers(2)
    tricks_in = np.array([1.0, 0.6, -4.0, -0.5, -1.0]) + rng.normal(8.5, 1.4) + rng.normal(0, 0.5, 5)
    choice = rng.choice(5, tables, p=[0.66, 0.22, 0.08, 0.03, 0.01])
    strain = strains[choice]
    seat = 2 * (rng.random(tables) < rng.uniform(0.05, 0.95)) + (side + (choice == 2)) % 2
    tricks = np.clip(np.rint(tricks_in[choice] + rng.normal(0, 0.8, tables)), 0, 13).astype(np.int64)
    ambition = np.rint(tricks_in[choice] - 6 + rng.choice([-2, -1, 0, 0, 0, 1], tables))
    game = np.where(strain == 4, 3, np.where(strain >= 2, 4, 5))
    bid_on = (ambition < game) & (ambition >= game - 2) & (rng.random(tables) < 0.6)
    level = np.clip(np.where(bid_on, game, ambition), 1, 7).astype(np.int64)
    level[rng.random(tables) < (0.5 if rng.random() < 0.01 else 0.002)] = 0
    doubled = rng.random(tables) < np.where((choice == 2) | (level + 6 > tricks_in[choice] + 1), 0.25, 0.02)
    double = doubled * np.where(rng.random(tables) < 0.02, 2, 1)
    card = rng.choice(52, tables, p=rng.dirichlet([0.15] * 52))
    return np.stack([level, strain, double, seat, tricks, card % 4, card // 4 + 2])


def valet_text(results: Results, boards_a_round: int = 20, *, turned: bool = False) -> str:
    """The results as the Valet program's text, with players' tags that are plausible.

    turned : whether every second table is turned on every second board, so that all pairs have one ranking
    """
    lines = []
    table_of: dict[int, int] = {}
    for at, board in enumerate(results.board.tolist()):
        table = table_of[board] = table_of.get(board, -1) + 1
        level, strain = int(results.level[at]), Strain(int(results.strain[at]))
        contract = Contract(level, strain, Double(int(results.double[at])))
        turn = board % 2 * table % 2 if turned else 0
        players = "|".join(str(4 * table + (seat + turn) % 4) for seat in range(4))
        start = f"{board // boards_a_round + 1}|{board % boards_a_round + 1}|{players}"
        if level == 0:
            lines.append(f"{start}|P|||")
            continue
        text = str(contract).replace("NT", "N")
        lead = Card(Strain(int(results.lead_suit[at])), int(results.lead_rank[at]))
        lines.append(f"{start}|{text}|{Seat(int(results.declarer[at]))}|{results.tricks[at]}|{lead}")
    return "\n".join(lines) + "\n"
