"""Bytes read as text: whole, by its beginning, and line by line."""

from __future__ import annotations

import re

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from valet_xl.documents import text
from valet_xl.documents.text import read_text

LETTERS = st.text(alphabet=["a", "<", " ", "\n", "\r", "\u00e9", "\u65e5", "\U0001f600", "\x85"], max_size=40)
CODECS = st.sampled_from(["utf-8", "utf-8-sig", "utf-16", "cp1252"])


@given(LETTERS, CODECS, st.integers(1, 30))
@example("a\r\nb", "utf-8", 2)
@example("\u65e5\u65e5", "utf-8", 4)
def test_the_beginning_and_the_lines_are_those_of_the_text(letters: str, codec: str, first: int) -> None:
    """Also where the beginning ends within a letter or between the letters of a line's end."""
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(text, "_FIRST", first)
        patched.setattr(text, "_PIECE", 3)
        found = read_text(letters.encode(codec, "replace"))
        assert found.text.startswith(found.beginning)
        assert list(found.lines()) == re.findall(r"[^\r\n]+", found.text)
    assert found.utf_8.decode() == found.text


@given(st.binary(max_size=40), st.integers(1, 5))
@example(b"\xc3\xa9\xe6\x97\xa5", 1)
@example(b"\xc3", 2)
def test_bytes_are_utf_8_whatever_pieces_they_are_looked_at_in(data: bytes, piece: int) -> None:
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(text, "_PIECE", piece)
        found = read_text(data)
    try:
        assert data.decode("utf-8-sig") == found.text or found.encoding == "UTF-16"
    except UnicodeDecodeError:
        assert found.encoding != "UTF-8" or "\ufffd" in found.text
