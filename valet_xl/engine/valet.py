"""The Valet split of a result into bidding, play, lead and defence.

Source: S. Hein, the Valet principles paper (2015), and its appendix of 2018 on cloud scores.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial

import numpy as np
from numpy.typing import NDArray

from valet_xl.engine.arrays import Floats, Index, Ints, sums
from valet_xl.engine.butler import datum
from valet_xl.engine.comparison import Distinct, Kernel, compare, distinct, spans
from valet_xl.engine.laws import IMP_ROUNDINGS, contract_score, imps_of
from valet_xl.engine.notation import SPOT, TEN, UNKNOWN
from valet_xl.engine.results import Results
from valet_xl.errors import one_of

METHODS = ("iaf", "datum", "matchpoints")
LEADS = ("none", "suit", "honour", "card")

# How a result is packed into one number: ((seat x call) x lead class) x tricks, the seat being that of a board and a
# strain.
_SEATS, _STRAINS, _PASS_OUT = 4, 6, 5  # a pass-out is a strain of its own
_LEVELS, _DOUBLES, _CALLS = 8, 3, 4 * 8 * 3
_CLASSES, _TRICKS = 64, 14

_Split = tuple[Floats, Floats, Floats]  # of the lines: overall, bid, and the bid had all got this lead; North-South's


@dataclass(frozen=True, slots=True)
class Components:
    """The parts of each result, (n,) each, NaN where a result has none (not played, adjusted, or nothing to compare
    with).

    In IMPs; for matchpoints a comparison is worth -1, 0 or 1, and 50 (1 + part) is the percentage. Always overall =
    bid + play and play = -(lead + defence).

    overall, bid, play : the declaring side's; of a pass-out North-South's, all of it bid
    lead : the opening leader's, who sits on declarer's left
    defence : the defending pair's without the lead
    luck : the declaring side's overall score against the field's scores less that against the field's clouds; 0 where
        overall is the former
    """

    overall: Floats
    bid: Floats
    play: Floats
    lead: Floats
    defence: Floats
    luck: Floats


def valet(
    results: Results,
    method: str = "iaf",
    cloud: bool = False,
    lead: str = "suit",
    datum_rule: str = "mean",
    leave_out: float | None = None,
    rounding: str = "none",
    imp_rounding: str = "nearest",
    double: bool = False,
) -> Components:
    """Split every result of a tournament into its parts.

    Parameters
    ----------
    results : the tournament; scores are compared within a board
    method : "iaf", cross-IMPs; "datum", IMPs against the datum; "matchpoints"
    cloud : compare with what the other tables' contracts are worth by the tricks of all who declared that strain from
        that seat (the appendix of 2018), not with what they scored (the paper)
    lead : which leads are alike: "none" are told apart and all goes to defence; "suit"; "honour", a suit's honours and
        its spots; "card"
    datum_rule, leave_out, rounding : as `datum` takes them; for the method "datum" alone, and not with `cloud`, whose
        datums are the integer parts of the clouds' means
    imp_rounding : as `imps` takes it
    double : as `butler` takes it; for the method "datum" alone

    Returns
    -------
    the parts of each result

    Raises
    ------
    ValueError : for another method, lead class, datum rule or rounding

    Notes
    -----
    A result's cloud is the scores of its contract with the tricks of every declarer of its strain from its seat, itself
    included. Its bid is its cloud compared with the field; its play is the rest of its overall score. The lead is
    minus the difference that it makes to the bid when the cloud holds only the declarers who got that lead.
    """
    one_of("method", method, METHODS)
    one_of("lead", lead, LEADS)
    one_of("imp_rounding", imp_rounding, IMP_ROUNDINGS)
    kernel: Kernel = np.sign if method == "matchpoints" else partial(imps_of, half=IMP_ROUNDINGS[imp_rounding])
    if method == "datum" and double:
        kernel = partial(_doubled, kernel=kernel)
    scored = np.flatnonzero(results.in_field)
    if not len(scored):
        return Components(*np.full((6, len(results)), np.nan))
    lines = _Lines.of(results, scored, lead)
    if method == "datum":
        datums = np.empty(len(lines.tables))
        datums[results.board[scored]] = datum(
            results.score[scored], datum_rule, leave_out, rounding, results.board[scored]
        )
        plain = _against_datum(lines, datums, kernel)
        split = _against_cloud_datums(lines, kernel) if cloud else plain
    else:
        plain = _against_scores(lines, kernel)
        split = _against_clouds(lines, kernel) if cloud else plain

    overall, bid, bid_of_lead = split
    leader = np.where(lines.led, bid - bid_of_lead, 0.0)
    parts = np.stack([overall, bid, overall - bid, leader, bid - overall - leader, plain[0] - overall])
    parts *= np.where(lines.declared_by_ew, -1.0, 1.0)
    parts[:, lines.alone] = np.nan
    out = np.full((6, len(results)), np.nan)
    out[:, scored] = parts[:, lines.of_result] + 0.0  # no negative zero
    return Components(*out)


@dataclass(frozen=True, slots=True)
class _Cloud:
    """For each owner a distribution of scores.

    owner : (p,) whose it is, rising
    board, score : (p,) its board, and a score that the owner may have
    tables : (p,) how many tables took the tricks for it
    """

    owner: Index
    board: Index
    score: Floats
    tables: Floats

    @classmethod
    def of(cls, group: Ints, tricks: Ints, count: Floats, contract: Ints, group_of: Ints) -> _Cloud:
        """Clouds of owners, each with its contract and the group whose tricks it takes.

        group, tricks, count : (m,) lines: their group (any number), their tricks, and how many results they have
        contract, group_of : (owners,) packed contract, and the group
        """
        taken, index = np.unique(group * _TRICKS + tricks, return_inverse=True)
        first = np.searchsorted(taken, group_of * _TRICKS)
        size = np.searchsorted(taken, (group_of + 1) * _TRICKS) - first
        owner, place = spans(first, size)
        return cls(
            owner=owner,
            board=_board(contract)[owner],
            score=_score(contract[owner], taken[place] % _TRICKS),
            tables=sums(index, count)[place],
        )

    def average(self, values: Floats) -> Floats:
        """(owners,) the average of (p,) values, one for each score."""
        return sums(self.owner, self.tables * values) / sums(self.owner, self.tables)

    def weights(self, results_of: Floats) -> Floats:
        """(p,) the weight of each score, where an owner's cloud counts once for each of its results."""
        return self.tables * (results_of / sums(self.owner, self.tables))[self.owner]


