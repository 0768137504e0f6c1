"""The command `valet-xl board`: the tableau of a board."""

from __future__ import annotations

from pathlib import Path

import click

from valet_xl.cli.forms import form_of, form_option, write_listing
from valet_xl.cli.help import FILE, argument, option
from valet_xl.cli.options import from_record, names_option, output_option, sheet_option, takes_options
from valet_xl.cli.terminal import ALL_SCORED, SOME_NOT_SCORED, command, end, fail, progress
from valet_xl.engine.options import Options
from valet_xl.errors import ValetError
from valet_xl.rankings.options import RANKING_OPTIONS
from valet_xl.sheets.board_of_file import BOARD_STEPS, board_of_file

TABLEAU = "Tableau"


@command("board")
@argument("file", "A file of results, of any kind that `rank` reads.", type=FILE)
@argument("number", "The number of the board.")
@output_option("The .csv file to write the tableau to; else it is shown.")
@form_option
@sheet_option
@names_option
@option("--round", "in_round", heading=TABLEAU, says="The round, where a number is another deal in each.")
@from_record(RANKING_OPTIONS["side"], TABLEAU)
@takes_options()
def board(
    file: Path,
    number: str,
    in_round: str | None,
    side: str,
    form: str | None,
    output: Path | None,
    sheet: str | None,
    names: Path | None,
    options: Options,
    asked: frozenset[str],
) -> None:
    """Show the tableau of a board: results and what each was worth.

    It has a line for each distinct result, with the number of tables that had it.

    Exits with 0 if all of the board was read and scored, 1 if not, 2 if the file could not be used or has no such
    board.
    """
    try:
        kind = form_of(form, output)
        with progress(BOARD_STEPS) as step:
            found = board_of_file(
                file,
                number,
                in_round=in_round,
                side=side,
                options=options,
                asked=asked,
                sheet=sheet,
                names=names,
                step=step,
            )
        if kind == "csv":
            write_listing(found.listing, output)
        else:
            from valet_xl.cli.table import print_legend, print_listing  # noqa: PLC0415 - it loads rich

            print_listing(found.listing, found.title)
            print_legend(found.listing)
    except ValetError as error:
        fail(error, file, output)
    for line in (*found.said, *found.problems):
        click.echo(line, err=True)
    end(SOME_NOT_SCORED if found.problems else ALL_SCORED)
