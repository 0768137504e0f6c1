"""How often 95 % intervals contain the truth on boards of real events.

From the project's directory: python -m tests.bench.bench_redrawn FOLDER... [draws]. A folder has a scores.txt.

Boards are drawn from an event, with replacement and with all that happened on them, so that half of the pairs have a
given number of boards or more. The truth is what each pair or player averages over the whole event. Those with fewer
boards than half the median of the event are left out, as in a ranking.
"""

from __future__ import annotations

import sys
from collections import defaultdict
from dataclasses import fields, replace
from pathlib import Path
from typing import TypeVar

import numpy as np

from valet_xl.engine.options import Options
from valet_xl.engine.results import Results
from valet_xl.engine.score_results import split
from valet_xl.engine.valet import Components
from valet_xl.rankings.averages import AverageTable
from valet_xl.rankings.totals import totals
from valet_xl.reading.files import read_content

BOARDS = (16, 28, 104, 240)
LEAST, MOST = 94.0, 96.0  # per cent: what passes
DRAWS = 200
Columns = TypeVar("Columns", Results, Components)


def taken(columns: Columns, rows: np.ndarray, **changed: object) -> Columns:
    """These rows of columns."""
    arrays = {field.name: getattr(columns, field.name) for field in fields(columns)}
    return replace(
        columns, **({name: each[rows] for name, each in arrays.items() if isinstance(each, np.ndarray)} | changed)
    )


def redrawn(results: Results, parts: Components, boards: np.ndarray) -> tuple[Results, Components]:
    """The event of these boards, each time that one comes being another deal."""
    by_board = np.argsort(results.board, kind="stable")
    starts = np.searchsorted(results.board[by_board], np.arange(len(results.boards) + 1))
    rows = [by_board[starts[board] : starts[board + 1]] for board in boards]
    number = np.repeat(np.arange(len(boards)), [len(each) for each in rows])
    names = tuple(("", str(at)) for at in range(len(boards)))
    at = np.concatenate(rows)
    return taken(results, at, board=number, boards=names), taken(parts, at)


def inside(table: AverageTable, truth: AverageTable) -> dict[str, np.ndarray]:
    """By column, which intervals contain the truth; none for columns in which there is nothing."""
    number = {name: at for at, name in enumerate(truth.names.tolist())}
    rows = np.array([number[name] for name in table.names.tolist()])
    ranked = ~truth.few[rows]
    found = {}
    for column, average in table.columns.items():
        true = truth[column].average[rows]
        known = ranked & ~np.isnan(average.low) & (truth[column].chances[rows] > 1)
        if np.nan_to_num(truth[column].sum).any():
            found[column] = ((average.low <= true) & (true <= average.high))[known]
    return found


def coverage(results: Results, boards: int, draws: int) -> dict[str, float]:
    """The share of intervals with the truth in them, in per cent, by whose they are and of what."""
    parts = split(results, Options())
    whole = totals(results, parts=parts)
    share = float(np.median(whole.pairs.boards[~whole.pairs.few])) / whole.boards
    rng = np.random.default_rng(boards)
    counts: dict[str, list[np.ndarray]] = defaultdict(list)
    played = np.unique(results.board[results.board >= 0])
    for _ in range(draws):
        drawn = redrawn(results, parts, rng.choice(played, round(boards / share)))
        made = totals(drawn[0], parts=drawn[1])
        for who in ("pairs", "players"):
            for column, hits in inside(getattr(made, who), getattr(whole, who)).items():
                counts[f"{who}, {column}"].append(hits)
    return {name: 100 * float(np.concatenate(hits).mean()) for name, hits in counts.items()}


def main() -> int:
    """Print a table for each event; exits with 1 if a share is not within LEAST and MOST."""
    folders = [argument for argument in sys.argv[1:] if not argument.isdigit()]
    draws = next((int(argument) for argument in sys.argv[1:] if argument.isdigit()), DRAWS)
    outside = 0
    for folder in folders:
        results = read_content(Path(folder, "scores.txt"), None, None, Options()).results
        shares = [coverage(results, boards, draws) for boards in BOARDS]
        print(f"{Path(folder).name}, {draws} draws{'':<14}" + "".join(f"{boards:>9}" for boards in BOARDS))
        for name in shares[0]:
            cells = [each[name] for each in shares]
            outside += sum(not LEAST <= cell <= MOST for cell in cells)
            marked = [f"{cell:7.1f} {' ' if LEAST <= cell <= MOST else '!'}" for cell in cells]
            print(f"    {name:<32}{''.join(marked)}", flush=True)
    print(f"outside of {LEAST:g} to {MOST:g} %: {outside}")
    return outside > 0


if __name__ == "__main__":
    sys.exit(main())
