"""The command `valet-xl rank`: the ranking of pairs or players over any number of files, or a report of it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path

import click

from valet_xl.cli.help import FILE, argument, option
from valet_xl.cli.options import FILES, RANKING, from_record, names_option, output_option, sheet_option, takes_options
from valet_xl.cli.table import REPORT, form_of, form_option, print_listings, write_listing
from valet_xl.cli.terminal import ALL_SCORED, SOME_NOT_SCORED, command, end, fail, progress, read_as, summary_lines
from valet_xl.documents.disk import replace_file
from valet_xl.engine.options import Options
from valet_xl.engine.results import Results, same_results
from valet_xl.errors import FileError, ValetError
from valet_xl.messages import counted
from valet_xl.rankings.event import Event
from valet_xl.rankings.options import RANKING_OPTIONS
from valet_xl.rankings.ranking import ASSUMED, Ranking, reliabilities
from valet_xl.rankings.ranking import rank as ranking_of
from valet_xl.rankings.teams import TeamRanking, played_matches, rank_teams
from valet_xl.rankings.totals import Totals
from valet_xl.reading.event_options import beyond_said, event_options, winners_said
from valet_xl.reading.files import Content, read_content
from valet_xl.reading.source import Source

GROUPS = 8  # that a line names
TITLES = 3  # of events that a report's title names
RANK_STEPS = ("reading", "scoring", "ranking", "writing")


@command("rank")
@argument(
    "files",
    "Files of results; several make one ranking together.",
    type=FILE,
    nargs=-1,
    required=True,
    metavar="FILE...",
)
@output_option("The report to write, NAME.xlsx, or the ranking as a table, NAME.csv; else the ranking is shown.")
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
@takes_options()
def rank(
    files: tuple[Path, ...],
    output: Path | None,
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
    options: Options,
    asked: frozenset[str],
) -> None:
    """Rank the pairs, players or teams of one file or of several.

    The ranking is shown on the terminal, or written as CSV or as a report. Several files make one ranking together.
    Where a file has matches of teams, the ranking of the teams comes before that of the pairs.

    Exits with 0 if all was read and scored, 1 if some boards were not scored or some cells could not be read, 2 if
    a file could not be used and nothing was written.
    """
    reading: Path | None = None  # the file at fault, while one is read
    try:
        kind = form_of(form, output, reports=True)
        _spare(files, output)
        with progress(RANK_STEPS) as step:
            step("reading")
            read: list[tuple[str, Results]] = []
            sources: list[tuple[str, Source, Results]] = []
            said: list[str] = []
            for reading, label in zip(files, _labels(files), strict=True):
                content = read_content(reading, sheet, names, options)
                said.append(f"{label}: read {read_as(content.source)}")
                original = next((of for of, source, results in sources if _is_copy(content, source, results)), None)
                if original is not None:
                    said.append(f"{label}: has the same results as {original}, which count once")
                    continue
                read.append((label, content.results))
                sources.append((label, content.source, content.results))
                said += beyond_said(label, content.source)
            reading = None
            of_teams = _of_teams(sources, scale, teams)
            options, taken = event_options(sources, options, asked)
            made = Event.of(
                read,
                options,
                compensation=compensation,
                minimum=minimum,
                strengths=strengths,
                one=one_event,
                said=taken,
                step=step,
            )
            ranking = ranking_of(
                made.totals, who="players" if players else "pairs", order=order, strengths=made.strengths
            )
            step("writing")
            if kind == REPORT and output is not None:
                _write_report(made, title or _title(files, sources), order, players, output, of_teams)
        if kind == "csv":
            write_listing(of_teams.teams if teams and of_teams else ranking.listing, output)
        elif kind == "table":
            _print_teams(of_teams, teams)
        if kind == "table" and not teams:
            print_listings([(part.group, part.listing) for part in ranking.parts])
            said += _reliability_said(made.totals, ranking)
    except ValetError as error:
        fail(error, reading)
    unnamed = made.unnamed(players=players)
    groups = _groups_said(ranking, strengths and not players)
    for line in (
        *said,
        *([of_teams.said()] if of_teams else []),
        *taken,
        *summary_lines(made.summary),
        *unnamed,
        *groups,
    ):
        click.echo(line, err=True)
    if len(sources) == 1 and not players:
        for line in winners_said(sources[0][1].announced.winners, len(ranking.table.groups)):
            click.echo(line, err=True)
    if output is not None:
        click.echo(f"written to {output}", err=True)
    end(ALL_SCORED if made.summary.complete else SOME_NOT_SCORED)


def _reliability_said(totals: Totals, ranking: Ranking) -> Iterator[str]:
    """Say how much of the differences in each column is skill."""
    rows = reliabilities(totals, ranking.table).rows
    if rows:
        shown = ", ".join(f"{title} {share:.2f}" for title, share, _ in rows)
        yield f"reliability, the share of the differences that is skill and not chance: {shown}"


def _of_teams(sources: Sequence[tuple[str, Source, Results]], scale: str, wanted: bool) -> TeamRanking | None:
    """The ranking of the teams, None where no file has matches and none was asked for."""
    played = [
        match
        for _, source, results in sources
        if source.matches is not None
        for match in played_matches(results, source.matches, source.rows)
    ]
    return rank_teams(played, scale) if played or wanted else None


def _is_copy(content: Content, source: Source, results: Results) -> bool:
    """Whether a file has the results of another one, of an event that was scored in the same way."""
    return source.announced == content.source.announced and same_results(results, content.results)


def _print_teams(of_teams: TeamRanking | None, matches: bool) -> None:
    """Show the ranking of the teams, if there are any, and their matches or else a blank line."""
    if of_teams is None:
        return
    print_listings([("Teams", of_teams.teams)])
    click.echo()
    if matches:
        print_listings([("Matches", of_teams.played)])


def _groups_said(ranking: Ranking, strengths: bool) -> Iterator[str]:
    """Say that there are several groups, and what that means for strengths."""
    groups = ranking.table.groups
    if len(groups) < 2:
        return
    shown = ", ".join(groups[:GROUPS]) + (", ..." if len(groups) > GROUPS else "")
    yield f"{counted(len(groups), 'group')} that nothing compares, each with its own ranking: {shown}"
    if strengths:
        yield f"Strength: {ASSUMED}"


def _write_report(
    made: Event, title: str, order: str | None, players: bool, output: Path, of_teams: TeamRanking | None
) -> None:
    """Write the report; its library is loaded for this alone."""
    from valet_xl.reports.report import report  # noqa: PLC0415

    by = {"order_of_players" if players else "order": order}
    replace_file(output, report(made, title, teams=of_teams, **by))


def _title(files: Sequence[Path], sources: Sequence[tuple[str, Source, Results]]) -> str:
    """What the event is called: as its files say, else as they are called themselves."""
    said = zip(files, sources, strict=True)
    titles = list(dict.fromkeys(source.announced.title or file.stem for file, (_, source, _) in said))
    return ", ".join(titles[:TITLES]) + (", ..." if len(titles) > TITLES else "")


def _spare(files: Sequence[Path], output: Path | None) -> None:
    """Refuse to write over a file that is read, and to count one twice.

    Raises
    ------
    FileError : where the output is one of the files, or a file is there twice
    """
    there = [file for file in files if file.exists()]
    for at, file in enumerate(there):
        if output is not None and output.exists() and output.samefile(file):
            raise FileError(f"{output}: is a file of results (another name was expected for what is written)")
        if any(file.samefile(other) for other in there[:at]):
            raise FileError(f"{file}: is named twice (each file counts once)")


def _labels(files: Sequence[Path]) -> list[str]:
    """What files are called: their names, with a number behind those that another has."""
    seen: Counter[str] = Counter()
    labels = []
    for file in files:
        seen[file.name] += 1
        labels.append(f"{file.name} ({seen[file.name]})" if seen[file.name] > 1 else file.name)
    return labels
