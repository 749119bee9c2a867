"""The first page of the site: its table has the recorded numbers of other scorers; titles and tasks rank first."""

from __future__ import annotations

import json
import re
import shutil
import subprocess

import pytest

import scoref
from places import EXAMPLES, ROOT
from scoref.explanation.explain import tools_grid

CONVENTIONS = {
    "CoreNLP": "corenlp",
    "scorch": "scorch",
    "the Perl": "yours",
    "stanza": "stanza",
    "ASP": "asp",
    "e2e": "e2e",
}


def test_six_scorers_disagree_as_explain_says() -> None:
    """The conventions are tested against the tools' own numbers in tests/protocol."""
    rows = re.findall(r"^\| ([^|]+) \| ([\d.]+) \| ([\d.]+) \| ([\d.]+) \| \*\*([\d.]+)\*\* \|$",
                      (ROOT / "docs/index.md").read_text(encoding="utf-8"), re.MULTILINE)  # fmt: skip
    grid = tools_grid(scoref.score(EXAMPLES / "tales/key.conll", EXAMPLES / "tales/rules.conll"))
    values = {row[0]: [f"{100 * getattr(cell, 'value', cell):.2f}" for cell in row[1:5]] for row in grid.rows}
    found = {
        next(tool for start, tool in CONVENTIONS.items() if name.startswith(start)): numbers for name, *numbers in rows
    }
    assert found == {tool: values[tool] for tool in CONVENTIONS.values()}
    assert len({numbers[3] for numbers in found.values()}) == 6


def test_the_readme_begins_with_why() -> None:
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    assert text.index("Fifteen points") < text.index("Set up and score") < text.index("./check") < text.index("## What")


def test_tasks_rank_before_changes() -> None:
    if not shutil.which("node"):
        pytest.skip("no node")
    script = (
        (ROOT / "docs/_static/scorer.js").read_text(encoding="utf-8")
        + """
      const named = (name) => Scorer.score([name, "", "", null, 5, ""]);
      const numbers = [named("compare"), named("formats"), named("changes"), Scorer.title > Scorer.term];
      console.log(JSON.stringify(numbers));"""
    )
    done = subprocess.run(["node", "-e", script], text=True, check=True, stdout=subprocess.PIPE)
    task, other, changes, titles = json.loads(done.stdout)
    assert task > other > changes
    assert titles
    names = re.findall(r'"([a-z-]+)"', script.split("var Scorer")[0])
    assert [name for name in names if not (ROOT / f"docs/{name}.md").exists()] == []
