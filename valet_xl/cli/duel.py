"""The command `valet-xl duel`: how duels come out in the results of tournaments, as figures, charts and a workbook."""

from __future__ import annotations

from contextlib import nullcontext
from pathlib import Path

import click

from valet_xl.cli.help import FILE, argument, option
from valet_xl.cli.terminal import ALL_SCORED, SOME_NOT_SCORED, after_writing, command, end, progress
from valet_xl.documents.disk import need_places, replace_file
from valet_xl.errors import FileError
from valet_xl.reports import duels
from valet_xl.reports.duel_charts import CHARTS, draw_charts
from valet_xl.reports.plots import need_matplotlib


@command("duel")
@argument(
    "files",
    "Results of tournaments: workbooks, .csv files, Valet text (scores.txt).",
    type=FILE,
    nargs=-1,
    required=True,
    metavar="FILE...",
)
@option("--deals", type=click.IntRange(1, 1000), default=16, says="How many deals a duel has.")
@option("--points", type=click.IntRange(1, 1000), default=30, says="How many points the sides of a duel share.")
@option("--charts", type=FILE, says="An existing folder to write the charts to as SVG; needs matplotlib.")
@option("--workbook", type=FILE, says="A workbook (.xlsx) to write the tables and charts to.")
def duel(files: tuple[Path, ...], deals: int, points: int, charts: Path | None, workbook: Path | None) -> None:
    """Show how duels come out in the results of tournaments.

    It shows one deal's results of two pairs and of two teams, and scales for a duel side by side.

    Exits with 0 if every row could be read, 1 if some could not (their boards are left out), 2 if a file could not be
    used or written.
    """
    if workbook is not None and workbook.suffix.lower() != ".xlsx":
        raise FileError(f"{workbook}: expected a name that ends in .xlsx")
    need_places(*([charts / name for name in CHARTS] if charts else []), *([workbook] if workbook else []))
    if charts is not None:
        need_matplotlib()
    with progress([*map(str, files), "writing"]) as step:
        studies = duels.study_files(files, deals, points, step)
        step("writing")
        written: dict[Path, bytes] = {}
        if charts is not None:
            written |= {charts / name: svg.encode() for name, svg in draw_charts(studies).items()}
        if workbook is not None:
            written[workbook] = duels.workbook(studies)
        for path, data in written.items():
            replace_file(path, data)
    with after_writing() if written else nullcontext():
        for line in duels.figures(studies):
            click.echo(line)
        for path in written:
            click.echo(f"written to {path}")
        if studies.errors:
            what = f"rows that could not be read: {studies.errors:,}"
            click.echo(f"{what} (their boards are left out; valet-xl score says what is wrong)")
    end(SOME_NOT_SCORED if studies.errors else ALL_SCORED)
