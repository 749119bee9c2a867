"""Takes the pictures of the HTML report again: python3 docs/screenshots.py (needs playwright and Chromium).

Most are of GUM (annotations CC BY 4.0, texts CC BY, CC BY-SA or in the public domain; Zeldes 2017) with the output of
xrenner: the folder of its files is the argument, or SCOREF_GUM. Without it, only those of the tales of examples/ are
taken.
"""

from __future__ import annotations

import os
import shutil
import sys
import tempfile
from pathlib import Path

import scoref
from scoref.page import build as viewer

DOCS = Path(__file__).resolve().parent
TALES = DOCS.parent / "examples" / "tales"
GUM = DOCS.parent.parent / "shared" / "vectors" / "real-gum" / "files"
OPTIONS = ["--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-background-networking", "--disable-sync"]

# name: address, width, height, colours
OF_GUM = {
    "report-overview": ("#/", 1280, 1180, "light"),
    "report-document": ("#/doc/3", 1280, 900, "light"),
    "report-error": ("#/doc/3/error/15", 1280, 900, "light"),
    "report-tangle": ("#/doc/3/tangle/23", 1280, 900, "light"),
    "report-errors": ("#/errors?form=pronoun", 1280, 760, "light"),
    "report-slices": ("#/slices?against=2&where=form:pronoun|distance:same+sentence", 1280, 900, "light"),
    "report-against": ("#/doc/3?mode=against&status=fixed", 1280, 900, "dark"),
    "report-narrow": ("#/doc/3/error/15", 390, 800, "light"),
}
OF_TALES = {
    "report-entity": ("#/doc/1/key/6", 1280, 900, "light"),
    "report-compare": ("#/compare", 1280, 900, "light"),
    "report-change": ("#/doc/1/key/2/3?change=1", 1280, 900, "light"),
    "report-dark": ("#/doc/2/key/3?mode=side", 1280, 900, "dark"),
}


def main() -> None:
    """Write images/report-*.png."""
    from playwright.sync_api import sync_playwright

    gum = Path(sys.argv[1] if len(sys.argv) > 1 else os.environ.get("SCOREF_GUM", GUM))
    (DOCS / "images").mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as library:
        browser = library.chromium.launch(executable_path=shutil.which("chromium"), args=OPTIONS)
        names = {name: TALES / f"{name}.conll" for name in ("rules", "model")}
        take(browser, Path(folder, "tales.html"), TALES / "key.conll", names, OF_TALES)
        if gum.exists():
            names = {name: gum / f"gum.response.{name}.conll" for name in ("xrenner", "medium")}
            take(browser, Path(folder, "gum.html"), gum / "gum.key.conll", names, OF_GUM)
        browser.close()


def take(browser: object, file: Path, key: Path, systems: dict[str, Path], pictures: dict[str, tuple]) -> None:
    """The pictures of one page."""
    comparison = scoref.compare(key, systems)
    file.write_text(viewer.page(comparison.systems, comparison), encoding="utf-8")
    for name, (address, width, height, colours) in pictures.items():
        page = browser.new_page(viewport={"width": width, "height": height}, color_scheme=colours)
        page.goto(file.as_uri() + address)
        page.wait_for_selector("html[data-ready]")
        page.wait_for_timeout(500)  # until colours have changed
        page.screenshot(path=DOCS / "images" / f"{name}.png")
        page.close()


if __name__ == "__main__":
    main()
