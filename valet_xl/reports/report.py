"""A report: a new workbook with the ranking, charts, the boards of each pair, tableaux, and how all of it was made."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields
from importlib.metadata import PackageNotFoundError, version
from typing import Any

import numpy as np

from valet_xl.engine.score_results import Summary
from valet_xl.messages import counted
from valet_xl.rankings.event import Event
from valet_xl.rankings.listing import Heading, Listing, Value, shown
from valet_xl.rankings.pair_boards import PairBoards
from valet_xl.rankings.ranking import Ranking, rank
from valet_xl.rankings.tableau import Tableau, tableau, tableau_listing, tableau_title
from valet_xl.rankings.totals import Totals
from valet_xl.reports.book import COLOURS, TOP, Book, Place, address, text
from valet_xl.reports.charts import bidding_and_play, of_group, parts_by_pair
from valet_xl.reports.sheet_names import pair_name

SHEETS = 100  # pairs with a sheet of their own: the first of the ranking,
GROUPS = 12  # that have sheets of their own; more are in one ranking, with a column that names them
SHEET_ROWS = 50_000  # as long as their boards together have no more rows than these
ROWS = 20_000  # pairs and players that a ranking lists
LINES = 30_000  # lines of tableaux
PRINTED = 4  # columns of a ranking are printed up to this `Heading.need`
PROBLEMS = 1_000  # that the last sheet lists
_RANKING, _PLAYERS, _CHART, _PARTS = "Ranking", "Players", "Bidding and play", "Parts"
_TABLEAUX, _ABOUT = "Tableaux", "About"
_FIRST = TOP + 1  # the row where tableaux begin
_BARS = ("Overall", "Bid", "Play", "Declarer", "Lead", "Defence")


def report(event: Event, title: str, *, order: str | None = None, order_of_players: str | None = None) -> bytes:
    """Make the report.

    Parameters
    ----------
    event : what it is about
    title : its title
    order, order_of_players : of the rankings of pairs and of players, as for `rank`

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
    tableaux, about = map(book.names.give, (_TABLEAUX, _ABOUT))
    for group in groups:
        group.own = _own_sheets(book, group.ranking, len(groups))
        _ranking(book, title, event, group)
    for group in groups:
        bidding_and_play(book, group.chart, totals, group.ranking)
        parts_by_pair(book, group.parts, totals, group.ranking)
    for name, ranking in of_players:
        _players(book, event, name, ranking)
    blocks = _Tableaux.of(event)
    blocks.write(book, tableaux)
    for group in groups:
        _pairs(book, event, group, {at: (tableaux, row, 0) for at, row in blocks.tops.items()})
    _about(book, about, event, pairs, sum(len(group.own) for group in groups), blocks)
    return book.close()


@dataclass(slots=True)
class _Group:
    """The ranking of a group, the names of its three sheets, and those of its first pairs."""

    ranking: Ranking
    sheet: str
    chart: str
    parts: str
    own: Sequence[str] = ()


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


def _ranking(book: Book, title: str, event: Event, group: _Group) -> None:
    """The sheet with the ranking of pairs, each linked to its own sheet."""
    listing = group.ranking.listing.slice(0, ROWS)
    sheet = book.sheet(group.sheet, f"{title}{of_group(group.ranking)}", _remarks(event, group.ranking), COLOURS["Bid"])
    links: dict[tuple[int, str], Place] = {(at, "Pair"): (name, 0, 0) for at, name in enumerate(group.own)}
    book.table(sheet, listing, bars=_BARS, links=links)
    _print_main(sheet, listing)


def _print_main(sheet: Any, listing: Listing) -> None:
    """Print the columns that are needed most, so that a page is large enough to read."""
    columns = sum(heading.need <= PRINTED for heading in listing.headings)
    sheet.print_area(0, 0, TOP + len(listing), columns - 1)


def _players(book: Book, event: Event, name: str, ranking: Ranking) -> None:
    """The sheet with the ranking of players."""
    remarks = ("A player's own figures are declarer's play and leads; the other figures are shared with partners.",)
    sheet = book.sheet(name, f"Players{of_group(ranking)}", remarks, COLOURS["Lead"])
    listing = ranking.listing.slice(0, ROWS)
    book.table(sheet, listing, bars=_BARS)
    _print_main(sheet, listing)


