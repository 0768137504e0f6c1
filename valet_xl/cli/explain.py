"""The command `valet-xl explain`: why a pair or player has its place."""

from __future__ import annotations

from pathlib import Path

import click

from valet_xl.cli.forms import PAGE, form_of, form_option, write_listing
from valet_xl.cli.help import FILE, argument, option
from valet_xl.cli.options import RANKING, from_record, names_option, output_option, sheet_option, takes_options
from valet_xl.cli.terminal import ALL_SCORED, SOME_NOT_SCORED, command, end, fail, progress
from valet_xl.documents.disk import replace_file
from valet_xl.engine.options import Options
from valet_xl.errors import ValetError
from valet_xl.rankings.event import Event
from valet_xl.rankings.explain import Explained
from valet_xl.rankings.explanation import Explanation
from valet_xl.rankings.explanation_words import ROWS_SAID, words
from valet_xl.rankings.listing import printable
from valet_xl.rankings.options import RANKING_OPTIONS
from valet_xl.reading.event_options import event_options
from valet_xl.reading.files import read_content
from valet_xl.sheets.rank_files import refuse_twice
from valet_xl.sheets.said import summary_lines

EXPLAIN_STEPS = ("reading", "scoring", "ranking")
_BOARDS = (
    "Round",
    "Board",
    "Opponents",
    "Contract",
    "By",
    "Led",
    "Tricks",
    "Score",
    "Overall",
    "Bid",
    "Declarer",
    "Lead",
    "Defence",
)


@command("explain")
@argument("file", "A file of results, of any kind that `rank` reads.", type=FILE)
@argument("name", "A pair, such as 7 or 'Anna - Carl', or with --players a player.", metavar="PAIR")
@output_option(
    "The file to write: NAME.html with all of it, NAME.csv with what the average is made of; else it is shown."
)
@form_option
@sheet_option
@names_option
@option("--players", is_flag=True, heading=RANKING, says="Explain a player, not a pair.")
@option(
    "--boards",
    type=click.IntRange(0),
    default=1,
    heading=RANKING,
    says="How many of the best and of the worst boards are shown with their tableau.",
)
@from_record(RANKING_OPTIONS["minimum"], RANKING)
@from_record(RANKING_OPTIONS["compensation"], RANKING)
@takes_options()
def explain(
    file: Path,
    name: str,
    output: Path | None,
    form: str | None,
    sheet: str | None,
    names: Path | None,
    players: bool,
    boards: int,
    minimum: int | None,
    compensation: str,
    options: Options,
    asked: frozenset[str],
) -> None:
    """Explain why a pair or player has its place in the ranking.

    It shows what the average is made of, part by part, in a paragraph that names only differences beyond their error,
    and how it came about: against whom, with whom, in which contracts, and on which boards.

    Exits with 0 if all was read and scored, 1 if some boards were not scored or some cells could not be read, 2 if
    the file could not be used or the name is not in it.
    """
    try:
        kind = form_of(form, output, PAGE)
        with progress(EXPLAIN_STEPS) as step:
            step("reading")
            refuse_twice([file], output)
            content = read_content(file, sheet, names, options)
            options, taken = event_options([(file.name, content.source, content.results)], options, asked)
            event = Event.of(
                [(file.name, content.results)], options, minimum=minimum, compensation=compensation, step=step
            )
            made = Explained(event, who="players" if players else "pairs").explain(name)
        if kind == "csv":
            write_listing(made.waterfall, output)
        elif kind == PAGE and output is not None:
            from valet_xl.reports.web_report import explanation_page  # noqa: PLC0415 - loaded for a page alone

            replace_file(output, explanation_page(made))
        else:
            _show(made, boards)
    except ValetError as error:
        fail(error, file)
    for line in (*([] if kind != "table" else [ROWS_SAID]), *taken, *summary_lines(event.summary)):
        click.echo(line, err=True)
    if output is not None:
        click.echo(f"written to {output}", err=True)
    end(ALL_SCORED if event.summary.complete else SOME_NOT_SCORED)


def _show(made: Explanation, boards: int) -> None:
    """Show all of an explanation on the terminal."""
    from valet_xl.cli.table import print_listing  # noqa: PLC0415 - it loads rich

    for line in words(made):
        click.echo(line)
    click.echo()
    print_listing(made.waterfall, f"What the average of {printable(made.name)} is made of")
    for shares in made.shares:
        click.echo()
        print_listing(shares.listing, shares.title)
    best, worst = made.extremes(max(boards, 3))
    for title, rows in (("Best boards", best), ("Worst boards", worst)):
        click.echo()
        print_listing(made.lines.take(rows).only(_BOARDS), title)
    best, worst = made.extremes(boards)
    for row in (*best, *worst):
        seen = made.tableau(row)
        click.echo()
        print_listing(seen.marked, seen.title)
