"""What double dummy is good for, measured: small fields with a virtual table, layout luck, and leads by their cost.

Intervals are of 95 %, from bootstraps by board or by player with a fixed seed.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, fields, replace

import numpy as np

from valet_xl.deals.against import WEIGHT, Against
from valet_xl.engine.arrays import Floats, Index, count_by, sum_by
from valet_xl.engine.results import Results
from valet_xl.engine.valet import VirtualTable, valet

SIZES = (4, 6, 8, 12, 16)
"""The small fields that are drawn from larger ones."""
PARTS = ("overall", "bid")
_DRAWS = 12  # small fields that are drawn of each size
_BOOTSTRAPS = 1000
_SEED = 1
_FEWEST_LEADS = 4  # of a player


@dataclass(frozen=True, slots=True)
class Estimate:
    """A number with its interval, and how many boards or players it is from; NaN where there are too few."""

    value: float
    low: float
    high: float
    size: int

    def __str__(self) -> str:
        if np.isnan(self.value):
            return "-"
        return f"{self.value:.2f} ({self.low:.2f} to {self.high:.2f})"


@dataclass(frozen=True, slots=True)
class Fit:
    """How results go with their deals: declarer's tricks less those double dummy, and the leads.

    results : how many have a deal
    mean, apart : the average difference in tricks, and the average of its size
    leads, wrong : how many leads are known, and of how many the leader does not hold the card
    """

    results: int
    mean: float
    apart: float
    leads: int
    wrong: int


def fit_of(found: Against) -> Fit:
    """How well results and deals go together."""
    play = found.play[~np.isnan(found.play)]
    wrong = sum(text.startswith("lead ") for _, text in found.notes)
    leads = int(np.count_nonzero(~np.isnan(found.lead_cost))) + wrong
    mean, apart = (float(play.mean()), float(np.abs(play).mean())) if len(play) else (np.nan, np.nan)
    return Fit(len(play), mean, apart, leads, wrong)


def virtual_gain(results: Results, found: Against, size: int, part: str, weight: float = WEIGHT) -> Estimate:
    """By what share a virtual table reduces the error of a part in small fields.

    Parameters
    ----------
    results, found : a tournament beside its deals
    size : how many tables of a board are drawn at random; boards with at least twice as many are used
    part : "bid" or "play"
    weight : of the virtual table

    Returns
    -------
    1 - RMS error with the virtual table / RMS error without, where the error of a result is its part in the small field
    less that in the whole field
    """
    boards = [np.flatnonzero(results.in_field & (results.board == board)) for board in range(len(results.boards))]
    boards = [board for board in boards if len(board) >= 2 * size]
    if not boards:
        return Estimate(np.nan, np.nan, np.nan, 0)
    whole = getattr(valet(results), part)
    table = found.virtual_table(weight)
    random = np.random.default_rng(_SEED)
    sums = np.zeros((2, len(results.boards)))
    for _ in range(_DRAWS):
        at = np.concatenate([random.choice(board, size, replace=False) for board in boards])
        few = _rows(results, at)
        for with_it, virtual in enumerate((None, VirtualTable(table.tricks[at], table.led[at], weight))):
            error = np.where(few.level > 0, getattr(valet(few, virtual=virtual), part) - whole[at], np.nan)
            there = ~np.isnan(error)
            sums[with_it] += sum_by(few.board[there], error[there] ** 2, len(results.boards))
    used = sums[:, sums[0] > 0]
    return _bootstrapped(used.shape[1], lambda at: 1 - np.sqrt(used[1, at].sum() / used[0, at].sum()))


def layout_share(results: Results, found: Against, part: str) -> Estimate:
    """What share of the variance of a part layout luck takes, with its fixed coefficient."""
    values = getattr(valet(results), part)
    there = np.flatnonzero(~np.isnan(values) & ~np.isnan(found.layout))
    board, size = results.board[there], len(results.boards)
    before, after = values[there], values[there] - found.layout[there]
    sums = np.array([sum_by(board, each**2, size) for each in (before, after)])
    used = sums[:, count_by(board, size) > 0]
    return _bootstrapped(used.shape[1], lambda at: 1 - used[1, at].sum() / used[0, at].sum())


def lead_reliability(results: Results, found: Against | None) -> Estimate:
    """How reliable the average of a player's leads is: Spearman and Brown's correction of the correlation of halves.

    Parameters
    ----------
    results : a tournament with its players
    found : what the deals say: leads are then judged by what they cost double dummy; without it by the class-based Lead

    Notes
    -----
    The halves are the odd and the even leads of a player in the order of the file. No value is below -1.
    """
    if found is None:
        parts = valet(results)
        worth = np.where((results.lead_suit >= 0) & (results.level > 0), parts.lead, np.nan)
    else:
        worth = -found.lead_cost
    leader = results.players[np.arange(len(results)), (results.declarer.astype(np.intp) + 1) % 4]
    at = np.flatnonzero(~np.isnan(worth) & (leader >= 0))
    order = at[np.argsort(leader[at], kind="stable")]
    who = leader[order]
    number = np.arange(len(who)) - np.searchsorted(who, who)
    size = len(results.names)
    enough = np.flatnonzero(count_by(who, size) >= _FEWEST_LEADS)
    halves = np.array([_mean_by(who, worth[order], number % 2 == half, size)[enough] for half in (0, 1)])
    if len(enough) < 4 or not halves.std(axis=1).all():
        return Estimate(np.nan, np.nan, np.nan, len(enough))

    def reliability(players: Index) -> float:
        correlation = float(np.corrcoef(halves[:, players])[0, 1])
        return max(-1.0, 2 * correlation / (1 + correlation)) if correlation > -1 else -1.0

    return _bootstrapped(len(enough), reliability)


def _mean_by(who: Index, values: Floats, chosen: np.ndarray, size: int) -> Floats:
    return sum_by(who[chosen], values[chosen], size) / np.maximum(count_by(who[chosen], size), 1)


def _rows(results: Results, at: Index) -> Results:
    """Some rows of a tournament."""
    columns = {each.name: getattr(results, each.name)[at] for each in fields(Results) if each.type in _ARRAYS}
    return replace(results, **columns, errors=(), notes=())


_ARRAYS = ("Small", "Index", "Floats")


def _bootstrapped(size: int, value: Callable[[Index], float]) -> Estimate:
    """A value of `size` boards or players, and its interval."""
    random = np.random.default_rng(_SEED)
    with np.errstate(invalid="ignore", divide="ignore"):
        drawn = [value(random.integers(0, size, size)) for _ in range(_BOOTSTRAPS)]
    low, high = np.nanquantile(drawn, (0.025, 0.975))
    return Estimate(float(value(np.arange(size))), float(low), float(high), size)
