"""How duels come out, from the results of tournaments: one deal's results, and scales for a duel, side by side."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import sqrt

import numpy as np

from valet_xl.engine.arrays import Floats, Ints, sum_by
from valet_xl.engine.butler import butler
from valet_xl.engine.comparison import Kernel, cross_imps, distinct, matchpoint_percent, spans
from valet_xl.engine.duels import DEAL_SD, formula_points, section_points, winners_points
from valet_xl.engine.laws import imps_of
from valet_xl.engine.normal import share_below
from valet_xl.engine.results import Results
from valet_xl.errors import ArgumentError, SheetError, one_of


@dataclass(frozen=True, slots=True)
class DealMethod:
    """A way to score one deal of a duel.

    title : what the deal is scored by
    unit : what a balance is counted in
    most : the largest result of a deal
    step : what results are rounded to a multiple of
    kernel : what compares two tables of a board; None if a table is compared with its field, as pairs are
    """

    title: str
    unit: str
    most: float
    step: float = 1.0
    kernel: Kernel | None = None


# The page's duel is of two pairs at one table, whose deals are scored against the field; a match of two teams has two.
DEAL_METHODS = {
    "butler": DealMethod("IMPs against the datum of the board (Butler)", "IMPs", 24),
    "iaf": DealMethod("IMPs across the field (cross-IMPs)", "IMPs", 24, step=0.1),
    "matchpoints": DealMethod("matchpoints, per cent above or below 50", "per cent", 50),
    "teams": DealMethod("IMPs of two tables drawn at random", "IMPs", 24, kernel=imps_of),
    "board-a-match": DealMethod("two tables drawn at random: won 1, tied 0, lost -1", "boards", 1, kernel=np.sign),
}

PAGE_CAP = 25 / 30  # of all points: the most that the page gives
_CAP_AT = 20 / 9  # where its formula gives so much, in standard deviations of the duel: 100 z / (20 + z) = 10


@dataclass(frozen=True, slots=True)
class Distribution:
    """How likely each balance is.

    share : (2 m + 1,) the probabilities of the balances -m ... m times the step
    boards : how many boards it comes from
    step : what the balances are multiples of
    """

    share: Floats
    boards: int
    step: float = 1.0

    @property
    def balances(self) -> Floats:
        """(2 m + 1,) the balances."""
        most = len(self.share) // 2
        return np.arange(-most, most + 1, dtype=np.float64) * self.step

    @property
    def mean(self) -> float:
        """The mean balance: 0, as each result is one side's as well as the other's, but for rounding."""
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
        size = deals * (len(self.share) - 1) + 1
        share = np.fft.irfft(np.fft.rfft(self.share, size) ** deals, size)
        return Distribution(np.maximum(share, 0), self.boards, self.step)

    def gap_to_normal(self) -> float:
        """The largest difference between its cumulative probabilities and those of the normal distribution like it."""
        borders = self.balances + self.step / 2
        return float(np.abs(np.cumsum(self.share) - share_below((borders - self.mean) / self.sd)).max())


def deal_distribution(results: Results, *, method: str = "butler") -> Distribution:
    """The result of one deal of a duel, to either of the two sides.

    Parameters
    ----------
    results : of a tournament; every board on which two tables or more are to compare counts alike
    method : of `DEAL_METHODS`

    Returns
    -------
    its distribution

    Raises
    ------
    SheetError : where no board has two results
    OptionError : for another method

    >>> from valet_xl.reading.rows import read_rows
    >>> night = read_rows({"board": [1, 1], "contract": ["4SN", "4SN"], "tricks": [10, 9]}, [2, 3])
    >>> deal_distribution(night, method="teams").sd  # 420 against -50, 10 IMPs to one side or the other
    10.0
    >>> deal_distribution(night).sd  # against the datum of 185 either score is worth 6 IMPs
    6.0
    """
    one_of("method", method, DEAL_METHODS)
    way = DEAL_METHODS[method]
    worth, share = _against_the_field(results, method) if way.kernel is None else _two_tables(results, way.kernel)
    most = round(way.most / way.step)
    at = np.rint(worth / way.step).astype(np.intp)  # rint rounds both sides of a score alike
    both = np.concatenate([at, -at]) + most
    by_worth = sum_by(both, np.concatenate([share, share]) / 2, 2 * most + 1)
    boards = round(by_worth.sum())
    if not boards:
        raise SheetError("no board has two results to compare")
    return Distribution(by_worth / boards, boards, way.step)


def _against_the_field(results: Results, method: str) -> tuple[Floats, Floats]:
    """What each table is worth against its field, and its share of its board."""
    scores = np.where(results.in_field, results.score, np.nan)
    if method == "matchpoints":
        worth = matchpoint_percent(scores, boards=results.board) - 50
    else:
        worth = (cross_imps if method == "iaf" else butler)(scores, boards=results.board)
    compared = np.flatnonzero(results.in_field & ~np.isnan(worth))
    tables = sum_by(results.board[compared], np.ones(len(compared)), len(results.boards))[results.board[compared]]
    several = tables > 1
    return worth[compared][several], 1 / tables[several]


def _two_tables(results: Results, kernel: Kernel) -> tuple[Floats, Floats]:
    """What each two tables of a board are worth to each other, and their share of the board."""
    played = results.in_field
    field = distinct(results.board[played], results.score[played])
    count = field.weights()
    first = field.board.searchsorted(field.board, side="left")
    size = field.board.searchsorted(field.board, side="right") - first
    one, other = spans(first, size)
    tables = sum_by(field.board, count)[field.board[one]]
    pairs = count[one] * (count[other] - (one == other))
    share = np.divide(pairs, tables * (tables - 1), out=np.zeros_like(pairs), where=tables > 1)
    return kernel(field.score[one] - field.score[other]), share


def pooled(parts: Sequence[Distribution]) -> Distribution:
    """Several distributions of one deal as one, every board counting alike.

    >>> always, never = Distribution(np.array([0.5, 0, 0.5]), 3), Distribution(np.array([0, 1, 0]), 1)
    >>> pooled([always, never]).drawn
    0.25
    """
    boards = sum(part.boards for part in parts)
    share = np.sum([part.share * part.boards for part in parts], axis=0) / boards
    return Distribution(share, boards, parts[0].step)


@dataclass(frozen=True, slots=True)
class Comparison:
    """Scales for duels at balances 0, 1, 2 ..., in points of the winners.

    balance : (n,)
    formula : (n,) by the page's formula, to the whole point and at most 25 of 30
    sds : (m,) standard deviations of a deal for which sections of equal probability are cut
    sections : (m, n) by those sections
    winners : (n,) by the page's construction, 0 to 100, for the first of the standard deviations
    """

    balance: Ints
    formula: Floats
    sds: tuple[float, ...]
    sections: Floats
    winners: Floats


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
    return Comparison(balance, np.floor(formula + 0.5), tuple(sds), sections, winners_points(balance, deals, sd=sds[0]))


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
