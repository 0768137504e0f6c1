"""A board of a file of results: its tableau, and what is wrong on it."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from valet_xl.engine.options import OPTIONS, Options
from valet_xl.engine.results import Results, Status
from valet_xl.engine.score_results import split
from valet_xl.messages import Progress, unsaid
from valet_xl.rankings.listing import Listing
from valet_xl.rankings.tableau import find_board, tableau, tableau_listing, tableau_title
from valet_xl.reading.event_options import event_options
from valet_xl.reading.files import Content, read_content

BOARD_STEPS = ("reading", "scoring")
"""The steps of `board_of_file`, as it names them when they begin."""


@dataclass(frozen=True, slots=True)
class BoardOfFile:
    """The tableau of a board.

    title : the board, who is vulnerable, and how many results are on it
    listing : the tableau
    said : what was found in the file, and what was taken from it
    problems : why the board has no scores, or not all of them
    """

    title: str
    listing: Listing
    said: tuple[str, ...]
    problems: tuple[str, ...]


def board_of_file(
    file: Path,
    number: str,
    *,
    in_round: str | None = None,
    side: str = "declarer",
    options: Options | None = None,
    asked: Collection[str] = tuple(OPTIONS),
    sheet: str | None = None,
    names: Path | None = None,
    step: Progress = unsaid,
) -> BoardOfFile:
    """The tableau of a board of a file.

    Parameters
    ----------
    file : a file of any format that `read_results` reads
    number, in_round : the board, and the round where a number is another deal in each
    side : whose view the parts are
    options : how to score
    asked : the options that count whatever the file says about its event; all of them, if none are named
    sheet, names : as in `read_results`
    step : called with the name of each step when it begins (see `BOARD_STEPS`)

    Raises
    ------
    FileError, SheetError : as `read_results`, and where there is no such board
    """
    options = options or Options()
    step("reading")
    content = read_content(file, sheet, names, options)
    return board_of(file.name, content, number, in_round=in_round, side=side, options=options, asked=asked, step=step)


def board_of(
    name: str,
    content: Content,
    number: str,
    *,
    in_round: str | None,
    side: str,
    options: Options,
    asked: Collection[str],
    step: Progress = unsaid,
) -> BoardOfFile:
    """The tableau of a board of a file that was read: `board_of_file` without the reading.

    name : of the file
    """
    results = content.results
    options, taken = event_options([(name, content.source, results)], options, asked)
    which = find_board(results, number, of_round=in_round)
    step("scoring")
    lines = tableau(results, split(results, options), boards=[which], lead=options.lead, side=side)
    return BoardOfFile(
        tableau_title(results, which),
        tableau_listing(results, lines, method=options.method, side=side),
        (*results.remarks, *taken),
        tuple(_problems(results, which)),
    )


def _problems(results: Results, which: int) -> list[str]:
    """Why the board has no scores, or not all of them."""
    if np.any((results.status == Status.SCORED) & (results.board == which)):
        return ["not split: the board has scores without contracts, which no tableau can show"]
    rows = set(results.row[(results.board == which) & (results.status == Status.ERROR)].tolist())
    wrong = [f"cannot be read: {error}" for error in results.errors if error.row in rows]
    if wrong:
        return [*wrong, "not scored: the board, as a missing result would falsify the others"]
    played = np.count_nonzero(results.in_field & (results.board == which))
    return ["not scored: one result, nothing to compare with"] if played == 1 else []
