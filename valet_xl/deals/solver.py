"""What deals give double dummy, solved by endplay's DDS on all cores, and no more than is asked for."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from valet_xl.deals.cards import CARDS, DECK, Bytes
from valet_xl.errors import ValetError
from valet_xl.messages import to_install

EXTRA = "deals"  # what installs the solver
STRAINS, SEATS = 5, 4
NOTRUMP = 4
NO_CARD = 255  # the tricks after a card that the leader does not hold

Ask = tuple[int, int, int]
"""A declarer's contract: the place of its deal, the strain, clubs 0 to notrump 4, and declarer, N 0 to W 3."""

_TABLES, _BOARDS = 40, 200  # that the library takes at once
_MOST, _ALL_CARDS = 1, 3  # what is found: one card that takes most, or what every card takes
_NO_TARGET = -1  # as many tricks as there are
_TWO = 2  # the bit of the two is 1 << 2


def solver_version(extra: str = EXTRA) -> str:
    """Name and version of the solver.

    Parameters
    ----------
    extra : what installs it, for the message

    Raises
    ------
    ValetError : where it is not installed
    """
    from importlib.metadata import PackageNotFoundError, version  # noqa: PLC0415

    try:
        return f"endplay {version('endplay')}"
    except PackageNotFoundError as error:
        if sys.platform == "emscripten":  # there is none on the package index
            raise ValetError("deals cannot be solved in a browser (the command valet-xl solves them)") from error
        raise ValetError(f"the solver endplay is not installed (install it with: {to_install(extra)})") from error


def one_thread() -> None:
    """Let the solver of this process work in one thread, as other processes do beside it.

    Raises
    ------
    ValetError : where the solver is not installed
    """
    _library().SetMaxThreads(1)


def solve_tables(owners: Bytes, done: Callable[[int], object] = lambda _: None) -> Bytes:
    """Every declarer's tricks in every strain.

    Parameters
    ----------
    owners : (n, 52) as in `deal_of`
    done : called with how many deals are solved, now and then

    Returns
    -------
    (n, 5, 4) tricks by strain, clubs to notrump, and declarer, N E S W

    Raises
    ------
    ValetError : where the solver is not installed
    """
    dds = _library()
    out = np.empty((len(owners), STRAINS, SEATS), dtype=np.uint8)
    for start in range(0, len(owners), _TABLES):
        part = owners[start : start + _TABLES]
        asked, found = dds.ddTableDeals(), dds.ddTablesRes()
        asked.noOfTables = len(part)
        for at, owner in enumerate(part):
            for seat, hand in enumerate(_hands(owner)):
                asked.ddTableDeal[at].cards[seat][:] = hand
        dds.CalcAllTables(asked, -1, [0] * STRAINS, found, dds.allParResults())
        for at in range(len(part)):
            table = np.array([list(row) for row in found.results[at].resTable], dtype=np.uint8)
            out[start + at] = table[[_trump(strain) for strain in range(STRAINS)]]
        done(start + len(part))
    return out


def solve_tricks(owners: Bytes, asks: Sequence[Ask], done: Callable[[int], object] = lambda _: None) -> Bytes:
    """(k,) tricks of k declarers: one number each, found alone. Parameters and errors as in `solve_leads`."""
    out = np.empty(len(asks), dtype=np.uint8)
    for at, found in _boards(owners, asks, _MOST, done):
        out[at] = CARDS - found.score[0]
    return out


def solve_leads(owners: Bytes, asks: Sequence[Ask], done: Callable[[int], object] = lambda _: None) -> Bytes:
    """What declarers take after each opening lead.

    Parameters
    ----------
    owners : (n, 52) as in `deal_of`
    asks : k contracts
    done : called with how many contracts are solved, now and then

    Returns
    -------
    (k, 52) declarer's tricks after each card, in the order of owners; NO_CARD where the leader does not hold it

    Raises
    ------
    ValetError : where the solver is not installed
    """
    out = np.full((len(asks), DECK), NO_CARD, dtype=np.uint8)
    for at, found in _boards(owners, asks, _ALL_CARDS, done):
        for card in range(found.cards):
            alike = found.equals[card] | 1 << found.rank[card]  # lower cards that are as good
            for place in range(CARDS):
                if alike >> (_TWO + CARDS - 1 - place) & 1:
                    out[at, found.suit[card] * CARDS + place] = CARDS - found.score[card]
    return out


def _boards(owners: Bytes, asks: Sequence[Ask], solutions: int, done: Callable[[int], object]) -> Any:
    """The place of each contract, and what the solver found of it."""
    dds = _library()
    for start in range(0, len(asks), _BOARDS):
        part = asks[start : start + _BOARDS]
        asked, found = dds.boards(), dds.solvedBoards()
        asked.noOfBoards = len(part)
        for at, (deal, strain, declarer) in enumerate(part):
            board = asked.deals[at]
            board.trump, board.first = _trump(strain), (declarer + 1) % SEATS
            for seat, hand in enumerate(_hands(owners[deal])):
                board.remainCards[seat][:] = hand
            asked.target[at], asked.solutions[at], asked.mode[at] = _NO_TARGET, solutions, 1
        dds.SolveAllBoardsBin(asked, found)
        for at in range(len(part)):
            yield start + at, found.solvedBoard[at]
        done(start + len(part))


def _trump(strain: int) -> int:
    """The solver's number of a strain: spades 0 to clubs 3, notrump 4."""
    return NOTRUMP if strain == NOTRUMP else NOTRUMP - 1 - strain


def _hands(owner: Bytes) -> list[list[int]]:
    """Each hand as the solver's four numbers, spades first: the bit of a two is 4, of an ace 16,384."""
    bits = (1 << _TWO) << np.arange(CARDS - 1, -1, -1)
    suits = owner.reshape(4, CARDS)
    return [((suits == seat) @ bits).tolist() for seat in range(SEATS)]


def _library() -> Any:
    solver_version()
    from endplay import _dds  # noqa: PLC0415

    return _dds
