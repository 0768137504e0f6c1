"""How duels come out, from the results of tournaments: one deal's results, and scales for a duel, side by side."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import sqrt

import numpy as np

from valet_xl.engine.arrays import Floats, Ints, sum_by
from valet_xl.engine.comparison import Kernel, distinct, spans
from valet_xl.engine.duels import DEAL_SD, formula_points, section_points
from valet_xl.engine.laws import IMP_STEPS, imps_of
from valet_xl.engine.normal import share_below
from valet_xl.engine.results import Results
from valet_xl.errors import ArgumentError, SheetError, one_of

# What one deal is worth to a side of a duel: IMPs, or a board won, tied or lost.
DEAL_METHODS: dict[str, tuple[Kernel, int]] = {"imps": (imps_of, len(IMP_STEPS)), "matchpoints": (np.sign, 1)}

PAGE_CAP = 25 / 30  # of all points: the most that the page gives
_CAP_AT = 20 / 9  # where its formula gives so much, in standard deviations of the duel: 100 z / (20 + z) = 10


@dataclass(frozen=True, slots=True)
class Distribution:
    """How likely each balance is.

    share : (2 m + 1,) the probabilities of the balances -m ... m
    boards : how many boards it comes from
    """

    share: Floats
    boards: int

    @property
    def balances(self) -> Ints:
        """(2 m + 1,) the balances."""
        most = len(self.share) // 2
        return np.arange(-most, most + 1)

    @property
    def mean(self) -> float:
        """The mean balance: 0, as each table is compared with each other one both ways, but for rounding."""
        return float(self.balances @ self.share)

    @property
    def sd(self) -> float:
        """The standard deviation of the balance."""
        return sqrt(max(float(self.balances**2 @ self.share) - self.mean**2, 0))

    @property
    def mean_size(self) -> float:
        """The mean of the balance's absolute value."""
        return float(np.abs(self.balances) @ self.share)

    @property
    def drawn(self) -> float:
        """How likely a balance of 0 is."""
        return float(self.share[len(self.share) // 2])

    def of_duel(self, deals: int) -> Distribution:
        """The distribution of a duel's balance over so many independent deals.

        Raises
        ------
        ArgumentError : for less than one deal
        """
        if deals < 1:
            raise ArgumentError(f"deals must be 1 or more, got {deals}")
        share = self.share
        for _ in range(deals - 1):
            share = np.convolve(share, self.share)
        return Distribution(share, self.boards)

    def gap_to_normal(self) -> float:
        """The largest difference between its cumulative probabilities and those of the normal distribution like it."""
        borders = self.balances + 0.5
        return float(np.abs(np.cumsum(self.share) - share_below((borders - self.mean) / self.sd)).max())


def deal_distribution(results: Results, *, method: str = "imps") -> Distribution:
    """The result of one deal of a duel: two tables of a board drawn at random, compared with each other.

    Parameters
    ----------
    results : of a tournament; every board on which two tables or more are to compare counts alike
    method : "imps"; or "matchpoints": won 1, tied 0, lost -1

    Returns
    -------
    its distribution

    Raises
    ------
    SheetError : where no board has two results
    OptionError : for another method

    >>> from valet_xl.reading.rows import read_rows
    >>> night = read_rows({"board": [1, 1], "contract": ["4SN", "4SN"], "tricks": [10, 9]}, [2, 3])
    >>> deal_distribution(night).sd  # 420 against -50, 10 IMPs to one side or the other
    10.0
    """
    one_of("method", method, DEAL_METHODS)
    kernel, most = DEAL_METHODS[method]
    played = results.in_field
    field = distinct(results.board[played], results.score[played])
    count = field.weights()
    first = field.board.searchsorted(field.board, side="left")
    size = field.board.searchsorted(field.board, side="right") - first
    one, other = spans(first, size)
    tables = sum_by(field.board, count)[field.board[one]]
    pairs = count[one] * (count[other] - (one == other))
    share = np.divide(pairs, tables * (tables - 1), out=np.zeros_like(pairs), where=tables > 1)
    worth = kernel(field.score[one] - field.score[other]).astype(np.intp)
    by_worth = sum_by(worth + most, share, 2 * most + 1)
    boards = round(by_worth.sum())
    if not boards:
        raise SheetError("no board has two results to compare")
    return Distribution(by_worth / boards, boards)


def pooled(parts: Sequence[Distribution]) -> Distribution:
    """Several distributions of one deal as one, every board counting alike.

    >>> always, never = Distribution(np.array([0.5, 0, 0.5]), 3), Distribution(np.array([0, 1, 0]), 1)
    >>> pooled([always, never]).drawn
    0.25
    """
    boards = sum(part.boards for part in parts)
    return Distribution(np.sum([part.share * part.boards for part in parts], axis=0) / boards, boards)


@dataclass(frozen=True, slots=True)
class Comparison:
    """Scales for duels at balances 0, 1, 2 ..., in points of the winners.

    balance : (n,)
    formula : (n,) by the page's formula, to the whole point and at most 25 of 30
    sds : (m,) standard deviations of a deal for which sections of equal probability are cut
    sections : (m, n) by those sections
    """

    balance: Ints
    formula: Floats
    sds: tuple[float, ...]
    sections: Floats


def compare_scales(
    deals: int, points: int, sds: Sequence[float], most: float, *, formula_sd: float = DEAL_SD
) -> Comparison:
    """The page's formula and a normal distribution's sections, for duels of so many deals.

    Parameters
    ----------
    deals, points : as for `section_points`
    sds : the standard deviations of a deal for which sections are cut, in units of the balance
    most : the largest balance, rounded up
    formula_sd : what replaces the page's 5 IMPs in its formula where the balance is not in IMPs

    Raises
    ------
    ArgumentError : as `section_points`

    >>> scales = compare_scales(16, 30, [5.0], most=26)
    >>> float(scales.formula[26]), float(scales.sections[0, 26])
    (21.0, 27.0)
    """
    balance = np.arange(int(np.ceil(most)) + 1)
    sections = np.stack([section_points(balance, deals, points=points, sd=sd) for sd in sds])
    formula = np.minimum(formula_points(balance, deals, points=points, sd=formula_sd), PAGE_CAP * points)
    return Comparison(balance, np.floor(formula + 0.5), tuple(sds), sections)


@dataclass(frozen=True, slots=True)
class Gap:
    """How many points two scales are apart, and where: at a balance of so many times the page's standard deviation of
    the duel, 5 IMPs times the root of the deals.
    """

    points: float
    at: float


def largest_gap(*, stretch: float = 1.0, points: float = 30) -> Gap:
    """Where the sections are furthest from the page's formula below its cap, as curves through the middle of the steps.

    Parameters
    ----------
    stretch : the standard deviation that the sections are cut for, in times the page's
    points : as for `section_points`

    Returns
    -------
    what the sections give the winners more, at its largest; negative where they give less

    Notes
    -----
    In standard deviations z of the duel both curves are the same for any number of deals: with p points the formula's
    p / 2 + p z / (6 (1 + z / 20)), which reaches its cap at z = 20/9, and the sections' (p + 1) P - 1/2, P being the
    probability of a smaller balance.

    >>> round(largest_gap().points, 1)
    6.5
    """
    z = np.linspace(0, _CAP_AT, 2001)
    apart = (points + 1) * share_below(z / stretch) - 0.5 - formula_points(z, 1, points=points, sd=1)
    at = int(np.abs(apart).argmax())
    return Gap(float(apart[at]), float(z[at]))


def nearest_stretch(*, points: float = 30) -> float:
    """How many times the page's standard deviation brings the sections nearest to its formula, to 0.05.

    >>> nearest_stretch()
    2.45
    """
    stretches = (np.arange(20, 81) / 20).tolist()
    return float(min(stretches, key=lambda stretch: abs(largest_gap(stretch=stretch, points=points).points)))
