"""A grid of cells with a heading row: which columns it has, and its rows as results."""

from __future__ import annotations

import dataclasses
import re
import unicodedata
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

import numpy as np

from valet_xl.documents.cell_names import cell_name
from valet_xl.documents.cell_rows import CellRows
from valet_xl.engine.languages import Language
from valet_xl.engine.notation import Entry
from valet_xl.engine.results import Results
from valet_xl.errors import NotationError, RowError, SheetError
from valet_xl.messages import one_line
from valet_xl.reading.bare_sides import PAIRS, POINTS, judge
from valet_xl.reading.columns import CodedColumn, Columns
from valet_xl.reading.conventions import AUTO, DECIDED_BY, Conventions, decide
from valet_xl.reading.rows import read_rows
from valet_xl.reading.text_grid import TextGrid
from valet_xl.reading.written_once import PLACES

Grid = Sequence[Sequence[object]]

CALLED: dict[str, dict[str, str]] = {
    "event": {
        "english": "event, tournament, competition, match",
        "german": "turnier",
        "french": "tournoi",
        "dutch": "toernooi",
        "danish norwegian": "turnering",
        "swedish": "turnering, tavling",
        "spanish italian": "torneo",
        "portuguese": "torneio",
        "polish": "turniej",
    },
    "date": {
        "english": "date, day, year, season",
        "german": "jahr, datum",
        "french": "annee",
        "dutch": "jaar, datum",
        "danish norwegian": "ar, dato",
        "swedish": "ar, datum",
        "spanish": "fecha",
        "italian portuguese": "data",
        "polish": "rok, data",
    },
    "session": {
        "english": "session, sess, sitting",
        "german": "sitzung",
        "french": "seance",
        "dutch": "zitting",
        "spanish": "sesion",
        "italian": "sessione",
        "portuguese": "sessao",
        "polish": "sesja",
    },
    "section": {
        "english": "section, sect, sec, group",
        "german": "sektion, gruppe",
        "dutch": "lijn",
        "swedish": "sektion",
        "polish": "sektor",
    },
    "table": {
        "english": "table, tbl, tab",
        "german": "tisch",
        "dutch": "tafel",
        "danish norwegian swedish": "bord",
        "spanish portuguese": "mesa",
        "italian": "tavolo",
        "polish": "stol",
    },
    "round": {
        "english": "round, rnd, rd",
        "german": "runde",
        "french": "tour",
        "dutch": "ronde",
        "danish norwegian": "runde",
        "swedish": "rond, omgang",
        "spanish": "ronda",
        "italian": "turno",
        "portuguese": "rodada",
        "polish": "runda",
    },
    "board": {
        "english": "board, boards, bd, brd, board no, board nr, board number, bd no, deal, hand",
        "german": "brett",
        "french": "donne, etui",
        "dutch": "spel",
        "danish": "spil",
        "norwegian": "spill",
        "swedish": "bricka",
        "spanish": "mano, tablero",
        "italian": "mano, smazzata",
        "portuguese": "mao, tabuleiro",
        "polish": "rozdanie",
    },
    "vulnerability": {
        "english": "vulnerability, vulnerable, vul, vuln, v",
        "german": "gefahr",
        "french": "vulnerabilite",
        "dutch": "kwetsbaar, kwetsbaarheid",
        "danish norwegian": "zone, sone",
        "swedish": "zon",
        "spanish": "vulnerabilidad, zona",
        "italian": "zona",
        "portuguese": "vulnerabilidade",
        "polish": "zalozenia",
    },
    "contract": {
        "english": "contract, final contract, cont",
        "german danish norwegian polish": "kontrakt",
        "french dutch": "contrat",
        "swedish": "kontrakt, bud",
        "spanish portuguese": "contrato",
        "italian": "contratto",
    },
    "double": {
        "english": "double, doubled, dbl, x, x/xx, dbl/rdbl",
        "french": "contre",
        "german": "kontra",
        "danish norwegian": "doblet",
    },
    "declarer": {
        "english": "declarer, decl, dec, by, played by, seat",
        "german": "alleinspieler, spieler, von",
        "french": "declarant",
        "dutch": "leider, door",
        "danish": "spilforer, af",
        "norwegian": "spilleforer, av",
        "swedish": "spelforare, av",
        "spanish": "declarante",
        "italian": "dichiarante, da",
        "portuguese": "declarante, carteador",
        "polish": "rozgrywajacy",
    },
    "result": {
        "english": "result, res, +/-, +/=/-, =/+/-, made/down, over/under, relative",
        "german": "ergebnis, resultat",
        "french danish norwegian swedish": "resultat",
        "dutch": "resultaat",
        "spanish portuguese": "resultado",
        "italian": "risultato",
        "polish": "wynik",
    },
    "tricks": {
        "english": "tricks, trick, tr, trk, trks, tricks won, tricks made, total tricks, tricks taken",
        "german": "stiche",
        "french": "levees",
        "dutch": "slagen",
        "danish": "stik",
        "norwegian": "stikk",
        "swedish": "stick",
        "spanish": "bazas",
        "italian": "prese",
        "portuguese": "vazas",
        "polish": "lewy, lew",
    },
    "made": {"english": "made, make, made tricks"},
    "down": {"english": "down, off, set, tricks down"},
    "lead": {
        "english": "lead, opening lead, ld, led, start",
        "german": "ausspiel",
        "french": "entame",
        "dutch": "uitkomst",
        "danish": "udspil",
        "norwegian": "utspill",
        "swedish": "utspel",
        "spanish": "salida",
        "italian": "attacco",
        "portuguese": "saida",
        "polish": "wist",
    },
    "score": {
        "english": "score, points",
        "german": "punkte",
        "dutch": "punten",
        "norwegian": "poeng",
        "swedish": "poang",
        "spanish": "puntos",
        "italian": "punti",
        "portuguese": "pontos",
    },
    "ns_score": {
        "english": "ns score, score ns, n-s score, score n-s, n/s score, ns points, n-s points, points ns, "
        "+sc, +score, ns +, ns+, n-s +, plus, ns plus"
    },
    "ew_score": {
        "english": "ew score, score ew, e-w score, score e-w, e/w score, ew points, e-w points, points ew, "
        "-sc, -score, ns -, ns-, n-s -, minus, ns minus, ew +, ew+, ew plus"
    },
    "ns": {
        "english": "ns, n-s, n/s, ns pair, pair ns, n-s pair, pair n-s, ns no, ns pair no, north-south, "
        "ns team, ns number, ns pair number",
        "german": "paar ns",
        "dutch": "nz, n-z, n/z, paar nz",
        "french": "paire ns",
        "danish norwegian swedish": "ns par",
    },
    "ew": {
        "english": "ew, e-w, e/w, ew pair, pair ew, e-w pair, pair e-w, ew no, ew pair no, east-west, "
        "ew team, ew number, ew pair number",
        "german dutch": "ow, o-w, o/w, paar ow",
        "french": "eo, e-o, paire eo",
        "spanish italian portuguese": "eo, e-o",
        "danish norwegian swedish": "ov, o-v",
    },
    "deal": {"english": "cards, hands, all hands", "german": "verteilung"},
    "north": {
        "english": "north, n",
        "german french danish norwegian italian": "nord",
        "dutch": "noord",
        "swedish": "norr",
        "spanish portuguese": "norte",
    },
    "east": {
        "english": "east, e",
        "german danish norwegian swedish": "ost",
        "dutch": "oost",
        "french italian": "est",
        "spanish portuguese": "este",
    },
    "south": {
        "english": "south, s",
        "german french italian": "sud",
        "dutch": "zuid",
        "danish swedish": "syd",
        "norwegian": "sor",
        "spanish": "sur",
        "portuguese": "sul",
    },
    "west": {
        "english": "west, w",
        "french": "ouest",
        "spanish portuguese": "oeste",
        "swedish": "vast",
        "danish norwegian": "vest",
        "italian": "ovest",
    },
}
"""What the columns are called in each language, in lower case and without accents; each word names one field."""
SYNONYMS: dict[str, tuple[str, ...]] = {
    field: tuple(dict.fromkeys(word for words in called.values() for word in words.split(", ")))
    for field, called in CALLED.items()
}
"""The words for each field, of all languages."""
_FIELD_OF = {name.replace(" ", ""): field for field, names in SYNONYMS.items() for name in names}
_SPOKEN = {  # the languages that call a column so
    name: {
        language
        for languages, words in CALLED[field].items()
        if name in words.replace(" ", "").split(",")
        for language in languages.split()
    }
    for name, field in _FIELD_OF.items()
}

