"""PBN, portable bridge notation: score tables, and games with a result of their own."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field

from valet_xl.errors import FileError, RowError
from valet_xl.messages import counted
from valet_xl.reading.deal_rows import DealRows
from valet_xl.reading.formats import Asked, File, Format
from valet_xl.reading.players import Player, pair_name, tags_of
from valet_xl.reading.source import Announced, Source, method_of, only, without_blanks

MOST_ALIKE = 1000  # results that one row of a table may mean
MOST_RESULTS = 1_000_000  # in a file
_LONGEST_NAMES = 200  # characters

# The columns of a ScoreTable, and tags of a game, that each field is read from.
_COLUMNS = {
    **{"section": "Section", "table": "Table", "round": "Round", "contract": "Contract", "declarer": "Declarer"},
    **{"tricks": "Result", "lead": "Lead", "ns_score": "Score_NS", "ew_score": "Score_EW"},
    **{"ns": "PairId_NS", "ew": "PairId_EW"},
    **{"north": "PlayerId_North", "east": "PlayerId_East", "south": "PlayerId_South", "west": "PlayerId_West"},
}
_GAME = {
    **{"section": "Section", "table": "Table", "round": "Round", "contract": "Contract", "declarer": "Declarer"},
    **{"tricks": "Result", "ns_score": "Score", "ns": "PairId_NS", "ew": "PairId_EW"},
    **{"north": "North", "east": "East", "south": "South", "west": "West"},
}
_OCCASIONS = {"event": "Event", "date": "Date", "session": "Session"}
_DATE = re.compile(r"(\d{4}[.-]\d\d[.-]\d\d)\s.*")  # a date with a time, which is of one table
_FIELDS = tuple(dict.fromkeys((*_OCCASIONS, *_COLUMNS, "score", "board", "vulnerability", "deal")))
_PAIR_SEATS = {"ns": ("north", "south"), "ew": ("east", "west")}
_NAMES = {"ns": "Names_NS", "ew": "Names_EW"}

_UNSAID = frozenset(("", "?", "#", "-", "*"))
# Possessive, so that a quote that does not end is found out in one go.
_QUOTED = r'"([^"\\]*+(?:\\.[^"\\]*+)*+)"'
_TAG = re.compile(rf"\[\s*([A-Za-z0-9_]+)\s+{_QUOTED}\s*\]")
_TOKEN = re.compile(rf'{_QUOTED}|([^\s"]+)|(")')
_ESCAPED = re.compile(r'\\(["\\])')
_BETWEEN_PLAYERS = re.compile(r"\s*;\s*|\s+(?:&|\+|-|/|–|and)\s+")
_POINTS = re.compile(r"(?:NS\s+|(EW)\s+)?([+-]?\d{1,5})", re.IGNORECASE)
_TOTAL = re.compile(r"(?:(?:NS|EW)\s*)?\^?(\d{1,2})", re.IGNORECASE)


@dataclass(slots=True)
class _Section:
    """A tag with a value, the line that it is in, and the lines of a table or other section under it."""

    name: str
    value: str
    line: int
    lines: list[tuple[int, str]] = field(default_factory=list)


def looks_like_pbn(lines: Iterable[str]) -> bool:
    """Whether the first line that says anything is a tag, or a line of comment that says PBN.

    >>> looks_like_pbn(['[Event "Club night"]'])
    True
    """
    for line in lines:
        if _TAG.match(line.strip()) or re.match(r"%\s*PBN", line):
            return True
        if line.strip() and not line.startswith(("%", ";")):
            return False
    return False


def read_source(text: str, encoding: str = "") -> Source:
    """Read the results in a PBN file; their rows are lines of it.

    Parameters
    ----------
    text : the file's text
    encoding : what it was read as, for people

    Raises
    ------
    FileError : where a quote or comment does not end, or the file has no results

    Notes
    -----
    Rows are taken apart at quotes and blanks; the widths that a table declares are often wrong and are not looked at.
    Of two players in `Names_NS` or `Names_EW` the first is taken to be North or East. A row with a `Multiplicity` is
    that many results.

    >>> read_source('[Board "1"]\\n[ScoreTable "Contract;Declarer;Result"]\\n4S N 10\\n4S N 9').read().score.tolist()
    [420.0, -50.0]
    """
    rows = _Rows()
    games = 0
    for game in _games(text):
        games += 1
        rows.add(game)
    if not rows.lines:
        kind = (
            f"{counted(games, 'deal')} without a score table or a result" if games else "there are no games in the file"
        )
        raise FileError(f"no results: {kind} (a PBN file with a ScoreTable or with Contract and Result expected)")
    return rows.source(encoding)


def _games(text: str) -> Iterator[dict[str, _Section]]:
    """The games, each its tags by name. A tag that says `#` has the value that it had in the game before."""
    game: dict[str, _Section] = {}
    before: dict[str, str] = {}
    for section in _sections(text):
        if section.name in ("Event", "Board") and section.name in game:
            yield game
            before |= {name: old.value for name, old in game.items()}
            game = {}
        if section.value == "#":
            section.value = before.get(section.name, "")
        game.setdefault(section.name, section)
    if game:
        yield game


def _sections(text: str) -> Iterator[_Section]:
    """The tags with the lines under them; comments and escaped lines are left out."""
    section: _Section | None = None
    comment = 0  # the line in which a comment in braces began
    for number, raw in enumerate(text.splitlines(), start=1):
        line = raw.strip()
        if comment:
            if "}" not in line:
                continue
            line, comment = line.partition("}")[2].strip(), 0
        if not line or raw.startswith("%") or line.startswith(";"):
            continue
        if line.startswith("{"):
            comment = 0 if "}" in line else number
            continue
        if not line.startswith("["):
            if section is not None:
                section.lines.append((number, line))
            continue
        while line.startswith("["):
            found = _TAG.match(line)
            if found is None:
                reason = "a quote that does not end" if line.count('"') % 2 else f"{line[:60]!r} is no tag"
                raise FileError(f'line {number}: {reason} ([Name "value"] expected)')
            if section is not None:
                yield section
            section = _Section(found[1], _ESCAPED.sub(r"\1", found[2]).strip(), number)
            line = line[found.end() :].lstrip()
    if comment:
        raise FileError(f"line {comment}: a comment that does not end (a closing brace expected)")
    if section is not None:
        yield section


class _Rows:
    """The rows of all games' tables, as columns."""

    def __init__(self) -> None:
        self.fields: dict[str, list[str]] = {name: [] for name in _FIELDS}
        self.lines: list[int] = []
        self.wrong: dict[int, RowError] = {}
        self.without_contract = 0
        self._names: dict[str, list[str]] = {"ns": [], "ew": []}
        self._totals: dict[str, str] = {}
        self._scoring: dict[str, str] = {}  # the methods that games with results were scored by, each with its words

    def add(self, game: Mapping[str, _Section]) -> None:
        """Add the results of a game: those in its score table, or else its own."""
        said = {name: "" if tag.value in _UNSAID else tag.value for name, tag in game.items()}
        before = len(self.lines)
        if "TotalScoreTable" in game:
            for _, row in _table(game["TotalScoreTable"]):
                if row is not None and row.get("PairId") and row.get("Names"):
                    self._totals.setdefault(row["PairId"], row["Names"])
        of_board = _board_of(said) | {"deal": said.get("Deal", "")}
        if "Vulnerable" in game and game["Vulnerable"].value != "?":  # where - says none
            of_board["vulnerability"] = game["Vulnerable"].value
        if "ScoreTable" in game:
            table = game["ScoreTable"]
            for (number, line), row in zip(table.lines, (row for _, row in _table(table)), strict=True):
                self._add_row(number, line, row, of_board, said.get("Round", ""))
        elif said.get("Contract"):
            cells = of_board | {name: said.get(tag, "") for name, tag in _GAME.items()} | {"lead": _lead(game, said)}
            cells["ns_score"] = _points(cells["ns_score"])
            self._append(game["Contract"].line, cells, "", "")
        elif "Board" in game or "Deal" in game:
            self.without_contract += 1
        if len(self.lines) > before and method_of(said.get("Scoring", "")):
            self._scoring.setdefault(method_of(said["Scoring"]), f"[Scoring {said['Scoring']}]")

    def _add_row(self, number: int, line: str, row: dict[str, str] | None, of_board: dict[str, str], turn: str) -> None:
        if row is None:
            self.wrong[len(self.lines)] = RowError(number, "row", line, "expected a word for each column, or in quotes")
            self._append(number, of_board, "", "")
            return
        times = row.get("Multiplicity") or "1"
        if len(self.lines) > MOST_RESULTS:
            raise FileError(f"line {number}: more than {MOST_RESULTS:,} results, some many times over")
        if not re.fullmatch(r"[1-9]\d{0,3}", times) or int(times) > MOST_ALIKE:
            self.wrong[len(self.lines)] = RowError(number, "Multiplicity", times, f"expected 1 to {MOST_ALIKE}")
            times = "1"
        cells = of_board | {name: row.get(column, "") for name, column in _COLUMNS.items()}
        cells["round"] = cells["round"] or turn
        if not cells["contract"] and not cells["ns_score"]:
            cells["score"] = _ruling(row)
        for _ in range(int(times)):
            self._append(number, cells, row.get("Names_NS", ""), row.get("Names_EW", ""))

    def _append(self, number: int, cells: Mapping[str, str], ns: str, ew: str) -> None:
        self.lines.append(number)
        for name, column in self.fields.items():
            column.append(cells.get(name, ""))
        self._names["ns"].append(ns)
        self._names["ew"].append(ew)

    def source(self, encoding: str) -> Source:
        """All rows, with names for the numbers of pairs."""
        fields = self.fields
        of_text = {text: _total(text) for text in set(fields["tricks"])}
        fields["tricks"] = [of_text[text] for text in fields["tricks"]]
        fields["declarer"] = [text.lstrip("^") for text in fields["declarer"]]
        called: dict[str, str] = {}
        for side, seats in _PAIR_SEATS.items():
            numbers = ["" if number == "0" else number for number in fields[side]]
            names = [
                own or self._totals.get(number, "") for own, number in zip(self._names[side], numbers, strict=True)
            ]
            players = {text: _players(text) for text in set(names)}
            tags = tags_of(Player(name) for both in players.values() for name in both)
            for number, text, section in dict.fromkeys(zip(numbers, names, fields["section"], strict=True)):
                if text and number:
                    tag, name = f"{section} {number}".strip(), pair_name(players[text]) or text
                    called[f"{tag} {side.upper()}"] = name  # where numbers of one direction are others in the other
                    called.setdefault(tag, name)
            fields[side] = [
                number or ("" if players[text] else text) for number, text in zip(numbers, names, strict=True)
            ]
            for place, seat in enumerate(seats):
                fields[seat] = [
                    own or (tags.get(Player(players[text][place]), "") if players[text] else "")
                    for own, text in zip(fields[seat], names, strict=True)
                ]
        missing = self.without_contract
        events = len(dict.fromkeys(zip(*(fields[name] for name in _OCCASIONS), strict=True)))
        return Source(
            kind="PBN",
            fields=without_blanks(fields),
            rows=self.lines,
            rows_are="line",
            encoding=encoding,
            headings=_COLUMNS | {"board": "Board", "vulnerability": "Vulnerable", "deal": "Deal"},
            wrong=self.wrong,
            called=called,
            events=events,
            announced=_announced(self._scoring, only(fields["event"])),
            remarks=(f"{counted(missing, 'game')} without a contract or a score table",) if missing else (),
        )


