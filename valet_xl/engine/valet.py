"""The Valet split of a result into bidding, play, lead and defence.

Source: S. Hein, the Valet principles paper (2015), and its appendix of 2018 on cloud scores.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

import numpy as np

from valet_xl.engine.arrays import Floats, Index, count_by, keys_of, number_keys, places_where, sum_by
from valet_xl.engine.butler import datum
from valet_xl.engine.comparison import Distinct, Kernel, against_field, compare, compare_field, distinct, spans
from valet_xl.engine.laws import IMP_ROUNDINGS, imps_of
from valet_xl.engine.lines import LEADS, SUITS, TRICKS, Lines, runs
from valet_xl.engine.results import Results
from valet_xl.errors import one_of
from valet_xl.messages import counted

METHODS = ("iaf", "datum", "matchpoints")
_Split = tuple[Floats, Floats, Floats]  # of the lines: overall, bid, and the bid had all got this lead; North-South's


@dataclass(frozen=True, slots=True, eq=False)
class VirtualTable:
    """A table that is added to the cloud of each strain and seat of a board: one at which all play double dummy.

    tricks : (n,) declarer's tricks double dummy in each result's contract, NaN where not known
    led : (n,) those after the lead that was made; as `tricks` where the lead is not known
    weight : how many tables it counts as
    """

    tricks: Floats
    led: Floats
    weight: float


@dataclass(frozen=True, slots=True)
class Components:
    """The parts of each result, (n,) each, NaN where a result has none (not played, adjusted, or nothing to compare
    with). On a board with a score whose contract is not known there is only `overall`.

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

    def __repr__(self) -> str:
        known = int(np.count_nonzero(~np.isnan(self.overall)))
        return f"<components of {counted(len(self.overall), 'result')}, {known:,} of them with a score>"


def in_halves(parts: Components) -> Components:
    """Matchpoints split as the paper does it: overall is the average of bid and play, and not their sum.

    Parameters
    ----------
    parts : of `valet` with the method "matchpoints"

    Returns
    -------
    the parts with play = 2 overall - bid, and with twice the lead; still play = -(lead + defence)

    Notes
    -----
    S. Hein, the Valet principles paper (2015), 2.3. The percentage of play is 50 (1 + play) = 2 x 50 (1 + overall) -
    50 (1 + bid): with 60 % and a bid of 70 % it is 50 %. The paper does not say what becomes of the lead. What play is
    worth above its bid counts twice here, and the lead is a part of that; if all got the same lead it is 50 %.

    >>> one = np.array([0.2])
    >>> in_halves(Components(one, 2 * one, -one, 0 * one, one, 0 * one)).play.tolist()
    [0.0]
    """
    play, lead = 2 * parts.overall - parts.bid, 2 * parts.lead
    return replace(parts, play=play + 0.0, lead=lead + 0.0, defence=-play - lead + 0.0)


