"""The findings of the Valet paper (3.1), recomputed from results: what spreads the scores of pairs, and how much."""

from __future__ import annotations

from dataclasses import dataclass, fields

import numpy as np

from valet_xl.engine.arrays import count_by, sum_by
from valet_xl.engine.butler import butler
from valet_xl.engine.comparison import cross_imps, distinct, spans
from valet_xl.engine.laws import imps_of
from valet_xl.engine.options import Options
from valet_xl.engine.results import Results
from valet_xl.errors import SheetError
from valet_xl.messages import counted
from valet_xl.rankings.totals import totals

MINIMUM = 100  # boards; the paper draws the line at 100 or 200


@dataclass(frozen=True, slots=True)
class Findings:
    """What one tournament shows, in IMPs per board.

    pairs : how many pairs played enough boards
    datum, iaf : the standard deviations of their averages, by Butler and by cross-IMPs
    bid, play, declarer, defending : those of parts of their cross-IMPs; play is declarer's and the defence together
    from_datum, from_iaf : how far the sum of two pairs' scores is from what their team has, for any two tables of a
        board (root mean square), by Butler and by cross-IMPs
    """

    pairs: int
    datum: float
    iaf: float
    bid: float
    play: float
    declarer: float
    defending: float
    from_datum: float
    from_iaf: float

    @property
    def ratio(self) -> float:
        """How much wider pairs spread by datum than by cross-IMPs."""
        return self.datum / self.iaf


def findings(results: Results, *, minimum: int = MINIMUM) -> Findings:
    """What the results of a tournament show of the spread of pairs.

    Parameters
    ----------
    results : of a tournament, with its players
    minimum : how many boards a pair must have played

    Raises
    ------
    SheetError : if fewer than two pairs played enough boards, or no two tables can be compared

    Notes
    -----
    The standard deviations are those of averages per board played, over all pairs alike, however many boards each has
    (S. Hein, the Valet principles paper, 3.1). They contain luck: pairs of equal strength would spread too.
    """
    by_iaf, by_datum = (totals(results, Options(method=method)).pairs for method in ("iaf", "datum"))
    enough = np.flatnonzero(by_iaf.boards >= minimum)
    if len(enough) < 2:
        raise SheetError(f"{counted(len(enough), 'pair')} with {counted(minimum, 'board')} or more (expected two)")
    spread = {
        column: float(np.std(by_iaf[column].per_board[enough], ddof=1))
        for column in ("overall", "bid", "play", "declarer", "defending")
    }
    of_datum = by_datum["overall"].per_board[[by_datum.row(name) for name in by_iaf.names[enough]]]
    return Findings(
        pairs=len(enough),
        datum=float(np.std(of_datum, ddof=1)),
        iaf=spread.pop("overall"),
        **spread,
        from_datum=_from_teams(results, "datum"),
        from_iaf=_from_teams(results, "iaf"),
    )


def mean_of(found: list[Findings]) -> Findings:
    """The means over several tournaments, each counting alike; pairs are added up."""
    means = {each.name: float(np.mean([getattr(one, each.name) for one in found])) for each in fields(Findings)}
    return Findings(**means | {"pairs": sum(one.pairs for one in found)})  # type: ignore[arg-type]


def _from_teams(results: Results, method: str) -> float:
    """How far pairs' scores are from their team's, root mean square over any two tables of each board."""
    played = np.flatnonzero(results.in_field)
    board, score = results.board[played], results.score[played]
    worth = (butler if method == "datum" else cross_imps)(score, boards=board)
    field = distinct(board, score)
    tables, weights = count_by(board), field.weights()
    value = np.empty(len(field.score))
    value[field.index] = worth
    first = field.board.searchsorted(field.board, side="left")
    last = field.board.searchsorted(field.board, side="right")
    one, other = spans(first, last - first)  # every two distinct scores of a board
    apart = value[one] - value[other] - imps_of(field.score[one] - field.score[other])
    squares = sum_by(field.board[one], weights[one] * weights[other] * apart**2, len(tables))
    compared = tables > 1
    if not compared.any():
        raise SheetError("no board has two results to compare")
    return float(np.sqrt(np.mean(squares[compared] / (tables * (tables - 1))[compared])))
