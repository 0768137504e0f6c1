"""A real browser: Chromium without a window, and the bundle on a loopback server for it."""

from __future__ import annotations

import os
import shutil
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from valet_xl_web.downloads import kept
from valet_xl_web.pins import PINNED
from valet_xl_web.server import server

if TYPE_CHECKING:
    from playwright.sync_api import Browser, ConsoleMessage, Page

AXE = os.environ.get("VALET_XL_AXE", "")  # axe.min.js of the package axe-core of npm
MINUTES = 180_000  # milliseconds that a browser may take on a busy machine
# Chromium neither looks for updates nor for Google's hosts.
_QUIET = (
    "--disable-gpu --disable-quic --no-first-run --disable-background-networking --disable-component-update "
    "--disable-sync"
)


def program() -> str | None:
    """Chromium, if it is installed."""
    return shutil.which("chromium") or shutil.which("chromium-browser")


def _no_browser() -> str:
    """Why there is no browser here; "" if there is one."""
    if program() is None:
        return "Chromium is not installed"
    return "" if find_spec("playwright") else "Playwright is not installed"


def _missing() -> str:
    """Why there is no browser or no bundle here; "" if there are both."""
    if missing := _no_browser():
        return missing
    if not all((kept() / each.name).exists() for each in PINNED):
        return f"Pyodide is not in {kept()} (valet-xl web downloads it)"
    return ""


_REQUIRED = os.environ.get("VALET_XL_HOSTS") == "required"

needs_chromium = pytest.mark.skipif(bool(_no_browser()) and not _REQUIRED, reason=_no_browser() or "there is a browser")
"""For tests in Chromium where this Python answers in place of Pyodide."""
needs_browser = pytest.mark.skipif(bool(_missing()) and not _REQUIRED, reason=_missing() or "there is a browser")

needs_axe = pytest.mark.skipif(not AXE and not _REQUIRED, reason="no axe-core: VALET_XL_AXE names no file")


def axe_finds(page: Page) -> list[list[str]]:
    """What keeps people with disabilities from using a page as it is now: axe-core's rule and the first place, each."""
    if not page.evaluate("() => 'axe' in window"):
        page.evaluate(Path(AXE).read_text(encoding="utf-8"))
    return page.evaluate("async () => (await axe.run()).violations.map(({ id, nodes }) => [id, nodes[0].html])")


@contextmanager
def served(files: Mapping[str, bytes]) -> Iterator[str]:
    """A server of a bundle; gives the address of its first page."""
    with server(files) as running:
        thread = threading.Thread(target=running.serve_forever, args=(0.05,))
        thread.start()
        try:
            yield f"http://127.0.0.1:{running.server_port}/"
        finally:
            running.shutdown()
            thread.join()


@contextmanager
def chromium() -> Iterator[Browser]:
    """Chromium with a new profile; it is ended afterwards."""
    from playwright.sync_api import sync_playwright

    sandbox = ["--no-sandbox"] if hasattr(os, "geteuid") and os.geteuid() == 0 else []  # which root cannot have
    with sync_playwright() as driver:
        browser = driver.chromium.launch(
            executable_path=program(), headless=True, args=[*_QUIET.split(), *sandbox], timeout=MINUTES
        )
        try:
            yield browser
        finally:
            browser.close()


class Watched:
    """A page of the browser, and everything that it should not do: errors, violations, requests elsewhere."""

    def __init__(self, page: Page, address: str) -> None:
        self.page = page
        self.address = address
        self.wrong: list[str] = []
        page.set_default_timeout(MINUTES)
        page.on("pageerror", lambda error: self.wrong.append(f"error: {error}"))
        page.on("console", lambda said: self._said(said) if said.type in ("error", "warning") else None)
        page.context.on("request", lambda asked: self._asked(asked.url))

    def _said(self, said: ConsoleMessage) -> None:
        self.wrong.append(f"{said.text} at {said.location['url']}")

    def _asked(self, url: str) -> None:
        if not url.startswith((self.address, f"blob:{self.address}", "data:")):
            self.wrong.append(f"request: {url}")

    def call(self, name: str, given: object = None) -> object:
        """What a call of the engine gives; the page has the module engine/engine.js."""
        return self.page.evaluate(
            """async ([name, given]) => {
                const { Engine } = await import("/engine/engine.js");
                window.engineOfTest ??= new Engine();
                return (await window.engineOfTest.call(name, given)).value;
            }""",
            [name, given or {}],
        )