def valet(
    results: Results,
    *,
    method: str = "iaf",
    cloud: bool = False,
    lead: str = "suit",
    rule: str = "mean",
    leave_out: float | None = None,
    rounding: str = "none",
    imp_rounding: str = "nearest",
    double: bool = False,
    virtual: VirtualTable | None = None,
) -> Components:
    """Split every result of a tournament into its parts.

    Parameters
    ----------
    results : the tournament; scores are compared within a board
    method : "iaf", cross-IMPs; "datum", IMPs against the datum; "matchpoints"
    cloud : compare with what the other tables' contracts are worth by the tricks of all who declared that strain from
        that seat (the appendix of 2018), not with what they scored (the paper)
    lead : which leads are alike: "none", leads are not looked at and all goes to defence; "suit"; "honour", a suit's
        honours and its spots; "card"
    rule, leave_out, rounding : as `datum` takes them; for the method "datum" alone, and not with `cloud`, whose
        datums are the integer parts of the clouds' means
    imp_rounding : as `imps` takes it
    double : as `butler` takes it; for the method "datum" alone
    virtual : a table that plays double dummy, which is added to the clouds and to nothing else

    Returns
    -------
    the parts of each result

    Raises
    ------
    OptionError : for another method, lead class, datum rule or rounding

    Notes
    -----
    A result's cloud is the scores of its contract with the tricks of every declarer of its strain from its seat, itself
    included. Its bid is its cloud compared with the field; its play is the rest of its overall score. The lead is
    minus the difference that it makes to the bid when the cloud has only the declarers who got that lead.
    """
    one_of("method", method, METHODS)
    one_of("lead", lead, LEADS)
    one_of("imp_rounding", imp_rounding, IMP_ROUNDINGS)
    kernel: Kernel = np.sign if method == "matchpoints" else partial(imps_of, half=IMP_ROUNDINGS[imp_rounding])
    if method == "datum" and double:
        kernel = partial(_doubled, kernel=kernel)
    in_field, without_parts = results.in_field, results.unsplit
    unsplit = np.flatnonzero(in_field & without_parts)
    scored = np.flatnonzero(in_field & ~without_parts)
    out = np.full((6, len(results)), np.nan)
    if len(unsplit):
        of_datum = {"rule": rule, "leave_out": leave_out, "rounding": rounding} if method == "datum" else None
        by_ew = (results.declarer[unsplit] % 2 == 1) & (results.level[unsplit] > 0)
        worth = _scores_compared(results.board[unsplit], results.score[unsplit], kernel, of_datum)
        out[0, unsplit] = np.where(by_ew, -worth, worth)
    if not len(scored):
        return Components(*out)
    every = len(scored) == len(results)
    lines = Lines.of(results, slice(None) if every else scored, lead)
    groups = _Groups.of(lines, None if virtual is None else _Added.of(virtual, scored))
    if method == "datum":
        datums = np.empty(len(groups.tables))
        datums[results.board[scored]] = datum(
            results.score[scored], rule=rule, leave_out=leave_out, rounding=rounding, boards=results.board[scored]
        )
        plain = _against_datum(groups, datums, kernel)
        split = _against_cloud_datums(groups, kernel) if cloud else plain
    else:
        plain = _against_scores(groups, kernel)
        split = _against_clouds(groups, kernel) if cloud else plain

    overall, bid, bid_of_lead = split
    leader = np.where(lines.led, bid - bid_of_lead, 0.0)
    parts = np.stack([overall, bid, overall - bid, leader, bid - overall - leader, plain[0] - overall])
    parts *= np.where(lines.declared_by_ew, -1.0, 1.0)
    parts[:, groups.tables[lines.board] == 1] = np.nan  # nothing to compare with
    parts += 0.0  # no negative zero
    for of_results, of_lines in zip(out, parts, strict=True):
        if every:
            of_lines.take(lines.of_result, out=of_results, mode="clip")
        else:
            of_results[scored] = of_lines[lines.of_result]
    return Components(*out)


def _scores_compared(boards: Index, scores: Floats, kernel: Kernel, of_datum: Mapping[str, Any] | None) -> Floats:
    """(n,) what scores are worth against the others of their boards, or against the datum; NaN for a lone one."""
    sums, tables = against_field(boards, scores, kernel)
    if of_datum is not None:
        return np.where(tables > 1, kernel(scores - datum(scores, boards=boards, **of_datum)), np.nan)
    return np.divide(sums, tables - 1, out=np.full(len(scores), np.nan), where=tables > 1)


