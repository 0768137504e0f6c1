"""Bridgemate's .bws files, an Access database: the results that tables entered, and who sat there."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from valet_xl.engine import notation
from valet_xl.engine.notation import Adjustment
from valet_xl.errors import FileError, NotationError, RowError
from valet_xl.messages import counted
from valet_xl.reading.formats import Asked, File, Format
from valet_xl.reading.players import Player, pair_name, tags_of
from valet_xl.reading.source import Announced, Source, without_blanks

if TYPE_CHECKING:
    from valet_xl.documents.access import Values


class _Record(NamedTuple):
    """A record of the table ReceivedData; its columns are named in _RECEIVED."""

    id: int | None
    section: int | None
    table: int | None
    round: int | None
    board: int | None
    ns: int | None
    ew: int | None
    south: int | None
    west: int | None
    declarer: int | None
    seat: str | None
    contract: str | None
    result: str | None
    lead: str | None
    remark: str | None
    erased: bool | None


_RECEIVED = (
    *("ID", "Section", "Table", "Round", "Board", "PairNS", "PairEW", "South", "West"),
    *("Declarer", "NS/EW", "Contract", "Result", "LeadCard", "Remarks", "Erased"),
)
_SEATING = ("Section", "Table", "Round", "NSPair", "EWPair", "South", "West")
_ENTERED = ("Section", "Table", "Round", "Direction", "Number", "Name")
_SECTION = ("ID", "Letter", "Session", "ScoringType", "Winners")
_SCORED = {1: "matchpoints", 2: "iaf"}  # ScoringType; 3 is board-a-match and 4 teams
_NEEDED = ("Section", "Table", "Round", "Board", "PairNS", "PairEW", "NS/EW", "Contract", "Result")
_HEADINGS = {
    **{"board": "Board", "contract": "Contract", "declarer": "NS/EW", "result": "Result", "lead": "LeadCard"},
    **{"score": "Remarks", "ns": "PairNS", "ew": "PairEW"},
}
_SEATS = {"N": ("NS", 0), "E": ("EW", 0), "S": ("NS", 1), "W": ("EW", 1)}
_FIELDS = (
    *("session", "section", "table", "round", "board", "contract", "declarer", "result", "lead", "score"),
    *("ns", "ew", "north", "east", "south", "west"),
)
_TEXTS = frozenset(
    ("NS/EW", "Contract", "Result", "LeadCard", "Remarks", "Direction", "Number", "Name", "Letter", "strID")
)
WRONG_WAY = "WRONG DIRECTION"
_RULED = "ARBITRAL SCORE"

Entry = tuple[int, str, int | None, Sequence[int | None]]  # as `other_declarers` takes them
_Number = tuple[Any, str, Any]  # section, direction ("" where it does not matter), and number of a pair or player


def read_source(data: bytes) -> Source:
    """Read a .bws file: the results that are not erased; their rows are the records' IDs.

    Parameters
    ----------
    data : the whole file

    Raises
    ------
    FileError : where it is no whole Access database, no file of Bridgemate results, or has none; or access-parser is
        not installed

    Notes
    -----
    Players sit as was entered for the round or before it. The player of a pair who was entered as North or East is
    taken to be North or East also when the pair has changed direction. Where the remark is `Wrong direction`, the
    pairs of the record are exchanged.
    """
    wanted = {"ReceivedData": _RECEIVED, "RoundData": _SEATING, "PlayerNumbers": _ENTERED, "Section": _SECTION}
    tables = _tables(data, wanted)
    received = tables.get("ReceivedData", {})
    missing = [name for name in _NEEDED if name not in received]
    if missing:
        raise FileError(f"not a file of Bridgemate results: its table ReceivedData has no {', '.join(missing)}")
    records = [record for record in map(_Record._make, _rows(received, _RECEIVED)) if not record.erased]
    if not records:
        raise FileError(
            f"no results: the table ReceivedData has {counted(len(received['Board']), 'record')}, none but erased"
        )
    seating = list(_rows(tables.get("RoundData", {}), _SEATING))
    movement = _Movement(
        seating
        or [(each.section, each.table, each.round, each.ns, each.ew, each.south, each.west) for each in records],
        individual=any(record.south or record.west for record in records),
    )
    entered = list(_rows(tables.get("PlayerNumbers", {}), _ENTERED))
    movement.enter(entered, _names(data, [number for *_, number, name in entered if number and not name]))
    return _source(records, list(_rows(tables.get("Section", {}), _SECTION)), movement)


def _tables(data: bytes, wanted: Mapping[str, Sequence[str]]) -> dict[str, Values]:
    from valet_xl.documents.access import read_tables  # noqa: PLC0415 - loaded for databases

    return read_tables(data, wanted)


def _rows(table: Values, columns: Sequence[str]) -> Iterable[tuple[Any, ...]]:
    """The rows of a table, None in columns that it does not have."""
    size = max(map(len, table.values()), default=0)
    return zip(*(_column(name, table.get(name, [None] * size)) for name in columns), strict=True)


def _column(name: str, cells: list[Any]) -> list[Any]:
    """A column's texts as texts, and its numbers as numbers."""
    kind: type = str if name in _TEXTS else int
    if all(cell is None or isinstance(cell, kind) for cell in cells):
        return cells
    if kind is str:
        return [None if cell is None else str(cell) for cell in cells]
    raise FileError(f"is a damaged Bridgemate file, the column {name} contains other things than numbers")


