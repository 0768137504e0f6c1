"""The command `valet-xl deals`: what double dummy says of events, and what it is good for, measured."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import click

from valet_xl.cli.help import FILE, argument
from valet_xl.cli.terminal import ALL_SCORED, after_writing, command, end, fail, progress
from valet_xl.errors import ValetError
from valet_xl.messages import Progress, counted
from valet_xl.reading.files import read_results
from valet_xl.sheets.with_deals import SOLVING, DealsFile, with_deals

_STEPS = ("reading", SOLVING, "measuring")


@command("deals")
@argument(
    "files",
    "Results with their cards in them, or in a .pbn file of the same name.",
    type=FILE,
    nargs=-1,
    required=True,
    metavar="FILE...",
)
def deals(files: tuple[Path, ...]) -> None:
    """Measure what double dummy is good for, in events whose cards are known.

    For each file: how far the results are from double dummy, and how many leads cannot be right; by what share a
    virtual table reduces the error of Bid and Play in small fields, drawn from the file's own; what share of the
    variance layout luck takes; how reliable leads are. Intervals are of 95 %. What is solved is kept in
    NAME-double-dummy.npz.

    Exits with 0 if all files could be used, 2 if one could not.
    """
    lines: list[str] = []
    with progress(_STEPS) as step:
        for file in files:
            try:
                lines += [*_measured(file, step), ""]
            except ValetError as error:
                fail(error, file)
    with after_writing():
        click.echo("\n".join(lines[:-1]))
    end(ALL_SCORED)


def _measured(file: Path, step: Progress) -> Iterator[str]:
    """What is found in a file, in lines."""
    from valet_xl.deals.study import (  # noqa: PLC0415 - numpy is loaded when it is needed
        PARTS,
        SIZES,
        fit_of,
        layout_share,
        lead_reliability,
        virtual_gain,
    )

    step("reading")
    results = read_results(file)
    beside = file.with_suffix(".pbn")
    found = with_deals(results, DealsFile.beside(file, beside if beside.exists() else file), step)
    assert found is not None
    step("measuring")
    fit = fit_of(found)
    yield f"{file.name}: {counted(fit.results, 'result')} with a deal, on {counted(len(results.boards), 'board')}"
    yield f"  tricks less double dummy: {fit.mean:+.2f} on average, {fit.apart:.2f} apart"
    yield f"  leads: {fit.leads:,} known, {fit.wrong:,} not the leader's card"
    for size in SIZES:
        gains = [virtual_gain(results, found, size, part) for part in ("bid", "play")]
        if gains[0].size:
            yield f"  virtual table, field of {size:2}: Bid {gains[0]}, Play {gains[1]}"
    shares = ", ".join(f"{part} {layout_share(results, found, part)}" for part in PARTS)
    yield f"  layout luck, share of the variance: {shares}"
    by_class, by_cost = lead_reliability(results, None), lead_reliability(results, found)
    yield f"  reliability of leads, {counted(by_cost.size, 'player')}: by class {by_class}, by cost {by_cost}"
