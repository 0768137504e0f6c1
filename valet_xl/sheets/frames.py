"""Results in DataFrames, scored and ranked: of pandas, polars, or what else narwhals knows. None is required."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, TypeVar

from valet_xl.documents.page import Value
from valet_xl.engine.options import Options
from valet_xl.engine.results import Results
from valet_xl.errors import ArgumentError, ValetError
from valet_xl.messages import pip_install
from valet_xl.rankings.event import Event
from valet_xl.rankings.ranking import rank
from valet_xl.reading.grid import read_grid
from valet_xl.sheets.score_sheet import score_grid

if TYPE_CHECKING:
    import narwhals as nw

Frame = TypeVar("Frame")
_NAME = "the DataFrame"


def frame_results(frame: object, *, result_is: str = "auto", rounds: str = "auto", language: str = "auto") -> Results:
    """Read the results in a DataFrame, whose columns are called as those of a sheet are.

    Parameters
    ----------
    frame : a DataFrame of pandas or polars, or another that narwhals takes; null is a blank cell
    result_is, rounds, language : as in `read_results`

    Returns
    -------
    the results; errors count rows as a sheet does, where the headings are row 1 and the first row is 2

    Raises
    ------
    ArgumentError : where it is no DataFrame
    SheetError : where it has no results
    OptionError : for an unknown option
    """
    options = Options(result_is=result_is, rounds=rounds, language=language)
    return read_grid(_grid(_taken(frame)), options).results


def score_frame(frame: Frame, options: Options | None = None) -> Frame:
    """Score the results in a DataFrame.

    Parameters
    ----------
    frame : as in `frame_results`
    options : how to score

    Returns
    -------
    a DataFrame of the same library, with the columns that `valet-xl score` writes right of its own; those of an
    earlier scoring are replaced. The column Note says what is wrong in a row.

    Raises
    ------
    ArgumentError, SheetError, OptionError : as `frame_results`; and where a row has several results
    """
    given = _taken(frame)
    block = score_grid(_grid(given), options or Options()).block
    kept = given.select(given.columns[: block.left] + given.columns[block.left + block.replaces :])
    missing = [None] * (len(given) - len(block.columns[0].cells))
    columns = [_series(given, column.name, [*column.cells, *missing]) for column in block.columns]
    return kept.with_columns(*columns).to_native()


def rank_frame(
    frame: Frame, options: Options | None = None, *, players: bool = False, order: str | None = None
) -> Frame:
    """Rank the pairs or players of the results in a DataFrame.

    Parameters
    ----------
    frame : as in `frame_results`
    options : how to score
    players : whether players are ranked, and not pairs
    order : the column whose best is first, or a difference such as "bid - play"

    Returns
    -------
    the ranking that `valet-xl rank` shows, as a DataFrame of the same library

    Raises
    ------
    ArgumentError, SheetError, OptionError : as `frame_results`; and where nobody can be ranked
    """
    given, options = _taken(frame), options or Options()
    event = Event.of([(_NAME, read_grid(_grid(given), options).results)], options)
    listing = rank(event.totals, who="players" if players else "pairs", order=order).listing
    first, *others = (
        _series(given, heading.name, cells) for heading, cells in zip(listing.headings, listing.columns, strict=True)
    )
    return first.to_frame().with_columns(*others).to_native()


def _narwhals() -> Any:
    try:
        import narwhals  # noqa: PLC0415 - loaded for DataFrames alone
    except ImportError as error:
        raise ValetError(f"DataFrames need a further package (install it with: {pip_install('narwhals')})") from error
    return narwhals


def _taken(frame: object) -> nw.DataFrame[Any]:
    """A DataFrame of any library, with one way to work on it."""
    narwhals = _narwhals()
    try:
        taken = narwhals.from_native(frame, eager_only=True)
    except TypeError as error:
        raise ArgumentError(f"a DataFrame of pandas or polars was expected, got {type(frame).__name__}") from error
    if not all(isinstance(name, str) for name in taken.columns):
        raise ArgumentError("the names of a DataFrame's columns must be texts")
    return taken


def _grid(frame: nw.DataFrame[Any]) -> list[list[Any]]:
    """The names of the columns, and the rows; None for null and NaN."""
    columns = []
    for name in frame.columns:
        column = frame.get_column(name)
        pairs = zip(column.to_list(), column.is_null().to_list(), strict=True)
        columns.append(
            [None if null or (isinstance(cell, float) and math.isnan(cell)) else cell for cell, null in pairs]
        )
    return [list(frame.columns), *(list(row) for row in zip(*columns, strict=True))]


def _series(like: nw.DataFrame[Any], name: str, cells: Sequence[Value]) -> Any:
    """A column for a DataFrame of the same library: texts, whole numbers if all are, or else numbers with null."""
    narwhals = _narwhals()
    kinds = {type(cell) for cell in cells}
    kind = narwhals.String if str in kinds else narwhals.Int64 if kinds == {int} else narwhals.Float64
    return narwhals.new_series(name, list(cells), kind, backend=like.implementation)
