"""What a hand may expect opposite a partner whose hand is not known."""

from __future__ import annotations

from functools import cache

import numpy as np

from valet_xl.binky.fit_tables import partner_holdings, partner_patterns
from valet_xl.binky.hands import Hands
from valet_xl.binky.points import Coefficients, holding_index, shipped, values
from valet_xl.engine.arrays import Floats


def opposite_any(hands: Hands, coefficients: Coefficients | None = None) -> Floats:
    """Tricks that hands may expect opposite a partner who may have any of the other cards.

    Parameters
    ----------
    hands : n hands, from `valet_xl.binky.hands.read_hands`
    coefficients : another fit than the one that is shipped

    Returns
    -------
    (n, 4) tricks for each kind of KINDS; NaN for a blank row

    Notes
    -----
    T = v + A v: the hand's value and the mean value of its partner's pattern, given its own pattern, and of his holding
    in each suit, given its own holding there. A is exact (`valet_xl.binky.fit_tables`). Over all hands the mean is that
    of all deals, 6.06 tricks in notrump and 8.43 in the best suit.

    >>> from valet_xl.binky.hands import hand_of
    >>> from valet_xl.binky.points import KINDS
    >>> bool(abs(opposite_any(hand_of("AKQJT98765432.-.-.-"))[0, KINDS.index("suit")] - 13) < 0.5)
    True
    """
    used = coefficients or shipped()
    of_patterns, of_holdings = _partners()
    patterns = (of_patterns @ used.pattern)[hands.patterns]
    holdings = (of_holdings @ used.holding)[holding_index(hands)].sum(axis=1)
    return np.asarray(values(hands, used) + patterns + holdings)


@cache
def _partners() -> tuple[Floats, Floats]:
    return partner_patterns(), partner_holdings()
