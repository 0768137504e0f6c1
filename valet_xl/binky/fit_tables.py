"""From what hands take on average to what they are worth: the single-hand tables, and the partner taken out of them.

The tricks that a hand's side takes are the hand's value and its partner's. Over all deals the partner's is a known
average A v, so that tables of mean tricks are v + A v, and v is what solves this.
"""

from __future__ import annotations

from itertools import permutations
from math import comb

import numpy as np

from valet_xl.binky.hands import CARDS, PATTERNS, SPOTS
from valet_xl.binky.points import HOLDINGS
from valet_xl.engine.arrays import Floats, Index, count_by, sum_by

REST = 39  # cards that are not one's own


def partner_patterns() -> Floats:
    """(39, 39) the chance of each pattern of the partner (columns), given one's own (rows).

    Notes
    -----
    A[i, j] = sum over the arrangements t of pattern j of prod C(13 - s_k, t_k) / C(39, 13), s being pattern i.
    """
    arrangements = [sorted(set(permutations(pattern))) for pattern in PATTERNS]
    ways = [[comb(CARDS - mine, theirs) for theirs in range(CARDS + 1)] for mine in range(CARDS + 1)]
    return np.array(
        [
            [
                sum(ways[s[0]][t[0]] * ways[s[1]][t[1]] * ways[s[2]][t[2]] * ways[s[3]][t[3]] for t in arrangement)
                / comb(REST, CARDS)
                for arrangement in arrangements
            ]
            for s in PATTERNS
        ]
    )


def partner_holdings() -> Floats:
    """(512, 512) the chance of each holding of the partner in a suit (columns), given one's own in it (rows).

    Notes
    -----
    A[h, k] = C(7 - x, y) C(26 + |h|, 13 - |k|) / C(39, 13) where h, of x spots, and k, of y, have no honour in common.
    """
    lengths, honours = np.array(HOLDINGS).T
    spots = lengths - np.array([int(held).bit_count() for held in honours])
    below = np.array([[comb(SPOTS - x, y) for y in range(SPOTS + 1)] for x in range(SPOTS + 1)], dtype=np.float64)
    other = np.array(
        [[comb(REST - CARDS + h, CARDS - k) / comb(REST, CARDS) for k in range(CARDS + 1)] for h in range(CARDS + 1)]
    )
    apart = (honours[:, None] & honours) == 0
    return np.asarray(below[spots[:, None], spots] * other[lengths[:, None], lengths] * apart)


def ways_of_holdings() -> Floats:
    """(512,) how many sets of cards each holding is, its spots being any."""
    return np.array([comb(SPOTS, length - honours.bit_count()) for length, honours in HOLDINGS], dtype=np.float64)


def frequencies() -> tuple[Floats, Floats]:
    """(39,) the chances of the patterns of a hand, and (512,) of the holdings of a suit."""
    patterns = np.array(
        [
            sum(
                comb(CARDS, a) * comb(CARDS, b) * comb(CARDS, c) * comb(CARDS, d) for a, b, c, d in set(permutations(p))
            )
            for p in PATTERNS
        ],
        dtype=np.float64,
    )
    lengths = np.array(HOLDINGS)[:, 0]
    others = np.array([comb(REST, CARDS - length) for length in range(CARDS + 1)], dtype=np.float64)[lengths]
    return patterns / comb(52, CARDS), ways_of_holdings() * others / comb(52, CARDS)


def centred(holding: Floats) -> tuple[Floats, Floats]:
    """Take the average of each length out of (512, ...) values of holdings: the values, and (14, ...) the averages."""
    lengths = np.array(HOLDINGS)[:, 0]
    ways = ways_of_holdings()
    share = np.zeros((CARDS + 1, len(HOLDINGS)))
    share[lengths, np.arange(len(HOLDINGS))] = ways / sum_by(lengths, ways)[lengths]
    means = share @ holding
    return holding - means[lengths], means


def without_partner(means: Floats, partner: Floats) -> Floats:
    """v of means = v + A v.

    Parameters
    ----------
    means : (m, ...) the mean tricks of patterns; or of holdings, less the mean of their length
    partner : (m, m) A, of `partner_patterns` or `partner_holdings`
    """
    return np.asarray(np.linalg.solve(np.eye(len(partner)) + partner, means))


def single_tables(
    patterns: Index, holdings: Index, tricks: Floats, rare: tuple[Index, Floats]
) -> tuple[Floats, Floats]:
    """Mean tricks of patterns, and of holdings less those of their length.

    Parameters
    ----------
    patterns : (n,) the pattern of random hands, a place in PATTERNS
    holdings : (n, 4) their holdings, places in HOLDINGS
    tricks : (n, kinds) what their sides took
    rare : the patterns and tricks of hands whose pattern was dealt on purpose

    Returns
    -------
    (39, kinds) and (512, kinds), NaN for a pattern that no hand has; a holding that none has counts as its length

    Notes
    -----
    A hand that was given its pattern on purpose has random cards of that shape opposite a random partner, so that it
    counts for the pattern; its partner and its opponents were not dealt at random, and count for nothing here.
    """
    all_patterns, all_tricks = np.concatenate([patterns, rare[0]]), np.concatenate([tricks, rare[1]])
    of_pattern = _means(all_patterns, all_tricks, len(PATTERNS))
    lengths = np.array(HOLDINGS)[:, 0]
    four = np.repeat(tricks, 4, axis=0)
    of_holding = _means(holdings.ravel(), four, len(HOLDINGS))
    of_length = _means(lengths[holdings].ravel(), four, CARDS + 1)
    return of_pattern, np.nan_to_num(of_holding - of_length[lengths])


def _means(groups: Index, numbers: Floats, size: int) -> Floats:
    """(size, kinds) the mean of the (n, kinds) numbers of each group; NaN where there are none."""
    count = count_by(groups, size)
    sums = np.stack([sum_by(groups, column, size) for column in numbers.T], axis=1)
    with np.errstate(invalid="ignore"):
        return np.asarray(sums / count[:, None])
