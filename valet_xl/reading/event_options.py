"""The event's own scoring: the options that its files announce, and the rule of the datums that they publish."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np

from valet_xl.engine.arrays import Floats
from valet_xl.engine.butler import datum
from valet_xl.engine.options import Options
from valet_xl.engine.results import Results
from valet_xl.messages import counted
from valet_xl.reading.source import Source

_CLOSE = 0.51  # points: a datum that is not a multiple of 10 may be published as a whole number


class _Rule(NamedTuple):
    """A rule of the datum: some of the options of scoring."""

    datum: str
    leave_out: float | None
    rounding: str

    def gives(self, results: Results, published: Floats) -> bool:
        """Whether it gives the published datums, (n,) with NaN where there is none."""
        scores = np.where(results.in_field, results.score, np.nan)
        given = datum(scores, rule=self.datum, leave_out=self.leave_out, rounding=self.rounding, boards=results.board)
        known = ~np.isnan(given) & ~np.isnan(published)
        return bool(known.any() and np.all(np.abs(given - published)[known] < _CLOSE))

    def __str__(self) -> str:
        left_out = "" if self.leave_out is None else f", {self.leave_out:g} left out at each end"
        return f"{self.datum}{left_out}, rounding {self.rounding}"


_METHODS = {"iaf": "cross-IMPs", "datum": "Butler", "matchpoints": "matchpoints"}
# The rules that published datums are compared with, the commonest first.
_RULES = tuple(
    _Rule(rule, leave_out, rounding)
    for rule, leave_out in (("mean", None), ("trimmed", 1.0), ("trimmed", 2.0), ("median", None))
    for rounding in ("none", "nearest", "even", "down", "integer")
)


def event_options(
    files: Sequence[tuple[str, Source, Results]], options: Options, asked: Collection[str]
) -> tuple[Options, list[str]]:
    """The options by which an event is scored: what the user asked for, else what its files announce.

    Parameters
    ----------
    files : the name of each file, its rows, and the results that they were read as
    options : the options, with defaults for those that the user did not ask for
    asked : the names of those that the user asked for

    Returns
    -------
    the options, and lines that say what was taken from the files, or why nothing was

    Notes
    -----
    With Butler the rule of the datum is the one that gives all datums that the files publish, if there is such a rule.
    """
    methods = {label: source.announced.method for label, source, _ in files if source.announced.method}
    taken: dict[str, Any] = {}
    lines = []
    if "method" not in asked and len(set(methods.values())) == 1:
        taken["method"] = method = next(iter(methods.values()))
        words = ", ".join(dict.fromkeys(source.announced.words for _, source, _ in files if source.announced.method))
        lines.append(f"scored by {_METHODS[method]}, as the event was: {words} (if not: --method)")
    elif "method" not in asked and methods:
        each = ", ".join(f"{label} by {_METHODS[method]}" for label, method in methods.items())
        kept = _METHODS[options.method]
        lines.append(f"the files were scored in different ways: {each}; here by {kept} (--method says which)")
    if taken.get("method", options.method) == "datum" and not set(_Rule._fields) & set(asked):
        rule = _published_rule(files)
        if rule is not None:
            taken |= rule._asdict()
            lines.append(f"the datum is by the rule that gives all published ones: {rule}")
    return replace(options, **taken), lines


def winners_said(announced: int, groups: int) -> Iterator[str]:
    """Say so if a file announces another number of winners than there are groups of pairs.

    >>> list(winners_said(1, 2))[0].partition(", but ")[0]
    'the file says that there is 1 winner'
    """
    if not announced or announced == groups:
        return
    are = "is 1 winner" if announced == 1 else f"are {announced} winners"
    why = (
        "pairs sat both ways, so that all have one ranking"
        if groups == 1
        else f"nothing compares the pairs of {groups} groups, so that each has its own ranking"
    )
    yield f"the file says that there {are}, but {why}"


def beyond_said(label: str, source: Source) -> Iterator[str]:
    """Say what a file adds to the totals of pairs that is not in their boards."""
    for element, pairs in source.announced.beyond.items():
        yield f"{label}: {element} of {counted(pairs, 'pair')} is not in the results of boards and does not count"


def _published_rule(files: Sequence[tuple[str, Source, Results]]) -> _Rule | None:
    """The first rule that gives all published datums; None where there are none, or no rule does."""
    published = [(results, _by_result(source, results)) for _, source, results in files if "datum" in source.published]
    return next(
        (rule for rule in _RULES if published and all(rule.gives(*each) for each in published)),
        None,
    )


def _by_result(source: Source, results: Results) -> Floats:
    """The published datum of each result."""
    place = {row: at for at, row in enumerate(source.rows)}
    return source.published["datum"][[place[row] for row in results.row.tolist()]]
