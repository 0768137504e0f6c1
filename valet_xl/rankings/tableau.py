"""The tableau of a board: its distinct results, how many tables had each, and what it was worth, as the paper has it.

Source: S. Hein, the Valet principles paper (2015), the tables of Examples 1 to 7.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from valet_xl.engine.arrays import Floats, Index
from valet_xl.engine.lines import HONOUR, LEADS, SMALL, Lines
from valet_xl.engine.notation import Card, Contract, Double, Seat, Strain
from valet_xl.engine.results import Results, Status, board_name
from valet_xl.engine.valet import Components
from valet_xl.errors import SheetError, one_of
from valet_xl.rankings.listing import Heading, Listing, Value, numbers
from valet_xl.rankings.options import RANKING_OPTIONS

SIDES = tuple(RANKING_OPTIONS["side"].words)
_CLASSES = {0: "", HONOUR: " honour", SMALL: " spot"}
_PARTS = ("overall", "bid", "play", "lead", "defence")


@dataclass(frozen=True, slots=True, eq=False)
class Tableau:
    """The distinct results of boards, (m,) each, board after board, the best for the side first.

    results : (m,) the place in the results of one that is on the line; what tables on a line share can be read there
    board : (m,) the board
    led : (m,) the class of the lead, "" where it is not known or leads are not looked at
    tables : (m,) how many tables have this result
    score : (m,) N-S points
    overall, bid, play, lead, defence : (m,) as `Components` has them, or as the side sees them; NaN where the side has
        no such part, and on a board that is not scored
    """

    results: Index
    board: Index
    led: tuple[str, ...]
    tables: Index
    score: Floats
    overall: Floats
    bid: Floats
    play: Floats
    lead: Floats
    defence: Floats

    def __len__(self) -> int:
        return len(self.results)


def tableau(
    results: Results,
    parts: Components,
    *,
    boards: Sequence[int] | None = None,
    lead: str = "suit",
    side: str = "declarer",
) -> Tableau:
    """Gather the results of boards into lines: contract, declarer, lead and tricks, and what they were worth.

    Parameters
    ----------
    results, parts : the tournament, and what `valet` makes of it
    boards : which of the boards, as indices; all without it
    lead : which leads are alike, as `valet` took it
    side : whose view: "declarer", overall, bid and play of the side that declares, lead and defence of the other, as in
        the paper; "ns" or "ew", all from the view of that pair, with play only where it declares, lead and defence
        only where it defends, so that what is there adds up to its overall score

    Returns
    -------
    the lines. Results that were not played, were adjusted, have no contract or cannot be understood are on none.

    Raises
    ------
    OptionError : for another lead class or side

    >>> from valet_xl import valet
    >>> from valet_xl.reading.rows import read_rows
    >>> night = read_rows({"board": [2, 2, 2], "contract": ["6HS", "4HS", "4HS"], "tricks": [12, 12, 12]}, [2, 3, 4])
    >>> lines = tableau(night, valet(night))
    >>> lines.tables.tolist(), lines.bid.tolist()
    ([1, 2], [13.0, -6.5])
    """
    one_of("lead", lead, LEADS)
    one_of("side", side, SIDES)
    wanted = ~np.isnan(results.score) & (results.board >= 0) & (results.status != Status.SCORED)
    if boards is not None:
        wanted &= np.isin(results.board, np.asarray(boards, dtype=np.intp))
    at = np.flatnonzero(wanted)
    lines = Lines.of(results, at, lead)
    first = at[lines.first()]
    if side == "declarer":
        seen = {name: np.array(getattr(parts, name)[first]) for name in _PARTS}
    else:
        seen = seen_by(results, parts, first, SIDES.index(side) - 1)
    overall = np.where(np.isnan(seen["overall"]), -np.inf, seen["overall"])
    # The last key counts first. Contract and lead decide between lines of one worth: the high card is first.
    called = (-lines.rank, lines.rank > 0, lines.suit, lines.declarer, lines.double, lines.level, lines.strain)
    order = np.lexsort((*called, -lines.count, -_for_declarer(results, first), -overall, lines.board))
    return Tableau(
        results=first[order],
        board=lines.board[order],
        led=_led(lines.suit[order], lines.rank[order], lead),
        tables=lines.count[order].astype(np.intp),
        score=results.score[first[order]],
        **{name: values[order] for name, values in seen.items()},
    )


def find_board(results: Results, number: str, *, of_round: str | None = None) -> int:
    """The board of this number, an index: of the only round that has it, or of the round that is named.

    Raises
    ------
    SheetError : where there is none, or there are several
    """
    label = number.strip()
    label = str(int(label)) if label.isdecimal() else label
    found = [at for at, (_, name) in enumerate(results.boards) if name == label]
    if not found:
        names = [name for _, name in results.boards]
        raise SheetError(f"there is no board {label} (expected {_some(list(dict.fromkeys(names)))})")
    rounds = [results.boards[at][0] for at in found]
    if of_round is not None:
        found = [at for at in found if results.boards[at][0].casefold() == of_round.strip().casefold()]
        if not found:
            where = f"it is in {_some(rounds)}" if any(rounds) else "it is the same in all rounds: name none"
            raise SheetError(f"there is no {board_name(of_round.strip(), label)} ({where})")
    if len(found) > 1:
        raise SheetError(f"board {label} is another deal in each of several rounds: {_some(rounds)} (name the round)")
    return found[0]


def tableau_title(results: Results, board: int, event: str = "") -> str:
    """What a tableau is headed: the board, who is vulnerable, and how many results are on it.

    event : of several, what it is called; rounds begin with that, and it is said at the end instead

    >>> from valet_xl.reading.rows import read_rows
    >>> tableau_title(read_rows({"board": [7, 7], "contract": ["3NTS=", "4SW-1"]}, [2, 3]), 0)
    'Board 7, both vulnerable: 2 results'
    """
    on_board = results.board == board
    played = on_board & ~np.isnan(results.score)
    known = results.vulnerability[on_board & (results.vulnerability >= 0)]
    who = f", {('none', 'N-S', 'E-W', 'both')[int(known[0])]} vulnerable" if len(known) else ""
    count = int(np.count_nonzero(played))
    of_round, number = results.boards[board]
    name = board_name(of_round.removeprefix(event).strip(), number) + (f" of {event}" if event else "")
    return f"{name[:1].upper()}{name[1:]}{who}: {count:,} result{'' if count == 1 else 's'}"


def tableau_headings(*, method: str = "iaf", side: str = "declarer") -> tuple[Heading, ...]:
    """The headings of a tableau's columns."""
    percent = method == "matchpoints"
    form = "0.0" if percent else "0.00"
    unit = "per cent" if percent else "IMPs"
    of = {"declarer": "the declaring side", "ns": "North-South", "ew": "East-West"}[side]
    defenders = "the defenders" if side == "declarer" else of
    return (
        Heading("Contract", "the contract", "@", 9),
        Heading("By", "declarer", "@", 5),
        Heading("Led", "the class of the opening lead", "@", 9),
        Heading("Tricks", "declarer's tricks", "0", 7),
        Heading("Tables", "how many tables had this result", "0", 7, need=1),
        Heading("Score", "points to North-South", "0", 7, need=2),
        Heading("Overall", f"what the result was worth to {of}, in {unit}", form),
        Heading("Bid", f"what the bidding was worth to {of}", form),
        Heading("Play" if side == "declarer" else "Declarer", f"what declarer's play was worth to {of}", form),
        Heading("Lead", f"what the opening lead was worth to {defenders}", form),
        Heading("Defence", f"what the rest of the defence was worth to {defenders}", form),
    )


