"""Results scored: every score of a tournament, the columns that a sheet shows, and what was not scored."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, fields, replace
from itertools import product
from typing import Any

import numpy as np

from valet_xl.engine.arrays import Floats, Index, count_by, distinct_keys, places_where
from valet_xl.engine.butler import butler, datum
from valet_xl.engine.comparison import cross_imps, matchpoint_percent, matchpoints
from valet_xl.engine.lines import lead_known
from valet_xl.engine.options import Options
from valet_xl.engine.results import Results, Seating, Status, artificial_scores, board_name, normal_results
from valet_xl.engine.teams import barking
from valet_xl.engine.valet import Components, VirtualTable, in_halves, valet
from valet_xl.errors import RowError
from valet_xl.messages import counted

_SHOWN = 10  # placeholders that a sentence lists
_PARTS = ("bid", "play", "lead", "defence")


@dataclass(frozen=True, slots=True)
class ScoreColumn:
    """A column that scoring writes.

    field : the field of `Scores`
    heading : what a sheet calls it
    form : a spreadsheet number format: "0", "0.00" ..., or "@" for text
    meaning : what is in it, a phrase without a capital or a full stop
    former : what earlier versions called it, if not the same
    """

    field: str
    heading: str
    form: str
    meaning: str
    former: str = ""

    def number_format(self, options: Options) -> str:
        """The number format with these options: some give the column halves, others leave it none."""
        if self.field == "butler" and options.double:
            return "0.0"
        if self.field == "datum" and options.rounding != "none":
            return "0"
        return self.form


COLUMNS = (
    ScoreColumn("score", "Score", "0", "points to North-South"),
    ScoreColumn("datum", "Datum", "0.0", "the datum of the board, in points to North-South"),
    ScoreColumn("butler", "Butler", "0", "IMPs to North-South against the datum"),
    ScoreColumn("cross_imps", "IAF", "0.00", "IMPs to North-South across the field (cross-IMPs)"),
    ScoreColumn("barking", "Barking", "0.00", "IMPs to North-South in teams of eight, with `--barking` only"),
    ScoreColumn("matchpoints", "MP", "0.0", "matchpoints to North-South: 2 for a score beaten, 1 for one equalled"),
    ScoreColumn("percent", "MP %", "0.00", "matchpoints to North-South in per cent, 50 being average"),
    ScoreColumn(
        "award_ew", "E-W award", "0.00", "what an adjusted score such as 60/60 gives East-West, if there is one"
    ),
    ScoreColumn("bid", "Bid", "0.00", "what the bidding was worth to the declaring side; in a pass-out to North-South"),
    ScoreColumn("play", "Play", "0.00", "what the play of the cards was worth to the declaring side"),
    ScoreColumn("lead", "Lead score", "0.00", "what the opening lead was worth to the defenders", former="Lead"),
    ScoreColumn("defence", "Defence", "0.00", "what the rest of the defence was worth to the defenders"),
    ScoreColumn("luck", "Luck", "0.00", "what the other tables' tricks gave the declaring side"),
    ScoreColumn("dd", "DD", "0", "the tricks that declarer takes double dummy, with cards beside the results only"),
    ScoreColumn("par", "Par", "0", "double-dummy par of the deal, in points to North-South"),
    ScoreColumn("par_contract", "Par contract", "@", "what an auction ends in when all hands are seen"),
    ScoreColumn("lead_cost", "Lead cost", "0", "the tricks that the opening lead gives declarer double dummy"),
    ScoreColumn("dd_play", "DD play", "0", "declarer's tricks less those double dummy"),
    ScoreColumn("dd_defence", "DD defence", "0", "the defenders' tricks after the lead, less those double dummy"),
    ScoreColumn("layout", "Layout luck", "0.00", "what the lie of the cards gave the declaring side, in IMPs"),
    ScoreColumn("note", "Note", "@", "why a result has no scores, or what is wrong in its row"),
)
"""Every column that scoring can write, in the order in which they are written."""


DOUBLE_DUMMY = ("dd", "par", "par_contract", "lead_cost", "dd_play", "dd_defence", "layout")
"""The columns that are written where results have their deals beside them."""


def written_columns(
    method: str, cloud: bool, award: bool = False, barking: bool = False, deals: bool = False
) -> tuple[ScoreColumn, ...]:
    """The columns that scoring writes with these options, in their order.

    award : whether a result has an adjusted score whose halves are not what one side gains and the other loses
    barking : whether the teams of eight were scored
    deals : whether the results have their deals beside them
    """
    left_out = {"cross_imps"} if method == "matchpoints" else {"matchpoints", "percent"}
    left_out |= (set() if cloud else {"luck"}) | (set() if award else {"award_ew"})
    left_out |= set() if barking else {"barking"}
    left_out |= set() if deals else set(DOUBLE_DUMMY)
    left_out |= {"layout"} if method == "matchpoints" else set()  # which is in IMPs
    return tuple(column for column in COLUMNS if column.field not in left_out)


def layout(
    method: str, cloud: bool, award: bool = False, barking: bool = False, deals: bool = False
) -> tuple[str, ...]:
    """The headings of the columns that scoring writes, in their order.

    >>> layout("iaf", cloud=False)
    ('Score', 'Datum', 'Butler', 'IAF', 'Bid', 'Play', 'Lead score', 'Defence', 'Note')
    """
    return tuple(column.heading for column in written_columns(method, cloud, award, barking, deals))


def _layouts() -> Iterator[tuple[str, ...]]:
    for options in product(("iaf", "matchpoints"), *4 * ((False, True),)):
        yield layout(*options)
        yield tuple(column.former or column.heading for column in written_columns(*options))


LAYOUTS = tuple(_layouts())
"""The headings that scoring writes, and those that earlier versions wrote, with every choice of options."""


@dataclass(frozen=True, slots=True, eq=False)
class Scores:
    """The scores of a tournament, (n,) each, NaN where a result has none; a field for each of `COLUMNS`.

    score, datum : points to North-South
    butler : IMPs to North-South against the datum
    cross_imps : IMPs to North-South across the field; None with the method "matchpoints"
    barking : IMPs to North-South in teams of eight; None without that option
    matchpoints, percent : North-South's, 2 for each score beaten, and in per cent; None with every other method
    award_ew : what an adjusted score gives East-West if its halves differ, in IMPs, with the method "matchpoints" in
        per cent; None if no result has such a score
    bid, play, luck : the declaring side's
    lead, defence : the defenders'
    dd, lead_cost, dd_play, dd_defence : tricks; None where the deals are not known
    par : points to North-South, and par_contract
    layout : IMPs to the declaring side
    note : why a result has no scores, or what is wrong in its row; "" where there is nothing to say

    The parts are in IMPs; with the method "matchpoints" they are percentages, 50 being average.
    """

    score: Floats
    datum: Floats
    butler: Floats
    cross_imps: Floats | None
    barking: Floats | None
    matchpoints: Floats | None
    percent: Floats | None
    award_ew: Floats | None
    bid: Floats
    play: Floats
    lead: Floats
    defence: Floats
    luck: Floats
    dd: Floats | None = None
    par: Floats | None = None
    par_contract: tuple[str, ...] | None = None
    lead_cost: Floats | None = None
    dd_play: Floats | None = None
    dd_defence: Floats | None = None
    layout: Floats | None = None
    note: tuple[str, ...] = ()


def split(results: Results, options: Options, virtual: VirtualTable | None = None) -> Components:
    """The parts of every result, by the options of scoring; matchpoints with Neuberg's formula if `factor` asks for it.

    virtual : as in `valet`

    A lead that is not known is worth 0 to `valet`, with the whole defence in the rest; here it may be NaN instead.

    Raises
    ------
    OptionError : for an unknown option

    Notes
    -----
    With A results where E are normal (`normal_results`), Neuberg's M' = M E / A + (E - A) / A makes each comparison,
    which is worth -1, 0 or 1, worth (A - 1) E / (A (E - 1)) as much. All parts are sums of comparisons.
    """
    parts = valet(
        results,
        method=options.method,
        cloud=options.cloud,
        lead=options.lead,
        **_datum_rule(options),
        imp_rounding=options.imp_rounding,
        double=options.double,
        virtual=virtual,
    )
    if options.in_halves:
        parts = in_halves(parts)
    if options.unknown_lead == "blank":
        unknown = (results.level > 0) & ~lead_known(results, options.lead)
        parts = replace(parts, lead=np.where(unknown, np.nan, parts.lead))
    if not _factored(options):
        return parts
    factor = neuberg_factors(results, options)
    return Components(**{field.name: getattr(parts, field.name) * factor for field in fields(Components)})


def _datum_rule(options: Options) -> dict[str, Any]:
    """The options of the datum, as `datum`, `butler` and `valet` take them."""
    return {"rule": options.datum, "leave_out": options.leave_out, "rounding": options.rounding}


def _factored(options: Options) -> bool:
    """Whether Neuberg's formula applies."""
    return options.method == "matchpoints" and options.factor != "none"


