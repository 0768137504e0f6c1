"""What is said about files of results, in lines: once for the command line and the page in a browser."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from valet_xl.errors import RowError
from valet_xl.messages import counted, one_line

if TYPE_CHECKING:  # with numpy, which an error of the command line does without
    from valet_xl.engine.score_results import Summary
    from valet_xl.reading.source import Source

SHOWN = 20  # problems that a summary lists


def columns_line(shape: str, read: Sequence[str], unread: Sequence[str] = ()) -> str:
    """Say which columns of a sheet were read, and which were not.

    >>> columns_line("", ["Board", "Contract"], ["Lunch"])
    'columns read: Board, Contract; not read: Lunch'
    """
    of_shape = f"shape: {shape}; " if shape else ""
    others = f"; not read: {', '.join(unread)}" if unread else ""
    return f"{of_shape}columns read: {', '.join(read)}{others}"


def summary_lines(summary: Summary, where: str = "") -> Iterator[str]:
    """Say what was scored, what was not and why.

    where : what is said behind the number of problems that are not listed
    """
    scored = f"scored {summary.scored:,} of {counted(summary.results, 'result')}"
    yield f"{scored} on {counted(summary.boards, 'board')}"
    if summary.rounds:
        other = "same" if summary.rounds == "new" else "new"
        what = "new deals" if summary.rounds == "new" else "the same deals"
        yield f"board numbers that come again in other rounds are {what} (if not: --rounds {other})"
    yield from map(one_line, summary.remarks)
    if summary.unplayed:
        yield f"not played: {counted(summary.unplayed, 'row')}"
    yield from summary.doubts
    yield from some("not scored", summary.unscored, where)
    yield from problem_lines(summary.errors, summary.skipped, where)


def problem_lines(errors: Sequence[RowError], skipped: Sequence[int], where: str = "") -> Iterator[str]:
    """Say what was wrong in rows, and which had no result."""
    yield from some("cannot be read", [str(error) for error in errors], where)
    if skipped:
        numbers = ", ".join(map(str, skipped[:SHOWN]))
        more = ", ..." if len(skipped) > SHOWN else ""
        where = "it: row" if len(skipped) == 1 else "them: rows"
        yield f"passed over, no result in {where} {numbers}{more}"


def read_as(source: Source) -> str:
    """What a file was taken for.

    >>> from valet_xl.reading.source import Source
    >>> read_as(Source("CSV", {}, [], "row", "Windows-1252"))
    'as CSV in Windows-1252'
    """
    return f"as {source.kind} in {source.encoding}" if source.encoding else f"as {source.kind}"


def some(title: str, lines: Sequence[str], where: str = "", of: int = 0) -> Iterator[str]:
    """The first of some lines, each under a title, and how many more there are.

    of : how many there are, if these are not all
    """
    for line in lines[:SHOWN]:
        yield f"{title}: {line}"
    more = max(of, len(lines)) - min(SHOWN, len(lines))
    if more:
        yield f"{title}: {more:,} more{where}"
