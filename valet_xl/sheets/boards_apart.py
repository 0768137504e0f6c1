"""Whether each board is in one file or frame alone: one that is in two would be scored as two."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import partial
from hashlib import blake2b
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from valet_xl.documents.parquet import opened, texts_of
from valet_xl.documents.workers import Workers
from valet_xl.errors import FileError
from valet_xl.sheets.add_tables import Span

Marks = NDArray[np.uint64]


def marks_of(table: Any, keys: Sequence[str]) -> Marks:
    """A number for each different key of a table: the same for the same texts, and not for others but by 1 in 10^19.

    keys : columns, of which a table may lack some
    """
    columns = {name: texts_of(table.column(name)) for name in keys if name in table.column_names}
    new = np.zeros(len(table), dtype=bool)
    new[:1] = True
    for column in columns.values():
        new[1:] |= column.index[1:] != column.index[:-1]
    firsts = np.flatnonzero(new)
    texts = [
        [[*columns[name].texts, ""][at] for at in columns[name].index[firsts].tolist()]
        if name in columns
        else [""] * len(firsts)
        for name in keys
    ]
    marks = [
        int.from_bytes(blake2b("\0".join(key).encode(), digest_size=8).digest(), "little")
        for key in zip(*texts, strict=True)
    ]
    return np.unique(np.array(marks, dtype=np.uint64))


def in_two(parts: Iterable[tuple[str, Marks]]) -> tuple[str, str] | None:
    """The names of two parts that have a key in common; None if there are none."""
    names, marks = zip(*parts, strict=True) if (parts := list(parts)) else ((), ())
    every = np.concatenate([np.zeros(0, np.uint64), *marks])
    part = np.repeat(np.arange(len(names)), [len(each) for each in marks])
    order = np.argsort(every, kind="stable")
    again = np.flatnonzero(every[order][1:] == every[order][:-1])
    if not len(again):
        return None
    one, other = part[order[again[0] : again[0] + 2]].tolist()
    return names[one], names[other]


def has_too(one: str, keys: Sequence[str]) -> str:
    """What is said of a part that has a key in common with another."""
    what = "a board" if len(keys) > 1 else "an event, whose tables Neuberg's formula counts,"
    return f"has {what} that {one} has too"


def need_apart(spans: Sequence[Span], keys: Sequence[str], on: Workers) -> None:
    """Refuse files of which two have a key in common.

    Only files whose first and last boards overlap are read again, and only their keys.

    Parameters
    ----------
    spans : of the files' pieces, each file sorted
    keys : the columns that rows have alike which are scored together
    on : who reads

    Raises
    ------
    FileError : which names two files
    """
    ends: dict[str, tuple[tuple[str, ...], tuple[str, ...]]] = {}
    for address, _, first, last in spans:
        ends[address] = (ends[address][0] if address in ends else first[: len(keys)], last[: len(keys)])
    files = sorted(ends, key=lambda address: ends[address])
    overlapping, latest = set[str](), files[0] if files else ""
    for one, other in pairwise(files):
        latest = max(latest, one, key=lambda address: ends[address][1])
        if ends[other][0] <= ends[latest][1]:
            overlapping |= {latest, other}
    if not overlapping:
        return
    names = [address for address in ends if address in overlapping]
    both = in_two(zip(names, on.map(partial(marks_of_file, keys=tuple(keys)), names), strict=True))
    if both is not None:
        one, other = both
        raise FileError(
            f"{other}: {has_too(one, keys)} (expected all its rows in one file, and other names for others)"
        )


def marks_of_file(address: str, keys: Sequence[str]) -> Marks:
    """The marks of a file, a row group at a time."""
    found = [np.zeros(0, np.uint64)]
    with opened(address) as parquet:
        there = [name for name in keys if name in parquet.schema_arrow.names]
        for at in range(parquet.metadata.num_row_groups):
            found.append(marks_of(parquet.read_row_group(at, columns=there, use_threads=False), keys))
    return np.unique(np.concatenate(found))