def _names(data: bytes, numbers: Sequence[str]) -> dict[str, str]:
    """The names that go with players' numbers, from the file's list of all members."""
    if not numbers:
        return {}
    listed = _tables(data, {"PlayerNames": ("ID", "strID", "Name")}).get("PlayerNames", {})
    names: dict[str, str] = {}
    for identifier, text, name in _rows(listed, ("ID", "strID", "Name")):
        for number in (identifier, text):
            names.setdefault(str(number).strip(), (name or "").strip())
    return names


class _Movement:
    """Which pair sits where in which round, and so who are the players of a pair.

    seating : records of section, table, round, the pairs N-S and E-W (or the players North and East), South and West
    individual : whether these numbers are players', not pairs'
    """

    def __init__(self, seating: Iterable[tuple[Any, ...]], individual: bool) -> None:
        self.individual = individual
        self._at = {record[:3]: record[3:] for record in seating}
        self._entered: dict[_Number, list[tuple[int, int, Player]]] = {}  # since which round, which of two, and who
        self._found: dict[tuple[_Number, Any], list[Player]] = {}
        ways: dict[tuple[Any, Any, str], set[Any]] = {}
        for (section, _, turn), (ns, ew, *_) in self._at.items():
            ways.setdefault((section, turn, "NS"), set()).add(ns)
            ways.setdefault((section, turn, "EW"), set()).add(ew)
        # In one round nobody sits twice: a number in both directions is two pairs, as in many a Mitchell movement.
        self._both_ways = {
            section
            for (section, turn, way), numbers in ways.items()
            if way == "NS" and numbers & ways[section, turn, "EW"] - {0, None}
        }

    def number(self, section: int | None, way: str, number: int | None) -> _Number:
        """What distinguishes a pair, or a player, from all others."""
        return (section, way if section in self._both_ways and not self.individual else "", number)

    def enter(self, entered: Iterable[tuple[Any, ...]], names: Mapping[str, str]) -> None:
        """Note who sat down at the tables, by their names or else by their numbers."""
        for section, table, turn, direction, number, name in entered:
            way, place = _SEATS.get((direction or "").strip(), ("", 0))
            here = self._at.get((section, table, max(turn or 0, 1)))
            digits = (number or "").strip()
            player = Player((name or "").strip() or names.get(digits, ""), digits)
            if here is None or not way or not player.name:
                continue
            ns, ew, south, west = here
            if self.individual:
                key = self.number(section, "", {"N": ns, "E": ew, "S": south, "W": west}[direction.strip()])
                place = 0
            else:
                key = self.number(section, way, ns if way == "NS" else ew)
            self._entered.setdefault(key, []).append((turn or 0, place, player))

    def everybody(self) -> list[Player]:
        """All who sat down."""
        return [player for entered in self._entered.values() for _, _, player in entered]

    def players(self, number: _Number, turn: int | None) -> list[Player]:
        """The two players of a pair in a round: those entered last before it, or else first after it."""
        if (number, turn) not in self._found:
            entered = sorted(self._entered.get(number, []), key=lambda entry: entry[0])
            both = []
            for place in (0, 1):
                here = [(since, player) for since, at, player in entered if at == place]
                before = [player for since, player in here if since <= (turn or 0)]
                both.append(before[-1] if before else here[0][1] if here else Player(""))
            self._found[number, turn] = both
        return self._found[number, turn]

    def name(self, number: _Number) -> str:
        """What a pair is called: by all who played in it."""
        return pair_name(list(dict.fromkeys(player.name for _, _, player in self._entered.get(number, []))))


