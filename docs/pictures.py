"""Draws the pictures of these pages again: python3 docs/pictures.py (needs scoref[plots])."""

from __future__ import annotations

import runpy
import sys
import tempfile
from pathlib import Path

from rewards import draw

import scoref

DOCS = Path(__file__).resolve().parent


def main() -> None:
    """Write stability.svg and compare.svg, from the made-up systems of examples/systems.py; what metrics reward."""
    draw(DOCS / "images")
    with tempfile.TemporaryDirectory() as folder:
        sys.argv = ["systems.py", folder]
        runpy.run_path(str(DOCS.parent / "examples" / "systems.py"), run_name="__main__")
        key, small, large, tagger = (Path(folder, f"{name}.jsonl") for name in ("key", "small", "large", "tagger"))
        scoref.stability(key, tagger).plot(DOCS / "stability.svg")
        scoref.compare(key, {"small": small, "large": large}, unit="text").plot(DOCS / "compare.svg")


if __name__ == "__main__":
    main()
