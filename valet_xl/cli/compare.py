"""The command `valet-xl compare`: two pairs or players side by side."""

from __future__ import annotations

from pathlib import Path

import click

from valet_xl.cli.forms import form_of, form_option, write_listing
from valet_xl.cli.help import FILE, argument, option
from valet_xl.cli.options import RANKING, from_record, names_option, output_option, sheet_option, takes_options
from valet_xl.cli.terminal import ALL_SCORED, SOME_NOT_SCORED, command, end, fail, progress
from valet_xl.engine.options import Options
from valet_xl.errors import ValetError
from valet_xl.messages import counted
from valet_xl.rankings.compare import compare as comparison
from valet_xl.rankings.event import Event
from valet_xl.rankings.options import RANKING_OPTIONS
from valet_xl.reading.event_options import event_options
from valet_xl.reading.files import read_content
from valet_xl.sheets.said import summary_lines

COMPARE_STEPS = ("reading", "scoring", "ranking")
APART = "they are in groups that nothing compares: the difference counts only if both fields are equally strong"


@command("compare")
@argument("file", "A file of results, of any kind that `rank` reads.", type=FILE)
@argument("first", "A pair, such as 7 or 'Anna - Carl', or with --players a player.")
@argument("second", "The one to compare with.")
@output_option("The .csv file to write the comparison to; else it is shown.")
@form_option
@sheet_option
@names_option
@option("--players", is_flag=True, heading=RANKING, says="Compare players, not pairs.")
@from_record(RANKING_OPTIONS["compensation"], RANKING)
@takes_options()
def compare(
    file: Path,
    first: str,
    second: str,
    players: bool,
    compensation: str,
    form: str | None,
    output: Path | None,
    sheet: str | None,
    names: Path | None,
    options: Options,
    asked: frozenset[str],
) -> None:
    """Compare two pairs or players in each part of the game.

    It shows how their averages differ, and how sure that is.

    Exits with 0 if all was read and scored, 1 if some boards were not scored or some cells could not be read, 2 if
    the file could not be used or a name is not in it.
    """
    try:
        kind = form_of(form, output)
        with progress(COMPARE_STEPS) as step:
            step("reading")
            content = read_content(file, sheet, names, options)
            options, taken = event_options([(file.name, content.source, content.results)], options, asked)
            made = Event.of([(file.name, content.results)], options, compensation=compensation, step=step)
            found = comparison(made.totals, first, second, who="players" if players else "pairs")
        if kind == "csv":
            write_listing(found.listing, output)
        else:
            from valet_xl.cli.table import print_listing  # noqa: PLC0415 - it loads rich

            both = (
                f"{name} ({counted(boards, 'board')})" for name, boards in zip(found.names, found.boards, strict=True)
            )
            print_listing(found.listing, " against ".join(both))
    except ValetError as error:
        fail(error, file)
    for line in (*taken, *summary_lines(made.summary), *([] if found.alike else [APART])):
        click.echo(line, err=True)
    end(ALL_SCORED if made.summary.complete else SOME_NOT_SCORED)
