"""The Valet program's text files: scores.txt, a line a result, and names.txt, a line a player."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import partial
from pathlib import Path

import numpy as np

from valet_xl.documents.disk import read_file
from valet_xl.documents.text import decode
from valet_xl.engine.arrays import Index
from valet_xl.engine.results import Results
from valet_xl.errors import RowError, SheetError
from valet_xl.reading.delimited import DelimitedText, stripped, with_line_feeds
from valet_xl.reading.formats import Asked, File, Format
from valet_xl.reading.source import OwnRows, Source

FIELDS = ("round", "board", "north", "east", "south", "west", "contract", "declarer", "tricks", "lead")
HEADINGS = ("Round", "Board", "N", "E", "S", "W", "Contract", "Declarer", "Tricks", "Lead")
_BARS = len(FIELDS) - 1
FORM = "round|board|N|E|S|W|contract|declarer|tricks[|lead]"


def result_lines(text: str) -> tuple[list[int], list[str]]:
    """The lines that have a result, and their numbers from 1."""
    lines = DelimitedText.of(with_line_feeds(text), "|")
    rows = _rows_of_results(lines).tolist()
    return [at + 1 for at in rows], [lines.line(at) for at in rows]


def _rows_of_results(lines: DelimitedText) -> Index:
    """The lines that have a result, from 0. Empty lines and those from # are left out."""
    kept = ~lines.starts_with("#")
    for at in np.flatnonzero(kept & (lines.delimiters == 0)).tolist():
        kept[at] = bool(lines.line(at).strip())
    return np.flatnonzero(kept)


def as_table(text: str, names: Mapping[str, str]) -> OwnRows:
    """The lines of scores.txt as rows of cells, with the players' names behind them if there are any."""
    numbers, lines = result_lines(text)
    rows: list[list[str | None]] = [[*HEADINGS, *(("North", "East", "South", "West") if names else ())]]
    for line in (line.split("|") for line in lines):
        row: list[str | None] = (
            [*line[:9], "|".join(line[9:])] if len(line) > 9 else [*line, *[None] * (10 - len(line))]
        )
        rows.append(row + [names.get((tag or "").strip()) for tag in row[2:6]] if names else row)
    return OwnRows(HEADINGS, numbers, rows)


def looks_like_scores(lines: Iterable[str]) -> bool:
    """Whether the first line with a result has the form of scores.txt.

    >>> looks_like_scores(["# comment", "1|2|a|b|c|d|3N|W|9"])
    True
    """
    first = next((line for line in lines if not line.isspace() and not line.startswith("#")), "")
    fields = first.split("|")
    return len(fields) in (9, 10) and (fields[8].strip().isdigit() or not fields[8].strip())


def read_scores(text: str, names: Mapping[str, str] | None = None) -> Results:
    """Read the text of scores.txt; rounds have deals of their own.

    Parameters
    ----------
    text : lines `round|board|N|E|S|W|contract|declarer|tricks[|lead]`, players by their tags
    names : the names that belong to the tags, as `read_names` gives them

    Returns
    -------
    the results; a line that cannot be read is among their errors

    Raises
    ------
    SheetError : where there is no line of results

    >>> read_scores("1|7|a|b|c|d|4SX|S|9|HA").score.tolist()
    [-200.0]
    """
    return read_source(text, names).read()


def read_source(text: str, names: Mapping[str, str] | None = None, encoding: str = "") -> Source:
    """The cells of scores.txt; parameters and errors are those of `read_scores`."""
    lines = DelimitedText.of(with_line_feeds(text), "|")
    rows = _rows_of_results(lines)
    if not len(rows):
        raise SheetError(f"no results: no line of the form {FORM}")
    numbers = range(1, len(rows) + 1) if int(rows[-1]) == len(rows) - 1 else (rows + 1).tolist()
    bars = lines.delimiters[rows]
    wrong = {
        at: RowError(numbers[at], "line", lines.line(int(rows[at])), f"expected {FORM}")
        for at in np.flatnonzero((bars != _BARS) & (bars != _BARS - 1)).tolist()  # with one less there is no lead
    }
    fields = dict(zip(FIELDS, map(stripped, lines.columns(rows, len(FIELDS))), strict=True))
    own = partial(as_table, text, names or {})
    return Source(
        "Valet text", fields, numbers, "line", encoding, wrong=wrong, called=names or {}, rounds="new", own=own
    )


def read_names(text: str) -> dict[str, str]:
    """Read the text of names.txt, lines `tag|name`; a line without a bar is passed over.

    >>> read_names("17|Anna Ek")
    {'17': 'Anna Ek'}
    """
    pairs = (line.split("|", 1) for line in text.splitlines() if "|" in line and not line.startswith("#"))
    return {tag.strip(): name.strip() for tag, name in pairs}


def _is_scores(file: File) -> bool:
    return looks_like_scores(file.lines())


def _read(file: File, asked: Asked) -> Source:
    return read_source(file.text, _names(file.path, asked.names), file.encoding)


def _names(path: Path, named: Path | None) -> dict[str, str]:
    """The names of the players, from the file that is named or else from names.txt in the folder of the scores.

    A file such as scoresA.txt has namesA.txt, if that is there.
    """
    own = path.with_name(f"names{path.stem[len('scores') :]}.txt") if path.stem.lower().startswith("scores") else path
    usual = own if own != path and own.is_file() else path.with_name("names.txt")
    if named is None and not usual.is_file():
        return {}
    return read_names(decode(read_file(named or usual)))


FORMAT = Format("Valet text", "Valet text", (".txt",), _is_scores, _read, names=True)
