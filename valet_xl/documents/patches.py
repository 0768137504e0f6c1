"""Bytes with some of them changed: from where to where, and what comes there."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import chain
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

Whole = npt.NDArray[np.int64]


class Patches(NamedTuple):
    """From where to where bytes change, and what comes there."""

    starts: Whole
    ends: Whole
    news: list[bytes]


def patched(source: bytes, patches: Iterable[Patches], start: int = 0, end: int | None = None) -> bytes:
    """A part of some bytes with patches, of which none meets another; at one place they stay in their order.

    >>> patched(b"North", [Patches(np.array([5, 0]), np.array([5, 1]), [b"-South", b"n"])])
    b'north-South'
    """
    some = list(patches)
    starts, ends = (np.concatenate([each[side] for each in some]).astype(np.int64) for side in (0, 1))
    news = list(chain.from_iterable(each.news for each in some))
    order = np.lexsort((ends, starts))
    last = len(source) if end is None else end
    kept = map(slice, (start, *ends[order].tolist()), (*starts[order].tolist(), last))
    new = (*map(news.__getitem__, order.tolist()), b"")
    return b"".join(chain.from_iterable(zip(map(source.__getitem__, kept), new, strict=True)))
