"""Web pages that were saved from a browser, such as BridgeWebs': the rows of their tables, as cells."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from typing import TYPE_CHECKING

from valet_xl.documents.libraries import loading
from valet_xl.documents.page import Page
from valet_xl.errors import FileError
from valet_xl.messages import one_line
from valet_xl.reading.csv_file import csv_table
from valet_xl.reading.formats import Asked, File, Format, SheetFile
from valet_xl.reading.shapes import take_shape

if TYPE_CHECKING:  # loaded for web pages alone
    from lxml.html import HtmlElement

_BEGINNING = re.compile(
    r"(?:\s|<\?xml[^>]*>|<!--.*?-->)*<(?:!doctype\s+html|html|head|body|table|div)\b", re.IGNORECASE | re.DOTALL
)
_SUITS = {"club": "C", "diamond": "D", "heart": "H", "spade": "S"}
_SUIT = re.compile(r"(?:^|[/_-])(?:suit)?(club|diamond|heart|spade|[cdhs])s?\.(?:gif|png|jpe?g|svg)$", re.IGNORECASE)
_TITLES = frozenset(("h1", "h2", "h3", "h4", "h5", "h6", "p", "caption", "div", "center", "b", "strong", "span"))
_LONGEST = 80  # characters of a text outside of tables that may be a title
_MOST_COLUMNS = 1000  # that a cell may span


def _is_page(file: File) -> bool:
    return _BEGINNING.match(file.text[:5000]) is not None


def _read(file: File, _: Asked) -> SheetFile:
    """The rows of all tables, and the titles above them, from top to bottom.

    Raises
    ------
    FileError : where the page has no table, or lxml is not there
    SheetError : where none of its tables are results
    """
    with loading("lxml"):
        from lxml import html  # noqa: PLC0415 - loaded for web pages alone

    plain = re.sub(r"^\s*<\?xml\s[^>]*\?>", "", file.text)
    try:
        page = html.document_fromstring(plain, parser=html.HTMLParser(encoding="utf-8", no_network=True))
    except (ValueError, html.etree.ParserError) as error:
        raise FileError("is a web page without a table (a saved page of results expected)") from error
    rows = list(_rows(page))
    if not any(len(row) > 1 for row in rows):
        raise FileError("is a web page without a table (a saved page of results expected)")
    width = max(map(len, rows))
    cells = [[*row, *[None] * (width - len(row))] for row in rows]
    take_shape(cells)
    return replace(csv_table(cells), page=Page(cells), encoding=file.encoding)


def _rows(page: HtmlElement) -> Iterator[list[str | None]]:
    """The rows of tables that have no table in them, and short texts outside of those."""
    for element in page.iter():
        if not isinstance(element.tag, str) or element.tag in ("script", "style"):
            continue
        if element.tag == "tr" and not _has(element, "table"):
            yield list(_cells(element))
        elif element.tag in _TITLES and not any(child.tag in _TITLES for child in element):
            text = "" if _has(element, "table") or _in_row(element) else _text(element)
            if text and len(text) <= _LONGEST:
                yield [text]


def _cells(row: HtmlElement) -> Iterator[str | None]:
    for cell in row.iterchildren("td", "th"):
        yield _text(cell) or None
        span = cell.get("colspan", "1").strip()
        yield from [None] * (min(int(span), _MOST_COLUMNS) - 1 if span.isdecimal() and len(span) < 7 else 0)


def _text(element: HtmlElement) -> str:
    """What an element shows; a picture of a suit is its letter."""
    parts = [element.text or ""]
    for child in element.iterdescendants():
        if child.tag == "img":
            parts.append(_of_picture(child))
        elif child.tag == "br":
            parts.append(" ")
        elif isinstance(child.tag, str) and child.tag not in ("script", "style"):
            parts.append(child.text or "")
        parts.append(child.tail or "")
    return one_line("".join(parts).replace("\xa0", " "))


def _of_picture(picture: HtmlElement) -> str:
    """The letter of the suit that a picture shows, by its text or its file's name; '' for another picture."""
    called = one_line(picture.get("alt", "") or picture.get("title", "")).rstrip("sS").casefold() or "-"
    if called in _SUITS:
        return _SUITS[called]
    if picture.get("alt", "").strip().upper() in _SUITS.values():
        return picture.get("alt", "").strip().upper()
    found = _SUIT.search(picture.get("src", ""))
    return _SUITS.get(found[1].casefold(), found[1].upper()) if found else ""


def _has(element: HtmlElement, tag: str) -> bool:
    return next(element.iterdescendants(tag), None) is not None


def _in_row(element: HtmlElement) -> bool:
    """Whether an element is in a row of a table that has no table in it."""
    row = next(element.iterancestors("tr"), None)
    return row is not None and not _has(row, "table")


FORMAT = Format("web page", "a saved web page", (".html", ".htm"), _is_page, _read)