def _remarks(event: Event, ranking: Ranking) -> tuple[str, str]:
    """The two lines under the title of a ranking."""
    totals, summary = event.totals, event.summary
    unit = "per cent" if totals.in_percent else "IMPs"
    with_clouds = ", with clouds" if totals.options.cloud else ""
    made_up = ", corrected for opponents' strength" if totals.compensation != "none" else ""
    least = " or ".join(map(str, _minimums(ranking)))
    few = f"; under {least} boards: no place" if least not in ("0", "1") else ""
    return (
        f"{counted(len(ranking.table), 'pair')}, {counted(summary.boards, 'board')}, "
        f"{counted(summary.scored, 'result')}. "
        f"Averages in {unit}, method {totals.options.method}{with_clouds}{made_up}.",
        f"In the order of {ranking.order}{few}. SE: standard error; Low and High: 95 % interval. "
        f"Columns are explained on the sheet {_ABOUT}.",
    )


def _minimums(ranking: Ranking) -> list[int]:
    """How many boards a place requires in the groups of a ranking; groups that require as many are not repeated."""
    return sorted({ranking.table.minimums[group] for group in ranking.table.group.tolist()})


@dataclass(frozen=True, slots=True, eq=False)
class _Tableaux:
    """The tableaux for which the report has room.

    lines : all of them
    starts : where each board's begin among them, and where the last ends
    boards : those for whose tableaux there is room
    tops : the row of the sheet where each board's begins
    height : the row where the last ends
    """

    event: Event
    lines: Tableau
    starts: list[int]
    boards: list[int]
    tops: dict[int, int]
    height: int

    @classmethod
    def of(cls, event: Event) -> _Tableaux:
        """The tableaux of the first boards, up to LINES."""
        lines = tableau(event.results, event.parts, lead=event.totals.options.lead)
        boards, first = np.unique(lines.board, return_index=True)
        starts = [*first.tolist(), len(lines)]
        room = int(np.searchsorted(starts[1:], LINES, side="right"))
        kept = boards[:room].tolist()
        tops = {}
        row = _FIRST
        for at, board in enumerate(kept):
            tops[board] = row
            row += starts[at + 1] - starts[at] + 3  # a title, the headings, and a row between
        return cls(event, lines, starts, kept, tops, row)

    def write(self, book: Book, name: str) -> None:
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
        listing = tableau_listing(self.event.results, self.lines, method=method)
        bold = book.format(bold=True, font_size=11)
        for column, heading in enumerate(listing.headings):
            sheet.set_column(column, column, heading.width)
        for at, board in enumerate(self.boards):
            top = self.tops[board]
            sheet.write_string(top, 0, text(tableau_title(self.event.results, board)), bold)
            book.table(sheet, listing.slice(self.starts[at], self.starts[at + 1]), top + 1, main=False)
        book.bar(sheet, listing.names.index("Overall"), _FIRST, self.height)
        sheet.freeze_panes(TOP, 0)


def _pairs(book: Book, event: Event, group: _Group, tableaux: dict[int, Place]) -> None:
    """A sheet for each of the first pairs of a group, with its boards, each linked to its tableau."""
    ranking = group.ranking
    boards = PairBoards.of(event.results, event.parts, event.who)
    number_of = {name: at for at, name in enumerate(event.who.pair_names)}
    for row, name in enumerate(group.own):
        pair = number_of[ranking.table.names[row]]
        listing = boards.listing(pair, event.totals.options.method)
        listing = listing.only(
            [
                heading.name
                for heading, cells in zip(listing.headings, listing.columns, strict=True)
                if heading.name not in ("Round", "Player", "Led") or any(cell is not None for cell in cells)
            ]
        )
        sheet = book.sheet(name, str(ranking.table.names[row]), _of_pair(event, ranking, row))
        back = book.format(font_color=COLOURS["Bid"], underline=1)
        sheet.write_url(2, 0, address((group.sheet, 0, 0)), back, "Ranking")
        of_row = boards.boards_of(pair)
        links = {(at, "Board"): tableaux[board] for at, board in enumerate(of_row) if board in tableaux}
        book.table(sheet, listing, bars=("Overall",), links=links)


