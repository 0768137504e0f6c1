"""The commands of all hosts (`valet_xl.hosts.commands`) on a sheet that Calc shows."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from com.sun.star.beans import PropertyValue
from com.sun.star.table import CellAddress
from com.sun.star.uno import Exception as UnoException

from valet_xl.hosts import commands
from valet_xl_calc import EXTENSION
from valet_xl_calc.sheet import CalcSurface, Unrecorded


def run(address: str, context: Any, controller: Any) -> str:
    """Do a command, or choose an option, in a window; see `valet_xl.hosts.commands.run`.

    Parameters
    ----------
    address : the name of a command, or of an option and its word
    context : UNO's
    controller : the window's

    Returns
    -------
    the message for the user, '' for none
    """
    return commands.run(address, CalcSheet(context, controller))


def chosen(address: str, context: Any, controller: Any) -> bool | None:
    """Whether an item of the menu is what the document remembers; None for a command."""
    return commands.chosen(address, CalcSheet(context, controller))


class CalcSheet(CalcSurface):  # type: ignore[misc,unused-ignore]
    """The sheet that a window shows, as the commands need it: a `valet_xl.hosts.commands.OpenSheet`.

    Parameters
    ----------
    context : UNO's
    controller : the window's
    """

    host = "LibreOffice"

    def __init__(self, context: Any, controller: Any) -> None:
        super().__init__(controller.getModel(), controller)
        self._context = context
        self._indicator: Any = None

    @property
    def version(self) -> str:
        """The version of the extension, which carries its own valet_xl."""
        packages = self._context.getValueByName("/singletons/com.sun.star.deployment.PackageInformationProvider")
        return next((version for name, version in packages.getExtensionList() if name == EXTENSION), "not installed")

    def sheet_names(self) -> Iterable[str]:
        """The names of the document's sheets."""
        names: tuple[str, ...] = self.document.getSheets().getElementNames()
        return names

    def recall(self, name: str) -> str:
        """The content of a name of the document."""
        names = self.document.getPropertyValue("NamedRanges")
        return str(names.getByName(name).getContent()) if names.hasByName(name) else ""

    def remember(self, name: str, text: str) -> None:
        """Keep a text under a name of the document; that is no step to undo."""
        self.refuse_read_only()
        names = self.document.getPropertyValue("NamedRanges")
        content = f'"{text}"'
        with Unrecorded(self.document):
            if names.hasByName(name):
                names.getByName(name).setContent(content)
            else:
                names.addNewByName(name, content, CellAddress(0, 0, 0), 0)
        self.document.setModified(True)

    def progress(self, text: str) -> None:
        """Show a text in the status bar."""
        if self._indicator is None:
            self._indicator = self.controller.getFrame().createStatusIndicator()
        self._indicator.start(f"Bridge: {text}", 0)

    def end_progress(self, failed: bool) -> None:
        """Give the status bar back to LibreOffice, whether the command failed or not."""
        if self._indicator is not None:
            self._indicator.end()

    def about(self) -> Iterable[str]:
        """LibreOffice's version."""
        provider = self._context.ServiceManager.createInstanceWithContext(
            "com.sun.star.configuration.ConfigurationProvider", self._context
        )
        place = PropertyValue()
        place.Name, place.Value = "nodepath", "/org.openoffice.Setup/Product"
        product = provider.createInstanceWithArguments("com.sun.star.configuration.ConfigurationAccess", (place,))
        return [f"LibreOffice {product.getByName('ooSetupVersion')}"]

    def reason(self, error: Exception) -> str:
        """What LibreOffice says about an error of its own; '' for another error."""
        return (error.Message or type(error).__name__) if isinstance(error, UnoException) else ""
