"""The hands in a USEBIO file: a HANDSET with the four hands of each board."""

from __future__ import annotations

from xml.parsers import expat

from valet_xl.deals.cards import hands_text
from valet_xl.errors import FileError
from valet_xl.reading.deal_rows import DealRows

_SUITS = ("SPADES", "HEARTS", "DIAMONDS", "CLUBS")
_LONGEST = 1_000  # characters of a text that is worth keeping


class _Hands:
    """What expat reports of the hands, gathered board by board."""

    def __init__(self) -> None:
        self.occasions: list[tuple[str, ...]] = []
        self.boards: list[str] = []
        self.texts: list[str] = []
        self.rows: list[int] = []
        self._path: list[str] = []
        self._hands: dict[str, list[str]] = {}
        self._hand: dict[str, str] = {}
        self._number, self._line, self._text = "", 0, ""
        self._parser = expat.ParserCreate("utf-8")
        self._parser.buffer_text = True
        self._parser.StartElementHandler = self._start
        self._parser.EndElementHandler = self._end
        self._parser.CharacterDataHandler = self._more
        self._parser.EntityDeclHandler = self._entity

    def read(self, data: bytes) -> None:
        """Read a whole file."""
        try:
            self._parser.Parse(data, True)
        except expat.ExpatError as error:
            reason = expat.ErrorString(error.code)
            raise FileError(f"not a whole XML file: line {error.lineno}, {reason} (USEBIO expected)") from error

    def _start(self, tag: str, attributes: dict[str, str]) -> None:
        name = tag.rpartition(":")[2]
        self._path.append(name)
        self._text = ""
        if name == "BOARD":
            self._number, self._hands, self._line = "", {}, self._parser.CurrentLineNumber
        elif name == "HAND":
            self._hand = {}

    def _end(self, tag: str) -> None:
        name = self._path.pop()
        within = self._path[-1] if self._path else ""
        if within == "HAND":
            self._hand[name] = self._text.strip()
        elif within == "BOARD" and name == "BOARD_NUMBER":
            self._number = self._text.strip()
        elif name == "HAND":
            seat = self._hand.get("DIRECTION", "")[:1].upper()
            self._hands[seat] = [self._hand.get(suit, "") for suit in _SUITS]
        elif name == "BOARD" and self._hands:
            self.occasions.append(("", "", "", ""))
            self.boards.append(self._number)
            self.texts.append(hands_text(self._hands))
            self.rows.append(self._line)
        self._text = ""

    def _more(self, text: str) -> None:
        if len(self._text) < _LONGEST:
            self._text += text

    def _entity(self, *_: object) -> None:
        raise FileError(
            f"line {self._parser.CurrentLineNumber}: the file defines entities of its own (USEBIO expected)"
        )


def read_hands(data: bytes) -> DealRows | None:
    """The deals of a USEBIO file; None where it has no hands.

    Parameters
    ----------
    data : the file's text in UTF-8, without a declaration

    Raises
    ------
    FileError : where it is no well-formed XML, or defines entities

    >>> suits = "<SPADES>AKQJT98765432</SPADES>"
    >>> hand = f"<HAND><DIRECTION>North</DIRECTION>{suits}</HAND>"
    >>> board = f"<BOARD><BOARD_NUMBER>7</BOARD_NUMBER>{hand}</BOARD>"
    >>> read_hands(f"<USEBIO><HANDSET>{board}</HANDSET></USEBIO>".encode()).texts
    ['N:AKQJT98765432... - - -']
    """
    hands = _Hands()
    hands.read(data)
    if not hands.boards:
        return None
    return DealRows(hands.occasions, hands.boards, hands.texts, hands.rows, "line", "HANDSET")
