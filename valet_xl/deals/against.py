"""Results beside their deals: tricks double dummy, par, what leads cost, and records that cannot be right."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from valet_xl.deals.cards import CARDS, DECK, Bytes, card_places, card_text
from valet_xl.deals.kept import Done, Solved
from valet_xl.deals.layout import layout_luck
from valet_xl.deals.par import par_of
from valet_xl.engine.arrays import Floats, Index, Mask, count_by
from valet_xl.engine.laws import vulnerabilities
from valet_xl.engine.notation import SPOT
from valet_xl.engine.results import Results, Status
from valet_xl.engine.valet import VirtualTable
from valet_xl.messages import counted

NOT_KNOWN = 4  # the owner of a card whose deal is not known


@dataclass(frozen=True, slots=True)
class Against:
    """Results beside their deals, (n,) each, NaN where it is not known.

    tricks : what declarer takes double dummy
    par : points to North-South; and par_contract, "" where not known
    lead_cost : the tricks that the opening lead gives declarer double dummy
    play : declarer's tricks less those double dummy
    defence : the tricks that the defenders win after the lead, less those double dummy; play = lead_cost - defence
    layout : what the layout gave the declaring side, in IMPs (`layout_luck`)
    notes : what cannot be right in a result, or does not fit its deal: its index, and the text
    remarks : what is said of the results as a whole, a sentence each
    virtual : the table that is added to the clouds, if one is asked for
    """

    tricks: Floats
    par: Floats
    par_contract: tuple[str, ...]
    lead_cost: Floats
    play: Floats
    defence: Floats
    layout: Floats
    notes: tuple[tuple[int, str], ...]
    remarks: tuple[str, ...] = ()
    virtual: VirtualTable | None = None

    def virtual_table(self, weight: float) -> VirtualTable:
        """A table that plays double dummy, for the clouds of `valet`."""
        return VirtualTable(self.tricks, self.tricks + np.nan_to_num(self.lead_cost), weight)


def against(results: Results, deals: Bytes, solved: Solved, done: Done = lambda _: None) -> Against:
    """Put results beside their deals.

    Parameters
    ----------
    results : the tournament
    deals : (boards, 52) the owners of the cards of each board, NOT_KNOWN where its deal is not known
    solved : what was solved, which is added to
    done : called with the share that is done, from 0 to 1

    Raises
    ------
    ValetError : where something is to be solved and the solver is not installed
    """
    size, known = len(results), deals[:, 0] != NOT_KNOWN
    played = (results.status == Status.PLAYED) & (results.board >= 0)
    there = played & np.append(known, False)[results.board]
    some = np.flatnonzero(there)
    place = np.cumsum(known) - 1  # of a board among those whose deal is known
    owners = deals[known]
    tables = solved.need_tables(owners, lambda share: done(share / 2))
    tricks = np.full(size, np.nan)
    tricks[some] = tables[place[results.board[some]], results.strain[some], results.declarer[some]]
    holder = _holders(results, deals, there)
    right = holder == (results.declarer + 1) % 4
    lead_cost = _lead_costs(results, owners, place, right, solved, done)
    vulnerability, first = _of_boards(results)
    par = par_of(tables, vulnerability[known], first[known])
    par_score = np.append(np.full(len(known), np.nan), np.nan)
    par_score[:-1][known] = par.score
    contracts = np.array(["", *par.contracts], dtype=object)
    of_board = np.append(np.where(known, place + 1, 0), 0)
    shown = (results.status != Status.UNPLAYED) & (results.board >= 0)
    play = np.where(there, results.tricks, np.nan) - tricks
    wrong = np.flatnonzero((holder >= 0) & ~right).tolist()
    leads = [(at, _lead_note(results, at, int(holder[at]))) for at in wrong]
    return Against(
        tricks=tricks,
        par=np.where(shown, par_score[results.board], np.nan),
        par_contract=tuple(contracts[np.where(shown, of_board[results.board], 0)]),
        lead_cost=lead_cost,
        play=play,
        defence=lead_cost - play,
        layout=layout_luck(results, deals, tricks),
        notes=(*leads, *_trump_notes(results, deals, there)),
        remarks=tuple(_remarks(results, known, play, holder)),
    )


def _holders(results: Results, deals: Bytes, among: Mask) -> Index:
    """(n,) the seat that holds the card that was led, -1 where the card or the deal is not known."""
    holder = np.full(len(results), -1, dtype=np.intp)
    known = np.flatnonzero(among & (results.lead_suit >= 0) & (results.lead_rank > SPOT))
    holder[known] = deals[results.board[known], _leads(results, known)]
    return holder


def _leads(results: Results, at: Index) -> Index:
    """The cards led, as places in the order of owners."""
    return card_places(results.lead_suit[at], results.lead_rank[at])


def _lead_note(results: Results, at: int, holder: int) -> str:
    """What is said of a lead that the leader does not hold: who holds the card, and which declarer would fit."""
    card, declarer = card_text(int(_leads(results, np.array([at]))[0])), int(results.declarer[at])
    whose = _WHOSE[(holder - declarer) % 4]
    return (
        f"lead {card} is not {_NAMES[(declarer + 1) % 4]}'s: {_NAMES[holder]}, {whose}, holds it "
        f"(expected with declarer {_NAMES[(holder + 3) % 4]})"
    )


_WHOSE = ("declarer", "the leader", "dummy", "the leader's partner")
_NAMES = ("North", "East", "South", "West")


def _trump_notes(results: Results, deals: Bytes, among: Mask) -> list[tuple[int, str]]:
    """Results whose tricks the deal makes impossible, as notes: a hand's highest trumps take a trick each."""
    trumps = np.flatnonzero(among & (results.strain < 4))
    suit = (3 - results.strain[trumps].astype(np.intp)) * CARDS
    held = deals[results.board[trumps][:, None], suit[:, None] + np.arange(CARDS)].astype(np.intp)
    run = np.cumprod(held == held[:, :1], axis=1).sum(axis=1)
    ace, declarer, tricks = held[:, 0], results.declarer[trumps], results.tricks[trumps]
    own = (ace - declarer) % 2 == 0
    wrong = np.where(own, tricks < run, CARDS - tricks < run)
    return [
        (
            int(trumps[at]),
            f"{counted(int(tricks[at]), 'trick')} cannot be: {_NAMES[ace[at]]} holds the highest trumps "
            f"(expected at least {counted(int(run[at]), 'trick')} for {'declarer' if own[at] else 'the defenders'})",
        )
        for at in np.flatnonzero(wrong).tolist()
    ]