def _board_of(said: Mapping[str, str]) -> dict[str, str]:
    """The cells that say which board a game is of."""
    cells = {name: said.get(tag, "") for name, tag in _OCCASIONS.items()}
    return cells | {"date": _DATE.sub(r"\1", cells["date"]), "board": said.get("Board", "")}


def _deals(file: File) -> DealRows | None:
    """The deals of all games, whether they have results or not, each once."""
    names = (*_OCCASIONS, "round", "board", "deal")
    fields: dict[str, list[str]] = {name: [] for name in names}
    lines = []
    for game in _games(file.text):
        if "Deal" not in game or game["Deal"].value in _UNSAID:
            continue
        said = {name: "" if tag.value in _UNSAID else tag.value for name, tag in game.items()}
        cells = _board_of(said) | {"round": said.get("Round", ""), "deal": said["Deal"]}
        for name, column in fields.items():
            column.append(cells[name])
        lines.append(game["Deal"].line)
    return DealRows.of(Source("PBN", fields, lines, "line"))


def _announced(scoring: Mapping[str, str], title: str) -> Announced:
    """How the event was scored, if all games that say so agree."""
    if len(scoring) != 1:
        return Announced(title=title)
    ((method, words),) = scoring.items()
    return Announced(method, words, title=title)


def _table(section: _Section) -> Iterator[tuple[int, dict[str, str] | None]]:
    """The rows of a table, by column; None for one that has not a word for each column."""
    columns = [column.partition("\\")[0].strip().lstrip("+-") for column in section.value.split(";")]
    for number, line in section.lines:
        words: list[str] = []
        for token in _TOKEN.finditer(line):
            quoted, bare, loose = token.groups()
            if loose or len(words) == len(columns):
                break
            word = bare or quoted
            if "\\" in word:
                word = _ESCAPED.sub(r"\1", word)
            words.append("" if word in _UNSAID else word)
        else:
            yield number, dict(zip(columns, words, strict=True)) if len(words) == len(columns) else None
            continue
        yield number, None


