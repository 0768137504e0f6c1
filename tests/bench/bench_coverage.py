"""How often 95 % intervals contain the truth. From the project's directory: python -m tests.bench.bench_coverage

The same pairs meet again and again on other deals; the truth is what each averages over all of those tournaments.
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
    inside: dict[str, list[np.ndarray]] = {}
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
        truth = event.overall - event.overall.mean()
        inside.setdefault("strengths, of the planted", []).append(
            (solved.low[order] <= truth) & (truth <= solved.high[order])
        )
    shares = {}
    for name, figures in kept.items():
        average, low, high = np.stack(figures, axis=1)
        truth = np.nanmean(average, axis=0)
        known = ~np.isnan(low)
        shares[name] = float(np.mean(((low <= truth) & (truth <= high))[known]))
    return shares | {name: float(np.mean(values)) for name, values in inside.items()}


def main() -> None:
    """Print a line for each figure; the number of tournaments of each kind may be given."""
    repeats = int(sys.argv[1]) if len(sys.argv) > 1 else 400
    for name, plan in TOURNAMENTS.items():
        print(f"{name}, {repeats} times")
        for what, share in coverage(plan, repeats).items():
            print(f"    {what:<40}{100 * share:6.1f} %")


if __name__ == "__main__":
    main()