@dataclass(frozen=True, slots=True)
class _Cloud:
    """For each owner a distribution of scores.

    owner : (p,) whose it is, rising
    board, score : (p,) its board, and a score that the owner may have
    tricks : (p,) those that give that score, rising for each owner
    tables : (p,) how many tables took the tricks for it
    """

    owner: Index
    board: Index
    score: Floats
    tricks: Index
    tables: Floats

    @classmethod
    def of(cls, lines: Lines, owners: Index, group: Index, tricks: Floats | None = None, weight: float = 0) -> _Cloud:
        """Clouds of some lines' contracts.

        owners : (k,) a line of each owner, which has its contract
        group : (m,) the group of each line; an owner's cloud has the tricks of its own line's group
        tricks, weight : (n,) tricks of each result that are added to its group, which together count as so many tables
        """
        shape = (int(group.max()) + 1, TRICKS)
        taken = sum_by(keys_of((group, lines.tricks), shape), lines.count, shape[0] * TRICKS).reshape(shape)
        if tricks is not None:
            known = np.flatnonzero(~np.isnan(tricks))
            places = group[lines.of_result[known]]
            added = sum_by(keys_of((places, tricks[known].astype(np.intp)), shape), np.ones(len(known)), taken.size)
            results = count_by(places, shape[0])
            taken += weight * added.reshape(shape) / np.maximum(results, 1)[:, None]
        of_group, taken_by = places_where(taken)
        tables = taken[of_group, taken_by]
        size = count_by(of_group, shape[0])
        of_owner = group[owners]
        owner, place = spans((size.cumsum() - size)[of_owner], size[of_owner])
        line, tricks_of = owners[owner], taken_by[place]
        return cls(owner, lines.board[line], lines.scores(line, tricks_of), tricks_of, tables[place])

    def average(self, values: Floats) -> Floats:
        """(owners,) the average of (p,) values, one for each score."""
        return sum_by(self.owner, self.tables * values) / sum_by(self.owner, self.tables)

    def weights(self, results_of: Floats) -> Floats:
        """(p,) the weight of each score, where an owner's cloud counts once for each of its results."""
        return self.tables * (results_of / sum_by(self.owner, self.tables))[self.owner]


@dataclass(frozen=True, slots=True)
class _Added:
    """What a virtual table adds to results that are scored: (n,) tricks, those after the lead, and its weight."""

    tricks: Floats | None = None
    led: Floats | None = None
    weight: float = 0

    @classmethod
    def of(cls, virtual: VirtualTable, scored: Index) -> _Added:
        """Of the results that are scored."""
        return cls(virtual.tricks[scored], virtual.led[scored], virtual.weight)


@dataclass(frozen=True, slots=True)
class _Groups:
    """The lines of all boards gathered by contract and by lead, and the clouds of these groups.

    score : (m,) the N-S score of each line
    tables : (boards,) results of each board
    contract, start : (m,) the line's contract with its declarer; that with the class of lead
    clouds, clouds_of_lead : of the contracts; of the starts, from the tables that got that lead alone
    contract_of_start, board_of_contract, results_of_contract : what the names say
    """

    lines: Lines
    score: Floats
    tables: Floats
    contract: Index
    start: Index
    clouds: _Cloud
    clouds_of_lead: _Cloud
    contract_of_start: Index
    board_of_contract: Index
    results_of_contract: Floats

    @classmethod
    def of(cls, lines: Lines, added: _Added | None = None) -> _Groups:
        """Gather lines."""
        added = added or _Added()
        _, seat = runs(lines.board, lines.strain, lines.declarer)
        contracts, contract = runs(seat, lines.vulnerability, lines.level, lines.double)
        starts, start = runs(contract, lines.suit, lines.rank)
        shape = (int(seat.max()) + 1, SUITS, int(lines.rank.max()) + 1)
        _, seat_and_lead = number_keys(keys_of((seat, lines.suit, lines.rank), shape))
        return cls(
            lines=lines,
            score=lines.scores(np.arange(len(lines)), lines.tricks),
            tables=sum_by(lines.board, lines.count),
            contract=contract,
            start=start,
            clouds=_Cloud.of(lines, contracts, seat, added.tricks, added.weight),
            clouds_of_lead=_Cloud.of(lines, starts, seat_and_lead, added.led, added.weight),
            contract_of_start=contract[starts],
            board_of_contract=lines.board[contracts],
            results_of_contract=sum_by(contract, lines.count),
        )

    def others(self, board: Index) -> Floats:
        """The number of results there are to compare with on a board, at least 1."""
        return np.maximum(self.tables[board] - 1, 1)


def _against_scores(groups: _Groups, kernel: Kernel) -> _Split:
    """The paper's comparison: with what the other tables scored.

    A score of the cloud that is in the field too is compared with one table fewer, as if it were that table's own.
    """
    clouds, of_lead = groups.clouds, groups.clouds_of_lead
    field, at_line, at_cloud, at_lead = _joined(groups)
    weights = sum_by(at_line, groups.lines.count, len(field.score))
    compared = compare_field(field, weights, kernel)
    average = compared / np.maximum(groups.tables[field.board] - (weights > 0), 1)
    return (
        average[at_line],
        clouds.average(average[at_cloud])[groups.contract],
        of_lead.average(average[at_lead])[groups.start],
    )


