"""What LibreOffice loads of the extension: the worksheet functions of Calc, the menu's commands, and a job.

The engine is loaded with the first function or command, so that an office starts no later for it.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import uno
import unohelper
from com.sun.star.frame import (
    DispatchResultEvent,
    FeatureStateEvent,
    XDispatchProvider,
    XNotifyingDispatch,
)
from com.sun.star.frame.DispatchResultState import SUCCESS
from com.sun.star.lang import XInitialization, XServiceInfo
from com.sun.star.task import XJob

sys.path.insert(0, str(Path(__file__).parent / "pythonpath"))  # before another valet_xl that this Python may have

from valetxl import XFunctions

from valet_xl_calc import HANDLER, OPENED, PROTOCOL, SERVICE
from valet_xl_calc.engine import EngineError, need_engine
from valet_xl_calc.marks import take_off

_TITLE = "Bridge scoring"
_BOX, _OK = uno.Enum("com.sun.star.awt.MessageBoxType", "INFOBOX"), 1


@cache
def _method(name: str) -> Callable[..., Any]:
    """A method of the add-in; one that says so where the engine cannot run."""
    try:
        need_engine()
    except EngineError as error:
        message = str(error)
        return lambda *_values: ((message,),)
    from valet_xl_calc.functions import METHODS  # noqa: PLC0415 - needs the engine

    return METHODS[name]


class _Service(unohelper.Base, XServiceInfo):
    """What LibreOffice asks of every component."""

    name = ""
    services: tuple[str, ...] = ()

    def getImplementationName(self) -> str:  # noqa: N802 - UNO's
        return self.name

    def supportsService(self, name: str) -> bool:  # noqa: N802
        return name in self.services

    def getSupportedServiceNames(self) -> tuple[str, ...]:  # noqa: N802
        return self.services


class Functions(_Service, XFunctions):
    """The add-in: one method for each worksheet function."""

    name, services = SERVICE, (SERVICE,)

    def __init__(self, context: Any) -> None:
        self.context = context

    def __getattr__(self, name: str) -> Callable[..., Any]:
        """Give the methods of the interface, which are those of the registry.

        They are kept: each call out of Calc has a thread state of its own, which takes memory from the system and gives
        it back, and once more for this lookup.
        """
        if not name.startswith("valet"):
            raise AttributeError(name)
        method = _method(name)
        setattr(self, name, method)
        return method


class Commands(_Service, XInitialization, XDispatchProvider, XNotifyingDispatch):
    """The commands of menu and toolbar in one window."""

    name, services = HANDLER, ("com.sun.star.frame.ProtocolHandler",)

    def __init__(self, context: Any) -> None:
        self.context = context
        self.frame: Any = None

    def initialize(self, arguments: tuple[Any, ...]) -> None:
        """Take the window's frame."""
        self.frame = arguments[0] if arguments else None

    def queryDispatch(self, url: Any, _target: str, _flags: int) -> Commands | None:  # noqa: N802
        """Say whether an address is one of ours."""
        return self if url.Protocol == PROTOCOL else None

    def queryDispatches(self, requests: tuple[Any, ...]) -> tuple[Commands | None, ...]:  # noqa: N802
        """`queryDispatch` of several."""
        return tuple(
            self.queryDispatch(request.FeatureURL, request.FrameName, request.SearchFlags) for request in requests
        )

    def dispatch(self, url: Any, _arguments: tuple[Any, ...]) -> None:
        """Do what was clicked, and show the message."""
        if message := self._done(url.Path):
            window = self.frame.getContainerWindow()
            box = window.getToolkit().createMessageBox(window, _BOX, _OK, _TITLE, message)
            box.execute()
            box.dispose()

    def dispatchWithNotification(self, url: Any, _arguments: tuple[Any, ...], listener: Any) -> None:  # noqa: N802
        """Do what a program asks for, and give it the message that a user would see."""
        message = self._done(url.Path)
        if listener is not None:
            event = DispatchResultEvent()
            event.Source, event.State, event.Result = self, SUCCESS, message
            listener.dispatchFinished(event)

    def addStatusListener(self, listener: Any, url: Any) -> None:  # noqa: N802
        """Let a menu know whether its item is enabled, and ticked. It asks each time it opens."""
        event = FeatureStateEvent()
        event.Source, event.FeatureURL, event.IsEnabled = self, url, True
        event.State = self._chosen(url.Path)
        listener.statusChanged(event)

    def removeStatusListener(self, listener: Any, url: Any) -> None:  # noqa: N802
        """Listeners get nothing later."""

    def _done(self, command: str) -> str:
        try:
            need_engine()
        except EngineError as error:
            return str(error)
        from valet_xl_calc.commands import run  # noqa: PLC0415 - needs the engine

        return run(command, self.context, self.frame.getController())

    def _chosen(self, command: str) -> bool | None:
        try:
            need_engine()
        except EngineError:
            return None
        from valet_xl_calc.commands import chosen  # noqa: PLC0415 - needs the engine

        return chosen(command, self.context, self.frame.getController())


class Opened(_Service, XJob):
    """What is done when a document has been opened."""

    name, services = OPENED, ("com.sun.star.task.Job",)

    def __init__(self, context: Any) -> None:
        self.context = context

    def execute(self, arguments: tuple[Any, ...]) -> None:
        """Take the document, and give its formulas the names that Calc knows."""
        given = {each.Name: each.Value for each in arguments}
        environment = {each.Name: each.Value for each in given["Environment"]}
        take_off(environment["Model"])


g_ImplementationHelper = unohelper.ImplementationHelper()  # noqa: N816 - the name that LibreOffice looks for
for _component in (Functions, Commands, Opened):
    g_ImplementationHelper.addImplementation(_component, _component.name, _component.services)
