"""Numbers that are read out of bytes all at once are those that `float` reads."""

from __future__ import annotations

import random
import struct

import numpy as np
from hypothesis import example, given
from hypothesis import strategies as st

from valet_xl.documents.decimal_numbers import decimal_numbers

TEXTS = st.one_of(
    st.from_regex(r"-?[0-9]{1,8}\.[0-9]{1,18}", fullmatch=True),
    st.floats(allow_nan=False, allow_infinity=False).map(repr),
    st.floats(-8000, 8000).map(repr),
    st.text("0123456789.-+eE", min_size=1, max_size=24),
)


def read(texts: list[str]) -> tuple[list[float], list[bool]]:
    data = " ".join(texts).encode() + b" " * 8
    words = np.ndarray((len(data) - 8,), dtype="<u8", buffer=data, strides=(1,))
    sizes = np.array([len(text) for text in texts])
    numbers, known = decimal_numbers(words, np.cumsum(sizes + 1) - sizes - 1, sizes)
    return numbers.tolist(), known.tolist()


def same(texts: list[str]) -> int:
    """How many of the texts are read; each of them is the float that Python reads, to the last bit."""
    numbers, known = read(texts)
    for text, number, is_known in zip(texts, numbers, known, strict=True):
        if is_known:
            assert struct.pack("d", number) == struct.pack("d", float(text)), text
    return sum(known)


@given(st.lists(TEXTS, min_size=1, max_size=20))
@example(["-0.0", "0.0", "7.", ".5", "1.2.3", "-", ".", "1-2.5", "12345678.5", "1.2345678901234567"])
@example(["9007199254740993.0", "0.99999999999999999", "1.00000000000000011", "4.50359962737049650"])
def test_each_number_is_the_float_or_left(texts: list[str]) -> None:
    same(texts)


def test_usual_numbers_are_read() -> None:
    chance = random.Random(1)
    texts = [repr(chance.uniform(-20, 20)) for _ in range(20_000)]
    texts += [repr(chance.randrange(-2000, 2000) / chance.randrange(1, 200) + 0.0) for _ in range(20_000)]
    assert same(texts) > 0.98 * len(texts)


def test_middles_between_two_floats() -> None:
    # A float and half of what separates it from the next, cut to 17 digits.
    chance = random.Random(2)
    texts = []
    for _ in range(5_000):
        low = chance.uniform(1, 9)
        middle = int(low * 2**49) * 2 + 1  # in units of half the last place, near 8
        texts.append(f"{middle / 2**50:.17f}"[:18])
        texts.append(f"{low:.17f}"[:19])
    assert same(texts) > 0
    assert same([f"{2.0**power:.10f}" for power in range(-8, 20)]) > 0