def neuberg_factors(results: Results, options: Options) -> Floats:
    """(n,) what the parts of each result are multiplied by for Neuberg's formula; 1 where it does not apply."""
    ones = np.ones(len(results))
    if not _factored(options):
        return ones
    tables, normal = _tables(results), normal_results(results)
    return np.divide((tables - 1) * normal, tables * (normal - 1), out=ones, where=tables > 1)


def score_results(results: Results, options: Options, virtual: VirtualTable | None = None) -> Scores:
    """Score a tournament.

    virtual : as in `valet`

    Raises
    ------
    OptionError : for an unknown option
    """
    field = results.in_field
    scores = np.where(field, results.score, np.nan)
    boards = results.board
    parts = split(results, options, virtual)
    compared = butler(
        scores,
        **_datum_rule(options),
        double=options.double,
        boards=boards,
        imp_rounding=options.imp_rounding,
    )
    datums = datum(scores, **_datum_rule(options), boards=boards)
    (imps_given, imps_ew), (percent_given, percent_ew) = (given.T for given in artificial_scores(results))
    split_award = ~np.isnan(percent_ew) & (percent_given + percent_ew != 100)  # also where only East-West have one
    award = np.where(split_award, percent_ew if options.method == "matchpoints" else imps_ew, np.nan)
    shown = {name: getattr(parts, name) for name in (*_PARTS, "luck")}
    crossed = points = percent = None
    if options.method == "matchpoints":
        expected = _tables(results) if options.factor == "none" else normal_results(results)
        percent = np.where(
            np.isnan(percent_given), matchpoint_percent(scores, expected=expected, boards=boards), percent_given
        )
        given = percent_given / 50 * np.where(expected > 1, expected - 1, np.nan)
        points = np.where(np.isnan(percent_given), matchpoints(scores, expected=expected, boards=boards), given)
        shown = {name: 50 * (1 + part) for name, part in shown.items()}
    else:
        crossed = np.where(np.isnan(imps_given), cross_imps(scores, divisor=options.divisor, boards=boards), imps_given)
    return Scores(
        score=results.score,
        datum=np.where(np.isnan(compared), np.nan, datums),
        butler=np.where(np.isnan(imps_given), compared, imps_given),
        cross_imps=crossed,
        barking=None if options.barking == "none" else barking(scores, divisor=options.barking, boards=boards),
        matchpoints=points,
        percent=percent,
        award_ew=award if split_award.any() else None,
        **shown,
        note=tuple(_notes(results, np.isnan(compared) & field, options)),
    )


