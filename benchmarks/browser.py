"""A page in Chromium without a window: when it is ready, and how many frames a second it has while it is scrolled.

Chromium is found as the tests of the page find it: by `SCOREF_CHROMIUM`, by its usual names, or beside playwright.
"""

from __future__ import annotations

import os
import shutil
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from itertools import pairwise
from pathlib import Path
from typing import Any, NamedTuple

from measuring import CLOCK, processor_time

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome")
OPTIONS = ("--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-background-networking")
_SCREEN = {"width": 1280, "height": 900}
_PATIENCE = 60_000  # milliseconds
_STEPS = 60

_SCROLL = """async ([steps, far]) => {
  const frame = () => new Promise((resolve) => requestAnimationFrame(resolve));
  for (let step = 0; step < steps; step += 1) {
    scrollBy({ top: far, behavior: "instant" });
    await frame();
  }
}"""
_SETTLED = "() => new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve, 0)))"


class Seen(NamedTuple):
    """Seconds until a view was ready; frames a second while reading on (a third of a screen) and leafing through."""

    seconds: float
    reading: float
    leafing: float


@contextmanager
def chromium() -> Iterator[Any]:
    """A browser, or None where playwright or Chromium is absent."""
    try:
        from playwright.sync_api import sync_playwright
    except ImportError:
        yield None
        return
    with sync_playwright() as library:
        own = library.chromium.executable_path
        found = os.environ.get("SCOREF_CHROMIUM") or next(filter(None, map(shutil.which, NAMES)), None) or own
        if not os.path.exists(found):
            yield None
            return
        browser = library.chromium.launch(executable_path=found, args=list(OPTIONS))
        yield browser
        browser.close()


def look(browser: Any, file: Path, address: str) -> Seen:
    """Open a page at an address, and scroll; with processor time, that of the thread that runs the page."""
    page = browser.new_page(viewport=_SCREEN)
    page.set_default_timeout(_PATIENCE)
    now = _clock(page)
    started = now()
    page.goto(file.as_uri() + address)
    page.wait_for_selector("html[data-ready]")
    page.evaluate(_SETTLED)
    times = [now()]
    for far in (300, 1800):
        page.evaluate(_SCROLL, [_STEPS, far])
        times.append(now())
    page.close()
    return Seen(times[0] - started, *(_STEPS / (after - before) for before, after in pairwise(times)))


def _clock(page: Any) -> Callable[[], float]:
    if CLOCK["now"] is not processor_time:
        return time.perf_counter
    session = page.context.new_cdp_session(page)
    session.send("Performance.enable", {"timeDomain": "threadTicks"})

    def spent() -> float:
        metrics = {each["name"]: each["value"] for each in session.send("Performance.getMetrics")["metrics"]}
        return float(metrics["TaskDuration"])

    return spent
