"""What the Valet 1.1 program does beyond its own definitions, written out, so that its tables can be compared whole.

Nothing of valet_xl is computed like this. Each function names what it does otherwise than the definition.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields, replace

import numpy as np

from valet_xl.engine.arrays import Floats
from valet_xl.engine.laws import contract_score, imps
from valet_xl.engine.options import Options
from valet_xl.engine.results import Results
from valet_xl.engine.score_results import split
from valet_xl.engine.valet import Components
from valet_xl.rankings.partnerships import Partnerships

VALUES = ("overall", "bid", "declarer1", "declarer2", "lead1", "lead2", "defence")  # what it adds up for each pair
Table = tuple[Mapping[str, Floats], Mapping[str, np.ndarray]]  # averages and chances of all pairs, by column


def parts_of(results: Results, options: Options) -> Components:
    """The parts of each result as the program has them in this mode."""
    if not options.cloud:
        return split(results, options)
    if options.method == "datum":
        return with_leads_by_the_fields_datums(results, split(results, options))
    return with_plain_leads(results, options, without_pass_outs(results, options))


def without_pass_outs(results: Results, options: Options) -> Components:
    """Parts in cloud modes, where each passed-out table counts as 0 for the others instead of being compared with."""
    parts = split(results, options)
    played = np.flatnonzero(results.level > 0)
    alone = {
        field.name: getattr(results, field.name)[played]
        for field in fields(results)
        if isinstance(getattr(results, field.name), np.ndarray)
    }
    without = split(replace(results, **alone), options)
    tables, all_tables = (np.bincount(each, minlength=len(results.boards)) for each in (alone["board"], results.board))
    share = (tables - 1) / np.maximum(all_tables - 1, 1)
    share[tables == 1] = 0
    columns = {}
    for field in fields(parts):
        values = getattr(parts, field.name).copy()
        values[played] = np.nan_to_num(getattr(without, field.name)) * share[alone["board"]]
        columns[field.name] = values
    return Components(**columns)


def with_plain_leads(results: Results, options: Options, parts: Components) -> Components:
    """Leads in cloud modes: the bid of the lead's declarers compared with plain scores, less the cloud bid."""
    plain = split(results, replace(options, cloud=False))
    led = (results.lead_suit >= 0) & (results.level > 0)
    return with_leads(parts, np.where(led, parts.bid - plain.bid + plain.lead, 0))


def with_leads_by_the_fields_datums(results: Results, parts: Components) -> Components:
    """Leads against clouds' datums: own datum is compared with what the others' would be if they got their own leads.

    The definition changes the own datum by the own lead. Another table without a lead takes that of the line before,
    and if nobody got this lead, the datum is 0.
    """
    lead = np.zeros(len(results))
    of_before = np.maximum.accumulate(np.where(results.lead_suit >= 0, np.arange(len(results)), -1))
    suit = np.where(of_before >= 0, results.lead_suit[of_before], -1)
    for board in range(len(results.boards)):
        rows = np.flatnonzero(results.board == board)
        played = results.level[rows] > 0
        same = (results.declarer[rows, None] == results.declarer[rows]) & (
            results.strain[rows, None] == results.strain[rows]
        )
        same &= played[:, None] & played
        scores = _scores(results, rows)
        own = _datums(scores, same)
        by_lead = _datums(scores, same & (suit[rows, None] == results.lead_suit[rows]))
        others = 1 - np.eye(len(rows))
        difference = (others * (imps(own[:, None] - by_lead) - imps(own[:, None] - own))).sum(axis=1)
        sign = np.where(results.declarer[rows] % 2 == 1, -1, 1)
        led = played & (results.lead_suit[rows] >= 0)
        lead[rows] = np.where(led, -sign * difference / max(len(rows) - 1, 1), 0)
    return with_leads(parts, lead)


def with_leads(parts: Components, lead: Floats) -> Components:
    """The parts with other leads; defence is the rest."""
    return replace(parts, lead=lead, defence=-parts.play - lead)


def _scores(results: Results, rows: np.ndarray) -> Floats:
    """(k, k) what each of these rows would score for North-South in its own contract with the tricks of each other."""
    level, strain, double, declarer, vulnerability = (
        getattr(results, name)[rows, None] for name in ("level", "strain", "double", "declarer", "vulnerability")
    )
    ew = declarer % 2
    points = contract_score(level, strain, double, results.tricks[rows], np.maximum(vulnerability, 0) >> ew & 1)
    return np.where(level == 0, 0, np.where(ew == 1, -points, points)).astype(np.float64)


