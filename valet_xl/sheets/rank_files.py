"""Files of results, ranked: read, scored together, and summed up for pairs, players and teams."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from types import MappingProxyType

from valet_xl.engine.options import OPTIONS, Options
from valet_xl.engine.results import Results, same_results
from valet_xl.errors import FileError, OptionError, ValetError
from valet_xl.messages import Progress, counted, error_line, unsaid
from valet_xl.rankings.event import Event
from valet_xl.rankings.partnerships import alike, named_apart
from valet_xl.rankings.ranking import ASSUMED, Ranking, rank, reliability_said
from valet_xl.rankings.teams import TeamRanking, played_matches, rank_teams
from valet_xl.reading.event_options import beyond_said, event_options, winners_said
from valet_xl.reading.files import read_content
from valet_xl.reading.source import Source
from valet_xl.sheets.said import read_as, summary_lines

RANK_STEPS = ("reading", "scoring", "ranking", "writing")
"""The steps of a ranking, as they are named when they begin; the last is the caller's own."""
_GROUPS = 8  # that a line names
_TITLES = 3  # of events that a report's title names


@dataclass(frozen=True, slots=True, eq=False)
class RankedFiles:
    """A ranking of one file or of several together.

    event : the event that they are of
    ranking : of its pairs or players
    teams : of its teams; None if no file has matches and none was asked for
    title : what the event is called
    """

    event: Event
    ranking: Ranking
    teams: TeamRanking | None
    title: str
    _read: tuple[str, ...]
    _winners: int
    _players: bool
    _strengths: bool

    def said(self, *, reliability: bool = False) -> Iterator[str]:
        """What was read, scored and ranked, and what was not, in lines.

        reliability : whether a line says how much of the differences is skill
        """
        yield from self._read
        if reliability:
            yield from self._reliability_said()
        if self.teams:
            yield self.teams.said()
        yield from self.event.said
        yield from summary_lines(self.event.summary)
        yield from self.event.unnamed(players=self._players)
        yield from self._groups_said()
        if not self._players:
            yield from winners_said(self._winners, len(self.ranking.table.groups))

    def _reliability_said(self) -> Iterator[str]:
        if shown := reliability_said(self.event.totals, self.ranking.table):
            yield f"reliability, the share of the differences that is skill and not chance: {shown}"

    def _groups_said(self) -> Iterator[str]:
        """Say that there are several groups, and what that means for strengths."""
        groups = self.ranking.table.groups
        if len(groups) < 2:
            return
        shown = ", ".join(groups[:_GROUPS]) + (", ..." if len(groups) > _GROUPS else "")
        yield f"{counted(len(groups), 'group')} that nothing compares, each with its own ranking: {shown}"
        if self._strengths and not self._players:
            yield f"Strength: {ASSUMED}"


