"""The lines of a board: its distinct results, each once, and how many tables had it.

The Valet split is computed from them, and a tableau lists them.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from valet_xl.engine.arrays import Floats, Index, Ints, Mask, Small, count_by, keys_of, number_keys, split_keys
from valet_xl.engine.laws import ALL_SCORES, score_places
from valet_xl.engine.notation import SPOT, TEN, UNKNOWN
from valet_xl.engine.results import Results
from valet_xl.errors import one_of

LEADS = ("none", "suit", "honour", "card")
SMALL, HONOUR = 1, 2  # the rank of a lead whose class is an honour or a spot of its suit; 0 is any card of it

# The distinct values of each column of a line, in the order of the lines: board by board, then by these.
STRAINS, SEATS, VULNERABILITIES, LEVELS, DOUBLES, SUITS, RANKS, TRICKS = 6, 4, 4, 8, 3, 5, 15, 14
_PASS_OUT = 5  # a pass-out is a strain of its own
_NOTRUMP = 4


@dataclass(frozen=True, slots=True, eq=False)
class Lines:
    """The distinct results of boards, (m,) each, in the order of their columns.

    board : its board
    strain, declarer, vulnerability, level, double : its contract; in a pass-out level 0, strain 5 and the rest 0
    suit, rank : the class of the opening lead: the suit from 1 on, 0 where no lead is known or leads are not looked at;
        the rank 0 for any card of the suit, else `HONOUR` or `SMALL`, or the card's own
    led : whether the lead is known as well as its class asks
    tricks : declarer's tricks
    count : how many results are on the line
    place, sign : where the scores of its contract begin in `ALL_SCORES`, and -1 where they are East-West's
    of_result : (n,) the line of each result
    """

    board: Index
    strain: Index
    declarer: Index
    vulnerability: Index
    level: Index
    double: Index
    suit: Index
    rank: Index
    led: NDArray[np.bool_]
    tricks: Index
    count: Floats
    place: Index
    sign: Index
    of_result: Index

    @classmethod
    def of(cls, results: Results, at: Index | slice, lead: str) -> Lines:
        """The lines of some results.

        Parameters
        ----------
        results : the tournament
        at : (n,) the places of the results, or a slice of them, all of which are played or passed out
        lead : which leads are alike: "none", leads are not looked at; "suit"; "honour", a suit's honours and its spots;
            "card"

        Raises
        ------
        ValueError : for another lead class, and for so many boards that their lines cannot be numbered
        """
        passed = results.level[at] == 0
        columns = (
            results.board[at],
            np.where(passed, _PASS_OUT, results.strain[at]),
            results.declarer[at],
            np.where(passed, 0, results.vulnerability[at]),
            results.level[at],
            results.double[at],
            *_lead_class(results.lead_suit[at], results.lead_rank[at], lead),
            results.tricks[at],
        )
        shape = (
            max(len(results.boards), 1),
            *(STRAINS, SEATS, VULNERABILITIES, LEVELS, DOUBLES, SUITS, RANKS, TRICKS),
        )
        numbers, of_result = number_keys(keys_of(columns, shape))
        count = count_by(of_result, len(numbers)).astype(np.float64)
        board, strain, declarer, vulnerability, level, double, suit, rank, tricks = split_keys(numbers, shape)
        led = (rank if lead in ("honour", "card") else suit) > 0
        ew = declarer & 1
        place = score_places(level, np.minimum(strain, _NOTRUMP), double, vulnerability >> ew & 1)
        about = (board, strain, declarer, vulnerability, level, double, suit, rank, led, tricks, count)
        return cls(*about, place, 1 - 2 * ew, of_result)

    def __len__(self) -> int:
        return len(self.board)

    def first(self) -> Index:
        """(m,) the first of the n results on each line."""
        first = np.empty(len(self), dtype=np.intp)
        first[self.of_result[::-1]] = np.arange(len(self.of_result))[::-1]  # the first is written last
        return first

    @property
    def declared_by_ew(self) -> NDArray[np.bool_]:
        """(m,) whether East-West declare."""
        return (self.declarer % 2 == 1) & (self.level > 0)

    def scores(self, line: Index, tricks: Index) -> Floats:
        """N-S scores of the contracts of these lines, had declarer taken these tricks; any shapes that fit together."""
        return np.asarray(self.sign[line] * ALL_SCORES[self.place[line] + tricks], dtype=np.float64)


def runs(*columns: Index) -> tuple[Index, Index]:
    """Runs of equal rows in (m,) columns: the place where each begins, and the run that each row is of.

    >>> [array.tolist() for array in runs(np.array([4, 4, 4, 7]), np.array([0, 1, 1, 1]))]
    [[0, 1, 3], [0, 1, 1, 2]]
    """
    new = np.zeros(len(columns[0]), dtype=bool)
    new[:1] = True
    differs = new[1:]
    for column in columns:
        differs |= column[1:] != column[:-1]
    return new.nonzero()[0], new.cumsum() - 1


def lead_known(results: Results, lead: str) -> Mask:
    """(n,) whether the lead is known as well as its class asks; parameters and errors are those of `Lines.of`."""
    suit, rank = _lead_class(results.lead_suit, results.lead_rank, lead)
    return (rank if lead in ("honour", "card") else suit) > 0


def _lead_class(suit: Small, rank: Small, lead: str) -> tuple[Ints, Ints]:
    """Suit and rank of the classes of leads, as in `Lines`: the same for leads that are alike."""
    one_of("lead", lead, LEADS)
    suits, any_rank = suit.astype(np.int64) + 1, np.zeros(len(suit), dtype=np.int64)
    if lead == "none":
        return any_rank, any_rank
    if lead == "suit":
        return suits, any_rank
    if lead == "honour":
        return suits, np.where(rank == UNKNOWN, any_rank, np.where(rank >= TEN, HONOUR, SMALL))
    return suits, np.where(rank <= SPOT, any_rank, rank)
