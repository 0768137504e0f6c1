"""What a pair's opponents were worth, by what they scored against others (Gipson)."""

from __future__ import annotations

import numpy as np

from valet_xl.engine.arrays import Floats, Index, count_by, keys_of, number_keys, split_keys, sum_by


def opponents_average(
    owner: Index,
    opponents: Index,
    where: Index | None,
    theirs: Floats,
    sums: Floats,
    chances: Floats,
    owners: int,
    *,
    add_own: bool = False,
) -> Floats:
    """(owners,) what the opponents of each owner average on their boards against others; 0 where they have none.

    Parameters
    ----------
    owner, opponents : (n,) who sat at each result, and the pair against him, -1 where it is not known
    where, theirs : at which of the results the opponents had a chance of a score, None for all, and what it was, NaN
        for none
    sums, chances : (pairs,) what each pair scored in all, and on how many boards
    owners : how many owners there are
    add_own : add their boards against this owner, as the Valet 1.1 program does; the definition subtracts them

    Notes
    -----
    sum over q of (S_q - s_q) / sum over q of (N_q - n_q), q being the pairs that the owner met, each once: S_q and N_q
    what it scored and how often, s_q and n_q how much of that against this owner.
    """
    shape = (owners, 1 + len(sums))  # opponents from 1 on, 0 being nobody who is known
    meetings, of_line = number_keys(keys_of((owner, opponents + 1), shape))
    of_line = of_line if where is None else of_line[where]
    scored = ~np.isnan(theirs)
    against = sum_by(of_line[scored], theirs[scored], len(meetings))
    times = count_by(of_line[scored], len(meetings))
    by, pair = split_keys(meetings, shape)
    known = pair > 0
    by, pair = by[known], pair[known] - 1
    against, times = against[known], times[known]
    total = sum_by(by, sums[pair] + (against if add_own else -against), owners)
    boards = sum_by(by, chances[pair] - times, owners)
    return np.divide(total, boards, out=np.zeros(owners), where=boards > 0)