def _of_pair(event: Event, ranking: Ranking, row: int) -> tuple[str, ...]:
    """A pair's figures in one line."""
    listing = ranking.listing
    said = []
    for heading, cells in zip(listing.headings, listing.columns, strict=True):
        if (
            heading.name in ("Boards", *_BARS, "Play") or (heading.of in _BARS and heading.name.endswith(" SE"))
        ) and cells[row] is not None:
            said.append(f"{heading.name} {shown(cells[row], heading.format)}")
    place = ranking.places[row]
    among = f" {ranking.group}" if ranking.group else ""
    return (f"{f'Place {place}' if place else 'No place'}{among}. {', '.join(said)}",)


def _about(book: Book, name: str, event: Event, ranking: Ranking, own: int, blocks: _Tableaux) -> None:
    """The sheet that says how the report was made, from what, and what its columns mean."""
    said: list[tuple[str, Value]] = [
        ("Program", f"valet_xl {_version('valet-xl')}, numpy {np.__version__}, XlsxWriter {_version('XlsxWriter')}")
    ]
    said += [("File", file) for file in event.files]
    said += _counts(event)
    said += [("Scoring", line) for line in event.said]
    said += _options(event.totals, ranking)
    said += _limits(event, ranking, own, blocks)
    said += [(f"Column {heading.name}", heading.says) for heading in ranking.listing.headings]
    said += _problems(event.summary)
    sheet = book.sheet(
        name, "About this report", ("What it was made from and how, and what its columns mean.",), COLOURS["Defence"]
    )
    headings = (Heading("What", "", "@", 24), Heading("Is", "", "@", 110))
    wrapped = Listing(headings, ([what for what, _ in said], [value for _, value in said]))
    book.table(sheet, wrapped, wrapped=True)


def _counts(event: Event) -> list[tuple[str, Value]]:
    """How many results there are, and how many were not counted."""
    summary, totals = event.summary, event.totals
    rows: list[tuple[str, Value]] = [
        ("Boards", f"{summary.boards:,}"),
        ("Results", f"{summary.results:,}, of which {summary.scored:,} were scored"),
    ]
    if totals.adjusted:
        rows.append(("Adjusted scores", f"{totals.adjusted:,}, which count for their owners and are in no field"))
    rows += [("Not counted", f"{number:,}: {reason}") for reason, number in totals.uncounted.items() if number]
    if summary.rounds:
        rows.append(
            (
                "Rounds",
                "board numbers that are used again in other rounds are "
                + ("new deals" if summary.rounds == "new" else "the same deals"),
            )
        )
    return rows


def _options(totals: Totals, ranking: Ranking) -> list[tuple[str, Value]]:
    """The options of scoring and ranking, by their names on the command line."""
    rows: list[tuple[str, Value]] = []
    for field in fields(totals.options):
        value = getattr(totals.options, field.name)
        word = {True: "yes", False: "no", None: "as the rule says"}.get(value, value)
        rows.append((f"Option {field.name.replace('_', '-')}", str(word)))
    rows.append(("Option order", ranking.order))
    rows.append(("Option minimum", f"{' or '.join(map(str, _minimums(ranking)))} boards"))
    rows.append(("Option compensation", totals.compensation))
    return rows


def _limits(event: Event, ranking: Ranking, own: int, blocks: _Tableaux) -> list[tuple[str, Value]]:
    """What had no room in the report."""
    rows: list[tuple[str, Value]] = []
    if len(ranking.table) > own:
        ranked = "each group, so many in all," if len(ranking.table.groups) > 1 else "the ranking"
        rows.append(("Sheets of pairs", f"the first {own} of {ranked} have one"))
    if len(ranking.table) > ROWS or len(event.totals.players) > ROWS:
        rows.append(("Rankings", f"the first {ROWS:,} are listed"))
    if len(blocks.boards) < len(blocks.starts) - 1:
        rows.append(("Tableaux", f"of the first {len(blocks.boards):,} of {counted(len(blocks.starts) - 1, 'board')}"))
    return rows


def _problems(summary: Summary) -> list[tuple[str, Value]]:
    """What was not scored or could not be read, and why."""
    rows: list[tuple[str, Value]] = [("Not scored", line) for line in summary.unscored]
    rows += [("Cannot be read", str(error)) for error in summary.errors]
    more = len(rows) - PROBLEMS
    return [*rows[:PROBLEMS], *([("More", f"{more:,} more, which are not listed")] if more > 0 else [])]


def _version(package: str) -> str:
    try:
        return version(package)
    except PackageNotFoundError:
        return "(not installed)"
