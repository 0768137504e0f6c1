"""New columns of cells as bytes: boards repeat their values, so each different cell is written once for each look."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping, Sequence
from typing import TypeVar

from valet_xl.documents.page import Value

Base = TypeVar("Base", bound=Hashable)


def with_looks(
    cells: Sequence[Value], contents: Mapping[Value, bytes], bases: Sequence[Base], looks: Mapping[Base, bytes]
) -> Iterable[bytes]:
    """The bytes of a column's cells: of each its look, and its content behind that.

    Parameters
    ----------
    cells : (n,)
    contents : the different ones as bytes
    bases : (n,) on which the look of each depends
    looks : by that the look, as bytes

    >>> list(with_looks([7, 8, 7], {7: b">7", 8: b">8"}, [0, 0, 1], {0: b"", 1: b" s"}))
    [b'>7', b'>8', b' s>7']
    """
    of = {base: dict(zip(contents, map(look.__add__, contents.values()), strict=True)) for base, look in looks.items()}
    if len(of) == 1:
        return map(of[bases[0]].__getitem__, cells)
    return [of[base][value] for base, value in zip(bases, cells, strict=True)]
