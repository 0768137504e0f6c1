"""Tournaments that were never played: from a seed, with a known strength of every pair in every part of the game."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from valet_xl.engine.arrays import Floats, Index, Ints
from valet_xl.engine.comparison import against_field
from valet_xl.engine.laws import contract_score, imps_of, vulnerabilities
from valet_xl.engine.notation import Card, Contract, Double, Seat, Strain
from valet_xl.engine.results import Results, Status
from valet_xl.errors import ArgumentError, one_of

MOVEMENTS = ("mitchell", "round-robin")

_FIRST = """
    Anna Bo Carla David Elif Frida Georg Hana Ivo Jūratė Katarína Luís Małgorzata Noor Øyvind Petra Quentin Ruža Søren
    Teréz Uwe Βασίλης Wei Ξένια Yuki Zoë Иван Ольга 明 さくら
"""
_LAST = """
    Ahl Berg Čech Dahl Ek Fjeld Gómez Hahn Ito Jansen Kowalska Lind Müller Nagy Olsen Petrov Rossi Šimić Tanaka Ueda Vos
    Wiśniewski Yılmaz Zhang Ågren Østby Παππάς Смирнова Lévy O’Brien 王 佐藤
"""
_LEAD, _LUCK, _WAYS = 0.5, 0.7, 0.8  # standard deviations of declarer's tricks: what leads do, the deal, and the play
_OPEN, _MOST_OPEN = 0.5, 2.5  # by how much these differ from deal to deal: the mean and the most of a factor
_OFFSETS = np.array([-1.47, -0.79, -0.37, 0.0, 0.37, 0.79, 1.47])  # seven equal parts of a normal distribution


@dataclass(frozen=True, slots=True, eq=False)
class Tournament:
    """A tournament and the strengths that were planted in it.

    results : as they are read from a file
    names : (pairs, 2) the players; the first sits North or East
    bid : (pairs,) IMPs a board from the bidding
    play, lead : (pairs, 2) of each player, IMPs a board that he declares, or leads to
    defence : (pairs,) IMPs a board that the pair defends, without the lead
    """

    results: Results
    names: NDArray[np.object_]
    bid: Floats
    play: Floats
    lead: Floats
    defence: Floats

    @property
    def overall(self) -> Floats:
        """(pairs,) IMPs a board in all, where each player declares a quarter of the boards and leads to a quarter."""
        return self.bid + self.play.sum(axis=1) / 4 + self.lead.sum(axis=1) / 4 + self.defence / 2

    def valet_text(self) -> str:
        """The results as the Valet program's scores.txt, players by their tags, from 1."""
        return "\n".join("|".join(row) for row in self._rows(tags=True)) + "\n"

    def names_text(self) -> str:
        """The players as the Valet program's names.txt."""
        return "".join(f"{tag}|{name}\n" for tag, name in enumerate(self.names.ravel().tolist(), start=1))

    def table(self) -> list[list[str]]:
        """The results as rows of a sheet under a heading row."""
        heading = ["Round", "Board", "North", "East", "South", "West", "Contract", "By", "Tricks", "Lead"]
        return [heading, *self._rows(tags=False)]

    def strengths_table(self) -> list[list[str]]:
        """The planted strengths as rows of a sheet under a heading row, IMPs with two decimals."""
        heading = ["Pair", "Overall", "Bid", "Play 1", "Play 2", "Lead 1", "Lead 2", "Defence"]
        figures = np.column_stack([self.overall, self.bid, self.play, self.lead, self.defence])
        names = (" - ".join(pair) for pair in self.names.tolist())
        return [heading, *([name, *(f"{x:.2f}" for x in row)] for name, row in zip(names, figures, strict=True))]

    def _rows(self, tags: bool) -> list[list[str]]:
        results = self.results
        called = [str(at + 1) for at in range(self.names.size)] if tags else list(results.names)
        columns = (results.level, results.strain, results.double, results.declarer, results.tricks)
        rows = []
        for board, players, suit, rank, *contract in zip(
            results.board.tolist(),
            results.players.tolist(),
            results.lead_suit.tolist(),
            results.lead_rank.tolist(),
            *(column.tolist() for column in columns),
            strict=True,
        ):
            level, strain, double, declarer, tricks = contract
            bid = str(Contract(level, Strain(strain), Double(double))).replace("NT", "N") if level else "P"
            play = [str(Seat(declarer)), str(tricks), str(Card(Strain(suit), rank))] if level else ["", "", ""]
            rows.append([*results.boards[board], *(called[player] for player in players), bid, *play])
        return rows


