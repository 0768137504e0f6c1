"""Kinds of arrays, and what is done with them everywhere.

In a 32-bit Python, numpy's own index has 32 bits. It then refuses some indices of 64 bits, and keys of 2^31 and more.
So what counts by an index and what makes keys is here.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike, NDArray

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
Small = NDArray[np.int8]
Index = NDArray[np.intp]
Mask = NDArray[np.bool_]
AnyIndex = Index | Ints | Small

_MOST_KEYS = np.iinfo(np.int64).max


def sum_by(index: AnyIndex, values: ArrayLike, size: int = 0) -> Floats:
    """Sums of values by an index: (size,) or as many as the index needs.

    >>> sum_by(np.array([0, 2, 0]), np.array([1.0, 5.0, 2.0]))
    array([3., 0., 5.])
    """
    return np.asarray(np.bincount(index.astype(np.intp, copy=False), values, size), dtype=np.float64)


def count_by(index: AnyIndex, size: int = 0) -> Index:
    """How often each number is in an index: (size,) or as many as the index needs.

    >>> count_by(np.array([0, 2, 0]))
    array([2, 0, 1])
    """
    return np.bincount(index.astype(np.intp, copy=False), minlength=size)


def keys_of(columns: Sequence[AnyIndex], shape: Sequence[int]) -> Ints:
    """One number for each row of columns, in the order of the rows: (n,) from 0.

    Parameters
    ----------
    columns : (n,) each
    shape : how many values each column may have, from 0 on

    Raises
    ------
    ValueError : where a value is not below that, or there are more keys than 64 bits can number

    >>> keys_of([np.array([0, 1]), np.array([2, 0])], (2, 3))
    array([2, 3])
    """
    if math.prod(shape) > _MOST_KEYS:
        raise ValueError(f"too many keys to number: {math.prod(shape):.3g}")
    keys: Ints = np.zeros(len(columns[0]), dtype=np.int64)
    for column, size in zip(columns, shape, strict=True):
        if column.size and not 0 <= column.min() <= column.max() < size:
            raise ValueError(f"a value is not in 0-{size - 1}: {column.min()} to {column.max()}")
        keys *= size
        keys += column
    return keys


def split_keys(keys: Ints, shape: Sequence[int]) -> tuple[Index, ...]:
    """The columns from which keys were made.

    >>> [column.tolist() for column in split_keys(np.array([2, 3]), (2, 3))]
    [[0, 1], [2, 0]]
    """
    columns = []
    for size in reversed(shape):
        keys, column = np.divmod(keys, size)
        columns.append(column.astype(np.intp, copy=False))
    return tuple(reversed(columns))


def settled(values: Floats | np.float64) -> Floats:
    """Values as they are shown: what rounding errors left of a zero, up to 1e-9, is 0, and no zero is negative.

    >>> settled(np.array([1e-17, -0.0, -2e-9, np.nan]))
    array([ 0.e+00,  0.e+00, -2.e-09,     nan])
    """
    return np.where(np.abs(values) <= 1e-9, 0.0, values)


def components(owner: Index, place: Index, owners: int, places: int) -> Index:
    """The connected components of a graph of owners and places.

    Parameters
    ----------
    owner, place : (n,) the two ends of each edge, from 0
    owners, places : how many there are

    Returns
    -------
    (owners,) the component of each owner, numbered as they first appear; -1 for an owner without an edge

    Notes
    -----
    Every owner takes the least number that one of its neighbours has, and then the number of the owner of that number,
    until nothing changes.

    >>> components(np.array([3, 0, 1, 0]), np.array([0, 1, 1, 2]), 4, 3)
    array([ 1,  1, -1,  0])
    """
    least = np.arange(owners, dtype=np.intp)
    while True:
        of_place = np.full(places, owners, dtype=np.intp)
        np.minimum.at(of_place, place, least[owner])
        lower = least.copy()
        np.minimum.at(lower, owner, of_place[place])
        lower = lower[lower]
        if np.array_equal(lower, least):
            break
        least = lower
    roots, first = np.unique(least[owner], return_index=True)
    number = np.full(owners, -1, dtype=np.intp)
    number[roots[np.argsort(first)]] = np.arange(len(roots))
    out = np.full(owners, -1, dtype=np.intp)
    out[owner] = number[least[owner]]
    return out
