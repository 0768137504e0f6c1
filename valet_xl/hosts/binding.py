"""What every host does with a worksheet function: it carries cells in, and carries what was computed back.

A host says in a `Carrier` how its cells differ from the engine's; `Carrier.bind` does the rest.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Any

from valet_xl.faults import log_fault
from valet_xl.functions.registry import Cell, Cells, ErrorCell, Function, Missing, in_rows

Rows = Sequence[Sequence[object]]


@dataclass(frozen=True, slots=True)
class Carrier:
    """How a host's cells differ from the engine's.

    error : gives the host's own error value
    blank : what it takes for a blank cell
    takes : the types of computed cells that it takes as they are; a number of another type becomes a float
    rows : what it takes rows as, `list` or `tuple`
    read : makes of a cell, as the host hands it over, what the engine takes; None if they are the same
    same : the types of cells of which `read` makes nothing else
    """

    error: Callable[[ErrorCell], object]
    blank: object
    takes: frozenset[type]
    rows: type[list[Any]] | type[tuple[Any, ...]] = list
    read: Callable[[object], object] | None = None
    same: frozenset[type] = frozenset({float})

    def bind(self, function: Function, compute: Callable[..., Cells] | None = None) -> Callable[..., Rows]:
        """A function that takes and gives what the host carries: a cell or a block of cells for each argument.

        None is an argument that was left out. Whatever goes wrong is a #VALUE! in the cell; a fault of ours is also
        logged.

        Parameters
        ----------
        function : the registered one
        compute : what computes it, if that is not the function itself
        """
        compute = compute or function
        as_they_are, rows = self.read is None, self.rows

        def bound(*values: object) -> Rows:
            try:
                if as_they_are and (found := function.quickly(values)) is not None:
                    return rows(map(rows, in_rows(*found)))
                cells = compute(*map(self.argument, values))
            except Exception as error:  # nothing else would come back to the cell
                log_fault(error, function.name)
                cells = [[ErrorCell.VALUE]]
            return self.written(cells)

        return bound

    def argument(self, value: object) -> object:
        """An argument as the engine takes it."""
        if value is None or value is Missing.ARGUMENT:
            return Missing.ARGUMENT
        read = self.read
        if read is None:
            return value
        if not isinstance(value, list):
            return read(value)
        if self.same.issuperset(map(type, chain.from_iterable(value))):
            return value
        return [[read(cell) for cell in row] for row in value]

    def written(self, cells: Cells) -> Rows:
        """Computed cells as the host takes them."""
        if not self.takes.issuperset(map(type, chain.from_iterable(cells))):
            cells = [[cell if type(cell) in self.takes else self._written(cell) for cell in row] for row in cells]  # type: ignore[misc]
        return self.rows(map(self.rows, cells))

    def _written(self, cell: Cell) -> object:
        if cell is None:
            return self.blank
        return self.error(cell) if isinstance(cell, ErrorCell) else float(cell)
