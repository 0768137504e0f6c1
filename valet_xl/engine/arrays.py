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
Whole = NDArray[np.signedinteger]  # of as many bits as the numbers need
Small = NDArray[np.int8]
Short = NDArray[np.int32]
Index = NDArray[np.intp]
Mask = NDArray[np.bool_]
AnyIndex = Index | Ints | Small | Short

HALF = 1 << 31  # numbers of 32 bits are below it
_MOST_KEYS = int(np.iinfo(np.int64).max)
# 2^64 over the golden ratio: products with it have mixed bits at their upper end
SPREAD = np.uint64(0x9E3779B97F4A7C15)
_HASHED = 16  # bits of a key's hash: a table of so many places stays in the processor's cache
_UNSIGNED = {1: np.uint8, 2: np.uint16, 4: np.uint32, 8: np.uint64}
DENSE = 4  # up to so many possible keys for each given one, a table of them is quicker than sorting


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
    for column, size in zip(columns, shape, strict=True):
        # A negative number, read without a sign, is above all others.
        if column.size and column.view(_UNSIGNED[column.itemsize]).max() >= size:
            raise ValueError(f"a value is not in 0-{size - 1}: {column.min()} to {column.max()}")
    keys: Ints = columns[0].astype(np.int64)
    for column, size in zip(columns[1:], shape[1:], strict=True):
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
        rest = keys // size
        columns.append((keys - rest * size).astype(np.intp, copy=False))  # quicker than numpy's divmod
        keys = rest
    return tuple(reversed(columns))


def order_of(keys: AnyIndex) -> Index:
    """The places of (n,) keys from 0 in their order, equal ones as they come: a stable argsort.

    Notes
    -----
    A key and its place, packed into one number, are sorted as plain numbers. That takes a fifth of an argsort's time.

    >>> order_of(np.array([7, 3, 7, 0]))
    array([3, 1, 0, 2])
    """
    return _in_order(keys)[1]


def distinct_keys(keys: AnyIndex) -> Ints:
    """The distinct ones of (n,) keys, rising.

    Notes
    -----
    `np.unique` gives the same. But since numpy 2.3 it puts them into a hash table, in which the keys of pairs and
    boards collide so often that a million of them take a second instead of 20 ms.

    >>> distinct_keys(np.array([7, 3, 7, 0]))
    array([0, 3, 7])
    """
    in_order = np.sort(_short(keys))
    return in_order[_first_of_runs(in_order)].astype(np.int64, copy=False)


def number_keys(keys: AnyIndex) -> tuple[Ints, Index]:
    """The distinct ones of (n,) keys from 0, rising, and (n,) the place of each key among them.

    `np.unique` with its inverse gives the same, by an argsort.

    >>> [array.tolist() for array in number_keys(np.array([7, 3, 7, 0]))]
    [[0, 3, 7], [2, 1, 2, 0]]
    """
    if len(keys) and (most := int(keys.max())) < DENSE * len(keys):
        there = np.zeros(most + 1, dtype=bool)
        there[keys] = True
        found = there.nonzero()[0]
        place_of = np.empty(len(there), dtype=np.intp)
        place_of[found] = np.arange(len(found), dtype=np.intp)
        return found.astype(np.int64, copy=False), place_of[keys]
    in_order, order = _in_order(keys)
    new = _first_of_runs(in_order)
    place = np.empty(len(keys), dtype=np.intp)
    place[order] = new.cumsum(dtype=np.intp) - 1
    return in_order[new], place


def number_as_they_come(keys: AnyIndex) -> tuple[Index, Index]:
    """(n,) numbers of keys from 0, the first key's 0, the next other one's 1 and so on; and where each first is.

    >>> [array.tolist() for array in number_as_they_come(np.array([7, 3, 7, 0]))]
    [[0, 1, 0, 2], [0, 1, 3]]
    """
    if len(keys) and keys.max() < DENSE * len(keys):
        number_of = np.full(int(keys.max()) + 1, -1, dtype=np.intp)
        number_of[keys[::-1]] = np.arange(len(keys), dtype=np.intp)[::-1]  # the first is written last
        found = np.flatnonzero(number_of >= 0)
        first = number_of[found]
        by_first = np.argsort(first)
        number_of[found[by_first]] = np.arange(len(found), dtype=np.intp)
        return number_of[keys], first[by_first]
    return _numbered_by_hash(keys)