def _lead_costs(results: Results, owners: Bytes, place: Index, among: Mask, solved: Solved, done: Done) -> Floats:
    """(n,) what known leads cost in tricks, NaN for others."""
    cost = np.full(len(results), np.nan)
    known = np.flatnonzero(among)
    columns = (place[results.board[known]], results.strain[known], results.declarer[known])
    contracts = list(zip(*(column.tolist() for column in columns), strict=True))
    different = list(dict.fromkeys(contracts))
    after = solved.need_leads(owners, different, lambda share: done(0.5 + share / 2))
    row = {contract: at for at, contract in enumerate(different)}
    rows = np.array([row[contract] for contract in contracts], dtype=np.intp)
    if len(known):
        cost[known] = after[rows, _leads(results, known)].astype(float) - after.min(axis=1)[rows]
    return cost


def _of_boards(results: Results) -> tuple[Index, Index]:
    """(boards,) the vulnerability, and the side of the dealer."""
    digits = [("".join(filter(str.isdigit, number)) or "1")[-6:] for _, number in results.boards]
    numbers = np.maximum(np.array([int(text) for text in digits], dtype=np.intp), 1)
    vulnerability = np.asarray(vulnerabilities(numbers)).astype(np.intp)
    played = np.flatnonzero((results.status == Status.PLAYED) & (results.board >= 0) & (results.vulnerability >= 0))
    vulnerability[results.board[played]] = results.vulnerability[played]
    return vulnerability, (numbers - 1) % 2


def _remarks(results: Results, known: Mask, play: Floats, holder: Index) -> list[str]:
    """What is said of all results together."""
    remarks = []
    used = np.unique(results.board[results.board >= 0])
    missing = len(used) - int(np.count_nonzero(known[used]))
    if missing:
        remarks.append(f"no deal for {missing:,} of {counted(len(used), 'board')}")
    leads = np.flatnonzero(holder >= 0)
    whose = np.bincount((holder - results.declarer)[leads] % 4, minlength=4).tolist()
    wrong = len(leads) - whose[1]
    if wrong:
        said = ", ".join(f"{whose[seat]:,} {_WHOSE[seat]}'s" for seat in (3, 2, 0) if whose[seat])
        remarks.append(f"{wrong:,} of {counted(len(leads), 'lead')} is a card of another hand: {said}")
    off = np.abs(play[~np.isnan(play)])
    if len(off) >= _ENOUGH and (off.mean() > _FAR or (len(leads) >= _ENOUGH and 2 * wrong > len(leads))):
        remarks.append(
            f"these deals hardly fit these results, on average {off.mean():.1f} off double dummy "
            "in tricks (deals of this session expected; some 1.0 is usual)"
        )
    return remarks


_ENOUGH, _FAR = 10, 2.0  # results, tricks


WEIGHT = 0.5
"""How many tables a virtual table counts as, chosen on two events (docs/explanation/double_dummy.md)."""
SMALL_FIELD = 12
"""Up to how many tables a field is one that a virtual table helps."""


def is_small_field(results: Results) -> bool:
    """Whether the usual board of these results was played at few tables, but more than one."""
    tables = count_by(results.board[results.in_field], len(results.boards))
    return bool(len(tables) and 1 < np.median(tables) <= SMALL_FIELD)


def no_deals(boards: int) -> Bytes:
    """(boards, 52) deals of which none is known."""
    return np.full((boards, DECK), NOT_KNOWN, dtype=np.uint8)