def tableau_listing(results: Results, lines: Tableau, *, method: str = "iaf", side: str = "declarer") -> Listing:
    """A tableau as a table for people; with the method "matchpoints" in per cent, 50 being average."""
    at = lines.results
    passed = results.level[at] == 0
    parts = [getattr(lines, name) for name in _PARTS]
    if method == "matchpoints":
        parts = [50 * (1 + part) for part in parts]
    return Listing(
        tableau_headings(method=method, side=side),
        (
            contracts(results, at),
            declarers(results, at),
            [led or None for led in lines.led],
            numbers(np.where(passed, np.nan, results.tricks[at]), whole=True),
            lines.tables.tolist(),
            numbers(lines.score, whole=True),
            *map(numbers, parts),
        ),
    )


def contracts(results: Results, at: Index) -> list[Value]:
    """The contracts of some results as cells."""
    calls = np.stack([results.level[at], results.strain[at], results.double[at]], axis=1)
    seen, of_line = np.unique(calls, axis=0, return_inverse=True)
    texts = [str(Contract(level, Strain(strain), Double(double))) for level, strain, double in seen.tolist()]
    known = (results.status[at] != Status.SCORED).tolist()
    return [texts[call] if is_so else None for call, is_so in zip(of_line.reshape(-1).tolist(), known, strict=True)]


