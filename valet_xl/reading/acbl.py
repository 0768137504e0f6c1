"""Results and hands of ACBL clubs and tournaments in JSON: what a club's page has, and what the browser extension
acbl-live-fetch makes of such pages.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import Any

from valet_xl.deals.cards import hands_text
from valet_xl.errors import FileError
from valet_xl.reading.formats import Asked, File, Format
from valet_xl.reading.players import pair_name
from valet_xl.reading.source import Announced, Source, method_of, only, without_blanks

_FIELDS = (
    *("event", "date", "session", "section", "table", "round", "board", "vulnerability"),
    *("contract", "declarer", "tricks", "lead", "ns", "ew", "deal"),
)
_SUITS = ("spades", "hearts", "diamonds", "clubs")
_SEATS = {"N": "north", "E": "east", "S": "south", "W": "west"}
_EXPECTED = "expected tournaments, as acbl-live-fetch writes them, or the sessions of a club's page"


def read_source(text: str, encoding: str = "") -> Source:
    """Read a JSON file of results; rows are its results, counted from 1.

    Parameters
    ----------
    text : the file's text
    encoding : what it was read as, for people

    Raises
    ------
    FileError : where it is no JSON, says neither tournaments nor sessions, is of another version, or has no results

    >>> result = '{"contract": "4S", "declarer": "N", "tricks": 10, "score": 420}'
    >>> board = f'{{"number": 1, "vulnerability": "None", "results": [{result}]}}'
    >>> event = f'{{"sessions": [{{"boards": [{board}]}}]}}'
    >>> read_source(f'{{"schema_version": "1.0", "tournaments": [{{"events": [{event}]}}]}}').read().score.tolist()
    [420.0]
    """
    try:
        data = json.loads(text)
    except json.JSONDecodeError as error:
        where = f"line {error.lineno}, character {error.colno}"
        raise FileError(f"{where}: {error.msg} (whole JSON expected)") from error
    except RecursionError as error:
        raise FileError("too many lists inside each other (results in JSON expected)") from error
    reader = _Reader()
    if isinstance(data, dict) and isinstance(data.get("tournaments"), list):
        version = str(data.get("schema_version", "1"))
        if version.partition(".")[0] != "1":
            raise FileError(f"schema_version {version[:20]!r} (expected 1, which is the one that is known)")
        reader.tournaments(data)
    elif isinstance(data, dict) and isinstance(data.get("sessions"), list):
        reader.club(data)
    else:
        raise FileError(f"no results ({_EXPECTED})")
    return reader.source(encoding)


class _Reader:
    """The results of all boards as columns."""

    def __init__(self) -> None:
        self.fields: dict[str, list[str]] = {name: [] for name in _FIELDS}
        self.called: dict[str, str] = {}
        self.scoring: dict[str, str] = {}
        self.events = 0

    def tournaments(self, data: Mapping[str, Any]) -> None:
        """Add the results of what acbl-live-fetch writes."""
        for tournament in _dicts(data, "tournaments"):
            for event in _dicts(tournament, "events"):
                self.events += 1
                self._scored(event.get("scoring"))
                of_event = {
                    "event": _text(event.get("name") or tournament.get("name")),
                    "date": _text(event.get("date")),
                }
                for session in _dicts(event, "sessions"):
                    of_session = of_event | {"session": _text(session.get("session_number"))}
                    for board in _dicts(session, "boards"):
                        self._board(board, of_session, session)

    def _board(self, board: Mapping[str, Any], around: Mapping[str, str], session: Mapping[str, Any]) -> None:
        cells = {**around, "board": _text(board.get("number")), "section": _text(board.get("section"))}
        cells |= {"vulnerability": _text(board.get("vulnerability")), "deal": _deal(board.get("deal"))}
        for result in _dicts(board, "results"):
            own = {"contract": _text(result.get("contract")) or "NP", "declarer": _text(result.get("declarer"))}
            own |= {"tricks": _text(result.get("tricks"))}
            play = result.get("play")
            own["lead"] = _text(play[0]) if isinstance(play, list) and play else ""
            for side in ("ns", "ew"):
                own[side] = self._pair(result.get(f"{side}_pair"), side, cells["section"], session)
            self._append(cells | own)

    def _pair(self, pair: object, side: str, section: str, session: Mapping[str, Any]) -> str:
        """The number of a pair, or its name where it has none."""
        if not isinstance(pair, dict):
            return ""
        number = _text(pair.get("number"))
        players = _dicts(pair, "players")
        known = session.get("pairs")
        if not players and isinstance(known, dict) and isinstance(known.get(number), list):
            players = [player for player in known[number] if isinstance(player, dict)]
        name = pair_name([_text(player.get("name")) for player in players]) if len(players) == 2 else ""
        self._call(number, side, section, name)
        return number or name

    def _call(self, number: str, side: str, section: str, name: str) -> None:
        if number and name:
            tag = f"{section} {number}".strip()
            self.called[f"{tag} {side.upper()}"] = name
            self.called.setdefault(tag, name)

    def club(self, data: Mapping[str, Any]) -> None:
        """Add the results of a club's page."""
        self.events += 1
        self._scored(data.get("board_scoring_method"))
        event = {"event": _text(data.get("name")), "date": _text(data.get("start_date"))}
        for session in _dicts(data, "sessions"):
            deals = {_text(record.get("board")): _deal_of_record(record) for record in _dicts(session, "hand_records")}
            for section in _dicts(session, "sections"):
                label = _text(section.get("name"))
                self._club_pairs(section, label)
                around = {**event, "session": _text(session.get("number")), "section": label}
                for board in _dicts(section, "boards"):
                    number = _text(board.get("board_number"))
                    for result in _dicts(board, "board_results"):
                        self._append({**around, "board": number, "deal": deals.get(number, ""), **_club_result(result)})

    def _club_pairs(self, section: Mapping[str, Any], label: str) -> None:
        for pair in _dicts(section, "pair_summaries"):
            names = [" ".join(reversed(_text(player.get("name")).split(", "))) for player in _dicts(pair, "players")]
            side = _text(pair.get("direction")).lower()
            for way in (side,) if side in ("ns", "ew") else ("ns", "ew"):
                self._call(_text(pair.get("pair_number")), way, label, pair_name(names) if len(names) == 2 else "")

    def _scored(self, words: object) -> None:
        text = _text(words)
        if method_of(text):
            self.scoring.setdefault(method_of(text), f"scoring {text}")

    def _append(self, cells: Mapping[str, str]) -> None:
        for name, column in self.fields.items():
            column.append(cells.get(name, ""))

    def source(self, encoding: str) -> Source:
        """All results as rows."""
        size = len(self.fields["board"])
        if not size:
            raise FileError("no results: the boards in the JSON file have none (results of boards expected)")
        words = only(self.fields["event"])
        announced = Announced(title=words)
        if len(self.scoring) == 1:
            ((method, said),) = self.scoring.items()
            announced = Announced(method, said, title=words)
        return Source(
            kind="ACBL JSON",
            fields=without_blanks(self.fields),
            rows=range(1, size + 1),
            rows_are="result",
            encoding=encoding,
            called=self.called,
            events=self.events,
            announced=announced,
        )


