"""A second reader, written from docs/reference/formats.md alone, reads sheets in its spellings to the same results."""

from __future__ import annotations

import math
import random
import re
from itertools import zip_longest

import plain_reader
import pytest
from spellings import Spelled, spell

from valet_xl.engine.options import Options
from valet_xl.engine.results import Results, Status
from valet_xl.errors import ValetError
from valet_xl.reading.grid import read_grid

STATUS = {
    "played": Status.PLAYED,
    "passed": Status.PASSED_OUT,
    "adjusted": Status.ADJUSTED,
    "not played": Status.UNPLAYED,
    "wrong": Status.ERROR,
}


def ours(rows: list[list[str]]) -> list[tuple] | str:
    """What the package reads, as records of plain values."""
    try:
        results = read_grid([[cell or None for cell in row] for row in rows], Options()).results
    except ValetError as error:
        return f"refused: {error}"
    return [_record(results, at) for at in range(len(results))]


def _record(results: Results, at: int) -> tuple:
    status = Status(results.status[at])
    head = (int(results.row[at]), status.name)
    if status == Status.ERROR:
        return head
    names = (results.names[side] if side >= 0 else "" for side in results.sides[at])
    sides = tuple(name.removesuffix(" NS").removesuffix(" EW") for name in names)  # where both directions have numbers
    head = (*head, results.boards[results.board[at]][1] if results.board[at] >= 0 else "", sides)
    if status == Status.ADJUSTED:
        return (*head, tuple(None if math.isnan(share) else float(share) for share in results.adjusted[at]))
    if status != Status.PLAYED:
        return head
    numbers = ("level", "strain", "double", "declarer", "tricks", "vulnerability", "lead_suit", "lead_rank", "score")
    return (*head, *(int(getattr(results, name)[at]) for name in numbers))


def plain(rows: list[list[str]]) -> list[tuple] | str:
    """What the plain reader reads, in the same form."""
    try:
        found = plain_reader.read(rows)
    except plain_reader.RefusedError as error:
        return f"refused: {error}"
    out = []
    for record in found:
        status = STATUS[record["status"]]
        head = (record["row"], status.name)
        if status != Status.ERROR:
            head = (*head, re.sub(r"\D", "", record["board"]), record["sides"])
        if status == Status.ADJUSTED:
            out.append((*head, record["award"]))
        elif status == Status.PLAYED:
            said = [record[name] for name in plain_reader.SAID]
            out.append((*head, *said, *record.get("lead", (-1, 0)), record["score"]))
        else:
            out.append(head)
    return out


def differences(rows: int, first_seed: int) -> list[str]:
    """The sheets that the two read differently, or that are read otherwise than meant, of so many rows of results."""
    out: list[str] = []
    seed = first_seed
    while rows > 0:
        sheet = spell(random.Random(seed))
        rows -= len(sheet.meant)
        first, second = ours(sheet.rows), plain(sheet.rows)
        if isinstance(first, str) or isinstance(second, str):
            if type(first) is not type(second):
                out.append(f"sheet {seed}:\n{sheet}\n{first}\n{second}")
        elif first != second or misread(sheet, first):
            pairs = [f"{a}\n{b}" for a, b in zip_longest(first, second) if a != b]
            out.append("\n".join((f"sheet {seed}:", str(sheet), *(pairs or misread(sheet, first)))))
        seed += 1
    return out


def misread(sheet: Spelled, read: list[tuple]) -> list[str]:
    """The results that were played and are read as something else than was meant, unless as an error."""
    of_row = {record[0]: record for record in read}
    top = len(sheet.rows) - len(sheet.meant) + 1
    out = []
    for row, result in enumerate(sheet.meant, top):
        record = of_row.get(row)
        if result["status"] == "played" and (record is None or record[1] != "ERROR"):
            meant = ("PLAYED", *(result[name] for name in plain_reader.SAID))
            if record is None or (record[1], *record[4:10]) != meant:
                out.append(f"{record}, meant {meant}")
    return out


def test_a_second_reader_reads_the_same() -> None:
    assert not differences(1000, first_seed=0)


@pytest.mark.slow
def test_a_second_reader_reads_10_000_spellings_to_the_same_results() -> None:
    assert not differences(9000, first_seed=1000)


def test_few_sheets_are_refused() -> None:
    """So that the two do not agree by refusing."""
    sheets = [spell(random.Random(seed)).rows for seed in range(100)]
    assert sum(isinstance(ours(rows), str) for rows in sheets) <= 10
