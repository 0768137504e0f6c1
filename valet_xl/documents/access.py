"""Tables of an Access database (Jet 3, Jet 4 and later), read from its pages.

The definitions of tables are taken apart by access-parser, whose notation of them is used here. The rows are decoded
here: faster, with every limit checked, and so that a damaged row is an error and does not shift a column.
"""

from __future__ import annotations

import struct
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from valet_xl.documents.libraries import loading
from valet_xl.errors import FileError

BEGINNINGS = (b"\0\1\0\0Standard Jet DB\0", b"\0\1\0\0Standard ACE DB\0")
EXTRA = "bridgemate"

_DATA, _DEFINITION = b"\x01\x01", b"\x02\x01"
_CATALOGUE = 2  # the page of the table that lists the others
_VISIBLE_TABLE = 1
_DELETED, _ELSEWHERE, _OFFSET = 0x8000, 0x4000, 0x1FFF
_BOOLEAN, _TEXT = 1, 10
_NUMBERS = {2: "<B", 3: "<h", 4: "<i", 6: "<f", 7: "<d"}
_MOST_COLUMNS = 255  # that Access allows
_COMPRESSED = b"\xff\xfe"  # before a text of Jet 4 in which letters have one byte each

Values = Mapping[str, list[Any]]
"""A table's values by column."""


@dataclass(frozen=True, slots=True)
class _Field:
    """Where a column's values are in a row."""

    name: str
    type: int
    id: int
    fixed: bool
    offset: int  # of a fixed column, behind the number of columns
    place: int  # of a variable column, among those


class _DamageError(Exception):
    """What is read is not what the format allows; people see it as a FileError."""


def read_tables(data: bytes, wanted: Mapping[str, Iterable[str]]) -> dict[str, Values]:
    """Read some columns of some tables.

    Parameters
    ----------
    data : the whole file
    wanted : the columns that are wanted, by table

    Returns
    -------
    for each of these tables that there is, the values of those of these columns that there are; None is null

    Raises
    ------
    FileError : where access-parser is not installed, or the database is damaged, incomplete or of an unknown version
    """
    try:
        database = _Database(data)
        pages = database.catalogue()
        return {
            name: database.table(name, pages[name], set(columns)) for name, columns in wanted.items() if name in pages
        }
    except (_DamageError, struct.error) as error:
        raise FileError(f"is a damaged or incomplete Access database, {error} (a whole file expected)") from error