def simulate(
    *,
    pairs: int = 16,
    rounds: int = 7,
    boards: int = 4,
    movement: str = "mitchell",
    bid: float = 0.3,
    play: float = 0.3,
    lead: float = 0.1,
    defence: float = 0.2,
    seed: int = 0,
    deals: int | None = None,
) -> Tournament:
    """Make up a tournament.

    Parameters
    ----------
    pairs : how many, an even number
    rounds, boards : how many rounds, and boards in each
    movement : "mitchell", where half of the pairs sit North-South and the others move one table a round;
        "round-robin", where in so many rounds less one than there are pairs everybody meets everybody; in both all
        tables play the same boards in a round, and more rounds begin the movement again
    bid, play, lead, defence : how strengths are spread: the standard deviation in IMPs, a board for the bidding, a
        chance for the others; play and lead are each player's
    seed : the same seed makes the same tournament
    deals : another seed for deals and what happens on them, so that the same pairs can meet again

    Returns
    -------
    the tournament and the strengths

    Raises
    ------
    ValetError : for an odd number of pairs, fewer than four, another movement, or a spread that is none

    Notes
    -----
    At each table two ways to bid the board are drawn, two leads and two ways to play it, each from what the deal makes
    likely. Which of the two happens depends on who is stronger: with an advantage of d IMPs a chance the better one
    has the probability 1/2 + d / g, g being what the better ones gain on the worse on average, in cross-IMPs against
    all that was drawn. So a strength is worth what it says, as long as d stays under g / 2. Strengths are drawn with
    mean 0.

    >>> simulate(pairs=4, rounds=1, boards=1, seed=5).valet_text().splitlines()[0].startswith("1|1|1|5|2|6|")
    True
    """
    if pairs < 4 or pairs % 2:
        raise ArgumentError(f"pairs must be an even number from 4, got {pairs}")
    if rounds < 1 or boards < 1:
        raise ArgumentError(f"rounds and boards must be at least 1, got {rounds} and {boards}")
    one_of("movement", movement, MOVEMENTS)
    for name, spread in (("bid", bid), ("play", play), ("lead", lead), ("defence", defence)):
        if not 0 <= spread < np.inf:
            raise ArgumentError(f"{name} must be a number from 0, got {spread:g}")
    rng = np.random.default_rng(seed)
    names = _names(rng, pairs)
    strengths = {
        "bid": _spread(rng, bid, (pairs,)),
        "play": _spread(rng, play, (pairs, 2)),
        "lead": _spread(rng, lead, (pairs, 2)),
        "defence": _spread(rng, defence, (pairs,)),
    }
    ns, ew = _mitchell(pairs, rounds) if movement == "mitchell" else _round_robin(pairs, rounds)  # (rounds, tables)
    ns, ew = (np.repeat(side, boards, axis=0).ravel() for side in (ns, ew))
    board = np.repeat(np.arange(rounds * boards), pairs // 2)
    players = np.stack([2 * ns, 2 * ew, 2 * ns + 1, 2 * ew + 1], axis=1)
    rng = np.random.default_rng([seed, 1 if deals is None else deals + 2])
    played = _Deals(rng, board, ns, ew, strengths).played()
    numbers = tuple((str(at // boards + 1), str(at + 1)) for at in range(rounds * boards))
    called = names.ravel().tolist()
    sides = [" - ".join(pair) for pair in names.tolist()]
    return Tournament(
        results=Results(
            board=board,
            players=players,
            sides=np.stack([ns, ew], axis=1) + len(called),
            seating=np.zeros((len(board), 4), dtype=np.int8),
            row=np.arange(1, len(board) + 1),
            adjusted=np.full((len(board), 2), np.nan),
            boards=numbers,
            names=(*called, *sides),
            errors=(),
            skipped=(),
            **played,
        ),
        names=names,
        **strengths,
    )


def _names(rng: np.random.Generator, pairs: int) -> NDArray[np.object_]:
    """(pairs, 2) names of players, no two alike."""
    first, last = _FIRST.split(), _LAST.split()
    every = len(first) * len(last)
    order = np.concatenate([rng.permutation(every) for _ in range(2 * pairs // every + 1)])[: 2 * pairs]
    names = []
    for at, number in enumerate(order.tolist()):
        again = f" {at // every + 1}" if at >= every else ""
        names.append(f"{first[number % len(first)]} {last[number // len(first)]}{again}")
    return np.array(names, dtype=object).reshape(pairs, 2)


def _spread(rng: np.random.Generator, deviation: float, shape: tuple[int, ...]) -> Floats:
    """Strengths about 0."""
    drawn = rng.normal(0, 1, shape)
    return deviation * (drawn - drawn.mean())


def _mitchell(pairs: int, rounds: int) -> tuple[Index, Index]:
    """(rounds, tables) who sits North-South, and East-West."""
    tables = pairs // 2
    ns = np.tile(np.arange(tables), (rounds, 1))
    return ns, tables + (np.arange(tables) - np.arange(rounds)[:, None]) % tables


def _round_robin(pairs: int, rounds: int) -> tuple[Index, Index]:
    """(rounds, tables) of the circle: the last pair stays, the others move on a place; sides change by the round."""
    circle = pairs - 1
    turn = np.arange(rounds)[:, None] % circle
    table = np.arange(1, pairs // 2)
    first = np.concatenate([np.full((rounds, 1), pairs - 1), (turn + table) % circle], axis=1)
    second = np.concatenate([turn, (turn - table) % circle], axis=1)
    swapped = (np.arange(rounds)[:, None] + np.arange(pairs // 2)) % 2 == 1
    return np.where(swapped, second, first), np.where(swapped, first, second)


class _Deals:
    """What happens on each board at each table, (n,) results."""

    def __init__(
        self, rng: np.random.Generator, board: Index, ns: Index, ew: Index, strengths: dict[str, Floats]
    ) -> None:
        self.rng, self.board, self.ns, self.ew, self.strengths = rng, board, ns, ew, strengths
        deals = int(board.max()) + 1
        # The strains in order of what the stronger side makes in them; the third is the other side's.
        self.strains = np.argsort(rng.random((deals, 5)), axis=1)
        self.side = rng.integers(2, size=deals)
        best = rng.normal(8.7, 1.5, (deals, 1))
        self.makes = best + np.array([0.5, 0.0, -1.5, -0.8, -1.5]) + rng.normal(0, 0.6, (deals, 5))
        self.from_first = rng.uniform(0.05, 0.95, (deals, 5))  # how often the seat N or E declares that strain
        self.suits = rng.dirichlet([0.7] * 4, (deals, 5)).cumsum(axis=2)  # how likely each suit is to be led
        # How much there is in the play and the lead: in most deals little, as real leads with their heavy tails show.
        self.open = np.minimum(rng.exponential(_OPEN, deals), _MOST_OPEN)
        self.of_lead = (
            rng.normal(0, _LEAD, (deals, 5, 4)) * self.open[:, None, None]
        )  # and what it does to declarer's tricks
        self.vulnerable = vulnerabilities(np.arange(deals) + 1)

    def played(self) -> dict[str, Any]:
        """The columns of the results: what happened at each table."""
        rng, board = self.rng, self.board
        bids = [self._bid() for _ in range(2)]
        advantage = self.strengths["bid"][self.ns] - self.strengths["bid"][self.ew]
        spread = np.sqrt(_LEAD**2 + _LUCK**2 + _WAYS**2) * self.open[board]
        first = self._first_happens([self._scores(bid, self._expected(bid), spread) for bid in bids], advantage)
        bid = np.where(first, bids[0], bids[1])
        level, strain, double, declarer, choice = bid
        declares, defends = (np.where(declarer % 2 == own, self.ns, self.ew) for own in (0, 1))
        sign = np.where(declarer % 2 == 1, -1.0, 1.0)

        suits = [(rng.random(len(board))[:, None] > self.suits[board, choice]).sum(axis=1) for _ in range(2)]
        suits = [np.minimum(suit, 3) for suit in suits]
        makes = [self._expected(bid) + self.of_lead[board, choice, suit] for suit in suits]
        luck = rng.normal(0, _LUCK, len(board)) * self.open[board]
        makes = [tricks + luck for tricks in makes]
        worth = [self._scores(bid, tricks, _WAYS * self.open[board]) for tricks in makes]
        seat = (declarer + 1) % 4
        skill = self.strengths["lead"][defends, seat // 2]
        first = self._first_happens(worth, np.where(level > 0, -sign * skill, 0))
        suit, makes_then = np.where(first, suits[0], suits[1]), np.where(first, *makes)

        ways = [
            np.clip(np.rint(makes_then + rng.normal(0, _WAYS, len(board)) * self.open[board]), 0, 13) for _ in range(2)
        ]
        worth = [self._score(bid, way)[None] for way in ways]
        skill = self.strengths["play"][declares, declarer // 2] - self.strengths["defence"][defends]
        tricks = np.where(self._first_happens(worth, np.where(level > 0, sign * skill, 0)), *ways).astype(np.int64)
        rank = rng.integers(2, 15, len(board))

        passed = level == 0

        def small(values: NDArray[np.signedinteger[Any]], *, of_pass_out: int = 0) -> NDArray[np.int8]:
            return np.where(passed, of_pass_out, values).astype(np.int8)

        return {
            "status": np.where(passed, Status.PASSED_OUT, Status.PLAYED).astype(np.int8),
            "vulnerability": small(self.vulnerable[board], of_pass_out=-1),
            "level": small(level),
            "strain": small(strain),
            "double": small(double),
            "declarer": small(declarer),
            "tricks": small(tricks),
            "lead_suit": small(suit, of_pass_out=-1),
            "lead_rank": small(rank),
            "score": self._score(bid, tricks.astype(np.float64)),
        }

    def _bid(self) -> Ints:
        """(5, n) level, strain, double, declarer, and the choice of strain: one way to bid each board."""
        rng, board = self.rng, self.board
        choice = rng.choice(5, len(board), p=[0.62, 0.22, 0.1, 0.04, 0.02])
        strain = self.strains[board, choice]
        side = (self.side[board] + (choice == 2)) % 2
        declarer = side + 2 * (rng.random(len(board)) > self.from_first[board, choice])
        makes = self.makes[board, choice]
        odd = np.rint(makes - 6 + rng.choice([-1.5, -0.7, 0, 0, 0, 1], len(board)))
        game = np.where(strain == 4, 3, np.where(strain >= 2, 4, 5))
        lifted = (odd < game) & (odd >= game - 2) & (rng.random(len(board)) < 0.55)
        level = np.clip(np.where(lifted, game, odd), 1, 7).astype(np.int64)
        level[(makes < 7.2) & (rng.random(len(board)) < 0.06)] = 0
        too_high = level + 6 > makes + 1
        double = (rng.random(len(board)) < np.where(too_high, 0.2, 0.01)).astype(np.int64)
        return np.stack([level, strain, double, declarer, choice])

    def _expected(self, bid: Ints) -> Floats:
        """Declarer's tricks on average."""
        return self.makes[self.board, bid[4]]

    def _score(self, bid: Ints, tricks: Floats) -> Floats:
        """N-S's points."""
        level, strain, double, declarer, _ = bid
        vulnerable = self.vulnerable[self.board] >> declarer % 2 & 1
        points = contract_score(level, strain, double, np.clip(tricks, 0, 13).astype(np.int64), vulnerable)
        return np.where(level == 0, 0, np.where(declarer % 2 == 1, -points, points)).astype(np.float64)

    def _scores(self, bid: Ints, tricks: Floats, spread: Floats) -> Floats:
        """(7, n) N-S's points, as tricks may turn out."""
        return np.stack([self._score(bid, np.rint(tricks + spread * offset)) for offset in _OFFSETS])

    def _first_happens(self, scores: list[Floats], advantage: Floats) -> NDArray[np.bool_]:
        """Whether the first of two happens; (k, n) equally likely scores each, the advantage in N-S's IMPs a chance."""
        both = np.concatenate(scores)
        sums, tables = against_field(np.tile(self.board, len(both)), both.ravel(), partial(imps_of, half=5))
        worth = (sums / (tables - 1)).reshape(2, -1, len(advantage)).mean(axis=1)
        gain = np.abs(worth[0] - worth[1])
        share = np.clip(0.5 + advantage / max(float(gain.mean()), 1e-9), 0, 1)
        better = self.rng.random(len(share)) < share
        return np.asarray(better == (worth[0] >= worth[1]))
