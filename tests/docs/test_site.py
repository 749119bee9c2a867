"""The site of the pages: it builds without a warning, links lead somewhere, notebooks run."""

from __future__ import annotations

import importlib.util
import json
import os
import re
import subprocess
import sys
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote

import pytest

from places import ROOT

DOCS = ROOT / "docs"
NOTEBOOKS = sorted((DOCS / "notebooks").glob("*.ipynb"))
PACKAGES = ("sphinx", "furo", "myst_nb", "sphinx_copybutton", "ipykernel", "duckdb", "matplotlib")
missing = [name for name in PACKAGES if not importlib.util.find_spec(name)]


class Addresses(HTMLParser):
    """The ids of a page, and where its links and pictures lead."""

    def __init__(self) -> None:
        super().__init__()
        self.ids: set[str] = set()
        self.links: list[str] = []

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        for name, value in attributes:
            if name == "id" and value:
                self.ids.add(value)
            elif name in ("href", "src") and value and tag in ("a", "img", "link", "script"):
                self.links.append(value)


def addresses(page: Path) -> Addresses:
    found = Addresses()
    found.feed(page.read_text(encoding="utf-8"))
    return found


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    if missing:
        pytest.skip(f"the site needs scoref[docs]: no {', '.join(missing)}")
    folder = tmp_path_factory.mktemp("site") / "pages"
    environment = {**os.environ, "no_proxy": "*", "PYTHONPATH": str(ROOT / "src")}
    done = subprocess.run(
        [sys.executable, str(DOCS / "site.py"), str(folder)], env=environment, text=True, check=False,
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout[-4000:]
    return folder


def test_links_lead_to_pages_and_places(site: Path) -> None:
    pages = {page.resolve(): addresses(page) for page in site.rglob("*.html")}
    assert any(found.links for found in pages.values())
    for page, found in pages.items():
        for link in found.links:
            if re.match(r"[a-z]+:", link):
                continue
            path, _, place = link.partition("#")
            target = (page.parent / unquote(path.split("?")[0])).resolve() if path else page
            assert target.exists(), f"{page.name}: {link}"
            if place and target.suffix == ".html":
                assert unquote(place) in pages[target].ids, f"{page.name}: {link}"


def test_the_page_for_offline_use_needs_no_other_file(site: Path) -> None:
    found = addresses(site / "offline.html")
    others = [link for link in found.links if not link.startswith(("#", "data:", "http", "mailto:"))]
    assert not others
    assert {"start", "coming-from", "python", "commands"} <= {name.removeprefix("document-") for name in found.ids}


def test_search_dark_mode_and_copying_are_there(site: Path) -> None:
    page = (site / "score.html").read_text(encoding="utf-8")
    assert "theme-toggle" in page
    assert "copybutton" in page
    assert (site / "searchindex.js").stat().st_size > 10_000


@pytest.mark.parametrize("page", sorted(DOCS.glob("*.md")), ids=lambda page: page.stem)
def test_every_page_is_in_the_contents(page: Path) -> None:
    contents = [*DOCS.glob("*.md"), *DOCS.glob("notebooks/*.md")]
    listed = {
        name.strip()
        for each in contents
        for block in re.findall(r"```\{toctree\}\n(.*?)```", each.read_text(encoding="utf-8"), re.DOTALL)
        for name in block.splitlines()
    }
    assert page.stem == "index" or page.stem in listed


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_notebooks_hold_no_results(path: Path) -> None:
    cells = json.loads(path.read_text(encoding="utf-8"))["cells"]
    assert not any(cell.get("outputs") or cell.get("execution_count") for cell in cells)


def test_every_command_and_every_public_name_has_its_place() -> None:
    import scoref
    from scoref.cli.program import names

    pages = {name: (DOCS / f"{name}.md").read_text(encoding="utf-8") for name in ("commands", "python")}
    assert all(f"```{{scoref}} help {name} all\n" in pages["commands"] for name in names())
    assert all(f":: scoref.{name}\n" in pages["python"] for name in scoref.__all__ if name != "__version__")
