"""Numbers with a decimal point read out of bytes, all at once: the same numbers as `float` gives."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from valet_xl.documents.whole_numbers import Words, whole_numbers

Whole = npt.NDArray[np.int64]
Floats = npt.NDArray[np.float64]

_ONES, _TOPS, _POINTS = np.uint64(0x0101010101010101), np.uint64(0x8080808080808080), np.uint64(0x2E2E2E2E2E2E2E2E)
_MOST = 10**18  # below 2 ** 63
_MOST_BEHIND = 22  # digits after the point: the last power of ten that is exact
_EXACT = 1 << 53  # up to here every whole number is a float
_POWERS = np.array([float(10**power) for power in range(_MOST_BEHIND + 1)])  # each exact
_WHOLE_POWERS = 10 ** np.arange(10, dtype=np.int64)
_SPLITTER = 134217729.0  # 2 ** 27 + 1


def decimal_numbers(words: Words, starts: Whole, sizes: Whole) -> tuple[Floats, npt.NDArray[np.bool_]]:
    """Numbers such as -12.25, and which of them are that and known to be rounded as `float` rounds.

    Parameters
    ----------
    words : (bytes,) eight bytes at each place
    starts, sizes : (n,) where the texts begin, and how long they are

    Returns
    -------
    (n,) the numbers, and (n,) whether they count. Those with an exponent, without digits on a side of the point or with
    some 18 or more in all do not, nor do the few that are too close to the middle between two floats.

    >>> text = b"-12.25, 0.1, 1e5    "
    >>> words = np.ndarray((len(text) - 8,), dtype="<u8", buffer=text, strides=(1,))
    >>> [each.tolist() for each in decimal_numbers(words, np.array([0, 8]), np.array([6, 3]))]
    [[-12.25, 0.1], [True, True]]
    """
    first = words[starts]
    negative = (first & np.uint64(0xFF)) == ord("-")
    starts, sizes = starts + negative, sizes - negative
    first = words[np.minimum(starts, len(words) - 1)]
    point = _first_point(first)
    behind = sizes - point - 1
    known = (point >= 1) & (point <= 7) & (behind >= 1) & (behind <= _MOST_BEHIND)
    point, behind = np.where(known, point, 1), np.where(known, behind, 1)
    number, digits = whole_numbers(first, point)
    known &= digits
    at = starts + point + 1
    for left in (behind, behind - 8, behind - 16):
        size = np.clip(left, 0, 8)
        part, digits = whole_numbers(words[np.minimum(at, len(words) - 1)], size)
        known &= number <= _MOST // _WHOLE_POWERS[size]
        number = np.where(known, number, 0) * _WHOLE_POWERS[size] + part
        known &= digits
        at = at + 8
    value, sure = _divided(np.where(known, number, 0), behind)
    return np.where(negative, -value, value), known & sure


def _first_point(words: Words) -> Whole:
    """The place of the first point in each word, 8 where there is none."""
    other = words ^ _POINTS
    marks = (other - _ONES) & ~other & _TOPS
    lowest = marks & (~marks + np.uint64(1))
    # A power of two: its exponent says the byte.
    exponent = np.frexp(lowest.astype(np.float64))[1]
    return np.where(marks == 0, 8, (exponent - 1) >> 3).astype(np.int64)


def _divided(numbers: Whole, powers: Whole) -> tuple[Floats, npt.NDArray[np.bool_]]:
    """Whole numbers divided by powers of ten, rounded to the nearest float; whether that is sure."""
    divisor = _POWERS[powers]
    high = numbers.astype(np.float64)
    quotient = high / divisor
    large = np.flatnonzero(numbers > _EXACT)
    sure = np.ones(len(numbers), dtype=np.bool_)
    if len(large):
        # What the rounded number and the rounded quotient leave is divided too, and added.
        above, below, guess = high[large], divisor[large], quotient[large]
        rest = numbers[large] - above.astype(np.int64)
        product, error = _product(guess, below)
        more = ((above - product) - error + rest) / below
        total = guess + more
        left = np.abs(more - (total - guess)) / np.spacing(total)
        quotient[large] = total
        # In the middle between two floats, of which the lower may be half as far below a power of two.
        sure[large] = (np.abs(left - 0.5) > 1e-6) & (np.abs(left - 0.25) > 1e-6)
    return quotient, sure


def _product(one: Floats, other: Floats) -> tuple[Floats, Floats]:
    """The product of floats, and what rounding took from it: T. J. Dekker, Numerische Mathematik 18 (1971)."""
    product = one * other
    (a, b), (c, d) = _halves(one), _halves(other)
    return product, ((a * c - product) + a * d + b * c) + b * d


def _halves(value: Floats) -> tuple[Floats, Floats]:
    high = value * _SPLITTER
    high = high - (high - value)
    return high, value - high
