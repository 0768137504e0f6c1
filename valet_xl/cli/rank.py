"""The command `valet-xl rank`: the ranking of pairs or players over any number of files, or a report of it."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, NoReturn

import click

from valet_xl.cli.forms import PAGE, REPORT, form_of, form_option, write_listing
from valet_xl.cli.help import argument, option
from valet_xl.cli.options import (
    FILES,
    RANKING,
    from_record,
    names_option,
    output_option,
    refuse_beside,
    refuse_workers,
    sheet_option,
    takes_options,
    takes_workers,
)
from valet_xl.cli.terminal import ALL_SCORED, SOME_NOT_SCORED, command, end, fail, progress
from valet_xl.documents.disk import replace_file
from valet_xl.documents.parquet import are_parquet
from valet_xl.documents.workers import workers
from valet_xl.engine.options import Options
from valet_xl.errors import FileError, ValetError
from valet_xl.messages import Progress
from valet_xl.rankings.options import RANKING_OPTIONS
from valet_xl.sheets.rank_files import RANK_STEPS, RankedFiles, rank_files, refuse_twice

if TYPE_CHECKING:  # loaded for Parquet files alone
    from valet_xl.sheets.bulk import RankedBulk


@command("rank")
@argument(
    "files",
    "Files of results; several make one ranking together. Of Parquet also folders, patterns, and addresses such as "
    "s3://bucket/*.parquet.",
    type=click.Path(),
    nargs=-1,
    required=True,
    metavar="FILE...",
)
@output_option("The report to write, NAME.xlsx or NAME.html, or the ranking, NAME.csv; else the ranking is shown.")
@option("--html", is_flag=True, heading=FILES, says="Next to NAME.xlsx, write the report as a page too, NAME.html.")
@form_option
@option("--title", heading=FILES, says="The title of a report; else that of the event.")
@sheet_option
@names_option
@option("--players", is_flag=True, heading=RANKING, says="Rank players, not pairs.")
@option("--teams", is_flag=True, heading=RANKING, says="Rank teams, and list their matches.")
@from_record(RANKING_OPTIONS["scale"], RANKING)
@from_record(RANKING_OPTIONS["order"], RANKING)
@from_record(RANKING_OPTIONS["minimum"], RANKING)
@from_record(RANKING_OPTIONS["compensation"], RANKING)
@option("--strengths", is_flag=True, heading=RANKING, says="Add the strengths of all pairs, solved together.")
@option(
    "--one-event",
    is_flag=True,
    heading=RANKING,
    says="Of several files: a round and board number are the same deal in all.",
)
@takes_workers("Of Parquet: who adds up the results.")
@takes_options()
def rank(
    files: tuple[str, ...],
    output: Path | None,
    html: bool,
    form: str | None,
    title: str | None,
    sheet: str | None,
    names: Path | None,
    players: bool,
    teams: bool,
    scale: str,
    order: str | None,
    minimum: int | None,
    compensation: str,
    strengths: bool,
    one_event: bool,
    engine: str,
    scheduler: str | None,
    processes: int,
    options: Options,
    asked: frozenset[str],
) -> None:
    """Rank the pairs, players or teams of one file or of several.

    The ranking is shown on the terminal, or written as CSV or as a report. Several files make one ranking together.
    Where a file has matches of teams, the ranking of the teams comes before that of the pairs. Parquet files are added
    up piece by piece, in memory that does not grow with them.

    Exits with 0 if all was read and scored, 1 if some boards were not scored or some cells could not be read, 2 if
    a file could not be used and nothing was written.
    """
    try:
        kind = form_of(form, output, REPORT, PAGE)
        if are_parquet(files):
            from valet_xl.sheets.bulk import BULK_STEPS, rank_parquet  # noqa: PLC0415 - they take time to load

            refuse_beside(
                {
                    "--teams": teams,
                    "--one-event": one_event,
                    "--sheet": sheet,
                    "--names": names,
                    "a report": kind in (REPORT, PAGE) or html,
                }
            )
            with workers(engine, scheduler=scheduler, processes=processes) as on, progress(BULK_STEPS) as step:
                bulk = rank_parquet(
                    files,
                    options,
                    who="players" if players else "pairs",
                    order=order,
                    minimum=minimum,
                    compensation=compensation,
                    strengths=strengths,
                    on=on,
                    step=step,
                )
            _show_bulk(bulk, kind, output)
        refuse_workers(engine, scheduler, processes)
        paths = tuple(map(Path, files))
        outputs = _outputs(kind, output, html)
        refuse_twice(paths)
        for each in outputs:
            refuse_twice(paths, each)
        with progress(RANK_STEPS) as step:
            ranked = rank_files(
                paths,
                options=options,
                asked=asked,
                who="players" if players else "pairs",
                order=order,
                minimum=minimum,
                compensation=compensation,
                strengths=strengths,
                teams=teams,
                scale=scale,
                one_event=one_event,
                title=title,
                sheet=sheet,
                names=names,
                step=step,
            )
            step("writing")
            if kind in (REPORT, PAGE):
                _write_reports(ranked, order, players, outputs, step)
        if kind == "csv":
            write_listing(ranked.teams.teams if teams and ranked.teams else ranked.ranking.listing, output)
        elif kind == "table":
            _print(ranked, teams)
    except ValetError as error:
        fail(error)
    for line in ranked.said(reliability=kind == "table" and not teams):
        click.echo(line, err=True)
    for written in outputs:
        click.echo(f"written to {written}", err=True)
    end(ALL_SCORED if ranked.event.summary.complete else SOME_NOT_SCORED)


def _show_bulk(bulk: RankedBulk, kind: str, output: Path | None) -> NoReturn:
    """Show or write a ranking of Parquet files, and end."""
    if kind == "csv":
        write_listing(bulk.ranking.listing, output)
    else:
        from valet_xl.cli.table import print_listings  # noqa: PLC0415 - it loads rich

        print_listings([(part.group, part.listing) for part in bulk.ranking.parts], by=bulk.ranking.by_name)
    for line in bulk.said():
        click.echo(line, err=True)
    if output is not None:
        click.echo(f"written to {output}", err=True)
    end(SOME_NOT_SCORED if bulk.left_out else ALL_SCORED)


def _print(ranked: RankedFiles, teams: bool) -> None:
    """Show the ranking of the teams, if there are any, and their matches or else the ranking of the pairs."""
    from valet_xl.cli.table import print_listings  # noqa: PLC0415 - it loads rich

    of_teams = ranked.teams
    if of_teams is not None:
        print_listings([("Teams", of_teams.teams)])
        click.echo()
        if teams:
            print_listings([("Matches", of_teams.played)])
    if not teams:
        print_listings([(part.group, part.listing) for part in ranked.ranking.parts], by=ranked.ranking.by_name)


def _outputs(kind: str, output: Path | None, html: bool) -> list[Path]:
    """The files to write.

    Raises
    ------
    FileError : where there is no report to have a page next to it
    """
    if html and kind != REPORT:
        raise FileError(f"--html writes a page next to a report (expected --output NAME.xlsx, got {output})")
    return [] if output is None else [output, *([output.with_suffix(".html")] if html else [])]


def _write_reports(ranked: RankedFiles, order: str | None, players: bool, outputs: list[Path], step: Progress) -> None:
    """Write the report as a workbook, as a page or as both; what makes each is loaded for it alone.

    All are made before the first is written.
    """
    by = {"order_of_players" if players else "order": order}
    made = []
    for output in outputs:
        if output.suffix.lower() == ".html":
            from valet_xl.reports.web_report import web_report as write  # noqa: PLC0415
        else:
            from valet_xl.reports.report import report as write  # noqa: PLC0415
        made.append(write(ranked.event, ranked.title, teams=ranked.teams, step=step, **by))
    for output, data in zip(outputs, made, strict=True):
        replace_file(output, data)
