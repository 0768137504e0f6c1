"""A grid of cells with a heading row: which columns it has, and its rows as results."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

from valet_xl.documents.cell_names import cell_name
from valet_xl.engine.notation import Entry
from valet_xl.engine.results import Results
from valet_xl.errors import NotationError, RowError, SheetError
from valet_xl.messages import one_line
from valet_xl.reading.rows import read_rows

Grid = Sequence[Sequence[object]]

# What the columns are called, in lower case and without accents: English, then the languages of the larger federations.
SYNONYMS: dict[str, tuple[str, ...]] = {
    "event": ("event", "tournament", "competition", "match", "turnier", "tournoi", "toernooi", "turnering", "torneo"),
    "date": ("date", "day", "year", "season", "jahr", "annee", "jaar", "ar", "dato", "fecha", "data", "rok"),
    "session": ("session", "sess", "sitting", "sitzung", "seance", "zitting", "sesion", "sessione", "sesja"),
    "section": ("section", "sect", "sec", "sektion", "gruppe", "group", "lijn", "sektor"),
    "table": ("table", "tbl", "tab", "tisch", "tafel", "bord", "mesa", "tavolo", "stol"),
    "round": ("round", "rnd", "rd", "runde", "ronde", "ronda", "rond", "omgang", "tour", "turno", "runda"),
    "board": (
        *("board", "boards", "bd", "brd", "board no", "board nr", "board number", "bd no", "deal", "hand"),
        *("donne", "etui", "brett", "spel", "bricka", "spil", "spill", "mano", "tablero", "rozdanie"),
    ),
    "vulnerability": (
        *("vulnerability", "vulnerable", "vul", "vuln", "v"),
        *("gefahr", "vulnerabilite", "kwetsbaar", "zon", "zone", "sone", "vulnerabilidad", "zona", "zalozenia"),
    ),
    "contract": ("contract", "final contract", "cont", "kontrakt", "contrat", "contrato", "contratto", "bud"),
    "double": ("double", "doubled", "dbl", "x", "x/xx", "dbl/rdbl", "contre", "kontra", "doblet"),
    "declarer": (
        *("declarer", "decl", "dec", "by", "played by", "seat"),
        *("declarant", "alleinspieler", "spieler", "von", "leider", "door", "spelforare", "spilforer"),
        *("spilleforer", "av", "af", "declarante", "dichiarante", "da", "rozgrywajacy"),
    ),
    "result": (
        *("result", "res", "+/-", "+/=/-", "=/+/-", "made/down", "over/under", "relative"),
        *("resultat", "ergebnis", "resultaat", "resultado", "risultato", "wynik"),
    ),
    "tricks": (
        *("tricks", "trick", "tr", "trk", "trks", "tricks won", "tricks made", "total tricks", "tricks taken"),
        *("levees", "stiche", "slagen", "stick", "stik", "stikk", "bazas", "prese", "lewy", "lew"),
    ),
    "made": ("made", "make", "made tricks"),
    "down": ("down", "off", "set", "tricks down"),
    "lead": (
        *("lead", "opening lead", "ld", "led"),
        *("entame", "ausspiel", "uitkomst", "start", "utspel", "udspil", "utspill", "salida", "attacco", "wist"),
    ),
    "score": ("score", "points", "punkte", "poang", "puntos", "punten", "punti", "poeng"),
    "ns_score": (
        *("ns score", "score ns", "n-s score", "score n-s", "n/s score", "ns points", "n-s points", "points ns"),
        *("+sc", "+score", "ns +", "ns+", "n-s +", "plus", "ns plus"),
    ),
    "ew_score": (
        *("ew score", "score ew", "e-w score", "score e-w", "e/w score", "ew points", "e-w points", "points ew"),
        *("-sc", "-score", "ns -", "ns-", "n-s -", "minus", "ns minus", "ew +", "ew+", "ew plus"),
    ),
    "ns": (
        *("ns", "n-s", "n/s", "ns pair", "pair ns", "n-s pair", "pair n-s", "ns no", "ns pair no", "north-south"),
        *("ns team", "ns number", "ns pair number", "ns par", "paar ns", "paire ns", "nz", "n-z", "n/z", "paar nz"),
    ),
    "ew": (
        *("ew", "e-w", "e/w", "ew pair", "pair ew", "e-w pair", "pair e-w", "ew no", "ew pair no", "east-west"),
        *("ew team", "ew number", "ew pair number", "ow", "o-w", "o/w", "eo", "ov", "paar ow", "paire eo"),
    ),
    "north": ("north", "n", "nord", "noord", "norr", "norte"),
    "east": ("east", "e", "ost", "oost", "est", "este"),
    "south": ("south", "s", "sud", "zuid", "syd", "sur", "sor"),
    "west": ("west", "w", "ouest", "oeste", "vast", "vest", "ovest"),
}
_FIELD_OF = {name: field for field, names in SYNONYMS.items() for name in names}

_PLAIN = str.maketrans({"ø": "o", "ł": "l", "đ": "d", "æ": "ae", "ß": "ss", "ı": "i"})  # what has no accent to take off
_BARE_SIDES = ("ns", "n-s", "n/s", "north-south", "ew", "e-w", "e/w", "east-west")  # may be scores
REQUIRED = ("board", "contract")
_SEARCHED = 200  # rows in which the heading row is looked for
_RESULT_FIELDS = ("tricks", "result", "made", "down")


@dataclass(frozen=True, slots=True)
class Headings:
    """The heading row of a grid, rows and columns from 0, and the column and own heading of each field.

    Columns from `width` on are none of the table's.
    """

    row: int
    width: int
    columns: Mapping[str, int]
    names: Mapping[str, str]


def find_headings(grid: Grid, width: int = 1 << 14, start: int = 0) -> Headings:
    """Find the heading row among title rows, and its columns by their names in any order.

    Parameters
    ----------
    grid : rows of cells
    width : the columns right of this many are not looked at
    start : the rows above this one are not looked at

    Returns
    -------
    the headings of the first row that has a board and a contract column

    Raises
    ------
    SheetError : where no row has both; it says what was found, and what was not
    """
    best: dict[str, int] = {}
    best_row = -1
    for at, row in enumerate(grid[start : start + _SEARCHED], start):
        columns = columns_of(row[:width])
        if all(field in columns for field in REQUIRED):
            return Headings(at, width, columns, {field: one_line(row[column]) for field, column in columns.items()})
        if len(columns) > max(len(best), 0 if columns.keys() & set(REQUIRED) else 1):
            best, best_row = columns, at
    wanted = "a heading row with Board, Contract, By and Tricks (or Result)"
    if not best:
        raise SheetError(f"no heading row found in the first {_SEARCHED} rows (expected {wanted})")
    found = ", ".join(f"{one_line(grid[best_row][column])} ({cell_name(best_row, column)})" for column in best.values())
    missing = ", ".join(field.title() for field in REQUIRED if field not in best)
    raise SheetError(f"heading row {best_row + 1} has {found}, but no {missing} (expected {wanted})")


def columns_of(row: Sequence[object]) -> dict[str, int]:
    """The column of each field that a row of headings names; the first where two name one field.

    `NS` and `EW` right of the contract are scores, not pairs. `V` with `N` and `S` is West, in Scandinavia.
    """
    columns: dict[str, int] = {}
    names = [_folded(cell) if isinstance(cell, str) else "" for cell in row]
    scandinavian = {"n": "north", "o": "east", "s": "south", "v": "west"} if {"n", "s", "v"} <= set(names) else {}
    for at, name in enumerate(names):
        field = scandinavian.get(name) or _FIELD_OF.get(name)
        if field is not None and not (name in _BARE_SIDES and "contract" in columns):
            columns.setdefault(field, at)
    return columns


def read_table(
    grid: Grid,
    headings: Headings,
    last: int,
    *,
    result_is: str = "made",
    rounds: str = "auto",
    wrong: Mapping[int, RowError] | None = None,
) -> Results:
    """Read the rows under a heading row, to the row `last`.

    Raises
    ------
    SheetError : where no cell says the declarer, or the result; and for a second heading row with other columns

    A heading row that is repeated among the rows is passed over. Rows are numbered from 1, as sheets count; `wrong` has
    the errors that were found in them already, by these numbers.
    """
    body = range(headings.row + 1, last + 1)
    again = _further_headings(grid, headings, body)
    for at, columns in again.items():
        if columns != headings.columns:
            raise SheetError(
                f"two heading rows with different columns, rows {headings.row + 1} and {at + 1} "
                "(expected one; put the second table on a sheet of its own)"
            )
    rows = [at for at in body if at not in again]
    fields = {field: _column(grid, rows, column) for field, column in headings.columns.items()}
    _require(fields, headings)
    known = {place: error for place, at in enumerate(rows) if (error := (wrong or {}).get(at + 1))}
    return read_rows(fields, [at + 1 for at in rows], headings.names, result_is=result_is, rounds=rounds, wrong=known)


def _require(fields: Mapping[str, Sequence[object]], headings: Headings) -> None:
    """Refuse a table no cell of which can say the declarer, or the result."""
    missing = []
    entries = [_entry(text) for text in {str(cell) for cell in fields["contract"] if cell is not None}]
    played = [entry for entry in entries if entry is not None and entry.contract.level]
    if played and "declarer" not in fields and all(entry.declarer is None for entry in played):
        missing.append("By (the declarer)")
    if (
        played
        and not any(field in fields for field in _RESULT_FIELDS)
        and all(entry.result is None for entry in played)
    ):
        missing.append("Tricks or Result")
    if missing:
        found = ", ".join(headings.names.values())
        raise SheetError(f"heading row {headings.row + 1} has {found}, but no {' and no '.join(missing)}")


def _entry(text: str) -> Entry | None:
    try:
        return Entry.parse(text)
    except NotationError:
        return None


def _further_headings(grid: Grid, headings: Headings, rows: range) -> dict[int, dict[str, int]]:
    """The rows that are heading rows again, and their columns."""
    again = {}
    for field in REQUIRED:
        cells = _column(grid, rows, headings.columns[field])
        words = {cell for cell in set(cells) if _folded(cell) in _FIELD_OF}
        for at in (at for at, cell in zip(rows, cells, strict=True) if words and cell in words):
            columns = columns_of(grid[at][: headings.width])
            if all(required in columns for required in REQUIRED):
                again[at] = columns
    return again


def _column(grid: Grid, rows: Sequence[int], column: int) -> list[object]:
    return [row[column] if column < len(row) else None for row in map(grid.__getitem__, rows)]


@lru_cache(maxsize=4096)
def _folded(cell: object) -> str:
    """A heading for comparison: lower case, no accents, no closing punctuation, single blanks."""
    if not isinstance(cell, str) or len(cell) > 40:
        return ""
    letters = unicodedata.normalize("NFKD", cell.casefold())
    bare = "".join(letter for letter in letters if not unicodedata.combining(letter))
    return " ".join(re.sub(r"[.:#()*_]", " ", bare.translate(_PLAIN)).split())