def _club_result(result: Mapping[str, Any]) -> dict[str, str]:
    """The cells of a result of a club's page."""
    contract = _text(result.get("contract")).replace(" ", "")
    cells = {"contract": contract or "NP", "declarer": _text(result.get("declarer"))}
    cells |= {"tricks": _text(result.get("tricks_taken")), "lead": _text(result.get("opening_lead"))}
    cells |= {"ns": _text(result.get("ns_pair")), "ew": _text(result.get("ew_pair"))}
    cells |= {"round": "", "table": _text(result.get("table_number"))}
    if not contract:
        score = _text(result.get("ns_score"))
        cells["contract"] = {"0": "Pass", "PASS": "Pass"}.get(score, score or "NP")
    return cells


def _dicts(holder: Mapping[str, Any], name: str) -> list[Mapping[str, Any]]:
    """The objects in a list of an object."""
    found = holder.get(name)
    return [each for each in found if isinstance(each, dict)] if isinstance(found, list) else []


def _text(value: object) -> str:
    if value is None or isinstance(value, (dict, list)):
        return ""
    return re.sub(r"\s+", " ", str(value)).strip()


def _deal(hands: object) -> str:
    """Hands by seat and suit, each a list of ranks, as PBN text."""
    if not isinstance(hands, dict):
        return ""
    said = {
        seat: ["".join(map(_text, suits.get(letter) or ())) for letter in "SHDC"]
        for seat, suits in hands.items()
        if seat in _SEATS and isinstance(suits, dict)
    }
    return hands_text(said) if any(map(any, said.values())) else ""


def _deal_of_record(record: Mapping[str, Any]) -> str:
    """A hand record of a club's page as PBN text."""
    hands = {seat: [_text(record.get(f"{name}_{suit}")) for suit in _SUITS] for seat, name in _SEATS.items()}
    return hands_text(hands) if any(map(any, hands.values())) else ""


def _is_json(file: File) -> bool:
    head = file.beginning[:2000].lstrip()
    return head.startswith("{") and head[1:].lstrip().startswith('"')


def _read(file: File, _: Asked) -> Source:
    return read_source(file.text, file.encoding)


FORMAT = Format("ACBL JSON", "a JSON file of ACBL results", (".json",), _is_json, _read)
