"""The command `valet-xl board`: the tableau of a board."""

from __future__ import annotations

from pathlib import Path

import click
import numpy as np

from valet_xl.cli.help import FILE, argument, option
from valet_xl.cli.options import from_record, names_option, output_option, sheet_option, takes_options
from valet_xl.cli.table import form_of, form_option, print_listing, write_listing
from valet_xl.cli.terminal import ALL_SCORED, SOME_NOT_SCORED, command, end, fail, progress
from valet_xl.engine.options import Options
from valet_xl.engine.results import Results, Status
from valet_xl.engine.score_results import split
from valet_xl.errors import ValetError
from valet_xl.rankings.options import RANKING_OPTIONS
from valet_xl.rankings.tableau import find_board, tableau, tableau_listing, tableau_title
from valet_xl.reading.event_options import event_options
from valet_xl.reading.files import read_content

BOARD_STEPS = ("reading", "scoring")
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
            step("reading")
            content = read_content(file, sheet, names, options)
            results = content.results
            options, taken = event_options([(file.name, content.source, results)], options, asked)
            which = find_board(results, number, of_round=in_round)
            step("scoring")
            lines = tableau(results, split(results, options), boards=[which], lead=options.lead, side=side)
        listing = tableau_listing(results, lines, method=options.method, side=side)
        if kind == "csv":
            write_listing(listing, output)
        else:
            print_listing(listing, tableau_title(results, which))
    except ValetError as error:
        fail(error, file, output)
    for remark in results.remarks:
        click.echo(remark, err=True)
    problems = _problems(results, which)
    for line in (*taken, *problems):
        click.echo(line, err=True)
    end(SOME_NOT_SCORED if problems else ALL_SCORED)


def _problems(results: Results, which: int) -> list[str]:
    """Why the board has no scores, or not all of them."""
    if np.any((results.status == Status.SCORED) & (results.board == which)):
        return ["not split: the board has scores without contracts, which no tableau can show"]
    rows = set(results.row[(results.board == which) & (results.status == Status.ERROR)].tolist())
    wrong = [f"cannot be read: {error}" for error in results.errors if error.row in rows]
    if wrong:
        return [*wrong, "not scored: the board, as a missing result would falsify the others"]
    played = np.count_nonzero(results.in_field & (results.board == which))
    return ["not scored: one result, nothing to compare with"] if played == 1 else []