def rank_files(
    files: Sequence[Path],
    *,
    options: Options | None = None,
    asked: Collection[str] = tuple(OPTIONS),
    who: str = "pairs",
    order: str | None = None,
    minimum: int | None = None,
    compensation: str = "none",
    strengths: bool = False,
    teams: bool = False,
    scale: str = "auto",
    one_event: bool = False,
    title: str | None = None,
    sheet: str | None = None,
    sheets: Mapping[Path, str] = MappingProxyType({}),
    names: Path | None = None,
    apart: Sequence[str] = (),
    step: Progress = unsaid,
) -> RankedFiles:
    """Rank the pairs or players of files together, and the teams of those that have matches.

    Parameters
    ----------
    files : the files; one that has the results of another counts once
    options : how to score
    asked : the options that count whatever the files say about their event; all of them, if none are named
    who, order, compensation, minimum, strengths : as in `rank` and `totals`
    teams : whether teams must be ranked; else they are where a file has matches
    scale : what matches of teams are scored by
    one_event : whether a round and board number are the same deal in all files
    title : what the event is called; else as the files say
    sheet, names : as in `read_results`
    sheets : of some files, the sheet, whatever `sheet` says
    step : called when a step of `RANK_STEPS` begins, and for each file

    Raises
    ------
    FileError : where a file cannot be used, or is there twice
    SheetError : where there is nobody to rank
    OptionError : for an unknown option
    """
    options = options or Options()
    read: list[tuple[str, Results]] = []
    sources: list[tuple[str, Source, Results]] = []
    used: list[Path] = []
    said: list[str] = []
    for at, (path, label) in enumerate(zip(files, _labels(files), strict=True)):
        step(f"reading {label}" + (f", file {at + 1} of {len(files)}" if len(files) > 1 else ""), at / len(files))
        source, results = _content(path, sheets.get(path, sheet), names, options)
        said.append(f"{label}: read {read_as(source)}")
        original = next((of for of, other, scored in sources if _is_copy(source, results, other, scored)), None)
        if original is not None:
            said.append(f"{label}: has the same results as {original}, which count once")
            continue
        used.append(path)
        read.append((label, named_apart(results, apart, label)))
        sources.append((label, source, results))
        said += beyond_said(label, source)
    _refuse_unknown(apart, sources)
    of_teams = _of_teams(sources, scale, teams)
    options, taken = event_options(sources, options, asked)
    event = Event.of(
        read,
        options,
        compensation=compensation,
        minimum=minimum,
        strengths=strengths,
        one=one_event,
        said=taken,
        step=step,
    )
    return RankedFiles(
        event,
        rank(event.totals, who=who, order=order, strengths=event.strengths),
        of_teams,
        title or _title(used, sources),
        tuple(said),
        sources[0][1].announced.winners if len(sources) == 1 else 0,
        who == "players",
        strengths,
    )


def _refuse_unknown(apart: Sequence[str], sources: Sequence[tuple[str, Source, Results]]) -> None:
    """Refuse a name to be told apart that is in no file.

    Raises
    ------
    OptionError : which says what it was
    """
    known = {alike(name) for _, _, results in sources for name in results.names} if apart else set()
    for name in apart:
        if alike(name) not in known:
            raise OptionError(f"--apart: {name!r} is in none of the files (expected a name as a file has it)")


def refuse_twice(files: Sequence[Path], output: Path | None = None) -> None:
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


def _content(path: Path, sheet: str | None, names: Path | None, options: Options) -> tuple[Source, Results]:
    """What a file says, without its cells, and its results; what is wrong with it names it."""
    try:
        content = read_content(path, sheet, names, options)
        return replace(content.source, fields={}, own=None), content.results
    except OptionError:
        raise
    except ValetError as error:
        raise FileError(error_line(error, path)) from error


def _of_teams(sources: Sequence[tuple[str, Source, Results]], scale: str, wanted: bool) -> TeamRanking | None:
    """The ranking of the teams, None where no file has matches and none was asked for."""
    played = [
        match
        for _, source, results in sources
        if source.matches is not None
        for match in played_matches(results, source.matches, source.rows)
    ]
    return rank_teams(played, scale) if played or wanted else None


def _is_copy(source: Source, results: Results, other: Source, of_other: Results) -> bool:
    """Whether a file has the results of another one, of an event that was scored in the same way."""
    return source.announced == other.announced and same_results(of_other, results)


def _title(files: Sequence[Path], sources: Sequence[tuple[str, Source, Results]]) -> str:
    """What the event is called: as its files say, else as they are called themselves."""
    said = zip(files, sources, strict=True)
    titles = list(dict.fromkeys(source.announced.title or file.stem for file, (_, source, _) in said))
    return ", ".join(titles[:_TITLES]) + (", ..." if len(titles) > _TITLES else "")


def _labels(files: Sequence[Path]) -> list[str]:
    """What files are called: their names; those of one name with their folders in the one that they have in common."""
    named: dict[str, list[Path]] = {}
    for file in files:
        named.setdefault(file.name, []).append(file.absolute())
    labels = []
    for file in files:
        alike_named = [each.parents for each in named[file.name]]
        common = next((folder for folder in alike_named[0] if all(folder in each for each in alike_named)), None)
        there = file.absolute()
        single = len(alike_named) == 1
        labels.append(file.name if single else (there.relative_to(common) if common else there).as_posix())
    return labels
