"""Why a sheet in Excel is not changed, as its user reads it.

They are no part of `sheet`, because a program that loads xlwings ends every Excel without a window when it ends itself.
"""

FILTERED = "a filter hides rows of the sheet (Data, Clear shows them; then try again)"
PROTECTED = "the sheet is protected (Review, Unprotect Sheet; then try again)"
