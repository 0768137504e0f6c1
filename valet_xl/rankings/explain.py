"""Explanations of an event's ranking, taken from its results: by parts, opponents, partners and contracts."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TypeVar

import numpy as np

from valet_xl.engine.arrays import Floats, Index, Mask, count_by
from valet_xl.engine.lines import Lines
from valet_xl.engine.results import Status, board_places
from valet_xl.errors import one_of
from valet_xl.rankings.breakdown import HEIGHTS, heights
from valet_xl.rankings.career import Career
from valet_xl.rankings.event import Event
from valet_xl.rankings.explanation import BoardSeen, Explanation, Share, Shares, Step, Strength
from valet_xl.rankings.letters import significant
from valet_xl.rankings.listing import Heading, Listing, Value
from valet_xl.rankings.options import RANKING_OPTIONS
from valet_xl.rankings.pair_boards import boards_listing
from valet_xl.rankings.ranking import Ranking, rank, shown_average
from valet_xl.rankings.student_t import heavy_reach, heavy_tail
from valet_xl.rankings.tableau import tableau, tableau_listing, tableau_title
from valet_xl.rankings.views import PARTS, Scores, Views

_NOT_KNOWN = "(not known)"
_SEATS = ("N or E", "S or W")
_PART_NAMES = {"bid": "Bidding", "declarer": "Declarer's play", "lead": "Leads", "defence": "Defence"}
_CORRECTION = "Correction for opponents"


@dataclass(frozen=True, slots=True, eq=False)
class _Brought:
    """What a part of the game brought everybody per result.

    part, player : which, and by whose play: 0 the first of a pair or the player himself, 1 the other, -1 by both
    chances : (owners,) how often there was one
    scores : of all results, 0 where there was no chance
    """

    part: str
    player: int
    chances: Floats
    scores: Scores


class Explained:
    """The explanations of all pairs of an event, or of all its players.

    event, who : the event, of one file or of several, and "pairs" or "players"
    career : the strengths of the same pairs or players, if they are to be said
    ranking : by Overall
    """

    def __init__(self, event: Event, *, who: str = "pairs", career: Career | None = None) -> None:
        one_of("who", who, RANKING_OPTIONS["who"].words)
        self.event, self.who, self._career = event, who, career
        totals, results = event.totals, event.results
        self.ranking: Ranking = rank(totals, who=who, order="overall")
        self._average = shown_average(totals, self.ranking.table, "overall")
        self._factor, self._middle = (50.0, 50.0) if totals.in_percent else (1.0, 0.0)
        names = event.who.pair_names if who == "pairs" else event.who.player_names
        number = {name: at for at, name in enumerate(names)}
        self._owner = np.array([number[name] for name in self.ranking.table.names.tolist()], dtype=np.intp)
        self._views = Views.of(results, event.parts, event.who, totals.options.method, of=who)
        self._file = np.repeat(np.arange(len(event.files)), event.sizes)[self._views.at]
        places = board_places(results.boards)[results.board[self._views.at]]
        self._order = np.lexsort((places, self._file, self._views.owner))
        self._start = np.searchsorted(self._views.owner[self._order], np.arange(len(names) + 1))
        self._overall = self._views.brought("overall")
        self._parts = tuple(self._brought())
        self._contracts = [(name, mask, self._views.where(mask)) for name, mask in self._kinds()]
        letters = self.ranking.listing.columns[self.ranking.listing.names.index("Alike")]
        self._alike = [set(re.findall(r"[a-z]\d*", str(cell or ""))) for cell in letters]

    def explain(self, name: str) -> Explanation:
        """Explain one.

        Parameters
        ----------
        name : as the ranking has it; the players of a pair in either order

        Raises
        ------
        ArgumentError : if nobody has that name; it has the names that are like it
        """
        return self.of_row(self.ranking.table.row(name))

    def of_row(self, row: int) -> Explanation:
        """Explain the one in a row of `ranking`."""
        event, table, average, views = self.event, self.ranking.table, self._average, self._views
        owner, group = int(self._owner[row]), int(table.group[row])
        rows = np.flatnonzero(table.group == group)
        placed = [each for each in rows.tolist() if self.ranking.places[each] and each != row]
        unlike = [each for each in placed if not self._alike[each] & self._alike[row]]
        compared = bool(self._alike[row])
        places = self._order[self._start[owner] : self._start[owner + 1]]
        at = views.at[places]
        figure = float(average.average[row])
        field = float(np.average(average.average[rows], weights=table.boards[rows]))
        steps = self._steps(owner, self._owner[rows], figure, field)
        return Explanation(
            name=str(table.names[row]),
            who=self.who,
            place=self.ranking.places[row],
            of=len(placed) + (self.ranking.places[row] > 0),
            group=table.groups[group],
            boards=int(table.boards[row]),
            figure=figure,
            error=float(average.error[row]),
            low=float(average.low[row]),
            high=float(average.high[row]),
            middle=self._middle,
            unit="per cent" if event.totals.in_percent else "IMPs",
            field=field,
            others=len(placed),
            better=sum(average.average[each] > figure for each in unlike) if compared else None,
            worse=sum(average.average[each] < figure for each in unlike) if compared else None,
            steps=steps,
            strength=self._strength(owner),
            shares=tuple(self._shares(owner, places, self._owner[rows], steps[-1])),
            lines=self._lines(places),
            running=np.cumsum(self._factor * views.scores["overall"][places]),
            boards_of=event.results.board[at],
            tableau=lambda line: self._tableau(int(at[line]), int(self._file[places[line]])),
        )

    # -- what a figure is made of

    def _brought(self) -> Iterator[_Brought]:
        """What each part of the game brought, play and leads by each player."""
        views = self._views
        whole = np.ones(len(views.owner), dtype=bool)
        for part in PARTS:
            there = ~np.isnan(views.scores[part])
            acted = ((0, views.first), (1, ~views.first)) if part in ("declarer", "lead") else ((-1, whole),)
            for player, mask in acted:
                scores = self._bidding() if part == "bid" else views.brought(part, mask)
                chances = count_by(views.owner[there & mask], len(scores.count)).astype(np.float64)
                yield _Brought(part, player, chances, scores)
        without = np.isnan(views.scores["bid"])
        chances = count_by(views.owner[without], len(self._overall.count)).astype(np.float64)
        yield _Brought("adjusted", -1, chances, views.brought("overall", without))

    def _bidding(self) -> Scores:
        """What the bidding brought. Where overall is the average of bid and play, a pass-out has no play."""
        views = self._views
        alone = self.event.totals.options.in_halves & ~views.declares & ~views.defends
        return Scores.of(views.clusters, None, np.nan_to_num(views.scores["bid"]) * np.where(alone, 2.0, 1.0))

    def _steps(self, owner: int, field: Index, figure: float, of_field: float) -> tuple[Step, ...]:
        """What the figure of an owner is made of, up to the last decimal."""
        halves = self.event.totals.options.in_halves
        steps = []
        for each in self._parts:
            scores = each.scores
            if not each.chances[owner]:
                continue
            factor = self._factor / 2 if halves and each.part != "adjusted" else self._factor
            own = factor * float(scores.average[owner])
            error = factor * float(scores.error[owner])
            alike = [
                other.scores for other in self._parts if (other.part, other.player < 0) == (each.part, each.player < 0)
            ]
            if self.who == "players":
                alike = [scores]
            expected = factor * float(np.mean([other.of_field(field) for other in alike]))
            excess = scores.spread.excess_of(scores.size[owner])
            reach = float(heavy_reach(scores.spread.freedom, excess)) * error
            with np.errstate(divide="ignore", invalid="ignore"):
                p = float(heavy_tail(np.divide(own - expected, error), scores.spread.freedom, excess))
            name = self._part_name(owner, each)
            steps.append(
                Step(name, each.part, int(each.chances[owner]), own, error, own - reach, own + reach, expected, p)
            )
        if self.event.totals.compensation != "none":
            rest = figure - self._middle - sum(step.brings for step in steps)
            of_all = of_field - self._middle - self._factor * self._overall.of_field(field)
            nan = float("nan")
            steps.append(
                Step(_CORRECTION, "opponents", int(self._overall.count[owner]), rest, nan, nan, nan, of_all, nan)
            )
        return _marked(steps)

    def _part_name(self, owner: int, each: _Brought) -> str:
        if each.part == "adjusted":
            rows = self._views.at[(self._views.owner == owner) & np.isnan(self._views.scores["bid"])]
            adjusted = (self.event.results.status[rows] == Status.ADJUSTED).all()
            return "Adjusted scores" if adjusted else "Results without parts"
        name = _PART_NAMES[each.part]
        if each.player < 0:
            return name
        if self.who == "players":
            whose = "Partner's" if each.player else "Own"
            return f"{whose} {name[0].lower()}{name[1:]}"
        known = self.event.who.pair_players[owner, each.player]
        return f"{name} of {self.event.who.player_names[known] if known >= 0 else _SEATS[each.player]}"

    # -- results divided

    def _shares(self, owner: int, places: Index, field: Index, last: Step) -> Iterator[Shares]:
        """All results of an owner, divided by opponents, by contracts, and of a player by partners."""
        views, pairs, players = self._views, self.event.who.pair_names, self.event.who.player_names
        correction = (last,) if last.part == "opponents" else ()
        divided = [("Opponents", views.opponents[places], pairs)]
        if self.who == "players":
            divided.insert(0, ("Partners", views.partner[places], players))
        if len(self.event.files) > 1:
            divided.insert(0, ("Events", self._file[places], self.event.files))
        for title, number, names in divided:
            rows = self._against_others(owner, places, number, names)
            in_order = rows if title == "Events" else sorted(rows, key=_brings)
            yield Shares(title, "Others", _with(in_order, correction))
        rows = []
        for name, _, scores in self._contracts:
            count = float(scores.count[owner])
            if count:
                found = self._share(name, scores.total[owner], count, float(self._overall.count[owner]))
                with np.errstate(divide="ignore", invalid="ignore"):
                    expected = scores.of_field(field)
                    errors = np.divide(scores.average[owner] - expected, scores.error[owner])
                p = heavy_tail(errors, scores.spread.freedom, scores.spread.excess_of(scores.size[owner]))
                error = self._factor * float(scores.error[owner])
                rows.append(replace(found, error=error, expected=self._middle + self._factor * expected, p=float(p)))
        yield Shares("Contracts", "Field", _with(sorted(rows, key=_brings), correction))

    def _against_others(self, owner: int, places: Index, number: Index, names: Sequence[str]) -> list[Share]:
        """The results of an owner divided by the (n,) numbers of names, each share compared with the rest."""
        values = self._views.scores["overall"][places]
        boards, overall = float(len(places)), self._overall
        deviation = float(overall.error[owner]) * np.sqrt(boards)  # of one board
        keys, of_place = np.unique(number, return_inverse=True)
        count, total = count_by(of_place, len(keys)), np.bincount(of_place, values, len(keys))
        rest = boards - count
        with np.errstate(divide="ignore", invalid="ignore"):
            others = (values.sum() - total) / rest
            errors = (total / count - others) / (deviation * np.sqrt(1 / count + 1 / rest))
        p = heavy_tail(errors, overall.spread.freedom, overall.spread.excess_of(count.astype(np.float64)))
        return [
            replace(
                self._share(names[key] if key >= 0 else _NOT_KNOWN, total[at], float(count[at]), boards),
                error=self._factor * deviation / float(np.sqrt(count[at])),
                expected=self._middle + self._factor * float(others[at]),
                p=float(p[at]),
            )
            for at, key in enumerate(keys.tolist())
        ]

    def _share(self, name: str, total: float, count: float, boards: float) -> Share:
        nan, factor = float("nan"), self._factor
        average = self._middle + factor * float(total) / count
        return Share(name, int(count), average, nan, nan, factor * float(total) / boards, nan)

    def _kinds(self) -> Iterator[tuple[str, Mask]]:
        """What is said of contracts, and where it is so: each result is in one."""
        views = self._views
        height = heights(self.event.results)[views.at]
        for words, mask in (("declared", views.declares), ("defended", views.defends)):
            for number, name in enumerate(HEIGHTS[:3]):
                yield f"{name} {words}", mask & (height == number)
        passive = ~views.declares & ~views.defends
        parted = ~np.isnan(views.scores["bid"])
        yield "passed out", passive & parted
        yield "no contract", passive & ~parted

    def _strength(self, owner: int) -> Strength | None:
        """What the owner is worth over all events, if that is known."""
        if self._career is None:
            return None
        solved, (low, high) = self._career.columns["overall"].solved, self._career.interval()
        figures = (self._factor * float(each[owner]) for each in (solved.strength, low, high))
        return Strength(int(self._career.events[owner]), *figures)

    # -- boards

    def _lines(self, places: Index) -> Listing:
        """Every result of an owner; of several files each with its event, whose name its round begins with."""
        event, at = self.event, self._views.at[places]
        lines = boards_listing(
            event.results, event.parts, event.who, at, self._views.side[places], event.totals.options.method
        )
        if len(event.files) < 2:
            return lines
        names = [event.files[of] for of in self._file[places].tolist()]
        rounds: list[Value] = [
            str(called or "").removeprefix(name).strip() or None
            for called, name in zip(lines.columns[0], names, strict=True)
        ]
        heading = Heading("Event", "the file that it is in", "@", 24)
        return Listing((heading, *lines.headings), (list(names), rounds, *lines.columns[1:]))

    def _tableau(self, at: int, file: int) -> BoardSeen:
        """The board of a result, which is in a file, with its tableau."""
        results, options = self.event.results, self.event.totals.options
        board = int(results.board[at])
        lines = tableau(results, self.event.parts, boards=[board], lead=options.lead)
        own = -1
        if not np.isnan(results.score[at]) and results.status[at] in (Status.PLAYED, Status.PASSED_OUT):
            line = Lines.of(results, np.append(lines.results, at), options.lead).of_result
            own = int(np.flatnonzero(line[:-1] == line[-1])[0])
        listing = tableau_listing(results, lines, method=options.method)
        event = self.event.files[file] if len(self.event.files) > 1 else ""
        return BoardSeen(tableau_title(results, board, event), listing, own)


_Row = TypeVar("_Row", Step, Share)


def _marked(rows: Sequence[_Row]) -> tuple[_Row, ...]:
    """The rows with those marked that differ significantly among all."""
    differs = significant(np.array([row.p for row in rows]))
    return tuple(replace(row, differs=bool(each)) for row, each in zip(rows, differs, strict=True))


def _brings(share: Share) -> float:
    """What puts those that brought most first."""
    return -share.brings


def _with(rows: Sequence[Share], correction: Sequence[Step]) -> tuple[Share, ...]:
    """The shares, and after them what a correction brought."""
    nan = float("nan")
    return (*_marked(rows), *(Share(each.name, 0, nan, nan, nan, each.brings, nan) for each in correction))
