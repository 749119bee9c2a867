"""Takes the pictures of the HTML report again: python3 docs/screenshots.py (needs playwright and Chromium)."""

from __future__ import annotations

import shutil
import tempfile
from pathlib import Path

import scoref
from scoref.page import build as viewer

DOCS = Path(__file__).resolve().parent
TALES = DOCS.parent / "examples" / "tales"
OPTIONS = ["--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-background-networking", "--disable-sync"]

# name: address, width, height, colours
PICTURES = {
    "report-overview": ("#/", 1280, 900, "light"),
    "report-document": ("#/doc/1", 1280, 900, "light"),
    "report-entity": ("#/doc/1/key/6", 1280, 900, "light"),
    "report-compare": ("#/compare", 1280, 900, "light"),
    "report-dark": ("#/doc/2/key/3?mode=side", 1280, 900, "dark"),
    "report-narrow": ("#/doc/1/key/4", 380, 800, "light"),
}


def main() -> None:
    """Write images/report-*.png, from the made-up tales of examples/."""
    from playwright.sync_api import sync_playwright

    comparison = scoref.compare(TALES / "key.conll", {name: TALES / f"{name}.conll" for name in ("rules", "model")})
    (DOCS / "images").mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as library:
        file = Path(folder, "report.html")
        file.write_text(viewer.page(comparison.systems, comparison), encoding="utf-8")
        browser = library.chromium.launch(executable_path=shutil.which("chromium"), args=OPTIONS)
        for name, (address, width, height, colours) in PICTURES.items():
            page = browser.new_page(viewport={"width": width, "height": height}, color_scheme=colours)
            page.goto(file.as_uri() + address)
            page.wait_for_selector("html[data-ready]")
            page.wait_for_timeout(300)  # until colours have changed
            page.screenshot(path=DOCS / "images" / f"{name}.png")
            page.close()
        browser.close()


if __name__ == "__main__":
    main()
