"""Write the tables and the plot of docs/binky.md anew: python docs/make_binky.py [SOLVED_DEALS.npz]

The tables of values come from the coefficients that are shipped; those of deals that the fit has not seen are
written only where such deals are given.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

import numpy as np

from valet_xl.binky.deals import read_deals
from valet_xl.binky.hands import PATTERNS, hand_of, holding_of
from valet_xl.binky.pairs import Pairs, pairs_of
from valet_xl.binky.points import KINDS, card_values, holding_index, shipped, tricks
from valet_xl.binky.quality import Bin, calibration, calibration_table, points_and_shape, residuals, table
from valet_xl.messages import counted

sys.path.insert(0, str(Path(__file__).parents[1] / "workbooks"))
from binky_article import CARDS, PAIRS, STEPS

HERE = Path(__file__).parent
PAGE, PLOT = HERE / "binky.md", HERE / "binky-chances.svg"
SUIT, NOTRUMP = KINDS.index("suit"), KINDS.index("notrump")


def steps() -> Iterator[tuple[str, str, float, float, float]]:
    """What, the article's figure, the author's tables', ours and its standard error."""
    fit = shipped()

    def of(holding: str) -> int:
        return int(holding_index(holding_of(holding))[0, 0])

    for low, high, article, author in STEPS:
        a, b = of(low), of(high)
        error = float(np.hypot(fit.holding_error[a, SUIT], fit.holding_error[b, SUIT]))
        yield f"{low} to {high}", article, author, float(fit.holding[b, SUIT] - fit.holding[a, SUIT]), error
    cards = dict(card_values(holding_of("AQJ9"), SUIT))
    error = float(fit.holding_error[of("AQJ9"), SUIT])
    for card, (article, author) in CARDS.items():
        yield f"{card} of AQJ9, averaged", article, author, cards[card], error
    for pattern, article, author in (((5, 4, 4, 0), "5.116", 5.116), ((13, 0, 0, 0), "7.68 to 7.71", 7.695)):
        place = PATTERNS.index(pattern)
        name = f"pattern {'-'.join(map(str, pattern))}"
        yield name, article, author, float(fit.pattern[place, SUIT]), float(fit.pattern_error[place, SUIT])
    for hands, article, author in PAIRS:
        pair = tricks(hand_of(hands[0]), hand_of(hands[1]))
        name = f"{hands[0]} opposite {hands[1]}, notrump"
        yield name, article, author, float(pair.expected[0, NOTRUMP]), float(pair.error[0, NOTRUMP])


def values_table() -> Iterator[str]:
    """The article's figures beside ours."""
    yield "| from ... to, in a suit unless said | article | author's tables | here | standard error |"
    yield "|---|---:|---:|---:|---:|"
    for name, article, author, ours, error in steps():
        yield f"| {name} | {article} | {author:g} | {ours:.2f} | {error:.2f} |"


def made_table() -> Iterator[str]:
    """What the shipped fit rests on."""
    about = shipped().about
    deals = about["deals"]
    yield f"- {deals['deals']['uniform']:,} random deals, and {deals['deals']['rare']:,} with a rare pattern on purpose"
    yield f"- solved by {deals['solver']}, dealt from seed {deals['seed']} in chunks of {deals['chunk']}"
    yield f"- fitted on {about['date']} to {counted(about['pairs of hands'], 'pair')} of hands"


def unseen_table(pairs: Pairs) -> Iterator[str]:
    """How well deals are predicted that the fit has not seen."""
    ours = residuals(shipped(), pairs)
    simple = points_and_shape(pairs, pairs)
    yield from table(
        [
            ("Binky points", ours),
            ("high-card points and shape, fitted to these very deals", simple),
            ("margin", simple - ours),
        ],
        3,
    )


def chances_table(pairs: Pairs) -> Iterator[str]:
    """Predicted chances and what came of them, for all kinds."""
    for kind, name in enumerate(KINDS):
        yield f"**{name}**"
        yield ""
        yield from calibration_table(calibration(shipped(), pairs, kind))
        yield ""


def plot(bins: dict[str, list[Bin]]) -> str:
    """Predicted chances across, what came of them upwards, as SVG."""
    side, edge = 320, 44
    colours = ("#1b6ca8", "#c0392b", "#2e8b57", "#8e44ad")

    def at(share: float) -> float:
        return side * share

    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {side + 2 * edge} {side + 2 * edge}" '
        'font-family="sans-serif" font-size="11">',
        f'<rect width="{side + 2 * edge}" height="{side + 2 * edge}" fill="white"/>',
        f'<g transform="translate({edge} {edge // 2})">',
        f'<path d="M0 0V{side}H{side}" fill="none" stroke="#444"/>',
        f'<path d="M0 {side}L{side} 0" stroke="#bbb" stroke-dasharray="4 4"/>',
    ]
    for tick in range(0, 101, 20):
        place = at(tick / 100)
        parts.append(f'<text x="{place:.0f}" y="{side + 16}" text-anchor="middle">{tick} %</text>')
        parts.append(f'<text x="-6" y="{side - place + 4:.0f}" text-anchor="end">{tick} %</text>')
    parts.append(f'<text x="{side / 2:.0f}" y="{side + 36}" text-anchor="middle">predicted</text>')
    parts.append('<text x="6" y="12">came true</text>')
    for place, ((name, rows), colour) in enumerate(zip(bins.items(), colours, strict=True)):
        for row in rows:
            x, y = at(row.predicted), side - at(row.observed)
            parts.append(f'<circle cx="{x:.1f}" cy="{y:.1f}" r="3" fill="{colour}" fill-opacity="0.75"/>')
        parts.append(f'<circle cx="{side - 110}" cy="{side - 72 + 16 * place}" r="4" fill="{colour}"/>')
        parts.append(f'<text x="{side - 100}" y="{side - 68 + 16 * place}">{name}</text>')
    return "\n".join([*parts, "</g>", "</svg>"]) + "\n"


def put(page: str, name: str, lines: Iterator[str]) -> str:
    """The page with the lines between the marks of a name."""
    start, end = f"<!-- {name} -->\n", f"<!-- end of {name} -->"
    before, _, rest = page.partition(start)
    _, _, after = rest.partition(end)
    return before + start + "\n".join(lines).rstrip() + "\n" + end + after


def main() -> None:
    """Write the page and the plot."""
    page = PAGE.read_text(encoding="utf-8")
    page = put(page, "values", values_table())
    page = put(page, "made", made_table())
    if len(sys.argv) > 1:
        pairs = pairs_of(read_deals(Path(sys.argv[1])))
        page = put(page, "unseen", unseen_table(pairs))
        page = put(page, "chances", chances_table(pairs))
        bins = {name: calibration(shipped(), pairs, kind) for kind, name in enumerate(KINDS)}
        PLOT.write_text(plot(bins), encoding="utf-8", newline="\n")
    PAGE.write_text(page, encoding="utf-8", newline="\n")


if __name__ == "__main__":
    main()
