"""Web pages that were saved from a browser, such as BridgeWebs': the rows of their tables, as cells."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterator
from dataclasses import replace
from itertools import accumulate
from typing import TYPE_CHECKING

from valet_xl.documents.libraries import loading
from valet_xl.documents.page import Page
from valet_xl.errors import FileError
from valet_xl.messages import one_line
from valet_xl.reading.csv_file import csv_table
from valet_xl.reading.formats import Asked, File, Format, SheetFile
from valet_xl.reading.shapes import take_shape

if TYPE_CHECKING:  # loaded for web pages alone
    from justhtml import Node

_BEGINNING = re.compile(
    r"(?:\s|<\?xml[^>]*>|<!--.*?-->)*<(?:!doctype\s+html|html|head|body|table|div)\b", re.IGNORECASE | re.DOTALL
)
_SUITS = {"club": "C", "diamond": "D", "heart": "H", "spade": "S"}
_SUIT = re.compile(r"(?:^|[/_-])(?:suit)?(club|diamond|heart|spade|[cdhs])s?\.(?:gif|png|jpe?g|svg)$", re.IGNORECASE)
_TITLES = frozenset(("h1", "h2", "h3", "h4", "h5", "h6", "p", "caption", "div", "center", "b", "strong", "span"))
_UNSEEN = frozenset(("script", "style"))
_LONGEST = 80  # characters of a text outside of tables that may be a title
_MOST_COLUMNS = 1000  # that a cell may span


def _is_page(file: File) -> bool:
    return _BEGINNING.match(file.beginning[:5000]) is not None


def _read(file: File, _: Asked) -> SheetFile:
    """The rows of all tables, and the titles above them, from top to bottom.

    Raises
    ------
    FileError : where the page has no table, or justhtml is not there
    SheetError : where none of its tables are results
    """
    with loading("justhtml"):
        from justhtml import JustHTML  # noqa: PLC0415 - loaded for web pages alone

    rows = list(_Page(JustHTML(file.text, sanitize=False, scripting_enabled=False).root).rows())
    if not any(len(row) > 1 for row in rows):
        raise FileError("is a web page without a table (a saved page of results expected)")
    width = max(map(len, rows))
    cells = [[*row, *[None] * (width - len(row))] for row in rows]
    take_shape(cells)
    return replace(csv_table(cells), page=Page(cells), encoding=file.encoding)


class _Page:
    """The tree of a page, laid out flat, so that a tree of any depth is read once from its start to its end.

    nodes : in the order of the text
    parents : (nodes,) where the parent of each is, -1 for the root
    ends : (nodes,) where the first is that is not in it
    tables : (nodes + 1,) how many tables there are before it
    """

    def __init__(self, root: Node) -> None:
        self._nodes: list[Node] = []
        self._parents: list[int] = []
        waiting = [(root, -1)]
        while waiting:
            node, parent = waiting.pop()
            at = len(self._nodes)
            self._nodes.append(node)
            self._parents.append(parent)
            if node.name not in _UNSEEN:
                waiting += [(child, at) for child in reversed(node.children or ())]
        self._ends = list(range(1, len(self._nodes) + 1))
        for at in range(len(self._nodes) - 1, 0, -1):
            self._ends[self._parents[at]] = max(self._ends[self._parents[at]], self._ends[at])
        self._tables = [0, *accumulate(node.name == "table" for node in self._nodes)]
        self._said = list(self._pieces())

    def rows(self) -> Iterator[list[str | None]]:
        """The rows of tables that have no table in them, and short texts outside of those."""
        titled = {parent for parent, node in zip(self._parents, self._nodes, strict=True) if node.name in _TITLES}
        rows = [-1] * len(self._nodes)  # in which row each is
        for at, node in enumerate(self._nodes):
            if at:
                parent = self._parents[at]
                rows[at] = parent if self._nodes[parent].name == "tr" else rows[parent]
            if node.name == "tr" and not self._has_table(at):
                yield list(self._cells(at))
            elif node.name in _TITLES and at not in titled:
                in_row = rows[at] >= 0 and not self._has_table(rows[at])
                text = "" if in_row else self._title(at)
                if text and len(text) <= _LONGEST:
                    yield [text]

    def _cells(self, row: int) -> Iterator[str | None]:
        for at in range(row + 1, self._ends[row]):
            cell = self._nodes[at]
            if self._parents[at] != row or cell.name not in ("td", "th"):
                continue
            yield self._text(at, self._ends[at]) or None
            span = ((cell.attrs or {}).get("colspan") or "1").strip()
            yield from [None] * (min(int(span), _MOST_COLUMNS) - 1 if span.isdecimal() and len(span) < 7 else 0)

    def _has_table(self, at: int) -> bool:
        """Whether there is a table in a node."""
        return self._tables[self._ends[at]] > self._tables[at + 1]

    def _title(self, at: int) -> str:
        """What a node shows that has no table; a paragraph ends where a table begins, whatever else browsers do."""
        if not self._has_table(at):
            return self._text(at, self._ends[at], _LONGEST)
        if self._nodes[at].name == "p":
            return self._text(at, bisect_right(self._tables, self._tables[at]) - 1, _LONGEST)
        return ""

    def _text(self, at: int, end: int, most: int | None = None) -> str:
        """What is shown from a node to the one where it ends, or more than the first `most` characters of it."""
        found, count = [], 0
        for place in range(bisect_left(self._said, (at, "")), len(self._said)):
            where, text = self._said[place]
            if where >= end or (most is not None and count > most):
                break
            found.append(text)
            count += len(text.strip())
        return one_line("".join(found))

    def _pieces(self) -> Iterator[tuple[int, str]]:
        """What the page shows, piece by piece, and in which node; a picture of a suit is its letter."""
        blank = False
        for at, node in enumerate(self._nodes):
            if node.name == "#text":
                text = str(node.data or "").replace("\xa0", " ")
            elif node.name in ("img", "br"):
                text = " " if node.name == "br" else _of_picture(node)
            else:
                continue
            if text and not (blank and not text.strip()):
                yield at, text
                blank = not text.strip()


def _of_picture(picture: Node) -> str:
    """The letter of the suit that a picture shows, by its text or its file's name; '' for another picture."""
    alt, title, source = (((picture.attrs or {}).get(name) or "").strip() for name in ("alt", "title", "src"))
    called = one_line(alt or title).rstrip("sS").casefold() or "-"
    if called in _SUITS:
        return _SUITS[called]
    if alt.upper() in _SUITS.values():
        return alt.upper()
    found = _SUIT.search(source)
    return _SUITS.get(found[1].casefold(), found[1].upper()) if found else ""


FORMAT = Format("web page", "a saved web page", (".html", ".htm"), _is_page, _read)
