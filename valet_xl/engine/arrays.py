"""Kinds of arrays, and what is done with them everywhere."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
Small = NDArray[np.int8]
Index = NDArray[np.intp]
Mask = NDArray[np.bool_]


def sums(index: Index, values: Floats, size: int = 0) -> Floats:
    """Sums of values by an index: (size,) or as many as the index needs.

    >>> sums(np.array([0, 2, 0]), np.array([1.0, 5.0, 2.0]))
    array([3., 0., 5.])
    """
    return np.asarray(np.bincount(index, weights=values, minlength=size), dtype=np.float64)
