"""The types of keywords: as the registries have them, and as a type checker sees them."""

from __future__ import annotations

import importlib.util
import inspect
import subprocess
import sys
from typing import get_args, get_type_hints

import pytest

import scoref
from places import ROOT
from scoref.formats import ENDS, ONE_SIDED
from scoref.protocol import keywords
from scoref.protocol.choices import OPTIONS

HINTS = get_type_hints(keywords.Choices)

specification = importlib.util.spec_from_file_location("keywords", ROOT / "docs" / "keywords.py")
assert specification
assert specification.loader
script = importlib.util.module_from_spec(specification)
specification.loader.exec_module(script)


def test_the_types_of_choices_are_those_of_the_script():
    assert script.written() == script.blocks(), "a choice or a word without a type: run python docs/keywords.py --write"
    assert [*HINTS] == [*OPTIONS]


def test_the_words_for_reading():
    assert get_args(keywords.Ends) == ENDS


def test_keywords_are_those_of_score():
    named = [
        name for name, each in inspect.signature(scoref.score).parameters.items() if each.kind == each.KEYWORD_ONLY
    ]
    assert get_type_hints(keywords.Keywords).keys() == {*named, *ONE_SIDED, *HINTS}


WRONG = """
import scoref
scoref.score("key", "response", mtach="min")
scoref.score("key", "response", singletons="remove")
scoref.Scorer(singletons="remove")
scoref.compare("key", {"a": "b"}, mtach="min")
scoref.analyse("key", "response", singletons="remove")
scoref.report("key", "response", mtach="min")
scoref.stability("key", "response", on_problem="ignore")
scoref.score("key", "response", ends="open")
scoref.score("key", "response", response_ends="open")
scoref.compare("key", {"a": "b"}, response_columns=3)
"""
RIGHT = """
import scoref
from scoref.evaluator import CorefEvaluator
result = scoref.score("key", "response", match="min", singletons=None, metrics="conll", beta=2)
scoref.score("key", "response", key_format="conll", response_ends="exclusive", response_columns={"entity": "x"})
scoref.score({"a": 1, "b": 2}, {"a": "x", "b": "y"})
scoref.score({"x": ["a", "b"]}, [["a", "b"]])
scoref.score([[(0, 1), (2, 2)]], [[[0, 1], [2, 2]]])
scoref.Scorer("e2e", ["muc"], singletons="drop").update([["a"]], {"a": 1})
scoref.compare("key", {"a": "b", "c": "d"}, match="head", trials=100)
scoref.stability("key", "response", average="macro", repetitions=2)
f1: float = result["conll"].f1 + result.by("document")["x"]["muc"].f1
names: list[str] = list(result)
CorefEvaluator(singletons="drop").update([[(0, 1)]], [((0, 1),)])
"""


def checked(code, tmp_path, *command):
    (tmp_path / "caller.py").write_text(code, encoding="utf-8")
    done = subprocess.run(
        [sys.executable, "-m", *command, str(tmp_path / "caller.py")], capture_output=True, text=True, cwd=tmp_path,
        env={"MYPYPATH": str(ROOT / "src"), "PYTHONPATH": str(ROOT / "src"), "PATH": "/usr/bin:/bin"},
    )  # fmt: skip
    return [line for line in done.stdout.splitlines() if "caller.py" in line and "error" in line], done


@pytest.fixture(scope="module")
def mypy(tmp_path_factory):
    pytest.importorskip("mypy")
    return ("mypy", "--strict", "--follow-imports=silent", "--cache-dir", str(tmp_path_factory.mktemp("cache")),
            "--config-file", str(ROOT / "pyproject.toml"))  # fmt: skip


def test_mypy_sees_words_that_there_are_not(mypy, tmp_path):
    errors, done = checked(WRONG, tmp_path, *mypy)
    lines = [int(line.split("caller.py:")[1].split(":")[0]) for line in errors]
    assert lines == list(range(3, 13)), done.stdout + done.stderr


def test_mypy_has_nothing_against_words_that_there_are(mypy, tmp_path):
    errors, done = checked(RIGHT, tmp_path, *mypy)
    assert not errors, done.stdout
    assert done.returncode == 0, done.stdout + done.stderr
