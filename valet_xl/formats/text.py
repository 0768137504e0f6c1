"""Bytes of a text file to text."""

from __future__ import annotations

import codecs


def decode(data: bytes) -> str:
    """Decode a text file: UTF-8 or UTF-16 by its mark, else UTF-8, else Windows-1252.

    >>> decode("Zoë".encode("cp1252"))
    'Zoë'
    """
    for mark, encoding in (
        (codecs.BOM_UTF8, "utf-8"),
        (codecs.BOM_UTF16_LE, "utf-16"),
        (codecs.BOM_UTF16_BE, "utf-16"),
    ):
        if data.startswith(mark):
            return (
                data.removeprefix(mark).decode(encoding, "replace")
                if encoding == "utf-8"
                else data.decode(encoding, "replace")
            )
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError:
        return data.decode("cp1252", "replace")
