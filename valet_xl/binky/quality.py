"""How good a fit of Binky points is: against its other method, against simpler evaluations, and on other deals."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from valet_xl.binky.deals import Deals
from valet_xl.binky.hands import CARDS, HONOURS, PATTERNS
from valet_xl.binky.pairs import Pairs, pairs_of
from valet_xl.binky.points import HOLDINGS, KINDS, Coefficients, chances
from valet_xl.binky.single_hand import frequencies
from valet_xl.engine.arrays import Floats

if TYPE_CHECKING:  # the fit needs scipy, which a check of the shipped coefficients does not
    from valet_xl.binky.fit import Fit

BINS = 10  # of predicted chances
_POINTS = (4, 3, 2, 1, 0, 0)  # high-card points of A K Q J T 9


@dataclass(frozen=True, slots=True)
class Bin:
    """Chances of taking at least so many tricks that were predicted within some limits, and what came of them.

    size : how many
    predicted, observed : their mean, and how often it came true
    """

    size: int
    predicted: float
    observed: float


def residuals(coefficients: Coefficients, pairs: Pairs) -> Floats:
    """(4,) the standard deviation of tricks about what the hands' values add up to."""
    values = np.concatenate([coefficients.pattern, coefficients.holding])
    return np.asarray((pairs.tricks - values[pairs.columns].sum(axis=1)).std(axis=0))


def points_and_shape(fitted: Pairs, checked: Pairs) -> Floats:
    """(4,) the same where hands are valued by least squares on their high-card points and their patterns alone.

    Parameters
    ----------
    fitted, checked : the pairs that it is fitted to, and those whose tricks are predicted
    """
    solution = np.linalg.lstsq(_simple(fitted), fitted.tricks, rcond=None)[0]
    return np.asarray((checked.tricks - _simple(checked) @ solution).std(axis=0))


def calibration(coefficients: Coefficients, pairs: Pairs, kind: int) -> list[Bin]:
    """Predicted chances and what came of them, for the chance of at least 1, 2 ... 13 tricks of every pair."""
    values = np.concatenate([coefficients.pattern[:, kind], coefficients.holding[:, kind]])
    chance = chances(values[pairs.columns].sum(axis=1), pairs.shape, coefficients.chances[kind])
    at_least = 1 - np.cumsum(chance, axis=1)[:, :CARDS]
    came = pairs.tricks[:, kind, None] > np.arange(CARDS)
    place = np.clip((at_least * BINS).astype(np.intp), 0, BINS - 1).ravel()
    size = np.bincount(place, minlength=BINS)
    predicted = np.bincount(place, weights=at_least.ravel(), minlength=BINS)
    observed = np.bincount(place, weights=came.ravel(), minlength=BINS)
    return [Bin(int(n), float(p / n), float(o / n)) for n, p, o in zip(size, predicted, observed, strict=True) if n > 0]


def differences(fit: Fit) -> list[tuple[str, Floats]]:
    """How far the single-hand tables' values are from those of least squares: (4,) root mean squares for parts of them.

    Each pattern and holding counts as often as it occurs.
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
    """(4,) standard errors for parts of the values: root mean squares, each counting as often as it occurs."""
    of_patterns, of_holdings = frequencies()
    lengths = np.array(HOLDINGS)[:, 0]
    parts = [("patterns", coefficients.pattern_error, of_patterns)]
    for name, low, high in (("1-3 cards", 1, 3), ("4-6 cards", 4, 6), ("7 cards and more", 7, CARDS)):
        chosen = (lengths >= low) & (lengths <= high)
        parts.append((f"holdings of {name}", coefficients.holding_error[chosen], of_holdings[chosen]))
    return [(name, np.sqrt(weight @ size**2 / weight.sum())) for name, size, weight in parts]


def report(deals: Deals, fit: Fit, others: Deals | None = None) -> str:
    """What a fit rests on and how good it is, as Markdown.

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
    yield f"{len(deals) - planted:,} random deals and {planted:,} with a rare pattern."
    yield ""
    yield "Tricks about what two hands' values add up to, standard deviation:"
    yield ""
    rows = [
        ("deals of the fit, each predicted from the others", (pairs.tricks - fit.expected)[pairs.random].std(axis=0))
    ]
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
            ("the same, values from the single-hand tables", residuals(tables, unseen)),
            ("the same, high-card points and shape", points_and_shape(pairs.chosen(pairs.random), unseen)),
        ]
    yield from table(rows, 3)
    yield ""
    yield "Standard errors of the values:"
    yield ""
    yield from table(errors(fit.coefficients), 3)
    yield ""
    yield "Values from the single-hand tables less those of least squares, root mean square:"
    yield ""
    yield from table(differences(fit), 3)
    if others is not None:
        for kind, name in enumerate(KINDS):
            yield ""
            yield f"Chances of at least so many tricks in the other deals, {name}:"
            yield ""
            yield from calibration_table(calibration(fit.coefficients, unseen, kind))


def table(rows: Sequence[tuple[str, Floats]], decimals: int) -> Iterator[str]:
    """Rows of a number for each kind, as Markdown."""
    yield f"| | {' | '.join(KINDS)} |"
    yield f"|---|{'---:|' * len(KINDS)}"
    for name, numbers in rows:
        yield f"| {name} | {' | '.join(f'{number:.{decimals}f}' for number in numbers)} |"


def calibration_table(bins: Sequence[Bin]) -> Iterator[str]:
    """Predicted chances and what came of them, as Markdown."""
    yield "| predicted | came true | how many |"
    yield "|---:|---:|---:|"
    for one in bins:
        yield f"| {100 * one.predicted:.1f} % | {100 * one.observed:.1f} % | {one.size:,} |"


def _simple(pairs: Pairs) -> Floats:
    """(m, 40) high-card points of both hands together, and how often each pattern is among them."""
    held = np.array(HOLDINGS)[:, 1]
    points = sum((held >> (HONOURS - 1 - place) & 1) * worth for place, worth in enumerate(_POINTS))
    total = np.asarray(points)[pairs.holdings].sum(axis=(1, 2))
    shapes = (pairs.patterns[:, :, None] == np.arange(len(PATTERNS))).sum(axis=1)
    return np.column_stack([total, shapes]).astype(np.float64)
