"""The command `valet-xl board`: the tableau of a board."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import numpy as np
import typer

from valet_xl.cli.options import Names, Sheet, from_record, takes_options
from valet_xl.cli.table import Form, form_of, print_listing, write_listing
from valet_xl.cli.terminal import ALL_SCORED, SOME_NOT_SCORED, fail, progress
from valet_xl.engine.options import Options
from valet_xl.engine.results import Results, Status
from valet_xl.engine.score_results import split
from valet_xl.errors import ValetError
from valet_xl.rankings.options import RANKING_OPTIONS
from valet_xl.rankings.tableau import find_board, tableau, tableau_listing, tableau_title
from valet_xl.reading.event_options import event_options
from valet_xl.reading.files import read_content

BOARD_STEPS = ("reading", "scoring")


@takes_options()
def board(
    file: Annotated[Path, typer.Argument(help="A file of results, of any kind that `rank` reads.")],
    number: Annotated[str, typer.Argument(help="The board.")],
    in_round: Annotated[
        str | None, typer.Option("--round", help="The round, where a number is another deal in each.")
    ] = None,
    side: Annotated[str, from_record(RANKING_OPTIONS["side"])] = "declarer",
    form: Form = None,
    output: Annotated[Path | None, typer.Option("--output", "-o", help="A .csv file to write.")] = None,
    sheet: Sheet = None,
    *,
    options: Options,
    asked: frozenset[str],
    names: Names = None,
) -> None:
    """Show the tableau of a board: its distinct results, how many tables had each, and what each was worth.

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
        typer.echo(remark, err=True)
    problems = _problems(results, which)
    for line in (*taken, *problems):
        typer.echo(line, err=True)
    raise typer.Exit(SOME_NOT_SCORED if problems else ALL_SCORED)


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
