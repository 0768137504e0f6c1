"""Many frames of results, in memory or made by a Dask cluster when they are needed, added up one after the other."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import partial
from typing import Any

from valet_xl.documents.libraries import loading
from valet_xl.documents.workers import Workers, given_or_own, in_lots
from valet_xl.engine.options import Options
from valet_xl.errors import ArgumentError, FileError, one_of
from valet_xl.messages import Progress, counted, one_line, unsaid
from valet_xl.rankings.options import RANKING_OPTIONS
from valet_xl.rankings.totals import Totals, finish
from valet_xl.reading.parquet import COLUMNS, need_schema
from valet_xl.sheets.add_tables import Added, Adder, need_order, together
from valet_xl.sheets.boards_apart import Marks, has_too, in_two, marks_of


@dataclass(frozen=True, slots=True)
class _Seen:
    """What frames add up to, and the boards of each."""

    added: Added
    marks: tuple[tuple[str, Marks], ...]


def total_frames(
    frames: Iterable[Any],
    options: Options | None = None,
    *,
    compensation: str = "none",
    minimum: int | None = None,
    players: bool = True,
    on: Workers | None = None,
    step: Progress = unsaid,
) -> Totals:
    """The tables of all results in frames, added up where the frames are.

    Parameters
    ----------
    frames : tables of pyarrow, pandas or polars with the columns of a Parquet file of results; or, on a Dask client,
        objects of `dask.delayed` that give such, or a DataFrame of dask, whose partitions are taken
    options, compensation, minimum : as in `totals`
    players : whether there is a table of players too
    on : who does the work, such as `on_client(client)`; without it this process
    step : called with how much is done

    Returns
    -------
    the tables; a name is one player and a board's rows are in one frame, sorted

    Raises
    ------
    ArgumentError : where something else is given, or delayed frames without a Dask client
    FileError, SheetError : where a frame has another schema or is not sorted, or a board is in two
    OptionError : for an unknown option

    >>> from valet_xl.rankings.simulate import simulate
    >>> from valet_xl.sheets.parquet_file import as_table
    >>> frames = [as_table(simulate(pairs=8, rounds=2, seed=seed).results, f"Night {seed}") for seed in range(3)]
    >>> total_frames(frames)
    <totals of 96 results on 24 boards>
    """
    one_of("compensation", compensation, RANKING_OPTIONS["compensation"].words)
    options = options or Options()
    with loading("pyarrow", extra="bulk"):
        import pyarrow  # noqa: F401, PLC0415
    every = list(enumerate(frames.to_delayed() if hasattr(frames, "to_delayed") else frames))
    if not every:
        raise ArgumentError("no frames were given (expected at least one)")
    add = partial(_add_frame, options=options, opponents=compensation != "none", players=players)
    what = f"adding up {counted(len(every), 'frame')}"
    step(what)
    seen: _Seen | None = None
    with given_or_own(on, processes=1) as these:
        lots, done = in_lots(every, these.count), 0
        for lot, found in zip(lots, these.fold(add, lots), strict=True):
            seen = _both(seen, found)
            done += len(lot)
            step(what, done / len(every))
    if seen is None or seen.added.sums is None:
        raise FileError("the frames: have no results")
    need_order(seen.added.spans)
    both = in_two(seen.marks)
    if both is not None:
        said = has_too(both[0], together(options))
        raise FileError(f"{both[1]}: {said} (expected all its rows in one frame, and other names for others)")
    return finish(seen.added.sums, compensation=compensation, minimum=minimum)


def _add_frame(
    before: _Seen | None, numbered: tuple[int, Any], *, options: Options, opponents: bool, players: bool
) -> _Seen:
    """What a frame adds to those before it: what a task does."""
    number, frame = numbered
    name = f"frame {number + 1}"
    table = _as_table(frame, name)
    need_schema(table.column_names, name)
    table = table.select([column for column in COLUMNS if column in table.column_names])
    adder = Adder(options, opponents=opponents, players=players)
    adder.add(table, 0, name, number)
    return _both(before, _Seen(adder.added(), ((name, marks_of(table, together(options))),)))


def _both(one: _Seen | None, other: _Seen) -> _Seen:
    if one is None:
        return other
    return _Seen(one.added + other.added, one.marks + other.marks)


def _as_table(frame: Any, name: str) -> Any:
    """A frame as a table of pyarrow.

    Raises
    ------
    ArgumentError : where it is none
    """
    import pyarrow as pa  # noqa: PLC0415 - loaded for frames alone

    if hasattr(frame, "__dask_graph__"):
        raise ArgumentError(f"{name}: is made by Dask (expected a client to make it: on=on_client(client))")

    def plain(kind: Any) -> Any:
        """Texts that pyarrow can pick from; those of polars are views."""
        if pa.types.is_dictionary(kind):
            return pa.dictionary(pa.int32(), pa.string()) if "view" in str(kind.value_type) else kind
        return pa.string() if str(kind) == "string_view" else kind

    try:
        table = pa.table(frame)
        return table.cast(pa.schema([field.with_type(plain(field.type)) for field in table.schema]))
    except (TypeError, ValueError, AttributeError) as error:
        raise ArgumentError(
            f"{name}: expected a table of pyarrow, pandas or polars, got {type(frame).__name__} "
            f"({one_line(error)[:120]})"
        ) from error
