"""Chromium by playwright; without one of them the tests of the page in a browser are skipped."""

from __future__ import annotations

import os
import shutil

import pytest
from page_browser import DRAWN, KEY, OTHER, RESPONSE, WAIT, seen

import scoref
from scoref.page import build as viewer

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome")
OPTIONS = [
    "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
    "--disable-component-update", "--disable-sync",
    # half the processor time for a page: fewer processes, and none for the popup of an address bar that nobody sees
    "--in-process-gpu", "--disable-software-rasterizer", "--process-per-site", "--renderer-process-limit=1",
    "--disable-features=WebUIOmniboxPopup,DestroyProfileOnBrowserClose,PaintHolding,ThirdPartyStoragePartitioning,"
    "AvoidUnnecessaryBeforeUnloadCheckSync",  # the others are of Playwright's own list, in the place of which this is
]  # fmt: skip


@pytest.fixture(scope="session")
def browser():
    playwright = pytest.importorskip("playwright.sync_api", reason="no playwright: pip install playwright")
    with playwright.sync_playwright() as library:
        found = os.environ.get("SCOREF_CHROMIUM") or next(filter(None, map(shutil.which, NAMES)), None)
        own = library.chromium.executable_path
        if not found and not os.path.exists(own):
            pytest.skip("no Chromium: install it, or say where it is with SCOREF_CHROMIUM")
        browser = library.chromium.launch(executable_path=found or own, args=OPTIONS)
        yield browser
        browser.close()


@pytest.fixture
def show(browser, tmp_path):
    """Opens a page at an address; what it logs, asks for, or fails with, is collected, and must be nothing."""
    contexts, wrong = [], []

    def open_(html, address="#/", width=1280, height=900, **options):
        file = tmp_path / "report.html"
        file.write_text(html, encoding="utf-8")
        context = browser.new_context(viewport={"width": width, "height": height}, **options)
        context.set_default_timeout(WAIT)
        contexts.append(context)
        page = context.new_page()
        page.on("console", lambda message: wrong.append(message.text))
        page.on("pageerror", lambda error: wrong.append(str(error)))
        page.on("dialog", lambda dialog: wrong.append(dialog.message) or dialog.dismiss())
        page.on("request", lambda request: request.url.startswith(file.as_uri()) or wrong.append(request.url))
        page.goto(file.as_uri() + address)
        page.wait_for_selector("html[data-ready]")
        return seen(page, DRAWN)

    yield open_
    for context in contexts:
        context.close()
    assert not [each for each in wrong if not each.startswith("data:")]


@pytest.fixture(scope="session")
def small():
    return viewer.page({"mine": scoref.score([KEY, OTHER], [RESPONSE, OTHER])})
