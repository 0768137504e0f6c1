"""Small Access databases, Jet 3 or Jet 4, written page by page: what a Bridgemate's file is made of."""

from __future__ import annotations

import struct
from collections.abc import Mapping, Sequence

Cells = Mapping[str, Sequence[object]]  # a table's columns: texts, whole numbers, truths; None is null
BOOLEAN, LONG, TEXT = 1, 4, 10


def kind(cells: Sequence[object]) -> int:
    values = [cell for cell in cells if cell is not None]
    if values and all(isinstance(cell, bool) for cell in values):
        return BOOLEAN
    return TEXT if any(isinstance(cell, str) for cell in values) else LONG


class Writer:
    """Pages of a database in one of the two versions."""

    def __init__(self, jet: int) -> None:
        self.new = jet > 3
        self.size = 4096 if self.new else 2048
        head = b"\0\1\0\0Standard Jet DB\0" + struct.pack("<I", 1 if self.new else 0)
        self.pages = [head.ljust(self.size, b"\0"), b"\0" * self.size]

    def file(self, tables: Mapping[str, Cells]) -> bytes:
        """The whole file; the catalogue is on page 2, each table on pages of its own."""
        at, placed, pages = 2 + len(self.table(self.catalogue(dict.fromkeys(tables, 0)), 2)), {}, []
        for name, cells in tables.items():
            placed[name] = at
            made = self.table(cells, at)
            pages += made
            at += len(made)
        return b"".join([*self.pages, *self.table(self.catalogue(placed), 2), *pages])

    @staticmethod
    def catalogue(placed: Mapping[str, int]) -> Cells:
        names = ["MSysObjects", *placed]
        return {
            "Id": [2, *placed.values()],
            "Name": names,
            "Type": [1] * len(names),
            "Flags": [0] * len(names),
            "LvProp": [None] * len(names),
        }

    def table(self, cells: Cells, page: int) -> list[bytes]:
        """The pages of a table: its definition, and its rows."""
        rows = list(zip(*cells.values(), strict=True))
        kinds = {name: kind(column) for name, column in cells.items()}
        out = [self.definition(kinds, len(rows))]
        records = [self.row(dict(zip(cells, row, strict=True)), kinds) for row in rows]
        while records:
            taken: list[bytes] = []
            while records and sum(map(len, taken)) + 2 * len(taken) + len(records[0]) + 40 < self.size:
                taken.append(records.pop(0))
            out.append(self.data_page(taken, page))
        return out

    def definition(self, kinds: Mapping[str, int], rows: int) -> bytes:
        new, variable = self.new, sum(each == TEXT for each in kinds.values())
        out = b"\2\1" + struct.pack("<HI", 0, 0) + struct.pack("<I", 0) + (b"\0" * 4 if new else b"")
        out += struct.pack("<II", rows, 0) + (b"\0" * 16 if new else b"")
        out += struct.pack("<BHHHIIII", 0x4E, len(kinds), variable, len(kinds), 0, 0, 0, 0)
        fixed, place = 0, 0
        for at, each in enumerate(kinds.values()):
            out += struct.pack("<B", each) + (b"\0" * 4 if new else b"")
            out += struct.pack("<HHH", at, place if each == TEXT else 0, at) + b"\0" * (4 if new else 6)
            out += struct.pack("<B", 0 if each == TEXT else 1) + (b"\0" * 5 if new else b"")
            out += struct.pack("<HH", 0 if each == TEXT else fixed, 4)
            fixed += 4 * (each == LONG)
            place += each == TEXT
        for name in kinds:
            letters = name.encode("utf-16-le") if new else name.encode()
            out += struct.pack("<H" if new else "<B", len(letters)) + letters
        assert len(out) <= self.size
        return out.ljust(self.size, b"\0")

    def row(self, cells: Mapping[str, object], kinds: Mapping[str, int]) -> bytes:
        count, form = len(kinds), "<H" if self.new else "<B"
        out = struct.pack(form, count)
        for name, each in kinds.items():
            if each == LONG:
                out += struct.pack("<i", cells[name] or 0)
        offsets = []
        for name, each in kinds.items():
            if each == TEXT:
                offsets.append(len(out))
                out += self.text(cells[name])
        offsets.append(len(out))
        nulls = sum(
            1 << at
            for at, (name, each) in enumerate(kinds.items())
            if (cells[name] if each == BOOLEAN else cells[name] is not None)
        )
        mask = nulls.to_bytes((count + 7) // 8, "little")
        if self.new:
            return out + struct.pack(f"<{len(offsets)}HH", *reversed(offsets), len(offsets) - 1) + mask
        jumps = [
            next((at for at, offset in enumerate(offsets) if offset >= 256 * (1 + step)), 255) for step in range(4)
        ]
        for number in range(5):  # the table of jumps is part of the length of that table
            tail = bytes(offset % 256 for offset in reversed(offsets)) + bytes(reversed(jumps[:number]))
            row = out + tail + bytes([len(offsets) - 1]) + mask
            if (len(row) - 1) // 256 == number:
                return row
        raise AssertionError("a row of more than 1,024 bytes")

    def text(self, cell: object) -> bytes:
        if cell is None:
            return b""
        letters = str(cell)
        if not self.new:
            return letters.encode("cp1252")
        return b"\xff\xfe" + letters.encode("latin-1") if letters.isascii() and letters else letters.encode("utf-16-le")

    def data_page(self, records: Sequence[bytes], owner: int) -> bytes:
        end, offsets, body = self.size, [], b""
        for record in records:
            end -= len(record)
            offsets.append(end)
            body = record + body
        head = b"\1\1" + struct.pack("<HI", 0, owner) + (b"\0" * 4 if self.new else b"")
        head += struct.pack(f"<H{len(offsets)}H", len(offsets), *offsets)
        return head.ljust(end, b"\0") + body


def access_file(tables: Mapping[str, Cells], jet: int = 4) -> bytes:
    """A database with these tables."""
    return Writer(jet).file(tables)
