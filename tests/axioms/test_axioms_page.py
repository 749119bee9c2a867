"""The page "Which metric should I report?" says what the search found."""

from __future__ import annotations

import importlib.util
import re
from types import ModuleType

import pytest

from places import ROOT
from scoref.axioms.findings import axioms, recorded, words
from scoref.axioms.scoring import convention
from scoref.protocol.protocol import PROTOCOLS

PAGE = ROOT / "docs" / "which-metric.md"


@pytest.fixture(scope="module")
def script() -> ModuleType:
    spec = importlib.util.spec_from_file_location("counterexamples", ROOT / "docs" / "counterexamples.py")
    assert spec
    assert spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_table_and_pictures_are_made_from_what_is_recorded(script):
    files = script.files()
    assert {path.name for path in files} >= {PAGE.name, "axioms-b3.svg"}
    for path, text in files.items():
        assert path.read_text(encoding="utf-8") == text, "run: python docs/counterexamples.py"


def test_the_page_names_what_each_metric_fails(script):
    text = PAGE.read_text(encoding="utf-8")
    found = script.findings(script.official())
    said = {m[1]: re.findall(r"`([a-z-]+)`", m[2]) for m in re.finditer(r"`([a-z0-9-]+)` fails ([^.]*)\.", text)}
    assert {*said} == {*script.MAIN}
    for metric, names in said.items():
        assert names == [*script.failures(found[metric])], metric


def test_the_recommended_metric_lacks_the_fewest_properties(script):
    lacking = {name: len(script.failures(each)) for name, each in script.findings(script.official()).items()}
    assert min(lacking, key=lambda name: lacking[name]) == "b3"
    assert lacking.pop("b3-extended") == 1  # it is B³ where no mention is in several entities
    assert sorted(lacking.values())[:3] == [1, lacking["hota"], lacking["lea"]]
    case = script.failures(script.findings(script.official())["b3"])["baseline"]
    assert case.key == "abc|d"
    assert script.scores(case) == "70.00 → 70.59"
    assert "70.00 for\n2+1+1, 70.59 for 2+2, with the key `abc|d`" in PAGE.read_text(encoding="utf-8")


@pytest.mark.parametrize(("preset", "held"), [("conll-2012", 17), ("crac-2022", 8), ("e2e", 8), ("scorch", 11)])
def test_how_many_properties_hold_under_other_conventions(preset, held):
    found = recorded()[words(convention(PROTOCOLS[preset]))]["b3"].found
    assert [*found.values()].count(None) == held
    sentence = "17 of 18 properties hold under `conll-2012`, 8 under `crac-2022` and `e2e`, 11 under `scorch`"
    assert sentence in " ".join(PAGE.read_text(encoding="utf-8").split())


def test_the_correlation_has_a_baseline(script):
    assert axioms(["cc"], ["baseline"], "conll-2012").grids()[0].rows == [("baseline", "yes")]
