"""Draws the pictures of these pages again: python3 docs/pictures.py (needs scoref[plots])."""

from __future__ import annotations

import runpy
import sys
import tempfile
from pathlib import Path

import counterexamples
from rewards import draw

import scoref
from scoref.errors.listing import plot

DOCS = Path(__file__).resolve().parent


def main() -> None:
    """Write the figures, from the made-up systems of examples/systems.py; what metrics reward; counterexamples."""
    counterexamples.main()
    draw(DOCS / "images")
    with tempfile.TemporaryDirectory() as folder:
        sys.argv = ["systems.py", folder]
        runpy.run_path(str(DOCS.parent / "examples" / "systems.py"), run_name="__main__")
        key, small, large, tagger = (Path(folder, f"{name}.jsonl") for name in ("key", "small", "large", "tagger"))
        stability = scoref.stability(key, tagger)
        comparison = scoref.compare(key, {"small": small, "large": large, "tagger": tagger}, unit="text")
        analyses = {name: scoref.Analysis(each) for name, each in comparison.systems.items()}
        for name in ("b3", "ceaf"):
            stability.plot(DOCS / "figures" / f"{name}.svg")
        for name in ("scores", "differences", "documents", "size"):
            comparison.plot(DOCS / "figures" / f"{name}.svg")
        for name in ("errors", "distance"):
            plot(analyses, DOCS / "figures" / f"{name}.svg")


if __name__ == "__main__":
    main()
