"""The Valet split of a result into bidding, play, lead and defence.

Source: S. Hein, the Valet principles paper (2015), and its appendix of 2018 on cloud scores.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

import numpy as np

from valet_xl.engine.arrays import Floats, Index, Mask, count_by, keys_of, number_keys, places_where, sum_by
from valet_xl.engine.butler import datum
from valet_xl.engine.comparison import Kernel, against_field, compare, compare_field, distinct, spans
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
        plain = kernel(groups.score - datums[groups.board])
        split = _against_cloud_datums(groups, kernel) if cloud else groups.split(plain)
    else:
        plain, values = _against_others(groups, kernel, cloud)
        split = groups.split(values)

    overall, bid, bid_of_lead = split
    leader = np.where(lines.led, bid - bid_of_lead, 0.0)
    parts = np.stack([overall, bid, overall - bid, leader, bid - overall - leader, plain[groups.at_line] - overall])
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
class _Added:
    """What a virtual table adds to results that are scored: (n,) tricks, those after the lead, and its weight."""

    tricks: Floats | None = None
    led: Floats | None = None
    weight: float = 0

    @classmethod
    def of(cls, virtual: VirtualTable, scored: Index) -> _Added:
        """Of the results that are scored."""
        return cls(virtual.tricks[scored], virtual.led[scored], virtual.weight)


def _tables(lines: Lines, group: Index, tricks: Floats | None, weight: float) -> Floats:
    """(groups, `TRICKS`) how many tables of each group took so many tricks.

    group : (m,) the group of each line
    tricks, weight : (n,) tricks of each result that are added to its group, which together count as so many tables
    """
    shape = (int(group.max()) + 1, TRICKS)
    tables = sum_by(keys_of((group, lines.tricks), shape), lines.count, shape[0] * TRICKS).reshape(shape)
    if tricks is not None:
        known = np.flatnonzero(~np.isnan(tricks))
        places = group[lines.of_result[known]]
        added = count_by(keys_of((places, tricks[known].astype(np.intp)), shape), tables.size).reshape(shape)
        tables += weight * added / np.maximum(count_by(places, shape[0]), 1)[:, None]
    return tables


@dataclass(frozen=True, slots=True)
class _Cloud:
    """For each owner a distribution of scores.

    owner : (p,) whose it is, rising
    at : (p,) the places among `_Groups.score` of the scores that the owner may have, by rising tricks
    tables : (p,) how many tables took the tricks for it
    total : (owners,) how many tables there are
    """

    owner: Index
    at: Index | slice
    tables: Floats
    total: Floats

    def average(self, values: Floats) -> Floats:
        """(owners,) the average of values, of which there is one for each of `_Groups.score`."""
        return sum_by(self.owner, self.tables * values[self.at]) / self.total

    def weights(self, results_of: Floats) -> Floats:
        """(p,) the weight of each score, where an owner's cloud counts once for each of its results."""
        return self.tables * (results_of / self.total)[self.owner]


def _laid(tables: Floats, possible: Mask, group: Index) -> tuple[Index, Index, Floats]:
    """The possible tricks of each owner's group: (p,) owner, tricks and tables, by owner and tricks.

    tables, possible : (groups, `TRICKS`) how many tables took so many tricks, and which tricks are possible
    group : (owners,) the group of each owner
    """
    of_group, tricks = places_where(possible)
    size = count_by(of_group, len(possible))
    owner, place = spans((size.cumsum() - size)[group], size[group])
    return owner, tricks[place], tables[of_group, tricks][place]


