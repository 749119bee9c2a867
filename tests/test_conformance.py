"""A further check of the scores: cases that other scorers come with, and real files. `conformance/` runs always."""

from __future__ import annotations

import importlib.util
import json
from pathlib import Path
from types import ModuleType

import pytest

from places import SHARED, beside

HERE = Path(__file__).resolve().parent
VECTORS = SHARED / "vectors"
EXCEPTIONS = json.loads((HERE / "conformance" / "exceptions.json").read_text(encoding="utf-8"))

SETS = [
    "conll", "papers", "real-gum", "real-wsj-skeleton", "real-cdcoref",
    "paun", "ua", "real-codi-light",
    "corefud", "real-gum-corefud", "real-korkor",
    "tbf", "tools",
]  # fmt: skip

pytestmark = beside


@pytest.fixture(scope="module")
def check() -> ModuleType:
    """The program that comes with the recorded cases; it knows how to run one and how to compare."""
    spec = importlib.util.spec_from_file_location("recorded_cases_check", VECTORS / "check.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.mark.parametrize("name", SETS)
def test_recorded_cases_agree(check, name):
    folder, excused = VECTORS / name, EXCEPTIONS.get(name, {})
    cases = [json.loads(line) for line in (folder / "cases.jsonl").read_text(encoding="utf-8").splitlines()]
    differing = [(case["id"], check.differences(case, check.run(case, folder))) for case in cases]
    assert differing
    assert [(id, wrong) for id, wrong in differing if wrong and id not in excused] == []
    agreeing = excused.keys() - {id for id, wrong in differing if wrong}
    assert not agreeing, "exceptions that agree or are no case: remove them"


def test_exceptions_are_for_recorded_sets_and_give_a_reason():
    assert EXCEPTIONS.keys() <= {path.parent.name for path in VECTORS.glob("*/cases.jsonl")}
    assert all(reason for reasons in EXCEPTIONS.values() for reason in reasons.values())
