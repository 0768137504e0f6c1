"""An event, of one file or of several, scored and summed up, as rankings and reports are made from it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from valet_xl.engine.options import Options
from valet_xl.engine.results import Results, join
from valet_xl.engine.score_results import Summary, split, summarise
from valet_xl.engine.valet import Components
from valet_xl.messages import Progress, counted, unsaid
from valet_xl.rankings.partnerships import Partnerships, partnerships, unnamed_said
from valet_xl.rankings.totals import Totals, totals

if TYPE_CHECKING:
    from valet_xl.rankings.strength import Strengths


@dataclass(frozen=True, slots=True, eq=False)
class Event:
    """An event summed up.

    files, sizes : the names of the files that the results are from, and how many are from each
    results, parts, who : the results of all files, what `valet` makes of them, and who played
    totals : the tables over all boards
    strengths : of all pairs solved together, if that was asked for
    summary : what was scored and what was not
    said : what was taken from the files about how the event was scored, in lines
    """

    files: tuple[str, ...]
    sizes: tuple[int, ...]
    results: Results
    parts: Components
    who: Partnerships
    totals: Totals
    strengths: Strengths | None
    summary: Summary
    said: tuple[str, ...] = ()

    def unnamed(self, *, players: bool = False) -> Iterator[str]:
        """A sentence for each file with results that do not name all pairs, or players."""
        mask = self.who.unnamed(self.results, players=players)
        start = 0
        for name, size in zip(self.files, self.sizes, strict=True):
            part = slice(start, start + size)
            said = unnamed_said(self.results.status[part], mask[part], players=players)
            start += size
            if said:
                yield f"{name}: {said}"

    @classmethod
    def of(
        cls,
        files: Sequence[tuple[str, Results]],
        options: Options | None = None,
        *,
        compensation: str = "none",
        minimum: int | None = None,
        strengths: bool = False,
        one: bool = False,
        said: Iterable[str] = (),
        step: Progress = unsaid,
    ) -> Event:
        """Score and sum up what was read.

        Parameters
        ----------
        files : the name of each file, and its results
        options, compensation, minimum : as `totals` takes them
        strengths : whether pairs' strengths are solved too
        one : whether a round and board number are the same deal in all files, and a pair's number the same pair
        said : what was taken from the files about how the event was scored, in lines
        step : called when scoring and ranking begin, with the number of results
        """
        options = options or Options()
        names, read = zip(*files, strict=True)
        size = counted(sum(map(len, read)), "result")
        step(f"scoring {size}")
        results = read[0] if len(read) == 1 else join(read, [""] * len(read) if one else names)
        parts = split(results, options)
        summary = summarise(results, parts.overall, parts.bid)
        step(f"ranking {size}")
        solved = None
        if strengths:
            from valet_xl.rankings.strength import strengths as solve  # noqa: PLC0415 - the solver is loaded where it is used

            solved = solve(results, options, parts=parts)
        who = partnerships(results)
        return cls(
            files=names,
            sizes=tuple(map(len, read)),
            results=results,
            parts=parts,
            who=who,
            totals=totals(results, options, compensation=compensation, minimum=minimum, parts=parts, who=who),
            strengths=solved,
            summary=summary,
            said=tuple(said),
        )
