"""The command `valet-xl simulate`: a tournament that is made up, with strengths that are known."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from valet_xl.cli.options import words
from valet_xl.cli.terminal import fail, progress
from valet_xl.documents.disk import replace_file
from valet_xl.errors import FileError
from valet_xl.messages import counted
from valet_xl.rankings.listing import Heading, Listing, Value
from valet_xl.rankings.simulate import MOVEMENTS, Tournament
from valet_xl.rankings.simulate import simulate as made_up
from valet_xl.reading.csv_file import write_csv

STEPS = ("dealing", "writing")
SUFFIXES = (".xlsx", ".csv", ".txt")

Spread = Annotated[float, typer.Option(min=0, help="How pairs or players differ in it: a standard deviation in IMPs.")]


def simulate(
    output: Annotated[
        Path,
        typer.Option("--output", "-o", help="The file to write: .xlsx, .csv, or .txt for Valet text."),
    ],
    pairs: Annotated[int, typer.Option(help="How many pairs, an even number.")] = 16,
    boards: Annotated[int, typer.Option(help="Boards a round.")] = 4,
    rounds: Annotated[int, typer.Option(help="Rounds.")] = 7,
    seed: Annotated[int, typer.Option(min=0, help="The same seed makes the same tournament.")] = 0,
    movement: Annotated[str, words(MOVEMENTS, "Who meets whom.")] = "mitchell",
    bid: Spread = 0.3,
    play: Spread = 0.3,
    lead: Spread = 0.1,
    defence: Spread = 0.2,
) -> None:
    """Make up a tournament in which it is known how strong each pair is, to try things on.

    The strengths are written too: on a sheet of their own, or beside NAME.csv or NAME.txt to NAME-strengths.csv. The
    players of NAME.txt are in NAME-names.txt.
    """
    try:
        if output.suffix.lower() not in SUFFIXES:
            raise FileError(f"{output}: a tournament is written as {', '.join(SUFFIXES)}")
        with progress(STEPS) as step:
            step("dealing")
            tournament = made_up(pairs, rounds, boards, movement, bid, play, lead, defence, seed)
            step("writing")
            written = _write(tournament, output)
    except ValueError as error:
        fail(error)
    size = counted(len(tournament.results), "result")
    typer.echo(f"made up {size} of {counted(pairs, 'pair')} on {counted(rounds * boards, 'board')}")
    for path in written:
        typer.echo(f"written to {path}")


def _write(tournament: Tournament, output: Path) -> list[Path]:
    """Write the results and the strengths, and give the files."""
    beside = output.with_name(f"{output.stem}-strengths.csv")
    if output.suffix.lower() == ".xlsx":
        replace_file(output, _workbook(tournament))
        return [output]
    replace_file(beside, write_csv(tournament.strengths_table()))
    if output.suffix.lower() == ".csv":
        replace_file(output, write_csv(tournament.table()))
        return [output, beside]
    names = output.with_name(f"{output.stem}-names.txt")
    replace_file(names, tournament.names_text().encode())
    replace_file(output, tournament.valet_text().encode())
    return [output, names, beside]


def _workbook(tournament: Tournament) -> bytes:
    """A workbook with the results, and with the strengths on another sheet."""
    from valet_xl.reports.book import Book  # noqa: PLC0415 - its library is loaded where a workbook is written

    book = Book("Made-up tournament")
    for name, title, table in (
        ("Results", "A made-up tournament", tournament.table()),
        ("Strengths", "How strong the pairs are that were made up, in IMPs", tournament.strengths_table()),
    ):
        sheet = book.sheet(book.names.give(name), title, ("Made up by valet-xl simulate: nobody played this.",))
        book.table(sheet, _listing(table))
    return book.close()


def _listing(table: list[list[str]]) -> Listing:
    """A table of texts, its numbers as numbers."""
    columns: list[list[Value]] = [[_value(cell) for cell in column] for column in zip(*table[1:], strict=True)]
    headings = []
    for name, column in zip(table[0], columns, strict=True):
        texts = [len(cell) for cell in column if isinstance(cell, str)]
        form = "@" if texts else "0.00" if any(isinstance(cell, float) for cell in column) else "0"
        headings.append(Heading(name, name, form, max(9, *texts, 0) + 2))
    return Listing(tuple(headings), tuple(columns))


def _value(cell: str) -> Value:
    """A cell as a number if it is one."""
    if not cell:
        return None
    if cell.isdecimal():
        return int(cell)
    try:
        return float(cell)
    except ValueError:
        return cell
