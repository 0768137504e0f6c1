"""Delimited text to columns of distinct texts, from its bytes, without an object for each line or cell."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from valet_xl.documents.whole_numbers import LOW, Words, whole_numbers
from valet_xl.engine.arrays import HALF, SPREAD, Index, Ints, Mask, Whole, keys_of, number_as_they_come, number_keys
from valet_xl.reading.columns import CodedColumn

_LINE_FEED = ord("\n")
_ALSO_END_A_LINE = ("\v", "\f", "\x1c", "\x1d", "\x1e", "\x85", "\u2028", "\u2029")  # for str.splitlines
_PIECE = 1 << 18  # bytes
_LINES = 1 << 15  # that are read at a time: what is computed of them stays in the processor's cache
_WORD = 5  # bytes of a cell that are compared at once: such a number leaves room for its place when it is sorted
_FEW = 16  # cells of so many lines, such as a heading, that do not hinder reading the others as numbers or short texts
_PAST_NUMBERS, _PAST_BYTES = 1 << 17, 1 << 8 * _WORD  # what such cells are numbered from
_MASKS = (1 << 8 * np.arange(_WORD + 1, dtype=np.int64)) - 1
_SHORTER = np.array([0, 1, 11, 111, 1111, 11111], dtype=np.int64)  # how many numbers have fewer digits

Places = NDArray[np.signedinteger]  # in the text; of 32 bits, if these are enough
_Spans = Callable[[int], tuple[Index, Index]]
_Some = tuple[slice | Index, Words]  # some cells, and bytes of theirs as a number each
_Eights = Sequence[_Some]
_Read = tuple[Ints, Mask, int]  # a number for each cell, which cells were read, and what is above all such numbers
_Reader = Callable[[Ints, Index, Index], _Read]


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
    def of(cls, data: bytes, delimiter: str) -> DelimitedText:
        """Find the lines of a text in UTF-8, which line feeds end, and their delimiters, a letter of ASCII."""
        data += (b"\n" if data and not data.endswith(b"\n") else b"") + bytes(8)
        letters = np.frombuffer(data, dtype=np.uint8)[:-8]
        cuts, last = _cuts_and_last(letters, ord(delimiter))
        return cls(data, cuts, last, np.diff(last, prepend=-1) - 1, data.find(b"\0") < len(letters))

    def __len__(self) -> int:
        return len(self.last)

    def has_cell_above(self, most: int) -> bool:
        """Whether a cell has more bytes than that."""
        longest = (int(np.diff(ends, prepend=-1).max(initial=1)) - 1 for ends in (self.cuts[self.last], self.cuts))
        return all(size > most for size in longest)  # first of the lines: no cell is longer than its line

    def line(self, at: int) -> str:
        """A line without its end."""
        start = int(self.cuts[self.last[at - 1]]) + 1 if at else 0
        return self.text(start, int(self.cuts[self.last[at]]))

    def starts_with(self, letter: str) -> NDArray[np.bool_]:
        """(n,) whether a line starts with a letter of ASCII."""
        starts = np.append(0, self.cuts[self.last[:-1]] + 1) if len(self) else self.last
        return np.asarray(np.frombuffer(self.data, dtype=np.uint8)[starts] == ord(letter))

    def columns(self, lines: Index, width: int) -> Iterator[CodedColumn]:
        """The first columns of some lines; cells are blank where a line has fewer."""
        columns = [_Numbers(self, len(lines)) for _ in range(width)]
        for at in range(0, len(lines), _LINES):
            piece = slice(at, at + _LINES)
            of_piece = self._spans(lines[piece])
            for number, column in enumerate(columns):
                if not column.take(piece, *of_piece(number)):
                    so_far = slice(at + _LINES)
                    column.take(so_far, *self._spans(lines[so_far])(number))
        spans = self._spans(lines)
        for number, column in enumerate(columns):
            keys = column.taken()
            index, first = self._alike(*spans(number)) if keys is None else number_as_they_come(keys)
            start, size = self._spans(lines[first])(number)
            ends = zip(start.tolist(), (start + size).tolist(), strict=True)
            yield CodedColumn([self.text(*each) for each in ends], index)

    def _spans(self, lines: Index) -> _Spans:
        """For some lines what gives the cells of a column, by its number: where they start, and their sizes."""
        last, delimiters = self.last[lines], self.delimiters[lines]
        end = last - delimiters
        fewest, most = (int(delimiters.min()), int(delimiters.max())) if len(lines) else (0, 0)
        table = None  # of where all cells end, if the lines have as many and follow each other
        if len(lines) and fewest == most and last[-1] - end[0] + 1 == len(lines) * (most + 1):
            table = self.cuts[end[0] : last[-1] + 1].reshape(len(lines), most + 1)
        known: dict[int, Index] = {}  # where the column before ends, if that was asked for

        def ends(number: int) -> Index:
            """Where the cells of a column that all lines have end."""
            if number not in known:
                known.clear()
                cuts = self.cuts[end + number] if table is None or number < 0 else table[:, number]
                known[number] = cuts.astype(np.intp)
            return known[number]

        def span(number: int) -> tuple[Index, Index]:
            if number <= fewest:
                start = ends(number - 1) + 1
                if number == 0:
                    start[end == 0] = 0  # the first line's
                return start, ends(number) - start
            start = self.cuts[np.minimum(end + number, last + 1) - 1].astype(np.intp)
            start += 1
            return start, np.where(delimiters >= number, self.cuts[np.minimum(end + number, last)] - start, 0)

        return span

    @cached_property
    def words(self) -> Ints:
        """Eight bytes as a number, at every byte of the text."""
        return np.ndarray(len(self.data) - 7, dtype="<i8", buffer=self.data, strides=(1,))

    def _alike(self, start: Index, size: Index) -> tuple[Index, Index]:
        """`number_as_they_come` of cells: the same number for the same bytes.

        Cells with the same hash are compared with the first of them. If two cells share one after all, which happens
        once in many thousand columns, all are compared by whole numbers of five bytes each.
        """
        pieces = [slice(at, at + _LINES) for at in range(0, len(start), _LINES)]
        eights = [(piece, list(self._eights(start[piece], size[piece]))) for piece in pieces]
        found, first = number_as_they_come(np.concatenate([_hashed(size[piece], of) for piece, of in eights]))
        if np.array_equal(size, size[first][found]) and _same(found, eights, self._eights(start[first], size[first])):
            return found, first
        words = self.words
        longest = int(size.max(initial=0))
        here = words[start] & _MASKS[np.minimum(size, _WORD)]
        there, codes = number_keys(here)
        for offset in range(_WORD, longest, _WORD):
            here = np.clip(size - offset, 0, _WORD)
            more, index = number_keys(words[np.minimum(start + offset, len(words) - 1)] & _MASKS[here])
            there, codes = number_keys(keys_of((codes, index), (len(there), len(more))))
        if self.has_zeros:  # a cell may end with what shorter ones are filled up with
            _, codes = number_keys(keys_of((codes, size), (len(there), longest + 1)))
        return number_as_they_come(codes)

    def _eights(self, start: Index, size: Index) -> Iterator[_Some]:
        """The bytes of cells as numbers of eight each: of all cells the first, then of those that have more.

        A cell's last number is made of its last eight bytes; fewer bytes than eight are followed by zeros.
        """
        words = self.words.view(np.uint64)
        yield slice(None), words[start] & LOW[np.minimum(size, 8)]
        longer = np.flatnonzero(size > 8)
        at, last = start[longer], start[longer] + size[longer] - 8
        while len(longer):
            at += 8
            yield longer, words[np.minimum(at, last)]
            more = np.flatnonzero(at < last)
            longer, at, last = longer[more], at[more], last[more]

    def text(self, start: int, stop: int) -> str:
        """What is from one byte to another."""
        return self.data[start:stop].decode("utf-8", "surrogatepass")


class _Numbers:
    """The cells of a column as numbers from 0, the same for the same text, while they are whole numbers or short."""

    def __init__(self, text: DelimitedText, lines: int) -> None:
        self._text = text
        self._read: _Reader = _whole_numbers
        self._keys: Whole | None = np.empty(lines, dtype=np.int32)
        self._others: dict[str, int] = {}  # the texts that were not read so, and their numbers

    def take(self, piece: slice, start: Index, size: Index) -> bool:
        """Number the cells of a piece; if that cannot be done, those of all pieces so far have to be taken again."""
        if self._keys is None:
            return True
        numbers, is_read, past = self._read(self._text.words, start, size)
        others = np.flatnonzero(~is_read)
        if len(others) <= _FEW * (1 + len(start) // _LINES):
            for at in others.tolist():
                text = self._text.text(int(start[at]), int(start[at] + size[at]))
                numbers[at] = past + self._others.setdefault(text, len(self._others))
            self._keys[piece] = numbers
            return True
        with_bytes = self._read is _whole_numbers and not self._text.has_zeros
        self._keys = np.empty(len(self._keys), dtype=np.int64) if with_bytes else None
        self._read = _first_bytes
        return False

    def taken(self) -> Whole | None:
        """The numbers of all cells, which are given away; None where the cells have to be compared."""
        keys, self._keys = self._keys, None
        return keys


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


def _hashed(size: Index, eights: _Eights) -> Ints:
    """(k,) a number of 40 bits for each cell, from its bytes and how many they are."""
    mixed = size.astype(np.uint64)
    for cells, words in eights:
        of_cells = mixed[cells]
        of_cells ^= words
        of_cells *= SPREAD
        of_cells ^= of_cells >> np.uint64(32)
        mixed[cells] = of_cells
    mixed *= SPREAD
    mixed >>= np.uint64(24)
    return mixed.view(np.int64)


def _same(found: Index, eights: Iterable[tuple[slice, _Eights]], of_firsts: Iterable[_Some]) -> bool:
    """Whether each cell has the bytes of the first one that was found to be the same, which has as many of them."""
    tables = []
    for cells, words in of_firsts:
        tables.append(np.zeros(int(found.max()) + 1, dtype=np.uint64))
        tables[-1][cells] = words
    return all(
        np.array_equal(words, table[found[piece][cells]])
        for piece, of_piece in eights
        for (cells, words), table in zip(of_piece, tables, strict=False)  # a piece may have shorter cells only
    )


def _whole_numbers(words: Ints, start: Index, size: Index) -> _Read:
    """Whole numbers of up to five digits: what they say, and apart by how many digits; a blank cell is 0."""
    numbers, whole = whole_numbers(words[start].view(np.uint64), size)
    if int(size.max(initial=0)) > _WORD:
        whole &= size <= _WORD
    numbers += _SHORTER[np.minimum(size, _WORD)]
    return numbers, whole, _PAST_NUMBERS


def _first_bytes(words: Ints, start: Index, size: Index) -> _Read:
    """Texts of up to five bytes: these as a number."""
    return words[start] & _MASKS[np.minimum(size, _WORD)], size <= _WORD, _PAST_BYTES


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


def with_line_feeds(text: str) -> bytes:
    """A text in UTF-8 in which line feeds, and nothing else, end the lines that `str.splitlines` finds."""
    if "\r" in text:
        text = text.replace("\r\n", "\n").replace("\r", "\n")
    if any(end in text for end in _ALSO_END_A_LINE):
        text = "\n".join(text.splitlines())
    return text.encode("utf-8", "surrogatepass")
