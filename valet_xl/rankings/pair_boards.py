"""The boards of a pair: each result that it had, from its own side."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from valet_xl.engine.arrays import Index
from valet_xl.engine.notation import Card, Strain
from valet_xl.engine.results import Results, Status, artificial_scores, board_places
from valet_xl.engine.valet import Components
from valet_xl.rankings.listing import Heading, Listing, Value, numbers
from valet_xl.rankings.partnerships import Partnerships
from valet_xl.rankings.tableau import contracts, declarers, seen_by

_SIDES = ("N-S", "E-W")
_WORDS = {Status.UNPLAYED: "not played", Status.ERROR: "cannot be read", Status.ADJUSTED: "adjusted"}


def headings(*, method: str = "iaf") -> tuple[Heading, ...]:
    """The headings of the columns of `PairBoards.listing`."""
    percent = method == "matchpoints"
    form, unit = ("0.0", "per cent") if percent else ("0.00", "IMPs")
    return (
        Heading("Round", "the round, where boards are other deals in each", "@", 8),
        Heading("Board", "the board", "0", 7),
        Heading("Sits", "where the pair sat", "@", 6),
        Heading("Opponents", "the other pair", "@", 34),
        Heading("Contract", "the contract, or why there is none", "@", 12),
        Heading("By", "declarer", "@", 5),
        Heading("Led", "the opening lead", "@", 6),
        Heading("Tricks", "declarer's tricks", "0", 7),
        Heading("Score", "points to the pair", "0", 8),
        Heading("Overall", f"what the result was worth to the pair, in {unit}", form),
        Heading("Bid", "of it the bidding", form),
        Heading("Declarer", "of it declarer's play, where the pair declared", form),
        Heading("Lead", "of it the opening lead, where the pair defended", form),
        Heading("Defence", "of it the rest of the defence", form),
        Heading("Player", "who declared or led", "@", 24),
    )


@dataclass(frozen=True, slots=True, eq=False)
class PairBoards:
    """Every pair's results, one pair after the other.

    results, parts, who : the tournament, what `valet` makes of it, and who played
    order : (2n,) lines: twice the place of a result, and 1 more for East-West; those of no pair come first
    start : (pairs + 1,) where each pair's begin
    """

    results: Results
    parts: Components
    who: Partnerships
    order: Index
    start: Index

    @classmethod
    def of(cls, results: Results, parts: Components, who: Partnerships) -> PairBoards:
        """Sort the results by pair and board."""
        pair = who.pair.reshape(-1)
        board = np.append(board_places(results.boards), -1)[results.board]
        order = np.lexsort((np.repeat(board, 2), pair))
        start = np.searchsorted(pair[order], np.arange(len(who.pair_names) + 1))
        return cls(results, parts, who, order, start)

    def listing(self, pair: int, method: str = "iaf") -> Listing:
        """The boards of a pair as a table for people; with the method "matchpoints" in per cent, 50 being average."""
        at, side = np.divmod(self.order[self.start[pair] : self.start[pair + 1]], 2)
        return boards_listing(self.results, self.parts, self.who, at, side, method)

    def boards_of(self, pair: int) -> list[int]:
        """The boards of a pair's lines, -1 where a board is not known."""
        return self.results.board[self.order[self.start[pair] : self.start[pair + 1]] // 2].tolist()


def boards_listing(
    results: Results, parts: Components, who: Partnerships, at: Index, side: Index, method: str = "iaf"
) -> Listing:
    """Some results, each as one of its sides sees it, as a table for people.

    Parameters
    ----------
    results, parts, who : the tournament, what `valet` makes of it, and who played
    at, side : (m,) the places of the results, and 0 for North-South's view, 1 for East-West's
    method : of scoring; at "matchpoints" figures are in per cent, 50 being average
    """
    played = results.status[at] == Status.PLAYED
    own = np.where(side == 1, -results.score[at], results.score[at])
    seen = seen_by(results, parts, at, side)
    imps, percent = (given[at, side] for given in artificial_scores(results))
    given = percent / 50 - 1 if method == "matchpoints" else imps
    seen["overall"] = np.where(np.isnan(given), seen["overall"], given)
    called = [results.boards[board] if board >= 0 else ("", "") for board in results.board[at].tolist()]
    seat = results.declarer[at].astype(np.intp)
    seat = np.where(seat % 2 == side, seat, (seat + 1) % 4)  # declarer, or the leader on his left
    acting = np.where(played, who.player[at, seat], -1)
    opponents, players = [*who.pair_names, None], [*who.player_names, None]
    columns: tuple[list[Value], ...] = (
        [label or None for label, _ in called],
        [int(label) if label.isdecimal() and len(label) < 16 else label for _, label in called],
        [_SIDES[each] for each in side.tolist()],
        [opponents[other] for other in who.pair[at, 1 - side].tolist()],
        _contracts(results, at, side),
        declarers(results, at),
        [_card(*card) for card in zip(results.lead_suit[at].tolist(), results.lead_rank[at].tolist(), strict=True)],
        numbers(np.where(played, results.tricks[at], np.nan), whole=True),
        numbers(own, whole=True),
        *(numbers(50 * (1 + part) if method == "matchpoints" else part) for part in seen.values()),
        [players[player] for player in acting.tolist()],
    )
    return Listing(headings(method=method), columns)


def _contracts(results: Results, at: Index, side: Index) -> list[Value]:
    """Contracts, or why there is none: of an adjusted score with the pair's per cent."""
    cells = contracts(results, at)
    for line in np.flatnonzero(np.isin(results.status[at], list(_WORDS))).tolist():
        status = Status(int(results.status[at[line]]))
        percent = results.adjusted[at[line], side[line]]
        cells[line] = f"{_WORDS[status]}{'' if np.isnan(percent) else f' {percent:g} %'}"
    return cells


def _card(suit: int, rank: int) -> str | None:
    return str(Card(Strain(suit), rank)) if suit >= 0 else None
