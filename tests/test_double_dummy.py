"""Double-dummy tricks, leads and par, against other solvers and against their definitions."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np
import pytest
from ending import after_lead, declarers_tricks

from valet_xl.deals.cards import card_places, deal_of, deal_text
from valet_xl.deals.kept import Solved, unpack
from valet_xl.deals.par import par_of
from valet_xl.deals.solver import NO_CARD, solve_leads, solve_tables, solve_tricks
from valet_xl.errors import FileError

SEEDS = range(3)


def random_deals(size: int, seed: int = 1) -> np.ndarray:
    random = np.random.default_rng(seed)
    return np.array([random.permutation(np.repeat(np.arange(4), 13)) for _ in range(size)], dtype=np.uint8)


def shared_tables(shared: Path, size: int) -> tuple[np.ndarray, np.ndarray]:
    """Deals that others solved, and their tables by strain, clubs to notrump, and declarer."""
    with np.load(shared / "data" / "dd" / "deals.npz") as arrays:
        owner, tricks = unpack(arrays["owner"][:size]), arrays["tricks"][:size]
    tables = np.stack([tricks & 15, tricks >> 4], axis=-1).reshape(-1, 5, 4)
    return owner, tables[:, [3, 2, 1, 0, 4]]


def ending(seed: int, cards: int) -> list[list[tuple[int, int]]]:
    """Four hands of few cards."""
    random = np.random.default_rng(seed)
    deck = random.permutation([(suit, rank) for suit in range(4) for rank in range(2, 15)])[: 4 * cards]
    return [[(int(suit), int(rank)) for suit, rank in deck[seat::4]] for seat in range(4)]


@pytest.mark.parametrize("seed", SEEDS)
def test_a_plain_alpha_beta_takes_as_many_tricks_in_endings(seed: int) -> None:
    """The solver itself, asked for hands of few cards: every strain and declarer, and after each lead."""
    dds = pytest.importorskip("endplay._dds")
    hands = ending(seed, 3)
    for trump in range(5):
        for declarer in range(4):
            deal, found = dds.deal(), dds.futureTricks()
            deal.trump, deal.first = (4 if trump == 4 else 3 - trump), (declarer + 1) % 4
            for seat, hand in enumerate(hands):
                for suit in range(4):
                    deal.remainCards[seat][suit] = sum(1 << rank for of, rank in hand if of == 3 - suit)
            dds.SolveBoard(deal, -1, 3, 1, found, 0)
            scores = {}
            for at in range(found.cards):
                alike = found.equals[at] | 1 << found.rank[at]
                for rank in range(2, 15):
                    if alike >> rank & 1:
                        scores[3 - found.suit[at], rank] = len(hands[0]) - found.score[at]
            assert min(scores.values()) == declarers_tricks(hands, trump, declarer)
            assert scores == {card: after_lead(hands, trump, declarer, card) for card in hands[(declarer + 1) % 4]}


def test_tables_are_those_that_others_solved(shared: Path) -> None:
    pytest.importorskip("endplay")
    owner, tables = shared_tables(shared, 6)
    assert np.array_equal(solve_tables(owner), tables)


def test_single_numbers_and_leads_agree_with_tables() -> None:
    """A number alone is the table's; the best lead gives that number; only the leader's cards have one."""
    pytest.importorskip("endplay")
    owner = random_deals(3)
    tables = solve_tables(owner)
    asks = [(deal, strain, declarer) for deal in range(3) for strain in (0, 3, 4) for declarer in (0, 3)]
    assert solve_tricks(owner, asks).tolist() == [tables[ask] for ask in asks]
    after = solve_leads(owner, asks)
    for (deal, strain, declarer), tricks in zip(asks, after, strict=True):
        assert tricks.min() == tables[deal, strain, declarer]
        assert np.array_equal(tricks != NO_CARD, owner[deal] == (declarer + 1) % 4)


def test_a_lead_costs_what_is_found_when_the_rest_is_solved_after_it() -> None:
    """Each card of a lead is played, and the position after it is solved on its own."""
    dds = pytest.importorskip("endplay._dds")
    owner = random_deals(2, seed=7)
    for deal_at, strain, declarer in ((0, 4, 1), (1, 2, 2)):
        after = solve_leads(owner, [(deal_at, strain, declarer)])[0]
        leader = (declarer + 1) % 4
        for place in np.flatnonzero(after != NO_CARD).tolist():
            deal, found = dds.deal(), dds.futureTricks()
            deal.trump, deal.first = (4 if strain == 4 else 3 - strain), leader
            suit, rank = place // 13, 14 - place % 13
            deal.currentTrickSuit[0], deal.currentTrickRank[0] = suit, rank
            for seat in range(4):
                for of in range(4):
                    held = [14 - at for at in range(13) if owner[deal_at, 13 * of + at] == seat]
                    deal.remainCards[seat][of] = sum(1 << each for each in held if (of, each) != (suit, rank))
            dds.SolveBoard(deal, -1, 1, 1, found, 0)  # what dummy's side, who plays next, takes
            assert found.score[0] == after[place]


def brute_par(table: np.ndarray, vulnerable: int, first: int) -> int:
    """Par by its definition: each side in turn bids or passes, by plain recursion over contracts."""
    from functools import cache

    from valet_xl.engine.laws import contract_score

    best = [[max(int(table[strain, side]), int(table[strain, side + 2])) for strain in range(5)] for side in (0, 1)]

    @cache
    def worth(contract: int, side: int) -> int:
        level, strain = contract // 5 + 1, contract % 5
        tricks = best[side][strain]
        points = int(contract_score(level, strain, tricks < level + 6, tricks, vulnerable >> side & 1))
        return points if side == 0 else -points

    @cache
    def value(last: int, holder: int) -> int:
        """The score when the other side than the holder of the last contract is to speak."""
        side = 1 - holder
        options = [worth(last, holder)] + [value(bid, side) for bid in range(last + 1, 35)]
        return max(options) if side == 0 else min(options)

    def opens(side: int, passed: bool) -> int:
        options = [0 if passed else opens(1 - side, True), *(value(bid, side) for bid in range(35))]
        return max(options) if side == 0 else min(options)

    return opens(first, False)


def test_par_is_the_value_of_the_auction(shared: Path) -> None:
    _, tables = shared_tables(shared, 60)
    random = np.random.default_rng(5)
    vulnerable, first = random.integers(0, 4, 60), random.integers(0, 2, 60)
    par = par_of(tables, vulnerable, first)
    expected = [brute_par(*each) for each in zip(tables, vulnerable.tolist(), first.tolist(), strict=True)]
    assert par.score.tolist() == expected


def test_par_is_the_solvers_own(shared: Path) -> None:
    """DDS's function for par, which knows no dealer but both sides that may begin."""
    dds = pytest.importorskip("endplay._dds")
    _, tables = shared_tables(shared, 1000)
    for vulnerable, theirs in enumerate((0, 2, 3, 1)):
        pars = [par_of(tables, np.full(1000, vulnerable), np.full(1000, first)).score for first in (0, 1)]
        for at, table in enumerate(tables):
            given = dds.ddTableResults()
            for strain in range(5):
                given.resTable[4 if strain == 4 else 3 - strain][:] = [int(tricks) for tricks in table[strain]]
            found = (dds.parResultsMaster * 2)()
            dds.SidesParBin(given, found, theirs)
            assert [pars[0][at], -pars[1][at]] == [found[0].score, found[1].score]


