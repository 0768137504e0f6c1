"""The command `valet-xl duel`: how duels come out in the results of tournaments, as figures, charts and a workbook."""

from __future__ import annotations

from contextlib import nullcontext
from pathlib import Path
from typing import Annotated

import typer

from valet_xl.cli.terminal import ALL_SCORED, SOME_NOT_SCORED, after_writing, progress
from valet_xl.documents.disk import need_places, replace_file
from valet_xl.errors import FileError
from valet_xl.reports import duels
from valet_xl.reports.duel_charts import CHARTS, draw_charts
from valet_xl.reports.plots import need_matplotlib


def duel(
    files: Annotated[
        list[Path], typer.Argument(help="Results of tournaments: workbooks, .csv files, Valet text (scores.txt).")
    ],
    deals: Annotated[int, typer.Option(min=1, max=1000, help="How many deals a duel has.")] = 16,
    points: Annotated[int, typer.Option(min=1, max=1000, help="How many points the sides of a duel share.")] = 30,
    charts: Annotated[
        Path | None, typer.Option(help="An existing folder to write the charts to as SVG; needs matplotlib.")
    ] = None,
    workbook: Annotated[Path | None, typer.Option(help="A workbook (.xlsx) to write the tables and charts to.")] = None,
) -> None:
    """Show how duels come out: one deal's results of two pairs and of two teams, and scales for a duel side by side.

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
            typer.echo(line)
        for path in written:
            typer.echo(f"written to {path}")
        if studies.errors:
            what = f"rows that could not be read: {studies.errors:,}"
            typer.echo(f"{what} (their boards are left out; valet-xl score says what is wrong)")
    raise typer.Exit(SOME_NOT_SCORED if studies.errors else ALL_SCORED)