def summarise(results: Results, compared: Floats, bid: Floats) -> Summary:
    """Sum up what was scored.

    Parameters
    ----------
    results : the tournament
    compared, bid : (n,) how each result compares with its field (Butler, or the overall score), and its bid; NaN where
        it has none
    """
    counted = (results.status != Status.UNPLAYED) & (results.board >= 0)
    has_bid = ~np.isnan(bid) | (results.unsplit & ~np.isnan(compared))
    adjusted = (results.status == Status.ADJUSTED) & results.sound
    scored = counted & (adjusted | (has_bid & ~np.isnan(compared)))
    on_board, scored_on, bid_on = (
        count_by(results.board if of.all() else results.board[np.flatnonzero(of)], len(results.boards))
        for of in (counted, scored, counted & has_bid)
    )
    spoiled = results.spoiled
    reasons = np.select(
        [spoiled, bid_on > 0], ["a row that cannot be read", "no datum, too few results"], "nothing to compare with"
    )
    unscored = [
        f"{board_name(*results.boards[board])}, {reasons[board]}"
        for board in np.flatnonzero((on_board > 0) & ((scored_on == 0) | spoiled)).tolist()
    ]
    return Summary(
        results=int(np.count_nonzero(results.status != Status.UNPLAYED)),
        scored=int(np.count_nonzero(scored)),
        boards=int(np.count_nonzero(on_board)),
        unscored=tuple(unscored),
        errors=results.errors,
        skipped=results.skipped,
        unplayed=int(np.count_nonzero(results.status == Status.UNPLAYED)),
        rounds=results.rounds,
        doubtful=_results_with(results, Seating.DOUBTFUL),
        unnamed=_results_with(results, Seating.NOBODY),
        placeholders=results.placeholders,
        remarks=results.remarks,
    )


def doubtful_said(results: int) -> str:
    """What is said of results whose pairs or players have more than one on a board."""
    return (
        f"seating in doubt: {counted(results, 'result')} of pairs or players with more than one on a board; "
        "compared with all others, but not counted for them"
    )


def _tables(results: Results) -> Index:
    """(n,) how many results are in the field of each row's board."""
    return count_by(results.board[results.in_field], len(results.boards) + 1)[results.board]


def _results_with(results: Results, seating: Seating) -> int:
    """How many results have a seat of this kind."""
    rows = places_where(results.seating == seating)[0]
    return len(distinct_keys(rows[results.status[rows] != Status.UNPLAYED]))


