"""What a pair's opponents were worth, by what they scored against others (Gipson)."""

from __future__ import annotations

import numpy as np

from valet_xl.engine.arrays import Floats, Index, distinct_keys, keys_of, split_keys, sum_by

ALL = {"overall": "overall", "bid": "bid", "play": "play"}
AGAINST = ALL | dict.fromkeys(("declarer", "declarer1", "declarer2"), "defending")
AGAINST |= dict.fromkeys(("defending", "defence"), "declarer")
"""Whose average is added to each column: the opponents' in the same part of the game, or in the one that met it."""
COMPARED = tuple(dict.fromkeys(AGAINST.values()))
"""The columns whose averages are added."""


def distinct_met(owner: Index, pair: Index) -> Index:
    """(k, 2) the distinct ones of owners and pairs that they met, by owner and pair."""
    shape = (int(owner.max(initial=-1)) + 1, int(pair.max(initial=-1)) + 1)
    return np.stack(split_keys(distinct_keys(keys_of((owner, pair), shape)), shape), axis=1)


def opponents_average(
    met: Index, theirs: Floats, times: Floats, sums: Floats, chances: Floats, *, add_own: bool = False
) -> Floats:
    """(owners,) what the opponents of each owner average on their boards against others; 0 where they have none.

    Parameters
    ----------
    met : (k, 2) the owners, and the pairs that they met, each two once
    theirs, times : (owners,) what the opponents scored against each owner, and in how many chances
    sums, chances : (pairs,) what each pair scored in all, and how often
    add_own : add their boards against this owner, as the Valet 1.1 program does; the definition subtracts them

    Notes
    -----
    sum over q of (S_q - s_q) / sum over q of (N_q - n_q), q being the pairs that the owner met, each once: S_q and N_q
    what it scored and how often, s_q and n_q how much of that against this owner.
    """
    owner, pair = met.T
    owners = len(theirs)
    total = sum_by(owner, sums[pair], owners) + (theirs if add_own else -theirs)
    boards = sum_by(owner, chances[pair], owners) - times
    return np.divide(total, boards, out=np.zeros(owners), where=boards > 0)