def _players(names: str) -> list[str]:
    """The two players in a cell of names; none where it is not clear who is who."""
    both = [name.strip() for name in _BETWEEN_PLAYERS.split(names)] if len(names) < _LONGEST_NAMES else []
    return both if len(both) == 2 and all(both) else []


def _total(text: str) -> str:
    """Declarer's tricks, without the side or the mark of an irregularity that may come before them."""
    found = _TOTAL.fullmatch(text)
    return found[1] if found else text


def _points(text: str) -> str:
    """The points to North-South in a game's score, `NS 420`, `EW 50` or `420`; '' for any other."""
    found = _POINTS.fullmatch(text)
    return f"{-int(found[2])}" if found and found[1] else found[2] if found else ""


def _ruling(row: Mapping[str, str]) -> str:
    """The percentages of an artificial score, which has no contract."""
    shares = [row.get(f"Percentage_{side}", "").rstrip("%") for side in ("NS", "EW")]
    given = [f"{round(float(share), 2):g}%" for share in shares if re.fullmatch(r"\d{1,3}(\.\d{1,6})?", share)]
    return "-".join(given) if len(given) == 2 or (given and shares[0]) else ""


def _lead(game: Mapping[str, _Section], said: Mapping[str, str]) -> str:
    """The first card of the game's play, where it begins with the leader."""
    play = game.get("Play")
    left = dict(zip("NESW", "ESWN", strict=True)).get(said.get("Declarer", "").lstrip("^").upper(), "")
    if play is None or not play.lines or play.value.upper() != left:
        return ""
    first = play.lines[0][1].split()[0]
    return first if re.fullmatch(r"[SHDC][AKQJT2-9]", first.upper()) else ""


def _is_pbn(file: File) -> bool:
    return looks_like_pbn(file.lines())


def _read(file: File, _: Asked) -> Source:
    return read_source(file.text, file.encoding)


FORMAT = Format("PBN", "a PBN file", (".pbn",), _is_pbn, _read, deals=_deals)