def test_par_contracts() -> None:
    """4S makes one way; against it 5C goes two down; a part score; and where nobody can make anything."""
    table = np.full((4, 5, 4), 5, dtype=np.uint8)
    table[:2, 3, 0::2] = 10  # North-South in spades
    table[1, 0, 1] = 9  # East in clubs
    table[2, 4] = (7, 6, 7, 6)
    found = par_of(table, np.array([0, 0, 3, 3]), np.zeros(4, dtype=int))
    assert found.score.tolist() == [420, 300, 90, 0]
    assert found.contracts == ("NS 4S=", "E 5CX-2", "NS 1NT=", "Pass")


def test_par_of_hand_records_by_another_program(shared: Path) -> None:
    """BridgeComposer's tricks, par and contract; where it names the side alone, the better of two declarers."""
    from valet_xl.engine.laws import vulnerabilities
    from valet_xl.reading.pbn import _games

    games = list(_games((shared / "data" / "formats" / "handrecord.pbn").read_text()))
    tricks = [[int(digit, 16) for digit in game["DoubleDummyTricks"].value] for game in games]
    tables = np.array(tricks, dtype=np.uint8).reshape(-1, 4, 5)[:, [0, 2, 1, 3]].transpose(0, 2, 1)[:, [4, 3, 2, 1, 0]]
    numbers = np.array([int(game["Board"].value) for game in games])
    par = par_of(tables, np.asarray(vulnerabilities(numbers)), (numbers - 1) % 2)
    for at, game in enumerate(games):
        side, points = game["OptimumScore"].value.split()
        assert par.score[at] == (int(points) if side == "NS" else -int(points))
        theirs = {_tricks(contract) for contract in game["ParContract"].value.split("; ")}
        assert theirs <= {_tricks(contract) for contract in par.contracts[at].split(", ")}