_PLAIN = str.maketrans({"ø": "o", "ł": "l", "đ": "d", "æ": "ae", "ß": "ss", "ı": "i"})  # what has no accent to take off
_BARE_SIDES = (  # may be scores
    *("ns", "n-s", "n/s", "north-south", "nz", "n-z", "n/z"),
    *("ew", "e-w", "e/w", "east-west", "eo", "e-o", "ow", "o-w", "o/w", "ov", "o-v"),
)
REQUIRED = ("board", "contract")
_SEARCHED = 200  # rows in which the heading row is looked for
_RESULT_FIELDS = ("tricks", "result", "made", "down")


@dataclass(frozen=True, slots=True)
class Headings:
    """The heading row of a grid, rows and columns from 0, and the column and own heading of each field.

    Columns from `width` on are none of the table's. `beside` has the columns right of the contract that are headed NS
    or EW, of which only their cells say what is in them (`with_sides`).
    """

    row: int
    width: int
    columns: Mapping[str, int]
    names: Mapping[str, str]
    beside: Mapping[str, int] = dataclasses.field(default_factory=dict)


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
            names = {field: one_line(row[column]) for field, column in columns.items()}
            return Headings(at, width, columns, names, _sides_beside(row[:width], columns["contract"]))
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

    `NS` and `EW` right of the contract are scores, not pairs. `V` with `N` and `S` is West, in Scandinavia. `Deal` is
    the cards next to a column such as `Board`, and the board without one.
    """
    columns: dict[str, int] = {}
    names = [_folded(cell) if isinstance(cell, str) else "" for cell in row]
    scandinavian = {"n": "north", "o": "east", "s": "south", "v": "west"} if {"n", "s", "v"} <= set(names) else {}
    cards = {"deal": "deal"} if any(name != "deal" and _FIELD_OF.get(name) == "board" for name in names) else {}
    for at, name in enumerate(names):
        field = scandinavian.get(name) or cards.get(name) or _FIELD_OF.get(name)
        if field is not None and not (name in _BARE_SIDES and "contract" in columns):
            columns.setdefault(field, at)
    return columns


def _sides_beside(row: Sequence[object], contract: int) -> dict[str, int]:
    """The columns right of the contract that are headed no more than NS or EW."""
    beside: dict[str, int] = {}
    for at in range(contract + 1, len(row)):
        name = _folded(row[at])
        if name in _BARE_SIDES:
            beside.setdefault(_FIELD_OF[name], at)
    return beside


def with_sides(grid: Grid, headings: Headings, last: int) -> tuple[Headings, tuple[str, ...]]:
    """The headings with what NS and EW right of the contract are by their cells, and a sentence that says it.

    They are the pairs, if no columns left of them are; or the points of the contracts; or neither, and not read.
    """
    if not headings.beside:
        return headings, ()
    rows = range(headings.row + 1, last + 1)
    places = {
        name: column_cells(grid, rows, at) for name, at in headings.columns.items() if name in (*PLACES, "contract")
    }
    what = judge({name: column_cells(grid, rows, at) for name, at in headings.beside.items()}, places, rows)
    fields = {PAIRS: {"ns": "ns", "ew": "ew"}, POINTS: {"ns": "ns_score", "ew": "ew_score"}}.get(what, {})
    top = grid[headings.row]
    called = " and ".join(one_line(top[at]) for at in headings.beside.values())
    found = {fields[side]: at for side, at in headings.beside.items() if side in fields}
    if what == "" or set(found) & set(headings.columns):  # there are pairs, or points, left of them
        return headings, ()
    names = {name: one_line(top[at]) for name, at in found.items()}
    said = f"{called} right of the contract: {what}{'' if found else ', not read'}"
    return replace(headings, columns={**headings.columns, **found}, names={**headings.names, **names}), (said,)


def decide_table(
    grid: Grid, headings: Headings, last: int, *, language: str = AUTO, result_is: str = AUTO
) -> tuple[Conventions, tuple[str, ...]]:
    """How the cells under a heading row are meant, to the row `last`: parameters and errors as in `decide`.

    Raises
    ------
    SheetError : for a second heading row with other columns
    """
    rows = _body(grid, headings, last)
    fields = {field: column_of(grid, rows, at) for field, at in headings.columns.items() if field in DECIDED_BY}
    cells = Columns(fields, _numbers(rows), headings.names)
    return decide(cells, _spoken(grid[headings.row][: headings.width]), language, result_is)


def read_table(
    grid: Grid,
    headings: Headings,
    last: int,
    *,
    result_is: str = AUTO,
    rounds: str = "auto",
    conventions: Conventions | None = None,
    wrong: Mapping[int, RowError] | None = None,
) -> Results:
    """Read the rows under a heading row, to the row `last`; without conventions as `decide_table` decides them.

    result_is : as in `decide_table`, which is not asked if there are conventions

    Raises
    ------
    SheetError : where no cell says the declarer, or the result; and for a second heading row with other columns

    A heading row that is repeated among the rows is passed over. Rows are numbered from 1, as sheets count; `wrong` has
    the errors that were found in them already, by these numbers.
    """
    conventions = conventions or decide_table(grid, headings, last, result_is=result_is)[0]
    rows = _body(grid, headings, last)
    fields = {field: column_of(grid, rows, column) for field, column in headings.columns.items()}
    _require(fields, headings, conventions.language)
    numbers = _numbers(rows)
    places = enumerate(numbers) if wrong else ()
    known = {place: error for place, number in places if (error := (wrong or {}).get(number))}
    return read_rows(fields, numbers, headings.names, rounds=rounds, wrong=known, conventions=conventions)


def _numbers(rows: Sequence[int]) -> Sequence[int]:
    """The numbers of rows as people count them."""
    return range(rows.start + 1, rows.stop + 1) if isinstance(rows, range) else [at + 1 for at in rows]


def _body(grid: Grid, headings: Headings, last: int) -> Sequence[int]:
    """The rows under a heading row, without those that repeat it."""
    body = range(headings.row + 1, last + 1)
    again = _further_headings(grid, headings, body)
    first = columns_of(grid[headings.row][: headings.width])
    for at, columns in again.items():
        if columns != first:
            raise SheetError(
                f"two heading rows with different columns, rows {headings.row + 1} and {at + 1} "
                "(expected one; put the second table on a sheet of its own)"
            )
    return [at for at in body if at not in again] if again else body


def _spoken(row: Sequence[object]) -> Counter[str]:
    """How many words of a heading row are of each language, and not English."""
    spoken = (_SPOKEN.get(_folded(cell), set()) for cell in row)
    return Counter(language for languages in spoken if "english" not in languages for language in languages)


def _require(fields: Mapping[str, CodedColumn], headings: Headings, language: Language) -> None:
    """Refuse a table no cell of which can say the declarer, or the result."""
    missing = []
    entries = [_entry(text, language) for text in fields["contract"].texts]
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


def _entry(text: str, language: Language) -> Entry | None:
    try:
        return Entry.parse(text, language)
    except NotationError:
        return None


def _further_headings(grid: Grid, headings: Headings, rows: range) -> dict[int, dict[str, int]]:
    """The rows that are heading rows again, and their columns."""
    again = {}
    for field in REQUIRED:
        column = column_of(grid, rows, headings.columns[field])
        words = [at for at, text in enumerate(column.texts) if _folded(text) in _FIELD_OF]
        found = (rows.start + np.flatnonzero(np.isin(column.index, words))).tolist() if words else ()
        for at in found:
            columns = columns_of(grid[at][: headings.width])
            if all(required in columns for required in REQUIRED):
                again[at] = columns
    return again


def column_of(grid: Grid, rows: Sequence[int], column: int) -> CodedColumn:
    """The cells of a column in some rows, from 0, as texts."""
    if isinstance(grid, TextGrid) and isinstance(rows, range):
        return grid.column(column, rows)
    if not (isinstance(grid, CellRows) and isinstance(rows, range)):
        return CodedColumn.of(column_cells(grid, rows, column))
    key = ("column", column, rows.start, rows.stop)
    if key not in grid.kept:
        coded = grid.coded(column, rows)
        different = None if coded is None else CodedColumn.of_different(*coded)
        grid.kept[key] = different or CodedColumn.of(grid.column(column, rows))
    found: CodedColumn = grid.kept[key]
    return found


def column_cells(grid: Grid, rows: Sequence[int], column: int) -> Sequence[object]:
    """The cells of a column in some rows, from 0; blank ones right of what a row has."""
    if isinstance(grid, CellRows) and isinstance(rows, range):
        return grid.column(column, rows)
    return [row[column] if column < len(row) else None for row in map(grid.__getitem__, rows)]


@lru_cache(maxsize=4096)
def _folded(cell: object) -> str:
    """A heading for comparison: lower case, no accents, no punctuation around words, no blanks."""
    if not isinstance(cell, str) or len(cell) > 40:
        return ""
    letters = unicodedata.normalize("NFKD", cell.casefold())
    bare = "".join(letter for letter in letters if not unicodedata.combining(letter))
    return "".join(re.sub(r"[.:#()*_]", " ", bare.translate(_PLAIN)).split())