def declarers(results: Results, at: Index) -> list[Value]:
    """The declarers of some results as cells; of a pass-out there is none."""
    seats = [str(seat) for seat in Seat]
    played = (results.level[at] > 0).tolist()
    return [seats[seat] if is_so else None for seat, is_so in zip(results.declarer[at].tolist(), played, strict=True)]


def _led(suit: Index, rank: Index, lead: str) -> tuple[str, ...]:
    """The classes of leads as texts, "" where the lead is not known or not looked at."""
    classes, index = np.unique(np.stack([suit, rank], axis=1), axis=0, return_inverse=True)
    texts = [_lead_text(of_suit, of_rank, lead) for of_suit, of_rank in classes.tolist()]
    return tuple(texts[each] for each in index.reshape(-1).tolist())


def _lead_text(suit: int, rank: int, lead: str) -> str:
    """A class of leads, as `Lines` has it, as text."""
    if suit == 0:
        return ""
    if lead == "honour":
        return f"{Strain(suit - 1)}{_CLASSES[rank]}"
    return str(Card(Strain(suit - 1), rank))


def seen_by(results: Results, parts: Components, lines: Index, side: ArrayLike) -> dict[str, Floats]:
    """The parts of some results as a side sees them, so that those that it has add up to its overall score.

    Parameters
    ----------
    results, parts : the tournament, and what `valet` makes of it
    lines : (m,) the places of the results
    side : 0 for North-South, 1 for East-West, one for all or (m,)

    Returns
    -------
    overall, bid, play, lead and defence, (m,) each: NaN for play where the side does not declare, for lead and defence
    where it does not defend
    """
    passed = results.level[lines] == 0
    sides = np.broadcast_to(np.asarray(side), lines.shape)
    declares: NDArray[np.bool_] = (results.declarer[lines] % 2 == sides) & ~passed
    sign = np.where(np.where(passed, sides == 0, declares), 1.0, -1.0)
    return {
        "overall": parts.overall[lines] * sign + 0.0,  # no negative zero
        "bid": parts.bid[lines] * sign + 0.0,
        "play": np.where(declares, parts.play[lines], np.nan),
        "lead": np.where(declares | passed, np.nan, parts.lead[lines]),
        "defence": np.where(declares | passed, np.nan, parts.defence[lines]),
    }


def _for_declarer(results: Results, lines: Index) -> Floats:
    """The scores of lines as the declaring side sees them."""
    return np.where(results.declarer[lines] % 2 == 1, -results.score[lines], results.score[lines])


def _some(names: Sequence[str]) -> str:
    """The first names of a list, and that there are more."""
    return ", ".join(name or "none" for name in names[:12]) + (" ..." if len(names) > 12 else "")
