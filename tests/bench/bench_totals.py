"""What a ranking costs, from Valet text. By hand, from the project's directory: python -m tests.bench.bench_totals

400,000 results in one call. Memory is the peak of a process of its own, with what Python and numpy need.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator

from tests.bench.timing import Task, process, report, show
from valet_xl.engine.options import Options
from valet_xl.engine.results import Results
from valet_xl.engine.score_results import split
from valet_xl.rankings.simulate import simulate
from valet_xl.rankings.strength import strengths
from valet_xl.rankings.totals import totals
from valet_xl.reading.valet_text import read_names, read_scores

FIELDS = {"400 pairs, 2,000 boards": (400, 500), "2,000 pairs, 400 boards": (2_000, 100)}  # pairs, rounds of 4 boards


def texts(field: str) -> tuple[str, str]:
    """Valet text of a field's results and names."""
    pairs, rounds = FIELDS[field]
    event = simulate(pairs=pairs, rounds=rounds, boards=4, movement="round-robin")
    return event.valet_text(), event.names_text()


def read(scores: str, names: str) -> Results:
    """Valet text as results."""
    return read_scores(scores, read_names(names))


def tasks() -> Iterator[Task]:
    """The steps from text to a ranking, of both fields; the first three make the ranking of pairs, in at most 3 s."""
    for field in FIELDS:
        yield from steps(field)


def steps(field: str) -> Iterator[Task]:
    """The steps of one field."""
    scores, names = texts(field)
    results = read(scores, names)
    options = Options()
    parts = split(results, options)
    for name, run in {
        "reading the text": lambda: read(scores, names),
        "the parts of each result": lambda: split(results, options),
        "the table of pairs, with errors": lambda: totals(results, options, parts=parts).pairs,
        "the same, corrected for opponents": lambda: (
            totals(results, options, compensation="opponents", parts=parts).pairs
        ),
        "the table of players, with errors": lambda: totals(results, options, parts=parts).players,
        "strengths solved together": lambda: strengths(results, options, parts=parts),
    }.items():
        yield Task(f"{field}: {name}", run, runs=3)


def main() -> None:
    """Print a line for each figure; or with a field's name, make the ranking whose memory is measured."""
    if len(sys.argv) > 1:
        totals(read(*texts(sys.argv[1]))).pairs.sorted()
        return
    report(tasks())
    for field in FIELDS:
        _, memory = process([sys.executable, "-m", __spec__.name, field])
        show(f"{field}: peak memory of a process that ranks", f"{memory:.0f} MB", "under 1,500 MB")


if __name__ == "__main__":
    main()