@dataclass(frozen=True, slots=True)
class _Groups:
    """The lines of all boards gathered by contract and by lead, and the clouds of these groups.

    score, board : (p,) the N-S scores that each contract may have, and their boards; what lines score is among them
    tables : (boards,) results of each board
    contract, start : (m,) the line's contract with its declarer; that with the class of lead
    at_line : (m,) the place of each line's score among the p
    clouds, clouds_of_lead : of the contracts; of the starts, from the tables that got that lead alone
    contract_of_start, board_of_contract, results_of_contract : what the names say
    """

    lines: Lines
    score: Floats
    board: Index
    tables: Floats
    contract: Index
    start: Index
    at_line: Index
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
        shape = (int(seat[-1]) + 1, SUITS, int(lines.rank.max()) + 1)
        _, seat_and_lead = number_keys(keys_of((seat, lines.suit, lines.rank), shape))
        tables = _tables(lines, seat, added.tricks, added.weight)
        tables_of_lead = _tables(lines, seat_and_lead, added.led, added.weight)
        possible = tables > 0
        if added.led is not None:  # only then there may be tricks after a lead that nobody takes without it
            group, tricks = places_where(tables_of_lead)
            seat_of = np.empty(len(tables_of_lead), dtype=np.intp)
            seat_of[seat_and_lead] = seat
            possible[seat_of[group], tricks] = True

        owner, tricks, its_tables = _laid(tables, possible, seat[contracts])
        of_lead, tricks_of_lead, its_tables_of_lead = _laid(tables_of_lead, tables_of_lead > 0, seat_and_lead[starts])
        place = np.empty(len(contracts) * TRICKS, dtype=np.intp)
        place[owner * TRICKS + tricks] = np.arange(len(owner), dtype=np.intp)
        contract_of_start = contract[starts]
        at_lead = place[contract_of_start[of_lead] * TRICKS + tricks_of_lead]
        line = contracts[owner]
        return cls(
            lines=lines,
            score=lines.scores(line, tricks),
            board=lines.board[line],
            tables=sum_by(lines.board, lines.count),
            contract=contract,
            start=start,
            at_line=place[contract * TRICKS + lines.tricks],
            clouds=_Cloud(owner, slice(None), its_tables, sum_by(owner, its_tables)),
            clouds_of_lead=_Cloud(of_lead, at_lead, its_tables_of_lead, sum_by(of_lead, its_tables_of_lead)),
            contract_of_start=contract_of_start,
            board_of_contract=lines.board[contracts],
            results_of_contract=sum_by(contract, lines.count),
        )

    def others(self, board: Index) -> Floats:
        """The number of results there are to compare with on a board, at least 1."""
        return np.maximum(self.tables[board] - 1, 1)

    def split(self, values: Floats) -> _Split:
        """What lines, clouds and clouds of leads are worth, if the possible scores have these (p,) values."""
        average, of_lead = self.clouds.average(values), self.clouds_of_lead.average(values)
        return values[self.at_line], average[self.contract], of_lead[self.start]


def _against_others(groups: _Groups, kernel: Kernel, cloud: bool) -> tuple[Floats, Floats]:
    """(p,) values of the possible scores by the paper's comparison; and by the appendix's if `cloud`, else the same.

    The paper's is with what the other tables scored. A score of the cloud that is in the field too is compared with one
    table fewer, as if it were that table's own. The appendix's is with the clouds of the other tables' contracts.
    """
    field = distinct(groups.board, groups.score)
    weights = sum_by(field.index[groups.at_line], groups.lines.count, len(field.score))
    tables = np.maximum(groups.tables[field.board] - (weights > 0), 1)
    if not cloud:
        plain = (compare_field(field, weights, kernel) / tables)[field.index]
        return plain, plain
    clouds = groups.clouds
    of_clouds = sum_by(field.index, clouds.weights(groups.results_of_contract), len(field.score))
    compared, compared_with_clouds = compare_field(field, np.stack([weights, of_clouds]), kernel)
    one = np.ones(len(groups.board_of_contract))
    own = compare(clouds.owner, groups.score, clouds.owner, groups.score, clouds.weights(one), kernel)
    without_own = (compared_with_clouds[field.index] - own) / groups.others(groups.board)
    return (compared / tables)[field.index], without_own


def _against_cloud_datums(groups: _Groups, kernel: Kernel) -> _Split:
    """Each score against the datums of the other tables' clouds, a cloud's datum being the integer part of its mean."""
    datums = np.trunc(groups.clouds.average(groups.score))
    datums_of_lead = np.trunc(groups.clouds_of_lead.average(groups.score))

    def without_own(scores: Floats, contract: Index) -> Floats:
        board = groups.board_of_contract[contract]
        sums = compare(board, scores, groups.board_of_contract, datums, groups.results_of_contract, kernel)
        return (sums - kernel(scores - datums[contract])) / groups.others(board)

    return (
        without_own(groups.score[groups.at_line], groups.contract),
        without_own(datums, np.arange(len(datums)))[groups.contract],
        without_own(datums_of_lead, groups.contract_of_start)[groups.start],
    )


def _doubled(difference: Floats, kernel: Kernel) -> Floats:
    """Half of what twice the difference is worth: a datum counts as the average of two tables."""
    return kernel(2 * difference) / 2
