"""Parquet files of results, scored piece by piece into new Parquet files, in memory that their rows do not change."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, fields
from functools import partial, reduce
from operator import add
from pathlib import Path, PurePosixPath
from typing import Any

import numpy as np

from valet_xl.documents.disk import need_places, new_folder
from valet_xl.documents.parquet import (
    ENDING,
    find_files,
    in_lots_of_keys,
    is_address,
    opened,
    pieces_of,
    read_whole_keys,
    write_parquet,
)
from valet_xl.documents.workers import Workers, workers
from valet_xl.engine.arrays import settled
from valet_xl.engine.options import Options
from valet_xl.engine.score_results import Summary, doubtful_said, score_results, summarise, written_columns
from valet_xl.errors import FileError
from valet_xl.messages import Progress, counted, unsaid
from valet_xl.reading.parquet import need_schema, results_of
from valet_xl.sheets.add_tables import Span, need_order, span_of, together
from valet_xl.sheets.boards_apart import need_apart
from valet_xl.sheets.said import SHOWN, some

NAMES = {"lead": "lead_score"}
"""What columns of scores are called in a Parquet file, if not as the fields of `Scores`: there "lead" is the card."""
REPLACED = "score"
"""The column of results that has the points of every result in a scored file."""
_MARK = b"valet_xl scores"  # what says in a file which columns an earlier scoring wrote


@dataclass(frozen=True, slots=True)
class Tally:
    """What was scored and what was not, of some boards; `+` adds others.

    results, scored, boards, unplayed, doubtful : as in `Summary`
    unscored, errors : how many there are of each
    unscored_lines, error_lines : the first of them, as a summary lists them
    """

    results: int = 0
    scored: int = 0
    boards: int = 0
    unplayed: int = 0
    doubtful: int = 0
    unscored: int = 0
    errors: int = 0
    unscored_lines: tuple[str, ...] = ()
    error_lines: tuple[str, ...] = ()

    @classmethod
    def of(cls, summary: Summary, file: str) -> Tally:
        """The tally of a summary; lines begin with the name of the file."""
        return cls(
            **{name: getattr(summary, name) for name in ("results", "scored", "boards", "unplayed", "doubtful")},
            unscored=len(summary.unscored),
            errors=len(summary.errors),
            unscored_lines=tuple(f"{file}: {each}" for each in summary.unscored[:SHOWN]),
            error_lines=tuple(f"{file}: {each}" for each in summary.errors[:SHOWN]),
        )

    def __add__(self, other: Tally) -> Tally:
        """The tally of both."""
        both = {each.name: getattr(self, each.name) + getattr(other, each.name) for each in fields(Tally)}
        return Tally(**both | {name: both[name][:SHOWN] for name in ("unscored_lines", "error_lines")})

    @property
    def complete(self) -> bool:
        """Whether every row was understood and every board scored."""
        return not self.unscored and not self.errors

    def said(self) -> Iterator[str]:
        """What was scored, what was not and why, in lines."""
        yield f"scored {self.scored:,} of {counted(self.results, 'result')} on {counted(self.boards, 'board')}"
        if self.unplayed:
            yield f"not played: {counted(self.unplayed, 'row')}"
        if self.doubtful:
            yield doubtful_said(self.doubtful)
        where = " (each has its reason in the column note)"
        yield from some("not scored", self.unscored_lines, where, self.unscored)
        yield from some("cannot be read", self.error_lines, where, self.errors)


@dataclass(frozen=True, slots=True)
class ScoredParquet:
    """What `score_parquet` did: what was scored, the file or folder that it wrote, and of how many files."""

    tally: Tally
    written: Path
    files: int
    is_folder: bool


@dataclass(frozen=True, slots=True)
class _Job:
    """A file to be scored: its address, the file to write, and what messages call it."""

    address: str
    target: Path
    name: str


def score_parquet(
    address: str,
    output: Path | None = None,
    options: Options | None = None,
    *,
    on: Workers | None = None,
    step: Progress = unsaid,
) -> ScoredParquet:
    """Score a Parquet file, or all of a folder or pattern, into new Parquet files with the columns of scores.

    Parameters
    ----------
    address : a file, a folder or a pattern, here or at an address such as s3://bucket/*.parquet
    output : for one file the file to write, else the folder, which must be new or empty; without it `-scored` is put
        behind the name of a file or folder of this machine
    options : how to score
    on : who does the work, a file at a time; without it the processes of this machine
    step : called with how much is done

    Returns
    -------
    what was scored, and where it is

    Raises
    ------
    FileError, SheetError : where a file cannot be read, has another schema, or is not sorted, and where the output
        cannot be written; nothing is then written
    OptionError : for an unknown option

    Notes
    -----
    About 260,000 rows are read at once, of which 130,000 are scored at a time, whole boards of them. With Neuberg's
    formula that is whole events, because the formula counts the tables of the session.
    """
    if on is None:
        with workers() as these:
            return score_parquet(address, output, options, on=these, step=step)
    options = options or Options()
    files = find_files([address])
    alone = files if not is_address(address) and Path(address).is_file() else None
    target = _target(address, output, one=alone is not None)
    if alone:
        need_places(target)
        if target.exists() and target.samefile(address):
            raise FileError(f"{target}: is the file that is read (another name expected)")
        done = _score_file(_Job(address, target, Path(address).name), options, step)
        return ScoredParquet(done[0], target, 1, is_folder=False)
    with new_folder(target) as whole:
        tally = _score_all(_jobs(address, files, whole), options, on, step)
    return ScoredParquet(tally, target, len(files), is_folder=True)


def _score_all(jobs: Sequence[_Job], options: Options, on: Workers, step: Progress) -> Tally:
    """Score files, each as a task."""
    what = f"scoring {counted(len(jobs), 'file')}"
    step(what)
    tallies: list[Tally] = []
    spans: list[Span] = []
    for at, (tally, span) in enumerate(on.map(partial(_score_file, options=options), jobs)):
        tallies.append(tally)
        spans.append(span)
        step(what, (at + 1) / len(jobs))
    need_apart(spans, together(options), on)
    return reduce(add, tallies, Tally())


def _score_file(job: _Job, options: Options, step: Progress = unsaid) -> tuple[Tally, Span]:
    """Score a file into another; the answer has the span of the whole file."""
    tally, spans = Tally(), []

    def tables() -> Iterator[Any]:
        nonlocal tally
        pieces = pieces_of([job.address])
        rows, done = sum(piece.rows for piece in pieces), 0
        with opened(job.address) as parquet:
            need_schema(parquet.schema_arrow.names, job.address)
            columns = parquet.schema_arrow.names
            for piece in pieces:
                step(f"scoring {counted(rows, 'row')}", done / max(rows, 1))
                table, start = read_whole_keys(parquet, piece, columns, together(options))
                done += piece.rows
                for before, lot in in_lots_of_keys(table, together(options)):
                    spans.append(span_of(lot, start + before, job.address))
                    need_order(spans[-2:])
                    scored, summary = score_table(lot, start + before, job.address, options)
                    tally = tally + Tally.of(summary, job.name)
                    yield scored
            if not spans:
                raise FileError(f"{job.address}: has no results")

    written = tables()
    first = next(written)
    schema = first.schema

    def every() -> Iterator[Any]:
        yield first
        for table in written:
            yield table.cast(schema)

    write_parquet(job.target, every(), schema)
    return tally, (*spans[0][:3], spans[-1][3])


def score_table(table: Any, start: int, address: str, options: Options) -> tuple[Any, Summary]:
    """A table of the schema with its columns of scores, and what was scored.

    Parameters
    ----------
    table : a pyarrow table; all rows of its boards
    start : how many rows are before it
    address : of its file, for messages
    options : how to score
    """
    import pyarrow as pa  # noqa: PLC0415 - loaded for Parquet alone

    table = _unscored(table)
    results = results_of(table, start, address, errors=None)
    scores = score_results(results, options)
    summary = summarise(results, scores.butler, scores.bid)
    names = [*table.column_names]
    added: dict[str, str] = {}
    barking = options.barking != "none"
    for column in written_columns(options.method, options.cloud, award=True, barking=barking):
        values = getattr(scores, column.field)
        if isinstance(values, tuple):
            cells = pa.array([text or None for text in values], pa.string()).dictionary_encode()
        else:
            numbers = np.full(len(results), np.nan) if values is None else settled(values)
            cells = pa.array(numbers, pa.float64(), mask=np.isnan(numbers))
        if column.field == REPLACED and REPLACED in names:
            table = table.set_column(names.index(REPLACED), REPLACED, cells)
            continue
        name = _unused(NAMES.get(column.field, column.field), names)
        names.append(name)
        added[column.field] = name
        table = table.append_column(name, cells)
    said: Mapping[bytes, bytes] = table.schema.metadata or {}
    return table.replace_schema_metadata({**said, _MARK: json.dumps(list(added.values())).encode()}), summary


def _unscored(table: Any) -> Any:
    """A table without the columns of an earlier scoring."""
    marked = (table.schema.metadata or {}).get(_MARK)
    if marked is None:
        return table
    written = set(json.loads(marked))
    return table.select([name for name in table.column_names if name not in written])


def _unused(name: str, taken: Sequence[str]) -> str:
    """A name that no other column has, whatever the capitals: with a number behind it if it is taken."""
    there = {each.casefold() for each in taken}
    found, number = name, 1
    while found.casefold() in there:
        number += 1
        found = f"{name}_{number}"
    return found


def _target(address: str, output: Path | None, one: bool) -> Path:
    """The file or folder to write.

    Raises
    ------
    FileError : where none was said and the address does not say it, and where it is no place for what was asked
    """
    if output is None:
        path = Path(address)
        if one:
            return path.with_name(f"{path.stem}-scored{ENDING}")
        if is_address(address) or not path.is_dir():
            raise FileError(f"{address}: its scores need a place (expected the name of a new folder as the output)")
        return path.resolve().with_name(f"{path.resolve().name}-scored")
    if len(output.parts) > 1 and output.parts[0].endswith(":") and len(output.parts[0]) > 2:
        raise FileError(f"{output}: is an address (scores are written to a folder of this machine)")
    is_file = output.suffix.lower() == ENDING
    if one and not is_file:
        raise FileError(f"{output}: scores of a Parquet file are written as {ENDING}, .csv or .xlsx")
    if not one and output.suffix.lower() in (ENDING, ".csv", ".xlsx"):
        raise FileError(f"{output}: is a file's name (expected that of a new folder, for the scores of {address})")
    return output


def _jobs(address: str, files: Sequence[str], whole: Path) -> list[_Job]:
    """The files with their places in the new folder, which are those that they have in what they have in common."""
    paths = [PurePosixPath(file.replace(os.sep, "/") if not is_address(file) else file) for file in files]
    base = PurePosixPath(os.path.commonpath([path.parent for path in paths]).replace(os.sep, "/"))
    if not is_address(address) and Path(address).is_dir():
        folder = PurePosixPath(Path(address).absolute().as_posix())
        base = folder if all(path.is_relative_to(folder) for path in paths) else base
    jobs = []
    for file, path in zip(files, paths, strict=True):
        name = path.relative_to(base)
        target = whole / name
        target.parent.mkdir(parents=True, exist_ok=True)
        jobs.append(_Job(file, _with_ending(target), str(name)))
    return jobs


def _with_ending(path: Path) -> Path:
    """A file's name with the ending of Parquet files."""
    return path if path.suffix.lower() == ENDING else path.with_name(f"{path.name}{ENDING}")
