"""Delimited text to columns of distinct texts, from its bytes, without an object for each line or cell."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from valet_xl.documents.whole_numbers import Words, whole_numbers
from valet_xl.engine.arrays import Index, Ints, keys_of, number_as_they_come, number_keys
from valet_xl.reading.columns import CodedColumn

_LINE_FEED = ord("\n")
_ALSO_END_A_LINE = ("\v", "\f", "\x1c", "\x1d", "\x1e", "\x85", "\u2028", "\u2029")  # for str.splitlines
_PIECE = 1 << 18  # bytes
_WORD = 5  # bytes of a cell that are compared at once: such a number leaves room for its place when it is sorted
_MASKS = (1 << 8 * np.arange(_WORD + 1, dtype=np.int64)) - 1
_SHORTER = np.array([(10**size - 1) // 9 for size in range(9)], dtype=np.int64)  # how many numbers have fewer digits


@dataclass(frozen=True, slots=True, eq=False)
class DelimitedText:
    """A text as bytes, and where its lines and cells end. There are no quotes.

    data : the text in UTF-8, each line with a line feed at its end, and zeros behind it all
    cuts : (c,) where the delimiters and the line feeds are, in order
    last : (n,) for each line the place in `cuts` of its line feed
    delimiters : (n,) how many delimiters it has
    has_zeros : whether the text has zeros itself
    """

    data: bytes
    cuts: Index
    last: Index
    delimiters: Index
    has_zeros: bool

    @classmethod
    def of(cls, text: str, delimiter: str) -> DelimitedText:
        """Find the lines of a text, which line feeds end, and their delimiters, a letter of ASCII."""
        data = text.encode("utf-8", "surrogatepass")
        data += b"\n" if data and not data.endswith(b"\n") else b""
        data += bytes(8)
        letters = np.frombuffer(data, dtype=np.uint8)[:-8]
        cuts = _places(letters, _LINE_FEED, ord(delimiter))
        last = np.flatnonzero(letters[cuts] == _LINE_FEED)
        return cls(data, cuts, last, np.diff(last, prepend=-1) - 1, data.find(b"\0") < len(letters))

    def __len__(self) -> int:
        return len(self.last)

    def longest_cell(self) -> int:
        """The bytes of the longest cell."""
        return int(np.diff(self.cuts, prepend=-1).max(initial=1)) - 1

    def line(self, at: int) -> str:
        """A line without its end."""
        start = int(self.cuts[self.last[at - 1]]) + 1 if at else 0
        return self._text(start, int(self.cuts[self.last[at]]))

    def starts_with(self, letter: str) -> NDArray[np.bool_]:
        """(n,) whether a line starts with a letter of ASCII."""
        starts = np.append(0, self.cuts[self.last[:-1]] + 1) if len(self) else self.last
        return np.asarray(np.frombuffer(self.data, dtype=np.uint8)[starts] == ord(letter))

    def columns(self, lines: Index, width: int) -> Iterator[CodedColumn]:
        """The first columns of some lines; cells are blank where a line has fewer."""
        last, delimiters = self.last[lines], self.delimiters[lines]
        fewest = int(delimiters.min(initial=width))
        end = last - delimiters
        start = self.cuts[end - 1] + 1
        start[end == 0] = 0  # the first line's
        for number in range(width):
            stop = self.cuts[end if number <= fewest else np.minimum(end, last)]
            size = stop - start
            yield self._column(start, size if number <= fewest else np.where(delimiters >= number, size, 0))
            start, end = stop + 1, end + 1

    def _column(self, start: Index, size: Index) -> CodedColumn:
        """The column of some cells, from where they start and how many bytes they have."""
        index, first = number_as_they_come(self._alike(start, size))
        spans = zip(start[first].tolist(), (start[first] + size[first]).tolist(), strict=True)
        return CodedColumn([self._text(*span) for span in spans], index)

    def _alike(self, start: Index, size: Index) -> Ints:
        """(k,) numbers from 0, the same for cells of the same bytes.

        Cells are compared by whole numbers of five bytes each, of which nearly all have one. Where all cells are
        written as whole numbers, these are small.
        """
        words = np.ndarray(len(self.data) - 7, dtype="<i8", buffer=self.data, strides=(1,))  # at every byte
        longest = int(size.max(initial=0))
        here = words[start]
        if 0 < longest <= _WORD and (whole := _whole_numbers(here.view(np.uint64), size)) is not None:
            return whole
        here &= _MASKS[np.minimum(size, _WORD)]
        if longest <= _WORD and not self.has_zeros:
            return here
        there, codes = number_keys(here)
        for offset in range(_WORD, longest, _WORD):
            here = np.clip(size - offset, 0, _WORD)
            more, index = number_keys(words[np.minimum(start + offset, len(words) - 1)] & _MASKS[here])
            there, codes = number_keys(keys_of((codes, index), (len(there), len(more))))
        if self.has_zeros:  # a cell may end with what shorter ones are filled up with
            _, codes = number_keys(keys_of((codes, size), (len(there), longest + 1)))
        return codes

    def _text(self, start: int, stop: int) -> str:
        return self.data[start:stop].decode("utf-8", "surrogatepass")


def _places(letters: NDArray[np.uint8], one: int, other: int) -> Index:
    """Where one of two letters is; they are looked for in pieces that fit into the processor's cache."""
    pieces = []
    for start in range(0, len(letters), _PIECE):
        piece = letters[start : start + _PIECE]
        found = np.flatnonzero((piece == one) | (piece == other)).astype(np.intp, copy=False)
        found += start
        pieces.append(found)
    return np.concatenate(pieces) if pieces else np.zeros(0, dtype=np.intp)


def _whole_numbers(words: Words, size: Index) -> Ints | None:
    """Numbers for cells of up to eight digits, which begin words: what they say, and apart by how many digits.

    None where a cell is something else; a blank one is 0.
    """
    numbers, whole = whole_numbers(words, size)
    if not whole.all():
        return None
    numbers += _SHORTER[size]
    return numbers


def merged(texts: Sequence[str], index: Index) -> CodedColumn:
    """A column of texts of which some may be alike: (n,) the place of each cell's among them."""
    place_of: dict[str, int] = {}
    place = [place_of.setdefault(text, len(place_of)) for text in texts]
    if len(place_of) == len(texts):
        return CodedColumn(list(texts), index)
    return CodedColumn(list(place_of), np.array(place, dtype=np.intp)[index])


def stripped(column: CodedColumn) -> CodedColumn:
    """A column without the blanks around its texts."""
    return merged([text.strip() for text in column.texts], column.index)


def with_line_feeds(text: str) -> str:
    """A text in which line feeds, and nothing else, end the lines that `str.splitlines` finds."""
    if "\r" in text:
        text = text.replace("\r\n", "\n").replace("\r", "\n")
    if any(end in text for end in _ALSO_END_A_LINE):
        text = "\n".join(text.splitlines())
    return text
