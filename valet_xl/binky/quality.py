"""How good a fit of Binky points is: compared with its other method, with simpler valuations, and on other deals."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from valet_xl.binky.deals import Deals
from valet_xl.binky.fit_pairs import Pairs, expected_tricks, pairs_of
from valet_xl.binky.fit_tables import frequencies
from valet_xl.binky.hands import CARDS, HONOURS, PATTERNS
from valet_xl.binky.points import HOLDINGS, KINDS, Coefficients, chances
from valet_xl.engine.arrays import Floats, count_by, sum_by

if TYPE_CHECKING:  # the fit needs scipy, which a check of the shipped coefficients does not
    from valet_xl.binky.fit import Fit

BINS = 10  # of predicted chances
FEW = 50  # pairs of hands of about the same strength: fewer say little
_POINTS = (4, 3, 2, 1, 0, 0)  # high-card points of A K Q J T 9


@dataclass(frozen=True, slots=True)
class Bin:
    """A group of predicted chances of at least so many tricks, and how often they came true.

    size : how many
    predicted, observed : their mean, and the share that came true
    """

    size: int
    predicted: float
    observed: float


def residuals(coefficients: Coefficients, pairs: Pairs) -> Floats:
    """(4,) the standard deviation of tricks about the sum of the hands' values."""
    return np.asarray((pairs.tricks - expected_tricks(coefficients, pairs)).std(axis=0))


def points_and_shape(fitted: Pairs, checked: Pairs) -> Floats:
    """(4,) the same if hands are valued by least squares on their high-card points and their patterns only.

    Parameters
    ----------
    fitted, checked : the pairs that it is fitted to, and those whose tricks are predicted
    """
    solution = np.linalg.lstsq(_simple(fitted), fitted.tricks, rcond=None)[0]
    return np.asarray((checked.tricks - _simple(checked) @ solution).std(axis=0))


def calibration(coefficients: Coefficients, pairs: Pairs, kind: int) -> list[Bin]:
    """Predicted chances of at least 1, 2 ... 13 tricks of every pair, in groups, and how often they came true."""
    at_least = _at_least(coefficients, pairs, kind)
    came = pairs.tricks[:, kind, None] > np.arange(CARDS)
    place = np.clip((at_least * BINS).astype(np.intp), 0, BINS - 1).ravel()
    size = count_by(place, BINS)
    predicted = sum_by(place, at_least.ravel(), BINS)
    observed = sum_by(place, came.ravel(), BINS)
    return [Bin(int(n), float(p / n), float(o / n)) for n, p, o in zip(size, predicted, observed, strict=True) if n > 0]


@dataclass(frozen=True, slots=True)
class Strength:
    """Pairs of hands that expect about the same, and a number of tricks in the middle of them.

    low : the expected tricks are from it on, and less than one more
    size : how many pairs
    mean, mean_seen : the mean number of tricks, predicted and seen
    tricks : the number
    predicted, observed : the mean predicted chance of at least so many, and the share of pairs that took them
    """

    low: int
    size: int
    mean: float
    mean_seen: float
    tricks: int
    predicted: float
    observed: float


def by_strength(coefficients: Coefficients, pairs: Pairs, kind: int) -> list[Strength]:
    """How reliable chances are for pairs that expect 0-1, 1-2 ... tricks, if there are FEW of them or more.

    With the expected tricks between 11 and 12 the chance is that of at least 12 tricks.
    """
    expected = expected_tricks(coefficients, pairs)[:, kind]
    at_least = _at_least(coefficients, pairs, kind)
    seen = pairs.tricks[:, kind]
    found = []
    for low in range(-1, CARDS + 1):
        chosen = (expected >= low) & (expected < low + 1)
        number = min(max(low + 1, 1), CARDS)
        if (size := int(chosen.sum())) >= FEW:
            chance, came = at_least[chosen], seen[chosen]
            mean, predicted = chance.sum(axis=1).mean(), chance[:, number - 1].mean()
            found.append(
                Strength(
                    *(low, size, float(mean), float(came.mean()), number),
                    *(float(predicted), float((came >= number).mean())),
                )
            )
    return found


def log_score(coefficients: Coefficients, pairs: Pairs, kind: int) -> float:
    """Minus the mean logarithm of the chance that the number of tricks had which came true: the less, the better.

    A chance counts as at least one in a million, so that one pair cannot decide.
    """
    expected = expected_tricks(coefficients, pairs)[:, kind]
    chance = chances(expected, pairs.shape, coefficients.chances[kind])
    came = chance[np.arange(len(pairs)), pairs.tricks[:, kind].astype(np.intp)]
    return float(-np.log(np.maximum(came, 1e-6)).mean())


def _at_least(coefficients: Coefficients, pairs: Pairs, kind: int) -> Floats:
    """(m, 13) predicted chances of at least 1, 2 ... 13 tricks."""
    expected = expected_tricks(coefficients, pairs)[:, kind]
    chance = chances(expected, pairs.shape, coefficients.chances[kind])
    return np.asarray(1 - np.cumsum(chance, axis=1)[:, :CARDS])


def differences(fit: Fit) -> list[tuple[str, Floats]]:
    """How far the single-hand tables' values are from those of least squares, for groups of values.

    Returns
    -------
    the name of each group, and (4,) root mean squares in tricks

    Notes
    -----
    Each pattern and holding is weighted by how often it occurs.
    """
    of_patterns, of_holdings = frequencies()
    lengths = np.array(HOLDINGS)[:, 0]
    seen = ~np.isnan(fit.tables_pattern).any(axis=1)
    pattern = fit.tables_pattern - fit.coefficients.pattern
    holding = fit.tables_holding - fit.coefficients.holding
    parts = [("patterns", pattern[seen], of_patterns[seen])]
    for name, low, high in (("1-3 cards", 1, 3), ("4-6 cards", 4, 6), ("7 cards and more", 7, CARDS)):
        chosen = (lengths >= low) & (lengths <= high)
        parts.append((f"holdings of {name}", holding[chosen], of_holdings[chosen]))
    return [(name, np.sqrt(weight @ size**2 / weight.sum())) for name, size, weight in parts]


