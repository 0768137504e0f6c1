"""Why an open sheet is not changed, as its user reads it. Nothing in here needs a host's libraries."""

from __future__ import annotations

from valet_xl.documents.cell_names import Area
from valet_xl.errors import SheetError

FILTERED = "a filter hides rows of the sheet (Data, Clear shows them; then try again)"
PROTECTED = "the sheet is protected (Review, Unprotect Sheet; then try again)"
"""In Excel's words. Where a filter hides rows, Excel would write values to the wrong ones."""


def formula_in(area: Area) -> SheetError:
    """A formula is in the way."""
    return SheetError(f"{area} contains a formula (clear or move it)")


def merged_in(area: Area) -> SheetError:
    """Merged cells, or some of those that are merged, are in the way."""
    return SheetError(f"{area} contains merged cells (split them)")
