"""Ask or change what extensions an office has: run by LibreOffice's own Python, which knows UNO.

python extension.py python: prints as JSON its version, and what keeps the engine from running there.
python extension.py add PROGRAM PROFILE FILE, or remove PROGRAM PROFILE NAME: starts the office PROGRAM, with
the folder PROFILE and without a window, and puts an extension in or takes it out.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from contextlib import suppress
from pathlib import Path
from typing import Any

import uno
import unohelper
from com.sun.star.beans import NamedValue
from com.sun.star.connection import NoConnectException
from com.sun.star.task import XInteractionHandler
from com.sun.star.ucb import XCommandEnvironment

sys.path.insert(0, str(Path(__file__).resolve().parent))  # LibreOffice's Python has no package valet_xl_calc

from environment import plain_environment

AGAIN = 81  # the exit status of a first start with a new profile, which wants to be started again
_PATIENCE = 120.0  # seconds
_MANAGER = "/singletons/com.sun.star.deployment.ExtensionManager"
_USER = "user"  # where extensions are put: in the profile


class _Consent(unohelper.Base, XCommandEnvironment, XInteractionHandler):
    """Says yes to what the manager of extensions asks."""

    def getInteractionHandler(self) -> _Consent:  # noqa: N802 - UNO's
        return self

    def getProgressHandler(self) -> None:  # noqa: N802
        return None

    def handle(self, request: Any) -> None:
        request.getContinuations()[0].select()


def main(command: str, *arguments: str) -> None:
    """Do a command."""
    if command == "python":
        print(json.dumps({"python": list(sys.version_info[:2]), "wrong": _wrong()}))
        return
    program, profile, extension = arguments
    with RunningOffice(program, Path(profile)) as context:
        manager = context.getValueByName(_MANAGER)
        if command == "add":
            url = Path(extension).resolve().as_uri()
            manager.addExtension(url, (NamedValue("SUPPRESS_LICENSE", "1"),), _USER, None, _Consent())
        else:
            for package in manager.getDeployedExtensions(_USER, None, _Consent()):
                if package.getIdentifier().Value == extension:
                    manager.removeExtension(extension, package.getName(), _USER, None, _Consent())


class RunningOffice:
    """An office, without a window unless it is not headless; entering gives its component context.

    A class, as an exception of UNO's cannot cross a generator: `contextlib` sets its traceback, which UNO refuses.

    Parameters
    ----------
    program, profile : what starts it, and the folder of its settings
    headless : whether it has no window
    """

    def __init__(self, program: str, profile: Path, headless: bool = True) -> None:
        self._program, self._profile = program, profile
        self._pipe = f"valetxl{os.getpid()}"
        self._accept = f"pipe,name={self._pipe};urp;StarOffice.ComponentContext"
        self._options = ["--headless"] if headless else ["--nofirststartwizard"]
        self._process: subprocess.Popen[bytes] | None = None
        self._context: Any = None

    def __enter__(self) -> Any:
        """Start it.

        Raises
        ------
        RuntimeError : where it does not start
        """
        self._profile.mkdir(parents=True, exist_ok=True)
        command = [self._program, f"-env:UserInstallation={self._profile.resolve().as_uri()}", "--norestore"]
        command += ["--nologo", "--nodefault", f"--accept={self._accept}", *self._options]
        self._process = _start(command)
        local = uno.getComponentContext()
        resolver = local.ServiceManager.createInstanceWithContext("com.sun.star.bridge.UnoUrlResolver", local)
        end = time.monotonic() + _PATIENCE
        while self._context is None:
            try:
                self._context = resolver.resolve(f"uno:{self._accept}")
            except NoConnectException:
                status = self._process.poll()
                if status == AGAIN:
                    self._process = _start(command)
                elif status is not None or time.monotonic() > end:
                    self._process.kill()
                    raise RuntimeError(f"{self._program} did not start (status {status})") from None
                time.sleep(0.05)
        return self._context

    def __exit__(self, *_raised: object) -> None:
        desktop = self._context.ServiceManager.createInstanceWithContext("com.sun.star.frame.Desktop", self._context)
        with suppress(Exception):  # the office ends before it answers
            desktop.terminate()
        if self._process is not None:
            self._process.wait(_PATIENCE)


def _start(command: list[str]) -> subprocess.Popen[bytes]:
    """Start an office without what `import uno` or an active environment of Python's set."""
    nowhere = subprocess.DEVNULL
    return subprocess.Popen(command, stdin=nowhere, stdout=nowhere, stderr=nowhere, env=plain_environment())


def _wrong() -> str:
    """What keeps the engine from running in this Python, '' for nothing."""
    from engine import EngineError, need_engine  # noqa: PLC0415 - a file next to this one

    try:
        need_engine()
    except EngineError as error:
        return str(error)
    return ""


if __name__ == "__main__":
    main(*sys.argv[1:])