def _tricks(contract: str) -> tuple[bool, str, int]:
    """The side, strain and tricks of a contract, which programs bid as high as they like: NS 1S+2 is NS 3S=."""
    found = re.fullmatch(r"(\w+) (\d)([SHDCN])T?X?([=+-]\d*)", contract)
    assert found
    seats, level, strain, over = found.groups()
    return seats[0] in "NS", strain, int(level) + (0 if over == "=" else int(over))


def test_what_is_solved_is_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Once solved, nothing is asked of the solver again, in this run or the next; other deals are added."""
    pytest.importorskip("endplay")
    owner, path = random_deals(2), tmp_path / "kept.npz"
    solved = Solved(path)
    tables, after = solved.need_tables(owner[:1]), solved.need_leads(owner, [(1, 4, 0)])
    assert solved.solved == 2
    number = solved.need_tricks(owner, [(1, 4, 0), (0, 2, 1)])
    assert solved.solved == 2
    again = Solved(path)
    assert np.array_equal(again.need_tables(owner[:1]), tables)
    assert np.array_equal(again.need_leads(owner, [(1, 4, 0)]), after)
    assert np.array_equal(again.need_tricks(owner, [(1, 4, 0), (0, 2, 1)]), number)
    assert again.solved == 0
    assert number.tolist() == [after.min(), tables[0, 2, 1]]


def test_an_interrupted_run_keeps_what_it_solved(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("endplay")
    from valet_xl.deals import kept

    calls = []

    def solve(owners: np.ndarray, asks: list[tuple[int, int, int]]) -> np.ndarray:
        if calls:
            raise KeyboardInterrupt
        calls.append(len(asks))
        return solve_tricks(owners, asks)

    monkeypatch.setattr(kept, "solve_tricks", solve)
    monkeypatch.setattr(kept, "_AT_ONCE", 1)
    owner, path = random_deals(1), tmp_path / "kept.npz"
    with pytest.raises(KeyboardInterrupt):
        Solved(path).need_tricks(owner, [(0, 4, 0), (0, 4, 1)])
    after = Solved(path)
    monkeypatch.setattr(kept, "solve_tricks", solve_tricks)
    after.need_tricks(owner, [(0, 4, 0), (0, 4, 1)])
    assert after.solved == 1


@pytest.mark.parametrize("data", [b"", b"not a file of numpy", b"PK\x03\x04 neither"])
def test_a_file_of_something_else_is_refused(tmp_path: Path, data: bytes) -> None:
    path = tmp_path / "kept.npz"
    path.write_bytes(data)
    with pytest.raises(FileError, match=r"kept.npz: contains no solved deals \(delete it"):
        Solved(path)


def test_a_damaged_file_is_refused(tmp_path: Path) -> None:
    """Hands that are none, tricks above 13, contracts of deals that are not there."""
    sound = {
        "form": np.array([1]),
        "owner": np.zeros((0, 13), np.uint8),
        "tricks": np.zeros((0, 5, 4), np.uint8),
        "contract": np.zeros((0, 3), np.int64),
        "leads": np.zeros((0, 13), np.uint8),
    }
    path = tmp_path / "kept.npz"
    wrong = (
        {"form": np.array([2])},
        {"owner": np.zeros((1, 13), np.uint8), "tricks": np.zeros((1, 5, 4), np.uint8)},
        {"contract": np.zeros((1, 3), np.int64), "leads": np.zeros((1, 13), np.uint8)},
        {"leads": np.zeros((0, 13), np.float64)},
    )
    np.savez(path, **sound)
    Solved(path)
    for change in wrong:
        np.savez(path, **{**sound, **change})
        with pytest.raises(FileError, match=r"is damaged \(delete it"):
            Solved(path)


def test_without_the_solver_it_says_how_to_install_it(monkeypatch: pytest.MonkeyPatch) -> None:
    import importlib.metadata

    from valet_xl.deals.solver import solver_version
    from valet_xl.errors import ValetError

    def missing(name: str) -> str:
        raise importlib.metadata.PackageNotFoundError(name)

    monkeypatch.setattr(importlib.metadata, "version", missing)
    with pytest.raises(ValetError, match=r"endplay is not installed \(install it with: "):
        solver_version()


def test_cards_by_place() -> None:
    deal = deal_of("N:AKQJT98765432... .AKQJT98765432.. ..AKQJT98765432. ...AKQJT98765432")
    assert deal[card_places([3, 2, 1, 0], [2, 14, 7, 14])].tolist() == [0, 1, 2, 3]
    assert deal_of(deal_text(deal)).tolist() == deal.tolist()
