"""Layout luck: what the lie of the defenders' cards, which nobody could see in the auction, did to a contract."""

from __future__ import annotations

import numpy as np

from valet_xl.deals.cards import Bytes
from valet_xl.deals.expected import shipped
from valet_xl.engine.arrays import Floats, Index, count_by, first_of_each, keys_of, number_keys, sum_by
from valet_xl.engine.laws import contract_score, imps_of
from valet_xl.engine.results import Results

COEFFICIENT = 0.4
"""How much of it counts, chosen on two events of Bridge Base Online (docs/explanation/double_dummy.md)."""


def layout_luck(results: Results, deals: Bytes, tricks: Floats, coefficient: float = COEFFICIENT) -> Floats:
    """What the layout gave a result against the others of its board, in IMPs to the declaring side.

    Parameters
    ----------
    results, deals : as in `against`
    tricks : (n,) double-dummy tricks of the contracts, NaN where not known
    coefficient : what it is multiplied by

    Returns
    -------
    (n,) IMPs, to North-South in a pass-out; NaN where the deal is not known or there is nothing to compare with

    Notes
    -----
    A control variate (the AIVAT idea of poker research). With f the IMPs of a score and c the contract,
    u = f(c with the double-dummy tricks) - E f(c with T), where T has the chances that the two hands of the declaring
    side give it. That expectation is fixed before the other cards are known: u is 0 on average, whatever was bid. The
    luck is the coefficient times u less the average u of the other results of the board.
    """
    every = np.flatnonzero(~np.isnan(tricks) & results.in_field)
    at, index = _distinct(results, every)
    strain, declarer = results.strain[at].astype(np.intp), results.declarer[at].astype(np.intp)
    vulnerable = (np.maximum(results.vulnerability[at], 0) >> declarer % 2 & 1)[:, None]
    level, double = results.level[at][:, None], results.double[at][:, None]
    points = contract_score(level, strain[:, None], double, np.arange(14), vulnerable)
    worth = np.sign(points) * imps_of(np.abs(points).astype(np.float64))
    chances = shipped().chances(deals[results.board[at]], strain, declarer)
    surprise = worth[np.arange(len(at)), tricks[at].astype(np.intp)] - (chances * worth).sum(axis=1)
    to_ns = np.full(len(results), np.nan)
    to_ns[results.in_field & (results.level == 0)] = 0
    to_ns[every] = np.where(declarer % 2 == 1, -surprise, surprise)[index]
    there = np.flatnonzero(~np.isnan(to_ns))
    board = results.board[there]
    others = count_by(board, len(results.boards))[board] - 1
    total = sum_by(board, to_ns[there], len(results.boards))[board]
    luck = np.full(len(results), np.nan)
    average = np.divide(total - to_ns[there], others, out=np.full(len(there), np.nan), where=others > 0)
    luck[there] = coefficient * (to_ns[there] - average)
    declared_by_ew = (results.declarer % 2 == 1) & (results.level > 0)
    return np.where(declared_by_ew, -luck, luck) + 0.0


def _distinct(results: Results, at: Index) -> tuple[Index, Index]:
    """The first result of each contract and declarer of a board, and for each of the results (n,) which of them it has.

    A board has some 40 of these however many tables played it. Their double-dummy tricks are the same.
    """
    shape = (max(len(results.boards), 1), 8, 3, 5, 4)
    columns = (results.board, results.level, results.double, results.strain, results.declarer)
    _, index = number_keys(keys_of([column[at] for column in columns], shape))
    return at[first_of_each(index)], index
