"""Which differences are significant among all comparisons at once, and letters that show them."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from valet_xl.engine.arrays import Floats

LEVEL = 0.05  # how often any two at all who are alike are said to differ


def different(p: Floats) -> NDArray[np.bool_]:
    """(k, k) which differ, of (k, k) probabilities of each difference alone.

    >>> different(np.array([[1.0, 0.01, 0.2], [0.01, 1.0, 0.03], [0.2, 0.03, 1.0]])).tolist()
    [[False, True, False], [True, False, False], [False, False, False]]
    """
    one, other = np.triu_indices(len(p), 1)
    holds = significant(p[one, other])
    found = np.zeros(p.shape, dtype=bool)
    found[one[holds], other[holds]] = found[other[holds], one[holds]] = True
    return found


def significant(p: Floats) -> NDArray[np.bool_]:
    """(n,) which of several differences are significant among all of them, of the probability of each alone.

    Notes
    -----
    Holm's method: the smallest p must be below 5 % divided by the number of comparisons, the next one by one less, and
    so on up to the first that is not. NaN is no difference.

    >>> significant(np.array([0.04, 0.01, np.nan, 0.02])).tolist()
    [False, True, False, False]
    """
    alone = np.nan_to_num(p, nan=1.0)
    order = np.argsort(alone, kind="stable")
    passes = alone[order] * np.arange(len(order), 0, -1) <= LEVEL
    found = np.zeros(len(p), dtype=bool)
    found[order[: len(order) if passes.all() else int(np.argmin(passes))]] = True
    return found


def letters(differ: NDArray[np.bool_]) -> list[str]:
    """Letters for k rows, of which two have one in common if and only if they do not differ.

    Notes
    -----
    The compact letter display by insertion and absorption (H. Piepho, 2004).

    >>> letters(np.array([[False, False, True], [False, False, False], [True, False, False]]))
    ['a', 'ab', 'b']
    """
    sets = [np.ones(len(differ), dtype=bool)]
    for one, other in zip(*np.nonzero(np.triu(differ)), strict=True):
        both = [each for each in sets if each[one] and each[other]]
        sets = [each for each in sets if not (each[one] and each[other])]
        for each in both:
            for left_out in (one, other):
                part = each.copy()
                part[left_out] = False
                if not any((part <= kept).all() for kept in sets):
                    sets = [kept for kept in sets if not (kept <= part).all()] + [part]
    sets.sort(key=lambda each: tuple(np.flatnonzero(each).tolist()))
    return ["".join(_name(at) for at, each in enumerate(sets) if each[row]) for row in range(len(differ))]


def _name(at: int) -> str:
    """The letter of a set, a to z, then a1 to z1 and so on."""
    return chr(ord("a") + at % 26) + (str(at // 26) if at >= 26 else "")
