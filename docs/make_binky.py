"""Write the tables and the plot of docs/explanation/binky.md again: python docs/make_binky.py [SOLVED_DEALS.npz]

The tables of values come from the shipped coefficients. The tables and the plot of deals that the fit has not seen are
written only if such deals are given. The plot needs matplotlib (the extra charts).
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from marks import put

from valet_xl.binky.deals import read_deals
from valet_xl.binky.fit_pairs import Pairs, pairs_of
from valet_xl.binky.hands import PATTERNS, hand_of, holding_of
from valet_xl.binky.points import KINDS, ORDERS, Coefficients, card_values, holding_index, shipped, tricks, values
from valet_xl.binky.quality import (
    Bin,
    by_strength,
    calibration,
    calibration_table,
    log_score,
    points_and_shape,
    residuals,
    strength_table,
    table,
)
from valet_xl.binky.unknown import opposite_any
from valet_xl.messages import counted
from valet_xl.reports.plots import COLOURS, GREY, drawn

if TYPE_CHECKING:
    from matplotlib.axes import Axes

sys.path.insert(0, str(Path(__file__).parents[1] / "workbooks"))
from binky_article import AUTHOR, CARDS, PAIRS, TABLES
from binky_article import PATTERNS as ARTICLE_PATTERNS

HERE = Path(__file__).parent / "explanation"
PAGE, PLOT = HERE / "binky.md", HERE / "binky-chances.svg"
SUIT, NOTRUMP = KINDS.index("suit"), KINDS.index("notrump")
ALONE = ("AKx.KQxx.x.Axxxx", "AQxx.KJx.Kxx.QJx", "xxxx.xxx.xxx.xxx", "AKQJT98765432.-.-.-")
# The parameters of one scale for the chances in notrump, which were fitted to 16,000 deals and shipped before.
FORMER = (
    np.array(
        [
            *(122, 1348, 2436, 3463, 4487, 5507, 6576, 7627, 8687, 9678, 10682),
            *(11714, 13249, 170, -48, 253, -15, 512, -97, -49, -36, 96),
        ]
    )
    / 1000
)


def steps() -> Iterator[tuple[str, str, str, float, float]]:
    """What, the article's figure, the author's tables', ours and its standard error."""
    fit = shipped()

    def of(holding: str) -> int:
        return int(holding_index(holding_of(holding))[0, 0])

    for title, rows in TABLES:
        yield title, "", "", np.nan, np.nan
        for low, high, article in rows:
            a, b = of(low), of(high)
            error = float(np.hypot(fit.holding_error[a, SUIT], fit.holding_error[b, SUIT]))
            worth = float(fit.holding[b, SUIT] - fit.holding[a, SUIT])
            yield f"{low} to {high}", article, AUTHOR.get((low, high), ""), worth, error
    yield "Cards, patterns and pairs of hands", "", "", np.nan, np.nan
    cards = dict(card_values(holding_of("AQJ9"), SUIT))
    error = float(fit.holding_error[of("AQJ9"), SUIT])
    for card, (article, author) in CARDS.items():
        yield f"{card} of AQJ9, averaged", article, author, cards[card], error
    for pattern, article, author in ARTICLE_PATTERNS:
        place = PATTERNS.index(tuple(map(int, pattern.split("-"))))
        worth, error = float(fit.pattern[place, SUIT]), float(fit.pattern_error[place, SUIT])
        yield f"pattern {pattern}", article, author, worth, error
    for hands, article, author in PAIRS:
        pair = tricks(hand_of(hands[0]), hand_of(hands[1]))
        name = f"{hands[0]} opposite {hands[1]}, notrump"
        yield name, article, author, float(pair.expected[0, NOTRUMP]), float(pair.error[0, NOTRUMP])


def values_table() -> Iterator[str]:
    """The article's figures and ours."""
    yield "| from ... to, in a suit unless said | article | author's tables | here | standard error |"
    yield "|---|---:|---:|---:|---:|"
    for name, article, author, ours, error in steps():
        if np.isnan(ours):
            yield f"| **{name}** | | | | |"
        else:
            yield f"| {name} | {article} | {author} | {ours:.2f} | {error:.2f} |"


def ways_table() -> Iterator[str]:
    """What the honours of AQJ9 are worth in the three ways."""
    holding = holding_of("AQJ9")
    found = {order: dict(card_values(holding, SUIT, order=order)) for order in ORDERS}
    yield f"| | {' | '.join(ORDERS)} |"
    yield f"|---|{'---:|' * len(ORDERS)}"
    for card in found["average"]:
        yield f"| {card} | {' | '.join(f'{found[order][card]:.2f}' for order in ORDERS)} |"


