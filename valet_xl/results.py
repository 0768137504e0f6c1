"""A tournament's results as columns of numbers, one row a result, grouped by board; and what was wrong in the rows."""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum

import numpy as np
from numpy.typing import NDArray

from valet_xl.errors import RowError
from valet_xl.laws import Floats

Small = NDArray[np.int8]
Index = NDArray[np.intp]


class Status(IntEnum):
    """What a row is."""

    PLAYED = 0
    PASSED_OUT = 1
    ADJUSTED = 2
    UNPLAYED = 3
    ERROR = 4


@dataclass(frozen=True, slots=True, eq=False)
class Results:
    """Results as columns, (n,) unless said; -1 is unknown.

    status : what each row is (`Status`)
    board : which of the boards, an index from 0; boards are the deals, so that board 1 of two rounds is two boards
    vulnerability, level, strain, double, declarer, tricks : of PLAYED rows; a pass-out has level 0
    lead_suit, lead_rank : of the opening lead; rank 0 is unknown, 1 a spot
    score : points to N-S; NaN where neither PLAYED nor PASSED_OUT
    adjusted : (n, 2) per cent to N-S and E-W, NaN where not adjusted or not said
    players : (n, 4) N, E, S, W, and sides : (n, 2) N-S and E-W, as indices into names
    row : the row of the sheet, or line of the file, that it came from
    boards : round and board as they were written, for each board
    names : what players and sides are called
    errors : what was wrong in the rows, in order of rows
    skipped : rows that hold something, but no result
    rounds : where board numbers come again in other rounds: whether they are "new" deals there or the "same"
    """

    status: Small
    board: Index
    vulnerability: Small
    level: Small
    strain: Small
    double: Small
    declarer: Small
    tricks: Small
    lead_suit: Small
    lead_rank: Small
    score: Floats
    adjusted: Floats
    players: Index
    sides: Index
    row: Index
    boards: tuple[tuple[str, str], ...]
    names: tuple[str, ...]
    errors: tuple[RowError, ...]
    skipped: tuple[int, ...]
    rounds: str = ""

    def __len__(self) -> int:
        return len(self.row)

    @property
    def spoiled(self) -> NDArray[np.bool_]:
        """(boards,) whether a row of the board could not be understood, so that the field is not known."""
        out = np.zeros(len(self.boards), dtype=bool)
        out[self.board[(self.status == Status.ERROR) & (self.board >= 0)]] = True
        return out

    @property
    def sound(self) -> NDArray[np.bool_]:
        """(n,) whether a row's board is known and all its rows are understood."""
        return ~np.append(self.spoiled, True)[self.board]

    @property
    def in_field(self) -> NDArray[np.bool_]:
        """(n,) whether a score is compared with others: played or passed out, all rows of its board understood."""
        return np.asarray(self.sound & ~np.isnan(self.score))
