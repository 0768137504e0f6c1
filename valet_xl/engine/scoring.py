"""How results are scored: the options, the columns that they give, and what was scored and what was not."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import product

import numpy as np

from valet_xl.engine.arrays import Floats
from valet_xl.engine.butler import butler, datum
from valet_xl.engine.comparison import cross_imps, matchpoint_percent, matchpoints
from valet_xl.engine.options import Options
from valet_xl.engine.results import Results, Status, artificial_scores
from valet_xl.engine.valet import Components, valet
from valet_xl.errors import RowError

_PARTS = ("Bid", "Play", "Lead", "Defence")


def layout(method: str, cloud: bool) -> tuple[str, ...]:
    """The headings of the columns that scoring writes, in their order.

    >>> layout("iaf", cloud=False)
    ('Score', 'Datum', 'Butler', 'IAF', 'Bid', 'Play', 'Lead', 'Defence', 'Note')
    """
    compared = ("MP", "MP %") if method == "matchpoints" else ("IAF",)
    luck = ("Luck",) if cloud else ()
    return ("Score", "Datum", "Butler", *compared, *_PARTS, *luck, "Note")


LAYOUTS = tuple(layout(method, cloud) for method, cloud in product(("iaf", "matchpoints"), (False, True)))


def split(results: Results, options: Options) -> Components:
    """The parts of every result, by the options of scoring.

    Raises
    ------
    ValueError : for an unknown option
    """
    return valet(
        results,
        options.method,
        options.cloud,
        options.lead,
        options.datum,
        options.leave_out,
        options.rounding,
        options.imp_rounding,
        options.double,
    )


def score_columns(results: Results, options: Options) -> dict[str, Floats | list[str]]:
    """Score a tournament: the columns of `layout`, (n,) each, NaN where there is nothing to say.

    Score, Datum, Butler, IAF and matchpoints are North-South's; Bid, Play and Luck the declaring side's; Lead and
    Defence the defenders'. With the method matchpoints the parts are percentages, 50 being average.

    Raises
    ------
    ValueError : for an unknown option
    """
    field = results.in_field
    scores = np.where(field, results.score, np.nan)
    boards = results.board
    parts = split(results, options)
    compared = butler(
        scores, options.datum, options.leave_out, options.rounding, options.double, boards, options.imp_rounding
    )
    datums = datum(scores, options.datum, options.leave_out, options.rounding, boards)
    imps_given, percent_given = (given[:, 0] for given in artificial_scores(results))
    columns: dict[str, Floats | list[str]] = {
        "Score": results.score,
        "Datum": np.where(np.isnan(compared), np.nan, datums),
        "Butler": np.where(np.isnan(imps_given), compared, imps_given),
    }
    shown = {name: getattr(parts, name.lower()) for name in (*_PARTS, "Luck")}
    if options.method == "matchpoints":
        expected = _expected(results)
        percent = np.where(np.isnan(percent_given), matchpoint_percent(scores, expected, boards), percent_given)
        given = percent_given / 50 * np.where(expected > 1, expected - 1, np.nan)
        columns["MP"] = np.where(np.isnan(percent_given), matchpoints(scores, expected, boards), given)
        columns["MP %"] = percent
        shown = {name: 50 * (1 + part) for name, part in shown.items()}
    else:
        crossed = cross_imps(scores, options.divisor, boards)
        columns["IAF"] = np.where(np.isnan(imps_given), crossed, imps_given)
    columns |= shown
    columns["Note"] = _notes(results, np.isnan(compared) & field, options)
    return {name: columns[name] for name in layout(options.method, options.cloud)}


def summarise(results: Results, columns: Mapping[str, Floats | list[str]]) -> Summary:
    """Sum up what `score_columns` made of the results."""
    counted = (results.status != Status.UNPLAYED) & (results.board >= 0)
    has = {name: ~np.isnan(np.asarray(columns[name], dtype=np.float64)) for name in ("Butler", "Bid")}
    adjusted = (results.status == Status.ADJUSTED) & results.sound
    scored = counted & (adjusted | (has["Bid"] & has["Butler"]))
    on_board = np.bincount(results.board[counted], minlength=len(results.boards))
    scored_on = np.bincount(results.board[scored], minlength=len(results.boards))
    spoiled = results.spoiled
    bid_on = np.bincount(results.board[counted & has["Bid"]], minlength=len(results.boards))
    reasons = np.select(
        [spoiled, bid_on > 0], ["a row not understood", "no datum, too few results"], "nothing to compare with"
    )
    unscored = [
        f"{board_name(results, board)}, {reasons[board]}"
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
    )


def board_name(results: Results, board: int) -> str:
    """What a board is called: `board 7`, or `board 7 of round 2`."""
    of_round, number = results.boards[board]
    return f"board {number} of round {of_round}" if of_round else f"board {number}"


def _expected(results: Results) -> Floats:
    """How many results the board of each row should have had: those in its field and the adjusted ones."""
    counted = (results.in_field | (results.status == Status.ADJUSTED)) & (results.board >= 0)
    tables = np.bincount(results.board[counted], minlength=len(results.boards) + 1)
    return np.where(counted, tables[results.board], np.nan)


def _notes(results: Results, uncompared: np.ndarray, options: Options) -> list[str]:
    """Why a row has no scores, or what is wrong in it."""
    notes = [""] * len(results)

    def remark(at: int, text: str) -> None:
        notes[at] = f"{notes[at]}; {text}" if notes[at] else text

    place = {row: at for at, row in enumerate(results.row.tolist())}
    spoilt_by: dict[int, int] = {}
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
    for at in np.flatnonzero(results.status == Status.UNPLAYED).tolist():
        notes[at] = notes[at] or "not played"
    played = ~np.isnan(results.score) | (results.status == Status.ADJUSTED)
    if spoilt_by:
        for at in np.flatnonzero(np.isin(results.board, list(spoilt_by)) & played).tolist():
            remark(at, f"board not scored, see row {spoilt_by[int(results.board[at])]}")
    tables = np.bincount(results.board[results.in_field], minlength=len(results.boards))
    for at in np.flatnonzero(uncompared).tolist():
        alone = tables[results.board[at]] == 1
        remark(at, "no comparison, one result" if alone else f"no datum, {options.datum} leaves no result")
    return notes


@dataclass(frozen=True, slots=True)
class Summary:
    """What was scored and what was not.

    results, scored : how many rows hold a result, and how many of them were scored
    boards : how many boards those results are on
    unscored : the boards of which nothing was scored, and why
    errors : what was wrong in the rows
    skipped : rows that hold something, but no result
    unplayed : how many rows are of boards not played
    rounds : where board numbers come again in other rounds: whether they were taken as "new" deals or the "same"
    """

    results: int
    scored: int
    boards: int
    unscored: tuple[str, ...]
    errors: tuple[RowError, ...]
    skipped: tuple[int, ...]
    unplayed: int
    rounds: str

    @property
    def complete(self) -> bool:
        """Whether every row was understood and every board scored."""
        return not self.unscored and not self.errors
