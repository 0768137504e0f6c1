"""Why an open sheet is not changed, as its user reads it. Nothing in here needs a host's libraries."""

from __future__ import annotations

from valet_xl.documents.cell_names import Area
from valet_xl.errors import SheetError

_AGAIN = "then try again"
FILTERED = f"a filter hides rows of the sheet (Data, Clear shows them; {_AGAIN})"
PROTECTED = f"the sheet is protected (Review, Unprotect Sheet; {_AGAIN})"
NO_SHEET_ADDED = f"no sheet can be added (Review, Protect Workbook; {_AGAIN})"
"""In Excel's words. Where a filter hides rows, Excel would write values to the wrong ones."""

PROTECTED_IN_CALC = f"the sheet is protected (Tools, Protect Sheet; {_AGAIN})"
NO_SHEET_ADDED_IN_CALC = f"no sheet can be added (Tools, Protect Spreadsheet Structure; {_AGAIN})"
READ_ONLY_IN_CALC = "the document is read-only (choose Edit, Edit Mode, or save it under another name)"
"""In LibreOffice's words. Its Calc writes to rows that a filter hides as to others."""


def formula_in(area: Area) -> SheetError:
    """A formula is in the way."""
    return SheetError(f"{area} contains a formula (clear or move it)")


def merged_in(area: Area) -> SheetError:
    """Merged cells, or some of those that are merged, are in the way."""
    return SheetError(f"{area} contains merged cells (split them)")