def _source(records: Sequence[_Record], sections: Sequence[tuple[Any, ...]], movement: _Movement) -> Source:
    """The records as cells."""
    tags = tags_of(movement.everybody())
    called = {tag: player.name for player, tag in tags.items()}
    letters = {identifier: (letter or "").strip() or str(identifier) for identifier, letter, *_ in sections}
    sessions = {identifier: session for identifier, _, session, *_ in sections}
    used = {record.section for record in records}
    if len(used) < 2:
        letters = dict.fromkeys(used, "")
    evenings = {sessions.get(section) for section in used}
    if len(evenings) < 2:
        sessions = {}
    fields: dict[str, list[Any]] = {name: [] for name in _FIELDS}
    for record in records:
        remark = (record.remark or "").strip()
        said = notation.plain(remark)
        unread = remark and said != WRONG_WAY and not is_ruling(remark)
        letter = letters.get(record.section, str(record.section))
        sides, seats = _who(record, letter, said == WRONG_WAY, movement, tags, called)
        cells = (
            *(sessions.get(record.section), letter, record.table, record.round, record.board),
            record.contract or (remark if unread else None),  # what is not known must not pass for not played
            *(record.seat, record.result, record.lead, remark if is_ruling(remark) else None),
            *(*sides, *seats),
        )
        for name, cell in zip(_FIELDS, cells, strict=True):
            fields[name].append(cell)
    identifiers = [record.id or 0 for record in records]
    by_id = len(set(identifiers)) == len(records) and min(identifiers) > 0
    rows = identifiers if by_id else list(range(1, len(records) + 1))
    return Source(
        kind="Bridgemate",
        fields=without_blanks(fields),
        rows=rows,
        rows_are="record ID" if by_id else "record",
        headings=_HEADINGS,
        wrong=other_declarers(map(_entry, records, rows)),
        called=called,
        events=len(evenings),
        announced=_announced([section for section in sections if section[0] in used]),
    )


def _announced(sections: Sequence[tuple[Any, ...]]) -> Announced:
    """How the sections were scored, and how many winners they have, if they agree."""
    scored, winners = ({section[at] for section in sections} for at in (3, 4))
    number = winners.pop() if winners in ({1}, {2}) and len(sections) == 1 else 0
    method = _SCORED.get(scored.pop(), "") if len(scored) == 1 else ""
    return Announced(method, f"ScoringType {sections[0][3]}", number) if method else Announced(winners=number)


def _who(
    record: _Record,
    letter: str,
    exchanged: bool,
    movement: _Movement,
    tags: Mapping[Player, str],
    called: dict[str, str],
) -> tuple[list[str], list[str]]:
    """The tags of the two sides and the four players; the names of the sides go into `called`."""
    if movement.individual:
        seats = []
        for number in (record.ns, record.ew, record.south, record.west):
            player = movement.players(movement.number(record.section, "", number), record.round)[0]
            seats.append(tags.get(player) or (f"{letter} {number}".strip() if number else ""))
        return ["", ""], seats if not exchanged else [seats[at] for at in (1, 0, 3, 2)]
    keys = [movement.number(record.section, way, number) for way, number in (("NS", record.ns), ("EW", record.ew))]
    if exchanged:
        keys.reverse()
    sides = []
    for key in keys:
        sides.append(f"{key[2]} {key[1]}".strip() if key[2] else "")  # 0 sits out
        name = movement.name(key)
        if sides[-1] and name:
            called[f"{letter} {sides[-1]}".strip()] = name
    (north, south), (east, west) = (movement.players(key, record.round) for key in keys)
    return sides, [tags.get(player, "") for player in (north, east, south, west)]


def is_ruling(remark: str) -> bool:
    """Whether a remark says that the board was adjusted or not played."""
    if not remark or notation.is_unplayed(remark) or notation.plain(remark) == _RULED:
        return bool(remark)
    try:
        Adjustment.parse(remark)
    except NotationError:
        return False
    return True


def other_declarers(entries: Iterable[Entry]) -> dict[int, RowError]:
    """An error for each entry whose declarer is not of the pair in that seat, if most others' are; by its place.

    entries : row, seat, declarer's number, and the numbers N-S, E-W, South and West (0 or None: not known)
    """
    wrong, compared = {}, 0
    for at, (row, seat, declarer, (ns, ew, south, west)) in enumerate(entries):
        expected = {"N": ns, "E": ew, "S": south or ns, "W": west or ew}.get(seat)
        if not declarer or not expected:
            continue
        compared += 1
        if declarer != expected:
            wrong[at] = RowError(row, "Declarer", str(declarer), f"expected {expected}, who sits {seat}")
    return wrong if 2 * len(wrong) < compared else {}


def _entry(record: _Record, row: int) -> Entry:
    exchanged = notation.plain(record.remark or "") == WRONG_WAY
    numbers = (record.ns, record.ew, record.south, record.west)
    return row, (record.seat or "").strip(), None if exchanged else record.declarer, numbers


def _is_database(file: File) -> bool:
    from valet_xl.documents.access import BEGINNINGS  # noqa: PLC0415 - loaded for what may be databases

    return file.data.startswith(BEGINNINGS)


def _read(file: File, _: Asked) -> Source:
    return read_source(file.data)


FORMAT = Format("Bridgemate", "a Bridgemate .bws", (".bws",), _is_database, _read)
