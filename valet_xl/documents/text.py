"""Bytes of a text file to text, and the encoding that they were taken to be in."""

from __future__ import annotations

import codecs
import re
from collections.abc import Iterator
from dataclasses import dataclass

_MARKS = (
    (codecs.BOM_UTF8, "utf-8", "UTF-8"),
    (codecs.BOM_UTF16_LE, "utf-16-le", "UTF-16"),
    (codecs.BOM_UTF16_BE, "utf-16-be", "UTF-16"),
)
_NOT_IN_XML = re.compile("[\ud800-\udfff\ufffe\uffff]")
_LOOKED_AT = 4096  # bytes whose zeros show that a text without a mark is UTF-16
_DECLARED = re.compile(r"<\?xml\s[^>]{0,200}?encoding\s*=\s*[\"']([A-Za-z0-9._-]{1,40})[\"'][^>]{0,200}?\?>")
# Encodings that a file may declare: those of text, not the others that Python has under names of their own.
_TRUSTED = re.compile(
    r"(iso-?8859-?\d+|latin-?\d|windows-?\d+|cp\d+|koi8-?[ru]|mac-?\w+|gb\w+|big5|euc-?\w+|shift_?jis)"
)


@dataclass(frozen=True, slots=True)
class Text:
    """A file's text, and the name of the encoding that was read as."""

    text: str
    encoding: str


def decode(data: bytes) -> str:
    """Decode a text file: `read_text` without the encoding's name.

    >>> decode("Zoë".encode("cp1252"))
    'Zoë'
    """
    return read_text(data).text


def in_xml(text: str) -> str:
    """A text with a replacement character for each that no XML file can contain: half a character, U+FFFE, U+FFFF.

    Control characters stay: the writers of office files escape them.
    """
    return _NOT_IN_XML.sub("\ufffd", text)


def lines_of(text: str) -> Iterator[str]:
    """The lines of a text that are not empty, one by one, for who needs no more than the first."""
    return (found[0] for found in re.finditer(r"[^\r\n]+", text))


def read_text(data: bytes) -> Text:
    """Decode a text file: UTF-8 or UTF-16 by its mark; UTF-8 if it can be; what an XML declaration says; Windows-1252.

    Bytes that the encoding does not have become replacement characters. UTF-16 without a mark shows by its zeros.

    >>> read_text("Søren".encode("utf-16")).encoding
    'UTF-16'
    """
    for mark, codec, name in _MARKS:
        if data.startswith(mark):
            return Text(data[len(mark) :].decode(codec, "replace"), name)
    silent = _utf_16_by_its_zeros(data)
    if silent:
        return Text(data.decode(silent, "replace"), "UTF-16")
    try:
        return Text(data.decode("utf-8"), "UTF-8")
    except UnicodeDecodeError:
        return _declared(data) or Text(data.decode("cp1252", "replace"), "Windows-1252")


def _utf_16_by_its_zeros(data: bytes) -> str:
    """The byte order of UTF-16 where nearly every other byte is 0, as in a text of mostly Latin letters; else ''."""
    head = data[:_LOOKED_AT]
    if head.count(0) * 4 < len(head) or len(head) < 4:
        return ""
    even, odd = head[::2].count(0), head[1::2].count(0)
    if odd > 10 * even:
        return "utf-16-le"
    return "utf-16-be" if even > 10 * odd else ""


def _declared(data: bytes) -> Text | None:
    """The text in the encoding that its XML declaration names, if it is one that is in use and the bytes are in it."""
    found = _DECLARED.match(data[:500].decode("latin-1").lstrip())
    if found is None or not _TRUSTED.fullmatch(found[1].lower()):
        return None
    try:
        return Text(data.decode(found[1]), found[1].upper())
    except (LookupError, UnicodeDecodeError):
        return None
