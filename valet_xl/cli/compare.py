"""The command `valet-xl compare`: two pairs or players side by side."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from valet_xl.cli.options import Names, Sheet, from_record, takes_options
from valet_xl.cli.table import Form, form_of, print_listing, write_listing
from valet_xl.cli.terminal import ALL_SCORED, SOME_NOT_SCORED, fail, progress, summary_lines
from valet_xl.engine.options import Options
from valet_xl.errors import ValetError
from valet_xl.messages import counted
from valet_xl.rankings.compare import compare as comparison
from valet_xl.rankings.event import Event
from valet_xl.rankings.options import RANKING_OPTIONS
from valet_xl.reading.event_options import event_options
from valet_xl.reading.files import read_content

COMPARE_STEPS = ("reading", "scoring", "ranking")
APART = "they are in groups that nothing compares: the difference counts only if both fields are equally strong"


@takes_options()
def compare(
    file: Annotated[Path, typer.Argument(help="A file of results, of any kind that `rank` reads.")],
    first: Annotated[str, typer.Argument(help="A pair, such as 7 or 'Anna - Carl', or with --players a player.")],
    second: Annotated[str, typer.Argument(help="The one to compare with.")],
    players: Annotated[bool, typer.Option("--players", help="Compare players, not pairs.")] = False,
    compensation: Annotated[str, from_record(RANKING_OPTIONS["compensation"])] = "none",
    form: Form = None,
    output: Annotated[Path | None, typer.Option("--output", "-o", help="A .csv file to write.")] = None,
    sheet: Sheet = None,
    *,
    options: Options,
    asked: frozenset[str],
    names: Names = None,
) -> None:
    """Compare two pairs or players: how their averages differ in each part of the game, and how sure that is.

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
            both = (
                f"{name} ({counted(boards, 'board')})" for name, boards in zip(found.names, found.boards, strict=True)
            )
            print_listing(found.listing, " against ".join(both))
    except ValetError as error:
        fail(error, file)
    for line in (*taken, *summary_lines(made.summary), *([] if found.alike else [APART])):
        typer.echo(line, err=True)
    raise typer.Exit(ALL_SCORED if made.summary.complete else SOME_NOT_SCORED)
