"""The coefficients of Binky points from solved deals: by least squares, and by single-hand tables to compare with."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from valet_xl.binky.deals import CHUNK, EXTRA, Deals
from valet_xl.binky.fit_pairs import FOLDS, Pairs, expected_tricks, pairs_of
from valet_xl.binky.fit_tables import centred, partner_holdings, partner_patterns, single_tables, without_partner
from valet_xl.binky.hands import CARDS, PATTERNS
from valet_xl.binky.points import KINDS, THIRTEEN, Coefficients
from valet_xl.engine.arrays import Floats, count_by, sum_by
from valet_xl.errors import ValetError
from valet_xl.messages import Progress, to_install, unsaid

try:
    from valet_xl.binky.fit_chances import fit_chances, fit_each_number
    from valet_xl.binky.fit_ridge import STRENGTHS, Sums, find_strengths, solve
except ImportError as error:
    raise ValetError(f"the fit needs scipy (install it with: {to_install(EXTRA)})") from error

_SOLID = PATTERNS.index((13, 0, 0, 0))
_SUIT = KINDS.index("suit")
NOTRUMP_KINDS = (KINDS.index("notrump"), KINDS.index("notrump-defence"))
FIT_STEPS = ("counting hands", "single-hand tables", "ridge", "least squares", "chances")

DEFINITIONS = (
    "double dummy, the better of a partnership's two declarers: notrump; suit, the best of the four; defence, 13 less "
    "the opponents'. Values in thousandths of a trick; holdings by length, then A K Q J T 9 as bits, falling; their "
    "average over the hands of a length is 0."
)
"""What the file of coefficients says about its numbers."""


@dataclass(frozen=True, slots=True, eq=False)
class Fit:
    """What was fitted, and how well.

    coefficients : what is written to the file
    strengths : (4, 8) of the ridge, as STRENGTHS names them
    tables_pattern, tables_holding : (39, 4) and (512, 4) values from the single-hand tables; NaN if no deal has one
    expected : (m, 4) expected tricks of the pairs, each from the folds that it is not in; NaN for planted deals
    """

    coefficients: Coefficients
    strengths: Floats
    tables_pattern: Floats
    tables_holding: Floats
    expected: Floats


def fit(deals: Deals, about: dict[str, object], step: Progress = unsaid) -> Fit:
    """Fit the coefficients to solved deals.

    Parameters
    ----------
    deals : random deals, and perhaps deals with planted patterns
    about : what the file says about itself; this function adds to it
    step : called with the name of each step of FIT_STEPS

    Raises
    ------
    ValetError : if there are too few deals

    Notes
    -----
    Only random deals count in least squares. If a hand was given a rare pattern, its opponents' hands are not random,
    so that their tricks would be misleading. Such a deal counts for the value of its planted pattern only: by the
    tricks that the hand and its partner took beyond their other values. Thirteen cards of a suit always take thirteen
    tricks in it, so that this pattern's value in its suit is 13 less the mean value of its partner.
    """
    random = int((deals.planted < 0).sum())
    if random < CHUNK * FOLDS:
        raise ValetError(f"{random:,} random deals are too few for a fit (expected at least {CHUNK * FOLDS:,})")
    step(FIT_STEPS[0])
    pairs = pairs_of(deals)
    parts = [Sums.of(pairs, pairs.random & (pairs.fold == fold)) for fold in range(FOLDS)]
    sums = parts[0]
    for part in parts[1:]:
        sums += part
    step(FIT_STEPS[1])
    tables_pattern, tables_holding = from_tables(pairs)
    step(FIT_STEPS[2])
    variances = sums.variances()
    strengths = np.stack([find_strengths(sums, kind, variances[kind]) for kind in range(len(KINDS))])
    step(FIT_STEPS[3])
    solved = [_values(sums, pairs, strengths[kind], kind, variances[kind]) for kind in range(len(KINDS))]
    pattern, pattern_error, holding, holding_error = (np.stack(part, axis=1) for part in zip(*solved, strict=True))
    expected = np.full_like(pairs.tricks, np.nan)
    for fold, part in enumerate(parts):
        chosen = pairs.random & (pairs.fold == fold)
        for kind in range(len(KINDS)):
            mine = solve(sums - part, strengths[kind], kind, variances[kind])[0]
            expected[chosen, kind] = mine[pairs.columns[chosen]].sum(axis=1)
    step(FIT_STEPS[4])
    seen = pairs.chosen(pairs.random)
    expected_seen = expected[pairs.random]
    chances = tuple(_chances(seen, expected_seen, kind) for kind in range(len(KINDS)))
    left = (seen.tricks - expected_seen).std(axis=0)
    says = {
        **about,
        "tricks": DEFINITIONS,
        "deals": deals.source,
        "pairs of hands": sums.size,
        "residuals": {kind: round(float(size), 3) for kind, size in zip(KINDS, left, strict=True)},
        "strengths": {
            kind: dict(zip(STRENGTHS, np.round(row, 4).tolist(), strict=True))
            for kind, row in zip(KINDS, strengths, strict=True)
        },
    }
    coefficients = Coefficients(pattern, pattern_error, holding, holding_error, chances, says)
    return Fit(coefficients, strengths, tables_pattern, tables_holding, expected)


def fit_chances_again(deals: Deals, kept: Coefficients, kinds: Sequence[int], about: dict[str, object]) -> Coefficients:
    """Coefficients with chances fitted again, best to deals that its values were not fitted to.

    Parameters
    ----------
    deals : of which the random ones count
    kept : everything else is taken from it; and the chances of one scale, if it has them, are the start
    kinds : places in KINDS of the kinds whose chances are fitted
    about : what the file says about the new chances; this function adds to it
    """
    pairs = pairs_of(deals)
    pairs = pairs.chosen(pairs.random)
    expected = expected_tricks(kept, pairs)
    chances = list(kept.chances)
    for kind in kinds:
        start = None if len(chances[kind]) == THIRTEEN else chances[kind]
        chances[kind] = _chances(pairs, expected, kind, start)
    says = {**about, "kinds": [KINDS[kind] for kind in kinds], "deals": deals.source, "pairs of hands": len(pairs)}
    return replace(kept, chances=tuple(chances), about={**kept.about, "chances": says})


def _chances(pairs: Pairs, expected: Floats, kind: int, one_scale: Floats | None = None) -> Floats:
    """The parameters of the chances of one kind, by the (m, 4) expected tricks of pairs.

    In notrump each number of tricks has a model of its own, because one scale is off for strong and for weak hands. In
    suits one scale is as good, with fewer parameters.
    """
    seen = expected[:, kind], pairs.shape.astype(np.float64), pairs.tricks[:, kind].astype(np.intp)
    if one_scale is None or kind not in NOTRUMP_KINDS:
        one_scale = fit_chances(*seen)
    return fit_each_number(*seen, one_scale) if kind in NOTRUMP_KINDS else one_scale


def from_tables(pairs: Pairs) -> tuple[Floats, Floats]:
    """(39, 4) and (512, 4) values by the single-hand tables of the deals; NaN for patterns that no hand has."""
    random = pairs.random
    rare = (pairs.patterns[pairs.planted, 0], pairs.tricks[pairs.planted])
    of_pattern, of_holding = single_tables(
        pairs.patterns[random].ravel(),
        pairs.holdings[random].reshape(-1, 4),
        np.repeat(pairs.tricks[random], 2, axis=0),
        rare,
    )
    # A pattern that was never seen counts as worth what all hands are, so that the others can be solved for.
    mean = pairs.tricks[random].mean(axis=0)
    seen = ~np.isnan(of_pattern)
    patterns = without_partner(np.where(seen, of_pattern, mean), partner_patterns())
    patterns[~seen] = np.nan
    return patterns, centred(without_partner(of_holding, partner_holdings()))[0]


def _values(
    sums: Sums, pairs: Pairs, strengths: Floats, kind: int, variance: float
) -> tuple[Floats, Floats, Floats, Floats]:
    """Values and standard errors of patterns and holdings, those of holdings 0 on average over each length."""
    values, spread = solve(sums, strengths, kind, variance)
    first = len(PATTERNS)
    pattern, holding = _in_gauge(values[:first], values[first:])
    pattern_spread, holding_spread = _in_gauge(spread[:first], spread[first:])
    pattern_error = np.sqrt((pattern_spread**2).sum(axis=1))
    pattern, pattern_error = _with_planted(pairs, pattern, pattern_error, holding, kind)
    if kind == _SUIT:
        pattern[_SOLID], pattern_error[_SOLID] = solid_value(pattern), 0
    return pattern, pattern_error, holding, np.sqrt((holding_spread**2).sum(axis=1))


def _with_planted(
    pairs: Pairs, pattern: Floats, pattern_error: Floats, holding: Floats, kind: int
) -> tuple[Floats, Floats]:
    """Patterns' values and errors when the deals in which they were planted have been seen too.

    What such hands and their partners took, less all other values, is the pattern's value and chance: its mean and the
    value so far are averaged, each by the inverse square of its standard error.
    """
    mine, partner = pairs.patterns[pairs.planted].T
    rest = pattern[partner] + holding[pairs.holdings[pairs.planted]].sum(axis=(1, 2))
    over = pairs.tricks[pairs.planted, kind] - rest
    count = count_by(mine, len(pattern))
    planted = count > 1
    if not planted.any():
        return pattern, pattern_error
    mean = sum_by(mine, over, len(pattern)) / np.maximum(count, 1)
    variance = float(((over - mean[mine]) ** 2).sum() / max(1, len(over) - np.count_nonzero(planted)))
    before, now = 1 / pattern_error**2, count / variance
    both = np.where(planted, (pattern * before + mean * now) / (before + now), pattern)
    return both, np.where(planted, 1 / np.sqrt(before + now), pattern_error)


def solid_value(pattern: Floats) -> float:
    """What 13-0-0-0 is worth in a suit: 13 tricks less the mean value of its partner, by the (39,) patterns' values."""
    return float(CARDS - partner_patterns()[_SOLID] @ pattern)


def _in_gauge(pattern: Floats, holding: Floats) -> tuple[Floats, Floats]:
    """Move the mean of each length's holdings into the patterns."""
    centre, means = centred(holding)
    return pattern + means[np.array(PATTERNS)].sum(axis=1), centre
