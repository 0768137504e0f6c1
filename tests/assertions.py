"""Assertions over many numbers or cells; a failure lists the ones that differ."""

from __future__ import annotations

import math
import signal
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType
from typing import Any

import numpy as np
import numpy.typing as npt


def assert_close(found: npt.ArrayLike, expected: npt.ArrayLike, tolerance: float = 1e-9, about: str = "") -> None:
    """Two arrays of one shape, equal to an absolute tolerance; NaN equals NaN."""
    assert np.shape(found) == np.shape(expected), about
    np.testing.assert_allclose(found, expected, rtol=0, atol=tolerance, err_msg=about)


def assert_same_cells(found: Any, expected: Any, about: str = "") -> None:
    """A cell or rows of cells: numbers of one type equal to 1e-12, everything else exactly equal.

    >>> assert_same_cells([[1.0, "a"], [2.0]], [[1.0, "b"], [2.0]], "A1:B2")
    Traceback (most recent call last):
    ...
    AssertionError: A1:B2
    row 1, column 2: 'a', expected 'b'
    """
    differences = _differences(found, expected, ("row", "column"))
    if differences:
        raise AssertionError("\n".join([about, *differences] if about else differences))


@contextmanager
def processor_seconds(limit: float) -> Iterator[None]:
    """Fail a body that takes more of the processor's time than this, however busy the machine is.

    For code that would run for hours if it were wrong, so that the test ends; tests/bench measures. Windows has no such
    timer: there the body may run for as long as it takes.
    """

    def stop(number: int, frame: FrameType | None) -> None:
        raise AssertionError(f"not done after {limit} s of the processor's time")

    if not hasattr(signal, "setitimer"):
        yield
        return
    before = signal.signal(signal.SIGVTALRM, stop)
    signal.setitimer(signal.ITIMER_VIRTUAL, limit)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        signal.signal(signal.SIGVTALRM, before)


def _differences(found: Any, expected: Any, steps: tuple[str, ...], place: str = "") -> list[str]:
    """One line per cell, or per row of another length."""
    if isinstance(found, list) and isinstance(expected, list) and steps:
        if len(found) != len(expected):
            unit = f"{steps[0]}s"
            return [f"{place or 'cells'}: {len(found)} {unit}, expected {len(expected)} {unit}"]
        lines = []
        for at, (one, other) in enumerate(zip(found, expected, strict=True), 1):
            lines += _differences(one, other, steps[1:], f"{place}{', ' if place else ''}{steps[0]} {at}")
        return lines
    if isinstance(found, float) and isinstance(expected, float):
        same = math.isclose(found, expected, rel_tol=1e-12, abs_tol=1e-12)
    else:
        same = type(found) is type(expected) and found == expected
    return [] if same else [f"{place or 'value'}: {found!r}, expected {expected!r}"]
