"""The command `valet-xl findings`: what the Valet paper found in championships, recomputed from files of results."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import fields
from pathlib import Path

import click
import numpy as np

from valet_xl.cli.help import FILE, argument, option
from valet_xl.cli.terminal import ALL_SCORED, SOME_NOT_SCORED, command, end, progress
from valet_xl.engine.results import Status
from valet_xl.errors import FileError, ValetError
from valet_xl.rankings.findings import MINIMUM, Findings, mean_of
from valet_xl.rankings.findings import findings as found_in
from valet_xl.reading.files import read_results
from valet_xl.reports.duels import names_of

_COLUMNS = tuple(each.name for each in fields(Findings))
_HEADINGS = ("pairs", "datum", "IAF", "bid", "play", "declarer", "defence", "from datum", "from IAF")


@command("findings")
@argument(
    "files",
    "Results of tournaments with their players, one a file.",
    type=FILE,
    nargs=-1,
    required=True,
    metavar="FILE...",
)
@option("--minimum", type=click.IntRange(1), default=MINIMUM, says="How many boards a pair must have played.")
def findings(files: tuple[Path, ...], minimum: int) -> None:
    """Show how the scores of pairs spread, as in the Valet paper.

    They spread by datum and by cross-IMPs, in the bidding and in the play: the findings of the paper in its 3.1.

    Exits with 0 if every row could be read, 1 if some could not (their boards are left out), 2 if a file could not be
    used.
    """
    found: list[Findings] = []
    errors = 0
    with progress([*map(str, files)]) as step:
        for file in files:
            step(str(file))
            try:
                results = read_results(file)
                found.append(found_in(results, minimum=minimum))
            except ValetError as error:
                raise error if file.name in str(error) else FileError(f"{file}: {error}") from error
            errors += int(np.count_nonzero(results.status == Status.ERROR))
    for line in _lines(names_of(files), found):
        click.echo(line)
    if errors:
        what = f"rows that could not be read: {errors:,}"
        click.echo(f"{what} (their boards are left out; valet-xl score says what is wrong)")
    end(SOME_NOT_SCORED if errors else ALL_SCORED)


def _lines(names: tuple[str, ...], found: list[Findings]) -> Iterator[str]:
    """A line for each tournament and one for all, and what they come to."""
    rows = list(zip(names, found, strict=True))
    mean = mean_of(found)
    width = max(len(name) for name in (*names, "mean"))
    yield "standard deviations of pairs' averages per board, in IMPs"
    yield f"  {'':{width}}" + "".join(f"  {heading:>10}" for heading in _HEADINGS)
    for name, one in rows if len(rows) == 1 else [*rows, ("mean", mean)]:
        cells = "".join(f"  {getattr(one, column):10.3f}" for column in _COLUMNS[1:])
        yield f"  {name:{width}}  {one.pairs:10,}{cells}"
    yield f"  by datum they are {mean.ratio:.2f} times as wide as by cross-IMPs (the paper: 10 % wider)"
    times = f"{mean.bid / mean.play:.2f} times"
    yield f"  bidding spreads {times} as much as play and defence together (the paper: about as much)"
    yield (
        f"  two pairs' scores are {mean.from_iaf:.2f} IMPs a board from what their team has by cross-IMPs, and "
        f"{mean.from_datum:.2f} by datum"
    )
