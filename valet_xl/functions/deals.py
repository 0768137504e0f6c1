"""Worksheet functions of deals, double dummy: tricks, par, and what an opening lead costs."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from valet_xl.deals.cards import Bytes, card_places, deal_of
from valet_xl.deals.kept import Solved
from valet_xl.deals.par import par_of
from valet_xl.deals.solver import NO_CARD, solver_version
from valet_xl.engine.notation import SPOT, Card, Contract, Seat, Strain, Vulnerability
from valet_xl.errors import NotationError, ValetError
from valet_xl.functions.arguments import cells
from valet_xl.functions.registry import Cell, CellError, Cells, ErrorCell, Shape, as_cells, worksheet_function
from valet_xl.messages import counted

_DEAL = cells("deal", "deals as in PBN, N:AK2.QJ3.987.6543 and three more hands, each in a cell")
_DECLARER = cells("declarer", "N, E, S or W, as many cells as deal or one for all", shape=Shape.SAME_OR_ONE)
_EXAMPLE = "N:KJ5.A843.Q72.KT4 Q972.K6.J985.A83 A84.QJT2.AK3.QJ6 T63.975.T64.9752"

_SOLVED = Solved()  # what is recalculated is not solved again


@worksheet_function(
    "VALET_DD",
    "tricks",
    f'=VALET_DD("{_EXAMPLE}","N","NT")',
    _DEAL,
    _DECLARER,
    cells("strain", "C, D, H, S or NT, as many cells as deal or one for all", shape=Shape.SAME_OR_ONE),
    shape="deal",
)
def valet_dd(deal: Cells, declarer: Cells, strain: Cells) -> Cells:
    """The tricks that declarer takes double dummy, when all four hands are seen; needs the extra deals."""

    def solve(owners: Bytes, rows: list[tuple[Any, ...]]) -> list[Cell]:
        asks = [(at, int(row[1]), int(row[0])) for at, row in enumerate(rows)]
        return [float(tricks) for tricks in _SOLVED.need_tricks(owners, asks)]

    return _each(deal, ((declarer, Seat.parse), (strain, _strain)), solve)


@worksheet_function(
    "VALET_DD_PAR",
    "two columns, a row a deal: points to North-South, and the contracts",
    f'=VALET_DD_PAR("{_EXAMPLE}","NS")',
    _DEAL,
    cells("vulnerability", "None, NS, EW or Both, as many cells as deal or one for all", shape=Shape.SAME_OR_ONE),
    cells("dealer", "N, E, S or W, who bids first: rarely matters (N)", None, shape=Shape.SAME_OR_ONE),
)
def valet_dd_par(deal: Cells, vulnerability: Cells, dealer: Cells | None) -> Cells:
    """Double-dummy par: what an auction in which all four hands are seen ends in; VALET_PAR is a datum of scores."""

    def solve(owners: Bytes, rows: list[tuple[Any, ...]]) -> list[Cell]:
        sides = np.array([[int(row[0]), int(row[1]) % 2] for row in rows], dtype=np.intp)
        par = par_of(_SOLVED.need_tables(owners), sides[:, 0], sides[:, 1])
        pars.extend(zip(par.score.tolist(), par.contracts, strict=True))
        return [float(at) for at in range(len(rows))]

    if len(deal[0]) > 1:
        raise CellError(f"deals in {len(deal[0])} columns (expected one column)")
    pars: list[tuple[float, str]] = []
    places = _each(deal, ((vulnerability, Vulnerability.parse), (dealer or [["N"]], Seat.parse)), solve)
    return [list(pars[int(cell)]) if isinstance(cell, float) else [cell, cell] for (cell,) in places]


@worksheet_function(
    "VALET_LEAD_COST",
    "tricks",
    f'=VALET_LEAD_COST("{_EXAMPLE}","3NT","N","D5")',
    _DEAL,
    cells("contract", "contracts such as 4SX, as many cells as deal or one for all", shape=Shape.SAME_OR_ONE),
    _DECLARER,
    cells("card", "opening leads such as HK, as many cells as deal or one for all", shape=Shape.SAME_OR_ONE),
    shape="deal",
)
def valet_lead_cost(deal: Cells, contract: Cells, declarer: Cells, card: Cells) -> Cells:
    """The tricks that an opening lead gives declarer double dummy; an error if the leader does not hold the card."""

    def solve(owners: Bytes, rows: list[tuple[Any, ...]]) -> list[Cell]:
        asks = [(at, int(row[0].strain), int(row[1])) for at, row in enumerate(rows)]
        after = _SOLVED.need_leads(owners, asks)
        places = card_places([row[2].suit for row in rows], [row[2].rank for row in rows])
        found: list[Cell] = []
        for tricks, place in zip(after, places, strict=True):
            held = tricks[place] != NO_CARD
            found.append(float(tricks[place]) - float(tricks.min()) if held else ErrorCell.VALUE)
        return found

    return _each(deal, ((contract, _bid), (declarer, Seat.parse), (card, _card)), solve)


@worksheet_function(
    "VALET_DD_CHECK",
    "a line for each deal that is wrong, or one that says all is well",
    "=VALET_DD_CHECK(A2:A101)",
    replace(_DEAL, read=as_cells),  # of cells that are no block it says so
)
def valet_dd_check(deal: Cells) -> list[Cell]:
    """What is wrong with deals, where and what was expected, and whether they can be solved here."""
    lines: list[Cell] = []
    try:
        solver_version()
    except ValetError as error:
        lines.append(str(error))
    flat = [cell for row in deal for cell in row]
    for at, cell in enumerate(flat):
        try:
            if not _is_blank(cell):
                deal_of(str(cell))
        except NotationError as error:
            lines.append(f"{'' if len(flat) == 1 else f'cell {at + 1}: '}{error}")
    there = sum(not _is_blank(cell) for cell in flat)
    return lines or [f"nothing wrong: {counted(there, 'deal')}"]


def _each(
    deal: Cells,
    others: Sequence[tuple[Cells, Callable[[str], object]]],
    solve: Callable[[Bytes, list[tuple[Any, ...]]], list[Cell]],
) -> Cells:
    """What is solved of each deal that can be read with what belongs to it; errors in the cells of others.

    They are errors too where the solver is not installed, which VALET_DD_CHECK says.
    """
    flat = [cell for row in deal for cell in row]
    columns = [[cell for row in given for cell in row] for given, _ in others]
    columns = [column * len(flat) if len(column) == 1 else column for column in columns]
    out: list[Cell] = [None if _is_blank(cell) else ErrorCell.VALUE for cell in flat]
    owners, rows, places = [], [], []
    for at, cell in enumerate(flat):
        if _is_blank(cell):
            continue
        try:
            row = tuple(parse(str(column[at] or "")) for column, (_, parse) in zip(columns, others, strict=True))
            owners.append(deal_of(str(cell)))
        except NotationError:
            continue
        rows.append(row)
        places.append(at)
    if rows and _can_solve():
        for at, found in zip(places, solve(np.array(owners, dtype=np.uint8), rows), strict=True):
            out[at] = found
    width = len(deal[0])
    return [out[at : at + width] for at in range(0, len(out), width)]


def _can_solve() -> bool:
    try:
        solver_version()
    except ValetError:
        return False
    return True


def _is_blank(cell: Cell) -> bool:
    return cell is None or (isinstance(cell, str) and not cell.strip())


def _strain(text: str) -> Strain:
    """Clubs to notrump."""
    return Contract.parse(f"1{text}").strain


def _bid(text: str) -> Contract:
    """A contract that somebody plays."""
    contract = Contract.parse(text)
    if not contract.level:
        raise NotationError("contract", text, "expected one that is played")
    return contract


def _card(text: str) -> Card:
    """A card whose rank is known."""
    card = Card.parse(text)
    if card.rank <= SPOT:
        raise NotationError("card", text, "expected a card such as HK")
    return card
