"""A listing as a table on the terminal."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence

import click
from rich import box
from rich.cells import cell_len
from rich.console import Console
from rich.table import Table
from rich.text import Text

from valet_xl.rankings.listing import NEEDED_ALWAYS, Heading, Listing, joined, shown

_NARROWEST = 15  # characters that texts keep at least, over lines of their own, before a column goes that is needed
_WIDEST = 40  # characters that texts have before other columns are there
_BETWEEN = 2  # blanks between columns


def print_listing(listing: Listing, title: str = "") -> None:
    """Print a table under its title; see `print_listings`."""
    print_listings([(title, listing)])


def print_listings(listings: Sequence[tuple[str, Listing]], by: str = "") -> None:
    """Print tables of the same columns, each under its title, as wide as the terminal.

    by : the heading of the column that the rows are in the order of, which a terminal shows with a mark

    Elsewhere they are as wide as they are, unless COLUMNS says how wide. Where there is no room for all columns those
    go first that are not always needed, then texts wrap, then others go.
    """
    listing = joined([each for _, each in listings])
    asked = os.environ.get("COLUMNS", "").isdigit()
    width = Console().width if sys.stdout.isatty() or asked else None
    texts = [
        [shown(cell, heading.format) for cell in cells]
        for heading, cells in zip(listing.headings, listing.columns, strict=True)
    ]
    marked = next((at for at, heading in enumerate(listing.headings) if heading.name == by), None)
    names = [_title(listing, at) for at in range(len(listing.headings))]
    if marked is not None and sys.stdout.isatty():
        names[marked] += _mark()
    wide = [
        max((cell_len(text) for text in (name, *column)), default=0) for name, column in zip(names, texts, strict=True)
    ]
    said = [at for at, column in enumerate(texts) if any(column) or not column]
    kept = _fitting(listing, wide, said, width)
    # Columns that must stay are never cut: where they do not fit either, the terminal breaks the lines.
    needed = sum(_least(listing, wide, at) for at in kept)
    console = Console(width=max(width, needed) if width else sum(wide) + _BETWEEN * len(wide), highlight=False)
    first = 0
    for number, (title, each) in enumerate(listings):
        if number:
            console.print()
        if title:
            console.print(Text(title, style="bold"), soft_wrap=True)
        rows = range(first, first + len(each))
        console.print(_table(listing, names, texts, wide, kept, rows, marked))
        first = rows.stop
    if left_out := [listing.headings[at] for at in said if at not in kept]:
        click.echo(f"no room for: {_left_out(left_out)}", err=True)


def print_legend(listing: Listing) -> None:
    """Print what is in each column, where its heading does not say all of it."""
    shown_ones = (
        heading
        for heading, cells in zip(listing.headings, listing.columns, strict=True)
        if any(cell is not None and cell != "" for cell in cells)
    )
    explained = [heading for heading in shown_ones if heading.says.split()[-1].lower() != heading.name.lower()]
    if not explained:
        return
    width = max(len(heading.name) for heading in explained)
    console = Console(highlight=False)
    console.print()
    for heading in explained:
        console.print(Text.assemble((heading.name.ljust(width), "bold"), f"  {heading.says}"), soft_wrap=True)


def _mark() -> str:
    """What is behind the heading of the column that the rows are in the order of."""
    mark = " ▼"
    try:
        mark.encode(sys.stdout.encoding or "ascii")
    except UnicodeEncodeError:
        return " v"
    return mark


def _table(
    listing: Listing,
    names: Sequence[str],
    texts: Sequence[Sequence[str]],
    wide: Sequence[int],
    kept: Sequence[int],
    rows: range,
    marked: int | None,
) -> Table:
    """Some rows and columns of a listing as rich shows them: colours and bold letters on a terminal alone."""
    table = Table(
        box=box.SIMPLE_HEAD,
        show_edge=False,
        pad_edge=False,
        padding=(0, _BETWEEN - 1, 0, 0),
        header_style="bold cyan",
    )
    for at in kept:
        heading = listing.headings[at]
        text = heading.format == "@"
        table.add_column(
            Text(names[at]),
            style="bold" if at == marked else "dim" if heading.of else "",
            justify="left" if text else "right",
            no_wrap=not text,
            overflow="fold",
            min_width=min(wide[at], _NARROWEST) if text else wide[at],
        )
    for row in rows:
        table.add_row(*(Text(texts[at][row]) for at in kept))
    return table


def _fitting(listing: Listing, wide: list[int], said: list[int], width: int | None) -> list[int]:
    """Which of the columns that say something there is room for."""
    kept = list(said)
    if width is None:
        return kept
    for texts, least in ((_WIDEST, NEEDED_ALWAYS), (_NARROWEST, 0)):
        while sum(_least(listing, wide, at, texts) for at in kept) - _BETWEEN > width:
            going = listing.headings[max(kept, key=lambda at: (listing.headings[at].need, at))]
            if going.need <= least:
                break
            group = (going.need, going.of or going.name)  # an average goes with its standard error
            kept = [at for at in kept if (listing.headings[at].need, _average(listing, at)) != group]
    return kept


def _left_out(headings: list[Heading]) -> str:
    """What there was no room for; that the errors and limits of an average go with it need not be said."""
    names = [heading.name for heading in headings if not heading.of]
    limits = dict.fromkeys(heading.of for heading in headings if heading.of and heading.of not in names)
    return ", ".join([*names, *([f"the intervals of {', '.join(limits)}"] if limits else [])])


def _average(listing: Listing, at: int) -> str:
    """The average that a column shows, or belongs to."""
    return listing.headings[at].of or listing.headings[at].name


def _title(listing: Listing, at: int) -> str:
    """What is over a column: next to its average a standard error needs no more than SE."""
    heading = listing.headings[at]
    beside = heading.of and at > 0 and _average(listing, at - 1) == heading.of
    return heading.name.removeprefix(heading.of).strip() if beside else heading.name


def _least(listing: Listing, wide: list[int], at: int, texts: int = _NARROWEST) -> int:
    """The room that a column takes at least, where texts have so much."""
    return (min(wide[at], texts) if listing.headings[at].format == "@" else wide[at]) + _BETWEEN
