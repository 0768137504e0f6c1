"""How well past events forecast the next one: by the average so far, by strengths, and by the parts of the game."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from valet_xl.engine.arrays import Floats, Index, Mask, sum_by
from valet_xl.engine.normal import Z_95
from valet_xl.messages import Progress, unsaid
from valet_xl.rankings.career import COLUMNS, Career, Column
from valet_xl.rankings.components import Solved, solve
from valet_xl.rankings.listing import Heading, Listing, Value, numbers

WAYS = {
    "average": "the average so far",
    "strength": "the strength so far",
    "field": "the strength above the field's",
    "two parts": "strengths in bidding and play, above the field's",
    "four parts": "strengths in the four parts, above the field's",
    "players": "mean strength of both players, above the field's",
    "new pairs": "the same, of new pairs of two known players",
}
"""What forecasts are made of."""
_LEVELS = {"Inside 50 %": 0.6744897501960817, "Inside 80 %": 1.2815515655446004, "Inside 95 %": Z_95}
_DRAWS, _SEED = 1000, 1
_PARTS = {
    "two parts": {"bid": 1.0, "play": 1.0},
    "four parts": {"bid": 1.0, "declarer": 0.5, "lead": 0.5, "defence": 0.5},
}


@dataclass(frozen=True, slots=True, eq=False)
class Forecast:
    """Forecasts of one column in one way, and what came: (n,) each, for all who had played before.

    column, way : of COLUMNS, and of WAYS; "new pairs" has those who had not played before, but both players had
    owner, event : who, and in which event
    forecast, deviation : what was expected, and the standard deviation of what comes about it; NaN for an average
    came, chances : the average that came, and of how many chances
    noise : what chance does to it, as a variance
    """

    column: str
    way: str
    owner: Index
    event: Index
    forecast: Floats
    deviation: Floats
    came: Floats
    chances: Floats
    noise: Floats

    def __len__(self) -> int:
        return len(self.came)

    @property
    def r_squared(self) -> float:
        """1 less the squared misses over the squares of what came, by chances; below 0 it is worse than nothing."""
        return _r_squared(self.chances, self.came, self.forecast)

    @property
    def interval(self) -> tuple[float, float]:
        """The 95 % interval of R squared, by drawing owners with repeats; the same each time."""
        if not len(self):
            return float("nan"), float("nan")
        _, number = np.unique(self.owner, return_inverse=True)
        size = int(number.max()) + 1
        missed, whole = (
            sum_by(number, self.chances * each**2, size) for each in (self.came - self.forecast, self.came)
        )
        drawn = np.random.default_rng(_SEED).multinomial(size, np.full(size, 1 / size), _DRAWS)
        low, high = np.quantile(1 - (drawn @ missed) / (drawn @ whole), (0.025, 0.975))
        return float(low), float(high)

    @property
    def most(self) -> float:
        """The R squared of one who knew the strengths: what of the squares is not chance."""
        whole = self.chances @ self.came**2
        return float(1 - self.chances @ self.noise / whole) if whole > 0 else float("nan")

    def inside(self, reach: float) -> float:
        """The share of what came that is within so many deviations of the forecast."""
        known = ~np.isnan(self.deviation)
        return (
            float(np.mean(np.abs(self.came - self.forecast)[known] <= reach * self.deviation[known]))
            if known.any()
            else float("nan")
        )


def forecasts(career: Career, players: Career | None = None, *, step: Progress = unsaid) -> tuple[Forecast, ...]:
    """Forecast each event from those before it alone, as if it were not yet played.

    Parameters
    ----------
    career : of events in the order in which they were played
    players : of pairs, the career of their players in the same events, for forecasts by both players' strengths
    step : called with each event

    Returns
    -------
    for each column the forecasts by the average, by the strength, and by the strength above that of the field; for the
    overall score those by its parts too, and those by both players

    Notes
    -----
    Whoever plays in an event is forecast if he played in one before it. The strength of a field is the mean of those in
    it, by chances; of somebody who was never seen it is 0. What comes varies about a forecast by the error of the
    strength, by the variance from event to event, and by chance. Partners play together, so the error of the mean of
    two strengths is taken for the mean of their errors.
    """
    events = len(career.labels)
    kept: dict[tuple[str, str], list[tuple[Floats | Index, ...]]] = {}
    for event in range(1, events):
        step(f"forecasting event {event + 1:,} of {events:,}", event / events)
        known = [*career.columns.values(), *(players.columns.values() if players else ())]
        if not any(_seen_before(column, event) for column in known):
            continue
        past = {name: _past(column, event) for name, column in career.columns.items()}
        for name, column in career.columns.items():
            now = np.flatnonzero(column.event == event)
            seen = now[past[name][1][column.entries.owner[now]] > 0]
            if not len(seen):
                continue
            solved, _, average = past[name]
            owner = column.entries.owner[seen]
            came, chances, noise = (
                each[seen] for each in (column.entries.average, column.chances, column.entries.variance)
            )
            deviation = np.sqrt(solved.error[owner] ** 2 + solved.events + noise)
            common = (owner, np.full(len(seen), event, dtype=np.intp))
            unknown = np.full(len(seen), np.nan)
            field = _field(column, now, seen, solved.strength)
            made = {
                "average": (average[owner], unknown),
                "strength": (solved.strength[owner], deviation),
                "field": (solved.strength[owner] - field, deviation),
            }
            if name == "overall":
                for way, parts in _PARTS.items():
                    total = sum(weight * past[part][0].strength for part, weight in parts.items())
                    total = np.asarray(total, dtype=np.float64)
                    made[way] = (total[owner] - _field(column, now, seen, total), unknown)
            for way, (forecast, of_way) in made.items():
                row = (*common, forecast, of_way, came, chances, noise)
                kept.setdefault((name, way), []).append(row)
        if players is not None:
            played = past["overall"][1] > 0
            for way, rows in _by_players(career, players, event, played):
                kept.setdefault(("overall", way), []).append(rows)
    return tuple(
        Forecast(name, way, *(np.concatenate(column) for column in zip(*rows, strict=True)))
        for (name, way), rows in sorted(kept.items(), key=lambda item: _order(item[0]))
    )


def forecast_listing(found: Sequence[Forecast]) -> Listing:
    """How well forecasts were, as a table for people."""
    headings = (
        Heading("Forecast of", "the part of the game", "@", 12),
        Heading("By", "what the forecast is made of", "@", 50),
        Heading("Forecasts", "of how many averages of an event", "0", 10),
        Heading("R squared", "the share of the squares of what came that the forecast explains", "0.00", 10),
        Heading("R squared Low", "where its 95 % interval begins", "0.00", 14, 0, "R squared"),
        Heading("R squared High", "where it ends", "0.00", 15, 0, "R squared"),
        Heading("At most", "the R squared of one who knew the strengths: the rest is chance", "0.00", 9),
        *(
            Heading(name, f"the share of what came in the {name.split()[1]} % interval of its forecast", "0.00", 12, 1)
            for name in _LEVELS
        ),
    )
    rows: list[tuple[Value, ...]] = []
    for each in found:
        figures = numbers(
            [each.r_squared, *each.interval, each.most, *(each.inside(reach) for reach in _LEVELS.values())]
        )
        rows.append((COLUMNS[each.column], WAYS[each.way], len(each), *figures))
    return Listing(headings, tuple(map(list, zip(*rows, strict=True))) if rows else tuple([] for _ in headings))


def _by_players(
    career: Career, players: Career, event: int, played: Mask
) -> Iterator[tuple[str, tuple[Floats | Index, ...]]]:
    """The forecasts of pairs in an event by both players' strengths, of those who had played before and of new ones.

    played : (pairs,) who had played before
    """
    column = career.columns["overall"]
    solved, count, _ = _past(players.columns["overall"], event)
    known = (np.append(count, 0)[career.players] > 0).all(axis=1)
    strength, error = (np.append(each, 0.0)[career.players].mean(axis=1) for each in (solved.strength, solved.error))
    now = np.flatnonzero(column.event == event)
    for way, wanted in (("players", known & played), ("new pairs", known & ~played)):
        seen = now[wanted[column.entries.owner[now]]]
        if len(seen):
            owner, noise = column.entries.owner[seen], column.entries.variance[seen]
            forecast = strength[owner] - _field(column, now, seen, strength)
            deviation = np.sqrt(error[owner] ** 2 + solved.events + noise)
            came = column.entries.average[seen]
            yield way, (owner, np.full(len(seen), event), forecast, deviation, came, column.chances[seen], noise)


def _seen_before(column: Column, event: int) -> bool:
    """Whether somebody in an event was in one before it."""
    owner = column.entries.owner
    return bool(np.isin(owner[column.event == event], owner[column.event < event]).any())


def _past(column: Column, event: int) -> tuple[Solved, Floats, Floats]:
    """The strengths from the events before one, and how many chances and which average each owner had."""
    rows = np.flatnonzero(column.event < event)
    owners = len(column.solved.strength)
    entries = column.entries.take(rows)
    count = np.asarray(sum_by(entries.owner, column.chances[rows], owners))
    total = sum_by(entries.owner, entries.average * column.chances[rows], owners)
    with np.errstate(divide="ignore", invalid="ignore"):
        return solve(entries, owners, column.copies), count, np.asarray(total / count)


def _field(column: Column, now: Index, seen: Index, strength: Floats) -> Floats:
    """The strength of the field of each entry that is forecast."""
    field, owner, chances = column.entries.field, column.entries.owner, column.chances
    size = int(field[now].max()) + 1
    weight = sum_by(field[now], chances[now], size)
    total = sum_by(field[now], chances[now] * strength[owner[now]], size)
    return np.asarray(total[field[seen]] / weight[field[seen]])


def _r_squared(weight: Floats, came: Floats, forecast: Floats) -> float:
    whole = weight @ came**2
    return float(1 - weight @ (came - forecast) ** 2 / whole) if whole > 0 else float("nan")


def _order(key: tuple[str, str]) -> tuple[int, int]:
    return list(COLUMNS).index(key[0]), list(WAYS).index(key[1])
