"""A report: a new workbook with the ranking, charts, the boards of each pair, tableaux, and how all of it was made."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from valet_xl.engine.arrays import Index
from valet_xl.engine.results import board_places
from valet_xl.messages import Progress, counted, unsaid
from valet_xl.rankings.breakdown import Breakdown
from valet_xl.rankings.event import Event
from valet_xl.rankings.explain import Explained
from valet_xl.rankings.listing import Heading, Listing, Value
from valet_xl.rankings.pair_boards import PairBoards
from valet_xl.rankings.ranking import Ranking, order_said, rank, reliability_said
from valet_xl.rankings.tableau import Tableau, tableau, tableau_listing, tableau_title
from valet_xl.rankings.teams import TeamRanking
from valet_xl.reports.about import about, remark
from valet_xl.reports.book import COLOURS, TOP, Book, Place, text, with_bars
from valet_xl.reports.charts import (
    bidding_and_play,
    of_group,
    parts_by_pair,
    ranked_rows,
)
from valet_xl.reports.pair_sheets import AVERAGES, PairSheet, of_pair, without_blank
from valet_xl.reports.sheet_names import pair_name

SHEETS = 100  # pairs with a sheet of their own: the first of the ranking,
GROUPS = 12  # that have sheets of their own; more are in one ranking, with a column that names them
SHEET_ROWS = 50_000  # as long as their boards together have no more rows than these
ROWS = 20_000  # pairs and players that a ranking lists
LINES = 30_000  # lines of tableaux
PRINTED = 4  # columns of a ranking are printed up to this `Heading.need`
_RANKING, _PLAYERS, _CHART, _PARTS = "Ranking", "Players", "Bidding and play", "Parts"
_TEAMS, _MATCHES = "Teams", "Matches"
_TABLEAUX, _ABOUT = "Tableaux", "About"
_FIRST = TOP + 1  # the row where tableaux begin
_BARRED = tuple(name for name in AVERAGES if name != "Play")  # which is the sum of the last three


def report(
    event: Event,
    title: str,
    *,
    order: str | None = None,
    order_of_players: str | None = None,
    teams: TeamRanking | None = None,
    step: Progress = unsaid,
) -> bytes:
    """Make the report.

    Parameters
    ----------
    event : what it is about
    title : its title
    order, order_of_players : of the rankings of pairs and of players, as for `rank`
    teams : the ranking of the teams, if there are any
    step : called with how many of the rows of tableaux and of pairs' sheets are written

    Returns
    -------
    the bytes of an .xlsx workbook, the same for the same results, options and versions

    Raises
    ------
    ValetError : for an unknown order, or if no pairs are named
    """
    totals = event.totals
    pairs = rank(totals, who="pairs", order=order, strengths=event.strengths)
    players = rank(totals, who="players", order=order_of_players) if len(totals.players) else None
    book = Book(title)
    groups = [
        _Group(ranking, *(book.names.give(f"{name} {ranking.group}".strip()) for name in (_RANKING, _CHART, _PARTS)))
        for ranking in _parts(pairs)
    ]
    of_players = [(book.names.give(f"{_PLAYERS} {part.group}".strip()), part) for part in _parts(players)]
    of_teams = (book.names.give(_TEAMS), book.names.give(_MATCHES)) if teams is not None else ()
    tableaux, about = map(book.names.give, (_TABLEAUX, _ABOUT))
    for group in groups:
        group.own = _own_sheets(book, group.ranking, len(groups))
    blocks = _Tableaux.of(event)
    parts = [name for group in groups for name in (group.sheet, group.chart, group.parts)]
    parts += [*of_teams, *(name for name, _ in of_players), tableaux]
    _ranking(book, title, event, groups[0], about)
    _about(book, about, event, pairs, groups, blocks, parts)
    for group in groups[1:]:
        _ranking(book, title, event, group, about)
    if teams is not None:
        for name, listing in zip(of_teams, (teams.teams, teams.played), strict=True):
            book.table(book.sheet(name, name, (f"{teams.said().capitalize()}.",), COLOURS["Bid"]), listing)
    for group in groups:
        bidding_and_play(book, group.chart, totals, group.ranking, about)
        parts_by_pair(book, group.parts, totals, group.ranking, about)
    for name, ranking in of_players:
        _players(book, event, name, ranking, about)
    written = _Written(step, blocks.rows + sum(int(group.rows.sum()) for group in groups))
    blocks.write(book, tableaux, written)
    explained = Explained(event)
    for group in groups:
        _pairs(book, explained, group, {at: (tableaux, row, 0) for at, row in blocks.tops.items()}, written)
    return book.close()


@dataclass(slots=True)
class _Group:
    """The ranking of a group, the names of its three sheets, and those of its first pairs."""

    ranking: Ranking
    sheet: str
    chart: str
    parts: str
    own: Sequence[str] = ()

    @property
    def rows(self) -> Index:
        """How many boards the sheet of each of its first pairs has."""
        return self.ranking.table.boards[: len(self.own)]


class _Written:
    """How many rows are written, of how many.

    step : called with that
    """

    def __init__(self, step: Progress, of: int) -> None:
        self._step, self._of, self._rows = step, of, 0

    def more(self, rows: int) -> None:
        """So many more are written now."""
        self._rows += rows
        self._step(f"writing row {self._rows:,} of {self._of:,}", self._rows / max(self._of, 1))


def _parts(ranking: Ranking | None) -> list[Ranking]:
    """The rankings of the groups, or all in one if there are too many groups."""
    if ranking is None:
        return []
    return ranking.parts if len(ranking.table.groups) <= GROUPS else [ranking]


def _own_sheets(book: Book, ranking: Ranking, groups: int) -> list[str]:
    """The names of the sheets of the first pairs, one of so many groups' share of all sheets."""
    rows = np.cumsum(ranking.table.boards[: SHEETS // groups])
    names = ranking.table.names[: max(int(np.count_nonzero(rows <= SHEET_ROWS // groups)), 1)].tolist()
    return [book.names.give(pair_name(place, name)) for place, name in enumerate(names, start=1)]


def _ranking(book: Book, title: str, event: Event, group: _Group, about: str) -> None:
    """The sheet with the ranking of pairs, each linked to its own sheet."""
    sheet = book.sheet(
        group.sheet, f"{title}{of_group(group.ranking)}", (remark(event, group.ranking),), COLOURS["Bid"]
    )
    links: dict[tuple[int, str], Place] = {(at, "Pair"): (name, 0, 0) for at, name in enumerate(group.own)}
    _main_table(book, sheet, event, group.ranking, about, links)


def _main_table(
    book: Book,
    sheet: Any,
    event: Event,
    ranking: Ranking,
    about: str,
    links: dict[tuple[int, str], Place] | None = None,
) -> None:
    """A ranking under the remarks of its sheet: bars next to averages, the others in grey and without bars."""
    listing = ranking.listing.slice(0, ROWS)
    ranked = ranked_rows(ranking, len(listing))
    middle = 50 if event.totals.in_percent else 0
    barred = with_bars(listing, [ranking.by_name, *_BARRED], 0 if " - " in ranking.order else middle, ranked)
    book.link(sheet, 2, 0, (about, 0, 0), _order_said(event, ranking))
    book.table(sheet, barred, links=links, faded=ranked)
    columns = sum(heading.need <= PRINTED for heading in barred.headings)
    sheet.print_area(0, 0, TOP + len(listing), columns - 1)


def _players(book: Book, event: Event, name: str, ranking: Ranking, about: str) -> None:
    """The sheet with the ranking of players."""
    says = "A player's own figures are declarer's play and leads; the other figures are shared with partners."
    found = reliability_said(event.totals, ranking.table)
    remarks = f"{says} Reliability: {found}." if found else says
    sheet = book.sheet(name, f"Players{of_group(ranking)}", (remarks,), COLOURS["Lead"])
    _main_table(book, sheet, event, ranking, about)


def _order_said(event: Event, ranking: Ranking) -> str:
    """The line that says what a ranking is in the order of, and who has no place."""
    return f"{order_said(event.totals, ranking)} Columns are explained on the sheet {_ABOUT}."


@dataclass(frozen=True, slots=True, eq=False)
class _Tableaux:
    """The tableaux for which the report has room.

    lines : all of them
    boards : how many boards there are
    kept : of those for whose tableaux there is room, in the order of their numbers, the lines from and to
    tops : the row of the sheet where each board's begins
    """

    event: Event
    lines: Tableau
    boards: int
    kept: dict[int, tuple[int, int]]
    tops: dict[int, int]

    @classmethod
    def of(cls, event: Event) -> _Tableaux:
        """The tableaux of the first boards, up to LINES."""
        lines = tableau(event.results, event.parts, lead=event.totals.options.lead)
        boards, first, count = np.unique(lines.board, return_index=True, return_counts=True)
        order = np.argsort(board_places(event.results.boards)[boards])
        room = int(np.searchsorted(np.cumsum(count[order]), LINES, side="right"))
        kept = {}
        tops = {}
        row = _FIRST
        for at in order[:room].tolist():
            board, start, size = int(boards[at]), int(first[at]), int(count[at])
            kept[board] = (start, start + size)
            tops[board] = row
            row += size + 3  # a title, the headings, and a row between
        return cls(event, lines, len(boards), kept, tops)

    @property
    def rows(self) -> int:
        """How many lines are kept."""
        return sum(stop - start for start, stop in self.kept.values())

    def write(self, book: Book, name: str, written: _Written) -> None:
        """Write them one under the other."""
        totals = self.event.totals
        sheet = book.sheet(
            name,
            "Tableaux",
            (
                "Each board's results, the best for the declaring side first.",
                "Score is North-South's; Overall, Bid and Play the declaring side's; Lead and Defence the defenders'.",
            ),
            COLOURS["Defence"],
        )
        method = totals.options.method
        middle = 50 if totals.in_percent else 0
        listing = with_bars(tableau_listing(self.event.results, self.lines, method=method), ["Overall"], middle)
        bold = book.format(bold=True, font_size=11)
        for column, heading in enumerate(listing.headings):
            sheet.set_column(column, column, heading.width)
        for board, (start, stop) in self.kept.items():
            top = self.tops[board]
            sheet.write_string(top, 0, text(tableau_title(self.event.results, board)), bold)
            book.table(sheet, listing.slice(start, stop), top + 1, main=False)
            written.more(stop - start)
        sheet.freeze_panes(TOP, 0)


def _pairs(book: Book, explained: Explained, group: _Group, tableaux: dict[int, Place], written: _Written) -> None:
    """A sheet for each of the first pairs of a group: why it has its place, its figures and the field's, its boards."""
    event, ranking = explained.event, group.ranking
    method = event.totals.options.method
    boards = PairBoards.of(event.results, event.parts, event.who)
    breakdown = Breakdown.of(event.results, event.parts, event.who, method)
    number_of = {name: at for at, name in enumerate(event.who.pair_names)}
    field = np.array([number_of[name] for name in ranking.table.names.tolist()], dtype=np.intp)
    best = field[: math.ceil(ranked_rows(ranking, len(field)) / 3)]
    for row, name in enumerate(group.own):
        called = str(ranking.table.names[row])
        pair = number_of[called]
        sheet = PairSheet(book, name, called, of_pair(ranking, row), group.sheet)
        places = [tableaux.get(at) for at in boards.boards_of(pair)]
        listing = without_blank(boards.listing(pair, method))
        sheet.write(explained.explain(called), listing, breakdown.listing(pair, field, best), places)
        written.more(int(group.rows[row]))


def _about(
    book: Book,
    name: str,
    event: Event,
    ranking: Ranking,
    groups: Sequence[_Group],
    blocks: _Tableaux,
    parts: Sequence[str],
) -> None:
    """The sheet that lists the others, and says how the report was made, from what, and what its columns mean."""
    own = sum(len(group.own) for group in groups)
    contents: list[tuple[str, Value]] = [("Sheet", part) for part in parts]
    contents += [("Sheet of a pair", part) for group in groups for part in group.own]
    said = list(about(event, ranking, _limits(event, ranking, own, blocks), ("numpy", "XlsxWriter")))
    said += contents
    sheet = book.sheet(
        name, "About this report", ("What it was made from and how, and what its columns mean.",), COLOURS["Defence"]
    )
    headings = (Heading("What", "", "@", 24), Heading("Is", "", "@", 110))
    wrapped = Listing(headings, ([what for what, _ in said], [value for _, value in said]))
    first = len(said) - len(contents)
    links = {(first + at, "Is"): (str(part), 0, 0) for at, (_, part) in enumerate(contents)}
    book.table(sheet, wrapped, wrapped=True, links=links)


def _limits(event: Event, ranking: Ranking, own: int, blocks: _Tableaux) -> list[tuple[str, Value]]:
    """What had no room in the report."""
    rows: list[tuple[str, Value]] = []
    if len(ranking.table) > own:
        ranked = "each group, so many in all," if len(ranking.table.groups) > 1 else "the ranking"
        rows.append(("Sheets of pairs", f"the first {own} of {ranked} have one"))
    if len(ranking.table) > ROWS or len(event.totals.players) > ROWS:
        rows.append(("Rankings", f"the first {ROWS:,} are listed"))
    if len(blocks.kept) < blocks.boards:
        rows.append(("Tableaux", f"of the first {len(blocks.kept):,} of {counted(blocks.boards, 'board')}"))
    return rows
