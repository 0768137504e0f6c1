"""CSV files of BBO Extractor, a browser extension: the travellers of an event on Bridge Base Online, with their LIN."""

from __future__ import annotations

import csv
import io
import re

from valet_xl.errors import FileError, RowError
from valet_xl.messages import counted
from valet_xl.reading.formats import Asked, File, Format
from valet_xl.reading.source import Announced, Source, method_of, without_blanks

_SECTION = "#travellerlines"
_NEEDED = ("board", "contract", "declarer", "tricks")
# The columns that each field is read from.
_COLUMNS = {
    **{"board": "board", "section": "section", "contract": "contract", "declarer": "declarer", "tricks": "tricks"},
    **{"lead": "lead", "ns": "nspair", "ew": "ewpair", "north": "north", "east": "east", "south": "south"},
    **{"west": "west", "score": "score", "play": "playdata"},
}


def read_source(text: str, encoding: str = "") -> Source:
    """Read the traveller lines; their rows are lines of the file.

    Parameters
    ----------
    text : the file's text
    encoding : what it was read as, for people

    Raises
    ------
    FileError : where a quote does not end, or there are no traveller lines or not their columns

    >>> head = "#TravellerLines\\n#Board,North,South,East,West,Result,Contract,Declarer,Tricks,Lead,Score,playdata\\n"
    >>> read_source(head + "1,a,b,c,d,4S=,4S,N,10,HA,420,\\n").read().score.tolist()
    [420.0]
    """
    reader = csv.reader(io.StringIO(text, newline=""), strict=True)
    said: dict[str, str] = {}
    columns: list[str] | None = None
    fields: dict[str, list[str]] = {name: [] for name in (*_COLUMNS, "deal", "vulnerability")}
    lines: list[int] = []
    wrong: dict[int, RowError] = {}
    inside = False
    try:
        for row in reader:
            first = row[0].strip().lower() if row else ""
            if first == _SECTION:
                inside = True
            elif inside and columns is None and first.startswith("#"):
                columns = [cell.strip().lower().lstrip("#") for cell in row]
                _need_columns(columns, reader.line_num)
            elif not first or first.startswith("#"):
                if first.startswith("#") and len(row) > 1:
                    said.setdefault(first[1:], row[1].strip())
                inside = inside and (columns is None or not first.startswith("#"))
            elif inside and columns is not None:
                if len(row) != len(columns):
                    wrong[len(lines)] = RowError(
                        reader.line_num,
                        "row",
                        ",".join(row),
                        f"expected {counted(len(columns), 'cell')}, got {len(row)}",
                    )
                cells = dict(zip(columns, row, strict=False))
                _append(fields, cells)
                lines.append(reader.line_num)
    except csv.Error as error:
        raise FileError(f"line {reader.line_num}: {error} (quotation marks in pairs expected)") from error
    if not lines:
        raise FileError("no results: there are no traveller lines (a row for each under #TravellerLines expected)")
    del fields["play"]
    scoring = said.get("scoringtype", "")
    method = method_of(scoring)
    return Source(
        kind="BBO Extractor",
        fields=without_blanks(fields),
        rows=lines,
        rows_are="line",
        encoding=encoding,
        headings={name: column.capitalize() for name, column in _COLUMNS.items()} | {"deal": "playdata"},
        wrong=wrong,
        announced=Announced(method, f"#ScoringType {scoring}" if method else "", title=said.get("tournament", "")),
    )


def _need_columns(columns: list[str], line: int) -> None:
    missing = [name for name in _NEEDED if name not in columns]
    if missing:
        raise FileError(
            f"line {line}: no column {' and no '.join(name.capitalize() for name in missing)} in the heading of the "
            "traveller lines (Board, Contract, Declarer and Tricks expected)"
        )


def _append(fields: dict[str, list[str]], cells: dict[str, str]) -> None:
    """Add a traveller line: an artificial score is in the score, as A6040; the deal is in the LIN of its play."""
    own = {name: cells.get(column, "").strip() for name, column in _COLUMNS.items()}
    own["score"] = own["score"] if re.fullmatch(r"A\d{4}", own["score"]) and not own["contract"] else ""
    if not own["contract"] and not own["score"]:
        own["contract"] = "NP"
    play = own["play"]
    deal = re.search(r"(?:^|\|)md\|([^|]*)\|", play)
    vulnerable = re.search(r"\|sv\|([^|]*)\|", play)
    own["deal"] = deal[1] if deal else ""
    own["vulnerability"] = {"o": "None", "n": "NS", "e": "EW", "b": "Both"}.get(
        vulnerable[1].strip().lower() if vulnerable else "", ""
    )
    for name, column in fields.items():
        column.append(own[name])


def _is_extracted(file: File) -> bool:
    """Whether there are traveller lines with cards; without these, they are a sheet like others."""
    begins = re.search(rf"^{_SECTION}\b", file.beginning[:100_000], re.IGNORECASE | re.MULTILINE) is not None
    return begins and "md|" in file.text


def _read(file: File, _: Asked) -> Source:
    return read_source(file.text, file.encoding)


FORMAT = Format("BBO Extractor", "a CSV file of BBO Extractor", (".csv",), _is_extracted, _read)