@dataclass(frozen=True, slots=True)
class _Lines:
    """What was done at the tables, each once: the distinct contracts, leads and tricks of a board.

    of_result : (n,) the line of each result that is in its field
    board, score, count : (m,) its board, N-S score, and how many results it has
    tables : (boards,) results of each board
    contract, start : (m,) its contract with the seat that declared it; that and the class of lead
    clouds, clouds_of_lead : of the contracts; of the starts, from the tables that got that lead alone
    contract_of_start, board_of_contract, results_of_contract : what the names say
    led : (m,) whether the lead is known
    declared_by_ew : (m,) whether East-West declare
    """

    of_result: Index
    board: Index
    score: Floats
    count: Floats
    tables: Floats
    contract: Index
    start: Index
    clouds: _Cloud
    clouds_of_lead: _Cloud
    contract_of_start: Index
    board_of_contract: Index
    led: NDArray[np.bool_]
    declared_by_ew: NDArray[np.bool_]

    @classmethod
    def of(cls, results: Results, scored: Index, lead: str) -> _Lines:
        """Gather the lines of the results at the places `scored`."""
        board, level = (column[scored].astype(np.int64) for column in (results.board, results.level))
        passed = level == 0
        strain = np.where(passed, _PASS_OUT, results.strain[scored])
        vulnerability = np.where(passed, 0, results.vulnerability[scored])
        contract = (board * _STRAINS + strain) * _SEATS + results.declarer[scored]
        contract = contract * _CALLS + (vulnerability * _LEVELS + level) * _DOUBLES + results.double[scored]
        lead_class = _lead_class(results.lead_suit[scored], results.lead_rank[scored], lead)
        packed = (contract * _CLASSES + lead_class) * _TRICKS + results.tricks[scored]

        lines, of_result = np.unique(packed, return_inverse=True)
        starts, start = np.unique(lines // _TRICKS, return_inverse=True)
        contracts, contract_of_start = np.unique(starts // _CLASSES, return_inverse=True)
        contract, tricks = lines // (_TRICKS * _CLASSES), lines % _TRICKS
        lead_class, count = lines // _TRICKS % _CLASSES, np.bincount(of_result).astype(np.float64)
        seat, started = contract // _CALLS, starts // _CLASSES
        return cls(
            of_result=of_result,
            board=_board(contract),
            score=_score(contract, tricks),
            count=count,
            tables=sums(_board(contract), count),
            contract=contract_of_start[start],
            start=start,
            clouds=_Cloud.of(seat, tricks, count, contracts, contracts // _CALLS),
            clouds_of_lead=_Cloud.of(
                seat * _CLASSES + lead_class, tricks, count, started, started // _CALLS * _CLASSES + starts % _CLASSES
            ),
            contract_of_start=contract_of_start,
            board_of_contract=_board(contracts),
            led=lead_class > 0,
            declared_by_ew=(seat % 2 == 1) & (_level(contract) > 0),
        )

    @property
    def alone(self) -> NDArray[np.bool_]:
        """(m,) whether it is the only result of its board."""
        return self.tables[self.board] == 1

    @property
    def results_of_contract(self) -> Floats:
        """(contracts,) how many results each has."""
        return sums(self.contract, self.count)

    def others(self, board: Index) -> Floats:
        """The number of results there are to compare with on a board, at least 1."""
        return np.maximum(self.tables[board] - 1, 1)


def _against_scores(lines: _Lines, kernel: Kernel) -> _Split:
    """The paper's comparison: with what the other tables scored.

    A score of the cloud that stands in the field too is compared with one table fewer, as if it were that table's own.
    """
    clouds, of_lead = lines.clouds, lines.clouds_of_lead
    field, at_line, at_cloud, at_lead = _joined(lines, clouds, of_lead)
    weights = sums(at_line, lines.count, len(field.score))
    compared = compare(field.board, field.score, field.board, field.score, weights, kernel)
    average = compared / np.maximum(lines.tables[field.board] - (weights > 0), 1)
    return (
        average[at_line],
        clouds.average(average[at_cloud])[lines.contract],
        of_lead.average(average[at_lead])[lines.start],
    )


def _against_clouds(lines: _Lines, kernel: Kernel) -> _Split:
    """The appendix's comparison: with the clouds of the other tables' contracts."""
    clouds, of_lead = lines.clouds, lines.clouds_of_lead
    field, at_line, at_cloud, at_lead = _joined(lines, clouds, of_lead)
    weights = sums(at_cloud, clouds.weights(lines.results_of_contract), len(field.score))
    compared = compare(field.board, field.score, field.board, field.score, weights, kernel)

    def without_own(scores: Floats, contract: Index, at: Index) -> Floats:
        own = compare(contract, scores, clouds.owner, clouds.score, clouds.weights(one), kernel)
        return (compared[at] - own) / lines.others(lines.board_of_contract[contract])

    one = np.ones(len(lines.board_of_contract))
    return (
        without_own(lines.score, lines.contract, at_line),
        clouds.average(without_own(clouds.score, clouds.owner, at_cloud))[lines.contract],
        of_lead.average(without_own(of_lead.score, lines.contract_of_start[of_lead.owner], at_lead))[lines.start],
    )


def _against_datum(lines: _Lines, datums: Floats, kernel: Kernel) -> _Split:
    """Each score against the datum of its board."""
    clouds, of_lead = lines.clouds, lines.clouds_of_lead
    return (
        kernel(lines.score - datums[lines.board]),
        clouds.average(kernel(clouds.score - datums[clouds.board]))[lines.contract],
        of_lead.average(kernel(of_lead.score - datums[of_lead.board]))[lines.start],
    )


def _against_cloud_datums(lines: _Lines, kernel: Kernel) -> _Split:
    """Each score against the datums of the other tables' clouds, a cloud's datum being the integer part of its mean."""
    datums = np.trunc(lines.clouds.average(lines.clouds.score))
    datums_of_lead = np.trunc(lines.clouds_of_lead.average(lines.clouds_of_lead.score))

    def without_own(scores: Floats, contract: Index) -> Floats:
        board = lines.board_of_contract[contract]
        sums = compare(board, scores, lines.board_of_contract, datums, lines.results_of_contract, kernel)
        return (sums - kernel(scores - datums[contract])) / lines.others(board)

    return (
        without_own(lines.score, lines.contract),
        without_own(datums, np.arange(len(datums)))[lines.contract],
        without_own(datums_of_lead, lines.contract_of_start)[lines.start],
    )


def _joined(lines: _Lines, clouds: _Cloud, of_lead: _Cloud) -> tuple[Distinct, Index, Index, Index]:
    """The distinct scores of lines and both clouds together, and where those of each stand among them."""
    field = distinct(
        np.concatenate([lines.board, clouds.board, of_lead.board]),
        np.concatenate([lines.score, clouds.score, of_lead.score]),
    )
    at_line, at_cloud, at_lead = np.split(field.index, np.cumsum([len(lines.score), len(clouds.score)]))
    return field, at_line, at_cloud, at_lead


def _doubled(difference: Floats, kernel: Kernel) -> Floats:
    """Half of what twice the difference is worth, a datum standing for the average of two tables."""
    return kernel(2 * difference) / 2


def _lead_class(suit: NDArray[np.int8], rank: NDArray[np.int8], lead: str) -> Ints:
    """A number for the class of each lead, the same for leads that are alike; 0 where it is not known well enough."""
    suits = suit.astype(np.int64)
    if lead == "none":
        return np.zeros_like(suits)
    if lead == "suit":
        return suits + 1
    if lead == "honour":
        return np.where(rank == UNKNOWN, 0, suits * 2 + (rank >= TEN) + 1)
    return np.where(rank <= SPOT, 0, suits * 15 + rank)


def _board(contract: Ints) -> Index:
    """The board of packed contracts."""
    return contract // (_STRAINS * _SEATS * _CALLS)


def _level(contract: Ints) -> Ints:
    """The level of packed contracts."""
    return contract % _CALLS // _DOUBLES % _LEVELS


def _score(contract: Ints, tricks: Ints) -> Floats:
    """N-S scores of packed contracts with these tricks."""
    seat, call = np.divmod(contract, _CALLS)
    strain, ew = np.minimum(seat // _SEATS % _STRAINS, 4), seat % 2
    vulnerable = call // (_DOUBLES * _LEVELS) >> ew & 1
    points = contract_score(_level(contract), strain, call % _DOUBLES, tricks, vulnerable)
    return np.where(ew == 1, -points, points).astype(np.float64)
