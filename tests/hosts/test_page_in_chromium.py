"""The report as a page, in a real browser: it loads nothing, fits the window, and axe finds nothing in it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from browser import MINUTES, axe_finds, chromium, needs_axe, needs_chromium
from test_web_report import NASTY, event_of

from valet_xl.reports.web_report import web_report

SIZES = ((1280, 900), (390, 800))
SCHEMES = ("light", "dark")


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    with chromium() as running:
        yield running


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> str:
    path = tmp_path_factory.mktemp("page") / "report.html"
    path.write_bytes(web_report(event_of(names=NASTY), NASTY[8]))
    return path.as_uri()


def opened(browser: Any, address: str, scheme: str, size: tuple[int, int]) -> tuple[Any, list[str]]:
    """The page, and all that it asked for or complained about."""
    context = browser.new_context(color_scheme=scheme, viewport={"width": size[0], "height": size[1]})
    page = context.new_page()
    page.set_default_timeout(MINUTES)
    wrong: list[str] = []
    page.on("request", lambda asked: wrong.append(asked.url) if asked.url != address else None)
    page.on("console", lambda said: wrong.append(said.text))
    page.on("pageerror", lambda error: wrong.append(str(error)))
    page.goto(address)
    return page, wrong


@needs_chromium
@pytest.mark.parametrize("scheme", SCHEMES)
@pytest.mark.parametrize("size", SIZES, ids=["wide", "narrow"])
def test_it_loads_nothing_and_fits_the_window(browser: Any, address: str, scheme: str, size: tuple[int, int]) -> None:
    page, wrong = opened(browser, address, scheme, size)
    page.evaluate("() => document.querySelectorAll('details').forEach(each => { each.open = true })")
    assert page.evaluate("() => document.documentElement.scrollWidth") <= size[0]
    dark = page.evaluate("() => getComputedStyle(document.body).backgroundColor")
    assert (dark == "rgb(255, 255, 255)") == (scheme == "light")
    assert wrong == []
    page.context.close()


@needs_chromium
def test_a_link_opens_what_it_leads_to(browser: Any, address: str) -> None:
    page, _ = opened(browser, address, "light", SIZES[0])
    assert not page.locator("#pair-0-3").is_visible()
    page.locator("a[href='#pair-0-3']").click()
    page.locator("#pair-0-3").wait_for(state="visible")
    page.context.close()


@needs_axe
@needs_chromium
@pytest.mark.parametrize("scheme", SCHEMES)
def test_axe_finds_nothing(browser: Any, address: str, scheme: str) -> None:
    """With one pair and one tableau open, for all of them are alike."""
    page, _ = opened(browser, address, scheme, SIZES[0])
    page.evaluate(
        "() => document.querySelectorAll('#pair-0-1, #pair-0-1 details, #board-0').forEach(each => { "
        "for (let at = each; at; at = at.parentElement) if (at.tagName === 'DETAILS') at.open = true })"
    )
    assert axe_finds(page) == []
    page.context.close()