def _datums(scores: Floats, of_cloud: np.ndarray) -> Floats:
    """(k,) the integer part of the mean over a cloud; 0 of an empty one."""
    return np.trunc((scores * of_cloud).sum(axis=1) / np.maximum(of_cloud.sum(axis=1), 1))


def table(results: Results, who: Partnerships, parts: Components, *, compensate: bool) -> Table:
    """The table of pairs, in IMPs, with its compensation (-c) or without.

    The average of each of VALUES is raised by a correction of its own. The columns of both players follow from that.
    """
    by_ew = (results.level > 0) & (results.declarer % 2 == 1)
    declaring, defending = (np.where(by_ew, who.pair[:, 1 - side], who.pair[:, side]) for side in (0, 1))
    values, there = _values(results, who, parts, declaring, defending)
    size = len(who.pair_names)
    sums, chances = np.zeros((2, size, len(VALUES)))
    for pair, signs in ((declaring, (1, 1, 1, 1, 0, 0, 0)), (defending, (-1, -1, 0, 0, 1, 1, 1))):
        np.add.at(sums, pair, values * signs)
        np.add.at(chances, pair, there & (np.array(signs) != 0))
    raised = np.divide(sums, chances, out=np.zeros_like(sums), where=chances > 0)
    if compensate:
        raised = raised + corrections(declaring, defending, values, sums, chances)
    return _columns(raised, chances)


def _values(
    results: Results, who: Partnerships, parts: Components, declaring: np.ndarray, defending: np.ndarray
) -> tuple[Floats, np.ndarray]:
    """(n, 7) the values of each result, the declaring pair's and then the defenders', and which of them there are."""
    played = results.level > 0
    seats = {"declarer": (results.declarer, declaring), "lead": ((results.declarer + 1) % 4, defending)}
    everywhere = np.ones(len(results), dtype=bool)
    columns = {name: (getattr(parts, name), everywhere) for name in ("overall", "bid")}
    for name, (seat, pair) in seats.items():
        player, partner = (who.player[np.arange(len(results)), (seat + turn) % 4] for turn in (0, 2))
        first = who.pair_players[pair, 0]
        second = np.where((player < 0) & (partner >= 0), partner == first, player != first)
        score = parts.play if name == "declarer" else parts.lead
        columns[f"{name}1"], columns[f"{name}2"] = (score, played & ~second), (score, played & second)
    columns["defence"] = (parts.defence, played)
    values = np.stack([np.where(columns[name][1], columns[name][0], 0) for name in VALUES], axis=1)
    return values, np.stack([columns[name][1] for name in VALUES], axis=1)


def corrections(declaring: np.ndarray, defending: np.ndarray, values: Floats, sums: Floats, chances: Floats) -> Floats:
    """(pairs, 7) what the program adds for the opponents.

    Over all opponents, each once: what the opponent scored in all less what the pair scored against it, over the
    opponent's chances less all boards against it. The definition is what the opponent scored against others, over its
    chances against others. The number of chances has no sign: less than 0 is some four thousand millions, and the
    correction is nearly 0.
    """
    pairs = len(sums)
    scored, met = np.zeros((pairs, pairs, len(VALUES))), np.zeros((pairs, pairs))
    np.add.at(scored, (declaring, defending), values)
    np.add.at(scored, (defending, declaring), -values)
    np.add.at(met, (declaring, defending), 1)
    np.add.at(met, (defending, declaring), 1)
    opponents = met > 0
    total = opponents @ sums - scored.sum(axis=1)
    count = (opponents @ chances - met.sum(axis=1)[:, None]) % (1 << 32)
    return np.divide(total, count, out=np.zeros_like(total), where=count > 0)


def _columns(raised: Floats, chances: Floats) -> Table:
    """The columns that it prints, from the averages of VALUES."""
    average, count = dict(zip(VALUES, raised.T, strict=True)), dict(zip(VALUES, chances.T.astype(int), strict=True))

    def together(names: tuple[str, ...], over: np.ndarray) -> Floats:
        return sum(average[name] * count[name] for name in names) / np.where(over > 0, over, 1)

    count["boards"] = count["overall"]
    count["declarer"] = count["declarer1"] + count["declarer2"]
    count["defending"] = count["defence"]
    average["play"] = average["overall"] - average["bid"]
    average["declarer"] = together(("declarer1", "declarer2"), count["declarer"])
    average["defending"] = together(("lead1", "lead2", "defence"), count["defence"])
    return {name: np.where(count.get(name, 1) > 0, values, np.nan) for name, values in average.items()}, count