class _Database:
    """The pages of a database."""

    def __init__(self, data: bytes) -> None:
        version = data[20] if len(data) > 20 else 0
        self.jet3 = version == 0
        self.size = 0x800 if self.jet3 else 0x1000
        if len(data) % self.size:
            raise _DamageError(f"its {len(data):,} bytes are no whole number of pages")
        self.data = data
        self.rows_of: dict[int, list[int]] = {}  # the data pages of each table, by the page of its definition
        for start in range(0, len(data), self.size):
            if data[start : start + 2] == _DATA:
                owner = struct.unpack_from("<I", data, start + 4)[0]
                self.rows_of.setdefault(owner, []).append(start // self.size)

    def catalogue(self) -> dict[str, int]:
        """The page of each table's definition, by its name."""
        listed = self.table("of tables", _CATALOGUE, {"Id", "Name", "Type"})
        if len(listed) < 3:
            raise _DamageError("its list of tables is not what it should be")
        return {
            str(name): identifier & 0xFFFFFF
            for identifier, name, kind in zip(listed["Id"], listed["Name"], listed["Type"], strict=True)
            if kind == _VISIBLE_TABLE and isinstance(identifier, int)
        }

    def table(self, name: str, page: int, wanted: set[str]) -> Values:
        """The values of a table's columns."""
        columns, count = self._definition(name, page)
        chosen = [column for column in columns if column.name in wanted]
        values: dict[str, list[Any]] = {column.name: [] for column in chosen}
        found = 0
        for row in self._rows(page):
            found += 1
            present = self._cells(name, row)
            for column in chosen:
                values[column.name].append(self._value(present, column, row))
        if found < count:
            raise _DamageError(f"the table {name} has {found:,} of its {count:,} rows")
        return values

    def _page(self, number: int, kind: bytes) -> bytes:
        page = self.data[number * self.size : (number + 1) * self.size]
        if not page.startswith(kind):
            raise _DamageError(f"page {number:,} is not what it should be")
        return page

    def _definition(self, name: str, page: int) -> tuple[list[_Field], int]:
        """A table's columns and number of rows."""
        primitives, unreadable = _parser()
        version = 3 if self.jet3 else 4
        first = self._page(page, _DEFINITION)
        try:
            head = primitives.parse_table_head(first, version=version)
            if not 0 < head.column_count <= _MOST_COLUMNS:
                raise _DamageError(f"the table {name} has {head.column_count:,} columns")
            body, seen, following = first[head.tdef_header_end :], {page}, head.TDEF_header.next_page_ptr
            while following:
                if following in seen:
                    raise _DamageError(f"the definition of the table {name} goes round in a circle")
                seen.add(following)
                body += self._page(following, _DEFINITION)[8:]
                following = struct.unpack_from("<I", self.data, following * self.size + 4)[0]
            parts = primitives.parse_table_data(
                body, head.index_count, head.real_index_count, head.column_count, version=version
            )
        except unreadable as error:
            raise _DamageError(f"the definition of the table {name} cannot be read") from error
        behind = 1 if self.jet3 else 2
        columns = [
            _Field(
                str(title.col_name_str),
                column.type,
                column.column_id,
                bool(column.column_flags.fixed_length),
                column.fixed_offset + behind,
                column.variable_column_number,
            )
            for column, title in zip(parts.column, parts.column_names, strict=True)
        ]
        return columns, int(head.number_of_rows)

    def _rows(self, table: int) -> Iterable[bytes]:
        """The rows of a table, those moved to another page included, those deleted left out."""
        for number in self.rows_of.get(table, []):
            page = self.data[number * self.size : (number + 1) * self.size]
            for start, end in self._spans(number):
                if start & _DELETED:
                    continue
                row = page[start & _OFFSET : end]
                if not start & _ELSEWHERE:
                    yield row
                    continue
                pointer = struct.unpack_from("<I", row)[0]
                spans = self._spans(pointer >> 8)
                if pointer & 0xFF >= len(spans):
                    raise _DamageError(f"a row of page {number:,} is said to be where there is none")
                there, its_end = spans[pointer & 0xFF]
                yield self._page(pointer >> 8, _DATA)[there & _OFFSET : its_end]

    def _spans(self, number: int) -> list[tuple[int, int]]:
        """Where the rows of a page begin, with their flags, and end."""
        page = self._page(number, _DATA)
        at = 8 if self.jet3 else 12
        count = struct.unpack_from("<H", page, at)[0]
        starts = struct.unpack_from(f"<{count}H", page, at + 2)
        ends = [self.size, *(start & _OFFSET for start in starts[:-1])]
        if any(start & _OFFSET > end for start, end in zip(starts, ends, strict=False)):
            raise _DamageError(f"the rows of page {number:,} overlap")
        return list(zip(starts, ends, strict=False))

    def _cells(self, name: str, row: bytes) -> _Row:
        """Take a row apart: which columns are not null, and where its variable ones are."""
        if len(row) < 3:
            raise _DamageError(f"a row of the table {name} has {len(row)} bytes")
        count = row[0] if self.jet3 else struct.unpack_from("<H", row)[0]
        nulls = len(row) - (count + 7) // 8
        if not 0 < count <= _MOST_COLUMNS or nulls < 4:
            raise _DamageError(f"a row of the table {name} has {count:,} columns in {len(row):,} bytes")
        if not self.jet3:
            variable = struct.unpack_from("<H", row, nulls - 2)[0]
            first = nulls - 4 - 2 * variable
            if first < 2:
                raise _DamageError(f"a row of the table {name} has {variable:,} variable columns")
            ends = struct.unpack_from(f"<{variable + 1}H", row, first)[::-1]
        else:
            ends = self._jumped(name, row, nulls)
        return _Row(int.from_bytes(row[nulls:], "little"), count, ends)

    def _jumped(self, name: str, row: bytes, nulls: int) -> tuple[int, ...]:
        """Where the variable columns of a Jet 3 row are: one byte each, and a table of where 256 is to be added."""
        variable = row[nulls - 1]
        jumps = (len(row) - 1) // 256
        last = nulls - 2 - jumps
        if (last - variable) // 256 < jumps:
            jumps -= 1  # the last one is not used
        if last - variable < 1:
            raise _DamageError(f"a row of the table {name} has {variable:,} variable columns")
        table = row[nulls - 1 - jumps : nulls - 1][::-1]
        return tuple(row[last - at] + 256 * sum(1 for jump in table if jump <= at) for at in range(variable + 1))

    def _value(self, present: _Row, column: _Field, row: bytes) -> Any:
        """A value of a row."""
        there = column.id < present.count and present.nulls >> column.id & 1
        if column.type == _BOOLEAN:
            return bool(there)
        if not there:
            return None
        if column.fixed:
            form = _NUMBERS.get(column.type)
            return struct.unpack_from(form, row, column.offset)[0] if form else None
        if column.place + 1 >= len(present.ends):
            return None
        cell = row[present.ends[column.place] : present.ends[column.place + 1]]
        return self._text(cell) if column.type == _TEXT else None

    def _text(self, cell: bytes) -> str:
        """A text: Windows-1252 in Jet 3, else UTF-16, in which runs of letters may have one byte each."""
        if self.jet3:
            return cell.decode("cp1252", "replace")
        if not cell.startswith(_COMPRESSED):
            return cell.decode("utf-16-le", "replace")
        if b"\0" not in cell:
            return cell[2:].decode("latin-1")
        letters, compressed, at = bytearray(), True, 2
        while at < len(cell):
            if cell[at] == 0:  # from here on the other way
                compressed = not compressed
                at += 1
            elif compressed:
                letters += bytes((cell[at], 0))
                at += 1
            else:
                letters += cell[at : at + 2]
                at += 2
        return letters.decode("utf-16-le", "replace")


@dataclass(frozen=True, slots=True)
class _Row:
    """A row's columns: which are not null, bit by bit; how many; and where the variable ones begin and end."""

    nulls: int
    count: int
    ends: tuple[int, ...]


def _parser() -> tuple[Any, tuple[type[Exception], ...]]:
    """The part of access-parser that is used, and what it raises for data that it cannot read."""
    with loading("access_parser", "construct", "tabulate", extra=EXTRA):
        from access_parser import parsing_primitives  # noqa: PLC0415 - an extra
        from construct import ConstructError  # noqa: PLC0415
    return parsing_primitives, (ConstructError, struct.error, UnicodeDecodeError)
