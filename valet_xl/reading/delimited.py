"""Lines of delimited text to columns of distinct texts, without an object for each of their cells."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from valet_xl.engine.arrays import Index
from valet_xl.errors import ArgumentError
from valet_xl.messages import counted
from valet_xl.reading.columns import CodedColumn

_PACKED = 8  # bytes in one word of the machine


def split_columns(lines: Sequence[str], delimiter: str, width: int) -> list[CodedColumn]:
    """Split lines that have `width` cells each into that many columns, blanks around cells taken off.

    Cells of up to 8 bytes, which nearly all of a results file are, are compared as whole numbers.

    Raises
    ------
    ArgumentError : where the lines have another number of cells in all

    >>> [(column.texts, column.index.tolist()) for column in split_columns(["1|N", "2|N"], "|", 2)]
    [(['1', '2'], [0, 1]), (['N'], [0, 0])]
    """
    data = delimiter.join(lines).encode("utf-8", "surrogatepass")
    letters = np.frombuffer(data, dtype=np.uint8)
    ends = np.append(np.flatnonzero(letters == ord(delimiter)), len(data))
    if len(ends) != width * len(lines):
        raise ArgumentError(
            f"lines must have {counted(width, 'cell')} each, got {len(ends):,} in {counted(len(lines), 'line')}"
        )
    starts = np.append(0, ends[:-1] + 1)
    columns = []
    for at in range(width):
        first, size = starts[at::width], ends[at::width] - starts[at::width]
        if size.max(initial=0) <= _PACKED and b"\0" not in data:
            columns.append(_packed(data, letters, first, size))
        else:
            spans = zip(first.tolist(), ends[at::width].tolist(), strict=True)
            columns.append(CodedColumn.of([data[start:end].decode("utf-8", "surrogatepass") for start, end in spans]))
    return columns


def _packed(data: bytes, letters: NDArray[np.uint8], first: Index, size: Index) -> CodedColumn:
    """A column of short cells, from where in the data they begin and how many bytes they have."""
    words = np.zeros(len(first), dtype=np.uint64)
    for place in range(int(size.max(initial=0))):
        here = place < size
        letter = letters[np.minimum(first + place, len(letters) - 1)] if len(letters) else words
        words = np.where(here, words << np.uint64(8) | letter, words)
    _, shown, index = np.unique(words, return_index=True, return_inverse=True)
    spans = zip(first[shown].tolist(), (first + size)[shown].tolist(), strict=True)
    texts = [data[start:end].decode("utf-8", "surrogatepass").strip() for start, end in spans]
    place_of: dict[str, int] = {}
    order = np.argsort(shown)  # of first appearance
    places = np.empty(len(texts), dtype=np.intp)
    for at in order.tolist():
        places[at] = place_of.setdefault(texts[at], len(place_of))
    return CodedColumn(list(place_of), places[index])