def _numbered_by_hash(keys: AnyIndex) -> tuple[Index, Index]:
    """`number_as_they_come` of keys that are far apart.

    The first key of each hash stands for all that are equal to it. The few that have the hash of another are sorted.
    """
    places = np.arange(len(keys), dtype=np.intp)
    hashes = keys.astype(np.uint64)
    hashes *= SPREAD
    hashes >>= np.uint64(64 - _HASHED)
    slots = hashes.astype(np.intp, copy=False)
    first_of = np.empty(1 << _HASHED, dtype=np.intp)
    first_of[slots[::-1]] = places[::-1]  # the first is written last
    first = first_of.take(slots, mode="clip")  # which is quicker where no index is outside
    others = np.flatnonzero(keys.take(first, mode="clip") != keys)
    if len(others):
        in_order, order = _in_order(keys[others])
        new = _first_of_runs(in_order)
        first[others[order]] = others[order[new]][np.cumsum(new, dtype=np.intp) - 1]
    is_first = first == places
    number = np.cumsum(is_first, dtype=np.intp)
    number -= 1
    return number.take(first, mode="clip"), np.flatnonzero(is_first)


def places_where(table: NDArray[np.generic]) -> tuple[Index, Index]:
    """The rows and the columns where a (n, k) table is true or not 0, row by row: `np.nonzero` in less of its time.

    >>> [array.tolist() for array in places_where(np.array([[False, True], [True, False]]))]
    [[0, 1], [1, 0]]
    """
    there = table.ravel() if table.dtype == np.bool_ else table.ravel() != 0  # a third of flatnonzero's own time
    row, column = split_keys(np.flatnonzero(there).astype(np.int64, copy=False), (len(table), table.shape[1]))
    return row, column


def first_of_each(index: AnyIndex) -> Index:
    """Where each number of an index from 0 on, of which none is left out, is for the first time.

    >>> first_of_each(np.array([1, 0, 1, 2]))
    array([1, 0, 3])
    """
    first = np.empty(int(index.max(initial=-1)) + 1, dtype=np.intp)
    first[index[::-1]] = np.arange(len(index), dtype=np.intp)[::-1]  # the first is written last
    return first


def common_keys(keys: AnyIndex, others: AnyIndex) -> Ints:
    """The distinct ones of (n,) keys that are among (m,) others too, rising.

    >>> common_keys(np.array([7, 3, 7, 0]), np.array([7, 7, 0, 5]))
    array([0, 7])
    """
    both = np.concatenate([distinct_keys(keys), distinct_keys(others)])
    both.sort()
    return both[1:][both[1:] == both[:-1]]


def _in_order(keys: AnyIndex) -> tuple[Ints, Index]:
    """Keys from 0 in their order, and the place of each, equal ones as they come."""
    places = len(keys).bit_length()
    if not len(keys) or int(keys.max()).bit_length() + places > _MOST_KEYS.bit_length():
        order = np.argsort(keys, kind="stable")
        return keys[order].astype(np.int64, copy=False), order
    packed = keys.astype(np.int64)
    packed <<= places
    packed |= np.arange(len(keys), dtype=np.int64)
    packed.sort()
    return packed >> places, (packed & (1 << places) - 1).astype(np.intp, copy=False)


def _short(keys: AnyIndex) -> NDArray[np.signedinteger]:
    """Keys from 0 in 32 bits if these are enough: they are sorted in half the time."""
    return keys.astype(np.int32) if len(keys) and keys.max() < HALF else keys


def _first_of_runs(in_order: NDArray[np.signedinteger]) -> Mask:
    """(n,) whether a number differs from the one before."""
    new = np.ones(len(in_order), dtype=bool)
    np.not_equal(in_order[1:], in_order[:-1], out=new[1:])
    return new


NO_MORE_THAN_ROUNDING = 1e-9
"""So small a number is what rounding errors left of a zero."""


def settled(values: Floats | np.float64) -> Floats:
    """Values as they are shown: what rounding errors left of a zero, up to 1e-9, is 0, and no zero is negative.

    >>> settled(np.array([1e-17, -0.0, -2e-9, np.nan]))
    array([ 0.e+00,  0.e+00, -2.e-09,     nan])
    """
    return np.where(np.abs(values) <= NO_MORE_THAN_ROUNDING, 0.0, values)


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
    first = np.full(owners, len(owner), dtype=np.intp)
    first[owner[::-1]] = np.arange(len(owner) - 1, -1, -1, dtype=np.intp)  # the first is written last
    there = np.flatnonzero(first < len(owner))
    in_order = there[np.argsort(first[there])]
    out = np.full(owners, -1, dtype=np.intp)
    out[in_order] = number_as_they_come(least[in_order])[0]
    return out
