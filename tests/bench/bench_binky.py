"""What evaluating hands costs. By hand, from the project's directory: python -m tests.bench.bench_binky"""

from __future__ import annotations

from tests.bench.bench_engine import seconds, show
from valet_xl.binky.deals import deal_chunk, pbn
from valet_xl.binky.hands import Hands, read_hands
from valet_xl.binky.points import shipped, tricks, values
from valet_xl.functions.catalogue import REGISTRY

HANDS = 10_000


def main() -> None:
    """A column of hands: read and valued, valued alone, in pairs, and as a worksheet function."""
    owners = (row for number in range(-(-HANDS // 800)) for row in deal_chunk(1, "uniform", number)[0])
    texts = [hand for owner in owners for hand in pbn(owner)[2:].split()][:HANDS]
    hands = read_hands(texts).hands
    shipped()

    def cost(what: str, took: float, of: int = HANDS, target: str = "") -> None:
        show(what, f"{1e6 * took / of:.2f} us", target)

    cost(
        f"a hand in a column of {HANDS:,}, read and valued",
        seconds(lambda: values(read_hands(texts).hands)),
        HANDS,
        "at most 5 us",
    )
    cost("the same, valued alone", seconds(lambda: values(hands)))
    evens, odds = (Hands(hands.named[at::4], hands.unnamed[at::4]) for at in (0, 2))
    cost("a pair of hands with all chances of tricks", seconds(lambda: tricks(evens, odds)), len(evens))
    if "VALET_BINKY" in REGISTRY:
        cells = [[text] for text in texts]
        cost("a hand in a column, as VALET_BINKY", seconds(lambda: REGISTRY["VALET_BINKY"](cells)))


if __name__ == "__main__":
    main()
