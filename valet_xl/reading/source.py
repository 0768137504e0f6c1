"""The rows of a file before they are read as results: columns of cells, and what is known about them."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from valet_xl.engine.arrays import Floats
from valet_xl.engine.results import Results
from valet_xl.engine.teams import Matches
from valet_xl.errors import RowError
from valet_xl.messages import counted
from valet_xl.reading.columns import CodedColumn
from valet_xl.reading.conventions import STANDARD, Conventions
from valet_xl.reading.rows import read_rows


@dataclass(frozen=True, slots=True)
class OwnRows:
    """The rows of a file as cells under headings.

    headings : those of the columns that are read
    numbers : (n,) the row of the file that each is
    cells : the heading row, and n rows
    """

    headings: tuple[str, ...]
    numbers: Sequence[int]
    cells: Sequence[Sequence[str | None]]


def method_of(words: str) -> str:
    """The method that a file's words for the scoring mean, "" for none.

    >>> method_of("MP_PAIRS"), method_of("SWISS_PAIRS_CROSS_IMPS"), method_of("Butler"), method_of("Chicago")
    ('matchpoints', 'iaf', 'datum', '')
    """
    plain = re.sub(r"[^A-Z]", "", words.upper())
    for method, pattern in _METHODS.items():
        if re.search(pattern, plain):
            return method
    return ""


# What is left of the words without blanks and marks: BUTLER_PAIRS, MatchPoints, MP, MPS, CROSS_IMPS, IMP;Cross ...
_METHODS = {"datum": "BUTLER", "matchpoints": r"MATCHPOINT|^MPS?($|PAIRS|INDIVIDUAL|TEAMS)", "iaf": "IMP"}


def only(words: Iterable[str]) -> str:
    """What all say that say something; "" where they differ.

    >>> only(["Club night", "", "Club night"]), only(["Monday", "Tuesday"])
    ('Club night', '')
    """
    said = {" ".join(word.split()) for word in words} - {""}
    return said.pop() if len(said) == 1 else ""


@dataclass(frozen=True, slots=True)
class Announced:
    """What a file says about its event, and how that was scored.

    method : the word of the option method; "" where the file does not say
    words : what the file says, such as "EVENT_TYPE MP_PAIRS"
    winners : how many rankings it says there are; 0 where it does not say
    beyond : what it adds to the totals of pairs beyond their boards, such as "HANDICAP", and of how many pairs
    title : what the event is called; "" where the file does not say, or has several events
    """

    method: str = ""
    words: str = ""
    winners: int = 0
    beyond: Mapping[str, int] = field(default_factory=dict)
    title: str = ""


@dataclass(frozen=True, slots=True)
class Source:
    """The rows of a file, whatever its format, as `read_rows` takes them.

    kind : the format's name, such as "USEBIO"
    fields : for some of the fields of `read_rows`, the (n,) cells of that column
    rows : (n,) where they are in the file, as people count
    rows_are : what those numbers count: "line", "row", "record" ...
    encoding : the encoding that the text was read as; "" where the format is none of text
    headings : the columns' own names, for messages
    wrong : errors found already, by index below n
    called : the names that belong to tags of players and pairs
    events : how many events it has; boards of different events are different deals
    rounds : as in `read_rows`, where the format itself says so
    own : gives the file's own rows as cells, where a scored file keeps these; None where it lists the results instead
    announced : how the file says that its event was scored
    conventions : how the cells are meant
    remarks : what is said of the file as a whole, a sentence each
    matches : who met whom in matches of teams, for its rows; None where it says nothing of that
    published : what the file itself says that a result scored, (n, 2) for N-S and E-W, by "matchpoints", "butler" or
        "cross_imps", and (n,) by "datum"; NaN where it says nothing
    """

    kind: str
    fields: Mapping[str, Sequence[object] | CodedColumn]
    rows: Sequence[int]
    rows_are: str
    encoding: str = ""
    headings: Mapping[str, str] = field(default_factory=dict)
    wrong: Mapping[int, RowError] = field(default_factory=dict)
    called: Mapping[str, str] = field(default_factory=dict)
    events: int = 1
    rounds: str = "auto"
    own: Callable[[], OwnRows] | None = None
    announced: Announced = field(default_factory=Announced)
    conventions: Conventions = STANDARD
    remarks: tuple[str, ...] = ()
    matches: Matches | None = None
    published: Mapping[str, Floats] = field(default_factory=dict)

    def read(self, rounds: str = "auto") -> Results:
        """The results; `rounds` as in `read_rows`, where the format does not say it.

        Raises
        ------
        ValetError : as `read_rows`
        """
        results = read_rows(
            self.fields,
            self.rows,
            self.headings,
            rounds=rounds if rounds != "auto" else self.rounds,
            wrong=self.wrong,
            called=self.called,
            conventions=self.conventions,
        )
        return replace(results, remarks=(*self.remarks, *results.remarks))

    def described(self) -> str:
        """What was read, in one line.

        >>> Source("PBN", {}, range(12), "line", "UTF-8").described()
        'PBN, UTF-8, 12 rows, numbered by line'
        """
        events = f"{self.events} events" if self.events > 1 else ""
        parts = (self.kind, self.encoding, events, counted(len(self.rows), "row"), f"numbered by {self.rows_are}")
        return ", ".join(filter(None, parts))


def without_blanks(fields: Mapping[str, Sequence[object]]) -> dict[str, Sequence[object] | CodedColumn]:
    """The columns in which there is anything, and those for the board and the contract."""
    return {name: cells for name, cells in fields.items() if name in ("board", "contract") or any(cells)}
