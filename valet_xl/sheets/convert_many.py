"""Files of results of any format, each written as one or more Parquet files of a new folder."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from valet_xl.documents.disk import new_folder
from valet_xl.documents.libraries import loading
from valet_xl.documents.parquet import ENDING, is_place
from valet_xl.documents.workers import Workers, workers
from valet_xl.engine.options import Options
from valet_xl.errors import FileError, ValetError
from valet_xl.messages import Progress, counted, error_line, unsaid
from valet_xl.reading.files import read_content
from valet_xl.sheets.parquet_file import write_results
from valet_xl.sheets.said import SHOWN

PART = 1 << 20
"""Results of one Parquet file: a larger event is written as several, whose boards are whole."""


@dataclass(frozen=True, slots=True)
class ConvertedMany:
    """What `convert_many` did.

    written : the folder
    files, results, boards : how many were written
    errors : how many rows could not be read
    error_lines : the first of them
    passed_over : files of folders and patterns that cannot be read, and why, in lines
    """

    written: Path
    files: int
    results: int
    boards: int
    errors: int
    error_lines: tuple[str, ...]
    passed_over: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class _Job:
    """A file to be converted: the Parquet file to write, what its event is called, and whether a user named it."""

    path: Path
    target: Path
    name: str
    named: bool


@dataclass(frozen=True, slots=True)
class _Done:
    """What was converted of a file, or why nothing."""

    files: int = 0
    results: int = 0
    boards: int = 0
    errors: int = 0
    error_lines: tuple[str, ...] = ()
    passed_over: str = ""


def convert_many(
    addresses: Sequence[str],
    folder: Path,
    options: Options | None = None,
    *,
    names: Path | None = None,
    on: Workers | None = None,
    step: Progress = unsaid,
) -> ConvertedMany:
    """Write files of results as Parquet files of a new folder, one for each event; an event of many results as several.

    Parameters
    ----------
    addresses : files, folders and patterns such as 2024/*.txt; what is no file of results in a folder or pattern is
        passed over
    folder : where to write; new or empty
    options : of which `result_is`, `rounds` and `language` are used
    names : of Valet text, the players' names
    on : who does the work, a file at a time; without it the processes of this machine
    step : called with how much is done

    Raises
    ------
    FileError : where a file that is named cannot be read, there is none, or the folder cannot be written; nothing is
        then written

    Notes
    -----
    Boards of different events are different deals, so each event is called as its file, with the title that the file
    has before it.
    """
    if on is None:
        with workers() as these:
            return convert_many(addresses, folder, options, names=names, on=these, step=step)
    with loading("pyarrow", extra="bulk"):
        import pyarrow  # noqa: F401, PLC0415 - before long work
    found = _found(addresses)
    what = f"converting {counted(len(found), 'file')}"
    step(what)
    every: list[_Done] = []
    with new_folder(folder) as whole:
        jobs = _jobs(found, whole)
        work = partial(_convert, options=options or Options(), names=names)
        for at, done in enumerate(on.map(work, jobs)):
            every.append(done)
            step(what, (at + 1) / len(jobs))
        if not any(done.files for done in every):
            raise FileError(f"{addresses[0]}: none of {counted(len(found), 'file')} is one of results")
    return ConvertedMany(
        folder,
        sum(done.files for done in every),
        sum(done.results for done in every),
        sum(done.boards for done in every),
        sum(done.errors for done in every),
        tuple(line for done in every for line in done.error_lines)[:SHOWN],
        tuple(done.passed_over for done in every if done.passed_over),
    )


def _found(addresses: Sequence[str]) -> list[tuple[Path, Path, bool]]:
    """The files, what each is called in the new folder, and whether it was named itself."""
    found: list[tuple[Path, Path, bool]] = []
    for address in addresses:
        path = Path(address)
        if not is_place(address):
            found.append((path, Path(path.name), True))
            continue
        base = path if path.is_dir() else Path(*_until_mark(path.parts))
        inside = path.rglob("*") if path.is_dir() else base.glob(str(path.relative_to(base)))
        files = sorted(each for each in inside if each.is_file() and not each.name.startswith("."))
        if not files:
            raise FileError(f"{address}: no such file (expected files of results, a folder of them, or a pattern)")
        found += [(each, each.relative_to(base), False) for each in files]
    seen: set[Path] = set()
    for each, _, _ in found:
        if each.resolve() in seen:
            raise FileError(f"{each}: is named twice (each file counts once)")
        seen.add(each.resolve())
    return found


def _until_mark(parts: Sequence[str]) -> list[str]:
    """The folders of a pattern before the first that has a mark."""
    marked = next(at for at, part in enumerate(parts) if any(mark in part for mark in "*?["))
    return list(parts[:marked])


def _jobs(found: Sequence[tuple[Path, Path, bool]], whole: Path) -> list[_Job]:
    """The files with their places in the new folder, each with a name of its own."""
    short = Counter(str(place.with_suffix("")).casefold() for _, place, _ in found)
    seen: Counter[str] = Counter()
    jobs = []
    for path, place, named in found:
        alone = short[str(place.with_suffix("")).casefold()] == 1
        name = (place.with_suffix("") if alone else place).as_posix()
        seen[name.casefold()] += 1
        again = seen[name.casefold()]
        name = f"{name} ({again})" if again > 1 else name
        jobs.append(_Job(path, whole / f"{name}{ENDING}", name, named))
    return jobs


def _convert(job: _Job, options: Options, names: Path | None) -> _Done:
    """Write a file as Parquet."""
    try:
        content = read_content(job.path, None, names, options)
    except ValetError as error:
        line = error_line(error, job.path)
        if job.named:
            raise FileError(line) from error
        return _Done(passed_over=line)
    results, title = content.results, content.source.announced.title
    event = f"{title}, {job.name}" if title and title != job.name else job.name
    job.target.parent.mkdir(parents=True, exist_ok=True)
    files = write_results(job.target, results, event, most=PART)
    kept = int((results.board >= 0).sum())
    errors = tuple(f"{job.path.name}: {error}" for error in results.errors[:SHOWN])
    return _Done(len(files), kept, len(results.boards), len(results.errors), errors)
