"""Bytes of a text file to text, and the encoding that they were taken to be in."""

from __future__ import annotations

import codecs
import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

_MARKS = (
    (codecs.BOM_UTF8, "utf-8", "UTF-8"),
    (codecs.BOM_UTF16_LE, "utf-16-le", "UTF-16"),
    (codecs.BOM_UTF16_BE, "utf-16-be", "UTF-16"),
)
_NOT_IN_XML = re.compile("[\ud800-\udfff\ufffe\uffff]")
_FIRST, _PIECE = 1 << 19, 1 << 16  # bytes
_LOOKED_AT = 4096  # bytes whose zeros show that a text without a mark is UTF-16
_DECLARED = re.compile(r"<\?xml\s[^>]{0,200}?encoding\s*=\s*[\"']([A-Za-z0-9._-]{1,40})[\"'][^>]{0,200}?\?>")
# Encodings that a file may declare: those of text, not the others that Python has under names of their own.
_TRUSTED = re.compile(
    r"(iso-?8859-?\d+|latin-?\d|windows-?\d+|cp\d+|koi8-?[ru]|mac-?\w+|gb\w+|big5|euc-?\w+|shift_?jis)"
)


@dataclass(frozen=True)
class Text:
    """The bytes of a text, and what they are read as; decoded when somebody asks for it.

    data : the bytes without a mark
    codec : Python's name for the encoding
    encoding : the name that people know it by
    whole : whether the bytes are in that encoding; those that are not become replacement characters
    """

    data: bytes
    codec: str
    encoding: str
    whole: bool = True

    @cached_property
    def text(self) -> str:
        """All of it."""
        return self.data.decode(self.codec, "strict" if self.whole else "replace")

    @cached_property
    def beginning(self) -> str:
        """How it begins: all of a short text, and at least the first 100,000 letters of a long one."""
        return codecs.getincrementaldecoder(self.codec)("replace").decode(self.data[:_FIRST], len(self.data) <= _FIRST)

    def lines(self) -> Iterator[str]:
        """Its lines that are not empty, one by one, for who needs no more than the first."""
        at = max(map(self.beginning.rfind, "\r\n")) + 1
        yield from _lines(self.beginning[:at])
        yield from _lines(self.text[at:])

    @property
    def utf_8(self) -> bytes:
        """All of it in UTF-8."""
        return self.data if self.whole and self.codec == "utf-8" else self.text.encode("utf-8", "surrogatepass")


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


def _lines(text: str) -> Iterator[str]:
    return (found[0] for found in re.finditer(r"[^\r\n]+", text))


def read_text(data: bytes) -> Text:
    """How a text file is read: by its mark as UTF-8 or UTF-16; as UTF-8; as its XML declaration says; as Windows-1252.

    Bytes that the encoding does not have become replacement characters. UTF-16 without a mark shows by its zeros.

    >>> read_text("Søren".encode("utf-16")).encoding
    'UTF-16'
    """
    for mark, codec, name in _MARKS:
        if data.startswith(mark):
            return Text(data[len(mark) :], codec, name, _is_in(codec, data))
    silent = _utf_16_by_its_zeros(data)
    if silent:
        return Text(data, silent, "UTF-16", _is_in(silent, data))
    if _is_in("utf-8", data):
        return Text(data, "utf-8", "UTF-8")
    return _declared(data) or Text(data, "cp1252", "Windows-1252", _is_in("cp1252", data))


def _is_in(codec: str, data: bytes) -> bool:
    """Whether bytes are a text in an encoding. They are decoded in pieces, which takes a third of the time of all."""
    decoder = codecs.getincrementaldecoder(codec)()
    try:
        for at in range(0, len(data), _PIECE):
            decoder.decode(data[at : at + _PIECE])
        decoder.decode(b"", final=True)
    except UnicodeDecodeError:
        return False
    return True


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
        return Text(data, found[1], found[1].upper()) if _is_in(found[1], data) else None
    except LookupError:
        return None
