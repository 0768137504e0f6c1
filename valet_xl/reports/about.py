"""How a report was made: its files and options, how reliable its columns are, and what was not scored."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import fields
from importlib.metadata import PackageNotFoundError, version

from valet_xl.engine.score_results import Summary
from valet_xl.messages import counted
from valet_xl.rankings.event import Event
from valet_xl.rankings.listing import Value
from valet_xl.rankings.ranking import Ranking, method_said, reliabilities, reliability_said
from valet_xl.rankings.totals import Totals
from valet_xl.version import __version__

PROBLEMS = 1_000  # that a report lists


def about(
    event: Event, ranking: Ranking, limits: Sequence[tuple[str, Value]], libraries: Sequence[str] = ("numpy",)
) -> Iterator[tuple[str, Value]]:
    """What is said about a report, line by line: what, and how it is.

    Parameters
    ----------
    event, ranking : what it is about, and its first ranking of pairs
    limits : what had no room in it
    libraries : what made it, besides valet_xl
    """
    made = [f"valet_xl {__version__}", *(f"{library} {_version(library)}" for library in libraries)]
    yield "Program", ", ".join(made)
    yield from (("File", file) for file in event.files)
    yield from _counts(event)
    yield from (("Scoring", line) for line in event.said)
    yield from _reliability(event.totals, ranking)
    yield from _options(event.totals, ranking)
    yield from limits
    yield from ((f"Column {heading.name}", heading.says) for heading in ranking.listing.headings)
    yield from _problems(event.summary)


def remark(event: Event, ranking: Ranking) -> str:
    """The line under the title of a ranking."""
    totals, summary = event.totals, event.summary
    found = reliability_said(totals, ranking.table)
    shares = f" Reliability: {found}." if found else ""
    return (
        f"{counted(len(ranking.table), 'pair')}, {counted(summary.boards, 'board')}, "
        f"{counted(summary.scored, 'result')}. {method_said(totals)}{shares}"
    )


def _counts(event: Event) -> list[tuple[str, Value]]:
    """How many results there are, and how many were not counted."""
    summary, totals = event.summary, event.totals
    rows: list[tuple[str, Value]] = [
        ("Boards", f"{summary.boards:,}"),
        ("Results", f"{summary.results:,}, of which {summary.scored:,} were scored"),
    ]
    if totals.adjusted:
        rows.append(("Adjusted scores", f"{totals.adjusted:,}, which count for their owners and are in no field"))
    rows += [("Not counted", f"{number:,}: {reason}") for reason, number in totals.uncounted.items() if number]
    if summary.rounds:
        rows.append(
            (
                "Rounds",
                "board numbers that are used again in other rounds are "
                + ("new deals" if summary.rounds == "new" else "the same deals"),
            )
        )
    return rows


def _reliability(totals: Totals, ranking: Ranking) -> list[tuple[str, Value]]:
    """How much of the differences in each column is skill."""
    rows: list[tuple[str, Value]] = []
    for title, share, boards in reliabilities(totals, ranking.table).rows:
        takes = (
            f"one half takes {counted(int(boards), 'board')} each" if boards else "no skill is seen in so many boards"
        )
        rows.append((f"Reliability of {title}", f"{share:.2f} of the differences is skill and not chance; {takes}"))
    return rows


def _options(totals: Totals, ranking: Ranking) -> list[tuple[str, Value]]:
    """The options of scoring and ranking, by their names on the command line."""
    rows: list[tuple[str, Value]] = []
    for field in fields(totals.options):
        value = getattr(totals.options, field.name)
        word = {True: "yes", False: "no", None: "as the rule says"}.get(value, value)
        rows.append((f"Option {field.name.replace('_', '-')}", str(word)))
    rows.append(("Option order", ranking.order))
    rows.append(("Option minimum", " or ".join(counted(least, "board") for least in ranking.minimums)))
    rows.append(("Option compensation", totals.compensation))
    return rows


def _problems(summary: Summary) -> list[tuple[str, Value]]:
    """What was not scored or could not be read, and why."""
    rows: list[tuple[str, Value]] = [("Seating", line) for line in summary.doubts]
    rows += [("Not scored", line) for line in summary.unscored]
    rows += [("Cannot be read", str(error)) for error in summary.errors]
    more = len(rows) - PROBLEMS
    return [*rows[:PROBLEMS], *([("More", f"{more:,} more, which are not listed")] if more > 0 else [])]


def _version(package: str) -> str:
    try:
        return version(package)
    except PackageNotFoundError:
        return "(not installed)"
