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
from valet_xl.errors import ArgumentError, ValetError
from valet_xl.messages import Progress
from valet_xl.rankings.career import Career, career
from valet_xl.rankings.explain import Explained
from valet_xl.rankings.explanation import Explanation
from valet_xl.rankings.explanation_words import ROWS_SAID, words
from valet_xl.rankings.listing import printable
from valet_xl.rankings.options import RANKING_OPTIONS
from valet_xl.sheets.rank_files import RankedFiles, rank_files, refuse_twice

EXPLAIN_STEPS = ("reading", "scoring", "ranking", "solving", "explaining")
ENDS = 10  # opponents or partners who brought most, and as many who brought least, that a terminal shows
_BOARDS = (
    "Event",
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
@argument(
    "files",
    "Files of results, of any kind that `rank` reads, an event each.",
    type=FILE,
    nargs=-1,
    metavar="FILE...",
)
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
@option("--apart", multiple=True, heading=RANKING, metavar="NAME", says="A name that is somebody else in each file.")
@from_record(RANKING_OPTIONS["minimum"], RANKING)
@from_record(RANKING_OPTIONS["compensation"], RANKING)
@takes_options()
def explain(
    files: tuple[Path, ...],
    name: str,
    output: Path | None,
    form: str | None,
    sheet: str | None,
    names: Path | None,
    players: bool,
    boards: int,
    apart: tuple[str, ...],
    minimum: int | None,
    compensation: str,
    options: Options,
    asked: frozenset[str],
) -> None:
    """Explain why a pair or player has its place in the ranking.

    It shows what the average is made of, part by part, in a paragraph that names only differences beyond their error,
    and how it came about: against whom, with whom, in which contracts, and on which boards. Of several files it says
    in which events too, and what the strength over all of them is.

    Exits with 0 if all was read and scored, 1 if some boards were not scored or some cells could not be read, 2 if
    a file could not be used or the name is in none.
    """
    if not files:
        raise click.UsageError(f"only {name!r} is named (expected files of results, and after them a pair or player)")
    try:
        kind = form_of(form, output, PAGE)
        with progress(EXPLAIN_STEPS) as step:
            refuse_twice(files, output)
            who = "players" if players else "pairs"
            ranked = rank_files(
                files,
                options=options,
                asked=asked,
                who=who,
                minimum=minimum,
                compensation=compensation,
                sheet=sheet,
                names=names,
                apart=apart,
                step=step,
            )
            strengths = _strengths(ranked, who, step)
            step("explaining")
            made = Explained(ranked.event, who=who, career=strengths).explain(name)
        if kind == "csv":
            write_listing(made.waterfall, output)
        elif kind == PAGE and output is not None:
            from valet_xl.reports.web_report import explanation_page  # noqa: PLC0415 - loaded for a page alone

            replace_file(output, explanation_page(made))
        else:
            _show(made, boards)
    except ValetError as error:
        fail(error)
    for line in (*([] if kind != "table" else [ROWS_SAID]), *ranked.said()):
        click.echo(line, err=True)
    if output is not None:
        click.echo(f"written to {output}", err=True)
    end(ALL_SCORED if ranked.event.summary.complete else SOME_NOT_SCORED)


def _strengths(ranked: RankedFiles, who: str, step: Progress) -> Career | None:
    """The strengths over several events; none where they have nobody in common."""
    if len(ranked.event.files) < 2:
        return None
    try:
        return career(ranked.event, who=who, parts=("overall",), step=step)
    except ArgumentError:
        return None


def _show(made: Explanation, boards: int) -> None:
    """Show all of an explanation on the terminal."""
    from valet_xl.cli.table import print_listing  # noqa: PLC0415 - it loads rich

    for line in words(made):
        click.echo(line)
    click.echo()
    print_listing(made.waterfall, f"What the average of {printable(made.name)} is made of")
    for shares in made.shares:
        click.echo()
        ends = shares if shares.title == "Events" else shares.ends(ENDS)
        left = len(shares.rows) - len(ends.rows)
        print_listing(ends.listing, f"{shares.title}{f', without {left:,} between' if left else ''}")
    best, worst = made.extremes(max(boards, 3))
    for title, rows in (("Best boards", best), ("Worst boards", worst)):
        click.echo()
        print_listing(made.lines.take(rows).only(_BOARDS), title)
    best, worst = made.extremes(boards)
    for row in (*best, *worst):
        seen = made.tableau(row)
        click.echo()
        print_listing(seen.marked, seen.title)
