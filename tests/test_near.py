"""`./check --fast` runs the tests that are nearest to a change, and stops in time."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

import near
from places import ROOT


def test_a_module_brings_its_examples_its_tests_those_of_its_package_and_of_what_imports_it():
    found = near.near(["src/scoref/relations/anaphors.py"])
    places = [found.index(path) for path in (
        "src/scoref/relations/anaphors.py",  # its examples
        "tests/relations/test_relations.py",  # in the folder of its package
        near.CORE[0],
        "src/scoref/relations/registry.py",  # imports it
    )]  # fmt: skip
    assert places == sorted(places)
    assert "tests/texts/test_cuts.py" not in found
    assert len(found) == len(set(found))


def test_a_public_name_is_its_module():
    assert near.near(["src/scoref/statistics/curves.py"])[:2] == [
        "src/scoref/statistics/curves.py",
        "tests/statistics/test_curves.py",
    ]


def test_tests_pages_and_other_files_have_neighbours():
    assert near.near(["tests/texts/test_projection.py"])[0] == "tests/texts/test_projection.py"
    assert "tests/results/test_kinds.py" in near.near(["tests/slow_kinds.py"])[:2]  # what imports it
    assert near.near(["docs/scale.md"])[:2] == ["docs/scale.md", "tests/test_console_examples.py"]
    assert "tests/page/test_page_data.py" in near.near(["src/scoref/page/page.css"])
    assert near.near(["benchmarks/run.py", "tests/test_gone.py"])[-len(near.CORE) :] == [*near.CORE]


def test_every_path_of_the_core_exists():
    assert near.near([]) == [*near.CORE]


def test_what_would_begin_too_late_is_skipped_and_counted():
    code = (
        "import near, pytest; near.LEAST = -1; pytest.main(['-p', 'no:cacheprovider', 'tests/document/test_depth.py'])"
    )
    where = {"PYTHONPATH": str(ROOT / "tests"), near.UNTIL: "1"}
    ran = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, env={**os.environ, **where}
    )
    assert f"× {near.LATE}" in ran.stdout, ran.stdout + ran.stderr
    assert "passed" not in ran.stdout


@pytest.mark.parametrize(
    ("until", "now", "is_late"), [("1", 31, True), ("1", 29, False), ("40", 39, False), ("", 9e9, False)]
)
def test_time_is_over_when_it_is_said_to_be_and_not_at_once(monkeypatch, until: str, now: float, is_late: bool):
    monkeypatch.setenv(near.UNTIL, until)
    assert near.late(10, now) is is_late
