"""The whole report as one page: rankings, charts, why each pair has its place, its boards, and tableaux."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

import numpy as np

from valet_xl.engine.results import board_places
from valet_xl.messages import Progress, counted, unsaid
from valet_xl.rankings.event import Event
from valet_xl.rankings.explain import Explained
from valet_xl.rankings.explanation import Explanation
from valet_xl.rankings.explanation_words import ROWS_SAID, words
from valet_xl.rankings.listing import Value
from valet_xl.rankings.ranking import Ranking, order_said, rank, reliabilities, shown_average
from valet_xl.rankings.tableau import tableau, tableau_listing, tableau_title
from valet_xl.rankings.teams import TeamRanking
from valet_xl.reports.about import about, remark
from valet_xl.reports.charts import LABELLED, label_sides, parts_per_board, ranked_rows
from valet_xl.reports.html import document, escape, figure, folded, paragraph, table
from valet_xl.reports.pair_sheets import without_blank
from valet_xl.reports.sheet_names import pair_name
from valet_xl.reports.svg import running, scatter, stacked, waterfall

PAIRS = 100  # of the ranking that are explained,
BOARDS = 12_000  # as long as their boards together are no more than these
LINES = 12_000  # of tableaux
ROWS = 2_000  # pairs and players that a ranking lists
STACKED, DOTS = 40, 500  # pairs in the charts
GROUPS = 12  # that have rankings of their own
_NEEDED = 4  # columns of a ranking are on the page up to this `Heading.need`
_LOOKS = {"Bid": "bid", "From declaring": "declarer", "From leads": "lead", "From defence": "defence"}
_EXTREMES = 3  # best and worst boards that are shown with their tableaux, each


def web_report(
    event: Event,
    title: str,
    *,
    order: str | None = None,
    order_of_players: str | None = None,
    teams: TeamRanking | None = None,
    step: Progress = unsaid,
) -> bytes:
    """Make the page.

    Parameters
    ----------
    event, title, order, order_of_players, teams : as for `report`
    step : called with how many pairs are explained

    Returns
    -------
    the bytes of an HTML file that needs no other file and loads nothing, the same for the same results and options

    Raises
    ------
    ValetError : for an unknown order, or if no pairs are named
    """
    totals = event.totals
    pairs = rank(totals, who="pairs", order=order, strengths=event.strengths)
    players = rank(totals, who="players", order=order_of_players) if len(totals.players) else None
    page = _Page(event, pairs, step)
    return document(title, page.body(title, players, teams)).encode("utf-8")


def explanation_page(made: Explanation) -> bytes:
    """An explanation as a page of its own."""
    body = [f"<header><h1>{escape(made.name)}</h1></header>\n<main>\n", *explanation_section(made), "</main>\n"]
    return document(made.name, body).encode("utf-8")


def explanation_section(made: Explanation, tableaux: Mapping[int, str] | None = None) -> Iterator[str]:
    """What a page says about why a pair or player has its place.

    tableaux : the places on the page of the tableaux of boards
    """
    yield paragraph(words(made))
    yield figure(waterfall(made), "What the average is made of. Lines show one standard error each way.")
    yield table(made.waterfall, f"What the average of {made.name} is made of")
    yield paragraph([ROWS_SAID], "soft")
    yield figure(
        running(made),
        "The sum over the boards so far. After any number of boards 95 of 100 average pairs are within the funnel.",
    )
    for shares in made.shares:
        yield folded(shares.title, table(shares.listing, f"{made.name}: {shares.title}"))
    best, worst = made.extremes(_EXTREMES)
    lines = without_blank(made.lines)

    def links(rows: Sequence[int]) -> dict[tuple[int, str], str]:
        of_row = made.boards_of[list(rows)].tolist()
        return {(at, "Board"): tableaux[board] for at, board in enumerate(of_row) if tableaux and board in tableaux}

    for title, rows in (("Best boards", best), ("Worst boards", worst)):
        yield table(lines.take(rows), f"{made.name}: {title}", links=links(rows))
        for row in rows:
            seen = made.tableau(row)
            caption = f"{made.name} on {seen.title[:1].lower()}{seen.title[1:]}; the own result is marked"
            yield folded(seen.title, table(seen.listing, caption, own=seen.own))
    every = range(len(lines))
    yield folded("All boards", table(lines, f"{made.name}: all boards", links=links(every)))


class _Page:
    """The page while it is written."""

    def __init__(self, event: Event, pairs: Ranking, step: Progress) -> None:
        self._event, self._pairs, self._step = event, pairs, step
        self._groups = _parts(pairs)
        self._middle = 50 if event.totals.in_percent else 0
        self._unit = "per cent" if event.totals.in_percent else "IMPs"
        share = max(PAIRS // len(self._groups), 1)
        room = BOARDS // len(self._groups)
        self._explained = [
            group.table.names[: max(1, min(share, int(np.searchsorted(np.cumsum(group.table.boards), room, "right"))))]
            for group in self._groups
        ]
        self._place = {
            name: f"pair-{number}-{at + 1}"
            for number, names in enumerate(self._explained)
            for at, name in enumerate(names.tolist())
        }
        lines = tableau(event.results, event.parts, lead=event.totals.options.lead)
        boards, first, count = np.unique(lines.board, return_index=True, return_counts=True)
        ordered = np.argsort(board_places(event.results.boards)[boards])
        room = int(np.searchsorted(np.cumsum(count[ordered]), LINES, side="right"))
        self._boards = len(boards)
        self._tableaux = {
            int(boards[at]): (int(first[at]), int(first[at] + count[at])) for at in ordered[:room].tolist()
        }
        self._lines = tableau_listing(event.results, lines, method=event.totals.options.method)

    def body(self, title: str, players: Ranking | None, teams: TeamRanking | None) -> Iterator[str]:
        """All of it."""
        sections = [("rankings", "Ranking"), ("charts", "Charts")]
        sections += [("teams", "Teams")] if teams else []
        sections += [("players", "Players")] if players else []
        sections += [("pairs", "Pairs"), ("tableaux", "Tableaux"), ("about", "About")]
        links = "".join(f'<li><a href="#{place}">{name}</a></li>' for place, name in sections)
        nav = f'<nav aria-label="Parts of the report"><ul>{links}</ul></nav>'
        yield f"<header><h1>{escape(title)}</h1>\n{nav}</header>\n<main>\n"
        yield '<h2 id="rankings">Ranking</h2>\n'
        for group in self._groups:
            yield from self._ranking(group, "Pairs", 3)
        yield '<h2 id="charts">Charts</h2>\n'
        for group in self._groups:
            yield from self._charts(group)
        if teams:
            yield f'<h2 id="teams">Teams</h2>\n{paragraph([f"{teams.said().capitalize()}."], "soft")}'
            yield table(teams.teams, "Teams")
            yield folded("Matches", table(teams.played, "Matches"))
        if players:
            yield '<h2 id="players">Players</h2>\n'
            for group in _parts(players):
                yield from self._ranking(group, "Players", 3)
        yield '<h2 id="pairs">Pairs</h2>\n'
        yield paragraph(["Why each pair has its place, and its boards from its own side."], "soft")
        yield from self._all_pairs()
        yield '<h2 id="tableaux">Tableaux</h2>\n'
        yield from self._all_tableaux()
        yield '<h2 id="about">About this report</h2>\n'
        yield self._about()
        yield "</main>\n"

    def _ranking(self, ranking: Ranking, title: str, level: int) -> Iterator[str]:
        """A ranking, with links to what is said about each pair, and under it how reliable its columns are."""
        of_pairs = title == "Pairs"
        name = f"{title} {ranking.group}".strip()
        if ranking.group:
            yield f"<h{level}>{escape(name)}</h{level}>\n"
        said = order_said(self._event.totals, ranking)
        yield paragraph([remark(self._event, ranking), said] if of_pairs else [said], "soft")
        listing = ranking.listing.slice(0, ROWS)
        kept = listing.only([heading.name for heading in listing.headings if heading.need <= _NEEDED])
        links = {
            (at, "Pair"): self._place[str(cell)]
            for at, cell in enumerate(kept.columns[kept.names.index("Pair")] if of_pairs else [])
            if str(cell) in self._place
        }
        foot = {
            str(column): f"{share:.2f}" for column, share, _ in reliabilities(self._event.totals, ranking.table).rows
        }
        says = {"Pair" if of_pairs else "Player": "Reliability: the share of the differences that is skill"}
        yield table(kept, name, links=links, faded=ranked_rows(ranking, len(kept)), feet=[foot | says] if foot else [])

    def _charts(self, ranking: Ranking) -> Iterator[str]:
        """Bidding against play, and the parts of the first pairs."""
        totals = self._event.totals
        ranked = ranked_rows(ranking, len(ranking.table))
        group = f", {ranking.group}" if ranking.group else ""
        dots = ranking.table.take(np.arange(min(ranked, LABELLED + DOTS)))
        bid, play = (shown_average(totals, dots, column) for column in ("bid", "play"))
        known = np.flatnonzero(~np.isnan(bid.average + play.average))
        labels = [pair_name(ranking.places[at], str(dots.names[at]), 24) for at in known[:LABELLED].tolist()]
        x, y = bid.average[known], play.average[known]
        if len(known):
            span = [max(float(np.ptp(each)), 1e-9) for each in (x, y)]
            pixels = [
                (float(730 * (a - x.min()) / span[0]), float(620 * (y.max() - b) / span[1]))
                for a, b in zip(x[:LABELLED], y[:LABELLED], strict=True)
            ]
            drawing = scatter(
                x,
                y,
                (bid.error[known], play.error[known]),
                labels,
                label_sides(pixels, labels),
                (f"bidding, {self._unit} per board", f"play, {self._unit} per board"),
                f"Bidding against play{group}; the ranking has the figures",
            )
            yield figure(
                drawing,
                f"Bidding against play{group}. The first {len(labels)} have names and standard errors.",
            )
        first = ranking.table.take(np.arange(min(ranked, STACKED)))
        parts = {title: (_LOOKS[title], values) for title, values in parts_per_board(totals, first).items()}
        names = [f"{place or '-'}  {name}" for place, name in zip(ranking.places, first.names.tolist(), strict=False)]
        says = f"Where the scores come from{group}: what each part of the game gave per board played"
        yield figure(stacked(names, parts, f"{self._unit} above average", f"{says}, as bars"), f"{says}.")

    def _all_pairs(self) -> Iterator[str]:
        explained = Explained(self._event)
        total = sum(map(len, self._explained))
        done = 0
        for ranking, names in zip(self._groups, self._explained, strict=True):
            for row, name in enumerate(names.tolist()):
                self._step(f"writing pair {done + 1:,} of {total:,}", done / total)
                done += 1
                place = f"{ranking.places[row]}. " if ranking.places[row] else ""
                group = f" ({ranking.group})" if ranking.group else ""
                yield folded(f"{place}{name}{group}", "".join(self._pair(explained.explain(name))), self._place[name])

    def _pair(self, made: Explanation) -> Iterator[str]:
        """What is said about one pair, with links to the tableaux."""
        return explanation_section(made, {board: f"board-{board}" for board in self._tableaux})

    def _all_tableaux(self) -> Iterator[str]:
        yield paragraph(
            [
                "Each board's results, the best for the declaring side first.",
                "Score is North-South's; Overall, Bid and Play the declaring side's; Lead and Defence the defenders'.",
            ],
            "soft",
        )
        for board, (start, stop) in self._tableaux.items():
            title = tableau_title(self._event.results, board)
            yield folded(title, table(self._lines.slice(start, stop), title), f"board-{board}")

    def _about(self) -> str:
        """How it was made."""
        limits: list[tuple[str, Value]] = []
        explained = sum(map(len, self._explained))
        if explained < len(self._pairs.table):
            limits.append(("Pairs", f"the first {explained:,} of {len(self._pairs.table):,} are explained"))
        if len(self._tableaux) < self._boards:
            limits.append(("Tableaux", f"of the first {len(self._tableaux):,} of {counted(self._boards, 'board')}"))
        if max(len(self._pairs.table), len(self._event.totals.players)) > ROWS:
            limits.append(("Rankings", f"the first {ROWS:,} are listed"))
        said = about(self._event, self._pairs, limits)
        return f"<dl>{''.join(f'<dt>{escape(what)}</dt><dd>{escape(value)}</dd>' for what, value in said)}</dl>\n"


def _parts(ranking: Ranking) -> list[Ranking]:
    """The rankings of the groups, or all in one if there are too many groups."""
    return ranking.parts if len(ranking.table.groups) <= GROUPS else [ranking]