def alone_table() -> Iterator[str]:
    """What hands are worth, and what they may expect opposite any partner."""
    yield "| hand | value, suit | opposite any partner, suit | in notrump |"
    yield "|---|---:|---:|---:|"
    for text in ALONE:
        hand = hand_of(text)
        worth, any_partner = values(hand)[0], opposite_any(hand)[0]
        yield f"| {text} | {worth[SUIT]:.2f} | {any_partner[SUIT]:.2f} | {any_partner[NOTRUMP]:.2f} |"


def made_table() -> Iterator[str]:
    """The deals that the shipped fit was made from."""
    about = shipped().about
    deals = about["deals"]
    yield f"- {deals['deals']['uniform']:,} random deals, and {deals['deals']['rare']:,} with a rare pattern on purpose"
    yield f"- solved by {deals['solver']}, dealt from seed {deals['seed']} in chunks of {deals['chunk']}"
    yield f"- fitted on {about['date']} to {counted(about['pairs of hands'], 'pair')} of hands"
    again = about.get("chances")
    if again:
        parts = again["deals"].get("parts", [again["deals"]])
        said = " and ".join(f"{part['deals']['uniform']:,} from seed {part['seed']}" for part in parts)
        yield (
            f"- the chances in {' and '.join(again['kinds'])} fitted on {again['date']} to {again['pairs of hands']:,} "
            f"pairs of hands, of random deals: {said}"
        )


def unseen_table(pairs: Pairs) -> Iterator[str]:
    """How well the values predict deals that the fit has not seen."""
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
    """Predicted chances and how often they came true, for all kinds."""
    for kind, name in enumerate(KINDS):
        yield f"**{name}**"
        yield ""
        yield from calibration_table(calibration(shipped(), pairs, kind))
        yield ""


def strengths_table(pairs: Pairs) -> Iterator[str]:
    """The same by expected tricks."""
    for kind, name in enumerate(KINDS):
        yield f"**{name}**"
        yield ""
        yield from strength_table(by_strength(shipped(), pairs, kind))
        yield ""


def models_table(pairs: Pairs) -> Iterator[str]:
    """One scale for all numbers of tricks, as was shipped before, and a model for each."""
    fit = shipped()
    former = replace(fit, chances=(FORMER, *fit.chances[1:]))
    yield "| chances in notrump | logarithmic score | at least 12 tricks if 11 to 12 are expected | came true |"
    yield "|---|---:|---:|---:|"
    models: list[tuple[str, Coefficients]] = [("one scale, as before", former), ("a model for each number", fit)]
    for name, one in models:
        row = next(found for found in by_strength(one, pairs, NOTRUMP) if found.low == 11)
        score = log_score(one, pairs, NOTRUMP)
        yield f"| {name} | {score:.4f} | {100 * row.predicted:.1f} % | {100 * row.observed:.1f} % |"


def draw(axes: Axes, bins: dict[str, list[Bin]]) -> None:
    """Predicted chances from left to right, how often they came true upwards: a point for each bin."""
    axes.plot([0, 100], [0, 100], color=GREY, linewidth=1, linestyle="--", label="as predicted")
    for (name, rows), colour, marker in zip(bins.items(), COLOURS, "osD^", strict=True):
        predicted, observed = ([100 * getattr(row, field) for row in rows] for field in ("predicted", "observed"))
        axes.plot(predicted, observed, marker, color=colour, markersize=5, alpha=0.75, label=name)
    axes.set_title("Chances of at least 1, 2 ... 13 tricks")
    axes.set_xlabel("predicted chance (%)")
    axes.set_ylabel("how often it came true (%)")
    axes.set(xlim=(-2, 102), ylim=(-2, 102))
    axes.locator_params(nbins=6, steps=[2])
    axes.grid()
    axes.legend(loc="lower right")


def plot(bins: dict[str, list[Bin]]) -> str:
    """The same as SVG."""
    return drawn(partial(draw, bins=bins), (5.4, 5.0))


def main() -> None:
    """Write the page and the plot."""
    page = PAGE.read_text(encoding="utf-8")
    page = put(page, "values", values_table())
    page = put(page, "made", made_table())
    page = put(page, "ways", ways_table())
    page = put(page, "alone", alone_table())
    if len(sys.argv) > 1:
        pairs = pairs_of(read_deals(Path(sys.argv[1])))
        page = put(page, "unseen", unseen_table(pairs))
        page = put(page, "chances", chances_table(pairs))
        page = put(page, "strengths", strengths_table(pairs))
        page = put(page, "models", models_table(pairs))
        bins = {name: calibration(shipped(), pairs, kind) for kind, name in enumerate(KINDS)}
        PLOT.write_text(plot(bins), encoding="utf-8", newline="\n")
    PAGE.write_text(page, encoding="utf-8", newline="\n")


if __name__ == "__main__":
    main()
