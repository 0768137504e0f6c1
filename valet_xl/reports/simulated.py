"""The files of a simulated tournament: its results, its players and the strengths of its pairs."""

from __future__ import annotations

from pathlib import Path

from valet_xl.errors import FileError
from valet_xl.rankings.listing import Heading, Listing, Value
from valet_xl.rankings.simulate import Tournament
from valet_xl.reading.csv_file import write_csv

SUFFIXES = (".xlsx", ".csv", ".txt")


def need_suffix(output: Path) -> None:
    """Refuse a name that does not say in which format a tournament is written.

    Raises
    ------
    FileError : if it ends in none of SUFFIXES
    """
    if output.suffix.lower() not in SUFFIXES:
        raise FileError(f"{output}: a tournament is written as {', '.join(SUFFIXES)}")


def files(tournament: Tournament, output: Path) -> dict[Path, bytes]:
    """The files of a tournament, the results first.

    Parameters
    ----------
    output : the file of the results; a workbook has the strengths too. For NAME.csv and NAME.txt they are in
        NAME-strengths.csv, and the players of NAME.txt are in NAME-names.txt

    Raises
    ------
    FileError : if the name ends in none of SUFFIXES
    """
    need_suffix(output)
    if output.suffix.lower() == ".xlsx":
        return {output: workbook(tournament)}
    strengths = {output.with_name(f"{output.stem}-strengths.csv"): write_csv(tournament.strengths_table())}
    if output.suffix.lower() == ".csv":
        return {output: write_csv(tournament.table()), **strengths}
    names = {output.with_name(f"{output.stem}-names.txt"): tournament.names_text().encode()}
    return {output: tournament.valet_text().encode(), **names, **strengths}


def workbook(tournament: Tournament) -> bytes:
    """A workbook with the results, and with the strengths on another sheet."""
    from valet_xl.reports.book import Book  # noqa: PLC0415 - its library is loaded only when a workbook is written

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