def _against_clouds(groups: _Groups, kernel: Kernel) -> _Split:
    """The appendix's comparison: with the clouds of the other tables' contracts."""
    clouds, of_lead = groups.clouds, groups.clouds_of_lead
    field, at_line, at_cloud, at_lead = _joined(groups)
    weights = sum_by(at_cloud, clouds.weights(groups.results_of_contract), len(field.score))
    compared = compare_field(field, weights, kernel)

    def without_own(scores: Floats, contract: Index, at: Index) -> Floats:
        own = compare(contract, scores, clouds.owner, clouds.score, clouds.weights(one), kernel)
        return (compared[at] - own) / groups.others(groups.board_of_contract[contract])

    one = np.ones(len(groups.board_of_contract))
    return (
        without_own(groups.score, groups.contract, at_line),
        clouds.average(without_own(clouds.score, clouds.owner, at_cloud))[groups.contract],
        of_lead.average(without_own(of_lead.score, groups.contract_of_start[of_lead.owner], at_lead))[groups.start],
    )


def _against_datum(groups: _Groups, datums: Floats, kernel: Kernel) -> _Split:
    """Each score against the datum of its board."""
    clouds, of_lead = groups.clouds, groups.clouds_of_lead
    return (
        kernel(groups.score - datums[groups.lines.board]),
        clouds.average(kernel(clouds.score - datums[clouds.board]))[groups.contract],
        of_lead.average(kernel(of_lead.score - datums[of_lead.board]))[groups.start],
    )


def _against_cloud_datums(groups: _Groups, kernel: Kernel) -> _Split:
    """Each score against the datums of the other tables' clouds, a cloud's datum being the integer part of its mean."""
    datums = np.trunc(groups.clouds.average(groups.clouds.score))
    datums_of_lead = np.trunc(groups.clouds_of_lead.average(groups.clouds_of_lead.score))

    def without_own(scores: Floats, contract: Index) -> Floats:
        board = groups.board_of_contract[contract]
        sums = compare(board, scores, groups.board_of_contract, datums, groups.results_of_contract, kernel)
        return (sums - kernel(scores - datums[contract])) / groups.others(board)

    return (
        without_own(groups.score, groups.contract),
        without_own(datums, np.arange(len(datums)))[groups.contract],
        without_own(datums_of_lead, groups.contract_of_start)[groups.start],
    )


def _joined(groups: _Groups) -> tuple[Distinct, Index, Index, Index]:
    """The distinct scores of lines and both clouds together, and the places among them of each one's scores.

    Notes
    -----
    What lines and clouds of leads score is in the cloud of their contract too. Only a virtual table may take tricks
    after the lead that nobody takes without it.
    """
    clouds, of_lead = groups.clouds, groups.clouds_of_lead
    place = np.full(len(groups.board_of_contract) * TRICKS, -1, dtype=np.intp)
    place[clouds.owner * TRICKS + clouds.tricks] = np.arange(len(clouds.score), dtype=np.intp)
    of_line = place[groups.contract * TRICKS + groups.lines.tricks]
    of_start = place[groups.contract_of_start[of_lead.owner] * TRICKS + of_lead.tricks]
    if (of_start >= 0).all():
        field = distinct(clouds.board, clouds.score)
        return field, field.index[of_line], field.index, field.index[of_start]
    field = distinct(
        np.concatenate([groups.lines.board, clouds.board, of_lead.board]),
        np.concatenate([groups.score, clouds.score, of_lead.score]),
    )
    at_line, at_cloud, at_lead = np.split(field.index, np.cumsum([len(groups.score), len(clouds.score)]))
    return field, at_line, at_cloud, at_lead


def _doubled(difference: Floats, kernel: Kernel) -> Floats:
    """Half of what twice the difference is worth: a datum counts as the average of two tables."""
    return kernel(2 * difference) / 2
