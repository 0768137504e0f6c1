"""Sums that are the same in whatever order and parts their terms are added: no step of an addition is rounded."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np

from valet_xl.engine.arrays import AnyIndex, Floats, sum_by

_COARSE, _FINE, _ROUGH = 2.0**-18, 2.0**-50, 2.0**-28  # what terms are multiples of
_MOST_ROUGH = 2.0**25  # below it, sums of rough terms are not rounded
_TERMS = 1 << 15  # that are added at a time: what is computed of them stays in the processor's cache


@dataclass(frozen=True, slots=True, eq=False)
class Exact:
    """(..., m) sums, each in two numbers: multiples of 2^-18, and what is left, in multiples of 2^-50.

    Notes
    -----
    A double has 53 bits, so sums of the first are exact below 2^35, and those of the second up to 2, which is at least
    2^22 terms. Each addition carries over what the second has too much. A value is rounded when it is asked for.

    >>> one, other = (Exact.by(np.array([0, 0]), np.array(terms), 1) for terms in ([1 / 3, 0.1], [0.1, 1 / 7]))
    >>> ((one + other).value == (other + one).value).tolist()
    [True]
    """

    coarse: Floats
    fine: Floats

    @classmethod
    def by(cls, index: AnyIndex, terms: Floats, size: int) -> Exact:
        """Sums of (n,) terms by an index; the terms are rounded to multiples of 2^-50."""
        if not terms.any():  # as luck without clouds
            return cls(np.zeros(size), np.zeros(size))
        sums = np.zeros((2, size))
        for piece in _pieces(len(terms), size):
            sums += _both(index[piece], terms[piece], size)
        return cls(*sums)

    @classmethod
    def moments(cls, index: AnyIndex, terms: Floats, size: int) -> tuple[Exact, Exact, Exact]:
        """Sums of (n,) terms by an index, of their squares and of their fourth powers.

        The terms and squares are rounded to multiples of 2^-50, the fourth powers to multiples of 2^-28.
        """
        if not terms.any():
            nothing = cls(np.zeros(size), np.zeros(size))
            return nothing, nothing, nothing
        sums, of_squares, fourth = np.zeros((2, size)), np.zeros((2, size)), np.zeros(size)
        for piece in _pieces(len(terms), size):
            at, squares = index[piece], terms[piece] * terms[piece]
            sums += _both(at, terms[piece], size)
            of_squares += _both(at, squares, size)
            fourth += sum_by(at, _rounded(squares * squares, _ROUGH), size)
        if fourth.max(initial=0.0) >= _MOST_ROUGH:
            return cls(*sums), cls(*of_squares), cls.by(index, (terms * terms) ** 2, size)
        coarse = _rounded(fourth, _COARSE)
        return cls(*sums), cls(*of_squares), cls(coarse, fourth - coarse)

    def __add__(self, other: Exact) -> Exact:
        fine = self.fine + other.fine
        carried = _rounded(fine, _COARSE)
        return Exact(self.coarse + other.coarse + carried, fine - carried)

    def each(self, change: Callable[[Floats], Floats]) -> Exact:
        """The sums in other places: both numbers changed in the same way."""
        return Exact(change(self.coarse), change(self.fine))

    @property
    def value(self) -> Floats:
        """The sums."""
        return self.coarse + self.fine


def _pieces(terms: int, size: int) -> Iterator[slice]:
    """The places of terms that are added together; many sums need many terms for an addition to be worth it."""
    step = max(_TERMS, 8 * size)
    return (slice(start, start + step) for start in range(0, terms, step))


def _both(index: AnyIndex, terms: Floats, size: int) -> tuple[Floats, Floats]:
    """(size,) sums of terms by an index, of their multiples of 2^-18 and of what is left."""
    coarse = _rounded(terms, _COARSE)
    fine = terms - coarse
    return sum_by(index, coarse, size), sum_by(index, _rounded(fine, _FINE, out=fine), size)


def _rounded(values: Floats, step: float, out: Floats | None = None) -> Floats:
    """Values rounded to multiples of a power of 2: a double that is so large has no smaller digits."""
    shift = 1.5 * 2.0**52 * step
    rounded = np.add(values, shift, out=out)
    rounded -= shift
    return rounded
