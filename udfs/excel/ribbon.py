"""What the ribbon's VBA calls: the commands of all hosts (`valet_xl.hosts.commands`) on a sheet that Excel shows."""

from __future__ import annotations

from collections.abc import Iterable
from importlib.metadata import version

import xlwings as xw

from valet_xl.hosts import commands
from valet_xl_excel.sheet import ExcelSurface


def run(address: str, addin: str = "", addin_xlwings: str = "", failure: str = "", book: xw.Book | None = None) -> str:
    """Do a command, or choose an option, in the workbook that is shown; see `valet_xl.hosts.commands.run`.

    Parameters
    ----------
    address : the name of a command, or of an option and its word
    addin, addin_xlwings : the versions of the add-in, and of the xlwings that it was built with
    failure : why a worksheet function could not be called, '' if none failed
    book : another workbook than the one that is shown

    Returns
    -------
    the message for the user, '' for none: the add-in shows it
    """
    return commands.run(address, ExcelSheet(book, addin, addin_xlwings, failure))


class ExcelSheet(ExcelSurface):  # type: ignore[misc,unused-ignore]
    """The sheet that Excel shows, as the commands need it: a `valet_xl.hosts.commands.OpenSheet`.

    Its parameters are those of `run`.
    """

    host = "Excel"

    def __init__(
        self, book: xw.Book | None = None, addin: str = "", addin_xlwings: str = "", failure: str = ""
    ) -> None:
        super().__init__(book)
        self._addin, self._addin_xlwings, self._failure = addin, addin_xlwings, failure
        self._progress_is_shown = False

    @property
    def version(self) -> str:
        """The version of valet_xl that Python has."""
        return version("valet-xl")

    def sheet_names(self) -> list[str]:
        """The names of the workbook's worksheets."""
        return [sheet.name for sheet in self.book.sheets]

    def recall(self, name: str) -> str:
        """What the workbook's name refers to."""
        return (self.book.names[name].refers_to or "") if name in self.book.names else ""

    def remember(self, name: str, text: str) -> None:
        """Keep a text under a name that users do not see."""
        self.book.api.Names.Add(name, f'="{text}"', False)

    def progress(self, text: str) -> None:
        """Show a text in the status bar."""
        self.book.app.status_bar = f"Bridge: {text}"
        self._progress_is_shown = True

    def end_progress(self, failed: bool) -> None:
        """Give the status bar back to Excel where the command failed; else the add-in does so after some seconds."""
        if failed and self._progress_is_shown:
            self.book.app.status_bar = False

    def about(self) -> Iterable[str]:
        """The add-in's version and xlwings', and what to do where they do not match."""
        yield f"Add-in {self._addin}, xlwings {xw.__version__} (the add-in was built with {self._addin_xlwings})"
        if (self.version, xw.__version__) != (self._addin, self._addin_xlwings):
            yield "\nThe versions differ. In a terminal: valet-xl addin install"
        if self._failure:
            yield f"A function failed: {self._failure}"

    def reason(self, error: Exception) -> str:
        """What Excel says about an error that came over COM; '' for another error."""
        if not hasattr(error, "hresult"):
            return ""
        details = error.args[2] if len(error.args) > 2 else None
        said = details[2] if isinstance(details, tuple) and len(details) > 2 else None
        return str(said or error)