def errors(coefficients: Coefficients) -> list[tuple[str, Floats]]:
    """(4,) standard errors for groups of values: root mean squares, each value weighted by how often it occurs."""
    of_patterns, of_holdings = frequencies()
    lengths = np.array(HOLDINGS)[:, 0]
    parts = [("patterns", coefficients.pattern_error, of_patterns)]
    for name, low, high in (("1-3 cards", 1, 3), ("4-6 cards", 4, 6), ("7 cards and more", 7, CARDS)):
        chosen = (lengths >= low) & (lengths <= high)
        parts.append((f"holdings of {name}", coefficients.holding_error[chosen], of_holdings[chosen]))
    return [(name, np.sqrt(weight @ size**2 / weight.sum())) for name, size, weight in parts]


def report(deals: Deals, fit: Fit, others: Deals | None = None) -> str:
    """The deals of a fit and how good it is, as Markdown.

    Parameters
    ----------
    others : solved deals that the fit has not seen
    """
    return "\n".join(_lines(deals, fit, others)) + "\n"


def _lines(deals: Deals, fit: Fit, others: Deals | None) -> Iterator[str]:
    planted = int((deals.planted >= 0).sum())
    pairs = pairs_of(deals)
    yield "# Binky points: a fit"
    yield ""
    yield f"The fit uses {len(deals) - planted:,} random deals and {planted:,} with a rare pattern dealt on purpose."
    yield (
        "It has two methods: least squares, whose values are used, and the single-hand tables. "
        "[Binky points](binky.md) explains both."
    )
    yield ""
    yield "How far tricks are from the sum of the two hands' values, as a standard deviation in tricks:"
    yield ""
    off = (pairs.tricks - fit.expected)[pairs.random].std(axis=0)
    rows = [("deals of the fit, each predicted from the other four fifths", off)]
    if others is not None:
        unseen = pairs_of(others)
        tables = Coefficients(
            np.nan_to_num(fit.tables_pattern, nan=float(pairs.tricks.mean() / 2)),
            fit.coefficients.pattern_error,
            fit.tables_holding,
            fit.coefficients.holding_error,
            fit.coefficients.chances,
            {},
        )
        rows += [
            (f"{len(others):,} other deals", residuals(fit.coefficients, unseen)),
            ("the same deals, values from the single-hand tables", residuals(tables, unseen)),
            ("the same deals, by high-card points and shape", points_and_shape(pairs.chosen(pairs.random), unseen)),
        ]
    yield from table(rows, 3)
    yield ""
    yield "Standard errors of the values in tricks, which say how far values may be off because the deals are limited:"
    yield ""
    yield from table(errors(fit.coefficients), 3)
    yield ""
    yield "How far values from the single-hand tables are from those of least squares, as a root mean square in tricks:"
    yield ""
    yield from table(differences(fit), 3)
    if others is not None:
        for kind, name in enumerate(KINDS):
            yield ""
            said = "Predicted chances of at least 1, 2 ... 13 tricks in the other deals, and how often they came true"
            yield f"{said}, {name}:"
            yield ""
            yield from calibration_table(calibration(fit.coefficients, unseen, kind))
            yield ""
            yield f"The same by strength, {name}:"
            yield ""
            yield from strength_table(by_strength(fit.coefficients, unseen, kind))


def table(rows: Sequence[tuple[str, Floats]], decimals: int) -> Iterator[str]:
    """Rows of a number for each kind, as Markdown."""
    yield f"| | {' | '.join(KINDS)} |"
    yield f"|---|{'---:|' * len(KINDS)}"
    for name, numbers in rows:
        yield f"| {name} | {' | '.join(f'{number:.{decimals}f}' for number in numbers)} |"


def calibration_table(bins: Sequence[Bin]) -> Iterator[str]:
    """Predicted chances and how often they came true, as Markdown."""
    yield "| predicted | came true | how many |"
    yield "|---:|---:|---:|"
    for one in bins:
        yield f"| {100 * one.predicted:.1f} % | {100 * one.observed:.1f} % | {one.size:,} |"


def strength_table(rows: Sequence[Strength]) -> Iterator[str]:
    """Pairs of hands by their strength, as Markdown."""
    yield "| expected tricks | pairs | mean tricks, predicted | seen | at least | predicted | came true |"
    yield "|---|---:|---:|---:|---:|---:|---:|"
    for row in rows:
        yield (
            f"| {row.low} to {row.low + 1} | {row.size:,} | {row.mean:.2f} | {row.mean_seen:.2f} | {row.tricks} | "
            f"{100 * row.predicted:.1f} % | {100 * row.observed:.1f} % |"
        )


def _simple(pairs: Pairs) -> Floats:
    """(m, 40) high-card points of both hands together, and how often each pattern is among the two."""
    held = np.array(HOLDINGS)[:, 1]
    points = sum((held >> (HONOURS - 1 - place) & 1) * worth for place, worth in enumerate(_POINTS))
    total = np.asarray(points)[pairs.holdings].sum(axis=(1, 2))
    shapes = (pairs.patterns[:, :, None] == np.arange(len(PATTERNS))).sum(axis=1)
    return np.column_stack([total, shapes]).astype(np.float64)
