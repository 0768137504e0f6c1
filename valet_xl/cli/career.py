"""The command `valet-xl career`: strengths of pairs or players from many events."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import click

from valet_xl.cli.forms import PAGE, REPORT, form_of, form_option, write_listing
from valet_xl.cli.help import FILE, argument, option
from valet_xl.cli.options import FILES, RANKING, from_record, names_option, output_option, sheet_option, takes_options
from valet_xl.cli.terminal import ALL_SCORED, SOME_NOT_SCORED, command, end, fail, progress
from valet_xl.documents.disk import replace_file
from valet_xl.engine.options import Options
from valet_xl.errors import ArgumentError, ValetError
from valet_xl.rankings.career import COLUMNS, Career
from valet_xl.rankings.career import career as careers
from valet_xl.rankings.career_tables import career_listing, components_listing
from valet_xl.rankings.forecast import Forecast, forecast_listing, forecasts
from valet_xl.rankings.options import RANKING_OPTIONS
from valet_xl.sheets.rank_files import RankedFiles, rank_files, refuse_twice

CAREER_STEPS = ("reading", "scoring", "ranking", "solving", "forecasting")
SHOWN = 30  # that a terminal shows


@command("career")
@argument(
    "files",
    "Files of results, an event each, in the order in which they were played.",
    type=FILE,
    nargs=-1,
    required=True,
    metavar="FILE...",
)
@output_option("The file to write: NAME.xlsx or NAME.html with everything, NAME.csv with all strengths.")
@form_option
@option("--title", heading=FILES, says="The title of a report.", default="Careers")
@sheet_option
@names_option
@option("--players", is_flag=True, heading=RANKING, says="Players, not pairs.")
@option("--order", default="overall", heading=RANKING, says=f"What comes first: {', '.join(COLUMNS)}.", metavar="ORDER")
@from_record(RANKING_OPTIONS["minimum"], RANKING)
@option("--apart", multiple=True, heading=RANKING, metavar="NAME", says="A name that is somebody else in each file.")
@option("--forecast", is_flag=True, heading=RANKING, says="Show how well each event is forecast by those before it.")
@option("--rows", type=click.IntRange(1), default=SHOWN, heading=RANKING, says="How many are shown on a terminal.")
@takes_options()
def career(
    files: tuple[Path, ...],
    output: Path | None,
    form: str | None,
    title: str,
    sheet: str | None,
    names: Path | None,
    players: bool,
    order: str,
    minimum: int | None,
    apart: tuple[str, ...],
    forecast: bool,
    rows: int,
    options: Options,
    asked: frozenset[str],
) -> None:
    """Show what pairs or players are worth, from many events.

    Averages are drawn to the mean as far as the events themselves show that chance requires, and are corrected for the
    strength of the field. A name is one person in all files. What comes of it is shown on the terminal, or written.

    Exits with 0 if all was read and scored, 1 if some boards were not scored or some cells could not be read, 2 if a
    file could not be used or nobody is in two of them.
    """
    try:
        kind = form_of(form, output, REPORT, PAGE)
        refuse_twice(files, output)
        with progress(CAREER_STEPS) as step:
            who = "players" if players else "pairs"
            ranked = rank_files(
                files, options=options, asked=asked, who=who, sheet=sheet, names=names, apart=apart, step=step
            )
            made = careers(ranked.event, who=who, step=step)
            listing = career_listing(made, order, minimum)
            found = forecasts(made, None if players else _of_players(ranked), step=step) if forecast else ()
        if kind == "csv":
            write_listing(listing, output)
        elif output is not None:
            from valet_xl.reports.career import career_book, career_page  # noqa: PLC0415 - for a report alone

            write = career_book if kind == REPORT else career_page
            replace_file(output, write(made, title, order, minimum, found))
        else:
            _show(made, order, minimum, rows, found)
    except ValetError as error:
        fail(error)
    for line in ranked.said():
        click.echo(line, err=True)
    if output is not None:
        click.echo(f"written to {output}", err=True)
    end(ALL_SCORED if ranked.event.summary.complete else SOME_NOT_SCORED)


def _of_players(ranked: RankedFiles) -> Career | None:
    """What the players of pairs are worth; None where they are not known or none is in two files."""
    try:
        return careers(ranked.event, who="players", parts=("overall",))
    except ArgumentError:
        return None


def _show(made: Career, order: str, minimum: int | None, rows: int, found: Sequence[Forecast]) -> None:
    """Show the first rows and everything else on the terminal."""
    from valet_xl.cli.table import print_listing, print_listings  # noqa: PLC0415 - it loads rich

    listing = career_listing(made, order, minimum)
    more = f", the first {rows:,} of {len(listing):,}" if len(listing) > rows else ""
    print_listings([(f"Strengths{more}", listing.slice(0, rows))], by=COLUMNS[order])
    click.echo()
    print_listing(components_listing(made), "What varies (standard deviations), and how reliable one event is")
    if found:
        click.echo()
        print_listing(forecast_listing(found), "Forecasts of each event by those before it")
