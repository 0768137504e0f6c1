"""How often 95 % intervals contain the truth. From the project's directory: python -m tests.bench.bench_coverage

The same pairs meet again and again on other deals; the truth of an average is what each averages over all of those
tournaments. The truth of strengths is on the scale of scores: what an IMP of planted strength in each part of the game
brings is measured over all tournaments, and printed with its standard error.
"""

from __future__ import annotations

import sys

import numpy as np

from valet_xl.rankings.averages import AverageTable
from valet_xl.rankings.simulate import simulate
from valet_xl.rankings.strength import strengths
from valet_xl.rankings.totals import totals

COLUMNS = ("overall", "bid", "play", "declarer", "lead", "defence")
TOURNAMENTS = {
    "Mitchell, 28 pairs, 28 boards": {"pairs": 28, "rounds": 7, "boards": 4},
    "Mitchell, 60 pairs, 104 boards": {"pairs": 60, "rounds": 26, "boards": 4},
    "round robin, 24 pairs, 322 boards": {"pairs": 24, "rounds": 23, "boards": 14, "movement": "round-robin"},
}


def rows(table: AverageTable, names: list[str]) -> list[int]:
    return [table.row(name) for name in names]


def coverage(plan: dict[str, object], repeats: int) -> dict[str, float]:
    """The share of intervals with the truth in them, by what they are of."""
    kept: dict[str, list[np.ndarray]] = {}
    planted, scored, intervals = [], [], []
    for deals in range(repeats):
        event = simulate(**plan, seed=1, deals=deals)  # type: ignore[arg-type]
        tables = totals(event.results)
        pairs = [" - ".join(pair) for pair in event.names.tolist()]
        at = rows(tables.pairs, pairs)
        seats = rows(tables.players, event.names.ravel().tolist())
        for who, table, order in (("pairs", tables.pairs, at), ("players", tables.players, seats)):
            for column in COLUMNS if who == "pairs" else ("overall", "declarer", "lead"):
                average = table[column]
                figures = np.stack([average.average, average.low, average.high])[:, order]
                kept.setdefault(f"{who}, {column}", []).append(figures)
        differences = [tables.pairs.compare(at[2 * i], at[2 * i + 1]) for i in range(len(at) // 2)]
        figures = np.array([[each.difference, each.low, each.high] for each in differences]).T
        kept.setdefault("differences of two pairs, overall", []).append(figures)
        event = simulate(**plan, seed=deals + 2)  # type: ignore[arg-type]  # other strengths each time
        solved = strengths(event.results)
        pairs = [" - ".join(pair) for pair in event.names.tolist()]
        order = [solved.names.tolist().index(name) for name in pairs]
        raw = totals(event.results).pairs
        sides = 1 if plan.get("movement") else 2  # in a Mitchell those of one direction are compared
        size = len(pairs) // sides
        parts = (event.bid, event.play.sum(axis=1) / 4, event.lead.sum(axis=1) / 4, event.defence / 2)
        planted.append(centred(np.stack(parts, axis=1), sides))
        scored.append(centred(raw["overall"].average[rows(raw, pairs), None], sides) * (size - 1) / size)
        intervals.append((np.stack(parts, axis=1), solved.low[order], solved.high[order]))
    shares = {}
    for name, figures in kept.items():
        average, low, high = np.stack(figures, axis=1)
        truth = np.nanmean(average, axis=0)
        known = ~np.isnan(low)
        shares[name] = float(np.mean(((low <= truth) & (truth <= high))[known]))
    brought, error = scale(np.concatenate(planted), np.concatenate(scored)[:, 0])
    print(
        "    an IMP of bid, play, lead, defence brings "
        + ", ".join(f"{x:.2f} ({e:.2f})" for x, e in zip(brought, error, strict=True))
    )
    inside = []
    for parts, low, high in intervals:
        truth = (parts - parts.mean(axis=0)) @ brought
        inside.append((low <= truth) & (truth <= high))
    width = np.mean([high - low for _, low, high in intervals])
    return shares | {f"strengths, intervals {width:.2f} IMPs wide": float(np.mean(inside))}


def centred(values: np.ndarray, sides: int) -> np.ndarray:
    """Columns about their means, of all or of each half of the rows."""
    return np.concatenate([half - half.mean(axis=0) for half in np.split(values, sides)])


def scale(planted: np.ndarray, scored: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The coefficients of a regression, and their standard errors."""
    found, *_ = np.linalg.lstsq(planted, scored, rcond=None)
    rest = scored - planted @ found
    inverse = np.linalg.inv(planted.T @ planted)
    return found, np.sqrt(np.diag(inverse) * (rest @ rest) / (len(scored) - len(found)))


def main() -> None:
    """Print a line for each figure; the number of tournaments of each kind may be given."""
    repeats = int(sys.argv[1]) if len(sys.argv) > 1 else 400
    for name, plan in TOURNAMENTS.items():
        print(f"{name}, {repeats} times")
        for what, share in coverage(plan, repeats).items():
            print(f"    {what:<40}{100 * share:6.1f} %")


if __name__ == "__main__":
    main()
