"""LIN, the records of Bridge Base Online: single hands and whole matches of its vugraph, with the cards."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass, field

from valet_xl.errors import FileError, NotationError, RowError
from valet_xl.messages import counted
from valet_xl.reading.auction import auction_ends, tricks_won
from valet_xl.reading.formats import Asked, File, Format
from valet_xl.reading.source import Announced, Source, only, without_blanks

MOST_BOARDS = 1_000_000  # in a file

_FIELDS = (
    *("event", "session", "table", "board", "vulnerability", "contract", "declarer", "tricks", "lead"),
    *("north", "east", "south", "west", "deal"),
)
_TOKEN = re.compile(r"\s*([A-Za-z]{2})\|([^|]*)\|")
_SIGN = re.compile(r"(?:^|\|)\s*(?:md|vg|qx|pn)\|", re.IGNORECASE)
_PLACE = re.compile(r"([oc]?)(\d+)", re.IGNORECASE)  # a room, open or closed, and a board
_RESULT = re.compile(r"([1-7])([CDHSN])T?([NESW])(X{0,2}|R)(=|[+-]\d{1,2})", re.IGNORECASE)
_VULNERABLE = {"o": "None", "0": "None", "-": "None", "n": "NS", "e": "EW", "b": "Both"}
_DEALERS = "SWNE"  # 1 to 4
_SEATS = ("south", "west", "north", "east")  # the order of names
_ROOMS = {"o": "Open", "c": "Closed"}


@dataclass(slots=True)
class _Board:
    """A board at one table: the line that it begins in, and what is said of it."""

    line: int
    names: list[str]
    place: str = ""
    said: dict[str, str] = field(default_factory=dict)
    calls: list[str] = field(default_factory=list)
    cards: list[str] = field(default_factory=list)

    @property
    def number(self) -> str:
        """Its number: what the record is headed with, or else its place in the match."""
        head = re.search(r"\d+", self.said.get("ah", ""))
        place = _PLACE.fullmatch(self.place.strip())
        return head[0] if head else place[2] if place else ""

    @property
    def room(self) -> str:
        """o, c or ""."""
        place = _PLACE.fullmatch(self.place.strip())
        return place[1].lower() if place else ""


@dataclass(slots=True)
class _Match:
    """The heading of a match of the vugraph: title, segment, boards, and its results in the order open, closed."""

    title: str
    segment: str
    first: int
    last: int
    results: list[str] = field(default_factory=list)
    line: int = 0
    names: list[str] = field(default_factory=list)

    @property
    def by_place(self) -> dict[tuple[str, str], str]:
        """The results by room and board."""
        places = [(room, str(number)) for number in range(self.first, self.last + 1) for room in "oc"]
        return dict(zip(places, self.results, strict=True))


def read_source(text: str, encoding: str = "") -> Source:
    """Read the boards in a LIN file; their rows are the lines where each begins.

    Parameters
    ----------
    text : the file's text
    encoding : what it was read as, for people

    Raises
    ------
    FileError : where it has no boards, or the list of results of a match does not have two for each board

    Notes
    -----
    Of a match the list of results counts (`rs`), of other records the auction with the claim (`mc`) or all 52 cards.

    >>> deal = "1SAK32HAK3DAK3CAK3,SQJT9HQJT9DQJT9CQ,S87HS87"
    >>> cells = f"pn|s,w,n,e|st||md|{deal}|ah|Board 3|mb|1C|mb|p|mb|p|mb|p|pc|DQ|mc|12|"
    >>> [read_source(cells).fields[name] for name in ("board", "contract", "declarer", "tricks", "lead")]
    [['3'], ['1C'], ['S'], ['12'], ['DQ']]
    """
    reader = _Reader()
    reader.read(text)
    return reader.source(encoding)


class _Reader:
    """The boards and matches of a file, gathered token by token."""

    def __init__(self) -> None:
        self.boards: list[tuple[_Board, _Match | None]] = []
        self._match: _Match | None = None
        self._matches: list[_Match] = []
        self._names: list[str] = []
        self._board: _Board | None = None
        self._fields: dict[str, list[str]] = {name: [] for name in _FIELDS}
        self._lines: list[int] = []
        self._wrong: dict[int, RowError] = {}

    def read(self, text: str) -> None:
        """Read a whole file."""
        for line, key, value in _tokens(text):
            if key == "vg":
                self._match, self._board = _match(line, value), None
                self._matches.append(self._match)
            elif key == "rs" and self._match is not None:
                self._results(line, value)
            elif key == "qx":
                self._begin(line, value)
            elif key == "pn":
                self._names = [name.strip() for name in value.split(",")]
                if self._board is None or "md" in self._board.said:
                    self._begin(line, "")
                assert self._board is not None
                self._board.names = self._names
                if self._match is not None:
                    self._match.names = self._names
            elif key == "md" and (self._board is None or "md" in self._board.said):
                self._begin(line, "")
                self._say(key, value)
            else:
                self._say(key, value)
            if len(self.boards) > MOST_BOARDS:
                raise FileError(f"line {line}: more than {MOST_BOARDS:,} boards")

    def _begin(self, line: int, place: str) -> None:
        self._board = _Board(line, self._names, place)
        self.boards.append((self._board, self._match))

    def _say(self, key: str, value: str) -> None:
        if self._board is None:
            return
        if key == "mb":
            self._board.calls += re.findall(r"[1-7][CDHSN]T?|[A-Z-]+", value.upper()) or [value]
        elif key == "pc":
            self._board.cards.append(value.strip().upper())
        else:
            self._board.said.setdefault(key, value.strip())

    def _results(self, line: int, value: str) -> None:
        match = self._match
        assert match is not None
        match.results, match.line = [text.strip() for text in value.split(",")], line
        boards = match.last - match.first + 1
        if len(match.results) != 2 * boards:
            if any(match.results[2 * boards :]) or len(match.results) < 2 * boards:
                found = f"{counted(len(match.results), 'result')} (rs) of boards {match.first} to {match.last}"
                raise FileError(f"line {line}: {found} (expected {2 * boards}, open and closed room of each)")
            match.results = match.results[: 2 * boards]

    def source(self, encoding: str) -> Source:
        """All boards as rows; those of a match that have a result and no record too."""
        seen = set()
        for board, match in self.boards:
            if "md" not in board.said and not board.calls:
                continue
            result = match.by_place.get((board.room, board.number), "") if match and match.results else ""
            if match:
                seen.add((id(match), board.room, board.number))
            self._add(board, match, result)
        for match in self._matches:
            for (room, number), result in match.by_place.items() if match.results else ():
                if result and (id(match), room, number) not in seen:
                    self._add(_Board(match.line, match.names, room + number), match, result)
        if not self._lines:
            raise FileError("no boards: the LIN file has no hands (md) in it")
        rounds = "new" if len(self._matches) > 1 else "auto"
        title = only(match.title for match in self._matches)
        return Source(
            kind="LIN",
            fields=without_blanks(self._fields),
            rows=self._lines,
            rows_are="line",
            encoding=encoding,
            headings={"contract": "auction", "tricks": "mc", "lead": "pc", "deal": "md", "vulnerability": "sv"},
            wrong=self._wrong,
            rounds=rounds,
            announced=Announced(title=title),
        )

    def _add(self, board: _Board, match: _Match | None, result: str) -> None:
        at, cells = len(self._lines), dict.fromkeys(_FIELDS, "")
        cells |= {"board": board.number, "deal": board.said.get("md", "")}
        cells["vulnerability"] = _VULNERABLE.get(board.said.get("sv", "").lower(), "")
        shift = 4 if board.room == "c" and len(board.names) >= 8 else 0
        cells |= dict(zip(_SEATS, board.names[shift : shift + 4], strict=False))
        if match is not None:
            cells |= {"event": match.title, "session": match.segment, "table": _ROOMS.get(board.room, "")}
        cells["lead"] = board.cards[0] if board.cards else ""
        try:
            cells |= _of_result(result) if result else _of_record(board)
        except NotationError as error:
            self._wrong[at] = RowError(board.line, "record", f"board {board.number}", error.expected)
        self._lines.append(board.line)
        for name, column in self._fields.items():
            column.append(cells[name])


def _match(line: int, value: str) -> _Match:
    """The heading of a match: title, segment, scoring, first and last board, teams."""
    parts = [part.strip() for part in value.split(",")]
    if len(parts) < 5 or not (parts[3].isdigit() and parts[4].isdigit()) or int(parts[4]) - int(parts[3]) > 1000:
        raise FileError(
            f"line {line}: {value[:60]!r} is no heading of a match (expected title, segment, scoring, first board, "
            "last board and teams)"
        )
    return _Match(parts[0], parts[1], int(parts[3]), int(parts[4]))


def _of_result(text: str) -> dict[str, str]:
    """The cells of a result of a match, such as `4SWx-4`."""
    if text.upper().startswith("P"):
        return {"contract": "Pass", "declarer": "", "tricks": ""}
    found = _RESULT.fullmatch(text)
    if found is None:
        raise NotationError("result", text, f"{text[:30]!r}; expected such as 4SWx-2 or PASS")
    level, strain, declarer, double, over = found.groups()
    tricks = 6 + int(level) + (0 if over == "=" else int(over))
    marks = "XX" if double.upper() == "R" else double.upper()
    return {"contract": level + strain.upper() + marks, "declarer": declarer.upper(), "tricks": str(tricks)}


def _of_record(board: _Board) -> dict[str, str]:
    """The cells of a board whose calls are recorded, and its claim or all of its cards."""
    dealer = board.said.get("md", "")[:1]
    if dealer not in tuple("1234"):
        raise NotationError("dealer", dealer, "expected hands (md) that begin with the dealer's number, 1 to 4")
    if not board.calls:
        return {"contract": "NP"}  # a deal that was not played here
    ended = auction_ends(board.calls, _DEALERS[int(dealer) - 1])
    if not ended.declarer:
        return {"contract": ended.contract}
    claim = board.said.get("mc", "")
    tricks = int(claim) if claim.isdigit() else tricks_won(board.cards, ended.strain, ended.declarer)
    if tricks is None:
        raise NotationError("tricks", claim, "expected a claim (mc) or all 52 cards")
    return {"contract": ended.contract, "declarer": ended.declarer, "tricks": str(tricks)}


def _tokens(text: str) -> Iterator[tuple[int, str, str]]:
    """Line, name and value of each token; what is none is passed over to the next line."""
    ends = [found.end() for found in re.finditer(r"\n", text)]
    at = 0
    while at < len(text):
        found = _TOKEN.match(text, at)
        if found is None:
            end = text.find("\n", at)
            at = len(text) if end < 0 else end + 1
            continue
        yield bisect_right(ends, found.start(1)) + 1, found[1].lower(), found[2].replace("\n", "").replace("\r", "")
        at = found.end()


def _is_lin(file: File) -> bool:
    return bool(_SIGN.search(file.beginning[:2000])) and "md|" in file.text


def _read(file: File, _: Asked) -> Source:
    return read_source(file.text, file.encoding)


FORMAT = Format("LIN", "a LIN file", (".lin",), _is_lin, _read)
