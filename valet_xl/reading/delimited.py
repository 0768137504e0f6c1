"""Delimited text to columns of distinct texts, from its bytes, without an object for each line or cell."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from valet_xl.documents.whole_numbers import LOW, Words, whole_numbers
from valet_xl.engine.arrays import HALF, AnyIndex, Index, Ints, keys_of, number_as_they_come, number_keys
from valet_xl.reading.columns import CodedColumn

_LINE_FEED = ord("\n")
_ALSO_END_A_LINE = ("\v", "\f", "\x1c", "\x1d", "\x1e", "\x85", "\u2028", "\u2029")  # for str.splitlines
_PIECE = 1 << 18  # bytes
_LINES = 1 << 15  # that are read at a time: what is computed of them stays in the processor's cache
_SPREAD = np.uint64(
    0x9E3779B97F4A7C15
)  # 2^64 over the golden ratio: products with it have mixed bits at their upper end
_WORD = 5  # bytes of a cell that are compared at once: such a number leaves room for its place when it is sorted
_MASKS = (1 << 8 * np.arange(_WORD + 1, dtype=np.int64)) - 1
_SHORTER = np.array([0, 1, 11, 111, 1111, 11111], dtype=np.int64)  # how many numbers have fewer digits

Places = NDArray[np.signedinteger]  # in the text; of 32 bits, if these are enough
_Spans = Callable[[int], tuple[Index, Index]]


@dataclass(frozen=True, eq=False)
class DelimitedText:
    """A text as bytes, and where its lines and cells end. There are no quotes.

    data : the text in UTF-8, each line with a line feed at its end, and zeros behind it all
    cuts : (c,) where the delimiters and the line feeds are, in order
    last : (n,) for each line the place in `cuts` of its line feed
    delimiters : (n,) how many delimiters it has
    has_zeros : whether the text has zeros itself
    """

    data: bytes
    cuts: Places
    last: Index
    delimiters: Index
    has_zeros: bool

    @classmethod
    def of(cls, text: str, delimiter: str) -> DelimitedText:
        """Find the lines of a text, which line feeds end, and their delimiters, a letter of ASCII."""
        data = text.encode("utf-8", "surrogatepass")
        data += (b"\n" if data and not data.endswith(b"\n") else b"") + bytes(8)
        letters = np.frombuffer(data, dtype=np.uint8)[:-8]
        cuts, last = _cuts_and_last(letters, ord(delimiter))
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
        keys: list[Ints | None] = [np.empty(len(lines), dtype=np.int64) for _ in range(width)]
        readers = [_whole_numbers] * width

        def fill(number: int, piece: slice, spans: _Spans) -> bool:
            out = keys[number]
            found = None if out is None else readers[number](self._words, *spans(number))
            if out is not None and found is not None:
                out[piece] = found
            return found is not None

        for at in range(0, len(lines), _LINES):
            piece = slice(at, at + _LINES)
            spans = self._spans(lines[piece])
            for number in range(width):
                if keys[number] is None or fill(number, piece, spans):
                    continue
                readers[number] = _first_bytes
                so_far = slice(at + _LINES)
                if self.has_zeros or not fill(number, so_far, self._spans(lines[so_far])):
                    keys[number] = None  # all its cells are compared at once
        spans = self._spans(lines)
        for number in range(width):
            found = keys[number]
            keys[number] = None
            index, first = number_as_they_come(self._alike(*spans(number)) if found is None else found)
            start, size = self._spans(lines[first])(number)
            ends = zip(start.tolist(), (start + size).tolist(), strict=True)
            yield CodedColumn([self._text(*each) for each in ends], index)

    def _spans(self, lines: Index) -> _Spans:
        """For some lines what gives the cells of a column, by its number: where they start, and their sizes."""
        last, delimiters = self.last[lines], self.delimiters[lines]
        end = last - delimiters
        fewest = int(delimiters.min()) if len(lines) else 0

        def span(number: int) -> tuple[Index, Index]:
            if number <= fewest:
                start = self.cuts[end + (number - 1)].astype(np.intp)
                start += 1
                if number == 0:
                    start[end == 0] = 0  # the first line's
                return start, self.cuts[end + number] - start
            start = self.cuts[np.minimum(end + number, last + 1) - 1].astype(np.intp)
            start += 1
            return start, np.where(delimiters >= number, self.cuts[np.minimum(end + number, last)] - start, 0)

        return span

    @cached_property
    def _words(self) -> Ints:
        """Eight bytes as a number, at every byte of the text."""
        return np.ndarray(len(self.data) - 7, dtype="<i8", buffer=self.data, strides=(1,))

    def _alike(self, start: Index, size: Index) -> Ints:
        """(k,) numbers from 0, the same for cells of the same bytes.

        Cells with the same hash are compared with the first of them. If two cells share one after all, which happens
        once in many thousand columns, all are compared by whole numbers of five bytes each.
        """
        words = self._words
        longest = int(size.max(initial=0))
        found, first = number_as_they_come(self._hashed(start, size))
        if self._same(start, size, found, first):
            return found.astype(np.int64, copy=False)
        here = words[start] & _MASKS[np.minimum(size, _WORD)]
        there, codes = number_keys(here)
        for offset in range(_WORD, longest, _WORD):
            here = np.clip(size - offset, 0, _WORD)
            more, index = number_keys(words[np.minimum(start + offset, len(words) - 1)] & _MASKS[here])
            there, codes = number_keys(keys_of((codes, index), (len(there), len(more))))
        if self.has_zeros:  # a cell may end with what shorter ones are filled up with
            _, codes = number_keys(keys_of((codes, size), (len(there), longest + 1)))
        return codes

    def _hashed(self, start: Index, size: Index) -> Ints:
        """(k,) a number of 40 bits for each cell, from its bytes and how many they are."""
        out = np.empty(len(start), dtype=np.int64)
        for at in range(0, len(start), _LINES):
            piece = slice(at, at + _LINES)
            mixed = size[piece].astype(np.uint64)
            for offset in range(0, int(size[piece].max()), 8):
                mixed ^= self._eight_bytes(start[piece], size[piece], offset)
                mixed *= _SPREAD
                mixed ^= mixed >> np.uint64(32)
            out[piece] = mixed * _SPREAD >> np.uint64(24)
        return out

    def _same(self, start: Index, size: Index, found: AnyIndex, first: Index) -> bool:
        """Whether each cell has the bytes of the first one that was found to be the same."""
        sizes = size[first]
        pieces = [slice(at, at + _LINES) for at in range(0, len(start), _LINES)]
        if not all(np.array_equal(size[piece], sizes[found[piece]]) for piece in pieces):
            return False
        most = [int(size[piece].max()) for piece in pieces]
        for offset in range(0, max(most, default=0), 8):
            there = self._eight_bytes(start[first], sizes, offset)
            for piece, longest in zip(pieces, most, strict=True):
                if longest > offset:
                    here = self._eight_bytes(start[piece], size[piece], offset)
                    if not np.array_equal(here, there[found[piece]]):
                        return False
        return True

    def _eight_bytes(self, start: Index, size: Index, offset: int) -> Words:
        """Eight bytes of cells from an offset on, as a number each; zeros behind their ends."""
        words = self._words[np.minimum(start + offset, len(self._words) - 1)].view(np.uint64)
        return words & LOW[np.clip(size - offset, 0, 8)]

    def _text(self, start: int, stop: int) -> str:
        return self.data[start:stop].decode("utf-8", "surrogatepass")


def _cuts_and_last(letters: NDArray[np.uint8], delimiter: int) -> tuple[Places, Index]:
    """Where the delimiters and line feeds are, and which of these are line feeds, as `DelimitedText` has them.

    They are looked for in pieces that fit into the processor's cache.
    """
    kind: type[np.signedinteger] = np.int32 if len(letters) < HALF else np.intp
    cuts, last = [np.zeros(0, dtype=kind)], [np.zeros(0, dtype=np.intp)]
    size = 0
    for start in range(0, len(letters), _PIECE):
        piece = letters[start : start + _PIECE]
        ends = piece == _LINE_FEED
        found = np.flatnonzero(ends | (piece == delimiter))
        last.append(np.flatnonzero(ends[found]) + size)
        cuts.append((found + start).astype(kind))
        size += len(found)
    return np.concatenate(cuts), np.concatenate(last)


def _whole_numbers(words: Ints, start: Index, size: Index) -> Ints | None:
    """Numbers for cells of up to five digits: what they say, and apart by how many digits; a blank one is 0.

    None where a cell is something else.
    """
    if int(size.max(initial=0)) > _WORD:
        return None
    numbers, whole = whole_numbers(words[start].view(np.uint64), size)
    if not whole.all():
        return None
    numbers += _SHORTER[size]
    return numbers


def _first_bytes(words: Ints, start: Index, size: Index) -> Ints | None:
    """Cells of up to five bytes as numbers; None where a cell has more."""
    return words[start] & _MASKS[size] if int(size.max(initial=0)) <= _WORD else None


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
