"""Keys in order, numbered and compared: what numpy's own functions give, however many and however large they are."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from valet_xl.engine import arrays
from valet_xl.engine.arrays import (
    common_keys,
    distinct_keys,
    first_of_each,
    number_as_they_come,
    number_keys,
    order_of,
    places_where,
)

LIMITS = (1, 3, 50, 1 << 20, 1 << 40, (1 << 63) - 1)  # dense keys, sparse ones, and those too large to be packed
KEYS = st.sampled_from(LIMITS).flatmap(lambda limit: st.lists(st.integers(0, limit), max_size=60)).map(np.array)


def whole(keys: np.ndarray) -> np.ndarray:
    return keys.astype(np.int64)


@given(KEYS.map(whole))
def test_keys_in_order(keys: np.ndarray) -> None:
    assert order_of(keys).tolist() == np.argsort(keys, kind="stable").tolist()
    assert distinct_keys(keys).tolist() == np.unique(keys).tolist()


@given(KEYS.map(whole))
def test_keys_are_numbered_as_numpy_numbers_them(keys: np.ndarray) -> None:
    distinct, first, index = np.unique(keys, return_index=True, return_inverse=True)
    for given_keys in (keys, keys.astype(np.int32)) if keys.max(initial=0) < 1 << 31 else (keys,):
        found, places = number_keys(given_keys)
        assert (found.tolist(), places.tolist()) == (distinct.tolist(), index.tolist())
        assert found.dtype == np.int64 and places.dtype == np.intp
    assert first_of_each(index).tolist() == first.tolist()


@given(KEYS.map(whole))
def test_keys_are_numbered_as_they_come(keys: np.ndarray) -> None:
    seen: dict[int, int] = {}
    numbers = [seen.setdefault(key, len(seen)) for key in keys.tolist()]
    found, first = number_as_they_come(keys)
    assert found.tolist() == numbers and found.dtype == first.dtype == np.intp
    assert first.tolist() == [keys.tolist().index(key) for key in seen]


@given(KEYS.map(whole), st.sampled_from([1, 2, 4]))
def test_keys_with_the_same_hash_are_told_apart(keys: np.ndarray, bits: int) -> None:
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(arrays, "_HASHED", bits)
        found, first = number_as_they_come(keys)
    seen = list(dict.fromkeys(keys.tolist()))
    assert keys[first].tolist() == seen and [seen[at] for at in found] == keys.tolist()


@given(st.lists(st.tuples(*3 * (st.sampled_from([0.0, -0.0, 1.5, -2.0]),)), max_size=9))
def test_places_in_a_table_are_those_of_numpy(rows: list[tuple[float, ...]]) -> None:
    table = np.array(rows, dtype=np.float64).reshape(-1, 3)
    for given_table in (table, table > 0):
        assert [each.tolist() for each in places_where(given_table)] == [
            each.tolist() for each in given_table.nonzero()
        ]


@given(KEYS.map(whole), KEYS.map(whole))
def test_keys_that_two_have_in_common(keys: np.ndarray, others: np.ndarray) -> None:
    assert common_keys(keys, others).tolist() == np.intersect1d(keys, others).tolist()
    assert common_keys(keys, keys[::2]).tolist() == np.unique(keys[::2]).tolist()


def test_large_keys_are_not_packed() -> None:
    """Where a key and its place do not fit into one number, the order is still that of the keys."""
    keys = np.array([(1 << 62) + 1, 0, 1 << 62], dtype=np.int64)
    assert order_of(keys).tolist() == [1, 2, 0]
    assert arrays.number_keys(keys)[1].tolist() == [2, 0, 1]
