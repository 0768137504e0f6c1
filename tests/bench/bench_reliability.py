"""How much of a ranking is skill, in real events: python -m tests.bench.bench_reliability FOLDER...

A folder has a scores.txt. For each column it prints the reliability at the median number of boards, and how many
boards a reliability of one half takes; and in the end how many it takes in all events together, by their averages of
variances, each event weighted by its pairs.
"""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np

from valet_xl.engine.options import Options
from valet_xl.rankings.totals import totals
from valet_xl.reading.files import read_content

COLUMNS = ("overall", "bid", "play", "declarer", "lead", "defence")


def main() -> None:
    """Print a line for each event, and one for all."""
    between: dict[str, list[float]] = {}
    within: dict[str, list[float]] = {}
    pairs = []
    print(f"{'':<20}{'pairs':>6}{'boards':>8}" + "".join(f"{column:>17}" for column in COLUMNS))
    for folder in sys.argv[1:]:
        results = read_content(Path(folder, "scores.txt"), None, None, Options()).results
        table = totals(results).pairs
        cells = []
        for column in COLUMNS:
            found = table.reliability(column)
            cells.append(f"{found.share:7.2f} {found.boards:9,.0f}")
            between.setdefault(column, []).append(found.between)
            within.setdefault(column, []).append(table.deviation(column) ** 2)
        pairs.append(len(table))
        boards = np.median(table.boards[~table.few])
        print(f"{Path(folder).name:<20}{len(table):>6}{boards:>8.0f}" + "".join(cells))
    for column in COLUMNS:
        there = ~np.isnan(between[column])
        means = [
            np.average(np.array(each[column])[there], weights=np.array(pairs)[there]) for each in (between, within)
        ]
        takes = f"one half takes {means[1] / means[0]:,.0f} boards" if means[0] > 0 else "no skill is seen"
        print(f"all events, {column}: {takes}")


if __name__ == "__main__":
    main()
