"""The XML part of an Excel table, which grows and shrinks with the columns at its right."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from valet_xl.documents.cell_names import Area
from valet_xl.documents.markup import Element
from valet_xl.documents.ooxml.new_cells import plain_text
from valet_xl.documents.ooxml.package import whole_number
from valet_xl.documents.ooxml.sheet import end_filter
from valet_xl.documents.page import Block, Table


class TablePart:
    """A table's tree.

    Parameters
    ----------
    root : the element `table`, in either namespace
    """

    def __init__(self, root: Element) -> None:
        self.root = root
        area = Area.parse(root.get("ref"))
        plain = root.get("tableType", "worksheet") == "worksheet"
        self.table = Table(
            area.top,
            area.left,
            area.bottom,
            area.right,
            name=root.get("displayName", root.get("name")),
            totals=whole_number(root, "totalsRowCount"),
            grows=plain and whole_number(root, "headerRowCount", 1) == 1,
        )

    def takes(self, block: Block) -> bool:
        """Whether a block's columns become part of this table (see `Table.takes`)."""
        names = [_column_text(name) for name in block.names]
        headings = [column.get("name") for column in self._columns()]
        return self.table.takes(block, names, headings[: max(0, block.left - self.table.left)])

    def end_with(self, left: int, names: Sequence[str]) -> None:
        """Make columns from `left` on, with these headings, the table's last ones."""
        columns = self._columns()
        parent = columns[0].parent
        assert parent is not None
        unused = 1 + max(whole_number(column, "id") for column in columns)
        old = {_folded(column.get("name")): column for column in columns[left - self.table.left :]}
        for column in old.values():
            column.remove()
        for name in map(_column_text, names):
            # A column that was there keeps its identifier and what its owner set for the totals row.
            known = old.get(_folded(name))
            if known is None:
                known = parent.new("tableColumn", {"id": str(unused), "name": name})
                unused += 1
            parent.append(known)
        parent.set("count", str(len(self._columns())))
        right = left + len(names) - 1
        self.root.set("ref", str(replace(self.table, right=right)))
        for filters in self.root.children("autoFilter"):
            end_filter(filters, replace(Area.parse(filters.get("ref")), right=right))
        for order in list(self.root.iter()):
            if order.name == "sortState" and Area.parse(order.get("ref")).right > right:
                order.remove()

    def _columns(self) -> list[Element]:
        columns = self.root.child("tableColumns")
        return [] if columns is None else columns.children("tableColumn")


def _column_text(heading: str) -> str:
    """Give a heading as a table writes it, where line breaks too are escaped."""
    return plain_text(heading).replace("\n", "_x000a_").replace("\t", "_x0009_")


def _folded(name: str) -> str:
    """Give what makes two column names equal to a spreadsheet."""
    return name.casefold()
