"""What evaluating hands costs. By hand, from the project's directory: python -m tests.bench.bench_binky"""

from __future__ import annotations

from collections.abc import Iterator

from tests.bench.timing import Task, report
from valet_xl.binky.deals import deal_chunk, pbn, solve
from valet_xl.binky.hands import Hands, read_hands
from valet_xl.binky.points import shipped, tricks, values
from valet_xl.functions.catalogue import REGISTRY

HANDS = 10_000
SOLVED = 20


def tasks() -> Iterator[Task]:
    """A column of hands: read and valued, valued alone, in pairs, and as a worksheet function."""
    owners = (row for number in range(-(-HANDS // 800)) for row in deal_chunk(1, "uniform", number)[0])
    texts = [hand for owner in owners for hand in pbn(owner)[2:].split()][:HANDS]
    hands = read_hands(texts).hands
    shipped()
    name = f"a hand in a column of {HANDS:,}, read and valued"
    yield Task(name, lambda: values(read_hands(texts).hands), HANDS, target="at most 5 us")
    yield Task("the same, valued alone", lambda: values(hands), HANDS)
    evens, odds = (Hands(hands.named[at::4], hands.unnamed[at::4]) for at in (0, 2))
    yield Task("a pair of hands with all chances of tricks", lambda: tricks(evens, odds), len(evens))
    cells = [[text] for text in texts]
    yield Task("a hand in a column, as VALET_BINKY", lambda: REGISTRY["VALET_BINKY"](cells), HANDS)
    try:
        from endplay import _dds
        from endplay.dds import calc_all_tables
        from endplay.types import Deal
    except ImportError:
        return
    owner = deal_chunk(1, "uniform", 0)[0][:SOLVED]
    _dds.SetMaxThreads(1)
    yield Task("a deal: what the better declarers take", lambda: solve(owner), SOLVED)
    yield Task("a deal: its full table", lambda: calc_all_tables([Deal(pbn(row)) for row in owner]), SOLVED)


if __name__ == "__main__":
    report(tasks())
