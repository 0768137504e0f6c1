"""USEBIO 1.2: an event's traveller lines, players and published points in XML.

Read by expat, the parser of Python itself, as a stream: it keeps no tree, fetches nothing, and counts the lines.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from xml.parsers import expat

import numpy as np

from valet_xl.engine.arrays import Floats
from valet_xl.engine.teams import Matches
from valet_xl.errors import FileError
from valet_xl.reading.deal_rows import DealRows
from valet_xl.reading.formats import Asked, File, Format
from valet_xl.reading.players import Player, pair_name, tags_of
from valet_xl.reading.source import Announced, Source, method_of, only, without_blanks
from valet_xl.reading.usebio_hands import read_hands

DEEPEST = 50  # elements inside each other; the format has 7
LONGEST = 10_000  # characters of one element's text; the longest that is read is a name
_READ_AT_ONCE = 1 << 16  # bytes

# The element in a traveller line, or in its board or match, that each field is read from.
_ELEMENTS = {
    **{"board": "BOARD_NUMBER", "round": "ROUND_NUMBER", "table": "TABLE_NUMBER"},
    **{"contract": "CONTRACT", "declarer": "PLAYED_BY", "tricks": "TRICKS", "lead": "LEAD", "score": "SCORE"},
    **{"ns": "NS_PAIR_NUMBER", "ew": "EW_PAIR_NUMBER"},
    **{"ns_score": "NS_SCORE", "ew_score": "EW_SCORE"},
    **{"north": "N_PLAYER_NUMBER", "east": "E_PLAYER_NUMBER"},
    **{"south": "S_PLAYER_NUMBER", "west": "W_PLAYER_NUMBER"},
}
_POINTS = {"matchpoints": "MATCH_POINTS", "butler": "BUTLER_POINTS", "cross_imps": "CROSS_IMP_POINTS"}
_PUBLISHED = (
    *(f"{side}_{points}" for points in _POINTS.values() for side in ("NS", "EW")),
    "BOARD_AVERAGE",
)
# The elements of an event that say how it was scored, the first that does so.
_SAYING = ("EVENT_TYPE", "PAIRWISE_SCORING_METHOD", "BOARD_SCORING_METHOD")
_BEYOND = ("HANDICAP", "ADJUSTMENT", "CARRY_FORWARD")
_PAIR_SEATS = {"ns": ("north", "south"), "ew": ("east", "west")}
_OCCASIONS = ("EVENT", "SESSION", "SECTION")
_ENTRANTS = ("PAIR", "PLAYER")
_HOLDERS = frozenset((*_OCCASIONS, *_ENTRANTS, "TEAM", "MATCH", "BOARD", "TRAVELLER_LINE"))
# Of a match of teams: who met whom, on which side the first of them sat, and what both got for the match.
_OF_MATCH = ("TEAM", "OPPOSING_TEAM", "DIRECTION", "TEAM_SCORE", "OPPOSING_TEAM_SCORE")


@dataclass(slots=True)
class _Holder:
    """An element that contains others: its name, its number among those of that name, and the texts in it."""

    name: str
    number: int
    texts: dict[str, str]
    players: list[Player] = field(default_factory=list)

    @property
    def player(self) -> Player:
        return Player(self.texts.get("PLAYER_NAME", ""), self.texts.get("NATIONAL_ID_NUMBER", ""))

    @property
    def called(self) -> str:
        words = (f"{self.name}_{word}" for word in ("DESCRIPTION", "NAME", "ID", "IDENTIFIER", "NUMBER"))
        return next((self.texts[word] for word in words if self.texts.get(word)), str(self.number))


def _pair_of(team: str, number: str) -> str:
    """The number of a pair in a team, where every team numbers its own."""
    return f"{team}\0{number}"


_Place = tuple[int, int]  # event and section, by number; 0 is none
_Key = tuple[int, int, str, str]  # event, section, number of the entrant, and direction; "" is any


class _Names(dict[str, str]):
    """Tags without the prefix of their namespace."""

    def __missing__(self, tag: str) -> str:
        name = self[tag] = tag.rpartition(":")[2]
        return name


class _Reader:
    """What expat reports, gathered as columns of the traveller lines, and the pairs and players by number."""

    def __init__(self) -> None:
        self.columns: dict[str, list[str]] = {element: [] for element in (*_ELEMENTS.values(), *_PUBLISHED, *_OF_MATCH)}
        self.matches: list[_Holder | None] = []
        self.occasions: dict[str, list[_Holder | None]] = {name: [] for name in _OCCASIONS}
        self.numbers: list[int] = []
        self.entrants: dict[_Key, _Holder] = {}
        self.teams: dict[_Key, _Holder] = {}
        self.events: list[_Holder] = []
        self._names = _Names()
        self._lines: list[dict[str, str]] = []  # of a board that has not ended
        self._inside: list[_Holder] = []
        self._depth = 0
        self._counts: dict[str, int] = {}
        self._text: list[str] = []
        self._parser = expat.ParserCreate("utf-8")
        self._parser.buffer_text = True
        self._parser.StartElementHandler = self._start
        self._parser.EndElementHandler = self._end
        self._parser.CharacterDataHandler = self._text.append
        self._parser.EntityDeclHandler = self._entity

    def read(self, data: bytes) -> None:
        """Read a whole file, in pieces."""
        try:
            for start in range(0, len(data), _READ_AT_ONCE):
                self._parser.Parse(data[start : start + _READ_AT_ONCE], False)
                self._check_length()
            self._parser.Parse(b"", True)
        except expat.ExpatError as error:
            reason = expat.ErrorString(error.code)
            raise FileError(f"not a whole XML file: line {error.lineno}, {reason} (USEBIO expected)") from error

    def _start(self, tag: str, attributes: dict[str, str]) -> None:
        name = self._names[tag]
        if not self._depth and name != "USEBIO":
            raise FileError(f"not a USEBIO file: its first element is {name[:60]!r} (USEBIO expected)")
        self._depth += 1
        if self._depth > DEEPEST:
            raise self._refused(f"more than {DEEPEST} elements inside each other")
        self._text.clear()
        if self._holds(name):
            if name == "TRAVELLER_LINE":
                self.numbers.append(self._parser.CurrentLineNumber)
            number = self._counts[name] = self._counts.get(name, 0) + 1
            self._inside.append(_Holder(name, number, attributes))

    def _end(self, tag: str) -> None:
        name = self._names[tag]
        self._depth -= 1
        if not self._holds(name):
            if len(self._text) > 1:
                self._check_length()
            if self._inside:
                self._inside[-1].texts[name] = "".join(self._text).strip()
        elif name == "TRAVELLER_LINE":
            self._lines.append(self._inside.pop().texts)
        else:
            self._flush()
            ended = self._inside.pop()
            self._entrant(ended)
            if name == "EVENT":
                self.events.append(ended)
        self._text.clear()

    def _holds(self, name: str) -> bool:
        """Whether an element contains others: in a match a team is a number alone."""
        return name in _HOLDERS and not (name == "TEAM" and self._within("MATCH"))

    def _check_length(self) -> None:
        if sum(map(len, self._text)) > LONGEST:
            raise self._refused(f"a text of more than {LONGEST:,} characters")

    def _flush(self) -> None:
        """Put the lines of what ends into the columns; what they do not say, that or what it is in may say."""
        if not self._lines:
            return
        around: dict[str, str] = {}
        for holder in self._inside:
            around |= holder.texts
            if holder.name == "MATCH":  # where these are the points of the match
                around = {name: text for name, text in around.items() if name not in ("NS_SCORE", "EW_SCORE")}
        said = set().union(*self._lines)
        for element, column in self.columns.items():
            otherwise = around.get(element, "")
            if element in said:
                column.extend([line.get(element, otherwise) for line in self._lines])
            else:
                column.extend([otherwise] * len(self._lines))
        for name, holders in self.occasions.items():
            holders.extend([self._within(name)] * len(self._lines))
        self.matches.extend([self._within("MATCH")] * len(self._lines))
        self._lines = []

    def _entrant(self, ended: _Holder) -> None:
        """Note a pair, player or team that ends, by number; a player of a pair or team is noted there."""
        event, section, team = self._within("EVENT"), self._within("SECTION"), self._within("TEAM")
        place = (event.number if event else 0, section.number if section else 0)
        if ended.name == "PLAYER" and self._inside and self._inside[-1].name in ("PAIR", "TEAM"):
            self._inside[-1].players.append(ended.player)
        elif ended.name == "TEAM":
            number = ended.texts.get("TEAM_ID") or ended.texts.get("TEAM_NUMBER", "")
            self.teams.setdefault((*place, number, ""), ended)
        elif ended.name in _ENTRANTS:
            number = ended.texts.get(f"{ended.name}_NUMBER", "")
            if team is not None:
                self.entrants.setdefault((*place, _pair_of(team.texts.get("TEAM_ID", ""), number), ""), ended)
            direction = ended.texts.get("DIRECTION", "").upper()
            for way in {direction, ""}:
                self.entrants.setdefault((*place, number, way), ended)

    def _within(self, name: str) -> _Holder | None:
        return next((holder for holder in self._inside if holder.name == name), None)

    def _entity(self, *_: object) -> None:
        raise self._refused("the file defines entities of its own")

    def _refused(self, reason: str) -> FileError:
        return FileError(f"line {self._parser.CurrentLineNumber}: {reason} (plain USEBIO expected)")


def read_source(data: bytes, encoding: str = "UTF-8") -> Source:
    """Read a USEBIO file.

    Parameters
    ----------
    data : the file's text in UTF-8, whatever its declaration says
    encoding : what it was read as, for people

    Returns
    -------
    its traveller lines; their rows are lines of the file or, where several are in one line, they are counted from 1

    Raises
    ------
    FileError : where it is no well-formed USEBIO, defines entities, or has no traveller lines

    Notes
    -----
    A pair's first player is taken to be North or East, as the format does not say. The document type that a file names
    is not looked at.

    >>> line = "<CONTRACT>4S</CONTRACT><PLAYED_BY>N</PLAYED_BY><TRICKS>10</TRICKS>"
    >>> board = f"<BOARD><BOARD_NUMBER>1</BOARD_NUMBER><TRAVELLER_LINE>{line}</TRAVELLER_LINE></BOARD>"
    >>> read_source(f"<USEBIO><EVENT>{board}</EVENT></USEBIO>".encode()).read().score.tolist()
    [420.0]
    """
    reader = _Reader()
    reader.read(data)
    size = len(reader.numbers)
    if not size:
        raise FileError("no results: the USEBIO file has no TRAVELLER_LINE in it")
    fields: dict[str, list[str]] = {name: reader.columns[element] for name, element in _ELEMENTS.items()}
    fields["score"] = _scores(reader)
    for name in ("ns_score", "ew_score"):  # percentages are in the score
        fields[name] = ["" if text.endswith("%") else text for text in fields[name]]
    fields |= {name.lower(): _called(reader.occasions[name]) for name in _OCCASIONS}
    called = _seat(reader, fields)
    in_lines = len(set(reader.numbers)) == size
    return Source(
        kind="USEBIO",
        fields=without_blanks(fields),
        rows=reader.numbers if in_lines else range(1, size + 1),
        rows_are="line" if in_lines else "traveller line",
        encoding=encoding,
        headings=_ELEMENTS,
        called=called,
        events=len({id(event) for event in reader.occasions["EVENT"]}),
        announced=_announced(reader),
        published=_published(reader.columns),
        matches=_matches(reader),
    )


def _scores(reader: _Reader) -> list[str]:
    """The scores as they are in the file, or the percentages of the two sides where those are given instead.

    Programs may write the matchpoints that a ruling gave next to a code that says only that there was one, such as
    A5050. If they are other than the code says they count, in per cent of what the sides have together elsewhere on the
    board.
    """
    columns = reader.columns
    scores = [
        f"{ns}-{ew}" if ns.endswith("%") and ew.endswith("%") else score
        for score, ns, ew in zip(columns["SCORE"], columns["NS_SCORE"], columns["EW_SCORE"], strict=True)
    ]
    ruled = [(at, code) for at, score in enumerate(scores) if (code := _CODE.fullmatch(score)) is not None]
    if not ruled:
        return scores
    ns, ew = (_numbers(columns[f"{side}_MATCH_POINTS"]) for side in ("NS", "EW"))
    boards = list(zip(reader.occasions["EVENT"], reader.occasions["SESSION"], columns["BOARD_NUMBER"], strict=True))
    together: dict[tuple[int, int, str], Counter[float]] = {}
    keys = [(id(event), id(session), number) for event, session, number in boards]
    for at, both in enumerate((ns + ew).tolist()):
        if both > 0 and _NUMBER.fullmatch(scores[at]):
            together.setdefault(keys[at], Counter())[both] += 1
    for at, code in ruled:
        if keys[at] in together and ns[at] + ew[at] > 0:  # neither blank nor 0 and 0, which means no points
            top = together[keys[at]].most_common(1)[0][0]
            written = columns["NS_MATCH_POINTS"][at]
            half = 0.5 / 10 ** len(written.partition(".")[2])
            scores[at] = _award(code, 100 * ns[at] / top, 100 * ew[at] / top, 100 * half / top)
    return scores


def _award(code: re.Match[str], ns: float, ew: float, close: float) -> str:
    """The percentages of the points, if one is not as close as a rounded point to what the code says."""
    agrees = abs(ns - float(code[1])) <= close and abs(ew - float(code[2])) <= close
    return code[0] if agrees or max(ns, ew) > 100 else f"{ns:.2f}%-{ew:.2f}%"


def _announced(reader: _Reader) -> Announced:
    """How the events were scored, where those that say so agree; else by what points the results have, if one kind."""
    said: dict[str, str] = {}
    for event in reader.events:
        words = ((element, event.texts.get(element, "")) for element in _SAYING)
        found = next(((method_of(word), f"{element} {word}") for element, word in words if method_of(word)), None)
        if found is not None:
            said.setdefault(*found)
    if not said:
        for element in _POINTS.values():
            if any(reader.columns[f"NS_{element}"]):
                said.setdefault(method_of(element), f"NS_{element}")
    if not said:  # the pairs of teams are compared next to what their teams won, by the kind of scoring of these
        types = [event.texts.get("EVENT_TYPE", "").upper() for event in reader.events]
        teams = {"matchpoints" if "BAM" in kind else "datum": f"EVENT_TYPE {kind}" for kind in types if "TEAM" in kind}
        said.update(teams)
    entrants = {id(entrant): entrant.texts for entrant in reader.entrants.values()}.values()
    counts = {element: sum(_is_not_zero(texts.get(element, "")) for texts in entrants) for element in _BEYOND}
    beyond = {element: count for element, count in counts.items() if count}
    winners = {event.texts.get("WINNER_TYPE", "") for event in reader.events}
    number = int(winners.pop()) if winners in ({"1"}, {"2"}) else 0
    title = only(event.texts.get("EVENT_DESCRIPTION") or event.texts.get("EVENT_NAME", "") for event in reader.events)
    if len(said) != 1:
        return Announced(winners=number, beyond=beyond, title=title)
    ((method, words_of),) = said.items()
    return Announced(method, words_of, number, beyond, title)


def _is_not_zero(text: str) -> bool:
    return _NUMBER.fullmatch(text) is not None and float(text) != 0


def _called(holders: Sequence[_Holder | None]) -> list[str]:
    """What the event, session or section of each line is called; nothing where the file has no more than one."""
    distinct = {holder.number: holder for holder in holders if holder is not None}
    names = [holder.called for holder in distinct.values()]
    words = {
        number: f"{holder.called} {number}" if names.count(holder.called) > 1 else holder.called
        for number, holder in distinct.items()
    }
    return ["" if holder is None or len(distinct) == 1 else words[holder.number] for holder in holders]


def _seat(reader: _Reader, fields: dict[str, list[str]]) -> dict[str, str]:
    """Name sides and players by tags, and give the names that belong to the tags.

    In a file of several events a pair goes by its players if they are known, as its number is another's in the next.
    """
    entrants = list({id(entrant): entrant for entrant in reader.entrants.values()}.values())
    tags = tags_of([player for entrant in entrants for player in (entrant.players or [entrant.player])])
    called = {tag: player.name for player, tag in tags.items()}
    places: list[_Place] = [
        (event.number if event else 0, section.number if section else 0)
        for event, section in zip(reader.occasions["EVENT"], reader.occasions["SECTION"], strict=True)
    ]
    several = len({event for event, _ in places}) > 1
    both_ways = {  # events in which a number is one pair N-S and another E-W
        event for event, *rest, way in reader.entrants if way == "NS" and (event, *rest, "EW") in reader.entrants
    }

    def find(place: _Place, number: str, direction: str = "") -> _Holder | None:
        if not number:
            return None
        keys = [(place[0], section, number, way) for section in (place[1], 0) for way in (direction, "")]
        return next((reader.entrants[key] for key in keys if key in reader.entrants), None)

    def player(place: _Place, number: str) -> str:
        entrant = find(place, number)
        return tags.get(entrant.player, number) if entrant else number

    def side(place: _Place, section: str, number: str, team: str, direction: str) -> tuple[str, str, str]:
        """The tags of a pair and of its two players; '' for what is not known."""
        pair = (find(place, _pair_of(team, number)) if team and number else None) or find(place, number, direction)
        if team and not number:
            return f"{_team_name(reader, place, team)} {direction}", "", ""
        cell = "" if number == "0" else number  # 0 sits out
        named = [tags.get(player, "") for player in pair.players] if pair else []
        first, second = named if len(named) == 2 else ("", "")  # of three, nobody knows who played
        if cell and place[0] in both_ways and not cell.upper().endswith(direction):
            cell = f"{cell} {direction}"
        if several and cell:
            cell = "" if first and second else f"{cell} of event {place[0]}"
        if pair and cell and any(named):
            called[f"{section} {cell}".strip()] = pair_name([player.name for player in pair.players])
        return cell, first, second

    for seat in (*_PAIR_SEATS["ns"], *_PAIR_SEATS["ew"]):
        keys = list(zip(places, fields[seat], strict=True))
        tag_of = {key: player(*key) for key in set(keys)}
        fields[seat] = [tag_of[key] for key in keys]
    for (name, seats), teams in zip(_PAIR_SEATS.items(), _sides_of_teams(reader), strict=True):
        rows = list(zip(places, fields["section"], fields[name], teams, strict=True))
        side_of = {row: side(*row, name.upper()) for row in set(rows)}
        fields[name] = [side_of[row][0] for row in rows]
        for place, seat in enumerate(seats, start=1):
            fields[seat] = [own or side_of[row][place] for own, row in zip(fields[seat], rows, strict=True)]
    return called


def _sides_of_teams(reader: _Reader) -> tuple[list[str], list[str]]:
    """The number of the team that sat North-South on each line, and of the one that sat East-West; '' where not said.

    DIRECTION is that of the match's first team. The team of a pair's number is the one that has the pair.
    """
    columns = reader.columns
    sides: tuple[list[str], list[str]] = ([], [])
    pairs = dict.fromkeys(tuple(number.split("\0")) for _, _, number, _ in reader.entrants if "\0" in number)
    numbers = [number for _, number in pairs]
    own = {number: team for team, number in pairs if numbers.count(number) == 1}
    lines = zip(*(columns[name] for name in (*_OF_MATCH[:3], "NS_PAIR_NUMBER", "EW_PAIR_NUMBER")), strict=True)
    for first, second, direction, ns, ew in lines:
        way = direction.upper().replace("-", "").replace("/", "")
        if not first or not second:
            both = ("", "")
        elif way in ("NS", "EW"):
            both = (first, second) if way == "NS" else (second, first)
        elif own.get(ns) in (first, second) or own.get(ew) in (first, second):
            both = (first, second) if own.get(ns) == first or own.get(ew) == second else (second, first)
        else:
            both = ("", "")
        for side, team in zip(sides, both, strict=True):
            side.append(team)
    return sides


def _team_name(reader: _Reader, place: _Place, number: str) -> str:
    """What a team is called: its name in the roster, or else its number."""
    keys = [(event, section, number, "") for event, section in (place, (place[0], 0), (0, 0))]
    team = next((reader.teams[key] for key in keys if key in reader.teams), None)
    return (team.texts.get("TEAM_NAME") if team else "") or f"Team {number}"


def _matches(reader: _Reader) -> Matches | None:
    """Who met whom in matches of teams; None where the file says nothing of that."""
    sides = _sides_of_teams(reader)
    if not any(sides[0]):
        return None
    names: dict[str, int] = {}
    place = [
        (event.number if event else 0, section.number if section else 0)
        for event, section in zip(reader.occasions["EVENT"], reader.occasions["SECTION"], strict=True)
    ]
    team = np.full((len(reader.numbers), 2), -1, dtype=np.intp)
    points = np.full((len(reader.numbers), 2), np.nan)
    said = list(zip(*(reader.columns[name] for name in _OF_MATCH), strict=True))
    for at, both in enumerate(zip(*sides, strict=True)):
        if all(both):
            team[at] = [names.setdefault(_team_name(reader, place[at], number), len(names)) for number in both]
            first, _, _, won, lost = said[at]
            points[at] = _numbers([won, lost] if both[0] == first else [lost, won])
    match = np.array([-1 if holder is None else holder.number for holder in reader.matches], dtype=np.intp)
    return Matches(tuple(names), team, match, tuple(reader.columns["ROUND_NUMBER"]), points)


def _published(columns: dict[str, list[str]]) -> dict[str, Floats]:
    """The points and datums that the file gives."""
    points = {
        name: np.array([_numbers(columns[f"{side}_{element}"]) for side in ("NS", "EW")]).T
        for name, element in _POINTS.items()
    }
    found = {name: values for name, values in points.items() if not np.isnan(values).all()}
    datums = _numbers(columns["BOARD_AVERAGE"])
    return found if np.isnan(datums).all() else found | {"datum": datums}


def _numbers(texts: Sequence[str]) -> Floats:
    of_text = {text: float(text) if _NUMBER.fullmatch(text) else np.nan for text in set(texts)}
    return np.array([of_text[text] for text in texts])


_CODE = re.compile(r"A(\d\d)(\d\d)")
_NUMBER = re.compile(r"[+-]?\d{1,9}(\.\d{1,9})?")


def _is_xml(file: File) -> bool:
    return next((line for line in file.lines() if not line.isspace()), "").lstrip().startswith("<")


def _plain(file: File) -> bytes:
    """A file in UTF-8, without the declaration, which may say otherwise and must not come after blank lines."""
    return re.sub(r"^(\s*)<\?xml\s[^>]*\?>", r"\1", file.text, count=1).encode("utf-8", "replace")


def _read(file: File, _: Asked) -> Source:
    return read_source(_plain(file), file.encoding)


def _hands(file: File) -> DealRows | None:
    return read_hands(_plain(file))


FORMAT = Format("USEBIO", "a USEBIO file", (".xml",), _is_xml, _read, deals=_hands)