REMARK = re.compile(
    r"not played|adjusted(, [\d.]+ %( - [\d.]+ %)?)?|board not scored, see row \d+|no comparison, one result"
    r"|no contract, so no Bid, Play, Lead and Defence"
    r"|lead [SHDC][AKQJT2-9] is not \w+'s: [^;]{1,99}\)|\d+ tricks? cannot be: [^;]{1,99}\)"
    r"|no datum, [\w-]+ leaves no result|not counted for [\w -]+, more than one result on the board"
    r"|.{1,200}?: ('.{0,80}'|\".{0,80}\") \(.{1,400}\)",
    re.DOTALL,
)
"""A remark of a note that scoring wrote, now or before; the last is `RowError.note`."""
BETWEEN_REMARKS = "; "


def _notes(results: Results, uncompared: np.ndarray, options: Options) -> list[str]:
    """Why a row has no scores, or what is wrong in it."""
    notes = [""] * len(results)

    def remark(at: int, text: str) -> None:
        notes[at] = f"{notes[at]}{BETWEEN_REMARKS}{text}" if notes[at] else text

    place = {row: at for at, row in enumerate(results.row.tolist())}
    spoilt_by: dict[int, int] = {}
    for noted, text in results.notes:
        remark(noted, text)
    for error in results.errors:
        at = place.get(error.row)
        if at is None:  # a lead where there is no result
            continue
        remark(at, error.note)
        if results.status[at] == Status.ERROR and results.board[at] >= 0:
            spoilt_by.setdefault(int(results.board[at]), error.row)
    for at in np.flatnonzero(results.status == Status.ADJUSTED).tolist():
        shares = [f"{share:g} %" for share in results.adjusted[at].tolist() if not np.isnan(share)]
        remark(at, ", ".join(["adjusted", *([" - ".join(shares)] if shares else [])]))
    for at in np.flatnonzero(results.status == Status.SCORED).tolist():
        remark(at, "no contract, so no Bid, Play, Lead and Defence")
    for at in np.flatnonzero(results.status == Status.UNPLAYED).tolist():
        notes[at] = notes[at] or "not played"
    played = ~np.isnan(results.score) | (results.status == Status.ADJUSTED)
    if spoilt_by:
        for at in np.flatnonzero(np.isin(results.board, list(spoilt_by)) & played).tolist():
            remark(at, f"board not scored, see row {spoilt_by[int(results.board[at])]}")
    tables = count_by(results.board[results.in_field], len(results.boards))
    for at in np.flatnonzero(uncompared).tolist():
        alone = tables[results.board[at]] == 1
        remark(at, "no comparison, one result" if alone else f"no datum, {options.datum} leaves no result")
    doubtful = (results.seating == Seating.DOUBTFUL) & (results.status != Status.UNPLAYED)[:, None]
    for at in np.flatnonzero(doubtful.any(axis=1)).tolist():
        remark(at, f"not counted for {_seats(doubtful[at].tolist())}, more than one result on the board")
    return notes


def _seats(chosen: list[bool]) -> str:
    """Seats for people: both of a side as N-S or E-W.

    >>> _seats([True, True, True, False])
    'N-S and East'
    """
    north, east, south, west = chosen
    words = ["N-S"] if north and south else [*["North"] * north, *["South"] * south]
    words += ["E-W"] if east and west else [*["East"] * east, *["West"] * west]
    return " and ".join(words)


@dataclass(frozen=True, slots=True)
class Summary:
    """What was scored and what was not.

    results, scored : how many rows have a result, and how many of them were scored
    boards : how many boards those results are on
    unscored : the boards of which nothing was scored, and why
    errors : what was wrong in the rows
    skipped : rows with cells that are not blank, but without a result
    unplayed : how many rows are of boards not played
    rounds : where board numbers are repeated in other rounds: whether they were taken as "new" deals or the "same"
    doubtful : how many results do not count for a pair or player who has more than one on the board
    unnamed : how many results have a placeholder in the place of a player
    placeholders : what is written there
    remarks : what was decided about the sheet or file as a whole
    """

    results: int
    scored: int
    boards: int
    unscored: tuple[str, ...]
    errors: tuple[RowError, ...]
    skipped: tuple[int, ...]
    unplayed: int
    rounds: str
    doubtful: int
    unnamed: int
    placeholders: tuple[str, ...]
    remarks: tuple[str, ...] = ()

    @property
    def complete(self) -> bool:
        """Whether every row was understood and every board scored."""
        return not self.unscored and not self.errors

    @property
    def doubts(self) -> tuple[str, ...]:
        """Which results are compared with all others but count for nobody, in a sentence for each reason."""
        doubts = []
        if self.doubtful:
            doubts.append(doubtful_said(self.doubtful))
        if self.unnamed:
            names = ", ".join(map(repr, self.placeholders[:_SHOWN]))
            doubts.append(
                f"no player: {counted(self.unnamed, 'result')} with {names} in the place of one; compared with all "
                "others, but not counted for a player"
            )
        return tuple(doubts)
