"""What a host can do to the sheet that it shows: the one interface that every spreadsheet program is driven by.

The order in which this is done is written once, in `valet_xl.hosts.steps`. Nothing in here needs numpy or a host's
libraries.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import AbstractContextManager
from typing import Protocol

from valet_xl.documents.cell_names import Area
from valet_xl.documents.page import Value


class Surface(Protocol):
    """The sheet that a host shows: what may be in the way, and what can be done. Rows and columns count from 0."""

    # -- what may be in the way

    def refuse(self, *, adding: bool = False) -> None:
        """Refuse a sheet that cannot be changed: its document is read-only, or it is protected, or filtered.

        Parameters
        ----------
        adding : whether a sheet is to be added; then that of the document counts

        Raises
        ------
        SheetError : says so
        """
        ...

    def size(self) -> tuple[int, int]:
        """How many rows and columns a sheet has."""
        ...

    def filtered(self) -> Area | None:
        """The cells that the sheet's filter has, if it has one."""
        ...

    def has_formula(self, area: Area) -> bool:
        """Whether an area contains a formula."""
        ...

    def has_merged(self, area: Area) -> bool:
        """Whether an area contains cells that are merged, with each other or with cells outside."""
        ...

    # -- what is done

    def changing(self, title: str) -> AbstractContextManager[None]:
        """Make all that is done inside one step for the user to undo, where the host can; put all back if it fails.

        Parameters
        ----------
        title : what the step is called
        """
        ...

    def claim(self, area: Area, former: Area | None) -> None:
        """Keep what is needed to put an area back that is to be changed.

        Parameters
        ----------
        area : it has no formulas
        former : the part of it that contains something
        """
        ...

    def make_room(self, area: Area) -> None:
        """Get ready to put values into blank cells, whose looks are set afterwards."""
        ...

    def values(self, area: Area, rows: Sequence[Sequence[Value]]) -> None:
        """Put values into cells; a text stays one, even if it looks like a formula."""
        ...

    def clear_contents(self, area: Area) -> None:
        """Take the values away."""
        ...

    def clear(self, area: Area) -> None:
        """Take values and looks away."""
        ...

    def end_table(self, area: Area, name: str, totals: bool) -> None:
        """Let a table end as the area does.

        Parameters
        ----------
        area, name : of the table
        totals : whether it has rows of totals: Excel does not resize it then, but it can get columns or lose them. What
            is in columns that it loses goes with them
        """
        ...

    def delete_columns(self, area: Area, name: str) -> None:
        """Delete the columns of an area from a table, in which other columns or rows of totals come after them."""
        ...

    def filter(self, area: Area) -> None:
        """Let the sheet's filter, which hides no rows, take this area."""
        ...

    def unhide(self, area: Area) -> None:
        """Show the area's columns."""
        ...

    def looks(self, area: Area) -> None:
        """Make cells look like those left of the area in the same rows, without their conditional formats."""
        ...

    def plain(self, area: Area) -> None:
        """Put numbers to the right and texts to the left, at the bottom, without line breaks."""
        ...

    def heading(self, area: Area, like: Area) -> None:
        """Make texts bold, unless the cell that they look like stands out by itself."""
        ...

    def right(self, area: Area) -> None:
        """Put texts to the right."""
        ...

    def bold(self, area: Area) -> None:
        """Make texts bold."""
        ...

    def wrapped(self, area: Area) -> None:
        """Break texts into lines, which begin at the top."""
        ...

    def format(self, area: Area, code: str) -> None:
        """Set the number format, written as in English."""
        ...

    def widths(self, area: Area, widths: Sequence[float]) -> None:
        """Set the widths of columns, in characters, where nobody has set one. A row of headings is in them."""
        ...

    def usual_width(self, area: Area) -> None:
        """Give columns the width that they have if nobody has set one."""
        ...

    def add(self, name: str) -> None:
        """Add a sheet after all others; what is done next is done to it."""
        ...

    def show(self, name: str) -> None:
        """Show a sheet."""
        ...

    def freeze(self, rows: int) -> None:
        """Keep the first rows of the sheet that is shown in view."""
        ...

    def select(self, area: Area) -> None:
        """Select cells, and so show them."""
        ...
