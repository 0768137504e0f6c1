"""Names that are more than once on a board, and those of them that cannot be one person's."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from valet_xl.engine.arrays import (
    HALF,
    Index,
    Mask,
    Whole,
    count_by,
    distinct_keys,
    keys_of,
    number_keys,
    places_where,
    split_keys,
    sum_by,
)


@dataclass(frozen=True, slots=True)
class Repeats:
    """The names that are more than once on some board.

    Attributes
    ----------
    times : (size + 1,) how often each is on a board that it is on already; 0 at the end, for -1
    boards : (boards + 1,) whether some name is more than once on a board; False at the end, for -1
    """

    times: Index
    boards: Mask

    @classmethod
    def of(cls, names: Index, board: Index, size: int) -> Repeats:
        """Find them.

        Parameters
        ----------
        names : (n, k) indices below size, -1 for none
        board : (n,) the board of each row, -1 where not known
        size : how many names there are
        """
        boards = int(board.max(initial=-1)) + 1
        # Numbers of 32 bits, if they are enough, are sorted in half the time.
        keys: Whole = names.astype(np.int32 if (size + 2) * boards < HALF else np.int64)
        keys *= boards  # below 0 for a name that is not known
        keys += board.astype(keys.dtype)[:, None]
        if boards and (board < 0).any():
            keys[board < 0] = -1
        in_order = keys.ravel("K")
        in_order.sort()
        again = in_order[1:][in_order[1:] == in_order[:-1]]
        name, on = split_keys(again[again >= 0].astype(np.int64), (size, max(boards, 1)))
        found = np.zeros(boards + 1, dtype=bool)
        found[on] = True
        return cls(count_by(name, size + 1), found)

    @property
    def names(self) -> Mask:
        """(size + 1,) which names are more than once on some board."""
        return self.times > 0


def at_many_tables(players: Index, board: Index, repeats: Repeats, least: int = 2, among: Mask | None = None) -> Mask:
    """(size + 1,) which names cannot be one person's; False at the end, for -1.

    Those that are at `least` tables, with more than one partner or with themselves, on at least half of their boards.

    Parameters
    ----------
    players : (n, 4) N, E, S, W as indices below size, -1 where not known
    board : (n,) the board of each table, -1 where not known
    repeats : of these players, or of all where some were left out
    least : how many tables are too many, at least 2
    among : (size + 1,) the names that are looked at, if not all
    """
    size = len(repeats.times) - 1
    out = np.zeros(size + 1, dtype=bool)
    looked_at = repeats.names if among is None else repeats.names & among
    if not looked_at.any():
        return out
    met = sum(count_by(column[(board >= 0) & (column >= 0)], size + 1) for column in players.T) - repeats.times
    looked_at &= 2 * repeats.times >= met  # else they cannot be on half of their boards at many tables
    there = np.flatnonzero(repeats.boards[board])
    players, board = players[there], board[there]
    table, seat = places_where(looked_at[players])
    if not len(table):
        return out
    who, with_whom, at = players[table, seat], players[table, (seat + 2) % 4], board[table]
    boards = len(repeats.boards)
    places, index = number_keys(keys_of((who, at), (size, boards)))  # a name on a board
    name, _ = split_keys(places, (size, boards))

    def distinct(what: Index, count: int) -> Index:
        keys = distinct_keys(keys_of((index, what), (len(places), count)))
        return count_by(split_keys(keys, (len(places), count))[0], len(places))

    alone = sum_by(index, who == with_whom) > 0
    too_many = (distinct(table, len(players)) >= least) & (alone | (distinct(with_whom + 1, size + 1) > 1))
    clashes = count_by(name[too_many], size + 1)
    return np.asarray((clashes > 0) & (2 * clashes >= met))
