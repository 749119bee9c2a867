"""How the site of these pages is made: python docs/site.py (needs scoref[docs])."""

from __future__ import annotations

import json
import sys
from pathlib import Path

DOCS = Path(__file__).resolve().parent
sys.path[:0] = [str(DOCS), str(DOCS.parent / "src")]

import scoref  # noqa: E402
from scoref.schemas.known import SCHEMAS, schema  # noqa: E402

for name in SCHEMAS:
    path = DOCS / "build" / "extra" / "schemas" / f"{name}.json"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(schema(name), indent=2), encoding="utf-8")

TALES = DOCS.parent / "examples" / "tales"
names = {name: str(TALES / f"{name}.conll") for name in ("rules", "model")}
scoref.report(str(TALES / "key.conll"), names, DOCS / "build" / "extra" / "report.html")  # of the first page

project = "scoref"
author = "The scoref developers"
copyright = f"2026, {author}"
release = version = scoref.__version__

extensions = ["myst_nb", "sphinx.ext.autodoc", "sphinx.ext.napoleon", "sphinx_copybutton", "site_words"]
exclude_patterns = ["build"]
nitpicky = True
nitpick_ignore_regex = [("py:.*", r".*")]  # names of types in signatures; links between pages are all checked

myst_enable_extensions = ["colon_fence"]
myst_heading_anchors = 4
suppress_warnings = ["myst.strikethrough"]
nb_execution_mode = "force"
nb_execution_raise_on_error = True
nb_execution_timeout = 300

default_role = "code"  # docstrings have `names` in single marks
autodoc_typehints = "none"
autodoc_member_order = "bysource"
autodoc_default_options = {"members": True, "undoc-members": False}

html_title = f"scoref {release}"
html_theme = "furo"
html_theme_options = {"navigation_with_keys": True}
html_static_path = ["_static"]
html_css_files = ["wide.css"]
html_search_scorer = str(DOCS / "_static" / "scorer.js")  # Sphinx looks for it from the folder where it is called
html_extra_path = ["build/extra"]  # with the schemas and a report
html_show_sourcelink = False
html_copy_source = False
copybutton_prompt_text = r"\$ |>>> |\.\.\. "
copybutton_prompt_is_regexp = True
copybutton_only_copy_prompt_lines = True
